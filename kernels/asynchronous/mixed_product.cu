/*
 * target = left right, left of s8 and right of f16, with sums of f32: two warp groups turn left's bytes into f16 in
 * registers, from where wgmma takes them.
 *
 * Launch: n / 128 by m / 128 blocks of 288 threads; dynamic shared memory of 5 * 24576 + 1024 bytes.
 *
 * left    tensor map of bytes, m rows of k elements, boxes of 64 by 128, swizzled by 64 bytes
 * right   tensor map of f16, n rows of k elements (the columns of right), boxes of 64 by 128, swizzled by 128 bytes
 * target  f32, m rows of n elements
 */
#include "asynchronous.cuh"
#include "further_products.cuh"
#include <cuda.h>

#define STAGES 5
#define STAGE_BYTES 24576

/* Two bytes with a sign to two f16: 1024 + 128 + byte has the byte in its last bits. */
__device__ static inline uint32_t two_halves(uint32_t bytes)
{
    uint32_t spread, halves;
    asm("prmt.b32 %0, %1, %2, 0x5150;" : "=r"(spread) : "r"(bytes ^ 0x8080), "r"(0x64646464));
    asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(halves) : "r"(spread), "r"(0x64806480));
    return halves;
}

extern "C" __global__ void __launch_bounds__(288, 1)
    mixed_product(const __grid_constant__ CUtensorMap left, const __grid_constant__ CUtensorMap right,
                  float *__restrict__ target, int n, int k)
{
    extern __shared__ char dynamic[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    char *stages = dynamic + (1024 - (shared_address(dynamic) & 1023)) % 1024;
    int steps = k / 64, group = threadIdx.x / 128;
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            barrier_init(&full[s], 1);
            barrier_init(&empty[s], 8);
        }
        barriers_ready();
    }
    __syncthreads();
    int stage = 0;
    unsigned parity = 0;
    if (group == 2) {
        if (threadIdx.x == 256)
            for (int step = 0; step < steps; step++) {
                char *here = stages + stage * STAGE_BYTES;
                barrier_wait(&empty[stage], parity ^ 1);
                barrier_expect(&full[stage], STAGE_BYTES);
                tensor_load(here, &right, step * 64, blockIdx.x * 128, &full[stage]);
                tensor_load(here + 16384, &left, step * 64, blockIdx.y * 128, &full[stage]);
                if (++stage == STAGES) {
                    stage = 0;
                    parity ^= 1;
                }
            }
        return;
    }
    int warp = threadIdx.x % 128 / 32, lane = threadIdx.x % 32, row = group * 64 + warp * 16 + lane / 4;
    float sums[64] = {};
    for (int step = 0; step < steps; step++) {
        barrier_wait(&full[stage], parity);
        const char *here = stages + stage * STAGE_BYTES, *from = here + 16384 + row * 64 + lane % 4 * 2;
        uint64_t b = tile_descriptor(shared_address(here));
        uint32_t a[4][4];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            int place = (i ^ (row / 2 & 3)) * 16;
            a[i][0] = two_halves(*(const uint16_t *)(from + place));
            a[i][1] = two_halves(*(const uint16_t *)(from + place + 512));
            a[i][2] = two_halves(*(const uint16_t *)(from + place + 8));
            a[i][3] = two_halves(*(const uint16_t *)(from + place + 520));
        }
        products_fence();
#pragma unroll
        for (int i = 0; i < 4; i++)
            register_product(sums, a[i], b + 2 * i);
        products_commit();
        products_wait<0>();
        if (lane == 0)
            barrier_arrive(&empty[stage]);
        if (++stage == STAGES) {
            stage = 0;
            parity ^= 1;
        }
    }
    store_sums(target + (size_t)(blockIdx.y * 128 + row) * n + blockIdx.x * 128 + lane % 4 * 2, n, sums, 1);
}
