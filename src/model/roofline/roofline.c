#include "roofline_internal.h"

#include "launch_clock.h"

#include <stdlib.h>
#include <string.h>

typedef FW_VECTOR(const char *) sentences;

static void say(struct roofline_work *work, sentences *all, const char *sentence)
{
    *FW_APPEND(work->arena, all) = sentence;
}

/* Data that a launch before this one left in L2: device memory has no part in it then. */
static void place_in_l2(struct roofline_work *work, sentences *all)
{
    double size, partitions = 1, rate;
    bool cold = work->options->cold;
    if (cold || !fw_device_figure(work->device, FW_FIGURE_L2_BYTES, &size))
        return;
    fw_device_figure(work->device, FW_FIGURE_L2_PARTITIONS, &partitions);
    if (!(work->footprint <= size / (partitions > 0 ? partitions : 1)) || work->footprint <= 0)
        return;
    if (!fw_device_figure(work->device, FW_FIGURE_L2_BANDWIDTH, &rate)) {
        say(work, all,
            "The launch's data fit into L2, but the profile has no l2_bandwidth: they are priced "
            "at the bandwidth of device memory.");
        return;
    }
    for (size_t l = 0; l < work->demand.lines.count; l++) {
        double *amounts = work->demand.lines.at[l].amounts;
        amounts[FW_RESOURCE_L2] += amounts[FW_RESOURCE_DRAM];
        amounts[FW_RESOURCE_DRAM] = 0;
    }
}

static void say_all(struct roofline_work *work, sentences *all, const char *const *caveats)
{
    while (*caveats)
        say(work, all, *caveats++);
}

static void say_registers(struct roofline_work *work, sentences *all)
{
    if (!work->resources->registers)
        say(work, all,
            work->request
                ? "Registers are not known: occupancy may be lower than stated."
                : "Registers are not known (PTX has none): occupancy may be lower than stated.");
    say_all(work, all, fw_residency_caveats(work->arena, false, work->resources));
}

static void say_the_rest(struct roofline_work *work, sentences *all)
{
    say(work, all,
        "Resources are taken to overlap perfectly, and latencies to be hidden: real kernels are "
        "slower.");
    say(work, all,
        "Caches hit exactly when data is asked for again: capacity, conflicts and what L1 holds "
        "are not modelled.");
    for (uint32_t l = 0; work->request && l < work->request->not_modelled_count; l++)
        say(work, all, work->request->not_modelled[l]);
    if (work->request)
        return;
    say_all(work, all, fw_demand_caveats(&work->demand, work->kernel));
    if (work->unknown_addresses)
        say(work, all,
            fw_arena_printf(work->arena,
                            "Addresses that depend on data (%u of the accesses): their bytes count "
                            "as asked for once, without gaps.",
                            work->unknown_addresses));
    if (work->unknown_extents)
        say(work, all,
            fw_arena_printf(work->arena,
                            "Arrays whose extent is not known (%u of the accesses): no reuse in "
                            "caches is counted for them.",
                            work->unknown_extents));
}

static enum fw_status predict(struct fw_roofline **prediction, struct roofline_work *work,
                              const struct fw_sink *sink)
{
    struct fw_roofline *result = FW_NEW(work->arena, struct fw_roofline);
    sentences all = {0};
    *prediction = NULL;
    enum fw_status status = fw_launch_clock(&result->clock, work->options->clock, work->kernel,
                                            work->bound, work->device, sink);
    if (!status)
        status = fw_residency_find(&result->residency, work->resources, work->launch, work->device,
                                   sink);
    if (status)
        return status;
    if (result->residency.known)
        say_registers(work, &all);
    else
        say(work, &all, "The profile lacks figures that the rules of occupancy need.");
    if (work->kernel) {
        fw_demand_arithmetic(&work->demand, work->kernel, work->bound);
        roofline_memory(work);
    }
    place_in_l2(work, &all);
    fw_resource_terms_find(&result->terms, &work->demand, work->launch, work->device,
                           result->clock);
    for (size_t t = 0; t < result->terms.absent.count; t++)
        say(work, &all, result->terms.absent.at[t]);
    result->has_overhead = fw_launch_overhead(&result->overhead_seconds, work->device);
    if (result->terms.count) {
        result->seconds = result->terms.at[0].seconds;
        result->line_count =
            fw_resource_terms_by_line(&result->lines, &result->terms, &work->demand);
    }
    say_the_rest(work, &all);
    result->not_modelled = all.at;
    result->not_modelled_count = (uint32_t)all.count;
    *prediction = result;
    return FW_OK;
}

enum fw_status fw_roofline_predict(struct fw_roofline **prediction, struct fw_arena *arena,
                                   const struct fw_kernel *kernel, struct fw_bound *bound,
                                   const struct fw_launch *launch, const struct fw_device *device,
                                   const struct fw_roofline_options *options,
                                   const struct fw_sink *sink)
{
    struct roofline_work work = {.arena = arena,
                                 .kernel = kernel,
                                 .resources = &kernel->resources,
                                 .bound = bound,
                                 .launch = launch,
                                 .device = device,
                                 .options = options,
                                 .demand = {.arena = arena}};
    return predict(prediction, &work, sink);
}

enum fw_status fw_roofline_from_demand(struct fw_roofline **prediction,
                                       const struct fw_roofline_request *request,
                                       const struct fw_device *device,
                                       const struct fw_roofline_options *options,
                                       const struct fw_sink *sink)
{
    struct roofline_work work = {.arena = request->demand.arena,
                                 .resources = request->resources,
                                 .request = request,
                                 .launch = request->launch,
                                 .device = device,
                                 .options = options,
                                 .demand = request->demand,
                                 .footprint = request->footprint};
    return predict(prediction, &work, sink);
}
