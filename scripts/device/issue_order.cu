/* The order in which the warps of a scheduler issue: each warp reads the clock between groups of instructions, into
 * registers, so that each reading is the cycle in which the warp issued it.  usage: issue_order >FILE (a line of JSON a launch;
 * warps of one scheduler of one multiprocessor). */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

enum { FMA, CHAIN, LOGIC, BURST, LOAD, KINDS };
static const char *const kinds[KINDS] = {"fma", "chain", "logic", "burst", "load"};

__device__ static unsigned now()
{
    unsigned t;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
    return t;
}

__device__ static unsigned multiprocessor()
{
    unsigned s;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(s));
    return s;
}

__device__ static unsigned warp_place()
{
    unsigned w;
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(w));
    return w;
}

/* GROUP instructions of a kind: products without waits; each after the one before it; of the ALU unit; four without
 * waits and one that waits for the fourth; one load from shared memory that waits for the last one, then products. */
template <int KIND, int GROUP> __device__ static inline void group(float *x, unsigned *n, unsigned *at, float a)
{
#pragma unroll
    for (int i = 0; i < GROUP; i++) {
        if (KIND == LOGIC)
            asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(n[i % 6]) : "r"(n[6]), "r"(n[7]));
        else if (KIND == LOAD && i == 0)
            asm volatile("ld.volatile.shared.u32 %0, [%0];" : "+r"(*at)::"memory");
        else if (KIND == CHAIN)
            asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x[0]) : "f"(a));
        else if (KIND == BURST && i % 5 == 4)
            asm volatile("fma.rn.f32 %0, %1, %1, %0;" : "+f"(x[(i + 1) % 6]) : "f"(x[(i - 1) % 6]));
        else
            asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x[i % 6]) : "f"(a));
    }
}

/* All blocks of a multiprocessor wait for each other, up to one moment of its clock. */
__device__ static void meet(unsigned *counts, unsigned number)
{
    __syncthreads();
    if (gridDim.x == 1)
        return;
    if (threadIdx.x == 0) {
        atomicAdd(counts + multiprocessor(), 1);
        for (unsigned tries = 0; tries < 100000 && *(volatile unsigned *)(counts + multiprocessor()) < number; tries++)
            ;
    }
    __syncthreads();
    const unsigned then = (now() + 4096) & ~8191u;
    while ((int)(now() - then - 8192) < 0)
        ;
}

