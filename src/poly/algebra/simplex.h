/* Linear programming over lines: is a system empty, and which of its lines follow from the others?
 *
 * Exact, in 64-bit integers with every operation checked; where they do not suffice the answer is
 * "unknown", which is always safe to act on as "not empty, nothing redundant".  Emptiness is of
 * rational points; a line counts as redundant when the others exclude that it is -1 or less, which
 * is all that matters at integer points. */
#ifndef FW_SIMPLEX_H
#define FW_SIMPLEX_H

#include "line.h"

enum simplex_answer { SIMPLEX_UNKNOWN, SIMPLEX_EMPTY, SIMPLEX_FEASIBLE };

/* Whether `lines` and `context` have a common rational point. */
enum simplex_answer fw_simplex_feasible(struct work *work, struct line *const *lines,
                                        uint32_t count, struct line *const *context,
                                        uint32_t context_count);

/* The same; and takes redundant lines out of `lines`, the widest first. */
enum simplex_answer fw_simplex_reduce(struct work *work, struct line **lines, uint32_t *count,
                                      struct line *const *context, uint32_t context_count);

#endif
