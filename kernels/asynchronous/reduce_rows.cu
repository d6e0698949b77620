/*
 * Adds scaled rows to the rows of a smaller array: bulk copies bring them, bulk reductions add them.
 *
 * Launch: one dimension, blocks of 256 threads, each for every gridDim.x-th row.
 *
 * source   f32, `count` rows of 1024 elements
 * target   f32, `kept` rows of 1024 elements: source's row i is added to row i % kept
 */
#include "asynchronous.cuh"

#define RING 4

__device__ static inline void bulk_add(float *target, const float *source, unsigned bytes)
{
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::"l"(target),
                 "r"(shared_address(source)), "r"(bytes)
                 : "memory");
}

extern "C" __global__ void __launch_bounds__(256) reduce_rows(const float *__restrict__ source, float *target,
                                                              float factor, int count, int kept)
{
    __shared__ __align__(128) float rows[RING * 1024];
    __shared__ uint64_t full[RING];
    if (threadIdx.x == 0) {
        for (int s = 0; s < RING; s++)
            barrier_init(&full[s], 1);
        barriers_ready();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        for (int s = 0; s < RING - 1; s++) {
            int row = blockIdx.x + s * gridDim.x;
            if (row < count) {
                barrier_expect(&full[s], 4096);
                bulk_load(rows + s * 1024, source + (size_t)row * 1024, 4096, &full[s]);
            }
        }
    int stage = 0, before = RING - 1;
    unsigned parity = 0;
    for (int row = blockIdx.x; row < count; row += gridDim.x) {
        int next = row + (RING - 1) * gridDim.x;
        if (threadIdx.x == 0 && next < count) {
            bulk_wait_read<0>();
            barrier_expect(&full[before], 4096);
            bulk_load(rows + before * 1024, source + (size_t)next * 1024, 4096, &full[before]);
        }
        barrier_wait(&full[stage], parity);
        float4 *here = (float4 *)(rows + stage * 1024) + threadIdx.x;
        float4 value = *here;
        *here = make_float4(factor * value.x, factor * value.y, factor * value.z, factor * value.w);
        proxy_fence();
        __syncthreads();
        if (threadIdx.x == 0) {
            bulk_add(target + (size_t)(row % kept) * 1024, rows + stage * 1024, 4096);
            bulk_commit();
        }
        before = stage;
        if (++stage == RING) {
            stage = 0;
            parity ^= 1;
        }
    }
    if (threadIdx.x == 0)
        bulk_wait<0>();
}
