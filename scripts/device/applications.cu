// Kernels of an application in sequence: how long each takes behind the others, behind itself, and behind a flush.
//
// usage: applications [once]
// Prints a line of JSON for each application and size (the total of a sequence by events around many, back to back),
// and for each of its kernels, by activity records of CUPTI.  once: each runs five times, the fifth for a profiler
// (--profile-from-start off), and a line is printed for each launch.
#include "../../kernels/applications/conjugate_gradient.cu"
#include "../../kernels/applications/lanes.cu"
#include "road.h"
#include "check.cuh"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda_profiler_api.h>
#include <functional>
#include <string>
#include <vector>
#ifdef WITH_CUPTI
#include <cupti.h>
#endif

struct span {
    std::string name;
    unsigned long long start, end;
};
static std::vector<span> spans;

#ifdef WITH_CUPTI
static void CUPTIAPI give(uint8_t **buffer, size_t *size, size_t *most)
{
    *size = 8 << 20;
    *buffer = (uint8_t *)aligned_alloc(8, *size);
    *most = 0;
}

static void CUPTIAPI take(CUcontext, uint32_t, uint8_t *buffer, size_t, size_t valid)
{
    CUpti_Activity *record = NULL;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
        if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
            auto *kernel = (CUpti_ActivityKernel10 *)record;
            spans.push_back({kernel->name, kernel->start, kernel->end});
        }
    free(buffer);
}
#endif

static void follow(bool on)
{
#ifdef WITH_CUPTI
    static bool ready;
    if (!ready) {
        cuptiActivityRegisterCallbacks(give, take);
        ready = true;
    }
    CHECK(cudaDeviceSynchronize());
    if (on) {
        spans.clear();
        cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    } else {
        cuptiActivityFlushAll(1);
        cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
        std::sort(spans.begin(), spans.end(), [](const span &a, const span &b) { return a.start < b.start; });
    }
#endif
}

struct step {
    const char *name;
    std::function<void()> launch;
    dim3 grid, block;
};

static bool once;
static float *flushed;
static const size_t flush_bytes = 512 << 20;

__global__ void flush(float *a, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        a[i] = i;
}

static void print_times(std::vector<double> times)
{
    std::sort(times.begin(), times.end());
    printf(", \"seconds\": %.6g, \"low\": %.6g, \"high\": %.6g", times[times.size() / 2], times[0], times.back());
}

// Of spans of the kernel at `place` in a sequence of `each`, all but the first sequence.
static void print_kernel(const char *application, int size, const char *state, const step &step, size_t place, size_t each,
                         bool gaps)
{
    std::vector<double> times, waits;
    for (size_t i = place + each; i < spans.size(); i += each) {
        if (spans[i].name != step.name) {
            fprintf(stderr, "%s: %s where %s is expected\n", application, spans[i].name.c_str(), step.name);
            return;
        }
        times.push_back(1e-9 * (spans[i].end - spans[i].start));
        waits.push_back(1e-9 * (double)(long long)(spans[i].start - spans[i - 1].end));
    }
    if (times.empty())
        return;
    printf("{\"application\": \"%s\", \"size\": %d, \"state\": \"%s\", \"place\": %zu, \"kernel\": \"%s\", \"grid\": [%u, %u], "
           "\"block\": [%u, %u]",
           application, size, state, place, step.name, step.grid.x, step.grid.y, step.block.x, step.block.y);
    print_times(times);
    std::sort(waits.begin(), waits.end());
    if (gaps)
        printf(", \"gap\": %.6g", waits[waits.size() / 2]);
    printf("}\n");
}

