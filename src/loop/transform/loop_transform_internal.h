/* What the parts of src/loop/transform share with nobody else. */
#ifndef FW_LOOP_TRANSFORM_INTERNAL_H
#define FW_LOOP_TRANSFORM_INTERNAL_H

#include "loop_points.h"
#include "loop_space.h"
#include "loop_transform.h"

/* The name stands for an expression everywhere. */
void fw_loop_substitute_everywhere(struct fw_loop_program *program, const char *name,
                                   struct fw_loop_expression *with);

/* name = factor * outer + inner, 0 <= inner < factor; one of the two may have the old name. */
enum fw_status fw_loop_split_as(struct fw_loop_program *program, const char *name, int64_t factor,
                                const char *outer, const char *inner, struct fw_span span);

/* Refuses, when a tree of the program `after` does dependent executions in another order than one
 * of `before` did.  Both have the same statements; `mapped` names of `after` are, in the statements
 * of `before`, the texts beside them.  A program that had no order has none to keep. */
struct fw_loop_mapping {
    const char *name; /* a loop of `after`; NULL: none */
    const char *with; /* "16*i%s + j%s": each %s is the suffix */
};
enum fw_status fw_loop_check_order(struct fw_loop_program *before, struct fw_loop_program *after,
                                   const struct fw_loop_mapping *mapping, struct fw_span span);

/* Whether the statements and loops can be put in order at all. */
bool fw_loop_has_order(struct fw_loop_program *program);

/* ---- linear forms ---- */

enum { FW_LOOP_TERMS_MOST = 16 };

/* constant + sum of factors times names. */
struct fw_loop_linear {
    int64_t constant;
    uint32_t count;
    const char *names[FW_LOOP_TERMS_MOST];
    int64_t factors[FW_LOOP_TERMS_MOST];
};

/* Adds `times` the expression; false when it is not linear, or has too many terms. */
bool fw_loop_add_linear(struct fw_loop_linear *linear, const struct fw_loop_expression *expression,
                        int64_t times);

/* Adds a factor of a name; false as above. */
bool fw_loop_add_term(struct fw_loop_linear *linear, const char *name, int64_t factor);

/* The form as an expression of the program: positive terms first. */
struct fw_loop_expression *fw_loop_of_linear(struct fw_loop_program *program,
                                             const struct fw_loop_linear *linear);

/* The form as isl reads it, in brackets. */
void fw_loop_print_linear(struct fw_buffer *buffer, const struct fw_loop_linear *linear);

#endif
