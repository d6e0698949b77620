#include "kernel_accesses.h"

#include "domain_point.h"
#include "linearize.h"
#include "random_address.h"
#include "tighten_bounds.h"

#include <math.h>
#include <string.h>

enum { USUAL_ALIGNMENT = 256, MOST_LOOPS = FW_LINEARIZE_LOOPS, MOST_APART = 9, MOST_BOXES = 48 };

/* Of what loops load and store: a loop of less is a remainder. */
static const double least_part = 0.1;

struct maker {
    struct fw_kernel_accesses *traffic;
    struct fw_arena *arena;
    const struct fw_kernel *kernel;
    struct fw_bound *bound;
    const struct fw_launch *launch;
    const uint32_t *alignments;
    uint32_t capacity; /* of the forms */
    int64_t apart;     /* rows of this access's tile */
    bool bent;         /* an address of this access was not linear */
};

static bool in_device_memory(const struct fw_access *access)
{
    return access->space == FW_SPACE_GLOBAL || access->space == FW_SPACE_GENERIC;
}

uint32_t fw_access_shift(const struct fw_kernel *kernel, const struct fw_access *access,
                         const uint32_t *alignments)
{
    if (!alignments || access->array == FW_NONE)
        return 0;
    uint32_t parameter = kernel->arrays[access->array].parameter;
    uint32_t alignment = parameter == FW_NONE ? 0 : alignments[parameter];
    return alignment < USUAL_ALIGNMENT ? alignment : 0;
}

static bool alone(const struct fw_shape *shape, uint32_t r, uint32_t variable)
{
    for (uint32_t v = 0; v < shape->variables; v++)
        if (v != variable && shape->rows[r].coefficient[v])
            return false;
    return true;
}

/* A bound of one axis from a row c * (size * block + thread) + constant >= 0. */
static bool clip(struct fw_affine_access *affine, const struct fw_shape *shape, uint32_t r,
                 const uint32_t size[3])
{
    for (uint32_t d = 0; d < 3; d++) {
        int8_t b = shape->launch_variable[d], t = shape->launch_variable[3 + d];
        int64_t cb = b < 0 ? 0 : shape->rows[r].coefficient[b];
        int64_t ct = t < 0 ? 0 : shape->rows[r].coefficient[t], c = ct;
        if (b >= 0 && t < 0 && cb % size[d] == 0)
            c = cb / (int64_t)size[d];
        if (ct != 0 && cb == 0 && alone(shape, r, (uint32_t)t)) {
            int64_t end = shape->rows[r].constant / (ct < 0 ? -ct : ct);
            if (ct < 0 && end + 1 < affine->last[d])
                affine->last[d] = end + 1;
            if (ct > 0 && -end > affine->first[d])
                affine->first[d] = -end;
            return !shape->rows[r].equality;
        }
        if (c == 0 || (b >= 0 && t >= 0 && cb != ct * (int64_t)size[d]))
            continue;
        for (uint32_t v = 0; v < shape->variables; v++)
            if (shape->rows[r].coefficient[v] && (int8_t)v != b && (int8_t)v != t)
                return false;
        int64_t constant = shape->rows[r].constant;
        if (c > 0 || shape->rows[r].equality) { /* at least -constant / c */
            int64_t low = (-constant + (c > 0 ? c - 1 : 0)) / (c ? c : 1);
            if (c > 0 && low > affine->low[d])
                affine->low[d] = low;
        }
        if (c < 0) {
            int64_t high = constant / -c + 1;
            if (high < affine->high[d])
                affine->high[d] = high;
        }
        return true;
    }
    return false;
}

/* Iterations of a loop at most: its rows hold the other variables at their best. */
static int64_t trips_of(const struct fw_shape *shape, uint32_t v)
{
    int64_t high = shape->high[v];
    for (uint32_t r = 0; r < shape->row_count; r++) {
        int64_t c = shape->rows[r].coefficient[v], room = shape->rows[r].constant;
        if (c >= 0 || shape->rows[r].definition)
            continue;
        bool bounded = true;
        for (uint32_t w = 0; w < shape->variables; w++) {
            int64_t other = w == v ? 0 : shape->rows[r].coefficient[w], product = 0;
            int64_t end = other > 0 ? shape->high[w] : shape->low[w];
            bounded &= !__builtin_mul_overflow(other, end, &product) &&
                       !__builtin_add_overflow(room, product, &room);
        }
        if (bounded && room >= 0 && room / -c < high)
            high = room / -c;
    }
    return high - shape->low[v] + 1;
}

