/* A warp by itself: how long one warp takes for its program where no other one is in its way.
 *
 * Takes a warp program, the costs of operations and what requests take in the mean.  Gives cycles,
 * by going through the program once, in order: an operation issues when those before it have, its
 * operands are there and its unit, or a place in that one's queue, is free; requests pass the
 * servers of simulate.h, by the same shares and the same row of chances.  Of a loop some iterations
 * are gone through; the rest goes on as the last of them.  So it takes what a simulation of the one
 * warp does (but for branches that data decide, which count by their shares, and mbarriers, at
 * which it does not wait), in a small part of the time: a lower bound of what the warp takes beside
 * others. */
#ifndef FW_LONE_WARP_H
#define FW_LONE_WARP_H

#include "simulate.h"

struct fw_lone_warp {
    const struct fw_warp_program *program;
    const struct fw_sm_costs *costs;
    const struct fw_sm_access *accesses; /* by instruction of the schedule */
    double branch;  /* as in fw_sm_simulation: cycles behind a branch that is taken, */
    double arrival; /* of the barrier unit for a warp that arrives, */
    double request; /* from a request of memory to the next, */
    double barrier; /* from the last arrival at a barrier, */
    double start;   /* from a block's start to its first load, and behind its last result */
    uint32_t schedulers;
    uint32_t waiting, waiting_products; /* as in fw_sm_simulation */
    /* Warps of a scheduler that do as much at the same time, itself included: no loop takes less
     * than the units and servers need for all of them; 1 / schedulers: it is the only one. */
    double beside;
    /* Those of them that are of its block.  They are in step, so that nothing between two barriers
     * takes less than is needed for them; other blocks drift: some need a unit while others wait.
     */
    double block;
};

/* Cycles from the start of the warp's block to its end; `*units`: those that the busiest unit of
 * its scheduler, or issue, works for it (NULL: not asked for). */
double fw_lone_warp_cycles(const struct fw_lone_warp *lone, struct fw_arena *arena, double *units);

#endif
