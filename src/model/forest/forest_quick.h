/* The quick basis: a physical time of a launch that takes tens of microseconds to find, for trees
 * whose answers may not take as long as the models traffic and trace do.
 *
 * Takes a kernel at a launch and a device.  Gives, as basis, the start and the end of a launch with
 * the longer of two times, which overlap in part (the root of the sum of their squares):
 * - what the slowest resource takes: those of the model roofline, L2 that takes the sectors of
 *   stores, and atomic operations on the same sectors;
 * - what the warps take that run one after the other: as many waves as the launch has, of what a
 *   warp that is alone takes, which issues its instructions and waits for their results.  Loads
 *   come from device memory, or from L2 where that has the launch's data, as far as their sectors
 *   are distinct, else from L2.
 * And features of the sets portable, mix, launch, memory, quick and power, which the counts and
 * these times give.
 *
 * Counts are those of a brief launch (launch.h), in a binding of their own: an answer does not
 * depend on which models are asked beside it. */
#ifndef FW_FOREST_QUICK_H
#define FW_FOREST_QUICK_H

#include "forest_basis.h"

/* Finds it for the question's launch.  What counts leaned on is noted in the question's binding.
 * `roofline` (may be NULL): that model's answer, whose terms are in the question's arena.  Status:
 * as of the model's `predict`; FW_ERROR_MEMORY. */
enum fw_status fw_forest_quick_find(struct fw_forest_basis *basis, struct fw_prediction *roofline,
                                    const struct fw_model_question *question);

/* Finds what is counted alone (fw_forest_basis_count), of the question's launch in brief, for trees
 * that predict seconds and watts themselves.  No model is asked; the rest is as above. */
enum fw_status fw_forest_quick_count(struct fw_forest_basis *basis,
                                     const struct fw_model_question *question);

#endif
