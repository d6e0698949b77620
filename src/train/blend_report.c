/* What the model blend is off by, for families that it did not see. */
#include "blend_train.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LONG_SECONDS 10e-6

struct reporting {
    struct fw_buffer *out;
    const struct fw_blend *blend;
    const struct fw_blend_answers *answers;
    const struct fw_training_rows *rows;
    bool json, any;
};

/* Which rows a line is of; kind and class: negative for all. */
struct selection {
    const char *list; /* NULL: all that are not judged */
    int kind, class;
    enum data {
        ANY,
        NO_UNKNOWN,
        KNOWN,
        RANDOM
    } data;       /* KNOWN: nor do data decide addresses; RANDOM: they do */
    bool is_long; /* measured at 10 us or more */
    bool judged;  /* where no list is named */
};

static bool takes_data(enum data data, const struct fw_blend_launch *launch)
{
    return data == ANY ||
           (!launch->is_unknown && (data == NO_UNKNOWN || launch->is_random == (data == RANDOM)));
}

static bool takes(const struct selection *of, const struct fw_training_row *row)
{
    return (of->list ? strcmp(of->list, row->list) == 0 : row->judged == of->judged) &&
           (of->kind < 0 || (int)row->launch.kind == of->kind) &&
           (of->class < 0 || (int)row->launch.class == of->class) &&
           takes_data(of->data, &row->launch) &&
           (!of->is_long || row->measured[FW_FOREST_SECONDS] >= LONG_SECONDS);
}

/* ---- errors ---- */

struct errors {
    size_t count;
    double mean, median;
};

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double median_of(double *values, size_t count)
{
    qsort(values, count, sizeof(*values), ascending);
    return count ? (values[(count - 1) / 2] + values[count / 2]) / 2 : 0;
}

/* Of the joined answer (member FW_BLEND_MEMBER_COUNT), or of one model's. */
static struct errors errors_of(const struct reporting *report, const struct selection *of,
                               enum fw_blend_target target, int member)
{
    const struct fw_training_rows *rows = report->rows;
    double *errors = FW_ARRAY(report->out->arena, double, rows->rows.count + 1);
    struct errors found = {0};
    for (size_t r = 0; r < rows->rows.count; r++) {
        const struct fw_training_row *row = &rows->rows.at[r];
        double members[FW_BLEND_MEMBER_COUNT + 1], measured = fw_blend_measured(row, target);
        fw_blend_members(members, row, report->answers, r,
                         target < FW_BLEND_TARGET_JOULES ? target : FW_BLEND_TARGET_WATTS);
        members[FW_BLEND_MEMBER_COUNT] = report->answers->joined[target][r];
        if (!takes(of, row) || !(measured > 0) || !(members[member] > 0))
            continue;
        errors[found.count] = fabs(members[member] / measured - 1);
        found.mean += errors[found.count++];
    }
    found.mean = found.count ? found.mean / (double)found.count : 0;
    found.median = median_of(errors, found.count);
    return found;
}

static void begin_row(struct reporting *report, const char *table, const char *of)
{
    if (report->json)
        fw_buffer_printf(report->out, "%s\n  {\"table\": \"%s\", \"of\": \"%s\"",
                         report->any ? "," : "", table, of);
    else
        fw_buffer_printf(report->out, "| %s |", of);
    report->any = true;
}

static void end_row(struct reporting *report)
{
    fw_buffer_printf(report->out, report->json ? "}" : "\n");
}

static void add_errors(struct reporting *report, const char *by, struct errors errors)
{
    if (report->json)
        fw_buffer_printf(report->out,
                         ", \"%s\": {\"launches\": %zu, \"mean\": %.6g, \"median\": %.6g}", by,
                         errors.count, errors.mean, errors.median);
    else if (errors.count)
        fw_buffer_printf(report->out, " %.1f / %.1f |", 100 * errors.mean, 100 * errors.median);
    else
        fw_buffer_printf(report->out, " |");
}

static void error_row(struct reporting *report, const char *name, const struct selection *of,
                      enum fw_blend_target target, const char *required)
{
    struct errors joined = errors_of(report, of, target, FW_BLEND_MEMBER_COUNT);
    if (!joined.count)
        return;
    begin_row(report, fw_blend_target_name(target), name);
    if (!report->json)
        fw_buffer_printf(report->out, " %zu |", joined.count);
    add_errors(report, "blend", joined);
    if (!report->json)
        fw_buffer_printf(report->out, " %s |", required);
    for (int m = 0; m < FW_BLEND_MEMBER_COUNT && target < FW_BLEND_TARGET_JOULES; m++)
        if (m != FW_BLEND_TRACE || target == FW_BLEND_TARGET_SECONDS)
            add_errors(report, fw_blend_member_name((enum fw_blend_member)m),
                       errors_of(report, of, target, m));
    end_row(report);
}

