/* Exact symbolic counting of integer sets: how many points a set has, as a function of its
 * parameters.
 *
 * Takes sets as text in isl's notation ("[n] -> { [i, j] : 0 <= i < n and 0 <= j <= i }") or as
 * rows of integers, with unions, existentials, floors and any number of parameters; also piecewise
 * quasi-polynomials to be summed over their domains.  Gives a count: guarded leaves that are
 * evaluated exactly at any parameter point, or printed as a piecewise quasi-polynomial in isl's
 * syntax.  Work is bounded by a stated budget; past it the set is kept and counted at each
 * parameter point instead, and fw_count_is_symbolic says so.  No cost depends on a parameter's
 * value. Nothing here prints or aborts.
 *
 * A struct fw_poly is one thread's workplace (isl's context and scratch); sets belong to the
 * workplace that they were made in and must be freed before it.  Counts stand alone: they may
 * outlive it and be evaluated from any thread, each with a workplace of its own.
 *
 * Diagnostics: SET001 syntax, SET002 not a set (or not a quasi-polynomial), SET003 unbounded,
 * SET004 numbers too large, SET005 the budget does not suffice even to keep the set, SET006 too
 * many dimensions or parameters, SET007 two sets that do not fit together. */
#ifndef FW_COUNT_H
#define FW_COUNT_H

#include "arena.h"
#include "diagnostic.h"
#include "status.h"

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

struct fw_poly;
struct fw_set;
struct fw_count;

/* A workplace; NULL without memory. */
FW_GIVE struct fw_poly *fw_poly_new(void);
void fw_poly_free(FW_TAKE struct fw_poly *poly);

/* ---- sets ---- */

/* Reads a set (or a set of parameter values, "[n] -> { : n > 0 }") in isl's notation.  `source` is
 * only looked at during the call.  FW_ERROR_INPUT with a diagnostic at the place in the text. */
enum fw_status fw_set_read(FW_GIVE struct fw_set **set, FW_KEEP struct fw_poly *poly,
                           const struct fw_source *source, const struct fw_sink *sink);

/* A conjunction of integer rows.  Each row has 1 + parameters + dimensions + existentials
 * coefficients in that order (the constant first) and says that their sum is >= 0, or == 0 when its
 * entry of `equalities` is true (NULL: none is).  Existentials are projected out: a footprint is a
 * set over the accessed elements with the iterations as existentials. */
struct fw_set_rows {
    const char *const *parameters; /* their names, different from each other */
    uint32_t parameter_count;
    uint32_t dimensions;
    uint32_t existentials;
    uint32_t row_count;
    const int64_t *coefficients; /* row after row */
    const bool *equalities;
};
enum fw_status fw_set_from_rows(FW_GIVE struct fw_set **set, FW_KEEP struct fw_poly *poly,
                                const struct fw_set_rows *rows, const struct fw_sink *sink);

/* The union of two sets of the same number of dimensions; parameters are matched by name.  Both
 * stay the caller's. */
enum fw_status fw_set_unite(FW_GIVE struct fw_set **set, const struct fw_set *a,
                            const struct fw_set *b, const struct fw_sink *sink);

/* The image of a domain under a relation in isl's notation ("{ [i, j] -> [i + j] }"): the
 * footprint of an access.  Unite the images for a footprint of several. */
enum fw_status fw_set_image(FW_GIVE struct fw_set **image, const struct fw_set *domain,
                            const struct fw_source *relation, const struct fw_sink *sink);

void fw_set_free(FW_TAKE struct fw_set *set);

/* ---- counts ---- */

struct fw_count_options {
    const struct fw_set *assumptions; /* over parameters alone, known to hold; NULL: none */
    uint64_t budget;                  /* units of work, 0.1 to 0.3 microseconds each; 0: 400,000 */
};

/* The number of points of a set, as a function of its parameters.  `options` may be NULL.  Wherever
 * the assumptions do not hold the count is meaningless.  FW_ERROR_INPUT: unbounded (SET003). */
enum fw_status fw_set_count(FW_GIVE struct fw_count **count, const struct fw_set *set,
                            const struct fw_count_options *options, const struct fw_sink *sink);

/* The sum of a piecewise quasi-polynomial in isl's notation over its domain:
 * "[n] -> { [i] -> i^2 : 0 <= i < n }".  Options and errors as above. */
enum fw_status fw_count_read_sum(FW_GIVE struct fw_count **count, FW_KEEP struct fw_poly *poly,
                                 const struct fw_source *source,
                                 const struct fw_count_options *options,
                                 const struct fw_sink *sink);

/* The sum of counts, each times a factor; parameters are matched by name.  All stay the caller's.
 */
enum fw_status fw_count_add(FW_GIVE struct fw_count **sum, const struct fw_count *const *counts,
                            const int64_t *factors, size_t count);

void fw_count_free(FW_TAKE struct fw_count *count);

/* The parameters' names, in the order in which fw_count_evaluate takes their values. */
size_t fw_count_parameter_count(const struct fw_count *count);
const char *fw_count_parameter(const struct fw_count *count, size_t index);

/* Whether all of it is leaves; otherwise parts are kept sets, counted anew at each point. */
bool fw_count_is_symbolic(const struct fw_count *count);

/* How many leaves there are: a measure of size. */
size_t fw_count_leaf_count(const struct fw_count *count);

/* The value at a parameter point, exactly, into `result` (an initialised mpz): `values` has one for
 * each parameter.  A sum whose value is not an integer is rounded down.  FW_ERROR_BUDGET: a kept
 * set was too much at this point; FW_ERROR_INPUT: it is unbounded there. */
enum fw_status fw_count_evaluate(mpz_ptr result, const struct fw_count *count,
                                 FW_KEEP struct fw_poly *poly, const int64_t *values);

/* The same for values of any size. */
enum fw_status fw_count_evaluate_big(mpz_ptr result, const struct fw_count *count,
                                     FW_KEEP struct fw_poly *poly, mpz_srcptr const *values);

/* The count in isl's syntax, "[n] -> { n^3 : n > 0 }", disjoint pieces; the text belongs to the
 * arena.  FW_ERROR_BUDGET: there are kept sets, or too many pieces to be told apart. */
enum fw_status fw_count_print(char **text, const struct fw_count *count,
                              FW_KEEP struct fw_poly *poly, struct fw_arena *arena);

#endif
