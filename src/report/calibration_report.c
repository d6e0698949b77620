#include "calibration_report.h"

#include "cost_overlap.h"
#include "cost_rate.h"
#include "json_writer.h"
#include "report.h"
#include "table.h"

#include <math.h>
#include <string.h>

typedef struct fw_json_writer writer;

static const char *shown(struct fw_buffer *out, const char *text)
{
    return fw_text_shown(out->arena, text, strlen(text));
}

static double relative(double predicted, double measured)
{
    return (predicted - measured) / measured;
}

/* ---- JSON ---- */

static void begin(writer *w, const struct fw_cost_model *model, const struct fw_cost_table *table,
                  const char *device)
{
    fw_json_object(w, NULL);
    fw_json_text(w, "forewarp", fw_version());
    fw_json_integer(w, "format", FW_REPORT_FORMAT);
    fw_json_text(w, "model", model->name);
    fw_json_text(w, "table", table->source->name);
    fw_json_text(w, "device", device);
    fw_json_text(w, "output", model->output);
    fw_json_text(w, "unit", fw_cost_output_unit(model->output));
}

static void add_parameter(writer *w, struct fw_buffer *out, const struct fw_cost_model *model,
                          const struct fw_cost_estimate *one)
{
    struct fw_cost_rate rate = fw_cost_rate_of(out->arena, model, one);
    bool interval = !isnan(one->error);
    fw_json_object(w, NULL);
    fw_json_text(w, "name", model->parameters.at[one->parameter].name);
    fw_json_real(w, "value", one->value);
    fw_json_real_if(w, "error", interval, one->error);
    if (interval) {
        fw_json_array(w, "interval");
        fw_json_real(w, NULL, one->from);
        fw_json_real(w, NULL, one->to);
        fw_json_array_end(w);
    } else
        fw_json_null(w, "interval");
    fw_json_boolean(w, "at_bound", one->at_bound);
    fw_json_text(w, "work", *rate.work ? rate.work : NULL);
    fw_json_real(w, "rate", rate.rate);
    fw_json_text(w, "rate_unit", rate.rate_unit);
    fw_json_object_end(w);
}

static void add_form(writer *w, const struct fw_cost_fit *fit, const char *name)
{
    fw_json_object(w, NULL);
    fw_json_text(w, "overlap", name);
    fw_json_integer(w, "parameters", (int64_t)fit->estimate_count);
    fw_json_real(w, "rms", fit->rms);
    fw_json_real(w, "mean_absolute", fit->mean_absolute);
    fw_json_real(w, "geometric_mean", fit->geometric_mean);
    fw_json_real(w, "left_out", fit->left_out);
    fw_json_real(w, "aicc", fit->criterion);
    fw_json_object_end(w);
}

static void add_row(writer *w, const struct fw_cost_calibration *calibration, size_t r)
{
    const struct fw_cost_fit *fit = calibration->chosen;
    const struct fw_cost_model *model = calibration->model;
    double measured = calibration->data.output[r], predicted = fit->predicted[r];
    size_t rows = calibration->table->row_count;
    fw_json_object(w, NULL);
    fw_json_text(w, "kernel", calibration->table->rows[r]);
    fw_json_boolean(w, "held_out", calibration->held[r]);
    fw_json_real(w, "measured", measured);
    fw_json_real(w, "predicted", predicted);
    fw_json_real(w, "error", relative(predicted, measured));
    fw_json_array(w, "features");
    for (size_t f = 0; f < model->features.count; f++)
        fw_json_real(w, NULL, calibration->data.features[f * rows + r]);
    fw_json_array_end(w);
    fw_json_array(w, "shares");
    for (size_t e = 0; e < fit->estimate_count; e++)
        fw_json_real(w, NULL, fit->shares[r * fit->estimate_count + e]);
    fw_json_array_end(w);
    fw_json_object_end(w);
}

