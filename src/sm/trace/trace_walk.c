/* The trace of one warp: domains give the lanes of each instruction, loops the iterations.
 *
 * The walk goes through the items of a level in program order.  Groups of lanes of a domain are
 * found when they are first needed in an iteration, and kept until the next.  An iteration stands
 * for all that follow until a condition changes: conditions that are affine in the iteration say
 * where; loops with others are gone through, or sampled where they are long. */
#include "trace_internal.h"

#include <math.h>
#include <string.h>

enum {
    FEW = 4,             /* iterations that are always gone through */
    GONE_THROUGH = 1024, /* iterations that are gone through where conditions do not say more */
    SAMPLED = 64,        /* of a longer loop */
    MOST_BREAKS = 256,   /* of a loop by affine conditions */
    MOST_POSITIONS = GONE_THROUGH + MOST_BREAKS + SAMPLED + 2 * FW_WARP_THREADS + 8
};

static const struct trace_groups *groups_of(struct trace_walk *walk, uint32_t domain);
static void walk_items(struct trace_walk *walk, uint32_t level);

/* ---- groups of domains ---- */

static uint32_t level_around(const struct trace_walk *walk, uint32_t loop)
{
    uint32_t parent = walk->kernel->loops[loop].parent;
    return parent == FW_NONE ? walk->kernel->loop_count : parent;
}

static bool is_found(const struct trace_walk *walk, uint32_t domain)
{
    return walk->domains[domain].stamp == walk->stamps[trace_level_of(walk, domain)];
}

/* A domain of the same level that this one is made of and that is not found yet; FW_NONE. */
static uint32_t missing(const struct trace_walk *walk, uint32_t index)
{
    const struct fw_domain *domain = &walk->kernel->domains[index];
    if (domain->kind == FW_DOMAIN_RESTRICT && !is_found(walk, domain->parent))
        return domain->parent;
    for (uint32_t m = 0; domain->kind == FW_DOMAIN_UNION && m < domain->member_count; m++)
        if (!is_found(walk, domain->members[m]))
            return domain->members[m];
    return FW_NONE;
}

static void visit(struct trace_walk *walk, uint32_t loop);

/* The outermost loop that a domain of kind LEAVE leaves. */
static uint32_t outermost_left(const struct trace_walk *walk, uint32_t index)
{
    const struct fw_domain *domain = &walk->kernel->domains[index];
    uint32_t loop = walk->kernel->domains[domain->parent].innermost;
    while (loop != FW_NONE && walk->kernel->loops[loop].parent != domain->innermost)
        loop = walk->kernel->loops[loop].parent;
    return loop;
}

static void find_groups(struct trace_walk *walk, uint32_t index)
{
    const struct fw_domain *domain = &walk->kernel->domains[index];
    struct trace_groups *groups = &walk->domains[index].groups;
    const struct trace_groups *from;
    uint32_t loop;
    switch (domain->kind) {
    case FW_DOMAIN_LEAVE: /* its groups come together while the loop is walked */
        loop = outermost_left(walk, index);
        if (loop != FW_NONE)
            visit(walk, loop);
        break;
    case FW_DOMAIN_ALL:
        groups->count = 0;
        trace_groups_add(
            walk, groups,
            &(struct trace_group){walk->mask, 1, __builtin_popcount(walk->mask), {0, 1}}, true);
        break;
    case FW_DOMAIN_RESTRICT:
        groups->count = 0;
        from = &walk->domains[domain->parent].groups;
        walk->restricting = walk->stamps[trace_level_of(walk, index)];
        for (uint32_t g = 0; g < from->count; g++) {
            struct trace_group part =
                trace_restrict(walk, &from->at[g], domain->branch, domain->truth);
            trace_groups_add(walk, groups, &part, false);
        }
        break;
    case FW_DOMAIN_UNION:
        groups->count = 0;
        for (uint32_t m = 0; m < domain->member_count; m++) {
            from = &walk->domains[domain->members[m]].groups;
            for (uint32_t g = 0; g < from->count; g++)
                trace_groups_add(walk, groups, &from->at[g], domain->meets);
        }
        break;
    case FW_DOMAIN_EMPTY:
    case FW_DOMAIN_LOOP: /* set when its loop is walked */
        groups->count = 0;
        break;
    }
    walk->domains[index].stamp = walk->stamps[trace_level_of(walk, index)];
}

static const struct trace_groups *groups_of(struct trace_walk *walk, uint32_t index)
{
    const size_t base = walk->pending.count;
    *FW_APPEND(walk->arena, &walk->pending) = index;
    while (walk->pending.count > base) {
        uint32_t at = walk->pending.at[walk->pending.count - 1];
        uint32_t first = is_found(walk, at) ? FW_NONE : missing(walk, at);
        if (first != FW_NONE) {
            *FW_APPEND(walk->arena, &walk->pending) = first;
            continue;
        }
        if (!is_found(walk, at))
            find_groups(walk, at);
        walk->pending.count--;
    }
    return &walk->domains[index].groups;
}

