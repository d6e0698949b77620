/* Random addresses: accesses whose address depends on loaded data of unknown distribution.
 *
 * A loaded value is taken to be a random number, and the same number for every thread that loads it
 * from the same place.  Lanes that index one gathered row therefore touch neighbouring words, and
 * the row begins anywhere within a sector.  A clamp or a choice of loaded values is one random
 * number as well; an operation that mixes loaded values with the thread index gives each thread its
 * own.  Takes a record's expressions at a bound launch; gives addresses from which the sectors of a
 * warp can be counted.  The addresses say nothing about caches.  Accesses with a stated
 * distribution are modelled in cache/random_access.h. */
#ifndef FW_RANDOM_ADDRESS_H
#define FW_RANDOM_ADDRESS_H

#include "data_address.h"

struct fw_random_addresses;

/* All memory is the arena's.  `kernel`, `bound` and `data` must outlive the result. */
struct fw_random_addresses *fw_random_addresses_new(struct fw_arena *arena,
                                                    const struct fw_kernel *kernel,
                                                    struct fw_bound *bound,
                                                    struct fw_data_addresses *data);

/* The address of an access at a point.  False: an argument that it needs is not bound. */
bool fw_random_address(struct fw_random_addresses *addresses, const struct fw_access *access,
                       const struct fw_point *point, int64_t *address);

/* The working set in bytes of an access that is drawn at random: as the launch states it
 * (`spreads`), else as data_address.h finds it.  0: the access is not of this kind. */
double fw_random_access_extent(const struct fw_kernel *kernel, const struct fw_launch *launch,
                               struct fw_data_addresses *data, uint32_t access);

#endif
