/*
 * Runs the kernels of kernels.cu on an NVIDIA device, one line of JSON a configuration.
 *
 * usage: record time|count OUTPUT [PREFIX], or record list; PREFIX: of the kernels to run
 * time: 3 warm-up launches, then 15 single launches between two events each, seconds with the launch's
 * own overhead in them. count: 2 launches, then one between cudaProfilerStart and Stop for Nsight
 * Compute (--profile-from-start off), whose rows come in the order of OUTPUT's lines.
 * nvcc -O3 -arch=sm_90 -o record record.cu
 */
#include "kernels.cu"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <cuda_profiler_api.h>
#include <vector>

struct configuration {
    const char *kernel;
    int block[3], grid[3];
    int size[3];            /* nx ny nz; of calibrations: what they take */
};

static std::vector<configuration> configurations;

static int parts(int a, int b)
{
    return (a + b - 1) / b;
}

static void over(const char *kernel, int bx, int by, int bz, int px, int py, int pz, int nx, int ny,
                 int nz)
{
    configurations.push_back({kernel, {bx, by, bz}, {parts(px, bx), parts(py, by), parts(pz, bz)}, {nx, ny, nz}});
}

/* Every shape of a number of threads, from 2 (or `least`) wide, at most 64 deep. */
static void shapes(const char *kernel, int threads, int least, int step, int px, int py, int pz,
                   int nx, int ny, int nz)
{
    int turn = 0;
    for (int bx = least; bx <= std::min(threads, 1024); bx *= 2)
        for (int bz = 1; bz <= std::min(64, threads / bx); bz *= 2)
            if (turn++ % step == 0)
                over(kernel, bx, threads / bx / bz, bz, px, py, pz, nx, ny, nz);
}

static void line(const char *kernel, int threads, int blocks, int a, int b, int c)
{
    configurations.push_back({kernel, {threads, 1, 1}, {blocks, 1, 1}, {a, b, c}});
}

static void list()
{
    for (int v = 0; v < 3; v++) {
        const char *names[] = {"star_1_1", "star_2_1", "star_1_2"};
        int cy = v == 1 ? 2 : 1, cz = v == 2 ? 2 : 1;
        shapes(names[v], 1024, 4, 1, 632, 504 / cy, 504 / cz, 640, 512, 512);
        shapes(names[v], 512, 8, 2, 632, 504 / cy, 504 / cz, 640, 512, 512);
        shapes(names[v], 256, 16, 2, 632, 504 / cy, 504 / cz, 640, 512, 512);
    }
    shapes("lbm", 512, 2, 1, 256, 256, 256, 256, 256, 256);
    shapes("lbm", 256, 8, 2, 256, 256, 256, 256, 256, 256);
    /* What the caches' figures are got from. */
    shapes("box27", 1024, 8, 2, 598, 598, 510, 600, 600, 512);
    shapes("box27", 256, 32, 2, 1022, 1022, 126, 1024, 1024, 128);
    for (int nx = 4096; nx <= 524288; nx *= 2)
        for (int b = 1; b <= 16; b *= 4)
            over("five", 256 / b, b, 1, nx - 2, 134217728 / nx - 2, 1, nx, 134217728 / nx, 1);
    for (int megabytes = 8; megabytes <= 96; megabytes += megabytes < 24 ? 8 : 4)
        line("calibrate_again", 256, 40960, 8192, megabytes * 16, 0); /* pieces of 64 KiB */
    for (int kilobytes = 64; kilobytes <= 384; kilobytes += 32)
        line("calibrate_inner", 1024, 132, kilobytes * 128, 16, 0);
    for (int stride = 1; stride <= 16; stride *= 2)
        line("calibrate_part", 256, 131072, 33554432, stride, 0);
    for (int megabytes = 4; megabytes <= 80; megabytes += megabytes < 24 ? 4 : 8)
        line("calibrate_behind", 256, 16384, 8192, megabytes * 16, 16384);
}

static double *a, *b;

