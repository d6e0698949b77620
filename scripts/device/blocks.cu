// How blocks come to multiprocessors and leave them.  usage: blocks
// One line of JSON each: what a block takes that follows another one in its place (`life`), which
// multiprocessor each block of a launch goes to (`dealt`), when multiprocessors end (`ends`).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(cudaError_t status)
{
    if (status != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(status));
        exit(1);
    }
}

enum { MULTIPROCESSORS = 132 };

__device__ unsigned multiprocessor()
{
    unsigned at;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(at));
    return at;
}

__device__ unsigned long long now()
{
    unsigned long long at;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(at));
    return at;
}

__device__ float products(float x, int count)
{
#pragma unroll 1
    for (int i = 0; i < count; i += 16)
#pragma unroll
        for (int k = 0; k < 16; k++)
            x = x * 1.0001f + 0.5f;
    return x;
}

// A chain of products; stores of each thread ahead of it, or behind it; or a load that it begins
// with.  `words`: of the array, less one.
extern "C" __global__ void life(float *array, int before, int behind, int loads, int chain, unsigned words)
{
    unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) & words, step = gridDim.x * blockDim.x;
    float x = 1;
    for (int i = 0; i < loads; i++)
        x += __ldcg(array + (at ^ ((unsigned)x & 0)));
    for (int i = 0; i < before; i++)
        array[(at + i * step) & words] = x;
    x = products(x, chain);
    if (!behind && x == 17)
        array[at] = x;
    for (int i = 0; i < behind; i++)
        array[(at + i * step) & words] = x;
}

extern "C" __global__ void dealt(unsigned *where, unsigned long long *begin, int across, int idle, unsigned long long nanoseconds)
{
    if (threadIdx.x == 0) {
        where[blockIdx.x] = multiprocessor();
        begin[blockIdx.x] = now();
    }
    // idle: blocks below the diagonal of a square of blocks end at once
    if (idle && blockIdx.x / across > blockIdx.x % across)
        return;
    unsigned long long until = now() + nanoseconds;
    while (now() < until)
        ;
}

// Work of blocks that is limited by products, or by device memory; when each begins and ends.
extern "C" __global__ void ends(const float4 *array, float *out, unsigned *where, unsigned long long *begin,
                                unsigned long long *end, int chain, int loads, size_t count)
{
    unsigned long long first = now();
    float x = threadIdx.x, y = x + 1, z = x + 2, w = x + 3;
    for (int i = 0; i < chain; i++) {
        x = x * 1.0001f + 0.5f;
        y = y * 1.0001f + 0.5f;
        z = z * 1.0001f + 0.5f;
        w = w * 1.0001f + 0.5f;
    }
    for (int i = 0; i < loads; i++) {
        size_t at = ((size_t)blockIdx.x * loads + i) * blockDim.x + threadIdx.x;
        float4 v = array[at % count];
        x += v.x + v.y + v.z + v.w;
    }
    if (x + y + z + w == 17)
        out[0] = x;
    __syncthreads();
    if (threadIdx.x == 0) {
        where[blockIdx.x] = multiprocessor();
        begin[blockIdx.x] = first;
        end[blockIdx.x] = now();
    }
}

static double seconds_of_life(float *array, int blocks, int threads, int shared, int before, int behind, int loads, int chain,
                              unsigned words)
{
    cudaEvent_t from, to;
    std::vector<float> trials;
    check(cudaEventCreate(&from));
    check(cudaEventCreate(&to));
    for (int t = 0; t < 7; t++) {
        check(cudaEventRecord(from));
        for (int i = 0; i < 10; i++)
            life<<<blocks, threads, shared>>>(array, before, behind, loads, chain, words);
        check(cudaEventRecord(to));
        check(cudaEventSynchronize(to));
        float ms;
        check(cudaEventElapsedTime(&ms, from, to));
        trials.push_back(ms);
    }
    std::sort(trials.begin(), trials.end());
    return trials[3] * 1e-3 / 10;
}

static void measure_life(float *array)
{
    static const int stores[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 1}, {0, 0, 2}};
    for (int resident = 1; resident <= 8; resident *= 2)
        for (int threads = 32; threads <= 1024; threads *= threads < 256 ? 8 : 4)
            for (int chain = 64; chain <= 1024; chain *= 4)
                for (unsigned words : {1u << 18, 1u << 28})
                    for (auto &of : stores) {
                        if (resident * threads > 2048)
                            continue;
                        int shared = 220 * 1024 / resident - 1024, rounds = 100, blocks = MULTIPROCESSORS * rounds * resident;
                        double time = seconds_of_life(array, blocks, threads, shared, of[0], of[1], of[2], chain, words - 1);
                        printf("{\"kernel\": \"life\", \"resident\": %d, \"threads\": %d, \"chain\": %d, \"words\": %u, \"before\": %d, "
                               "\"behind\": %d, \"loads\": %d, \"rounds\": %d, \"seconds\": %.6g, \"cycles\": %.1f}\n",
                               resident, threads, chain, words, of[0], of[1], of[2], rounds, time, time * 1.98e9 / rounds);
                        fflush(stdout);
                    }
}

