// Cycles of a multiprocessor for rounds in which requests of shared memory of several kinds follow each other.
#include <cstdio>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("%s\n", cudaGetErrorString(e)); return 1; } } while (0)
enum { LOAD = 1, STORE = 2, SHUFFLE = 4, BARRIER = 8 };
// A round: of each kind one request (shared ones of `ways` wavefronts), and F products of f32.
template <int KINDS, int WAYS, int F> __global__ void __launch_bounds__(1024) run(int n, long long *out, float *sink, int m)
{
    __shared__ float tile[8192];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const unsigned at = (unsigned)__cvta_generic_to_shared(tile) + 4 * ((lane * WAYS + (warp & 3) * 32) & 8191);
    float f[8], s = threadIdx.x, h = threadIdx.x;
    for (int k = 0; k < 8; k++) f[k] = threadIdx.x + k;
    const float x = m;
    for (int i = threadIdx.x; i < 8192; i += blockDim.x) tile[i] = i;
    __syncthreads();
    long long t0 = clock64();
    for (int i = 0; i < n; i++) {
#pragma unroll
        for (int r = 0; r < 8; r++) {
            if (KINDS & LOAD) { float v; asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(v) : "r"(at)); s += v; }
            if (KINDS & STORE) asm volatile("st.volatile.shared.f32 [%0], %1;" :: "r"(at), "f"(x));
            if (KINDS & SHUFFLE) { float v; asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 31, -1;" : "=f"(v) : "f"(h)); h = v; }
            if (KINDS & BARRIER) asm volatile("bar.sync 0;");
#pragma unroll
            for (int k = 0; k < F; k++) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(f[k & 7]) : "f"(x));
        }
    }
    long long t1 = clock64();
    for (int k = 0; k < 8; k++) s += f[k];
    if (s + h == 12345.678f) sink[0] = s;
    if (threadIdx.x == 0) atomicMax((unsigned long long *)out, (unsigned long long)(t1 - t0));
}
template <int KINDS, int WAYS, int F> int one(long long *out, float *sink)
{
    for (int warps = 16; warps <= 32; warps *= 2) {
        long long best = 1LL << 60, c; const int n = 200;
        for (int t = 0; t < 5; t++) {
            CHECK(cudaMemset(out, 0, 8));
            run<KINDS, WAYS, F><<<132, 32 * warps>>>(n, out, sink, 3); CHECK(cudaDeviceSynchronize());
            CHECK(cudaMemcpy(&c, out, 8, cudaMemcpyDeviceToHost)); best = c < best ? c : best;
        }
        const int wavefronts = (!!(KINDS & LOAD) + !!(KINDS & STORE)) * WAYS + !!(KINDS & SHUFFLE);
        const char *names[] = {"load", "store", "shuffle", "barrier"}, *between = "";
        printf("{\"requests\": [");
        for (int k = 0; k < 4; k++)
            if (KINDS >> k & 1) { printf("%s\"%s\"", between, names[k]); between = ", "; }
        printf("], \"ways\": %d, \"products\": %d, \"warps\": %d, \"wavefronts\": %d, \"cycles\": %.3f}\n", WAYS, F, warps, wavefronts, best / (8.0 * n * warps));
    }
    return 0;
}
int main()
{
    long long *out; float *sink; CHECK(cudaMalloc(&out, 8)); CHECK(cudaMalloc(&sink, 4));
#define ROW(K, W) one<K, W, 0>(out, sink); one<K, W, 2>(out, sink); one<K, W, 4>(out, sink);
#define ROWS(K) ROW(K, 1) ROW(K, 2) ROW(K, 8)
    ROWS(LOAD) ROWS(STORE) ROWS(LOAD + STORE) ROW(SHUFFLE, 1) ROW(SHUFFLE + LOAD, 1) ROW(SHUFFLE + STORE, 1)
    ROWS(BARRIER + LOAD) ROWS(BARRIER + STORE) ROWS(BARRIER + LOAD + STORE)
}
