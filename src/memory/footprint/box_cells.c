#include "box_cells.h"

#include <stdbool.h>
#include <string.h>

enum { KNOWN = 32 };

/* Of one axis: where boxes begin and end, sorted, each place once; and over each cell between two
 * of them the boxes that reach over it. */
struct cuts {
    int64_t at[2 * BOX_CELLS_MAX_BOXES];
    uint64_t over[2 * BOX_CELLS_MAX_BOXES];
    uint32_t count;
};

struct grid {
    struct cuts cuts[FW_BOX_AXES];
    uint32_t places;
    /* Along the first axis, by place and box: in granules, boxes in the order of their begin. */
    int64_t low[BOX_CELLS_OFFSETS][BOX_CELLS_MAX_BOXES],
        high[BOX_CELLS_OFFSETS][BOX_CELLS_MAX_BOXES];
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

static uint32_t cut_at(const struct cuts *cuts, int64_t at)
{
    uint32_t place = 0;
    while (cuts->at[place] != at)
        place++;
    return place;
}

/* Boxes that begin and end alike along an axis: most of a run of blocks differ along one alone. */
struct kind {
    int64_t low, high;
    uint64_t boxes; /* by their bits */
};

enum { KIND_BITS = 7 };

/* The kinds along an axis; `rank`: of each box, its bit.  How many. */
static uint32_t find_kinds(struct kind kinds[BOX_CELLS_MAX_BOXES], const struct fw_box *boxes,
                           const uint8_t *rank, uint32_t count, uint32_t axis)
{
    uint8_t place[1 << KIND_BITS] = {0}; /* 1 + the number of a kind; 0: none */
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        int64_t low = boxes[i].low[axis], high = boxes[i].high[axis];
        uint64_t hash = ((uint64_t)low + 3 * (uint64_t)high) * 0x9e3779b97f4a7c15u;
        uint32_t at = (uint32_t)(hash >> (64 - KIND_BITS));
        while (place[at] && (kinds[place[at] - 1].low != low || kinds[place[at] - 1].high != high))
            at = (at + 1) % (1 << KIND_BITS);
        if (!place[at]) {
            kinds[found] = (struct kind){low, high, 0};
            place[at] = (uint8_t)++found;
        }
        kinds[place[at] - 1].boxes |= (uint64_t)1 << rank[i];
    }
    return found;
}

static void find_cuts(struct cuts *cuts, const struct fw_box *boxes, const uint8_t *rank,
                      uint32_t count, uint32_t axis)
{
    struct kind kinds[BOX_CELLS_MAX_BOXES];
    uint64_t ends[2 * BOX_CELLS_MAX_BOXES], over = 0;
    count = find_kinds(kinds, boxes, rank, count, axis);
    cuts->count = 0;
    for (uint32_t k = 0; k < count; k++) {
        add_cut(cuts, kinds[k].low);
        add_cut(cuts, kinds[k].high);
    }
    memset(cuts->over, 0, cuts->count * sizeof(*cuts->over));
    memset(ends, 0, cuts->count * sizeof(*ends));
    for (uint32_t k = 0; k < count; k++) {
        cuts->over[cut_at(cuts, kinds[k].low)] |= kinds[k].boxes;
        ends[cut_at(cuts, kinds[k].high)] |= kinds[k].boxes;
    }
    for (uint32_t c = 0; c < cuts->count; c++) {
        over = (over & ~ends[c]) | cuts->over[c];
        cuts->over[c] = over;
    }
}

static void sort_by_begin(uint8_t *order, const struct fw_box *boxes, uint32_t count)
{
    int64_t begin[BOX_CELLS_MAX_BOXES];
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

double box_cells_count(const struct fw_box *boxes, uint32_t count, uint32_t axes,
                       const struct box_granularity *grain)
{
    struct grid grid;
    uint8_t order[BOX_CELLS_MAX_BOXES], rank[BOX_CELLS_MAX_BOXES];
    if (count == 0)
        return 0;
    sort_by_begin(order, boxes, count);
    for (uint32_t i = 0; i < count; i++)
        rank[order[i]] = (uint8_t)i;
    for (uint32_t axis = 1; axis < axes; axis++)
        find_cuts(&grid.cuts[axis], boxes, rank, count, axis);
    memset(grid.known, 0, sizeof(grid.known));
    grid.places = grain->offsets;
    for (uint32_t p = 0; p < grain->offsets; p++)
        for (uint32_t i = 0; i < count; i++) {
            const struct fw_box *box = &boxes[order[i]];
            grid.low[p][i] = (box->low[0] + grain->offset[p]) >> grain->shift;
            grid.high[p][i] = ((box->high[0] + grain->offset[p] - 1) >> grain->shift) + 1;
        }
    uint64_t all = count == 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1;
    return count_cells(&grid, axes - 1, all);
}
