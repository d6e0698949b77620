/* Counts as text for people. */
#include "people_internal.h"

#include <stdio.h>

static const char *count_text(struct page *page, const struct fw_number *count)
{
    struct fw_buffer text = fw_buffer_new(page->arena);
    fw_report_count(&text, count);
    return text.text;
}

/* A count's number; nothing where its note is the formula instead. */
static const char *count_or_formula(struct page *page, const struct fw_number *count,
                                    const char *note)
{
    return !count->known && strncmp(note, "= ", 2) == 0 ? "" : count_text(page, count);
}

/* A text with PTX's own names of arguments made short. */
static const char *with_short_names(struct page *page, const char *at)
{
    const char *entry = page->answer->kernel->entry;
    size_t length = strlen(entry);
    struct fw_buffer text = fw_buffer_new(page->arena);
    while (*at) {
        if (strncmp(at, entry, length) == 0 && strncmp(at + length, "_param_", 7) == 0)
            at += length + 1;
        fw_buffer_add(&text, at++, 1);
    }
    return text.text ? text.text : "";
}

/* A count's formula with short names, and without isl's list of parameters; NULL when it is long.
 */
static const char *short_formula(struct page *page, const char *formula)
{
    enum { LONGEST = 240 };
    const char *begin = formula ? strstr(formula, "{ ") : NULL;
    const char *end = begin ? strstr(begin, " }") : NULL;
    const char *text = formula ? with_short_names(page, formula) : NULL;
    if (end && end[2] == '\0')
        text = with_short_names(page,
                                fw_arena_text(page->arena, begin + 2, (size_t)(end - begin) - 2));
    return text && strlen(text) <= LONGEST ? text : NULL;
}

/* A count's formula in people's notation, or in isl's where it has that alone. */
#define FORMULA_OF(row) ((row)->formula ? (row)->formula : (row)->symbolic), (row)->no_formula

/* "needs m, n": the arguments that a count is not known without, or the count's formula. */
static const char *needs_text(struct page *page, const char *formula, const char *no_formula,
                              const char *const *needs, size_t count)
{
    const char *brief = count ? short_formula(page, formula) : NULL;
    page->formulas |= brief != NULL;
    if (brief)
        return fw_arena_printf(page->arena, "= %s", brief);
    struct fw_buffer text = fw_buffer_new(page->arena);
    if (count && no_formula && strcmp(no_formula, "budget") == 0)
        fw_buffer_printf(&text, "formula not derived within the budget; ");
    for (size_t n = 0; n < count; n++)
        fw_buffer_printf(&text, n ? ", %s" : "needs %s", short_name(page, needs[n]));
    return text.text;
}

static void add_operation(struct page *page, struct fw_table_text *rows,
                          const struct fw_operation_row *row, const char *name, const char *type)
{
    fw_table_cell(rows, "%s", name);
    fw_table_cell(rows, "%s", type);
    const char *needs = needs_text(page, FORMULA_OF(row), row->needs, row->need_count);
    fw_table_cell(rows, "%s", count_or_formula(page, &row->count, needs));
    bool plain = strcmp(row->granularity, "thread") == 0 || is_domain(page);
    const char *unit = plain ? ""
                       : row->type[0] == 's' || row->type[0] == 'u' || row->type[0] == 'b'
                           ? "integer operations "
                           : "floating-point operations ";
    if (row->type[0] == 'b' && row->type[1] == 'f') /* bf16 */
        unit = plain ? "" : "floating-point operations ";
    fw_table_cell(rows, "%s%s", unit, needs);
}

static void show_operations(struct page *page, const char *title,
                            const struct fw_operation_row *rows, size_t count)
{
    if (!count)
        return;
    struct fw_table_text text = table(page, "llrl");
    heading(page, title);
    for (size_t r = 0; r < count; r++)
        add_operation(page, &text, &rows[r], rows[r].operation, rows[r].type);
    fw_table_print(&text, page->out);
}

