/* Parts of addresses that lie near a thread's own place: displacements, with the limits and the
 * ways around a ring that are put on the sum.
 *
 * Takes the SSA form and what record_displaced.c says of a rounded sum.  The place of the thread's
 * own goes to the rest of the address, the displacement is a part.  Limits, remainders and what
 * brings a place in again at the other end concern few places, and are left out. */
#include "record_parting.h"

/* Parts an operand by itself; false: it does not lie where data move it to from a place of the
 * thread's own. */
static bool part_apart(struct parting *inner, const struct parting *parting,
                       const struct fw_operand *operand, enum fw_type type, fw_expression times,
                       uint32_t where, unsigned depth)
{
    *inner = (struct parting){.b = parting->b, .where = parting->where};
    parting_operand(inner, operand, type, times, where, depth);
    bool displaced = !inner->failed && inner->count > 0;
    for (uint32_t p = 0; p < inner->count; p++)
        displaced &= inner->parts[p].displaced;
    return displaced;
}

/* The instruction that gives an operand; NULL: there is none, or it has a guard. */
static const struct fw_instruction *given_by(struct builder *b, const struct fw_operand *operand)
{
    const struct fw_value *origin =
        operand->kind == FW_OPERAND_REGISTER && !operand->negated && operand->value != FW_NO_INDEX
            ? &b->function->values[operand->value]
            : NULL;
    if (!origin || origin->kind != FW_VALUE_INSTRUCTION)
        return NULL;
    const struct fw_instruction *at = record_at(b, origin->definition);
    return at->guard == FW_NO_INDEX ? at : NULL;
}

/* Whether an instruction asks on which side of a limit a place lies that data move from a thread's
 * own: by a comparison, or by its sign. */
static bool asks_place(struct parting *parting, const struct fw_instruction *at, unsigned depth)
{
    struct builder *b = parting->b;
    struct parting inner;
    const bool compares = at && at->opcode == FW_OP_SETP && at->mode == FW_MODE_NONE;
    if (!compares && (!at || at->opcode != FW_OP_SHR))
        return false;
    const struct fw_operand *in = &at->operands[at->destinations];
    const uint32_t where = b->block_of[at - b->function->instructions];
    fw_expression limit = record_operand(b, &in[1], (enum fw_type)at->types[0], where);
    int64_t by;
    if (limit == FW_NO_EXPRESSION || !parting_is_fixed(b, limit) ||
        (!compares &&
         (fw_type_class(at->types[0]) != 's' || !fw_expression_constant(b->pool, limit, &by) ||
          by != fw_type_bits(at->types[0]) - 1)))
        return false;
    return part_apart(&inner, parting, &in[0], (enum fw_type)at->types[0], fw_constant(b->pool, 1),
                      where, depth + 1);
}

bool parting_around(struct parting *parting, const struct fw_instruction *at, unsigned depth)
{
    struct builder *b = parting->b;
    const struct fw_operand *in = &at->operands[at->destinations];
    const uint32_t where = b->block_of[at - b->function->instructions];
    const bool selects = at->opcode == FW_OP_SELP;
    fw_expression ways[2];
    int64_t none;
    for (uint32_t o = 0; o < 2; o++)
        ways[o] = record_operand(b, &in[o], (enum fw_type)at->types[0], where);
    for (uint32_t o = 0; o < 2; o++) {
        const fw_expression other = ways[1 - o];
        if (other == FW_NO_EXPRESSION || !parting_is_fixed(b, other))
            continue;
        if (selects && ways[o] != FW_NO_EXPRESSION &&
            fw_expression_constant(b->pool, ways[o], &none) && none == 0 &&
            asks_place(parting, given_by(b, &in[2]), depth))
            return true;
        if (!selects && asks_place(parting, given_by(b, &in[o]), depth))
            return true;
    }
    return false;
}

bool parting_selected(struct parting *parting, const struct fw_instruction *at, fw_expression times,
                      unsigned depth)
{
    struct builder *b = parting->b;
    const struct fw_operand *in = &at->operands[at->destinations];
    uint32_t where = b->block_of[at - b->function->instructions];
    struct parting inner[2];
    bool moved[2];
    for (uint32_t o = 0; o < 2; o++) {
        moved[o] =
            part_apart(&inner[o], parting, &in[o], (enum fw_type)at->types[0], times, where, depth);
        if (inner[o].failed || (!moved[o] && inner[o].count))
            return false;
    }
    if (!moved[0] && !moved[1])
        return false;
    if (moved[0] && moved[1] &&
        (inner[0].count != 1 || inner[1].count != 1 ||
         inner[0].parts[0].value != inner[1].parts[0].value ||
         !parting_is_fixed(b, fw_subtract(b->pool, inner[0].rest, inner[1].rest))))
        return false;
    if (moved[0] != moved[1] && !parting_is_fixed(b, inner[moved[0]].rest))
        return false;
    parting_join(parting, &inner[moved[0] ? 0 : 1]);
    return true;
}

bool parting_displaced(struct parting *parting, uint32_t instruction, fw_expression times)
{
    struct builder *b = parting->b;
    struct record_displaced displaced;
    const uint32_t value = record_at(b, instruction)->operands[0].value;
    if (!record_displaced(b, instruction, &displaced))
        return false;
    parting->rest = fw_add(b->pool, parting->rest, fw_multiply(b->pool, times, displaced.place));
    parting_add(parting, value, times);
    for (uint32_t p = 0; p < parting->count; p++) {
        struct fw_data_part *part = &parting->parts[p];
        if (part->value != value)
            continue;
        part->displaced = true;
        part->low = displaced.low;
        part->high = displaced.high;
        part->step = 1;
        part->usual_range = displaced.usual && displaced.low != FW_NO_EXPRESSION;
        part->choice_count = 0;
        part->steps = FW_NO_EXPRESSION;
    }
    return true;
}
