/* Facts of several sides, joined to rows. */
#include "diff_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FACTS = 100000 };

static const char *const section_texts[DIFF_SECTION_COUNT] = {
#define X(name, text) text,
    DIFF_SECTIONS(X)
#undef X
};

/* Numbers that differ by less come from the digits that JSON has. */
static const double SAME = 1e-9;

/* ---- rows ---- */

/* The line of a side as the first side has it; `own`: it has none. */
static uint32_t first_line(const struct diff_work *work, uint32_t line, bool *own)
{
    const uint32_t *lines = work->lines[work->side];
    *own = false;
    if (!line || !lines || line > work->line_counts[work->side])
        return line;
    *own = lines[line] == 0;
    return *own ? line : lines[line];
}

static struct fw_diff_row *row_of(struct diff_work *work, enum diff_section section,
                                  const char *name, const char *unit, uint32_t line)
{
    bool own, added;
    uint32_t at = first_line(work, line, &own);
    size_t side = own ? work->side : 0;
    const char *key = fw_arena_printf(work->arena, "%zu:%u:%s", side, at, name);
    struct fw_map_entry *entry = fw_map_add(&work->rows[section], key, strlen(key), &added);
    if (!added)
        return work->all.at[entry->value];
    if (work->all.count == MOST_FACTS) {
        if (!work->status)
            fw_report(work->sink, FW_ERROR, "DIF004", fw_span_of_source(work->source),
                      "more than %d facts", MOST_FACTS);
        work->status = FW_ERROR_INPUT;
        return NULL;
    }
    struct fw_diff_row *row = FW_NEW(work->arena, struct fw_diff_row);
    const struct fw_source *code = work->sides[side].code;
    *row =
        (struct fw_diff_row){.section = section_texts[section],
                             .name = fw_arena_text(work->arena, name, strlen(name)),
                             .unit = fw_arena_text(work->arena, unit, strlen(unit)),
                             .line = at,
                             .line_side = (uint32_t)side,
                             .cells = FW_ARRAY(work->arena, struct fw_diff_cell, work->side_count)};
    if (at && code)
        row->line_text = diff_line_text(work->arena, code, at);
    entry->value = (uint32_t)work->all.count;
    *FW_APPEND(work->arena, &work->all) = row;
    *FW_APPEND(work->arena, &work->sections) = section;
    return row;
}

void diff_text(struct diff_work *work, enum diff_section section, const char *name,
               const char *text)
{
    struct fw_diff_row *row = row_of(work, section, name, "", 0);
    if (row)
        row->cells[work->side] =
            (struct fw_diff_cell){true, fw_arena_text(work->arena, text, strlen(text)), 0};
}

void diff_number(struct diff_work *work, enum diff_section section, const char *name,
                 const char *unit, double value)
{
    struct fw_diff_row *row = row_of(work, section, name, unit, 0);
    if (row)
        row->cells[work->side] = (struct fw_diff_cell){true, NULL, value};
}

void diff_amount(struct diff_work *work, enum diff_section section, const char *name,
                 const char *unit, uint32_t line, double value)
{
    struct fw_diff_row *row = row_of(work, section, name, unit, line);
    if (!row)
        return;
    struct fw_diff_cell *cell = &row->cells[work->side];
    *cell = (struct fw_diff_cell){true, NULL, cell->known ? cell->value + value : value};
}

/* ---- reading ---- */

static json_t *load(const struct fw_source *source, json_error_t *error)
{
    return json_loadb(source->text, source->length, JSON_REJECT_DUPLICATES, error);
}

bool fw_diff_is_answer(const struct fw_source *source)
{
    json_error_t error;
    json_t *root = load(source, &error);
    bool is = root && json_is_string(json_object_get(root, "forewarp"));
    json_decref(root);
    return is;
}

struct opened {
    struct diff_work *work;
    json_t *root;
};

