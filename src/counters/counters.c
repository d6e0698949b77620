#include "counters.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The columns that describe a row. */
enum column { ID, KERNEL, GRID, BLOCK, METRIC, UNIT, VALUE, COLUMNS };

static const char *const column_names[COLUMNS] = {
    "ID", "Kernel Name", "Grid Size", "Block Size", "Metric Name", "Metric Unit", "Metric Value"};

typedef FW_VECTOR(const char *) texts;

struct reading {
    struct fw_arena *arena;
    struct fw_counter_table *table;
    texts names, units, cells;
    size_t at[COLUMNS]; /* SIZE_MAX: the table lacks it */
    bool has_units;     /* they were read, or the table has a column of units */
    const char *id;     /* of the last launch */
};

/* The cells of one line, in the place of what `cells` held: in double quotes, a quote doubled, or
 * bare. */
static void read_cells(texts *cells, struct fw_arena *arena, const char *at, const char *end)
{
    char *to = fw_arena_alloc(arena, (size_t)(end - at) + 1);
    bool more = at < end;
    cells->count = 0;
    while (more) {
        bool quoted = at < end && *at == '"';
        *FW_APPEND(arena, cells) = to;
        for (at += quoted; at < end; at++) {
            if (quoted && *at == '"' && at + 1 < end && at[1] == '"')
                at++;
            else if (*at == (quoted ? '"' : ','))
                break;
            *to++ = *at;
        }
        at += quoted && at < end;
        *to++ = '\0';
        more = at < end;
        at += more && *at == ',';
    }
}

/* The row's cell; NULL: there is none. */
static const char *cell(const struct reading *reading, enum column column)
{
    size_t at = reading->at[column];
    return at < reading->cells.count ? reading->cells.at[at] : NULL;
}

/* A number with commas between thousands. */
static bool read_number(double *value, const char *text)
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

/* Brings a counter to the SI unit of its own. */
static void normalise(struct fw_counter_value *counter)
{
    static const struct {
        const char *unit, *base;
        double scale;
    } units[] = {{"Kbyte", "byte", 1e3},      {"Mbyte", "byte", 1e6},
                 {"Gbyte", "byte", 1e9},      {"Tbyte", "byte", 1e12},
                 {"msecond", "second", 1e-3}, {"usecond", "second", 1e-6},
                 {"nsecond", "second", 1e-9}, {"ms", "second", 1e-3},
                 {"us", "second", 1e-6},      {"ns", "second", 1e-9}};
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (strcmp(units[i].unit, counter->unit) == 0) {
            counter->unit = units[i].base;
            counter->value *= units[i].scale;
            return;
        }
}

static void add_counter(struct reading *reading, struct fw_counter_list *list, const char *metric,
                        const char *unit, const char *text)
{
    double value;
    if (!read_number(&value, text))
        return;
    struct fw_counter_value *counter = FW_APPEND(reading->arena, list);
    *counter = (struct fw_counter_value){metric, unit ? unit : "", value};
    normalise(counter);
}

static bool same(const char *one, const char *other)
{
    return one == other || (one && other && strcmp(one, other) == 0);
}

/* The launch that the row belongs to: on the details page the one of the row before, where the
 * profiler's number and what describes the launch are the same. */
static struct fw_counted_launch *launch_of(struct reading *reading, struct fw_span place)
{
    struct fw_counter_table *table = reading->table;
    size_t count = table->launches.count;
    struct fw_counted_launch *launch = count ? &table->launches.at[count - 1] : NULL;
    const char *id = cell(reading, ID), *kernel = cell(reading, KERNEL);
    const char *grid = cell(reading, GRID), *block = cell(reading, BLOCK);
    if (launch && reading->at[METRIC] != SIZE_MAX && same(reading->id, id) &&
        same(launch->kernel, kernel) && same(launch->grid, grid) && same(launch->block, block))
        return launch;
    launch = FW_APPEND(reading->arena, &table->launches);
    *launch = (struct fw_counted_launch){kernel, grid, block, count, {0}, place};
    reading->id = id;
    return launch;
}

static void add_row(struct reading *reading, struct fw_span place)
{
    struct fw_counter_list *list = &launch_of(reading, place)->counters;
    const char *metric = cell(reading, METRIC), *value = cell(reading, VALUE);
    if (metric && value) {
        add_counter(reading, list, metric, cell(reading, UNIT), value);
        return;
    }
    for (size_t c = 0; c < reading->cells.count && c < reading->names.count; c++)
        add_counter(reading, list, reading->names.at[c],
                    c < reading->units.count ? reading->units.at[c] : NULL, reading->cells.at[c]);
}

static void read_head(struct reading *reading, struct fw_span place)
{
    const char *text = place.source->text + place.offset;
    read_cells(&reading->names, reading->arena, text, text + place.length);
    for (int c = 0; c < COLUMNS; c++) {
        reading->at[c] = SIZE_MAX;
        for (size_t n = reading->names.count; n-- > 0;) /* the first of the name */
            if (strcmp(reading->names.at[n], column_names[c]) == 0)
                reading->at[c] = n;
    }
    reading->has_units = reading->at[METRIC] != SIZE_MAX;
    reading->table->head = place;
    reading->table->has_kernels = reading->at[KERNEL] != SIZE_MAX;
    reading->table->has_grids = reading->at[GRID] != SIZE_MAX;
    reading->table->has_blocks = reading->at[BLOCK] != SIZE_MAX;
}

static bool has(struct fw_span place, const char *word)
{
    size_t length = strlen(word);
    const char *at = place.source->text + place.offset, *end = at + place.length;
    for (; (size_t)(end - at) >= length; at++)
        if (memcmp(at, word, length) == 0)
            return true;
    return false;
}

static void read_line(struct reading *reading, struct fw_span place)
{
    const char *text = place.source->text + place.offset;
    if (!reading->table->head.length) {
        if (has(place, column_names[KERNEL]))
            read_head(reading, place);
        return;
    }
    read_cells(&reading->cells, reading->arena, text, text + place.length);
    if (*text != '"' && reading->cells.count < reading->names.count)
        return;
    if (reading->has_units) {
        add_row(reading, place);
        return;
    }
    reading->has_units = true;
    reading->units = reading->cells;
    reading->cells = (texts){0};
}

void fw_counters_read_csv(struct fw_counter_table *table, struct fw_arena *arena,
                          const struct fw_source *source)
{
    struct reading reading = {.arena = arena, .table = table};
    const char *last = source->text + source->length;
    *table = (struct fw_counter_table){0};
    for (const char *at = source->text; at < last;) {
        const char *end = memchr(at, '\n', (size_t)(last - at));
        end = end ? end : last;
        size_t length = (size_t)(end - at) - (end > at && end[-1] == '\r');
        if (length)
            read_line(&reading,
                      (struct fw_span){source, (uint32_t)(at - source->text), (uint32_t)length});
        at = end + 1;
    }
}

void fw_counters_add_json(struct fw_counter_list *list, struct fw_arena *arena,
                          const json_t *object)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        if (json_is_number(value))
            *FW_APPEND(arena, list) = (struct fw_counter_value){
                fw_arena_text(arena, name, strlen(name)), "", json_number_value(value)};
    }
}

bool fw_counters_same_extents(const char *text, const uint32_t extents[3])
{
    for (int d = 0; d < 3 && text; d++) {
        while (*text && !isdigit((unsigned char)*text))
            text++;
        if (strtoul(text, (char **)(uintptr_t)&text, 10) != extents[d])
            return false;
    }
    return true;
}
