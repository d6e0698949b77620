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

/* Whether a warp goes on to what a share of the warps executes: in blocks of a part alone. */
static bool comes_up(const struct machine *m, struct warp *warp, const struct fw_step *step)
{
    const double place = m->blocks[warp->block].place;
    return place >= step->blocks.from && place < step->blocks.to &&
           share_of(warp, step->slot, step->within) > 0;
}

static struct frame *frame_of(struct warp *warp, uint32_t depth)
{
    return &warp->frames[depth];
}

/* The trips of a loop that a warp enters. */
static double trips_of(const struct machine *m, struct warp *warp, const struct fw_step *step)
{
    double trips = step->trips;
    if (step->depth && (step->step > 0 || step->step < 0)) {
        const struct frame *around = frame_of(warp, step->depth - 1);
        trips += step->step * around->round / around->share;
    }
    if (m->of->spread)
        trips *= 1 + m->of->spread[step->loop] * m->blocks[warp->block].length;
    double whole = floor(trips);
    return trips > whole ? whole + share_of(warp, step->slot, trips - whole) : whole;
}

enum { LEAST_TRIPS = 4 }; /* of a shortened loop */

/* Operations of a warp from one step to another, in a loop of so many trips, where the trips of the
 * outermost long loops are those of the simulation, or as `whole` as it makes them; whether any
 * loop makes fewer. */
static double issues_between(const struct fw_sm_simulation *of,
                             const struct fw_warp_program *program, uint32_t from, uint32_t end,
                             double around, bool inside, bool whole, bool *shortens)
{
    double sum = 0;
    for (uint32_t s = from; s < end; s++) {
        const struct fw_step *step = &program->steps[s];
        const bool grows = step->step > 0 || step->step < 0; /* with the loop around it */
        sum += step->kind == FW_STEP_OPERATION;
        if (step->kind == FW_STEP_LOOP) {
            double trips = fmax(0, step->trips + step->step * fmax(0, around - 1) / 2);
            const bool less = ceil(trips) * of->least >= LEAST_TRIPS && !inside;
            *shortens |= grows || less;
            const double made = trips * (less ? of->trips : 1);
            sum += (less && whole ? floor(made + 0.5) : made) *
                   issues_between(of, program, s + 1, step->other, trips, inside || less, whole,
                                  shortens);
            s = step->other;
        } else if (step->kind == FW_STEP_SHARE) {
            sum += step->share *
                   issues_between(of, program, s + 1, step->other, around, inside, whole, shortens);
            s = step->other - 1;
        }
    }
    return sum;
}

bool machine_shortens(struct fw_arena *arena, const struct fw_sm_simulation *of, bool whole,
                      double *issues)
{
    const struct sm_common *common = of->common;
    double *of_programs = FW_ARRAY(arena, double, common->count + 1), sum = 0;
    bool shortens = false;
    for (uint32_t p = 0; p < common->count; p++)
        of_programs[p] = issues_between(of, common->programs[p], 0, common->programs[p]->count, 1,
                                        false, whole, &shortens);
    for (uint32_t p = 0; p < of->kinds * of->warps; p++)
        sum += of_programs[common->program_of[p]];
    *issues = sum / of->kinds;
    return shortens;
}

/* The share of a loop's trips that is made: less than all of a long one, unless those of a loop
 * around it are fewer, which does all inside of it less often. */
static double share_made(const struct fw_sm_simulation *of, struct warp *warp, uint32_t depth,
                         double trips)
{
    for (uint32_t d = 0; d < depth; d++)
        if (frame_of(warp, d)->share < 1)
            return 1;
    return of->trips > 0 && trips * of->least >= LEAST_TRIPS ? of->trips : 1;
}

/* Where a machine stands for another one of other trips: whether they still do the same. */
static void compare(struct machine *m, const struct frame *frame)
{
    const double left = sooner(frame->trips, frame->trips_beside) - frame->round;
    if (left > 1 || !(frame->trips < frame->trips_beside || frame->trips > frame->trips_beside))
        return;
    m->parts = true;
    m->apart |= left < 1;
}

/* Whole trips of a share of all, and of what an earlier part of the loop has left, which becomes
 * what this one leaves. */
static double whole_trips(double all, double share, double *left)
{
    const double made = all * share + *left, whole = floor(made + 0.5);
    *left = made - whole;
    return whole;
}

