#include "footprint.h"

#include "box_cells.h"
#include "box_rows.h"
#include "checked.h"
#include "footprint_memo.h"
#include "lattice_neighbours.h"
#include "min_max.h"
#include "quotient.h"
#include "uniform_references.h"

#include <math.h>
#include <string.h>

enum { MAX_SPANS = 8, LOOK_BACK = 64 };

/* The reference sets of an array: by time of execution, and regardless of it. */
struct array_sets {
    struct reference_sets whole, timed;
    bool has_whole, has_timed;
};

/* An array in granules. */
struct array {
    struct lattice lattice;
    /* With the offsets within a granule at which rows begin: of all levels, and where rows of the
     * inner ones are joined. */
    struct box_granularity granularity[LATTICE_LEVELS + 1];
    struct array_sets *sets;
};

struct fw_footprint {
    struct fw_arena *arena;
    const struct fw_affine_accesses *accesses; /* without the rows that they are shifted by */
    const struct skew *skews;                  /* by access */
    uint32_t *start;   /* by array: the first of its accesses; one entry more */
    uint32_t *members; /* accesses by array, in order */
    int64_t granule;
    struct array *arrays;
    struct fw_boxes all, granules, common; /* of the count in progress; their memory is reused */
    struct block_runs runs;                /* of the last window */
    struct footprint_memo *memo;           /* counts computed so far */
    uint64_t boxes;                        /* gone through so far */
    bool exact;
};

/* Blocks first <= b < last. */
struct span {
    int64_t first, last;
};

/* The offsets at which rows of the levels from `first` on begin. */
static void find_granularity(struct box_granularity *granularity, const struct lattice *lattice,
                             uint32_t first, int64_t granule)
{
    int64_t step = granule;
    for (uint32_t l = first; l < lattice->levels; l++)
        step = fw_common_step(step, lattice->stride[l]);
    int64_t offsets = granule / step;
    while ((int64_t)1 << granularity->shift < granule)
        granularity->shift++;
    granularity->offsets = (uint32_t)fw_min(offsets, BOX_CELLS_OFFSETS);
    for (uint32_t p = 0; p < granularity->offsets; p++)
        granularity->offset[p] = step * (p * offsets / granularity->offsets);
}

/* For each access, the first uniformly generated one: both add the same strides to a lattice. */
static uint32_t *find_first_of_set(struct fw_arena *arena,
                                   const struct fw_affine_accesses *accesses,
                                   const struct skew *skews)
{
    uint32_t *first_of_set = FW_ARRAY(arena, uint32_t, accesses->count + 1);
    uint32_t *firsts = FW_ARRAY(arena, uint32_t, accesses->count + 1), count = 0;
    for (uint32_t i = 0; i < accesses->count; i++) {
        uint32_t k = count > LOOK_BACK ? count - LOOK_BACK : 0;
        while (k < count && !(uniformly_generated(&accesses->at[firsts[k]], &accesses->at[i]) &&
                              skew_equal(&skews[firsts[k]], &skews[i])))
            k++;
        if (k == count)
            firsts[count++] = i;
        first_of_set[i] = firsts[k];
    }
    return first_of_set;
}

static bool lattice_changed(const struct lattice *before, const struct lattice *now)
{
    return before->levels != now->levels ||
           memcmp(before->stride, now->stride, sizeof(now->stride)) != 0 ||
           memcmp(before->extent, now->extent, sizeof(now->extent)) != 0;
}

/* In which order accesses come to their lattice: rows of floors fill larger strides; where all
 * threads of a block run, the next block continues it, and others fall into the same rows. */
enum lattice_order { ALL_WITH_FLOORS, SOME_WITH_FLOORS, ALL_THREADS, SOME_THREADS, LATTICE_ORDERS };

