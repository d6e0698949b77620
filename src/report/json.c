/* Answers as JSON: what docs/schema/ describes. */
#include "report.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From here on integers are decimal strings: doubles, which many readers use, do not hold them. */
static const int64_t largest_integer = (int64_t)1 << 53;

static json_t *text_or_null(const char *text)
{
    return text ? json_string(text) : json_null();
}

static json_t *real_or_null(bool known, double value)
{
    return known && isfinite(value) ? json_real(value) : json_null();
}

static json_t *integer(int64_t value)
{
    char digits[32];
    if (value < largest_integer && value > -largest_integer)
        return json_integer(value);
    snprintf(digits, sizeof(digits), "%lld", (long long)value);
    return json_string(digits);
}

static json_t *number(const struct fw_number *count)
{
    if (!count->known)
        return json_null();
    return count->digits ? json_string(count->digits) : integer(count->integer);
}

static json_t *triple(const uint32_t at[3])
{
    if (at[0] == 0) /* not stated */
        return json_null();
    return json_pack("[I, I, I]", (json_int_t)at[0], (json_int_t)at[1], (json_int_t)at[2]);
}

static json_t *strides(bool known, const int64_t at[3])
{
    if (!known)
        return json_null();
    return json_pack("[o, o, o]", integer(at[0]), integer(at[1]), integer(at[2]));
}

static json_t *names(const char *const *list, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_string(list[i]));
    return array;
}

static json_t *arguments(const struct fw_kernel_row *kernel)
{
    json_t *array = json_array();
    for (size_t a = 0; a < kernel->argument_count; a++) {
        const struct fw_argument_row *row = &kernel->arguments[a];
        json_array_append_new(array,
                              json_pack("{s:s, s:s, s:I, s:I, s:b}", "name", row->name, "type",
                                        row->type, "position", (json_int_t)row->position, "bytes",
                                        (json_int_t)row->bytes, "pointer", (int)row->is_pointer));
    }
    return array;
}

static json_t *kernel(const struct fw_kernel_row *row)
{
    bool known = row->registers > 0, assembled = row->assembler != NULL;
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, "
        "s:b, s:I, s:o}",
        "name", row->name, "entry", row->entry, "file", row->file, "language", row->language,
        "layer", row->layer, "target", text_or_null(row->target), "compiler",
        text_or_null(row->compiler), "command", text_or_null(row->command), "registers",
        known ? json_integer(row->registers) : json_null(), "registers_source",
        text_or_null(known ? row->registers_source : NULL), "assembler",
        text_or_null(row->assembler), "stack_bytes",
        assembled ? json_integer(row->stack_bytes) : json_null(), "spill_store_bytes",
        assembled ? json_integer(row->spill_store_bytes) : json_null(), "spill_load_bytes",
        assembled ? json_integer(row->spill_load_bytes) : json_null(), "static_shared_bytes",
        (json_int_t)row->static_shared, "dynamic_shared", (int)row->dynamic_shared, "local_bytes",
        (json_int_t)row->local_bytes, "arguments", arguments(row));
}

static json_t *launch(const struct fw_answer *answer)
{
    json_t *values = json_object();
    for (size_t a = 0; a < answer->kernel->argument_count; a++) {
        const struct fw_argument_row *row = &answer->kernel->arguments[a];
        if (row->is_bound)
            json_object_set_new(values, row->name,
                                row->is_float ? json_real(row->number) : integer(row->integer));
    }
    return json_pack("{s:o, s:o, s:o, s:o}", "grid", triple(answer->grid), "block",
                     triple(answer->block), "shared_bytes", integer((int64_t)answer->shared),
                     "arguments", values);
}

static json_t *unknowns(const struct fw_answer *answer)
{
    json_t *array = json_array();
    for (size_t u = 0; u < answer->unknown_count; u++) {
        const struct fw_unknown_row *row = &answer->unknowns[u];
        json_array_append_new(array, json_pack("{s:s, s:s, s:s, s:o, s:b, s:o, s:o, s:s}", "name",
                                               row->name, "kind", row->kind, "reason", row->reason,
                                               "value", real_or_null(row->has_value, row->value),
                                               "default", (int)row->is_default, "argument",
                                               text_or_null(row->argument), "line",
                                               row->line ? json_integer(row->line) : json_null(),
                                               "meaning", row->meaning));
    }
    return array;
}

