/* Warps of many pieces of one domain as a union, warp by warp.
 *
 * Takes pieces made of rows alone, more than inclusion and exclusion can do.  Goes through all
 * warps of some blocks: at each combination of iterations a warp issues once, whichever of its
 * lanes are in whichever of the pieces, so that each loop goes round as often as the longest lane.
 * Private to warps.c; the work is bounded, whatever the pieces. */
#ifndef FW_UNITED_WARPS_H
#define FW_UNITED_WARPS_H

#include "bound_internal.h"

/* What was found at the blocks gone through. */
struct united_warps {
    double together; /* (block, warp, iterations) that any piece has a thread in */
    double apart;    /* the same of each piece, added up */
    bool every;      /* of all blocks: both are exact */
};

/* Counts `count` pieces.  False: too much work even for few blocks, or numbers leave 64 bits. */
bool united_warps_count(struct fw_bound *bound, const struct fw_piece *const *pieces,
                        uint32_t count, struct united_warps *result);

#endif
