/* What an iteration weighs, and how much of it ptxas makes four of (unroll.c has the source). */
#include "unrolling.h"

#include <string.h>

enum { GLOBAL_MOST = 46, SHARED_MORE = 5, SHARED_MOST = 96 };

static void weigh_operation(struct loop_weight *weight, const struct fw_machine_count *at)
{
    enum fw_machine operation = (enum fw_machine)at->operation;
    const char *name = fw_machine_text(operation);
    uint32_t each = 1;
    if (operation == FW_MACHINE_CALL || operation == FW_MACHINE_FCHK)
        weight->refused = true;
    if (strncmp(name, "ATOM", 4) == 0 || strncmp(name, "RED", 3) == 0)
        each = UNROLL_ATOMIC;
    else if (fw_machine_pipe(operation) == FW_PIPE_LSU && operation != FW_MACHINE_SHFL)
        each = UNROLL_ACCESS;
    if (strncmp(name, "LDS", 3) == 0 && operation != FW_MACHINE_LDSM)
        weight->shared_loads += at->count;
    if (strncmp(name, "LDG", 3) == 0 || strncmp(name, "LD", 3) == 0)
        weight->global_loads += at->count;
    weight->sum += each * at->count;
}

/* Words of shared memory are still loaded one by one where ptxas decides. */
static void weigh_word(struct loop_weight *weight, const struct fw_instruction *at,
                       const struct fw_lowered *lowered)
{
    if (at->opcode == FW_OP_LD && at->space == FW_SPACE_SHARED && lowered->count == 0) {
        weight->sum += UNROLL_ACCESS;
        weight->shared_loads++;
    }
}

/* What a predicate adds that is not issued by itself: it weighs, and so does each copy that sets a
 * register for the case that what is under the predicate is not executed, and a condition that
 * ptxas joins to the comparison before it. */
static uint32_t weigh_predicate(const struct lowering *work, const struct counted_loop *counted,
                                uint32_t i)
{
    const struct fw_function *function = work->function;
    const struct fw_instruction *at = unroll_instruction(work, i);
    const bool joined = at->opcode == FW_OP_AND && at->types[0] == FW_TYPE_PRED &&
                        work->result->instructions[i].absorbed != FW_NO_INDEX;
    if (at->guard == FW_NO_INDEX || at->opcode == FW_OP_MOV || at->opcode == FW_OP_BRA)
        return joined;
    uint32_t sum = 1, count = at->prior_values ? fw_instruction_definitions(at, NULL, NULL) : 0;
    for (uint32_t p = 0; p < count; p++) {
        if (at->prior_values[p] == FW_NO_INDEX)
            continue;
        const struct fw_value *prior = &function->values[at->prior_values[p]];
        sum += prior->kind == FW_VALUE_INSTRUCTION &&
               unroll_instruction(work, prior->definition)->opcode == FW_OP_MOV &&
               !work->result->instructions[prior->definition].count &&
               unroll_contains(function, counted->loop, prior->block);
    }
    return sum;
}

struct loop_weight unroll_weigh(const struct lowering *work, const struct counted_loop *counted)
{
    struct loop_weight weight = {0};
    for (uint32_t b = 0; b < counted->loop->block_count; b++) {
        const struct fw_block *block = &work->function->blocks[counted->loop->blocks[b]];
        for (uint32_t i = block->first; i < block->end; i++) {
            const struct fw_lowered *lowered = &work->result->instructions[i];
            const struct fw_instruction *at = unroll_instruction(work, i);
            weight.refused |= (at->flags & FW_FLAG_ROLLED) || at->opcode == FW_OP_CALL;
            if (i == counted->step || i == counted->compare || i == counted->branch ||
                i == counted->back || unroll_moves_pointer(work, counted, i))
                continue;
            for (unsigned c = 0; c < lowered->count; c++)
                weigh_operation(&weight, &lowered->at[c]);
            weigh_word(&weight, at, lowered);
            weight.sum += weigh_predicate(work, counted, i);
            weight.sum += unroll_offsets_pointer(work, counted, i) ? UNROLL_WIDE - 1 : 0;
        }
    }
    return weight;
}

bool unroll_is_small(const struct loop_weight *weight)
{
    uint32_t most = UNROLL_WEIGHT + SHARED_MORE * weight->shared_loads;
    if (most > SHARED_MOST)
        most = SHARED_MOST;
    if (weight->global_loads && most < GLOBAL_MOST)
        most = GLOBAL_MOST;
    return weight->sum <= most;
}
