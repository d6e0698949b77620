/* Control: conditions of guards, edges and reach; the graph of domains.
 *
 * A block that is on every way from its dominator through the loop body runs as often as it. Others
 * take the disjoint union of their incoming edges, since a thread takes one way in an iteration. */
#include "record_internal.h"

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

/* The outermost loop around `block` that `inside` is not in; FW_NO_INDEX: none. */
static uint32_t loop_left(const struct fw_function *function, uint32_t block, uint32_t inside)
{
    uint32_t left = FW_NO_INDEX;
    for (uint32_t at = function->blocks[block].loop;
         at != FW_NO_INDEX && !record_in_loop(function, inside, at);
         at = function->loops[at].parent)
        left = at;
    return left;
}

/* Whether every way from `from` within the body of `to`'s innermost loop (back to its header, out
 * of it or out of the function) passes `to`.  Inner loops are taken to end. */
bool record_covers(struct builder *b, uint32_t from, uint32_t to)
{
    const struct fw_function *function = b->function;
    uint32_t loop = function->blocks[to].loop, depth = 0;
    if (loop != FW_NO_INDEX && function->loops[loop].header == to)
        loop = function->loops[loop].parent; /* entering a loop happens in the one around it */
    b->walk_epoch++;
    b->walk_stack[depth++] = from;
    b->walk_stamp[from] = b->walk_epoch;
    while (depth) {
        const struct fw_block *block = &function->blocks[b->walk_stack[--depth]];
        const struct fw_instruction *last =
            block->end > block->first ? &function->instructions[block->end - 1] : NULL;
        bool leaves = last && fw_instruction_is_terminator(last) && last->opcode != FW_OP_BRA &&
                      last->opcode != FW_OP_BRX;
        if (leaves || block->successor_count == 0)
            return false;
        for (uint32_t s = 0; s < block->successor_count; s++) {
            uint32_t next = block->successors[s];
            if (next == to || b->walk_stamp[next] == b->walk_epoch)
                continue;
            if (loop != FW_NO_INDEX &&
                (next == function->loops[loop].header || !record_in_loop(function, next, loop)))
                return false;
            b->walk_stamp[next] = b->walk_epoch;
            b->walk_stack[depth++] = next;
        }
    }
    return true;
}

/* The nearest block that dominates `block` in the same loops; for one inside a loop that `block` is
 * not in, that loop's header, which stands for entering it. */
static uint32_t body_dominator(const struct builder *b, uint32_t block)
{
    uint32_t dominator = b->function->blocks[block].dominator;
    uint32_t left =
        dominator == FW_NO_INDEX ? FW_NO_INDEX : loop_left(b->function, dominator, block);
    return left == FW_NO_INDEX ? dominator : b->function->loops[left].header;
}

static fw_condition reach_of(struct builder *b, uint32_t from, uint32_t to);

/* The condition under which an edge is followed, relative to `from`. */
static fw_condition reach_by(struct builder *b, uint32_t from, uint32_t predecessor, uint32_t to)
{
    const struct fw_block *block = &b->function->blocks[predecessor];
    if (loop_left(b->function, predecessor, to) != FW_NO_INDEX)
        return fw_condition_new(b->pool, FW_CONDITION_UNKNOWN, FW_TOO_DEEP, predecessor, to);
    fw_condition edges = FW_CONDITION_FALSE;
    for (uint32_t s = 0; s < block->successor_count; s++)
        if (block->successors[s] == to)
            edges = fw_condition_or(b->pool, edges, record_edge(b, predecessor, s));
    return fw_condition_and(b->pool, reach_of(b, from, predecessor), edges);
}

static fw_condition reach_of(struct builder *b, uint32_t from, uint32_t to)
{
    if (from == to)
        return FW_CONDITION_TRUE;
    if (b->reach_stamp[to] == b->reach_epoch)
        return b->reach[to];
    if (b->depth >= DEEPEST)
        return fw_condition_new(b->pool, FW_CONDITION_UNKNOWN, FW_TOO_DEEP, from, to);
    b->depth++;
    const struct fw_block *block = &b->function->blocks[to];
    uint32_t dominator = body_dominator(b, to);
    fw_condition reached = FW_CONDITION_FALSE;
    bool joins =
        dominator != FW_NO_INDEX && (block->predecessor_count > 1 ||
                                     loop_left(b->function, block->dominator, to) != FW_NO_INDEX);
    if (joins && record_covers(b, dominator, to)) {
        reached = reach_of(b, from, dominator);
    } else {
        for (uint32_t p = 0; p < block->predecessor_count; p++) {
            uint32_t at = block->predecessors[p];
            if (p > 0 && at == block->predecessors[p - 1])
                continue;
            if (b->function->blocks[at].order < b->function->blocks[to].order)
                reached = fw_condition_or(b->pool, reached, reach_by(b, from, at, to));
        }
    }
    b->depth--;
    b->reach_stamp[to] = b->reach_epoch;
    b->reach[to] = reached;
    return reached;
}

