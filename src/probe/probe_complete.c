/* See probe_profile.h.  Here: figures that a recording does not tell, from a similar device. */
#include "probe_profile.h"

#include <stdio.h>
#include <stdlib.h>

static bool same_figure(const struct fw_device *a, const struct fw_device *b, enum fw_figure figure)
{
    double of_a, of_b;
    return fw_device_figure(a, figure, &of_a) && fw_device_figure(b, figure, &of_b) && of_a == of_b;
}

/* Figures that are as much more or less here as another one that the recording tells.  L2 is made
 * of slices, which hold its bytes, and which loads go through as stores do; of an array's slices
 * random sectors keep so many more at work than words side by side. */
static const struct {
    enum fw_figure figure, by;
} in_proportion[] = {{FW_FIGURE_L2_STORE_BANDWIDTH, FW_FIGURE_L2_BANDWIDTH},
                     {FW_FIGURE_L2_SLICES, FW_FIGURE_L2_BYTES},
                     {FW_FIGURE_ATOMIC_RANDOM_SLICES, FW_FIGURE_ATOMIC_SLICES}};

/* What a figure has here for each 1 of the similar device's; `by`: the name of what tells. */
static double ratio_of(const struct fw_device *device, const struct fw_device *like,
                       enum fw_figure figure, const char **by)
{
    double here, there;
    for (size_t p = 0; p < sizeof(in_proportion) / sizeof(in_proportion[0]); p++) {
        if (in_proportion[p].figure != figure)
            continue;
        *by = fw_figure_row(in_proportion[p].by)->name;
        bool known = fw_device_figure(device, in_proportion[p].by, &here) &&
                     fw_device_figure(like, in_proportion[p].by, &there);
        return known && there > 0 ? here / there : 1;
    }
    return 1;
}

/* To six digits, as what is probed. */
static double scaled(double value, double ratio)
{
    char text[40];
    if (ratio == 1)
        return value;
    snprintf(text, sizeof(text), "%.6g", value * ratio);
    return strtod(text, NULL);
}

static void take(struct fw_device *device, struct fw_arena *arena, const struct fw_device *like,
                 enum fw_figure figure)
{
    struct fw_figure_value *value = &device->figures[figure];
    const char *by = "";
    double ratio = ratio_of(device, like, figure, &by);
    *value = like->figures[figure];
    value->value = scaled(value->value, ratio);
    value->low = scaled(value->low, ratio);
    value->high = scaled(value->high, ratio);
    value->source = FW_SOURCE_SIMILAR;
    value->note = fw_arena_printf(arena, "as of %s%s%s%s%s", like->name,
                                  ratio == 1 ? "" : ", times the ratio of ", ratio == 1 ? "" : by,
                                  *value->note ? ": " : "", like->figures[figure].note);
}

bool fw_probe_complete(struct fw_probe_result *result, struct fw_arena *arena,
                       const struct fw_device *like)
{
    struct fw_device *device = &result->device;
    size_t kept = 0;
    if (!same_figure(device, like, FW_FIGURE_COMPUTE_MAJOR) ||
        !same_figure(device, like, FW_FIGURE_COMPUTE_MINOR))
        return false;
    for (int f = 0; f < FW_FIGURE_COUNT; f++)
        if (!device->figures[f].known && like->figures[f].known)
            take(device, arena, like, (enum fw_figure)f);
    for (size_t m = 0; m < result->missing.count; m++)
        if (!device->figures[result->missing.at[m].figure].known)
            result->missing.at[kept++] = result->missing.at[m];
    result->missing.count = kept;
    device->about =
        fw_arena_printf(arena, "%s What could not be determined is as of %s, or absent.",
                        result->probed, like->name);
    device->like = like->like && *like->like ? like->like : like->name;
    return true;
}
