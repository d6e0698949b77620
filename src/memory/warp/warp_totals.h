/* Warp totals: the requests of all warps of a launch, from its affine accesses.
 *
 * Takes affine accesses; gives sums over the warps of sampled blocks, weighted by the blocks that
 * each stands for.  They are exact where all blocks have the same position within a line.  Never
 * knows what is in a cache. */
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
    double load_lines, store_lines;           /* summed over instructions */
    double partial_store_sectors;             /* sectors of which an instruction writes a part */
    double multi_line_passes, hit_wavefronts; /* see l1_tags.h */
    double load_lookups, store_lookups;       /* likewise */
    double sampled_blocks;                    /* number of blocks evaluated */
    bool exact;                               /* the sampled blocks stand for all blocks exactly */
};

/* The memo of requests (warp_memo.h); it may serve several calls. */
struct fw_warp_memo;

/* A memo for warps of `warp` threads (1 to FW_WARP_MAX_LANES; else 32), and sectors and lines of so
 * many bytes.  Memory is the arena's. */
struct fw_warp_memo *fw_warp_memo_new(struct fw_arena *arena, uint32_t warp, uint32_t sector,
                                      uint32_t line);

/* Sums the requests of all accesses over all blocks of a launch. */
void fw_warp_totals_find(struct fw_warp_totals *totals, struct fw_warp_memo *memo,
                         const struct fw_affine_accesses *accesses);

#endif
