/* Counts of brief launches, where pieces that hold little are estimated. */
#ifndef FW_BRIEFLY_H
#define FW_BRIEFLY_H

#include "bound_internal.h"

/* A piece of a domain. */
struct brief_count {
    bool known;    /* `points` stands for what it holds; false: it has to be counted */
    double points; /* or warps, without the piece's weight */
    double most;   /* points that it may hold, where half of them stand for it; 0: it is exact */
    double weight;
};

/* Drops pieces that ranges alone show to be empty, where the launch is brief and has many: what is
 * made of them would be as many again. */
void bound_drop_empty_briefly(struct fw_bound *bound, struct fw_piece_list *pieces);

/* Counts the points of a piece, or its warps, which may be neglected (fw_counter_neglect). */
typedef enum fw_status brief_counter(struct fw_bound *bound, const struct fw_piece *piece,
                                     mpz_ptr result);

/* The counts of a domain's pieces where the launch is brief, in the binding's scratch; NULL: it is
 * not, or there are too few pieces for it to be worth it.  What is left to count is what pieces
 * hold that are not sampled, and whose estimates would be off together by more than 2 % of the
 * domain. */
struct brief_count *bound_count_briefly(struct fw_bound *bound, const struct fw_piece_list *pieces,
                                        brief_counter *counter);

#endif
