#include "cost_internal.h"

#include <fnmatch.h>
#include <math.h>
#include <string.h>

/* A simpler form stands as long as its criterion is no more than this above the least one: less
 * than that is no evidence (Burnham and Anderson, section 2.6). */
#define NO_EVIDENCE 2.0
/* Rows tell of overlap where the lesser of the two costs is at least this part of the greater. */
#define COMPARABLE 0.05

static enum fw_status hold_out(struct fw_cost_calibration *calibration, struct fw_arena *arena,
                               const struct fw_cost_settings *settings, const struct fw_sink *sink)
{
    const struct fw_cost_table *table = calibration->table;
    calibration->held = FW_ARRAY(arena, bool, table->row_count);
    for (size_t h = 0; h < settings->held_out_count; h++) {
        bool found = false;
        for (size_t r = 0; r < table->row_count; r++) {
            bool match = fnmatch(settings->held_out[h], table->rows[r], 0) == 0;
            found |= match;
            calibration->held[r] |= match;
        }
        if (found)
            continue;
        fw_report(sink, FW_ERROR, "COST035", fw_span_of_source(table->source),
                  "no row is called %s: nothing is held out", settings->held_out[h]);
        return FW_ERROR_USAGE;
    }
    for (size_t r = 0; r < table->row_count; r++)
        calibration->held_count += calibration->held[r];
    calibration->fitted = table->row_count - calibration->held_count;
    return FW_OK;
}

/* Whether any row that is fitted has both memory and on-chip costs that count. */
static bool tells_overlap(const struct fw_cost_calibration *calibration, struct fw_arena *arena,
                          const struct fw_cost_fit *fit)
{
    const struct fw_cost_model *model = calibration->model;
    const uint32_t roots[] = {model->groups[FW_COST_MEMORY], model->groups[FW_COST_ON_CHIP]};
    size_t rows = calibration->table->row_count;
    struct fw_cost_program program;
    fw_cost_compile(&program, arena, &model->graph, roots, 2);
    double *values = FW_ARRAY(arena, double, fw_cost_scratch(&program, 1));
    double *parameters = FW_ARRAY(arena, double, model->parameters.count + 1);
    for (size_t e = 0; e < fit->estimate_count; e++)
        parameters[fit->estimates[e].parameter] = fit->estimates[e].value;
    for (size_t r = 0; r < rows; r++) {
        fw_cost_run(values, &program, &calibration->data.features[r], rows, 1, parameters);
        double memory = values[program.outputs[0]], chip = values[program.outputs[1]];
        if (!calibration->held[r] && fmin(memory, chip) > COMPARABLE * fmax(memory, chip))
            return true;
    }
    return false;
}

static const char *explain(const struct fw_cost_calibration *calibration, struct fw_arena *arena)
{
    const struct fw_cost_fit *chosen = calibration->chosen;
    struct fw_buffer out = fw_buffer_new(arena);
    unsigned said = 0;
    fw_buffer_printf(&out, "%s: ", fw_cost_overlap_name(chosen->overlap));
    for (int o = 0; o < FW_COST_OVERLAP_COUNT; o++) {
        const struct fw_cost_fit *other = calibration->fits[o];
        if (!other || other == chosen || isnan(other->criterion) || isnan(chosen->criterion))
            continue;
        const char *name = fw_cost_overlap_name(other->overlap), *link = said++ ? "; " : "";
        double above = other->criterion - chosen->criterion;
        if (above > NO_EVIDENCE)
            fw_buffer_printf(&out,
                             "%sits AICc is %.1f below that of %s, whose relative errors are "
                             "%.2g %% (RMS), not %.2g %%",
                             link, above, name, 100 * other->rms, 100 * chosen->rms);
        else
            fw_buffer_printf(&out,
                             "%s%s is not better by evidence (AICc %+.1f; evidence begins at a "
                             "difference of %.0f)",
                             link, name, above, NO_EVIDENCE);
    }
    if (!said)
        fw_buffer_printf(&out, "there are too few rows to compare forms of overlap, and this is "
                               "the simplest");
    return out.text;
}

/* The simplest form that no other one beats by evidence. */
static void choose(struct fw_cost_calibration *calibration)
{
    double least = INFINITY;
    for (int o = 0; o < FW_COST_OVERLAP_COUNT; o++)
        if (calibration->fits[o] && calibration->fits[o]->criterion < least)
            least = calibration->fits[o]->criterion;
    for (int o = 0; o < FW_COST_OVERLAP_COUNT && !calibration->chosen; o++) {
        const struct fw_cost_fit *fit = calibration->fits[o];
        if (fit && (!isfinite(least) || fit->criterion <= least + NO_EVIDENCE))
            calibration->chosen = fit;
    }
}

static enum fw_status fit_all(struct fw_cost_calibration *calibration, struct fw_arena *arena,
                              const struct fw_cost_settings *settings, const struct fw_sink *sink)
{
    const struct fw_cost_model *model = calibration->model;
    enum fw_status status = FW_OK;
    for (int o = 0; o < FW_COST_OVERLAP_COUNT; o++) {
        enum fw_cost_overlap overlap = (enum fw_cost_overlap)o;
        bool wanted = model->overlap == FW_COST_OVERLAP_AUTO || model->overlap == overlap;
        const struct fw_cost_fit *near = NULL; /* the form before this one */
        for (int before = 0; before < o; before++)
            near = calibration->fits[before] ? calibration->fits[before] : near;
        if (!wanted || status)
            continue;
        /* The first form that is tried is the simplest: if the data do not allow it, no other one.
         */
        bool first = !calibration->fits[FW_COST_OVERLAP_NONE];
        enum fw_status one = fw_cost_fit_form(&calibration->fits[o], arena, calibration, overlap,
                                              near, settings, first ? sink : NULL);
        if (first)
            status = one;
    }
    return status;
}

