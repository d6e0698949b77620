/* Bindings beside another one of the same kernel, and what these lean on. */
#include "bound_internal.h"

struct fw_bound *fw_bound_beside(struct fw_bound *bound)
{
    if (!bound->beside)
        bound->beside = fw_bound_new(bound->kernel);
    return bound->beside;
}

static bool is_noted(const struct fw_bound *bound, const struct fw_unknown *unknown)
{
    for (uint32_t u = 0; u < bound->unknown_count; u++) {
        const struct fw_unknown *noted = &bound->unknowns[u];
        if (noted->is_loop == unknown->is_loop && noted->is_quantity == unknown->is_quantity &&
            noted->is_pointer == unknown->is_pointer && noted->is_length == unknown->is_length &&
            noted->index == unknown->index)
            return true;
    }
    return false;
}

void fw_bound_note_unknowns(struct fw_bound *bound, const struct fw_bound *other)
{
    for (uint32_t u = 0; u < other->unknown_count; u++)
        if (!is_noted(bound, &other->unknowns[u]))
            bound->unknowns[bound->unknown_count++] = other->unknowns[u];
}
