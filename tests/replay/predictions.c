/* Predictions against recorded durations: every published accuracy figure, recomputed from data/.
 *
 * usage: predictions ROOT [--accept | --rows MODEL]
 * Predicts the medium and large launches of kernels/launches.json on the H200 profile through the
 * public API and compares with gpu__time_duration of data/h200/kernels.jsonl.  Writes
 * docs/accuracy.md with --accept, else compares with it: a drift is a reviewed difference.  --rows
 * prints each launch's ratio of one model.  The
 * profile's figures come from the vendor and from microbenchmarks, none from these kernels. */
#include "example_launch.h"
#include "recorded.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 512, MOST_MODELS = 8 };

struct outcome {
    char name[64];
    char size[8];
    char limiter[24];
    double predicted[MOST_MODELS], measured;
    size_t models;
    bool leans;
};

/* The models that answer with a profile alone: all but the one that needs a calibration. */
static size_t model_names(const char *names[MOST_MODELS])
{
    size_t count = 0;
    for (size_t m = 0; count < MOST_MODELS && fw_model_name(m); m++)
        if (strcmp(fw_model_name(m), "cost") != 0)
            names[count++] = fw_model_name(m);
    return count;
}

/* The place of a model among those. */
static size_t index_of(const char *name)
{
    const char *names[MOST_MODELS];
    size_t models = model_names(names), m = 0;
    while (m + 1 < models && strcmp(names[m], name) != 0)
        m++;
    return m;
}

