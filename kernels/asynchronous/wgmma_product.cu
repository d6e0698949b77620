/*
 * target = left right, of f16 with sums of f32: a warp group copies tiles by tensor copies, two others multiply by
 * wgmma, 64 rows each. The registers go from the one to the others (setmaxnreg).
 *
 * Launch: n / COLUMNS by m / 128 blocks of 384 threads; dynamic shared memory of STAGES * (16384 + 128 * COLUMNS)
 * + 1024 bytes.
 *
 * left    tensor map of f16, m rows of k elements, boxes of 64 by 128, swizzled by 128 bytes
 * right   tensor map of f16, n rows of k elements (the columns of right), boxes of 64 by COLUMNS, swizzled likewise
 * target  f32, m rows of n elements
 */
#include "asynchronous.cuh"
#include "matrix_product.cuh"
#include <cuda.h>

#ifndef COLUMNS
#define COLUMNS 128
#endif
#ifndef STAGES
#define STAGES 4
#endif
#define LEFT_BYTES 16384
#define STAGE_BYTES (LEFT_BYTES + 128 * COLUMNS)

/* Of rows of 64 f16, swizzled by 128 bytes: groups of 8 rows are 1024 bytes apart. */
__device__ static inline uint64_t descriptor(uint32_t address)
{
    return (uint64_t)(address >> 4 & 0x3fff) | (uint64_t)1 << 16 | (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 62;
}

extern "C" __global__ void __launch_bounds__(384, 1)
    wgmma_product(const __grid_constant__ CUtensorMap left, const __grid_constant__ CUtensorMap right,
                  float *__restrict__ target, int n, int k)
{
    extern __shared__ char dynamic[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    char *stages = dynamic + (1024 - (shared_address(dynamic) & 1023)) % 1024;
    int steps = k / 64, group = threadIdx.x / 128;
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            barrier_init(&full[s], 1);
            barrier_init(&empty[s], 2);
        }
        barriers_ready();
    }
    __syncthreads();
    int stage = 0;
    unsigned parity = 0;
    if (group == 0) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 0)
            for (int step = 0; step < steps; step++) {
                char *here = stages + stage * STAGE_BYTES;
                barrier_wait(&empty[stage], parity ^ 1);
                barrier_expect(&full[stage], STAGE_BYTES);
                tensor_load(here, &left, step * 64, blockIdx.y * 128, &full[stage]);
                tensor_load(here + LEFT_BYTES, &right, step * 64, blockIdx.x * COLUMNS, &full[stage]);
                if (++stage == STAGES) {
                    stage = 0;
                    parity ^= 1;
                }
            }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        float sums[COLUMNS / 2] = {};
        for (int step = 0; step < steps; step++) {
            barrier_wait(&full[stage], parity);
            uint32_t here = shared_address(stages + stage * STAGE_BYTES);
            uint64_t a = descriptor(here + (group - 1) * 8192), b = descriptor(here + LEFT_BYTES);
            products_fence();
#pragma unroll
            for (int i = 0; i < 4; i++)
                matrix_product<COLUMNS>(sums, a + 2 * i, b + 2 * i);
            products_commit();
            products_wait<0>();
            if (threadIdx.x % 128 == 0)
                barrier_arrive(&empty[stage]);
            if (++stage == STAGES) {
                stage = 0;
                parity ^= 1;
            }
        }
        int warp = threadIdx.x % 128 / 32, lane = threadIdx.x % 32;
        int row = blockIdx.y * 128 + (group - 1) * 64 + warp * 16 + lane / 4;
        float *to = target + (size_t)row * n + blockIdx.x * COLUMNS + lane % 4 * 2;
#pragma unroll
        for (int i = 0; i < COLUMNS / 8; i++) {
            *(float2 *)(to + i * 8) = make_float2(sums[4 * i], sums[4 * i + 1]);
            *(float2 *)(to + (size_t)8 * n + i * 8) = make_float2(sums[4 * i + 2], sums[4 * i + 3]);
        }
    }
}
