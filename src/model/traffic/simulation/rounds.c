#include "rounds_internal.h"

#include "brought_sectors.h"
#include "uneven.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_REGISTERS = 32, WORD = 4 };

/* Threads from <= t < to: of the grid, or of a block. */
struct range {
    int64_t from, to;
};

static struct range range_of(const struct fw_affine_access *access, uint32_t d, bool grid)
{
    return grid ? (struct range){access->low[d], access->high[d]}
                : (struct range){access->first[d], access->last[d]};
}

/* Threads of a range that are in none of the accesses first <= k < i. */
static int64_t threads_before(const struct fw_affine_access *at, uint32_t first, uint32_t i,
                              uint32_t d, bool grid, struct range range)
{
    for (uint32_t k = first; k < i && range.from < range.to; k++) {
        struct range other = range_of(&at[k], d, grid);
        if (other.from >= range.to || other.to <= range.from)
            continue;
        int64_t below =
            other.from > range.from
                ? threads_before(at, k + 1, i, d, grid, (struct range){range.from, other.from})
                : 0;
        int64_t above = other.to < range.to ? threads_before(at, k + 1, i, d, grid,
                                                             (struct range){other.to, range.to})
                                            : 0;
        return below + above;
    }
    return range.to > range.from ? range.to - range.from : 0;
}

/* Of the threads that run one of the affine accesses first <= i < last, which one load of the
 * record has become, the share that runs access i, as far as they differ along one axis of the grid
 * or of the block: a warp whose lanes have several of them waits for them once. */
static double share_of_threads(const struct fw_affine_accesses *accesses, uint32_t first,
                               uint32_t last, uint32_t i, bool grid)
{
    const struct fw_affine_access *at = accesses->at;
    uint32_t axis = 0, axes = 0;
    for (uint32_t d = 0; d < 3; d++) {
        bool differ = false;
        for (uint32_t k = first + 1; k < last; k++) {
            struct range one = range_of(&at[k], d, grid), other = range_of(&at[first], d, grid);
            differ |= one.from != other.from || one.to != other.to;
        }
        axis = differ ? d : axis;
        axes += differ;
    }
    double all = 0;
    if (axes != 1)
        return 1;
    for (uint32_t k = first; k < last; k++)
        all += (double)threads_before(at, first, k, axis, grid, range_of(&at[k], axis, grid));
    struct range own = range_of(&at[i], axis, grid);
    return all > 0 ? fmin(1, (double)(own.to - own.from) / all) : 1;
}

static double box_executions(const struct fw_affine_access *access,
                             const struct fw_affine_accesses *accesses)
{
    double executions = fw_affine_threads(access, accesses) * access->active_share;
    for (uint32_t l = 0; l < access->loops; l++)
        executions *= (double)access->trips[l];
    return executions * access->repeats;
}

/* Iterations of an access's loops by a thread: in the mean, where threads go round by their own
 * numbers. */
static double mean_turns(const struct fw_affine_accesses *accesses, uint32_t first, uint32_t last,
                         uint32_t i)
{
    const struct fw_affine_access *access = &accesses->at[i];
    double turns = 1;
    for (uint32_t l = 0; l < access->loops; l++)
        turns *= (double)access->trips[l];
    turns = fmax(1, turns * access->active_share);
    if (access->loops && last - first > 1)
        turns *= share_of_threads(accesses, first, last, i, true) *
                 share_of_threads(accesses, first, last, i, false);
    return turns * access->repeats;
}

/* Sets how often a warp executes each affine access.  What is known of the access of the record is
 * divided among those that it has become by their executions. */
static void find_turns(struct planner *planner)
{
    const struct fw_affine_accesses *accesses = planner->accesses;
    const struct fw_load_order *order = planner->needs->order;
    for (uint32_t first = 0, last; first < accesses->count; first = last) {
        double all = 0;
        for (last = first; last < accesses->count; last++) {
            if (accesses->at[last].kernel_access != accesses->at[first].kernel_access)
                break;
            all += box_executions(&accesses->at[last], accesses);
        }
        for (uint32_t i = first; i < last; i++)
            planner->turns[i] =
                order && order[i].executions > 0 && all > 0
                    ? order[i].executions * box_executions(&accesses->at[i], accesses) / all
                    : mean_turns(accesses, first, last, i);
    }
}

/* Whether two loads go round together.  Where the record tells, those of one loop do, between the
 * same stages of it. */
