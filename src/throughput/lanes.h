/* Lanes: where the threads of one warp go in one access, and what that costs the memory units.
 *
 * Takes an access at a bound launch.  Gives strides, and the byte offsets of the first warp's
 * lanes, from which sectors and passes over the banks of shared memory are counted.  The first warp
 * of the first block in the first iteration stands for all: no other is looked at. */
#ifndef FW_LANES_H
#define FW_LANES_H

#include "launch.h"
#include "warp.h"

/* Bytes from one index to the next in x, y and z. */
struct fw_strides {
    bool known; /* the offset is one stride times each index, plus what does not depend on them */
    int64_t at[3];
    int64_t origin; /* the offset where all indices are 0 */
};

/* An access's strides in the thread's indices, and in the block's. */
void fw_strides_of_threads(struct fw_strides *strides, struct fw_bound *bound,
                           const struct fw_kernel *kernel, const struct fw_access *access);
void fw_strides_of_blocks(struct fw_strides *strides, struct fw_bound *bound,
                          const struct fw_kernel *kernel, const struct fw_access *access);

/* Strides in elements of so many bytes; false when they are not known, or not whole ones. */
bool fw_strides_in_elements(const struct fw_strides *strides, uint32_t bytes, int64_t at[3]);

struct fw_lanes {
    bool known;     /* false: offsets depend on data */
    uint32_t count; /* lanes of the first warp */
    int64_t offsets[FW_WARP_THREADS];
};

/* The lanes' byte offsets from where the array begins. */
void fw_lanes_find(struct fw_lanes *lanes, struct fw_bound *bound, const struct fw_kernel *kernel,
                   const struct fw_access *access, const uint32_t block[3]);

/* Distinct sectors of `sector` bytes that the lanes' accesses of `bytes` touch, when the array
 * begins `shift` bytes behind a sector's begin. */
uint32_t fw_lanes_sectors(const struct fw_lanes *lanes, uint32_t bytes, uint32_t sector,
                          uint32_t shift);

/* Passes over `banks` banks of `width` bytes that the lanes need at least: the most different words
 * of one bank.  Wide accesses may need more, as they go by half or quarter warps. */
uint32_t fw_lanes_passes(const struct fw_lanes *lanes, uint32_t bytes, uint32_t banks,
                         uint32_t width);

#endif
