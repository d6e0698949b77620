#include "uniform_references.h"

#include "checked.h"
#include "min_max.h"

#include <math.h>
#include <string.h>

enum { LOOK_BACK = 64 }; /* sets: older ones are not compared, which bounds the work */

bool uniformly_generated(const struct fw_affine_access *a, const struct fw_affine_access *b)
{
    return a->array == b->array && a->direction == b->direction && a->tile_rows == b->tile_rows &&
           a->tile_row_stride == b->tile_row_stride && fw_affine_same_strides(a, b);
}

static bool same_time(const struct fw_affine_access *a, const struct fw_affine_access *b)
{
    return memcmp(&a->begin, &b->begin, sizeof(a->begin)) == 0 &&
           memcmp(&a->end, &b->end, sizeof(a->end)) == 0;
}

static struct index_step step_of(const struct lattice *lattice, int64_t stride)
{
    struct index_step step = {0, 0};
    if (stride)
        step.axis = lattice_axis(lattice, stride, &step.step);
    return step;
}

/* The steps of an axis of the launch over the whole grid, and their counts; the smallest first. */
static uint32_t steps_of(struct index_step out[2], int64_t counts[2],
                         const struct reference_set *set, const struct fw_affine_accesses *accesses,
                         uint32_t d)
{
    int64_t size = accesses->block[d], all = size * accesses->grid[d];
    int64_t low = fw_max(set->access->low[d], 0), high = fw_min(set->access->high[d], all);
    out[0] = set->thread[d];
    counts[0] = set->merged[d] ? high - low : set->all_threads[d] ? size : 1;
    out[1] = set->block[d];
    counts[1] = accesses->grid[d];
    return set->merged[d] ? 1 : 2;
}

/* Whether the boxes of a set are dense: no step is longer than what smaller steps cover, and no
 * condition cuts blocks out of a row.  Windows of more than a row are whole rows. */
static bool is_dense(const struct reference_set *set, const struct fw_affine_accesses *accesses)
{
    int64_t covered[FW_BOX_AXES];
    for (uint32_t a = 0; a < FW_BOX_AXES; a++)
        covered[a] = a ? 1 : set->access->bytes;
    for (uint32_t d = 0; d < 3; d++) {
        struct index_step steps[2];
        int64_t counts[2], size = accesses->block[d];
        uint32_t count = steps_of(steps, counts, set, accesses, d);
        bool cut = (set->access->low[d] > 0 && set->access->low[d] % size) ||
                   (set->access->high[d] < size * accesses->grid[d] && set->access->high[d] % size);
        if (!set->merged[d] && set->thread[d].step && cut)
            return false;
        for (uint32_t m = 0; m < count; m++) {
            int64_t step = steps[m].step < 0 ? -steps[m].step : steps[m].step, growth;
            int64_t *so_far = &covered[steps[m].axis];
            if (step > *so_far || fw_multiply_overflows(step, counts[m] - 1, &growth) ||
                fw_add_overflows(*so_far, growth, so_far))
                return false;
        }
    }
    return true;
}

/* Extends a box by an index that runs over `count` numbers from `low` on. */
static void extend(struct fw_box *by, const struct index_step *index, int64_t low, int64_t count)
{
    int64_t step = index->step, growth = step * (count - 1);
    by->low[index->axis] += step * low + (step < 0 ? growth : 0);
    by->high[index->axis] += step * low + (step > 0 ? growth : 0);
}

/* The box of one thread; the rows of a tile are in it. */
static struct fw_box box_of(const struct lattice *lattice, const struct fw_affine_access *access)
{
    struct fw_box box = lattice_box(lattice, access);
    struct index_step rows = step_of(lattice, access->tile_row_stride);
    if (access->tile_rows > 1)
        extend(&box, &rows, 0, access->tile_rows);
    return box;
}

/* Starts a set without points. */
static void begin_set(struct reference_set *set, const struct fw_affine_access *access,
                      const struct fw_affine_accesses *accesses, const struct lattice *lattice)
{
    *set = (struct reference_set){.access = access, .axes = lattice->levels + 1};
    for (uint32_t d = 0; d < 3; d++) {
        set->merged[d] = lattice_merged(access, accesses, d);
        set->all_threads[d] = fw_affine_all_threads(access, accesses, d);
        set->block[d] = step_of(lattice, access->block_stride[d]);
        set->thread[d] = step_of(lattice, access->thread_stride[d]);
    }
    for (uint32_t l = 0; l < access->loops; l++)
        set->loop[l] = step_of(lattice, access->loop_stride[l]);
    set->dense = access->loops == 0 && access->tile_rows <= 1 && is_dense(set, accesses);
}

static void add_point(struct reference_set *set, struct fw_arena *arena,
                      const struct fw_affine_access *access, const struct lattice *lattice)
{
    struct fw_box point = box_of(lattice, access);
    fw_boxes_add(&set->points, arena, &point, set->axes);
}

void reference_set_of(struct reference_set *set, struct fw_box *point,
                      const struct fw_affine_access *access,
                      const struct fw_affine_accesses *accesses, const struct lattice *lattice)
{
    begin_set(set, access, accesses, lattice);
    *point = box_of(lattice, access);
    set->points = (struct fw_boxes){point, 1, 1};
}

