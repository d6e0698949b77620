/* Shares of branches that are not known: the default of a branch, and the share of each part of its
 * condition. */
#include "bound_internal.h"

#include <math.h>
#include <stdlib.h>

/* The value of an expression at the middle thread in the first iterations; false: it is not known.
 */
static bool evaluate_in_middle(struct fw_bound *bound, fw_expression expression, int64_t *value)
{
    const struct fw_launch *launch = bound->launch;
    struct fw_point middle = {{0}, {0}, NULL};
    int64_t *iterations = calloc(bound->kernel->loop_count + 1, sizeof(*iterations));
    bool known = false;
    middle.iterations = iterations;
    for (uint32_t d = 0; d < 3; d++) {
        middle.block[d] = launch->grid[d] / 2;
        middle.thread[d] = launch->block[d] / 2;
    }
    if (iterations)
        known = fw_bound_evaluate(bound, expression, &middle, value);
    free(iterations);
    return known;
}

/* Where data end a loop that computes alone before its bound, by that bound: recorded loops of this
 * kind ended at 0.25 (data/unknowns), and at about a third where times tell. */
static const double ended_by_most = 1.0 / 3;

/* The trips of a search by halves among n: it ends at one of n + 1 places, each as probable.  Where
 * n differs, it is that of the middle thread in the first iterations; where data tell it, that of a
 * row or a list. */
static double search_trips(struct fw_bound *bound, const struct fw_loop *loop)
{
    int64_t left = 0;
    const bool known = evaluate_in_middle(bound, loop->left, &left);
    return log2(1 + (known && left != 0 ? fabs((double)left) : FW_DEFAULT_TRIPS));
}

/* The nodes that a search for the nearest comes to in a tree of `left` nodes, each of k children:
 * those of each level whose part of space the ball around the place meets, which holds one entry.
 * Of parts of b entries in d dimensions these are (1 + (1 / b)^(1 / d))^d at most (Friedman,
 * Bentley and Finkel, "An Algorithm for Finding Best Matches in Logarithmic Expected Time", TOMS
 * 1977), one near the root and 2^d of the leaves.  Trees are taken to be of points in space, and
 * searches to leave out what is too far when its turn comes. */
static double descent_trips(struct fw_bound *bound, const struct fw_loop *loop)
{
    enum { DIMENSIONS = 3, MOST_LEVELS = 64 };
    const double k = loop->children;
    int64_t left = 0;
    double nodes = 0;
    if (!evaluate_in_middle(bound, loop->left, &left) || left < 1)
        return FW_DEFAULT_TRIPS;
    const double levels = ceil(log1p((double)left * (k - 1)) / log(k) - 1e-9);
    for (double level = 0; level < levels && level < MOST_LEVELS; level++) {
        const double met = pow(1 + pow(k, (level + 1 - levels) / DIMENSIONS), DIMENSIONS);
        nodes += fmin(met, pow(k, level));
    }
    return nodes;
}

double fw_bound_ended(const struct fw_kernel *kernel, uint32_t loop, double most)
{
    return kernel->loops[loop].computes ? fmax(1, most * ended_by_most) : most;
}

double bound_usual_trips(struct fw_bound *bound, uint32_t index)
{
    const struct fw_loop *loop = &bound->kernel->loops[index];
    if (loop->halves)
        return search_trips(bound, loop);
    if (loop->children)
        return descent_trips(bound, loop);
    if (loop->because)
        return loop->usual;
    return loop->usual_trips > 0 ? loop->usual_trips : FW_DEFAULT_TRIPS;
}

/* The trips of a loop that a row's length gives, which it is taken to go through; 0: none does. */
static double trips_of_row(const struct fw_bound *bound, uint32_t loop)
{
    for (uint32_t u = 0; u < bound->unknown_count; u++)
        if (bound->unknowns[u].is_loop && bound->unknowns[u].index == loop)
            return bound->unknowns[u].of_rows ? bound->unknowns[u].by_rows : 0;
    return 0;
}

/* How many entries of a row a thread looks at, or a warp of so many lanes that search each for
 * itself, where each entry ends the search with the probability `leaves`: of `trips` iterations, by
 * `copies` entries.  What is left of the sum once few search still is left out. */
