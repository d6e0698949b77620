/* Training: the model forest from launches and measurements, and how good it is. */
#include "api_check.h"
#include "blend_train.h"
#include "session.h"
#include "train.h"

#include <stdlib.h>
#include <string.h>

enum { SEED = 1, TREES = 64 };

struct working {
    const struct fw_context *context;
    struct fw_arena *arena;
    const struct fw_train_settings *settings;
    struct fw_training_rows rows;
    char *text; /* result */
    size_t length;
    char *table; /* of rows */
    char *plot;
    bool evaluates;
};

static enum fw_status read_measurements(struct fw_training_measured *measured,
                                        const struct working *work)
{
    const struct fw_train_settings *settings = work->settings;
    struct fw_measurements *all =
        FW_ARRAY(work->arena, struct fw_measurements, settings->measured_count + 1);
    enum fw_status status = FW_OK;
    for (size_t m = 0; m < settings->measured_count && !status; m++) {
        struct fw_source *source = FW_NEW(work->arena, struct fw_source);
        status = fw_session_read_file(source, work->arena, work->context, settings->measured[m]);
        if (!status)
            status = fw_measurements_read(&all[m], work->arena, source, &work->context->sink);
    }
    *measured = (struct fw_training_measured){all, settings->measured_count};
    return status;
}

/* A list as it is called: without its folder and its suffix. */
static const char *name_of(struct fw_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return fw_arena_text(arena, name, strcspn(name, "."));
}

static enum fw_status add_lists(struct working *work, const char *const *paths, size_t count,
                                const struct fw_training_measured *measured, bool judged)
{
    enum fw_status status = FW_OK;
    for (size_t l = 0; l < count && !status; l++) {
        struct fw_source *source = FW_NEW(work->arena, struct fw_source);
        struct fw_launch_items items;
        status = fw_session_read_file(source, work->arena, work->context, paths[l]);
        if (!status)
            status = fw_launches_read(&items, work->arena, source, paths[l], &work->context->sink);
        work->rows.list = name_of(work->arena, paths[l]);
        if (!status)
            status = fw_training_rows_add(&work->rows, work->context, &items, measured,
                                          work->settings->device, judged);
    }
    return status;
}

static enum fw_status gather(struct working *work)
{
    const struct fw_train_settings *settings = work->settings;
    struct fw_training_measured measured;
    work->rows = (struct fw_training_rows){.arena = work->arena,
                                           .families = fw_map_new(work->arena),
                                           .kernels = fw_map_new(work->arena)};
    enum fw_status status = read_measurements(&measured, work);
    if (!status)
        status = add_lists(work, settings->launches, settings->launch_count, &measured, false);
    if (!status)
        status = add_lists(work, settings->judged, settings->judged_count, &measured, true);
    if (!status && (work->rows.unmeasured || work->rows.refused))
        fw_report(&work->context->sink, FW_WARNING, "FOR007", (struct fw_span){0},
                  "%zu launches are left out: %zu were not measured, %zu cannot be predicted",
                  work->rows.unmeasured + work->rows.refused, work->rows.unmeasured,
                  work->rows.refused);
    return status;
}

/* Bytes that the caller frees; a zero byte stands behind them. */
static enum fw_status give(char **text, const struct fw_buffer *out)
{
    *text = malloc(out->length + 1);
    if (!*text)
        return FW_ERROR_MEMORY;
    memcpy(*text, out->text ? out->text : "", out->length);
    (*text)[out->length] = '\0';
    return FW_OK;
}

static enum fw_status evaluate(struct working *work, struct fw_buffer *out,
                               const struct fw_train_settings_inside *settings)
{
    const struct fw_sink *sink = &work->context->sink;
    struct fw_buffer table = fw_buffer_new(work->arena), plot = fw_buffer_new(work->arena);
    enum fw_status status =
        fw_train_evaluate(out, &work->rows, settings, work->settings->json, sink);
    if (!status && work->settings->rows)
        status = fw_train_table(&table, &work->rows, settings, sink);
    if (!status && work->settings->rows)
        status = give(&work->table, &table);
    if (!status && work->settings->plot)
        status = fw_train_plot(&plot, &work->rows, settings, sink);
    return status || !work->settings->plot ? status : give(&work->plot, &plot);
}

static enum fw_status run_blend(struct working *work, struct fw_buffer *out,
                                const struct fw_train_settings_inside *settings)
{
    struct fw_blend blend;
    struct fw_blend_answers answers;
    enum fw_status status =
        fw_blend_train(&blend, &answers, &work->rows, settings, work->arena, &work->context->sink);
    if (!status && work->evaluates)
        fw_blend_report(out, &blend, &answers, &work->rows, work->settings->json);
    else if (!status)
        fw_blend_write(out, &blend);
    return status;
}

