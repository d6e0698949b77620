/* Robust statistics of readings: medians, slopes, plateaus.
 *
 * Takes plain numbers and knows no units.  An outlier among the readings moves no result by more
 * than its neighbours' spread; `count` 0 gives NaN. */
#ifndef FW_PROBE_STATISTICS_H
#define FW_PROBE_STATISTICS_H

#include "arena.h"

#include <stdbool.h>
#include <stddef.h>

/* The median (mean of the middle two); `values` are left as they are. */
double fw_probe_median(struct fw_arena *scratch, const double *values, size_t count);

/* Median, least and greatest. */
struct fw_probe_spread {
    double value, low, high;
    size_t count;
};
struct fw_probe_spread fw_probe_spread(struct fw_arena *scratch, const double *values,
                                       size_t count);

/* A straight line: the median of the slopes between all pairs of points (Theil and Sen), and the
 * median of what is left at x = 0.  NaN with fewer than two different x. */
struct fw_probe_line {
    double slope, intercept;
};
struct fw_probe_line fw_probe_line(struct fw_arena *scratch, const double *x, const double *y,
                                   size_t count);

/* A stretch of a curve whose values stay near their median. */
struct fw_probe_plateau {
    size_t first, last; /* points */
    double value;
};

/* The plateaus of a curve over ascending x, in order: stretches from the first to the last point
 * within `tolerance` (a ratio) of their median, `octaves` long in x at least, with five points at
 * least; up to two points in a row that lie outside are passed over when what follows them lies
 * inside.  Neighbours whose values lie within twice the tolerance of each other are one.  Gives
 * their number; the array is the scratch arena's. */
size_t fw_probe_plateaus(struct fw_probe_plateau **plateaus, struct fw_arena *scratch,
                         const double *x, const double *y, size_t count, double tolerance,
                         double octaves);

/* Two groups of values: cut where the gap between neighbours in order is widest within the middle
 * four fifths.  False when no gap is at least `apart` times the median step between neighbours. */
bool fw_probe_two_groups(struct fw_arena *scratch, const double *values, size_t count, double apart,
                         double *low, double *high);

#endif
