/*
 * target = left right, of f16 with sums of f32: two blocks of a cluster have the same rows of left; each copies half of
 * them to both.
 *
 * Launch: n / 128 by m / 128 blocks of 384 threads, in clusters of 2; dynamic shared memory of 4 * 32768 + 1024 bytes.
 *
 * left    tensor map of f16, m rows of k elements, boxes of 64 by 64, swizzled by 128 bytes
 * right   tensor map of f16, n rows of k elements (the columns of right), boxes of 64 by 128, swizzled likewise
 * target  f32, m rows of n elements
 */
#include "asynchronous.cuh"
#include "further_products.cuh"
#include <cuda.h>

#define STAGES 4
/* Another, and each block's own copies (APART), for a comparison: scripts/device/cluster_arrivals.cu. */
#ifndef ARRIVAL
#define ARRIVAL "release.cluster."
#endif

__device__ static inline unsigned cluster_rank()
{
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

__device__ static inline void whole_cluster()
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n"
                 "barrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
}

__device__ static inline void arrive_at(uint64_t *barrier, unsigned rank)
{
    uint32_t there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(barrier)), "r"(rank));
    asm volatile("mbarrier.arrive." ARRIVAL "shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");
}

/* To the same place of all blocks of the mask, each of whose mbarriers at that place it completes on. */
__device__ static inline void tensor_multicast(void *target, const void *map, int x, int y, uint64_t *barrier, uint16_t mask)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, "
                 "{%3, %4}], [%2], %5;" ::"r"(shared_address(target)),
                 "l"(map), "r"(shared_address(barrier)), "r"(x), "r"(y), "h"(mask)
                 : "memory");
}

extern "C" __global__ void __cluster_dims__(2) __launch_bounds__(384, 1)
    multicast_product(const __grid_constant__ CUtensorMap left, const __grid_constant__ CUtensorMap right,
                      float *__restrict__ target, int n, int k)
{
    extern __shared__ char dynamic[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    char *stages = dynamic + (1024 - (shared_address(dynamic) & 1023)) % 1024;
    int steps = k / 64, group = threadIdx.x / 128;
    unsigned rank = cluster_rank();
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            barrier_init(&full[s], 1);
            barrier_init(&empty[s], 4);
        }
        barriers_ready();
    }
    whole_cluster();
    int stage = 0;
    unsigned parity = 0;
    if (group == 0) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 0)
            for (int step = 0; step < steps; step++) {
                char *here = stages + stage * 32768;
                barrier_wait(&empty[stage], parity ^ 1);
                barrier_expect(&full[stage], 32768);
#ifdef APART
                tensor_load(here, &left, step * 64, blockIdx.y * 128, &full[stage]);
                tensor_load(here + 8192, &left, step * 64, blockIdx.y * 128 + 64, &full[stage]);
#else
                tensor_multicast(here + rank * 8192, &left, step * 64, blockIdx.y * 128 + rank * 64, &full[stage], 3);
#endif
                tensor_load(here + 16384, &right, step * 64, blockIdx.x * 128, &full[stage]);
                if (++stage == STAGES) {
                    stage = 0;
                    parity ^= 1;
                }
            }
    } else {
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
            if (threadIdx.x % 128 < 2)
                arrive_at(&empty[stage], threadIdx.x % 128);
            if (++stage == STAGES) {
                stage = 0;
                parity ^= 1;
            }
        }
        int warp = threadIdx.x % 128 / 32, lane = threadIdx.x % 32;
        int row = blockIdx.y * 128 + (group - 1) * 64 + warp * 16 + lane / 4;
        store_sums(target + (size_t)row * n + blockIdx.x * 128 + lane % 4 * 2, n, sums, 1);
    }
    whole_cluster();
}
