/* Splits of forests against brute force. */
#include "forest_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODE_ROWS = 60, STRIDE = 8, FEATURES = 5 };

static int by_target(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return x[0] < y[0] ? -1 : x[0] > y[0];
}

/* The sum of weighted deviations of the rows on one side of a cut. */
static double side(const struct forest_rows *rows, const double *weights, size_t feature, float cut,
                   bool left, bool absolute)
{
    double pairs[NODE_ROWS][2], all = 0, below = 0, mean = 0, median = 0, sum = 0;
    size_t count = 0;
    for (size_t r = 0; r < rows->rows; r++)
        if ((rows->x[r * rows->stride + feature] <= cut) == left) {
            pairs[count][0] = rows->y[r];
            pairs[count++][1] = weights[r];
            all += weights[r];
            mean += weights[r] * rows->y[r];
        }
    qsort(pairs, count, sizeof(pairs[0]), by_target);
    for (size_t i = 0; i < count && below < all / 2; i++) {
        below += pairs[i][1];
        median = pairs[i][0];
    }
    mean /= all;
    for (size_t i = 0; i < count; i++)
        sum += pairs[i][1] * (absolute ? fabs(pairs[i][0] - median)
                                       : (pairs[i][0] - mean) * (pairs[i][0] - mean));
    return sum;
}

static double brute_gain(const struct forest_rows *rows, const double *weights, size_t feature,
                         float cut, bool absolute)
{
    return side(rows, weights, feature, INFINITY, true, absolute) -
           side(rows, weights, feature, cut, true, absolute) -
           side(rows, weights, feature, cut, false, absolute);
}

/* A node of rows in the order of their targets, and the work that splits it. */
struct node_case {
    float x[NODE_ROWS * STRIDE];
    double y[NODE_ROWS], weights[NODE_ROWS];
    struct forest_rows rows;
    struct fw_forest_settings settings;
    struct forest_work work;
    struct forest_node_work node;
};

static const struct forest_rows *sorted_rows;
static size_t sorted_feature;

static int by_value(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    float left = sorted_rows->x[*x * STRIDE + sorted_feature];
    float right = sorted_rows->x[*y * STRIDE + sorted_feature];
    return left < right ? -1 : left > right;
}

static void make_node(struct node_case *c, struct fw_arena *arena, uint64_t seed, bool weighted,
                      bool absolute)
{
    struct fw_random random = {seed};
    *c = (struct node_case){.settings = {.criterion = absolute}};
    for (size_t r = 0; r < NODE_ROWS; r++) {
        c->y[r] = (r ? c->y[r - 1] : -3) + (forest_uniform(&random) < 0.2 ? 0 : 0.1);
        c->weights[r] = weighted ? 0.25 + forest_uniform(&random) : 1;
        for (size_t f = 0; f < FEATURES; f++)
            c->x[r * STRIDE + f] = (float)floor(20 * forest_uniform(&random));
    }
    c->rows = (struct forest_rows){NODE_ROWS, FEATURES, STRIDE, c->x, NULL, c->y, NULL, NULL};
    struct forest_work *work = &c->work;
    *work = (struct forest_work){.data = &c->rows,
                                 .settings = &c->settings,
                                 .index = FW_ARRAY(arena, uint32_t, NODE_ROWS + FOREST_BLOCK),
                                 .y = c->y,
                                 .weights = c->weights,
                                 .weighted = weighted,
                                 .low = FW_ARRAY(arena, float, STRIDE),
                                 .high = FW_ARRAY(arena, float, STRIDE),
                                 .cuts = FW_ARRAY(arena, float, STRIDE),
                                 .sums = FW_ARRAY(arena, double, STRIDE),
                                 .shares = FW_ARRAY(arena, double, STRIDE),
                                 .wide = FW_ARRAY(arena, double, 2 * (NODE_ROWS + FOREST_BLOCK)),
                                 .counts = FW_ARRAY(arena, int32_t, STRIDE),
                                 .order = FW_ARRAY(arena, uint32_t, STRIDE),
                                 .sorted = FW_ARRAY(arena, uint32_t *, FEATURES),
                                 .rank = FW_ARRAY(arena, uint32_t, NODE_ROWS),
                                 .tree_weights = FW_ARRAY(arena, double, NODE_ROWS + 1),
                                 .tree_sums = FW_ARRAY(arena, double, NODE_ROWS + 1),
                                 .reach = FW_ARRAY(arena, double, NODE_ROWS + 1)};
    c->node.end = NODE_ROWS;
    for (uint32_t r = 0; r < NODE_ROWS; r++) {
        work->index[r] = r;
        c->node.weight += c->weights[r];
        c->node.sum += c->weights[r] * c->y[r];
    }
    sorted_rows = &c->rows;
    for (uint32_t f = 0; f < FEATURES; f++) {
        work->sorted[f] = fw_arena_copy(arena, work->index, NODE_ROWS * sizeof(uint32_t));
        sorted_feature = f;
        qsort(work->sorted[f], NODE_ROWS, sizeof(uint32_t), by_value);
    }
    double median;
    if (absolute)
        c->node.deviation = forest_absolute_deviation(&median, work, 0, NODE_ROWS);
}

