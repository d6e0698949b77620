/* Loops: when they go on, and how often their header runs. */
#include "record_internal.h"

/* Whether iteration i goes on to i + 1: the reach of the latches from the header. */
static fw_condition stays_of(struct builder *b, uint32_t loop)
{
    const struct fw_loop_info *info = &b->function->loops[loop];
    fw_condition stays = FW_CONDITION_FALSE;
    for (uint32_t l = 0; l < info->latch_count; l++) {
        uint32_t latch = info->latches[l];
        const struct fw_block *block = &b->function->blocks[latch];
        fw_condition edge = FW_CONDITION_FALSE;
        for (uint32_t s = 0; s < block->successor_count; s++)
            if (block->successors[s] == info->header)
                edge = fw_condition_or(b->pool, edge, record_edge(b, latch, s));
        fw_condition reach = record_reach(b, info->header, latch);
        stays = fw_condition_or(b->pool, stays, fw_condition_and(b->pool, reach, edge));
    }
    return stays;
}

bool record_split_iteration(struct builder *b, fw_expression a, uint32_t loop, fw_expression *slope,
                            fw_expression *rest)
{
    struct fw_pool *pool = b->pool;
    fw_expression iteration = fw_atom_new(pool, FW_ATOM_ITERATION, loop, 0, 0);
    fw_atom wanted = pool->expressions.at[iteration].terms[0].atoms[0];
    *slope = *rest = 0;
    for (uint32_t t = 0; t < pool->expressions.at[a].term_count; t++) {
        struct fw_term term = pool->expressions.at[a].terms[t];
        fw_expression product = fw_constant(pool, term.coefficient);
        bool found = false;
        for (uint32_t i = 0; i < term.atom_count; i++) {
            const struct fw_atom_node node = pool->atoms.at[term.atoms[i]];
            bool is_it = term.atoms[i] == wanted && !found;
            found |= is_it;
            if (!is_it)
                product = fw_multiply(pool, product,
                                      fw_atom_new(pool, node.kind, node.a, node.b, node.c));
        }
        fw_expression *to = found ? slope : rest;
        *to = fw_add(pool, *to, product);
    }
    return record_invariant(b, *slope, loop) && record_invariant(b, *rest, loop);
}

static fw_expression trips_of(struct builder *b, fw_condition condition, uint32_t loop, bool alone);

/* Staying while rest + slope i >= 0: a falling one ends it; with a rising one the loop ends after
 * its first iteration or never. */
static fw_expression falling_trips(struct builder *b, fw_expression slope, fw_expression rest)
{
    struct fw_pool *pool = b->pool;
    fw_expression one = fw_constant(pool, 1), fall = fw_scale(pool, slope, -1);
    fw_expression trips = fw_add(pool, fw_floor_divide(pool, rest, fall), fw_constant(pool, 2));
    fw_condition falls = fw_is_positive(pool, fw_subtract(pool, fall, one));
    return fw_select(pool, falls, fw_maximum(pool, one, trips), one);
}

/* Staying while a < b as unsigned numbers, b invariant: a rising one reaches b, a falling one goes
 * below 0; either must begin between them. */
static fw_expression unsigned_trips(struct builder *b, const struct fw_condition_node *node,
                                    uint32_t loop)
{
    struct fw_pool *pool = b->pool;
    fw_expression slope, rest, trips, one = fw_constant(pool, 1);
    int64_t step;
    fw_expression gap = fw_subtract(pool, fw_subtract(pool, node->b, node->a), one);
    bool plain = record_invariant(b, node->b, loop) &&
                 record_split_iteration(b, node->a, loop, &slope, &rest) &&
                 fw_expression_constant(pool, slope, &step);
    if (!plain)
        return trips_of(b, fw_is_positive(pool, gap), loop, false);
    bool falls = step < 0;
    trips = trips_of(b, fw_is_positive(pool, falls ? node->a : gap), loop, false);
    if (trips == FW_NO_EXPRESSION)
        return trips;
    fw_expression first = falls ? fw_subtract(pool, fw_subtract(pool, node->b, rest), one) : rest;
    return fw_select(pool, fw_is_positive(pool, first), trips, one);
}

/* How often the header runs when staying needs rest + slope i != 0 alone: up to the i that makes it
 * 0, which it must reach. */
static fw_expression unequal_trips(struct builder *b, fw_expression a, uint32_t loop)
{
    fw_expression slope, rest, one = fw_constant(b->pool, 1);
    if (!record_split_iteration(b, a, loop, &slope, &rest) || slope == 0)
        return FW_NO_EXPRESSION;
    return fw_add(b->pool, one, fw_floor_divide(b->pool, fw_scale(b->pool, rest, -1), slope));
}

/* How often the header runs when staying needs both: each alone ends the loop, so that a `!=` is no
 * promise to reach what it compares with. */
static fw_expression trips_of_both(struct builder *b, const struct fw_condition_node *node,
                                   uint32_t loop)
{
    fw_expression x = trips_of(b, node->a, loop, false), y = trips_of(b, node->b, loop, false);
    return x == FW_NO_EXPRESSION || y == FW_NO_EXPRESSION ? FW_NO_EXPRESSION
                                                          : fw_minimum(b->pool, x, y);
}

