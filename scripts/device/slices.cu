// Atomic operations on device memory: slices of L2 that launches go to one after the other, and results.
//
// usage: slices PART
// walks    warps add to groups of consecutive bytes, `dwell` times each, in an order: all blocks together (`together`),
//          each block from another group on (`apart`), or any group each time (`any`); or so many blocks that are launched
//          one after the other to one group, and the next ones to the next (`blocks`).  A warp adds to one sector that it
//          draws within the group, four lanes a word.
// lanes    warps add to random sectors of 4 MB: `lanes` on one word, each such group of lanes on a sector of its own
// results  a thread a particle adds 1 to the count of its cell, as count_cells (kernels/applications/particles.cu), with and
//          without what is around it; cells of neighbouring particles are neighbours, `lanes` of which have one
// chains   one warp whose additions wait for each other: cycles of one, by lanes on one word and sectors
#include "check.cuh"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

enum { SECTOR_WORDS = 8, TRIALS = 7, LAUNCHES = 5 };
enum walk_order { TOGETHER, APART, ANY, BLOCKS };

__global__ void wait_for(long long cycles)
{
    for (long long begin = clock64(); clock64() - begin < cycles;)
        ;
}

// `sectors`: of a group; `groups` and `sectors` are powers of two; 1 << dwell additions to each group, by BLOCKS as many
// blocks.
__global__ void walk(unsigned *words, int times, unsigned groups, int dwell, unsigned sectors, int order)
{
    unsigned state = ((blockIdx.x * blockDim.x + threadIdx.x) / 32) * 2654435761u + 12345;
    const unsigned begin = order == APART ? blockIdx.x * 2654435761u >> 8 : 0;
    for (int i = 0; i < times; i++) {
        state = state * 1664525u + 1013904223u;
        unsigned mixed = (state ^ state >> 16) * 0x7feb352du;
        mixed ^= mixed >> 15;
        unsigned group = order == BLOCKS ? blockIdx.x >> dwell : order == ANY ? mixed >> 16 : (unsigned)(i >> dwell) + begin;
        unsigned sector = (group & (groups - 1)) * sectors + (mixed & (sectors - 1));
        atomicAdd(&words[sector * SECTOR_WORDS + threadIdx.x % SECTOR_WORDS], 1u);
    }
}

// Each group of `lanes` lanes (a power of two) adds to one word of any sector.
__global__ void add_apart(unsigned *words, int times, int lanes)
{
    unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) / lanes * 2654435761u + 12345;
    for (int i = 0; i < times; i++) {
        state = state * 1664525u + 1013904223u;
        unsigned mixed = (state ^ state >> 16) * 0x7feb352du;
        atomicAdd(&words[((mixed ^ mixed >> 15) >> 15) * SECTOR_WORDS], 1u);
    }
}

// what 0: reads and stores alone; 1: and adds, without the result; 2: with the result; 3: adds with the result, and stores it
// alone; 4: adds without the result alone
template <int what> __global__ void count(const float2 *__restrict__ positions, int *__restrict__ cells, int *__restrict__ ranks,
                                          int *__restrict__ counts, int n, int lanes, int mask)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int cell = (i / lanes) & mask;
    if (what < 3) {
        float2 at = positions[i];
        cell += (int)at.x;
        cells[i] = cell;
    }
    if (what == 0)
        ranks[i] = i;
    if (what == 1 || what == 4)
        atomicAdd(&counts[cell], 1);
    if (what == 1)
        ranks[i] = i;
    if (what == 2 || what == 3)
        ranks[i] = atomicAdd(&counts[cell], 1);
}

__global__ void chain(int *words, int lanes, int stride, int times, long long *cycles)
{
    int *at = words + threadIdx.x / lanes * stride, old = 0;
    for (int i = 0; i < 64; i++)
        old = atomicAdd(at + (old & 1 << 30), 1);
    long long begin = clock64();
    for (int i = 0; i < times; i++)
        old = atomicAdd(at + (old & 1 << 30), 1);
    long long end = clock64();
    if (threadIdx.x == 0)
        *cycles = end - begin;
    if (old == -1)
        words[1 << 20] = 1;
}

static double seconds_of(const std::function<void()> &launch, double *low, double *high)
{
    std::vector<double> times;
    cudaEvent_t from, to;
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
    for (int trial = 0; trial < TRIALS; trial++) {
        float ms;
        wait_for<<<1, 1>>>(200000);
        launch();
        CHECK(cudaEventRecord(from));
        for (int i = 0; i < LAUNCHES; i++)
            launch();
        CHECK(cudaEventRecord(to));
        CHECK(cudaEventSynchronize(to));
        CHECK(cudaEventElapsedTime(&ms, from, to));
        times.push_back(1e-3 * ms / LAUNCHES);
    }
    CHECK(cudaEventDestroy(from));
    CHECK(cudaEventDestroy(to));
    std::sort(times.begin(), times.end());
    *low = times.front();
    *high = times.back();
    return times[TRIALS / 2];
}

static void walk_once(unsigned *words, int blocks, int times, int groups, int dwell, int sectors, int order, int threads = 256)
{
    static const char *const names[] = {"together", "apart", "any", "blocks"};
    double low, high;
    double seconds = seconds_of([=] { walk<<<blocks, threads>>>(words, times, groups, dwell, sectors, order); }, &low, &high);
    printf("{\"kernel\": \"walk\", \"order\": \"%s\", \"blocks\": %d, \"threads\": %d, \"times\": %d, \"groups\": %d, \"group_bytes\": %d, \"dwell\": %d, "
           "\"seconds\": %.6g, \"low\": %.6g, \"high\": %.6g}\n", names[order], blocks, threads, times, groups, 32 * sectors, 1 << dwell, seconds, low, high);
}

