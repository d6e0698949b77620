#include "data_address_internal.h"

#include "address_range.h"
#include "checked.h"
#include "memory_sizes.h"

#include <math.h>
#include <string.h>

enum { NEAR_ACCESSES = 256 }; /* of one loop's body */

static const double unbounded = 0x1p31; /* bytes of a range that bounds nothing */

struct fw_data_addresses *fw_data_addresses_new(struct fw_arena *arena,
                                                const struct fw_kernel *kernel,
                                                struct fw_bound *bound,
                                                const struct fw_launch *launch)
{
    struct fw_data_addresses *addresses = FW_NEW(arena, struct fw_data_addresses);
    *addresses = (struct fw_data_addresses){
        .arena = arena, .kernel = kernel, .bound = bound, .launch = launch};
    addresses->plans = FW_ARRAY(arena, struct data_plan, kernel->access_count + 1);
    addresses->access_of = FW_ARRAY(arena, uint32_t, kernel->schedule_count + 1);
    for (uint32_t a = kernel->access_count; a-- > 0;)
        if (kernel->accesses[a].instruction < kernel->schedule_count &&
            kernel->accesses[a].direction == FW_LOAD)
            addresses->access_of[kernel->accesses[a].instruction] = a + 1;
    return addresses;
}

uint32_t data_load(const struct fw_data_addresses *addresses, const struct fw_data_part *part)
{
    uint32_t found =
        part->loaded < addresses->kernel->schedule_count ? addresses->access_of[part->loaded] : 0;
    return found ? found - 1 : FW_NONE;
}

/* ---- what values vary with ---- */

enum { MOST_VISITS = 4000 }; /* of atoms: beyond, a value varies with everything */

struct collection {
    const struct fw_data_addresses *addresses;
    struct data_varying *varying;
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
    if (node->kind == FW_ATOM_ITERATION && node->a < DATA_LOOPS)
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

struct data_varying data_varying_of(const struct fw_data_addresses *addresses,
                                    const fw_expression *expressions, uint32_t count)
{
    struct data_varying varying = {0, 0};
    struct collection to = {addresses, &varying, 0};
    for (uint32_t i = 0; i < count; i++)
        fw_expression_any(&addresses->kernel->pool, expressions[i], collect, &to);
    return varying;
}

bool data_of_threads(struct data_varying varying)
{
    return varying.launch >> 3 != 0;
}

const struct fw_point *data_anywhere(void)
{
    static const int64_t first[DATA_LOOPS];
    static const struct fw_point point = {{0}, {0}, first};
    return &point;
}

/* ---- plans ---- */

double data_executions(struct fw_data_addresses *addresses, uint32_t access)
{
    return fw_bound_count(addresses->bound, addresses->kernel->accesses[access].domain)->estimate;
}

/* The threads, one after the other, that load the same end of a row and share its elements out
 * among themselves: 1 where each goes through all of them. */
static double sharers_of_row(struct fw_data_addresses *addresses, uint32_t index, uint32_t load)
{
    int64_t first[DATA_LOOPS] = {0}, begin = 0, next = 0;
    struct fw_point at = {{0}, {0}, first};
    const fw_expression rest = addresses->kernel->accesses[index].data->rest;
    double row, other;
    uint32_t threads = addresses->launch->block[0], count = 1;
    if (threads < 2 || !data_element(addresses, load, &at, false, &row) ||
        !fw_bound_evaluate(addresses->bound, rest, &at, &begin))
        return 1;
    at.thread[0] = 1;
    if (!fw_bound_evaluate(addresses->bound, rest, &at, &next) || next == begin)
        return 1;
    for (; count < threads; count++) {
        at.thread[0] = count;
        if (!data_element(addresses, load, &at, false, &other) || fabs(other - row) > 0)
            break;
    }
    return count;
}

/* The mean number of elements of a row: how often the accesses to one array that begin at the same
 * row end run, for each time that it is loaded by all that share the row. */
static double mean_row(struct fw_data_addresses *addresses, uint32_t index, uint32_t value,
                       uint32_t load)
{
    const struct fw_kernel *kernel = addresses->kernel;
    uint32_t first = index > NEAR_ACCESSES ? index - NEAR_ACCESSES : 0;
    double all = 0, rows = data_executions(addresses, load);
    for (uint32_t a = first; a < kernel->access_count && a < index + NEAR_ACCESSES; a++) {
        const struct fw_data_address *data = kernel->accesses[a].data;
        bool same = false;
        for (uint32_t p = 0; data && p < data->part_count; p++)
            same |= data->parts[p].value == value;
        if (same && kernel->accesses[a].array == kernel->accesses[index].array)
            all += data_executions(addresses, a);
    }
    rows /= sharers_of_row(addresses, index, load);
    return rows > 0 && all > rows ? all / rows : 1;
}

/* The elements of an index array from one thread to the next: its smallest stride. */
static int64_t unit_of(struct fw_data_addresses *addresses, uint32_t load)
{
    int64_t first[DATA_LOOPS] = {0}, unit = 0;
    struct fw_point at = {{0}, {0}, first};
    double begin, next;
    if (!data_element(addresses, load, &at, false, &begin))
        return 1;
    for (uint32_t d = 0; d < 3; d++) {
        if (addresses->launch->block[d] < 2)
            continue;
        at.thread[d] = 1;
        bool known = data_element(addresses, load, &at, false, &next);
        at.thread[d] = 0;
        int64_t step = known && fabs(next - begin) < 0x1p40 ? llround(fabs(next - begin)) : 0;
        if (step > 0 && (unit == 0 || step < unit))
            unit = step;
    }
    return unit > 0 ? unit : 1;
}

/* How far the rest of an address is at a point from where it is at the first one. */
static bool step_of_rest(struct fw_data_addresses *addresses, fw_expression rest,
                         const struct fw_point *point, int64_t *step)
{
    int64_t begin, end;
    if (!fw_bound_evaluate(addresses->bound, rest, data_anywhere(), &begin) ||
        !fw_bound_evaluate(addresses->bound, rest, point, &end) ||
        fw_subtract_overflows(end, begin, step) || *step == INT64_MIN)
        return false;
    *step = *step < 0 ? -*step : *step;
    return true;
}

/* The bytes of the rows that the rest of an address steps by: the least that a thread or a block
 * moves it by, where all others, and loops, move it by multiples of that; 0: nothing moves it so.
 */
static int64_t stride_of_rest(struct fw_data_addresses *addresses, uint32_t access)
{
    const fw_expression rest = addresses->kernel->accesses[access].data->rest;
    const struct fw_launch *launch = addresses->launch;
    int64_t iterations[DATA_LOOPS] = {0}, least = 0, steps[6 + DATA_LOOPS];
    struct fw_point at = {{0}, {0}, iterations};
    uint32_t count = 0;
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t *of = i < 3 ? &at.block[i] : &at.thread[i - 3];
        if ((i < 3 ? launch->grid[i] : launch->block[i - 3]) < 2)
            continue;
        *of = 1;
        if (!step_of_rest(addresses, rest, &at, &steps[count]))
            return 0;
        *of = 0;
        if (steps[count] > 0 && (least == 0 || steps[count] < least))
            least = steps[count];
        count++;
    }
    for (uint32_t l = 0; l < addresses->kernel->loop_count && least; l++) {
        iterations[l] = 1;
        if (!step_of_rest(addresses, rest, &at, &steps[count++]))
            return 0;
        iterations[l] = 0;
    }
    for (uint32_t i = 0; i < count && least; i++)
        if (steps[i] % least)
            return 0;
    return least;
}

