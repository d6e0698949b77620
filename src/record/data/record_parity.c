/* Branches on a low bit of a number that is rounded from floating point: which quarter of a turn an
 * angle lies in, as sines and cosines ask.  Such a bit is set as often as not, and each lane has
 * its own, so that warps go both ways. */
#include "record_internal.h"

enum { MOST_MOVES = 8, HIGHEST = 2 }; /* the highest bit that is looked at: half a turn */

static const struct fw_instruction *made_by(const struct builder *b, const struct fw_operand *of)
{
    if (of->kind != FW_OPERAND_REGISTER || of->value == FW_NO_INDEX)
        return NULL;
    const struct fw_value *origin = &b->function->values[of->value];
    if (origin->kind != FW_VALUE_INSTRUCTION)
        return NULL;
    const struct fw_instruction *at = record_at(b, origin->definition);
    return at->guard == FW_NO_INDEX && at->destinations == 1 ? at : NULL;
}

/* Whether an integer is one that is rounded from floating point, but for a constant. */
static bool is_rounded(const struct builder *b, const struct fw_operand *of)
{
    for (unsigned moves = 0; moves < MOST_MOVES; moves++) {
        const struct fw_instruction *at = made_by(b, of);
        if (!at)
            return false;
        const bool sum = at->opcode == FW_OP_ADD || at->opcode == FW_OP_SUB;
        if (at->opcode == FW_OP_CVT && at->type_count > 1 &&
            fw_type_class((enum fw_type)at->types[1]) == 'f')
            return fw_type_class((enum fw_type)at->types[0]) != 'f';
        if (!sum && at->opcode != FW_OP_MOV && at->opcode != FW_OP_CVT)
            return false;
        if (sum && at->operands[2].kind != FW_OPERAND_INTEGER)
            return false;
        of = &at->operands[1];
    }
    return false;
}

/* The comparison that a predicate is, or the opposite of: compilers write `!= false` of it, too. */
static const struct fw_instruction *comparison_of(const struct builder *b,
                                                  const struct fw_operand *of)
{
    for (unsigned moves = 0; moves < MOST_MOVES; moves++) {
        const struct fw_instruction *at = made_by(b, of), *other = NULL;
        if (!at || at->opcode == FW_OP_SETP)
            return at;
        if (at->opcode == FW_OP_XOR)
            other = made_by(b, &at->operands[2]);
        if (at->opcode != FW_OP_NOT && at->opcode != FW_OP_MOV &&
            (!other || other->opcode != FW_OP_MOV || other->operands[1].kind != FW_OPERAND_INTEGER))
            return NULL;
        of = &at->operands[1];
    }
    return NULL;
}

bool record_parity(const struct builder *b, uint32_t instruction)
{
    const struct fw_instruction *branch = record_at(b, instruction);
    const struct fw_operand tested = {.kind = FW_OPERAND_REGISTER, .value = branch->guard_value};
    if (branch->opcode != FW_OP_BRA || branch->guard == FW_NO_INDEX)
        return false;
    const struct fw_instruction *compares = comparison_of(b, &tested);
    if (!compares || compares->operand_count != 3 ||
        (compares->compare != FW_CMP_EQ && compares->compare != FW_CMP_NE) ||
        compares->operands[2].kind != FW_OPERAND_INTEGER)
        return false;
    const struct fw_instruction *masks = made_by(b, &compares->operands[1]);
    if (!masks || masks->opcode != FW_OP_AND || masks->operands[2].kind != FW_OPERAND_INTEGER)
        return false;
    const int64_t bit = masks->operands[2].immediate, with = compares->operands[2].immediate;
    return bit > 0 && bit <= HIGHEST && (with == 0 || with == bit) &&
           is_rounded(b, &masks->operands[1]);
}
