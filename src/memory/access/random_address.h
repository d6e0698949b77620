/* Drawn addresses: accesses whose address data decide, where nothing is stated of the data.
 *
 * What is loaded is taken to be any number, but the same number for whoever loads it from the same
 * place: lanes of a warp that go by one loaded row's begin, each a word further, are beside each
 * other, and where the row begins within a sector is left to chance.  Takes a record's expressions
 * at a bound launch; gives addresses that are good for counting what lanes share, and for nothing
 * else.  An operation on loaded values (a clamp, a choice) is one number as well; one that mixes
 * them with the thread's index, or with what is not loaded, is another number for each thread. */
#ifndef FW_RANDOM_ADDRESS_H
#define FW_RANDOM_ADDRESS_H

#include "launch.h"

struct fw_random_addresses;

/* All memory is the arena's; the others must live as long. */
struct fw_random_addresses *fw_random_addresses_new(struct fw_arena *arena,
                                                    const struct fw_kernel *kernel,
                                                    struct fw_bound *bound);

/* An address of an access at a point; false: it has none (arguments are missing). */
bool fw_random_address(struct fw_random_addresses *drawn, const struct fw_access *access,
                       const struct fw_point *point, int64_t *address);

/* Whether a distribution is stated for an access whose address depends on data. */
bool fw_random_access_stated(const struct fw_kernel *kernel, const struct fw_launch *launch,
                             uint32_t access);

#endif
