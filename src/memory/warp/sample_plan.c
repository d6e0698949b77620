#include "sample_plan.h"

#include "domain_point.h"

#include <math.h>
#include <string.h>

enum { SAMPLED_WARPS = 8, MAX_TRIPS = 1 << 24 };

/* The warp of a block whose lanes are asked for. */
struct planning {
    struct fw_sample_plan *plan;
    const struct fw_kernel *kernel;
    struct fw_bound *bound;
    const struct fw_launch *launch;
    uint32_t block[3], warp;
    int64_t further;     /* than the usual iterations of each loop */
    int64_t *iterations; /* by loop of the kernel */
};

static struct fw_warp_place place_of(const struct planning *now)
{
    return (struct fw_warp_place){.launch = now->launch,
                                  .block = {now->block[0], now->block[1], now->block[2]},
                                  .warp = now->warp,
                                  .threads = now->plan->warp,
                                  .iterations = now->iterations};
}

/* Whether any lane of the warp is in a domain: most often the first one is, or none. */
static bool any_in(const struct planning *now, uint32_t domain)
{
    const struct fw_warp_place place = place_of(now);
    for (uint64_t left = fw_warp_place_lanes(&place); left; left &= left - 1) {
        const struct fw_point point = fw_lane_point(&place, (uint32_t)__builtin_ctzll(left));
        if (fw_point_in_domain(now->kernel, now->bound, domain, &point))
            return true;
    }
    return false;
}

static uint64_t lanes_in(const struct planning *now, uint32_t domain)
{
    const struct fw_warp_place place = place_of(now);
    return fw_domain_lanes_find(now->plan->lanes, now->kernel, now->bound, domain, &place);
}

/* The loop domain of `loop` around a domain; FW_NONE. */
static uint32_t domain_of(const struct fw_kernel *kernel, uint32_t domain, uint32_t loop)
{
    for (uint32_t steps = 0; steps < kernel->domain_count; steps++) {
        const struct fw_domain *at = &kernel->domains[domain];
        if (at->kind == FW_DOMAIN_LOOP && at->loop == loop)
            return domain;
        if (at->kind == FW_DOMAIN_UNION)
            domain = at->members[0];
        else if (at->kind == FW_DOMAIN_LOOP || at->kind == FW_DOMAIN_RESTRICT ||
                 at->kind == FW_DOMAIN_LEAVE)
            domain = at->parent;
        else
            break;
    }
    return FW_NONE;
}

/* Iterations of a loop in which any lane still runs, found by bisection: a lane that left does not
 * come back.  At most `most`. */
static int64_t find_trips(const struct planning *now, uint32_t domain, uint32_t loop, int64_t most)
{
    int64_t low = -1, high = 1; /* the last iteration known to run; the first not known to */
    now->iterations[loop] = 0;
    if (!any_in(now, domain))
        return 0;
    low = 0;
    while (high < most) {
        now->iterations[loop] = high;
        if (!any_in(now, domain))
            break;
        low = high;
        high *= 2;
    }
    if (high >= most)
        return most;
    while (high - low > 1) {
        now->iterations[loop] = low + (high - low) / 2;
        if (any_in(now, domain))
            low = now->iterations[loop];
        else
            high = now->iterations[loop];
    }
    return low + 1;
}

/* The same, kept for other domains in the loop. */
static int64_t trips_of(const struct planning *now, uint32_t domain, uint32_t loop, int64_t most)
{
    now->iterations[loop] = 0;
    const struct fw_warp_place place = place_of(now);
    int64_t *kept = fw_domain_lanes_trips(now->plan->lanes, now->kernel, domain, &place);
    if (kept && *kept >= 0)
        return *kept;
    const int64_t trips = find_trips(now, domain, loop, most);
    if (kept)
        *kept = trips;
    return trips;
}

/* Adds the warp at a few iterations of the loops from `depth` on, each with the iterations that it
 * stands for.  Evenly spaced iterations can all be multiples of four, of which the rest of an
 * unrolled loop runs none (for (j = 0; j < i; j++) in a loop over i); where blocks before have
 * found nobody, the iterations are those further on. */
