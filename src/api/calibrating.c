/* Calibrating: cost models fitted to tables, and calibrated ones applied to them. */
#include "api_table.h"
#include "calibration_report.h"

#include <string.h>

struct calibrating {
    const struct fw_context *context;
    struct fw_arena *arena;
    const struct fw_calibrate_settings *settings;
    char **text, **calibration; /* calibration NULL: not wanted */
};

static enum fw_status read_model(struct fw_cost_model **model, struct calibrating *work)
{
    struct fw_source *source = FW_NEW(work->arena, struct fw_source);
    enum fw_status status =
        fw_session_read_file(source, work->arena, work->context, work->settings->model);
    return status ? status : fw_cost_model_read(model, work->arena, source, &work->context->sink);
}

/* The table of the settings' launches, for the model. */
static enum fw_status make_table(struct fw_source *source, struct calibrating *work,
                                 const struct fw_cost_model *model)
{
    const struct fw_calibrate_settings *settings = work->settings;
    const struct api_table table = {.context = work->context,
                                    .arena = work->arena,
                                    .launches = settings->launches,
                                    .launch_count = settings->launch_count,
                                    .measured = settings->measured,
                                    .store = settings->store,
                                    .campaign = settings->campaign,
                                    .device_name = settings->device};
    struct fw_buffer csv = fw_buffer_new(work->arena);
    enum fw_status status = api_table_of_model(&csv, &table, model);
    *source = (struct fw_source){settings->launches[0], csv.text, csv.length};
    return status;
}

static enum fw_status read_table(struct fw_cost_table **table, struct calibrating *work,
                                 const struct fw_cost_model *model)
{
    struct fw_source *source = FW_NEW(work->arena, struct fw_source);
    enum fw_status status =
        work->settings->table
            ? fw_session_read_file(source, work->arena, work->context, work->settings->table)
            : make_table(source, work, model);
    return status ? status : fw_cost_table_read(table, work->arena, source, &work->context->sink);
}

static enum fw_status give(char **to, const char *text)
{
    *to = fw_session_text(text);
    return *to ? FW_OK : FW_ERROR_MEMORY;
}

static enum fw_status state_overlap(const struct calibrating *work, struct fw_cost_model *model)
{
    const char *stated = work->settings->overlap;
    for (int o = 0; stated && o <= FW_COST_OVERLAP_AUTO; o++)
        if (strcmp(stated, fw_cost_overlap_name((enum fw_cost_overlap)o)) == 0) {
            model->overlap = (enum fw_cost_overlap)o;
            stated = NULL;
        }
    if (stated) {
        fw_session_error(work->context, "API080",
                         "there is no overlap %s; there are none, full, partial and auto", stated);
        return FW_ERROR_USAGE;
    }
    uint32_t zero = fw_cost_constant(&model->graph, 0);
    bool both = model->groups[FW_COST_MEMORY] != zero && model->groups[FW_COST_ON_CHIP] != zero;
    if (!work->settings->overlap || both || model->overlap == FW_COST_OVERLAP_NONE)
        return FW_OK;
    fw_session_error(work->context, "API080",
                     "overlap is between memory and on_chip: the model does not state both");
    return FW_ERROR_USAGE;
}

static enum fw_status calibrate(void *user)
{
    struct calibrating *work = user;
    const struct fw_calibrate_settings *settings = work->settings;
    const struct fw_cost_settings fit = {.held_out = settings->held_out,
                                         .held_out_count = settings->held_out_count,
                                         .starts = settings->starts,
                                         .non_negative = settings->non_negative};
    struct fw_buffer out = fw_buffer_new(work->arena);
    struct fw_cost_calibration *made;
    struct fw_cost_model *model;
    struct fw_cost_table *table;
    enum fw_status status = read_model(&model, work);
    if (!status && model->calibrated) {
        fw_report_file(&work->context->sink, FW_ERROR, "API081", settings->model,
                       "this is a calibration, not a model: its parameters have values");
        return FW_ERROR_INPUT;
    }
    if (!status)
        status = state_overlap(work, model);
    if (!status)
        status = read_table(&table, work, model);
    if (!status)
        status = fw_cost_calibrate(&made, work->arena, model, table, &fit, &work->context->sink);
    if (status)
        return status;
    if (settings->json)
        fw_report_calibration_json(&out, made, settings->device);
    else
        fw_report_calibration_text(&out, made, settings->device);
    status = give(work->text, out.text);
    if (status || !work->calibration)
        return status;
    return give(
        work->calibration,
        fw_cost_calibration_text(work->arena, made, "forewarp " FW_VERSION, settings->device));
}

