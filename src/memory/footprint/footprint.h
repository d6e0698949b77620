/* Footprints: how many distinct sectors, fetches or lines a run of blocks touches.
 *
 * Takes the affine accesses of a launch.  Gives the number of distinct granules (32, 64 or 128
 * bytes) that a run of blocks in launch order touches, during a part of their lifetime if asked
 * for.  The addresses of an array become points of a lattice: its first axis runs along memory, and
 * the others are the strides between rows, planes and so on.  The accesses of a run of blocks are
 * then a few boxes (boxes.h), and no address is enumerated.  Different rows count as different
 * memory, as in the multi-dimensional sets of the paper (section 4.4.1; see
 * docs/memory-traffic.md); where rows wrap around into each other, the count is a little too high.
 * Where rows begin at different offsets within a granule, the count is the mean over these offsets.
 * A footprint never says what a cache holds. */
#ifndef FW_FOOTPRINT_H
#define FW_FOOTPRINT_H

#include "boxes.h"
#include "affine_access.h"

/* Which accesses count. */
enum fw_footprint_of { FW_FOOTPRINT_LOADS = 1, FW_FOOTPRINT_STORES = 2, FW_FOOTPRINT_ALL = 3 };

/* Blocks first <= b < last in launch order (x fastest), from `begin` to `end` of their lifetime (0
 * to 1: all of it).  The lifetime selects the iterations of a loop. */
struct fw_window {
    int64_t first, last;
    double begin, end;
    enum fw_footprint_of of;
};

/* What a footprint does with an array when its accesses differ too much to be counted one by one:
 * see fw_affine_accesses.bounded. */
enum fw_footprint_bound {
    FW_FOOTPRINT_UNION = 1, /* more than FW_BOXES_MOST boxes in several axes: an upper bound */
    FW_FOOTPRINT_SHARES = 2 /* more than FW_FOOTPRINT_MOST_PAIRS: no shares of new data */
};
enum { FW_FOOTPRINT_MOST_PAIRS = 4 << 20 /* accesses times boxes */ };

struct fw_footprint;

/* A footprint by granules of `granule` bytes, a power of two up to 256.  All memory is the arena's;
 * `accesses` must outlive it. */
struct fw_footprint *fw_footprint_new(struct fw_arena *arena,
                                      const struct fw_affine_accesses *accesses, uint32_t granule);

/* The same accesses by another granule.  The two share what does not depend on the granule. */
struct fw_footprint *fw_footprint_like(const struct fw_footprint *other, uint32_t granule);

/* Distinct granules in the union of the windows, of one array, or of all with FW_NONE. */
double fw_footprint_count(struct fw_footprint *footprint, const struct fw_window *windows,
                          uint32_t count, uint32_t array);

/* The number of granules that one block touches in its life.  Of few rows each begins where it
 * does; fw_footprint_count takes the mean over places, as its counts are subtracted from each
 * other. */
double fw_footprint_of_block(struct fw_footprint *footprint, int64_t block,
                             enum fw_footprint_of of);

/* For each load, the share of its granules in `window` that the windows in `past` do not contain;
 * `shares` is by access (0 for stores, and left alone for an array of more than
 * FW_FOOTPRINT_MOST_PAIRS).  Rows are taken to begin at whole granules. */
void fw_footprint_new_shares(struct fw_footprint *footprint, const struct fw_window *past,
                             uint32_t past_count, const struct fw_window *window, double *shares);

/* False: the strides of some accesses cut across each other, or an array was bounded, and counts
 * are upper bounds. */
bool fw_footprint_exact(const struct fw_footprint *footprint);

/* Boxes that all counts so far went through: a measure of their work. */
uint64_t fw_footprint_boxes(const struct fw_footprint *footprint);

#endif
