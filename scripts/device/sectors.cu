/* Pieces of memory at random places, and lines of which warps store a part each: prints one line of JSON a
 * configuration.  usage: sectors time|count [KERNEL]; see data/h200/sectors/README.md. */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_profiler_api.h>
#include <functional>
typedef long long ll;
static float *A, *B, *Cc;
static ll *NS;
static bool counting;
static const char *only;
__device__ __forceinline__ uint32_t hash(uint32_t x)
{
    x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16;
    return x;
}
__global__ void fill(float *out, ll n) { for (ll i = blockIdx.x * (ll)blockDim.x + threadIdx.x; i < n; i += (ll)gridDim.x * blockDim.x) out[i] = 0.05f + 1e-5f * (float)(hash((uint32_t)i) & 1023); }
__global__ void spin(ll cycles) { ll b = clock64(); while (clock64() - b < cycles); }
static void go(const char *name, ll p1, ll p2, ll p3, ll p4, double bytes, double items, std::function<void()> f)
{
    if (only && strncmp(only, name, strlen(only))) return;
    static cudaEvent_t e0, e1;
    if (!e0) { cudaEventCreate(&e0); cudaEventCreate(&e1); }
    f(); f();
    cudaDeviceSynchronize();
    if (counting) { cudaProfilerStart(); f(); cudaDeviceSynchronize(); cudaProfilerStop(); printf("%s %lld %lld %lld %lld\n", name, p1, p2, p3, p4); fflush(stdout); return; }
    float t[5];
    for (float &x : t) { spin<<<1, 1>>>(40000); cudaEventRecord(e0); f(); cudaEventRecord(e1); cudaEventSynchronize(e1); cudaEventElapsedTime(&x, e0, e1); }
    std::sort(t, t + 5);
    cudaError_t e = cudaGetLastError();
    printf("{\"kernel\": \"%s\", \"p\": [%lld, %lld, %lld, %lld], \"us\": %.2f, \"least\": %.2f, \"TBs\": %.3f, \"Gs\": %.2f%s%s%s}\n", name, p1, p2, p3, p4, t[2] * 1e3, t[0] * 1e3, bytes / t[2] * 1e-9, items / t[2] * 1e-6, e ? ", \"error\": \"" : "", e ? cudaGetErrorName(e) : "", e ? "\"" : "");
    fflush(stdout);
}
// random pieces of `lanes` words, `step` words apart at least (a power of two): kind 0 load, 1 store, 2 update, 3 red, 4 atom
template <int KIND> __global__ void pieces(float *a, float *sink, uint32_t mask, int lanes_log, int step_log, uint32_t seed)
{
    uint32_t t = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    float v[8], sum = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        uint32_t id = t + k * all, piece = hash((id >> lanes_log) + seed) & mask;
        ll at = ((ll)piece << step_log) + (id & ((1u << lanes_log) - 1));
        if (KIND == 0 || KIND == 2) v[k] = a[at];
        if (KIND == 1) a[at] = (float)id;
        if (KIND == 3) atomicAdd((unsigned *)a + at, 1u);
        if (KIND == 4) v[k] = (float)atomicAdd((unsigned *)a + at, id);
        if (KIND == 2) a[at] = v[k] * 0.5f + 1;
        if (KIND == 0 || KIND == 4) sum += v[k];
    }
    if (sum == -1) *sink = sum;
}
// stream beside random: 0 gather (out[i] = a[h(i)]), 1 scatter (a[h(i)] = in[i])
template <int KIND> __global__ void beside(float *a, float *b, uint32_t mask, int step_log, uint32_t seed)
{
    uint32_t t = blockIdx.x * blockDim.x + threadIdx.x;
    ll at = (ll)(hash(t + seed) & mask) << step_log;
    if (KIND == 0) b[t] = a[at]; else a[at] = b[t];
}
// columns: lanes store (load) one row each; x walks fastest over blocks or slowest
template <int KIND> __global__ void columns(float *a, int pitch, int rows, float *sink)
{
    int row = (blockIdx.x * 32 + threadIdx.x), col = blockIdx.y * 8 + threadIdx.y;
    if (KIND == 0) { float v = a[(ll)row * pitch + col]; if (v == -1) *sink = v; }
    else a[(ll)row * pitch + col] = (float)col;
}
// stores of one warp to `lines` lines at random, `words` sectors: lane l to line hash % lines of its warp's region
__global__ void local(float *a, int lines, int repeat, int warps_region)
{
    uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    for (int r = 0; r < repeat; r++) {
        uint32_t line = hash(lane + r * 64 + warp * 8191) % lines;
        a[((ll)(warp % warps_region) * lines + line) * 32 + lane] = (float)r;
    }
}
// one-shot or grid-stride sheets: R arrays read, W written, in place if a == b
template <int R, int W, bool PLACE> __global__ void sheet(float *__restrict__ a, float *__restrict__ b, int nx, int ny, ll pitch, ll apart)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny) return;
    ll i = y * pitch + x;
    float sum = (float)x;
