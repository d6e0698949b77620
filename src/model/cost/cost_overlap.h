/* How much on-chip work a kernel hides behind its memory traffic: the analysis of Stevens and
 * Kloeckner, section 8.1.
 *
 * Takes a calibration whose table has whole kernels beside their traffic alone (the work remover's
 * kernels): a row whose name has "_traffic" where another's has "_all".  Gives, for each pair, the
 * measured time of the traffic, the cost of the removed on-chip work by the calibration, the
 * measured time of the whole, and what the forms of overlap predict of it. */
#ifndef FW_COST_OVERLAP_H
#define FW_COST_OVERLAP_H

#include "cost_fit.h"

struct fw_cost_overlap_row {
    const char *kernel;    /* the whole one's name */
    bool held;             /* it was not fitted */
    double traffic, whole; /* measured */
    double on_chip;        /* by the parameters of the form that was chosen */
    double hidden; /* share of the lesser of traffic and on-chip cost: (traffic + on_chip - whole)
                      by it; 0: nothing overlaps, 1: everything; noise goes beyond */
    double predicted[FW_COST_OVERLAP_COUNT]; /* of the whole, by form; NAN: not fitted */
};

/* The pairs of a calibration's table, in the arena; none where its model has no groups. */
struct fw_cost_overlap_row *fw_cost_overlap_rows(size_t *count, struct fw_arena *arena,
                                                 const struct fw_cost_calibration *calibration);

#endif
