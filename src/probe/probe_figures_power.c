/* Properties of power and energy. */
#include "probe_profile_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Watts of a configuration, those of its idle gaps taken out; NaN when they were not measured. */
static double watts(struct probe *probe, const char *name, double idle)
{
    double seen = fw_probe_recording_energy(probe->recording, name, "watts");
    double gaps = fw_probe_recording_energy(probe->recording, name, "idle_share");
    if (!(gaps > 0) || !(gaps < 0.5) || !(idle > 0))
        return seen;
    return (seen - gaps * idle) / (1 - gaps);
}

static void set_energy(struct probe *probe, enum fw_figure figure, const char *name, double work,
                       double idle)
{
    double power = watts(probe, name, idle);
    struct fw_probe_spread seconds = probe_seconds(probe, name, false);
    double joules = (power - idle) * seconds.value / work;
    if (isfinite(joules) && joules > 0)
        probe_set(probe, figure, (struct fw_probe_spread){joules, joules, joules, 1},
                  "watts above idling by the rate");
    else
        probe_missing(probe, figure, "power was not measured");
}

static void energy_of_operations(struct probe *probe, double idle)
{
    static const struct {
        enum fw_figure figure;
        enum fw_probe_operation operation;
    } rows[] = {{FW_FIGURE_ENERGY_F32, FW_PROBE_fma_f32},
                {FW_FIGURE_ENERGY_F64, FW_PROBE_fma_f64},
                {FW_FIGURE_ENERGY_INT32_MULTIPLY, FW_PROBE_mad_s32},
                {FW_FIGURE_ENERGY_SPECIAL, FW_PROBE_ex2_f32},
                {FW_FIGURE_ENERGY_SHARED, FW_PROBE_load_shared_128},
                {FW_FIGURE_ENERGY_L1, FW_PROBE_load_l1_128}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct fw_probe_row *row = &fw_probe_rows[rows[i].operation];
        const char *name = fw_arena_printf(probe->arena, "rate %s", row->name);
        double blocks = fw_probe_recording_extent(probe->recording, name, "grid");
        set_energy(probe, rows[i].figure, name,
                   blocks * 16 * (double)fw_probe_whole_instances(rows[i].operation) * row->weight *
                       row->instructions,
                   idle);
    }
    const char *wgmma = "rate wgmma_bf16", *mma = "rate mma_bf16";
    double blocks = fw_probe_recording_extent(probe->recording, wgmma, "grid");
    if (isfinite(blocks))
        set_energy(probe, FW_FIGURE_ENERGY_TENSOR, wgmma,
                   blocks * FW_PROBE_WGMMA_UNROLL * FW_PROBE_WGMMA_ITERATIONS *
                       (2.0 * 64 * 256 * 16),
                   idle);
    else
        set_energy(probe, FW_FIGURE_ENERGY_TENSOR, mma,
                   fw_probe_recording_extent(probe->recording, mma, "grid") * 16 *
                       (double)fw_probe_whole_instances(FW_PROBE_mma_bf16) * 4096,
                   idle);
}

/* "KIND BYTES ... energy", the smaller region from L2, the larger from device memory. */
static void energy_of_streams(struct probe *probe, double idle)
{
    bool seen[3] = {false};
    static const enum fw_figure figures[] = {FW_FIGURE_ENERGY_L2, FW_FIGURE_ENERGY_DRAM_READ,
                                             FW_FIGURE_ENERGY_DRAM_WRITE};
    for (size_t i = 0; fw_probe_recording_name(probe->recording, i); i++) {
        const char *name = fw_probe_recording_name(probe->recording, i);
        char kind[16];
        unsigned long long size, moved;
        if (!strstr(name, " energy") ||
            sscanf(name, "%15s %llu %*ux%*u %llu", kind, &size, &moved) != 3)
            continue;
        int which = strcmp(kind, "write") == 0  ? 2
                    : strcmp(kind, "read") != 0 ? -1
                    : size < 100000000ULL       ? 0
                                                : 1;
        if (which < 0)
            continue;
        seen[which] = true;
        set_energy(probe, figures[which], name, (double)moved, idle);
    }
    for (int i = 0; i < 3; i++)
        if (!seen[i])
            probe_missing(probe, figures[i], "power was not measured");
}

static void power_by_intensity(struct probe *probe, double idle)
{
    double points[2 * FW_PROBE_INTENSITIES];
    size_t count = 0;
    for (int i = 0; i < FW_PROBE_INTENSITIES; i++) {
        double power =
            watts(probe, fw_arena_printf(probe->arena, "intensity %d", fw_probe_flops[i]), idle);
        if (!(power > 0))
            continue;
        points[2 * count] = fw_probe_flops[i] / 16.0;
        points[2 * count++ + 1] = power;
    }
    probe_set_points(probe, FW_FIGURE_POWER_BY_INTENSITY, points, count, 1,
                     "reads of device memory and fused multiply-adds");
}

void probe_figures_power(struct probe *probe)
{
    double idle = fw_probe_recording_energy(probe->recording, "idle", "watts");
    if (isfinite(idle))
        probe_set(probe, FW_FIGURE_IDLE_POWER, (struct fw_probe_spread){idle, idle, idle, 1},
                  "one warp asleep, clocks at their top");
    else
        probe_missing(probe, FW_FIGURE_IDLE_POWER, "power was not measured");
    power_by_intensity(probe, idle);
    energy_of_operations(probe, idle);
    energy_of_streams(probe, idle);
}
