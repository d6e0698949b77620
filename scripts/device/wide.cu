// Cycles of a scheduler for rounds of one IMAD.WIDE (or of a product that keeps the high word, or none) and so many
// products of f32, in one block of 1,024 threads: eight warps of a scheduler.
#include <cstdio>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("%s\n", cudaGetErrorString(e)); return 1; } } while (0)
template <int WIDE, int HI, int F> __global__ void run(int n, long long *out, float *sink, int m)
{
    float f[8]; int h = threadIdx.x; long long p = (long long)threadIdx.x << 20;
    for (int k = 0; k < 8; k++) f[k] = threadIdx.x + k;
    const float x = m; long long t0 = clock64();
    for (int i = 0; i < n; i++) {
#pragma unroll
        for (int r = 0; r < 8; r++) {
            if (WIDE) asm volatile("mad.wide.s32 %0, %1, %2, %0;" : "+l"(p) : "r"(h), "r"(m));
            if (HI) asm volatile("mul.hi.s32 %0, %0, %1;" : "+r"(h) : "r"(m));
#pragma unroll
            for (int k = 0; k < F; k++) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(f[k & 7]) : "f"(x));
        }
    }
    long long t1 = clock64();
    float s = (float)p + h; for (int k = 0; k < 8; k++) s += f[k];
    if (s == 12345.678f) sink[0] = s;
    if (threadIdx.x == 0 && blockIdx.x == 0) out[0] = t1 - t0;
}
template <int W, int H, int F> int one(long long *out, float *sink)
{
    const int warps = 8;
    long long best = 1LL << 60, c;
    for (int t = 0; t < 5; t++) {
        run<W, H, F><<<132, 1024>>>(1000, out, sink, 3); CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemcpy(&c, out, 8, cudaMemcpyDeviceToHost)); best = c < best ? c : best;
    }
    printf("{\"wide\": %d, \"high\": %d, \"products\": %d, \"warps\": %d, \"cycles\": %.3f}\n", W, H, F, warps, best / 8000.0 / warps);
    return 0;
}
int main()
{
    long long *out; float *sink; CHECK(cudaMalloc(&out, 8)); CHECK(cudaMalloc(&sink, 4));
#define ROW(F) one<0, 0, F>(out, sink); one<1, 0, F>(out, sink); one<0, 1, F>(out, sink);
    ROW(2) ROW(4) ROW(6) ROW(8) ROW(12) ROW(16) ROW(24)
}
