/* Issue: which warp comes next, and what its operation takes. */
#include "simulate_internal.h"

#include <math.h>

/* The busiest that device memory is taken to be: as many requests as there are can wait.  Source:
 * times of streams, five, box27 and cross in data/h200/traffic, of 0.75, 0.8, 0.85, 0.9, 0.95. */
static const double BUSIEST = 0.8;

/* How far back a request looks at how busy device memory was: once to twice as many cycles, some
 * latencies.  Where it is longer (16,384), loops that follow a busier one get steady before it has
 * passed (family_228 in data/h200/synthetic/learned). */
enum { QUEUE_CYCLES = 4096 };

/* When the first warp of a scheduler could issue; `times`, of each of its places, without the
 * scheduler's own next slot, which is the same for all.  Four minima beside each other: each
 * comparison waits for the one before it. */
static double soonest(const struct machine *m, uint32_t scheduler, double *times)
{
    const double *wanted = m->wanted + (size_t)scheduler * m->places;
    const uint8_t *wanted_unit = m->wanted_unit + (size_t)scheduler * m->places;
    const double *units = m->units + scheduler * UNITS;
    double best[PLACES_AT_ONCE];
    for (uint32_t i = 0; i < PLACES_AT_ONCE; i++)
        best[i] = HUGE_VAL;
    for (size_t p = 0, places = m->places; p < places; p += PLACES_AT_ONCE)
        for (uint32_t i = 0; i < PLACES_AT_ONCE; i++) {
            const double time = later(wanted[p + i], units[wanted_unit[p + i]]);
            times[p + i] = time;
            best[i] = sooner(time, best[i]);
        }
    const double first = sooner(sooner(best[0], best[1]), sooner(best[2], best[3]));
    return later(first, m->free[scheduler]);
}

/* By a greedy order, the place of those that can issue by then that comes first (`keys`), at least
 * one.  Which ones can is hard to foresee: no branch asks, but a difference that is made greater
 * than any key where a place is later. */
static inline uint32_t first_at(const struct machine *m, uint32_t scheduler, double best)
{
    static const double BEHIND = 1e300;
    const double *keys = m->keys + (size_t)scheduler * m->places, *times = m->times;
    double least[PLACES_AT_ONCE];
    for (uint32_t i = 0; i < PLACES_AT_ONCE; i++)
        least[i] = HUGE_VAL;
    for (size_t p = 0, places = m->places; p < places; p += PLACES_AT_ONCE)
        for (uint32_t i = 0; i < PLACES_AT_ONCE; i++) {
            const double key = later((times[p + i] - best) * BEHIND, keys[p + i]);
            least[i] = sooner(key, least[i]);
        }
    return machine_place_of_key(m, sooner(sooner(least[0], least[1]), sooner(least[2], least[3])));
}

/* The same where it is not the warp that issued last, or not at once. */
static void find_any(struct machine *m, uint32_t scheduler, const struct warp *last)
{
    double *times = m->times, best = soonest(m, scheduler, times);
    m->best[scheduler] = FW_NONE;
    m->best_time[scheduler] = best;
    if (!(best < HUGE_VAL))
        return;
    uint32_t place = 0;
    if (m->round_robin)
        place = machine_choose(m, scheduler, last, best);
    else if (last && times[last->place - scheduler * m->places] <= best)
        place = last->place - scheduler * m->places;
    else
        place = first_at(m, scheduler, best);
    m->best[scheduler] = m->occupants[scheduler * m->places + place];
}

/* Of a scheduler that issued warp `w` last, and has it.  If that can issue at once, no other can be
 * sooner, and by greedy orders it comes first. */
static inline void find_after(struct machine *m, uint32_t scheduler, uint32_t w)
{
    const struct warp *last = &m->warps[w];
    const double free = m->free[scheduler];
    const uint32_t p = last->place;
    if (later(m->wanted[p], m->units[scheduler * UNITS + m->wanted_unit[p]]) <= free &&
        !m->round_robin) {
        m->best[scheduler] = w;
        m->best_time[scheduler] = free;
    } else {
        find_any(m, scheduler, last);
    }
}

void machine_find_best(struct machine *m, uint32_t scheduler)
{
    const uint32_t w = m->last[scheduler];
    if (m->warps[w].scheduler == scheduler)
        find_after(m, scheduler, w);
    else
        find_any(m, scheduler, NULL);
}

/* Books a server from a moment on; when it is done.  Between two requests it is idle for as long as
 * its share tells: by then others can come, which this one does not wait for. */
