/* Editing programs: what transformations and schedules change them with.  Nothing here asks whether
 * the outcome computes the same: loop_transform.h does. */
#ifndef FW_LOOP_EDIT_H
#define FW_LOOP_EDIT_H

#include "loop_names.h"

/* A program of its own that shares what is never changed in place; in the same arena. */
struct fw_loop_program *fw_loop_copy(struct fw_loop_program *program);

/* A new name: `wanted`, or with a number behind it. */
const char *fw_loop_new_name(struct fw_loop_program *program, const char *wanted);

/* A statement at a place of the list; later ones move. */
struct fw_loop_statement *fw_loop_insert_statement(struct fw_loop_program *program, size_t at);

/* Whether the expression, or a statement's value, conditions and subscripts read the array or
 * scalar. */
bool fw_loop_reads(const struct fw_loop_expression *expression, const char *name);
bool fw_loop_statement_reads(const struct fw_loop_statement *statement, const char *name);

/* The first reduction of a tree, or NULL. */
struct fw_loop_expression *fw_loop_find_reduction(struct fw_loop_expression *expression);

/* A loop that several statements reduce over, and none stands in, is each statement's own: else one
 * could not use the other's sum. */
enum fw_status fw_loop_part_reductions(struct fw_loop_program *program);

/* `copy` is a new loop with the same bounds as `name`. */
enum fw_status fw_loop_bound_alike(struct fw_loop_program *program, const char *name,
                                   const char *copy, struct fw_span span);

/* The statement stands in the loop `to` instead of `name`, its reductions, too. */
void fw_loop_rename_in(struct fw_loop_program *program, struct fw_loop_statement *statement,
                       const char *name, const char *to);

/* The list with `name` replaced by two others (which may be the same). */
void fw_loop_replace_loop(struct fw_loop_program *program, const char ***loops, uint32_t *count,
                          const char *name, const char *outer, const char *inner);

/* A name (loop or scalar) as an expression. */
struct fw_loop_expression *fw_loop_name(struct fw_loop_program *program, const char *name);

/* Which statements: all whose id, target or tag matches.  A pattern has '*' for any text. */
enum fw_loop_selector_kind { FW_LOOP_BY_ID, FW_LOOP_BY_TARGET, FW_LOOP_BY_TAG };
struct fw_loop_selector {
    enum fw_loop_selector_kind kind;
    const char *pattern; /* NULL: all statements */
};
bool fw_loop_selects(const struct fw_loop_selector *selector,
                     const struct fw_loop_statement *statement);

/* Every reduction of the selected statements becomes a private accumulator acc_LOOPS with
 * statements acc_LOOPS_init and acc_LOOPS_update before it.  Refuses reductions in subscripts and
 * conditions. */
enum fw_status fw_loop_realize(struct fw_loop_program *program, struct fw_loop_selector selector,
                               struct fw_span span);

#endif
