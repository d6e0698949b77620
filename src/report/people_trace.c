/* The trace of a warp as text for people. */
#include "people_internal.h"

enum { COLUMNS = 84, MOST_CLASSES = 12 };

static const char *number_of(struct page *page, double value)
{
    struct fw_number number = {
        .value = value, .integer = (int64_t)value, .exact = true, .known = true};
    struct fw_buffer text = fw_buffer_new(page->arena);
    if (value < 0x1p53 && !(value < (double)(int64_t)value) && !(value > (double)(int64_t)value))
        fw_report_count(&text, &number);
    else
        fw_buffer_printf(&text, "%.6g", value);
    return text.text;
}

static const char *warp_name(struct page *page, const uint32_t block[3], uint32_t warp)
{
    const uint32_t *grid = page->answer->grid;
    if (grid[2] != 1)
        return fw_arena_printf(page->arena, "block %u,%u,%u, warp %u", block[0], block[1], block[2],
                               warp);
    if (grid[1] != 1)
        return fw_arena_printf(page->arena, "block %u,%u, warp %u", block[0], block[1], warp);
    return fw_arena_printf(page->arena, "block %u, warp %u", block[0], warp);
}

/* ", 12 threads, in 0.3 of the executions". */
static const char *restrictions(struct page *page, const struct fw_trace_row *row)
{
    struct fw_buffer text = fw_buffer_new(page->arena);
    if (row->lanes < page->answer->trace->warp_threads)
        fw_buffer_printf(&text, ", %.4g thread%s", row->lanes,
                         row->lanes > 1 || row->lanes < 1 ? "s" : "");
    if (row->share < 1)
        fw_buffer_printf(&text, ", in %.3g of the executions", row->share);
    return text.text ? text.text : "";
}

static void indent(struct page *page, uint32_t depth)
{
    fw_buffer_printf(page->out, "%*s", (int)(2 + 2 * depth), "");
}

/* "ld.f32  add.f32 x3  ...", broken into lines. */
static void show_instructions(struct page *page, const struct fw_trace_row *row)
{
    size_t column = 0;
    for (size_t i = 0, next; i < row->instruction_count; i = next) {
        for (next = i + 1; next < row->instruction_count &&
                           strcmp(row->instructions[i], row->instructions[next]) == 0;)
            next++;
        const char *name = shown(page, row->instructions[i]);
        const char *text =
            next - i > 1 ? fw_arena_printf(page->arena, "%s x%zu", name, next - i) : name;
        size_t length = strlen(text);
        if (column == 0 || column + 2 + length > COLUMNS) {
            fw_buffer_printf(page->out, column ? "\n" : "");
            indent(page, row->depth + 1);
            column = 2 * (size_t)row->depth + 4;
        } else {
            fw_buffer_printf(page->out, "  ");
            column += 2;
        }
        fw_buffer_printf(page->out, "%s", text);
        column += length;
    }
    fw_buffer_printf(page->out, "\n");
}

static void show_row(struct page *page, const struct fw_trace_row *row)
{
    indent(page, row->depth);
    if (row->is_loop) {
        fw_buffer_printf(page->out, "%s %s: %s iteration%s", row->enters ? "loop" : "     then",
                         shown(page, row->loop), number_of(page, row->trips),
                         row->trips > 1 || row->trips < 1 ? "s" : "");
        if (row->step > 0 || row->step < 0)
            fw_buffer_printf(page->out, ", %s %s in each iteration around it",
                             number_of(page, row->step > 0 ? row->step : -row->step),
                             row->step > 0 ? "more" : "fewer");
        fw_buffer_printf(page->out, "%s\n", row->enters ? restrictions(page, row) : "");
        return;
    }
    if (row->line && row->last_line && row->line != row->last_line)
        fw_buffer_printf(page->out, "lines %u to %u", row->line, row->last_line);
    else if (row->line)
        fw_buffer_printf(page->out, "line %u", row->line);
    else
        fw_buffer_printf(page->out, "no line");
    fw_buffer_printf(page->out, ", %zu instruction%s%s\n", row->instruction_count,
                     row->instruction_count == 1 ? "" : "s", restrictions(page, row));
    show_instructions(page, row);
}

