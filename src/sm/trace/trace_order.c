/* The order of a trace: instructions and loops, level by level, and what conditions depend on. */
#include "scalar.h"
#include "trace_internal.h"

#include <stdlib.h>
#include <string.h>

uint64_t trace_loop_bit(uint32_t loop)
{
    return (uint64_t)1 << (loop < 63 ? loop : 63);
}

/* ---- what is mentioned ---- */

struct collecting {
    const struct fw_kernel *kernel;
    struct mentions *found;
    uint64_t inside; /* loops whose trips are being looked at */
};

static void add_condition(struct collecting *to, fw_condition condition);
static void add_expression(struct collecting *to, fw_expression a);

static void add_trips(struct collecting *to, uint32_t loop)
{
    const struct fw_loop *info = &to->kernel->loops[loop];
    struct mentions within = {0};
    struct collecting inner = {to->kernel, &within, to->inside | trace_loop_bit(loop)};
    if (to->inside & trace_loop_bit(loop))
        return;
    if (info->trips != FW_NO_EXPRESSION)
        add_expression(&inner, info->trips);
    else
        add_condition(&inner, info->stays);
    if (loop < 63)
        within.loops &= ~trace_loop_bit(loop);
    to->found->loops |= within.loops;
    to->found->blocks |= within.blocks;
    to->found->threads |= within.threads;
    to->found->addresses |= within.addresses;
}

static bool collect(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    struct collecting *to = user;
    (void)atom;
    if (node->kind == FW_ATOM_ITERATION)
        to->found->loops |= trace_loop_bit(node->a);
    else if (node->kind == FW_ATOM_TRIPS)
        add_trips(to, node->a);
    else if (node->kind == FW_ATOM_ARRAY)
        to->found->addresses = true;
    else if (node->kind == FW_ATOM_PARAMETER)
        to->found->addresses |= to->kernel->parameters[node->a].is_pointer;
    else if (node->kind == FW_ATOM_LAUNCH && node->a <= FW_BLOCK_Z)
        to->found->blocks |= (uint8_t)(1u << node->a);
    else if (node->kind == FW_ATOM_LAUNCH)
        to->found->threads |= (node->a >= FW_THREAD_X && node->a <= FW_THREAD_Z) ||
                              node->a == FW_LANE || node->a == FW_WARP;
    return false;
}

static void add_condition(struct collecting *to, fw_condition condition)
{
    fw_condition_any(&to->kernel->pool, condition, collect, to);
}

static void add_expression(struct collecting *to, fw_expression a)
{
    fw_expression_any(&to->kernel->pool, a, collect, to);
}

static struct mentions mentions_of(const struct fw_kernel *kernel, fw_condition condition)
{
    struct mentions found = {0};
    struct collecting to = {kernel, &found, 0};
    add_condition(&to, condition);
    return found;
}

static struct mentions mentions_of_trips(const struct fw_kernel *kernel, uint32_t loop)
{
    struct mentions found = {0};
    struct collecting to = {kernel, &found, 0};
    add_trips(&to, loop);
    return found;
}

bool trace_atom_mentions(const struct fw_kernel *kernel, const struct fw_atom_node *node,
                         struct mentions *found)
{
    struct collecting to = {kernel, found, 0};
    struct fw_scalar scalar;
    fw_expression operands[3];
    switch ((enum fw_atom_kind)node->kind) {
    case FW_ATOM_PARAMETER:
    case FW_ATOM_LAUNCH:
    case FW_ATOM_ITERATION:
    case FW_ATOM_ARRAY:
    case FW_ATOM_CARRIED:
    case FW_ATOM_UNKNOWN:
    case FW_ATOM_TRIPS:
        collect(&to, 0, node);
        break;
    case FW_ATOM_SCALAR:
        if (!fw_scalar_of(&kernel->pool, node, &scalar, operands))
            return false;
        for (uint32_t o = 0; o < fw_scalar_operands(&scalar); o++)
            add_expression(&to, operands[o]);
        break;
    case FW_ATOM_AT:
        return false;
    default:
        if (node->kind == FW_ATOM_SELECT)
            add_condition(&to, node->c);
        add_expression(&to, node->a);
        if (node->kind != FW_ATOM_POWER2)
            add_expression(&to, node->b);
    }
    return true;
}

