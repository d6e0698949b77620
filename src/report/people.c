/* Answers as text for people. */
#include "people_internal.h"

#include <math.h>

static const char *extents(struct page *page, const uint32_t at[3])
{
    if (at[2] != 1)
        return fw_arena_printf(page->arena, "%u x %u x %u", at[0], at[1], at[2]);
    if (at[1] != 1)
        return fw_arena_printf(page->arena, "%u x %u", at[0], at[1]);
    return fw_arena_printf(page->arena, "%u", at[0]);
}

static const char *value_of(struct page *page, const struct fw_argument_row *row)
{
    if (!row->is_bound)
        return row->is_pointer ? "pointer" : "not given";
    if (row->is_float)
        return fw_arena_printf(page->arena, "%g", row->number);
    return fw_arena_printf(page->arena, "%lld", (long long)row->integer);
}

/* "32 registers a thread (ptxas 13.0.88), spills of 24 bytes stored and 32 loaded". */
static const char *resources(struct page *page, const struct fw_kernel_row *kernel)
{
    struct fw_buffer text = fw_buffer_new(page->arena);
    fw_buffer_printf(&text, "%u registers a thread (%s)", kernel->registers,
                     kernel->assembler ? kernel->assembler : kernel->registers_source);
    if (kernel->spill_store_bytes || kernel->spill_load_bytes)
        fw_buffer_printf(&text, ", spills: %u bytes stored, %u loaded", kernel->spill_store_bytes,
                         kernel->spill_load_bytes);
    if (kernel->static_shared)
        fw_buffer_printf(&text, ", %u bytes of shared memory a block", kernel->static_shared);
    return text.text;
}

/* "TILE = 16, COARSE = 4". */
static const char *constants(struct page *page, const struct fw_kernel_row *kernel)
{
    struct fw_buffer text = fw_buffer_new(page->arena);
    for (size_t c = 0; c < kernel->constant_count; c++)
        fw_buffer_printf(&text, "%s%s = %lld", c ? ", " : "", kernel->constants[c].name,
                         (long long)kernel->constants[c].value);
    return text.text;
}

static void show_kernel(struct page *page)
{
    const struct fw_answer *answer = page->answer;
    const struct fw_kernel_row *kernel = answer->kernel;
    struct fw_table_text rows = table(page, "ll");
    fw_table_cell(&rows, "kernel");
    fw_table_cell(&rows, "%s in %s%s%s", kernel->name, kernel->file, kernel->target ? ", " : "",
                  kernel->target ? kernel->target : "");
    if (strcmp(kernel->language, "knl") == 0) {
        fw_table_cell(&rows, "layer");
        fw_table_cell(&rows, is_domain(page)
                                 ? "domain: counted from the loop domains, before any compiler"
                                 : "ptx: the code generated from the loop domains, compiled");
    }
    if (kernel->constant_count) {
        fw_table_cell(&rows, "constants");
        fw_table_cell(&rows, "%s", constants(page, kernel));
    }
    if (kernel->compiler) {
        fw_table_cell(&rows, "compiler");
        fw_table_cell(&rows, "%s (confinement: %s): %s", kernel->compiler, kernel->confinement,
                      kernel->command);
    }
    uint64_t blocks = (uint64_t)answer->grid[0] * answer->grid[1] * answer->grid[2];
    uint64_t threads = (uint64_t)answer->block[0] * answer->block[1] * answer->block[2];
    if (kernel->registers) {
        fw_table_cell(&rows, "resources");
        fw_table_cell(&rows, "%s", resources(page, kernel));
    }
    fw_table_cell(&rows, "launch");
    fw_table_cell(&rows, "%s of %s thread%s%s%s",
                  blocks == 0 ? "blocks"
                  : blocks == 1
                      ? "1 block"
                      : fw_arena_printf(page->arena, "%s blocks", extents(page, answer->grid)),
                  extents(page, answer->block), threads == 1 ? "" : "s",
                  answer->shared ? ", dynamic shared memory " : "",
                  answer->shared ? quantity(page, (double)answer->shared, "bytes") : "");
    for (size_t a = 0; a < kernel->argument_count; a++) {
        const struct fw_argument_row *row = &kernel->arguments[a];
        fw_table_cell(&rows, "%s", a == 0 ? "arguments" : "");
        fw_table_cell(&rows, "%u: %s %s = %s", row->position, row->type,
                      short_name(page, row->name), value_of(page, row));
    }
    fw_table_print(&rows, page->out);
}

