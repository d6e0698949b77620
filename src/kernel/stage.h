/* Stages: which accesses of an iteration can be in flight together.
 *
 * An assembler issues loads before the results of others are there, but never before a branch that
 * leaves their loop, the end of an inner loop, or a barrier; nor behind a branch before an
 * instruction that waits for others ahead of that branch; nor a load before one that its address is
 * made of. Takes a record.  Gives each access a
 * number: accesses of one loop with different numbers follow each other, one after what the other
 * has loaded.  Never knows a launch: an exit that no thread takes stands between all the same. */
#ifndef FW_STAGE_H
#define FW_STAGE_H

#include "kernel.h"

/* The stages of a kernel's accesses, by access; the arena's. */
const uint32_t *fw_stages_find(struct fw_arena *arena, const struct fw_kernel *kernel);

#endif
