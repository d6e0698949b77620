/* liveness: backward over SSA, one value after the other (Boissinot, Hack, Grund, Dupont de
 * Dinechin and Rastello, "Fast Liveness Checking for SSA-Form Programs", 2008, section 2: from each
 * use up the predecessors until the definition).  Cost and memory grow with the live ranges alone.
 */
#include "liveness.h"
#include "passes.h"

#include <string.h>

typedef FW_VECTOR(uint32_t) list;

struct liveness {
    struct fw_arena *arena;
    const struct fw_function *function;
    list *live_out;    /* by block: values live at its end */
    uint8_t *width;    /* by value: 32-bit registers; 0: an operand of its users */
    uint32_t *seen_in; /* by block: the last value (+ 1) found live at its start, ... */
    uint32_t *seen_out;
    uint32_t *stack;
    uint32_t *marked; /* by value: stamp while a block is scanned */
};

static uint8_t width_of(const struct fw_function *function, uint32_t value)
{
    enum fw_type type = function->registers[function->values[value].reg].type;
    unsigned bits = fw_type_bits(type);
    if (type == FW_TYPE_NONE) /* a slot of local memory */
        return 0;
    return (uint8_t)(type == FW_TYPE_PRED ? 1 : bits <= 32 ? 1 : bits / 32);
}

static bool is_predicate(const struct fw_function *function, uint32_t value)
{
    return function->registers[function->values[value].reg].type == FW_TYPE_PRED;
}

/* Values that are operands of their users and take no register: parameters, literals, addresses. */
static bool is_operand(const struct liveness *work, uint32_t value)
{
    const struct fw_value *from = &work->function->values[value];
    if (from->kind != FW_VALUE_INSTRUCTION)
        return from->kind == FW_VALUE_ENTRY;
    const struct fw_instruction *at = &work->function->instructions[from->definition];
    if (at->guard != FW_NO_INDEX || at->operand_count < 2)
        return false;
    const struct fw_operand *source = &at->operands[1];
    switch (at->opcode) {
    case FW_OP_LD:
        return at->space == FW_SPACE_PARAM && at->vector <= 1;
    case FW_OP_MOV:
        return source->kind == FW_OPERAND_INTEGER || source->kind == FW_OPERAND_FLOAT ||
               source->kind == FW_OPERAND_SYMBOL ||
               (source->kind == FW_OPERAND_SPECIAL && source->index >= FW_SREG_NTID_X &&
                source->index <= FW_SREG_NTID_Z) ||
               (source->kind == FW_OPERAND_SPECIAL && source->index >= FW_SREG_NCTAID_X &&
                source->index <= FW_SREG_NCTAID_Z);
    case FW_OP_CVTA: /* of a parameter */
        return source->kind == FW_OPERAND_REGISTER && source->value != FW_NO_INDEX &&
               source->value < value && work->width[source->value] == 0;
    default:
        return false;
    }
}

static void find_widths(struct liveness *work)
{
    const struct fw_function *function = work->function;
    for (uint32_t i = 0; i < function->value_count; i++)
        work->width[i] = is_operand(work, i) ? 0 : width_of(function, i);
    for (uint32_t o = 0; o < function->order_count; o++) {
        const struct fw_block *block = &function->blocks[function->order[o]];
        for (uint32_t p = 0; p < block->phi_count; p++)
            for (uint32_t i = 0; i < block->predecessor_count; i++) {
                uint32_t input = block->phis[p].inputs[i];
                /* a literal that meets another value is moved into its register */
                if (input != FW_NO_INDEX && function->values[input].kind != FW_VALUE_ENTRY)
                    work->width[input] = width_of(function, input);
            }
    }
}

