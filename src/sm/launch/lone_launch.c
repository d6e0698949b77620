#include "lone_launch.h"

#include "warp.h"

#include <math.h>

enum {
    TRACED_BLOCKS = 4,       /* corners of the grid: which has most to do */
    TRACED_UNEVEN = 64,      /* where it may be anywhere, as by bits of its index */
    EVALUATIONS = 256 * 1024 /* of conditions, in their traces */
};

/* The trace of the warp of a block that executes most. */
static const struct fw_trace *longest_of(const struct fw_trace_work *work, uint32_t block)
{
    const struct fw_trace *longest = NULL;
    double most = -1;
    for (uint32_t w = 0; w < work->traces.warps; w++) {
        const struct fw_trace *trace = work->traces.blocks[block].warps[w];
        double issues = trace == longest ? most : fw_trace_issues(trace);
        if (issues > most) {
            longest = trace;
            most = issues;
        }
    }
    return longest;
}

/* What a block of the launch executes in the mean. */
static double mean_issues(const struct fw_trace_work *work)
{
    double sum = 0;
    for (uint32_t b = 0; b < work->traces.block_count; b++)
        sum += work->traces.blocks[b].blocks * fw_trace_block_issues(work, &work->traces.blocks[b]);
    return sum / work->grid;
}

void fw_lone_warp_of(struct fw_lone_warp *lone, struct fw_trace_work *work,
                     const struct fw_trace *trace)
{
    const double schedulers = fmax(1, fw_trace_figure(work, FW_FIGURE_SCHEDULERS));
    *lone = (struct fw_lone_warp){.program = fw_trace_program(work, trace),
                                  .costs = &work->costs,
                                  .accesses = work->accesses,
                                  .branch = fw_trace_later_issue(work, FW_FIGURE_LATENCY_BRANCH),
                                  .arrival = fw_trace_arrival(work),
                                  .request = fw_trace_figure(work, FW_FIGURE_REQUEST_INTERVAL),
                                  .barrier = fw_trace_release(work),
                                  .start = fw_trace_figure(work, FW_FIGURE_BLOCK_START),
                                  .schedulers = (uint32_t)schedulers,
                                  .waiting = (uint32_t)fw_trace_figure(work, FW_FIGURE_LSU_QUEUE),
                                  .waiting_products =
                                      (uint32_t)fw_trace_figure(work, FW_FIGURE_WGMMA_QUEUE),
                                  .beside = 1 / schedulers,
                                  .block = 1 / schedulers};
}

/* Blocks that follow each other in one place at least, in blocks of the heaviest.  Where all have
 * as much to do, those of the first wave end together, and a second one takes as long, however few
 * it has; those of later ones have drifted apart.  `block`, `mean`: what the heaviest block and one
 * in the mean execute. */
static double blocks_in_turn(const struct fw_trace_work *work, double resident, double block,
                             double mean)
{
    static const double ROUNDING = 1e-9;
    const double waves = work->grid / work->busy / resident;
    if (!(block > 0))
        return 0;
    if (waves <= 2 && mean >= block * (1 - ROUNDING))
        return ceil(waves - ROUNDING);
    return floor(waves) * mean / block;
}

void fw_lone_launch_of(struct fw_lone_launch *found, struct fw_trace_work *work)
{
    const double resident = fmin(work->own, fmax(1, work->residency.occupancy.blocks));
    const uint32_t heaviest = fw_trace_heaviest_block(work);
    const struct fw_trace *longest = longest_of(work, heaviest);
    struct fw_lone_warp lone;
    fw_lone_warp_of(&lone, work, longest);
    /* Warps that execute as much as the longest. */
    const double whole = lone.schedulers * fmax(1, fw_trace_issues(longest));
    const double block = fw_trace_block_issues(work, &work->traces.blocks[heaviest]);
    const double mean = mean_issues(work);
    lone.beside = lone.block = block / whole;
    found->block = fw_lone_warp_cycles(&lone, work->arena, &found->units);
    found->units *= mean / whole;
    lone.beside = (block + (resident - 1) * mean) / whole;
    found->launch = fmax(fw_lone_warp_cycles(&lone, work->arena, NULL),
                         blocks_in_turn(work, resident, block, mean) * found->block);
}

void fw_lone_launch_find(struct fw_lone_launch *found, struct fw_arena *arena,
                         const struct fw_trace_question *question)
{
    struct fw_trace_question few = *question;
    few.traced_blocks = TRACED_BLOCKS;
    few.traced_uneven = TRACED_UNEVEN;
    few.evaluations = EVALUATIONS;
    few.sink = NULL;
    struct fw_trace_work work = {.question = &few, .arena = arena};
    *found = (struct fw_lone_launch){0};
    if (fw_device_count(question->device, FW_FIGURE_WARP_SIZE, FW_WARP_THREADS) !=
            FW_WARP_THREADS ||
        fw_trace_prepare(&work))
        return;
    fw_lone_launch_of(found, &work);
}
