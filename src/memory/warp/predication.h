/* Predication: short branches that the assembler turns into predicated instructions.
 *
 * Takes a record's access at a bound launch.  Gives how many warps issue its instruction while all
 * of their lanes are predicated off.  Never looks at addresses. */
#ifndef FW_PREDICATION_H
#define FW_PREDICATION_H

#include "sampled_warps.h"

/* Warps that issue the access's instruction with all lanes predicated off.  Each takes one
 * wavefront of the load-store unit.  The machine layer says which branches an assembler predicates;
 * without it short ones are taken to be. 0: the branch is too long for predication, or the record
 * has no instructions (address expressions). */
double fw_predicated_off_warps(const struct fw_sampling *sampling, const struct fw_access *access);

#endif
