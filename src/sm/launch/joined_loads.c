/* Loads of a warp's first batch: the warps of a block, which start together, ask for its data at
 * one time, and what one finds in L1 as another's line is still on its way. */
#include "access_costs_internal.h"

#include "stage.h"

static bool is_global_load(const struct fw_access *access)
{
    return access->direction == FW_LOAD && costing_is_global(access);
}

const bool *fw_trace_first_loads(struct fw_arena *arena, const struct fw_kernel *kernel)
{
    const uint32_t *stages = fw_stages_find(arena, kernel);
    bool *first = FW_ARRAY(arena, bool, kernel->access_count + 1);
    uint32_t least = FW_NONE;
    for (uint32_t a = 0; a < kernel->access_count; a++)
        if (is_global_load(&kernel->accesses[a]) && stages[a] < least)
            least = stages[a];
    for (uint32_t a = 0; a < kernel->access_count; a++)
        first[a] = is_global_load(&kernel->accesses[a]) && stages[a] == least &&
                   kernel->domains[kernel->accesses[a].domain].innermost == FW_NONE;
    return first;
}