/* Lists in the order of their first launch. */
static size_t lists_of(const char **lists, const struct fw_training_rows *rows)
{
    size_t count = 0;
    for (size_t r = 0; r < rows->rows.count; r++) {
        size_t l = 0;
        while (l < count && strcmp(lists[l], rows->rows.at[r].list) != 0)
            l++;
        if (l == count && count < 16)
            lists[count++] = rows->rows.at[r].list;
    }
    return count;
}

static const char *required_of(const char *list)
{
    return strcmp(list, "examples") == 0            ? "8 / 5"
           : strncmp(list, "programs", 8) == 0      ? "10 / 6"
           : strncmp(list, "asynchronous", 12) == 0 ? ""
           : strstr(list, "judged")                 ? "9 / 6"
                                                    : "";
}

static void report_time(struct reporting *report)
{
    const char *lists[16];
    size_t count = lists_of(lists, report->rows);
    struct fw_arena *arena = report->out->arena;
    if (!report->json)
        fw_buffer_printf(
            report->out,
            "## Time\nMean / median error in per cent: first of launches of 10 us or more "
            "of which nothing is unknown,\nand no address is decided by data; *random*: "
            "of such with addresses that data decide, as of gathers,\ntables and histograms; then "
            "of the classes of the intervals.\n\n"
            "| of | launches | blend | required | traffic | trace | forest |\n"
            "|---|---|---|---|---|---|---|\n");
    for (size_t l = 0; l < count; l++) {
        const struct selection of = {lists[l], -1, -1, KNOWN, true, false};
        error_row(report, lists[l], &of, FW_BLEND_TARGET_SECONDS, required_of(lists[l]));
    }
    for (size_t l = 0; l < count; l++) {
        const struct selection random = {lists[l], -1, -1, RANDOM, true, false};
        error_row(report, fw_arena_printf(arena, "%s, random", lists[l]), &random,
                  FW_BLEND_TARGET_SECONDS, "");
    }
    for (size_t l = 0; l < count; l++) {
        const struct selection brief = {lists[l], -1, FW_BLEND_CLASS_BRIEF, ANY, false, false},
                               unknown = {lists[l], -1, FW_BLEND_CLASS_UNKNOWN, ANY, false, false},
                               beside = {lists[l], -1,    FW_BLEND_CLASS_ASYNCHRONOUS,
                                         ANY,      false, false};
        error_row(report, fw_arena_printf(arena, "%s, short", lists[l]), &brief,
                  FW_BLEND_TARGET_SECONDS, "");
        error_row(report, fw_arena_printf(arena, "%s, unknown", lists[l]), &unknown,
                  FW_BLEND_TARGET_SECONDS, "");
        error_row(report, fw_arena_printf(arena, "%s, asynchronous", lists[l]), &beside,
                  FW_BLEND_TARGET_SECONDS, "");
    }
}

static void add_weights(struct reporting *report, const struct fw_blend_weights *weights)
{
    for (int m = 0; m < FW_BLEND_MEMBER_COUNT; m++)
        if (report->json)
            fw_buffer_printf(report->out, ", \"weight_%s\": %.6g",
                             fw_blend_member_name((enum fw_blend_member)m), weights->at[m]);
        else
            fw_buffer_printf(report->out, " %.1f |", weights->at[m]);
}

