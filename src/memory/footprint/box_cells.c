#include "box_cells.h"

#include <stdbool.h>
#include <string.h>

enum { CACHED = 32 };

/* Along one axis: the coordinates at which boxes begin or end, sorted and distinct, and the boxes
 * that cover the cell behind each of them. */
struct cuts {
    int64_t at[2 * BOX_CELLS_MAX_BOXES];
    uint64_t over[2 * BOX_CELLS_MAX_BOXES];
    uint32_t count;
};

struct grid {
    struct cuts cuts[FW_BOX_AXES];
    uint32_t offsets;
    /* Extents along the first axis in granules, by offset and box; boxes are sorted by their begin.
     */
    int64_t low[BOX_CELLS_OFFSETS][BOX_CELLS_MAX_BOXES],
        high[BOX_CELLS_OFFSETS][BOX_CELLS_MAX_BOXES];
    struct cached {
        uint64_t set; /* 0: an empty entry */
        double granules;
    } cached[CACHED];
};

static void add_cut(struct cuts *cuts, int64_t at)
{
    uint32_t slot = cuts->count;
    while (slot && cuts->at[slot - 1] > at)
        slot--;
    if (slot && cuts->at[slot - 1] == at)
        return;
    for (uint32_t c = cuts->count++; c > slot; c--)
        cuts->at[c] = cuts->at[c - 1];
    cuts->at[slot] = at;
}

static uint32_t cut_at(const struct cuts *cuts, int64_t at)
{
    uint32_t slot = 0;
    while (cuts->at[slot] != at)
        slot++;
    return slot;
}

/* Boxes with the same extent along an axis: most boxes of a run of blocks differ along one axis
 * alone. */
struct extent {
    int64_t low, high;
    uint64_t boxes; /* a bit per box */
};

enum { EXTENT_BITS = 7 };

/* Finds the distinct extents along an axis and gives their number.  `rank`: the bit of each box. */
static uint32_t find_extents(struct extent extents[BOX_CELLS_MAX_BOXES], const struct fw_box *boxes,
                             const uint8_t *rank, uint32_t count, uint32_t axis)
{
    uint8_t slot[1 << EXTENT_BITS] = {0}; /* 1 + the number of a kind; 0: an empty entry */
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        int64_t low = boxes[i].low[axis], high = boxes[i].high[axis];
        uint64_t hash = ((uint64_t)low + 3 * (uint64_t)high) * 0x9e3779b97f4a7c15u;
        uint32_t at = (uint32_t)(hash >> (64 - EXTENT_BITS));
        while (slot[at] && (extents[slot[at] - 1].low != low || extents[slot[at] - 1].high != high))
            at = (at + 1) % (1 << EXTENT_BITS);
        if (!slot[at]) {
            extents[found] = (struct extent){low, high, 0};
            slot[at] = (uint8_t)++found;
        }
        extents[slot[at] - 1].boxes |= (uint64_t)1 << rank[i];
    }
    return found;
}

static void find_cuts(struct cuts *cuts, const struct fw_box *boxes, const uint8_t *rank,
                      uint32_t count, uint32_t axis)
{
    struct extent extents[BOX_CELLS_MAX_BOXES];
    uint64_t ends[2 * BOX_CELLS_MAX_BOXES], over = 0;
    count = find_extents(extents, boxes, rank, count, axis);
    cuts->count = 0;
    for (uint32_t k = 0; k < count; k++) {
        add_cut(cuts, extents[k].low);
        add_cut(cuts, extents[k].high);
    }
    memset(cuts->over, 0, cuts->count * sizeof(*cuts->over));
    memset(ends, 0, cuts->count * sizeof(*ends));
    for (uint32_t k = 0; k < count; k++) {
        cuts->over[cut_at(cuts, extents[k].low)] |= extents[k].boxes;
        ends[cut_at(cuts, extents[k].high)] |= extents[k].boxes;
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

/* Granules along the first axis that a set of boxes covers, summed over the offsets. */
static double granules_of(struct grid *grid, uint64_t set)
{
    struct cached *cached = &grid->cached[(set * 0x9e3779b97f4a7c15u) >> 59];
    if (cached->set == set)
        return cached->granules;
    int64_t sum = 0;
    for (uint32_t p = 0; p < grid->offsets; p++) {
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
    cached->set = set;
    return cached->granules = (double)sum;
}

/* Points over the cells of axes 1 to `axis`, of the boxes in `set` alone. */
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
                       const struct box_granularity *granularity)
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
    memset(grid.cached, 0, sizeof(grid.cached));
    grid.offsets = granularity->offsets;
    for (uint32_t p = 0; p < granularity->offsets; p++)
        for (uint32_t i = 0; i < count; i++) {
            const struct fw_box *box = &boxes[order[i]];
            grid.low[p][i] = (box->low[0] + granularity->offset[p]) >> granularity->shift;
            grid.high[p][i] =
                ((box->high[0] + granularity->offset[p] - 1) >> granularity->shift) + 1;
        }
    uint64_t all = count == 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1;
    return count_cells(&grid, axes - 1, all);
}
