// Cycles of a warp's division, reciprocal or root of f32 and f64 that is rounded, by how many of its lanes have rare
// operands (which take a way apart) and by warps of a scheduler of one multiprocessor: one of them an iteration, or four,
// each with a product behind it that it is brought back with.  The least of four launches behind one that warms caches up.
#include <algorithm>
#include <cstdio>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("%s\n", cudaGetErrorString(e)); return 1; } } while (0)
enum { TURNS = 40 };
enum { RECIPROCAL, QUOTIENT, ROOT, RECIPROCAL_ROOT };
template <typename T, int KIND> __device__ T one(T a, T x)
{
    if (KIND == RECIPROCAL) return T(1) / x;
    if (KIND == QUOTIENT) return a / x;
    if (KIND == ROOT) return sqrt(x);
    return T(1) / sqrt(x);
}
template <typename T, int KIND, int CHAINS> __global__ void run(long long *out, T *sink, T usual, T rare, int lanes, T zero)
{
    T x[CHAINS], a = usual;
    for (int c = 0; c < CHAINS; c++) x[c] = ((threadIdx.x & 31) < lanes ? rare : usual);
    const T keep = x[0];
    __syncthreads();
    long long begin = clock64();
#pragma unroll 1
    for (int t = 0; t < TURNS; t++) {
#pragma unroll
        for (int c = 0; c < CHAINS; c++) x[c] = one<T, KIND>(a, x[c]) * zero + keep;
    }
    __syncthreads();
    long long end = clock64();
    T s = 0;
    for (int c = 0; c < CHAINS; c++) s += x[c];
    if (s == T(123.456)) sink[0] = s;
    if (threadIdx.x == 0) out[0] = end - begin;
}
static long long *out; static void *sink;
template <typename T, int KIND, int CHAINS> int row(const char *name, const char *type, T usual, T rare)
{
    for (int lanes : {0, 1, 8, 32})
        for (int warps : {1, 2, 4, 8}) {
            long long best = 1LL << 60, got;
            for (int t = 0; t < 5; t++) {
                run<T, KIND, CHAINS><<<1, 128 * warps>>>(out, (T *)sink, usual, rare, lanes, T(0)); CHECK(cudaDeviceSynchronize());
                CHECK(cudaMemcpy(&got, out, 8, cudaMemcpyDeviceToHost));
                if (t) best = std::min(best, got);
            }
            printf("{\"operation\": \"%s\", \"type\": \"%s\", \"beside\": %d, \"rare_lanes\": %d, \"warps\": %d, \"cycles\": %.2f}\n", name, type, CHAINS, lanes, warps, (double)best / TURNS / CHAINS / warps);
        }
    return 0;
}
#define BOTH(T, type, KIND, name, rare) row<T, KIND, 1>(name, type, T(1.5), T(rare)); row<T, KIND, 4>(name, type, T(1.5), T(rare));
int main()
{
    CHECK(cudaMalloc(&out, 8)); CHECK(cudaMalloc(&sink, 8));
    BOTH(float, "f32", RECIPROCAL, "reciprocal", 1e-40f) BOTH(float, "f32", QUOTIENT, "quotient", 1e-40f) BOTH(float, "f32", ROOT, "root", 1e-40f)
    BOTH(float, "f32", RECIPROCAL_ROOT, "reciprocal_root", 1e-40f)
    BOTH(float, "f32", QUOTIENT, "quotient_by_nought", 0.0f) BOTH(float, "f32", ROOT, "root_of_nought", 0.0f)
    BOTH(double, "f64", RECIPROCAL, "reciprocal", 1e-310) BOTH(double, "f64", QUOTIENT, "quotient", 1e-310) BOTH(double, "f64", ROOT, "root", 1e-310)
    BOTH(double, "f64", RECIPROCAL_ROOT, "reciprocal_root", 1e-310)
    return 0;
}
