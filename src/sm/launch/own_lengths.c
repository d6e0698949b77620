/* The lengths of the blocks of one multiprocessor, where each block has one of its own. */
#include "own_lengths.h"

#include <math.h>

enum { MOST_LENGTHS = 256, MOST_RANKED = 256 };

/* Which of all lengths a block has, in launch order. */
struct lengths {
    const uint32_t *grid;
    const bool *along;
    const double *ranked; /* by number of a length; NULL: there are many */
};

static double golden_place(uint32_t n)
{
    return fmod((n + 0.5) * 0.6180339887498949, 1);
}

/* From -1 to 1.  Of `count` numbers drawn evenly the expected one of each rank, in an order that
 * has all quantiles among neighbours. */
static double length_of(const struct lengths *lengths, uint32_t block)
{
    uint32_t number = 0, size = 1;
    for (int d = 0; d < 3; d++) {
        const uint32_t at = block % lengths->grid[d];
        block /= lengths->grid[d];
        number += lengths->along[d] ? at * size : 0;
        size *= lengths->along[d] ? lengths->grid[d] : 1;
    }
    return lengths->ranked ? lengths->ranked[number] : 2 * golden_place(number) - 1;
}

/* Of few lengths: all, by number; of many, places of the golden ratio are as good. */
static const double *rank(struct fw_arena *arena, double all)
{
    if (all > MOST_RANKED)
        return NULL;
    const uint32_t count = (uint32_t)all;
    double *places = FW_ARRAY(arena, double, count), *ranked = FW_ARRAY(arena, double, count);
    for (uint32_t n = 0; n < count; n++)
        places[n] = golden_place(n);
    for (uint32_t n = 0; n < count; n++) {
        uint32_t below = 0;
        for (uint32_t other = 0; other < count; other++)
            below += places[other] < places[n];
        ranked[n] = 2.0 * (below + 1) / (count + 1.0) - 1;
    }
    return ranked;
}

/* The first block of the multiprocessor that has the longest one. */
static uint32_t first_of_longest(const struct lengths *lengths, uint32_t blocks, uint32_t around)
{
    uint32_t longest = 0;
    double most = -2;
    for (uint32_t b = 0; b < blocks; b++) {
        double length = length_of(lengths, b);
        if (length > most) {
            most = length;
            longest = b;
        }
    }
    return longest % around;
}

bool fw_trace_own_lengths(const struct fw_trace_work *work, struct fw_sm_simulation *simulation)
{
    const struct fw_launch *launch = work->question->launch;
    const uint32_t blocks = (uint32_t)work->grid, around = (uint32_t)work->multiprocessors;
    const bool at_once = work->own <= work->residency.occupancy.blocks;
    struct fw_block_lengths found;
    if (!fw_bound_block_lengths(&found, work->arena, work->question->bound))
        return false;
    double count = 1, mean = 0;
    for (int d = 0; d < 3; d++)
        count *= found.along[d] ? launch->grid[d] : 1;
    const struct lengths lengths = {launch->grid, found.along, rank(work->arena, count)};
    double *own = FW_ARRAY(work->arena, double, MOST_LENGTHS);
    uint32_t first = at_once ? first_of_longest(&lengths, blocks, around) : 0, n = 0;
    for (uint32_t b = first; b < blocks && n < MOST_LENGTHS; b += around)
        own[n++] = length_of(&lengths, b);
    for (uint32_t i = 0; i < n && !at_once; i++)
        mean += own[i] / n;
    for (uint32_t i = 0; i < n; i++)
        own[i] -= mean;
    simulation->spread = found.spread;
    simulation->lengths = own;
    simulation->length_count = n;
    return true;
}
