// How fast bulk reductions add to device memory that L2 holds.
//
// usage: bulk_adds [once]
// Prints a line of JSON for each configuration: the median of 9 times of a launch among 20 back to back.
// once: each runs three times, the third for a profiler (--profile-from-start off).
#include "../../kernels/asynchronous/asynchronous.cuh"
#include "timed.cuh"
#include <cstring>

enum kind { STORE, U32, F32, U64, F16, KINDS };
static const char *const names[KINDS] = {"store", "u32", "f32", "u64", "f16"};

template <int KIND> __device__ static inline void bulk_add(char *target, const char *source, unsigned bytes)
{
    unsigned from = shared_address(source);
    if (KIND == STORE)
        bulk_store(target, source, bytes);
    else if (KIND == U32)
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(target), "r"(from), "r"(bytes) : "memory");
    else if (KIND == F32)
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::"l"(target), "r"(from), "r"(bytes) : "memory");
    else if (KIND == U64)
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u64 [%0], [%1], %2;" ::"l"(target), "r"(from), "r"(bytes) : "memory");
    else
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [%0], [%1], %2;" ::"l"(target), "r"(from), "r"(bytes) : "memory");
}

/* Each block adds `bytes` to place number block + i * gridDim.x of `places`, `times` times. */
template <int KIND> __global__ void add_bulk(char *target, unsigned bytes, int places, int times)
{
    extern __shared__ __align__(128) char source[];
    for (unsigned i = threadIdx.x; i < bytes / 4; i += blockDim.x)
        ((unsigned *)source)[i] = 0;
    proxy_fence();
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 0; i < times; i++) {
            bulk_add<KIND>(target + (size_t)((blockIdx.x + i * gridDim.x) % places) * bytes, source, bytes);
            bulk_commit();
            bulk_wait_read<3>();
        }
        bulk_wait<0>();
    }
}

/* Warps add f32 to neighbouring words, by reductions of threads. */
__global__ void add_threads(float *target, int places, int times)
{
    for (int i = 0; i < times; i++)
        atomicAdd(&target[(size_t)((blockIdx.x + i * gridDim.x) % places) * 256 + threadIdx.x], 1.0f);
}

static void run(const char *kernel, const char *of, int grid, unsigned bytes, int places, int times, const std::function<void()> &launch)
{
    for (int i = 0; i < 2; i++)
        launch();
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    printf("{\"kernel\": \"%s\", \"of\": \"%s\", \"grid\": %d, \"bytes\": %u, \"places\": %d, \"times\": %d", kernel, of, grid, bytes, places, times);
    print_time(launch);
    printf("}\n");
    fflush(stdout);
}

static char *target;

template <int KIND> static void bulk(int grid, unsigned bytes, int places, int total)
{
    int times = (int)(total / bytes / grid);
    CHECK(cudaFuncSetAttribute(add_bulk<KIND>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    run("add_bulk", names[KIND], grid, bytes, places, times, [=] { add_bulk<KIND><<<grid, 128, bytes>>>(target, bytes, places, times); });
}

int main(int count, char **words)
{
    enum { TOTAL = 1 << 27 };
    once = count > 1 && !strcmp(words[1], "once");
    CHECK(cudaMalloc(&target, 1 << 24));
    CHECK(cudaMemset(target, 0, 1 << 24));
    for (int grid : {132, 264, 528})
        for (unsigned bytes : {1024u, 4096u, 16384u})
            bulk<F32>(grid, bytes, (1 << 24) / bytes, TOTAL);
    for (int grid : {33, 66})
        bulk<F32>(grid, 4096, 4096, TOTAL / 4);
    for (unsigned size : {1u << 14, 1u << 18, 1u << 21})
        bulk<F32>(264, 4096, size / 4096, TOTAL);
    bulk<STORE>(264, 4096, 4096, TOTAL);
    bulk<STORE>(33, 4096, 4096, TOTAL / 4);
    bulk<U32>(264, 4096, 4096, TOTAL);
    bulk<U64>(264, 4096, 4096, TOTAL);
    bulk<F16>(264, 4096, 4096, TOTAL);
    for (int grid : {264, 1056})
        run("add_threads", "f32", grid, 1024, 1 << 14, (TOTAL / 1024) / grid,
            [=] { add_threads<<<grid, 256>>>((float *)target, 1 << 14, (TOTAL / 1024) / grid); });
    return 0;
}
