/* The lanes of a warp: which a branch lets go where, and how often they go round a loop. */
#include "deadline.h"
#include "trace_internal.h"

#include <math.h>
#include <string.h>

enum {
    GONE_THROUGH = 4096, /* iterations that are asked one by one for the end of a loop */
    MOST_INSIDE = 64,    /* iterations of loops inside of one whose branches are looked at */
    CHECKED = 1 << 12    /* evaluations between looks at the clock: a power of two */
};

/* No loop runs longer. */
static const int64_t longest = (int64_t)1 << 50;

static struct fw_point point_of(const struct trace_walk *walk, uint32_t lane)
{
    struct fw_point point = {.iterations = walk->iterations};
    memcpy(point.block, walk->block, sizeof(point.block));
    memcpy(point.thread, walk->threads[lane], sizeof(point.thread));
    return point;
}

bool trace_spend(struct trace_walk *walk, uint32_t loop)
{
    if (walk->evaluations >= walk->most) {
        if (!walk->spent)
            walk->spent_loop = loop;
        walk->spent = true;
        return false;
    }
    if ((++walk->evaluations & (CHECKED - 1)) == 0)
        fw_deadline_check(walk->arena);
    return true;
}

static uint32_t first_lane(uint32_t mask)
{
    return (uint32_t)__builtin_ctz(mask);
}

static double count_lanes(uint32_t mask)
{
    return (double)__builtin_popcount(mask);
}

/* ---- groups ---- */

/* Either the same lanes, at different times, or different lanes at one time. */
static double joint_share(const struct trace_group *a, const struct trace_group *b)
{
    if (a->mask & b->mask)
        return fmin(1, a->share + b->share);
    return fmax(a->share, b->share);
}

void trace_groups_add(struct trace_walk *walk, struct trace_groups *groups,
                      const struct trace_group *group, bool joins)
{
    uint32_t into = 0;
    if (!group->mask)
        return;
    while (into < groups->count && !joins && groups->at[into].mask != group->mask)
        into++;
    if (into < groups->count || groups->count == MOST_GROUPS) {
        struct trace_group *to = &groups->at[into < groups->count ? into : MOST_GROUPS - 1];
        double share = joint_share(to, group);
        double lanes = to->lanes * to->share + group->lanes * group->share;
        to->mask |= group->mask;
        to->blocks.from = fmin(to->blocks.from, group->blocks.from);
        to->blocks.to = fmax(to->blocks.to, group->blocks.to);
        to->lanes = fmin(share > 0 ? lanes / share : 0, count_lanes(to->mask));
        to->share = share;
        return;
    }
    if (groups->count == groups->capacity) {
        uint32_t capacity = groups->capacity ? 2 * groups->capacity : 1;
        struct trace_group *at = FW_ARRAY(walk->arena, struct trace_group, capacity);
        if (groups->count)
            memcpy(at, groups->at, groups->count * sizeof(*at));
        groups->at = at;
        groups->capacity = capacity;
    }
    groups->at[groups->count++] = *group;
}

struct trace_group trace_part(const struct trace_group *group, uint32_t mask)
{
    struct trace_group part = *group;
    part.mask &= mask;
    if (part.mask != group->mask)
        part.lanes = group->lanes * count_lanes(part.mask) / count_lanes(group->mask);
    return part;
}

/* Those that take a branch are the first, those that do not the last of the blocks there. */
static void keep_blocks(struct fw_block_part *part, double share, bool first)
{
    const double kept = share * (part->to - part->from);
    if (first)
        part->to = part->from + kept;
    else
        part->from = part->to - kept;
}

static bool is_compound(const struct fw_pool *pool, fw_condition condition)
{
    while (pool->conditions.at[condition].kind == FW_CONDITION_NOT)
        condition = pool->conditions.at[condition].a;
    return pool->conditions.at[condition].kind == FW_CONDITION_AND ||
           pool->conditions.at[condition].kind == FW_CONDITION_OR;
}

