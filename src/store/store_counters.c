/* Hardware counters of a profiler.  See store.h. */
#include "counters.h"
#include "store_internal.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef FW_VECTOR(const char *) texts;

struct reading {
    struct fw_store_outcome *outcome;
    struct fw_store *store;
    const char *campaign;
    const struct fw_source *source;
    struct fw_arena *arena;
    const struct fw_source *order_text;
    texts order; /* names, when they were given */
    bool ordered;
    struct fw_map seen; /* launches of a kernel, grid and block so far */
};

static enum fw_status refuse(const struct reading *reading, struct fw_span span,
                             const char *message, const char *what)
{
    fw_report(reading->store->sink, FW_ERROR, "STO008", span, "%s%s", message, what);
    return FW_ERROR_INPUT;
}

/* "(4, 1, 1)" as the index has it: "4,1,1". */
static const char *triple(struct fw_arena *arena, const char *text)
{
    struct fw_buffer to = fw_buffer_new(arena);
    for (; *text; text++)
        if (isdigit((unsigned char)*text) || *text == ',')
            fw_buffer_add(&to, text, 1);
    return to.length ? to.text : "";
}

static void add_number(struct fw_buffer *line, const char *name, double value, bool first)
{
    fw_buffer_printf(
        line, value == floor(value) && fabs(value) < 9e15 ? "%s\"%s\": %.0f" : "%s\"%s\": %.6g",
        first ? "" : ", ", name, value);
}

/* By name; of one name in the order in which they were counted. */
static int by_metric(const void *left, const void *right)
{
    const struct fw_counter_value *one = *(const struct fw_counter_value *const *)left;
    const struct fw_counter_value *other = *(const struct fw_counter_value *const *)right;
    int names = strcmp(one->metric, other->metric);
    return names ? names : (one > other) - (one < other);
}

/* The counters that are kept, each name once: operations (_op_) that did not occur are left out,
 * for there are many. */
static void add_counters(struct fw_buffer *line, const struct fw_counter_list *counters)
{
    const struct fw_counter_value **all =
        FW_ARRAY(line->arena, const struct fw_counter_value *, counters->count + 1);
    bool first = true;
    for (size_t c = 0; c < counters->count; c++)
        all[c] = &counters->at[c];
    qsort(all, counters->count, sizeof(*all), by_metric);
    for (size_t c = 0; c < counters->count; c++) {
        bool again = c + 1 < counters->count && strcmp(all[c]->metric, all[c + 1]->metric) == 0;
        if (again || (all[c]->value == 0 && strstr(all[c]->metric, "_op_")))
            continue;
        add_number(line, all[c]->metric, all[c]->value, first);
        first = false;
    }
}

static const char *line_of(struct reading *reading, const char *fingerprint, const char *name,
                           const struct fw_counter_list *counters)
{
    struct fw_buffer line = fw_buffer_new(reading->arena);
    json_t *quoted = json_string(name);
    char *text = quoted ? json_dumps(quoted, JSON_ENCODE_ANY) : NULL;
    fw_buffer_printf(&line,
                     "{\"record\": \"counters\", \"measurement\": \"%s\", \"name\": %s, "
                     "\"counters\": {",
                     fingerprint, text ? text : "\"\"");
    free(text);
    json_decref(quoted);
    add_counters(&line, counters);
    fw_buffer_printf(&line, "}}");
    return line.text;
}

/* The measurement that a statement's only row tells: fingerprint and name. */
static enum fw_status find(struct reading *reading, sqlite3_stmt *statement,
                           const char **fingerprint, const char **name)
{
    enum fw_status status;
    *fingerprint = NULL;
    if (store_row(reading->store, statement, &status)) {
        const char *texts_of[2];
        for (int i = 0; i < 2; i++) {
            texts_of[i] = (const char *)sqlite3_column_text(statement, i);
            texts_of[i] = fw_arena_text(reading->arena, texts_of[i], strlen(texts_of[i]));
        }
        *fingerprint = texts_of[0];
        *name = texts_of[1];
    }
    sqlite3_finalize(statement);
    return status;
}

static enum fw_status find_by_name(struct reading *reading, const char *wanted,
                                   const char **fingerprint, const char **name)
{
    return find(reading,
                STORE_PREPARE(reading->store,
                              "SELECT fingerprint, name FROM measurement WHERE campaign = ?1 AND "
                              "name = ?2 ORDER BY status, id LIMIT 1",
                              reading->campaign, wanted),
                fingerprint, name);
}

/* The n-th measurement of a kernel with a grid and block; of a single one, any launch is its own:
 * the first counts, and `*again` says that this is a later one. */
