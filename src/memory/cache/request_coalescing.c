#include "volume_internal.h"

#include "min_max.h"

#include <math.h>
#include <string.h>

/* Sharing between blocks, before requests reach L2.  Three effects: the resident blocks of a
 * multiprocessor share its L1, and the L2 request coalescer (Nsight Compute's name) merges requests
 * of neighbouring multiprocessors for one sector that are in flight together (seen in share_far,
 * whose loads bypass L1).  The first needs blocks that run a loop in step: a block that is ahead
 * waits for data that the others then find.  Blocks that mostly load data of their own do not run
 * in step.  The second merges in loops in step, and of loads without a loop what blocks load that
 * start together (`once` in data/h200/sharing).  The third is at the end: what blocks that come
 * later find of what blocks of the multiprocessor have loaded before them. */

enum {
    RUN = 1 << (FW_COALESCING_POINTS - 1), /* consecutive blocks, which run on neighbouring
                                              multiprocessors */
    MOST_RESIDENT = 32,
    MOST_WAVES = 16 /* blocks of later ones drift no further apart; data/h200/sharing has as many */
};

/* Coalescing counts from so many sharers on: neighbours that share halos do not run in step.
 * Chosen with the L2 to L1 counters of the example kernels in sight (docs/memory-traffic.md). */
static const double min_sharers = 2;

static bool is_looped_load(const struct fw_affine_access *access)
{
    return fw_affine_is_load(access) && access->loops && access->trips[0] > 1;
}

/* The share of requests that coalescing leaves when `sharers` neighbouring blocks make them, in a
 * loop of `waves` waves of blocks or without a loop. */
static double coalesced_requests(const struct fw_caches *caches, double sharers, double waves,
                                 bool loop)
{
    const double *merged =
        loop ? caches->coalesced[caches->barrier_in_loop] : caches->coalesced_once;
    if (!(merged[0] > 0))
        return 1;
    double at = log2(fmin(fmax(sharers, 1), RUN));
    uint32_t i = at < FW_COALESCING_POINTS - 1 ? (uint32_t)at : FW_COALESCING_POINTS - 2;
    double remaining = merged[i] + (at - i) * (merged[i + 1] - merged[i]);
    return 1 - (1 - remaining) * pow(loop ? fmax(1, waves) : 1, -caches->coalesced_waves);
}

/* Waves of blocks, where several on a multiprocessor drift apart; else 1.  What all blocks load,
 * others of the multiprocessor have asked for meanwhile. */
static double waves_of(const struct fw_affine_access *access,
                       const struct fw_affine_accesses *accesses, const struct fw_caches *caches)
{
    double resident = resident_blocks_of(accesses, caches);
    double at_once = resident * (double)caches->multiprocessors;
    bool moves = false;
    for (uint32_t d = 0; d < 3; d++)
        moves |= accesses->grid[d] > 1 && fw_affine_moves_with_block(access, d);
    return resident > 1 && moves ? fmin((double)fw_affine_blocks(accesses) / at_once, MOST_WAVES)
                                 : 1;
}

/* Keeps of the inner loops the iteration in their middle. */
static void hold_inner_loops(struct fw_affine_access *access)
{
    if (access->tiles && access->tiles->loop > 0)
        access->tiles = NULL;
    for (uint32_t l = 1; l < access->loops; l++) {
        int64_t middle = access->trips[l] / 2;
        access->base +=
            fw_affine_moved(access, FW_FLOOR_OF_LOOP, l, access->loop_stride[l], middle);
        access->trips[l] = 1;
    }
}

/* Blocks along an axis, one after the other, that an access does not move with: a floor of the
 * block index alone moves it. */
static int64_t blocks_of_step(const struct fw_affine_access *access, uint32_t d)
{
    uint32_t floors, others;
    const struct fw_affine_floor *at = fw_affine_floors_of(access, FW_FLOOR_OF_BLOCK, d, &floors);
    fw_affine_floors_of(access, FW_FLOOR_OF_GRID_THREAD, d, &others);
    return floors && !others && access->block_stride[d] == 0 ? at[0].every : 1;
}

/* Blocks one after the other, x first, that load the same data by an access:
 * all of the launch, those of a row or plane of the grid where the data moves with y or z, or those
 * of which a floor of the block index is the same; 0: it stores. */
