/* A ranking: each configuration as a point, and as a line through what varies. */
#include "page_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_POINTS = 2000,
    MOST_AXES = 8,
    MOST_VALUES = 64,
    MOST_REASONS = 5,
    AXIS_LEFT = 8,
    AXIS_WIDTH = 544
};

static const struct fw_quantity_row *column_of(const struct fw_rank_row *row, const char *key)
{
    for (size_t q = 0; q < row->quantity_count; q++)
        if (!key ? row->quantities[q].kind->column != NULL
                 : strcmp(row->quantities[q].kind->key, key) == 0)
            return &row->quantities[q];
    return NULL;
}

static void name_configuration(struct fw_buffer *out, const struct fw_ranking *ranking,
                               const struct fw_rank_row *row)
{
    fw_buffer_printf(out, "%u &#215; %u &#215; %u threads", row->block[0], row->block[1],
                     row->block[2]);
    for (size_t n = 0; n < ranking->name_count; n++) {
        fw_buffer_printf(out, ", ");
        page_text(out, ranking->names[n]);
        fw_buffer_printf(out, "=");
        page_text(out, row->values[n]);
    }
}

static void name_row(struct fw_buffer *out, const struct fw_ranking *ranking,
                     const struct fw_rank_row *row)
{
    name_configuration(out, ranking, row);
    fw_buffer_printf(out, ": %s", page_quantity(out, row->seconds, "seconds"));
}

/* ---- scatter ---- */

static void scatter(struct fw_buffer *out, const struct fw_ranking *ranking, size_t count)
{
    enum { WIDTH = 560, HEIGHT = 320, LEFT = 62, TOP = 12, BOTTOM = 46 };
    const struct fw_quantity_row *first = column_of(&ranking->rows[0], "l2_to_l1_bytes");
    double low = INFINITY, high = 0, least = INFINITY, most = 0;
    const char *key = "l2_to_l1_bytes";
    if (!first && (first = column_of(&ranking->rows[0], NULL)))
        key = first->kind->key;
    if (!first)
        return;
    for (size_t r = 0; r < count; r++) {
        const struct fw_quantity_row *at = column_of(&ranking->rows[r], key);
        if (!at || !(at->value > 0))
            continue;
        low = fmin(low, at->value);
        high = fmax(high, at->value);
        least = fmin(least, ranking->rows[r].seconds);
        most = fmax(most, ranking->rows[r].seconds);
    }
    if (!(high > 0) || !(most > 0))
        return;
    struct page_scale x = {.from = LEFT, .to = WIDTH - 30},
                      y = {.from = HEIGHT - BOTTOM, .to = TOP};
    page_decades(&x, low, high);
    page_decades(&y, least * 1e6, most * 1e6);
    fw_buffer_printf(out,
                     "<figure><h3>Time over %s</h3><svg viewBox=\"0 0 %d %d\" role=\"img\" "
                     "aria-label=\"scatter\">",
                     first->kind->title ? first->kind->title : key, WIDTH, HEIGHT);
    for (double at = x.low; at <= x.high * 1.001; at *= 10)
        fw_buffer_printf(
            out,
            "<path class=\"g\" d=\"M%.1f %dV%d\"/><text class=\"t\" x=\"%.1f\" y=\"%d\" "
            "text-anchor=\"middle\">%sB</text>",
            page_at(&x, at), TOP, HEIGHT - BOTTOM, page_at(&x, at), HEIGHT - BOTTOM + 17,
            page_decade_text(out, at));
    for (double at = y.low; at <= y.high * 1.001; at *= 10)
        fw_buffer_printf(
            out,
            "<path class=\"g\" d=\"M%d %.1fH%d\"/><text class=\"t\" x=\"%d\" y=\"%.1f\" "
            "text-anchor=\"end\">%s</text>",
            LEFT, page_at(&y, at), WIDTH - 30, LEFT - 7, page_at(&y, at) + 4,
            page_quantity(out, at / 1e6, "seconds"));
    for (size_t r = count; r-- > 0;) {
        const struct fw_quantity_row *at = column_of(&ranking->rows[r], key);
        if (!at || !(at->value > 0))
            continue;
        fw_buffer_printf(out,
                         "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\" class=\"mark\" "
                         "fill-opacity=\"%s\"><title>",
                         page_at(&x, at->value), page_at(&y, ranking->rows[r].seconds * 1e6),
                         r ? "3.4" : "6", r ? "0.45" : "1");
        name_row(out, ranking, &ranking->rows[r]);
        fw_buffer_printf(out, "</title></circle>");
    }
    fw_buffer_printf(out, "</svg></figure>\n");
}

/* ---- parallel coordinates ---- */

struct axis {
    const char *name;
    const char *values[MOST_VALUES];
    size_t count;
    bool too_many;
};

