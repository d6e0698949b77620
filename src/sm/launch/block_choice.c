/* The blocks of the busiest multiprocessor: which classes of traces they have, and the simulation
 * of all. */
#include "block_choice.h"

#include "launch_service.h"
#include "lone_launch.h"
#include "own_lengths.h"
#include "warp.h"

#include <math.h>
#include <stdlib.h>

enum {
    ALONE = 8,      /* part of the limit for one block by itself: what it takes is a bound alone */
    MOST_KINDS = 16 /* blocks of different traces that follow each other */
};

static int by_place(const void *a, const void *b)
{
    const struct fw_trace_block *x = *(const struct fw_trace_block *const *)a;
    const struct fw_trace_block *y = *(const struct fw_trace_block *const *)b;
    for (int d = 2; d >= 0; d--)
        if (x->block[d] != y->block[d])
            return x->block[d] < y->block[d] ? -1 : 1;
    return 0;
}

/* The class of the block that comes after a share of all, where classes follow each other. */
static uint32_t block_at(const struct fw_trace_work *work,
                         const struct fw_trace_block *const *placed, double share)
{
    double at = share * work->grid;
    uint32_t p = 0;
    while (p + 1 < work->traces.block_count && at >= placed[p]->blocks)
        at -= placed[p++]->blocks;
    return (uint32_t)(placed[p] - work->traces.blocks);
}

/* Whether all blocks of the multiprocessor are resident at once, so that it simulates these and no
 * others. */
static bool is_at_once(const struct fw_trace_work *work, uint32_t kinds)
{
    return work->own <= work->residency.occupancy.blocks && work->own <= kinds;
}

/* The class of each block of the launch, in launch order: x first. */
static uint32_t *classes_in_order(const struct fw_trace_work *work)
{
    const uint32_t *grid = work->question->launch->grid;
    uint32_t *classes = FW_ARRAY(work->arena, uint32_t, (size_t)work->grid + 1);
    for (uint32_t b = 0; b < work->traces.box_count; b++) {
        const struct fw_trace_box *box = &work->traces.boxes[b];
        for (uint32_t z = box->low[2]; z <= box->high[2]; z++)
            for (uint32_t y = box->low[1]; y <= box->high[1]; y++)
                for (uint32_t x = box->low[0]; x <= box->high[0]; x++)
                    classes[(z * grid[1] + y) * grid[0] + x] = box->block;
    }
    return classes;
}

/* All blocks of the multiprocessor that has most to do, where those of each are resident at once;
 * how many.  Blocks are dealt in launch order, one to each multiprocessor in turn, until all have
 * been: the second one of a multiprocessor is that many blocks behind its first, by some more or
 * less that change from launch to launch.  Source: `dealt` in data/h200/blocks. */
static uint32_t choose_all(const struct fw_trace_work *work, uint32_t *chosen)
{
    const uint32_t *classes = classes_in_order(work), around = (uint32_t)work->multiprocessors;
    const uint32_t blocks = (uint32_t)work->grid;
    uint32_t busiest = 0, count = 0;
    double most = -1;
    for (uint32_t first = 0; first < around && first < blocks; first++) {
        double issues = 0;
        for (uint32_t b = first; b < blocks; b += around)
            issues += fw_trace_block_issues(work, &work->traces.blocks[classes[b]]);
        if (issues > most) {
            most = issues;
            busiest = first;
        }
    }
    for (uint32_t b = busiest; b < blocks; b += around)
        chosen[count++] = classes[b];
    return count;
}

/* Of blocks that follow each other: those that come up have the shares of their classes. */
static void choose_some(const struct fw_trace_work *work, uint32_t *chosen, uint32_t count)
{
    const struct fw_traces *traces = &work->traces;
    const struct fw_trace_block **placed =
        FW_ARRAY(work->arena, const struct fw_trace_block *, traces->block_count);
    for (uint32_t b = 0; b < traces->block_count; b++)
        placed[b] = &traces->blocks[b];
    qsort(placed, traces->block_count, sizeof(*placed), by_place);
    for (uint32_t k = 0; k < count; k++)
        chosen[k] = block_at(work, placed, fmod((k + 0.5) * 0.6180339887498949, 1));
}

static void set_programs(struct fw_trace_work *work, struct fw_sm_simulation *simulation,
                         const uint32_t *blocks, uint32_t count)
{
    const uint32_t warps = work->traces.warps;
    const struct fw_warp_program **all =
        FW_ARRAY(work->arena, const struct fw_warp_program *, count *warps);
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t w = 0; w < warps; w++)
            all[k * warps + w] = fw_trace_program(work, work->traces.blocks[blocks[k]].warps[w]);
    simulation->programs = all;
    simulation->kinds = count;
}

