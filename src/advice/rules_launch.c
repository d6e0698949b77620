/* Rules about the launch and its resources: block shape, registers, shared memory, waves. */
#include "advice_internal.h"

#include "residency.h"
#include "warp.h"

#include <string.h>

/* ---- block shape ---- */

static const uint32_t lines[][3] = {
    {64, 1, 1}, {128, 1, 1}, {256, 1, 1}, {512, 1, 1}, {1024, 1, 1}};
static const uint32_t areas[][3] = {{32, 4, 1},  {32, 8, 1}, {32, 16, 1}, {64, 2, 1},
                                    {64, 4, 1},  {64, 8, 1}, {128, 2, 1}, {128, 4, 1},
                                    {256, 1, 1}, {16, 8, 1}, {16, 16, 1}};
static const uint32_t volumes[][3] = {{32, 4, 1}, {32, 8, 1},  {64, 2, 1}, {64, 4, 1},
                                      {32, 4, 2}, {64, 2, 2},  {16, 8, 2}, {8, 8, 4},
                                      {8, 8, 8},  {128, 2, 1}, {256, 1, 1}};

/* The grid that the threads which do something need in such blocks.  Those that the present blocks
 * add at the end of an axis are not needed in others. */
static bool regrid(struct advice_try *try, const uint32_t block[3])
{
    struct fw_launch *launch = try->launch;
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2], allowed = 1;
    for (int d = 0; d < 3; d++)
        allowed *= try->kernel->max_block[d] ? try->kernel->max_block[d] : 1;
    if (try->kernel->max_block[0] && threads > allowed)
        return false;
    for (int d = 0; d < 3; d++) {
        uint64_t extent = (uint64_t)try->base->used[d];
        uint64_t grid = (extent + block[d] - 1) / block[d];
        if (extent % block[d] && !try->kernel->branch_count)
            return false; /* nothing would keep the threads beyond the end from their work */
        if (grid > (d ? 65535 : INT32_MAX))
            return false;
        launch->grid[d] = (uint32_t)grid;
        launch->block[d] = block[d];
    }
    return true;
}

bool advice_other_block(struct advice_try *try)
{
    const uint32_t *grid = try->launch->grid, *block = try->launch->block;
    const bool z = grid[2] * (uint64_t)block[2] > 1, y = grid[1] * (uint64_t)block[1] > 1;
    const uint32_t(*shapes)[3] = z ? volumes : y ? areas : lines;
    size_t count = z   ? sizeof(volumes) / sizeof(*volumes)
                   : y ? sizeof(areas) / sizeof(*areas)
                       : sizeof(lines) / sizeof(*lines);
    if (try->number >= count || memcmp(shapes[try->number], block, sizeof(*shapes)) == 0 ||
        !advice_any_block(try) || !regrid(try, shapes[try->number]))
        return false;
    const uint32_t *now = try->launch->block, *blocks = try->launch->grid;
    try->sentence = fw_arena_printf(
        try->arena, "Launch blocks of %u x %u x %u threads, in a grid of %u x %u x %u blocks.",
        now[0], now[1], now[2], blocks[0], blocks[1], blocks[2]);
    return true;
}

/* ---- partial warps ---- */

bool advice_whole_warps(struct advice_try *try)
{
    const uint32_t *block = try->launch->block;
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    uint32_t whole[3] = {block[0], block[1], block[2]};
    uint64_t rest = threads % FW_WARP_THREADS;
    if (!rest)
        return false;
    while ((uint64_t)whole[0] * whole[1] * whole[2] % FW_WARP_THREADS && whole[0] < 1024)
        whole[0]++;
    const char *said =
        fw_arena_printf(try->arena, "The last warp of each block has %llu of %d lanes",
                        (unsigned long long)rest, FW_WARP_THREADS);
    if ((uint64_t)whole[0] * whole[1] * whole[2] <= 1024 && advice_any_block(try) &&
        regrid(try, whole)) {
        try->sentence =
            fw_arena_printf(try->arena, "%s: launch blocks of %u x %u x %u threads, whole warps.",
                            said, whole[0], whole[1], whole[2]);
        return true;
    }
    uint64_t warps = (threads + FW_WARP_THREADS - 1) / FW_WARP_THREADS;
    try->at_most = true;
    try->bound =
        try->base->of->prediction->seconds * (double)threads / (double)(warps * FW_WARP_THREADS);
    try->sentence =
        fw_arena_printf(try->arena, "%s: let the block's size be a multiple of it.", said);
    return true;
}

