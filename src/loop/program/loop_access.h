/* Walks over a program's accesses, with the loops around each. */
#ifndef FW_LOOP_ACCESS_H
#define FW_LOOP_ACCESS_H

#include "loop_names.h"

/* Calls `see` for every access of the statement, loops of reductions around it included. */
typedef void (*fw_loop_see)(void *user, const struct fw_loop_statement *statement,
                            const struct fw_loop_expression *access, bool store,
                            const fw_loop_names *loops);
void fw_loop_each_access(struct fw_loop_program *program, const struct fw_loop_statement *statement,
                         fw_loop_see see, void *user);

/* The loops of a statement; and with those of a reduction in it. */
fw_loop_names fw_loop_statement_loops(struct fw_arena *arena,
                                      const struct fw_loop_statement *statement);
fw_loop_names fw_loop_reduction_loops(struct fw_arena *arena, const fw_loop_names *loops,
                                      const struct fw_loop_expression *reduction);

#endif