static enum fw_status read_opened(void *user)
{
    struct opened *opened = user;
    diff_read_answer(opened->work, opened->root);
    return opened->work->status;
}

static void close_opened(void *user)
{
    json_decref(((struct opened *)user)->root);
}

static enum fw_status read_one(struct diff_work *work, const struct fw_source *source)
{
    json_error_t error;
    struct opened opened = {work, load(source, &error)};
    work->source = source;
    if (!opened.root) {
        fw_report(work->sink, FW_ERROR, "DIF001",
                  fw_span_at(source, error.line > 0 ? (size_t)error.line : 1,
                             error.column > 0 ? (size_t)error.column : 1),
                  "not JSON: %.160s", error.text);
        return FW_ERROR_INPUT;
    }
    return fw_arena_finally(work->arena, read_opened, close_opened, &opened);
}

static void match_lines(struct diff_work *work)
{
    uint32_t *counts = FW_ARRAY(work->arena, uint32_t, work->side_count);
    work->lines = FW_ARRAY(work->arena, const uint32_t *, work->side_count);
    for (size_t s = 1; s < work->side_count; s++)
        if (work->sides[0].code && work->sides[s].code)
            work->lines[s] =
                diff_match_lines(work->arena, work->sides[0].code, work->sides[s].code, &counts[s]);
    work->line_counts = counts;
}

/* ---- order ---- */

static bool same_cell(const struct fw_diff_cell *a, const struct fw_diff_cell *b)
{
    if (a->known != b->known || !a->text != !b->text)
        return false;
    if (a->text)
        return strcmp(a->text, b->text) == 0;
    return !a->known || a->value == b->value ||
           fabs(a->value - b->value) <= SAME * fmax(fabs(a->value), fabs(b->value));
}

struct place {
    struct fw_diff_row *row;
    enum diff_section section;
    size_t number;
    double change; /* the largest difference from the first side */
};

static int by_section_and_change(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    if (x->change != y->change)
        return x->change > y->change ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

static struct place place_of(const struct diff_work *work, size_t r)
{
    struct place place = {work->all.at[r], work->sections.at[r], r, 0};
    for (size_t s = 1; s < work->side_count; s++) {
        const struct fw_diff_cell *first = &place.row->cells[0], *cell = &place.row->cells[s];
        place.row->changed |= !same_cell(first, cell);
        place.change = fmax(place.change, fabs(cell->value - first->value));
    }
    if (place.section <= DIFF_TIME) /* these stay in their own order */
        place.change = 0;
    return place;
}

enum fw_status fw_diff_find(struct fw_diff *diff, struct fw_arena *arena,
                            const struct fw_diff_side *sides, size_t count,
                            const struct fw_sink *sink)
{
    struct diff_work work = {.arena = arena, .sink = sink, .sides = sides, .side_count = count};
    *diff = (struct fw_diff){.side_count = count};
    for (int s = 0; s < DIFF_SECTION_COUNT; s++)
        work.rows[s] = fw_map_new(arena);
    match_lines(&work);
    for (; work.side < count; work.side++)
        for (size_t a = 0; a < sides[work.side].answer_count; a++) {
            enum fw_status status = read_one(&work, &sides[work.side].answers[a]);
            if (status)
                return status;
        }
    struct place *places = FW_ARRAY(arena, struct place, work.all.count + 1);
    for (size_t r = 0; r < work.all.count; r++)
        places[r] = place_of(&work, r);
    qsort(places, work.all.count, sizeof(*places), by_section_and_change);
    diff->names = FW_ARRAY(arena, const char *, count + 1);
    diff->rows = FW_ARRAY(arena, struct fw_diff_row *, work.all.count + 1);
    for (size_t s = 0; s < count; s++)
        diff->names[s] = sides[s].name;
    for (size_t r = 0; r < work.all.count; r++) {
        diff->rows[diff->row_count++] = places[r].row;
        diff->changed += places[r].row->changed;
    }
    return FW_OK;
}
