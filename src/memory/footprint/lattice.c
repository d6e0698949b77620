#include "lattice.h"

#include "checked.h"
#include "index_run.h"
#include "min_max.h"
#include "quotient.h"

#include <math.h>
#include <string.h>

/* Of a row, what an inner axis may exceed it by without being an axis of several rows. */
enum { WRAPPED = 8 };

enum { DIMENSIONS = 8 + FW_AFFINE_LOOPS + FW_AFFINE_FLOORS + FW_AFFINE_SPANS };

/* One way in which the address of an access moves. */
struct dimension {
    int64_t stride;  /* bytes, positive */
    int64_t extent;  /* steps in the whole launch */
    int64_t inner;   /* steps of one block */
    uint8_t axis;    /* axis of the launch: 0 to 2; from 3 on: loops */
    bool cut;        /* threads differ in where they begin or end: it needs an axis of its own */
    int64_t missing; /* bytes of the last step that some threads lack: what follows comes sooner */
};

bool lattice_merged(const struct fw_affine_access *access,
                    const struct fw_affine_accesses *accesses, uint32_t d)
{
    if (access->tiles && access->tiles->axis == d)
        return false;
    for (uint32_t f = 0; f < access->floor_count; f++)
        if (access->floors[f].index == d && access->floors[f].of != FW_FLOOR_OF_LOOP)
            return access->floors[f].of == FW_FLOOR_OF_GRID_THREAD;
    return access->block_stride[d] == access->thread_stride[d] * accesses->block[d] &&
           fw_affine_all_threads(access, accesses, d);
}

/* Sorts by stride; insertion keeps the order of equal ones. */
static void sort_dimensions(struct dimension *at, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        struct dimension one = at[i];
        uint32_t j = i;
        for (; j && at[j - 1].stride > one.stride; j--)
            at[j] = at[j - 1];
        at[j] = one;
    }
}

/* Adds the digits of an index, which has these floors, as dimensions; gives how many there are
 * then. */
static uint32_t add_digits(struct dimension *all, uint32_t found, const struct fw_affine_floor *at,
                           uint32_t floors, enum fw_floor_of of, struct dimension plain)
{
    for (uint32_t digit = 0; digit <= floors; digit++) {
        struct dimension one = plain;
        int64_t every = digit ? at[digit - 1].every : 1;
        one.stride = index_digit_stride(at, plain.stride, digit);
        one.extent = (plain.extent + every - 1) / every;
        one.inner = (plain.inner + every - 1) / every;
        if (digit < floors) {
            one.extent = fw_min(one.extent, at[digit].every / every);
            one.inner = fw_min(one.inner, at[digit].every / every);
        }
        if (of == FW_FLOOR_OF_GRID_THREAD && digit < floors) /* blocks continue each other */
            one.inner = one.extent;
        all[found++] = one;
    }
    return found;
}

static uint32_t add_index(struct dimension *all, uint32_t found,
                          const struct fw_affine_access *access, enum fw_floor_of of,
                          uint32_t index, struct dimension plain)
{
    uint32_t floors;
    const struct fw_affine_floor *at = fw_affine_floors_of(access, of, index, &floors);
    return add_digits(all, found, at, floors, of, plain);
}

/* Whether trips differ by more than the last iteration, which leaves loops over neighbouring memory
 * without a gap. */
static bool trips_differ(const struct fw_affine_access *access,
                         const struct fw_affine_accesses *accesses)
{
    const struct fw_affine_slope *from = &access->ragged.from, *until = &access->ragged.until;
    double range = 0;
    for (uint32_t d = 0; d < 3; d++)
        range += (fabs(from->block[d]) + fabs(until->block[d])) * (accesses->grid[d] - 1) +
                 (fabs(from->thread[d]) + fabs(until->thread[d])) * (accesses->block[d] - 1);
    return access->ragged.any && range > 1;
}

/* Bytes by which the steps of a loop end before the last one does, where its trips differ by one:
 * rows of 20,000 elements that 256 threads walk along end with the row, not with the 79th step. */
