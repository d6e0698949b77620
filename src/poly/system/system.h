/* Bound systems: how many integer points satisfy integer rows, when everything is a number.
 *
 * This is the numeric side of counting: a launch is bound, every parameter has its value, and each
 * statement's domain is a conjunction of rows over a few variables (block and thread indices, loop
 * iterations, and one variable for every floor).  Fast for the shapes kernels have (boxes, guards
 * on block * size + thread, triangles, tilings, constant strides); exact for all that are bounded;
 * the work does not depend on how large the numbers are.  The symbolic side is count.h. */
#ifndef FW_SYSTEM_H
#define FW_SYSTEM_H

#include "status.h"

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

enum { FW_SYSTEM_VARIABLES = 32, FW_SYSTEM_ROWS = 96 };

/* constant + sum(coefficient[v] * x[v]) >= 0, or == 0 for an equality. */
struct fw_row {
    int64_t constant;
    int64_t coefficient[FW_SYSTEM_VARIABLES];
    bool equality;
};

/* A conjunction of rows over x[0..variables).  Plain memory, owned by the caller; unused
 * coefficients are zero. */
struct fw_system {
    uint32_t variables;
    uint32_t row_count;
    struct fw_row rows[FW_SYSTEM_ROWS];
};

/* Scratch for counting: holds no answers, may be reused, one per thread. */
struct fw_counter;
FW_GIVE struct fw_counter *fw_counter_new(void);
void fw_counter_free(FW_TAKE struct fw_counter *counter);

/* How much work all counts from now on may take together, in steps of about 150 nanoseconds; each
 * may take no more than 2^17 of them, and half as many behind each that would take more.  Without
 * it there is no limit on all. */
void fw_counter_allow(struct fw_counter *counter, uint64_t steps);

/* Whether a count takes microseconds or none (false at first): shadows that take milliseconds end
 * with FW_ERROR_BUDGET at once. */
void fw_counter_hurry(struct fw_counter *counter, bool hurries);

/* How many points a system may be bounded to hold, by its variables' ranges alone, and be given as
 * half as many (0 at first: every count is exact).  It takes a microsecond, where the count itself
 * takes ten or a hundred.  A system that ranges alone count is given exactly, whatever it holds. */
void fw_counter_neglect(struct fw_counter *counter, double points);

/* The points that the last count's system was bounded to hold, where it is half of them; 0: it is
 * exact. */
double fw_counter_neglected(const struct fw_counter *counter);

/* The number of integer points of `system`, exactly unless the counter may neglect it, into
 * `result` (an initialised mpz). FW_ERROR_INPUT: unbounded.  FW_ERROR_BUDGET: more work than the
 * counter allows (result is 0). FW_ERROR_OVERFLOW: coefficients so large that even intermediate
 * integers of any size were not tried. */
enum fw_status fw_system_count(mpz_ptr result, struct fw_counter *counter,
                               const struct fw_system *system);

/* The number of distinct values of (x[0..kept)) among the system's points: the rest is projected
 * out.  Same errors.  Quick where the projected variables have unit coefficients or follow from the
 * kept ones; otherwise isl finds the shadow, in milliseconds. */
enum fw_status fw_system_count_projected(mpz_ptr result, struct fw_counter *counter,
                                         const struct fw_system *system, uint32_t kept);

#endif
