/* What an access with parts that data decide is taken to be, and over how many bytes its places are
 * drawn: columns of rows, walks down trees, searches by halves, lists, elements of an index. */
#include "data_address_internal.h"

#include "address_range.h"
#include "memory_sizes.h"

#include <math.h>

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
            data_element(addresses, rows, data_anywhere(), false, &begin) &&
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
        loads += data_executions(addresses, a);
    }
    return list ? loads * FW_SECTOR_BYTES : 0;
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
        !data_of_threads(plan->parts[0].varying) || access->direction != FW_LOAD ||
        !fw_bound_evaluate(addresses->bound, kernel->loops[loop].left, data_anywhere(), &left) ||
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
    const struct data_varying rest = data_varying_of(addresses, &access->data->rest, 1);
    const uint32_t loop = addresses->kernel->domains[access->domain].innermost;
    int64_t iterations[DATA_LOOPS] = {0}, first = 0, second = 0;
    const struct fw_point next = {{0}, {0}, iterations};
    uint32_t part = FW_NONE;
    for (uint32_t p = 0; p < access->data->part_count; p++)
        if (data_of_threads(plan->parts[p].varying)) {
            if (part != FW_NONE)
                return false;
            part = p;
        }
    if (part == FW_NONE || access->data->parts[part].steps == FW_NO_EXPRESSION ||
        access->direction != FW_LOAD || rest.launch)
        return false;
    const fw_expression steps = access->data->parts[part].steps;
    if (!fw_bound_evaluate(addresses->bound, steps, data_anywhere(), &first) || first < 0)
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
    walk->trees =
        rest.loops ? fmax(1, data_executions(addresses, index) / threads / walk->count) : 1;
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
    if (!plan->columns || rest.loops || !data_of_threads(rest))
        return false;
    const double chosen = data_executions(addresses, index) / rows;
    if (chosen <= 1)
        return false;
    plan->access.columns = (struct fw_columns){(double)plan->columns, rows, chosen};
    plan->access.model = FW_DATA_DRAWN;
    plan->access.extent = fmin(array_bytes(addresses, access), (double)plan->columns * rows);
    return true;
}

void data_decide(struct fw_data_addresses *addresses, uint32_t index, struct data_plan *plan)
{
    const struct fw_access *access = &addresses->kernel->accesses[index];
    struct data_varying all = {0, 0}, rest = data_varying_of(addresses, &access->data->rest, 1);
    double range = access->bytes, elements = 0;
    bool unknown = false, near = false;
    for (uint32_t p = 0; p < access->data->part_count; p++) {
        const struct data_part_plan *part = &plan->parts[p];
        double size = fabs((double)part->coefficient);
        all.launch |= part->varying.launch;
        if (!data_of_threads(part->varying))
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
    } else if (!near && data_of_threads(all) && rest.launch == 0) {
        plan->access.model = FW_DATA_DRAWN;
        plan->access.extent = fmin(array_bytes(addresses, access), range);
    }
}
