/* What a wave of blocks moves between L2 and device memory while it runs a loop, iteration by
 * iteration, as l1_volume.c does for one block. */
#include "waves.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 12 /* iterations */, MOST_BETWEEN = 4 /* histories */ };

/* A smaller part of what an iteration asks for is not looked for between histories. */
static const double least_change = 0.01;

/* A cache holds all of so small a part of its size. */
static const double least_size = 0.6;

bool waves_are_spent(const struct waves *waves)
{
    enum { MOST_BOXES = 1 << 20 };
    return fw_footprint_boxes(waves->sectors) + fw_footprint_boxes(waves->fetches) +
               fw_footprint_boxes(waves->lines) + fw_footprint_boxes(waves->words) >
           MOST_BOXES;
}

/* A wave whose blocks run a loop in step. */
struct stepped_wave {
    const struct waves *waves;
    int64_t first, step; /* its blocks */
    double share;        /* of the lifetime, one iteration */
    bool loads;          /* what counts: loads, or stores */
};

/* One of each sixth of the iterations, out of step with any period of theirs. */
static int64_t sampled_iteration(int64_t iterations, int sample)
{
    double place = fmod(0.31 + sample * 0.6180339887498949, 1);
    int64_t at = (int64_t)((sample + place) * (double)iterations / SAMPLES);
    return at < iterations ? at : iterations - 1;
}

/* What an iteration misses behind the `back` iterations before it. */
static struct miss_point behind_iterations(const struct stepped_wave *wave, int64_t iteration,
                                           int64_t back)
{
    const struct waves *waves = wave->waves;
    const struct fw_caches *caches = waves->caches;
    struct fw_footprint *footprint = wave->loads ? waves->fetches : waves->sectors;
    double begin = (double)iteration * wave->share, end = fmin(1, begin + wave->share);
    int64_t from = iteration - back > 0 ? iteration - back : 0;
    struct fw_window windows[2] = {{wave->first, wave->first + wave->step,
                                    (double)from * wave->share, begin, FW_FOOTPRINT_ALL},
                                   {wave->first, wave->first + wave->step, begin, end,
                                    wave->loads ? FW_FOOTPRINT_LOADS : FW_FOOTPRINT_STORES}};
    uint32_t before = from < iteration;
    const struct fw_window *both = before ? windows : &windows[1];
    struct miss_point point;
    point.history = caches->line * fw_footprint_count(waves->lines, both, before + 1, FW_NONE);
    windows[0].of = wave->loads ? FW_FOOTPRINT_ALL : FW_FOOTPRINT_STORES;
    point.misses = (wave->loads ? caches->fetch : caches->sector) *
                   (fw_footprint_count(footprint, both, before + 1, FW_NONE) -
                    (before ? fw_footprint_count(footprint, windows, 1, FW_NONE) : 0));
    return point;
}

/* Adds histories between the last that fits into `size` and the first that does not, where what is
 * missed changes: a loop may find all that it loads behind one iteration and nothing behind the
 * next. */
static void find_step(struct miss_curve *curve, int64_t *back, const struct stepped_wave *wave,
                      int64_t iteration, double size)
{
    uint32_t i = 0;
    while (i < curve->count && curve->at[i].history <= size)
        i++;
    for (int p = 0; p < MOST_BETWEEN && i > 0 && i < curve->count && curve->count < MAX_MISS_POINTS;
         p++) {
        double change = curve->at[i - 1].misses - curve->at[i].misses;
        int64_t middle = back[i - 1] + (back[i] - back[i - 1]) / 2;
        if (middle == back[i - 1] || change <= least_change * curve->at[0].misses)
            break;
        memmove(&curve->at[i + 1], &curve->at[i], (curve->count - i) * sizeof(curve->at[0]));
        memmove(&back[i + 1], &back[i], (curve->count - i) * sizeof(back[0]));
        curve->count++;
        curve->at[i] = behind_iterations(wave, iteration, middle);
        back[i] = middle;
        i += curve->at[i].history <= size;
    }
}

/* What an iteration misses, by what L2 holds.  Gives what it misses behind all iterations before.
 */
static double curve_of(struct miss_curve *curve, const struct stepped_wave *wave, int64_t iteration,
                       double size)
{
    int64_t backs[MAX_MISS_POINTS];
    const struct miss_point whole = behind_iterations(wave, iteration, iteration);
    curve->at[0] = behind_iterations(wave, iteration, 0);
    backs[0] = 0;
    curve->count = 1;
    if (whole.misses > (1 - least_change) * curve->at[0].misses ||
        whole.history <= least_size * size) {
        curve->at[0].misses = whole.misses; /* it finds nothing, or all that there is */
        return whole.misses;
    }
    for (int64_t back = 1; back < iteration && curve->count < MAX_MISS_POINTS - MOST_BETWEEN - 1;
         back *= 2) {
        backs[curve->count] = back;
        curve->at[curve->count++] = behind_iterations(wave, iteration, back);
        if (curve->at[curve->count - 1].history > 2 * size)
            break;
    }
    backs[curve->count] = iteration;
    curve->at[curve->count++] = whole;
    find_step(curve, backs, wave, iteration, size);
    return whole.misses;
}

double moved_in_step(const struct waves *waves, int64_t first, int64_t step, bool loads,
                     double distinct, double *lines)
{
    int64_t all = loads ? waves->iterations : waves->store_iterations;
    int64_t group = loads ? waves->group : 1, iterations = (all + group - 1) / group;
    const struct stepped_wave wave = {waves, first, step, (double)group / (double)all, loads};
    const struct fw_caches *caches = waves->caches;
    double again = 0, sharpness = caches->l2_sharpness, size = caches->l2_bytes;
    int taken = 0;
    const bool known = !loads || !waves->in_place; /* samples tell less exactly what is new */
    if (loads && caches->l2_own_sharpness > 0) {   /* blocks load again what they have loaded */
        sharpness = caches->l2_own_sharpness;
        size = fmax(size, caches->l2_loads_bytes);
    }
    *lines = 0;
    for (; taken < SAMPLES && !(taken && waves_are_spent(waves)); taken++) {
        struct miss_curve curve;
        double new = curve_of(&curve, &wave, sampled_iteration(iterations, taken), size);
        *lines += curve.at[0].history;
        again += miss_curve_bytes(&curve, size, sharpness) - (known ? new : 0);
    }
    *lines /= (double)(taken ? taken : 1);
    again *= taken ? (double)iterations / (double)taken : 0;
    return known ? distinct + again : again;
}
