#include "simulate.h"

#include <math.h>
#include <string.h>

enum {
    WAVES_SIMULATED = 3, /* of resident blocks; beyond, the rest goes on at their rate */
    SNAPSHOTS = 33,
    LONGEST_PERIOD = 16, /* rounds of a loop that a steady state may take */
    LEAST_SKIPPED = 2    /* periods */
};

/* The busiest that a queue is taken to be: beyond it what waits is seen in the simulation itself.
 */
static const double BUSIEST = 0.95;

static const char *const stall_texts[FW_SM_STALL_COUNT] = {
#define X(name, text) text,
    FW_SM_STALLS(X)
#undef X
};

const char *fw_sm_stall_text(enum fw_sm_stall stall)
{
    return stall_texts[stall];
}

/* A loop that a warp is in. */
struct frame {
    uint32_t step;  /* of kind LOOP */
    double trips;   /* of this entry */
    double round;   /* from 0 */
    double entries; /* of the loop by this warp so far */
};

struct warp {
    const struct fw_warp_program *program;
    uint32_t block; /* in its place */
    uint32_t scheduler;
    bool alive, at_barrier;
    uint32_t at;          /* step */
    double since;         /* when it issued last, or came */
    double ready;         /* when operands of the step are there */
    enum fw_sm_stall why; /* what they are waited for */
    double last;          /* when all that it asked for has come */
    uint64_t number;      /* of its block: the youngest has the greatest */
    struct frame *frames;
    uint32_t frame_count;
    double *slots;   /* when values are there */
    uint8_t *causes; /* enum fw_sm_wait of values */
    double *credits; /* of shares */
};

struct block {
    uint32_t left, arrived; /* warps */
    double latest;          /* arrival */
    double loads;           /* none is requested before */
    double end;
};

/* A warp in a loop at a moment. */
struct position {
    uint32_t loop; /* of the record */
    double round, trips, entries;
    bool alive;
};

struct snapshot {
    double time;
    struct position *positions; /* by warp */
    struct fw_sm_result result; /* so far */
    double late[2];             /* misses so far, in L1 and in L2, beyond those expected */
    double expected[2];
};

struct machine {
    const struct fw_sm_simulation *of;
    struct fw_arena *arena;
    struct warp *warps; /* resident * warps of a block */
    struct block *blocks;
    uint32_t warp_count;
    double *free;   /* by scheduler: its next issue slot */
    double *units;  /* by scheduler and unit: free from */
    uint32_t *last; /* by scheduler: the warp that it issued last */
    double servers[FW_SM_SERVER_COUNT];
    double *best_time; /* by scheduler */
    uint32_t *best;
    double *misses[2]; /* by warp and instruction: credit of misses in L1, in L2 */
    uint32_t instructions;
    double late[2], expected[2];      /* see struct snapshot */
    double started, simulated, ended; /* blocks */
    double next_dispatch;
    double last_end; /* of a block */
    struct fw_sm_result result;
    /* The observer of a steady state. */
    uint32_t observer, observed_loop;
    struct snapshot snapshots[SNAPSHOTS];
    uint32_t snapshot_count;
    double now;
};

/* ---- steps that take no time ---- */

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

static void observe(struct machine *m, uint32_t w, const struct fw_step *again);

