/* Running the blocks of a launch, and what their counters say. */
#include "emulate_launch.h"
#include "emulate_run.h"

#include <fenv.h>
#include <string.h>

/* Counts from the counters, less what they were at an earlier time (NULL: 0). */
static void instruction_counts(const struct fw_emulation *emulation,
                               struct fw_emulate_count *counts,
                               const struct emulate_block_count *blocks,
                               const struct emulate_guarded *guarded, const uint64_t *divergent)
{
    const struct emulate_run *run = &emulation->run;
    const struct fw_function *function = run->code.function;
    for (uint32_t b = 0; b < function->block_count; b++) {
        struct emulate_block_count own = run->block_counts[b];
        if (blocks) {
            own.issued -= blocks[b].issued;
            own.threads -= blocks[b].threads;
        }
        for (uint32_t i = function->blocks[b].first; i < function->blocks[b].end; i++)
            counts[i] = (struct fw_emulate_count){.threads = own.threads,
                                                  .warps = own.issued,
                                                  .issued = own.issued,
                                                  .active = own.threads,
                                                  .divergent = run->divergent[i] -
                                                               (divergent ? divergent[i] : 0)};
    }
    for (size_t g = 0; g < run->code.guarded.count; g++) {
        const struct emulate_guarded *own = &run->code.guarded.at[g];
        counts[own->instruction].threads = own->threads - (guarded ? guarded[g].threads : 0);
        counts[own->instruction].warps = own->warps - (guarded ? guarded[g].warps : 0);
    }
}

static void remember(struct fw_emulation *emulation)
{
    const struct emulate_run *run = &emulation->run;
    const struct fw_function *function = run->code.function;
    memcpy(emulation->block_before, run->block_counts,
           function->block_count * sizeof *run->block_counts);
    if (run->code.guarded.count)
        memcpy(emulation->guarded_before, run->code.guarded.at,
               run->code.guarded.count * sizeof *run->code.guarded.at);
    memcpy(emulation->divergent_before, run->divergent,
           function->instruction_count * sizeof *run->divergent);
}

static void run_one(struct fw_emulation *emulation, uint64_t linear)
{
    struct emulate_run *run = &emulation->run;
    const uint64_t x = run->grid[0], y = run->grid[1];
    run->linear = linear;
    run->at[0] = (uint32_t)(linear % x);
    run->at[1] = (uint32_t)(linear / x % y);
    run->at[2] = (uint32_t)(linear / x / y);
    if (emulation->options.block_done)
        remember(emulation);
    fw_emulate_run_block(run);
    emulation->blocks_run++;
    if (!emulation->options.block_done)
        return;
    instruction_counts(emulation, emulation->own_counts, emulation->block_before,
                       emulation->guarded_before, emulation->divergent_before);
    emulation->options.block_done(emulation->options.user, run->at, emulation->own_counts);
}

static uint64_t grid_blocks(const struct emulate_run *run)
{
    return (uint64_t)run->grid[0] * run->grid[1] * run->grid[2];
}

/* Of a sample, so many blocks run even where they take more than what is enough. */
enum { LEAST_BLOCKS = 3 };

static void run_all(struct fw_emulation *emulation)
{
    const struct fw_emulate_options *options = &emulation->options;
    const uint64_t total = grid_blocks(&emulation->run);
    if (options->block_count) {
        for (size_t i = 0; i < options->block_count; i++)
            if (options->enough && emulation->blocks_run >= LEAST_BLOCKS &&
                emulation->run.spent >= options->enough)
                return;
            else if (options->blocks[i] < total)
                run_one(emulation, options->blocks[i]);
        return;
    }
    for (uint64_t i = 0; i < total; i += options->every ? options->every : 1)
        run_one(emulation, i);
}

static void make_counts(struct fw_emulation *emulation)
{
    struct fw_arena *arena = emulation->arena;
    const struct fw_function *function = emulation->run.code.function;
    const size_t n = function->instruction_count + (size_t)1;
    emulation->instruction_counts = FW_ARRAY(arena, struct fw_emulate_count, n);
    emulation->own_counts = FW_ARRAY(arena, struct fw_emulate_count, n);
    emulation->divergent_before = FW_ARRAY(arena, uint64_t, n);
    emulation->block_counts = FW_ARRAY(arena, struct fw_emulate_count, function->block_count);
    emulation->block_before = FW_ARRAY(arena, struct emulate_block_count, function->block_count);
    emulation->guarded_before =
        FW_ARRAY(arena, struct emulate_guarded, emulation->run.code.guarded.count);
}

static void fill_result(struct fw_emulate_result *result, struct fw_emulation *emulation)
{
    const struct emulate_run *run = &emulation->run;
    const struct fw_function *function = run->code.function;
    instruction_counts(emulation, emulation->instruction_counts, NULL, NULL, NULL);
    for (uint32_t b = 0; b < function->block_count; b++)
        emulation->block_counts[b] =
            (struct fw_emulate_count){.threads = run->block_counts[b].threads,
                                      .warps = run->block_counts[b].issued,
                                      .issued = run->block_counts[b].issued,
                                      .active = run->block_counts[b].threads};
    *result = (struct fw_emulate_result){.instructions = emulation->instruction_counts,
                                         .blocks = emulation->block_counts,
                                         .block_count = function->block_count,
                                         .grid_blocks = grid_blocks(run),
                                         .blocks_run = emulation->blocks_run,
                                         .assumed_memory = emulation->assumed};
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        result->thread_instructions += emulation->instruction_counts[i].threads;
        result->warp_instructions += emulation->instruction_counts[i].issued;
    }
}

enum fw_status fw_emulation_run(struct fw_emulate_result *result, struct fw_emulation *emulation)
{
    struct emulate_run *run = &emulation->run;
    jmp_buf exhausted;
    memset(result, 0, sizeof *result);
    jmp_buf *before = fw_arena_on_exhausted(emulation->arena, &exhausted);
    if (setjmp(exhausted)) {
        fw_arena_on_exhausted(emulation->arena, before);
        return FW_ERROR_MEMORY;
    }
    if (!emulation->instruction_counts)
        make_counts(emulation);
    fw_arena_on_exhausted(emulation->arena, before);
    run->failed = FW_OK;
    if (setjmp(run->fault) == 0)
        run_all(emulation);
    else
        fesetround(FE_TONEAREST);
    fill_result(result, emulation);
    return run->failed;
}
