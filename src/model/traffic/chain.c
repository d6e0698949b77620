#include "chain.h"

#include <math.h>
#include <string.h>

enum { WARP = 32 };

struct latencies {
    double integer, f64, f32, divide, f64_divide, special, shuffle, shared, barrier, tensor;
};

static double latency(const struct fw_device *device, enum fw_figure figure)
{
    double cycles = 0;
    fw_device_figure(device, figure, &cycles);
    return cycles;
}

static void read_latencies(struct latencies *all, const struct fw_device *device)
{
    all->integer = latency(device, FW_FIGURE_LATENCY_INT32);
    all->f64 = latency(device, FW_FIGURE_LATENCY_F64_FMA);
    all->f32 = latency(device, FW_FIGURE_LATENCY_F32);
    all->divide = latency(device, FW_FIGURE_LATENCY_F32_DIVIDE);
    all->f64_divide = latency(device, FW_FIGURE_LATENCY_F64_DIVIDE);
    all->special = latency(device, FW_FIGURE_LATENCY_SPECIAL);
    all->shuffle = latency(device, FW_FIGURE_LATENCY_SHUFFLE);
    all->shared = latency(device, FW_FIGURE_LATENCY_SHARED);
    all->barrier = latency(device, FW_FIGURE_LATENCY_BARRIER);
    all->tensor = latency(device, FW_FIGURE_LATENCY_TENSOR);
}

static bool is(const struct fw_scheduled *one, const char *operation)
{
    return strcmp(one->operation, operation) == 0;
}

/* Cycles until an instruction's result is there. */
static double latency_of(const struct fw_kernel *kernel, const struct fw_scheduled *one,
                         const struct latencies *all)
{
    if (one->is_barrier)
        return all->barrier;
    if (one->access_count && one->access != FW_NONE)
        return kernel->accesses[one->access].space == FW_SPACE_SHARED ? all->shared : 0;
    if (one->collective)
        return all->tensor;
    if (is(one, "shfl"))
        return all->shuffle;
    if (is(one, "div") || is(one, "rem") || is(one, "sqrt"))
        return one->type == FW_TYPE_F64 ? all->f64_divide : all->divide;
    if (one->group == FW_GROUP_SPECIAL)
        return all->special;
    if (one->group == FW_GROUP_ARITHMETIC)
        return one->type == FW_TYPE_F64   ? all->f64
               : one->type == FW_TYPE_F32 ? all->f32
                                          : all->integer;
    return one->group == FW_GROUP_LOGIC ? all->integer : 0;
}

/* The end of the longest chain when no instruction counts more than `most` times. */
static double longest(struct fw_arena *arena, const struct fw_kernel *kernel, const double *cycles,
                      const double *times, double most)
{
    double *end = FW_ARRAY(arena, double, kernel->schedule_count + 1), last = 0, from = 0;
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *one = &kernel->schedule[i];
        double begin = one->is_barrier ? last : from;
        for (uint32_t w = 0; w < one->wait_count; w++)
            if (one->waits_for[w] < i)
                begin = fmax(begin, end[one->waits_for[w]]);
        end[i] = begin + fmin(most, times[i]) * cycles[i];
        last = fmax(last, end[i]);
        from = one->is_barrier ? end[i] : from;
    }
    return last;
}

double fw_chain_cycles(double *in_loops, struct fw_arena *arena, const struct fw_kernel *kernel,
                       struct fw_bound *bound, const struct fw_launch *launch,
                       const struct fw_device *device)
{
    const uint32_t *size = launch->block, *grid = launch->grid;
    struct fw_arena_mark mark = fw_arena_mark(arena);
    double *cycles = FW_ARRAY(arena, double, kernel->schedule_count + 1);
    double *times = FW_ARRAY(arena, double, kernel->schedule_count + 1), here = 0;
    double warps = ceil((double)size[0] * size[1] * size[2] / WARP) * grid[0] * grid[1] * grid[2];
    uint32_t domain = FW_NONE;
    struct latencies all;
    read_latencies(&all, device);
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *one = &kernel->schedule[i];
        if (one->domain != domain) {
            domain = one->domain;
            here = fw_bound_count_warps(bound, domain)->estimate / warps;
        }
        times[i] = here;
        cycles[i] = latency_of(kernel, one, &all);
    }
    double chain = longest(arena, kernel, cycles, times, HUGE_VAL);
    *in_loops = chain - longest(arena, kernel, cycles, times, 1);
    fw_arena_release(arena, mark);
    return chain;
}