static uint32_t root_of(const struct fw_kernel *kernel, uint32_t loop)
{
    while (kernel->loops[loop].parent != FW_NONE)
        loop = kernel->loops[loop].parent;
    return loop;
}

/* The launch's variables and loops into the form; false: the address moves in another way. */
static bool set_strides(struct fw_affine_access *affine, const struct maker *maker,
                        const struct fw_shape *shape)
{
    for (uint32_t d = 0; d < 3; d++) {
        int8_t b = shape->launch_variable[d], t = shape->launch_variable[3 + d];
        int64_t size = maker->launch->block[d];
        affine->block_stride[d] = b < 0 ? 0 : shape->coefficient[b];
        affine->thread_stride[d] = t < 0 ? 0 : shape->coefficient[t];
        affine->low[d] = 0;
        affine->high[d] = size * maker->launch->grid[d];
        affine->first[d] = t >= 0 ? shape->low[t] : 0;
        affine->last[d] = t >= 0 ? shape->high[t] + 1 : size;
        if (b >= 0 && shape->low[b] > 0)
            affine->low[d] = shape->low[b] * size;
        if (b >= 0 && (shape->high[b] + 1) * size < affine->high[d])
            affine->high[d] = (shape->high[b] + 1) * size;
    }
    for (uint32_t v = 0; v < shape->variables; v++) {
        int64_t trips = trips_of(shape, v);
        if (shape->quotient[v] && shape->coefficient[v])
            return false;
        if (shape->loop_of[v] == FW_NONE || shape->quotient[v])
            continue;
        affine->base += shape->coefficient[v] * shape->low[v];
        affine->outer_loop = root_of(maker->kernel, shape->loop_of[v]);
        if (trips <= 0 || trips > INT64_MAX / 4)
            return false;
        if (affine->loops < FW_AFFINE_LOOPS) {
            affine->loop_stride[affine->loops] = shape->coefficient[v];
            affine->trips[affine->loops++] = trips;
        } else {
            affine->repeats *= (double)trips;
        }
    }
    return true;
}

/* Where an access's forms begin: a tile is one place for all of a warp. */
static fw_expression begin_of(const struct fw_access *access)
{
    return access->tile ? access->tile->from : access->offset;
}

static bool straighten(const struct maker *maker, uint32_t index, struct fw_shape *shape)
{
    return maker->kernel->loop_count <= MOST_LOOPS &&
           fw_shape_linearize(shape, maker->bound, begin_of(&maker->kernel->accesses[index]));
}

/* A thread of a form's box along one axis, `at` of the way through it. */
static void set_thread(struct fw_point *point, const struct fw_affine_access *affine, uint32_t d,
                       uint32_t size, double at)
{
    int64_t low = affine->low[d] > 0 ? affine->low[d] : 0;
    int64_t global = low + (int64_t)(at * (double)(affine->high[d] - 1 - low));
    int64_t thread = global % size, first = affine->first[d], last = affine->last[d];
    if (last > 0 && (thread < first || thread >= last))
        thread = first + (int64_t)(at * (double)(last - 1 - first));
    point->block[d] = (uint32_t)(global / size);
    point->thread[d] = (uint32_t)thread;
}

/* Whether any of some points of a form is in the access's domain: conditions that are no box may
 * leave none of it. */
static bool runs(const struct maker *maker, uint32_t domain, const struct fw_affine_access *affine,
                 const struct fw_shape *shape)
{
    enum { POINTS = 64, RADIX = 5 };
    int64_t iterations[MOST_LOOPS] = {0};
    if (maker->kernel->loop_count > MOST_LOOPS)
        return true;
    for (uint32_t p = 0; p < POINTS; p++) {
        struct fw_point point = {{0}, {0}, iterations};
        double way = fmod(0.5 + p * 0.6180339887498949, 1);
        for (uint32_t d = 0; d < 3; d++)
            set_thread(&point, affine, d, maker->launch->block[d],
                       fmod(way + 0.25 * d * (p % RADIX), 1));
        for (uint32_t v = 0; v < shape->variables; v++)
            if (shape->loop_of[v] != FW_NONE && !shape->quotient[v])
                iterations[shape->loop_of[v]] =
                    shape->low[v] +
                    (int64_t)(fmod(p * 0.7548776662466927, 1) * (double)(trips_of(shape, v) - 1));
        if (fw_point_in_domain(maker->kernel, maker->bound, domain, &point))
            return true;
    }
    return false;
}

