/* The facts of an answer. */
#include "diff_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void wrong(struct diff_work *work, const char *code, const char *what)
{
    if (!work->status)
        fw_report(work->sink, FW_ERROR, code, fw_span_of_source(work->source), "%s", what);
    work->status = FW_ERROR_INPUT;
}

/* A number, or a count as decimal digits; false: null, or not there. */
static bool number_of(struct diff_work *work, const json_t *value, const char *name, double *number)
{
    if (!value || json_is_null(value))
        return false;
    if (json_is_number(value)) {
        *number = json_number_value(value);
    } else if (json_is_string(value)) {
        char *end;
        *number = strtod(json_string_value(value), &end);
        if (*end || end == json_string_value(value) || !isfinite(*number)) {
            wrong(work, "DIF003",
                  fw_arena_printf(work->arena, "\"%.64s\" is no number, nor digits of one", name));
            return false;
        }
    } else {
        wrong(work, "DIF003", fw_arena_printf(work->arena, "\"%.64s\" is no number", name));
        return false;
    }
    return true;
}

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

static void take_text(struct diff_work *work, enum diff_section section, const json_t *object,
                      const char *member, const char *name)
{
    const char *text = text_of(object, member);
    if (*text)
        diff_text(work, section, name, text);
}

static void take_number(struct diff_work *work, enum diff_section section, const json_t *object,
                        const char *member, const char *name, const char *unit)
{
    double value;
    if (number_of(work, json_object_get(object, member), member, &value))
        diff_number(work, section, name, unit, value);
}

/* The name of an argument or array; of PTX's own, KERNEL_param_3, what kernels can share. */
static const char *without_kernel(const char *name, const json_t *answer)
{
    const char *entry = text_of(json_object_get(answer, "kernel"), "entry");
    size_t length = strlen(entry);
    return length && strncmp(name, entry, length) == 0 && strncmp(name + length, "_param_", 7) == 0
               ? name + length + 1
               : name;
}

/* A member that is a list; NULL when it is not there. */
static json_t *list_of(struct diff_work *work, const json_t *object, const char *name)
{
    json_t *list = json_object_get(object, name);
    if (list && !json_is_array(list))
        wrong(work, "DIF003", fw_arena_printf(work->arena, "\"%s\" is not a list", name));
    return json_is_array(list) ? list : NULL;
}

static void take_extents(struct diff_work *work, const json_t *launch, const char *name)
{
    const json_t *list = list_of(work, launch, name);
    if (json_array_size(list) == 3)
        diff_text(work, DIFF_LAUNCH, name,
                  fw_arena_printf(work->arena, "%lldx%lldx%lld",
                                  (long long)json_integer_value(json_array_get(list, 0)),
                                  (long long)json_integer_value(json_array_get(list, 1)),
                                  (long long)json_integer_value(json_array_get(list, 2))));
}

static void read_launch(struct diff_work *work, json_t *answer)
{
    json_t *launch = json_object_get(answer, "launch"), *value;
    const char *name;
    take_text(work, DIFF_LAUNCH, answer, "device", "device");
    take_extents(work, launch, "grid");
    take_extents(work, launch, "block");
    take_number(work, DIFF_LAUNCH, launch, "shared_bytes", "dynamic shared memory", "bytes");
    json_object_foreach(json_object_get(launch, "arguments"), name, value)
        take_number(work, DIFF_LAUNCH, json_object_get(launch, "arguments"), name,
                    fw_arena_printf(work->arena, "argument %s", without_kernel(name, answer)), "");
}

