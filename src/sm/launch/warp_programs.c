/* The programs of a launch's warps, and which of its blocks has most to do. */
#include "trace_work.h"

#include "warp.h"

#include <math.h>

double fw_trace_block_issues(const struct fw_trace_work *work, const struct fw_trace_block *block)
{
    double sum = 0;
    for (uint32_t w = 0; w < work->traces.warps; w++)
        sum += fw_trace_issues(block->warps[w]);
    return sum;
}

uint32_t fw_trace_heaviest_block(const struct fw_trace_work *work)
{
    uint32_t heaviest = 0;
    double most = -1;
    for (uint32_t b = 0; b < work->traces.block_count; b++) {
        double issues = fw_trace_block_issues(work, &work->traces.blocks[b]);
        if (issues > most) {
            most = issues;
            heaviest = b;
        }
    }
    return heaviest;
}

double fw_trace_later_issue(struct fw_trace_work *work, enum fw_figure figure)
{
    return fmax(0, fw_trace_figure(work, figure) - 1);
}

double fw_trace_arrival(struct fw_trace_work *work)
{
    return FW_WARP_THREADS / fmax(1, fw_trace_figure(work, FW_FIGURE_LANES_BARRIER));
}

double fw_trace_release(struct fw_trace_work *work)
{
    double one = fw_trace_later_issue(work, FW_FIGURE_LATENCY_BARRIER);
    return fmax(0, one - fw_trace_arrival(work));
}

/* The same at barriers of a cluster; the profile is not asked where there are none. */
static double cluster_release(struct fw_trace_work *work)
{
    const struct fw_kernel *kernel = work->question->kernel;
    for (uint32_t i = 0; i < kernel->schedule_count; i++)
        if (kernel->schedule[i].barrier == FW_BARRIER_CLUSTER)
            return fmax(0, fw_trace_later_issue(work, FW_FIGURE_LATENCY_CLUSTER_BARRIER) -
                               fw_trace_arrival(work));
    return 0;
}

/* What a fence beyond the block takes; the profile is not asked where there are none. */
static double fence(struct fw_trace_work *work)
{
    const struct fw_kernel *kernel = work->question->kernel;
    for (uint32_t i = 0; i < kernel->schedule_count; i++)
        if (kernel->schedule[i].fences && kernel->schedule[i].barrier != FW_BARRIER_CLUSTER_ARRIVE)
            return fw_trace_later_issue(work, FW_FIGURE_LATENCY_FENCE);
    return 0;
}

/* Whether products (wgmma) are waited for one by one, as an assembler does that lacks registers for
 * those in flight.  Where they are lacking elsewhere, or are kept for later, it spills there alone:
 * of a product whose sums are scaled behind the loop by as many values, loaded behind it or before,
 * ptxas stores 64 and 76 bytes, and serializes nothing (tests/cli/compiled_registers.py). */
static bool are_products_apart(const struct fw_kernel *kernel)
{
    const struct fw_resources *resources = &kernel->resources;
    if (resources->wgmma_serialized || !resources->wanted_registers || !resources->pressure_count)
        return resources->wgmma_serialized || resources->wanted_registers;
    for (uint32_t i = 0; i < kernel->schedule_count; i++)
        for (uint32_t p = 0;
             kernel->schedule[i].together > FW_WARP_THREADS && p < resources->pressure_count; p++)
            if (resources->pressures[p].domain == kernel->schedule[i].domain &&
                resources->pressures[p].need - resources->pressures[p].idle > resources->registers)
                return true;
    return false;
}

const struct fw_warp_program *fw_trace_program(struct fw_trace_work *work,
                                               const struct fw_trace *trace)
{
    const struct fw_kernel *kernel = work->question->kernel;
    const struct fw_program_rules rules = {
        .latency_load = work->latency_l2 + work->far / 2,
        .latency_shared = work->latency_shared,
        .condition = fw_trace_figure(work, FW_FIGURE_LATENCY_CONDITION),
        .fence = fence(work),
        .cluster = cluster_release(work),
        .request = fw_trace_figure(work, FW_FIGURE_REQUEST_INTERVAL),
        .taken = fw_trace_later_issue(work, FW_FIGURE_LATENCY_BRANCH),
        .passed = fw_trace_later_issue(work, FW_FIGURE_LATENCY_PASSED),
        .meeting = fw_trace_later_issue(work, FW_FIGURE_LATENCY_MEETING),
        .registers = kernel->resources.registers,
        .keep_order = work->question->keep_order,
        .products_apart = are_products_apart(kernel)};
    uint32_t c = 0;
    while (work->traces.classes[c].trace != trace)
        c++;
    if (!work->programs[c].steps)
        fw_warp_program_make(&work->programs[c], work->arena, kernel, &work->traces, trace,
                             &work->costs, &rules);
    return &work->programs[c];
}
