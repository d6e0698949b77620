/* How conditions come out for the lanes of a warp, with few evaluations.
 *
 * An expression whose terms depend on thread indices or on block and iterations, but none on both,
 * is apart from its value in another lane by what depends on the warp alone: one lane's value tells
 * that of all.  Of others, the threads of a warp lie in a box of thread indices: what is affine in
 * these, or a quotient, minimum or maximum of one such expression, lies between its values at the
 * corners of the box, and a comparison that comes out alike there does so for all lanes. */
#include "trace_internal.h"

#include <string.h>

enum shape {
    UNASKED,
    FREE,    /* of thread indices */
    BETWEEN, /* it lies between its values at corners */
    OTHER,
    ADDRESS /* of an atom: free of thread indices, but nothing that is evaluated by itself */
};

static enum shape shape_of(const struct fw_kernel *kernel, fw_expression a);

/* A quotient, minimum or maximum that rises or falls with one expression of thread indices. */
static enum shape shape_of_atom(const struct fw_kernel *kernel, const struct fw_atom_node *atom)
{
    struct mentions found = {0};
    if (trace_atom_mentions(kernel, atom, &found) && !found.threads)
        return found.addresses ? ADDRESS : FREE;
    switch ((enum fw_atom_kind)atom->kind) {
    case FW_ATOM_LAUNCH:
        return atom->a >= FW_THREAD_X && atom->a <= FW_THREAD_Z ? BETWEEN : OTHER;
    case FW_ATOM_FLOOR:
    case FW_ATOM_TRUNCATE:
        return shape_of(kernel, atom->b) == FREE ? shape_of(kernel, atom->a) : OTHER;
    case FW_ATOM_MINIMUM:
    case FW_ATOM_MAXIMUM:
        if (shape_of(kernel, atom->a) == FREE)
            return shape_of(kernel, atom->b);
        return shape_of(kernel, atom->b) == FREE ? shape_of(kernel, atom->a) : OTHER;
    default:
        return OTHER;
    }
}

static enum shape shape_of(const struct fw_kernel *kernel, fw_expression a)
{
    const struct fw_expression_node *node = &kernel->pool.expressions.at[a];
    uint32_t terms = 0, operations = 0, addresses = 0;
    for (uint32_t t = 0; t < node->term_count; t++) {
        uint32_t times = 0;
        for (uint32_t i = 0; i < node->terms[t].atom_count; i++) {
            const struct fw_atom_node *atom = &kernel->pool.atoms.at[node->terms[t].atoms[i]];
            enum shape shape = shape_of_atom(kernel, atom);
            if (shape == OTHER)
                return OTHER;
            addresses += shape == ADDRESS;
            times += shape == BETWEEN;
            operations += shape == BETWEEN && atom->kind != FW_ATOM_LAUNCH;
        }
        if (times > 1)
            return OTHER;
        terms += times;
    }
    if (!terms)
        return FREE;
    return !addresses && (!operations || terms == 1) ? BETWEEN : OTHER;
}

/* The shape of an expression, asked for once. */
static enum shape known_shape(struct trace_walk *walk, fw_expression a)
{
    if (walk->shapes[a] == UNASKED)
        walk->shapes[a] = (uint8_t)shape_of(walk->kernel, a);
    return (enum shape)walk->shapes[a];
}

static struct fw_point corner_of(const struct trace_walk *walk, uint32_t corner)
{
    struct fw_point point = {.iterations = walk->iterations};
    memcpy(point.block, walk->block, sizeof(point.block));
    memcpy(point.thread, walk->corners[corner], sizeof(point.thread));
    return point;
}

void trace_corners_find(struct trace_walk *walk)
{
    uint32_t low[3] = {0}, high[3] = {0};
    walk->corner_count = 0;
    for (uint32_t lane = 0, any = 0; lane < FW_WARP_THREADS; lane++) {
        if (!(walk->mask >> lane & 1))
            continue;
        for (int d = 0; d < 3; d++) {
            uint32_t at = walk->threads[lane][d];
            low[d] = !any || at < low[d] ? at : low[d];
            high[d] = !any || at > high[d] ? at : high[d];
        }
        any = 1;
    }
    for (uint32_t corner = 0; corner < 8 && walk->mask; corner++) {
        bool again = false;
        for (int d = 0; d < 3; d++) {
            again |= (corner >> d & 1) && low[d] == high[d];
            walk->corners[walk->corner_count][d] = corner >> d & 1 ? high[d] : low[d];
        }
        walk->corner_count += !again;
    }
}

