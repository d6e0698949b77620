#include "predication.h"

/* PTX instructions of the longest branch that becomes predicated: the counters of layer_norm on an
 * H200 show predicates for the eight that add two arrays.  (The CUDA C++ Best Practices Guide says
 * up to seven machine instructions.) */
enum { SHORT = 8 };

/* Whether the body of a branch is short and has no loop, branch or barrier. */
static bool is_short(const struct fw_kernel *kernel, uint32_t domain)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *at = &kernel->schedule[i];
        bool inside = at->domain == domain;
        for (uint32_t d = at->domain; !inside;) {
            const struct fw_domain *outer = &kernel->domains[d];
            if (outer->kind != FW_DOMAIN_RESTRICT && outer->kind != FW_DOMAIN_LOOP)
                break;
            d = outer->parent;
            if (d == domain)
                return false; /* nested control flow */
        }
        if (inside && at->barrier != FW_BARRIER_NONE)
            return false;
        count += inside;
    }
    return count <= SHORT;
}

double fw_predicated_off_warps(const struct fw_sampling *sampling, const struct fw_access *access)
{
    const struct fw_kernel *kernel = sampling->kernel;
    const struct fw_domain *domain = &kernel->domains[access->domain];
    if (kernel->capability == 0 || domain->kind != FW_DOMAIN_RESTRICT ||
        kernel->branches[domain->branch].data_dependent || !is_short(kernel, access->domain))
        return 0;
    double issued = fw_bound_count_warps(sampling->bound, domain->parent)->estimate;
    double running = fw_bound_count_warps(sampling->bound, access->domain)->estimate;
    return issued > running ? issued - running : 0;
}
