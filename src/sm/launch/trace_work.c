#include "trace_work.h"

#include "launch_clock.h"

#include <math.h>
#include <string.h>

double fw_trace_figure(struct fw_trace_work *work, enum fw_figure figure)
{
    double value;
    const char *name = fw_figure_row(figure)->name;
    if (fw_device_figure(work->question->device, figure, &value))
        return value;
    if (!work->missing || !strstr(work->missing, name))
        work->missing =
            work->missing ? fw_arena_printf(work->arena, "%s, %s", work->missing, name) : name;
    return 0;
}

/* Where all blocks are resident at one time, a launch lasts as long as its multiprocessor that is
 * farthest from L2: of so many as have blocks, each at any distance. */
static double last_latency(const struct fw_trace_work *work, double usual)
{
    double last;
    if (!fw_device_figure(work->question->device, FW_FIGURE_LATENCY_L2_LAST, &last) ||
        work->own > work->residency.occupancy.blocks || last < usual)
        return usual;
    return last - 2 * (last - usual) / (work->busy + 1);
}

static void find_latencies(struct fw_trace_work *work)
{
    double usual = fw_trace_figure(work, FW_FIGURE_LATENCY_L2);
    work->far = fmax(0, fw_trace_figure(work, FW_FIGURE_LATENCY_L2_FAR) - usual);
    work->slow = fmax(0, fw_trace_figure(work, FW_FIGURE_LATENCY_L2_SLOW) - usual);
    work->latency_l1 = fw_trace_figure(work, FW_FIGURE_LATENCY_L1);
    work->latency_l2 = last_latency(work, usual);
    /* The profile's latency of device memory is a mean over both parts of L2. */
    work->latency_dram =
        fmax(work->latency_l2, fw_trace_figure(work, FW_FIGURE_LATENCY_DRAM) - work->far / 2);
    work->latency_shared = fw_trace_figure(work, FW_FIGURE_LATENCY_SHARED);
}

/* Properties that only the services below the models look up: what the profile lacks is named. */
static void name_what_services_need(struct fw_trace_work *work)
{
    static const enum fw_figure figures[] = {
        FW_FIGURE_DRAM_FETCH_BYTES,     FW_FIGURE_L2_COLLECTS,
        FW_FIGURE_BLOCKS_APART,         FW_FIGURE_DRAM_PIECE_OVERHEAD,
        FW_FIGURE_DRAM_PIECE_STORE,     FW_FIGURE_DRAM_PIECE_FAR,
        FW_FIGURE_DRAM_PIECE_APART,     FW_FIGURE_DRAM_SHARED_WITHIN,
        FW_FIGURE_DRAM_SHARED_ACROSS,   FW_FIGURE_DRAM_SHARED_LATE,
        FW_FIGURE_DRAM_SHARED_IN_PLACE, FW_FIGURE_DRAM_LONE_READ,
        FW_FIGURE_DRAM_LONE_WRITE,      FW_FIGURE_DRAM_READ_BANDWIDTH,
        FW_FIGURE_DRAM_WRITE_BANDWIDTH, FW_FIGURE_STORE_RETRIES,
        FW_FIGURE_L2_STORE_SPLIT};
    for (size_t f = 0; f < sizeof(figures) / sizeof(figures[0]); f++)
        fw_trace_figure(work, figures[f]);
}

/* How many blocks are resident decides the answer: the error names what the profile lacks. */
static enum fw_status say_what_occupancy_needs(const struct fw_trace_question *question)
{
    const struct fw_block_needs one = {.threads = 1, .registers = 1, .carve_out = -1};
    struct fw_occupancy occupancy;
    enum fw_status status = fw_occupancy(&occupancy, question->device, &one, question->sink);
    return status ? status : FW_ERROR_INPUT;
}

/* The multiprocessors that share out a launch's blocks.  A cluster starts where all of its blocks
 * find room in one part of the device (GPC), of which some multiprocessors are left over: where not
 * all clusters are resident at once, they take turns on the others. */
static double multiprocessors_for(struct fw_trace_work *work)
{
    const double all = fw_trace_figure(work, FW_FIGURE_MULTIPROCESSORS);
    const uint32_t cluster = work->question->kernel->cluster_blocks;
    double room;
    if (cluster < 2 ||
        !fw_device_curve(work->question->device, FW_FIGURE_CLUSTER_ROOM, cluster, &room) ||
        room >= all || ceil(work->grid / room) <= work->residency.occupancy.blocks)
        return all;
    return room;
}