static double blocks_in_common(const struct fw_affine_access *access,
                               const struct fw_affine_accesses *accesses)
{
    double blocks = 1;
    for (uint32_t d = 0; d < 3; d++) {
        if (accesses->grid[d] > 1 && fw_affine_moves_with_block(access, d)) {
            blocks *= (double)blocks_of_step(access, d);
            break;
        }
        blocks *= (double)accesses->grid[d];
    }
    return access->direction == FW_LOAD ? blocks : 0;
}

/* Bytes of the words that an access is made of: a power of two. */
static uint32_t word_of(const struct fw_affine_access *access, const struct fw_caches *caches)
{
    return (uint32_t)fw_min(access->bytes & (0 - access->bytes), caches->sector);
}

/* The sectors that a block loads by one access; `sharers`: how many of the neighbouring blocks load
 * each of its words in the same iteration of all its loops, taken in their middle.  Requests merge
 * that ask for the same: neighbours that share the sectors at the ends of their rows alone ask for
 * other sectors of a line each. */
static double sectors_of_access(double *sharers, struct fw_arena *arena,
                                const struct fw_affine_accesses *accesses,
                                const struct fw_affine_access *access,
                                const struct fw_caches *caches, int64_t block)
{
    struct fw_affine_accesses alone = *accesses;
    struct fw_affine_access copy = *access;
    int64_t blocks = (int64_t)fw_affine_blocks(accesses), run = blocks < RUN ? blocks : RUN;
    int64_t first = block - block % RUN;
    first = first + run <= blocks ? first : blocks - run;
    alone.at = &copy;
    alone.count = 1;
    struct fw_footprint *sectors = fw_footprint_new(arena, &alone, caches->sector);
    struct fw_window window = {block, block + 1, 0, 1, FW_FOOTPRINT_LOADS};
    double all = fw_footprint_count(sectors, &window, 1, FW_NONE);
    *sharers = 1;
    bool loop = is_looped_load(access);
    if (!(all > 0))
        return all;
    if (!access->loops) { /* or in a short loop, which is split into accesses of one iteration */
        *sharers = blocks_in_common(access, accesses);
        return all;
    }
    if (access->loops > 1)
        hold_inner_loops(&copy);
    struct fw_footprint *words = fw_footprint_new(arena, &alone, word_of(access, caches));
    double iterations = loop ? (double)access->trips[0] : 1, iteration = floor(iterations / 2);
    double lifetime = access->end - access->begin;
    window.begin = access->begin + lifetime * iteration / iterations;
    window.end = access->begin + lifetime * (iteration + 1) / iterations;
    double each = (double)run * fw_footprint_count(words, &window, 1, FW_NONE);
    /* Some have no such iteration; of few blocks, some are cut where rows end. */
    bool differ = access->ragged.any || blocks <= caches->multiprocessors;
    for (int64_t b = 0; b < run && differ; b++) {
        window.first = first + b;
        window.last = first + b + 1;
        each = (b ? each : 0) + fw_footprint_count(words, &window, 1, FW_NONE);
    }
    window.first = first;
    window.last = first + run;
    double together = fw_footprint_count(words, &window, 1, FW_NONE);
    *sharers = together > 0 ? each / together : 1;
    return all;
}

/* Whether requests of a load may merge: in a loop, or where neighbours load the same. */
static bool may_merge(const struct fw_affine_access *access,
                      const struct fw_affine_accesses *accesses)
{
    return fw_affine_is_load(access) &&
           (access->loops || blocks_in_common(access, accesses) >= min_sharers);
}

/* What is known of an array while coalesced_share goes through its loads. */
struct shared_array {
    double requested, remaining; /* sectors of loads that neighbours share, before and after */
    bool alone;                  /* neighbours do not share some of its loads */
};

/* Sectors that a block loads by accesses that neighbours share, of one array. */
static double shared_sectors(struct fw_footprint *sectors, struct fw_footprint *shared,
                             const struct shared_array *of, uint32_t array, int64_t block)
{
    struct fw_window window = {block, block + 1, 0, 1, FW_FOOTPRINT_LOADS};
    if (!(of->requested > 0))
        return 0;
    return fw_footprint_count(of->alone ? shared : sectors, &window, 1, array);
}

