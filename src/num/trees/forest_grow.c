/* Growing one tree. */
#include "forest_internal.h"

#include <math.h>
#include <string.h>

struct waiting {
    uint32_t node, depth;
    size_t begin, end;
};

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

static void describe(struct forest_node_work *node, double *value, const struct forest_work *work)
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
    *value = node->sum / node->weight;
    if (work->settings->criterion == FW_FOREST_ABSOLUTE)
        node->deviation = forest_absolute_deviation(value, work, node->begin, node->end);
}

/* Draws features until enough were looked at and one of them varies; those that vary stand first in
 * `order`.  Their number. */
static uint32_t draw_candidates(struct forest_work *work)
{
    uint32_t features = (uint32_t)work->data->features, found = 0, *order = work->order;
    for (uint32_t seen = 0; seen < features && (seen < work->tried || !found); seen++) {
        uint32_t at = seen + forest_below(&work->random, features - seen), feature = order[at];
        order[at] = order[seen];
        order[seen] = order[found];
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

/* Of two rows every cut is the same; of others the cuts are compared. */
static void split_at_random(struct forest_split *split, struct forest_work *work,
                            const struct forest_node_work *node)
{
    forest_ranges(work, node->begin, node->end);
    uint32_t count = draw_candidates(work);
    *split = (struct forest_split){.feature = UINT32_MAX};
    if (!count)
        return;
    if (node->end - node->begin == 2) {
        uint32_t left = work->index[node->begin], right = work->index[node->begin + 1];
        double apart = work->y[right] - work->y[left];
        double a = work->weights[left], b = work->weights[right];
        bool squared = work->settings->criterion == FW_FOREST_SQUARED;
        if (work->settings->leaf < 2)
            *split = (struct forest_split){work->order[0], draw_cut(work, work->order[0]),
                                           squared ? apart * apart * a * b / (a + b)
                                                   : apart * fmin(a, b)};
        return;
    }
    for (size_t f = 0; f < work->data->stride; f++)
        work->cuts[f] = INFINITY;
    for (uint32_t c = 0; c < count; c++)
        work->cuts[work->order[c]] = draw_cut(work, work->order[c]);
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
    uint32_t count = draw_candidates(work);
    *split = (struct forest_split){.feature = UINT32_MAX, .gain = -INFINITY};
    for (uint32_t c = 0; c < count; c++)
        forest_best_cut(split, work, node, work->order[c]);
}

/* ---- partition ---- */

/* Rows that go left first, each side in the order that it had. */
static size_t divide(uint32_t *rows, uint32_t *spare, const uint8_t *left, size_t count)
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
    return kept;
}

static size_t partition(struct forest_work *work, const struct forest_node_work *node,
                        const struct forest_split *split)
{
    const struct forest_rows *data = work->data;
    const size_t count = node->end - node->begin;
    uint32_t *rows = work->index + node->begin;
    for (size_t i = 0; i < count; i++)
        work->left[rows[i]] = data->x[rows[i] * data->stride + split->feature] <= split->cut;
    for (size_t f = 0; f < data->features && data->order; f++)
        divide(work->sorted[f] + node->begin, work->spare, work->left, count);
    return node->begin + divide(rows, work->spare, work->left, count);
}

/* ---- the tree ---- */

static bool find_split(struct forest_split *split, struct forest_work *work,
                       const struct forest_node_work *node, uint32_t depth)
{
    const struct fw_forest_settings *settings = work->settings;
    size_t least = settings->split > 2 ? settings->split : 2, rows = node->end - node->begin;
    if (rows < least || (settings->depth && depth >= settings->depth) ||
        work->y[work->index[node->begin]] == work->y[work->index[node->end - 1]])
        return false;
    if (settings->kind == FW_FOREST_EXTRA)
        split_at_random(split, work, node);
    else
        split_at_best(split, work, node);
    return split->feature != UINT32_MAX;
}

static void grow_node(struct grown_tree *tree, struct forest_work *work, struct waiting *stack,
                      size_t *waiting)
{
    struct waiting at = stack[--*waiting];
    struct forest_node_work node = {.begin = at.begin, .end = at.end};
    struct forest_split split;
    struct grown_node made = {.rows = (uint32_t)(at.end - at.begin)};
    describe(&node, &made.value, work);
    if (find_split(&split, work, &node, at.depth)) {
        size_t middle = partition(work, &node, &split);
        made.left = (uint32_t)tree->nodes.count;
        made.feature = split.feature;
        made.cut = split.cut;
        tree->gains[split.feature] += fmax(0, split.gain);
        FW_APPEND(work->arena, &tree->nodes);
        FW_APPEND(work->arena, &tree->nodes);
        stack[(*waiting)++] = (struct waiting){made.left + 1, at.depth + 1, middle, at.end};
        stack[(*waiting)++] = (struct waiting){made.left, at.depth + 1, at.begin, middle};
    }
    tree->depth = tree->depth > at.depth ? tree->depth : at.depth;
    tree->nodes.at[at.node] = made;
}

void forest_grow(struct grown_tree *tree, struct forest_work *work, uint32_t number)
{
    const size_t features = work->data->features;
    *tree = (struct grown_tree){.gains = FW_ARRAY(work->arena, double, features)};
    work->random = (struct fw_random){work->settings->seed};
    work->random.state = fw_random_next(&work->random) ^ (number * UINT64_C(0xd1b54a32d192ed03));
    for (uint32_t f = 0; f < features; f++)
        work->order[f] = f;
    size_t rows = choose_rows(work);
    /* A node's stack holds at most one sibling a level, and there are as many levels as rows. */
    struct waiting *stack = FW_ARRAY(work->arena, struct waiting, rows + 2);
    size_t waiting = 0;
    FW_APPEND(work->arena, &tree->nodes);
    stack[waiting++] = (struct waiting){0, 0, 0, rows};
    while (waiting)
        grow_node(tree, work, stack, &waiting);
}
