/*
 * a = b + s * c in double precision, and the division a = b / c.
 *
 * Launch: one dimension, one thread an element.
 *
 * b, c  n f64
 * a     n f64
 * s     factor
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void triad(__global const double *b, __global const double *c, __global double *a,
                    double s, int n)
{
    int i = get_global_id(0);

    if (i < n)
        a[i] = b[i] + s * c[i];
}

__kernel void triad_divide(__global const double *b, __global const double *c, __global double *a,
                           int n)
{
    int i = get_global_id(0);

    if (i < n)
        a[i] = b[i] / c[i];
}
