// Eight more kernels of asynchronous copies, products and clusters (kernels/asynchronous), checked and timed.
//
// usage: asynchronous_second KERNEL [once | power]
// Prints a line of JSON for each configuration: the median of 9 times of a launch among 20 back to back, the clock of
// the multiprocessors meanwhile, and by how much the result of the first launch is off.  once: each runs five times,
// the fifth for a profiler (--profile-from-start off).
// power: watts instead of times (power_watch.cuh).
#include "../../kernels/asynchronous/cluster_histogram.cu"
#include "../../kernels/asynchronous/multicast_product.cu"
#undef STAGES
#include "../../kernels/asynchronous/pingpong_product.cu"
#undef STAGES
#undef STAGE_BYTES
#include "../../kernels/asynchronous/mixed_product.cu"
#undef STAGES
#undef STAGE_BYTES
#include "../../kernels/asynchronous/split_product.cu"
#undef STAGES
#include "../../kernels/asynchronous/push_norm.cu"
#include "../../kernels/asynchronous/ring_filter.cu"
#undef RING
#include "../../kernels/asynchronous/volume_stencil.cu"
#include "tensor_map.cuh"
#include "timed.cuh"
#include <cmath>
#include <cstring>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <string>

enum { MULTIPROCESSORS = 1024 };

__global__ void read_clocks(long long *clocks)
{
    unsigned sm;
    long long clock, time;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    asm volatile("mov.u64 %0, %%clock64;\n"
                 "mov.u64 %1, %%globaltimer;"
                 : "=l"(clock), "=l"(time));
    clocks[2 * sm] = clock;
    clocks[2 * sm + 1] = time;
}

// Hz, the median of multiprocessors over 200 launches.
static double clock_of(const std::function<void()> &launch)
{
    long long *clocks[2];
    std::vector<long long> values[2];
    for (int i = 0; i < 2; i++) {
        CHECK(cudaMalloc(&clocks[i], MULTIPROCESSORS * 2 * sizeof(long long)));
        CHECK(cudaMemset(clocks[i], 0, MULTIPROCESSORS * 2 * sizeof(long long)));
    }
    for (int i = 0; i < 20; i++)
        launch();
    read_clocks<<<2048, 32>>>(clocks[0]);
    for (int i = 0; i < 200; i++)
        launch();
    read_clocks<<<2048, 32>>>(clocks[1]);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 2; i++) {
        values[i].resize(MULTIPROCESSORS * 2);
        CHECK(cudaMemcpy(values[i].data(), clocks[i], MULTIPROCESSORS * 2 * sizeof(long long), cudaMemcpyDeviceToHost));
        CHECK(cudaFree(clocks[i]));
    }
    std::vector<double> rates;
    for (int i = 0; i < MULTIPROCESSORS; i++)
        if (values[0][2 * i + 1] && values[1][2 * i + 1] > values[0][2 * i + 1])
            rates.push_back(1e9 * (values[1][2 * i] - values[0][2 * i]) / (values[1][2 * i + 1] - values[0][2 * i + 1]));
    std::sort(rates.begin(), rates.end());
    return rates.empty() ? 0 : rates[rates.size() / 2];
}