static void read_kernel(struct diff_work *work, const json_t *answer)
{
    static const struct {
        const char *member, *name;
    } texts[] = {{"name", "name"},       {"file", "file"},
                 {"target", "target"},   {"compiler", "compiler"},
                 {"command", "command"}, {"registers_source", "registers are from"}};
    static const struct {
        const char *member, *name, *unit;
    } numbers[] = {{"registers", "registers", ""},
                   {"static_shared_bytes", "static shared memory", "bytes"},
                   {"local_bytes", "local memory of a thread", "bytes"},
                   {"spill_store_bytes", "spills stored", "bytes"},
                   {"spill_load_bytes", "spills loaded", "bytes"}};
    const json_t *kernel = json_object_get(answer, "kernel");
    for (size_t t = 0; t < sizeof(texts) / sizeof(texts[0]); t++)
        take_text(work, DIFF_KERNEL, kernel, texts[t].member, texts[t].name);
    for (size_t n = 0; n < sizeof(numbers) / sizeof(numbers[0]); n++)
        take_number(work, DIFF_KERNEL, kernel, numbers[n].member, numbers[n].name, numbers[n].unit);
}

static void read_what_if(struct diff_work *work, const json_t *answer)
{
    json_t *list = list_of(work, answer, "what_if"), *row;
    size_t r;
    json_array_foreach(list, r, row)
    {
        const char *unit = text_of(row, "unit");
        if (json_is_string(json_object_get(row, "value")))
            take_text(work, DIFF_WHAT_IF, row, "value", text_of(row, "property"));
        else
            take_number(work, DIFF_WHAT_IF, row, "value", text_of(row, "property"),
                        strcmp(unit, "1") == 0 ? "" : unit);
    }
}

/* ---- predictions ---- */

static void read_terms(struct diff_work *work, const json_t *prediction)
{
    json_t *list = list_of(work, prediction, "terms"), *row;
    size_t r;
    json_array_foreach(list, r, row)
    {
        double seconds, line = 0;
        if (!number_of(work, json_object_get(row, "seconds"), "seconds", &seconds))
            continue;
        bool of_line = number_of(work, json_object_get(row, "line"), "line", &line) && line >= 1 &&
                       line <= UINT32_MAX;
        diff_amount(work, of_line ? DIFF_LINES : DIFF_LIMITERS, text_of(row, "name"), "seconds",
                    of_line ? (uint32_t)line : 0, seconds);
    }
}

/* `suffix`: behind the names of what a further model says. */
static void read_prediction(struct diff_work *work, const json_t *prediction, const char *suffix)
{
    static const struct {
        const char *member, *unit;
    } numbers[] = {{"seconds", "seconds"},
                   {"overhead_seconds", "seconds"},
                   {"watts", "watts"},
                   {"joules", "joules"},
                   {"clock_hertz", "hertz"}};
    const json_t *occupancy = json_object_get(prediction, "occupancy");
    struct fw_arena *arena = work->arena;
    if (!*suffix)
        take_text(work, DIFF_TIME, prediction, "model", "model");
    for (size_t n = 0; n < sizeof(numbers) / sizeof(numbers[0]); n++)
        take_number(work, DIFF_TIME, prediction, numbers[n].member,
                    fw_arena_printf(arena, "%s%s", numbers[n].member, suffix), numbers[n].unit);
    take_text(work, DIFF_TIME, prediction, "limiter", fw_arena_printf(arena, "limiter%s", suffix));
    take_text(work, DIFF_TIME, prediction, "cache", fw_arena_printf(arena, "cache%s", suffix));
    if (*suffix)
        return;
    take_number(work, DIFF_TIME, occupancy, "blocks_per_multiprocessor",
                "blocks on a multiprocessor", "");
    take_number(work, DIFF_TIME, occupancy, "share", "occupancy", "share");
    take_text(work, DIFF_TIME, occupancy, "limit", "occupancy limit");
    take_number(work, DIFF_TIME, occupancy, "waves", "waves", "");
    take_number(work, DIFF_TIME, occupancy, "achieved", "achieved occupancy", "share");
    read_terms(work, prediction);
}

static void read_predictions(struct diff_work *work, const json_t *answer)
{
    json_t *list = list_of(work, answer, "predictions"), *row;
    size_t p;
    json_array_foreach(list, p, row) read_prediction(
        work, row, p == 0 ? "" : fw_arena_printf(work->arena, ", %s", text_of(row, "model")));
}

static const char *unit_of_key(const char *key)
{
    size_t length = strlen(key);
    return length > 6 && strcmp(key + length - 6, "_bytes") == 0 ? "bytes" : "";
}

