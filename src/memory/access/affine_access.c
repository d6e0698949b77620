#include "affine_access.h"

#include "checked.h"
#include "min_max.h"
#include "quotient.h"

#include <math.h>
#include <string.h>

/* Adds |stride| * count to a reach. */
static int64_t further(int64_t reach, int64_t stride, int64_t count)
{
    return fw_saturated_add(reach, fw_saturated_multiply(fw_saturated_magnitude(stride), count));
}

/* Values of the index that a floor is taken of, with its shift. */
static int64_t most_of(const struct fw_affine_access *access,
                       const struct fw_affine_accesses *accesses,
                       const struct fw_affine_floor *floor)
{
    int64_t block = floor->index < 3 ? accesses->block[floor->index] : 1;
    int64_t grid = floor->index < 3 ? accesses->grid[floor->index] : 1, most = 0;
    switch (floor->of) {
    case FW_FLOOR_OF_THREAD:
        most = block;
        break;
    case FW_FLOOR_OF_BLOCK:
        most = grid;
        break;
    case FW_FLOOR_OF_GRID_THREAD:
        most = block * grid;
        break;
    case FW_FLOOR_OF_LOOP:
        most = access->trips[floor->index];
        break;
    case FW_FLOOR_OF_TILE: /* not among those of an access */
        break;
    }
    return fw_saturated_add(most, fw_saturated_magnitude(floor->shift));
}

const struct fw_affine_floor *fw_affine_floors_of(const struct fw_affine_access *access,
                                                  enum fw_floor_of of, uint32_t index,
                                                  uint32_t *count)
{
    const struct fw_affine_floor *first = access->floors;
    *count = 0;
    for (uint32_t f = 0; f < access->floor_count; f++)
        if (access->floors[f].of == of && access->floors[f].index == index && (*count)++ == 0)
            first = &access->floors[f];
    return first;
}

int64_t fw_affine_moved(const struct fw_affine_access *access, enum fw_floor_of of, uint32_t index,
                        int64_t stride, int64_t value)
{
    uint32_t count;
    const struct fw_affine_floor *floors = fw_affine_floors_of(access, of, index, &count);
    int64_t moved = fw_saturated_multiply(stride, value);
    for (uint32_t f = 0; f < count; f++)
        moved = fw_saturated_add(
            moved, fw_saturated_multiply(floors[f].jump, fw_floor_quotient(value + floors[f].shift,
                                                                           floors[f].every)));
    return moved;
}

int64_t fw_affine_row_threads(const struct fw_affine_access *access,
                              const struct fw_affine_accesses *accesses, uint32_t d)
{
    uint32_t of_thread, of_grid;
    const struct fw_affine_floor *thread =
        fw_affine_floors_of(access, FW_FLOOR_OF_THREAD, d, &of_thread);
    const struct fw_affine_floor *grid =
        fw_affine_floors_of(access, FW_FLOOR_OF_GRID_THREAD, d, &of_grid);
    int64_t threads = accesses->block[d];
    if (of_thread)
        threads = fw_min(threads, thread->every);
    if (of_grid)
        threads = fw_min(threads, grid->every);
    return threads;
}

bool fw_affine_moves_with_block(const struct fw_affine_access *access, uint32_t d)
{
    uint32_t of_block, of_grid;
    fw_affine_floors_of(access, FW_FLOOR_OF_BLOCK, d, &of_block);
    fw_affine_floors_of(access, FW_FLOOR_OF_GRID_THREAD, d, &of_grid);
    return access->block_stride[d] != 0 || of_block || of_grid;
}

int64_t fw_affine_reach(const struct fw_affine_access *access,
                        const struct fw_affine_accesses *accesses)
{
    int64_t reach = fw_saturated_add(fw_saturated_magnitude(access->base), access->bytes);
    for (uint32_t d = 0; d < 3; d++) {
        reach = further(reach, access->block_stride[d], accesses->grid[d]);
        reach = further(reach, access->thread_stride[d], accesses->block[d]);
    }
    for (uint32_t l = 0; l < access->loops; l++)
        reach = further(reach, access->loop_stride[l], access->trips[l]);
    for (uint32_t f = 0; f < access->floor_count; f++)
        reach =
            further(reach, access->floors[f].jump,
                    most_of(access, accesses, &access->floors[f]) / access->floors[f].every + 2);
    for (uint32_t s = 0; s < access->span_count; s++)
        reach = further(reach, access->spans[s].stride, access->spans[s].count);
    return further(reach, access->tile_row_stride, access->tile_rows);
}

