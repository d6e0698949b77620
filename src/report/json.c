/* Answers as JSON: what docs/schema/ describes. */
#include "json_internal.h"
#include "report.h"
#include "timeline_style.h"

#include <stdio.h>
#include <string.h>

static void number(writer *w, const char *name, const struct fw_number *count)
{
    if (count->known && count->digits)
        fw_json_text(w, name, count->digits);
    else
        fw_json_integer_if(w, name, count->known, count->integer);
}

static void triple(writer *w, const char *name, const uint32_t at[3])
{
    if (at[0] == 0) { /* not stated */
        fw_json_null(w, name);
        return;
    }
    fw_json_array(w, name);
    for (int d = 0; d < 3; d++)
        fw_json_integer(w, NULL, at[d]);
    fw_json_array_end(w);
}

static void integers(writer *w, const char *name, bool known, const int64_t *at, size_t count)
{
    if (!known) {
        fw_json_null(w, name);
        return;
    }
    fw_json_array(w, name);
    for (size_t i = 0; i < count; i++)
        fw_json_integer(w, NULL, at[i]);
    fw_json_array_end(w);
}

void report_json_texts(writer *w, const char *name, const char *const *list, size_t count)
{
    fw_json_array(w, name);
    for (size_t i = 0; i < count; i++)
        fw_json_text(w, NULL, list[i]);
    fw_json_array_end(w);
}

static void line(writer *w, uint32_t at)
{
    fw_json_integer_if(w, "line", at != 0, at);
}

static void arguments(writer *w, const struct fw_kernel_row *kernel)
{
    fw_json_array(w, "arguments");
    for (size_t a = 0; a < kernel->argument_count; a++) {
        const struct fw_argument_row *row = &kernel->arguments[a];
        fw_json_object(w, NULL);
        fw_json_text(w, "name", row->name);
        fw_json_text(w, "type", row->type);
        fw_json_integer(w, "position", row->position);
        fw_json_integer(w, "bytes", row->bytes);
        fw_json_boolean(w, "pointer", row->is_pointer);
        fw_json_object_end(w);
    }
    fw_json_array_end(w);
}

static void constants(writer *w, const struct fw_kernel_row *kernel)
{
    if (!kernel->constant_count)
        return;
    fw_json_object(w, "constants");
    for (size_t c = 0; c < kernel->constant_count; c++)
        fw_json_integer(w, kernel->constants[c].name, kernel->constants[c].value);
    fw_json_object_end(w);
}

void report_json_kernel(writer *w, const struct fw_kernel_row *row)
{
    bool known = row->registers > 0, assembled = row->assembler != NULL;
    fw_json_object(w, "kernel");
    fw_json_text(w, "name", row->name);
    fw_json_text(w, "entry", row->entry);
    fw_json_text(w, "file", row->file);
    fw_json_text(w, "language", row->language);
    fw_json_text(w, "layer", row->layer);
    fw_json_text(w, "target", row->target);
    fw_json_text(w, "compiler", row->compiler);
    fw_json_text(w, "command", row->command);
    fw_json_text(w, "confinement", row->confinement);
    fw_json_integer_if(w, "registers", known, row->registers);
    fw_json_text(w, "registers_source", known ? row->registers_source : NULL);
    fw_json_text(w, "assembler", row->assembler);
    fw_json_integer_if(w, "stack_bytes", assembled, row->stack_bytes);
    fw_json_integer_if(w, "spill_store_bytes", assembled, row->spill_store_bytes);
    fw_json_integer_if(w, "spill_load_bytes", assembled, row->spill_load_bytes);
    fw_json_integer(w, "static_shared_bytes", row->static_shared);
    fw_json_boolean(w, "dynamic_shared", row->dynamic_shared);
    fw_json_integer(w, "local_bytes", row->local_bytes);
    constants(w, row);
    arguments(w, row);
    fw_json_object_end(w);
}

void report_json_launch(writer *w, const struct fw_answer *answer)
{
    fw_json_object(w, "launch");
    triple(w, "grid", answer->grid);
    triple(w, "block", answer->block);
    fw_json_integer(w, "shared_bytes", (int64_t)answer->shared);
    fw_json_object(w, "arguments");
    for (size_t a = 0; a < answer->kernel->argument_count; a++) {
        const struct fw_argument_row *row = &answer->kernel->arguments[a];
        if (row->is_bound && row->is_float)
            fw_json_real(w, row->name, row->number);
        else if (row->is_bound)
            fw_json_integer(w, row->name, row->integer);
    }
    fw_json_object_end(w);
    fw_json_object_end(w);
}

