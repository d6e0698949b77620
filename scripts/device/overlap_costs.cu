// What one warp group of a multiprocessor does beside another's matrix products (wgmma), and what L2 gives to
// multiprocessors that read the same.
//
// usage: overlap_costs
// Prints a line of JSON for each configuration, medians of 9 launches behind a first that warms caches up.
#include "../../kernels/asynchronous/asynchronous.cuh"
#include "../../kernels/asynchronous/matrix_product.cuh"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <functional>
#include <vector>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t error = (call);                                                                                    \
        if (error != cudaSuccess) {                                                                                    \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error));                 \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static long long *readings;
static float *data;
static const size_t data_bytes = 256 << 20;

__device__ static inline long long now()
{
    long long value;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(value)::"memory");
    return value;
}

__device__ static inline uint64_t descriptor(uint32_t address)
{
    return (uint64_t)(address >> 4 & 0x3fff) | (uint64_t)1 << 16 | (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 62;
}

// What the other warps do: rounds of 128 operations of each thread; of loads and shuffles 32.
enum { NOTHING, EX2, FFMA, FMUL, LOGIC, MULTIPLY, SHARED, CHASE, SHUFFLE, STORE, KINDS };
static const char *const kinds[KINDS] = {"nothing", "ex2",          "ffma",           "fmul", "lop3",
                                         "imad",    "ld.shared.v4", "ld.shared chain", "shfl", "st.shared.v4"};

template <int kind> __device__ static inline void round_of(float (&x)[16], uint32_t (&y)[16], uint32_t place, uint32_t zero)
{
#pragma unroll
    for (int i = 0; i < 128; i++) {
        float &v = x[i % 16];
        uint32_t &u = y[i % 16];
        if (kind == EX2)
            asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(v));
        if (kind == FFMA)
            asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(v) : "f"(x[(i + 5) % 16]), "f"(x[(i + 9) % 16]));
        if (kind == FMUL)
            asm volatile("mul.f32 %0, %0, %1;" : "+f"(v) : "f"(x[(i + 5) % 16]));
        if (kind == LOGIC)
            asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(u) : "r"(y[(i + 5) % 16]), "r"(y[(i + 9) % 16]));
        if (kind == MULTIPLY)
            asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(u) : "r"(y[(i + 5) % 16]), "r"(y[(i + 9) % 16]));
        if (kind == SHUFFLE && i % 4 == 0)
            asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, -1;" : "+f"(x[i / 4 % 16]));
        if (kind == CHASE && i % 4 == 0)
            asm volatile("ld.shared.u32 %0, [%1];" : "=r"(y[0]) : "r"(place + (y[0] & zero)));
        if (kind == SHARED && i % 4 == 0)
            asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                         : "=f"(x[i % 16]), "=f"(x[i % 16 + 1]), "=f"(x[i % 16 + 2]), "=f"(x[i % 16 + 3])
                         : "r"(place + 2048 * (i / 4 % 8)));
        if (kind == STORE && i % 4 == 0)
            asm volatile("st.shared.v4.f32 [%4], {%0, %1, %2, %3};" ::"f"(x[i % 16]), "f"(x[i % 16 + 1]), "f"(x[i % 16 + 2]),
                         "f"(x[i % 16 + 3]), "r"(place + 2048 * (i / 4 % 8)));
    }
}

enum { OTHER_ROUNDS = 64 };