static void add_confusions(writer *w, const struct fw_cost_calibration *calibration)
{
    const struct fw_cost_fit *fit = calibration->chosen;
    fw_json_array(w, "indistinguishable");
    for (size_t d = 0; d < fit->confusion_count; d++) {
        fw_json_object(w, NULL);
        fw_json_array(w, "parameters");
        for (size_t p = 0; p < fit->confusions[d].count; p++)
            fw_json_text(w, NULL,
                         calibration->model->parameters.at[fit->confusions[d].parameters[p]].name);
        fw_json_array_end(w);
        fw_json_real(w, "condition", fit->confusions[d].condition);
        fw_json_object_end(w);
    }
    fw_json_array_end(w);
}

static void add_overlaps(writer *w, struct fw_arena *arena,
                         const struct fw_cost_calibration *calibration)
{
    size_t count;
    const struct fw_cost_overlap_row *rows = fw_cost_overlap_rows(&count, arena, calibration);
    fw_json_array(w, "hidden");
    for (size_t r = 0; r < count; r++) {
        fw_json_object(w, NULL);
        fw_json_text(w, "kernel", rows[r].kernel);
        fw_json_boolean(w, "held_out", rows[r].held);
        fw_json_real(w, "traffic", rows[r].traffic);
        fw_json_real(w, "on_chip", rows[r].on_chip);
        fw_json_real(w, "whole", rows[r].whole);
        fw_json_real(w, "hidden", rows[r].hidden);
        for (int o = 0; o < FW_COST_OVERLAP_COUNT; o++)
            fw_json_real(w, fw_cost_overlap_name((enum fw_cost_overlap)o), rows[r].predicted[o]);
        fw_json_object_end(w);
    }
    fw_json_array_end(w);
}

void fw_report_calibration_json(struct fw_buffer *out,
                                const struct fw_cost_calibration *calibration, const char *device)
{
    writer all = fw_json_writer_new(out), *w = &all;
    const struct fw_cost_model *model = calibration->model;
    const struct fw_cost_fit *fit = calibration->chosen;
    begin(w, model, calibration->table, device ? device : calibration->table->device);
    fw_json_integer(w, "fitted", (int64_t)calibration->fitted);
    fw_json_integer(w, "held_out", (int64_t)calibration->held_count);
    fw_json_boolean(w, "converged", fit->converged);
    fw_json_integer(w, "starts", fit->starts);
    fw_json_integer(w, "agreed", fit->agreed);
    fw_json_real(w, "condition", fit->condition);
    fw_json_real(w, "rms", fit->rms);
    fw_json_real(w, "mean_absolute", fit->mean_absolute);
    fw_json_real(w, "geometric_mean", fit->geometric_mean);
    fw_json_real(w, "held_out_mean_absolute", fit->held_mean);
    fw_json_real(w, "held_out_geometric_mean", fit->held_geometric);
    fw_json_array(w, "parameters");
    for (size_t e = 0; e < fit->estimate_count; e++)
        add_parameter(w, out, model, &fit->estimates[e]);
    fw_json_array_end(w);
    add_confusions(w, calibration);
    fw_json_text(w, "overlap", model->grouped ? fw_cost_overlap_name(fit->overlap) : NULL);
    fw_json_text(w, "choice", calibration->choice);
    fw_json_array(w, "forms");
    for (int o = 0; o < FW_COST_OVERLAP_COUNT; o++)
        if (model->grouped && calibration->fits[o])
            add_form(w, calibration->fits[o], fw_cost_overlap_name((enum fw_cost_overlap)o));
    fw_json_array_end(w);
    add_overlaps(w, out->arena, calibration);
    fw_json_array(w, "features");
    for (size_t f = 0; f < model->features.count; f++)
        fw_json_text(w, NULL, model->features.at[f].name);
    fw_json_array_end(w);
    fw_json_array(w, "rows");
    for (size_t r = 0; r < calibration->table->row_count; r++)
        add_row(w, calibration, r);
    fw_json_array_end(w);
    fw_json_object_end(w);
    fw_buffer_add(out, "\n", 1);
}

