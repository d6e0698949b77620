/* The parts of one kernel, as its answers come. */
#include "page_internal.h"

#include "timeline_svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *extents(struct fw_arena *arena, const uint32_t at[3])
{
    if (at[2] > 1)
        return fw_arena_printf(arena, "%u &times; %u &times; %u", at[0], at[1], at[2]);
    if (at[1] > 1)
        return fw_arena_printf(arena, "%u &times; %u", at[0], at[1]);
    return fw_arena_printf(arena, "%u", at[0]);
}

static void fact(struct fw_buffer *out, const char *value, const char *what)
{
    fw_buffer_printf(out, "<div><b>");
    page_text(out, value);
    fw_buffer_printf(out, "</b><span>");
    page_text(out, what);
    fw_buffer_printf(out, "</span></div>\n");
}

static void write_facts(struct fw_buffer *out, const struct fw_prediction *row)
{
    fw_buffer_printf(out, "<div class=\"facts\">\n");
    fact(out, page_quantity(out, row->seconds, "seconds"),
         fw_arena_printf(out->arena, "time, model %s, caches %s", row->model, row->cache));
    if (row->has_interval)
        fact(out,
             fw_arena_printf(out->arena, "%s to %s", page_quantity(out, row->low, "seconds"),
                             page_quantity(out, row->high, "seconds")),
             "interval of 90 %");
    if (row->limiter)
        fact(out, row->limiter, "limits it");
    if (row->has_occupancy)
        fact(out, page_quantity(out, row->occupancy, "share"),
             fw_arena_printf(out->arena, "occupancy, limited by %s", row->occupancy_limit));
    if (row->has_achieved_occupancy)
        fact(out, page_quantity(out, row->achieved_occupancy, "share"), "achieved occupancy");
    if (row->has_occupancy)
        fact(out, fw_arena_printf(out->arena, "%.2f", row->waves), "waves of blocks");
    if (row->has_watts)
        fact(out, page_quantity(out, row->watts, "watts"),
             fw_arena_printf(out->arena, "power, %s a launch",
                             page_quantity(out, row->joules, "joules")));
    if (row->has_overhead)
        fact(out, page_quantity(out, row->overhead_seconds, "seconds"), "launch overhead");
    fw_buffer_printf(out, "</div>\n");
}

static void write_advice(struct fw_buffer *out, const struct fw_answer *answer)
{
    if (!answer->has_advice)
        return;
    fw_buffer_printf(out, "<h3>What to change <span class=\"soft\">predicted by asking the model "
                          "again; &le; marks an upper bound</span></h3>\n");
    if (!answer->advice_count)
        fw_buffer_printf(out, "<p class=\"soft\">No change that the advice knows saves 3 %% of the "
                              "time.</p>\n");
    else
        fw_buffer_printf(out, "<ol class=\"advice\">\n");
    for (size_t r = 0; r < answer->advice_count; r++) {
        const struct fw_advice_row *row = &answer->advice[r];
        fw_buffer_printf(out,
                         "<li><div><b>%s&times; %.2f</b><span class=\"sub\">%s</span></div><div>",
                         row->at_most ? "&le; " : "", 1 / (1 - row->gain),
                         page_quantity(out, row->seconds, "seconds"));
        page_text(out, row->sentence);
        if (row->line && row->file) {
            fw_buffer_printf(out, " <span class=\"sub\">");
            page_text(out, page_base_name(row->file));
            fw_buffer_printf(out, ":%u</span>", row->line);
        }
        fw_buffer_printf(out, "</div></li>\n");
    }
    if (answer->advice_count)
        fw_buffer_printf(out, "</ol>\n");
}