/* Whether a condition ends a loop at an index of the launch. */
static bool ends_a_loop(const struct fw_shape *shape, uint32_t r)
{
    bool ends = false, launch = false;
    for (uint32_t v = 0; v < shape->variables; v++)
        ends |= shape->loop_of[v] != FW_NONE && !shape->quotient[v] &&
                shape->rows[r].coefficient[v] < 0;
    for (uint32_t d = 0; d < 6; d++)
        launch |= shape->launch_variable[d] >= 0 &&
                  shape->rows[r].coefficient[shape->launch_variable[d]] > 0;
    return ends && launch;
}

static void add_box(struct maker *maker, uint32_t index, const struct fw_shape *shape)
{
    const struct fw_access *access = &maker->kernel->accesses[index];
    struct fw_affine_accesses *accesses = &maker->traffic->affine;
    struct fw_affine_access affine = {
        .kernel_access = index, .bytes = access->bytes, .active_share = 1, .repeats = 1};
    affine.array = access->array == FW_NONE ? maker->kernel->array_count : access->array;
    affine.direction = access->direction == FW_LOAD ? FW_LOAD : FW_STORE;
    affine.base = shape->constant + fw_access_shift(maker->kernel, access, maker->alignments);
    if (access->tile) {
        affine.bytes = access->tile->row_bytes;
        affine.tile_rows = access->tile->rows;
        affine.tile_row_stride = maker->apart;
    }
    if (!set_strides(&affine, maker, shape)) {
        maker->traffic->not_affine++;
        return;
    }
    bool box = true;
    for (uint32_t r = 0; r < shape->row_count; r++) {
        bool cut = shape->rows[r].definition || clip(&affine, shape, r, maker->launch->block);
        affine.triangular |= !cut && ends_a_loop(shape, r);
        box &= cut;
    }
    maker->traffic->other_conditions |= !box;
    for (uint32_t d = 0; d < 3; d++)
        if (affine.low[d] >= affine.high[d] || affine.first[d] >= affine.last[d])
            return; /* nothing is left of it */
    if (!box && !runs(maker, access->domain, &affine, shape))
        return;
    if (accesses->count == maker->capacity) {
        uint32_t room = 2 * maker->capacity + 16;
        struct fw_affine_access *at = FW_ARRAY(maker->arena, struct fw_affine_access, room);
        if (accesses->count)
            memcpy(at, accesses->at, accesses->count * sizeof(*at));
        accesses->at = at;
        maker->capacity = room;
    }
    accesses->at[accesses->count++] = affine;
}

/* A shape as boxes: values of short loops and of floors that cut other indices apart. */
static void add_shape(struct maker *maker, uint32_t index, struct fw_shape *shape, uint32_t first)
{
    fw_shape_tighten_floors(shape);
    bool room = maker->traffic->affine.count - first < MOST_BOXES;
    uint32_t apart = room && shape->linear ? fw_shape_split_variable(shape, MOST_APART) : FW_NONE;
    if (apart == FW_NONE) {
        fw_shape_tighten_threads(shape);
        bool straight = fw_shape_is_linear(shape);
        maker->bent |= !straight;
        if (straight || straighten(maker, index, shape))
            add_box(maker, index, shape);
        return;
    }
    struct fw_shape *at = FW_NEW(maker->arena, struct fw_shape);
    for (int64_t i = shape->low[apart]; i <= shape->high[apart]; i++)
        if (fw_shape_fix(at, shape, apart, i))
            add_shape(maker, index, at, first);
}

/* Conditions that are no box: all forms of an access get the share of points that they leave.
 * Whether the forms' points are the access's. */
static bool set_shares(const struct fw_affine_accesses *accesses, uint32_t first, double points)
{
    double all = 0;
    for (uint32_t i = first; i < accesses->count; i++) {
        double here = fw_affine_threads(&accesses->at[i], accesses);
        for (uint32_t l = 0; l < accesses->at[i].loops; l++)
            here *= (double)accesses->at[i].trips[l];
        all += here * accesses->at[i].repeats;
    }
    for (uint32_t i = first; i < accesses->count; i++)
        accesses->at[i].active_share = all > 0 && points > 0 && points < all ? points / all : 1;
    return fabs(all - points) <= 1e-6 * points;
}

/* The shapes of an access's address; none where it has no one place: then its forms are left out.
 */