static enum lattice_order order_of(const struct fw_affine_access *access,
                                   const struct fw_affine_accesses *accesses)
{
    bool all = true;
    for (uint32_t d = 0; d < 3; d++)
        all &= fw_affine_all_threads(access, accesses, d);
    if (access->floor_count || access->tiles)
        return all ? ALL_WITH_FLOORS : SOME_WITH_FLOORS;
    return all ? ALL_THREADS : SOME_THREADS;
}

/* Rows and elements that a block's threads share out among themselves. */
static int64_t shared_out(const struct fw_affine_access *access)
{
    int64_t all = 0;
    for (uint32_t s = 0; s < access->span_count; s++)
        all = fw_saturated_multiply(fw_max(all, 1), access->spans[s].count);
    return all;
}

/* Adds the accesses of one order to their lattices, but skips one if the lattice already has all
 * strides of its set.  `changes` is by array; `settled` by the first of a set: 1 + changes. */
static void add_to_lattices(struct fw_footprint *f, const uint32_t *first_of_set, int64_t *places,
                            uint32_t *changes, uint32_t *settled, enum lattice_order order,
                            int64_t most_shared)
{
    const struct fw_affine_accesses *accesses = f->accesses;
    for (uint32_t i = 0; i < accesses->count; i++) {
        uint32_t array = accesses->at[i].array;
        struct lattice *lattice = &f->arrays[array].lattice, before = *lattice;
        if (shared_out(&accesses->at[i]) < most_shared ||
            order_of(&accesses->at[i], accesses) != order ||
            settled[first_of_set[i]] == 1 + changes[array])
            continue;
        if (!lattice->used)
            lattice->reference = lattice_begin(&accesses->at[i]);
        lattice->used = true;
        const struct lattice_neighbours beside =
            lattice_neighbours_find(f->accesses, first_of_set, f->granule, i, places);
        if (!lattice_add(lattice, &accesses->at[i], &f->skews[i], accesses, f->granule, &beside))
            f->exact = false;
        changes[array] += lattice_changed(&before, lattice);
        settled[first_of_set[i]] = lattice_changed(&before, lattice) ? 0 : 1 + changes[array];
    }
}

static void find_lattices(struct fw_footprint *f)
{
    const struct fw_affine_accesses *accesses = f->accesses;
    struct fw_arena_mark mark = fw_arena_mark(f->arena);
    uint32_t *first_of_set = find_first_of_set(f->arena, accesses, f->skews);
    uint32_t *changes = FW_ARRAY(f->arena, uint32_t, accesses->arrays + 1);
    uint32_t *settled = FW_ARRAY(f->arena, uint32_t, accesses->count + 1);
    int64_t *places = FW_ARRAY(f->arena, int64_t, accesses->count + 1), most_shared = 0;
    for (uint32_t i = 0; i < accesses->count; i++) {
        struct lattice *lattice = &f->arrays[accesses->at[i].array].lattice;
        if (first_of_set[i] == i)
            lattice->contiguous = fw_max(
                lattice->contiguous, lattice_contiguous(&accesses->at[i], accesses, f->granule));
    }
    for (uint32_t i = 0; i < accesses->count; i++)
        most_shared = fw_max(most_shared, shared_out(&accesses->at[i]));
    for (int order = 0; order < LATTICE_ORDERS; order++)
        for (int most = most_shared ? 1 : 0; most >= 0; most--) /* of parts, the largest first */
            add_to_lattices(f, first_of_set, places, changes, settled, (enum lattice_order)order,
                            most ? most_shared : 0);
    fw_arena_release(f->arena, mark);
}

static void sort_by_array(struct fw_footprint *f)
{
    const struct fw_affine_accesses *accesses = f->accesses;
    f->start = FW_ARRAY(f->arena, uint32_t, (size_t)accesses->arrays + 2);
    f->members = FW_ARRAY(f->arena, uint32_t, accesses->count + 1);
    for (uint32_t i = 0; i < accesses->count; i++)
        f->start[accesses->at[i].array + 2]++;
    for (uint32_t a = 1; a <= accesses->arrays; a++)
        f->start[a + 1] += f->start[a];
    for (uint32_t i = 0; i < accesses->count; i++)
        f->members[f->start[accesses->at[i].array + 1]++] = i;
}