/* Launches that are not judged, by what the weights go by. */
static void report_kinds(struct reporting *report)
{
    if (!report->json)
        fw_buffer_printf(
            report->out,
            "\n## Kinds of launches, and their weights\nOf the launches that are not "
            "judged: errors, and weights of the seconds from all of them. How much\n"
            "worse the blend is than a model by itself, mean and median each beside "
            "the model that is\nthe best by it: required are at most 0.5 points of the mean.\n\n"
            "| kind | families | traffic | trace | forest | launches | blend | worse "
            "than the best, points | traffic | trace | forest |\n"
            "|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (int k = 0; k < FW_BLEND_KIND_COUNT; k++) {
        const struct fw_blend_weights *weights =
            &report->blend->weights[FW_BLEND_TARGET_SECONDS][k];
        const struct selection of = {NULL, k, -1, ANY, false, false};
        struct errors joined =
            errors_of(report, &of, FW_BLEND_TARGET_SECONDS, FW_BLEND_MEMBER_COUNT);
        struct errors best = {.mean = INFINITY, .median = INFINITY}; /* of two models, maybe */
        begin_row(report, "kinds", fw_blend_kind_name((enum fw_blend_kind)k));
        fw_buffer_printf(report->out, report->json ? ", \"families\": %zu" : " %zu |",
                         weights->families);
        add_weights(report, weights);
        for (int m = 0; m < FW_BLEND_MEMBER_COUNT; m++) {
            const struct errors alone = errors_of(report, &of, FW_BLEND_TARGET_SECONDS, m);
            best.mean = fmin(best.mean, alone.mean);
            best.median = fmin(best.median, alone.median);
        }
        if (!report->json)
            fw_buffer_printf(report->out, " %zu |", joined.count);
        add_errors(report, "blend", joined);
        if (!report->json)
            fw_buffer_printf(report->out, " %.1f / %.1f |",
                             fmax(0, 100 * (joined.mean - best.mean)),
                             fmax(0, 100 * (joined.median - best.median)));
        for (int m = 0; m < FW_BLEND_MEMBER_COUNT; m++)
            add_errors(report, fw_blend_member_name((enum fw_blend_member)m),
                       errors_of(report, &of, FW_BLEND_TARGET_SECONDS, m));
        end_row(report);
    }
}

/* ---- intervals ---- */

/* The share of errors of a class that its bounds hold, families weighing the same; their number. */
static double covered_of(size_t *families, const struct reporting *report,
                         const struct fw_conformal_row *errors, size_t count, int class,
                         enum fw_blend_target target)
{
    struct fw_arena *arena = report->out->arena;
    const struct fw_blend_bounds *bounds = &report->blend->bounds[target][class];
    double *rows = FW_ARRAY(arena, double, report->rows->families.count + 1), covered = 0;
    *families = 0;
    for (size_t e = 0; e < count; e++)
        rows[errors[e].family] += (int)errors[e].class == class;
    for (size_t e = 0; e < count; e++)
        if ((int)errors[e].class == class && errors[e].error >= bounds->low &&
            errors[e].error <= bounds->high)
            covered += 1 / rows[errors[e].family];
    for (size_t f = 0; f < report->rows->families.count; f++)
        *families += rows[f] > 0;
    return *families ? covered / (double)*families : (double)NAN;
}

/* Upper by lower end, the median over launches that are not judged. */
static double width_of(const struct reporting *report, int class, enum fw_blend_target target)
{
    const struct fw_training_rows *rows = report->rows;
    double *widths = FW_ARRAY(report->out->arena, double, rows->rows.count + 1), low, high;
    size_t count = 0;
    for (size_t r = 0; r < rows->rows.count; r++) {
        const struct fw_training_row *row = &rows->rows.at[r];
        if (!row->judged && (int)row->launch.class == class && fw_blend_measured(row, target) > 0 &&
            fw_blend_interval(&low, &high, report->blend, &row->launch, target,
                              report->answers->joined[target][r],
                              report->answers->deviation[target][r]))
            widths[count++] = high / low;
    }
    return median_of(widths, count);
}

static void number(struct reporting *report, const char *name, double value, int digits)
{
    bool known = isfinite(value);
    if (report->json)
        fw_buffer_printf(report->out, known ? ", \"%s\": %.6g" : ", \"%s\": null", name, value);
    else if (known)
        fw_buffer_printf(report->out, " %.*f |", digits, value);
    else
        fw_buffer_printf(report->out, " |");
}

static void range(struct reporting *report, double least, double most)
{
    if (report->json) {
        number(report, "chance_least", least, 0);
        number(report, "chance_most", most, 0);
    } else if (isfinite(least))
        fw_buffer_printf(report->out, " %.0f to %.0f |", least, most);
    else
        fw_buffer_printf(report->out, " |");
}