static int64_t missing_of(const struct fw_affine_access *access,
                          const struct fw_affine_accesses *accesses)
{
    double block[3], thread[3];
    const struct fw_affine_ragged *ragged = &access->ragged;
    for (uint32_t d = 0; d < 3; d++) {
        block[d] = ((double)accesses->grid[d] - 1) / 2;
        thread[d] = ((double)accesses->block[d] - 1) / 2;
    }
    double trips = fw_affine_slope_at(&ragged->until, block, thread) -
                   fw_affine_slope_at(&ragged->from, block, thread);
    double missing = fmin(1, fmax(0, (double)access->trips[ragged->loop] - trips));
    double stride = (double)fw_saturated_magnitude(access->loop_stride[ragged->loop]);
    return fw_saturated_integer(missing * stride);
}

static uint32_t dimensions_of(const struct fw_affine_access *access, const struct skew *skew,
                              const struct fw_affine_accesses *accesses,
                              struct dimension out[DIMENSIONS])
{
    uint32_t count = 0;
    struct dimension all[DIMENSIONS];
    uint32_t found = 0;
    for (uint32_t d = 0; d < 3; d++) {
        int64_t size = accesses->block[d];
        int64_t low = fw_max(access->low[d], 0),
                high = fw_min(access->high[d], size * accesses->grid[d]);
        if (lattice_merged(access, accesses, d)) {
            found = add_index(all, found, access, FW_FLOOR_OF_GRID_THREAD, d,
                              (struct dimension){access->thread_stride[d], high - low,
                                                 fw_min(size, high - low), (uint8_t)d, false, 0});
            continue;
        }
        int64_t threads = fw_min(size, high - low);
        if (!fw_affine_all_threads(access, accesses, d))
            threads = fw_min(threads, access->last[d] - access->first[d]);
        found = add_index(
            all, found, access, FW_FLOOR_OF_THREAD, d,
            (struct dimension){access->thread_stride[d], threads, threads, (uint8_t)d, false, 0});
        const struct fw_affine_tiles *tiles = access->tiles;
        if (tiles && tiles->axis == d)
            found = add_digits(all, found, tiles->floors, tiles->floor_count, FW_FLOOR_OF_TILE,
                               (struct dimension){tiles->stride, tiles->high - tiles->low, 1,
                                                  (uint8_t)d, false, 0});
        else
            found = add_index(all, found, access, FW_FLOOR_OF_BLOCK, d,
                              (struct dimension){access->block_stride[d], accesses->grid[d], 1,
                                                 (uint8_t)d, false, 0});
    }
    for (uint32_t l = 0; l < access->loops; l++) {
        if (access->tiles && access->tiles->loop == l)
            continue;
        struct dimension loop = {
            access->loop_stride[l], access->trips[l], access->trips[l], (uint8_t)(3 + l), false, 0};
        bool ragged = access->ragged.any && access->ragged.loop == l;
        loop.cut = ragged && trips_differ(access, accesses);
        loop.missing = ragged && !loop.cut ? missing_of(access, accesses) : 0;
        found = add_index(all, found, access, FW_FLOOR_OF_LOOP, l, loop);
    }
    for (uint32_t s = 0; s < access->span_count; s++) /* the threads share them out: no window */
        all[found++] = (struct dimension){
            access->spans[s].stride, access->spans[s].count, access->spans[s].count, 0, false, 0};
    if (access->tile_rows > 1) /* a warp moves them at once: no window cuts them */
        all[found++] = (struct dimension){
            access->tile_row_stride, access->tile_rows, access->tile_rows, 0, false, 0};
    if (skew->row) /* at least two: its loop moves along it */
        all[found++] = (struct dimension){skew->row, 2, 2, 3, true, 0};
    for (uint32_t i = 0; i < found; i++) {
        if (all[i].stride < 0)
            all[i].stride = -all[i].stride;
        if (all[i].stride && all[i].extent > 1)
            out[count++] = all[i];
    }
    sort_dimensions(out, count);
    return count;
}

