/*
 * Cycles that one load instruction of a warp takes of a multiprocessor where L1 holds its lines,
 * its lanes at stated places.
 *
 * usage: hits PATTERNS; one measurement a line: bytes of a lane, warps of a block, bytes that each
 * load is further on than the one before, and the bytes of each lane's place (-1: the lane does not
 * run).  Prints cycles a load instruction of a warp, of the block of multiprocessor 0's median over
 * blocks, by rounds of 16 loads.  nvcc -O3 -arch=sm_90 -o hits hits.cu
 */
#include <algorithm>
#include <cstdio>
#include <vector>
template <int B> __device__ __forceinline__ unsigned load(const char *p);
template <> __device__ __forceinline__ unsigned load<4>(const char *p)
{
    unsigned r;
    asm volatile("ld.global.ca.u32 %0,[%1];" : "=r"(r) : "l"(p));
    return r;
}
template <> __device__ __forceinline__ unsigned load<8>(const char *p)
{
    unsigned a, b;
    asm volatile("ld.global.ca.v2.u32 {%0,%1},[%2];" : "=r"(a), "=r"(b) : "l"(p));
    return a ^ b;
}
template <> __device__ __forceinline__ unsigned load<16>(const char *p)
{
    unsigned a, b, c, d;
    asm volatile("ld.global.ca.v4.u32 {%0,%1,%2,%3},[%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "l"(p));
    return a ^ b ^ c ^ d;
}
template <int B>
__global__ void __launch_bounds__(1024) hits(const char *base, const int *offsets, int step,
                                             int rounds, long long *cycles, unsigned *out)
{
    int o = offsets[threadIdx.x & 31];
    const char *p = base + (o < 0 ? 0 : o);
    unsigned sum = 0;
    long long t0 = 0;
    for (int r = -2; r < rounds; r++) {
        if (r == 0) {
            __syncthreads();
            t0 = clock64();
        }
        if (o >= 0) {
            const char *q = p;
#pragma unroll
            for (int i = 0; i < 16; i++, q += step)
                sum ^= load<B>(q);
        }
    }
    __syncthreads();
    long long t1 = clock64();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = t1 - t0;
    if (sum == 0x12345)
        out[0] = sum;
}
int main(int argc, char **argv)
{
    FILE *f = fopen(argv[1], "r");
    char *base;
    int *offsets;
    long long *cycles;
    unsigned *out;
    cudaMalloc(&base, 8 << 20);
    cudaMemset(base, 1, 8 << 20);
    cudaMalloc(&offsets, 128);
    cudaMalloc(&cycles, 132 * 8);
    cudaMalloc(&out, 4);
    char name[64];
    int bytes, warps, step;
    while (fscanf(f, "%63s %d %d %d", name, &bytes, &warps, &step) == 4) {
        int o[32];
        for (int l = 0; l < 32; l++)
            if (fscanf(f, "%d", &o[l]) != 1)
                return 1;
        cudaMemcpy(offsets, o, sizeof(o), cudaMemcpyHostToDevice);
        const int rounds = 64;
        double best = 1e30;
        for (int t = 0; t < 3; t++) {
            if (bytes == 4)
                hits<4><<<132, warps * 32>>>(base, offsets, step, rounds, cycles, out);
            else if (bytes == 8)
                hits<8><<<132, warps * 32>>>(base, offsets, step, rounds, cycles, out);
            else
                hits<16><<<132, warps * 32>>>(base, offsets, step, rounds, cycles, out);
            std::vector<long long> c(132);
            cudaMemcpy(c.data(), cycles, 132 * 8, cudaMemcpyDeviceToHost);
            std::sort(c.begin(), c.end());
            best = std::min(best, c[66] / (16.0 * rounds * warps));
        }
        if (cudaGetLastError() != cudaSuccess)
            return 2;
        printf("{\"pattern\": \"%s\", \"bytes\": %d, \"warps\": %d, \"step\": %d, \"offsets\": [",
               name, bytes, warps, step);
        for (int l = 0; l < 32; l++)
            printf("%s%d", l ? ", " : "", o[l]);
        printf("], \"cycles\": %.3f}\n", best);
    }
    return 0;
}
