/* The range of a number that a loop carries: that of the entry, and those that ways around the loop
 * bring, whichever the loop had before (`at = min(next[at], rows)`).
 *
 * Takes the SSA form and the ranges of what the ways bring, asked while the header's own is in
 * progress and so not known: what bounds them then bounds them in each iteration.  A way that
 * brings the header's own value adds none.  Never finds the range of what only its distance from
 * the entry bounds, as a counter's. */
#include "record_carried.h"

#include "record_parting.h"

enum { MOST_BROUGHT = 32, WIDEST_BITS = 26 };

static bool both(const struct record_range *range)
{
    return range->low != FW_NO_EXPRESSION && range->high != FW_NO_EXPRESSION;
}

/* What ways around a loop bring to its header. */
struct carried {
    struct builder *b;
    struct record_range range;
    uint32_t seen[MOST_BROUGHT], count;
    unsigned depth;
    bool any, failed;
};

static void bring(struct carried *carried, uint32_t value, uint32_t where);

/* Adds a range; one as wide as what shifts leave of a type bounds nothing. */
static void add_brought(struct carried *carried, const struct record_range *one)
{
    int64_t low, high;
    struct fw_pool *pool = carried->b->pool;
    carried->failed |= !both(one) || (fw_expression_constant(pool, one->low, &low) &&
                                      fw_expression_constant(pool, one->high, &high) &&
                                      high - low >= (int64_t)1 << WIDEST_BITS);
    carried->range = carried->any ? record_range_either(carried->b, &carried->range, one) : *one;
    carried->any = true;
}

/* Adds a number that is the same throughout the launch. */
static void add_known(struct carried *carried, fw_expression known)
{
    if (known != FW_NO_EXPRESSION && parting_is_fixed(carried->b, known))
        add_brought(carried, &(struct record_range){known, known, false, 0});
    else
        carried->failed = true;
}

static void bring_operand(struct carried *carried, const struct fw_instruction *at, uint32_t o)
{
    struct builder *b = carried->b;
    const struct fw_operand *operand = &at->operands[at->destinations + o];
    const uint32_t where = b->block_of[at - b->function->instructions];
    if (operand->kind == FW_OPERAND_REGISTER && !operand->negated) {
        bring(carried, operand->value, where);
        return;
    }
    const fw_expression known = record_operand(b, operand, (enum fw_type)at->types[0], where);
    add_known(carried, known);
}

/* What one value brings: what of it is joined or selected brings each. */
static void bring(struct carried *carried, uint32_t value, uint32_t where)
{
    struct builder *b = carried->b;
    for (uint32_t s = 0; s < carried->count; s++)
        if (carried->seen[s] == value)
            return;
    carried->failed |= value == FW_NO_INDEX || carried->count == MOST_BROUGHT;
    if (carried->failed)
        return;
    carried->seen[carried->count++] = value;
    const struct fw_value *origin = &b->function->values[value];
    if (origin->kind == FW_VALUE_PHI) {
        const struct fw_block *block = &b->function->blocks[origin->block];
        for (uint32_t p = 0; p < block->predecessor_count && !carried->failed; p++)
            bring(carried, block->phis[origin->definition].inputs[p], block->predecessors[p]);
        return;
    }
    const struct fw_instruction *at =
        origin->kind == FW_VALUE_INSTRUCTION ? record_at(b, origin->definition) : NULL;
    if (at && at->guard == FW_NO_INDEX && origin->slot == 0 && at->destinations == 1 &&
        (at->opcode == FW_OP_MOV || at->opcode == FW_OP_SELP)) {
        bring_operand(carried, at, 0);
        if (at->opcode == FW_OP_SELP)
            bring_operand(carried, at, 1);
        return;
    }
    const struct record_range one = record_range_at(b, value, carried->depth);
    if (both(&one))
        add_brought(carried, &one);
    else
        add_known(carried, record_value(b, value, where));
}

struct record_range record_carried_range(struct builder *b, uint32_t value, unsigned depth)
{
    const struct fw_value *origin = &b->function->values[value];
    const struct fw_block *header = &b->function->blocks[origin->block];
    const struct fw_phi *phi = &header->phis[origin->definition];
    struct carried carried = {.b = b, .depth = depth + 1};
    carried.seen[carried.count++] = value;
    for (uint32_t p = 0; p < header->predecessor_count && !carried.failed; p++)
        bring(&carried, phi->inputs[p], header->predecessors[p]);
    if (carried.failed || !both(&carried.range))
        return (struct record_range){FW_NO_EXPRESSION, FW_NO_EXPRESSION, false, 1};
    return carried.range;
}
