/* Liveness: how many registers a function needs.
 *
 * Takes a function in SSA form; gives the most 32-bit registers that are live at one time, values
 * of 64 bits as two, predicates apart, and from that an estimate of what ptxas allocates.
 * Parameters, literals and addresses of variables take none: they are operands.  It never changes
 * the function. */
#ifndef FW_LIVENESS_H
#define FW_LIVENESS_H

#include "ir.h"
#include "lowering.h"

struct fw_registers {
    uint32_t live;       /* most 32-bit registers live at one time, in the order of need */
    uint32_t text;       /* the same in the order of the text */
    uint32_t predicates; /* most predicates live at one time */
    uint32_t loads;      /* most registers that the loads of one block fill */
    uint32_t at;         /* the instruction where `live` is reached */
    uint32_t estimate;   /* what ptxas would report as registers a thread: see liveness.c */
};

/* Registers of a function with passes cfg, dominators, loops and ssa done; scratch in `arena`.
 * FW_ERROR_USAGE: the function has no SSA form.  The estimate is calibrated and checked against
 * `ptxas -v` over the example kernels: data/lowering/registers.txt. */
enum fw_status fw_registers_estimate(struct fw_registers *result, struct fw_arena *arena,
                                     const struct fw_function *function,
                                     const struct fw_lowering *lowering);

#endif
