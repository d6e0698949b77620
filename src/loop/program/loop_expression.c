/* Expressions: the builder's constructors, and what can be asked of a tree. */
#include "loop_internal.h"

#include <inttypes.h>
#include <string.h>

static struct fw_loop_expression *expression_new(struct fw_loop_program *program,
                                                 enum fw_loop_kind kind,
                                                 struct fw_loop_expression *const *operands,
                                                 uint32_t count, struct fw_span span)
{
    uint32_t depth = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!operands[i])
            return NULL;
        if (operands[i]->depth > depth)
            depth = operands[i]->depth;
    }
    if (depth >= FW_LOOP_DEPTH_MOST) {
        fw_loop_refuse(program, "LOOP010", span, "the expression is nested too deeply");
        return NULL;
    }
    struct fw_loop_expression *expression = FW_NEW(program->arena, struct fw_loop_expression);
    expression->kind = kind;
    expression->depth = depth + 1;
    expression->operands = fw_arena_copy(program->arena, operands, count * sizeof(*operands));
    expression->operand_count = count;
    expression->span = span;
    return expression;
}

struct fw_loop_expression *fw_loop_integer(struct fw_loop_program *program, int64_t value)
{
    struct fw_span nowhere = {0};
    struct fw_loop_expression *expression =
        expression_new(program, FW_LOOP_INTEGER, NULL, 0, nowhere);
    expression->integer = value;
    return expression;
}

struct fw_loop_expression *fw_loop_real(struct fw_loop_program *program, double value,
                                        enum fw_type type)
{
    struct fw_span nowhere = {0};
    struct fw_loop_expression *expression = expression_new(program, FW_LOOP_REAL, NULL, 0, nowhere);
    expression->real = value;
    expression->type = type;
    return expression;
}

struct fw_loop_expression *fw_loop_access(struct fw_loop_program *program, const char *name,
                                          const char *tag,
                                          struct fw_loop_expression *const *subscripts,
                                          uint32_t count, struct fw_span span)
{
    enum fw_loop_kind kind = count ? FW_LOOP_ACCESS : FW_LOOP_NAME;
    struct fw_loop_expression *expression = expression_new(program, kind, subscripts, count, span);
    if (!expression)
        return NULL;
    expression->name = fw_loop_intern(program, name, strlen(name));
    expression->tag = tag ? fw_loop_intern(program, tag, strlen(tag)) : NULL;
    return expression;
}

struct fw_loop_expression *fw_loop_operation(struct fw_loop_program *program,
                                             enum fw_loop_kind kind, const char *name,
                                             struct fw_loop_expression *const *operands,
                                             uint32_t count, struct fw_span span)
{
    struct fw_loop_expression *expression = expression_new(program, kind, operands, count, span);
    if (expression && name)
        expression->name = fw_loop_intern(program, name, strlen(name));
    return expression;
}

struct fw_loop_expression *fw_loop_reduce(struct fw_loop_program *program, const char *name,
                                          const char *const *loops, uint32_t count,
                                          struct fw_loop_expression *operand, struct fw_span span)
{
    struct fw_loop_expression *expression =
        expression_new(program, FW_LOOP_REDUCE, &operand, 1, span);
    if (!expression)
        return NULL;
    expression->name = fw_loop_intern(program, name, strlen(name));
    expression->loops = FW_ARRAY(program->arena, const char *, count);
    for (uint32_t i = 0; i < count; i++)
        expression->loops[i] = fw_loop_intern(program, loops[i], strlen(loops[i]));
    expression->loop_count = count;
    return expression;
}

void fw_loop_mentioned(const struct fw_loop_program *program, fw_loop_names *names,
                       const struct fw_loop_expression *expression)
{
    fw_loop_names inner = {0};
    if (expression->kind == FW_LOOP_NAME) {
        if (fw_loop_variable(program, expression->name) ||
            fw_loop_is_parameter(program, expression->name))
            fw_loop_names_add(program->arena, names, expression->name);
        return;
    }
    for (uint32_t i = 0; i < expression->operand_count; i++)
        fw_loop_mentioned(program, expression->kind == FW_LOOP_REDUCE ? &inner : names,
                          expression->operands[i]);
    for (size_t i = 0; i < inner.count; i++)
        if (!fw_loop_has(expression->loops, expression->loop_count, inner.at[i]))
            fw_loop_names_add(program->arena, names, inner.at[i]);
}

