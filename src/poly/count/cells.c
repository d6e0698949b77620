#include "cells.h"

#include <string.h>

enum { CELLS_MOST = 600, PAIRS_MOST = 128 };

/* The leaves that may still count somewhere in a region. */
struct region {
    struct state lines;
    const struct leaf **leaves;
    size_t count;
};

struct overlay {
    struct summation *summation;
    fw_cells cells;
    unsigned regions;
    bool whole; /* cells where the count is 0 as well */
};

static bool is_empty(struct summation *s, const struct state *state, struct line *const *more,
                     uint32_t more_count)
{
    struct work *work = s->work;
    struct state both = fw_state_new(work, state->count + more_count + 2, 0, state->weight);
    for (uint32_t i = 0; i < state->count; i++)
        both.lines[both.count++] = state->lines[i];
    for (uint32_t i = 0; i < more_count; i++)
        both.lines[both.count++] = more[i];
    return !fw_state_tidy(s, &both) || !fw_state_reduce(s, &both);
}

/* line <= -1, or, for sign -1, line >= 1 */
static struct line *beyond(struct work *work, const struct line *line, int sign)
{
    struct line *zero = fw_line_new(work, 1, false);
    zero->at[0] = integer_constant(-1);
    return fw_line_combine(work, integer_constant(-sign), line, integer_constant(1), zero);
}

/* Whether a guard holds in all of a region. */
static bool is_implied(struct summation *s, const struct state *region, struct line *guard)
{
    for (int sign = 1; sign >= (guard->equality ? -1 : 1); sign -= 2) {
        struct line *outside = beyond(s->work, guard, sign);
        if (!is_empty(s, region, &outside, 1))
            return false;
    }
    return true;
}

static void add_cell(struct overlay *overlay, const struct state *region, struct polynomial *value)
{
    struct work *work = overlay->summation->work;
    if (overlay->cells.count == CELLS_MOST)
        fw_work_fail(work, FW_ERROR_BUDGET);
    if (polynomial_is_zero(value) && !overlay->whole)
        return;
    *FW_APPEND(work->arena, &overlay->cells) =
        (struct cell){.lines = region->lines, .count = region->count, .value = value};
}

static struct state with(struct summation *s, const struct state *region, struct line *line)
{
    struct state result = fw_state_new(s->work, region->count + 2, 0, region->weight);
    memcpy(result.lines, region->lines, region->count * sizeof(struct line *));
    result.count = region->count;
    fw_state_push(s->work, &result, line);
    return result;
}

static void divide(struct overlay *overlay, const struct region *region);

/* The part of a region beyond a line, without the leaves that the region's points rule out. */
static void divide_part(struct overlay *overlay, const struct region *region, struct line *line)
{
    struct summation *s = overlay->summation;
    struct region part = {.lines = with(s, &region->lines, line)};
    if (!fw_state_tidy(s, &part.lines) || !fw_state_reduce(s, &part.lines))
        return;
    part.leaves = FW_ARRAY(s->work->arena, const struct leaf *, region->count + 1);
    for (size_t i = 0; i < region->count; i++)
        if (!is_empty(s, &part.lines, region->leaves[i]->guards, region->leaves[i]->guard_count))
            part.leaves[part.count++] = region->leaves[i];
    divide(overlay, &part);
}

/* The guard that most leaves of the region have and that the region does not decide; or NULL. */
static struct line *best_guard(struct overlay *overlay, const struct region *region)
{
    struct summation *s = overlay->summation;
    struct line *best = NULL;
    unsigned most = 0;
    for (size_t i = 0; i < region->count; i++)
        for (uint32_t j = 0; j < region->leaves[i]->guard_count; j++) {
            struct line *guard = region->leaves[i]->guards[j];
            unsigned times = 0;
            for (size_t k = 0; k < region->count; k++)
                for (uint32_t l = 0; l < region->leaves[k]->guard_count; l++)
                    times += fw_line_equal(s->work, guard, region->leaves[k]->guards[l]);
            if (times > most && !is_implied(s, &region->lines, guard)) {
                best = guard;
                most = times;
            }
        }
    return best;
}

