/* Load order: what of a kernel's record tells which loads of a launch are in flight together.
 *
 * Takes the record at a bound launch and its affine accesses; gives for each of them registers and
 * stages, whether it passes stores, and how often warps come to it and to the loop around it.
 * Never knows a device. */
#ifndef FW_LOAD_ORDER_H
#define FW_LOAD_ORDER_H

#include "affine_access.h"
#include "launch.h"

/* What tells whether a load may pass a store before it, and which loads go together. */
struct fw_load_order {
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

/* By affine access; the arena's.  `bound` is bound to `launch`; `barrier_in_loop`: a barrier of the
 * block is in a loop. */
const struct fw_load_order *
fw_load_order_find(struct fw_arena *arena, const struct fw_kernel *kernel, struct fw_bound *bound,
                   const struct fw_launch *launch, const struct fw_affine_accesses *accesses,
                   bool barrier_in_loop);

/* Whether access `load` keeps behind a store of accesses `from` to it: one that may write what it
 * reads. */
bool fw_load_behind_store(const struct fw_affine_accesses *accesses,
                          const struct fw_load_order *order, uint32_t from, uint32_t load);

/* Whether asynchronous copies, and nothing else, bring what the kernel's loops load from global
 * memory, and come while their block computes with what came before: bulk copies, and copies of 4
 * to 16 bytes (cp.async) for products of matrices. */
bool fw_loads_ahead(const struct fw_kernel *kernel);

#endif