static double serve(struct machine *m, enum fw_sm_server server, double from, double cycles)
{
    if (!(cycles > 0))
        return from;
    double begin = later(from, m->servers[server]);
    m->servers[server] = begin + cycles * m->taken[server];
    m->result.served[server] += cycles;
    return begin + cycles;
}

/* Cycles of the load-store unit that a request of shared memory or a shuffle takes: beside products
 * what their factors leave of shared memory (data/h200/asynchronous, overlaps.jsonl: shuffles take
 * 1 / (1 - share) times as long, 24 times at most). */
static double beside_products(const struct machine *m, uint32_t scheduler, double time,
                              double cycles)
{
    static const double least_left = 1.0 / 24;
    bool products = m->delivering > 0 && m->units[scheduler * UNITS + FW_SM_TENSOR] > time;
    return products ? cycles / later(1 - m->delivering, least_left) : cycles;
}

/* A store leaves the load-store unit when L2 takes those before it within its latency: no more are
 * on their way.  What comes behind it waits there. */
static double hold_up(struct machine *m, const struct fw_sm_access *access, double done)
{
    double until = m->servers[FW_SM_SERVER_STORES] - access->latency[1];
    if (!(access->cycles[FW_SM_SERVER_STORES] > 0) || !(until > done) || access->reads > 0)
        return done; /* the copy engine has waits of its own: read_at() */
    m->servers[FW_SM_SERVER_LSU] = later(m->servers[FW_SM_SERVER_LSU], until);
    return until;
}

/* What a request to device memory waits for others beyond the multiprocessor's own, which are
 * simulated: more, the busier it was lately, as in a queue of requests that come by chance.  A
 * queue of a few latencies ago is served by now: a launch's last blocks, which have device memory
 * for themselves, do not wait for those of the waves before. */
static double queueing(struct machine *m, double at)
{
    const double all = m->result.served[FW_SM_SERVER_DRAM];
    if (at - m->moments[1] > QUEUE_CYCLES) {
        m->moments[0] = m->moments[1];
        m->served[0] = m->served[1];
        m->moments[1] = at;
        m->served[1] = all;
    }
    const double time = at - m->moments[0];
    const double busy = fmin(all - m->served[0], BUSIEST * time);
    return busy > 0 ? m->of->queue * busy / (time - busy) : 0;
}

/* Whether a warp's access misses this time (or, as the third, goes far): evenly, so that its share
 * comes out; accesses and warps begin at different places of that. */
static bool misses(struct machine *m, int level, uint32_t place, double share)
{
    double *credit = &m->misses[level][place];
    *credit += share;
    if (*credit < 1)
        return false;
    *credit -= 1;
    m->late[level] += 1;
    return true;
}

/* So many misses were to be expected of an execution.  Those of requests that miss each time are no
 * chance: they do not hide that rare ones have not come. */
static void expect(struct machine *m, int level, double share)
{
    m->expected[level] += share < 1 ? share : 0;
    m->late[level] -= share;
}

/* A number from 0 to 1, evenly over few and many requests: steps of the plastic number's inverse.
 */
static double draw(struct machine *m)
{
    const double drawn = m->drawn + 0.7548776662466927;
    m->drawn = drawn >= 1 ? drawn - 1 : drawn; /* as fmod */
    return m->drawn;
}

/* Cycles that a request waits beyond the least latency of a level: for the last of its lines, of
 * which every other one takes L2 longer, some lie in a far part of L2, and which device memory
 * returns late by chance (exponentially distributed). */
static double lateness(struct machine *m, const struct fw_sm_access *access, uint32_t instruction,
                       uint32_t place, uint32_t level)
{
    const struct line_chances *chances = &m->common->lines[instruction];
    double late = 0;
    if (level > 0 && access->far_share[level - 1] > 0) {
        double share = chances->far[level - 1];
        expect(m, 2, share);
        late += misses(m, 2, place, share) ? access->far : 0;
    }
    if (level == 1 && access->slow > 0)
        late += draw(m) > chances->fast ? access->slow : -access->slow;
    if (level > 1 && access->late > 0) {
        const double drawn = draw(m); /* pow(x, 1) is x, and takes a while to find it */
        late -= access->late * log(1 - (chances->each < 1 ? pow(drawn, chances->each) : drawn));
    }
    return late;
}

/* Of a request whose lines others have asked for: when it would go on had it asked for them itself
 * when the first of its block did, at least what lets it find them in L1. */
static double join(struct machine *m, const struct fw_sm_access *access, double asked, double done,
                   uint32_t level)
{
    double late = level == 2 ? queueing(m, done) : 0;
    return later(asked + late, done + access->latency[0] - access->latency[level]);
}

