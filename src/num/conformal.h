/* Intervals whose coverage holds for new families: hierarchical conformal prediction (Lee, Barber
 * and Willett, Distribution-free inference with hierarchical data, arXiv 2306.06342, 2023).
 *
 * Takes what a model got wrong on rows that it had not seen: for each row the error, the family
 * that the row is of, and a class that is known before the answer is.  A family's rows resemble
 * each other, so that they do not count as many: each family has the weight 1, and the family that
 * comes next has it too, with an error that nobody knows.  Gives, for each class, bounds of the
 * error of a new family's row.  Classes with few families have no quantiles of their own: they are
 * merged.  Knows nothing of what is predicted; a model of a ratio gives logarithms, of which bounds
 * are factors. */
#ifndef FW_CONFORMAL_H
#define FW_CONFORMAL_H

#include "arena.h"

#include <stdbool.h>
#include <stdint.h>

struct fw_conformal_row {
    double error;     /* the truth less the prediction, finite; by the deviation */
    uint32_t family;  /* any number, the same for rows of one family */
    uint32_t class;   /* below the number of classes */
    double deviation; /* that the row's errors and bounds are counted in; 0: 1 */
};

/* A class: what its rows are bounded by. */
struct fw_conformal_class {
    uint32_t group;   /* the first class that it is merged with; its own number: with none */
    size_t families;  /* of the group */
    size_t rows;      /* of the group */
    double low, high; /* of the error; -INFINITY and INFINITY: too few families for the level */
};

/* Finds the bounds of `count` classes that hold for a share `level` (0 to 1) of rows.  The group
 * with the fewest families is merged with the one with the most until each has `least` or one is
 * left: two small ones together would be as wide as the worse of them.  FW_ERROR_INPUT: an error is
 * not finite, or a class is not one.
 *
 * FW_CONFORMAL_EACH leaves out half of the rest on either side.  FW_CONFORMAL_EVEN has bounds of
 * one size: `low` is -`high`, the size that a share `level` of errors do not exceed, whatever their
 * sign.  Each side of the others leaves out half as much, of which the family that nobody knows is
 * all where there are 20 families and a level of 90 %: one row that is off by far, of 20 families,
 * is then a bound.  Of one size the same row is left out. */
enum fw_conformal_sides { FW_CONFORMAL_EACH, FW_CONFORMAL_EVEN };
enum fw_status fw_conformal_fit(struct fw_conformal_class *classes, uint32_t count,
                                const struct fw_conformal_row *rows, size_t row_count,
                                enum fw_conformal_sides sides, double level, size_t least,
                                struct fw_arena *scratch);

/* Which share of `judged` new families bounds fitted to `families` hold, by chance alone: it lies
 * from `low` to `high` in nine of ten samples of both, and beyond either in one of twenty at most.
 * Of few new families that is anything.  The number is a beta-binomial one, whatever errors are
 * distributed like (Marques, On the universal distribution of the coverage in split conformal
 * prediction, arXiv 2303.02770, 2023, theorem 1), if bounds hold all rows of a family or none;
 * where they hold some, shares vary less.  NAN: there are no bounds, or no new family. */
void fw_conformal_usual(double *low, double *high, enum fw_conformal_sides sides, double level,
                        size_t families, size_t judged);

/* How the bounds do for families that they were not fitted to: each family is held out in turn.
 * Of each group (at its first class; zeros elsewhere); families weigh the same. */
struct fw_conformal_check {
    double covered; /* share of rows within the bounds */
    double width;   /* high less low, times the deviation; the median over families */
    double score;   /* interval score, times the deviation: width and, of rows outside, 2 / (1 -
                       level) times how far;   the mean (Gneiting and Raftery, Strictly proper scoring
                       rules, JASA 102,   2007, equation 43) */
};
enum fw_status fw_conformal_check(struct fw_conformal_check *checks, uint32_t count,
                                  const struct fw_conformal_row *rows, size_t row_count,
                                  enum fw_conformal_sides sides, double level, size_t least,
                                  struct fw_arena *scratch);

#endif
