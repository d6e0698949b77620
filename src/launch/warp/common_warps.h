/* Warps of pieces: how many (block, warp, iterations) have a thread in each of some pieces of one
 * domain.  A warp is threads that follow one another in a block's linear order.  Private to
 * counting by warps (warps.c); never decides which pieces to ask for. */
#ifndef FW_COMMON_WARPS_H
#define FW_COMMON_WARPS_H

#include "bound_internal.h"

/* Distinct (block, warp, iterations) at which every one of the `count` pieces has a thread, into
 * `result`, an initialised mpz; the pieces must have come to the domain the same way (`path`).
 * FW_ERROR_BUDGET: it takes too much work, or the pieces are in different loops. */
enum fw_status common_warps_count(struct fw_bound *bound, const struct fw_piece *const *pieces,
                                  uint32_t count, mpz_ptr result);

/* Whether two pieces share no (block, warp, iterations), as their bounds show. */
bool common_warps_apart(const struct fw_bound *bound, const struct fw_piece *a,
                        const struct fw_piece *b);

/* What a piece's warps are where they are a box: all combinations of a number of values. */
struct fw_warp_box {
    uint32_t sides;
    struct {
        uint32_t name; /* what it is: pieces with the same sides in the same order compare */
        int64_t low, high;
    } side[FW_PIECE_VARIABLES];
};

/* The box that the warps of a piece which is not empty are; false: rows say more than bounds. */
bool common_warps_box(const struct fw_bound *bound, const struct fw_piece *piece,
                      struct fw_warp_box *box);

/* Marks what is not the same for all threads of a warp: thread indices, the iterations in which
 * threads left loops, and quotients made of them. */
void common_warps_mark_dependent(const struct fw_piece *piece, bool *dependent);

uint32_t common_warps_of_block(const struct fw_bound *bound);

#endif
