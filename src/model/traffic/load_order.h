/* Load order: what of a kernel's record tells which loads of a launch are in flight together.
 *
 * Takes the record at a bound launch and its affine accesses; gives what rounds.h asks of each:
 * registers and stages, which loads pass stores, and how often warps come to a load and to the
 * loop around it.  Never knows a device. */
#ifndef FW_LOAD_ORDER_H
#define FW_LOAD_ORDER_H

#include "launch.h"
#include "rounds.h"

/* By affine access; the arena's.  `bound` is bound to `launch`; `barrier_in_loop`: a barrier of the
 * block is in a loop. */
const struct fw_round_order *fw_load_order(struct fw_arena *arena, const struct fw_kernel *kernel,
                                           struct fw_bound *bound, const struct fw_launch *launch,
                                           const struct fw_affine_accesses *accesses,
                                           bool barrier_in_loop);

#endif