/* Numbers at the top level, and their parts. */
static void read_volumes(struct diff_work *work, json_t *answer)
{
    const char *name, *part;
    json_t *value, *inner;
    json_object_foreach(answer, name, value)
    {
        size_t length = strlen(name);
        if (json_is_number(value) && strcmp(name, "format") != 0 && strcmp(name, "flops") != 0)
            take_number(work, DIFF_VOLUMES, answer, name, name, unit_of_key(name));
        if (json_is_object(value) && length > 6 && strcmp(name + length - 6, "_parts") == 0)
            json_object_foreach(value, part, inner) take_number(
                work, DIFF_VOLUMES, value, part,
                fw_arena_printf(work->arena, "%.*s, %s", (int)length - 6, name, part), "bytes");
    }
}

/* ---- counts ---- */

static void read_operations(struct diff_work *work, const json_t *answer, const char *member,
                            enum diff_section section)
{
    json_t *list = list_of(work, answer, member), *row;
    size_t r;
    json_array_foreach(list, r, row)
    {
        const char *machine = text_of(row, "machine");
        double count;
        if (number_of(work, json_object_get(row, "count"), "count", &count))
            diff_amount(work, section,
                        *machine ? machine
                                 : fw_arena_printf(work->arena, "%s %s", text_of(row, "operation"),
                                                   text_of(row, "type")),
                        "", 0, count);
    }
}

static void read_memory(struct diff_work *work, const json_t *answer)
{
    json_t *list = list_of(work, answer, "memory"), *row;
    size_t r;
    json_array_foreach(list, r, row)
    {
        double count, line = 0;
        if (!number_of(work, json_object_get(row, "count"), "count", &count))
            continue;
        number_of(work, json_object_get(row, "line"), "line", &line);
        const char *array = without_kernel(text_of(row, "array"), answer);
        diff_amount(work, DIFF_MEMORY,
                    fw_arena_printf(work->arena, "%s %s %s%s%s", text_of(row, "space"),
                                    text_of(row, "direction"), text_of(row, "type"),
                                    *array ? " " : "", array),
                    "", line >= 1 && line <= UINT32_MAX ? (uint32_t)line : 0, count);
    }
}

static void read_counts(struct diff_work *work, json_t *answer)
{
    json_t *groups = json_object_get(answer, "instructions"), *value;
    const char *name;
    json_object_foreach(groups, name,
                        value) if (!json_is_boolean(value) && strcmp(name, "granularity") != 0)
        take_number(work, DIFF_INSTRUCTIONS, groups, name, name, "");
    take_number(work, DIFF_INSTRUCTIONS, json_object_get(answer, "barriers"), "count", "barriers",
                "");
    take_number(work, DIFF_INSTRUCTIONS, answer, "flops", "flops", "");
    read_operations(work, answer, "operations", DIFF_OPERATIONS);
    read_operations(work, answer, "machine", DIFF_MACHINE);
    read_memory(work, answer);
}

static void read_unknowns(struct diff_work *work, const json_t *answer)
{
    json_t *list = list_of(work, answer, "unknowns"), *row;
    size_t r;
    json_array_foreach(list, r, row)
        take_number(work, DIFF_UNKNOWNS, row, "value", text_of(row, "name"), "");
}

void diff_read_answer(struct diff_work *work, json_t *answer)
{
    bool predicts = json_is_array(json_object_get(answer, "predictions"));
    bool counts = json_is_object(json_object_get(answer, "instructions"));
    if (!json_is_string(json_object_get(answer, "forewarp")) ||
        !json_is_object(json_object_get(answer, "kernel")) ||
        !json_is_object(json_object_get(answer, "launch")) || (!predicts && !counts)) {
        wrong(work, "DIF002", "this is no answer of count, predict, traffic or emulate (--json)");
        return;
    }
    read_launch(work, answer);
    read_kernel(work, answer);
    read_what_if(work, answer);
    read_unknowns(work, answer);
    if (predicts) {
        read_predictions(work, answer);
        read_volumes(work, answer);
    }
    if (counts)
        read_counts(work, answer);
}