enum fw_status fw_cost_calibrate(struct fw_cost_calibration **result, struct fw_arena *arena,
                                 struct fw_cost_model *model, const struct fw_cost_table *table,
                                 const struct fw_cost_settings *settings,
                                 const struct fw_sink *sink)
{
    struct fw_cost_calibration *calibration = FW_NEW(arena, struct fw_cost_calibration);
    *result = NULL;
    calibration->model = model;
    calibration->table = table;
    enum fw_status status = fw_cost_data_find(&calibration->data, arena, table, model, true, sink);
    if (!status)
        status = hold_out(calibration, arena, settings, sink);
    if (!status)
        status = fit_all(calibration, arena, settings, sink);
    if (status)
        return status;
    choose(calibration);
    if (model->grouped && model->overlap == FW_COST_OVERLAP_AUTO) {
        calibration->choice = explain(calibration, arena);
        if (calibration->chosen->overlap == FW_COST_OVERLAP_NONE &&
            !tells_overlap(calibration, arena, calibration->chosen))
            fw_report(sink, FW_WARNING, "COST036", fw_span_of_source(model->source),
                      "no row has memory and on-chip costs of comparable size: the data cannot "
                      "tell how they overlap");
    }
    fw_cost_tell_estimates(calibration, arena, sink);
    *result = calibration;
    return FW_OK;
}

/* ---- the calibration as text ---- */

/* A text in quotes; quotes and what is no plain character become spaces. */
static void add_quoted(struct fw_buffer *out, const char *text)
{
    fw_buffer_add(out, "\"", 1);
    for (; *text; text++)
        fw_buffer_add(out, (unsigned char)*text < ' ' || *text == '"' || *text == 127 ? " " : text,
                      1);
    fw_buffer_add(out, "\"", 1);
}

static void add_fact(struct fw_buffer *out, const char *word, const char *text)
{
    fw_buffer_printf(out, "%s ", word);
    add_quoted(out, text);
    fw_buffer_add(out, "\n", 1);
}

static void add_values(struct fw_buffer *out, const struct fw_cost_calibration *calibration)
{
    const struct fw_cost_fit *fit = calibration->chosen;
    for (size_t e = 0; e < fit->estimate_count; e++) {
        const struct fw_cost_estimate *one = &fit->estimates[e];
        fw_buffer_printf(out, "value %s = %.17g",
                         calibration->model->parameters.at[one->parameter].name, one->value);
        if (!isnan(one->error))
            fw_buffer_printf(out, " error %.6g from %.6g to %.6g", one->error, one->from, one->to);
        fw_buffer_printf(out, "%s\n", one->at_bound ? " # at its bound" : "");
    }
}

static void add_rows(struct fw_buffer *out, const struct fw_cost_calibration *calibration)
{
    for (size_t r = 0; r < calibration->table->row_count; r++) {
        double measured = calibration->data.output[r],
               predicted = calibration->chosen->predicted[r];
        fw_buffer_printf(out, "row ");
        add_quoted(out, calibration->table->rows[r]);
        fw_buffer_printf(out, " measured %.9g predicted %.9g%s # %+.2f %%\n", measured, predicted,
                         calibration->held[r] ? " held_out" : "",
                         100 * (predicted - measured) / measured);
    }
}

const char *fw_cost_calibration_text(struct fw_arena *arena,
                                     const struct fw_cost_calibration *calibration,
                                     const char *program, const char *device)
{
    const struct fw_cost_model *model = calibration->model;
    const struct fw_cost_table *table = calibration->table;
    const struct fw_cost_fit *fit = calibration->chosen;
    struct fw_buffer out = fw_buffer_new(arena);
    const char *known = device ? device : table->device;
    fw_buffer_printf(&out, "calibration 1\n");
    add_fact(&out, "program", program);
    if (known)
        add_fact(&out, "device", known);
    add_fact(
        &out, "data",
        fw_arena_printf(arena, "%s: %zu rows fitted, %zu held out, digest %016llx",
                        table->source->name, calibration->fitted, calibration->held_count,
                        (unsigned long long)fw_hash(table->source->text, table->source->length)));
    add_fact(&out, "fit",
             fw_arena_printf(arena,
                             "relative errors: RMS %.3g %%, mean %.3g %%, geometric mean %.3g %%",
                             100 * fit->rms, 100 * fit->mean_absolute, 100 * fit->geometric_mean));
    if (calibration->choice)
        add_fact(&out, "choice", calibration->choice);
    fw_buffer_printf(&out, "\n# the model\n");
    for (size_t s = 0; s < model->statements.count; s++) {
        const struct fw_cost_statement *one = &model->statements.at[s];
        if (!one->is_overlap)
            fw_buffer_printf(&out, "%.*s\n", (int)one->span.length,
                             &model->source->text[one->span.offset]);
    }
    if (model->grouped)
        fw_buffer_printf(&out, "overlap %s\n", fw_cost_overlap_name(fit->overlap));
    fw_buffer_printf(&out, "\n# parameters, their standard errors and intervals of 95 %%\n");
    add_values(&out, calibration);
    fw_buffer_printf(&out, "\n# the data and what the model says of them\n");
    add_rows(&out, calibration);
    return out.text;
}
