/* Control: conditions of guards, edges and reach; the graph of domains.
 *
 * A block that is on every way from its dominator through the loop body runs as often as it. Others
 * take the disjoint union of their incoming edges, since a thread takes one way in an iteration. */
#include "record_internal.h"

enum { MOST_INPUTS = 32 };

fw_condition record_guard(struct builder *b, uint32_t instruction)
{
    const struct fw_instruction *at = &b->function->instructions[instruction];
    fw_condition guard = record_predicate(b, at->guard_value, b->block_of[instruction]);
    return at->guard_negated ? fw_condition_not(b->pool, guard) : guard;
}

/* An indexed branch goes to target k when the index is k; beyond the list it is undefined. */
static fw_condition indexed_edge(struct builder *b, const struct fw_block *block,
                                 uint32_t successor)
{
    const struct fw_instruction *last = &b->function->instructions[block->end - 1];
    fw_expression index = last->operand_count ? record_operand(b, &last->operands[0], FW_TYPE_U32,
                                                               b->block_of[block->end - 1])
                                              : FW_NO_EXPRESSION;
    if (index == FW_NO_EXPRESSION)
        return fw_condition_new(b->pool, FW_CONDITION_UNKNOWN, FW_TOO_DEEP, block->end - 1,
                                successor);
    return fw_is_zero(b->pool, fw_subtract(b->pool, index, fw_constant(b->pool, successor)));
}

fw_condition record_edge(struct builder *b, uint32_t from, uint32_t successor)
{
    const struct fw_block *block = &b->function->blocks[from];
    if (block->end == block->first)
        return FW_CONDITION_TRUE;
    const struct fw_instruction *last = &b->function->instructions[block->end - 1];
    if (last->opcode == FW_OP_BRX)
        return indexed_edge(b, block, successor);
    if (!fw_instruction_is_terminator(last) || last->guard == FW_NO_INDEX)
        return FW_CONDITION_TRUE;
    fw_condition taken = record_guard(b, block->end - 1);
    bool is_taken = last->opcode == FW_OP_BRA && successor == 0 && block->successor_count == 2;
    if (last->opcode == FW_OP_BRA && block->successor_count == 2 &&
        block->successors[0] == block->successors[1])
        return successor == 0 ? taken : fw_condition_not(b->pool, taken);
    return is_taken ? taken : fw_condition_not(b->pool, taken);
}

uint32_t record_loop_left(const struct fw_function *function, uint32_t block, uint32_t inside)
{
    uint32_t left = FW_NO_INDEX;
    for (uint32_t at = function->blocks[block].loop;
         at != FW_NO_INDEX && !fw_block_in_loop(function, inside, at);
         at = function->loops[at].parent)
        left = at;
    return left;
}

/* The nearest block that dominates `block` in the same loops; for one inside a loop that `block` is
 * not in, that loop's header, which stands for entering it. */
static uint32_t body_dominator(const struct builder *b, uint32_t block)
{
    uint32_t dominator = b->function->blocks[block].dominator;
    uint32_t left =
        dominator == FW_NO_INDEX ? FW_NO_INDEX : record_loop_left(b->function, dominator, block);
    return left == FW_NO_INDEX ? dominator : b->function->loops[left].header;
}

static fw_condition reach_of(struct builder *b, uint32_t from, uint32_t to);

/* Whether the loop is left by edges from `from` to `to` alone: no other exits, no returns inside.
 */
static bool sole_exit(const struct builder *b, uint32_t loop, uint32_t from, uint32_t to)
{
    const struct fw_loop_info *info = &b->function->loops[loop];
    for (uint32_t i = 0; i < info->block_count; i++) {
        const struct fw_block *block = &b->function->blocks[info->blocks[i]];
        if (record_can_leave(b->function, info->blocks[i]))
            return false;
        for (uint32_t s = 0; s < block->successor_count; s++)
            if (!fw_block_in_loop(b->function, block->successors[s], loop) &&
                (info->blocks[i] != from || block->successors[s] != to))
                return false;
    }
    return true;
}

/* The condition under which an edge is followed, relative to `from`.  One that leaves a loop is
 * followed, if at all, in the loop's last iteration. */
static fw_condition reach_by(struct builder *b, uint32_t from, uint32_t predecessor, uint32_t to)
{
    const struct fw_block *block = &b->function->blocks[predecessor];
    uint32_t left = record_loop_left(b->function, predecessor, to);
    fw_condition edges = FW_CONDITION_FALSE;
    for (uint32_t s = 0; s < block->successor_count; s++)
        if (block->successors[s] == to)
            edges = fw_condition_or(b->pool, edges, record_edge(b, predecessor, s));
    if (left == FW_NO_INDEX)
        return fw_condition_and(b->pool, reach_of(b, from, predecessor), edges);
    uint32_t header = b->function->loops[left].header;
    fw_condition entered = reach_of(b, from, header);
    if (sole_exit(b, left, predecessor, to))
        return entered;
    edges = fw_condition_and(b->pool, reach_of(b, header, predecessor), edges);
    return fw_condition_and(b->pool, entered, record_at_end(b, edges, to));
}

