/* A loop program's launch: which axes blocks and threads have, and how many of each.
 *
 * Takes a finished program; gives for every axis its loops' common range.  A loop on an axis has
 * the value of the axis' index plus `low`, the least value it ever has.  Diagnostics LOOP06n. */
#ifndef FW_LOOP_LAUNCH_H
#define FW_LOOP_LAUNCH_H

#include "ast.h"
#include "loop.h"

enum fw_loop_side { FW_LOOP_OF_BLOCKS, FW_LOOP_OF_THREADS, FW_LOOP_SIDES };

struct fw_loop_axis {
    bool used;
    const char *name; /* of its index in conditions: "block__0", "thread__1" */
    char *points;     /* a condition on `name`: 0 <= name < extent */
    char *extent_set; /* isl's notation: "[n] -> { [x] : 0 <= x < extent }": count or maximum */
    int64_t extent;   /* of threads; of blocks the greatest, 0: without a bound */
    struct fw_ast_expression *last; /* blocks: the greatest index, an expression of parameters */
};

struct fw_loop_launch {
    struct fw_loop_axis axes[FW_LOOP_SIDES][FW_LOOP_AXES];
    int64_t *low;    /* of each of the program's variables that is on an axis */
    int64_t threads; /* of a block */
};

/* In the program's arena.  FW_ERROR_INPUT: a loop on a thread axis has no constant range, a loop on
 * an axis no least value, or a block would have more than 1024 threads. */
enum fw_status fw_loop_launch_new(struct fw_loop_launch **launch, struct fw_loop_program *program);

/* The axis of a loop, or NULL when it is on none. */
const struct fw_loop_axis *fw_loop_axis_of(const struct fw_loop_launch *launch,
                                           const struct fw_loop_variable *variable);

/* "thread__1 = i_inner - low" for every loop of the list that is on an axis, joined by " and ";
 * "0 = 0" for none.  Names get the suffix. */
char *fw_loop_axis_conditions(const struct fw_loop_launch *launch, struct fw_loop_program *program,
                              const char *const *loops, uint32_t count, const char *suffix);

#endif