static void interval_rows(struct reporting *report, enum fw_blend_target target,
                          enum fw_blend_group group)
{
    struct fw_arena *arena = report->out->arena;
    const struct fw_training_rows *rows = report->rows;
    struct fw_conformal_check checks[FW_BLEND_CLASS_COUNT];
    struct fw_conformal_class classes[FW_BLEND_CLASS_COUNT];
    struct fw_conformal_row *errors =
        FW_ARRAY(arena, struct fw_conformal_row, 2 * rows->rows.count + 1);
    const struct fw_blend_which which = {group, false}, others = {group, true};
    const double level = fw_blend_level(report->blend, group);
    const enum fw_conformal_sides sides =
        fw_blend_is_even(group) ? FW_CONFORMAL_EVEN : FW_CONFORMAL_EACH;
    const bool any = fw_blend_errors(errors, rows, report->answers, target, which) > 0;
    size_t count = fw_blend_fitted_errors(errors, rows, report->answers, target, which, arena);
    struct fw_conformal_row *judged = errors + count;
    size_t judged_count = fw_blend_errors(judged, rows, report->answers, target, others);
    if (!any ||
        fw_conformal_fit(classes, FW_BLEND_CLASS_COUNT, errors, count, sides, level,
                         FW_TRAIN_LEAST_FAMILIES, arena) ||
        fw_conformal_check(checks, FW_BLEND_CLASS_COUNT, errors, count, sides, level,
                           FW_TRAIN_LEAST_FAMILIES, arena))
        return;
    for (int c = 0; c < FW_BLEND_CLASS_COUNT; c++) {
        const struct fw_blend_bounds *bounds = &report->blend->bounds[target][c];
        if (fw_blend_class_group((enum fw_blend_class)c) != group)
            continue;
        begin_row(report, "intervals",
                  fw_arena_printf(arena, "%s, %s", fw_blend_target_name(target),
                                  fw_blend_class_name((enum fw_blend_class)c)));
        fw_buffer_printf(report->out, report->json ? ", \"families\": %zu" : " %zu |",
                         bounds->families);
        bool has = isfinite(bounds->low) && isfinite(bounds->high);
        bool checked =
            has && isfinite(checks[classes[c].group].width) && /* with a family less */
            !fw_blend_is_composed(rows, report->answers, target, (enum fw_blend_class)c, arena);
        number(report, "covered", checked ? 100 * checks[classes[c].group].covered : (double)NAN,
               1);
        size_t families;
        double covered = covered_of(&families, report, judged, judged_count, c, target);
        fw_buffer_printf(report->out, report->json ? ", \"judged_families\": %zu" : " %zu |",
                         families);
        number(report, "judged_covered", has ? 100 * covered : (double)NAN, 1);
        double least = (double)NAN, most = (double)NAN;
        if (checked)
            fw_conformal_usual(&least, &most, sides, level, bounds->families, families);
        range(report, 100 * least, 100 * most);
        number(report, "upper_by_lower", has ? width_of(report, c, target) : (double)NAN, 2);
        end_row(report);
    }
}

static void report_intervals(struct reporting *report)
{
    if (!report->json)
        fw_buffer_printf(
            report->out,
            "\n## Intervals of 90 %%\nCovered: launches of families that were left out, families "
            "weighing the same\n(required: 82 to 96 %%), and judged launches. Upper by lower end: "
            "the median (required:\nat most 1.6). Classes of less than %d families are merged, "
            "those that data decide (unknown,\nrandom) with each other, but for joules, which then "
            "have the bounds of seconds and watts together;\nasynchronous ones with none; without "
            "an interval where there are too few. Of few judged families\nthe share says little: "
            "*by chance* is where it lies in nine of ten samples of families, those\nthat are left "
            "out and judged ones, if both are drawn alike.\n\n"
            "| of | families | covered %% | judged families | judged %% | by chance | upper by "
            "lower "
            "end |\n|---|---|---|---|---|---|---|\n",
            FW_TRAIN_LEAST_FAMILIES);
    for (int t = 0; t < FW_BLEND_TARGET_COUNT; t++) {
        for (int g = 0; g < FW_BLEND_GROUP_COUNT; g++)
            interval_rows(report, (enum fw_blend_target)t, (enum fw_blend_group)g);
    }
}

static void report_power(struct reporting *report)
{
    const char *lists[16];
    size_t count = lists_of(lists, report->rows);
    if (!report->json)
        fw_buffer_printf(report->out, "\n## Power\n| of | launches | blend | required mean | "
                                      "traffic | forest |\n|---|---|---|---|---|---|\n");
    for (size_t l = 0; l < count; l++) {
        const struct selection of = {lists[l], -1, -1, NO_UNKNOWN, false, false};
        error_row(report, lists[l], &of, FW_BLEND_TARGET_WATTS, "8");
    }
}

void fw_blend_report(struct fw_buffer *out, const struct fw_blend *blend,
                     const struct fw_blend_answers *answers, const struct fw_training_rows *rows,
                     bool json)
{
    struct reporting report = {
        .out = out, .blend = blend, .answers = answers, .rows = rows, .json = json};
    if (json)
        fw_buffer_printf(out,
                         "{\"forewarp\": \"%s\", \"format\": 1, \"families\": %zu, \"rows\": [",
                         FW_VERSION, rows->families.count);
    report_time(&report);
    report_kinds(&report);
    report_intervals(&report);
    report_power(&report);
    if (json)
        fw_buffer_printf(out, "\n]}\n");
}
