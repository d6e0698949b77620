/* Splits of random forests: the best cut of a feature, over the node's rows in its order. */
#include "forest_internal.h"

#include <math.h>
#include <string.h>

/* Between two values, such that the lower one is at most the cut and the higher one is not. */
static float cut_between(float low, float high)
{
    float cut = (float)(0.5 * ((double)low + (double)high));
    return cut < high ? cut : low;
}

struct scan {
    struct forest_split *split;
    struct forest_work *work;
    const struct forest_node_work *node;
    const uint32_t *sorted;
    uint32_t feature;
    size_t rows, least;
};

static float value_at(const struct scan *scan, size_t i)
{
    const struct forest_rows *data = scan->work->data;
    return data->x[scan->sorted[i] * data->stride + scan->feature];
}

/* Whether a cut behind the first `left` rows is one. */
static bool is_cut(const struct scan *scan, size_t left)
{
    return left >= scan->least && scan->rows - left >= scan->least &&
           value_at(scan, left - 1) < value_at(scan, left);
}

static void offer(const struct scan *scan, size_t left, double gain)
{
    if (gain > scan->split->gain)
        *scan->split = (struct forest_split){
            .feature = scan->feature,
            .cut = cut_between(value_at(scan, left - 1), value_at(scan, left)),
            .gain = gain};
}

static void scan_squared(const struct scan *scan)
{
    const struct forest_work *work = scan->work;
    const struct forest_node_work *node = scan->node;
    double sum = 0, weight = 0, whole = node->sum * node->sum / node->weight;
    for (size_t left = 1; left < scan->rows; left++) {
        uint32_t row = scan->sorted[left - 1];
        weight += work->weights[row];
        sum += work->weights[row] * work->y[row];
        if (!is_cut(scan, left))
            continue;
        double other = node->sum - sum, rest = node->weight - weight;
        offer(scan, left, sum * sum / weight + other * other / rest - whole);
    }
}

/* ---- absolute deviations: Fenwick trees over the node's rows by target ---- */

/* Adds a row, and gives the sum of absolute deviations from the median of all rows added so far.
 * Fenwick, A new data structure for cumulative frequency tables, 1994. */
static double add_row(struct forest_work *work, size_t rows, uint32_t row, double *weight,
                      double *sum)
{
    double *weights = work->tree_weights, *sums = work->tree_sums, below = 0, low = 0;
    double own = work->weights[row], y = work->y[row];
    size_t at = 0, step = 1;
    for (size_t i = work->rank[row] + 1; i <= rows; i += i & -i) {
        weights[i] += own;
        sums[i] += own * y;
    }
    *weight += own;
    *sum += own * y;
    while (step * 2 <= rows)
        step *= 2;
    for (; step; step /= 2) /* as many rows as have less than half of the weight */
        if (at + step <= rows && below + weights[at + step] < *weight * 0.5) {
            at += step;
            below += weights[at];
            low += sums[at];
        }
    double median = work->reach[at]; /* the row behind them */
    return *sum - low - median * (*weight - below) - (low - median * below);
}

static void deviations(struct forest_work *work, const struct scan *scan, bool backwards)
{
    double weight = 0, sum = 0;
    double *to = work->wide;
    memset(work->tree_weights, 0, (scan->rows + 1) * sizeof(double));
    memset(work->tree_sums, 0, (scan->rows + 1) * sizeof(double));
    for (size_t i = 0; i < scan->rows; i++) {
        size_t at = backwards ? scan->rows - 1 - i : i;
        double deviation = add_row(work, scan->rows, scan->sorted[at], &weight, &sum);
        if (backwards) /* of the rows from `at` on, beside that of those before it */
            to[at] = (at ? to[at - 1] : 0) + deviation;
        else
            to[at] = deviation;
    }
}

static void scan_absolute(const struct scan *scan)
{
    struct forest_work *work = scan->work;
    for (size_t i = 0; i < scan->rows; i++) {
        uint32_t row = work->index[scan->node->begin + i];
        work->rank[row] = (uint32_t)i;
        work->reach[i] = work->y[row];
    }
    deviations(work, scan, false);
    deviations(work, scan, true);
    for (size_t left = 1; left < scan->rows; left++)
        if (is_cut(scan, left))
            offer(scan, left, scan->node->deviation - work->wide[left]);
}

void forest_best_cut(struct forest_split *split, struct forest_work *work,
                     const struct forest_node_work *node, uint32_t feature)
{
    const struct scan scan = {.split = split,
                              .work = work,
                              .node = node,
                              .sorted = work->sorted[feature] + node->begin,
                              .feature = feature,
                              .rows = node->end - node->begin,
                              .least = work->settings->leaf > 1 ? work->settings->leaf : 1};
    if (work->settings->criterion == FW_FOREST_SQUARED)
        scan_squared(&scan);
    else
        scan_absolute(&scan);
}