static void measure_dealt(void)
{
    static const int shapes[][5] = {// blocks, threads, shared, across, idle
                                    {132, 1024, 0, 1, 0},  {100, 256, 0, 1, 0},       {264, 1024, 0, 1, 0}, {300, 256, 0, 1, 0},
                                    {528, 256, 0, 1, 0},   {1056, 256, 0, 1, 0},      {256, 256, 0, 16, 0}, {256, 256, 0, 16, 1},
                                    {256, 256, 0, 1, 1},   {1024, 256, 0, 32, 1},     {576, 256, 0, 24, 1}, {256, 1024, 0, 16, 1},
                                    {198, 1024, 0, 1, 0},  {400, 512, 0, 20, 1},      {1600, 256, 0, 40, 1}};
    unsigned *where;
    unsigned long long *begin;
    check(cudaMallocManaged(&where, 4096 * sizeof(*where)));
    check(cudaMallocManaged(&begin, 4096 * sizeof(*begin)));
    for (auto &of : shapes)
        for (int trial = 0; trial < 3; trial++) {
            dealt<<<of[0], of[1], of[2]>>>(where, begin, of[3], of[4], 20000);
            check(cudaDeviceSynchronize());
            unsigned long long first = *std::min_element(begin, begin + of[0]);
            printf("{\"kernel\": \"dealt\", \"blocks\": %d, \"threads\": %d, \"across\": %d, \"idle\": %d, \"trial\": %d, \"where\": [", of[0],
                   of[1], of[3], of[4], trial);
            for (int b = 0; b < of[0]; b++)
                printf("%s%u", b ? "," : "", where[b]);
            printf("], \"begins\": [");
            for (int b = 0; b < of[0]; b++)
                printf("%s%llu", b ? "," : "", begin[b] - first);
            printf("]}\n");
            fflush(stdout);
        }
}

static void measure_ends(float4 *array, size_t count)
{
    static const int works[][5] = {// threads, blocks, products, loads
                                   {256, 1056 * 10, 400, 0},  {256, 1056 * 40, 100, 0},   {256, 1056 * 3 + 500, 1500, 0}, {256, 1056 * 10, 0, 16},
                                   {256, 1056 * 40, 0, 4},    {1024, 264 * 10, 0, 16},    {1024, 264 * 10, 400, 0},       {256, 1056 * 200, 0, 1},
                                   {256, 1056, 0, 160},       {256, 1056, 4000, 0}};
    const int most = 1056 * 200;
    unsigned *where;
    unsigned long long *begin, *end;
    float *out;
    check(cudaMallocManaged(&where, most * sizeof(*where)));
    check(cudaMallocManaged(&begin, most * sizeof(*begin)));
    check(cudaMallocManaged(&end, most * sizeof(*end)));
    check(cudaMalloc(&out, 4));
    for (auto &of : works)
        for (int trial = 0; trial < 3; trial++) {
            check(cudaMemset(where, 0, of[1] * sizeof(*where)));
            check(cudaMemset(begin, 0, of[1] * sizeof(*begin)));
            check(cudaMemset(end, 0, of[1] * sizeof(*end)));
            ends<<<of[1], of[0]>>>(array, out, where, begin, end, of[2], of[3], count);
            check(cudaDeviceSynchronize());
            unsigned long long first = *std::min_element(begin, begin + of[1]);
            unsigned long long last[MULTIPROCESSORS] = {0};
            int blocks[MULTIPROCESSORS] = {0};
            for (int b = 0; b < of[1]; b++) {
                last[where[b]] = std::max(last[where[b]], end[b] - first);
                blocks[where[b]]++;
            }
            printf("{\"kernel\": \"ends\", \"threads\": %d, \"blocks\": %d, \"products\": %d, \"loads\": %d, \"trial\": %d, \"ends\": [", of[0],
                   of[1], of[2] * 4, of[3], trial);
            for (int m = 0; m < MULTIPROCESSORS; m++)
                printf("%s%llu", m ? "," : "", last[m]);
            printf("], \"counts\": [");
            for (int m = 0; m < MULTIPROCESSORS; m++)
                printf("%s%d", m ? "," : "", blocks[m]);
            printf("]}\n");
            fflush(stdout);
        }
}

int main(void)
{
    size_t bytes = (size_t)1 << 32;
    float *array;
    check(cudaMalloc(&array, bytes));
    check(cudaMemset(array, 0, bytes));
    check(cudaFuncSetAttribute(life, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
    measure_dealt();
    measure_ends((float4 *)array, bytes / sizeof(float4));
    measure_life(array);
    return 0;
}
