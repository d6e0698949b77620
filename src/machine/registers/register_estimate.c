/* Registers a thread: the estimate.
 *
 * For each block, what is live in the order of the text and in orders of first use; ptxas schedules
 * anew, so that the lowest one counts.  To that come the registers that ptxas keeps for itself, and
 * as many as let loads be in flight together where they cost no resident warps. */
#include "liveness_internal.h"
#include "passes.h"

enum {
    EXTRA = 7,     /* registers for addresses and the stack pointer: see need_of */
    STEP = 8,      /* in which registers are allocated */
    ENCODED = 255, /* registers that an instruction can name */
    MOST = 80      /* up to which ptxas does something to let more warps be resident */
};

/* What launch bounds state: .maxntid or .reqntid, .minnctapersm. */
struct bounds {
    uint32_t warps;  /* of a block; where it is not stated, as many as there are schedulers */
    uint32_t blocks; /* that are to be resident; 0: not stated, and ptxas has as many as it can */
};

struct pressure {
    struct liveness *work;
    uint32_t live[2];               /* registers, predicates */
    const struct fw_block *loading; /* the block whose loads are looked at; NULL: none */
    uint32_t region;                /* the first of those that are put in order with it */
    uint32_t loaded;                /* of the registers: filled by them */
    uint32_t common;                /* of the registers: see is_common */
    uint32_t others;                /* of the registers: see is_for_others */
    uint32_t spared;                /* of the registers: values that are made again */
    uint32_t read;                  /* the stamp in `level_stamp` of what the block reads */
    bool apart;                     /* see is_left_apart */
};

static bool is_under_predicate(const struct liveness *work, uint32_t block)
{
    return work->lowering && work->lowering->predicated[block] != FW_NO_INDEX;
}

/* By block: the first of those that ptxas puts in order together, because what stands between them
 * is executed under predicates. */
static uint32_t *straight_of(struct liveness *work)
{
    const struct fw_function *function = work->function;
    uint32_t *straight = FW_ARRAY(work->arena, uint32_t, function->block_count + 1);
    for (uint32_t o = 0; o < function->order_count; o++) {
        uint32_t index = function->order[o];
        const struct fw_block *block = &function->blocks[index];
        bool heads = block->loop != FW_NO_INDEX && function->loops[block->loop].header == index;
        bool goes_on = is_under_predicate(work, index);
        for (uint32_t p = 0; p < block->predecessor_count; p++)
            goes_on |= is_under_predicate(work, block->predecessors[p]);
        straight[index] = goes_on && !heads && block->dominator != FW_NO_INDEX
                              ? straight[block->dominator]
                              : index;
    }
    return straight;
}

/* Operands that take no register of their own from a load: numbers, parameters. */
static bool is_given(const struct fw_function *function, const struct fw_operand *operand)
{
    if (operand->kind != FW_OPERAND_REGISTER || operand->value == FW_NO_INDEX)
        return operand->kind == FW_OPERAND_INTEGER || operand->kind == FW_OPERAND_FLOAT;
    const struct fw_value *of = &function->values[operand->value];
    const struct fw_instruction *at = &function->instructions[of->definition];
    return of->kind == FW_VALUE_INSTRUCTION &&
           ((at->opcode == FW_OP_LD && at->space == FW_SPACE_PARAM) || at->opcode == FW_OP_MOV);
}

/* Whether a load from global memory fills the value's register: one of the blocks that are put in
 * order together loads the value, or what alone it is computed from, or a block under a predicate
 * loads it, which a phi takes. */
