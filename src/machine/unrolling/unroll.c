/* lowering, sixth part: loops that ptxas unrolls, and what their iterations then share.
 *
 * ptxas 13.0 takes four iterations at once of a loop that counts by a literal to a bound that does
 * not change, when one block leaves it, no loop and no call is inside, and the body is small. Found
 * by compiling loops of growing bodies (scripts/study-unrolling, data/lowering/unrolling.txt): an
 * operation weighs 1, an access of memory 2, an atomic one 10, what counts the loop and what moves
 * its pointers by literals nothing; a pointer that is put together from one that moves and one that
 * does not, 2.  A predicate of an instruction weighs 1, and so does each register that is set for
 * the case that a load is not executed, and a condition that is joined to another.  A body may
 * weigh 18; 18 and 5 for each load from shared memory, up to 96; 46 when it loads from global
 * memory.  A loop of a known number of iterations is unrolled completely if all of them weigh no
 * more than 768, or 1500 when one weighs no more than 18, or 500 where the loop is left in its
 * middle: what stands ahead of that is executed once before it, and what stands behind it comes
 * first then; a loop that only asks at its begin is turned to ask at its end. The compare, the
 * branch, the counter and the pointers are then issued once in four iterations. Sums, logic and
 * extremes that gather over the iterations take two of them at once. What stands around such a loop
 * (data/lowering/around_loops.txt) is issued with the instruction before it. */
#include "unrolling.h"

#include "checked.h"

#include <string.h>

enum { TOGETHER = 4, COMPLETE = 1500, COMPLETE_LARGE = 768, COMPLETE_MIDDLE = 500 };

static void share(struct lowering *work, uint32_t i, uint8_t every)
{
    struct fw_lowered *lowered = &work->result->instructions[i];
    for (unsigned c = 0; c < lowered->count; c++)
        lowered->at[c].every = every;
}

/* x = x op y from one iteration to the next, read nowhere else in the loop: two steps at once. */
static bool gathers(const struct lowering *work, const struct counted_loop *counted, uint32_t i)
{
    const struct fw_lowered *lowered = &work->result->instructions[i];
    uint32_t value = fw_lowering_value(work, i);
    if (lowered->count != 1 || lowered->at[0].count != 1 || value == FW_NO_INDEX ||
        work->taken[i] ||
        (lowered->at[0].operation != FW_MACHINE_IADD3 &&
         lowered->at[0].operation != FW_MACHINE_LOP3 &&
         lowered->at[0].operation != FW_MACHINE_IMNMX))
        return false;
    const struct fw_block *header = &work->function->blocks[counted->loop->header];
    for (uint32_t p = 0; p < header->phi_count; p++) {
        uint32_t phi = header->phis[p].value;
        bool next = false;
        for (uint32_t n = 0; n < header->predecessor_count; n++)
            next |= unroll_contains(work->function, counted->loop, header->predecessors[n]) &&
                    fw_lowering_origin(work, header->phis[p].inputs[n]) == value;
        if (next && fw_lowering_use_count(work, phi) == 1 && fw_lowering_use(work, phi, 0) == i)
            return true;
    }
    return false;
}

static void set_iterations(struct lowering *work, const struct counted_loop *counted,
                           uint64_t iterations)
{
    for (uint32_t b = 0; b < counted->loop->block_count; b++)
        work->result->iterations[counted->loop->blocks[b]] =
            (uint8_t)(iterations < UINT8_MAX ? iterations : UINT8_MAX);
}

static void unroll(struct lowering *work, const struct counted_loop *counted)
{
    struct loop_entry entry = {.count = 0};
    if (!counted->trips)
        entry = unroll_entry(work, counted); /* of operations that are not shared yet */
    uint32_t value = fw_lowering_value(work, counted->step);
    bool only_counts = unroll_moves_pointer(work, counted, counted->step);
    for (uint32_t u = 0; value != FW_NO_INDEX && u < fw_lowering_use_count(work, value); u++) {
        uint32_t user = fw_lowering_use(work, value, u);
        only_counts = only_counts && (user == FW_NO_INDEX || user == counted->compare);
    }
    if (only_counts)
        share(work, counted->step, TOGETHER);
    share(work, counted->compare, TOGETHER);
    share(work, counted->branch, TOGETHER);
    for (uint32_t b = 0; b < counted->loop->block_count; b++) /* four, two and one at once */
        work->copies[counted->loop->blocks[b]] = 2 * TOGETHER - 1;
    set_iterations(work, counted, TOGETHER);
    if (entry.count)
        unroll_add_entry(work, counted, &entry);
    for (uint32_t b = 0; b < counted->loop->block_count; b++) {
        const struct fw_block *block = &work->function->blocks[counted->loop->blocks[b]];
        for (uint32_t i = block->first; i < block->end; i++) {
            if (i == counted->step || i == counted->compare || i == counted->branch)
                continue;
            if (unroll_moves_pointer(work, counted, i) || unroll_offsets_pointer(work, counted, i))
                share(work, i, TOGETHER);
            else if (gathers(work, counted, i))
                share(work, i, TOGETHER / 2);
        }
    }
}

