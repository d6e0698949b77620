/* When each affine access runs in the life of a block.
 *
 * Takes the affine accesses of a launch, in the order of the program.  Straight-line accesses run
 * in that order; loops run one after the other, each for its share of looped accesses, and loops
 * with less than a tenth of these for the whole life.  Of a loop an access has the iterations that
 * it covers. */
#ifndef FW_ACCESS_LIFETIMES_H
#define FW_ACCESS_LIFETIMES_H

#include "affine_access.h"

/* Sets `begin` and `end` of each access, as shares of the block's life.  `loops`: of the kernel.
 * The arena is for scratch. */
void fw_affine_set_lifetimes(struct fw_affine_accesses *accesses, struct fw_arena *arena,
                             uint32_t loops);

#endif
