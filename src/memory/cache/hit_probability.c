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

double written_for_room(const struct fw_caches *caches, double touched)
{
    double size = caches->retained_bytes, sharpness = caches->retained_sharpness;
    double slow = caches->dirty_sharpness > 0 ? caches->dirty_sharpness : sharpness;
    return lost_share(touched, size, touched > size ? fmin(slow, sharpness) : sharpness);
}

double written_share(const struct fw_caches *caches, double touched, double dirty)
{
    double by_all = written_for_room(caches, touched);
    double by_dirty = lost_share(dirty, caches->retained_dirty_bytes, caches->retained_sharpness);
    return 1 - (1 - by_all) * (1 - by_dirty);
}

double written_between(const struct fw_caches *caches, double touched, double dirty, double times,
                       const struct between_launches *between)
{
    double fewer = floor(times), share = times - fewer, least = 1 - 1 / fmax(1, between->waves);
    double sum = 0;
    for (int more = 0; more < 2; more++) {
        double part = fmax(1 / (fewer + more), least), single = between->single;
        double several = written_share(caches, part * touched, part * dirty);
        double by_dirty =
            lost_share(part * dirty, caches->retained_dirty_bytes, caches->retained_sharpness);
        double by_all =
            lost_share(part * touched, between->single_bytes, caches->retained_sharpness);
        sum += (more ? share : 1 - share) *
               ((1 - single) * several + single * (1 - (1 - by_all) * (1 - by_dirty)));
    }
    return sum;
}

double lost_share(double bytes, double size, double sharpness)
{
    return sharpness > 0 ? miss_probability(bytes, size, sharpness) : bytes > size;
}

double miss_probability(double distance, double bytes, double sharpness)
{
    return 1 - exp(-pow(distance / bytes, sharpness > 0 ? sharpness : usual_sharpness));
}
