#include "footprint.h"

#include <math.h>
#include <string.h>

enum { DIMENSIONS = 7 + FW_FORM_LOOPS, MOST_LEVELS = FW_BOX_AXES - 1, MOST_RESIDUES = 4, RUNS = 5 };

/* A way in which one form's address moves. */
struct dimension {
    int64_t stride; /* bytes, above 0 */
    int64_t extent; /* steps in the whole launch */
    int64_t inner;  /* steps of one block */
    uint8_t axis;   /* of the launch: 0 to 2; 3 and on: loops */
};

/* An array's points: along memory, then by level. */
struct lattice {
    uint32_t levels;
    int64_t stride[MOST_LEVELS];
    int64_t extent[MOST_LEVELS];
    int64_t reference; /* base of its first form */
    int64_t along;     /* bytes along memory that a block covers by its widest form */
    uint32_t residues;
    int64_t residue[MOST_RESIDUES]; /* places within a granule at which rows begin */
    bool used;
};

struct fw_footprint {
    struct fw_arena *arena;
    const struct fw_forms *forms;
    int64_t granule;
    struct lattice *lattices;            /* by array */
    struct fw_boxes all, here, granules; /* of the count in progress; memory is kept */
    bool exact;
};

/* How a form's index moves through a range: `low` steps from the base on, `count` of them. */
struct range {
    int64_t stride, low, count;
};

