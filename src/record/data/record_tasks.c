/* Tasks that are taken from a counter: blocks, warps or threads that add to one word of memory, and
 * work on what they found there until there is no more.
 *
 * A counter that begins at 0 gives each task once.  Where all take equally long, each takes a task
 * in its turn: of n takers, the k-th take of taker t is task k n + t, as in a loop over t, t + n
 * and so on.  How many tasks each works on, and which of them are near to each other at one time,
 * follow.  A block's task passes through a word of shared memory that one of its threads writes; a
 * warp's through a shuffle from the lane that took it. */
#include "record_internal.h"
#include "warp.h"

enum { MOST_TAKES = 8, MOST_COPIES = 8, MOST_WORD_BYTES = 16 };

/* The instructions that take from one counter. */
struct takes {
    struct builder *b;
    uint32_t count, at[MOST_TAKES];
    fw_expression address, step;
};

static bool is_take(const struct fw_instruction *at)
{
    return at->opcode == FW_OP_ATOM && (at->mode == FW_MODE_ADD || at->mode == FW_MODE_INC) &&
           (at->space == FW_SPACE_GLOBAL || at->space == FW_SPACE_GENERIC) &&
           at->operand_count >= 3 && at->operands[0].kind == FW_OPERAND_REGISTER &&
           at->operands[1].kind == FW_OPERAND_ADDRESS && fw_type_class(at->types[0]) != 'f';
}

/* The same throughout the launch. */
static bool is_fixed(struct builder *b, fw_expression a)
{
    return a != FW_NO_EXPRESSION && !record_expression_opaque(b, a) && !record_has_index(b, a);
}

static fw_expression step_of(struct builder *b, uint32_t take)
{
    const struct fw_instruction *at = record_at(b, take);
    if (at->mode == FW_MODE_INC)
        return fw_constant(b->pool, 1);
    fw_expression step =
        record_operand(b, &at->operands[2], (enum fw_type)at->types[0], b->block_of[take]);
    int64_t number;
    if (!is_fixed(b, step) || (fw_expression_constant(b->pool, step, &number) && number <= 0))
        return FW_NO_EXPRESSION;
    return step;
}

/* What a value is a copy of: what `take` took (FW_NO_INDEX: none did, or several), and more. */
struct copied {
    uint32_t take;
    fw_expression more; /* the same throughout the launch */
};

static const struct copied no_copy = {.take = FW_NO_INDEX};

static struct copied copied_of(struct builder *b, uint32_t value, unsigned copies);

/* What an instruction copies: moves, and sums with what is fixed. */
static struct copied copied_by(struct builder *b, uint32_t instruction, unsigned copies)
{
    const struct fw_instruction *at = record_at(b, instruction);
    const bool adds = at->opcode == FW_OP_ADD && at->operand_count == 3;
    const bool moves =
        (at->opcode == FW_OP_MOV || at->opcode == FW_OP_CVT) && at->operand_count == 2;
    if (is_take(at))
        return (struct copied){.take = instruction, .more = fw_constant(b->pool, 0)};
    if (at->guard != FW_NO_INDEX || (!adds && !moves) || fw_type_class(at->types[0]) == 'f')
        return no_copy;
    for (uint32_t o = 1; o < at->operand_count; o++) {
        struct copied of = at->operands[o].kind == FW_OPERAND_REGISTER && !at->operands[o].negated
                               ? copied_of(b, at->operands[o].value, copies + 1)
                               : no_copy;
        if (of.take == FW_NO_INDEX || moves)
            continue;
        fw_expression more = record_operand(b, &at->operands[3 - o], (enum fw_type)at->types[0],
                                            b->block_of[instruction]);
        of.more = is_fixed(b, more) ? fw_add(b->pool, of.more, more) : 0;
        return is_fixed(b, more) ? of : no_copy;
    }
    return moves && at->operands[1].kind == FW_OPERAND_REGISTER
               ? copied_of(b, at->operands[1].value, copies + 1)
               : no_copy;
}

