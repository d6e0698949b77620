/* Nonlinear least squares with bounds: the Levenberg-Marquardt method of cminpack (MINPACK's
 * lmder), made to respect bounds by projection.
 *
 * Takes residuals and their Jacobian as a function, a start and bounds; gives parameters of a local
 * minimum.  A parameter that would leave its bounds stays on the bound and is held there; it is
 * released when the gradient points inward (the active-set rule of non-negative least squares:
 * Lawson and Hanson, Solving Least Squares Problems, 1974, chapter 23).  So a bound is met exactly,
 * and a linear problem stays linear; a substitution by squares does neither.  Knows nothing of what
 * is fitted, and never reports. */
#ifndef FW_LEAST_SQUARES_H
#define FW_LEAST_SQUARES_H

#include "arena.h"

#include <stdbool.h>

struct fw_least_squares {
    size_t rows, parameters;  /* rows >= parameters >= 1 */
    const double *low, *high; /* a parameter each; -INFINITY and INFINITY: no bound */
    const double *scale;      /* the parameters' sizes, > 0: steps are taken in these units */

    /* Residuals at `at` (`rows` numbers), or, when `residuals` is NULL, the Jacobian: column p,
     * `rows` numbers from p * rows, holds derivatives with respect to parameter p.  False: a number
     * is not finite. */
    bool (*evaluate)(void *user, const double *at, double *residuals, double *jacobian);
    void *user;
};

struct fw_least_squares_result {
    double square_sum;    /* of residuals; INFINITY: they are not finite at the start */
    unsigned evaluations; /* of residuals */
    bool converged;
};

/* Improves `parameters` (the start, which lies within the bounds) with at most `most` evaluations
 * of residuals, until the sum of squares or the parameters change by no more than `tolerance`,
 * relative.  `scratch` is forgotten at the end. */
struct fw_least_squares_result fw_least_squares_solve(double *parameters,
                                                      const struct fw_least_squares *problem,
                                                      double tolerance, unsigned most,
                                                      struct fw_arena *scratch);

#endif