static double searched(double trips, double copies, double leaves, double lanes)
{
    enum { MOST_TRIPS = 4096 };
    const double goes_on = pow(1 - leaves, copies), few = 1e-3;
    const double whole = fmin(floor(trips), MOST_TRIPS);
    double sum = 0, one = 1, some = 1;
    if (!(leaves > 0))
        return trips;
    for (double t = 0; t < whole && some > few; t++) {
        sum += some;
        one *= goes_on;
        some = lanes > 1 ? -expm1(lanes * log1p(-fmin(one, 1 - 1e-12))) : one;
    }
    return sum + (trips - whole) * some;
}

double bound_searched_trips(struct fw_bound *bound, uint32_t loop, double trips, bool warps)
{
    enum { SHARES = 16 };
    const struct fw_kernel *kernel = bound->kernel;
    const struct fw_branch *exit = NULL;
    double copies = 0, sum = 0;
    for (uint32_t b = 0; b < kernel->branch_count; b++) {
        const struct fw_branch *branch = &kernel->branches[b];
        if (!branch->exits || branch->loop != loop || !branch->searches)
            continue;
        exit = exit ? exit : branch;
        copies++;
    }
    if (!exit || !(trips > 1))
        return trips;
    const double stated = bound->launch->taken[exit - kernel->branches];
    const double lanes = warps && exit->apart ? FW_WARP_THREADS : 1;
    const double taken = isnan(stated) ? exit->usual : stated;
    if (!isnan(stated) || exit->because)
        return searched(trips, copies, exit->exits_when ? taken : 1 - taken, lanes);
    for (uint32_t s = 0; s < SHARES; s++) /* any share is as probable */
        sum += searched(trips, copies, (s + 0.5) / SHARES, lanes);
    return sum / SHARES;
}

/* The trips of a loop whose numbers are compared: those of the middle thread, where they follow
 * from the launch. */
static double trips_of(struct fw_bound *bound, uint32_t index)
{
    const struct fw_loop *loop = &bound->kernel->loops[index];
    int64_t trips = 0;
    if (!loop->data_dependent && loop->trips != FW_NO_EXPRESSION &&
        evaluate_in_middle(bound, loop->trips, &trips))
        return fmax(1, (double)trips);
    return bound->leaned_trips[index] >= 1 ? bound->leaned_trips[index]
                                           : bound_usual_trips(bound, index);
}

/* The share of n places, each of `asked` numbers of which `kept` are kept, at which one of them is
 * among the greatest so far, where numbers come in any order: at place t, 1 - (1 - k / (a t))^a. */
static double records_share(double n, double kept, double asked)
{
    enum { ONE_BY_ONE = 64, PANELS = 32 };
    const double last = fmin(n, ONE_BY_ONE);
    double sum = 0;
    for (double t = 1; t <= last; t++)
        sum += 1 - pow(1 - fmin(1, kept / (asked * t)), asked);
    const double width = n > last ? log((n + 0.5) / (last + 0.5)) / PANELS : 0;
    for (uint32_t p = 0; width > 0 && p < PANELS; p++) {
        const double t = (last + 0.5) * exp((p + 0.5) * width);
        sum += t * width * (1 - pow(1 - fmin(1, kept / (asked * t)), asked));
    }
    return fmin(1, sum / n);
}

/* Of a branch that numbers beyond all before decide: the share at which one of `lanes` threads has
 * such a number, each of numbers of its own. */
static double usual_records(struct fw_bound *bound, const struct fw_records *records, double lanes)
{
    double n = records->copies > 1 ? records->copies : 1;
    uint32_t loop = records->loop;
    for (uint32_t l = 0; l < records->loops && loop != FW_NONE; l++) {
        n *= trips_of(bound, loop);
        loop = bound->kernel->loops[loop].parent;
    }
    return records_share(fmin(n, 0x1p52), lanes * records->kept, lanes * records->asked);
}

/* A loop that runs t times is left once in t iterations, by one of the branches that leave it.
 * Where it runs to the end of a row of supposed length, no other branch leaves it before: its trips
 * would be fewer. */
