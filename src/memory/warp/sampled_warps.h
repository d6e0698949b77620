/* Sampled warps: what warps ask by an access, told from a few of them lane by lane.
 *
 * Takes a record's access at a bound launch; goes through warps of sampled blocks at sampled
 * iterations of the loops around it, with every condition on threads and iterations evaluated for
 * each lane, and gives means over the instructions that have a lane left.  For accesses whose forms
 * do not say all, and for shared memory.  Knows no caches, and counts no instructions: see
 * fw_bound_count_warps. */
#ifndef FW_SAMPLED_WARPS_H
#define FW_SAMPLED_WARPS_H

#include "launch.h"

/* A launch, and the granules that are counted. */
struct fw_sampling {
    const struct fw_kernel *kernel;
    struct fw_bound *bound;
    const struct fw_launch *launch;
    uint32_t sector, line, banks, width, warp; /* bytes; of shared memory; threads */
};

/* Sums over sampled instructions, each with the number of iterations that it stands for. */
struct fw_sampled_warps {
    double warps, lanes, sectors, wavefronts, multi_line_passes, hit_wavefronts, passes, lines,
        partial_sectors;
    bool known;          /* false: no instruction was seen, or its address is not known */
    bool random_address; /* what data decide of it was drawn */
};

/* What warps ask by an access whose array begins `shift` bytes beside a multiple of 256. */
void fw_sample_warps(struct fw_sampled_warps *sampled, const struct fw_sampling *sampling,
                     const struct fw_access *access, uint32_t shift);

#endif