/* Arguments that counts asked for in vain, each once. */
static void show_missing(struct page *page)
{
    const struct fw_kernel_row *kernel = page->answer->kernel;
    struct fw_table_text text = table(page, "ll");
    bool any = false;
    for (size_t a = 0; a < kernel->argument_count; a++) {
        const struct fw_argument_row *row = &kernel->arguments[a];
        bool missing = false;
        for (size_t u = 0; u < page->answer->unknown_count && !missing; u++)
            missing = page->answer->unknowns[u].argument &&
                      strcmp(page->answer->unknowns[u].argument, row->name) == 0;
        if (!missing)
            continue;
        any = true;
        fw_table_cell(&text, "-s %s=VALUE", short_name(page, row->name));
        fw_table_cell(&text, "argument %u, %s", row->position, row->type);
    }
    if (!any)
        return;
    heading(page, "Arguments that counts need and that are not given");
    fw_table_print(&text, page->out);
}

/* Where a value is from, behind it: what is stated goes without saying, but beside others. */
static const char *source_of(struct page *page, const struct fw_unknown_row *row, bool sampled)
{
    if (row->is_default || (sampled && strcmp(row->source, "stated") == 0))
        return fw_arena_printf(page->arena, " (%s)", row->is_default ? "default" : row->source);
    return sampled ? " (emulated)" : "";
}

/* "depends on data ...; 4,096 threads of 16 blocks, whose means are 0.1 to 0.3". */
static const char *meaning_of(struct page *page, const struct fw_unknown_row *row, bool sampled)
{
    if (sampled && row->kept)
        return fw_arena_printf(page->arena, "%s", shown(page, row->kept));
    if (!sampled || !row->observations)
        return row->meaning;
    const bool trips = strcmp(row->kind, "trips") == 0, bytes = strcmp(row->kind, "bytes") == 0;
    struct fw_buffer text = fw_buffer_new(page->arena);
    fw_buffer_printf(&text, "%llu %s in %llu block%s", (unsigned long long)row->observations,
                     trips   ? "entries"
                     : bytes ? "requests of warps"
                             : "threads",
                     (unsigned long long)row->blocks, row->blocks == 1 ? "" : "s");
    if (bytes)
        fw_buffer_printf(&text, ", %.3g sectors each", row->sectors);
    else if (row->low < row->high)
        fw_buffer_printf(&text, ", %.3g to %.3g in a block", row->low, row->high);
    if (row->has_warps && trips && row->warps > row->value)
        fw_buffer_printf(&text, "; %.4g in a warp", row->warps);
    if (row->has_warps && !trips && row->warps_both > 0)
        fw_buffer_printf(&text, "; %.3g of the warps go both ways", row->warps_both);
    return text.text;
}

