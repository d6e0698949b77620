/* Random affine accesses, for the unit tests of the rooms. */
#ifndef RANDOM_ACCESSES_H
#define RANDOM_ACCESSES_H

#include "affine_access.h"
#include "random.h"

static inline int64_t below(struct fw_random *random, int64_t limit)
{
    return fw_random_between(random, 0, limit - 1);
}

/* Loads and stores of two arrays about each other, at times that are quarters of a life, some of
 * them in a loop of four turns, under conditions that cut blocks; rows do not run into each other.
 */
static inline struct fw_affine_accesses random_forms(struct fw_random *random,
                                                     struct fw_arena *arena)
{
    struct fw_affine_accesses forms = {.arrays = 2, .count = 1 + (uint32_t)below(random, 12)};
    int64_t step[3] = {8, 1024, 65536}, cut = below(random, 2);
    forms.at = FW_ARRAY(arena, struct fw_affine_access, forms.count);
    for (int d = 0; d < 3; d++) {
        forms.block[d] = 1 + (uint32_t)below(random, d ? 3 : 9);
        forms.grid[d] = 1 + (uint32_t)below(random, 4);
    }
    for (uint32_t i = 0; i < forms.count; i++) {
        struct fw_affine_access *form = &forms.at[i];
        form->array = (uint32_t)below(random, 2);
        form->direction = below(random, 3) ? FW_LOAD : FW_STORE;
        form->bytes = 8;
        form->active_share = form->repeats = 1;
        form->base = 1 << 26;
        form->begin = (double)below(random, 4) / 4;
        form->end = form->begin + 0.25;
        for (int d = 0; d < 3; d++) {
            form->base += step[d] * (below(random, 7) - 3);
            form->thread_stride[d] = step[d];
            form->block_stride[d] = step[d] * forms.block[d];
            form->high[d] = (int64_t)forms.block[d] * forms.grid[d] - cut;
        }
        if (below(random, 4) == 0) {
            form->loops = 1;
            form->loop_stride[0] = 1 << 23;
            form->trips[0] = 4;
            form->begin = 0;
            form->end = 1;
        }
    }
    return forms;
}

#endif
