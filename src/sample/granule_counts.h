/* Which parts of an array the atomic operations of a launch go to, by those of a few blocks.
 *
 * Takes requests of warps and the blocks that they come from; gives the share of each granule (a
 * block of consecutive bytes that lies in one slice of L2) in the passes that slices make: the most
 * lanes on one word, summed over the sectors of each request.  A few blocks make granules look more
 * uneven than all do: what two blocks have in one granule tells how uneven all are (an unbiased sum
 * of squares, as of Horvitz and Thompson 1952), and the shares are drawn to their mean until theirs
 * is as great.  The mean is over all granules that the launch comes to, by estimate: what those
 * have that the sample did not come to counts as evenly spread.  The same is told of parts of the
 * launch, in the order in which its blocks begin, with as many passes each.  Of many granules those
 * are kept whose number hashes to a multiple of a power of two; so does what the others have. */
#ifndef FW_GRANULE_COUNTS_H
#define FW_GRANULE_COUNTS_H

#include "arena.h"
#include "seen_requests.h"

struct fw_granule_counts;

/* None, in the arena; granules have so many bytes, and the launch so many blocks. */
struct fw_granule_counts *fw_granule_counts_new(struct fw_arena *arena, uint64_t bytes, double all);

/* A warp of block `block`, by linear index, operates on words of so many bytes, at the addresses of
 * the lanes of `mask` (of 32).  Blocks come one after the other, in any order. */
void fw_granule_counts_see(struct fw_granule_counts *counts, uint32_t block, uint32_t mask,
                           const uint64_t *addresses, uint32_t bytes);

/* The shares, in the arena, where `blocks` of the launch's blocks ran; none of fewer than two
 * blocks unless they are all there are. */
struct fw_granule_loads fw_granule_counts_loads(const struct fw_granule_counts *counts,
                                                struct fw_arena *arena, uint32_t blocks);

#endif