static bool together(const struct planner *planner, uint32_t a, uint32_t b)
{
    const struct fw_affine_access *at = planner->accesses->at;
    const struct fw_load_order *order = planner->needs->order;
    if (!order || !(order[a].executions > 0))
        return at[a].loops == at[b].loops && planner->turns[a] == planner->turns[b];
    int64_t at_once = order[a].at_once > 1 ? order[a].at_once : 1;
    return order[a].loop == order[b].loop && order[a].stage == order[b].stage &&
           at[a].split / at_once == at[b].split / at_once;
}

/* How often a warp executes the loads of a batch: as often as the one that it executes most. */
static double turns_of(const struct planner *planner, uint32_t first, uint32_t last)
{
    double most = 0, sum = 0;
    for (uint32_t l = first; l < last; l++) {
        sum = planner->turns[planner->loads[l]] + (planner_begins_access(planner, l) ? 0 : sum);
        most = fmax(most, sum);
    }
    return most;
}

/* How many times a warp waits in a loop that it goes round `trips` times, if an assembler has made
 * `unroll` iterations one: what does not fill them goes round by the powers of two below. */
static double waits_of_trips(double trips, double unroll)
{
    double rest = fmod(trips, unroll), waits = floor(trips / unroll);
    for (double part = exp2(floor(log2(unroll))); part >= 1; part /= 2)
        if (rest >= part) {
            rest -= part;
            waits++;
        }
    return waits;
}

/* The same where lanes go round from `least` to `most` times: a warp goes the ways of all of them,
 * one after the other. */
static double waits_of_lanes(double least, double most, double unroll)
{
    double waits = floor(most / unroll);
    if (most - least > unroll)
        least = most - unroll;
    for (double part = exp2(floor(log2(unroll))); part >= 1; part /= 2) {
        bool any = false;
        for (double trips = least; trips <= most; trips++)
            any |= fmod(floor(fmod(trips, unroll) / part), 2) >= 1;
        waits += any;
    }
    return waits;
}

/* How often a batch of a loop is waited for, if `iterations` of them are one; 0: not known. */
static double waits_of_loop(const struct fw_load_order *order, double turns, double iterations)
{
    enum { ALONE = 1 << 20 }; /* so many trips that a rest is nothing */
    double trips = order->entries > 0 ? turns / order->entries : 0, lane = order->lane_trips;
    if (!(iterations > 1) || !(trips >= 1) || !(lane > 0) || trips > ALONE)
        return 0;
    double low = floor(lane + 0.01), high = ceil(trips - 0.01);
    bool apart = trips - lane > 0.25 || (order->together && high > low);
    if (apart)
        return order->entries * waits_of_lanes(fmax(0, floor(2 * lane - trips)), high, iterations);
    double share = fmin(1, fmax(0, trips - floor(trips)));
    return order->entries * ((1 - share) * waits_of_trips(floor(trips), iterations) +
                             share * waits_of_trips(ceil(trips), iterations));
}

/* Registers of a thread that a load of the list fills; 0: those of the one before it, of which it
 * is a part. */
static double words_of(const struct planner *planner, uint32_t first, uint32_t l)
{
    if (l > first && !planner_begins_access(planner, l))
        return 0;
    return fmax(1,
                (double)fw_affine_thread_bytes(&planner->accesses->at[planner->loads[l]]) / WORD);
}

/* How many registers the loads hold for as long as a batch waits: those of sets that find their
 * data in L1 do not. */
static double held(const struct planner *planner, uint32_t first, uint32_t last)
{
    double sum = 0;
    for (uint32_t l = first; l < last; l++) {
        const struct fw_new_share *own = &planner->news[planner->loads[l]];
        const double words = words_of(planner, first, l);
        double missed = 0;
        for (uint32_t other = first; other < last && words > 0; other++) {
            const struct fw_new_share *news = &planner->news[planner->loads[other]];
            if (news->set == own->set)
                missed = fmax(missed, news->split ? 1 : news->misses);
        }
        sum += words * missed;
    }
    return sum;
}