static bool may_be_more_than_none(const struct fw_operation_row *row)
{
    return !row->count.known && !(row->formula && strcmp(row->formula, "0") == 0);
}

static void show_instructions(struct page *page)
{
    static const char *const groups[] = {
#define X(name, text) text,
        FW_INSTRUCTION_GROUPS(X)
#undef X
    };
    const struct fw_counts *counts = page->answer->counts;
    struct fw_table_text text = table(page, "llrl");
    heading(page, "Instructions executed by threads, by group");
    for (size_t g = 0; g < FW_INSTRUCTION_GROUP_COUNT; g++)
        if (counts->groups[g].count.value > 0 || may_be_more_than_none(&counts->groups[g]))
            add_operation(page, &text, &counts->groups[g], groups[g], "");
    add_operation(page, &text, &counts->total, "total", "");
    add_operation(page, &text, &counts->barriers, "of these, block-wide barriers", "");
    fw_table_print(&text, page->out);
}

static const char *strides(struct page *page, bool known, const int64_t at[3],
                           const char *const formulas[3])
{
    if (!known && (formulas[0] || formulas[1] || formulas[2]))
        return fw_arena_printf(page->arena, "%s %s %s", formulas[0] ? formulas[0] : "?",
                               formulas[1] ? formulas[1] : "?", formulas[2] ? formulas[2] : "?");
    if (!known)
        return "?";
    return fw_arena_printf(page->arena, "%lld %lld %lld", (long long)at[0], (long long)at[1],
                           (long long)at[2]);
}

/* "by warps $tag = formula", what there is of it. */
static const char *access_note(struct page *page, const struct fw_memory_row *row)
{
    const char *parts[] = {strcmp(row->granularity, "warp") == 0 ? "by warps" : "",
                           row->tag ? fw_arena_printf(page->arena, "$%s", row->tag) : "",
                           needs_text(page, FORMULA_OF(row), row->needs, row->need_count)};
    struct fw_buffer text = fw_buffer_new(page->arena);
    fw_buffer_add(&text, "", 0);
    for (size_t p = 0; p < sizeof(parts) / sizeof(parts[0]); p++)
        if (*parts[p])
            fw_buffer_printf(&text, "%s%s", text.length ? " " : "", parts[p]);
    return text.text;
}

static void show_memory(struct page *page)
{
    const struct fw_counts *counts = page->answer->counts;
    struct fw_table_text text = table(page, "llllrrlll");
    static const char *const titles[] = {"",      "",           "",          "", "line",
                                         "count", "by threads", "by blocks", ""};
    size_t shown = 0;
    for (size_t t = 0; t < sizeof(titles) / sizeof(titles[0]); t++)
        fw_table_cell(&text, "%s", titles[t]);
    for (size_t r = 0; r < counts->memory_count; r++) {
        const struct fw_memory_row *row = &counts->memory[r];
        if (strcmp(row->space, "param") == 0)
            continue;
        shown++;
        fw_table_cell(&text, "%s", row->space);
        fw_table_cell(&text, "%s", row->direction);
        fw_table_cell(&text, "%s, %u byte%s", row->type, row->bytes, row->bytes == 1 ? "" : "s");
        fw_table_cell(&text, "%s", row->array ? short_name(page, row->array) : "?");
        fw_table_cell(&text, "%s", row->line ? fw_arena_printf(page->arena, "%u", row->line) : "");
        const char *note = access_note(page, row);
        const char *formula = needs_text(page, FORMULA_OF(row), row->needs, row->need_count);
        fw_table_cell(&text, "%s", count_or_formula(page, &row->count, formula));
        fw_table_cell(
            &text, "%s",
            strides(page, row->has_thread_strides, row->thread_strides, row->thread_formulas));
        fw_table_cell(
            &text, "%s",
            strides(page, row->has_block_strides, row->block_strides, row->block_formulas));
        fw_table_cell(&text, "%s", note);
    }
    if (!shown)
        return;
    heading(page, "Memory accesses by threads; strides in elements for x, y, z");
    fw_table_print(&text, page->out);
}