static struct fw_shape *shapes_of(struct maker *maker, const struct fw_access *access,
                                  uint32_t *count)
{
    int64_t most;
    *count = 0;
    if (access->data_dependent || access->bulk || access->space == FW_SPACE_SHARED)
        return NULL;
    if (access->tile &&
        (!fw_bound_range(maker->bound, access->domain, access->tile->apart, &maker->apart, &most) ||
         most != maker->apart))
        return NULL;
    return fw_bound_shapes(maker->bound, access->domain, begin_of(access), maker->arena, count);
}

static void add_access(struct maker *maker, uint32_t index)
{
    const struct fw_access *access = &maker->kernel->accesses[index];
    struct fw_access_affine *own = &maker->traffic->by_access[index];
    double threads = fw_bound_count(maker->bound, access->domain)->estimate;
    uint32_t count = 0, accesses = maker->traffic->affine.count;
    if (access->repeated || !(threads > 0) ||
        (access->space != FW_SPACE_SHARED && !in_device_memory(access)))
        return;
    struct fw_shape *shapes = shapes_of(maker, access, &count);
    maker->bent = false;
    for (uint32_t s = 0; s < count; s++)
        add_shape(maker, index, &shapes[s], accesses);
    own->analyzed = true;
    own->complete = set_shares(&maker->traffic->affine, accesses, threads) && !maker->bent;
    own->first = accesses;
    own->count = maker->traffic->affine.count - accesses;
    if (access->space != FW_SPACE_SHARED && own->count == 0)
        maker->traffic->not_affine++;
}

static double turns_in(const struct fw_affine_access *affine)
{
    double turns = affine->repeats;
    for (uint32_t l = 0; l < affine->loops; l++)
        turns *= (double)affine->trips[l];
    return turns;
}

/* When each form runs in a block's life: straight-line ones in their order, loops one after the
 * other, each as long as its share of what loops load and store; those of little (remainders of
 * unrolled ones) through all of it. */
static void set_times(struct fw_affine_accesses *accesses, struct fw_arena *arena, uint32_t loops)
{
    double *parts = FW_ARRAY(arena, double, loops + 1), all = 0, before = 0, most = 0;
    for (uint32_t i = 0; i < accesses->count; i++)
        if (accesses->at[i].loops)
            all += turns_in(&accesses->at[i]);
    for (uint32_t i = 0; i < accesses->count; i++)
        if (accesses->at[i].loops)
            parts[accesses->at[i].outer_loop] += turns_in(&accesses->at[i]) / all;
    for (uint32_t r = 0; r < loops; r++)
        most += parts[r] > least_part ? parts[r] : 0;
    for (uint32_t i = 0; i < accesses->count; i++) {
        struct fw_affine_access *affine = &accesses->at[i];
        affine->begin = affine->loops ? 0 : (double)i / accesses->count;
        affine->end = affine->loops ? 1 : (double)(i + 1) / accesses->count;
    }
    for (uint32_t r = 0; r < loops; r++) {
        if (parts[r] <= least_part)
            continue;
        for (uint32_t i = 0; i < accesses->count; i++)
            if (accesses->at[i].loops && accesses->at[i].outer_loop == r) {
                accesses->at[i].begin = before;
                accesses->at[i].end = fmin(1, before + parts[r] / most);
            }
        before += parts[r] / most;
    }
}

void fw_kernel_accesses_find(struct fw_kernel_accesses *traffic, struct fw_arena *arena,
                             const struct fw_kernel *kernel, struct fw_bound *bound,
                             const struct fw_launch *launch, const uint32_t *alignments)
{
    struct maker maker = {.traffic = traffic, .arena = arena, .kernel = kernel};
    maker.bound = bound;
    maker.launch = launch;
    maker.alignments = alignments;
    memset(traffic, 0, sizeof(*traffic));
    traffic->by_access = FW_ARRAY(arena, struct fw_access_affine, kernel->access_count + 1);
    traffic->affine.arrays = kernel->array_count + 1;
    for (uint32_t d = 0; d < 3; d++) {
        traffic->affine.grid[d] = launch->grid[d];
        traffic->affine.block[d] = launch->block[d];
    }
    for (uint32_t a = 0; a < kernel->access_count; a++)
        if (!fw_random_access_stated(kernel, launch, a)) /* those are random_access.h's */
            add_access(&maker, a);
    for (uint32_t i = 0; i < kernel->schedule_count; i++)
        traffic->barrier_in_loop |=
            kernel->schedule[i].is_barrier &&
            kernel->domains[kernel->schedule[i].domain].innermost != FW_NONE;
    set_times(&traffic->affine, arena, kernel->loop_count);
}
