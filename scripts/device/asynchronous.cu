// Kernels of bulk copies, tensor copies, mbarriers and wgmma (kernels/asynchronous), checked and timed.
//
// usage: asynchronous [once]
// Prints a line of JSON for each configuration: the median of 9 times of a launch among 20 back to back.  TILE, STAGES
// and COLUMNS are those of the build.  once: each runs five times, the fifth for a profiler (--profile-from-start off).
#include "../../kernels/asynchronous/bulk_product.cu"
#include "../../kernels/asynchronous/bulk_scale.cu"
#include "../../kernels/asynchronous/tensor_stencil.cu"
#include "../../kernels/asynchronous/wgmma_product.cu"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_fp16.h>
#include <cuda_profiler_api.h>
#include <functional>
#include <vector>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t error = (call);                                                                                    \
        if (error != cudaSuccess) {                                                                                    \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                                             \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static bool once;

static unsigned state = 1;
static float random_value()
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) / 16777216.0f - 0.5f;
}

template <class T> static T *upload(const std::vector<T> &values)
{
    T *array;
    CHECK(cudaMalloc(&array, values.size() * sizeof(T)));
    CHECK(cudaMemcpy(array, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return array;
}

static float *room(size_t n)
{
    float *array;
    CHECK(cudaMalloc(&array, n * sizeof(float)));
    CHECK(cudaMemset(array, 0xff, n * sizeof(float)));
    return array;
}

static CUtensorMap map_of(CUtensorMapDataType type, size_t bytes, const void *array, uint64_t nx, uint64_t ny, unsigned wide,
                          unsigned high, CUtensorMapSwizzle swizzle)
{
    typedef CUresult (*encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                               const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                               CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
    static encode function;
    if (!function) {
        void *found = NULL;
        cudaDriverEntryPointQueryResult result;
        CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result));
        function = (encode)found;
    }
    CUtensorMap map;
    cuuint64_t sizes[2] = {nx, ny}, strides[1] = {nx * bytes};
    cuuint32_t box[2] = {wide, high}, steps[2] = {1, 1};
    CUresult error = function(&map, type, 2, (void *)array, sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                              CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (error) {
        fprintf(stderr, "cuTensorMapEncodeTiled: error %d\n", error);
        exit(1);
    }
    return map;
}

// right(i) is what element i of the target must be; some are looked at.
static void run(const char *kernel, int size, dim3 grid, dim3 block, size_t shared, const float *target, size_t n,
                const std::function<void()> &launch, const std::function<double(size_t)> &right)
{
    cudaEvent_t from, to;
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
    for (int i = 0; i < 4; i++)
        launch();
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    double off = 0;
    for (int i = 0; i < 100; i++) {
        size_t place = i == 0 ? 0 : i == 1 ? n - 1 : (size_t)(n * (random_value() + 0.5));
        float value;
        place = std::min(place, n - 1);
        CHECK(cudaMemcpy(&value, target + place, sizeof value, cudaMemcpyDeviceToHost));
        double difference = fabs(value - right(place));
        off = std::max(off, std::isfinite(difference) ? difference : 1e30);
    }
    printf("{\"kernel\": \"%s\", \"size\": %d, \"tile\": %d, \"stages\": %d, \"columns\": %d, \"grid\": [%u, %u], \"block\": [%u], "
           "\"shared\": %zu, \"off\": %.3g",
           kernel, size, TILE, STAGES, COLUMNS, grid.x, grid.y, block.x, shared, off);
    if (once) {
        CHECK(cudaProfilerStart());
        launch();
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaProfilerStop());
    } else {
        std::vector<float> times;
        for (int trial = 0; trial < 9; trial++) {
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
        printf(", \"seconds\": %.6g, \"low\": %.6g, \"high\": %.6g", times[4] * 1e-3, times[0] * 1e-3, times[8] * 1e-3);
    }
    printf("}\n");
    fflush(stdout);
    CHECK(cudaEventDestroy(from));
    CHECK(cudaEventDestroy(to));
}

template <class T> static void allow(T *kernel, size_t shared)
{
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
}

static void scale(size_t n)
{
    std::vector<float> values(n);
    for (auto &value : values)
        value = random_value();
    float *source = upload(values), *target = room(n);
    size_t shared = (size_t)STAGES * TILE * sizeof(float);
    allow(bulk_scale, shared);
    allow(bulk_scale_store, shared);
    auto right = [&](size_t i) { return 3.0 * values[i]; };
    for (int grid : {132, 264, 528}) {
        run("bulk_scale", (int)n, grid, 256, shared, target, n,
            [=] { bulk_scale<<<grid, 256, shared>>>(source, target, 3.0f, (int)(n / TILE)); }, right);
        CHECK(cudaMemset(target, 0xff, n * sizeof(float)));
        run("bulk_scale_store", (int)n, grid, 256, shared, target, n,
            [=] { bulk_scale_store<<<grid, 256, shared>>>(source, target, 3.0f, (int)(n / TILE)); }, right);
    }
    CHECK(cudaFree(source));
    CHECK(cudaFree(target));
}

static void stencil(int side)
{
    size_t n = (size_t)side * side;
    std::vector<float> values(n);
    for (auto &value : values)
        value = random_value();
    float *source = upload(values), *target = room(n);
    CUtensorMap map = map_of(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, source, side, side, 72, 18, CU_TENSOR_MAP_SWIZZLE_NONE);
    auto at = [&](int x, int y) { return x < 0 || y < 0 || x >= side || y >= side ? 0.0f : values[(size_t)y * side + x]; };
    auto right = [&](size_t i) {
        int x = (int)(i % side), y = (int)(i / side);
        return 0.25 * (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1)) - at(x, y);
    };
    for (int grid : {264, 528, 1056})
        run("tensor_stencil", side, grid, 256, 0, target, n, [=] { tensor_stencil<<<grid, 256>>>(map, target, side, side); }, right);
    CHECK(cudaFree(source));
    CHECK(cudaFree(target));
}

static void product(int side)
{
    size_t n = (size_t)side * side;
    std::vector<float> left(n), right(n);
    for (size_t i = 0; i < n; i++)
        left[i] = random_value(), right[i] = random_value();
    float *a = upload(left), *b = upload(right), *target = room(n);
    size_t shared = (size_t)STAGES * 16384;
    dim3 grid(side / 128, side / 128);
    allow(bulk_product, shared);
    auto place = [&](size_t row, size_t step) {
        return ((row / 128) * (side / 16) + step / 16) * 2048 + step % 16 * 128 + row % 128;
    };
    run("bulk_product", side, grid, 288, shared, target, n,
        [=] { bulk_product<<<grid, 288, shared>>>(a, b, target, side, side); },
        [&](size_t i) {
            double sum = 0;
            for (int step = 0; step < side; step++)
                sum += (double)left[place(i / side, step)] * right[place(i % side, step)];
            return sum;
        });
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(target));
}

