/* Symbolic counts: a domain's or a row's count as a piecewise quasi-polynomial in the kernel's
 * arguments.
 *
 * Block sizes are numbers (block * size + thread is not affine otherwise); grid sizes are numbers
 * or, where the launch states 0, parameters called gridDim_x and so on; all integer arguments are
 * parameters, bound or not.  They are assumed not to be negative; the text of the assumptions is
 * given.  What depends on loaded data, or on products of arguments, has no symbolic count here. */
#ifndef FW_SYMBOLIC_H
#define FW_SYMBOLIC_H

#include "count.h"
#include "tally.h"

struct fw_symbolic;

/* For a kernel at a launch, whose grid sizes may be 0.  Both, and the workplace, must outlive it.
 * NULL without memory. */
FW_GIVE struct fw_symbolic *fw_symbolic_new(const struct fw_kernel *kernel,
                                            const struct fw_launch *launch,
                                            FW_KEEP struct fw_poly *poly);
void fw_symbolic_free(FW_TAKE struct fw_symbolic *symbolic);

/* The count of a domain's thread points; NULL when it has none.  Owned by the symbolic. */
const struct fw_count *fw_symbolic_domain(struct fw_symbolic *symbolic, uint32_t domain);

/* The count of a tally's row in isl's syntax, NULL when it has none; the text belongs to the arena.
 */
const char *fw_symbolic_row(struct fw_symbolic *symbolic, const struct fw_tally_row *row,
                            struct fw_arena *arena);

/* What was assumed, "[n] -> { : n >= 0 }"; "" when nothing was. */
const char *fw_symbolic_assumptions(const struct fw_symbolic *symbolic);

#endif