double fw_affine_slope_at(const struct fw_affine_slope *slope, const double block[3],
                          const double thread[3])
{
    double sum = slope->constant;
    for (uint32_t d = 0; d < 3; d++)
        sum += slope->block[d] * block[d] + slope->thread[d] * thread[d];
    return sum;
}

/* The same slope over the threads of block `at`, which are the blocks of its own launch. */
static void slope_of_block(struct fw_affine_slope *slope, const int64_t at[3])
{
    for (uint32_t d = 0; d < 3; d++) {
        slope->constant += slope->block[d] * (double)at[d];
        slope->block[d] = slope->thread[d];
        slope->thread[d] = 0;
    }
}

uint64_t fw_affine_blocks(const struct fw_affine_accesses *accesses)
{
    return (uint64_t)accesses->grid[0] * accesses->grid[1] * accesses->grid[2];
}

bool fw_affine_all_threads(const struct fw_affine_access *access,
                           const struct fw_affine_accesses *accesses, uint32_t d)
{
    return access->last[d] == 0 || (access->first[d] == 0 && access->last[d] >= accesses->block[d]);
}

double fw_affine_threads(const struct fw_affine_access *access,
                         const struct fw_affine_accesses *accesses)
{
    double points = 1;
    for (uint32_t d = 0; d < 3; d++) {
        int64_t size = accesses->block[d], all = accesses->grid[d] * size;
        int64_t low = fw_max(access->low[d], 0), high = fw_min(access->high[d], all);
        double share = 1;
        if (!fw_affine_all_threads(access, accesses, d) &&
            high <= size) { /* both conditions cut the only block */
            low = fw_max(low, access->first[d]);
            high = fw_min(high, access->last[d]);
        } else if (!fw_affine_all_threads(access, accesses, d)) {
            share = (double)(access->last[d] - access->first[d]) / (double)size;
        }
        points *= (double)fw_max(high - low, 0) * share;
    }
    return points;
}

double fw_affine_ragged_share(const struct fw_affine_access *access,
                              const struct fw_affine_accesses *accesses)
{
    enum { POINTS = 64 };
    double trips = access->ragged.any ? (double)access->trips[access->ragged.loop] : 0, sum = 0;
    if (!access->ragged.any)
        return 1;
    for (uint32_t p = 0; p < POINTS; p++) {
        double block[3], thread[3];
        for (uint32_t d = 0; d < 3; d++) {
            int64_t size = accesses->block[d], all = size * accesses->grid[d];
            int64_t low = fw_max(access->low[d], 0), high = fw_min(access->high[d], all);
            double way = fmod(
                (p + 0.5) * (d ? (d > 1 ? 0.7548776662466927 : 0.6180339887498949) : 1.0 / POINTS),
                1);
            double at = (double)low + way * (double)(high - low) - 0.5;
            block[d] = fmin(floor((at + 0.5) / (double)size), (double)accesses->grid[d] - 1);
            thread[d] = at - block[d] * (double)size;
        }
        double from = fw_affine_slope_at(&access->ragged.from, block, thread);
        double until = fw_affine_slope_at(&access->ragged.until, block, thread);
        sum += fmax(0, fmin(until, trips) - fmax(from, 0));
    }
    return sum / (POINTS * trips);
}

static bool same_floors(const struct fw_affine_access *a, const struct fw_affine_access *b)
{
    bool same = a->floor_count == b->floor_count && a->span_count == b->span_count;
    for (uint32_t f = 0; same && f < a->floor_count; f++)
        same = a->floors[f].of == b->floors[f].of && a->floors[f].index == b->floors[f].index &&
               a->floors[f].every == b->floors[f].every &&
               a->floors[f].shift == b->floors[f].shift && a->floors[f].jump == b->floors[f].jump;
    for (uint32_t s = 0; same && s < a->span_count; s++)
        same = a->spans[s].stride == b->spans[s].stride && a->spans[s].count == b->spans[s].count;
    return same;
}

bool fw_affine_same_slope(const struct fw_affine_slope *a, const struct fw_affine_slope *b)
{
    return memcmp(&a->constant, &b->constant, sizeof(a->constant)) == 0 &&
           memcmp(a->block, b->block, sizeof(a->block)) == 0 &&
           memcmp(a->thread, b->thread, sizeof(a->thread)) == 0;
}

static bool same_ragged(const struct fw_affine_access *a, const struct fw_affine_access *b)
{
    const struct fw_affine_ragged *left = &a->ragged, *right = &b->ragged;
    return left->any == right->any &&
           (!left->any ||
            (left->loop == right->loop && fw_affine_same_slope(&left->from, &right->from) &&
             fw_affine_same_slope(&left->until, &right->until)));
}