/* Takes an index that is added to the begin of a row, which an argument or a constant has as far
 * from the next as some elements, to be a column: it stays within the row. */
static void plan_column(struct fw_data_addresses *addresses, uint32_t access,
                        struct data_part_plan *plan, int64_t *row)
{
    const int64_t stride = stride_of_rest(addresses, access), element = plan->coefficient;
    if (element <= 0 || stride / element < 2 || stride % element ||
        addresses->kernel->accesses[access].data->part_count != 1)
        return;
    plan->model = DATA_BOUNDED;
    plan->low = 0;
    plan->high = stride / element - 1;
    *row = stride;
}

/* The order of the elements of an index array that a launch states; FW_INDEX_USUAL: it does not. */
static uint8_t stated_kind(const struct fw_data_addresses *addresses,
                           const struct fw_access *access, uint32_t load)
{
    const struct fw_kernel *kernel = addresses->kernel;
    const uint32_t arrays[2] = {access->array, kernel->accesses[load].array};
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t parameter = arrays[i] == FW_NONE ? FW_NONE : kernel->arrays[arrays[i]].parameter;
        if (parameter != FW_NONE && addresses->launch->kinds && addresses->launch->kinds[parameter])
            return addresses->launch->kinds[parameter];
    }
    return FW_INDEX_USUAL;
}

/* Whether neighbouring threads go along rows of their own: in how far they are apart in these, they
 * come to no other's sectors. */
static bool in_own_sectors(struct fw_data_addresses *addresses, uint32_t access)
{
    static const int64_t first[DATA_LOOPS];
    struct fw_point next = {{0}, {0}, first};
    int64_t step;
    for (uint32_t d = 0; d < 3; d++)
        if (addresses->launch->block[d] > 1) {
            next.thread[d] = 1;
            return step_of_rest(addresses, addresses->kernel->accesses[access].data->rest, &next,
                                &step) &&
                   step >= FW_SECTOR_BYTES;
        }
    return false;
}

