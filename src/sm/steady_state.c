/* Steady states: where all warps go round a loop at one rate, rounds are skipped.
 *
 * One warp is watched.  When it begins another round, the rounds of all warps are noted.  If each
 * went round as often in the last period as in the one before, in the same time, and no more misses
 * are outstanding than chance allows, the state goes on until the first warp leaves the loop. Where
 * a pipe is full, the warps that the policy prefers go round more often than others, and no two
 * periods are alike: past a share of the limit of issues, rates that stay about the same are
 * enough, since what the limit cuts off is worse. */
#include "simulate_internal.h"

#include <math.h>
#include <string.h>

enum {
    LONGEST_PERIOD = 16, /* rounds of a loop that a steady state may take */
    LEAST_SKIPPED = 2,   /* periods */
    PATIENCE = 32        /* of the limit of issues, before rates are enough: one in so many */
};

/* How far two periods are from each other that count as alike. */
struct likeness {
    double time, rounds; /* shares */
    double least;        /* rounds */
};

struct watching *machine_open_watching(const struct machine *m)
{
    struct watching *watching = FW_NEW(m->arena, struct watching);
    for (uint32_t i = 0; i < WATCHES; i++)
        watching->watches[i].loop = FW_NONE;
    return watching;
}

static double trips_of(const struct machine *m, const struct frame *frame)
{
    return m->watching->beside ? frame->trips_beside : frame->trips;
}

static void note(struct machine *m, struct snapshot *to, uint32_t loop)
{
    if (!to->positions)
        to->positions = FW_ARRAY(m->arena, struct position, m->warp_count);
    to->time = m->now;
    to->result = m->result;
    if (m->accounting)
        account_note(m, to);
    if (m->recorder)
        timeline_note(m, to);
    memcpy(to->late, m->late, sizeof(to->late));
    memcpy(to->expected, m->expected, sizeof(to->expected));
    for (uint32_t w = 0; w < m->warp_count; w++) {
        const struct warp *warp = &m->warps[w];
        struct position *position = &to->positions[w];
        *position = (struct position){.alive = warp->alive, .loop = FW_NONE};
        for (uint32_t f = 0; warp->alive && f < warp->frame_count; f++)
            if (warp->program->steps[warp->frames[f].step].loop == loop)
                *position =
                    (struct position){loop, warp->frames[f].round, trips_of(m, &warp->frames[f]),
                                      warp->frames[f].entries, true};
    }
}

static struct likeness likeness_of(const struct machine *m, uint32_t period)
{
    if (period == LONGEST_PERIOD && m->result.issues > m->of->most_issues / PATIENCE)
        return (struct likeness){.time = 0.1, .rounds = 0.1, .least = 2};
    if (period >= LONGEST_PERIOD / 2 && m->result.issues > m->of->most_issues / PATIENCE)
        return (struct likeness){.time = 0.05, .rounds = 0.1, .least = 1};
    return (struct likeness){.time = 0.02, .least = period == LONGEST_PERIOD ? 1 : 0};
}

/* Whether as many misses came between two moments as were to be expected: rare ones may all be
 * still to come.  One more or less does not matter where the warps that wait are so many that it
 * changes the time by less than a share. */
static bool has_usual_misses(const struct machine *m, const struct snapshot *from,
                             const struct snapshot *to, double share)
{
    static const double most = 0.25, wait = 500; /* misses; cycles of one, about */
    double alive = 0;
    for (uint32_t w = 0; w < m->warp_count; w++)
        alive += m->warps[w].alive;
    const double hidden = fmin(most, share * (to->time - from->time) * alive / wait);
    for (int level = 0; level < CHANCES; level++)
        if (fabs(to->late[level] - from->late[level]) >
            0.1 * (to->expected[level] - from->expected[level]) + hidden)
            return false;
    return true;
}

/* Operations of so many rounds of a loop that a warp is in. */
static double issues_of(const struct warp *warp, uint32_t loop, double rounds)
{
    for (uint32_t f = 0; f < warp->frame_count; f++)
        if (warp->program->steps[warp->frames[f].step].loop == loop)
            return fw_warp_program_rounds(warp->program, warp->frames[f].step,
                                          warp->frames[f].round, rounds);
    return 0;
}

/* Whether as many operations issued in the last period as its rounds have in the mean: what comes
 * up in a share of the rounds may all be still to come. */
static bool has_usual_issues(const struct machine *m, const struct watch *watch, uint32_t period)
{
    static const double most = 0.02; /* more or fewer, as a share */
    const struct snapshot *to = &watch->snapshots[watch->count - 1], *from = to - period;
    const double issued = to->result.issued - from->result.issued;
    double usual = 0;
    for (uint32_t w = 0; w < m->warp_count; w++)
        if (m->warps[w].alive)
            usual += issues_of(&m->warps[w], watch->loop,
                               to->positions[w].round - from->positions[w].round);
    return fabs(issued - usual) <= most * usual;
}

/* Whether each warp went round as often in the last period as in that before, in one stay in the
 * loop; how many further periods no warp leaves it. */
