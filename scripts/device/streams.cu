/* Streams side by side, and what stands between a thread's loads: one line of JSON a configuration.
 * usage: streams time|count [KERNEL]; see data/h200/streams/README.md. */
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <cuda_profiler_api.h>
#include <functional>
typedef long long ll;
typedef unsigned short half_word;
static char *A, *B;
static bool counting;
static const char *only;
__global__ void fill(float *out, ll n) { for (ll i = blockIdx.x * (ll)blockDim.x + threadIdx.x; i < n; i += (ll)gridDim.x * blockDim.x) out[i] = 0.25f + 1e-5f * (float)(i & 1023); }
__global__ void spin(ll cycles) { ll b = clock64(); while (clock64() - b < cycles); }
static void go(const char *name, ll p1, ll p2, ll p3, ll p4, ll p5, double bytes, std::function<void()> f)
{
    if (only && strncmp(only, name, strlen(only))) return;
    static cudaEvent_t e0, e1;
    if (!e0) { cudaEventCreate(&e0); cudaEventCreate(&e1); }
    f(); f();
    cudaDeviceSynchronize();
    if (counting) { cudaProfilerStart(); f(); cudaDeviceSynchronize(); cudaProfilerStop(); printf("%s %lld %lld %lld %lld %lld\n", name, p1, p2, p3, p4, p5); fflush(stdout); return; }
    float t[5];
    for (float &x : t) { spin<<<1, 1>>>(40000); cudaEventRecord(e0); f(); cudaEventRecord(e1); cudaEventSynchronize(e1); cudaEventElapsedTime(&x, e0, e1); }
    std::sort(t, t + 5);
    cudaError_t e = cudaGetLastError();
    printf("{\"kernel\": \"%s\", \"of\": [%lld, %lld, %lld, %lld, %lld], \"seconds\": %.9f, \"least\": %.9f, \"bytes\": %.0f%s%s%s}\n", name, p1, p2, p3, p4, p5, t[2] * 1e-3, t[0] * 1e-3, bytes, e ? ", \"error\": \"" : "", e ? cudaGetErrorName(e) : "", e ? "\"" : "");
    fflush(stdout);
}
__device__ __forceinline__ float get(float x) { return x; }
__device__ __forceinline__ float get(float4 x) { return x.x + x.y + x.z + x.w; }
__device__ __forceinline__ float get(half_word x) { return x; }
__device__ __forceinline__ void put(float *p, float x) { *p = x; }
__device__ __forceinline__ void put(float4 *p, float x) { *p = make_float4(x, x, x, x); }
__device__ __forceinline__ void put(half_word *p, float x) { *p = (half_word)(int)x; }
/* One element a thread of R arrays, to W others that begin `apart` bytes from each other. */
template <class T, int R, int W> __global__ void stream(const char *__restrict__ a, char *__restrict__ b, ll n, ll apart)
{
    ll i = (ll)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 1;
#pragma unroll
    for (int r = 0; r < R; r++) sum += get(((const T *)(a + r * apart))[i]);
#pragma unroll
    for (int w = 0; w < W; w++) put((T *)(b + w * apart) + i, sum + w);
    if (!W && sum == -1) put((T *)b + i, sum);
}
template <class T, int R, int W> static void streams(ll bytes)
{
    for (ll skew : {0ll, 4096ll, 3 * 4096ll, 7 * 4096ll, 21 * 4096ll}) {
        if (skew > 4096 && R + W < 8) continue;
        ll apart = bytes + skew, n = bytes / sizeof(T);
        go("stream", sizeof(T), R, W, bytes >> 20, skew, (double)(R + W) * bytes, [=] { stream<T, R, W><<<(unsigned)((n + 255) / 256), 256>>>(A, B, n, apart); });
    }
}
template <class T, int R> static void written(ll bytes)
{
    streams<T, R, 0>(bytes); streams<T, R, 1>(bytes); streams<T, R, 2>(bytes); streams<T, R, 4>(bytes); streams<T, R, 8>(bytes);
}
/* Rows of three gates: six loads and one in place.  WHAT: 0 sums, 1 approximate reciprocals, 2 rounded reciprocals,
 * 3 exponentials and rounded reciprocals, 4 these and a hyperbolic tangent.  PLACE: bit 1 in place, bit 2 three arrays of each
 * instead of rows side by side. */
