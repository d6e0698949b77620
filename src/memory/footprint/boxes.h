/* Boxes: unions of boxes of whole numbers, counted.
 *
 * Takes boxes in up to FW_BOX_AXES axes, half open in each.  Gives how many points lie in at least
 * one of them, by merging boxes that together are a box and then by slabs: the work depends on how
 * many boxes there are and never on their sizes.  Knows no memory: that a box is rows of sectors is
 * its user's affair. */
#ifndef FW_BOXES_H
#define FW_BOXES_H

#include "arena.h"

#include <stdint.h>

enum { FW_BOX_AXES = 6 };

struct fw_box {
    int64_t low[FW_BOX_AXES], high[FW_BOX_AXES]; /* low <= point < high */
};

struct fw_boxes {
    struct fw_box *at;
    uint32_t count;
    uint32_t capacity;
};

/* Adds a box unless it is empty in one of the first `axes` axes.  Memory is the arena's. */
void fw_boxes_add(struct fw_boxes *boxes, struct fw_arena *arena, const struct fw_box *box,
                  uint32_t axes);

/* Room for `count` more boxes behind the last; that count is the caller's to add to. */
struct fw_box *fw_boxes_room(struct fw_boxes *boxes, struct fw_arena *arena, uint32_t count);

/* Replaces boxes by fewer with the same union where two of them are one box (equal in all axes but
 * one, in which they overlap or touch).  The order changes. */
void fw_boxes_merge(struct fw_boxes *boxes, uint32_t axes);

/* Makes each box as large along one axis after the other as the union lets it be and takes out
 * those that then lie in others, for unions of few boxes: they overlap afterwards. */
void fw_boxes_widen(struct fw_boxes *boxes, uint32_t axes);

/* Points in the union, in the first `axes` axes (1 to FW_BOX_AXES).  Exact below 2^53.  `scratch`
 * is used and given back. */
double fw_boxes_count(const struct fw_boxes *boxes, uint32_t axes, struct fw_arena *scratch);

#endif