// The first `groups` warp groups order `rounds` groups of four products each, the others run OTHER_ROUNDS rounds, which
// end earlier.
template <int n, int kind>
__global__ void __launch_bounds__(384) beside(long long *to, float *sink, int groups, int rounds, int wait, int again)
{
    extern __shared__ __align__(1024) char pool[];
    for (int i = threadIdx.x; i < 65536 / 4; i += blockDim.x)
        ((uint32_t *)pool)[i] = i * 40503u & 0x3bff3bff;
    proxy_fence();
    __syncthreads();
    int group = threadIdx.x / 128;
    float sum = 0;
    long long from = now(), done = 1;
    if (group < groups) {
        float d[n / 2] = {};
        uint64_t a = descriptor(shared_address(pool) + group * 8192), b = descriptor(shared_address(pool) + 16384);
        for (int r = 0; r < rounds; r++) {
            products_fence();
            for (int i = 0; i < 4; i++)
                matrix_product<n>(d, a, b);
            products_commit();
            if (wait || r % 8 == 7)
                products_wait<0>();
        }
        products_wait<0>();
        done = rounds;
        for (int i = 0; i < n / 2; i++)
            sum += d[i];
    } else if (kind != NOTHING) {
        float x[16];
        uint32_t y[16];
        for (int i = 0; i < 16; i++)
            x[i] = threadIdx.x * 0.001f + i, y[i] = threadIdx.x + i * again;
        uint32_t place = shared_address(pool) + 32768 + threadIdx.x % 128 * 16;
        for (int r = 0; r < OTHER_ROUNDS; r++) {
            round_of<kind>(x, y, place, again - 3);
        }
        done = OTHER_ROUNDS;
        for (int i = 0; i < 16; i++)
            sum += x[i] + y[i];
    }
    long long until = now();
    if (threadIdx.x % 128 == 0) {
        to[2 * group] = until - from;
        to[2 * group + 1] = done;
    }
    if (sum == 123.0f)
        *sink = sum;
}

template <int n, int kind> static void run_beside(int groups, int others, int wait)
{
    const int rounds = 1024;
    std::vector<double> cycles, each;
    CHECK(cudaFuncSetAttribute(beside<n, kind>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
    for (int trial = 0; trial < 10; trial++) {
        long long got[8] = {};
        beside<n, kind><<<1, (groups + others) * 128, 65536>>>(readings, data, groups, rounds, wait, 3);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(got, readings, sizeof got, cudaMemcpyDeviceToHost));
        if (!trial)
            continue;
        cycles.push_back(groups ? (double)std::max(got[0], groups > 1 ? got[2] : 0) / rounds : 0);
        each.push_back(others ? (double)got[2 * groups] / OTHER_ROUNDS : 0);
    }
    std::sort(cycles.begin(), cycles.end());
    std::sort(each.begin(), each.end());
    printf("{\"what\": \"beside\", \"n\": %d, \"groups\": %d, \"waits\": %d, \"other\": \"%s\", \"others\": %d, "
           "\"cycles_of_four\": %.1f, \"cycles_of_round\": %.1f}\n",
           n, groups, wait, kinds[kind], others, cycles[4], each[4]);
    fflush(stdout);
}

template <int n, int kind> static void all_beside()
{
    for (int groups = kind == NOTHING; groups <= (n > 128 ? 1 : 2); groups++)
        for (int wait = 0; wait <= (groups ? 1 : 0); wait++)
            for (int others = kind != NOTHING; others <= (kind == NOTHING ? 0 : 3 - groups < 2 ? 1 : 2); others++)
                run_beside<n, kind>(groups, others, wait);
}

template <int n> static void all_kinds()
{
    all_beside<n, NOTHING>();
    all_beside<n, EX2>();
    all_beside<n, FFMA>();
    all_beside<n, FMUL>();
    all_beside<n, LOGIC>();
    all_beside<n, MULTIPLY>();
    all_beside<n, SHARED>();
    all_beside<n, CHASE>();
    all_beside<n, SHUFFLE>();
    all_beside<n, STORE>();
}

// ---- L2: `share` blocks read the same tiles of 16 KiB, `count` one after the other, four in flight.
__global__ void __launch_bounds__(128) tiles(const char *source, float *sink, int share, int count, int near)
{
    extern __shared__ __align__(1024) char pool[];
    __shared__ uint64_t full[4];
    const unsigned bytes = 16384;
    int streams = gridDim.x / share, stream = near ? blockIdx.x / share : blockIdx.x % streams;
    const char *from = source + (size_t)stream * bytes;
    if (threadIdx.x == 0) {
        for (int s = 0; s < 4; s++)
            barrier_init(&full[s], 1);
        barriers_ready();
        for (int s = 0; s < 4; s++) {
            barrier_expect(&full[s], bytes);
            bulk_load(pool + s * bytes, from + (size_t)s * streams * bytes, bytes, &full[s]);
        }
        for (int i = 0; i < count; i++) {
            barrier_wait(&full[i % 4], i / 4 & 1);
            if (i + 4 < count) {
                barrier_expect(&full[i % 4], bytes);
                bulk_load(pool + i % 4 * bytes, from + (size_t)(i + 4) % 8 * streams * bytes, bytes, &full[i % 4]);
            }
        }
    }
    if (*(volatile float *)pool == 123.4f)
        *sink = 1;
}

// The same by cp.async of 16 bytes.
template <bool all> __global__ void __launch_bounds__(256) pieces(const char *source, float *sink, int share, int count, int near)
{
    extern __shared__ __align__(1024) char pool[];
    const unsigned bytes = 16384;
    int streams = gridDim.x / share, stream = near ? blockIdx.x / share : blockIdx.x % streams;
    const char *from = source + (size_t)stream * bytes + threadIdx.x * 16;
    uint32_t to = shared_address(pool) + threadIdx.x * 16;
    for (int i = 0; i < count; i++) {
        for (int p = 0; p < 4; p++)
            if (all)
                asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to + i % 4 * bytes + p * 4096),
                             "l"(from + (size_t)(i % 8) * streams * bytes + p * 4096));
            else
                asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + i % 4 * bytes + p * 4096),
                             "l"(from + (size_t)(i % 8) * streams * bytes + p * 4096));
        asm volatile("cp.async.commit_group;");
        asm volatile("cp.async.wait_group 3;");
        __syncthreads();
    }
    asm volatile("cp.async.wait_group 0;");
    if (*(volatile float *)pool == 123.4f)
        *sink = 1;
}

