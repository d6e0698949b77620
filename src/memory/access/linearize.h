/* Addresses that are not linear, as linear ones: estimates.
 *
 * Takes the shape of an access (its points, as conditions over block and thread indices, iterations
 * and floors) and a binding that evaluates its address; gives the shape with an address that is
 * linear in indices and iterations alone: one that clamps or wraps around moves by its usual steps,
 * one that goes up stairs (x / 3) by the mean of them. */
#ifndef FW_LINEARIZE_H
#define FW_LINEARIZE_H

#include "launch.h"

enum { FW_LINEARIZE_LOOPS = 64 }; /* that a kernel may have here at most */

/* Whether the address is linear in launch indices and iterations alone. */
bool fw_shape_is_linear(const struct fw_shape *shape);

/* Makes it so: coefficients and constant anew, fewer threads where several are at one place. False:
 * the address cannot be evaluated; the shape is then no more to be used. */
bool fw_shape_linearize(struct fw_shape *shape, struct fw_bound *bound, fw_expression of);

#endif
