#include "residency.h"

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

const char *const *fw_residency_caveats(struct fw_arena *arena,
                                        const struct fw_resources *resources)
{
    enum { MOST = 3 };
    const char **all = FW_ARRAY(arena, const char *, MOST);
    size_t count = 0;
    if (resources->registers && strcmp(resources->registers_source, "liveness") == 0)
        all[count++] = "Registers are estimated from what is live in PTX: occupancy may differ.";
    if (resources->spill_store_bytes || resources->spill_load_bytes)
        all[count++] =
            fw_arena_printf(arena,
                            "Registers do not suffice: the kernel's spills (%u bytes stored, %u "
                            "loaded by a thread) are not counted.",
                            resources->spill_store_bytes, resources->spill_load_bytes);
    return all;
}
