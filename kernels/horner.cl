/*
 * Evaluates a polynomial at each element by Horner's method, in double precision.
 *
 * Launch: one dimension, one thread an element.
 *
 * x             n f64
 * coefficients  degree + 1 f64, the highest power's first
 * y             n f64
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void horner(__global const double *restrict x,
                     __global const double *restrict coefficients, __global double *restrict y,
                     int n, int degree)
{
    int i = get_global_id(0);

    if (i < n) {
        double value = coefficients[0];
        for (int j = 1; j <= degree; j++)
            value = value * x[i] + coefficients[j];
        y[i] = value;
    }
}