struct trace_group trace_restrict(struct trace_walk *walk, const struct trace_group *group,
                                  uint32_t branch, bool truth)
{
    const fw_condition condition = walk->kernel->branches[branch].condition;
    const uint32_t loop = walk->kernel->branches[branch].loop;
    if (walk->order.decided[branch])
        return trace_part(group, walk->order.decided[branch] >> truth & 1 ? 0 : group->mask);
    const bool parts = walk->order.branches[branch].blocks && walk->order.convex &&
                       is_compound(&walk->kernel->pool, condition);
    const struct trace_outcome outcome = trace_condition(walk, condition, group->mask, loop, parts);
    const uint32_t open = group->mask & ~outcome.known;
    const uint32_t sure = outcome.known & (truth ? outcome.holds : ~outcome.holds);
    struct trace_group part = trace_part(group, sure | open);
    if (!open)
        return part;
    struct fw_point point = point_of(walk, first_lane(open));
    struct fw_lean lean = fw_bound_branch_share(walk->bound, branch, truth, &point);
    double fill = group->lanes / count_lanes(group->mask);
    double threads = fmin(1, fmax(0, lean.threads)), warps = fmin(1, fmax(threads, lean.warps));
    if (lean.by_lanes && !lean.is_default)
        warps = fmax(threads, fw_some_lane((struct fw_lane_share){threads, false},
                                           fill * count_lanes(open)));
    if (sure) {
        part.lanes = fill * (count_lanes(sure) + threads * count_lanes(open));
    } else {
        part.share *= warps;
        keep_blocks(&part.blocks, fmin(1, fmax(warps, lean.blocks)), truth);
        part.lanes = warps > 0 ? fill * count_lanes(open) * threads / warps : 0;
        if (!(part.share > 0))
            part.mask = 0;
    }
    return part;
}

/* ---- loops ---- */

/* Whether a lane is still in the loop at an iteration; where data decide it, it may be. */
static bool stays_at(struct trace_walk *walk, uint32_t loop, uint32_t lane, int64_t iteration,
                     bool *known)
{
    struct fw_point point = point_of(walk, lane);
    if (!trace_spend(walk, loop)) {
        *known = true;
        return false;
    }
    walk->iterations[loop] = iteration;
    bool stays = fw_bound_holds(walk->bound, walk->kernel->loops[loop].stays, &point, known);
    walk->iterations[loop] = 0;
    return stays || !*known;
}

/* The first iteration at which the lane is out.  `*leans`: data may end it before; 0: nothing that
 * is known ends it.  Conditions decrease (kernel.h), so that far ends are found by halving. */
static int64_t end_of(struct trace_walk *walk, uint32_t loop, uint32_t lane, bool *leans)
{
    bool known;
    int64_t in = 0, out = 1;
    *leans = false;
    for (; out < GONE_THROUGH; out++) {
        bool stays = stays_at(walk, loop, lane, out, &known);
        *leans |= !known;
        if (!stays)
            return out;
        if (*leans && out >= 64)
            break; /* the bound, if there is one, is a row */
    }
    for (in = out; stays_at(walk, loop, lane, out, &known); in = out, out *= 2) {
        *leans |= !known;
        if (out >= longest)
            return 0;
    }
    while (out - in > 1) {
        int64_t middle = in + (out - in) / 2;
        *(stays_at(walk, loop, lane, middle, &known) ? &in : &out) = middle;
    }
    return out;
}