static void walks(int multiprocessors)
{
    unsigned *words;
    const int wave = 8 * multiprocessors;
    CHECK(cudaMalloc(&words, 64 << 20));
    CHECK(cudaMemset(words, 0, 64 << 20));
    for (int sectors : {16, 64, 256, 2048})
        for (int dwell : {0, 2, 4, 6})
            for (int waves : {1, 4})
                for (int order : {TOGETHER, APART})
                    walk_once(words, waves * wave, 128, 256, dwell, sectors, order);
    for (int sectors : {16, 64, 256, 2048})
        for (int waves : {1, 4})
            walk_once(words, waves * wave, 128, 256, 0, sectors, ANY);
    for (int order : {TOGETHER, APART}) // fewer blocks of a multiprocessor, and more waves
        for (int dwell : {0, 2, 4}) {
            for (int few : {1, 2, 4})
                walk_once(words, few * multiprocessors, 512, 256, dwell, 64, order);
            walk_once(words, 8 * wave, 64, 256, dwell, 64, order);
        }
    for (int threads : {256, 1024}) // blocks that are launched together
        for (int sectors : {16, 128})
            for (int times : {32, 128})
                for (int run = 2; run <= 12; run++)
                    walk_once(words, 8 * wave * 256 / threads, times, 256, run, sectors, BLOCKS, threads);
    CHECK(cudaFree(words));
}

static void lanes_apart(int multiprocessors)
{
    unsigned *words;
    CHECK(cudaMalloc(&words, 4 << 20));
    CHECK(cudaMemset(words, 0, 4 << 20));
    for (int lanes : {1, 2, 4, 8, 16, 32})
        for (int times : {16, 64}) {
            double low, high, seconds = seconds_of([=] { add_apart<<<8 * multiprocessors, 256>>>(words, times, lanes); }, &low, &high);
            printf("{\"kernel\": \"add_apart\", \"blocks\": %d, \"threads\": 256, \"times\": %d, \"lanes\": %d, \"seconds\": %.6g, \"low\": %.6g, "
                   "\"high\": %.6g}\n", 8 * multiprocessors, times, lanes, seconds, low, high);
        }
    CHECK(cudaFree(words));
}

template <int what> static void results_of(const float2 *positions, int *cells, int *ranks, int *counts, int n, int lanes, int words)
{
    static const char *const names[] = {"around", "around_add", "around_result", "result", "add"};
    double low, high;
    double seconds = seconds_of([=] { count<what><<<(n + 255) / 256, 256>>>(positions, cells, ranks, counts, n, lanes, words - 1); }, &low, &high);
    printf("{\"kernel\": \"count\", \"what\": \"%s\", \"threads\": %d, \"lanes\": %d, \"words\": %d, \"seconds\": %.6g, \"low\": %.6g, \"high\": %.6g}\n",
           names[what], n, lanes, words, seconds, low, high);
}

static void results()
{
    const int most = 1 << 22;
    float2 *positions;
    int *cells, *ranks, *counts;
    CHECK(cudaMalloc(&positions, most * sizeof(float2)));
    CHECK(cudaMemset(positions, 0, most * sizeof(float2)));
    CHECK(cudaMalloc(&cells, most * sizeof(int)));
    CHECK(cudaMalloc(&ranks, most * sizeof(int)));
    CHECK(cudaMalloc(&counts, most * sizeof(int)));
    CHECK(cudaMemset(counts, 0, most * sizeof(int)));
    for (int n : {1 << 16, 1 << 18, 1 << 20, 1 << 22})
        for (int lanes : {1, 4, 32}) {
            if (lanes == 4) {
                results_of<0>(positions, cells, ranks, counts, n, lanes, most);
                results_of<1>(positions, cells, ranks, counts, n, lanes, most);
            }
            results_of<2>(positions, cells, ranks, counts, n, lanes, most);
            results_of<3>(positions, cells, ranks, counts, n, lanes, most);
            results_of<4>(positions, cells, ranks, counts, n, lanes, most);
        }
    for (void *array : {(void *)positions, (void *)cells, (void *)ranks, (void *)counts})
        CHECK(cudaFree(array));
}

static void chains()
{
    int *words;
    long long *cycles, taken;
    CHECK(cudaMalloc(&words, 8 << 20));
    CHECK(cudaMemset(words, 0, 8 << 20));
    CHECK(cudaMalloc(&cycles, sizeof(*cycles)));
    for (int stride : {1, 8, 128, 1024})
        for (int lanes : {1, 2, 4, 8, 32}) {
            chain<<<1, 32>>>(words, lanes, stride, 256, cycles);
            CHECK(cudaMemcpy(&taken, cycles, sizeof(taken), cudaMemcpyDeviceToHost));
            printf("{\"kernel\": \"chain\", \"lanes\": %d, \"stride\": %d, \"cycles\": %.2f}\n", lanes, stride, taken / 256.0);
        }
    CHECK(cudaFree(words));
    CHECK(cudaFree(cycles));
}

int main(int count, char **names)
{
    const char *part = count > 1 ? names[1] : "";
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    if (!strcmp(part, "walks"))
        walks(device.multiProcessorCount);
    if (!strcmp(part, "lanes"))
        lanes_apart(device.multiProcessorCount);
    if (!strcmp(part, "results"))
        results();
    if (!strcmp(part, "chains"))
        chains();
    return 0;
}
