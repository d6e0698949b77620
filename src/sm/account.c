#include "simulate_internal.h"

#include <math.h>
#include <string.h>

enum { GAPS = 1024 /* of a scheduler, that are looked up */ };

const struct fw_sm_part_row *fw_sm_part(enum fw_sm_part part)
{
    static const struct fw_sm_part_row rows[FW_SM_PART_COUNT] = {
#define X(name, stall, part, meaning) {stall, part, meaning},
        FW_SM_PARTS(X)
#undef X
    };
    return &rows[part];
}

/* Cycles without an issue, one after the other. */
struct gap {
    double begin, end, before; /* `before`: cycles of gaps before it */
};

/* The issue of a scheduler so far. */
struct idle {
    struct gap *gaps; /* the last ones, in a ring */
    uint64_t count;
    double total;
    double places; /* of warps that it ever has */
};

/* A warp's next stretches of time, of which the scheduler's gaps are not known yet. */
struct stretch {
    double until;
    enum fw_sm_part part;
    uint32_t place;
};

enum { STRETCHES = 6 };

struct place {
    double counted; /* gaps of the scheduler that it has accounted for */
    double time;    /* up to here */
    struct stretch next[STRETCHES];
    uint32_t count;
    uint32_t line; /* of its block's last instruction */
    double left, drained;
};

struct sm_accounting {
    struct fw_sm_account *to;
    struct idle *idle;    /* by scheduler */
    struct place *places; /* by warp */
    double active;        /* schedulers that have warps */
    /* Cells of the account that are not 0. */
    uint32_t *cells; /* by place and part: number, from 1 */
    FW_VECTOR(uint32_t) used;
    FW_VECTOR(double) sums;
};

static void add_cell(struct machine *m, uint32_t at)
{
    struct sm_accounting *a = m->accounting;
    *FW_APPEND(m->arena, &a->used) = at;
    *FW_APPEND(m->arena, &a->sums) = 0;
    a->cells[at] = (uint32_t)a->used.count;
}

static inline double *cell(struct machine *m, uint32_t place, enum fw_sm_part part)
{
    struct sm_accounting *a = m->accounting;
    uint32_t at = place * FW_SM_PART_COUNT + (uint32_t)part;
    if (!a->cells[at])
        add_cell(m, at);
    return &a->sums.at[a->cells[at] - 1];
}

void account_open(struct machine *m, struct fw_sm_account *to, double blocks)
{
    const struct fw_sm_simulation *of = m->of;
    if (!to)
        return;
    struct sm_accounting *a = m->accounting = FW_NEW(m->arena, struct sm_accounting);
    double resident = fmin(of->resident, blocks);
    a->to = to;
    a->idle = FW_ARRAY(m->arena, struct idle, of->schedulers);
    a->places = FW_ARRAY(m->arena, struct place, m->warp_count);
    a->cells = FW_ARRAY(m->arena, uint32_t, (size_t)to->place_count * FW_SM_PART_COUNT);
    for (uint32_t w = 0; w < resident * of->warps; w++)
        a->idle[w % of->schedulers].places++;
    for (uint32_t s = 0; s < of->schedulers; s++) {
        a->idle[s].gaps = FW_ARRAY(m->arena, struct gap, GAPS);
        a->active += a->idle[s].places > 0;
    }
}

void account_copy(struct machine *copy, struct fw_sm_account *to)
{
    struct fw_arena *arena = copy->arena;
    const struct sm_accounting *from = copy->accounting;
    if (!from)
        return;
    struct sm_accounting *a = copy->accounting = fw_arena_copy(arena, from, sizeof(*from));
    const size_t cells = (size_t)to->place_count * FW_SM_PART_COUNT;
    a->to = to;
    a->idle = fw_arena_copy(arena, from->idle, copy->of->schedulers * sizeof(*a->idle));
    for (uint32_t s = 0; s < copy->of->schedulers; s++)
        a->idle[s].gaps = fw_arena_copy(arena, from->idle[s].gaps, GAPS * sizeof(*a->idle->gaps));
    a->places = fw_arena_copy(arena, from->places, copy->warp_count * sizeof(*a->places));
    a->cells = fw_arena_copy(arena, from->cells, cells * sizeof(*a->cells));
    a->used.at = fw_arena_copy(arena, from->used.at, from->used.capacity * sizeof(*a->used.at));
    a->sums.at = fw_arena_copy(arena, from->sums.at, from->sums.capacity * sizeof(*a->sums.at));
}

