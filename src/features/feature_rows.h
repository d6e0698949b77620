/* What features of operations and accesses are chosen from: one row an operation and type, one an
 * access pattern, counted for one launch.
 *
 * Takes the counts of a kernel's domains (the kernel language) or a record at a bound launch (PTX).
 * Gives rows at the granularity of the paper's section 5: arithmetic and shared memory by warps,
 * device memory by threads, and by warps where neighbouring threads touch one element.  The layer
 * that rows come from is stated. */
#ifndef FW_FEATURE_ROWS_H
#define FW_FEATURE_ROWS_H

#include "launch.h"

#include "forewarp.h"

struct fw_feature_operation {
    const char *name; /* "add", "mul", "madd", "div", "sqrt", ...; else PTX's */
    enum fw_type type;
    bool arithmetic; /* false: a move, conversion or comparison, which only its name asks for */
    double count;    /* by warps */
};

struct fw_feature_access {
    enum fw_space space;
    enum fw_direction direction;
    enum fw_type type;                           /* of an element */
    const char *array, *tag;                     /* NULL: not known; none */
    bool has_thread_strides, has_block_strides;  /* false: they depend on data or are not affine */
    int64_t thread_strides[3], block_strides[3]; /* in elements */
    double count;                                /* of elements; see above */
    double ratio; /* accesses of its array in its direction to distinct elements; NAN: not known */
    uint32_t access; /* of the record, the first that the row sums up; FW_NONE */
};

/* The value of a parameter, for constraints that name one. */
struct fw_feature_parameter {
    const char *name;
    int64_t value;
};

struct fw_feature_rows {
    const char *layer; /* "domain", "ptx" */
    FW_VECTOR(struct fw_feature_operation) operations;
    FW_VECTOR(struct fw_feature_access) accesses;
    FW_VECTOR(struct fw_feature_parameter) parameters;
    double barriers; /* block-wide ones that a thread meets, the mean over all */
    double flops;
    double blocks, block_threads;
    uint32_t warp; /* threads */
};

/* From the counts of domains, with multiply-adds contracted and footprints: `answer` has both, and
 * its launch.  All memory is the arena's, texts are the answer's. */
void fw_feature_rows_of_counts(struct fw_feature_rows *rows, struct fw_arena *arena,
                               const struct fw_answer *answer, uint32_t warp);

#define FW_FEATURE_ALL_LINES UINT32_MAX

/* From a record at a bound launch: of all source lines, or of one (0: of none that is known).
 * Unfused products that the assembler contracts with the sum behind them count as multiply-adds.
 * Rows have no ratio: see feature_value.h. */
void fw_feature_rows_of_record(struct fw_feature_rows *rows, struct fw_arena *arena,
                               const struct fw_kernel *kernel, struct fw_bound *bound,
                               const struct fw_launch *launch, uint32_t warp, uint32_t line);

#endif