/* Through joins with what threads have that did not take, too. */
static struct copied copied_of(struct builder *b, uint32_t value, unsigned copies)
{
    const struct fw_function *function = b->function;
    const struct fw_value *origin = value == FW_NO_INDEX ? NULL : &function->values[value];
    if (!origin || copies == MOST_COPIES || origin->kind == FW_VALUE_ENTRY)
        return no_copy;
    if (origin->kind == FW_VALUE_INSTRUCTION)
        return copied_by(b, origin->definition, copies);
    const struct fw_block *block = &function->blocks[origin->block];
    struct copied found = no_copy;
    if (block->loop != FW_NO_INDEX && function->loops[block->loop].header == origin->block)
        return no_copy;
    for (uint32_t p = 0; p < block->predecessor_count; p++) {
        struct copied of = copied_of(b, block->phis[origin->definition].inputs[p], copies + 1);
        if (of.take != FW_NO_INDEX && found.take != FW_NO_INDEX &&
            (of.take != found.take || of.more != found.more))
            return no_copy;
        found = of.take != FW_NO_INDEX ? of : found;
    }
    return found;
}

/* All takes of a counter; false: something else changes it by amounts of its own, or they differ.
 */
static bool find_takes(struct takes *takes, uint32_t take)
{
    struct builder *b = takes->b;
    takes->address = record_address(b, &record_at(b, take)->operands[1], b->block_of[take]);
    takes->step = step_of(b, take);
    if (!is_fixed(b, takes->address) || takes->step == FW_NO_EXPRESSION)
        return false;
    for (uint32_t i = 0; i < b->function->instruction_count; i++) {
        const struct fw_instruction *at = record_at(b, i);
        const bool adds = at->mode == FW_MODE_ADD || at->mode == FW_MODE_INC;
        if (!is_take(at) && !(at->opcode == FW_OP_RED && adds))
            continue;
        const struct fw_operand *address = &at->operands[at->opcode == FW_OP_RED ? 0 : 1];
        if (record_address(b, address, b->block_of[i]) != takes->address)
            continue;
        if (!is_take(at) || takes->count == MOST_TAKES || step_of(b, i) != takes->step)
            return false;
        takes->at[takes->count++] = i;
    }
    return true;
}

static bool dominates(const struct fw_function *function, uint32_t above, uint32_t block)
{
    while (block != FW_NO_INDEX && block != above)
        block = function->blocks[block].dominator;
    return block == above;
}

static bool is_iteration(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)user;
    (void)atom;
    return node->kind == FW_ATOM_ITERATION || node->kind == FW_ATOM_UNKNOWN;
}

/* Whether a predicate chooses threads, the same in each iteration. */
static bool chooses_threads(struct builder *b, uint32_t predicate, uint32_t where)
{
    if (predicate == FW_NO_INDEX || !record_follows(b, predicate))
        return false;
    fw_condition chosen = record_predicate(b, predicate, where);
    return chosen != FW_NO_EXPRESSION && !fw_condition_any(b->pool, chosen, is_iteration, NULL);
}

/* The block at whose end, or in which, all threads come to a take that one of them does (`led`), or
 * all of them; FW_NO_INDEX: whether they do is not known. */
static uint32_t place_of(struct builder *b, uint32_t take, bool led)
{
    const struct fw_function *function = b->function;
    const uint32_t block = b->block_of[take], above = function->blocks[block].dominator;
    const struct fw_instruction *at = record_at(b, take);
    if (!led)
        return at->guard == FW_NO_INDEX ? block : FW_NO_INDEX;
    if (at->guard != FW_NO_INDEX)
        return chooses_threads(b, at->guard_value, block) ? block : FW_NO_INDEX;
    if (above == FW_NO_INDEX || above == block || function->blocks[above].successor_count != 2 ||
        function->blocks[above].loop != function->blocks[block].loop)
        return FW_NO_INDEX;
    const struct fw_instruction *last = record_at(b, function->blocks[above].end - 1);
    return last->guard != FW_NO_INDEX && chooses_threads(b, last->guard_value, above) ? above
                                                                                      : FW_NO_INDEX;
}

/* How many takes come before what `reader` reads in its iteration, and how many there are in one.
 * False: not each iteration takes as many. */
static bool count_takes(const struct takes *takes, uint32_t reader, bool led, uint32_t *before,
                        uint32_t *in_turn)
{
    struct builder *b = takes->b;
    const struct fw_function *function = b->function;
    const uint32_t where = b->block_of[reader], loop = function->blocks[where].loop;
    *before = *in_turn = 0;
    for (uint32_t t = 0; t < takes->count; t++) {
        const uint32_t take = takes->at[t], place = place_of(b, take, led);
        if (place == FW_NO_INDEX)
            return false;
        const bool behind = place == where ? b->block_of[take] != where || take > reader
                                           : !dominates(function, place, where);
        if (function->blocks[place].loop != loop) { /* in a loop behind it, or before its own */
            if (loop == FW_NO_INDEX && dominates(function, where, place))
                continue;
            if (function->blocks[place].loop != FW_NO_INDEX ||
                !dominates(function, place, function->loops[loop].header))
                return false;
            ++*before;
            continue;
        }
        for (uint32_t l = 0; loop != FW_NO_INDEX && l < function->loops[loop].latch_count; l++)
            if (!dominates(function, place, function->loops[loop].latches[l]))
                return false;
        if (behind && (loop == FW_NO_INDEX || !dominates(function, where, place)))
            return false;
        *before += !behind;
        *in_turn += loop != FW_NO_INDEX;
    }
    return *before > 0;
}

