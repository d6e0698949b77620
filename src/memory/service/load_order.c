#include "load_order.h"

#include "stage.h"

#include <math.h>
#include <string.h>

/* What is known of a loop. */
struct loop {
    bool stores, stores_apart; /* it stores; by different registers */
    uint32_t base;             /* the register of the stores' address */
    double entries;            /* of a warp, in the mean; 0: not known */
    double lanes;              /* entries of threads */
};

static uint32_t loop_of(const struct fw_kernel *kernel, const struct fw_affine_access *access)
{
    return kernel->domains[kernel->accesses[access->kernel_access].domain].innermost;
}

static void note_store(struct loop *loop, uint32_t base)
{
    loop->stores_apart |= loop->stores && loop->base != base;
    loop->stores = true;
    loop->base = base;
}

/* Whether a load passes the stores of its loop's iteration before: nothing that is stored changes
 * what it reads, or all is stored by its own register, from which an assembler sees that other
 * iterations store elsewhere. */
static bool passes_stores(const struct fw_load_order *order, const struct loop *loop)
{
    return order->read_only || !loop->stores || (!loop->stores_apart && loop->base == order->base);
}

static void find_entries(struct loop *loops, const struct fw_kernel *kernel, struct fw_bound *bound,
                         double warps, const bool *asked)
{
    for (uint32_t d = 0; d < kernel->domain_count; d++) {
        const struct fw_domain *domain = &kernel->domains[d];
        if (domain->kind != FW_DOMAIN_LOOP || !asked[domain->loop])
            continue;
        struct loop *loop = &loops[domain->loop];
        loop->entries = fw_bound_count_warps(bound, domain->parent)->estimate / warps;
        loop->lanes = fw_bound_count(bound, domain->parent)->estimate;
    }
}

const struct fw_load_order *
fw_load_order_find(struct fw_arena *arena, const struct fw_kernel *kernel, struct fw_bound *bound,
                   const struct fw_launch *launch, const struct fw_affine_accesses *accesses,
                   bool barrier_in_loop)
{
    struct fw_load_order *order = FW_ARRAY(arena, struct fw_load_order, accesses->count + 1);
    struct loop *loops = FW_ARRAY(arena, struct loop, kernel->loop_count + 1);
    bool *asked = FW_ARRAY(arena, bool, kernel->loop_count + 1);
    const uint32_t *stages = fw_stages_find(arena, kernel), *block = launch->block;
    double threads = (double)block[0] * block[1] * block[2];
    double warps =
        ceil(threads / FW_WARP_THREADS) * launch->grid[0] * launch->grid[1] * launch->grid[2];
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *at = &accesses->at[i];
        uint32_t loop = loop_of(kernel, at);
        if (loop == FW_NONE)
            continue;
        if (at->direction != FW_LOAD)
            note_store(&loops[loop], kernel->accesses[at->kernel_access].base);
        else
            asked[loop] |= kernel->loops[loop].at_once > 1;
    }
    find_entries(loops, kernel, bound, warps, asked);
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_access *access = &kernel->accesses[accesses->at[i].kernel_access];
        uint32_t loop = loop_of(kernel, &accesses->at[i]);
        order[i].read_only = access->cache && strstr(access->cache, "nc");
        order[i].base = access->base;
        order[i].stage = stages[accesses->at[i].kernel_access];
        order[i].loop = loop;
        order[i].executions = fw_bound_count_warps(bound, access->domain)->estimate / warps;
        if (loop == FW_NONE || !passes_stores(&order[i], &loops[loop]))
            continue;
        order[i].at_once = kernel->loops[loop].at_once;
        order[i].entries = loops[loop].entries;
        order[i].together = barrier_in_loop;
        if (order[i].at_once > 1 && loops[loop].lanes > 0)
            order[i].lane_trips =
                fw_bound_count(bound, access->domain)->estimate / loops[loop].lanes;
    }
    return order;
}

bool fw_load_behind_store(const struct fw_affine_accesses *accesses,
                          const struct fw_load_order *order, uint32_t from, uint32_t load)
{
    if (!order || order[load].read_only)
        return false;
    for (uint32_t i = from + 1; i < load; i++)
        if (accesses->at[i].direction != FW_LOAD &&
            (accesses->at[i].array != accesses->at[load].array ||
             order[i].base != order[load].base))
            return true;
    return false;
}

static bool orders_products(const struct fw_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->schedule_count; i++)
        if (kernel->schedule[i].commits_products)
            return true;
    return false;
}

bool fw_loads_ahead(const struct fw_kernel *kernel)
{
    bool any = false, bulk = true;
    for (uint32_t a = 0; a < kernel->access_count; a++) {
        const struct fw_access *access = &kernel->accesses[a];
        if (access->direction != FW_LOAD || access->space != FW_SPACE_GLOBAL ||
            kernel->domains[access->domain].innermost == FW_NONE)
            continue;
        if (!access->asynchronous)
            return false;
        any = true;
        bulk &= access->bulk;
    }
    return any && (bulk || orders_products(kernel));
}
