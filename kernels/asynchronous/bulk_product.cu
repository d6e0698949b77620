/*
 * target = left right, of f32: a warp copies tiles to shared memory by bulk copies, eight others multiply.
 *
 * Launch: n / 128 by m / 128 blocks of 288 threads; dynamic shared memory of STAGES * 16384 bytes.
 *
 * left    f32, m * k in tiles: [m / 128][k / 16][16][128], the rows of left innermost
 * right   f32, k * n in tiles: [n / 128][k / 16][16][128], the columns of right innermost
 * target  f32, m rows of n elements
 */
#include "asynchronous.cuh"

#ifndef STAGES
#define STAGES 4
#endif
#define PART 2048

extern "C" __global__ void __launch_bounds__(288) bulk_product(const float *__restrict__ left,
                                                                const float *__restrict__ right,
                                                                float *__restrict__ target, int n, int k)
{
    extern __shared__ __align__(128) float stages[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    int steps = k / 16;
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            barrier_init(&full[s], 1);
            barrier_init(&empty[s], 8);
        }
        barriers_ready();
    }
    __syncthreads();
    int stage = 0;
    unsigned parity = 0;
    if (threadIdx.x >= 256) {
        if (threadIdx.x == 256) {
            const float *a = left + (size_t)blockIdx.y * steps * PART;
            const float *b = right + (size_t)blockIdx.x * steps * PART;
            for (int step = 0; step < steps; step++) {
                barrier_wait(&empty[stage], parity ^ 1);
                barrier_expect(&full[stage], 2 * PART * sizeof(float));
                bulk_load(stages + stage * 2 * PART, a + (size_t)step * PART, PART * sizeof(float), &full[stage]);
                bulk_load(stages + stage * 2 * PART + PART, b + (size_t)step * PART, PART * sizeof(float), &full[stage]);
                if (++stage == STAGES) {
                    stage = 0;
                    parity ^= 1;
                }
            }
        }
        return;
    }
    int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    float sums[8][8] = {};
    for (int step = 0; step < steps; step++) {
        barrier_wait(&full[stage], parity);
        const float *a = stages + stage * 2 * PART, *b = a + PART;
#pragma unroll
        for (int i = 0; i < 16; i++) {
            float x[8], y[8];
            *(float4 *)&y[0] = *(const float4 *)&a[i * 128 + ty * 4];
            *(float4 *)&y[4] = *(const float4 *)&a[i * 128 + 64 + ty * 4];
            *(float4 *)&x[0] = *(const float4 *)&b[i * 128 + tx * 4];
            *(float4 *)&x[4] = *(const float4 *)&b[i * 128 + 64 + tx * 4];
#pragma unroll
            for (int r = 0; r < 8; r++)
#pragma unroll
                for (int c = 0; c < 8; c++)
                    sums[r][c] += y[r] * x[c];
        }
        __syncwarp();
        if (threadIdx.x % 32 == 0)
            barrier_arrive(&empty[stage]);
        if (++stage == STAGES) {
            stage = 0;
            parity ^= 1;
        }
    }
#pragma unroll
    for (int r = 0; r < 8; r++) {
        int row = blockIdx.y * 128 + (r / 4) * 64 + ty * 4 + r % 4;
        float *to = target + (size_t)row * n + blockIdx.x * 128;
        *(float4 *)&to[tx * 4] = *(float4 *)&sums[r][0];
        *(float4 *)&to[64 + tx * 4] = *(float4 *)&sums[r][4];
    }
}