static void go_again(struct machine *m, uint32_t w, const struct fw_step *step)
{
    struct warp *warp = &m->warps[w];
    struct frame *frame = frame_of(warp, step->depth);
    frame->round++;
    if (frame->round < frame->trips) {
        observe(m, w, step);
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

/* Goes on to the next step that issues, waits or ends. */
static void advance(struct machine *m, uint32_t w)
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

static void find_best(struct machine *m, uint32_t scheduler);

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
        advance(m, w);
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

static void start_block(struct machine *m, uint32_t b, double time)
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
        advance(m, b * of->warps + i);
}

static void end_block(struct machine *m, uint32_t b)
{
    struct block *block = &m->blocks[b];
    block->end += m->of->start;
    m->last_end = fmax(m->last_end, block->end);
    m->ended++;
    if (m->started < m->simulated)
        start_block(m, b, block->end);
}

/* Ends of blocks, and of their successors that have nothing to do; barriers that all have come to.
 */
static void settle(struct machine *m, uint32_t b)
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
        find_best(m, s);
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

/* Lets warps go on that wait at a barrier for others which do not come: data decide how many do,
 * and in shares they need not agree.  False: there are none. */
static bool release_any(struct machine *m)
{
    for (uint32_t b = 0; b < m->of->resident; b++)
        if (m->blocks[b].left && m->blocks[b].arrived) {
            release(m, b);
            for (uint32_t s = 0; s < m->of->schedulers; s++)
                find_best(m, s);
            return true;
        }
    return false;
}

/* ---- issue ---- */

/* The warp that a scheduler issues next: the first that can; of several the same as before, then
 * the youngest. */
static void find_best(struct machine *m, uint32_t scheduler)
{
    double best = HUGE_VAL;
    uint32_t found = FW_NONE;
    const double *units = m->units + scheduler * FW_SM_UNIT_COUNT;
    for (uint32_t w = scheduler; w < m->warp_count; w += m->of->schedulers) {
        const struct warp *warp = &m->warps[w];
        if (!warp->alive || warp->at_barrier)
            continue;
        const struct fw_step *step = &warp->program->steps[warp->at];
        const struct fw_sm_operation *operation = &m->of->costs->operations[step->operation];
        double unit = units[operation->unit];
        if (operation->either)
            unit = fmin(units[FW_SM_FMA], units[FW_SM_ALU]);
        double time = fmax(fmax(warp->ready, m->free[scheduler]), unit);
        if (time > best)
            continue;
        bool better = time < best || w == m->last[scheduler] ||
                      (found != m->last[scheduler] && warp->number > m->warps[found].number);
        if (better) {
            best = time;
            found = w;
        }
    }
    m->best[scheduler] = found;
    m->best_time[scheduler] = best;
}

/* Books a server from a moment on; when it is done. */
static double serve(struct machine *m, enum fw_sm_server server, double from, double cycles)
{
    double begin = fmax(from, m->servers[server]);
    m->servers[server] = begin + cycles;
    m->result.served[server] += cycles;
    return begin + cycles;
}

/* What a request to device memory waits for others beyond the multiprocessor's own, which are
 * simulated: more, the busier it was so far, as in a queue of requests that come by chance. */
static double queueing(const struct machine *m, double at)
{
    double busy = fmin(m->result.served[FW_SM_SERVER_DRAM], BUSIEST * at);
    return busy > 0 ? m->of->queue * busy / (at - busy) : 0;
}

/* Whether a warp's access misses this time: evenly, so that its share comes out; accesses and
 * warps begin at different places of that. */
static bool misses(struct machine *m, int level, uint32_t place, double share)
{
    double *credit = &m->misses[level][place];
    m->expected[level] += share;
    m->late[level] -= share;
    *credit += share;
    if (*credit < 1)
        return false;
    *credit -= 1;
    m->late[level] += 1;
    return true;
}

/* A request of a warp: when its data are there (a load), or when it is on its way. */
static double request(struct machine *m, uint32_t instruction, double time, enum fw_sm_wait *wait,
                      struct warp *warp)
{
    const struct fw_sm_access *access = &m->of->accesses[instruction];
    if (access->waits && access->wait == FW_SM_WAIT_LONG)
        time = fmax(time, m->blocks[warp->block].loads);
    double done = serve(m, FW_SM_SERVER_LSU, time, access->wavefronts), late = 0;
    uint32_t level = 0;
    uint32_t place = (uint32_t)(warp - m->warps) * m->instructions + instruction;
    if (misses(m, 0, place, access->miss_l1)) {
        level = 1;
        done = serve(m, FW_SM_SERVER_L2, done, access->l2);
        if (misses(m, 1, place, access->miss_l2)) {
            level = 2;
            done = serve(m, FW_SM_SERVER_DRAM, done, access->dram);
            late = queueing(m, done);
        }
    }
    *wait = access->wait;
    done += access->latency[level] + late;
    warp->last = fmax(warp->last, done);
    return access->waits ? done : time;
}

static void issue(struct machine *m, uint32_t scheduler)
{
    const uint32_t w = m->best[scheduler];
    struct warp *warp = &m->warps[w];
    const struct fw_step *step = &warp->program->steps[warp->at];
    const struct fw_sm_operation *operation = &m->of->costs->operations[step->operation];
    double time = m->best_time[scheduler], *units = m->units + scheduler * FW_SM_UNIT_COUNT;
    enum fw_sm_unit unit = operation->unit;
    if (operation->either)
        unit = units[FW_SM_FMA] < units[FW_SM_ALU] ? FW_SM_FMA : FW_SM_ALU;
    double interval = operation->either && unit == FW_SM_FMA ? 1 : operation->interval;
    m->now = fmax(m->now, time);
    /* What the warp waited for since it issued last. */
    double slot = fmax(warp->ready, fmin(time, units[unit]));
    m->result.stalls[warp->why] += warp->ready - warp->since;
    m->result.stalls[FW_SM_STALL_MATH] += slot - warp->ready;
    m->result.stalls[FW_SM_STALL_NOT_SELECTED] += time - slot;
    m->result.stalls[FW_SM_STALL_SELECTED] += 1;
    m->free[scheduler] = time + 1;
    m->last[scheduler] = w;
    m->result.busy[FW_SM_NONE] += 1;
    m->result.issued += 1;
    m->result.issues++;
    double there = time + operation->latency;
    enum fw_sm_wait wait = operation->wait;
    if (operation->memory) {
        there = request(m, step->instruction, time, &wait, warp);
    } else if (unit == FW_SM_LSU) {
        there = serve(m, FW_SM_SERVER_LSU, time, interval) + operation->latency;
    } else if (unit != FW_SM_NONE) {
        units[unit] = time + interval;
        m->result.busy[unit] += interval;
    }
    warp->slots[step->slot] = there;
    warp->causes[step->slot] = (uint8_t)wait;
    warp->last = fmax(warp->last, there);
    warp->since = time + 1;
    warp->at++;
    advance(m, w);
    settle(m, warp->block);
    find_best(m, scheduler);
}

/* ---- steady states ---- */

static void note(const struct machine *m, struct snapshot *to, uint32_t loop)
{
    to->time = m->now;
    to->result = m->result;
    memcpy(to->late, m->late, sizeof(to->late));
    memcpy(to->expected, m->expected, sizeof(to->expected));
    for (uint32_t w = 0; w < m->warp_count; w++) {
        const struct warp *warp = &m->warps[w];
        struct position *position = &to->positions[w];
        *position = (struct position){.alive = warp->alive, .loop = FW_NONE};
        for (uint32_t f = 0; warp->alive && f < warp->frame_count; f++)
            if (warp->program->steps[warp->frames[f].step].loop == loop)
                *position = (struct position){loop, warp->frames[f].round, warp->frames[f].trips,
                                              warp->frames[f].entries, true};
    }
}

/* Whether each warp went round as often in the last period as in that before, in one stay in the
 * loop; how many further periods no warp leaves it. */
static bool is_steady(const struct machine *m, uint32_t period, double *further)
{
    const struct snapshot *c = &m->snapshots[m->snapshot_count - 1];
    const struct snapshot *b = c - period, *a = b - period;
    double last = c->time - b->time, before = b->time - a->time;
    *further = HUGE_VAL;
    if (!(last > 0) || fabs(last - before) > 0.02 * last)
        return false;
    for (int level = 0; level < 2; level++) /* misses that are rare may all be still to come */
        if (fabs(c->late[level] - a->late[level]) >
            0.1 * (c->expected[level] - a->expected[level]) + 0.25)
            return false;
    for (uint32_t w = 0; w < m->warp_count; w++) {
        const struct position *x = &a->positions[w], *y = &b->positions[w], *z = &c->positions[w];
        if (!x->alive && !y->alive && !z->alive)
            continue;
        if (!x->alive || !z->alive || x->loop == FW_NONE || y->loop == FW_NONE ||
            z->loop == FW_NONE || x->entries < z->entries || x->entries > z->entries)
            return false;
        double rounds = z->round - y->round, earlier = y->round - x->round;
        if (!(rounds > 0) || fabs(rounds - earlier) > (period == LONGEST_PERIOD ? 1 : 0))
            return false;
        *further = fmin(*further, floor((z->trips - z->round - 1) / rounds) - 1);
    }
    return *further >= LEAST_SKIPPED && *further < HUGE_VAL;
}

/* Goes on by so many periods: times move, rounds and sums grow. */
static void skip(struct machine *m, uint32_t period, double times)
{
    const struct snapshot *to = &m->snapshots[m->snapshot_count - 1], *from = to - period;
    const double cycles = times * (to->time - from->time);
    struct fw_sm_result *result = &m->result;
    for (uint32_t w = 0; w < m->warp_count; w++) {
        struct warp *warp = &m->warps[w];
        if (!warp->alive)
            continue;
        for (uint32_t f = 0; f < warp->frame_count; f++)
            if (warp->program->steps[warp->frames[f].step].loop == m->observed_loop)
                warp->frames[f].round +=
                    times * (to->positions[w].round - from->positions[w].round);
        warp->since += cycles;
        warp->ready += cycles;
        warp->last += cycles;
        for (uint32_t s = 0; s < warp->program->slots; s++)
            warp->slots[s] += cycles;
    }
    for (uint32_t s = 0; s < m->of->schedulers; s++) {
        m->free[s] += cycles;
        m->best_time[s] += cycles;
        for (int u = 0; u < FW_SM_UNIT_COUNT; u++)
            m->units[s * FW_SM_UNIT_COUNT + (uint32_t)u] += cycles;
    }
    for (int s = 0; s < FW_SM_SERVER_COUNT; s++) {
        m->servers[s] += cycles;
        result->served[s] += times * (to->result.served[s] - from->result.served[s]);
    }
    for (uint32_t b = 0; b < m->of->resident; b++) {
        m->blocks[b].latest += cycles;
        m->blocks[b].end += cycles;
        m->blocks[b].loads += cycles;
    }
    for (int u = 0; u < FW_SM_UNIT_COUNT; u++)
        result->busy[u] += times * (to->result.busy[u] - from->result.busy[u]);
    for (int s = 0; s < FW_SM_STALL_COUNT; s++)
        result->stalls[s] += times * (to->result.stalls[s] - from->result.stalls[s]);
    result->issued += times * (to->result.issued - from->result.issued);
    m->next_dispatch += cycles;
    m->now += cycles;
    m->snapshot_count = 0;
}

/* A warp begins another round of a loop: one of them is watched. */
static void observe(struct machine *m, uint32_t w, const struct fw_step *again)
{
    const struct warp *warp = &m->warps[w];
    const struct frame *frame = &warp->frames[again->depth];
    double left = frame->trips - frame->round;
    const struct warp *observer = &m->warps[m->observer];
    bool watched = m->observed_loop != FW_NONE && observer->alive && observer->frame_count > 0;
    if (watched && (w != m->observer || again->loop != m->observed_loop)) {
        bool still = false;
        for (uint32_t f = 0; f < observer->frame_count; f++)
            still |= observer->program->steps[observer->frames[f].step].loop == m->observed_loop &&
                     observer->frames[f].trips - observer->frames[f].round > 3;
        if (still)
            return;
    }
    if (left < 4)
        return;
    if (w != m->observer || again->loop != m->observed_loop) {
        m->observer = w;
        m->observed_loop = again->loop;
        m->snapshot_count = 0;
    }
    if (m->snapshot_count == SNAPSHOTS) {
        struct position *oldest = m->snapshots[0].positions;
        memmove(m->snapshots, m->snapshots + 1, (SNAPSHOTS - 1) * sizeof(*m->snapshots));
        m->snapshots[SNAPSHOTS - 1].positions = oldest;
        m->snapshot_count--;
    }
    note(m, &m->snapshots[m->snapshot_count++], again->loop);
}

static void skip_if_steady(struct machine *m)
{
    double further;
    for (uint32_t period = 1; period <= LONGEST_PERIOD && 2 * period < m->snapshot_count;
         period *= 2)
        if (is_steady(m, period, &further)) {
            skip(m, period, further);
            return;
        }
}

/* ---- all ---- */

static void open(struct machine *m, struct fw_arena *arena, const struct fw_sm_simulation *of)
{
    uint32_t slots = 1, depth = 1, shares = 1, instructions = 1;
    for (uint32_t p = 0; p < of->kinds * of->warps; p++) {
        slots = of->programs[p]->slots > slots ? of->programs[p]->slots : slots;
        depth = of->programs[p]->depth > depth ? of->programs[p]->depth : depth;
        shares = of->programs[p]->shares > shares ? of->programs[p]->shares : shares;
        for (uint32_t s = 0; s < of->programs[p]->count; s++)
            if (of->programs[p]->steps[s].instruction >= instructions)
                instructions = of->programs[p]->steps[s].instruction + 1;
    }
    *m = (struct machine){.of = of, .arena = arena, .observed_loop = FW_NONE};
    m->warp_count = of->resident * of->warps;
    m->instructions = instructions;
    m->warps = FW_ARRAY(arena, struct warp, m->warp_count);
    m->blocks = FW_ARRAY(arena, struct block, of->resident);
    m->free = FW_ARRAY(arena, double, of->schedulers);
    m->units = FW_ARRAY(arena, double, of->schedulers *FW_SM_UNIT_COUNT);
    m->last = FW_ARRAY(arena, uint32_t, of->schedulers);
    m->best = FW_ARRAY(arena, uint32_t, of->schedulers);
    m->best_time = FW_ARRAY(arena, double, of->schedulers);
    for (int level = 0; level < 2; level++) {
        uint32_t places = m->warp_count * instructions;
        m->misses[level] = FW_ARRAY(arena, double, places);
        for (uint32_t i = 0; i < places; i++)
            m->misses[level][i] = fmod(0.5 + 0.6180339887498949 * i, 1);
    }
    for (uint32_t w = 0; w < m->warp_count; w++) {
        m->warps[w].frames = FW_ARRAY(arena, struct frame, depth);
        m->warps[w].slots = FW_ARRAY(arena, double, slots);
        m->warps[w].causes = FW_ARRAY(arena, uint8_t, slots);
        m->warps[w].credits = FW_ARRAY(arena, double, shares);
    }
    for (uint32_t s = 0; s < SNAPSHOTS; s++)
        m->snapshots[s].positions = FW_ARRAY(arena, struct position, m->warp_count);
}

/* Sums over so many times as much work. */
static void multiply(struct fw_sm_result *result, double times)
{
    for (int u = 0; u < FW_SM_UNIT_COUNT; u++)
        result->busy[u] *= times;
    for (int s = 0; s < FW_SM_SERVER_COUNT; s++)
        result->served[s] *= times;
    result->issued *= times;
}

/* All of so many blocks; what the limit of issues cuts off goes on at the rate so far. */
static void run(struct fw_sm_result *result, struct fw_arena *arena,
                const struct fw_sm_simulation *simulation, double blocks)
{
    struct fw_arena_mark mark = fw_arena_mark(arena);
    struct machine *m = FW_NEW(arena, struct machine);
    open(m, arena, simulation);
    m->simulated = blocks;
    for (uint32_t b = 0; b < simulation->resident && b < blocks; b++) {
        start_block(m, b, 0);
        settle(m, b);
    }
    for (uint32_t s = 0; s < simulation->schedulers; s++)
        find_best(m, s);
    while (m->ended < m->simulated) {
        uint32_t first = 0;
        for (uint32_t s = 1; s < simulation->schedulers; s++)
            if (m->best_time[s] < m->best_time[first])
                first = s;
        if (m->result.issues >= simulation->most_issues ||
            (m->best[first] == FW_NONE && !release_any(m)))
            break;
        if (m->best[first] == FW_NONE)
            continue;
        double time = m->snapshot_count ? m->snapshots[m->snapshot_count - 1].time : -1;
        issue(m, first);
        if (m->snapshot_count > 2 && m->snapshots[m->snapshot_count - 1].time > time)
            skip_if_steady(m);
    }
    *result = m->result;
    result->cut = m->ended < m->simulated;
    result->cycles = m->last_end;
    if (result->cut) {
        double all = blocks * simulation->issues_per_block;
        double times = result->issued > 0 ? fmax(1, all / result->issued) : 1;
        result->cycles = m->now * times;
        multiply(result, times);
    }
    fw_arena_release(arena, mark);
}

/* Many blocks: one wave and three, which begin and end alike, differ by what two take in the
 * middle. */
void fw_sm_simulate(struct fw_sm_result *result, struct fw_arena *arena,
                    const struct fw_sm_simulation *simulation)
{
    const double blocks = ceil(simulation->blocks), resident = simulation->resident;
    const double some = WAVES_SIMULATED * resident;
    struct fw_sm_result first;
    if (blocks < some + resident) {
        run(result, arena, simulation, blocks);
        return;
    }
    run(result, arena, simulation, some);
    run(&first, arena, simulation, resident);
    double rate = fmax(0, result->cycles - first.cycles) / (some - resident);
    result->issues += first.issues;
    result->cycles += (blocks - some) * rate;
    multiply(result, blocks / some);
}
