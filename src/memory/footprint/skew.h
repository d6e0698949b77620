/* Skew: accesses whose rows begin ever further along, and loops whose trips differ.
 *
 * A loop from j = i on over a[j * n + i] moves by a row an iteration and by a row and an element a
 * thread: the rows of different threads are the same rows.  Takes an affine access.  Gives it with
 * what a thread moves within a row alone, and the rows that an index shifts it by as a slope.  Cuts
 * a run of threads into pieces that are short enough to have one shift and one number of trips
 * each, so that a triangle becomes a staircase of boxes.  Internal to this room; it never counts.
 */
#ifndef FW_SKEW_H
#define FW_SKEW_H

#include "affine_access.h"

/* The rows by which indices shift an access. */
struct skew {
    int64_t row; /* bytes; 0: nothing is shifted */
    struct fw_affine_slope rows;
};

/* The rows of an array: what is left of strides once rows are taken out of them. */
struct skew_rows {
    int64_t row; /* bytes, the greatest common divisor of the shifts; 0: none */
    int64_t thread[3], block[3];
    bool shifted;      /* the access that they come from */
    double executions; /* of the access that they come from */
};

/* Adds the rows of an access to those of its array, if its threads begin in rows of their own or
 * end in rows of their own: of those that are shifted, else of all, the access that runs most
 * often decides. */
void skew_rows_add(struct skew_rows *rows, const struct fw_affine_access *access,
                   const struct fw_affine_accesses *accesses);

/* Takes rows out of the strides of an access, and out of its floors.  False: the access is
 * unchanged, and nothing is shifted. */
bool skew_take(struct skew *skew, struct fw_affine_access *access,
               const struct fw_affine_accesses *accesses, const struct skew_rows *rows);

/* Whether indices shift two accesses alike. */
bool skew_equal(const struct skew *a, const struct skew *b);

enum { SKEW_PIECES = 8 };

/* Threads low <= t < high of the grid by axis, all with about the same shift and trips. */
struct skew_piece {
    int64_t low[3], high[3];
    int64_t rows;        /* that the access is shifted by */
    int64_t row_count;   /* rows from there on, if its threads have rows of their own; else 1 */
    int64_t from, until; /* iterations of the ragged loop */
};

/* Cuts a box of threads low <= t < high into pieces with work, at most 2 * SKEW_PIECES.  Gives how
 * many. */
uint32_t skew_pieces(struct skew_piece out[2 * SKEW_PIECES], const struct fw_affine_access *access,
                     const struct skew *skew, const struct fw_affine_accesses *accesses,
                     const int64_t low[3], const int64_t high[3]);

#endif
