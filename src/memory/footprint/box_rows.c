#include "box_rows.h"

#include "checked.h"
#include "min_max.h"
#include "quotient.h"

#include <stdlib.h>
#include <string.h>

enum { FEW_ROWS = 64 };

/* Granules first <= g < last. */
struct granules {
    int64_t first, last;
};

/* Whether the rows of each box, `row` bytes apart, are full, if it has several: such boxes are one
 * run of bytes.  Single rows alone stand for rows that begin anywhere. */
static bool rows_are_full(const struct fw_boxes *boxes, int64_t row)
{
    bool any = false;
    for (uint32_t b = 0; b < boxes->count; b++) {
        const struct fw_box *box = &boxes->at[b];
        bool several = box->high[1] - box->low[1] > 1;
        if (several && box->high[0] - box->low[0] < row)
            return false;
        any |= several;
    }
    return any;
}

/* States the ends of rows, which a lattice has as what is before the next row, as such.  Nothing is
 * changed where boxes reach over rows. */
static void begin_at_rows(struct fw_boxes *boxes, int64_t row)
{
    for (uint32_t b = 0; b < boxes->count; b++) {
        const struct fw_box *box = &boxes->at[b];
        if (box->low[0] < (box->high[0] <= 0 ? -row : 0))
            return;
    }
    for (uint32_t b = 0; b < boxes->count; b++) {
        struct fw_box *box = &boxes->at[b];
        if (box->high[0] > 0)
            continue;
        box->low[0] += row;
        box->high[0] += row;
        box->low[1]--;
        box->high[1]--;
    }
}

static bool is_longer(const struct fw_box *box, int64_t row)
{
    return box->high[0] - box->low[0] > row;
}

/* Whether a box that is longer than a row is one run of bytes, beside others that are none. */
static bool runs_over_rows(const struct fw_boxes *boxes, int64_t row)
{
    bool shorter = false;
    for (uint32_t b = 0; b < boxes->count; b++) {
        const struct fw_box *box = &boxes->at[b];
        if (is_longer(box, row) && box->high[1] - box->low[1] != 1)
            return false;
        shorter |= !is_longer(box, row);
    }
    return shorter;
}

/* States what a run has of the first row that it comes to, of whole rows, and of the last one;
 * rows begin at `first`. */
static void cut_run(struct fw_boxes *boxes, uint32_t run, int64_t first, int64_t row,
                    struct fw_arena *arena)
{
    const struct fw_box whole = boxes->at[run];
    const int64_t begin = (whole.low[0] - first) / row, end = (whole.high[0] - first) / row;
    const int64_t full = begin + ((whole.low[0] - first) % row != 0);
    struct fw_box parts[] = {whole, whole, whole};
    parts[0].high[0] = first + full * row; /* empty where the run begins with a row */
    parts[1].low[0] = first;
    parts[1].high[0] = first + row;
    parts[1].low[1] = whole.low[1] + full;
    parts[1].high[1] = whole.low[1] + end;
    parts[2].low[0] = first + end * row;
    boxes->at[run] = boxes->at[--boxes->count];
    for (uint32_t p = 0; p < sizeof(parts) / sizeof(parts[0]); p++)
        fw_boxes_add(boxes, arena, &parts[p], 2);
}

void box_rows_fold(struct fw_boxes *boxes, int64_t row, struct fw_arena *arena)
{
    const uint32_t given = boxes->count;
    int64_t first = INT64_MAX;
    bool longer = false;
    for (uint32_t b = 0; b < given; b++) {
        longer |= is_longer(&boxes->at[b], row);
        first = fw_min(first, boxes->at[b].low[0]);
    }
    if (longer && !runs_over_rows(boxes, row))
        return;
    for (uint32_t b = given; longer && b-- > 0;) /* what takes the place of one is short */
        if (is_longer(&boxes->at[b], row))
            cut_run(boxes, b, first, row, arena);
    for (uint32_t b = 0; b < boxes->count; b++) {
        struct fw_box *box = &boxes->at[b];
        const int64_t rows = (box->low[0] - first) / row;
        box->low[0] -= rows * row;
        box->high[0] -= rows * row;
        box->low[1] += rows;
        box->high[1] += rows;
    }
}

uint32_t box_rows_join(struct fw_boxes *boxes, const struct lattice *lattice, int64_t granule,
                       struct fw_arena *arena)
{
    uint32_t axes = lattice->levels + 1, end = lattice->levels;
    while (end && lattice->stride[end - 1] % granule == 0)
        end--;
    if (end == 0 && lattice->levels) /* a granule at the end of a row, not one before the next */
        begin_at_rows(boxes, lattice->stride[0]);
    for (uint32_t level = 0; level < end; level++, axes--) {
        int64_t row = lattice->stride[level];
        begin_at_rows(boxes, row);
        fw_boxes_merge(boxes, axes, arena); /* an unrolled loop and its remainder */
        if (!rows_are_full(boxes, row))
            break;
        for (uint32_t b = 0; b < boxes->count; b++) {
            struct fw_box *box = &boxes->at[b];
            box->low[0] = fw_saturated_add(box->low[0], fw_saturated_multiply(row, box->low[1]));
            box->high[0] =
                fw_saturated_add(box->high[0], fw_saturated_multiply(row, box->high[1] - 1));
            memmove(&box->low[1], &box->low[2], (axes - 2) * sizeof(box->low[0]));
            memmove(&box->high[1], &box->high[2], (axes - 2) * sizeof(box->high[0]));
        }
    }
    return axes;
}

bool box_rows_few(const struct fw_boxes *boxes, uint32_t axes)
{
    int64_t rows = 0;
    for (uint32_t b = 0; b < boxes->count && rows <= FEW_ROWS; b++) {
        int64_t here = 1;
        for (uint32_t a = 1; a < axes; a++)
            here = fw_saturated_multiply(here, boxes->at[b].high[a] - boxes->at[b].low[a]);
        rows = fw_saturated_add(rows, here);
    }
    return rows <= FEW_ROWS;
}

static int by_begin(const void *a, const void *b)
{
    const struct granules *left = a, *right = b;
    return left->first < right->first ? -1 : left->first > right->first;
}

double box_rows_count(const struct fw_boxes *boxes, const struct lattice *lattice, uint32_t axes,
                      int64_t granule)
{
    struct granules rows[FEW_ROWS];
    uint32_t count = 0;
    double sum = 0;
    for (uint32_t b = 0; b < boxes->count; b++) {
        const struct fw_box *box = &boxes->at[b];
        int64_t at[LATTICE_LEVELS + 1], from = box->low[0];
        for (uint32_t a = 1; a < axes; a++) {
            at[a] = box->low[a];
            from += lattice->stride[lattice->levels - axes + a] * at[a];
        }
        for (uint32_t a = 0; a < axes;) {
            rows[count++] = (struct granules){
                fw_floor_quotient(from, granule),
                fw_floor_quotient(from + box->high[0] - box->low[0] - 1, granule) + 1};
            for (a = 1; a < axes; a++) { /* the next row */
                const int64_t stride = lattice->stride[lattice->levels - axes + a];
                from += stride;
                if (++at[a] < box->high[a])
                    break;
                from -= stride * (at[a] - box->low[a]);
                at[a] = box->low[a];
            }
        }
    }
    qsort(rows, count, sizeof(rows[0]), by_begin);
    for (uint32_t r = 0, last; r < count; r = last) {
        int64_t end = rows[r].last;
        for (last = r + 1; last < count && rows[last].first <= end; last++)
            end = fw_max(end, rows[last].last);
        sum += (double)(end - rows[r].first);
    }
    return sum;
}