/* ---- text ---- */

static void add_errors(struct fw_buffer *out, const char *of, double mean, double geometric)
{
    if (isnan(mean))
        return;
    fw_buffer_printf(out, "%s: mean %.3g %%, geometric mean %.3g %%\n", of, 100 * mean,
                     100 * geometric);
}

static void show_parameters(struct fw_buffer *out, const struct fw_cost_calibration *calibration)
{
    const struct fw_cost_fit *fit = calibration->chosen;
    const struct fw_cost_model *model = calibration->model;
    struct fw_table_text text = {.arena = out->arena, .sides = "rlrllrll"};
    static const char *const head[] = {"", "parameter", "value", "", "95 %", "rate", "", "of"};
    for (size_t h = 0; h < sizeof(head) / sizeof(head[0]); h++)
        fw_table_cell(&text, "%s", head[h]);
    for (size_t e = 0; e < fit->estimate_count; e++) {
        const struct fw_cost_estimate *one = &fit->estimates[e];
        struct fw_cost_rate rate = fw_cost_rate_of(out->arena, model, one);
        fw_table_cell(&text, "%zu", e + 1);
        fw_table_cell(&text, "%s", model->parameters.at[one->parameter].name);
        fw_table_cell(&text, "%.4g", one->value);
        fw_table_cell(&text, "%s", rate.unit);
        if (!isnan(one->error))
            fw_table_cell(&text, "%.4g to %.4g", one->from, one->to);
        else
            fw_table_cell(&text, "%s", one->at_bound ? "at its bound" : "not known");
        if (rate.rate_unit)
            fw_table_cell(&text, "%.3g", rate.rate);
        else
            fw_table_cell(&text, "%s", "");
        fw_table_cell(&text, "%s", rate.rate_unit ? rate.rate_unit : "");
        fw_table_cell(&text, "%s", rate.work);
    }
    fw_buffer_printf(out, "Parameters\n");
    fw_table_print(&text, out);
}

static const char *percent(struct fw_arena *arena, double share)
{
    return isnan(share) ? "-" : fw_arena_printf(arena, "%.2g %%", 100 * share);
}

static void show_forms(struct fw_buffer *out, const struct fw_cost_calibration *calibration)
{
    struct fw_table_text text = {.arena = out->arena, .sides = "lrrrr"};
    static const char *const head[] = {"overlap", "parameters", "RMS", "left out", "AICc"};
    if (!calibration->model->grouped)
        return;
    for (size_t h = 0; h < sizeof(head) / sizeof(head[0]); h++)
        fw_table_cell(&text, "%s", head[h]);
    for (int o = 0; o < FW_COST_OVERLAP_COUNT; o++) {
        const struct fw_cost_fit *fit = calibration->fits[o];
        if (!fit)
            continue;
        fw_table_cell(&text, "%s", fw_cost_overlap_name((enum fw_cost_overlap)o));
        fw_table_cell(&text, "%zu", fit->estimate_count);
        fw_table_cell(&text, "%s", percent(out->arena, fit->rms));
        fw_table_cell(&text, "%s", percent(out->arena, fit->left_out));
        if (isnan(fit->criterion))
            fw_table_cell(&text, "-");
        else
            fw_table_cell(&text, "%.1f", fit->criterion);
    }
    fw_buffer_printf(out, "\nOverlap of memory and on-chip costs (left out: rows predicted "
                          "without themselves)\n");
    fw_table_print(&text, out);
    if (calibration->choice)
        fw_buffer_printf(out, "  %s\n", calibration->choice);
}