__device__ __forceinline__ float fast(float x) { float y; asm("rcp.approx.f32 %0, %1;" : "=f"(y) : "f"(x)); return y; }
template <int WHAT> __device__ __forceinline__ float gate(float x)
{
    return WHAT == 0 ? x : WHAT == 1 ? fast(1 + x) : WHAT == 2 ? 1 / (1 + x) : 1 / (1 + expf(-x));
}
template <int WHAT, int PLACE> __global__ void gates(const float *input, const float *hidden, float *state, float *other, int batch, int size, ll apart)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= batch * size) return;
    int b = i / size, j = i % size;
    ll step = PLACE & 2 ? apart : size, at = PLACE & 2 ? i : (ll)b * 3 * size + j;
    const float *a = input + at, *h = hidden + at;
    float r = gate<WHAT>(a[0] + h[0]), z = gate<WHAT>(a[step] + h[step]);
    float x = a[2 * step] + r * h[2 * step], n = WHAT == 4 ? tanhf(x) : x;
    (PLACE & 1 ? state : other)[i] = (1 - z) * n + z * state[i];
}
template <int WHAT> static void gatess()
{
    float *a = (float *)A, *h = (float *)A + (1ll << 28), *s = (float *)B, *o = (float *)B + (1ll << 28);
    const int batch = 16384, size = 2048; ll apart = 1ll << 25; unsigned g = batch * size / 256; double bytes = 8.0 * 4 * batch * size;
    go("gates", WHAT, 0, 0, 0, 0, bytes, [=] { gates<WHAT, 0><<<g, 256>>>(a, h, s, o, batch, size, apart); });
    go("gates", WHAT, 1, 0, 0, 0, bytes, [=] { gates<WHAT, 1><<<g, 256>>>(a, h, s, o, batch, size, apart); });
    go("gates", WHAT, 2, 0, 0, 0, bytes, [=] { gates<WHAT, 2><<<g, 256>>>(a, h, s, o, batch, size, apart); });
    go("gates", WHAT, 3, 0, 0, 0, bytes, [=] { gates<WHAT, 3><<<g, 256>>>(a, h, s, o, batch, size, apart); });
}
/* Loads in GROUPS: rounded reciprocals of a group's sum before the next group's loads (HARD), or sums alone. */
template <int R, int GROUP, int HARD> __global__ void groups(const float *a, float *b, ll n, ll apart)
{
    ll i = (ll)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 1;
#pragma unroll
    for (int r = 0; r < R; r += GROUP) {
#pragma unroll
        for (int k = 0; k < GROUP; k++) sum += a[(r + k) * apart + i];
        sum = HARD == 2 ? 1 / sum : HARD ? fast(sum) : sum;
    }
    b[i] = sum;
}
template <int R, int GROUP, int HARD> static void grouped()
{
    ll n = 1ll << 24, apart = n + 1024; float *a = (float *)A, *b = (float *)B;
    go("groups", R, GROUP, HARD, 0, 0, 4.0 * (R + 1) * n, [=] { groups<R, GROUP, HARD><<<(unsigned)(n / 256), 256>>>(a, b, n, apart); });
}
/* Tiles of 32 x 8 and a ring around them through shared memory: F fields to F others.  WHAT: 0 copies, 1 four neighbours summed,
 * 2 with approximate divisions, 3 with rounded ones.  RING: 0 loads the tile alone. */