static void add_loops(const struct planning *now, uint32_t depth, double weight)
{
    struct fw_sample_plan *plan = now->plan;
    if (depth == plan->loops) {
        const uint64_t lanes = lanes_in(now, plan->domain);
        if (!lanes)
            return;
        struct fw_sampled_instance *made = FW_APPEND(plan->arena, &plan->at);
        *made = (struct fw_sampled_instance){.warp = now->warp, .lanes = lanes, .weight = weight};
        memcpy(made->block, now->block, sizeof(made->block));
        for (uint32_t l = 0; l < plan->loops; l++)
            made->iterations[l] = now->iterations[plan->loop[l]];
        return;
    }
    uint32_t loop = plan->loop[depth], domain = domain_of(now->kernel, plan->domain, loop);
    uint32_t left = plan->loops - depth;
    int64_t few = left == 1 ? 4 : left == 2 ? 2 : 1;
    int64_t trips = domain == FW_NONE ? 1 : trips_of(now, domain, loop, MAX_TRIPS);
    few = trips < few ? trips : few;
    for (int64_t i = 0; i < few; i++) {
        const int64_t usual = trips >= MAX_TRIPS ? i : (2 * i + 1) * trips / (2 * few);
        now->iterations[loop] = (usual + now->further) % trips;
        add_loops(now, depth + 1, weight * (double)trips / (double)few);
    }
    now->iterations[loop] = 0;
}

/* The first sampled blocks are one of each third of an axis, off the grid's diagonal, whose blocks
 * a triangle cuts.  If none of them runs the domain, the first and the last block and quasi-random
 * ones follow, of which all warps are asked: one warp of nine may be the one that copies. */
static void set_block(uint32_t block[3], const uint32_t grid[3], uint32_t b)
{
    static const double golden[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
    for (uint32_t d = 0; d < 3; d++) {
        if (b < FW_SAMPLED_BLOCKS)
            block[d] = (uint32_t)((uint64_t)grid[d] * (2 * ((b + d) % FW_SAMPLED_BLOCKS) + 1) /
                                  (2 * FW_SAMPLED_BLOCKS));
        else if (b < FW_SAMPLED_BLOCKS + 2)
            block[d] = b == FW_SAMPLED_BLOCKS ? 0 : grid[d] - 1;
        else
            block[d] = (uint32_t)(fmod(b * golden[d], 1) * grid[d]);
    }
}

/* Loops around a domain, outermost first; of more than there is room for, the innermost ones. */
static uint32_t loops_around(const struct fw_kernel *kernel, uint32_t domain, uint32_t *out)
{
    uint32_t count = 0, inner[FW_SAMPLED_LOOPS];
    uint32_t loop = kernel->domains[domain].innermost;
    for (; loop != FW_NONE && count < FW_SAMPLED_LOOPS; loop = kernel->loops[loop].parent)
        inner[count++] = loop;
    for (uint32_t i = 0; i < count; i++)
        out[i] = inner[count - 1 - i];
    return count;
}

void fw_sample_plan_open(struct fw_sample_plan *plan, struct fw_arena *arena,
                         const struct fw_kernel *kernel, uint32_t domain, uint32_t warp,
                         struct fw_domain_lanes *lanes)
{
    *plan = (struct fw_sample_plan){.arena = arena, .lanes = lanes, .domain = domain, .warp = warp};
    plan->loops = loops_around(kernel, domain, plan->loop);
}

uint32_t fw_sample_plan_fill(struct fw_sample_plan *plan, const struct fw_kernel *kernel,
                             struct fw_bound *bound, const struct fw_launch *launch,
                             uint32_t blocks)
{
    const uint32_t *size = launch->block;
    const uint32_t warps = (size[0] * size[1] * size[2] + plan->warp - 1) / plan->warp;
    int64_t *iterations = NULL;
    uint32_t b = 0;
    for (; b < FW_MOST_SAMPLED_BLOCKS && (b < blocks || !(b && plan->ends[b - 1])); b++) {
        if (b < plan->blocks)
            continue;
        if (!iterations)
            iterations = FW_ARRAY(plan->arena, int64_t, kernel->loop_count + 1);
        struct planning now = {.plan = plan,
                               .kernel = kernel,
                               .bound = bound,
                               .launch = launch,
                               .iterations = iterations};
        set_block(now.block, launch->grid, b);
        now.further = plan->at.count == 0 && b >= FW_SAMPLED_BLOCKS ? b + 1 - FW_SAMPLED_BLOCKS : 0;
        const uint32_t count = now.further || warps < SAMPLED_WARPS ? warps : SAMPLED_WARPS;
        for (uint32_t w = 0; w < count; w++) {
            now.warp = (uint32_t)((uint64_t)w * warps / count);
            add_loops(&now, 0, 1);
        }
        plan->blocks = b + 1;
        plan->ends[b] = (uint32_t)plan->at.count;
    }
    return b;
}
