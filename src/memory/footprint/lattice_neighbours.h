/* Neighbours: what runs beside an access, for the lattice of its array.
 *
 * Takes the affine accesses of a launch.  Gives the bytes that an access fills together with others
 * which blocks and iterations move alike, and where these begin: the arms of a stencil and the
 * copies of an unrolled loop make rows of tiles meet that none of them fills alone.  Internal to
 * this room; it never counts. */
#ifndef FW_LATTICE_NEIGHBOURS_H
#define FW_LATTICE_NEIGHBOURS_H

#include "lattice.h"

/* What runs beside access `i`.  `first_of_set`: by access, the first that is generated uniformly
 * with it; `places`: room for a number an access, which the result points to. */
struct lattice_neighbours lattice_neighbours_find(const struct fw_affine_accesses *accesses,
                                                  const uint32_t *first_of_set, int64_t granule,
                                                  uint32_t i, int64_t *places);

#endif
