/* branches: a guarded branch around one without a guard that goes back is turned round.
 *
 *     @p bra OUT;              @!p bra BACK;
 *     bra.uni BACK;      ->
 *     OUT:                     OUT:
 *
 * LLVM writes the end of a loop in the left way (14 to 22, clang and Numba), nvcc in the right one,
 * and ptxas makes the same machine code of both.  What comes later then sees a loop that its last
 * block leaves, however it was written.  Tests of a switch end so with branches forward, and stay:
 * what makes tables of them knows them as they are.  Needs what inlining gives, and comes before
 * blocks. */
#include "passes.h"

/* Whether a branch or a table names a label at each instruction; in the arena. */
static bool *find_targets(struct fw_arena *arena, const struct fw_function *function)
{
    bool *target = FW_ARRAY(arena, bool, (size_t)function->instruction_count + 1);
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct fw_instruction *at = &function->instructions[i];
        for (uint32_t t = 0; t < at->target_count; t++)
            target[function->labels[at->targets[t]].instruction] = true;
    }
    return target;
}

static bool is_jump(const struct fw_instruction *at)
{
    return at->opcode == FW_OP_BRA && at->target_count == 1;
}

/* Whether instruction i is a guarded branch around the next one, a branch back without a guard. */
static bool goes_around(const struct fw_function *function, const bool *target, uint32_t i)
{
    const struct fw_instruction *at = &function->instructions[i];
    return i + 1 < function->instruction_count && is_jump(at) && at->guard != FW_NO_INDEX &&
           is_jump(at + 1) && at[1].guard == FW_NO_INDEX && !target[i + 1] &&
           function->labels[at->targets[0]].instruction == i + 2 &&
           function->labels[at[1].targets[0]].instruction <= i;
}

void fw_pass_branches(struct fw_arena *arena, struct fw_function *function)
{
    uint32_t count = function->instruction_count, kept = 0;
    const bool *target = find_targets(arena, function);
    uint32_t *moved = FW_ARRAY(arena, uint32_t, (size_t)count + 1);
    bool *dropped = FW_ARRAY(arena, bool, (size_t)count + 1);
    for (uint32_t i = 0; i < count; i++)
        if (goes_around(function, target, i))
            dropped[i + 1] = true;
    for (uint32_t i = 0; i < count; i++) {
        struct fw_instruction *at = &function->instructions[i];
        moved[i] = kept;
        if (dropped[i])
            continue;
        if (dropped[i + 1]) {
            at->guard_negated = !at->guard_negated;
            at->targets = at[1].targets;
        }
        function->instructions[kept++] = *at;
    }
    moved[count] = kept;
    for (uint32_t l = 0; l < function->label_count && kept < count; l++)
        function->labels[l].instruction = moved[function->labels[l].instruction];
    function->instruction_count = kept;
}
