/* Rankings as JSON and as text. */
#include "json_writer.h"
#include "report.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FAILURES = 5 };

typedef struct fw_json_writer writer;

static void triple(writer *w, const char *name, const uint32_t at[3])
{
    fw_json_array(w, name);
    for (int d = 0; d < 3; d++)
        fw_json_integer(w, NULL, at[d]);
    fw_json_array_end(w);
}

static void texts(writer *w, const char *name, const char *const *list, size_t count)
{
    fw_json_array(w, name);
    for (size_t i = 0; i < count; i++)
        fw_json_text(w, NULL, list[i]);
    fw_json_array_end(w);
}

/* "1K" as 1024; what is no whole number as text. */
static void value(writer *w, const char *name, const char *text)
{
    int64_t whole;
    if (fw_text_integer(text, true, &whole))
        fw_json_integer(w, name, whole);
    else
        fw_json_text(w, name, text);
}

/* What varies, and the launch. */
static void configuration(writer *w, const struct fw_ranking *ranking,
                          const struct fw_rank_row *row)
{
    if (row->block[0])
        triple(w, "block", row->block);
    else
        fw_json_null(w, "block");
    if (ranking->coarsening_varies && !row->failure)
        triple(w, "coarsening", row->coarsening);
    for (size_t n = 0; n < ranking->name_count; n++)
        value(w, ranking->names[n], row->values[n]);
}

/* What the model found of a configuration beside the time. */
static void volumes(writer *w, const struct fw_rank_row *row)
{
    if (!row->quantity_count) {
        fw_json_null(w, "volumes");
        return;
    }
    fw_json_object(w, "volumes");
    for (size_t q = 0; q < row->quantity_count; q++)
        if (row->quantities[q].kind->ranked)
            fw_json_real(w, row->quantities[q].kind->key, row->quantities[q].value);
    fw_json_object_end(w);
}

static void good_row(writer *w, const struct fw_ranking *ranking, const struct fw_rank_row *row)
{
    fw_json_object(w, NULL);
    configuration(w, ranking, row);
    triple(w, "grid", row->grid);
    fw_json_real(w, "seconds", row->seconds);
    if (row->model)
        fw_json_text(w, "model", row->model);
    fw_json_text(w, "limiter", row->limiter);
    fw_json_integer(w, "group", (int64_t)row->group);
    fw_json_real_if(w, "overhead_seconds", row->has_overhead, row->overhead_seconds);
    fw_json_real_if(w, "occupancy", row->has_occupancy, row->occupancy);
    fw_json_real_if(w, "watts", row->has_watts, row->watts);
    fw_json_real_if(w, "joules", row->has_watts, row->joules);
    fw_json_array(w, "terms");
    for (size_t t = 0; t < row->term_count; t++) {
        fw_json_object(w, NULL);
        fw_json_text(w, "name", row->terms[t].name);
        fw_json_real(w, "seconds", row->terms[t].seconds);
        fw_json_object_end(w);
    }
    fw_json_array_end(w);
    volumes(w, row);
    fw_json_object_end(w);
}

static void json_groups(writer *w, const struct fw_ranking *ranking)
{
    fw_json_array(w, "groups");
    for (size_t g = 0; g < ranking->group_count; g++) {
        const struct fw_rank_group *group = &ranking->groups[g];
        fw_json_object(w, NULL);
        fw_json_integer(w, "configurations", (int64_t)group->count);
        for (size_t n = 0; n < ranking->name_count; n++)
            if (ranking->best_for[n])
                value(w, ranking->names[n], group->rows[0].values[n]);
        fw_json_real_if(w, "written_bytes", group->has_work, group->written_bytes);
        fw_json_real_if(w, "operations", group->has_work, group->operations);
        fw_json_text(w, "differs", group->differs);
        fw_json_object_end(w);
    }
    fw_json_array_end(w);
}

