/*
 * Atomic additions and stores of one thread to words of one sector, one instruction after the
 * other.
 *
 * usage: atomic_sectors rates  times of all rows
 *        atomic_sectors counted  two launches of each of the rows that a profiler counts, the
 * second between cudaProfilerStart and cudaProfilerStop nvcc -O3 -arch=sm_90 -o atomic_sectors
 * atomic_sectors.cu
 *
 * A thread draws D places, then executes K instructions for each: instruction j goes to the byte
 * place + j * step.  With D > 1 the places take turns.  Groups of lanes share a place; each further
 * lane of a group is lane_step bytes on.  Places are multiples of `align` bytes of a table.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_profiler_api.h>
#include <vector>

struct args {
    char *base;
    unsigned mask;
    int align, iterations, group, lane_step, step;
    unsigned *out;
};

__device__ __forceinline__ unsigned draw(unsigned &state)
{
    state = state * 747796405u + 2891336453u;
    unsigned w = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
    return (w >> 22) ^ w;
}

enum { RED, ATOM, STORE, VECTOR };
template <class T, int OP> __device__ __forceinline__ void one(char *p, unsigned &sum)
{
    if (OP == RED)
        atomicAdd((T *)p, (T)1);
    else if (OP == ATOM)
        sum ^= (unsigned)(long long)atomicAdd((T *)p, (T)1);
    else if (OP == STORE)
        *(volatile T *)p = (T)1;
}
template <> __device__ __forceinline__ void one<float2, VECTOR>(char *p, unsigned &)
{
    asm volatile("red.global.add.v2.f32 [%0], {%1, %1};" ::"l"(p), "f"(1.0f) : "memory");
}
template <> __device__ __forceinline__ void one<float4, VECTOR>(char *p, unsigned &)
{
    asm volatile("red.global.add.v4.f32 [%0], {%1, %1, %1, %1};" ::"l"(p), "f"(1.0f) : "memory");
}

template <class T, int OP, int K, int D> __global__ void operate(args a)
{
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    unsigned state = (thread / a.group) * 0x9E3779B9u + 12345u;
    state ^= state >> 16;
    state *= 0x85EBCA6Bu;
    state ^= state >> 13;
    char *base = a.base + (thread % a.group) * a.lane_step;
    for (int i = 0; i < a.iterations; i++) {
        char *at[D];
#pragma unroll
        for (int d = 0; d < D; d++)
            at[d] = base + (unsigned long long)(draw(state) & a.mask) * a.align;
#pragma unroll
        for (int j = 0; j < K; j++)
#pragma unroll
            for (int d = 0; d < D; d++)
                one<T, OP>(at[d] + j * a.step, sum);
    }
    if (sum == 0x12345)
        a.out[0] = sum;
}

struct row {
    const char *name, *type;
    void (*kernel)(args);
    int k, d, step, group, lane_step, align;
    int megabytes, blocks, threads; /* blocks: of a multiprocessor */
    bool counted;
};
static std::vector<row> rows;

static void *table;
static unsigned *out;
static int multiprocessors;

static int iterations_of(const row &r)
{
    double threads = (double)multiprocessors * r.blocks * r.threads;
    double wanted = r.megabytes > 32 ? 8e6 : 16e6;
    return std::max(1, (int)(wanted / threads / r.k / r.d));
}

static void launch(const row &r)
{
    args a = {(char *)table, (unsigned)(((unsigned long long)r.megabytes << 20) / r.align - 1),
              r.align,       iterations_of(r),
              r.group,       r.lane_step,
              r.step,        out};
    r.kernel<<<multiprocessors * r.blocks, r.threads>>>(a);
}

#define ROW(OPNAME, TYPENAME, T, OP, K, D, STEP, GROUP, LANESTEP, ALIGN, MB, BLOCKS, THREADS,      \
            COUNTED)                                                                               \
    rows.push_back({OPNAME, TYPENAME, operate<T, OP, K, D>, K, D, STEP, GROUP, LANESTEP, ALIGN,    \
                    MB, BLOCKS, THREADS, COUNTED})

