/* Lines: affine expressions over columns, the rows of a system while it is being summed.
 *
 * Column 0 is the constant; columns 1..63 are variables first, then whatever fits; further columns
 * are parameters and floors.  A line is immutable and shared between the states that a summation
 * branches into; it says "expression >= 0", or "== 0" when it is an equality. */
#ifndef FW_LINE_H
#define FW_LINE_H

#include "integer.h"

enum { COLUMNS_MOST = 700, VARIABLES_MOST = 60 };

struct line {
    uint64_t mask; /* bit c: coefficient c is not zero, for c from 1 to 63 */
    uint64_t hash; /* linear in the coefficients without the constant: parallel lines agree */
    uint16_t width;
    bool equality;
    integer at[];
};

static inline integer line_get(const struct line *line, unsigned column)
{
    return column < line->width ? line->at[column] : (integer){0};
}

/* A line of zeros, to be filled in and then finished. */
struct line *fw_line_new(struct work *work, unsigned width, bool equality);

/* Computes mask and hash of a line that was filled in. */
void fw_line_finish(struct line *line);

/* Divides by the greatest common divisor of all entries, then finishes. */
void fw_line_reduce(struct work *work, struct line *line);

/* a * x + b * y as an inequality, finished and not divided. */
struct line *fw_line_combine(struct work *work, integer a, const struct line *x, integer b,
                             const struct line *y);

/* x with its constant increased by `amount`. */
struct line *fw_line_shift(struct work *work, const struct line *x, integer amount);

/* The line with column `target` increased by factor * column `source`: what becomes of it under
 * source := source + factor * target.  The same line when `source` does not occur. */
struct line *fw_line_shear(struct work *work, struct line *line, unsigned target, unsigned source,
                           integer factor);

/* The line under column := value. */
struct line *fw_line_substitute(struct work *work, struct line *line, unsigned column,
                                const struct line *value);

/* The line under column := scale * column + shift. */
struct line *fw_line_stretch(struct work *work, struct line *line, unsigned column, integer scale,
                             integer shift);

/* Whether the lines agree in all but the constant, in direction `sign` (1 or -1). */
bool fw_line_parallel(struct work *work, const struct line *x, const struct line *y, int sign);

/* Whether the lines are equal in everything. */
bool fw_line_equal(struct work *work, const struct line *x, const struct line *y);

/* A copy with other columns: map[c] is where column c goes. */
struct line *fw_line_map(struct work *work, const struct line *line, const uint16_t *map);

#endif
