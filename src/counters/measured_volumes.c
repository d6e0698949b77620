#include "measured_volumes.h"

#include "counters.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const struct fw_volume_metric_row rows[FW_VOLUME_METRIC_COUNT] = {
#define X(name, key, metric, factor, unit) {key, metric, unit, factor},
    FW_VOLUME_METRICS(X)
#undef X
};

struct reading {
    struct fw_measured_volumes *volumes;
    struct fw_arena *arena;
    const struct fw_source *source;
    const char *path;
    const struct fw_measured_launch *launch;
    const struct fw_sink *sink;
    json_t *root; /* freed on every way out */
    size_t found;
};

const struct fw_volume_metric_row *fw_volume_metric_row(enum fw_volume_metric metric)
{
    return &rows[metric];
}

/* By our key, or the profiler's name with or without ".sum". */
static bool find_metric(enum fw_volume_metric *metric, const char *name)
{
    for (size_t m = 0; m < FW_VOLUME_METRIC_COUNT; m++) {
        size_t length = strlen(rows[m].metric) - strlen(".sum");
        bool same = strncmp(rows[m].metric, name, length) == 0 &&
                    (name[length] == '\0' || strcmp(name + length, ".sum") == 0);
        if (same || strcmp(rows[m].key, name) == 0) {
            *metric = (enum fw_volume_metric)m;
            return true;
        }
    }
    return false;
}

static enum fw_status refuse(const struct reading *reading, const char *why, const char *what)
{
    fw_report(reading->sink, FW_ERROR, "API070", fw_span_of_source(reading->source),
              "--volumes: %s%s", why, what);
    return FW_ERROR_INPUT;
}

/* Those of a launch's counters that are in the table. */
static enum fw_status take(struct reading *reading, const struct fw_counter_list *counters)
{
    for (size_t c = 0; c < counters->count; c++) {
        const char *name = counters->at[c].metric;
        double value = counters->at[c].value;
        enum fw_volume_metric metric;
        if (!find_metric(&metric, name))
            continue;
        if (!(value >= 0) || value > 1e30)
            return refuse(reading, "not a number of 0 or more: ", name);
        bool is_key = strcmp(rows[metric].key, name) == 0;
        reading->volumes->at[metric] = value * (is_key ? 1 : rows[metric].factor);
        reading->found++;
    }
    return FW_OK;
}

/* {"dram__bytes_read.sum": 1e9, ...}, or that as the member "counters". */
static enum fw_status read_json(void *user)
{
    struct reading *reading = user;
    struct fw_counter_list counters = {0};
    json_error_t error;
    reading->root = json_loadb(reading->source->text, reading->source->length, 0, &error);
    const json_t *inner = json_object_get(reading->root, "counters");
    const json_t *object = json_is_object(inner) ? inner : reading->root;
    if (!reading->root) {
        fw_report(reading->sink, FW_ERROR, "API070",
                  fw_span_at(reading->source, (size_t)error.line, (size_t)error.column),
                  "--volumes: not JSON: %s", error.text);
        return FW_ERROR_INPUT;
    }
    if (!json_is_object(object))
        return refuse(reading, "counters are an object, {\"dram__bytes_read.sum\": ...}", "");
    fw_counters_add_json(&counters, reading->arena, object);
    return take(reading, &counters);
}

static void close_json(void *user)
{
    json_decref(((struct reading *)user)->root);
}

/* "void tile<2>(float*)" is the kernel tile's. */
static bool is_kernel(const struct fw_measured_launch *launch, const char *name)
{
    size_t length = strcspn(name, "(<");
    const char *begin = name;
    for (const char *at = name; at < name + length; at++)
        if (*at == ' ' || *at == ':')
            begin = at + 1;
    length -= (size_t)(begin - name);
    return (strlen(launch->kernel) == length && memcmp(begin, launch->kernel, length) == 0) ||
           strcmp(name, launch->entry) == 0;
}

static enum fw_status read_csv(struct reading *reading)
{
    const struct fw_counted_launch *other = NULL; /* of the kernel, at another launch */
    struct fw_counter_table table;
    enum fw_status status = FW_OK;
    fw_counters_read_csv(&table, reading->arena, reading->source);
    for (size_t l = 0; l < table.launches.count && !status; l++) {
        const struct fw_counted_launch *launch = &table.launches.at[l];
        if (!launch->kernel || !is_kernel(reading->launch, launch->kernel))
            continue;
        if (fw_counters_same_extents(launch->grid, reading->launch->grid) &&
            fw_counters_same_extents(launch->block, reading->launch->block))
            status = take(reading, &launch->counters);
        else
            other = launch;
    }
    if (status || reading->found)
        return status;
    if (!table.head.length)
        return refuse(reading,
                      "neither a JSON object of counters nor a profiler's CSV with a column "
                      "\"Kernel Name\"",
                      "");
    if (other)
        return refuse(reading, "the table has the kernel at another launch: ",
                      fw_arena_printf(reading->arena, "%s blocks of %s threads",
                                      other->grid ? other->grid : "?",
                                      other->block ? other->block : "?"));
    return FW_OK;
}

enum fw_status fw_measured_volumes_read(struct fw_measured_volumes *volumes, struct fw_arena *arena,
                                        const struct fw_source *source, const char *path,
                                        const struct fw_measured_launch *launch,
                                        const struct fw_sink *sink)
{
    struct reading reading = {volumes, arena, source, path, launch, sink, NULL, 0};
    bool is_json = source->text[strspn(source->text, " \t\r\n")] == '{';
    for (size_t m = 0; m < FW_VOLUME_METRIC_COUNT; m++)
        volumes->at[m] = (double)NAN;
    enum fw_status status =
        is_json ? fw_arena_finally(arena, read_json, close_json, &reading) : read_csv(&reading);
    if (!status && !reading.found)
        return refuse(&reading, "no counter in it is one of the model's volumes, for kernel ",
                      launch->kernel);
    return status;
}