/* Axes behind what the ranking names: a block's sides, and the points of a thread. */
enum { SIDES = 3 };

static const char *value_of(struct fw_arena *arena, const struct fw_ranking *ranking,
                            const struct fw_rank_row *row, size_t axis)
{
    if (axis < ranking->name_count)
        return row->values[axis];
    axis -= ranking->name_count;
    if (axis < SIDES)
        return fw_arena_printf(arena, "%u", row->block[axis]);
    return fw_arena_printf(arena, "%u x %u x %u", row->coarsening[0], row->coarsening[1],
                           row->coarsening[2]);
}

static const char *name_of(const struct fw_ranking *ranking, size_t axis)
{
    static const char *const others[] = {"block x", "block y", "block z", "coarsening"};
    return axis < ranking->name_count ? ranking->names[axis] : others[axis - ranking->name_count];
}

static size_t place_of(struct axis *axis, const char *value)
{
    for (size_t v = 0; v < axis->count; v++)
        if (strcmp(axis->values[v], value) == 0)
            return v;
    if (axis->count == MOST_VALUES) {
        axis->too_many = true;
        return MOST_VALUES - 1;
    }
    axis->values[axis->count] = value;
    return axis->count++;
}

static int by_number(const void *a, const void *b)
{
    const char *one = *(const char *const *)a, *other = *(const char *const *)b;
    double x = strtod(one, NULL), y = strtod(other, NULL);
    return x < y ? -1 : x > y ? 1 : strcmp(one, other);
}

static double height_of(const struct axis *axis, size_t place)
{
    enum { TOP = 34, BOTTOM = 290 };
    return axis->count > 1 ? BOTTOM - (BOTTOM - TOP) * (double)place / (double)(axis->count - 1)
                           : (TOP + BOTTOM) / 2.0;
}

static void draw_axis(struct fw_buffer *out, const struct axis *axis, double x, bool last)
{
    size_t every = axis->count / 14 + 1;
    fw_buffer_printf(out,
                     "<path class=\"x\" d=\"M%.1f 34V290\"/><text class=\"b\" x=\"%.1f\" y=\"18\" "
                     "text-anchor=\"%s\">",
                     x, x, last ? "end" : "start");
    page_text(out, axis->name);
    fw_buffer_printf(out, "</text>");
    for (size_t v = 0; v < axis->count; v += every) {
        fw_buffer_printf(out, "<text class=\"t\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">",
                         last ? x - 6 : x + 6, height_of(axis, v) + 4, last ? "end" : "start");
        page_text(out, axis->values[v]);
        fw_buffer_printf(out, "</text>");
    }
}

/* The axes whose values differ: their numbers in `chosen`. */
static size_t find_axes(struct fw_arena *arena, struct axis *all, size_t *chosen,
                        const struct fw_ranking *ranking, size_t count)
{
    size_t found = 0, possible = ranking->name_count + SIDES + ranking->coarsening_varies;
    for (size_t a = 0; a < possible && found < MOST_AXES; a++) {
        struct axis *axis = &all[found];
        *axis = (struct axis){.name = name_of(ranking, a)};
        for (size_t r = 0; r < count; r++)
            place_of(axis, value_of(arena, ranking, &ranking->rows[r], a));
        if (axis->count < 2)
            continue;
        qsort(axis->values, axis->count, sizeof(*axis->values), by_number);
        chosen[found++] = a;
    }
    return found;
}

static void draw_line(struct fw_buffer *out, const struct fw_ranking *ranking, struct axis *all,
                      const size_t *chosen, size_t axes, const struct fw_rank_row *row)
{
    for (size_t a = 0; a < axes; a++)
        fw_buffer_printf(
            out, "%c%.1f %.1f", a ? 'L' : 'M', AXIS_LEFT + AXIS_WIDTH * (double)a / (double)axes,
            height_of(&all[a], place_of(&all[a], value_of(out->arena, ranking, row, chosen[a]))));
}