#pragma unroll
    for (int r = 0; r < R; r++) sum += a[r * apart + i];
#pragma unroll
    for (int w = 0; w < W; w++) b[w * apart + i] = sum + w;
    if (!W && sum == -1) b[i] = sum;
}
template <bool READ> __global__ void stride2d(const float *source, float *target, float factor, int nx, int ny, ll pitch)
{
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < ny; y += gridDim.y * blockDim.y)
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < nx; x += gridDim.x * blockDim.x)
            if (READ) target[y * pitch + x] += factor * source[y * pitch + x];
            else target[y * pitch + x] = factor * source[y * pitch + x];
}
// a thread goes down a column, in place or from a to b
__global__ void march(const float *__restrict__ a, float *__restrict__ b, int nx, int ny)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= nx) return;
#pragma unroll 4
    for (int y = 0; y < ny; y++) b[(ll)y * nx + x] = a[(ll)y * nx + x] * 0.5f + 1;
}
__global__ void march_place(float *a, int nx, int ny)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= nx) return;
#pragma unroll 1
    for (int y = 0; y < ny; y++) a[(ll)y * nx + x] = a[(ll)y * nx + x] * 0.5f + 1;
}
template <int KIND> __global__ void ring(const float *__restrict__ a, float *__restrict__ out, int n, int steps, float *__restrict__ r, int slots, int rn, int init)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, p = 0;
    float sum = 0;
    if (init) for (int l = 0; l < slots; l++) r[l * rn + i] = 0;
    for (int s = 0; s < steps; s++) {
        float x = KIND & 1 ? a[(ll)s * n + i] : (float)s;
        sum += x;
        if (KIND & 2) { sum -= r[p * rn + i]; }
        if (KIND & 4) r[p * rn + i] = x;
        p += 5; if (p >= slots) p -= slots;
        if (KIND & 8) out[(ll)s * n + i] = sum;
    }
    if (sum == -1) out[i] = sum;
}
// wave: MODE bits: 1 neighbours in x, 2 in y, 4 in z, 8 past read, 16 velocity
template <int MODE> __global__ void wave(const float *__restrict__ u, float *past, const float *__restrict__ velocity, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < 2 || x >= nx - 2 || y < 2 || y >= ny - 2 || z < 2 || z >= nz - 2) return;
    int plane = nx * ny, i = z * plane + y * nx + x;
    float s = u[i];
    if (MODE & 1) s += u[i - 1] + u[i + 1] + u[i - 2] + u[i + 2];
    if (MODE & 2) s += u[i - nx] + u[i + nx] + u[i - 2 * nx] + u[i + 2 * nx];
    if (MODE & 4) s += u[i - plane] + u[i + plane] + u[i - 2 * plane] + u[i + 2 * plane];
    if (MODE & 8) s -= past[i];
    if (MODE & 16) s *= velocity[i];
    past[i] = s;
}
int main(int argc, char **argv)
{
    counting = argc > 1 && !strcmp(argv[1], "count");
    only = argc > 2 ? argv[2] : nullptr;
    ll N = 1ll << 31; // words: 8 GiB
    if (cudaMalloc(&A, N * 4) || cudaMalloc(&B, N * 4) || cudaMalloc(&Cc, N * 4)) return 3;
    fill<<<2048, 256>>>(A, N); fill<<<2048, 256>>>(B, N); fill<<<2048, 256>>>(Cc, N);
    uint32_t seed = 12345;
    const ll sets[] = {4, 16, 32, 64, 128, 256, 1024, 4096};
    for (ll mb : sets) {
        ll words = mb << 18;
        struct { int lanes, step; } ps[] = {{0, 3}, {3, 3}, {4, 4}, {5, 5}, {6, 6}, {7, 7}, {8, 8}};
        for (auto p : ps) {
            uint32_t mask = (uint32_t)((words >> p.step) - 1);
            ll threads = (p.lanes ? 1ll << 25 : 1ll << 22) , items = threads * 8 >> p.lanes;
            int blocks = (int)(threads / 256);
            double bytes = (double)items * (p.lanes ? 4 << p.lanes : 32);
            ll pb = p.lanes ? 4 << p.lanes : 4;
            if (counting && p.lanes > 4) continue;
            go("load", mb, pb, 0, 0, bytes, items, [=] { pieces<0><<<blocks, 256>>>(A, B, mask, p.lanes, p.step, seed); });
            go("store", mb, pb, 0, 0, bytes, items, [=] { pieces<1><<<blocks, 256>>>(A, B, mask, p.lanes, p.step, seed); });
            go("update", mb, pb, 0, 0, 2 * bytes, items, [=] { pieces<2><<<blocks, 256>>>(A, B, mask, p.lanes, p.step, seed); });
            if (p.lanes == 0) {
                go("red", mb, pb, 0, 0, bytes, items, [=] { pieces<3><<<blocks, 256>>>(A, B, mask, p.lanes, p.step, seed); });
                go("atom", mb, pb, 0, 0, bytes, items, [=] { pieces<4><<<blocks, 256>>>(A, B, mask, p.lanes, p.step, seed); });
            }
        }
        for (int step = 0; step <= 3; step += 3) {
            uint32_t mask = (uint32_t)((words >> step) - 1);
            int blocks = 1 << 17;
            go("gather", mb, step, 0, 0, 0, blocks * 256., [=] { beside<0><<<blocks, 256>>>(A, B, mask, step, seed); });
            go("scatter", mb, step, 0, 0, 0, blocks * 256., [=] { beside<1><<<blocks, 256>>>(A, B, mask, step, seed); });
        }
    }
    for (int pitch : {512, 2048, 2080, 5000, 8192, 8224, 12000}) for (int rows : {512, 2048, 8192}) {
        int cols = pitch / 8 * 8;
        for (int order = 0; order < 1; order++) {
            dim3 g(rows / 32, cols / 8), b(32, 8);
            double items = (double)rows * cols;
            if (counting) continue;
            go("column_store", pitch, rows, 0, 0, items * 32, items, [=] { columns<1><<<g, b>>>(A, pitch, rows, B); });
            go("column_load", pitch, rows, 0, 0, items * 32, items, [=] { columns<0><<<g, b>>>(A, pitch, rows, B); });
        }
    }
    for (int lines : {1, 2, 4, 8, 16, 32}) for (int region : {1024, 8192}) for (int blocks : {782, 4224})
        go("local", lines, region, blocks, 0, 0, (double)blocks * 4 * 100, [=] { local<<<blocks, 128>>>(A, lines, 100, region); });
    // sheets along rows off and on a sector, by size
    for (int mb : {16, 32, 64, 128, 256, 1024}) for (int nx : {8192, 8190, 8200, 8184}) for (int shape = 0; shape < 2; shape++) {
        ll words = (ll)mb << 18;
        dim3 b = shape ? dim3(32, 8) : dim3(256, 1);
        auto one = [&](const char *name, int r, int w, auto kernel, float *to) {
            int ny = (int)(words / nx / std::max(r, w));
            dim3 g((nx + b.x - 1) / b.x, (ny + b.y - 1) / b.y);
            ll apart = (ll)ny * nx + 1088;
            double bytes = 4. * nx * ny * (r + w);
            if (counting && (shape || nx == 8184)) return;
            go(name, mb, nx, b.x, r * 10 + w, bytes, 0, [=] { kernel<<<g, b>>>(A, to, nx, ny, (ll)nx, apart); });
        };
        one("sheet", 0, 1, sheet<0, 1, false>, B);
        one("sheet", 1, 1, sheet<1, 1, false>, B);
        one("sheet", 1, 0, sheet<1, 0, false>, B);
        one("sheet", 4, 4, sheet<4, 4, false>, B);
        one("place", 1, 1, sheet<1, 1, true>, A);
        one("place", 4, 4, sheet<4, 4, true>, A);
    }
    for (int mb : {16, 32, 64, 128, 256, 1024}) for (int nx : {270336, 270338, 270344, 135168, 200001, 200000}) {
        int ny = (int)(((ll)mb << 18) / nx);
        double bytes = 8. * nx * ny;
        go("march", mb, nx, 0, 0, bytes, 0, [=] { march<<<(nx + 255) / 256, 256>>>(A, B, nx, ny); });
        go("march_place", mb, nx, 0, 0, bytes, 0, [=] { march_place<<<(nx + 255) / 256, 256>>>(A, nx, ny); });
    }
    for (int read = 0; read < 2; read++) for (int nx : {4224, 5000, 5024, 8448, 10016, 30000, 30016}) for (int gx : {33, 132}) for (int off : {0, 1}) {
        int ny = (int)(std::min(100000000ll, 100000000ll) / nx);
        dim3 g(gx, 2112 / gx), b(32, 8);
        float *to = B + (off ? 1088 * 17 : 0);
        if (counting && gx != 33) continue;
        go("stride2d", read, nx, gx, off, (read ? 12. : 8.) * nx * ny, 0, [=] { if (read) stride2d<true><<<g, b>>>(A, to, 0.25f, nx, ny, nx); else stride2d<false><<<g, b>>>(A, to, 0.25f, nx, ny, nx); });
    }
#define RING(KIND) go("ring", KIND, n, slots, rn - n, 0, (double)n * steps, [=] { ring<KIND><<<n / block, block>>>(A, B, n, steps, Cc, slots, rn, init); });
    for (int n : {270336, 135168, 67584}) for (int slots : {4, 16, 24}) for (int pad : {0, 1056}) {
        int steps = 100, rn = n + pad, block = 256, init = 1;
        if (counting && (pad || slots == 24)) continue;
        RING(15) RING(7) RING(9) RING(13) RING(14) RING(11) RING(6) RING(1)
    }
#define WAVE(MODE) go("wave", MODE, b.x * 10000 + b.y * 100 + b.z, nx, 0, 4. * nx * ny * nz, 0, [=] { wave<MODE><<<g, b>>>(A, B, Cc, nx, ny, nz); });
    for (int nx : {400, 402, 1000}) {
        int ny = 320, nz = 320;
        for (dim3 b : {dim3(64, 2, 2), dim3(64, 4, 1), dim3(32, 8, 1), dim3(256, 1, 1), dim3(32, 4, 2), dim3(128, 1, 2)}) {
            dim3 g((nx + b.x - 1) / b.x, (ny + b.y - 1) / b.y, (nz + b.z - 1) / b.z);
            if (counting && (nx == 1000 || b.x == 32 || b.x == 128)) continue;
            WAVE(31) WAVE(7) WAVE(15) WAVE(23) WAVE(0) WAVE(8) WAVE(16) WAVE(24) WAVE(4) WAVE(2) WAVE(1) WAVE(28)
        }
    }
    return 0;
}
