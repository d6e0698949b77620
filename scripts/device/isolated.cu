// Costs that whole kernels do not isolate: back edges of loops, barriers behind stores, sectors that are stored in
// part, loads that cross lines, arrays of a thread, branches in which a warp parts.
//
// usage: isolated [carveout|once]
// Prints a line of JSON for each configuration: the time of one launch among 20 back to back (median of 7), and the
// cycles that the first block took (its first warp's start to its last warp's end; median of 7).  carveout: runs
// kernels of many needs of shared memory once, for a profiler that tells how much the driver gives them.  once: runs
// what is stored, each once, for a profiler that counts.
#include "check.cuh"
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

static long long *cycles;
static float *memory;
static const size_t memory_words = (size_t)1 << 28;

__device__ __forceinline__ void begin(long long *out)
{
    if (blockIdx.x == 0) {
        __syncthreads();
        if (threadIdx.x == 0)
            out[0] = clock64();
    }
}

__device__ __forceinline__ void end(long long *out)
{
    if (blockIdx.x == 0) {
        __syncthreads();
        if (threadIdx.x == 0)
            out[1] = clock64();
    }
}

// `rounds` iterations of `length` products in eight chains.
template <int length> __global__ void back_edge(long long *out, float *sink, int rounds, float x)
{
    float y[8];
    for (int c = 0; c < 8; c++)
        y[c] = x + c;
    begin(out);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int l = 0; l < length; l++)
            asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(y[l % 8]) : "f"(x));
    }
    end(out);
    float sum = 0;
    for (int c = 0; c < 8; c++)
        sum += y[c];
    if (sum == 123.0f)
        sink[0] = sum;
}

// What a round does before a barrier and after it.  Shared or global memory; a block has its own part of `a`.
enum { NOTHING, STORE, LOAD, STORE_LOAD };
template <int what, bool in_shared> __global__ void barrier(long long *out, float *a, int rounds)
{
    __shared__ float s[1024];
    int t = threadIdx.x, other = (t + 33) % blockDim.x;
    float *own = in_shared ? s : a + (size_t)blockIdx.x * 1024, x = t;
    own[t] = x;
    __syncthreads();
    begin(out);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        if (what == STORE || what == STORE_LOAD)
            own[t] = x;
        __syncthreads();
        if (what == LOAD || what == STORE_LOAD)
            x = own[other] + 1.0f;
        __syncthreads();
    }
    end(out);
    own[t] = x;
}

// Each warp stores 32 words `stride` apart, `offset` words behind a multiple of 32 * stride.
__global__ void split(long long *out, float *a, int words, int stride, int offset, int rounds)
{
    int warps = gridDim.x * blockDim.x / 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    int parts = words / (32 * stride) - 1;
    begin(out);
    for (int r = 0; r < rounds; r++)
        for (int p = warp; p < parts; p += warps)
            a[(size_t)(p * 32 + lane) * stride + offset] = r;
    end(out);
}

// The same, but a warp stores its parts one after the other before the next warp's: the rest of a sector comes late.
__global__ void split_late(long long *out, float *a, int words, int offset, int rounds, int each)
{
    int warps = gridDim.x * blockDim.x / 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    int parts = words / 32 - 1;
    begin(out);
    for (int r = 0; r < rounds; r++)
        for (int p = warp * each; p < parts; p += warps * each)
            for (int e = 0; e < each && p + e < parts; e++)
                a[(size_t)(p + e) * 32 + lane + offset] = r;
    end(out);
}

__device__ __forceinline__ float loaded(const unsigned char *p)
{
    unsigned x;
    asm volatile("ld.global.u8 %0, [%1];" : "=r"(x) : "l"(p));
    return __int_as_float(x);
}
__device__ __forceinline__ float loaded(const float *p)
{
    float x;
    asm volatile("ld.global.f32 %0, [%1];" : "=f"(x) : "l"(p));
    return x;
}
__device__ __forceinline__ float loaded(const float2 *p)
{
    float x, y;
    asm volatile("ld.global.v2.f32 {%0, %1}, [%2];" : "=f"(x), "=f"(y) : "l"(p));
    return x + y;
}
__device__ __forceinline__ float loaded(const float4 *p)
{
    float x, y, z, w;
    asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "l"(p));
    return (x + y) + (z + w);
}

// A block stores to its own `lines` lines, one after the other, again and again; each warp starts elsewhere.
template <typename T> __global__ void rewrite(long long *out, float *a, int lines, int apart, int rounds)
{
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, mask = lines - 1;
    T *own = (T *)(a + (size_t)blockIdx.x * apart * 32) + lane;
    T value = {};
    begin(out);
#pragma unroll 4
    for (int r = 0; r < rounds; r++)
        own[(size_t)((r + warp * 5) & mask) * 32] = value;
    end(out);
}