/* When a bulk copy has read shared memory, which L2 is done with at a moment: L2 takes what is
 * ahead of it within its latency, as of stores. */
static double read_at(const struct fw_sm_access *access, double issued, double taken)
{
    const double own = access->cycles[FW_SM_SERVER_L2] + access->cycles[FW_SM_SERVER_STORES] +
                       access->cycles[FW_SM_SERVER_ATOMICS];
    return later(issued + access->reads, taken - own - access->latency[1]);
}

/* A request of a warp: when its data are there (a load), or when it is on its way. */
static double request(struct machine *m, const struct fw_step *step, double time,
                      struct cause *cause, struct warp *warp, double *taken)
{
    static const uint8_t levels[] = {FW_SM_PART_L1, FW_SM_PART_L2, FW_SM_PART_DRAM};
    const uint32_t instruction = step->instruction;
    const struct fw_sm_access *access = &m->of->accesses[instruction];
    const double issued = time;
    double came[CAUSE_QUEUES];
    const double *cycles = access->cycles;
    double lsu = cycles[FW_SM_SERVER_LSU], late = 0;
    if (access->wait == FW_SM_WAIT_SHORT)
        lsu = beside_products(m, warp->scheduler, time, lsu);
    double done = serve(m, FW_SM_SERVER_LSU, time, lsu);
    done = hold_up(m, access, done);
    *taken = done - lsu;
    done = serve(m, FW_SM_SERVER_CONSTANT, done, cycles[FW_SM_SERVER_CONSTANT]);
    came[CAUSE_LSU] = came[CAUSE_L2] = came[CAUSE_DRAM] = done;
    uint32_t level = 0, w = (uint32_t)(warp - m->warps);
    double *asked = &m->blocks[warp->block].asked;
    *asked = access->joined > 0 && issued < *asked ? issued : *asked;
    struct shared_line line = {.fetched = true, .leader = w};
    if (access->leader)
        line = shared_lines_come(m, w, instruction);
    uint32_t place = line.leader * m->instructions + instruction;
    expect(m, 0, access->miss_l1);
    if (line.fetched && misses(m, 0, place, access->leader ? access->fetches : access->miss_l1)) {
        level = 1;
        const double written = serve(m, FW_SM_SERVER_LINES, done, cycles[FW_SM_SERVER_LINES]);
        done = serve(m, FW_SM_SERVER_L2, done, cycles[FW_SM_SERVER_L2]);
        done = serve(m, FW_SM_SERVER_STORES, done, cycles[FW_SM_SERVER_STORES]);
        done = serve(m, FW_SM_SERVER_ATOMICS, done, cycles[FW_SM_SERVER_ATOMICS]);
        done = later(done, written);
        came[CAUSE_L2] = came[CAUSE_DRAM] = done;
        const struct line_chances *chances = &m->common->lines[instruction];
        const double missing =
            m->missing ? fmin(1, chances->missing * m->missing[line.leader]) : chances->missing;
        const double bytes = cycles[FW_SM_SERVER_DRAM] * chances->part;
        expect(m, 1, missing);
        if (misses(m, 1, place, missing)) {
            level = 2;
            double begun = done;
            serve(m, FW_SM_SERVER_LINES, done, /* a load does not wait for it */
                  access->fill * chances->part);
            done = serve(m, FW_SM_SERVER_DRAM, done, bytes);
            late = later(0, queueing(m, done) - (done - begun - bytes));
            came[CAUSE_DRAM] = done + late;
        }
    } else if (access->joined > 0 && draw(m) < access->joined) {
        level = draw(m) < access->miss_l2 ? 2 : 1;
        done = join(m, access, *asked, done, level);
        came[CAUSE_DRAM] = later(came[CAUSE_L2], done);
    }
    if (access->reads > 0)
        warp->copies = later(warp->copies, read_at(access, issued, came[CAUSE_L2]));
    done += access->latency[level] + lateness(m, access, instruction, place, level) + late;
    if (line.there && line.fetched) {
        *line.there = done;
        *line.level = (uint8_t)level;
    } else if (line.there && *line.there > done) {
        done = *line.there;
        level = *line.level;
    }
    cause->part = access->wait == FW_SM_WAIT_SHORT   ? FW_SM_PART_SHARED
                  : access->wait == FW_SM_WAIT_FIXED ? FW_SM_PART_WAIT
                                                     : levels[level];
    for (int q = 0; q < CAUSE_QUEUES && m->accounting && done > issued; q++)
        cause->shares[q] = (float)((came[q] - (q ? came[q - 1] : issued)) / (done - issued));
    if (access->copies && !(access->in_flight > 0)) /* bulk ones complete on mbarriers */
        warp->copies = later(warp->copies, done);
    if (step->other)
        mbarriers_copy(m, warp, step->other, done);
    if (access->in_flight > 0) {
        warp->arrived[warp->copy_count++ % COPY_GROUPS] = done;
        m->copied = later(m->copied, done);
    }
    if (access->waits || access->copies) {
        warp->last = later(warp->last, done);
        return access->waits ? done : time;
    }
    m->stored = later(m->stored, done);
    return time;
}