/* What a multiprocessor is asked at a launch, whatever its traces are: kept beside the launch's
 * volumes, for one model after the other. */
struct asked {
    bool found;
    double clock;
    struct fw_sm_costs costs;
    struct fw_units units;
    struct fw_sm_access *accesses;
    double far_share, chances, chance_misses;
    bool left_out;
};

/* What is kept beside the launch's volumes. */
struct beside {
    struct asked asked;
    struct fw_traced_blocks *traced;
};

/* NULL: nothing is. */
static struct beside *beside_of(const struct fw_trace_work *work)
{
    const struct fw_trace_question *question = work->question;
    struct fw_launch_volumes_kept *volumes =
        question->kept && !question->sequence ? *question->kept : NULL;
    if (!volumes)
        return NULL;
    struct beside **kept = (struct beside **)fw_launch_volumes_beside(volumes);
    if (!*kept)
        *kept = FW_NEW(work->arena, struct beside);
    return *kept;
}

/* Finds it, or takes it from where it is kept.  What names properties that the profile lacks is not
 * kept: each model names them. */
static void find_asked(struct fw_trace_work *work, struct asked *kept)
{
    const struct fw_trace_question *question = work->question;
    if (kept && kept->found && !(kept->clock < work->clock || kept->clock > work->clock)) {
        work->costs = kept->costs;
        work->units = kept->units;
        work->accesses = kept->accesses;
        work->far_share = kept->far_share;
        work->chances = kept->chances;
        work->chance_misses = kept->chance_misses;
        work->left_out = kept->left_out;
        return;
    }
    fw_sm_costs_find(&work->costs, work->arena, question->kernel, question->device);
    fw_trace_find_accesses(work);
    if (!kept || work->missing)
        return;
    *kept = (struct asked){.found = true,
                           .clock = work->clock,
                           .costs = work->costs,
                           .units = work->units,
                           .accesses = work->accesses,
                           .far_share = work->far_share,
                           .chances = work->chances,
                           .chance_misses = work->chance_misses,
                           .left_out = work->left_out};
}

enum fw_status fw_trace_prepare(struct fw_trace_work *work)
{
    const struct fw_trace_question *question = work->question;
    const struct fw_kernel *kernel = question->kernel;
    struct fw_trace_options options = {.traced_blocks = question->traced_blocks,
                                       .traced_uneven = question->traced_uneven,
                                       .evaluations = question->evaluations};
    const uint32_t *grid = question->launch->grid;
    work->grid = (double)grid[0] * grid[1] * grid[2];
    enum fw_status status = fw_launch_clock(&work->clock, question->clock, kernel, question->bound,
                                            question->device, question->sink);
    if (!status)
        status = fw_residency_find(&work->residency, &kernel->resources, question->launch,
                                   question->device, question->sink);
    if (!status && !work->residency.known)
        status = say_what_occupancy_needs(question);
    if (status)
        return status;
    work->multiprocessors = multiprocessors_for(work);
    work->busy = fmin(work->multiprocessors, work->grid);
    work->own = ceil(work->grid / work->multiprocessors);
    const struct fw_launch_question ask = {
        .kernel = kernel,
        .bound = question->bound,
        .launch = question->launch,
        .device = question->device,
        .alignments = question->alignments,
        .cold = question->cold,
        .sequence = question->sequence,
        .resident_blocks = work->residency.occupancy.blocks ? work->residency.occupancy.blocks : 1,
        .registers = kernel->resources.registers,
        .shared_bytes = work->residency.occupancy.carve_out_bytes,
        .kept = question->kept};
    if (question->volumes)
        work->volumes = *question->volumes;
    else
        status = fw_launch_volumes_find(&work->volumes, work->arena, &ask, question->sink);
    struct beside *beside = status ? NULL : beside_of(work);
    options.kept = beside ? &beside->traced : NULL;
    if (!status)
        status = fw_traces_find(&work->traces, work->arena, kernel, question->bound,
                                question->launch, &options, question->sink);
    if (status)
        return status;
    work->spread = fw_trace_figure(work, FW_FIGURE_LATENCY_SPREAD);
    find_latencies(work);
    if (!question->device->figures[FW_FIGURE_EMPTY_KERNEL].known)
        fw_trace_figure(work, FW_FIGURE_EMPTY_KERNEL); /* blocks' dispatch: it is named */
    find_asked(work, beside ? &beside->asked : NULL);
    name_what_services_need(work);
    work->programs = FW_ARRAY(work->arena, struct fw_warp_program, work->traces.class_count + 1);
    return FW_OK;
}
