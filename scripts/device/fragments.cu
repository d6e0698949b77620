// How late and how often the matrix units of a multiprocessor take products of each shape and type, as mma.sync and
// wmma.mma have them, and what generic loads and stores of shared memory and conversions to tf32 cost beside those that
// name their space.
//
// usage: fragments
// Prints a line of JSON for each configuration: cycles of the first block for one step of one of its warps (median of
// 7 launches), where each warp has `chains` sums that do not hang on each other.
#include "check.cuh"
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { ROUNDS = 100, STEPS = 8, MOST_CHAINS = 4 };

struct values {
    float f[MOST_CHAINS][8];
    double d[MOST_CHAINS][8];
    uint32_t a[8], b[8];
    double x;
    uint64_t generic[MOST_CHAINS];
    uint32_t shared[MOST_CHAINS];
};

#define F(i) "+f"(v.f[c][i])
#define I(i) "+r"(((uint32_t *)v.f[c])[i])
#define D(i) "+d"(v.d[c][i])
#define A(i) "r"(v.a[i])
#define B(i) "r"(v.b[i])
#define C4 "{%0,%1,%2,%3}"
#define C8 "{%0,%1,%2,%3,%4,%5,%6,%7}"
#define F4 F(0), F(1), F(2), F(3)
#define F8 F4, F(4), F(5), F(6), F(7)
#define I4 I(0), I(1), I(2), I(3)
#define I8 I4, I(4), I(5), I(6), I(7)