static double trips_of_lane(struct trace_walk *walk, uint32_t loop, uint32_t lane,
                            double *share_of_threads)
{
    const struct fw_loop *info = &walk->kernel->loops[loop];
    const bool stated = info->data_dependent && !isnan(walk->launch->trips[loop]);
    struct fw_point point = point_of(walk, lane);
    int64_t trips;
    bool leans = false;
    if (!stated && !info->is_wait) {
        if (info->trips != FW_NO_EXPRESSION && trace_spend(walk, loop) &&
            fw_bound_evaluate(walk->bound, info->trips, &point, &trips))
            return trips < 1 ? 1 : (double)trips;
        trips = fw_bound_is_never_known(walk->bound, info->stays)
                    ? 0
                    : end_of(walk, loop, lane, &leans);
        if (trips && leans && (info->polls || info->looks_up)) /* its bound says nothing */
            return fmin((double)trips, fw_bound_loop_trips(walk->bound, loop).warps);
        if (trips && leans)
            return fw_bound_ended(walk->kernel, loop, (double)trips);
        if (trips)
            return (double)trips;
    }
    struct fw_lean lean = fw_bound_loop_trips(walk->bound, loop);
    double warps = fmax(lean.warps, lean.threads);
    if (warps > 0)
        *share_of_threads = fmin(1, lean.threads / warps);
    return fmin(fmax(warps, 0), (double)longest);
}

void trace_lane_trips(struct trace_walk *walk, uint32_t loop, uint32_t mask, double *trips,
                      double *share_of_threads)
{
    const struct fw_loop *info = &walk->kernel->loops[loop];
    bool uniform = !walk->order.levels[loop].trips.threads || info->is_wait ||
                   (info->data_dependent && !isnan(walk->launch->trips[loop]));
    *share_of_threads = 1;
    int64_t values[FW_WARP_THREADS];
    if (!uniform && info->trips != FW_NO_EXPRESSION &&
        trace_values(walk, info->trips, mask, loop, values)) {
        for (uint32_t left = mask; left; left &= left - 1) {
            uint32_t lane = first_lane(left);
            trips[lane] = values[lane] < 1 ? 1 : (double)values[lane];
        }
        return;
    }
    if (!uniform && info->trips != FW_NO_EXPRESSION && count_lanes(mask) > walk->corner_count)
        uniform = trace_is_one_value(walk, info->trips, loop);
    for (uint32_t left = mask; left && !walk->spent; left &= left - 1) {
        uint32_t lane = first_lane(left);
        trips[lane] = uniform && left != mask ? trips[first_lane(mask)]
                                              : trips_of_lane(walk, loop, lane, share_of_threads);
    }
}

/* ---- where branches change ---- */

struct breaking {
    struct trace_walk *walk;
    uint32_t loop, mask;
    double trips;
    double *breaks;
    uint32_t most, count;
};

static bool add_break(struct breaking *to, double at)
{
    if (!(at > 0 && at < to->trips))
        return true;
    for (uint32_t b = 0; b < to->count; b++)
        if (!(to->breaks[b] < at) && !(to->breaks[b] > at))
            return true;
    if (to->count == to->most)
        return false;
    to->breaks[to->count++] = at;
    return true;
}

__extension__ typedef __int128 wide;

/* Values of an expression in the lanes, at the first two iterations of a loop. */
struct beginnings {
    int64_t at[2][FW_WARP_THREADS];
    uint32_t known; /* lanes; of others data decide them */
};

/* Evaluates it in each lane, unless one tells the values of all. */
static void find_beginnings(struct breaking *to, fw_expression a, struct beginnings *found)
{
    struct trace_walk *walk = to->walk;
    found->known = to->mask;
    for (int i = 0; i < 2; i++) {
        walk->iterations[to->loop] = i;
        if (trace_values(walk, a, to->mask, to->loop, found->at[i]))
            continue;
        for (uint32_t left = found->known; left; left &= left - 1) {
            uint32_t lane = first_lane(left);
            struct fw_point point = point_of(walk, lane);
            if (!trace_spend(walk, to->loop) ||
                !fw_bound_evaluate(walk->bound, a, &point, &found->at[i][lane]))
                found->known &= ~((uint32_t)1 << lane);
        }
    }
    walk->iterations[to->loop] = 0;
}