template <int F, int WHAT, int RING> __global__ void tiles(const float *a, float *b, int n, ll apart, float k)
{
    __shared__ float s[F][10][34];
    int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32, y0 = blockIdx.y * 8;
    if (RING) for (int c = ty * 32 + tx; c < 340; c += 256) {
        int r = c / 34, q = c % 34, x = min(max(x0 + q - 1, 0), n - 1), y = min(max(y0 + r - 1, 0), n - 1);
#pragma unroll
        for (int f = 0; f < F; f++) s[f][r][q] = a[f * apart + y * n + x];
    } else {
        int x = min(x0 + tx, n - 1), y = min(y0 + ty, n - 1);
#pragma unroll
        for (int f = 0; f < F; f++) s[f][ty + 1][tx + 1] = a[f * apart + y * n + x];
    }
    __syncthreads();
    int x = x0 + tx, y = y0 + ty;
    if (x >= n || y >= n) return;
    float out[F];
#pragma unroll
    for (int f = 0; f < F; f++) out[f] = 0;
    if (WHAT)
        for (int d = 0; d < 4; d++) {
            int r = ty + 1 + (d == 2) - (d == 3), q = tx + 1 + (d == 0) - (d == 1);
            float h = s[0][r][q] + 1.0f;
#pragma unroll
            for (int f = 0; f < F; f++) {
                float v = s[f][r][q];
                out[f] += WHAT == 1 ? v * h : WHAT == 2 ? __fdividef(v, h) : v / h;
            }
        }
#pragma unroll
    for (int f = 0; f < F; f++) b[f * apart + y * n + x] = s[f][ty + 1][tx + 1] - k * out[f];
}
template <int F, int WHAT, int RING> static void tiled()
{
    for (int n : {3000, 12000, 12288}) {
        dim3 g((n + 31) / 32, (n + 7) / 8), b(32, 8); ll apart = (ll)n * n; float *a = (float *)A, *o = (float *)B;
        go("tiles", F, WHAT, RING, n, 0, 8.0 * F * n * n, [=] { tiles<F, WHAT, RING><<<g, b>>>(a, o, n, apart, 0.01f); });
    }
}
/* Blocks of BX x BY, one element a thread, of R arrays to W others. */
template <class T, int R, int W> __global__ void sheet(const char *__restrict__ a, char *__restrict__ b, int nx, int ny, ll apart)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny) return;
    int i = y * nx + x;
    float sum = 1;
#pragma unroll
    for (int r = 0; r < R; r++) sum += get(((const T *)(a + r * apart))[i]);
#pragma unroll
    for (int w = 0; w < W; w++) put((T *)(b + w * apart) + i, sum + w);
}
template <class T, int R, int W> static void sheets()
{
    for (int nx : {3840, 15360, 15376}) {
        int ny = 8640; ll apart = (ll)nx * ny * sizeof(T);
        for (int bx : {32, 64, 256}) {
            dim3 b(bx, 256 / bx), g((nx + bx - 1) / bx, (ny + b.y - 1) / b.y);
            go("sheet", sizeof(T), R, W, nx, bx, (double)(R + W) * apart, [=] { sheet<T, R, W><<<g, b>>>(A, B, nx, ny, apart); });
        }
    }
}
int main(int argc, char **argv)
{
    counting = argc > 1 && !strcmp(argv[1], "count");
    only = argc > 2 ? argv[2] : nullptr;
    ll size = 6ll << 30;
    if (cudaMalloc(&A, size) || cudaMalloc(&B, size)) return 3;
    fill<<<2048, 256>>>((float *)A, size / 4); fill<<<2048, 256>>>((float *)B, size / 4);
    for (ll mb : {64ll, 256ll}) {
        ll bytes = mb << 20;
        written<float, 1>(bytes); written<float, 2>(bytes); written<float, 4>(bytes); written<float, 8>(bytes); written<float, 12>(bytes); written<float, 16>(bytes);
        written<float4, 1>(bytes); written<float4, 2>(bytes); written<float4, 4>(bytes); written<float4, 8>(bytes); written<float4, 16>(bytes);
    }
    gatess<0>(); gatess<1>(); gatess<2>(); gatess<3>(); gatess<4>();
    grouped<8, 8, 0>(); grouped<8, 4, 0>(); grouped<8, 8, 1>(); grouped<8, 4, 1>(); grouped<8, 2, 1>(); grouped<8, 1, 1>();
    grouped<8, 8, 2>(); grouped<8, 4, 2>(); grouped<8, 2, 2>(); grouped<8, 1, 2>();
    tiled<1, 0, 0>(); tiled<1, 0, 1>(); tiled<1, 1, 1>(); tiled<1, 3, 1>();
    tiled<3, 0, 0>(); tiled<3, 0, 1>(); tiled<3, 1, 0>(); tiled<3, 1, 1>(); tiled<3, 2, 1>(); tiled<3, 3, 1>(); tiled<3, 3, 0>();
    sheets<half_word, 1, 1>(); sheets<half_word, 1, 3>(); sheets<half_word, 3, 1>(); sheets<float, 1, 3>(); sheets<float, 3, 3>();
}
