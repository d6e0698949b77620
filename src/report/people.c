/* Answers as text for people. */
#include "report.h"
#include "table.h"

#include <stdio.h>
#include <string.h>

struct page {
    struct fw_buffer *out;
    struct fw_arena *arena;
    const struct fw_answer *answer;
    bool colour;
    bool formulas; /* some were shown */
};

static void heading(struct page *page, const char *text)
{
    fw_buffer_printf(page->out, page->colour ? "\n\033[1m%s\033[0m\n" : "\n%s\n", text);
}

static struct fw_table_text table(struct page *page, const char *sides)
{
    return (struct fw_table_text){.arena = page->arena, .sides = sides};
}

static const char *quantity(struct page *page, double value, const char *unit)
{
    struct fw_buffer text = fw_buffer_new(page->arena);
    fw_report_quantity(&text, value, unit);
    return text.text;
}

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

static const char *extents(struct page *page, const uint32_t at[3])
{
    if (at[2] != 1)
        return fw_arena_printf(page->arena, "%u x %u x %u", at[0], at[1], at[2]);
    if (at[1] != 1)
        return fw_arena_printf(page->arena, "%u x %u", at[0], at[1]);
    return fw_arena_printf(page->arena, "%u", at[0]);
}

/* PTX's own names of arguments begin with the kernel's: param_3 says it all. */
static const char *short_name(const struct page *page, const char *name)
{
    const char *entry = page->answer->kernel->entry;
    size_t length = strlen(entry);
    bool own = strncmp(name, entry, length) == 0 && strncmp(name + length, "_param_", 7) == 0;
    return own ? name + length + 1 : name;
}

static const char *with_short_names(struct page *page, const char *at);

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

static const char *value_of(struct page *page, const struct fw_argument_row *row)
{
    if (!row->is_bound)
        return row->is_pointer ? "pointer" : "not given";
    if (row->is_float)
        return fw_arena_printf(page->arena, "%g", row->number);
    return fw_arena_printf(page->arena, "%lld", (long long)row->integer);
}

/* "32 registers a thread (ptxas 13.0.88), spills of 24 bytes stored and 32 loaded". */
static const char *resources(struct page *page, const struct fw_kernel_row *kernel)
{
    struct fw_buffer text = fw_buffer_new(page->arena);
    fw_buffer_printf(&text, "%u registers a thread (%s)", kernel->registers,
                     kernel->assembler ? kernel->assembler : kernel->registers_source);
    if (kernel->spill_store_bytes || kernel->spill_load_bytes)
        fw_buffer_printf(&text, ", spills: %u bytes stored, %u loaded", kernel->spill_store_bytes,
                         kernel->spill_load_bytes);
    if (kernel->static_shared)
        fw_buffer_printf(&text, ", %u bytes of shared memory a block", kernel->static_shared);
    return text.text;
}

/* "TILE = 16, COARSE = 4". */
static const char *constants(struct page *page, const struct fw_kernel_row *kernel)
{
    struct fw_buffer text = fw_buffer_new(page->arena);
    for (size_t c = 0; c < kernel->constant_count; c++)
        fw_buffer_printf(&text, "%s%s = %lld", c ? ", " : "", kernel->constants[c].name,
                         (long long)kernel->constants[c].value);
    return text.text;
}

/* Counts straight from the kernel language: there are no instructions. */
static bool is_domain(const struct page *page)
{
    return strcmp(page->answer->kernel->layer, "domain") == 0;
}

