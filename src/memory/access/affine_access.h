/* Affine accesses: the accesses of a launch in the form that footprints, caches and warps work on.
 *
 * The address of an affine access is the base of its array, plus strides times block indices,
 * thread indices and loop iterations, over a box of threads.  Floors of an index may add steps of
 * their own, so that the digits of an index in a mixed radix move the address by strides of their
 * own: thread 16 y + x of a tile of rows, block y * blocks a row + x of a matrix. kernel_accesses.h
 * makes affine accesses from a kernel record; tests and tools may state them directly.  This header
 * takes and gives plain numbers of one launch.  It never holds an access of another form: whoever
 * makes the list reports those. */
#ifndef FW_AFFINE_ACCESS_H
#define FW_AFFINE_ACCESS_H

#include "address_range.h"
#include "arena.h"
#include "kernel.h"
#include "warp.h"

enum { FW_AFFINE_LOOPS = 4, FW_AFFINE_FLOORS = 4, FW_AFFINE_SPANS = 3 };

/* Loops have at most so many iterations: what more would do, no launch ends to show.  Products with
 * a few tens do not overflow. */
#define FW_AFFINE_TRIPS ((int64_t)1 << 56)

/* The index that a floor is taken of. */
enum fw_floor_of {
    FW_FLOOR_OF_THREAD,      /* the thread index along an axis */
    FW_FLOOR_OF_BLOCK,       /* the block index along an axis */
    FW_FLOOR_OF_GRID_THREAD, /* block index * block size + thread index */
    FW_FLOOR_OF_LOOP,        /* the iteration of a loop */
    FW_FLOOR_OF_TILE         /* the tile of a persistent loop (struct fw_affine_tiles) */
};

/* A term `jump` * floor((index + shift) / every) of an address. */
struct fw_affine_floor {
    enum fw_floor_of of;
    uint32_t index; /* axis of the launch, 0 to 2; or the loop's place in `loop_stride` */
    int64_t every;  /* at least 2 */
    int64_t shift;  /* the same for all floors of an index */
    int64_t jump;   /* bytes */
};

/* Addresses `stride` bytes apart, `count` of them, that a block's threads share out among
 * themselves in the iterations of a loop, in an order that the access does not tell. */
struct fw_affine_span {
    int64_t stride, count;
};

/* The tiles of a persistent loop, whose blocks go on by a whole grid: tile = block index along
 * `axis` + `grid` * iteration.  Stands for what the access states of that block index and that loop
 * separately, where tiles are digits: there, an iteration moves on by whole rows of tiles and a
 * part of one, which no stride is. */
struct fw_affine_tiles {
    uint32_t axis, loop; /* of the launch; its place in `loop_stride` */
    int64_t grid;        /* tiles of an iteration */
    int64_t low, high;   /* low <= tile < high */
    int64_t stride;      /* bytes a tile, without floors */
    uint32_t floor_count;
    struct fw_affine_floor floors[FW_AFFINE_FLOORS]; /* FW_FLOOR_OF_TILE */
};

/* A number that is affine in the block and thread indices of a launch. */
struct fw_affine_slope {
    double constant, block[3], thread[3];
};

/* A loop whose trips differ between threads or blocks: its iterations from <= i < until, both
 * rounded to the next integer, among those that `trips` counts. */
struct fw_affine_ragged {
    bool any;
    uint32_t loop; /* its place in `loop_stride` */
    struct fw_affine_slope from, until;
};

/* An inner loop that ends at an index of the outermost loop around it: in iteration i of that, the
 * iterations below constant + slope * i, among those that `trips` counts. */
struct fw_affine_nested {
    uint32_t loop; /* its place in `loop_stride`; 0: none */
    double constant, slope;
};

struct fw_affine_access {
    uint32_t array;         /* accesses with the same number share memory; others never do */
    uint32_t kernel_access; /* the access of the kernel record that this one comes from */
    uint32_t bytes;         /* that one thread loads or stores per execution */
    enum fw_direction direction;
    int64_t base; /* offset in bytes from an address that is a multiple of 256 */
    int64_t block_stride[3], thread_stride[3]; /* bytes per step of an index */
    uint32_t loops; /* number of loops around it; the outermost comes first */
    int64_t loop_stride[FW_AFFINE_LOOPS];
    int64_t trips[FW_AFFINE_LOOPS]; /* at most FW_AFFINE_TRIPS */
    struct fw_affine_ragged ragged;
    struct fw_affine_nested nested;
    int64_t start; /* iterations of the outermost loop before the first of this access */
    int64_t split; /* the iteration that it is of a short loop, whose iterations are accesses of
                      their own; else 0 */
    uint32_t floor_count; /* grouped by index; each `every` of an index is a multiple
                             of the one before */
    struct fw_affine_floor floors[FW_AFFINE_FLOORS];
    uint32_t span_count;
    struct fw_affine_span spans[FW_AFFINE_SPANS];
    const struct fw_affine_tiles *tiles; /* NULL: none */
    uint32_t outer_loop;                 /* identifies the outermost loop; unused if loops is 0 */
    int64_t tile_rows, tile_row_stride;  /* a tile that one warp moves: rows of `bytes` bytes;
                                            tile_rows 0: no tile */
    int64_t low[3],
        high[3]; /* threads of the grid that run it: low <= block * block size + thread < high */
    int64_t first[3],
        last[3];    /* threads of a block that run it: first <= thread < last; last 0: all */
    bool merged[3]; /* these stand for all threads of a block that share their addresses, as x / 91
                       of linearized addresses does (linearize.h) */
    double begin, end;   /* part of the block's lifetime in which it runs: 0 <= begin < end <= 1 */
    double active_share; /* share of the box's executions that happen, for conditions that are not a
                            box; else 1 */
    bool
        triangular; /* active_share counts iterations: the loop's bound is an index of the launch */
    bool idle_blocks; /* active_share counts blocks: a condition compares their indices along two
                         axes, so that it leaves whole ones idle */
    double repeats;   /* executions per point, of loops that do not move the address; else 1 */
};

