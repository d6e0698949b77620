/* Linearization: affine estimates of addresses that are not affine.
 *
 * Takes the shape of an access (its executions as conditions on block index, thread index,
 * iterations and floors) and a binding that evaluates its address.  Gives the shape an address that
 * is linear in indices and iterations.  An address that clamps or wraps around gets its usual
 * stride; a step function such as x / 3 gets its mean stride.  Never estimates an address that
 * depends on loaded data. */
#ifndef FW_LINEARIZE_H
#define FW_LINEARIZE_H

#include "launch.h"

enum { FW_LINEARIZE_LOOPS = 64 }; /* loops of a kernel at most */

/* Whether the address is linear in launch indices and iterations alone. */
bool fw_shape_is_linear(const struct fw_shape *shape);

/* Sets the coefficients and the constant of the address from its values, and merges threads that
 * share an address.  False: the address cannot be evaluated, and the shape must not be used any
 * more. */
bool fw_shape_linearize(struct fw_shape *shape, struct fw_bound *bound, fw_expression of);

#endif
