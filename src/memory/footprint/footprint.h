/* Footprints: how many distinct sectors, fetches or lines blocks touch.
 *
 * Takes the forms of a launch; gives the number of distinct granules (of 32, 64, 128 bytes) that a
 * run of blocks in launch order touches, at a part of their outermost loop when asked for.  An
 * array's addresses become points of a lattice whose first axis runs along memory in granules and
 * whose others are the strides between rows, planes and so on; accesses of a run of blocks are then
 * a few boxes (boxes.h), so that the work does not depend on sizes.  Addresses of different rows
 * count as different (as in the multi-dimensional sets of the traffic paper, section 4.4.1): where
 * rows wrap around into each other a little too much is counted.  Where rows begin at different
 * places within a granule, the mean over these places is taken. */
#ifndef FW_FOOTPRINT_H
#define FW_FOOTPRINT_H

#include "boxes.h"
#include "affine_access.h"

/* Which forms count. */
enum fw_footprint_of { FW_FOOTPRINT_LOADS = 1, FW_FOOTPRINT_STORES = 2, FW_FOOTPRINT_ALL = 3 };

/* Blocks first <= b < last in launch order (x fastest), from `begin` to `end` of their lives, as
 * shares (0 and 1: all): of a loop's iterations those that fall in that time. */
struct fw_window {
    int64_t first, last;
    double begin, end;
    enum fw_footprint_of of;
};

struct fw_footprint;

/* Lattices of the forms for granules of `granule` bytes (a power of two up to 256).  All memory is
 * the arena's; `forms` must live as long. */
struct fw_footprint *fw_footprint_new(struct fw_arena *arena,
                                      const struct fw_affine_accesses *accesses, uint32_t granule);

/* The same forms by another granule, of the same arena; what both need is made once. */
struct fw_footprint *fw_footprint_like(const struct fw_footprint *other, uint32_t granule);

/* Distinct granules in the union of the windows; of one array, or of all with FW_NONE. */
double fw_footprint_count(struct fw_footprint *footprint, const struct fw_window *windows,
                          uint32_t count, uint32_t array);

/* Of each load's own granules in the window, the share that the windows of the past do not hold:
 * into `shares`, by form (0 for stores).  Rows are taken to begin at whole granules. */
void fw_footprint_new_shares(struct fw_footprint *footprint, const struct fw_window *past,
                             uint32_t past_count, const struct fw_window *window, double *shares);

/* Whether the lattices hold the forms exactly; false where strides cut across each other and what
 * is counted is too much. */
bool fw_footprint_exact(const struct fw_footprint *footprint);

#endif
