/* Rows that indices choose. */
#include <cuda_fp16.h>

/* A sparse matrix of as many entries in each row by 64 dense columns: a warp a row, two columns a lane. */
extern "C" __global__ void ell_by_dense(const int *__restrict__ columns, const float *__restrict__ values, const float2 *__restrict__ dense, float2 *__restrict__ product,
    int rows, int width)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float2 sum = make_float2(0.0f, 0.0f);
#pragma unroll 4
    for (int k = 0; k < width; k++) {
        const int column = __ldg(columns + (size_t)row * width + k);
        const float value = __ldg(values + (size_t)row * width + k);
        const float2 d = dense[(size_t)column * 32 + lane];
        sum.x = fmaf(value, d.x, sum.x);
        sum.y = fmaf(value, d.y, sum.y);
    }
    product[(size_t)row * 32 + lane] = sum;
}

/* Means of bags of rows, half precision: a row of threads a bag, eight numbers a thread. */
struct alignas(16) Eight {
    __half2 v[4];
};

extern "C" __global__ void embedding_bag(const Eight *__restrict__ table, const long long *__restrict__ indices, Eight *__restrict__ out, int bags, int per_bag, int packs)
{
    const int bag = blockIdx.x * blockDim.y + threadIdx.y;
    if (bag >= bags)
        return;
    for (int p = threadIdx.x; p < packs; p += blockDim.x) {
        float2 sum[4] = {};
        for (int k = 0; k < per_bag; k++) {
            const Eight row = table[indices[(size_t)bag * per_bag + k] * packs + p];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                const float2 f = __half22float2(row.v[j]);
                sum[j].x += f.x;
                sum[j].y += f.y;
            }
        }
        const float share = 1.0f / per_bag;
        Eight mean;
#pragma unroll
        for (int j = 0; j < 4; j++)
            mean.v[j] = __floats2half2_rn(sum[j].x * share, sum[j].y * share);
        out[(size_t)bag * packs + p] = mean;
    }
}
