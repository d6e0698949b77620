/* Loops with the bounds of others: copies of a loop, and statements that move to them. */
#include "loop_internal.h"

#include <string.h>

enum { CONDITION_MOST = 1 << 15 };

void fw_loop_replace_loop(struct fw_loop_program *program, const char ***loops, uint32_t *count,
                          const char *name, const char *outer, const char *inner)
{
    fw_loop_names changed = {0};
    if (!fw_loop_has(*loops, *count, name))
        return;
    for (uint32_t i = 0; i < *count; i++)
        if ((*loops)[i] == name) {
            fw_loop_names_add(program->arena, &changed, outer);
            fw_loop_names_add(program->arena, &changed, inner);
        } else {
            fw_loop_names_add(program->arena, &changed, (*loops)[i]);
        }
    *loops = changed.at;
    *count = (uint32_t)changed.count;
}

enum fw_status fw_loop_bound_alike(struct fw_loop_program *program, const char *name,
                                   const char *copy, struct fw_span span)
{
    struct fw_loop_variable variable = *fw_loop_variable(program, name);
    struct fw_loop_domain *domain = &program->domains.at[variable.domain];
    if (strlen(domain->condition) > CONDITION_MOST)
        return fw_loop_refuse(program, "LOOP051", span, "the domain's condition grows too long");
    domain->condition = fw_arena_printf(program->arena, "(%s) and (%s)", domain->condition,
                                        fw_loop_replace(program, domain->condition, name, copy));
    fw_loop_names names = {0};
    for (uint32_t i = 0; i < domain->name_count; i++) {
        fw_loop_names_add(program->arena, &names, domain->names[i]);
        if (domain->names[i] == name)
            fw_loop_names_add(program->arena, &names, copy);
    }
    domain->names = names.at;
    domain->name_count = (uint32_t)names.count;
    variable.name = copy;
    *FW_APPEND(program->arena, &program->variables) = variable;
    return FW_OK;
}

/* The tree with a loop renamed in its reductions, too; a copy. */
static struct fw_loop_expression *renamed(struct fw_loop_program *program,
                                          struct fw_loop_expression *expression, const char *name,
                                          const char *to, struct fw_loop_expression *to_name)
{
    if (expression->kind == FW_LOOP_NAME)
        return expression->name == name ? to_name : expression;
    struct fw_loop_expression *copy =
        fw_arena_copy(program->arena, expression, sizeof(*expression));
    copy->operands = fw_arena_copy(program->arena, expression->operands,
                                   expression->operand_count * sizeof(*copy->operands));
    for (uint32_t i = 0; i < copy->operand_count; i++)
        copy->operands[i] = renamed(program, copy->operands[i], name, to, to_name);
    if (copy->kind == FW_LOOP_REDUCE)
        fw_loop_replace_loop(program, &copy->loops, &copy->loop_count, name, to, to);
    return copy;
}

void fw_loop_rename_in(struct fw_loop_program *program, struct fw_loop_statement *statement,
                       const char *name, const char *to)
{
    struct fw_loop_expression *to_name = fw_loop_name(program, to);
    statement->target = renamed(program, statement->target, name, to, to_name);
    statement->value = renamed(program, statement->value, name, to, to_name);
    statement->conditions =
        fw_arena_copy(program->arena, statement->conditions,
                      statement->condition_count * sizeof(*statement->conditions));
    for (uint32_t i = 0; i < statement->condition_count; i++)
        statement->conditions[i] = renamed(program, statement->conditions[i], name, to, to_name);
    fw_loop_replace_loop(program, &statement->loops, &statement->loop_count, name, to, to);
}

/* The statement at `index` uses `copy`, a new loop with the same bounds, instead of `name`, in its
 * reductions, too. */
static enum fw_status duplicate_in(struct fw_loop_program *program, const char *name,
                                   const char *copy, size_t index)
{
    struct fw_span span = program->statements.at[index].span;
    enum fw_status status = fw_loop_bound_alike(program, name, copy, span);
    if (status != FW_OK)
        return status;
    fw_loop_rename_in(program, &program->statements.at[index], name, copy);
    return fw_loop_finish(program);
}

static void count_reductions(const struct fw_loop_expression *expression, const char *name,
                             unsigned *times)
{
    if (expression->kind == FW_LOOP_REDUCE)
        *times += fw_loop_has(expression->loops, expression->loop_count, name);
    for (uint32_t i = 0; i < expression->operand_count; i++)
        count_reductions(expression->operands[i], name, times);
}

enum fw_status fw_loop_part_reductions(struct fw_loop_program *program)
{
    enum fw_status status = FW_OK;
    size_t loops = program->variables.count;
    for (size_t v = 0; v < loops; v++) {
        const char *name = program->variables.at[v].name;
        bool stands = false, first = true;
        for (size_t i = 0; i < program->statements.count; i++)
            stands |= fw_loop_has(program->statements.at[i].loops,
                                  program->statements.at[i].loop_count, name);
        for (size_t i = 0; status == FW_OK && !stands && i < program->statements.count; i++) {
            unsigned times = 0;
            count_reductions(program->statements.at[i].value, name, &times);
            if (times && !first) {
                const char *copy = fw_loop_new_name(program, name);
                status = duplicate_in(program, name, copy, i);
            }
            first = first && !times;
        }
    }
    return status;
}
