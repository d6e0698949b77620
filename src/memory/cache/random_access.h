/* Gathers: accesses through an index, whose addresses the data decide, when their distribution is
 * stated: each lane draws an element by itself, evenly over so many bytes of the array.
 *
 * Takes a record's accesses at a bound launch and what is stated of their arrays (fw_launch's
 * `spreads`); gives what they ask of L1 and what they move, by the expected number of distinct
 * sectors of a warp, and by how much of what was drawn before each cache still holds.  Accesses of
 * which nothing is stated are not its affair. */
#ifndef FW_RANDOM_ACCESS_H
#define FW_RANDOM_ACCESS_H

#include "launch.h"
#include "volume.h"

/* What gathers add to a launch. */
struct fw_random_accesses {
    uint32_t count; /* accesses */
    double load_sectors, store_sectors, wavefronts;
    double l2_to_l1, l1_to_l2, dram_read, dram_write; /* bytes */
    double tlb_misses; /* requests to L2 whose page's translation is gone (tlb.h) */
    double fill_read;  /* of dram_read: to complete stored sectors */
};

/* All gathers of the launch that `bound` is bound to.  `volumes`: of its other accesses, which
 * stream through the same caches. */
void fw_random_accesses_find(struct fw_random_accesses *gathers, const struct fw_kernel *kernel,
                             struct fw_bound *bound, const struct fw_launch *launch,
                             const struct fw_caches *caches, const struct fw_volumes *volumes);

/* Share of `draws` that find their granule in a cache of `bytes` with lines of `line` bytes: evenly
 * over `extent` bytes, with `streamed` bytes of other data between two draws; `warm`: the same
 * were drawn just before. */
double fw_random_hit_share(double draws, double extent, double granule, double line, double bytes,
                           double streamed, bool warm);

#endif
