/* What the files about volumes share. */
#ifndef FW_VOLUME_INTERNAL_H
#define FW_VOLUME_INTERNAL_H

#include "volume.h"

#include <math.h>

/* What one event finds when the cache remembers ever more of the past: `there` bytes of lines are
 * remembered, and `missing` bytes of the event's own are not among them. */
struct miss_point {
    double history, misses;
};

enum { MAX_MISS_POINTS = 24 };

struct miss_curve {
    struct miss_point at[MAX_MISS_POINTS]; /* the nearest past first */
    uint32_t count;
};

/* forgetting.c: what of an event is missing in a cache of `bytes`, the mean over how sharply a
 * cache forgets: it holds what was touched d bytes ago with probability exp(-(d /
 * bytes)^sharpness); 0: the usual sharpness. */
double miss_curve_bytes(const struct miss_curve *pasts, double bytes, double sharpness);

/* forgetting.c: the share of a wave's repeated touches that miss when its lines are `over` times
 * the cache: two touches fall anywhere in the wave's time. */
double miss_share_in_wave(double over, double sharpness);

/* forgetting.c: the probability that a cache of `bytes` has forgotten what was touched `apart`
 * bytes ago. */
double miss_probability(double apart, double bytes, double sharpness);

/* A launch's stores as seen by partial.c. */
struct wave_stores {
    struct fw_footprint *sectors, *words, *lines;
    const struct fw_caches *caches;
    uint32_t arrays, word; /* bytes of a word */
    const bool *loaded;    /* by array: its sectors are whole in L2 */
    int64_t turns;         /* of the loop that the stores are in; 1: none */
};

/* partial.c: bytes of the sectors that blocks first <= b < first + step store in part and that
 * leave L2, filled by a read, before another block (of these, or these after an earlier one) stores
 * the rest. */
double partial_eviction_bytes(const struct wave_stores *stored, int64_t first, int64_t step);

/* Of an array's loads (FW_NONE: of all), the share of iterations that are run where loops end at an
 * index of the launch; `moving`: for loads that every block finds somewhere else alone. */
double triangular_share(const struct fw_affine_accesses *accesses, uint32_t array, bool moving);

/* Blocks that are on one multiprocessor together: no more than the launch has for each. */
static inline double resident_blocks_of(const struct fw_affine_accesses *accesses,
                                        const struct fw_caches *caches)
{
    double each = ceil((double)fw_affine_blocks(accesses) / caches->multiprocessors);
    return each < caches->resident_blocks ? each : caches->resident_blocks;
}

/* shared.c: of what the blocks resident on one multiprocessor load, the share that they load for
 * each other: the blocks of a first wave are dealt out to multiprocessors in turn, and those that
 * go round a loop do so together, as in device memory's rule; later blocks go where one has ended.
 * 0 without a loop. */
double share_of_residents(struct fw_footprint *sectors, const struct fw_affine_accesses *accesses,
                          const struct fw_caches *caches, int64_t block);

/* shared.c: of what a block asks L2 for, the share that is merged with requests of blocks beside
 * it. */
double coalesced_share(struct fw_footprint *sectors, struct fw_arena *arena,
                       const struct fw_affine_accesses *accesses, const struct fw_caches *caches,
                       int64_t block);

/* l1.c: bytes that one block loads from L2. */
void l1_block_volume(struct fw_volume *volume, struct fw_arena *arena,
                     const struct fw_affine_accesses *accesses, const struct fw_caches *caches,
                     int64_t block);

/* dram.c: what the waves bring from device memory and send there, given the loads' bytes from L2.
 */
void dram_launch_volume(struct fw_volumes *volumes, struct fw_arena *arena,
                        const struct fw_affine_accesses *accesses, const struct fw_caches *caches);

#endif