void fw_report_ranking_json(struct fw_buffer *out, const struct fw_ranking *ranking)
{
    writer all = fw_json_writer_new(out), *w = &all;
    size_t good = ranking->row_count - ranking->failed;
    fw_json_object(w, NULL);
    fw_json_text(w, "forewarp", fw_version());
    fw_json_integer(w, "format", FW_REPORT_FORMAT);
    fw_json_object(w, "kernel");
    fw_json_text(w, "name", ranking->kernel);
    fw_json_text(w, "file", ranking->file);
    fw_json_text(w, "language", ranking->language);
    fw_json_object_end(w);
    fw_json_text(w, "device", ranking->device);
    fw_json_text(w, "model", ranking->model);
    fw_json_text(w, "cache", ranking->cache);
    texts(w, "unknowns", ranking->unknowns, ranking->unknown_count);
    texts(w, "left_out", ranking->not_modelled, ranking->not_modelled_count);
    json_groups(w, ranking);
    fw_json_integer(w, "restricted", (int64_t)ranking->restricted);
    fw_json_array(w, "configurations");
    for (size_t r = 0; r < good; r++)
        good_row(w, ranking, &ranking->rows[r]);
    fw_json_array_end(w);
    fw_json_array(w, "failed");
    for (size_t r = good; r < ranking->row_count; r++) {
        fw_json_object(w, NULL);
        configuration(w, ranking, &ranking->rows[r]);
        fw_json_text(w, "reason", ranking->rows[r].failure);
        fw_json_object_end(w);
    }
    fw_json_array_end(w);
    fw_json_object_end(w);
    fw_buffer_add(out, "\n", 1);
}

/* ---- text ---- */

struct page {
    struct fw_buffer *out;
    struct fw_arena *arena;
    const struct fw_ranking *ranking;
    bool colour;
};

static const char *quantity(struct page *page, double value, const char *unit)
{
    struct fw_buffer text = fw_buffer_new(page->arena);
    fw_report_quantity(&text, value, unit);
    return text.text;
}

/* What comes from an input, outside of tables. */
static const char *printable(struct page *page, const char *text)
{
    return fw_text_shown(page->arena, text, strlen(text));
}

static void heading(struct page *page, const char *text)
{
    fw_buffer_printf(page->out, page->colour ? "\n\033[1m%s\033[0m\n" : "\n%s\n",
                     printable(page, text));
}

static const char *sides_of(struct page *page)
{
    struct fw_buffer sides = fw_buffer_new(page->arena);
    fw_buffer_printf(&sides, "rrrr");
    for (size_t n = 0; n < page->ranking->name_count; n++)
        fw_buffer_printf(&sides, "r");
    fw_buffer_printf(&sides, "llr");
    for (size_t q = 0; q < page->ranking->rows[0].quantity_count; q++)
        fw_buffer_printf(&sides, page->ranking->rows[0].quantities[q].kind->column ? "r" : "");
    return sides.text;
}

static void shape(struct fw_table_text *table, const uint32_t at[3], bool shown)
{
    if (shown)
        fw_table_cell(table, "%ux%ux%u", at[0], at[1], at[2]);
    else
        fw_table_cell(table, "%s", "");
}

static void head(struct page *page, struct fw_table_text *table)
{
    static const char *const before[] = {"", "time", "best", "block"};
    static const char *const after[] = {"points", "limit", "warps"};
    const struct fw_ranking *ranking = page->ranking;
    for (size_t c = 0; c < sizeof(before) / sizeof(before[0]); c++)
        fw_table_cell(table, "%s", before[c]);
    for (size_t n = 0; n < ranking->name_count; n++)
        fw_table_cell(table, "%s", ranking->names[n]);
    for (size_t c = 0; c < sizeof(after) / sizeof(after[0]); c++)
        fw_table_cell(table, "%s", c == 0 && !ranking->coarsening_varies ? "" : after[c]);
    for (size_t q = 0; q < ranking->rows[0].quantity_count; q++)
        if (ranking->rows[0].quantities[q].kind->column)
            fw_table_cell(table, "%s", ranking->rows[0].quantities[q].kind->column);
}

