// What Hopper's asynchronous instructions cost: cycles of one multiprocessor, by its clock.
//
// usage: async_costs
// Prints a line of JSON for each configuration; each is the median of 9 launches of what one block reads off its
// clock, behind a first that warms caches up (or, state "flushed", behind a flush of L2).
#include "../../kernels/asynchronous/asynchronous.cuh"
#include "../../kernels/asynchronous/matrix_product.cuh"
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <cuda_runtime.h>
#include <functional>
#include <string>
#include <vector>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t error = (call);                                                                                    \
        if (error != cudaSuccess) {                                                                                    \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error));                 \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static long long *cycles;
static float *data;
static const size_t data_bytes = 1 << 30;
enum { READINGS = 4 };

__device__ static inline long long now()
{
    long long value;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(value)::"memory");
    return value;
}

__global__ void flush(float *a, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        a[i] = i;
}

// name: members of the JSON object.  `readings` cycles are read.
static void run(const std::string &name, int readings, bool flushed, const std::function<void()> &launch)
{
    std::vector<long long> all[READINGS];
    for (int trial = 0; trial < 10; trial++) {
        long long values[READINGS] = {};
        if (flushed)
            flush<<<1056, 256>>>(data + data_bytes / 8, data_bytes / 8);
        launch();
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(values, cycles, sizeof values, cudaMemcpyDeviceToHost));
        if (trial)
            for (int i = 0; i < readings; i++)
                all[i].push_back(values[i]);
    }
    printf("{%s, \"state\": \"%s\", \"cycles\": [", name.c_str(), flushed ? "flushed" : "warm");
    for (int i = 0; i < readings; i++) {
        std::sort(all[i].begin(), all[i].end());
        printf("%s%lld", i ? ", " : "", all[i][4]);
    }
    printf("], \"low\": %lld, \"high\": %lld}\n", all[readings - 1][0], all[readings - 1][8]);
    fflush(stdout);
}

