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

static struct data_varying varying_of(const struct fw_data_addresses *addresses,
                                      const fw_expression *expressions, uint32_t count)
{
    struct data_varying varying = {0, 0};
    struct collection to = {addresses, &varying, 0};
    for (uint32_t i = 0; i < count; i++)
        fw_expression_any(&addresses->kernel->pool, expressions[i], collect, &to);
    return varying;
}

static bool of_threads(struct data_varying varying)
{
    return varying.launch >> 3 != 0;
}

static const struct fw_point *anywhere(void)
{
    static const int64_t first[DATA_LOOPS];
    static const struct fw_point point = {{0}, {0}, first};
    return &point;
}

/* ---- plans ---- */

static double executions(struct fw_data_addresses *addresses, uint32_t access)
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
    double all = 0, rows = executions(addresses, load);
    for (uint32_t a = first; a < kernel->access_count && a < index + NEAR_ACCESSES; a++) {
        const struct fw_data_address *data = kernel->accesses[a].data;
        bool same = false;
        for (uint32_t p = 0; data && p < data->part_count; p++)
            same |= data->parts[p].value == value;
        if (same && kernel->accesses[a].array == kernel->accesses[index].array)
            all += executions(addresses, a);
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
    if (!fw_bound_evaluate(addresses->bound, rest, anywhere(), &begin) ||
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
    plan->varying = varying_of(addresses, part->inputs, part->input_count);
    plan->unit = 1;
    int64_t size;
    if (!fw_bound_evaluate(addresses->bound, part->coefficient, anywhere(), &plan->coefficient) ||
        !fw_is_address(plan->coefficient))
        return false;
    bool bounded = part->low != FW_NO_EXPRESSION && part->high != FW_NO_EXPRESSION &&
                   fw_bound_evaluate(addresses->bound, part->low, anywhere(), &plan->low) &&
                   fw_bound_evaluate(addresses->bound, part->high, anywhere(), &plan->high) &&
                   plan->high >= plan->low &&
                   !fw_subtract_overflows(plan->high, plan->low, &size) &&
                   fabs((double)plan->coefficient) * ((double)size + 1) < unbounded;
    plan->choice_count = bounded ? part->choice_count : 0;
    for (uint32_t c = 0; c < plan->choice_count; c++)
        if (!fw_bound_evaluate(addresses->bound, part->choices[c], anywhere(), &plan->choices[c]))
            plan->choice_count = 0;
    *constant = bounded && fw_expression_constant(&kernel->pool, part->low, &size) &&
                fw_expression_constant(&kernel->pool, part->high, &size);
    uint32_t load = data_load(addresses, part);
    /* A list whose elements name the next: nothing tells where. */
    bool chases = load != FW_NONE && kernel->accesses[load].array == kernel->accesses[access].array;
    if (load != FW_NONE && part->is_row_end)
        plan->model = DATA_ROW_END;
    else if (load != FW_NONE && !chases && !*constant && of_threads(plan->varying))
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

/* Bytes of an array, where they are known, else a bound that no access passes. */
static double array_bytes(const struct fw_data_addresses *addresses, const struct fw_access *access)
{
    uint64_t bytes = access->array == FW_NONE ? 0 : addresses->kernel->arrays[access->array].bytes;
    if (bytes)
        return (double)bytes;
    return data_stated_bytes(addresses, access) > 0 ? data_stated_bytes(addresses, access) : 0x1p48;
}

/* The number of threads of the launch that a value differs between. */
static double places_of(const struct fw_data_addresses *addresses, struct data_varying varying)
{
    double places = 1;
    for (uint32_t d = 0; d < 3; d++) {
        places *= varying.launch >> d & 1 ? addresses->launch->grid[d] : 1;
        places *= varying.launch >> (3 + d) & 1 ? addresses->launch->block[d] : 1;
    }
    return places;
}

/* The elements that an index array chooses from: as many as it is asked at different threads, or as
 * there are rows of a ragged array that it lies in, whose columns are as many, or as it has itself
 * where a mask tells. */
static double elements_of(struct fw_data_addresses *addresses, const struct fw_data_part *part,
                          const struct data_part_plan *plan, bool *round)
{
    const struct fw_kernel *kernel = addresses->kernel;
    const struct fw_launch *launch = addresses->launch;
    const struct fw_data_address *index = kernel->accesses[data_load(addresses, part)].data;
    static const int64_t first[DATA_LOOPS];
    struct fw_point last = {{0}, {0}, first};
    double begin, end;
    for (uint32_t d = 0; d < 3; d++) {
        last.block[d] = launch->grid[d] - 1;
        last.thread[d] = launch->block[d] - 1;
    }
    for (uint32_t p = 0; index && p < index->part_count; p++) {
        uint32_t rows = data_load(addresses, &index->parts[p]);
        if (index->parts[p].is_row_end &&
            data_element(addresses, rows, anywhere(), false, &begin) &&
            data_element(addresses, rows, &last, false, &end))
            return fabs(end - begin) + 1;
    }
    double elements = data_elements_round(addresses, data_load(addresses, part));
    *round = elements > 0;
    return *round ? elements : places_of(addresses, plan->varying);
}

/* Whether an access is at what a load of the same array gave: the one before it in a list, or that
 * of the iteration before, which the record does not name (`carried`). */
static bool follows_list(const struct fw_data_addresses *addresses, const struct fw_access *access,
                         bool *carried)
{
    const struct fw_data_address *data = access->data;
    if (!data || data->part_count != 1 || access->direction != FW_LOAD ||
        addresses->kernel->domains[access->domain].innermost == FW_NONE)
        return false;
    uint32_t load = data_load(addresses, &data->parts[0]);
    *carried = load == FW_NONE;
    return *carried || addresses->kernel->accesses[load].array == access->array;
}

/* Bytes of the places of a list that a launch comes to: one for each load, in a sector of its own;
 * 0: the access follows no list. */
static double list_bytes(struct fw_data_addresses *addresses, const struct fw_access *access)
{
    const struct fw_kernel *kernel = addresses->kernel;
    double loads = 0;
    bool carried, list = false;
    if (!follows_list(addresses, access, &carried))
        return 0;
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        if (kernel->accesses[a].array != access->array ||
            !follows_list(addresses, &kernel->accesses[a], &carried))
            continue;
        list |= !carried;
        loads += executions(addresses, a);
    }
    return list ? loads * FW_SECTOR_BYTES : 0;
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
            struct data_varying varying = varying_of(addresses, &access->data->rest, 1);
            for (uint32_t p = 0; p < access->data->part_count; p++)
                varying.launch |= varying_of(addresses, access->data->parts[p].inputs,
                                             access->data->parts[p].input_count)
                                      .launch;
            addresses->asked[access->array] += executions(addresses, a) * access->bytes /
                                               (of_threads(varying) ? 1 : FW_WARP_THREADS);
        }
    }
    return addresses->asked[array];
}