static bool is_loaded(const struct pressure *pressure, uint32_t value, unsigned depth)
{
    enum { DEEPEST = 8 };
    const struct liveness *work = pressure->work;
    const struct fw_function *function = work->function;
    const struct fw_value *of = &function->values[value];
    bool filled = false;
    if (!pressure->loading || depth == DEEPEST || of->kind == FW_VALUE_ENTRY ||
        work->straight[of->block] != pressure->region)
        return false;
    if (of->kind == FW_VALUE_PHI) {
        const struct fw_phi *phi = &function->blocks[of->block].phis[of->definition];
        for (uint32_t i = 0; i < function->blocks[of->block].predecessor_count && !filled; i++)
            filled = phi->inputs[i] != FW_NO_INDEX &&
                     is_under_predicate(work, function->values[phi->inputs[i]].block) &&
                     is_loaded(pressure, phi->inputs[i], depth + 1);
        return filled;
    }
    const struct fw_instruction *at = &function->instructions[of->definition];
    if (at->opcode == FW_OP_LD)
        return !at->slot && (at->space == FW_SPACE_GLOBAL || at->space == FW_SPACE_GENERIC);
    for (uint32_t o = at->destinations; o < at->operand_count; o++) {
        if (is_given(function, &at->operands[o]))
            continue;
        if (filled || at->operands[o].kind != FW_OPERAND_REGISTER ||
            !is_loaded(pressure, at->operands[o].value, depth + 1))
            return false;
        filled = true;
    }
    return filled;
}

/* Whether threads of a warp leave a loop around the block at different times. */
static bool is_left_apart(const struct liveness *work, const struct fw_block *block)
{
    const struct fw_function *function = work->function;
    uint32_t loop = block->loop;
    while (loop != FW_NO_INDEX && !work->lowering->divergent[function->loops[loop].header])
        loop = function->loops[loop].parent;
    return loop != FW_NO_INDEX;
}

/* Whether an integer that is equal for the whole warp comes into the block from outside. */
static bool is_warps(const struct pressure *pressure, uint32_t value)
{
    const struct fw_function *function = pressure->work->function;
    const struct fw_value *of = &function->values[value];
    const struct fw_lowering *lowering = pressure->work->lowering;
    return pressure->loading && lowering && lowering->level && of->kind == FW_VALUE_INSTRUCTION &&
           &function->blocks[of->block] != pressure->loading &&
           fw_type_class((enum fw_type)function->instructions[of->definition].types[0]) != 'f' &&
           lowering->level[value] <= FW_UNIFORM_WARP;
}

/* Whether the block reads such a value: where registers are few, ptxas 13.0 makes it again or
 * leaves it to the scalar datapath (strides of `stencil_14` in data/h200/generated/found). */
static bool is_common(const struct pressure *pressure, uint32_t value)
{
    return pressure->work->level_stamp[value] == pressure->read && is_warps(pressure, value);
}

/* Whether others read such a value later, and it can be made again for them, as bounds and counters
 * around an inner loop: where no registers are left, ptxas 13.0 does the same with it, but in loops
 * that threads leave at different times, where the scalar datapath keeps nothing. */
static bool is_for_others(const struct pressure *pressure, uint32_t value)
{
    const struct liveness *work = pressure->work;
    return work->level_stamp[value] != pressure->read && work->spared[value] == work->stamp &&
           !pressure->apart && is_warps(pressure, value);
}

static void note_read(void *user, struct fw_operand *operand)
{
    struct liveness *work = user;
    for (unsigned s = 0; operand->value != FW_NO_INDEX && s < 2; s++) {
        uint32_t value = work->stands[operand->value].values[s];
        if (value != FW_NO_INDEX)
            work->level_stamp[value] = work->stamp;
    }
}

static void lives(struct pressure *pressure, uint32_t value, bool alive)
{
    struct liveness *work = pressure->work;
    if (!work->width[value])
        return;
    bool was = work->marked[value] == work->stamp;
    uint32_t *live = &pressure->live[machine_is_predicate(work->function, value)];
    uint32_t loaded = is_loaded(pressure, value, 0) ? work->width[value] : 0;
    uint32_t common = is_common(pressure, value) ? work->width[value] : 0;
    uint32_t others = is_for_others(pressure, value) ? work->width[value] : 0;
    uint32_t spared = work->spared[value] == work->stamp ? work->width[value] : 0;
    if (alive && !was) {
        work->marked[value] = work->stamp;
        *live += work->width[value];
        pressure->spared += spared;
        pressure->loaded += loaded;
        pressure->common += common;
        pressure->others += others;
    } else if (!alive && was) {
        work->marked[value] = 0;
        *live -= work->width[value];
        pressure->spared -= spared;
        pressure->loaded -= loaded;
        pressure->common -= common;
        pressure->others -= others;
    }
}

