/* Pieces: a domain as a disjoint union of conjunctions of rows, built from its parent's. */
#include "bound_internal.h"
#include "briefly.h"

#include <math.h>
#include <setjmp.h>
#include <string.h>

/* Block indices below a grid size that is not stated: one row each. */
static void bound_by_grid(struct fw_bound *bound, struct fw_piece *piece, uint32_t d)
{
    uint32_t v = (uint32_t)piece->launch_variable[d];
    uint32_t size = bound_symbol(piece, bound->kernel->parameter_count + d);
    struct fw_linear row = {.constant = -1};
    row.coefficient[v] = -1;
    row.coefficient[size] = 1;
    bound_add_row(bound, piece, &row, false, false);
}

static struct fw_piece *all_threads(struct fw_bound *bound)
{
    const struct fw_launch *launch = bound->launch;
    struct fw_piece *piece = FW_NEW(bound->scratch, struct fw_piece);
    piece->weight = piece->warp_weight = piece->lanes.share = 1;
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
static void directions(const struct fw_piece *piece, uint32_t v, int8_t *sign)
{
    memset(sign, 0, FW_PIECE_VARIABLES);
    sign[v] = 1;
    for (uint32_t p = 0; p < piece->variables; p++)
        if (piece->times_loop[p] == v)
            sign[p] = 1; /* symbols are not negative */
    for (uint32_t r = 0; r + 1 < piece->row_count; r++) {
        const struct fw_piece_row *row = &piece->rows[r];
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

static struct dependence depends(const struct fw_piece *piece, uint32_t from, uint32_t v)
{
    struct dependence d = {.free = true};
    int8_t sign[FW_PIECE_VARIABLES];
    directions(piece, v, sign);
    for (uint32_t r = from; r < piece->row_count; r++) {
        if (piece->rows[r].definition)
            continue;
        for (uint32_t x = 0; x < piece->variables; x++) {
            int64_t c = piece->rows[r].form.coefficient[x];
            if (!c || !sign[x])
                continue;
            d.free = false;
            d.quotients |= x != v && piece->times_loop[x] != v;
            d.rising |= sign[x] == 2 || (c > 0) == (sign[x] > 0);
        }
    }
    return d;
}

/* The variables that came in with a condition, at their widest; false: others than arguments and
 * products with v, which is 0. */
static bool widen(struct fw_piece *whole, const struct fw_piece *piece, uint32_t v)
{
    for (; whole->variables < piece->variables; whole->variables++) {
        uint32_t x = whole->variables;
        bool product = piece->times_loop[x] == v;
        if (piece->symbol[x] == FW_NONE && !product)
            return false;
        whole->low[x] = 0;
        whole->high[x] = product ? 0 : INT32_MAX;
        whole->fixed[x] = false;
    }
    return true;
}

/* Whether the piece has all points of `before` (the piece before a condition narrowed it) when v is
 * 0, as far as the bounds or one row show that the rows from `from` on hold there.  A piece in
 * which an index was fixed, which leaves no row, has not. */
static bool holds_at_start(const struct fw_piece *before, const struct fw_piece *piece,
                           uint32_t from, uint32_t v)
{
    struct fw_piece whole = *before;
    if (!widen(&whole, piece, v))
        return false;
    for (uint32_t x = 0; x < whole.variables; x++)
        if (piece->fixed[x] != whole.fixed[x])
            return false;
    for (uint32_t r = from; r < piece->row_count; r++) {
        struct fw_linear row = piece->rows[r].form;
        int64_t low, high;
        bool implied = false;
        if (piece->rows[r].definition)
            return false;
        row.coefficient[v] = 0;
        for (uint32_t p = 0; p < piece->variables; p++)
            if (piece->times_loop[p] == v)
                row.coefficient[p] = 0;
        bound_interval(&whole, &row, &low, &high);
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

static struct fw_piece *with_iteration(struct fw_bound *bound, const struct fw_piece *parent,
                                       uint32_t loop, uint32_t *variable)
{
    struct fw_piece *piece = bound_copy_piece(bound, parent);
    *variable = bound_add_variable(piece, 0, FAR);
    if (*variable == FW_NONE)
        return NULL;
    piece->loop_of[*variable] = piece->entered[*variable] = loop;
    return piece;
}

static void fix_iteration(struct fw_piece *piece, uint32_t v, int64_t value)
{
    piece->low[v] = piece->high[v] = value;
    piece->fixed[v] = true;
}

static void drop_empty(struct fw_bound *bound, struct fw_piece_list *list)
{
    uint32_t kept = 0;
    for (uint32_t p = 0; p < list->count; p++)
        if (!bound_piece_empty(bound, list->at[p]))
            list->at[kept++] = list->at[p];
    list->count = kept;
}

/* The piece at the next iteration: what was decided for this one does not hold there. */
static struct fw_piece *next_iteration(struct fw_bound *bound, const struct fw_piece *piece,
                                       const struct fw_piece *parent, uint32_t v)
{
    struct fw_piece *next = bound_copy_piece(bound, piece);
    next->low[v] = next->high[v] = piece->low[v] + 1;
    next->decision_count = parent->decision_count;
    return next;
}

/* Goes through the iterations one by one, for conditions with powers and products of the iteration
 * and those that hold again after they ended the loop: threads that left it stay out. */
static bool one_by_one(struct fw_bound *bound, const struct fw_piece *parent, uint32_t loop,
                       struct fw_piece_list *out, struct linear_problem *problem)
{
    enum { MOST_ITERATIONS = 4096, MOST_BYTES = 48 << 20 };
    const struct fw_loop *info = &bound->kernel->loops[loop];
    struct fw_piece_list now = {0};
    uint32_t v;
    struct fw_arena_mark mark = fw_arena_mark(bound->scratch);
    struct fw_piece_list found = {0};
    struct fw_piece *piece = with_iteration(bound, parent, loop, &v);
    if (!piece)
        return false;
    fix_iteration(piece, v, 0);
    bound_push(bound, &now, piece);
    size_t memory = fw_arena_used(bound->scratch);
    for (int64_t i = 0; i < MOST_ITERATIONS && found.count < MOST_PIECES * 4; i++) {
        struct fw_piece_list next = {0};
        bool applied = fw_arena_used(bound->scratch) - memory < MOST_BYTES;
        for (uint32_t p = 0; p < now.count; p++)
            bound_push(bound, &found, now.at[p]);
        for (uint32_t p = 0; p < now.count && applied; p++) {
            piece = next_iteration(bound, now.at[p], parent, v);
            applied = bound_apply(bound, piece, info->stays, true, &next, problem);
        }
        if (!applied)
            break;
        drop_empty(bound, &next);
        if (next.count == 0) {
            for (uint32_t p = 0; p < found.count; p++)
                bound_push(bound, out, found.at[p]);
            return true;
        }
        now = next;
    }
    fw_arena_release(bound->scratch, mark);
    if (problem->reason == FW_UNKNOWN_NONAFFINE)
        problem->reason = FW_UNKNOWN_ENDLESS;
    return false;
}

/* Iterations 0 <= i with i = 0 or `stays`, by rows; false when they do not say when the loop ends.
 */
static bool by_rows(struct fw_bound *bound, const struct fw_piece *parent, uint32_t loop,
                    struct fw_piece_list *out, struct linear_problem *problem)
{
    struct fw_piece_list parts = {0};
    uint32_t v;
    struct fw_piece *piece = with_iteration(bound, parent, loop, &v);
    problem->reason = FW_UNKNOWN_BUDGET;
    problem->parameter = FW_NONE;
    if (!piece)
        return false;
    bound->loop_variable = v;
    bound->role = ENDS_LOOP;
    bool applied =
        bound_apply(bound, piece, bound->kernel->loops[loop].stays, true, &parts, problem);
    bound->loop_variable = FW_NONE;
    bound->role = ENDS_NOTHING;
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
        struct fw_piece *start = bound_copy_piece(bound, piece);
        fix_iteration(start, v, 0);
        bound_push(bound, out, start);
    }
    for (uint32_t p = 0; p < parts.count; p++) {
        struct fw_piece *part = parts.at[p];
        if (!whole)
            part->low[v] = part->low[v] > 1 ? part->low[v] : 1;
        if (part->low[v] <= part->high[v])
            bound_push(bound, out, part);
    }
    return true;
}

/* A loop whose trips are evaluated at some points. */
static bool by_sampling(struct fw_bound *bound, const struct fw_piece *parent, uint32_t loop,
                        struct fw_piece_list *out)
{
    uint32_t v;
    struct fw_piece *piece = with_iteration(bound, parent, loop, &v);
    struct fw_piece *sampled = piece ? sampled_loop(bound, piece, loop, v) : NULL;
    if (sampled)
        bound_push(bound, out, sampled);
    return sampled != NULL;
}

/* Notes the most trips that a loop was taken to have. */
static void lean_on_trips(struct fw_bound *bound, uint32_t loop, double trips)
{
    if (trips > bound->leaned_trips[loop])
        bound->leaned_trips[loop] = trips;
}

static int64_t last_iteration(const struct fw_piece *piece, uint32_t loop)
{
    for (uint32_t v = 0; v < piece->variables; v++)
        if (piece->loop_of[v] == loop)
            return piece->high[v];
    return 0;
}

/* Leaves a piece so many trips of a loop, in the mean. */
static void end_before(struct fw_piece *piece, uint32_t loop, double trips)
{
    const double whole = ceil(trips);
    for (uint32_t v = 0; v < piece->variables; v++) {
        const double low = (double)piece->low[v];
        if (piece->loop_of[v] != loop || !((double)piece->high[v] >= whole) || !(whole > low))
            continue;
        piece->weight *= (trips - low) / (whole - low);
        piece->warp_weight *= (trips - low) / (whole - low);
        piece->high[v] = (int64_t)whole - 1;
        piece->closed[v] = true;
    }
}

/* A loop that is not static: the trips given for it, within what is known of its bounds. */
static void by_leaning(struct fw_bound *bound, const struct fw_piece *parent, uint32_t loop,
                       struct fw_piece_list *out, const struct linear_problem *why)
{
    const struct fw_launch *launch = bound->launch;
    uint32_t v;
    if (isnan(launch->trips[loop]) && why->reason == FW_UNKNOWN_DATA &&
        !bound->kernel->loops[loop].polls && !bound->kernel->loops[loop].looks_up) {
        struct fw_piece_list parts = {0};
        struct linear_problem other;
        bound->skip_opaque = true;
        bool known = by_rows(bound, parent, loop, &parts, &other);
        bound->skip_opaque = false;
        for (uint32_t p = 0; p < parts.count && known; p++)
            for (uint32_t x = 0; x < parts.at[p]->variables; x++)
                known = known && parts.at[p]->high[x] < FAR;
        if (known) {
            if (!bound->kernel->loops[loop].computes)
                bound_lean_bounded(bound, loop, why);
            for (uint32_t p = 0; p < parts.count; p++) {
                const double most = (double)last_iteration(parts.at[p], loop) + 1;
                const double trips = fw_bound_ended(bound->kernel, loop, most);
                lean_on_trips(bound, loop, trips);
                if (bound->kernel->loops[loop].computes)
                    bound_lean_ended(bound, loop, why, trips, most);
                end_before(parts.at[p], loop, trips);
                parts.at[p]->estimate = true;
                bound_push(bound, out, parts.at[p]);
            }
            return;
        }
    }
    double trips = bound_lean(bound, true, loop, why);
    lean_on_trips(bound, loop, trips);
    struct fw_piece *piece = with_iteration(bound, parent, loop, &v);
    bound->lost |= !piece;
    if (!piece || !(trips > 0))
        return;
    /* The iterations of a warp, as memory sees them, where those are known. */
    bool measured = launch->warp_trips && !isnan(launch->warp_trips[loop]);
    const double of_warps = bound_warp_trips(bound, loop, trips);
    double most = ceil(fmax(trips, of_warps));
    double whole = most < 1e15 ? most : 1e15;
    piece->estimate = true;
    piece->weight *= trips / whole;
    piece->measured |= measured;
    piece->warp_weight *= of_warps / whole;
    piece->high[v] = (int64_t)whole - 1;
    if (piece->high[v] == 0)
        piece->fixed[v] = true;
    else
        piece->closed[v] = true;
    bound_push(bound, out, piece);
}

/* The same with a share of the binding's work, so that something is left for other ways. */
static bool one_by_one_within(struct fw_bound *bound, const struct fw_piece *parent, uint32_t loop,
                              struct fw_piece_list *out, struct linear_problem *problem)
{
    enum { SHARE = 40 };
    uint64_t applications = bound->applications, steps = bound->linear_steps;
    uint64_t applied = applications / SHARE, stepped = steps / SHARE;
    bound->applications = applied;
    bound->linear_steps = stepped;
    bound->stepping = true;
    bool done = one_by_one(bound, parent, loop, out, problem);
    bound->stepping = false;
    bound->applications += applications - applied;
    bound->linear_steps += steps - stepped;
    return done;
}

static void enter_loop(struct fw_bound *bound, const struct fw_piece_list *parents, uint32_t loop,
                       struct fw_piece_list *out)
{
    for (uint32_t p = 0; p < parents->count; p++) {
        struct linear_problem problem = {.reason = FW_UNKNOWN_DATA, .parameter = FW_NONE};
        const struct fw_piece *parent = parents->at[p];
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
            one_by_one_within(bound, parent, loop, out, &problem))
            continue;
        if (problem.reason != FW_UNKNOWN_DATA && problem.reason != FW_UNKNOWN_ARGUMENT &&
            bound_loop_by_points(bound, parent, loop, out))
            continue;
        if (by_sampling(bound, parent, loop, out))
            continue;
        by_leaning(bound, parent, loop, out, &problem);
    }
}

/* Threads of a warp that were apart go on together. */
static void meet(struct fw_piece *piece)
{
    piece->path = 0;
    for (uint32_t v = 0; v < piece->variables; v++)
        if (piece->left[v] == FW_LEFT_APART)
            piece->left[v] = FW_LEFT_MET;
}

/* Threads that came through this member of a union; `number` is FW_NONE where all ways meet. */
static void join_member(struct fw_bound *bound, const struct fw_piece_list *member, uint32_t number,
                        struct fw_piece_list *out)
{
    for (uint32_t p = 0; p < member->count; p++) {
        struct fw_piece *part = bound_copy_piece(bound, member->at[p]);
        part->path = (part->path * 31 + number + 1) * 2654435761u;
        if (number == FW_NONE)
            meet(part);
        bound_push(bound, out, part);
    }
}

/* Forgets the iterations of loops that do not go on; `innermost` and those around it do. */
static void leave_loops(struct fw_bound *bound, const struct fw_piece_list *inside,
                        uint32_t innermost, bool meets, struct fw_piece_list *out)
{
    for (uint32_t p = 0; p < inside->count; p++) {
        struct fw_piece *part = bound_copy_piece(bound, inside->at[p]);
        for (uint32_t v = 0; v < part->variables; v++) {
            uint32_t at = innermost;
            while (at != FW_NONE && at != part->loop_of[v])
                at = bound->kernel->loops[at].parent;
            if (at == FW_NONE) {
                if (part->loop_of[v] != FW_NONE)
                    part->left[v] = FW_LEFT_APART;
                part->loop_of[v] = FW_NONE;
            }
        }
        if (meets)
            meet(part);
        bound_push(bound, out, part);
    }
}

/* Builds a domain's pieces from those of the domains it is made of. */
static void build(struct fw_bound *bound, uint32_t index)
{
    const struct fw_domain *domain = &bound->kernel->domains[index];
    struct domain_memo *memo = &bound->domains[index];
    const struct fw_piece_list *parent = &bound->domains[domain->parent].pieces;
    switch (domain->kind) {
    case FW_DOMAIN_EMPTY:
        break;
    case FW_DOMAIN_ALL:
        bound_push(bound, &memo->pieces, all_threads(bound));
        break;
    case FW_DOMAIN_LOOP:
        enter_loop(bound, parent, domain->loop, &memo->pieces);
        break;
    case FW_DOMAIN_RESTRICT:
        bound_restrict(bound, parent, domain, &memo->pieces);
        break;
    case FW_DOMAIN_UNION:
        for (uint32_t m = 0; m < domain->member_count; m++)
            join_member(bound, &bound->domains[domain->members[m]].pieces,
                        domain->meets ? FW_NONE : m, &memo->pieces);
        break;
    case FW_DOMAIN_LEAVE:
        leave_loops(bound, parent, domain->innermost, domain->meets, &memo->pieces);
        break;
    }
    if (memo->pieces.count > MOST_PIECES * 64 || bound->lost)
        memo->failed = true;
}

/* Moves a domain's pieces from the scratch of building to where they stay. */
static void keep_pieces(struct fw_bound *bound, struct fw_piece_list *list)
{
    struct fw_piece **kept = FW_ARRAY(bound->kept, struct fw_piece *, list->count);
    for (uint32_t p = 0; p < list->count; p++) {
        kept[p] = fw_arena_copy(bound->kept, list->at[p], sizeof(*kept[p]));
        kept[p]->row_capacity = kept[p]->row_count;
        kept[p]->rows = fw_arena_copy(bound->kept, list->at[p]->rows,
                                      kept[p]->row_count * sizeof(*kept[p]->rows));
    }
    list->at = kept;
    list->capacity = list->count;
}

/* What holds for a domain that another is made of holds for that one. */
static void inherit(struct domain_memo *memo, const struct domain_memo *from)
{
    memo->failed |= from->failed;
    memo->splits |= from->splits;
}

/* Builds one domain, or marks it failed when memory or its parts fail; scratch goes back. */
static void build_guarded(struct fw_bound *bound, uint32_t index)
{
    const struct fw_domain *domain = &bound->kernel->domains[index];
    struct domain_memo *memo = &bound->domains[index];
    struct fw_arena_mark mark = fw_arena_mark(bound->scratch);
    jmp_buf exhausted, *before = fw_arena_on_exhausted(bound->scratch, &exhausted);
    fw_arena_on_exhausted(bound->kept, &exhausted);
    bound->lost = false;
    if (setjmp(exhausted) == 0) {
        build(bound, index);
        bound_drop_empty_briefly(bound, &memo->pieces);
        keep_pieces(bound, &memo->pieces);
    } else {
        memo->failed = true;
    }
    fw_arena_on_exhausted(bound->scratch, before);
    fw_arena_on_exhausted(bound->kept, NULL);
    fw_arena_release(bound->scratch, mark);
    memo->built = true;
    if (domain->kind != FW_DOMAIN_ALL && domain->kind != FW_DOMAIN_EMPTY)
        inherit(memo, &bound->domains[domain->parent]);
    for (uint32_t m = 0; domain->kind == FW_DOMAIN_UNION && m < domain->member_count; m++)
        inherit(memo, &bound->domains[domain->members[m]]);
    memo->splits |= domain->unsure;
    memo->splits |= domain->kind == FW_DOMAIN_LOOP && bound->kernel->loops[domain->loop].splits;
    if (memo->failed) {
        memo->pieces = (struct fw_piece_list){0};
        bound->loop_variable = bound->lean_branch = FW_NONE;
        bound->role = ENDS_NOTHING;
        bound->memory = SIZE_MAX;
        bound->skip_opaque = bound->lean_data_only = bound->stepping = false;
        bound->assuming = false;
    }
}

/* A domain that `index` needs and that is not built yet; FW_NONE: none. */
static uint32_t not_built(const struct fw_bound *bound, uint32_t index)
{
    const struct fw_domain *domain = &bound->kernel->domains[index];
    if (domain->kind == FW_DOMAIN_ALL || domain->kind == FW_DOMAIN_EMPTY)
        return FW_NONE;
    if (!bound->domains[domain->parent].built)
        return domain->parent;
    for (uint32_t m = 0; domain->kind == FW_DOMAIN_UNION && m < domain->member_count; m++)
        if (!bound->domains[domain->members[m]].built)
            return domain->members[m];
    return FW_NONE;
}

const struct fw_piece_list *bound_pieces(struct fw_bound *bound, uint32_t index)
{
    /* Chains of domains are long: they are walked without recursion, and a domain that waits for
     * another says so in `waits`. */
    uint32_t at = index;
    bound->domains[index].waits = FW_NONE;
    while (!bound->domains[index].built) {
        uint32_t needed = not_built(bound, at);
        if (needed != FW_NONE) {
            bound->domains[needed].waits = at;
            at = needed;
            continue;
        }
        build_guarded(bound, at);
        at = at == index ? index : bound->domains[at].waits;
    }
    return &bound->domains[index].pieces;
}

const struct fw_piece_list *fw_bound_pieces(struct fw_bound *bound, uint32_t domain)
{
    const struct fw_piece_list *pieces = bound_pieces(bound, domain);
    return bound->domains[domain].failed ? NULL : pieces;
}
