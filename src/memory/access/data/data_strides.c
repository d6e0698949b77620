/* Strides that parts that data decide give an address, in the mean. */
#include "data_address_internal.h"

#include "address_range.h"

#include <math.h>

enum { SECTOR = 32, ROW_ALIGNMENT = 128, INDICES = 6, MOST_GONE_THROUGH = 64 };

/* One index of a shape: which of blocks and threads (0 to 5) or loops (6 on) it is. */
static uint32_t index_of(const struct fw_shape *shape, uint32_t v)
{
    for (uint32_t i = 0; i < INDICES; i++)
        if (shape->launch_variable[i] == (int8_t)v)
            return i;
    return shape->loop_of[v] != FW_NONE && !shape->quotient[v] ? INDICES + shape->loop_of[v]
                                                               : FW_NONE;
}

static bool varies_with(struct data_varying varying, uint32_t index)
{
    if (index >= INDICES)
        return index - INDICES < DATA_LOOPS && varying.loops >> (index - INDICES) & 1;
    return varying.launch >> index & 1;
}

static int64_t extent_of(const struct fw_shape *shape, uint32_t v)
{
    return shape->high[v] > shape->low[v] ? shape->high[v] - shape->low[v] + 1 : 1;
}

/* The mean step of what indices and ends of rows have as usual values, along one index. */
static int64_t usual_step(struct fw_data_addresses *addresses, uint32_t access,
                          const struct fw_shape *shape, uint32_t v, uint32_t index)
{
    const struct data_plan *plan = data_plan(addresses, access);
    const struct fw_data_address *data = addresses->kernel->accesses[access].data;
    int64_t iterations[DATA_LOOPS] = {0}, last = shape->high[v];
    struct fw_point from = {{0}, {0}, iterations}, to = from;
    int64_t there[DATA_LOOPS] = {0};
    to.iterations = there;
    if (last <= 0 || last > UINT32_MAX)
        return 0;
    if (index < 3)
        to.block[index] = (uint32_t)last;
    else if (index < INDICES)
        to.thread[index - 3] = (uint32_t)last;
    else
        there[index - INDICES] = last;
    double step = 0;
    for (uint32_t p = 0; p < data->part_count; p++) {
        double first, second;
        if (data_usual_value(addresses, &plan->access, &data->parts[p], &plan->parts[p], &from,
                             false, &first) &&
            data_usual_value(addresses, &plan->access, &data->parts[p], &plan->parts[p], &to, false,
                             &second))
            step += (double)plan->parts[p].coefficient * (second - first) / (double)last;
    }
    return fabs(step) < FW_ADDRESS_MOST ? llround(step) : 0;
}

uint32_t data_threads_together(const struct fw_data_addresses *addresses,
                               const struct fw_data_part *part)
{
    static const int64_t iterations[DATA_LOOPS] = {0};
    const uint32_t most = addresses->launch->block[0];
    for (uint32_t together = 1;; together *= 2) {
        bool same = 2 * together <= most;
        for (uint32_t i = 0; i < part->input_count && same; i++)
            for (uint32_t first = 0; first < 4 * together && same; first += 2 * together) {
                struct fw_point from = {{0}, {first, 0, 0}, iterations}, to = from;
                int64_t begin, end;
                to.thread[0] = first + together;
                same = to.thread[0] >= most ||
                       (fw_bound_evaluate(addresses->bound, part->inputs[i], &from, &begin) &&
                        fw_bound_evaluate(addresses->bound, part->inputs[i], &to, &end) &&
                        begin == end);
            }
        if (!same)
            return together;
    }
}

/* The floor of the thread's x by `every` among a shape's variables, and that x; FW_NONE: there is
 * none. */