// arguments: of integers, JSON by position.  right(i) is what element i of the target must be after the first launch;
// some are looked at.
static void run(const char *kernel, const std::string &arguments, dim3 grid, int block, int shared, const float *target, size_t n,
                const std::function<void()> &launch, const std::function<double(size_t)> &right)
{
    launch();
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    double off = 0, greatest = 0;
    for (int i = 0; i < 60; i++) {
        size_t place = i == 0 ? 0 : i == 1 ? n - 1 : std::min(n - 1, (size_t)(n * (random_value() + 0.5)));
        float value;
        CHECK(cudaMemcpy(&value, target + place, sizeof value, cudaMemcpyDeviceToHost));
        double expected = right(place), difference = fabs(value - expected);
        off = std::max(off, std::isfinite(difference) ? difference : 1e30);
        greatest = std::max(greatest, fabs(expected));
    }
    for (int i = 0; i < 3; i++)
        launch();
    CHECK(cudaDeviceSynchronize());
    printf("{\"kernel\": \"%s\", \"arguments\": {%s}, \"grid\": [%u, %u, %u], \"block\": [%d], \"shared\": %d, \"off\": %.3g, "
           "\"greatest\": %.3g",
           kernel, arguments.c_str(), grid.x, grid.y, grid.z, block, shared, off, greatest);
    print_time(launch);
    if (!once && !power)
        printf(", \"clock\": %.4g", clock_of(launch));
    printf("}\n");
    fflush(stdout);
}

template <class T> static void allow(T *kernel, int shared)
{
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
}

static std::string named(const std::vector<std::pair<int, int>> &arguments)
{
    std::string text;
    for (auto &one : arguments)
        text += (text.empty() ? "\"" : ", \"") + std::to_string(one.first) + "\": " + std::to_string(one.second);
    return text;
}

static std::vector<half> halves(size_t n)
{
    std::vector<half> values(n);
    for (auto &value : values)
        value = __float2half(random_value());
    return values;
}

static void of_halves(const char *kernel, int m, int n, int k, int splits)
{
    std::vector<half> a = halves((size_t)m * k), b = halves((size_t)n * k);
    half *left = upload(a), *right = upload(b);
    float *target = room((size_t)m * n, 0);
    bool multicast = !strcmp(kernel, "multicast_product");
    CUtensorMap left_map = map_of(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, left, k, m, 64, multicast ? 64 : 128, CU_TENSOR_MAP_SWIZZLE_128B);
    CUtensorMap right_map = map_of(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, right, k, n, 64, 128, CU_TENSOR_MAP_SWIZZLE_128B);
    int shared = 4 * 32768 + 1024, *semaphores = (int *)room((size_t)m * n / 16384, 0);
    dim3 grid(n / 128, m / 128, splits);
    allow(multicast_product, shared);
    allow(split_product, shared);
    run(kernel, multicast ? named({{3, n}, {4, k}}) : named({{4, n}, {5, k / splits}}), grid, 384, shared, target, (size_t)m * n,
        [=] {
            if (multicast)
                multicast_product<<<grid, 384, shared>>>(left_map, right_map, target, n, k);
            else
                split_product<<<grid, 384, shared>>>(left_map, right_map, target, semaphores, n, k / splits);
        },
        [&](size_t i) {
            double sum = 0;
            for (int x = 0; x < k; x++)
                sum += (double)__half2float(a[i / n * k + x]) * __half2float(b[i % n * k + x]);
            return sum;
        });
    CHECK(cudaFree(left));
    CHECK(cudaFree(right));
    CHECK(cudaFree(target));
    CHECK(cudaFree(semaphores));
}

static void pingpong(int m, int n, int k, int grid)
{
    std::vector<__nv_fp8_e4m3> a((size_t)m * k), b((size_t)n * k);
    for (auto *values : {&a, &b})
        for (auto &value : *values)
            value = __nv_fp8_e4m3(random_value());
    __nv_fp8_e4m3 *left = upload(a), *right = upload(b);
    float *target = room((size_t)m * n, 0);
    CUtensorMap left_map = map_of(CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, left, k, m, 128, 64, CU_TENSOR_MAP_SWIZZLE_128B);
    CUtensorMap right_map = map_of(CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, right, k, n, 128, 128, CU_TENSOR_MAP_SWIZZLE_128B);
    int shared = 6 * 24576 + 1024;
    allow(pingpong_product, shared);
    run("pingpong_product", named({{4, m}, {5, n}, {6, k}}), grid, 384, shared, target, (size_t)m * n,
        [=] { pingpong_product<<<grid, 384, shared>>>(left_map, right_map, target, 2, m, n, k); },
        [&](size_t i) {
            double sum = 0;
            for (int x = 0; x < k; x++)
                sum += (double)float(a[i / n * k + x]) * float(b[i % n * k + x]);
            return 2 * sum;
        });
    CHECK(cudaFree(left));
    CHECK(cudaFree(right));
    CHECK(cudaFree(target));
}

