// What arrivals at mbarriers of other blocks of a cluster cost, what multicasts gain, and how many clusters find room.
//
// usage: cluster_arrivals
// Prints a line of JSON for each configuration: the median of 9 times of a launch among 20 back to back, and cycles that
// a block reads off its clock.
#include "../../kernels/asynchronous/multicast_product.cu"
#undef STAGES
#undef ARRIVAL
#define ARRIVAL ""
namespace block_scope
{
#define multicast_product multicast_block_scope
#define tensor_multicast block_scope_multicast /* found by its arguments' types else */
#include "../../kernels/asynchronous/multicast_product.cu"
#undef multicast_product
} // namespace block_scope
#undef STAGES
#undef tensor_multicast
#define APART
namespace apart
{
#define multicast_product multicast_apart
#include "../../kernels/asynchronous/multicast_product.cu"
#undef multicast_product
} // namespace apart
#include "tensor_map.cuh"
#include "timed.cuh"

static long long *cycles;

__device__ static inline long long now()
{
    long long value;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(value)::"memory");
    return value;
}

__device__ static inline uint32_t in_block(const void *place, unsigned rank)
{
    uint32_t there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(place)), "r"(rank));
    return there;
}

/* The first thread of each warp arrives `times` times, mode 0: release at cluster scope, at the other block; 1: release at block
   scope, there; 2: relaxed at cluster scope, there; 3: as 0, at its own block; 4: as 1, at its own; 5: a fence of the cluster
   alone; 6: nothing. */
template <int mode> __global__ void arrive(int times, long long *out)
{
    __shared__ uint64_t barrier;
    unsigned rank = cluster_rank();
    if (threadIdx.x == 0) {
        barrier_init(&barrier, 1 << 19);
        barriers_ready();
    }
    whole_cluster();
    uint32_t there = in_block(&barrier, mode < 3 ? rank ^ 1 : rank);
    long long start = now();
    if (threadIdx.x % 32 == 0)
        for (int i = 0; i < times; i++)
            if (mode == 0 || mode == 3)
                asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");
            else if (mode == 1 || mode == 4)
                asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");
            else if (mode == 2)
                asm volatile("mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");
            else if (mode == 5)
                asm volatile("fence.acq_rel.cluster;" ::: "memory");
            else
                asm volatile("" ::"r"(i) : "memory");
    long long over = now();
    whole_cluster();
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        out[0] = over - start;
        out[1] = 0;
    }
}

/* Each block gets `bytes` `times` times, in a ring of four: mode 0 its own; 1 a part from each block of its cluster. */
__global__ void spread(const char *source, size_t all, int mode, unsigned bytes, int times, long long *out)
{
    extern __shared__ __align__(128) char places[];
    __shared__ uint64_t full[4], empty[4];
    unsigned size, rank = cluster_rank();
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    unsigned part = mode ? bytes / size : bytes;
    if (threadIdx.x == 0) {
        for (int s = 0; s < 4; s++) {
            barrier_init(&full[s], 1);
            barrier_init(&empty[s], mode ? size : 1);
        }
        barriers_ready();
    }
    whole_cluster();
    long long start = now();
    if (threadIdx.x == 0)
        for (int i = 0; i < times; i++) {
            char *to = places + (i & 3) * bytes;
            size_t from = ((size_t)i * gridDim.x + blockIdx.x) * part % all;
            barrier_wait(&empty[i & 3], (i / 4 & 1) ^ 1);
            barrier_expect(&full[i & 3], bytes);
            if (mode == 0)
                bulk_load(to, source + from, bytes, &full[i & 3]);
            else
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(
                                 shared_address(to + rank * part)),
                             "l"(source + from), "r"(part), "r"(shared_address(&full[i & 3])), "h"((uint16_t)((1 << size) - 1))
                             : "memory");
        }
    if (threadIdx.x == 32)
        for (int i = 0; i < times; i++) {
            barrier_wait(&full[i & 3], i / 4 & 1);
            for (unsigned block = 0; block < (mode ? size : 1); block++)
                asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(in_block(&empty[i & 3], mode ? block : rank)) : "memory");
        }
    __syncthreads();
    whole_cluster();
    long long over = now();
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        out[0] = over - start;
        out[1] = 0;
    }
}

__global__ void idle(int wait)
{
    long long until = now() + wait;
    while (now() < until)
        ;
}

template <class... Parameters> static void configure(cudaLaunchConfig_t *how, cudaLaunchAttribute *attribute, int grid, int block, int shared, int cluster, void (*kernel)(Parameters...))
{
    *how = {};
    how->gridDim = grid;
    how->blockDim = block;
    how->dynamicSmemBytes = shared;
    attribute->id = cudaLaunchAttributeClusterDimension;
    attribute->val.clusterDim.x = cluster;
    attribute->val.clusterDim.y = attribute->val.clusterDim.z = 1;
    how->attrs = attribute;
    how->numAttrs = cluster != 0;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000));
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
}

