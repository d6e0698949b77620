/* Any PTX that the reader accepts goes through all passes, the record and counting, within limits
 * of memory, and every answer that is not exact has a named reason.  Launches come from the input.
 */
#include "launch.h"
#include "liveness.h"
#include "lowering.h"
#include "passes.h"
#include "pipeline.h"
#include "ptx_reader.h"
#include "record.h"
#include "tally.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MEMORY = 256 << 20, MOST_INSTRUCTIONS = 1 << 16, LAUNCHES = 3 };

static uint64_t pick(uint64_t *state, uint64_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (*state >> 33) % below;
}

static void choose(struct fw_launch *launch, const struct fw_kernel *kernel, uint64_t *state)
{
    static const uint32_t grids[] = {1, 2, 7, 100, 65535}, blocks[] = {1, 7, 32, 33, 64};
    static const int64_t integers[] = {0,   1,   -1,        2,         5,         100,       1000,
                                       127, 128, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 4096};
    for (int d = 0; d < 3; d++) {
        launch->grid[d] = grids[pick(state, d == 0 ? 5 : 2)];
        launch->block[d] = blocks[pick(state, d == 0 ? 5 : 2)];
    }
    launch->block[2] = 1;
    launch->shared = pick(state, 4096);
    for (uint32_t p = 0; p < kernel->parameter_count; p++) {
        launch->integers[p] = integers[pick(state, sizeof(integers) / sizeof(integers[0]))];
        launch->floats[p] = (double)pick(state, 4);
        launch->is_bound[p] = pick(state, 16) != 0;
    }
    launch->one_block = pick(state, 4) == 0;
    for (int d = 0; d < 3; d++)
        launch->only[d] = launch->grid[d] - 1;
}

static void count(const struct fw_kernel *kernel, struct fw_arena *arena, uint64_t *state)
{
    struct fw_bound *bound = fw_bound_new(kernel);
    struct fw_launch *launch = fw_launch_new(arena, kernel);
    uint32_t unknowns, wraps;
    for (int l = 0; l < LAUNCHES; l++) {
        bool inexact = false;
        choose(launch, kernel, state);
        if (fw_bound_set(bound, launch) != FW_OK)
            continue;
        for (uint32_t d = 0; d < kernel->domain_count; d++)
            inexact |= !fw_bound_count(bound, d)->exact;
        fw_bound_unknowns(bound, &unknowns);
        if (inexact && unknowns == 0) {
            fprintf(stderr, "a count is not exact and nothing says why\n");
            abort();
        }
        for (uint32_t d = 0; d < kernel->domain_count && d < 64; d++)
            fw_bound_count_warps(bound, d);
        fw_bound_wraps(bound, &wraps);
    }
    fw_bound_free(bound);
}

static void follow(struct fw_function *function, struct fw_arena *arena, uint64_t *state)
{
    struct fw_record_options options = {0};
    struct fw_kernel *kernel;
    if (fw_ir_prepare(arena, function, MOST_INSTRUCTIONS, NULL) != FW_OK)
        return;
    fw_pass_uniformity(arena, function);
    if (fw_record_build(&kernel, arena, function, &options, NULL) != FW_OK)
        return;
    fw_kernel_dump(arena, kernel);
    count(kernel, arena, state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fw_arena *arena = fw_arena_new(MEMORY);
    jmp_buf exhausted;
    uint64_t state = size;
    for (size_t i = 0; i < size; i++)
        state = (state ^ data[i]) * 0x100000001b3u;
    if (setjmp(exhausted) == 0) {
        struct fw_source source = {"fuzz", NULL, size};
        struct fw_module *module;
        fw_arena_on_exhausted(arena, &exhausted);
        source.text = fw_arena_text(arena, (const char *)data, size);
        if (fw_ptx_read(&module, arena, &source, NULL) == FW_OK)
            for (uint32_t f = 0; f < module->function_count && f < 4; f++)
                if (module->functions[f]->is_entry && module->functions[f]->has_body)
                    follow(module->functions[f], arena, &state);
    }
    fw_arena_on_exhausted(arena, NULL);
    fw_arena_free(arena);
    return 0;
}