/* Bytes that an iteration moves the place of a load by; 0: not known. */
static int64_t place_step(const struct lowering *work, const struct counted_loop *counted,
                          const struct fw_operand *place)
{
    const struct fw_value *of = &work->function->values[place->value];
    uint32_t step = FW_NO_INDEX;
    int64_t by = 0;
    if (unroll_counter(work, counted->loop, place->value, &step) == NULL) {
        if (of->kind != FW_VALUE_INSTRUCTION ||
            !unroll_offsets_pointer(work, counted, of->definition))
            return 0;
        const struct fw_instruction *sum = unroll_instruction(work, of->definition);
        for (unsigned o = 1; o < 3 && step == FW_NO_INDEX; o++)
            if (sum->operands[o].kind == FW_OPERAND_REGISTER)
                unroll_counter(work, counted->loop, sum->operands[o].value, &step);
    }
    if (step == FW_NO_INDEX ||
        !unroll_literal(work, &unroll_instruction(work, step)->operands[2], &by))
        return 0;
    return unroll_instruction(work, step)->opcode == FW_OP_SUB ? -by : by;
}

static bool loads_shared(const struct fw_instruction *at)
{
    return at->opcode == FW_OP_LD && at->space == FW_SPACE_SHARED && at->guard == FW_NO_INDEX &&
           !(at->flags & FW_FLAG_VOLATILE) &&
           at->operands[at->operand_count - 1].kind == FW_OPERAND_ADDRESS &&
           at->operands[at->operand_count - 1].value != FW_NO_INDEX;
}

/* Whether the iteration before has loaded what a load asks for, by the load `other`. */
static bool loads_ahead(const struct lowering *work, const struct counted_loop *counted,
                        const struct fw_instruction *at, const struct fw_instruction *other)
{
    const struct fw_operand *place = &at->operands[at->operand_count - 1];
    const struct fw_operand *ahead = &other->operands[other->operand_count - 1];
    int64_t further;
    return loads_shared(other) && other->space == at->space && other->types[0] == at->types[0] &&
           other->vector == at->vector && ahead->value == place->value &&
           !fw_subtract_overflows(ahead->immediate, place->immediate, &further) && further != 0 &&
           further == place_step(work, counted, place);
}

/* Of iterations one after the other that store nothing, ptxas 13.0 makes no load from shared memory
 * again that the iteration before has made: of the nine points of a patch that moves by two
 * columns, it loads three (`nlm_denoise` in data/h200/programs-eighth). */
static void share_loads(struct lowering *work, const struct counted_loop *counted)
{
    const struct fw_loop_info *loop = counted->loop;
    for (uint32_t b = 0; b < loop->block_count; b++) {
        const struct fw_block *block = &work->function->blocks[loop->blocks[b]];
        for (uint32_t i = block->first; i < block->end; i++) {
            const struct fw_instruction *at = unroll_instruction(work, i);
            if (at->opcode == FW_OP_ST || at->opcode == FW_OP_ATOM || at->opcode == FW_OP_RED ||
                at->opcode == FW_OP_BAR)
                return;
        }
    }
    const uint8_t every = (uint8_t)(counted->trips < UINT8_MAX ? counted->trips : UINT8_MAX);
    for (uint32_t b = 0; b < loop->block_count; b++) {
        const struct fw_block *block = &work->function->blocks[loop->blocks[b]];
        for (uint32_t i = block->first; i < block->end; i++)
            for (uint32_t c = 0; loads_shared(unroll_instruction(work, i)) && c < loop->block_count;
                 c++) {
                const struct fw_block *other = &work->function->blocks[loop->blocks[c]];
                for (uint32_t j = other->first; j < other->end; j++)
                    if (loads_ahead(work, counted, unroll_instruction(work, i),
                                    unroll_instruction(work, j)))
                        share(work, i, every);
            }
    }
}

/* All iterations one after the other: nothing is left of the counter, places of memory included. */
static void unroll_completely(struct lowering *work, const struct counted_loop *counted)
{
    const uint32_t gone[] = {counted->step, counted->compare, counted->branch};
    set_iterations(work, counted, counted->trips);
    for (unsigned g = 0; g < sizeof(gone) / sizeof(*gone); g++)
        fw_lowering_list(&work->result->instructions[gone[g]], work->arena, "");
    for (uint32_t b = 0; b < counted->loop->block_count; b++) {
        const struct fw_block *block = &work->function->blocks[counted->loop->blocks[b]];
        for (uint32_t i = block->first; i < block->end; i++)
            if (unroll_moves_pointer(work, counted, i) ||
                (counted->middle && unroll_offsets_pointer(work, counted, i)))
                fw_lowering_list(&work->result->instructions[i], work->arena, "");
            else if (gathers(work, counted, i))
                share(work, i, TOGETHER / 2);
    }
    if (counted->middle)
        share_loads(work, counted);
}

void fw_lowering_unroll(struct lowering *work)
{
    const struct fw_function *function = work->function;
    struct lowering_counters counters = {
        .stamp = FW_ARRAY(work->arena, uint32_t, function->value_count + 1),
        .phi = FW_ARRAY(work->arena, uint32_t, function->value_count + 1),
        .step = FW_ARRAY(work->arena, uint32_t, function->value_count + 1)};
    work->counters = &counters;
    for (uint32_t l = 0; l < function->loop_count; l++) {
        struct counted_loop counted = {.loop = &function->loops[l]};
        if (!unroll_is_counted(work, &counted))
            continue;
        struct loop_weight weight = unroll_weigh(work, &counted);
        if (weight.refused)
            continue;
        if (counted.back != FW_NO_INDEX)
            fw_lowering_list(&work->result->instructions[counted.back], work->arena, "");
        const uint64_t all = counted.trips * (weight.sum + UNROLL_ACCESS);
        const uint64_t most = counted.middle                ? COMPLETE_MIDDLE
                              : weight.sum <= UNROLL_WEIGHT ? COMPLETE
                                                            : COMPLETE_LARGE;
        if (counted.trips && all <= most)
            unroll_completely(work, &counted);
        else if (unroll_is_small(&weight))
            unroll(work, &counted);
    }
    work->counters = NULL;
}
