#include "warp_totals.h"

#include "min_max.h"
#include "warp.h"
#include "warp_memo.h"

#include <math.h>
#include <string.h>

enum { MAX_INNER = 8, MAX_SAMPLES = MAX_INNER + 2, FEW = 2, MAX_COMPARED = 128 };

/* Sampled blocks along one axis, and the number of blocks that each stands for. */
struct block_samples {
    int64_t at[MAX_SAMPLES];
    double weight[MAX_SAMPLES];
    uint32_t count;
};

static void add_sample(struct block_samples *samples, int64_t at, double weight)
{
    samples->at[samples->count] = at;
    samples->weight[samples->count++] = weight;
}

/* The first and the last block along an axis with threads that run an access. */
static void blocks_of(const struct fw_affine_accesses *accesses, uint32_t i, uint32_t d,
                      int64_t *first, int64_t *last)
{
    const struct fw_affine_access *access = &accesses->at[i];
    const int64_t size = accesses->block[d], end = (int64_t)accesses->grid[d] * size;
    *first = fw_max(access->low[d], 0) / size;
    *last = (fw_min(access->high[d], end) - 1) / size;
}

/* Whether the same blocks run two accesses.  Those of other blocks have samples of their own: of a
 * loop that goes on to the block's index, each iteration is an access of the blocks from one on. */
static bool same_blocks(const struct fw_affine_accesses *accesses, uint32_t i, uint32_t j)
{
    for (uint32_t d = 0; d < 3 && i != j; d++) {
        int64_t first[2], last[2];
        blocks_of(accesses, i, d, &first[0], &last[0]);
        blocks_of(accesses, j, d, &first[1], &last[1]);
        if (first[0] != first[1] || last[0] != last[1])
            return false;
    }
    return true;
}

/* The number of blocks along an axis after which all begin at the same place in a line again, if it
 * is a power of two; at most `line`.  Of accesses of the blocks that run access `of`. */
static int64_t period_of(const struct fw_affine_accesses *accesses, uint32_t of, uint32_t d,
                         int64_t line)
{
    int64_t period = 1;
    for (uint32_t i = of; i < accesses->count; i++)
        while (same_blocks(accesses, of, i) && period < line &&
               accesses->at[i].block_stride[d] % line * period % line)
            period *= 2;
    return period;
}

/* Along the first axis where blocks begin at different places within a line, all places of words in
 * a sector are sampled: of rows of 13 words, three blocks say little about how many sectors a row
 * touches.  `*most` blocks are sampled; along further axes, FEW blocks move the places on. */
static void find_samples(struct block_samples *samples, const struct fw_affine_accesses *accesses,
                         uint32_t of, uint32_t d, int64_t line, int64_t *most, bool *exact)
{
    int64_t size = accesses->block[d], end = (int64_t)accesses->grid[d] * size, first, last;
    bool low_cut = false, high_cut = false, even = true;
    blocks_of(accesses, of, d, &first, &last);
    for (uint32_t i = of; i < accesses->count; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        if (!same_blocks(accesses, of, i))
            continue;
        low_cut |= fw_max(access->low[d], 0) % size != 0;
        high_cut |= fw_min(access->high[d], end) % size != 0;
        even &= access->block_stride[d] % line == 0;
    }
    samples->count = 0;
    if (first > last)
        return;
    if (low_cut && first < last)
        add_sample(samples, first++, 1);
    if (high_cut)
        add_sample(samples, last--, 1);
    int64_t count = last - first + 1,
            sampled = even ? 1 : fw_min(period_of(accesses, of, d, line), *most);
    *exact &= even || count <= sampled;
    *most = fw_max(FEW, *most / sampled);
    sampled = fw_min(sampled, count);
    /* From everywhere along the axis, each at another place: sample i is block i modulo their
     * number, a power of two. */
    for (int64_t i = 0; i < sampled; i++) {
        int64_t at = sampled == count ? i : count * i / sampled;
        at += sampled == count ? 0 : ((i - at) % sampled + sampled) % sampled;
        add_sample(samples, first + (at < count ? at : at - sampled),
                   (double)count / (double)sampled);
    }
}

/* Executions of an access per thread. */
static double executions_of(const struct fw_affine_access *access)
{
    double times = access->repeats * access->active_share;
    for (uint32_t l = 0; l < access->loops; l++)
        times *= (double)access->trips[l];
    return times;
}

/* How many iterations are sampled: several, if a loop moves the warp by less than whole lines. */
static uint32_t sampled_iterations(const struct fw_affine_access *access, int64_t line)
{
    for (uint32_t l = 0; l < access->loops; l++)
        if (access->loop_stride[l] % line && access->trips[l] > 1)
            return access->trips[l] < 4 ? (uint32_t)access->trips[l] : 4;
    return 1;
}