static enum fw_status evaluate(void *user)
{
    struct calibrating *work = user;
    struct fw_buffer out = fw_buffer_new(work->arena);
    struct fw_cost_predictor predictor;
    struct fw_cost_model *model;
    struct fw_cost_table *table;
    struct fw_cost_data data;
    enum fw_status status = read_model(&model, work);
    if (!status && !model->calibrated) {
        fw_report_file(&work->context->sink, FW_ERROR, "API081", work->settings->model,
                       "this is a model, not a calibration: its parameters have no values");
        return FW_ERROR_INPUT;
    }
    if (!status)
        status = read_table(&table, work, model);
    if (!status)
        status = fw_cost_data_find(&data, work->arena, table, model, false, &work->context->sink);
    if (status)
        return status;
    double *predicted = FW_ARRAY(work->arena, double, table->row_count);
    fw_cost_predictor_new(&predictor, work->arena, model);
    status = fw_cost_predict_rows(predicted, &predictor, work->arena, &data, table,
                                  &work->context->sink);
    if (status)
        return status;
    const struct fw_cost_evaluation evaluation = {model, table, predicted, data.output};
    if (work->settings->json)
        fw_report_evaluation_json(&out, &evaluation);
    else
        fw_report_evaluation_text(&out, &evaluation);
    return give(work->text, out.text);
}

static enum fw_status run(struct calibrating *work, enum fw_status (*what)(void *user))
{
    static const struct fw_session_limit limit = {.doing = "calibrating", .many = true};
    enum fw_status status = FW_ERROR_MEMORY;
    work->arena = fw_arena_new(work->context->memory);
    if (work->arena)
        status = fw_session_guard_within(work->context, &limit, work->arena, NULL, what, work);
    fw_arena_free(work->arena);
    if (status) {
        fw_text_free(*work->text);
        *work->text = NULL;
    }
    if (status && work->calibration) {
        fw_text_free(*work->calibration);
        *work->calibration = NULL;
    }
    return status;
}

/* Copies the settings, and checks them. */
static struct api_check check_settings(struct fw_calibrate_settings *copy,
                                       const struct fw_context *context, const char *function,
                                       const struct fw_calibrate_settings *settings)
{
    struct api_check check = api_check_begin(context, function);
    api_check_pointer(&check, settings, "the settings");
    api_check_size(&check, settings, "the settings");
    fw_session_options(copy, sizeof(*copy), settings);
    api_check_text(&check, copy->model, "model");
    api_check_text(&check,
                   copy->table          ? copy->table
                   : copy->launch_count ? copy->launches[0]
                                        : NULL,
                   "table or launches");
    api_check_texts(&check, copy->launches, copy->launch_count, "launches");
    api_check_optional(&check, copy->device, "device");
    api_check_optional(&check, copy->overlap, "overlap");
    api_check_texts(&check, copy->held_out, copy->held_out_count, "held_out");
    api_check_number(&check, copy->starts, 10000, "starts");
    return check;
}

enum fw_status fw_context_calibrate(char **text, char **calibration,
                                    const struct fw_context *context,
                                    const struct fw_calibrate_settings *settings)
{
    struct fw_calibrate_settings copy;
    if (text)
        *text = NULL;
    if (calibration)
        *calibration = NULL;
    struct api_check check = check_settings(&copy, context, __func__, settings);
    api_check_pointer(&check, text, "the result");
    struct calibrating work = {
        .context = context, .settings = &copy, .text = text, .calibration = calibration};
    return check.status ? check.status : run(&work, calibrate);
}

enum fw_status fw_context_evaluate_calibration(char **text, const struct fw_context *context,
                                               const struct fw_calibrate_settings *settings)
{
    struct fw_calibrate_settings copy;
    if (text)
        *text = NULL;
    struct api_check check = check_settings(&copy, context, __func__, settings);
    api_check_pointer(&check, text, "the result");
    struct calibrating work = {.context = context, .settings = &copy, .text = text};
    return check.status ? check.status : run(&work, evaluate);
}
