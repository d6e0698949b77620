/* Values of the parts of addresses that data decide, at one thread and iteration. */
#include "data_address_internal.h"

#include "checked.h"
#include "random.h"

#include <math.h>

enum { MAX_NESTED = 3, RANDOM_BITS = 24, MOST_STEPS = 40, ARRAY_ALIGNMENT = 256 };

uint64_t data_mix(uint64_t key, uint64_t value)
{
    struct fw_random random = {key ^ value};
    return fw_random_next(&random);
}

/* A random number that is the same wherever a part's inputs are. */
static uint64_t key_of(struct fw_data_addresses *addresses, const struct fw_data_part *part,
                       const struct fw_point *point)
{
    uint64_t key = data_mix(1, part->value);
    for (uint32_t i = 0; i < part->input_count; i++) {
        int64_t value = 0;
        if (!fw_bound_evaluate(addresses->bound, part->inputs[i], point, &value)) {
            for (uint32_t d = 0; d < 3; d++)
                key = data_mix(data_mix(key, point->block[d]), point->thread[d]);
            continue;
        }
        key = data_mix(key, (uint64_t)value);
    }
    return key;
}

static const int64_t first_iterations[DATA_LOOPS];

/* The element that a part's load asks for at the first thread and iteration; asked for once, but
 * for loads that others are nested in, as these may be too deep. */
static bool find_begin(struct fw_data_addresses *addresses, struct data_part_plan *plan,
                       uint32_t load, double *begin)
{
    const struct fw_point origin = {{0}, {0}, first_iterations};
    if (addresses->nested)
        return data_element(addresses, load, &origin, false, begin);
    if (plan->origin == ORIGIN_UNASKED)
        plan->origin = data_element(addresses, load, &origin, false, &plan->begin) ? ORIGIN_KNOWN
                                                                                   : ORIGIN_UNKNOWN;
    *begin = plan->begin;
    return plan->origin == ORIGIN_KNOWN;
}

bool data_usual_value(struct fw_data_addresses *addresses, const struct fw_data_access *access,
                      const struct fw_data_part *part, struct data_part_plan *plan,
                      const struct fw_point *point, bool random, double *value)
{
    struct fw_point here = *point;
    double element, begin;
    *value = 0;
    if (plan->model != DATA_ROW_END &&
        (plan->model != DATA_INDEX || access->kind == FW_INDEX_RANDOM))
        return true;
    bool near = plan->model == DATA_INDEX && access->kind == FW_INDEX_NEIGHBOURS;
    if (near)
        here.iterations = first_iterations;
    uint32_t load = data_load(addresses, part);
    if (!data_element(addresses, load, &here, random && !near, &element) ||
        !find_begin(addresses, plan, load, &begin))
        return false;
    *value = plan->model == DATA_ROW_END ? plan->mean_row * element
             : near                      ? (element - begin) / (double)plan->unit
                                         : element;
    if (near && random)
        *value += (double)(key_of(addresses, part, point) % FW_DATA_NEAR) - FW_DATA_NEAR / 2;
    return true;
}

bool data_element(struct fw_data_addresses *addresses, uint32_t load, const struct fw_point *point,
                  bool random, double *element)
{
    if (load == FW_NONE || addresses->nested == MAX_NESTED)
        return false;
    const struct fw_access *access = &addresses->kernel->accesses[load];
    const struct data_plan *plan = access->data ? data_plan(addresses, load) : NULL;
    int64_t rest;
    if (!access->bytes || (access->data_dependent && !access->data) || (plan && !plan->parts) ||
        !fw_bound_evaluate(addresses->bound, access->data ? access->data->rest : access->offset,
                           point, &rest))
        return false;
    double address = (double)rest;
    addresses->nested++;
    bool known = true;
    for (uint32_t p = 0; plan && p < access->data->part_count && known; p++) {
        double value;
        known = data_usual_value(addresses, &plan->access, &access->data->parts[p], &plan->parts[p],
                                 point, random, &value);
        address += known ? (double)plan->parts[p].coefficient * value : 0;
    }
    addresses->nested--;
    *element = address / access->bytes;
    return known;
}

/* What is loaded for the begin of an array is a multiple of so many bytes. */
static int64_t alignment_of(const struct fw_access *access, const struct data_part_plan *part)
{
    return access->array == FW_NONE && part->coefficient == 1 ? ARRAY_ALIGNMENT : 1;
}

/* The places of a step of a walk down a binary tree: as many as the first of them is far from 0.
 * 0: a part is no walk, or the step is not known. */
static int64_t places_of_step(struct fw_data_addresses *addresses, const struct fw_data_part *part,
                              const struct fw_point *point)
{
    int64_t steps;
    return part->steps != FW_NO_EXPRESSION &&
                   fw_bound_evaluate(addresses->bound, part->steps, point, &steps) && steps >= 0
               ? (int64_t)1 << (steps < MOST_STEPS ? steps : MOST_STEPS)
               : 0;
}

bool fw_data_address_at(struct fw_data_addresses *addresses, uint32_t access,
                        const struct fw_point *point, int64_t *address)
{
    const struct data_plan *plan = data_plan(addresses, access);
    const struct fw_data_address *data = addresses->kernel->accesses[access].data;
    if (!plan->parts || !fw_bound_evaluate(addresses->bound, data->rest, point, address))
        return false;
    for (uint32_t p = 0; p < data->part_count; p++) {
        struct data_part_plan *part = &plan->parts[p];
        const struct fw_data_part *of = &data->parts[p];
        double usual;
        int64_t value;
        const int64_t places = places_of_step(addresses, of, point);
        bool ordered = (part->model == DATA_INDEX && plan->access.kind != FW_INDEX_RANDOM) ||
                       part->model == DATA_ROW_END;
        if (ordered && data_usual_value(addresses, &plan->access, of, part, point, true, &usual)) {
            value = fabs(usual) < 0x1p60 ? llround(usual) : 0;
        } else if (part->model == DATA_BOUNDED) {
            uint64_t key = key_of(addresses, of, point);
            uint64_t steps = (uint64_t)(part->high - part->low) / (uint64_t)of->step;
            value = part->choice_count ? part->choices[key % part->choice_count]
                                       : part->low + (int64_t)(key % (steps + 1)) * of->step;
        } else if (places > 0) {
            value = places + (int64_t)(key_of(addresses, of, point) % (uint64_t)places);
        } else {
            value = (int64_t)(key_of(addresses, of, point) >> (64 - RANDOM_BITS));
            value -= value % alignment_of(&addresses->kernel->accesses[access], part);
        }
        if (fw_add_product_overflows(address, part->coefficient, value))
            return false;
    }
    return true;
}
