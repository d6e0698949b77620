// What a launch costs beside its work, and how L2 and atomics keep up with small ones.
//
// usage: launch [once]
// Prints a line of JSON for each configuration: its name, launch, the operations or bytes it asks for, and the time of
// one launch among 200 back to back (median of 7).  once: each runs once, for a profiler.
#include "check.cuh"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

__global__ void empty() {}

// A chain of n dependent products, by all threads.
__global__ void chain(float *out, float x, int n)
{
    float y = x;
    for (int i = 0; i < n; i++)
        y = fmaf(y, x, 0.5f);
    if (y == 123.0f)
        out[0] = y;
}

// n loads, one behind the other, from an array that L2 holds.
__global__ void chase(const int *next, int *out, int n)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < n; i++)
        at = __ldcg(next + at);
    if (at == -1)
        out[0] = at;
}

__global__ void copy(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

// `passes` walks over the same bytes, past L1: mode 1 loads, 2 stores, 3 loads from one half and stores to the other.
template <int mode> __global__ void walk(float4 *a, int count, int passes)
{
    int all = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
    float4 sum = {0, 0, 0, 0};
    for (int p = 0; p < passes; p++)
        for (int i = first; i < count; i += all) {
            if (mode == 1) {
                float4 x = __ldcg(a + i);
                sum.x += x.x + x.y + x.z + x.w;
            } else if (mode == 2) {
                a[i] = sum;
            } else {
                a[i + count] = __ldcg(a + i);
            }
        }
    if (sum.x == 123.0f)
        a[0] = sum;
}

// `times` atomics of each thread on `words` words: lanes of a warp on one word, or on neighbouring ones.
template <typename T> __global__ void add(T *a, int words, int times, int spread)
{
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    for (int i = 0; i < times; i++) {
        unsigned at = spread ? (warp + i) * 32 + lane : (warp + i) * 7;
        atomicAdd(a + at % words, (T)1);
    }
}

static bool once;

template <typename F> static void run(const char *name, int grid, int block, const char *more, F launch)
{
    cudaEvent_t from, to;
    float milliseconds;
    std::vector<float> all;
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
    for (int trial = 0; trial < (once ? 1 : 8); trial++) {
        int launches = once ? 1 : 200;
        CHECK(cudaEventRecord(from));
        for (int l = 0; l < launches; l++)
            launch();
        CHECK(cudaEventRecord(to));
        CHECK(cudaEventSynchronize(to));
        CHECK(cudaGetLastError());
        CHECK(cudaEventElapsedTime(&milliseconds, from, to));
        if (trial)
            all.push_back(milliseconds * 1e-3f / launches);
    }
    std::sort(all.begin(), all.end());
    printf("{\"kernel\": \"%s\", \"grid\": %d, \"block\": %d%s", name, grid, block, more);
    if (!once)
        printf(", \"seconds\": %.9g, \"low\": %.9g, \"high\": %.9g", all[all.size() / 2], all.front(), all.back());
    printf("}\n");
    CHECK(cudaEventDestroy(from));
    CHECK(cudaEventDestroy(to));
}

template <typename T> static void atomics(const char *type, void *memory)
{
    for (int spread = 0; spread < 2; spread++)
        for (int words : {1, 32, 256, 4096, 65536, 1048576}) {
            std::string more = std::string(", \"type\": \"") + type + "\", \"words\": " + std::to_string(words) +
                               ", \"spread\": " + std::to_string(spread) + ", \"times\": 16";
            run("add", 1056, 256, more.c_str(), [&] { add<T><<<1056, 256>>>((T *)memory, words, 16, spread); });
        }
}

int main(int count, char **arguments)
{
    char *memory;
    once = count > 1 && !strcmp(arguments[1], "once");
    CHECK(cudaMalloc(&memory, (size_t)1 << 30));
    CHECK(cudaMemset(memory, 0, (size_t)1 << 30));
    float *in = (float *)memory, *out = (float *)(memory + (1 << 29));
    for (int warm = 0; warm < 200; warm++)
        walk<3><<<1056, 256>>>((float4 *)memory, 1 << 24, 1);
    for (int block : {32, 128, 256, 1024})
        for (int grid : {1, 16, 132, 528, 1056, 2112, 4224, 8448, 33792, 135168})
            run("empty", grid, block, "", [&] { empty<<<grid, block>>>(); });
    for (int grid : {1, 132, 1056})
        for (int n : {0, 64, 256, 1024, 4096}) {
            std::string more = ", \"n\": " + std::to_string(n);
            run("chain", grid, 128, more.c_str(), [&] { chain<<<grid, 128>>>(out, 1.5f, n); });
        }
    std::vector<int> next(1 << 20);
    for (int i = 0; i < 1 << 20; i++)
        next[i] = (i + 4099 * 8) % (1 << 20);
    CHECK(cudaMemcpy(in, next.data(), next.size() * 4, cudaMemcpyHostToDevice));
    for (int grid : {1, 132, 1056})
        for (int n : {1, 2, 4, 8, 16}) {
            std::string more = ", \"n\": " + std::to_string(n);
            run("chase", grid, 128, more.c_str(), [&] { chase<<<grid, 128>>>((int *)in, (int *)out, n); });
        }
    for (int block : {64, 256, 1024})
        for (int threads = 1 << 14; threads <= 1 << 23; threads *= 2)
            run("copy", threads / block, block, "", [&] { copy<<<threads / block, block>>>(in, out); });
    for (int mode = 1; mode <= 3; mode++)
        for (int grid : {132, 264, 528, 1056})
            for (int megabytes : {2, 8, 16, 24}) {
                int elements = megabytes * 65536 / (mode == 3 ? 2 : 1);
                std::string more = ", \"mode\": " + std::to_string(mode) + ", \"bytes\": " +
                                   std::to_string(megabytes << 20) + ", \"passes\": 16";
                run("walk", grid, 256, more.c_str(), [&] {
                    if (mode == 1)
                        walk<1><<<grid, 256>>>((float4 *)in, elements, 16);
                    else if (mode == 2)
                        walk<2><<<grid, 256>>>((float4 *)in, elements, 16);
                    else
                        walk<3><<<grid, 256>>>((float4 *)in, elements, 16);
                });
            }
    atomics<unsigned>("u32", in);
    atomics<unsigned long long>("u64", in);
    atomics<float>("f32", in);
    atomics<double>("f64", in);
    return 0;
}
