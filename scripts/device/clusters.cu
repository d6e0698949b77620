// What clusters cost: launches of blocks that do nothing or wait a while, and what blocks of a cluster ask of each other.
//
// usage: clusters [once]
// Prints a line of JSON for each configuration: the median of 9 times of a launch among 20 back to back, and cycles that
// a block reads off its clock.  once: each runs three times, the third for a profiler (--profile-from-start off).
#include "../../kernels/asynchronous/asynchronous.cuh"
#include "timed.cuh"
#include <cstring>

static long long *cycles;

__device__ static inline long long now()
{
    long long value;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(value)::"memory");
    return value;
}

__device__ static inline unsigned rank_in_cluster()
{
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

__device__ static inline unsigned size_of_cluster()
{
    unsigned size;
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    return size;
}

__device__ static inline uint32_t in_block(const void *place, unsigned rank)
{
    uint32_t there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(place)), "r"(rank));
    return there;
}

__device__ static inline void whole_cluster()
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n"
                 "barrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
}

/* mode 0: nothing; 1: each thread waits so many cycles; 2: the same behind a barrier of the cluster; 3: and another behind it;
   4: blocks of odd rank wait twice as long, no barriers. */
__global__ void idle(int mode, int wait)
{
    if (mode == 2 || mode == 3)
        whole_cluster();
    if (mode >= 1) {
        long long until = now() + (mode == 4 && rank_in_cluster() % 2 ? 2 * wait : wait);
        while (now() < until)
            ;
    }
    if (mode == 3)
        whole_cluster();
}

/* What all threads ask of the next block of the cluster, `times` times each: mode 0 loads of f32, neighbouring words; 1 loads
   of 16 bytes; 2 reductions of u32, neighbouring words; 3 reductions of scattered words; 4 arrivals at an mbarrier, one
   thread of each warp; 5 stores; 6 loads of the block's own, by the same instruction; 7 reductions of the block's own,
   neighbouring; 8 the block's own scattered. */
__global__ void ask(int mode, int times, long long *out)
{
    __shared__ __align__(16) unsigned words[8192];
    __shared__ uint64_t barrier;
    unsigned to = mode >= 6 ? rank_in_cluster() : (rank_in_cluster() + 1) % size_of_cluster(), sum = 0, at = threadIdx.x * 2654435761u;
    for (int i = threadIdx.x; i < 8192; i += blockDim.x)
        words[i] = 0;
    if (threadIdx.x == 0) {
        barrier_init(&barrier, 1 << 19);
        barriers_ready();
    }
    whole_cluster();
    uint32_t there = in_block(words, to), gate = in_block(&barrier, to);
    long long start = now();
    for (int i = 0; i < times; i++) {
        unsigned value[4] = {}, place = there + ((threadIdx.x + i * 32) % 2048) * 4;
        at = at * 1664525u + 1013904223u;
        if (mode == 0 || mode == 6)
            asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value[0]) : "r"(place) : "memory");
        else if (mode == 1)
            asm volatile("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(value[0]), "=r"(value[1]), "=r"(value[2]), "=r"(value[3])
                         : "r"(there + ((threadIdx.x + i * 32) % 2048) * 16)
                         : "memory");
        else if (mode == 2 || mode == 7)
            asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], 1;" ::"r"(place) : "memory");
        else if (mode == 3 || mode == 8)
            asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], 1;" ::"r"(there + (at >> 19) * 4) : "memory");
        else if (mode == 4) {
            if (threadIdx.x % 32 == 0)
                asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(gate) : "memory");
        } else
            asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(place), "r"(i) : "memory");
        sum += value[0] + value[1] + value[2] + value[3];
    }
    long long issued = now();
    whole_cluster();
    long long over = now();
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        out[0] = issued - start;
        out[1] = over - start;
    }
    if (sum == 1)
        out[2] = sum;
}

/* Rounds between two blocks of a cluster: mode 0 st.async of 4 bytes to the other's word, which its mbarrier completes on; 1
   arrivals at the other's mbarrier; 2 barriers of the cluster; 3 reductions that a load of the other polls for. */
__global__ void rounds(int mode, int times, long long *out)
{
    __shared__ uint64_t barrier;
    __shared__ volatile unsigned word;
    unsigned rank = rank_in_cluster(), other = rank ^ 1;
    if (threadIdx.x == 0) {
        word = 0;
        barrier_init(&barrier, 1);
        barriers_ready();
    }
    whole_cluster();
    uint32_t there = in_block((const void *)&word, other), gate = in_block(&barrier, other);
    long long start = now();
    for (int i = 0; i < times; i++) {
        if (mode == 2)
            whole_cluster();
        else if (threadIdx.x == 0 && mode == 0) {
            barrier_expect(&barrier, 4);
            for (int turn = 0; turn < 2; turn++)
                if ((unsigned)turn == rank)
                    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(there), "r"(i), "r"(gate) : "memory");
                else
                    barrier_wait(&barrier, i & 1);
        } else if (threadIdx.x == 0 && mode == 1) {
            for (int turn = 0; turn < 2; turn++)
                if ((unsigned)turn == rank)
                    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(gate) : "memory");
                else
                    barrier_wait(&barrier, i & 1);
        } else if (threadIdx.x == 0 && mode == 3) {
            for (int turn = 0; turn < 2; turn++)
                if ((unsigned)turn == rank)
                    asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], 1;" ::"r"(there) : "memory");
                else
                    while (word != (unsigned)i + 1)
                        ;
        }
    }
    long long over = now();
    whole_cluster();
    if (threadIdx.x == 0 && blockIdx.x == 0)
        out[0] = over - start;
}