static void show_unknowns(struct page *page)
{
    const struct fw_answer *answer = page->answer;
    struct fw_table_text text = table(page, "lll");
    bool any = false, sampled = answer->emulation && answer->prediction_count;
    for (size_t u = 0; u < answer->unknown_count; u++) {
        const struct fw_unknown_row *row = &answer->unknowns[u];
        if (row->argument)
            continue;
        any = true;
        fw_table_cell(&text, "%s", row->name);
        if (strcmp(row->kind, "pointer") == 0)
            fw_table_cell(&text, "%.0f-byte aligned%s", row->value,
                          row->is_default ? " (default)" : "");
        else if (row->points > 0)
            fw_table_cell(&text, "= %.4g, standard error %.2g, %.0f points", row->value,
                          row->standard_error, row->points);
        else if (row->has_value)
            fw_table_cell(&text, strcmp(row->kind, "bytes") == 0 ? "= %.0f%s" : "= %g%s",
                          row->value, source_of(page, row, sampled));
        else
            fw_table_cell(&text, "%s",
                          answer->emulation ? ""
                                            : "at most as often as its other conditions allow");
        fw_table_cell(&text, "%s", meaning_of(page, row, sampled));
    }
    if (any) {
        heading(page,
                is_domain(page) ? "Conditions that are not known: counted as if they held"
                : answer->emulation && !sampled
                    ? "Frequencies of what is not known before the kernel runs (use them with -s "
                      "NAME=VALUE)"
                    : "Not known before the kernel runs (state a value with -s NAME=VALUE)");
        fw_table_print(&text, page->out);
    }
    show_missing(page);
    people_show_assumptions(page);
    if (answer->wraps) {
        heading(page, "Taken for granted");
        fw_buffer_printf(page->out,
                         "  %u value%s of 32 bits may wrap around at this launch%s: the "
                         "answer holds if none does\n",
                         answer->wraps, answer->wraps == 1 ? "" : "s",
                         answer->wraps_line ? fw_arena_printf(page->arena, ", the first in line %u",
                                                              answer->wraps_line)
                                            : "");
    }
}

static void show_emulation(struct page *page)
{
    const struct fw_emulation_row *row = page->answer->emulation;
    heading(page, "Emulated");
    bool sampled = page->answer->prediction_count > 0;
    fw_buffer_printf(page->out, "  %llu of %llu blocks ran%s\n",
                     (unsigned long long)row->blocks_run, (unsigned long long)row->blocks,
                     sampled                          ? ", for what depends on data"
                     : row->blocks_run == row->blocks ? ""
                                                      : "; counts are scaled up from them");
    if (row->assumed_memory && !sampled)
        fw_buffer_printf(page->out,
                         "  pointers that no --arg describes read as zeros: what depends on "
                         "loaded data went the way of zeros\n");
}

static void show_features(struct page *page)
{
    const struct fw_answer *answer = page->answer;
    struct fw_table_text text = table(page, "lrlll");
    heading(page, "Features");
    for (size_t f = 0; f < answer->feature_count; f++) {
        const struct fw_feature_row *row = &answer->features[f];
        struct fw_number number = {
            .value = row->value, .integer = (int64_t)row->value, .exact = true, .known = true};
        struct fw_buffer value = fw_buffer_new(page->arena);
        bool whole = fabs(row->value) < 0x1p53 && row->value == (double)(int64_t)row->value;
        if (whole)
            fw_report_count(&value, &number);
        else
            fw_buffer_printf(&value, "%.6g", row->value);
        fw_table_cell(&text, "%s", shown(page, row->name));
        fw_table_cell(&text, "%s", value.text);
        fw_table_cell(&text, "%s", row->unit);
        fw_table_cell(&text, "by %s", row->granularity);
        fw_table_cell(&text, "%s", row->layer);
    }
    fw_table_print(&text, page->out);
}

static const char *rate(struct page *page, const struct fw_cost_row *row)
{
    bool bytes = strcmp(row->unit, "bytes") == 0;
    return bytes ? quantity(page, row->rate, "bytes/s")
                 : fw_arena_printf(page->arena, "%s/s", quantity(page, row->rate, row->unit));
}

static void show_terms(struct page *page, const struct fw_prediction *prediction)
{
    struct fw_table_text text = table(page, "lrrrll");
    if (!prediction->term_count)
        return;
    heading(page, "What each resource needs by itself, before overlap");
    for (size_t t = 0; t < prediction->term_count; t++) {
        const struct fw_cost_row *row = &prediction->terms[t];
        fw_table_cell(&text, "%s", row->name);
        fw_table_cell(&text, "%s", quantity(page, row->seconds, "seconds"));
        fw_table_cell(&text, "%s", quantity(page, row->share, "share"));
        fw_table_cell(&text, "%s", quantity(page, row->amount, row->unit));
        fw_table_cell(&text, "at %s (%s)", rate(page, row), row->source);
        fw_table_cell(&text, "%s", row->meaning);
    }
    fw_table_print(&text, page->out);
}