/* ---- issue ---- */

static double *ring_of(const struct machine *m, uint32_t scheduler, uint32_t queue)
{
    return m->leaves + (size_t)(scheduler * QUEUES + queue - QUEUE_LG) * m->ring;
}

/* An operation takes a place in a queue of its scheduler until its unit takes it. */
static void enter_queue(struct machine *m, uint32_t scheduler, uint32_t queue, double leaves)
{
    const uint32_t depth = machine_depth(m, queue);
    if (!depth)
        return;
    double *ring = ring_of(m, scheduler, queue);
    uint32_t *next = &m->next_leave[scheduler * QUEUES + queue - QUEUE_LG];
    const uint32_t here = *next, behind = here + 1, then = behind < depth ? behind : 0;
    ring[here] = later(leaves, ring[(here ? here : depth) - 1]);
    *next = then;
    m->units[scheduler * UNITS + queue] = ring[then];
}

/* Cycles from one operation of a queue to the next. */
static double turn_of(const struct machine *m, uint32_t scheduler, uint32_t queue)
{
    const uint32_t depth = machine_depth(m, queue);
    if (depth < 2)
        return 1;
    const double *ring = ring_of(m, scheduler, queue);
    uint32_t next = m->next_leave[scheduler * QUEUES + queue - QUEUE_LG];
    return (ring[(next ? next : depth) - 1] - ring[next]) / (depth - 1);
}

/* The stall reason of a wait for a value. */
static inline enum fw_sm_stall stall_of(uint8_t part)
{
    static const uint8_t stalls[FW_SM_PART_COUNT] = {
        [FW_SM_PART_SPECIAL] = FW_SM_STALL_SHORT, [FW_SM_PART_SHUFFLE] = FW_SM_STALL_SHORT,
        [FW_SM_PART_SHARED] = FW_SM_STALL_SHORT,  [FW_SM_PART_L1] = FW_SM_STALL_LONG,
        [FW_SM_PART_L2] = FW_SM_STALL_LONG,       [FW_SM_PART_DRAM] = FW_SM_STALL_LONG};
    return stalls[part] ? (enum fw_sm_stall)stalls[part] : FW_SM_STALL_WAIT;
}

/* What the warp waited for since it issued last, also for its unit (or a place in a queue) that was
 * busy.  In the cycle in which that takes the operation of another warp it could have taken this
 * one: the other warp was selected.  (The account asks for cycles without any issue.) */
static inline void account_wait(struct machine *m, uint32_t w, uint32_t scheduler, uint32_t unit,
                                const struct fw_sm_operation *operation, double interval)
{
    static const struct {
        enum fw_sm_part part;
        enum fw_sm_stall stall;
    } busy[UNITS] = {
        [FW_SM_NONE] = {FW_SM_PART_WAIT, FW_SM_STALL_WAIT},
        [FW_SM_FMA] = {FW_SM_PART_FMA, FW_SM_STALL_MATH},
        [HEAVY] = {FW_SM_PART_FMA, FW_SM_STALL_MATH},
        [FW_SM_ALU] = {FW_SM_PART_ALU, FW_SM_STALL_MATH},
        [FW_SM_FP16] = {FW_SM_PART_FP16, FW_SM_STALL_MATH},
        [FW_SM_FP64] = {FW_SM_PART_FP64, FW_SM_STALL_MATH},
        [FW_SM_XU] = {FW_SM_PART_XU, FW_SM_STALL_MATH},
        [FW_SM_TENSOR] = {FW_SM_PART_TENSOR, FW_SM_STALL_MATH},
        [FW_SM_MATCH] = {FW_SM_PART_MATCH, FW_SM_STALL_MATH},
        [QUEUE_LG] = {FW_SM_PART_LG, FW_SM_STALL_LG},
        [QUEUE_MIO] = {FW_SM_PART_MIO, FW_SM_STALL_MIO},
        [QUEUE_TENSOR] = {FW_SM_PART_TENSOR, FW_SM_STALL_MATH},
    };
    const struct warp *warp = &m->warps[w];
    double *stalls = m->result.stalls, time = m->best_time[scheduler], throttled = 0;
    double slot = later(warp->ready, sooner(time, m->units[scheduler * UNITS + unit]));
    if (slot > warp->ready) {
        double turn = unit >= QUEUE_LG                    ? turn_of(m, scheduler, unit)
                      : unit == HEAVY && operation->heavy ? operation->holds
                                                          : interval;
        throttled = turn > 1 ? (slot - warp->ready) * (1 - 1 / turn) : 0;
    }
    if (warp->cause.part != FW_SM_PART_LAUNCH) /* else it has not come */
        stalls[stall_of(warp->cause.part)] += warp->ready - warp->since;
    stalls[busy[unit].stall] += throttled;
    stalls[FW_SM_STALL_NOT_SELECTED] += time - warp->ready - throttled;
    stalls[FW_SM_STALL_SELECTED] += 1;
    if (m->accounting)
        account_issue(m, w, time, slot, busy[unit].part, m->free[scheduler]);
}

