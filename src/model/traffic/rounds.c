#include "rounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_REGISTERS = 32, WORD = 4 };

/* Loads that are waited for together, `times` times. */
struct batch {
    uint32_t first, last; /* of the loads in program order */
    double times;
};

struct planner {
    struct fw_life *life;
    const struct fw_affine_accesses *accesses;
    const double *l2_miss_share;
    const struct fw_round_needs *needs;
    uint32_t *loads; /* numbers of accesses */
    uint32_t load_count;
    struct batch *batches;
    uint32_t batch_count;
    double stored_in_loops; /* share of the stores */
    double looped;          /* iterations of all batches in loops */
};

/* Iterations of an access's loops by a thread: in the mean, where threads go round by their own
 * numbers. */
static double turns_of(const struct fw_affine_access *access)
{
    double turns = 1;
    for (uint32_t l = 0; l < access->loops; l++)
        turns *= (double)access->trips[l];
    return fmax(1, turns * access->active_share);
}

/* Of the sectors that a block's threads touch in one iteration, the share that the iteration before
 * did not touch: a loop may stay in a sector, or move by whole rows of the block's threads. */
static double share_moved(const struct planner *planner, const struct fw_affine_access *access,
                          uint32_t l)
{
    int64_t stride = access->loop_stride[l];
    double share = fmin(1, fabs((double)stride) / planner->needs->sector);
    for (uint32_t d = 0; d < 3; d++) {
        int64_t step = access->thread_stride[d];
        if (step != 0 && stride % step == 0)
            share = fmin(share, fabs((double)(stride / step)) /
                                    (double)fw_affine_row_threads(access, planner->accesses, d));
    }
    return share;
}

/* The share of an access's executions that come to lines which the block has not touched in earlier
 * iterations, or which L1 has lost since: not those of an innermost loop, which are just touched.
 */
static double moves_on(const struct planner *planner, const struct fw_affine_access *access)
{
    double share = 1;
    bool inner = true;
    for (uint32_t l = access->loops; l-- > 0;) {
        double trips = fmax(1, (double)access->trips[l]);
        double moved = (1 + (trips - 1) * share_moved(planner, access, l)) / trips;
        share *= inner ? moved : moved + (1 - moved) * planner->needs->l1_lost;
        inner &= access->trips[l] <= 1;
    }
    return share;
}

static bool together(const struct fw_affine_access *a, const struct fw_affine_access *b)
{
    return a->loops == b->loops && turns_of(a) == turns_of(b) && a->repeats == b->repeats;
}

bool fw_round_behind_store(const struct fw_affine_accesses *accesses,
                           const struct fw_round_order *order, uint32_t from, uint32_t load)
{
    if (!order || order[load].read_only)
        return false;
    for (uint32_t i = from + 1; i < load; i++)
        if (accesses->at[i].direction != FW_LOAD &&
            (accesses->at[i].array != accesses->at[load].array ||
             order[i].base != order[load].base))
            return true;
    return false;
}

/* Loads of one loop, or of none, in batches of as many as there are registers for. */
static void split(struct planner *planner, uint32_t first, uint32_t last)
{
    const struct fw_affine_access *access = &planner->accesses->at[planner->loads[first]];
    uint32_t registers = planner->needs->registers ? planner->needs->registers : USUAL_REGISTERS;
    double words = fmax(1, (double)fw_affine_thread_bytes(access) / WORD);
    double at_once = fmax(1, registers / (2 * words));
    uint32_t count = last - first, parts = (uint32_t)(count / at_once + 0.5);
    parts = parts ? parts : 1;
    for (uint32_t p = 0; p < parts; p++)
        planner->batches[planner->batch_count++] =
            (struct batch){first + (uint32_t)((uint64_t)count * p / parts),
                           first + (uint32_t)((uint64_t)count * (p + 1) / parts),
                           turns_of(access) * access->repeats};
}

/* Moves the loads from `first` on that go round with it next to it, as far as no store is between:
 * the first iterations of a loop may be accesses of their own. Where they end. */