// The same lines are loaded, past L1 or not, and stored.
template <bool past> __global__ void in_place(long long *out, float *a, int lines, int rounds)
{
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    float *own = a + (size_t)blockIdx.x * lines * 32 + lane;
    begin(out);
    for (int r = 0; r < rounds; r++)
#pragma unroll 4
        for (int l = warp; l < lines; l += warps) {
            float x = past ? __ldcg(own + (size_t)l * 32) : own[(size_t)l * 32];
            own[(size_t)l * 32] = x * 0.5f + 1.0f;
        }
    end(out);
}

// Loads of T from L1: eight of each thread in a round, T by T, `stride` apart, `offset` words behind a line, and
// `products` products a load.
template <typename T, int products>
__global__ void crossing(long long *out, const float *a, float *sink, int stride, int offset, int rounds)
{
    const char *own = (const char *)(a + (size_t)(blockIdx.x % 2) * 4096 + offset);
    float y[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    int at = threadIdx.x % 64 * stride * (int)sizeof(T), step = 0;
    begin(out);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        float x[8];
#pragma unroll
        for (int l = 0; l < 8; l++) {
            x[l] = loaded((const T *)(own + at + ((step + l * 128) & 4095)));
        }
        step += 1024;
#pragma unroll
        for (int l = 0; l < 8; l++) {
            y[l] += x[l];
#pragma unroll
            for (int p = 0; p < products; p++)
                asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(y[l]) : "f"(x[l]));
        }
    }
    end(out);
    float sum = 0;
    for (int l = 0; l < 8; l++)
        sum += y[l];
    if (sum == 123.0f)
        sink[0] = sum;
}

// An array of a thread in local memory: read, changed and written at a place that the loop decides.
template <int length, bool write> __global__ void local(long long *out, float *sink, int rounds, int step)
{
    float s[length], sum = 0;
    for (int l = 0; l < length; l++)
        s[l] = l * step;
    begin(out);
#pragma unroll 1
    for (int r = 0, at = 0; r < rounds; r++, at = (at + step) % length) {
        sum += s[at];
        if (write)
            s[at] = sum * 0.5f;
    }
    end(out);
    for (int l = 0; l < length; l++)
        sum += s[l] * l;
    if (sum == 123.0f)
        sink[0] = sum;
}

// A warp parts: `lanes` of it go one way of 16 products, the others another; ways that nobody goes are jumped over.
template <int length> __global__ void parting(long long *out, float *sink, int rounds, int lanes, float x)
{
    float y = x;
    bool first = (int)threadIdx.x % 32 < lanes;
    begin(out);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        if (first) {
#pragma unroll
            for (int l = 0; l < length; l++)
                asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(y) : "f"(x));
        } else {
#pragma unroll
            for (int l = 0; l < length; l++)
                asm volatile("add.f32 %0, %0, %1;" : "+f"(y) : "f"(x));
        }
    }
    end(out);
    if (y == 123.0f)
        sink[0] = y;
}

// Rows that a thread goes down, with a ring in shared memory: a load, a read and a write of the ring, a store.
template <int unroll> __global__ void stream(long long *out, const float *a, float *b, int n, int rounds)
{
    __shared__ float ring[16][256];
    int i = blockIdx.x * blockDim.x + threadIdx.x, p = 0;
    float sum = 0;
    for (int l = 0; l < 16; l++)
        ring[l][threadIdx.x] = 0;
    begin(out);
#pragma unroll unroll
    for (int r = 0; r < rounds; r++) {
        float x = a[(size_t)r * n + i];
        sum += x - ring[p][threadIdx.x];
        ring[p][threadIdx.x] = x;
        p = (p + 1) & 15;
        b[(size_t)r * n + i] = sum;
    }
    end(out);
}

// Rounds of what kernels with a ring in global memory do: loads of `a` (parts & 1), of a ring of 16 rows (parts & 2),
// stores to it (parts & 4; to another row: parts & 16), stores to `out` (parts & 8).
template <int parts> __global__ void ring(long long *out_cycles, const float *__restrict__ a, float *__restrict__ rows,
                                          float *__restrict__ out, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, p = 0;
    float sum = 0;
    begin(out_cycles);
    for (int r = 0; r < rounds; r++) {
        float x = parts & 1 ? a[(size_t)r * n + i] : r;
        if (parts & 2)
            sum += x - rows[p * n + i];
        else
            sum += x;
        if (parts & 4)
            rows[((parts & 16 ? p + 8 : p) & 15) * n + i] = x;
        p = (p + 5) & 15;
        if (parts & 8)
            out[(size_t)r * n + i] = sum;
    }
    end(out_cycles);
    if (sum == 123.0f)
        out[0] = sum;
}

static bool once;

