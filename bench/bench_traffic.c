/* Memory traffic: time to predict all volumes of one configuration of the range-four star
 * (640x512x512, f64) and of a 2D stencil, medians over block shapes, beside Warpspeed's on the same
 * kind of machine.
 *
 * usage: bench-traffic; its ratios are against the seconds that
 * tests/conformance/traffic-warpspeed.json records for the same kernels: 3.4 to 25 s for the star,
 * 0.21 s for the 2D stencil. */
#include "../tests/conformance/traffic_cases.h"

#include "warps.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum { REPEATS = 31 };

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(const char *name, uint32_t range, uint32_t dimensions, const int64_t dims[3],
                    const uint32_t block[3], const uint32_t fold[3], double theirs)
{
    double seconds[REPEATS], warps[REPEATS];
    for (int r = 0; r < REPEATS; r++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct traffic_field read = traffic_star(arena, range, dimensions, 8);
        struct traffic_field written = traffic_star(arena, 0, dimensions, 8);
        struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64, .multiprocessors = 80};
        struct fw_volumes volumes;
        struct fw_warp_totals totals;
        int64_t points[3];
        for (uint32_t d = 0; d < 3; d++) {
            int64_t margin = d < dimensions ? 2 * (int64_t)range : 0;
            read.dims[d] = written.dims[d] = dims[d];
            points[d] = (dims[d] - margin) / fold[d];
        }
        caches.l1_bytes = 131072;
        caches.l2_bytes = 6291456;
        caches.resident_blocks = 2048 / (block[0] * block[1] * block[2]);
        caches.registers = 32;
        double begin = now();
        struct fw_forms forms = traffic_stencil(arena, &read, &written, block, points, fold);
        fw_volumes_find(&volumes, arena, &forms, &caches);
        seconds[r] = now() - begin;
        begin = now();
        fw_warps_find(&totals, fw_warp_memory_new(arena, 32, 32, 128), &forms);
        warps[r] = now() - begin;
        fw_arena_free(arena);
    }
    qsort(seconds, REPEATS, sizeof(double), by_value);
    qsort(warps, REPEATS, sizeof(double), by_value);
    printf(
        "%-14s %4u %3u %3u x%u  volumes %7.0f us, sectors and wavefronts %6.0f us, together %7.0f "
        "us",
        name, block[0], block[1], block[2], fold[2], 1e6 * seconds[REPEATS / 2],
        1e6 * warps[REPEATS / 2], 1e6 * (seconds[REPEATS / 2] + warps[REPEATS / 2]));
    if (theirs > 0)
        printf("; Warpspeed %.2f s: %.0f times", theirs,
               theirs / (seconds[REPEATS / 2] + warps[REPEATS / 2]));
    printf("\n");
}

int main(void)
{
    static const struct {
        uint32_t block[3];
        double theirs;
    } star[] = {{{256, 1, 2}, 5.34},  {{1024, 1, 1}, 3.58}, {{64, 4, 4}, 29.35},
                {{32, 2, 16}, 29.23}, {{16, 2, 32}, 31.98}, {{4, 16, 16}, 38.73}},
      plane[] = {{{256, 2, 1}, 0.34}, {{32, 8, 1}, 0.26}, {{16, 16, 1}, 0.29}, {{2, 128, 1}, 0.28}};
    static const int64_t box[3] = {640, 512, 512}, sheet[3] = {15002, 15002, 1};
    static const uint32_t one[3] = {1, 1, 1}, two[3] = {1, 1, 2};
    struct rusage usage;
    for (size_t i = 0; i < sizeof(star) / sizeof(star[0]); i++)
        measure("star range 4", 4, 3, box, star[i].block, one, star[i].theirs);
    for (size_t i = 0; i < sizeof(star) / sizeof(star[0]); i++)
        measure("star range 4", 4, 3, box, star[i].block, two, 0);
    for (size_t i = 0; i < sizeof(plane) / sizeof(plane[0]); i++)
        measure("2D 5 points", 1, 2, sheet, plane[i].block, one, plane[i].theirs);
    getrusage(RUSAGE_SELF, &usage);
    printf("memory at most %ld KiB\n", usage.ru_maxrss);
    return 0;
}
