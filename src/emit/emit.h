/* Source code from loop programs: OpenCL C, CUDA C++, and plain C as the reference.
 *
 * Takes a finished program (loop.h); gives one kernel as text, with the program's names, the
 * kernel's arguments, and the launch that it must be given.  Statements run in the order of
 * loop_schedule.h; loops come from isl's AST builder, which leaves out the guards that the
 * program's assumptions make needless; in plain C the blocks and threads are loops, and what stands
 * between two barriers is done by all threads before any goes on.  Works whatever the parameters
 * are, as long as the assumptions hold and the arrays are as large as stated. Diagnostics: EMIT001
 * a type or function that the language lacks, EMIT002 an extent that is not known or not constant,
 * EMIT003 an access outside of its array, EMIT004 a loop that cannot be unrolled, EMIT005 too
 * intricate, EMIT006 a barrier that only some threads would reach, EMIT007 more shared memory than
 * a block may have; LOOPnnn from the schedule. */
#ifndef FW_EMIT_H
#define FW_EMIT_H

#include "loop_schedule.h"

/* X(name, text) */
#define FW_EMIT_TARGETS(X) X(OPENCL, "opencl") X(CUDA, "cuda") X(C, "c")

enum fw_emit_target {
#define X(name, text) FW_EMIT_##name,
    FW_EMIT_TARGETS(X)
#undef X
        FW_EMIT_TARGET_COUNT
};

/* False when the text is none's. */
bool fw_emit_target_read(enum fw_emit_target *target, const char *text);

struct fw_emit_argument {
    const char *name; /* as in the text */
    enum fw_type type;
    bool array;     /* a pointer; else a value */
    bool stored;    /* the kernel writes to it */
    bool parameter; /* a parameter of the domains (a value of type s32) */
    uint32_t rank;
    struct fw_ast_expression *extents[FW_LOOP_RANK_MOST]; /* of the parameters, in the subscripts'
                                                             order; NULL: not known */
};

struct fw_emission {
    enum fw_emit_target target;
    const char *name; /* the kernel's */
    const char *text;
    FW_VECTOR(struct fw_emit_argument) arguments;
    const struct fw_loop_schedule *schedule; /* its launch has the extents of the axes */
    uint64_t shared_bytes;                   /* of the text's shared arrays */
};

/* All in the program's arena; the program stays as it is. */
enum fw_status fw_emit(struct fw_emission **emission, struct fw_loop_program *program,
                       enum fw_emit_target target);

/* The program as a text of the kernel language (docs/kernel-language.md): what its transformations
 * made of it, written out.  It reads back as the same program: its loops' tags come with
 * "unordered", since what was allowed once need not be shown again.  In the program's arena. */
char *fw_emit_knl(struct fw_loop_program *program);

/* Blocks and threads of the launch at a parameter point: `names` and `values` as many as `bound`.
 * FW_ERROR_USAGE: a parameter is not among them. */
enum fw_status fw_emission_launch(int64_t grid[3], int64_t block[3],
                                  const struct fw_emission *emission, const char *const *names,
                                  const int64_t *values, size_t bound);

/* Elements of an array argument at a parameter point; FW_ERROR_INPUT when an extent is not known.
 */
enum fw_status fw_emission_elements(int64_t *elements, const struct fw_emit_argument *argument,
                                    const char *const *names, const int64_t *values, size_t bound);

/* The grid's extents as C expressions of the parameters, "(n + 15) / 16"; the block's as numbers.
 */
char *fw_emission_extent(const struct fw_emission *emission, enum fw_loop_side side, unsigned axis);

#endif
