/* One warp of a launch by itself: how long the block with most to do takes at least.
 *
 * Takes a kernel at a bound launch, whose volumes were found before, and a profile.  Gives the
 * cycles of lone_warp.h of the warp that executes most in the heaviest of a few traced blocks: a
 * lower bound of the launch's time that knows the order of its instructions, in a small part of the
 * time of a simulation. */
#ifndef FW_LONE_LAUNCH_H
#define FW_LONE_LAUNCH_H

#include "lone_warp.h"
#include "trace_work.h"

struct fw_lone_launch {
    double block; /* cycles of the warp among those of its block, in step with it */
    double
        units; /* that the busiest unit of a scheduler, or issue, works for a block in the mean */
    double launch; /* at least: of the warp among those of all blocks that are resident, and of
                      blocks that follow each other in one place */
};

/* The question of one warp by itself: of a trace of prepared work, the program and costs of which
 * it points to. */
void fw_lone_warp_of(struct fw_lone_warp *lone, struct fw_trace_work *work,
                     const struct fw_trace *trace);

/* The same of work that is prepared already. */
void fw_lone_launch_of(struct fw_lone_launch *found, struct fw_trace_work *work);

/* All 0: not known, since the traces take too many evaluations, the profile says nothing of
 * occupancy, or warps have not 32 lanes, as traces have.  `question`: with its volumes; its limits
 * of traces and its sink are not used. */
void fw_lone_launch_find(struct fw_lone_launch *found, struct fw_arena *arena,
                         const struct fw_trace_question *question);

#endif
