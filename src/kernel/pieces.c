/* Pieces: a domain as a disjoint union of conjunctions of rows, built from its parent's. */
#include "bound_internal.h"

#include <math.h>
#include <string.h>

/* Block indices below a grid size that is not stated: one row each. */
static void bound_by_grid(struct fw_bound *bound, struct piece *piece, uint32_t d)
{
    uint32_t v = (uint32_t)piece->launch_variable[d];
    uint32_t size = bound_symbol(piece, bound->kernel->parameter_count + d);
    struct linear row = {.constant = -1};
    row.coefficient[v] = -1;
    row.coefficient[size] = 1;
    bound_add_row(bound, piece, &row, false, false);
}

static struct piece *all_threads(struct fw_bound *bound)
{
    const struct fw_launch *launch = bound->launch;
    struct piece *piece = FW_NEW(bound->scratch, struct piece);
    piece->weight = 1;
    for (uint32_t d = 0; d < 6; d++) {
        uint32_t extent = d < 3 ? launch->grid[d] : launch->block[d - 3];
        bool single = extent == 1 || (d < 3 && launch->one_block);
        int64_t last = extent ? (int64_t)extent - 1 : INT32_MAX;
        piece->launch_variable[d] = single ? -1 : (int8_t)bound_add_variable(piece, 0, last);
    }
    for (uint32_t d = 0; d < 3; d++)
        if (launch->grid[d] == 0)
            bound_by_grid(bound, piece, d);
    return piece;
}

/* The sign with which each variable follows variable v: itself 1, quotients by what they divide;
 * 2: mixed. */
static void directions(const struct piece *piece, uint32_t v, int8_t *sign)
{
    memset(sign, 0, VARIABLES);
    sign[v] = 1;
    for (uint32_t r = 0; r + 1 < piece->row_count; r++) {
        const struct piece_row *row = &piece->rows[r];
        if (!row->definition)
            continue;
        uint32_t q = piece->variables; /* the last variable of a defining row is its quotient */
        while (q > 0 && !row->form.coefficient[q - 1])
            q--;
        int8_t found = 0;
        for (uint32_t x = 0; q > 0 && x + 1 < q; x++) {
            int64_t c = row->form.coefficient[x];
            int8_t here = sign[x] == 2 ? 2 : (int8_t)(c > 0 ? sign[x] : c < 0 ? -sign[x] : 0);
            if (here && found && here != found)
                found = 2;
            else if (here)
                found = here;
        }
        if (q > 0)
            sign[q - 1] = found;
        r++; /* the pair's other row */
    }
}

/* How the rows that a condition added depend on variable v. */
struct dependence {
    bool rising;    /* a row gets easier to satisfy as v grows: not how a loop ends */
    bool free;      /* no row depends on v */
    bool quotients; /* one does through a floor */
};

static struct dependence depends(const struct piece *piece, uint32_t from, uint32_t v)
{
    struct dependence d = {.free = true};
    int8_t sign[VARIABLES];
    directions(piece, v, sign);
    for (uint32_t r = from; r < piece->row_count; r++) {
        if (piece->rows[r].definition)
            continue;
        for (uint32_t x = 0; x < piece->variables; x++) {
            int64_t c = piece->rows[r].form.coefficient[x];
            if (!c || !sign[x])
                continue;
            d.free = false;
            d.quotients |= x != v;
            d.rising |= sign[x] == 2 || (c > 0) == (sign[x] > 0);
        }
    }
    return d;
}

/* Whether the rows from `from` on hold for all points of `whole` (the piece before they narrowed
 * it) when v is 0, as far as one row of the piece, or the bounds, show it. */
static bool holds_at_start(const struct piece *whole, const struct piece *piece, uint32_t from,
                           uint32_t v)
{
    for (uint32_t r = from; r < piece->row_count; r++) {
        struct linear row = piece->rows[r].form;
        int64_t low, high;
        bool implied = false;
        if (piece->rows[r].definition)
            return false;
        row.coefficient[v] = 0;
        bound_interval(whole, &row, &low, &high);
        implied = low >= 0 && (!piece->rows[r].equality || high == 0);
        for (uint32_t k = 0; k < from && !implied && !piece->rows[r].equality; k++)
            implied = !piece->rows[k].equality && piece->rows[k].form.constant <= row.constant &&
                      memcmp(piece->rows[k].form.coefficient, row.coefficient,
                             sizeof(row.coefficient)) == 0;
        if (!implied)
            return false;
    }
    return true;
}

static struct piece *with_iteration(struct fw_bound *bound, const struct piece *parent,
                                    uint32_t loop, uint32_t *variable)
{
    struct piece *piece = bound_copy_piece(bound, parent);
    *variable = bound_add_variable(piece, 0, FAR);
    if (*variable == FW_NONE)
        return NULL;
    piece->loop_of[*variable] = loop;
    return piece;
}