/* Cycles of gaps up to a moment that is past. */
static inline double idle_until(const struct idle *idle, double time)
{
    const uint64_t kept = idle->count < GAPS ? idle->count : GAPS;
    const struct gap *last = &idle->gaps[(idle->count - 1) % GAPS];
    if (!kept || time >= last->end)
        return idle->total;
    if (time >= last->begin) /* most often */
        return last->before + (time - last->begin);
    /* The first gap that ends later, not long ago most often. */
    const uint64_t oldest = idle->count - kept;
    uint64_t first = idle->count - 1, reach = 1;
    while (first - oldest >= reach && idle->gaps[(first - reach) % GAPS].end > time) {
        first -= reach;
        reach *= 2;
    }
    for (uint64_t low = first - oldest >= reach ? first - reach + 1 : oldest; low < first;) {
        const uint64_t middle = low + (first - low) / 2;
        if (idle->gaps[middle % GAPS].end > time)
            first = middle;
        else
            low = middle + 1;
    }
    const struct gap *gap = &idle->gaps[first % GAPS];
    return gap->before + later(0, time - gap->begin);
}

/* Into the timeline: a request waits for its turn before its latency begins. */
static void record(struct machine *m, uint32_t w, double until, enum fw_sm_part part,
                   const struct cause *cause, uint32_t line)
{
    double from = m->accounting->places[w].time, length = until - from;
    for (int q = 0; q < CAUSE_QUEUES && cause; q++)
        if (cause->shares[q] > 0) {
            double end = from + length * (double)cause->shares[q];
            timeline_add(m, w, from, end, cause_queue(part, q), line);
            from = end;
        }
    timeline_add(m, w, from, until, part, line);
}

/* A stretch of a warp's time, up to `until`, has one reason; of a wait for memory it may have
 * several.  `gaps`: of its scheduler up to then. */
static inline void add_stretch(struct machine *m, uint32_t w, const struct idle *idle,
                               struct place *place, double until, double gaps, enum fw_sm_part part,
                               const struct cause *cause, uint32_t line)
{
    double cycles = gaps - place->counted;
    if (m->recorder)
        record(m, w, until, part, cause, line);
    place->time = until;
    place->counted = gaps;
    if (!(cycles > 0))
        return;
    cycles /= idle->places;
    double left = cycles;
    for (int q = 0; q < CAUSE_QUEUES && cause; q++)
        if (cause->shares[q] > 0) {
            double queued = cycles * (double)cause->shares[q];
            *cell(m, line, cause_queue(part, q)) += queued;
            left -= queued;
        }
    *cell(m, line, part) += left;
}

/* The same where there is one: most waits for one reason are no wait. */
static void stretch(struct machine *m, uint32_t w, double until, enum fw_sm_part part,
                    uint32_t line)
{
    struct place *place = &m->accounting->places[w];
    const struct idle *idle = &m->accounting->idle[m->warps[w].scheduler];
    if (until > place->time)
        add_stretch(m, w, idle, place, until, idle_until(idle, until), part, NULL, line);
}

/* What was put off: the gaps up to now are known. */
static void catch_up(struct machine *m, uint32_t w)
{
    struct place *place = &m->accounting->places[w];
    for (uint32_t i = 0; i < place->count; i++)
        stretch(m, w, place->next[i].until, place->next[i].part, place->next[i].place);
    place->count = 0;
}

static void put_off(struct machine *m, uint32_t w, double until, enum fw_sm_part part,
                    uint32_t line)
{
    struct place *place = &m->accounting->places[w];
    if (place->count == STRETCHES)
        place->count--;
    place->next[place->count++] = (struct stretch){until, part, line};
}

/* Of places whose warps have ended: what is over by then, while its gaps are known. */
static void settle(struct machine *m, uint32_t scheduler, double time)
{
    for (uint32_t w = 0; w < m->warp_count; w++) {
        const struct place *place = &m->accounting->places[w];
        if (place->count && !m->warps[w].alive && m->warps[w].scheduler == scheduler &&
            place->next[place->count - 1].until <= time)
            catch_up(m, w);
    }
}