static std::string text(const char *format, ...)
{
    char line[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return line;
}

// ---- wgmma: `count` products in a group; cycles to the last issue, and to the end of the wait.
__device__ static inline uint64_t descriptor(uint32_t address)
{
    return (uint64_t)(address >> 4 & 0x3fff) | (uint64_t)1 << 16 | (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 62;
}

template <int n> __global__ void __launch_bounds__(n > 128 ? 256 : 512) products(long long *cycles, float *sink, int count, int groups)
{
    extern __shared__ __align__(1024) char pool[];
    __shared__ long long starts[4], issues[4], ends[4];
    for (int i = threadIdx.x; i < 49152 / 4; i += blockDim.x)
        ((uint32_t *)pool)[i] = i * 40503u & 0x3bff3bff;
    proxy_fence();
    __syncthreads();
    float d[n / 2] = {};
    uint64_t a = descriptor(shared_address(pool)), b = descriptor(shared_address(pool) + 16384);
    long long from = 0, issued = 0, to = 0;
    for (int round = 0; round < 2; round++) {
        __syncthreads();
        from = now();
        for (int group = 0; group < groups; group++) {
            products_fence();
            for (int i = 0; i < count; i++)
                matrix_product<n>(d, a, b);
            products_commit();
            issued = now();
            products_wait<0>();
        }
        to = now();
    }
    int mine = threadIdx.x / 128;
    if (threadIdx.x % 128 == 0)
        starts[mine] = from, issues[mine] = issued, ends[mine] = to;
    __syncthreads();
    if (threadIdx.x == 0) {
        long long first = starts[0], last = ends[0], issue = issues[0];
        for (int i = 1; i < blockDim.x / 128; i++) {
            first = min(first, starts[i]);
            last = max(last, ends[i]);
            issue = max(issue, issues[i]);
        }
        cycles[0] = issue - first;
        cycles[1] = last - first;
    }
    float sum = 0;
    for (int i = 0; i < n / 2; i++)
        sum += d[i];
    if (sum == 123.0f)
        *sink = sum;
}

template <int n> static void wgmma()
{
    CHECK(cudaFuncSetAttribute(products<n>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
    for (int warps : {4, 8, 12, 16}) {
        if (warps > 8 && n > 128)
            continue;
        for (int count : {1, 2, 3, 4, 6, 8, 16, 64})
            run(text("\"what\": \"wgmma\", \"n\": %d, \"warps\": %d, \"count\": %d, \"groups\": 1", n, warps, count), 2, false,
                [=] { products<n><<<1, warps * 32, 65536>>>(cycles, data, count, 1); });
        run(text("\"what\": \"wgmma\", \"n\": %d, \"warps\": %d, \"count\": 4, \"groups\": 16", n, warps), 2, false,
            [=] { products<n><<<1, warps * 32, 65536>>>(cycles, data, 4, 16); });
    }
}

// ---- bulk copies: `count` of `bytes` each on one mbarrier; cycles to the last issue, and until all are there.
__global__ void copies(long long *cycles, const char *source, unsigned bytes, int count, int rounds, int apart)
{
    extern __shared__ __align__(1024) char pool[];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        barrier_init(&full, 1);
        barriers_ready();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        source += (size_t)blockIdx.x * apart;
        long long from = 0, issued = 0, to = 0;
        for (int round = 0; round < rounds; round++) {
            from = now();
            barrier_expect(&full, bytes * count);
            for (int i = 0; i < count; i++)
                bulk_load(pool + (size_t)i * bytes, source + (size_t)i * bytes, bytes, &full);
            issued = now();
            barrier_wait(&full, round & 1);
            to = now();
        }
        if (blockIdx.x == 0) {
            cycles[0] = issued - from;
            cycles[1] = to - from;
        }
    }
}

// Stores by bulk copies: cycles to the commit, until shared memory is read, until all are written.
__global__ void stores(long long *cycles, char *target, unsigned bytes, int count)
{
    extern __shared__ __align__(1024) char pool[];
    if (threadIdx.x == 0) {
        long long from = 0, issued = 0, read = 0, to = 0;
        for (int round = 0; round < 2; round++) {
            from = now();
            for (int i = 0; i < count; i++)
                bulk_store(target + (size_t)i * bytes, pool + (size_t)i * bytes, bytes);
            bulk_commit();
            issued = now();
            bulk_wait_read<0>();
            read = now();
            bulk_wait<0>();
            to = now();
        }
        cycles[0] = issued - from;
        cycles[1] = read - from;
        cycles[2] = to - from;
    }
}

__global__ void tensors(long long *cycles, const __grid_constant__ CUtensorMap map, unsigned bytes, int count, int high, int rounds)
{
    extern __shared__ __align__(1024) char pool[];
    __shared__ uint64_t full;
    char *here = pool + (1024 - (shared_address(pool) & 1023)) % 1024;
    if (threadIdx.x == 0) {
        barrier_init(&full, 1);
        barriers_ready();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        long long from = 0, issued = 0, to = 0;
        for (int round = 0; round < rounds; round++) {
            from = now();
            barrier_expect(&full, bytes * count);
            for (int i = 0; i < count; i++)
                tensor_load(here + (size_t)i * bytes, &map, 0, (blockIdx.x * count + i) * high, &full);
            issued = now();
            barrier_wait(&full, round & 1);
            to = now();
        }
        if (blockIdx.x == 0) {
            cycles[0] = issued - from;
            cycles[1] = to - from;
        }
    }
}

// What all multiprocessors read by bulk copies, by the bytes that each has in flight; the whole takes `seconds`.
__global__ void streams(const char *source, unsigned bytes, int stages, int tiles, int wrap)
{
    extern __shared__ __align__(1024) char pool[];
    __shared__ uint64_t full[16];
    if (threadIdx.x)
        return;
    for (int s = 0; s < stages; s++)
        barrier_init(&full[s], 1);
    barriers_ready();
    auto load = [&](int k) {
        size_t tile = ((size_t)k * gridDim.x + blockIdx.x) % wrap;
        barrier_expect(&full[k % stages], bytes);
        bulk_load(pool + (size_t)(k % stages) * bytes, source + tile * bytes, bytes, &full[k % stages]);
    };
    for (int k = 0; k < stages && k < tiles; k++)
        load(k);
    for (int k = 0; k < tiles; k++) {
        barrier_wait(&full[k % stages], k / stages & 1);
        if (k + stages < tiles)
            load(k + stages);
    }
}

// ---- mbarriers and named barriers
enum barrier_kind {
    ARRIVE,         // arrivals of all threads, no wait between
    ARRIVE_WAIT,    // all threads arrive and wait
    EXPECT_WAIT,    // one thread arrives with expect_tx 0 and waits
    WAIT,           // waits that succeed at once
    PING_PONG,      // two warps wait for each other
    NAMED,          // bar.sync of all
    NAMED_PAIR,     // two warps: bar.arrive and bar.sync on two barriers in turn
    WARP,           // bar.warp.sync
    FENCE,          // fence.proxy.async
    REGISTERS,      // setmaxnreg there and back, all warp groups together
    STORE_FENCE,    // st.shared and fence.proxy.async
    BARRIER_KINDS
};
static const char *const barrier_names[] = {"arrive",     "arrive_wait", "expect_wait", "wait",      "ping_pong",  "named",
                                            "named_pair", "warp_sync",   "proxy_fence", "registers", "store_fence"};

template <int kind> __global__ void __launch_bounds__(512, 1) barriers(long long *cycles, int count)
{
    __shared__ uint64_t first, second;
    __shared__ float words[512];
    if (threadIdx.x == 0) {
        unsigned all = kind == ARRIVE ? 1 << 19 : kind == ARRIVE_WAIT ? blockDim.x : 1;
        barrier_init(&first, all);
        barrier_init(&second, all);
        barriers_ready();
    }
    __syncthreads();
    if (kind == WAIT && threadIdx.x == 0)
        barrier_arrive(&first);
    __syncthreads();
    long long from = now();
    if (kind == EXPECT_WAIT) {
        if (threadIdx.x == 0)
            for (int i = 0; i < count; i++) {
                barrier_expect(&first, 0);
                barrier_wait(&first, i & 1);
            }
    } else if (kind == PING_PONG) {
        if (threadIdx.x == 0)
            for (int i = 0; i < count; i++) {
                barrier_arrive(&first);
                barrier_wait(&second, i & 1);
            }
        else if (threadIdx.x == 32)
            for (int i = 0; i < count; i++) {
                barrier_wait(&first, i & 1);
                barrier_arrive(&second);
            }
    } else if (kind == NAMED_PAIR) {
        if (threadIdx.x < 32)
            for (int i = 0; i < count; i++)
                asm volatile("bar.arrive 1, 64;\nbar.sync 2, 64;" ::: "memory");
        else if (threadIdx.x < 64)
            for (int i = 0; i < count; i++)
                asm volatile("bar.sync 1, 64;\nbar.arrive 2, 64;" ::: "memory");
    } else {
        for (int i = 0; i < count; i++) {
            if (kind == ARRIVE || kind == ARRIVE_WAIT)
                barrier_arrive(&first);
            if (kind == ARRIVE_WAIT)
                barrier_wait(&first, i & 1);
            if (kind == WAIT)
                barrier_wait(&first, 0);
            if (kind == NAMED)
                asm volatile("bar.sync 1, %0;" ::"r"(blockDim.x) : "memory");
            if (kind == WARP)
                __syncwarp();
            if (kind == STORE_FENCE)
                *(volatile float *)&words[threadIdx.x] = i;
            if (kind == FENCE || kind == STORE_FENCE)
                proxy_fence();
            if (kind == REGISTERS) {
                asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
                asm volatile("setmaxnreg.inc.sync.aligned.u32 120;");
            }
        }
    }
    long long to = now();
    if (threadIdx.x == 0)
        cycles[0] = to - from;
}

template <int kind> static void barrier_costs()
{
    for (int warps : {1, 2, 4, 8, 16}) {
        if ((kind == PING_PONG || kind == NAMED_PAIR) && warps != 2)
            continue;
        if ((kind == EXPECT_WAIT && warps != 1) || (kind == REGISTERS && warps < 4))
            continue;
        for (int count : {64, 128, 256})
            run(text("\"what\": \"%s\", \"warps\": %d, \"count\": %d", barrier_names[kind], warps, count), 1, false,
                [=] { barriers<kind><<<1, warps * 32>>>(cycles, count); });
    }
}

// ---- clusters
enum cluster_kind { CHASE, CHASE_OWN, ROUNDS, SPLIT_LOADS, REMOTE_ARRIVE, STORE_REMOTE, CLUSTER_KINDS };
static const char *const cluster_names[] = {"cluster_chase", "shared_chase",   "cluster_barrier", "cluster_loads",
                                            "cluster_arrive", "cluster_stores"};

template <int kind> __global__ void clusters(long long *cycles, float *sink, int count)
{
    __shared__ __align__(16) unsigned words[8192];
    __shared__ uint64_t barrier;
    unsigned rank, size, there, there_barrier;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    unsigned peer = kind == CHASE_OWN ? rank : (rank + 1) % size;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(words)), "r"(peer));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there_barrier) : "r"(shared_address(&barrier)), "r"(peer));
    if (threadIdx.x == 0) {
        barrier_init(&barrier, 1);
        barriers_ready();
    }
    for (int i = threadIdx.x; i < 8192; i += blockDim.x)
        asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there + 4 * i), "r"(there + 4 * ((i + 37) % 8192)) : "memory");
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    unsigned place = there + threadIdx.x * 16;
    float sum = 0;
    long long from = now();
    if (kind == CHASE || kind == CHASE_OWN)
        for (int i = 0; i < count; i++)
            asm volatile("ld.shared::cluster.u32 %0, [%0];" : "+r"(place)::"memory");
    if (kind == ROUNDS)
        for (int i = 0; i < count; i++)
            asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    if (kind == SPLIT_LOADS)
