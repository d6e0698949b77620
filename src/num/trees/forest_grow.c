/* Growing one tree. */
#include "forest_internal.h"

#include <math.h>
#include <string.h>

/* ---- rows of a tree ---- */

static void bootstrap(struct forest_work *work)
{
    const struct forest_rows *data = work->data;
    double *weights = work->weights;
    memset(weights, 0, data->rows * sizeof(*weights));
    for (size_t i = 0; i < data->rows; i++)
        weights[forest_below(&work->random, (uint32_t)data->rows)]++;
    for (size_t i = 0; i < data->rows && data->weights; i++)
        weights[i] *= data->weights[i];
}

/* Rows without weight are left out; the number of the others. */
static size_t choose_rows(struct forest_work *work)
{
    const struct forest_rows *data = work->data;
    size_t chosen = 0;
    if (work->settings->kind == FW_FOREST_BOOTSTRAP)
        bootstrap(work);
    for (size_t i = 0; i < data->rows; i++)
        if (work->weights[i] > 0)
            work->index[chosen++] = (uint32_t)i;
    for (size_t f = 0; f < data->features && data->order; f++) {
        size_t sorted = 0;
        for (size_t i = 0; i < data->rows; i++)
            if (work->weights[data->order[f][i]] > 0)
                work->sorted[f][sorted++] = data->order[f][i];
    }
    return chosen;
}

/* ---- nodes ---- */

double forest_absolute_deviation(double *median, const struct forest_work *work, size_t begin,
                                 size_t end)
{
    double all = 0, below = 0, sum = 0;
    const uint32_t *index = work->index;
    for (size_t i = begin; i < end; i++)
        all += work->weights[index[i]];
    *median = work->y[index[end - 1]];
    for (size_t i = begin, found = 0; i < end; i++) {
        double weight = work->weights[index[i]], y = work->y[index[i]];
        double low = fmin(fmax(all * 0.5 - below, 0), weight);
        below += weight;
        sum += y * (weight - 2 * low);
        if (!found && below >= all * 0.5) {
            bool between = below == all * 0.5 && i + 1 < end;
            *median = between ? 0.5 * (y + work->y[index[i + 1]]) : y;
            found = 1;
        }
    }
    return sum;
}

/* The weight of the node's rows, and the sum of weight times target. */
static void add_up(struct forest_node_work *node, const struct forest_work *work)
{
    const uint32_t *index = work->index;
    if (work->weighted) {
        for (size_t i = node->begin; i < node->end; i++) {
            node->weight += work->weights[index[i]];
            node->sum += work->weights[index[i]] * work->y[index[i]];
        }
    } else {
        node->weight = (double)(node->end - node->begin);
        for (size_t i = node->begin; i < node->end; i++)
            node->sum += work->y[index[i]];
    }
}

static double leaf_value(const struct forest_work *work, size_t begin, size_t end)
{
    struct forest_node_work node = {.begin = begin, .end = end};
    double value;
    if (end - begin == 1)
        return work->y[work->index[begin]];
    if (work->settings->criterion == FW_FOREST_ABSOLUTE) {
        forest_absolute_deviation(&value, work, begin, end);
        return value;
    }
    add_up(&node, work);
    return node.sum / node.weight;
}

/* Draws features until enough were looked at and one of them varies; those that vary stand first in
 * `order`.  Their number. */
static uint32_t draw_candidates(struct forest_work *work, const struct forest_node_work *node)
{
    uint32_t features = (uint32_t)work->data->features, found = 0, *order = work->order;
    for (uint32_t seen = 0; seen < features && (seen < work->tried || !found); seen++) {
        uint32_t at = seen + forest_below(&work->random, features - seen), feature = order[at];
        order[at] = order[seen];
        order[seen] = order[found];
        if (work->data->columns)
            forest_few_range(work, node, feature, found);
        if (work->high[feature] > work->low[feature])
            order[found++] = feature;
        else
            order[seen] = feature;
    }
    return found;
}

