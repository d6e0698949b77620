// What a launch takes behind another one that read or stored its data: `sum` reads an array,
// `store` stores to one, `change` does both.  Sequences for a profiler that tells durations: a line
// of JSON for each launch, in order. usage: behind: launches all; behind times: seconds of pairs
// that wait behind another kernel, median of 9.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>
#include "../../kernels/applications/conjugate_gradient.cu"

enum { BLOCKS = 1056, THREADS = 256 };

extern "C" __global__ void sum(const float *__restrict__ a, float *__restrict__ partials, int n)
{
    float all = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        all += a[i];
    sum_of_block(all, partials + blockIdx.x);
}

extern "C" __global__ void store(float *a, float value, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        a[i] = value;
}

extern "C" __global__ void change(float *a, float value, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        a[i] = a[i] * value;
}

extern "C" __global__ void wait(long long cycles)
{
    long long from = clock64();
    while (clock64() - from < cycles)
        ;
}

static float *a, *b, *partials;
static const char *const names[] = {"sum", "store", "change", "sum_other", "store_other"};

static void launch(int which, int n)
{
    switch (which) {
    case 0:
        sum<<<BLOCKS, THREADS>>>(a, partials, n);
        break;
    case 1:
        store<<<BLOCKS, THREADS>>>(a, 1, n);
        break;
    case 2:
        change<<<BLOCKS, THREADS>>>(a, 1, n);
        break;
    case 3:
        sum<<<BLOCKS, THREADS>>>(b, partials, n);
        break;
    case 4:
        store<<<BLOCKS, THREADS>>>(b, 1, n);
        break;
    }
}

static void times(int first, int second, int n)
{
    std::vector<float> all;
    for (int t = 0; t < 10; t++) {
        cudaEvent_t from, to;
        cudaEventCreate(&from);
        cudaEventCreate(&to);
        wait<<<1, 1>>>(2000000);
        launch(first, n);
        launch(second, n);
        cudaEventRecord(from);
        for (int i = 0; i < 60; i++) {
            launch(first, n);
            launch(second, n);
        }
        cudaEventRecord(to);
        cudaEventSynchronize(to);
        float ms;
        cudaEventElapsedTime(&ms, from, to);
        if (t)
            all.push_back(ms / 120);
        cudaEventDestroy(from);
        cudaEventDestroy(to);
    }
    std::sort(all.begin(), all.end());
    printf("{\"first\": \"%s\", \"second\": \"%s\", \"bytes\": %d, \"seconds\": %.5g, \"low\": "
           "%.5g, \"high\": %.5g}\n",
           names[first], names[second], 4 * n, all[4] * 1e-3, all.front() * 1e-3,
           all.back() * 1e-3);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    cudaMalloc(&a, 64 << 20);
    cudaMalloc(&b, 64 << 20);
    cudaMalloc(&partials, 1 << 20);
    cudaMemset(a, 0, 64 << 20);
    cudaMemset(b, 0, 64 << 20);
    for (int mib : {4, 8, 16, 24}) {
        int n = mib << 18;
        for (int first = 0; first < 5; first++)
            for (int second = 0; second < 3; second++) {
                if (argc > 1 && !strcmp(argv[1], "times")) {
                    if (first >= second)
                        times(first, second, n);
                    continue;
                }
                for (int i = 0; i < 3; i++) {
                    launch(first, n);
                    launch(second, n);
                    printf(
                        "{\"kernel\": \"%s\", \"behind\": \"%s\", \"bytes\": %d, \"time\": %d}\n",
                        names[first], i ? names[second] : "", 4 * n, i);
                    printf(
                        "{\"kernel\": \"%s\", \"behind\": \"%s\", \"bytes\": %d, \"time\": %d}\n",
                        names[second], names[first], 4 * n, i);
                }
            }
    }
    cudaError_t status = cudaDeviceSynchronize();
    if (status) {
        fprintf(stderr, "%s\n", cudaGetErrorString(status));
        return 1;
    }
    return 0;
}
