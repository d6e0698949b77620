/* Plots as SVG: predicted over measured on logarithmic axes, the distribution of errors, and the
 * importance of features; a row of the three for each target. */
#include "train.h"

#include <math.h>
#include <stdlib.h>

enum {
    PANEL = 320, /* width and height, pixels */
    GAP = 90,    /* between panels, with the labels of axes */
    LEFT = 80,
    TOP = 60,
    ROW = PANEL + 110,
    WIDTH = LEFT + 3 * PANEL + 2 * GAP + 130,
    BINS = 7,
    BARS_MOST = 12
};

#define INK    "#24292f"
#define GRID   "#d0d7de"
#define POINTS "#0969da"

struct plotting {
    struct fw_buffer *out;
    const struct fw_training_rows *rows;
    const double *predictions;
    enum fw_forest_target target;
    double top;
};

static bool drawn(const struct plotting *plot, size_t r)
{
    const struct fw_training_row *row = &plot->rows->rows.at[r];
    return !row->judged && row->measured[plot->target] > 0 && plot->predictions[r] > 0;
}

static void add_text(const struct plotting *plot, double x, double y, const char *anchor,
                     const char *text)
{
    fw_buffer_printf(plot->out,
                     "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"" INK "\">%s</text>\n",
                     x, y, anchor, text);
}

static void add_line(const struct plotting *plot, double x, double y, double to_x, double to_y,
                     const char *color)
{
    fw_buffer_printf(plot->out,
                     "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", x,
                     y, to_x, to_y, color);
}

static void add_frame(const struct plotting *plot, double left, const char *title)
{
    add_text(plot, left + PANEL / 2.0, plot->top - 12, "middle", title);
    fw_buffer_printf(plot->out,
                     "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" fill=\"none\" "
                     "stroke=\"" INK "\"/>\n",
                     left, plot->top, (int)PANEL, (int)PANEL);
}

/* ---- predicted over measured ---- */

struct axis {
    double low, high; /* decimal logarithms */
};

static double place(const struct axis *axis, double value)
{
    return PANEL * (log10(value) - axis->low) / (axis->high - axis->low);
}

static struct axis axis_of(const struct plotting *plot)
{
    struct axis axis = {INFINITY, -INFINITY};
    for (size_t r = 0; r < plot->rows->rows.count; r++)
        if (drawn(plot, r)) {
            double measured = log10(plot->rows->rows.at[r].measured[plot->target]);
            double predicted = log10(plot->predictions[r]);
            axis.low = fmin(axis.low, fmin(measured, predicted));
            axis.high = fmax(axis.high, fmax(measured, predicted));
        }
    axis.low = floor(2 * axis.low - 0.05) / 2;
    axis.high = ceil(2 * axis.high + 0.05) / 2;
    return axis;
}

/* A line where predictions are so many times what was measured, within the frame. */
static void add_ratio(const struct plotting *plot, const struct axis *axis, double ratio,
                      const char *color)
{
    double shift = PANEL * log10(ratio) / (axis->high - axis->low), bottom = plot->top + PANEL;
    double from = fmax(0, -shift), to = fmin(PANEL, PANEL - shift);
    add_line(plot, LEFT + from, bottom - from - shift, LEFT + to, bottom - to - shift, color);
}

static const char *tick(const struct plotting *plot, double value)
{
    return plot->target == FW_FOREST_WATTS ? fw_arena_printf(plot->out->arena, "%.4g W", value)
           : value < 0.99e-3 ? fw_arena_printf(plot->out->arena, "%.3g us", 1e6 * value)
           : value < 0.99    ? fw_arena_printf(plot->out->arena, "%.3g ms", 1e3 * value)
                             : fw_arena_printf(plot->out->arena, "%.3g s", value);
}

static void add_scatter(const struct plotting *plot)
{
    const struct axis axis = axis_of(plot);
    static const double multiples[] = {1, 2, 5};
    const double bottom = plot->top + PANEL;
    const bool wide = axis.high - axis.low > 2;
    for (int at = (int)floor(axis.low); at <= axis.high; at++)
        for (size_t m = 0; m < (wide ? 1 : 3); m++) {
            double value = multiples[m] * pow(10, at), x = place(&axis, value);
            const char *text = tick(plot, value);
            if (x < -0.5 || x > PANEL + 0.5)
                continue;
            add_line(plot, LEFT + x, plot->top, LEFT + x, bottom, GRID);
            add_line(plot, LEFT, bottom - x, LEFT + PANEL, bottom - x, GRID);
            add_text(plot, LEFT + x, bottom + 16, "middle", text);
            add_text(plot, LEFT - 6, bottom - x + 4, "end", text);
        }
    add_ratio(plot, &axis, 1, INK);
    add_ratio(plot, &axis, 1.25, "#bf8700");
    add_ratio(plot, &axis, 0.8, "#bf8700");
    for (size_t r = 0; r < plot->rows->rows.count; r++)
        if (drawn(plot, r))
            fw_buffer_printf(plot->out,
                             "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2\" fill=\"" POINTS
                             "\" fill-opacity=\"0.45\"/>\n",
                             LEFT + place(&axis, plot->rows->rows.at[r].measured[plot->target]),
                             bottom - place(&axis, plot->predictions[r]));
    add_frame(plot, LEFT,
              plot->target ? "Power: predicted over measured" : "Time: predicted over measured");
    add_text(plot, LEFT + PANEL / 2.0, bottom + 34, "middle",
             "measured (lines: equal, 25 % more, 20 % less)");
}

/* ---- bars ---- */

