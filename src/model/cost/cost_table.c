#include "cost_table.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 100000, COLUMNS_MOST = 5000, CELLS_MOST = 20000000 };

#define WRONG(code, span, ...)                                                                     \
    (fw_report(reading->sink, FW_ERROR, code, span, __VA_ARGS__), FW_ERROR_INPUT)

struct reading {
    struct fw_arena *arena;
    struct fw_cost_table *table;
    const struct fw_sink *sink;
    struct fw_map kernels;
    FW_VECTOR(const char *) names;
    FW_VECTOR(const char *) rows;
    FW_VECTOR(struct fw_span) places;
    json_t *json;
};

/* A column's name: a feature's identifier in its normal form, any other text as it is. */
static const char *column_name(struct fw_arena *arena, const char *text, size_t length)
{
    struct fw_buffer normal = fw_buffer_new(arena);
    return length && fw_cost_feature_scan(&normal, text, length) == length
               ? normal.text
               : fw_arena_text(arena, text, length);
}

static enum fw_status add_row(struct reading *reading, const char *name, struct fw_span place)
{
    bool added;
    fw_map_add(&reading->kernels, name, strlen(name), &added);
    if (!added)
        return WRONG("COST023", place, "two rows are called %s", name);
    if (reading->rows.count == ROWS_MOST)
        return WRONG("COST020", place, "more than %d rows", ROWS_MOST);
    *FW_APPEND(reading->arena, &reading->rows) = name;
    *FW_APPEND(reading->arena, &reading->places) = place;
    return FW_OK;
}

/* ---- CSV ---- */

/* A cell that begins at *at: its text, without quotes; *at is then at the comma or newline. */
static const char *csv_cell(struct reading *reading, size_t *at, struct fw_span *place)
{
    const struct fw_source *source = reading->table->source;
    const char *text = source->text;
    struct fw_buffer cell = fw_buffer_new(reading->arena);
    size_t begin = *at, i = *at;
    bool quoted = text[i] == '"';
    for (i += quoted; i < source->length; i++) {
        if (quoted && text[i] == '"' && text[i + 1] == '"')
            i++;
        else if (quoted && text[i] == '"') {
            quoted = false;
            continue;
        } else if (!quoted && (text[i] == ',' || text[i] == '\n' || text[i] == '\r'))
            break;
        fw_buffer_add(&cell, &text[i], 1);
    }
    const char *first = cell.text;
    size_t length = cell.length;
    while (length && strchr(" \t", *first)) {
        first++;
        length--;
    }
    while (length && strchr(" \t", first[length - 1]))
        length--;
    *place = (struct fw_span){source, (uint32_t)begin, (uint32_t)(i - begin)};
    *at = i;
    return fw_arena_text(reading->arena, first, length);
}

static bool end_of_line(const struct fw_source *source, size_t *at)
{
    if (*at < source->length && source->text[*at] == '\r')
        ++*at;
    if (*at < source->length && source->text[*at] == '\n') {
        ++*at;
        return true;
    }
    return *at >= source->length;
}

/* Passes over empty lines and comments; a comment may state the device. */
static void csv_comments(struct reading *reading, size_t *at)
{
    const struct fw_source *source = reading->table->source;
    static const char device[] = "# device:";
    while (*at < source->length && strchr("#\r\n", source->text[*at])) {
        const char *line = &source->text[*at], *end = strchr(line, '\n');
        size_t length = end ? (size_t)(end - line) : source->length - *at;
        if (length > strlen(device) && memcmp(line, device, strlen(device)) == 0) {
            const char *from = line + strlen(device), *to = line + length;
            while (from < to && *from == ' ')
                from++;
            while (to > from && strchr(" \r", to[-1]))
                to--;
            reading->table->device = fw_arena_text(reading->arena, from, (size_t)(to - from));
        }
        *at += length + (end != NULL);
    }
}

static enum fw_status csv_head(struct reading *reading, size_t *at)
{
    const struct fw_source *source = reading->table->source;
    struct fw_span place;
    bool added;
    csv_cell(reading, at, &place); /* the kernels' column, whatever it is called */
    while (!end_of_line(source, at)) {
        if (source->text[*at] != ',')
            return WRONG("COST020", place, "a comma is missing behind this cell");
        ++*at;
        const char *text = csv_cell(reading, at, &place);
        const char *name = column_name(reading->arena, text, strlen(text));
        if (!*name)
            return WRONG("COST020", place, "a column has no name");
        struct fw_map_entry *entry =
            fw_map_add(&reading->table->columns, name, strlen(name), &added);
        if (!added)
            return WRONG("COST023", place, "two columns are called %s", name);
        if (reading->names.count == COLUMNS_MOST)
            return WRONG("COST020", place, "more than %d columns", COLUMNS_MOST);
        entry->value = (uint32_t)reading->names.count;
        *FW_APPEND(reading->arena, &reading->names) = name;
    }
    return FW_OK;
}

