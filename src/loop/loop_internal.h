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

#endif