/* All affine accesses of a launch; `grid` in blocks, `block` in threads. */
struct fw_affine_accesses {
    struct fw_affine_access *at;
    uint32_t count;
    uint32_t arrays;
    uint32_t grid[3], block[3];
    uint8_t *bounded; /* by array, bits of enum fw_footprint_bound: footprints set them, those of
                         lists made from this one too; NULL: not asked for */
};

/* Whether the access is a load. */
static inline bool fw_affine_is_load(const struct fw_affine_access *access)
{
    return access->direction == FW_LOAD;
}

/* Iterations of the outermost loop, extrapolated to the block's whole lifetime, at most
 * FW_AFFINE_TRIPS; 1 without a loop. */
static inline int64_t fw_affine_iterations(const struct fw_affine_access *access)
{
    double iterations =
        access->loops ? (double)access->trips[0] / (access->end - access->begin) + 0.5 : 1;
    return iterations < FW_AFFINE_TRIPS ? (int64_t)iterations : FW_AFFINE_TRIPS;
}

/* Bytes that one thread holds in registers after one execution. */
static inline uint32_t fw_affine_thread_bytes(const struct fw_affine_access *access)
{
    uint32_t share = (uint32_t)((uint64_t)access->tile_rows * access->bytes / FW_WARP_THREADS);
    return access->tile_rows > 0 ? share : access->bytes;
}

/* Whether two slopes are the same. */
bool fw_affine_same_slope(const struct fw_affine_slope *a, const struct fw_affine_slope *b);

/* Of the executions of an access's box, the share that its ragged loop runs. */
double fw_affine_ragged_share(const struct fw_affine_access *access,
                              const struct fw_affine_accesses *accesses);

/* The first floor of an index, and `*count` how many it has. */
const struct fw_affine_floor *fw_affine_floors_of(const struct fw_affine_access *access,
                                                  enum fw_floor_of of, uint32_t index,
                                                  uint32_t *count);

/* Bytes by which an index at `value` moves the address, for an index that moves it by `stride`
 * without floors.  Saturates. */
int64_t fw_affine_moved(const struct fw_affine_access *access, enum fw_floor_of of, uint32_t index,
                        int64_t stride, int64_t value);

/* Neighbouring threads of a block along axis `d` that are `thread_stride` apart: the block's size
 * without floors. */
int64_t fw_affine_row_threads(const struct fw_affine_access *access,
                              const struct fw_affine_accesses *accesses, uint32_t d);

/* Whether a block's address depends on its index along axis `d`. */
bool fw_affine_moves_with_block(const struct fw_affine_access *access, uint32_t d);

/* How far from the array's begin the access can come, in bytes: base, strides over the whole grid
 * and all iterations, added up; INT64_MAX for what does not fit.  Footprints and caches take
 * accesses of less than FW_ADDRESS_MOST. */
int64_t fw_affine_reach(const struct fw_affine_access *access,
                        const struct fw_affine_accesses *accesses);

/* Blocks of the launch. */
uint64_t fw_affine_blocks(const struct fw_affine_accesses *accesses);

/* Whether all threads of a block run the access along axis `d`, within `low` and `high`. */
bool fw_affine_all_threads(const struct fw_affine_access *access,
                           const struct fw_affine_accesses *accesses, uint32_t d);

/* Whether two accesses have the same bytes, strides, floors, loops and conditions.  Base, array,
 * direction and time may differ. */
bool fw_affine_same_strides(const struct fw_affine_access *a, const struct fw_affine_access *b);

/* Whether two accesses have the same tiles, or none. */
bool fw_affine_same_tiles(const struct fw_affine_access *a, const struct fw_affine_access *b);

/* A slope at one thread of one block. */
double fw_affine_slope_at(const struct fw_affine_slope *slope, const double block[3],
                          const double thread[3]);

/* Threads of the launch that run the access, by its box; active_share is not applied. */
double fw_affine_threads(const struct fw_affine_access *access,
                         const struct fw_affine_accesses *accesses);

/* The same accesses without tiles, for footprints of single blocks, which leave out the tiles
 * between theirs; `accesses` itself if it has none.  Memory is the arena's. */
const struct fw_affine_accesses *fw_affine_without_tiles(struct fw_arena *arena,
                                                         const struct fw_affine_accesses *accesses);

/* The accesses of one block (`block` in launch order) as a launch in which every thread is a block:
 * a window of that launch is a run of threads of the block.  Memory is the arena's. */
void fw_affine_of_block(struct fw_affine_accesses *threads, struct fw_arena *arena,
                        const struct fw_affine_accesses *accesses, int64_t block);

#endif
