#include "index_run.h"

#include "checked.h"
#include "min_max.h"
#include "quotient.h"

#include <string.h>

struct index_step index_step_of(const struct lattice *lattice, int64_t stride)
{
    struct index_step step = {0, 0};
    if (stride)
        step.axis = lattice_axis(lattice, stride, &step.step);
    return step;
}

int64_t index_digit_stride(const struct fw_affine_floor *floors, int64_t stride, uint32_t digit)
{
    if (digit == 0)
        return stride;
    int64_t every = floors[digit - 1].every, sum = fw_saturated_multiply(stride, every);
    for (uint32_t f = 0; f < digit; f++) /* lower floors pass as often as their digits are full */
        sum = fw_saturated_add(sum, fw_saturated_multiply(floors[f].jump, every / floors[f].every));
    return sum;
}

static void find_digits(struct index_digits *digits, const struct fw_affine_floor *floors,
                        const struct lattice *lattice, int64_t stride)
{
    digits->shift = digits->floors ? floors->shift : 0;
    for (uint32_t d = 0; d <= digits->floors; d++)
        digits->step[d] = index_step_of(lattice, index_digit_stride(floors, stride, d));
    for (uint32_t f = 0; f < digits->floors; f++)
        digits->every[f] = floors[f].every;
}

void index_digits_find(struct index_digits *digits, const struct fw_affine_access *access,
                       const struct lattice *lattice, enum fw_floor_of of, uint32_t index,
                       int64_t stride)
{
    const struct fw_affine_floor *floors = fw_affine_floors_of(access, of, index, &digits->floors);
    find_digits(digits, floors, lattice, stride);
}

void index_tiles_find(struct index_digits *digits, const struct fw_affine_tiles *tiles,
                      const struct lattice *lattice)
{
    digits->floors = tiles->floor_count;
    find_digits(digits, tiles->floors, lattice, tiles->stride);
}

/* Boxes in the making. */
struct parts {
    struct fw_box at[2 * FW_AFFINE_FLOORS + 1];
    uint32_t count;
};

/* Adds the boxes of a run over the digits below `level`, which `by` has been extended by.
 * `whole`: one box that contains them. */
static void add_parts(struct parts *parts, const struct index_digits *digits, uint32_t level,
                      int64_t low, int64_t count, struct fw_box by, bool whole)
{
    if (level == 0) {
        index_extend(&by, &digits->step[0], low, count);
        parts->at[parts->count++] = by;
        return;
    }
    int64_t every = digits->every[level - 1];
    int64_t first = fw_floor_quotient(low, every), end = low + count;
    int64_t last = fw_floor_quotient(end - 1, every);
    struct fw_box row = by;
    if (first == last) {
        index_extend(&row, &digits->step[level], first, 1);
        add_parts(parts, digits, level - 1, low - first * every, count, row, whole);
        return;
    }
    if (!whole && low > first * every) {
        index_extend(&row, &digits->step[level], first, 1);
        add_parts(parts, digits, level - 1, low - first * every, (first + 1) * every - low, row,
                  whole);
        first++;
    }
    row = by;
    if (!whole && end < (last + 1) * every) {
        index_extend(&row, &digits->step[level], last, 1);
        add_parts(parts, digits, level - 1, 0, end - last * every, row, whole);
        last--;
    }
    if (first > last)
        return;
    index_extend(&by, &digits->step[level], first, last - first + 1);
    add_parts(parts, digits, level - 1, 0, every, by, whole);
}

void index_run_add(struct run_boxes *boxes, const struct index_digits *digits, int64_t low,
                   int64_t count)
{
    struct parts parts; /* many boxes, of which few are used */
    struct fw_box none = {{0}, {0}};
    parts.count = 0;
    add_parts(&parts, digits, digits->floors, low + digits->shift, count, none, false);
    if (boxes->count * parts.count > INDEX_RUN_BOXES) {
        parts.count = 0;
        add_parts(&parts, digits, digits->floors, low + digits->shift, count, none, true);
    }
    for (uint32_t p = 0; p < parts.count; p++) /* digit 0 counts from the shift on */
        index_extend(&parts.at[p], &digits->step[0], -digits->shift, 1);
    uint32_t before = boxes->count;
    for (uint32_t p = parts.count; p-- > 0;)
        for (uint32_t b = 0; b < before; b++) {
            struct fw_box *to = &boxes->at[p * before + b];
            *to = boxes->at[b];
            for (uint32_t a = 0; a < FW_BOX_AXES; a++) {
                to->low[a] += parts.at[p].low[a];
                to->high[a] += parts.at[p].high[a];
            }
        }
    boxes->count = before * parts.count;
}

/* Adds the boxes of one run to others.  False: no room. */
static bool add_tile_run(struct run_boxes *all, const struct run_boxes *boxes,
                         const struct index_digits *digits, int64_t low, int64_t high)
{
    struct run_boxes run = *boxes;
    index_run_add(&run, digits, low, high - low);
    if (all->count + run.count > INDEX_RUN_BOXES)
        return false;
    memcpy(&all->at[all->count], run.at, run.count * sizeof(run.at[0]));
    all->count += run.count;
    return true;
}

/* A part of each row of tiles: as much of it as the blocks are of the grid. */
static void add_part_of_rows(struct run_boxes *boxes, const struct index_digits *digits,
                             const struct fw_affine_tiles *tiles, int64_t first, int64_t last,
                             int64_t low, int64_t high)
{
    const int64_t row = digits->every[0];
    int64_t from = fw_part_of(row, first, tiles->grid), to = fw_part_of(row, last, tiles->grid);
    int64_t begin = fw_floor_quotient(low + digits->shift, row);
    int64_t end = fw_floor_quotient(high - 1 + digits->shift, row) + 1;
    if (from >= to) { /* less than a tile of each row: one in as many rows as there are tiles */
        to = from + 1;
        end = fw_min(end, begin + (last - first) * ((high - low - 1) / tiles->grid + 1));
    }
    struct index_digits columns = {.floors = 0}, rows = {.floors = digits->floors - 1};
    columns.step[0] = digits->step[0];
    for (uint32_t d = 0; d < digits->floors; d++)
        rows.step[d] = digits->step[d + 1];
    for (uint32_t f = 0; f + 1 < digits->floors; f++)
        rows.every[f] = digits->every[f + 1] / row;
    index_run_add(boxes, &columns, from - digits->shift, to - from);
    index_run_add(boxes, &rows, begin, end - begin);
}

bool index_tiles_add(struct run_boxes *boxes, const struct index_digits *digits,
                     const struct fw_affine_tiles *tiles, int64_t first, int64_t last,
                     int64_t begin, int64_t end)
{
    struct run_boxes all = {.count = 0};
    if (last - first >= tiles->grid) { /* all tiles of these iterations */
        int64_t low = fw_max(tiles->low, fw_saturated_multiply(begin, tiles->grid));
        int64_t high = fw_min(tiles->high, fw_saturated_multiply(end, tiles->grid));
        if (low < high)
            index_run_add(boxes, digits, low, high - low);
        return low < high;
    }
    for (int64_t i = begin; i < end; i++) {
        int64_t low = fw_max(tiles->low, i * tiles->grid + first);
        int64_t high = fw_min(tiles->high, i * tiles->grid + last);
        if (low < high && !add_tile_run(&all, boxes, digits, low, high)) {
            low = fw_max(tiles->low, begin * tiles->grid + first);
            high = fw_min(tiles->high, (end - 1) * tiles->grid + last);
            add_part_of_rows(boxes, digits, tiles, first, last, low, high);
            return true;
        }
    }
    *boxes = all;
    return all.count > 0;
}