template <typename L> static void show(const char *name, const std::string &what, L launch)
{
    if (once) {
        launch();
        CHECK(cudaDeviceSynchronize());
        printf("{\"kernel\": \"%s\", %s}\n", name, what.c_str());
        return;
    }
    cudaEvent_t from, to;
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
    for (int i = 0; i < 3; i++)
        launch();
    CHECK(cudaDeviceSynchronize());
    std::vector<float> times;
    std::vector<long long> counts;
    for (int trial = 0; trial < 7; trial++) {
        CHECK(cudaEventRecord(from));
        for (int i = 0; i < 20; i++)
            launch();
        CHECK(cudaEventRecord(to));
        CHECK(cudaEventSynchronize(to));
        float ms;
        long long c[2];
        CHECK(cudaEventElapsedTime(&ms, from, to));
        CHECK(cudaMemcpy(c, cycles, sizeof c, cudaMemcpyDeviceToHost));
        times.push_back(ms / 20);
        counts.push_back(c[1] - c[0]);
    }
    CHECK(cudaGetLastError());
    std::sort(times.begin(), times.end());
    std::sort(counts.begin(), counts.end());
    printf("{\"kernel\": \"%s\", %s, \"seconds\": %.6g, \"low\": %.6g, \"high\": %.6g, \"cycles\": %lld}\n", name, what.c_str(),
           times[3] * 1e-3, times[0] * 1e-3, times[6] * 1e-3, counts[3]);
    fflush(stdout);
    CHECK(cudaEventDestroy(from));
    CHECK(cudaEventDestroy(to));
}

static std::string text(const char *form, ...)
{
    char line[400];
    va_list list;
    va_start(list, form);
    vsnprintf(line, sizeof line, form, list);
    va_end(list);
    return line;
}

template <int length> static void back_edges()
{
    for (int threads : {32, 128, 256, 512, 1024})
        show("back_edge", text("\"length\": %d, \"threads\": %d, \"rounds\": 2000", length, threads),
             [=] { back_edge<length><<<132, threads>>>(cycles, memory, 2000, 1.0f); });
}

template <int what, bool in_shared> static void barriers(const char *name)
{
    for (int threads : {32, 64, 128, 256, 1024})
        for (int blocks : {132, 132 * 2, 132 * 8, 132 * 16, 132 * 32})
            if (threads * blocks <= 132 * 2048)
                show("barrier",
                     text("\"what\": \"%s\", \"memory\": \"%s\", \"threads\": %d, \"blocks\": %d, \"rounds\": 500", name,
                          in_shared ? "shared" : "global", threads, blocks),
                     [=] { barrier<what, in_shared><<<blocks, threads>>>(cycles, memory, 500); });
}

template <typename T, int products> static void crossings()
{
    for (int stride : {1, 2})
        for (int offset : {0, 1, 4, 8, 16, 31})
            if (offset * 4 % sizeof(T) == 0 && (stride == 1 || (offset == 0 && products == 0)))
                for (int threads : {64, 256, 1024})
                    show("crossing",
                         text("\"bytes\": %d, \"products\": %d, \"stride\": %d, \"offset\": %d, \"threads\": %d, \"blocks\": "
                              "264, \"rounds\": 500",
                              (int)sizeof(T), products, stride, offset, threads),
                         [=] { crossing<T, products><<<264, threads>>>(cycles, memory, memory + memory_words - 64, stride, offset, 500); });
}

template <int length, bool write> static void locals()
{
    for (int step : {1, 3})
        for (int threads : {64, 256})
            for (int blocks : {132, 132 * 4, 132 * 8})
                show("local",
                     text("\"length\": %d, \"write\": %d, \"step\": %d, \"threads\": %d, \"blocks\": %d, \"rounds\": 500", length,
                          write, step, threads, blocks),
                     [=] { local<length, write><<<blocks, threads>>>(cycles, memory, 500, step); });
}

template <typename T> static void rewrites()
{
    for (int lines : {1, 8, 32, 128})
        for (int threads : {32, 128, 256, 1024})
            for (int blocks : {132, 264, 1056})
                if (threads * blocks <= 132 * 2048 && lines * 4 >= threads / 32)
                    show("rewrite",
                         text("\"bytes\": %d, \"lines\": %d, \"threads\": %d, \"blocks\": %d, \"rounds\": 400", (int)sizeof(T),
                              lines, threads, blocks),
                         [=] { rewrite<T><<<blocks, threads>>>(cycles, memory, lines, lines * (int)sizeof(T) / 4, 400); });
}

template <bool past> static void in_places()
{
    for (int lines : {8, 32, 128})
        for (int threads : {128, 256, 1024})
            for (int blocks : {132, 264, 1056})
                if (threads * blocks <= 132 * 2048 && lines >= threads / 32)
                    show("in_place",
                         text("\"past\": %d, \"lines\": %d, \"threads\": %d, \"blocks\": %d, \"rounds\": 100", past, lines,
                              threads, blocks),
                         [=] { in_place<past><<<blocks, threads>>>(cycles, memory, lines, 100); });
}