/* How far data move an access of an array from a thread's own place: as a launch states it, else as
 * far as is bounded, else as is usual. */
static void displace(struct fw_data_addresses *addresses, uint32_t index,
                     struct data_part_plan *plan, bool bounded, bool cursor)
{
    const struct fw_access *access = &addresses->kernel->accesses[index];
    const uint32_t parameter =
        access->array == FW_NONE ? FW_NONE : addresses->kernel->arrays[access->array].parameter;
    const double *all = addresses->launch->displacements;
    const double stated = parameter == FW_NONE || !all ? (double)NAN : all[parameter];
    if (parameter != FW_NONE && addresses->launch->spreads &&
        addresses->launch->spreads[parameter] > 0) { /* it is stated that they lie anywhere */
        plan->model = DATA_UNBOUNDED;
        return;
    }
    plan->model = DATA_BOUNDED;
    plan->displaced = true;
    addresses->plans[index].access.displaced = true;
    addresses->plans[index].access.cursor |= cursor;
    if ((bounded && isnan(stated)) || (cursor && in_own_sectors(addresses, index)))
        return;
    addresses->plans[index].access.usually_displaced |= isnan(stated);
    plan->high = isnan(stated) ? FW_DATA_DISPLACED : llround(stated);
    plan->low = -plan->high;
    plan->choice_count = 0;
}

/* Whether an element that each thread loads at a place of its own is added to one: the rest moves
 * by an element from thread to thread, along an axis that each has its own element of.  False where
 * the order of the elements is stated. */
static bool is_displacement(struct fw_data_addresses *addresses, const struct fw_access *access,
                            const struct fw_data_part *part, const struct data_part_plan *plan,
                            uint32_t load)
{
    const struct fw_launch *launch = addresses->launch;
    static const int64_t first[DATA_LOOPS];
    struct fw_point at = {{0}, {0}, first};
    int64_t step;
    if (addresses->kernel->accesses[load].data_dependent || stated_kind(addresses, access, load) ||
        data_threads_together(addresses, part) > 1)
        return false;
    for (uint32_t d = 0; d < 3; d++) {
        if (launch->block[d] < 2 || !(plan->varying.launch >> (3 + d) & 1))
            continue;
        at.thread[d] = 1;
        if (step_of_rest(addresses, access->data->rest, &at, &step) &&
            step == (plan->coefficient < 0 ? -plan->coefficient : plan->coefficient))
            return true;
        at.thread[d] = 0;
    }
    return false;
}

/* Plans one part.  False: it has no coefficient that is known. */
static bool plan_part(struct fw_data_addresses *addresses, uint32_t access, uint32_t p,
                      struct data_part_plan *plan, bool *constant)
{
    const struct fw_kernel *kernel = addresses->kernel;
    const struct fw_data_part *part = &kernel->accesses[access].data->parts[p];
    memset(plan, 0, sizeof(*plan));
    plan->varying = data_varying_of(addresses, part->inputs, part->input_count);
    plan->unit = 1;
    int64_t size;
    if (!fw_bound_evaluate(addresses->bound, part->coefficient, data_anywhere(),
                           &plan->coefficient) ||
        !fw_is_address(plan->coefficient))
        return false;
    bool bounded = part->low != FW_NO_EXPRESSION && part->high != FW_NO_EXPRESSION &&
                   fw_bound_evaluate(addresses->bound, part->low, data_anywhere(), &plan->low) &&
                   fw_bound_evaluate(addresses->bound, part->high, data_anywhere(), &plan->high) &&
                   plan->high >= plan->low &&
                   !fw_subtract_overflows(plan->high, plan->low, &size) &&
                   fabs((double)plan->coefficient) * ((double)size + 1) < unbounded;
    plan->choice_count = bounded ? part->choice_count : 0;
    for (uint32_t c = 0; c < plan->choice_count; c++)
        if (!fw_bound_evaluate(addresses->bound, part->choices[c], data_anywhere(),
                               &plan->choices[c]))
            plan->choice_count = 0;
    *constant = bounded && fw_expression_constant(&kernel->pool, part->low, &size) &&
                fw_expression_constant(&kernel->pool, part->high, &size);
    uint32_t load = data_load(addresses, part);
    /* A list whose elements name the next: nothing tells where. */
    bool chases = load != FW_NONE && kernel->accesses[load].array == kernel->accesses[access].array;
    if (load != FW_NONE && part->is_row_end)
        plan->model = DATA_ROW_END;
    else if (load != FW_NONE && !chases && !*constant && data_of_threads(plan->varying))
        plan->model = DATA_INDEX;
    else
        plan->model = bounded ? DATA_BOUNDED : DATA_UNBOUNDED;
    if (plan->model == DATA_INDEX)
        plan_column(addresses, access, plan, &addresses->plans[access].columns);
    if (part->displaced)
        displace(addresses, access, plan, bounded, part->cursor);
    else if (plan->model == DATA_INDEX &&
             is_displacement(addresses, &kernel->accesses[access], part, plan, load))
        displace(addresses, access, plan, false, false);
    data_find_labels(addresses, &kernel->accesses[access], part, plan);
    return true;
}

