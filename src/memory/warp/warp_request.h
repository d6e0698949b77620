/* Warp requests: what one memory instruction of one warp requests.
 *
 * Takes the addresses of the warp's active lanes.  Gives sectors, lines and wavefronts of the
 * load-store unit, and the bank conflicts of shared memory.  Never knows what is in a cache. */
#ifndef FW_WARP_REQUEST_H
#define FW_WARP_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

enum { FW_WARP_MAX_LANES = 64 };

/* The active lanes of one warp instruction. */
struct fw_warp_request {
    uint32_t lanes;
    uint32_t bytes; /* per lane */
    bool store;
    int64_t at[FW_WARP_MAX_LANES];
};

/* The cost of one request. */
struct fw_request_cost {
    uint32_t sectors, lines;
    uint32_t passes;          /* by bank conflicts alone, as in shared memory */
    uint32_t partial_sectors; /* sectors of which the lanes touch a part */
    double wavefronts, multi_line_passes,
        hit_wavefronts; /* of the load-store unit's data stage: see l1_tags.h */
    double lookups;     /* of L1's tags: see l1_tags.h */
};

/* The cost of a request; `sector` and `line` in bytes, powers of two. */
struct fw_request_cost fw_request_cost(const struct fw_warp_request *request, uint32_t sector,
                                       uint32_t line);

/* The two parts of fw_request_cost: all but what depends on tags, and the rest.  The first part
 * depends on the request's position within a line alone. */
struct fw_request_cost fw_request_data_cost(const struct fw_warp_request *request, uint32_t sector,
                                            uint32_t line);
void fw_request_add_tags(struct fw_request_cost *demand, const struct fw_warp_request *request,
                         uint32_t line);

/* Passes through shared memory: the most distinct words in one of `banks` banks of `width` bytes.
 * Wide accesses go in groups of lanes (64 bits: half warps; 128 bits: quarter warps). */
uint32_t fw_request_passes(const struct fw_warp_request *request, uint32_t banks, uint32_t width);

/* What L2 does for one atomic instruction of a warp.  A slice changes each word of a sector once in
 * a pass: lanes on one word take a pass each.  Source: `add` in data/h200/launch, where the 32
 * lanes of a warp on one word take 32 times as long as one lane, and on eight words of a sector as
 * long as one. */
struct fw_atomic_cost {
    uint32_t passes; /* over sectors: the sum over sectors of the most lanes on one word */
    uint32_t whole;  /* of these: passes that change every word of their sector */
};

/* The cost of an atomic request whose lanes change words of `word` bytes, a power of two. */
struct fw_atomic_cost fw_request_atomic_cost(const struct fw_warp_request *request, uint32_t word,
                                             uint32_t sector);

/* Passes of an atomic request through shared memory: as fw_request_passes, but lanes on one word
 * take a pass each.  Source: atomic_shared_same in data/h200/probe: a lane a cycle. */
uint32_t fw_request_lane_passes(const struct fw_warp_request *request, uint32_t banks,
                                uint32_t width);

#endif