static bool predict(const char *root, const struct fw_context *context,
                    const struct fw_device *device, const json_t *launch, struct outcome *outcome)
{
    struct fw_arena *arena = fw_arena_new(0);
    struct example_launch example;
    const struct fw_answer *answer;
    bool good = false;
    const char *names[MOST_MODELS];
    char models[256] = "";
    if (!example_launch_open(&example, arena, root, context, launch))
        goto out;
    outcome->models = model_names(names);
    for (size_t m = 0; m < outcome->models; m++) {
        strcat(models, m ? "," : "");
        strcat(models, names[m]);
    }
    struct fw_predict_settings settings = {.size = sizeof(settings), .models = models};
    if (fw_worker_predict(&answer, example.worker, device, &settings) ||
        answer->prediction_count != outcome->models)
        goto out;
    for (size_t m = 0; m < outcome->models; m++)
        outcome->predicted[m] = answer->predictions[m].seconds;
    outcome->leans = answer->unknown_count > 0;
    snprintf(outcome->limiter, sizeof(outcome->limiter), "%s", answer->predictions[0].limiter);
    good = true;
out:
    if (!good)
        printf("not predicted: %s\n", json_string_value(json_object_get(launch, "kernel")));
    example_launch_close(&example);
    fw_arena_free(arena);
    return good;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double share_at(double *values, size_t count, double share)
{
    qsort(values, count, sizeof(*values), by_value);
    return count ? values[(size_t)(share * (double)(count - 1) + 0.5)] : 0;
}

/* Each launch's ratio of predicted to measured time by one model, on standard output. */
static void print_rows(const struct outcome *rows, size_t count, const char *model)
{
    const char *names[MOST_MODELS];
    size_t models = model_names(names), m = 0;
    while (m < models && strcmp(names[m], model) != 0)
        m++;
    for (size_t r = 0; r < count && m < models; r++)
        printf("%8.3f %10.1f us  %s %s%s\n", rows[r].predicted[m] / rows[r].measured,
               rows[r].measured * 1e6, rows[r].name, rows[r].size, rows[r].leans ? "  leans" : "");
}

/* One model's row of the summary. */
static void write_model(struct fw_buffer *page, const struct outcome *rows, size_t count, size_t m,
                        const char *name)
{
    double errors[MOST_ROWS], ratios[MOST_ROWS], sum = 0;
    size_t judged = 0;
    for (size_t r = 0; r < count; r++)
        if (!rows[r].leans) {
            ratios[judged] = rows[r].predicted[m] / rows[r].measured;
            errors[judged] = 100 * fabs(ratios[judged] - 1);
            sum += errors[judged++];
        }
    fw_buffer_printf(page, "| %s | %zu | %.1f%% | %.1f%% | %.1f%% | %.2f |\n", name, judged,
                     share_at(errors, judged, 0.5), share_at(errors, judged, 0.9),
                     sum / (double)judged, share_at(ratios, judged, 0.5));
}

static void write_page(struct fw_buffer *page, const struct outcome *rows, size_t count)
{
    const char *names[MOST_MODELS];
    size_t leaning = 0, models = model_names(names), roofline = index_of("roofline"),
           traffic = index_of("traffic");
    for (size_t r = 0; r < count; r++)
        leaning += rows[r].leans;
    fw_buffer_printf(
        page,
        "# Accuracy of predicted times: all models and an H200\n\n"
        "`predictions . --accept` made this page from `data/h200/kernels.jsonl`; a test recomputes "
        "it.\nThe time is the duration of one launch as the profiler reports it "
        "(`gpu__time_duration`), with\ncaches as the launch before left them. The kernels are the "
        "example kernels at medium and large\nsize. The profile holds figures of the vendor and "
        "of microbenchmarks; nothing is fitted to\nthese kernels but the forest and the blend, "
        "which were trained on them: `forest-accuracy.md` and\n`blend.md` have their errors for "
        "kernels "
        "that they have not seen. `memory-traffic-times.md`\nshows the traffic model with the "
        "registers "
        "that the compiler "
        "of the driver gave.\n\n"
        "| model | launches | median error | 90th percentile | mean (MAPE) | median of predicted / "
        "measured |\n"
        "|---|---|---|---|---|---|\n");
    for (size_t m = 0; m < models; m++)
        write_model(page, rows, count, m, names[m]);
    fw_buffer_printf(
        page,
        "\nThe first model is the default. The roofline model is a lower bound by intent: "
        "resources "
        "overlap\nperfectly, latency is hidden, and caches hit. %zu more launches depend on loaded "
        "data (mark u): they\nare counted with defaults and not judged.\n\n"
        "| kernel | size | measured | %s | ratio | limited by | roofline |\n"
        "|---|---|---|---|---|---|---|\n",
        leaning, "traffic");
    for (size_t r = 0; r < count; r++)
        fw_buffer_printf(page, "| %s%s | %s | %.3g ms | %.3g ms | %.2f | %s | %.2f |\n",
                         rows[r].name, rows[r].leans ? " (u)" : "", rows[r].size,
                         rows[r].measured * 1e3, rows[r].predicted[traffic] * 1e3,
                         rows[r].predicted[traffic] / rows[r].measured, rows[r].limiter,
                         rows[r].predicted[roofline] / rows[r].measured);
}

int main(int argc, char **argv)
{
    static struct outcome rows[MOST_ROWS];
    size_t count = 0;
    bool good = true, accept = argc > 2 && strcmp(argv[2], "--accept") == 0;
    if (argc < 2)
        return 2;
    struct fw_arena *arena = fw_arena_new(0);
    struct fw_context_options options = {.size = sizeof(options), .data = argv[1]};
    struct fw_context *context;
    struct fw_device *device;
    json_t *launches =
        json_load_file(fw_arena_printf(arena, "%s/kernels/launches.json", argv[1]), 0, NULL);
    FILE *data = fopen(fw_arena_printf(arena, "%s/data/h200/kernels.jsonl", argv[1]), "r");
    if (!launches || !data || fw_context_new(&context, &options) ||
        fw_context_device(&device, context, "h200"))
        return 2;
    json_t *row;
    while (count < MOST_ROWS && (row = json_loadf(data, JSON_DISABLE_EOF_CHECK, NULL))) {
        const json_t *launch = recorded_launch(launches, row);
        const char *size = json_string_value(json_object_get(row, "size"));
        struct outcome *outcome = &rows[count];
        if (launch && strcmp(size, "small") != 0) {
            snprintf(outcome->name, sizeof(outcome->name), "%s",
                     json_string_value(json_object_get(row, "kernel")));
            snprintf(outcome->size, sizeof(outcome->size), "%s", size);
            outcome->measured = json_number_value(
                json_object_get(json_object_get(row, "counters"), "gpu__time_duration.sum"));
            bool done = predict(argv[1], context, device, launch, outcome);
            good = good && done;
            count += done;
        }
        json_decref(row);
    }
    fclose(data);
    json_decref(launches);
    if (argc > 3 && strcmp(argv[2], "--rows") == 0)
        print_rows(rows, count, argv[3]);
    struct fw_buffer page = fw_buffer_new(arena);
    write_page(&page, rows, count);
    bool same =
        recorded_page(arena, fw_arena_printf(arena, "%s/docs/accuracy.md", argv[1]), &page, accept);
    printf("%zu launches predicted; page %s\n", count,
           same ? "as committed" : "differs: run with --accept and review");
    printf("%d passed, %d failed\n", good + same, !good + !same);
    fw_context_device_free(device);
    fw_context_free(context);
    fw_arena_free(arena);
    return good && same ? 0 : 1;
}
