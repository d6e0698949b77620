// What it costs that a launch follows one of another kernel, or of other arguments, beside one like itself.
//
// usage: switching
// Prints a line of JSON for each sequence: seconds of a launch in it, 240 launches back to back (median of 15, with the
// least and the most).  `kernels` of equal work and different code take turns; `arguments`: so many sets of pointers do.
// chain: 132 blocks of 256 threads with a chain of `work` dependent products; copy: `work` elements of f32, a thread
// each, of arrays that L2 holds; sum: the same read by 1056 blocks, one partial sum each (shuffles, shared memory).  `queued`:
// the launches wait behind a kernel of 1.5 ms, so that none has to wait for this program.
#include "check.cuh"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

enum { VARIANTS = 6, SETS = 4, LAUNCHES = 240, TRIALS = 15, MOST = 4 << 20 };

template <int V> __global__ void chain(const float *in, float *out, int work)
{
    float x = threadIdx.x + V, a = in[V];
    for (int i = 0; i < work; i++)
        x = x * a + (float)V;
    if (x == 0.125f)
        out[threadIdx.x] = x;
}

template <int V> __global__ void copy(const float *in, float *out, int work)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < work)
        out[i] = in[i] + (float)V;
}

template <int V> __global__ void sum(const float *in, float *out, int work)
{
    __shared__ float sums[8];
    float x = (float)V;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < work; i += gridDim.x * blockDim.x)
        x += in[i];
    for (int apart = 16; apart > 0; apart >>= 1)
        x += __shfl_down_sync(0xffffffffu, x, apart);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = x;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; w++)
            x += sums[w];
        out[blockIdx.x] = x;
    }
}

typedef void kernel(const float *, float *, int);
static kernel *const chains[VARIANTS] = {chain<0>, chain<1>, chain<2>, chain<3>, chain<4>, chain<5>};
static kernel *const copies[VARIANTS] = {copy<0>, copy<1>, copy<2>, copy<3>, copy<4>, copy<5>};
static kernel *const sums[VARIANTS] = {sum<0>, sum<1>, sum<2>, sum<3>, sum<4>, sum<5>};
static float *in[SETS], *out[SETS];

static void time_of(const char *what, kernel *const *of, int blocks, int work, int kernels, int arguments, bool queued)
{
    cudaEvent_t from, to;
    std::vector<double> times;
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
    for (int trial = 0; trial < TRIALS + 2; trial++) {
        float ms;
        if (queued) // launches queue up behind it
            chain<0><<<132, 256>>>(in[0], out[0], 750000);
        CHECK(cudaEventRecord(from));
        for (int l = 0; l < LAUNCHES; l++)
            of[l % kernels]<<<blocks, 256>>>(in[l % arguments], out[l % arguments], work);
        CHECK(cudaEventRecord(to));
        CHECK(cudaEventSynchronize(to));
        CHECK(cudaEventElapsedTime(&ms, from, to));
        if (trial >= 2)
            times.push_back(1e-3 * ms / LAUNCHES);
    }
    std::sort(times.begin(), times.end());
    printf("{\"what\": \"%s\", \"blocks\": %d, \"work\": %d, \"kernels\": %d, \"arguments\": %d, \"queued\": %d, "
           "\"seconds\": %.6g, \"low\": %.6g, \"high\": %.6g}\n",
           what, blocks, work, kernels, arguments, queued, times[times.size() / 2], times[0], times.back());
    fflush(stdout);
    CHECK(cudaEventDestroy(from));
    CHECK(cudaEventDestroy(to));
}

static void all(const char *what, kernel *const *of, int blocks, int work)
{
    static const int turns[][2] = {{1, 1}, {2, 1}, {3, 1}, {6, 1}, {1, 2}, {1, 4}, {6, 4}};
    for (auto &turn : turns)
        for (int queued = 0; queued < 2; queued++)
            time_of(what, of, blocks, work, turn[0], turn[1], queued);
}

int main()
{
    for (int s = 0; s < SETS; s++) {
        CHECK(cudaMalloc(&in[s], MOST * sizeof(float)));
        CHECK(cudaMalloc(&out[s], MOST * sizeof(float)));
        CHECK(cudaMemset(in[s], 0, MOST * sizeof(float)));
    }
    for (int i = 0; i < 2000; i++)
        chain<0><<<132, 256>>>(in[0], out[0], 40000);
    for (int work : {16, 512, 2048, 4096, 16384})
        all("chain", chains, 132, work);
    for (int work : {1 << 16, 1 << 19, 1 << 20, 1 << 21})
        all("copy", copies, work / 256, work);
    for (int work : {1 << 19, 1 << 20, 1 << 21, 1 << 22})
        all("sum", sums, 1056, work);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
