/* Times of texture fetches: what an H200 took in data/h200/textures (texels of 4, 8 and 16 bytes
 * from linear memory, planes with and without filtering) beside what the traffic model predicts for
 * the same kernels (fetches.cu, fetches.ptx).
 *
 * usage: texture-times ROOT
 * The profile's rates come from two of these launches.  PTX tells neither the size of a texel nor
 * what is filtered: texels of 16 bytes, and filtering across rows, are predicted at half their time
 * and are held to that. */
#include "../property/subject.h"
#include "traffic.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CONFIGURATIONS = 27 };
static const double least_ratio = 0.9, greatest_ratio = 1.1; /* of what PTX tells */
static const double least_hidden = 0.45;

/* The predicted time over the measured one; 0: it could not be predicted. */
static double ratio_of(const char *root, const struct fw_device *device, const json_t *row)
{
    struct subject s = {.arena = fw_arena_new(0)};
    const struct fw_traffic_options options = {.registers = 32};
    struct fw_traffic *traffic;
    double ratio = 0;
    const char *type = json_string_value(json_object_get(row, "type"));
    const char *kernel = type ? fw_arena_printf(s.arena, "linear_%s", type) : "plane";
    const char *ptx = fw_arena_printf(s.arena, "%s/tests/replay/fetches.ptx", root);
    const char *source = fw_arena_printf(s.arena, "%s/tests/replay/fetches.cu", root);
    if (!subject_build(&s, ptx, source, kernel)) {
        printf("%s\n", s.message);
        fw_arena_free(s.arena);
        return 0;
    }
    s.launch = fw_launch_new(s.arena, s.kernel);
    s.launch->grid[0] = (uint32_t)json_integer_value(json_object_get(row, "grid"));
    s.launch->block[0] = (uint32_t)json_integer_value(json_object_get(row, "block"));
    s.launch->is_bound[1] = true;
    s.launch->integers[1] = json_integer_value(json_object_get(row, type ? "bytes" : "side"));
    s.launch->is_bound[2] = !type;
    s.launch->integers[2] = json_integer_value(json_object_get(row, "apart"));
    s.bound = fw_bound_new(s.kernel);
    if (fw_bound_set(s.bound, s.launch) == FW_OK &&
        fw_traffic_predict(&traffic, s.arena, s.kernel, s.bound, s.launch, device, &options,
                           NULL) == FW_OK)
        ratio = traffic->seconds / json_number_value(json_object_get(row, "seconds"));
    fw_bound_free(s.bound);
    fw_arena_free(s.arena);
    return ratio;
}

/* Whether what makes the fetches of a row slower stands nowhere in its PTX. */
static bool is_hidden(const json_t *row)
{
    const char *type = json_string_value(json_object_get(row, "type"));
    return type ? strcmp(type, "f32x4") == 0
                : json_is_true(json_object_get(row, "filtered")) &&
                      json_integer_value(json_object_get(row, "apart")) == 1;
}

int main(int count, char **arguments)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_device *device = NULL;
    size_t compared = 0, length;
    bool fits = true;
    if (count < 2)
        return 2;
    const char *profile = fw_arena_printf(arena, "%s/profiles/h200.json", arguments[1]);
    char *text = subject_file(
        arena, fw_arena_printf(arena, "%s/data/h200/textures/times.jsonl", arguments[1]), &length);
    if (!text || fw_device_read(&device, arena, profile, NULL) != FW_OK)
        return 1;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        json_t *row = json_loads(line, 0, NULL);
        if (!row)
            return 1;
        double ratio = ratio_of(arguments[1], device, row);
        double least = is_hidden(row) ? least_hidden : least_ratio;
        printf("%s: %.2f\n", line, ratio);
        fits &= ratio > least && ratio < greatest_ratio;
        compared++;
        json_decref(row);
    }
    fw_arena_free(arena);
    return compared == CONFIGURATIONS && fits ? 0 : 1;
}
