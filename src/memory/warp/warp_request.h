/* Warps: what one warp's instruction asks of L1.
 *
 * Takes the addresses of a warp's lanes; gives sectors, lines and wavefronts of the load-store
 * unit, and bank conflicts of shared memory.  With forms, gives the totals of a launch by going
 * through the warps of sampled blocks: exact where all blocks look alike to L1, which is checked by
 * their addresses' places within a line.  Knows nothing of what is in a cache. */
#ifndef FW_WARP_REQUEST_H
#define FW_WARP_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

enum { FW_WARP_MAX_LANES = 64 };

/* Active lanes of one warp instruction. */
struct fw_warp_request {
    uint32_t lanes;
    uint32_t bytes; /* of a lane */
    bool store;
    int64_t at[FW_WARP_MAX_LANES];
};

/* What one instruction asks for. */
struct fw_request_cost {
    uint32_t sectors, lines;
    uint32_t passes;          /* as through shared memory: by banks */
    uint32_t partial_sectors; /* sectors that the lanes do not fill */
    double wavefronts, multi_line_passes,
        hit_wavefronts; /* of the load-store unit's data stage: see tags.h */
};

/* Sectors, lines and passes of an instruction (granules in bytes, powers of two). */
struct fw_request_cost fw_request_cost(const struct fw_warp_request *request, uint32_t sector,
                                       uint32_t line);

/* Its two parts: all but what the tags say, and that; the first depends on where in a line the
 * warp's places begin alone. */
struct fw_request_cost fw_request_data_cost(const struct fw_warp_request *request, uint32_t sector,
                                            uint32_t line);
void fw_request_add_tags(struct fw_request_cost *demand, const struct fw_warp_request *request,
                         uint32_t line);

/* Passes through shared memory: the most distinct words in one of `banks` banks of `width` bytes,
 * lane groups for wide accesses apart (64 bits: halves, 128 bits: quarters). */
uint32_t fw_request_passes(const struct fw_warp_request *request, uint32_t banks, uint32_t width);

#endif
