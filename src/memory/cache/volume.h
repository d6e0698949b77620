/* Volumes: how many bytes a launch moves between L2 and L1, and between device memory and L2.
 *
 * Takes the affine accesses of a launch and its caches.  Gives bytes for the whole launch, in parts
 * that say why they move.  Both levels follow one rule.  The launch is a sequence of events: for
 * L1, groups of threads of one block during one slice of its lifetime; for L2, waves of resident
 * blocks in launch order.  An event hits what was touched within the longest history of events
 * whose lines fit into the cache.  Footprints (footprint.h) measure histories, so that neither the
 * order of blocks nor the kind of access matters.  A hit probability (hit_probability.c) smooths
 * the size of the cache.  Blocks and waves are sampled evenly over the launch; `sample_error` is
 * the standard error.  Never gives a time: see src/memory/service. */
#ifndef FW_VOLUME_H
#define FW_VOLUME_H

#include "caches.h"
#include "footprint.h"

/* Bytes of the whole launch. */
struct fw_volume {
    double bytes;
    double compulsory; /* touched for the first time by the block (L1) or by the wave and its
                          history (L2) */
    double capacity;   /* touched before, but evicted since */
};

struct fw_volumes {
    struct fw_volume l2_to_l1;  /* loads */
    double coalesced_bytes;     /* of loads that miss in L1, what L2 is not asked for, because
                                   neighbouring multiprocessors ask for the same: none waits less */
    double merged_bytes;        /* of loads, all that blocks are estimated to save each other */
    double left_bytes;          /* of these, those that L1 has from blocks before */
    double warp_distinct_bytes; /* distinct sectors that each warp loads, summed over warps */
    double l1_to_l2;            /* stores */
    double stored_first; /* distinct sectors that a block stores and does not load, summed over
                            blocks; 0 where caches->store_hits is not set */
    double store_parts;  /* warps of a block that store to a sector, in the mean */
    struct fw_volume dram_read;
    struct fw_volume dram_write;
    double fill_read;              /* of dram_read: the rest of partly written sectors */
    double carried_write;          /* of dram_write: what launches before have stored */
    double partial_eviction_bytes; /* of dram_write and fill_read: see partial_eviction.c */
    double read_footprint, write_footprint; /* distinct bytes of the launch */
    double wave_blocks;                     /* resident on the whole device */
    double wave_bytes;                      /* bytes of the lines of a wave */
    double stores_lost; /* share of what is stored that L2 writes to device memory before an
                           identical launch stores it again */
    double touched_between, dirty_between; /* bytes of lines that an identical launch before touched
                                              since, and stored to; 0: there was none */
    double *l2_miss_share; /* by access: share of a wave's load that misses in L2, by what L2 holds
                              when the wave begins */
    double sample_error;   /* relative standard error of dram_read over the sampled waves */
    double fetch_density;  /* bytes of the distinct fetches of all loads, by bytes of their distinct
                              sectors, of the launch or of a wave, whichever is more: at least 1; 1
                              where dram_read is below l2_to_l1 anyway */
    bool exact;            /* false: see fw_footprint_exact */
    bool bounded;          /* L1 requests less than the footprints say: see volume_bounds.c */
    bool fewer_samples;    /* of waves and iterations: footprints of very many boxes */
    uint32_t waves;        /* that were sampled for device memory */
};

/* Computes the volumes of a launch.  Memory is the arena's. */
void fw_volumes_find(struct fw_volumes *volumes, struct fw_arena *arena,
                     const struct fw_affine_accesses *accesses, const struct fw_caches *caches);

#endif
