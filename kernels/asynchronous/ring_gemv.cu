/*
 * target = matrix vector for each matrix of a batch; tiles come by asynchronous copies of 16 bytes, in a ring.
 *
 * Launch: rows / 16 by batch blocks of 128 threads, a warp for four rows.
 *
 * matrices   f32, batch matrices of `rows` rows of `columns` elements; rows is a multiple of 16, columns of 128
 * vectors    f32, batch vectors of `columns` elements
 * target     f32, batch vectors of `rows` elements
 */
#include "asynchronous.cuh"

#define RING 3

__device__ static inline void copy_16(void *target, const void *source)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(target)), "l"(source) : "memory");
}

extern "C" __global__ void __launch_bounds__(128) ring_gemv(const float *__restrict__ matrices,
                                                            const float *__restrict__ vectors,
                                                            float *__restrict__ target, int rows, int columns)
{
    __shared__ __align__(128) float ring[RING][16 * 128];
    int steps = columns / 128, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const float *from = matrices + ((size_t)blockIdx.y * rows + blockIdx.x * 16 + warp) * columns + lane * 4;
    const float4 *vector = (const float4 *)(vectors + (size_t)blockIdx.y * columns) + lane;
    float sums[4] = {};

    for (int s = 0; s < RING - 1; s++) {
        if (s < steps)
            for (int i = 0; i < 4; i++)
                copy_16(&ring[s][(warp + 4 * i) * 128 + lane * 4], from + (size_t)4 * i * columns + s * 128);
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    int stage = 0, ahead = RING - 1;
    for (int step = 0; step < steps; step++) {
        asm volatile("cp.async.wait_group %0;" ::"n"(RING - 2) : "memory");
        __syncthreads();
        if (step + RING - 1 < steps)
            for (int i = 0; i < 4; i++)
                copy_16(&ring[ahead][(warp + 4 * i) * 128 + lane * 4],
                        from + (size_t)4 * i * columns + (step + RING - 1) * 128);
        asm volatile("cp.async.commit_group;" ::: "memory");
        float4 x = vector[step * 32];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            float4 a = *(const float4 *)&ring[stage][(warp + 4 * i) * 128 + lane * 4];
            sums[i] += a.x * x.x + a.y * x.y + a.z * x.z + a.w * x.w;
        }
        stage = stage == RING - 1 ? 0 : stage + 1;
        ahead = ahead == RING - 1 ? 0 : ahead + 1;
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
#pragma unroll
        for (int half = 16; half > 0; half /= 2)
            sums[i] += __shfl_xor_sync(0xffffffff, sums[i], half);
        if (lane == 0)
            target[(size_t)blockIdx.y * rows + blockIdx.x * 16 + warp + 4 * i] = sums[i];
    }
}
