/*
 * What warps of a block, and blocks, load that others load too: how much of it comes from L2 again.
 * Runs the kernels below: usage in ../traffic/harness.cuh.  nvcc -O3 -arch=sm_90 -I ../traffic -o sharing sharing.cu
 *
 * march        a block of 32 x 8 threads goes through `trips` planes of its own: warp w loads rows w to w + halo of each,
 *              and `own` rows alone; march_step: the block waits for all its warps after each plane
 * panels       a block of 256 threads goes through `trips` rows of two panels, by its place along x and along y, and
 *              multiplies `work` times in between; panels_step: with barriers
 * passes       a block goes through a row of its own three times; passes_store: stores a row the third time
 * once         a block loads 256 numbers of its own and those of block b / group (or b mod period)
 */
#include "harness.cuh"

#include <initializer_list>

template <bool STEP>
__device__ __forceinline__ void go_march(const float *a, float *out, int trips, int halo, int own)
{
    int lane = threadIdx.x, w = threadIdx.y, rows = 8 + halo + 8 * own;
    const float *at = a + (long long)blockIdx.x * trips * rows * 32;
    float sum = 0;
    for (int i = 0; i < trips; i++, at += rows * 32) {
#pragma unroll 4
        for (int s = 0; s <= halo; s++)
            sum += at[(w + s) * 32 + lane];
#pragma unroll 4
        for (int s = 0; s < own; s++)
            sum += at[(8 + halo + w * own + s) * 32 + lane];
        if (STEP)
            __syncthreads();
    }
    if (sum == -1.0f)
        out[blockIdx.x] = sum;
}

extern "C" __global__ void march(const float *a, float *out, int trips, int halo, int own)
{
    go_march<false>(a, out, trips, halo, own);
}

extern "C" __global__ void march_step(const float *a, float *out, int trips, int halo, int own)
{
    go_march<true>(a, out, trips, halo, own);
}

template <bool STEP>
__device__ __forceinline__ void go_panels(const float *a, float *out, int trips, int work, int across)
{
    __shared__ float tile[256];
    int t = threadIdx.x;
    const float *row = a + (long long)blockIdx.y * trips * 256 + t;
    const float *column = a + ((long long)gridDim.y + blockIdx.x * (long long)across) * trips * 256 + t;
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < trips; i++) {
        float x = row[i * 256], y = column[i * 256];
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

extern "C" __global__ void panels(const float *a, float *out, int trips, int work, int across)
{
    go_panels<false>(a, out, trips, work, across);
}

extern "C" __global__ void panels_step(const float *a, float *out, int trips, int work, int across)
{
    go_panels<true>(a, out, trips, work, across);
}

template <bool STORE>
__device__ __forceinline__ void go_passes(const float *a, float *out, int count)
{
    __shared__ float part[256];
    const float *row = a + (long long)blockIdx.x * count;
    float most = 0, sum = 0;
    for (int i = threadIdx.x; i < count; i += 256)
        most = fmaxf(most, row[i]);
    part[threadIdx.x] = most;
    __syncthreads();
    most = part[threadIdx.x ^ 77];
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += 256)
        sum += row[i] * most;
    part[threadIdx.x] = sum;
    __syncthreads();
    sum = part[threadIdx.x ^ 77];
    for (int i = threadIdx.x; i < count; i += 256) {
        if (STORE)
            out[(long long)blockIdx.x * count + i] = row[i] * sum;
        else
            most += row[i] * sum;
    }
    if (most == -1.0f)
        out[blockIdx.x] = most;
}

extern "C" __global__ void passes(const float *a, float *out, int count)
{
    go_passes<false>(a, out, count);
}

extern "C" __global__ void passes_store(const float *a, float *out, int count)
{
    go_passes<true>(a, out, count);
}

extern "C" __global__ void once(const float *a, float *out, int group, int period)
{
    long long b = blockIdx.x, shared = period ? b % period : b / group;
    int t = threadIdx.x;
    out[b * 256 + t] = a[b * 256 + t] + a[(gridDim.x + shared) * 256 + t];
}

static long long doubles()
{
    return 1ll << 28; /* 2 GiB each */
}