static void show_measured(struct page *page, const struct fw_prediction *prediction)
{
    struct fw_table_text text = table(page, "lrrr");
    heading(page,
            "Predicted, measured, their ratio; the model's limiters are given what was measured");
    for (size_t r = 0; r < prediction->measured_count; r++) {
        const struct fw_measured_row *row = &prediction->measured[r];
        bool both = row->is_measured && row->measured > 0;
        fw_table_cell(&text, "%s", row->metric);
        fw_table_cell(&text, "%s", quantity(page, row->predicted, row->unit));
        fw_table_cell(&text, "%s",
                      row->is_measured ? quantity(page, row->measured, row->unit) : "");
        if (both)
            fw_table_cell(&text, "%.3f", row->predicted / row->measured);
        else
            fw_table_cell(&text, "%s", "");
    }
    fw_table_print(&text, page->out);
}

static void show_quantities(struct page *page, const struct fw_prediction *prediction)
{
    fw_report_quantities_text(page->out, prediction, page->colour);
    if (prediction->measured_count)
        show_measured(page, prediction);
}

/* A property's value; registers and numbers without a unit as they are. */
static const char *property(struct page *page, double value, const char *unit)
{
    if (strcmp(unit, "1") == 0 || strcmp(unit, "registers") == 0)
        return fw_arena_printf(page->arena, "%.6g", value);
    if (strcmp(unit, "factor") == 0)
        return fw_arena_printf(page->arena, "%.6g times", value);
    return quantity(page, value, unit);
}

static void show_what_if(struct page *page)
{
    const struct fw_answer *answer = page->answer;
    struct fw_table_text text = table(page, "lll");
    if (!answer->what_if_count)
        return;
    heading(page,
            "What if: values stated in place of known ones; no measurement checks the answer");
    for (size_t r = 0; r < answer->what_if_count; r++) {
        const struct fw_what_if_row *row = &answer->what_if[r];
        fw_table_cell(&text, "%s", row->property);
        fw_table_cell(&text, "%s", row->name ? row->name : property(page, row->value, row->unit));
        if (row->has_instead && strcmp(row->unit, "factor") != 0)
            fw_table_cell(&text, "instead of %s (%s)",
                          row->name ? row->instead_name : property(page, row->instead, row->unit),
                          row->source);
        else
            fw_table_cell(&text, "%s",
                          row->has_instead ? "what the profile has" : "not known before");
    }
    fw_table_print(&text, page->out);
}

/* "101 us, 90 %: 86.1 us to 146 us". */
static const char *with_interval(struct page *page, double value, const char *unit, bool known,
                                 double low, double high)
{
    return known ? fw_arena_printf(page->arena, "%s (90 %%: %s to %s)", quantity(page, value, unit),
                                   quantity(page, low, unit), quantity(page, high, unit))
                 : quantity(page, value, unit);
}

/* Names of what the answer leaned on, with the values that were used. */
static const char *leaned_on(struct page *page)
{
    enum { NAMED = 3 };
    struct fw_buffer text = fw_buffer_new(page->arena);
    size_t count = 0;
    for (size_t u = 0; u < page->answer->unknown_count; u++) {
        const struct fw_unknown_row *row = &page->answer->unknowns[u];
        if (row->argument || row->points > 0 || !row->is_default || row->follows ||
            strcmp(row->kind, "pointer") == 0)
            continue;
        if (++count > NAMED)
            continue;
        fw_buffer_printf(&text, "%s%s", count > 1 ? ", " : "", shown(page, row->name));
        if (row->has_value)
            fw_buffer_printf(&text, " = %g", row->value);
    }
    if (count > NAMED)
        fw_buffer_printf(&text, " and %zu more", count - NAMED);
    return count ? text.text : NULL;
}