/* ---- loops ---- */

/* Sorts positions, of which all but a few are sorted, and drops those that are twice there or
 * beyond the end. */
static uint32_t tidy(double *positions, uint32_t count, double trips)
{
    uint32_t kept = 0;
    for (uint32_t p = 1; p < count; p++) {
        const double position = positions[p];
        uint32_t to = p;
        for (; to > 0 && positions[to - 1] > position; to--)
            positions[to] = positions[to - 1];
        positions[to] = position;
    }
    for (uint32_t p = 0; p < count; p++)
        if (positions[p] < trips && (!kept || positions[p] > positions[kept - 1]))
            positions[kept++] = positions[p];
    return kept;
}

static bool depends_on_iteration(const struct trace_walk *walk, uint32_t loop)
{
    const struct trace_level *level = &walk->order.levels[loop];
    uint64_t bit = trace_loop_bit(loop);
    bool depends = (level->inside.loops & bit) != 0;
    for (uint32_t r = 0; r < level->restrict_count && !depends; r++) {
        uint32_t branch = walk->kernel->domains[level->restricts[r]].branch;
        depends = (walk->order.branches[branch].loops & bit) != 0;
    }
    return depends;
}

/* The iterations at which the body is looked at: each stands for those up to the next. */
static uint32_t find_positions(struct trace_walk *walk, uint32_t loop, uint32_t mask,
                               const double *lane_trips, double trips)
{
    double *positions = walk->visits[loop].positions;
    uint32_t count = 0, breaks;
    positions[count++] = 0;
    for (uint32_t lane = 0; lane < FW_WARP_THREADS; lane++)
        if ((mask >> lane & 1) && lane_trips[lane] > positions[count - 1])
            positions[count++] = lane_trips[lane];
        else if ((mask >> lane & 1) && lane_trips[lane] < positions[count - 1])
            positions[count++] = lane_trips[lane];
    count = tidy(positions, count, trips);
    if (!depends_on_iteration(walk, loop) || walk->spent)
        return count;
    breaks = count;
    if (trips > FEW &&
        trace_breaks(walk, loop, mask, trips, positions, count + MOST_BREAKS, &breaks))
        return tidy(positions, breaks, trips);
    if (trips <= GONE_THROUGH) {
        double ends[FW_WARP_THREADS + 1];
        const uint32_t few = count; /* they come last: the others are sorted */
        memcpy(ends, positions, few * sizeof(*ends));
        count = 0;
        for (double i = 1; i < trips; i++)
            positions[count++] = i;
        memcpy(positions + count, ends, few * sizeof(*ends));
        count += few;
        return tidy(positions, count, trips);
    }
    if (!walk->sampled)
        walk->sampled_loop = loop;
    walk->sampled = walk->visits[loop].sampled = true;
    for (uint32_t p = 0, ends = count; p < ends; p++) /* the last iteration of a lane is its own */
        positions[count++] = fmax(0, ceil(p + 1 < ends ? positions[p + 1] : trips) - 1);
    for (uint32_t s = 1; s < SAMPLED; s++)
        positions[count++] = floor(trips * s / SAMPLED);
    return tidy(positions, count, trips);
}

/* Sets the groups of the loop's domain for an iteration. */
static void set_iteration(struct trace_walk *walk, uint32_t loop, const struct trace_groups *entry,
                          const double *lane_trips, double position, double share_of_threads)
{
    const struct trace_level *level = &walk->order.levels[loop];
    struct trace_domain *domain = &walk->domains[level->domain];
    uint32_t in = 0;
    for (uint32_t lane = 0; lane < FW_WARP_THREADS; lane++)
        in |= (uint32_t)(lane_trips[lane] > position) << lane;
    walk->iterations[loop] = (int64_t)position;
    walk->stamps[loop] = ++walk->stamp;
    domain->stamp = walk->stamp;
    domain->groups.count = 0;
    for (uint32_t g = 0; g < entry->count; g++) {
        struct trace_group part = trace_part(&entry->at[g], in);
        part.share = fmin(1, part.share / walk->visits[loop].entry);
        part.lanes *= share_of_threads;
        trace_groups_add(walk, &domain->groups, &part, false);
    }
}

