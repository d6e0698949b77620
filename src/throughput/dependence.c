#include "dependence.h"

#include "warp.h"

#include <math.h>
#include <string.h>

/* Instructions of one iteration that a carried value is followed through, at most. */
enum { MOST_FOLLOWED = 512 };

/* Marks in `carried` what lies on the way from instruction `first`, which reads the result that
 * `last` had in the iteration before, to `last`.  `reached` and `needed`: room for all. */
static void mark_way(bool *carried, bool *reached, bool *needed, const struct fw_kernel *kernel,
                     uint32_t first, uint32_t last)
{
    memset(reached + first, 0, (last - first + 1) * sizeof *reached);
    memset(needed + first, 0, (last - first + 1) * sizeof *needed);
    reached[first] = needed[last] = true;
    for (uint32_t i = first + 1; i <= last; i++) {
        const struct fw_scheduled *one = &kernel->schedule[i];
        for (uint32_t w = 0; w < one->wait_count && !reached[i]; w++)
            reached[i] =
                one->waits_for[w] >= first && one->waits_for[w] < i && reached[one->waits_for[w]];
    }
    for (uint32_t i = last + 1; i-- > first;) {
        const struct fw_scheduled *one = &kernel->schedule[i];
        if (!needed[i] || !reached[i])
            continue;
        carried[i] = true;
        for (uint32_t w = 0; w < one->wait_count; w++)
            if (one->waits_for[w] >= first && one->waits_for[w] < i)
                needed[one->waits_for[w]] = true;
    }
}

/* By instruction: whether it waits, through others or at once, for its own result of the iteration
 * before. */
static bool *carried_of(struct fw_arena *arena, const struct fw_kernel *kernel)
{
    bool *carried = FW_ARRAY(arena, bool, kernel->schedule_count + 1);
    bool *reached = FW_ARRAY(arena, bool, kernel->schedule_count + 1);
    bool *needed = FW_ARRAY(arena, bool, kernel->schedule_count + 1);
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *one = &kernel->schedule[i];
        uint32_t loop = kernel->domains[one->domain].innermost;
        for (uint32_t w = 0; w < one->wait_count; w++) {
            uint32_t last = one->waits_for[w];
            if (last >= i && last - i < MOST_FOLLOWED && loop != FW_NONE &&
                kernel->domains[kernel->schedule[last].domain].innermost == loop)
                mark_way(carried, reached, needed, kernel, i, last);
        }
    }
    return carried;
}

/* Iterations of an instruction's loop that an assembler makes one of, whose chains go side by side;
 * 1 where an iteration waits for the one before it. */
static double side_by_side(const struct fw_kernel *kernel, uint32_t i, bool carried)
{
    const struct fw_scheduled *one = &kernel->schedule[i];
    uint32_t loop = kernel->domains[one->domain].innermost;
    if (loop == FW_NONE || kernel->loops[loop].at_once < 2 || one->is_barrier || carried)
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
    const bool *carried = carried_of(arena, kernel);
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *one = &kernel->schedule[i];
        if (one->domain != domain) {
            domain = one->domain;
            here = fw_bound_count_warps(bound, domain)->estimate / warps;
        }
        times[i] = here / side_by_side(kernel, i, carried[i]);
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

double fw_dependence_stalls(struct fw_arena *arena, const struct fw_kernel *kernel,
                            const double *cycles, const double *times)
{
    struct fw_arena_mark mark = fw_arena_mark(arena);
    double *end = FW_ARRAY(arena, double, kernel->schedule_count + 1);
    double stalls = 0, clock = 0, entry = 0, last = 0; /* of one pass through all instructions */
    uint32_t domain = FW_NONE;
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *one = &kernel->schedule[i];
        if (one->unreachable || !(times[i] > 0))
            continue;
        if (one->domain != domain)
            entry = clock;
        domain = one->domain;
        double begin = one->is_barrier ? fmax(entry, last) : entry;
        for (uint32_t w = 0; w < one->wait_count; w++)
            if (one->waits_for[w] < i)
                begin = fmax(begin, end[one->waits_for[w]]);
        double stall = fmax(0, begin - clock);
        if (one->is_barrier || (one->wait_count && strcmp(one->operation, "bra") == 0))
            stall += cycles[i];
        end[i] = begin + cycles[i];
        last = fmax(last, end[i]);
        clock += stall;
        if (one->is_barrier || strcmp(one->operation, "bra") == 0)
            entry = clock;
        stalls += stall * times[i];
    }
    fw_arena_release(arena, mark);
    return stalls + fmax(0, last - clock);
}
