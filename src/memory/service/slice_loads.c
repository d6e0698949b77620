#include "slice_loads.h"

#include "random.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_SLICES = 1024,
    DRAWS = 8,  /* of slices for all granules */
    FEW = 64,   /* granules of a slice, of which one has a third more than the mean by chance */
    STEPS = 200 /* of mean value analysis, at most: 20 to 80 are needed */
};

static int descending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* What slices have, from the one with most to the one with least, in the mean of several draws; the
 * sum is 1.  Very many granules have it evenly. */
static void draw(double *has, uint32_t slices, const struct fw_granule_part *loads)
{
    double drawn[MOST_SLICES], rest = 1;
    struct fw_random random = {1};
    for (uint32_t g = 0; g < loads->count; g++)
        rest -= loads->shares[g];
    rest = fmax(0, rest);
    const uint32_t others =
        loads->others >= 1 && loads->others < FEW * slices ? (uint32_t)loads->others : 0;
    for (uint32_t s = 0; s < slices; s++)
        has[s] = others ? 0 : rest / slices;
    for (uint32_t d = 0; d < DRAWS; d++) {
        for (uint32_t s = 0; s < slices; s++)
            drawn[s] = 0;
        for (uint32_t g = 0; g < loads->count; g++)
            drawn[fw_random_next(&random) % slices] += loads->shares[g];
        for (uint32_t g = 0; g < others; g++)
            drawn[fw_random_next(&random) % slices] += rest / others;
        qsort(drawn, slices, sizeof(*drawn), descending);
        for (uint32_t s = 0; s < slices; s++)
            has[s] += drawn[s] / DRAWS;
    }
}

/* Passes a second of the network, in those of one slice. */
static double rate(const double *has, uint32_t slices, double customers)
{
    static const double enough = 1e-6;
    double queues[MOST_SLICES], waits[MOST_SLICES], passes = 0;
    for (uint32_t s = 0; s < slices; s++)
        queues[s] = customers * has[s];
    for (uint32_t i = 0; i < STEPS; i++) {
        double sum = 0, moved = 0;
        for (uint32_t s = 0; s < slices; s++)
            sum += waits[s] = has[s] * (1 + queues[s] * (customers - 1) / customers);
        passes = customers / sum;
        for (uint32_t s = 0; s < slices; s++) {
            moved = fmax(moved, fabs(passes * waits[s] - queues[s]));
            queues[s] = passes * waits[s];
        }
        if (moved < enough * customers)
            break;
    }
    return passes;
}

/* The mean over 2^level parts of the launch. */
static double uneven(const struct fw_granule_loads *loads, uint32_t level, double slices,
                     double beside)
{
    /* All slices alike: n slices and m customers make n m / (m + n - 1) times the rate of one. */
    const double customers = fmax(1, beside * (slices - 1) / (slices - beside));
    const uint32_t count = (uint32_t)1 << level;
    double has[MOST_SLICES], sum = 0;
    for (uint32_t p = 0; p < count; p++) {
        const struct fw_granule_part *part = &loads->parts[count - 1 + p];
        if (!(part->passes > 0))
            continue;
        draw(has, (uint32_t)slices, part);
        sum += part->passes * fmax(1, beside / rate(has, (uint32_t)slices, customers));
    }
    return fmax(1, sum);
}

double fw_slices_uneven(const struct fw_granule_loads *loads, double slices, double beside,
                        double parts)
{
    if (!loads->levels || !(slices > beside) || !(beside > 1) || slices > MOST_SLICES)
        return 1;
    const double level = fmin(log2(fmax(1, parts)), loads->levels - 1), low = floor(level);
    double times = uneven(loads, (uint32_t)low, slices, beside);
    if (level > low)
        times += (level - low) * (uneven(loads, (uint32_t)low + 1, slices, beside) - times);
    return times;
}