static void fix_iteration(struct piece *piece, uint32_t v, int64_t value)
{
    piece->low[v] = piece->high[v] = value;
    piece->fixed[v] = true;
}

static void drop_empty(struct fw_bound *bound, struct piece_list *list)
{
    uint32_t kept = 0;
    for (uint32_t p = 0; p < list->count; p++)
        if (!bound_piece_empty(bound, list->at[p]))
            list->at[kept++] = list->at[p];
    list->count = kept;
}

/* The piece at the next iteration: what was decided for this one does not hold there. */
static struct piece *next_iteration(struct fw_bound *bound, const struct piece *piece,
                                    const struct piece *parent, uint32_t v)
{
    struct piece *next = bound_copy_piece(bound, piece);
    next->low[v] = next->high[v] = piece->low[v] + 1;
    next->decision_count = parent->decision_count;
    return next;
}

/* Goes through the iterations one by one, for conditions with powers and products of the iteration
 * and those that hold again after they ended the loop: threads that left it stay out. */
static bool one_by_one(struct fw_bound *bound, const struct piece *parent, uint32_t loop,
                       struct piece_list *out, struct linear_problem *problem)
{
    enum { MOST_ITERATIONS = 4096 };
    const struct fw_loop *info = &bound->kernel->loops[loop];
    struct piece_list now = {0};
    uint32_t first = out->count, v;
    struct piece *piece = with_iteration(bound, parent, loop, &v);
    if (!piece)
        return false;
    fix_iteration(piece, v, 0);
    bound_push(bound, &now, piece);
    for (int64_t i = 0; i < MOST_ITERATIONS && out->count < first + MOST_PIECES * 4; i++) {
        struct piece_list next = {0};
        bool applied = true;
        for (uint32_t p = 0; p < now.count; p++)
            bound_push(bound, out, now.at[p]);
        for (uint32_t p = 0; p < now.count && applied; p++) {
            piece = next_iteration(bound, now.at[p], parent, v);
            applied = bound_apply(bound, piece, info->stays, true, &next, problem);
        }
        if (!applied)
            break;
        drop_empty(bound, &next);
        if (next.count == 0)
            return true;
        now = next;
    }
    out->count = first;
    if (problem->reason == FW_UNKNOWN_NONAFFINE)
        problem->reason = FW_UNKNOWN_ENDLESS;
    return false;
}

/* Iterations 0 <= i with i = 0 or `stays`, by rows; false when they do not say when the loop ends.
 */
static bool by_rows(struct fw_bound *bound, const struct piece *parent, uint32_t loop,
                    struct piece_list *out, struct linear_problem *problem)
{
    struct piece_list parts = {0};
    uint32_t v;
    struct piece *piece = with_iteration(bound, parent, loop, &v);
    problem->reason = FW_UNKNOWN_BUDGET;
    problem->parameter = FW_NONE;
    if (!piece)
        return false;
    bound->loop_variable = v;
    bool applied =
        bound_apply(bound, piece, bound->kernel->loops[loop].stays, true, &parts, problem);
    bound->loop_variable = FW_NONE;
    if (!applied)
        return false;
    bool whole = parts.count == 1;
    for (uint32_t p = 0; p < parts.count; p++) {
        struct dependence d = depends(parts.at[p], piece->row_count, v);
        bool endless = d.free && !bound_piece_empty(bound, parts.at[p]);
        if (d.rising || endless) {
            problem->reason = endless ? FW_UNKNOWN_ENDLESS : FW_UNKNOWN_NONAFFINE;
            return false;
        }
        whole = whole && !d.quotients && holds_at_start(piece, parts.at[p], piece->row_count, v);
    }
    if (!whole) {
        struct piece *start = bound_copy_piece(bound, piece);
        fix_iteration(start, v, 0);
        bound_push(bound, out, start);
    }
    for (uint32_t p = 0; p < parts.count; p++) {
        struct piece *part = parts.at[p];
        if (!whole)
            part->low[v] = part->low[v] > 1 ? part->low[v] : 1;
        if (part->low[v] <= part->high[v])
            bound_push(bound, out, part);
    }
    return true;
}

/* A loop that is not static: the trips given for it, within what is known of its bounds. */
static void by_leaning(struct fw_bound *bound, const struct piece *parent, uint32_t loop,
                       struct piece_list *out, const struct linear_problem *why)
{
    const struct fw_launch *launch = bound->launch;
    uint32_t v;
    if (isnan(launch->trips[loop]) && why->reason == FW_UNKNOWN_DATA) {
        struct piece_list parts = {0};
        struct linear_problem other;
        bound->skip_opaque = true;
        bool known = by_rows(bound, parent, loop, &parts, &other);
        bound->skip_opaque = false;
        for (uint32_t p = 0; p < parts.count && known; p++)
            for (uint32_t x = 0; x < parts.at[p]->variables; x++)
                known = known && parts.at[p]->high[x] < FAR;
        if (known) {
            bound_lean_bounded(bound, loop, why);
            for (uint32_t p = 0; p < parts.count; p++) {
                parts.at[p]->estimate = true;
                bound_push(bound, out, parts.at[p]);
            }
            return;
        }
    }
    double trips = bound_lean(bound, true, loop, why);
    struct piece *piece = with_iteration(bound, parent, loop, &v);
    if (!piece || !(trips > 0))
        return;
    double whole = ceil(trips) < 1e15 ? ceil(trips) : 1e15;
    piece->estimate = true;
    piece->weight *= trips / whole;
    piece->high[v] = (int64_t)whole - 1;
    if (piece->high[v] == 0)
        piece->fixed[v] = true;
    else
        piece->closed[v] = true;
    bound_push(bound, out, piece);
}