template <class... Parameters, class... Values>
static void start(void (*kernel)(Parameters...), int grid, int block, int shared, int cluster, Values... values)
{
    cudaLaunchConfig_t how;
    cudaLaunchAttribute attribute;
    configure(&how, &attribute, grid, block, shared, cluster, kernel);
    cudaLaunchKernelEx(&how, kernel, (Parameters)values...);
}

static void run(const char *name, const char *members, const std::function<void()> &launch, bool reads)
{
    launch();
    if (cudaGetLastError() != cudaSuccess) /* no room for such a cluster */
        return;
    launch();
    CHECK(cudaDeviceSynchronize());
    printf("{\"kernel\": \"%s\", %s", name, members);
    print_time(launch);
    if (reads) {
        long long value;
        CHECK(cudaMemcpy(&value, cycles, sizeof value, cudaMemcpyDeviceToHost));
        printf(", \"cycles\": %lld", value);
    }
    printf("}\n");
    fflush(stdout);
}

static char members[256];
#define MEMBERS(...) (snprintf(members, sizeof members, __VA_ARGS__), members)

template <int mode> static void arrivals()
{
    for (int block : {32, 128, 512})
        run("arrive", MEMBERS("\"mode\": %d, \"times\": 256, \"grid\": 128, \"block\": %d, \"cluster\": 2", mode, block),
            [=] { start(arrive<mode>, 128, block, 0, 2, 256, cycles); }, true);
}

int main()
{
    CHECK(cudaMalloc(&cycles, 4096));
    for (int shared : {0, 40000, 100000, 200000})
        for (int block : {32, 256, 1024})
            for (int cluster : {1, 2, 4, 8, 16}) {
                cudaLaunchConfig_t how;
                cudaLaunchAttribute attribute;
                int clusters = 0;
                configure(&how, &attribute, 16 * 1056, block, shared, cluster, idle);
                if (cudaOccupancyMaxActiveClusters(&clusters, idle, &how) != cudaSuccess)
                    cudaGetLastError();
                printf("{\"kernel\": \"room\", \"block\": %d, \"shared\": %d, \"cluster\": %d, \"clusters\": %d}\n", block, shared, cluster, clusters);
            }
    for (int shared : {0, 25000, 40000})
        for (int grid : {264, 528, 1056, 2112})
            for (int cluster : {0, 1, 2, 4, 8, 16})
                run("idle", MEMBERS("\"wait\": 20000, \"grid\": %d, \"block\": 256, \"shared\": %d, \"cluster\": %d", grid, shared, cluster),
                    [=] { start(idle, grid, 256, shared, cluster, 20000); }, false);
    arrivals<0>();
    arrivals<1>();
    arrivals<2>();
    arrivals<3>();
    arrivals<4>();
    arrivals<5>();
    arrivals<6>();
    int n = 2048, k = 2048, shared = 4 * 32768 + 1024;
    float *left = room((size_t)n * k / 2, 0), *right = room((size_t)n * k / 2, 0), *target = room((size_t)n * n, 0);
    CUtensorMap left_map = map_of(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, left, k, n, 64, 64, CU_TENSOR_MAP_SWIZZLE_128B);
    CUtensorMap right_map = map_of(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, right, k, n, 64, 128, CU_TENSOR_MAP_SWIZZLE_128B);
    CHECK(cudaFuncSetAttribute(multicast_product, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    CHECK(cudaFuncSetAttribute(block_scope::multicast_block_scope, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    CHECK(cudaFuncSetAttribute(apart::multicast_apart, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    run("product", "\"way\": \"release at cluster scope, multicast\"",
        [=] { multicast_product<<<dim3(16, 16), 384, shared>>>(left_map, right_map, target, n, k); }, false);
    run("product", "\"way\": \"release at block scope, multicast\"",
        [=] { block_scope::multicast_block_scope<<<dim3(16, 16), 384, shared>>>(left_map, right_map, target, n, k); }, false);
    run("product", "\"way\": \"release at block scope, each its own\"",
        [=] { apart::multicast_apart<<<dim3(16, 16), 384, shared>>>(left_map, right_map, target, n, k); }, false);
    char *source;
    CHECK(cudaMalloc(&source, 1 << 28));
    CHECK(cudaMemset(source, 0, 1 << 28));
    for (size_t all : {1 << 24, 1 << 28})
        for (int cluster : {1, 2, 4})
            for (int mode : {0, 1})
                if (cluster > 1 || mode == 0)
                    run("spread", MEMBERS("\"mode\": %d, \"all\": %zu, \"bytes\": 32768, \"times\": 64, \"grid\": 128, \"block\": 64, \"cluster\": %d", mode, all, cluster),
                        [=] { start(spread, 128, 64, 4 * 32768, cluster, source, all, mode, 32768, 64, cycles); }, true);
    return 0;
}
