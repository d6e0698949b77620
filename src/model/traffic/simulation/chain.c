#include "chain.h"

#include "dependence.h"

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
    X(TENSOR, LATENCY_TENSOR)                                                                      \
    X(BRANCH, LATENCY_BRANCH)

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
    if (is(one, "bra") && one->wait_count) /* the next instruction comes later */
        return BRANCH;
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

double fw_chain_cycles(double *in_loops, const char **missing, struct fw_arena *arena,
                       const struct fw_kernel *kernel, struct fw_bound *bound,
                       const struct fw_launch *launch, const struct fw_device *device,
                       const double *waits)
{
    bool asked[LATENCY_COUNT] = {false};
    struct fw_arena_mark mark = fw_arena_mark(arena);
    double *cycles = FW_ARRAY(arena, double, kernel->schedule_count + 1);
    const double *times = fw_dependence_times(arena, kernel, bound, launch);
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *one = &kernel->schedule[i];
        enum latency latency = latency_of(kernel, one);
        asked[latency] |= times[i] > 0;
        cycles[i] = 0;
        if (latency != NOTHING && !fw_device_figure(device, figures[latency], &cycles[i]))
            cycles[i] = 0;
        if (latency == NOTHING && waits && one->access_count && one->access != FW_NONE)
            cycles[i] = waits[one->access];
    }
    double chain = fw_dependence_longest(arena, kernel, cycles, times, HUGE_VAL);
    *in_loops = chain - fw_dependence_longest(arena, kernel, cycles, times, 1);
    fw_arena_release(arena, mark);
    *missing = lacking(arena, device, asked);
    return chain;
}
