/* Tiles: what the machine's loads and stores of a wmma fragment ask for.
 *
 * Takes a tile as it lies in memory (kernel.h) and its place; gives, load by load, what each lane
 * touches.  PTX leaves a fragment's layout open.  Assemblers take the layout of mma's fragments,
 * which PTX documents: four lanes go along what a lane holds side by side, eight across it.  The
 * code of ptxas 13.0 for sm_90 is this for every shape and type of wmma (64 fragments compared,
 * global and shared memory; where shared memory is read by ldmatrix, its matrices are these loads'
 * rows).  Knows no caches. */
#ifndef FW_WMMA_FRAGMENT_H
#define FW_WMMA_FRAGMENT_H

#include "kernel.h"
#include "warp_request.h"

/* How the machine takes a tile apart. */
struct fw_fragment_requests {
    uint32_t count;      /* loads or stores of a warp */
    uint32_t bytes;      /* of a lane */
    uint32_t transposes; /* through shared memory's pipe: 16-bit matrices transposed on their way */
};

/* The pieces of a tile.  Shared memory's factors of 16 bits are transposed by ldmatrix itself. */
struct fw_fragment_requests fw_fragment_requests(const struct fw_tile *tile, enum fw_space space);

/* The lanes of piece `piece` where the tile begins at `from` and its rows are `apart` bytes apart.
 */
void fw_fragment_lanes(struct fw_warp_request *request, const struct fw_tile *tile, uint32_t piece,
                       int64_t from, int64_t apart);

#endif
