/*
 * target = factor left right, of e4m3 with sums of f32: a warp group copies tiles, two others take every second tile
 * each. While one stores its sums, the other multiplies; named barriers tell whose turn it is.
 *
 * Launch: one dimension, blocks of 384 threads, each for every gridDim.x-th tile of 64 by 128; dynamic shared memory of
 * 6 * 24576 + 1024 bytes.
 *
 * left    tensor map of bytes, m rows of k elements, boxes of 128 by 64, swizzled by 128 bytes
 * right   tensor map of bytes, n rows of k elements (the columns of right), boxes of 128 by 128, swizzled likewise
 * target  f32, m rows of n elements
 */
#include "asynchronous.cuh"
#include "further_products.cuh"
#include <cuda.h>

#define STAGES 6
#define STAGE_BYTES 24576

__device__ static inline void await_turn(int barrier) { asm volatile("bar.sync %0, 256;" ::"r"(barrier) : "memory"); }
__device__ static inline void give_turn(int barrier) { asm volatile("bar.arrive %0, 256;" ::"r"(barrier) : "memory"); }

extern "C" __global__ void __launch_bounds__(384, 1)
    pingpong_product(const __grid_constant__ CUtensorMap left, const __grid_constant__ CUtensorMap right,
                     float *__restrict__ target, float factor, int m, int n, int k)
{
    extern __shared__ char dynamic[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    char *stages = dynamic + (1024 - (shared_address(dynamic) & 1023)) % 1024;
    int steps = k / 128, group = threadIdx.x / 128, wide = n / 128, tiles = wide * (m / 64);
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            barrier_init(&full[s], 1);
            barrier_init(&empty[s], 1);
        }
        barriers_ready();
    }
    __syncthreads();
    if (group == 0) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        int stage = 0;
        unsigned parity = 0;
        if (threadIdx.x == 0)
            for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x)
                for (int step = 0; step < steps; step++) {
                    char *here = stages + stage * STAGE_BYTES;
                    barrier_wait(&empty[stage], parity ^ 1);
                    barrier_expect(&full[stage], STAGE_BYTES);
                    tensor_load(here, &left, step * 128, tile / wide * 64, &full[stage]);
                    tensor_load(here + 8192, &right, step * 128, tile % wide * 128, &full[stage]);
                    if (++stage == STAGES) {
                        stage = 0;
                        parity ^= 1;
                    }
                }
        return;
    }
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    int mine = group - 1, count = mine * steps;
    if (mine == 1)
        give_turn(2);
    for (int tile = blockIdx.x + mine * gridDim.x; tile < tiles; tile += 2 * gridDim.x) {
        float sums[64] = {};
        await_turn(2 + mine);
        for (int step = 0; step < steps; step++, count++) {
            int stage = count % STAGES;
            barrier_wait(&full[stage], count / STAGES & 1);
            uint32_t here = shared_address(stages + stage * STAGE_BYTES);
            uint64_t a = tile_descriptor(here), b = tile_descriptor(here + 8192);
            products_fence();
#pragma unroll
            for (int i = 0; i < 4; i++)
                e4m3_product(sums, a + 2 * i, b + 2 * i);
            products_commit();
            products_wait<0>();
            if (threadIdx.x % 128 == 0)
                barrier_arrive(&empty[stage]);
        }
        count += steps;
        if (tile + gridDim.x < tiles)
            give_turn(2 + (1 - mine));
        int warp = threadIdx.x % 128 / 32, lane = threadIdx.x % 32;
        int row = tile / wide * 64 + warp * 16 + lane / 4;
        store_sums(target + (size_t)row * n + tile % wide * 128 + lane % 4 * 2, n, sums, factor);
    }
}
