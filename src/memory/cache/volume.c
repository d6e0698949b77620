#include "volume_internal.h"

#include "checked.h"
#include "min_max.h"
#include "quotient.h"
#include "warp.h"

#include <math.h>
#include <string.h>

enum {
    INNER = 4,
    STRATA = 8,    /* of blocks whose loops have different trips */
    MAX_RUNS = 12, /* along the first axis */
    FEW_RUNS = 4,  /* along the others: samples multiply */
    MAX_SAMPLES = (INNER + 1) * MAX_RUNS,
    LOOK_BACK = 64 /* stores: older ones are not compared, which bounds the work */
};

/* A block without capacity misses in L1 loads less than this times its distinct sectors. */
static const double no_capacity_misses = 1.01;

/* Sampled blocks along one axis: of each run of blocks with the same accesses, some. */
struct block_samples {
    int64_t at[MAX_SAMPLES];
    double weight[MAX_SAMPLES];
    uint32_t count;
    int64_t middle; /* where trips differ between blocks, the block in the middle; else FW_NONE */
};

/* The end of the blocks with work along an axis. */
static int64_t end_of_work(const struct fw_affine_accesses *accesses, uint32_t d)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < accesses->count; i++)
        most = accesses->at[i].high[d] > most ? accesses->at[i].high[d] : most;
    int64_t blocks = (most + accesses->block[d] - 1) / accesses->block[d];
    return blocks < accesses->grid[d] ? blocks : accesses->grid[d];
}

static int64_t begin_of_work(const struct fw_affine_accesses *accesses, uint32_t d)
{
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < accesses->count; i++)
        least = accesses->at[i].low[d] < least ? accesses->at[i].low[d] : least;
    return least > 0 ? least / accesses->block[d] : 0;
}

/* Blocks after which a floor of the grid's threads begins anew with a block. */
static int64_t blocks_of_floor(const struct fw_affine_floor *floor, int64_t size)
{
    return floor->every / fw_common_step(floor->every, size);
}

/* The number of blocks after which one begins at the same position within a granule again. */
static int64_t period(const struct fw_affine_accesses *accesses, uint32_t d, int64_t granule)
{
    int64_t most = 1;
    for (uint32_t i = 0; i < accesses->count; i++) {
        int64_t stride = accesses->at[i].block_stride[d], count = 1;
        for (uint32_t f = 0; f < accesses->at[i].floor_count; f++) {
            const struct fw_affine_floor *floor = &accesses->at[i].floors[f];
            if (floor->index != d)
                continue;
            if (floor->of == FW_FLOOR_OF_BLOCK)
                most = fw_max(most, fw_min(floor->every, granule));
            if (floor->of == FW_FLOOR_OF_GRID_THREAD)
                most = fw_max(most, fw_min(blocks_of_floor(floor, accesses->block[d]), granule));
        }
        while (count < granule && stride % granule * count % granule)
            count *= 2;
        most = count > most ? count : most;
    }
    return most;
}

/* Blocks at which runs begin along an axis, and the end of the last one: ascending. */
struct block_runs_of_axis {
    int64_t at[MAX_RUNS + 1];
    uint32_t count, most; /* most: runs that there may be */
    bool ragged;          /* trips differ between blocks: runs are parts of all blocks */
};

/* Ends a run at a block, if there may be one run more. */
static void cut_before(struct block_runs_of_axis *runs, int64_t block)
{
    uint32_t i = runs->count;
    if (block <= runs->at[0] || block >= runs->at[runs->count - 1] || runs->count > runs->most)
        return;
    while (runs->at[i - 1] > block)
        i--;
    if (runs->at[i - 1] == block)
        return;
    memmove(&runs->at[i + 1], &runs->at[i], (runs->count - i) * sizeof(runs->at[0]));
    runs->at[i] = block;
    runs->count++;
}

/* Whether the trips of an access's loop differ between the blocks along an axis. */
static bool is_ragged_along(const struct fw_affine_access *access, uint32_t d)
{
    const struct fw_affine_ragged *ragged = &access->ragged;
    return ragged->any && (fabs(ragged->from.block[d]) > 0 || fabs(ragged->until.block[d]) > 0);
}

/* Runs of the blocks first <= b < end within which conditions cut no block and no access begins or
 * ends; where trips differ between blocks, parts of the blocks instead of all. */
