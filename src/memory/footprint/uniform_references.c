#include "uniform_references.h"

#include "min_max.h"

#include <math.h>
#include <string.h>

enum { LOOK_BACK = 64 }; /* bundles: what takes too long to bundle stays apart */

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

static struct index_step move_of(const struct lattice *lattice, int64_t stride)
{
    struct index_step move = {0, 0};
    if (stride)
        move.axis = lattice_axis(lattice, stride, &move.step);
    return move;
}

/* How far an axis of the launch moves a bundle over the whole grid: its innermost move first. */
static uint32_t moves_of(struct index_step out[2], int64_t counts[2],
                         const struct reference_set *bundle, const struct fw_affine_accesses *accesses,
                         uint32_t d)
{
    int64_t size = accesses->block[d], all = size * accesses->grid[d];
    int64_t low = fw_max(bundle->access->low[d], 0), high = fw_min(bundle->access->high[d], all);
    out[0] = bundle->thread[d];
    counts[0] = bundle->merged[d] ? high - low : bundle->all_threads[d] ? size : 1;
    out[1] = bundle->block[d];
    counts[1] = accesses->grid[d];
    return bundle->merged[d] ? 1 : 2;
}

/* Whether no index leaves gaps in the boxes: along each axis of theirs steps are no longer than
 * what the smaller ones cover, and blocks that conditions cut are no part of a longer row.  Windows
 * are whole rows wherever they are more than one. */
static bool is_solid(const struct reference_set *bundle, const struct fw_affine_accesses *accesses)
{
    int64_t covered[FW_BOX_AXES];
    for (uint32_t a = 0; a < FW_BOX_AXES; a++)
        covered[a] = a ? 1 : bundle->access->bytes;
    for (uint32_t d = 0; d < 3; d++) {
        struct index_step moves[2];
        int64_t counts[2], size = accesses->block[d];
        uint32_t count = moves_of(moves, counts, bundle, accesses, d);
        bool cut =
            (bundle->access->low[d] > 0 && bundle->access->low[d] % size) ||
            (bundle->access->high[d] < size * accesses->grid[d] && bundle->access->high[d] % size);
        if (!bundle->merged[d] && bundle->thread[d].step && cut)
            return false;
        for (uint32_t m = 0; m < count; m++) {
            int64_t step = moves[m].step < 0 ? -moves[m].step : moves[m].step, further;
            int64_t *so_far = &covered[moves[m].axis];
            if (step > *so_far || __builtin_mul_overflow(step, counts[m] - 1, &further) ||
                __builtin_add_overflow(*so_far, further, so_far))
                return false;
        }
    }
    return true;
}

/* Makes a box longer by an index that runs through `count` numbers from `low` on. */
static void move(struct fw_box *by, const struct index_step *move, int64_t low, int64_t count)
{
    int64_t step = move->step, further = step * (count - 1);
    by->low[move->axis] += step * low + (step < 0 ? further : 0);
    by->high[move->axis] += step * low + (step > 0 ? further : 0);
}

/* Where a form is of one thread; a tile's rows are there together. */
static struct fw_box place_of(const struct lattice *lattice, const struct fw_affine_access *access)
{
    struct fw_box place = lattice_box(lattice, access);
    struct index_step rows = move_of(lattice, access->tile_row_stride);
    if (access->tile_rows > 1)
        move(&place, &rows, 0, access->tile_rows);
    return place;
}

/* A bundle that has no points yet. */
static void begin_bundle(struct reference_set *bundle, const struct fw_affine_access *access,
                         const struct fw_affine_accesses *accesses, const struct lattice *lattice)
{
    *bundle = (struct reference_set){.access = access, .axes = lattice->levels + 1};
    for (uint32_t d = 0; d < 3; d++) {
        bundle->merged[d] = lattice_merged(access, accesses, d);
        bundle->all_threads[d] = fw_affine_all_threads(access, accesses, d);
        bundle->block[d] = move_of(lattice, access->block_stride[d]);
        bundle->thread[d] = move_of(lattice, access->thread_stride[d]);
    }
    for (uint32_t l = 0; l < access->loops; l++)
        bundle->loop[l] = move_of(lattice, access->loop_stride[l]);
    bundle->solid = access->loops == 0 && access->tile_rows <= 1 && is_solid(bundle, accesses);
}

static void add_point(struct reference_set *bundle, struct fw_arena *arena,
                      const struct fw_affine_access *access, const struct lattice *lattice)
{
    struct fw_box point = place_of(lattice, access);
    fw_boxes_add(&bundle->points, arena, &point, bundle->axes);
}

void reference_set_of(struct reference_set *bundle, struct fw_box *point,
                      const struct fw_affine_access *access, const struct fw_affine_accesses *accesses,
                      const struct lattice *lattice)
{
    begin_bundle(bundle, access, accesses, lattice);
    *point = place_of(lattice, access);
    bundle->points = (struct fw_boxes){point, 1, 1};
}