enum takers { THREADS, WARPS, BLOCKS };

/* The number of a taker in the launch, and how many there are. */
static void number_takers(struct fw_pool *pool, enum takers takers, fw_expression *number,
                          fw_expression *count)
{
    fw_expression row = fw_add(pool, fw_launch_value(pool, FW_BLOCK_Y),
                               fw_multiply(pool, fw_launch_value(pool, FW_GRID_SIZE_Y),
                                           fw_launch_value(pool, FW_BLOCK_Z)));
    fw_expression wide = fw_launch_value(pool, FW_GRID_SIZE_X);
    *number = fw_add(pool, fw_launch_value(pool, FW_BLOCK_X), fw_multiply(pool, wide, row));
    *count = fw_multiply(pool, wide,
                         fw_multiply(pool, fw_launch_value(pool, FW_GRID_SIZE_Y),
                                     fw_launch_value(pool, FW_GRID_SIZE_Z)));
    if (takers == BLOCKS)
        return;
    fw_expression line = fw_add(pool, fw_launch_value(pool, FW_THREAD_Y),
                                fw_multiply(pool, fw_launch_value(pool, FW_BLOCK_SIZE_Y),
                                            fw_launch_value(pool, FW_THREAD_Z)));
    fw_expression place = fw_add(pool, fw_launch_value(pool, FW_THREAD_X),
                                 fw_multiply(pool, fw_launch_value(pool, FW_BLOCK_SIZE_X), line));
    fw_expression threads = fw_multiply(pool, fw_launch_value(pool, FW_BLOCK_SIZE_X),
                                        fw_multiply(pool, fw_launch_value(pool, FW_BLOCK_SIZE_Y),
                                                    fw_launch_value(pool, FW_BLOCK_SIZE_Z)));
    if (takers == WARPS) {
        fw_expression lanes = fw_constant(pool, FW_WARP_THREADS);
        place = fw_floor_divide(pool, place, lanes);
        threads = fw_floor_divide(
            pool, fw_add(pool, threads, fw_constant(pool, FW_WARP_THREADS - 1)), lanes);
    }
    *number = fw_add(pool, fw_multiply(pool, *number, threads), place);
    *count = fw_multiply(pool, *count, threads);
}

/* What `reader` reads of a counter, if its takers come in turn. */
static fw_expression taken(struct takes *takes, uint32_t reader, enum takers takers)
{
    struct builder *b = takes->b;
    const uint32_t loop = b->function->blocks[b->block_of[reader]].loop;
    uint32_t before, in_turn;
    fw_expression number, count;
    if (!count_takes(takes, reader, takers != THREADS, &before, &in_turn))
        return FW_NO_EXPRESSION;
    fw_expression turn = fw_constant(b->pool, before - 1);
    if (in_turn > 0)
        turn =
            fw_add(b->pool, turn,
                   fw_scale(b->pool, fw_atom_new(b->pool, FW_ATOM_ITERATION, loop, 0, 0), in_turn));
    number_takers(b->pool, takers, &number, &count);
    for (uint32_t t = 0; t < takes->count; t++)
        b->in_turn[takes->at[t]] = true;
    return fw_multiply(b->pool, takes->step,
                       fw_add(b->pool, number, fw_multiply(b->pool, turn, count)));
}

static fw_expression plus(struct builder *b, fw_expression task, fw_expression more)
{
    return task == FW_NO_EXPRESSION ? task : fw_add(b->pool, task, more);
}

/* Whether two operands are one fixed place of a variable. */
static bool same_place(const struct fw_operand *x, const struct fw_operand *y)
{
    return x->kind == FW_OPERAND_ADDRESS && y->kind == FW_OPERAND_ADDRESS && x->variable &&
           x->variable == y->variable && x->immediate == y->immediate && x->index == FW_NO_INDEX &&
           y->index == FW_NO_INDEX;
}

/* The task of a block: a load of a word in shared memory that all of whose stores put what one
 * thread took. */