static void measured_unknown(writer *w, const struct fw_unknown_row *row)
{
    bool branch = strcmp(row->kind, "taken") == 0;
    fw_json_integer(w, "observations", (int64_t)row->observations);
    fw_json_integer(w, "blocks", (int64_t)row->blocks);
    if (strcmp(row->kind, "bytes") == 0) {
        fw_json_real(w, "sectors_per_request", row->sectors);
        return;
    }
    fw_json_array(w, "range");
    fw_json_real(w, NULL, row->low);
    fw_json_real(w, NULL, row->high);
    fw_json_array_end(w);
    fw_json_real_if(w, "warps", row->has_warps, row->warps);
    if (branch)
        fw_json_real_if(w, "warps_both", row->has_warps, row->warps_both);
}

static void unknowns(writer *w, const struct fw_answer *answer)
{
    fw_json_array(w, "unknowns");
    for (size_t u = 0; u < answer->unknown_count; u++) {
        const struct fw_unknown_row *row = &answer->unknowns[u];
        fw_json_object(w, NULL);
        fw_json_text(w, "name", row->name);
        fw_json_text(w, "kind", row->kind);
        fw_json_text(w, "reason", row->reason);
        fw_json_real_if(w, "value", row->has_value, row->value);
        fw_json_boolean(w, "default", row->is_default);
        if (row->source)
            fw_json_text(w, "source", row->source);
        if (row->observations)
            measured_unknown(w, row);
        if (row->kept)
            fw_json_text(w, "kept", row->kept);
        if (row->follows)
            fw_json_text(w, "follows", row->follows);
        if (row->points > 0) {
            fw_json_real(w, "sampled_points", row->points);
            fw_json_real(w, "standard_error", row->standard_error);
        }
        fw_json_text(w, "argument", row->argument);
        line(w, row->line);
        fw_json_text(w, "meaning", row->meaning);
        fw_json_object_end(w);
    }
    fw_json_array_end(w);
}

/* What every count has: value, exactness, symbolic form, missing arguments. */
static void add_count(writer *w, const struct fw_number *count, const char *symbolic,
                      const char *formula, const char *no_formula, const char *const *needs,
                      size_t need_count)
{
    number(w, "count", count);
    fw_json_boolean(w, "exact", count->known && count->exact);
    fw_json_text(w, "symbolic", symbolic);
    if (formula)
        fw_json_text(w, "formula", formula);
    if (no_formula)
        fw_json_text(w, "no_formula", no_formula);
    if (need_count)
        report_json_texts(w, "needs", needs, need_count);
}

static void operation(writer *w, const char *name, const struct fw_operation_row *row,
                      const char *layer)
{
    fw_json_object(w, name);
    if (row->operation) {
        fw_json_text(w, "operation", row->operation);
        fw_json_text(w, "type", row->type);
    }
    if (row->machine) {
        fw_json_text(w, "machine", row->machine);
        fw_json_text(w, "pipe", row->pipe);
        fw_json_boolean(w, "guarded", row->guarded);
    }
    fw_json_text(w, "granularity", row->granularity);
    if (layer)
        fw_json_text(w, "layer", layer);
    add_count(w, &row->count, row->symbolic, row->formula, row->no_formula, row->needs,
              row->need_count);
    fw_json_object_end(w);
}

static void operations(writer *w, const char *name, const struct fw_operation_row *rows,
                       size_t count, const char *layer)
{
    fw_json_array(w, name);
    for (size_t r = 0; r < count; r++)
        operation(w, NULL, &rows[r], layer);
    fw_json_array_end(w);
}

static void texts_or_null(writer *w, const char *name, const char *const at[3])
{
    fw_json_array(w, name);
    for (size_t d = 0; d < 3; d++)
        fw_json_text(w, NULL, at[d]);
    fw_json_array_end(w);
}