/* Enters a loop, or goes behind it.  Where a loop stands in parts, so many of its trips are made in
 * all as of a loop in one: else warps of a block, some of which have it in parts, would come to
 * different numbers of barriers. */
static void enter(struct machine *m, struct warp *warp, const struct fw_step *step)
{
    struct frame *frame = frame_of(warp, step->depth);
    const struct fw_step *before = &warp->program->steps[frame->step];
    const bool further = frame->entries && before < step && before->loop == step->loop;
    const double all = trips_of(m, warp, step);
    double whole = all;
    if (!further || !(frame->share < 1))
        frame->share = share_made(m->of, warp, step->depth, whole);
    if (!further || !(frame->share < 1))
        frame->left = frame->left_beside = 0;
    if (frame->share < 1)
        whole = whole_trips(all, frame->share, &frame->left);
    frame->step = warp->at;
    frame->trips = frame->trips_beside = whole;
    frame->round = 0;
    if (m->beside && frame->share < 1) {
        frame->trips_beside = whole_trips(all, m->beside->trips, &frame->left_beside);
        compare(m, frame);
    }
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
    if (m->beside)
        compare(m, frame);
    if (frame->round < frame->trips) {
        machine_observe(m, w, step);
        warp->since += m->of->branch;
        warp->at = step->other + 1;
        return;
    }
    warp->frame_count = step->depth;
    warp->at++;
}

/* When the operands of a step are there, and what is waited for. */
static inline double operands(const struct warp *warp, const struct fw_step *step,
                              struct cause *cause)
{
    static const struct cause issued = {.part = FW_SM_PART_WAIT};
    enum { AT_ONCE = 3 }; /* operands of most operations: how many there are is hard to foresee */
    const uint32_t *waits = warp->program->waits + step->first_wait, count = step->wait_count;
    const struct cause *last = &issued;
    double ready = warp->since;
    for (uint32_t from = 0; from < count; from += AT_ONCE)
        for (uint32_t i = 0; i < AT_ONCE; i++) {
            const uint32_t slot = waits[from + i < count ? from + i : count - 1]; /* or once more */
            const double there = warp->slots[slot] + step->delay;
            last = there > ready ? &warp->causes[slot] : last;
            ready = later(there, ready);
        }
    *cause = *last;
    return ready;
}

/* A warp goes no further before a moment. */
static void hold(struct machine *m, struct warp *warp, double there, enum fw_sm_stall stall,
                 enum fw_sm_part part)
{
    if (!(there > warp->since))
        return;
    m->result.stalls[stall] += there - warp->since;
    if (m->accounting)
        account_hold(m, (uint32_t)(warp - m->warps), there, part);
    warp->since = there;
}

/* Waits for all groups of copies but for so many, the latest. */
static void wait_for_copies(struct machine *m, struct warp *warp, uint32_t left)
{
    if (warp->group_count <= left || left >= COPY_GROUPS)
        return;
    double there = warp->groups[(warp->group_count - 1 - left) % COPY_GROUPS];
    hold(m, warp, there, FW_SM_STALL_LONG, FW_SM_PART_L2);
}

/* A block's first loads wait until it has started. */
static void wait_for_start(const struct machine *m, struct warp *warp, const struct fw_step *step)
{
    double loads = m->blocks[warp->block].loads;
    if (!(loads > warp->ready))
        return;
    const struct fw_sm_access *access = &m->of->accesses[step->instruction];
    if (access->wait != FW_SM_WAIT_LONG || !(access->waits || access->copies))
        return;
    warp->ready = loads;
    warp->cause = (struct cause){.part = FW_SM_PART_LAUNCH};
}

/* As wait_for_copies(), of groups of products. */
static void wait_for_products(struct machine *m, struct warp *warp, uint32_t left)
{
    if (warp->product_count <= left || left >= COPY_GROUPS)
        return;
    double there = warp->product_groups[(warp->product_count - 1 - left) % COPY_GROUPS];
    hold(m, warp, there, FW_SM_STALL_MATH, FW_SM_PART_TENSOR);
}

/* Waits for all that the warp has asked for, and, beyond the block, for the multiprocessor's bulk
 * copies on their way.  Source: data/h200/clusters, arrivals.jsonl: releases take 276 cycles by
 * themselves, and 700 where copies of 32 KB are ordered between them. */