/* Whether the signs of an expression's values at all corners are one, or none is known. */
static bool one_sign(struct trace_walk *walk, fw_expression a, uint32_t loop)
{
    int first = 0;
    for (uint32_t corner = 0; corner < walk->corner_count; corner++) {
        struct fw_point point = corner_of(walk, corner);
        int64_t value;
        if (!trace_spend(walk, loop))
            return false;
        bool known = fw_bound_evaluate(walk->bound, a, &point, &value);
        int sign = known ? (value > 0) - (value < 0) : 2;
        if (corner && sign != first)
            return false;
        first = sign;
    }
    return true;
}

/* Whether a comparison holds at all corners, at none, or is known at none. */
static bool one_outcome(struct trace_walk *walk, fw_condition condition, uint32_t loop)
{
    int first = 0;
    for (uint32_t corner = 0; corner < walk->corner_count; corner++) {
        struct fw_point point = corner_of(walk, corner);
        bool known;
        if (!trace_spend(walk, loop))
            return false;
        bool holds = fw_bound_holds(walk->bound, condition, &point, &known);
        int outcome = known ? holds : 2;
        if (corner && outcome != first)
            return false;
        first = outcome;
    }
    return true;
}

/* Whether the outcomes at corners show that all lanes have one. */
static bool is_uniform(struct trace_walk *walk, fw_condition condition, uint32_t loop)
{
    const struct fw_condition_node *node = &walk->kernel->pool.conditions.at[condition];
    enum shape a, b;
    switch ((enum fw_condition_kind)node->kind) {
    case FW_CONDITION_POSITIVE:
        a = known_shape(walk, node->a);
        return a == FREE || (a == BETWEEN && one_outcome(walk, condition, loop));
    case FW_CONDITION_ZERO:
        a = known_shape(walk, node->a);
        return a == FREE || (a == BETWEEN && one_sign(walk, node->a, loop));
    case FW_CONDITION_UNSIGNED_LESS:
        a = known_shape(walk, node->a);
        b = known_shape(walk, node->b);
        if (a == OTHER || b == OTHER || (a == BETWEEN && b == BETWEEN))
            return false;
        return (a == FREE && b == FREE) ||
               (one_sign(walk, a == BETWEEN ? node->a : node->b, loop) &&
                one_outcome(walk, condition, loop));
    default:
        return true;
    }
}

/* ---- lanes by one of them ---- */

/* Whether each term depends on thread indices, or on blocks and iterations, not on both. */
static bool is_apart(const struct fw_kernel *kernel, fw_expression a)
{
    const struct fw_expression_node *node = &kernel->pool.expressions.at[a];
    for (uint32_t t = 0; t < node->term_count; t++) {
        struct mentions found = {0};
        for (uint32_t i = 0; i < node->terms[t].atom_count; i++)
            if (!trace_atom_mentions(kernel, &kernel->pool.atoms.at[node->terms[t].atoms[i]],
                                     &found))
                return false;
        if (found.addresses || (found.threads && (found.loops || found.blocks)))
            return false;
    }
    return true;
}

static struct fw_point lane_point(const struct trace_walk *walk, uint32_t lane)
{
    struct fw_point point = {.iterations = walk->iterations};
    memcpy(point.block, walk->block, sizeof(point.block));
    memcpy(point.thread, walk->threads[lane], sizeof(point.thread));
    return point;
}

/* How far the values of an expression in the lanes are from that in the first one; NULL: that
 * depends on where. */