/* Whether an atom that is made of others depends on a loop's iteration. */
static bool atom_mentions(const struct fw_kernel *kernel, const struct fw_atom_node *node,
                          uint32_t loop)
{
    struct mentions found = {0};
    return !trace_atom_mentions(kernel, node, &found) || (found.loops & trace_loop_bit(loop)) != 0;
}

bool trace_is_affine(const struct fw_kernel *kernel, fw_expression a, uint32_t loop)
{
    const struct fw_expression_node *node = &kernel->pool.expressions.at[a];
    for (uint32_t t = 0; t < node->term_count; t++) {
        uint32_t times = 0;
        for (uint32_t i = 0; i < node->terms[t].atom_count; i++) {
            const struct fw_atom_node *atom = &kernel->pool.atoms.at[node->terms[t].atoms[i]];
            if (atom->kind == FW_ATOM_ITERATION && atom->a == loop)
                times++;
            else if (atom_mentions(kernel, atom, loop))
                return false;
        }
        if (times > 1)
            return false;
    }
    return true;
}

/* Whether an expression is affine in each block index, and their products do not occur. */
static bool affine_in_blocks(const struct fw_kernel *kernel, fw_expression a)
{
    const struct fw_expression_node *node = &kernel->pool.expressions.at[a];
    for (uint32_t t = 0; t < node->term_count; t++) {
        uint32_t times = 0;
        for (uint32_t i = 0; i < node->terms[t].atom_count; i++) {
            const struct fw_atom_node *atom = &kernel->pool.atoms.at[node->terms[t].atoms[i]];
            if (atom->kind == FW_ATOM_LAUNCH)
                times += atom->a <= FW_BLOCK_Z;
            else if (atom->kind != FW_ATOM_PARAMETER && atom->kind != FW_ATOM_ITERATION &&
                     atom->kind != FW_ATOM_ARRAY)
                return false;
        }
        if (times > 1)
            return false;
    }
    return true;
}

/* Whether a condition's parts that depend on blocks are half-spaces of them: what is so at the
 * corners of a box is so in it. */
static bool convex_in_blocks(const struct fw_kernel *kernel, fw_condition condition)
{
    const struct fw_condition_node *node = &kernel->pool.conditions.at[condition];
    if (!mentions_of(kernel, condition).blocks)
        return true;
    switch ((enum fw_condition_kind)node->kind) {
    case FW_CONDITION_AND:
    case FW_CONDITION_OR:
        return convex_in_blocks(kernel, node->a) && convex_in_blocks(kernel, node->b);
    case FW_CONDITION_NOT:
        return convex_in_blocks(kernel, node->a);
    case FW_CONDITION_POSITIVE:
        return affine_in_blocks(kernel, node->a);
    default:
        return false;
    }
}

/* ---- items ---- */

static int compare_items(const void *a, const void *b)
{
    const struct trace_item *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    /* A loop stands at its header's first instruction, which is in it: no two are equal but for
     * loops of one header, of which the outer one is not in the level of the inner. */
    return x->loop < y->loop ? -1 : x->loop > y->loop;
}

static bool has_place(const struct fw_kernel *kernel, uint32_t instruction)
{
    const struct fw_scheduled *at = &kernel->schedule[instruction];
    return !at->unreachable && at->domain != FW_NONE &&
           kernel->domains[at->domain].kind != FW_DOMAIN_EMPTY;
}

static uint32_t level_of(const struct fw_kernel *kernel, uint32_t domain)
{
    uint32_t loop = kernel->domains[domain].innermost;
    return loop == FW_NONE ? kernel->loop_count : loop;
}

static uint32_t level_around(const struct fw_kernel *kernel, uint32_t loop)
{
    uint32_t parent = kernel->loops[loop].parent;
    return parent == FW_NONE ? kernel->loop_count : parent;
}

