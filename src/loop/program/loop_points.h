/* Points: at which values of their loops statements run, as conditions and sets in isl's notation.
 *
 * Takes a program and names of its loops; gives texts that name the loops and parameters, to be put
 * beside others with "and" and made sets of.  A question that was answered once is not asked of isl
 * again. */
#ifndef FW_LOOP_POINTS_H
#define FW_LOOP_POINTS_H

#include "loop_names.h"

/* A copy of a condition with a name replaced by "(with)". */
char *fw_loop_replace(struct fw_loop_program *program, const char *condition, const char *name,
                      const char *with);

/* A number of loop names, parameters and integers as isl's text; false when it is not quasi-affine
 * (`buffer` then holds rubbish), or a truth value, which isl has no number for. */
bool fw_loop_affine(const struct fw_loop_program *program, struct fw_buffer *buffer,
                    const struct fw_loop_expression *expression);

/* The same of a condition; a number is one that holds when it is not 0. */
bool fw_loop_affine_condition(const struct fw_loop_program *program, struct fw_buffer *buffer,
                              const struct fw_loop_expression *expression);

/* The names (loops and parameters) of an expression, reductions' own loops not among them. */
void fw_loop_mentioned(const struct fw_loop_program *program, fw_loop_names *names,
                       const struct fw_loop_expression *expression);

/* The conditions on `names`: of every domain that they stand in and of those that bound these; the
 * other names of these domains are appended to `names`.  "0 = 0" for none. */
char *fw_loop_conditions(struct fw_loop_program *program, fw_loop_names *names);

/* The same and the statement's own affine conditions. */
char *fw_loop_statement_conditions(struct fw_loop_program *program,
                                   const struct fw_loop_statement *statement, fw_loop_names *names);

/* "[n, m] -> " of all parameters. */
char *fw_loop_prefix(const struct fw_loop_program *program);

/* "{ [kept] : exists (others : conditions) }" with the prefix of the parameters; `names` as
 * fw_loop_conditions left them.  `closed`: parameters are existential, too. */
char *fw_loop_set_text(struct fw_loop_program *program, const char *const *kept,
                       uint32_t kept_count, const fw_loop_names *names, const char *conditions,
                       bool closed);

/* fw_set_read of a text of ours. */
enum fw_status fw_loop_set(struct fw_set **set, struct fw_loop_program *program, const char *text,
                           struct fw_span span);

/* A condition on `kept` (and parameters) that is as simple as isl makes it where the assumptions
 * hold; the other `names` are quantified away. */
char *fw_loop_simplified(struct fw_loop_program *program, const char *const *kept, uint32_t count,
                         const fw_loop_names *names, const char *conditions, bool *convex);

/* Spends units of the program's work, of about a microsecond each, which all of its copies share.
 * When they are used up this says so (LOOP118) and unwinds through the program's arena with
 * FW_ERROR_BUDGET: whatever takes longer than it is long spends some. */
void fw_loop_spend(struct fw_loop_program *program, uint64_t units);

/* Calls `ask`, which asks isl something, and spends what that took; unwinds before the call alone.
 */
enum fw_status fw_loop_ask(struct fw_loop_program *program, enum fw_status (*ask)(void *user),
                           void *user);

/* A number for a text, the same for the same text in all copies of the program. */
uint32_t fw_loop_number(struct fw_loop_program *program, const char *text);

/* A key of the memo for answers that are yes or no: whether it is known, and the answer's place. */
bool fw_loop_recall(bool **answer, struct fw_loop_program *program, const char *question);

/* fw_set_text_empty, fw_set_text_subset and fw_set_text_range (set_text.h) with the memo. */
enum fw_status fw_loop_empty(bool *empty, struct fw_loop_program *program, const char *set);
enum fw_status fw_loop_subset(bool *subset, struct fw_loop_program *program, const char *a,
                              const char *b);
enum fw_status fw_loop_range(int64_t *least, int64_t *greatest, bool *bounded,
                             struct fw_loop_program *program, const char *set);

/* Makes the points of every statement simple: fw_loop_statement_conditions gives them from now on.
 */
void fw_loop_simplify_statements(struct fw_loop_program *program);

#endif
