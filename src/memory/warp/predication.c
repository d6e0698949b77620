#include "predication.h"

/* PTX instructions of the longest branch that becomes predicated: the counters of layer_norm on an
 * H200 show predicates for the eight that add two arrays.  (The CUDA C++ Best Practices Guide says
 * up to seven machine instructions.) */
enum { SHORT = 8 };

/* How many instructions a domain has itself, TOO_MUCH at most: that is also what one with control
 * flow or a barrier inside has. */
enum { TOO_MUCH = SHORT + 1 };

uint8_t *fw_find_nested(struct fw_arena *arena, const struct fw_kernel *kernel)
{
    uint8_t *count = FW_ARRAY(arena, uint8_t, kernel->domain_count);
    bool *nested = FW_ARRAY(arena, bool, kernel->domain_count); /* what is around is nested too */
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *at = &kernel->schedule[i];
        for (uint32_t d = at->domain; kernel->domains[d].kind == FW_DOMAIN_RESTRICT ||
                                      kernel->domains[d].kind == FW_DOMAIN_LOOP;) {
            d = kernel->domains[d].parent;
            if (nested[d])
                break;
            nested[d] = true;
            count[d] = TOO_MUCH;
        }
        if (at->barrier != FW_BARRIER_NONE)
            count[at->domain] = TOO_MUCH;
        if (count[at->domain] < TOO_MUCH)
            count[at->domain]++;
    }
    return count;
}

/* Whether the body of a branch is short and has no loop, branch or barrier. */
static bool is_short(const struct fw_sampling *sampling, uint32_t domain)
{
    struct fw_arena *arena = fw_bound_arena(sampling->bound);
    struct fw_arena_mark mark = fw_arena_mark(arena);
    const uint8_t *nested =
        sampling->nested ? sampling->nested : fw_find_nested(arena, sampling->kernel);
    bool is = nested[domain] <= SHORT;
    fw_arena_release(arena, mark);
    return is;
}

double fw_predicated_off_warps(const struct fw_sampling *sampling, const struct fw_access *access)
{
    const struct fw_kernel *kernel = sampling->kernel;
    const struct fw_domain *domain = &kernel->domains[access->domain];
    if (kernel->capability == 0 || domain->kind != FW_DOMAIN_RESTRICT ||
        kernel->branches[domain->branch].data_dependent || !is_short(sampling, access->domain))
        return 0;
    double issued = fw_bound_count_warps(sampling->bound, domain->parent)->estimate;
    double running = fw_bound_count_warps(sampling->bound, access->domain)->estimate;
    return issued > running ? issued - running : 0;
}
