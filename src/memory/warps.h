/* Warps: what one warp's instruction asks of L1.
 *
 * Takes the addresses of a warp's lanes; gives sectors, lines and wavefronts of the load-store
 * unit, and bank conflicts of shared memory.  With forms, gives the totals of a launch by going
 * through the warps of sampled blocks: exact where all blocks look alike to L1, which is checked by
 * their addresses' places within a line.  Knows nothing of what is in a cache. */
#ifndef FW_WARPS_H
#define FW_WARPS_H

#include "arena.h"
#include "form.h"

enum { FW_WARP_MOST_LANES = 64 };

/* Active lanes of one warp instruction. */
struct fw_warp_access {
    uint32_t lanes;
    uint32_t bytes; /* of a lane */
    bool store;
    int64_t at[FW_WARP_MOST_LANES];
};

/* What one instruction asks for. */
struct fw_warp_demand {
    uint32_t sectors, lines;
    uint32_t passes;  /* as through shared memory: by banks */
    uint32_t partial; /* sectors that the lanes do not fill */
    double wavefronts, further, found; /* of the load-store unit's data stage: see tags.h */
};

/* Sectors, lines and passes of an instruction (granules in bytes, powers of two). */
struct fw_warp_demand fw_warp_demand(const struct fw_warp_access *access, uint32_t sector,
                                     uint32_t line);

/* Its two parts: all but what the tags say, and that; the first depends on where in a line the warp's
 * places begin alone. */
struct fw_warp_demand fw_warp_data(const struct fw_warp_access *access, uint32_t sector,
                                   uint32_t line);
void fw_warp_add_tags(struct fw_warp_demand *demand, const struct fw_warp_access *access,
                      uint32_t line);

/* Passes through shared memory: the most distinct words in one of `banks` banks of `width` bytes,
 * lane groups for wide accesses apart (64 bits: halves, 128 bits: quarters). */
uint32_t fw_warp_passes(const struct fw_warp_access *access, uint32_t banks, uint32_t width);

/* Totals of a launch. */
struct fw_warp_totals {
    double load_instructions, store_instructions; /* of warps */
    double load_sectors, store_sectors;
    double load_wavefronts, store_wavefronts;
    double load_lines, store_lines; /* of each instruction, added up */
    double store_partial;           /* sectors that an instruction does not fill */
    double load_further, load_found; /* see tags.h */
    double blocks_seen;             /* sampled */
    bool exact;                     /* every block looks like one that was seen */
};

/* What warps asked that looked the same, from one use to the next. */
struct fw_warp_memory;

/* For warps of `warp` lanes (1 to FW_WARP_MOST_LANES; else 32), sectors and lines of so many bytes;
 * it is the arena's. */
struct fw_warp_memory *fw_warp_memory_new(struct fw_arena *arena, uint32_t warp, uint32_t sector,
                                          uint32_t line);

/* Adds up all forms over all blocks of a launch. */
void fw_warps_find(struct fw_warp_totals *totals, struct fw_warp_memory *memory,
                   const struct fw_forms *forms);

#endif
