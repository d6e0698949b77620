/* Blocks of a sample.
 *
 * Takes the size of a grid and how many blocks are wanted; gives which, in an order of which every
 * beginning is spread over the grid.  Runs none of them. */
#ifndef FW_SAMPLE_BLOCKS_H
#define FW_SAMPLE_BLOCKS_H

#include "arena.h"

#include <stdint.h>

/* The linear indices of `count` blocks of a grid of `all`, all different, in the arena: a middle
 * one, the first, the last, then others between; all of them where `count` is as many. */
uint64_t *fw_sample_blocks(struct fw_arena *arena, uint64_t all, uint64_t count);

#endif