template <int parts> static void rings()
{
    for (int blocks : {132, 1056})
        for (int more : {0, 32}) {
            int n = blocks * 256 + more;
            show("ring", text("\"parts\": %d, \"threads\": 256, \"blocks\": %d, \"apart\": %d, \"rounds\": 100", parts, blocks, n),
                 [=] { ring<parts><<<blocks, 256>>>(cycles, memory, memory + ((size_t)3 << 26), memory + ((size_t)1 << 26), n, 100); });
        }
}

template <int length> static void partings()
{
    for (int lanes : {0, 16, 32})
        for (int threads : {32, 256, 1024})
            show("parting", text("\"length\": %d, \"lanes\": %d, \"threads\": %d, \"rounds\": 1000", length, lanes, threads),
                 [=] { parting<length><<<132, threads>>>(cycles, memory, 1000, lanes, 1.0f); });
}

template <int unroll> static void streams()
{
    for (int blocks : {132, 264, 528, 1056}) {
        int n = blocks * 256, rounds = 100;
        show("stream", text("\"unroll\": %d, \"threads\": 256, \"blocks\": %d, \"rounds\": %d", unroll, blocks, rounds),
             [=] { stream<unroll><<<blocks, 256>>>(cycles, memory, memory + memory_words / 2, n, rounds); });
    }
}

extern __shared__ float dynamic[];
__global__ void carved(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = dynamic[threadIdx.x % 64]; }
__global__ void carved_none(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f; }

static void carveouts()
{
    CHECK(cudaFuncSetAttribute(carved, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
    for (int threads : {32, 64, 128, 192, 256, 512, 1024}) {
        carved_none<<<1, threads>>>(memory);
        carved_none<<<1056, threads>>>(memory);
        for (int kilo : {1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 72, 96, 100, 112, 132, 164, 196, 227})
            carved<<<1056, threads, kilo * 1024>>>(memory);
        for (int kilo : {4, 16, 64})
            for (int blocks : {1, 66, 132, 264})
                carved<<<blocks, threads, kilo * 1024>>>(memory);
    }
    CHECK(cudaDeviceSynchronize());
}

int main(int count, char **words)
{
    CHECK(cudaMalloc(&cycles, 64));
    CHECK(cudaMalloc(&memory, memory_words * sizeof(float)));
    CHECK(cudaMemset(memory, 0, memory_words * sizeof(float)));
    if (count > 1 && !strcmp(words[1], "carveout")) {
        carveouts();
        return 0;
    }
    once = count > 1 && !strcmp(words[1], "once");
    if (!once) {
        back_edges<1>(), back_edges<2>(), back_edges<4>(), back_edges<8>(), back_edges<16>(), back_edges<32>(), back_edges<64>();
        barriers<NOTHING, true>("nothing"), barriers<STORE, true>("store"), barriers<LOAD, true>("load");
        barriers<STORE_LOAD, true>("store_load"), barriers<LOAD, false>("load");
        crossings<float, 0>(), crossings<float, 1>(), crossings<float, 2>(), crossings<float, 4>();
        crossings<float2, 0>(), crossings<float4, 0>(), crossings<unsigned char, 0>();
        partings<1>(), partings<4>(), partings<16>(), partings<64>();
        streams<1>(), streams<4>();
    }
    barriers<STORE, false>("store"), barriers<STORE_LOAD, false>("store_load");
    for (int words_of : {1 << 19, 1 << 22, 1 << 27})
        for (int stride : {1, 2, 4, 8})
            for (int offset : {0, 1, 4})
                if (stride == 1 || offset == 0)
                    show("split", text("\"words\": %d, \"stride\": %d, \"offset\": %d, \"rounds\": 4", words_of, stride, offset),
                         [=] { split<<<1056, 256>>>(cycles, memory, words_of, stride, offset, 4); });
    for (int words_of : {1 << 19, 1 << 22, 1 << 27})
        for (int each : {1, 4, 32})
            for (int offset : {0, 1, 4})
                show("split_late", text("\"words\": %d, \"each\": %d, \"offset\": %d, \"rounds\": 4", words_of, each, offset),
                     [=] { split_late<<<1056, 256>>>(cycles, memory, words_of, offset, 4, each); });
    locals<8, true>(), locals<8, false>(), locals<32, true>(), locals<32, false>(), locals<64, true>();
    rewrites<float>(), rewrites<float4>();
    in_places<false>(), in_places<true>();
    rings<1>(), rings<2>(), rings<4>(), rings<6>(), rings<22>(), rings<9>(), rings<7>(), rings<15>(), rings<31>(), rings<11>(), rings<13>();
    return 0;
}
