// What a multiprocessor waits for, and gets of, L2 and device memory where few others ask: loads in flight of one
// batch, lanes on rows of their own, data that a launch before has loaded or stored, rows that lie far apart.
//
// usage: near
// Prints a line of JSON for each configuration: cycles of a round, median over the blocks' first warps of the fourth of
// four launches (median of 5 times), with the least and the most of the blocks.
#include "check.cuh"
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

enum { MOST_BLOCKS = 4096 };
static long long *cycles;
static float *memory, *sink;

// The cycles of a block's first warp since `from`.
__device__ __forceinline__ void stop(long long *out, long long from)
{
    if (threadIdx.x == 0)
        out[blockIdx.x] = clock64() - from;
}

// Zero, but only once x is there.
__device__ __forceinline__ int zero_of(float x)
{
    int z;
    asm volatile("and.b32 %0, %1, 0;" : "=r"(z) : "r"(__float_as_int(x)));
    return z;
}
__device__ __forceinline__ float past_l1(const float *p)
{
    float x;
    asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(x) : "l"(p));
    return x;
}
__device__ __forceinline__ float plain(const float *p)
{
    float x;
    asm volatile("ld.global.f32 %0, [%1];" : "=f"(x) : "l"(p));
    return x;
}

// Each warp has `n` loads of a line in flight, then waits for them; from 64 KiB of the block's own.
template <int n> __global__ void batch(long long *out, const float *a, float *sink, int rounds)
{
    int warps = blockDim.x / 32, warp = threadIdx.x / 32, lane = threadIdx.x % 32, late = 0, at = warp * n;
    const float *own = a + (size_t)blockIdx.x * 16384 + lane;
    float sum = 0;
    long long from = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        float x[n];
#pragma unroll
        for (int l = 0; l < n; l++)
            x[l] = past_l1(own + (size_t)(((at + l) & 511) * 32 + late));
        at += warps * n;
#pragma unroll
        for (int l = 0; l < n; l++)
            sum += x[l];
        late = zero_of(sum);
    }
    stop(out, from);
    if (sum == 123.0f)
        sink[0] = sum;
}

// A thread walks along its own row of `columns` words, `n` loads in flight.
template <int n> __global__ void rows(long long *out, const float *a, float *sink, int columns)
{
    const float *own = a + (size_t)(blockIdx.x * blockDim.x + threadIdx.x) * columns;
    float sum = 0;
    long long from = clock64();
#pragma unroll 1
    for (int j = 0; j < columns; j += n) {
        float x[n];
#pragma unroll
        for (int l = 0; l < n; l++)
            x[l] = plain(own + j + l);
#pragma unroll
        for (int l = 0; l < n; l++)
            sum += x[l];
    }
    stop(out, from);
    if (sum == 123.0f)
        sink[0] = sum;
}

// Threads of all blocks walk over `words` words together, one load in flight; the blocks' places are `shift` further.
__global__ void walk(long long *out, const float *a, float *sink, int words, int shift)
{
    int block = (blockIdx.x + shift) % gridDim.x, step = gridDim.x * blockDim.x, late = 0;
    float sum = 0;
    long long from = clock64();
#pragma unroll 1
    for (int i = block * blockDim.x + threadIdx.x; i < words; i += step) {
        sum += plain(a + i + late);
        late = zero_of(sum);
    }
    stop(out, from);
    if (sum == 123.0f)
        sink[0] = sum;
}

__global__ void fill(float *a, int words, float value)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x)
        a[i] = value;
}

// A thread walks down its own column, rows `pitch` words apart, `n` loads in flight.
template <int n> __global__ void column(long long *out, const float *a, float *sink, int height, int pitch)
{
    const float *own = a + blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    int late = 0;
    long long from = clock64();
#pragma unroll 1
    for (int j = 0; j < height; j += n) {
        float x[n];
#pragma unroll
        for (int l = 0; l < n; l++)
            x[l] = plain(own + (size_t)(j + l) * pitch + late);
#pragma unroll
        for (int l = 0; l < n; l++)
            sum += x[l];
        late = zero_of(sum);
    }
    stop(out, from);
    if (sum == 123.0f)
        sink[0] = sum;
}

