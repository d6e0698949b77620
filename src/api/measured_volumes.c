/* Measured volumes from a file: a JSON object of counters, or the CSV of Nsight Compute (the raw
 * page, or the details page with a row a metric). */
#include "measured.h"
#include "api_internal.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 8192 };

struct reading {
    struct fw_worker *worker;
    struct fw_traffic_measured *measured;
    struct fw_source source;
    const char *path;
    const char *head[MOST_COLUMNS], *units[MOST_COLUMNS], *cells[MOST_COLUMNS];
    size_t columns, found;
    const char *other; /* the kernel at another launch */
};

static enum fw_status refuse(const struct reading *reading, const char *why, const char *what)
{
    api_error(reading->worker->program->context, "API070", "--volumes %s: %s%s", reading->path, why,
              what);
    return FW_ERROR_INPUT;
}

/* A number that a metric has, in its SI unit, if it is one of ours. */
static enum fw_status take(struct reading *reading, const char *name, double value)
{
    enum fw_traffic_metric metric;
    if (!fw_traffic_metric_find(&metric, name))
        return FW_OK;
    const struct fw_traffic_metric_row *row = fw_traffic_metric_row(metric);
    if (!(value >= 0) || value > 1e30)
        return refuse(reading, "not a number of 0 or more: ", name);
    reading->measured->at[metric] = value * (strcmp(row->key, name) == 0 ? 1 : row->factor);
    reading->found++;
    return FW_OK;
}

/* {"dram__bytes_read.sum": 1e9, ...}, or that as the member "counters". */
static enum fw_status read_json(struct reading *reading)
{
    json_error_t error;
    json_t *root = json_loadb(reading->source.text, reading->source.length, 0, &error), *value;
    const json_t *inner = json_object_get(root, "counters");
    const char *name;
    enum fw_status status = FW_OK;
    if (!root)
        return refuse(reading, "not JSON: ", error.text);
    json_t *object = json_object_get(root, json_is_object(inner) ? "counters" : "");
    object = object ? object : root;
    if (!json_is_object(object))
        status = refuse(reading, "counters are an object, {\"dram__bytes_read.sum\": ...}", "");
    json_object_foreach(object, name, value)
    {
        if (json_is_number(value) && !status)
            status = take(reading, name, json_number_value(value));
    }
    json_decref(root);
    return status;
}

/* ---- CSV ---- */

/* Cells of one line: in double quotes, a quote doubled, or bare. */
static size_t split(struct reading *reading, const char **cells, const char *at, const char *end)
{
    size_t count = 0;
    char *to = fw_arena_alloc(reading->worker->results, (size_t)(end - at) + 1);
    while (at < end && count < MOST_COLUMNS) {
        bool quoted = *at == '"';
        cells[count++] = to;
        for (at += quoted; at < end; at++) {
            if (quoted && *at == '"' && at + 1 < end && at[1] == '"')
                at++;
            else if (*at == (quoted ? '"' : ','))
                break;
            *to++ = *at;
        }
        at += quoted && at < end;
        *to++ = '\0';
        at += at < end && *at == ',';
    }
    for (size_t c = count; c < MOST_COLUMNS && cells[c]; c++)
        cells[c] = NULL;
    return count;
}

static const char *cell(const struct reading *reading, const char *column)
{
    for (size_t c = 0; c < reading->columns; c++)
        if (strcmp(reading->head[c], column) == 0)
            return reading->cells[c];
    return NULL;
}

/* A number with commas between thousands; the empty text of other tables' cells is none. */
static bool number(const char *text, double *value)
{
    char plain[64], *end;
    size_t length = 0;
    for (; *text && length + 1 < sizeof(plain); text++)
        if (*text != ',')
            plain[length++] = *text;
    plain[length] = '\0';
    *value = strtod(plain, &end);
    return length > 0 && !*end && !*text;
}

/* Nsight Compute's units beside bytes, seconds and counts. */
static double scale_of(const char *unit)
{
    static const struct {
        const char *unit;
        double scale;
    } units[] = {{"Kbyte", 1e3}, {"Mbyte", 1e6},    {"Gbyte", 1e9},    {"Tbyte", 1e12},
                 {"second", 1},  {"msecond", 1e-3}, {"usecond", 1e-6}, {"nsecond", 1e-9},
                 {"ms", 1e-3},   {"us", 1e-6},      {"ns", 1e-9}};
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (unit && strcmp(units[i].unit, unit) == 0)
            return units[i].scale;
    return 1;
}