/* A cut that leaves a row on either side. */
static float draw_cut(struct forest_work *work, uint32_t feature)
{
    double low = (double)work->low[feature], high = (double)work->high[feature];
    float cut = (float)(low + (high - low) * forest_uniform(&work->random));
    return cut < work->high[feature] ? cut : work->low[feature];
}

/* Of two rows every cut is the same. */
static void split_two(struct forest_split *split, struct forest_work *work,
                      const struct forest_node_work *node, uint32_t feature)
{
    const bool squared = work->settings->criterion == FW_FOREST_SQUARED;
    uint32_t left = work->index[node->begin], right = work->index[node->begin + 1];
    double apart = work->y[right] - work->y[left];
    double a = work->weights[left], b = work->weights[right];
    *split = (struct forest_split){.feature = feature,
                                   .cut = draw_cut(work, feature),
                                   .gain = squared ? apart * apart * a * b / (a + b)
                                                   : apart * fmin(a, b),
                                   .values = work->data->columns ? work->drawn : NULL};
}

/* The same from columns: the first feature that is drawn and varies. */
static void split_two_of_columns(struct forest_split *split, struct forest_work *work,
                                 const struct forest_node_work *node)
{
    const struct forest_rows *data = work->data;
    uint32_t features = (uint32_t)data->features, *order = work->order;
    for (uint32_t seen = 0; seen < features; seen++) {
        uint32_t at = seen + forest_below(&work->random, features - seen), feature = order[at];
        const float *column = data->columns + feature * data->rows;
        float *values = work->drawn;
        order[at] = order[seen];
        order[seen] = feature;
        values[0] = column[work->index[node->begin]];
        values[1] = column[work->index[node->begin + 1]];
        if (values[0] == values[1])
            continue;
        work->low[feature] = fminf(values[0], values[1]);
        work->high[feature] = fmaxf(values[0], values[1]);
        split_two(split, work, node, feature);
        return;
    }
}

/* Cuts of candidates are compared. */
static void split_at_random(struct forest_split *split, struct forest_work *work,
                            struct forest_node_work *node)
{
    const bool two = node->end - node->begin == 2, few = work->data->columns;
    *split = (struct forest_split){.feature = UINT32_MAX};
    if (two && few) {
        if (work->settings->leaf < 2)
            split_two_of_columns(split, work, node);
        return;
    }
    if (!few)
        forest_ranges(work, node->begin, node->end);
    uint32_t count = draw_candidates(work, node);
    if (!count)
        return;
    if (two) {
        if (work->settings->leaf < 2)
            split_two(split, work, node, work->order[0]);
        return;
    }
    for (size_t f = 0; f < work->data->stride && !few; f++)
        work->cuts[f] = INFINITY;
    for (uint32_t c = 0; c < count; c++)
        work->cuts[work->order[c]] = draw_cut(work, work->order[c]);
    if (few)
        forest_few_split(split, work, node, count);
    else
        forest_random_split(split, work, node, count);
}

static void split_at_best(struct forest_split *split, struct forest_work *work,
                          const struct forest_node_work *node)
{
    const struct forest_rows *data = work->data;
    for (size_t f = 0; f < data->features; f++) {
        const uint32_t *sorted = work->sorted[f];
        work->low[f] = data->x[sorted[node->begin] * data->stride + f];
        work->high[f] = data->x[sorted[node->end - 1] * data->stride + f];
    }
    uint32_t count = draw_candidates(work, node);
    *split = (struct forest_split){.feature = UINT32_MAX, .gain = -INFINITY};
    for (uint32_t c = 0; c < count; c++)
        forest_best_cut(split, work, node, work->order[c]);
}

/* ---- partition ---- */

/* Rows that go left first, each side in the order that it had; `left` is by row. */
static void divide(uint32_t *rows, uint32_t *spare, const uint8_t *left, size_t count)
{
    size_t kept = 0, moved = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t row = rows[i];
        rows[kept] = row;
        spare[moved] = row;
        kept += left[row];
        moved += !left[row];
    }
    memcpy(rows + kept, spare, moved * sizeof(*rows));
}

