/* What the parts of a page share: escaped text, numbers, charts. */
#ifndef FW_PAGE_INTERNAL_H
#define FW_PAGE_INTERNAL_H

#include "page.h"
#include "report.h"

/* A kernel's parts, each written when its answer came. */
struct page_kernel {
    const char *name, *id;
    const char *row; /* of the summary */
    struct fw_buffer head, charts, lines, timeline;
    const struct fw_device *device;
    struct fw_prediction first; /* quantities of the prediction that stands first, alone */
    double seconds, clock;
    double flops, instructions; /* of the launch; 0: not known */
    uint32_t registers, threads;
    uint64_t shared;
};

struct fw_report_page {
    struct fw_arena *arena;
    const char *title;
    FW_VECTOR(struct page_kernel) kernels;
    struct fw_buffer rankings;
    size_t ranking_count;
};

/* page_writing.c: text of an input: control characters shown, HTML's own escaped. */
void page_text(struct fw_buffer *out, const char *text);
/* "2.26 ms", into the buffer's arena. */
const char *page_quantity(struct fw_buffer *out, double value, const char *unit);
/* Behind the last slash. */
const char *page_base_name(const char *path);
/* The style of the page, and a colour by number: eight that go with light and dark. */
extern const char *const page_style;
const char *page_colour(size_t number);
/* A stall reason's colour. */
const char *page_part_colour(const char *name);

/* page_charts.c: bars of the account, the memory chart, occupancy; each an <svg>. */
void page_account_bar(struct fw_buffer *out, const struct fw_prediction *prediction);
void page_memory_chart(struct fw_buffer *out, const struct page_kernel *kernel,
                       const struct fw_prediction *prediction);
void page_occupancy_charts(struct fw_buffer *out, const struct page_kernel *kernel);

/* page_unknowns.c: what data decide and which arguments are missing, with the values that were used
 * and the time at their ends; what the first prediction leaves out.  Nothing where there is none.
 */
void page_unknowns(struct fw_buffer *out, const struct fw_answer *answer);
void page_not_modelled(struct fw_buffer *out, const struct fw_answer *answer);

/* page_roofline.c: the roofline with the ceilings of each level; the kernel's device. */
void page_roofline(struct fw_buffer *out, const struct page_kernel *kernel,
                   const struct fw_prediction *prediction);

/* Of a quantity by its key: the value, or 0. */
double page_quantity_of(const struct fw_prediction *prediction, const char *key);

/* An axis whose values grow by factors: pixels of a value. */
struct page_scale {
    double low, high; /* values, above 0 where it is logarithmic */
    double from, to;  /* pixels */
    bool logarithmic;
};
double page_at(const struct page_scale *scale, double value);
/* Bounds of whole decades around values from `low` to `high`. */
void page_decades(struct page_scale *scale, double low, double high);
/* "10", "1k", "1M", "0.01": of a power of ten. */
const char *page_decade_text(struct fw_buffer *out, double value);

#endif
