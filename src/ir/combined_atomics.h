/* Atomic operations that an assembler makes one of a warp.
 *
 * Where the address is the same for all lanes, ptxas lets one lane operate with what the lanes
 * bring together.  Source: the code of ptxas 13.0 for sm_80 and sm_90, for additions (constant,
 * argument, of each thread), minima, maxima, and, or, xor, inc, dec, exch and cas in 32 and 64
 * bits, f32 and f64, with and without a result that is read, on addresses of an argument, a block,
 * an iteration and a loaded index:
 * - 32-bit integers: additions always; minima, maxima, and, or, xor where nobody reads the result;
 * - 64-bit integers: additions of a number that is the same for all lanes;
 * - floating-point numbers, inc, dec, exch, cas: never. */
#ifndef FW_COMBINED_ATOMICS_H
#define FW_COMBINED_ATOMICS_H

#include "ir.h"

/* Whether all lanes of a warp have the same number in an operand; `level` is by value, as
 * fw_pass_uniformity gives it. */
bool fw_operand_is_uniform(const struct fw_operand *operand, const uint8_t *level);

/* Whether it is an addition of 1 to an unsigned word whose result nobody reads: in shared memory
 * ATOMS.POPC.INC, which counts the lanes on a word (ptxas 13.0 for sm_90; signed additions, as
 * ATOMS.ADD.S32, are not).  False of what is no atomic operation. */
bool fw_atomic_increments(const struct fw_instruction *at, bool result_read);

/* Whether assemblers make one operation of a warp's; `result_read`: an instruction reads what the
 * operation returns.  False of what is no atomic operation. */
bool fw_atomic_is_combined(const struct fw_instruction *at, const struct fw_operand *address,
                           const uint8_t *level, bool result_read);

#endif