/* What every count has: value, exactness, symbolic form, missing arguments. */
static void add_count(json_t *object, const struct fw_number *count, const char *symbolic,
                      const char *const *needs, size_t need_count)
{
    json_object_set_new(object, "count", number(count));
    json_object_set_new(object, "exact", json_boolean(count->known && count->exact));
    json_object_set_new(object, "symbolic", text_or_null(symbolic));
    if (need_count)
        json_object_set_new(object, "needs", names(needs, need_count));
}

static json_t *operation(const struct fw_operation_row *row, const char *layer)
{
    json_t *object = json_object();
    if (row->operation) {
        json_object_set_new(object, "operation", json_string(row->operation));
        json_object_set_new(object, "type", json_string(row->type));
    }
    if (row->machine) {
        json_object_set_new(object, "machine", json_string(row->machine));
        json_object_set_new(object, "pipe", json_string(row->pipe));
        json_object_set_new(object, "guarded", json_boolean(row->guarded));
    }
    json_object_set_new(object, "granularity", json_string(row->granularity));
    if (layer)
        json_object_set_new(object, "layer", json_string(layer));
    add_count(object, &row->count, row->symbolic, row->needs, row->need_count);
    return object;
}

static json_t *operations(const struct fw_operation_row *rows, size_t count, const char *layer)
{
    json_t *array = json_array();
    for (size_t r = 0; r < count; r++)
        json_array_append_new(array, operation(&rows[r], layer));
    return array;
}

static json_t *access_row(const struct fw_memory_row *row)
{
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:I, s:s, s:o, s:s}", "space", row->space, "direction",
                  row->direction, "type", row->type, "bytes", (json_int_t)row->bytes, "cache",
                  row->cache, "array", text_or_null(row->array), "granularity", "thread");
    add_count(object, &row->count, row->symbolic, row->needs, row->need_count);
    json_object_set_new(object, "thread_strides",
                        strides(row->has_thread_strides, row->thread_strides));
    json_object_set_new(object, "block_strides",
                        strides(row->has_block_strides, row->block_strides));
    json_object_set_new(object, "extent_bytes",
                        row->has_extent ? json_pack("[o, o]", integer(row->low), integer(row->high))
                                        : json_null());
    json_object_set_new(object, "footprint_bytes",
                        row->has_footprint ? integer((int64_t)row->footprint_bytes) : json_null());
    json_object_set_new(object, "asynchronous", json_boolean(row->asynchronous));
    json_object_set_new(object, "instructions", json_integer(row->instructions));
    json_object_set_new(object, "line", row->line ? json_integer(row->line) : json_null());
    return object;
}

static void add_counts(json_t *top, const struct fw_answer *answer)
{
    static const char *const groups[] = {
#define X(name, text) text,
        FW_INSTRUCTION_GROUPS(X)
#undef X
    };
    const struct fw_counts *counts = answer->counts;
    json_t *memory = json_array(), *instructions = json_object();
    for (size_t r = 0; r < counts->memory_count; r++)
        json_array_append_new(memory, access_row(&counts->memory[r]));
    json_object_set_new(instructions, "total", number(&counts->total.count));
    for (size_t g = 0; g < FW_INSTRUCTION_GROUP_COUNT; g++)
        json_object_set_new(instructions, groups[g], number(&counts->groups[g].count));
    json_object_set_new(instructions, "exact", json_boolean(counts->total.count.exact));
    json_object_set_new(instructions, "granularity", json_string("thread"));
    json_object_set_new(
        top, "operations",
        operations(counts->operations, counts->operation_count, answer->kernel->layer));
    json_object_set_new(top, "machine",
                        operations(counts->machine, counts->machine_count, "machine"));
    json_object_set_new(top, "memory", memory);
    json_object_set_new(top, "barriers", operation(&counts->barriers, NULL));
    json_object_set_new(top, "instructions", instructions);
    json_object_set_new(top, "flops", number(&counts->flops));
    json_object_set_new(top, "assumptions", text_or_null(counts->assumptions));
}

static json_t *costs(const struct fw_cost_row *rows, size_t count)
{
    json_t *array = json_array();
    for (size_t r = 0; r < count; r++) {
        const struct fw_cost_row *row = &rows[r];
        json_array_append_new(array,
                              json_pack("{s:s, s:f, s:f, s:o, s:f, s:s, s:f, s:s, s:s}", "name",
                                        row->name, "seconds", row->seconds, "share", row->share,
                                        "line", row->line ? json_integer(row->line) : json_null(),
                                        "amount", row->amount, "unit", row->unit, "rate", row->rate,
                                        "figure", row->figure, "source", row->source));
    }
    return array;
}

