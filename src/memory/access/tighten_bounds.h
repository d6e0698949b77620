/* Tighter bounds: makes the conditions of a shape bounds of a box where they can be.
 *
 * Takes a shape (launch.h).  Tightens the bounds of its variables by conditions on floors and on
 * several thread indices, and splits it by the values of short loops and floors that other bounds
 * depend on, so that the threads of each part are a box.  Never loses an execution of the shape. */
#ifndef FW_TIGHTEN_BOUNDS_H
#define FW_TIGHTEN_BOUNDS_H

#include "launch.h"

/* Replaces conditions on a floor by the bounds they imply for the variables under the floor. */
void fw_shape_tighten_floors(struct fw_shape *shape);

/* Tightens the bounds of thread indices by conditions on several of them, and drops conditions that
 * then always hold: 16 y + x < 128 with x < 16 becomes y < 8. */
void fw_shape_tighten_threads(struct fw_shape *shape);

/* Takes floors of at most `most` values out of the conditions that end a loop at them, where they
 * are of the thread indices of several axes: i <= (339 - 32 y - x) / 256 is 256 i + 32 y + x <=
 * 339.  The threads of one value of such a floor are no box. */
void fw_shape_unfloor_threads(struct fw_shape *shape, int64_t most);

/* A loop variable or a floor of at most `most` values that the range of other variables depends on;
 * FW_NONE if none.  `whole`: variables that are not split, or NULL.  A condition with a floor that
 * holds at all points bounds nothing: a loop from thread / 8 in steps of 16 to a multiple of 16 has
 * as many iterations in all threads. */
uint32_t fw_shape_split_variable(const struct fw_shape *shape, int64_t most, const bool *whole);

/* A loop variable of at most `most` values under a floor in the address; FW_NONE if none. */
uint32_t fw_shape_loop_under_floor(const struct fw_shape *shape, int64_t most);

/* The shape with `variable` fixed at `value`.  False: no execution is left. */
bool fw_shape_fix(struct fw_shape *at, const struct fw_shape *shape, uint32_t variable,
                  int64_t value);

#endif
