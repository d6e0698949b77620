/* How uneven the atomic operations of a launch are: what granules of an array get of them, as seen
 * when blocks were emulated.  The emulated sample gives them (granule_counts.h), a launch carries
 * them, and service/slice_loads.h puts them on slices of L2. */
#ifndef FW_GRANULE_LOADS_H
#define FW_GRANULE_LOADS_H

#include <stdint.h>

struct fw_granule_loads {
    const double *shares; /* of all passes over the array's sectors, by granule; their sum is 1 at
                             most, and the rest is evenly spread */
    uint32_t count;       /* 0: not known */
};

#endif
