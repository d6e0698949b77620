/* The TLB: translations that miss.
 *
 * A device holds the translations of so many bytes, its reach.  A launch with a larger working set
 * misses, and a miss takes time whatever it loads.  Takes affine accesses and sizes; gives how many
 * pages blocks touch, and the share of touches that miss.  Never gives a time: the rate of misses
 * is the profile's. */
#ifndef FW_TLB_H
#define FW_TLB_H

#include "affine_access.h"

/* Pages that a block touches and the block before it in launch order did not, summed over all
 * blocks and accesses.  Pages that several accesses touch count for each. */
double fw_tlb_pages(const struct fw_affine_accesses *accesses, double page);

/* The share of touches, uniformly over `extent` bytes, whose translation misses. */
double fw_tlb_miss_share(double extent, double reach);

#endif
