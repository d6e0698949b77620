/* The roofline: performance over arithmetic intensity at each level of the memory hierarchy, below
 * the bandwidth of each and the peak of the units (Williams, Waterman, Patterson 2009; by level:
 * Ilic, Pratas, Sousa 2014).  Kernels without floating-point operations are shown by instructions
 * (Ding, Williams 2019). */
#include "page_internal.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 560, HEIGHT = 320, LEFT = 56, RIGHT = 96, TOP = 14, BOTTOM = 46, LEVELS = 3 };

struct roof {
    const char *name;
    double rate;  /* bytes a second of the device */
    double bytes; /* of the launch */
};

static double figure(const struct page_kernel *kernel, enum fw_figure which)
{
    double value;
    return fw_device_figure(kernel->device, which, &value) ? value : 0;
}

static void axes(struct fw_buffer *out, const struct page_scale *x, const struct page_scale *y,
                 bool flops)
{
    for (double at = x->low; at <= x->high * 1.001; at *= 10)
        fw_buffer_printf(out,
                         "<path class=\"g\" d=\"M%.1f %dV%d\"/><text class=\"t\" x=\"%.1f\" "
                         "y=\"%d\" text-anchor=\"middle\">%s</text>",
                         page_at(x, at), TOP, HEIGHT - BOTTOM, page_at(x, at), HEIGHT - BOTTOM + 17,
                         page_decade_text(out, at));
    for (double at = y->low; at <= y->high * 1.001; at *= 10)
        fw_buffer_printf(out,
                         "<path class=\"g\" d=\"M%d %.1fH%d\"/><text class=\"t\" x=\"%d\" "
                         "y=\"%.1f\" text-anchor=\"end\">%s</text>",
                         LEFT, page_at(y, at), WIDTH - RIGHT, LEFT - 7, page_at(y, at) + 4,
                         page_decade_text(out, at));
    fw_buffer_printf(out,
                     "<text class=\"t\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s a byte at each "
                     "level</text>",
                     (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8,
                     flops ? "floating-point operations" : "instructions of threads");
}

/* A slanted roof up to the peak, named where it is lowest on the right. */
static void draw_roof(struct fw_buffer *out, const struct roof *roof, size_t number, double peak,
                      const struct page_scale *x, const struct page_scale *y)
{
    double from = fmax(x->low, y->low / roof->rate), until = fmin(x->high, peak / roof->rate);
    if (!(roof->rate > 0) || until <= from)
        return;
    fw_buffer_printf(
        out,
        "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\" stroke-width=\"1.6\"><title>%s: "
        "%s</title></path>",
        page_at(x, from), page_at(y, from * roof->rate), page_at(x, until),
        page_at(y, until * roof->rate), page_colour(number), roof->name,
        page_quantity(out, roof->rate, "bytes/s"));
}

static void draw_point(struct fw_buffer *out, const struct roof *roof, size_t number, double work,
                       double speed, const struct page_scale *x, const struct page_scale *y)
{
    if (!(roof->bytes > 0))
        return;
    double intensity = work / roof->bytes;
    fw_buffer_printf(
        out,
        "<path d=\"M%.1f %.1fV%.1f\" stroke=\"%s\" stroke-dasharray=\"2 3\"/>"
        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"><title>%s: %.3g a byte, "
        "%s</title></circle>",
        page_at(x, intensity), page_at(y, speed),
        page_at(y, fmax(speed, fmin(intensity * roof->rate, y->high))), page_colour(number),
        page_at(x, intensity), page_at(y, speed), 7 - 1.5 * (double)number, page_colour(number),
        roof->name, intensity, page_quantity(out, roof->bytes, "bytes"));
}

static void write_key(struct fw_buffer *out, const struct roof *roofs)
{
    fw_buffer_printf(out, "<div class=\"key\">");
    for (size_t r = 0; r < LEVELS; r++)
        fw_buffer_printf(out, "<span><i style=\"background:%s\"></i>%s, %s</span>", page_colour(r),
                         roofs[r].name, page_quantity(out, roofs[r].rate, "bytes/s"));
    fw_buffer_printf(out, "</div>");
}

static void draw_peak(struct fw_buffer *out, double peak, double widest, const char *name,
                      const struct page_scale *x, const struct page_scale *y)
{
    if (!(peak > 0) || !(widest > 0))
        return;
    fw_buffer_printf(out,
                     "<path class=\"x\" stroke-width=\"1.4\" d=\"M%.1f %.1fH%d\"/><text x=\"%d\" "
                     "y=\"%.1f\">%s</text><text class=\"t\" x=\"%d\" y=\"%.1f\">%s</text>",
                     page_at(x, fmax(x->low, peak / widest)), page_at(y, peak), WIDTH - RIGHT,
                     WIDTH - RIGHT + 6, page_at(y, peak) + 1, name, WIDTH - RIGHT + 6,
                     page_at(y, peak) + 15, page_quantity(out, peak, "per s"));
}

void page_roofline(struct fw_buffer *out, const struct page_kernel *kernel,
                   const struct fw_prediction *prediction)
{
    enum { LINE = 128, SECTOR = 32, ISSUED = 128 };
    const double cores = figure(kernel, FW_FIGURE_MULTIPROCESSORS) * kernel->clock;
    const bool flops = kernel->flops > 0;
    const double work = flops ? kernel->flops : kernel->instructions;
    const double peak = flops ? 2 * cores * figure(kernel, FW_FIGURE_LANES_F32) : cores * ISSUED;
    const double least = flops ? 2 * cores * figure(kernel, FW_FIGURE_LANES_F64) : 0;
    const struct roof roofs[LEVELS] = {
        {"L1", cores * LINE,
         SECTOR * (page_quantity_of(prediction, "global_load_sectors") +
                   page_quantity_of(prediction, "global_store_sectors"))},
        {"L2", figure(kernel, FW_FIGURE_L2_BANDWIDTH),
         page_quantity_of(prediction, "l2_to_l1_bytes") +
             page_quantity_of(prediction, "l1_to_l2_bytes")},
        {"device memory", figure(kernel, FW_FIGURE_DRAM_COPY_BANDWIDTH),
         page_quantity_of(prediction, "dram_read_bytes") +
             page_quantity_of(prediction, "dram_write_bytes")}};
    double low = INFINITY, high = 0, speed = work / kernel->seconds;
    if (!(work > 0) || !(peak > 0) || !prediction->quantity_count)
        return;
    for (size_t r = 0; r < LEVELS; r++) {
        if (!(roofs[r].bytes > 0) || !(roofs[r].rate > 0))
            continue;
        low = fmin(low, work / roofs[r].bytes);
        high = fmax(high, fmax(work / roofs[r].bytes, peak / roofs[r].rate));
    }
    if (!(high > 0))
        return;
    struct page_scale x = {.from = LEFT, .to = WIDTH - RIGHT};
    struct page_scale y = {.from = HEIGHT - BOTTOM, .to = TOP};
    page_decades(&x, fmin(low, 0.1), fmin(high * 3, 1e6));
    page_decades(&y, fmin(speed, peak / 1000), peak * 1.05);
    fw_buffer_printf(out,
                     "<figure><h3>Roofline <span class=\"soft\">%s: %s</span></h3>"
                     "<div class=\"wide\"><svg class=\"least\" viewBox=\"0 0 %d %d\" role=\"img\" "
                     "aria-label=\"roofline\">",
                     flops ? "floating-point operations a second"
                           : "instructions of threads a "
                             "second",
                     page_quantity(out, speed, "operations/s"), WIDTH, HEIGHT);
    axes(out, &x, &y, flops);
    for (size_t r = 0; r < LEVELS; r++)
        draw_roof(out, &roofs[r], r, peak, &x, &y);
    draw_peak(out, peak, roofs[0].rate, flops ? "f32" : "issue", &x, &y);
    if (least > 0 && least < peak * 0.4)
        draw_peak(out, least, roofs[0].rate, "f64", &x, &y);
    for (size_t r = 0; r < LEVELS; r++)
        draw_point(out, &roofs[r], r, work, speed, &x, &y);
    fw_buffer_printf(out, "</svg></div>");
    write_key(out, roofs);
    fw_buffer_printf(out, "</figure>\n");
}
