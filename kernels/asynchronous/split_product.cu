/*
 * target = left right, of f16 with sums of f32; blocks share out the products of a tile, and add their sums one after
 * the other, in the order that a semaphore of the tile keeps.
 *
 * Launch: n / 128 by m / 128 by splits blocks of 384 threads; dynamic shared memory of 4 * 32768 + 1024 bytes.
 *
 * left        tensor map of f16, m rows of k elements, boxes of 64 by 128, swizzled by 128 bytes
 * right       tensor map of f16, n rows of k elements (the columns of right), boxes of 64 by 128, swizzled likewise
 * target      f32, m rows of n elements
 * semaphores  int, one for each tile, 0 before and after
 * part        the products of a sum that a block makes, k / splits, a multiple of 64
 */
#include "asynchronous.cuh"
#include "further_products.cuh"
#include <cuda.h>

#define STAGES 4

extern "C" __global__ void __launch_bounds__(384, 1)
    split_product(const __grid_constant__ CUtensorMap left, const __grid_constant__ CUtensorMap right, float *target,
                  int *semaphores, int n, int part)
{
    extern __shared__ char dynamic[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    char *stages = dynamic + (1024 - (shared_address(dynamic) & 1023)) % 1024;
    int steps = part / 64, group = threadIdx.x / 128;
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
                char *here = stages + stage * 32768;
                int from = blockIdx.z * part + step * 64;
                barrier_wait(&empty[stage], parity ^ 1);
                barrier_expect(&full[stage], 32768);
                tensor_load(here, &left, from, blockIdx.y * 128, &full[stage]);
                tensor_load(here + 16384, &right, from, blockIdx.x * 128, &full[stage]);
                if (++stage == STAGES) {
                    stage = 0;
                    parity ^= 1;
                }
            }
        return;
    }
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    float sums[64] = {};
    for (int step = 0; step < steps; step++) {
        barrier_wait(&full[stage], parity);
        uint32_t here = shared_address(stages + stage * 32768);
        uint64_t a = tile_descriptor(here + (group - 1) * 8192), b = tile_descriptor(here + 16384);
        products_fence();
#pragma unroll
        for (int i = 0; i < 4; i++)
            matrix_product<128>(sums, a + 2 * i, b + 2 * i);
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
    float *to = target + (size_t)row * n + blockIdx.x * 128 + lane % 4 * 2;
    int *semaphore = semaphores + blockIdx.y * gridDim.x + blockIdx.x;
    if (blockIdx.z > 0) {
        if (threadIdx.x == 128) {
            int turn;
            do
                asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(turn) : "l"(semaphore) : "memory");
            while (turn != (int)blockIdx.z);
        }
        asm volatile("bar.sync 1, 256;" ::: "memory");
#pragma unroll
        for (int i = 0; i < 16; i++) {
            float2 above = __ldcg((float2 *)(to + i * 8)), below = __ldcg((float2 *)(to + (size_t)8 * n + i * 8));
            sums[4 * i] += above.x;
            sums[4 * i + 1] += above.y;
            sums[4 * i + 2] += below.x;
            sums[4 * i + 3] += below.y;
        }
    }
    store_sums(to, n, sums, 1);
    __threadfence();
    asm volatile("bar.sync 1, 256;" ::: "memory");
    if (threadIdx.x == 128) {
        int next = blockIdx.z + 1 == gridDim.z ? 0 : blockIdx.z + 1;
        asm volatile("st.release.gpu.global.b32 [%0], %1;" ::"l"(semaphore), "r"(next) : "memory");
    }
}
