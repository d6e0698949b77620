/*
 * A step of the seven-point stencil; the tiles with their neighbours come by tensor copies of three dimensions.
 *
 * Launch: one dimension, blocks of 256 threads, each for every gridDim.x-th tile of 32 by 8 by 8 points.
 *
 * map     tensor map of the source: f32, nz planes of ny rows of nx points, boxes of 40 by 10 by 10
 * target  f32, nz planes of ny rows of nx points; nx is a multiple of 32, ny and nz of 8
 */
#include "asynchronous.cuh"
#include <cuda.h>

#define RING 2
#define BOX 4000
/* Places of boxes are multiples of 128 bytes. */
#define PLACE 4000

__device__ static inline void volume_load(void *target, const void *map, int x, int y, int z, uint64_t *barrier)
{
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], "
                 "[%2];" ::"r"(shared_address(target)),
                 "l"(map), "r"(shared_address(barrier)), "r"(x), "r"(y), "r"(z)
                 : "memory");
}

extern "C" __global__ void __launch_bounds__(256) volume_stencil(const __grid_constant__ CUtensorMap map,
                                                                 float *__restrict__ target, int nx, int ny, int nz)
{
    __shared__ __align__(128) float ring[RING * PLACE];
    __shared__ uint64_t full[RING];
    int wide = nx / 32, high = ny / 8, tiles = wide * high * (nz / 8);
    if (threadIdx.x == 0) {
        for (int s = 0; s < RING; s++)
            barrier_init(&full[s], 1);
        barriers_ready();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        for (int s = 0; s < RING; s++) {
            int tile = blockIdx.x + s * gridDim.x;
            if (tile < tiles) {
                barrier_expect(&full[s], BOX * sizeof(float));
                volume_load(ring + s * PLACE, &map, tile % wide * 32 - 4, tile / wide % high * 8 - 1,
                            tile / (wide * high) * 8 - 1, &full[s]);
            }
        }
    int stage = 0;
    unsigned parity = 0;
    int x = threadIdx.x % 32, y = threadIdx.x / 32;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        barrier_wait(&full[stage], parity);
        const float *here = ring + stage * PLACE + (y + 1) * 40 + x + 4;
        float *to = target + ((size_t)(tile / (wide * high) * 8) * ny + tile / wide % high * 8 + y) * nx + tile % wide * 32 + x;
        float below = here[0], middle = here[400];
#pragma unroll
        for (int i = 0; i < 8; i++) {
            const float *point = here + (i + 1) * 400;
            float above = point[400];
            to[(size_t)i * ny * nx] = 0.1f * (point[-1] + point[1] + point[-40] + point[40] + below + above) - middle;
            below = middle;
            middle = above;
        }
        __syncthreads();
        int next = tile + RING * gridDim.x;
        if (threadIdx.x == 0 && next < tiles) {
            barrier_expect(&full[stage], BOX * sizeof(float));
            volume_load(ring + stage * PLACE, &map, next % wide * 32 - 4, next / wide % high * 8 - 1,
                        next / (wide * high) * 8 - 1, &full[stage]);
        }
        if (++stage == RING) {
            stage = 0;
            parity ^= 1;
        }
    }
}