double bound_usual_share(struct fw_bound *bound, uint32_t index)
{
    const struct fw_branch *branch = &bound->kernel->branches[index];
    if (branch->records.kept > 0) {
        const double beyond = usual_records(bound, &branch->records, 1);
        return branch->records.taken ? beyond : 1 - beyond;
    }
    if (branch->exits && branch->leaves > 0)
        return branch->exits_when ? branch->leaves : 1 - branch->leaves;
    double trips = branch->exits ? bound->leaned_trips[branch->loop] : 0;
    if (trips >= 1) {
        const double row = trips_of_row(bound, branch->loop);
        if (row > 0 && branch->searches && branch->because)
            return branch->usual;
        if (row > 0 && !branch->searches)
            return branch->exits_when ? 0 : 1;
        /* Of any share of entries that end it, all but 1 in n + 1 searches end there. */
        if (row > 0)
            trips *= 1 + 1 / row;
        uint32_t exits = row > 0 ? 1 : bound->kernel->loops[branch->loop].exits;
        double share = 1 / (trips * (exits ? exits : 1));
        return branch->exits_when ? share : 1 - share;
    }
    return branch->because ? branch->usual : FW_USUALLY_TAKEN;
}

static bool is_opaque(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)user;
    (void)atom;
    return node->kind == FW_ATOM_UNKNOWN || node->kind == FW_ATOM_ARRAY;
}

/* How probable a condition is if each comparison in it that data decides is so with probability
 * `share`, turned round under a negation; NAN: none is. */
struct probability {
    struct fw_bound *bound;
    double share;
    uint32_t steps, parts;
};

/* Whether a comparison asks for data: asked for once a kernel. */
static bool asks_data(struct fw_bound *bound, fw_condition condition)
{
    enum { NO = 1, YES };
    const struct fw_pool *pool = &bound->kernel->pool;
    if (!bound->asks_data)
        bound->asks_data = calloc(pool->conditions.count + 1, 1);
    if (bound->asks_data && bound->asks_data[condition])
        return bound->asks_data[condition] == YES;
    bool asks = fw_condition_any(pool, condition, is_opaque, NULL);
    if (bound->asks_data)
        bound->asks_data[condition] = asks ? YES : NO;
    return asks;
}

static double probability_of(struct probability *of, fw_condition condition, bool turned)
{
    enum { MOST_STEPS = 400 };
    const struct fw_condition_node *node = &of->bound->kernel->pool.conditions.at[condition];
    double a, b;
    if (of->steps++ >= MOST_STEPS)
        return (double)NAN;
    switch ((enum fw_condition_kind)node->kind) {
    case FW_CONDITION_AND:
    case FW_CONDITION_OR:
        a = probability_of(of, node->a, turned);
        b = probability_of(of, node->b, turned);
        if (isnan(a) || isnan(b))
            return isnan(a) ? b : a;
        return node->kind == FW_CONDITION_AND ? a * b : a + b - a * b;
    case FW_CONDITION_NOT:
        return 1 - probability_of(of, node->a, !turned);
    default:
        if (!asks_data(of->bound, condition))
            return (double)NAN;
        of->parts++;
        return turned ? 1 - of->share : of->share;
    }
}

/* The share of each part of a branch's condition that data decides, if the branch is taken in this
 * share. */
static double part_share(struct fw_bound *bound, uint32_t branch, double share)
{
    struct probability of = {.bound = bound, .share = share};
    fw_condition condition = bound->kernel->branches[branch].condition;
    double low = 0, high = 1;
    if (bound->part_branch == branch && bound->part_of >= share && bound->part_of <= share)
        return bound->part_share;
    double whole = probability_of(&of, condition, false);
    bound->part_branch = branch;
    bound->part_of = bound->part_share = share;
    if (isnan(whole) || of.parts < 2 || share <= 0 || share >= 1)
        return share;
    for (int halving = 0; halving < 40; halving++) {
        of.share = (low + high) / 2;
        of.steps = 0;
        *(probability_of(&of, condition, false) < share ? &low : &high) = of.share;
    }
    return bound->part_share = (low + high) / 2;
}

/* Whether lanes of a warp load from places of their own: as the first warp's say, in the first
 * iterations. */