void account_issue(struct machine *m, uint32_t w, double time, double slot, enum fw_sm_part busy,
                   double free)
{
    struct sm_accounting *a = m->accounting;
    const struct warp *warp = &m->warps[w];
    struct idle *idle = &a->idle[warp->scheduler];
    struct place *place = &a->places[w];
    const double reading = warp->operation->reading;
    const uint32_t line = a->to->places[warp->step->instruction];
    if (time > free) {
        idle->gaps[idle->count++ % GAPS] = (struct gap){free, time, idle->total};
        idle->total += time - free;
        if (idle->count % (GAPS / 2) == 0)
            settle(m, warp->scheduler, time);
    }
    if (place->count)
        catch_up(m, w);
    if (warp->since > place->time && time > place->time)
        stretch(m, w, warp->since, FW_SM_PART_LAUNCH, 0);
    if (warp->ready > place->time)
        add_stretch(m, w, idle, place, warp->ready, idle_until(idle, warp->ready),
                    (enum fw_sm_part)warp->cause.part, &warp->cause, line);
    if (slot > place->time)
        add_stretch(m, w, idle, place, slot, idle_until(idle, slot), busy, NULL, line);
    if (time > place->time)
        add_stretch(m, w, idle, place, time, idle->total, FW_SM_PART_NOT_SELECTED, NULL, line);
    if (m->recorder)
        timeline_add(m, w, time, time + 1, FW_SM_PART_SELECTED, line);
    place->time = time + 1;
    place->counted = idle->total;
    place->line = line;
    *cell(m, line, FW_SM_PART_SELECTED) += 1;
    if (reading > 0) /* no gap: the scheduler is kept */
        *cell(m, line, FW_SM_PART_DISPATCH) += reading;
}

void account_barrier(struct machine *m, uint32_t w, double until)
{
    const struct warp *warp = &m->warps[w];
    if (m->recorder)
        timeline_release(m, warp->block, until);
    put_off(m, w, until, FW_SM_PART_BARRIER,
            m->accounting->to->places[warp->program->steps[warp->at].instruction]);
}

void account_hold(struct machine *m, uint32_t w, double until, enum fw_sm_part part)
{
    const struct warp *warp = &m->warps[w];
    put_off(m, w, until, part,
            m->accounting->to->places[warp->program->steps[warp->at].instruction]);
}

void account_leave(struct machine *m, uint32_t w)
{
    struct place *place = &m->accounting->places[w];
    place->left = m->warps[w].since;
    place->drained = later(m->warps[w].since, m->warps[w].last);
}

void account_end_block(struct machine *m, uint32_t b, double last)
{
    for (uint32_t w = b * m->of->warps; w < (b + 1) * m->of->warps; w++) {
        const struct place *place = &m->accounting->places[w];
        put_off(m, w, place->drained, FW_SM_PART_DRAIN, place->line);
        put_off(m, w, last, FW_SM_PART_TAIL, 0);
        put_off(m, w, last + m->of->start, FW_SM_PART_LAUNCH, 0);
    }
}

/* ---- iterations that are skipped ---- */

void account_note(const struct machine *m, struct snapshot *to)
{
    const struct sm_accounting *a = m->accounting;
    if (to->account_room < a->sums.count) {
        to->account_room = (uint32_t)a->sums.count * 2;
        to->account = FW_ARRAY(m->arena, double, to->account_room);
    }
    if (!to->idle)
        to->idle = FW_ARRAY(m->arena, double, m->of->schedulers);
    to->account_count = (uint32_t)a->sums.count;
    if (a->sums.count)
        memcpy(to->account, a->sums.at, a->sums.count * sizeof(*to->account));
    for (uint32_t s = 0; s < m->of->schedulers; s++)
        to->idle[s] = a->idle[s].total;
}