double coalesced_share(struct fw_footprint *sectors, struct fw_arena *arena,
                       const struct fw_affine_accesses *accesses, const struct fw_caches *caches,
                       int64_t block, double *saved_of)
{
    struct fw_window window = {block, block + 1, 0, 1, FW_FOOTPRINT_LOADS};
    struct fw_arena_mark mark = fw_arena_mark(arena);
    struct shared_array *arrays = FW_ARRAY(arena, struct shared_array, accesses->arrays + 1);
    struct fw_affine_accesses some = *accesses;
    double one = 0, sharers = 1, merged = caches->coalesced[caches->barrier_in_loop][0];
    const struct fw_affine_access *previous = NULL;
    uint32_t together = 0;
    for (uint32_t i = 0; i < accesses->count; i++)
        together += may_merge(&accesses->at[i], accesses);
    some.at = FW_ARRAY(arena, struct fw_affine_access, together + 1);
    some.count = 0;
    for (uint32_t i = 0; i < accesses->count && together && merged > 0; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        struct shared_array *array = &arrays[access->array];
        if (!fw_affine_is_load(access))
            continue;
        if (!may_merge(access, accesses)) {
            array->alone = true;
            continue;
        }
        if (!previous || !(access->begin == previous->begin && access->end == previous->end &&
                           fw_affine_same_strides(access, previous))) {
            struct fw_arena_mark before = fw_arena_mark(arena);
            one = sectors_of_access(&sharers, arena, accesses, access, caches, block);
            fw_arena_release(arena, before);
        }
        previous = access;
        if (sharers < min_sharers) {
            array->alone = true;
            continue;
        }
        some.at[some.count++] = *access;
        array->requested += one;
        array->remaining +=
            one * coalesced_requests(caches, sharers, waves_of(access, accesses, caches),
                                     access->loops > 0);
    }
    double saved = 0, all = 0;
    if (some.count) {
        struct fw_footprint *shared = fw_footprint_new(arena, &some, caches->sector);
        all = fw_footprint_count(sectors, &window, 1, FW_NONE);
        for (uint32_t a = 0; a < accesses->arrays; a++) {
            double here = shared_sectors(sectors, shared, &arrays[a], a, block);
            double here_saved =
                here > 0 ? here * (1 - arrays[a].remaining / arrays[a].requested) : 0;
            saved += here_saved;
            saved_of[a] = all > 0 ? here_saved / all : 0;
        }
    }
    fw_arena_release(arena, mark);
    return all > 0 ? saved / all : 0;
}

/* Blocks of later waves lie this far apart, of as many as there are multiprocessors: the golden
 * ratio's part, so that they are spread evenly. */
static const double golden = 0.6180339887498949;

/* What blocks load for each other of all that they load; `first`: the number of each. */
static double share_of_blocks(struct fw_footprint *sectors, const int64_t *first, uint32_t count)
{
    struct fw_window windows[MOST_RESIDENT];
    double sum = 0;
    for (uint32_t b = 0; b < count; b++) {
        windows[b] = (struct fw_window){first[b], first[b] + 1, 0, 1, FW_FOOTPRINT_LOADS};
        sum += fw_footprint_count(sectors, &windows[b], 1, FW_NONE);
    }
    return sum > 0 ? 1 - fw_footprint_count(sectors, windows, count, FW_NONE) / sum : 0;
}

/* The probability that L1 holds what the resident blocks load in an iteration until all of them
 * have been there: of the innermost loop, since a block that is ahead waits for each load. */
static double holds_iteration(struct fw_footprint *sectors,
                              const struct fw_affine_accesses *accesses,
                              const struct fw_caches *caches, int64_t block)
{
    double iterations = 1;
    struct fw_window one = {block, block + 1, 0, 1, FW_FOOTPRINT_LOADS};
    struct fw_footprint *lines = fw_footprint_like(sectors, caches->line);
    for (uint32_t i = 0; i < accesses->count; i++) {
        if (!is_looped_load(&accesses->at[i]))
            continue;
        double here = (double)fw_affine_iterations(&accesses->at[i]);
        for (uint32_t l = 1; l < accesses->at[i].loops; l++)
            here *= (double)accesses->at[i].trips[l];
        iterations = fmax(iterations, here);
    }
    double bytes = caches->line * fw_footprint_count(lines, &one, 1, FW_NONE) / iterations;
    return 1 - miss_probability(bytes * resident_blocks_of(accesses, caches), caches->l1_bytes,
                                caches->l1_sharpness);
}