/* ---- occupancy ---- */

static bool limited_by(const struct advice_try *try, const char *what)
{
    const struct fw_prediction *now = try->base->of->prediction;
    return now->has_occupancy && now->occupancy_limit && strcmp(now->occupancy_limit, what) == 0 &&
           now->occupancy < 1;
}

static uint32_t blocks_of(const struct advice_try *try)
{
    const struct fw_sink silent = {NULL, NULL};
    struct fw_residency residency;
    enum fw_status status =
        fw_residency_find(&residency, &try->kernel->resources, try->launch, try->device, &silent);
    return !status && residency.known ? residency.occupancy.blocks : 0;
}

bool advice_fewer_registers(struct advice_try *try)
{
    enum { STEP = 8, LEAST = 16 };
    struct fw_resources *resources = &try->kernel->resources;
    uint32_t now = resources->registers, needed = fw_residency_needed(resources);
    uint32_t fewer = (now + STEP - 1) / STEP * STEP;
    uint32_t resident = try->base->of->prediction->resident_blocks;
    if (!limited_by(try, "registers") || fewer < LEAST + STEP * (try->number + 1))
        return false;
    fewer -= STEP * (try->number + 1);
    if (needed > fewer && needed > resources->wanted_registers)
        resources->wanted_registers = needed;
    resources->registers = fewer;
    uint32_t more = blocks_of(try);
    if (more <= resident)
        return false;
    const uint32_t *block = try->launch->block;
    try->at_most = true; /* what an assembler spills is an estimate */
    try->sentence = fw_arena_printf(
        try->arena,
        "With %u registers a thread instead of %u, %u blocks are resident instead of %u: "
        "__launch_bounds__(%u, %u).",
        fewer, now, more, resident, block[0] * block[1] * block[2], more);
    return true;
}

bool advice_less_shared(struct advice_try *try)
{
    struct fw_resources *resources = &try->kernel->resources;
    uint32_t resident = try->base->of->prediction->resident_blocks, more = 0;
    uint64_t now = resources->static_shared + try->launch->shared, left = now;
    if (!limited_by(try, "shared memory") && !limited_by(try, "shared"))
        return false;
    if (resources->static_shared == UINT32_MAX)
        return false;
    while (left > 1024 && more <= resident) {
        left = left * 9 / 10;
        resources->static_shared = (uint32_t)left;
        try->launch->shared = 0;
        more = blocks_of(try);
    }
    if (more <= resident)
        return false;
    try->at_most = true;
    try->sentence = fw_arena_printf(
        try->arena,
        "With %llu bytes of shared memory a block instead of %llu, %u blocks are resident instead "
        "of %u.",
        (unsigned long long)left, (unsigned long long)now, more, resident);
    return true;
}

/* ---- waves ---- */

/* The last wave is as long as the others: were it full, the launch would have as many as its blocks
 * make. */
bool advice_fill_waves(struct advice_try *try)
{
    const struct fw_prediction *now = try->base->of->prediction;
    double whole = ceil(now->waves - 1e-9);
    if (!now->has_occupancy || !(now->waves > 1) || whole > 8 || !(whole > now->waves * 1.03))
        return false;
    try->at_most = true;
    try->bound = now->seconds * now->waves / whole;
    try->sentence = fw_arena_printf(
        try->arena,
        "The launch has %.2f waves of blocks, and the last leaves multiprocessors idle: choose a "
        "grid of whole waves, or let a loop with the grid's stride share out the work.",
        now->waves);
    return true;
}
