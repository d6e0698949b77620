/* Strides that parts that data decide give an address, in the mean. */
#include "data_address_internal.h"

#include "address_range.h"

#include <math.h>

enum { SECTOR = 32, ROW_ALIGNMENT = 128, INDICES = 6 };

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

/* Bytes that the rest spans while one value of the part stays: a row. */
static double row_of(const struct fw_shape *shape, const struct data_part_plan *part,
                     uint32_t bytes)
{
    double row = bytes;
    for (uint32_t v = 0; v < shape->variables; v++)
        if (!shape->quotient[v] && !varies_with(part->varying, index_of(shape, v)))
            row += fabs((double)shape->coefficient[v]) * (double)(extent_of(shape, v) - 1);
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
                   struct fw_shape *shape, int64_t steps[], int64_t *begin)
{
    const uint32_t bytes = addresses->kernel->accesses[access].bytes;
    int64_t element = part->coefficient < 0 ? -part->coefficient : part->coefficient;
    double rows = 1, row = row_of(shape, part, bytes);
    uint64_t key = data_mix(2, of->value);
    element = element > 0 ? element : 1;
    int64_t places = element < ROW_ALIGNMENT ? ROW_ALIGNMENT / element : 1;
    *begin += (int64_t)(key % (uint64_t)places) * element;
    for (uint32_t v = 0; v < shape->variables; v++)
        if (varies_with(part->varying, index_of(shape, v)))
            rows *= (double)extent_of(shape, v);
    double step = ceil(fmax(row, (double)element) / ROW_ALIGNMENT) * ROW_ALIGNMENT;
    if (element < SECTOR)
        step += (double)element * 5; /* rows begin at all places within a line */
    if (part->model == DATA_BOUNDED) {
        double range = (double)element * ((double)part->high - (double)part->low);
        step = floor(range / rows / (double)element) * (double)element;
    } else if (rows <= 1) { /* far from the rows of other values */
        *begin += (int64_t)fmin(0x1p40, step * (double)(key >> 52));
    }
    for (uint32_t v = shape->variables; v-- > 0;) {
        if (!varies_with(part->varying, index_of(shape, v)))
            continue;
        if (step < FW_ADDRESS_MOST / 2)
            steps[v] += (int64_t)step;
        step *= (double)extent_of(shape, v);
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

void fw_data_move(struct fw_data_addresses *addresses, uint32_t access, struct fw_shape *shape)
{
    const struct data_plan *plan = data_plan(addresses, access);
    const struct fw_data_address *data = addresses->kernel->accesses[access].data;
    int64_t steps[FW_SHAPE_VARIABLES] = {0}, begin = 0;
    if (plan->access.model != FW_DATA_MOVED)
        return;
    for (uint32_t p = 0; p < data->part_count; p++) {
        const struct data_part_plan *part = &plan->parts[p];
        bool random = part->model == DATA_INDEX && plan->access.kind == FW_INDEX_RANDOM;
        if (part->model == DATA_BOUNDED || part->model == DATA_UNBOUNDED || random)
            spread(addresses, access, part, &data->parts[p], shape, steps, &begin);
        else if (part->model == DATA_INDEX && plan->access.kind == FW_INDEX_NEIGHBOURS)
            spread_near(part, &data->parts[p], shape, steps, &begin);
    }
    for (uint32_t v = 0; v < shape->variables; v++) {
        uint32_t index = index_of(shape, v);
        if (index == FW_NONE || shape->high[v] <= shape->low[v])
            continue;
        shape->coefficient[v] += steps[v] + usual_step(addresses, access, shape, v, index);
    }
    shape->constant += begin;
}
