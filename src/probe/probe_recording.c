/* See probe_recording.h. */
#include "probe_recording.h"
#include "text.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

struct row {
    const char *name;
    json_t *json;
};

struct fw_probe_recording {
    struct fw_arena *arena;
    json_t *setup;
    FW_VECTOR(struct row) rows;
    struct fw_map names;
    size_t failures;
    const char *failure;
};

static const char *text_of(json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

/* A setup line says which format it and the lines behind it have. */
static bool known_format(json_t *json)
{
    const char *kind = text_of(json, "record");
    const json_t *format = json_object_get(json, "format");
    return !kind || strcmp(kind, "setup") != 0 || !format || json_integer_value(format) == 1;
}

static void take(struct fw_probe_recording *recording, json_t *json)
{
    const char *kind = text_of(json, "record"), *name = text_of(json, "name");
    const char *status = text_of(json, "status");
    if (kind && strcmp(kind, "setup") == 0 && !recording->setup) {
        recording->setup = json_incref(json);
    } else if (name && status && strcmp(status, "done") == 0) {
        bool added;
        struct fw_map_entry *entry = fw_map_add(&recording->names, name, strlen(name), &added);
        if (added) {
            entry->value = (uint32_t)recording->rows.count;
            *FW_APPEND(recording->arena, &recording->rows) = (struct row){entry->key, NULL};
        }
        struct row *row = &recording->rows.at[entry->value];
        json_decref(row->json); /* measured again: the last counts */
        row->json = json_incref(json);
    } else if (name) {
        const char *reason = text_of(json, "reason");
        if (!recording->failures++)
            recording->failure =
                fw_arena_printf(recording->arena, "%s: %s", name, reason ? reason : "no reason");
    }
}

enum fw_status fw_probe_recording_setup(struct fw_probe_recording **result, struct fw_arena *arena,
                                        const char *name, const char *text, size_t length,
                                        const struct fw_sink *sink)
{
    struct fw_probe_recording *recording = FW_NEW(arena, struct fw_probe_recording);
    const char *end = text + length;
    recording->arena = arena;
    recording->names = fw_map_new(arena);
    *result = recording;
    const struct fw_source source = {.name = name, .text = text, .length = length};
    for (const char *at = text; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        struct fw_span span = {.source = &source, .offset = (uint32_t)(at - text)};
        if (!stop) {
            fw_report(sink, FW_WARNING, "PRB004", span, "the last record is unfinished: left out");
            break;
        }
        json_error_t error;
        json_t *json = json_loadb(at, (size_t)(stop - at), 0, &error);
        if (!json_is_object(json)) {
            json_decref(json);
            fw_report(sink, FW_ERROR, "PRB001", span, "not a record: %s", error.text);
            return FW_ERROR_INPUT;
        }
        if (!known_format(json)) {
            json_decref(json);
            fw_report(sink, FW_ERROR, "PRB006", span,
                      "records of a format that this program does not know: it knows 1");
            return FW_ERROR_INPUT;
        }
        take(recording, json);
        json_decref(json);
        at = stop + 1;
    }
    struct fw_span whole = {.source = &source};
    if (!recording->setup) {
        fw_report(sink, FW_ERROR, "PRB002", whole,
                  "no setup record: not a recording of "
                  "forewarp-measure");
        return FW_ERROR_INPUT;
    }
    return FW_OK;
}

enum fw_status fw_probe_recording_read(struct fw_probe_recording **result, struct fw_arena *arena,
                                       const char *name, const char *text, size_t length,
                                       const struct fw_sink *sink)
{
    enum fw_status status = fw_probe_recording_setup(result, arena, name, text, length, sink);
    const struct fw_probe_recording *recording = *result;
    const struct fw_source source = {.name = name, .text = text, .length = length};
    struct fw_span whole = {.source = &source};
    if (!status && recording->rows.count == 0) {
        fw_report(sink, FW_ERROR, "PRB003", whole, "no measurement succeeded%s%s",
                  recording->failure ? "; " : "", recording->failure ? recording->failure : "");
        return FW_ERROR_INPUT;
    }
    return status;
}

void fw_probe_recording_close(struct fw_probe_recording *recording)
{
    if (!recording)
        return;
    json_decref(recording->setup);
    for (size_t i = 0; i < recording->rows.count; i++)
        json_decref(recording->rows.at[i].json);
}

const char *fw_probe_recording_text(const struct fw_probe_recording *recording, const char *name)
{
    return text_of(recording->setup, name);
}

static double number_of(json_t *object, const char *name)
{
    json_t *value = json_object_get(object, name);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

double fw_probe_recording_number(const struct fw_probe_recording *recording, const char *name)
{
    return number_of(recording->setup, name);
}

double fw_probe_recording_attribute(const struct fw_probe_recording *recording, const char *name)
{
    return number_of(json_object_get(recording->setup, "attributes"), name);
}

size_t fw_probe_recording_failures(const struct fw_probe_recording *recording, const char **reason)
{
    *reason = recording->failure;
    return recording->failures;
}

static json_t *find(const struct fw_probe_recording *recording, const char *name)
{
    const struct fw_map_entry *entry = fw_map_find(&recording->names, name, strlen(name));
    return entry ? recording->rows.at[entry->value].json : NULL;
}

/* An array of numbers in the arena; its length, 0 when anything else stands there. */
static size_t numbers(const double **values, struct fw_arena *arena, json_t *array)
{
    size_t count = json_array_size(array);
    double *copy = FW_ARRAY(arena, double, count + 1);
    for (size_t i = 0; i < count; i++) {
        json_t *one = json_array_get(array, i);
        copy[i] = json_is_number(one) ? json_number_value(one) : (double)NAN;
    }
    *values = copy;
    return count;
}

size_t fw_probe_recording_seconds(const double **seconds,
                                  const struct fw_probe_recording *recording, const char *name,
                                  bool pipelined)
{
    json_t *series = json_object_get(find(recording, name), pipelined ? "pipelined" : "single");
    return numbers(seconds, recording->arena, json_object_get(series, "seconds"));
}

const double *fw_probe_recording_read_back(const struct fw_probe_recording *recording,
                                           const char *name, size_t trial, size_t count)
{
    json_t *read = json_object_get(json_object_get(find(recording, name), "read"), "out");
    const double *values;
    size_t found = numbers(&values, recording->arena, json_array_get(read, trial));
    return found >= count && found > 0 ? values : NULL;
}

double fw_probe_recording_energy(const struct fw_probe_recording *recording, const char *name,
                                 const char *member)
{
    return number_of(json_object_get(find(recording, name), "energy"), member);
}

double fw_probe_recording_extent(const struct fw_probe_recording *recording, const char *name,
                                 const char *member)
{
    json_t *value = json_array_get(json_object_get(find(recording, name), member), 0);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

const char *fw_probe_recording_name(const struct fw_probe_recording *recording, size_t index)
{
    return index < recording->rows.count ? recording->rows.at[index].name : NULL;
}