/* Computes what reach_of remembers. */
static fw_condition find_reach(struct builder *b, uint32_t from, uint32_t to)
{
    const struct fw_block *block = &b->function->blocks[to];
    uint32_t dominator = body_dominator(b, to);
    fw_condition reached = FW_CONDITION_FALSE;
    bool joins = dominator != FW_NO_INDEX &&
                 (block->predecessor_count > 1 ||
                  record_loop_left(b->function, block->dominator, to) != FW_NO_INDEX);
    if (joins && record_covers(b, dominator, to))
        return reach_of(b, from, dominator);
    for (uint32_t p = 0; p < block->predecessor_count; p++) {
        uint32_t at = block->predecessors[p];
        bool again = false;
        for (uint32_t q = 0; q < p && !again; q++)
            again = block->predecessors[q] == at;
        if (!again && b->function->blocks[at].order < block->order)
            reached = fw_condition_or(b->pool, reached, reach_by(b, from, at, to));
    }
    return reached;
}

static fw_condition reach_of(struct builder *b, uint32_t from, uint32_t to)
{
    if (from == to)
        return FW_CONDITION_TRUE;
    uint32_t key[2] = {from, to};
    bool added;
    struct fw_map_entry *entry =
        fw_map_add(&b->reach_names, (const char *)key, sizeof(key), &added);
    uint32_t index = entry->value;
    if (added) {
        index = entry->value = (uint32_t)b->reaches.count;
        *FW_APPEND(b->arena, &b->reaches) = (struct reach_memo){0};
    }
    if (!b->reaches.at[index].known) {
        if (b->depth >= DEEPEST)
            return fw_condition_new(b->pool, FW_CONDITION_UNKNOWN, FW_TOO_DEEP, from, to);
        uint32_t outer = b->taint;
        b->taint = 0;
        b->depth++;
        fw_condition found = find_reach(b, from, to);
        b->depth--;
        b->reaches.at[index] = (struct reach_memo){true, b->taint, found};
        if (b->taint)
            *FW_APPEND(b->arena, &b->reach_trail) = index;
        b->taint = outer;
    }
    b->taint |= b->reaches.at[index].taint;
    return b->reaches.at[index].condition;
}

fw_condition record_reach(struct builder *b, uint32_t from, uint32_t to)
{
    return reach_of(b, from, to);
}

/* The condition under which a join takes input p, relative to the join's dominator. */
static fw_condition input_condition(struct builder *b, uint32_t block, uint32_t p)
{
    uint32_t from = body_dominator(b, block);
    if (from == FW_NO_INDEX)
        return fw_condition_new(b->pool, FW_CONDITION_UNKNOWN, FW_TOO_DEEP, block, p);
    return reach_by(b, from, b->function->blocks[block].predecessors[p], block);
}

/* The value of input p where its edge ends: loops that the edge leaves are over. */
static fw_expression input_value(struct builder *b, uint32_t block, const struct fw_phi *phi,
                                 uint32_t p)
{
    uint32_t at = b->function->blocks[block].predecessors[p];
    bool leaves = record_loop_left(b->function, at, block) != FW_NO_INDEX;
    return record_value(b, phi->inputs[p], leaves ? block : at);
}

/* Which input needs no condition since all others have theirs: one that leaves a loop, if any. */
static uint32_t input_left_over(const struct builder *b, uint32_t block)
{
    const struct fw_block *join = &b->function->blocks[block];
    for (uint32_t p = 0; p < join->predecessor_count; p++)
        if (record_loop_left(b->function, join->predecessors[p], block) != FW_NO_INDEX)
            return p;
    return join->predecessor_count - 1;
}

/* Whether an input was chosen by an earlier edge of the same branch with the same value. */
static bool repeats(const struct fw_block *join, const struct fw_phi *phi, uint32_t p)
{
    for (uint32_t q = 0; q < p; q++)
        if (join->predecessors[q] == join->predecessors[p] && phi->inputs[q] == phi->inputs[p])
            return true;
    return false;
}

fw_expression record_join(struct builder *b, uint32_t block, uint32_t phi_index)
{
    const struct fw_block *join = &b->function->blocks[block];
    const struct fw_phi *phi = &join->phis[phi_index];
    if (join->predecessor_count == 0 || join->predecessor_count > MOST_INPUTS)
        return record_opaque(b, phi->value, FW_OPAQUE_OPERATION);
    uint32_t last = input_left_over(b, block);
    fw_expression result = input_value(b, block, phi, last);
    bool same = true;
    for (uint32_t p = 0; p < join->predecessor_count && same; p++)
        same = phi->inputs[p] == phi->inputs[last] || input_value(b, block, phi, p) == result;
    for (uint32_t p = join->predecessor_count; !same && p-- > 0;) {
        if (p == last || repeats(join, phi, p))
            continue;
        fw_expression input = input_value(b, block, phi, p);
        if (input != result)
            result = record_select(b, input_condition(b, block, p), input, result);
    }
    return result;
}

fw_condition record_join_predicate(struct builder *b, uint32_t block, uint32_t phi_index)
{
    const struct fw_block *join = &b->function->blocks[block];
    const struct fw_phi *phi = &join->phis[phi_index];
    fw_condition result = FW_CONDITION_FALSE;
    if (join->predecessor_count > MOST_INPUTS)
        return fw_condition_new(b->pool, FW_CONDITION_UNKNOWN, FW_TOO_DEEP, block, phi_index);
    for (uint32_t p = 0; p < join->predecessor_count; p++) {
        uint32_t at = join->predecessors[p];
        uint32_t where = record_loop_left(b->function, at, block) != FW_NO_INDEX ? block : at;
        if (repeats(join, phi, p))
            continue;
        fw_condition input = record_predicate(b, phi->inputs[p], where);
        result = fw_condition_or(b->pool, result,
                                 fw_condition_and(b->pool, input_condition(b, block, p), input));
    }
    return result;
}