double share_of_residents(struct fw_footprint *sectors, const struct fw_affine_accesses *accesses,
                          const struct fw_caches *caches, int64_t block)
{
    int64_t placed[MOST_RESIDENT];
    int64_t blocks = (int64_t)fw_affine_blocks(accesses), multiprocessors = caches->multiprocessors;
    int64_t wave = multiprocessors * caches->resident_blocks,
            first = block - block % wave + block % multiprocessors;
    uint32_t count = 0;
    bool loop = false;
    for (uint32_t i = 0; i < accesses->count; i++)
        loop |= is_looped_load(&accesses->at[i]);
    for (; loop && count < caches->resident_blocks && count < MOST_RESIDENT && first < blocks;
         first += multiprocessors)
        placed[count++] = first;
    double share = share_of_blocks(sectors, placed, count);
    double in_first = fmin(1, (double)wave / (double)blocks);
    if (!loop || in_first >= 1)
        return share * in_first;
    first = fw_min(block - block % wave, blocks - wave);
    for (count = 0; count < caches->resident_blocks && count < MOST_RESIDENT; count++)
        placed[count] = first + multiprocessors * count +
                        (int64_t)(fmod(count * golden, 1) * (double)multiprocessors);
    double later = share_of_blocks(sectors, placed, count);
    return share * in_first +
           (1 - in_first) * later * holds_iteration(sectors, accesses, caches, block);
}

/* Data to which blocks return: factors by the remainder of an index, a row that all rows of the
 * grid are multiplied with.  Each block loads a part of an array, and so many blocks one after the
 * other load all of it, again and again.  A multiprocessor is given blocks of any part, as others
 * end, and finds what its L1 still holds of the last block that loaded the same. */

enum { STEP = 4, MOST_PARTS = 4096 };

/* Blocks that load this much more than a quarter as many have not loaded all of an array. */
static const double no_more = 1.02;

/* Whether blocks may load the same of an array again, outside of loops: an axis does not move its
 * loads, or moves them by a remainder; and nothing stores to it. */
static bool may_return(const struct fw_affine_accesses *accesses, uint32_t array)
{
    bool returns = false;
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        if (access->array != array)
            continue;
        if (access->direction != FW_LOAD || (access->loops && access->trips[0] > 1))
            return false;
        for (uint32_t f = 0; f < access->floor_count; f++)
            returns |= access->floors[f].of == FW_FLOOR_OF_BLOCK ||
                       access->floors[f].of == FW_FLOOR_OF_GRID_THREAD;
        for (uint32_t d = 0; d < 3; d++)
            returns |= accesses->grid[d] > 1 && !fw_affine_moves_with_block(access, d);
    }
    return returns;
}

/* Distinct granules that `count` blocks from a block on load of an array. */
static double loaded_by(struct fw_footprint *granules, const struct fw_affine_accesses *accesses,
                        int64_t block, int64_t count, uint32_t array)
{
    int64_t first = fw_max(0, fw_min(block, (int64_t)fw_affine_blocks(accesses) - count));
    struct fw_window window = {first, first + count, 0, 1, FW_FOOTPRINT_LOADS};
    return fw_footprint_count(granules, &window, 1, array);
}

/* Blocks that load all of an array, of which each of them loads `own` sectors; 0: more than are
 * looked at, or all load the same. */
static int64_t blocks_of_turn(struct fw_footprint *sectors,
                              const struct fw_affine_accesses *accesses, int64_t block, double own,
                              uint32_t array)
{
    int64_t blocks = (int64_t)fw_affine_blocks(accesses);
    double before = own;
    for (int64_t count = STEP; count <= fw_min(MOST_PARTS, blocks); count *= STEP) {
        double all = loaded_by(sectors, accesses, block, count, array);
        if (all <= no_more * before)
            return count > STEP ? count / STEP : 0;
        before = all;
    }
    return 0;
}

double returning_bytes(struct fw_footprint *sectors, struct fw_footprint *lines,
                       const struct fw_affine_accesses *accesses, const struct fw_caches *caches,
                       int64_t block)
{
    double sum = 0, each = (double)fw_affine_blocks(accesses) / caches->multiprocessors;
    struct fw_window one = {block, block + 1, 0, 1, FW_FOOTPRINT_ALL};
    for (uint32_t a = 0; a < accesses->arrays; a++) {
        if (!may_return(accesses, a))
            continue;
        double own = loaded_by(sectors, accesses, block, 1, a);
        int64_t turn = own > 0 ? blocks_of_turn(sectors, accesses, block, own, a) : 0;
        if (!turn)
            continue;
        double part = own / loaded_by(sectors, accesses, block, turn, a), hits = 0, other = 1;
        double table = caches->line * loaded_by(lines, accesses, block, turn, a);
        double rest = caches->line * (fw_footprint_count(lines, &one, 1, FW_NONE) -
                                      loaded_by(lines, accesses, block, 1, a));
        for (int n = 1; n < each && n <= MOST_PARTS; n++) {
            double between = n * rest + table * (1 - other * (1 - part));
            hits += part * other * (1 - n / each) *
                    (1 - miss_probability(between, caches->l1_bytes, caches->l1_sharpness));
            other *= 1 - part;
        }
        sum += caches->sector * own * hits;
    }
    return sum;
}