template <int KIND, int GROUP, int SAMPLES, int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) order(unsigned *out, unsigned *counts, unsigned resident, float a)
{
    __shared__ unsigned own;
    float x[6];
    unsigned n[8], times[SAMPLES], at = (unsigned)__cvta_generic_to_shared(&own);
    own = at;
    for (int i = 0; i < 6; i++)
        x[i] = a * i;
    for (int i = 0; i < 8; i++)
        n[i] = __float_as_uint(a) + i;
#pragma unroll 1
    for (unsigned pass = 1; pass <= 2; pass++) { /* the first one brings the instructions */
        meet(counts, pass * resident);
#pragma unroll
        for (int s = 0; s < SAMPLES; s++) {
            times[s] = now();
            group<KIND, GROUP>(x, n, &at, a);
        }
    }
    unsigned *to = out + (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * (SAMPLES + 3);
    float sum = x[0] + x[1] + x[2] + x[3] + x[4] + x[5];
    unsigned logic = n[0] ^ n[1] ^ n[2] ^ n[3] ^ n[4] ^ n[5] ^ at;
    if (threadIdx.x % 32 == 0) {
        to[0] = multiprocessor(), to[1] = warp_place(), to[2] = __float_as_uint(sum) ^ logic;
        for (int s = 0; s < SAMPLES; s++)
            to[3 + s] = times[s];
    }
}

/* Blocks that follow each other: when each begins and ends. */
template <int KIND, int GROUP> __global__ void __launch_bounds__(128, 8) follow(unsigned *out, unsigned passes, float a)
{
    __shared__ unsigned own;
    float x[6];
    unsigned n[8], at = (unsigned)__cvta_generic_to_shared(&own), begin = now();
    own = at;
    __syncthreads();
    for (int i = 0; i < 6; i++)
        x[i] = a * i;
    for (int i = 0; i < 8; i++)
        n[i] = __float_as_uint(a) + i;
#pragma unroll 1
    for (unsigned pass = 0; pass < passes; pass++)
        group<KIND, GROUP>(x, n, &at, a);
    unsigned end = now();
    unsigned *to = out + (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * 5;
    if (threadIdx.x % 32 == 0) {
        to[0] = multiprocessor(), to[1] = warp_place(), to[3] = begin, to[4] = end;
        to[2] = __float_as_uint(x[0] + x[1] + x[2] + x[3] + x[4] + x[5]) ^ n[0] ^ n[1] ^ n[2] ^ n[3] ^ n[4] ^ n[5] ^ at;
    }
}

static unsigned *out, *counts;
static int multiprocessors;
static const size_t bytes = 64 << 20;

/* The rows of the warps of the first block's multiprocessor in the places of its first warp's scheduler. */
static void show(const char *what, int kind, int gap, int warps, int blocks, int run, unsigned per, unsigned all, int samples)
{
    cudaError_t error = cudaDeviceSynchronize();
    if (error) {
        fprintf(stderr, "%s %s: %s\n", what, kinds[kind], cudaGetErrorString(error));
        return;
    }
    std::vector<unsigned> rows((size_t)all * per * (samples + 3));
    cudaMemcpy(rows.data(), out, rows.size() * 4, cudaMemcpyDeviceToHost);
    unsigned first = 0xffffffff;
    auto mine = [&](unsigned w) { return rows[w * (samples + 3)] == rows[0] && rows[w * (samples + 3) + 1] % 4 == rows[1] % 4; };
    bool any = false;
    for (unsigned w = 0; w < all * per; w++)
        for (int s = 0; s < samples && mine(w); s++) {
            unsigned t = rows[w * (samples + 3) + 3 + s];
            first = any && (int)(t - first) > 0 ? first : t;
            any = true;
        }
    printf("{\"what\":\"%s\",\"kind\":\"%s\",\"group\":%d,\"warps\":%d,\"blocks\":%d,\"run\":%d,\"rows\":[", what, kinds[kind], gap,
           warps, blocks, run);
    const char *comma = "";
    for (unsigned w = 0; w < all * per; w++)
        if (mine(w)) {
            printf("%s[%u,%u,%u", comma, w / per, w % per, rows[w * (samples + 3) + 1]);
            for (int s = 0; s < samples; s++)
                printf(",%u", rows[w * (samples + 3) + 3 + s] - first);
            printf("]");
            comma = ",";
        }
    printf("]}\n");
    fflush(stdout);
}

template <int KIND, int GROUP> static void one_block()
{
    const int numbers[] = {1, 2, 3, 4, 6, 8};
    for (int run = 0; run < 2; run++)
        for (int w : numbers) {
            cudaMemset(counts, 0, 4096);
            order<KIND, GROUP, 24, 1024, 1><<<1, 128 * w>>>(out, counts, 1, 0.5f);
            show("order", KIND, GROUP, w, 1, run, 4 * w, 1, 24);
        }
}

template <typename F> static int room_for(F *kernel, int blocks)
{
    int most = 233472 / blocks - 2048;
    most = std::min(most, 231000);
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
    cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 100);
    return most;
}

template <int KIND, int GROUP> static void more_blocks()
{
    const int numbers[] = {2, 4, 8, 16};
    for (int run = 0; run < 2; run++)
        for (int blocks : numbers) {
            cudaMemset(counts, 0, 4096);
            int room = room_for(order<KIND, GROUP, 12, 128, 16>, blocks);
            order<KIND, GROUP, 12, 128, 16><<<multiprocessors * blocks, 128, room>>>(out, counts, blocks, 0.5f);
            show("order", KIND, GROUP, 1, blocks, run, 4, multiprocessors * blocks, 12);
        }
}

template <int KIND, int GROUP> static void succession()
{
    for (int run = 0; run < 2; run++)
        for (int blocks : {2, 4}) {
            int room = room_for(follow<KIND, GROUP>, blocks);
            follow<KIND, GROUP><<<multiprocessors * blocks * 4, 128, room>>>(out, 400, 0.5f);
            show("follow", KIND, GROUP, 1, blocks, run, 4, multiprocessors * blocks * 4, 2);
        }
}

template <int KIND, int GROUP> static void both()
{
    one_block<KIND, GROUP>();
    more_blocks<KIND, GROUP>();
}

int main()
{
    cudaMalloc(&out, bytes);
    cudaMalloc(&counts, 4096);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    both<FMA, 3>(), both<FMA, 15>();
    both<LOGIC, 3>(), both<LOGIC, 15>();
    both<CHAIN, 1>(), both<CHAIN, 4>();
    both<BURST, 5>(), both<BURST, 15>();
    both<LOAD, 8>(), both<LOAD, 24>();
    succession<FMA, 60>(), succession<CHAIN, 15>(), succession<BURST, 60>(), succession<LOAD, 24>();
    return 0;
}