/* Each block copies `bytes` from L2 or device memory to all `size` blocks of its cluster, `times` times, two in flight; mode 0:
   each block its own bytes to itself; 1: each block a part of its own to all, at one offset each. */
__global__ void spread(const char *source, size_t all, int mode, unsigned bytes, int times, long long *out)
{
    extern __shared__ __align__(128) char places[];
    __shared__ uint64_t barriers[2];
    unsigned size = size_of_cluster(), rank = rank_in_cluster(), part = mode ? bytes / size : bytes;
    if (threadIdx.x == 0) {
        barrier_init(&barriers[0], 1);
        barrier_init(&barriers[1], 1);
        barriers_ready();
    }
    whole_cluster();
    long long start = now();
    if (threadIdx.x == 0)
        for (int i = 0; i < times; i++) {
            uint64_t *barrier = &barriers[i & 1];
            char *to = places + (i & 1) * bytes;
            size_t from = ((size_t)i * gridDim.x + blockIdx.x) * part % all;
            if (i >= 2)
                barrier_wait(barrier, (i / 2 - 1) & 1);
            barrier_expect(barrier, bytes);
            if (mode == 0)
                bulk_load(to, source + from, bytes, barrier);
            else
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(
                                 shared_address(to + rank * part)),
                             "l"(source + from), "r"(part), "r"(shared_address(barrier)), "h"((uint16_t)((1 << size) - 1))
                             : "memory");
        }
    if (threadIdx.x == 0)
        for (int i = times; i < times + 2; i++)
            barrier_wait(&barriers[i & 1], (i / 2 - 1) & 1);
    __syncthreads();
    whole_cluster();
    long long over = now();
    if (threadIdx.x == 0 && blockIdx.x == 0)
        out[0] = over - start;
}

template <class... Parameters, class... Values>
static void start(void (*kernel)(Parameters...), int grid, int block, int shared, int cluster, Values... values)
{
    cudaLaunchConfig_t how = {};
    cudaLaunchAttribute attribute;
    how.gridDim = grid;
    how.blockDim = block;
    how.dynamicSmemBytes = shared;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = cluster;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    how.attrs = &attribute;
    how.numAttrs = cluster != 0;
    cudaLaunchKernelEx(&how, kernel, (Parameters)values...);
}

static void run(const char *name, const char *members, const std::function<void()> &launch, int readings)
{
    launch();
    if (cudaGetLastError() != cudaSuccess) /* no room for such a cluster */
        return;
    launch();
    CHECK(cudaDeviceSynchronize());
    printf("{\"kernel\": \"%s\", %s", name, members);
    print_time(launch);
    if (readings) {
        long long values[2];
        CHECK(cudaMemcpy(values, cycles, sizeof values, cudaMemcpyDeviceToHost));
        printf(", \"cycles\": [%lld", values[0]);
        if (readings > 1)
            printf(", %lld", values[1]);
        printf("]");
    }
    printf("}\n");
    fflush(stdout);
}

static char members[256];
#define MEMBERS(...) (snprintf(members, sizeof members, __VA_ARGS__), members)

int main(int count, char **words)
{
    once = count > 1 && !strcmp(words[1], "once");
    CHECK(cudaMalloc(&cycles, 4096));
    CHECK(cudaFuncSetAttribute(idle, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    for (int block : {32, 256})
        for (int grid : {128, 256, 1024, 4096, 16384})
            for (int cluster : {0, 1, 2, 4, 8, 16})
                run("idle", MEMBERS("\"mode\": 0, \"wait\": 0, \"grid\": %d, \"block\": %d, \"shared\": 0, \"cluster\": %d", grid, block, cluster),
                    [=] { start(idle, grid, block, 0, cluster, 0, 0); }, 0);
    CHECK(cudaFuncSetAttribute(idle, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000));
    for (int shared : {0, 100000, 200000})
        for (int grid : {128, 1056})
            for (int mode : {1, 2, 3, 4})
                for (int cluster : {1, 2, 4, 8, 16})
                    if (cluster > 1 || mode == 1)
                        run("idle", MEMBERS("\"mode\": %d, \"wait\": 4000, \"grid\": %d, \"block\": 256, \"shared\": %d, \"cluster\": %d", mode, grid, shared, cluster),
                            [=] { start(idle, grid, 256, shared, cluster, mode, 4000); }, 0);
    if (once)
        return 0;
    for (int cluster : {2, 8})
        for (int mode = 0; mode < 9; mode++)
            for (int block : {32, 256, 1024})
                run("ask", MEMBERS("\"mode\": %d, \"times\": 256, \"grid\": 128, \"block\": %d, \"cluster\": %d", mode, block, cluster),
                    [=] { start(ask, 128, block, 0, cluster, mode, 256, cycles); }, 2);
    for (int mode = 0; mode < 4; mode++)
        run("rounds", MEMBERS("\"mode\": %d, \"times\": 256, \"grid\": 2, \"block\": 32, \"cluster\": 2", mode),
            [=] { start(rounds, 2, 32, 0, 2, mode, 256, cycles); }, 1);
    char *source;
    CHECK(cudaMalloc(&source, 1 << 28));
    CHECK(cudaMemset(source, 0, 1 << 28));
    CHECK(cudaFuncSetAttribute(spread, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000));
    for (size_t all : {1 << 24, 1 << 28})
        for (int cluster : {1, 2, 4})
            for (int mode : {0, 1})
                if (cluster > 1 || mode == 0)
                    run("spread", MEMBERS("\"mode\": %d, \"all\": %zu, \"bytes\": 32768, \"times\": 64, \"grid\": 132, \"block\": 64, \"cluster\": %d", mode, all, cluster),
                        [=] { start(spread, 132, 64, 65536, cluster, source, all, mode, 32768, 64, cycles); }, 1);
    return 0;
}
