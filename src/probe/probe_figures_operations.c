/* Properties of clocks, launches and operations. */
#include "probe_profile_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
    enum fw_figure figure;
    enum fw_probe_operation operation;
} latencies[] = {
    {FW_FIGURE_LATENCY_F32, FW_PROBE_fma_f32},
    {FW_FIGURE_LATENCY_F32_DIVIDE, FW_PROBE_div_f32},
    {FW_FIGURE_LATENCY_F32_SQRT, FW_PROBE_sqrt_f32},
    {FW_FIGURE_LATENCY_F64_FMA, FW_PROBE_fma_f64},
    {FW_FIGURE_LATENCY_F64_DIVIDE, FW_PROBE_div_f64},
    {FW_FIGURE_LATENCY_F64_SQRT, FW_PROBE_sqrt_f64},
    {FW_FIGURE_LATENCY_F16, FW_PROBE_fma_f16x2},
    {FW_FIGURE_LATENCY_INT32, FW_PROBE_lop3_b32},
    {FW_FIGURE_LATENCY_INT32_MULTIPLY, FW_PROBE_mad_s32},
    {FW_FIGURE_LATENCY_INT32_DIVIDE, FW_PROBE_div_s32},
    {FW_FIGURE_LATENCY_SPECIAL, FW_PROBE_ex2_f32},
    {FW_FIGURE_LATENCY_SHUFFLE, FW_PROBE_shuffle_b32},
    {FW_FIGURE_LATENCY_TENSOR, FW_PROBE_mma_bf16},
    {FW_FIGURE_LATENCY_SHARED, FW_PROBE_load_shared},
    {FW_FIGURE_LATENCY_ATOMIC_SHARED, FW_PROBE_atomic_shared},
    {FW_FIGURE_LATENCY_ATOMIC_GLOBAL, FW_PROBE_atomic_global},
    {FW_FIGURE_LATENCY_CONSTANT, FW_PROBE_load_constant},
};

/* per: what of the row's weight is one of the figure's unit. */
static const struct {
    enum fw_figure figure;
    enum fw_probe_operation operation;
    double per;
} rates[] = {
    {FW_FIGURE_LANES_F32, FW_PROBE_fma_f32, 1},
    {FW_FIGURE_LANES_F64, FW_PROBE_fma_f64, 1},
    {FW_FIGURE_LANES_F16, FW_PROBE_fma_f16x2, 1},
    {FW_FIGURE_LANES_INT32, FW_PROBE_lop3_b32, 1},
    {FW_FIGURE_LANES_INT32_MULTIPLY, FW_PROBE_mad_s32, 1},
    {FW_FIGURE_LANES_SPECIAL, FW_PROBE_ex2_f32, 1},
    {FW_FIGURE_LANES_POPCOUNT, FW_PROBE_popc_b32, 1},
    {FW_FIGURE_LANES_SHUFFLE, FW_PROBE_shuffle_b32, 1},
    {FW_FIGURE_LANES_LOAD_STORE, FW_PROBE_load_shared, 4},
    {FW_FIGURE_SCHEDULERS, FW_PROBE_issue, 1},
    {FW_FIGURE_TENSOR_F64, FW_PROBE_mma_f64_k16, 1},
};

/* Units come in powers of two, or three times one: the nearest, when the rate reaches 95% of it and
 * does not go beyond by more than 1%.  Else the rate itself. */
static double units(double rate)
{
    double best = rate, power = exp2(floor(log2(rate)));
    double choices[] = {power, 1.5 * power, 2 * power};
    for (int i = 0; i < 3; i++)
        if (rate >= 0.95 * choices[i] && rate <= 1.01 * choices[i])
            best = choices[i];
    return best;
}

/* A rate as a number of units, and how it was seen. */
static void set_units(struct probe *probe, enum fw_figure figure, struct fw_probe_spread rate,
                      const char *how)
{
    if (!isfinite(rate.value)) {
        probe_set(probe, figure, rate, "");
        return;
    }
    double taken = units(rate.value);
    const char *seen =
        fw_arena_printf(probe->arena, "%.4g seen%s%s", rate.value, *how ? "; " : "", how);
    struct fw_probe_spread value = {taken, fmin(rate.low, taken), fmax(rate.high, taken),
                                    rate.count};
    probe_set(probe, figure, value, seen);
}

