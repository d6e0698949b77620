#include "chain.h"

#include "dependence.h"
#include "result_latency.h"

#include <math.h>

/* "latency_int32, latency_f32": what the kernel asks for and the profile lacks; NULL: nothing. */
static const char *lacking(struct fw_arena *arena, const struct fw_device *device,
                           const bool asked[FW_FIGURE_COUNT + 1])
{
    struct fw_buffer names = fw_buffer_new(arena);
    size_t count;
    const enum fw_figure *figures = fw_result_latencies(&count);
    double cycles;
    for (size_t l = 0; l < count; l++)
        if (asked[figures[l]] && !fw_device_figure(device, figures[l], &cycles))
            fw_buffer_printf(&names, "%s%s", names.length ? ", " : "",
                             fw_figure_row(figures[l])->name);
    return names.length ? names.text : NULL;
}

double fw_chain_cycles(double *in_loops, const char **missing, struct fw_arena *arena,
                       const struct fw_kernel *kernel, struct fw_bound *bound,
                       const struct fw_launch *launch, const struct fw_device *device,
                       const double *waits)
{
    bool asked[FW_FIGURE_COUNT + 1] = {false};
    struct fw_arena_mark mark = fw_arena_mark(arena);
    double *cycles = FW_ARRAY(arena, double, kernel->schedule_count + 1);
    const double *times = fw_dependence_times(arena, kernel, bound, launch);
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *one = &kernel->schedule[i];
        enum fw_figure latency = fw_result_latency(kernel, one);
        asked[latency] |= times[i] > 0;
        cycles[i] = 0;
        if (latency != FW_FIGURE_COUNT && !fw_device_figure(device, latency, &cycles[i]))
            cycles[i] = 0;
        if (latency == FW_FIGURE_COUNT && waits && one->access_count && one->access != FW_NONE)
            cycles[i] = waits[one->access];
    }
    double chain = fw_dependence_longest(arena, kernel, cycles, times, HUGE_VAL);
    *in_loops = chain - fw_dependence_longest(arena, kernel, cycles, times, 1);
    fw_arena_release(arena, mark);
    *missing = lacking(arena, device, asked);
    return chain;
}
