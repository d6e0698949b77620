/* Units of a scheduler in a list of instructions that are put in order: an operation that finds its
 * unit busy with one before it lets others go first. */
#include "warp_program_internal.h"

#include <math.h>
#include <string.h>

/* Whether an assembler counts how long an operation keeps its unit: ptxas 13.0 writes eight
 * products of f64, or operations of logic, and eight products of f32 one by turns, a special
 * function and seven of these, IMAD.HI and three (SASS for sm_90; data/h200/mixes). */
static bool keeps_unit(const struct fw_sm_operation *operation)
{
    static const bool kept[FW_SM_UNIT_COUNT] = {[FW_SM_FMA] = true,
                                                [FW_SM_ALU] = true,
                                                [FW_SM_FP16] = true,
                                                [FW_SM_FP64] = true,
                                                [FW_SM_XU] = true};
    return kept[operation->unit];
}

void units_find(struct making *m)
{
    m->heavy = 0;
    memset(m->units, 0, sizeof(m->units));
    for (size_t l = 0; l < m->list.count; l++) {
        struct listed *at = &m->list.at[l];
        uint32_t o = at->first;
        while (o < at->end && !order_is_issued(m, at, o))
            o++;
        at->takes =
            o < at->end && keeps_unit(&m->costs->operations[o]) ? &m->costs->operations[o] : NULL;
    }
}

double units_free(const struct making *m, const struct listed *at)
{
    if (!at->takes)
        return 0;
    return at->takes->heavy ? m->heavy : m->units[at->takes->unit];
}

void units_take(struct making *m, const struct listed *at, double now)
{
    for (uint32_t o = at->first; o < at->end; o++) {
        const struct fw_sm_operation *operation = &m->costs->operations[o];
        if (!order_is_issued(m, at, o) || !keeps_unit(operation))
            continue;
        double *unit = operation->heavy ? &m->heavy : &m->units[operation->unit];
        *unit = now + (operation->heavy ? operation->holds : operation->interval);
    }
}
