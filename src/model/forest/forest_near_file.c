/* The points of a process as bytes, and as C. */
#include "forest_near.h"

#include <math.h>
#include <string.h>

enum { NUMBER_BYTES = 4, A_LINE = 8 };

/* Of a process that is read, points alone are set at first. */
static size_t numbers_of(uint32_t points)
{
    return (size_t)points * FW_FOREST_NEAR_COLUMNS;
}

size_t fw_forest_near_length(uint32_t points)
{
    return (numbers_of(points) + points) * NUMBER_BYTES;
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
    write_numbers(out, near->process.at, numbers_of(near->process.points));
    write_numbers(out, near->process.weights, near->process.points);
}

static bool read_numbers(float *to, const char *bytes, size_t count)
{
    bool finite = true;
    for (size_t n = 0; n < count; n++) {
        uint32_t bits = 0;
        for (int b = 0; b < NUMBER_BYTES; b++)
            bits |= (uint32_t)(unsigned char)bytes[n * NUMBER_BYTES + (size_t)b] << (8 * b);
        memcpy(&to[n], &bits, sizeof(bits));
        finite &= isfinite(to[n]) != 0;
    }
    return finite;
}

bool fw_forest_near_read(struct fw_forest_near *near, const char *bytes, struct fw_arena *arena)
{
    const uint32_t points = near->process.points;
    float *at = FW_ARRAY(arena, float, numbers_of(points) + 1);
    float *weights = FW_ARRAY(arena, float, (size_t)points + 1);
    near->process.columns = FW_FOREST_NEAR_COLUMNS;
    near->process.at = at;
    near->process.weights = weights;
    return read_numbers(at, bytes, numbers_of(points)) &&
           read_numbers(weights, bytes + numbers_of(points) * NUMBER_BYTES, points);
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

/* The place, from features and draws. */
static void write_place_c(struct fw_buffer *out, const struct fw_forest_near *near,
                          const double energies[FW_FOREST_DRAW_COUNT],
                          const enum fw_forest_feature *features, uint32_t count)
{
    struct fw_forest_basis basis = {.target = {1, 1}};
    double place[FW_FOREST_NEAR_COLUMNS], unit[FW_FOREST_DRAW_COUNT] = {0};
    fw_buffer_printf(out, "    double watts = 0, place[%d] = {0};\n", FW_FOREST_NEAR_COLUMNS);
    for (int d = 0; d < FW_FOREST_DRAW_COUNT; d++)
        if (energies[d] > 0)
            fw_buffer_printf(out, "    watts += draws[%d] * %.17g;\n", d, energies[d]);
    for (int n = 0; n < FW_FOREST_NEAR_FEATURES; n++)
        for (uint32_t f = 0; f < count; f++)
            if (features[f] == fw_forest_near_feature((uint32_t)n))
                fw_buffer_printf(out, "    place[%d] = features[%lu] * %.17g;\n", n,
                                 (unsigned long)f, near->scales[n]);
    for (int d = 0; d < FW_FOREST_DRAW_COUNT; d++) { /* the share of a draw that is all watts */
        unit[d] = energies[d] > 0;
        basis.features[FW_FOREST_FEATURE_draw_idle + d] = 1;
        fw_forest_near_place(place, near, &basis, unit);
        basis.features[FW_FOREST_FEATURE_draw_idle + d] = 0;
        unit[d] = 0;
        if (energies[d] > 0)
            fw_buffer_printf(out, "    place[%d] = draws[%d] * %.17g / watts;\n",
                             FW_FOREST_NEAR_FEATURES + d, d,
                             energies[d] * place[FW_FOREST_NEAR_FEATURES + d]);
    }
}

void fw_forest_near_write_c(struct fw_buffer *out, const struct fw_forest_near *near,
                            const double energies[FW_FOREST_DRAW_COUNT],
                            const enum fw_forest_feature *features, uint32_t count,
                            const char *name)
{
    const struct fw_process *process = &near->process;
    fw_buffer_printf(out,
                     "\n/* The logarithm by launches near in shares of watts; the correction's is "
                     "the mean of\n * this and of the trees'. */\n#include <math.h>\n\ndouble "
                     "%s(const double *features, const double *draws)\n{\n",
                     name);
    write_array_c(out, "at", process->at, numbers_of(process->points));
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
                     process->mean, (unsigned long)process->points, FW_FOREST_NEAR_COLUMNS,
                     FW_FOREST_NEAR_COLUMNS);
}
