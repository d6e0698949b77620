#include "data_address.h"

#include "address_range.h"
#include "checked.h"
#include "random.h"

#include <math.h>
#include <string.h>

enum {
    MAX_NESTED = 3,
    MAX_LOOPS = 64,
    SECTOR = 32,
    ROW_ALIGNMENT = 128,
    RANDOM_BITS = 24,
    NEAR_ACCESSES = 256, /* of one loop's body */
    INDICES = 6
};

static const double unbounded = 0x1p31; /* bytes of a range that bounds nothing */

/* The indices that a value varies with: bits of blocks and threads, then loops. */
struct varying {
    uint8_t launch;
    uint64_t loops;
};

/* How a part is modelled. */
enum part_model { ROW_END, INDEX, BOUNDED, UNBOUNDED };

struct part_plan {
    enum part_model model;
    struct varying varying;
    int64_t coefficient, low, high; /* bytes; of the value */
    double mean_row;                /* ROW_END: elements from row to row */
    int64_t unit;                   /* INDEX: elements of the index array from thread to thread */
};

struct plan {
    bool known;
    struct fw_data_access access;
    struct part_plan *parts;
};

struct fw_data_addresses {
    struct fw_arena *arena;
    const struct fw_kernel *kernel;
    struct fw_bound *bound;
    const struct fw_launch *launch;
    struct plan *plans;  /* by access */
    uint32_t *access_of; /* by instruction: its load + 1; 0: none */
    uint32_t nested;
};

struct fw_data_addresses *fw_data_addresses_new(struct fw_arena *arena,
                                                const struct fw_kernel *kernel,
                                                struct fw_bound *bound,
                                                const struct fw_launch *launch)
{
    struct fw_data_addresses *addresses = FW_NEW(arena, struct fw_data_addresses);
    *addresses = (struct fw_data_addresses){arena, kernel, bound, launch, NULL, NULL, 0};
    addresses->plans = FW_ARRAY(arena, struct plan, kernel->access_count + 1);
    addresses->access_of = FW_ARRAY(arena, uint32_t, kernel->schedule_count + 1);
    for (uint32_t a = kernel->access_count; a-- > 0;)
        if (kernel->accesses[a].instruction < kernel->schedule_count &&
            kernel->accesses[a].direction == FW_LOAD)
            addresses->access_of[kernel->accesses[a].instruction] = a + 1;
    return addresses;
}

static uint32_t load_of(const struct fw_data_addresses *addresses, const struct fw_data_part *part)
{
    uint32_t found =
        part->loaded < addresses->kernel->schedule_count ? addresses->access_of[part->loaded] : 0;
    return found ? found - 1 : FW_NONE;
}

/* ---- what values vary with ---- */

enum { MOST_VISITS = 4000 }; /* of atoms: beyond, a value varies with everything */

struct collection {
    const struct fw_data_addresses *addresses;
    struct varying *varying;
    uint32_t visits;
};

static bool collect(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    struct collection *to = user;
    const struct fw_launch *launch = to->addresses->launch;
    (void)atom;
    if (++to->visits > MOST_VISITS) {
        for (uint32_t d = 0; d < 3; d++)
            to->varying->launch |=
                (uint8_t)((launch->grid[d] > 1) << d | (launch->block[d] > 1) << (3 + d));
        to->varying->loops = UINT64_MAX;
        return true;
    }
    if (node->kind == FW_ATOM_ITERATION && node->a < MAX_LOOPS)
        to->varying->loops |= (uint64_t)1 << node->a;
    if (node->kind != FW_ATOM_LAUNCH)
        return false;
    for (uint32_t d = 0; d < 3; d++) {
        if (node->a == FW_BLOCK_X + d && launch->grid[d] > 1)
            to->varying->launch |= (uint8_t)(1 << d);
        bool thread = node->a == FW_THREAD_X + d || node->a == FW_LANE || node->a == FW_WARP;
        if (thread && launch->block[d] > 1)
            to->varying->launch |= (uint8_t)(8 << d);
    }
    return false;
}

