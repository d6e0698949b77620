/* Before loops: what a launch decides before it comes to any loop.
 *
 * Takes a kernel's basic blocks and loops.  Gives those at which a run that is after the branches
 * before all loops may end its threads, and those that such a run executes as the launch does: none
 * of its threads has gone through a loop there.  Branches of these decide which threads have most
 * of the work, and are cheap to count by many blocks of the grid. */
#ifndef FW_BEFORE_LOOPS_H
#define FW_BEFORE_LOOPS_H

#include "ir.h"

struct fw_before_loops {
    bool *ends;   /* by basic block: the header of a loop */
    bool *before; /* by basic block: no path from a header leads to it */
    bool any;     /* there is a header */
};

/* Takes time in proportion to the blocks and their successors.  In the arena. */
struct fw_before_loops fw_before_loops_find(struct fw_arena *arena,
                                            const struct fw_function *function);

#endif
