/*
 * What work costs: kernels that do one thing each, launched back to back, with the energy that the device's own
 * meter counts meanwhile, and the clock at the end.  And what far apart addresses cost: loads one after the other,
 * and as many as there is room for, all over more and more memory.
 *
 * usage: power energy|reach OUTPUT;  nvcc -O3 -arch=sm_90 -o power power.cu
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_fp16.h>
#include <dlfcn.h>
#include <mma.h>
#include <unistd.h>
#include <vector>

enum { THREADS = 256, TURNS = 2000 };

/* The device's own meter: the parts of NVIDIA's management library that are asked, by its documented names. */
struct meter {
    int (*initialize)();
    int (*find)(const char *bus, void **device);
    int (*energy)(void *device, unsigned long long *millijoules);
    int (*clock)(void *device, int kind, unsigned *megahertz); /* kind: 1 multiprocessors, 2 memory */
    int (*reasons)(void *device, unsigned long long *why);
    void *device;
};

static bool open_meter(struct meter *meter)
{
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    char bus[32];
    if (!library)
        return false;
    *(void **)&meter->initialize = dlsym(library, "nvmlInit_v2");
    *(void **)&meter->find = dlsym(library, "nvmlDeviceGetHandleByPciBusId_v2");
    *(void **)&meter->energy = dlsym(library, "nvmlDeviceGetTotalEnergyConsumption");
    *(void **)&meter->clock = dlsym(library, "nvmlDeviceGetClockInfo");
    *(void **)&meter->reasons = dlsym(library, "nvmlDeviceGetCurrentClocksEventReasons");
    if (!meter->reasons)
        *(void **)&meter->reasons = dlsym(library, "nvmlDeviceGetCurrentClocksThrottleReasons");
    return meter->initialize && meter->find && meter->energy && meter->clock && meter->reasons &&
           cudaDeviceGetPCIBusId(bus, sizeof(bus), 0) == cudaSuccess && meter->initialize() == 0 &&
           meter->find(bus, &meter->device) == 0;
}

__global__ void idle_round(float *out, long long count)
{
    long long begin = clock64();
    while (clock64() - begin < 2000000)
        __nanosleep(1000);
    if (count < 0)
        out[0] = 1;
}

#define CHAINS 8
#define ARITHMETIC(name, T, start, step)                                                           \
    __global__ void name(float *out, long long count)                                              \
    {                                                                                              \
        T v[CHAINS], a = (T)(start), b = (T)(count & 7);                                           \
        for (int c = 0; c < CHAINS; c++)                                                           \
            v[c] = (T)(threadIdx.x + c);                                                           \
        for (int t = 0; t < TURNS; t++)                                                            \
            _Pragma("unroll") for (int c = 0; c < CHAINS; c++) v[c] = step;                        \
        T sum = v[0];                                                                              \
        for (int c = 1; c < CHAINS; c++)                                                           \
            sum += v[c];                                                                           \
        if (sum == (T)12345)                                                                       \
            out[threadIdx.x] = (float)sum;                                                         \
    }
ARITHMETIC(fma_float, float, 0.999f, v[c] * a + b)
ARITHMETIC(fma_double, double, 0.999, v[c] * a + b)
ARITHMETIC(add_float, float, 0.999f, v[c] + a)
ARITHMETIC(multiply_add_integer, unsigned, 77777, v[c] * a + b)
ARITHMETIC(logic_integer, unsigned, 77777, (v[c] ^ a) + (v[c] >> 3))
ARITHMETIC(sine_float, float, 0.9f, __sinf(v[c]) + b)

__global__ void fma_half2(float *out, long long count)
{
    __half2 v[CHAINS], a = __float2half2_rn(0.99f), b = __float2half2_rn((float)(count & 7));
    for (int c = 0; c < CHAINS; c++)
        v[c] = __float2half2_rn((float)(threadIdx.x + c));
    for (int t = 0; t < TURNS; t++)
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            v[c] = __hfma2(v[c], a, b);
    __half2 sum = v[0];
    for (int c = 1; c < CHAINS; c++)
        sum = __hadd2(sum, v[c]);
    if (__low2float(sum) == 12345.0f)
        out[threadIdx.x] = 1;
}

__global__ void tensor_half(float *out, long long count)
{
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, __half, row_major> a;
    fragment<matrix_b, 16, 16, 16, __half, col_major> b;
    fragment<accumulator, 16, 16, 16, float> c[4];
    for (int i = 0; i < a.num_elements; i++)
        a.x[i] = __float2half(0.01f * (float)((threadIdx.x * 7 + i * 13) & 63));
    for (int i = 0; i < b.num_elements; i++)
        b.x[i] = __float2half(0.01f * (float)((threadIdx.x * 11 + i * 5) & 63));
    for (int k = 0; k < 4; k++)
        fill_fragment(c[k], 0.0f);
    for (int t = 0; t < TURNS; t++)
#pragma unroll
        for (int k = 0; k < 4; k++)
            mma_sync(c[k], a, b, c[k]);
    if (c[0].x[0] + c[1].x[0] + c[2].x[0] + c[3].x[0] == 12345.0f)
        out[threadIdx.x] = (float)count;
}

