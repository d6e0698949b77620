/* What a wave of blocks moves between L2 and device memory while it runs a loop: iteration by
 * iteration, as l1_volume.c does for one block, when its blocks are in step, and what it reads
 * again of what they share when they are not. */
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

/* What blocks share.
 *
 * Each partition of L2 holds what its own multiprocessors load, so that a line of n blocks which
 * may be anywhere takes its place in P (1 - (1 - 1/P)^n) of P partitions.
 *
 * Blocks of the first wave begin together and, where multiprocessors have time left, end together,
 * and so do those of later waves: each wave reads once what its blocks share.  Where the warps of a
 * multiprocessor compete, blocks end one by one, and blocks that are far from each other in launch
 * order come to what they share (panels of columns, by the rows of a product's blocks) at any time
 * of each other's loops.  Of n such blocks, none comes to a line during the part x of a loop with
 * the probability (1 - x)^n; what n' blocks share has been touched meanwhile with the probability
 * 1 - (1 - x)^n'.  Source: product in data/h100/again, and the lives of its blocks. */

enum { PARTS = 2 /* of a wave */, POINTS = 16 };

/* The share of a multiprocessor's warps beyond which they compete.  Source: lives.jsonl in
 * data/h100/again: blocks of matmul_register4 end one by one where 40 of 64 warps are resident, and
 * together where 8 to 32 are. */
static const double competing = 0.5;

/* Blocks that are near to each other in launch order begin together.  Of what such blocks share,
 * the two halves of a wave share less than this. */
static const double least_throughout = 0.5;

/* What fewer blocks load, such as halos, they load at nearly the same time. */
static const double least_sharers = 2;

/* What a wave loads of an array. */
struct shared_array {
    double lines;   /* bytes, each once */
    double fetches; /* each once */
    double sharers; /* blocks that load the same */
};

/* 1 without them. */
static double partitions_of(const struct fw_caches *caches)
{
    const double bytes = caches->l2_partition_bytes;
    return bytes > 0 ? fmax(1, caches->whole_l2_bytes / bytes) : 1;
}

static struct shared_array shared_by(const struct waves *waves, int64_t first, int64_t step,
                                     uint32_t array)
{
    const int64_t middle = first + step / 2;
    const struct fw_window wave = {first, first + step, 0, 1, FW_FOOTPRINT_LOADS};
    const struct fw_window one = {middle, middle + 1, 0, 1, FW_FOOTPRINT_LOADS};
    struct shared_array shared = {.sharers = 1};
    shared.fetches = fw_footprint_count(waves->fetches, &wave, 1, array);
    if (!(shared.fetches > 0))
        return shared;
    shared.lines = waves->caches->line * fw_footprint_count(waves->lines, &wave, 1, array);
    shared.sharers = (double)step * fw_footprint_count(waves->fetches, &one, 1, array);
    shared.sharers = fmax(1, shared.sharers / shared.fetches);
    return shared;
}

bool wave_stays(const struct waves *waves, int64_t first, int64_t step)
{
    const double partitions = partitions_of(waves->caches);
    double held = 0;
    for (uint32_t a = 0; a < waves->arrays; a++) {
        const struct shared_array shared = shared_by(waves, first, step, a);
        held += shared.lines * partitions * (1 - pow(1 - 1 / partitions, shared.sharers));
    }
    return held <= waves->caches->whole_l2_bytes;
}

bool waves_drift(const struct waves *waves)
{
    const struct fw_caches *caches = waves->caches;
    const double warps = (double)caches->resident_blocks * (double)waves->warps;
    return caches->l2_partition_bytes > 0 && caches->most_warps > 0 &&
           warps > competing * caches->most_warps && !is_single_wave(waves) && waves->wave >= PARTS;
}

/* Whether what a wave loads of an array is shared by blocks that are far from each other. */
static bool is_shared_throughout(const struct waves *waves, int64_t first, uint32_t array)
{
    const int64_t part = waves->wave / PARTS, last = first + waves->wave;
    const struct fw_window ends[2] = {{first, first + part, 0, 1, FW_FOOTPRINT_LOADS},
                                      {last - part, last, 0, 1, FW_FOOTPRINT_LOADS}};
    const double begin = fw_footprint_count(waves->fetches, &ends[0], 1, array);
    const double end = fw_footprint_count(waves->fetches, &ends[1], 1, array);
    const double both = begin + end - fw_footprint_count(waves->fetches, ends, 2, array);
    return both >= least_throughout * begin;
}

/* The probability that one partition of L2 has lost a line of `sharers` blocks when the next of
 * them comes to it.  `stored`: bytes of lines that the wave stores. */
static double lost_between(const struct waves *waves, const struct shared_array *arrays,
                           double stored, double sharers)
{
    const struct fw_caches *caches = waves->caches;
    double sum = 0;
    for (int p = 0; p < POINTS; p++) {
        const double none = (p + 0.5) / POINTS; /* the probability that none has come yet */
        double touched = stored * (1 - pow(none, 1 / sharers));
        for (uint32_t a = 0; a < waves->arrays; a++)
            touched += arrays[a].lines * (1 - pow(none, arrays[a].sharers / sharers));
        sum += miss_probability(touched, caches->l2_partition_bytes, caches->l2_sharpness);
    }
    return sum / POINTS;
}

double moved_apart(const struct waves *waves, int64_t first, bool stays, struct fw_arena *arena)
{
    const struct fw_caches *caches = waves->caches;
    const int64_t before = first > waves->wave ? first - waves->wave : 0;
    const struct fw_window both[2] = {{before, first, 0, 1, FW_FOOTPRINT_ALL},
                                      {first, first + waves->wave, 0, 1, FW_FOOTPRINT_LOADS}};
    const struct fw_window stores = {first, first + waves->wave, 0, 1, FW_FOOTPRINT_STORES};
    const double stored = caches->line * fw_footprint_count(waves->lines, &stores, 1, FW_NONE);
    const double own = 1 / partitions_of(caches); /* of requests, those to their own partition */
    struct shared_array *arrays = FW_ARRAY(arena, struct shared_array, waves->arrays + 1);
    double more = 0;
    for (uint32_t a = 0; a < waves->arrays; a++) {
        arrays[a] = shared_by(waves, first, waves->wave, a);
        if (arrays[a].sharers > 1 && !is_shared_throughout(waves, first, a))
            arrays[a].sharers = 1;
    }
    for (uint32_t a = 0; a < waves->arrays; a++) {
        if (arrays[a].sharers < least_sharers)
            continue;
        const double new = fw_footprint_count(waves->fetches, both, 2, a) -
                           fw_footprint_count(waves->fetches, both, 1, a);
        const double lost = lost_between(waves, arrays, stored, arrays[a].sharers);
        const double read = lost * (own + (1 - own) * lost); /* the line's own partition, too */
        more += (arrays[a].sharers * arrays[a].fetches - new) * read;
        more += stays ? 0 : new - arrays[a].fetches;
    }
    return caches->fetch * more;
}