/* Whether unrolled loops, whose steps are several rows of an array, touch all of them. */
static bool fills_rows(const struct fw_affine_accesses *accesses, uint32_t array, int64_t row)
{
    int64_t longest = row, count = 0;
    uint32_t before = FW_NONE;
    for (uint32_t i = 0; i < accesses->count; i++)
        for (uint32_t l = 0; accesses->at[i].array == array && l < accesses->at[i].loops; l++)
            if (accesses->at[i].loop_stride[l] % row == 0)
                longest = fw_max(longest, fw_saturated_magnitude(accesses->at[i].loop_stride[l]));
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        bool as_long = false;
        for (uint32_t l = 0; access->array == array && l < access->loops; l++)
            as_long |= fw_saturated_magnitude(access->loop_stride[l]) == longest;
        count += as_long && access->kernel_access != before;
        before = as_long ? access->kernel_access : before;
    }
    return count >= longest / row;
}

/* Takes rows out of the accesses that indices shift by rows. */
static void find_skews(struct fw_footprint *f, const struct fw_affine_accesses *accesses)
{
    struct skew *skews = FW_ARRAY(f->arena, struct skew, accesses->count + 1);
    struct skew_rows *rows = FW_ARRAY(f->arena, struct skew_rows, accesses->arrays + 1);
    bool any = false;
    f->accesses = accesses;
    f->skews = skews;
    for (uint32_t i = 0; i < accesses->count; i++) {
        struct skew_rows *of = &rows[accesses->at[i].array];
        if (accesses->at[i].loops && !accesses->at[i].tiles)
            skew_rows_add(of, &accesses->at[i], accesses);
        any |= of->row != 0;
    }
    if (!any)
        return;
    struct fw_affine_accesses *changed = FW_NEW(f->arena, struct fw_affine_accesses);
    *changed = *accesses;
    changed->at = fw_arena_copy(f->arena, accesses->at, accesses->count * sizeof(*accesses->at));
    f->accesses = changed;
    for (uint32_t a = 0; a < accesses->arrays; a++)
        if (rows[a].row && fills_rows(accesses, a, rows[a].row))
            f->arrays[a].lattice.rows = rows[a].row;
    for (uint32_t i = 0; i < accesses->count; i++)
        if (!accesses->at[i].tiles)
            skew_take(&skews[i], &changed->at[i], accesses, &rows[accesses->at[i].array]);
}

struct fw_footprint *fw_footprint_new(struct fw_arena *arena,
                                      const struct fw_affine_accesses *accesses, uint32_t granule)
{
    struct fw_footprint *f = FW_NEW(arena, struct fw_footprint);
    f->arena = arena;
    f->granule = granule;
    f->exact = true;
    f->arrays = FW_ARRAY(arena, struct array, accesses->arrays + 1);
    find_skews(f, accesses);
    f->memo = FW_ARRAY(arena, struct footprint_memo, FOOTPRINT_MEMO_ENTRIES);
    sort_by_array(f);
    find_lattices(f);
    for (uint32_t a = 0; a < accesses->arrays; a++)
        if (f->arrays[a].lattice.used) {
            for (uint32_t l = 0; l <= f->arrays[a].lattice.levels; l++)
                find_granularity(&f->arrays[a].granularity[l], &f->arrays[a].lattice, l, granule);
            f->arrays[a].sets = FW_NEW(arena, struct array_sets);
        }
    return f;
}

struct fw_footprint *fw_footprint_like(const struct fw_footprint *other, uint32_t granule)
{
    struct fw_footprint *f = fw_footprint_new(other->arena, other->accesses, granule);
    for (uint32_t a = 0; a < f->accesses->arrays; a++)
        if (lattice_equal(&f->arrays[a].lattice, &other->arrays[a].lattice))
            f->arrays[a].sets = other->arrays[a].sets;
    return f;
}

