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
#include "load_order.h"

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
    double unknown_stores, unknown_loop_stores; /* likewise, that it does not wait for; in loops */
    uint32_t registers;                         /* of a thread; 0: not known */
    double latency_l1, latency_l2, latency_dram;
    double spread;     /* of loads of a warp in flight together, as a share of latency_dram */
    double load_issue; /* cycles between two loads of one warp: its scheduler's part of the lanes */
    double l1_lost;    /* share of what is asked for again in L1 that is gone by then */
    uint32_t sector;   /* bytes that L1 brings at a time */
    const struct fw_caches *caches;    /* NULL: each load outside of loops brings its own */
    const struct fw_load_order *order; /* by access; NULL: loads pass all stores */
};

/* Sets `rounds`, `round` and `stores`; `groups` must be set. `l2_miss_share`: by access. */
void fw_rounds_set(struct fw_life *life, struct fw_arena *arena,
                   const struct fw_affine_accesses *accesses, const double *l2_miss_share,
                   const struct fw_round_needs *needs);

#endif
