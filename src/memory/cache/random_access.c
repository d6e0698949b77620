#include "random_access.h"

#include "random_address.h"
#include "sampled_warps.h"
#include "tlb.h"
#include "warp.h"

#include <math.h>
#include <string.h>

enum { BANKS = 32, BANK_BYTES = 4 };

/* Lines that a wavefront takes of those that lanes draw from L2: 32 of them take 12 to 13. */
static const double lines_a_wavefront = 2.5;

/* Below this share of what lanes by themselves ask for, they go by numbers that they share. */
static const double together = 0.75;

/* Expected distinct granules of so many draws from `all`. */
static double distinct(double all, double draws)
{
    return all > 1 ? all * -expm1(draws * log1p(-1 / all)) : draws > 0 ? 1 : 0;
}

/* Draws that a cache remembers: those whose lines, with what streams by, fit into it. */
static double remembered(double extent, double line, double bytes, double streamed)
{
    double all = extent / line, low = 0, high = 1;
    if (streamed <= 0 && extent <= bytes)
        return HUGE_VAL;
    while (distinct(all, high) * line + high * streamed < bytes && high < 1e18)
        high *= 2;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (distinct(all, middle) * line + middle * streamed < bytes)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* In a full cache: a line is there still when it was touched within the window, and has the granule
 * when one of its touches, back to the first gap that was longer, was the granule's. */
static double steady_hits(double window, double extent, double granule, double line)
{
    double lines = extent / line > 1 ? extent / line : 1;
    double there = -expm1(-window / lines);
    double same = granule < line && lines > 1 ? granule / line : 1;
    return there * same / (1 - there * (1 - same));
}

double fw_random_hit_share(double draws, double extent, double granule, double line, double bytes,
                           double streamed, bool warm)
{
    double all = extent / granule > 1 ? extent / granule : 1;
    double window = remembered(extent, line, bytes, streamed);
    if (!(draws > 0))
        return 0;
    if (warm && window >= draws) /* the launch before drew the same */
        return 1;
    double steady = steady_hits(window, extent, granule, line);
    if (warm)
        return steady;
    /* The mean over the draws: the i-th remembers the i before it, until the cache is full. */
    double filling = draws < window ? draws : window;
    double hits = filling + all * expm1(-filling / all);
    if (draws > window)
        hits += (draws - window) * steady;
    return hits / draws;
}

/* What a warp asks for by one access, in the mean. */
struct demand {
    double sectors, fetches, wavefronts;
};

/* Each lane by itself: as many distinct ones as draws from the extent hit. */
static struct demand each_lane(const struct fw_access *access, double extent, double lanes,
                               const struct fw_caches *caches)
{
    struct demand demand;
    double wide = access->bytes > caches->sector ? access->bytes / caches->sector : 1;
    double lines = distinct(extent > caches->line ? extent / caches->line : 1, lanes);
    demand.sectors = distinct(extent > caches->sector ? extent / caches->sector : 1, lanes) * wide;
    demand.fetches = demand.sectors;
    demand.wavefronts = lines / lines_a_wavefront > 1 ? lines / lines_a_wavefront : 1;
    return demand;
}

/* Lanes that go by one drawn number side by side (rows that are gathered whole) ask for less than
 * each by itself: told from sampled warps. */
static struct demand demand_of(const struct fw_kernel *kernel, struct fw_bound *bound,
                               const struct fw_launch *launch, const struct fw_access *access,
                               double extent, double lanes, const struct fw_caches *caches)
{
    struct demand alone = each_lane(access, extent, lanes, caches);
    struct fw_sampling sampling = {.kernel = kernel,
                                   .bound = bound,
                                   .launch = launch,
                                   .sector = caches->sector,
                                   .line = caches->line,
                                   .banks = BANKS,
                                   .width = BANK_BYTES,
                                   .warp = caches->warp ? caches->warp : FW_WARP_THREADS};
    struct fw_sampled_warps seen;
    fw_sample_warps(&seen, &sampling, access, 0);
    if (!seen.known || seen.sectors / seen.warps > together * alone.sectors)
        return alone;
    /* What of a fetch one warp does not ask for, the one beside it does. */
    double sectors = seen.sectors / seen.warps;
    return (struct demand){sectors, fmax(1, sectors * caches->sector / caches->fetch),
                           seen.wavefronts / seen.warps};
}

static void add_gather(struct fw_random_accesses *gathers, const struct fw_access *access,
                       double extent, const struct demand *each, double warps, double blocks,
                       const struct fw_caches *caches, const struct fw_volumes *volumes)
{
    double sector = caches->sector, asked = warps * each->sectors;
    double busy = blocks < caches->multiprocessors ? blocks : caches->multiprocessors;
    gathers->count++;
    gathers->wavefronts += warps * each->wavefronts;
    double misses = asked;
    if (access->direction == FW_LOAD) {
        double streamed = asked > 0 ? volumes->l2_to_l1.bytes / asked : 0;
        misses *= 1 - fw_random_hit_share(asked / busy, extent, sector, caches->line,
                                          caches->l1_bytes, streamed, false);
        gathers->load_sectors += asked;
        gathers->l2_to_l1 += sector * misses;
    } else {
        gathers->store_sectors += asked;
        gathers->l1_to_l2 += sector * asked;
    }
    gathers->tlb_misses += misses * fw_tlb_miss_share(extent, caches->tlb_reach);
    double moved = volumes->dram_read.bytes + volumes->dram_write.bytes;
    double streamed = misses > 0 ? moved / misses : 0;
    /* Sectors that a store fills in part are read one by one: as the H200's scatter shows. */
    bool whole = access->bytes >= caches->sector || each->fetches < each->sectors;
    double granule = access->direction == FW_LOAD ? caches->fetch : sector;
    double lost = misses * (1 - fw_random_hit_share(misses, extent, granule, caches->line,
                                                    caches->l2_bytes, streamed, caches->warm));
    double fetched = access->direction == FW_LOAD ? lost * each->fetches / each->sectors : lost;
    if (access->direction != FW_LOAD)
        gathers->dram_write += sector * lost;
    if (access->direction == FW_LOAD || !whole)
        gathers->dram_read += granule * fetched;
    if (access->direction != FW_LOAD && !whole)
        gathers->fill_read += granule * fetched;
}

void fw_random_accesses_find(struct fw_random_accesses *gathers, const struct fw_kernel *kernel,
                             struct fw_bound *bound, const struct fw_launch *launch,
                             const struct fw_caches *caches, const struct fw_volumes *volumes)
{
    double blocks = (double)launch->grid[0] * launch->grid[1] * launch->grid[2];
    memset(gathers, 0, sizeof(*gathers));
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        const struct fw_access *access = &kernel->accesses[a];
        if (!fw_random_access_stated(kernel, launch, a))
            continue;
        double threads = fw_bound_count(bound, access->domain)->estimate;
        double warps = fw_bound_count_warps(bound, access->domain)->estimate;
        double extent = launch->spreads[kernel->arrays[access->array].parameter];
        if (!(threads > 0) || !(warps > 0))
            continue;
        struct demand each =
            demand_of(kernel, bound, launch, access, extent, threads / warps, caches);
        add_gather(gathers, access, extent, &each, warps, blocks, caches, volumes);
    }
}
