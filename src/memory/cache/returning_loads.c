#include "volume_internal.h"

#include "min_max.h"

#include <math.h>

/* Data to which blocks return: factors by the remainder of an index, a row that all rows of the
 * grid are multiplied with.  Each block loads a part of an array, and so many blocks one after the
 * other load all of it, again and again.  A multiprocessor is given blocks of any part, as others
 * end, and finds what its L1 still holds of the last block that loaded the same. */

enum { STEP = 4, MOST_PARTS = 256 };

/* Blocks that load this much more than a quarter as many have not loaded all of an array. */
static const double no_more = 1.02;

/* Whether blocks may load the same of an array again, outside of loops: an axis does not move its
 * loads, or moves them by a remainder; and nothing stores to it. */
static bool may_return(const struct fw_affine_accesses *accesses, uint32_t array)
{
    bool returns = false;
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        if (access->array != array)
            continue;
        if (access->direction != FW_LOAD || (access->loops && access->trips[0] > 1))
            return false;
        for (uint32_t f = 0; f < access->floor_count; f++)
            returns |= access->floors[f].of == FW_FLOOR_OF_BLOCK ||
                       access->floors[f].of == FW_FLOOR_OF_GRID_THREAD;
        for (uint32_t d = 0; d < 3; d++)
            returns |= accesses->grid[d] > 1 && !fw_affine_moves_with_block(access, d);
    }
    return returns;
}

/* Distinct granules that `count` blocks from a block on load of an array. */
static double loaded_by(struct fw_footprint *granules, const struct fw_affine_accesses *accesses,
                        int64_t block, int64_t count, uint32_t array)
{
    int64_t first = fw_max(0, fw_min(block, (int64_t)fw_affine_blocks(accesses) - count));
    struct fw_window window = {first, first + count, 0, 1, FW_FOOTPRINT_LOADS};
    return fw_footprint_count(granules, &window, 1, array);
}

/* Blocks that load all of an array, of which each of them loads `own` sectors; 0: more than are
 * looked at, or all load the same. */
static int64_t blocks_of_turn(struct fw_footprint *sectors,
                              const struct fw_affine_accesses *accesses, int64_t block, double own,
                              uint32_t array)
{
    int64_t blocks = (int64_t)fw_affine_blocks(accesses);
    double before = own;
    for (int64_t count = STEP; count <= fw_min(MOST_PARTS, blocks); count *= STEP) {
        double all = loaded_by(sectors, accesses, block, count, array);
        if (all <= no_more * before)
            return count > STEP ? count / STEP : 0;
        before = all;
    }
    return 0;
}

double returning_bytes(struct fw_footprint *sectors, struct fw_footprint *lines,
                       const struct fw_affine_accesses *accesses, const struct fw_caches *caches,
                       int64_t block)
{
    double sum = 0, each = (double)fw_affine_blocks(accesses) / caches->multiprocessors;
    struct fw_window one = {block, block + 1, 0, 1, FW_FOOTPRINT_ALL};
    for (uint32_t a = 0; a < accesses->arrays; a++) {
        if (!may_return(accesses, a))
            continue;
        double own = loaded_by(sectors, accesses, block, 1, a);
        int64_t turn = own > 0 ? blocks_of_turn(sectors, accesses, block, own, a) : 0;
        if (!turn)
            continue;
        double part = own / loaded_by(sectors, accesses, block, turn, a), hits = 0, other = 1;
        double table = caches->line * loaded_by(lines, accesses, block, turn, a);
        double rest = caches->line * (fw_footprint_count(lines, &one, 1, FW_NONE) -
                                      loaded_by(lines, accesses, block, 1, a));
        for (int n = 1; n < each && n <= MOST_PARTS; n++) {
            double between = n * rest + table * (1 - other * (1 - part));
            hits += part * other * (1 - n / each) *
                    (1 - miss_probability(between, caches->l1_bytes, caches->l1_sharpness));
            other *= 1 - part;
        }
        sum += caches->sector * own * hits;
    }
    return sum;
}
