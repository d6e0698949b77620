/* Sentences about addresses that are not known exactly.
 *
 * Takes a record at a bound launch, what is taken of its addresses (data_address.h,
 * kernel_accesses.h) and what they request.  Gives what an answer has to say of it: of which arrays
 * the elements are drawn at random, or are neighbours, rows or tables, and how to state it
 * otherwise; which addresses are lines about the middle of a launch; and how much of the slowest
 * resource depends on each.  Never decides anything. */
#ifndef FW_ADDRESS_SENTENCES_H
#define FW_ADDRESS_SENTENCES_H

#include "kernel_accesses.h"
#include "random_access.h"
#include "traffic.h"

enum { FW_DATA_SENTENCES = 20, FW_SHARE_SENTENCES = 3 }; /* at most */

/* Writes the sentences on addresses that data decide, in the arena, and gives their number. */
uint32_t fw_data_sentences(const char **out, struct fw_arena *arena, const struct fw_kernel *kernel,
                           struct fw_bound *bound, const struct fw_launch *launch,
                           struct fw_data_addresses *data);

/* Writes how much of the slowest resource of `traffic`, whose terms are sorted, depends on
 * addresses that data decide, that are linearized and that are not known: one sentence each, if
 * there are such.  What affine accesses move beyond L1 is taken in proportion to the sectors that
 * they request.  Gives the number of sentences, which are the arena's. */
uint32_t fw_address_shares(const char **out, struct fw_arena *arena, const struct fw_kernel *kernel,
                           const struct fw_traffic *traffic,
                           const struct fw_kernel_accesses *accesses,
                           const struct fw_random_accesses *random);

#endif
