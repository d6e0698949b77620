#include "timeline_svg.h"
#include "timeline_style.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEFT = 96,
    TOP = 64,
    WIDTH = 1000, /* of the plot */
    RIGHT = 24,
    MOST_ROW = 18, /* pixels of a warp */
    LEAST_ROW = 7,
    ROWS = 560, /* pixels of all warps, if they fit */
    STRIP = 5,  /* of a block's phases */
    STACK = 110,
    LEGEND_ROW = 18,
    LEAST_PHASE = 3 /* pixels, that are drawn one by one */
};

struct drawing {
    struct fw_buffer *out;
    const struct fw_timeline *of;
    double row;           /* pixels of a warp */
    double block;         /* of a block, with its strip */
    double scale;         /* pixels a cycle */
    double bottom;        /* of the warps */
    double stack, legend; /* where they begin */
};

/* Text with what XML would take for its own written otherwise. */
static void add_text(struct fw_buffer *out, const char *text)
{
    text = fw_text_shown(out->arena, text, strlen(text));
    for (; *text; text++) {
        const char *written = *text == '<'   ? "&lt;"
                              : *text == '>' ? "&gt;"
                              : *text == '&' ? "&amp;"
                              : *text == '"' ? "&quot;"
                                             : NULL;
        if (written)
            fw_buffer_printf(out, "%s", written);
        else
            fw_buffer_add(out, text, 1);
    }
}

static double top_of(const struct drawing *d, uint32_t warp)
{
    return TOP + warp / d->of->block_warps * d->block + warp % d->of->block_warps * d->row;
}

