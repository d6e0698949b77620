#include "domain_point.h"

/* Whether a condition on an iteration, once false, is plainly false for good: it compares, and does
 * not ask for equality. */
static bool only_compares(const struct fw_pool *pool, fw_condition a)
{
    const struct fw_condition_node *node = &pool->conditions.at[a];
    return node->kind == FW_CONDITION_POSITIVE || node->kind == FW_CONDITION_UNSIGNED_LESS ||
           (node->kind == FW_CONDITION_AND && only_compares(pool, node->a) &&
            only_compares(pool, node->b));
}

/* Whether a thread is still in a loop at the point's iteration, which is not the first.  The
 * condition of a loop that ends at i == n holds again behind n; its trips, in closed form, tell. */
static bool stays(const struct fw_kernel *kernel, struct fw_bound *bound, uint32_t loop,
                  const struct fw_point *point)
{
    const struct fw_loop *at = &kernel->loops[loop];
    int64_t trips;
    bool known;
    if (at->trips != FW_NO_EXPRESSION && !only_compares(&kernel->pool, at->stays) &&
        fw_bound_evaluate(bound, at->trips, point, &trips))
        return point->iterations[loop] < trips;
    bool holds = fw_bound_holds(bound, at->stays, point, &known);
    return !known || holds;
}

bool fw_point_stays_in(const struct fw_kernel *kernel, struct fw_bound *bound,
                       const struct fw_domain *domain, const struct fw_point *point)
{
    bool known;
    if (domain->kind == FW_DOMAIN_LOOP)
        return point->iterations[domain->loop] <= 0 || stays(kernel, bound, domain->loop, point);
    if (domain->kind != FW_DOMAIN_RESTRICT)
        return true;
    const bool holds =
        fw_bound_holds(bound, kernel->branches[domain->branch].condition, point, &known);
    return !known || holds == domain->truth;
}

bool fw_point_in_domain(const struct fw_kernel *kernel, struct fw_bound *bound, uint32_t domain,
                        const struct fw_point *point)
{
    const struct fw_domain *at = &kernel->domains[domain];
    switch (at->kind) {
    case FW_DOMAIN_EMPTY:
        return false;
    case FW_DOMAIN_ALL:
        return true;
    case FW_DOMAIN_UNION:
        for (uint32_t m = 0; m < at->member_count; m++)
            if (fw_point_in_domain(kernel, bound, at->members[m], point))
                return true;
        return false;
    case FW_DOMAIN_RESTRICT:
    case FW_DOMAIN_LOOP:
    case FW_DOMAIN_LEAVE:
        break;
    }
    return fw_point_stays_in(kernel, bound, at, point) &&
           fw_point_in_domain(kernel, bound, at->parent, point);
}
