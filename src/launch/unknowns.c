/* Unknowns: the list of what the answers of a binding leaned on, with the values that were used. */
#include "bound_internal.h"

#include <math.h>

/* What a condition depends on beside indices and arguments. */
struct opaque_search {
    const struct fw_kernel *kernel;
    bool approximate;
};

static bool is_data(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    struct opaque_search *search = user;
    (void)atom;
    if (node->kind == FW_ATOM_TRIPS)
        return search->kernel->loops[node->a].data_dependent;
    if (node->kind != FW_ATOM_UNKNOWN)
        return false;
    bool approximate = node->a < search->kernel->opaque_count &&
                       search->kernel->opaques[node->a].kind == FW_OPAQUE_APPROXIMATE;
    search->approximate |= approximate;
    return !approximate;
}

/* Why a branch or loop is not known that `why` says depends on data. */
static enum fw_unknown_reason reason_of(const struct fw_kernel *kernel, bool is_loop,
                                        uint32_t index, const struct linear_problem *why)
{
    struct opaque_search search = {.kernel = kernel};
    fw_condition condition =
        is_loop ? kernel->loops[index].stays : kernel->branches[index].condition;
    if (why->reason != FW_UNKNOWN_DATA)
        return why->reason;
    bool data = fw_condition_any(&kernel->pool, condition, is_data, &search);
    return search.approximate && !data ? FW_UNKNOWN_APPROXIMATE : FW_UNKNOWN_DATA;
}

static struct fw_unknown *note(struct fw_bound *bound, bool is_loop, uint32_t index,
                               const struct linear_problem *why)
{
    for (uint32_t u = 0; u < bound->unknown_count; u++)
        if (!bound->unknowns[u].is_quantity && !bound->unknowns[u].is_pointer &&
            !bound->unknowns[u].is_length && bound->unknowns[u].is_loop == is_loop &&
            bound->unknowns[u].index == index)
            return &bound->unknowns[u];
    struct fw_unknown *unknown = &bound->unknowns[bound->unknown_count++];
    *unknown = (struct fw_unknown){
        .name = is_loop ? bound->kernel->loops[index].name : bound->kernel->branches[index].name,
        .is_loop = is_loop,
        .index = index,
        .rows_of = FW_NONE,
        .line = is_loop ? bound->kernel->loops[index].line : bound->kernel->branches[index].line,
        .reason = reason_of(bound->kernel, is_loop, index, why),
        .parameter = why->parameter};
    return unknown;
}

/* What a branch or loop counts as where nothing is stated: rows of an index array agree with each
 * other, and the record knows the rest.  That by rows is found once; the share of an exit follows
 * the trips of its loop, which may be found later. */
static double usual_value(struct fw_bound *bound, struct fw_unknown *unknown)
{
    bool is_loop = unknown->is_loop;
    uint32_t array = FW_NONE;
    if (!unknown->asked_rows)
        unknown->by_rows =
            unknown->reason == FW_UNKNOWN_DATA
                ? bound_usual_rows(bound, is_loop, unknown->index, &array, &unknown->rows_stated)
                : (double)NAN;
    unknown->asked_rows = true;
    unknown->of_rows = !isnan(unknown->by_rows);
    if (unknown->of_rows && unknown->rows_mean <= 0) {
        const struct fw_kernel *kernel = bound->kernel;
        unknown->rows_of = array == FW_NONE ? FW_NONE : kernel->arrays[array].parameter;
        unknown->rows_mean =
            bound->row_lengths[array == FW_NONE ? kernel->array_count : array].usual;
    }
    if (unknown->of_rows)
        return is_loop ? bound_searched_trips(bound, unknown->index, unknown->by_rows, false)
                       : unknown->by_rows;
    return is_loop ? bound_usual_trips(bound, unknown->index)
                   : bound_usual_share(bound, unknown->index);
}

double bound_lean(struct fw_bound *bound, bool is_loop, uint32_t index,
                  const struct linear_problem *why)
{
    double given = is_loop ? bound->launch->trips[index] : bound->launch->taken[index];
    struct fw_unknown *unknown = note(bound, is_loop, index, why);
    unknown->is_default = isnan(given);
    unknown->value = isnan(given) ? usual_value(bound, unknown) : given;
    unknown->is_default = unknown->is_default && !(unknown->of_rows && unknown->rows_stated);
    return unknown->value;
}

void bound_note_sampled(struct fw_bound *bound, bool is_loop, uint32_t index, double part,
                        double whole, double error, double points)
{
    const struct linear_problem why = {.reason = FW_UNKNOWN_SAMPLED, .parameter = FW_NONE};
    struct fw_unknown *unknown = note(bound, is_loop, index, &why);
    if (unknown->reason != FW_UNKNOWN_SAMPLED || !(whole > 0))
        return; /* other points of it were leaned on a default */
    double before = unknown->standard_error * unknown->whole;
    unknown->part += part;
    unknown->whole += whole;
    unknown->points += points;
    unknown->value = unknown->part / unknown->whole;
    error = error > whole / points ? error : whole / points; /* of what was never met, too */
    unknown->standard_error = sqrt(before * before + error * error) / unknown->whole;
}

