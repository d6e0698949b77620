/* Loops that count by a literal to a bound that does not change, and pointers that move with them.
 */
#include "unrolling.h"

#include "checked.h"

const struct fw_instruction *unroll_instruction(const struct lowering *work, uint32_t i)
{
    return &work->function->instructions[i];
}

bool unroll_contains(const struct fw_function *function, const struct fw_loop_info *loop,
                     uint32_t block)
{
    return fw_block_in_loop(function, block, (uint32_t)(loop - function->loops));
}

static bool has_inner(const struct fw_function *function, const struct fw_loop_info *loop)
{
    for (uint32_t l = 0; l < function->loop_count; l++)
        if (function->loops[l].parent == (uint32_t)(loop - function->loops))
            return true;
    return false;
}

static bool ends_kernel(const struct fw_function *function, const struct fw_block *block)
{
    if (block->end == block->first)
        return false;
    const enum fw_opcode opcode = (enum fw_opcode)function->instructions[block->end - 1].opcode;
    return opcode == FW_OP_RET || opcode == FW_OP_EXIT || opcode == FW_OP_TRAP ||
           opcode == FW_OP_BRX;
}

/* The only block that leaves the loop, which each iteration comes to: the one latch, or a block in
 * the middle, as where a compiler has made one iteration of two and their number is odd.
 * FW_NO_INDEX: there is no such block. */
static uint32_t leaving_block(const struct fw_function *function, const struct fw_loop_info *loop)
{
    uint32_t leaves = FW_NO_INDEX;
    if (loop->latch_count != 1)
        return FW_NO_INDEX;
    for (uint32_t b = 0; b < loop->block_count; b++) {
        const struct fw_block *block = &function->blocks[loop->blocks[b]];
        bool out = ends_kernel(function, block) && loop->blocks[b] != loop->latches[0];
        for (uint32_t s = 0; s < block->successor_count; s++)
            if (!unroll_contains(function, loop, block->successors[s])) {
                out |= leaves != FW_NO_INDEX && leaves != loop->blocks[b];
                leaves = loop->blocks[b];
            }
        if (out)
            return FW_NO_INDEX;
    }
    uint32_t above = loop->latches[0];
    while (above != FW_NO_INDEX && above != leaves && above != loop->header)
        above = function->blocks[above].dominator;
    return above == leaves ? leaves : FW_NO_INDEX;
}

bool unroll_literal(const struct lowering *work, const struct fw_operand *operand, int64_t *literal)
{
    if (operand->kind == FW_OPERAND_INTEGER) {
        *literal = operand->immediate;
        return true;
    }
    uint32_t value = operand->kind == FW_OPERAND_REGISTER ? fw_lowering_origin(work, operand->value)
                                                          : FW_NO_INDEX;
    if (value == FW_NO_INDEX || work->function->values[value].kind != FW_VALUE_INSTRUCTION)
        return false;
    const struct fw_instruction *at =
        unroll_instruction(work, work->function->values[value].definition);
    if (at->opcode != FW_OP_MOV || at->guard != FW_NO_INDEX || at->operand_count != 2 ||
        at->operands[1].kind != FW_OPERAND_INTEGER)
        return false;
    *literal = at->operands[1].immediate;
    return true;
}

static bool is_invariant(const struct lowering *work, const struct fw_loop_info *loop,
                         const struct fw_operand *operand)
{
    if (operand->kind == FW_OPERAND_INTEGER)
        return true;
    return operand->kind == FW_OPERAND_REGISTER && operand->value != FW_NO_INDEX &&
           !unroll_contains(work->function, loop, work->function->values[operand->value].block);
}

static void note_counter(struct lowering_counters *counters, uint32_t value, uint32_t phi,
                         uint32_t step)
{
    if (counters->stamp[value] == counters->found)
        return; /* the first one holds */
    counters->stamp[value] = counters->found;
    counters->phi[value] = phi;
    counters->step[value] = step;
}

/* The instruction that steps a phi by a literal when an edge is followed; FW_NO_INDEX: another. */
static uint32_t step_of(const struct lowering *work, const struct fw_phi *phi, uint32_t next)
{
    int64_t by;
    if (next == FW_NO_INDEX || work->function->values[next].kind != FW_VALUE_INSTRUCTION)
        return FW_NO_INDEX;
    uint32_t step = work->function->values[next].definition;
    const struct fw_instruction *at = unroll_instruction(work, step);
    if ((at->opcode != FW_OP_ADD && at->opcode != FW_OP_SUB) || at->guard != FW_NO_INDEX ||
        at->operand_count != 3 || fw_type_class((enum fw_type)at->types[0]) == 'f' ||
        !unroll_literal(work, &at->operands[2], &by) ||
        at->operands[1].kind != FW_OPERAND_REGISTER ||
        fw_lowering_origin(work, at->operands[1].value) != phi->value)
        return FW_NO_INDEX;
    return step;
}