/* Adds what an instruction's requests take of each server; `times` executions by warps. */
static void add_served(const struct fw_trace_work *work, double *served, uint32_t instruction,
                       double times)
{
    const struct fw_sm_access *access = &work->accesses[instruction];
    for (int s = 0; s < FW_SM_SERVER_COUNT; s++) {
        double reach = s == FW_SM_SERVER_DRAM ? access->miss_l1 * access->miss_l2
                       : s >= FW_SM_SERVER_L2 ? access->miss_l1
                                              : 1;
        served[s] += times * reach * access->cycles[s];
    }
    served[FW_SM_SERVER_LINES] += times * access->miss_l1 * access->miss_l2 * access->fill;
}

/* What a block takes of each server in the mean. */
static void served_per_block(const struct fw_trace_work *work, double *served)
{
    const struct fw_kernel *kernel = work->question->kernel;
    double *issues = FW_ARRAY(work->arena, double, kernel->schedule_count + 1);
    double *threads = FW_ARRAY(work->arena, double, kernel->schedule_count + 1);
    for (uint32_t k = 0; k < work->traces.class_count; k++)
        fw_trace_count(&work->traces, work->traces.classes[k].trace, work->traces.classes[k].warps,
                       issues, threads);
    for (uint32_t i = 0; i < kernel->schedule_count; i++)
        for (uint32_t o = work->costs.first[i]; o < work->costs.first[i + 1]; o++)
            if (work->costs.operations[o].memory)
                add_served(work, served, i,
                           issues[i] / work->costs.operations[o].every / work->grid);
}

/* Whether it has products that a warp does not wait for (wgmma). */
static bool orders_products(const struct fw_trace_work *work)
{
    for (uint32_t o = 0; o < work->costs.slot; o++)
        if (work->costs.operations[o].product)
            return true;
    return false;
}

static bool waits_at_mbarriers(const struct fw_trace_work *work)
{
    const struct fw_kernel *kernel = work->question->kernel;
    for (uint32_t i = 0; i < kernel->schedule_count; i++)
        if (kernel->schedule[i].barrier == FW_BARRIER_MBARRIER_WAIT && kernel->schedule[i].mbarrier)
            return true;
    return false;
}

/* The share of its wait that a read has where nothing is written.  Source: times of streams, five,
 * box27 and cross in data/h200/traffic, of 0, 0.25, 0.5, 1. */
static const double READS_ALONE = 0.25;

/* What a request to device memory that is half busy waits for others: as its service time is, it is
 * longer where reads and writes take it in turn. */
static double queue_of(struct fw_trace_work *work)
{
    const double read = work->volumes.volumes.dram_read.bytes;
    const double both = read + work->volumes.volumes.dram_write.bytes;
    const double share = both > 0 ? read / both : 0, mixed = 4 * share * (1 - share);
    return fw_trace_figure(work, FW_FIGURE_DRAM_WAIT) * (READS_ALONE + (1 - READS_ALONE) * mixed);
}

/* Of one block, in the mean over those that are simulated. */
static double issues_of_programs(const struct fw_sm_simulation *simulation)
{
    double sum = 0;
    for (uint32_t p = 0; p < simulation->kinds * simulation->warps; p++)
        sum += fw_warp_program_issues(simulation->programs[p]);
    return sum / simulation->kinds;
}

/* What a block of the launch does in the mean, as a share of what the chosen ones do. */
static double mean_to_chosen(const struct fw_trace_work *work, const uint32_t *chosen,
                             uint32_t kinds)
{
    double all = 0, of_chosen = 0;
    for (uint32_t b = 0; b < work->traces.block_count; b++)
        all += fw_trace_block_issues(work, &work->traces.blocks[b]) * work->traces.blocks[b].blocks;
    for (uint32_t k = 0; k < kinds; k++)
        of_chosen += fw_trace_block_issues(work, &work->traces.blocks[chosen[k]]);
    return of_chosen > 0 && all > 0 ? all / work->grid / (of_chosen / kinds) : 1;
}

/* What a block of the simulation takes in the mean.  Where the multiprocessor's blocks are chosen
 * one by one, it has no others; else they follow each other as those of the launch do.  Programs
 * have operations beside those of traces, where an assembler executes both ways of a branch or the
 * rest of an unrolled loop; traces are there for all. */
static void set_means(const struct fw_trace_work *work, struct fw_sm_simulation *simulation,
                      const uint32_t *chosen, bool at_once, double *served)
{
    const double other = mean_to_chosen(work, chosen, simulation->kinds);
    served_per_block(work, served);
    for (int s = 0; s < FW_SM_SERVER_COUNT && at_once; s++)
        served[s] /= other;
    simulation->issues_per_block = (at_once ? 1 : other) * issues_of_programs(simulation);
}

/* What the loops of the warp that has most to do take at least, among as many as are resident: for
 * a simulation that is cut off.  0: none is. */
static double least_cycles(struct fw_trace_work *work, const struct fw_sm_simulation *simulation)
{
    struct fw_lone_launch lone;
    if (simulation->blocks * simulation->issues_per_block <= (double)simulation->most_issues)
        return 0;
    fw_lone_launch_of(&lone, work);
    return lone.launch;
}

/* Whether a block by itself may take longer than the launch.  It has no others beside it, so that
 * it takes no longer than among them; there blocks live as long as their warps in the mean, and one
 * with more to do so much longer.  Of a launch of TIMES as long it need not be asked. */
