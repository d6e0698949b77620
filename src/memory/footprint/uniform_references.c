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

/* The box of one thread; the rows of a tile and the spans are in it. */
static struct fw_box box_of(const struct lattice *lattice, const struct fw_affine_access *access)
{
    struct fw_box box = lattice_box(lattice, access);
    struct index_step rows = index_step_of(lattice, access->tile_row_stride);
    if (access->tile_rows > 1)
        index_extend(&box, &rows, 0, access->tile_rows);
    for (uint32_t s = 0; s < access->span_count; s++) {
        struct index_step step = index_step_of(lattice, access->spans[s].stride);
        index_extend(&box, &step, 0, access->spans[s].count);
    }
    return box;
}

/* Starts a set without points. */
static void begin_set(struct reference_set *set, const struct fw_affine_access *access,
                      const struct skew *skew, const struct fw_affine_accesses *accesses,
                      const struct lattice *lattice)
{
    *set = (struct reference_set){
        .access = access, .skew = *skew, .lattice = lattice, .axes = lattice->levels + 1};
    for (uint32_t d = 0; d < 3; d++) {
        set->merged[d] = lattice_merged(access, accesses, d);
        set->all_threads[d] = fw_affine_all_threads(access, accesses, d);
        set->block[d] = index_step_of(lattice, access->block_stride[d]);
        set->thread[d] = index_step_of(lattice, access->thread_stride[d]);
    }
    for (uint32_t l = 0; l < access->loops; l++)
        set->loop[l] = index_step_of(lattice, access->loop_stride[l]);
    set->dense = access->loops == 0 && access->tile_rows <= 1 && access->floor_count == 0 &&
                 access->span_count == 0 && is_dense(set, accesses);
}

static void add_point(struct reference_set *set, struct fw_arena *arena,
                      const struct fw_affine_access *access, const struct lattice *lattice)
{
    struct fw_box point = box_of(lattice, access);
    fw_boxes_add(&set->points, arena, &point, set->axes);
}

void reference_set_of(struct reference_set *set, struct fw_box *point,
                      const struct fw_affine_access *access, const struct skew *skew,
                      const struct fw_affine_accesses *accesses, const struct lattice *lattice)
{
    begin_set(set, access, skew, accesses, lattice);
    *point = box_of(lattice, access);
    set->points = (struct fw_boxes){point, 1, 1};
}

/* Room for one more set: few accesses have one of their own, and what nobody touches costs no
 * pages. */
static void make_room(struct reference_sets *sets, struct fw_arena *arena, size_t *capacity)
{
    enum { FIRST = 4 };
    if (sets->count < *capacity)
        return;
    struct reference_set *before = sets->at;
    *capacity = *capacity ? 2 * *capacity : FIRST;
    sets->at = FW_ARRAY(arena, struct reference_set, *capacity);
    if (sets->count)
        memcpy(sets->at, before, sets->count * sizeof(*before));
}

