// How long the blocks of products live, and how much that differs.
//
// usage: lives
// Prints a line of JSON for each configuration, and runs it five times, the last three for a profiler
// (--profile-from-start off).  record-lives makes the *.inc from the kernels.
#include "check.cuh"
#include <cuda_profiler_api.h>
#include <cmath>
#include <cstdlib>
#include <vector>
#include "matmul_wmma.inc"
#include "matmul_mma.inc"
#include "matmul_register.inc"

struct stamp { unsigned long long begin, end; };
__device__ __forceinline__ unsigned long long now() { unsigned long long t; asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t)); return t; }
#define BEGIN bool first = threadIdx.x == 0 && threadIdx.y == 0; unsigned long long t0 = now();
#define END if (first) { stamp s = {t0, now()}; at[blockIdx.y * (size_t)gridDim.x + blockIdx.x] = s; }

__global__ void k_wmma(const __half *a, const __half *b, float *c, int m, int n, int k, stamp *at) { BEGIN matmul_wmma(a, b, c, m, n, k); END }
__global__ void k_mma(const unsigned *a, const unsigned *b, float *c, int m, int n, int k, stamp *at) { BEGIN matmul_mma(a, b, c, m, n, k); END }
__global__ void __launch_bounds__(256) k_register4(const float *a, const float *b, float *c, int m, int n, int k, stamp *at) { BEGIN matmul_register4(a, b, c, m, n, k); END }
__global__ void __launch_bounds__(256) k_register8(const float *a, const float *b, float *c, int m, int n, int k, stamp *at) { BEGIN matmul_register8(a, b, c, m, n, k); END }
__global__ void k_product(const float *a, const float *b, float *out, int trips, int work, int stores, stamp *at)
{
    BEGIN
    int t = threadIdx.x;
    const float *row = a + (size_t)blockIdx.y * trips * 256 + t;
    const float *column = b + (size_t)blockIdx.x * trips * 256 + t;
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < trips; i++) {
        float x = row[i * 256], y = column[i * 256];
#pragma unroll 4
        for (int k = 0; k < work; k++)
            sum = sum * x + y;
        sum += x * y;
    }
    size_t block = blockIdx.y * (size_t)gridDim.x + blockIdx.x;
    for (int s = 0; s < stores; s++)
        out[(block * stores + s) * 256 + t] = sum;
    END
}
static stamp *at;

static void add(double *sums, const stamp &s)
{
    double life = (double)(s.end - s.begin);
    sums[0] += 1, sums[1] += life, sums[2] += life * life;
}

// The standard deviation over the mean.
static double spread(const double *sums)
{
    double mean = sums[1] / sums[0], variance = sums[2] / sums[0] - mean * mean;
    return variance > 0 ? sqrt(variance) / mean : 0;
}

template <typename F> static void run(const char *text, size_t blocks, F launch)
{
    for (int i = 0; i < 2; i++) launch();
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 3; i++) {
        CHECK(cudaProfilerStart());
        launch();
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaProfilerStop());
    }
    std::vector<stamp> all(blocks);
    CHECK(cudaMemcpy(all.data(), at, blocks * sizeof(stamp), cudaMemcpyDeviceToHost));
    double sums[2][3] = {};
    unsigned long long least = ~0ull;
    for (auto &s : all)
        least = s.begin < least ? s.begin : least;
    for (auto &s : all)
        add(sums[0], s);
    for (auto &s : all) // the first wave
        if (s.begin - least < 0.05 * sums[0][1] / sums[0][0])
            add(sums[1], s);
    printf("{%s, \"blocks\": %zu, \"life_us\": %.2f, \"life_spread\": %.4f, \"first_spread\": %.4f, \"first\": %d}\n", text,
           blocks, sums[0][1] / sums[0][0] / 1e3, spread(sums[0]), spread(sums[1]), (int)sums[1][0]);
}
int main(void)
{
    size_t bytes = (size_t)512 << 20;
    void *a, *b; float *c;
    CHECK(cudaMalloc(&a, bytes)); CHECK(cudaMalloc(&b, bytes)); CHECK(cudaMalloc(&c, bytes)); CHECK(cudaMalloc(&at, 65536 * sizeof(stamp)));
    CHECK(cudaMemset(a, 0, bytes)); CHECK(cudaMemset(b, 0, bytes)); CHECK(cudaMemset(c, 0, bytes));
    char text[256];
    for (int s : {3744, 3840, 4096, 4112, 4352, 4608}) {
        snprintf(text, 256, "\"kernel\": \"wmma\", \"size\": %d", s);
        run(text, s / 16 * ((s + 63) / 64), [=] { k_wmma<<<dim3(s / 16, (s + 63) / 64), dim3(32, 4)>>>((const __half *)a, (const __half *)b, c, s, s, s, at); });
        snprintf(text, 256, "\"kernel\": \"mma\", \"size\": %d", s);
        run(text, s / 8 * ((s + 63) / 64), [=] { k_mma<<<dim3(s / 8, (s + 63) / 64), dim3(32, 4)>>>((const unsigned *)a, (const unsigned *)b, c, s, s, s, at); });
    }
    for (int k : {1536, 2050, 2304}) {
        snprintf(text, 256, "\"kernel\": \"register4\", \"k\": %d", k);
        run(text, 65 * 64, [=] { k_register4<<<dim3(65, 64), dim3(16, 16)>>>((const float *)a, (const float *)b, c, 4090, 4100, k, at); });
        snprintf(text, 256, "\"kernel\": \"register8\", \"k\": %d", k);
        run(text, 33 * 32, [=] { k_register8<<<dim3(33, 32), dim3(16, 16)>>>((const float *)a, (const float *)b, c, 4090, 4100, k, at); });
    }
    // one, two, four residents of register4: dynamic shared memory
    CHECK(cudaFuncSetAttribute(k_register4, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
    for (int residents : {1, 2, 3, 4}) {
        int shared = 208 * 1024 / residents - 10 * 1024;
        snprintf(text, 256, "\"kernel\": \"register4\", \"k\": 2050, \"residents\": %d", residents);
        run(text, 65 * 64, [=] { k_register4<<<dim3(65, 64), dim3(16, 16), shared>>>((const float *)a, (const float *)b, c, 4090, 4100, 2050, at); });
    }
    CHECK(cudaFuncSetAttribute(k_product, cudaFuncAttributeMaxDynamicSharedMemorySize, 210 * 1024));
    for (int columns : {112, 160})
        for (int residents : {1, 2, 4, 8})
            for (int work : {0, 16, 128}) {
                int rows = (int)(8.0 * 132 * residents / columns + 0.999), shared = residents >= 8 ? 0 : 200 * 1024 / residents - 1024;
                snprintf(text, 256, "\"kernel\": \"product\", \"columns\": %d, \"rows\": %d, \"residents\": %d, \"work\": %d", columns, rows, residents, work);
                run(text, rows * (size_t)columns, [=] { k_product<<<dim3(columns, rows), 256, shared>>>((const float *)a, (const float *)b, c, 256, work, 1, at); });
            }
    return 0;
}