static void best_cuts_are_those_of_brute_force(void **state)
{
    struct node_case c;
    for (uint64_t seed = 0; seed < 40; seed++) {
        bool weighted = seed % 2, absolute = seed / 2 % 2;
        make_node(&c, *state, seed, weighted, absolute);
        for (uint32_t f = 0; f < FEATURES; f++) {
            struct forest_split split = {.feature = UINT32_MAX, .gain = -INFINITY};
            double best = 0;
            forest_best_cut(&split, &c.work, &c.node, f);
            for (int cut = 0; cut < 19; cut++)
                best = fmax(best, brute_gain(&c.rows, c.weights, f, (float)cut + 0.5F, absolute));
            assert_int_equal(split.feature, f);
            assert_true(fabs(split.gain - best) < 1e-9);
            assert_true(fabs(brute_gain(&c.rows, c.weights, f, split.cut, absolute) - best) < 1e-9);
        }
    }
}

static void random_cuts_gain_what_brute_force_says(void **state)
{
    struct node_case c;
    for (uint64_t seed = 0; seed < 40; seed++) {
        bool weighted = seed % 2, absolute = seed / 2 % 2;
        struct forest_split split;
        double best = -1;
        uint32_t at = 0;
        make_node(&c, *state, seed, weighted, absolute);
        for (uint32_t f = 0; f < STRIDE; f++)
            c.work.cuts[f] = f == 2 ? INFINITY : (float)(3 + 2 * f) + 0.5F;
        for (uint32_t f = 0, count = 0; f < FEATURES; f++)
            if (f != 2) {
                double gain = brute_gain(&c.rows, c.weights, f, c.work.cuts[f], absolute);
                c.work.order[count++] = f;
                at = gain > best ? f : at;
                best = fmax(best, gain);
            }
        forest_random_split(&split, &c.work, &c.node, FEATURES - 1);
        assert_int_equal(split.feature, at);
        assert_true(fabs(split.gain - best) < 1e-9);
    }
}

/* The same from columns, of nodes that are some of the rows, of any number: odd ones, less than a
 * block of lanes, and more. */
static void few_candidates_gain_what_brute_force_says(void **state)
{
    struct node_case c;
    float columns[FEATURES * NODE_ROWS];
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct fw_random random = {seed};
        const bool weighted = seed % 2;
        const uint32_t skip = forest_below(&random, 40);
        struct forest_split split;
        double best = -1;
        uint32_t count = 0;
        make_node(&c, *state, seed, weighted, false);
        c.rows.columns = columns;
        c.work.drawn = FW_ARRAY(*state, float, FEATURES *(NODE_ROWS + FOREST_BLOCK));
        for (size_t f = 0; f < FEATURES; f++)
            for (size_t r = 0; r < NODE_ROWS; r++)
                columns[f * NODE_ROWS + r] = c.x[r * STRIDE + f];
        c.node = (struct forest_node_work){.begin = 3};
        for (uint32_t r = skip; r < NODE_ROWS && c.node.end < NODE_ROWS - 3; r++)
            if (r % 4 != seed % 4)
                c.work.index[3 + c.node.end++] = r;
        c.node.end += 3;
        /* Brute force knows rows 0 to `count - 1` alone. */
        struct node_case node = c;
        node.rows.rows = c.node.end - 3;
        node.rows.x = node.x;
        for (size_t r = 0; r < node.rows.rows; r++) {
            const uint32_t row = c.work.index[3 + r];
            memcpy(node.x + r * STRIDE, c.x + row * STRIDE, STRIDE * sizeof(float));
            node.weights[r] = c.weights[row];
            node.y[r] = c.y[row];
        }
        node.rows.y = node.y;
        for (uint32_t f = 0; f < FEATURES; f++) {
            float low = INFINITY, high = -INFINITY;
            forest_few_range(&c.work, &c.node, f, count);
            for (size_t r = 0; r < node.rows.rows; r++) {
                low = fminf(low, node.x[r * STRIDE + f]);
                high = fmaxf(high, node.x[r * STRIDE + f]);
                assert_true(c.work.drawn[count * (NODE_ROWS + 4) + r] == node.x[r * STRIDE + f]);
            }
            assert_true(c.work.low[f] == low && c.work.high[f] == high);
            if (low == high)
                continue;
            c.work.order[count++] = f;
            c.work.cuts[f] = floorf(0.5F * (low + high));
            best = fmax(best, brute_gain(&node.rows, node.weights, f, c.work.cuts[f], false));
        }
        forest_few_split(&split, &c.work, &c.node, count);
        assert_true(fabs(split.gain - best) < 1e-9);
        for (size_t r = 0; r < node.rows.rows; r++)
            assert_true(split.values[r] == node.x[r * STRIDE + split.feature]);
    }
}

static int begin(void **state)
{
    *state = fw_arena_new(0);
    return 0;
}

static int end(void **state)
{
    fw_arena_free(*state);
    return 0;
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {TEST(best_cuts_are_those_of_brute_force),
                                       TEST(random_cuts_gain_what_brute_force_says),
                                       TEST(few_candidates_gain_what_brute_force_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