__global__ void shared_load(float *out, long long count)
{
    __shared__ float data[2048];
    for (int k = threadIdx.x; k < 2048; k += blockDim.x)
        data[k] = 0.01f * (float)k;
    __syncthreads();
    float sum = 0;
    int at = threadIdx.x;
    for (int t = 0; t < TURNS; t++)
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            sum += data[(at + t * 32 + c * 256) & 2047];
    if (sum == 12345.0f)
        out[threadIdx.x] = sum;
}

/* Loads over `count` floats again and again: a power of two. */
__global__ void load_within(float *out, long long count)
{
    const float4 *in = (const float4 *)out;
    long long all = (long long)gridDim.x * blockDim.x, mask = count / 4 - 1;
    long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < TURNS / 8; t++)
#pragma unroll
        for (int c = 0; c < CHAINS; c++) {
            float4 v = __ldcg(&in[(at + (t * CHAINS + c) * all) & mask]);
            sum += v.x + v.y + v.z + v.w;
        }
    if (sum == 12345.0f)
        out[threadIdx.x] = sum;
}

__global__ void load_l1(float *out, long long count)
{
    const float4 *in = (const float4 *)out + blockIdx.x * 1024;
    float sum = 0;
    for (int t = 0; t < TURNS / 4; t++)
#pragma unroll
        for (int c = 0; c < CHAINS; c++) {
            float4 v = __ldca(&in[(threadIdx.x + (t * CHAINS + c) * 32) & 1023]);
            sum += v.x + v.y + v.z + v.w;
        }
    if (sum == 12345.0f)
        out[threadIdx.x] = sum + (float)count;
}

__global__ void store_within(float *out, long long count)
{
    float4 *to = (float4 *)out;
    long long all = (long long)gridDim.x * blockDim.x, mask = count / 4 - 1;
    long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    for (int t = 0; t < TURNS / 8; t++)
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            to[(at + (t * CHAINS + c) * all) & mask] = make_float4(t, c, 1, 2);
}

struct one {
    const char *name;
    void (*kernel)(float *, long long);
    long long count;   /* what the kernel takes */
    double work;       /* of a thread: operations, or bytes */
    int blocks;
    const char *unit;
};

static const long long L2 = 1 << 22, FAR = 1 << 30; /* floats: 16 MB, 4 GB */
static const one kernels[] = {
    {"idle", idle_round, 0, 0, 132, "none"},
    {"fma_float", fma_float, 1, TURNS * CHAINS, 132 * 8, "operation"},
    {"fma_float_half_full", fma_float, 1, TURNS * CHAINS, 132, "operation"},
    {"add_float", add_float, 1, TURNS * CHAINS, 132 * 8, "operation"},
    {"fma_double", fma_double, 1, TURNS * CHAINS, 132 * 8, "operation"},
    {"fma_half2", fma_half2, 1, TURNS * CHAINS, 132 * 8, "operation"},
    {"multiply_add_integer", multiply_add_integer, 1, TURNS * CHAINS, 132 * 8, "operation"},
    {"logic_integer", logic_integer, 1, TURNS * CHAINS, 132 * 8, "step"},
    {"sine_float", sine_float, 1, TURNS * CHAINS, 132 * 8, "operation"},
    {"tensor_half", tensor_half, 1, TURNS * 4 * 16 * 16 * 16 / 32.0, 132 * 8, "multiply-add"},
    {"shared_load", shared_load, 1, TURNS * CHAINS * 4, 132 * 8, "byte"},
    {"load_l1", load_l1, 1, TURNS / 4 * CHAINS * 16, 132 * 8, "byte"},
    {"load_l2", load_within, L2, TURNS / 8 * CHAINS * 16, 132 * 8, "byte"},
    {"load_dram", load_within, FAR, TURNS / 8 * CHAINS * 16, 132 * 8, "byte"},
    {"store_l2", store_within, L2, TURNS / 8 * CHAINS * 16, 132 * 8, "byte"},
    {"store_dram", store_within, FAR, TURNS / 8 * CHAINS * 16, 132 * 8, "byte"},
};

static double seconds_of(cudaEvent_t from, cudaEvent_t to)
{
    float milliseconds;
    cudaEventElapsedTime(&milliseconds, from, to);
    return 1e-3 * milliseconds;
}

