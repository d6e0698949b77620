/* How good forests are: tables of what predictions are off by. */
#include "train.h"

#include <math.h>
#include <stdlib.h>

#define LEVEL          0.9
#define BEYOND_SECONDS 200e-6

enum {
    SAMPLES_MOST = 100, /* of a family, where the paper's validation trains on it */
    TREES_ALONE = 16,   /* of a forest, where there is one for each launch */
    ALONE_MOST = 2500 /* launches that are left out alone: of more there are no such lines, because
                         each has forests of its own */
};

/* Groups of classes: all rows, and those that data do not decide. */
enum { ALL = -1, DECIDED = -2 };

struct reporting {
    struct fw_buffer *out;
    const struct fw_training_rows *rows;
    const struct fw_train_settings_inside *settings;
    struct fw_arena *arena;
    const struct fw_sink *sink;
    bool json, first;
};

/* One line of the table: which rows, predicted by what. */
struct group {
    bool judged;
    int class; /* ALL, DECIDED or one */
};

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static double quantile(const double *sorted, size_t count, double share)
{
    double at = share * (double)(count - 1);
    size_t low = (size_t)at;
    return sorted[low] +
           (at - (double)low) * (sorted[low + 1 < count ? low + 1 : low] - sorted[low]);
}

static bool is_in(int class, int group)
{
    return group == ALL || class == group ||
           (group == DECIDED && class != FW_FOREST_LEANS && class != FW_FOREST_RANDOM);
}

/* Errors of the rows of a group, sorted; their number. */
static size_t errors_of(double *errors, const struct reporting *report, const double *predictions,
                        enum fw_forest_target target, struct group group)
{
    size_t count = 0;
    for (size_t r = 0; r < report->rows->rows.count; r++) {
        const struct fw_training_row *row = &report->rows->rows.at[r];
        if (predictions[r] > 0 && row->judged == group.judged && row->measured[target] > 0 &&
            is_in((int)row->basis.class, group.class))
            errors[count++] = fabs(predictions[r] / row->measured[target] - 1);
    }
    qsort(errors, count, sizeof(*errors), ascending);
    return count;
}

static void add_line(struct reporting *report, enum fw_forest_target target, const char *by,
                     const char *of, const double *errors, size_t count)
{
    double mean = 0;
    for (size_t e = 0; e < count; e++)
        mean += errors[e] / (double)count;
    double median = quantile(errors, count, 0.5), most = quantile(errors, count, 0.9);
    if (report->json)
        fw_buffer_printf(
            report->out,
            "%s\n  {\"target\": \"%s\", \"by\": \"%s\", \"of\": \"%s\", \"rows\": %zu, "
            "\"mean\": %.6g, \"median\": %.6g, \"ninetieth\": %.6g}",
            report->first ? "" : ",", fw_forest_target_name(target), by, of, count, mean, median,
            most);
    else
        fw_buffer_printf(report->out, "| %s | %s | %zu | %.1f | %.1f | %.1f |\n", by, of, count,
                         100 * mean, 100 * median, 100 * most);
    report->first = false;
}

static void add_lines(struct reporting *report, enum fw_forest_target target, const char *by,
                      const double *predictions, bool by_class, bool with_judged)
{
    double *errors = FW_ARRAY(report->arena, double, report->rows->rows.count + 1);
    for (int judged = 0; judged < (with_judged ? 2 : 1); judged++)
        for (int c = DECIDED; c < (by_class && !judged ? FW_FOREST_CLASS_COUNT : 0); c++) {
            size_t count =
                errors_of(errors, report, predictions, target, (struct group){judged, c});
            const char *of = c == ALL       ? judged ? "judged" : "all"
                             : c == DECIDED ? judged ? "judged without leans, random"
                                                     : "all without leans, random"
                                            : fw_forest_class_name((enum fw_forest_class)c);
            if (count)
                add_line(report, target, by, of, errors, count);
        }
}

