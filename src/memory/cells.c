#include "cells.h"

#include <stdbool.h>
#include <string.h>

enum { KNOWN = 32 };

/* Of one axis: where boxes begin and end, sorted, each place once; and over each cell between two
 * of them the boxes that reach over it. */
struct cuts {
    int64_t at[2 * CELLS_BOXES];
    uint64_t over[2 * CELLS_BOXES];
    uint32_t count;
};

struct grid {
    struct cuts cuts[FW_BOX_AXES];
    uint32_t places;
    /* Along the first axis, by place and box: in granules, boxes in the order of their begin. */
    int64_t low[CELLS_PLACES][CELLS_BOXES], high[CELLS_PLACES][CELLS_BOXES];
    struct known {
        uint64_t set; /* 0: nothing is here */
        double granules;
    } known[KNOWN];
};

static void add_cut(struct cuts *cuts, int64_t at)
{
    uint32_t place = cuts->count;
    while (place && cuts->at[place - 1] > at)
        place--;
    if (place && cuts->at[place - 1] == at)
        return;
    for (uint32_t c = cuts->count++; c > place; c--)
        cuts->at[c] = cuts->at[c - 1];
    cuts->at[place] = at;
}

static uint8_t cut_at(const struct cuts *cuts, int64_t at)
{
    uint8_t place = 0;
    while (cuts->at[place] != at)
        place++;
    return place;
}

/* A box just before `i` that begins and ends with it along an axis; `i`: there is none.  Boxes of
 * one run of blocks follow each other, and most of them differ along one axis alone. */
static uint32_t like(const struct fw_box *boxes, uint32_t i, uint32_t axis)
{
    for (uint32_t back = 1; back <= 3 && back <= i; back++)
        if (boxes[i - back].low[axis] == boxes[i].low[axis] &&
            boxes[i - back].high[axis] == boxes[i].high[axis])
            return i - back;
    return i;
}

/* `rank`: of each box, its bit. */
static void find_cuts(struct cuts *cuts, const struct fw_box *boxes, const uint8_t *rank,
                      uint32_t count, uint32_t axis)
{
    uint64_t ends[2 * CELLS_BOXES], over = 0;
    uint8_t same[CELLS_BOXES], low[CELLS_BOXES], high[CELLS_BOXES];
    cuts->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        same[i] = (uint8_t)like(boxes, i, axis);
        if (same[i] != i)
            continue;
        add_cut(cuts, boxes[i].low[axis]);
        add_cut(cuts, boxes[i].high[axis]);
    }
    memset(cuts->over, 0, cuts->count * sizeof(*cuts->over));
    memset(ends, 0, cuts->count * sizeof(*ends));
    for (uint32_t i = 0; i < count; i++) {
        bool first = same[i] == i;
        low[i] = first ? cut_at(cuts, boxes[i].low[axis]) : low[same[i]];
        high[i] = first ? cut_at(cuts, boxes[i].high[axis]) : high[same[i]];
        cuts->over[low[i]] |= (uint64_t)1 << rank[i];
        ends[high[i]] |= (uint64_t)1 << rank[i];
    }
    for (uint32_t c = 0; c < cuts->count; c++) {
        over = (over & ~ends[c]) | cuts->over[c];
        cuts->over[c] = over;
    }
}

static void sort_by_begin(uint8_t *order, const struct fw_box *boxes, uint32_t count)
{
    int64_t begin[CELLS_BOXES];
    for (uint32_t i = 0; i < count; i++) {
        int64_t here = boxes[i].low[0];
        uint32_t j = i;
        for (; j && begin[j - 1] > here; j--) {
            begin[j] = begin[j - 1];
            order[j] = order[j - 1];
        }
        begin[j] = here;
        order[j] = (uint8_t)i;
    }
}

/* Granules along the first axis that a set of boxes touches, the sum over the places. */
static double granules_of(struct grid *grid, uint64_t set)
{
    struct known *known = &grid->known[(set * 0x9e3779b97f4a7c15u) >> 59];
    if (known->set == set)
        return known->granules;
    int64_t sum = 0;
    for (uint32_t p = 0; p < grid->places; p++) {
        int64_t end = INT64_MIN;
        for (uint64_t rest = set; rest; rest &= rest - 1) {
            uint32_t box = (uint32_t)__builtin_ctzll(rest);
            int64_t low = grid->low[p][box], high = grid->high[p][box];
            low = low > end ? low : end;
            if (high > low) {
                sum += high - low;
                end = high;
            }
        }
    }
    known->set = set;
    return known->granules = (double)sum;
}

/* Points over the cells of the axes 1 to `axis`, where of `set` alone is asked. */
static double count_cells(struct grid *grid, uint32_t axis, uint64_t set)
{
    const struct cuts *cuts = &grid->cuts[axis];
    uint64_t before = 0;
    double sum = 0, here = 0;
    if (axis == 0)
        return granules_of(grid, set);
    for (uint32_t c = 0; c + 1 < cuts->count; c++) {
        uint64_t over = set & cuts->over[c];
        if (!over)
            continue;
        if (over != before)
            here = axis == 1 ? granules_of(grid, over) : count_cells(grid, axis - 1, over);
        before = over;
        sum += (double)(cuts->at[c + 1] - cuts->at[c]) * here;
    }
    return sum;
}

double cells_count(const struct fw_box *boxes, uint32_t count, uint32_t axes,
                   const struct cells_grain *grain)
{
    struct grid grid;
    uint8_t order[CELLS_BOXES], rank[CELLS_BOXES];
    if (count == 0)
        return 0;
    sort_by_begin(order, boxes, count);
    for (uint32_t i = 0; i < count; i++)
        rank[order[i]] = (uint8_t)i;
    for (uint32_t axis = 1; axis < axes; axis++)
        find_cuts(&grid.cuts[axis], boxes, rank, count, axis);
    memset(grid.known, 0, sizeof(grid.known));
    grid.places = grain->places;
    for (uint32_t p = 0; p < grain->places; p++)
        for (uint32_t i = 0; i < count; i++) {
            const struct fw_box *box = &boxes[order[i]];
            grid.low[p][i] = (box->low[0] + grain->place[p]) >> grain->shift;
            grid.high[p][i] = ((box->high[0] + grain->place[p] - 1) >> grain->shift) + 1;
        }
    uint64_t all = count == 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1;
    return count_cells(&grid, axes - 1, all);
}
