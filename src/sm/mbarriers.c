/* mbarriers: the phases of arrays of them, by how often each warp has come there.
 *
 * A ring of stages has an array of mbarriers, which all that use it go through in turn.  Phases are
 * therefore counted through the array: a warp's next wait is for the phase after that of its last
 * one, and so with arrivals.  A phase is over when its threads have arrived and the bytes of its
 * copies are there.  Which parity the first wait asks for is not known: where all warps of a block
 * wait, and for an array that no copies complete on, its first waits are for the phase before the
 * first, as a producer's for empty stages are, one for each member. */
#include "simulate_internal.h"

#include <math.h>
#include <string.h>

static struct mbarrier *find(struct machine *m, uint32_t number)
{
    for (uint32_t i = 0; i < m->mbarrier_count; i++)
        if (m->mbarriers[i].number == number)
            return &m->mbarriers[i];
    return NULL;
}

static void note(struct machine *m, const struct fw_step *step)
{
    struct mbarrier *at = find(m, step->other);
    if (!at && m->mbarrier_count < MBARRIERS) {
        at = &m->mbarriers[m->mbarrier_count++];
        *at = (struct mbarrier){.number = step->other, .executions = 1};
    }
    if (at && step->kind == FW_STEP_ARRIVE && (step->step > 0 || step->behind_copies))
        at->announced = true;
    if (at && step->arrivals)
        at->arrivals = step->arrivals;
    if (at && step->places > at->places)
        at->places = step->places;
}

/* Threads of a block that arrive at an array, each in one execution. */
static double threads_at(const struct machine *m, uint32_t number, double *warps)
{
    double sum = 0;
    *warps = 0;
    for (uint32_t w = 0; w < m->of->warps; w++) {
        const struct fw_warp_program *program = m->of->programs[w];
        for (uint32_t s = 0; s < program->count; s++)
            if (program->steps[s].kind == FW_STEP_ARRIVE && program->steps[s].other == number &&
                program->steps[s].trips > 0) {
                sum += program->steps[s].trips;
                *warps += 1;
                break;
            }
    }
    return sum;
}

void mbarriers_open(struct machine *m)
{
    for (uint32_t p = 0; p < m->common->count; p++) {
        const struct fw_warp_program *program = m->common->programs[p];
        for (uint32_t s = 0; s < program->count; s++)
            if (program->steps[s].kind == FW_STEP_ARRIVE || program->steps[s].kind == FW_STEP_PHASE)
                note(m, &program->steps[s]);
    }
    for (uint32_t i = 0; i < m->mbarrier_count; i++) {
        struct mbarrier *at = &m->mbarriers[i];
        double warps, threads = threads_at(m, at->number, &warps);
        if (!(at->arrivals > 0))
            at->arrivals = threads;
        if (threads > 0)
            at->executions = fmax(1, floor(at->arrivals / threads));
        at->places = at->places ? at->places : 1;
    }
    for (uint32_t b = 0; b < m->of->resident && m->mbarrier_count; b++)
        m->blocks[b].phases = FW_ARRAY(m->arena, struct phase, m->mbarrier_count * PHASES);
}

struct phase *mbarriers_start_block(struct machine *m, uint32_t b)
{
    struct phase *phases = m->blocks[b].phases;
    if (phases)
        memset(phases, 0, m->mbarrier_count * PHASES * sizeof(*phases));
    return phases;
}

void mbarriers_start_warp(struct warp *warp)
{
    warp->phase = 0;
    memset(warp->waits, 0, sizeof(warp->waits));
    memset(warp->arrivals, 0, sizeof(warp->arrivals));
}

static bool is_over(const struct mbarrier *at, const struct phase *phase)
{
    return phase->arrived >= at->arrivals && !(phase->copies > 0);
}

/* The phase that a warp's next arrival, or its last one, is for. */
static struct phase *arrival_phase(struct machine *m, const struct warp *warp,
                                   const struct mbarrier *at, bool last)
{
    uint32_t i = (uint32_t)(at - m->mbarriers), count = warp->arrivals[i];
    double phase = floor((last && count ? count - 1 : count) / at->executions);
    return &m->blocks[warp->block].phases[i * PHASES + (uint32_t)fmod(phase, PHASES)];
}

