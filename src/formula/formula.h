/* Formulas: sums of products of counts, written as a person would write them.
 *
 * Takes counts (count.h) as factors, each brought over once however many sums it stands in, and
 * products of them with whole factors.  A sum is never multiplied out: factors that need no cases
 * are polynomials (of minima and maxima, where that is what they are by proof); the others are
 * opaque until their cases are laid beside each other, one parameter at a time, in which floors of
 * one parameter are brought to a normal form, so that what is equal is seen to be equal.  Gives
 * text for people, "gridDim_y * min(n, 256 * gridDim_x)", text in isl's syntax, and values. Nothing
 * is guessed: every step is an identity under the assumptions.  Work is bounded by a budget; a sum
 * past it has no formula, FW_ERROR_BUDGET, and the next one starts anew. */
#ifndef FW_FORMULA_H
#define FW_FORMULA_H

#include "count.h"

struct fw_formulas;
struct fw_formula;

/* factor * counts[0] * counts[1] * ...; all counts stay the caller's and outlive the formulas.  No
 * counts: the factor alone. */
struct fw_product {
    int64_t factor;
    const struct fw_count *const *counts;
    uint32_t count;
};

enum { FW_FORMULAS_MOST = 40 }; /* parameters of a workplace */

/* A workplace for formulas over these parameters (copied), which are all that the counts have,
 * under assumptions over them (NULL: none; looked at only during the call).  `budget` is the work
 * of one formula, in units of 0.1 to 0.3 microseconds, 0: 40,000.  NULL without memory, and
 * for more than FW_FORMULAS_MOST. */
FW_GIVE struct fw_formulas *fw_formulas_new(const char *const *parameters, size_t parameter_count,
                                            const struct fw_set *assumptions, uint64_t budget);
void fw_formulas_free(FW_TAKE struct fw_formulas *formulas);

/* Makes `name`, which counts may have as a parameter from now on, stand for the least of affine
 * expressions of the parameters: each side has 1 + parameters coefficients, the constant first.
 * Texts have the minimum in its place.  At most 4 sides; FW_ERROR_BUDGET: there are too many names.
 */
enum fw_status fw_formulas_define_minimum(struct fw_formulas *formulas, const char *name,
                                          const int64_t *const *sides, uint32_t count);

/* The same for the product of two parameters (by index).  Nothing is assumed of how it goes with
 * its factors but that it is not negative when they are not. Text for people has the product in its
 * place; in isl's, which has no products in conditions, the name is a parameter. */
enum fw_status fw_formulas_define_product(struct fw_formulas *formulas, const char *name,
                                          uint32_t first, uint32_t second);

/* The sum of products, simplified; it belongs to the workplace.  FW_ERROR_BUDGET: it takes more
 * work, or more cases, than is allowed, or a count is not symbolic. */
enum fw_status fw_formula_of(const struct fw_formula **formula, struct fw_formulas *formulas,
                             const struct fw_product *products, size_t count);

/* For people: "n * (n + 1)/2", or cases: "n - 1 : n >= 2; else 0".  Minima, maxima, mod and ceil
 * occur. The text belongs to the arena; NULL past the budget. */
const char *fw_formula_text(const struct fw_formula *formula, struct fw_formulas *formulas,
                            struct fw_arena *arena);

/* In isl's syntax for piecewise quasi-polynomials, "[n] -> { (n) * (n + 1) : n > 0 }", disjoint
 * pieces.  NULL: there are too many pieces. */
const char *fw_formula_isl(const struct fw_formula *formula, struct fw_formulas *formulas,
                           struct fw_arena *arena);

/* The value at a point: `values` by parameter, all within +-2^40.  FW_ERROR_OVERFLOW past 127 bits.
 * For tests. */
enum fw_status fw_formula_evaluate(mpz_ptr result, const struct fw_formula *formula,
                                   struct fw_formulas *formulas, const int64_t *values);

#endif
