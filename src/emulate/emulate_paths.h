/* A warp's paths: how lanes part, wait and meet again.
 *
 * A path is a set of lanes at one place.  Where a branch parts them, the path becomes a joint that
 * waits at the branch's reconvergence block for the two new paths, unless the lanes would meet
 * where their own path has to meet its parent anyhow: then they are just two instead of one.  Any
 * path that can run may run, so that one that waits at a barrier, or spins on a lock, stops no
 * other. */
#ifndef FW_EMULATE_PATHS_H
#define FW_EMULATE_PATHS_H

#include "emulate_state.h"

/* Makes the warp's only path: all existing lanes at the entry. */
void fw_emulate_paths_start(struct emulate_warp *warp);

/* Parts the current path at a branch of basic block `block`: `taken` go to micro `target`, the
 * others to `next`.  The current path may be another one afterwards. */
void fw_emulate_paths_diverge(struct emulate_warp *warp, const struct emulate_micro *micro,
                              uint32_t block, uint32_t taken, uint32_t target, uint32_t next);

/* Takes `lanes` out of the current path into one of their own at `pc` that meets the same parent;
 * returns its index. */
uint32_t fw_emulate_paths_split(struct emulate_warp *warp, const struct emulate_micro *micro,
                                uint32_t lanes, uint32_t pc);

/* The path has reached its join, or has no lanes left: its parent learns of it. */
void fw_emulate_paths_finish(struct emulate_warp *warp, uint32_t index);

/* Nothing can run: lanes that wait for others at a join go on without them (hardware makes all
 * threads progress).  False: there are none. */
bool fw_emulate_paths_release(struct emulate_warp *warp);

/* Makes another path that is ready the current one, the next in turn; false: there is none. */
bool fw_emulate_paths_next(struct emulate_warp *warp);

/* A path stands before a .sync operation that names lanes outside of it: it waits. */
void fw_emulate_paths_wait(struct emulate_warp *warp, uint32_t members);

/* Runs the .sync operations for which all named lanes have come by now. */
void fw_emulate_paths_sync(struct emulate_warp *warp);

/* The `lanes` of the current path arrive at a barrier; with all but BARRIER_ARRIVE the path waits,
 * its pc is where it goes on. */
void fw_emulate_barrier_arrive(struct emulate_warp *warp, const struct emulate_micro *micro,
                               uint32_t lanes);

/* Releases barriers that wait only for threads that have ended. */
void fw_emulate_barriers_check(struct emulate_run *run);

#endif