static bool loads_apart(struct fw_bound *bound, const struct fw_access *access)
{
    enum { MOST_LOOPS = 64 };
    static const int64_t first_iterations[MOST_LOOPS];
    const uint32_t *block = bound->launch->block;
    const uint32_t last = block[0] < FW_WARP_THREADS ? block[0] : FW_WARP_THREADS;
    const uint32_t lanes[] = {1, last - 1};
    struct fw_point point = {{0}, {0}, first_iterations};
    int64_t first, other;
    if (access->data_dependent || bound->kernel->loop_count > MOST_LOOPS ||
        !fw_bound_evaluate(bound, access->offset, &point, &first))
        return true;
    for (size_t l = 0; l < sizeof(lanes) / sizeof(lanes[0]); l++) {
        point.thread[0] = last > 1 ? lanes[l] : 0;
        if (!fw_bound_evaluate(bound, access->offset, &point, &other) || other != first)
            return true;
    }
    return last < FW_WARP_THREADS; /* rows of short blocks: not looked at */
}

/* Whether lanes of a warp take a branch each for itself at this launch. */
static bool is_by_lanes(struct fw_bound *bound, uint32_t index)
{
    const struct fw_branch *branch = &bound->kernel->branches[index];
    bool apart = branch->load_count == 0;
    for (uint32_t l = 0; l < branch->load_count && branch->by_lanes && !apart; l++)
        apart = loads_apart(bound, &bound->kernel->accesses[branch->loads[l]]);
    return branch->by_lanes && apart;
}

/* The share of warps of which some lane goes one way of a branch that numbers beyond all before of
 * each lane decide; false: it is none, or its share is stated. */
static bool records_of_warps(struct fw_bound *bound, uint32_t branch, bool truth, double threads,
                             double *warps)
{
    const struct fw_records *records = &bound->kernel->branches[branch].records;
    const uint32_t *block = bound->launch->block;
    if (!(records->kept > 0) || !isnan(bound->launch->taken[branch]) || !is_by_lanes(bound, branch))
        return false;
    const double lanes = fmin((double)block[0] * block[1] * block[2], FW_WARP_THREADS);
    *warps = truth == records->taken ? fmax(threads, usual_records(bound, records, lanes))
                                     : 1 - pow(1 - threads, lanes);
    return true;
}

void bound_weigh_branch(struct fw_bound *bound, struct fw_piece *piece, uint32_t branch,
                        double share, bool truth, bool part)
{
    const struct fw_launch *launch = bound->launch;
    const double *of_warps = truth ? launch->warps_taken : launch->warps_passed;
    const bool measured = of_warps && !isnan(of_warps[branch]);
    double taken = part ? part_share(bound, branch, share) : share;
    double threads = truth ? taken : 1 - taken, warps = threads;
    const bool records = !measured && records_of_warps(bound, branch, truth, threads, &warps);
    const bool by_lanes = !measured && !records && is_by_lanes(bound, branch);
    if (measured && !part)
        warps = of_warps[branch];
    else if (measured && truth)
        warps = part_share(bound, branch, of_warps[branch]);
    else if (measured)
        warps = 1 - part_share(bound, branch, 1 - of_warps[branch]);
    piece->weight *= threads;
    *(by_lanes ? &piece->lanes.share : &piece->warp_weight) *= warps;
    piece->lanes.is_default |= by_lanes && isnan(launch->taken[branch]) &&
                               !bound->kernel->branches[branch].refills &&
                               !bound->kernel->branches[branch].even;
    piece->measured |= measured;
}

/* How far shares of branches spread about their defaults: they are taken to have a beta
 * distribution, whose mean is the default and whose two parameters have this sum.  As many warps
 * are then parted, in the mean, as in the recordings of data/unknowns: `scripts/unknown-values
 * --quantiles` prints it. */
static const double usual_spread = 0.586;

double fw_some_lane(struct fw_lane_share of, double lanes)
{
    const double off = usual_spread * (1 - of.share);
    double none = 1;
    if (!(of.share < 1) || !(of.share > 0))
        return of.share > 0;
    if (!of.is_default)
        return -expm1(lanes * log1p(-of.share));
    for (double k = 0; k < lanes; k++) /* the next lane, where none before it goes this way */
        none *= pow((off + k) / (usual_spread + k), fmin(1, lanes - k));
    return 1 - none;
}

double bound_some_lane(const struct fw_bound *bound, struct fw_lane_share of)
{
    const uint32_t *block = bound->launch->block;
    const double threads = (double)block[0] * block[1] * block[2];
    return fw_some_lane(of, fmin(threads, FW_WARP_THREADS));
}

/* As probability_of, with what can be evaluated at a point. */
struct probability_at {
    struct fw_bound *bound;
    const struct fw_point *point;
    double share;
    uint32_t steps;
};