static uint32_t gather_together(struct planner *planner, uint32_t first)
{
    const struct fw_affine_accesses *accesses = planner->accesses;
    uint32_t *loads = planner->loads, last = first + 1, begin = loads[first];
    for (uint32_t i = first + 1; i < planner->load_count; i++) {
        uint32_t load = loads[i];
        if (fw_round_behind_store(accesses, planner->needs->order, begin, load))
            break;
        if (!together(&accesses->at[begin], &accesses->at[load]))
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
    double all = 0, in_loops = 0;
    for (uint32_t i = 0; i < planner->accesses->count; i++) {
        const struct fw_affine_access *access = &planner->accesses->at[i];
        double times = turns_of(access) * access->repeats;
        if (access->direction == FW_LOAD)
            continue;
        all += times;
        in_loops += times > 1 ? times : 0;
    }
    for (uint32_t b = 0; b < planner->batch_count; b++)
        planner->looped += planner->batches[b].times > 1 ? planner->batches[b].times : 0;
    planner->stored_in_loops = all > 0 && planner->looped > 0 ? in_loops / all : 0;
}

/* Whether a group of a block meets data of an access that miss in L2: the last ones do. */
static bool meets_new(const struct planner *planner, uint32_t access, uint32_t group)
{
    return (group + 0.5) / planner->life->groups > 1 - planner->l2_miss_share[access];
}

/* The longest wait of a batch's loads. */
static double wait_of(const struct planner *planner, const struct batch *batch, uint32_t group)
{
    const struct fw_round_needs *needs = planner->needs;
    double longest = 0;
    for (uint32_t l = batch->first; l < batch->last; l++) {
        uint32_t access = planner->loads[l];
        double wait = meets_new(planner, access, group) ? needs->latency_dram : needs->latency_l2;
        wait = needs->latency_l1 +
               moves_on(planner, &planner->accesses->at[access]) * (wait - needs->latency_l1);
        longest = fmax(longest, wait);
    }
    return longest;
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
            const struct fw_affine_access *access = &planner->accesses->at[planner->loads[l]];
            double moves = moves_on(planner, access);
            shares->wavefronts[b] += batch->times;
            shares->l2[b] += batch->times * moves;
            for (uint32_t g = 0; g < groups; g++)
                if (meets_new(planner, planner->loads[l], g))
                    shares->dram[b * groups + g] += batch->times * moves;
        }
    }
    for (uint32_t g = 0; g < groups; g++) { /* the first that meets new data brings them all */
        bool brought = false;
        for (uint32_t b = 0; b < planner->batch_count; b++) {
            double *dram = &shares->dram[b * groups + g];
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
    double stored = times > 1 ? planner->stored_in_loops * times / planner->looped : 0;
    for (uint32_t r = first; r < first + count; r++)
        for (uint32_t g = 0; g < life->groups; g++) {
            struct fw_life_round *round = &life->round[r][g];
            double *cycles = round->cycles;
            cycles[FW_LIFE_ARITHMETIC] += part * needs->arithmetic * shares->wavefronts[b];
            cycles[FW_LIFE_WAVEFRONTS] += part * (needs->load_wavefronts * shares->wavefronts[b] +
                                                  needs->store_wavefronts * stored);
            cycles[FW_LIFE_L2] +=
                part * (needs->l2_load * shares->l2[b] + needs->l2_store * stored);
            cycles[FW_LIFE_L2_STORES] += part * needs->l2_store_alone * stored;
            cycles[FW_LIFE_ATOMICS] += part * needs->atomics * stored;
            cycles[FW_LIFE_DRAM] += needs->dram_load * shares->dram[b * life->groups + g] / count +
                                    part * needs->dram_store * stored;
            double wait = wait_of(planner, &planner->batches[b], g);
            double all = planner->batches[b].times * wait / count;
            round->latency += all;
            round->waits += wait > needs->latency_l2 ? all / needs->latency_dram : 0;
        }
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
    struct fw_arena_mark mark = fw_arena_mark(arena);
    struct planner planner = {
        .life = life, .accesses = accesses, .l2_miss_share = l2_miss_share, .needs = needs};
    planner.loads = FW_ARRAY(arena, uint32_t, accesses->count + 1);
    planner.batches = FW_ARRAY(arena, struct batch, accesses->count + 1);
    find_batches(&planner);
    find_stores(&planner);
    uint32_t count = planner.batch_count;
    struct shares shares = {FW_ARRAY(arena, double, count + 1), FW_ARRAY(arena, double, count + 1),
                            FW_ARRAY(arena, double, (size_t)(count + 1) * FW_LIFE_GROUPS)};
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
        add_batch(&planner, &shares, b, first, rounds);
        life->rounds = first + rounds;
    }
    add_rest(&planner);
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
