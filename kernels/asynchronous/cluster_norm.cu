/*
 * Normalizes long rows: a cluster of four blocks has a row, and sums over it through distributed shared memory.
 *
 * Launch: 4 * rows blocks of 256 threads, in clusters of 4.
 *
 * source, target   f32, rows of 16384 elements
 */
#include "asynchronous.cuh"

__device__ static inline float other_block(const float *place, unsigned rank)
{
    uint32_t there;
    float value;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(place)), "r"(rank));
    asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(value) : "r"(there) : "memory");
    return value;
}

__device__ static inline void cluster_wait()
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n"
                 "barrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
}

extern "C" __global__ void __cluster_dims__(4) __launch_bounds__(256)
    cluster_norm(const float *__restrict__ source, float *__restrict__ target)
{
    __shared__ float parts[2][8];
    __shared__ float sums[2];
    const float4 *from = (const float4 *)source + (size_t)blockIdx.x * 1024 + threadIdx.x;
    float4 *to = (float4 *)target + (size_t)blockIdx.x * 1024 + threadIdx.x;
    float4 values[4];
    float sum = 0, squares = 0;
#pragma unroll
    for (int i = 0; i < 4; i++)
        values[i] = from[256 * i];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        sum += values[i].x + values[i].y + values[i].z + values[i].w;
        squares += values[i].x * values[i].x + values[i].y * values[i].y + values[i].z * values[i].z +
                   values[i].w * values[i].w;
    }
#pragma unroll
    for (int half = 16; half > 0; half /= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, half);
        squares += __shfl_xor_sync(0xffffffff, squares, half);
    }
    if (threadIdx.x % 32 == 0) {
        parts[0][threadIdx.x / 32] = sum;
        parts[1][threadIdx.x / 32] = squares;
    }
    __syncthreads();
    if (threadIdx.x < 2) {
        float all = 0;
        for (int i = 0; i < 8; i++)
            all += parts[threadIdx.x][i];
        sums[threadIdx.x] = all;
    }
    cluster_wait();
    sum = squares = 0;
#pragma unroll
    for (unsigned rank = 0; rank < 4; rank++) {
        sum += other_block(&sums[0], rank);
        squares += other_block(&sums[1], rank);
    }
    cluster_wait();
    float mean = sum / 16384, scale = rsqrtf(squares / 16384 - mean * mean + 1e-5f);
#pragma unroll
    for (int i = 0; i < 4; i++)
        to[256 * i] = make_float4((values[i].x - mean) * scale, (values[i].y - mean) * scale,
                                  (values[i].z - mean) * scale, (values[i].w - mean) * scale);
}
