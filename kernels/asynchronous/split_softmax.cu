/*
 * Softmax of rows: a warp brings rows to shared memory by bulk copies, eight others compute.
 *
 * Launch: one dimension, blocks of 288 threads, each for every gridDim.x-th row.
 *
 * source, target   f32, `rows` rows of 3584 elements
 */
#include "asynchronous.cuh"

#define RING 3

__device__ static inline void consumers_wait() { asm volatile("bar.sync 1, 256;" ::: "memory"); }

extern "C" __global__ void __launch_bounds__(288) split_softmax(const float *__restrict__ source,
                                                                float *__restrict__ target, int rows)
{
    __shared__ __align__(128) float ring[RING * 3584];
    __shared__ uint64_t full[RING], empty[RING];
    __shared__ float greatest[8], sums[8];
    const int length = 3584;
    if (threadIdx.x == 0) {
        for (int s = 0; s < RING; s++) {
            barrier_init(&full[s], 1);
            barrier_init(&empty[s], 8);
        }
        barriers_ready();
    }
    __syncthreads();
    int stage = 0;
    unsigned parity = 0;
    if (threadIdx.x >= 256) {
        if (threadIdx.x == 256)
            for (int row = blockIdx.x; row < rows; row += gridDim.x) {
                barrier_wait(&empty[stage], parity ^ 1);
                barrier_expect(&full[stage], length * sizeof(float));
                bulk_load(ring + stage * length, source + (size_t)row * length, length * sizeof(float), &full[stage]);
                if (++stage == RING) {
                    stage = 0;
                    parity ^= 1;
                }
            }
        return;
    }
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        float values[14], most = -INFINITY, sum = 0;
        barrier_wait(&full[stage], parity);
#pragma unroll
        for (int i = 0; i < 14; i++)
            values[i] = ring[stage * length + i * 256 + threadIdx.x];
        __syncwarp();
        if (lane == 0)
            barrier_arrive(&empty[stage]);
#pragma unroll
        for (int i = 0; i < 14; i++)
            most = fmaxf(most, values[i]);
#pragma unroll
        for (int half = 16; half > 0; half /= 2)
            most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, half));
        if (lane == 0)
            greatest[warp] = most;
        consumers_wait();
#pragma unroll
        for (int i = 0; i < 8; i++)
            most = fmaxf(most, greatest[i]);
#pragma unroll
        for (int i = 0; i < 14; i++) {
            values[i] = __expf(values[i] - most);
            sum += values[i];
        }
#pragma unroll
        for (int half = 16; half > 0; half /= 2)
            sum += __shfl_xor_sync(0xffffffff, sum, half);
        if (lane == 0)
            sums[warp] = sum;
        consumers_wait();
        sum = 0;
#pragma unroll
        for (int i = 0; i < 8; i++)
            sum += sums[i];
        float scale = 1 / sum;
#pragma unroll
        for (int i = 0; i < 14; i++)
            target[(size_t)row * length + i * 256 + threadIdx.x] = values[i] * scale;
        if (++stage == RING) {
            stage = 0;
            parity ^= 1;
        }
    }
}
