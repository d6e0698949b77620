/* Lone pieces: bytes that a launch reads or writes of device memory while nothing near them is.
 *
 * Threads that are a line or more apart touch a piece each: of a row of their own that a loop goes
 * along, or one element of a structure, of a diagonal, of a column.  A row of device memory is
 * opened for each of them.  Takes the affine accesses of a launch; gives the pieces of one access,
 * in bytes. Never knows what a piece costs: dram_service.h. */
#ifndef FW_LONE_PIECES_H
#define FW_LONE_PIECES_H

#include "affine_access.h"
#include "caches.h"

struct fw_lone_piece {
    double bytes;  /* that lie together; 0: the access has no lone pieces */
    double shared; /* accesses that touch the same pieces, this one among them */
};

/* The pieces of access `index`. */
struct fw_lone_piece fw_lone_piece_of(const struct fw_affine_accesses *accesses, uint32_t index,
                                      const struct fw_caches *caches);

#endif
