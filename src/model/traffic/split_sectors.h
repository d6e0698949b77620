/* Shared sectors: those of which two warps store a part each, because rows begin beside a sector's
 * begin.
 *
 * L2 takes the two parts one after the other.  Where the second comes soon, that costs little;
 * where neighbours go through loops, or wait for loads between their stores, it comes late, and
 * device memory is slowed down by far more than its bytes (streams.cu in data/h200/traffic: a
 * march in place along misaligned rows takes 1.7 times as long as along aligned ones, at the same
 * bytes).  Takes the forms of a launch; gives how many parts there are, by how late the other part
 * comes.  Knows no device figures but the sizes of a sector and a warp. */
#ifndef FW_SPLIT_SECTORS_H
#define FW_SPLIT_SECTORS_H

#include "rounds.h"

/* Parts of sectors that the launch's warps store, each with another warp's part beside it. */
struct fw_split_sectors {
    double within_block;  /* the other warp is of the same block */
    double across_blocks; /* of another block */
    double late;          /* in loops, or with waiting for loads between stores */
    double late_in_place; /* the same, where the array is also read */
};

/* `order`: by form, as rounds have it; NULL: loads pass all stores. */
struct fw_split_sectors fw_split_sectors_find(const struct fw_affine_accesses *accesses,
                                              const struct fw_round_order *order, uint32_t sector,
                                              uint32_t warp);

/* The share of a form's rows that have no granule's begin at `from` bytes from their begin: over
 * the rows of blocks, threads and iterations, a few of each.  0 where threads side by side are not
 * side by side in memory. */
double fw_misaligned_rows(const struct fw_affine_access *access,
                          const struct fw_affine_accesses *accesses, int64_t from, uint32_t granule);

/* Stores of a thread to places side by side with its neighbours', loops' turns apart; 1 at least.
 */
double fw_thread_stores(const struct fw_affine_accesses *accesses);

#endif