static json_t *prediction(const struct fw_prediction *row)
{
    json_t *terms = costs(row->terms, row->term_count), *lines = costs(row->lines, row->line_count);
    json_array_extend(terms, lines);
    json_decref(lines);
    json_t *occupancy = row->has_occupancy
                            ? json_pack("{s:I, s:f, s:s, s:f}", "blocks_per_multiprocessor",
                                        (json_int_t)row->resident_blocks, "share", row->occupancy,
                                        "limit", row->occupancy_limit, "waves", row->waves)
                            : json_null();
    return json_pack("{s:s, s:f, s:o, s:o, s:o, s:o, s:o, s:f, s:s, s:o, s:o, s:o}", "model",
                     row->model, "seconds", row->seconds, "overhead_seconds",
                     real_or_null(row->has_overhead, row->overhead_seconds), "interval",
                     row->has_interval ? json_pack("[f, f]", row->low, row->high) : json_null(),
                     "watts", real_or_null(row->has_watts, row->watts), "joules",
                     real_or_null(row->has_watts, row->joules), "limiter",
                     text_or_null(row->limiter), "clock_hertz", row->clock, "cache", row->cache,
                     "occupancy", occupancy, "terms", terms, "left_out",
                     names(row->left_out, row->left_out_count));
}

static void add_volume(json_t *top, const char *key, const struct fw_volume_row *row, double fill)
{
    char parts[64];
    snprintf(parts, sizeof(parts), "%s_parts", key);
    json_object_set_new(top, key, json_real(row->bytes));
    json_object_set_new(top, parts,
                        json_pack("{s:f, s:f, s:f}", "compulsory", row->compulsory, "capacity",
                                  row->capacity, "fill", fill));
}

static void add_traffic(json_t *top, const struct fw_traffic_row *row)
{
    const struct {
        const char *key;
        double value;
    } numbers[] = {{"global_load_sectors", row->global_load_sectors},
                   {"global_store_sectors", row->global_store_sectors},
                   {"lsu_wavefronts", row->lsu_wavefronts},
                   {"shared_wavefronts", row->shared_wavefronts},
                   {"l1_to_l2_bytes", row->l1_to_l2_bytes},
                   {"once_read_bytes", row->once_read},
                   {"once_written_bytes", row->once_written},
                   {"dram_read_sample_error", row->sample_error}};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        json_object_set_new(top, numbers[i].key, json_real(numbers[i].value));
    add_volume(top, "l2_to_l1_bytes", &row->l2_to_l1, 0);
    add_volume(top, "dram_read_bytes", &row->dram_read, row->fill_read_bytes);
    add_volume(top, "dram_write_bytes", &row->dram_write, 0);
}

static json_t *build(const struct fw_answer *answer)
{
    json_t *top =
        json_pack("{s:s, s:i, s:o, s:o, s:o, s:o}", "forewarp", fw_version(), "format",
                  FW_REPORT_FORMAT, "kernel", kernel(answer->kernel), "launch", launch(answer),
                  "device", text_or_null(answer->device), "unknowns", unknowns(answer));
    if (!top)
        return NULL;
    json_object_set_new(
        top, "wraps",
        json_pack("{s:I, s:o}", "values", (json_int_t)answer->wraps, "line",
                  answer->wraps_line ? json_integer(answer->wraps_line) : json_null()));
    if (answer->counts)
        add_counts(top, answer);
    if (answer->emulation) {
        const struct fw_emulation_row *row = answer->emulation;
        json_object_set_new(top, "emulation",
                            json_pack("{s:o, s:o, s:o, s:o, s:b}", "blocks",
                                      integer((int64_t)row->blocks), "blocks_run",
                                      integer((int64_t)row->blocks_run), "thread_instructions",
                                      integer((int64_t)row->thread_instructions),
                                      "warp_instructions", integer((int64_t)row->warp_instructions),
                                      "assumed_memory", (int)row->assumed_memory));
    }
    if (answer->traffic)
        add_traffic(top, answer->traffic);
    if (answer->prediction_count) {
        json_t *array = json_array();
        for (size_t p = 0; p < answer->prediction_count; p++)
            json_array_append_new(array, prediction(&answer->predictions[p]));
        json_object_set_new(top, "predictions", array);
    }
    return top;
}

enum fw_status fw_report_json(struct fw_buffer *out, const struct fw_answer *answer)
{
    json_t *top = build(answer);
    char *text = top ? json_dumps(top, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) : NULL;
    json_decref(top);
    if (!text)
        return FW_ERROR_MEMORY;
    fw_buffer_add(out, text, strlen(text));
    fw_buffer_add(out, "\n", 1);
    free(text);
    return FW_OK;
}
