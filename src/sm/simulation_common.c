#include "simulate_internal.h"

#include <math.h>

/* Its programs, each once, in the order in which warps have them first. */
static void find_programs(struct sm_common *common, struct fw_arena *arena,
                          const struct fw_sm_simulation *of)
{
    const uint32_t all = of->kinds * of->warps;
    common->programs = FW_ARRAY(arena, const struct fw_warp_program *, all + 1);
    common->program_of = FW_ARRAY(arena, uint32_t, all + 1);
    common->count = 0;
    for (uint32_t p = 0; p < all; p++) {
        uint32_t known = 0;
        while (known < common->count && common->programs[known] != of->programs[p])
            known++;
        if (known == common->count)
            common->programs[common->count++] = of->programs[p];
        common->program_of[p] = known;
    }
}

static uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* What an operation needs to issue: its unit, or a place in a queue. */
static uint32_t unit_of(const struct fw_sm_simulation *of, const struct fw_step *step)
{
    const struct fw_sm_operation *operation = &of->costs->operations[step->operation];
    if (operation->memory && of->accesses[step->instruction].wait == FW_SM_WAIT_LONG)
        return QUEUE_LG;
    if (operation->unit == FW_SM_LSU || (operation->queued && of->waiting))
        return QUEUE_MIO;
    if (operation->product && of->waiting_products)
        return QUEUE_TENSOR;
    return operation->heavy ? HEAVY : operation->unit;
}

/* What waits for the result of an operation without a request waits for. */
static enum fw_sm_part cause_of(const struct fw_sm_operation *operation)
{
    if (operation->wait == FW_SM_WAIT_FIXED)
        return FW_SM_PART_WAIT;
    if (operation->wait == FW_SM_WAIT_LONG)
        return FW_SM_PART_L1;
    return operation->unit == FW_SM_LSU ? FW_SM_PART_SHUFFLE : FW_SM_PART_SPECIAL;
}

/* A bulk copy has hundreds of lines: where L2 lacks few, one copy in so many lacks some of them,
 * and no copy all. */
static struct line_chances chances_of(const struct fw_sm_access *access)
{
    const double lines = fmax(1, access->lines);
    struct line_chances chances = {
        .fast = exp2(-lines), .each = 1 / lines, .missing = access->miss_l2, .part = 1};
    if (access->of_block && access->miss_l2 > 0 && access->miss_l2 < 1) {
        chances.missing = 1 - pow(1 - access->miss_l2, lines);
        chances.part = access->miss_l2 / chances.missing;
        chances.each = 1 / fmax(1, lines * chances.part);
    }
    for (int level = 0; level < 2; level++)
        chances.far[level] = 1 - pow(1 - access->far_share[level], lines);
    return chances;
}

void sm_common_find(struct sm_common *common, struct fw_arena *arena,
                    const struct fw_sm_simulation *of)
{
    uint32_t operations = 1;
    *common =
        (struct sm_common){.slots = 1, .depth = 1, .shares = 1, .loops = 1, .instructions = 1};
    find_programs(common, arena, of);
    for (uint32_t p = 0; p < common->count; p++) {
        const struct fw_warp_program *program = common->programs[p];
        common->slots = greater(common->slots, program->slots);
        common->depth = greater(common->depth, program->depth);
        common->shares = greater(common->shares, program->shares);
        for (uint32_t s = 0; s < program->count; s++) {
            const struct fw_step *step = &program->steps[s];
            common->instructions = greater(common->instructions, step->instruction + 1);
            if (step->kind == FW_STEP_LOOP)
                common->loops = greater(common->loops, step->loop + 1);
            if (step->kind == FW_STEP_OPERATION)
                operations = greater(operations, step->operation + 1);
        }
    }
    common->requests = FW_ARRAY(arena, uint8_t, common->instructions);
    common->lines = FW_ARRAY(arena, struct line_chances, common->instructions);
    common->units = FW_ARRAY(arena, uint8_t, operations);
    common->causes = FW_ARRAY(arena, uint8_t, operations);
    for (uint32_t p = 0; p < common->count; p++)
        for (uint32_t s = 0; s < common->programs[p]->count; s++) {
            const struct fw_step *step = &common->programs[p]->steps[s];
            if (step->kind != FW_STEP_OPERATION)
                continue;
            const struct fw_sm_operation *operation = &of->costs->operations[step->operation];
            if (operation->memory && !common->requests[step->instruction]) {
                common->requests[step->instruction] = 1;
                common->lines[step->instruction] = chances_of(&of->accesses[step->instruction]);
            }
            common->units[step->operation] = (uint8_t)unit_of(of, step);
            common->causes[step->operation] = (uint8_t)cause_of(operation);
        }
}
