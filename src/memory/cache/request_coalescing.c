#include "volume_internal.h"

#include <math.h>
#include <string.h>

/* What blocks load for each other before L2 is asked.  Two ways: blocks resident on one
 * multiprocessor share its L1; and requests of neighbouring multiprocessors for the same sector
 * that are under way together are merged on their way (by the L2 request coalescer, as Nsight
 * Compute calls it: seen in share_far, whose loads pass by L1).  Blocks come together in a loop:
 * those that are first wait for data that the others then find.  Blocks that mostly load data of
 * their own do not. */

enum {
    RUN = 1 << (FW_COALESCING_POINTS - 1)
}; /* consecutive blocks: on neighbouring multiprocessors */

static const double least_sharers = 2;

static bool goes_round(const struct fw_affine_access *access)
{
    return fw_affine_is_load(access) && access->loops && access->trips[0] > 1;
}

/* The share of requests that is left of those of `sharers` neighbouring blocks. */
static double left_of(const struct fw_caches *caches, double sharers)
{
    const double *merged = caches->coalesced[caches->barrier_in_loop];
    double at = log2(fmin(fmax(sharers, 1), RUN));
    uint32_t i = at < FW_COALESCING_POINTS - 1 ? (uint32_t)at : FW_COALESCING_POINTS - 2;
    return merged[i] + (at - i) * (merged[i + 1] - merged[i]);
}

/* Of one form: the sectors that a block loads, and how many of the blocks beside it load each of
 * them in the same turn of its loop (the middle one). */
static double of_form(double *sharers, struct fw_arena *arena,
                      const struct fw_affine_accesses *accesses,
                      const struct fw_affine_access *access, const struct fw_caches *caches,
                      int64_t block)
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
    bool loop = goes_round(access);
    if (!access->loops || !(all > 0)) /* turns of short loops are forms of their own, of one turn */
        return all;
    double turns = loop ? (double)access->trips[0] : 1, turn = floor(turns / 2);
    double life = access->end - access->begin;
    window.begin = access->begin + life * turn / turns;
    window.end = access->begin + life * (turn + 1) / turns;
    double one = fw_footprint_count(sectors, &window, 1, FW_NONE);
    window.first = first;
    window.last = first + run;
    double together = fw_footprint_count(sectors, &window, 1, FW_NONE);
    *sharers = together > 0 ? (double)run * one / together : 1;
    return all;
}

double coalesced_share(struct fw_footprint *sectors, struct fw_arena *arena,
                       const struct fw_affine_accesses *accesses, const struct fw_caches *caches,
                       int64_t block)
{
    struct fw_window window = {block, block + 1, 0, 1, FW_FOOTPRINT_LOADS};
    struct fw_arena_mark mark = fw_arena_mark(arena);
    double *asked = FW_ARRAY(arena, double, accesses->arrays + 1), all = 0, left = 0;
    double *remain = FW_ARRAY(arena, double, accesses->arrays + 1);
    double one = 0, sharers = 1, merged = caches->coalesced[caches->barrier_in_loop][0];
    const struct fw_affine_access *before = NULL;
    bool together = false;
    for (uint32_t i = 0; i < accesses->count; i++)
        together |= fw_affine_is_load(&accesses->at[i]) && accesses->at[i].loops;
    for (uint32_t i = 0; i < accesses->count && together && merged > 0; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        if (!fw_affine_is_load(access))
            continue;
        if (!before || !(access->begin == before->begin && access->end == before->end &&
                         fw_affine_same_strides(access, before)))
            one = of_form(&sharers, arena, accesses, access, caches, block);
        before = access;
        asked[access->array] += one;
        remain[access->array] += one * (sharers >= least_sharers ? left_of(caches, sharers) : 1);
    }
    for (uint32_t a = 0; a < accesses->arrays; a++)
        if (asked[a] > 0) {
            double own = fw_footprint_count(sectors, &window, 1, a);
            all += own;
            left += own * remain[a] / asked[a];
        }
    fw_arena_release(arena, mark);
    return all > 0 ? 1 - left / all : 0;
}

double share_of_residents(struct fw_footprint *sectors, const struct fw_affine_accesses *accesses,
                          const struct fw_caches *caches, int64_t block)
{
    enum { MOST = 32 };
    struct fw_window windows[MOST];
    int64_t blocks = (int64_t)fw_affine_blocks(accesses), apart = caches->multiprocessors;
    int64_t wave = apart * caches->resident_blocks, first = block - block % wave + block % apart;
    uint32_t count = 0;
    double sum = 0;
    bool loop = false;
    for (uint32_t i = 0; i < accesses->count; i++)
        loop |= goes_round(&accesses->at[i]);
    for (; loop && count < caches->resident_blocks && count < MOST && first < blocks;
         first += apart) {
        windows[count] = (struct fw_window){first, first + 1, 0, 1, FW_FOOTPRINT_LOADS};
        sum += fw_footprint_count(sectors, &windows[count++], 1, FW_NONE);
    }
    double share = sum > 0 ? 1 - fw_footprint_count(sectors, windows, count, FW_NONE) / sum : 0;
    return share * fmin(1, (double)wave / (double)blocks);
}
