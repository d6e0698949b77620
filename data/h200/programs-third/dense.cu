/* Dense linear algebra: factors by columns, many right-hand sides, complex numbers, half precision. */
#include <cuda_fp16.h>

/* Column k of a Cholesky factor, stored by columns: a thread a row, sums over the columns before. */
extern "C" __global__ void cholesky_column(double *l, int n, int k)
{
    int i = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double s = l[i + (long)k * n];
    for (int j = 0; j < k; j++)
        s -= l[i + (long)j * n] * l[k + (long)j * n];
    l[i + (long)k * n] = s / (1.0 + fabs(l[k + (long)k * n]));
}

/* Forward substitution of many right-hand sides with one small triangle: a thread a side, the triangle packed by rows. */
extern "C" __global__ void solve_triangle(const float *packed, float *x, int order, int sides)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= sides)
        return;
    for (int i = 0; i < order; i++) {
        const float *row = packed + i * (i + 1) / 2;
        float s = x[(long)i * sides + c];
        for (int j = 0; j < i; j++)
            s -= row[j] * x[(long)j * sides + c];
        x[(long)i * sides + c] = s * row[i];
    }
}

/* Product of complex matrices in double precision, tiles of 16 x 16. */
extern "C" __global__ void complex_product(const double2 *a, const double2 *b, double2 *c, int n)
{
    __shared__ double2 ta[16][16], tb[16][17];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
    double re = 0, im = 0;
    for (int t = 0; t < n / 16; t++) {
        ta[ty][tx] = a[(long)row * n + t * 16 + tx];
        tb[ty][tx] = b[(long)(t * 16 + ty) * n + column];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++) {
            double2 u = ta[ty][k], v = tb[k][tx];
            re += u.x * v.x - u.y * v.y;
            im += u.x * v.y + u.y * v.x;
        }
        __syncthreads();
    }
    c[(long)row * n + column] = make_double2(re, im);
}

/* A reflection applied to the columns of a matrix: a block a column, its product with v first. */
extern "C" __global__ void reflect_columns(double *a, const double *v, double tau, int rows)
{
    __shared__ double part[256];
    double *column = a + (long)blockIdx.x * rows, s = 0;
    for (int i = threadIdx.x; i < rows; i += blockDim.x)
        s += column[i] * v[i];
    part[threadIdx.x] = s;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 32; d >>= 1) {
        if (threadIdx.x < d)
            part[threadIdx.x] += part[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x < 32) {
        s = part[threadIdx.x] + part[threadIdx.x + 32];
        for (int d = 16; d > 0; d /= 2)
            s += __shfl_xor_sync(0xffffffffu, s, d);
        part[threadIdx.x] = s;
    }
    __syncthreads();
    s = tau * part[0];
    for (int i = threadIdx.x; i < rows; i += blockDim.x)
        column[i] -= s * v[i];
}

/* Products of all pairs of columns of a matrix stored by columns, a thread a pair, the upper half alone. */
extern "C" __global__ void gram(const float *a, float *c, int rows, int columns)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= columns || j >= columns || j < i)
        return;
    float s = 0;
    for (int k = 0; k < rows; k++)
        s += a[(long)i * rows + k] * a[(long)j * rows + k];
    c[(long)i * columns + j] = s;
}

/* A matrix of halves by columns times a vector: two rows a thread, slices of the columns over the grid's second axis. */
extern "C" __global__ void half_columns(const __half2 *a, const __half *x, float *y, int pairs, int columns, int slice)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.y * slice, last = min(first + slice, columns);
    if (r >= pairs)
        return;
    float2 s = make_float2(0, 0);
#pragma unroll 4
    for (int c = first; c < last; c++) {
        float2 v = __half22float2(a[(long)c * pairs + r]);
        float f = __half2float(x[c]);
        s.x += v.x * f;
        s.y += v.y * f;
    }
    atomicAdd(&y[2 * r], s.x);
    atomicAdd(&y[2 * r + 1], s.y);
}
