/* How far the warps of a multiprocessor differ in how many of their requests L2 lacks.
 *
 * Which lines L2 lacks is chance where it lacks few, so that some warps miss more often than
 * others.  Where blocks wait for places, others make up for it.  Where all are resident at once,
 * the launch lasts as long as the warps that miss most. */
#include "simulate_internal.h"

#include <math.h>

/* Standard deviations that a count is off its mean by at most, and as many counts beside. */
static const double FARTHEST = 8;

/* Means of a binomial distribution's parts of equal probability, from the least counts on, as
 * shares of `mean`: `count` of them.  Its trials need not be a whole number. */
static void part_means(double *parts, uint32_t count, double trials, double mean)
{
    const double share = fmin(1, mean / trials), odds = share / (1 - share);
    const double apart = FARTHEST * sqrt(mean * (1 - share)) + FARTHEST;
    const double first = fmax(0, floor(mean - apart)), last = ceil(fmin(trials, mean + apart));
    double all = 0, weight = 1, below = 0;
    for (double k = first; k <= last; k++) {
        all += weight;
        weight *= fmax(0, trials - k) / (k + 1) * odds;
    }
    weight = 1;
    uint32_t part = 0;
    for (double k = first; k <= last; k++) {
        double left = weight / all * count; /* in parts */
        while (left > 0 && part < count) {
            const double room = part + 1 - below, here = fmin(left, room);
            parts[part] += here * k / mean;
            below += here;
            left -= here;
            part += here < room ? 0 : 1;
        }
        weight *= fmax(0, trials - k) / (k + 1) * odds;
    }
}

/* Warps that lie side by side get places of all quantiles: steps of the golden ratio. */
static double place_of(uint32_t warp)
{
    const double at = 0.6180339887498949 * warp;
    return at - floor(at);
}

void machine_open_chances(struct machine *m)
{
    const struct fw_sm_simulation *of = m->of;
    const uint32_t warps = (uint32_t)fmin(m->warp_count, ceil(of->blocks) * of->warps);
    /* Where half of them miss, each warp waits for device memory most of the time, and how many
     * more do so matters no longer. */
    const double few = of->chances > 0 ? 1 - 2 * of->chance_misses / of->chances : 0;
    if (!(of->chance_misses > 0) || !(few > 0) || of->blocks > of->resident)
        return;
    double *parts = FW_ARRAY(m->arena, double, warps);
    part_means(parts, warps, of->chances, of->chance_misses);
    m->missing = FW_ARRAY(m->arena, double, m->warp_count);
    for (uint32_t w = 0; w < warps; w++) {
        uint32_t below = 0;
        for (uint32_t other = 0; other < warps; other++)
            below += place_of(other) < place_of(w);
        m->missing[w] = 1 + few * (parts[below] - 1);
    }
}
