/* Student's t distribution, for confidence intervals of few measurements. */
#ifndef FW_STUDENT_H
#define FW_STUDENT_H

/* The number that a t-distributed one, of `freedom` > 0 degrees of freedom, stays below with this
 * probability (0.5 <= probability < 1): by bisection of the distribution, which is an incomplete
 * beta function (Abramowitz and Stegun 26.7.1; its continued fraction 26.5.8). */
double fw_student_quantile(double probability, double freedom);

#endif
