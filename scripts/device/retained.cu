// What L2 keeps of an array from one launch to the next: launches back to back over arrays of many sizes.
//
// usage: retained [once]
// Prints a line of JSON for each configuration: the median of 7 times of a launch among 20.  once: each runs five
// times, the fifth for a profiler (--profile-from-start off).
#include "check.cuh"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <cuda_profiler_api.h>
#include <vector>

enum { READ, WRITE, COPY, ADD, SCALE, READ_PARTS, KINDS };
static const char *const names[KINDS] = {"read", "write", "copy", "add", "scale", "read_parts"};
static const int arrays[KINDS] = {1, 1, 2, 3, 1, 1};

// Each array has `n` float4, a thread one of each.  read_parts: threads of 264 blocks go through a part each.
template <int kind> __global__ void touch(float4 *a, int n, float *sink)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 x = {1, 2, 3, 4};
    if (kind == READ_PARTS) {
        int each = n / gridDim.x;
        float sum = 0;
        for (int j = threadIdx.x; j < each; j += blockDim.x) {
            float4 y = a[(size_t)blockIdx.x * each + j];
            sum += y.x + y.y + y.z + y.w;
        }
        if (sum == 123.0f)
            *sink = sum;
        return;
    }
    if (i >= n)
        return;
    if (kind == READ || kind == COPY || kind == ADD || kind == SCALE)
        x = a[i];
    if (kind == ADD) {
        float4 y = a[(size_t)n + i];
        x.x += y.x, x.y += y.y, x.z += y.z, x.w += y.w;
    }
    if (kind == READ) {
        if (x.x + x.y + x.z + x.w == 123.0f)
            *sink = x.x;
    } else {
        if (kind == SCALE)
            x.x *= 0.5f, x.y *= 0.5f, x.z *= 0.5f, x.w *= 0.5f;
        a[(size_t)(kind == COPY ? 1 : kind == ADD ? 2 : 0) * n + i] = x;
    }
}

static bool once;

template <int kind> static void run(float4 *a, float *sink, double megabytes)
{
    int n = (int)(megabytes * 1e6 / 16 / arrays[kind]), blocks = kind == READ_PARTS ? 264 : (n + 255) / 256;
    auto launch = [=] { touch<kind><<<blocks, 256>>>(a, n, sink); };
    cudaEvent_t from, to;
    std::vector<float> times;
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
    for (int i = 0; i < 4; i++)
        launch();
    CHECK(cudaDeviceSynchronize());
    if (once) {
        CHECK(cudaProfilerStart());
        launch();
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaProfilerStop());
    }
    for (int trial = 0; trial < 7 && !once; trial++) {
        float ms;
        CHECK(cudaEventRecord(from));
        for (int i = 0; i < 20; i++)
            launch();
        CHECK(cudaEventRecord(to));
        CHECK(cudaEventSynchronize(to));
        CHECK(cudaEventElapsedTime(&ms, from, to));
        times.push_back(ms / 20);
    }
    std::sort(times.begin(), times.end());
    printf("{\"kernel\": \"%s\", \"bytes\": %.0f, \"blocks\": %d", names[kind], 16.0 * n * arrays[kind], blocks);
    if (!once)
        printf(", \"seconds\": %.6g, \"low\": %.6g, \"high\": %.6g", times[3] * 1e-3, times[0] * 1e-3, times[6] * 1e-3);
    printf("}\n");
    fflush(stdout);
}

int main(int count, char **words)
{
    float4 *a;
    float *sink;
    once = count > 1 && !strcmp(words[1], "once");
    CHECK(cudaMalloc(&a, 512 << 20));
    CHECK(cudaMalloc(&sink, 64));
    CHECK(cudaMemset(a, 0, 512 << 20));
    for (double megabytes : {8, 12, 16, 20, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 52, 56, 60, 64, 72, 80, 96, 128}) {
        run<READ>(a, sink, megabytes);
        run<WRITE>(a, sink, megabytes);
        run<COPY>(a, sink, megabytes);
        run<ADD>(a, sink, megabytes);
        run<SCALE>(a, sink, megabytes);
        run<READ_PARTS>(a, sink, megabytes);
    }
    return 0;
}
