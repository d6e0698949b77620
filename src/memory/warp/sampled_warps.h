/* Sampled warps: the requests of one access, from a few warps evaluated lane by lane.
 *
 * Takes a record's access at a bound launch.  Evaluates every condition on threads and iterations
 * for each lane of some warps, of sampled blocks, at sampled iterations; or takes the requests of
 * emulated blocks, where the launch has them (seen_requests.h).  Gives sums over the instructions
 * that have an active lane.  It serves shared memory and accesses whose affine form is not
 * complete. Never models a cache, and never counts instructions: see fw_bound_count_warps. */
#ifndef FW_SAMPLED_WARPS_H
#define FW_SAMPLED_WARPS_H

#include "data_address.h"

/* A launch, and the sizes by which requests are counted. */
struct fw_sampling {
    const struct fw_kernel *kernel;
    struct fw_bound *bound;
    const struct fw_launch *launch;
    uint32_t sector, line, banks, width, warp; /* bytes; shared memory's banks; threads */
    struct fw_data_addresses *data;            /* of accesses whose address depends on data */
    struct fw_sample_memo *memo; /* what was sampled before; NULL: nothing is remembered */
    const uint8_t *nested;       /* by domain, see nested.h; NULL: looked up each time */
};

/* Sums over sampled instructions, each weighted by the iterations that it stands for. */
struct fw_sampled_warps {
    double warps, lanes, sectors, wavefronts, multi_line_passes, hit_wavefronts, lookups, passes,
        lines, partial_sectors;
    double atomic_passes, atomic_whole; /* of atomics: see fw_atomic_cost; else 0 */
    bool known;          /* false: no instruction was sampled, or its address is not known */
    bool random_address; /* the address depends on loaded data: see random_address.h */
    bool seen;           /* these are requests of emulated blocks (fw_launch's `seen`) */
    bool skipped;        /* not known, since FW_MOST_SAMPLED others were sampled before */
};

/* Memory of one launch's samples, in the arena: equal accesses are sampled once.  It bounds the
 * work too: after FW_MOST_SAMPLED accesses that differ, the requests of others are not known. */
enum { FW_MOST_SAMPLED = 512 };

/* An empty memory.  `behind`: one of the same launch, data and sizes, which has sampled some of the
 * accesses and goes on living; NULL: none. */
struct fw_sample_memo *fw_sample_memo_new(struct fw_arena *arena, struct fw_sample_memo *behind);

/* Samples the warps of an access.  `shift`: offset in bytes of its array from a multiple of 256. */
void fw_sample_warps(struct fw_sampled_warps *sampled, const struct fw_sampling *sampling,
                     const struct fw_access *access, uint32_t shift);

#endif