static const void *pointer_of(const char *name)
{
#define ROW(k)                                                                                     \
    if (!strcmp(name, #k))                                                                         \
        return (const void *)k;
    ROW(star_1_1)
    ROW(star_2_1)
    ROW(star_1_2)
    ROW(lbm)
    ROW(box27)
    ROW(five)
    ROW(calibrate_again)
    ROW(calibrate_inner)
    ROW(calibrate_part)
    ROW(calibrate_behind)
    return nullptr;
}

static void go(const configuration &c)
{
    dim3 grid(c.grid[0], c.grid[1], c.grid[2]), block(c.block[0], c.block[1], c.block[2]);
    int nx = c.size[0], ny = c.size[1], nz = c.size[2];
    bool is_star = !strncmp(c.kernel, "star", 4);
    double *u = is_star ? a + 12 : a, *next = is_star ? b + 12 : b;
    double weights[5] = {0.5, 0.04, 0.03, 0.02, 0.01}, omega = 1.2;
    void *star[] = {&u,  &next, &weights[0], &weights[1], &weights[2], &weights[3], &weights[4],
                    &nx, &ny,   &nz};
    void *lbm[] = {&u, &next, &omega, &nx, &ny, &nz};
    void *plain[] = {&u, &next, &nx, &ny, &nz};
    void *part[] = {&next, &nx, &ny};
    void **arguments = is_star                               ? star
                       : !strcmp(c.kernel, "lbm")            ? lbm
                       : !strcmp(c.kernel, "calibrate_part") ? part
                                                             : plain;
    if (!strcmp(c.kernel, "calibrate_behind"))
        plain[0] = &next;
    cudaLaunchKernel(pointer_of(c.kernel), grid, block, arguments, 0, 0);
}

__global__ void fill(double *out, long long count)
{
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < count;
         i += (long long)gridDim.x * blockDim.x)
        out[i] = 0.05 + 0.01 * (double)((i * 2654435761u >> 7) & 1023) / 1024.0;
}

int main(int argc, char **argv)
{
    long long count = 19ll * 256 * 256 * 256 + (1 << 20);
    count = std::max(count, 33554432ll * 16 + (1 << 20));
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
    cudaEvent_t from, to;
    cudaEventCreate(&from);
    cudaEventCreate(&to);
    for (const configuration &c : configurations) {
        if (argc > 3 && strncmp(c.kernel, argv[3], strlen(argv[3])))
            continue;
        cudaFuncAttributes attributes;
        int resident = 0;
        float trials[15] = {0};
        cudaFuncGetAttributes(&attributes, pointer_of(c.kernel));
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, pointer_of(c.kernel),
                                                      c.block[0] * c.block[1] * c.block[2], 0);
        for (int w = 0; w < (timed ? 3 : 2); w++)
            go(c);
        cudaDeviceSynchronize();
        if (timed) {
            for (float &trial : trials) {
                cudaEventRecord(from);
                go(c);
                cudaEventRecord(to);
                cudaEventSynchronize(to);
                cudaEventElapsedTime(&trial, from, to);
            }
            std::sort(trials, trials + 15);
        } else {
            cudaProfilerStart();
            go(c);
            cudaDeviceSynchronize();
            cudaProfilerStop();
        }
        cudaError_t error = cudaGetLastError();
        fprintf(out,
                "{\"kernel\": \"%s\", \"block\": [%d, %d, %d], \"grid\": [%d, %d, %d], \"size\": [%d, "
                "%d, %d], \"registers\": %d, \"resident_blocks\": %d",
                c.kernel, c.block[0], c.block[1], c.block[2], c.grid[0], c.grid[1], c.grid[2],
                c.size[0], c.size[1], c.size[2], attributes.numRegs, resident);
        if (timed)
            fprintf(out, ", \"seconds\": %.9f, \"seconds_min\": %.9f, \"seconds_max\": %.9f",
                    trials[7] * 1e-3, trials[0] * 1e-3, trials[14] * 1e-3);
        if (error)
            fprintf(out, ", \"error\": \"%s\"", cudaGetErrorName(error));
        fprintf(out, "}\n");
        fflush(out);
    }
    fprintf(stderr, "%zu configurations\n", configurations.size());
    return 0;
}