void reference_sets_find(struct reference_sets *sets, struct fw_arena *arena,
                         const struct fw_affine_accesses *accesses, const struct lattice *lattice,
                         const uint32_t *members, uint32_t count, bool timed)
{
    sets->at = FW_ARRAY(arena, struct reference_set, count + 1);
    sets->count = 0;
    for (uint32_t m = 0; m < count; m++) {
        const struct fw_affine_access *access = &accesses->at[members[m]];
        uint32_t b = sets->count > LOOK_BACK ? sets->count - LOOK_BACK : 0;
        if (!timed && (access->begin >= 1 - 1e-9 || access->end <= 1e-9))
            continue;
        bool any_time = !timed && access->loops == 0;
        while (b < sets->count && !(uniformly_generated(access, sets->at[b].access) &&
                                    (any_time || same_time(access, sets->at[b].access))))
            b++;
        if (b == sets->count)
            begin_set(&sets->at[sets->count++], access, accesses, lattice);
        add_point(&sets->at[b], arena, access, lattice);
    }
    for (uint32_t b = 0; b < sets->count; b++) {
        fw_boxes_merge(&sets->at[b].points, sets->at[b].axes);
        fw_boxes_widen(&sets->at[b].points, sets->at[b].axes);
    }
}

void block_runs_find(struct block_runs *runs, const struct fw_affine_accesses *accesses,
                     int64_t first, int64_t last)
{
    first = fw_max(first, 0);
    last = fw_min(last, (int64_t)fw_affine_blocks(accesses));
    if (runs->first == first && runs->last == last)
        return;
    runs->first = first;
    runs->last = last;
    int64_t x = accesses->grid[0], y = accesses->grid[1], plane = x * y;
    runs->count = 0;
    while (first < last && runs->count < BLOCK_RUNS) {
        int64_t row = first / x, here[3] = {first - row * x, row % y, row / y};
        int64_t size[3] = {1, 1, 1};
        if (here[0] == 0 && here[1] == 0 && last - first >= plane) {
            size[0] = x;
            size[1] = y;
            size[2] = (last - first) / plane;
        } else if (here[0] == 0 && last - first >= x) {
            size[0] = x;
            size[1] = fw_min((last - first) / x, y - here[1]);
        } else {
            size[0] = fw_min(last - first, x - here[0]);
        }
        for (uint32_t d = 0; d < 3; d++) {
            runs->from[runs->count][d] = here[d];
            runs->to[runs->count][d] = here[d] + size[d];
        }
        runs->count++;
        first += size[0] * size[1] * size[2];
    }
}

/* Extends a box by blocks from <= b < to along an axis of the launch.  False: none of their threads
 * runs the access. */
static bool extend_by_axis(struct fw_box *by, const struct reference_set *set,
                           const struct fw_affine_accesses *accesses, uint32_t d, int64_t from,
                           int64_t to)
{
    const struct fw_affine_access *access = set->access;
    int64_t size = accesses->block[d];
    int64_t low = fw_max(from * size, access->low[d]), high = fw_min(to * size, access->high[d]);
    if (low >= high)
        return false;
    if (set->merged[d]) {
        extend(by, &set->thread[d], low, high - low);
        return true;
    }
    int64_t first = low / size, last = (high - 1) / size, thread = 0, threads = size;
    if (first == last) {
        thread = low - first * size;
        threads = high - low;
    }
    if (!set->all_threads[d]) {
        threads = fw_min(access->last[d], thread + threads) - fw_max(access->first[d], thread);
        thread = fw_max(access->first[d], thread);
        if (threads <= 0)
            return false;
    }
    extend(by, &set->block[d], first, last - first + 1);
    extend(by, &set->thread[d], thread, threads);
    return true;
}

/* Extends a box by loops during a part of the blocks' lifetime, which cuts the outermost loop.
 * False: no iteration is left. */
static bool extend_by_loops(struct fw_box *by, const struct reference_set *set, double begin,
                            double end)
{
    const struct fw_affine_access *access = set->access;
    for (uint32_t l = 0; l < access->loops; l++) {
        int64_t low = 0, high = access->trips[l];
        if (l == 0) {
            double all_trips = (double)access->trips[l] / (access->end - access->begin);
            double first = floor((begin - access->begin) * all_trips + 1e-9);
            double last = ceil((end - access->begin) * all_trips - 1e-9);
            low = fw_max(low, fw_saturated_integer(first));
            high = fw_min(high, fw_saturated_integer(last));
        }
        if (low >= high)
            return false;
        extend(by, &set->loop[l], low, high - low);
    }
    return true;
}

/* The extents of a set by run of blocks; gives how many are not empty. */
static uint32_t find_extents(struct fw_box by[BLOCK_RUNS], const struct reference_set *set,
                             const struct fw_affine_accesses *accesses,
                             const struct block_runs *runs, double begin, double end)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < runs->count; r++) {
        bool any = true;
        for (uint32_t a = 0; a < set->axes; a++)
            by[count].low[a] = by[count].high[a] = 0;
        for (uint32_t d = 0; d < 3 && any; d++)
            any = extend_by_axis(&by[count], set, accesses, d, runs->from[r][d], runs->to[r][d]);
        if (any && set->access->loops)
            any = extend_by_loops(&by[count], set, begin, end);
        count += any;
    }
    return count;
}

void reference_set_add(struct fw_boxes *boxes, struct fw_arena *arena,
                       const struct reference_set *set, const struct fw_affine_accesses *accesses,
                       const struct block_runs *runs, double begin, double end)
{
    struct fw_box by[BLOCK_RUNS];
    uint32_t count = find_extents(by, set, accesses, runs, begin, end);
    uint32_t points = set->points.count;
    struct fw_box *box = fw_boxes_room(boxes, arena, count * points);
    for (uint32_t r = 0; r < count; r++)
        for (uint32_t p = 0; p < points; p++, box++)
            for (uint32_t a = 0; a < set->axes; a++) {
                box->low[a] = set->points.at[p].low[a] + by[r].low[a];
                box->high[a] = set->points.at[p].high[a] + by[r].high[a];
            }
    boxes->count += count * points;
}
