/* Shared by the files that compute volumes. */
#ifndef FW_VOLUME_INTERNAL_H
#define FW_VOLUME_INTERNAL_H

#include "volume.h"

#include <math.h>

/* The misses of one event as a function of what the cache holds: with a history of `history` bytes
 * of lines, the event misses `misses` bytes. */
struct miss_point {
    double history, misses;
};

enum { MAX_MISS_POINTS = 24 };

struct miss_curve {
    struct miss_point at[MAX_MISS_POINTS]; /* shortest history first */
    uint32_t count;
};

/* hit_probability.c: the expected misses of an event in a cache of `bytes`.  The cache holds what
 * was touched d bytes ago with probability exp(-(d / bytes)^sharpness); 0: the usual sharpness. */
double miss_curve_bytes(const struct miss_curve *curve, double bytes, double sharpness);

/* hit_probability.c: the share of a wave's repeated touches that miss when its lines are
 * `oversubscription` times the cache.  Two touches fall anywhere in the wave's time. */
double miss_share_in_wave(double oversubscription, double sharpness);

/* hit_probability.c: the probability that a cache of `bytes` has evicted what was touched
 * `distance` bytes ago. */
double miss_probability(double distance, double bytes, double sharpness);

/* hit_probability.c: the same of what launches left; without a sharpness, all or nothing. */
double lost_share(double bytes, double size, double sharpness);

/* retained.c: the share of a layer of an array of the sequence that L2 no longer holds, in the mean
 * over places of the array: by what was touched since each was. */
double lost_since(const struct fw_caches *caches, uint32_t array, uint32_t layer);

/* hit_probability.c: the share of stored lines that L2 has written to device memory when `touched`
 * bytes of lines have been touched since, of which `dirty` were stored to.  Two causes, each for
 * itself: no more than a part of L2 may be dirty; and lines make room for others, of which L2
 * evicts the clean ones first.  Source: copy and add in data/h200/retained, whose launches over 52
 * MB read all again and write 77 % of what they store. */
double written_share(const struct fw_caches *caches, double touched, double dirty);

/* hit_probability.c: the second cause alone. */
double written_for_room(const struct fw_caches *caches, double touched);

/* Two identical launches, one behind the other. */
struct between_launches {
    double waves;        /* of blocks of each */
    double single;       /* how far their blocks go where they went before: see retained.c */
    double single_bytes; /* that L2 holds from launch to launch where they all do */
};

/* hit_probability.c: the same between two identical launches that touch and store to so many bytes
 * of lines, where a block stores to each word `times` times in its life (1 or more).  Blocks of one
 * wave live as long as the launch: from the last of these stores to the first of the next launch it
 * is one part of as many.  Of more waves, the others lie between, too.  Of a single wave, L2 evicts
 * lines that are dirty as it does others.  Source: rounds in data/h100/again. */
double written_between(const struct fw_caches *caches, double touched, double dirty, double times,
                       const struct between_launches *between);

/* The stores of a launch, for partial_eviction.c. */
struct wave_stores {
    struct fw_footprint *sectors, *words, *lines;
    const struct fw_caches *caches;
    uint32_t arrays, word; /* bytes of a word */
    const bool *loaded;    /* by array: loads keep its sectors whole in L2 */
    int64_t iterations;    /* of the loop around the stores; 1: none */
    int64_t warps;         /* of a block */
    double parts;          /* warps of a block that store to a sector, in the mean */
};

/* partial_eviction.c: bytes of partly written sectors that blocks first <= b < first + step store
 * and that L2 evicts before another block stores the rest. */
double partial_eviction_bytes(const struct wave_stores *stored, int64_t first, int64_t step);

/* Of the loads of an array (FW_NONE: of all), the share of iterations that run where loops are
 * bounded by an index of the launch.  `moving`: of loads whose address moves with the block alone;
 * else the share of blocks that a condition on their indices leaves, too. */
double triangular_share(const struct fw_affine_accesses *accesses, uint32_t array, bool moving);

