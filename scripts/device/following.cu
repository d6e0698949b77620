// What it costs that a launch follows one of another shape, of other shared memory, or one whose results it reads.
//
// usage: following
// Prints a line of JSON for each sequence: seconds of a launch in it (the mean of its kernels), 240 launches that wait
// behind a kernel of 1.7 ms, so that none waits for this program: median of 15, with the least and the most.
// pair: two kernels take turns; `of` names both, and the same name twice is the kernel by itself.  Kernels: copy (1 M
// elements of f32, a thread each; copy_wide in blocks of 1024, copy_small one block, copy_N with N KiB of dynamic shared
// memory, copy_back from the copy to the original), sum (1 M elements, 1056 blocks, partial sums through shared memory;
// sum_copied of the copy).
// step: kernels of a step of conjugate gradients (kernels/applications), all in their order (`of` all), in it up to one
// of them (`of` ..name), two neighbours by turns, or one by itself; `side` points a side, `rows`: with a stored matrix.
// host: 1, where the same launches do not wait behind another kernel.
#include "../../kernels/applications/conjugate_gradient.cu"
#include "check.cuh"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

enum { LAUNCHES = 240, TRIALS = 15, N = 1 << 20, SUMS = 1056 };

__global__ void wait_long(float *out)
{
    float x = threadIdx.x;
    for (int i = 0; i < 750000; i++)
        x = x * 0.5f + 1.0f;
    if (x == 0.125f)
        out[threadIdx.x] = x;
}

__global__ void copy(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] + 1.0f;
}

__global__ void copy_shared(const float *in, float *out, int n)
{
    extern __shared__ float kept[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        kept[threadIdx.x] = in[i];
        out[i] = kept[threadIdx.x] + 1.0f;
    }
}

__global__ void sum(const float *in, float *out, int n)
{
    float x = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x += in[i];
    sum_of_block(x, out + blockIdx.x);
}

struct step {
    std::string name;
    std::function<void()> launch;
};

static float *waited;

static void time_of(const std::string &head, const std::vector<step> &steps, bool host)
{
    cudaEvent_t from, to;
    std::vector<double> times;
    int rounds = LAUNCHES / (int)steps.size();
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
    for (int trial = 0; trial < TRIALS + 2; trial++) {
        float ms;
        if (!host)
            wait_long<<<132, 256>>>(waited);
        for (auto &step : steps) // what lies in L2 is as it will be
            step.launch();
        CHECK(cudaEventRecord(from));
        for (int round = 0; round < rounds; round++)
            for (auto &step : steps)
                step.launch();
        CHECK(cudaEventRecord(to));
        CHECK(cudaEventSynchronize(to));
        CHECK(cudaEventElapsedTime(&ms, from, to));
        if (trial >= 2)
            times.push_back(1e-3 * ms / (rounds * (double)steps.size()));
    }
    CHECK(cudaGetLastError());
    std::sort(times.begin(), times.end());
    printf("{%s, \"host\": %d, \"seconds\": %.6g, \"low\": %.6g, \"high\": %.6g}\n", head.c_str(), host, times[times.size() / 2],
           times[0], times.back());
    fflush(stdout);
    CHECK(cudaEventDestroy(from));
    CHECK(cudaEventDestroy(to));
}

static float *array(size_t elements)
{
    float *at;
    CHECK(cudaMalloc(&at, elements * sizeof(float)));
    CHECK(cudaMemset(at, 0, elements * sizeof(float)));
    return at;
}