static void show_statistics(struct page *page, const struct fw_trace_answer *trace)
{
    static const char *const groups[] = {
#define X(name, text) text,
        FW_INSTRUCTION_GROUPS(X)
#undef X
    };
    struct fw_table_text text = table(page, "lrr");
    heading(page, "Instructions of the warp");
    for (int g = 0; g < FW_INSTRUCTION_GROUP_COUNT; g++) {
        if (!(trace->groups[g] > 0))
            continue;
        fw_table_cell(&text, "%s", groups[g]);
        fw_table_cell(&text, "%s", number_of(page, trace->groups[g]));
        fw_table_cell(&text, "%s", quantity(page, trace->groups[g] / trace->issued, "share"));
    }
    fw_table_cell(&text, "all");
    fw_table_cell(&text, "%s", number_of(page, trace->issued));
    fw_table_cell(&text, "%s", "");
    fw_table_cell(&text, "by some of its threads");
    fw_table_cell(&text, "%s", number_of(page, trace->partial));
    fw_table_cell(&text, "%s",
                  trace->issued > 0 ? quantity(page, trace->partial / trace->issued, "share") : "");
    fw_table_print(&text, page->out);
    if (trace->issued > 0)
        fw_buffer_printf(page->out, "  %.4g of %u threads execute an instruction, in the mean\n",
                         trace->threads / trace->issued, trace->warp_threads);
    if (trace->sampled_loop)
        fw_buffer_printf(
            page->out, "  iterations of %s differ: 64 of them were evaluated, and stand for all\n",
            shown(page, trace->sampled_loop));
}

static void show_classes(struct page *page, const struct fw_trace_answer *trace)
{
    struct fw_table_text text = table(page, "rlrr");
    heading(page, "Warps with equal traces");
    fw_table_cell(&text, "warps");
    fw_table_cell(&text, "one of them");
    fw_table_cell(&text, "instructions");
    fw_table_cell(&text, "threads");
    for (size_t c = 0; c < trace->class_count && c < MOST_CLASSES; c++) {
        const struct fw_trace_class_row *row = &trace->classes[c];
        fw_table_cell(&text, "%s", number_of(page, row->warps));
        fw_table_cell(&text, "%s", warp_name(page, row->block, row->warp));
        fw_table_cell(&text, "%s", number_of(page, row->issued));
        fw_table_cell(&text, "%.4g", row->issued > 0 ? row->threads / row->issued : 0);
    }
    fw_table_print(&text, page->out);
    if (trace->class_count > MOST_CLASSES)
        fw_buffer_printf(page->out, "  and %zu further classes\n",
                         trace->class_count - MOST_CLASSES);
    fw_buffer_printf(
        page->out, "  %s warps; %u block%s evaluated%s\n", number_of(page, trace->warps),
        trace->traced_blocks, trace->traced_blocks == 1 ? " was" : "s were",
        trace->blocks_sampled ? ", others are taken to be like those between which they lie" : "");
}

void people_show_trace(struct page *page)
{
    const struct fw_trace_answer *trace = page->answer->trace;
    heading(page, fw_arena_printf(page->arena, "Trace of %s",
                                  warp_name(page, trace->block, trace->warp)));
    for (size_t r = 0; r < trace->row_count; r++)
        show_row(page, &trace->rows[r]);
    if (!trace->row_count)
        fw_buffer_printf(page->out, "  nothing\n");
    if (trace->cut)
        fw_buffer_printf(page->out, "  ... there is more of it\n");
    show_statistics(page, trace);
    if (trace->has_classes)
        show_classes(page, trace);
}