static fw_expression task_of_block(struct builder *b, uint32_t reader)
{
    const struct fw_operand *place = &record_at(b, reader)->operands[1];
    struct takes takes = {.b = b};
    uint32_t stores = 0, by[MOST_TAKES];
    fw_expression more = FW_NO_EXPRESSION;
    if (place->kind != FW_OPERAND_ADDRESS || !place->variable || place->index != FW_NO_INDEX ||
        place->variable->bytes > MOST_WORD_BYTES || place->variable->bytes == 0)
        return FW_NO_EXPRESSION;
    for (uint32_t i = 0; i < b->function->instruction_count; i++) {
        const struct fw_instruction *at = record_at(b, i);
        if (at->opcode != FW_OP_ST || at->space != FW_SPACE_SHARED || at->slot ||
            !same_place(&at->operands[0], place))
            continue;
        const struct copied of = at->operands[1].kind == FW_OPERAND_REGISTER
                                     ? copied_of(b, at->operands[1].value, 0)
                                     : no_copy;
        if (of.take == FW_NO_INDEX || stores == MOST_TAKES || (stores > 0 && of.more != more))
            return FW_NO_EXPRESSION;
        by[stores++] = of.take;
        more = of.more;
    }
    if (stores == 0 || !find_takes(&takes, by[0]) || takes.count != stores)
        return FW_NO_EXPRESSION;
    for (uint32_t s = 0; s < stores; s++) {
        uint32_t t = 0;
        while (t < takes.count && takes.at[t] != by[s])
            t++;
        if (t == takes.count)
            return FW_NO_EXPRESSION;
    }
    return plus(b, taken(&takes, reader, BLOCKS), more);
}

/* The task of a warp: a shuffle that gives all lanes what one of them took. */
static fw_expression task_of_warp(struct builder *b, uint32_t reader)
{
    const struct fw_instruction *at = record_at(b, reader);
    struct takes takes = {.b = b};
    int64_t control;
    if (at->mode != FW_MODE_IDX || at->operand_count < 4 ||
        at->operands[1].kind != FW_OPERAND_REGISTER)
        return FW_NO_EXPRESSION;
    const struct copied of = copied_of(b, at->operands[1].value, 0);
    if (of.take == FW_NO_INDEX)
        return FW_NO_EXPRESSION;
    fw_expression mask = record_operand(b, &at->operands[3], FW_TYPE_U32, b->block_of[reader]);
    if (mask == FW_NO_EXPRESSION || !fw_expression_constant(b->pool, mask, &control) ||
        control != FW_WARP_THREADS - 1 || !find_takes(&takes, of.take))
        return FW_NO_EXPRESSION;
    return plus(b, taken(&takes, reader, WARPS), of.more);
}

/* The task of a thread that takes one in each iteration of a loop, or the first before it. */
static fw_expression task_of_thread(struct builder *b, uint32_t reader)
{
    struct takes takes = {.b = b};
    bool again = false;
    if (!find_takes(&takes, reader))
        return FW_NO_EXPRESSION;
    for (uint32_t t = 0; t < takes.count; t++)
        again |= b->function->blocks[b->block_of[takes.at[t]]].loop != FW_NO_INDEX;
    return again ? taken(&takes, reader, THREADS) : FW_NO_EXPRESSION;
}

/* Whether any instruction of the function takes. */
static bool any_takes(struct builder *b)
{
    if (!b->in_turn) {
        b->in_turn = FW_ARRAY(b->arena, bool, b->function->instruction_count + 1);
        for (uint32_t i = 0; i < b->function->instruction_count && !b->any_takes; i++)
            b->any_takes = is_take(record_at(b, i));
    }
    return b->any_takes;
}

fw_expression record_task(struct builder *b, uint32_t instruction)
{
    const struct fw_instruction *at = record_at(b, instruction);
    if (!any_takes(b))
        return FW_NO_EXPRESSION;
    if (at->opcode == FW_OP_LD && at->space == FW_SPACE_SHARED && at->operand_count == 2)
        return task_of_block(b, instruction);
    if (at->opcode == FW_OP_SHFL)
        return task_of_warp(b, instruction);
    return is_take(at) ? task_of_thread(b, instruction) : FW_NO_EXPRESSION;
}

void record_turns(struct builder *b)
{
    for (size_t a = 0; b->in_turn && a < b->accesses.count; a++)
        b->accesses.at[a].in_turn = b->in_turn[b->accesses.at[a].instruction];
}