static const struct trace_lane_offsets *offsets_of(struct trace_walk *walk, fw_expression a,
                                                   uint32_t loop)
{
    const uint32_t first = (uint32_t)__builtin_ctz(walk->mask);
    struct trace_offsets *kept = walk->offsets[a];
    struct trace_lane_offsets *offsets;
    int64_t base = 0;
    if (!kept) {
        kept = walk->offsets[a] = FW_NEW(walk->arena, struct trace_offsets);
        kept->none = !is_apart(walk->kernel, a);
        kept->by_warp = FW_ARRAY(walk->arena, struct trace_lane_offsets *, walk->warps);
    }
    if (kept->none || kept->by_warp[walk->warp])
        return kept->none ? NULL : kept->by_warp[walk->warp];
    offsets = FW_NEW(walk->arena, struct trace_lane_offsets);
    for (uint32_t lane = first; lane < FW_WARP_THREADS && walk->mask >> lane; lane++) {
        struct fw_point point = lane_point(walk, lane);
        int64_t value;
        if (!trace_spend(walk, loop))
            return NULL;
        kept->none |=
            !fw_bound_evaluate(walk->bound, a, &point, &value) ||
            __builtin_sub_overflow(value, lane == first ? value : base, &offsets->at[lane]);
        if (kept->none) /* data decide it */
            return NULL;
        base = lane == first ? value : base;
        offsets->low = offsets->at[lane] < offsets->low ? offsets->at[lane] : offsets->low;
        offsets->high = offsets->at[lane] > offsets->high ? offsets->at[lane] : offsets->high;
    }
    kept->by_warp[walk->warp] = offsets;
    return offsets;
}

/* The values of an expression in the lanes of the warp: offsets from a base, between two bounds. */
struct spread {
    const struct trace_lane_offsets *offsets;
    int64_t base, low, high;
    bool bounded; /* `low` and `high` have room in 64 bits, and so have all values */
};

/* False: one lane does not tell the values of all. */
static bool spread_of(struct trace_walk *walk, fw_expression a, uint32_t loop, struct spread *of)
{
    const struct fw_point point = lane_point(walk, (uint32_t)__builtin_ctz(walk->mask));
    of->offsets = offsets_of(walk, a, loop);
    if (!of->offsets || !trace_spend(walk, loop) ||
        !fw_bound_evaluate(walk->bound, a, &point, &of->base))
        return false;
    of->bounded = !__builtin_add_overflow(of->base, of->offsets->low, &of->low) &&
                  !__builtin_add_overflow(of->base, of->offsets->high, &of->high);
    return true;
}

/* False: a value has no room in 64 bits. */
static bool values_of(const struct spread *of, uint32_t mask, int64_t *values)
{
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (__builtin_add_overflow(of->base, of->offsets->at[lane], &values[lane]))
            return false;
    }
    return true;
}

bool trace_values(struct trace_walk *walk, fw_expression a, uint32_t mask, uint32_t loop,
                  int64_t *values)
{
    struct spread of;
    return spread_of(walk, a, loop, &of) && values_of(&of, mask, values);
}

/* Whether the bounds of the values tell that a comparison comes out alike in all lanes. */
static bool compare_bounds(const struct fw_condition_node *node, const struct spread *x,
                           const struct spread *y, bool *holds)
{
    if (!x->bounded || (y && !y->bounded))
        return false;
    switch ((enum fw_condition_kind)node->kind) {
    case FW_CONDITION_POSITIVE:
        *holds = x->low >= 0;
        return x->low >= 0 || x->high < 0;
    case FW_CONDITION_ZERO:
        *holds = x->low == 0 && x->high == 0;
        return *holds || x->low > 0 || x->high < 0;
    default:
        *holds = x->high < y->low;
        return x->low >= 0 && y->low >= 0 && (*holds || x->low >= y->high);
    }
}

/* A comparison in lanes whose values one of them tells; false: it does not. */
static bool compare_lanes(struct trace_walk *walk, const struct fw_condition_node *node,
                          uint32_t mask, uint32_t loop, uint32_t *holds)
{
    const bool two = node->kind == FW_CONDITION_UNSIGNED_LESS;
    int64_t x[FW_WARP_THREADS], y[FW_WARP_THREADS];
    struct spread a, b;
    bool all;
    if (!spread_of(walk, node->a, loop, &a) || (two && !spread_of(walk, node->b, loop, &b)))
        return false;
    if (compare_bounds(node, &a, two ? &b : NULL, &all)) {
        *holds |= all ? mask : 0;
        return true;
    }
    if (!values_of(&a, mask, x) || (two && !values_of(&b, mask, y)))
        return false;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        bool is = two                               ? (uint64_t)x[lane] < (uint64_t)y[lane]
                  : node->kind == FW_CONDITION_ZERO ? x[lane] == 0
                                                    : x[lane] >= 0;
        *holds |= (uint32_t)is << lane;
    }
    return true;
}

