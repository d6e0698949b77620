/* Loop bounds: how often a loop of a shape runs, and how that differs between threads.
 *
 * Takes a shape (launch.h), whose rows bound its loops.  Gives the most iterations of a loop, and,
 * where an index of the launch bounds a loop (a triangle, the last rows of a grid-stride loop),
 * that bound as a slope over the indices (affine_access.h).  Never counts iterations: see launch.h.
 */
#ifndef FW_LOOP_BOUNDS_H
#define FW_LOOP_BOUNDS_H

#include "affine_access.h"
#include "launch.h"

/* The most iterations of loop variable `v`, counted from its lowest value: all other variables take
 * the values that favour it.  At most that many, and none below 1. */
int64_t fw_shape_trips(const struct fw_shape *shape, uint32_t v);

/* Sets the bounds of loop variable `v`, which has at most `trips` iterations, where they depend on
 * indices of the launch and on no other loop; floors of indices count as their mean slope.  False,
 * and nothing is set: all threads run all iterations. */
bool fw_shape_ragged(struct fw_affine_ragged *ragged, const struct fw_shape *shape, uint32_t v,
                     int64_t trips);

/* Sets the end of loop variable `v`, which has at most `trips` iterations and is the loop at place
 * `loop` of an access, where it depends on loop variable `outer` and on nothing else that differs:
 * the inner loop of a triangle.  Floors count as their mean slope.  Left alone otherwise. */
void fw_shape_nested(struct fw_affine_nested *nested, const struct fw_shape *shape, uint32_t v,
                     uint32_t outer, int64_t trips, uint32_t loop);

#endif