static void access_row(writer *w, const struct fw_memory_row *row)
{
    const int64_t extent[] = {row->low, row->high};
    fw_json_object(w, NULL);
    fw_json_text(w, "space", row->space);
    fw_json_text(w, "direction", row->direction);
    fw_json_text(w, "type", row->type);
    fw_json_integer(w, "bytes", row->bytes);
    fw_json_text(w, "cache", row->cache);
    fw_json_text(w, "array", row->array);
    fw_json_text(w, "granularity", row->granularity);
    add_count(w, &row->count, row->symbolic, row->formula, row->no_formula, row->needs,
              row->need_count);
    integers(w, "thread_strides", row->has_thread_strides, row->thread_strides, 3);
    integers(w, "block_strides", row->has_block_strides, row->block_strides, 3);
    integers(w, "extent_bytes", row->has_extent, extent, 2);
    fw_json_integer_if(w, "footprint_bytes", row->has_footprint, (int64_t)row->footprint_bytes);
    fw_json_boolean(w, "asynchronous", row->asynchronous);
    fw_json_integer(w, "instructions", row->instructions);
    line(w, row->line);
    if (row->thread_formulas[0] || row->block_formulas[0]) {
        texts_or_null(w, "thread_strides_symbolic", row->thread_formulas);
        texts_or_null(w, "block_strides_symbolic", row->block_formulas);
    }
    if (row->tag)
        fw_json_text(w, "tag", row->tag);
    fw_json_object_end(w);
}

static void footprint(writer *w, const struct fw_footprint_row *row)
{
    bool known = row->elements.known && row->accesses.known && row->elements.value > 0;
    fw_json_object(w, NULL);
    fw_json_text(w, "array", row->array);
    fw_json_text(w, "direction", row->direction);
    fw_json_text(w, "type", row->type);
    fw_json_integer(w, "bytes", row->bytes);
    add_count(w, &row->elements, row->symbolic, row->formula, NULL, row->needs, row->need_count);
    number(w, "accesses", &row->accesses);
    fw_json_real_if(w, "accesses_per_element", known, row->accesses.value / row->elements.value);
    fw_json_object_end(w);
}

static void counts(writer *w, const struct fw_answer *answer)
{
    static const char *const groups[] = {
#define X(name, text) text,
        FW_INSTRUCTION_GROUPS(X)
#undef X
    };
    const struct fw_counts *all = answer->counts;
    operations(w, "operations", all->operations, all->operation_count, answer->kernel->layer);
    operations(w, "machine", all->machine, all->machine_count, "machine");
    fw_json_array(w, "memory");
    for (size_t r = 0; r < all->memory_count; r++)
        access_row(w, &all->memory[r]);
    fw_json_array_end(w);
    if (all->footprint_count) {
        fw_json_array(w, "footprints");
        for (size_t r = 0; r < all->footprint_count; r++)
            footprint(w, &all->footprints[r]);
        fw_json_array_end(w);
    }
    operation(w, "barriers", &all->barriers, NULL);
    fw_json_object(w, "instructions");
    number(w, "total", &all->total.count);
    for (size_t g = 0; g < FW_INSTRUCTION_GROUP_COUNT; g++)
        number(w, groups[g], &all->groups[g].count);
    fw_json_boolean(w, "exact", all->total.count.exact);
    fw_json_text(w, "granularity", "thread");
    fw_json_object_end(w);
    number(w, "flops", &all->flops);
    fw_json_text(w, "assumptions", all->assumptions);
}

static void emulation(writer *w, const struct fw_emulation_row *row)
{
    fw_json_object(w, "emulation");
    fw_json_integer(w, "blocks", (int64_t)row->blocks);
    fw_json_integer(w, "blocks_run", (int64_t)row->blocks_run);
    fw_json_integer(w, "thread_instructions", (int64_t)row->thread_instructions);
    fw_json_integer(w, "warp_instructions", (int64_t)row->warp_instructions);
    fw_json_boolean(w, "assumed_memory", row->assumed_memory);
    fw_json_object_end(w);
}

static void features(writer *w, const struct fw_answer *answer)
{
    fw_json_array(w, "features");
    for (size_t f = 0; f < answer->feature_count; f++) {
        const struct fw_feature_row *row = &answer->features[f];
        fw_json_object(w, NULL);
        fw_json_text(w, "name", row->name);
        fw_json_real(w, "value", row->value);
        fw_json_text(w, "granularity", row->granularity);
        fw_json_text(w, "unit", row->unit);
        fw_json_text(w, "layer", row->layer);
        fw_json_object_end(w);
    }
    fw_json_array_end(w);
}

static void trace_row(writer *w, const struct fw_trace_row *row)
{
    fw_json_object(w, NULL);
    fw_json_integer(w, "depth", row->depth);
    fw_json_text(w, "kind", row->is_loop ? "loop" : "run");
    fw_json_real(w, "share", row->share);
    fw_json_real(w, "threads", row->lanes);
    line(w, row->line);
    if (row->is_loop) {
        fw_json_text(w, "name", row->loop);
        fw_json_boolean(w, "enters", row->enters);
        fw_json_real(w, "trips", row->trips);
        fw_json_real(w, "step", row->step);
    } else {
        report_json_texts(w, "instructions", row->instructions, row->instruction_count);
    }
    fw_json_object_end(w);
}

