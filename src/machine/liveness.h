/* Liveness: how many registers a function needs.
 *
 * Takes a function in SSA form and its lowering; gives the most 32-bit registers that are live at
 * one time, values of 64 bits as two, predicates apart, and from that an estimate of what ptxas
 * allocates.  Parameters, literals and addresses of variables take none: they are operands.  Nor do
 * values whose instructions are merged into their users (addresses, products), values on the scalar
 * datapath, and what nobody reads.  Each block is taken in the order of the text or of first use
 * (first_use_order.c), whichever has fewer live; integers that cost little are made again where
 * that lets more blocks be resident (made_again.c), of the size and number that launch bounds
 * state.  Spills and instructions that ptxas moves
 * between blocks are not modelled.  It never changes the function. */
#ifndef FW_LIVENESS_H
#define FW_LIVENESS_H

#include "ir.h"
#include "lowering.h"

/* What is live in one basic block of the function. */
struct fw_block_registers {
    uint32_t first;  /* its first instruction */
    uint32_t need;   /* what ptxas would allocate for this block alone, without loads in flight;
                        values made again where that lets more warps be resident */
    uint32_t loaded; /* of these: filled by loads from global memory, of the block or under
                        predicates beside it */
    uint32_t common; /* of these: equal for the whole warp, read by the block, computed outside; not
                        those that are made again */
    uint32_t others; /* of these: likewise, but read by other blocks alone, and easily made again */
    uint32_t idle;   /* of these: live throughout the block, which neither reads nor sets them */
    uint32_t ahead;  /* in the order of the text: most that loads from global memory fill at once */
    uint32_t ahead_need; /* and what ptxas would allocate for what is live there */
};

struct fw_registers {
    uint32_t live;       /* most 32-bit registers live at one time */
    uint32_t text;       /* the same in the order of the text */
    uint32_t least;      /* of that block: most live where values that cost little are made again
                            (made_again.c) */
    uint32_t predicates; /* most predicates live at one time */
    uint32_t loads;      /* most registers that loads in flight together fill (load_batches.c) */
    uint32_t at;         /* the instruction where `live` is reached */
    uint32_t loaded;     /* of these there: filled by loads from global memory, of its block or
                            under predicates beside it */
    uint32_t common; /* of these there: computed outside of its block, equal for the whole warp */
    uint32_t others; /* likewise, read by other blocks alone, and easily made again */
    uint32_t ahead, ahead_live; /* of a block: see fw_block_registers; what is live there */
    uint32_t estimate; /* what ptxas would report as registers a thread: register_estimate.c */
    struct fw_block_registers *blocks; /* in the order of the text; in the arena */
    uint32_t block_count;
};

/* Registers of a function with passes cfg, dominators, loops and ssa done; scratch in `arena`.
 * `lowering` may be NULL: then nothing is merged, scalar or unrolled.  FW_ERROR_USAGE: the function
 * has no SSA form.  The estimate is calibrated and checked against `ptxas -v` over the kernels of
 * data/lowering/registers.txt.  It may be more than a thread can have: see residency.h. */
enum fw_status fw_registers_estimate(struct fw_registers *result, struct fw_arena *arena,
                                     const struct fw_function *function,
                                     const struct fw_lowering *lowering);

#endif
