// How often and how late the units of a multiprocessor's partition take operations of integers, conversions, special
// functions and branches to one of many places: what ptxas 13.0 makes of each line of PTX is in its comment.
//
// usage: pipes
// Prints a line of JSON for each configuration: cycles of the first block for one step of one of its warps (median of
// 7 launches), with 32 threads (a chain) and 1024 (a chain in each of eight warps of a scheduler).
#include "check.cuh"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { ROUNDS = 200, STEPS = 32 };

struct values {
    float f, f2;
    int i, i2, i3;
    double d;
    long long l;
};

// One step of a chain, of so many.  X(name, what it becomes, code)
#define STEPS_OF(X)                                                                                                    \
    X(ffma, "FFMA", asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(v.f) : "f"(x)))                                   \
    X(imad, "IMAD", asm volatile("mad.lo.s32 %0, %0, %1, %1;" : "+r"(v.i) : "r"(n)))                                   \
    X(imad_wide, "IMAD.WIDE", asm volatile("{.reg .s32 a, b; mov.b64 {a, b}, %0; mad.wide.s32 %0, a, %1, %0;}" : "+l"(v.l) : "r"(n)))                       \
    X(imad_hi, "IMAD.HI", asm volatile("mul.hi.s32 %0, %0, %1;" : "+r"(v.i) : "r"(n)))                                 \
    X(iadd3, "IADD3",                                                                                                  \
      asm volatile("{.reg .s32 t; add.s32 t, %0, %1; add.s32 %0, t, %2;}" : "+r"(v.i) : "r"(n), "r"(v.i2)))            \
    X(prmt, "PRMT", asm volatile("prmt.b32 %0, %0, %1, %2;" : "+r"(v.i) : "r"(n), "r"(v.i2)))                                          \
    X(ffma_imad, "FFMA IMAD",                                                                                          \
      asm volatile("fma.rn.f32 %0, %0, %1, %1; mad.lo.s32 %2, %2, %3, %3;" : "+f"(v.f), "+f"(x), "+r"(v.i) : "r"(n)))  \
    X(ffma2_imad, "FFMA*2 IMAD",                                                                                       \
      asm volatile("fma.rn.f32 %0, %0, %2, %2; fma.rn.f32 %1, %1, %2, %2; mad.lo.s32 %3, %3, %4, %4;"                  \
                   : "+f"(v.f), "+f"(v.f2), "+f"(x), "+r"(v.i) : "r"(n)))                                              \
    X(ffma_prmt, "FFMA PRMT",                                                                                          \
      asm volatile("fma.rn.f32 %0, %0, %1, %1; prmt.b32 %2, %2, %3, %4;"                                               \
                   : "+f"(v.f), "+f"(x), "+r"(v.i) : "r"(n), "r"(v.i2)))                                               \
    X(imad_prmt, "IMAD PRMT",                                                                                          \
      asm volatile("mad.lo.s32 %0, %0, %2, %2; prmt.b32 %1, %1, %2, %3;"                                               \
                   : "+r"(v.i), "+r"(v.i2) : "r"(n), "r"(v.i3)))                                                       \
    X(ffma2_imad_prmt, "FFMA*2 IMAD PRMT",                                                                             \
      asm volatile("fma.rn.f32 %0, %0, %2, %2; fma.rn.f32 %1, %1, %2, %2; mad.lo.s32 %3, %3, %5, %5; "                 \
                   "prmt.b32 %4, %4, %5, %6;" : "+f"(v.f), "+f"(v.f2), "+f"(x), "+r"(v.i), "+r"(v.i2) : "r"(n), "r"(v.i3))) \
    X(ffma_wide, "FFMA IMAD.WIDE",                                                                                     \
      asm volatile("{.reg .s32 a, b; mov.b64 {a, b}, %2; fma.rn.f32 %0, %0, %1, %1; mad.wide.s32 %2, a, %3, %2;}"       \
                   : "+f"(v.f), "+f"(x), "+l"(v.l) : "r"(n)))                                                          \
    X(ex2, "MUFU", asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(v.f)))                                             \
    X(rsqrt, "FSETP @FMUL MUFU @FMUL", asm volatile("rsqrt.approx.f32 %0, %0;" : "+f"(v.f)))                           \
    X(f2i, "F2I FADD-like I2FP", asm volatile("{.reg .s32 t; cvt.rzi.s32.f32 t, %0; mov.b32 %0, t;}" : "+f"(v.f)))     \
    X(i2fp, "I2FP", asm volatile("{.reg .s32 t; mov.b32 t, %0; cvt.rn.f32.s32 %0, t;}" : "+f"(v.f)))                   \
    X(i2f64, "I2F.F64 and a move", asm volatile("{.reg .f64 t; .reg .s32 h; cvt.rn.f64.s32 t, %0; mov.b64 {h, %0}, t;}" : "+r"(v.i)))  \
    X(f2f64, "F2F.F64.F32 and back", asm volatile("{.reg .f64 t; cvt.f64.f32 t, %0; cvt.rn.f32.f64 %0, t;}" : "+f"(v.f)))  \
    X(dadd, "DADD", asm volatile("add.f64 %0, %0, %0;" : "+d"(v.d)))                                                   \
    X(dmax, "DSETP FSEL SEL @LOP3 and moves", asm volatile("max.f64 %0, %0, 0d3FF0000000000000;" : "+d"(v.d)))         \
    X(popc, "POPC", asm volatile("popc.b32 %0, %0;" : "+r"(v.i)))                                                      \
    X(div, "division", asm volatile("div.rn.f32 %0, %1, %0;" : "+f"(v.f) : "f"(x)))                                    \
    X(sqrt, "root", asm volatile("sqrt.rn.f32 %0, %0;" : "+f"(v.f)))                                                   \
    X(udiv, "division of integers", asm volatile("div.u32 %0, %1, %0;" : "+r"(v.i) : "r"(n)))                          \
    X(select, "ISETP SEL",                                                                                             \
      asm volatile("{.reg .pred p; setp.lt.s32 p, %0, %1; selp.s32 %0, %1, %2, p;}" : "+r"(v.i) : "r"(n), "r"(v.i2)))  \
    X(under, "ISETP and a product under its predicate",                                                                \
      asm volatile("{.reg .pred p; setp.lt.s32 p, %0, %1; @p mad.lo.s32 %0, %0, %1, %1;}" : "+r"(v.i) : "r"(n)))       \
    X(min3, "VIMNMX", asm volatile("min.s32 %0, %0, %1;" : "+r"(v.i) : "r"(n)))                                        \
    X(shuffle, "SHFL", asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, 0xffffffff;" : "+r"(v.i)))

#define KERNEL(name, what, code)                                                                                       \
    __global__ void run_##name(long long *out, float *sink, float x, int n)                                            \
    {                                                                                                                  \
        values v = {x + threadIdx.x, x, (int)threadIdx.x + n, n, n, x, n + (int)threadIdx.x};                                             \
        v.f2 = x * 2, v.i2 = n + 3;                                                                                    \
        __syncthreads();                                                                                               \
        long long begin = clock64();                                                                                   \
        _Pragma("unroll 1") for (int r = 0; r < ROUNDS; r++)                                                           \
        {                                                                                                              \
            _Pragma("unroll") for (int s = 0; s < STEPS; s++) code;                                                    \
        }                                                                                                              \
        __syncthreads();                                                                                               \
        if (blockIdx.x == 0 && threadIdx.x == 0)                                                                       \
            *out = clock64() - begin;                                                                                  \
        if (v.f + v.f2 + v.i + v.i2 + v.d + v.l == 12345.678)                                                          \
            *sink = v.f;                                                                                               \
    }
STEPS_OF(KERNEL)

// A branch to one of `places`, by the lane (or by the warp, where `stride` is 32), in a loop.
template <int places> __global__ void branches(long long *out, float *sink, float x, int stride, int places_used)
{
    float f = x;
    int which = (threadIdx.x / stride) % places_used;
    __syncthreads();
    long long begin = clock64();
#pragma unroll 1
    for (int r = 0; r < ROUNDS; r++) {
        switch (which) {
#define PLACE(number)                                                                                                  \
    case number:                                                                                                       \
        if (number < places) {                                                                                         \
            asm volatile("fma.rn.f32 %0, %0, %0, %1;fma.rn.f32 %0, %0, %1, %1;fma.rn.f32 %0, %0, %1, %0;" : "+f"(f) : "f"(x + number)); \
            asm volatile("fma.rn.f32 %0, %0, %0, %1;fma.rn.f32 %0, %0, %1, %1;fma.rn.f32 %0, %0, %1, %0;" : "+f"(f) : "f"(x + number)); \
            asm volatile("fma.rn.f32 %0, %0, %0, %1;fma.rn.f32 %0, %0, %1, %1;fma.rn.f32 %0, %0, %1, %0;" : "+f"(f) : "f"(x + number)); \
        }                                                                                                              \
        break;
            PLACE(0) PLACE(1) PLACE(2) PLACE(3) PLACE(4) PLACE(5) PLACE(6) PLACE(7)
        }
    }
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *out = clock64() - begin;
    if (f == 12345.678f)
        *sink = f;
}

// The same with `places` branches one after the other.
__global__ void chain(long long *out, float *sink, float x, int stride, int places_used)
{
    float f = x;
    int which = (threadIdx.x / stride) % places_used;
    __syncthreads();
    long long begin = clock64();
#pragma unroll 1
    for (int r = 0; r < ROUNDS; r++) {
        if (which == 0)
            asm volatile("fma.rn.f32 %0, %0, %0, %1;fma.rn.f32 %0, %0, %1, %1;fma.rn.f32 %0, %0, %1, %0;fma.rn.f32 %0, %0, %0, %1;fma.rn.f32 %0, %0, %1, %1;fma.rn.f32 %0, %0, %1, %0;fma.rn.f32 %0, %0, %0, %1;fma.rn.f32 %0, %0, %1, %1;fma.rn.f32 %0, %0, %1, %0;" : "+f"(f) : "f"(x));
        else if (which == 1)
            asm volatile("fma.rn.f32 %0, %0, %1, %1;fma.rn.f32 %0, %0, %1, %1;fma.rn.f32 %0, %0, %1, %0;fma.rn.f32 %0, %0, %0, %1;fma.rn.f32 %0, %0, %1, %1;fma.rn.f32 %0, %0, %1, %0;fma.rn.f32 %0, %0, %0, %1;fma.rn.f32 %0, %0, %1, %1;fma.rn.f32 %0, %0, %1, %0;" : "+f"(f) : "f"(x));
        else if (which == 2)
            asm volatile("fma.rn.f32 %0, %1, %1, %1;fma.rn.f32 %0, %0, %1, %1;fma.rn.f32 %0, %0, %1, %0;fma.rn.f32 %0, %0, %0, %1;fma.rn.f32 %0, %0, %1, %1;fma.rn.f32 %0, %0, %1, %0;fma.rn.f32 %0, %0, %0, %1;fma.rn.f32 %0, %0, %1, %1;fma.rn.f32 %0, %0, %1, %0;" : "+f"(f) : "f"(x));
        else
            asm volatile("fma.rn.f32 %0, %0, %1, %0;fma.rn.f32 %0, %0, %1, %1;fma.rn.f32 %0, %0, %1, %0;fma.rn.f32 %0, %0, %0, %1;fma.rn.f32 %0, %0, %1, %1;fma.rn.f32 %0, %0, %1, %0;fma.rn.f32 %0, %0, %0, %1;fma.rn.f32 %0, %0, %1, %1;fma.rn.f32 %0, %0, %1, %0;" : "+f"(f) : "f"(x));
    }
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *out = clock64() - begin;
    if (f == 12345.678f)
        *sink = f;
}

static long long *cycles;
static float *memory;

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
    const int counts[] = {32, 128, 256, 512, 1024};
#define SHOW(name, what, code)                                                                                         \
    for (int threads : counts)                                                                                         \
        printf("{\"step\": \"%s\", \"becomes\": \"%s\", \"threads\": %d, \"cycles\": %.3f}\n", #name, what, threads,   \
               measure([=] { run_##name<<<132, threads>>>(cycles, memory, 1.0f, 3); }) / (ROUNDS * STEPS));
    STEPS_OF(SHOW)
    for (int threads : counts)
        for (int stride : {1, 32})
            for (int places : {1, 2, 3, 4, 6, 8}) {
                printf("{\"branch\": \"switch\", \"threads\": %d, \"stride\": %d, \"places\": %d, \"cycles\": %.3f}\n", threads, stride,
                       places, measure([=] { branches<8><<<132, threads>>>(cycles, memory, 1.0f, stride, places); }) / ROUNDS);
                if (places <= 4)
                    printf("{\"branch\": \"chain\", \"threads\": %d, \"stride\": %d, \"places\": %d, \"cycles\": %.3f}\n", threads, stride,
                           places, measure([=] { chain<<<132, threads>>>(cycles, memory, 1.0f, stride, places); }) / ROUNDS);
            }
    return 0;
}