/* Puts a loop's items in the order in which an iteration comes to them, where the text has what
 * follows the loop's header ahead of it: clang lays out loops whose end is in their middle so. */
static void begin_at_header(struct fw_arena *arena, struct trace_item *items, uint32_t count,
                            uint32_t header)
{
    uint32_t before = 0;
    while (before < count && items[before].at < header)
        before++;
    if (before == 0 || before == count)
        return;
    struct trace_item *text = fw_arena_copy(arena, items, count * sizeof(*items));
    memcpy(items, text + before, (count - before) * sizeof(*items));
    memcpy(items + count - before, text, before * sizeof(*items));
}

static void find_items(struct trace_order *order, struct fw_arena *arena)
{
    const struct fw_kernel *kernel = order->kernel;
    const uint32_t levels = kernel->loop_count + 1;
    uint32_t sum = 0;
    uint32_t *filled = FW_ARRAY(arena, uint32_t, levels);
    for (uint32_t i = 0; i < kernel->schedule_count; i++)
        if (has_place(kernel, i))
            order->levels[level_of(kernel, kernel->schedule[i].domain)].count++;
    for (uint32_t l = 0; l < kernel->loop_count; l++)
        order->levels[level_around(kernel, l)].count++;
    for (uint32_t l = 0; l < levels; l++) {
        order->levels[l].first = sum;
        sum += order->levels[l].count;
    }
    order->items = FW_ARRAY(arena, struct trace_item, sum + 1);
    order->order = FW_ARRAY(arena, uint32_t, kernel->schedule_count + 1);
    for (uint32_t i = 0; i < kernel->schedule_count; i++) {
        if (!has_place(kernel, i))
            continue;
        uint32_t l = level_of(kernel, kernel->schedule[i].domain);
        order->items[order->levels[l].first + filled[l]++] = (struct trace_item){i, FW_NONE, 0, 1};
    }
    for (uint32_t loop = 0; loop < kernel->loop_count; loop++) {
        uint32_t l = level_around(kernel, loop);
        order->items[order->levels[l].first + filled[l]++] =
            (struct trace_item){kernel->loops[loop].instruction, loop, 0, 1};
    }
    for (uint32_t l = 0; l < levels; l++) {
        struct trace_item *items = order->items + order->levels[l].first;
        qsort(items, order->levels[l].count, sizeof(*items), compare_items);
        if (l < kernel->loop_count)
            begin_at_header(arena, items, order->levels[l].count, kernel->loops[l].instruction);
        for (uint32_t i = 0; i < order->levels[l].count; i++)
            if (items[i].loop == FW_NONE) {
                items[i].place = order->order_count;
                order->order[order->order_count++] = items[i].at;
            }
        for (uint32_t i = order->levels[l].count; i-- > 1;)
            if (items[i - 1].loop == FW_NONE && items[i].loop == FW_NONE &&
                kernel->schedule[items[i - 1].at].domain == kernel->schedule[items[i].at].domain)
                items[i - 1].run = items[i].run + 1;
    }
}

/* ---- levels ---- */

static void append(struct fw_arena *arena, uint32_t **list, uint32_t *count, uint32_t value)
{
    if ((*count & (*count - 1)) == 0) { /* 0 and powers of two: it is full */
        uint32_t *grown = FW_ARRAY(arena, uint32_t, *count ? 2 * (size_t)*count : 1);
        if (*count)
            memcpy(grown, *list, *count * sizeof(*grown));
        *list = grown;
    }
    (*list)[(*count)++] = value;
}

/* A domain of kind LEAVE belongs to all loops that it leaves. */
static void add_leave(struct trace_order *order, struct fw_arena *arena, uint32_t domain)
{
    const struct fw_kernel *kernel = order->kernel;
    const struct fw_domain *at = &kernel->domains[domain];
    uint32_t loop = kernel->domains[at->parent].innermost;
    for (; loop != at->innermost && loop != FW_NONE; loop = kernel->loops[loop].parent)
        append(arena, &order->levels[loop].leaves, &order->levels[loop].leave_count, domain);
}