static bool may_outlast(const struct fw_trace_work *work, const struct fw_sm_simulation *simulation,
                        const struct fw_sm_result *result, uint32_t block)
{
    enum { TIMES = 2 };
    const double life = result->resident / (simulation->warps * simulation->blocks);
    const double issues = fw_trace_block_issues(work, &work->traces.blocks[block]);
    return !(life > 0) || TIMES * life * issues > result->cycles * simulation->issues_per_block;
}

void fw_trace_simulate(struct fw_trace_work *work, struct fw_sm_result *result,
                       uint64_t most_issues)
{
    double served[FW_SM_SERVER_COUNT] = {0};
    struct fw_sm_simulation simulation = {
        .costs = &work->costs,
        .accesses = work->accesses,
        .schedulers = (uint32_t)fmax(1, fw_trace_figure(work, FW_FIGURE_SCHEDULERS)),
        .order = (enum fw_issue_order)fw_device_count(work->question->device, FW_FIGURE_ISSUE_ORDER,
                                                      FW_ISSUE_ORDER_GREEDY_YOUNGEST),
        .resident = work->residency.occupancy.blocks ? work->residency.occupancy.blocks : 1,
        .blocks = work->own,
        .warps = work->traces.warps,
        .branch = fw_trace_later_issue(work, FW_FIGURE_LATENCY_BRANCH),
        .arrival = fw_trace_arrival(work),
        .request = fw_trace_figure(work, FW_FIGURE_REQUEST_INTERVAL),
        .barrier = fw_trace_release(work),
        .phase = waits_at_mbarriers(work) ? fw_trace_figure(work, FW_FIGURE_LATENCY_MBARRIER) : 0,
        .start = fw_trace_figure(work, FW_FIGURE_BLOCK_START),
        .queue = queue_of(work),
        .server_share = fw_server_share(work->question->kernel, work->question->device),
        .dram_share = fw_trace_figure(work, FW_FIGURE_SERVER_SHARE),
        .chances = work->chances,
        .chance_misses = work->chance_misses,
        .dispatch = fw_dispatch_seconds(work->question->device, work->grid) / work->grid *
                    work->busy * work->clock,
        .waiting = (uint32_t)fw_trace_figure(work, FW_FIGURE_LSU_QUEUE),
        .waiting_products =
            orders_products(work) ? (uint32_t)fw_trace_figure(work, FW_FIGURE_WGMMA_QUEUE) : 0,
        .most_issues = most_issues,
        .served_per_block = served,
        .side_work = work->question->side_work,
        .account = work->account,
        .timeline = work->timeline};
    uint32_t chosen[MOST_KINDS] = {0}, heaviest;
    uint32_t kinds = work->traces.block_count == 1 ? 1 : MOST_KINDS;
    const bool at_once = is_at_once(work, kinds);
    if (at_once)
        simulation.blocks = kinds = choose_all(work, chosen);
    else
        choose_some(work, chosen, kinds);
    set_programs(work, &simulation, chosen, kinds);
    set_means(work, &simulation, chosen, at_once, served);
    work->own_lengths = fw_trace_own_lengths(work, &simulation);
    simulation.least_cycles = least_cycles(work, &simulation);
    fw_sm_simulate(result, work->arena, &simulation);
    if (kinds == 1 || work->own <= 1 || work->timeline)
        return;
    /* No launch ends before its longest block. */
    struct fw_sm_result alone;
    heaviest = fw_trace_heaviest_block(work);
    if (!may_outlast(work, &simulation, result, heaviest))
        return;
    set_programs(work, &simulation, &heaviest, 1);
    simulation.blocks = simulation.resident = 1;
    simulation.spread = NULL;
    simulation.chance_misses = 0;
    simulation.most_issues = most_issues / ALONE;
    simulation.account = NULL;
    simulation.timeline = NULL;
    simulation.served_per_block = NULL;
    simulation.least_cycles = 0;
    simulation.issues_per_block = issues_of_programs(&simulation);
    fw_sm_simulate(&alone, work->arena, &simulation);
    if (work->account && alone.cycles > result->cycles)
        work->account->cycles[FW_SM_PART_TAIL] += alone.cycles - result->cycles;
    result->cycles = fmax(result->cycles, alone.cycles);
    result->overtaken = fmax(result->overtaken, alone.overtaken); /* it has an order of its own */
}

double fw_trace_short_cycles(struct fw_arena *arena, const struct fw_trace_question *question,
                             uint64_t most_issues)
{
    struct fw_trace_question quiet = *question;
    struct fw_trace_work work = {.question = &quiet, .arena = arena};
    struct fw_sm_result result;
    quiet.sink = NULL;
    if (fw_device_count(question->device, FW_FIGURE_WARP_SIZE, FW_WARP_THREADS) !=
            FW_WARP_THREADS ||
        fw_trace_prepare(&work))
        return 0;
    fw_trace_simulate(&work, &result, most_issues);
    return result.cycles;
}
