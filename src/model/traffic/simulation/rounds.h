/* Rounds: a block's loads as a life (life.h) has them.
 *
 * Takes the affine accesses of a launch, which of their data miss in L2 (volume.h), what a block
 * needs of each resource, and latencies; gives the rounds: loads in the order of the program, as
 * many at once as half of a thread's registers hold results, loops' iterations one after the other.
 * A load that may read what a store before it writes does not pass it, and so is waited for on its
 * own: compilers keep their order, and a store needs its data first. Which warps of a block meet
 * data that miss in L2 is not known here: the last ones are taken, since blocks come in the order
 * of memory. */
#ifndef FW_ROUNDS_H
#define FW_ROUNDS_H

#include "affine_access.h"
#include "life.h"

/* What tells whether a load may pass a store before it, and which loads go together. */
struct fw_round_order {
    bool read_only;    /* no store of the launch changes what it reads */
    uint32_t base;     /* register of the address: offsets from the same one are seen to differ */
    uint32_t stage;    /* loads of different stages are not in flight together: see stage.h */
    uint32_t at_once;  /* iterations of its loop that an assembler makes one of, whose loads pass
                          the stores between them; 0: one */
    uint32_t loop;     /* the innermost one around it; FW_NONE: none */
    double executions; /* of a warp, in the mean; 0: not known */
    double entries;    /* of a warp into its loop, in the mean; 0: not known */
    double lane_trips; /* where at_once > 1: executions of a thread an entry, in the mean */
    bool together;     /* a barrier in a loop makes all warps wait for the slowest */
};

/* Of one block, in cycles of its multiprocessor's share of a resource. */
struct fw_round_needs {
    double arithmetic;
    double chain; /* cycles that a warp's dependent instructions take in loops, beyond arithmetic */
    double load_wavefronts, store_wavefronts;
    double l2_load, l2_store;
    double l2_store_alone; /* of what L2 takes stores with */
    double atomics;        /* of what L2 executes atomic operations with */
    double dram_load, dram_store;
    double unknown_loads; /* instructions of a warp whose addresses are not known */
    uint32_t registers;   /* of a thread; 0: not known */
    double latency_l1, latency_l2, latency_dram;
    double l1_lost;  /* share of what is asked for again in L1 that is gone by then */
    uint32_t sector; /* bytes that L1 brings at a time */
    const struct fw_round_order *order; /* by access; NULL: loads pass all stores */
};

/* Sets `rounds`, `round` and `stores`; `groups` must be set. `l2_miss_share`: by access. */
void fw_rounds_set(struct fw_life *life, struct fw_arena *arena,
                   const struct fw_affine_accesses *accesses, const double *l2_miss_share,
                   const struct fw_round_needs *needs);

/* Whether access `load` keeps behind a store of accesses `from` to it: one that may write what it
 * reads. */
bool fw_round_behind_store(const struct fw_affine_accesses *accesses,
                           const struct fw_round_order *order, uint32_t from, uint32_t load);

#endif
