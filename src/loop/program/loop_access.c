/* Walks over accesses. */
#include "loop_access.h"

fw_loop_names fw_loop_statement_loops(struct fw_arena *arena,
                                      const struct fw_loop_statement *statement)
{
    fw_loop_names loops = {0};
    for (uint32_t i = 0; i < statement->loop_count; i++)
        fw_loop_names_add(arena, &loops, statement->loops[i]);
    return loops;
}

fw_loop_names fw_loop_reduction_loops(struct fw_arena *arena, const fw_loop_names *loops,
                                      const struct fw_loop_expression *reduction)
{
    fw_loop_names inner = {0};
    for (size_t i = 0; i < loops->count; i++)
        fw_loop_names_add(arena, &inner, loops->at[i]);
    for (uint32_t i = 0; i < reduction->loop_count; i++)
        fw_loop_names_add(arena, &inner, reduction->loops[i]);
    return inner;
}

static void each_access(struct fw_loop_program *program, const struct fw_loop_statement *statement,
                        const struct fw_loop_expression *expression, bool store,
                        const fw_loop_names *loops, fw_loop_see see, void *user)
{
    fw_loop_names inner = {0};
    if (expression->kind == FW_LOOP_REDUCE) {
        inner = fw_loop_reduction_loops(program->arena, loops, expression);
        loops = &inner;
    }
    for (uint32_t i = 0; i < expression->operand_count; i++)
        each_access(program, statement, expression->operands[i], false, loops, see, user);
    if (expression->kind == FW_LOOP_ACCESS)
        see(user, statement, expression, store, loops);
}

void fw_loop_each_access(struct fw_loop_program *program, const struct fw_loop_statement *statement,
                         fw_loop_see see, void *user)
{
    fw_loop_names loops = fw_loop_statement_loops(program->arena, statement);
    for (uint32_t i = 0; i < statement->condition_count; i++)
        each_access(program, statement, statement->conditions[i], false, &loops, see, user);
    each_access(program, statement, statement->value, false, &loops, see, user);
    each_access(program, statement, statement->target, true, &loops, see, user);
}