/* Adds the lanes that leave in the iterations in progress to the domains behind the loop. */
static void leave(struct trace_walk *walk, uint32_t loop)
{
    const struct trace_level *level = &walk->order.levels[loop];
    for (uint32_t k = 0; k < level->leave_count; k++) {
        const struct fw_domain *domain = &walk->kernel->domains[level->leaves[k]];
        double weight = 1;
        if (walk->kernel->domains[domain->parent].innermost != loop)
            continue; /* they leave an inner loop as well, and have left it there */
        for (uint32_t l = loop; l != domain->innermost && l != FW_NONE;
             l = walk->kernel->loops[l].parent)
            weight *= walk->visits[l].entry * walk->visits[l].trips;
        const struct trace_groups *groups = groups_of(walk, domain->parent);
        for (uint32_t g = 0; g < groups->count; g++) {
            struct trace_group part = groups->at[g];
            part.share = fmin(1, part.share * weight);
            trace_groups_add(walk, &walk->domains[level->leaves[k]].groups, &part, domain->meets);
        }
    }
}

static double sum_of_lanes(const struct trace_groups *groups)
{
    double sum = 0;
    for (uint32_t g = 0; g < groups->count; g++)
        sum += groups->at[g].lanes * groups->at[g].share;
    return sum;
}

static struct fw_block_part blocks_of(const struct trace_groups *groups)
{
    struct fw_block_part blocks = groups->at[0].blocks;
    for (uint32_t g = 1; g < groups->count; g++) {
        blocks.from = fmin(blocks.from, groups->at[g].blocks.from);
        blocks.to = fmax(blocks.to, groups->at[g].blocks.to);
    }
    return blocks;
}

static double share_of(const struct trace_groups *groups)
{
    double share = 0;
    uint32_t mask = 0;
    for (uint32_t g = 0; g < groups->count; g++) {
        bool again = (mask & groups->at[g].mask) != 0;
        share = again ? fmin(1, share + groups->at[g].share) : fmax(share, groups->at[g].share);
        mask |= groups->at[g].mask;
    }
    return share;
}

static void go_round(struct trace_walk *walk, uint32_t loop, const struct trace_groups *entry)
{
    struct trace_visit *here = &walk->visits[loop];
    double lane_trips[FW_WARP_THREADS] = {0}, trips = 0, share_of_threads;
    uint32_t mask = 0;
    for (uint32_t g = 0; g < entry->count; g++)
        mask |= entry->at[g].mask;
    trace_lane_trips(walk, loop, mask, lane_trips, &share_of_threads);
    for (uint32_t lane = 0; lane < FW_WARP_THREADS; lane++)
        trips = fmax(trips, lane_trips[lane]);
    if (!here->positions)
        here->positions = FW_ARRAY(walk->arena, double, MOST_POSITIONS);
    here->sampled = false;
    uint32_t count = find_positions(walk, loop, mask, lane_trips, trips);
    here->parts.parts.count = 0;
    for (uint32_t p = 0; p < count && !walk->spent; p++) {
        double from = here->positions[p], to = p + 1 < count ? here->positions[p + 1] : trips;
        here->trips = to - from;
        /* Of sampled iterations the middle one stands for all. */
        double at = here->sampled ? floor(from + fmax(0, here->trips - 1) / 2) : from;
        set_iteration(walk, loop, entry, lane_trips, at, share_of_threads);
        walk_items(walk, loop);
        leave(walk, loop);
        trace_parts_add(
            &here->parts, &walk->pool,
            trace_intern(&walk->pool, here->body.nodes.at, (uint32_t)here->body.nodes.count),
            here->trips);
    }
    walk->iterations[loop] = 0;
}

/* Walks a loop in the current iteration of what is around it, once. */
static void visit(struct trace_walk *walk, uint32_t loop)
{
    struct trace_visit *here = &walk->visits[loop];
    const struct trace_level *level = &walk->order.levels[loop];
    uint64_t around = walk->stamps[level_around(walk, loop)];
    if (here->stamp == around)
        return;
    here->stamp = around;
    here->nodes.nodes.count = 0;
    for (uint32_t k = 0; k < level->leave_count; k++)
        if (outermost_left(walk, level->leaves[k]) == loop) {
            walk->domains[level->leaves[k]].groups.count = 0;
            walk->domains[level->leaves[k]].stamp = around;
        }
    if (level->domain == FW_NONE)
        return;
    const struct trace_groups *entry = groups_of(walk, walk->kernel->domains[level->domain].parent);
    here->entry = share_of(entry);
    if (!entry->count || !(here->entry > 0))
        return;
    go_round(walk, loop, entry);
    trace_parts_finish(&here->parts, &walk->pool, loop, here->entry,
                       sum_of_lanes(entry) / here->entry, blocks_of(entry), &here->nodes);
}

/* ---- items ---- */