/* Words of one sector, 1 to 8 of them, alone lanes. */
#define WORDS(OPNAME, TYPENAME, T, OP, MB, BLOCKS, THREADS, COUNTED)                               \
    do {                                                                                           \
        ROW(OPNAME, TYPENAME, T, OP, 1, 1, 4, 1, 0, 32, MB, BLOCKS, THREADS, COUNTED);             \
        ROW(OPNAME, TYPENAME, T, OP, 2, 1, 4, 1, 0, 32, MB, BLOCKS, THREADS, COUNTED);             \
        ROW(OPNAME, TYPENAME, T, OP, 3, 1, 4, 1, 0, 32, MB, BLOCKS, THREADS, false);               \
        ROW(OPNAME, TYPENAME, T, OP, 4, 1, 4, 1, 0, 32, MB, BLOCKS, THREADS, COUNTED);             \
        ROW(OPNAME, TYPENAME, T, OP, 8, 1, 4, 1, 0, 32, MB, BLOCKS, THREADS, COUNTED);             \
    } while (0)

static void fill(void)
{
    static const int sizes[] = {1, 4, 16, 64, 512};
    static const int shapes[][2] = {{1, 64}, {1, 256}, {2, 256}, {8, 256}};
    for (int mb : sizes) {
        WORDS("red", "f32", float, RED, mb, 8, 256, mb == 4 || mb == 512);
        WORDS("red", "u32", unsigned, RED, mb, 8, 256, false);
        WORDS("atom", "f32", float, ATOM, mb, 8, 256, mb == 4);
        WORDS("atom", "u32", unsigned, ATOM, mb, 8, 256, false);
        WORDS("store", "u32", unsigned, STORE, mb, 8, 256, mb == 4);
    }
    for (const auto &s : shapes)
        for (int mb : {4, 64})
            if (s[0] < 8) {
                WORDS("red", "f32", float, RED, mb, s[0], s[1], false);
                WORDS("atom", "f32", float, ATOM, mb, s[0], s[1], false);
            }
    for (int mb : {4, 64}) {
        /* the same word again */
        ROW("red", "f32", float, RED, 2, 1, 0, 1, 0, 32, mb, 8, 256, false);
        ROW("red", "f32", float, RED, 4, 1, 0, 1, 0, 32, mb, 8, 256, mb == 4);
        ROW("red", "u32", unsigned, RED, 4, 1, 0, 1, 0, 32, mb, 8, 256, false);
        ROW("atom", "f32", float, ATOM, 4, 1, 0, 1, 0, 32, mb, 8, 256, false);
        /* sectors of one line, and lines of a page */
        ROW("red", "f32", float, RED, 4, 1, 32, 1, 0, 128, mb, 8, 256, mb == 4);
        ROW("red", "u32", unsigned, RED, 4, 1, 32, 1, 0, 128, mb, 8, 256, false);
        ROW("red", "f32", float, RED, 4, 1, 128, 1, 0, 512, mb, 8, 256, false);
        ROW("red", "f32", float, RED, 4, 1, 512, 1, 0, 2048, mb, 8, 256, false);
        ROW("store", "u32", unsigned, STORE, 4, 1, 32, 1, 0, 128, mb, 8, 256, false);
        /* other sectors between the words of one */
        ROW("red", "f32", float, RED, 4, 2, 4, 1, 0, 32, mb, 8, 256, false);
        ROW("red", "f32", float, RED, 4, 4, 4, 1, 0, 32, mb, 8, 256, mb == 4);
        ROW("red", "f32", float, RED, 4, 8, 4, 1, 0, 32, mb, 8, 256, false);
        ROW("red", "f32", float, RED, 2, 16, 4, 1, 0, 32, mb, 8, 256, false);
        ROW("red", "u32", unsigned, RED, 4, 4, 4, 1, 0, 32, mb, 8, 256, false);
        /* lanes of one instruction on one sector: 2, 4, 8 words of it; then 2 and 4 instructions */
        for (int g : {2, 4, 8}) {
            ROW("red", "f32", float, RED, 1, 1, 4, g, 4, 32, mb, 8, 256, mb == 4);
            ROW("red", "u32", unsigned, RED, 1, 1, 4, g, 4, 32, mb, 8, 256, false);
            ROW("atom", "f32", float, ATOM, 1, 1, 4, g, 4, 32, mb, 8, 256, false);
        }
        ROW("red", "f32", float, RED, 2, 1, 4, 2, 8, 32, mb, 8, 256, false);
        ROW("red", "f32", float, RED, 4, 1, 4, 2, 16, 32, mb, 8, 256, mb == 4);
        ROW("red", "f32", float, RED, 2, 1, 8, 2, 4, 32, mb, 8, 256, false);
        ROW("red", "f32", float, RED, 4, 1, 8, 2, 4, 32, mb, 8, 256, false);
        ROW("red", "f32", float, RED, 2, 1, 16, 4, 4, 32, mb, 8, 256, false);
        ROW("red", "u32", unsigned, RED, 4, 1, 4, 2, 16, 32, mb, 8, 256, false);
        ROW("atom", "f32", float, ATOM, 4, 1, 4, 2, 16, 32, mb, 8, 256, false);
        /* pairs of lanes on the same words: a conflict each time */
        ROW("red", "f32", float, RED, 1, 1, 4, 2, 0, 32, mb, 8, 256, false);
        ROW("red", "f32", float, RED, 4, 1, 4, 2, 0, 32, mb, 8, 256, mb == 4);
        ROW("red", "u32", unsigned, RED, 4, 1, 4, 2, 0, 32, mb, 8, 256, false);
        /* from any 16 bytes on: 4 and 12 words */
        ROW("red", "f32", float, RED, 4, 1, 4, 1, 0, 16, mb, 8, 256, false);
        ROW("red", "f32", float, RED, 12, 1, 4, 1, 0, 16, mb, 8, 256, false);
        ROW("atom", "f32", float, ATOM, 12, 1, 4, 1, 0, 16, mb, 8, 256, false);
        /* eight bytes, and vectors */
        ROW("red", "f64", double, RED, 1, 1, 8, 1, 0, 32, mb, 8, 256, false);
        ROW("red", "f64", double, RED, 2, 1, 8, 1, 0, 32, mb, 8, 256, false);
        ROW("red", "f64", double, RED, 4, 1, 8, 1, 0, 32, mb, 8, 256, false);
        ROW("red", "u64", unsigned long long, RED, 1, 1, 8, 1, 0, 32, mb, 8, 256, false);
        ROW("red", "u64", unsigned long long, RED, 4, 1, 8, 1, 0, 32, mb, 8, 256, false);
        ROW("red", "v2.f32", float2, VECTOR, 1, 1, 8, 1, 0, 32, mb, 8, 256, false);
        ROW("red", "v4.f32", float4, VECTOR, 1, 1, 16, 1, 0, 32, mb, 8, 256, mb == 4);
        ROW("red", "v4.f32", float4, VECTOR, 2, 1, 16, 1, 0, 32, mb, 8, 256, false);
    }
}