uint64_t fw_forms_blocks(const struct fw_forms *forms)
{
    return (uint64_t)forms->grid[0] * forms->grid[1] * forms->grid[2];
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t floor_quotient(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

bool fw_form_by_all(const struct fw_form *form, const struct fw_forms *forms, uint32_t d)
{
    return form->last[d] == 0 || (form->first[d] == 0 && form->last[d] >= forms->block[d]);
}

static bool is_merged(const struct fw_form *form, const struct fw_forms *forms, uint32_t d)
{
    return form->block[d] == form->thread[d] * forms->block[d] && fw_form_by_all(form, forms, d);
}

double fw_form_points(const struct fw_form *form, const struct fw_forms *forms)
{
    double points = 1;
    for (uint32_t d = 0; d < 3; d++) {
        int64_t all = (int64_t)forms->grid[d] * forms->block[d];
        double share = fw_form_by_all(form, forms, d)
                           ? 1
                           : (double)(form->last[d] - form->first[d]) / forms->block[d];
        points *= (double)most(least(form->high[d], all) - most(form->low[d], 0), 0) * share;
    }
    return points;
}

/* The ranges of a form's indices where block indices run from `from` to `to`.  0: none. */
static uint32_t ranges_of(const struct fw_form *form, const struct fw_forms *forms,
                          const int64_t from[3], const int64_t to[3], double begin, double end,
                          struct range out[DIMENSIONS])
{
    uint32_t count = 0;
    for (uint32_t d = 0; d < 3; d++) {
        int64_t size = forms->block[d];
        int64_t low = most(from[d] * size, form->low[d]), high = least(to[d] * size, form->high[d]);
        if (low >= high)
            return 0;
        if (is_merged(form, forms, d)) {
            out[count++] = (struct range){form->thread[d], low, high - low};
            continue;
        }
        int64_t first = low / size, last = (high - 1) / size, thread = 0, threads = size;
        if (first == last) {
            thread = low - first * size;
            threads = high - low;
        }
        if (!fw_form_by_all(form, forms, d)) {
            threads = least(form->last[d], thread + threads) - most(form->first[d], thread);
            thread = most(form->first[d], thread);
            if (threads <= 0)
                return 0;
        }
        out[count++] = (struct range){form->block[d], first, last - first + 1};
        out[count++] = (struct range){form->thread[d], thread, threads};
    }
    for (uint32_t l = 0; l < form->loops; l++) {
        int64_t low = 0, high = form->trips[l];
        if (l == 0) {
            double life = (double)form->trips[l] / (form->end - form->begin);
            low = most(low, (int64_t)floor((begin - form->begin) * life + 1e-9));
            high = least(high, (int64_t)ceil((end - form->begin) * life - 1e-9));
        }
        if (low >= high)
            return 0;
        out[count++] = (struct range){form->stride[l], low, high - low};
    }
    if (form->rows > 1)
        out[count++] = (struct range){form->apart, 0, form->rows};
    return count;
}

/* Sorted by stride; the shares of one stride together. */
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

static uint32_t dimensions_of(const struct fw_form *form, const struct fw_forms *forms,
                              struct dimension out[DIMENSIONS])
{
    uint32_t count = 0;
    struct dimension all[DIMENSIONS];
    uint32_t found = 0;
    for (uint32_t d = 0; d < 3; d++) {
        int64_t size = forms->block[d];
        int64_t low = most(form->low[d], 0), high = least(form->high[d], size * forms->grid[d]);
        if (is_merged(form, forms, d)) {
            all[found++] = (struct dimension){form->thread[d], high - low, least(size, high - low),
                                              (uint8_t)d};
            continue;
        }
        int64_t threads = least(size, high - low);
        if (!fw_form_by_all(form, forms, d))
            threads = least(threads, form->last[d] - form->first[d]);
        all[found++] = (struct dimension){form->thread[d], threads, threads, (uint8_t)d};
        all[found++] = (struct dimension){form->block[d], forms->grid[d], 1, (uint8_t)d};
    }
    for (uint32_t l = 0; l < form->loops; l++)
        all[found++] =
            (struct dimension){form->stride[l], form->trips[l], form->trips[l], (uint8_t)(3 + l)};
    if (form->rows > 1) /* moved at once: no window cuts them */
        all[found++] = (struct dimension){form->apart, form->rows, form->rows, 0};
    for (uint32_t i = 0; i < found; i++) {
        if (all[i].stride < 0)
            all[i].stride = -all[i].stride;
        if (all[i].stride && all[i].extent > 1)
            out[count++] = all[i];
    }
    sort_dimensions(out, count);
    return count;
}

/* Bytes along memory that a block covers by one form, loops apart: windows cut these. */
static int64_t along_of(const struct fw_footprint *f, const struct fw_form *form)
{
    struct dimension at[DIMENSIONS];
    uint32_t count = dimensions_of(form, f->forms, at);
    int64_t inner = form->bytes;
    for (uint32_t i = 0; i < count && at[i].axis < 3 && at[i].stride - inner < f->granule; i++)
        inner = most(inner + at[i].stride * (at[i].inner - 1), at[i].stride);
    return inner;
}

/* Enters a form's strides into its array's lattice. */
static void enter(struct fw_footprint *f, struct lattice *lattice, const struct fw_form *form)
{
    struct dimension at[DIMENSIONS];
    uint32_t count = dimensions_of(form, f->forms, at);
    int64_t inner = form->bytes; /* bytes along memory that a block covers */
    uint32_t level = 0;          /* next to be compared with */
    bool looped = false;
    for (uint32_t i = 0; i < count; i++) {
        int64_t stride = at[i].stride;
        /* By the block: rows of a launch that reaches beyond its domain may overlap. */
        /* Gaps smaller than a granule leave none out; but a loop is cut by windows, and what
         * follows it without a gap is then apart (rows as long as their stride). */
        int64_t gap = looped ? 0 : f->granule;
        bool along = stride - inner < gap || stride <= lattice->along || stride <= f->granule;
        if (along && level == 0) {
            looped |= at[i].axis >= 3;
            inner += stride * (at[i].inner - 1);
            continue;
        }
        while (level < lattice->levels && lattice->stride[level] <= stride)
            level++;
        int64_t before = level ? lattice->stride[level - 1] : 0;
        if (level && stride == before) {
            lattice->extent[level - 1] = most(lattice->extent[level - 1], at[i].extent);
            continue;
        }
        if (level && stride % before == 0 && stride < before * lattice->extent[level - 1]) {
            lattice->extent[level - 1] += stride / before * (at[i].extent - 1);
            continue;
        }
        if (lattice->levels == MOST_LEVELS) {
            f->exact = false;
            continue;
        }
        if (level && stride < before * lattice->extent[level - 1])
            f->exact = false;
        for (uint32_t l = lattice->levels++; l > level; l--) {
            lattice->stride[l] = lattice->stride[l - 1];
            lattice->extent[l] = lattice->extent[l - 1];
        }
        lattice->stride[level] = stride;
        lattice->extent[level++] = at[i].extent;
    }
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void find_residues(struct lattice *lattice, int64_t granule)
{
    int64_t step = granule;
    for (uint32_t l = 0; l < lattice->levels; l++)
        step = common_divisor(step, lattice->stride[l]);
    int64_t places = granule / step;
    lattice->residues = (uint32_t)least(places, MOST_RESIDUES);
    for (uint32_t r = 0; r < lattice->residues; r++)
        lattice->residue[r] = step * (r * places / lattice->residues);
}

struct fw_footprint *fw_footprint_new(struct fw_arena *arena, const struct fw_forms *forms,
                                      uint32_t granule)
{
    struct fw_footprint *f = FW_NEW(arena, struct fw_footprint);
    f->arena = arena;
    f->forms = forms;
    f->granule = granule;
    f->exact = true;
    f->lattices = FW_ARRAY(arena, struct lattice, forms->arrays + 1);
    for (uint32_t i = 0; i < forms->count; i++) {
        struct lattice *lattice = &f->lattices[forms->at[i].array];
        lattice->along = most(lattice->along, along_of(f, &forms->at[i]));
    }
    for (uint32_t i = 0; i < forms->count; i++) {
        struct lattice *lattice = &f->lattices[forms->at[i].array];
        if (!lattice->used)
            lattice->reference = forms->at[i].base;
        lattice->used = true;
        enter(f, lattice, &forms->at[i]);
    }
    for (uint32_t a = 0; a < forms->arrays; a++)
        if (f->lattices[a].used)
            find_residues(&f->lattices[a], granule);
    return f;
}

bool fw_footprint_exact(const struct fw_footprint *footprint)
{
    return footprint->exact;
}

/* A form's ranges as a box: bytes along memory in axis 0, levels in the others. */
static struct fw_box box_of(const struct lattice *lattice, const struct fw_form *form,
                            const struct range *ranges, uint32_t count)
{
    struct fw_box box = {{0}, {0}};
    int64_t offset = form->base - lattice->reference;
    for (uint32_t l = lattice->levels; l-- > 0;) {
        int64_t stride = lattice->stride[l];
        /* Not at the half: distances of planes that threads take turns at fall there. */
        int64_t steps = floor_quotient(offset + stride / 7 * 3, stride);
        box.low[l + 1] = steps;
        box.high[l + 1] = steps + 1;
        offset -= steps * stride;
    }
    box.low[0] = lattice->reference + offset;
    box.high[0] = box.low[0] + form->bytes;
    for (uint32_t i = 0; i < count; i++) {
        int64_t stride = ranges[i].stride, first = ranges[i].low, steps = ranges[i].count - 1;
        if (stride == 0)
            continue;
        uint32_t l = lattice->levels;
        int64_t size = stride < 0 ? -stride : stride;
        while (l > 0 && (size < lattice->stride[l - 1] || size % lattice->stride[l - 1]))
            l--;
        int64_t step = l ? stride / lattice->stride[l - 1] : stride;
        box.low[l] += step * first + (step < 0 ? step * steps : 0);
        box.high[l] += step * first + (step > 0 ? step * steps : 0);
    }
    return box;
}

/* Block indices of a run of blocks as boxes: at most five. */
static uint32_t runs_of(const struct fw_forms *forms, int64_t first, int64_t last,
                        int64_t from[RUNS][3], int64_t to[RUNS][3])
{
    int64_t x = forms->grid[0], y = forms->grid[1], plane = x * y;
    uint32_t count = 0;
    while (first < last && count < RUNS) {
        int64_t here[3] = {first % x, first / x % y, first / plane}, size[3] = {1, 1, 1};
        if (here[0] == 0 && here[1] == 0 && last - first >= plane) {
            size[0] = x;
            size[1] = y;
            size[2] = (last - first) / plane;
        } else if (here[0] == 0 && last - first >= x) {
            size[0] = x;
            size[1] = least((last - first) / x, y - here[1]);
        } else {
            size[0] = least(last - first, x - here[0]);
        }
        for (uint32_t d = 0; d < 3; d++) {
            from[count][d] = here[d];
            to[count][d] = here[d] + size[d];
        }
        count++;
        first += size[0] * size[1] * size[2];
    }
    return count;
}

static bool counts(const struct fw_form *form, enum fw_footprint_of of)
{
    return of & (form->direction == FW_LOAD ? FW_FOOTPRINT_LOADS : FW_FOOTPRINT_STORES);
}

/* The boxes of one array in a run of blocks, merged, added to `all`. */
static void add_run(struct fw_footprint *f, uint32_t array, const int64_t from[3],
                    const int64_t to[3], const struct fw_window *window)
{
    const struct lattice *lattice = &f->lattices[array];
    f->here.count = 0;
    for (uint32_t i = 0; i < f->forms->count; i++) {
        const struct fw_form *form = &f->forms->at[i];
        struct range ranges[DIMENSIONS];
        if (form->array != array || !counts(form, window->of) ||
            form->begin >= window->end - 1e-9 || form->end <= window->begin + 1e-9)
            continue;
        uint32_t count = ranges_of(form, f->forms, from, to, window->begin, window->end, ranges);
        if (!count)
            continue;
        struct fw_box box = box_of(lattice, form, ranges, count);
        fw_boxes_add(&f->here, f->arena, &box, lattice->levels + 1);
    }
    fw_boxes_merge(&f->here, lattice->levels + 1);
    for (uint32_t b = 0; b < f->here.count; b++)
        fw_boxes_add(&f->all, f->arena, &f->here.at[b], lattice->levels + 1);
}

/* Distinct granules of the boxes, as the mean over the places at which rows begin. */
static double in_granules(struct fw_footprint *f, const struct lattice *lattice)
{
    double sum = 0;
    uint32_t axes = lattice->levels + 1;
    for (uint32_t r = 0; r < lattice->residues; r++) {
        f->granules.count = 0;
        for (uint32_t b = 0; b < f->all.count; b++) {
            struct fw_box box = f->all.at[b];
            box.low[0] = floor_quotient(box.low[0] + lattice->residue[r], f->granule);
            box.high[0] = floor_quotient(box.high[0] + lattice->residue[r] - 1, f->granule) + 1;
            fw_boxes_add(&f->granules, f->arena, &box, axes);
        }
        fw_boxes_merge(&f->granules, axes);
        sum += fw_boxes_count(&f->granules, axes, f->arena);
    }
    return sum / lattice->residues;
}

double fw_footprint_count(struct fw_footprint *f, const struct fw_window *windows, uint32_t count,
                          uint32_t array)
{
    double sum = 0;
    int64_t blocks = (int64_t)fw_forms_blocks(f->forms);
    for (uint32_t a = 0; a < f->forms->arrays; a++) {
        if (!f->lattices[a].used || (array != FW_NONE && array != a))
            continue;
        f->all.count = 0;
        for (uint32_t w = 0; w < count; w++) {
            int64_t from[RUNS][3], to[RUNS][3];
            uint32_t runs = runs_of(f->forms, most(windows[w].first, 0),
                                    least(windows[w].last, blocks), from, to);
            for (uint32_t r = 0; r < runs; r++)
                add_run(f, a, from[r], to[r], &windows[w]);
        }
        if (f->all.count == 0)
            continue;
        fw_boxes_merge(&f->all, f->lattices[a].levels + 1);
        sum += in_granules(f, &f->lattices[a]);
    }
    return sum;
}

/* Replaces the boxes in bytes of `all` by merged ones in granules. */
static void to_granules(struct fw_footprint *f, const struct lattice *lattice)
{
    for (uint32_t b = 0; b < f->all.count; b++) {
        struct fw_box *box = &f->all.at[b];
        box->low[0] = floor_quotient(box->low[0], f->granule);
        box->high[0] = floor_quotient(box->high[0] - 1, f->granule) + 1;
    }
    fw_boxes_merge(&f->all, lattice->levels + 1);
}

/* The boxes of one array in the windows, in `all`. */
static void gather(struct fw_footprint *f, uint32_t array, const struct fw_window *windows,
                   uint32_t count)
{
    int64_t blocks = (int64_t)fw_forms_blocks(f->forms);
    f->all.count = 0;
    for (uint32_t w = 0; w < count; w++) {
        int64_t from[RUNS][3], to[RUNS][3];
        uint32_t runs =
            runs_of(f->forms, most(windows[w].first, 0), least(windows[w].last, blocks), from, to);
        for (uint32_t r = 0; r < runs; r++)
            add_run(f, array, from[r], to[r], &windows[w]);
    }
}

/* The boxes of one form in a run of blocks, in granules, in `granules`. */
static void gather_form(struct fw_footprint *f, const struct fw_form *form,
                        const struct fw_window *window)
{
    const struct lattice *lattice = &f->lattices[form->array];
    int64_t from[RUNS][3], to[RUNS][3], blocks = (int64_t)fw_forms_blocks(f->forms);
    uint32_t runs =
        runs_of(f->forms, most(window->first, 0), least(window->last, blocks), from, to);
    f->granules.count = 0;
    for (uint32_t r = 0; r < runs; r++) {
        struct range ranges[DIMENSIONS];
        uint32_t count =
            ranges_of(form, f->forms, from[r], to[r], window->begin, window->end, ranges);
        if (!count)
            continue;
        struct fw_box box = box_of(lattice, form, ranges, count);
        box.low[0] = floor_quotient(box.low[0], f->granule);
        box.high[0] = floor_quotient(box.high[0] - 1, f->granule) + 1;
        fw_boxes_add(&f->granules, f->arena, &box, lattice->levels + 1);
    }
}

void fw_footprint_fresh(struct fw_footprint *f, const struct fw_window *past, uint32_t past_count,
                        const struct fw_window *window, double *shares)
{
    for (uint32_t a = 0; a < f->forms->arrays; a++) {
        uint32_t axes = f->lattices[a].levels + 1;
        if (!f->lattices[a].used)
            continue;
        gather(f, a, past, past_count);
        to_granules(f, &f->lattices[a]);
        double before = fw_boxes_count(&f->all, axes, f->arena);
        uint32_t held = f->all.count;
        for (uint32_t i = 0; i < f->forms->count; i++) {
            const struct fw_form *form = &f->forms->at[i];
            if (form->array != a || form->direction != FW_LOAD)
                continue;
            gather_form(f, form, window);
            double own = fw_boxes_count(&f->granules, axes, f->arena);
            f->all.count = held;
            for (uint32_t b = 0; b < f->granules.count; b++)
                fw_boxes_add(&f->all, f->arena, &f->granules.at[b], axes);
            double both = fw_boxes_count(&f->all, axes, f->arena);
            shares[i] = own > 0 ? (both - before) / own : 0;
        }
    }
}

void fw_forms_of_block(struct fw_forms *threads, struct fw_arena *arena,
                       const struct fw_forms *forms, int64_t block)
{
    int64_t x = forms->grid[0], y = forms->grid[1];
    int64_t at[3] = {block % x, block / x % y, block / (x * y)};
    *threads = *forms;
    threads->at = fw_arena_copy(arena, forms->at, forms->count * sizeof(*forms->at));
    for (uint32_t d = 0; d < 3; d++) {
        threads->grid[d] = forms->block[d];
        threads->block[d] = 1;
    }
    for (uint32_t i = 0; i < threads->count; i++)
        for (uint32_t d = 0; d < 3; d++) {
            struct fw_form *form = &threads->at[i];
            form->base += at[d] * form->block[d];
            form->block[d] = form->thread[d];
            form->low[d] -= at[d] * forms->block[d];
            form->high[d] -= at[d] * forms->block[d];
            if (!fw_form_by_all(form, forms, d)) {
                form->low[d] = most(form->low[d], form->first[d]);
                form->high[d] = least(form->high[d], form->last[d]);
            }
            form->first[d] = form->last[d] = 0;
        }
}
