// What loads from L1 and shared memory, and stores, take beside arithmetic: rounds of eight of them
// at fixed offsets, and so many operations each, in all warps of a multiprocessor or in some.  One
// line of JSON a launch: cycles of a load or store of a multiprocessor, by the time of one launch
// among 20 back to back (median of 7). usage: mixed [once]: with `once`, each kernel of 1024
// threads is launched one time, for a profiler.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t status = (call);                                                               \
        if (status != cudaSuccess) {                                                               \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status));                        \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

enum { LOADS = 8, ROUNDS = 1000, BYTES = 8192 };
enum from { L1, SHARED, STORE, STORE_SHARED };
enum of { PRODUCT, PRODUCT3 };

#define LOAD(l)                                                                                    \
    if (memory == SHARED)                                                                          \
        asm volatile("ld.shared.f32 %0, [%1+%2];" : "=f"(x[l]) : "r"(place), "n"((l)*512));        \
    else if (memory == STORE)                                                                      \
        asm volatile("st.global.f32 [%1+%2], %0;" ::"f"(y[l]), "l"(own), "n"((l)*512));            \
    else if (memory == STORE_SHARED)                                                               \
        asm volatile("st.shared.f32 [%1+%2], %0;" ::"f"(y[l]), "r"(place), "n"((l)*512));          \
    else if (bytes == 4)                                                                           \
        asm volatile("ld.global.f32 %0, [%1+%2];" : "=f"(x[l]) : "l"(own), "n"((l)*512));          \
    else                                                                                           \
        asm volatile("ld.global.v2.f32 {%0, %1}, [%2+%3];"                                         \
                     : "=f"(x[l]), "=f"(w[l])                                                      \
                     : "l"(own), "n"((l)*512));

// `step` is 0, which the compiler does not know.  `stride` bytes from lane to lane, a place of each
// warp's own where `warps` is not 0.
template <from memory, int bytes, of kind, int operations>
__global__ void mixed(char *a, float *sink, int stride, int warps, int step)
{
    __shared__ char held[memory == SHARED || memory == STORE_SHARED ? BYTES : 4];
    unsigned place = (unsigned)__cvta_generic_to_shared(held) + threadIdx.x % 32 * stride +
                     threadIdx.x / 32 % 4 * warps;
    char *own = a + (size_t)(memory == STORE ? blockIdx.x : blockIdx.x % 2) * BYTES +
                threadIdx.x % 32 * stride + threadIdx.x / 32 % 4 * warps;
    float y[LOADS] = {0, 1, 2, 3, 4, 5, 6, 7}, z = threadIdx.x;
#pragma unroll 1
    for (int r = 0; r < ROUNDS; r++) {
        float x[LOADS], w[LOADS];
        own += step;
        place += step;
        LOAD(0)
        LOAD(1) LOAD(2) LOAD(3) LOAD(4) LOAD(5) LOAD(6) LOAD(7)
#pragma unroll
            for (int p = 0; p < operations; p++)
#pragma unroll
                for (int l = 0; l < LOADS; l++)
        {
            float from = memory == STORE || memory == STORE_SHARED ? z
                         : bytes == 8 && p % 2                     ? w[l]
                                                                   : x[l];
            if (kind == PRODUCT)
                asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(y[l]) : "f"(from));
            if (kind == PRODUCT3)
                asm volatile("fma.rn.f32 %0, %1, %2, %0;" : "+f"(y[l]) : "f"(from), "f"(z));
        }
    }
    float sum = z;
    for (int l = 0; l < LOADS; l++)
        sum += y[l];
    if (sum == 123.0f)
        *sink = sum;
}

static bool once;

