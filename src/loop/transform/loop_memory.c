/* Transformations of where values lie: private copies, and the order of dimensions in memory. */
#include "loop_access.h"
#include "loop_transform_internal.h"

#include <string.h>

/* ---- private copies ---- */

struct privatizing {
    struct fw_loop_program *program;
    const char *array;
    const char *const *loops;
    uint32_t count;
    const char *missing; /* a loop that some access does not stand in */
    struct fw_span where;
};

static void see_access(void *user, const struct fw_loop_statement *statement,
                       const struct fw_loop_expression *access, bool store,
                       const fw_loop_names *loops)
{
    struct privatizing *privatizing = user;
    (void)store;
    if (access->name != privatizing->array)
        return;
    for (uint32_t i = 0; i < privatizing->count; i++)
        if (!fw_loop_has(loops->at, (uint32_t)loops->count, privatizing->loops[i])) {
            privatizing->missing = privatizing->loops[i];
            privatizing->where = statement->span;
        }
}

/* A copy of the tree in which the array's accesses have the loops as first subscripts. */
static struct fw_loop_expression *subscripted(const struct privatizing *privatizing,
                                              struct fw_loop_expression *expression)
{
    struct fw_arena *arena = privatizing->program->arena;
    struct fw_loop_expression *copy = fw_arena_copy(arena, expression, sizeof(*expression));
    bool found = expression->kind == FW_LOOP_ACCESS && expression->name == privatizing->array;
    uint32_t more = found ? privatizing->count : 0;
    copy->operands = FW_ARRAY(arena, struct fw_loop_expression *, expression->operand_count + more);
    copy->operand_count = expression->operand_count + more;
    for (uint32_t i = 0; i < more; i++)
        copy->operands[i] = fw_loop_name(privatizing->program, privatizing->loops[i]);
    for (uint32_t i = 0; i < expression->operand_count; i++)
        copy->operands[more + i] = subscripted(privatizing, expression->operands[i]);
    if (found && copy->depth < 2)
        copy->depth = 2;
    return copy;
}

static enum fw_status check_private(struct privatizing *privatizing,
                                    const struct fw_loop_array *array, struct fw_span span)
{
    struct fw_loop_program *program = privatizing->program;
    if (!array || !array->temporary || fw_loop_space(program, array) != FW_SPACE_REG)
        return fw_loop_refuse(program, "LOOP076", span,
                              "only a thread's own temporary can be "
                              "made private to loops");
    if (array->rank + privatizing->count > FW_LOOP_RANK_MOST || array->extents)
        return fw_loop_refuse(program, "LOOP012", span,
                              "'%s' has stated extents, or would have more than %d subscripts",
                              array->name, FW_LOOP_RANK_MOST);
    for (uint32_t i = 0; i < privatizing->count; i++)
        if (!fw_loop_variable(program, privatizing->loops[i]))
            return fw_loop_refuse(program, "LOOP013", span, "'%s' is no loop name of a domain",
                                  privatizing->loops[i]);
    for (size_t i = 0; i < program->statements.count; i++)
        fw_loop_each_access(program, &program->statements.at[i], see_access, privatizing);
    if (privatizing->missing)
        return fw_loop_refuse(program, "LOOP076", privatizing->where,
                              "'%s' is used here outside of the loop '%s': its value goes from "
                              "one iteration to another",
                              array->name, privatizing->missing);
    return FW_OK;
}

enum fw_status fw_loop_privatize(struct fw_loop_program *program, const char *array,
                                 const char *const *loops, uint32_t count, struct fw_span span)
{
    const char **names = FW_ARRAY(program->arena, const char *, count + 1);
    for (uint32_t i = 0; i < count; i++)
        names[i] = fw_loop_intern(program, loops[i], strlen(loops[i]));
    struct fw_loop_array *found = fw_loop_find_array(program, array);
    struct privatizing privatizing = {
        .program = program, .array = found ? found->name : NULL, .loops = names, .count = count};
    enum fw_status status = check_private(&privatizing, found, span);
    if (status != FW_OK)
        return status;
    found->space = FW_SPACE_REG;
    found->rank += count;
    for (size_t i = 0; i < program->statements.count; i++) {
        struct fw_loop_statement *statement = &program->statements.at[i];
        statement->target = subscripted(&privatizing, statement->target);
        statement->target->kind = FW_LOOP_ACCESS;
        statement->value = subscripted(&privatizing, statement->value);
        for (uint32_t j = 0; j < statement->condition_count; j++)
            statement->conditions[j] = subscripted(&privatizing, statement->conditions[j]);
    }
    return fw_loop_finish(program);
}

/* ---- order of dimensions ---- */

enum fw_status fw_loop_set_axes(struct fw_loop_program *program, const char *array,
                                const uint32_t *axes, uint32_t count, struct fw_span span)
{
    struct fw_loop_array *found = fw_loop_find_array(program, array);
    uint32_t seen = 0;
    if (!found)
        return fw_loop_refuse(program, "LOOP077", span, "there is no array '%s'", array);
    for (uint32_t i = 0; i < count; i++)
        if (axes[i] < found->rank)
            seen |= (uint32_t)1 << axes[i];
    if (count != found->rank || seen != ((uint32_t)1 << found->rank) - 1)
        return fw_loop_refuse(program, "LOOP077", span,
                              "the %u dimensions of '%s' must stand here, each once, from 0 on",
                              found->rank, array);
    found->axes = fw_arena_copy(program->arena, axes, count * sizeof(*axes));
    return FW_OK;
}