bool fw_footprint_exact(const struct fw_footprint *footprint)
{
    return footprint->exact;
}

uint64_t fw_footprint_boxes(const struct fw_footprint *footprint)
{
    return footprint->boxes;
}

/* Says that an array's count is a bound, or has no shares. */
static void note_bound(struct fw_footprint *f, uint32_t array, enum fw_footprint_bound bound)
{
    f->exact = false;
    if (f->accesses->bounded)
        f->accesses->bounded[array] |= (uint8_t)bound;
}

static bool matches(const struct fw_affine_access *access, const struct fw_window *window)
{
    return window->of & (access->direction == FW_LOAD ? FW_FOOTPRINT_LOADS : FW_FOOTPRINT_STORES) &&
           access->begin < window->end - 1e-9 && access->end > window->begin + 1e-9;
}

/* The reference sets of an array, found at their first use. */
static const struct reference_sets *sets_of(struct fw_footprint *f, uint32_t array, bool timed)
{
    struct array_sets *sets = f->arrays[array].sets;
    struct reference_sets *here = timed ? &sets->timed : &sets->whole;
    bool *has = timed ? &sets->has_timed : &sets->has_whole;
    if (!*has)
        reference_sets_find(here, f->arena, f->accesses, f->skews, &f->arrays[array].lattice,
                            f->members + f->start[array], f->start[array + 1] - f->start[array],
                            timed);
    *has = true;
    return here;
}

/* Adds a span to disjoint spans, merged with those that it meets.  False: no room. */
static bool add_span(struct span spans[MAX_SPANS], uint32_t *count, struct span span)
{
    for (uint32_t s = 0; s < *count;) {
        if (spans[s].first > span.last || spans[s].last < span.first) {
            s++;
            continue;
        }
        span.first = fw_min(span.first, spans[s].first);
        span.last = fw_max(span.last, spans[s].last);
        spans[s] = spans[--*count];
        s = 0;
    }
    if (*count == MAX_SPANS)
        return false;
    spans[(*count)++] = span;
    return true;
}

/* Adds the boxes that a window touches by a reference set. */
static void add_window(struct fw_footprint *f, struct fw_boxes *boxes,
                       const struct reference_set *set, const struct fw_window *window)
{
    block_runs_find(&f->runs, f->accesses, window->first, window->last);
    reference_set_add(boxes, f->arena, set, f->accesses, &f->runs, window->begin, window->end);
}

/* Adds what the windows touch by a reference set without a loop.  Windows that meet are merged if
 * that adds nothing. */
static void add_set(struct fw_footprint *f, const struct reference_set *set,
                    const struct fw_window *windows, uint32_t count)
{
    struct span spans[MAX_SPANS];
    uint32_t disjoint = 0;
    for (uint32_t w = 0; w < count; w++) {
        struct span span = {windows[w].first, windows[w].last};
        if (span.first < span.last && matches(set->access, &windows[w]) &&
            !(set->dense && add_span(spans, &disjoint, span)))
            add_window(f, &f->all, set, &windows[w]);
    }
    for (uint32_t s = 0; s < disjoint; s++) {
        struct fw_window window = {spans[s].first, spans[s].last, 0, 1, FW_FOOTPRINT_ALL};
        add_window(f, &f->all, set, &window);
    }
}

/* Collects the boxes of one array in the windows, in bytes, in f->all. */
static void collect(struct fw_footprint *f, uint32_t array, const struct fw_window *windows,
                    uint32_t count)
{
    bool timed = false;
    for (uint32_t w = 0; w < count; w++)
        timed |= windows[w].begin > 0 || windows[w].end < 1;
    const struct reference_sets *sets = sets_of(f, array, timed);
    f->all.count = 0;
    for (uint32_t b = 0; b < sets->count; b++) {
        const struct reference_set *set = &sets->at[b];
        if (set->access->loops == 0) {
            add_set(f, set, windows, count);
            continue;
        }
        for (uint32_t w = 0; w < count; w++)
            if (matches(set->access, &windows[w]))
                add_window(f, &f->all, set, &windows[w]);
    }
}