template <from memory, int bytes, of kind, int operations>
static int show(char *a, float *sink, int stride, int warps)
{
    static const char *const froms[] = {"l1", "shared", "store", "store_shared"}, *const kinds[] = {
                                                                                      "product",
                                                                                      "product3"};
    for (int threads : {128, 256, 512, 1024}) {
        int blocks = threads == 1024 ? 264 : 132;
        if (once) {
            if (threads < 1024)
                continue;
            printf("{\"from\": \"%s\", \"bytes\": %d, \"kind\": \"%s\", \"operations\": %d, "
                   "\"stride\": %d, \"warps\": %d}\n",
                   froms[memory], bytes, kinds[kind], operations, stride, warps);
            mixed<memory, bytes, kind, operations><<<blocks, threads>>>(a, sink, stride, warps, 0);
            CHECK(cudaDeviceSynchronize());
            continue;
        }
        cudaEvent_t from, to;
        CHECK(cudaEventCreate(&from));
        CHECK(cudaEventCreate(&to));
        for (int i = 0; i < 3; i++)
            mixed<memory, bytes, kind, operations><<<blocks, threads>>>(a, sink, stride, warps, 0);
        std::vector<float> times;
        for (int t = 0; t < 7; t++) {
            CHECK(cudaEventRecord(from));
            for (int i = 0; i < 20; i++)
                mixed<memory, bytes, kind, operations>
                    <<<blocks, threads>>>(a, sink, stride, warps, 0);
            CHECK(cudaEventRecord(to));
            CHECK(cudaEventSynchronize(to));
            float ms;
            CHECK(cudaEventElapsedTime(&ms, from, to));
            times.push_back(ms / 20);
        }
        std::sort(times.begin(), times.end());
        double seconds = times[3] * 1e-3,
               loads = (double)ROUNDS * LOADS * threads / 32 * blocks / 132;
        printf("{\"from\": \"%s\", \"bytes\": %d, \"kind\": \"%s\", \"operations\": %d, "
               "\"stride\": %d, \"warps\": %d, "
               "\"threads\": %d, \"blocks\": %d, \"seconds\": %.6g, \"low\": %.6g, \"high\": %.6g, "
               "\"cycles\": %.4f}\n",
               froms[memory], bytes, kinds[kind], operations, stride, warps, threads, blocks,
               seconds, times.front() * 1e-3, times.back() * 1e-3,
               (seconds - 2e-6) * 1.98e9 / loads);
        fflush(stdout);
        CHECK(cudaEventDestroy(from));
        CHECK(cudaEventDestroy(to));
    }
    return 0;
}

template <from memory, int bytes, of kind>
static int all(char *a, float *sink, int stride, int warps)
{
    return show<memory, bytes, kind, 1>(a, sink, stride, warps) ||
           show<memory, bytes, kind, 2>(a, sink, stride, warps) ||
           show<memory, bytes, kind, 3>(a, sink, stride, warps) ||
           show<memory, bytes, kind, 4>(a, sink, stride, warps) ||
           show<memory, bytes, kind, 6>(a, sink, stride, warps) ||
           show<memory, bytes, kind, 8>(a, sink, stride, warps);
}

int main(int argc, char **argv)
{
    once = argc > 1 && strcmp(argv[1], "once") == 0;
    char *a;
    float *sink;
    CHECK(cudaMalloc(&a, 4 << 20));
    CHECK(cudaMemset(a, 0, 4 << 20));
    CHECK(cudaMalloc(&sink, 4));
    return all<L1, 4, PRODUCT>(a, sink, 4, 128) || all<L1, 4, PRODUCT3>(a, sink, 4, 128) ||
           all<L1, 4, PRODUCT>(a, sink, 0, 0) || all<L1, 4, PRODUCT>(a, sink, 8, 0) ||
           all<L1, 8, PRODUCT>(a, sink, 8, 0) || all<SHARED, 4, PRODUCT>(a, sink, 4, 128) ||
           all<SHARED, 4, PRODUCT>(a, sink, 0, 0) || all<SHARED, 4, PRODUCT>(a, sink, 8, 0) ||
           all<STORE_SHARED, 4, PRODUCT>(a, sink, 4, 128) ||
           show<STORE, 4, PRODUCT, 24>(a, sink, 4, 128) ||
           show<STORE, 4, PRODUCT, 32>(a, sink, 4, 128) ||
           show<STORE, 4, PRODUCT, 48>(a, sink, 4, 128);
}