static void run(const char *application, int size, const std::string &facts, const std::vector<step> &steps, bool lone = true)
{
    auto sequence = [&] {
        for (auto &step : steps)
            step.launch();
    };
    for (int i = 0; i < 4; i++)
        sequence();
    CHECK(cudaDeviceSynchronize());
    if (once) {
        CHECK(cudaProfilerStart());
        sequence();
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaProfilerStop());
        for (auto &step : steps)
            printf("{\"application\": \"%s\", \"size\": %d, \"kernel\": \"%s\"}\n", application, size, step.name);
        fflush(stdout);
        return;
    }
    cudaEvent_t from, to;
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
    std::vector<double> totals;
    float ms;
    CHECK(cudaEventRecord(from));
    for (int i = 0; i < 10; i++)
        sequence();
    CHECK(cudaEventRecord(to));
    CHECK(cudaEventSynchronize(to));
    CHECK(cudaEventElapsedTime(&ms, from, to));
    int repeats = std::max(10, std::min(200, (int)(20 / (ms / 10))));
    for (int trial = 0; trial < 9; trial++) {
        CHECK(cudaEventRecord(from));
        for (int i = 0; i < repeats; i++)
            sequence();
        CHECK(cudaEventRecord(to));
        CHECK(cudaEventSynchronize(to));
        CHECK(cudaEventElapsedTime(&ms, from, to));
        totals.push_back(1e-3 * ms / repeats);
    }
    printf("{\"application\": \"%s\", \"size\": %d, \"state\": \"total\", \"launches\": %zu, \"repeats\": %d%s", application,
           size, steps.size(), repeats, facts.c_str());
    print_times(totals);
    printf("}\n");

    follow(true);
    for (int i = 0; i < 41; i++)
        sequence();
    follow(false);
    for (size_t i = 0; i < steps.size(); i++)
        print_kernel(application, size, "sequence", steps[i], i, steps.size(), true);
    for (size_t i = 0; i < steps.size() && lone; i++) {
        follow(true);
        for (int j = 0; j < 21; j++)
            steps[i].launch();
        follow(false);
        print_kernel(application, size, "alone", steps[i], 0, 1, true);
    }
    for (size_t i = 0; i < steps.size() && lone; i++) {
        follow(true);
        for (int j = 0; j < 8; j++) {
            flush<<<1056, 256>>>(flushed, flush_bytes / 4);
            steps[i].launch();
        }
        follow(false);
        print_kernel(application, size, "flushed", steps[i], 1, 2, false);
    }
    fflush(stdout);
    CHECK(cudaEventDestroy(from));
    CHECK(cudaEventDestroy(to));
}

static unsigned blocks(size_t n, unsigned each) { return (unsigned)((n + each - 1) / each); }

