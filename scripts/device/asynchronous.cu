// Kernels of bulk copies, tensor copies, mbarriers and wgmma (kernels/asynchronous), checked and timed.
//
// usage: asynchronous [once | power [KERNEL]]
// Prints a line of JSON for each configuration: the median of 9 times of a launch among 20 back to back.  TILE, STAGES
// and COLUMNS are those of the build.  once: each runs five times, the fifth for a profiler (--profile-from-start off).
// power: watts instead of times (power_watch.cuh).
#include "../../kernels/asynchronous/bulk_product.cu"
#include "../../kernels/asynchronous/bulk_scale.cu"
#include "../../kernels/asynchronous/tensor_stencil.cu"
#include "../../kernels/asynchronous/wgmma_product.cu"
#include "tensor_map.cuh"
#include "timed.cuh"
#include <cmath>
#include <cstring>
#include <cuda_fp16.h>

// right(i) is what element i of the target must be; some are looked at.
static void run(const char *kernel, int size, dim3 grid, dim3 block, size_t shared, const float *target, size_t n,
                const std::function<void()> &launch, const std::function<double(size_t)> &right)
{
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
    print_time(launch);
    printf("}\n");
    fflush(stdout);
}

template <class T> static void allow(T *kernel, size_t shared)
{
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
}

static void scale(size_t n)
{
    std::vector<float> values = random_values(n);
    float *source = upload(values), *target = room(n, 0xff);
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
    std::vector<float> values = random_values(n);
    float *source = upload(values), *target = room(n, 0xff);
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
    float *a = upload(left), *b = upload(right), *target = room(n, 0xff);
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
    float *target = room(n, 0xff);
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
    read_purpose(count, words, 1);
    auto wanted = [&](const char *kernel) { return count < 3 || !strcmp(words[2], kernel); };
    for (int side : {2048, 4096, 8192})
        if (wanted("wgmma_product") && (!once || side != 8192))
            matrix(side);
    for (size_t n : {1 << 20, 1 << 22, 1 << 25})
        if (wanted("bulk_scale"))
            scale(n);
    for (int side : {2048, 8192})
        if (wanted("tensor_stencil"))
            stencil(side);
    for (int side : {2048, 4096})
        if (wanted("bulk_product"))
            product(side);
    return 0;
}
