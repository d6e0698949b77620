// Triton's kernels in bursts that wait behind another kernel, so that no host limits them, and the clock meanwhile.
//
// usage: triton_queued LIST FOLDER [power]: lines of NAME KIND SIZE DEPTH GRID_X GRID_Y THREADS SHARED, FOLDER/NAME.cubin
//
// KIND: 0 a product of f16, 1 of bf16, 2 attention of f16.  Seconds of one of five launches behind two others, medians of
// 7 bursts 12 ms apart; the clock of one multiprocessor (clock64 over the global timer) in three bursts of their own.
// power: watts instead (power_watch.cuh).
#include "clock_watch.cuh"
#include "power_watch.cuh"
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <string>
#include <unistd.h>
#include <vector>
#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        int r = (int)(call);                                                                                           \
        if (r) {                                                                                                       \
            fprintf(stderr, "%s: %d\n", #call, r);                                                                     \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)
enum { SAMPLES = 4096, BURST = 5 };
// 0.3 times a normal number, by sums of uniform ones.
__global__ void fill(unsigned short *to, size_t n, int kind, unsigned seed)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += gridDim.x * (size_t)blockDim.x) {
        unsigned long long x = (i + 1) * 0x9E3779B97F4A7C15ull + seed;
        float sum = 0;
        for (int k = 0; k < 12; k++) {
            x ^= x >> 30, x *= 0xBF58476D1CE4E5B9ull, x ^= x >> 27, x *= 0x94D049BB133111EBull, x ^= x >> 31;
            sum += (x >> 40) * (1.0f / 16777216);
        }
        float value = 0.3f * (sum - 6);
        to[i] = kind == 1 ? __bfloat16_as_ushort(__float2bfloat16(value)) : __half_as_ushort(__float2half(value));
    }
}
int main(int count, char **argv)
{
    char name[256];
    int kind, size, depth, gx, gy, threads, shared;
    FILE *list = fopen(argv[1], "r");
    cudaStream_t stream, other;
    cudaEvent_t from, to;
    unsigned long long *marks, *watched;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
    unsigned short *at[4];
    for (int i = 0; i < 4; i++)
        CHECK(cudaMalloc(&at[i], 64 << 20));
    CHECK(cudaMalloc(&marks, 64));
    CHECK(cudaMalloc(&watched, 16 * (SAMPLES + 2)));
    int filled = -1;
    while (fscanf(list, "%255s %d %d %d %d %d %d %d", name, &kind, &size, &depth, &gx, &gy, &threads, &shared) == 8) {
        CUmodule module;
        CUfunction kernel;
        CHECK(cuModuleLoad(&module, (std::string(argv[2]) + "/" + name + ".cubin").c_str()));
        CHECK(cuModuleGetFunction(&kernel, module, kind == 2 ? "attention" : "matmul_f16"));
        CHECK(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared));
        if (filled != (kind == 1))
            for (int i = 0; i < 4; i++)
                fill<<<1024, 256, 0, stream>>>(at[i], 32 << 20, kind, 77 * i);
        filled = kind == 1;
        float scale = 0.18f;
        void *none = nullptr;
        void *product[] = {&at[0], &at[1], &at[2], &size, &size, &size, &size, &size, &size, &none, &none};
        void *attention[] = {&at[0], &at[1], &at[2], &at[3], &size, &scale, &none, &none};
        void **arguments = kind == 2 ? attention : product;
        auto launch = [&] { CHECK(cuLaunchKernel(kernel, gx, gy, 1, threads, 1, 1, shared, stream, arguments, nullptr)); };
        std::vector<double> times, clocks, busy;
        for (int burst = 0; burst < 7; burst++) {
            usleep(12000);
            wait_kernel<<<1, 1, 0, stream>>>(300000);
            launch();
            launch();
            CHECK(cudaEventRecord(from, stream));
            for (int i = 0; i < BURST; i++)
                launch();
            CHECK(cudaEventRecord(to, stream));
            CHECK(cudaStreamSynchronize(stream));
            float ms;
            CHECK(cudaEventElapsedTime(&ms, from, to));
            times.push_back(ms * 1e-3 / BURST);
        }
        std::sort(times.begin(), times.end());
        if (count > 3) {
            printf("{\"name\": \"%s\"", name);
            print_power(launch, times[3], stream);
            printf("}\n");
            fflush(stdout);
            CHECK(cuModuleUnload(module));
            continue;
        }
        for (int burst = 0; burst < 3; burst++) {
            usleep(12000);
            wait_kernel<<<1, 1, 0, stream>>>(300000);
            watch_kernel<<<1, 1, 0, other>>>(watched, SAMPLES, 300000 + (long long)(9e9 * times[3]));
            launch();
            launch();
            mark_kernel<<<1, 1, 0, stream>>>(marks);
            for (int i = 0; i < BURST; i++)
                launch();
            mark_kernel<<<1, 1, 0, stream>>>(marks + 1);
            CHECK(cudaDeviceSynchronize());
            std::vector<unsigned long long> got(2 * SAMPLES + 4), when(2);
            CHECK(cudaMemcpy(got.data(), watched, 16 * (SAMPLES + 2), cudaMemcpyDeviceToHost));
            CHECK(cudaMemcpy(when.data(), marks, 16, cudaMemcpyDeviceToHost));
            unsigned long long first[2] = {0, 0}, last[2] = {0, 0};
            for (unsigned long long i = 0; i < got[0]; i++) {
                if (got[2 + 2 * i] < when[0] || got[2 + 2 * i] > when[1])
                    continue;
                if (!first[0])
                    first[0] = got[2 + 2 * i], first[1] = got[3 + 2 * i];
                last[0] = got[2 + 2 * i], last[1] = got[3 + 2 * i];
            }
            if (last[0] > first[0])
                clocks.push_back((double)(last[1] - first[1]) / (double)(last[0] - first[0]) * 1e9);
            busy.push_back((when[1] - when[0]) * 1e-9 / BURST);
        }
        std::sort(clocks.begin(), clocks.end());
        std::sort(busy.begin(), busy.end());
        printf("{\"name\": \"%s\", \"seconds\": %.5g, \"low\": %.5g, \"high\": %.5g, \"clock\": %.5g, \"watched\": %.5g}\n", name, times[3],
               times[0], times[6], clocks.empty() ? 0.0 : clocks[clocks.size() / 2], busy[1]);
        fflush(stdout);
        CHECK(cuModuleUnload(module));
    }
}
