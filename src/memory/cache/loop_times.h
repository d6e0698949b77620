/* Loop times: a block's lifetime measured in iterations.
 *
 * Takes affine accesses, whose times divide a block's lifetime among its loops by what they load
 * and store.  Gives the same accesses with loops that follow each other at one pace, so that an
 * iteration of each takes as long: an event of one iteration is one of every loop.  Internal to
 * this room; it never counts. */
#ifndef FW_LOOP_TIMES_H
#define FW_LOOP_TIMES_H

#include "affine_access.h"

/* The accesses in times in which all outermost loops go round at the same pace; the same where they
 * do so already, or where loops run at the same time.  Memory is the arena's. */
const struct fw_affine_accesses *loops_at_one_pace(struct fw_arena *arena,
                                                   const struct fw_affine_accesses *accesses);

#endif
