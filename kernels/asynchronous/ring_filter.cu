/*
 * A filter of nine taps; four warps bring tiles by asynchronous copies of 16 bytes, which arrive at mbarriers, and four
 * others filter them.
 *
 * Launch: one dimension, blocks of 256 threads, each for every gridDim.x-th tile of 1,024 elements.
 *
 * source  f32, 1024 * tiles + 16 elements
 * taps    f32, 9
 * target  f32, 1024 * tiles elements
 */
#include "asynchronous.cuh"

#define RING 4
#define TILE 1040

__device__ static inline void copy_quad(void *target, const void *source)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(target)), "l"(source) : "memory");
}

/* Arrives when this thread's copies so far are there. */
__device__ static inline void copies_arrive(uint64_t *barrier)
{
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(shared_address(barrier)) : "memory");
}

extern "C" __global__ void __launch_bounds__(256) ring_filter(const float *__restrict__ source, const float *__restrict__ taps,
                                                              float *__restrict__ target, int tiles)
{
    __shared__ __align__(128) float ring[RING * TILE];
    __shared__ uint64_t full[RING], empty[RING];
    if (threadIdx.x == 0) {
        for (int s = 0; s < RING; s++) {
            barrier_init(&full[s], 128);
            barrier_init(&empty[s], 4);
        }
        barriers_ready();
    }
    __syncthreads();
    int stage = 0, thread = threadIdx.x % 128;
    unsigned parity = 0;
    if (threadIdx.x >= 128) {
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            const float *from = source + (size_t)tile * 1024 + thread * 4;
            float *to = ring + stage * TILE + thread * 4;
            barrier_wait(&empty[stage], parity ^ 1);
            copy_quad(to, from);
            copy_quad(to + 512, from + 512);
            if (thread < 4)
                copy_quad(to + 1024, from + 1024);
            copies_arrive(&full[stage]);
            if (++stage == RING) {
                stage = 0;
                parity ^= 1;
            }
        }
        return;
    }
    float factors[9];
#pragma unroll
    for (int i = 0; i < 9; i++)
        factors[i] = taps[i];
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        barrier_wait(&full[stage], parity);
        float *to = target + (size_t)tile * 1024 + thread;
        const float *here = ring + stage * TILE + thread;
        float sums[8];
#pragma unroll
        for (int i = 0; i < 8; i++) {
            sums[i] = 0;
#pragma unroll
            for (int j = 0; j < 9; j++)
                sums[i] += factors[j] * here[i * 128 + j];
        }
        __syncwarp();
        if (thread % 32 == 0)
            barrier_arrive(&empty[stage]);
#pragma unroll
        for (int i = 0; i < 8; i++)
            to[i * 128] = sums[i];
        if (++stage == RING) {
            stage = 0;
            parity ^= 1;
        }
    }
}