static bool goes_alike(const struct machine *m, const struct watch *watch, uint32_t period,
                       double *further)
{
    const struct likeness like = likeness_of(m, period);
    const struct snapshot *c = &watch->snapshots[watch->count - 1];
    const struct snapshot *b = c - period, *a = b - period;
    double last = c->time - b->time, before = b->time - a->time;
    *further = HUGE_VAL;
    if (!(last > 0) || fabs(last - before) > like.time * last)
        return false;
    if (!has_usual_misses(m, a, c, like.time))
        return false;
    for (uint32_t w = 0; w < m->warp_count; w++) {
        const struct position *x = &a->positions[w], *y = &b->positions[w], *z = &c->positions[w];
        if (!x->alive && !y->alive && !z->alive)
            continue;
        if (!x->alive || !z->alive || x->loop == FW_NONE || y->loop == FW_NONE ||
            z->loop == FW_NONE || x->entries < z->entries || x->entries > z->entries)
            return false;
        double rounds = z->round - y->round, earlier = y->round - x->round;
        double most = like.least + like.rounds * rounds;
        if (!(rounds > 0) || fabs(rounds - earlier) > most)
            return false;
        *further = fmin(*further, floor((z->trips - z->round - 1) / rounds) - 1);
    }
    return true;
}

/* The same, and some periods can be skipped. */
static bool is_steady(const struct machine *m, const struct watch *watch, uint32_t period,
                      double *further)
{
    return goes_alike(m, watch, period, further) && *further >= LEAST_SKIPPED &&
           *further < HUGE_VAL && has_usual_issues(m, watch, period);
}

/* Whether warps of a block wait for each other in each round of a loop that one of them is in. */
static bool meets_in_rounds(const struct warp *warp, uint32_t loop)
{
    for (uint32_t f = 0; f < warp->frame_count; f++) {
        const struct fw_step *steps = warp->program->steps, *at = &steps[warp->frames[f].step];
        for (uint32_t s = warp->frames[f].step; at->loop == loop && s < at->other; s++)
            if (steps[s].kind == FW_STEP_BARRIER)
                return true;
    }
    return false;
}

/* Rounds of a warp in a period.  Where warps of a block wait for each other in each round, none
 * goes ahead: a warp that has begun one more, as the period ends, has as many as the others. */
static double rounds_of(const struct machine *m, const struct watch *watch, uint32_t w,
                        const struct snapshot *from, const struct snapshot *to)
{
    double least = to->positions[w].round - from->positions[w].round;
    if (!meets_in_rounds(&m->warps[w], watch->loop))
        return least;
    for (uint32_t v = 0; v < m->warp_count; v++)
        if (m->warps[v].alive && m->warps[v].block == m->warps[w].block)
            least = fmin(least, to->positions[v].round - from->positions[v].round);
    return least;
}

/* Goes on by so many periods: times move, rounds and sums grow. */
static void skip(struct machine *m, struct watch *watch, uint32_t period, double times)
{
    const struct snapshot *to = &watch->snapshots[watch->count - 1], *from = to - period;
    const double cycles = times * (to->time - from->time);
    struct fw_sm_result *result = &m->result;
    double issues = 0;
    if (m->accounting)
        account_skip(m, from, to, times, cycles);
    if (m->recorder)
        timeline_skipped(m, to->time, cycles);
    for (uint32_t w = 0; w < m->warp_count; w++) {
        struct warp *warp = &m->warps[w];
        if (!warp->alive)
            continue;
        const double rounds = times * rounds_of(m, watch, w, from, to);
        issues += issues_of(warp, watch->loop, rounds);
        for (uint32_t f = 0; f < warp->frame_count; f++)
            if (warp->program->steps[warp->frames[f].step].loop == watch->loop)
                warp->frames[f].round += rounds;
        warp->since += cycles;
        warp->ready += cycles;
        warp->last += cycles;
        warp->copies += cycles;
        warp->products += cycles;
        for (uint32_t g = 0; g < COPY_GROUPS; g++)
            warp->arrived[g] += cycles;
        for (uint32_t g = 0; g < COPY_GROUPS; g++)
            warp->groups[g] += cycles, warp->product_groups[g] += cycles;
        for (uint32_t s = 0; s < warp->program->slots; s++)
            warp->slots[s] += cycles;
    }
    for (uint32_t s = 0; s < m->of->schedulers; s++) {
        if (m->free[s] > from->time) /* else its warps have ended */
            m->free[s] += cycles;
        m->best_time[s] += cycles;
        for (uint32_t e = 0; e < QUEUES * m->ring; e++)
            m->leaves[s * QUEUES * m->ring + e] += cycles;
        for (uint32_t u = 0; u < UNITS; u++)
            m->units[s * UNITS + u] += cycles;
        for (uint32_t p = s * m->places; p < (s + 1) * m->places; p++)
            m->wanted[p] += cycles;
    }
    mbarriers_skip(m, cycles);
    shared_lines_skip(m, cycles);
    for (int s = 0; s < FW_SM_SERVER_COUNT; s++) {
        m->servers[s] += cycles;
        result->served[s] += times * (to->result.served[s] - from->result.served[s]);
    }
    for (uint32_t b = 0; b < m->of->resident; b++) {
        m->blocks[b].latest += cycles;
        m->blocks[b].end += cycles;
        m->blocks[b].loads += cycles;
        m->blocks[b].asked += cycles;
    }
    for (int u = 0; u < FW_SM_UNIT_COUNT; u++)
        result->busy[u] += times * (to->result.busy[u] - from->result.busy[u]);
    for (int s = 0; s < FW_SM_STALL_COUNT; s++)
        result->stalls[s] += times * (to->result.stalls[s] - from->result.stalls[s]);
    result->issued += issues;
    result->overtaken += times * (to->result.overtaken - from->result.overtaken);
    m->barriers += cycles;
    m->next_dispatch += cycles;
    m->now += cycles;
    m->stored += cycles;
    m->copied += cycles;
    for (struct watch *inner = watch; inner < m->watching->watches + WATCHES; inner++)
        inner->count = 0; /* one around it goes on: its rounds take this time */
}