static uint32_t floor_of_thread(const struct fw_shape *shape, uint32_t every, uint32_t *x)
{
    const int8_t thread = shape->launch_variable[3];
    *x = thread < 0 ? FW_NONE : (uint32_t)thread;
    for (uint32_t r = 0; r < shape->row_count && every > 1 && *x != FW_NONE; r++)
        for (uint32_t q = 0; q < shape->variables; q++) {
            bool is_it = shape->rows[r].definition && shape->quotient[q] &&
                         shape->rows[r].constant == 0 && shape->rows[r].coefficient[*x] == 1 &&
                         shape->rows[r].coefficient[q] == -(int64_t)every;
            for (uint32_t v = 0; v < shape->variables && is_it; v++)
                is_it = v == *x || v == q || shape->rows[r].coefficient[v] == 0;
            if (is_it)
                return q;
        }
    return FW_NONE;
}

/* What a part moves with in a shape: indices, but where threads share its values, the floor of
 * theirs. */
struct moving {
    uint32_t floor, x; /* variables; FW_NONE */
    uint32_t together; /* threads that share a value */
};

static struct moving moving_of(const struct fw_data_addresses *addresses,
                               const struct data_part_plan *part, const struct fw_data_part *of,
                               const struct fw_shape *shape, bool floors)
{
    struct moving moving = {FW_NONE, FW_NONE, 1};
    if (!floors || !varies_with(part->varying, 3))
        return moving;
    moving.together = data_threads_together(addresses, of);
    moving.floor = floor_of_thread(shape, moving.together, &moving.x);
    return moving;
}

static bool moves_with(const struct moving *moving, const struct data_part_plan *part,
                       const struct fw_shape *shape, uint32_t v)
{
    if (moving->floor != FW_NONE && (v == moving->floor || v == moving->x))
        return v == moving->floor;
    return varies_with(part->varying, index_of(shape, v));
}

/* Bytes that the rest spans while one value of the part stays: a row. */
static double row_of(const struct moving *moving, const struct fw_shape *shape,
                     const struct data_part_plan *part, uint32_t bytes)
{
    double row = bytes;
    for (uint32_t v = 0; v < shape->variables; v++) {
        bool shares = moving->floor != FW_NONE && v == moving->x;
        if (!shape->quotient[v] && !moves_with(moving, part, shape, v))
            row += fabs((double)shape->coefficient[v]) *
                   (shares ? moving->together - 1.0 : (double)(extent_of(shape, v) - 1));
    }
    return row;
}

/* Where the rows of a value begin, which span so many bytes: behind those of other values that name
 * rows of the array.  The copies of a loop that a compiler unrolled load their indices side by
 * side, and each names rows of its own.  (A list that the whole launch shares names few rows, and
 * its copies stay where they are.) */
static double begin_of(struct fw_data_addresses *addresses, uint32_t access,
                       const struct fw_data_part *of, double span)
{
    const struct fw_access *accesses = addresses->kernel->accesses;
    const uint32_t load = data_load(addresses, of), array = accesses[access].array;
    const uint32_t from = load == FW_NONE ? FW_NONE : accesses[load].array;
    const fw_expression named = load == FW_NONE ? of->value : accesses[load].offset;
    double begin = 0;
    for (size_t i = 0; i < addresses->places.count; i++) {
        const struct data_place *place = &addresses->places.at[i];
        if (place->array != array)
            continue;
        if (place->from == from && place->named == named)
            return place->begin;
        begin = place->end;
    }
    *FW_APPEND(addresses->arena, &addresses->places) =
        (struct data_place){array, from, named, begin, begin + span};
    return begin;
}

/* Adds the strides of a part whose values are spread: rows of their own, as far from each other as
 * a value is from the next at least, or evenly over the range.  Its begin lies anywhere within a
 * line. */
