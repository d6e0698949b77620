/*
 * How far blocks drift apart that load the same, by their number on a multiprocessor, by waves, and by trips; and what
 * threads load that walk along rows of their own.
 * Runs the kernels below: usage in ../../h200/traffic/harness.cuh.  nvcc -O3 -arch=sm_90 -o drift drift.cu
 *
 * tiles_16   a block of 256 threads goes through `trips` steps of two panels, by its place along x and along y; a step of
 *            a panel is 16 rows of 16 numbers; multiplies `work` times in between
 * wide_32    the same in blocks of 1024 threads, 32 rows of 32 numbers
 * rows_U     a thread goes along a row of its own, from its `phase` times its number on; U iterations are unrolled
 * both_U     the same, beside a row that all threads of the block go across
 * mma, wmma  products of 2048 x 2048 x 1024 of kernels/matmul_mma.cu and matmul_wmma.cu
 */
#include "../../h200/traffic/harness.cuh"

#include "../../../kernels/matmul_mma.cu"
#include "../../../kernels/matmul_wmma.cu"

#include <initializer_list>

template <int W, int T, bool STEP>
__device__ __forceinline__ void go_tiles(const float *a, float *out, int trips, int work)
{
    __shared__ float tile[T];
    int t = threadIdx.x, pitch = trips * W, rows = T / W;
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

extern "C" __global__ void tiles_16(const float *a, float *out, int trips, int work, int)
{
    go_tiles<16, 256, false>(a, out, trips, work);
}
extern "C" __global__ void tiles_step_16(const float *a, float *out, int trips, int work, int)
{
    go_tiles<16, 256, true>(a, out, trips, work);
}
extern "C" __global__ void wide_32(const float *a, float *out, int trips, int work, int)
{
    go_tiles<32, 1024, false>(a, out, trips, work);
}
extern "C" __global__ void wide_step_32(const float *a, float *out, int trips, int work, int)
{
    go_tiles<32, 1024, true>(a, out, trips, work);
}

template <int U, bool BOTH>
__device__ __forceinline__ void go_rows(const float *a, float *out, int trips, int pitch, int phase)
{
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x, all = gridDim.x * (long long)blockDim.x;
    const float *row = a + i * pitch + (i * phase) % 8, *column = a + all * pitch + i;
    float sum = 0;
#pragma unroll U
    for (int k = 0; k < trips; k++)
        sum += BOTH ? row[k] * column[k * all] : row[k];
    out[i] = sum;
}

#define ROWS(U)                                                                                    \
    extern "C" __global__ void rows_##U(const float *a, float *out, int trips, int pitch, int phase) \
    {                                                                                              \
        go_rows<U, false>(a, out, trips, pitch, phase);                                            \
    }                                                                                              \
    extern "C" __global__ void both_##U(const float *a, float *out, int trips, int pitch, int phase) \
    {                                                                                              \
        go_rows<U, true>(a, out, trips, pitch, phase);                                             \
    }
ROWS(1)
ROWS(4)
ROWS(8)

static long long doubles()
{
    return 1ll << 27;
}

static const void *pointer_of(const char *name)
{
#define ONE(NAME)                                                                                  \
    if (!strcmp(name, #NAME))                                                                      \
        return (const void *)NAME;
    ONE(tiles_16)
    ONE(tiles_step_16)
    ONE(wide_32)
    ONE(wide_step_32)
    ONE(rows_1)
    ONE(rows_4)
    ONE(rows_8)
    ONE(both_1)
    ONE(both_4)
    ONE(both_8)
    if (!strcmp(name, "mma"))
        return (const void *)matmul_mma;
    if (!strcmp(name, "wmma"))
        return (const void *)matmul_wmma;
    return nullptr;
}

static void go(const configuration &c)
{
    const float *from = (const float *)a, *other = from + (1 << 22);
    float *to = (float *)b;
    int x = (int)c.size[0], y = (int)c.size[1], z = (int)c.size[2];
    void *five[] = {&from, &to, &x, &y, &z};
    void *six[] = {&from, &other, &to, &x, &y, &z};
    bool product = strstr(c.kernel, "mma");
    cudaLaunchKernel(pointer_of(c.kernel), dim3(c.grid[0], c.grid[1], c.grid[2]),
                     dim3(c.block[0], c.block[1], c.block[2]), product ? six : five, c.shared, 0);
}

static int shared_for(int resident)
{
    return resident ? 200 * 1024 / resident - 2048 : 0;
}

static void list()
{
    for (const char *kernel : {"tiles_16", "tiles_step_16"}) {
        for (int trips : {2, 4, 8, 16, 32})
            configurations.push_back({kernel, {256, 1, 1}, {129, 129, 1}, {trips, 64, 0}, 0});
        for (int trips : {4, 16})
            configurations.push_back({kernel, {256, 1, 1}, {65, 64, 1}, {trips, 64, 0}, 0});
        for (int resident : {1, 2, 4})
            for (int waves : {1, 4, 16})
                configurations.push_back({kernel, {256, 1, 1}, {66, 2 * waves * resident, 1}, {64, 64, 0}, shared_for(resident)});
    }
    for (const char *kernel : {"wide_32", "wide_step_32"})
        for (int resident : {1, 2})
            for (int waves : {1, 4, 16})
                configurations.push_back({kernel, {1024, 1, 1}, {66, 2 * waves * resident, 1}, {64, 64, 0}, resident == 1 ? shared_for(1) : 0});
    for (const char *kernel : {"tiles_step_16", "wide_step_32"}) /* blocks alone on a multiprocessor, of few trips */
        for (int trips : {3, 8, 24})
            for (int rows : {1, 4, 16}) {
                configurations.push_back({kernel, {kernel[0] == 't' ? 256 : 1024, 1, 1}, {8, rows, 1}, {trips, 64, 0}, 0});
            }
    for (const char *kernel : {"mma", "wmma"})
        for (int resident : {1, 2, 4, 8, 0})
            configurations.push_back({kernel, {32, 4, 1}, {kernel[0] == 'm' ? 256 : 128, 32, 1}, {2048, 2048, 1024}, shared_for(resident)});
    for (const char *kernel : {"rows_1", "rows_4", "rows_8", "both_1", "both_4", "both_8"})
        for (int phase : {0, 1}) {
            configurations.push_back({kernel, {64, 1, 1}, {102, 1, 1}, {1024, 2048, phase}, 0});
            configurations.push_back({kernel, {256, 1, 1}, {132, 1, 1}, {1024, 2048, phase}, 0});
        }
}