/* Loads of one loop, or of none, in batches that fill as many registers as there are for them. */
static void split(struct planner *planner, uint32_t first, uint32_t last)
{
    const struct fw_affine_access *access = &planner->accesses->at[planner->loads[first]];
    uint32_t registers = planner->needs->registers ? planner->needs->registers : USUAL_REGISTERS;
    double iterations = 1, words = 0, number = 0;
    const struct fw_load_order *order = planner->needs->order;
    uint32_t count = 0;
    for (uint32_t l = first; l < last; l++) {
        words += words_of(planner, first, l);
        count += l == first || planner_begins_access(planner, l);
    }
    const double most = fmax(registers / 2.0, words / count);
    uint32_t parts = (uint32_t)(words / most + 0.5);
    parts = parts ? parts : 1;
    if (order && parts == 1 && access->loops) { /* as many as an unrolled loop has */
        iterations = floor(most / fmax(words / count, held(planner, first, last)) + 0.5);
        for (uint32_t l = first; l < last; l++)
            iterations = fmin(iterations, order[planner->loads[l]].at_once);
        iterations = fmax(1, fmin(iterations, turns_of(planner, first, last)));
    }
    for (uint32_t l = first, p = 0; l < last && p < parts; p++) {
        const uint32_t begin = l;
        const double until = words * (p + 1) / parts + 0.001;
        for (; l < last; l++) {
            const double own = words_of(planner, first, l);
            if (l > begin && own > 0 && number + own > until && p + 1 < parts)
                break;
            number += own;
        }
        double turns = turns_of(planner, begin, l);
        double times = order ? waits_of_loop(&order[planner->loads[begin]], turns, iterations) : 0;
        times = times > 0 ? fmin(times, turns) : turns / iterations;
        planner->batches[planner->batch_count++] = (struct batch){begin, l, turns / times, times};
    }
}

/* Moves the loads from `first` on that go round with it next to it, as far as no store is between:
 * the first iterations of a loop may be accesses of their own. Where they end. */
static uint32_t gather_together(struct planner *planner, uint32_t first)
{
    const struct fw_affine_accesses *accesses = planner->accesses;
    uint32_t *loads = planner->loads, last = first + 1, begin = loads[first];
    for (uint32_t i = first + 1; i < planner->load_count; i++) {
        uint32_t load = loads[i];
        if (fw_load_behind_store(accesses, planner->needs->order, begin, load))
            break;
        if (!together(planner, begin, load))
            continue;
        memmove(&loads[last + 1], &loads[last], (i - last) * sizeof(*loads));
        loads[last++] = load;
    }
    return last;
}

static void find_batches(struct planner *planner)
{
    const struct fw_affine_accesses *accesses = planner->accesses;
    for (uint32_t i = 0; i < accesses->count; i++)
        if (accesses->at[i].direction == FW_LOAD)
            planner->loads[planner->load_count++] = i;
    for (uint32_t first = 0, last; first < planner->load_count; first = last) {
        last = gather_together(planner, first);
        split(planner, first, last);
    }
}

/* How many of the stores are in loops: these go with the rounds, not behind them. */
static void find_stores(struct planner *planner)
{
    double all = planner->needs->unknown_stores, in_loops = planner->needs->unknown_loop_stores;
    for (uint32_t i = 0; i < planner->accesses->count; i++) {
        const struct fw_affine_access *access = &planner->accesses->at[i];
        double times = planner->turns[i];
        if (access->direction == FW_LOAD)
            continue;
        all += times;
        in_loops += times > 1 ? times : 0;
    }
    for (uint32_t b = 0; b < planner->batch_count; b++)
        planner->looped +=
            planner->batches[b].times > 1 ? planner_executions(&planner->batches[b]) : 0;
    planner->stored_in_loops = all > 0 && planner->looped > 0 ? in_loops / all : 0;
}

/* Shares of a block's needs that fall to batches and groups: all sum up to 1. */
struct shares {
    double *wavefronts, *l2; /* by batch, of a group's */
    double *dram;            /* by batch and group, of a block's */
};

static void scale(double *at, uint32_t count, double to)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += at[i];
    for (uint32_t i = 0; i < count; i++)
        at[i] = sum > 0 ? to * at[i] / sum : to / count;
}