/* Takes an access that a search by halves makes to be at the middle of what each step leaves: twice
 * as many places as the step before, over as many bytes as it begins with.  False: it is none. */
static bool decide_search(struct fw_data_addresses *addresses, const struct fw_access *access,
                          struct data_plan *plan)
{
    const struct fw_kernel *kernel = addresses->kernel;
    const uint32_t loop = kernel->domains[access->domain].innermost;
    int64_t left = 0;
    if (loop == FW_NONE || !kernel->loops[loop].halves || access->data->part_count != 1 ||
        !of_threads(plan->parts[0].varying) || access->direction != FW_LOAD ||
        !fw_bound_evaluate(addresses->bound, kernel->loops[loop].left, anywhere(), &left) ||
        left == 0)
        return false;
    const double places = fabs((double)left);
    plan->access.model = FW_DATA_DRAWN;
    plan->access.levels = fmax(1, log2(places + 1));
    plan->access.extent =
        fmin(array_bytes(addresses, access),
             fmax(access->bytes, places * fabs((double)plan->parts[0].coefficient)));
    return true;
}

/* How often one entry of the innermost loop around an access executes it. */
static double executions_of_entry(struct fw_data_addresses *addresses, uint32_t index)
{
    const struct fw_kernel *kernel = addresses->kernel;
    uint32_t domain = kernel->accesses[index].domain;
    const uint32_t loop = kernel->domains[domain].innermost;
    while (kernel->domains[domain].kind == FW_DOMAIN_RESTRICT)
        domain = kernel->domains[domain].parent;
    if (loop == FW_NONE || kernel->domains[domain].kind != FW_DOMAIN_LOOP)
        return 0;
    const double entries =
        fw_bound_count(addresses->bound, kernel->domains[domain].parent)->estimate;
    return entries > 0 ? fw_bound_count(addresses->bound, domain)->estimate / entries : 0;
}

/* Takes an access that walks down a binary tree, as its only part that differs between threads
 * says, to be at any of the places of its step.  False: it is none, or threads have trees of their
 * own. */
