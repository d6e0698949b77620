/*
 * target = factor * source, streamed through shared memory by bulk copies and mbarriers.
 * bulk_scale: threads store. bulk_scale_store: bulk copies store what the threads left in shared memory.
 *
 * Launch: one dimension, blocks of 256 threads, each for every gridDim.x-th tile; dynamic shared memory for STAGES
 * tiles.
 *
 * source, target   f32, `tiles` tiles of TILE elements
 */
#include "asynchronous.cuh"

#ifndef TILE
#define TILE 4096
#endif
#ifndef STAGES
#define STAGES 4
#endif

extern "C" __global__ void __launch_bounds__(256) bulk_scale(const float *__restrict__ source, float *__restrict__ target,
                                                              float factor, int tiles)
{
    extern __shared__ __align__(128) float stages[];
    __shared__ uint64_t full[STAGES];
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++)
            barrier_init(&full[s], 1);
        barriers_ready();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        for (int s = 0; s < STAGES; s++) {
            int tile = blockIdx.x + s * gridDim.x;
            if (tile < tiles) {
                barrier_expect(&full[s], TILE * sizeof(float));
                bulk_load(stages + s * TILE, source + (size_t)tile * TILE, TILE * sizeof(float), &full[s]);
            }
        }
    int stage = 0;
    unsigned parity = 0;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        barrier_wait(&full[stage], parity);
        const float4 *from = (const float4 *)(stages + stage * TILE);
        float4 *to = (float4 *)(target + (size_t)tile * TILE);
#pragma unroll
        for (int i = 0; i < TILE / 1024; i++) {
            float4 value = from[i * 256 + threadIdx.x];
            to[i * 256 + threadIdx.x] = make_float4(factor * value.x, factor * value.y, factor * value.z, factor * value.w);
        }
        __syncthreads();
        int next = tile + STAGES * gridDim.x;
        if (threadIdx.x == 0 && next < tiles) {
            barrier_expect(&full[stage], TILE * sizeof(float));
            bulk_load(stages + stage * TILE, source + (size_t)next * TILE, TILE * sizeof(float), &full[stage]);
        }
        if (++stage == STAGES) {
            stage = 0;
            parity ^= 1;
        }
    }
}

extern "C" __global__ void __launch_bounds__(256) bulk_scale_store(const float *__restrict__ source,
                                                                    float *__restrict__ target, float factor, int tiles)
{
    extern __shared__ __align__(128) float stages[];
    __shared__ uint64_t full[STAGES];
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++)
            barrier_init(&full[s], 1);
        barriers_ready();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        for (int s = 0; s < STAGES - 1; s++) {
            int tile = blockIdx.x + s * gridDim.x;
            if (tile < tiles) {
                barrier_expect(&full[s], TILE * sizeof(float));
                bulk_load(stages + s * TILE, source + (size_t)tile * TILE, TILE * sizeof(float), &full[s]);
            }
        }
    int stage = 0, before = STAGES - 1;
    unsigned parity = 0;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        int next = tile + (STAGES - 1) * gridDim.x;
        if (threadIdx.x == 0 && next < tiles) {
            bulk_wait_read<0>();
            barrier_expect(&full[before], TILE * sizeof(float));
            bulk_load(stages + before * TILE, source + (size_t)next * TILE, TILE * sizeof(float), &full[before]);
        }
        barrier_wait(&full[stage], parity);
        float4 *here = (float4 *)(stages + stage * TILE);
#pragma unroll
        for (int i = 0; i < TILE / 1024; i++) {
            float4 value = here[i * 256 + threadIdx.x];
            here[i * 256 + threadIdx.x] = make_float4(factor * value.x, factor * value.y, factor * value.z, factor * value.w);
        }
        proxy_fence();
        __syncthreads();
        if (threadIdx.x == 0) {
            bulk_store(target + (size_t)tile * TILE, here, TILE * sizeof(float));
            bulk_commit();
        }
        before = stage;
        if (++stage == STAGES) {
            stage = 0;
            parity ^= 1;
        }
    }
    if (threadIdx.x == 0)
        bulk_wait<0>();
}
