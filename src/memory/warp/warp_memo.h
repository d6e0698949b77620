/* The memo of warps: the costs of requests that have been computed already.
 *
 * Which lanes of a warp run an access, and how far apart they are, depends on its strides and on
 * the conditions that cut the block; most accesses and blocks repeat a few cases.  Takes affine
 * accesses and blocks; gives the cost of each warp's request, and goes through its lanes only if
 * the memo does not have it.  The memo compares hashes of 64 bits.  Internal to this room. */
#ifndef FW_WARP_MEMO_H
#define FW_WARP_MEMO_H

#include "warp_totals.h"

enum { MEMO_COSTS = 512, MEMO_LAYOUTS = 8, MEMO_WARPS = 64, MEMO_DATA_COSTS = 256 };

/* The cost of one request. */
struct memo_cost {
    uint64_t key; /* 0: an empty entry */
    uint32_t sectors, lines, partial_sectors;
    double lookups, wavefronts, multi_line_passes, hit_wavefronts; /* see l1_tags.h */
};

/* A warp of a block. */
struct layout_warp {
    uint64_t differences; /* a hash of the differences between its lanes' addresses */
    int64_t first;        /* address of its first lane, relative to the block's first thread */
    uint32_t lanes;
};

/* Up to MEMO_WARPS warps of a block, of which the threads low <= t < high run. */
struct lane_layout {
    int64_t thread_stride[3], low[3], high[3]; /* bytes; threads */
    uint32_t size[3];                          /* of the block */
    uint32_t from;                             /* number of the first warp */
    uint32_t count;                            /* number of warps; 0: an empty entry */
    struct layout_warp at[MEMO_WARPS];
};

/* The memo, for one size of warps, sectors and lines.  The caller sets these sizes and zeroes the
 * rest. */
struct fw_warp_memo {
    uint32_t warp, sector, line;
    uint32_t replaced;                  /* layouts replaced so far */
    struct memo_cost costs[MEMO_COSTS]; /* direct-mapped */
    struct { /* the part of a cost that does not depend on tags, and so not on the position in
                memory */
        uint64_t key;
        struct fw_request_cost cost;
    } data_costs[MEMO_DATA_COSTS];
    struct lane_layout layouts[MEMO_LAYOUTS];
};

/* The layout of up to MEMO_WARPS warps of a block from warp `from` on.  NULL: no thread of the
 * block runs the access.  Valid until the next call. */
const struct lane_layout *lane_layout_find(struct fw_warp_memo *memo,
                                           const struct fw_affine_accesses *accesses,
                                           const struct fw_affine_access *access,
                                           const int64_t block[3], uint32_t from);

/* The cost of warp `w` of a layout, with `bytes` per lane and the block's first thread at
 * `address`. */
const struct memo_cost *lane_layout_cost(struct fw_warp_memo *memo,
                                         const struct lane_layout *layout, uint32_t w,
                                         uint32_t bytes, int64_t address);

#endif