static void report_basis(struct reporting *report, enum fw_forest_target target)
{
    double *predictions = FW_ARRAY(report->arena, double, report->rows->rows.count + 1);
    for (size_t r = 0; r < report->rows->rows.count; r++)
        predictions[r] = report->rows->rows.at[r].basis.target[target];
    add_lines(report, target, "physical models alone", predictions, true, true);
}

/* A number of JSON; null where it has no end, as intervals of too few families do. */
static const char *json_number(struct fw_arena *arena, double value)
{
    return isfinite(value) ? fw_arena_printf(arena, "%.6g", value) : "null";
}

static enum fw_status report_choice(struct reporting *report,
                                    const struct fw_training_choice *choice, const char *by,
                                    bool by_class, double *predictions, double *distances)
{
    enum fw_status status = fw_cross_validate(predictions, distances, report->rows, choice,
                                              report->arena, report->sink);
    if (!status)
        add_lines(report, choice->target, by, predictions, by_class,
                  !(choice->beyond > 0) && !choice->alone);
    return status;
}

static void report_intervals(struct reporting *report, enum fw_forest_target target,
                             const double *predictions, const double *distances)
{
    const struct fw_training_rows *rows = report->rows;
    struct fw_conformal_row *errors =
        FW_ARRAY(report->arena, struct fw_conformal_row, rows->rows.count + 1);
    struct fw_conformal_check checks[FW_FOREST_CLASS_COUNT];
    struct fw_conformal_class classes[FW_FOREST_CLASS_COUNT];
    bool kept[FW_FOREST_CLASS_COUNT];
    size_t count = fw_train_errors(errors, kept, predictions, distances, rows, target,
                                   FW_FOREST_TO_MODELS, report->arena);
    if (fw_conformal_fit(classes, FW_FOREST_CLASS_COUNT, errors, count, FW_CONFORMAL_EACH, LEVEL,
                         FW_TRAIN_LEAST_FAMILIES, report->arena) ||
        fw_conformal_check(checks, FW_FOREST_CLASS_COUNT, errors, count, FW_CONFORMAL_EACH, LEVEL,
                           FW_TRAIN_LEAST_FAMILIES, report->arena))
        return;
    for (uint32_t c = 0; c < FW_FOREST_CLASS_COUNT; c++) {
        const struct fw_conformal_check *check = &checks[classes[c].group];
        const char *name = fw_forest_class_name((enum fw_forest_class)c);
        if (!kept[c])
            continue;
        if (report->json)
            fw_buffer_printf(report->out,
                             ",\n  {\"target\": \"%s\", \"by\": \"intervals\", \"of\": \"%s\", "
                             "\"families\": %zu, \"covered\": %.6g, \"upper_by_lower\": %s, "
                             "\"score\": %s}",
                             fw_forest_target_name(target), name, classes[c].families,
                             check->covered, json_number(report->arena, exp(check->width)),
                             json_number(report->arena, check->score));
        else
            fw_buffer_printf(report->out, "| %s | %zu | %.1f | %.2f | %.3f |\n", name,
                             classes[c].families, 100 * check->covered, exp(check->width),
                             check->score);
    }
}

