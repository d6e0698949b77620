/* isl's expressions as text of the target language. */
#include "emit_internal.h"
#include "set_text.h"

#include <inttypes.h>
#include <string.h>

void emit_open(struct fw_buffer *buffer, bool needed)
{
    if (needed)
        fw_buffer_printf(buffer, "(");
}

void emit_close(struct fw_buffer *buffer, bool needed)
{
    if (needed)
        fw_buffer_printf(buffer, ")");
}

static const struct {
    const char *text;
    unsigned precedence;
} ast_operators[FW_AST_KIND_COUNT] = {
    [FW_AST_AND] = {" && ", AND},
    [FW_AST_OR] = {" || ", OR},
    [FW_AST_ADD] = {" + ", SUM},
    [FW_AST_SUBTRACT] = {" - ", SUM},
    [FW_AST_MULTIPLY] = {"*", PRODUCT},
    [FW_AST_DIVIDE_EXACT] = {"/", PRODUCT},
    [FW_AST_DIVIDE] = {"/", PRODUCT},
    [FW_AST_REMAINDER] = {" % ", PRODUCT},
    [FW_AST_REMAINDER_TO_ZERO] = {" % ", PRODUCT},
    [FW_AST_EQUAL] = {" == ", EQUALITY},
    [FW_AST_LESS_EQUAL] = {" <= ", ORDER},
    [FW_AST_LESS] = {" < ", ORDER},
    [FW_AST_GREATER_EQUAL] = {" >= ", ORDER},
    [FW_AST_GREATER] = {" > ", ORDER},
};

static void add_call(struct emitter *emitter, struct fw_buffer *buffer, const char *name,
                     const struct fw_ast_expression *expression, uint32_t from)
{
    fw_buffer_printf(buffer, "%s(", name);
    emit_ast(emitter, buffer, expression->operands[from], CHOICE);
    fw_buffer_printf(buffer, ", ");
    if (from + 2 < expression->operand_count)
        add_call(emitter, buffer, name, expression, from + 1);
    else
        emit_ast(emitter, buffer, expression->operands[from + 1], CHOICE);
    fw_buffer_printf(buffer, ")");
}

/* A sum of parameters and axes as isl's text; false when it is something else. */
static bool add_sum(const struct emitter *emitter, struct fw_buffer *buffer,
                    const struct fw_ast_expression *expression)
{
    static const char *const between[FW_AST_KIND_COUNT] = {
        [FW_AST_ADD] = " + ", [FW_AST_SUBTRACT] = " - ", [FW_AST_MULTIPLY] = "*"};
    if (expression->kind == FW_AST_INTEGER) {
        fw_buffer_printf(buffer, "(%" PRId64 ")", expression->value);
        return true;
    }
    if (expression->kind == FW_AST_NAME) {
        bool known = false;
        for (size_t i = 0; i < emitter->program->parameters.count; i++)
            known |= strcmp(emitter->program->parameters.at[i], expression->name) == 0;
        for (size_t i = 0; emitter->target != FW_EMIT_C && i < emitter->axes.count; i++)
            known |= strcmp(emitter->axes.at[i].loop, expression->name) == 0;
        fw_buffer_printf(buffer, "%s", expression->name);
        return known;
    }
    if (expression->kind == FW_AST_NEGATE) {
        fw_buffer_printf(buffer, "(0 - ");
        bool known = add_sum(emitter, buffer, expression->operands[0]);
        fw_buffer_printf(buffer, ")");
        return known;
    }
    if (!between[expression->kind] || expression->operand_count != 2)
        return false;
    fw_buffer_printf(buffer, "(");
    if (!add_sum(emitter, buffer, expression->operands[0]))
        return false;
    fw_buffer_printf(buffer, "%s", between[expression->kind]);
    if (!add_sum(emitter, buffer, expression->operands[1]))
        return false;
    fw_buffer_printf(buffer, ")");
    return true;
}

