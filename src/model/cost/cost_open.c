/* The model cost: a calibration is read, once a device. */
#include "cost_answer.h"

#include "cost_rate.h"
#include "file.h"

#include <string.h>

enum { CALIBRATION_MOST = 1 << 20, MEMORY_MOST = 64 << 20 };

/* The costs before overlap, which terms are parts of. */
static uint32_t plain_cost(struct fw_cost_model *model)
{
    return model->grouped ? fw_cost_model_root(model, FW_COST_OVERLAP_NONE) : model->cost;
}

/* Whether a node has features and all of them are f_sync_kernel_launch. */
static bool is_of_launch(const struct cost_opened *opened, uint32_t node)
{
    const struct fw_cost_graph *graph = &opened->model->graph;
    bool *needed = FW_ARRAY(opened->base.arena, bool, (size_t)node + 1);
    bool any = false;
    fw_cost_mark(needed, graph, node);
    for (uint32_t n = 0; n <= node; n++) {
        if (!needed[n] || graph->nodes.at[n].operation != FW_COST_FEATURE)
            continue;
        any = true;
        if (opened->features[graph->nodes.at[n].left].kind != FW_FEATURE_KERNEL_LAUNCH)
            return false;
    }
    return any;
}

static enum fw_status read_features(struct cost_opened *opened, const struct fw_model_files *files,
                                    const struct fw_sink *sink)
{
    struct fw_cost_model *model = opened->model;
    opened->features = FW_ARRAY(opened->base.arena, struct fw_feature, model->features.count + 1);
    enum fw_status status = FW_OK;
    for (size_t f = 0; f < model->features.count && !status; f++)
        status =
            fw_feature_find(&opened->features[f], opened->base.arena, model->features.at[f].name,
                            files->features, model->features.at[f].place, sink);
    return status;
}

static void prepare(struct cost_opened *opened)
{
    struct fw_arena *arena = opened->base.arena;
    struct fw_cost_model *model = opened->model;
    uint32_t root = fw_cost_model_root(model, model->overlap), plain = plain_cost(model);
    size_t count = model->parameters.count; /* with those of the form of overlap */
    uint32_t *roots = FW_ARRAY(arena, uint32_t, count + 1);
    opened->slopes = FW_ARRAY(arena, uint32_t, count + 1);
    opened->of_launch = FW_ARRAY(arena, bool, count + 1);
    opened->parameters = FW_ARRAY(arena, double, count + 1);
    fw_cost_derivatives(opened->slopes, &model->graph, plain, count);
    roots[0] = root;
    for (size_t p = 0; p < count; p++) {
        roots[1 + p] = opened->slopes[p];
        opened->parameters[p] = model->parameters.at[p].value;
        opened->of_launch[p] = is_of_launch(opened, opened->slopes[p]);
    }
    fw_cost_compile(&opened->program, arena, &model->graph, roots, count + 1);
}

static enum fw_status find_file(struct fw_source *source, struct cost_opened *opened,
                                const struct fw_model_files *files, const struct fw_device *device,
                                const struct fw_sink *sink)
{
    const char *path = files->calibration;
    if (!path && files->data)
        path = fw_arena_printf(opened->base.arena, "%s/models/cost/%s.calibration", files->data,
                               device->name);
    const char *why = path ? fw_file_text(source, opened->base.arena, path, CALIBRATION_MOST)
                           : "there is no folder of models";
    if (!why)
        return FW_OK;
    if (files->calibration) {
        fw_report(sink, FW_ERROR, "COST040", (struct fw_span){0}, "the calibration %s %s", path,
                  why);
        return FW_ERROR_MACHINE;
    }
    fw_report(sink, FW_ERROR, "COST040", (struct fw_span){0},
              "there is no calibration of the model cost for %s: --calibration FILE names one",
              device->name);
    return FW_ERROR_INPUT;
}

static enum fw_status read(void *state, const struct fw_model_files *files,
                           const struct fw_device *device, const struct fw_sink *sink)
{
    struct cost_opened *opened = state;
    struct fw_source *source = FW_NEW(opened->base.arena, struct fw_source);
    enum fw_status status = find_file(source, opened, files, device, sink);
    if (!status)
        status = fw_cost_model_read(&opened->model, opened->base.arena, source, sink);
    if (!status && !opened->model->calibrated) {
        fw_report(sink, FW_ERROR, "COST041", fw_span_of_source(source),
                  "this is a model, not a calibration: its parameters have no values");
        status = FW_ERROR_INPUT;
    }
    if (!status && strcmp(fw_cost_output_unit(opened->model->output), "s") != 0) {
        fw_report(sink, FW_ERROR, "COST042", opened->model->output_place,
                  "the calibration's output, %s, is no time", opened->model->output);
        status = FW_ERROR_INPUT;
    }
    if (!status)
        status = read_features(opened, files, sink);
    if (!status)
        prepare(opened);
    return status;
}

enum fw_status cost_open(void **state, const struct fw_model_files *files,
                         const struct fw_device *device, const struct fw_sink *sink)
{
    static const struct fw_model_opening opening = {.size = sizeof(struct cost_opened),
                                                    .memory = MEMORY_MOST,
                                                    .read = read,
                                                    .close = fw_model_close_parameters};
    return fw_model_open_parameters(state, &opening, files, device, sink);
}

bool cost_needs_code(const void *state)
{
    const struct cost_opened *opened = state;
    for (size_t f = 0; f < opened->model->features.count; f++)
        if (fw_feature_needs_code(opened->features[f].kind))
            return true;
    return false;
}
