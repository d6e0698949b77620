/* Handlers of atomics and asynchronous copies.  extra: struct emulate_memory. */
#ifndef FW_EMULATE_ATOMIC_H
#define FW_EMULATE_ATOMIC_H

#include "emulate_state.h"

/* atom and red: a address, b operand, c second operand of cas; d the old value when used[0].
 * `bytes` is the width of the element (2, 4, 8). */
void fw_emulate_run_atomic(struct emulate_warp *warp, const struct emulate_micro *micro,
                           uint32_t mask);

/* cp.async: a shared destination, b source address (global or generic; 64 bits), immediate the
 * destination's offset; `copy` bytes, of which slot c says how many are read (0: all). The source's
 * offset is in extra of the memory: elements of `slots[0]`. */
void fw_emulate_run_copy(struct emulate_warp *warp, const struct emulate_micro *micro,
                         uint32_t mask);

#endif
