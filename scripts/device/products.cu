// What products of matrices read of device memory, by their size.
//
// usage: products
// Prints a line of JSON for each configuration, and runs it twice, the second for a profiler (--profile-from-start off).
#include "check.cuh"

#include <cuda_profiler_api.h>

#include "matmul_wmma.cu"
#include "matmul_mma.cu"
#include "matmul_register.cu"

template <typename F> static void run(const char *kernel, int m, int n, int k, F launch)
{
    launch();
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaProfilerStart());
    launch();
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaProfilerStop());
    printf("{\"kernel\": \"%s\", \"m\": %d, \"n\": %d, \"k\": %d}\n", kernel, m, n, k);
}

int main(void)
{
    size_t bytes = (size_t)512 << 20;
    void *a, *b;
    float *c;
    CHECK(cudaMalloc(&a, bytes));
    CHECK(cudaMalloc(&b, bytes));
    CHECK(cudaMalloc(&c, bytes));
    CHECK(cudaMemset(a, 0, bytes));
    CHECK(cudaMemset(b, 0, bytes));
    static const int sizes[] = {2560, 3072, 3328, 3584, 3744, 3840, 4096, 4112, 4352, 4608};
    for (int s : sizes) {
        run("matmul_wmma", s, s, s, [=] { matmul_wmma<<<dim3(s / 16, (s + 63) / 64), dim3(32, 4)>>>((const __half *)a, (const __half *)b, c, s, s, s); });
        run("matmul_mma", s, s, s, [=] { matmul_mma<<<dim3(s / 8, (s + 63) / 64), dim3(32, 4)>>>((const unsigned *)a, (const unsigned *)b, c, s, s, s); });
    }
    for (int m : {512, 1024, 2048})
        run("matmul_wmma", m, 3744, 3744, [=] { matmul_wmma<<<dim3(3744 / 16, m / 64), dim3(32, 4)>>>((const __half *)a, (const __half *)b, c, m, 3744, 3744); });
    static const int depths[] = {1024, 1280, 1536, 1712, 1856, 2050, 2304};
    for (int k : depths) {
        run("matmul_register4", 4090, 4100, k, [=] { matmul_register4<<<dim3(65, 64), dim3(16, 16)>>>((const float *)a, (const float *)b, c, 4090, 4100, k); });
        run("matmul_register8", 4090, 4100, k, [=] { matmul_register8<<<dim3(33, 32), dim3(16, 16)>>>((const float *)a, (const float *)b, c, 4090, 4100, k); });
    }
    return 0;
}