/* Cells with equal values that fill the whole region are one. */
static void unite(struct overlay *overlay, const struct region *region, size_t first, size_t parts)
{
    struct work *work = overlay->summation->work;
    fw_cells *cells = &overlay->cells;
    if (cells->count - first != parts)
        return;
    for (size_t i = first + 1; i < cells->count; i++)
        if (!fw_polynomial_equal(work, cells->at[first].value, cells->at[i].value))
            return;
    cells->count = first + 1;
    cells->at[first].lines = region->lines.lines;
    cells->at[first].count = region->lines.count;
}

static void divide(struct overlay *overlay, const struct region *region)
{
    struct summation *s = overlay->summation;
    struct work *work = s->work;
    if (!region->count && !overlay->whole)
        return;
    if (++overlay->regions > CELLS_MOST)
        fw_work_fail(work, FW_ERROR_BUDGET);
    struct line *guard = best_guard(overlay, region);
    if (!guard) {
        struct polynomial *sum =
            fw_polynomial_constant(work, integer_constant(0), integer_constant(1));
        for (size_t i = 0; i < region->count; i++)
            sum = fw_polynomial_add(work, sum, region->leaves[i]->value);
        add_cell(overlay, &region->lines, sum);
        return;
    }
    size_t first = overlay->cells.count;
    divide_part(overlay, region, guard);
    divide_part(overlay, region, beyond(work, guard, 1));
    if (guard->equality)
        divide_part(overlay, region, beyond(work, guard, -1));
    else
        unite(overlay, region, first, 2);
}

/* Divides the leaves that hang together with leaf `start` through common points. */
static void divide_group(struct overlay *overlay, const struct leaf *leaves, size_t count,
                         size_t start, const bool *overlaps, bool *done)
{
    struct summation *s = overlay->summation;
    struct region region = {.lines = fw_state_new(s->work, 4, 0, s->total)};
    region.leaves = FW_ARRAY(s->work->arena, const struct leaf *, count);
    size_t *queue = FW_ARRAY(s->work->arena, size_t, count);
    size_t tail = 1;
    queue[0] = start;
    done[start] = true;
    for (size_t head = 0; head < tail; head++) {
        region.leaves[region.count++] = &leaves[queue[head]];
        for (size_t other = 0; other < count; other++)
            if (!done[other] && overlaps[queue[head] * count + other]) {
                done[other] = true;
                queue[tail++] = other;
            }
    }
    if (region.count == 1) {
        region.lines.lines = leaves[start].guards;
        region.lines.count = leaves[start].guard_count;
        add_cell(overlay, &region.lines, leaves[start].value);
        return;
    }
    divide(overlay, &region);
}

fw_cells fw_cells_of(struct summation *s, const struct leaf *leaves, size_t count)
{
    struct overlay overlay = {.summation = s};
    struct state nothing = fw_state_new(s->work, 1, 0, s->total);
    if (count > PAIRS_MOST)
        fw_work_fail(s->work, FW_ERROR_BUDGET);
    bool *overlaps = FW_ARRAY(s->work->arena, bool, count *count + 1);
    bool *done = FW_ARRAY(s->work->arena, bool, count + 1);
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++) {
            struct state first = nothing;
            first.lines = leaves[i].guards;
            first.count = leaves[i].guard_count;
            overlaps[i * count + j] = overlaps[j * count + i] =
                !is_empty(s, &first, leaves[j].guards, leaves[j].guard_count);
        }
    for (size_t i = 0; i < count; i++)
        if (!done[i])
            divide_group(&overlay, leaves, count, i, overlaps, done);
    return overlay.cells;
}

fw_cells fw_cells_whole(struct summation *s, const struct leaf *leaves, size_t count)
{
    struct overlay overlay = {.summation = s, .whole = true};
    struct region region = {.lines = fw_state_new(s->work, 4, 0, s->total)};
    region.leaves = FW_ARRAY(s->work->arena, const struct leaf *, count + 1);
    for (size_t i = 0; i < count; i++)
        region.leaves[region.count++] = &leaves[i];
    divide(&overlay, &region);
    return overlay.cells;
}
