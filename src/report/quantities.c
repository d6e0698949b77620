/* What a model found beside the time, as text. */
#include "report.h"
#include "table.h"

#include <math.h>
#include <string.h>

static const char *quantity(struct fw_arena *arena, double value, const char *unit)
{
    struct fw_buffer text = fw_buffer_new(arena);
    fw_report_quantity(&text, value, unit);
    return text.text;
}

/* To the unit, as hardware counters have it, while that can be. */
static const char *count(struct fw_arena *arena, double value)
{
    struct fw_buffer text = fw_buffer_new(arena);
    struct fw_number number = {.known = true, .exact = true};
    if (!(fabs(value) < 9e15))
        return fw_arena_printf(arena, "%.6g", value);
    number.integer = (int64_t)llround(value);
    fw_report_count(&text, &number);
    return text.text;
}

static void heading(struct fw_buffer *out, const char *text, bool colour)
{
    fw_buffer_printf(out, colour ? "\n\033[1m%s\033[0m\n" : "\n%s\n",
                     fw_text_shown(out->arena, text, strlen(text)));
}

/* A number of bytes has parts, and titles of them stand above the columns. */
static void show_bytes(struct fw_buffer *out, const struct fw_quantity_row *rows, size_t count)
{
    struct fw_table_text table = {.arena = out->arena, .sides = "lrrrr"};
    const struct fw_quantity_kind *titles = NULL;
    for (size_t r = 0; r < count && !titles; r++)
        titles = rows[r].kind->part_keys[0] ? rows[r].kind : NULL;
    for (size_t p = 0; titles && p < 5; p++)
        fw_table_cell(&table, "%s", p == 0 ? "" : p == 1 ? "all" : titles->part_titles[p - 2]);
    for (size_t r = 0; r < count; r++) {
        const struct fw_quantity_kind *kind = rows[r].kind;
        fw_table_cell(&table, "%s", kind->title);
        fw_table_cell(&table, "%s", quantity(out->arena, rows[r].value, kind->unit));
        for (size_t p = 0; p < 3; p++)
            fw_table_cell(&table, "%s",
                          kind->part_keys[p] ? quantity(out->arena, rows[r].parts[p], kind->unit)
                                             : "");
    }
    fw_table_print(&table, out);
}

static void show_counts(struct fw_buffer *out, const struct fw_quantity_row *rows, size_t count_of)
{
    struct fw_table_text table = {.arena = out->arena, .sides = "lrl"};
    for (size_t r = 0; r < count_of; r++) {
        if (rows[r].kind->hidden_when_zero && rows[r].value == 0)
            continue;
        fw_table_cell(&table, "%s", rows[r].kind->title);
        bool share = strcmp(rows[r].kind->unit, "share") == 0;
        fw_table_cell(&table, "%s",
                      share ? quantity(out->arena, rows[r].value, "share")
                            : count(out->arena, rows[r].value));
        fw_table_cell(&table, "%s", rows[r].kind->meaning);
    }
    fw_table_print(&table, out);
}

void fw_report_quantities_text(struct fw_buffer *out, const struct fw_prediction *prediction,
                               bool colour)
{
    const struct fw_quantity_row *rows = prediction->quantities;
    size_t last;
    for (size_t first = 0; first < prediction->quantity_count; first = last) {
        const char *group = rows[first].kind->group;
        last = first + 1;
        while (last < prediction->quantity_count && rows[last].kind->title && group &&
               strcmp(rows[last].kind->group, group) == 0)
            last++;
        if (!rows[first].kind->title)
            continue;
        heading(out, group, colour);
        if (strcmp(rows[first].kind->unit, "bytes") == 0)
            show_bytes(out, rows + first, last - first);
        else
            show_counts(out, rows + first, last - first);
    }
}
