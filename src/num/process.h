/* Regression by a Gaussian process (kriging) over points of known values: what is near a point is
 * like it.
 *
 * Takes points, their values, and the variance of each value's noise; gives the value to expect at
 * any other point, which is a mean of all far from them.  The covariance of two points is
 * 1 + exp(-distance), where 1 stands for a mean that nobody knows (Rasmussen and Williams, Gaussian
 * Processes for Machine Learning, 2006, equations 2.25, 4.18 and, for the mean, 2.40), so that
 * coordinates are in lengths of it and noise is a share of the variance.  Points may stand in
 * groups, whose points are alike also where they are far apart: the covariance of two of one group
 * is more by exp(-distance / 3), which shrinks what a group is off by towards 0 as a mixed model
 * does (the same book, section 2.7; Robinson, That BLUP is a good thing, 1991).  Coordinates and
 * weights are stored in 4 bytes, so that what is written and read gives the same answers. */
#ifndef FW_PROCESS_H
#define FW_PROCESS_H

#include "arena.h"

#include <stdbool.h>
#include <stdint.h>

struct fw_process {
    uint32_t points, columns;  /* 0 points: the mean everywhere */
    double mean;               /* what the 1 of the covariance adds everywhere */
    const float *at, *weights; /* points * columns, a point after the other; points */
    const uint32_t *groups;    /* by point; NULL: there are none */
};

/* A fit that processes of some of its points are taken from. */
struct fw_process_fit {
    uint32_t points, columns;
    const float *at;
    const double *factor; /* points * points: rows of U, where U^T U is the covariance with noise */
    const double *weights;  /* of all points */
    const uint32_t *groups; /* by point; NULL: there are none */
};

#define FW_PROCESS_NO_GROUP UINT32_MAX /* a point of a group of its own */

/* Fits it: `at` points * columns, `values` and `noise` by point.  What it keeps is the arena's:
 * points^2 * 8 bytes.  Takes points^3 / 6 multiplications.  FW_ERROR_INPUT: a number is not finite,
 * or a noise is not above 0. */
enum fw_status fw_process_fit(struct fw_process_fit *fit, const double *at, const double *values,
                              const double *noise, uint32_t points, uint32_t columns,
                              struct fw_arena *arena);

/* The same of points in `groups` (by point; NULL: in none), which are copied. */
enum fw_status fw_process_fit_groups(struct fw_process_fit *fit, const double *at,
                                     const double *values, const double *noise,
                                     const uint32_t *groups, uint32_t points, uint32_t columns,
                                     struct fw_arena *arena);

/* The process of the points that are not left out (`left_out` by point; NULL: of all), the same as
 * of a fit to them alone: the inverse covariance of all, by the block of those left out, gives it
 * (equation 5.12 has it for one point).  What the process keeps is the arena's.  Takes points^2
 * multiplications for each that is left out. */
enum fw_status fw_process_take(struct fw_process *process, const struct fw_process_fit *fit,
                               const bool *left_out, struct fw_arena *arena);

/* The value to expect at a point (`columns` coordinates); not finite where a coordinate is not. */
double fw_process_at(const struct fw_process *process, const double *point);

/* The same at a point of a group (FW_PROCESS_NO_GROUP: of none).  `nearest` (may be NULL): the
 * distance to the nearest of the process's points, INFINITY where it has none. */
double fw_process_at_group(double *nearest, const struct fw_process *process, const double *point,
                           uint32_t group);

#endif