/* What is read in the value's place. */
static void reads(struct pressure *pressure, uint32_t value)
{
    for (unsigned s = 0; value != FW_NO_INDEX && s < 2; s++)
        if (pressure->work->stands[value].values[s] != FW_NO_INDEX)
            lives(pressure, pressure->work->stands[value].values[s], true);
}

static void begins(void *user, struct fw_operand *operand)
{
    if (operand->value != FW_NO_INDEX)
        lives(user, operand->value, true);
}

static void ends(void *user, struct fw_operand *operand)
{
    if (operand->value != FW_NO_INDEX)
        lives(user, operand->value, false);
}

static void read_operand(void *user, struct fw_operand *operand)
{
    reads(user, operand->value);
}

/* Of what is live at the end of the block, what can be made again of the rest. */
static void find_spared(struct liveness *work, uint32_t index, uint32_t read)
{
    const value_list *out = &work->live_out[index];
    for (size_t i = 0; i < out->count; i++)
        work->marked[out->at[i]] = work->stamp;
    for (size_t i = 0; i < out->count; i++) {
        uint32_t value = out->at[i];
        if (machine_made_again(work, value, work->level_stamp[value] == read))
            work->spared[value] = work->stamp;
    }
    for (size_t i = 0; i < out->count; i++)
        work->marked[out->at[i]] = 0;
}

/* The most registers and predicates that are live in a block whose instructions run in this order.
 */
static struct fw_registers scan(struct liveness *work, uint32_t index, const uint32_t *order,
                                uint32_t count)
{
    const struct fw_function *function = work->function;
    struct pressure pressure = {
        .work = work, .loading = &function->blocks[index], .region = work->straight[index]};
    struct fw_registers most = {0};
    pressure.apart = work->lowering && work->lowering->divergent &&
                     is_left_apart(work, &function->blocks[index]);
    pressure.read = ++work->stamp;
    for (uint32_t i = 0; i < count; i++)
        fw_instruction_uses(&function->instructions[order[i]], note_read, work);
    work->stamp++;
    find_spared(work, index, pressure.read);
    for (size_t i = 0; i < work->live_out[index].count; i++)
        lives(&pressure, work->live_out[index].at[i], true);
    while (count-- > 0) {
        const struct fw_instruction *at = &function->instructions[order[count]];
        uint32_t results = at->prior_values ? fw_instruction_definitions(at, NULL, NULL) : 0;
        fw_instruction_definitions(at, begins, &pressure); /* even a result that nobody reads */
        if (pressure.live[0] > most.live) {
            most.live = pressure.live[0];
            most.loaded = pressure.loaded;
            most.common = pressure.common;
            most.others = pressure.others;
            most.at = order[count];
        }
        if (pressure.live[0] - pressure.spared > most.least)
            most.least = pressure.live[0] - pressure.spared;
        if (pressure.loaded > most.ahead) {
            most.ahead = pressure.loaded;
            most.ahead_live = pressure.live[0];
        }
        if (pressure.live[1] > most.predicates)
            most.predicates = pressure.live[1];
        fw_instruction_definitions(at, ends, &pressure);
        fw_instruction_uses(at, read_operand, &pressure);
        if (at->guard == FW_NO_INDEX)
            continue;
        reads(&pressure, at->guard_value);
        for (uint32_t d = 0; d < results; d++)
            reads(&pressure, at->prior_values[d]);
    }
    return most;
}

static void uses(void *user, struct fw_operand *operand)
{
    struct pressure *pressure = user;
    if (operand->value == FW_NO_INDEX)
        return;
    for (unsigned s = 0; s < 2; s++) {
        uint32_t value = pressure->work->stands[operand->value].values[s];
        if (value != FW_NO_INDEX)
            lives(pressure, value, false);
    }
    lives(pressure, operand->value, false);
}