/* Where a number with these two first values changes its sign, or (`zero`) is 0. */
static bool add_root(struct breaking *to, const wide at[2], bool zero)
{
    wide slope = at[1] - at[0], value = at[0];
    if (slope == 0)
        return true;
    /* The first iteration i with value + slope * i >= 0 (rising) or < 0 (falling). */
    wide size = slope > 0 ? slope : -slope, from = slope > 0 ? -value : value + 1;
    if (from > size * (wide)to->trips)
        return true; /* beyond the last iteration */
    wide quotient = from > 0 ? (from + size - 1) / size : 0;
    bool added = add_break(to, (double)quotient);
    if (zero && slope < 0) { /* 0 is before the first below it */
        quotient = value > 0 ? (value + size - 1) / size : 0;
        added = added && add_break(to, (double)quotient);
    }
    return added && (!zero || add_break(to, (double)quotient + 1));
}

/* Whether lanes begin alike. */
static bool same_beginnings(const struct beginnings *of, uint32_t lane, uint32_t other)
{
    return of->at[0][lane] == of->at[0][other] && of->at[1][lane] == of->at[1][other];
}

static bool add_roots(struct breaking *to, const struct fw_condition_node *node)
{
    const struct fw_kernel *kernel = to->walk->kernel;
    const bool two = node->kind == FW_CONDITION_UNSIGNED_LESS;
    struct beginnings x, y;
    if (!trace_is_affine(kernel, node->a, to->loop) ||
        (two && !trace_is_affine(kernel, node->b, to->loop)))
        return false;
    find_beginnings(to, node->a, &x);
    if (two)
        find_beginnings(to, node->b, &y);
    bool added = true;
    uint32_t before = FW_NONE; /* the lane before */
    for (uint32_t left = x.known & (two ? y.known : x.known); left && added; left &= left - 1) {
        const uint32_t lane = first_lane(left);
        const bool again = before != FW_NONE && same_beginnings(&x, lane, before) &&
                           (!two || same_beginnings(&y, lane, before));
        before = lane;
        if (again)
            continue;
        const wide a[2] = {x.at[0][lane], x.at[1][lane]};
        if (!two) {
            added = add_root(to, a, node->kind == FW_CONDITION_ZERO);
            continue;
        }
        const wide b[2] = {y.at[0][lane], y.at[1][lane]}, apart[2] = {a[0] - b[0], a[1] - b[1]};
        added = add_root(to, a, false) && add_root(to, b, false) && add_root(to, apart, false);
    }
    return added;
}

static bool add_breaks(struct breaking *to, fw_condition condition)
{
    const struct fw_condition_node *node = &to->walk->kernel->pool.conditions.at[condition];
    switch ((enum fw_condition_kind)node->kind) {
    case FW_CONDITION_AND:
    case FW_CONDITION_OR:
        return add_breaks(to, node->a) && add_breaks(to, node->b);
    case FW_CONDITION_NOT:
        return add_breaks(to, node->a);
    case FW_CONDITION_POSITIVE:
    case FW_CONDITION_ZERO:
    case FW_CONDITION_UNSIGNED_LESS:
        return add_roots(to, node);
    default:
        return true;
    }
}

/* Those of the branches directly in a loop, where the iterations of others are what they are. */
static bool add_level(struct breaking *to, uint32_t inner)
{
    struct trace_walk *walk = to->walk;
    const struct trace_level *level = &walk->order.levels[inner];
    const uint32_t mask = to->mask;
    bool told = true;
    for (uint32_t r = 0; r < level->restrict_count && told; r++) {
        uint32_t branch = walk->kernel->domains[level->restricts[r]].branch;
        const struct mentions *mentions = &walk->order.branches[branch];
        if (!(mentions->loops & trace_loop_bit(to->loop)))
            continue;
        to->mask = mentions->threads ? mask : mask & (~mask + 1); /* one lane is as all */
        told = add_breaks(to, walk->kernel->branches[branch].condition);
    }
    to->mask = mask;
    return told;
}

static bool is_around(const struct fw_kernel *kernel, uint32_t loop, uint32_t inner)
{
    while (inner != FW_NONE && inner != loop)
        inner = kernel->loops[inner].parent;
    return inner == loop;
}

/* Whether a branch directly in a loop depends on the iteration of the one whose breaks are found.
 */