static void enter_loop(struct fw_bound *bound, const struct piece_list *parents, uint32_t loop,
                       struct piece_list *out)
{
    for (uint32_t p = 0; p < parents->count; p++) {
        struct linear_problem problem = {.reason = FW_UNKNOWN_DATA, .parameter = FW_NONE};
        const struct piece *parent = parents->at[p];
        if (!isnan(bound->launch->trips[loop]) && bound->kernel->loops[loop].data_dependent) {
            by_leaning(bound, parent, loop, out, &problem);
            continue;
        }
        if (bound->kernel->loops[loop].is_wait && !bound_piece_empty(bound, parent))
            bound_note_wait(bound, loop);
        if (by_rows(bound, parent, loop, out, &problem))
            continue;
        /* What a loop would do in no thread does not matter. */
        if (bound_piece_empty(bound, parent))
            continue;
        if (problem.reason == FW_UNKNOWN_NONAFFINE &&
            one_by_one(bound, parent, loop, out, &problem))
            continue;
        if (problem.reason != FW_UNKNOWN_DATA && problem.reason != FW_UNKNOWN_ARGUMENT &&
            bound_loop_by_points(bound, parent, loop, out))
            continue;
        by_leaning(bound, parent, loop, out, &problem);
    }
}

static void restrict_pieces(struct fw_bound *bound, const struct piece_list *parents,
                            const struct fw_domain *domain, struct piece_list *out)
{
    const struct fw_branch *branch = &bound->kernel->branches[domain->branch];
    struct linear_problem problem;
    bound->lean_branch = domain->branch;
    bound->lean_truth = true;
    for (uint32_t p = 0; p < parents->count; p++)
        if (!bound_apply(bound, parents->at[p], branch->condition, domain->truth, out, &problem) &&
            !bound_piece_empty(bound, parents->at[p])) {
            double share = bound_lean(bound, false, domain->branch, &problem);
            struct piece *part = bound_copy_piece(bound, parents->at[p]);
            part->weight *= domain->truth ? share : 1 - share;
            if (part->weight > 0)
                bound_push(bound, out, part);
        }
    bound->lean_branch = FW_NONE;
}

const struct piece_list *bound_pieces(struct fw_bound *bound, uint32_t index)
{
    const struct fw_domain *domain = &bound->kernel->domains[index];
    struct domain_memo *memo = &bound->domains[index];
    if (memo->built)
        return &memo->pieces;
    memo->built = true;
    switch (domain->kind) {
    case FW_DOMAIN_EMPTY:
        break;
    case FW_DOMAIN_ALL:
        bound_push(bound, &memo->pieces, all_threads(bound));
        break;
    case FW_DOMAIN_LOOP:
        enter_loop(bound, bound_pieces(bound, domain->parent), domain->loop, &memo->pieces);
        break;
    case FW_DOMAIN_RESTRICT:
        restrict_pieces(bound, bound_pieces(bound, domain->parent), domain, &memo->pieces);
        break;
    case FW_DOMAIN_UNION:
        for (uint32_t m = 0; m < domain->member_count; m++) {
            const struct piece_list *member = bound_pieces(bound, domain->members[m]);
            for (uint32_t p = 0; p < member->count; p++) {
                struct piece *part = bound_copy_piece(bound, member->at[p]);
                part->path = (part->path * 31 + m + 1) * 2654435761u;
                bound_push(bound, &memo->pieces, part);
            }
        }
        break;
    case FW_DOMAIN_LEAVE: {
        const struct piece_list *inside = bound_pieces(bound, domain->parent);
        for (uint32_t p = 0; p < inside->count; p++) {
            struct piece *part = bound_copy_piece(bound, inside->at[p]);
            for (uint32_t v = 0; v < part->variables; v++) {
                uint32_t at = domain->innermost; /* iterations of loops that go on are kept */
                while (at != FW_NONE && at != part->loop_of[v])
                    at = bound->kernel->loops[at].parent;
                if (at == FW_NONE)
                    part->loop_of[v] = FW_NONE;
            }
            bound_push(bound, &memo->pieces, part);
        }
        break;
    }
    }
    if (memo->pieces.count > MOST_PIECES * 64)
        memo->pieces.count = 0, memo->failed = true;
    return &memo->pieces;
}
