/* Service times other than memory's, for the traffic model: arithmetic units and instruction issue
 * (src/throughput), with their energy. */
#ifndef FW_TRAFFIC_OTHERS_H
#define FW_TRAFFIC_OTHERS_H

#include "resource_term.h"
#include "traffic.h"

struct fw_traffic_others {
    struct fw_demand demand;
    struct fw_resource_terms terms; /* memory's own terms are in it, with no work */
    struct fw_traffic_other at[FW_RESOURCE_COUNT];
};

/* Finds the terms for the bound launch and sets them in the options.  `clock` in hertz. */
void fw_traffic_others_find_all(struct fw_traffic_others *others,
                                struct fw_traffic_options *options, struct fw_arena *arena,
                                const struct fw_kernel *kernel, struct fw_bound *bound,
                                const struct fw_launch *launch, const struct fw_device *device,
                                double clock);

/* The term called `name`; NULL: there is none. */
const struct fw_resource_term *fw_traffic_others_find(const struct fw_traffic_others *others,
                                                      const char *name);

#endif
