/* The account of a prediction's time as text for people: by stall reason, and by line. */
#include "people_internal.h"

enum { FIRST_LINES = 8 };

static const double least_share = 0.0005; /* of the time, that is shown by itself */

bool people_follows_time(const struct fw_prediction *prediction)
{
    for (size_t a = 0; a < prediction->account_count; a++)
        if (strcmp(prediction->account[a].stall, "bottleneck") == 0)
            return false;
    return prediction->account_count > 0;
}

static void show_parts(struct page *page, const struct fw_prediction *prediction)
{
    struct fw_table_text text = table(page, "lrrl");
    double rest = 0;
    heading(page, people_follows_time(prediction)
                      ? "What the time goes to, by Nsight Compute's stall reasons"
                      : "What the time goes to");
    for (size_t a = 0; a < prediction->account_count; a++) {
        const struct fw_account_row *row = &prediction->account[a];
        if (row->share < least_share) {
            rest += row->seconds;
            continue;
        }
        bool beside = strcmp(row->stall, "not_overlapped") == 0;
        fw_table_cell(&text, "%s", row->name);
        fw_table_cell(&text, "%s", quantity(page, row->seconds, "seconds"));
        fw_table_cell(&text, "%s", quantity(page, row->share, "share"));
        fw_table_cell(&text, "%s%s", row->meaning, beside ? ", not overlapped" : "");
    }
    if (rest > 0) { /* the sum is the time */
        fw_table_cell(&text, "others");
        fw_table_cell(&text, "%s", quantity(page, rest, "seconds"));
        fw_table_cell(&text, "%s", quantity(page, rest / prediction->seconds, "share"));
        fw_table_cell(&text, "%s", "");
    }
    fw_table_print(&text, page->out);
}

/* "long_scoreboard.dram 80 %, wait 10 %": the parts that make up most of a line's time. */
static const char *main_parts(struct page *page, const struct fw_prediction *prediction,
                              const struct fw_code_row *row)
{
    enum { SHOWN = 2 };
    struct fw_buffer text = fw_buffer_new(page->arena);
    size_t before = prediction->account_count;
    for (int k = 0; k < SHOWN; k++) {
        size_t most = prediction->account_count;
        for (size_t a = 0; a < prediction->account_count; a++)
            if (a != before && row->parts[a] > 0 &&
                (most == prediction->account_count || row->parts[a] > row->parts[most]))
                most = a;
        if (most == prediction->account_count || row->parts[most] < 0.05 * row->seconds)
            break;
        fw_buffer_printf(&text, "%s%s %s", k ? ", " : "", prediction->account[most].name,
                         quantity(page, row->parts[most] / row->seconds, "share"));
        before = most;
    }
    return text.text ? text.text : "";
}

static const char *place_of(struct page *page, const char *file, uint32_t line)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    if (!file)
        return "no line";
    return fw_arena_printf(page->arena, "%s:%u", shown(page, slash ? slash + 1 : file), line);
}

/* The calls through which a line's function runs, below it. */
static void show_calls(struct page *page, struct fw_table_text *text, const struct fw_code_row *row)
{
    for (size_t c = 0; c < row->called_count; c++) {
        const struct fw_code_place *at = &row->called_at[c];
        fw_table_cell(text, "  in %s", place_of(page, at->file, at->line));
        fw_table_cell(text, "%s", "");
        fw_table_cell(text, "%s", "");
        fw_table_cell(text, "%s", "called there");
        fw_table_cell(text, "%s", at->text ? shown(page, at->text) : "");
    }
}

static void show_lines(struct page *page, const struct fw_prediction *prediction)
{
    struct fw_table_text text = table(page, "lrrll");
    size_t most = page->all_lines ? prediction->code_count : FIRST_LINES, left = 0;
    bool any = false;
    heading(page, people_follows_time(prediction)
                      ? "Lines by the time in which their instructions issue or wait"
                      : "Lines by their part of what the time goes to");
    for (size_t c = 0; c < prediction->code_count; c++) {
        const struct fw_code_row *row = &prediction->code[c];
        if (c >= most) {
            left++;
            continue;
        }
        any |= row->text != NULL;
        fw_table_cell(&text, "%s", place_of(page, row->file, row->line));
        fw_table_cell(&text, "%s", quantity(page, row->seconds, "seconds"));
        fw_table_cell(&text, "%s", quantity(page, row->share, "share"));
        fw_table_cell(&text, "%s", main_parts(page, prediction, row));
        fw_table_cell(&text, "%s", row->text ? shown(page, row->text) : "");
        show_calls(page, &text, row);
    }
    fw_table_print(&text, page->out);
    if (left)
        fw_buffer_printf(page->out, "  %zu more line%s: --lines\n", left, left == 1 ? "" : "s");
    if (!any && page->all_lines)
        fw_buffer_printf(page->out, "  the text of lines is shown where the source lies beside "
                                    "FILE\n");
}

void people_show_account(struct page *page, const struct fw_prediction *prediction)
{
    if (!prediction->account_count || !prediction->term_count) /* without terms there is one part */
        return;
    show_parts(page, prediction);
    if (prediction->has_code_lines)
        show_lines(page, prediction);
    else if (prediction->code_count)
        fw_buffer_printf(page->out, "  Lines are not known: the PTX has none (nvcc makes them with "
                                    "-lineinfo)\n");
}
