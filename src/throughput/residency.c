#include "residency.h"

#include "checked.h"

#include <string.h>

enum fw_status fw_residency_find(struct fw_residency *residency,
                                 const struct fw_resources *resources,
                                 const struct fw_launch *launch, const struct fw_device *device,
                                 const struct fw_sink *sink)
{
    const uint32_t *block = launch->block, *grid = launch->grid;
    struct fw_block_needs needs = {.threads = block[0] * block[1] * block[2],
                                   .registers = resources->registers ? resources->registers : 1,
                                   .shared_static = resources->static_shared,
                                   .shared_dynamic = launch->shared,
                                   .carve_out = -1};
    *residency = (struct fw_residency){.known = false};
    if (fw_occupancy(&residency->occupancy, device, &needs, NULL) != FW_OK)
        return FW_OK;
    residency->known = true;
    if (residency->occupancy.blocks == 0) {
        fw_report(sink, FW_ERROR, "MOD002", (struct fw_span){0},
                  "such a block cannot run on %s: too much %s (%u threads, %llu bytes of shared "
                  "memory)",
                  device->name, fw_limit_text(residency->occupancy.limit), needs.threads,
                  (unsigned long long)(needs.shared_static + needs.shared_dynamic));
        return FW_ERROR_USAGE;
    }
    residency->has_waves = fw_occupancy_waves(&residency->waves, device, &residency->occupancy,
                                              (uint64_t)grid[0] * grid[1] * grid[2], NULL) == FW_OK;
    return FW_OK;
}

static void limit_by(uint32_t *most, const struct fw_device *device, uint64_t threads,
                     uint32_t blocks)
{
    uint32_t registers;
    if (threads && threads <= UINT32_MAX &&
        fw_occupancy_registers(&registers, device, (uint32_t)threads, blocks, NULL) == FW_OK &&
        registers && registers < *most)
        *most = registers;
}

/* 0: not stated, or more than any device runs. */
static uint64_t threads_of(const uint32_t extents[3])
{
    uint64_t threads = extents[0];
    for (int d = 1; d < 3; d++)
        if (fw_multiply_overflows(threads, extents[d] ? extents[d] : 1, &threads))
            return 0;
    return threads;
}

uint32_t fw_residency_needed(const struct fw_resources *resources)
{
    uint32_t needed = 0;
    if (!resources->registers || strcmp(resources->registers_source, "liveness") != 0)
        return resources->registers;
    for (uint32_t p = 0; p < resources->pressure_count; p++)
        if (resources->pressures[p].need > needed)
            needed = resources->pressures[p].need;
    return needed && needed < resources->registers ? needed : resources->registers;
}

void fw_residency_limit(struct fw_resources *resources, const struct fw_kernel *kernel,
                        const struct fw_launch *launch, const struct fw_device *device)
{
    enum { ENCODED = 255 }; /* of the instruction set, where the profile does not say */
    const uint32_t *bound = kernel->required_block[0] ? kernel->required_block : kernel->max_block;
    uint32_t most = (uint32_t)fw_device_count(device, FW_FIGURE_REGISTERS_PER_THREAD, ENCODED);
    *resources = kernel->resources;
    if (!resources->registers || strcmp(resources->registers_source, "liveness") != 0)
        return;
    limit_by(&most, device, threads_of(launch->block), 1);
    limit_by(&most, device, threads_of(bound), kernel->min_blocks);
    if (kernel->max_registers && kernel->max_registers < most)
        most = kernel->max_registers;
    uint32_t needed = fw_residency_needed(resources);
    bool stated = bound[0] || kernel->max_registers;
    if (resources->most_registers && stated) {
        /* setmaxnreg hands registers from warp to warp: ptxas 13.0 lets a kernel begin with all
         * that its bounds leave, in steps of eight, up to what the largest one asks for */
        enum { STEP = 8 };
        if (most > resources->most_registers)
            most = resources->most_registers;
        resources->registers = most / STEP * STEP;
        if (most < resources->most_registers)
            most = resources->most_registers;
    }
    if (needed > most)
        resources->wanted_registers = needed;
    if (resources->registers > most)
        resources->registers = most;
}

const char *const *fw_residency_caveats(struct fw_arena *arena, bool counted,
                                        const struct fw_resources *resources)
{
    enum { MOST = 5, WORD = 4 };
    const char **all = FW_ARRAY(arena, const char *, MOST);
    size_t count = 0;
    if (resources->registers && strcmp(resources->registers_source, "liveness") == 0)
        all[count++] = "Registers are estimated from what is live in PTX: occupancy may differ.";
    if (resources->wanted_registers)
        all[count++] = fw_arena_printf(
            arena,
            "%u registers are estimated, and a thread can have %u: what is more (%u bytes of a "
            "thread) would be spilled to local memory, which is %s.",
            resources->wanted_registers, resources->registers,
            (resources->wanted_registers - resources->registers) * WORD,
            counted ? "counted by estimate" : "not counted");
    if (!counted && (resources->spill_store_bytes || resources->spill_load_bytes))
        all[count++] =
            fw_arena_printf(arena,
                            "Registers do not suffice: the kernel's spills (%u bytes stored, %u "
                            "loaded by a thread) are not counted.",
                            resources->spill_store_bytes, resources->spill_load_bytes);
    if (resources->wgmma_serialized)
        all[count++] = "The assembler waits for each wgmma before the next, as ptxas does where "
                       "registers do not suffice to have several in flight.";
    return all;
}
