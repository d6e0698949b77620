// The same sums of squares of a ring of tiles: copied beside the threads (cp.async), or by loads.
#include <cuda_pipeline.h>

template <bool BESIDE> __device__ void squares(const float4 *from, float *to, int tiles, float *tile)
{
    float4 *const ring = (float4 *)tile;
    float sum = 0;
    for (int t = 0; t < tiles + 2; t++) {
        const int slot = t % 3;
        if (BESIDE) {
            if (t < tiles)
                __pipeline_memcpy_async(&ring[slot * 256 + threadIdx.x], &from[(blockIdx.x * tiles + t) * 256 + threadIdx.x], 16);
            __pipeline_commit();
            __pipeline_wait_prior(2);
        } else if (t < tiles) {
            ring[slot * 256 + threadIdx.x] = from[(blockIdx.x * tiles + t) * 256 + threadIdx.x];
        }
        __syncthreads();
        if (t >= 2) {
            const float4 value = ring[(t - 2) % 3 * 256 + (threadIdx.x ^ 1)];
            sum += value.x * value.x + value.y * value.y + value.z * value.z + value.w * value.w;
        }
        __syncthreads();
    }
    to[blockIdx.x * 256 + threadIdx.x] = sum;
}

extern "C" __global__ void copied(const float4 *from, float *to, int tiles)
{
    __shared__ float4 ring[3 * 256];
    squares<true>(from, to, tiles, (float *)ring);
}

extern "C" __global__ void loaded(const float4 *from, float *to, int tiles)
{
    __shared__ float4 ring[3 * 256];
    squares<false>(from, to, tiles, (float *)ring);
}

// Copies that no launch with `wide` of 0 executes.
extern "C" __global__ void either(const float4 *from, float *to, int tiles, int wide)
{
    __shared__ float4 ring[3 * 256];
    if (wide)
        squares<true>(from, to, tiles, (float *)ring);
    else
        squares<false>(from, to, tiles, (float *)ring);
}

// A loop whose trips data decide, and that changes the time by little.
extern "C" __global__ void counted(const float4 *from, float *to, const int *counts, int tiles)
{
    __shared__ float4 ring[3 * 256];
    squares<false>(from, to, tiles, (float *)ring);
    float value = 1;
    for (int k = 0; k < counts[blockIdx.x]; k++)
        value = value * 0.75f + 0.5f;
    to[(gridDim.x + blockIdx.x) * 256 + threadIdx.x] = value;
}
