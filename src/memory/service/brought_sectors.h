/* Brought sectors: what loads outside of loops find in L1, since loads of the block that were over
 * before them have brought it there.
 *
 * Takes the affine accesses of a launch and their order; changes shares of new sectors.  Loads that
 * are in flight together bring nothing for each other.  Never knows what a load takes. */
#ifndef FW_BROUGHT_SECTORS_H
#define FW_BROUGHT_SECTORS_H

#include "arena.h"
#include "caches.h"
#include "load_order.h"
#include "new_sectors.h"

/* Multiplies `moved` and `waited` of `news`, by access, with the share of a load's sectors in one
 * block that no load of an earlier stage has brought, nor one ahead of a store that the load keeps
 * behind, whichever warp of the block asked for it: loads outside of loops alone, and of earlier
 * ones those that are nearly always executed.  Sets `fetched`: where there are such loads, and
 * footprints are exact, of what is left the share that those of blocks which are resident at one
 * time have not brought to L2 either.  `lost`: the share of what is asked for again in L1 that is
 * gone by then.  Memory is the arena's. */
void fw_leave_out_brought(struct fw_new_share *news, struct fw_arena *arena,
                          const struct fw_affine_accesses *accesses,
                          const struct fw_load_order *order, const struct fw_caches *caches,
                          double lost);

#endif