/* An operation takes its unit, or a half of the FMA unit: when. */
static inline double take_unit(const struct machine *m, uint32_t scheduler, enum fw_sm_unit unit,
                               const struct fw_sm_operation *operation, double time,
                               double *interval)
{
    double *units = m->units + scheduler * UNITS, holds = operation->holds;
    uint32_t half = unit;
    if (unit == FW_SM_FMA && holds > 0) {
        const bool heavy = operation->heavy | (units[LIGHT] > later(time, units[HEAVY]));
        half = LIGHT - (uint32_t)heavy * (LIGHT - HEAVY);
    }
    double taken = later(time, units[half]); /* later than now: it waits in a queue */
    if (operation->beside > 1 && units[FW_SM_TENSOR] > taken && m->products) {
        *interval *= operation->beside;
        holds *= operation->beside;
    }
    units[half] = taken + (half == unit ? *interval : holds);
    if (half != unit)
        units[FW_SM_FMA] = sooner(units[HEAVY], units[LIGHT]);
    else if (unit == FW_SM_FMA)
        units[HEAVY] = units[LIGHT] = units[unit];
    return taken;
}

void machine_issue(struct machine *m, uint32_t scheduler)
{
    const uint32_t w = m->best[scheduler];
    struct warp *warp = &m->warps[w];
    const struct fw_step *step = warp->step;
    const struct fw_sm_operation *operation = warp->operation;
    const double time = m->best_time[scheduler];
    const enum fw_sm_unit unit = operation->unit;
    const uint32_t needs = m->wanted_unit[warp->place];
    double interval = operation->interval;
    m->now = later(m->now, time);
    account_wait(m, w, scheduler, needs, operation, interval);
    const bool other = m->last[scheduler] != w, ready = m->free[scheduler] - 1 >= warp->ready;
    m->result.overtaken += other & ready; /* which is hard to foresee */
    m->free[scheduler] = time + 1 + operation->reading;
    m->last[scheduler] = w;
    m->result.busy[FW_SM_NONE] += 1;
    m->result.issued += 1;
    m->result.issues++;
    double there = time + operation->latency, taken = time;
    struct cause *cause = &warp->causes[step->slot];
    *cause = (struct cause){.part = m->common->causes[step->operation]};
    if (operation->memory) {
        warp->asks = time + m->of->request;
        there = request(m, step, time, cause, warp, &taken);
    } else if (unit == FW_SM_LSU) {
        double lsu = beside_products(m, scheduler, time, interval);
        double done = serve(m, FW_SM_SERVER_LSU, time, lsu);
        there = done + operation->latency;
        taken = done - lsu;
    } else if (unit != FW_SM_NONE) {
        taken = take_unit(m, scheduler, unit, operation, time, &interval);
        there = taken + operation->latency;
        m->result.busy[unit] += interval;
    }
    if (needs >= QUEUE_LG)
        enter_queue(m, scheduler, needs, taken);
    if (operation->product) {
        warp->products = later(warp->products, taken + interval + operation->completes);
        m->delivering = operation->delivery;
        m->products = true;
    }
    warp->slots[step->slot] = there;
    warp->last = later(warp->last, there);
    warp->since = time + 1;
    warp->at++;
    machine_advance(m, w);
    if (machine_has_to_settle(&m->blocks[warp->block]))
        machine_settle(m, warp->block);
    find_after(m, scheduler, w);
}