static enum fw_status find_by_launch(struct reading *reading, struct fw_span place,
                                     const char *kernel, const char *grid, const char *block,
                                     const char **fingerprint, const char **name, bool *again)
{
    enum fw_status status;
    sqlite3_int64 there = 0;
    const char *key = fw_arena_printf(reading->arena, "%s %s %s", kernel, grid, block);
    struct fw_map_entry *entry = fw_map_add(&reading->seen, key, strlen(key), NULL);
    sqlite3_stmt *statement =
        STORE_PREPARE(reading->store,
                      "SELECT count(*) FROM measurement WHERE campaign = ?1 AND kernel = ?2 AND "
                      "grid = ?3 AND block = ?4",
                      reading->campaign, kernel, grid, block);
    if (store_row(reading->store, statement, &status))
        there = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    *fingerprint = NULL;
    *again = there == 1 && entry->value > 0;
    uint32_t number = entry->value++;
    if (status || *again)
        return status;
    if (there == 0 || number >= there)
        return refuse(reading, place,
                      there ? "more launches than the campaign has measurements of "
                            : "the campaign has no measurement of ",
                      key);
    statement = STORE_PREPARE(reading->store,
                              "SELECT fingerprint, name FROM measurement WHERE campaign = ?1 AND "
                              "kernel = ?2 AND grid = ?3 AND block = ?4 ORDER BY id LIMIT 1 OFFSET "
                              "?5",
                              reading->campaign, kernel, grid, block);
    if (statement)
        sqlite3_bind_int64(statement, 5, number);
    return find(reading, statement, fingerprint, name);
}

/* Of the columns, what the kernel did: not what describes the machine, the launch and the profiler,
 * and of a counter's roll-ups over the units the sum, the most cycles, and the mean of a share. */
