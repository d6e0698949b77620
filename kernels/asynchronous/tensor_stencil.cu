/*
 * A step of the five-point stencil; the tiles with their neighbours come by tensor copies.
 *
 * Launch: one dimension, blocks of 256 threads, each for every gridDim.x-th tile of 64 by 16 points.
 *
 * map     tensor map of the source: f32, ny rows of nx points, boxes of 72 by 18
 * target  f32, ny rows of nx points; nx is a multiple of 64, ny of 16
 */
#include "asynchronous.cuh"
#include <cuda.h>

#ifndef STAGES
#define STAGES 3
#endif
#define BOX (72 * 18)
/* Places of boxes are multiples of 128 bytes. */
#define PLACE ((BOX * 4 + 127) / 128 * 32)

extern "C" __global__ void __launch_bounds__(256) tensor_stencil(const __grid_constant__ CUtensorMap map,
                                                                  float *__restrict__ target, int nx, int ny)
{
    __shared__ __align__(128) float stages[STAGES * PLACE];
    __shared__ uint64_t full[STAGES];
    int wide = nx / 64, tiles = wide * (ny / 16);
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++)
            barrier_init(&full[s], 1);
        barriers_ready();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        for (int s = 0; s < STAGES; s++) {
            int tile = blockIdx.x + s * gridDim.x;
            if (tile < tiles) {
                barrier_expect(&full[s], BOX * sizeof(float));
                tensor_load(stages + s * PLACE, &map, tile % wide * 64 - 4, tile / wide * 16 - 1, &full[s]);
            }
        }
    int stage = 0;
    unsigned parity = 0;
    int x = threadIdx.x % 64, y = threadIdx.x / 64;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        barrier_wait(&full[stage], parity);
        const float *here = stages + stage * PLACE;
        float *to = target + (size_t)(tile / wide * 16) * nx + tile % wide * 64;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            int row = y + 4 * i;
            const float *point = here + (row + 1) * 72 + x + 4;
            to[(size_t)row * nx + x] = 0.25f * (point[-1] + point[1] + point[-72] + point[72]) - point[0];
        }
        __syncthreads();
        int next = tile + STAGES * gridDim.x;
        if (threadIdx.x == 0 && next < tiles) {
            barrier_expect(&full[stage], BOX * sizeof(float));
            tensor_load(stages + stage * PLACE, &map, next % wide * 64 - 4, next / wide * 16 - 1, &full[stage]);
        }
        if (++stage == STAGES) {
            stage = 0;
            parity ^= 1;
        }
    }
}