void reference_sets_find(struct reference_sets *bundles, struct fw_arena *arena,
                         const struct fw_affine_accesses *accesses, const struct lattice *lattice,
                         uint32_t array, bool timed)
{
    bundles->at = FW_ARRAY(arena, struct reference_set, accesses->count + 1);
    bundles->count = 0;
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        uint32_t b = bundles->count > LOOK_BACK ? bundles->count - LOOK_BACK : 0;
        if (access->array != array || (!timed && (access->begin >= 1 - 1e-9 || access->end <= 1e-9)))
            continue;
        bool any_time = !timed && access->loops == 0;
        while (b < bundles->count && !(uniformly_generated(access, bundles->at[b].access) &&
                                       (any_time || same_time(access, bundles->at[b].access))))
            b++;
        if (b == bundles->count)
            begin_bundle(&bundles->at[bundles->count++], access, accesses, lattice);
        add_point(&bundles->at[b], arena, access, lattice);
    }
    for (uint32_t b = 0; b < bundles->count; b++) {
        fw_boxes_merge(&bundles->at[b].points, bundles->at[b].axes);
        fw_boxes_widen(&bundles->at[b].points, bundles->at[b].axes);
    }
}

void block_runs_find(struct block_runs *runs, const struct fw_affine_accesses *accesses, int64_t first,
                     int64_t last)
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

/* How far an axis of the launch moves a bundle in blocks from <= b < to.  False: none of its
 * threads runs there. */
static bool move_axis(struct fw_box *by, const struct reference_set *bundle,
                      const struct fw_affine_accesses *accesses, uint32_t d, int64_t from, int64_t to)
{
    const struct fw_affine_access *access = bundle->access;
    int64_t size = accesses->block[d];
    int64_t low = fw_max(from * size, access->low[d]), high = fw_min(to * size, access->high[d]);
    if (low >= high)
        return false;
    if (bundle->merged[d]) {
        move(by, &bundle->thread[d], low, high - low);
        return true;
    }
    int64_t first = low / size, last = (high - 1) / size, thread = 0, threads = size;
    if (first == last) {
        thread = low - first * size;
        threads = high - low;
    }
    if (!bundle->all_threads[d]) {
        threads = fw_min(access->last[d], thread + threads) - fw_max(access->first[d], thread);
        thread = fw_max(access->first[d], thread);
        if (threads <= 0)
            return false;
    }
    move(by, &bundle->block[d], first, last - first + 1);
    move(by, &bundle->thread[d], thread, threads);
    return true;
}

/* As move_axis, of loops in a part of the blocks' lives: the outermost is cut by it. */
static bool move_loops(struct fw_box *by, const struct reference_set *bundle, double begin,
                       double end)
{
    const struct fw_affine_access *access = bundle->access;
    for (uint32_t l = 0; l < access->loops; l++) {
        int64_t low = 0, high = access->trips[l];
        if (l == 0) {
            double life = (double)access->trips[l] / (access->end - access->begin);
            low = fw_max(low, (int64_t)floor((begin - access->begin) * life + 1e-9));
            high = fw_min(high, (int64_t)ceil((end - access->begin) * life - 1e-9));
        }
        if (low >= high)
            return false;
        move(by, &bundle->loop[l], low, high - low);
    }
    return true;
}

/* How far blocks move a bundle, by run.  How many. */
static uint32_t find_moves(struct fw_box by[BLOCK_RUNS], const struct reference_set *bundle,
                           const struct fw_affine_accesses *accesses, const struct block_runs *runs,
                           double begin, double end)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < runs->count; r++) {
        bool any = true;
        for (uint32_t a = 0; a < bundle->axes; a++)
            by[count].low[a] = by[count].high[a] = 0;
        for (uint32_t d = 0; d < 3 && any; d++)
            any = move_axis(&by[count], bundle, accesses, d, runs->from[r][d], runs->to[r][d]);
        if (any && bundle->access->loops)
            any = move_loops(&by[count], bundle, begin, end);
        count += any;
    }
    return count;
}

void reference_set_add(struct fw_boxes *boxes, struct fw_arena *arena,
                       const struct reference_set *bundle, const struct fw_affine_accesses *accesses,
                       const struct block_runs *runs, double begin, double end)
{
    struct fw_box by[BLOCK_RUNS];
    uint32_t count = find_moves(by, bundle, accesses, runs, begin, end);
    uint32_t points = bundle->points.count;
    struct fw_box *box = fw_boxes_room(boxes, arena, count * points);
    for (uint32_t r = 0; r < count; r++)
        for (uint32_t p = 0; p < points; p++, box++)
            for (uint32_t a = 0; a < bundle->axes; a++) {
                box->low[a] = bundle->points.at[p].low[a] + by[r].low[a];
                box->high[a] = bundle->points.at[p].high[a] + by[r].high[a];
            }
    boxes->count += count * points;
}
