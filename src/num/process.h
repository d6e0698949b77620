/* Regression by a Gaussian process (kriging) over points of known values: what is near a point is
 * like it.
 *
 * Takes points, their values, and the variance of each value's noise; gives the value to expect at
 * any other point, which is the common mean far from all of them.  The covariance of two points is
 * exp(-distance) (Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006, equations
 * 2.25 and 4.18), so that coordinates are in lengths of it and noise is a share of the variance.
 * Coordinates and weights are stored in 4 bytes, so that what is written and read gives the same
 * answers. */
#ifndef FW_PROCESS_H
#define FW_PROCESS_H

#include "arena.h"

#include <stdint.h>

struct fw_process {
    uint32_t points, columns; /* 0 points: the mean everywhere */
    double mean;
    const float *at, *weights; /* points * columns, a point after the other; points */
};

/* Fits it: `at` points * columns, `values` and `noise` by point, the mean as given.  What it keeps
 * is the arena's.  Takes points^3 / 6 multiplications and points^2 * 8 bytes of the arena, which it
 * gives back.  FW_ERROR_INPUT: a number is not finite, or a noise is not above 0. */
enum fw_status fw_process_fit(struct fw_process *process, const double *at, const double *values,
                              const double *noise, double mean, uint32_t points, uint32_t columns,
                              struct fw_arena *arena);

/* The value to expect at a point (`columns` coordinates); not finite where a coordinate is not. */
double fw_process_at(const struct fw_process *process, const double *point);

#endif
