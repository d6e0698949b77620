#include "predication.h"

#include "nested.h"

/* Without a machine layer: whether the body of a branch is short and has no loop, branch or
 * barrier. */
static bool is_short(const struct fw_sampling *sampling, uint32_t domain)
{
    struct fw_arena *arena = fw_bound_arena(sampling->bound);
    struct fw_arena_mark mark = fw_arena_mark(arena);
    const uint8_t *nested =
        sampling->nested ? sampling->nested : fw_find_nested(arena, sampling->kernel);
    bool is = nested[domain] <= FW_SHORT_BODY;
    fw_arena_release(arena, mark);
    return is;
}

double fw_predicated_off_warps(const struct fw_sampling *sampling, const struct fw_access *access)
{
    const struct fw_kernel *kernel = sampling->kernel;
    const struct fw_domain *domain = &kernel->domains[access->domain];
    const struct fw_scheduled *at = &kernel->schedule[access->instruction];
    if (kernel->capability == 0 || domain->kind != FW_DOMAIN_RESTRICT ||
        kernel->branches[domain->branch].data_dependent ||
        !(at->machine_count ? at->predicated : is_short(sampling, access->domain)))
        return 0;
    uint32_t all = at->predicated ? at->issued : domain->parent;
    double issued = fw_bound_count_warps(sampling->bound, all)->estimate;
    double running = fw_bound_count_warps(sampling->bound, access->domain)->estimate;
    return issued > running ? issued - running : 0;
}