static struct varying varying_of(const struct fw_data_addresses *addresses,
                                 const fw_expression *expressions, uint32_t count)
{
    struct varying varying = {0, 0};
    struct collection to = {addresses, &varying, 0};
    for (uint32_t i = 0; i < count; i++)
        fw_expression_any(&addresses->kernel->pool, expressions[i], collect, &to);
    return varying;
}

static bool of_threads(struct varying varying)
{
    return varying.launch >> 3 != 0;
}

/* ---- values ---- */

static struct plan *plan_of(struct fw_data_addresses *addresses, uint32_t access);

static bool evaluate(struct fw_data_addresses *addresses, fw_expression a,
                     const struct fw_point *point, int64_t *value)
{
    return fw_bound_evaluate(addresses->bound, a, point, value);
}

static uint64_t mix(uint64_t key, uint64_t value)
{
    struct fw_random random = {key ^ value};
    return fw_random_next(&random);
}

/* A random number that is the same wherever a part's inputs are. */
static uint64_t key_of(struct fw_data_addresses *addresses, const struct fw_data_part *part,
                       const struct fw_point *point)
{
    uint64_t key = mix(1, part->value);
    for (uint32_t i = 0; i < part->input_count; i++) {
        int64_t value = 0;
        if (!evaluate(addresses, part->inputs[i], point, &value)) {
            for (uint32_t d = 0; d < 3; d++)
                key = mix(mix(key, point->block[d]), point->thread[d]);
            continue;
        }
        key = mix(key, (uint64_t)value);
    }
    return key;
}

/* Where a load of an index array or of the ends of rows is, in elements: parts of its own address
 * have their usual values. */
static bool element_of(struct fw_data_addresses *addresses, uint32_t load,
                       const struct fw_point *point, bool random, double *element);

/* The usual value of a part that is an index or the end of a row; `random`: with what is not
 * known of it drawn at random.  0 for others. */
static bool usual_value(struct fw_data_addresses *addresses, const struct fw_data_access *access,
                        const struct fw_data_part *part, const struct part_plan *plan,
                        const struct fw_point *point, bool random, double *value)
{
    static int64_t first[MAX_LOOPS];
    struct fw_point here = *point, origin = {{0}, {0}, first};
    double element, begin;
    *value = 0;
    if (plan->model != ROW_END && (plan->model != INDEX || access->kind == FW_INDEX_RANDOM))
        return true;
    bool near = plan->model == INDEX && access->kind == FW_INDEX_NEIGHBOURS;
    if (near)
        here.iterations = first;
    uint32_t load = load_of(addresses, part);
    if (!element_of(addresses, load, &here, random && !near, &element) ||
        !element_of(addresses, load, &origin, false, &begin))
        return false;
    *value = plan->model == ROW_END ? plan->mean_row * element
             : near                 ? (element - begin) / (double)plan->unit
                                    : element;
    if (near && random)
        *value += (double)(key_of(addresses, part, point) % FW_DATA_NEAR) - FW_DATA_NEAR / 2;
    return true;
}

static bool element_of(struct fw_data_addresses *addresses, uint32_t load,
                       const struct fw_point *point, bool random, double *element)
{
    if (load == FW_NONE || addresses->nested == MAX_NESTED)
        return false;
    const struct fw_access *access = &addresses->kernel->accesses[load];
    const struct plan *plan = access->data ? plan_of(addresses, load) : NULL;
    int64_t rest;
    if (!access->bytes || (access->data_dependent && !access->data) ||
        !evaluate(addresses, access->data ? access->data->rest : access->offset, point, &rest))
        return false;
    double address = (double)rest;
    addresses->nested++;
    bool known = true;
    for (uint32_t p = 0; plan && p < access->data->part_count && known; p++) {
        double value;
        known = usual_value(addresses, &plan->access, &access->data->parts[p], &plan->parts[p],
                            point, random, &value);
        address += known ? (double)plan->parts[p].coefficient * value : 0;
    }
    addresses->nested--;
    *element = address / access->bytes;
    return known;
}