static void pairs()
{
    float *in = array(N), *out = array(N), *other = array(N), *sums = array(SUMS);
    std::vector<step> kernels = {
        {"copy", [=] { copy<<<N / 256, 256>>>(in, out, N); }},
        {"copy_wide", [=] { copy<<<N / 1024, 1024>>>(in, out, N); }},
        {"copy_small", [=] { copy<<<1, 256>>>(in, out, 256); }},
        {"copy_back", [=] { copy<<<N / 256, 256>>>(out, in, N); }},
        {"sum", [=] { sum<<<SUMS, 256>>>(in, sums, N); }},
        {"sum_copied", [=] { sum<<<SUMS, 256>>>(out, sums, N); }},
        {"sum_other", [=] { sum<<<SUMS, 256>>>(other, sums, N); }},
    };
    CHECK(cudaFuncSetAttribute(copy_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 96 << 10));
    for (int kib : {2, 8, 24, 48, 96})
        kernels.push_back({"copy_" + std::to_string(kib), [=] { copy_shared<<<N / 256, 256, kib << 10>>>(in, out, N); }});
    for (size_t i = 0; i < kernels.size(); i++)
        for (size_t j = i; j < kernels.size(); j++)
            if (i == j || i == 0 || i == 4 || kernels[i].name == "copy_2" || kernels[i].name == "copy_small")
                time_of("\"what\": \"pair\", \"of\": [\"" + kernels[i].name + "\", \"" + kernels[j].name + "\"]",
                        {kernels[i], kernels[j]}, false);
}

static void steps_of(int side, bool rows)
{
    int n = side * side;
    float *solution = array(n), *residual = array(n), *direction = array(n), *target = array(n), *partials = array(SUMS),
          *scalars = array(3);
    std::vector<int> from(n + 1), column;
    for (int i = 0; i < n; i++) {
        int x = i % side, y = i / side;
        from[i] = (int)column.size();
        for (auto &next : {std::make_pair(y > 0, i - side), std::make_pair(x > 0, i - 1), std::make_pair(true, i),
                           std::make_pair(x < side - 1, i + 1), std::make_pair(y < side - 1, i + side)})
            if (next.first)
                column.push_back(next.second);
    }
    from[n] = (int)column.size();
    int *starts = (int *)array(from.size()), *columns = (int *)array(column.size());
    float *values = array(column.size());
    CHECK(cudaMemcpy(starts, from.data(), from.size() * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(columns, column.data(), column.size() * sizeof(int), cudaMemcpyHostToDevice));
    dim3 block(32, 8), grid(side / 32, side / 8);
    step stencil = {"product", [=] { product<<<grid, block>>>(direction, target, side); }};
    step sparse = {"product_rows",
                   [=] { product_rows<<<n / 256, 256>>>(starts, columns, values, direction, target, n); }};
    std::vector<step> steps = {
        rows ? sparse : stencil,
        {"dot", [=] { dot<<<SUMS, 256>>>(direction, target, partials, n); }},
        {"step_length", [=] { step_length<<<1, 256>>>(partials, scalars, SUMS); }},
        {"advance", [=] { advance<<<SUMS, 256>>>(solution, residual, direction, target, scalars, partials, n); }},
        {"next_factor", [=] { next_factor<<<1, 256>>>(partials, scalars, SUMS); }},
        {"turn", [=] { turn<<<n / 256, 256>>>(residual, direction, scalars, n); }},
    };
    std::string head = "\"what\": \"step\", \"side\": " + std::to_string(side) + ", \"rows\": " + std::to_string(rows) + ", \"of\": [\"";
    time_of(head + "all\"]", steps, true);
    time_of(head + "all\"]", steps, false);
    for (size_t i = 0; i < steps.size(); i++) {
        const step &next = steps[(i + 1) % steps.size()];
        time_of(head + steps[i].name + "\"]", {steps[i]}, false);
        time_of(head + steps[i].name + "\", \"" + next.name + "\"]", {steps[i], next}, false);
        time_of(head + ".." + steps[i].name + "\"]", std::vector<step>(steps.begin(), steps.begin() + (long)i + 1), false);
    }
    for (void *at : {(void *)solution, (void *)residual, (void *)direction, (void *)target, (void *)partials, (void *)scalars,
                     (void *)starts, (void *)columns, (void *)values})
        CHECK(cudaFree(at));
}

int main()
{
    waited = array(256);
    for (int i = 0; i < 200; i++)
        wait_long<<<132, 256>>>(waited);
    CHECK(cudaDeviceSynchronize());
    pairs();
    steps_of(1024, false);
    steps_of(2048, false);
    steps_of(1024, true);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