/* Whether "(4, 1, 1)" is these extents; a table without the column has any. */
static bool same_extents(const char *text, const uint32_t at[3])
{
    for (int d = 0; d < 3 && text; d++) {
        while (*text && !isdigit((unsigned char)*text))
            text++;
        if (strtoul(text, (char **)(uintptr_t)&text, 10) != at[d])
            return false;
    }
    return true;
}

/* "void tile<2>(float*)" is the kernel tile's. */
static bool is_kernel(const struct reading *reading, const char *name)
{
    const char *own = reading->worker->row->name, *entry = reading->worker->row->entry;
    size_t length = strcspn(name, "(<");
    const char *begin = name;
    for (const char *at = name; at < name + length; at++)
        if (*at == ' ' || *at == ':')
            begin = at + 1;
    length -= (size_t)(begin - name);
    return (strlen(own) == length && memcmp(begin, own, length) == 0) || strcmp(name, entry) == 0;
}

static enum fw_status take_row(struct reading *reading)
{
    const char *kernel = cell(reading, "Kernel Name"), *metric = cell(reading, "Metric Name");
    const char *of_metric = cell(reading, "Metric Value");
    const struct fw_answer *launch = reading->worker->answer;
    enum fw_status status = FW_OK;
    double value;
    if (!kernel || !is_kernel(reading, kernel))
        return FW_OK;
    if (!same_extents(cell(reading, "Grid Size"), launch->grid) ||
        !same_extents(cell(reading, "Block Size"), launch->block)) {
        const char *grid = cell(reading, "Grid Size"), *block = cell(reading, "Block Size");
        reading->other = fw_arena_printf(reading->worker->results, "%s blocks of %s threads",
                                         grid ? grid : "?", block ? block : "?");
        return FW_OK;
    }
    if (metric && of_metric)
        return number(of_metric, &value)
                   ? take(reading, metric, value * scale_of(cell(reading, "Metric Unit")))
                   : FW_OK;
    for (size_t c = 0; c < reading->columns && reading->cells[c] && !status; c++)
        if (number(reading->cells[c], &value))
            status = take(reading, reading->head[c], value * scale_of(reading->units[c]));
    return status;
}

static bool has(const char *at, const char *end, const char *word)
{
    size_t length = strlen(word);
    for (; (size_t)(end - at) >= length; at++)
        if (memcmp(at, word, length) == 0)
            return true;
    return false;
}

/* The table begins at the first line with a column "Kernel Name"; the raw page has units below. */
static enum fw_status read_csv(struct reading *reading)
{
    const char *last = reading->source.text + reading->source.length;
    bool units = false;
    enum fw_status status = FW_OK;
    for (const char *at = reading->source.text; at < last && !status;) {
        const char *end = memchr(at, '\n', (size_t)(last - at));
        end = end ? end : last;
        const char *cut = end > at && end[-1] == '\r' ? end - 1 : end;
        if (!reading->columns && has(at, cut, "Kernel Name")) {
            reading->columns = split(reading, reading->head, at, cut);
            units = !has(at, cut, "Metric Name");
        } else if (reading->columns && units) {
            split(reading, reading->units, at, cut);
            units = false;
        } else if (reading->columns && cut > at) {
            split(reading, reading->cells, at, cut);
            status = take_row(reading);
        }
        at = end + 1;
    }
    if (status || reading->found)
        return status;
    if (!reading->columns)
        return refuse(reading,
                      "neither a JSON object of counters nor a profiler's CSV with a column "
                      "\"Kernel Name\"",
                      "");
    if (reading->other)
        return refuse(reading, "the table has the kernel at another launch: ", reading->other);
    return FW_OK;
}

enum fw_status api_read_measured(const struct fw_traffic_measured **measured,
                                 struct fw_worker *worker, const char *path)
{
    struct fw_arena *arena = worker->results;
    struct reading *reading = FW_NEW(arena, struct reading);
    struct fw_traffic_measured *result = FW_NEW(arena, struct fw_traffic_measured);
    reading->worker = worker;
    reading->measured = result;
    reading->path = path;
    for (size_t m = 0; m < FW_TRAFFIC_METRIC_COUNT; m++)
        result->at[m] = (double)NAN;
    enum fw_status status = api_read_file(&reading->source, arena, worker->program->context, path);
    if (status)
        return status;
    const char *text = reading->source.text + strspn(reading->source.text, " \t\r\n");
    status = *text == '{' ? read_json(reading) : read_csv(reading);
    if (!status && !reading->found)
        return refuse(reading, "no counter in it is one of the model's volumes, for kernel ",
                      worker->row->name);
    *measured = result;
    return status;
}
