#include "volume_internal.h"

#include <math.h>
#include <string.h>

enum { INNER = 4, MOST_PLACES = INNER + 2 };

/* Blocks along one axis that stand for all: the first, some inner ones, the last. */
struct places {
    int64_t at[MOST_PLACES];
    double weight[MOST_PLACES];
    uint32_t count;
};

/* Where along an axis the blocks with work end. */
static int64_t active(const struct fw_affine_accesses *accesses, uint32_t d)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < accesses->count; i++)
        most = accesses->at[i].high[d] > most ? accesses->at[i].high[d] : most;
    int64_t blocks = (most + accesses->block[d] - 1) / accesses->block[d];
    return blocks < accesses->grid[d] ? blocks : accesses->grid[d];
}

static int64_t first_active(const struct fw_affine_accesses *accesses, uint32_t d)
{
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < accesses->count; i++)
        least = accesses->at[i].low[d] < least ? accesses->at[i].low[d] : least;
    return least > 0 ? least / accesses->block[d] : 0;
}

/* Blocks along an axis until one begins at the same place of a granule again. */
static int64_t period(const struct fw_affine_accesses *accesses, uint32_t d, int64_t granule)
{
    int64_t most = 1;
    for (uint32_t i = 0; i < accesses->count; i++) {
        int64_t stride = accesses->at[i].block_stride[d], count = 1;
        while (count < granule && stride * count % granule)
            count *= 2;
        most = count > most ? count : most;
    }
    return most;
}

/* The first and the last block where some are cut, and inner ones: as many side by side as begin at
 * different places of a granule, up to `inner`. */
static void find_places(struct places *places, const struct fw_affine_accesses *accesses,
                        uint32_t d, int64_t granule, int64_t inner)
{
    int64_t first = first_active(accesses, d), last = active(accesses, d) - 1,
            count = last - first + 1;
    int64_t differ = period(accesses, d, granule);
    bool partial = false;
    memset(places, 0, sizeof(*places));
    if (count <= 0)
        return;
    for (uint32_t i = 0; i < accesses->count; i++)
        partial |= accesses->at[i].low[d] % accesses->block[d] ||
                   accesses->at[i].high[d] % accesses->block[d];
    int64_t ends = partial || differ > 1 ? 2 : 0;
    inner = differ < inner ? differ : inner;
    if (count <= inner + ends) {
        for (int64_t i = 0; i < count; i++, places->count++) {
            places->at[i] = first + i;
            places->weight[i] = 1;
        }
        return;
    }
    for (int64_t i = 0; i < inner; i++) {
        places->at[places->count] = first + (count - inner) / 2 + i * (differ / inner);
        places->weight[places->count++] = (double)(count - ends) / (double)inner;
    }
    for (int64_t i = 0; i < ends; i++) {
        places->at[places->count] = i ? last : first;
        places->weight[places->count++] = 1;
    }
    for (uint32_t i = 0; i < places->count; i++)
        places->at[i] = places->at[i] < last ? places->at[i] : last;
}

/* Bytes that a block's warps touch from `begin` to `end` of its life: each warp's sectors once,
 * whichever of its instructions touched them. */
static double touched_by(struct fw_arena *arena, const struct fw_affine_accesses *accesses,
                         const struct fw_caches *caches, int64_t block, double begin, double end,
                         enum fw_footprint_of of)
{
    enum { MOST_SEEN = 8 };
    int64_t warp_size = caches->warp ? caches->warp : 32;
    struct fw_affine_accesses threads;
    double sum = 0;
    struct fw_arena_mark mark = fw_arena_mark(arena);
    fw_affine_of_block(&threads, arena, accesses, block);
    struct fw_footprint *sectors = fw_footprint_new(arena, &threads, caches->sector);
    int64_t count = (int64_t)fw_affine_blocks(&threads),
            warps = (count + warp_size - 1) / warp_size;
    int64_t seen = warps < MOST_SEEN ? warps : MOST_SEEN;
    for (int64_t s = 0; s < seen; s++) {
        int64_t warp = s * warps / seen;
        struct fw_window window = {warp * warp_size, (warp + 1) * warp_size, begin, end, of};
        sum += fw_footprint_count(sectors, &window, 1, FW_NONE);
    }
    fw_arena_release(arena, mark);
    return caches->sector * sum * (double)warps / (double)seen;
}

/* The stores of a block that are in loops, or those that are not. */
static struct fw_affine_accesses stores_of(struct fw_arena *arena,
                                           const struct fw_affine_accesses *accesses, bool looped,
                                           int64_t *turns)
{
    struct fw_affine_accesses some = *accesses;
    some.at = FW_ARRAY(arena, struct fw_affine_access, accesses->count + 1);
    some.count = 0;
    *turns = 1;
    for (uint32_t i = 0; i < accesses->count; i++) {
        bool loops = accesses->at[i].loops && accesses->at[i].trips[0] > 1;
        if (fw_affine_is_load(&accesses->at[i]) || loops != looped)
            continue;
        some.at[some.count++] = accesses->at[i];
        if (loops && fw_affine_iterations(&accesses->at[i]) > *turns)
            *turns = fw_affine_iterations(&accesses->at[i]);
    }
    return some;
}