static void add_inside(struct mentions *to, const struct mentions *more)
{
    to->loops |= more->loops;
    to->blocks |= more->blocks;
    to->threads |= more->threads;
}

static void find_levels(struct trace_order *order, struct fw_arena *arena)
{
    const struct fw_kernel *kernel = order->kernel;
    for (uint32_t l = 0; l <= kernel->loop_count; l++)
        order->levels[l].domain = FW_NONE;
    for (uint32_t d = 0; d < kernel->domain_count; d++) {
        const struct fw_domain *domain = &kernel->domains[d];
        struct trace_level *level = &order->levels[level_of(kernel, d)];
        if (domain->kind == FW_DOMAIN_LOOP)
            level->domain = d;
        else if (domain->kind == FW_DOMAIN_LEAVE)
            add_leave(order, arena, d);
        else if (domain->kind == FW_DOMAIN_RESTRICT) {
            append(arena, &level->restricts, &level->restrict_count, d);
            for (uint32_t l = domain->innermost; l != FW_NONE; l = kernel->loops[l].parent)
                if (l != domain->innermost)
                    add_inside(&order->levels[l].inside, &order->branches[domain->branch]);
        }
    }
    for (uint32_t loop = 0; loop < kernel->loop_count; loop++) {
        order->levels[loop].trips = mentions_of_trips(kernel, loop);
        for (uint32_t l = kernel->loops[loop].parent; l != FW_NONE; l = kernel->loops[l].parent)
            add_inside(&order->levels[l].inside, &order->levels[loop].trips);
    }
}

/* Whether a branch was leaned on: counts behind it may have been sampled. */
static bool is_leaned_on(struct fw_bound *bound, uint32_t branch)
{
    uint32_t count;
    const struct fw_unknown *unknowns = fw_bound_unknowns(bound, &count);
    for (uint32_t u = 0; u < count; u++)
        if (!unknowns[u].is_loop && !unknowns[u].is_quantity && !unknowns[u].is_pointer &&
            unknowns[u].index == branch)
            return true;
    return false;
}

/* Branches that go one way at all points of the launch, as far as counts tell: they are not
 * evaluated again. */
static void find_decided(struct trace_order *order, struct fw_arena *arena, struct fw_bound *bound)
{
    const struct fw_kernel *kernel = order->kernel;
    order->decided = FW_ARRAY(arena, uint8_t, kernel->branch_count + 1);
    for (uint32_t d = 0; d < kernel->domain_count; d++)
        fw_bound_count(bound, d);
    for (uint32_t d = 0; d < kernel->domain_count; d++) {
        const struct fw_domain *domain = &kernel->domains[d];
        if (domain->kind != FW_DOMAIN_RESTRICT)
            continue;
        const struct fw_total *here = fw_bound_count(bound, d);
        if (here->exact && mpz_sgn(here->value) == 0 &&
            fw_bound_count(bound, domain->parent)->estimate > 0 &&
            !is_leaned_on(bound, domain->branch))
            order->decided[domain->branch] |= (uint8_t)(1 << domain->truth);
    }
}

void trace_order_find(struct trace_order *order, struct fw_arena *arena,
                      const struct fw_kernel *kernel, struct fw_bound *bound)
{
    *order = (struct trace_order){.kernel = kernel, .convex = true};
    find_decided(order, arena, bound);
    order->levels = FW_ARRAY(arena, struct trace_level, kernel->loop_count + 1);
    order->branches = FW_ARRAY(arena, struct mentions, kernel->branch_count + 1);
    for (uint32_t b = 0; b < kernel->branch_count; b++) {
        if (order->decided[b])
            continue;
        order->branches[b] = mentions_of(kernel, kernel->branches[b].condition);
        order->blocks |= order->branches[b].blocks;
        order->convex = order->convex && convex_in_blocks(kernel, kernel->branches[b].condition);
    }
    find_levels(order, arena);
    for (uint32_t l = 0; l < kernel->loop_count; l++) {
        order->blocks |= order->levels[l].trips.blocks;
        order->convex = order->convex && convex_in_blocks(kernel, kernel->loops[l].stays);
    }
    find_items(order, arena);
}