static void spread(struct fw_data_addresses *addresses, uint32_t access,
                   const struct data_part_plan *part, const struct fw_data_part *of,
                   struct fw_shape *shape, int64_t steps[], int64_t *begin, bool floors)
{
    const uint32_t bytes = addresses->kernel->accesses[access].bytes;
    const struct moving moving = moving_of(addresses, part, of, shape, floors);
    int64_t element = part->coefficient < 0 ? -part->coefficient : part->coefficient;
    double rows = 1, row = row_of(&moving, shape, part, bytes);
    uint64_t key = data_mix(2, of->value);
    element = element > 0 ? element : 1;
    int64_t places = element < ROW_ALIGNMENT ? ROW_ALIGNMENT / element : 1;
    *begin += (int64_t)(key % (uint64_t)places) * element;
    for (uint32_t v = 0; v < shape->variables; v++)
        if (moves_with(&moving, part, shape, v))
            rows *= (double)extent_of(shape, v);
    double step = ceil(fmax(row, (double)element) / ROW_ALIGNMENT) * ROW_ALIGNMENT;
    double labels[FW_SHAPE_VARIABLES], first;
    if (floors && data_label_form(addresses, part, of, shape, labels, &first)) {
        for (uint32_t v = 0; v < shape->variables; v++)
            if (step < FW_ADDRESS_MOST / 2 / MOST_GONE_THROUGH)
                steps[v] += llround(labels[v] * step);
        *begin += (int64_t)fmin(FW_ADDRESS_MOST / 2, first * step);
        return;
    }
    if (element < SECTOR)
        step += (double)element * 5; /* rows begin at all places within a line */
    if (part->model == DATA_BOUNDED) {
        double range = (double)element * ((double)part->high - (double)part->low);
        step = floor(range / rows / (double)element) * (double)element;
    } else if (rows <= 1) { /* far from the rows of other values */
        *begin += (int64_t)fmin(0x1p40, step * (double)(key >> 52));
    }
    for (uint32_t v = shape->variables; v-- > 0;) {
        if (!moves_with(&moving, part, shape, v))
            continue;
        /* A loop that is gone through has one value in a shape; its rows are beside those of the
         * others. */
        bool through = part->model != DATA_BOUNDED && shape->loop_of[v] != FW_NONE &&
                       !shape->quotient[v] && shape->low[v] == shape->high[v];
        double extent = through ? MOST_GONE_THROUGH : (double)extent_of(shape, v);
        if (step < FW_ADDRESS_MOST / 2 / MOST_GONE_THROUGH)
            steps[v] += (int64_t)step;
        step *= extent;
    }
    if (rows > 1 && part->model != DATA_BOUNDED && part->varying.launch)
        *begin += (int64_t)fmin(FW_ADDRESS_MOST / 2, begin_of(addresses, access, of, step));
}

/* Neighbours of an own element: iterations and instructions name others, all over the window. */
static void spread_near(const struct data_part_plan *part, const struct fw_data_part *of,
                        const struct fw_shape *shape, int64_t steps[], int64_t *begin)
{
    double trips = 1;
    for (uint32_t v = 0; v < shape->variables; v++)
        if (index_of(shape, v) >= INDICES && varies_with(part->varying, index_of(shape, v)))
            trips *= (double)extent_of(shape, v);
    if (trips <= 1) {
        *begin += part->coefficient * (int64_t)(data_mix(3, of->value) % FW_DATA_NEAR);
        return;
    }
    int64_t step = part->coefficient * (int64_t)fmax(1, FW_DATA_NEAR / trips);
    for (uint32_t v = shape->variables; v-- > 0;) {
        if (index_of(shape, v) < INDICES || !varies_with(part->varying, index_of(shape, v)))
            continue;
        steps[v] += step;
        step *= extent_of(shape, v) < FW_DATA_NEAR ? extent_of(shape, v) : FW_DATA_NEAR;
    }
}

/* Whether a part is spread over rows, by how its access is modelled. */
static bool is_spread(const struct data_plan *plan, const struct data_part_plan *part)
{
    return (part->model == DATA_BOUNDED && !part->displaced) || part->model == DATA_UNBOUNDED ||
           (part->model == DATA_INDEX && plan->access.kind == FW_INDEX_RANDOM);
}

