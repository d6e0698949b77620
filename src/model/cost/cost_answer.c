/* The model cost: a calibration applied to a kernel's features. */
#include "cost_peak.h"

#include "cost_fit.h"
#include "cost_rate.h"
#include "feature_value.h"
#include "file.h"
#include "model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CALIBRATION_MOST = 1 << 20, MEMORY_MOST = 64 << 20 };

/* A calibration that was read; it does not change. */
struct opened {
    struct fw_arena *arena;
    struct fw_cost_model *model;
    struct fw_feature *features;    /* by feature of the model */
    struct fw_cost_program program; /* its outputs: the cost, and the slopes */
    double *parameters;
    uint32_t *slopes; /* nodes, by parameter: derivatives of the costs before overlap */
    bool *of_launch;  /* by parameter: it pays for launching alone */
};

/* ---- opening ---- */

/* The costs before overlap, which terms are parts of. */
static uint32_t plain_cost(struct fw_cost_model *model)
{
    return model->grouped ? fw_cost_model_root(model, FW_COST_OVERLAP_NONE) : model->cost;
}

/* Whether a node has features and all of them are f_sync_kernel_launch. */
static bool is_of_launch(const struct opened *opened, uint32_t node)
{
    const struct fw_cost_graph *graph = &opened->model->graph;
    bool *needed = FW_ARRAY(opened->arena, bool, (size_t)node + 1);
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

static enum fw_status read_features(struct opened *opened, const struct fw_sink *sink)
{
    struct fw_cost_model *model = opened->model;
    opened->features = FW_ARRAY(opened->arena, struct fw_feature, model->features.count + 1);
    enum fw_status status = FW_OK;
    for (size_t f = 0; f < model->features.count && !status; f++)
        status = fw_feature_read(&opened->features[f], opened->arena, model->features.at[f].name,
                                 model->features.at[f].place, sink);
    return status;
}

static void prepare(struct opened *opened)
{
    struct fw_arena *arena = opened->arena;
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

static enum fw_status find_file(struct fw_source *source, struct opened *opened,
                                const struct fw_model_files *files, const struct fw_device *device,
                                const struct fw_sink *sink)
{
    const char *path = files->calibration;
    if (!path && files->data)
        path = fw_arena_printf(opened->arena, "%s/models/cost/%s.calibration", files->data,
                               device->name);
    const char *why = path ? fw_file_text(source, opened->arena, path, CALIBRATION_MOST)
                           : "there is no folder of models";
    if (!why)
        return FW_OK;
    if (files->calibration)
        fw_report(sink, FW_ERROR, "COST040", (struct fw_span){0}, "the calibration %s %s", path,
                  why);
    else
        fw_report(sink, FW_ERROR, "COST040", (struct fw_span){0},
                  "there is no calibration of the model cost for %s: --calibration FILE names one",
                  device->name);
    return FW_ERROR_INPUT;
}

static enum fw_status read(struct opened *opened, const struct fw_model_files *files,
                           const struct fw_device *device, const struct fw_sink *sink)
{
    struct fw_source *source = FW_NEW(opened->arena, struct fw_source);
    enum fw_status status = find_file(source, opened, files, device, sink);
    if (!status)
        status = fw_cost_model_read(&opened->model, opened->arena, source, sink);
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
        status = read_features(opened, sink);
    if (!status)
        prepare(opened);
    return status;
}

static enum fw_status open(void **state, const struct fw_model_files *files,
                           const struct fw_device *device, const struct fw_sink *sink)
{
    struct fw_arena *arena = fw_arena_new(MEMORY_MOST);
    jmp_buf exhausted;
    *state = NULL;
    if (!arena)
        return FW_ERROR_MEMORY;
    fw_arena_on_exhausted(arena, &exhausted);
    if (setjmp(exhausted)) {
        fw_arena_free(arena);
        return FW_ERROR_MEMORY;
    }
    struct opened *opened = FW_NEW(arena, struct opened);
    opened->arena = arena;
    enum fw_status status = read(opened, files, device, sink);
    fw_arena_on_exhausted(arena, NULL);
    if (status)
        fw_arena_free(arena);
    else
        *state = opened;
    return status;
}

static void close(void *state)
{
    fw_arena_free(((struct opened *)state)->arena);
}

static bool needs_code(const void *state)
{
    const struct opened *opened = state;
    for (size_t f = 0; f < opened->model->features.count; f++)
        if (fw_feature_needs_code(opened->features[f].kind))
            return true;
    return false;
}

/* ---- answering ---- */

struct work {
    const struct opened *opened;
    const struct fw_model_question *question;
    struct fw_arena *arena;
    struct fw_feature_source source;
    struct fw_feature_rows rows;
    double clock;
};

static enum fw_status gather(struct work *work, const struct fw_model_question *question)
{
    enum { USUAL_WARP = 32 };
    uint32_t warp = (uint32_t)fw_device_count(question->device, FW_FIGURE_WARP_SIZE, USUAL_WARP);
    work->source = (struct fw_feature_source){.arena = question->arena,
                                              .rows = question->domain_rows,
                                              .kernel = question->kernel,
                                              .bound = question->bound,
                                              .launch = question->launch,
                                              .no_code = question->no_code,
                                              .device = question->device,
                                              .alignments = question->alignments,
                                              .cold = question->cold};
    if (work->source.rows)
        return FW_OK;
    if (!question->bound) {
        fw_report(question->sink, FW_ERROR, "COST043", (struct fw_span){0},
                  "there is neither compiled code nor a domain to count features of");
        return FW_ERROR_INPUT;
    }
    fw_feature_rows_of_record(&work->rows, question->arena, question->kernel, question->bound,
                              question->launch, warp);
    work->source.rows = &work->rows;
    return FW_OK;
}

static enum fw_status find_values(double *values, struct work *work)
{
    const struct opened *opened = work->opened;
    enum fw_status status = FW_OK;
    for (size_t f = 0; f < opened->model->features.count && !status; f++)
        status = fw_feature_value(&values[f], &opened->features[f], &work->source,
                                  opened->model->features.at[f].place, work->question->sink);
    return status;
}

static int slowest_first(const void *a, const void *b)
{
    const struct fw_cost_row *x = a, *y = b;
    return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

/* What a parameter pays for, and how its cost compares with the device's peak. */
static const char *meaning_of(struct work *work, uint32_t parameter)
{
    const struct opened *opened = work->opened;
    struct fw_cost_model *model = opened->model;
    uint32_t node = opened->slopes[parameter];
    const char *text =
        fw_cost_text(work->arena, &model->graph, node, fw_cost_feature_names(model, work->arena),
                     fw_cost_parameter_names(model, work->arena));
    double least = 0;
    if (model->graph.nodes.at[node].operation == FW_COST_FEATURE)
        least = fw_cost_least(&opened->features[model->graph.nodes.at[node].left],
                              work->question->device, work->clock, work->source.rows->warp);
    double value = model->parameters.at[parameter].value;
    if (least > 0 && value > 0)
        return fw_arena_printf(work->arena, "%s; %.0f %% of the peak in the profile", text,
                               100 * least / value);
    return text;
}

static void fill_term(struct fw_cost_row *row, struct work *work, uint32_t parameter,
                      double seconds)
{
    const struct fw_cost_model *model = work->opened->model;
    const struct fw_cost_parameter *from = &model->parameters.at[parameter];
    const struct fw_cost_estimate estimate = {
        .parameter = parameter, .value = from->value, .work = work->opened->slopes[parameter]};
    struct fw_cost_rate rate = fw_cost_rate_of(work->arena, model, &estimate);
    const char *slash = rate.rate_unit ? strchr(rate.rate_unit, '/') : NULL;
    *row = (struct fw_cost_row){
        .name = from->name + 2,
        .seconds = seconds,
        .rate = isfinite(rate.rate) ? rate.rate : 0,
        .unit = slash ? fw_arena_text(work->arena, rate.rate_unit, (size_t)(slash - rate.rate_unit))
                      : "units",
        .figure = from->name,
        .source = "calibrated",
        .meaning = meaning_of(work, parameter)};
    row->amount = row->rate * seconds;
}

static void publish(struct fw_prediction *prediction, struct work *work, const double *values)
{
    const struct opened *opened = work->opened;
    const struct fw_cost_model *model = opened->model;
    size_t count = model->parameters.count;
    struct fw_cost_row *rows = FW_ARRAY(work->arena, struct fw_cost_row, count + 1);
    size_t used = 0;
    prediction->seconds = values[opened->program.outputs[0]];
    for (size_t p = 0; p < count; p++) {
        double seconds = opened->parameters[p] * values[opened->program.outputs[1 + p]];
        if (opened->of_launch[p]) {
            prediction->has_overhead = true;
            prediction->overhead_seconds += seconds;
            prediction->seconds -= seconds;
        } else if (seconds > 0) {
            fill_term(&rows[used++], work, (uint32_t)p, seconds);
        }
    }
    if (!prediction->has_overhead)
        prediction->no_overhead =
            "in the time: no parameter of the calibration is for f_sync_kernel_launch alone";
    qsort(rows, used, sizeof(*rows), slowest_first);
    for (size_t r = 0; r < used; r++)
        rows[r].share = rows[r].seconds / rows[0].seconds;
    prediction->terms = rows;
    prediction->term_count = used;
    prediction->limiter = used ? rows[0].name : NULL;
    prediction->clock = work->clock;
}

static void say(struct fw_prediction *prediction, struct work *work)
{
    const struct fw_cost_model *model = work->opened->model;
    const struct fw_model_question *question = work->question;
    const char *sentences[5];
    size_t count = 0;
    sentences[count++] = fw_arena_printf(
        work->arena,
        "Costs are those of the calibration %s: what its features do not count costs nothing.",
        model->source->name);
    if (model->device && strcmp(model->device, question->device->name) != 0)
        sentences[count++] =
            fw_arena_printf(work->arena, "The calibration is of the device %s.", model->device);
    if (question->cold)
        sentences[count++] =
            "The caches' state is that of the measurements, whatever --cache says.";
    if (question->clock > 0)
        sentences[count++] = "The clock is that of the measurements, whatever --clock says.";
    if (model->grouped && model->overlap != FW_COST_OVERLAP_NONE)
        sentences[count++] = "Terms are costs before memory and on-chip work overlap.";
    fw_model_say(prediction, work->arena, sentences, count);
}

static enum fw_status predict(struct fw_prediction *prediction, void *state,
                              const struct fw_model_question *question)
{
    const struct opened *opened = state;
    struct work work = {.opened = opened, .question = question, .arena = question->arena};
    double *features = FW_ARRAY(work.arena, double, opened->model->features.count + 1);
    double *values = FW_ARRAY(work.arena, double, fw_cost_scratch(&opened->program, 1));
    if (!fw_device_figure(question->device, FW_FIGURE_SM_CLOCK, &work.clock))
        work.clock = 0;
    enum fw_status status = gather(&work, question);
    if (!status)
        status = find_values(features, &work);
    if (status)
        return status;
    fw_cost_run(values, &opened->program, features, 1, 1, opened->parameters);
    if (!isfinite(values[opened->program.outputs[0]])) {
        fw_report(question->sink, FW_ERROR, "COST032", fw_span_of_source(opened->model->source),
                  "the cost of this launch has no finite value");
        return FW_ERROR_INPUT;
    }
    publish(prediction, &work, values);
    say(prediction, &work);
    return FW_OK;
}

const struct fw_model fw_model_cost = {
    .name = "cost",
    .summary = "a calibrated cost model over features; needs a calibration",
    .needs = FW_MODEL_NEEDS_FEATURES,
    .open = open,
    .close = close,
    .needs_code = needs_code,
    .predict = predict};
