// How bulk reductions, bulk stores and loads get along on one multiprocessor, and how long waits for their groups take.
//
// usage: bulk_mixes [once]
// Prints a line of JSON for each configuration: the median of 9 times of a launch among 20 back to back, or cycles that
// one block reads off its clock.  once: mixes run three times, the third for a profiler (--profile-from-start off).
#include "../../kernels/asynchronous/asynchronous.cuh"
#include "timed.cuh"
#include <cstring>

enum { NONE, BULK, THREADS };        /* loads */
enum { ADD = 1, STORE, THREADS_ADD }; /* what is written; 0: nothing */
enum { ROW = 4096, RING = 8 };

static long long *cycles;

__device__ static inline long long now()
{
    long long value;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(value)::"memory");
    return value;
}

__device__ static inline void add_bulk(float *target, const float *source, unsigned bytes)
{
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::"l"(target), "r"(shared_address(source)), "r"(bytes) : "memory");
}

__device__ static inline void add_halves(float *target, const float *source, unsigned bytes)
{
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [%0], [%1], %2;" ::"l"(target), "r"(shared_address(source)), "r"(bytes) : "memory");
}

__device__ static inline void add_integers(float *target, const float *source, unsigned bytes)
{
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(target), "r"(shared_address(source)), "r"(bytes) : "memory");
}

/* Each block reads `count` rows and adds or stores as many to one of `kept` rows; nothing waits for what the other does.
   The first warp orders bulk loads, the second bulk reductions or stores, `flying` in flight; warps 4 to 7 load, 8 to 11 add. */
__global__ void mix(const float *source, float *target, int loads, int writes, int rows, int kept, int count, int flying)
{
    __shared__ __align__(128) float ring[RING * 1024];
    __shared__ __align__(128) float zeros[1024];
    __shared__ uint64_t full[RING];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        zeros[i] = 0;
    if (threadIdx.x == 0) {
        for (int s = 0; s < RING; s++)
            barrier_init(&full[s], 1);
        barriers_ready();
    }
    proxy_fence();
    __syncthreads();
    if (threadIdx.x == 0 && loads == BULK) {
        for (int i = 0; i < count + flying; i++) {
            if (i >= flying)
                barrier_wait(&full[(i - flying) % RING], (i - flying) / RING & 1);
            if (i < count) {
                barrier_expect(&full[i % RING], ROW);
                bulk_load(ring + i % RING * 1024, source + (size_t)((blockIdx.x + i * gridDim.x) % rows) * 1024, ROW, &full[i % RING]);
            }
        }
    } else if (threadIdx.x == 32 && (writes == ADD || writes == STORE)) {
        for (int i = 0; i < count; i++) {
            float *to = target + (size_t)((blockIdx.x + i * gridDim.x) % kept) * 1024;
            if (writes == ADD)
                add_bulk(to, zeros, ROW);
            else
                bulk_store(to, zeros, ROW);
            bulk_commit();
            if (flying == 1)
                bulk_wait_read<0>();
            else
                bulk_wait_read<3>();
        }
        bulk_wait<0>();
    } else if (threadIdx.x >= 128 && threadIdx.x < 256 && loads == THREADS) {
        float4 sum = {0, 0, 0, 0};
        for (int i = 0; i < count; i++) {
            const float4 *row = (const float4 *)(source + (size_t)((blockIdx.x + i * gridDim.x) % rows) * 1024);
            float4 one = __ldcg(row + threadIdx.x - 128), two = __ldcg(row + threadIdx.x);
            sum.x += one.x + two.x;
            sum.y += one.y + two.y;
            sum.z += one.z + two.z;
            sum.w += one.w + two.w;
        }
        if (sum.x + sum.y + sum.z + sum.w == 123.0f)
            target[0] = 1;
    } else if (threadIdx.x >= 256 && writes == THREADS_ADD) {
        for (int i = 0; i < count; i++)
            for (int j = 0; j < 8; j++)
                atomicAdd(target + (size_t)((blockIdx.x + i * gridDim.x) % kept) * 1024 + j * 128 + threadIdx.x - 256, 0.0f);
    }
}