bool fw_data_moves_floors(struct fw_data_addresses *addresses, uint32_t access,
                          const struct fw_shape *shape)
{
    const struct data_plan *plan = data_plan(addresses, access);
    const struct fw_data_address *data = addresses->kernel->accesses[access].data;
    if (plan->access.model != FW_DATA_MOVED)
        return false;
    double labels[FW_SHAPE_VARIABLES], first;
    struct fw_shape *at = FW_NEW(addresses->arena, struct fw_shape);
    fw_shape_copy(at, shape);
    for (uint32_t p = 0; p < data->part_count; p++)
        if (is_spread(plan, &plan->parts[p]) &&
            (data_label_form(addresses, &plan->parts[p], &data->parts[p], at, labels, &first) ||
             moving_of(addresses, &plan->parts[p], &data->parts[p], shape, true).floor != FW_NONE))
            return true;
    return false;
}

void fw_data_move(struct fw_data_addresses *addresses, uint32_t access, struct fw_shape *shape,
                  bool floors)
{
    const struct data_plan *plan = data_plan(addresses, access);
    const struct fw_data_address *data = addresses->kernel->accesses[access].data;
    int64_t steps[FW_SHAPE_VARIABLES] = {0}, begin = 0;
    if (plan->access.model != FW_DATA_MOVED)
        return;
    for (uint32_t p = 0; p < data->part_count; p++) {
        const struct data_part_plan *part = &plan->parts[p];
        if (part->displaced)
            begin += part->coefficient * (part->coefficient < 0 ? part->high : part->low);
        else if (is_spread(plan, part))
            spread(addresses, access, part, &data->parts[p], shape, steps, &begin, floors);
        else if (part->model == DATA_INDEX && plan->access.kind == FW_INDEX_NEIGHBOURS)
            spread_near(part, &data->parts[p], shape, steps, &begin);
    }
    for (uint32_t v = 0; v < shape->variables; v++) {
        uint32_t index = index_of(shape, v);
        if (index == FW_NONE)
            shape->coefficient[v] += steps[v];
        else if (index >= INDICES && shape->low[v] == shape->high[v])
            shape->constant += steps[v] * shape->low[v];
        if (index == FW_NONE || shape->high[v] <= shape->low[v])
            continue;
        shape->coefficient[v] += steps[v] + usual_step(addresses, access, shape, v, index);
    }
    shape->constant += begin;
}

/* ---- what displaced places of a block cover ---- */

/* A span of displaced places, with the threads of a block along whose axis the rest moves as the
 * part does: 1 where none does. */
struct displaced_span {
    struct fw_affine_span *at;
    int64_t low; /* the least displacement */
    double own;
};

enum { DISPLACED_GROUPS = 32 };

static double own_extent(const struct fw_data_addresses *addresses, const struct fw_shape *shape,
                         int64_t coefficient)
{
    for (uint32_t d = 0; d < 3; d++) {
        const int8_t v = shape->launch_variable[3 + d];
        if (v >= 0 &&
            (shape->coefficient[v] == coefficient || shape->coefficient[v] == -coefficient))
            return addresses->launch->block[d];
    }
    return 1;
}

static double reach_of(const struct displaced_span *span)
{
    return span->own + (double)span->at->count - 1;
}

/* The share of a block's draws that come to a place, `at` elements from the first that is reached:
 * an own place and a displacement, both drawn evenly. */
static double density_at(const struct displaced_span *span, double at)
{
    const double most = fmin(span->own, (double)span->at->count);
    return fmax(0, fmin(most, fmin(at + 1, reach_of(span) - at))) /
           (span->own * (double)span->at->count);
}

/* The sectors along an axis, or its places where these lie in sectors of their own, in groups of
 * `each`; `draws`: the share of a block's draws that comes to each sector of a group. */
static uint32_t group_sectors(const struct displaced_span *span, double draws[DISPLACED_GROUPS])
{
    const double elements = fmax(1, floor((double)SECTOR / (double)span->at->stride));
    const double first = floor((double)span->low / elements) * elements - (double)span->low;
    const double sectors = ceil((reach_of(span) - first) / elements);
    const double each = ceil(sectors / DISPLACED_GROUPS);
    const uint32_t groups = (uint32_t)ceil(sectors / each);
    for (uint32_t g = 0; g < groups; g++) {
        const double begin = first + g * each * elements;
        draws[g] = 0;
        if (each > 1) /* the middle stands for all */
            draws[g] = elements * density_at(span, begin + (each * elements - 1) / 2);
        for (uint32_t e = 0; each <= 1 && e < elements; e++)
            draws[g] += density_at(span, begin + e);
    }
    return groups;
}