static bool is_counter(const char *name)
{
    static const char *const kept[] = {"launch__registers_per_thread",
                                       "launch__waves_per_multiprocessor"};
    static const char *const others[] = {"device__",  "nvlink__",   "numa__",
                                         "c2clink__", "profiler__", "launch__"};
    const char *roll = strchr(name, '.');
    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
        if (strcmp(name, kept[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (strncmp(name, others[i], strlen(others[i])) == 0)
            return false;
    if (!roll || !strstr(name, "__"))
        return false;
    return strchr(roll + 1, '.')
               ? strncmp(roll, ".avg.", 5) == 0
               : strcmp(roll, ".sum") == 0 || (strcmp(roll, ".max") == 0 && strstr(name, "cycles"));
}

static struct fw_counter_list kept(struct reading *reading, const struct fw_counter_list *all)
{
    struct fw_counter_list list = {0};
    for (size_t c = 0; c < all->count; c++)
        if (is_counter(all->at[c].metric) && isfinite(all->at[c].value))
            *FW_APPEND(reading->arena, &list) = all->at[c];
    return list;
}

/* The measurement that the launch belongs to. */
static enum fw_status find_launch(struct reading *reading, const struct fw_counted_launch *launch,
                                  const char **fingerprint, const char **name, bool *again)
{
    const char *wanted, *kernel = launch->kernel;
    if (!reading->ordered)
        return find_by_launch(reading, launch->place, kernel, triple(reading->arena, launch->grid),
                              triple(reading->arena, launch->block), fingerprint, name, again);
    if (launch->number >= reading->order.count)
        return refuse(reading, launch->place, "more launches than the order names: ", kernel);
    wanted = reading->order.at[launch->number];
    enum fw_status status = find_by_name(reading, wanted, fingerprint, name);
    if (!status && !*fingerprint)
        return refuse(reading, launch->place,
                      "the campaign has no measurement of this name: ", wanted);
    if (!status && !strstr(wanted, kernel))
        return refuse(reading, launch->place, "the order names another kernel here: ", wanted);
    return status;
}

static enum fw_status add_launch(struct reading *reading, const struct fw_counted_launch *launch)
{
    const char *fingerprint = NULL, *name = NULL;
    bool again = false;
    if (!launch->kernel || !launch->grid || !launch->block)
        return refuse(reading, launch->place, "a row that is not complete", "");
    enum fw_status status = find_launch(reading, launch, &fingerprint, &name, &again);
    if (status || again)
        return status;
    struct fw_counter_list counters = kept(reading, &launch->counters);
    return store_put_counters(reading->outcome, reading->store, reading->campaign, fingerprint,
                              line_of(reading, fingerprint, name, &counters), launch->place);
}

static enum fw_status add_csv(struct reading *reading)
{
    struct fw_counter_table table;
    enum fw_status status = FW_OK;
    fw_counters_read_csv(&table, reading->arena, reading->source);
    const char *lacks = !table.has_kernels  ? "Kernel Name"
                        : !table.has_grids  ? "Grid Size"
                        : !table.has_blocks ? "Block Size"
                                            : NULL;
    if (table.head.length && lacks)
        return refuse(reading, table.head, "the table lacks the column ", lacks);
    if (!table.launches.count)
        return refuse(reading, (struct fw_span){reading->source, 0, 1},
                      "no table of counters: is this the CSV of a profiler's raw page?", "");
    for (size_t l = 0; l < table.launches.count && !status; l++)
        status = add_launch(reading, &table.launches.at[l]);
    return status;
}

/* "name", or what recordings had before names: the file's stem, kernel and size. */
static const char *name_in(struct reading *reading, const json_t *object)
{
    const char *name = json_string_value(json_object_get(object, "name"));
    const char *file = json_string_value(json_object_get(object, "file"));
    const char *kernel = json_string_value(json_object_get(object, "kernel"));
    const char *size = json_string_value(json_object_get(object, "size"));
    if (name)
        return fw_arena_text(reading->arena, name, strlen(name));
    if (!file || !kernel || !size)
        return NULL;
    const char *dot = strrchr(file, '.');
    return fw_arena_printf(reading->arena, "%.*s %s %s",
                           (int)(dot ? (size_t)(dot - file) : strlen(file)), file, kernel, size);
}

static enum fw_status add_object(struct reading *reading, const json_t *object,
                                 struct fw_span place)
{
    const json_t *counters = json_object_get(object, "counters");
    const char *name = name_in(reading, object), *fingerprint;
    struct fw_counter_list list = {0};
    if (!name)
        return refuse(reading, place, "neither \"name\" nor \"file\", \"kernel\" and \"size\"", "");
    if (!json_is_object(counters)) /* a launch that was timed and not profiled */
        return FW_OK;
    enum fw_status status = find_by_name(reading, name, &fingerprint, &name);
    if (!status && !fingerprint)
        return refuse(reading, place, "the campaign has no measurement of this name: ", name);
    if (status)
        return status;
    fw_counters_add_json(&list, reading->arena, counters);
    return store_put_counters(reading->outcome, reading->store, reading->campaign, fingerprint,
                              line_of(reading, fingerprint, name, &list), place);
}

/* Calls `use` with each line's object. */
static enum fw_status each_line(struct reading *reading, const struct fw_source *source,
                                enum fw_status (*use)(struct reading *, const json_t *,
                                                      struct fw_span))
{
    const char *last = source->text + source->length;
    enum fw_status status = FW_OK;
    for (const char *at = source->text; at < last && !status;) {
        const char *end = memchr(at, '\n', (size_t)(last - at));
        end = end ? end : last;
        struct fw_span place = {source, (uint32_t)(at - source->text), (uint32_t)(end - at)};
        json_error_t error;
        json_t *object = json_loadb(at, (size_t)(end - at), JSON_REJECT_DUPLICATES, &error);
        if (!json_is_object(object))
            status = refuse(reading, place, "not a line of JSON: ", object ? "" : error.text);
        else
            status = use(reading, object, place);
        json_decref(object);
        at = end + 1;
    }
    return status;
}

static enum fw_status add_order(struct reading *reading, const json_t *object, struct fw_span place)
{
    const char *name = name_in(reading, object);
    if (!name)
        return refuse(reading, place, "neither \"name\" nor \"file\", \"kernel\" and \"size\"", "");
    if (!json_object_get(object, "error"))
        *FW_APPEND(reading->arena, &reading->order) = name;
    return FW_OK;
}

static enum fw_status add_all(struct reading *reading)
{
    const struct fw_source *order = reading->order_text;
    enum fw_status status = FW_OK;
    reading->seen = fw_map_new(reading->arena);
    reading->ordered = order != NULL;
    if (order)
        status = each_line(reading, order, add_order);
    if (status)
        return status;
    return reading->source->length && reading->source->text[0] == '{'
               ? each_line(reading, reading->source, add_object)
               : add_csv(reading);
}

static enum fw_status add_guarded(void *user)
{
    struct reading *reading = user;
    enum fw_status status = store_begin(reading->store);
    return status ? status : store_end(reading->store, add_all(reading));
}

enum fw_status fw_store_add_counters(struct fw_store_outcome *outcome, struct fw_store *store,
                                     const char *campaign, const struct fw_source *text,
                                     const struct fw_source *order)
{
    struct fw_store_outcome before = *outcome;
    struct reading reading = {.outcome = outcome,
                              .store = store,
                              .campaign = campaign,
                              .source = text,
                              .order_text = order,
                              .arena = fw_arena_new(0)};
    enum fw_status status = store_guard(reading.arena, add_guarded, &reading);
    if (status) {
        store_end(store, status);
        *outcome = before;
    }
    return status;
}