int main(int argc, char **argv)
{
    bool rates = argc > 1 && !strcmp(argv[1], "rates");
    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    multiprocessors = device.multiProcessorCount;
    cudaMalloc(&table, (512ull << 20) + 4096);
    cudaMalloc(&out, 4);
    cudaMemset(table, 0, (512ull << 20) + 4096);
    fill();
    cudaEvent_t from, to;
    cudaEventCreate(&from);
    cudaEventCreate(&to);
    printf("operation type instructions places step group lane_step align megabytes blocks threads "
           "operations%s\n",
           rates ? " best_us median_us" : "");
    for (const row &r : rows) {
        double operations =
            (double)multiprocessors * r.blocks * r.threads * iterations_of(r) * r.k * r.d;
        if (!rates && !r.counted)
            continue;
        printf("%s %s %d %d %d %d %d %d %d %d %d %.0f", r.name, r.type, r.k, r.d, r.step, r.group,
               r.lane_step, r.align, r.megabytes, r.blocks, r.threads, operations);
        std::vector<float> times;
        for (int t = 0; t < (rates ? 9 : 2); t++) {
            float ms = 0;
            if (!rates && t)
                cudaProfilerStart();
            cudaEventRecord(from);
            launch(r);
            cudaEventRecord(to);
            cudaEventSynchronize(to);
            if (!rates && t)
                cudaProfilerStop();
            cudaEventElapsedTime(&ms, from, to);
            if (t)
                times.push_back(ms * 1000);
        }
        std::sort(times.begin(), times.end());
        if (rates)
            printf(" %.2f %.2f", times[0], times[times.size() / 2]);
        printf("\n");
        if (cudaGetLastError() != cudaSuccess)
            return fprintf(stderr, "failed\n"), 1;
    }
    return 0;
}