/* Like in_granules, for more boxes than box_cells.h takes. */
static double many_in_granules(struct fw_footprint *f, uint32_t array, uint32_t axes)
{
    const struct box_granularity *granularity =
        &f->arrays[array].granularity[f->arrays[array].lattice.levels + 1 - axes];
    double sum = 0;
    for (uint32_t p = 0; p < granularity->offsets; p++) {
        f->granules.count = 0;
        for (uint32_t b = 0; b < f->all.count; b++) {
            struct fw_box box = f->all.at[b];
            box.low[0] = fw_floor_quotient(box.low[0] + granularity->offset[p], f->granule);
            box.high[0] =
                fw_floor_quotient(box.high[0] + granularity->offset[p] - 1, f->granule) + 1;
            fw_boxes_add(&f->granules, f->arena, &box, axes);
        }
        fw_boxes_merge(&f->granules, axes, f->arena);
        if (fw_boxes_too_many(&f->granules, axes))
            note_bound(f, array, FW_FOOTPRINT_UNION);
        sum += fw_boxes_count(&f->granules, axes, f->arena);
    }
    return sum;
}

/* Distinct granules of the boxes in f->all: the mean over the offsets at which rows begin; with
 * `places`, of few rows those at which they do begin. */
static double in_granules(struct fw_footprint *f, uint32_t array, bool places)
{
    const struct lattice *lattice = &f->arrays[array].lattice;
    if (lattice->levels && f->all.count > 1)
        box_rows_fold(&f->all, lattice->stride[0], f->arena);
    uint32_t axes = box_rows_join(&f->all, lattice, f->granule, f->arena);
    const struct box_granularity *granularity =
        &f->arrays[array].granularity[lattice->levels + 1 - axes];
    if (places && (granularity->offsets > 1 || f->all.count > 1) && box_rows_few(&f->all, axes))
        return box_rows_count(&f->all, lattice, axes, f->granule);
    if (f->all.count > BOX_CELLS_MAX_BOXES)
        fw_boxes_merge(&f->all, axes, f->arena);
    double sum = f->all.count > BOX_CELLS_MAX_BOXES
                     ? many_in_granules(f, array, axes)
                     : box_cells_count(f->all.at, f->all.count, axes, granularity);
    return sum / granularity->offsets;
}

static double count_now(struct fw_footprint *f, const struct fw_window *windows, uint32_t count,
                        uint32_t array, bool places)
{
    double sum = 0;
    uint32_t first = array == FW_NONE ? 0 : array;
    for (uint32_t a = first; a < f->accesses->arrays && (array == FW_NONE || a == array); a++) {
        if (!f->arrays[a].lattice.used)
            continue;
        collect(f, a, windows, count);
        f->boxes += f->all.count;
        if (f->all.count)
            sum += in_granules(f, a, places);
    }
    return sum;
}

double fw_footprint_of_block(struct fw_footprint *f, int64_t block, enum fw_footprint_of of)
{
    struct fw_window one = {block, block + 1, 0, 1, of};
    return count_now(f, &one, 1, FW_NONE, true);
}

double fw_footprint_count(struct fw_footprint *f, const struct fw_window *windows, uint32_t count,
                          uint32_t array)
{
    struct footprint_memo *entry;
    if (footprint_memo_find(&entry, f->memo, windows, count, array))
        return entry->result;
    double result = count_now(f, windows, count, array, false);
    if (entry)
        entry->result = result;
    return result;
}

