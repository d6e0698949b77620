/* Restricting: the parts of a domain's pieces in which a branch goes one way.
 *
 * The ways are tried in this order: by rows, point by point, by sampling, by rows with a share for
 * what no row expresses, and by a share for all of it. */
#include "bound_internal.h"

enum {
    APPLICATIONS = 4000,   /* of conditions, for one piece */
    MOST_MEMORY = 24 << 20 /* bytes for the parts of one piece */
};

/* By rows, with a share of the binding's work and memory; `out` is as it was where that fails. */
static bool by_rows(struct fw_bound *bound, const struct fw_piece *parent, fw_condition condition,
                    bool truth, struct fw_piece_list *out, struct linear_problem *problem)
{
    uint64_t applications = bound->applications;
    uint64_t share = applications < APPLICATIONS ? applications : APPLICATIONS;
    struct fw_arena_mark mark = fw_arena_mark(bound->scratch);
    struct fw_piece_list before = *out;
    bound->applications = share;
    bound->memory = fw_arena_used(bound->scratch) + MOST_MEMORY;
    bool done = bound_apply(bound, parent, condition, truth, out, problem);
    bound->memory = SIZE_MAX;
    bound->applications += applications - share;
    if (!done) {
        *out = before;
        fw_arena_release(bound->scratch, mark);
    }
    return done;
}

/* By sampling; false: it cannot be evaluated. */
static bool by_sampling(struct fw_bound *bound, const struct fw_piece *parent,
                        const struct fw_domain *domain, struct fw_piece_list *out)
{
    fw_condition condition = bound->kernel->branches[domain->branch].condition;
    struct fw_piece *sampled =
        sampled_condition(bound, parent, domain->branch, condition, domain->truth, domain->truth);
    if (sampled && !sampled_empty(sampled))
        bound_push(bound, out, sampled);
    return sampled != NULL;
}

static void restrict_piece(struct fw_bound *bound, const struct fw_piece *parent,
                           const struct fw_domain *domain, struct fw_piece_list *out)
{
    fw_condition condition = bound->kernel->branches[domain->branch].condition;
    struct linear_problem problem;
    bound->lean_data_only = true;
    bool done = by_rows(bound, parent, condition, domain->truth, out, &problem);
    bound->lean_data_only = false;
    if (done || bound_piece_empty(bound, parent) ||
        bound_condition_by_points(bound, parent, condition, domain->truth, out) ||
        by_sampling(bound, parent, domain, out) ||
        by_rows(bound, parent, condition, domain->truth, out, &problem))
        return;
    double weight = bound_lean(bound, false, domain->branch, &problem);
    struct fw_piece *part = bound_copy_piece(bound, parent);
    bound_weigh_branch(bound, part, domain->branch, weight, domain->truth, false);
    if (part->weight > 0)
        bound_push(bound, out, part);
}

void bound_restrict(struct fw_bound *bound, const struct fw_piece_list *parents,
                    const struct fw_domain *domain, struct fw_piece_list *out)
{
    bound->lean_branch = domain->branch;
    bound->lean_truth = true;
    for (uint32_t p = 0; p < parents->count; p++)
        restrict_piece(bound, parents->at[p], domain, out);
    bound->lean_branch = FW_NONE;
}
