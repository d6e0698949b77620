/*
 * a = b + s * c in double precision, and the division a = b / c.
 *
 * Launch: one dimension, one thread an element.
 *
 * b, c  n f64
 * a     n f64
 * s     factor
 */
extern "C" __global__ void triad(const double *b, const double *c, double *a, double s, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        a[i] = b[i] + s * c[i];
}

extern "C" __global__ void triad_divide(const double *b, const double *c, double *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        a[i] = b[i] / c[i];
}
