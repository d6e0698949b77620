#include "volume_internal.h"

#include <math.h>

enum { QUANTILES = 8 };

/* The sharpness where a profile has none: the shape parameter of a Weibull distribution of the
 * history that a cache holds. 1 would be random replacement, infinity would be LRU with full
 * associativity; a hashed cache of few ways lies between.  Source: a round number, chosen with the
 * V100's published measurements in sight (docs/memory-traffic.md). */
static const double usual_sharpness = 3;

static double quantile(uint32_t q, uint32_t of, double sharpness)
{
    return pow(-log(1 - (q + 0.5) / of), 1 / (sharpness > 0 ? sharpness : usual_sharpness));
}

double miss_curve_bytes(const struct miss_curve *curve, double bytes, double sharpness)
{
    double sum = 0;
    for (uint32_t q = 0; q < QUANTILES; q++) {
        double size = bytes * quantile(q, QUANTILES, sharpness);
        uint32_t i = 0;
        while (i < curve->count && curve->at[i].history <= size)
            i++;
        if (i == 0 || i == curve->count) {
            sum += curve->at[i ? i - 1 : 0].misses;
            continue;
        }
        const struct miss_point *near = &curve->at[i - 1], *far = &curve->at[i];
        double share = (size - near->history) / (far->history - near->history);
        sum += near->misses + share * (far->misses - near->misses);
    }
    return sum / QUANTILES;
}

double miss_share_in_wave(double oversubscription, double sharpness)
{
    double sum = 0;
    for (uint32_t q = 0; q < 2 * QUANTILES; q++) {
        double distance = quantile(q, 2 * QUANTILES, sharpness) / oversubscription;
        sum += distance < 1 ? (1 - distance) * (1 - distance) : 0;
    }
    return sum / (2 * QUANTILES);
}

double miss_probability(double distance, double bytes, double sharpness)
{
    return 1 - exp(-pow(distance / bytes, sharpness > 0 ? sharpness : usual_sharpness));
}