#pragma unroll 8
        for (int i = 0; i < count; i++) {
            float x, y, z, w;
            asm volatile("ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [%4];"
                         : "=f"(x), "=f"(y), "=f"(z), "=f"(w)
                         : "r"(place + (i & 7) * 2048 % 8192)
                         : "memory");
            sum += x + y + z + w;
        }
    if (kind == STORE_REMOTE)
#pragma unroll 8
        for (int i = 0; i < count; i++)
            asm volatile("st.shared::cluster.v4.f32 [%0], {%1, %1, %1, %1};" ::"r"(place), "f"(sum) : "memory");
    if (kind == REMOTE_ARRIVE && threadIdx.x == 0)
        for (int i = 0; i < count; i++) {
            if (rank == 0)
                asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there_barrier) : "memory");
            barrier_wait(&barrier, i & 1);
            if (rank != 0)
                asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there_barrier) : "memory");
        }
    long long to = now();
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    if (threadIdx.x == 0 && blockIdx.x == 0)
        cycles[0] = to - from;
    if (sum + place == 123.0f)
        *sink = sum;
}

__global__ void nothing() {}

template <class... T> static void launch_cluster(void (*kernel)(T...), int blocks, int threads, int cluster, T... arguments)
{
    cudaLaunchConfig_t how = {};
    cudaLaunchAttribute attribute;
    how.gridDim = blocks;
    how.blockDim = threads;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = cluster;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    how.attrs = &attribute;
    how.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&how, kernel, arguments...));
}

