/* Narrow shapes: shapes whose conditions are boxes where they can be.
 *
 * Takes a shape (launch.h); tightens its variables by conditions on floors, and takes loops of few
 * iterations whose range depends on the thread, and floors of few values, apart into one
 * shape a value, so that what runs in each is a box of threads.  Never loses a point of a shape. */
#ifndef FW_TIGHTEN_BOUNDS_H
#define FW_TIGHTEN_BOUNDS_H

#include "launch.h"

/* Replaces conditions on a floor alone by what they say about the variables under the floor. */
void fw_shape_tighten_floors(struct fw_shape *shape);

/* Tightens thread indices by conditions on several of them, the others at their best, and drops
 * conditions that then always hold (16 y + x < 128, where x is below 16, is y < 8). */
void fw_shape_tighten_threads(struct fw_shape *shape);

/* A loop's variable, or a floor, of few values (at most `most`) on which the range of others
 * depends; FW_NONE. */
uint32_t fw_shape_split_variable(const struct fw_shape *shape, int64_t most);

/* The shape at one value of such a variable; false: nothing is left of it. */
bool fw_shape_fix(struct fw_shape *at, const struct fw_shape *shape, uint32_t variable,
                  int64_t value);

#endif
