// Cycles of a scheduler for rounds of one product of integers (wide: 64 bits of it are kept; high: the high word; low), or
// of none, and so many products of f32 (FFMA) and logic operations (LOP3), in one block of 1,024 threads of each
// multiprocessor: eight warps of a scheduler.  No product is of numbers that stay
// the same.  Behind a wide one a further logic operation joins its halves, which `logic` counts.
#include <cstdio>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("%s\n", cudaGetErrorString(e)); return 1; } } while (0)
enum { NONE, WIDE, WIDE_UNSIGNED, HIGH, HIGH_UNSIGNED, LOW };
template <int KIND, int F, int L> __global__ void run(int n, long long *out, float *sink, int m, long long base)
{
    float f[8];
    unsigned l[8];
    int h = threadIdx.x;
    long long p = (long long)threadIdx.x << 40;
    base += threadIdx.x;
    for (int k = 0; k < 8; k++) f[k] = threadIdx.x + k, l[k] = threadIdx.x * k + m;
    const float x = m;
    const unsigned y = m * 17;
    long long t0 = clock64();
    for (int i = 0; i < n; i++) {
#pragma unroll
        for (int r = 0; r < 8; r++) {
            if (KIND == WIDE) { asm volatile("mul.wide.s32 %0, %1, %2;" : "=l"(p) : "r"(h), "r"(m)); h = (int)p ^ (int)(p >> 32); }
            if (KIND == WIDE_UNSIGNED) { asm volatile("mul.wide.u32 %0, %1, %2;" : "=l"(p) : "r"(h), "r"(m)); h = (int)p ^ (int)(p >> 32); }
            if (KIND == HIGH) asm volatile("mul.hi.s32 %0, %0, %1;" : "+r"(h) : "r"(m));
            if (KIND == HIGH_UNSIGNED) asm volatile("mul.hi.u32 %0, %0, %1;" : "+r"(h) : "r"(m));
            if (KIND == LOW) asm volatile("mad.lo.s32 %0, %0, %1, %1;" : "+r"(h) : "r"(m));
#pragma unroll
            for (int k = 0; k < (F > L ? F : L); k++) {
                if (k < F) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(f[k & 7]) : "f"(x));
                if (k < L) asm volatile("lop3.b32 %0, %0, %1, %2, 0x6a;" : "+r"(l[k & 7]) : "r"(y), "r"(m));
            }
        }
    }
    long long t1 = clock64();
    float s = (float)p + h;
    for (int k = 0; k < 8; k++) s += f[k] + l[k];
    if (s == 12345.678f) sink[0] = s;
    if (threadIdx.x == 0 && blockIdx.x == 0) out[0] = t1 - t0;
}
template <int K, int F, int L> int one(const char *name, long long *out, float *sink)
{
    for (int threads : {128, 512, 1024}) {
        long long best = 1LL << 60, c;
        for (int t = 0; t < 4; t++) {
            run<K, F, L><<<132, threads>>>(1000, out, sink, 3, 0x123456789abcdefll); CHECK(cudaDeviceSynchronize());
            CHECK(cudaMemcpy(&c, out, 8, cudaMemcpyDeviceToHost)); best = c < best ? c : best;
        }
        printf("{\"product\": \"%s\", \"f32\": %d, \"logic\": %d, \"warps\": %d, \"cycles\": %.3f}\n", name, F, L + (K == WIDE || K == WIDE_UNSIGNED), threads / 128, best / 8000.0 / (threads / 128));
    }
    return 0;
}
#define ROW(F, L) one<NONE, F, L>("none", out, sink); one<WIDE, F, L>("wide", out, sink); one<WIDE_UNSIGNED, F, L>("wide_unsigned", out, sink); \
    one<HIGH, F, L>("high", out, sink); one<HIGH_UNSIGNED, F, L>("high_unsigned", out, sink); one<LOW, F, L>("low", out, sink);
int main()
{
    long long *out; float *sink; CHECK(cudaMalloc(&out, 8)); CHECK(cudaMalloc(&sink, 4));
    one<WIDE, 0, 0>("wide", out, sink); one<WIDE_UNSIGNED, 0, 0>("wide_unsigned", out, sink); one<HIGH, 0, 0>("high", out, sink);
    one<HIGH_UNSIGNED, 0, 0>("high_unsigned", out, sink); one<LOW, 0, 0>("low", out, sink);
    ROW(2, 0) ROW(4, 0) ROW(8, 0) ROW(16, 0)
    ROW(0, 1) ROW(0, 2) ROW(0, 4) ROW(0, 8)
    ROW(1, 1) ROW(2, 1) ROW(2, 2) ROW(4, 2) ROW(4, 4) ROW(8, 4)
}