static double probability_at(struct probability_at *of, fw_condition condition, bool turned)
{
    enum { MOST_STEPS = 400 };
    const struct fw_condition_node *node = &of->bound->kernel->pool.conditions.at[condition];
    bool known, holds;
    double a;
    if (of->steps++ >= MOST_STEPS)
        return of->share;
    switch ((enum fw_condition_kind)node->kind) {
    case FW_CONDITION_AND:
        a = probability_at(of, node->a, turned);
        return a > 0 ? a * probability_at(of, node->b, turned) : 0;
    case FW_CONDITION_OR:
        a = probability_at(of, node->a, turned);
        return a < 1 ? a + (1 - a) * probability_at(of, node->b, turned) : 1;
    case FW_CONDITION_NOT:
        return 1 - probability_at(of, node->a, !turned);
    default:
        holds = fw_bound_holds(of->bound, condition, of->point, &known);
        return known ? holds : turned ? 1 - of->share : of->share;
    }
}

/* The probability that a branch goes one way, which was measured of warps or of blocks: of these,
 * not to take it is no complement of taking it (see warps_passed). */
static double measured_share(struct probability_at *of, uint32_t branch, bool truth,
                             double measured)
{
    of->share = part_share(of->bound, branch, truth ? measured : 1 - measured);
    of->steps = 0;
    const double taken = probability_at(of, of->bound->kernel->branches[branch].condition, false);
    return truth ? taken : 1 - taken;
}

struct fw_lean fw_bound_branch_share(struct fw_bound *bound, uint32_t branch, bool truth,
                                     const struct fw_point *point)
{
    const struct linear_problem why = {.reason = FW_UNKNOWN_DATA, .parameter = FW_NONE};
    const struct fw_launch *launch = bound->launch;
    const double *of_warps = truth ? launch->warps_taken : launch->warps_passed;
    const double *of_blocks = truth ? launch->blocks_taken : launch->blocks_passed;
    const fw_condition condition = bound->kernel->branches[branch].condition;
    double share = bound_lean(bound, false, branch, &why);
    struct probability_at of = {bound, point, part_share(bound, branch, share), 0};
    double taken = probability_at(&of, condition, false);
    struct fw_lean lean = {.threads = truth ? taken : 1 - taken, .blocks = 1};
    lean.warps = lean.threads;
    const bool measured = of_warps && !isnan(of_warps[branch]);
    const bool records =
        !measured && records_of_warps(bound, branch, truth, lean.threads, &lean.warps);
    lean.by_lanes = !measured && !records && is_by_lanes(bound, branch);
    lean.is_default = isnan(launch->taken[branch]) && !bound->kernel->branches[branch].even;
    if (measured)
        lean.warps = measured_share(&of, branch, truth, of_warps[branch]);
    if (of_blocks && !isnan(of_blocks[branch]))
        lean.blocks = measured_share(&of, branch, truth, of_blocks[branch]);
    return lean;
}

double bound_warp_trips(struct fw_bound *bound, uint32_t loop, double trips)
{
    const struct fw_launch *launch = bound->launch;
    if (launch->warp_trips && !isnan(launch->warp_trips[loop]))
        return launch->warp_trips[loop];
    for (uint32_t u = 0; u < bound->unknown_count && isnan(launch->trips[loop]); u++) {
        const struct fw_unknown *unknown = &bound->unknowns[u];
        if (unknown->is_loop && unknown->index == loop && unknown->of_rows)
            return fmax(trips, bound_searched_trips(bound, loop, unknown->by_rows, true));
    }
    return trips;
}

struct fw_lean fw_bound_loop_trips(struct fw_bound *bound, uint32_t loop)
{
    const struct linear_problem why = {.reason = FW_UNKNOWN_DATA, .parameter = FW_NONE};
    const struct fw_launch *launch = bound->launch;
    struct fw_lean lean = {.by_lanes = false};
    if (bound->kernel->loops[loop].is_wait && isnan(launch->trips[loop])) {
        bound_note_wait(bound, loop);
        return (struct fw_lean){.threads = 1, .warps = 1, .blocks = 1};
    }
    lean.threads = lean.warps = bound_lean(bound, true, loop, &why);
    lean.blocks = 1;
    lean.warps = bound_warp_trips(bound, loop, lean.threads);
    return lean;
}