static void find_shares(const struct planner *planner, struct shares *shares)
{
    uint32_t groups = planner->life->groups;
    for (uint32_t b = 0; b < planner->batch_count; b++) {
        const struct batch *batch = &planner->batches[b];
        for (uint32_t l = batch->first; l < batch->last; l++) {
            const struct fw_new_share *news = &planner->news[planner->loads[l]];
            double moves = news->moved * news->misses;
            double times = planner_executions(batch) * planner_share_of_part(planner, batch, l);
            shares->wavefronts[b] += times;
            shares->l2[b] += times * moves;
            for (uint32_t g = 0; g < groups; g++)
                if (planner_meets_new(planner, planner->loads[l], g))
                    shares->dram[b * groups + g] += times * moves;
        }
    }
    for (uint32_t g = 0; g < groups; g++) { /* the first that meets new data brings them all */
        bool brought = false;
        for (uint32_t b = 0; b < planner->batch_count; b++) {
            double *dram = &shares->dram[b * groups + g];
            if (planner->batches[b].times > 1) /* shares of new sectors tell */
                continue;
            *dram = brought ? 0 : *dram;
            brought |= *dram > 0;
        }
    }
    scale(shares->wavefronts, planner->batch_count, 1);
    scale(shares->l2, planner->batch_count, 1);
    scale(shares->dram, planner->batch_count * groups, 1);
}

/* Adds a batch to the rounds from `first` on, evenly over `count` of them. */
static void add_batch(const struct planner *planner, const struct shares *shares, uint32_t b,
                      uint32_t first, uint32_t count)
{
    const struct fw_round_needs *needs = planner->needs;
    struct fw_life *life = planner->life;
    double part = 1.0 / count / life->groups, times = planner->batches[b].times;
    double issued = planner_issue(planner, &planner->batches[b]);
    double stored = times > 1 ? planner->stored_in_loops *
                                    planner_executions(&planner->batches[b]) / planner->looped
                              : 0;
    for (uint32_t r = first; r < first + count; r++)
        for (uint32_t g = 0; g < life->groups; g++) {
            struct fw_life_round *round = &life->round[r][g];
            double *cycles = round->cycles;
            double in_each = needs->chain > 0 ? UINT16_MAX : times / count; /* loops of their own */
            if (in_each > round->parts)
                round->parts = in_each < UINT16_MAX ? (uint32_t)in_each : UINT16_MAX;
            cycles[FW_LIFE_ARITHMETIC] += part * needs->arithmetic * shares->wavefronts[b];
            cycles[FW_LIFE_WAVEFRONTS] += part * (needs->load_wavefronts * shares->wavefronts[b] +
                                                  needs->store_wavefronts * stored);
            cycles[FW_LIFE_L2] +=
                part * (needs->l2_load * shares->l2[b] + needs->l2_store * stored);
            cycles[FW_LIFE_L2_STORES] += part * needs->l2_store_alone * stored;
            cycles[FW_LIFE_ATOMICS] += part * needs->atomics * stored;
            cycles[FW_LIFE_DRAM] += needs->dram_load * shares->dram[b * life->groups + g] / count +
                                    part * needs->dram_store * stored;
            double wait = planner_wait(planner, &planner->batches[b], g);
            double all = planner->batches[b].times * wait / count;
            if (wait > needs->latency_l2)
                all += times * planner_last(planner, &planner->batches[b]) / count;
            round->latency += all + times * issued / count;
            round->latency += needs->chain * shares->wavefronts[b] / count;
            round->chain += needs->chain * shares->wavefronts[b] / count;
            round->waits += wait > needs->latency_l2 ? all / needs->latency_dram : 0;
        }
}

/* The accesses of the batch's loads that are those of one access of the record, the one that a warp
 * executes most. */
static uint32_t most_executed(const struct planner *planner, const struct batch *batch,
                              uint32_t *which)
{
    double most = 0, sum = 0;
    uint32_t begin = batch->first, best = batch->first, count = 0;
    for (uint32_t l = batch->first; l < batch->last; l++) {
        if (l > batch->first && planner_begins_access(planner, l)) {
            sum = 0;
            begin = l;
        }
        sum += planner->turns[planner->loads[l]];
        best = sum > most ? begin : best;
        most = fmax(most, sum);
    }
    for (uint32_t l = best; l < batch->last && (l == best || !planner_begins_access(planner, l));
         l++)
        which[count++] = planner->loads[l];
    return count;
}

