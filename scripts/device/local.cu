// What L2 writes to device memory of local memory: stack arrays and spilled registers of many footprints.
//
// usage: local
// Each configuration runs five times, the fifth for a profiler (--profile-from-start off).  Prints a line of JSON for
// each.  Stores go to a local array of a thread, or, beside it, to global memory laid out as local memory is: word l
// of the 32 lanes of a warp is one line.
#include "check.cuh"
#include <cstdio>
#include <cstdlib>
#include <cuda_profiler_api.h>

enum { THREADS = 128, MULTIPROCESSORS = 132 };

// Stores each word once, then one of them is read.
template <int W> __global__ void __launch_bounds__(THREADS, 16) once(const float *a, float *out, int n, int at)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    float s[W];
#pragma unroll 1
    for (int l = 0; l < W; l++)
        s[l] = i + l;
    out[i] = s[at];
}

// Loads and stores each word, round after round.
template <int W> __global__ void __launch_bounds__(THREADS, 16) rounds(const float *a, float *out, int n, int turns)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    float s[W];
#pragma unroll 1
    for (int l = 0; l < W; l++)
        s[l] = i + l;
#pragma unroll 1
    for (int r = 0; r < turns; r++)
#pragma unroll 1
        for (int l = 0; l < W; l++)
            s[l] = s[l] * 0.5f + r;
    out[i] = s[turns % W];
}

// The same in global memory.
template <int W> __global__ void __launch_bounds__(THREADS, 16) global_rounds(float *g, float *out, int n, int turns)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    float *s = g + (size_t)(i / 32) * (32 * W) + i % 32;
#pragma unroll 1
    for (int l = 0; l < W; l++)
        s[l * 32] = i + l;
#pragma unroll 1
    for (int r = 0; r < turns; r++)
#pragma unroll 1
        for (int l = 0; l < W; l++)
            s[l * 32] = s[l * 32] * 0.5f + r;
    out[i] = s[turns % W * 32];
}

template <int W> __global__ void __launch_bounds__(THREADS, 16) global_once(float *g, float *out, int n, int at)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    float *s = g + (size_t)(i / 32) * (32 * W) + i % 32;
#pragma unroll 1
    for (int l = 0; l < W; l++)
        s[l * 32] = i + l;
    out[i] = at;
}

// Loads a number a word and stores it, then goes on in the first `turns` words of a stride.
template <int W> __global__ void __launch_bounds__(THREADS, 16) filled(const float *a, float *out, int n, int turns)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    float s[W], sum = 0;
#pragma unroll 4
    for (int l = 0; l < W; l++)
        s[l] = a[(size_t)l * n + i];
#pragma unroll 1
    for (int r = 0; r < turns; r++) {
        int at = r * 3 % W;
        sum += s[at];
        s[at] = sum * 0.5f;
    }
    out[i] = sum;
}

// Values in more registers than a thread has.
template <int V> __device__ __forceinline__ void turn_values(const float *a, float *out, int n, int turns)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    float s[V];
#pragma unroll
    for (int l = 0; l < V; l++)
        s[l] = a[(size_t)(l % 8) * n + i] + l;
    for (int r = 0; r < turns; r++) {
#pragma unroll
        for (int l = 0; l < V; l++)
            s[l] = s[l] * 0.75f + s[(l + 11) % V] * 0.125f;
    }
    float sum = 0;
#pragma unroll
    for (int l = 0; l < V; l++)
        sum += s[l];
    out[i] = sum;
}

template <int V> __global__ void __launch_bounds__(256, 4) spilled(const float *a, float *out, int n, int turns)
{
    turn_values<V>(a, out, n, turns);
}

// The same with as many registers as let B blocks be resident.
template <int V, int B> __global__ void __launch_bounds__(128, B) bounded(const float *a, float *out, int n, int turns)
{
    turn_values<V>(a, out, n, turns);
}

// Transposition of n x n: tiles of 32 x 32 by 32 x 8 threads, stores down columns.
__global__ void turned(const float *a, float *out, int n, int)
{
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int y = blockIdx.y * 32 + threadIdx.y; y < min(n, (int)blockIdx.y * 32 + 32); y += 8)
        if (x < n)
            out[(size_t)x * n + y] = a[(size_t)y * n + x];
}

// The same through shared memory.
__global__ void turned_tile(const float *a, float *out, int n, int)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int r = 0; r < 32; r += 8)
        if (x < n && y + r < n)
            tile[threadIdx.y + r][threadIdx.x] = a[(size_t)(y + r) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int r = 0; r < 32; r += 8)
        if (x < n && y + r < n)
            out[(size_t)(y + r) * n + x] = tile[threadIdx.x][threadIdx.y + r];
}