double data_stated_bytes(const struct fw_data_addresses *addresses, const struct fw_access *access)
{
    const uint32_t parameter =
        access->array == FW_NONE ? FW_NONE : addresses->kernel->arrays[access->array].parameter;
    return parameter == FW_NONE || !addresses->launch->sizes ? 0
                                                             : addresses->launch->sizes[parameter];
}

/* Bytes that threads ask for at places of an array that data choose, a warp whose lanes have one
 * address for one of them. */
static double asked_of(struct fw_data_addresses *addresses, uint32_t array)
{
    const struct fw_kernel *kernel = addresses->kernel;
    if (!addresses->asked) {
        addresses->asked = FW_ARRAY(addresses->arena, double, kernel->array_count + 1);
        for (uint32_t a = 0; a < kernel->access_count; a++) {
            const struct fw_access *access = &kernel->accesses[a];
            if (!access->data || access->array == FW_NONE)
                continue;
            struct data_varying varying = data_varying_of(addresses, &access->data->rest, 1);
            for (uint32_t p = 0; p < access->data->part_count; p++)
                varying.launch |= data_varying_of(addresses, access->data->parts[p].inputs,
                                                  access->data->parts[p].input_count)
                                      .launch;
            addresses->asked[access->array] += data_executions(addresses, a) * access->bytes /
                                               (data_of_threads(varying) ? 1 : FW_WARP_THREADS);
        }
    }
    return addresses->asked[array];
}

/* Whether rows that data choose are taken to lie apart from each other; those that labels choose
 * are not, which several blocks have. */
static bool lies_apart(const struct data_plan *plan, uint32_t parts)
{
    bool apart = false;
    for (uint32_t p = 0; p < parts; p++)
        apart |= plan->parts[p].model == DATA_UNBOUNDED || plan->parts[p].model == DATA_INDEX;
    return apart && !plan->access.labelled && plan->access.model == FW_DATA_MOVED &&
           !plan->access.rows && !plan->access.ranked &&
           !(plan->access.by_index && plan->access.kind != FW_INDEX_RANDOM);
}

struct data_plan *data_plan(struct fw_data_addresses *addresses, uint32_t index)
{
    struct data_plan *plan = &addresses->plans[index];
    const struct fw_access *access = &addresses->kernel->accesses[index];
    if (plan->known)
        return plan;
    plan->known = true;
    if (!access->data || access->bulk || access->tile ||
        (access->array == FW_NONE && access->space != FW_SPACE_GLOBAL) ||
        addresses->kernel->loop_count > DATA_LOOPS)
        return plan;
    struct data_part_plan *parts =
        FW_ARRAY(addresses->arena, struct data_part_plan, access->data->part_count);
    for (uint32_t p = 0; p < access->data->part_count; p++) {
        struct data_part_plan *part = &parts[p];
        bool constant;
        if (!plan_part(addresses, index, p, part, &constant))
            return plan;
        const struct fw_data_part *of = &access->data->parts[p];
        uint32_t load = data_load(addresses, of);
        /* Of an array whose begin is loaded, lanes are as far apart as the offset has them, where
         * parts do not tell that. */
        if (access->array == FW_NONE && data_of_threads(part->varying) &&
            data_threads_together(addresses, of) == 1)
            return plan;
        if (part->model == DATA_ROW_END) {
            part->mean_row = mean_row(addresses, index, of->value, load);
            plan->access.rows = true;
        }
        if (part->model == DATA_INDEX) {
            plan->access.by_index = true;
            const uint8_t kind = stated_kind(addresses, access, load);
            plan->access.kind = kind == FW_INDEX_USUAL ? FW_INDEX_RANDOM : kind;
            part->unit = unit_of(addresses, load);
        }
        plan->access.labelled |= part->labels.count > 0;
        plan->access.usual_range |= of->usual_range && part->model == DATA_BOUNDED;
    }
    plan->parts = parts;
    plan->access.ranked = access->data->ranked;
    if (access->array != FW_NONE) /* else lanes lie to each other as their parts say: no more */
        data_decide(addresses, index, plan);
    if (lies_apart(plan, access->data->part_count) && data_stated_bytes(addresses, access) > 0 &&
        asked_of(addresses, access->array) > data_stated_bytes(addresses, access))
        plan->access.within = data_stated_bytes(addresses, access);
    return plan;
}

const struct fw_data_access *fw_data_access(struct fw_data_addresses *addresses, uint32_t access)
{
    return &data_plan(addresses, access)->access;
}
