/* How addresses in shared memory are aligned, as far as ptxas knows it.
 *
 * Takes a function in SSA form; gives, for the values that addresses are computed from, a power of
 * two up to 16 of which they are multiples in every thread and iteration.  Knows what ptxas 13.0
 * was seen to know (data/lowering/cases.txt, "shared aligned", and by hand): sums, products, shifts
 * to the left, logic, selections, remainders, conversions between integers, loops that advance an
 * address, and where shared variables lie.  Shifts to the right, quotients, minima and loads leave
 * nothing known, and a sum is a multiple of what both addends are, even where a remainder would be
 * known: in ptxas as here. */
#ifndef FW_SHARED_ALIGNMENT_H
#define FW_SHARED_ALIGNMENT_H

#include "ir.h"

enum { FW_SHARED_ALIGNMENT_MOST = 16 };

struct fw_shared_alignment;

/* For the bases of all loads from shared memory.  In the arena. */
struct fw_shared_alignment *fw_shared_alignment_new(struct fw_arena *arena,
                                                    const struct fw_function *function);

/* Of a register, symbol or literal operand, without an address operand's offset: bytes. */
uint32_t fw_shared_alignment_of(const struct fw_shared_alignment *alignment,
                                const struct fw_operand *operand);

#endif
