/* Growing a forest: checks, rows in the order of their targets, trees on several threads. */
#include "forest_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 1 << 24 };

struct training {
    const struct fw_forest_data *data;
    const struct fw_forest_settings *settings;
    const struct fw_sink *sink;
    struct fw_forest *forest;
    struct fw_arena *scratch;
    struct forest_rows rows;
    struct packed_tree *trees;
    double *gains;             /* by tree and feature */
    double grid;               /* of leaves */
    struct forest_work *works; /* by thread */
    uint32_t threads;
    bool *failed; /* by thread */
};

/* ---- checks ---- */

enum fw_status forest_check_rows(const struct fw_forest_data *data, const struct fw_sink *sink)
{
    for (size_t r = 0; r < data->rows; r++)
        for (size_t f = 0; f < data->features; f++) {
            double x = data->x[r * data->features + f];
            if (isfinite((float)x))
                continue;
            fw_report(sink, FW_ERROR, "TREE001", (struct fw_span){0},
                      "feature %zu of row %zu is %g: a forest takes numbers of 32 bits", f + 1,
                      r + 1, x);
            return FW_ERROR_INPUT;
        }
    return FW_OK;
}

static enum fw_status check_targets(const struct fw_forest_data *data, const struct fw_sink *sink)
{
    double all = 0;
    for (size_t r = 0; r < data->rows; r++) {
        if (!isfinite((float)data->y[r])) {
            fw_report(sink, FW_ERROR, "TREE002", (struct fw_span){0},
                      "the target of row %zu is %g: a forest takes numbers of 32 bits", r + 1,
                      data->y[r]);
            return FW_ERROR_INPUT;
        }
        double weight = data->weights ? data->weights[r] : 1;
        if (!(weight >= 0) || !isfinite((float)weight)) {
            fw_report(sink, FW_ERROR, "TREE003", (struct fw_span){0},
                      "the weight of row %zu is %g: a weight is 0 or more", r + 1, weight);
            return FW_ERROR_INPUT;
        }
        all += weight;
    }
    if (all > 0)
        return FW_OK;
    fw_report(sink, FW_ERROR, "TREE003", (struct fw_span){0}, "all weights are 0");
    return FW_ERROR_INPUT;
}

static enum fw_status check(const struct fw_forest_data *data,
                            const struct fw_forest_settings *settings, const struct fw_sink *sink)
{
    if (!data->rows || !data->features || data->rows > ROWS_MOST ||
        data->features > FW_FOREST_FEATURES_MOST) {
        fw_report(sink, FW_ERROR, "TREE004", (struct fw_span){0},
                  "%zu rows of %zu features: a forest takes 1 to %d rows of 1 to %d features",
                  data->rows, data->features, ROWS_MOST, FW_FOREST_FEATURES_MOST);
        return FW_ERROR_INPUT;
    }
    if (!settings->trees || settings->trees > FW_FOREST_TREES_MOST ||
        settings->kind > FW_FOREST_BOOTSTRAP || settings->criterion > FW_FOREST_ABSOLUTE ||
        settings->candidates > FW_FOREST_LOG2) {
        fw_report(sink, FW_ERROR, "TREE005", (struct fw_span){0},
                  "%u trees: a forest has 1 to %d trees", settings->trees, FW_FOREST_TREES_MOST);
        return FW_ERROR_USAGE;
    }
    enum fw_status status = forest_check_rows(data, sink);
    return status ? status : check_targets(data, sink);
}

/* ---- rows ---- */

struct sorting {
    double key;
    uint32_t row;
};

