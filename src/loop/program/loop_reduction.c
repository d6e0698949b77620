/* Realizing reductions: an accumulator, its start, and the statement that adds to it. */
#include "loop_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a reduction starts with. */
static struct fw_loop_expression *neutral(struct fw_loop_program *program, const char *name,
                                          enum fw_type type)
{
    bool sum = strcmp(name, "sum") == 0, product = strcmp(name, "product") == 0;
    bool least = strcmp(name, "min") == 0;
    if (fw_type_class(type) == 'f')
        return fw_loop_real(program,
                            sum       ? 0.0
                            : product ? 1.0
                            : least   ? (double)INFINITY
                                      : -(double)INFINITY,
                            type);
    if (sum || product)
        return fw_loop_integer(program, product);
    unsigned bits = fw_type_bits(type);
    bool is_signed = fw_type_class(type) == 's';
    uint64_t greatest = UINT64_MAX >> (64 - bits + (is_signed ? 1 : 0));
    if (least)
        return fw_loop_integer(program, (int64_t)greatest);
    return fw_loop_integer(program, is_signed ? -(int64_t)greatest - 1 : 0);
}

static struct fw_loop_expression *accumulate(struct fw_loop_program *program,
                                             const struct fw_loop_expression *reduction,
                                             struct fw_loop_expression *accumulator)
{
    struct fw_loop_expression *pair[2] = {accumulator, reduction->operands[0]};
    const char *name = reduction->name;
    if (strcmp(name, "sum") == 0)
        return fw_loop_operation(program, FW_LOOP_ADD, NULL, pair, 2, reduction->span);
    if (strcmp(name, "product") == 0)
        return fw_loop_operation(program, FW_LOOP_MULTIPLY, NULL, pair, 2, reduction->span);
    return fw_loop_operation(program, FW_LOOP_CALL, name, pair, 2, reduction->span);
}

/* A copy of the tree with one node replaced. */
static struct fw_loop_expression *replace_node(struct fw_loop_program *program,
                                               struct fw_loop_expression *expression,
                                               const struct fw_loop_expression *old,
                                               struct fw_loop_expression *with)
{
    if (expression == old)
        return with;
    struct fw_loop_expression *copy = expression;
    for (uint32_t i = 0; i < expression->operand_count; i++) {
        struct fw_loop_expression *operand =
            replace_node(program, expression->operands[i], old, with);
        if (operand == expression->operands[i])
            continue;
        if (copy == expression) {
            copy = fw_arena_copy(program->arena, expression, sizeof(*expression));
            copy->operands = fw_arena_copy(program->arena, expression->operands,
                                           expression->operand_count * sizeof(*copy->operands));
        }
        copy->operands[i] = operand;
    }
    return copy;
}

static const char **one_more(struct fw_arena *arena, const char *const *names, uint32_t count,
                             const char *name)
{
    const char **list = FW_ARRAY(arena, const char *, count + 1);
    for (uint32_t i = 0; i < count; i++)
        list[i] = names[i];
    list[count] = name;
    return list;
}

static const char *accumulator_name(struct fw_loop_program *program,
                                    const struct fw_loop_expression *reduction)
{
    struct fw_buffer buffer = fw_buffer_new(program->arena);
    fw_buffer_printf(&buffer, "acc");
    for (uint32_t i = 0; i < reduction->loop_count && i < 4; i++)
        fw_buffer_printf(&buffer, "_%s", reduction->loops[i]);
    return fw_loop_new_name(program, buffer.text);
}

/* The reduction of statement `index` as two statements before it. */
static enum fw_status realize_one(struct fw_loop_program *program, size_t index,
                                  const struct fw_loop_expression *reduction)
{
    const char *name = accumulator_name(program, reduction);
    struct fw_loop_array *array = fw_loop_add_array(program, name, reduction->span);
    if (!array)
        return FW_ERROR_INPUT;
    array->temporary = true;
    array->type = reduction->type;
    array->space = FW_SPACE_REG;
    array->ranked = true;
    const char *init = fw_loop_new_name(program, fw_arena_printf(program->arena, "%s_init", name));
    const char *update =
        fw_loop_new_name(program, fw_arena_printf(program->arena, "%s_update", name));

    fw_loop_insert_statement(program, index);
    fw_loop_insert_statement(program, index);
    struct fw_loop_statement *made = &program->statements.at[index];
    struct fw_loop_statement *whole = &program->statements.at[index + 2];
    whole->loops_given = true;
    made[0] = *whole;
    made[0].id = init;
    made[0].after = NULL; /* it reads nothing */
    made[0].after_count = 0;
    made[0].target = fw_loop_name(program, name);
    made[0].value = neutral(program, reduction->name, reduction->type);
    made[1] = *whole;
    made[1].id = update;
    made[1].target = fw_loop_name(program, name);
    made[1].value = accumulate(program, reduction, fw_loop_name(program, name));
    made[1].after = one_more(program->arena, whole->after, whole->after_count, init);
    made[1].after_count = whole->after_count + 1;
    fw_loop_names loops = {0};
    for (uint32_t i = 0; i < whole->loop_count; i++)
        fw_loop_names_add(program->arena, &loops, whole->loops[i]);
    for (uint32_t i = 0; i < reduction->loop_count; i++)
        fw_loop_names_add(program->arena, &loops, reduction->loops[i]);
    made[1].loops = loops.at;
    made[1].loop_count = (uint32_t)loops.count;
    whole->value = replace_node(program, whole->value, reduction, fw_loop_name(program, name));
    whole->after = one_more(program->arena, whole->after, whole->after_count, update);
    whole->after_count++;
    return made[1].value ? fw_loop_finish(program) : FW_ERROR_INPUT;
}

/* Reductions are where their statements can be split off. */
static enum fw_status check_places(const struct fw_loop_program *program,
                                   const struct fw_loop_statement *statement)
{
    bool found = fw_loop_find_reduction(statement->target) != NULL;
    for (uint32_t i = 0; i < statement->condition_count; i++)
        found = found || fw_loop_find_reduction(statement->conditions[i]);
    if (!found)
        return FW_OK;
    return fw_loop_refuse(program, "LOOP050", statement->span,
                          "a reduction in a subscript of what is assigned to, or in a condition, "
                          "cannot be done apart: assign it to a temporary first");
}

enum fw_status fw_loop_realize(struct fw_loop_program *program, struct fw_loop_selector selector,
                               struct fw_span span)
{
    enum { REDUCTIONS_MOST = 200 };
    unsigned done = 0;
    enum fw_status status = FW_OK;
    for (size_t i = 0; status == FW_OK && i < program->statements.count; i++) {
        if (!fw_loop_selects(&selector, &program->statements.at[i]))
            continue;
        status = check_places(program, &program->statements.at[i]);
        struct fw_loop_expression *reduction =
            fw_loop_find_reduction(program->statements.at[i].value);
        if (status != FW_OK || !reduction)
            continue;
        if (++done > REDUCTIONS_MOST)
            return fw_loop_refuse(program, "LOOP051", span, "there are more than %d reductions",
                                  REDUCTIONS_MOST);
        status = realize_one(program, i, reduction);
        i--; /* again from here: there may be more, and inner ones in the update */
    }
    return status;
}