static void show_rows(struct fw_buffer *out, const struct fw_cost_calibration *calibration)
{
    const struct fw_cost_fit *fit = calibration->chosen;
    size_t parameters = fit->estimate_count;
    struct fw_buffer sides = fw_buffer_new(out->arena);
    fw_buffer_printf(&sides, "lrrrl");
    for (size_t e = 0; e < parameters; e++)
        fw_buffer_add(&sides, "r", 1);
    struct fw_table_text text = {.arena = out->arena, .sides = sides.text};
    static const char *const head[] = {"kernel", "measured", "predicted", "error", ""};
    for (size_t h = 0; h < sizeof(head) / sizeof(head[0]); h++)
        fw_table_cell(&text, "%s", head[h]);
    for (size_t e = 0; e < parameters; e++)
        fw_table_cell(&text, "%zu", e + 1);
    for (size_t r = 0; r < calibration->table->row_count; r++) {
        double measured = calibration->data.output[r], predicted = fit->predicted[r];
        fw_table_cell(&text, "%s", calibration->table->rows[r]);
        fw_table_cell(&text, "%.4g", measured);
        fw_table_cell(&text, "%.4g", predicted);
        fw_table_cell(&text, "%+.1f %%", 100 * relative(predicted, measured));
        fw_table_cell(&text, "%s", calibration->held[r] ? "held out" : "");
        for (size_t e = 0; e < parameters; e++) {
            double share = fit->shares[r * parameters + e];
            if (isnan(share) || share == 0)
                fw_table_cell(&text, "%s", share == 0 ? "." : "");
            else
                fw_table_cell(
                    &text, "%s",
                    fabs(share) < 0.005 ? "<1" : fw_arena_printf(out->arena, "%.0f", 100 * share));
        }
    }
    fw_buffer_printf(out, "\nKernels by parameters: shares of the prediction in %%, before "
                          "overlap\n");
    fw_table_print(&text, out);
}

static const char *whole_percent(struct fw_arena *arena, double share)
{
    return isnan(share) ? "-" : fw_arena_printf(arena, "%.0f %%", 100 * share);
}

/* The analysis of the paper's section 8.1, where the table has kernels with their traffic alone. */
static void show_overlaps(struct fw_buffer *out, const struct fw_cost_calibration *calibration)
{
    size_t count;
    const struct fw_cost_overlap_row *rows = fw_cost_overlap_rows(&count, out->arena, calibration);
    struct fw_table_text text = {.arena = out->arena, .sides = "lrrrrrrr"};
    if (!count)
        return;
    fw_buffer_printf(out, "\nOn-chip work hidden behind memory traffic\n");
    static const char *const head[] = {"kernel", "traffic", "on chip", "sum",
                                       "whole",  "hidden",  "by none", "by full"};
    for (size_t h = 0; h < sizeof(head) / sizeof(head[0]); h++)
        fw_table_cell(&text, "%s", head[h]);
    for (size_t r = 0; r < count; r++) {
        const struct fw_cost_overlap_row *row = &rows[r];
        fw_table_cell(&text, "%s", shown(out, row->kernel));
        fw_table_cell(&text, "%.4g", row->traffic);
        fw_table_cell(&text, "%.4g", row->on_chip);
        fw_table_cell(&text, "%.4g", row->traffic + row->on_chip);
        fw_table_cell(&text, "%.4g", row->whole);
        fw_table_cell(&text, "%s", whole_percent(out->arena, row->hidden));
        for (int o = FW_COST_OVERLAP_NONE; o <= FW_COST_OVERLAP_FULL; o++)
            fw_table_cell(&text, "%s",
                          whole_percent(out->arena, relative(row->predicted[o], row->whole)));
    }
    fw_table_print(&text, out);
}