static void show_conditions(struct page *page, struct fw_table_text *text,
                            const struct fw_prediction *prediction)
{
    const char *unknown = prediction->no_overhead ? prediction->no_overhead
                                                  : "not known: the profile has no empty_kernel";
    fw_table_cell(text, "launch overhead");
    fw_table_cell(text, "%s",
                  prediction->has_overhead ? quantity(page, prediction->overhead_seconds, "seconds")
                                           : unknown);
    fw_table_cell(text, "conditions");
    fw_table_cell(text, "%s%scaches %s",
                  prediction->clock > 0 ? quantity(page, prediction->clock, "hertz") : "",
                  prediction->clock > 0 ? ", " : "", prediction->cache);
}

/* Whether percentages of the speed-of-light page are among the metrics. */
static bool has_peaks(const struct fw_prediction *prediction)
{
    return prediction->peak_count > 0 && prediction->peaks[0].name;
}

static void show_peaks(struct page *page, struct fw_table_text *text,
                       const struct fw_prediction *prediction)
{
    struct fw_buffer peaks = fw_buffer_new(page->arena);
    if (!has_peaks(prediction))
        return;
    for (size_t p = 0; p < prediction->peak_count && prediction->peaks[p].name; p++)
        fw_buffer_printf(&peaks, "%s%s %.0f %%", p ? ", " : "", prediction->peaks[p].name,
                         prediction->peaks[p].percent);
    fw_table_cell(text, "percent of peak");
    fw_table_cell(text, "%s", peaks.text);
}

static void show_metrics(struct page *page, const struct fw_prediction *prediction)
{
    struct fw_table_text text = table(page, "lr");
    if (!page->metrics || !prediction->peak_count)
        return;
    heading(page, "Percent, by Nsight Compute's names");
    for (size_t p = 0; p < prediction->peak_count; p++) {
        fw_table_cell(&text, "%s", prediction->peaks[p].metric);
        fw_table_cell(&text, "%.2f", prediction->peaks[p].percent);
    }
    fw_table_print(&text, page->out);
}

/* Achieved occupancy, where the prediction knows it. */
static const char *achieved(struct page *page, const struct fw_prediction *prediction)
{
    if (!prediction->has_achieved_occupancy)
        return "";
    return fw_arena_printf(page->arena, ", %s achieved",
                           quantity(page, prediction->achieved_occupancy, "share"));
}

/* What the time is at the ends of what data usually decide, and how to state what they do. */
static void show_ends(struct page *page, struct fw_table_text *text,
                      const struct fw_prediction *prediction)
{
    const double straight = 0.1; /* a line is told that passes the answer by less */
    for (size_t e = 0; e < prediction->end_count; e++) {
        const struct fw_data_end_row *row = &prediction->ends[e];
        bool shares = strcmp(row->kind, "taken") == 0;
        bool places = strcmp(row->kind, "displacement") == 0;
        const char *name = row->name ? short_name(page, row->name)
                           : shares  ? "shares of branches"
                           : places  ? "elements that places are moved by"
                                     : "lengths and trips, by their defaults";
        fw_table_cell(text, "%s", e == 0 ? "data decide" : "");
        struct fw_buffer said = fw_buffer_new(page->arena);
        fw_buffer_printf(&said, "%s: %s at %.4g", name, quantity(page, row->low_seconds, "seconds"),
                         row->low);
        fw_buffer_printf(&said, ", %s at %.4g", quantity(page, row->high_seconds, "seconds"),
                         row->high);
        double each = (row->high_seconds - row->low_seconds) / (row->high - row->low);
        double first = row->low_seconds - each * row->low, usual = 0;
        for (size_t u = 0; row->name && u < page->answer->unknown_count; u++)
            if (strcmp(page->answer->unknowns[u].name, row->name) == 0)
                usual = page->answer->unknowns[u].value;
        if (usual > 0 && !shares && each > 0 &&
            fabs(first + each * usual - prediction->seconds) < straight * prediction->seconds)
            fw_buffer_printf(&said, "; about %s for each", quantity(page, each, "seconds"));
        if (row->name)
            fw_buffer_printf(&said, " (-s %s=VALUE)", name);
        fw_table_cell(text, "%s", shown(page, said.text));
    }
}

