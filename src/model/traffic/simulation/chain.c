#include "chain.h"

#include "warp.h"

#include <math.h>
#include <string.h>

/* X(name, figure): what a result takes. */
#define LATENCIES(X)                                                                               \
    X(NOTHING, COUNT)                                                                              \
    X(INTEGER, LATENCY_INT32)                                                                      \
    X(F64, LATENCY_F64_FMA)                                                                        \
    X(F32, LATENCY_F32)                                                                            \
    X(DIVIDE, LATENCY_F32_DIVIDE)                                                                  \
    X(F64_DIVIDE, LATENCY_F64_DIVIDE)                                                              \
    X(SPECIAL, LATENCY_SPECIAL)                                                                    \
    X(SHUFFLE, LATENCY_SHUFFLE)                                                                    \
    X(SHARED, LATENCY_SHARED)                                                                      \
    X(BARRIER, LATENCY_BARRIER)                                                                    \
    X(TENSOR, LATENCY_TENSOR)

enum latency {
#define X(name, figure) name,
    LATENCIES(X)
#undef X
        LATENCY_COUNT
};

static const enum fw_figure figures[LATENCY_COUNT] = {
#define X(name, figure) FW_FIGURE_##figure,
    LATENCIES(X)
#undef X
};

static bool is(const struct fw_scheduled *one, const char *operation)
{
    return strcmp(one->operation, operation) == 0;
}

/* What an instruction's result waits for. */
static enum latency latency_of(const struct fw_kernel *kernel, const struct fw_scheduled *one)
{
    if (one->is_barrier)
        return BARRIER;
    if (one->access_count && one->access != FW_NONE)
        return kernel->accesses[one->access].space == FW_SPACE_SHARED ? SHARED : NOTHING;
    if (one->collective)
        return TENSOR;
    if (is(one, "shfl"))
        return SHUFFLE;
    if (is(one, "div") || is(one, "rem") || is(one, "sqrt"))
        return one->type == FW_TYPE_F64 ? F64_DIVIDE : DIVIDE;
    if (one->group == FW_GROUP_SPECIAL)
        return SPECIAL;
    if (one->group == FW_GROUP_ARITHMETIC)
        return one->type == FW_TYPE_F64 ? F64 : one->type == FW_TYPE_F32 ? F32 : INTEGER;
    return one->group == FW_GROUP_LOGIC ? INTEGER : NOTHING;
}

/* "latency_int32, latency_f32": what the kernel asks for and the profile lacks; NULL: nothing. */
static const char *lacking(struct fw_arena *arena, const struct fw_device *device,
                           const bool asked[LATENCY_COUNT])
{
    struct fw_buffer names = fw_buffer_new(arena);
    double cycles;
    for (int l = NOTHING + 1; l < LATENCY_COUNT; l++)
        if (asked[l] && !fw_device_figure(device, figures[l], &cycles))
            fw_buffer_printf(&names, "%s%s", names.length ? ", " : "",
                             fw_figure_row(figures[l])->name);
    return names.length ? names.text : NULL;
}

/* Iterations of an instruction's loop that an assembler makes one of, whose chains go side by side;
 * 1 where an iteration waits for the one before it: the instruction reads its own result. */
static double side_by_side(const struct fw_kernel *kernel, uint32_t i)
{
    const struct fw_scheduled *one = &kernel->schedule[i];
    uint32_t loop = kernel->domains[one->domain].innermost;
    if (loop == FW_NONE || kernel->loops[loop].at_once < 2 || one->is_barrier)
        return 1;
    for (uint32_t w = 0; w < one->wait_count; w++)
        if (one->waits_for[w] == i)
            return 1;
    return kernel->loops[loop].at_once;
}

/* The end of the longest chain when no instruction counts more than `most` times. */
static double longest(struct fw_arena *arena, const struct fw_kernel *kernel, const double *cycles,
                      const double *times, double most)
{
    double *end = FW_ARRAY(arena, double, kernel->schedule_count + 1), last = 0, from = 0;
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *one = &kernel->schedule[i];
        bool decides =
            one->wait_count && is(one, "bra"); /* what is behind it is not issued before */
        double begin = one->is_barrier ? last : from;
        for (uint32_t w = 0; w < one->wait_count; w++)
            if (one->waits_for[w] < i)
                begin = fmax(begin, end[one->waits_for[w]]);
        end[i] = begin + fmin(most, times[i]) * cycles[i];
        last = fmax(last, end[i]);
        from = one->is_barrier || decides ? end[i] : from;
    }
    return last;
}

double fw_chain_cycles(double *in_loops, const char **missing, struct fw_arena *arena,
                       const struct fw_kernel *kernel, struct fw_bound *bound,
                       const struct fw_launch *launch, const struct fw_device *device,
                       const double *waits)
{
    const uint32_t *size = launch->block, *grid = launch->grid;
    bool asked[LATENCY_COUNT] = {false};
    struct fw_arena_mark mark = fw_arena_mark(arena);
    double *cycles = FW_ARRAY(arena, double, kernel->schedule_count + 1);
    double *times = FW_ARRAY(arena, double, kernel->schedule_count + 1), here = 0;
    double warps =
        ceil((double)size[0] * size[1] * size[2] / FW_WARP_THREADS) * grid[0] * grid[1] * grid[2];
    uint32_t domain = FW_NONE;
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *one = &kernel->schedule[i];
        if (one->domain != domain) {
            domain = one->domain;
            here = fw_bound_count_warps(bound, domain)->estimate / warps;
        }
        times[i] = here / side_by_side(kernel, i);
        enum latency latency = latency_of(kernel, one);
        asked[latency] |= here > 0;
        cycles[i] = 0;
        if (latency != NOTHING && !fw_device_figure(device, figures[latency], &cycles[i]))
            cycles[i] = 0;
        if (latency == NOTHING && waits && one->access_count && one->access != FW_NONE)
            cycles[i] = waits[one->access];
    }
    double chain = longest(arena, kernel, cycles, times, HUGE_VAL);
    *in_loops = chain - longest(arena, kernel, cycles, times, 1);
    fw_arena_release(arena, mark);
    *missing = lacking(arena, device, asked);
    return chain;
}