static void find_runs(struct block_runs_of_axis *runs, const struct fw_affine_accesses *accesses,
                      uint32_t d, int64_t first, int64_t end)
{
    int64_t size = accesses->block[d];
    *runs = (struct block_runs_of_axis){{first, end}, 2, d == 0 ? MAX_RUNS : FEW_RUNS, false};
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        cut_before(runs, fw_floor_quotient(access->low[d], size));
        cut_before(runs, fw_floor_quotient(access->low[d] + size - 1, size));
        cut_before(runs, fw_floor_quotient(access->high[d], size));
        cut_before(runs, fw_floor_quotient(access->high[d] + size - 1, size));
        runs->ragged |= is_ragged_along(access, d);
    }
    for (uint32_t i = 1; runs->ragged && i < STRATA; i++)
        cut_before(runs, first + fw_part_of(end - first, i, STRATA));
}

/* Whether a condition compares the indices of blocks along two axes: of blocks with equal indices,
 * some threads run. */
static bool leaves_blocks_idle(const struct fw_affine_accesses *accesses)
{
    bool any = false;
    for (uint32_t i = 0; i < accesses->count; i++)
        any |= accesses->at[i].idle_blocks;
    return any;
}

/* Samples of each run of blocks up to `inner` consecutive ones in its middle, as many as have
 * different positions within a granule; the first and the last block for themselves if positions
 * differ. */
static void find_samples(struct block_samples *samples, const struct fw_affine_accesses *accesses,
                         uint32_t d, int64_t granule, int64_t inner)
{
    int64_t first = begin_of_work(accesses, d), end = end_of_work(accesses, d);
    int64_t differ = period(accesses, d, granule);
    struct block_runs_of_axis runs;
    samples->count = 0;
    samples->middle = FW_NONE;
    if (first >= end)
        return;
    find_runs(&runs, accesses, d, first, end);
    if (differ > 1) {
        cut_before(&runs, first + 1);
        cut_before(&runs, end - 1);
    }
    if (runs.ragged)
        samples->middle = first + (end - first - 1) / 2;
    inner = differ == inner + 1 ? differ : fw_min(differ, inner);
    int64_t aside = d == 1 && leaves_blocks_idle(accesses) ? 4 : 2; /* off the grid's diagonal */
    for (uint32_t r = 0; r + 1 < runs.count; r++) { /* middles are rounded down and up in turn */
        int64_t begin = runs.at[r], count = runs.at[r + 1] - begin;
        int64_t taken = fw_min(count, inner);
        for (int64_t i = 0; i < taken; i++, samples->count++) {
            int64_t at =
                begin + (count - taken + r % 2) / aside + i * (count > taken ? differ / taken : 1);
            samples->at[samples->count] = fw_min(at, begin + count - 1);
            samples->weight[samples->count] = (double)count / (double)taken;
        }
    }
}

/* Bytes of the distinct sectors that each warp of a block touches, summed over its warps. */
static double distinct_bytes_of_warps(struct fw_arena *arena,
                                      const struct fw_affine_accesses *accesses,
                                      const struct fw_caches *caches, int64_t block, double begin,
                                      double end, enum fw_footprint_of of)
{
    enum { MAX_WARPS = 8 };
    int64_t warp_size = caches->warp ? caches->warp : FW_WARP_THREADS;
    struct fw_affine_accesses threads;
    double sum = 0;
    struct fw_arena_mark mark = fw_arena_mark(arena);
    fw_affine_of_block(&threads, arena, accesses, block);
    struct fw_footprint *sectors = fw_footprint_new(arena, &threads, caches->sector);
    int64_t count = (int64_t)fw_affine_blocks(&threads),
            warps = (count + warp_size - 1) / warp_size;
    int64_t sampled = warps < MAX_WARPS ? warps : MAX_WARPS;
    for (int64_t s = 0; s < sampled; s++) {
        int64_t warp = s * warps / sampled;
        struct fw_window window = {warp * warp_size, (warp + 1) * warp_size, begin, end, of};
        sum += fw_footprint_count(sectors, &window, 1, FW_NONE);
    }
    fw_arena_release(arena, mark);
    return caches->sector * sum * (double)warps / (double)sampled;
}

static bool is_store(const struct fw_affine_access *access, bool looped)
{
    return !fw_affine_is_load(access) && (access->loops && access->trips[0] > 1) == looped;
}

