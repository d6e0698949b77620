/* Cells: unions of few boxes, counted.
 *
 * Takes at most BOX_CELLS_MAX_BOXES boxes in bytes along their first axis and in whole steps along
 * the others; gives how many points of granules by steps lie in at least one of them.  The boxes'
 * ends cut all axes but the first into cells; which boxes reach over a cell is a set of bits, and
 * the granules along the first axis are counted once for each such set.  Cheaper than boxes.h where
 * boxes overlap or lie scattered; for the memory room's own files. */
#ifndef FW_BOX_CELLS_H
#define FW_BOX_CELLS_H

#include "boxes.h"

enum { BOX_CELLS_MAX_BOXES = 64, BOX_CELLS_OFFSETS = 4 };

/* Granules of 1 << shift bytes; boxes are moved by `places` distances one after the other. */
struct box_granularity {
    uint32_t shift, offsets;
    int64_t offset[BOX_CELLS_OFFSETS];
};

/* Points of the union of `count` boxes in the first `axes` axes, the sum over the places.  Exact
 * below 2^53. */
double box_cells_count(const struct fw_box *boxes, uint32_t count, uint32_t axes,
                       const struct box_granularity *grain);

#endif