static std::string text(const char *format, ...)
{
    char line[512];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof(line), format, list);
    va_end(list);
    return line;
}

static void report(const std::string &what, int blocks, double rounds, const std::function<void(int)> &launch)
{
    std::vector<double> middle, least, most;
    std::vector<long long> of(blocks);
    for (int trial = 0; trial < 5; trial++) {
        for (int i = 0; i < 4; i++)
            launch(4 * trial + i);
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemcpy(of.data(), cycles, blocks * sizeof(of[0]), cudaMemcpyDeviceToHost));
        std::sort(of.begin(), of.end());
        middle.push_back(of[blocks / 2] / rounds);
        least.push_back(of[0] / rounds);
        most.push_back(of[blocks - 1] / rounds);
    }
    for (auto *list : {&middle, &least, &most})
        std::sort(list->begin(), list->end());
    printf("{%s, \"blocks\": %d, \"cycles\": %.2f, \"least\": %.2f, \"most\": %.2f}\n", what.c_str(), blocks, middle[2],
           least[2], most[2]);
}

template <int n> static void batches()
{
    for (int blocks : {1, 8, 33, 132})
        for (int warps : {1, 2, 4, 8, 16, 32})
            report(text("\"kernel\": \"batch\", \"loads\": %d, \"warps\": %d", n, warps), blocks, 200,
                   [=](int) { batch<n><<<blocks, 32 * warps>>>(cycles, memory, sink, 200); });
}

template <int n> static void all_rows()
{
    for (int blocks : {1, 16, 132})
        for (int warps : {1, 2, 4, 16})
            for (int columns : {248, 1000, 4000})
                if ((double)blocks * warps * 32 * columns * 4 < 300e6)
                    report(text("\"kernel\": \"rows\", \"loads\": %d, \"warps\": %d, \"columns\": %d", n, warps, columns),
                           blocks, columns / n,
                           [=](int) { rows<n><<<blocks, 32 * warps>>>(cycles, memory, sink, columns); });
}

static void walks()
{
    for (int blocks : {132, 264})
        for (int kind = 0; kind < 4; kind++) /* loaded before; by others; stored before; by others */
            for (int megabytes : {1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 72, 96}) {
                int words = megabytes * 250000;
                report(text("\"kernel\": \"walk\", \"what\": \"%s\", \"threads\": 128, \"bytes\": %d",
                            kind == 0   ? "loaded"
                            : kind == 1 ? "loaded_elsewhere"
                            : kind == 2 ? "stored"
                                        : "stored_elsewhere",
                            4 * words),
                       blocks, words / (128.0 * blocks), [=](int i) {
                           if (kind >= 2)
                               fill<<<kind == 2 ? blocks : 97, 128>>>(memory, words, 0.0f);
                           walk<<<blocks, 128>>>(cycles, memory, sink, words, kind == 1 ? 31 * i : 0);
                       });
            }
}

template <int n> static void columns()
{
    for (int blocks : {1, 16, 188})
        for (int pitch : {6016, 8192, 24064, 65536, 524288}) /* words */
            for (bool cold : {false, true}) {
                int height = (int)std::min(4000.0, 8e9 / 4 / pitch) / 16 * 16;
                report(text("\"kernel\": \"column\", \"cold\": %d, \"loads\": %d, \"pitch\": %d, \"height\": %d", cold,
                            n, 4 * pitch, height),
                       blocks, height / n, [=](int) {
                           if (cold)
                               fill<<<1056, 256>>>(memory + ((size_t)2 << 30), 64 << 20, 0.0f);
                           column<n><<<blocks, 32>>>(cycles, memory, sink, height, pitch);
                       });
            }
}

int main()
{
    CHECK(cudaMalloc(&cycles, MOST_BLOCKS * sizeof(*cycles)));
    CHECK(cudaMalloc(&memory, (size_t)9 << 30));
    CHECK(cudaMalloc(&sink, 256));
    CHECK(cudaMemset(memory, 0, (size_t)9 << 30));
    batches<1>(), batches<2>(), batches<4>(), batches<8>(), batches<16>(), batches<32>();
    all_rows<1>(), all_rows<4>();
    walks();
    columns<1>(), columns<4>(), columns<16>();
    return 0;
}