/* Whether the sum is never negative: then C's division does. */
static bool is_natural_sum(struct emitter *emitter, const struct fw_ast_expression *expression)
{
    struct fw_buffer sum = fw_buffer_new(emitter->arena);
    bool empty = false;
    if (!emitter->context || !add_sum(emitter, &sum, expression))
        return false;
    const char *brace = strrchr(emitter->context, '}');
    char *set = fw_arena_printf(emitter->arena, "%.*s and %s < 0 }",
                                (int)(brace - emitter->context), emitter->context, sum.text);
    return fw_loop_empty(&empty, emitter->program, set) == FW_OK && empty;
}

static void add_ast_name(struct emitter *emitter, struct fw_buffer *buffer, const char *name)
{
    for (size_t i = emitter->axes.count; i-- > 0;)
        if (strcmp(emitter->axes.at[i].loop, name) == 0) {
            const struct binding *axis = &emitter->axes.at[i];
            fw_buffer_printf(buffer, "%s", axis->value->name);
            return;
        }
    fw_buffer_printf(buffer, "%s", emit_name(emitter, name));
}

void emit_ast(struct emitter *emitter, struct fw_buffer *buffer,
              const struct fw_ast_expression *expression, unsigned least)
{
    enum fw_ast_kind kind = expression->kind;
    if (kind == FW_AST_INTEGER) {
        bool wrap = expression->value < 0 && least > SUM;
        emit_open(buffer, wrap);
        fw_buffer_printf(buffer, "%" PRId64, expression->value);
        emit_close(buffer, wrap);
    } else if (kind == FW_AST_NAME) {
        add_ast_name(emitter, buffer, expression->name);
    } else if (kind == FW_AST_MINIMUM || kind == FW_AST_MAXIMUM) {
        bool least_of = kind == FW_AST_MINIMUM;
        const char *name = emitter->target == FW_EMIT_C
                               ? emit_helper(emitter, least_of ? HELPER_MIN_S32 : HELPER_MAX_S32)
                           : least_of ? "min"
                                      : "max";
        add_call(emitter, buffer, name, expression, 0);
    } else if (kind == FW_AST_DIVIDE_FLOOR && expression->operands[1]->kind == FW_AST_INTEGER &&
               is_natural_sum(emitter, expression->operands[0])) {
        emit_open(buffer, least > PRODUCT);
        emit_ast(emitter, buffer, expression->operands[0], PRODUCT);
        fw_buffer_printf(buffer, "/%" PRId64, expression->operands[1]->value);
        emit_close(buffer, least > PRODUCT);
    } else if (kind == FW_AST_DIVIDE_FLOOR) {
        add_call(emitter, buffer, emit_helper(emitter, HELPER_FLOOR_DIV_S32), expression, 0);
    } else if (kind == FW_AST_NEGATE) {
        emit_open(buffer, least > SUM);
        fw_buffer_printf(buffer, "-");
        emit_ast(emitter, buffer, expression->operands[0], POSTFIX);
        emit_close(buffer, least > SUM);
    } else if (kind == FW_AST_SELECT) {
        fw_buffer_printf(buffer, "(");
        emit_ast(emitter, buffer, expression->operands[0], OR);
        fw_buffer_printf(buffer, " ? ");
        emit_ast(emitter, buffer, expression->operands[1], OR);
        fw_buffer_printf(buffer, " : ");
        emit_ast(emitter, buffer, expression->operands[2], OR);
        fw_buffer_printf(buffer, ")");
    } else {
        unsigned precedence = ast_operators[kind].precedence;
        /* && inside of || is put into brackets for the reader, and for gcc. */
        bool wrap = precedence < least || (precedence == AND && least == OR);
        emit_open(buffer, wrap);
        for (uint32_t i = 0; i < expression->operand_count; i++) {
            if (i)
                fw_buffer_printf(buffer, "%s", ast_operators[kind].text);
            emit_ast(emitter, buffer, expression->operands[i], precedence + (i > 0));
        }
        emit_close(buffer, wrap);
    }
}