static enum fw_status report_sets(struct reporting *report, enum fw_forest_target target)
{
    enum { MODELS = FW_FOREST_TO_MODELS, QUICK = FW_FOREST_TO_QUICK, NO = FW_FOREST_TO_NOTHING };
    static const struct {
        const char *by;
        unsigned sets; /* 0: the usual ones of what trees predict */
        int ratio;
        bool plain, random;
    } rows[] = {{"energies alone", 0, MODELS, true, false},
                {"features: portable", FW_FOREST_SET_PAPER, MODELS, false, false},
                {"features: portable, launch", FW_FOREST_SET_PAPER | FW_FOREST_SET_LAUNCH, MODELS,
                 false, false},
                {"features: portable, launch, memory",
                 FW_FOREST_SET_PAPER | FW_FOREST_SET_LAUNCH | FW_FOREST_SET_MEMORY, MODELS, false,
                 false},
                {"features: physics", FW_FOREST_SET_PHYSICS, MODELS, false, false},
                {"features: launch, physics", FW_FOREST_SET_LAUNCH | FW_FOREST_SET_PHYSICS, MODELS,
                 false, false},
                {"features: all", FW_FOREST_SET_ALL, MODELS, false, false},
                {"quick basis alone", 0, QUICK, true, false},
                {"quick basis", 0, QUICK, false, false},
                {"quick basis, random tenths", 0, QUICK, false, true},
                {"no basis, features: portable", 0, NO, false, false},
                {"no basis, portable, random tenths", 0, NO, false, true}};
    double *predictions = FW_ARRAY(report->arena, double, report->rows->rows.count + 1);
    enum fw_status status = FW_OK;
    for (size_t r = target == FW_FOREST_SECONDS; r < sizeof(rows) / sizeof(rows[0]) && !status;
         r++) {
        struct fw_training_choice choice =
            fw_training_of((enum fw_forest_ratio)rows[r].ratio, target, report->settings->seed,
                           report->settings->trees);
        choice.plain = rows[r].plain;
        choice.near = false; /* trees alone */
        choice.sets = rows[r].sets ? rows[r].sets : choice.sets;
        choice.random = rows[r].random;
        if (rows[r].random)
            choice.settings.leaf = 1;
        status = report_choice(report, &choice, rows[r].by, false, predictions, NULL);
    }
    return status;
}

/* Sizes ten times beyond those that are trained on.  Few judged launches are that long: of few, a
 * total would tell of single ones, and there is none. */
static enum fw_status report_beyond(struct reporting *report, enum fw_forest_target target)
{
    static const char *const names[] = {
        [FW_FOREST_TO_MODELS] = "sizes ten times beyond: forest",
        [FW_FOREST_TO_QUICK] = "sizes ten times beyond: quick basis",
        [FW_FOREST_TO_NOTHING] = "sizes ten times beyond: no basis, portable"};
    double *predictions = FW_ARRAY(report->arena, double, report->rows->rows.count + 1);
    enum fw_status status = FW_OK;
    for (size_t k = 0; k < sizeof(names) / sizeof(names[0]) && !status; k++) {
        struct fw_training_choice choice = fw_training_of(
            (enum fw_forest_ratio)k, target, report->settings->seed, report->settings->trees);
        choice.beyond = BEYOND_SECONDS;
        status = report_choice(report, &choice, names[k], false, predictions, NULL);
    }
    return status;
}

/* A line of nested cross-validation: the errors are the means of folds. */
static void add_folds(struct reporting *report, enum fw_forest_target target, const char *by,
                      const char *of, double *scores, size_t count)
{
    qsort(scores, count, sizeof(*scores), ascending);
    add_line(report, target, by, of, scores, count);
}

