/* Operations that have a form on two units, or take one half of a unit or either. */
#include "machine_cost_internal.h"

#include "warp.h"

#include <math.h>

/* The FMA unit has two halves: products of integers, sums and moves of integers in their form of a
 * product take the one that multiplies integers, f32 whichever is free (data/h200/pipes: products
 * of integers take a warp every 2 cycles, beside products of f32 as well; those of 64 bits, of
 * which a part is kept or all, every 4). */
void forms_halve(struct costing *c, struct fw_sm_operation *to, double passes)
{
    double heavy = costing_interval(c, FW_FIGURE_LANES_INT32_MULTIPLY, FW_WARP_THREADS);
    double f32 = costing_interval(c, FW_FIGURE_LANES_F32, FW_WARP_THREADS);
    if (!(heavy > f32) || !(f32 > 0)) /* one half is all */
        return;
    to->holds = passes > 0 ? passes * heavy : f32 / (1 - f32 / heavy);
    to->heavy = passes > 0;
    to->interval = passes > 0 ? passes * f32 : f32;
}

/* An operation of the ALU in its form as a product. */
static void multiply(struct costing *c, struct fw_sm_operation *to)
{
    to->unit = FW_SM_FMA;
    to->interval = costing_interval(c, FW_FIGURE_LANES_F32, FW_WARP_THREADS);
    forms_halve(c, to, 1);
}

/* Products and sums of two halves have a form on the half of the FMA unit that multiplies integers
 * (HFMA2, HADD2), and one on a unit of their own (HFMA2.MMA), either of which takes a warp every
 * other cycle; ptxas 13.0 writes them by turns for sm_90.  A conversion of f16 to f32 (HADD2.F32)
 * has the first form alone.  Source: data/h200/mixes: beside products of integers, n of each take 3
 * n cycles, and such conversions 4 n. */
void forms_choose_half(struct costing *c, struct fw_sm_operation *to, bool converts)
{
    const double f32 = costing_interval(c, FW_FIGURE_LANES_F32, FW_WARP_THREADS);
    const double heavy = costing_interval(c, FW_FIGURE_LANES_INT32_MULTIPLY, FW_WARP_THREADS);
    if (to->unit != FW_SM_FP16 || !(heavy > f32) || !(to->interval < heavy))
        return; /* they have one form, or the unit is as slow */
    c->turned = c->turned != !converts;
    if (converts || c->turned) {
        to->unit = FW_SM_FMA;
        to->interval = f32;
        to->holds = heavy;
        to->heavy = true;
    } else {
        to->interval *= 2;
    }
}

/* Whether an operation of an instruction, of whose operations it is the `o`th, is one that the FMA
 * unit has a form of, too. */
static bool is_either(const struct fw_scheduled *at, uint32_t o)
{
    for (uint32_t m = 0; m < at->machine_count; m++) {
        const struct fw_machine_operation *operation = &at->machine[m];
        if (o < operation->times)
            return !operation->guarded && o + operation->either >= operation->times;
        o -= operation->times;
    }
    return false;
}

/* What the instructions of a loop, but for those of loops inside, ask of two units, as numbers of
 * operations: by what no other unit does, and by what both do.  Of the last, those that were looked
 * at, and those that the FMA unit was given. */
struct asked {
    double alu, fma, either;
    double seen, given;
};

static struct asked *asked_by(const struct fw_kernel *kernel, struct asked *loops, uint32_t i)
{
    const uint32_t domain = kernel->schedule[i].domain;
    const uint32_t loop = kernel->domain_count ? kernel->domains[domain].innermost : FW_NONE;
    return &loops[loop == FW_NONE ? kernel->loop_count : loop];
}

static void ask(struct asked *by, const struct fw_sm_operation *at, bool either)
{
    const double times = 1.0 / at->every;
    if (either)
        by->either += times;
    else if (at->unit == FW_SM_ALU)
        by->alu += times;
    else if (at->unit == FW_SM_FMA)
        by->fma += times;
}

/* Whether the next operation that both units have a form of is one of the FMA unit. */
static bool is_given(struct asked *by, const struct fw_sm_operation *at)
{
    const double times = 1.0 / at->every;
    const double all = fmin(by->either, fmax(0, (by->alu + by->either - by->fma) / 2));
    by->seen += times;
    if (by->seen * all < (by->given + times / 2) * by->either)
        return false;
    by->given += times;
    return true;
}

/* ptxas writes each operation that has a form on two units for one of them, so that both have as
 * many operations, or the one that has more by itself has none of these (data/lowering/forms.txt).
 */
void forms_give(struct costing *c, const struct fw_sm_costs *costs)
{
    const struct fw_kernel *kernel = c->kernel;
    struct asked *loops = FW_ARRAY(c->arena, struct asked, kernel->loop_count + 1);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < kernel->schedule_count; i++)
            for (uint32_t o = costs->first[i]; o < costs->first[i + 1]; o++) {
                struct fw_sm_operation *at = &c->operations.at[o];
                const bool either =
                    at->unit == FW_SM_ALU && is_either(&kernel->schedule[i], o - costs->first[i]);
                struct asked *by = asked_by(kernel, loops, i);
                if (pass == 0)
                    ask(by, at, either);
                else if (either && is_given(by, at))
                    multiply(c, at);
            }
}
