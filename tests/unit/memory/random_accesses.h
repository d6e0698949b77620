/* Random affine accesses, for the unit tests of the rooms. */
#ifndef RANDOM_ACCESSES_H
#define RANDOM_ACCESSES_H

#include "affine_access.h"
#include "random.h"

static inline int64_t below(struct fw_random *random, int64_t limit)
{
    return fw_random_between(random, 0, limit - 1);
}

/* Loads and stores of two arrays around each other, during quarters of a block's lifetime, some in
 * a loop of four iterations, under conditions that cut blocks. Rows do not run into each other. */
static inline struct fw_affine_accesses random_accesses(struct fw_random *random,
                                                        struct fw_arena *arena)
{
    struct fw_affine_accesses accesses = {.arrays = 2, .count = 1 + (uint32_t)below(random, 12)};
    int64_t step[3] = {8, 1024, 65536}, cut = below(random, 2);
    accesses.at = FW_ARRAY(arena, struct fw_affine_access, accesses.count);
    for (int d = 0; d < 3; d++) {
        accesses.block[d] = 1 + (uint32_t)below(random, d ? 3 : 9);
        accesses.grid[d] = 1 + (uint32_t)below(random, 4);
    }
    for (uint32_t i = 0; i < accesses.count; i++) {
        struct fw_affine_access *access = &accesses.at[i];
        access->array = (uint32_t)below(random, 2);
        access->direction = below(random, 3) ? FW_LOAD : FW_STORE;
        access->bytes = 8;
        access->active_share = access->repeats = 1;
        access->base = 1 << 26;
        access->begin = (double)below(random, 4) / 4;
        access->end = access->begin + 0.25;
        for (int d = 0; d < 3; d++) {
            access->base += step[d] * (below(random, 7) - 3);
            access->thread_stride[d] = step[d];
            access->block_stride[d] = step[d] * accesses.block[d];
            access->high[d] = (int64_t)accesses.block[d] * accesses.grid[d] - cut;
        }
        if (below(random, 4) == 0) {
            access->loops = 1;
            access->loop_stride[0] = 1 << 23;
            access->trips[0] = 4;
            access->begin = 0;
            access->end = 1;
        }
    }
    return accesses;
}

#endif
