/* Caches: what a device's caches hold. */
#ifndef FW_CACHES_H
#define FW_CACHES_H

#include "device.h"
#include "requests.h"

enum { FW_COALESCING_POINTS = 5 }; /* 1, 2, 4, 8 and 16 blocks */

/* What the caches hold, and who shares them. */
struct fw_caches {
    uint32_t sector, line, fetch;   /* bytes: transferred, allocated, brought from device memory */
    uint32_t multiprocessors, warp; /* threads of a warp; 0: 32 */
    double l1_bytes;                /* of a multiprocessor, without what shared memory takes */
    double l2_bytes;                /* effective, where half of the lines are stored to */
    double l2_loads_bytes;          /* effective for loads alone; 0: the same */
    double l1_sharpness, l2_sharpness;         /* how sharply: see forgetting.c; 0: as usual */
    double eviction_bytes, eviction_sharpness; /* bytes: see partial.c; 0: without end */
    double block_skew;                         /* in waves: see partial.c */
    double coalesced[2][FW_COALESCING_POINTS]; /* requests left: see shared.c; 0: all are */
    bool barrier_in_loop; /* a loop's turns wait for all threads of the block: merged[1] holds */
    double tlb_reach;     /* bytes whose translations are kept; 0: not known */
    uint32_t resident_blocks; /* of a multiprocessor */
    uint32_t registers;       /* of a thread; 0: not known */
    bool warm;                /* the same launch ran just before */
    double
        requested_load_bytes; /* sectors' bytes that warps load: L2 gives no more; 0: not known */
    double requested_store_bytes; /* sectors' bytes that warps store, each instruction's; 0: not
                                     known */
    double lines_per_store;       /* of a warp's instruction */
    double store_merge_lines;     /* see volume.c; 0: L1 merges all that a warp stores */
};

/* Caches by a device's profile: L2's effective size (its partitions hold lines twice), L1 less
 * `shared_bytes` of the multiprocessor.  False: the profile lacks a size, named in `*missing`. */
bool fw_caches_of(struct fw_caches *caches, const struct fw_device *device, uint64_t shared_bytes,
                  uint32_t resident_blocks, enum fw_figure *missing);

/* What warps ask for by accesses with forms, into what volume.h wants to know of it. */
void fw_caches_set_requests(struct fw_caches *caches, const struct fw_requests *asked,
                            bool loop_waits);

#endif
