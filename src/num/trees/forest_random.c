/* Splits of extremely randomized trees: one cut at random for each candidate feature, compared. */
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

#define LANES(name) name##_plain
#define LANES_TARGET
#include "forest_lanes.h"
#undef LANES
#undef LANES_TARGET

#if defined(__x86_64__)
#define LANES(name)  name##_avx2
#define LANES_TARGET __attribute__((target("avx2")))
#include "forest_lanes.h"
#undef LANES
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

/* Lessens the sum of squared deviations by sum_left^2 / weight_left + sum_right^2 / weight_right
 * less the same of the whole node. */
static double squared_gain(const struct forest_node_work *node, double sum, double weight)
{
    double other = node->sum - sum, rest = node->weight - weight;
    return sum * sum / weight + other * other / rest - node->sum * node->sum / node->weight;
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
                          ? squared_gain(node, work->sums[f], work->shares[f])
                          : node->deviation - work->sums[f];
        if (gain > split->gain)
            *split = (struct forest_split){f, work->cuts[f], gain};
    }
}