/* Costs of resources before overlap, as bars. */
static void write_terms(struct fw_buffer *out, const struct fw_prediction *prediction)
{
    enum { SHOWN = 8 };
    fw_buffer_printf(out,
                     "<h3>What each resource needs by itself</h3>\n<div class=\"wide\"><table>\n");
    for (size_t t = 0; t < prediction->term_count && t < SHOWN; t++) {
        const struct fw_cost_row *row = &prediction->terms[t];
        fw_buffer_printf(out, "<tr><td>");
        page_text(out, row->name);
        fw_buffer_printf(
            out,
            "</td><td style=\"width:34%%\"><svg viewBox=\"0 0 100 10\" "
            "preserveAspectRatio=\"none\" width=\"100%%\" height=\"10\"><rect "
            "class=\"mark\" y=\"1\" height=\"8\" width=\"%.1f\"/></svg></td>"
            "<td class=\"n\">%s</td><td class=\"n\">%.0f %%</td><td class=\"soft far\">",
            fmax(0.3, 100 * row->share), page_quantity(out, row->seconds, "seconds"),
            100 * row->share);
        page_text(out, row->meaning ? row->meaning : "");
        fw_buffer_printf(out, "</td></tr>\n");
    }
    fw_buffer_printf(out, "</table></div>\n");
}

static void write_heading(struct page_kernel *kernel, const struct fw_answer *answer)
{
    struct fw_buffer *out = &kernel->head;
    const struct fw_kernel_row *row = answer->kernel;
    fw_buffer_printf(out, "<h2 id=\"%s\">", kernel->id);
    page_text(out, row->name);
    fw_buffer_printf(out, "</h2>\n<p class=\"soft\">");
    page_text(out, kernel->name);
    fw_buffer_printf(out, " &middot; %s blocks of %s threads", extents(out->arena, answer->grid),
                     extents(out->arena, answer->block));
    if (row->registers)
        fw_buffer_printf(out, " &middot; %u registers (%s)", row->registers, row->registers_source);
    if (kernel->shared)
        fw_buffer_printf(out, " &middot; %s of shared memory",
                         page_quantity(out, (double)kernel->shared, "bytes"));
    fw_buffer_printf(out, " &middot; ");
    page_text(out, answer->device_title ? answer->device_title : "");
    fw_buffer_printf(out, "</p>\n");
}

static const char *summary_row(const struct page_kernel *kernel, const struct fw_answer *answer)
{
    struct fw_arena *arena = kernel->head.arena;
    struct fw_buffer text = fw_buffer_new(arena), *out = &text;
    const struct fw_prediction *row = &answer->predictions[0];
    fw_buffer_printf(out, "<tr><td class=\"name\"><a href=\"#%s\">", kernel->id);
    page_text(out, answer->kernel->name);
    fw_buffer_printf(out, "</a></td><td class=\"n\">%s</td><td>",
                     page_quantity(out, row->seconds, "seconds"));
    page_text(out, row->limiter ? row->limiter : "");
    fw_buffer_printf(out, "</td><td class=\"n\">%s</td><td class=\"n\">%s</td><td>",
                     row->has_occupancy ? page_quantity(out, row->occupancy, "share") : "",
                     row->has_watts ? page_quantity(out, row->watts, "watts") : "");
    if (answer->advice_count) {
        page_text(out, answer->advice[0].rule);
        fw_buffer_printf(out, " <span class=\"soft\">%s&times; %.2f</span>",
                         answer->advice[0].at_most ? "at most " : "",
                         1 / (1 - answer->advice[0].gain));
    }
    fw_buffer_printf(out, "</td></tr>\n");
    return text.text;
}

/* What a profiler measured of the same launch. */
static void write_measured(struct fw_buffer *out, const struct fw_prediction *prediction)
{
    if (!prediction->measured_count)
        return;
    fw_buffer_printf(out,
                     "<h3>Beside a profiler's counters</h3>\n<div class=\"wide\"><table><tr><th>"
                     "quantity</th><th class=\"n\">predicted</th><th class=\"n\">measured</th>"
                     "<th class=\"n\">ratio</th><th>metric</th></tr>\n");
    for (size_t m = 0; m < prediction->measured_count; m++) {
        const struct fw_measured_row *row = &prediction->measured[m];
        if (!row->is_measured)
            continue;
        fw_buffer_printf(out, "<tr><td>%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td>",
                         row->key, page_quantity(out, row->predicted, row->unit),
                         page_quantity(out, row->measured, row->unit));
        fw_buffer_printf(out, row->measured > 0 ? "<td class=\"n\">%.2f</td>" : "<td></td>",
                         row->predicted / row->measured);
        fw_buffer_printf(out, "<td><code>%s</code></td></tr>\n", row->metric);
    }
    fw_buffer_printf(out, "</table></div>\n");
}

