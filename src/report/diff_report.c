/* Differences as JSON and as text. */
#include "diff_report.h"

#include "json_writer.h"
#include "report.h"
#include "table.h"

#include <math.h>
#include <string.h>

typedef struct fw_json_writer writer;

/* ---- JSON ---- */

static void json_cell(writer *w, const struct fw_diff_cell *cell)
{
    if (!cell->known)
        fw_json_null(w, NULL);
    else if (cell->text)
        fw_json_text(w, NULL, cell->text);
    else
        fw_json_real(w, NULL, cell->value);
}

/* The value of a side over the first one's; false: one is not known, a text, or 0. */
static bool ratio_of(double *ratio, const struct fw_diff_row *row, size_t side)
{
    const struct fw_diff_cell *first = &row->cells[0], *cell = &row->cells[side];
    bool numbers = first->known && cell->known && !first->text && !cell->text;
    *ratio = numbers && first->value != 0 ? cell->value / first->value : 0;
    return numbers && first->value != 0 && isfinite(*ratio);
}

static void json_row(writer *w, const struct fw_diff *diff, const struct fw_diff_row *row)
{
    fw_json_object(w, NULL);
    fw_json_text(w, "section", row->section);
    fw_json_text(w, "name", row->name);
    fw_json_text(w, "unit", row->unit);
    fw_json_integer_if(w, "line", row->line != 0, row->line);
    fw_json_integer_if(w, "line_of", row->line != 0, row->line_side);
    fw_json_text(w, "line_text", row->line_text);
    fw_json_array(w, "values");
    for (size_t s = 0; s < diff->side_count; s++)
        json_cell(w, &row->cells[s]);
    fw_json_array_end(w);
    fw_json_array(w, "ratios");
    for (size_t s = 0; s < diff->side_count; s++) {
        double ratio;
        bool known = ratio_of(&ratio, row, s);
        fw_json_real_if(w, NULL, known, ratio);
    }
    fw_json_array_end(w);
    fw_json_object_end(w);
}

void fw_report_diff_json(struct fw_buffer *out, const struct fw_diff *diff)
{
    writer all = fw_json_writer_new(out), *w = &all;
    fw_json_object(w, NULL);
    fw_json_text(w, "forewarp", fw_version());
    fw_json_integer(w, "format", FW_REPORT_FORMAT);
    fw_json_array(w, "sides");
    for (size_t s = 0; s < diff->side_count; s++)
        fw_json_text(w, NULL, diff->names[s]);
    fw_json_array_end(w);
    fw_json_integer(w, "equal", (int64_t)(diff->row_count - diff->changed));
    fw_json_array(w, "changes");
    for (size_t r = 0; r < diff->row_count; r++)
        if (diff->rows[r]->changed)
            json_row(w, diff, diff->rows[r]);
    fw_json_array_end(w);
    fw_json_object_end(w);
    fw_buffer_add(out, "\n", 1);
}

/* ---- text ---- */

enum {
    MOST_SHOWN = 12,
    MANY = 100000 /* whose parts are not shown */
};                /* of a section of counts or costs; JSON has all */

static const char *cell_text(struct fw_arena *arena, const struct fw_diff_cell *cell,
                             const char *unit)
{
    struct fw_buffer text = fw_buffer_new(arena);
    if (!cell->known)
        return "-";
    if (cell->text)
        return cell->text;
    bool whole = fabs(cell->value) < 1e15 &&
                 (cell->value == floor(cell->value) || fabs(cell->value) >= MANY);
    if (*unit) {
        fw_report_quantity(&text, cell->value, unit);
    } else if (whole) {
        struct fw_number number = {.value = cell->value,
                                   .integer = (int64_t)round(cell->value),
                                   .exact = true,
                                   .known = true};
        fw_report_count(&text, &number);
    } else {
        fw_buffer_printf(&text, "%.6g", cell->value);
    }
    return text.text;
}

static const char *sides_of(struct fw_arena *arena, const struct fw_diff *diff)
{
    struct fw_buffer sides = fw_buffer_new(arena);
    fw_buffer_printf(&sides, "ll");
    for (size_t s = 0; s < diff->side_count; s++)
        fw_buffer_printf(&sides, s ? "rr" : "r");
    fw_buffer_printf(&sides, "l");
    return sides.text;
}

static void text_row(struct fw_table_text *table, const struct fw_diff *diff,
                     const struct fw_diff_row *row)
{
    double ratio;
    fw_table_cell(table, "%s", row->name);
    if (row->line && row->line_side)
        fw_table_cell(table, "line %u of %c", row->line, (char)('A' + row->line_side % 26));
    else if (row->line)
        fw_table_cell(table, "line %u", row->line);
    else
        fw_table_cell(table, "%s", "");
    for (size_t s = 0; s < diff->side_count; s++) {
        fw_table_cell(table, "%s", cell_text(table->arena, &row->cells[s], row->unit));
        if (s && ratio_of(&ratio, row, s))
            fw_table_cell(table, ratio < 10 ? "x %.3f" : "x %.4g", ratio);
        else if (s)
            fw_table_cell(table, "%s", "");
    }
    fw_table_cell(table, "%s", row->line_text ? row->line_text : "");
}

static void text_head(struct fw_table_text *table, const struct fw_diff *diff)
{
    fw_table_cell(table, "%s", "");
    fw_table_cell(table, "%s", "");
    for (size_t s = 0; s < diff->side_count; s++) {
        fw_table_cell(table, "%c", (char)('A' + s % 26));
        if (s)
            fw_table_cell(table, "%s", "");
    }
    fw_table_cell(table, "%s", "");
}

/* The rows of one section, from `begin` to `end`. */
static void text_section(struct fw_buffer *out, const struct fw_diff *diff, size_t begin,
                         size_t end, bool colour)
{
    struct fw_table_text table = {.arena = out->arena, .sides = sides_of(out->arena, diff)};
    size_t changed = 0;
    const char *section = diff->rows[begin]->section;
    bool few = strcmp(section, "launch") == 0 || strcmp(section, "kernel") == 0 ||
               strcmp(section, "time") == 0 || strcmp(section, "what if") == 0;
    for (size_t r = begin; r < end; r++) {
        if (!diff->rows[r]->changed)
            continue;
        if (changed == 0)
            text_head(&table, diff);
        if (few || changed < MOST_SHOWN)
            text_row(&table, diff, diff->rows[r]);
        changed++;
    }
    if (!changed)
        return;
    fw_buffer_printf(out, colour ? "\n\033[1m%s\033[0m\n" : "\n%s\n", section);
    fw_table_print(&table, out);
    if (!few && changed > MOST_SHOWN)
        fw_buffer_printf(out, "  and %zu more, which changed less\n", changed - MOST_SHOWN);
}

void fw_report_diff_text(struct fw_buffer *out, const struct fw_diff *diff, bool colour)
{
    for (size_t s = 0; s < diff->side_count; s++)
        fw_buffer_printf(out, "  %c  %s\n", (char)('A' + s % 26),
                         fw_text_shown(out->arena, diff->names[s], strlen(diff->names[s])));
    for (size_t begin = 0, end; begin < diff->row_count; begin = end) {
        end = begin;
        while (end < diff->row_count &&
               strcmp(diff->rows[end]->section, diff->rows[begin]->section) == 0)
            end++;
        text_section(out, diff, begin, end, colour);
    }
    fw_buffer_printf(out, "\n  %zu facts changed, %zu are equal\n", diff->changed,
                     diff->row_count - diff->changed);
}