/* `value` is live at the end of `block`: so it is up to its definition. */
static void live_at_end(struct liveness *work, uint32_t value, uint32_t block)
{
    const struct fw_function *function = work->function;
    uint32_t home = function->values[value].block;
    uint32_t depth = 0;
    work->stack[depth++] = block;
    while (depth) {
        block = work->stack[--depth];
        if (work->seen_out[block] == value + 1)
            continue;
        work->seen_out[block] = value + 1;
        *FW_APPEND(work->arena, &work->live_out[block]) = value;
        if (block == home || work->seen_in[block] == value + 1)
            continue;
        work->seen_in[block] = value + 1;
        for (uint32_t p = 0; p < function->blocks[block].predecessor_count; p++) {
            uint32_t before = function->blocks[block].predecessors[p];
            if (work->seen_out[before] != value + 1)
                work->stack[depth++] = before;
        }
    }
}

/* Uses by value, as (value, block) pairs in value order: counting sort. */
struct use_list {
    struct liveness *work;
    uint32_t *start; /* value_count + 2 */
    uint32_t *place; /* a block; at its end for a phi's input (top bit set) */
    bool fill;
    uint32_t block;
};

#define AT_END 0x80000000u

static void note(struct use_list *uses, uint32_t value, uint32_t place)
{
    if (value == FW_NO_INDEX)
        return;
    if (uses->fill)
        uses->place[uses->start[value + 1]++] = place;
    else
        uses->start[value + 2]++;
}

static void note_operand(void *user, struct fw_operand *operand)
{
    struct use_list *uses = user;
    note(uses, operand->value, uses->block);
}

static void walk_uses(struct use_list *uses)
{
    const struct fw_function *function = uses->work->function;
    for (uint32_t o = 0; o < function->order_count; o++) {
        uses->block = function->order[o];
        const struct fw_block *block = &function->blocks[uses->block];
        for (uint32_t p = 0; p < block->phi_count; p++)
            for (uint32_t i = 0; i < block->predecessor_count; i++)
                note(uses, block->phis[p].inputs[i], block->predecessors[i] | AT_END);
        for (uint32_t i = block->first; i < block->end; i++) {
            const struct fw_instruction *at = &function->instructions[i];
            fw_instruction_uses(at, note_operand, uses);
            if (at->guard == FW_NO_INDEX)
                continue;
            note(uses, at->guard_value, uses->block);
            uint32_t count = at->prior_values ? fw_instruction_definitions(at, NULL, NULL) : 0;
            for (uint32_t d = 0; d < count; d++)
                note(uses, at->prior_values[d], uses->block);
        }
    }
}

static void find_live_ends(struct liveness *work)
{
    const struct fw_function *function = work->function;
    uint32_t count = function->value_count;
    struct use_list uses = {.work = work};
    uses.start = FW_ARRAY(work->arena, uint32_t, count + 2);
    walk_uses(&uses);
    for (uint32_t i = 1; i < count + 2; i++)
        uses.start[i] += uses.start[i - 1];
    uses.place = FW_ARRAY(work->arena, uint32_t, uses.start[count + 1] + 1);
    uses.fill = true;
    walk_uses(&uses);
    for (uint32_t value = 0; value < count; value++)
        for (uint32_t u = uses.start[value]; work->width[value] && u < uses.start[value + 1]; u++) {
            uint32_t block = uses.place[u] & ~AT_END;
            if (uses.place[u] & AT_END) {
                live_at_end(work, value, block);
            } else if (block != function->values[value].block &&
                       work->seen_in[block] != value + 1) {
                work->seen_in[block] = value + 1;
                for (uint32_t p = 0; p < function->blocks[block].predecessor_count; p++)
                    live_at_end(work, value, function->blocks[block].predecessors[p]);
            }
        }
}

struct pressure {
    struct liveness *work;
    uint32_t stamp;
    uint32_t live[2]; /* registers, predicates */
};

static void lives(struct pressure *pressure, uint32_t value, bool alive)
{
    struct liveness *work = pressure->work;
    if (value == FW_NO_INDEX || !work->width[value])
        return;
    bool was = work->marked[value] == pressure->stamp;
    uint32_t *live = &pressure->live[is_predicate(work->function, value)];
    if (alive && !was) {
        work->marked[value] = pressure->stamp;
        *live += work->width[value];
    } else if (!alive && was) {
        work->marked[value] = 0;
        *live -= work->width[value];
    }
}

