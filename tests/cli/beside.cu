// The same sums of squares of a ring of tiles: by bulk copies beside the threads, by copies that each thread orders for
// itself (cp.async), or by loads.
#include "../../kernels/asynchronous/asynchronous.cuh"
#include <cuda_pipeline.h>

enum { THREADS = 256, SLOTS = 3 };
enum how { BULK, ORDERED, LOADED };

template <how HOW> __device__ void squares(const float4 *from, float *to, int tiles, float4 *ring)
{
    __shared__ uint64_t full[SLOTS];
    float sum = 0;
    if (HOW == BULK && threadIdx.x == 0) {
        for (int slot = 0; slot < SLOTS; slot++)
            barrier_init(&full[slot], 1);
        barriers_ready();
    }
    __syncthreads();
    for (int t = 0; t < tiles + 2; t++) {
        float4 *const tile = ring + t % SLOTS * THREADS;
        const float4 *const place = from + (blockIdx.x * tiles + t) * THREADS;
        if (HOW == BULK && t < tiles && threadIdx.x == 0) {
            barrier_expect(&full[t % SLOTS], THREADS * 16);
            bulk_load(tile, place, THREADS * 16, &full[t % SLOTS]);
        }
        if (HOW == ORDERED) {
            if (t < tiles)
                __pipeline_memcpy_async(&tile[threadIdx.x], &place[threadIdx.x], 16);
            __pipeline_commit();
            __pipeline_wait_prior(2);
        }
        if (HOW == LOADED && t < tiles)
            tile[threadIdx.x] = place[threadIdx.x];
        if (HOW == BULK && t >= 2)
            barrier_wait(&full[(t - 2) % SLOTS], (t - 2) / SLOTS & 1);
        __syncthreads();
        if (t >= 2) {
            const float4 value = ring[(t - 2) % SLOTS * THREADS + (threadIdx.x ^ 1)];
            sum += value.x * value.x + value.y * value.y + value.z * value.z + value.w * value.w;
        }
        __syncthreads();
    }
    to[blockIdx.x * THREADS + threadIdx.x] = sum;
}

extern "C" __global__ void bulk(const float4 *from, float *to, int tiles)
{
    __shared__ alignas(128) float4 ring[SLOTS * THREADS];
    squares<BULK>(from, to, tiles, ring);
}

extern "C" __global__ void ordered(const float4 *from, float *to, int tiles)
{
    __shared__ float4 ring[SLOTS * THREADS];
    squares<ORDERED>(from, to, tiles, ring);
}

extern "C" __global__ void loaded(const float4 *from, float *to, int tiles)
{
    __shared__ float4 ring[SLOTS * THREADS];
    squares<LOADED>(from, to, tiles, ring);
}

// Bulk copies that no launch with `wide` of 0 executes.
extern "C" __global__ void either(const float4 *from, float *to, int tiles, int wide)
{
    __shared__ alignas(128) float4 ring[SLOTS * THREADS];
    if (wide)
        squares<BULK>(from, to, tiles, ring);
    else
        squares<LOADED>(from, to, tiles, ring);
}

// A loop whose trips data decide, and that changes the time by little.
extern "C" __global__ void counted(const float4 *from, float *to, const int *counts, int tiles)
{
    __shared__ float4 ring[SLOTS * THREADS];
    squares<LOADED>(from, to, tiles, ring);
    float value = 1;
    for (int k = 0; k < counts[blockIdx.x]; k++)
        value = value * 0.75f + 0.5f;
    to[(gridDim.x + blockIdx.x) * THREADS + threadIdx.x] = value;
}