static void add_distribution(const struct plotting *plot)
{
    static const double ends[BINS] = {0.05, 0.1, 0.15, 0.25, 0.5, 1, INFINITY};
    static const char *const names[BINS] = {"5 %", "10 %", "15 %", "25 %", "50 %", "100 %", "more"};
    const double left = LEFT + PANEL + GAP, bottom = plot->top + PANEL,
                 width = (double)PANEL / BINS;
    size_t counts[BINS] = {0}, all = 0, most = 1;
    for (size_t r = 0; r < plot->rows->rows.count; r++)
        if (drawn(plot, r)) {
            double error =
                fabs(plot->predictions[r] / plot->rows->rows.at[r].measured[plot->target] - 1);
            int bin = 0;
            while (bin < BINS - 1 && !(error <= ends[bin]))
                bin++;
            most = ++counts[bin] > most ? counts[bin] : most;
            all++;
        }
    for (int b = 0; b < BINS; b++) {
        double height = (PANEL - 30) * (double)counts[b] / (double)most, x = left + b * width;
        fw_buffer_printf(plot->out,
                         "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                         "fill=\"" POINTS "\"/>\n",
                         x + 4, bottom - height, width - 8, height);
        add_text(plot, x + width / 2, bottom - height - 5, "middle",
                 fw_arena_printf(plot->out->arena, "%.0f %%",
                                 100 * (double)counts[b] / (double)(all ? all : 1)));
        add_text(plot, x + width / 2, bottom + 16, "middle", names[b]);
    }
    add_frame(plot, left, "Launches by their error");
    add_text(plot, left + PANEL / 2.0, bottom + 34, "middle",
             "off by at most, |predicted / measured - 1|");
}

struct share {
    double share;
    const char *name;
};

static int largest_first(const void *a, const void *b)
{
    const struct share *x = a, *y = b;
    return x->share > y->share ? -1 : x->share < y->share;
}

static void add_importance(const struct plotting *plot, const struct fw_forest *forest,
                           const struct fw_training_choice *choice)
{
    enum fw_forest_feature features[FW_FOREST_FEATURE_COUNT];
    struct share shares[FW_FOREST_FEATURE_COUNT];
    const uint32_t count = fw_training_features(features, choice->sets);
    const uint32_t shown = count < BARS_MOST ? count : BARS_MOST;
    const double left = LEFT + 2 * (PANEL + GAP) + 70, height = (double)PANEL / BARS_MOST;
    for (uint32_t f = 0; f < count; f++)
        shares[f] = (struct share){fw_forest_importance(forest)[f],
                                   fw_forest_feature_row(features[f])->name};
    qsort(shares, count, sizeof(*shares), largest_first);
    for (uint32_t f = 0; f < shown; f++) {
        double y = plot->top + f * height;
        double width = shares[0].share > 0 ? (PANEL - 60) * shares[f].share / shares[0].share : 0;
        fw_buffer_printf(plot->out,
                         "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                         "fill=\"" POINTS "\"/>\n",
                         left, y + 4, width, height - 8);
        add_text(plot, left - 6, y + height / 2 + 4, "end", shares[f].name);
        add_text(plot, left + width + 5, y + height / 2 + 4, "start",
                 fw_arena_printf(plot->out->arena, "%.1f %%", 100 * shares[f].share));
    }
    add_frame(plot, left, "Importance: share of what splits gain");
}

/* ---- all ---- */

static enum fw_status add_target(struct plotting *plot, const struct fw_training_choice *choice,
                                 const struct fw_sink *sink)
{
    double *predictions = FW_ARRAY(plot->out->arena, double, plot->rows->rows.count + 1);
    struct fw_training_grown grown;
    enum fw_status status =
        fw_cross_validate(predictions, NULL, plot->rows, choice, plot->out->arena, sink);
    if (!status)
        status = fw_training_grow(&grown, plot->rows, choice, NULL, plot->out->arena, sink);
    if (status)
        return status;
    plot->predictions = predictions;
    add_scatter(plot);
    add_distribution(plot);
    add_importance(plot, grown.forest, choice);
    fw_forest_free(grown.forest);
    return FW_OK;
}

static bool any_row(const struct fw_training_rows *rows, const struct fw_training_choice *choice)
{
    for (size_t r = 0; r < rows->rows.count; r++)
        if (!rows->rows.at[r].judged && fw_training_has(&rows->rows.at[r], choice))
            return true;
    return false;
}

enum fw_status fw_train_plot(struct fw_buffer *out, const struct fw_training_rows *rows,
                             const struct fw_train_settings_inside *settings,
                             const struct fw_sink *sink)
{
    struct fw_training_choice choices[FW_FOREST_TARGET_COUNT];
    struct plotting plot = {.out = out, .rows = rows, .top = TOP};
    int count = 0;
    enum fw_status status = FW_OK;
    for (int t = 0; t < FW_FOREST_TARGET_COUNT; t++) {
        choices[count] =
            fw_training_usual((enum fw_forest_target)t, settings->seed, settings->trees);
        count += any_row(rows, &choices[count]);
    }
    fw_buffer_printf(out,
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                     "font-family=\"sans-serif\" font-size=\"12\">\n"
                     "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                     (int)WIDTH, TOP + count * ROW);
    add_text(&plot, WIDTH / 2.0, 24, "middle",
             "Forests that did not see the family of the launch that they predict");
    for (int c = 0; c < count && !status; c++) {
        plot.target = choices[c].target;
        status = add_target(&plot, &choices[c], sink);
        plot.top += ROW;
    }
    fw_buffer_printf(out, "</svg>\n");
    return status;
}