static void warp_of(writer *w, const uint32_t block[3], uint32_t warp)
{
    fw_json_array(w, "block");
    for (int d = 0; d < 3; d++)
        fw_json_integer(w, NULL, block[d]);
    fw_json_array_end(w);
    fw_json_integer(w, "warp", warp);
}

static void trace(writer *w, const struct fw_trace_answer *answer)
{
    static const char *const groups[] = {
#define X(name, text) text,
        FW_INSTRUCTION_GROUPS(X)
#undef X
    };
    fw_json_object(w, "trace");
    warp_of(w, answer->block, answer->warp);
    fw_json_integer(w, "warp_threads", answer->warp_threads);
    fw_json_real(w, "issued", answer->issued);
    fw_json_real(w, "thread_instructions", answer->threads);
    fw_json_real(w, "issued_partial", answer->partial);
    fw_json_object(w, "groups");
    for (int g = 0; g < FW_INSTRUCTION_GROUP_COUNT; g++)
        fw_json_real(w, groups[g], answer->groups[g]);
    fw_json_object_end(w);
    fw_json_array(w, "nodes");
    for (size_t r = 0; r < answer->row_count; r++)
        trace_row(w, &answer->rows[r]);
    fw_json_array_end(w);
    fw_json_boolean(w, "cut", answer->cut);
    fw_json_text(w, "sampled_loop", answer->sampled_loop);
    if (answer->timeline)
        fw_report_timeline_json(w, answer->timeline);
    if (!answer->has_classes) {
        fw_json_null(w, "launch");
        fw_json_object_end(w);
        return;
    }
    fw_json_object(w, "launch");
    fw_json_real(w, "warps", answer->warps);
    fw_json_integer(w, "traced_blocks", answer->traced_blocks);
    fw_json_boolean(w, "blocks_sampled", answer->blocks_sampled);
    fw_json_array(w, "classes");
    for (size_t c = 0; c < answer->class_count; c++) {
        fw_json_object(w, NULL);
        fw_json_real(w, "warps", answer->classes[c].warps);
        warp_of(w, answer->classes[c].block, answer->classes[c].warp);
        fw_json_real(w, "issued", answer->classes[c].issued);
        fw_json_real(w, "thread_instructions", answer->classes[c].threads);
        fw_json_object_end(w);
    }
    fw_json_array_end(w);
    fw_json_object_end(w);
    fw_json_object_end(w);
}

/* The first prediction whose model found more than times: that stands at the top level. */
static const struct fw_prediction *with_quantities(const struct fw_answer *answer)
{
    for (size_t p = 0; p < answer->prediction_count; p++)
        if (answer->predictions[p].quantity_count)
            return &answer->predictions[p];
    return NULL;
}

void fw_report_json(struct fw_buffer *out, const struct fw_answer *answer)
{
    writer all = fw_json_writer_new(out), *w = &all;
    fw_json_object(w, NULL);
    fw_json_text(w, "forewarp", fw_version());
    fw_json_integer(w, "format", FW_REPORT_FORMAT);
    report_json_kernel(w, answer->kernel);
    report_json_launch(w, answer);
    fw_json_text(w, "device", answer->device);
    report_json_advice(w, answer);
    report_json_what_if(w, answer);
    report_json_issue_orders(w, answer);
    unknowns(w, answer);
    fw_json_object(w, "wraps");
    fw_json_integer(w, "values", (int64_t)answer->wraps);
    line(w, answer->wraps_line);
    fw_json_object_end(w);
    if (answer->counts)
        counts(w, answer);
    if (answer->emulation)
        emulation(w, answer->emulation);
    if (answer->features)
        features(w, answer);
    if (answer->trace)
        trace(w, answer->trace);
    const struct fw_prediction *counted = with_quantities(answer);
    if (counted)
        report_json_quantities(w, counted);
    if (counted && counted->measured)
        report_json_measured(w, counted);
    if (answer->prediction_count) {
        fw_json_array(w, "predictions");
        for (size_t p = 0; p < answer->prediction_count; p++)
            report_json_prediction(w, &answer->predictions[p]);
        fw_json_array_end(w);
    }
    fw_json_object_end(w);
    fw_buffer_add(out, "\n", 1);
}
