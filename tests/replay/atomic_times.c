/* Times of atomic additions: what an H200 took for `add` in data/h200/launch (four types, 1 to
 * 1,048,576 words, lanes of a warp on one word or on neighbouring ones) beside what the traffic
 * model predicts for the same kernels (additions.cu, additions.ptx).
 *
 * usage: atomic-times ROOT
 * The profile's rates of atomics come from the smallest and the largest of these launches; what is
 * between them, and how arrays fall on slices, is not fitted. */
#include "../property/subject.h"
#include "traffic.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 128 };
static const double shortest = 10e-6; /* shorter ones hide behind each other's start */
static const double least_ratio = 0.7, greatest_ratio = 1.35, greatest_median = 0.1;

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The predicted time over the measured one; 0: it could not be predicted. */
static double ratio_of(const char *root, const struct fw_device *device, const json_t *row)
{
    struct subject s = {.arena = fw_arena_new(0)};
    const struct fw_traffic_options options = {.registers = 16};
    struct fw_traffic *traffic;
    double ratio = 0;
    const char *type = json_string_value(json_object_get(row, "type"));
    const char *kernel = fw_arena_printf(s.arena, "add_%s", type);
    const char *ptx = fw_arena_printf(s.arena, "%s/tests/replay/additions.ptx", root);
    const char *source = fw_arena_printf(s.arena, "%s/tests/replay/additions.cu", root);
    if (!subject_build(&s, ptx, source, kernel)) {
        printf("%s\n", s.message);
        fw_arena_free(s.arena);
        return 0;
    }
    static const char *const names[] = {"words", "times", "spread"};
    s.launch = fw_launch_new(s.arena, s.kernel);
    s.launch->grid[0] = (uint32_t)json_integer_value(json_object_get(row, "grid"));
    s.launch->block[0] = (uint32_t)json_integer_value(json_object_get(row, "block"));
    for (uint32_t n = 0; n < 3; n++) {
        s.launch->is_bound[n + 1] = true;
        s.launch->integers[n + 1] = json_integer_value(json_object_get(row, names[n]));
    }
    s.bound = fw_bound_new(s.kernel);
    if (fw_bound_set(s.bound, s.launch) == FW_OK &&
        fw_traffic_predict(&traffic, s.arena, s.kernel, s.bound, s.launch, device, &options,
                           NULL) == FW_OK)
        ratio = traffic->seconds / json_number_value(json_object_get(row, "seconds"));
    printf("%s, %lld words, spread %lld: %.2f\n", type, (long long)s.launch->integers[1],
           (long long)s.launch->integers[3], ratio);
    fw_bound_free(s.bound);
    fw_arena_free(s.arena);
    return ratio;
}

int main(int count, char **arguments)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_device *device = NULL;
    double errors[MOST];
    size_t compared = 0, length;
    bool fits = true;
    if (count < 2)
        return 2;
    const char *profile = fw_arena_printf(arena, "%s/profiles/h200.json", arguments[1]);
    char *text = subject_file(
        arena, fw_arena_printf(arena, "%s/data/h200/launch/times.jsonl", arguments[1]), &length);
    if (!text || fw_device_read(&device, arena, profile, NULL) != FW_OK)
        return 1;
    for (char *line = strtok(text, "\n"); line && compared < MOST; line = strtok(NULL, "\n")) {
        json_t *row = json_loads(line, 0, NULL);
        if (row && strcmp(json_string_value(json_object_get(row, "kernel")), "add") == 0 &&
            json_number_value(json_object_get(row, "seconds")) >= shortest) {
            double ratio = ratio_of(arguments[1], device, row);
            fits &= ratio > least_ratio && ratio < greatest_ratio;
            errors[compared++] = fabs(ratio - 1);
        }
        json_decref(row);
    }
    qsort(errors, compared, sizeof(*errors), ascending);
    double median = compared ? errors[compared / 2] : 1;
    printf("%zu launches, median error %.1f %%\n", compared, 100 * median);
    fw_arena_free(arena);
    return compared > 30 && fits && median < greatest_median ? 0 : 1;
}