static void find_counters(const struct lowering *work, const struct fw_loop_info *loop)
{
    struct lowering_counters *counters = work->counters;
    const struct fw_block *header = &work->function->blocks[loop->header];
    counters->loop = loop;
    counters->found++;
    for (uint32_t i = 0; i < header->predecessor_count; i++)
        for (uint32_t p = 0; p < header->phi_count &&
                             unroll_contains(work->function, loop, header->predecessors[i]);
             p++) {
            uint32_t next = fw_lowering_origin(work, header->phis[p].inputs[i]);
            uint32_t step = step_of(work, &header->phis[p], next);
            if (step == FW_NO_INDEX)
                continue;
            note_counter(counters, next, p, step);
            note_counter(counters, header->phis[p].value, p, step);
        }
}

/* The phi of the loop's header that a value is, or is a literal's step from: its next value's
 * instruction in `step`. */
const struct fw_phi *unroll_counter(const struct lowering *work, const struct fw_loop_info *loop,
                                    uint32_t value, uint32_t *step)
{
    const struct lowering_counters *counters = work->counters;
    value = fw_lowering_origin(work, value);
    if (counters->loop != loop)
        find_counters(work, loop);
    if (value == FW_NO_INDEX || counters->stamp[value] != counters->found)
        return NULL;
    *step = counters->step[value];
    return &work->function->blocks[loop->header].phis[counters->phi[value]];
}

/* Iterations, where start, step and bound are literals and the loop ends in the usual way. */
static uint64_t known_trips(const struct lowering *work, const struct counted_loop *counted,
                            const struct fw_phi *phi, const struct fw_operand *bound)
{
    enum { MOST = 1 << 20 };
    const struct fw_block *header = &work->function->blocks[counted->loop->header];
    const struct fw_instruction *step = unroll_instruction(work, counted->step);
    int64_t from = 0, by, to;
    bool known = unroll_literal(work, bound, &to) && unroll_literal(work, &step->operands[2], &by);
    for (uint32_t i = 0; i < header->predecessor_count; i++) {
        struct fw_operand start = {.kind = FW_OPERAND_REGISTER, .value = phi->inputs[i]};
        if (!unroll_contains(work->function, counted->loop, header->predecessors[i]))
            known = known && phi->inputs[i] != FW_NO_INDEX && unroll_literal(work, &start, &from);
    }
    int64_t distance;
    if (!known || by == 0 || by == INT64_MIN || fw_subtract_overflows(to, from, &distance) ||
        distance == INT64_MIN)
        return 0;
    by = step->opcode == FW_OP_SUB ? -by : by;
    if ((distance > 0) != (by > 0) || distance / by <= 0 || distance / by > MOST)
        return 0;
    return (uint64_t)((distance - (by > 0 ? 1 : -1)) / by) + 1;
}

/* Whether a loop that is left at its begin does nothing there but ask whether it goes on, and its
 * latch is a branch without a guard behind other work: ptxas turns it so that it asks at its end.
 */
static bool asks_first(const struct fw_function *function, const struct fw_loop_info *loop)
{
    const struct fw_block *latch = &function->blocks[loop->latches[0]];
    const struct fw_block *header = &function->blocks[loop->header];
    if (loop->latches[0] == loop->header || latch->end == latch->first ||
        header->successor_count != 2)
        return false;
    for (uint32_t i = header->first; i < header->end; i++) {
        const enum fw_opcode opcode = (enum fw_opcode)function->instructions[i].opcode;
        if (opcode == FW_OP_LD || opcode == FW_OP_ST || opcode == FW_OP_ATOM || opcode == FW_OP_RED)
            return false;
    }
    const struct fw_instruction *back = &function->instructions[latch->end - 1];
    return back->opcode == FW_OP_BRA && back->guard == FW_NO_INDEX;
}

