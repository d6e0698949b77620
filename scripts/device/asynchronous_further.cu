// Further kernels of asynchronous copies (kernels/asynchronous), checked and timed.
//
// usage: asynchronous_further [once | power]
// Prints a line of JSON for each configuration: the median of 9 times of a launch among 20 back to back, and by how much
// the result of the first launch is off.  once: each runs five times, the fifth for a profiler (--profile-from-start off).
// power: watts instead of times (power_watch.cuh).
#include "../../kernels/asynchronous/cluster_norm.cu"
#include "../../kernels/asynchronous/reduce_rows.cu"
#undef RING
#include "../../kernels/asynchronous/ring_gemv.cu"
#undef RING
#include "../../kernels/asynchronous/split_softmax.cu"
#include "timed.cuh"
#include <cmath>
#include <cstring>

// right(i) is what element i of the target must be after the first launch; some are looked at.
static void run(const char *kernel, const std::vector<int> &sizes, dim3 grid, int block, const float *target, size_t n,
                const std::function<void()> &launch, const std::function<double(size_t)> &right)
{
    launch();
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    double off = 0;
    for (int i = 0; i < 100; i++) {
        size_t place = i == 0 ? 0 : i == 1 ? n - 1 : std::min(n - 1, (size_t)(n * (random_value() + 0.5)));
        float value;
        CHECK(cudaMemcpy(&value, target + place, sizeof value, cudaMemcpyDeviceToHost));
        double difference = fabs(value - right(place));
        off = std::max(off, std::isfinite(difference) ? difference : 1e30);
    }
    for (int i = 0; i < 3; i++)
        launch();
    CHECK(cudaDeviceSynchronize());
    printf("{\"kernel\": \"%s\", \"sizes\": [", kernel);
    for (size_t i = 0; i < sizes.size(); i++)
        printf("%s%d", i ? ", " : "", sizes[i]);
    printf("], \"grid\": [%u, %u], \"block\": [%d], \"off\": %.3g", grid.x, grid.y, block, off);
    print_time(launch);
    printf("}\n");
    fflush(stdout);
}

static void gemv(int batch, int rows, int columns)
{
    std::vector<float> a = random_values((size_t)batch * rows * columns), x = random_values((size_t)batch * columns);
    float *matrices = upload(a), *vectors = upload(x), *target = room((size_t)batch * rows, 0);
    dim3 grid(rows / 16, batch);
    run("ring_gemv", {rows, columns}, grid, 128, target, (size_t)batch * rows,
        [=] { ring_gemv<<<grid, 128>>>(matrices, vectors, target, rows, columns); },
        [&](size_t i) {
            double sum = 0;
            for (int k = 0; k < columns; k++)
                sum += (double)a[i * columns + k] * x[i / rows * columns + k];
            return sum;
        });
    CHECK(cudaFree(matrices));
    CHECK(cudaFree(vectors));
    CHECK(cudaFree(target));
}

static void reduce(int count, int kept, int grid)
{
    std::vector<float> values = random_values((size_t)count * 1024);
    float *source = upload(values), *target = room((size_t)kept * 1024, 0);
    run("reduce_rows", {count, kept}, grid, 256, target, (size_t)kept * 1024,
        [=] { reduce_rows<<<grid, 256>>>(source, target, 0.5f, count, kept); },
        [&](size_t i) {
            double sum = 0;
            for (size_t row = i / 1024; row < (size_t)count; row += kept)
                sum += 0.5 * values[row * 1024 + i % 1024];
            return sum;
        });
    CHECK(cudaFree(source));
    CHECK(cudaFree(target));
}

static void norm(int rows)
{
    size_t length = 16384;
    std::vector<float> values = random_values(rows * length);
    float *source = upload(values), *target = room(rows * length, 0);
    run("cluster_norm", {}, 4 * rows, 256, target, rows * length, [=] { cluster_norm<<<4 * rows, 256>>>(source, target); },
        [&](size_t i) {
            double sum = 0, squares = 0;
            for (size_t k = 0; k < length; k++) {
                double value = values[i / length * length + k];
                sum += value;
                squares += value * value;
            }
            double mean = sum / length;
            return (values[i] - mean) / sqrt(squares / length - mean * mean + 1e-5);
        });
    CHECK(cudaFree(source));
    CHECK(cudaFree(target));
}

static void softmax(int rows, int grid)
{
    size_t length = 3584;
    std::vector<float> values = random_values(rows * length);
    float *source = upload(values), *target = room(rows * length, 0);
    run("split_softmax", {rows}, grid, 288, target, rows * length, [=] { split_softmax<<<grid, 288>>>(source, target, rows); },
        [&](size_t i) {
            double sum = 0;
            for (size_t k = 0; k < length; k++)
                sum += exp((double)values[i / length * length + k]);
            return exp((double)values[i]) / sum;
        });
    CHECK(cudaFree(source));
    CHECK(cudaFree(target));
}

int main(int count, char **words)
{
    read_purpose(count, words, 1);
    gemv(64, 1024, 1024);
    gemv(32, 512, 512);
    gemv(16, 4096, 512);
    reduce(32768, 64, 264);
    reduce(32768, 4096, 264);
    reduce(4096, 64, 132);
    norm(512);
    norm(2048);
    norm(64);
    softmax(16384, 264);
    softmax(16384, 528);
    softmax(1056, 264);
    return 0;
}