static void mixed(int m, int n, int k)
{
    std::vector<signed char> a((size_t)m * k);
    for (auto &value : a)
        value = (signed char)(255 * random_value());
    std::vector<half> b = halves((size_t)n * k);
    signed char *left = upload(a);
    half *right = upload(b);
    float *target = room((size_t)m * n, 0);
    CUtensorMap left_map = map_of(CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, left, k, m, 64, 128, CU_TENSOR_MAP_SWIZZLE_64B);
    CUtensorMap right_map = map_of(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, right, k, n, 64, 128, CU_TENSOR_MAP_SWIZZLE_128B);
    int shared = 5 * 24576 + 1024;
    dim3 grid(n / 128, m / 128);
    allow(mixed_product, shared);
    run("mixed_product", named({{3, n}, {4, k}}), grid, 288, shared, target, (size_t)m * n,
        [=] { mixed_product<<<grid, 288, shared>>>(left_map, right_map, target, n, k); },
        [&](size_t i) {
            double sum = 0;
            for (int x = 0; x < k; x++)
                sum += (double)a[i / n * k + x] * __half2float(b[i % n * k + x]);
            return sum;
        });
    CHECK(cudaFree(left));
    CHECK(cudaFree(right));
    CHECK(cudaFree(target));
}

static void histogram(int parts, int grid)
{
    std::vector<unsigned short> values((size_t)parts * 2048);
    std::vector<unsigned> expected(16384);
    for (auto &value : values)
        expected[value = (unsigned short)(16384 * (random_value() + 0.5))]++;
    unsigned short *source = upload(values);
    unsigned *counts = (unsigned *)room(16384, 0);
    cluster_histogram<<<grid, 256>>>((uint4 *)source, counts, parts);
    CHECK(cudaDeviceSynchronize());
    std::vector<unsigned> found(16384);
    CHECK(cudaMemcpy(found.data(), counts, 65536, cudaMemcpyDeviceToHost));
    float *wrong = room(1, 0), number = 0;
    for (int i = 0; i < 16384; i++)
        number += found[i] != expected[i];
    CHECK(cudaMemcpy(wrong, &number, sizeof number, cudaMemcpyHostToDevice));
    run("cluster_histogram", named({{2, parts}}), grid, 256, 0, wrong, 1,
        [=] { cluster_histogram<<<grid, 256>>>((uint4 *)source, counts, parts); }, [](size_t) { return 0.0; });
    CHECK(cudaFree(source));
    CHECK(cudaFree(counts));
    CHECK(cudaFree(wrong));
}

static void filter(int tiles, int grid)
{
    std::vector<float> values = random_values((size_t)tiles * 1024 + 16), factors = random_values(9);
    float *source = upload(values), *taps = upload(factors), *target = room((size_t)tiles * 1024, 0);
    run("ring_filter", named({{3, tiles}}), grid, 256, 0, target, (size_t)tiles * 1024,
        [=] { ring_filter<<<grid, 256>>>(source, taps, target, tiles); },
        [&](size_t i) {
            double sum = 0;
            for (int j = 0; j < 9; j++)
                sum += (double)factors[j] * values[i + j];
            return sum;
        });
    CHECK(cudaFree(source));
    CHECK(cudaFree(taps));
    CHECK(cudaFree(target));
}