static enum fw_status report_nested(struct reporting *report, enum fw_forest_target target)
{
    static const struct {
        const char *by, *alone;
        enum fw_forest_ratio ratio;
        unsigned sets;
    } kinds[] = {{"nested folds: forest, all features", "leave-one-out: forest, all features",
                  FW_FOREST_TO_MODELS, FW_FOREST_SET_ALL},
                 {"nested folds: quick basis", "leave-one-out: quick basis", FW_FOREST_TO_QUICK,
                  FW_FOREST_SET_OF_QUICK},
                 {"nested folds: no basis, portable", "leave-one-out: no basis, portable",
                  FW_FOREST_TO_NOTHING, FW_FOREST_SET_PAPER},
                 {"nested folds: no basis, all features", "leave-one-out: no basis, all features",
                  FW_FOREST_TO_NOTHING, FW_FOREST_SET_ALL}};
    const uint32_t iterations = report->settings->nested;
    const size_t count = (size_t)iterations * FW_NESTED_FOLDS;
    double *flattering = FW_ARRAY(report->arena, double, count + 1);
    double *proper = FW_ARRAY(report->arena, double, count + 1);
    double *predictions = FW_ARRAY(report->arena, double, report->rows->rows.count + 1);
    enum fw_status status = FW_OK;
    size_t trained = 0;
    for (size_t r = 0; r < report->rows->rows.count; r++)
        trained += !report->rows->rows.at[r].judged;
    /* Watts differ by a factor of six, times by a million: without a basis these say nothing. */
    const size_t kind_count =
        sizeof(kinds) / sizeof(kinds[0]) - (target == FW_FOREST_SECONDS ? 1 : 0);
    for (size_t k = 0; k < kind_count && iterations && !status; k++) {
        struct fw_training_choice choice =
            fw_training_usual(target, report->settings->seed, report->settings->trees);
        choice.ratio = kinds[k].ratio;
        choice.sets = kinds[k].sets;
        choice.leaning = true;
        choice.kernels = true;
        choice.most = SAMPLES_MOST;
        choice.settings.leaf = 1;
        status = fw_nested_validate(flattering, proper, report->rows, &choice, iterations,
                                    report->arena, report->sink);
        if (status)
            break;
        add_folds(report, target, kinds[k].by, "settings chosen on the same folds", flattering,
                  count);
        add_folds(report, target, kinds[k].by, "settings chosen within", proper, count);
        if (trained > ALONE_MOST || report->settings->nested_only)
            continue;
        choice.alone = true;
        choice.settings.trees =
            choice.settings.trees < TREES_ALONE ? choice.settings.trees : TREES_ALONE;
        status = report_choice(report, &choice, kinds[k].alone, false, predictions, NULL);
    }
    return status;
}

static enum fw_status report_target(struct reporting *report, enum fw_forest_target target)
{
    double *predictions = FW_ARRAY(report->arena, double, report->rows->rows.count + 1);
    double *distances = FW_ARRAY(report->arena, double, report->rows->rows.count + 1);
    const struct fw_training_choice choice =
        fw_training_usual(target, report->settings->seed, report->settings->trees);
    if (!report->json)
        fw_buffer_printf(report->out,
                         "%s## %s\n| predicted by | launches | number | mean %% | median %% | 90th "
                         "percentile %% |\n|---|---|---|---|---|---|\n",
                         target ? "\n" : "", target ? "Power" : "Time");
    if (report->settings->nested_only)
        return report_nested(report, target);
    report_basis(report, target);
    enum fw_status status = report_choice(report, &choice, "forest", true, predictions, distances);
    if (!status)
        status = report_sets(report, target);
    if (!status)
        status = report_beyond(report, target);
    if (!status)
        status = report_nested(report, target);
    if (!status && !report->json)
        fw_buffer_printf(report->out, "\n| intervals of 90 %% | families | covered %% | upper by "
                                      "lower end | interval score |\n|---|---|---|---|---|\n");
    if (!status)
        report_intervals(report, target, predictions, distances);
    return status;
}

enum fw_status fw_train_evaluate(struct fw_buffer *out, const struct fw_training_rows *rows,
                                 const struct fw_train_settings_inside *settings, bool json,
                                 const struct fw_sink *sink)
{
    struct reporting report = {.out = out,
                               .rows = rows,
                               .settings = settings,
                               .arena = out->arena,
                               .sink = sink,
                               .json = json,
                               .first = true};
    enum fw_status status = FW_OK;
    if (json)
        fw_buffer_printf(out,
                         "{\"forewarp\": \"%s\", \"format\": 1, \"families\": %zu, \"rows\": [",
                         FW_VERSION, rows->families.count);
    for (int t = 0; t < FW_FOREST_TARGET_COUNT && !status; t++) {
        bool any = false;
        for (size_t r = 0; r < rows->rows.count; r++)
            any |= rows->rows.at[r].measured[t] > 0 && rows->rows.at[r].basis.target[t] > 0;
        if (any)
            status = report_target(&report, (enum fw_forest_target)t);
    }
    if (json)
        fw_buffer_printf(out, "\n]}\n");
    return status;
}
