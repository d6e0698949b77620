/* Volumes: how many bytes a launch moves between L2 and L1, and between device memory and L2.
 *
 * Takes the forms of a launch and what the device's caches hold; gives bytes for the whole launch,
 * each in parts that say why they move.  Both levels are seen the same way.  What runs is a row of
 * events in time: groups of threads of one block at one stretch of its life for L1, waves of
 * resident blocks in launch order for L2.  An event's data are there already when they were touched
 * within the longest run of earlier events whose lines fit into the cache; footprints (footprint.h)
 * tell how much that is, so that neither grid order nor the kind of access matters.  How sharply a
 * cache forgets is a distribution about its size.  Blocks and waves are sampled, evenly over the
 * launch; `sample_error` says how far the samples were apart.  Knows no time: see model/traffic. */
#ifndef FW_VOLUME_H
#define FW_VOLUME_H

#include "caches.h"
#include "footprint.h"

/* Bytes of the whole launch. */
struct fw_volume {
    double bytes;
    double
        compulsory; /* touched for the first time by the block (L1) or the wave and its past (L2) */
    double capacity; /* touched before, but gone */
};

struct fw_volumes {
    struct fw_volume l2_to_l1;  /* loads */
    double warp_distinct_bytes; /* distinct sectors' bytes that each warp loads, added up */
    double l1_to_l2;            /* stores */
    struct fw_volume dram_read;
    struct fw_volume dram_write;
    double fill_read; /* of dram_read: stored sectors that were not filled, read to be completed */
    double partial_eviction_bytes; /* of dram_write and fill_read: sectors sent before other blocks
                                      fill them */
    double read_footprint, write_footprint; /* each distinct byte of the launch one time */
    double wave_blocks;                     /* resident on the whole device */
    double wave_bytes;                      /* lines of a wave */
    double *l2_miss_share; /* by form: share of what a wave loads by it that is not in L2 when it
                              begins */
    double sample_error;   /* standard error of the DRAM reads' samples, as a share */
    bool exact;            /* false: see fw_footprint_exact */
};

/* The volumes of a launch. */
void fw_volumes_find(struct fw_volumes *volumes, struct fw_arena *arena,
                     const struct fw_affine_accesses *accesses, const struct fw_caches *caches);

#endif
