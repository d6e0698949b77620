/* Rules about lanes and latency: divergence, loads in flight. */
#include "advice_internal.h"

#include "warp.h"

#include <string.h>

/* ---- divergence ---- */

/* Whether a term is of issue or arithmetic, which idle lanes take too. */
static bool is_of_lanes(const struct fw_cost_row *term)
{
    static const char *const others[] = {
        "dram",          "l2",      "l1",      "latency", "dispatch",
        "start_and_end", "atomics", "barrier", "tlb",     "constant"};
    for (size_t o = 0; o < sizeof(others) / sizeof(others[0]); o++)
        if (strncmp(term->name, others[o], strlen(others[o])) == 0)
            return false;
    return true;
}

bool advice_converge(struct advice_try *try)
{
    static const double IDLE = 0.8; /* the share of lanes that work, below which it is told */
    const struct advice_base *base = try->base;
    const struct fw_kernel *kernel = try->kernel;
    const struct fw_prediction *now = base->of->prediction;
    const uint32_t *block = try->launch->block;
    double threads = 0, warps = 0, worst = 0;
    uint32_t at = FW_NONE;
    if ((uint64_t)block[0] * block[1] * block[2] % FW_WARP_THREADS)
        return false; /* that is another rule's */
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        const struct fw_scheduled *row = &kernel->schedule[i];
        if (row->unreachable || row->collective)
            continue;
        double of_threads = fw_bound_count(base->question->bound, row->domain)->estimate;
        double of_warps = advice_executions(base, i),
               idle = of_warps * FW_WARP_THREADS - of_threads;
        threads += of_threads;
        warps += of_warps;
        if (idle > worst) {
            worst = idle;
            at = i;
        }
    }
    double share = threads / (warps * FW_WARP_THREADS), with = 0;
    if (at == FW_NONE || !(share < IDLE) || !now->term_count)
        return false;
    double slowest = 0;
    for (size_t t = 0; t < now->term_count; t++) {
        double seconds = now->terms[t].seconds;
        slowest = fmax(slowest, seconds);
        with = fmax(with, is_of_lanes(&now->terms[t]) ? share * seconds : seconds);
    }
    if (!(slowest > 0))
        return false;
    advice_at_instruction(try, at);
    try->at_most = true;
    try->bound = now->seconds * fmax(share, with / slowest);
    try->sentence = fw_arena_printf(
        try->arena,
        "Of the lanes of issued instructions %.0f %% work, the others have gone another way: let "
        "the threads of a warp go the same way (sort or compact the work by what they branch on).",
        100 * share);
    return true;
}

/* ---- loads in flight ---- */

static bool is_told_latency(const struct fw_prediction *now)
{
    return now->limiter && strcmp(now->limiter, "latency") == 0;
}

bool advice_more_in_flight(struct advice_try *try)
{
    enum { AT_ONCE = 4 };
    struct fw_kernel *kernel = try->kernel;
    uint32_t found = FW_NONE;
    if (!is_told_latency(try->base->of->prediction))
        return false;
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        const struct fw_access *access = &kernel->accesses[a];
        uint32_t loop = kernel->domains[access->domain].innermost;
        if (access->space != FW_SPACE_GLOBAL || access->direction != FW_LOAD ||
            access->data_dependent || loop == FW_NONE || kernel->loops[loop].at_once >= AT_ONCE)
            continue;
        kernel->loops[loop].at_once = AT_ONCE;
        found = found == FW_NONE ? a : found;
    }
    if (found == FW_NONE)
        return false;
    advice_at_access(try, found);
    try->at_most = true; /* an assembler may have done it already */
    try->sentence = fw_arena_printf(
        try->arena,
        "Each iteration waits for its own loads of %s: unroll the loop by %d, so that loads of "
        "several iterations are in flight.",
        advice_array_name(try, found), AT_ONCE);
    return true;
}
