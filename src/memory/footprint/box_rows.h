/* Rows of boxes: boxes of a lattice whose first axis is bytes along memory, and whose others are
 * steps of its strides.
 *
 * Takes boxes and the lattice that they are of.  Brings rows that have two descriptions to one,
 * joins rows that continue each other, and counts the granules of few rows, each where it begins.
 * Internal to this room; it knows no accesses. */
#ifndef FW_BOX_ROWS_H
#define FW_BOX_ROWS_H

#include "boxes.h"
#include "lattice.h"

/* States what lies whole rows of `row` bytes behind the first of the boxes as of rows behind:
 * neighbours above and below that differ in where a row begins come out in both ways.  A single run
 * of bytes over several rows is stated as these, beside boxes that are rows.  Nothing is changed
 * where another box is longer than a row.  Memory is the arena's. */
void box_rows_fold(struct fw_boxes *boxes, int64_t row, struct fw_arena *arena);

/* Joins rows that are full and end within a granule, as rows of a matrix do that a loop goes
 * through from end to end: the next one begins in it.  Gives the axes that are left, of the
 * lattice's first strides those that are gone. */
uint32_t box_rows_join(struct fw_boxes *boxes, const struct lattice *lattice, int64_t granule,
                       struct fw_arena *arena);

/* Whether the boxes have few rows in so many axes, as box_rows_count takes them. */
bool box_rows_few(const struct fw_boxes *boxes, uint32_t axes);

/* Distinct granules of few rows, each of which begins where it does; `axes` as box_rows_join gave
 * them. */
double box_rows_count(const struct fw_boxes *boxes, const struct lattice *lattice, uint32_t axes,
                      int64_t granule);

#endif
