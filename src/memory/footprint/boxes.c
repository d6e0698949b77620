#include "boxes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct fw_box *fw_boxes_room(struct fw_boxes *boxes, struct fw_arena *arena, uint32_t count)
{
    if (boxes->capacity - boxes->count < count) {
        uint32_t capacity = boxes->capacity ? 2 * boxes->capacity : 16;
        capacity = capacity < boxes->count + count ? boxes->count + count : capacity;
        struct fw_box *at = FW_ARRAY(arena, struct fw_box, capacity);
        if (boxes->count)
            memcpy(at, boxes->at, boxes->count * sizeof(*at));
        boxes->at = at;
        boxes->capacity = capacity;
    }
    return boxes->at ? &boxes->at[boxes->count] : NULL; /* none, of none */
}

void fw_boxes_add(struct fw_boxes *boxes, struct fw_arena *arena, const struct fw_box *box,
                  uint32_t axes)
{
    for (uint32_t a = 0; a < axes; a++)
        if (box->low[a] >= box->high[a])
            return;
    *fw_boxes_room(boxes, arena, 1) = *box;
    boxes->count++;
}

/* An order in which boxes that differ in axis `last` alone are neighbours. */
static int compare(const struct fw_box *a, const struct fw_box *b, uint32_t axes, uint32_t last)
{
    for (uint32_t i = 0; i < axes; i++) {
        if (i == last)
            continue;
        if (a->low[i] != b->low[i])
            return a->low[i] < b->low[i] ? -1 : 1;
        if (a->high[i] != b->high[i])
            return a->high[i] < b->high[i] ? -1 : 1;
    }
    return a->low[last] < b->low[last] ? -1 : a->low[last] > b->low[last];
}

/* Shell sort, and insertion sort for few boxes: boxes come nearly sorted. */
static void sort(struct fw_box *at, uint32_t count, uint32_t axes, uint32_t last)
{
    for (uint32_t gap = count > 24 ? count / 3 : 1; gap; gap = gap > 3 ? gap / 3 : gap > 1) {
        for (uint32_t i = gap; i < count; i++) {
            struct fw_box box = at[i];
            uint32_t j = i;
            for (; j >= gap && compare(&at[j - gap], &box, axes, last) > 0; j -= gap)
                at[j] = at[j - gap];
            at[j] = box;
        }
        if (gap == 1)
            break;
    }
}

static bool one_box(const struct fw_box *a, const struct fw_box *b, uint32_t axes, uint32_t last)
{
    for (uint32_t i = 0; i < axes; i++)
        if (i != last && (a->low[i] != b->low[i] || a->high[i] != b->high[i]))
            return false;
    return b->low[last] <= a->high[last];
}

void fw_boxes_merge(struct fw_boxes *boxes, uint32_t axes)
{
    for (uint32_t axis = 0; axis < axes && boxes->count > 1; axis++) {
        uint32_t kept = 0;
        sort(boxes->at, boxes->count, axes, axis);
        for (uint32_t i = 1; i < boxes->count; i++) {
            struct fw_box *before = &boxes->at[kept];
            if (!one_box(before, &boxes->at[i], axes, axis))
                boxes->at[++kept] = boxes->at[i];
            else if (boxes->at[i].high[axis] > before->high[axis])
                before->high[axis] = boxes->at[i].high[axis];
        }
        boxes->count = kept + 1;
    }
}

enum { MAX_TO_WIDEN = 48 };

/* Whether `a` touches or overlaps `b` along an axis, and covers it along all others. */
static bool extends(const struct fw_box *a, const struct fw_box *b, uint32_t axes, uint32_t along)
{
    for (uint32_t i = 0; i < axes; i++)
        if (i == along ? a->low[i] > b->high[i] || a->high[i] < b->low[i]
                       : a->low[i] > b->low[i] || a->high[i] < b->high[i])
            return false;
    return true;
}

static bool widen(struct fw_box *box, const struct fw_boxes *boxes, uint32_t axes)
{
    bool wider = false;
    for (uint32_t axis = 0; axis < axes; axis++)
        for (uint32_t i = 0; i < boxes->count; i++) {
            const struct fw_box *by = &boxes->at[i];
            if ((by->low[axis] < box->low[axis] || by->high[axis] > box->high[axis]) &&
                extends(by, box, axes, axis)) {
                box->low[axis] = by->low[axis] < box->low[axis] ? by->low[axis] : box->low[axis];
                box->high[axis] =
                    by->high[axis] > box->high[axis] ? by->high[axis] : box->high[axis];
                wider = true;
            }
        }
    return wider;
}

static bool is_inside(const struct fw_box *inner, const struct fw_box *outer, uint32_t axes)
{
    for (uint32_t i = 0; i < axes; i++)
        if (inner->low[i] < outer->low[i] || inner->high[i] > outer->high[i])
            return false;
    return true;
}

void fw_boxes_widen(struct fw_boxes *boxes, uint32_t axes)
{
    if (boxes->count > MAX_TO_WIDEN)
        return;
    for (uint32_t i = 0; i < boxes->count; i++)
        while (widen(&boxes->at[i], boxes, axes))
            continue;
    for (uint32_t i = 0; i < boxes->count; i++)
        for (uint32_t j = boxes->count; j-- > 0;)
            if (j != i && is_inside(&boxes->at[j], &boxes->at[i], axes)) {
                boxes->at[j] = boxes->at[--boxes->count];
                if (i == boxes->count)
                    i = j; /* the outer box was the last, and has moved here */
            }
}

