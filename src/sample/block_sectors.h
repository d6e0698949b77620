/* Sectors that a block of threads has come to before.
 *
 * Takes the sectors and lines of requests, block by block; tells which of them are the first ones
 * of their block.  A block that comes to more than are kept has all further ones as new each
 * time.  Memory is fixed. */
#ifndef FW_BLOCK_SECTORS_H
#define FW_BLOCK_SECTORS_H

#include "arena.h"

#include <stdbool.h>
#include <stdint.h>

struct fw_block_sectors;

/* None, in the arena. */
struct fw_block_sectors *fw_block_sectors_new(struct fw_arena *arena);

/* Whether `key` (of whatever is told apart) is new to block `block`; blocks come one after the
 * other. */
bool fw_block_sectors_is_new(struct fw_block_sectors *sectors, uint32_t block, uint64_t key);

#endif
