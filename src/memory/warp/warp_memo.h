/* Patterns: the lanes of a block's warps, and what warps asked that looked the same.
 *
 * Takes forms and blocks; gives for each warp of a block what it asks of L1, found by going lane by
 * lane only where no warp before it looked alike: which lanes a form has in a warp, and how far
 * apart, depends on its strides and on where conditions cut the block, and so is the same for most
 * forms and blocks.  For the memory room's own files. */
#ifndef FW_PATTERNS_H
#define FW_PATTERNS_H

#include "warp_totals.h"

enum { PATTERN_KNOWN = 512, PATTERN_CUTS = 8, PATTERN_WARPS = 64, PATTERN_DATA = 256 };

/* A warp's instruction. */
struct pattern_asked {
    uint64_t key; /* 0: none */
    uint32_t sectors, lines, partial;
    double wavefronts, further, found; /* see tags.h */
};

/* A warp of a block. */
struct pattern_warp {
    uint64_t differences; /* of its lanes' addresses, hashed */
    int64_t first;        /* address of its first lane, from that of the block's first thread */
    uint32_t lanes;
};

/* PATTERN_WARPS warps of a block, of which the threads low <= t < high run. */
struct pattern {
    int64_t thread[3], low[3], high[3]; /* strides, threads */
    uint32_t size[3];                   /* of the block */
    uint32_t from;                      /* the first warp; */
    uint32_t count;                     /* of the warps; 0: nothing is here */
    struct pattern_warp at[PATTERN_WARPS];
};

/* What was seen so far, with one size of warps, sectors and lines.  Zeroed at first but for these.
 */
struct fw_warp_memory {
    uint32_t warp, sector, line;
    uint32_t taken;                            /* places of patterns taken so far */
    struct pattern_asked known[PATTERN_KNOWN]; /* direct-mapped */
    struct { /* of those, what tags have no part in: the same wherever in memory */
        uint64_t key;
        struct fw_warp_demand demand;
    } data[PATTERN_DATA];
    struct pattern patterns[PATTERN_CUTS];
};

/* Warps of a block from number `from` on, where a form's conditions leave something of it: at most
 * PATTERN_WARPS.  NULL: they leave nothing of the block.  Valid until the next call. */
const struct pattern *pattern_of(struct fw_warp_memory *memory, const struct fw_forms *forms,
                                 const struct fw_form *form, const int64_t block[3], uint32_t from);

/* What warp `w` of a pattern asks by `bytes` a lane when the block's first thread is at `address`.
 */
const struct pattern_asked *pattern_ask(struct fw_warp_memory *memory,
                                        const struct pattern *pattern, uint32_t w, uint32_t bytes,
                                        int64_t address);

#endif
