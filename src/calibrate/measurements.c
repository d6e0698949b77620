#include "measurements.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

struct reading {
    struct fw_measurements *to;
    struct fw_arena *arena;
    const struct fw_source *source;
    const struct fw_sink *sink;
    json_t *open; /* freed on every way out */
};

static double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static const char *kept(struct reading *reading, const json_t *value)
{
    const char *text = json_string_value(value);
    return text ? fw_arena_text(reading->arena, text, strlen(text)) : NULL;
}

/* The measurement of a name, made when it is new. */
static struct fw_measurement *measurement_of(struct reading *reading, const char *name)
{
    bool added;
    struct fw_map_entry *entry = fw_map_add(&reading->to->by_name, name, strlen(name), &added);
    if (added) {
        *FW_APPEND(reading->arena, &reading->to->all) =
            (struct fw_measurement){.name = name, .duration = (double)NAN};
        entry->value = (uint32_t)reading->to->all.count - 1;
    }
    return &reading->to->all.at[entry->value];
}

/* A later record of one name stands for an earlier one. */
static void add_measurement(struct reading *reading, const json_t *record, const char *name)
{
    const json_t *single = json_object_get(record, "single"),
                 *pipelined = json_object_get(record, "pipelined"),
                 *energy = json_object_get(record, "energy");
    const char *status = json_string_value(json_object_get(record, "status"));
    double batch = number_of(pipelined, "median_seconds"),
           net = number_of(single, "net_median_seconds");
    struct fw_measurement *to = measurement_of(reading, name);
    *to = (struct fw_measurement){.name = name,
                                  .failed = !status || strcmp(status, "done") != 0,
                                  .seconds = number_of(single, "median_seconds"),
                                  .net_seconds = isnan(batch) ? net : batch,
                                  .watts = number_of(energy, "watts"),
                                  .joules = number_of(energy, "joules_per_launch"),
                                  .idle_share = number_of(energy, "idle_share"),
                                  .clock = number_of(energy, "clock_hertz"),
                                  .duration = to->duration};
}

/* Counters follow their measurement. */
static void add_counters(struct reading *reading, const json_t *record, const char *name)
{
    double duration = number_of(json_object_get(record, "counters"), "gpu__time_duration.sum");
    if (fw_map_find(&reading->to->by_name, name, strlen(name)))
        measurement_of(reading, name)->duration = duration;
}

static bool add_record(struct reading *reading)
{
    const json_t *record = reading->open;
    const char *kind = json_string_value(json_object_get(record, "record"));
    const char *name = kept(reading, json_object_get(record, "name"));
    if (!kind)
        return false;
    if (strcmp(kind, "setup") == 0)
        reading->to->device = kept(reading, json_object_get(record, "device"));
    if (strcmp(kind, "counters") == 0 && name)
        add_counters(reading, record, name);
    if (strcmp(kind, "measurement") != 0)
        return true;
    if (name)
        add_measurement(reading, record, name);
    return name != NULL;
}

static enum fw_status read_lines(void *user)
{
    struct reading *reading = user;
    const char *at = reading->source->text, *end = at + reading->source->length;
    for (uint32_t line = 1; at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        json_error_t error;
        if (strspn(at, " \t\r") < length) {
            reading->open = json_loadb(at, length, JSON_REJECT_DUPLICATES, &error);
            bool good = reading->open && add_record(reading);
            json_decref(reading->open);
            reading->open = NULL;
            if (!good) {
                fw_report(reading->sink, FW_ERROR, "CAL001", fw_span_at(reading->source, line, 1),
                          "this line is no record of a measurement");
                return FW_ERROR_INPUT;
            }
        }
        at += length + 1;
    }
    if (reading->to->all.count)
        return FW_OK;
    fw_report(reading->sink, FW_ERROR, "CAL002", fw_span_of_source(reading->source),
              "there is no measurement in it");
    return FW_ERROR_INPUT;
}

static void close_open(void *user)
{
    json_decref(((struct reading *)user)->open);
}

enum fw_status fw_measurements_read(struct fw_measurements *measurements, struct fw_arena *arena,
                                    const struct fw_source *source, const struct fw_sink *sink)
{
    struct reading reading = {measurements, arena, source, sink, NULL};
    *measurements = (struct fw_measurements){.by_name = fw_map_new(arena)};
    return fw_arena_finally(arena, read_lines, close_open, &reading);
}

const struct fw_measurement *fw_measurements_find(const struct fw_measurements *measurements,
                                                  const char *name)
{
    const struct fw_map_entry *entry = fw_map_find(&measurements->by_name, name, strlen(name));
    return entry ? &measurements->all.at[entry->value] : NULL;
}

bool fw_measurement_output(double *value, const struct fw_measurement *measurement,
                           const char *output)
{
    const struct {
        const char *prefix;
        double value;
    } rows[] = {
        {"f_cl_wall_time", measurement->seconds}, {"f_cuda_wall_time", measurement->seconds},
        {"f_time", measurement->seconds},         {"f_seconds", measurement->net_seconds},
        {"f_watts", measurement->watts},          {"f_power", measurement->watts},
        {"f_joules", measurement->joules},        {"f_energy", measurement->joules}};
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        size_t length = strlen(rows[r].prefix);
        if (strncmp(output, rows[r].prefix, length) == 0 &&
            (!output[length] || output[length] == '_')) {
            *value = rows[r].value;
            return true;
        }
    }
    return false;
}