static void parallel(struct fw_buffer *out, const struct fw_ranking *ranking, size_t count)
{
    struct axis *all = FW_ARRAY(out->arena, struct axis, MOST_AXES + 1), *last;
    size_t chosen[MOST_AXES], axes = find_axes(out->arena, all, chosen, ranking, count);
    double least = ranking->rows[0].seconds, most = ranking->rows[count - 1].seconds;
    const struct page_scale time = {least, most > least ? most : least * 2, 290, 34, true};
    const double dense = fmin(1, 60.0 / (double)count);
    if (!axes)
        return;
    fw_buffer_printf(out, "<figure><h3>What varies, and the time</h3><svg viewBox=\"0 0 560 320\" "
                          "role=\"img\" aria-label=\"parallel coordinates\">");
    for (size_t r = count; r-- > 0;) {
        const struct fw_rank_row *row = &ranking->rows[r];
        double quick = least > 0 ? least / row->seconds : 0;
        fw_buffer_printf(out,
                         "<path class=\"track\" stroke-opacity=\"%.2f\" stroke-width=\"%s\" d=\"",
                         r ? 0.06 + 0.6 * dense * pow(quick, 2) : 1, r ? "1" : "2.6");
        draw_line(out, ranking, all, chosen, axes, row);
        fw_buffer_printf(out, "L%d %.1f\"><title>", AXIS_LEFT + AXIS_WIDTH,
                         page_at(&time, row->seconds));
        name_row(out, ranking, row);
        fw_buffer_printf(out, "</title></path>");
    }
    for (size_t a = 0; a < axes; a++)
        draw_axis(out, &all[a], AXIS_LEFT + AXIS_WIDTH * (double)a / (double)axes, false);
    last = &all[axes];
    *last = (struct axis){.name = "time", .count = 2};
    last->values[0] = page_quantity(out, least, "seconds");
    last->values[1] = page_quantity(out, most, "seconds");
    draw_axis(out, last, AXIS_LEFT + AXIS_WIDTH, true);
    fw_buffer_printf(out, "</svg></figure>\n");
}

/* Each reason once, with the first configuration that has it. */
static void list_failures(struct fw_buffer *out, const struct fw_ranking *ranking)
{
    const struct fw_rank_row *rows = ranking->rows + ranking->row_count - ranking->failed;
    const char *reasons[MOST_REASONS];
    size_t shown = 0, told = 0;
    if (!ranking->failed)
        return;
    fw_buffer_printf(out, "<details open><summary>Without a prediction</summary>\n"
                          "<ul class=\"soft\">\n");
    for (size_t f = 0; f < ranking->failed && shown < MOST_REASONS; f++) {
        bool known = false;
        size_t same = 0;
        for (size_t r = 0; r < shown; r++)
            known |= strcmp(reasons[r], rows[f].failure) == 0;
        if (known)
            continue;
        for (size_t g = f; g < ranking->failed; g++)
            same += strcmp(rows[f].failure, rows[g].failure) == 0;
        reasons[shown++] = rows[f].failure;
        told += same;
        fw_buffer_printf(out, "<li>");
        name_configuration(out, ranking, &rows[f]);
        if (same > 1)
            fw_buffer_printf(out, " and %zu more", same - 1);
        fw_buffer_printf(out, ": ");
        page_text(out, rows[f].failure);
        fw_buffer_printf(out, "</li>\n");
    }
    if (ranking->failed > told)
        fw_buffer_printf(out, "<li>and %zu more for other reasons</li>\n", ranking->failed - told);
    fw_buffer_printf(out, "</ul></details>\n");
}

/* Configurations whose times do not compare with that of the fastest. */
static void tell_other_work(struct fw_buffer *out, const struct fw_ranking *ranking)
{
    size_t other = 0;
    for (size_t g = 0; g < ranking->group_count; g++)
        other += ranking->groups[g].other_work ? ranking->groups[g].count : 0;
    if (other)
        fw_buffer_printf(out,
                         "<p class=\"soft\">%zu of them write%s or compute%s something else: "
                         "times compare only among configurations that do the same.</p>\n",
                         other, other == 1 ? "s" : "", other == 1 ? "s" : "");
}

void fw_report_page_ranking(struct fw_report_page *page, const struct fw_ranking *ranking)
{
    struct fw_buffer *out = &page->rankings;
    size_t count = ranking->row_count - ranking->failed;
    count = count < MOST_POINTS ? count : MOST_POINTS;
    fw_buffer_printf(out, "<h2 id=\"ranking-%zu\">", ++page->ranking_count);
    page_text(out, ranking->kernel);
    fw_buffer_printf(out, ": %zu configurations</h2>\n<p class=\"soft\">", ranking->row_count);
    page_text(out, ranking->file);
    fw_buffer_printf(out, " &middot; ");
    page_text(out, ranking->device_title ? ranking->device_title : "");
    fw_buffer_printf(out, " &middot; model ");
    page_text(out, ranking->model ? ranking->model : "");
    if (ranking->failed)
        fw_buffer_printf(out, " &middot; %zu without a prediction", ranking->failed);
    fw_buffer_printf(out, "</p>\n");
    if (!count) {
        list_failures(out, ranking);
        return;
    }
    fw_buffer_printf(out, "<p>The fastest: ");
    name_row(out, ranking, &ranking->rows[0]);
    fw_buffer_printf(out, ".</p>\n");
    tell_other_work(out, ranking);
    fw_buffer_printf(out, "<div class=\"two\">\n");
    scatter(out, ranking, count);
    parallel(out, ranking, count);
    fw_buffer_printf(out, "</div>\n");
    list_failures(out, ranking);
}
