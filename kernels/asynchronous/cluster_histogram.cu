/*
 * Counts numbers below 16,384: a cluster of eight blocks has the counts in its shared memory, 2,048 in each block.
 *
 * Launch: one dimension, blocks of 256 threads, in clusters of 8; each block takes every gridDim.x-th part of 2,048.
 *
 * source  u16, `parts` parts of 2,048 numbers
 * counts  u32, 16,384
 */
#include "asynchronous.cuh"

__device__ static inline void all_blocks()
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n"
                 "barrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
}

__device__ static inline void count_one(uint32_t counts, unsigned number)
{
    uint32_t there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(counts + number % 2048 * 4), "r"(number / 2048));
    asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], 1;" ::"r"(there) : "memory");
}

extern "C" __global__ void __cluster_dims__(8) __launch_bounds__(256)
    cluster_histogram(const uint4 *__restrict__ source, unsigned *counts, int parts)
{
    __shared__ unsigned own[2048];
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    for (int i = threadIdx.x; i < 2048; i += 256)
        own[i] = 0;
    all_blocks();
    uint32_t place = shared_address(own);
    for (int part = blockIdx.x; part < parts; part += gridDim.x) {
        uint4 numbers = source[(size_t)part * 256 + threadIdx.x];
        unsigned words[4] = {numbers.x, numbers.y, numbers.z, numbers.w};
#pragma unroll
        for (int i = 0; i < 4; i++) {
            count_one(place, words[i] & 0xffff);
            count_one(place, words[i] >> 16);
        }
    }
    all_blocks();
    for (int i = threadIdx.x; i < 2048; i += 256)
        if (own[i])
            atomicAdd(&counts[rank * 2048 + i], own[i]);
}