/* An integer, or the negative of one. */
static bool is_integer(const struct fw_loop_expression *expression)
{
    return expression->kind == FW_LOOP_INTEGER ||
           (expression->kind == FW_LOOP_NEGATE && is_integer(expression->operands[0]));
}

static bool affine_operands(const struct fw_loop_program *program, struct fw_buffer *buffer,
                            const struct fw_loop_expression *expression, const char *between,
                            bool (*one)(const struct fw_loop_program *, struct fw_buffer *,
                                        const struct fw_loop_expression *))
{
    fw_buffer_printf(buffer, "(");
    if (!one(program, buffer, expression->operands[0]))
        return false;
    fw_buffer_printf(buffer, "%s", between);
    if (!one(program, buffer, expression->operands[1]))
        return false;
    fw_buffer_printf(buffer, ")");
    return true;
}

/* x // c and x % c, c a positive integer. */
static bool affine_quotient(const struct fw_loop_program *program, struct fw_buffer *buffer,
                            const struct fw_loop_expression *expression)
{
    const struct fw_loop_expression *divisor = expression->operands[1];
    if (divisor->kind != FW_LOOP_INTEGER || divisor->integer <= 0)
        return false;
    fw_buffer_printf(buffer, expression->kind == FW_LOOP_FLOOR ? "(floor((" : "((");
    if (!fw_loop_affine(program, buffer, expression->operands[0]))
        return false;
    fw_buffer_printf(buffer,
                     expression->kind == FW_LOOP_FLOOR ? ")/%" PRId64 "))" : ") mod %" PRId64 ")",
                     divisor->integer);
    return true;
}

bool fw_loop_affine(const struct fw_loop_program *program, struct fw_buffer *buffer,
                    const struct fw_loop_expression *expression)
{
    static const char *const between[FW_LOOP_KIND_COUNT] = {
        [FW_LOOP_ADD] = " + ", [FW_LOOP_SUBTRACT] = " - ", [FW_LOOP_MULTIPLY] = "*"};
    switch (expression->kind) {
    case FW_LOOP_INTEGER:
        fw_buffer_printf(buffer, expression->integer < 0 ? "(%" PRId64 ")" : "%" PRId64,
                         expression->integer);
        return true;
    case FW_LOOP_NAME:
        fw_buffer_printf(buffer, "%s", expression->name);
        return fw_loop_variable(program, expression->name) ||
               fw_loop_is_parameter(program, expression->name);
    case FW_LOOP_NEGATE: {
        fw_buffer_printf(buffer, "(-");
        bool done = fw_loop_affine(program, buffer, expression->operands[0]);
        fw_buffer_printf(buffer, ")");
        return done;
    }
    case FW_LOOP_FLOOR:
    case FW_LOOP_MODULO:
        return affine_quotient(program, buffer, expression);
    case FW_LOOP_MULTIPLY:
        if (!is_integer(expression->operands[0]) && !is_integer(expression->operands[1]))
            return false;
        break;
    default:
        break;
    }
    return between[expression->kind] &&
           affine_operands(program, buffer, expression, between[expression->kind], fw_loop_affine);
}

bool fw_loop_affine_condition(const struct fw_loop_program *program, struct fw_buffer *buffer,
                              const struct fw_loop_expression *expression)
{
    static const char *const compares[FW_LOOP_KIND_COUNT] = {
        [FW_LOOP_LESS] = " < ",    [FW_LOOP_EQUAL] = " = ",    [FW_LOOP_LESS_EQUAL] = " <= ",
        [FW_LOOP_GREATER] = " > ", [FW_LOOP_UNEQUAL] = " != ", [FW_LOOP_GREATER_EQUAL] = " >= "};
    bool done;
    if (compares[expression->kind])
        return affine_operands(program, buffer, expression, compares[expression->kind],
                               fw_loop_affine);
    switch (expression->kind) {
    case FW_LOOP_OR:
    case FW_LOOP_AND:
        return affine_operands(program, buffer, expression,
                               expression->kind == FW_LOOP_OR ? " or " : " and ",
                               fw_loop_affine_condition);
    case FW_LOOP_NOT:
        fw_buffer_printf(buffer, "(not ");
        done = fw_loop_affine_condition(program, buffer, expression->operands[0]);
        fw_buffer_printf(buffer, ")");
        return done;
    default:
        fw_buffer_printf(buffer, "(");
        done = fw_loop_affine(program, buffer, expression);
        fw_buffer_printf(buffer, " != 0)");
        return done;
    }
}