void reference_sets_find(struct reference_sets *sets, struct fw_arena *arena,
                         const struct fw_affine_accesses *accesses, const struct skew *skews,
                         const struct lattice *lattice, const uint32_t *members, uint32_t count,
                         bool timed)
{
    size_t capacity = 0;
    *sets = (struct reference_sets){NULL, 0};
    for (uint32_t m = 0; m < count; m++) {
        const struct fw_affine_access *access = &accesses->at[members[m]];
        uint32_t b = sets->count > LOOK_BACK ? sets->count - LOOK_BACK : 0;
        if (!timed && (access->begin >= 1 - 1e-9 || access->end <= 1e-9))
            continue;
        bool any_time = !timed && access->loops == 0;
        const struct skew *skew = &skews[members[m]];
        while (b < sets->count && !(uniformly_generated(access, sets->at[b].access) &&
                                    skew_equal(skew, &sets->at[b].skew) &&
                                    (any_time || same_time(access, sets->at[b].access))))
            b++;
        if (b == sets->count) {
            make_room(sets, arena, &capacity);
            begin_set(&sets->at[sets->count++], access, skew, accesses, lattice);
            sets->at[b].cuts = skew->row || access->ragged.any ? FW_NEW(arena, struct cuts) : NULL;
        }
        add_point(&sets->at[b], arena, access, lattice);
    }
    for (uint32_t b = 0; b < sets->count; b++) {
        fw_boxes_merge(&sets->at[b].points, sets->at[b].axes, arena);
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

/* Extends boxes by a run of an index that may have floors. */
static void add_digits(struct run_boxes *boxes, const struct reference_set *set,
                       enum fw_floor_of of, uint32_t index, int64_t stride, int64_t low,
                       int64_t count)
{
    struct index_digits digits;
    index_digits_find(&digits, set->access, set->lattice, of, index, stride);
    index_run_add(boxes, &digits, low, count);
}

/* Extends boxes by a run of an index.  Without floors, which is most often and has to be quick,
 * there is one box. */
static inline void add_run(struct run_boxes *boxes, const struct reference_set *set,
                           enum fw_floor_of of, uint32_t index, const struct index_step *step,
                           int64_t stride, int64_t low, int64_t count)
{
    if (set->access->floor_count || set->access->tiles)
        add_digits(boxes, set, of, index, stride, low, count);
    else
        index_extend(&boxes->at[0], step, low, count);
}

/* Extends boxes by threads from <= t < to of the grid along an axis of the launch: a part of one
 * block, or whole ones.  False: none of them runs the access. */
static bool extend_by_axis(struct run_boxes *boxes, const struct reference_set *set,
                           const struct fw_affine_accesses *accesses, uint32_t d, int64_t from,
                           int64_t to)
{
    const struct fw_affine_access *access = set->access;
    int64_t size = accesses->block[d], stride = access->thread_stride[d];
    int64_t low = fw_max(from, access->low[d]), high = fw_min(to, access->high[d]);
    if (low >= high)
        return false;
    if (set->merged[d]) {
        add_run(boxes, set, FW_FLOOR_OF_GRID_THREAD, d, &set->thread[d], stride, low, high - low);
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
    if (!access->tiles || access->tiles->axis != d) /* those with the loop */
        add_run(boxes, set, FW_FLOOR_OF_BLOCK, d, &set->block[d], access->block_stride[d], first,
                last - first + 1);
    add_run(boxes, set, FW_FLOOR_OF_THREAD, d, &set->thread[d], stride, thread, threads);
    return true;
}

/* The end of an inner loop in the iterations outer[0] to outer[1] of the outermost one: in that in
 * which it goes farthest. */
static int64_t nested_end(const struct fw_affine_nested *nested, const int64_t outer[2])
{
    double farthest = (double)(nested->slope > 0 ? outer[1] : outer[0]);
    return fw_saturated_integer(round(nested->constant + nested->slope * farthest));
}

/* Extends boxes by tiles of the iterations begin <= i < end of a persistent loop, for threads low
 * <= t < high along the axis of its blocks.  False: there are none. */
static bool extend_by_tiles(struct run_boxes *boxes, const struct reference_set *set,
                            const struct fw_affine_accesses *accesses, const int64_t low[3],
                            const int64_t high[3], int64_t begin, int64_t end)
{
    const struct fw_affine_tiles *tiles = set->access->tiles;
    const uint32_t d = tiles->axis;
    const int64_t size = accesses->block[d];
    int64_t first = fw_max(low[d], set->access->low[d]) / size;
    int64_t last = (fw_min(high[d], set->access->high[d]) - 1) / size + 1;
    struct index_digits digits;
    index_tiles_find(&digits, tiles, set->lattice);
    return index_tiles_add(boxes, &digits, tiles, first, last, begin, end);
}

/* Iterations low <= i < high of a loop that moves boxes by more than a row at a time. */
struct strided_loop {
    struct index_step step;
    int64_t low, high;
};

/* Of executions: where conditions leave more of them out, its box says less of an iteration. */
static const double least_executed = 0.5;

/* Whether a loop may leave out rows between its iterations. */
static bool may_leave_gaps(const struct reference_set *set, uint32_t loop, int64_t trips)
{
    const struct index_step *step = &set->loop[loop];
    return step->axis > 0 && fw_saturated_magnitude(step->step) > 1 && trips > 1 &&
           set->access->active_share > least_executed && set->access->floor_count == 0 &&
           !set->access->tiles && !set->skew.row;
}

/* What each of the boxes covers along an axis, at least. */
static int64_t least_covered(const struct run_boxes *boxes, const struct reference_set *set,
                             uint32_t axis)
{
    int64_t least_run = INT64_MAX, least_point = INT64_MAX;
    for (uint32_t b = 0; b < boxes->count; b++)
        least_run = fw_min(least_run, boxes->at[b].high[axis] - boxes->at[b].low[axis]);
    for (uint32_t p = 0; p < set->points.count; p++)
        least_point =
            fw_min(least_point, set->points.at[p].high[axis] - set->points.at[p].low[axis]);
    return fw_saturated_add(least_run, least_point);
}

/* Extends boxes by a loop.  Where its iterations lie apart from each other (the planes of a stencil
 * whose arms are longer than what blocks cover), each of few has boxes of its own: what lies
 * between them is not touched. */
static void extend_by_strided(struct run_boxes *boxes, const struct reference_set *set,
                              const struct strided_loop *loop)
{
    const int64_t trips = loop->high - loop->low;
    const uint32_t before = boxes->count;
    if (trips > INDEX_RUN_BOXES / before ||
        fw_saturated_magnitude(loop->step.step) <= least_covered(boxes, set, loop->step.axis)) {
        for (uint32_t b = 0; b < before; b++)
            index_extend(&boxes->at[b], &loop->step, loop->low, trips);
        return;
    }
    for (int64_t i = trips; i-- > 0;) /* the first one last: the others are copies of it */
        for (uint32_t b = 0; b < before; b++) {
            struct fw_box *to = &boxes->at[(uint32_t)i * before + b];
            *to = boxes->at[b];
            index_extend(to, &loop->step, loop->low + i, 1);
        }
    boxes->count = before * (uint32_t)trips;
}

/* Extends boxes by strided loops, that of the shortest stride first: a longer one may lie apart
 * from what it covers. */
static void extend_by_all_strided(struct run_boxes *boxes, const struct reference_set *set,
                                  struct strided_loop *loops, uint32_t count)
{
    for (uint32_t done = 0; done < count; done++) {
        for (uint32_t l = done + 1; l < count; l++)
            if (fw_saturated_magnitude(loops[l].step.step) <
                fw_saturated_magnitude(loops[done].step.step)) {
                const struct strided_loop longer = loops[done];
                loops[done] = loops[l];
                loops[l] = longer;
            }
        extend_by_strided(boxes, set, &loops[done]);
    }
}

/* Extends boxes of the threads threads[0] <= t < threads[1] by loops during a part of the blocks'
 * lifetime, which cuts the outermost loop; `piece`: NULL where threads do not differ.  False: no
 * iteration is left. */
static bool extend_by_loops(struct run_boxes *boxes, const struct reference_set *set,
                            const struct fw_affine_accesses *accesses,
                            const int64_t *const threads[2], const struct skew_piece *piece,
                            double begin, double end)
{
    const struct fw_affine_access *access = set->access;
    int64_t outer[2] = {0, 0}; /* the first and the last iteration of the outermost loop */
    struct strided_loop strided[FW_AFFINE_LOOPS];
    uint32_t strides = 0;
    for (uint32_t l = 0; l < access->loops; l++) {
        int64_t low = 0, high = access->trips[l];
        if (l == 0) {
            double all_trips = (double)access->trips[l] / (access->end - access->begin);
            double first = floor((begin - access->begin) * all_trips + 1e-9);
            double last = ceil((end - access->begin) * all_trips - 1e-9);
            low = fw_max(low, fw_saturated_integer(first));
            high = fw_min(high, fw_saturated_integer(last));
        }
        if (piece && access->ragged.any && access->ragged.loop == l) {
            low = fw_max(low, piece->from);
            high = fw_min(high, piece->until);
        }
        if (l && access->nested.loop == l)
            high = fw_min(high, nested_end(&access->nested, outer));
        if (l == 0) {
            outer[0] = low;
            outer[1] = high - 1;
        }
        if (low >= high)
            return false;
        if (access->tiles && access->tiles->loop == l) {
            if (!extend_by_tiles(boxes, set, accesses, threads[0], threads[1], low, high))
                return false;
            continue;
        }
        if (may_leave_gaps(set, l, high - low)) {
            strided[strides++] = (struct strided_loop){set->loop[l], low, high};
            continue;
        }
        add_run(boxes, set, FW_FLOOR_OF_LOOP, l, &set->loop[l], access->loop_stride[l], low,
                high - low);
    }
    extend_by_all_strided(boxes, set, strided, strides);
    return true;
}

/* The extents of a set over threads low <= t < high of the grid: none where none of them runs it.
 * `piece`: NULL where threads do not differ. */
static void find_extents(struct run_boxes *by, const struct reference_set *set,
                         const struct fw_affine_accesses *accesses, const int64_t low[3],
                         const int64_t high[3], const struct skew_piece *piece, double begin,
                         double end)
{
    bool any = true;
    by->count = 1;
    by->at[0] = (struct fw_box){{0}, {0}};
    for (uint32_t d = 0; d < 3 && any; d++)
        any = extend_by_axis(by, set, accesses, d, low[d], high[d]);
    if (any && set->access->loops)
        any = extend_by_loops(by, set, accesses, (const int64_t *const[2]){low, high}, piece, begin,
                              end);
    if (piece && set->skew.row) {
        struct index_step rows = index_step_of(set->lattice, set->skew.row);
        for (uint32_t b = 0; b < by->count; b++)
            index_extend(&by->at[b], &rows, piece->rows, piece->row_count);
    }
    if (!any)
        by->count = 0;
}

/* Adds the boxes of a set that have these extents. */
static void add_extents(struct fw_boxes *boxes, struct fw_arena *arena,
                        const struct reference_set *set, const struct run_boxes *by)
{
    uint32_t points = set->points.count;
    struct fw_box *box = fw_boxes_room(boxes, arena, by->count * points);
    for (uint32_t e = 0; e < by->count; e++)
        for (uint32_t p = 0; p < points; p++, box++)
            for (uint32_t a = 0; a < set->axes; a++) {
                box->low[a] = set->points.at[p].low[a] + by->at[e].low[a];
                box->high[a] = set->points.at[p].high[a] + by->at[e].high[a];
            }
    boxes->count += by->count * points;
}

static bool same_threads(const int64_t one[3], const int64_t other[3])
{
    return one[0] == other[0] && one[1] == other[1] && one[2] == other[2];
}

/* The pieces of threads low <= t < high of a set whose threads differ: those that were cut before,
 * or new ones, in `own` if the set keeps none. */
static const struct skew_piece *pieces_of(struct skew_piece own[2 * SKEW_PIECES], uint32_t *count,
                                          const struct reference_set *set,
                                          const struct fw_affine_accesses *accesses,
                                          const int64_t low[3], const int64_t high[3])
{
    struct cuts *cuts = set->cuts;
    struct skew_piece *pieces = own;
    for (uint32_t c = 0; cuts && c < cuts->count; c++)
        if (same_threads(cuts->at[c].low, low) && same_threads(cuts->at[c].high, high)) {
            *count = cuts->at[c].count;
            return cuts->pieces + cuts->at[c].first;
        }
    if (cuts && (cuts->count == CUTS || CUT_PIECES - cuts->used < 2 * SKEW_PIECES))
        cuts->count = cuts->used = 0;
    if (cuts)
        pieces = cuts->pieces + cuts->used;
    *count = skew_pieces(pieces, set->access, &set->skew, accesses, low, high);
    if (cuts) {
        struct cut *cut = &cuts->at[cuts->count++];
        memcpy(cut->low, low, sizeof(cut->low));
        memcpy(cut->high, high, sizeof(cut->high));
        cut->first = cuts->used;
        cut->count = *count;
        cuts->used += *count;
    }
    return pieces;
}

void reference_set_add(struct fw_boxes *boxes, struct fw_arena *arena,
                       const struct reference_set *set, const struct fw_affine_accesses *accesses,
                       const struct block_runs *runs, double begin, double end)
{
    struct run_boxes by;
    struct skew_piece own[2 * SKEW_PIECES];
    const struct fw_affine_tiles *tiles = set->access->tiles;
    const bool differ = set->skew.row || (set->access->ragged.any &&
                                          !(tiles && tiles->loop == set->access->ragged.loop));
    for (uint32_t r = 0; r < runs->count; r++) {
        int64_t low[3], high[3];
        for (uint32_t d = 0; d < 3; d++) {
            low[d] = runs->from[r][d] * accesses->block[d];
            high[d] = runs->to[r][d] * accesses->block[d];
        }
        if (!differ) {
            find_extents(&by, set, accesses, low, high, NULL, begin, end);
            add_extents(boxes, arena, set, &by);
            continue;
        }
        uint32_t count;
        const struct skew_piece *piece = pieces_of(own, &count, set, accesses, low, high);
        for (const struct skew_piece *last = piece + count; piece < last; piece++) {
            find_extents(&by, set, accesses, piece->low, piece->high, piece, begin, end);
            add_extents(boxes, arena, set, &by);
        }
    }
}
