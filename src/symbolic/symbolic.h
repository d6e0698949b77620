/* Symbolic counts: a domain's or a row's count as a piecewise quasi-polynomial in the kernel's
 * arguments.
 *
 * Block sizes are numbers (block * size + thread is not affine otherwise); grid sizes are numbers
 * or, where the launch states 0, parameters called gridDim_x and so on; all integer arguments are
 * parameters, bound or not.  They are assumed not to be negative; the text of the assumptions is
 * given.  A product of two arguments, or of an argument and a grid size, is a symbol of its own
 * ("n_times_m" in isl's text, "n * m" for people): where n and n * m both occur, no relation
 * between them is assumed, so that a formula may tell cases apart that cannot be.  Blocks that
 * stride over the grid, index + iteration * gridDim * blockDim, are taken as one index.  What
 * depends on loaded data has no symbolic count here. */
#ifndef FW_SYMBOLIC_H
#define FW_SYMBOLIC_H

#include "formula.h"
#include "tally.h"

struct fw_symbolic;

/* For a kernel at a launch, whose grid sizes may be 0.  Both, and the workplace, must outlive it.
 * `assumptions` (NULL: none) is a condition in isl's notation over arguments (by name, "param_3"
 * for short) and gridDim_x, gridDim_y, gridDim_z that is known to hold.  FW_ERROR_INPUT with a
 * diagnostic (SYM001): it is no such condition, or never holds.  With more than FW_FORMULAS_MOST
 * integer arguments and grid sizes, no row has a formula (FW_SYMBOLIC_BUDGET). */
enum fw_status fw_symbolic_new(FW_GIVE struct fw_symbolic **symbolic,
                               const struct fw_kernel *kernel, const struct fw_launch *launch,
                               FW_KEEP struct fw_poly *poly, const char *assumptions,
                               const struct fw_sink *sink);
void fw_symbolic_free(FW_TAKE struct fw_symbolic *symbolic);

/* A domain's thread points as a sum of products of counts, each about as few arguments as can be;
 * NULL when it has none.  Owned by the symbolic. */
const struct fw_product *fw_symbolic_products(struct fw_symbolic *symbolic, uint32_t domain,
                                              size_t *count);

/* Why a row has no formula. */
enum fw_symbolic_reason {
    FW_SYMBOLIC_DERIVED, /* it has one */
    FW_SYMBOLIC_DATA,    /* it depends on loaded data, or on what is not affine */
    FW_SYMBOLIC_SHARED,  /* several executions share it: a machine operation of an unrolled loop */
    FW_SYMBOLIC_BUDGET   /* it is not derived within the budget of work, or is too long to read */
};

/* The count of a tally's row: for people, and in isl's syntax; either is NULL when it has none, or
 * too many pieces.  The texts belong to the arena. */
struct fw_symbolic_text {
    const char *formula;
    const char *isl;
    enum fw_symbolic_reason reason;
};
struct fw_symbolic_text fw_symbolic_row(struct fw_symbolic *symbolic,
                                        const struct fw_tally_row *row, struct fw_arena *arena);

/* The same as a formula (NULL: none), and where to evaluate it. */
const struct fw_formula *fw_symbolic_formula(struct fw_symbolic *symbolic,
                                             const struct fw_tally_row *row);
FW_KEEP struct fw_formulas *fw_symbolic_formulas(struct fw_symbolic *symbolic);

/* The names of the formulas' parameters; symbols of arguments first, then the grid's. */
const char *const *fw_symbolic_names(const struct fw_symbolic *symbolic, size_t *count);

/* Products' counts are about these names and about minima and products of them, which this gives
 * the value of; false: it is no such name. */
bool fw_symbolic_value(int64_t *value, const struct fw_symbolic *symbolic, const char *name,
                       const int64_t *values);

/* What was assumed, "[n] -> { : n >= 0 }"; "" when nothing was. */
const char *fw_symbolic_assumptions(const struct fw_symbolic *symbolic);

#endif