template <class T> static T *upload(const std::vector<T> &values)
{
    T *array;
    CHECK(cudaMalloc(&array, values.size() * sizeof(T)));
    CHECK(cudaMemcpy(array, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return array;
}

static void lanes(int nx, int ny)
{
    const int angles = 180;
    const float threshold = 100;
    int distances = 2 * ((int)ceil(hypot(nx, ny)) + 1);
    size_t n = (size_t)nx * ny;
    std::vector<float2> turned(angles);
    for (int i = 0; i < angles; i++)
        turned[i] = make_float2((float)cos(i * M_PI / angles), (float)sin(i * M_PI / angles));
    std::vector<float> road(n);
    road_fill(road.data(), nx, ny);
    float *image = upload(road), *smoothed;
    float2 *directions = upload(turned);
    unsigned char *edges;
    unsigned *votes;
    uint2 *best;
    CHECK(cudaMalloc(&smoothed, n * sizeof(float)));
    CHECK(cudaMalloc(&edges, n));
    CHECK(cudaMalloc(&votes, (size_t)angles * distances * sizeof(unsigned)));
    CHECK(cudaMalloc(&best, angles * sizeof(uint2)));
    dim3 block(32, 8), grid(blocks(nx, 32), blocks(ny, 8));
    size_t cells = (size_t)angles * distances;
    std::vector<step> steps = {
        {"smooth", [=] { smooth<<<grid, block>>>(image, smoothed, nx, ny); }, grid, block},
        {"mark_edges", [=] { mark_edges<<<grid, block>>>(smoothed, edges, nx, ny, threshold); }, grid, block},
        {"clear_votes", [=] { clear_votes<<<blocks(cells, 256), 256>>>(votes, (int)cells); }, blocks(cells, 256), 256},
        {"vote", [=] { vote<<<grid, block>>>(edges, directions, votes, nx, ny, angles, distances); }, grid, block},
        {"strongest", [=] { strongest<<<angles, 256>>>(votes, best, distances); }, angles, 256},
    };
    for (auto &step : steps)
        step.launch();
    CHECK(cudaDeviceSynchronize());
    std::vector<unsigned char> marked(n);
    CHECK(cudaMemcpy(marked.data(), edges, n, cudaMemcpyDeviceToHost));
    size_t points = 0, warps = 0, in_warps = 0;
    for (size_t row = 0; row < (size_t)ny; row++)
        for (int x = 0; x < nx; x += 32) {
            int here = 0;
            for (int lane = 0; lane < 32 && x + lane < nx; lane++)
                here += marked[row * nx + x + lane];
            points += here;
            warps++;
            in_warps += here > 0;
        }
    char facts[200];
    snprintf(facts, sizeof facts, ", \"ny\": %d, \"distances\": %d, \"edges\": %zu, \"warps\": %zu, \"warps_with_edges\": %zu", ny,
             distances, points, warps, in_warps);
    run("lanes", nx, facts, steps);
    for (void *array : {(void *)image, (void *)smoothed, (void *)edges, (void *)votes, (void *)best, (void *)directions})
        CHECK(cudaFree(array));
}

static void conjugate_gradient(int side, bool rows)
{
    const unsigned sums = 1056;
    int n = side * side;
    std::vector<float> first(n);
    for (int i = 0; i < n; i++)
        first[i] = (i * 2654435761u >> 8) / 16777216.0f;
    std::vector<float> start = {0, 0, 0};
    for (float value : first)
        start[0] += value * value;
    float *solution = upload(std::vector<float>(n, 0.0f)), *residual = upload(first), *direction = upload(first);
    float *target = upload(std::vector<float>(n, 0.0f)), *partials = upload(std::vector<float>(sums)), *scalars = upload(start);
    int *starts = NULL, *columns = NULL;
    float *values = NULL;
    if (rows) {
        std::vector<int> from(n + 1), column;
        std::vector<float> value;
        for (int i = 0; i < n; i++) {
            int x = i % side, y = i / side;
            auto add = [&](bool there, int j, float a) {
                if (there) {
                    column.push_back(j);
                    value.push_back(a);
                }
            };
            from[i] = (int)column.size();
            add(y > 0, i - side, -1);
            add(x > 0, i - 1, -1);
            add(true, i, 4);
            add(x < side - 1, i + 1, -1);
            add(y < side - 1, i + side, -1);
        }
        from[n] = (int)column.size();
        starts = upload(from);
        columns = upload(column);
        values = upload(value);
    }
    dim3 block(32, 8), grid(blocks(side, 32), blocks(side, 8)), line = blocks(n, 256);
    step stencil = {"product", [=] { product<<<grid, block>>>(direction, target, side); }, grid, block};
    step sparse = {"product_rows", [=] { product_rows<<<line, 256>>>(starts, columns, values, direction, target, n); }, line, 256};
    std::vector<step> steps = {
        rows ? sparse : stencil,
        {"dot", [=] { dot<<<sums, 256>>>(direction, target, partials, n); }, sums, 256},
        {"step_length", [=] { step_length<<<1, 256>>>(partials, scalars, sums); }, 1, 256},
        {"advance", [=] { advance<<<sums, 256>>>(solution, residual, direction, target, scalars, partials, n); }, sums, 256},
        {"next_factor", [=] { next_factor<<<1, 256>>>(partials, scalars, sums); }, 1, 256},
        {"turn", [=] { turn<<<line, 256>>>(residual, direction, scalars, n); }, line, 256},
    };
    run(rows ? "conjugate_gradient_rows" : "conjugate_gradient", side, "", steps);
    for (void *array : {(void *)solution, (void *)residual, (void *)direction, (void *)target, (void *)partials, (void *)scalars,
                        (void *)starts, (void *)columns, (void *)values})
        CHECK(cudaFree(array));
}

int main(int count, char **words)
{
    once = count > 1 && !strcmp(words[1], "once");
    CHECK(cudaMalloc(&flushed, flush_bytes));
    conjugate_gradient(1024, false);
    conjugate_gradient(2048, false);
    conjugate_gradient(4096, false);
    lanes(1280, 720);
    lanes(3840, 2160);
    lanes(7680, 4320);
    conjugate_gradient(1024, true);
    conjugate_gradient(2048, true);
    return 0;
}
