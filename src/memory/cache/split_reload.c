#include "volume_internal.h"

#include "min_max.h"
#include "warp.h"

#include <math.h>
#include <stdlib.h>

enum { LOOK_BACK = 64, MAX_WARPS = 16 }; /* accesses before a store; warps of a block */

/* Split sectors that a block loads and stores in place, again and again: x[i] = f(x[i]) in a loop
 * over time, with rows that begin off a sector boundary.  L1 writes through and keeps what was
 * stored with a byte mask: a sector of which two warps store a part each is whole again once both
 * have stored.  A load between the two stores asks L2 for it.
 *
 * Each of the two warps loads before it stores.  Of the six orders in which they may do so, two
 * have the load of one between the stores: the share of a third takes the warps as independent.
 * (Loads that wait for device memory all come before the stores: a first pass has none of these
 * requests, as the counters of place and march_place in data/h200/traffic show.) */
static const double load_between_stores = 1.0 / 3;

/* Whether a store writes back what a load before it has loaded, in a loop. */
static bool is_in_place(const struct fw_affine_accesses *accesses, uint32_t load, uint32_t store,
                        int64_t sector)
{
    const struct fw_affine_access *a = &accesses->at[load], *b = &accesses->at[store];
    return fw_affine_is_load(a) && b->direction == FW_STORE && a->array == b->array && a->loops &&
           a->trips[0] > 1 && a->outer_loop == b->outer_loop && fw_affine_same_strides(a, b) &&
           llabs(a->base - b->base) < sector;
}

/* A loop's iteration in the middle of its lifetime, and the one before it. */
static struct fw_window iteration_of(const struct fw_affine_access *access, int64_t back,
                                     int64_t threads, enum fw_footprint_of of)
{
    double length = (access->end - access->begin) / (double)access->trips[0];
    double begin = access->begin + length * (double)(access->trips[0] / 2 - back);
    return (struct fw_window){0, threads, begin, begin + length, of};
}

/* Sectors of an iteration's stores that two warps store a part of each. */
static double split_sectors_of(struct fw_footprint *sectors, struct fw_window iteration,
                               int64_t warp_size, uint32_t array)
{
    int64_t threads = iteration.last, warps = (threads + warp_size - 1) / warp_size;
    int64_t sampled = fw_min(warps, MAX_WARPS);
    double sum = 0, all;
    iteration.of = FW_FOOTPRINT_STORES;
    all = fw_footprint_count(sectors, &iteration, 1, array);
    for (int64_t s = 0; s < sampled; s++) {
        int64_t warp = s * warps / sampled;
        iteration.first = warp * warp_size;
        iteration.last = fw_min(threads, (warp + 1) * warp_size);
        sum += fw_footprint_count(sectors, &iteration, 1, array);
    }
    return fmax(0, sum * (double)warps / (double)sampled - all);
}

double split_reload_bytes(struct fw_arena *arena, const struct fw_affine_accesses *accesses,
                          const struct fw_caches *caches, int64_t block, double repeated_misses)
{
    int64_t warp_size = caches->warp ? caches->warp : FW_WARP_THREADS;
    struct fw_arena_mark mark = fw_arena_mark(arena);
    bool *done = FW_ARRAY(arena, bool, accesses->arrays + 1);
    struct fw_affine_accesses threads = {.count = 0};
    struct fw_footprint *sectors = NULL;
    double sum = 0;
    for (uint32_t s = 1; s < accesses->count; s++) {
        const struct fw_affine_access *store = &accesses->at[s];
        bool in_place = false;
        for (uint32_t l = s > LOOK_BACK ? s - LOOK_BACK : 0; l < s && !in_place; l++)
            in_place = !done[store->array] && is_in_place(accesses, l, s, caches->sector);
        if (!in_place)
            continue;
        if (!sectors) {
            fw_affine_of_block(&threads, arena, accesses, block);
            sectors = fw_footprint_new(arena, &threads, caches->sector);
        }
        int64_t count = (int64_t)fw_affine_blocks(&threads);
        done[store->array] = true;
        struct fw_window at[2] = {iteration_of(store, 1, count, FW_FOOTPRINT_ALL),
                                  iteration_of(store, 0, count, FW_FOOTPRINT_LOADS)};
        double loaded = fw_footprint_count(sectors, &at[1], 1, store->array);
        double again = fw_footprint_count(sectors, at, 1, store->array) + loaded -
                       fw_footprint_count(sectors, at, 2, store->array);
        if (!(loaded > 0) || !(again > 0))
            continue;
        double times = (double)store->trips[0] - 1, hits = caches->sector * again * times;
        double split = split_sectors_of(sectors, at[1], warp_size, store->array);
        sum += load_between_stores * caches->sector * split * fmin(1, again / loaded) * times *
               fmax(0, 1 - fmax(0, repeated_misses) / hits);
    }
    fw_arena_release(arena, mark);
    return sum;
}