/* ---- plans ---- */

static double executions(struct fw_data_addresses *addresses, uint32_t access)
{
    return fw_bound_count(addresses->bound, addresses->kernel->accesses[access].domain)->estimate;
}

/* The mean number of elements of a row: how often the accesses to one array that begin at the same
 * row end run, for each time that it is loaded. */
static double mean_row(struct fw_data_addresses *addresses, uint32_t index, uint32_t value,
                       uint32_t load)
{
    const struct fw_kernel *kernel = addresses->kernel;
    uint32_t first = index > NEAR_ACCESSES ? index - NEAR_ACCESSES : 0;
    double all = 0, rows = executions(addresses, load);
    for (uint32_t a = first; a < kernel->access_count && a < index + NEAR_ACCESSES; a++) {
        const struct fw_data_address *data = kernel->accesses[a].data;
        bool same = false;
        for (uint32_t p = 0; data && p < data->part_count; p++)
            same |= data->parts[p].value == value;
        if (same && kernel->accesses[a].array == kernel->accesses[index].array)
            all += executions(addresses, a);
    }
    return rows > 0 && all > rows ? all / rows : 1;
}

/* The elements of an index array from one thread to the next: its smallest stride. */
static int64_t unit_of(struct fw_data_addresses *addresses, uint32_t load)
{
    int64_t first[MAX_LOOPS] = {0}, unit = 0;
    struct fw_point at = {{0}, {0}, first};
    double begin, next;
    if (!element_of(addresses, load, &at, false, &begin))
        return 1;
    for (uint32_t d = 0; d < 3; d++) {
        if (addresses->launch->block[d] < 2)
            continue;
        at.thread[d] = 1;
        bool known = element_of(addresses, load, &at, false, &next);
        at.thread[d] = 0;
        int64_t step = known && fabs(next - begin) < 0x1p40 ? llround(fabs(next - begin)) : 0;
        if (step > 0 && (unit == 0 || step < unit))
            unit = step;
    }
    return unit > 0 ? unit : 1;
}

static const struct fw_point *anywhere(void)
{
    static int64_t first[MAX_LOOPS];
    static const struct fw_point point = {{0}, {0}, first};
    return &point;
}

/* Plans one part.  False: it has no coefficient that is known. */
static bool plan_part(struct fw_data_addresses *addresses, uint32_t access, uint32_t p,
                      struct part_plan *plan, bool *constant)
{
    const struct fw_kernel *kernel = addresses->kernel;
    const struct fw_data_part *part = &kernel->accesses[access].data->parts[p];
    memset(plan, 0, sizeof(*plan));
    plan->varying = varying_of(addresses, part->inputs, part->input_count);
    plan->unit = 1;
    int64_t size;
    if (!evaluate(addresses, part->coefficient, anywhere(), &plan->coefficient) ||
        !fw_is_address(plan->coefficient))
        return false;
    bool bounded = part->low != FW_NO_EXPRESSION && part->high != FW_NO_EXPRESSION &&
                   evaluate(addresses, part->low, anywhere(), &plan->low) &&
                   evaluate(addresses, part->high, anywhere(), &plan->high) &&
                   plan->high >= plan->low &&
                   !fw_subtract_overflows(plan->high, plan->low, &size) &&
                   fabs((double)plan->coefficient) * ((double)size + 1) < unbounded;
    *constant = bounded && fw_expression_constant(&kernel->pool, part->low, &size) &&
                fw_expression_constant(&kernel->pool, part->high, &size);
    uint32_t load = load_of(addresses, part);
    /* A list whose elements name the next: nothing tells where. */
    bool chases = load != FW_NONE && kernel->accesses[load].array == kernel->accesses[access].array;
    if (load != FW_NONE && part->is_row_end)
        plan->model = ROW_END;
    else if (load != FW_NONE && !chases && !*constant && of_threads(plan->varying))
        plan->model = INDEX;
    else
        plan->model = bounded ? BOUNDED : UNBOUNDED;
    return true;
}

