/* The account's bar, the memory chart, and occupancy over registers and block size. */
#include "page_internal.h"

#include "occupancy.h"

#include <math.h>
#include <string.h>

/* ---- account ---- */

void page_account_bar(struct fw_buffer *out, const struct fw_prediction *prediction)
{
    enum { WIDTH = 1000, HEIGHT = 30 };
    static const double least = 0.004;
    double x = 0, rest = 0;
    if (!prediction->account_count)
        return;
    fw_buffer_printf(out,
                     "<h3>What the time goes to <span class=\"soft\">by Nsight Compute's stall "
                     "reasons; shares of the time that the model %s predicts, "
                     "%s</span></h3>\n<figure><svg viewBox=\"0 0 %d %d\" "
                     "preserveAspectRatio=\"none\" style=\"height:30px\" role=\"img\" "
                     "aria-label=\"account of the time\">",
                     prediction->model, page_quantity(out, prediction->seconds, "seconds"), WIDTH,
                     HEIGHT);
    for (size_t a = 0; a < prediction->account_count; a++) {
        const struct fw_account_row *row = &prediction->account[a];
        double width = WIDTH * row->share;
        fw_buffer_printf(out,
                         "<rect x=\"%.2f\" width=\"%.2f\" height=\"%d\" fill=\"%s\"><title>%s: %s, "
                         "%.1f %%. ",
                         x, fmax(0, width - 1), HEIGHT, page_part_colour(row->name), row->name,
                         page_quantity(out, row->seconds, "seconds"), 100 * row->share);
        page_text(out, row->meaning);
        fw_buffer_printf(out, "</title></rect>");
        x += width;
    }
    fw_buffer_printf(out, "</svg></figure>\n<div class=\"key\">");
    for (size_t a = 0; a < prediction->account_count; a++) {
        const struct fw_account_row *row = &prediction->account[a];
        if (row->share < least) {
            rest += row->share;
            continue;
        }
        fw_buffer_printf(out, "<span title=\"");
        page_text(out, row->meaning);
        fw_buffer_printf(out, "\"><i style=\"background:%s\"></i>%s %.1f %%</span>",
                         page_part_colour(row->name), row->name, 100 * row->share);
    }
    if (rest > 0.0005)
        fw_buffer_printf(out, "<span>others %.1f %%</span>", 100 * rest);
    fw_buffer_printf(out, "</div>\n");
}

/* ---- memory ---- */

struct link {
    const char *title, *down, *up; /* what goes to the device's memory, and what comes from it */
    double down_bytes, up_bytes;
    double rate; /* of the device; 0: not known */
};

static double figure(const struct page_kernel *kernel, enum fw_figure which)
{
    double value;
    return fw_device_figure(kernel->device, which, &value) ? value : 0;
}

/* An arrow from a level to the next, as thick as its share of the most. */
static void arrow(struct fw_buffer *out, double x, double y, double width, bool right, double bytes,
                  double most, const char *what)
{
    double thick = bytes > 0 ? fmax(1, 12 * bytes / most) : 0.6;
    double tip = right ? x + width : x, tail = right ? x : x + width, back = right ? -8 : 8;
    double head = thick / 2 + 4;
    fw_buffer_printf(out,
                     "<path class=\"mark\" fill-opacity=\"%s\" d=\"M%.1f %.1fL%.1f %.1fv%.1fL%.1f "
                     "%.1fL%.1f %.1fv%.1fL%.1f %.1fz\"><title>%s: %s</title></path>"
                     "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>",
                     bytes > 0 ? "0.75" : "0.25", tail, y - thick / 2, tip + back, y - thick / 2,
                     -(head - thick / 2), tip, y, tip + back, y + head, -(head - thick / 2), tail,
                     y + thick / 2, what, page_quantity(out, bytes, "bytes"), x + width / 2,
                     y - head - 3, page_quantity(out, bytes, "bytes"));
}

static void level(struct fw_buffer *out, double x, double width, const char *title,
                  const char *below)
{
    fw_buffer_printf(
        out,
        "<rect class=\"box\" x=\"%.1f\" y=\"14\" width=\"%.1f\" height=\"116\" "
        "rx=\"4\"/><text class=\"b\" x=\"%.1f\" y=\"68\" text-anchor=\"middle\">%s"
        "</text><text class=\"t\" x=\"%.1f\" y=\"86\" text-anchor=\"middle\">%s</text>",
        x, width, x + width / 2, title, x + width / 2, below);
}