static void shared_reads(const char *what, int blocks, const std::function<void(int, int, int)> &launch)
{
    const int count = 1024;
    for (int near = 0; near <= 1; near++)
        for (int share : {1, 2, 4, 11, 33, 132, 264}) {
            if (blocks % share || (share == 1 && near))
                continue;
            std::vector<float> times;
            cudaEvent_t from, to;
            CHECK(cudaEventCreate(&from));
            CHECK(cudaEventCreate(&to));
            for (int trial = 0; trial < 10; trial++) {
                CHECK(cudaEventRecord(from));
                launch(share, count, near);
                CHECK(cudaEventRecord(to));
                CHECK(cudaDeviceSynchronize());
                float ms;
                CHECK(cudaEventElapsedTime(&ms, from, to));
                if (trial)
                    times.push_back(ms * 1e-3f);
            }
            std::sort(times.begin(), times.end());
            printf("{\"what\": \"%s\", \"blocks\": %d, \"share\": %d, \"near\": %d, \"bytes\": %.0f, \"seconds\": %g, "
                   "\"rate\": %.4g}\n",
                   what, blocks, share, near, (double)blocks * count * 16384, times[4], (double)blocks * count * 16384 / times[4]);
            fflush(stdout);
        }
}

int main()
{
    CHECK(cudaMalloc(&readings, 4096));
    CHECK(cudaMalloc(&data, data_bytes));
    CHECK(cudaMemset(data, 0, data_bytes));
    all_kinds<32>();
    all_kinds<64>();
    all_kinds<128>();
    all_kinds<256>();
    CHECK(cudaFuncSetAttribute(tiles, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
    CHECK(cudaFuncSetAttribute(pieces<false>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
    CHECK(cudaFuncSetAttribute(pieces<true>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
    for (int blocks : {132, 264}) {
        shared_reads("bulk_shared", blocks,
                     [=](int share, int count, int near) { tiles<<<blocks, 128, 65536>>>((char *)data, data, share, count, near); });
        shared_reads("cp_async_cg_shared", blocks, [=](int share, int count, int near) {
            pieces<false><<<blocks, 256, 65536>>>((char *)data, data, share, count, near);
        });
        shared_reads("cp_async_ca_shared", blocks, [=](int share, int count, int near) {
            pieces<true><<<blocks, 256, 65536>>>((char *)data, data, share, count, near);
        });
    }
    return 0;
}