static uint8_t kind_of(const struct fw_data_addresses *addresses, const struct fw_access *access,
                       uint32_t load)
{
    const struct fw_kernel *kernel = addresses->kernel;
    const uint32_t arrays[2] = {access->array, kernel->accesses[load].array};
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t parameter = arrays[i] == FW_NONE ? FW_NONE : kernel->arrays[arrays[i]].parameter;
        if (parameter != FW_NONE && addresses->launch->kinds && addresses->launch->kinds[parameter])
            return addresses->launch->kinds[parameter];
    }
    return FW_INDEX_RANDOM;
}

/* Bytes of an array, where they are known, else a bound that no access passes. */
static double array_bytes(const struct fw_kernel *kernel, const struct fw_access *access)
{
    uint64_t bytes = access->array == FW_NONE ? 0 : kernel->arrays[access->array].bytes;
    return bytes ? (double)bytes : 0x1p48;
}

/* The number of threads of the launch that a value differs between. */
static double places_of(const struct fw_data_addresses *addresses, struct varying varying)
{
    double places = 1;
    for (uint32_t d = 0; d < 3; d++) {
        places *= varying.launch >> d & 1 ? addresses->launch->grid[d] : 1;
        places *= varying.launch >> (3 + d) & 1 ? addresses->launch->block[d] : 1;
    }
    return places;
}

/* The elements that an index array chooses from: as many as it is asked at different threads, or as
 * there are rows of a ragged array that it lies in, whose columns are as many. */
static double elements_of(struct fw_data_addresses *addresses, const struct fw_data_part *part,
                          const struct part_plan *plan)
{
    const struct fw_kernel *kernel = addresses->kernel;
    const struct fw_launch *launch = addresses->launch;
    const struct fw_data_address *index = kernel->accesses[load_of(addresses, part)].data;
    static const int64_t first[MAX_LOOPS];
    struct fw_point last = {{0}, {0}, first};
    double begin, end;
    for (uint32_t d = 0; d < 3; d++) {
        last.block[d] = launch->grid[d] - 1;
        last.thread[d] = launch->block[d] - 1;
    }
    for (uint32_t p = 0; index && p < index->part_count; p++) {
        uint32_t rows = load_of(addresses, &index->parts[p]);
        if (index->parts[p].is_row_end && element_of(addresses, rows, anywhere(), false, &begin) &&
            element_of(addresses, rows, &last, false, &end))
            return fabs(end - begin) + 1;
    }
    return places_of(addresses, plan->varying);
}

/* Decides what is taken of an access, its parts being planned. */
static void decide(struct fw_data_addresses *addresses, uint32_t index, struct plan *plan)
{
    const struct fw_access *access = &addresses->kernel->accesses[index];
    struct varying all = {0, 0}, rest = varying_of(addresses, &access->data->rest, 1);
    double range = access->bytes, elements = 0;
    bool unknown = false, near = false;
    for (uint32_t p = 0; p < access->data->part_count; p++) {
        const struct part_plan *part = &plan->parts[p];
        double size = fabs((double)part->coefficient);
        all.launch |= part->varying.launch;
        if (!of_threads(part->varying))
            continue;
        near |= part->model == INDEX || part->model == ROW_END;
        unknown |= part->model == UNBOUNDED;
        if (part->model == BOUNDED)
            range += size * ((double)part->high - (double)part->low);
        if (part->model == INDEX)
            elements = size * elements_of(addresses, &access->data->parts[p], part);
    }
    plan->access.model = FW_DATA_MOVED;
    if (unknown) {
        plan->access.model = FW_DATA_OPEN;
    } else if (plan->access.by_index && plan->access.kind == FW_INDEX_RANDOM && rest.launch == 0 &&
               rest.loops == 0) {
        plan->access.model = FW_DATA_DRAWN;
        plan->access.extent = fmin(array_bytes(addresses->kernel, access), elements);
    } else if (!near && of_threads(all) && rest.launch == 0) {
        plan->access.model = FW_DATA_DRAWN;
        plan->access.extent = fmin(array_bytes(addresses->kernel, access), range);
    }
}

