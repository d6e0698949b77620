/*
 * Runs the kernels of kernels.cu: usage in harness.cuh.  nvcc -O3 -arch=sm_90 -o record record.cu
 */
#include "harness.cuh"
#include "kernels.cu"

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
    configurations.push_back({kernel, {threads, 1, 1}, {blocks, 1, 1}, {a, b, c}, 0});
}

/* 2^27 elements in blocks of which `resident` fit on a multiprocessor (0: as many as do). */
static void streams(const char *kernel, int each, int threads, int resident, int mask)
{
    line(kernel, threads, (1 << 27) / (each * threads), mask, 0, 0);
    configurations.back().shared = resident ? 200 * 1024 / resident : 0;
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
    /* What the time's figures are got from. */
    shapes("box27_1_2", 1024, 8, 3, 598, 598, 255, 600, 600, 512);
    shapes("box27_1_2", 512, 8, 3, 598, 598, 255, 600, 600, 512);
    shapes("box27_1_2", 256, 16, 3, 598, 598, 255, 600, 600, 512);
    shapes("cross_1_1", 1024, 8, 3, 508, 508, 508, 512, 512, 512);
    shapes("cross_1_1", 256, 16, 3, 508, 508, 508, 512, 512, 512);
    shapes("cross_2_2", 1024, 8, 3, 508, 254, 254, 512, 512, 512);
    shapes("cross_2_2", 512, 8, 3, 508, 254, 254, 512, 512, 512);
    shapes("cross_2_2", 256, 16, 3, 508, 254, 254, 512, 512, 512);
    for (int ny = 384; ny <= 1536; ny += ny < 1024 ? 128 : 256) {
        over("cross_wide", 32, 8, 1, 1020, ny - 4, 60, 1024, ny, 64);
        over("cross_wide", 32, 32, 1, 1020, ny - 4, 60, 1024, ny, 64);
        over("cross_wide", 32, 4, 2, 1020, ny - 4, 60, 1024, ny, 64);
        over("cross_wide", 64, 8, 2, 1020, ny - 4, 60, 1024, ny, 64);
        over("cross_wide", 64, 2, 4, 1020, ny - 4, 60, 1024, ny, 64);
    }
    for (int v = 0; v < 4; v++) {
        const char *names[] = {"stream_1", "stream_2", "stream_4", "stream_8"};
        for (int mask = (1 << 27) - 1; mask; mask = mask > 1 << 20 ? (1 << 20) - 1 : 0) {
            for (int resident = 1; resident <= 8; resident *= 2)
                streams(names[v], 1 << v, 256, resident < 8 ? resident : 0, mask);
            streams(names[v], 1 << v, 1024, 1, mask);
            streams(names[v], 1 << v, 1024, 0, mask);
            streams(names[v], 1 << v, 64, 8, mask);
            streams(names[v], 1 << v, 64, 0, mask);
        }
    }
    for (int stride = 1; stride <= 64; stride *= 2) {
        line("apart_load", 256, 1 << 16, stride, (1 << 22) - 1, 0);
        line("apart_store", 256, 1 << 16, stride, (1 << 22) - 1, 0);
    }
    for (int plane : {32768, 327680, 4194304})
        for (int threads = 256; threads <= 1024; threads *= 4) {
            line("planes_8", threads, 134217728 / plane / 8 * (plane / threads), plane, 0, 0);
            line("planes_24", threads, 134217728 / plane / 24 * (plane / threads), plane, 0, 0);
        }
}

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
    ROW(box27_1_2)
    ROW(cross_1_1)
    ROW(cross_2_2)
    ROW(cross_wide)
    ROW(stream_1)
    ROW(stream_2)
    ROW(stream_4)
    ROW(stream_8)
    ROW(apart_load)
    ROW(apart_store)
    ROW(planes_8)
    ROW(planes_24)
    return nullptr;
}

static void go(const configuration &c)
{
    dim3 grid(c.grid[0], c.grid[1], c.grid[2]), block(c.block[0], c.block[1], c.block[2]);
    int nx = (int)c.size[0], ny = (int)c.size[1], nz = (int)c.size[2];
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
    cudaLaunchKernel(pointer_of(c.kernel), grid, block, arguments, c.shared, 0);
}

static long long doubles()
{
    return std::max(19ll * 256 * 256 * 256, 33554432ll * 16) + (1 << 20);
}
