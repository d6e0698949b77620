/* Cells: a count's leaves laid over each other, so that parameter space falls into disjoint parts
 * with one polynomial each.  What printing needs; evaluation does without. */
#ifndef FW_CELLS_H
#define FW_CELLS_H

#include "summation.h"

/* Where all lines hold, and nowhere else in another cell, the count is `value`. */
struct cell {
    struct line **lines;
    uint32_t count;
    struct polynomial *value;
};

typedef FW_VECTOR(struct cell) fw_cells;

/* The disjoint cells of the leaves where the count is not zero.  The summation has the floors and
 * the context; scratch and the way out of the budget are its work's. */
fw_cells fw_cells_of(struct summation *summation, const struct leaf *leaves, size_t count);

/* The same with the cells where the count is 0: all parameter points that the context allows. */
fw_cells fw_cells_whole(struct summation *summation, const struct leaf *leaves, size_t count);

#endif
