/* Linear least squares with parameters that are not negative.
 *
 * Takes the products of columns (the Gram matrix) and those of columns with the target; gives the
 * parameters of the minimum, by coordinate descent: each parameter in turn takes its best value, or
 * 0.  Converges, because the sum of squares is convex and the bounds are by coordinate (Tseng,
 * Convergence of a block coordinate descent method, 2001). */
#ifndef FW_NON_NEGATIVE_H
#define FW_NON_NEGATIVE_H

#include <stddef.h>

/* `gram`: count * count, symmetric; `moment`: count; `parameters`: the start and the result.  A
 * column of zeros gets 0. */
void fw_non_negative_solve(double *parameters, const double *gram, const double *moment,
                           size_t count);

#endif
