/* The timeline of a multiprocessor as text: a row a warp, a letter a column. */
#include "people_internal.h"
#include "timeline_style.h"

static double skipped(const struct fw_timeline *timeline)
{
    double sum = 0;
    for (size_t s = 0; s < timeline->skip_count; s++)
        sum += timeline->skips[s].until - timeline->skips[s].from;
    return sum;
}

/* Cycles between two barriers of one block, in the mean. */
static double phase_of(const struct fw_timeline *timeline)
{
    double blocks = timeline->warps / (timeline->block_warps ? timeline->block_warps : 1);
    double simulated = timeline->cycles - skipped(timeline);
    return timeline->all_barriers ? simulated * blocks / (double)timeline->all_barriers : 0;
}

static void show_rows(struct page *page, const struct fw_timeline *timeline)
{
    for (uint32_t w = 0; w < timeline->warps; w++) {
        fw_buffer_printf(page->out, "  %3u %3u  ", w / timeline->block_warps,
                         w % timeline->block_warps);
        for (uint32_t c = 0; c < timeline->columns; c++)
            fw_buffer_printf(page->out, "%c", fw_timeline_state(timeline, w, c)->letter);
        fw_buffer_printf(page->out, "\n");
    }
}

/* Columns of which nothing was simulated. */
static void show_skips(struct page *page, const struct fw_timeline *timeline)
{
    double width = timeline->cycles / timeline->columns;
    if (!timeline->skip_count)
        return;
    fw_buffer_printf(page->out, "  skipped  ");
    for (uint32_t c = 0; c < timeline->columns; c++) {
        bool inside = false;
        for (size_t s = 0; s < timeline->skip_count; s++)
            inside |= timeline->skips[s].from < (c + 0.5) * width &&
                      timeline->skips[s].until > (c + 0.5) * width;
        fw_buffer_printf(page->out, "%c", inside ? '~' : ' ');
    }
    fw_buffer_printf(page->out, "\n");
}

void people_show_timeline(struct page *page)
{
    const struct fw_timeline *timeline = page->answer->trace->timeline;
    struct fw_table_text legend = table(page, "llrl");
    if (!timeline || !timeline->columns || !timeline->block_warps)
        return;
    heading(page, "Timeline of one multiprocessor, by the model trace");
    fw_buffer_printf(page->out,
                     "  %.0f cycles, %.4g a column; %.0f of its %.0f block%s; what each warp "
                     "does\n  block, warp\n",
                     timeline->cycles, timeline->cycles / timeline->columns, timeline->blocks,
                     timeline->own_blocks, timeline->own_blocks > 1 ? "s" : "");
    show_rows(page, timeline);
    show_skips(page, timeline);
    for (size_t p = 0; p < timeline->part_count; p++) {
        double share = fw_timeline_share(timeline, p);
        if (share < 0.0005)
            continue;
        fw_table_cell(&legend, "%c", fw_timeline_style(timeline->parts[p].name)->letter);
        fw_table_cell(&legend, "%s", timeline->parts[p].name);
        fw_table_cell(&legend, "%s", quantity(page, share, "share"));
        fw_table_cell(&legend, "%s", timeline->parts[p].meaning);
    }
    fw_table_print(&legend, page->out);
    if (timeline->all_barriers)
        fw_buffer_printf(page->out,
                         "  %zu barriers of blocks; %.4g cycles from one of a block to its next\n",
                         timeline->all_barriers, phase_of(timeline));
    if (timeline->skip_count)
        fw_buffer_printf(page->out, "  ~ iterations that are not simulated: like those before\n");
}
