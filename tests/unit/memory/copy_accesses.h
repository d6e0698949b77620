/* A copy kernel as affine accesses, for the unit tests of the rooms. */
#ifndef COPY_ACCESSES_H
#define COPY_ACCESSES_H

#include "affine_access.h"

/* One load and one store of eight bytes per thread, over a long row. */
static inline struct fw_affine_accesses copy_of(struct fw_arena *arena, uint32_t blocks)
{
    struct fw_affine_accesses accesses = {
        .arrays = 2, .count = 2, .grid = {blocks, 1, 1}, .block = {256, 1, 1}};
    accesses.at = FW_ARRAY(arena, struct fw_affine_access, 2);
    for (uint32_t i = 0; i < 2; i++) {
        accesses.at[i] =
            (struct fw_affine_access){.array = i, .bytes = 8, .direction = i ? FW_STORE : FW_LOAD};
        accesses.at[i].thread_stride[0] = 8;
        accesses.at[i].block_stride[0] = 8 * 256;
        accesses.at[i].high[0] = 256 * (int64_t)blocks;
        accesses.at[i].high[1] = accesses.at[i].high[2] = 1;
        accesses.at[i].active_share = accesses.at[i].repeats = 1;
        accesses.at[i].begin = i * 0.5;
        accesses.at[i].end = accesses.at[i].begin + 0.5;
    }
    return accesses;
}

#endif
