// The clock that multiprocessors run at while some of them compute matrix products, some of the time.
//
// usage: product_clock
// Prints a line of JSON for each configuration: the clock (clock64 by the device's timer, median of multiprocessors) in
// the first, third and last of a burst of launches of about 0.3 ms each behind 20 ms of rest, and of a launch without products
// right behind the burst (`after`).  `every`: a product for so many turns of eight dependent fused multiply-adds; `blocks`:
// multiprocessors at work, each with eight warps.
#include "check.cuh"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
#include <vector>

enum kind { NONE, F16, BF16, TF32, S8, F64 };

__device__ unsigned long long now()
{
    unsigned long long time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

template <int KIND> __device__ void product(float (&c)[4], int (&i)[4], double (&d)[2], unsigned a)
{
    if (KIND == F16)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                     : "r"(a));
    if (KIND == BF16)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                     : "r"(a));
    if (KIND == TF32)
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                     : "r"(a));
    if (KIND == S8)
        asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};"
                     : "+r"(i[0]), "+r"(i[1]), "+r"(i[2]), "+r"(i[3])
                     : "r"(a));
    if (KIND == F64)
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%2}, {%0,%1};" : "+d"(d[0]), "+d"(d[1]) : "d"((double)a));
}

template <int KIND> __global__ void run(long long *times, float *out, int turns, int every, unsigned a)
{
    float c[4] = {}, f = threadIdx.x;
    int i[4] = {};
    double d[2] = {};
    __syncthreads();
    unsigned long long begin = now();
    long long first = clock64();
    int until = every;
    for (int t = 0; t < turns; t++) {
#pragma unroll
        for (int k = 0; k < 8; k++)
            f = f * 0.5f + 1.0f;
        if (--until == 0) {
            product<KIND>(c, i, d, a);
            until = every;
        }
    }
    __syncthreads();
    long long last = clock64();
    unsigned long long end = now();
    if (threadIdx.x == 0) {
        times[2 * blockIdx.x] = last - first;
        times[2 * blockIdx.x + 1] = (long long)(end - begin);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = f + c[0] + c[1] + c[2] + c[3] + (float)(i[0] + i[1] + i[2] + i[3]) + (float)(d[0] + d[1]);
}

static void launch(int kind, int blocks, long long *times, float *out, int turns, int every)
{
    const unsigned a = kind == S8 ? 0x01010101u : kind == TF32 ? 0x3f000000u : kind == BF16 ? 0x3f003f00u : 0x38003800u;
    auto kernel = kind == F16 ? run<F16> : kind == BF16 ? run<BF16> : kind == TF32 ? run<TF32> : kind == S8 ? run<S8> : kind == F64 ? run<F64> : run<NONE>;
    kernel<<<blocks, 256>>>(times, out, turns, every, a);
    CHECK(cudaGetLastError());
}

int main()
{
    const int burst = 12;
    const char *names[] = {"none", "f16", "bf16", "tf32", "s8", "f64"};
    long long *times, *host;
    float *out;
    CHECK(cudaMalloc(&times, (burst + 1) * 2 * 132 * sizeof(long long)));
    CHECK(cudaMalloc(&out, 132 * 256 * sizeof(float)));
    CHECK(cudaMallocHost(&host, (burst + 1) * 2 * 132 * sizeof(long long)));
    for (int kind : {NONE, BF16, F16, TF32, S8, F64})
        for (int blocks : {132, 32, 1})
            for (int every : {1, 4, 16, 64, 256, 1024}) {
                if ((kind == NONE || (blocks < 132 && kind != BF16)) && every > 1)
                    continue;
                std::vector<double> clocks[4];
                double long_ns = 0;
                int turns = 8192;
                for (int t = 0; t < 4; t++) { // the first one finds how many turns take 0.3 ms
                    usleep(20000);
                    for (int b = 0; b <= burst; b++)
                        launch(b < burst ? kind : NONE, blocks, times + 264 * b, out, turns, every);
                    CHECK(cudaMemcpy(host, times, (burst + 1) * 264 * sizeof(long long), cudaMemcpyDeviceToHost));
                    long_ns = (double)host[1];
                    if (t == 0) {
                        turns = (int)(turns * 3e5 / long_ns);
                        continue;
                    }
                    const int which[4] = {0, 2, burst - 1, burst};
                    for (int w = 0; w < 4; w++)
                        for (int s = 0; s < blocks; s++)
                            clocks[w].push_back((double)host[264 * which[w] + 2 * s] / (double)host[264 * which[w] + 2 * s + 1] * 1e9);
                }
                double of[4];
                for (int w = 0; w < 4; w++) {
                    std::sort(clocks[w].begin(), clocks[w].end());
                    of[w] = clocks[w][clocks[w].size() / 2];
                }
                printf("{\"type\": \"%s\", \"blocks\": %d, \"every\": %d, \"nanoseconds\": %.0f, \"first\": %.4g, \"third\": %.4g, \"last\": %.4g, \"after\": %.4g}\n",
                       names[kind], blocks, every, long_ns, of[0], of[1], of[2], of[3]);
                fflush(stdout);
            }
    return 0;
}