static CUtensorMap volume_map(const float *array, int nx, int ny, int nz)
{
    typedef CUresult (*encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                               const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                               CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
    void *found = NULL;
    cudaDriverEntryPointQueryResult result;
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result));
    CUtensorMap map;
    cuuint64_t sizes[3] = {(cuuint64_t)nx, (cuuint64_t)ny, (cuuint64_t)nz}, strides[2] = {(cuuint64_t)nx * 4, (cuuint64_t)nx * ny * 4};
    cuuint32_t box[3] = {40, 10, 10}, steps[3] = {1, 1, 1};
    CUresult error = ((encode)found)(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 3, (void *)array, sizes, strides, box, steps,
                                     CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                     CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (error) {
        fprintf(stderr, "cuTensorMapEncodeTiled: error %d\n", error);
        exit(1);
    }
    return map;
}

static void volume(int nx, int ny, int nz, int grid)
{
    size_t n = (size_t)nx * ny * nz;
    std::vector<float> values = random_values(n);
    float *source = upload(values), *target = room(n, 0);
    CUtensorMap map = volume_map(source, nx, ny, nz);
    auto at = [&](long x, long y, long z) {
        return x < 0 || y < 0 || z < 0 || x >= nx || y >= ny || z >= nz ? 0.0 : (double)values[((size_t)z * ny + y) * nx + x];
    };
    run("volume_stencil", named({{2, nx}, {3, ny}, {4, nz}}), grid, 256, 0, target, n,
        [=] { volume_stencil<<<grid, 256>>>(map, target, nx, ny, nz); },
        [&](size_t i) {
            long x = (long)(i % nx), y = (long)(i / nx % ny), z = (long)(i / nx / ny);
            return 0.1 * (at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z) + at(x, y, z - 1) + at(x, y, z + 1)) -
                   at(x, y, z);
        });
    CHECK(cudaFree(source));
    CHECK(cudaFree(target));
}

static void norm(int rows)
{
    size_t length = 32768;
    std::vector<float> values = random_values(rows * length);
    float *source = upload(values), *target = room(rows * length, 0);
    run("push_norm", "", 8 * rows, 256, 0, target, rows * length, [=] { push_norm<<<8 * rows, 256>>>(source, target); },
        [&](size_t i) {
            double squares = 0;
            for (size_t k = 0; k < length; k++)
                squares += (double)values[i / length * length + k] * values[i / length * length + k];
            return values[i] / sqrt(squares / length + 1e-5);
        });
    CHECK(cudaFree(source));
    CHECK(cudaFree(target));
}

int main(int count, char **words)
{
    std::string kernel = count > 1 ? words[1] : "";
    read_purpose(count, words, 2);
    if (kernel == "split_product") {
        of_halves("split_product", 1024, 1024, 4096, 4);
        of_halves("split_product", 512, 512, 8192, 8);
        of_halves("split_product", 2048, 2048, 2048, 2);
    } else if (kernel == "pingpong_product") {
        pingpong(2048, 2048, 2048, 132);
        pingpong(4096, 4096, 4096, 132);
        pingpong(1024, 4096, 8192, 132);
    } else if (kernel == "mixed_product") {
        mixed(2048, 2048, 2048);
        mixed(4096, 4096, 4096);
        mixed(1024, 2048, 8192);
    } else if (kernel == "multicast_product") {
        of_halves("multicast_product", 2048, 2048, 2048, 1);
        of_halves("multicast_product", 4096, 4096, 4096, 1);
        of_halves("multicast_product", 1024, 4096, 1024, 1);
    } else if (kernel == "cluster_histogram") {
        histogram(8192, 528);
        histogram(65536, 1056);
        histogram(1056, 256);
    } else if (kernel == "ring_filter") {
        filter(8192, 264);
        filter(65536, 528);
        filter(1056, 264);
    } else if (kernel == "volume_stencil") {
        volume(256, 256, 256, 264);
        volume(512, 512, 128, 528);
        volume(128, 128, 128, 264);
    } else if (kernel == "push_norm") {
        norm(256);
        norm(1024);
        norm(32);
    }
    return 0;
}