static void show_kernel(struct page *page)
{
    const struct fw_answer *answer = page->answer;
    const struct fw_kernel_row *kernel = answer->kernel;
    struct fw_table_text rows = table(page, "ll");
    fw_table_cell(&rows, "kernel");
    fw_table_cell(&rows, "%s in %s%s%s", kernel->name, kernel->file, kernel->target ? ", " : "",
                  kernel->target ? kernel->target : "");
    if (strcmp(kernel->language, "knl") == 0) {
        fw_table_cell(&rows, "layer");
        fw_table_cell(&rows, is_domain(page)
                                 ? "domain: counted from the loop domains, before any compiler"
                                 : "ptx: the code generated from the loop domains, compiled");
    }
    if (kernel->constant_count) {
        fw_table_cell(&rows, "constants");
        fw_table_cell(&rows, "%s", constants(page, kernel));
    }
    if (kernel->compiler) {
        fw_table_cell(&rows, "compiler");
        fw_table_cell(&rows, "%s: %s", kernel->compiler, kernel->command);
    }
    uint64_t blocks = (uint64_t)answer->grid[0] * answer->grid[1] * answer->grid[2];
    if (kernel->registers) {
        fw_table_cell(&rows, "resources");
        fw_table_cell(&rows, "%s", resources(page, kernel));
    }
    fw_table_cell(&rows, "launch");
    fw_table_cell(&rows, "%s of %s threads%s%s",
                  blocks == 0 ? "blocks"
                  : blocks == 1
                      ? "1 block"
                      : fw_arena_printf(page->arena, "%s blocks", extents(page, answer->grid)),
                  extents(page, answer->block), answer->shared ? ", dynamic shared memory " : "",
                  answer->shared ? quantity(page, (double)answer->shared, "bytes") : "");
    for (size_t a = 0; a < kernel->argument_count; a++) {
        const struct fw_argument_row *row = &kernel->arguments[a];
        fw_table_cell(&rows, "%s", a == 0 ? "arguments" : "");
        fw_table_cell(&rows, "%u: %s %s = %s", row->position, row->type,
                      short_name(page, row->name), value_of(page, row));
    }
    fw_table_print(&rows, page->out);
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

/* What formulas hold under: the part of isl's text between ": " and " }". */
static void show_assumptions(struct page *page)
{
    const struct fw_counts *counts = page->answer->counts;
    const char *text = counts ? counts->assumptions : NULL;
    const char *begin = text ? strstr(text, "{ : ") : NULL;
    size_t length = begin ? strlen(begin) : 0;
    if (!page->formulas || length < 7)
        return;
    char *inner = fw_arena_text(page->arena, begin + 4, length - 6);
    heading(page, "Formulas hold where");
    fw_buffer_printf(page->out, "  %s\n", with_short_names(page, inner));
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

/* Arguments that counts asked for in vain, each once. */
static void show_missing(struct page *page)
{
    const struct fw_kernel_row *kernel = page->answer->kernel;
    struct fw_table_text text = table(page, "ll");
    bool any = false;
    for (size_t a = 0; a < kernel->argument_count; a++) {
        const struct fw_argument_row *row = &kernel->arguments[a];
        bool missing = false;
        for (size_t u = 0; u < page->answer->unknown_count && !missing; u++)
            missing = page->answer->unknowns[u].argument &&
                      strcmp(page->answer->unknowns[u].argument, row->name) == 0;
        if (!missing)
            continue;
        any = true;
        fw_table_cell(&text, "-s %s=VALUE", short_name(page, row->name));
        fw_table_cell(&text, "argument %u, %s", row->position, row->type);
    }
    if (!any)
        return;
    heading(page, "Arguments that counts need and that are not given");
    fw_table_print(&text, page->out);
}

static void show_unknowns(struct page *page)
{
    const struct fw_answer *answer = page->answer;
    struct fw_table_text text = table(page, "lll");
    bool any = false;
    for (size_t u = 0; u < answer->unknown_count; u++) {
        const struct fw_unknown_row *row = &answer->unknowns[u];
        if (row->argument)
            continue;
        any = true;
        fw_table_cell(&text, "%s", row->name);
        if (row->has_value)
            fw_table_cell(&text, strcmp(row->kind, "bytes") == 0 ? "= %.0f%s" : "= %g%s",
                          row->value, row->is_default ? " (default)" : "");
        else
            fw_table_cell(&text, "%s",
                          answer->emulation ? ""
                                            : "at most as often as its other conditions allow");
        fw_table_cell(&text, "%s", row->meaning);
    }
    if (any) {
        heading(page,
                is_domain(page) ? "Conditions that are not known: counted as if they held"
                : answer->emulation
                    ? "Frequencies of what is not known before the kernel runs (use them with -s "
                      "NAME=VALUE)"
                    : "Not known before the kernel runs (state a value with -s NAME=VALUE)");
        fw_table_print(&text, page->out);
    }
    show_missing(page);
    show_assumptions(page);
    if (answer->wraps) {
        heading(page, "Taken for granted");
        fw_buffer_printf(page->out,
                         "  %u value%s of 32 bits may wrap around at this launch%s: the "
                         "answer holds if none does\n",
                         answer->wraps, answer->wraps == 1 ? "" : "s",
                         answer->wraps_line ? fw_arena_printf(page->arena, ", the first in line %u",
                                                              answer->wraps_line)
                                            : "");
    }
}

static void show_emulation(struct page *page)
{
    const struct fw_emulation_row *row = page->answer->emulation;
    heading(page, "Emulated");
    fw_buffer_printf(page->out, "  %llu of %llu blocks ran%s\n",
                     (unsigned long long)row->blocks_run, (unsigned long long)row->blocks,
                     row->blocks_run == row->blocks ? "" : "; counts are scaled up from them");
    if (row->assumed_memory)
        fw_buffer_printf(page->out,
                         "  pointers that no --arg describes read as zeros: what depends on "
                         "loaded data went the way of zeros\n");
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

static void show_counts(struct page *page)
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

static const char *rate(struct page *page, const struct fw_cost_row *row)
{
    bool bytes = strcmp(row->unit, "bytes") == 0;
    return bytes ? quantity(page, row->rate, "bytes/s")
                 : fw_arena_printf(page->arena, "%s/s", quantity(page, row->rate, row->unit));
}

static void show_terms(struct page *page, const struct fw_prediction *prediction)
{
    struct fw_table_text text = table(page, "lrrrll");
    heading(page, "What each resource needs by itself");
    for (size_t t = 0; t < prediction->term_count; t++) {
        const struct fw_cost_row *row = &prediction->terms[t];
        fw_table_cell(&text, "%s", row->name);
        fw_table_cell(&text, "%s", quantity(page, row->seconds, "seconds"));
        fw_table_cell(&text, "%s", quantity(page, row->share, "share"));
        fw_table_cell(&text, "%s", quantity(page, row->amount, row->unit));
        fw_table_cell(&text, "at %s (%s)", rate(page, row), row->source);
        fw_table_cell(&text, "%s", row->meaning);
    }
    fw_table_print(&text, page->out);
    if (!prediction->line_count)
        return;
    heading(page,
            fw_arena_printf(page->arena, "Source lines by their part of %s", prediction->limiter));
    struct fw_table_text lines = table(page, "lrrr");
    for (size_t l = 0; l < prediction->line_count && l < 8; l++) {
        const struct fw_cost_row *row = &prediction->lines[l];
        fw_table_cell(&lines, "line %u", row->line);
        fw_table_cell(&lines, "%s", quantity(page, row->share, "share"));
        fw_table_cell(&lines, "%s", quantity(page, row->seconds, "seconds"));
        fw_table_cell(&lines, "%s", quantity(page, row->amount, row->unit));
    }
    fw_table_print(&lines, page->out);
}

static void show_measured(struct page *page, const struct fw_prediction *prediction)
{
    struct fw_table_text text = table(page, "lrrr");
    heading(page,
            "Predicted, measured, their ratio; the model's limiters are given what was measured");
    for (size_t r = 0; r < prediction->measured_count; r++) {
        const struct fw_measured_row *row = &prediction->measured[r];
        bool both = row->is_measured && row->measured > 0;
        fw_table_cell(&text, "%s", row->metric);
        fw_table_cell(&text, "%s", quantity(page, row->predicted, row->unit));
        fw_table_cell(&text, "%s",
                      row->is_measured ? quantity(page, row->measured, row->unit) : "");
        if (both)
            fw_table_cell(&text, "%.3f", row->predicted / row->measured);
        else
            fw_table_cell(&text, "%s", "");
    }
    fw_table_print(&text, page->out);
}

static void show_quantities(struct page *page, const struct fw_prediction *prediction)
{
    fw_report_quantities_text(page->out, prediction, page->colour);
    if (prediction->measured_count)
        show_measured(page, prediction);
}

static void show_prediction(struct page *page, const struct fw_prediction *prediction,
                            bool quantities_shown)
{
    struct fw_table_text text = table(page, "ll");
    heading(page, fw_arena_printf(page->arena, "Prediction on %s, model %s",
                                  page->answer->device_title, prediction->model));
    fw_table_cell(&text, "time");
    fw_table_cell(&text, "%s%s%s", quantity(page, prediction->seconds, "seconds"),
                  prediction->limiter ? ", limited by " : "",
                  prediction->limiter ? prediction->limiter : "");
    fw_table_cell(&text, "launch overhead");
    fw_table_cell(&text, "%s",
                  prediction->has_overhead ? quantity(page, prediction->overhead_seconds, "seconds")
                                           : "not known: the profile has no empty_kernel");
    fw_table_cell(&text, "conditions");
    fw_table_cell(&text, "%s, caches %s", quantity(page, prediction->clock, "hertz"),
                  prediction->cache);
    if (prediction->has_watts) {
        fw_table_cell(&text, "power");
        fw_table_cell(&text, "%s, %s a launch, where launches follow each other",
                      quantity(page, prediction->watts, "watts"),
                      quantity(page, prediction->joules, "joules"));
    }
    if (prediction->has_occupancy) {
        fw_table_cell(&text, "blocks");
        fw_table_cell(
            &text, "%u on a multiprocessor at a time (%s of its warps, limited by %s), %.4g waves",
            prediction->resident_blocks, quantity(page, prediction->occupancy, "share"),
            prediction->occupancy_limit, prediction->waves);
    }
    fw_table_print(&text, page->out);
    show_terms(page, prediction);
    if (!quantities_shown)
        show_quantities(page, prediction);
    heading(page, "Not modelled");
    for (size_t l = 0; l < prediction->not_modelled_count; l++)
        fw_buffer_printf(page->out, "  - %s\n", prediction->not_modelled[l]);
}

void fw_report_text(struct fw_buffer *out, const struct fw_answer *answer, bool colour,
                    bool quantities_first)
{
    struct page page = {out, out->arena, answer, colour, false};
    show_kernel(&page);
    if (answer->emulation)
        show_emulation(&page);
    if (answer->counts)
        show_counts(&page);
    for (size_t p = 0; quantities_first && p < answer->prediction_count; p++)
        show_quantities(&page, &answer->predictions[p]);
    for (size_t p = 0; p < answer->prediction_count; p++)
        show_prediction(&page, &answer->predictions[p], quantities_first);
    show_unknowns(&page);
}
