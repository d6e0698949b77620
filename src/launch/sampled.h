/* Sampling: conditions and trip counts that indices and arguments alone decide, but in a way that
 * no row expresses and at too many points to go through.
 *
 * A piece keeps what it asks for beyond its rows as sampled parts.  Its points are estimated by
 * whole warps: of every block and iteration where those are few, which is exact; else of some that
 * are drawn evenly, which has a standard error.  Nothing that depends on loaded data comes here. */
#ifndef FW_SAMPLED_H
#define FW_SAMPLED_H

#include "bound_internal.h"

/* The part of a piece at which a condition is `truth`, estimated.  `branch`: the unknown that it is
 * noted as, unless it is exact; `taken`: whether `truth` is what takes the branch.  NULL: it cannot
 * be evaluated, the unknown's value is given, or there is no room. */
struct fw_piece *sampled_condition(struct fw_bound *bound, const struct fw_piece *piece,
                                   uint32_t branch, fw_condition condition, bool truth, bool taken);

/* A piece whose last variable is the iteration of a loop, restricted to the iterations that the
 * loop has, estimated; NULL as above. */
struct fw_piece *sampled_loop(struct fw_bound *bound, const struct fw_piece *piece, uint32_t loop,
                              uint32_t variable);

/* The estimate of a piece that has sampled parts, found now if need be. */
const struct fw_estimate *sampled_estimate(struct fw_bound *bound, struct fw_piece *piece);

#endif