/* Resident blocks of a multiprocessor, no more than the launch has for each. */
static inline double resident_blocks_of(const struct fw_affine_accesses *accesses,
                                        const struct fw_caches *caches)
{
    double each = ceil((double)fw_affine_blocks(accesses) / caches->multiprocessors);
    return each < caches->resident_blocks ? each : caches->resident_blocks;
}

/* request_coalescing.c: of what the resident blocks of a multiprocessor load, the share that they
 * load for each other.  The blocks of the first wave are distributed to multiprocessors in turn,
 * and run a loop in step; later blocks start wherever one has ended, anywhere among as many as are
 * resident at a time, and share what L1 still holds of an iteration.  0 without a loop. */
double share_of_residents(struct fw_footprint *sectors, const struct fw_affine_accesses *accesses,
                          const struct fw_caches *caches, int64_t block);

/* request_coalescing.c: of a block's requests to L2, the share that is merged with requests of
 * neighbouring blocks; `saved_of`: the part of each array, by array, zeros before. */
double coalesced_share(struct fw_footprint *sectors, struct fw_arena *arena,
                       const struct fw_affine_accesses *accesses, const struct fw_caches *caches,
                       int64_t block, double *saved_of);

/* What the resident blocks of a multiprocessor have in L1 together. */
struct resident_blocks {
    double count;       /* of them */
    double distinct;    /* as so many blocks whose loads have no line in common */
    const bool *common; /* by array: all blocks load the same of it, which L1 has once */
};

/* request_coalescing.c: what the resident blocks of a multiprocessor share: arrays of which L1
 * holds, for all of them, what each loads; a block by itself shares nothing.  `lines`: the launch's
 * footprint in lines. */
struct resident_blocks resident_blocks_find(struct fw_footprint *lines, struct fw_arena *arena,
                                            const struct fw_affine_accesses *accesses,
                                            const struct fw_caches *caches, int64_t block);

/* request_coalescing.c: the share of a block's loads that blocks before it have left in L1
 * (`*left`), or that requests of other multiprocessors bring for it.  Of what blocks load in
 * common, the first on each multiprocessor asks, and these first requests merge as those of blocks
 * that load the same do: `coalesced`, by array, as coalesced_share gives it. */
double left_or_coalesced_share(struct fw_arena *arena, const struct fw_affine_accesses *accesses,
                               const struct fw_caches *caches, int64_t block,
                               const double *coalesced, double *left);

/* l1_volume.c: bytes that one block loads from L2, where `resident` blocks share L1. */
void l1_block_volume(struct fw_volume *volume, struct fw_arena *arena,
                     const struct fw_affine_accesses *accesses, const struct fw_caches *caches,
                     int64_t block, const struct resident_blocks *resident);

/* request_coalescing.c: of what a block loads, the bytes that its multiprocessor still has in L1
 * from blocks that loaded the same parts of an array: parts to which blocks return. */
double returning_bytes(struct fw_footprint *sectors, struct fw_footprint *lines,
                       const struct fw_affine_accesses *accesses, const struct fw_caches *caches,
                       int64_t block);

/* split_reload.c: bytes that one block loads again because a load of a sector that two warps store
 * a part of each came between their stores.  `repeated_misses`: bytes that the block loads again
 * because L1 has evicted them, which leaves less to be found. */
double split_reload_bytes(struct fw_arena *arena, const struct fw_affine_accesses *accesses,
                          const struct fw_caches *caches, int64_t block, double repeated_misses);

/* dram_volume.c: bytes between L2 and device memory; volumes->l2_to_l1 must be set. */
void dram_launch_volume(struct fw_volumes *volumes, struct fw_arena *arena,
                        const struct fw_affine_accesses *accesses, const struct fw_caches *caches);

/* volume_bounds.c: holds what device memory moves to what L1 requests and stores.  Sets
 * volumes->bounded. */
void volumes_hold_to_requests(struct fw_volumes *volumes, const struct fw_caches *caches);

#endif
