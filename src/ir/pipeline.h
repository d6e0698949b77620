/* The pipeline: all passes that a function goes through once, in their order.
 *
 * It takes a function as the reader gives it and leaves everything that the record, the machine
 * layer and the emulator ask of one: calls inlined, blocks, dominators, loops, slots and SSA.  Each
 * pass's contract is in passes.h.  It never runs twice on one function, and never moves or removes
 * an instruction once calls are inlined: an instruction's index is its identity from then on. */
#ifndef FW_PIPELINE_H
#define FW_PIPELINE_H

#include "ir.h"

/* How many instructions a function may have after inlining, unless the caller has a reason. */
enum { FW_IR_MOST_INSTRUCTIONS = 1 << 20 };

/* Results and scratch live in `arena`.  FW_ERROR_BUDGET, with a diagnostic: inlining would pass
 * `limit` instructions. */
enum fw_status fw_ir_prepare(struct fw_arena *arena, struct fw_function *function, uint32_t limit,
                             const struct fw_sink *sink);

#endif
