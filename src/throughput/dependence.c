#include "dependence.h"

#include "warp.h"

#include <math.h>
#include <string.h>

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

double *fw_dependence_times(struct fw_arena *arena, const struct fw_kernel *kernel,
                            struct fw_bound *bound, const struct fw_launch *launch)
{
    const uint32_t *size = launch->block, *grid = launch->grid;
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
    }
    return times;
}

double fw_dependence_longest(struct fw_arena *arena, const struct fw_kernel *kernel,
                             const double *weights, const double *times, double most)
{
    struct fw_arena_mark mark = fw_arena_mark(arena);
    double *end = FW_ARRAY(arena, double, kernel->schedule_count + 1), last = 0, from = 0;
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *one = &kernel->schedule[i];
        bool decides = one->wait_count && strcmp(one->operation, "bra") ==
                                              0; /* what is behind it is not issued before */
        double begin = one->is_barrier ? last : from;
        for (uint32_t w = 0; w < one->wait_count; w++)
            if (one->waits_for[w] < i)
                begin = fmax(begin, end[one->waits_for[w]]);
        end[i] = begin + fmin(most, times[i]) * weights[i];
        last = fmax(last, end[i]);
        from = one->is_barrier || decides ? end[i] : from;
    }
    fw_arena_release(arena, mark);
    return last;
}