void fw_report_page_prediction(struct fw_report_page *page, const char *name,
                               const struct fw_device *device, const struct fw_answer *answer)
{
    struct fw_arena *arena = page->arena;
    struct page_kernel *kernel = FW_APPEND(arena, &page->kernels);
    const struct fw_prediction *first = &answer->predictions[0];
    const uint32_t *block = answer->block;
    const struct fw_kernel_row *row = answer->kernel;
    *kernel = (struct page_kernel){
        .name = fw_arena_text(arena, name, strlen(name)),
        .id = fw_arena_printf(arena, "kernel-%zu", page->kernels.count),
        .head = fw_buffer_new(arena),
        .charts = fw_buffer_new(arena),
        .lines = fw_buffer_new(arena),
        .timeline = fw_buffer_new(arena),
        .device = device,
        .seconds = first->seconds,
        .clock = first->clock,
        .first = {.model = first->model,
                  .quantities = fw_arena_copy(arena, first->quantities,
                                              first->quantity_count * sizeof(*first->quantities)),
                  .quantity_count = first->quantity_count},
        .registers = row->registers,
        .threads = block[0] * block[1] * block[2],
        .shared = row->static_shared + answer->shared};
    write_heading(kernel, answer);
    write_facts(&kernel->head, first);
    page_unknowns(&kernel->head, answer);
    write_advice(&kernel->head, answer);
    kernel->row = summary_row(kernel, answer);
    write_measured(&kernel->lines, first);
    write_terms(&kernel->lines, first);
    page_not_modelled(&kernel->lines, answer);
}

bool fw_report_page_has_traffic(const struct fw_report_page *page)
{
    return page->kernels.at[page->kernels.count - 1].first.quantity_count > 0;
}

void fw_report_page_counts(struct fw_report_page *page, const struct fw_answer *answer)
{
    struct page_kernel *kernel = &page->kernels.at[page->kernels.count - 1];
    if (!answer->counts)
        return;
    kernel->flops = answer->counts->flops.known ? answer->counts->flops.value : 0;
    kernel->instructions =
        answer->counts->total.count.known ? answer->counts->total.count.value : 0;
}

static int by_place(const void *a, const void *b)
{
    const struct fw_code_row *one = *(const struct fw_code_row *const *)a;
    const struct fw_code_row *other = *(const struct fw_code_row *const *)b;
    int files = strcmp(one->file, other->file);
    return files ? files : one->line < other->line ? -1 : one->line > other->line;
}

/* The calls through which a line's function runs, below its text. */
static void write_calls(struct fw_buffer *out, const struct fw_code_row *row)
{
    for (size_t c = 0; c < row->called_count; c++) {
        const struct fw_code_place *at = &row->called_at[c];
        fw_buffer_printf(out, "<br><span class=\"soft\">called at ");
        page_text(out, page_base_name(at->file));
        fw_buffer_printf(out, ":%u%s", at->line, at->text ? "  " : "");
        page_text(out, at->text ? at->text : "");
        fw_buffer_printf(out, "</span>");
    }
}