static bool has_branch(const struct breaking *to, uint32_t inner)
{
    const struct trace_order *order = &to->walk->order;
    const struct trace_level *level = &order->levels[inner];
    for (uint32_t r = 0; r < level->restrict_count; r++) {
        uint32_t branch = order->kernel->domains[level->restricts[r]].branch;
        if (order->branches[branch].loops & trace_loop_bit(to->loop))
            return true;
    }
    return false;
}

/* Whether the trips of a loop inside are those in all iterations of the loops around it, up to the
 * one whose breaks are found. */
static bool has_own_trips(const struct breaking *to, uint32_t inner)
{
    const struct trace_walk *walk = to->walk;
    const struct fw_loop *info = &walk->kernel->loops[inner];
    if (info->trips == FW_NO_EXPRESSION || info->data_dependent || info->is_wait)
        return false;
    for (uint32_t l = inner; l != to->loop; l = walk->kernel->loops[l].parent)
        if (l >= 63 || (walk->order.levels[inner].trips.loops & trace_loop_bit(l)))
            return false;
    return true;
}

/* Whether loops inside can be gone through for the branches in them. */
static bool may_tell_inside(const struct breaking *to)
{
    const struct trace_order *order = &to->walk->order;
    for (uint32_t l = 0; l < order->kernel->loop_count; l++) {
        if (l == to->loop || !is_around(order->kernel, to->loop, l))
            continue;
        if (order->levels[l].trips.loops & trace_loop_bit(to->loop))
            return false;
        for (uint32_t at = l; has_branch(to, l) && at != to->loop;
             at = order->kernel->loops[at].parent)
            if (!has_own_trips(to, at))
                return false;
    }
    return true;
}

/* The trips of such a loop, the most of the lanes; 0: they are not known, or too many. */
static uint32_t inner_trips(struct breaking *to, uint32_t inner)
{
    struct beginnings trips;
    int64_t most = 1;
    find_beginnings(to, to->walk->kernel->loops[inner].trips, &trips);
    for (uint32_t left = to->mask; left; left &= left - 1) {
        const uint32_t lane = first_lane(left);
        most = trips.at[0][lane] > most ? trips.at[0][lane] : most;
    }
    return trips.known == to->mask && most <= MOST_INSIDE ? (uint32_t)most : 0;
}

/* Those of the branches in a loop inside, at each of its iterations and of the loops between. */
static bool add_inner(struct breaking *to, uint32_t inner)
{
    struct trace_walk *walk = to->walk;
    uint32_t all = 1;
    bool told = true;
    for (uint32_t l = inner; l != to->loop && all; l = walk->kernel->loops[l].parent) {
        const uint32_t trips = inner_trips(to, l);
        all = trips * all <= MOST_INSIDE ? trips * all : 0;
    }
    for (uint32_t i = 0; i < all && told; i++) {
        uint32_t left = i;
        for (uint32_t l = inner; l != to->loop; l = walk->kernel->loops[l].parent) {
            const uint32_t trips = inner_trips(to, l);
            walk->iterations[l] = left % trips;
            left /= trips;
        }
        told = add_level(to, inner);
        for (uint32_t l = inner; l != to->loop; l = walk->kernel->loops[l].parent)
            walk->iterations[l] = 0;
    }
    return told && all;
}

bool trace_breaks(struct trace_walk *walk, uint32_t loop, uint32_t mask, double trips,
                  double *breaks, uint32_t most, uint32_t *count)
{
    const struct fw_kernel *kernel = walk->kernel;
    const struct trace_order *order = &walk->order;
    const bool inside = (order->levels[loop].inside.loops & trace_loop_bit(loop)) != 0;
    struct breaking to = {walk, loop, mask, trips, breaks, most, *count};
    bool told = loop < 63 && (!inside || may_tell_inside(&to)) && add_level(&to, loop);
    for (uint32_t l = 0; l < kernel->loop_count && told && inside; l++)
        if (l != loop && is_around(kernel, loop, l) && has_branch(&to, l))
            told = add_inner(&to, l);
    *count = to.count;
    return told && !walk->spent;
}