/* The share of the sectors that are reached which a block comes to in so many draws. */
static double share_come_to(const struct displaced_span *spans, uint32_t count, double draws)
{
    double share[DISPLACED_GROUPS], sum = 0;
    if (count == 0)
        return -expm1(-draws);
    const uint32_t groups = group_sectors(spans, share);
    for (uint32_t g = 0; g < groups; g++)
        sum += share_come_to(spans + 1, count - 1, draws * share[g]);
    return sum / groups;
}

/* Shortens the spans to the `share` of what they reach, the widest one first, but to no less than
 * threads have of their own. */
static void shorten(struct displaced_span *spans, uint32_t count, double share)
{
    bool done[FW_AFFINE_SPANS] = {false};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t widest = FW_NONE;
        for (uint32_t s = 0; s < count; s++)
            if (!done[s] && (widest == FW_NONE || spans[s].at->stride > spans[widest].at->stride))
                widest = s;
        const double all = reach_of(&spans[widest]), kept = fmax(spans[widest].own, all * share);
        spans[widest].at->count = (int64_t)round(kept - spans[widest].own) + 1;
        share = fmin(1, all * share / kept);
        done[widest] = true;
    }
}

/* Whether two accesses are to one array, and the same displacements move them. */
static bool same_displacements(const struct fw_access *a, const struct fw_access *b)
{
    bool same = a->data && b->data && a->array == b->array &&
                (a->direction == FW_LOAD) == (b->direction == FW_LOAD) &&
                a->data->part_count == b->data->part_count;
    for (uint32_t p = 0; same && p < a->data->part_count; p++)
        same = a->data->parts[p].value == b->data->parts[p].value;
    return same;
}

/* The accesses that the same displacements move to sectors of their own, as the corners of a cell
 * in its rows. */
static double corners_of(struct fw_data_addresses *addresses, const struct fw_access *access)
{
    enum { MOST = 32 };
    const struct fw_kernel *kernel = addresses->kernel;
    static const int64_t iterations[DATA_LOOPS] = {0};
    const struct fw_point origin = {{0}, {0}, iterations};
    int64_t places[MOST], place;
    uint32_t count = 0;
    for (uint32_t a = 0; a < kernel->access_count && count < MOST; a++) {
        bool apart =
            same_displacements(&kernel->accesses[a], access) &&
            fw_bound_evaluate(addresses->bound, kernel->accesses[a].data->rest, &origin, &place);
        for (uint32_t c = 0; c < count && apart; c++)
            apart = fabs((double)place - (double)places[c]) >= SECTOR;
        if (apart)
            places[count++] = place;
    }
    return fmax(1, count);
}

uint32_t fw_data_spans(struct fw_data_addresses *addresses, uint32_t access,
                       const struct fw_shape *shape, struct fw_affine_span spans[FW_AFFINE_SPANS],
                       uint32_t count)
{
    const struct data_plan *plan = data_plan(addresses, access);
    const struct fw_access *of = &addresses->kernel->accesses[access];
    const uint32_t *block = addresses->launch->block;
    const double threads = (double)block[0] * block[1] * block[2];
    struct displaced_span displaced[FW_AFFINE_SPANS];
    uint32_t found = 0;
    for (uint32_t p = 0; plan->access.displaced && p < of->data->part_count; p++) {
        const struct data_part_plan *part = &plan->parts[p];
        const int64_t step = part->coefficient < 0 ? -part->coefficient : part->coefficient;
        if (!part->displaced || part->high == part->low || step == 0 || count == FW_AFFINE_SPANS)
            continue;
        spans[count] = (struct fw_affine_span){step, part->high - part->low + 1};
        displaced[found] =
            (struct displaced_span){&spans[count++], part->low, own_extent(addresses, shape, step)};
        found++;
    }
    if (found)
        shorten(displaced, found,
                share_come_to(displaced, found, threads * corners_of(addresses, of)));
    return count;
}