static void add_run(struct trace_walk *walk, struct trace_list *to, uint32_t place, uint32_t count,
                    const struct trace_group *group, bool alone)
{
    struct fw_trace_node *last = to->nodes.count ? &to->nodes.at[to->nodes.count - 1] : NULL;
    if (last && alone && !last->is_loop && last->first + last->count == place &&
        !(last->share < group->share) && !(last->share > group->share) &&
        !(last->lanes < group->lanes) && !(last->lanes > group->lanes) &&
        !(last->blocks.from < group->blocks.from) && !(last->blocks.from > group->blocks.from) &&
        !(last->blocks.to < group->blocks.to) && !(last->blocks.to > group->blocks.to)) {
        last->count += count;
        return;
    }
    *FW_APPEND(walk->arena, &to->nodes) = (struct fw_trace_node){.first = place,
                                                                 .count = count,
                                                                 .share = group->share,
                                                                 .lanes = group->lanes,
                                                                 .blocks = group->blocks,
                                                                 .loop = FW_NONE};
}

static void walk_items(struct trace_walk *walk, uint32_t level_index)
{
    const struct trace_level *level = &walk->order.levels[level_index];
    const struct trace_item *items = walk->order.items + level->first;
    struct trace_list *to = &walk->visits[level_index].body;
    to->nodes.count = 0;
    for (uint32_t i = 0; i < level->count && !walk->spent; i += items[i].run) {
        if (items[i].loop != FW_NONE) {
            visit(walk, items[i].loop);
            const struct trace_list *made = &walk->visits[items[i].loop].nodes;
            for (size_t n = 0; n < made->nodes.count; n++)
                *FW_APPEND(walk->arena, &to->nodes) = made->nodes.at[n];
            continue;
        }
        const struct trace_groups *groups =
            groups_of(walk, walk->kernel->schedule[items[i].at].domain);
        for (uint32_t g = 0; g < groups->count; g++)
            add_run(walk, to, items[i].place, items[i].run, &groups->at[g], groups->count == 1);
    }
}

/* ---- warps ---- */

void trace_walk_open(struct trace_walk *walk, struct fw_arena *arena,
                     const struct fw_kernel *kernel, struct fw_bound *bound,
                     const struct fw_launch *launch)
{
    *walk = (struct trace_walk){.arena = arena,
                                .kernel = kernel,
                                .bound = bound,
                                .launch = launch,
                                .pool = {.arena = arena},
                                .sampled_loop = FW_NONE};
    trace_order_find(&walk->order, arena, kernel, bound);
    walk->iterations = FW_ARRAY(arena, int64_t, kernel->loop_count + 1);
    walk->stamps = FW_ARRAY(arena, uint64_t, kernel->loop_count + 1);
    walk->visits = FW_ARRAY(arena, struct trace_visit, kernel->loop_count + 1);
    walk->domains = FW_ARRAY(arena, struct trace_domain, kernel->domain_count + 1);
    walk->shapes = FW_ARRAY(arena, uint8_t, kernel->pool.expressions.count + 1);
    walk->offsets = FW_ARRAY(arena, struct trace_offsets *, kernel->pool.expressions.count + 1);
    uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    walk->warps = (uint32_t)((threads + FW_WARP_THREADS - 1) / FW_WARP_THREADS);
}

void trace_walk_allow(struct trace_walk *walk, uint64_t most, const struct fw_sink *sink)
{
    walk->most = most;
    walk->sink = sink;
    walk->evaluations = 0;
    walk->sampled = false;
    walk->sampled_loop = FW_NONE;
}

const struct fw_trace *trace_walk_warp(struct trace_walk *walk, const uint32_t block[3],
                                       uint32_t warp)
{
    const uint32_t *size = walk->launch->block;
    const uint32_t top = walk->kernel->loop_count;
    uint64_t threads = (uint64_t)size[0] * size[1] * size[2];
    memcpy(walk->block, block, sizeof(walk->block));
    walk->warp = warp;
    walk->mask = 0;
    walk->signature = 0;
    for (uint32_t lane = 0; lane < FW_WARP_THREADS; lane++) {
        uint64_t linear = (uint64_t)warp * FW_WARP_THREADS + lane;
        if (linear >= threads)
            break;
        walk->mask |= (uint32_t)1 << lane;
        walk->threads[lane][0] = (uint32_t)(linear % size[0]);
        walk->threads[lane][1] = (uint32_t)(linear / size[0] % size[1]);
        walk->threads[lane][2] = (uint32_t)(linear / size[0] / size[1]);
    }
    trace_corners_find(walk);
    walk->stamps[top] = ++walk->stamp;
    walk_items(walk, top);
    const struct trace_list *list = &walk->visits[top].body;
    return trace_intern(&walk->pool, list->nodes.at, (uint32_t)list->nodes.count);
}
