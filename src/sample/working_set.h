/* How much of an array the addresses of a launch lead to, by the addresses of a few of its blocks.
 *
 * Takes addresses and the blocks that they come from; gives bytes, of whole lines.  Lines that no
 * block of the sample came to are estimated from those that one block alone and two came to (Chao
 * 1987, "Estimating the population size for capture-recapture data with unequal catchability"; by
 * incidence, as for species): where blocks come to lines of their own, most of the array; where
 * each comes to what others have come to, little more than was seen.  A lower bound in the mean.
 * Of many lines, those are kept whose number hashes to a multiple of a power of two. */
#ifndef FW_WORKING_SET_H
#define FW_WORKING_SET_H

#include "arena.h"

#include <stdbool.h>
#include <stdint.h>

struct fw_working_set;

/* An empty set, in the arena. */
struct fw_working_set *fw_working_set_new(struct fw_arena *arena);

/* Block number `block` came to a byte address.  Blocks come one after the other. */
void fw_working_set_see(struct fw_working_set *set, uint64_t address, uint32_t block);

/* Bytes that all blocks come to, of which `blocks` were seen; with `all` they are all there are. */
double fw_working_set_bytes(const struct fw_working_set *set, uint32_t blocks, bool all);

#endif
