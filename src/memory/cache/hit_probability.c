#include "volume_internal.h"

#include <math.h>

enum { QUANTILES = 8 };

/* Sharpness where a profile has none, as the shape of a Weibull distribution: a cache of few ways
 * whose lines are spread by a hash forgets neither at once (1: random replacement) nor sharply. */
static const double usual = 3;

static double quantile(uint32_t q, uint32_t of, double sharpness)
{
    return pow(-log(1 - (q + 0.5) / of), 1 / (sharpness > 0 ? sharpness : usual));
}

double miss_curve_bytes(const struct miss_curve *pasts, double bytes, double sharpness)
{
    double sum = 0;
    for (uint32_t q = 0; q < QUANTILES; q++) {
        double size = bytes * quantile(q, QUANTILES, sharpness);
        uint32_t i = 0;
        while (i < pasts->count && pasts->at[i].history <= size)
            i++;
        if (i == 0 || i == pasts->count) {
            sum += pasts->at[i ? i - 1 : 0].misses;
            continue;
        }
        const struct miss_point *near = &pasts->at[i - 1], *far = &pasts->at[i];
        double share = (size - near->history) / (far->history - near->history);
        sum += near->misses + share * (far->misses - near->misses);
    }
    return sum / QUANTILES;
}

double miss_share_in_wave(double over, double sharpness)
{
    double sum = 0;
    for (uint32_t q = 0; q < 2 * QUANTILES; q++) {
        double apart = quantile(q, 2 * QUANTILES, sharpness) / over;
        sum += apart < 1 ? (1 - apart) * (1 - apart) : 0;
    }
    return sum / (2 * QUANTILES);
}

double miss_probability(double apart, double bytes, double sharpness)
{
    return 1 - exp(-pow(apart / bytes, sharpness > 0 ? sharpness : usual));
}