static void wait_for_fence(struct machine *m, struct warp *warp, const struct fw_step *step)
{
    double there = later(warp->since, warp->last);
    if (step->keeps > 0)
        there = later(there, m->copied) + step->keeps;
    hold(m, warp, there, FW_SM_STALL_LONG, FW_SM_PART_L2);
}

/* When shared memory has room for a bulk copy: copies in flight need different places. */
static double room_for_copy(const struct machine *m, const struct warp *warp,
                            const struct fw_step *step)
{
    double most = m->of->accesses[step->instruction].in_flight;
    if (!(most > 0) || most >= COPY_GROUPS || warp->copy_count < (uint32_t)most)
        return 0;
    return warp->arrived[(warp->copy_count - (uint32_t)most) % COPY_GROUPS];
}

/* A request of memory waits for the warp's last one to be on its way, and for its room. */
static void wait_for_turn(const struct machine *m, struct warp *warp, const struct fw_step *step)
{
    if (warp->asks > warp->ready) {
        warp->ready = warp->asks;
        warp->cause = (struct cause){.part = FW_SM_PART_WAIT};
    }
    warp->ready = later(warp->ready, room_for_copy(m, warp, step));
}

/* The scheduler may issue the operation of a step. */
static inline void want(struct machine *m, const struct warp *warp)
{
    m->wanted[warp->place] = warp->ready;
    m->wanted_unit[warp->place] = m->common->units[warp->step->operation];
}

static void arrive(struct machine *m, uint32_t w);
static void leave(struct machine *m, uint32_t w);

