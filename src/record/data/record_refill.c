/* Branches that refill: a loop uses up a number by amounts that data decide, and where too little
 * is left, adds a fixed one (`have -= length; if (have <= 32) have += 32`).
 *
 * Takes the SSA form and ranges of values.  In the long run as much is added as is used up: the
 * branch is taken in the share which the mean amount is of what it adds.  The mean of an amount is
 * the middle of its range.  Says nothing where the range is not known, or is more than is added. */
#include "record_internal.h"

static uint32_t value_of(const struct fw_operand *operand)
{
    return operand->kind == FW_OPERAND_REGISTER && !operand->negated ? operand->value : FW_NO_INDEX;
}

/* The sum or difference of integers that gives a value; NULL: none does. */
static const struct fw_instruction *sum_of(const struct builder *b, uint32_t value)
{
    const struct fw_value *origin = value == FW_NO_INDEX ? NULL : &b->function->values[value];
    if (!origin || origin->kind != FW_VALUE_INSTRUCTION)
        return NULL;
    const struct fw_instruction *at = record_at(b, origin->definition);
    const bool sum = (at->opcode == FW_OP_ADD || at->opcode == FW_OP_SUB) &&
                     at->guard == FW_NO_INDEX && at->operand_count == 3 && !at->slot &&
                     at->type_count > 0 && fw_type_class(at->types[0]) != 'f';
    return sum ? at : NULL;
}

/* What a sum adds to `value`, if it is fixed; 0: nothing fixed. */
static int64_t added_to(struct builder *b, uint32_t sum, uint32_t value)
{
    const struct fw_instruction *at = sum_of(b, sum);
    int64_t amount;
    if (!at || value_of(&at->operands[1]) != value)
        return 0;
    fw_expression added = record_operand(b, &at->operands[2], (enum fw_type)at->types[0],
                                         b->function->values[sum].block);
    if (added == FW_NO_EXPRESSION || !fw_expression_constant(b->pool, added, &amount) ||
        amount > INT32_MAX || amount < INT32_MIN)
        return 0;
    return at->opcode == FW_OP_ADD ? amount : -amount;
}

/* The mean of what a sum adds to a number that a loop carries and data decide; 0: not known. */
static double mean_added(struct builder *b, uint32_t sum)
{
    const struct fw_instruction *at = sum_of(b, sum);
    int64_t low, high;
    if (!at)
        return 0;
    for (uint32_t o = 0; o < (at->opcode == FW_OP_ADD ? 2u : 1u); o++) {
        const uint32_t carried = value_of(&at->operands[1 + o]);
        const uint32_t amount = value_of(&at->operands[2 - o]);
        if (carried == FW_NO_INDEX || amount == FW_NO_INDEX ||
            b->function->values[carried].kind != FW_VALUE_PHI)
            continue;
        const struct record_range range = record_range(b, amount);
        if (range.low == FW_NO_EXPRESSION || range.high == FW_NO_EXPRESSION ||
            !fw_expression_constant(b->pool, range.low, &low) ||
            !fw_expression_constant(b->pool, range.high, &high) || low < INT32_MIN ||
            high > INT32_MAX || low >= high)
            continue;
        const double mean = ((double)low + (double)high) / 2;
        return at->opcode == FW_OP_ADD ? mean : -mean;
    }
    return 0;
}

/* The share at which a block is entered that adds to a number before ways meet in `meeting`, as far
 * as one of its phis is such a number; 0: none is. */
static double refills(struct builder *b, const struct fw_block *meeting, uint32_t filled,
                      uint32_t kept, uint32_t compared)
{
    for (uint32_t p = 0; p < meeting->phi_count; p++) {
        const uint32_t left = meeting->phis[p].inputs[kept];
        if (left == FW_NO_INDEX || left != compared)
            continue;
        const double used = mean_added(b, left);
        const double added = (double)added_to(b, meeting->phis[p].inputs[filled], left);
        if (added * used < 0 && -used / added < 1)
            return -used / added;
    }
    return 0;
}

double record_refill(struct builder *b, uint32_t instruction)
{
    const struct fw_function *function = b->function;
    const struct fw_instruction *at = record_at(b, instruction);
    const uint32_t where = b->block_of[instruction];
    const struct fw_block *block = &function->blocks[where];
    if (at->opcode != FW_OP_BRA || at->guard == FW_NO_INDEX || instruction + 1 != block->end ||
        block->successor_count != 2 || block->loop == FW_NO_INDEX)
        return 0;
    const struct fw_value *guard = &function->values[at->guard_value];
    if (guard->kind != FW_VALUE_INSTRUCTION)
        return 0;
    const struct fw_instruction *asks = record_at(b, guard->definition);
    if (asks->opcode != FW_OP_SETP || asks->operand_count < 3)
        return 0;
    for (uint32_t s = 0; s < 2; s++) { /* the way that adds, and the other that goes straight on */
        const uint32_t meets = block->successors[1 - s];
        const struct fw_block *meeting = &function->blocks[meets];
        const struct fw_block *way = &function->blocks[block->successors[s]];
        uint32_t filled = FW_NO_INDEX, kept = FW_NO_INDEX;
        if (way->successor_count != 1 || way->successors[0] != meets ||
            meeting->predecessor_count != 2)
            continue;
        for (uint32_t p = 0; p < 2; p++)
            *(meeting->predecessors[p] == where ? &kept : &filled) = p;
        if (filled == FW_NO_INDEX || kept == FW_NO_INDEX)
            continue;
        const double share = refills(b, meeting, filled, kept, value_of(&asks->operands[1]));
        if (share > 0)
            return s == 0 ? share : 1 - share;
    }
    return 0;
}
