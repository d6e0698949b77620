/* Memory traffic: time to predict all volumes of one configuration of the range-four star
 * (640x512x512, f64, of one and of two points a thread) and of a 2D stencil, medians over runs:
 * some block shapes beside Warpspeed's on the same kind of machine, then all shapes of 256, 512 and
 * 1024 threads, with the caches of a V100 as Warpspeed has them (they forget sharply) and of the
 * profile h200.
 *
 * usage: bench-traffic [SOURCE]; its ratios are against the seconds that
 * tests/conformance/traffic-warpspeed.json records for the same kernels: 3.4 to 25 s for the star,
 * 0.21 s for the 2D stencil. */
#include "../tests/conformance/traffic_cases.h"

#include "warp_totals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { REPEATS = 31, FEW_REPEATS = 7, MOST_SHAPES = 256 };

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

struct subject {
    const char *name;
    uint32_t range, dimensions;
    int64_t dims[3];
    uint32_t fold[3];
};

struct times {
    double volumes, warps; /* seconds, medians */
};

static uint32_t threads_of(const uint32_t block[3])
{
    return block[0] * block[1] * block[2];
}

static struct fw_caches v100(const uint32_t block[3])
{
    struct fw_caches caches = {.sector = 32, .line = 128, .fetch = 64, .multiprocessors = 80};
    caches.l1_bytes = 131072;
    caches.l2_bytes = 6291456;
    caches.resident_blocks = 2048 / threads_of(block);
    caches.registers = 32;
    return caches;
}

static struct fw_caches of_profile(const struct fw_device *device, const uint32_t block[3])
{
    struct fw_caches caches;
    enum fw_figure missing;
    fw_caches_of(&caches, device, 0, 2048 / threads_of(block), &missing);
    caches.registers = 32;
    caches.warm = true;
    return caches;
}

static struct times measure(const struct subject *subject, const uint32_t block[3],
                            const struct fw_caches *caches, int repeats)
{
    double seconds[REPEATS], warps[REPEATS];
    for (int r = 0; r < repeats; r++) {
        struct fw_arena *arena = fw_arena_new(0);
        struct traffic_field read = traffic_star(arena, subject->range, subject->dimensions, 8);
        struct traffic_field written = traffic_star(arena, 0, subject->dimensions, 8);
        struct fw_volumes volumes;
        struct fw_warp_totals totals;
        int64_t points[3];
        for (uint32_t d = 0; d < 3; d++) {
            int64_t margin = d < subject->dimensions ? 2 * (int64_t)subject->range : 0;
            read.dims[d] = written.dims[d] = subject->dims[d];
            points[d] = (subject->dims[d] - margin) / subject->fold[d];
        }
        double begin = now();
        struct fw_affine_accesses accesses =
            traffic_stencil(arena, &read, &written, block, points, subject->fold);
        fw_volumes_find(&volumes, arena, &accesses, caches);
        seconds[r] = now() - begin;
        begin = now();
        fw_warp_totals_find(&totals, fw_warp_memo_new(arena, 32, 32, 128), &accesses);
        warps[r] = now() - begin;
        fw_arena_free(arena);
    }
    qsort(seconds, (size_t)repeats, sizeof(double), by_value);
    qsort(warps, (size_t)repeats, sizeof(double), by_value);
    return (struct times){seconds[repeats / 2], warps[repeats / 2]};
}

static void measure_one(const struct subject *subject, const uint32_t block[3], double theirs)
{
    struct fw_caches caches = v100(block);
    struct times took = measure(subject, block, &caches, REPEATS);
    double both = took.volumes + took.warps;
    printf("%-14s %4u %3u %3u x%u  volumes %7.0f us, sectors and wavefronts %6.0f us, together "
           "%7.0f us",
           subject->name, block[0], block[1], block[2], subject->fold[2], 1e6 * took.volumes,
           1e6 * took.warps, 1e6 * both);
    if (theirs > 0)
        printf("; Warpspeed %.2f s: %.0f times", theirs, theirs / both);
    printf("\n");
}

/* All shapes of 256, 512 and 1024 threads, in powers of two. */
static void measure_all(const struct subject *subject, const struct fw_device *device)
{
    double all[MOST_SHAPES], worst = 0;
    uint32_t count = 0, slowest[3] = {0, 0, 0};
    for (uint32_t threads = 256; threads <= 1024; threads *= 2)
        for (uint32_t x = 1; x <= threads; x *= 2)
            for (uint32_t y = 1; x * y <= threads; y *= 2) {
                uint32_t block[3] = {x, y, threads / x / y};
                if (block[2] > 64 || (subject->dimensions < 3 && block[2] > 1))
                    continue;
                struct fw_caches caches = device ? of_profile(device, block) : v100(block);
                struct times took = measure(subject, block, &caches, FEW_REPEATS);
                all[count] = took.volumes + took.warps;
                if (all[count] > worst) {
                    worst = all[count];
                    memcpy(slowest, block, sizeof(slowest));
                }
                count++;
            }
    qsort(all, count, sizeof(double), by_value);
    printf("%-14s x%u, %-4s %3u shapes: median %5.0f us, worst %5.0f us (%u %u %u)\n",
           subject->name, subject->fold[2], device ? device->name : "V100", count,
           1e6 * all[count / 2], 1e6 * worst, slowest[0], slowest[1], slowest[2]);
}

int main(int argc, char **argv)
{
    static const struct {
        uint32_t block[3];
        double theirs;
    } star[] = {{{256, 1, 2}, 5.34},  {{1024, 1, 1}, 3.58}, {{64, 4, 4}, 29.35},
                {{32, 2, 16}, 29.23}, {{16, 2, 32}, 31.98}, {{4, 16, 16}, 38.73}},
      plane[] = {{{256, 2, 1}, 0.34}, {{32, 8, 1}, 0.26}, {{16, 16, 1}, 0.29}, {{2, 128, 1}, 0.28}};
    static const struct subject subjects[] = {{"star range 4", 4, 3, {640, 512, 512}, {1, 1, 1}},
                                              {"star range 4", 4, 3, {640, 512, 512}, {1, 1, 2}},
                                              {"2D 5 points", 1, 2, {15002, 15002, 1}, {1, 1, 1}}};
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_device *device;
    struct rusage usage;
    char path[4096];
    snprintf(path, sizeof(path), "%s/profiles/h200.json", argc > 1 ? argv[1] : ".");
    if (fw_device_read(&device, arena, path, NULL) != FW_OK) {
        fprintf(stderr, "no %s\n", path);
        return 1;
    }
    for (size_t i = 0; i < sizeof(star) / sizeof(star[0]); i++)
        measure_one(&subjects[0], star[i].block, star[i].theirs);
    for (size_t i = 0; i < sizeof(star) / sizeof(star[0]); i++)
        measure_one(&subjects[1], star[i].block, 0);
    for (size_t i = 0; i < sizeof(plane) / sizeof(plane[0]); i++)
        measure_one(&subjects[2], plane[i].block, plane[i].theirs);
    for (size_t s = 0; s < sizeof(subjects) / sizeof(subjects[0]); s++) {
        measure_all(&subjects[s], NULL);
        measure_all(&subjects[s], device);
    }
    fw_arena_free(arena);
    getrusage(RUSAGE_SELF, &usage);
    printf("memory at most %ld KiB\n", usage.ru_maxrss);
    return 0;
}
