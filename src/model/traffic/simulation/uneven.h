/* Uneven blocks: how much of the mean the groups of warps of a launch's blocks have of each round,
 * where a loop goes round as often as an index of the launch says.
 *
 * Takes rounds as they come to be, and the affine accesses of the loads that they are made of;
 * gives shares by place in the launch order (life.h).  A warp goes round as often as the longest of
 * its lanes: of a group, the warp that goes round most decides what it waits for, and all its warps
 * what it takes of resources.  Knows no resource and no latency. */
#ifndef FW_UNEVEN_H
#define FW_UNEVEN_H

#include "affine_access.h"
#include "life.h"

/* Shares of 1 for blocks of the launch at even places, from its first to its last, as many as are
 * simulated and FW_LIFE_PLACES at most; in the arena.  NULL: no access has a loop whose trips
 * depend on an index of the launch.  `life`: its blocks, residents and groups are set. */
struct fw_life_uneven *fw_uneven_new(struct fw_arena *arena, const struct fw_life *life,
                                     const struct fw_affine_accesses *accesses);

/* Notes that loads were added to `count` rounds from `first` on, which were `before` (by round and
 * FW_LIFE_GROUPS groups).  `which`: of the load that warps execute most, the `pieces` affine
 * accesses that it has become; beyond a bound of work, others than the first count as these.  Where
 * the launch has a block at a corner of its grid that executes more than those at even places, it
 * takes the place nearest to it. */
void fw_uneven_add(struct fw_life_uneven *uneven, const struct fw_life *life,
                   const struct fw_affine_accesses *accesses, const uint32_t *which,
                   uint32_t pieces, const struct fw_life_round *before, uint32_t first,
                   uint32_t count);

/* Sets what blocks have of the mean block, once all rounds are set. */
void fw_uneven_end(struct fw_life_uneven *uneven, const struct fw_life *life);

#endif