/* Sectors that a block's warps store: each warp's once in a turn of its loop, whichever of its
 * instructions wrote them, as counters of an H200 show. */
static double stored_in_turns(struct fw_arena *arena, const struct fw_affine_accesses *threads,
                              const struct fw_caches *caches, bool looped)
{
    enum { MOST_WARPS = 8, MOST_TURNS = 3 };
    int64_t warp_size = caches->warp ? caches->warp : 32, turns;
    struct fw_affine_accesses stores = stores_of(arena, threads, looped, &turns);
    if (stores.count == 0)
        return 0;
    struct fw_footprint *sectors = fw_footprint_new(arena, &stores, caches->sector);
    int64_t count = (int64_t)fw_affine_blocks(threads), warps = (count + warp_size - 1) / warp_size;
    int64_t seen = warps < MOST_WARPS ? warps : MOST_WARPS;
    int64_t taken = turns < MOST_TURNS ? turns : MOST_TURNS;
    double sum = 0;
    for (int64_t s = 0; s < seen * taken; s++) {
        int64_t warp = s % seen * warps / seen, turn = (2 * (s / seen) + 1) * turns / (2 * taken);
        struct fw_window window = {warp * warp_size, (warp + 1) * warp_size,
                                   (double)turn / (double)turns, (double)(turn + 1) / (double)turns,
                                   FW_FOOTPRINT_STORES};
        sum += fw_footprint_count(sectors, &window, 1, FW_NONE);
    }
    return sum * (double)warps / (double)seen * (double)turns / (double)taken;
}

/* Bytes that a block stores. */
static double stored_by(struct fw_arena *arena, const struct fw_affine_accesses *accesses,
                        const struct fw_caches *caches, int64_t block)
{
    struct fw_affine_accesses threads;
    struct fw_arena_mark mark = fw_arena_mark(arena);
    fw_affine_of_block(&threads, arena, accesses, block);
    double sum = stored_in_turns(arena, &threads, caches, false) +
                 stored_in_turns(arena, &threads, caches, true);
    fw_arena_release(arena, mark);
    return caches->sector * sum;
}

/* Whether all blocks touch the same by a form: then L1 has it from the blocks before. */
static bool is_common(const struct fw_affine_access *access,
                      const struct fw_affine_accesses *accesses)
{
    for (uint32_t d = 0; d < 3; d++)
        if (accesses->grid[d] > 1 && access->block_stride[d] != 0)
            return false;
    return access->direction == FW_LOAD;
}

/* Bytes that a block loads and that the blocks before it on its multiprocessor have left in L1. */
static double left_by_others(struct fw_arena *arena, const struct fw_affine_accesses *accesses,
                             const struct fw_caches *caches, int64_t block)
{
    struct fw_affine_accesses common = *accesses;
    struct fw_arena_mark mark = fw_arena_mark(arena);
    double blocks = (double)fw_affine_blocks(accesses), bytes = 0;
    common.at = fw_arena_copy(arena, accesses->at, accesses->count * sizeof(*accesses->at));
    common.count = 0;
    for (uint32_t i = 0; i < accesses->count; i++)
        if (is_common(&accesses->at[i], accesses))
            common.at[common.count++] = accesses->at[i];
    if (common.count && blocks > caches->multiprocessors) {
        struct fw_window one = {block, block + 1, 0, 1, FW_FOOTPRINT_LOADS};
        struct fw_footprint *lines = fw_footprint_new(arena, accesses, caches->line);
        struct fw_footprint *sectors = fw_footprint_new(arena, &common, caches->sector);
        bytes = caches->sector * fw_footprint_count(sectors, &one, 1, FW_NONE);
        one.of = FW_FOOTPRINT_LOADS;
        double between = resident_blocks_of(accesses, caches) * caches->line *
                         fw_footprint_count(lines, &one, 1, FW_NONE);
        struct miss_curve pasts = {.count = 2};
        pasts.at[0] = (struct miss_point){between, bytes};
        pasts.at[1] = (struct miss_point){between * 1.001, 0};
        bytes -= miss_curve_bytes(&pasts, caches->l1_bytes, caches->l1_sharpness);
        bytes *= 1 - fmin(1, caches->multiprocessors / blocks);
    }
    fw_arena_release(arena, mark);
    return bytes;
}

