/* load batches: which loads of a block can be in flight at one time.
 *
 * Of loads from shared memory few are, whatever registers there are: a sum of 16 to 128 of them
 * takes 22 to 26 registers, one of 128 loads from global memory 83 where launch bounds leave as
 * many (ptxas 13.0 for sm_90). */
#include "liveness_internal.h"

struct batches {
    struct liveness *work;
    uint32_t *level;  /* by value: loads that come one after the other up to it */
    uint32_t deepest; /* of the operands of one instruction */
};

static void read_level(void *user, struct fw_operand *operand)
{
    struct batches *batches = user;
    uint32_t value = operand->value;
    if (value != FW_NO_INDEX && batches->work->level_stamp[value] == batches->work->stamp &&
        batches->level[value] > batches->deepest)
        batches->deepest = batches->level[value];
}

static void write_level(void *user, struct fw_operand *operand)
{
    struct batches *batches = user;
    if (operand->value == FW_NO_INDEX)
        return;
    batches->work->level_stamp[operand->value] = batches->work->stamp;
    batches->level[operand->value] = batches->deepest;
}

/* Registers that a load from far away fills. */
static uint32_t loaded_by(const struct fw_instruction *at)
{
    if (at->opcode != FW_OP_LD || at->slot ||
        (at->space != FW_SPACE_GLOBAL && at->space != FW_SPACE_SHARED &&
         at->space != FW_SPACE_GENERIC))
        return 0;
    unsigned bits = fw_type_bits((enum fw_type)at->types[0]);
    return (bits <= 32 ? 1 : bits / 32) * (at->vector ? at->vector : 1U);
}

/* Counts the registers that loads from global memory fill and that a store of their block takes as
 * they are. */
struct kept {
    const struct fw_function *function;
    uint32_t block, registers;
};

static void count_kept(void *user, struct fw_operand *operand)
{
    struct kept *kept = user;
    if (operand->value == FW_NO_INDEX)
        return;
    const struct fw_value *of = &kept->function->values[operand->value];
    if (of->kind != FW_VALUE_INSTRUCTION || of->block != kept->block)
        return;
    const struct fw_instruction *at = &kept->function->instructions[of->definition];
    if (at->space != FW_SPACE_SHARED && loaded_by(at))
        kept->registers += loaded_by(at) / (at->vector ? at->vector : 1U);
}

uint32_t machine_loads_kept(const struct liveness *work, uint32_t index)
{
    const struct fw_block *block = &work->function->blocks[index];
    struct kept kept = {.function = work->function, .block = index};
    for (uint32_t i = block->first; i < block->end; i++)
        if (work->function->instructions[i].opcode == FW_OP_ST &&
            work->function->instructions[i].space != FW_SPACE_SHARED)
            fw_instruction_uses(&work->function->instructions[i], count_kept, &kept);
    return kept.registers;
}

uint32_t machine_load_batch(struct liveness *work, uint32_t index)
{
    enum { SPACES = 3, NEAR = 16 };
    const struct fw_block *block = &work->function->blocks[index];
    struct batches batches = {.work = work, .level = work->chain};
    uint32_t floor[SPACES] = {0}, most = 0;
    bool stored[SPACES] = {false};
    unsigned loaded = 0;
    struct fw_arena_mark mark = fw_arena_mark(work->arena);
    uint32_t *filled = FW_ARRAY(work->arena, uint32_t, block->end - block->first + 2);
    uint32_t *near = FW_ARRAY(work->arena, uint32_t, block->end - block->first + 2);
    uint32_t last = 0; /* the deepest level so far */
    work->stamp++;
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct fw_instruction *at = &work->function->instructions[i];
        struct machine_order order = machine_order_of(at);
        uint32_t registers = loaded_by(at);
        batches.deepest = 0;
        fw_instruction_uses(at, read_level, &batches);
        for (unsigned c = 0; registers && c < SPACES; c++)
            if (order.reads & 1U << c && floor[c] > batches.deepest)
                batches.deepest = floor[c];
        if (registers) {
            (at->space == FW_SPACE_SHARED ? near : filled)[++batches.deepest] += registers;
            loaded |= order.reads;
        }
        if (batches.deepest > last)
            last = batches.deepest;
        fw_instruction_definitions(at, write_level, &batches);
        for (unsigned c = 0; c < SPACES && at->opcode != FW_OP_BRA; c++)
            if (order.writes & 1U << c) {
                floor[c] = last;
                stored[c] = true;
            }
    }
    uint32_t iterations = work->lowering ? work->lowering->iterations[index] : 1;
    for (unsigned c = 0; c < SPACES; c++)
        if (stored[c] && loaded & 1U << c) /* the next iteration's loads wait for this one's */
            iterations = 1;
    iterations = iterations ? iterations : 1;
    for (uint32_t l = 0; l <= last; l++) {
        uint32_t shared = near[l] * iterations < NEAR ? near[l] * iterations : NEAR;
        if (filled[l] * iterations + shared > most)
            most = filled[l] * iterations + shared;
    }
    fw_arena_release(work->arena, mark);
    return most;
}