static int compare_numbers(const void *left, const void *right)
{
    const int64_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

static void sort_numbers(int64_t *at, uint32_t count)
{
    if (count > 256) {
        qsort(at, count, sizeof(*at), compare_numbers);
        return;
    }
    for (uint32_t i = 1; i < count; i++) {
        int64_t number = at[i];
        uint32_t j = i;
        for (; j && at[j - 1] > number; j--)
            at[j] = at[j - 1];
        at[j] = number;
    }
}

static double volume(const struct fw_box *box, uint32_t axes)
{
    double product = 1;
    for (uint32_t a = 0; a < axes; a++)
        product *= (double)(box->high[a] - box->low[a]);
    return product;
}

enum { MAX_ON_STACK = 64 }; /* boxes whose lists fit on the stack */

static int compare_lows(const void *left, const void *right)
{
    const int64_t *a = left, *b = right;
    return a[0] < b[0] ? -1 : a[0] > b[0];
}

/* Points in the union of many boxes with one axis: by their begins, in n log n steps. */
static double count_line(const struct fw_box *at, const uint32_t *of, uint32_t count,
                         struct fw_arena *scratch)
{
    struct fw_arena_mark mark = fw_arena_mark(scratch);
    int64_t(*range)[2] = (int64_t(*)[2])(void *)FW_ARRAY(scratch, int64_t, 2 * (size_t)count);
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        range[i][0] = at[of[i]].low[0];
        range[i][1] = at[of[i]].high[0];
    }
    qsort(range, count, sizeof(*range), compare_lows);
    int64_t end = range[0][0];
    for (uint32_t i = 0; i < count; i++) {
        int64_t from = range[i][0] > end ? range[i][0] : end;
        sum += range[i][1] > from ? (double)(range[i][1] - from) : 0;
        end = range[i][1] > end ? range[i][1] : end;
    }
    fw_arena_release(scratch, mark);
    return sum;
}

/* Points in the union of the boxes whose numbers are in `of`. */
static double count_slabs(const struct fw_box *at, const uint32_t *of, uint32_t count,
                          uint32_t axes, struct fw_arena *scratch)
{
    int64_t stack_cuts[2 * MAX_ON_STACK], *cut = stack_cuts;
    uint32_t stack_active[MAX_ON_STACK], *active = stack_active, axis = axes - 1, cuts = 0;
    struct fw_arena_mark mark = fw_arena_mark(scratch);
    double sum = 0;
    if (count == 1)
        return volume(&at[of[0]], axes);
    if (count > MAX_ON_STACK && axes == 1)
        return count_line(at, of, count, scratch);
    if (count > MAX_ON_STACK) {
        cut = FW_ARRAY(scratch, int64_t, 2 * (size_t)count);
        active = FW_ARRAY(scratch, uint32_t, count);
    }
    for (uint32_t i = 0; i < count; i++) {
        cut[cuts++] = at[of[i]].low[axis];
        cut[cuts++] = at[of[i]].high[axis];
    }
    sort_numbers(cut, cuts);
    for (uint32_t c = 0; c + 1 < cuts; c++) {
        uint32_t found = 0;
        if (cut[c] == cut[c + 1])
            continue;
        for (uint32_t i = 0; i < count; i++)
            if (at[of[i]].low[axis] <= cut[c] && at[of[i]].high[axis] > cut[c])
                active[found++] = of[i];
        if (found)
            sum += (axis ? count_slabs(at, active, found, axis, scratch) : 1) *
                   (double)(cut[c + 1] - cut[c]);
    }
    if (count > MAX_ON_STACK)
        fw_arena_release(scratch, mark);
    return sum;
}

/* The points of the least box around all boxes, or of all boxes, if that is less: at least as many
 * as in their union. */
static double count_at_most(const struct fw_boxes *boxes, uint32_t axes)
{
    struct fw_box around = boxes->at[0];
    double sum = 0;
    for (uint32_t b = 0; b < boxes->count; b++) {
        sum += volume(&boxes->at[b], axes);
        for (uint32_t a = 0; a < axes; a++) {
            int64_t low = boxes->at[b].low[a], high = boxes->at[b].high[a];
            around.low[a] = low < around.low[a] ? low : around.low[a];
            around.high[a] = high > around.high[a] ? high : around.high[a];
        }
    }
    double all = volume(&around, axes);
    return sum < all ? sum : all;
}

bool fw_boxes_too_many(const struct fw_boxes *boxes, uint32_t axes)
{
    return axes > 1 && boxes->count > FW_BOXES_MOST;
}

double fw_boxes_count(const struct fw_boxes *boxes, uint32_t axes, struct fw_arena *scratch)
{
    if (fw_boxes_too_many(boxes, axes))
        return count_at_most(boxes, axes);
    uint32_t stack[MAX_ON_STACK], *of = stack;
    struct fw_arena_mark mark = fw_arena_mark(scratch);
    if (boxes->count == 0)
        return 0;
    if (boxes->count > MAX_ON_STACK)
        of = FW_ARRAY(scratch, uint32_t, boxes->count);
    for (uint32_t i = 0; i < boxes->count; i++)
        of[i] = i;
    double count = count_slabs(boxes->at, of, boxes->count, axes, scratch);
    if (boxes->count > MAX_ON_STACK)
        fw_arena_release(scratch, mark);
    return count;
}
