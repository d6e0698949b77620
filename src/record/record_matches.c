/* Values that a match may meet: what the bits of its operand leave, followed through few
 * operations. */
#include "record_internal.h"

enum { DEPTH = 8, MOST_VALUES = 1 << 16 /* more are as many as there are lanes */ };

static double values_of(const struct builder *b, const struct fw_operand *operand, unsigned depth);

static bool is_literal(const struct fw_operand *operand)
{
    return operand->kind == FW_OPERAND_INTEGER;
}

/* Of what so many bits hold; 0: more than it matters. */
static double values_of_bits(unsigned bits)
{
    return bits < 17 ? (double)(1u << bits) : 0;
}

/* The lesser of two numbers, of which 0 is not known. */
static double lesser(double a, double b)
{
    return a > 0 && (a < b || !(b > 0)) ? a : b;
}

/* Values of an instruction's result. */
static double values_made(const struct builder *b, const struct fw_instruction *at, unsigned depth)
{
    const struct fw_operand *first = &at->operands[1], *second = &at->operands[2];
    const unsigned bits = fw_type_bits((enum fw_type)at->types[0]);
    double one = 0, two = 0;
    switch (at->opcode) {
    case FW_OP_MOV:
        return values_of(b, first, depth);
    case FW_OP_CVT:
        return lesser(values_of_bits(fw_type_bits((enum fw_type)at->types[1])),
                      values_of(b, first, depth));
    case FW_OP_LD:
        return at->vector > 1 ? 0 : values_of_bits(bits);
    case FW_OP_AND:
        if (is_literal(second))
            one = values_of_bits((unsigned)__builtin_popcountll((uint64_t)second->immediate));
        return lesser(one, values_of(b, first, depth));
    case FW_OP_SHR:
        if (is_literal(second) && second->immediate >= 0 && second->immediate < (int64_t)bits)
            one = values_of_bits(bits - (unsigned)second->immediate);
        return lesser(one, values_of(b, first, depth));
    case FW_OP_REM:
        return is_literal(second) && second->immediate > 0 && second->immediate <= MOST_VALUES
                   ? (double)second->immediate
                   : 0;
    case FW_OP_ADD:
    case FW_OP_SUB:
    case FW_OP_SHL:
    case FW_OP_XOR:
    case FW_OP_OR:
    case FW_OP_MIN:
    case FW_OP_MAX:
        return is_literal(second) ? values_of(b, first, depth) : 0;
    case FW_OP_SELP:
        one = values_of(b, first, depth);
        two = values_of(b, second, depth);
        return one > 0 && two > 0 ? one + two : 0;
    default:
        return 0;
    }
}

/* Values of an operand; 0: not known. */
static double values_of(const struct builder *b, const struct fw_operand *operand, unsigned depth)
{
    if (is_literal(operand))
        return 1;
    if (operand->kind != FW_OPERAND_REGISTER || operand->value == FW_NO_INDEX || depth == 0)
        return 0;
    const struct fw_value *value = &b->function->values[operand->value];
    if (value->kind != FW_VALUE_INSTRUCTION)
        return 0;
    const struct fw_instruction *at = &b->function->instructions[value->definition];
    if (at->guard != FW_NO_INDEX || at->destinations != 1 || at->operand_count < 2)
        return 0;
    return values_made(b, at, depth - 1);
}

uint32_t record_matched(const struct builder *b, const struct fw_instruction *at,
                        const uint8_t *level)
{
    if (at->opcode != FW_OP_MATCH || at->operand_count < 2)
        return 0;
    const struct fw_operand *of = &at->operands[1];
    const bool shared = level && of->kind == FW_OPERAND_REGISTER && of->value != FW_NO_INDEX &&
                        level[of->value] <= FW_UNIFORM_WARP;
    return shared || fw_instruction_has(at, "all") ? 1 : (uint32_t)values_of(b, of, DEPTH);
}