static void line(struct page *page, struct fw_table_text *table, size_t r)
{
    const struct fw_ranking *ranking = page->ranking;
    const struct fw_rank_row *row = &ranking->rows[r];
    fw_table_cell(table, "%zu", r + 1);
    fw_table_cell(table, "%s", quantity(page, row->seconds, "seconds"));
    const struct fw_rank_row *first = &ranking->groups[row->group].rows[0];
    double best = row->seconds > 0 ? first->seconds / row->seconds : 1;
    fw_table_cell(table, "%.1f %%", 100 * best);
    shape(table, row->block, true);
    for (size_t n = 0; n < ranking->name_count; n++)
        fw_table_cell(table, "%s", row->values[n]);
    shape(table, row->coarsening, ranking->coarsening_varies);
    fw_table_cell(table, "%s", row->limiter ? row->limiter : "");
    fw_table_cell(table, "%s", row->has_occupancy ? quantity(page, row->occupancy, "share") : "");
    for (size_t q = 0; q < ranking->rows[0].quantity_count; q++) {
        const struct fw_quantity_row *column = &ranking->rows[0].quantities[q];
        if (column->kind->column)
            fw_table_cell(table, "%s",
                          row->quantity_count
                              ? quantity(page, row->quantities[q].value, column->kind->unit)
                              : "");
    }
}

/* "block 32x8x1, n=1K"; a block that was never known is left out. */
static void show_configuration(struct page *page, const struct fw_rank_row *row)
{
    const struct fw_ranking *ranking = page->ranking;
    const char *between = "";
    if (row->block[0]) {
        fw_buffer_printf(page->out, "block %ux%ux%u", row->block[0], row->block[1], row->block[2]);
        between = ", ";
    }
    for (size_t n = 0; n < ranking->name_count; n++, between = ", ")
        fw_buffer_printf(page->out, "%s%s=%s", between, printable(page, ranking->names[n]),
                         printable(page, row->values[n]));
}

/* Each reason once, with the first configuration that has it. */
static void show_failures(struct page *page)
{
    const struct fw_ranking *ranking = page->ranking;
    const struct fw_rank_row *rows = ranking->rows + ranking->row_count - ranking->failed;
    const char *reasons[MOST_FAILURES];
    size_t shown = 0, told = 0;
    if (!ranking->failed)
        return;
    heading(page, fw_arena_printf(page->arena, "Without a prediction: %zu", ranking->failed));
    for (size_t f = 0; f < ranking->failed && shown < MOST_FAILURES; f++) {
        size_t same = 0;
        bool known = false;
        for (size_t r = 0; r < shown; r++)
            known |= strcmp(reasons[r], rows[f].failure) == 0;
        for (size_t g = f; g < ranking->failed && !known; g++)
            same += strcmp(rows[f].failure, rows[g].failure) == 0;
        if (known)
            continue;
        reasons[shown++] = rows[f].failure;
        told += same;
        fw_buffer_printf(page->out, "  ");
        show_configuration(page, &rows[f]);
        if (same > 1)
            fw_buffer_printf(page->out, " and %zu more", same - 1);
        fw_buffer_printf(page->out, ": %s\n", printable(page, rows[f].failure));
    }
    if (ranking->failed > told)
        fw_buffer_printf(page->out, "  and %zu more for other reasons\n", ranking->failed - told);
}

