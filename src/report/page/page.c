/* The frame of a page, and its summary. */
#include "page_internal.h"

#include <string.h>

struct fw_report_page *fw_report_page_new(struct fw_arena *arena, const char *title)
{
    struct fw_report_page *page = FW_NEW(arena, struct fw_report_page);
    page->arena = arena;
    page->title = title ? fw_arena_text(arena, title, strlen(title)) : "Before it runs";
    page->rankings = fw_buffer_new(arena);
    return page;
}

static void add(struct fw_buffer *out, const struct fw_buffer *part)
{
    if (part->text)
        fw_buffer_add(out, part->text, strlen(part->text));
}

static void write_summary(struct fw_buffer *out, const struct fw_report_page *page)
{
    if (!page->kernels.count)
        return;
    fw_buffer_printf(out,
                     "<div class=\"wide\"><table>\n<tr><th>kernel</th><th class=\"n\">time</th>"
                     "<th>limited by</th><th class=\"n\">occupancy</th><th class=\"n\">power"
                     "</th><th>first advice</th></tr>\n");
    for (size_t k = 0; k < page->kernels.count; k++)
        fw_buffer_printf(out, "%s", page->kernels.at[k].row);
    fw_buffer_printf(out, "</table></div>\n");
}

void fw_report_page_write(struct fw_buffer *out, const struct fw_report_page *page)
{
    fw_buffer_printf(out,
                     "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "style-src 'unsafe-inline'\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    page_text(out, page->title);
    fw_buffer_printf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n<h1>",
                     page_style);
    page_text(out, page->title);
    fw_buffer_printf(out,
                     "</h1>\n<p class=\"soft\">Predictions of forewarp %s: no GPU has run these "
                     "kernels for this page.</p>\n",
                     fw_version());
    write_summary(out, page);
    for (size_t k = 0; k < page->kernels.count; k++) {
        const struct page_kernel *kernel = &page->kernels.at[k];
        add(out, &kernel->head);
        add(out, &kernel->charts);
        add(out, &kernel->lines);
        add(out, &kernel->timeline);
    }
    add(out, &page->rankings);
    fw_buffer_printf(out, "</main>\n</body>\n</html>\n");
}