static struct plan *plan_of(struct fw_data_addresses *addresses, uint32_t index)
{
    struct plan *plan = &addresses->plans[index];
    const struct fw_access *access = &addresses->kernel->accesses[index];
    if (plan->known)
        return plan;
    plan->known = true;
    if (!access->data || access->array == FW_NONE || access->bulk || access->tile ||
        addresses->kernel->loop_count > MAX_LOOPS)
        return plan;
    plan->parts = FW_ARRAY(addresses->arena, struct part_plan, access->data->part_count);
    for (uint32_t p = 0; p < access->data->part_count; p++) {
        struct part_plan *part = &plan->parts[p];
        bool constant;
        if (!plan_part(addresses, index, p, part, &constant))
            return plan;
        const struct fw_data_part *of = &access->data->parts[p];
        uint32_t load = load_of(addresses, of);
        if (part->model == ROW_END) {
            part->mean_row = mean_row(addresses, index, of->value, load);
            plan->access.rows = true;
        }
        if (part->model == INDEX) {
            plan->access.by_index = true;
            plan->access.kind = kind_of(addresses, access, load);
            part->unit = unit_of(addresses, load);
        }
        plan->access.usual_range |= of->usual_range && part->model == BOUNDED;
    }
    decide(addresses, index, plan);
    return plan;
}

const struct fw_data_access *fw_data_access(struct fw_data_addresses *addresses, uint32_t access)
{
    return &plan_of(addresses, access)->access;
}

bool fw_data_address_at(struct fw_data_addresses *addresses, uint32_t access,
                        const struct fw_point *point, int64_t *address)
{
    const struct plan *plan = plan_of(addresses, access);
    const struct fw_data_address *data = addresses->kernel->accesses[access].data;
    if (!plan->parts || !evaluate(addresses, data->rest, point, address))
        return false;
    for (uint32_t p = 0; p < data->part_count; p++) {
        const struct part_plan *part = &plan->parts[p];
        const struct fw_data_part *of = &data->parts[p];
        double usual;
        int64_t value;
        bool ordered = (part->model == INDEX && plan->access.kind != FW_INDEX_RANDOM) ||
                       part->model == ROW_END;
        if (ordered && usual_value(addresses, &plan->access, of, part, point, true, &usual)) {
            value = fabs(usual) < 0x1p60 ? llround(usual) : 0;
        } else if (part->model == BOUNDED) {
            uint64_t key = key_of(addresses, of, point);
            uint64_t steps = (uint64_t)(part->high - part->low) / (uint64_t)of->step;
            value = part->low + (int64_t)(key % (steps + 1)) * of->step;
        } else {
            value = (int64_t)(key_of(addresses, of, point) >> (64 - RANDOM_BITS));
        }
        if (fw_add_product_overflows(address, part->coefficient, value))
            return false;
    }
    return true;
}

/* ---- strides ---- */

/* One index of a shape: which of blocks and threads (0 to 5) or loops (6 on) it is. */
static uint32_t index_of(const struct fw_shape *shape, uint32_t v)
{
    for (uint32_t i = 0; i < INDICES; i++)
        if (shape->launch_variable[i] == (int8_t)v)
            return i;
    return shape->loop_of[v] != FW_NONE && !shape->quotient[v] ? INDICES + shape->loop_of[v]
                                                               : FW_NONE;
}

