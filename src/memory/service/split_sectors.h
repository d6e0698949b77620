/* Split sectors: sectors to which two warps store a part each, because rows begin within a sector.
 *
 * L2 receives the two parts one after the other.  It costs little if the second part follows soon.
 * If neighbours run loops, or wait for loads between their stores, the second part comes late, and
 * device memory slows down by far more than the bytes say: a march in place along misaligned rows
 * takes 1.7 times as long as along aligned rows, at the same bytes (streams.cu in
 * data/h200/traffic).  Where a launch reads the array that it stores to, whole lines count instead:
 * a store waits while L2 fetches another sector of its line for the neighbour, and rows that begin
 * on a sector but within a line cost as much (place and march_place in data/h200/sectors).
 *
 * Takes the affine accesses of a launch; gives the number of parts, by how
 * late the other part comes.  Never knows what a part costs: dram_service.h. */
#ifndef FW_SPLIT_SECTORS_H
#define FW_SPLIT_SECTORS_H

#include "load_order.h"

/* Parts of sectors that warps store while another warp stores the rest. */
struct fw_split_sectors {
    double within_block;  /* the other warp is in the same block */
    double across_blocks; /* the other warp is in another block */
    double late;          /* the stores are in a loop, or behind a load that waits for a store */
    double late_in_place; /* as `late`, and the array is also read */
};

/* `order`: by access, as in load_order.h; NULL: loads pass all stores.  `in_place`: bytes of what
 * is split of arrays that the launch also reads: a line; where device memory has no part in it, a
 * sector. */
struct fw_split_sectors fw_split_sectors_find(const struct fw_affine_accesses *accesses,
                                              const struct fw_load_order *order, uint32_t sector,
                                              uint32_t in_place, uint32_t warp);

/* The share of an access's rows that are misaligned to `granule` at `from` bytes behind their
 * begin: over some rows of blocks, threads and iterations. 0 if neighbouring threads do not touch
 * adjacent memory. */
double fw_misaligned_rows(const struct fw_affine_access *access,
                          const struct fw_affine_accesses *accesses, int64_t from,
                          uint32_t granule);

/* Whether the rows of a block follow one another in memory, `*gap` bytes apart, which is less than
 * a sector: a block of 16 on rows of 16 or 17 words moves one run of memory. */
bool fw_rows_join(const struct fw_affine_access *access, const struct fw_affine_accesses *accesses,
                  uint32_t sector, int64_t *gap);

/* Stores of a thread, per iteration, to memory adjacent to its neighbours' stores; at least 1. */
double fw_thread_stores(const struct fw_affine_accesses *accesses);

#endif
