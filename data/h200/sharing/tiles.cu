/*
 * What blocks load of panels that other blocks load too, by the width of the panels: how much comes from L2 again.
 * Runs the kernel below: usage in ../traffic/harness.cuh.  nvcc -O3 -arch=sm_90 -I ../traffic -o tiles tiles.cu
 *
 * tiles_W  a block of 256 threads goes through `trips` steps of two panels, by its place along x and along y; a step of a
 *          panel is 256 / W rows of W numbers, of which the next step is the continuation; multiplies `work` times in between
 */
#include "harness.cuh"

#include <initializer_list>

template <int W, bool STEP>
__device__ __forceinline__ void go_tiles(const float *a, float *out, int trips, int work)
{
    __shared__ float tile[256];
    int t = threadIdx.x, pitch = trips * W, rows = 256 / W;
    const float *row = a + ((long long)blockIdx.y * rows + t / W) * pitch + t % W;
    const float *column = a + (((long long)gridDim.y + blockIdx.x) * rows + t / W) * pitch + t % W;
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < trips; i++) {
        float x = row[i * W], y = column[i * W];
        if (STEP) {
            tile[t] = x;
            __syncthreads();
            x = tile[t ^ 1];
        }
#pragma unroll 4
        for (int k = 0; k < work; k++)
            sum = sum * x + y;
        sum += x * y;
        if (STEP)
            __syncthreads();
    }
    if (sum == -1.0f)
        out[blockIdx.x] = sum;
}

#define TILES(W)                                                                                   \
    extern "C" __global__ void tiles_##W(const float *a, float *out, int trips, int work)          \
    {                                                                                              \
        go_tiles<W, false>(a, out, trips, work);                                                   \
    }                                                                                              \
    extern "C" __global__ void tiles_step_##W(const float *a, float *out, int trips, int work)     \
    {                                                                                              \
        go_tiles<W, true>(a, out, trips, work);                                                    \
    }
TILES(8)
TILES(16)
TILES(32)

static long long doubles()
{
    return 1ll << 28;
}

static const void *pointer_of(const char *name)
{
#define ONE(W)                                                                                     \
    if (!strcmp(name, "tiles_" #W))                                                                \
        return (const void *)tiles_##W;                                                            \
    if (!strcmp(name, "tiles_step_" #W))                                                           \
        return (const void *)tiles_step_##W;
    ONE(8)
    ONE(16)
    ONE(32)
    return nullptr;
}

static void go(const configuration &c)
{
    const float *from = (const float *)a;
    float *to = (float *)b;
    int x = (int)c.size[0], y = (int)c.size[1];
    void *four[] = {&from, &to, &x, &y};
    cudaLaunchKernel(pointer_of(c.kernel), dim3(c.grid[0], c.grid[1], c.grid[2]),
                     dim3(c.block[0], c.block[1], c.block[2]), four, c.shared, 0);
}

static void list()
{
    for (const char *kernel : {"tiles_8", "tiles_16", "tiles_32", "tiles_step_8", "tiles_step_16", "tiles_step_32"})
        for (int work : {8, 64, 512})
            for (int shape = 0; shape < 6; shape++) {
                int gx[] = {33, 33, 33, 65, 129, 129}, gy[] = {32, 128, 512, 64, 129, 129}, trips[] = {64, 64, 64, 64, 64, 256};
                if (work == 512 && shape > 3)
                    continue;
                configurations.push_back({kernel, {256, 1, 1}, {gx[shape], gy[shape], 1}, {trips[shape], work, 0}, 0});
            }
}