static void matrix(int side)
{
    size_t n = (size_t)side * side;
    std::vector<__half> left(n), right(n);
    for (size_t i = 0; i < n; i++)
        left[i] = random_value(), right[i] = random_value();
    __half *a = upload(left), *b = upload(right);
    float *target = room(n);
    size_t shared = (size_t)STAGES * STAGE_BYTES + 1024;
    dim3 grid(side / COLUMNS, side / 128);
    CUtensorMap of_a = map_of(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, a, side, side, 64, 128, CU_TENSOR_MAP_SWIZZLE_128B);
    CUtensorMap of_b = map_of(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, b, side, side, 64, COLUMNS, CU_TENSOR_MAP_SWIZZLE_128B);
    allow(wgmma_product, shared);
    run("wgmma_product", side, grid, 384, shared, target, n,
        [=] { wgmma_product<<<grid, 384, shared>>>(of_a, of_b, target, side, side); },
        [&](size_t i) {
            double sum = 0;
            for (int step = 0; step < side; step++)
                sum += (double)__half2float(left[i / side * side + step]) * __half2float(right[i % side * side + step]);
            return sum;
        });
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(target));
}

int main(int count, char **words)
{
    once = count > 1 && !strcmp(words[1], "once");
    for (int side : {2048, 4096, 8192})
        if (!once || side != 8192)
            matrix(side);
    for (size_t n : {1 << 20, 1 << 22, 1 << 25})
        scale(n);
    for (int side : {2048, 8192})
        stencil(side);
    for (int side : {2048, 4096})
        product(side);
    return 0;
}
