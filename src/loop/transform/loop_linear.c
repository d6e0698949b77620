/* Linear forms of loop expressions, there and back. */
#include "checked.h"
#include "loop_transform_internal.h"

#include <inttypes.h>

bool fw_loop_add_term(struct fw_loop_linear *linear, const char *name, int64_t factor)
{
    for (uint32_t i = 0; i < linear->count; i++)
        if (linear->names[i] == name)
            return !fw_add_overflows(linear->factors[i], factor, &linear->factors[i]);
    if (linear->count == FW_LOOP_TERMS_MOST)
        return false;
    linear->names[linear->count] = name;
    linear->factors[linear->count++] = factor;
    return true;
}

static bool integer_of(int64_t *value, const struct fw_loop_expression *expression)
{
    if (expression->kind == FW_LOOP_INTEGER) {
        *value = expression->integer;
        return *value > -((int64_t)1 << 40) && *value < (int64_t)1 << 40;
    }
    if (expression->kind != FW_LOOP_NEGATE || !integer_of(value, expression->operands[0]))
        return false;
    *value = -*value;
    return true;
}

bool fw_loop_add_linear(struct fw_loop_linear *linear, const struct fw_loop_expression *expression,
                        int64_t times)
{
    int64_t value;
    if (times > (int64_t)1 << 40 || times < -((int64_t)1 << 40))
        return false;
    if (integer_of(&value, expression))
        return !fw_multiply_overflows(value, times, &value) &&
               !fw_add_overflows(linear->constant, value, &linear->constant);
    switch (expression->kind) {
    case FW_LOOP_NAME:
        return fw_loop_add_term(linear, expression->name, times);
    case FW_LOOP_NEGATE:
        return fw_loop_add_linear(linear, expression->operands[0], -times);
    case FW_LOOP_ADD:
        return fw_loop_add_linear(linear, expression->operands[0], times) &&
               fw_loop_add_linear(linear, expression->operands[1], times);
    case FW_LOOP_SUBTRACT:
        return fw_loop_add_linear(linear, expression->operands[0], times) &&
               fw_loop_add_linear(linear, expression->operands[1], -times);
    case FW_LOOP_MULTIPLY:
        for (unsigned i = 0; i < 2; i++)
            if (integer_of(&value, expression->operands[i]))
                return !fw_multiply_overflows(value, times, &value) &&
                       fw_loop_add_linear(linear, expression->operands[1 - i], value);
        return false;
    default:
        return false;
    }
}

static struct fw_loop_expression *combine(struct fw_loop_program *program,
                                          struct fw_loop_expression *sum,
                                          struct fw_loop_expression *term, bool negative)
{
    struct fw_loop_expression *pair[2] = {sum, term};
    struct fw_span nowhere = {0};
    if (!sum)
        return negative ? fw_loop_operation(program, FW_LOOP_NEGATE, NULL, &term, 1, nowhere)
                        : term;
    return fw_loop_operation(program, negative ? FW_LOOP_SUBTRACT : FW_LOOP_ADD, NULL, pair, 2,
                             nowhere);
}

struct fw_loop_expression *fw_loop_of_linear(struct fw_loop_program *program,
                                             const struct fw_loop_linear *linear)
{
    struct fw_loop_expression *sum = NULL;
    struct fw_span nowhere = {0};
    for (unsigned negative = 0; negative < 2; negative++)
        for (uint32_t i = 0; i < linear->count; i++) {
            int64_t factor = linear->factors[i];
            if (!factor || (factor < 0) != (negative == 1))
                continue;
            struct fw_loop_expression *term = fw_loop_name(program, linear->names[i]);
            struct fw_loop_expression *pair[2] = {
                fw_loop_integer(program, factor < 0 ? -factor : factor), term};
            if (factor != 1 && factor != -1)
                term = fw_loop_operation(program, FW_LOOP_MULTIPLY, NULL, pair, 2, nowhere);
            sum = combine(program, sum, term, negative == 1);
        }
    if (!sum)
        return fw_loop_integer(program, linear->constant);
    if (linear->constant)
        sum = combine(
            program, sum,
            fw_loop_integer(program, linear->constant < 0 ? -linear->constant : linear->constant),
            linear->constant < 0);
    return sum;
}

void fw_loop_print_linear(struct fw_buffer *buffer, const struct fw_loop_linear *linear)
{
    fw_buffer_printf(buffer, "(%" PRId64, linear->constant);
    for (uint32_t i = 0; i < linear->count; i++)
        if (linear->factors[i])
            fw_buffer_printf(buffer, " %c %" PRId64 "*%s", linear->factors[i] < 0 ? '-' : '+',
                             linear->factors[i] < 0 ? -linear->factors[i] : linear->factors[i],
                             linear->names[i]);
    fw_buffer_printf(buffer, ")");
}
