/* The waves of blocks of a launch, as dram_volume.c samples them and retained.c compares launches.
 *
 * A wave is as many blocks in launch order as are resident at one time.  Footprints count what its
 * blocks touch; nothing here outlives the search for the volumes of one launch. */
#ifndef FW_WAVES_H
#define FW_WAVES_H

#include "volume_internal.h"

struct waves {
    struct fw_footprint *sectors, *fetches, *lines, *words;
    const struct fw_caches *caches;
    int64_t blocks;     /* of the launch */
    int64_t wave;       /* resident at a time */
    int64_t iterations; /* of the outermost loop around loads; 1: none */
    int64_t group;      /* consecutive iterations that are one event: see iterations_in_fetch */
    int64_t store_iterations;
    int64_t warps;      /* of a block */
    double store_parts; /* as of struct fw_volumes */
    uint32_t arrays;
    bool *loaded;  /* by array */
    bool in_place; /* an array that it stores to is loaded, too */
};

/* All blocks are resident at one time. */
static inline bool is_single_wave(const struct waves *waves)
{
    return waves->blocks <= waves->wave;
}

/* loop_waves.c: whether the counts of this launch went through so many boxes that no further
 * samples are taken: the mean of those that there are stands for the launch. */
bool waves_are_spent(const struct waves *waves);

/* loop_waves.c: bytes that the wave of `step` blocks from block `first` on reads of device memory
 * (`loads`), or writes to it, when its blocks run a loop in step.  `distinct`: bytes that it loads
 * or stores, each once; `lines`: bytes that one iteration occupies. */
double moved_in_step(const struct waves *waves, int64_t first, int64_t step, bool loads,
                     double distinct, double *lines);

/* loop_waves.c: whether L2 holds what the `step` blocks from block `first` on load until the next
 * wave has come to it. */
bool wave_stays(const struct waves *waves, int64_t first, int64_t step);

/* loop_waves.c: whether blocks of waves behind the first are at different places of their loops.
 */
bool waves_drift(const struct waves *waves);

/* loop_waves.c: by how many bytes more (or fewer: negative) the whole wave from block `first` on
 * reads of what blocks far from each other load, when they are at any place of their loops: more
 * than each once, or, where the waves before leave in L2 what it loads (`stays`), more than what
 * they have not loaded.  `arena`: for numbers of each array, which stay in it. */
double moved_apart(const struct waves *waves, int64_t first, bool stays, struct fw_arena *arena);

/* retained.c: takes from the volumes of a launch with empty caches what launches before have left.
 * `stored_first`: bytes that it stores before it loads them; `lost`: room for a number an array. */
void retained_take(struct fw_volumes *volumes, const struct waves *waves,
                   const struct fw_affine_accesses *accesses, double stored_first, double *lost);

#endif