void page_memory_chart(struct fw_buffer *out, const struct page_kernel *kernel,
                       const struct fw_prediction *prediction)
{
    enum { BOX = 98, GAP = 76, WIDE = 4 * BOX + 3 * GAP + 8, SECTOR = 32 };
    const double loads = SECTOR * page_quantity_of(prediction, "global_load_sectors");
    const double stores = SECTOR * page_quantity_of(prediction, "global_store_sectors");
    const struct link links[] = {
        {"", "global stores", "global loads", stores, loads, 0},
        {"", "L1 to L2", "L2 to L1", page_quantity_of(prediction, "l1_to_l2_bytes"),
         page_quantity_of(prediction, "l2_to_l1_bytes"), figure(kernel, FW_FIGURE_L2_BANDWIDTH)},
        {"", "written to device memory", "read from device memory",
         page_quantity_of(prediction, "dram_write_bytes"),
         page_quantity_of(prediction, "dram_read_bytes"),
         figure(kernel, FW_FIGURE_DRAM_COPY_BANDWIDTH)}};
    const double shared = page_quantity_of(prediction, "shared_wavefronts");
    static const char *const titles[] = {"Warps", "L1", "L2", "DRAM"};
    double most = 1;
    if (!prediction->quantity_count)
        return;
    for (size_t l = 0; l < 3; l++)
        most = fmax(most, fmax(links[l].up_bytes, links[l].down_bytes));
    fw_buffer_printf(out,
                     "<figure><h3>Bytes between the levels <span class=\"soft\">of the launch"
                     "</span></h3><div class=\"wide\"><svg class=\"least\" "
                     "viewBox=\"0 0 %d 176\" role=\"img\" aria-label=\"memory chart\">",
                     WIDE);
    for (size_t l = 0; l < 4; l++) {
        const char *below = l == 0 ? ""
                            : l == 1
                                ? (shared > 0 ? fw_arena_printf(out->arena, "shared memory") : "")
                            : l == 2 && figure(kernel, FW_FIGURE_L2_BYTES) > 0
                                ? page_quantity(out, figure(kernel, FW_FIGURE_L2_BYTES), "bytes")
                            : l == 3 ? "device memory"
                                     : "";
        level(out, 4 + (double)l * (BOX + GAP), BOX, titles[l], below);
    }
    for (size_t l = 0; l < 3; l++) {
        double x = 4 + BOX + 4 + (double)l * (BOX + GAP);
        arrow(out, x, 56, GAP - 8, false, links[l].up_bytes, most, links[l].up);
        arrow(out, x, 108, GAP - 8, true, links[l].down_bytes, most, links[l].down);
        double bytes = links[l].up_bytes + links[l].down_bytes;
        const char *below =
            links[l].rate > 0 && kernel->seconds > 0
                ? fw_arena_printf(out->arena, "%s, %.0f %%",
                                  page_quantity(out, bytes / kernel->seconds, "bytes/s"),
                                  fmin(999, 100 * bytes / kernel->seconds / links[l].rate))
                : page_quantity(out, bytes / fmax(kernel->seconds, 1e-12), "bytes/s");
        fw_buffer_printf(out,
                         "<text class=\"t\" x=\"%.1f\" y=\"152\" text-anchor=\"middle\">%s</text>",
                         x + (GAP - 8) / 2.0, below);
    }
    fw_buffer_printf(out, "</svg></div><figcaption>Below the arrows: bytes a second over the whole "
                          "launch, and their share of the peak.");
    if (shared > 0)
        fw_buffer_printf(out, " Shared memory: %s.", page_quantity(out, shared, "wavefronts"));
    fw_buffer_printf(out, "</figcaption>");
    fw_buffer_printf(out, "</figure>\n");
}

/* ---- occupancy ---- */

static double share_of(const struct page_kernel *kernel, uint32_t threads, uint32_t registers)
{
    const struct fw_sink silent = {NULL, NULL};
    const struct fw_block_needs needs = {.threads = threads,
                                         .registers = registers,
                                         .shared_static = kernel->shared,
                                         .carve_out = -1};
    struct fw_occupancy occupancy;
    return fw_occupancy(&occupancy, kernel->device, &needs, &silent) ? 0 : occupancy.share;
}

static void occupancy_chart(struct fw_buffer *out, const struct page_kernel *kernel, bool registers)
{
    enum { WIDTH = 288, HEIGHT = 190 };
    const uint32_t last = registers ? 256 : 1024, step = registers ? 8 : 32;
    const uint32_t own = registers ? kernel->registers : kernel->threads;
    const struct page_scale x = {0, last, 44, WIDTH - 18, false};
    const struct page_scale y = {0, 1, HEIGHT - 40, 12, false};
    fw_buffer_printf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"occupancy\">",
                     WIDTH, HEIGHT);
    for (int share = 0; share <= 100; share += 25)
        fw_buffer_printf(out,
                         "<path class=\"g\" d=\"M44 %.1fH%d\"/><text class=\"t\" x=\"38\" "
                         "y=\"%.1f\" text-anchor=\"end\">%d %%</text>",
                         page_at(&y, share / 100.0), WIDTH - 12, page_at(&y, share / 100.0) + 4,
                         share);
    for (uint32_t at = 0; at <= last; at += last / 4)
        fw_buffer_printf(out,
                         "<text class=\"t\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%u</text>",
                         page_at(&x, at), HEIGHT - 24, at);
    fw_buffer_printf(out,
                     "<text class=\"t\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>"
                     "<path class=\"track\" stroke-width=\"1.6\" d=\"",
                     (WIDTH + 32) / 2, HEIGHT - 6,
                     registers ? "registers of a thread" : "threads of a block");
    for (uint32_t at = step; at <= last; at += step) {
        uint32_t value = registers && at == 256 ? 255 : at;
        double share = share_of(kernel, registers ? kernel->threads : value,
                                registers ? value : kernel->registers);
        fw_buffer_printf(out, at == step ? "M%.1f %.1f" : "H%.1fV%.1f", page_at(&x, at),
                         page_at(&y, share));
    }
    double share = share_of(kernel, kernel->threads, kernel->registers);
    fw_buffer_printf(out,
                     "\"/><circle class=\"mark\" cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\"><title>this "
                     "launch: %u, %.0f %%</title></circle></svg>",
                     page_at(&x, own), page_at(&y, share), own, 100 * share);
}

void page_occupancy_charts(struct fw_buffer *out, const struct page_kernel *kernel)
{
    if (!kernel->registers || !(share_of(kernel, kernel->threads, kernel->registers) > 0))
        return;
    fw_buffer_printf(out,
                     "<figure><h3>Occupancy <span class=\"soft\">%u registers, %u threads, "
                     "%s of shared memory</span></h3><div class=\"pair\">",
                     kernel->registers, kernel->threads,
                     page_quantity(out, (double)kernel->shared, "bytes"));
    occupancy_chart(out, kernel, true);
    occupancy_chart(out, kernel, false);
    fw_buffer_printf(out, "</div></figure>\n");
}