/* The same by values of the rows in turn; how many go left. */
static size_t divide_at(uint32_t *rows, uint32_t *spare, const float *values, float cut,
                        size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t row = rows[i];
        rows[kept] = row;
        spare[i - kept] = row;
        kept += values[i] <= cut;
    }
    memcpy(rows + kept, spare, (count - kept) * sizeof(*rows));
    return kept;
}

static size_t partition(struct forest_work *work, const struct forest_node_work *node,
                        const struct forest_split *split)
{
    const struct forest_rows *data = work->data;
    const size_t count = node->end - node->begin, stride = data->stride;
    uint32_t *rows = work->index + node->begin;
    const float *x = data->x + split->feature;
    if (split->values)
        return node->begin + divide_at(rows, work->spare, split->values, split->cut, count);
    for (size_t i = 0; i < count && data->order; i++)
        work->left[rows[i]] = x[rows[i] * stride] <= split->cut;
    for (size_t f = 0; f < data->features && data->order; f++)
        divide(work->sorted[f] + node->begin, work->spare, work->left, count);
    for (size_t i = 0; i < count; i++)
        work->values[i] = x[rows[i] * stride];
    return node->begin + divide_at(rows, work->spare, work->values, split->cut, count);
}

/* ---- the tree ---- */

/* Whether a split is looked for. */
static bool may_split(const struct forest_work *work, const struct waiting_node *at)
{
    const struct fw_forest_settings *settings = work->settings;
    size_t least = settings->split > 2 ? settings->split : 2;
    return at->end - at->begin >= least && (!settings->depth || at->depth < settings->depth) &&
           work->y[work->index[at->begin]] != work->y[work->index[at->end - 1]];
}

static bool find_split(struct forest_split *split, struct forest_work *work,
                       struct forest_node_work *node)
{
    double median;
    if (work->settings->criterion == FW_FOREST_ABSOLUTE)
        node->deviation = forest_absolute_deviation(&median, work, node->begin, node->end);
    if (!work->data->columns)
        add_up(node, work);
    if (work->settings->kind == FW_FOREST_EXTRA)
        split_at_random(split, work, node);
    else
        split_at_best(split, work, node);
    return split->feature != UINT32_MAX;
}

static void make_leaf(struct forest_work *work, const struct waiting_node *at)
{
    const double value = leaf_value(work, at->begin, at->end);
    work->nodes[at->node] = (struct grown_node){.value = forest_leaf(value, work->grid)};
}

/* A node that is sure to be a leaf does not wait. */
static void add_child(struct forest_work *work, struct waiting_node child, size_t *waiting)
{
    if (may_split(work, &child))
        work->stack[(*waiting)++] = child;
    else
        make_leaf(work, &child);
}

static void grow_node(struct grown_tree *tree, struct forest_work *work, size_t *waiting)
{
    const struct waiting_node at = work->stack[--*waiting];
    const uint32_t depth = at.depth + 1;
    struct forest_node_work node = {.begin = at.begin, .end = at.end};
    struct forest_split split;
    if (!find_split(&split, work, &node)) {
        make_leaf(work, &at);
        return;
    }
    size_t middle = partition(work, &node, &split);
    uint32_t left = tree->count;
    tree->count += 2;
    work->nodes[at.node] = (struct grown_node){left, split.feature, split.cut};
    tree->gains[split.feature] += fmax(0, split.gain);
    tree->depth = tree->depth > depth ? tree->depth : depth;
    add_child(work, (struct waiting_node){left + 1, depth, middle, at.end}, waiting);
    add_child(work, (struct waiting_node){left, depth, at.begin, middle}, waiting);
}

void forest_grow(struct grown_tree *tree, struct forest_work *work, uint32_t number)
{
    const size_t features = work->data->features;
    tree->nodes = work->nodes;
    tree->count = 1;
    tree->depth = 0;
    work->random = (struct fw_random){work->settings->seed};
    work->random.state = fw_random_next(&work->random) ^ (number * UINT64_C(0xd1b54a32d192ed03));
    for (uint32_t f = 0; f < features; f++)
        work->order[f] = f;
    size_t waiting = 0;
    add_child(work, (struct waiting_node){.end = choose_rows(work)}, &waiting);
    while (waiting)
        grow_node(tree, work, &waiting);
}
