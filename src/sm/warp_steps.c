/* Warps and blocks: steps that take no time, barriers, ends and successors. */
#include "simulate_internal.h"

#include <math.h>
#include <string.h>

/* Whether a share comes up: evenly, from a place of the warp's own. */
static double share_of(struct warp *warp, uint32_t slot, double share)
{
    warp->credits[slot] += share;
    double whole = floor(warp->credits[slot]);
    warp->credits[slot] -= whole;
    return whole;
}

static struct frame *frame_of(struct warp *warp, uint32_t depth)
{
    return &warp->frames[depth];
}

/* Enters a loop, or goes behind it. */
static void enter(struct warp *warp, const struct fw_step *step)
{
    struct frame *frame = frame_of(warp, step->depth);
    double trips = step->trips;
    if (step->step > 0 || step->step < 0)
        trips += step->step * (step->depth ? frame_of(warp, step->depth - 1)->round : 0);
    double whole = floor(trips);
    if (trips > whole)
        whole += share_of(warp, step->slot, trips - whole);
    frame->step = warp->at;
    frame->trips = whole;
    frame->round = 0;
    frame->entries++;
    warp->frame_count = step->depth + 1;
    warp->at = whole > 0 ? warp->at + 1 : step->other + 1;
    if (!(whole > 0))
        warp->frame_count--;
}

static void go_again(struct machine *m, uint32_t w, const struct fw_step *step)
{
    struct warp *warp = &m->warps[w];
    struct frame *frame = frame_of(warp, step->depth);
    frame->round++;
    if (frame->round < frame->trips) {
        machine_observe(m, w, step);
        warp->at = step->other + 1;
        return;
    }
    warp->frame_count = step->depth;
    warp->at++;
}

/* When the operands of a step are there, and what is waited for. */
static double operands(const struct warp *warp, const struct fw_step *step, enum fw_sm_stall *why)
{
    static const enum fw_sm_stall reasons[] = {[FW_SM_WAIT_FIXED] = FW_SM_STALL_WAIT,
                                               [FW_SM_WAIT_SHORT] = FW_SM_STALL_SHORT,
                                               [FW_SM_WAIT_LONG] = FW_SM_STALL_LONG};
    double ready = warp->since;
    *why = FW_SM_STALL_WAIT;
    for (uint32_t i = step->first_wait; i < step->first_wait + step->wait_count; i++) {
        uint32_t slot = warp->program->waits[i];
        if (warp->slots[slot] > ready) {
            ready = warp->slots[slot];
            *why = reasons[warp->causes[slot]];
        }
    }
    return ready;
}

static void arrive(struct machine *m, uint32_t w);
static void leave(struct machine *m, uint32_t w);

void machine_advance(struct machine *m, uint32_t w)
{
    struct warp *warp = &m->warps[w];
    for (;;) {
        const struct fw_step *step = &warp->program->steps[warp->at];
        enum fw_sm_stall why;
        double ready;
        switch (step->kind) {
        case FW_STEP_OPERATION:
            warp->ready = operands(warp, step, &warp->why);
            return;
        case FW_STEP_VALUE:
            ready = operands(warp, step, &why);
            warp->slots[step->slot] = ready;
            warp->causes[step->slot] = why == FW_SM_STALL_LONG    ? FW_SM_WAIT_LONG
                                       : why == FW_SM_STALL_SHORT ? FW_SM_WAIT_SHORT
                                                                  : FW_SM_WAIT_FIXED;
            warp->at++;
            break;
        case FW_STEP_LOOP:
            enter(warp, step);
            break;
        case FW_STEP_AGAIN:
            go_again(m, w, step);
            break;
        case FW_STEP_SHARE:
            warp->at = share_of(warp, step->slot, step->share) > 0 ? warp->at + 1 : step->other;
            break;
        case FW_STEP_BARRIER:
            arrive(m, w);
            return;
        case FW_STEP_EXIT:
            leave(m, w);
            return;
        }
    }
}

/* ---- blocks ---- */

static void release(struct machine *m, uint32_t b)
{
    struct block *block = &m->blocks[b];
    double time = block->latest + m->of->barrier;
    block->arrived = 0;
    for (uint32_t w = b * m->of->warps; w < (b + 1) * m->of->warps; w++) {
        struct warp *warp = &m->warps[w];
        if (!warp->alive || !warp->at_barrier)
            continue;
        m->result.stalls[FW_SM_STALL_BARRIER] += time - warp->since;
        warp->at_barrier = false;
        warp->since = time;
        warp->at++;
        machine_advance(m, w);
    }
}

static void arrive(struct machine *m, uint32_t w)
{
    struct warp *warp = &m->warps[w];
    struct block *block = &m->blocks[warp->block];
    warp->at_barrier = true;
    block->arrived++;
    block->latest = fmax(block->latest, warp->since);
}

void machine_start_block(struct machine *m, uint32_t b, double time)
{
    const struct fw_sm_simulation *of = m->of;
    uint32_t kind = (uint32_t)fmod(m->started, of->kinds);
    time = fmax(time, m->next_dispatch);
    m->next_dispatch = time + of->dispatch;
    m->blocks[b] =
        (struct block){.left = of->warps, .latest = time, .end = time, .loads = time + of->start};
    for (uint32_t i = 0; i < of->warps; i++) {
        uint32_t w = b * of->warps + i;
        struct warp *warp = &m->warps[w];
        warp->program = of->programs[kind * of->warps + i];
        warp->block = b;
        warp->alive = true;
        warp->at_barrier = false;
        warp->at = warp->frame_count = 0;
        warp->since = warp->last = time;
        warp->number = (uint64_t)m->started;
        memset(warp->slots, 0, warp->program->slots * sizeof(*warp->slots));
        for (uint32_t s = 0; s < warp->program->shares; s++)
            warp->credits[s] = fmod(0.5 + 0.6180339887498949 * (double)(w + s), 1);
    }
    m->started++;
    for (uint32_t i = 0; i < of->warps; i++)
        machine_advance(m, b * of->warps + i);
}

static void end_block(struct machine *m, uint32_t b)
{
    struct block *block = &m->blocks[b];
    block->end += m->of->start;
    m->last_end = fmax(m->last_end, block->end);
    m->ended++;
    if (m->started < m->simulated)
        machine_start_block(m, b, block->end);
}

void machine_settle(struct machine *m, uint32_t b)
{
    struct block *block = &m->blocks[b];
    bool changed = false;
    while (block->left == 0 && m->ended < m->started) {
        double ended = m->ended, started = m->started;
        end_block(m, b);
        changed = true;
        if (m->ended > ended && !(m->started > started))
            break; /* no successor: the place stays empty */
    }
    if (block->left && block->arrived == block->left) {
        release(m, b);
        changed = true;
    }
    for (uint32_t s = 0; s < m->of->schedulers && changed; s++)
        machine_find_best(m, s);
}

static void leave(struct machine *m, uint32_t w)
{
    struct warp *warp = &m->warps[w];
    struct block *block = &m->blocks[warp->block];
    warp->alive = false;
    block->left--;
    block->end = fmax(block->end, fmax(warp->since, warp->last));
    m->result.warp_cycles += warp->since;
}

bool machine_release_any(struct machine *m)
{
    for (uint32_t b = 0; b < m->of->resident; b++)
        if (m->blocks[b].left && m->blocks[b].arrived) {
            release(m, b);
            for (uint32_t s = 0; s < m->of->schedulers; s++)
                machine_find_best(m, s);
            return true;
        }
    return false;
}