void account_skip(struct machine *m, const struct snapshot *from, const struct snapshot *to,
                  double times, double cycles)
{
    struct sm_accounting *a = m->accounting;
    for (uint32_t s = 0; s < m->of->schedulers; s++) /* the gaps that are known move */
        settle(m, s, to->time);
    for (uint32_t c = 0; c < to->account_count; c++)
        a->sums.at[c] +=
            times * (to->account[c] - (c < from->account_count ? from->account[c] : 0));
    for (uint32_t w = 0; w < m->warp_count; w++) {
        struct place *place = &a->places[w];
        if (!m->warps[w].alive)
            continue; /* its place stays empty, or waits for the end of its block */
        uint32_t s = m->warps[w].scheduler;
        if (m->recorder)
            timeline_skip(m, w, place->time, from, to, cycles);
        place->counted += times * (to->idle[s] - from->idle[s]);
        place->time += cycles;
        for (uint32_t i = 0; i < place->count; i++)
            place->next[i].until += cycles;
    }
    for (uint32_t s = 0; s < m->of->schedulers; s++) {
        struct idle *idle = &a->idle[s];
        if (m->free[s] <= from->time)
            continue; /* its warps have ended */
        double more = times * (to->idle[s] - from->idle[s]);
        for (uint32_t g = 0; g < GAPS && g < idle->count; g++) {
            idle->gaps[g].begin += cycles;
            idle->gaps[g].end += cycles;
            idle->gaps[g].before += more;
        }
        idle->total += more;
    }
}

/* ---- the end ---- */

void account_finish(struct machine *m, double end, double cycles)
{
    struct sm_accounting *a = m->accounting;
    struct fw_sm_account *to = a->to;
    double sum = 0, idle_end = 0;
    for (uint32_t s = 0; s < m->of->schedulers; s++) {
        struct idle *idle = &a->idle[s];
        if (end > m->free[s]) {
            idle->gaps[idle->count++ % GAPS] = (struct gap){m->free[s], end, idle->total};
            idle->total += end - m->free[s];
        }
    }
    for (uint32_t w = 0; w < m->warp_count; w++) {
        if (w / m->of->warps >= m->started)
            continue;
        catch_up(m, w);
        if (m->warps[w].alive) /* it was cut off */
            stretch(m, w, end, (enum fw_sm_part)m->warps[w].cause.part, a->places[w].line);
        const double before = *cell(m, 0, FW_SM_PART_TAIL);
        stretch(m, w, end, FW_SM_PART_TAIL, 0);
        idle_end += *cell(m, 0, FW_SM_PART_TAIL) - before;
    }
    for (size_t c = 0; c < a->sums.count; c++)
        sum += a->sums.at[c] / a->active;
    memset(to->cycles, 0, (size_t)to->place_count * FW_SM_PART_COUNT * sizeof(*to->cycles));
    to->active = a->active;
    to->error = end > 0 ? sum / end - 1 : 0;
    to->idle_end = sum > 0 ? idle_end / a->active * cycles / sum : 0;
    for (size_t c = 0; c < a->sums.count && sum > 0; c++)
        to->cycles[a->used.at[c]] = a->sums.at[c] / a->active * cycles / sum;
}

/* ---- accounts of more than was simulated ---- */

void account_scale(struct fw_sm_account *account, double cycles, double waves)
{
    const size_t cells = (size_t)account->place_count * FW_SM_PART_COUNT;
    double sum = 0, idle_end = account->idle_end;
    for (size_t c = 0; c < cells; c++)
        sum += account->cycles[c];
    if (sum <= idle_end)
        idle_end = 0; /* nothing else is there */
    if (sum <= 0)
        return;
    account->idle_end = idle_end * cycles / sum / waves;
    account->cycles[FW_SM_PART_TAIL] -= idle_end;
    for (size_t c = 0; c < cells; c++)
        account->cycles[c] *= (cycles - account->idle_end) / (sum - idle_end);
    account->cycles[FW_SM_PART_TAIL] += account->idle_end;
}

struct fw_sm_account *account_new(struct fw_arena *arena, const struct fw_sm_account *like)
{
    struct fw_sm_account *made = FW_NEW(arena, struct fw_sm_account);
    *made = *like;
    made->cycles = FW_ARRAY(arena, double, (size_t)like->place_count *FW_SM_PART_COUNT);
    return made;
}

void account_extend(struct fw_sm_account *to, struct fw_sm_account *less, double times,
                    double cycles)
{
    const size_t cells = (size_t)to->place_count * FW_SM_PART_COUNT;
    to->cycles[FW_SM_PART_TAIL] -= to->idle_end;
    less->cycles[FW_SM_PART_TAIL] -= less->idle_end;
    for (size_t c = 0; c < cells; c++)
        to->cycles[c] = later(0, to->cycles[c] + times * (to->cycles[c] - less->cycles[c]));
    to->cycles[FW_SM_PART_TAIL] += to->idle_end;
    account_scale(to, cycles, 1);
}