/* How often the header runs when staying needs `condition`, and for no other reason if `alone`. */
static fw_expression trips_of(struct builder *b, fw_condition condition, uint32_t loop, bool alone)
{
    struct fw_pool *pool = b->pool;
    const struct fw_condition_node node = pool->conditions.at[condition];
    fw_expression slope, rest, one = fw_constant(pool, 1);
    int64_t step;
    switch ((enum fw_condition_kind)node.kind) {
    case FW_CONDITION_FALSE:
        return one;
    case FW_CONDITION_AND:
        return trips_of_both(b, &node, loop);
    case FW_CONDITION_NOT:
        if (pool->conditions.at[node.a].kind == FW_CONDITION_UNSIGNED_LESS) {
            const struct fw_condition_node order = pool->conditions.at[node.a];
            return trips_of(b, fw_is_positive(pool, fw_subtract(pool, order.a, order.b)), loop,
                            alone);
        }
        return alone && pool->conditions.at[node.a].kind == FW_CONDITION_ZERO
                   ? unequal_trips(b, pool->conditions.at[node.a].a, loop)
                   : FW_NO_EXPRESSION;
    case FW_CONDITION_UNSIGNED_LESS:
        return unsigned_trips(b, &node, loop);
    case FW_CONDITION_POSITIVE: /* rest + slope i >= 0 */
        if (!record_split_iteration(b, node.a, loop, &slope, &rest) || slope == 0)
            return FW_NO_EXPRESSION;
        return falling_trips(b, slope, rest);
    case FW_CONDITION_ZERO: /* in one iteration at most: the first, or the loop has ended by then */
        if (!record_split_iteration(b, node.a, loop, &slope, &rest) || slope == 0 ||
            !fw_expression_constant(pool, slope, &step))
            return FW_NO_EXPRESSION;
        return fw_select(pool, fw_is_zero(pool, rest), fw_constant(pool, 2), one);
    default:
        return FW_NO_EXPRESSION;
    }
}

fw_expression record_trips(struct builder *b, uint32_t loop)
{
    struct loop_memo *memo = &b->loops[loop];
    fw_expression atom = fw_atom_new(b->pool, FW_ATOM_TRIPS, loop, 0, 0);
    if (memo->state == 2)
        return memo->trips;
    if (memo->state == 1)
        return atom;
    memo->state = 1;
    uint32_t outer = b->taint;
    b->taint = 0;
    fw_condition stays = stays_of(b, loop);
    fw_expression trips =
        record_condition_opaque(b, stays) ? FW_NO_EXPRESSION : trips_of(b, stays, loop, true);
    if (trips == FW_NO_EXPRESSION)
        trips = atom;
    /* With placeholders about, the answer holds for now only. */
    memo->state = b->taint == 0 && b->level == 0 ? 2 : 0;
    memo->stays = stays;
    memo->trips = trips;
    b->taint |= outer;
    return trips;
}

/* Whether two ways of a block stay in the loop without all its ways leading to one place in it. */
static bool parts_ways(const struct fw_function *function, const struct fw_block *block,
                       uint32_t loop)
{
    uint32_t staying = FW_NO_INDEX;
    bool parted = false;
    for (uint32_t s = 0; s < block->successor_count; s++) {
        uint32_t to = block->successors[s];
        if (!fw_block_in_loop(function, to, loop))
            continue;
        parted = parted || (staying != FW_NO_INDEX && to != staying);
        staying = to;
    }
    return parted && (block->post_dominator == FW_NO_INDEX ||
                      !fw_block_in_loop(function, block->post_dominator, loop));
}

/* The value that the branch at the end of a block tests; FW_NO_INDEX: it has none. */
static uint32_t tested_by(const struct fw_function *function, const struct fw_block *block)
{
    const struct fw_instruction *last = &function->instructions[block->end - 1];
    return last->opcode == FW_OP_BRX ? last->operands[0].value : last->guard_value;
}

bool record_splits(struct builder *b, uint32_t loop)
{
    const struct fw_function *function = b->function;
    const struct fw_loop_info *info = &function->loops[loop];
    for (uint32_t i = 0; i < info->block_count; i++) {
        const struct fw_block *block = &function->blocks[info->blocks[i]];
        if (!parts_ways(function, block, loop))
            continue;
        uint32_t tested = tested_by(function, block);
        if (!b->uniformity)
            b->uniformity = fw_pass_uniformity(b->arena, function);
        if (tested == FW_NO_INDEX || b->uniformity[tested] == FW_UNIFORM_NONE)
            return true;
    }
    return false;
}

/* Whether warps exchange values in a block of code. */
static bool exchanges(const struct fw_function *function, const struct fw_block *block)
{
    for (uint32_t i = block->first; i < block->end; i++) {
        enum fw_opcode opcode = (enum fw_opcode)function->instructions[i].opcode;
        if (opcode == FW_OP_SHFL || opcode == FW_OP_VOTE)
            return true;
    }
    return false;
}

bool record_goes_apart(struct builder *b, uint32_t loop)
{
    const struct fw_function *function = b->function;
    const struct fw_loop_info *info = &function->loops[loop];
    bool any = false;
    for (uint32_t i = 0; i < info->block_count && !any; i++)
        any = exchanges(function, &function->blocks[info->blocks[i]]);
    for (uint32_t i = 0; i < info->block_count && any; i++) {
        const struct fw_block *block = &function->blocks[info->blocks[i]];
        bool leaves = false;
        for (uint32_t s = 0; s < block->successor_count; s++)
            leaves |= !fw_block_in_loop(function, block->successors[s], loop);
        uint32_t tested = leaves ? tested_by(function, block) : FW_NO_INDEX;
        if (!b->uniformity)
            b->uniformity = fw_pass_uniformity(b->arena, function);
        if (tested != FW_NO_INDEX && b->uniformity[tested] > FW_UNIFORM_BLOCK)
            return true;
    }
    return false;
}