/* Of the sectors that several store instructions of a warp fill, those of stores that reach into
 * few lines meet in L1 and go to L2 once; others have left before the next part comes (seen in
 * share_fields and share_move: structures of 2 to 4 elements are merged, of 7 and 8 by half, of 16
 * not at all).  `merged`: bytes if all were. */
static double unmerged(double merged, const struct fw_caches *caches)
{
    double over = caches->requested_store_bytes - merged;
    if (caches->requested_store_bytes > 0 && over < 0)
        return caches->requested_store_bytes;
    if (!(caches->store_merge_lines > 0) || !(over > 0) || !(merged > 0))
        return merged;
    return merged + over * (1 - exp(-pow(caches->lines_per_store / caches->store_merge_lines, 5)));
}

double triangular_share(const struct fw_affine_accesses *accesses, uint32_t array, bool moving)
{
    double all = 0, run = 0;
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        if (!fw_affine_is_load(access) || (array != FW_NONE && access->array != array))
            continue;
        bool moves = access->block_stride[0] || access->block_stride[1] || access->block_stride[2];
        double points = fw_affine_threads(access, accesses) * access->repeats;
        for (uint32_t l = 0; l < access->loops; l++)
            points *= (double)access->trips[l];
        all += points;
        run += points * (access->triangular && (moves || !moving) ? access->active_share : 1);
    }
    return all > 0 ? run / all : 1;
}

static void find_l1(struct fw_volumes *volumes, struct fw_arena *arena,
                    const struct fw_affine_accesses *accesses, const struct fw_caches *caches)
{
    struct places places[3];
    struct fw_arena_mark mark = fw_arena_mark(arena);
    struct fw_footprint *sectors = fw_footprint_new(arena, accesses, caches->sector);
    double heaviest = 0, stores = 0, merged = 0;
    int64_t usual = 0;
    for (uint32_t d = 0; d < 3; d++)
        find_places(&places[d], accesses, d, caches->sector, d == 0 ? INNER : 2);
    for (uint32_t z = 0; z < places[2].count; z++)
        for (uint32_t y = 0; y < places[1].count; y++)
            for (uint32_t x = 0; x < places[0].count; x++) {
                int64_t block = (places[2].at[z] * accesses->grid[1] + places[1].at[y]) *
                                    (int64_t)accesses->grid[0] +
                                places[0].at[x];
                double weight = places[0].weight[x] * places[1].weight[y] * places[2].weight[z];
                struct fw_window one = {block, block + 1, 0, 1, FW_FOOTPRINT_LOADS};
                double bytes = caches->sector * fw_footprint_count(sectors, &one, 1, FW_NONE);
                volumes->l2_to_l1.compulsory += weight * bytes;
                one.of = FW_FOOTPRINT_STORES;
                stores += weight * caches->sector * fw_footprint_count(sectors, &one, 1, FW_NONE);
                if (weight * bytes >= heaviest) {
                    heaviest = weight * bytes;
                    usual = block;
                }
            }
    struct fw_window window = {usual, usual + 1, 0, 1, FW_FOOTPRINT_STORES};
    merged = caches->sector * fw_footprint_count(sectors, &window, 1, FW_NONE);
    if (merged > 0)
        volumes->l1_to_l2 =
            unmerged(stores * stored_by(arena, accesses, caches, usual) / merged, caches);
    struct fw_volume one;
    l1_block_volume(&one, arena, accesses, caches, usual);
    if (one.compulsory > 0)
        volumes->warp_distinct_bytes =
            volumes->l2_to_l1.compulsory / one.compulsory *
            touched_by(arena, accesses, caches, usual, 0, 1, FW_FOOTPRINT_LOADS);
    double ratio = one.compulsory > 0 ? one.bytes / one.compulsory : 1, saved = 0;
    if (one.compulsory > 0 && ratio < 1.01)
        saved = fmax(left_by_others(arena, accesses, caches, usual) / one.compulsory,
                     share_of_residents(sectors, accesses, caches, usual));
    volumes->l2_to_l1.compulsory *= triangular_share(accesses, FW_NONE, false);
    volumes->l2_to_l1.bytes = volumes->l2_to_l1.compulsory * ratio;
    if (caches->requested_load_bytes > 0 && volumes->l2_to_l1.bytes > caches->requested_load_bytes)
        volumes->l2_to_l1.bytes = caches->requested_load_bytes;
    volumes->l2_to_l1.bytes *=
        1 - fmax(saved, coalesced_share(sectors, arena, accesses, caches, usual));
    if (volumes->l2_to_l1.compulsory > volumes->l2_to_l1.bytes)
        volumes->l2_to_l1.compulsory = volumes->l2_to_l1.bytes;
    volumes->l2_to_l1.capacity = volumes->l2_to_l1.bytes - volumes->l2_to_l1.compulsory;
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
}