/* Registers of the values that are live at the end of a block which neither reads nor sets them. */
static uint32_t idle_in(struct liveness *work, uint32_t index)
{
    const struct fw_function *function = work->function;
    const struct fw_block *block = &function->blocks[index];
    struct pressure pressure = {.work = work};
    work->stamp++;
    for (size_t i = 0; i < work->live_out[index].count; i++)
        lives(&pressure, work->live_out[index].at[i], true);
    for (uint32_t p = 0; p < block->phi_count; p++)
        lives(&pressure, block->phis[p].value, false);
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct fw_instruction *at = &function->instructions[i];
        fw_instruction_uses(at, uses, &pressure);
        fw_instruction_definitions(at, ends, &pressure);
        if (at->guard != FW_NO_INDEX)
            lives(&pressure, at->guard_value, false);
    }
    return pressure.live[0];
}

static uint32_t up_to_step(uint32_t registers)
{
    return (registers + STEP - 1) / STEP * STEP;
}

/* Blocks that are resident on a multiprocessor of sm_90, as far as registers decide: each of four
 * schedulers has 16,384 of them. */
static uint32_t blocks_of(const struct bounds *bounds, uint32_t registers)
{
    enum { SCHEDULERS = 4, WARPS_OF_ONE = 512, MOST_WARPS = 64, MOST_BLOCKS = 32 };
    uint32_t step = up_to_step(registers ? registers : 1);
    uint32_t warps = SCHEDULERS * (WARPS_OF_ONE / step);
    uint32_t blocks = (warps < MOST_WARPS ? warps : MOST_WARPS) / bounds->warps;
    blocks = blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS;
    return bounds->blocks && blocks > bounds->blocks ? bounds->blocks : blocks;
}

/* The most registers with which as many blocks are resident as with `need`: those that launch
 * bounds state, blocks of four warps where none are.  ptxas looks at that number: 71 registers
 * become 79 under .maxntid 256, of which three blocks are resident, and 32 become up to 64 under
 * .maxntid 32, since there are 32 blocks at most. */
static uint32_t free_of(uint32_t need, const struct bounds *bounds)
{
    uint32_t most = need;
    for (uint32_t r = up_to_step(need); r <= ENCODED + 1; r += STEP)
        if (blocks_of(bounds, r) == blocks_of(bounds, need))
            most = r;
    return most <= ENCODED || need > ENCODED ? most : ENCODED;
}

/* What ptxas allocates for so much that is live in a block: some for addresses and the stack
 * pointer.  Up to MOST registers, where a step of eight decides how many blocks are resident, it
 * takes the least such step that suffices where values are made again instead of kept (ptxas 13.0
 * for sm_90: kernels of data/lowering/registers.txt). */
static uint32_t need_of(const struct fw_registers *block, const struct bounds *bounds)
{
    uint32_t need = block->live + EXTRA, step;
    if (need > MOST)
        return need;
    step = free_of(block->least + EXTRA - 1, bounds); /* one that is made holds an address */
    return step < need ? step : need;
}

/* What ptxas allocates for a block: what it needs and, as long as that costs no resident blocks, a
 * register for each that loads fill which can be in flight together; of loads whose values are
 * stored as they are, outside of loops and beyond shared memory, it keeps more in flight where they
 * are many (up to 40: loops of local_array_6 in data/h200/generated/found, unrolled, over 28 to 64
 * words).  The constants are those of the least error over the kernels of
 * data/lowering/registers.txt. */
static uint32_t estimate_of(uint32_t need, uint32_t loads, uint32_t kept,
                            const struct bounds *bounds)
{
    enum { MORE = 40, MANY = 24 };
    uint32_t most = free_of(need, bounds), filled = need + (loads ? loads - 1 : 0);
    if (kept > MANY && most < MORE)
        most = MORE;
    return filled < most ? filled : most;
}

/* Of the orders in which something waits for its first user, the one with the fewest registers that
 * are live.  Where these cost nothing, no store has to wait. */