fw_condition record_reach(struct builder *b, uint32_t from, uint32_t to)
{
    /* Conditions of values may ask for the reach of other blocks meanwhile: the scratch is set
     * aside. */
    uint32_t *stamp = b->reach_stamp;
    fw_condition *reach = b->reach;
    uint32_t epoch = b->reach_epoch;
    b->reach_stamp = FW_ARRAY(b->arena, uint32_t, b->function->block_count);
    b->reach = FW_ARRAY(b->arena, fw_condition, b->function->block_count);
    b->reach_epoch = 1;
    fw_condition result = reach_of(b, from, to);
    b->reach_stamp = stamp;
    b->reach = reach;
    b->reach_epoch = epoch;
    return result;
}

/* The condition under which a join takes input p, relative to the join's dominator. */
static fw_condition input_condition(struct builder *b, uint32_t block, uint32_t p)
{
    const struct fw_block *join = &b->function->blocks[block];
    uint32_t from = body_dominator(b, block), at = join->predecessors[p];
    if (from == FW_NO_INDEX)
        return fw_condition_new(b->pool, FW_CONDITION_UNKNOWN, FW_TOO_DEEP, block, p);
    if (loop_left(b->function, at, block) != FW_NO_INDEX)
        return fw_condition_new(b->pool, FW_CONDITION_UNKNOWN, FW_TOO_DEEP, at, block);
    fw_condition edges = FW_CONDITION_FALSE;
    for (uint32_t s = 0; s < b->function->blocks[at].successor_count; s++)
        if (b->function->blocks[at].successors[s] == block)
            edges = fw_condition_or(b->pool, edges, record_edge(b, at, s));
    return fw_condition_and(b->pool, record_reach(b, from, at), edges);
}

fw_expression record_join(struct builder *b, uint32_t block, uint32_t phi_index)
{
    const struct fw_block *join = &b->function->blocks[block];
    const struct fw_phi *phi = &join->phis[phi_index];
    fw_expression result = FW_NO_EXPRESSION;
    if (join->predecessor_count == 0 || join->predecessor_count > 32)
        return record_opaque(b, phi->value, FW_OPAQUE_OPERATION);
    bool same = true;
    for (uint32_t p = 0; p < join->predecessor_count; p++) {
        fw_expression input = record_value(b, phi->inputs[p], join->predecessors[p]);
        /* The input is read at the edge's end: loops that the edge leaves are over. */
        if (loop_left(b->function, join->predecessors[p], block) != FW_NO_INDEX)
            input = record_value(b, phi->inputs[p], block);
        same = same && (result == FW_NO_EXPRESSION || input == result);
        result = input;
    }
    if (same)
        return result;
    for (uint32_t p = join->predecessor_count - 1; p-- > 0;) {
        uint32_t at = join->predecessors[p];
        uint32_t where = loop_left(b->function, at, block) != FW_NO_INDEX ? block : at;
        fw_expression input = record_value(b, phi->inputs[p], where);
        result = fw_select(b->pool, input_condition(b, block, p), input, result);
    }
    return result;
}

fw_condition record_join_predicate(struct builder *b, uint32_t block, uint32_t phi_index)
{
    const struct fw_block *join = &b->function->blocks[block];
    const struct fw_phi *phi = &join->phis[phi_index];
    fw_condition result = FW_CONDITION_FALSE;
    if (join->predecessor_count > 32)
        return fw_condition_new(b->pool, FW_CONDITION_UNKNOWN, FW_TOO_DEEP, block, phi_index);
    for (uint32_t p = 0; p < join->predecessor_count; p++) {
        uint32_t at = join->predecessors[p];
        uint32_t where = loop_left(b->function, at, block) != FW_NO_INDEX ? block : at;
        fw_condition input = record_predicate(b, phi->inputs[p], where);
        result = fw_condition_or(b->pool, result,
                                 fw_condition_and(b->pool, input_condition(b, block, p), input));
    }
    return result;
}