void bound_note_wait(struct fw_bound *bound, uint32_t loop)
{
    const struct linear_problem why = {.reason = FW_UNKNOWN_WAIT, .parameter = FW_NONE};
    struct fw_unknown *unknown = note(bound, true, loop, &why);
    unknown->is_default = true;
    unknown->value = 1;
}

void bound_note_pointer(struct fw_bound *bound, uint32_t parameter)
{
    uint32_t stated = bound->launch->alignments ? bound->launch->alignments[parameter] : 0;
    for (uint32_t u = 0; u < bound->unknown_count; u++)
        if (bound->unknowns[u].is_pointer && bound->unknowns[u].index == parameter)
            return;
    bound->unknowns[bound->unknown_count++] =
        (struct fw_unknown){.name = bound->kernel->parameters[parameter].name,
                            .is_pointer = true,
                            .index = parameter,
                            .reason = FW_UNKNOWN_POINTER,
                            .parameter = parameter,
                            .value = stated ? stated : ALLOCATION_ALIGNMENT,
                            .is_default = stated == 0};
}

void bound_note_length(struct fw_bound *bound, uint32_t array, const struct row_length *length)
{
    const struct fw_kernel *kernel = bound->kernel;
    uint32_t parameter = kernel->arrays[array].parameter;
    for (uint32_t u = 0; u < bound->unknown_count; u++)
        if (bound->unknowns[u].is_length && bound->unknowns[u].index == parameter)
            return;
    if (parameter == FW_NONE)
        return;
    bound->unknowns[bound->unknown_count++] = (struct fw_unknown){
        .name = kernel->parameters[parameter].name,
        .is_length = true,
        .index = parameter,
        .reason = FW_UNKNOWN_DATA,
        .parameter = FW_NONE,
        .value = length->usual,
        .greatest = length->greatest,
        .room = length->room == FW_NONE ? FW_NONE : kernel->arrays[length->room].parameter,
        .rows_of = FW_NONE,
        .is_default = !length->stated};
}

double fw_bound_quantity(struct fw_bound *bound, uint32_t quantity)
{
    const struct fw_quantity *from = &bound->kernel->quantities[quantity];
    double given = bound->launch->quantities[quantity];
    double value = isnan(given) ? from->usual : given;
    for (uint32_t u = 0; u < bound->unknown_count; u++)
        if (bound->unknowns[u].is_quantity && bound->unknowns[u].index == quantity)
            return value;
    bound->unknowns[bound->unknown_count++] =
        (struct fw_unknown){.name = from->name,
                            .is_quantity = true,
                            .index = quantity,
                            .line = from->line,
                            .reason = from->called ? FW_UNKNOWN_CALLED : FW_UNKNOWN_UNSTATED,
                            .parameter = FW_NONE,
                            .value = value,
                            .is_default = isnan(given)};
    return value;
}

bool fw_bound_access_bytes(struct fw_bound *bound, const struct fw_access *access, double *bytes)
{
    int64_t low, high;
    *bytes = access->bytes;
    if (access->size != FW_NO_EXPRESSION) {
        bool known = fw_bound_range(bound, access->domain, access->size, &low, &high);
        *bytes = known ? ((double)low + (double)high) / 2 : 0;
        return known && low == high;
    }
    if (access->transaction != FW_NONE) {
        const struct fw_transaction *from = &bound->kernel->transactions[access->transaction];
        double told = fw_bound_count(bound, from->domain)->estimate;
        double copies = fw_bound_count(bound, access->domain)->estimate;
        *bytes = copies > 0 ? told * from->bytes / from->sharers / copies : 0;
        if (access->receivers) /* each gets as much from the others */
            *bytes /= access->receivers;
        return true;
    }
    if (access->quantity == FW_NONE)
        return true;
    *bytes = fw_bound_quantity(bound, access->quantity);
    return false;
}

void bound_lean_bounded(struct fw_bound *bound, uint32_t loop, const struct linear_problem *why)
{
    struct fw_unknown *unknown = note(bound, true, loop, why);
    unknown->is_default = true;
    unknown->value = (double)NAN;
}

void bound_lean_ended(struct fw_bound *bound, uint32_t loop, const struct linear_problem *why,
                      double trips, double most)
{
    struct fw_unknown *unknown = note(bound, true, loop, why);
    unknown->is_default = true;
    unknown->value = fmax(trips, unknown->greatest > 0 ? unknown->value : 0);
    unknown->greatest = fmax(most, unknown->greatest);
}

void bound_note_budget(struct fw_bound *bound, bool is_loop, uint32_t index)
{
    const struct linear_problem why = {.reason = FW_UNKNOWN_BUDGET, .parameter = FW_NONE};
    struct fw_unknown *unknown = note(bound, is_loop, index, &why);
    if (unknown->reason == FW_UNKNOWN_BUDGET)
        unknown->value = (double)NAN;
}

const struct fw_unknown *fw_bound_unknowns(const struct fw_bound *bound, uint32_t *count)
{
    *count = bound->unknown_count;
    return bound->unknowns;
}