/* The stores of a block inside loops, or those outside. */
static struct fw_affine_accesses stores_of(struct fw_arena *arena,
                                           const struct fw_affine_accesses *accesses, bool looped,
                                           int64_t *iterations)
{
    struct fw_affine_accesses some = *accesses;
    uint32_t count = 0;
    for (uint32_t i = 0; i < accesses->count; i++)
        count += is_store(&accesses->at[i], looped);
    some.at = FW_ARRAY(arena, struct fw_affine_access, count + 1);
    some.count = 0;
    *iterations = 1;
    for (uint32_t i = 0; i < accesses->count; i++) {
        if (!is_store(&accesses->at[i], looped))
            continue;
        some.at[some.count++] = accesses->at[i];
        if (looped && fw_affine_iterations(&accesses->at[i]) > *iterations)
            *iterations = fw_affine_iterations(&accesses->at[i]);
    }
    return some;
}

/* Whether two stores write the same bytes. */
static bool same_bytes(const struct fw_affine_access *a, const struct fw_affine_access *b)
{
    return a->array == b->array && a->base == b->base && a->begin == b->begin && a->end == b->end &&
           fw_affine_same_strides(a, b);
}

/* Keeps the stores that are marked by a number, in the program's order. */
static struct fw_affine_accesses marked(struct fw_arena *arena,
                                        const struct fw_affine_accesses *stores,
                                        const uint32_t *marks, uint32_t number)
{
    struct fw_affine_accesses some = *stores;
    uint32_t count = 0;
    for (uint32_t i = 0; i < stores->count; i++)
        count += marks[i] == number;
    some.at = FW_ARRAY(arena, struct fw_affine_access, count + 1);
    some.count = 0;
    for (uint32_t i = 0; i < stores->count; i++)
        if (marks[i] == number)
            some.at[some.count++] = stores->at[i];
    return some;
}

/* Distinct sectors that each warp of a block stores between two times of its life, in one of so
 * many iterations of a whole life, summed over warps and iterations. */
static double distinct_between(struct fw_footprint *sectors, int64_t warps, int64_t warp_size,
                               double iterations, double begin, double end)
{
    enum { MAX_WARPS = 8, MAX_ITERATIONS = 3 };
    int64_t sampled = warps < MAX_WARPS ? warps : MAX_WARPS;
    double here = fmax(1, round(iterations * (end - begin)));
    int64_t taken = here < MAX_ITERATIONS ? (int64_t)here : MAX_ITERATIONS;
    double sum = 0, step = (end - begin) / here;
    for (int64_t s = 0; s < sampled * taken; s++) {
        int64_t warp = s % sampled * warps / sampled;
        double iteration = floor((double)(2 * (s / sampled) + 1) * here / (double)(2 * taken));
        struct fw_window window = {warp * warp_size, (warp + 1) * warp_size,
                                   begin + step * iteration, begin + step * (iteration + 1),
                                   FW_FOOTPRINT_STORES};
        sum += fw_footprint_count(sectors, &window, 1, FW_NONE);
    }
    return sum * (double)warps / (double)sampled * here / (double)taken;
}

/* The same of all of a block's life: loops that follow each other, and what of a loop has lifetimes
 * apart from the rest, are sampled each for itself. */
static double distinct_stored(struct fw_arena *arena, const struct fw_affine_accesses *stores,
                              const struct fw_caches *caches, int64_t iterations)
{
    int64_t warp_size = caches->warp ? caches->warp : FW_WARP_THREADS;
    struct fw_footprint *sectors = fw_footprint_new(arena, stores, caches->sector);
    int64_t count = (int64_t)fw_affine_blocks(stores), warps = (count + warp_size - 1) / warp_size;
    double sum = 0, done = 0;
    if (iterations == 1)
        return distinct_between(sectors, warps, warp_size, 1, 0, 1);
    for (;;) {
        double begin = 1, end;
        for (uint32_t i = 0; i < stores->count; i++)
            if (stores->at[i].end > done)
                begin = fmin(begin, fmax(done, stores->at[i].begin));
        if (!(begin < 1))
            return sum;
        end = begin;
        for (uint32_t i = 0; i < stores->count; i++) /* in the order of the program */
            if (stores->at[i].begin <= end)
                end = fmax(end, stores->at[i].end);
        sum += distinct_between(sectors, warps, warp_size, (double)iterations, begin, end);
        done = end;
    }
}

/* Marks stores by how many before them write the same bytes, and by their turns, and gives the
 * number of marks: of stores that repeat, or take turns, no two share one. */
