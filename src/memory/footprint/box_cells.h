/* Cells: counts the union of a few boxes.
 *
 * Takes at most BOX_CELLS_MAX_BOXES boxes, in bytes along their first axis and in steps along the
 * others.  Gives how many points, granules by steps, lie in at least one of them.  The boxes' ends
 * cut all axes but the first into cells; a set of bits says which boxes cover a cell, and the
 * granules along the first axis are counted once per distinct set.  This is cheaper than boxes.h
 * where boxes overlap or lie scattered.  Internal to this room; it never allocates. */
#ifndef FW_BOX_CELLS_H
#define FW_BOX_CELLS_H

#include "boxes.h"

enum { BOX_CELLS_MAX_BOXES = 64, BOX_CELLS_OFFSETS = 8 };

/* Granules of 1 << shift bytes.  The boxes are counted once for each of the offsets (bytes), which
 * say where rows begin within a granule. */
struct box_granularity {
    uint32_t shift, offsets;
    int64_t offset[BOX_CELLS_OFFSETS];
};

/* Points of the union of `count` boxes in the first `axes` axes, summed over the offsets.  Exact
 * below 2^53. */
double box_cells_count(const struct fw_box *boxes, uint32_t count, uint32_t axes,
                       const struct box_granularity *granularity);

#endif
