#include "traffic_others.h"

#include <string.h>

void fw_traffic_others_find_all(struct fw_traffic_others *others,
                                struct fw_traffic_options *options, struct fw_arena *arena,
                                const struct fw_kernel *kernel, struct fw_bound *bound,
                                const struct fw_launch *launch, const struct fw_device *device,
                                double clock)
{
    others->demand = (struct fw_demand){.arena = arena};
    fw_demand_arithmetic(&others->demand, kernel, bound);
    fw_resource_terms_find(&others->terms, &others->demand, launch, device, clock);
    options->others = others->at;
    options->other_count = 0;
    for (uint32_t t = 0; t < others->terms.count; t++) {
        const struct fw_resource_term *term = &others->terms.at[t];
        if (!fw_resource_is_memory(term->resource))
            others->at[options->other_count++] =
                (struct fw_traffic_other){fw_resource_text(term->resource), term->seconds,
                                          fw_resource_joules(term->resource, term->amount, device),
                                          term->resource == FW_RESOURCE_ISSUE};
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
