/* Warp totals: what all warps of a launch ask by affine accesses. */
#ifndef FW_WARP_TOTALS_H
#define FW_WARP_TOTALS_H

#include "affine_access.h"
#include "arena.h"
#include "warp_request.h"

/* Totals of a launch. */
struct fw_warp_totals {
    double load_instructions, store_instructions; /* of warps */
    double load_sectors, store_sectors;
    double load_wavefronts, store_wavefronts;
    double load_lines, store_lines;           /* of each instruction, added up */
    double partial_store_sectors;             /* sectors that an instruction does not fill */
    double multi_line_passes, hit_wavefronts; /* see tags.h */
    double sampled_blocks;                    /* sampled */
    bool exact;                               /* every block looks like one that was seen */
};

/* What warps asked that looked the same, from one use to the next. */
struct fw_warp_memo;

/* For warps of `warp` lanes (1 to FW_WARP_MAX_LANES; else 32), sectors and lines of so many bytes;
 * it is the arena's. */
struct fw_warp_memo *fw_warp_memo_new(struct fw_arena *arena, uint32_t warp, uint32_t sector,
                                      uint32_t line);

/* Adds up all forms over all blocks of a launch. */
void fw_warp_totals_find(struct fw_warp_totals *totals, struct fw_warp_memo *memory,
                         const struct fw_affine_accesses *accesses);

#endif
