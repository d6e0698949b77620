/* Names of a loop program: what they are, lists of them, and refusals that name them.  For the
 * rooms of src/loop and those who write code of programs. */
#ifndef FW_LOOP_NAMES_H
#define FW_LOOP_NAMES_H

#include "loop.h"

/* Reports an error; what has no place of its own is told of the program's source.  Gives
 * FW_ERROR_INPUT. */
enum fw_status fw_loop_refuse(const struct fw_loop_program *program, const char *code,
                              struct fw_span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The source of the program, as a place; without one, no place. */
struct fw_span fw_loop_source(const struct fw_loop_program *program);

/* Where a loop's domain stands. */
struct fw_span fw_loop_variable_span(const struct fw_loop_program *program,
                                     const struct fw_loop_variable *variable);

/* Reports that a question about sets was not answered, for the reason that `status` says; gives it
 * back. */
enum fw_status fw_loop_undecided(const struct fw_loop_program *program, enum fw_status status,
                                 struct fw_span span);

/* The variable of this name; NULL: there is none.  Whether it is a parameter of the program, and
 * whether a list has it. */
struct fw_loop_variable *fw_loop_variable(const struct fw_loop_program *program, const char *name);
bool fw_loop_is_parameter(const struct fw_loop_program *program, const char *name);
bool fw_loop_has(const char *const *names, uint32_t count, const char *name);

/* A growing list of names without duplicates. */
typedef FW_VECTOR(const char *) fw_loop_names;
void fw_loop_names_add(struct fw_arena *arena, fw_loop_names *names, const char *name);

/* Whether `text` begins with an isl identifier, and its length; words are names or isl's own. */
size_t fw_loop_word(const char *text);

#endif
