/* Mixed radix: floors of indices in an address, as digits of these indices.
 *
 * Takes a shape (launch.h) whose address has floors: t / 16 and t % 16 of a tile's threads, i /
 * width of an index over the grid, block % columns of tiles.  Gives what is left of the address
 * without floors, and each floor that matters as one of a single index: a thread, block or grid
 * thread index or an iteration.  Floors that never carry vanish, and floors of floors become one.
 * Threads and iterations that share out the elements of a tile together (k = t + 256 i; k / 18, k %
 * 18) become spans.  A block that goes on by a whole grid (t = block + grid i; t / columns, t %
 * columns) has digits of the tile t, which stand beside an estimate of how far an iteration moves
 * it.  But for these, and for floors that step by less than a line of memory, which count as their
 * mean slope, nothing is estimated; it says so. */
#ifndef FW_MIXED_RADIX_H
#define FW_MIXED_RADIX_H

#include "affine_access.h"
#include "launch.h"

/* A floor of one variable of a shape. */
struct fw_digit {
    uint32_t variable;          /* of FW_FLOOR_OF_GRID_THREAD: the thread's */
    int64_t every, shift, jump; /* see fw_affine_floor */
};

struct fw_mixed_radix {
    struct fw_digit digits[FW_AFFINE_FLOORS]; /* by variable, then by `every` */
    bool of_grid[FW_AFFINE_FLOORS];           /* the floor is of the index over the grid */
    uint32_t digit_count;
    struct fw_affine_span spans[FW_AFFINE_SPANS];
    uint32_t span_count;
    bool
        shared_out[FW_SHAPE_VARIABLES]; /* variables whose elements the spans are, and the floors */
    bool mean_slope;                    /* a floor counts as its mean slope */
    bool of_tiles;                      /* tile_digits are those of a persistent loop's tiles */
    uint32_t tile_axis, tile_loop;      /* the block index's axis; the iteration, a variable */
    int64_t tile_grid, tile_stride;     /* tiles of an iteration; bytes a tile without floors */
    struct fw_digit tile_digits[FW_AFFINE_FLOORS]; /* by `every`; `variable` is unused */
    uint32_t tile_digit_count;
};

/* Takes the floors out of a shape's address, whose coefficients are those of the rest afterwards.
 * `block`: the launch's block size.  False: some floor is of another form; the shape is unchanged.
 */
bool fw_mixed_radix_find(struct fw_mixed_radix *radix, struct fw_shape *shape,
                         const uint32_t block[3]);

#endif