/* A part of a condition that has no parts. */
static struct trace_outcome outcome_of(struct trace_walk *walk, fw_condition condition,
                                       uint32_t mask, uint32_t loop)
{
    const struct fw_condition_node *node = &walk->kernel->pool.conditions.at[condition];
    const bool compares = node->kind == FW_CONDITION_POSITIVE || node->kind == FW_CONDITION_ZERO ||
                          node->kind == FW_CONDITION_UNSIGNED_LESS;
    struct trace_outcome outcome = {0};
    bool alone = (mask & (mask - 1)) == 0;
    if (compares && !alone && compare_lanes(walk, node, mask, loop, &outcome.holds)) {
        outcome.known = mask;
        return outcome;
    }
    outcome.holds = 0;
    bool alike = !compares || ((uint32_t)__builtin_popcount(mask) > walk->corner_count &&
                               is_uniform(walk, condition, loop));
    if (walk->numbered != walk->restricting) {
        walk->first_number = fw_bound_number_points(walk->bound);
        walk->numbered = walk->restricting;
    }
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint32_t lanes = alike ? mask : (uint32_t)1 << lane;
        struct fw_point point = lane_point(walk, lane);
        bool known;
        if (!trace_spend(walk, loop))
            break;
        bool holds = fw_bound_holds_numbered(walk->bound, condition, &point,
                                             walk->first_number + lane, &known);
        outcome.known |= known ? lanes : 0;
        outcome.holds |= known && holds ? lanes : 0;
        if (alike)
            break;
    }
    return outcome;
}

/* Notes the lanes of a part. */
static void sign(struct trace_walk *walk, const struct trace_outcome *outcome)
{
    walk->signature = (walk->signature * 3 + ((uint64_t)outcome->known << 32 | outcome->holds)) *
                      0x9E3779B97F4A7C15u;
    walk->signature ^= walk->signature >> 31;
}

struct trace_outcome trace_condition(struct trace_walk *walk, fw_condition condition, uint32_t mask,
                                     uint32_t loop, bool signs)
{
    const struct fw_condition_node *node = &walk->kernel->pool.conditions.at[condition];
    const bool either = node->kind == FW_CONDITION_OR;
    struct trace_outcome a, b = {0};
    if (!mask)
        return b;
    switch ((enum fw_condition_kind)node->kind) {
    case FW_CONDITION_NOT:
        a = trace_condition(walk, node->a, mask, loop, signs);
        a.holds = a.known & ~a.holds;
        return a;
    case FW_CONDITION_AND:
    case FW_CONDITION_OR:
        a = trace_condition(walk, node->a, mask, loop, signs);
        uint32_t decided = either ? a.holds : a.known & ~a.holds;
        b = trace_condition(walk, node->b, signs ? mask : mask & ~decided, loop, signs);
        decided |= either ? b.holds : b.known & ~b.holds;
        a.known = (a.known & b.known) | decided;
        a.holds = either ? decided : a.known & ~decided;
        return a;
    default:
        a = outcome_of(walk, condition, mask, loop);
        if (signs)
            sign(walk, &a);
        return a;
    }
}

bool trace_is_one_value(struct trace_walk *walk, fw_expression a, uint32_t loop)
{
    int64_t first = 0;
    enum shape shape = known_shape(walk, a);
    for (uint32_t corner = 0; corner < walk->corner_count && shape == BETWEEN; corner++) {
        struct fw_point point = corner_of(walk, corner);
        int64_t value;
        if (!trace_spend(walk, loop) || !fw_bound_evaluate(walk->bound, a, &point, &value) ||
            (corner && value != first))
            return false;
        first = value;
    }
    return shape != OTHER;
}