static bool decide_walk(struct fw_data_addresses *addresses, uint32_t index, struct data_plan *plan)
{
    const struct fw_access *access = &addresses->kernel->accesses[index];
    const struct data_varying rest = varying_of(addresses, &access->data->rest, 1);
    const uint32_t loop = addresses->kernel->domains[access->domain].innermost;
    int64_t iterations[DATA_LOOPS] = {0}, first = 0, second = 0;
    const struct fw_point next = {{0}, {0}, iterations};
    uint32_t part = FW_NONE;
    for (uint32_t p = 0; p < access->data->part_count; p++)
        if (of_threads(plan->parts[p].varying)) {
            if (part != FW_NONE)
                return false;
            part = p;
        }
    if (part == FW_NONE || access->data->parts[part].steps == FW_NO_EXPRESSION ||
        access->direction != FW_LOAD || rest.launch)
        return false;
    const fw_expression steps = access->data->parts[part].steps;
    if (!fw_bound_evaluate(addresses->bound, steps, anywhere(), &first) || first < 0)
        return false;
    second = first;
    if (loop != FW_NONE) {
        iterations[loop] = 1;
        if (!fw_bound_evaluate(addresses->bound, steps, &next, &second))
            return false;
    }
    const double threads = places_of(addresses, (struct data_varying){.launch = 63});
    struct fw_tree_walk *walk = &plan->access.walk;
    walk->first = (double)first;
    walk->each = fmax(0, (double)second - (double)first);
    walk->count = walk->each > 0 ? fmax(1, executions_of_entry(addresses, index)) : 1;
    walk->trees = rest.loops ? fmax(1, executions(addresses, index) / threads / walk->count) : 1;
    walk->node = fabs((double)plan->parts[part].coefficient);
    plan->access.model = FW_DATA_DRAWN;
    plan->access.extent =
        fmin(array_bytes(addresses, access),
             fmax(access->bytes, walk->trees * walk->node *
                                     exp2(fmin(40, walk->first + walk->each * (walk->count - 1)))));
    return true;
}

/* Takes an access that comes again and again to a row of each thread's own, in columns that data
 * choose, to draw them.  False: it comes once, or threads share the row. */
static bool decide_columns(struct fw_data_addresses *addresses, uint32_t index,
                           struct data_plan *plan, struct data_varying rest)
{
    const struct fw_access *access = &addresses->kernel->accesses[index];
    const double rows = places_of(addresses, rest);
    if (!plan->columns || rest.loops || !of_threads(rest))
        return false;
    const double chosen = executions(addresses, index) / rows;
    if (chosen <= 1)
        return false;
    plan->access.columns = (struct fw_columns){(double)plan->columns, rows, chosen};
    plan->access.model = FW_DATA_DRAWN;
    plan->access.extent = fmin(array_bytes(addresses, access), (double)plan->columns * rows);
    return true;
}

/* Decides what is taken of an access, its parts being planned. */
static void decide(struct fw_data_addresses *addresses, uint32_t index, struct data_plan *plan)
{
    const struct fw_access *access = &addresses->kernel->accesses[index];
    struct data_varying all = {0, 0}, rest = varying_of(addresses, &access->data->rest, 1);
    double range = access->bytes, elements = 0;
    bool unknown = false, near = false;
    for (uint32_t p = 0; p < access->data->part_count; p++) {
        const struct data_part_plan *part = &plan->parts[p];
        double size = fabs((double)part->coefficient);
        all.launch |= part->varying.launch;
        if (!of_threads(part->varying))
            continue;
        near |= part->model == DATA_INDEX || part->model == DATA_ROW_END;
        unknown |= part->model == DATA_UNBOUNDED;
        if (part->model == DATA_BOUNDED)
            range += size * ((double)part->high - (double)part->low);
        if (part->model == DATA_INDEX)
            elements =
                size * elements_of(addresses, &access->data->parts[p], part, &plan->access.round);
    }
    plan->access.model = FW_DATA_MOVED;
    if (decide_columns(addresses, index, plan, rest))
        return;
    if (unknown && (decide_walk(addresses, index, plan) || decide_search(addresses, access, plan)))
        return;
    if (unknown) {
        double places = list_bytes(addresses, access);
        plan->access.model = places > 0 ? FW_DATA_DRAWN : FW_DATA_OPEN;
        plan->access.list = places > 0;
        plan->access.extent = fmin(array_bytes(addresses, access), places);
    } else if (plan->access.by_index && plan->access.kind == FW_INDEX_RANDOM && rest.launch == 0 &&
               rest.loops == 0) {
        plan->access.model = FW_DATA_DRAWN;
        plan->access.extent = fmin(array_bytes(addresses, access), elements);
    } else if (!near && of_threads(all) && rest.launch == 0) {
        plan->access.model = FW_DATA_DRAWN;
        plan->access.extent = fmin(array_bytes(addresses, access), range);
    }
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
        if (access->array == FW_NONE && of_threads(part->varying) &&
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
        decide(addresses, index, plan);
    if (lies_apart(plan, access->data->part_count) && data_stated_bytes(addresses, access) > 0 &&
        asked_of(addresses, access->array) > data_stated_bytes(addresses, access))
        plan->access.within = data_stated_bytes(addresses, access);
    return plan;
}

const struct fw_data_access *fw_data_access(struct fw_data_addresses *addresses, uint32_t access)
{
    return &data_plan(addresses, access)->access;
}