/* Loads that blocks have in common: what L1 has of them once for all resident blocks, and what it
 * still has of them from the blocks before. */

/* How many blocks, one after the other, load the same by accesses: so many that a multiprocessor's
 * blocks all do, for waves; or few, outside of loops. */
enum commonness { ALL_BLOCKS, SOME_BLOCKS };

/* Whether blocks on a multiprocessor load the data of an access often enough for L1 to have it from
 * earlier ones; `together`: how many load the same, one after the other.  Else other blocks there
 * load other data too often. */
static bool is_in_common(double *together, const struct fw_affine_access *access,
                         const struct fw_affine_accesses *accesses, const struct fw_caches *caches,
                         enum commonness commonness)
{
    enum { WAVES_IN_COMMON = 4 };
    const double all = (double)fw_affine_blocks(accesses);
    const double at_once = resident_blocks_of(accesses, caches) * (double)caches->multiprocessors;
    *together = blocks_in_common(access, accesses);
    const bool few = *together < fmin(WAVES_IN_COMMON * at_once, all);
    return few == (commonness == SOME_BLOCKS) && !(few && (*together < 2 || access->loops));
}

/* Those loads; `blocks`: how many load the same by each of them. */
static struct fw_affine_accesses loads_in_common(double *blocks, struct fw_arena *arena,
                                                 const struct fw_affine_accesses *accesses,
                                                 const struct fw_caches *caches,
                                                 enum commonness commonness)
{
    struct fw_affine_accesses common = *accesses;
    uint32_t count = 0;
    double together;
    for (uint32_t i = 0; i < accesses->count; i++)
        count += is_in_common(&together, &accesses->at[i], accesses, caches, commonness);
    common.at = FW_ARRAY(arena, struct fw_affine_access, count + 1);
    common.count = 0;
    *blocks = (double)fw_affine_blocks(accesses);
    for (uint32_t i = 0; i < accesses->count; i++)
        if (is_in_common(&together, &accesses->at[i], accesses, caches, commonness)) {
            common.at[common.count++] = accesses->at[i];
            *blocks = fmin(*blocks, together);
        }
    return common;
}

struct resident_blocks resident_blocks_find(struct fw_footprint *lines, struct fw_arena *arena,
                                            const struct fw_affine_accesses *accesses,
                                            const struct fw_caches *caches, int64_t block)
{
    struct fw_window one = {block, block + 1, 0, 1, FW_FOOTPRINT_LOADS};
    double blocks, shared = 0;
    const double count = resident_blocks_of(accesses, caches);
    struct resident_blocks resident = {count, count, NULL};
    bool *common = FW_ARRAY(arena, bool, accesses->arrays + 1);
    uint32_t *loads = FW_ARRAY(arena, uint32_t, accesses->arrays + 1);
    struct fw_affine_accesses of = loads_in_common(&blocks, arena, accesses, caches, ALL_BLOCKS);
    for (uint32_t i = 0; i < accesses->count; i++)
        loads[accesses->at[i].array] += fw_affine_is_load(&accesses->at[i]);
    for (uint32_t i = 0; i < of.count; i++)
        common[of.at[i].array] = --loads[of.at[i].array] == 0;
    resident.common = common;
    for (uint32_t a = 0; a < accesses->arrays; a++) {
        double touched = common[a] ? fw_footprint_count(lines, &one, 1, a) : 0;
        common[a] &= resident.distinct > 1 && caches->line * touched <= caches->l1_bytes;
        shared += common[a] ? touched : 0;
    }
    if (shared > 0) {
        double all = fw_footprint_count(lines, &one, 1, FW_NONE);
        resident.distinct -= (resident.distinct - 1) * fmin(1, shared / all);
    }
    return resident;
}

/* The share of what blocks load in common that L1 has lost when the next of the multiprocessor's
 * blocks asks for it: `common` bytes of lines that they share, `own` that each loads and stores
 * besides.  Of so many resident blocks, each is at any place of its life, so that none comes to
 * these data during the part x of a life with the probability (1 - x)^(resident - 1), in which all
 * of them together touch x times what they touch in their lives; `near`: blocks that load the same
 * begin within so much of a life. */
