/*
 * What the programs share that run a file of kernels on an NVIDIA device, one line of JSON a configuration.
 *
 * usage: PROGRAM time|count OUTPUT [PREFIX], or PROGRAM list; PREFIX: of the kernels to run
 * time: 2 warm-up launches, then 7 single launches, each after 12 ms of idleness and a short kernel that
 * only turns round (so that the launch is queued when the first event comes), between two events; and the
 * clock right after each, by such a kernel. count: 2 launches, then one between cudaProfilerStart and Stop for Nsight
 * Compute (--profile-from-start off), whose rows come in the order of OUTPUT's lines.
 * The program gives list(), pointer_of(), go() and how many doubles a and b have.
 */
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <cuda_profiler_api.h>
#include <unistd.h>
#include <vector>

struct configuration {
    const char *kernel;
    int block[3], grid[3];
    long long size[3];      /* nx ny nz; of calibrations: what they take */
    int shared;             /* bytes: to keep blocks from being resident together */
};

enum { TRIALS = 7, IDLE_MICROSECONDS = 12000 };

static std::vector<configuration> configurations;

static int parts(int a, int b)
{
    return (a + b - 1) / b;
}

static void over(const char *kernel, int bx, int by, int bz, int px, int py, int pz, int nx, int ny,
                 int nz)
{
    configurations.push_back({kernel, {bx, by, bz}, {parts(px, bx), parts(py, by), parts(pz, bz)}, {nx, ny, nz}, 0});
}

static double *a, *b;

static void list();
static const void *pointer_of(const char *name);
static void go(const configuration &c);
static long long doubles();

__global__ void fill(double *out, long long count)
{
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < count;
         i += (long long)gridDim.x * blockDim.x)
        out[i] = 0.05 + 0.01 * (double)((i * 2654435761u >> 7) & 1023) / 1024.0;
}

/* One thread turns round for `cycles`; tells how many nanoseconds that took. */
__global__ void turn_round(long long cycles, long long *nanoseconds)
{
    long long from, to, begin = clock64();
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(from));
    while (clock64() - begin < cycles)
        ;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(to));
    *nanoseconds = to - from;
}

static double clock_now(long long *nanoseconds)
{
    const long long cycles = 400000;
    turn_round<<<1, 1>>>(cycles, nanoseconds);
    cudaDeviceSynchronize();
    return *nanoseconds > 0 ? 1e9 * (double)cycles / (double)*nanoseconds : 0;
}

int main(int argc, char **argv)
{
    long long count = doubles();
    FILE *out = argc >= 3 ? fopen(argv[2], "w") : nullptr;
    list();
    if (argc == 2 && !strcmp(argv[1], "list"))
        for (const configuration &c : configurations)
            printf("%s %d %d %d / %d %d %d\n", c.kernel, c.block[0], c.block[1], c.block[2],
                   c.grid[0], c.grid[1], c.grid[2]);
    if (!out)
        return 2;
    bool timed = !strcmp(argv[1], "time");
    if (cudaMalloc(&a, count * 8) || cudaMalloc(&b, count * 8))
        return 3;
    fill<<<2048, 256>>>(a, count);
    fill<<<2048, 256>>>(b, count);
    long long *nanoseconds;
    if (cudaMallocHost(&nanoseconds, sizeof(*nanoseconds)))
        return 3;
    cudaEvent_t from, to;
    cudaEventCreate(&from);
    cudaEventCreate(&to);
    for (const configuration &c : configurations) {
        if (argc > 3 && strncmp(c.kernel, argv[3], strlen(argv[3])))
            continue;
        cudaFuncAttributes attributes;
        int resident = 0;
        float trials[TRIALS] = {0};
        double clock = 1e12;
        cudaFuncGetAttributes(&attributes, pointer_of(c.kernel));
        if (c.shared > 48 * 1024)
            cudaFuncSetAttribute(pointer_of(c.kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 c.shared);
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, pointer_of(c.kernel),
                                                      c.block[0] * c.block[1] * c.block[2], c.shared);
        for (int w = 0; w < 2; w++)
            go(c);
        cudaDeviceSynchronize();
        if (timed) {
            for (float &trial : trials) {
                usleep(IDLE_MICROSECONDS);
                turn_round<<<1, 1>>>(100000, nanoseconds);
                cudaEventRecord(from);
                go(c);
                cudaEventRecord(to);
                cudaEventSynchronize(to);
                cudaEventElapsedTime(&trial, from, to);
                clock = std::min(clock, clock_now(nanoseconds));
            }
            std::sort(trials, trials + TRIALS);
        } else {
            cudaProfilerStart();
            go(c);
            cudaDeviceSynchronize();
            cudaProfilerStop();
        }
        cudaError_t error = cudaGetLastError();
        fprintf(out,
                "{\"kernel\": \"%s\", \"block\": [%d, %d, %d], \"grid\": [%d, %d, %d], \"size\": [%lld, "
                "%lld, %lld], \"shared\": %d, \"registers\": %d, \"resident_blocks\": %d",
                c.kernel, c.block[0], c.block[1], c.block[2], c.grid[0], c.grid[1], c.grid[2],
                c.size[0], c.size[1], c.size[2], c.shared, attributes.numRegs, resident);
        if (timed)
            fprintf(out,
                    ", \"seconds\": %.9f, \"seconds_min\": %.9f, \"seconds_max\": %.9f, "
                    "\"clock\": %.5g",
                    trials[TRIALS / 2] * 1e-3, trials[0] * 1e-3, trials[TRIALS - 1] * 1e-3, clock);
        if (error)
            fprintf(out, ", \"error\": \"%s\"", cudaGetErrorName(error));
        fprintf(out, "}\n");
        fflush(out);
    }
    fprintf(stderr, "%zu configurations\n", configurations.size());
    return 0;
}