static bool same_nested(const struct fw_affine_access *a, const struct fw_affine_access *b)
{
    return a->nested.loop == b->nested.loop &&
           memcmp(&a->nested.constant, &b->nested.constant, sizeof(a->nested.constant)) == 0 &&
           memcmp(&a->nested.slope, &b->nested.slope, sizeof(a->nested.slope)) == 0;
}

bool fw_affine_same_tiles(const struct fw_affine_access *left, const struct fw_affine_access *right)
{
    const struct fw_affine_tiles *a = left->tiles, *b = right->tiles;
    if (!a || !b)
        return a == b;
    bool same = a->axis == b->axis && a->loop == b->loop && a->grid == b->grid &&
                a->low == b->low && a->high == b->high && a->stride == b->stride &&
                a->floor_count == b->floor_count;
    for (uint32_t f = 0; same && f < a->floor_count; f++)
        same = a->floors[f].every == b->floors[f].every &&
               a->floors[f].shift == b->floors[f].shift && a->floors[f].jump == b->floors[f].jump;
    return same;
}

bool fw_affine_same_strides(const struct fw_affine_access *a, const struct fw_affine_access *b)
{
#define SAME(field) (memcmp(a->field, b->field, sizeof(a->field)) == 0)
    return a->bytes == b->bytes && a->loops == b->loops && SAME(block_stride) &&
           SAME(thread_stride) && SAME(low) && SAME(high) && SAME(first) && SAME(last) &&
           SAME(loop_stride) && SAME(trips) && a->start == b->start && same_ragged(a, b) &&
           same_nested(a, b) && same_floors(a, b) && fw_affine_same_tiles(a, b);
#undef SAME
}

const struct fw_affine_accesses *fw_affine_without_tiles(struct fw_arena *arena,
                                                         const struct fw_affine_accesses *accesses)
{
    uint32_t any = 0;
    while (any < accesses->count && !accesses->at[any].tiles)
        any++;
    if (any == accesses->count)
        return accesses;
    struct fw_affine_accesses *without = FW_NEW(arena, struct fw_affine_accesses);
    *without = *accesses;
    without->at = fw_arena_copy(arena, accesses->at, accesses->count * sizeof(*accesses->at));
    for (uint32_t i = any; i < accesses->count; i++)
        without->at[i].tiles = NULL;
    return without;
}

/* Turns the floors of an access into those of one block's launch, whose blocks are threads; those
 * of the block's index become a part of the base, if `at` is that block. */
static void floors_of_block(struct fw_affine_access *access,
                            const struct fw_affine_accesses *accesses, const int64_t at[3])
{
    uint32_t count = 0;
    for (uint32_t f = 0; f < access->floor_count; f++) {
        struct fw_affine_floor floor = access->floors[f];
        if (floor.of == FW_FLOOR_OF_BLOCK) {
            access->base +=
                floor.jump * fw_floor_quotient(at[floor.index] + floor.shift, floor.every);
            continue;
        }
        if (floor.of == FW_FLOOR_OF_GRID_THREAD)
            floor.shift += at[floor.index] * accesses->block[floor.index];
        if (floor.of != FW_FLOOR_OF_LOOP)
            floor.of = FW_FLOOR_OF_BLOCK;
        access->floors[count++] = floor;
    }
    access->floor_count = count;
}

void fw_affine_of_block(struct fw_affine_accesses *threads, struct fw_arena *arena,
                        const struct fw_affine_accesses *accesses, int64_t block)
{
    int64_t x = accesses->grid[0], y = accesses->grid[1];
    int64_t at[3] = {block % x, block / x % y, block / (x * y)};
    *threads = *accesses;
    threads->at = fw_arena_copy(arena, accesses->at, accesses->count * sizeof(*accesses->at));
    for (uint32_t d = 0; d < 3; d++) {
        threads->grid[d] = accesses->block[d];
        threads->block[d] = 1;
    }
    for (uint32_t i = 0; i < threads->count; i++) {
        struct fw_affine_access *access = &threads->at[i];
        access->tiles = NULL; /* one block's are as far apart as an iteration moves it */
        floors_of_block(access, accesses, at);
        slope_of_block(&access->ragged.from, at);
        slope_of_block(&access->ragged.until, at);
        for (uint32_t d = 0; d < 3; d++) {
            access->base += at[d] * access->block_stride[d];
            access->block_stride[d] = access->thread_stride[d];
            access->low[d] -= at[d] * accesses->block[d];
            access->high[d] -= at[d] * accesses->block[d];
            if (!fw_affine_all_threads(access, accesses, d)) {
                access->low[d] = fw_max(access->low[d], access->first[d]);
                access->high[d] = fw_min(access->high[d], access->last[d]);
            }
            access->first[d] = access->last[d] = 0;
        }
    }
}
