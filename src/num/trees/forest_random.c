/* Splits of extremely randomized trees: one cut at random for each candidate feature, compared.
 *
 * Where all features are candidates, or many, the node's rows are read as they lie, and all
 * features are worked on in lanes.  Where few are, each candidate's column is read by itself when
 * it is drawn, its values are kept in the order of the node's rows, and lanes have rows. */
#include "forest_internal.h"

#include <math.h>
#include <string.h>

typedef float lanes_float __attribute__((vector_size(32)));
typedef int32_t lanes_int __attribute__((vector_size(32)));
typedef float lanes_half __attribute__((vector_size(16)));
typedef int32_t lanes_count __attribute__((vector_size(16)));
typedef double lanes_double __attribute__((vector_size(32)));
typedef int64_t lanes_long __attribute__((vector_size(32)));

/* Lane by lane, `a` where the condition holds, else `b`. */
#define LANES_PICK(type, mask, condition, a, b)                                                    \
    ((lanes_##type)(((condition) & (lanes_##mask)(a)) | (~(condition) & (lanes_##mask)(b))))

/* Lane by lane, the lesser and the greater of two; the second where they are equal. */
#if defined(__x86_64__)
#include <immintrin.h>
#define HALF_LEAST(a, b) ((lanes_half)_mm_min_ps((__m128)(a), (__m128)(b)))
#define HALF_MOST(a, b)  ((lanes_half)_mm_max_ps((__m128)(a), (__m128)(b)))
#else
#define HALF_LEAST(a, b) LANES_PICK(half, count, (a) < (b), a, b)
#define HALF_MOST(a, b)  LANES_PICK(half, count, (a) > (b), a, b)
#endif

#define LANES(name)       name##_plain
#define LANES_LEAST(a, b) LANES_PICK(float, int, (a) < (b), a, b)
#define LANES_MOST(a, b)  LANES_PICK(float, int, (a) > (b), a, b)
#define LANES_TARGET
#include "forest_lanes.h"
#undef LANES
#undef LANES_LEAST
#undef LANES_MOST
#undef LANES_TARGET

#if defined(__x86_64__)
#define LANES(name)       name##_avx2
#define LANES_LEAST(a, b) ((lanes_float)_mm256_min_ps((__m256)(a), (__m256)(b)))
#define LANES_MOST(a, b)  ((lanes_float)_mm256_max_ps((__m256)(a), (__m256)(b)))
#define LANES_TARGET      __attribute__((target("avx2")))
#include "forest_lanes.h"
#undef LANES
#undef LANES_LEAST
#undef LANES_MOST
#undef LANES_TARGET
#define CALL(name, ...)                                                                            \
    (__builtin_cpu_supports("avx2") ? name##_avx2(__VA_ARGS__) : name##_plain(__VA_ARGS__))
#else
#define CALL(name, ...) name##_plain(__VA_ARGS__)
#endif

void forest_ranges(struct forest_work *work, size_t begin, size_t end)
{
    CALL(ranges, work->low, work->high, work->data, work->index + begin, end - begin);
}

/* Weights of the rows on the left, by feature. */
static const double *left_weights(struct forest_work *work, const struct forest_node_work *node)
{
    const size_t stride = work->data->stride, rows = node->end - node->begin;
    if (work->weighted) {
        for (size_t i = 0; i < rows; i++)
            work->wide[i] = work->weights[work->index[node->begin + i]];
        CALL(sums, work->shares, work->counts, work->cuts, work->data, work->index + node->begin,
             work->wide, rows);
        return work->shares;
    }
    for (size_t f = 0; f < stride; f++)
        work->shares[f] = work->counts[f];
    return work->shares;
}

static void find_sums(struct forest_work *work, const struct forest_node_work *node)
{
    const uint32_t *index = work->index + node->begin;
    const size_t rows = node->end - node->begin;
    bool squared = work->settings->criterion == FW_FOREST_SQUARED;
    double *values = work->wide;
    for (size_t i = 0; i < rows; i++)
        values[i] = work->weighted && squared ? work->y[index[i]] * work->weights[index[i]]
                                              : work->y[index[i]];
    CALL(sums, work->sums, work->counts, work->cuts, work->data, index, values, rows);
    const double *left = left_weights(work, node);
    if (squared)
        return;
    double *weights = work->wide + rows;
    for (size_t i = 0; i < rows; i++) {
        values[i] = work->y[index[i]];
        weights[i] = work->weights[index[i]];
    }
    CALL(deviations, work->sums, left, node->weight, work->cuts, work->data, index, values, weights,
         rows);
}

void forest_random_split(struct forest_split *split, struct forest_work *work,
                         const struct forest_node_work *node, uint32_t count)
{
    const struct fw_forest_settings *settings = work->settings;
    const size_t rows = node->end - node->begin;
    const size_t least = settings->leaf > 1 ? settings->leaf : 1;
    *split = (struct forest_split){.feature = UINT32_MAX, .gain = -INFINITY};
    find_sums(work, node);
    for (uint32_t c = 0; c < count; c++) {
        uint32_t f = work->order[c];
        size_t left = (size_t)work->counts[f];
        if (left < least || rows - left < least)
            continue;
        double gain = settings->criterion == FW_FOREST_SQUARED
                          ? forest_squared_gain(node, work->sums[f], work->shares[f])
                          : node->deviation - work->sums[f];
        if (gain > split->gain)
            *split = (struct forest_split){.feature = f, .cut = work->cuts[f], .gain = gain};
    }
}

/* ---- few candidates ---- */

static size_t whole_blocks(size_t count)
{
    return (count + FOREST_BLOCK - 1) / FOREST_BLOCK * FOREST_BLOCK;
}

void forest_few_range(struct forest_work *work, const struct forest_node_work *node,
                      uint32_t feature, uint32_t place)
{
    const size_t rows = work->data->rows;
    CALL(column_range, &work->low[feature], &work->high[feature],
         work->drawn + place * whole_blocks(rows), work->data->columns + feature * rows,
         work->index + node->begin, node->end - node->begin);
}

/* Targets and weights of the node's rows in turn, and what they add up to. */
static void read_targets(struct forest_node_work *node, double *targets, double *weights,
                         const struct forest_work *work)
{
    const uint32_t *index = work->index + node->begin;
    const size_t rows = node->end - node->begin;
    double sums[2] = {0, 0};
    size_t i = 0;
    if (work->weighted) {
        for (; i < rows; i++) {
            weights[i] = work->weights[index[i]];
            targets[i] = weights[i] * work->y[index[i]];
            node->weight += weights[i];
            sums[0] += targets[i];
        }
    } else {
        for (; i + 2 <= rows; i += 2) { /* neither sum waits for the other */
            sums[0] += targets[i] = work->y[index[i]];
            sums[1] += targets[i + 1] = work->y[index[i + 1]];
        }
        if (i < rows)
            sums[0] += targets[i] = work->y[index[i]];
        node->weight = (double)rows;
    }
    node->sum = sums[0] + sums[1];
}

void forest_few_split(struct forest_split *split, struct forest_work *work,
                      struct forest_node_work *node, uint32_t count)
{
    const size_t rows = node->end - node->begin, padded = whole_blocks(rows);
    const size_t least = work->settings->leaf > 1 ? work->settings->leaf : 1;
    double *targets = work->wide, *weights = work->wide + padded;
    *split = (struct forest_split){.feature = UINT32_MAX, .gain = -INFINITY};
    read_targets(node, targets, weights, work);
    for (uint32_t c = 0; c < count; c++) {
        uint32_t feature = work->order[c];
        const float *values = work->drawn + c * whole_blocks(work->data->rows);
        float cut = work->cuts[feature];
        int32_t left;
        double sum = CALL(column_sum, &left, cut, values, targets, padded), weight = left;
        if (work->weighted)
            weight = CALL(column_sum, &left, cut, values, weights, padded);
        if ((size_t)left < least || rows - (size_t)left < least)
            continue;
        double gain = forest_squared_gain(node, sum, weight);
        if (gain > split->gain)
            *split = (struct forest_split){feature, cut, gain, values};
    }
}