static int by_state(const void *a, const void *b)
{
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

/* The states of a warp as they are drawn: where many follow each other, those of some columns are
 * sorted, so that their shares are seen. */
static unsigned char *states_of(const struct drawing *d, uint32_t w)
{
    enum { TOGETHER = 20, MOST_CHANGES = 8 };
    const struct fw_timeline *of = d->of;
    unsigned char *states = FW_ARRAY(d->out->arena, unsigned char, of->columns);
    memcpy(states, of->states + (size_t)w * of->columns, of->columns);
    for (uint32_t first = 0; first < of->columns; first += TOGETHER) {
        uint32_t count = of->columns - first < TOGETHER ? of->columns - first : TOGETHER;
        uint32_t changes = 0;
        for (uint32_t c = first + 1; c < first + count; c++)
            changes += states[c] != states[c - 1];
        if (changes > MOST_CHANGES)
            qsort(states + first, count, 1, by_state);
    }
    return states;
}

/* The line that a warp is at in most columns of a state; 0: none. */
static uint32_t line_of(const struct fw_timeline *of, size_t first, size_t state)
{
    uint32_t best = 0, most = 0;
    for (uint32_t c = 0; c < of->columns; c++) {
        uint32_t line = of->lines[first + c], times = 0;
        if (of->states[first + c] != state || !line || line == best)
            continue;
        for (uint32_t k = c; k < of->columns; k++)
            times += of->states[first + k] == state && of->lines[first + k] == line;
        if (times > most) {
            most = times;
            best = line;
        }
    }
    return best;
}

/* The columns of a warp in one state, as one shape. */
static void draw_state(struct drawing *d, uint32_t w, const unsigned char *states, size_t state)
{
    const struct fw_timeline *of = d->of;
    const size_t first = (size_t)w * of->columns;
    const double column = (double)WIDTH / of->columns;
    uint32_t all = 0;
    for (uint32_t c = 0; c < of->columns; c++)
        all += states[c] == state;
    if (!all)
        return;
    fw_buffer_printf(d->out, "<path class=\"p%zu\" d=\"", state);
    for (uint32_t c = 0, end; c < of->columns; c = end) {
        end = c + 1;
        if (states[c] != state)
            continue;
        while (end < of->columns && states[end] == state)
            end++;
        fw_buffer_printf(d->out, "M%g %.1fh%gv%.2fh%gz", LEFT + c * column, top_of(d, w),
                         (end - c) * column, d->row * 0.92, -((end - c) * column));
    }
    fw_buffer_printf(d->out, "\"><title>block %u, warp %u: ", w / of->block_warps,
                     w % of->block_warps);
    add_text(d->out, of->parts[state].name);
    fw_buffer_printf(d->out, ", %.0f %% of its time", 100.0 * all / of->columns);
    uint32_t line = line_of(of, first, state);
    if (line)
        fw_buffer_printf(d->out, ", most of it at line %u", line);
    fw_buffer_printf(d->out, "</title></path>\n");
}

/* A strip below each block whose shade changes with each barrier; where barriers are closer than
 * pixels, one shade between. */
static void draw_phases(struct drawing *d)
{
    const struct fw_timeline *of = d->of;
    const uint32_t blocks = of->warps / of->block_warps;
    for (uint32_t b = 0; b < blocks && of->barrier_count; b++) {
        double y = top_of(d, (b + 1) * of->block_warps - 1) + d->row, from = 0;
        bool dark = false;
        for (size_t s = 0; s < of->barrier_count; s++) {
            const struct fw_timeline_span *barrier = &of->barriers[s];
            if (barrier->block != b)
                continue;
            double at = fmin(barrier->from, of->cycles);
            bool close = (at - from) * d->scale < LEAST_PHASE;
            fw_buffer_printf(d->out,
                             "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%d\" "
                             "fill=\"%s\"/>\n",
                             LEFT + from * d->scale, y, (at - from) * d->scale, STRIP - 2,
                             close  ? "#8f8f9f"
                             : dark ? "#303040"
                                    : "#b8b8c8");
            dark = !dark;
            from = at;
        }
    }
}

static void draw_skips(struct drawing *d)
{
    for (size_t s = 0; s < d->of->skip_count; s++) {
        const struct fw_timeline_span *skip = &d->of->skips[s];
        double from = LEFT + skip->from * d->scale;
        double until = LEFT + fmin(skip->until, d->of->cycles) * d->scale;
        fw_buffer_printf(d->out,
                         "<path d=\"M%.2f %d v-4 H%.2f v4\" fill=\"none\" stroke=\"#606060\"/>\n",
                         from, TOP - 2, until);
        if (until - from > 120)
            fw_buffer_printf(d->out,
                             "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"#606060\">"
                             "iterations skipped: like those before</text>\n",
                             (from + until) / 2, TOP - 9);
    }
}

/* A round number of cycles, so that about eight steps fit. */
static double step_of(double cycles)
{
    double step = pow(10, floor(log10(fmax(cycles, 1) / 8)));
    double times = cycles / 8 / step;
    return fmax(1, step * (times > 5 ? 10 : times > 2 ? 5 : times > 1 ? 2 : 1));
}

static void draw_axis(struct drawing *d)
{
    double step = step_of(d->of->cycles), bottom = d->stack + STACK;
    for (double at = 0; at <= d->of->cycles; at += step) {
        double x = LEFT + at * d->scale;
        fw_buffer_printf(d->out,
                         "<path d=\"M%.2f %d V%.2f\" stroke=\"#000\" stroke-opacity=\"0.15\"/>"
                         "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">%.0f</text>\n",
                         x, TOP, bottom, x, bottom + 14, at);
    }
    fw_buffer_printf(d->out, "<text x=\"%d\" y=\"%.2f\" text-anchor=\"end\">cycles</text>\n",
                     LEFT - 24, bottom + 14);
}

/* The shares of all warps in each column, one above the other: a shape a part. */
static void draw_stack(struct drawing *d)
{
    const struct fw_timeline *of = d->of;
    const double column = (double)WIDTH / of->columns;
    double *heights = FW_ARRAY(d->out->arena, double, of->columns);
    for (size_t p = 0; p < of->part_count; p++) {
        if (strcmp(of->parts[p].name, "tail") == 0 || fw_timeline_share(of, p) < 0.0001)
            continue;
        fw_buffer_printf(d->out, "<path class=\"p%zu\" d=\"", p);
        for (uint32_t c = 0; c < of->columns; c++) {
            double height = STACK * of->shares[(size_t)c * of->part_count + p];
            if (height < 0.05)
                continue;
            heights[c] += height;
            fw_buffer_printf(d->out, "M%g %.1fh%gv%.1fh%gz", LEFT + c * column,
                             d->stack + STACK - heights[c], column * 1.02, height, -column * 1.02);
        }
        fw_buffer_printf(d->out, "\"/>\n");
    }
    fw_buffer_printf(d->out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">all warps</text>\n",
                     LEFT - 8, d->stack + STACK / 2.0);
}

static void draw_styles(struct drawing *d)
{
    fw_buffer_printf(d->out, "<style>");
    for (size_t p = 0; p < d->of->part_count; p++)
        fw_buffer_printf(d->out, ".p%zu{fill:%s}", p,
                         fw_timeline_style(d->of->parts[p].name)->colour);
    fw_buffer_printf(d->out, "</style>\n");
}

static void draw_legend(struct drawing *d)
{
    enum { COLUMNS = 3 };
    uint32_t shown = 0;
    for (size_t p = 0; p < d->of->part_count; p++) {
        double share = fw_timeline_share(d->of, p);
        if (share < 0.0005)
            continue;
        double x = LEFT + (double)WIDTH / COLUMNS * (shown % COLUMNS);
        double y = d->legend + LEGEND_ROW * (shown / COLUMNS);
        fw_buffer_printf(d->out,
                         "<rect x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"12\" fill=\"%s\" "
                         "stroke=\"#888\"/><text x=\"%.1f\" y=\"%.1f\">",
                         x, y, fw_timeline_style(d->of->parts[p].name)->colour, x + 18, y + 10);
        add_text(d->out, d->of->parts[p].name);
        fw_buffer_printf(d->out, " %.1f %%<title>", 100 * share);
        add_text(d->out, d->of->parts[p].meaning);
        fw_buffer_printf(d->out, "</title></text>\n");
        shown++;
    }
}

static void draw_labels(struct drawing *d, const struct fw_answer *answer)
{
    const struct fw_timeline *of = d->of;
    fw_buffer_printf(d->out, "<text x=\"%d\" y=\"20\" font-size=\"15\">", LEFT);
    add_text(d->out, answer->kernel->name);
    fw_buffer_printf(d->out, " on one multiprocessor of ");
    add_text(d->out, answer->device_title ? answer->device_title : "");
    fw_buffer_printf(d->out,
                     "</text>\n<text x=\"%d\" y=\"38\" fill=\"#404040\">%.0f cycles (%.3g us); "
                     "%.0f of its %.0f blocks; what each warp does, in columns of "
                     "%.3g cycles%s</text>\n",
                     LEFT, of->cycles, of->clock > 0 ? 1e6 * of->cycles / of->clock : 0, of->blocks,
                     of->own_blocks, of->cycles / of->columns,
                     of->all_barriers ? "; strips: from barrier to barrier" : "");
    for (uint32_t w = 0; w < of->warps; w += of->block_warps)
        fw_buffer_printf(d->out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">block %u</text>\n",
                         LEFT - 8, top_of(d, w) + fmin(10, d->block), w / of->block_warps);
}

void fw_report_timeline_svg(struct fw_buffer *out, const struct fw_answer *answer)
{
    const struct fw_timeline *of = answer->trace->timeline;
    struct drawing d = {.out = out, .of = of};
    uint32_t blocks = of->warps / of->block_warps, shown = 0;
    double strip = of->all_barriers ? STRIP : blocks > 16 ? 1 : 2;
    d.row = fmin(MOST_ROW, fmax(LEAST_ROW, (double)ROWS / of->warps));
    d.block = of->block_warps * d.row + strip;
    d.scale = WIDTH / of->cycles;
    d.bottom = TOP + blocks * d.block;
    d.stack = d.bottom + 8;
    d.legend = d.stack + STACK + 28;
    for (size_t p = 0; p < of->part_count; p++)
        shown += fw_timeline_share(of, p) >= 0.0005;
    double height = d.legend + LEGEND_ROW * (shown / 3 + 1) + 8;
    fw_buffer_printf(out,
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
                     "viewBox=\"0 0 %d %.0f\" font-family=\"sans-serif\" font-size=\"11\">\n"
                     "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
                     LEFT + WIDTH + RIGHT, height, LEFT + WIDTH + RIGHT, height);
    draw_labels(&d, answer);
    draw_styles(&d);
    for (uint32_t w = 0; w < of->warps; w++) {
        const unsigned char *states = states_of(&d, w);
        for (size_t p = 0; p < of->part_count; p++)
            if (strcmp(of->parts[p].name, "tail") != 0)
                draw_state(&d, w, states, p);
    }
    draw_phases(&d);
    draw_stack(&d);
    draw_axis(&d);
    draw_skips(&d);
    draw_legend(&d);
    fw_buffer_printf(out, "</svg>\n");
}
