/*
 * One warp instruction again and again, its lanes at stated places: what counters hold of it.
 *
 * usage: lanes PATTERNS; one launch a line: operation (ld, st, cp: a load and a store; ldl, stl:
 * local memory; ldc: constant memory), bytes of a lane, bytes that each iteration is further on
 * (local and constant memory: words), iterations, warps a multiprocessor, and the bytes of each
 * lane's place (-1: the lane does not run).  nvcc -O3 -arch=sm_90 -o lanes lanes.cu
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#include <cuda_profiler_api.h>
__constant__ unsigned table[4096];
struct args {
    const int *offsets;
    char *base;
    unsigned long long size;
    int iterations;
    int step;
    unsigned *out;
};
template <int BYTES> __device__ unsigned load(const char *p);
template <> __device__ unsigned load<1>(const char *p)
{
    unsigned r;
    asm volatile("ld.global.ca.u8 %0,[%1];" : "=r"(r) : "l"(p));
    return r;
}
template <> __device__ unsigned load<2>(const char *p)
{
    unsigned short r;
    asm volatile("ld.global.ca.u16 %0,[%1];" : "=h"(r) : "l"(p));
    return r;
}
template <> __device__ unsigned load<4>(const char *p)
{
    unsigned r;
    asm volatile("ld.global.ca.u32 %0,[%1];" : "=r"(r) : "l"(p));
    return r;
}
template <> __device__ unsigned load<8>(const char *p)
{
    unsigned a, b;
    asm volatile("ld.global.ca.v2.u32 {%0,%1},[%2];" : "=r"(a), "=r"(b) : "l"(p));
    return a ^ b;
}
template <> __device__ unsigned load<16>(const char *p)
{
    unsigned a, b, c, d;
    asm volatile("ld.global.ca.v4.u32 {%0,%1,%2,%3},[%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "l"(p));
    return a ^ b ^ c ^ d;
}
template <int BYTES> __device__ void store(char *p, unsigned v);
template <> __device__ void store<1>(char *p, unsigned v)
{
    asm volatile("st.global.u8 [%0],%1;" ::"l"(p), "r"(v));
}
template <> __device__ void store<2>(char *p, unsigned v)
{
    asm volatile("st.global.u16 [%0],%1;" ::"l"(p), "h"((unsigned short)v));
}
template <> __device__ void store<4>(char *p, unsigned v)
{
    asm volatile("st.global.u32 [%0],%1;" ::"l"(p), "r"(v));
}
template <> __device__ void store<8>(char *p, unsigned v)
{
    asm volatile("st.global.v2.u32 [%0],{%1,%1};" ::"l"(p), "r"(v));
}
template <> __device__ void store<16>(char *p, unsigned v)
{
    asm volatile("st.global.v4.u32 [%0],{%1,%1,%1,%1};" ::"l"(p), "r"(v));
}
#define PROLOGUE                                                                                   \
    int lane = threadIdx.x & 31, o = a.offsets[lane];                                              \
    unsigned long long warp = (blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x) / 32;    \
    unsigned long long region = a.step ? (unsigned long long)a.step * a.iterations : 1 << 17;      \
    char *p = a.base + warp * region % a.size;                                                     \
    unsigned sum = 0;
#define EPILOGUE                                                                                   \
    if (sum == 0x12345)                                                                            \
        a.out[0] = sum;
template <int BYTES> __global__ void ld(args a)
{
    PROLOGUE if (o >= 0)
    {
        p += o;
        for (int i = 0; i < a.iterations; i++, p += a.step)
            sum ^= load<BYTES>(p);
    }
    EPILOGUE
}
template <int BYTES> __global__ void st(args a)
{
    PROLOGUE if (o >= 0)
    {
        p += o;
        for (int i = 0; i < a.iterations; i++, p += a.step)
            store<BYTES>(p, i);
    }
    EPILOGUE
}
// a load (from elsewhere), and a store of what was loaded
template <int BYTES> __global__ void cp(args a)
{
    PROLOGUE if (o >= 0)
    {
        p += o;
        for (int i = 0; i < a.iterations; i++, p += a.step)
            store<BYTES>(p, load<BYTES>(p + a.size));
    }
    EPILOGUE
}
template <int BYTES> __global__ void ldl(args a)
{
    PROLOGUE volatile unsigned array[64];
    for (int i = 0; i < 64; i++)
        array[i] = i;
    if (o >= 0)
        for (int i = 0; i < a.iterations; i++) {
            if (BYTES == 4)
                sum ^= array[(o / 4 + i * a.step) & 63];
            else
                sum ^= (unsigned)((volatile unsigned long long *)array)[(o / 8 + i * a.step) & 31];
        }
    EPILOGUE
}
template <int BYTES> __global__ void stl(args a)
{
    PROLOGUE volatile unsigned array[64];
    for (int i = 0; i < 64; i++)
        array[i] = i;
    if (o >= 0)
        for (int i = 0; i < a.iterations; i++) {
            if (BYTES == 4)
                array[(o / 4 + i * a.step) & 63] = i;
            else
                ((volatile unsigned long long *)array)[(o / 8 + i * a.step) & 31] = i;
        }
    sum = array[o & 63];
    EPILOGUE
}
template <int BYTES> __global__ void ldc(args a)
{
    PROLOGUE if (o >= 0) for (int i = 0; i < a.iterations; i++) sum ^=
        table[(o / 4 + i * a.step) & 4095];
    EPILOGUE
}
typedef void (*kernel)(args);
static kernel find(const std::string &op, int b)
{
#define K(name)                                                                                    \
    if (op == #name)                                                                               \
        return b == 16  ? name<16>                                                                 \
               : b == 8 ? name<8>                                                                  \
               : b == 4 ? name<4>                                                                  \
               : b == 2 ? name<2>                                                                  \
                        : name<1>;
    K(ld)
    K(st) K(cp)
#define L(name)                                                                                    \
    if (op == #name)                                                                               \
        return b == 16 ? name<16> : b == 8 ? name<8> : name<4>;
        L(ldl) L(stl) L(ldc) return nullptr;
}
int main(int argc, char **argv)
{
    FILE *f = fopen(argv[1], "r");
    size_t size = 32 << 20;
    char *base;
    unsigned *out;
    int *offsets;
    cudaMalloc(&base, 2 * size + (4 << 20));
    cudaMemset(base, 1, 2 * size + (4 << 20));
    cudaMalloc(&out, 4096);
    cudaMalloc(&offsets, 128);
    char op[16];
    int bytes, step, iterations, warps, done = 0;
    while (fscanf(f, "%15s %d %d %d %d", op, &bytes, &step, &iterations, &warps) == 5) {
        int o[32];
        for (int l = 0; l < 32; l++)
            if (fscanf(f, "%d", &o[l]) != 1)
                return 1;
        cudaMemcpy(offsets, o, sizeof(o), cudaMemcpyHostToDevice);
        args a = {offsets, base, size, iterations, step, out};
        kernel k = find(op, bytes);
        if (!k) {
            printf("no %s %d\n", op, bytes);
            return 1;
        }
        cudaProfilerStart();
        k<<<132, warps * 32>>>(a);
        cudaProfilerStop();
        cudaError_t e = cudaDeviceSynchronize();
        if (e != cudaSuccess) {
            printf("%s %d: %s\n", op, bytes, cudaGetErrorString(e));
            return 1;
        }
        done++;
    }
    printf("%d done\n", done);
    return 0;
}
