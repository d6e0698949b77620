/* What the files of linear forms share: sums of forms, and intervals of them. */
#ifndef FW_LINEAR_INTERNAL_H
#define FW_LINEAR_INTERNAL_H

#include "bound_internal.h"

/* a += factor * b, of forms over the piece's variables; false on overflow, with `a` half changed.
 */
bool linear_accumulate(const struct fw_piece *piece, struct fw_linear *a, const struct fw_linear *b,
                       int64_t factor);

/* The least and greatest value of a form over the piece, or less and more (bound_interval);
 * narrower where a row bounds just this form, and where remainders are part of it: 8 (x - 32
 * floor(x / 32)) is at most 248, and floor(y / 8) - 18 floor(y / 144) at most 17. */
void linear_interval(const struct fw_piece *piece, const struct fw_linear *a, int64_t *low,
                     int64_t *high);

#endif