static void figures_clock(struct probe *probe)
{
    size_t count = 0;
    double values[100];
    for (; count < 100; count++) {
        const double *row = fw_probe_recording_read_back(probe->recording, "clocks", count, 2);
        if (!row || !(row[0] > 0) || !(row[1] > 0))
            break;
        values[count] = row[0] / row[1] * 1e9;
    }
    struct fw_probe_spread clock = fw_probe_spread(probe->arena, values, count);
    probe->clock = clock.value;
    if (count)
        probe_set(probe, FW_FIGURE_SM_CLOCK, clock,
                  "cycles by the device's nanoseconds, one thread at work");
    else if (!probe->result->device.figures[FW_FIGURE_SM_CLOCK].known)
        probe_missing(probe, FW_FIGURE_SM_CLOCK, "the device has no clock that a kernel can read");
}

/* The matrix units by wgmma, in the order of fw_probe_products; by mma.sync where there is no
 * wgmma. */
static const struct {
    enum fw_figure figure;
    int mma; /* operation, or -1 */
} matrix[FW_PROBE_PRODUCTS] = {{FW_FIGURE_TENSOR_BF16, FW_PROBE_mma_bf16},
                               {FW_FIGURE_TENSOR_F16, FW_PROBE_mma_f16_f32},
                               {FW_FIGURE_TENSOR_TF32, FW_PROBE_mma_tf32},
                               {FW_FIGURE_TENSOR_FP8, -1},
                               {FW_FIGURE_TENSOR_INT8, FW_PROBE_mma_int8}};

/* Flops of one block's launch. */
static double product_flops(int product)
{
    return FW_PROBE_WGMMA_UNROLL * FW_PROBE_WGMMA_ITERATIONS * 2.0 * 64 * 256 *
           fw_probe_products[product].depth;
}

static void figures_tensor(struct probe *probe)
{
    for (int i = 0; i < FW_PROBE_PRODUCTS; i++) {
        const char *name = fw_arena_printf(probe->arena, "rate %s", fw_probe_products[i].name);
        struct fw_probe_spread cycles = probe_column(probe, name, 0, 1);
        double blocks = fw_probe_recording_extent(probe->recording, name, "grid");
        if (!isfinite(cycles.value)) {
            if (matrix[i].mma >= 0)
                set_units(probe, matrix[i].figure,
                          probe_rate(probe, (enum fw_probe_operation)matrix[i].mma), "mma.sync");
            else
                probe_missing(probe, matrix[i].figure, "no operation of the probe's uses it");
            continue;
        }
        /* Two blocks share a multiprocessor. */
        struct fw_probe_spread rate = probe_inverse(2 * product_flops(i), cycles);
        struct fw_probe_spread seconds = probe_seconds(probe, name, false);
        set_units(probe, matrix[i].figure, rate, "wgmma");
        probe_finding(probe, fw_arena_printf(probe->arena, "device %s", fw_probe_products[i].name),
                      "1/s", probe_inverse(blocks * product_flops(i), seconds));
        if (i != 0)
            continue;
        struct fw_probe_spread mma = probe_rate(probe, FW_PROBE_mma_bf16);
        probe_set(probe, FW_FIGURE_TENSOR_MMA_SHARE, probe_scaled(mma, 1 / rate.value),
                  "bf16 by mma.sync over bf16 by wgmma");
        probe_set(
            probe, FW_FIGURE_TENSOR_CLOCK,
            probe_inverse(blocks * product_flops(i) / rate.value / probe->multiprocessors, seconds),
            "wgmma on the whole device: rate by time over rate by clock");
    }
}

static void figures_conflicts(struct probe *probe)
{
    static const enum fw_probe_operation rows[] = {
        FW_PROBE_load_shared,   FW_PROBE_load_shared_2,  FW_PROBE_load_shared_4,
        FW_PROBE_load_shared_8, FW_PROBE_load_shared_16, FW_PROBE_load_shared_32};
    double passes[6], cycles[6];
    size_t count = 0, trials = 0;
    for (int i = 0; i < 6; i++) {
        struct fw_probe_spread latency = probe_chain(probe, "dependent", rows[i], 0);
        if (!isfinite(latency.value))
            continue;
        passes[count] = 1 << i;
        cycles[count++] = latency.value;
        trials = latency.count;
    }
    struct fw_probe_line line = fw_probe_line(probe->arena, passes, cycles, count);
    probe_set(probe, FW_FIGURE_LATENCY_SHARED_CONFLICT,
              (struct fw_probe_spread){line.slope, line.slope, line.slope, count > 1 ? trials : 0},
              count > 1 ? "slope over 1 to 32 passes" : "");
}

