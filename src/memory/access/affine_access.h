/* Forms: what the accesses of a launch reduce to, whoever states them.
 *
 * A form is one access whose address is affine: bytes from its array's begin, plus strides times
 * block indices, thread indices and loop iterations, over a box of threads.  A kernel record's
 * accesses (from_kernel.h) and hand-written address expressions both become forms; everything else
 * in this room works on forms and a launch alone.  What is not affine is not here: whoever makes
 * forms says what was left out. */
#ifndef FW_AFFINE_ACCESS_H
#define FW_AFFINE_ACCESS_H

#include "arena.h"
#include "kernel.h"
#include "warp.h"

enum { FW_AFFINE_LOOPS = 4 };

struct fw_affine_access {
    uint32_t array;         /* forms with the same number share memory; others never do */
    uint32_t kernel_access; /* whose form this is: an index of the maker's */
    uint32_t bytes;         /* that one thread touches at once */
    enum fw_direction direction;
    int64_t base;                              /* bytes from a multiple of 256 bytes */
    int64_t block_stride[3], thread_stride[3]; /* bytes a step of an index */
    uint32_t loops;                            /* outermost first */
    int64_t loop_stride[FW_AFFINE_LOOPS];
    int64_t trips[FW_AFFINE_LOOPS];
    uint32_t outer_loop; /* its outermost loop, by a number of the maker's; loops 0: none */
    int64_t tile_rows,
        tile_row_stride; /* a tile that a warp moves at once: rows of `bytes`; rows 0: no tile */
    int64_t low[3], high[3]; /* threads of the whole grid that run it: low <= b * size + t < high */
    int64_t first[3], last[3]; /* threads of a block that run it: first <= t < last; last 0: all */
    double begin, end; /* when in a block's life it runs, as shares of it: 0 <= begin < end <= 1 */
    double active_share; /* of those that really do, at conditions that are no box; 1 */
    bool triangular;     /* `share` is of iterations: the loop ends at an index of the launch */
    double repeats;      /* executions a point, for loops that do not move the address; 1 */
};

/* All forms of a launch. */
struct fw_affine_accesses {
    struct fw_affine_access *at;
    uint32_t count;
    uint32_t arrays;
    uint32_t grid[3], block[3];
};

/* Whether an access in this direction reads or writes device memory. */
static inline bool fw_affine_is_load(const struct fw_affine_access *access)
{
    return access->direction == FW_LOAD;
}

/* Turns of a form's outermost loop, were it to last a block's whole life. */
static inline int64_t fw_affine_iterations(const struct fw_affine_access *access)
{
    return access->loops ? (int64_t)((double)access->trips[0] / (access->end - access->begin) + 0.5) : 1;
}

/* Bytes that a thread holds of what it touches at once. */
static inline uint32_t fw_affine_thread_bytes(const struct fw_affine_access *access)
{
    uint32_t share = (uint32_t)((uint64_t)access->tile_rows * access->bytes / FW_WARP_THREADS);
    return access->tile_rows > 0 ? share : access->bytes;
}

/* Blocks of the launch. */
uint64_t fw_affine_blocks(const struct fw_affine_accesses *accesses);

/* Whether a form is run by all threads of a block along an axis (as far as `low` and `high` go). */
bool fw_affine_all_threads(const struct fw_affine_access *access,
                           const struct fw_affine_accesses *accesses, uint32_t d);

/* Whether two accesses differ in nothing but base, array, direction and time: the same bytes,
 * strides, loops and conditions. */
bool fw_affine_same_strides(const struct fw_affine_access *a, const struct fw_affine_access *b);

/* Threads of the whole launch that run a form (shares not counted). */
double fw_affine_threads(const struct fw_affine_access *access,
                         const struct fw_affine_accesses *accesses);

/* The forms of one block (its number in launch order) as a launch of its own, in which each thread
 * is a block: a window of it is a run of the block's threads. */
void fw_affine_of_block(struct fw_affine_accesses *threads, struct fw_arena *arena,
                        const struct fw_affine_accesses *accesses, int64_t block);

#endif
