/* Traffic of star stencils on a V100: predicted volumes beside hardware counters that the authors
 * of Warpspeed published (67 cases; see "what" in the fixture).  Nothing is fitted on these cases:
 * the caches' sizes are the profile's.  Blocks 128 deep cannot run (64 is CUDA's most), and their
 * published grids are those of blocks 64 deep: they are taken as such.  Required: mean errors of
 * the bytes read from device memory of at most 8%, of the bytes loaded from L2 of at most 10%.
 *
 * usage: test-traffic-v100 FIXTURE PROFILE */
#include "traffic_cases.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>

enum { DEEPEST = 64 };

struct errors {
    double dram, l2;
    unsigned count;
};

static int64_t number_at(const json_t *one, const char *name, size_t d)
{
    return json_integer_value(json_array_get(json_object_get(one, name), d));
}

static double add_error(double predicted, double measured, double *sum)
{
    double error = 100 * (predicted / measured - 1);
    *sum += fabs(error);
    return error;
}

static bool judge(const json_t *one, const struct fw_device *device, struct errors *errors)
{
    struct fw_arena *arena = fw_arena_new(0);
    uint32_t range = (uint32_t)json_integer_value(json_object_get(one, "range"));
    uint32_t block[3], fold[3];
    int64_t points[3], all = 1;
    struct traffic_field read = traffic_star(arena, range, 3, 8);
    struct traffic_field written = traffic_star(arena, 0, 3, 8);
    const json_t *measured = json_object_get(one, "measured");
    struct fw_caches caches;
    struct fw_volumes volumes;
    enum fw_figure missing;
    for (size_t d = 0; d < 3; d++) {
        block[d] = (uint32_t)number_at(one, "block", d);
        fold[d] = (uint32_t)number_at(one, "folding", d);
        points[d] = number_at(one, "launched_points", d);
        read.dims[d] = written.dims[d] = number_at(one, "array", d);
        all *= points[d] * fold[d];
    }
    block[2] = block[2] > DEEPEST ? DEEPEST : block[2];
    struct fw_affine_accesses accesses =
        traffic_stencil(arena, &read, &written, block, points, fold);
    uint32_t resident = 2048 / (block[0] * block[1] * block[2]);
    if (!fw_caches_of(&caches, device, 0, resident, &missing))
        return false;
    caches.registers = 32; /* 2048 threads a multiprocessor leave no more */
    fw_volumes_find(&volumes, arena, &accesses, &caches);
    double dram = volumes.dram_read.bytes / (double)all, l2 = volumes.l2_to_l1.bytes / (double)all;
    double dram_seen = json_number_value(json_object_get(measured, "dram_load"));
    double l2_seen = json_number_value(json_object_get(measured, "l2_load"));
    errors->count++;
    printf("range %u %4u %3u %3u x%u  dram %6.2f %6.2f %+6.1f%%  l2 %6.2f %6.2f %+6.1f%%\n", range,
           block[0], block[1], block[2], fold[2], dram_seen, dram,
           add_error(dram, dram_seen, &errors->dram), l2_seen, l2,
           add_error(l2, l2_seen, &errors->l2));
    fw_arena_free(arena);
    return true;
}

int main(int argc, char **argv)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_device *device;
    struct errors all = {0}, four = {0};
    json_t *fixture = argc == 3 ? json_load_file(argv[1], 0, NULL) : NULL, *one;
    size_t i;
    if (!fixture || fw_device_read(&device, arena, argv[2], NULL) != FW_OK)
        return 2;
    printf("bytes a point: measured, predicted, error\n");
    json_array_foreach(json_object_get(fixture, "cases"), i, one)
    {
        bool is_four = json_integer_value(json_object_get(one, "range")) == 4;
        struct errors before = all;
        if (!judge(one, device, &all))
            return 2;
        four.count += is_four;
        four.dram += is_four ? all.dram - before.dram : 0;
        four.l2 += is_four ? all.l2 - before.l2 : 0;
    }
    printf("%u cases, mean error: read from device memory %.2f%% (at most 8%%), from L2 %.2f%% (at "
           "most 10%%); range 4 alone (%u): %.2f%%, %.2f%%\n",
           all.count, all.dram / all.count, all.l2 / all.count, four.count, four.dram / four.count,
           four.l2 / four.count);
    json_decref(fixture);
    fw_arena_free(arena);
    return all.count == 67 && all.dram <= 8 * all.count && all.l2 <= 10 * all.count ? 0 : 1;
}