static struct fw_registers scan_orders(struct liveness *work, uint32_t index, uint32_t *order)
{
    enum { FREE = 32 };
    struct fw_registers best = {0};
    for (int waiting = MACHINE_LOADS_WAIT; waiting <= MACHINE_STORES_WAIT; waiting++) {
        if (waiting == MACHINE_STORES_WAIT && best.live + EXTRA <= FREE)
            break;
        uint32_t count = machine_first_use_order(work, index, (enum machine_waiting)waiting, order);
        struct fw_registers now = scan(work, index, order, count);
        if (waiting == MACHINE_LOADS_WAIT || now.live < best.live)
            best = now;
    }
    return best;
}

static void scan_block(struct liveness *work, uint32_t index, const struct bounds *bounds,
                       struct fw_registers *result)
{
    const struct fw_block *block = &work->function->blocks[index];
    struct fw_arena_mark mark = fw_arena_mark(work->arena);
    uint32_t *order = FW_ARRAY(work->arena, uint32_t, block->end - block->first + 1), count = 0;
    for (uint32_t i = block->first; i < block->end; i++)
        if (!machine_is_merged(work, i))
            order[count++] = i;
    struct fw_registers text = scan(work, index, order, count);
    struct fw_registers best = scan_orders(work, index, order);
    if (text.live < best.live)
        best = text;
    fw_arena_release(work->arena, mark);
    uint32_t need = need_of(&best, bounds), again = best.live + EXTRA - need;
    uint32_t both = best.common + best.others;
    uint32_t common = best.common > again ? best.common - again : 0;
    result->blocks[result->block_count++] =
        (struct fw_block_registers){.first = block->first,
                                    .need = need,
                                    .loaded = best.loaded,
                                    .common = common,
                                    .others = both > again + common ? both - again - common : 0,
                                    .idle = idle_in(work, index),
                                    .ahead = text.ahead,
                                    .ahead_need = text.ahead_live + EXTRA};
    if (best.live > result->live) {
        result->live = best.live;
        result->least = best.least;
        result->loaded = best.loaded;
        result->common = best.common;
        result->others = best.others;
        result->at = best.at;
    }
    if (text.live > result->text)
        result->text = text.live;
    if (best.predicates > result->predicates)
        result->predicates = best.predicates;
    uint32_t loads = machine_load_batch(work, index);
    if (loads > result->loads)
        result->loads = loads;
    uint32_t kept = block->loop == FW_NO_INDEX ? machine_loads_kept(work, index) : 0;
    uint32_t estimate = estimate_of(need, loads, kept, bounds);
    if (estimate > result->estimate)
        result->estimate = estimate;
}

static struct bounds bounds_of(const struct fw_function *function)
{
    enum { WARP = 32, UNKNOWN = 4, MOST_WARPS = 32 };
    const uint32_t *extents =
        function->required_threads[0] ? function->required_threads : function->max_threads;
    uint64_t threads = extents[0];
    for (int d = 1; d < 3; d++)
        if (extents[d] && threads <= MOST_WARPS * WARP)
            threads *= extents[d];
    if (!threads || threads > MOST_WARPS * WARP)
        return (struct bounds){UNKNOWN, 0};
    return (struct bounds){(uint32_t)((threads + WARP - 1) / WARP), function->min_blocks};
}

enum fw_status fw_registers_estimate(struct fw_registers *result, struct fw_arena *arena,
                                     const struct fw_function *function,
                                     const struct fw_lowering *lowering)
{
    *result = (struct fw_registers){0};
    if (!function->has_body || (function->value_count == 0 && function->block_count == 0))
        return FW_ERROR_USAGE;
    const struct bounds bounds = bounds_of(function);
    struct liveness work;
    result->blocks = FW_ARRAY(arena, struct fw_block_registers, function->order_count + 1);
    machine_find_live(&work, arena, function, lowering);
    machine_find_made_again(&work);
    work.straight = straight_of(&work);
    for (uint32_t o = 0; o < function->order_count; o++)
        scan_block(&work, function->order[o], &bounds, result);
    return FW_OK;
}
