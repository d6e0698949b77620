/* Remainders of a division by a constant, as compilers write them: x - c * ((x * m) >> s), where m
 * is 2^s / c, rounded up.
 *
 * Takes the SSA form.  Says which c that is, of numbers without a sign; never follows more than the
 * product, the shift and a conversion. */
#include "record_internal.h"

static const struct fw_instruction *made_by(const struct builder *b,
                                            const struct fw_operand *operand)
{
    if (operand->kind != FW_OPERAND_REGISTER || operand->negated || operand->value == FW_NO_INDEX)
        return NULL;
    const struct fw_value *origin = &b->function->values[operand->value];
    if (origin->kind != FW_VALUE_INSTRUCTION)
        return NULL;
    const struct fw_instruction *at = record_at(b, origin->definition);
    return at->guard == FW_NO_INDEX && at->destinations == 1 && at->type_count > 0 ? at : NULL;
}

/* A constant operand of so many bits, without its sign; 0: it is none. */
static uint64_t constant_of(const struct fw_operand *operand, unsigned bits)
{
    const uint64_t all = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
    return operand->kind == FW_OPERAND_INTEGER ? (uint64_t)operand->immediate & all : 0;
}

/* The shift of the high half of a product with `multiplier`; false: it is no such product of x. */
static bool is_quotient(const struct builder *b, const struct fw_operand *quotient, uint32_t x,
                        uint64_t *multiplier, unsigned *shift)
{
    const struct fw_instruction *at = made_by(b, quotient);
    *shift = 0;
    while (at && at->opcode == FW_OP_CVT)
        at = made_by(b, &at->operands[1]);
    if (at && at->opcode == FW_OP_SHR) {
        *shift = (unsigned)constant_of(&at->operands[2], 6);
        at = made_by(b, &at->operands[1]);
    }
    if (!at || at->opcode != FW_OP_MUL || fw_type_class(at->types[0]) != 'u' ||
        at->operands[1].kind != FW_OPERAND_REGISTER || at->operands[1].value != x ||
        (at->mode != FW_MODE_HI && at->mode != FW_MODE_WIDE))
        return false;
    const unsigned bits = fw_type_bits(at->types[0]);
    *multiplier = constant_of(&at->operands[2], bits);
    *shift += at->mode == FW_MODE_HI ? bits : 0;
    return bits <= 32 && *multiplier > 0 && *shift >= bits && *shift < 63;
}

int64_t record_remainder(const struct builder *b, const struct fw_instruction *at)
{
    uint64_t multiplier;
    unsigned shift;
    if (at->opcode != FW_OP_SUB || at->operand_count != 3 ||
        at->operands[1].kind != FW_OPERAND_REGISTER)
        return 0;
    const struct fw_instruction *product = made_by(b, &at->operands[2]);
    if (!product || product->opcode != FW_OP_MUL || product->mode == FW_MODE_HI ||
        product->operand_count != 3)
        return 0;
    const uint64_t by = constant_of(&product->operands[2], fw_type_bits(product->types[0]));
    if (by < 2 || by > INT32_MAX ||
        !is_quotient(b, &product->operands[1], at->operands[1].value, &multiplier, &shift))
        return 0;
    return (((uint64_t)1 << shift) + by - 1) / by == multiplier ? (int64_t)by : 0;
}
