/*
 * Scales long rows by the root of their mean square: a cluster of eight blocks has a row, and each block sends its sum
 * to all of them by asynchronous stores, which complete on their mbarriers.
 *
 * Launch: 8 * rows blocks of 256 threads, in clusters of 8.
 *
 * source, target   f32, rows of 32,768 elements
 */
#include "asynchronous.cuh"

__device__ static inline uint32_t in_block(const void *place, unsigned rank)
{
    uint32_t there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(place)), "r"(rank));
    return there;
}

extern "C" __global__ void __cluster_dims__(8) __launch_bounds__(256)
    push_norm(const float *__restrict__ source, float *__restrict__ target)
{
    __shared__ float parts[8], sums[8];
    __shared__ uint64_t arrived;
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x == 0) {
        barrier_init(&arrived, 1);
        barriers_ready();
        barrier_expect(&arrived, sizeof sums);
    }
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    const float4 *from = (const float4 *)source + (size_t)blockIdx.x * 1024 + threadIdx.x;
    float4 *to = (float4 *)target + (size_t)blockIdx.x * 1024 + threadIdx.x;
    float4 values[4];
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 4; i++)
        values[i] = from[256 * i];
#pragma unroll
    for (int i = 0; i < 4; i++)
        sum += values[i].x * values[i].x + values[i].y * values[i].y + values[i].z * values[i].z + values[i].w * values[i].w;
#pragma unroll
    for (int half = 16; half > 0; half /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, half);
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = sum;
    __syncthreads();
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    if (threadIdx.x < 8) {
        float all = 0;
        for (int i = 0; i < 8; i++)
            all += parts[i];
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(
                         in_block(&sums[rank], threadIdx.x)),
                     "r"(__float_as_int(all)), "r"(in_block(&arrived, threadIdx.x))
                     : "memory");
    }
    barrier_wait(&arrived, 0);
    sum = 0;
#pragma unroll
    for (int i = 0; i < 8; i++)
        sum += sums[i];
    float scale = rsqrtf(sum / 32768 + 1e-5f);
#pragma unroll
    for (int i = 0; i < 4; i++)
        to[256 * i] = make_float4(values[i].x * scale, values[i].y * scale, values[i].z * scale, values[i].w * scale);
}
