/* What the parts of an answer's text share. */
#ifndef FW_PEOPLE_INTERNAL_H
#define FW_PEOPLE_INTERNAL_H

#include "report.h"
#include "table.h"

#include <string.h>

struct page {
    struct fw_buffer *out;
    struct fw_arena *arena;
    const struct fw_answer *answer;
    bool colour;
    bool all_lines, metrics;
    bool formulas; /* some were shown */
};

static inline void heading(struct page *page, const char *text)
{
    fw_buffer_printf(page->out, page->colour ? "\n\033[1m%s\033[0m\n" : "\n%s\n",
                     fw_text_shown(page->out->arena, text, strlen(text)));
}

static inline struct fw_table_text table(struct page *page, const char *sides)
{
    return (struct fw_table_text){.arena = page->arena, .sides = sides};
}

/* What comes from an input, outside of tables. */
static inline const char *shown(struct page *page, const char *text)
{
    return fw_text_shown(page->arena, text, strlen(text));
}

static inline const char *quantity(struct page *page, double value, const char *unit)
{
    struct fw_buffer text = fw_buffer_new(page->arena);
    fw_report_quantity(&text, value, unit);
    return text.text;
}

/* PTX's own names of arguments begin with the kernel's: param_3 says it all. */
static inline const char *short_name(const struct page *page, const char *name)
{
    const char *entry = page->answer->kernel->entry;
    size_t length = strlen(entry);
    bool own = strncmp(name, entry, length) == 0 && strncmp(name + length, "_param_", 7) == 0;
    return own ? name + length + 1 : name;
}

/* Counts straight from the kernel language: there are no instructions. */
static inline bool is_domain(const struct page *page)
{
    return strcmp(page->answer->kernel->layer, "domain") == 0;
}

/* people_counts.c: operations, instructions, accesses, footprints, barriers; and, behind all else,
 * what the formulas that were shown hold under. */
void people_show_counts(struct page *page);
void people_show_assumptions(struct page *page);

/* people_trace.c: the trace of a warp, its statistics, classes of warps. */
void people_show_trace(struct page *page);
/* people_timeline.c: the timeline, where there is one. */
void people_show_timeline(struct page *page);

/* people_advice.c: what to change. */
void people_show_advice(struct page *page);
/* people_orders.c: times by the order of issue. */
void people_show_issue_orders(struct page *page);

/* people_account.c: what the time goes to, and in which lines. */
void people_show_account(struct page *page, const struct fw_prediction *prediction);
/* Whether the account is by stall reasons, not by terms. */
bool people_follows_time(const struct fw_prediction *prediction);

#endif
