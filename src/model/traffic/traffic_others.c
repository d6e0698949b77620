#include "traffic_others.h"

#include "machine_cost.h"
#include "warp.h"

#include <string.h>

/* Whether a unit takes fewer results a cycle than the schedulers issue. */
static bool is_slow(const struct fw_resource_term *term, const struct fw_device *device,
                    double issued)
{
    double results;
    return strcmp(fw_resource_unit(term->resource), "results") == 0 &&
           fw_device_figure(device, term->figure, &results) && results < issued;
}

/* Cycles of a launch's schedulers in which they issue nothing, since an operation reads three
 * registers, keeps 64 bits of a product, is a special function, or a request that L1 takes in
 * (machine_cost.h). */
static double stalled_cycles(struct fw_arena *arena, const struct fw_kernel *kernel,
                             struct fw_bound *bound, const struct fw_device *device)
{
    struct fw_sm_costs costs;
    double sum = 0;
    fw_sm_costs_find(&costs, arena, kernel, device);
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *at = &kernel->schedule[i];
        double stalled = 0;
        for (uint32_t o = costs.first[i]; o < costs.first[i + 1]; o++)
            stalled += costs.operations[o].reading / costs.operations[o].every;
        if (stalled > 0)
            sum += stalled *
                   fw_bound_count_warps(bound, at->predicated ? at->issued : at->domain)->estimate;
    }
    return sum;
}

void fw_traffic_others_find_all(struct fw_traffic_others *others,
                                struct fw_traffic_options *options, struct fw_arena *arena,
                                const struct fw_kernel *kernel, struct fw_bound *bound,
                                const struct fw_launch *launch, const struct fw_device *device,
                                double clock)
{
    double issued = (double)fw_device_count(device, FW_FIGURE_SCHEDULERS, 0) * FW_WARP_THREADS;
    others->demand = (struct fw_demand){.arena = arena};
    fw_demand_arithmetic(&others->demand, kernel, bound);
    fw_resource_terms_find(&others->terms, &others->demand, launch, device, clock);
    options->others = others->at;
    options->other_count = 0;
    const double stalled = stalled_cycles(arena, kernel, bound, device);
    for (uint32_t t = 0; t < others->terms.count; t++) {
        const struct fw_resource_term *term = &others->terms.at[t];
        const bool issues = term->resource == FW_RESOURCE_ISSUE;
        const double longer = issues && term->amount > 0 ? 1 + stalled / term->amount : 1;
        if (!fw_resource_is_memory(term->resource))
            others->at[options->other_count++] = (struct fw_traffic_other){
                fw_resource_text(term->resource), longer * term->seconds,
                fw_resource_joules(term->resource, term->amount - term->held, device), issues,
                is_slow(term, device, issued)};
    }
}

const struct fw_resource_term *fw_traffic_others_find(const struct fw_traffic_others *others,
                                                      const char *name)
{
    for (uint32_t t = 0; t < others->terms.count; t++)
        if (!fw_resource_is_memory(others->terms.at[t].resource) &&
            strcmp(fw_resource_text(others->terms.at[t].resource), name) == 0)
            return &others->terms.at[t];
    return NULL;
}
