/* New sectors: how often a load comes to sectors that its block (or warp) has not just touched.
 *
 * Takes the affine accesses of a launch; gives shares of the executions of each load.  Loads that
 * are generated uniformly are seen as a set: the first that comes to a sector brings it for all.
 * Never knows how long a load waits: models do. */
#ifndef FW_NEW_SECTORS_H
#define FW_NEW_SECTORS_H

#include "affine_access.h"

/* Of a load's executions, the share that comes to sectors which its block has not just touched, and
 * of these the share which it has not touched before in outer loops, or which L1 has lost since. */
struct fw_new_share {
    uint32_t set; /* the first of the loads that are generated uniformly with it */
    double moved, misses;
    double waited;  /* as `moved`: the share at which some lane of a warp comes to new sectors */
    double fetched; /* of what is new, the share that no block beside it has brought to L2 before
                       (brought_sectors.h); 1: all, as far as is known */
    bool split; /* warps of the block store parts of its sectors before each of its iterations */
};

/* Sets `news`, by access; of stores, only `set`.  `sector`: bytes that L1 brings at a time;
 * `l1_lost`: the share of what is asked for again in L1 that is gone by then. */
void fw_new_sectors_find(struct fw_new_share *news, const struct fw_affine_accesses *accesses,
                         uint32_t sector, double l1_lost);

/* The same, but loads outside of loops are seen as a set, too, of what is new to a warp, not to its
 * block: a warp waits for each such sector, as what other warps have asked for is still on its way.
 * For the model trace, which shares out misses of a block, sets of these loads were worse. */
void fw_new_sectors_find_by_warp(struct fw_new_share *news,
                                 const struct fw_affine_accesses *accesses, uint32_t sector,
                                 double l1_lost);

#endif