static const void *pointer_of(const char *name)
{
    if (!strcmp(name, "march"))
        return (const void *)march;
    if (!strcmp(name, "march_step"))
        return (const void *)march_step;
    if (!strcmp(name, "panels"))
        return (const void *)panels;
    if (!strcmp(name, "panels_step"))
        return (const void *)panels_step;
    if (!strcmp(name, "passes"))
        return (const void *)passes;
    if (!strcmp(name, "passes_store"))
        return (const void *)passes_store;
    return (const void *)once;
}

static void go(const configuration &c)
{
    const float *from = (const float *)a;
    float *to = (float *)b;
    int x = (int)c.size[0], y = (int)c.size[1], z = (int)c.size[2];
    void *three[] = {&from, &to, &x, &y, &z};
    cudaLaunchKernel(pointer_of(c.kernel), dim3(c.grid[0], c.grid[1], c.grid[2]),
                     dim3(c.block[0], c.block[1], c.block[2]), three, c.shared, 0);
}

static void add(const char *kernel, int bx, int by, int gx, int gy, int resident, int x, int y, int z)
{
    configurations.push_back({kernel, {bx, by, 1}, {gx, gy, 1}, {x, y, z}, resident ? 200 * 1024 / resident - 2048 : 0});
}

static void list()
{
    for (const char *kernel : {"march", "march_step"}) {
        bool step = kernel[5] != 0;
        for (int trips : {16, 64, 256, 1024})
            for (int resident : {1, 3, 0}) {
                if (step && (trips != 256))
                    continue;
                int blocks = 132 * (resident ? resident : 8);
                if ((long long)trips * blocks * 16 * 128 < (3ll << 29))
                    add(kernel, 32, 8, blocks, 1, resident, trips, 8, 0);
                if ((long long)trips * blocks * 9 * 128 < (3ll << 29))
                    add(kernel, 32, 8, blocks, 1, resident, trips, 1, 0);
            }
        add(kernel, 32, 8, 132 * 4, 1, 4, 256, 1, 4);
        add(kernel, 32, 8, 132 * 4, 1, 4, 64, 1, 4);
        add(kernel, 32, 8, 132 * 4, 1, 4, 64, 1, 16);
        add(kernel, 32, 8, 132 * 16, 1, 4, 64, 8, 0);
        add(kernel, 32, 8, 132 * 4 + 50, 1, 4, 256, 8, 0);
    }
    for (const char *kernel : {"panels", "panels_step"}) {
        for (int work : {0, 32, 256, 2048}) /* what is shared along x alone, and along y too; one wave and four */
            for (int resident : {1, 4, 0})
                for (int waves : {1, 4, 16}) {
                    if ((waves == 16 && (work == 2048 || resident == 1)) || (work == 2048 && resident == 0))
                        continue;
                    add(kernel, 256, 1, 33, 4 * waves * (resident ? resident : 8), resident, 48, work, 1);
                }
        for (int gx : {2, 4, 8, 16, 66})
            add(kernel, 256, 1, gx, 4224 / gx, 0, 48, 32, 1);
        add(kernel, 256, 1, 33, 32, 0, 400, 32, 1);
        add(kernel, 256, 1, 33, 32, 0, 12, 32, 1);
        add(kernel, 256, 1, 33, 128, 0, 400, 32, 1);
        add(kernel, 256, 1, 33, 128, 0, 12, 32, 1);
        add(kernel, 64, 1, 33, 128, 0, 48, 32, 1);
        add(kernel, 1024, 1, 33, 32, 0, 48, 32, 1);
        add(kernel, 256, 1, 1056, 1, 0, 48, 256, 0);
        add(kernel, 256, 1, 391, 1, 3, 48, 2048, 0);
        add(kernel, 256, 1, 40, 1, 1, 48, 2048, 0);
    }
    for (const char *kernel : {"passes", "passes_store"})
        for (int count : {1000, 2000, 3000, 4000, 5000, 6000, 8000})
            add(kernel, 256, 1, 8000, 1, 0, count, 0, 0);
    for (int group : {1, 2, 4, 8, 16, 64, 188, 1024, 16384})
        add("once", 256, 1, 65536, 1, 0, group, 0, 0);
    for (int period : {66, 132, 188, 1024, 4096})
        add("once", 256, 1, 65536, 1, 0, 1, period, 0);
}