static enum fw_status run(void *user)
{
    struct working *work = user;
    const struct fw_train_settings *from = work->settings;
    const struct fw_sink *sink = &work->context->sink;
    const struct fw_train_settings_inside settings = {
        .device = from->device->name,
        .seed = SEED,
        .trees = from->trees ? from->trees : TREES,
        .nested =
            from->nested < FW_NESTED_ITERATIONS_MOST ? from->nested : FW_NESTED_ITERATIONS_MOST,
        .nested_only = from->nested_only,
        .ratio = from->absolute   ? FW_FOREST_TO_NOTHING
                 : from->ratio_to ? FW_FOREST_TO_QUICK
                                  : FW_FOREST_TO_MODELS};
    struct fw_buffer out = fw_buffer_new(work->arena);
    struct fw_forest_bundle bundle;
    enum fw_status status = gather(work);
    if (status)
        return status;
    if (from->model && strcmp(from->model, "blend") == 0) {
        status = run_blend(work, &out, &settings);
    } else if (work->evaluates) {
        status = evaluate(work, &out, &settings);
    } else {
        status = fw_train(&bundle, &work->rows, &settings, work->arena, sink);
        if (!status && from->c)
            fw_forest_bundle_write_c(&out, &bundle);
        else if (!status)
            fw_forest_bundle_write(&out, &bundle);
        if (!status)
            fw_forest_bundle_free(&bundle);
    }
    work->length = out.length;
    return status ? status : give(&work->text, &out);
}

static enum fw_status work_on(struct working *work, const char *function,
                              const struct fw_train_settings *settings, const void *result,
                              const void *length)
{
    static const struct fw_session_limit limit = {.doing = "training", .many = true};
    struct fw_train_settings all;
    struct api_check check = api_check_begin(work->context, function);
    api_check_pointer(&check, settings, "the settings");
    api_check_size(&check, settings, "the settings");
    fw_session_options(&all, sizeof(all), settings);
    api_check_pointer(&check, all.device, "the device");
    api_check_pointer(&check, result, "the result");
    api_check_pointer(&check, length, "the length");
    api_check_texts(&check, all.launches, all.launch_count, "launches");
    api_check_texts(&check, all.judged, all.judged_count, "launches to judge");
    api_check_texts(&check, all.measured, all.measured_count, "measurements");
    if (check.status)
        return check.status;
    if (all.model && strcmp(all.model, "blend") != 0 && strcmp(all.model, "forest") != 0) {
        fw_session_error(work->context, "API037", "the models blend and forest are trained, not %s",
                         all.model);
        return FW_ERROR_USAGE;
    }
    if (all.model && strcmp(all.model, "blend") == 0 &&
        (all.rows || all.plot || all.absolute || all.ratio_to)) {
        fw_session_error(
            work->context, "API082",
            "rows, plots and trees that predict by themselves or correct the roofline are of the "
            "model forest");
        return FW_ERROR_USAGE;
    }
    if (all.ratio_to && (all.absolute || strcmp(all.ratio_to, "roofline") != 0)) {
        fw_session_error(work->context, "API083",
                         "trees predict their ratio to roofline, to the models traffic and trace, "
                         "or (absolute) none, not to %s",
                         all.absolute ? "both roofline and none" : all.ratio_to);
        return FW_ERROR_USAGE;
    }
    work->settings = &all;
    work->arena = fw_arena_new(work->context->memory);
    if (!work->arena)
        return FW_ERROR_MEMORY;
    enum fw_status status =
        fw_session_guard_within(work->context, &limit, work->arena, NULL, run, work);
    fw_arena_free(work->arena);
    if (status) {
        free(work->text);
        free(work->table);
        free(work->plot);
        work->text = work->table = work->plot = NULL;
    }
    if (all.rows)
        *all.rows = work->table;
    if (all.plot)
        *all.plot = work->plot;
    return status;
}

enum fw_status fw_context_train(char **forest, size_t *length, const struct fw_context *context,
                                const struct fw_train_settings *settings)
{
    struct working work = {.context = context};
    enum fw_status status = work_on(&work, __func__, settings, forest, length);
    if (forest)
        *forest = work.text;
    if (length)
        *length = work.length;
    return status;
}

enum fw_status fw_context_evaluate_forest(char **text, const struct fw_context *context,
                                          const struct fw_train_settings *settings)
{
    struct working work = {.context = context, .evaluates = true};
    enum fw_status status = work_on(&work, __func__, settings, text, text);
    if (text)
        *text = work.text;
    return status;
}