static enum fw_status csv_number(struct reading *reading, const char *text, struct fw_span place)
{
    char *end;
    double number = *text ? strtod(text, &end) : (double)NAN;
    if (*text && (*end || !isfinite(number)))
        return WRONG("COST021", place, "this is no finite number");
    *FW_APPEND(reading->arena, &reading->table->cells) = (struct fw_cost_cell){number, place};
    return FW_OK;
}

static enum fw_status csv_row(struct reading *reading, size_t *at)
{
    const struct fw_source *source = reading->table->source;
    struct fw_span place;
    size_t count = 0;
    const char *name = csv_cell(reading, at, &place);
    struct fw_span row = place;
    enum fw_status status =
        *name ? add_row(reading, name, place) : WRONG("COST020", place, "a row has no name");
    while (!status && !end_of_line(source, at)) {
        if (source->text[*at] != ',')
            return WRONG("COST020", place, "a comma is missing behind this cell");
        ++*at;
        const char *text = csv_cell(reading, at, &place);
        if (count++ == reading->names.count)
            return WRONG("COST020", place, "this row has more cells than there are columns");
        status = csv_number(reading, text, place);
    }
    if (!status && count < reading->names.count)
        return WRONG("COST020", row, "this row has %zu of %zu cells", count + 1,
                     reading->names.count + 1);
    return status;
}

static enum fw_status read_csv(struct reading *reading)
{
    const struct fw_source *source = reading->table->source;
    enum fw_status status = FW_OK;
    size_t at = 0;
    csv_comments(reading, &at);
    if (at < source->length)
        status = csv_head(reading, &at);
    for (csv_comments(reading, &at); !status && at < source->length; csv_comments(reading, &at)) {
        if (reading->table->cells.count > CELLS_MOST)
            return WRONG("COST020", fw_span_of_source(source), "more than %d cells", CELLS_MOST);
        status = csv_row(reading, &at);
    }
    return status;
}

/* ---- JSON ---- */

/* Features of all rows become columns, in the order of their first row. */
static enum fw_status json_columns(struct reading *reading, const json_t *rows)
{
    struct fw_span whole = fw_span_of_source(reading->table->source);
    const char *key;
    const json_t *row;
    json_t *value;
    size_t index;
    bool added;
    json_array_foreach(rows, index, row)
    {
        if (!json_is_object(row))
            return WRONG("COST020", whole, "row %zu is no object", index + 1);
        json_object_foreach((json_t *)(uintptr_t)row, key, value)
        {
            const char *name = column_name(reading->arena, key, strlen(key));
            if (strcmp(key, "kernel") == 0)
                continue;
            struct fw_map_entry *entry =
                fw_map_add(&reading->table->columns, name, strlen(name), &added);
            if (!added)
                continue;
            if (reading->names.count == COLUMNS_MOST)
                return WRONG("COST020", whole, "more than %d features", COLUMNS_MOST);
            entry->value = (uint32_t)reading->names.count;
            *FW_APPEND(reading->arena, &reading->names) = name;
        }
    }
    return FW_OK;
}

static enum fw_status json_row(struct reading *reading, json_t *row, size_t index)
{
    struct fw_span whole = fw_span_of_source(reading->table->source);
    struct fw_cost_table *table = reading->table;
    size_t columns = reading->names.count, first = table->cells.count;
    const char *name = json_string_value(json_object_get(row, "kernel")), *key;
    json_t *value;
    if (!name || !*name)
        return WRONG("COST020", whole, "row %zu has no text \"kernel\"", index + 1);
    if (table->cells.count > CELLS_MOST)
        return WRONG("COST020", whole, "more than %d cells", CELLS_MOST);
    enum fw_status status =
        add_row(reading, fw_arena_text(reading->arena, name, strlen(name)), whole);
    if (status)
        return status;
    for (size_t c = 0; c < columns; c++)
        *FW_APPEND(reading->arena, &table->cells) = (struct fw_cost_cell){NAN, whole};
    json_object_foreach(row, key, value)
    {
        const char *column = column_name(reading->arena, key, strlen(key));
        if (strcmp(key, "kernel") == 0 || json_is_null(value))
            continue;
        if (!json_is_number(value))
            return WRONG("COST021", whole, "row %s: %s is no number", name, key);
        size_t c = fw_cost_table_column(table, column);
        table->cells.at[first + c].number = json_number_value(value);
    }
    return FW_OK;
}

