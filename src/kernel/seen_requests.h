/* Requests of warps that were seen when blocks were emulated: of accesses whose addresses depend on
 * data, which nothing else tells.  The emulated sample gives them, a launch carries them, and
 * warp/sampled_warps.h counts their sectors.  Beside them, how uneven the atomic operations among
 * them are (sample/granule_counts.h), which service/slice_loads.h puts on slices of L2. */
#ifndef FW_SEEN_REQUESTS_H
#define FW_SEEN_REQUESTS_H

#include "warp.h"

#include <stdint.h>

/* A request of a warp that was seen in an emulated block: the lanes that took part, and where. */
struct fw_seen_request {
    uint32_t mask;
    uint64_t at[FW_WARP_THREADS]; /* bytes, from a multiple of 256 where arrays begin at one; of
                                     lanes in `mask` */
};

/* Those of one access, evenly spread over all that were seen. */
struct fw_seen_requests {
    const struct fw_seen_request *at;
    uint32_t count; /* 0: none was seen, or contents that nobody stated decide where they go */
    double fresh;   /* of the sectors that all of them ask for, the share that no request before,
                       of the same block, asked for in the same array; 0: not known */
    double lines;   /* of the array that a block comes to by such requests */
};

/* What granules (blocks of consecutive bytes that lie in one slice of L2) of an array get of a
 * atomic operations of a part of a launch. */
struct fw_granule_part {
    double *shares; /* of the part's passes over the array's sectors, by granule; their sum is 1 at
                       most, and others share the rest */
    uint32_t count;
    double passes; /* the part's share of the launch's */
    double others; /* how many granules have the rest, about as much each */
};

/* The same of the whole launch, and of 2, 4, 8, ... parts of it in the order in which blocks begin,
 * each with as many passes. */
struct fw_granule_loads {
    const struct fw_granule_part *parts; /* the whole, the two, the four, ... */
    uint32_t levels;                     /* how many such partitions; 0: nothing is known */
    double blocks;                       /* of the launch that operate on the array */
};

#endif
