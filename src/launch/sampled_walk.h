/* Whole warps of a piece, lane by lane: which lanes are in it, where some of what it asks for is
 * evaluated because no row expresses it.
 *
 * Takes a piece with sampled parts and one warp of one block.  Goes through the iterations that the
 * warp's lanes share, all of them or one drawn of each loop, and gives sums over lanes and over
 * warps, each weighted by the iterations that it stands for.  Private to sampled.c; never chooses
 * the warps, and never estimates. */
#ifndef FW_SAMPLED_WALK_H
#define FW_SAMPLED_WALK_H

#include "bound_internal.h"
#include "warp.h"

/* Sums over warps that were gone through. */
struct sampled_sums {
    double threads, warps;           /* points that are in the piece */
    double base_threads, base_warps; /* in what its rows alone say, up to its first sampled loop */
    double before, after;            /* lanes that the last sampled part was asked of; left of them,
                                        or of a loop their iterations */
    double most;                     /* iterations of a sampled loop: the largest */
};

struct sampled_walk {
    struct fw_bound *bound;
    const struct fw_piece *piece;
    struct sampled_memo *memo;
    uint32_t first_loop; /* the variable of the first sampled loop, else all variables */
    bool every;          /* all iterations are gone through; else some are drawn */
    const double *draws; /* numbers in [0, 1), one for each loop in order */
    uint64_t leaves;     /* that may still be come to */
    bool failed;         /* something is not known, or there are too many leaves */
    struct sampled_sums sums;
    /* Of the warp in progress: */
    uint32_t block[3], warp;
    uint32_t all; /* its lanes that are threads, as bits; 0: there was no warp yet */
    uint32_t thread[FW_WARP_THREADS][3];
    int64_t value[FW_PIECE_VARIABLES][FW_WARP_THREADS];
    bool same[FW_PIECE_VARIABLES];  /* a variable has one value at all lanes */
    bool small[FW_PIECE_VARIABLES]; /* its values and their sums in plain rows cannot overflow */
    int64_t *iterations;            /* by loop */
    bool mentions[FW_PIECE_SAMPLED][FW_PIECE_VARIABLES];
    /* The piece's rows by one more than their last variable: those of `end` are rows[first[end]] to
     * rows[first[end + 1]]. */
    uint8_t rows[FW_PIECE_ROWS], first[FW_PIECE_VARIABLES + 2];
    bool plain[FW_PIECE_ROWS]; /* by row: its numbers are far from overflow */
};

/* Makes ready for the warps of a piece; false: something that it asks for cannot be evaluated. */
bool sampled_walk_begin(struct sampled_walk *walk, struct fw_bound *bound,
                        const struct fw_piece *piece);

/* Adds one warp of one block to the sums. */
void sampled_walk_warp(struct sampled_walk *walk, const uint32_t block[3], uint32_t warp);

/* How many numbers are drawn for a warp. */
uint32_t sampled_walk_draws(const struct sampled_walk *walk);

/* Forgets what conditions were found to be, by warp: the binding is another.  NULL is allowed. */
void sampled_memo_forget(struct sampled_memo *memo);
/* Where the estimate of a piece with this content is kept, or may be. */
struct fw_estimate *sampled_memo_estimate(struct sampled_memo *memo, uint64_t content);

#endif
