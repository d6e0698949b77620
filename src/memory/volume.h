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

#include "device.h"
#include "footprint.h"

enum { FW_MERGED_POINTS = 5 }; /* 1, 2, 4, 8 and 16 blocks */

/* What the caches hold, and who shares them. */
struct fw_caches {
    uint32_t sector, line, fetch;   /* bytes: transferred, allocated, brought from device memory */
    uint32_t multiprocessors, warp; /* threads of a warp; 0: 32 */
    double l1_bytes;                /* of a multiprocessor, without what shared memory takes */
    double l2_bytes;                /* effective, where half of the lines are stored to */
    double l2_loads_bytes; /* effective for loads alone; 0: the same */
    double l1_forgetting, l2_forgetting; /* how sharply: see forgetting.c; 0: as usual */
    double collects, collects_forgetting; /* bytes: see partial.c; 0: without end */
    double blocks_apart;                  /* in waves: see partial.c */
    double merged[2][FW_MERGED_POINTS];   /* requests left: see shared.c; 0: all are */
    bool loop_waits; /* a loop's turns wait for all threads of the block: merged[1] holds */
    double tlb_reach;                    /* bytes whose translations are kept; 0: not known */
    uint32_t resident_blocks;            /* of a multiprocessor */
    uint32_t registers;                  /* of a thread; 0: not known */
    bool warm;                           /* the same launch ran just before */
    double asked_bytes; /* sectors' bytes that warps load: L2 gives no more; 0: not known */
    double stored_bytes;      /* sectors' bytes that warps store, each instruction's; 0: not known */
    double lines_a_store;     /* of a warp's instruction */
    double store_merge_lines; /* see volume.c; 0: L1 merges all that a warp stores */
};

/* Bytes of the whole launch. */
struct fw_volume {
    double bytes;
    double
        compulsory; /* touched for the first time by the block (L1) or the wave and its past (L2) */
    double capacity; /* touched before, but gone */
};

struct fw_volumes {
    struct fw_volume l2_to_l1; /* loads */
    double touched;            /* distinct sectors' bytes that each warp loads, added up */
    double l1_to_l2;           /* stores */
    struct fw_volume dram_read;
    struct fw_volume dram_write;
    double fill_read; /* of dram_read: stored sectors that were not filled, read to be completed */
    double sent_early; /* of dram_write and fill_read: sectors sent before other blocks fill them */
    double once_read, once_written; /* each distinct byte of the launch one time */
    double wave_blocks;             /* resident on the whole device */
    double wave_bytes;              /* lines of a wave */
    double *fresh; /* by form: share of what a wave loads by it that is not in L2 when it begins */
    double sample_error; /* standard error of the DRAM reads' samples, as a share */
    bool exact;          /* false: see fw_footprint_exact */
};

/* Caches by a device's profile: L2's effective size (its partitions hold lines twice), L1 less
 * `shared_bytes` of the multiprocessor.  False: the profile lacks a size, named in `*missing`. */
bool fw_caches_of(struct fw_caches *caches, const struct fw_device *device, uint64_t shared_bytes,
                  uint32_t resident_blocks, enum fw_figure *missing);

/* The volumes of a launch. */
void fw_volumes_find(struct fw_volumes *volumes, struct fw_arena *arena,
                     const struct fw_forms *forms, const struct fw_caches *caches);

#endif