static void begins(void *user, struct fw_operand *operand)
{
    lives(user, operand->value, true);
}

static void ends(void *user, struct fw_operand *operand)
{
    lives(user, operand->value, false);
}

/* Registers that a load from far away fills. */
static uint32_t loaded_by(const struct fw_instruction *at)
{
    if (at->opcode != FW_OP_LD || (at->space != FW_SPACE_GLOBAL && at->space != FW_SPACE_SHARED &&
                                   at->space != FW_SPACE_GENERIC))
        return 0;
    unsigned bits = fw_type_bits((enum fw_type)at->types[0]);
    return (bits <= 32 ? 1 : bits / 32) * (at->vector ? at->vector : 1U);
}

/* Scans a block from its end and keeps the most that is live. */
static void scan_block(struct liveness *work, uint32_t index, struct fw_registers *result)
{
    const struct fw_function *function = work->function;
    const struct fw_block *block = &function->blocks[index];
    struct pressure pressure = {.work = work, .stamp = index + 1};
    uint32_t loads = 0;
    for (size_t i = 0; i < work->live_out[index].count; i++)
        lives(&pressure, work->live_out[index].at[i], true);
    for (uint32_t i = block->end; i-- > block->first;) {
        const struct fw_instruction *at = &function->instructions[i];
        loads += loaded_by(at);
        uint32_t count = at->prior_values ? fw_instruction_definitions(at, NULL, NULL) : 0;
        fw_instruction_definitions(at, begins, &pressure); /* even a result that nobody reads */
        if (pressure.live[0] > result->live) {
            result->live = pressure.live[0];
            result->at = i;
        }
        if (pressure.live[1] > result->predicates)
            result->predicates = pressure.live[1];
        fw_instruction_definitions(at, ends, &pressure);
        fw_instruction_uses(at, begins, &pressure);
        if (at->guard == FW_NO_INDEX)
            continue;
        lives(&pressure, at->guard_value, true);
        for (uint32_t d = 0; d < count; d++)
            lives(&pressure, at->prior_values[d], true);
    }
    if (loads > result->loads)
        result->loads = loads;
}

/* What ptxas allocates for so much that is live: some for addresses and the stack pointer, and, as
 * long as that costs no resident warps (up to 32 registers), one for each load that it can issue
 * before the first is used.  The constants are those of the least median error over the example
 * kernels on sm_90 (data/lowering/registers.txt). */
static uint32_t estimate_of(const struct fw_registers *registers)
{
    enum { EXTRA = 6, FREE = 32 };
    uint32_t least = registers->live + EXTRA;
    uint32_t batched = least + (registers->loads ? registers->loads - 1 : 0);
    if (batched > FREE)
        batched = FREE;
    return least > batched ? least : batched;
}

enum fw_status fw_registers_estimate(struct fw_registers *result, struct fw_arena *arena,
                                     const struct fw_function *function)
{
    *result = (struct fw_registers){0};
    if (!function->has_body || (function->value_count == 0 && function->block_count == 0))
        return FW_ERROR_USAGE;
    struct liveness work = {.arena = arena, .function = function};
    work.live_out = fw_arena_array(arena, function->block_count, sizeof *work.live_out);
    work.width = FW_ARRAY(arena, uint8_t, function->value_count + 1);
    work.seen_in = FW_ARRAY(arena, uint32_t, function->block_count);
    work.seen_out = FW_ARRAY(arena, uint32_t, function->block_count);
    work.marked = FW_ARRAY(arena, uint32_t, function->value_count + 1);
    uint32_t edges = 1;
    for (uint32_t i = 0; i < function->block_count; i++)
        edges += function->blocks[i].predecessor_count + 1;
    work.stack = FW_ARRAY(arena, uint32_t, edges);
    find_widths(&work);
    find_live_ends(&work);
    for (uint32_t o = 0; o < function->order_count; o++)
        scan_block(&work, function->order[o], result);
    result->estimate = estimate_of(result);
    return FW_OK;
}
