/* The points of a process as bytes, and as C. */
#include "forest_near.h"

#include <math.h>
#include <string.h>

enum { NUMBER_BYTES = 4, A_LINE = 8 };

static size_t numbers_of(const struct fw_forest_near *near)
{
    return (size_t)near->process.points * fw_forest_near_columns(near->target);
}

size_t fw_forest_near_length(uint32_t points, enum fw_forest_target target)
{
    return ((size_t)fw_forest_near_columns(target) + 1) * points * NUMBER_BYTES;
}

static void write_numbers(struct fw_buffer *out, const float *numbers, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        char bytes[NUMBER_BYTES];
        uint32_t bits;
        memcpy(&bits, &numbers[n], sizeof(bits));
        for (int b = 0; b < NUMBER_BYTES; b++)
            bytes[b] = (char)(unsigned char)(bits >> (8 * b) & 0xff);
        fw_buffer_add(out, bytes, sizeof(bytes));
    }
}

void fw_forest_near_write(struct fw_buffer *out, const struct fw_forest_near *near)
{
    write_numbers(out, near->process.at, numbers_of(near));
    write_numbers(out, near->process.weights, near->process.points);
}

static bool read_numbers(float *to, const char *bytes, size_t count)
{
    bool finite = true;
    for (size_t n = 0; n < count; n++) {
        const unsigned char *at = (const unsigned char *)bytes + n * NUMBER_BYTES;
        const uint32_t bits =
            at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
        memcpy(&to[n], &bits, sizeof(bits));
        finite &= isfinite(to[n]) != 0;
    }
    return finite;
}

bool fw_forest_near_read(struct fw_forest_near *near, const char *bytes, struct fw_arena *arena)
{
    const uint32_t points = near->process.points;
    float *at = FW_ARRAY(arena, float, numbers_of(near) + 1);
    float *weights = FW_ARRAY(arena, float, (size_t)points + 1);
    near->process.columns = fw_forest_near_columns(near->target);
    near->process.at = at;
    near->process.weights = weights;
    return read_numbers(at, bytes, numbers_of(near)) &&
           read_numbers(weights, bytes + numbers_of(near) * NUMBER_BYTES, points);
}

/* ---- C ---- */

static void write_array_c(struct fw_buffer *out, const char *name, const float *numbers,
                          size_t count)
{
    fw_buffer_printf(out, "    static const float %s[] = {", name);
    for (size_t n = 0; n < count; n++)
        fw_buffer_printf(out, "%s%.9g",
                         n % A_LINE ? ", "
                         : n        ? ",\n        "
                                    : "\n        ",
                         (double)numbers[n]);
    fw_buffer_printf(out, "};\n");
}

/* The shares of the place: of watts, by draws; of seconds, by those of the features that are parts
 * of the account. What one counts for is that of a launch that has no other. */
static void write_shares_c(struct fw_buffer *out, const struct fw_forest_near *near,
                           const double energies[FW_FOREST_DRAW_COUNT],
                           const enum fw_forest_feature *features, uint32_t count)
{
    const enum fw_forest_feature *before;
    const uint32_t first = fw_forest_near_features(&before, near->target);
    for (uint32_t f = 0; f < count && near->target == FW_FOREST_SECONDS; f++)
        if (features[f] >= FW_FOREST_FEATURE_part_selected &&
            features[f] < FW_FOREST_FEATURE_draw_idle)
            fw_buffer_printf(out, "    place[%lu] = features[%lu] < 1 ? features[%lu] : 1;\n",
                             (unsigned long)(first + (uint32_t)features[f] -
                                             (uint32_t)FW_FOREST_FEATURE_part_selected),
                             (unsigned long)f, (unsigned long)f);
    for (int d = 0; d < FW_FOREST_DRAW_COUNT && near->target == FW_FOREST_WATTS; d++) {
        struct fw_forest_basis basis = {.target = {1, 1}};
        double place[FW_FOREST_NEAR_COLUMNS], unit[FW_FOREST_DRAW_COUNT] = {0};
        if (!(energies[d] > 0))
            continue;
        unit[d] = basis.features[FW_FOREST_FEATURE_draw_idle + d] = 1;
        fw_forest_near_place(place, near, &basis, unit);
        fw_buffer_printf(out, "    place[%d] = draws[%d] * %.17g / watts;\n", (int)first + d, d,
                         energies[d] * place[first + (uint32_t)d]);
    }
}

/* The place, from features and draws. */
static void write_place_c(struct fw_buffer *out, const struct fw_forest_near *near,
                          const double energies[FW_FOREST_DRAW_COUNT],
                          const enum fw_forest_feature *features, uint32_t count)
{
    const enum fw_forest_feature *wanted;
    const uint32_t first = fw_forest_near_features(&wanted, near->target);
    bool watts = near->target == FW_FOREST_WATTS;
    fw_buffer_printf(out, "    double place[%d] = {0}%s;\n", (int)near->process.columns,
                     watts ? ", watts = 0" : "");
    for (int d = 0; d < FW_FOREST_DRAW_COUNT && watts; d++)
        if (energies[d] > 0)
            fw_buffer_printf(out, "    watts += draws[%d] * %.17g;\n", d, energies[d]);
    for (uint32_t n = 0; n < first; n++)
        for (uint32_t f = 0; f < count; f++)
            if (features[f] == wanted[n])
                fw_buffer_printf(out, "    place[%lu] = features[%lu] * %.17g;\n", (unsigned long)n,
                                 (unsigned long)f, near->scales[n]);
    write_shares_c(out, near, energies, features, count);
}

void fw_forest_near_write_c(struct fw_buffer *out, const struct fw_forest_near *near,
                            const double energies[FW_FOREST_DRAW_COUNT],
                            const enum fw_forest_feature *features, uint32_t count,
                            const char *name)
{
    const struct fw_process *process = &near->process;
    fw_buffer_printf(
        out,
        "\n/* The logarithm by launches near; the correction's is the mean of this and "
        "of the\n * trees'. */\n#include <math.h>\n\ndouble %s(const double "
        "*features%s)\n{\n",
        name, near->target == FW_FOREST_WATTS ? ", const double *draws" : "");
    write_array_c(out, "at", process->at, numbers_of(near));
    write_array_c(out, "weights", process->weights, process->points);
    write_place_c(out, near, energies, features, count);
    fw_buffer_printf(out,
                     "    double value = %.17g;\n"
                     "    for (int p = 0; p < %lu; p++) {\n"
                     "        double sum = 0;\n"
                     "        for (int c = 0; c < %d; c++) {\n"
                     "            double apart = place[c] - (double)at[p * %d + c];\n"
                     "            sum += apart * apart;\n"
                     "        }\n"
                     "        value += (double)weights[p] * exp(-sqrt(sum));\n"
                     "    }\n"
                     "    return value;\n}\n",
                     process->mean, (unsigned long)process->points, (int)process->columns,
                     (int)process->columns);
}
