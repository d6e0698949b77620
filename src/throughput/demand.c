#include "demand.h"

#include <string.h>

double *fw_demand_amounts(struct fw_demand *demand, uint32_t line)
{
    if (demand->newest < demand->lines.count && demand->lines.at[demand->newest].line == line)
        return demand->lines.at[demand->newest].amounts;
    for (uint32_t l = 0; l < demand->lines.count; l++)
        if (demand->lines.at[l].line == line) {
            demand->newest = l;
            return demand->lines.at[l].amounts;
        }
    demand->newest = (uint32_t)demand->lines.count;
    FW_APPEND(demand->arena, &demand->lines)->line = line;
    return demand->lines.at[demand->newest].amounts;
}

double fw_demand_sum(const struct fw_demand *demand, enum fw_resource resource)
{
    double sum = 0;
    for (size_t l = 0; l < demand->lines.count; l++)
        sum += demand->lines.at[l].amounts[resource];
    return sum;
}

/* What was stated of a domain's instructions, who read it knows. */
static const char *instructions_of(const struct fw_demand *demand, const struct fw_kernel *kernel)
{
    if (strcmp(kernel->layer, "domain") == 0)
        return NULL;
    if (!kernel->capability)
        return "Instructions are PTX's: what the device issues for them differs.";
    return fw_arena_printf(demand->arena,
                           "Machine instructions of compute capability %u.%u are estimated from "
                           "PTX: unrolling follows a "
                           "rule, and the assembler's %s not known.",
                           kernel->capability / 10, kernel->capability % 10,
                           kernel->resources.assembler ? "scheduling is"
                                                       : "spills and scheduling are");
}

const char *fw_match_caveat(const struct fw_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->schedule_count; i++)
        if (strcmp(kernel->schedule[i].operation, "match") == 0 &&
            !kernel->schedule[i].unreachable && kernel->schedule[i].matched != 1)
            return "Lanes that match compares are taken to hold any of the values that its "
                   "operand's bits leave: where they hold fewer, a warp takes less time.";
    return NULL;
}

const char *fw_debug_caveat(const struct fw_kernel *kernel)
{
    return kernel->for_debugging
               ? "The PTX is one for debugging (.target ..., debug): ptxas does not optimise it, "
                 "and makes several times the instructions that are estimated."
               : NULL;
}

const char *const *fw_demand_caveats(const struct fw_demand *demand, const struct fw_kernel *kernel)
{
    enum { MOST = 7 };
    const char **all = FW_ARRAY(demand->arena, const char *, MOST);
    size_t count = 0;
    const char *instructions = instructions_of(demand, kernel);
    if (instructions)
        all[count++] = instructions;
    if (fw_debug_caveat(kernel))
        all[count++] = fw_debug_caveat(kernel);
    if (kernel->unlowered)
        all[count++] = fw_arena_printf(
            demand->arena, "PTX instructions without a machine estimate: %u.", kernel->unlowered);
    if (demand->expanded > 0)
        all[count++] = "A division, and any f64 root, counts as one operation: the device takes "
                       "about ten to twenty.";
    if (fw_match_caveat(kernel))
        all[count++] = fw_match_caveat(kernel);
    if (demand->calls)
        all[count++] = fw_arena_printf(
            demand->arena,
            "Calls of code that is not followed (%u of them) cost the issue of as many "
            "instructions as were stated for it, and no memory.",
            demand->calls);
    return all;
}
