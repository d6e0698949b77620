/* WMMA fragments: the machine's loads and stores of a fragment.
 *
 * PTX leaves the layout of a wmma fragment open.  Assemblers use the layout of mma's fragments,
 * which PTX documents: four lanes along the elements that a lane holds, eight across.  The code of
 * ptxas 13.0 for sm_90 follows it for every shape and type of wmma (64 fragments compared, in
 * global and shared memory; where ldmatrix reads shared memory, its matrices are the rows of these
 * loads).  Takes a tile as it lies in memory (kernel.h); gives the addresses of each load's lanes.
 * Never knows what is in a cache. */
#ifndef FW_WMMA_FRAGMENT_H
#define FW_WMMA_FRAGMENT_H

#include "kernel.h"
#include "warp_request.h"

/* The requests of a fragment. */
struct fw_fragment_requests {
    uint32_t count;      /* loads or stores of a warp */
    uint32_t bytes;      /* per lane */
    uint32_t transposes; /* transposes of 16-bit matrices through the shared memory pipe */
};

/* The requests of a tile. ldmatrix transposes 16-bit factors in shared memory by itself. */
struct fw_fragment_requests fw_fragment_requests(const struct fw_tile *tile, enum fw_space space);

/* The lanes of request `index` of a tile that begins at `from`, with rows `row_stride` bytes apart.
 */
void fw_fragment_lanes(struct fw_warp_request *request, const struct fw_tile *tile, uint32_t index,
                       int64_t from, int64_t row_stride);

#endif