template <int kind> static void cluster_costs()
{
    for (int cluster : {2, 4, 8})
        for (int warps : {1, 4, 8, 16}) {
            bool one = kind == REMOTE_ARRIVE || kind == CHASE || kind == CHASE_OWN;
            if ((one && warps > 1) || (kind == REMOTE_ARRIVE && cluster > 2))
                continue;
            for (int count : {64, 128, 256})
                run(text("\"what\": \"%s\", \"cluster\": %d, \"warps\": %d, \"count\": %d", cluster_names[kind], cluster, warps, count), 1,
                    false, [=] { launch_cluster(clusters<kind>, cluster, warps * 32, cluster, cycles, data, count); });
        }
}

static double seconds_of(int launches, const std::function<void()> &launch)
{
    static cudaEvent_t from, to;
    std::vector<float> times;
    if (!from) {
        CHECK(cudaEventCreate(&from));
        CHECK(cudaEventCreate(&to));
    }
    launch();
    for (int trial = 0; trial < 5; trial++) {
        float ms;
        CHECK(cudaEventRecord(from));
        for (int i = 0; i < launches; i++)
            launch();
        CHECK(cudaEventRecord(to));
        CHECK(cudaEventSynchronize(to));
        CHECK(cudaEventElapsedTime(&ms, from, to));
        times.push_back(ms / launches);
    }
    CHECK(cudaGetLastError());
    std::sort(times.begin(), times.end());
    return 1e-3 * times[2];
}

static CUtensorMap map_of(unsigned wide, unsigned high, CUtensorMapSwizzle swizzle)
{
    typedef CUresult (*encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                               const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                               CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
    void *found = NULL;
    cudaDriverEntryPointQueryResult result;
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result));
    CUtensorMap map;
    cuuint64_t sizes[2] = {4096, 65536}, strides[1] = {8192};
    cuuint32_t box[2] = {wide, high}, steps[2] = {1, 1};
    if (((encode)found)(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, data, sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                        swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)) {
        fprintf(stderr, "cuTensorMapEncodeTiled failed\n");
        exit(1);
    }
    return map;
}

static void part_wgmma()
{
    wgmma<8>();
    wgmma<16>();
    wgmma<32>();
    wgmma<64>();
    wgmma<128>();
    wgmma<192>();
    wgmma<256>();
}