static int by_first(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void figures_launches(struct probe *probe)
{
    double points[2 * 32];
    size_t count = 0, trials = 0;
    for (size_t i = 0; fw_probe_recording_name(probe->recording, i); i++) {
        const char *name = fw_probe_recording_name(probe->recording, i);
        unsigned long long blocks;
        if (sscanf(name, "empty %llu", &blocks) != 1 || count == 32)
            continue;
        struct fw_probe_spread seconds = probe_seconds(probe, name, true);
        if (!isfinite(seconds.value))
            continue;
        points[2 * count] = (double)blocks;
        points[2 * count++ + 1] = seconds.value;
        trials = seconds.count;
    }
    qsort(points, count, 2 * sizeof *points, by_first); /* a store has records by name */
    probe_set_points(probe, FW_FIGURE_EMPTY_KERNEL, points, count, trials,
                     "blocks of 256 threads; launches back to back, batches by their number");
}

/* OpenCL: "opencl OPERATION RESULTS" and "walk BYTES LOADS" beside "ring BYTES", by events alone.
 */
static void findings_opencl(struct probe *probe)
{
    struct fw_arena *arena = probe->arena;
    for (size_t i = 0; fw_probe_recording_name(probe->recording, i); i++) {
        const char *name = fw_probe_recording_name(probe->recording, i);
        char operation[40];
        unsigned long long number, bytes;
        struct fw_probe_spread seconds = probe_seconds(probe, name, false);
        if (sscanf(name, "opencl %39s %llu", operation, &number) == 2)
            probe_finding(probe, fw_arena_printf(arena, "device %s", operation), "1/s",
                          probe_inverse((double)number, seconds));
        if (sscanf(name, "walk %llu %llu", &bytes, &number) != 2)
            continue;
        struct fw_probe_spread ring =
            probe_seconds(probe, fw_arena_printf(arena, "ring %llu", bytes), false);
        struct fw_probe_spread load = {(seconds.value - ring.value) / (double)number,
                                       (seconds.low - ring.value) / (double)number,
                                       (seconds.high - ring.value) / (double)number, seconds.count};
        probe_finding(probe, fw_arena_printf(arena, "load from a ring of %llu bytes", bytes),
                      "seconds", load);
    }
}

void probe_figures_operations(struct probe *probe)
{
    struct fw_arena *arena = probe->arena;
    figures_clock(probe);
    for (size_t i = 0; i < sizeof latencies / sizeof *latencies; i++)
        probe_set(probe, latencies[i].figure,
                  probe_chain(probe, "dependent", latencies[i].operation, 0), "");
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        set_units(probe, rates[i].figure,
                  probe_scaled(probe_rate(probe, rates[i].operation), 1 / rates[i].per), "");
    probe_set(probe, FW_FIGURE_L1_BANDWIDTH, probe_rate(probe, FW_PROBE_load_l1_128), "");
    probe_set(probe, FW_FIGURE_SHARED_BANDWIDTH, probe_rate(probe, FW_PROBE_load_shared_128), "");
    figures_tensor(probe);
    figures_conflicts(probe);
    figures_launches(probe);
    findings_opencl(probe);
    for (int i = 0; i < FW_PROBE_OPERATION_COUNT; i++) {
        const struct fw_probe_row *row = &fw_probe_rows[i];
        probe_finding(probe, fw_arena_printf(arena, "latency %s", row->name), "cycles",
                      probe_chain(probe, "dependent", (enum fw_probe_operation)i, 0));
        probe_finding(probe, fw_arena_printf(arena, "rate %s", row->name), "1/cycle",
                      probe_rate(probe, (enum fw_probe_operation)i));
        uint64_t instances = fw_probe_whole_instances((enum fw_probe_operation)i);
        const char *name = fw_arena_printf(arena, "rate %s", row->name);
        double blocks = fw_probe_recording_extent(probe->recording, name, "grid");
        struct fw_probe_spread seconds =
            instances ? probe_seconds(probe, name, false) : probe_nothing;
        if (isfinite(seconds.value))
            probe_finding(
                probe, fw_arena_printf(arena, "device %s", row->name), "1/s",
                probe_inverse(blocks * 16 * (double)instances * row->weight * row->instructions,
                              seconds));
    }
}
