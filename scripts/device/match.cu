/* Cycles of match.any and match.all in chains, by how many distinct values a warp holds and how many warps of one
   multiprocessor ask.  A line: what, distinct values, warps, cycles an instruction of one warp. */
#include <cstdio>
#include <cstdlib>
#include <algorithm>
#define STEPS 256
template <int WHAT> __device__ unsigned ask(unsigned x)
{
    unsigned r = 0;
    if (WHAT == 0)
        asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(x));
    if (WHAT == 1)
        asm volatile("{.reg .pred p; match.all.sync.b32 %0|p, %1, 0xffffffff;}" : "=r"(r) : "r"(x));
    if (WHAT == 2)
        asm volatile("{.reg .b64 y; cvt.u64.u32 y, %1; match.any.sync.b64 %0, y, 0xffffffff;}" : "=r"(r) : "r"(x));
    if (WHAT == 3) /* as many shuffles, to compare with */
        asm volatile("shfl.sync.idx.b32 %0, %1, 0, 31, 0xffffffff;" : "=r"(r) : "r"(x));
    return r;
}
template <int WHAT> __global__ void chain(unsigned *out, unsigned long long *cycles, int distinct, unsigned zero)
{
    unsigned x = threadIdx.x % 32 % distinct, sum = 0;
    __syncthreads();
    unsigned long long t0 = clock64();
#pragma unroll 16
    for (int i = 0; i < STEPS; i++) {
        const unsigned r = ask<WHAT>(x);
        sum += r;
        x += r & zero; /* waits for the answer; keeps the value */
    }
    unsigned long long t1 = clock64();
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum + x;
    if (threadIdx.x % 32 == 0)
        cycles[threadIdx.x / 32] = t1 - t0;
}
template <int WHAT> __global__ void free_of_each_other(unsigned *out, unsigned long long *cycles, int distinct, unsigned zero)
{
    unsigned x = threadIdx.x % 32 % distinct, sum = 0;
    __syncthreads();
    unsigned long long t0 = clock64();
#pragma unroll 16
    for (int i = 0; i < STEPS; i++)
        sum += ask<WHAT>(x + (32 * i & ~zero));
    unsigned long long t1 = clock64();
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    if (threadIdx.x % 32 == 0)
        cycles[threadIdx.x / 32] = t1 - t0;
}
template <int WHAT> void run(const char *name, unsigned *out, unsigned long long *cycles)
{
    unsigned long long host[32];
    for (int kind = 0; kind < 2; kind++)
        for (int distinct : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32})
            for (int warps : {1, 2, 4, 8, 16, 32}) {
                double best = 1e9;
                for (int again = 0; again < 4; again++) {
                    if (kind == 0)
                        chain<WHAT><<<1, 32 * warps>>>(out, cycles, distinct, 0);
                    else
                        free_of_each_other<WHAT><<<1, 32 * warps>>>(out, cycles, distinct, 0);
                    cudaMemcpy(host, cycles, sizeof host, cudaMemcpyDeviceToHost);
                    unsigned long long most = *std::max_element(host, host + warps);
                    best = std::min(best, (double)most / STEPS);
                }
                printf("%s %s %d %d %.2f\n", name, kind ? "free" : "chain", distinct, warps, best);
            }
}
int main()
{
    unsigned *out;
    unsigned long long *cycles;
    cudaMalloc(&out, 1 << 20);
    cudaMalloc(&cycles, 1 << 12);
    run<0>("any", out, cycles);
    run<1>("all", out, cycles);
    run<2>("any64", out, cycles);
    run<3>("shfl", out, cycles);
    return cudaGetLastError() != cudaSuccess;
}