/* Converts a box from bytes to granules, for rows that begin at whole granules. */
static void to_granules(struct fw_box *box, int64_t granule)
{
    box->low[0] = fw_floor_quotient(box->low[0], granule);
    box->high[0] = fw_floor_quotient(box->high[0] - 1, granule) + 1;
}

/* Collects the boxes of one access in a window, in granules, in f->granules. */
static void collect_access(struct fw_footprint *f, const struct fw_affine_access *access,
                           const struct fw_window *window)
{
    struct reference_set set;
    struct fw_box point;
    reference_set_of(&set, &point, access, &f->skews[access - f->accesses->at], f->accesses,
                     &f->arrays[access->array].lattice);
    f->granules.count = 0;
    add_window(f, &f->granules, &set, window);
    for (uint32_t b = 0; b < f->granules.count; b++)
        to_granules(&f->granules.at[b], f->granule);
}

/* Collects the intersection of f->granules and f->all, both in granules, in f->common. */
static void intersect(struct fw_footprint *f, uint32_t axes)
{
    f->common.count = 0;
    for (uint32_t i = 0; i < f->granules.count; i++)
        for (uint32_t j = 0; j < f->all.count; j++) {
            struct fw_box box = f->granules.at[i];
            for (uint32_t a = 0; a < axes; a++) {
                box.low[a] = fw_max(box.low[a], f->all.at[j].low[a]);
                box.high[a] = fw_min(box.high[a], f->all.at[j].high[a]);
            }
            fw_boxes_add(&f->common, f->arena, &box, axes);
        }
}

/* Points of an array's boxes in granules. */
static double count_boxes(struct fw_footprint *f, uint32_t array, const struct fw_boxes *boxes)
{
    static const struct box_granularity whole = {.offsets = 1};
    uint32_t axes = f->arrays[array].lattice.levels + 1;
    if (fw_boxes_too_many(boxes, axes))
        note_bound(f, array, FW_FOOTPRINT_UNION);
    return boxes->count > BOX_CELLS_MAX_BOXES
               ? fw_boxes_count(boxes, axes, f->arena)
               : box_cells_count(boxes->at, boxes->count, axes, &whole);
}

/* Whether an array's accesses in a window are too many to compare each with the boxes in f->all. */
static bool too_many_pairs(struct fw_footprint *f, uint32_t array)
{
    uint64_t members = f->start[array + 1] - f->start[array];
    /* The same points in fewer boxes: each access meets all of them. */
    if (f->all.count > BOX_CELLS_MAX_BOXES || f->all.count * members > FW_FOOTPRINT_MOST_PAIRS)
        fw_boxes_merge(&f->all, f->arrays[array].lattice.levels + 1, f->arena);
    if (f->all.count * members <= FW_FOOTPRINT_MOST_PAIRS)
        return false;
    note_bound(f, array, FW_FOOTPRINT_SHARES);
    return true;
}

void fw_footprint_new_shares(struct fw_footprint *f, const struct fw_window *past,
                             uint32_t past_count, const struct fw_window *window, double *shares)
{
    for (uint32_t a = 0; a < f->accesses->arrays; a++) {
        uint32_t axes = f->arrays[a].lattice.levels + 1;
        if (!f->arrays[a].lattice.used)
            continue;
        collect(f, a, past, past_count);
        for (uint32_t b = 0; b < f->all.count; b++)
            to_granules(&f->all.at[b], f->granule);
        if (too_many_pairs(f, a))
            continue;
        for (uint32_t m = f->start[a]; m < f->start[a + 1]; m++) {
            uint32_t i = f->members[m];
            const struct fw_affine_access *access = &f->accesses->at[i];
            if (access->direction != FW_LOAD)
                continue;
            collect_access(f, access, window);
            double own = count_boxes(f, a, &f->granules);
            intersect(f, axes);
            /* Of too many boxes, what is common is an upper bound: it is no more than there are. */
            double common = fmin(own, count_boxes(f, a, &f->common));
            shares[i] = own > 0 ? (own - common) / own : 0;
        }
    }
}