static enum fw_status json_table(void *user)
{
    struct reading *reading = user;
    const struct fw_source *source = reading->table->source;
    json_error_t error;
    json_t *row;
    size_t index;
    reading->json = json_loadb(source->text, source->length, JSON_REJECT_DUPLICATES, &error);
    if (!reading->json)
        return WRONG("COST020",
                     fw_span_at(source, (size_t)(error.line > 0 ? error.line : 1),
                                (size_t)(error.column > 0 ? error.column : 1)),
                     "this is no JSON: %s", error.text);
    const json_t *rows =
        json_is_array(reading->json) ? reading->json : json_object_get(reading->json, "rows");
    const char *device = json_string_value(json_object_get(reading->json, "device"));
    if (device)
        reading->table->device = fw_arena_text(reading->arena, device, strlen(device));
    if (!json_is_array(rows))
        return WRONG("COST020", fw_span_of_source(source),
                     "the table is an array of rows, or an object with such a member \"rows\"");
    enum fw_status status = json_columns(reading, rows);
    json_array_foreach(rows, index, row)
    {
        if (!status)
            status = json_row(reading, row, index);
    }
    return status;
}

static void drop_json(void *user)
{
    struct reading *reading = user;
    json_decref(reading->json);
}

/* ---- both ---- */

enum fw_status fw_cost_table_read(struct fw_cost_table **result, struct fw_arena *arena,
                                  const struct fw_source *source, const struct fw_sink *sink)
{
    struct fw_cost_table *table = FW_NEW(arena, struct fw_cost_table);
    struct reading all = {
        .arena = arena, .table = table, .sink = sink, .kernels = fw_map_new(arena)};
    struct reading *reading = &all;
    size_t first = strspn(source->text, " \t\r\n");
    bool json = source->text[first] == '{' || source->text[first] == '[';
    *result = NULL;
    table->source = source;
    table->columns = fw_map_new(arena);
    if (source->length >= UINT32_MAX)
        return WRONG("COST020", fw_span_of_source(source), "the table is too large");
    enum fw_status status =
        json ? fw_arena_finally(arena, json_table, drop_json, reading) : read_csv(reading);
    if (status)
        return status;
    table->names = reading->names.at;
    table->column_count = reading->names.count;
    table->rows = reading->rows.at;
    table->places = reading->places.at;
    table->row_count = reading->rows.count;
    if (!table->row_count)
        return WRONG("COST025", fw_span_of_source(source), "the table has no rows");
    *result = table;
    return FW_OK;
}

size_t fw_cost_table_column(const struct fw_cost_table *table, const char *feature)
{
    const struct fw_map_entry *entry = fw_map_find(&table->columns, feature, strlen(feature));
    return entry ? entry->value : SIZE_MAX;
}

/* The column whose name is the nearest, as a note; NULL: none is near. */
static const char *near_name(struct fw_arena *arena, const struct fw_cost_table *table,
                             const char *name)
{
    enum { NEAR = 6 };
    unsigned best = NEAR;
    const char *nearest = NULL;
    for (size_t c = 0; c < table->column_count; c++) {
        unsigned distance = fw_text_distance(name, table->names[c], NEAR);
        if (distance < best) {
            best = distance;
            nearest = table->names[c];
        }
    }
    return nearest ? fw_arena_printf(arena, "the table has %s", nearest) : NULL;
}

static enum fw_status take_column(double *numbers, struct fw_arena *arena,
                                  const struct fw_cost_table *table, const char *name,
                                  struct fw_span place, bool positive, const struct fw_sink *sink)
{
    size_t column = fw_cost_table_column(table, name);
    if (column == SIZE_MAX) {
        const char *note = near_name(arena, table, name);
        fw_report_notes(sink, FW_ERROR, "COST022", place, &note, note != NULL,
                        "%s has no column %s", table->source->name, name);
        return FW_ERROR_INPUT;
    }
    for (size_t r = 0; r < table->row_count; r++) {
        const struct fw_cost_cell *cell = &table->cells.at[r * table->column_count + column];
        numbers[r] = cell->number;
        if (!isnan(cell->number) && (!positive || cell->number > 0))
            continue;
        fw_report(sink, FW_ERROR, isnan(cell->number) ? "COST021" : "COST024", cell->place,
                  isnan(cell->number) ? "row %s has no %s" : "row %s: the output %s is not above 0",
                  table->rows[r], name);
        return FW_ERROR_INPUT;
    }
    return FW_OK;
}

enum fw_status fw_cost_data_find(struct fw_cost_data *data, struct fw_arena *arena,
                                 const struct fw_cost_table *table,
                                 const struct fw_cost_model *model, bool needs_output,
                                 const struct fw_sink *sink)
{
    size_t rows = table->row_count;
    enum fw_status status = FW_OK;
    *data =
        (struct fw_cost_data){.features = FW_ARRAY(arena, double, model->features.count *rows + 1)};
    for (size_t f = 0; f < model->features.count && !status; f++)
        status = take_column(&data->features[f * rows], arena, table, model->features.at[f].name,
                             model->features.at[f].place, false, sink);
    if (!needs_output && fw_cost_table_column(table, model->output) == SIZE_MAX)
        return status;
    data->output = FW_ARRAY(arena, double, rows);
    if (!status)
        status =
            take_column(data->output, arena, table, model->output, model->output_place, true, sink);
    return status;
}