static uint32_t mark_stores(struct fw_arena *arena, const struct fw_affine_accesses *stores,
                            const uint32_t *turns, uint32_t *marks)
{
    uint32_t *times = FW_ARRAY(arena, uint32_t, stores->count + 1), number = 0;
    for (uint32_t i = 0; i < stores->count; i++) {
        uint32_t from = i > LOOK_BACK ? i - LOOK_BACK : 0, same = FW_NONE;
        for (uint32_t j = i; j-- > from && !times[i];)
            times[i] = same_bytes(&stores->at[i], &stores->at[j]) ? times[j] + 1 : 0;
        for (uint32_t j = i; j-- > 0 && same == FW_NONE;)
            if (times[j] == times[i] && (!turns || turns[stores->at[j].kernel_access] ==
                                                       turns[stores->at[i].kernel_access]))
                same = marks[j];
        marks[i] = same == FW_NONE ? number++ : same;
    }
    return number;
}

/* Sectors that each warp of a block stores in each iteration of its loop.  L1 merges what several
 * instructions of a warp store to a sector in one iteration, as the counters of an H200 show
 * (share_fields in data/h200/traffic).  But bytes that are stored again, as x[i] += ... in an
 * unrolled loop does, are sent again: what is loaded between keeps the stores apart. */
static double stored_in_iterations(struct fw_arena *arena, const struct fw_affine_accesses *threads,
                                   const struct fw_caches *caches, const uint32_t *turns,
                                   bool looped)
{
    int64_t iterations;
    struct fw_affine_accesses stores = stores_of(arena, threads, looped, &iterations);
    uint32_t *marks = FW_ARRAY(arena, uint32_t, stores.count + 1);
    double sum = 0, last = 0;
    uint32_t members = 0;
    const uint32_t numbers = mark_stores(arena, &stores, turns, marks);
    for (uint32_t number = 0; number < numbers; number++) {
        struct fw_affine_accesses some = marked(arena, &stores, marks, number);
        if (some.count != members || turns) /* else the same stores once more */
            last = distinct_stored(arena, &some, caches, iterations);
        members = some.count;
        sum += last;
    }
    return sum;
}

/* Bytes that a block stores, whose warps store in turns; NULL: all that a warp stores in one
 * iteration is merged. */
static double stored_by(struct fw_arena *arena, const struct fw_affine_accesses *accesses,
                        const struct fw_caches *caches, const uint32_t *turns, int64_t block)
{
    struct fw_affine_accesses threads;
    struct fw_arena_mark mark = fw_arena_mark(arena);
    fw_affine_of_block(&threads, arena, accesses, block);
    double sum = stored_in_iterations(arena, &threads, caches, turns, false) +
                 stored_in_iterations(arena, &threads, caches, turns, true);
    fw_arena_release(arena, mark);
    return caches->sector * sum;
}

/* Whether stores of a launch take several turns. */
static bool takes_turns(const struct fw_affine_accesses *accesses, const uint32_t *turns)
{
    uint32_t first = FW_NONE;
    for (uint32_t i = 0; i < accesses->count && turns; i++) {
        if (fw_affine_is_load(&accesses->at[i]))
            continue;
        uint32_t turn = turns[accesses->at[i].kernel_access];
        if (first != FW_NONE && turn != first)
            return true;
        first = turn;
    }
    return false;
}

/* Warps that are resident on a multiprocessor at one time. */
static double resident_warps(const struct fw_affine_accesses *accesses,
                             const struct fw_caches *caches)
{
    double threads = (double)accesses->block[0] * accesses->block[1] * accesses->block[2];
    double blocks = (double)fw_affine_blocks(accesses) / caches->multiprocessors;
    double warps = ceil(threads / (caches->warp ? caches->warp : FW_WARP_THREADS));
    return warps * fmin(caches->resident_blocks, ceil(blocks));
}

/* What a block stores by what leaves L1 for it, over what it would if L1 merged all that a warp
 * stores to a sector in one iteration, which is `merged` bytes: what is stored in different turns
 * it merges where other warps store little meanwhile.  Source: demosaic_malvar and bitmap_between
 * in data/h200/programs-ninth. */