static int by_key(const void *a, const void *b)
{
    const struct sorting *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static void sort_by_feature(struct training *training, uint32_t **order, struct sorting *sorting)
{
    const struct forest_rows *rows = &training->rows;
    for (size_t f = 0; f < rows->features; f++) {
        order[f] = FW_ARRAY(training->scratch, uint32_t, rows->rows);
        for (uint32_t r = 0; r < rows->rows; r++)
            sorting[r] = (struct sorting){(double)rows->x[r * rows->stride + f], r};
        qsort(sorting, rows->rows, sizeof(*sorting), by_key);
        for (uint32_t r = 0; r < rows->rows; r++)
            order[f][r] = sorting[r].row;
    }
}

static double mean_target(const struct fw_forest_data *data)
{
    double sum = 0, all = 0;
    for (size_t r = 0; r < data->rows; r++) {
        double weight = data->weights ? data->weights[r] : 1;
        sum += weight * data->y[r];
        all += weight;
    }
    return sum / all;
}

/* Candidate features of a split. */
static uint32_t tried(const struct fw_forest_settings *settings, size_t features)
{
    double all = (double)features;
    uint32_t found = (uint32_t)features;
    if (settings->candidates == FW_FOREST_SQRT)
        found = (uint32_t)sqrt(all);
    else if (settings->candidates == FW_FOREST_LOG2)
        found = (uint32_t)log2(all);
    return found ? found : 1;
}

/* Whether candidates are so few that one feature after the other is faster than all in lanes. */
static bool few_candidates(const struct fw_forest_settings *settings, size_t features)
{
    return settings->kind == FW_FOREST_EXTRA && settings->criterion == FW_FOREST_SQUARED &&
           2 * tried(settings, features) < features;
}

/* Copies the rows in the order of their targets, which are made relative to their mean. */
static void order_rows(struct training *training)
{
    const struct fw_forest_data *data = training->data;
    struct fw_arena *scratch = training->scratch;
    const size_t count = data->rows, features = data->features;
    const size_t stride = (features + FOREST_BLOCK - 1) / FOREST_BLOCK * FOREST_BLOCK;
    struct sorting *sorting = FW_ARRAY(scratch, struct sorting, count);
    char *room = fw_arena_array(scratch, count * stride + LINE_BYTES, sizeof(float));
    float *x = (void *)(room + (LINE_BYTES - (uintptr_t)room % LINE_BYTES) % LINE_BYTES);
    double *y = FW_ARRAY(scratch, double, count);
    double *weights = data->weights ? FW_ARRAY(scratch, double, count) : NULL;
    training->forest->offset = mean_target(data);
    for (uint32_t r = 0; r < count; r++)
        sorting[r] = (struct sorting){data->y[r], r};
    qsort(sorting, count, sizeof(*sorting), by_key);
    for (size_t r = 0; r < count; r++) {
        size_t from = sorting[r].row;
        y[r] = data->y[from] - training->forest->offset;
        if (weights)
            weights[r] = data->weights[from];
        for (size_t f = 0; f < features; f++)
            x[r * stride + f] = (float)data->x[from * features + f];
    }
    training->rows = (struct forest_rows){
        .rows = count, .features = features, .stride = stride, .x = x, .y = y, .weights = weights};
    if (few_candidates(training->settings, features)) {
        float *columns = FW_ARRAY(scratch, float, count *features);
        for (size_t f = 0; f < features; f++)
            for (size_t r = 0; r < count; r++)
                columns[f * count + r] = x[r * stride + f];
        training->rows.columns = columns;
    }
    if (training->settings->kind == FW_FOREST_BOOTSTRAP) {
        uint32_t **order = FW_ARRAY(scratch, uint32_t *, features);
        sort_by_feature(training, order, sorting);
        training->rows.order = order;
    }
}

/* ---- threads ---- */

static void begin_sorted(struct forest_work *work, struct fw_arena *arena)
{
    const struct forest_rows *rows = work->data;
    work->sorted = FW_ARRAY(arena, uint32_t *, rows->features);
    for (size_t f = 0; f < rows->features; f++)
        work->sorted[f] = FW_ARRAY(arena, uint32_t, rows->rows);
    work->rank = FW_ARRAY(arena, uint32_t, rows->rows);
    work->tree_weights = FW_ARRAY(arena, double, rows->rows + 1);
    work->tree_sums = FW_ARRAY(arena, double, rows->rows + 1);
    work->reach = FW_ARRAY(arena, double, rows->rows + 1);
}

/* Leaves are means or medians of targets. */
static double grid(const struct training *training)
{
    const struct forest_rows *rows = &training->rows;
    double most = 0;
    for (size_t r = 0; r < rows->rows; r++)
        if (!rows->weights || rows->weights[r] > 0)
            most = fmax(most, fabs(rows->y[r]));
    return forest_grid(most, training->settings->trees);
}

static void begin_work(struct training *training, struct forest_work *work)
{
    struct fw_arena *arena = training->scratch;
    const struct forest_rows *rows = &training->rows;
    const size_t count = rows->rows, stride = rows->stride;
    bool bootstrapped = training->settings->kind == FW_FOREST_BOOTSTRAP;
    *work = (struct forest_work){.data = rows,
                                 .settings = training->settings,
                                 .grid = training->grid,
                                 .tried = tried(training->settings, rows->features),
                                 .index = FW_ARRAY(arena, uint32_t, count + FOREST_BLOCK),
                                 .spare = FW_ARRAY(arena, uint32_t, count),
                                 .y = rows->y,
                                 .weights = FW_ARRAY(arena, double, count),
                                 .weighted = rows->weights || bootstrapped,
                                 .low = FW_ARRAY(arena, float, stride),
                                 .high = FW_ARRAY(arena, float, stride),
                                 .cuts = FW_ARRAY(arena, float, stride),
                                 .sums = FW_ARRAY(arena, double, stride),
                                 .shares = FW_ARRAY(arena, double, stride),
                                 .wide = FW_ARRAY(arena, double, 2 * (count + FOREST_BLOCK)),
                                 .counts = FW_ARRAY(arena, int32_t, stride),
                                 .order = FW_ARRAY(arena, uint32_t, stride),
                                 .nodes = FW_ARRAY(arena, struct grown_node, 2 * count),
                                 .stack = FW_ARRAY(arena, struct waiting_node, count + 2),
                                 .values = FW_ARRAY(arena, float, count),
                                 .left = FW_ARRAY(arena, uint8_t, count)};
    if (rows->columns)
        work->drawn = FW_ARRAY(arena, float, work->tried *(count + FOREST_BLOCK));
    for (size_t r = 0; r < count; r++)
        work->weights[r] = rows->weights ? rows->weights[r] : 1;
    if (bootstrapped)
        begin_sorted(work, arena);
    forest_packing_begin(&work->packing, arena, 2 * count, (uint32_t)rows->features);
}

static void grow_and_pack(struct training *training, struct forest_work *work, size_t tree)
{
    struct grown_tree grown = {.gains = training->gains + tree * training->data->features};
    forest_grow(&grown, work, (uint32_t)tree);
    forest_pack(&training->trees[tree], &work->packing, &grown, work->arena);
}

static void grow_one(void *user, uint32_t thread, size_t tree)
{
    struct training *training = user;
    struct forest_work *work = &training->works[thread];
    jmp_buf exhausted;
    if (training->failed[thread])
        return;
    fw_arena_on_exhausted(work->arena, &exhausted);
    if (setjmp(exhausted))
        training->failed[thread] = true;
    else
        grow_and_pack(training, work, tree);
    fw_arena_on_exhausted(work->arena, NULL);
}

static void sum_importance(struct training *training)
{
    struct fw_forest *forest = training->forest;
    double whole = 0;
    for (size_t t = 0; t < forest->trees; t++) {
        const double *gains = training->gains + t * forest->features;
        double gained = 0;
        for (size_t f = 0; f < forest->features; f++)
            gained += gains[f];
        for (size_t f = 0; f < forest->features && gained > 0; f++)
            forest->importance[f] += gains[f] / gained;
    }
    for (size_t f = 0; f < forest->features; f++)
        whole += forest->importance[f];
    for (size_t f = 0; f < forest->features && whole > 0; f++)
        forest->importance[f] /= whole;
}

static enum fw_status finish(struct training *training)
{
    for (uint32_t t = 0; t < training->threads; t++)
        if (training->failed[t])
            return FW_ERROR_MEMORY;
    sum_importance(training);
    enum fw_status status = forest_join(training->forest, training->trees);
    if (status != FW_ERROR_INPUT)
        return status;
    fw_report(training->sink, FW_ERROR, "TREE004", (struct fw_span){0},
              "%u trees of %zu rows have more nodes than a forest holds (2^25): fewer trees or "
              "larger leaves have less",
              training->settings->trees, training->data->rows);
    return status;
}

static enum fw_status train(struct training *training)
{
    struct fw_arena *scratch = training->scratch;
    struct fw_forest *forest = training->forest;
    forest->trees = training->settings->trees;
    forest->features = (uint32_t)training->data->features;
    forest->importance = FW_ARRAY(forest->arena, double, forest->features);
    order_rows(training);
    const uint32_t threads = forest_threads(training->settings->threads, forest->trees);
    training->trees = FW_ARRAY(scratch, struct packed_tree, forest->trees);
    training->gains = FW_ARRAY(scratch, double, (size_t)forest->trees * forest->features);
    training->grid = grid(training);
    training->failed = FW_ARRAY(scratch, bool, threads);
    training->works = FW_ARRAY(scratch, struct forest_work, threads);
    training->threads = threads;
    for (uint32_t t = 0; t < threads; t++) {
        begin_work(training, &training->works[t]);
        if (!(training->works[t].arena = fw_arena_new(0)))
            return FW_ERROR_MEMORY;
    }
    forest_parallel(threads, forest->trees, grow_one, training);
    return finish(training);
}

/* ---- the calls ---- */

static enum fw_status train_guarded(struct training *training, struct fw_arena *arena)
{
    jmp_buf exhausted;
    fw_arena_on_exhausted(arena, &exhausted);
    fw_arena_on_exhausted(training->scratch, &exhausted);
    if (setjmp(exhausted))
        return FW_ERROR_MEMORY;
    training->forest = FW_NEW(arena, struct fw_forest);
    training->forest->arena = arena;
    enum fw_status status = train(training);
    fw_arena_on_exhausted(arena, NULL);
    return status;
}

void fw_forest_free(struct fw_forest *forest)
{
    if (!forest)
        return;
    free(forest->nodes);
    free(forest->tiles);
    fw_arena_free(forest->arena);
}

enum fw_status fw_forest_train(struct fw_forest **forest, const struct fw_forest_data *data,
                               const struct fw_forest_settings *settings,
                               const struct fw_sink *sink)
{
    struct training training = {.data = data, .settings = settings, .sink = sink};
    *forest = NULL;
    enum fw_status status = check(data, settings, sink);
    if (status)
        return status;
    struct fw_arena *arena = fw_arena_new(0);
    training.scratch = fw_arena_new(0);
    status = arena && training.scratch ? train_guarded(&training, arena) : FW_ERROR_MEMORY;
    for (uint32_t t = 0; t < training.threads; t++)
        fw_arena_free(training.works[t].arena);
    fw_arena_free(training.scratch);
    if (!status)
        *forest = training.forest;
    else if (training.forest)
        fw_forest_free(training.forest);
    else
        fw_arena_free(arena);
    return status;
}

const double *fw_forest_importance(const struct fw_forest *forest)
{
    return forest->importance;
}

void fw_forest_describe(struct fw_forest_shape *shape, const struct fw_forest *forest)
{
    *shape = (struct fw_forest_shape){.trees = forest->trees,
                                      .features = forest->features,
                                      .nodes = 2 * forest->leaves - forest->trees,
                                      .leaves = forest->leaves,
                                      .depth = forest->depth};
}
