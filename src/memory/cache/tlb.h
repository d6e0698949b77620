/* Translations: pages of memory whose addresses a device translates anew.
 *
 * A device keeps the translations of so much memory (its reach); what is spread over more loses
 * them, and each miss takes time, whatever it brings.  Takes forms and sizes; gives how many pages
 * blocks come to, and what share of them has lost its translation by then.  Rates are a profile's.
 */
#ifndef FW_TLB_H
#define FW_TLB_H

#include "affine_access.h"

/* Pages that each block touches and the block before it in launch order did not, over all blocks
 * and forms: pages that forms share count by each. */
double fw_tlb_pages(const struct fw_affine_accesses *accesses, double page);

/* The share of visits to pages, evenly over `extent` bytes, whose translation is gone. */
double fw_tlb_miss_share(double extent, double reach);

#endif
