/* Boxes: counts unions of boxes of integer points.
 *
 * Takes boxes in up to FW_BOX_AXES axes, half open in each.  Gives how many points lie in at least
 * one of them.  It merges boxes whose union is a box and counts the rest slab by slab, so that the
 * work depends on the number of boxes and never on their sizes.  It never knows what a box stands
 * for. */
#ifndef FW_BOXES_H
#define FW_BOXES_H

#include "arena.h"

#include <stdbool.h>
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

/* Reserves `count` boxes behind the last.  The caller fills them and adds to boxes->count. */
struct fw_box *fw_boxes_room(struct fw_boxes *boxes, struct fw_arena *arena, uint32_t count);

/* Merges boxes whose union is a box: equal in all axes but one, in which they overlap or touch.
 * The order changes to that of their extents.  `scratch` is released to its state before the call.
 */
void fw_boxes_merge(struct fw_boxes *boxes, uint32_t axes, struct fw_arena *scratch);

/* Extends each box along one axis after the other as far as the union allows, and removes boxes
 * that others then contain.  The boxes overlap afterwards.  Does nothing for large unions. */
void fw_boxes_widen(struct fw_boxes *boxes, uint32_t axes);

/* Whether there are more boxes than are counted slab by slab: in several axes the work grows with
 * the square of their number. */
enum { FW_BOXES_MOST = 1024 };
bool fw_boxes_too_many(const struct fw_boxes *boxes, uint32_t axes);

/* Points in the union, in the first `axes` axes (1 to FW_BOX_AXES).  Exact below 2^53; of too many
 * boxes an upper bound.  `scratch` is released to its state before the call. */
double fw_boxes_count(const struct fw_boxes *boxes, uint32_t axes, struct fw_arena *scratch);

#endif