static double lost_between_blocks(const struct fw_caches *caches, double resident, double common,
                                  double own, double near)
{
    enum { GAPS = 16 };
    double sum = 0;
    for (int g = 0; g < GAPS; g++) {
        double gap = near * (1 - pow((g + 0.5) / GAPS, 1 / fmax(resident - 1, 1e-9)));
        sum +=
            miss_probability(common + gap * resident * own, caches->l1_bytes, caches->l1_sharpness);
    }
    return sum / GAPS;
}

/* What a block loads and blocks before it on its multiprocessor have left in L1. */
struct left_by_blocks {
    double *common; /* by array: the share of all that the block loads, in bytes, that others do */
    double *found;  /* the part of that which L1 has */
};

/* The share of n blocks, one after the other, that find one of them to have been on their
 * multiprocessor.  Those of the first wave are distributed in turn, and later ones go to any: P (1
 * - (1 - 1/P)^n) are the first on theirs. */
static double share_behind_others(const struct fw_affine_accesses *accesses,
                                  const struct fw_caches *caches, double n)
{
    const double p = caches->multiprocessors, resident = resident_blocks_of(accesses, caches);
    double in_first = fmin(1, p * resident / (double)fw_affine_blocks(accesses));
    return in_first * fmax(0, 1 - p / n) + (1 - in_first) * (1 - p * (1 - pow(1 - 1 / p, n)) / n);
}

/* Adds what blocks of one kind of commonness leave. */
static void add_left(struct left_by_blocks *left, struct fw_arena *arena,
                     const struct fw_affine_accesses *accesses, const struct fw_caches *caches,
                     int64_t block, enum commonness commonness)
{
    double blocks;
    struct fw_affine_accesses common =
        loads_in_common(&blocks, arena, accesses, caches, commonness);
    const double multiprocessors = caches->multiprocessors;
    const double resident = resident_blocks_of(accesses, caches);
    if (!common.count || (commonness == ALL_BLOCKS && blocks <= multiprocessors))
        return;
    struct fw_window one = {block, block + 1, 0, 1, FW_FOOTPRINT_LOADS};
    struct fw_footprint *lines = fw_footprint_new(arena, accesses, caches->line);
    struct fw_footprint *common_lines = fw_footprint_new(arena, &common, caches->line);
    struct fw_footprint *sectors = fw_footprint_new(arena, &common, caches->sector);
    struct fw_footprint *all = fw_footprint_new(arena, accesses, caches->sector);
    double loaded = caches->sector * fw_footprint_count(all, &one, 1, FW_NONE);
    double shared = caches->line * fw_footprint_count(common_lines, &one, 1, FW_NONE);
    one.of = FW_FOOTPRINT_ALL;
    double own = caches->line * fw_footprint_count(lines, &one, 1, FW_NONE) - shared;
    one.of = FW_FOOTPRINT_LOADS;
    double found = 1 - lost_between_blocks(caches, resident, shared, own,
                                           fmin(1, blocks / (resident * multiprocessors)));
    found *= share_behind_others(accesses, caches, blocks);
    for (uint32_t a = 0; a < accesses->arrays; a++) {
        double here = caches->sector * fw_footprint_count(sectors, &one, 1, a) / loaded;
        left->common[a] += here;
        left->found[a] += here * found;
    }
}

double left_or_coalesced_share(struct fw_arena *arena, const struct fw_affine_accesses *accesses,
                               const struct fw_caches *caches, int64_t block,
                               const double *coalesced, double *left)
{
    struct fw_arena_mark mark = fw_arena_mark(arena);
    struct left_by_blocks by = {FW_ARRAY(arena, double, accesses->arrays + 1),
                                FW_ARRAY(arena, double, accesses->arrays + 1)};
    double sum = 0;
    add_left(&by, arena, accesses, caches, block, ALL_BLOCKS);
    add_left(&by, arena, accesses, caches, block, SOME_BLOCKS);
    *left = 0;
    for (uint32_t a = 0; a < accesses->arrays; a++) {
        double found = by.common[a] > 0 ? by.found[a] / by.common[a] : 0;
        sum += by.found[a] + coalesced[a] - fmin(coalesced[a], by.common[a]) * found;
        *left += by.found[a];
    }
    fw_arena_release(arena, mark);
    return fmin(1, sum);
}
