/* The model cost: a calibration applied to a kernel's features. */
#include "cost_answer.h"

#include "cost_peak.h"
#include "cost_rate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum fw_status gather(struct cost_work *work, const struct fw_model_question *question)
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
                                              .cold = question->cold,
                                              .own = question->own_features,
                                              .line = FW_FEATURE_ALL_LINES};
    if (work->source.rows)
        return FW_OK;
    if (!question->bound) {
        fw_report(question->sink, FW_ERROR, "COST043", (struct fw_span){0},
                  "there is neither compiled code nor a domain to count features of");
        return FW_ERROR_INPUT;
    }
    fw_feature_rows_of_record(&work->rows, question->arena, question->kernel, question->bound,
                              question->launch, warp, FW_FEATURE_ALL_LINES);
    work->source.rows = &work->rows;
    return FW_OK;
}

static enum fw_status find_values(double *values, struct cost_work *work)
{
    const struct cost_opened *opened = work->opened;
    enum fw_status status = FW_OK;
    for (size_t f = 0; f < opened->model->features.count && !status; f++)
        status = fw_feature_value(&values[f], &opened->features[f], &work->source,
                                  opened->model->features.at[f].place, work->question->sink);
    return status;
}

/* What a parameter is multiplied with. In a model that is linear in it, that is its slope; else
 * what stands beside it in the first product of its own, or 0. */
static uint32_t factor_of(const struct cost_opened *opened, uint32_t parameter)
{
    const struct fw_cost_graph *graph = &opened->model->graph;
    if (!graph->nodes.at[opened->slopes[parameter]].varies)
        return opened->slopes[parameter];
    for (size_t n = 0; n < graph->nodes.count; n++) {
        const struct fw_cost_node *node = &graph->nodes.at[n];
        const uint32_t sides[] = {node->left, node->right};
        for (int s = 0; s < 2 && node->operation == FW_COST_MULTIPLY; s++) {
            const struct fw_cost_node *side = &graph->nodes.at[sides[s]];
            if (side->operation == FW_COST_PARAMETER && side->left == parameter &&
                !graph->nodes.at[sides[1 - s]].varies)
                return sides[1 - s];
        }
    }
    return 0;
}

/* What a parameter pays for, and how its cost compares with the device's peak. */
static const char *meaning_of(struct cost_work *work, uint32_t parameter)
{
    const struct cost_opened *opened = work->opened;
    struct fw_cost_model *model = opened->model;
    uint32_t node = factor_of(opened, parameter);
    if (!node)
        return "its share in the whole";
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

static void fill_term(struct fw_cost_row *row, struct cost_work *work, uint32_t parameter,
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

static void publish(struct fw_prediction *prediction, struct cost_work *work, const double *values)
{
    const struct cost_opened *opened = work->opened;
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
    qsort(rows, used, sizeof(*rows), cost_slowest_first);
    for (size_t r = 0; r < used; r++)
        rows[r].share = rows[r].seconds / rows[0].seconds;
    prediction->terms = rows;
    prediction->term_count = used;
    prediction->limiter = used ? rows[0].name : NULL;
    for (size_t p = 0; p < count && used; p++)
        if (rows[0].figure == model->parameters.at[p].name)
            cost_find_lines(prediction, work, (uint32_t)p, &rows[0]);
    prediction->clock = work->clock;
}

static void say(struct fw_prediction *prediction, struct cost_work *work)
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
    const struct cost_opened *opened = state;
    struct cost_work work = {.opened = opened, .question = question, .arena = question->arena};
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
    .open = cost_open,
    .close = fw_model_close_parameters,
    .needs_code = cost_needs_code,
    .predict = predict};