/* One thread orders `count` copies of `bytes`, a group each, and waits for each: kind 0 stores, 1 adds f32, 2 f16, 3 u32; all: until
   they are over, else until shared memory is read. */
__global__ void waits(float *target, int kind, unsigned bytes, int count, int all, long long *out)
{
    extern __shared__ __align__(128) float values[];
    for (unsigned i = threadIdx.x; i < bytes / 4; i += blockDim.x)
        values[i] = 0;
    proxy_fence();
    __syncthreads();
    if (threadIdx.x == 0) {
        float *to = target + (size_t)blockIdx.x * (bytes / 4);
        long long start = now();
        for (int i = 0; i < count; i++) {
            if (kind == 0)
                bulk_store(to, values, bytes);
            else if (kind == 1)
                add_bulk(to, values, bytes);
            else if (kind == 2)
                add_halves(to, values, bytes);
            else
                add_integers(to, values, bytes);
            bulk_commit();
            if (all)
                bulk_wait<0>();
            else
                bulk_wait_read<0>();
        }
        long long over = now();
        bulk_wait<0>();
        if (blockIdx.x == 0)
            out[0] = over - start;
    }
}

static void run(const char *name, const char *members, const std::function<void()> &launch, bool clocked)
{
    for (int i = 0; i < 2; i++)
        launch();
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    printf("{\"kernel\": \"%s\", %s", name, members);
    print_time(launch);
    if (clocked) {
        long long value;
        CHECK(cudaMemcpy(&value, cycles, sizeof value, cudaMemcpyDeviceToHost));
        printf(", \"cycles\": %lld", value);
    }
    printf("}\n");
    fflush(stdout);
}

static char members[256];
#define MEMBERS(...) (snprintf(members, sizeof members, __VA_ARGS__), members)

int main(int count, char **words)
{
    float *source, *target;
    once = count > 1 && !strcmp(words[1], "once");
    CHECK(cudaMalloc(&cycles, 64));
    CHECK(cudaMalloc(&source, (size_t)32768 * ROW));
    CHECK(cudaMalloc(&target, (size_t)4096 * ROW));
    CHECK(cudaMemset(source, 0, (size_t)32768 * ROW));
    CHECK(cudaMemset(target, 0, (size_t)4096 * ROW));
    auto mixed = [=](int loads, int writes, int rows, int kept, int grid, int flying) {
        int each = 32768 / grid;
        run("mix", MEMBERS("\"loads\": %d, \"writes\": %d, \"rows\": %d, \"kept\": %d, \"grid\": %d, \"flying\": %d, \"count\": %d", loads, writes, rows, kept, grid, flying, each),
            [=] { mix<<<grid, 384>>>(source, target, loads, writes, rows, kept, each, flying); }, false);
    };
    for (int rows : {2048, 32768}) /* L2, device memory */
        for (int loads : {NONE, BULK, THREADS})
            for (int writes : {0, (int)ADD, (int)STORE, (int)THREADS_ADD})
                if ((loads || writes) && (loads || rows == 2048))
                    mixed(loads, writes, rows, 512, 264, 4);
    for (int flying : {1, 2, 8})
        for (int rows : {2048, 32768})
            mixed(BULK, ADD, rows, 512, 264, flying);
    for (int grid : {33, 132, 528})
        for (int loads : {NONE, BULK})
            for (int writes : {0, (int)ADD, (int)STORE})
                if (loads || writes)
                    mixed(loads, writes, 2048, 512, grid, 4);
    mixed(NONE, ADD, 2048, 64, 264, 4);
    mixed(BULK, ADD, 32768, 64, 264, 4);
    mixed(BULK, ADD, 32768, 4096, 264, 4);
    if (once)
        return 0;
    for (int all : {0, 1})
        for (int kind = 0; kind < 4; kind++)
            for (unsigned bytes : {256u, 1024u, 4096u, 16384u})
                for (int grid : {1, 132})
                    run("waits", MEMBERS("\"kind\": %d, \"bytes\": %u, \"count\": 64, \"all\": %d, \"grid\": %d", kind, bytes, all, grid),
                        [=] { waits<<<grid, 128, bytes>>>(target, kind, bytes, 64, all, cycles); }, true);
    return 0;
}
