/* Index runs: the boxes that a run of one index adds to an access.
 *
 * Takes an index of an affine access (a thread, block or grid thread index, or an iteration) with
 * its floors, and a run of its values.  The floors divide the index into digits of a mixed radix,
 * each of which moves the access by a stride of its own, so that a run is a few boxes: what is left
 * of its first row, whole rows, and what its last row has.  Blocks that are numbered row by row
 * touch a rectangle of a matrix in this way.  Internal to this room; it never counts. */
#ifndef FW_INDEX_RUN_H
#define FW_INDEX_RUN_H

#include "affine_access.h"
#include "lattice.h"

/* How an index moves an access: steps along an axis of the lattice. */
struct index_step {
    int64_t step;
    uint32_t axis;
};

/* The digits of an index: digit 0 are the values between two floors. */
struct index_digits {
    uint32_t floors;
    struct index_step step[1 + FW_AFFINE_FLOORS];
    int64_t every[FW_AFFINE_FLOORS];
    int64_t shift;
};

enum { INDEX_RUN_BOXES = 16 };

/* Boxes; of a run, what it adds to the box of the index's value 0. */
struct run_boxes {
    struct fw_box at[INDEX_RUN_BOXES];
    uint32_t count;
};

/* The steps of a stride, none for a stride of 0. */
struct index_step index_step_of(const struct lattice *lattice, int64_t stride);

/* Bytes by which digit `digit` (0: the index itself) of an index moves an access, where the index
 * alone moves it by `stride`; saturates. */
int64_t index_digit_stride(const struct fw_affine_floor *floors, int64_t stride, uint32_t digit);

/* The digits of an index that moves an access by `stride` where it passes no floor. */
void index_digits_find(struct index_digits *digits, const struct fw_affine_access *access,
                       const struct lattice *lattice, enum fw_floor_of of, uint32_t index,
                       int64_t stride);

/* The digits of a persistent loop's tiles. */
void index_tiles_find(struct index_digits *digits, const struct fw_affine_tiles *tiles,
                      const struct lattice *lattice);

/* Replaces each box by those that tiles of the blocks first <= b < last add to it in the iterations
 * begin <= i < end.  Where runs of tiles would be more than INDEX_RUN_BOXES, blocks have the same
 * part of each row of tiles.  False: there are none. */
bool index_tiles_add(struct run_boxes *boxes, const struct index_digits *digits,
                     const struct fw_affine_tiles *tiles, int64_t first, int64_t last,
                     int64_t begin, int64_t end);

/* Extends a box by an index that runs over `count` values from `low` on. */
static inline void index_extend(struct fw_box *by, const struct index_step *index, int64_t low,
                                int64_t count)
{
    int64_t step = index->step, growth = step * (count - 1);
    by->low[index->axis] += step * low + (step < 0 ? growth : 0);
    by->high[index->axis] += step * low + (step > 0 ? growth : 0);
}

/* Replaces each box by those that a run of `count` values from `low` on adds to it.  Where they
 * would be more than INDEX_RUN_BOXES, rows count as whole: an upper bound. */
void index_run_add(struct run_boxes *boxes, const struct index_digits *digits, int64_t low,
                   int64_t count);

#endif