static bool varies_with(struct varying varying, uint32_t index)
{
    if (index >= INDICES)
        return index - INDICES < MAX_LOOPS && varying.loops >> (index - INDICES) & 1;
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
    const struct plan *plan = plan_of(addresses, access);
    const struct fw_data_address *data = addresses->kernel->accesses[access].data;
    int64_t iterations[MAX_LOOPS] = {0}, last = shape->high[v];
    struct fw_point from = {{0}, {0}, iterations}, to = from;
    int64_t there[MAX_LOOPS] = {0};
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
        if (usual_value(addresses, &plan->access, &data->parts[p], &plan->parts[p], &from, false,
                        &first) &&
            usual_value(addresses, &plan->access, &data->parts[p], &plan->parts[p], &to, false,
                        &second))
            step += (double)plan->parts[p].coefficient * (second - first) / (double)last;
    }
    return fabs(step) < FW_ADDRESS_MOST ? llround(step) : 0;
}

/* Bytes that the rest spans while one value of the part stays: a row. */
static double row_of(const struct fw_shape *shape, const struct part_plan *part, uint32_t bytes)
{
    double row = bytes;
    for (uint32_t v = 0; v < shape->variables; v++)
        if (!shape->quotient[v] && !varies_with(part->varying, index_of(shape, v)))
            row += fabs((double)shape->coefficient[v]) * (double)(extent_of(shape, v) - 1);
    return row;
}

/* Adds the strides of a part whose values are spread: rows of their own, or evenly over the range.
 * Its begin lies anywhere within a line. */
static void spread(const struct plan *plan, const struct part_plan *part,
                   const struct fw_data_part *of, struct fw_shape *shape, int64_t steps[],
                   int64_t *begin, uint32_t bytes)
{
    int64_t element = part->coefficient < 0 ? -part->coefficient : part->coefficient;
    double rows = 1, row = row_of(shape, part, bytes);
    uint64_t key = mix(2, of->value);
    (void)plan;
    element = element > 0 ? element : 1;
    int64_t places = element < ROW_ALIGNMENT ? ROW_ALIGNMENT / element : 1;
    *begin += (int64_t)(key % (uint64_t)places) * element;
    for (uint32_t v = 0; v < shape->variables; v++)
        if (varies_with(part->varying, index_of(shape, v)))
            rows *= (double)extent_of(shape, v);
    double step = (ceil(row / ROW_ALIGNMENT) * ROW_ALIGNMENT);
    if (element < SECTOR)
        step += (double)element * 5; /* rows begin at all places within a line */
    if (part->model == BOUNDED) {
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
}

/* Neighbours of an own element: iterations and instructions name others, all over the window. */
static void spread_near(const struct part_plan *part, const struct fw_data_part *of,
                        const struct fw_shape *shape, int64_t steps[], int64_t *begin)
{
    double trips = 1;
    for (uint32_t v = 0; v < shape->variables; v++)
        if (index_of(shape, v) >= INDICES && varies_with(part->varying, index_of(shape, v)))
            trips *= (double)extent_of(shape, v);
    if (trips <= 1) {
        *begin += part->coefficient * (int64_t)(mix(3, of->value) % FW_DATA_NEAR);
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
    const struct plan *plan = plan_of(addresses, access);
    const struct fw_data_address *data = addresses->kernel->accesses[access].data;
    int64_t steps[FW_SHAPE_VARIABLES] = {0}, begin = 0;
    if (plan->access.model != FW_DATA_MOVED)
        return;
    for (uint32_t p = 0; p < data->part_count; p++) {
        const struct part_plan *part = &plan->parts[p];
        bool random = part->model == INDEX && plan->access.kind == FW_INDEX_RANDOM;
        if (part->model == BOUNDED || part->model == UNBOUNDED || random)
            spread(plan, part, &data->parts[p], shape, steps, &begin,
                   addresses->kernel->accesses[access].bytes);
        else if (part->model == INDEX && plan->access.kind == FW_INDEX_NEIGHBOURS)
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