/* Whether the observer of a watch is in its loop for some further rounds. */
static bool is_watched(const struct machine *m, const struct watch *watch)
{
    const struct warp *observer = &m->warps[watch->observer];
    bool still = false;
    if (watch->loop == FW_NONE || !observer->alive)
        return false;
    for (uint32_t f = 0; f < observer->frame_count; f++)
        still |= observer->program->steps[observer->frames[f].step].loop == watch->loop &&
                 trips_of(m, &observer->frames[f]) - observer->frames[f].round > 3;
    return still;
}

static void watch_round(struct machine *m, struct watch *watch, uint32_t w,
                        const struct fw_step *again)
{
    const struct frame *frame = &m->warps[w].frames[again->depth];
    struct watching *watching = m->watching;
    if (trips_of(m, frame) - frame->round < 4)
        return;
    if (watching->noted != watch) {
        watching->noted = watch;
        watching->note_before = watch->count ? watch->snapshots[watch->count - 1].time : -1;
    }
    if (w != watch->observer || again->loop != watch->loop) {
        watch->observer = w;
        watch->loop = again->loop;
        watch->depth = again->depth;
        watch->count = 0;
        for (struct watch *inner = watch + 1; inner < watching->watches + WATCHES; inner++)
            inner->loop = FW_NONE;
    }
    if (watch->count == SNAPSHOTS) {
        struct snapshot oldest = watch->snapshots[0]; /* its memory is used again */
        memmove(watch->snapshots, watch->snapshots + 1,
                (SNAPSHOTS - 1) * sizeof(*watch->snapshots));
        watch->snapshots[SNAPSHOTS - 1] = oldest;
        watch->count--;
    }
    note(m, &watch->snapshots[watch->count++], again->loop);
    m->observed = true;
}

static void observe(struct machine *m, uint32_t w, const struct fw_step *again)
{
    struct watch *watches = m->watching->watches;
    for (struct watch *watch = watches; watch < watches + WATCHES; watch++) {
        const bool own = w == watch->observer && again->loop == watch->loop;
        if (own || !is_watched(m, watch)) {
            watch_round(m, watch, w, again);
            return;
        }
        if (again->depth <= watch->depth)
            return; /* another warp's round, or of another loop */
    }
}

/* What the simulation beside it watches takes the place of what the machine does. */
static void change_sides(struct machine *m)
{
    struct watching *own = m->watching;
    m->watching = m->watching_beside;
    m->watching_beside = own;
}

void machine_observe(struct machine *m, uint32_t w, const struct fw_step *again)
{
    observe(m, w, again);
    if (!m->beside)
        return;
    change_sides(m);
    observe(m, w, again);
    change_sides(m);
}

/* Warps that miss more often than others fall behind from period to period. */
static bool may_be_steady(const struct machine *m)
{
    return !m->missing || m->result.issues >= m->of->most_issues / PATIENCE;
}

/* Whether what is noted is newer than what was. */
static bool has_noted(const struct watching *watching)
{
    const struct watch *noted = watching->noted;
    return noted && noted->count > 2 &&
           noted->snapshots[noted->count - 1].time > watching->note_before;
}

static bool may_skip(struct machine *m)
{
    const struct watch *watch = m->watching->noted;
    double further;
    bool alike = false;
    m->watching->skips = has_noted(m->watching);
    if (!m->watching->skips)
        return false;
    for (uint32_t period = 1; period <= LONGEST_PERIOD && 2 * period < watch->count; period *= 2)
        alike |= goes_alike(m, watch, period, &further);
    return alike && may_be_steady(m);
}

bool machine_goes_alike(struct machine *m)
{
    const bool own = may_skip(m);
    change_sides(m);
    const bool other = may_skip(m);
    change_sides(m);
    return own || other;
}

void machine_skip_if_steady(struct machine *m)
{
    struct watch *watch = m->watching->noted;
    double further;
    if (!has_noted(m->watching) || !may_be_steady(m))
        return;
    for (uint32_t period = 1; period <= LONGEST_PERIOD && 2 * period < watch->count; period *= 2)
        if (is_steady(m, watch, period, &further)) {
            skip(m, watch, period, further);
            return;
        }
}