/* Lines of the source that take time, in their order, as dark as their share. */
static void write_lines(struct fw_buffer *out, const struct fw_prediction *prediction)
{
    const struct fw_code_row **rows =
        FW_ARRAY(out->arena, const struct fw_code_row *, prediction->code_count + 1);
    size_t count = 0;
    double most = 1e-9;
    const char *file = NULL;
    for (size_t c = 0; c < prediction->code_count; c++)
        if (prediction->code[c].file) {
            rows[count++] = &prediction->code[c];
            most = fmax(most, prediction->code[c].share);
        }
    if (!count || !prediction->has_code_lines)
        return;
    qsort(rows, count, sizeof(*rows), by_place);
    fw_buffer_printf(out, "<h3>Source, by the time in which a line's instructions issue or "
                          "wait</h3>\n<div class=\"wide\"><table class=\"lines\">\n");
    for (size_t r = 0; r < count; r++) {
        if (!file || strcmp(file, rows[r]->file) != 0) {
            file = rows[r]->file;
            fw_buffer_printf(out, "<tr><td></td><td></td><td class=\"soft\">");
            page_text(out, page_base_name(file));
            fw_buffer_printf(out, "</td></tr>\n");
        }
        size_t main = 0;
        for (size_t a = 1; a < prediction->account_count; a++)
            if (rows[r]->parts[a] > rows[r]->parts[main])
                main = a;
        fw_buffer_printf(out, "<tr title=\"");
        if (prediction->account_count)
            fw_buffer_printf(out, "most of it %s, %s", prediction->account[main].name,
                             page_quantity(out, rows[r]->parts[main], "seconds"));
        fw_buffer_printf(out,
                         "\"><td class=\"n\">%.1f %%</td><td class=\"n soft\">%u</td><td "
                         "class=\"code\" style=\"background:rgba(var(--heat),%.2f)\">",
                         100 * rows[r]->share, rows[r]->line, 0.55 * rows[r]->share / most);
        page_text(out, rows[r]->text ? rows[r]->text : " ");
        write_calls(out, rows[r]);
        fw_buffer_printf(out, "</td></tr>\n");
    }
    fw_buffer_printf(out, "</table></div>\n");
}

void fw_report_page_models(struct fw_report_page *page, const struct fw_answer *answer)
{
    struct page_kernel *kernel = &page->kernels.at[page->kernels.count - 1];
    const struct fw_prediction *traffic = kernel->first.quantity_count ? &kernel->first : NULL;
    const struct fw_prediction *trace = NULL;
    for (size_t p = 0; p < answer->prediction_count; p++) {
        const struct fw_prediction *row = &answer->predictions[p];
        traffic = row->quantity_count && !traffic ? row : traffic;
        trace = row->account_count && !trace ? row : trace;
    }
    if (trace)
        page_account_bar(&kernel->head, trace);
    if (traffic) {
        fw_buffer_printf(&kernel->charts, "<div class=\"two\">\n");
        page_memory_chart(&kernel->charts, kernel, traffic);
        page_occupancy_charts(&kernel->charts, kernel);
        fw_buffer_printf(&kernel->charts, "</div>\n<div class=\"two\">\n");
        page_roofline(&kernel->charts, kernel, traffic);
    } else {
        fw_buffer_printf(&kernel->charts, "<div class=\"two\">\n");
        page_occupancy_charts(&kernel->charts, kernel);
    }
    fw_buffer_printf(&kernel->charts, "<div>\n");
    if (trace)
        write_lines(&kernel->charts, trace);
    fw_buffer_printf(&kernel->charts, "</div></div>\n");
}

/* The timeline without what is told of each warp in each state: that is most of its bytes. */
static void add_without_warps(struct fw_buffer *out, const char *svg)
{
    static const char begin[] = "<title>block ", end[] = "</title>";
    for (const char *at; (at = strstr(svg, begin)) != NULL;) {
        const char *behind = strstr(at, end);
        if (!behind)
            break;
        fw_buffer_add(out, svg, (size_t)(at - svg));
        svg = behind + strlen(end);
    }
    fw_buffer_add(out, svg, strlen(svg));
}

void fw_report_page_timeline(struct fw_report_page *page, const struct fw_answer *answer)
{
    struct page_kernel *kernel = &page->kernels.at[page->kernels.count - 1];
    struct fw_buffer *out = &kernel->timeline, svg = fw_buffer_new(page->arena);
    if (!answer->trace || !answer->trace->timeline)
        return;
    fw_buffer_printf(out, "<details><summary>Timeline of one multiprocessor</summary>\n<div "
                          "class=\"timeline\">\n");
    fw_report_timeline_svg(&svg, answer);
    add_without_warps(out, svg.text);
    fw_buffer_printf(out, "</div></details>\n");
}
