/* Boxes: the quick first half of counting a bound system, in plain 64-bit integers.
 *
 * Rows over one variable become bounds; block * size + thread becomes one variable; rows that the
 * bounds imply go; floors that nothing asks for go; variables that share no row with others
 * multiply.  What is left is handed on.  Any overflow hands the whole system on. */
#ifndef FW_BOX_H
#define FW_BOX_H

#include "system.h"

struct box_row {
    int64_t constant;
    uint32_t mask; /* the variables with a coefficient */
    bool equality;
    int64_t at[FW_SYSTEM_VARIABLES]; /* only those of the mask are set */
};

struct box {
    unsigned variables;
    unsigned row_count;
    uint32_t coupled; /* variables that the rows have */
    uint32_t gone;    /* variables that another one took up */
    uint32_t has_low;
    uint32_t has_high;
    uint64_t factor;
    int64_t low[FW_SYSTEM_VARIABLES];
    int64_t high[FW_SYSTEM_VARIABLES];
    struct box_row rows[FW_SYSTEM_ROWS]; /* of two variables and more */
};

enum box_answer {
    BOX_DONE,    /* the count is the result */
    BOX_COUPLED, /* the count is the result times that of the box's coupled rows and bounds */
    BOX_UNKNOWN  /* nothing was done */
};

/* How many values a variable has at most, with variables of the mask `among` that come before it:
 * between its bounds, or, where it has none, in a floor of those; INFINITY: neither. */
double fw_box_width(const struct box *box, unsigned variable, uint32_t among);

/* Bounds how many values the first `kept` variables have together: the product of their widths,
 * when rows over one variable and rows that the bounds decide are done with; INFINITY: one has no
 * bound.  `*exact`: no row is left, so that they have as many. */
double fw_box_most(bool *exact, struct box *box, const struct fw_system *system, uint32_t kept);

/* Counts the points of a system within the box, whose rows that the bounds decide are done with:
 * `result` is set by BOX_DONE and BOX_COUPLED. */
enum box_answer fw_box_count(mpz_ptr result, struct box *box, const struct fw_system *system);

#endif
