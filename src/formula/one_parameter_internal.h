/* What the two files of one_parameter share: floors, guards and thresholds of factors about one
 * parameter, and where lines with floors are. */
#ifndef FW_ONE_PARAMETER_INTERNAL_H
#define FW_ONE_PARAMETER_INTERNAL_H

#include "formula_internal.h"

enum {
    PERIOD_MOST = 4096,
    FLOORS_HERE = 48,
    INTERVALS_MOST = 64,
    GUARDS_MOST = 160,
    THRESHOLDS_MOST = 400,
    BLOCKS_MOST = 80,
    POINTS_MOST = 16,
    STRETCHES_MOST = 48,
    SUMS_KNOWN = 32
};

/* A floor as slope * q + at[r]. */
struct floor_table {
    unsigned column;
    int64_t slope;
    int64_t *at;
};

struct guard {
    const struct line *line;
    bool plain;   /* without floors */
    bool assumed; /* known to hold */
};

struct parameter_analysis {
    struct fw_formulas *f;
    unsigned parameter;
    int64_t period;
    struct floor_table floors[FLOORS_HERE];
    uint32_t floor_count;
    struct guard guards[GUARDS_MOST];
    uint32_t guard_count;
    int64_t starts[INTERVALS_MOST + 1]; /* of the intervals of r; behind the last: the period */
    uint32_t interval_count;
    int64_t thresholds[THRESHOLDS_MOST];
    uint32_t threshold_count;
    const struct factor *factors[32];
    uint32_t factor_count;
    struct truth {
        uint64_t leaves; /* a hash of which leaves hold */
        struct polynomial *value;
        struct polynomial **without; /* by interval, once it is needed */
    } known[SUMS_KNOWN];             /* the last sums, by which leaves hold */
    uint32_t next_known;
};

/* Finds what the value's factors about the parameter have: floors as lines of q, with the period
 * that they share, the intervals of r in which these are polynomials, and the ascending values of n
 * at which a guard turns.  Memory is the formulas'.  What is more than there is room for, or has no
 * such form, is given up (formula_internal.h). */
void parameter_analyse(struct parameter_analysis *a, const struct polynomial *value);

/* A line of n at residue r, as slope * q + constant. */
void parameter_line_at(const struct parameter_analysis *a, const struct line *line, int64_t r,
                       int64_t *slope, int64_t *constant);

#endif