static double turns_apart(struct fw_arena *arena, const struct fw_affine_accesses *accesses,
                          const struct fw_caches *caches, int64_t block, double merged)
{
    if (!(merged > 0) || !takes_turns(accesses, caches->store_turns))
        return 1;
    double apart = fw_caches_stores_in_turns(caches, resident_warps(accesses, caches));
    double all = stored_by(arena, accesses, caches, caches->store_turns, block);
    return 1 + apart * fmax(0, all / merged - 1);
}

/* Bytes from L1 to L2, given the bytes `merged` if L1 merged all parts of a sector that several
 * stores of a warp write.  L1 merges them if each store touches few lines; else some parts leave L1
 * before the next one arrives. */
static double after_merging(double merged, const struct fw_caches *caches)
{
    double over = caches->requested_store_bytes - merged;
    if (caches->requested_store_bytes > 0 && over < 0)
        return caches->requested_store_bytes;
    return over > 0 && merged > 0 ? merged + over * fw_caches_scattered_stores(caches) : merged;
}

double triangular_share(const struct fw_affine_accesses *accesses, uint32_t array, bool moving)
{
    double all = 0, run = 0;
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        if (!fw_affine_is_load(access) || (array != FW_NONE && access->array != array))
            continue;
        bool moves = fw_affine_moves_with_block(access, 0) ||
                     fw_affine_moves_with_block(access, 1) || fw_affine_moves_with_block(access, 2);
        double points = fw_affine_threads(access, accesses) * access->repeats;
        for (uint32_t l = 0; l < access->loops; l++)
            points *= (double)access->trips[l];
        all += points;
        bool boxed = !access->triangular || access->ragged.any; /* footprints know its end */
        boxed &= moving || !access->idle_blocks; /* those that run may touch all of the data */
        run += points * (!boxed && (moves || !moving) ? access->active_share : 1);
    }
    return all > 0 ? run / all : 1;
}

/* The sampled blocks of a launch, summed up; and those that stand for most loads and stores. */
struct sampled_launch {
    double loaded, stored;    /* bytes: distinct sectors of each block */
    double stored_first;      /* likewise, of those that it stores and does not load */
    int64_t loading, storing; /* blocks in launch order */
};

/* The block that stands for the others where trips differ between blocks. */
static int64_t middle_block(const struct block_samples samples[3],
                            const struct fw_affine_accesses *accesses)
{
    int64_t at[3];
    for (uint32_t d = 0; d < 3; d++)
        at[d] =
            samples[d].middle != FW_NONE ? samples[d].middle : samples[d].at[samples[d].count / 2];
    return (at[2] * accesses->grid[1] + at[1]) * accesses->grid[0] + at[0];
}

static struct sampled_launch sample_launch(struct fw_footprint *sectors,
                                           const struct fw_affine_accesses *accesses,
                                           const struct fw_caches *caches)
{
    struct block_samples samples[3];
    struct sampled_launch sums = {0};
    double most_loaded = 0, most_stored = 0;
    bool ragged = false;
    for (uint32_t d = 0; d < 3; d++)
        find_samples(&samples[d], accesses, d, caches->sector, d == 0 ? INNER : 2);
    for (uint32_t z = 0; z < samples[2].count; z++)
        for (uint32_t y = 0; y < samples[1].count; y++)
            for (uint32_t x = 0; x < samples[0].count; x++) {
                int64_t row = samples[2].at[z] * accesses->grid[1] + samples[1].at[y];
                int64_t block = row * (int64_t)accesses->grid[0] + samples[0].at[x];
                double weight = samples[0].weight[x] * samples[1].weight[y] * samples[2].weight[z];
                double bytes = weight * caches->sector;
                double loaded = bytes * fw_footprint_of_block(sectors, block, FW_FOOTPRINT_LOADS);
                double stored = bytes * fw_footprint_of_block(sectors, block, FW_FOOTPRINT_STORES);
                if (caches->store_hits && stored > 0)
                    sums.stored_first +=
                        bytes * fw_footprint_of_block(sectors, block, FW_FOOTPRINT_ALL) - loaded;
                sums.loaded += loaded;
                sums.stored += stored;
                sums.loading = loaded >= most_loaded ? block : sums.loading;
                sums.storing = stored >= most_stored ? block : sums.storing;
                most_loaded = fmax(most_loaded, loaded);
                most_stored = fmax(most_stored, stored);
            }
    for (uint32_t d = 0; d < 3; d++)
        ragged |= samples[d].count && samples[d].middle != FW_NONE;
    if (ragged && samples[0].count && samples[1].count && samples[2].count)
        sums.loading = sums.storing = middle_block(samples, accesses);
    return sums;
}