static void part_copies()
{
    const int most = 200 << 10;
    CHECK(cudaFuncSetAttribute(copies, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    CHECK(cudaFuncSetAttribute(stores, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    CHECK(cudaFuncSetAttribute(tensors, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    CHECK(cudaFuncSetAttribute(streams, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    for (int grid : {1, 132})
        for (bool flushed : {false, true})
            for (int bytes : {16, 128, 512, 2048, 4096, 8192, 16384, 32768, 65536})
                for (int count : {1, 2, 4, 8, 16}) {
                    if ((count > 1 && bytes != 128 && bytes != 2048 && bytes != 8192) || bytes * count > 131072)
                        continue;
                    run(text("\"what\": \"bulk_copy\", \"blocks\": %d, \"bytes\": %d, \"count\": %d", grid, bytes, count), 2, flushed,
                        [=] { copies<<<grid, 32, most>>>(cycles, (char *)data, bytes, count, flushed ? 1 : 3, 131072); });
                }
    for (int bytes : {16, 128, 512, 2048, 8192, 32768})
        for (int count : {1, 4})
            run(text("\"what\": \"bulk_store\", \"bytes\": %d, \"count\": %d", bytes, count), 3, false,
                [=] { stores<<<1, 32, most>>>(cycles, (char *)data, bytes, count); });
    for (int grid : {1, 132})
        for (bool flushed : {false, true})
            for (int swizzled : {0, 1})
                for (int high : {1, 8, 32, 64, 128, 256})
                    for (int count : {1, 2, 4}) {
                        if (count * high > 256 || (count > 1 && high < 64))
                            continue;
                        CUtensorMap map = map_of(64, high, swizzled ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_NONE);
                        run(text("\"what\": \"tensor_copy\", \"blocks\": %d, \"bytes\": %d, \"rows\": %d, \"swizzled\": %d, \"count\": %d", grid,
                                 128 * high, high, swizzled, count),
                            2, flushed, [=] { tensors<<<grid, 32, most>>>(cycles, map, 128 * high, count, high, flushed ? 1 : 3); });
                    }
    for (int megabytes : {16, 512})
        for (int bytes : {1024, 2048, 4096, 8192, 16384, 32768})
            for (int stages : {1, 2, 4, 8, 12}) {
                if (bytes * stages > most)
                    continue;
                size_t volume = (size_t)megabytes << 20;
                int tiles = (int)((size_t)256 * 1048576 / bytes / 132), wrap = (int)(volume / bytes);
                double seconds =
                    seconds_of(2, [=] { streams<<<132, 32, most>>>((char *)data, bytes, stages, tiles, wrap); });
                printf("{\"what\": \"bulk_stream\", \"array\": %zu, \"bytes\": %d, \"stages\": %d, \"copied\": %.0f, \"seconds\": %.6g}\n",
                       volume, bytes, stages, 132.0 * tiles * bytes, seconds);
                fflush(stdout);
            }
}

static void part_barriers()
{
    barrier_costs<ARRIVE>();
    barrier_costs<ARRIVE_WAIT>();
    barrier_costs<EXPECT_WAIT>();
    barrier_costs<WAIT>();
    barrier_costs<PING_PONG>();
    barrier_costs<NAMED>();
    barrier_costs<NAMED_PAIR>();
    barrier_costs<WARP>();
    barrier_costs<FENCE>();
    barrier_costs<STORE_FENCE>();
    barrier_costs<REGISTERS>();
}

static void part_clusters()
{
    cluster_costs<CHASE>();
    cluster_costs<CHASE_OWN>();
    cluster_costs<ROUNDS>();
    cluster_costs<SPLIT_LOADS>();
    cluster_costs<STORE_REMOTE>();
    cluster_costs<REMOTE_ARRIVE>();
    for (int blocks : {128, 4096, 65536})
        for (int cluster : {1, 2, 4, 8}) {
            double seconds = seconds_of(20, [=] { launch_cluster(nothing, blocks, 256, cluster); });
            printf("{\"what\": \"cluster_empty\", \"blocks\": %d, \"cluster\": %d, \"seconds\": %.6g}\n", blocks, cluster, seconds);
            fflush(stdout);
        }
}

int main(int count, char **words)
{
    std::string part = count > 1 ? words[1] : "";
    CHECK(cudaMalloc(&cycles, 1024));
    CHECK(cudaMemset(cycles, 0, 1024));
    CHECK(cudaMalloc(&data, data_bytes));
    CHECK(cudaMemset(data, 0, data_bytes));
    if (part == "wgmma")
        part_wgmma();
    if (part == "copies")
        part_copies();
    if (part == "barriers")
        part_barriers();
    if (part == "clusters")
        part_clusters();
    return 0;
}
