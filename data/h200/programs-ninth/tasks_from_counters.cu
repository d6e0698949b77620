/* Blocks that stay, and take the next task from a counter until there is none. */
#include <cuda_fp16.h>

/* The counter wraps to 0 behind the last block that asks. */
__device__ __forceinline__ unsigned next_task(unsigned *counter, unsigned tasks)
{
    __shared__ unsigned task;
    __syncthreads();
    if (threadIdx.x == 0)
        task = atomicInc(counter, tasks + gridDim.x - 1);
    __syncthreads();
    return task;
}

/* Tiles of Julia's set, 32 x 8 pixels a task. */
extern "C" __global__ void __launch_bounds__(256) julia_by_tasks(unsigned *__restrict__ counter, unsigned short *__restrict__ steps, int width, int tiles_wide, int tasks, int most, float cr, float ci, float scale)
{
    for (unsigned task = next_task(counter, tasks); task < tasks; task = next_task(counter, tasks)) {
        const int x = task % tiles_wide * 32 + threadIdx.x % 32, y = task / tiles_wide * 8 + threadIdx.x / 32;
        float zr = (x - width / 2) * scale, zi = (y - width / 2) * scale;
        int k = 0;
        while (k < most && zr * zr + zi * zi < 4.0f) {
            const float t = zr * zr - zi * zi + cr;
            zi = 2.0f * zr * zi + ci;
            zr = t;
            k++;
        }
        steps[y * width + x] = k;
    }
}

/* Rows of C = A B' in half precision with a bias and GELU, tiles of 64 x 64 by 256 threads, four by four each. */
extern "C" __global__ void __launch_bounds__(256) gelu_linear_by_tasks(unsigned *__restrict__ counter, const __half *__restrict__ a, const __half *__restrict__ b, const float *__restrict__ bias, __half *__restrict__ c, int n, int k, int tasks)
{
    __shared__ __align__(16) float as[16][64 + 4], bs[16][64 + 4];
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16, wide = n / 64;
    for (unsigned task = next_task(counter, tasks); task < tasks; task = next_task(counter, tasks)) {
        const int i0 = task / wide * 64, j0 = task % wide * 64;
        float acc[4][4] = {};
        for (int t = 0; t < k; t += 16) {
            const int r = threadIdx.x / 4, q = threadIdx.x % 4 * 4;
            const __half2 *pa = (const __half2 *)(a + (size_t)(i0 + r) * k + t + q), *pb = (const __half2 *)(b + (size_t)(j0 + r) * k + t + q);
            const float2 a0 = __half22float2(pa[0]), a1 = __half22float2(pa[1]), b0 = __half22float2(pb[0]), b1 = __half22float2(pb[1]);
            as[q][r] = a0.x, as[q + 1][r] = a0.y, as[q + 2][r] = a1.x, as[q + 3][r] = a1.y;
            bs[q][r] = b0.x, bs[q + 1][r] = b0.y, bs[q + 2][r] = b1.x, bs[q + 3][r] = b1.y;
            __syncthreads();
#pragma unroll
            for (int p = 0; p < 16; p++) {
                const float4 x = *(const float4 *)&as[p][4 * ty], y = *(const float4 *)&bs[p][4 * tx];
                const float u[4] = {x.x, x.y, x.z, x.w}, v[4] = {y.x, y.y, y.z, y.w};
#pragma unroll
                for (int i = 0; i < 4; i++)
#pragma unroll
                    for (int j = 0; j < 4; j++)
                        acc[i][j] += u[i] * v[j];
            }
            __syncthreads();
        }
#pragma unroll
        for (int i = 0; i < 4; i++) {
            __half2 row[2];
#pragma unroll
            for (int j = 0; j < 2; j++) {
                const float x = acc[i][2 * j] + bias[j0 + 4 * tx + 2 * j], y = acc[i][2 * j + 1] + bias[j0 + 4 * tx + 2 * j + 1];
                row[j] = __floats2half2_rn(0.5f * x * (1.0f + erff(x * 0.70710678f)), 0.5f * y * (1.0f + erff(y * 0.70710678f)));
            }
            __half2 *to = (__half2 *)(c + (size_t)(i0 + 4 * ty + i) * n + j0 + 4 * tx);
            to[0] = row[0];
            to[1] = row[1];
        }
    }
}
