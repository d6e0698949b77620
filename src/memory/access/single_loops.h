/* Loops around others that are gone through once.
 *
 * Takes the affine accesses of a launch.  A loop of one iteration is straight-line code: threads
 * that go on by a whole block (`for (o = thread; o < n; o += block)`) often do so once, and the
 * loops inside are then those by which a block's life goes on.  Gives the accesses without such
 * loops, as far as they are the outermost.  Never changes what is accessed. */
#ifndef FW_SINGLE_LOOPS_H
#define FW_SINGLE_LOOPS_H

#include "affine_access.h"

/* Takes off outermost loops of one iteration that contain other loops.  The arena is for scratch.
 * Call before the accesses have lifetimes. */
void fw_affine_open_single_loops(struct fw_affine_accesses *accesses,
                                 const struct fw_kernel *kernel, struct fw_arena *arena);

#endif
