/* Stages: which accesses of an iteration can be in flight together.
 *
 * An assembler issues loads before the results of others are there, but never before a branch that
 * leaves their loop, the end of an inner loop, or a barrier; nor behind a branch before an
 * instruction that waits for others ahead of that branch, which may be an instruction's own
 * (fw_has_own_branch); nor a load before one that its address is made of. Takes a record.  Gives
 * each access a number: accesses of one loop with different numbers follow each other, one after
 * what the other has loaded.  Never knows a launch: an exit that no thread takes stands between all
 * the same. */
#ifndef FW_STAGE_H
#define FW_STAGE_H

#include "kernel.h"

/* Whether an instruction of the schedule has a branch of its own, by the machine layer: divisions,
 * reciprocals and roots that are rounded, whose rare operands take a way apart.  ptxas ends a basic
 * block there (SASS of ptxas 13.0). */
bool fw_has_own_branch(const struct fw_scheduled *one);

/* Whether what an instruction issues under a predicate corrects a quotient or a remainder of
 * integers, as about half of all numbers need it: it takes its unit, in which Nsight Compute counts
 * it (107 of the 252 operations of `part_phases` in data/h200/programs-seventh are the ALU's, 20 of
 * them such).  Others, as the rescaling of subnormal numbers, take an issue slot alone. */
bool fw_corrects_quotient(const struct fw_scheduled *one);

/* The stages of a kernel's accesses, by access; the arena's. */
const uint32_t *fw_stages_find(struct fw_arena *arena, const struct fw_kernel *kernel);

/* The turns of a kernel's stores to global memory, by access, from 0; the arena's.  Between stores
 * of different turns their warp waits: at a barrier, or for a load that an assembler does not move
 * ahead of the store before, since a branch stands between them or the store may write what the
 * load reads.  Meanwhile other warps store. */
const uint32_t *fw_store_turns_find(struct fw_arena *arena, const struct fw_kernel *kernel);

#endif