bool unroll_is_counted(const struct lowering *work, struct counted_loop *counted)
{
    const struct fw_function *function = work->function;
    const struct fw_loop_info *loop = counted->loop;
    const uint32_t leaves = has_inner(function, loop) ? FW_NO_INDEX : leaving_block(function, loop);
    if (leaves == FW_NO_INDEX || function->blocks[leaves].end == function->blocks[leaves].first)
        return false;
    const bool first = leaves == loop->header && asks_first(function, loop);
    counted->middle = leaves != loop->latches[0] && !first;
    counted->back = first ? function->blocks[loop->latches[0]].end - 1 : FW_NO_INDEX;
    counted->branch = function->blocks[leaves].end - 1;
    const struct fw_instruction *branch = unroll_instruction(work, counted->branch);
    if (branch->opcode != FW_OP_BRA || branch->guard == FW_NO_INDEX)
        return false;
    uint32_t guard = fw_lowering_origin(work, branch->guard_value);
    if (guard == FW_NO_INDEX || function->values[guard].kind != FW_VALUE_INSTRUCTION)
        return false;
    counted->compare = function->values[guard].definition;
    const struct fw_instruction *compare = unroll_instruction(work, counted->compare);
    if (compare->opcode != FW_OP_SETP || compare->operand_count != 3 ||
        fw_type_class((enum fw_type)compare->types[0]) == 'f')
        return false;
    for (unsigned o = 1; o < 3; o++) {
        const struct fw_operand *at = &compare->operands[o], *bound = &compare->operands[3 - o];
        if (at->kind != FW_OPERAND_REGISTER || !is_invariant(work, loop, bound))
            continue;
        const struct fw_phi *phi = unroll_counter(work, loop, at->value, &counted->step);
        if (!phi)
            continue;
        counted->phi = phi->value;
        counted->trips = known_trips(work, counted, phi, bound);
        if (counted->middle && counted->trips) /* what is compared has not been stepped yet */
            counted->trips += fw_lowering_origin(work, at->value) == phi->value;
        return true;
    }
    return false;
}

/* Only places of memory read the value, as their address. */
static bool only_places(const struct lowering *work, uint32_t value)
{
    uint32_t count = fw_lowering_use_count(work, value);
    for (uint32_t u = 0; u < count; u++) {
        uint32_t user = fw_lowering_use(work, value, u);
        if (user == FW_NO_INDEX)
            return false;
        const struct fw_instruction *at = unroll_instruction(work, user);
        bool place = false, read = false;
        for (unsigned o = 0; o < at->operand_count; o++) {
            place |= at->operands[o].kind == FW_OPERAND_ADDRESS && at->operands[o].value == value;
            read |= fw_lowering_reads(&at->operands[o], value);
        }
        if (!place || read)
            return false;
    }
    return count > 0;
}

bool unroll_offsets_pointer(const struct lowering *work, const struct counted_loop *counted,
                            uint32_t i)
{
    const struct fw_instruction *at = unroll_instruction(work, i);
    uint32_t value = fw_lowering_value(work, i), step;
    if (at->opcode != FW_OP_ADD || at->operand_count != 3 || value == FW_NO_INDEX ||
        work->blocks[i] == FW_NO_INDEX ||
        !unroll_contains(work->function, counted->loop, work->blocks[i]) ||
        !only_places(work, value))
        return false;
    for (unsigned o = 1; o < 3; o++)
        if (at->operands[o].kind == FW_OPERAND_REGISTER &&
            is_invariant(work, counted->loop, &at->operands[3 - o])) {
            const struct fw_phi *phi =
                unroll_counter(work, counted->loop, at->operands[o].value, &step);
            if (phi && fw_lowering_origin(work, at->operands[o].value) == phi->value)
                return true;
        }
    return false;
}

bool unroll_moves_pointer(const struct lowering *work, const struct counted_loop *counted,
                          uint32_t i)
{
    uint32_t step;
    uint32_t value = fw_lowering_value(work, i);
    const struct fw_phi *phi =
        value == FW_NO_INDEX ? NULL : unroll_counter(work, counted->loop, value, &step);
    if (!phi || step != i)
        return false;
    for (uint32_t u = 0; u < fw_lowering_use_count(work, phi->value); u++) {
        uint32_t user = fw_lowering_use(work, phi->value, u);
        if (user == i || user == counted->compare)
            continue;
        if (user == FW_NO_INDEX)
            return false;
        const struct fw_instruction *access = unroll_instruction(work, user);
        if (unroll_offsets_pointer(work, counted, user))
            continue;
        bool place = work->result->instructions[user].absorbed != FW_NO_INDEX;
        for (unsigned o = 0; o < access->operand_count; o++)
            place |= access->operands[o].kind == FW_OPERAND_ADDRESS &&
                     access->operands[o].value == phi->value;
        if (!place)
            return false;
    }
    return true;
}