int64_t lattice_contiguous(const struct fw_affine_access *access,
                           const struct fw_affine_accesses *accesses, int64_t granule)
{
    static const struct skew none = {.row = 0};
    struct dimension at[DIMENSIONS];
    uint32_t count = dimensions_of(access, &none, accesses, at);
    int64_t inner = access->bytes;
    for (uint32_t i = 0; i < count && at[i].axis < 3 && at[i].stride - inner < granule; i++)
        inner = fw_max(inner + at[i].stride * (at[i].inner - 1), at[i].stride);
    return inner;
}

/* Steps of a dimension in every window that has one of them: windows are whole blocks, and cut the
 * outermost loop. */
static int64_t steps_at_once(const struct dimension *dimension)
{
    return dimension->cut || dimension->axis == 3 ? 1 : dimension->inner;
}

/* Rows of `stride` bytes that an access and its neighbours fill without a gap, each of which fills
 * `rows`; `wide`: bytes of a row that they fill. */
static int64_t rows_without_gap(const struct lattice_neighbours *beside, int64_t stride,
                                int64_t rows, int64_t wide)
{
    int64_t low = 0, high = rows;
    uint32_t own = 0;
    while (own < beside->count && beside->places[own] < 0)
        own++;
    for (int way = -1; way <= 1; way += 2)
        for (uint32_t p = own; p < beside->count;
             p += (uint32_t)way) { /* below 0: more than count */
            int64_t row = fw_floor_quotient(beside->places[p] + stride / 2, stride);
            if (fw_saturated_magnitude(beside->places[p] - row * stride) >= wide)
                continue;
            if (row > high || row + rows < low)
                break;
            low = fw_min(low, row);
            high = fw_max(high, row + rows);
        }
    return high - low;
}

bool lattice_add(struct lattice *lattice, const struct fw_affine_access *access,
                 const struct skew *skew, const struct fw_affine_accesses *accesses,
                 int64_t granule, const struct lattice_neighbours *beside)
{
    struct dimension at[DIMENSIONS];
    uint32_t count = dimensions_of(access, skew, accesses, at);
    int64_t inner = beside->run; /* contiguous bytes of a block so far */
    int64_t rows = 1;            /* steps of level `of_rows` that a block fills so far */
    uint32_t level = 0, of_rows = LATTICE_LEVELS; /* the next level to compare with */
    bool looped = false, cut = false, exact = true;
    for (uint32_t i = 0; i < count; i++) {
        int64_t stride = at[i].stride;
        /* Gaps smaller than a granule leave no granule out.  But windows cut loops, so that what
         * follows a loop without a gap gets an axis of its own (rows as long as their stride). */
        int64_t gap = looped ? 0 : granule;
        bool along = stride - inner < gap || stride <= lattice->contiguous || stride <= granule;
        cut |= at[i].cut; /* rows are not full: the next one is not their continuation */
        along &= !cut || stride <= granule;
        if (along && level == 0) {
            looped |= at[i].axis >= 3;
            lattice->along = true;
            inner += stride * (at[i].inner - 1) - at[i].missing;
            continue;
        }
        at[i].extent += beside->apart / stride;
        while (level < lattice->levels && lattice->stride[level] <= stride)
            level++;
        int64_t before = level ? lattice->stride[level - 1] : 0;
        bool follows = level && of_rows == level - 1 && stride % before == 0;
        if (follows && fw_saturated_multiply(before, rows) >= stride) {
            /* Tiles of so many rows that the next one continues them, or begins within them. */
            int64_t steps = stride / before;
            lattice->extent[level - 1] = fw_saturated_add(
                lattice->extent[level - 1], fw_saturated_multiply(steps, at[i].extent - 1));
            rows = fw_saturated_add(rows, fw_saturated_multiply(steps, steps_at_once(&at[i]) - 1));
            continue;
        }
        rows = rows_without_gap(beside, stride, steps_at_once(&at[i]), fw_max(inner, granule));
        if (level && stride == before) {
            of_rows = level - 1;
            lattice->extent[level - 1] = fw_max(lattice->extent[level - 1], at[i].extent);
            continue;
        }
        int64_t covered = level ? fw_saturated_multiply(before, lattice->extent[level - 1]) : 0;
        bool filled = lattice->rows && before == lattice->rows;
        /* Short of a row, or a little more: a row is an axis all the same. */
        bool wraps = covered > fw_saturated_add(stride, stride / WRAPPED);
        if (level && stride % before == 0 && (wraps || filled)) {
            lattice->extent[level - 1] =
                fw_saturated_add(lattice->extent[level - 1], stride / before * (at[i].extent - 1));
            continue;
        }
        if (lattice->levels == LATTICE_LEVELS) {
            exact = false;
            continue;
        }
        if (level && stride < covered)
            exact = false;
        for (uint32_t l = lattice->levels++; l > level; l--) {
            lattice->stride[l] = lattice->stride[l - 1];
            lattice->extent[l] = lattice->extent[l - 1];
        }
        of_rows = level;
        lattice->stride[level] = stride;
        lattice->extent[level++] = at[i].extent;
    }
    lattice->divides = lattice->levels && lattice->stride[0] % granule == 0;
    return exact;
}