void mbarriers_arrive(struct machine *m, struct warp *warp, const struct fw_step *step)
{
    struct mbarrier *at = find(m, step->other);
    if (!at)
        return;
    uint32_t i = (uint32_t)(at - m->mbarriers);
    struct phase *phase = arrival_phase(m, warp, at, false);
    /* What is in its place is long over: the next phases have been waited for. */
    struct phase *far = phase - &m->blocks[warp->block].phases[i * PHASES] + PHASES / 2 < PHASES
                            ? phase + PHASES / 2
                            : phase - PHASES / 2;
    *far = (struct phase){0};
    phase->arrived += step->trips;
    phase->copies += step->step;
    phase->time = later(phase->time, warp->since);
    if (step->behind_copies)
        phase->time = later(phase->time, warp->copies);
    if (step->trips > 0)
        warp->arrivals[i]++;
}

void mbarriers_copy(struct machine *m, struct warp *warp, uint32_t number, double there)
{
    struct mbarrier *at = find(m, number);
    if (!at || !at->announced)
        return;
    struct phase *phase = arrival_phase(m, warp, at, true);
    phase->copies -= 1;
    phase->time = later(phase->time, there);
}

/* The phase that a warp waits for; NULL: one that is before the first. */
static struct phase *waited_phase(struct machine *m, const struct warp *warp, uint32_t i)
{
    struct block *block = &m->blocks[warp->block];
    if (warp->waits[i] < block->passed[i])
        return NULL;
    return &block->phases[i * PHASES + (warp->waits[i] - block->passed[i]) % PHASES];
}

/* Whether it can go on; then it does. */
static bool go_on(struct machine *m, struct warp *warp, uint32_t i)
{
    const struct phase *phase = waited_phase(m, warp, i);
    if (phase && !is_over(&m->mbarriers[i], phase))
        return false;
    double there = phase ? later(warp->since, phase->time) : warp->since;
    there += m->of->phase;
    m->result.stalls[FW_SM_STALL_LONG] += there - warp->since;
    if (m->accounting)
        account_hold(m, (uint32_t)(warp - m->warps), there, FW_SM_PART_L2);
    warp->since = there;
    warp->waits[i]++;
    warp->phase = 0;
    return true;
}

bool mbarriers_wait(struct machine *m, struct warp *warp, const struct fw_step *step)
{
    struct mbarrier *at = find(m, step->other);
    if (!at || go_on(m, warp, (uint32_t)(at - m->mbarriers)))
        return false;
    warp->phase = (uint32_t)(at - m->mbarriers) + 1;
    m->blocks[warp->block].waiting++;
    return true;
}

static bool release(struct machine *m, uint32_t b)
{
    bool any = false;
    for (uint32_t w = b * m->of->warps; w < (b + 1) * m->of->warps; w++) {
        struct warp *warp = &m->warps[w];
        if (!warp->alive || !warp->phase || !go_on(m, warp, warp->phase - 1))
            continue;
        m->blocks[b].waiting--;
        warp->at++;
        machine_advance(m, w);
        any = true;
    }
    return any;
}

bool mbarriers_settle(struct machine *m, uint32_t b)
{
    struct block *block = &m->blocks[b];
    bool any = false;
    while (block->waiting && release(m, b))
        any = true;
    if (!block->waiting || block->waiting + block->arrived < block->left)
        return any;
    for (uint32_t w = b * m->of->warps; w < (b + 1) * m->of->warps; w++) {
        uint32_t i = m->warps[w].phase;
        if (!m->warps[w].alive || !i-- || m->mbarriers[i].announced || block->passed[i])
            continue;
        block->passed[i] = m->mbarriers[i].places;
        return mbarriers_settle(m, b) || any;
    }
    return any;
}

/* Lets one wait succeed that waits for what never comes. */
bool mbarriers_release_any(struct machine *m, uint32_t b)
{
    for (uint32_t w = b * m->of->warps; w < (b + 1) * m->of->warps; w++) {
        const struct warp *warp = &m->warps[w];
        if (!warp->alive || !warp->phase)
            continue;
        m->blocks[b].passed[warp->phase - 1] = warp->waits[warp->phase - 1] + 1;
        return release(m, b);
    }
    return false;
}

void mbarriers_skip(struct machine *m, double cycles)
{
    for (uint32_t b = 0; b < m->of->resident && m->mbarrier_count; b++)
        for (uint32_t p = 0; p < m->mbarrier_count * PHASES; p++)
            m->blocks[b].phases[p].time += cycles;
}
