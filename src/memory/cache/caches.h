/* Caches: what a device's caches hold, and what the launch makes of them.
 *
 * Takes a device profile, the shared memory of resident blocks and the requests of a launch; gives
 * the sizes and parameters that volumes are computed with.  Never holds a measured or predicted
 * volume. */
#ifndef FW_CACHES_H
#define FW_CACHES_H

#include "device.h"
#include "requests.h"
#include "sequence.h"

enum { FW_COALESCING_POINTS = 5 }; /* the parameter at 1, 2, 4, 8 and 16 blocks */

/* The caches of one launch. */
struct fw_caches {
    uint32_t sector, line, fetch;   /* bytes: transferred, allocated, fetched from device memory */
    uint32_t multiprocessors, warp; /* warp: threads; 0: 32 */
    double l1_bytes;                /* of a multiprocessor, without shared memory */
    double l2_bytes; /* effective size where at least half of what a launch moves is stored */
    double l2_partition_bytes; /* of one partition: what fits into it, all multiprocessors find */
    double l2_loads_bytes;     /* effective size where nothing is stored; 0: the same as l2_bytes */
    double whole_l2_bytes;
    double retained_bytes, retained_wave_bytes, retained_dirty_bytes, retained_sharpness; /* from
                                                            launch to launch: see dram_volume.c */
    double
        dirty_sharpness; /* of dirty lines where more is touched than is retained; 0: as others */
    double several;      /* bytes of L2 for a byte that four blocks load, over that of one; 0: 1 */
    double l1_spilled_bytes, l1_spilled_sharpness; /* of L1, for spilled registers; 0: as others */
    double local_sharpness;                        /* of local memory's dirty lines; 0: as others */
    double local_ahead; /* share of them that is written where warps run ahead: see
                           local_volumes.c */
    double local_loads_bytes, local_loads_sharpness; /* of L2, for local memory that is loaded
                                                        again; 0: l2_bytes, at random */
    double l1_sharpness, l2_sharpness; /* see hit_probability.c; 0: the usual sharpness */
    double l2_own_sharpness; /* of what a multiprocessor loads again itself; 0: as of other data */
    double eviction_bytes,
        eviction_sharpness; /* stored lines until L2 evicts a partly written sector; see
                               partial_eviction.c; 0: L2 keeps them */
    double block_skew;  /* waves by which neighbouring blocks drift apart; see partial_eviction.c */
    double block_drift; /* share of a loop by which blocks drift apart; see dram_volume.c */
    double coalesced[2]
                    [FW_COALESCING_POINTS]; /* share of requests that coalescing leaves, without and
                                               with a barrier; see request_coalescing.c; 0: all */
    double coalesced_once[FW_COALESCING_POINTS]; /* the same of loads without a loop; 0: all */
    double coalesced_waves; /* exponent by which merging becomes less with waves of blocks */
    bool barrier_in_loop;   /* a barrier keeps the block's warps at the same iteration: coalesced[1]
                               applies */
    double tlb_reach;       /* bytes whose translations the TLB holds; 0: not known */
    uint32_t resident_blocks;     /* per multiprocessor */
    double most_warps;            /* resident on a multiprocessor; 0: not known */
    uint32_t registers;           /* per thread; 0: not known */
    bool store_hits;              /* what stores find in L1 is asked for */
    bool warm;                    /* the same launch ran just before */
    struct fw_sequence *sequence; /* other launches ran before, in place of `warm`; NULL */
    double local_bytes;           /* of local memory that the launch stores to */
    double
        requested_load_bytes; /* sectors of all loads, an upper bound for L2 to L1; 0: not known */
    double requested_store_bytes; /* sectors of all store instructions; 0: not known */
    double lines_per_store;       /* lines that a warp's store instruction touches, and those of
                                     the stores up to its next one to the same sector */
    double store_share;   /* of the load-store unit's requests while a launch stores: lines that are
                             stored; 1 where they are loaded, too */
    double storing_warps; /* that store at one time, of different schedulers, at most; 0: one of
                             each */
    double store_merge_lines;    /* see volume.c; 0: L1 merges all stores of a warp */
    const uint32_t *store_turns; /* by access of the record: see fw_store_turns_find; NULL: one */
};

/* The caches of a device: L2 at its effective size (its partitions hold lines twice), L1 without
 * `shared_bytes` of the multiprocessor.  False: the profile lacks a size, named in `*missing`. */
bool fw_caches_of(struct fw_caches *caches, const struct fw_device *device, uint64_t shared_bytes,
                  uint32_t resident_blocks, enum fw_figure *missing);

/* Sets what volumes need to know of a launch's requests and accesses. */
void fw_caches_set_requests(struct fw_caches *caches, const struct fw_requests *requests,
                            const struct fw_kernel_accesses *accesses);

/* Of the sectors that several stores of a warp write a part of, the share whose parts L1 does not
 * merge: each store goes to so many lines that L1 does not keep them for what follows.  0: the
 * profile lacks store_merge_lines.  What a launch requests must be set. */
double fw_caches_scattered_stores(const struct fw_caches *caches);

/* The same of sectors whose parts a warp stores in several turns (fw_store_turns_find), while each
 * of `warps` warps of the multiprocessor stores. */
double fw_caches_stores_in_turns(const struct fw_caches *caches, double warps);

#endif