__global__ void copied(const float *a, float *out, int n, int)
{
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int y = blockIdx.y * 32 + threadIdx.y; y < min(n, (int)blockIdx.y * 32 + 32); y += 8)
        if (x < n)
            out[(size_t)y * n + x] = a[(size_t)y * n + x];
}

static float *in, *other;

template <class... T>
static void run(const char *name, void (*kernel)(T...), int words, int threads_y, dim3 grid, int shared, int turns, int n)
{
    dim3 block = threads_y ? dim3(32, threads_y) : dim3(THREADS);
    cudaFuncAttributes attributes;
    int resident;
    CHECK(cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    CHECK(cudaFuncGetAttributes(&attributes, (const void *)kernel));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, block.x * block.y, shared));
    float *first = in, *second = other;
    void *arguments[] = {&first, &second, &n, &turns};
    for (int i = 0; i < 5; i++) {
        if (i == 4) {
            CHECK(cudaDeviceSynchronize());
            CHECK(cudaProfilerStart());
        }
        CHECK(cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared, 0));
        CHECK(cudaDeviceSynchronize());
        if (i == 4)
            CHECK(cudaProfilerStop());
    }
    printf("{\"kernel\": \"%s\", \"words\": %d, \"blocks\": %d, \"resident\": %d, \"turns\": %d, \"n\": %d, \"registers\": %d, "
           "\"local\": %d}\n",
           name, words, (int)(grid.x * grid.y), resident, turns, n, attributes.numRegs, (int)attributes.localSizeBytes);
    fflush(stdout);
}

template <int W> static void words()
{
    for (int resident : {8, 12, 16}) {
        int shared = resident == 16 ? 0 : resident == 12 ? 17 * 1024 : 26 * 1024;
        for (double waves : {1.0, 1.3, 3.0}) {
            int blocks = (int)(waves * resident * MULTIPROCESSORS), n = blocks * THREADS;
            if (resident == 12 && waves == 3.0)
                continue;
            run("once", once<W>, W, 0, dim3(blocks), shared, 0, n);
            run("rounds", rounds<W>, W, 0, dim3(blocks), shared, 20, n);
            if (waves != 1.0 || resident == 16)
                run("filled", filled<W>, W, 0, dim3(blocks), shared, 5 * W / 8, n);
            if (waves == 1.0) {
                run("filled", filled<W>, W, 0, dim3(blocks), shared, 0, n);
                run("global_once", global_once<W>, W, 0, dim3(blocks), shared, 0, n);
                run("global_rounds", global_rounds<W>, W, 0, dim3(blocks), shared, 20, n);
            }
        }
    }
}

template <int V> static void values()
{
    for (int blocks : {1056, 3907})
        run("spilled", spilled<V>, V, 0, dim3(blocks), 0, 60, blocks * THREADS);
}

template <int V, int B> static void bounds()
{
    for (int tenths : {10, 37}) {
        int blocks = B * MULTIPROCESSORS * tenths / 10;
        run("bounded", bounded<V, B>, V, 0, dim3(blocks), 0, 40, blocks * THREADS);
    }
}

int main()
{
    CHECK(cudaMalloc(&in, (size_t)1 << 30));
    CHECK(cudaMalloc(&other, (size_t)256 << 20));
    CHECK(cudaMemset(in, 0, (size_t)1 << 30));
    for (int n : {2000, 2048, 2200, 2400, 2480, 2500, 2560, 2700, 2816, 2900}) {
        dim3 grid((n + 31) / 32, (n + 31) / 32);
        run("turned", turned, 0, 8, grid, 0, 0, n);
        run("turned_tile", turned_tile, 0, 8, grid, 0, 0, n);
        run("copied", copied, 0, 8, grid, 0, 0, n);
    }
    words<16>();
    words<24>();
    words<28>();
    words<32>();
    words<40>();
    words<48>();
    words<64>();
    values<72>();
    values<80>();
    values<88>();
    values<96>();
    values<104>();
    values<112>();
    bounds<96, 8>();
    bounds<128, 8>();
    bounds<144, 8>();
    bounds<160, 8>();
    bounds<192, 8>();
    bounds<112, 5>();
    bounds<128, 5>();
    bounds<160, 5>();
    bounds<192, 5>();
    bounds<48, 12>();
    bounds<64, 12>();
    bounds<80, 12>();
    bounds<96, 12>();
    bounds<40, 16>();
    bounds<48, 16>();
    bounds<64, 16>();
    bounds<80, 16>();
    return 0;
}