void fw_report_calibration_text(struct fw_buffer *out,
                                const struct fw_cost_calibration *calibration, const char *device)
{
    const struct fw_cost_fit *fit = calibration->chosen;
    const struct fw_cost_model *model = calibration->model;
    const char *known = device ? device : calibration->table->device;
    const char *unit = fw_cost_output_unit(model->output);
    fw_buffer_printf(out, "%s: %zu parameter%s, from %zu row%s of %s", shown(out, model->name),
                     fit->estimate_count, fit->estimate_count == 1 ? "" : "s", calibration->fitted,
                     calibration->fitted == 1 ? "" : "s",
                     shown(out, calibration->table->source->name));
    fw_buffer_printf(out, "%s%s\noutput %s%s%s\n\n", known ? ", " : "",
                     known ? shown(out, known) : "", model->output, *unit ? " in " : "", unit);
    show_parameters(out, calibration);
    show_forms(out, calibration);
    show_rows(out, calibration);
    show_overlaps(out, calibration);
    fw_buffer_printf(out, "\n");
    add_errors(out, "Relative errors of the rows fitted", fit->mean_absolute, fit->geometric_mean);
    add_errors(out, "Relative errors of the rows held out", fit->held_mean, fit->held_geometric);
    if (fit->starts > 1)
        fw_buffer_printf(out, "%u of %u starts reached this minimum\n", fit->agreed, fit->starts);
}

/* ---- predictions ---- */

static void errors_of(double *mean, double *geometric, const struct fw_cost_evaluation *evaluation)
{
    *mean = *geometric = NAN;
    if (evaluation->measured)
        fw_cost_errors(mean, geometric, evaluation->predicted, evaluation->measured,
                       evaluation->table->row_count, NULL, false);
}

void fw_report_evaluation_json(struct fw_buffer *out, const struct fw_cost_evaluation *evaluation)
{
    writer all = fw_json_writer_new(out), *w = &all;
    double mean, geometric;
    errors_of(&mean, &geometric, evaluation);
    begin(w, evaluation->model, evaluation->table, evaluation->model->device);
    fw_json_real(w, "mean_absolute", mean);
    fw_json_real(w, "geometric_mean", geometric);
    fw_json_array(w, "rows");
    for (size_t r = 0; r < evaluation->table->row_count; r++) {
        bool known = evaluation->measured != NULL;
        double measured = known ? evaluation->measured[r] : (double)NAN;
        fw_json_object(w, NULL);
        fw_json_text(w, "kernel", evaluation->table->rows[r]);
        fw_json_real(w, "predicted", evaluation->predicted[r]);
        fw_json_real(w, "measured", measured);
        fw_json_real(w, "error", relative(evaluation->predicted[r], measured));
        fw_json_object_end(w);
    }
    fw_json_array_end(w);
    fw_json_object_end(w);
    fw_buffer_add(out, "\n", 1);
}

void fw_report_evaluation_text(struct fw_buffer *out, const struct fw_cost_evaluation *evaluation)
{
    struct fw_table_text text = {.arena = out->arena, .sides = "lrrr"};
    const char *unit = fw_cost_output_unit(evaluation->model->output);
    bool known = evaluation->measured != NULL;
    double mean, geometric;
    errors_of(&mean, &geometric, evaluation);
    fw_buffer_printf(out, "%s%s%s: %s%s%s\n", shown(out, evaluation->model->name),
                     evaluation->model->device ? ", " : "",
                     evaluation->model->device ? shown(out, evaluation->model->device) : "",
                     evaluation->model->output, *unit ? " in " : "", unit);
    fw_table_cell(&text, "kernel");
    fw_table_cell(&text, "predicted");
    fw_table_cell(&text, "%s", known ? "measured" : "");
    fw_table_cell(&text, "%s", known ? "error" : "");
    for (size_t r = 0; r < evaluation->table->row_count; r++) {
        fw_table_cell(&text, "%s", evaluation->table->rows[r]);
        fw_table_cell(&text, "%.4g", evaluation->predicted[r]);
        if (known) {
            double measured = evaluation->measured[r];
            fw_table_cell(&text, "%.4g", measured);
            fw_table_cell(&text, "%+.1f %%", 100 * relative(evaluation->predicted[r], measured));
        } else {
            fw_table_cell(&text, "%s", "");
            fw_table_cell(&text, "%s", "");
        }
    }
    fw_table_print(&text, out);
    add_errors(out, "Relative errors", mean, geometric);
}