// One step of a chain: X(name, chains at most, code)
#define STEPS_OF(X)                                                                                                    \
    X(mma_m16n8k8_f32_f16, 4, asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 " C4 ",{%4,%5},{%6}," C4 ";" : F4 : A(0), A(1), B(0)))      \
    X(mma_m16n8k16_f32_f16, 4, asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " C4 ",{%4,%5,%6,%7},{%8,%9}," C4 ";"                     \
                                            : F4 : A(0), A(1), A(2), A(3), B(0), B(1)))                                                                  \
    X(mma_m16n8k16_f16_f16, 4, asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1},{%2,%3,%4,%5},{%6,%7},{%0,%1};"                   \
                                            : I(0), I(1) : A(0), A(1), A(2), A(3), B(0), B(1)))                                                          \
    X(mma_m16n8k16_f32_bf16, 4, asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 " C4 ",{%4,%5,%6,%7},{%8,%9}," C4 ";"                  \
                                             : F4 : A(0), A(1), A(2), A(3), B(0), B(1)))                                                                 \
    X(mma_m16n8k4_f32_tf32, 4, asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 " C4 ",{%4,%5},{%6}," C4 ";" : F4 : A(0), A(1), B(0)))   \
    X(mma_m16n8k8_f32_tf32, 4, asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 " C4 ",{%4,%5,%6,%7},{%8,%9}," C4 ";"                    \
                                            : F4 : A(0), A(1), A(2), A(3), B(0), B(1)))                                                                  \
    X(mma_m16n8k16_s32_s8, 4, asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 " C4 ",{%4,%5},{%6}," C4 ";" : I4 : A(0), A(1), B(0)))       \
    X(mma_m16n8k32_s32_s8, 4, asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 " C4 ",{%4,%5,%6,%7},{%8,%9}," C4 ";"                        \
                                           : I4 : A(0), A(1), A(2), A(3), B(0), B(1)))                                                                   \
    X(mma_m8n8k4_f64, 4, asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%2},{%0,%1};" : D(0), D(1) : "d"(v.x)))             \
    X(mma_m16n8k4_f64, 4, asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 " C4 ",{%4,%4},{%4}," C4 ";"                                    \
                                       : D(0), D(1), D(2), D(3) : "d"(v.x)))                                                                             \
    X(mma_m16n8k8_f64, 4, asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 " C4 ",{%4,%4,%4,%4},{%4,%4}," C4 ";"                           \
                                       : D(0), D(1), D(2), D(3) : "d"(v.x)))                                                                             \
    X(wmma_m16n16k16_f32_f16, 4, asm volatile("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 " C8 ",{%8,%9,%10,%11,%12,%13,%14,%15},"                  \
                                              "{%16,%17,%18,%19,%20,%21,%22,%23}," C8 ";"                                                                \
                                              : F8 : A(0), A(1), A(2), A(3), A(4), A(5), A(6), A(7), B(0), B(1), B(2), B(3), B(4), B(5), B(6), B(7)))    \
    X(wmma_m16n16k16_f32_bf16, 4, asm volatile("wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32 " C8 ",{%8,%9,%10,%11},{%12,%13,%14,%15}," C8 ";" \
                                               : F8 : A(0), A(1), A(2), A(3), B(0), B(1), B(2), B(3)))                                                   \
    X(wmma_m16n16k8_f32_tf32, 4, asm volatile("wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32 " C8 ",{%8,%9,%10,%11},{%12,%13,%14,%15}," C8 ";" \
                                              : F8 : A(0), A(1), A(2), A(3), B(0), B(1), B(2), B(3)))                                                    \
    X(wmma_m16n16k16_s32_s8, 4, asm volatile("wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32 " C8 ",{%8,%9},{%10,%11}," C8 ";"                    \
                                             : I8 : A(0), A(1), B(0), B(1)))                                                                             \
    X(wmma_m8n8k4_f64, 4, asm volatile("wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64.rn {%0,%1},{%2},{%2},{%0,%1};"                              \
                                       : D(0), D(1) : "d"(v.x)))                                                                                         \
    X(cvt_rna_tf32, 4, asm volatile("{.reg .b32 t; cvt.rna.tf32.f32 t, %0; mov.b32 %0, t;}" : F(0)))                                                     \
    X(chase_shared, 4, asm volatile("ld.shared.u32 %0, [%0];" : "+r"(v.shared[c])))                                                                      \
    X(chase_shared_wide, 4, asm volatile("{.reg .b64 t; cvt.u64.u32 t, %0; ld.shared.u64 t, [%0]; cvt.u32.u64 %0, t;}" : "+r"(v.shared[c])))             \
    X(chase_generic, 4, asm volatile("ld.u64 %0, [%0];" : "+l"(v.generic[c])))                                                                           \
    X(store_shared, 4, asm volatile("st.volatile.shared.u32 [%1], %0;" : : "r"(((uint32_t *)v.f[c])[0]), "r"(v.shared[0])))                               \
    X(store_generic, 4, asm volatile("st.volatile.u32 [%1], %0;" : : "r"(((uint32_t *)v.f[c])[0]), "l"(v.generic[0])))

#define KERNEL(name, most, code)                                                                                       \
    template <int chains> __global__ void run_##name(long long *out, float *sink, uint64_t *cells, float x)            \
    {                                                                                                                  \
        __shared__ uint64_t own[1024];                                                                                 \
        values v;                                                                                                      \
        for (int c = 0; c < MOST_CHAINS; c++)                                                                          \
            for (int i = 0; i < 8; i++) {                                                                              \
                v.f[c][i] = x * i + c, v.d[c][i] = x * c;                                                              \
                v.a[i] = threadIdx.x + i, v.b[i] = threadIdx.x * i;                                                    \
            }                                                                                                          \
        v.x = x;                                                                                                       \
        cells[blockIdx.x * 1024 + threadIdx.x] = (uint64_t)&own[threadIdx.x];                                          \
        __syncthreads();                                                                                               \
        for (int c = 0; c < MOST_CHAINS; c++) {                                                                        \
            v.generic[c] = ((volatile uint64_t *)cells)[blockIdx.x * 1024 + threadIdx.x];                              \
            v.shared[c] = (uint32_t)__cvta_generic_to_shared(&own[threadIdx.x]);                                       \
        }                                                                                                              \
        own[threadIdx.x] = #name[6] == 's' ? v.shared[0] : v.generic[0];                                               \
        __syncthreads();                                                                                               \
        long long begin = clock64();                                                                                   \
        _Pragma("unroll 1") for (int r = 0; r < ROUNDS; r++)                                                           \
        {                                                                                                              \
            _Pragma("unroll") for (int s = 0; s < STEPS; s++)                                                          \
            {                                                                                                          \
                _Pragma("unroll") for (int c = 0; c < chains; c++) code;                                               \
            }                                                                                                          \
        }                                                                                                              \
        __syncthreads();                                                                                               \
        if (blockIdx.x == 0 && threadIdx.x == 0)                                                                       \
            *out = clock64() - begin;                                                                                  \
        double sum = 0;                                                                                                \
        for (int c = 0; c < MOST_CHAINS; c++)                                                                          \
            sum += (double)v.generic[c] + v.shared[c];                                                                 \
        for (int c = 0; c < MOST_CHAINS; c++)                                                                          \
            for (int i = 0; i < 8; i++)                                                                                \
                sum += v.f[c][i] + v.d[c][i];                                                                          \
        if (sum == 12345.678)                                                                                          \
            *sink = sum;                                                                                               \
    }
STEPS_OF(KERNEL)

static long long *cycles;
static float *memory;
static uint64_t *cells;

template <typename launch> static double measure(launch run)
{
    std::vector<long long> of;
    for (int t = 0; t < 8; t++) {
        long long c;
        run();
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemcpy(&c, cycles, sizeof c, cudaMemcpyDeviceToHost));
        if (t)
            of.push_back(c);
    }
    std::sort(of.begin(), of.end());
    return (double)of[of.size() / 2];
}

int main()
{
    CHECK(cudaMalloc(&cycles, 16));
    CHECK(cudaMalloc(&memory, 16));
    CHECK(cudaMalloc(&cells, 132 * 1024 * sizeof *cells));
    const int counts[] = {32, 128, 256, 512, 1024};
#define SHOW_WITH(name, number)                                                                                        \
    printf("{\"step\": \"%s\", \"chains\": %d, \"threads\": %d, \"cycles\": %.3f}\n", #name, number, threads,          \
           measure([=] { run_##name<number><<<132, threads>>>(cycles, memory, cells, 1.0f); }) / (ROUNDS * STEPS * number));
#define SHOW(name, most, code)                                                                                         \
    for (int threads : counts) {                                                                                       \
        SHOW_WITH(name, 1)                                                                                             \
        if (most > 1) {                                                                                                \
            SHOW_WITH(name, 2)                                                                                         \
            SHOW_WITH(name, 4)                                                                                         \
        }                                                                                                              \
    }
    STEPS_OF(SHOW)
    return 0;
}