/* Loads at addresses that are not known, and blocks that load nothing at all: one more round. */
static void add_rest(struct planner *planner)
{
    const struct fw_round_needs *needs = planner->needs;
    struct fw_life *life = planner->life;
    bool alone = planner->batch_count == 0;
    if (!alone && !(needs->unknown_loads > 0))
        return;
    if (life->rounds < FW_LIFE_ROUNDS)
        life->rounds++;
    for (uint32_t g = 0; g < life->groups; g++) {
        struct fw_life_round *round = &life->round[life->rounds - 1][g];
        round->latency += needs->unknown_loads * needs->latency_l2;
        if (alone) {
            round->latency += needs->chain;
            round->chain += needs->chain;
            round->parts = needs->chain > 0 ? UINT16_MAX : 0;
            round->cycles[FW_LIFE_ARITHMETIC] = needs->arithmetic / life->groups;
            round->cycles[FW_LIFE_WAVEFRONTS] = needs->load_wavefronts / life->groups;
            round->cycles[FW_LIFE_L2] = needs->l2_load / life->groups;
            round->cycles[FW_LIFE_DRAM] = needs->dram_load / life->groups;
        }
    }
}

void fw_rounds_set(struct fw_life *life, struct fw_arena *arena,
                   const struct fw_affine_accesses *accesses, const double *l2_miss_share,
                   const struct fw_round_needs *needs)
{
    struct fw_life_uneven *uneven = fw_uneven_new(arena, life, accesses);
    struct fw_arena_mark mark = fw_arena_mark(arena);
    struct planner planner = {
        .life = life, .accesses = accesses, .l2_miss_share = l2_miss_share, .needs = needs};
    planner.turns = FW_ARRAY(arena, double, accesses->count + 1);
    planner.loads = FW_ARRAY(arena, uint32_t, accesses->count + 1);
    planner.which = FW_ARRAY(arena, uint32_t, accesses->count + 1);
    planner.waits = FW_ARRAY(arena, struct set_wait, accesses->count + 1);
    planner.batches = FW_ARRAY(arena, struct batch, accesses->count + 1);
    find_turns(&planner);
    planner.news = FW_ARRAY(arena, struct fw_new_share, accesses->count + 1);
    fw_new_sectors_find_by_warp(planner.news, accesses, needs->sector, needs->l1_lost);
    if (needs->order && needs->caches)
        fw_leave_out_brought(planner.news, arena, accesses, needs->order, needs->caches,
                             needs->l1_lost);
    find_batches(&planner);
    find_stores(&planner);
    uint32_t count = planner.batch_count;
    struct shares shares = {FW_ARRAY(arena, double, count + 1), FW_ARRAY(arena, double, count + 1),
                            FW_ARRAY(arena, double, (size_t)(count + 1) * FW_LIFE_GROUPS)};
    struct fw_life_round before[FW_LIFE_ROUNDS][FW_LIFE_GROUPS];
    memset(life->round, 0, sizeof(life->round));
    life->rounds = 0;
    if (count)
        find_shares(&planner, &shares);
    uint32_t each = count && count < FW_LIFE_ROUNDS ? FW_LIFE_ROUNDS / count : 1;
    for (uint32_t b = 0; b < count; b++) {
        uint32_t rounds =
            planner.batches[b].times < each ? (uint32_t)planner.batches[b].times : each;
        rounds = rounds ? rounds : 1;
        uint32_t first = count <= FW_LIFE_ROUNDS ? life->rounds : b * FW_LIFE_ROUNDS / count;
        if (uneven)
            memcpy(before, life->round[first], rounds * sizeof(before[0]));
        add_batch(&planner, &shares, b, first, rounds);
        if (uneven)
            fw_uneven_add(uneven, life, accesses, planner.which,
                          most_executed(&planner, &planner.batches[b], planner.which), before[0],
                          first, rounds);
        life->rounds = first + rounds;
    }
    add_rest(&planner);
    if (uneven)
        fw_uneven_end(uneven, life);
    life->uneven = uneven;
    for (uint32_t r = 0; r < FW_LIFE_RESOURCE_COUNT; r++)
        life->stores[r] = 0;
    double behind = (1 - planner.stored_in_loops) / life->groups;
    life->stores[FW_LIFE_WAVEFRONTS] = behind * needs->store_wavefronts;
    life->stores[FW_LIFE_L2] = behind * needs->l2_store;
    life->stores[FW_LIFE_L2_STORES] = behind * needs->l2_store_alone;
    life->stores[FW_LIFE_ATOMICS] = behind * needs->atomics;
    life->stores[FW_LIFE_DRAM] = behind * needs->dram_store;
    fw_arena_release(arena, mark);
}