static void energy(FILE *out, float *data)
{
    struct meter meter;
    cudaEvent_t from, to;
    if (!open_meter(&meter))
        exit(4);
    cudaEventCreate(&from);
    cudaEventCreate(&to);
    for (const one &k : kernels) {
        unsigned long long begin, end;
        unsigned clock = 0, memory = 0;
        unsigned long long reasons = 0;
        int launches = 0;
        sleep(1); /* each begins cool alike */
        cudaEventRecord(from);
        k.kernel<<<k.blocks, THREADS>>>(data, k.count);
        cudaEventRecord(to);
        cudaEventSynchronize(to);
        double once = seconds_of(from, to);
        int batch = (int)(0.05 / once) + 1;
        for (double sum = 0; sum < 1.0; sum += batch * once) /* until the clock has settled */
            for (int b = 0; b < batch; b++)
                k.kernel<<<k.blocks, THREADS>>>(data, k.count);
        cudaDeviceSynchronize();
        meter.energy(meter.device, &begin);
        cudaEventRecord(from);
        double spent = 0;
        while (spent < 1.5) {
            for (int b = 0; b < batch; b++, launches++)
                k.kernel<<<k.blocks, THREADS>>>(data, k.count);
            cudaEventRecord(to);
            cudaEventSynchronize(to);
            spent = seconds_of(from, to);
            meter.clock(meter.device, 1, &clock);
            meter.clock(meter.device, 2, &memory);
            meter.reasons(meter.device, &reasons);
        }
        meter.energy(meter.device, &end);
        double work = k.work * k.blocks * THREADS;
        fprintf(out,
                "{\"kernel\": \"%s\", \"unit\": \"%s\", \"work\": %.9g, \"launches\": %d, \"seconds_once\": %.9g, "
                "\"seconds\": %.6f, \"joules\": %.3f, \"watts\": %.1f, \"rate\": %.6g, \"sm_mhz\": %u, "
                "\"memory_mhz\": %u, \"reasons\": %llu}\n",
                k.name, k.unit, work, launches, once, spent, 1e-3 * (double)(end - begin),
                1e-3 * (double)(end - begin) / spent, work * launches / spent, clock, memory, reasons);
        fflush(out);
    }
}

/* A row of dependent loads, each anywhere in `pages` pieces of 128 bytes. */
__global__ void one_by_one(const unsigned long long *in, unsigned long long lines, int count, long long *cycles,
                           unsigned long long *sink)
{
    unsigned long long at = 12345, state = 88172645463325252ull;
    long long begin = clock64();
    for (int k = 0; k < count; k++) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        at = in[(((state >> 20) + at) % lines) * 16];
    }
    *cycles = clock64() - begin;
    *sink = at;
}

__global__ void nothing_loaded(unsigned long long lines, int count, long long *cycles, unsigned long long *sink)
{
    unsigned long long at = 12345, state = 88172645463325252ull;
    long long begin = clock64();
    for (int k = 0; k < count; k++) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        at = (((state >> 20) + at) % lines) * 16 & 1;
    }
    *cycles = clock64() - begin;
    *sink = at;
}

__global__ void anywhere(const unsigned long long *in, unsigned long long lines, int count, unsigned long long *out)
{
    unsigned long long state = (blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x) * 2654435761ull + 17, sum = 0;
#pragma unroll 8
    for (int k = 0; k < count; k++) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        sum += in[((state >> 20) % lines) * 16];
    }
    if (sum == 1)
        out[0] = sum;
}

static void reach(FILE *out)
{
    size_t spare, whole;
    cudaMemGetInfo(&spare, &whole);
    size_t most = spare / (1ull << 30) - 2;
    unsigned long long *data, *sink;
    long long *cycles;
    if (cudaMalloc(&data, most << 30) || cudaMallocManaged(&cycles, 8) || cudaMalloc(&sink, 8))
        exit(3);
    cudaMemset(data, 0, most << 30);
    cudaEvent_t from, to;
    cudaEventCreate(&from);
    cudaEventCreate(&to);
    for (double gigabytes : {0.0625, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0, 80.0, 96.0, 112.0, 128.0}) {
        if (gigabytes > (double)most)
            continue;
        unsigned long long lines = (unsigned long long)(gigabytes * (1 << 23));
        const int steps = 4000, each = 256, blocks = 132 * 8;
        one_by_one<<<1, 1>>>(data, lines, steps, cycles, sink);
        cudaDeviceSynchronize();
        one_by_one<<<1, 1>>>(data, lines, steps, cycles, sink);
        cudaDeviceSynchronize();
        double with = (double)*cycles / steps;
        nothing_loaded<<<1, 1>>>(lines, steps, cycles, sink);
        cudaDeviceSynchronize();
        double without = (double)*cycles / steps;
        anywhere<<<blocks, THREADS>>>(data, lines, each, sink);
        cudaEventRecord(from);
        anywhere<<<blocks, THREADS>>>(data, lines, each, sink);
        cudaEventRecord(to);
        cudaEventSynchronize(to);
        fprintf(out, "{\"gigabytes\": %g, \"cycles\": %.1f, \"cycles_without\": %.1f, \"loads_per_second\": %.6g}\n", gigabytes,
                with, without, (double)blocks * THREADS * each / seconds_of(from, to));
        fflush(out);
    }
}

int main(int argc, char **argv)
{
    FILE *out = argc == 3 ? fopen(argv[2], "w") : nullptr;
    if (!out)
        return 2;
    if (!strcmp(argv[1], "reach")) {
        reach(out);
    } else {
        float *data;
        if (cudaMalloc(&data, FAR * 4))
            return 3;
        cudaMemset(data, 0, FAR * 4);
        energy(out, data);
    }
    return cudaGetLastError() != cudaSuccess;
}
