/* What the parts of src/loop share: texts of sets, walks over expressions. */
#ifndef FW_LOOP_INTERNAL_H
#define FW_LOOP_INTERNAL_H

#include "loop.h"

enum fw_status fw_loop_refuse(const struct fw_loop_program *program, const char *code,
                              struct fw_span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

struct fw_loop_variable *fw_loop_variable(const struct fw_loop_program *program, const char *name);
bool fw_loop_is_parameter(const struct fw_loop_program *program, const char *name);
bool fw_loop_has(const char *const *names, uint32_t count, const char *name);

/* A growing list of names without duplicates. */
typedef FW_VECTOR(const char *) fw_loop_names;
void fw_loop_names_add(struct fw_arena *arena, fw_loop_names *names, const char *name);

/* Whether `text` begins with an isl identifier, and its length; words are names or isl's own. */
size_t fw_loop_word(const char *text);

/* A copy of a condition with a name replaced by "(with)". */
char *fw_loop_replace(struct fw_loop_program *program, const char *condition, const char *name,
                      const char *with);

/* An expression of loop names, parameters and integers as isl's text; false when it is not
 * quasi-affine (`buffer` then holds rubbish).  Conditions too. */
bool fw_loop_affine(const struct fw_loop_program *program, struct fw_buffer *buffer,
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

/* Refuses statements that wait for themselves. */
enum fw_status fw_loop_check_circles(struct fw_loop_program *program);

/* fw_set_read of a text of ours. */
enum fw_status fw_loop_set(struct fw_set **set, struct fw_loop_program *program, const char *text,
                           struct fw_span span);

/* Calls `see` for every access of the statement, loops of reductions around it included. */
typedef void (*fw_loop_see)(void *user, const struct fw_loop_statement *statement,
                            const struct fw_loop_expression *access, bool store,
                            const fw_loop_names *loops);
void fw_loop_each_access(struct fw_loop_program *program, const struct fw_loop_statement *statement,
                         fw_loop_see see, void *user);

/* ---- editing ---- */

/* A program of its own that shares what is never changed in place; in the same arena. */
struct fw_loop_program *fw_loop_copy(struct fw_loop_program *program);

/* A new name: `wanted`, or with a number behind it. */
const char *fw_loop_new_name(struct fw_loop_program *program, const char *wanted);

/* A copy of the tree with the name replaced; unchanged parts are shared. */
struct fw_loop_expression *fw_loop_substitute(struct fw_loop_program *program,
                                              struct fw_loop_expression *expression,
                                              const char *name, struct fw_loop_expression *with);
void fw_loop_substitute_everywhere(struct fw_loop_program *program, const char *name,
                                   struct fw_loop_expression *with);

/* The list with `name` replaced by two others (which may be the same). */
void fw_loop_replace_loop(struct fw_loop_program *program, const char ***loops, uint32_t *count,
                          const char *name, const char *outer, const char *inner);
void fw_loop_replace_reduced(struct fw_loop_program *program, struct fw_loop_expression *expression,
                             const char *name, const char *outer, const char *inner);

/* A statement at a place of the list; later ones move. */
struct fw_loop_statement *fw_loop_insert_statement(struct fw_loop_program *program, size_t at);

bool fw_loop_reads(const struct fw_loop_expression *expression, const char *name);
bool fw_loop_statement_reads(const struct fw_loop_statement *statement, const char *name);

/* The first reduction of a tree, or NULL. */
struct fw_loop_expression *fw_loop_find_reduction(struct fw_loop_expression *expression);

/* A loop that several statements reduce over, and none stands in, is each statement's own: else one
 * could not use the other's sum. */
enum fw_status fw_loop_part_reductions(struct fw_loop_program *program);

/* The statement at `index` uses `copy`, a new loop with the same bounds, instead of `name`, in
 * its reductions, too. */
enum fw_status fw_loop_duplicate_in(struct fw_loop_program *program, const char *name,
                                    const char *copy, size_t index);

/* name = factor * outer + inner, 0 <= inner < factor; one of the two may have the old name. */
enum fw_status fw_loop_split_as(struct fw_loop_program *program, const char *name, int64_t factor,
                                const char *outer, const char *inner, struct fw_span span);

/* A condition on `kept` (and parameters) that is as simple as isl makes it where the assumptions
 * hold; the other `names` are quantified away. */
char *fw_loop_simplified(struct fw_loop_program *program, const char *const *kept, uint32_t count,
                         const fw_loop_names *names, const char *conditions, bool *convex);

/* The type of what two types come to together; NONE gives way. */
enum fw_type fw_loop_joined(enum fw_type a, enum fw_type b);

/* What was asked about sets, and answered: transformations ask the same again and again. */
struct fw_loop_memo;
struct fw_loop_memo *fw_loop_memo_new(struct fw_arena *arena);

/* fw_set_text_range (ast.h) with the memo. */
enum fw_status fw_loop_range(int64_t *least, int64_t *greatest, bool *bounded,
                             struct fw_loop_program *program, const char *set);

/* Makes the points of every statement simple: fw_loop_statement_conditions gives them from now on. */
void fw_loop_simplify_statements(struct fw_loop_program *program);

/* A name (loop or scalar) as an expression. */
struct fw_loop_expression *fw_loop_name(struct fw_loop_program *program, const char *name);

#endif
