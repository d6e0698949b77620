#include "stage.h"

enum { STAGES_OF_EXITS = 1 << 12 }; /* between two barriers or ends of loops */

/* By domain: exits of its loop before it in an iteration. */
static const uint32_t *exits_before(struct fw_arena *arena, const struct fw_kernel *kernel)
{
    uint32_t *exits = FW_ARRAY(arena, uint32_t, kernel->domain_count + 1);
    for (uint32_t d = 0; d < kernel->domain_count; d++) { /* what a domain is made of comes first */
        const struct fw_domain *at = &kernel->domains[d];
        if (at->kind == FW_DOMAIN_RESTRICT)
            exits[d] = exits[at->parent] + kernel->branches[at->branch].leaves_loop;
        for (uint32_t m = 0; at->kind == FW_DOMAIN_UNION && m < at->member_count; m++)
            if (kernel->domains[at->members[m]].innermost == at->innermost &&
                exits[at->members[m]] > exits[d])
                exits[d] = exits[at->members[m]];
    }
    return exits;
}

static bool is_inside(const struct fw_kernel *kernel, uint32_t loop, uint32_t outer)
{
    while (loop != FW_NONE && loop != outer)
        loop = kernel->loops[loop].parent;
    return loop == outer;
}

const uint32_t *fw_stages_find(struct fw_arena *arena, const struct fw_kernel *kernel)
{
    const uint32_t *exits = exits_before(arena, kernel);
    uint32_t *stages = FW_ARRAY(arena, uint32_t, kernel->access_count + 1), ends = 0;
    uint32_t loop = FW_NONE;
    for (uint32_t a = 0; a < kernel->access_count; a++)
        stages[a] = exits[kernel->accesses[a].domain];
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *one = &kernel->schedule[i];
        uint32_t here = kernel->domains[one->domain].innermost;
        ends += one->is_barrier || (loop != FW_NONE && !is_inside(kernel, here, loop));
        loop = here;
        for (uint32_t k = 0; one->access != FW_NONE && k < one->access_count; k++)
            stages[one->access + k] += ends * STAGES_OF_EXITS;
    }
    return stages;
}