void machine_advance(struct machine *m, uint32_t w)
{
    struct warp *warp = &m->warps[w];
    for (;;) {
        const struct fw_step *step = &warp->program->steps[warp->at];
        struct cause cause;
        switch (step->kind) {
        case FW_STEP_OPERATION:
            warp->step = step;
            warp->operation = &m->operations[step->operation];
            warp->ready = operands(warp, step, &warp->cause);
            if (warp->operation->memory) {
                wait_for_start(m, warp, step);
                wait_for_turn(m, warp, step);
            }
            want(m, warp);
            return;
        case FW_STEP_VALUE:
            warp->slots[step->slot] = operands(warp, step, &cause);
            warp->causes[step->slot] = cause;
            warp->at++;
            break;
        case FW_STEP_LOOP:
            enter(m, warp, step);
            break;
        case FW_STEP_AGAIN:
            go_again(m, w, step);
            break;
        case FW_STEP_SHARE:
            warp->at = comes_up(m, warp, step) ? warp->at + 1 : step->other;
            break;
        case FW_STEP_COMMIT:
            warp->groups[warp->group_count++ % COPY_GROUPS] = warp->copies;
            warp->at++;
            break;
        case FW_STEP_COPIES:
            wait_for_copies(m, warp, step->other);
            warp->at++;
            break;
        case FW_STEP_COMMIT_PRODUCTS:
            warp->product_groups[warp->product_count++ % COPY_GROUPS] = warp->products;
            warp->at++;
            break;
        case FW_STEP_PRODUCTS:
            wait_for_products(m, warp, step->other);
            warp->at++;
            break;
        case FW_STEP_BRANCH:
            if (step->other) { /* a round of an instruction that is a loop */
                hold(m, warp, operands(warp, step, &cause), FW_SM_STALL_SHORT, FW_SM_PART_SHARED);
                hold(m, warp, warp->since + step->keeps, FW_SM_STALL_WAIT, FW_SM_PART_WAIT);
                warp->at++;
                break;
            }
            warp->since = operands(warp, step, &cause) + step->keeps;
            warp->at++;
            break;
        case FW_STEP_ARRIVE:
            mbarriers_arrive(m, warp, step);
            warp->at++;
            break;
        case FW_STEP_PHASE:
            if (mbarriers_wait(m, warp, step)) {
                m->wanted[machine_place(m, w)] = HUGE_VAL;
                return;
            }
            warp->at++;
            break;
        case FW_STEP_FENCE:
            wait_for_fence(m, warp, step);
            warp->at++;
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

/* Cycles from the last arrival of a block until its warps go on. */
static double releases_after(const struct machine *m, uint32_t b)
{
    for (uint32_t w = b * m->of->warps; w < (b + 1) * m->of->warps; w++) {
        const struct warp *warp = &m->warps[w];
        if (warp->alive && warp->at_barrier && warp->program->steps[warp->at].keeps > 0)
            return warp->program->steps[warp->at].keeps;
    }
    return m->of->barrier;
}

static void release(struct machine *m, uint32_t b)
{
    struct block *block = &m->blocks[b];
    double time = block->latest + releases_after(m, b);
    block->arrived = 0;
    for (uint32_t w = b * m->of->warps; w < (b + 1) * m->of->warps; w++) {
        struct warp *warp = &m->warps[w];
        if (!warp->alive || !warp->at_barrier)
            continue;
        m->result.stalls[FW_SM_STALL_BARRIER] += time - warp->since;
        if (m->accounting)
            account_barrier(m, w, time);
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
    m->barriers = later(m->barriers, warp->since) + m->of->arrival;
    m->wanted[machine_place(m, w)] = HUGE_VAL;
    block->arrived++;
    block->latest = later(block->latest, later(warp->since, m->barriers));
}

void machine_start_block(struct machine *m, uint32_t b, double time)
{
    const struct fw_sm_simulation *of = m->of;
    uint32_t kind = (uint32_t)fmod(m->started, of->kinds);
    const double length =
        of->spread ? of->lengths[(uint32_t)fmod(m->started, of->length_count)] : 0;
    time = later(time, m->next_dispatch) + of->dispatch;
    m->next_dispatch = time;
    struct phase *phases = mbarriers_start_block(m, b);
    m->blocks[b] = (struct block){.left = of->warps,
                                  .start = time,
                                  .phases = phases,
                                  .latest = time,
                                  .end = time,
                                  .place = fmod(0.5 + 0.6180339887498949 * m->started, 1),
                                  .asked = HUGE_VAL,
                                  .loads = time + of->start,
                                  .number = m->started,
                                  .length = length};
    for (uint32_t i = 0; i < of->warps; i++) {
        uint32_t w = b * of->warps + i;
        struct warp *warp = &m->warps[w];
        warp->program = of->programs[kind * of->warps + i];
        warp->block = b;
        warp->alive = true;
        warp->at_barrier = false;
        warp->at = warp->frame_count = 0;
        warp->since = warp->last = warp->copies = warp->products = warp->asks = time;
        warp->group_count = warp->product_count = warp->copy_count = 0;
        mbarriers_start_warp(warp);
        memset(warp->slots, 0, warp->program->slots * sizeof(*warp->slots));
        for (uint32_t s = 0; s < warp->program->shares; s++) /* evenly over warps of all blocks */
            warp->credits[s] = fmod(0.5 + 0.6180339887498949 * (m->started * of->warps + i + s), 1);
    }
    m->started++;
    machine_set_keys(m, b);
    shared_lines_start_block(m, b);
    for (uint32_t i = 0; i < of->warps; i++)
        machine_advance(m, b * of->warps + i);
}

static void end_block(struct machine *m, uint32_t b)
{
    struct block *block = &m->blocks[b];
    if (m->accounting)
        account_end_block(m, b, block->end);
    block->end += m->of->start;
    m->last_end = later(m->last_end, block->end);
    if (m->ended < FW_SM_WAVES * m->of->wave)
        m->ends[(int)(m->ended / m->of->wave)] += block->end;
    m->ended++;
    m->apart |= m->blocks_beside > 0 && m->started >= m->blocks_beside;
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
    if (block->waiting)
        changed |= mbarriers_settle(m, b);
    for (uint32_t s = 0; s < m->of->schedulers && changed; s++)
        machine_find_best(m, s);
}

static void leave(struct machine *m, uint32_t w)
{
    struct warp *warp = &m->warps[w];
    struct block *block = &m->blocks[warp->block];
    warp->alive = false;
    m->wanted[machine_place(m, w)] = HUGE_VAL;
    block->left--;
    m->parts |= m->blocks_beside > 0 && m->started >= m->blocks_beside;
    block->end = later(block->end, later(warp->since, warp->last));
    m->result.resident += later(warp->since, warp->last) - block->start;
    if (m->accounting)
        account_leave(m, w);
}

bool machine_release_any(struct machine *m)
{
    for (uint32_t b = 0; b < m->of->resident; b++)
        if (m->blocks[b].left && (m->blocks[b].arrived || m->blocks[b].waiting)) {
            if (!m->blocks[b].waiting || !mbarriers_release_any(m, b))
                release(m, b);
            for (uint32_t s = 0; s < m->of->schedulers; s++)
                machine_find_best(m, s);
            return true;
        }
    return false;
}
