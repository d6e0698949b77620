/* Patterns: the lanes of a block's warps, and what warps asked that looked the same.
 *
 * Takes forms and blocks; gives for each warp of a block what it asks of L1, found by going lane by
 * lane only where no warp before it looked alike: which lanes a form has in a warp, and how far
 * apart, depends on its strides and on where conditions cut the block, and so is the same for most
 * forms and blocks.  For the memory room's own files. */
#ifndef FW_WARP_MEMO_H
#define FW_WARP_MEMO_H

#include "warp_totals.h"

enum { MEMO_COSTS = 512, MEMO_LAYOUTS = 8, MEMO_WARPS = 64, MEMO_DATA_COSTS = 256 };

/* A warp's instruction. */
struct memo_cost {
    uint64_t key; /* 0: none */
    uint32_t sectors, lines, partial_sectors;
    double wavefronts, multi_line_passes, hit_wavefronts; /* see tags.h */
};

/* A warp of a block. */
struct layout_warp {
    uint64_t differences; /* of its lanes' addresses, hashed */
    int64_t first;        /* address of its first lane, from that of the block's first thread */
    uint32_t lanes;
};

/* MEMO_WARPS warps of a block, of which the threads low <= t < high run. */
struct lane_layout {
    int64_t thread_stride[3], low[3], high[3]; /* strides, threads */
    uint32_t size[3];                          /* of the block */
    uint32_t from;                             /* the first warp; */
    uint32_t count;                            /* of the warps; 0: nothing is here */
    struct layout_warp at[MEMO_WARPS];
};

/* What was seen so far, with one size of warps, sectors and lines.  Zeroed at first but for these.
 */
struct fw_warp_memo {
    uint32_t warp, sector, line;
    uint32_t replaced;                  /* places of patterns taken so far */
    struct memo_cost costs[MEMO_COSTS]; /* direct-mapped */
    struct { /* of those, what tags have no part in: the same wherever in memory */
        uint64_t key;
        struct fw_request_cost demand;
    } data_costs[MEMO_DATA_COSTS];
    struct lane_layout layouts[MEMO_LAYOUTS];
};

/* Warps of a block from number `from` on, where a form's conditions leave something of it: at most
 * MEMO_WARPS.  NULL: they leave nothing of the block.  Valid until the next call. */
const struct lane_layout *lane_layout_find(struct fw_warp_memo *memory,
                                           const struct fw_affine_accesses *accesses,
                                           const struct fw_affine_access *access,
                                           const int64_t block[3], uint32_t from);

/* What warp `w` of a pattern asks by `bytes` a lane when the block's first thread is at `address`.
 */
const struct memo_cost *lane_layout_cost(struct fw_warp_memo *memory,
                                         const struct lane_layout *pattern, uint32_t w,
                                         uint32_t bytes, int64_t address);

#endif