static void add_access(struct fw_warp_totals *totals, struct fw_warp_memo *memo,
                       const struct fw_affine_accesses *accesses,
                       const struct fw_affine_access *access, const int64_t block[3], double weight)
{
    uint32_t size = accesses->block[0] * accesses->block[1] * accesses->block[2];
    uint32_t iterations = sampled_iterations(access, memo->line), from = 0;
    double times = weight * executions_of(access) / iterations;
    bool load = access->direction == FW_LOAD;
    int64_t address = access->base;
    for (uint32_t d = 0; d < 3; d++)
        address += access->block_stride[d] * block[d];
    for (; from < (size + memo->warp - 1) / memo->warp; from += MEMO_WARPS) {
        const struct lane_layout *layout = lane_layout_find(memo, accesses, access, block, from);
        for (uint32_t w = 0; layout && w < layout->count; w++)
            for (uint32_t t = 0; t < iterations && layout->at[w].lanes; t++) {
                int64_t at = address;
                for (uint32_t n = 0; n < access->loops && t; n++)
                    at += access->loop_stride[n] * (access->trips[n] * t / iterations);
                const struct memo_cost *cost = lane_layout_cost(memo, layout, w, access->bytes, at);
                *(load ? &totals->load_instructions : &totals->store_instructions) += times;
                *(load ? &totals->load_sectors : &totals->store_sectors) += times * cost->sectors;
                *(load ? &totals->load_lines : &totals->store_lines) += times * cost->lines;
                totals->partial_store_sectors += load ? 0 : times * cost->partial_sectors;
                totals->multi_line_passes += load ? times * cost->multi_line_passes : 0;
                *(load ? &totals->load_lookups : &totals->store_lookups) += times * cost->lookups;
                totals->hit_wavefronts += load ? times * cost->hit_wavefronts : 0;
                *(load ? &totals->load_wavefronts : &totals->store_wavefronts) +=
                    times * cost->wavefronts;
            }
    }
}

/* Whether the requests of two accesses cost the same: they differ by whole lines. */
static bool same_requests(const struct fw_affine_access *a, const struct fw_affine_access *b,
                          int64_t line)
{
    return (a->base - b->base) % line == 0 && a->direction == b->direction &&
           fw_affine_same_strides(a, b) &&
           memcmp(&a->active_share, &b->active_share, sizeof(a->active_share)) == 0 &&
           memcmp(&a->repeats, &b->repeats, sizeof(a->repeats)) == 0;
}

/* Counts equal accesses together: `times` is how many accesses each one stands for; 0: an earlier
 * one stands for it. */
static void count_equal(double *times, const struct fw_affine_accesses *accesses, int64_t line)
{
    for (uint32_t i = 0; i < accesses->count; i++) {
        uint32_t j = 0;
        while (j < i && !(times[j] > 0 && same_requests(&accesses->at[i], &accesses->at[j], line)))
            j++;
        times[i] = j == i;
        times[j] += j < i;
    }
}

struct fw_warp_memo *fw_warp_memo_new(struct fw_arena *arena, uint32_t warp, uint32_t sector,
                                      uint32_t line)
{
    struct fw_warp_memo *memo = FW_NEW(arena, struct fw_warp_memo);
    memo->warp = warp && warp <= FW_WARP_MAX_LANES ? warp : FW_WARP_THREADS;
    memo->sector = sector;
    memo->line = line;
    return memo;
}

/* Adds the requests of access `of` and of those that the same blocks run, of which each stands for
 * `equal` (NULL: one). */
static void add_same_blocks(struct fw_warp_totals *totals, struct fw_warp_memo *memo,
                            const struct fw_affine_accesses *accesses, uint32_t of,
                            const double *equal)
{
    struct block_samples samples[3];
    int64_t most = MAX_INNER;
    for (uint32_t d = 0; d < 3; d++)
        find_samples(&samples[d], accesses, of, d, memo->line, &most, &totals->exact);
    for (uint32_t z = 0; z < samples[2].count; z++)
        for (uint32_t y = 0; y < samples[1].count; y++)
            for (uint32_t x = 0; x < samples[0].count; x++) {
                int64_t block[3] = {samples[0].at[x], samples[1].at[y], samples[2].at[z]};
                double weight = samples[0].weight[x] * samples[1].weight[y] * samples[2].weight[z];
                totals->sampled_blocks++;
                for (uint32_t i = of; i < accesses->count; i++)
                    if ((!equal || equal[i] > 0) && same_blocks(accesses, of, i))
                        add_access(totals, memo, accesses, &accesses->at[i], block,
                                   equal ? weight * equal[i] : weight);
            }
}

void fw_warp_totals_find(struct fw_warp_totals *totals, struct fw_warp_memo *memo,
                         const struct fw_affine_accesses *accesses)
{
    double equal[MAX_COMPARED];
    bool few = accesses->count <= MAX_COMPARED;
    memset(totals, 0, sizeof(*totals));
    totals->exact = true;
    if (few)
        count_equal(equal, accesses, memo->line);
    for (uint32_t i = 0; i < accesses->count; i++) {
        uint32_t j = 0;
        while (!same_blocks(accesses, j, i))
            j++;
        if (j == i)
            add_same_blocks(totals, memo, accesses, i, few ? equal : NULL);
    }
}
