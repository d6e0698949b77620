/* Exact symbolic counting of integer sets: how many points a set has, as a function of its
 * parameters.
 *
 * Takes sets (set.h), with unions, existentials, floors and any number of parameters; also
 * piecewise quasi-polynomials to be summed over their domains.  Gives a count: guarded leaves that
 * are evaluated exactly at any parameter point, or printed as a piecewise quasi-polynomial in isl's
 * syntax.  Work is bounded by a stated budget; past it the set is kept and counted at each
 * parameter point instead, and fw_count_is_symbolic says so.  No cost depends on a parameter's
 * value. Nothing here prints or aborts.
 *
 * Counts stand alone: they may outlive the workplace that they were made in and be evaluated from
 * any thread, each with a workplace of its own.  Diagnostics are those of set.h. */
#ifndef FW_COUNT_H
#define FW_COUNT_H

#include "arena.h"
#include "set.h"

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

struct fw_count;

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

/* NULL is allowed. */
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

/* The same with the caller's budget for kept sets, which it leaves less what it took. */
enum fw_status fw_count_evaluate_within(mpz_ptr result, const struct fw_count *count,
                                        FW_KEEP struct fw_poly *poly, const int64_t *values,
                                        uint64_t *budget);

/* The same for values of any size. */
enum fw_status fw_count_evaluate_big(mpz_ptr result, const struct fw_count *count,
                                     FW_KEEP struct fw_poly *poly, mpz_srcptr const *values);

/* The count in isl's syntax, "[n] -> { n^3 : n > 0 }", disjoint pieces; the text belongs to the
 * arena.  FW_ERROR_BUDGET: there are kept sets, or too many pieces to be told apart. */
enum fw_status fw_count_print(char **text, const struct fw_count *count,
                              FW_KEEP struct fw_poly *poly, struct fw_arena *arena);

#endif