static void show_footprints(struct page *page)
{
    const struct fw_counts *counts = page->answer->counts;
    struct fw_table_text text = table(page, "lllrrl");
    static const char *const titles[] = {"", "", "", "elements", "accesses to each", ""};
    if (!counts->footprint_count)
        return;
    for (size_t t = 0; t < sizeof(titles) / sizeof(titles[0]); t++)
        fw_table_cell(&text, "%s", titles[t]);
    for (size_t r = 0; r < counts->footprint_count; r++) {
        const struct fw_footprint_row *row = &counts->footprints[r];
        bool known = row->elements.known && row->accesses.known && row->elements.value > 0;
        fw_table_cell(&text, "%s", row->array);
        fw_table_cell(&text, "%s", row->direction);
        fw_table_cell(&text, "%s, %u byte%s", row->type, row->bytes, row->bytes == 1 ? "" : "s");
        const char *formula = row->formula ? row->formula : row->symbolic;
        const char *note = needs_text(page, formula, NULL, row->needs, row->need_count);
        fw_table_cell(&text, "%s", count_or_formula(page, &row->elements, note));
        fw_table_cell(
            &text, "%s",
            known ? fw_arena_printf(page->arena, "%.6g", row->accesses.value / row->elements.value)
                  : "");
        fw_table_cell(&text, "%s", note);
    }
    heading(page, "Footprints: distinct elements that loads or stores touch");
    fw_table_print(&text, page->out);
}

static void show_barriers(struct page *page)
{
    const struct fw_operation_row *row = &page->answer->counts->barriers;
    struct fw_table_text text = table(page, "lrl");
    if (row->count.known && row->count.value == 0)
        return;
    heading(page, "Barriers");
    fw_table_cell(&text, "executions by threads of block-wide barriers");
    const char *note = row->count.known || row->need_count
                           ? needs_text(page, FORMULA_OF(row), row->needs, row->need_count)
                           : "the statements have no order that would do";
    fw_table_cell(&text, "%s", count_or_formula(page, &row->count, note));
    fw_table_cell(&text, "%s", note);
    fw_table_print(&text, page->out);
}

void people_show_counts(struct page *page)
{
    const struct fw_counts *counts = page->answer->counts;
    char title[96];
    snprintf(title, sizeof(title), "%s",
             strcmp(page->answer->kernel->language, "json") == 0
                 ? "Operations by threads (as stated)"
             : is_domain(page) ? "Operations by warps (from the domains)"
                               : "Operations by threads (PTX instructions)");
    show_operations(page, title, counts->operations, counts->operation_count);
    show_operations(page, "What the device issues for them, by estimate", counts->machine,
                    counts->machine_count);
    if (!is_domain(page))
        show_instructions(page);
    show_memory(page);
    show_footprints(page);
    if (is_domain(page))
        show_barriers(page);
    if (counts->flops.known)
        fw_buffer_printf(page->out, "\n  %s floating-point operations in all\n",
                         count_text(page, &counts->flops));
}

/* What formulas hold under: the part of isl's text between ": " and " }". */
void people_show_assumptions(struct page *page)
{
    const struct fw_counts *counts = page->answer->counts;
    const char *text = counts ? counts->assumptions : NULL;
    const char *begin = text ? strstr(text, "{ : ") : NULL;
    size_t length = begin ? strlen(begin) : 0;
    if (!page->formulas || length < 7)
        return;
    char *inner = fw_arena_text(page->arena, begin + 4, length - 6);
    heading(page, "Formulas hold where");
    fw_buffer_printf(page->out, "  %s\n", shown(page, with_short_names(page, inner)));
}
