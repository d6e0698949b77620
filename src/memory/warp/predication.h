/* Predication: short branches that assemblers turn into predicated instructions.
 *
 * Takes a record's access at a bound launch; gives how many warps issue its instruction while no
 * lane of them runs it.  Never looks at addresses. */
#ifndef FW_PREDICATION_H
#define FW_PREDICATION_H

#include "sampled_warps.h"

/* Executions of warps in which an instruction of a short branch is issued and no lane runs it:
 * assemblers turn branches of few instructions into predicates, and what is issued without lanes
 * still takes its turn in the load-store unit.  0: the branch is no short one,
 * or the record has no code (address expressions). */
double fw_predicated_off_warps(const struct fw_sampling *sampling, const struct fw_access *access);

#endif