/* The fastest of the first group, or of the first group of each size. */
static void show_table(struct page *page, size_t most)
{
    const struct fw_ranking *ranking = page->ranking;
    struct fw_table_text table = {.arena = page->arena, .sides = sides_of(page)};
    size_t good = ranking->group_count ? ranking->groups[0].count : 0;
    most = most && most < good ? most : good;
    if (ranking->best_for_count) {
        heading(page, "The fastest configuration of each size");
    } else {
        heading(page, fw_arena_printf(page->arena, "The fastest %zu of %zu configurations", most,
                                      ranking->row_count));
    }
    head(page, &table);
    for (size_t r = 0; r < most && !ranking->best_for_count; r++)
        line(page, &table, r);
    for (size_t g = 0; g < ranking->group_count && ranking->best_for_count; g++)
        if (!ranking->groups[g].other_work)
            line(page, &table, (size_t)(ranking->groups[g].rows - ranking->rows));
    fw_table_print(&table, page->out);
    if (ranking->restricted)
        fw_buffer_printf(page->out, "  left out by --where: %zu\n", ranking->restricted);
}

/* "9.77 KB and 2.4 MFLOP" of a group, or that it is not known */
static void show_work(struct page *page, const struct fw_rank_group *group)
{
    if (!group->has_work)
        fw_buffer_printf(page->out, "what they write is not known");
    else
        fw_buffer_printf(page->out, "%s written, %.4g floating-point operations",
                         quantity(page, group->written_bytes, "bytes"), group->operations);
}

/* Groups that do other work than the first of their size. */
static void show_groups(struct page *page)
{
    enum { MOST_GROUPS = 8 };
    const struct fw_ranking *ranking = page->ranking;
    size_t shown = 0, others = 0;
    for (size_t g = 0; g < ranking->group_count; g++)
        others += ranking->groups[g].other_work;
    if (!others)
        return;
    heading(page, "Other work: times compare only among configurations that do the same");
    fw_buffer_printf(page->out, "  above: ");
    show_work(page, &ranking->groups[0]);
    fw_buffer_printf(page->out, "\n");
    for (size_t g = 0; g < ranking->group_count && shown < MOST_GROUPS; g++) {
        const struct fw_rank_group *group = &ranking->groups[g];
        if (!group->other_work)
            continue;
        shown++;
        fw_buffer_printf(page->out, "  %zu configuration%s: ", group->count,
                         group->count == 1 ? "" : "s");
        show_work(page, group);
        fw_buffer_printf(page->out, "; the fastest, ");
        show_configuration(page, &group->rows[0]);
        fw_buffer_printf(page->out, ": %s\n", quantity(page, group->rows[0].seconds, "seconds"));
    }
    if (others > shown)
        fw_buffer_printf(page->out, "  and %zu groups more\n", others - shown);
}

void fw_report_ranking_text(struct fw_buffer *out, const struct fw_ranking *ranking, size_t most,
                            bool colour)
{
    struct page page = {out, out->arena, ranking, colour};
    fw_buffer_printf(out, "  %s in %s on %s, model %s, caches %s\n",
                     printable(&page, ranking->kernel), printable(&page, ranking->file),
                     printable(&page, ranking->device_title),
                     ranking->model ? ranking->model : "none", ranking->cache);
    if (ranking->refined && ranking->refined < ranking->row_count - ranking->failed)
        fw_buffer_printf(out,
                         "  times of the %zu that may be the fastest are the model %s's; those of "
                         "the others a quicker model's, scaled to it\n",
                         ranking->refined, ranking->model);
    if (ranking->group_count)
        show_table(&page, most);
    show_groups(&page);
    show_failures(&page);
    if (ranking->unknown_count) {
        heading(&page, "Not known before the kernel runs (state a value with -s NAME=VALUE)");
        for (size_t u = 0; u < ranking->unknown_count; u++)
            fw_buffer_printf(out, "  %s\n", printable(&page, ranking->unknowns[u]));
    }
    if (ranking->not_modelled_count)
        heading(&page, "Not modelled");
    for (size_t l = 0; l < ranking->not_modelled_count; l++)
        fw_buffer_printf(out, "  - %s\n", printable(&page, ranking->not_modelled[l]));
}
