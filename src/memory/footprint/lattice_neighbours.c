#include "lattice_neighbours.h"

#include "checked.h"
#include "min_max.h"

#include <stdlib.h>
#include <string.h>

enum {
    RUN_PASSES = 4,
    MOST_BESIDE = 256 /* accesses of a launch, each of which is compared with all: beyond, none has
                         others beside it */
};

/* Bytes between the parts of an access of the record that lie farthest apart, if they have floors:
 * the parts fill rows together. */
static int64_t apart_of(const struct fw_affine_accesses *accesses, uint32_t i)
{
    const struct fw_affine_access *at = accesses->at;
    uint32_t first = i, last = i;
    int64_t low = at[i].base, high = at[i].base;
    while (at[i].floor_count && first > 0 && at[first - 1].kernel_access == at[i].kernel_access)
        first--;
    while (at[i].floor_count && last + 1 < accesses->count &&
           at[last + 1].kernel_access == at[i].kernel_access)
        last++;
    for (uint32_t part = first; part <= last; part++) {
        low = fw_min(low, at[part].base);
        high = fw_max(high, at[part].base);
    }
    return fw_saturated_subtract(high, low);
}

/* Bytes that an access and those which are generated uniformly with it, at the same time, touch
 * without a gap of a granule: the loads of an unrolled loop fill the stride of its iterations. */
static int64_t run_of(const struct fw_affine_accesses *accesses, const uint32_t *first_of_set,
                      int64_t granule, uint32_t i)
{
    const struct fw_affine_access *at = accesses->at, *access = &at[i];
    int64_t low = access->base, high = low + access->bytes;
    bool longer = true;
    for (uint32_t pass = 0; longer && pass < RUN_PASSES; pass++) {
        longer = false;
        for (uint32_t j = first_of_set[i]; j < accesses->count; j++) {
            int64_t begin = at[j].base, end = begin + at[j].bytes;
            if (first_of_set[j] != first_of_set[i] || at[j].begin != access->begin ||
                at[j].end != access->end || (begin >= low && end <= high) ||
                begin - high >= granule || low - end >= granule)
                continue;
            low = fw_min(low, begin);
            high = fw_max(high, end);
            longer = true;
        }
    }
    return high - low;
}

static int by_place(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return left < right ? -1 : left > right;
}

/* Whether two accesses are parts of one whose threads and iterations share out a tile: iterations
 * of a short loop, which is split. */
static bool share_out_tile(const struct fw_affine_access *a, const struct fw_affine_access *b)
{
    bool parts = a->kernel_access == b->kernel_access && a->span_count && b->span_count;
    for (uint32_t l = 0; l < a->loops; l++)
        parts &= a->trips[l] == 1;
    return parts;
}

/* Whether loops move two accesses alike, but for loops that go round once: the first step of a loop
 * that is unrolled stands before it. */
static bool same_loops(const struct fw_affine_access *a, const struct fw_affine_access *b)
{
    bool same = (a->loops == 0) == (b->loops == 0);
    for (uint32_t l = 0; l < FW_AFFINE_LOOPS && same; l++) {
        const int64_t one = l < a->loops ? a->trips[l] : 1, other = l < b->loops ? b->trips[l] : 1;
        same = one == other && (one == 1 || a->loop_stride[l] == b->loop_stride[l]);
    }
    return same;
}

/* Whether windows have both of two accesses, which blocks and iterations move alike: one loop runs
 * them, or each block whole. */
static bool runs_with(const struct fw_affine_access *a, const struct fw_affine_access *b)
{
#define SAME(field) (memcmp(&a->field, &b->field, sizeof(a->field)) == 0)
    bool same = a->array == b->array && same_loops(a, b) && a->direction == b->direction &&
                (a->loops == 0 || share_out_tile(a, b) || (SAME(begin) && SAME(end))) &&
                SAME(block_stride) && fw_affine_same_tiles(a, b);
    for (uint32_t f = 0; f < a->floor_count && same; f++) {
        const struct fw_affine_floor *one = &a->floors[f];
        if (one->of == FW_FLOOR_OF_BLOCK || one->of == FW_FLOOR_OF_LOOP) {
            uint32_t g = 0;
            while (g < b->floor_count &&
                   !(one->of == b->floors[g].of && one->index == b->floors[g].index &&
                     one->every == b->floors[g].every && one->jump == b->floors[g].jump))
                g++;
            same = g < b->floor_count;
        }
    }
    return same;
#undef SAME
}

/* The address of the first thread of a block that runs an access. */
static int64_t first_of(const struct fw_affine_access *access)
{
    int64_t at = access->base;
    for (uint32_t d = 0; d < 3; d++)
        at = fw_saturated_add(at, fw_affine_moved(access, FW_FLOOR_OF_THREAD, d,
                                                  access->thread_stride[d], access->first[d]));
    return at;
}

struct lattice_neighbours lattice_neighbours_find(const struct fw_affine_accesses *accesses,
                                                  const uint32_t *first_of_set, int64_t granule,
                                                  uint32_t i, int64_t *places)
{
    const struct fw_affine_access *at = accesses->at;
    struct lattice_neighbours beside = {run_of(accesses, first_of_set, granule, i),
                                        apart_of(accesses, i), places, 0};
    const int64_t own = first_of(&at[i]);
    if (accesses->count > MOST_BESIDE) {
        places[beside.count++] = 0;
        return beside;
    }
    for (uint32_t j = 0; j < accesses->count; j++)
        if (runs_with(&at[i], &at[j]))
            places[beside.count++] = fw_saturated_subtract(first_of(&at[j]), own);
    qsort(places, beside.count, sizeof(*places), by_place);
    return beside;
}
