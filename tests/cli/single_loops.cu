/* Loops that are gone through once around others, and loops one after the other: see single_loops.py. */

/* A column of one of two matrices, in four parts: blocks take turns at the matrices. */
__device__ __forceinline__ float column(const float *__restrict__ from, const float *__restrict__ weights, int n, int depth, int o)
{
    float sum = 0;
    for (int part = 0; part < 4; part++) {
        const float *w = weights + (size_t)(2 * part + (blockIdx.x & 1)) * depth * n + o;
        for (int c = 0; c < depth; c++)
            sum += from[(size_t)blockIdx.x * depth + c] * w[(size_t)c * n];
    }
    return sum;
}

extern "C" __global__ void plain(const float *__restrict__ from, const float *__restrict__ weights, float *__restrict__ to, int n, int depth)
{
    to[(size_t)blockIdx.x * n + threadIdx.x] = column(from, weights, n, depth, threadIdx.x);
}

/* Of n columns, as many as there are threads are done at once. */
extern "C" __global__ void around(const float *__restrict__ from, const float *__restrict__ weights, float *__restrict__ to, int n, int depth)
{
    for (int o = threadIdx.x; o < n; o += blockDim.x)
        to[(size_t)blockIdx.x * n + o] = column(from, weights, n, depth, o);
}

/* Many short iterations over numbers of a block's own, and then few long ones over one of two tables: each block loads
 * each of its bytes once. */
extern "C" __global__ void in_turn(const float *__restrict__ first, const float *__restrict__ second, float *__restrict__ to, int few, int many)
{
    const size_t b = blockIdx.x, t = threadIdx.x, n = blockDim.x;
    float sum = 0;
    for (int i = 0; i < many; i++)
        sum += first[(b * many + i) * n + t];
    for (int k = 0; k < few; k++)
        for (int c = 0; c < many; c++)
            sum = sum * 0.5f + second[(((b & 1) * few + k) * many + c) * n + t];
    to[b * n + t] = sum;
}