static void find_l1(struct fw_volumes *volumes, struct fw_arena *arena,
                    const struct fw_affine_accesses *launch, const struct fw_caches *caches)
{
    struct fw_arena_mark mark = fw_arena_mark(arena);
    const struct fw_affine_accesses *accesses = fw_affine_without_tiles(arena, launch);
    struct fw_footprint *sectors = fw_footprint_new(arena, accesses, caches->sector);
    struct sampled_launch sums = sample_launch(sectors, accesses, caches);
    struct fw_volume *loads = &volumes->l2_to_l1, one;
    volumes->stored_first = sums.stored_first;
    int64_t block = sums.loading, storing = sums.storing;
    struct fw_window stores = {storing, storing + 1, 0, 1, FW_FOOTPRINT_STORES};
    double merged = caches->sector * fw_footprint_count(sectors, &stores, 1, FW_NONE);
    volumes->store_parts = 1;
    if (merged > 0) {
        double stored = stored_by(arena, accesses, caches, NULL, storing);
        double apart = turns_apart(arena, accesses, caches, storing, stored);
        volumes->store_parts = stored / merged;
        volumes->l1_to_l2 = after_merging(sums.stored * volumes->store_parts * apart, caches);
    }
    struct fw_footprint *lines = fw_footprint_like(sectors, caches->line);
    struct resident_blocks resident = resident_blocks_find(lines, arena, accesses, caches, block);
    /* What blocks in step load for each other is in L1 once. */
    const double in_step = share_of_residents(sectors, accesses, caches, block);
    resident.distinct = fmax(1, resident.distinct * (1 - in_step));
    l1_block_volume(&one, arena, accesses, caches, block, &resident);
    if (one.compulsory > 0)
        volumes->warp_distinct_bytes =
            sums.loaded / one.compulsory *
            distinct_bytes_of_warps(arena, accesses, caches, block, 0, 1, FW_FOOTPRINT_LOADS);
    double ratio = one.compulsory > 0 ? one.bytes / one.compulsory : 1, shared = 0, either = 0;
    double *coalesced_of = FW_ARRAY(arena, double, accesses->arrays + 1);
    double coalesced = coalesced_share(sectors, arena, accesses, caches, block, coalesced_of);
    struct fw_window whole = {block, block + 1, 0, 1, FW_FOOTPRINT_LOADS};
    const double of_block = caches->sector * fw_footprint_count(sectors, &whole, 1, FW_NONE);
    if (of_block > 0) {
        double again = returning_bytes(sectors, lines, accesses, caches, block) / of_block;
        either =
            again + left_or_coalesced_share(arena, accesses, caches, block, coalesced_of, &shared);
        shared += again;
    }
    const double left = shared;
    if (one.compulsory > 0 && ratio < no_capacity_misses)
        shared = fmax(shared, in_step);
    loads->compulsory = sums.loaded * triangular_share(accesses, FW_NONE, false);
    loads->bytes = loads->compulsory * ratio;
    if (one.compulsory > 0)
        loads->bytes += sums.loaded / one.compulsory *
                        split_reload_bytes(arena, accesses, caches, block, one.capacity);
    if (caches->requested_load_bytes > 0 && loads->bytes > caches->requested_load_bytes)
        loads->bytes = caches->requested_load_bytes;
    double first = fmin(loads->bytes, loads->compulsory);
    either = fmin(1, fmax(coalesced, fmax(shared, either)));
    volumes->coalesced_bytes = first * (either - shared);
    volumes->merged_bytes = first * either;
    volumes->left_bytes = first * left;
    loads->bytes -= volumes->merged_bytes;
    if (loads->compulsory > loads->bytes)
        loads->compulsory = loads->bytes;
    loads->capacity = loads->bytes - loads->compulsory;
    fw_arena_release(arena, mark);
}

void fw_volumes_find(struct fw_volumes *volumes, struct fw_arena *arena,
                     const struct fw_affine_accesses *accesses, const struct fw_caches *caches)
{
    memset(volumes, 0, sizeof(*volumes));
    volumes->l2_miss_share = FW_ARRAY(arena, double, accesses->count + 1);
    if (accesses->count == 0)
        return;
    find_l1(volumes, arena, accesses, caches);
    dram_launch_volume(volumes, arena, accesses, caches);
    volumes_hold_to_requests(volumes, caches);
}
