/* Statistics of a loop program, straight from its domains: how often each operation and access
 * happens, as symbolic counts.
 *
 * Takes a finished program (loop.h); gives rows of counts (count.h) that are exact wherever the
 * program's assumptions hold.  A reduction's operand happens over the statement's domain and the
 * reduction's loops; each such point accumulates once.  What depends on data (a condition or
 * subscript that is not quasi-affine) is counted as if taken, and marked.  Diagnostics LOOP03n.
 *
 * Granularity (Stevens and Kloeckner, "A mechanism for balancing accuracy and scope in
 * cross-machine black-box GPU performance modeling", section 5): arithmetic and shared memory are
 * counted per warp; global memory per thread, but per warp where neighbouring threads touch the
 * same element.  A warp count is that of the domain without the thread axes, times the warps of a
 * block, ceil(threads / warp size).  Work that does not depend on an axis of the launch is done
 * redundantly by all of it, and counted so. */
#ifndef FW_LOOP_STATISTICS_H
#define FW_LOOP_STATISTICS_H

#include "loop.h"

/* X(name, text) */
#define FW_LOOP_GRANULARITIES(X) X(THREAD, "thread") X(WARP, "warp") X(BLOCK, "block")

enum fw_loop_granularity {
#define X(name, text) FW_LOOP_PER_##name,
    FW_LOOP_GRANULARITIES(X)
#undef X
        FW_LOOP_GRANULARITY_COUNT
};

/* The word for it: "thread", "warp". */
const char *fw_loop_granularity_text(enum fw_loop_granularity granularity);

/* False when the text is none's. */
bool fw_loop_granularity_read(enum fw_loop_granularity *granularity, const char *text);

struct fw_loop_statistics_options {
    uint32_t warp_size;    /* 0: 32 */
    bool subscripts;       /* arithmetic in subscripts counts, too, by its type */
    bool contract;         /* a multiplication whose value is an addition's operand is one "madd"
                              with it, and neither an "add" nor a "mul" */
    bool unique;           /* work that does not depend on an axis of the launch counts once */
    bool both_sides;       /* "if" blocks bound no domain: their statements count in full, as on a
                              device whose threads diverge, and their conditions not at all */
    bool footprints;       /* the distinct elements of each array are counted, too */
    bool barriers;         /* from the order of the statements (loop_schedule.h) */
    bool whole_arrays;     /* of barriers: two accesses of one shared array meet whatever their
                              subscripts are */
    bool launch;           /* threads and blocks alone: no statement is looked at */
    const char *only_tag;  /* only statements with this tag; NULL: all */
    uint64_t count_budget; /* of each count (count.h); 0: the default */
};

struct fw_loop_operation_row {
    const char *operation; /* "add", "func:sin", ... */
    enum fw_type type;
    enum fw_loop_granularity granularity;
    struct fw_count *count;
    bool leans; /* on a condition that is not affine, taken to hold */
};

/* A stride in elements: the sum over `terms` of a factor times the extents of the dimensions
 * `inner` (a mask) of the array. */
struct fw_loop_stride {
    bool known; /* false: the subscripts are not affine in the axis' loop */
    uint32_t term_count;
    int64_t factors[FW_LOOP_RANK_MOST];
    uint32_t inner[FW_LOOP_RANK_MOST];
};

struct fw_loop_memory_row {
    enum fw_space space;
    bool store;
    enum fw_type type;
    const char *array;
    const char *tag; /* NULL: none */
    struct fw_loop_stride thread_strides[FW_LOOP_AXES];
    struct fw_loop_stride block_strides[FW_LOOP_AXES];
    enum fw_loop_granularity granularity;
    struct fw_count *count;
    struct fw_span span; /* the first such access */
    bool leans;          /* on a condition that is not affine, taken to hold */
};

/* The distinct elements that all loads or all stores of an array touch. */
struct fw_loop_footprint_row {
    const char *array;
    bool store;
    enum fw_type type;
    struct fw_count *count;    /* NULL: a subscript or condition depends on data */
    struct fw_count *accesses; /* by all threads, redundant ones too: over `count`, the ratio */
};

struct fw_loop_statistics {
    struct fw_arena *arena; /* its own */
    FW_VECTOR(struct fw_loop_operation_row) operations;
    FW_VECTOR(struct fw_loop_memory_row) memory;
    FW_VECTOR(struct fw_loop_footprint_row) footprints;
    int64_t block_threads;         /* threads of a block, the axes' greatest extents multiplied */
    int64_t threads[FW_LOOP_AXES]; /* of these, along each axis; 0: no such axis */
    struct fw_count *blocks[FW_LOOP_AXES]; /* of the grid; NULL: no such axis */
    /* Floating-point operations of all threads: an add, mul, div, pow or function is one, a madd or
     * fma two. */
    struct fw_count *flops;
    /* With `barriers` asked for, where the program has an order (loop_schedule.h): */
    bool scheduled;
    struct fw_count *barriers; /* executions by all threads; NULL: none */
    struct fw_count *waits;    /* how often one thread waits; NULL: never */
    /* extents[a * FW_LOOP_RANK_MOST + d]: of dimension d of the program's array a, NULL for arrays
     * whose strides nobody asked for, or whose accessed range is not known. */
    struct fw_count **extents;
    size_t array_count;
    FW_VECTOR(struct fw_span) taken; /* conditions that are not affine: taken to hold */
    bool data_dependent; /* some condition was not affine: its statement counts as taken */
};

/* Gathers the statistics of a finished program.  FW_ERROR_INPUT with a diagnostic: a domain is
 * unbounded, a thread axis has no constant bound. */
enum fw_status fw_loop_statistics_new(FW_GIVE struct fw_loop_statistics **statistics,
                                      struct fw_loop_program *program,
                                      const struct fw_loop_statistics_options *options);
void fw_loop_statistics_free(FW_TAKE struct fw_loop_statistics *statistics);

/* A count at a parameter point: `names` and `values` as many as `bound`; FW_ERROR_USAGE when a
 * parameter of the count is not among them.  (fw_count_evaluate takes values in the count's own
 * order, without looking for names.) */
enum fw_status fw_loop_evaluate(mpz_ptr result, const struct fw_count *count, struct fw_poly *poly,
                                const char *const *names, const int64_t *values, size_t bound);

/* A stride of the row's array at a parameter point, in elements; errors as above, FW_ERROR_INPUT
 * when it is not known. */
enum fw_status fw_loop_stride_evaluate(mpz_ptr result, const struct fw_loop_statistics *statistics,
                                       const struct fw_loop_program *program,
                                       const struct fw_loop_memory_row *row,
                                       const struct fw_loop_stride *stride,
                                       const char *const *names, const int64_t *values,
                                       size_t bound);

#endif