/* Whether rows are structures of a thread each, of which no granule is in two. */
static bool in_structures(const struct lattice *lattice)
{
    return !lattice->along && lattice->divides;
}

bool lattice_equal(const struct lattice *a, const struct lattice *b)
{
    return a->used == b->used && a->levels == b->levels && a->reference == b->reference &&
           in_structures(a) == in_structures(b) &&
           memcmp(a->stride, b->stride, a->levels * sizeof(*a->stride)) == 0;
}

/* Bytes, 0 or less, by which loops move an access backwards within `stride` bytes.  A loop that
 * goes farther does not walk a plane from its end: it leads over others, as digits of an index do.
 */
static int64_t backwards(const struct fw_affine_access *access, int64_t stride)
{
    int64_t sum = 0;
    for (uint32_t l = 0; l < access->loops; l++) {
        const int64_t back =
            fw_saturated_multiply(access->loop_stride[l], fw_max(access->trips[l], 1) - 1);
        if (back < 0 && back > -stride && !(access->tiles && access->tiles->loop == l))
            sum = fw_saturated_add(sum, back);
    }
    return sum;
}

int64_t lattice_begin(const struct fw_affine_access *access)
{
    return fw_saturated_add(access->base, backwards(access, fw_saturated_add(access->base, 1)));
}

struct fw_box lattice_box(const struct lattice *lattice, const struct fw_affine_access *access)
{
    struct fw_box box = {{0}, {0}};
    int64_t at = access->base - lattice->reference;
    for (uint32_t l = lattice->levels; l-- > 0;) {
        int64_t stride = lattice->stride[l];
        /* A loop from the end of a plane to its begin stays in it: where it ends tells which. */
        const int64_t back = backwards(access, stride), offset = fw_saturated_add(at, back);
        /* Rounds at 4/7, not at 1/2: distances of planes that threads share fall at the half.
         * A field of a structure is in the row that it is within. */
        int64_t steps = l || !in_structures(lattice)
                            ? fw_floor_quotient(offset + stride / 7 * 3, stride)
                            : fw_floor_quotient(lattice->reference + offset, stride);
        box.low[l + 1] = steps;
        box.high[l + 1] = steps + 1;
        at -= steps * stride;
    }
    box.low[0] = lattice->reference + at;
    box.high[0] = box.low[0] + access->bytes;
    return box;
}

uint32_t lattice_axis(const struct lattice *lattice, int64_t stride, int64_t *step)
{
    uint32_t l = lattice->levels;
    int64_t size = stride < 0 ? -stride : stride;
    while (l > 0 && (size < lattice->stride[l - 1] || size % lattice->stride[l - 1]))
        l--;
    *step = l ? stride / lattice->stride[l - 1] : stride;
    return l;
}
