#include "kernel_accesses.h"

#include "access_lifetimes.h"
#include "checked.h"
#include "domain_point.h"
#include "linearize.h"
#include "loop_bounds.h"
#include "min_max.h"
#include "mixed_radix.h"
#include "random_address.h"
#include "single_loops.h"
#include "tighten_bounds.h"
#include "warp.h"

#include <math.h>
#include <string.h>

enum {
    USUAL_ALIGNMENT = 256,
    MAX_LOOPS = FW_LINEARIZE_LOOPS,
    MAX_SPLIT_VALUES = 9,
    MAX_BOXES = 48
};

struct builder {
    struct fw_kernel_accesses *result;
    struct fw_arena *arena;
    const struct fw_kernel *kernel;
    struct fw_bound *bound;
    const struct fw_launch *launch;
    const uint32_t *alignments;
    uint32_t capacity;       /* of the list of accesses, in elements */
    int64_t tile_row_stride; /* bytes between the rows of the current access's tile */
    bool by_lanes; /* the current access is no affine one as it stands: it has floors, or had to be
                      linearized */
    bool linearized;                            /* of the current access: see fw_access_affine */
    bool merged[3];                             /* of the current shape: see fw_affine_access */
    int64_t split;                              /* of the current shape: see fw_affine_access */
    struct fw_shape *spare[FW_SHAPE_VARIABLES]; /* of the parts that shapes were split into */
    uint32_t spare_count;
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

static bool depends_on_one(const struct fw_shape *shape, uint32_t r, uint32_t variable)
{
    for (uint32_t v = 0; v < shape->variables; v++)
        if (v != variable && shape->rows[r].coefficient[v])
            return false;
    return true;
}

/* Makes a condition c * (block size * block + thread) + constant >= 0 a bound of one axis.  False:
 * the condition is not of this form. */
static bool clip_to_condition(struct fw_affine_access *affine, const struct fw_shape *shape,
                              uint32_t r, const uint32_t size[3])
{
    for (uint32_t d = 0; d < 3; d++) {
        int8_t b = shape->launch_variable[d], t = shape->launch_variable[3 + d];
        int64_t cb = b < 0 ? 0 : shape->rows[r].coefficient[b];
        int64_t ct = t < 0 ? 0 : shape->rows[r].coefficient[t], c = ct;
        if (b >= 0 && t < 0 && cb % size[d] == 0)
            c = cb / (int64_t)size[d];
        if (ct != 0 && cb == 0 && depends_on_one(shape, r, (uint32_t)t)) {
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
        if (c > 0 || shape->rows[r].equality) { /* index >= -constant / c */
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

static uint32_t root_of(const struct fw_kernel *kernel, uint32_t loop)
{
    while (kernel->loops[loop].parent != FW_NONE)
        loop = kernel->loops[loop].parent;
    return loop;
}

/* Adds the floors of variable `v`, which is the index `of` and `index`, and counts from `first` on.
 */
static void add_floors(struct fw_affine_access *affine, const struct fw_mixed_radix *radix,
                       uint32_t v, enum fw_floor_of of, uint32_t index, int64_t first)
{
    for (uint32_t d = 0; d < radix->digit_count; d++) {
        const struct fw_digit *digit = &radix->digits[d];
        if (digit->variable == v && digit->jump)
            affine->floors[affine->floor_count++] = (struct fw_affine_floor){
                radix->of_grid[d] ? FW_FLOOR_OF_GRID_THREAD : of, index, digit->every,
                fw_saturated_add(digit->shift, first), digit->jump};
    }
}

static void set_floors(struct fw_affine_access *affine, const struct fw_mixed_radix *radix,
                       const struct fw_shape *shape)
{
    for (uint32_t d = 0; d < 3; d++) {
        if (shape->launch_variable[d] >= 0)
            add_floors(affine, radix, (uint32_t)shape->launch_variable[d], FW_FLOOR_OF_BLOCK, d, 0);
        if (shape->launch_variable[3 + d] >= 0)
            add_floors(affine, radix, (uint32_t)shape->launch_variable[3 + d], FW_FLOOR_OF_THREAD,
                       d, 0);
    }
    affine->span_count = radix->span_count;
    memcpy(affine->spans, radix->spans, sizeof(affine->spans));
}

/* States the tiles of a persistent loop, a variable of the shape and a loop of the access, if its
 * trips differ by the tiles that there are alone. */
static void set_tiles(struct fw_affine_access *affine, const struct builder *builder,
                      const struct fw_mixed_radix *radix, int64_t before, uint32_t loop)
{
    const double grid = (double)radix->tile_grid;
    struct fw_affine_tiles tiles = {
        .axis = radix->tile_axis,
        .loop = loop,
        .grid = radix->tile_grid,
        .high = fw_saturated_multiply(radix->tile_grid, affine->trips[loop]),
        .stride = radix->tile_stride};
    if (tiles.grid != builder->launch->grid[tiles.axis])
        return;
    if (affine->ragged.any && affine->ragged.loop == loop) {
        /* Tiles below an end (from a begin on), as loop_bounds.c has them. */
        struct fw_affine_slope from = affine->ragged.from, until = affine->ragged.until;
        bool begins = fabs(from.block[tiles.axis]) > 0 || fabs(from.constant) > 0;
        bool ends = fabs(until.block[tiles.axis]) > 0;
        for (uint32_t d = 0; d < 3; d++)
            if (fabs(from.thread[d]) > 0 || fabs(until.thread[d]) > 0 ||
                (d != tiles.axis && (fabs(from.block[d]) > 0 || fabs(until.block[d]) > 0)))
                return;
        if ((begins && fabs(from.block[tiles.axis] * grid + 1) > 1e-6) ||
            (ends && fabs(until.block[tiles.axis] * grid + 1) > 1e-6) ||
            (!ends && until.constant < (double)affine->trips[loop]))
            return;
        if (begins)
            tiles.low = fw_saturated_integer(round(from.constant * grid - (grid - 1) / 2));
        if (ends)
            tiles.high =
                fw_saturated_integer(round((until.constant - 1) * grid + (grid - 1) / 2 + 1));
    }
    for (uint32_t d = 0; d < radix->tile_digit_count; d++)
        if (radix->tile_digits[d].jump)
            tiles.floors[tiles.floor_count++] = (struct fw_affine_floor){
                FW_FLOOR_OF_TILE, 0, radix->tile_digits[d].every,
                fw_saturated_add(radix->tile_digits[d].shift,
                                 fw_saturated_multiply(tiles.grid, before)),
                radix->tile_digits[d].jump};
    affine->tiles = fw_arena_copy(builder->arena, &tiles, sizeof(tiles));
}

/* Sets strides and loops of an affine access, whose floors are in `radix`.  False: the address
 * moves in another way. */
static bool set_strides(struct fw_affine_access *affine, const struct builder *builder,
                        const struct fw_shape *shape, const struct fw_mixed_radix *radix)
{
    set_floors(affine, radix, shape);
    for (uint32_t d = 0; d < 3; d++) {
        int8_t b = shape->launch_variable[d], t = shape->launch_variable[3 + d];
        int64_t size = builder->launch->block[d];
        affine->block_stride[d] = b < 0 ? 0 : shape->coefficient[b];
        affine->thread_stride[d] = t < 0 ? 0 : shape->coefficient[t];
        affine->low[d] = 0;
        affine->high[d] = size * builder->launch->grid[d];
        affine->first[d] = t >= 0 ? shape->low[t] : 0;
        affine->last[d] = t >= 0 ? shape->high[t] + 1 : size;
        affine->merged[d] = builder->merged[d];
        if (b >= 0 && shape->low[b] > 0)
            affine->low[d] = fw_min(shape->low[b], builder->launch->grid[d]) * size;
        if (b >= 0 && shape->high[b] < (int64_t)builder->launch->grid[d] - 1)
            affine->high[d] = fw_max(shape->high[b] + 1, 0) * size;
    }
    uint32_t outermost = 0;
    for (uint32_t v = 0; v < shape->variables; v++) {
        if (shape->quotient[v] && shape->coefficient[v])
            return false;
        if (shape->loop_of[v] == FW_NONE || shape->quotient[v])
            continue;
        int64_t trips = fw_shape_trips(shape, v);
        if (fw_add_product_overflows(&affine->base, shape->coefficient[v], shape->low[v]))
            return false;
        affine->outer_loop = root_of(builder->kernel, shape->loop_of[v]);
        if (trips <= 0 || trips > FW_AFFINE_TRIPS)
            return false;
        if (affine->loops < FW_AFFINE_LOOPS && !radix->shared_out[v]) {
            add_floors(affine, radix, v, FW_FLOOR_OF_LOOP, affine->loops, shape->low[v]);
            if (affine->loops == 0 && shape->loop_of[v] == affine->outer_loop)
                affine->start = shape->low[v];
            if (!affine->ragged.any && trips > 1 &&
                fw_shape_ragged(&affine->ragged, shape, v, trips))
                affine->ragged.loop = affine->loops;
            if (affine->loops == 0)
                outermost = v;
            else if (trips > 1)
                fw_shape_nested(&affine->nested, shape, v, outermost, trips, affine->loops);
            affine->loop_stride[affine->loops] = trips > 1 ? shape->coefficient[v] : 0;
            affine->trips[affine->loops++] = trips;
            if (radix->of_tiles && radix->tile_loop == v && trips > 1)
                set_tiles(affine, builder, radix, shape->low[v], affine->loops - 1);
        } else {
            affine->repeats *= (double)trips;
        }
    }
    return true;
}

/* The address of an access; of a tile, the address at which it begins; of one that data move, what
 * does not depend on them. */
static fw_expression address_of(const struct fw_access *access)
{
    return access->tile ? access->tile->from : access->data ? access->data->rest : access->offset;
}

/* The last thread index of a block along an axis that a shape has; -1: it has none. */
static int64_t last_thread(const struct fw_shape *shape, uint32_t d)
{
    const int8_t t = shape->launch_variable[3 + d];
    return t < 0 ? -1 : shape->high[t];
}

/* Linearizes a shape, and notes where threads that share an address have become one. */
static bool linearize(struct builder *builder, uint32_t index, struct fw_shape *shape)
{
    int64_t last[3];
    for (uint32_t d = 0; d < 3; d++)
        last[d] = last_thread(shape, d);
    if (builder->kernel->loop_count > MAX_LOOPS ||
        !fw_shape_linearize(shape, builder->bound, address_of(&builder->kernel->accesses[index])))
        return false;
    for (uint32_t d = 0; d < 3; d++)
        builder->merged[d] = last_thread(shape, d) < last[d];
    return true;
}

/* Sets a thread of the access's box along one axis; `at` (0 to 1) says how far along it. */
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

/* Whether the access runs at any of 64 sampled points of its box.  Conditions that are not a box
 * may exclude all of them. */
static bool runs_anywhere(const struct builder *builder, uint32_t domain,
                          const struct fw_affine_access *affine, const struct fw_shape *shape)
{
    enum { POINTS = 64, RADIX = 5 };
    int64_t iterations[MAX_LOOPS] = {0};
    int64_t trips[FW_SHAPE_VARIABLES];
    if (builder->kernel->loop_count > MAX_LOOPS)
        return true;
    for (uint32_t v = 0; v < shape->variables; v++)
        trips[v] = fw_shape_trips(shape, v);
    for (uint32_t p = 0; p < POINTS; p++) {
        struct fw_point point = {{0}, {0}, iterations};
        double way = fmod(0.5 + p * 0.6180339887498949, 1);
        for (uint32_t d = 0; d < 3; d++)
            set_thread(&point, affine, d, builder->launch->block[d],
                       fmod(way + 0.25 * d * (p % RADIX), 1));
        for (uint32_t v = 0; v < shape->variables; v++)
            if (shape->loop_of[v] != FW_NONE && !shape->quotient[v])
                iterations[shape->loop_of[v]] =
                    shape->low[v] +
                    (int64_t)(fmod(p * 0.7548776662466927, 1) * (double)(trips[v] - 1));
        if (fw_point_in_domain(builder->kernel, builder->bound, domain, &point))
            return true;
    }
    return false;
}

/* Whether a condition bounds a loop by an index of the launch. */
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

/* Whether a condition compares block indices along two axes: it leaves whole blocks idle. */
static bool compares_blocks(const struct fw_shape *shape, uint32_t r)
{
    uint32_t axes = 0;
    for (uint32_t d = 0; d < 3; d++)
        axes += shape->launch_variable[d] >= 0 &&
                shape->rows[r].coefficient[shape->launch_variable[d]] != 0;
    return axes > 1;
}

static void add_box(struct builder *builder, uint32_t index, const struct fw_shape *shape,
                    const struct fw_mixed_radix *radix)
{
    const struct fw_access *access = &builder->kernel->accesses[index];
    struct fw_affine_accesses *accesses = &builder->result->affine;
    struct fw_affine_access affine = {.kernel_access = index,
                                      .bytes = access->bytes,
                                      .active_share = 1,
                                      .repeats = 1,
                                      .split = builder->split};
    affine.array = access->array == FW_NONE ? builder->kernel->array_count : access->array;
    affine.direction = access->direction == FW_LOAD ? FW_LOAD : FW_STORE;
    affine.base = fw_saturated_add(shape->constant,
                                   fw_access_shift(builder->kernel, access, builder->alignments));
    if (access->tile) {
        affine.bytes = access->tile->row_bytes;
        affine.tile_rows = access->tile->rows;
        affine.tile_row_stride = builder->tile_row_stride;
    }
    if (!set_strides(&affine, builder, shape, radix) ||
        fw_affine_reach(&affine, accesses) >= FW_ADDRESS_MOST) {
        builder->result->not_affine++;
        return;
    }
    bool box = true;
    for (uint32_t r = 0; r < shape->row_count; r++) {
        bool cut = shape->rows[r].definition ||
                   clip_to_condition(&affine, shape, r, builder->launch->block);
        affine.triangular |= !cut && ends_a_loop(shape, r);
        affine.idle_blocks |= !cut && compares_blocks(shape, r);
        box &= cut;
    }
    builder->result->other_conditions |= !box;
    for (uint32_t d = 0; d < 3; d++)
        if (affine.low[d] >= affine.high[d] || affine.first[d] >= affine.last[d])
            return; /* the box is empty */
    if (!box && !runs_anywhere(builder, access->domain, &affine, shape))
        return;
    if (accesses->count == builder->capacity) {
        uint32_t room = 2 * builder->capacity + 16;
        struct fw_affine_access *at = FW_ARRAY(builder->arena, struct fw_affine_access, room);
        if (accesses->count)
            memcpy(at, accesses->at, accesses->count * sizeof(*at));
        accesses->at = at;
        builder->capacity = room;
    }
    accesses->at[accesses->count++] = affine;
}

/* Whether a variable of a shape has one value, on which rows or the address depend: a floor, or a
 * loop that no thread executes more than once. */
static bool is_constant(const struct fw_shape *shape, uint32_t v)
{
    if (shape->quotient[v])
        return shape->coefficient[v] && shape->low[v] == shape->high[v];
    bool bounds = false;
    for (uint32_t r = 0; r < shape->row_count; r++)
        bounds |= shape->rows[r].coefficient[v] != 0;
    return bounds && shape->loop_of[v] != FW_NONE && fw_shape_trips(shape, v) == 1;
}

/* Memory for a shape, of one that was given back where there is any: they are large. */
static struct fw_shape *take_shape(struct builder *builder)
{
    return builder->spare_count ? builder->spare[--builder->spare_count]
                                : FW_NEW(builder->arena, struct fw_shape);
}

static void give_back(struct builder *builder, struct fw_shape *shape)
{
    if (builder->spare_count < FW_SHAPE_VARIABLES)
        builder->spare[builder->spare_count++] = shape;
}

/* Fixes variables that have one value: what bounds such a loop bounds the threads that execute it.
 * False: no execution is left. */
static bool fix_constants(struct builder *builder, struct fw_shape *shape)
{
    for (uint32_t v = 0; v < shape->variables; v++)
        if (is_constant(shape, v)) {
            struct fw_shape *at = take_shape(builder);
            const bool any = fw_shape_fix(at, shape, v, shape->low[v]);
            if (any)
                fw_shape_copy(shape, at);
            give_back(builder, at);
            if (!any)
                return false;
        }
    return true;
}

/* Adds the box of a shape that is not split any further. */
static void add_whole(struct builder *builder, uint32_t index, struct fw_shape *shape)
{
    struct fw_mixed_radix radix = {.digit_count = 0};
    struct fw_data_addresses *data = builder->result->data;
    fw_shape_tighten_threads(shape);
    memset(builder->merged, 0, sizeof(builder->merged));
    bool moved = builder->kernel->accesses[index].data_dependent;
    bool floors = moved && shape->linear && fw_data_moves_floors(data, index, shape);
    if (floors)
        fw_data_move(data, index, shape, true);
    bool linear = fw_shape_is_linear(shape);
    bool digits =
        !linear && shape->linear && fw_mixed_radix_find(&radix, shape, builder->launch->block);
    builder->by_lanes |= !linear || shape->pruned || moved;
    if (!linear && !digits && !linearize(builder, index, shape))
        return;
    builder->linearized |= !linear && (!digits || radix.mean_slope);
    if (moved)
        radix.span_count = fw_data_spans(data, index, shape, radix.spans, radix.span_count);
    if (moved && !floors)
        fw_data_move(data, index, shape, false);
    add_box(builder, index, shape, &radix);
}

/* A variable by whose values a shape is split: a short loop, or a floor, that bounds other indices;
 * or a floor in the address that no digits of an index stand for, or a short loop under it.
 * FW_NONE: none. */
static uint32_t split_variable(struct builder *builder, const struct fw_shape *shape)
{
    struct fw_mixed_radix radix;
    if (fw_shape_is_linear(shape))
        return fw_shape_split_variable(shape, MAX_SPLIT_VALUES, NULL);
    struct fw_shape *rest = take_shape(builder);
    fw_shape_copy(rest, shape);
    const bool digits = fw_mixed_radix_find(&radix, rest, builder->launch->block);
    uint32_t variable = digits ? fw_shape_split_variable(rest, MAX_SPLIT_VALUES, radix.shared_out)
                               : fw_shape_split_variable(shape, MAX_SPLIT_VALUES, NULL);
    give_back(builder, rest);
    if (digits)
        return variable;
    return variable != FW_NONE ? variable : fw_shape_loop_under_floor(shape, MAX_SPLIT_VALUES);
}

/* Splits a shape into boxes: one per value of a short loop, or of a floor, that bounds other
 * indices. */
static void add_shape(struct builder *builder, uint32_t index, struct fw_shape *shape,
                      uint32_t first)
{
    fw_shape_tighten_floors(shape);
    fw_shape_unfloor_threads(shape, MAX_SPLIT_VALUES);
    if (!fix_constants(builder, shape))
        return;
    bool room = builder->result->affine.count - first < MAX_BOXES;
    uint32_t variable = room && shape->linear ? split_variable(builder, shape) : FW_NONE;
    if (variable == FW_NONE) {
        add_whole(builder, index, shape);
        return;
    }
    struct fw_shape *at = take_shape(builder);
    bool loop = shape->loop_of[variable] != FW_NONE && !shape->quotient[variable];
    int64_t outer = builder->split;
    for (int64_t i = shape->low[variable]; i <= shape->high[variable]; i++) {
        builder->split = loop ? outer * (MAX_SPLIT_VALUES + 1) + i : outer;
        if (fw_shape_fix(at, shape, variable, i))
            add_shape(builder, index, at, first);
    }
    builder->split = outer;
    give_back(builder, at);
}

/* Sets active_share of all boxes of an access from the number of executions `points`.  Gives
 * whether the boxes contain these executions and no others. */
static bool set_shares(const struct fw_affine_accesses *accesses, uint32_t first, double points)
{
    double all = 0, ragged = 0;
    for (uint32_t i = first; i < accesses->count; i++) {
        double here = fw_affine_threads(&accesses->at[i], accesses) * accesses->at[i].repeats;
        for (uint32_t l = 0; l < accesses->at[i].loops; l++)
            here *= (double)accesses->at[i].trips[l];
        all += here;
        ragged += here * fw_affine_ragged_share(&accesses->at[i], accesses);
    }
    for (uint32_t i = first; i < accesses->count; i++) {
        double share = ragged > 0 && points > 0 && points < ragged ? points / ragged : 1;
        accesses->at[i].active_share = share * fw_affine_ragged_share(&accesses->at[i], accesses);
    }
    return fabs(all - points) <= 1e-6 * points;
}

/* The shapes of an access's address.  None if the address depends on data, or the strides of a tile
 * differ between threads: such an access has no affine form. */
static struct fw_shape *shapes_of(struct builder *builder, const struct fw_access *access,
                                  uint32_t *count)
{
    int64_t most;
    *count = 0;
    if ((access->bulk && access->bytes == 0) || access->space == FW_SPACE_SHARED ||
        (access->data_dependent &&
         fw_data_access(builder->result->data, (uint32_t)(access - builder->kernel->accesses))
                 ->model != FW_DATA_MOVED))
        return NULL;
    if (access->tile && (!fw_bound_range(builder->bound, access->domain, access->tile->apart,
                                         &builder->tile_row_stride, &most) ||
                         most != builder->tile_row_stride))
        return NULL;
    return fw_bound_shapes(builder->bound, access->domain, address_of(access), builder->arena,
                           count);
}

/* Lanes of a warp whose elements lie in one sector. */
static double lanes_of_sector(const struct fw_shape *shape)
{
    enum { SECTOR = 32 };
    const int8_t x = shape->launch_variable[3];
    const double step = x < 0 || !shape->linear ? 0 : fabs((double)shape->coefficient[x]);
    return fmin(FW_WARP_THREADS, fmax(1, SECTOR / fmax(step, 1)));
}

static void add_access(struct builder *builder, uint32_t index)
{
    const struct fw_access *access = &builder->kernel->accesses[index];
    struct fw_access_affine *own = &builder->result->by_access[index];
    double threads = fw_bound_count(builder->bound, access->domain)->estimate;
    double points = threads;
    uint32_t count = 0, accesses = builder->result->affine.count;
    if (access->repeated || !(threads > 0) ||
        (access->space != FW_SPACE_SHARED && !in_device_memory(access)))
        return;
    /* Lanes that run alone move sectors that the others of their warp are in, too. */
    if (fw_bound_warps_measured(builder->bound, access->domain))
        points = fmax(threads, FW_WARP_THREADS *
                                   fw_bound_count_warps(builder->bound, access->domain)->estimate);
    struct fw_shape *shapes = shapes_of(builder, access, &count);
    const struct fw_lane_share left = fw_bound_lane_share(builder->bound, access->domain);
    if (left.share < 1 && left.share > 0 && count > 0)
        points = threads / left.share * fw_some_lane(left, lanes_of_sector(&shapes[0]));
    builder->by_lanes = builder->linearized = false;
    for (uint32_t s = 0; s < count; s++)
        add_shape(builder, index, &shapes[s], accesses);
    own->analyzed = true;
    own->complete = set_shares(&builder->result->affine, accesses, points) && !builder->by_lanes;
    own->linearized = builder->linearized;
    own->first = accesses;
    own->count = builder->result->affine.count - accesses;
    if (access->space != FW_SPACE_SHARED && own->count == 0 && !access->data_dependent)
        builder->result->not_affine++;
}

void fw_kernel_accesses_find(struct fw_kernel_accesses *result, struct fw_arena *arena,
                             const struct fw_kernel *kernel, struct fw_bound *bound,
                             const struct fw_launch *launch, const uint32_t *alignments)
{
    struct builder builder = {.result = result, .arena = arena, .kernel = kernel};
    builder.bound = bound;
    builder.launch = launch;
    builder.alignments = alignments;
    memset(result, 0, sizeof(*result));
    result->by_access = FW_ARRAY(arena, struct fw_access_affine, kernel->access_count + 1);
    result->affine.arrays = kernel->array_count + 1;
    result->data = fw_data_addresses_new(arena, kernel, bound, launch);
    for (uint32_t d = 0; d < 3; d++) {
        result->affine.grid[d] = launch->grid[d];
        result->affine.block[d] = launch->block[d];
    }
    for (uint32_t a = 0; a < kernel->access_count; a++)
        if (!(fw_random_access_extent(kernel, launch, result->data, a) >
              0)) /* cache/random_access.h models those */
            add_access(&builder, a);
    for (uint32_t i = 0; i < kernel->schedule_count; i++)
        result->barrier_in_loop |= kernel->schedule[i].is_barrier &&
                                   kernel->domains[kernel->schedule[i].domain].innermost != FW_NONE;
    fw_affine_open_single_loops(&result->affine, kernel, arena);
    fw_affine_set_lifetimes(&result->affine, arena, kernel->loop_count);
}