static void show_prediction(struct page *page, const struct fw_prediction *prediction,
                            bool quantities_shown)
{
    struct fw_table_text text = table(page, "ll");
    const char *unknown = leaned_on(page);
    heading(page, fw_arena_printf(page->arena, "Prediction on %s, model %s",
                                  page->answer->device_title, prediction->model));
    fw_table_cell(&text, "time");
    fw_table_cell(&text, "%s%s%s",
                  with_interval(page, prediction->seconds, "seconds", prediction->has_interval,
                                prediction->low, prediction->high),
                  prediction->limiter ? ", limited by " : "",
                  prediction->limiter ? prediction->limiter : "");
    if (unknown) {
        fw_table_cell(&text, "not known");
        fw_table_cell(&text, "%s", unknown);
    }
    show_ends(page, &text, prediction);
    show_peaks(page, &text, prediction);
    if (prediction->has_watts) {
        fw_table_cell(&text, "power");
        fw_table_cell(&text, "%s, %s a launch, launched back to back",
                      with_interval(page, prediction->watts, "watts",
                                    prediction->has_power_interval, prediction->watts_low,
                                    prediction->watts_high),
                      quantity(page, prediction->joules, "joules"));
    }
    if (prediction->has_occupancy) {
        fw_table_cell(&text, "occupancy");
        fw_table_cell(&text,
                      "%s theoretical (%u block%s a multiprocessor, limited by %s)%s, %.4g waves",
                      quantity(page, prediction->occupancy, "share"), prediction->resident_blocks,
                      prediction->resident_blocks == 1 ? "" : "s", prediction->occupancy_limit,
                      achieved(page, prediction), prediction->waves);
    }
    show_conditions(page, &text, prediction);
    fw_table_print(&text, page->out);
    show_metrics(page, prediction);
    people_show_account(page, prediction);
    show_terms(page, prediction);
    /* Beside an account by stall reasons, percentages of peak stand for volumes, which `traffic`
     * shows. */
    if (!quantities_shown && !(people_follows_time(prediction) && has_peaks(prediction)))
        show_quantities(page, prediction);
    if (prediction->not_modelled_count)
        heading(page, "Not modelled");
    for (size_t l = 0; l < prediction->not_modelled_count; l++)
        fw_buffer_printf(page->out, "  - %s\n", shown(page, prediction->not_modelled[l]));
}

void fw_report_text(struct fw_buffer *out, const struct fw_answer *answer,
                    const struct fw_render_options *options)
{
    const bool quantities_first = options->quantities_first;
    struct page page = {.out = out,
                        .arena = out->arena,
                        .answer = answer,
                        .colour = options->colour,
                        .all_lines = options->all_lines,
                        .metrics = options->metrics};
    show_kernel(&page);
    people_show_advice(&page);
    show_what_if(&page);
    people_show_issue_orders(&page);
    if (answer->emulation)
        show_emulation(&page);
    if (answer->counts)
        people_show_counts(&page);
    if (answer->features)
        show_features(&page);
    if (answer->trace)
        people_show_trace(&page);
    if (answer->trace)
        people_show_timeline(&page);
    for (size_t p = 0; quantities_first && p < answer->prediction_count; p++)
        show_quantities(&page, &answer->predictions[p]);
    for (size_t p = 0; p < answer->prediction_count; p++)
        show_prediction(&page, &answer->predictions[p], quantities_first);
    show_unknowns(&page);
}
