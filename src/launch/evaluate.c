/* Evaluation of expressions and conditions at one point of a bound launch. */
#include "bound_internal.h"
#include "checked.h"
#include "quotient.h"
#include "scalar.h"
#include "warp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_ITERATIONS = 1 << 20,
    STEPS_AT_A_POINT = 1 << 20,
    MOST_NUMBERED_ATOMS = 4096 /* of a kernel, whose values at numbered points are kept */
};

/* Expressions and conditions, counting steps. */
static bool evaluate(struct fw_bound *bound, fw_expression a, const struct fw_point *point,
                     int64_t *value);
static bool holds_at(struct fw_bound *bound, fw_condition a, const struct fw_point *point,
                     bool *known);

/* The value of an atom at a numbered point: shared parts of expressions are evaluated once. */
struct atom_memo {
    uint64_t point; /* with UNKNOWN_THERE: it has none */
    int64_t value;
};

static const uint64_t UNKNOWN_THERE = (uint64_t)1 << 63;

/* Begins another point, whose values are not those of the one before; answers that one. */
static uint64_t begin_point(struct fw_bound *bound)
{
    uint64_t before = bound->point;
    bound->point = ++bound->points;
    if (!bound->atoms)
        bound->atoms = calloc(bound->kernel->pool.atoms.count + 1, sizeof(*bound->atoms));
    return before;
}

static bool launch_value(const struct fw_bound *bound, uint32_t index, const struct fw_point *point,
                         int64_t *value)
{
    const struct fw_launch *launch = bound->launch;
    int64_t linear =
        point->thread[0] + (int64_t)launch->block[0] *
                               (point->thread[1] + (int64_t)launch->block[1] * point->thread[2]);
    if (index <= FW_BLOCK_Z)
        *value = point->block[index - FW_BLOCK_X];
    else if (index <= FW_THREAD_Z)
        *value = point->thread[index - FW_THREAD_X];
    else if (index <= FW_GRID_SIZE_Z)
        *value = launch->grid[index - FW_GRID_SIZE_X];
    else if (index <= FW_BLOCK_SIZE_Z)
        *value = launch->block[index - FW_BLOCK_SIZE_X];
    else
        *value = index == FW_LANE   ? linear % FW_WARP_THREADS
                 : index == FW_WARP ? linear / FW_WARP_THREADS
                                    : (int64_t)launch->shared;
    return true;
}

static bool operate(const struct fw_atom_node *node, int64_t a, int64_t b, int64_t *value)
{
    switch ((enum fw_atom_kind)node->kind) {
    case FW_ATOM_FLOOR:
    case FW_ATOM_TRUNCATE:
        if (b == 0 || (a == INT64_MIN && b == -1))
            return false;
        *value = node->kind == FW_ATOM_FLOOR ? fw_floor_quotient(a, b) : a / b;
        return true;
    case FW_ATOM_MINIMUM:
        *value = a < b ? a : b;
        return true;
    case FW_ATOM_MAXIMUM:
        *value = a > b ? a : b;
        return true;
    case FW_ATOM_POWER2:
        *value = a < 0 || a > 62 ? 0 : (int64_t)1 << a;
        return a <= 62;
    case FW_ATOM_BITAND:
        *value = a & b;
        return true;
    case FW_ATOM_PRODUCT:
        return !fw_multiply_overflows(a, b, value);
    case FW_ATOM_SUM:
        return !fw_add_overflows(a, b, value);
    case FW_ATOM_REPEAT:
        *value = b < 0 ? 0 : b > 62 ? (a < 0 ? -1 : 0) : a >> b;
        return b >= 0;
    default:
        return false;
    }
}

/* How often the loop's header runs, by going through its iterations. */
static bool go_through(struct fw_bound *bound, uint32_t loop, const struct fw_point *point,
                       int64_t *trips)
{
    int64_t *iterations = FW_ARRAY(bound->scratch, int64_t, bound->kernel->loop_count);
    struct fw_point inside = *point;
    memcpy(iterations, point->iterations, bound->kernel->loop_count * sizeof(*iterations));
    inside.iterations = iterations;
    uint64_t outer = bound->point;
    const bool fixing = bound->fixing;
    bool known = true, stays = true;
    bound->fixing = false; /* its price in steps stays what it is */
    for (*trips = 1; known && *trips < MOST_ITERATIONS && bound->iterations; ++*trips) {
        iterations[loop] = *trips;
        bound->iterations--;
        begin_point(bound);
        stays = holds_at(bound, bound->kernel->loops[loop].stays, &inside, &known);
        if (!stays)
            break;
    }
    bound->point = outer;
    bound->fixing = fixing;
    return known && !stays;
}

/* How often the loop's header runs: by its closed form, else as it was found before, or going
 * through its iterations. */
static bool trips_at(struct fw_bound *bound, uint32_t loop, const struct fw_point *point,
                     int64_t *trips)
{
    const struct fw_loop *info = &bound->kernel->loops[loop];
    uint64_t limit = bound->step_limit;
    bool same, known;
    if (info->trips != FW_NO_EXPRESSION)
        return evaluate(bound, info->trips, point, trips);
    struct kept_trips *kept = trips_memo_find(bound, loop, point, &same);
    if (same && trips_memo_take(bound, kept, trips, &known))
        return known;
    int64_t found = 0;
    known = go_through(bound, loop, point, &found);
    kept = trips_memo_find(bound, loop, point, &same); /* loops inside may have taken its place */
    if (kept)
        trips_memo_keep(bound, kept, limit, found, known);
    if (known)
        *trips = found;
    return known;
}

/* An expression where a loop's iteration is another than the point's. */
static bool evaluate_elsewhere(struct fw_bound *bound, const struct fw_atom_node *node,
                               const struct fw_point *point, int64_t *value)
{
    struct fw_arena_mark mark = fw_arena_mark(bound->scratch);
    int64_t *iterations = FW_ARRAY(bound->scratch, int64_t, bound->kernel->loop_count);
    struct fw_point there = *point;
    memcpy(iterations, point->iterations, bound->kernel->loop_count * sizeof(*iterations));
    there.iterations = iterations;
    bool known = evaluate(bound, node->b, point, &iterations[node->c]);
    uint64_t outer = begin_point(bound);
    known = known && evaluate(bound, node->a, &there, value);
    bound->point = outer;
    fw_arena_release(bound->scratch, mark);
    return known;
}

static bool evaluate_scalar(struct fw_bound *bound, const struct fw_atom_node *node,
                            const struct fw_point *point, int64_t *value)
{
    struct fw_scalar scalar;
    fw_expression operands[3];
    int64_t values[3] = {0};
    if (!fw_scalar_of(&bound->kernel->pool, node, &scalar, operands))
        return false;
    bound->scalars++;
    for (uint32_t o = 0; o < fw_scalar_operands(&scalar); o++)
        if (!evaluate(bound, operands[o], point, &values[o]))
            return false;
    return fw_scalar_evaluate(&scalar, values, value);
}

int64_t bound_argument(const struct fw_bound *bound, uint32_t parameter)
{
    enum fw_type type = bound->kernel->parameters[parameter].type;
    return fw_type_class(type) == 'f' ? fw_scalar_bits(type, bound->launch->floats[parameter])
                                      : bound->launch->integers[parameter];
}

/* An atom that is made of others. */
bool bound_operation_at(struct fw_bound *bound, const struct fw_atom_node *node,
                        const struct fw_point *point, int64_t *value)
{
    int64_t a, b = 0;
    bool known;
    switch ((enum fw_atom_kind)node->kind) {
    case FW_ATOM_TRIPS:
        return trips_at(bound, node->a, point, value);
    case FW_ATOM_UNKNOWN:
        return false;
    case FW_ATOM_SELECT:
        if (holds_at(bound, node->c, point, &known))
            return known && evaluate(bound, node->a, point, value);
        return known && evaluate(bound, node->b, point, value);
    case FW_ATOM_AT:
        return evaluate_elsewhere(bound, node, point, value);
    case FW_ATOM_SCALAR:
        return evaluate_scalar(bound, node, point, value);
    case FW_ATOM_FOLD:
        return bound_fold_at(bound, node, point, value);
    default:
        return evaluate(bound, node->a, point, &a) &&
               (node->kind == FW_ATOM_POWER2 || evaluate(bound, node->b, point, &b)) &&
               operate(node, a, b, value);
    }
}

static bool evaluate_atom(struct fw_bound *bound, fw_atom atom, const struct fw_point *point,
                          int64_t *value)
{
    const struct fw_kernel *kernel = bound->kernel;
    const struct fw_atom_node *node = &kernel->pool.atoms.at[atom];
    if (bound->supposing && bound->supposing(bound->supposed, atom, point, value))
        return true;
    switch ((enum fw_atom_kind)node->kind) {
    case FW_ATOM_PARAMETER:
        *value = bound_argument(bound, node->a);
        if (!bound->launch->is_bound[node->a] && kernel->parameters[node->a].is_pointer)
            *value = bound->assuming ? bound_assumed_address(bound, node->a) : 0;
        return bound->launch->is_bound[node->a] || kernel->parameters[node->a].is_pointer;
    case FW_ATOM_LAUNCH:
        return launch_value(bound, node->a, point, value);
    case FW_ATOM_ITERATION:
        *value = point->iterations[node->a];
        return true;
    case FW_ATOM_ARRAY:
        *value = 0;
        return true;
    case FW_ATOM_CARRIED:
        return bound_carried_at(bound, node, value);
    default:
        break;
    }
    bool known;
    if (bound->fixing && fixed_value_at(bound, atom, point, value, &known))
        return known;
    struct atom_memo *all = bound->numbered ? bound->numbered : bound->atoms;
    struct atom_memo *kept = bound->supposing || !all ? NULL : &all[atom];
    if (kept && kept->point == bound->point) {
        *value = kept->value;
        return true;
    }
    if (kept && kept->point == (bound->point | UNKNOWN_THERE))
        return false;
    if (!bound_operation_at(bound, node, point, value)) {
        if (kept && bound->numbered && bound->step_limit > 0)
            kept->point = bound->point | UNKNOWN_THERE;
        return false;
    }
    if (kept)
        *kept = (struct atom_memo){bound->point, *value};
    return true;
}

/* The sum of terms in 128 bits: those of a product that was multiplied out may be far larger than
 * their sum. */
static bool evaluate_widely(struct fw_bound *bound, const struct fw_expression_node *node,
                            const struct fw_point *point, int64_t *value)
{
    __extension__ typedef __int128 wide;
    wide sum = 0;
    for (uint32_t t = 0; t < node->term_count; t++) {
        wide product = node->terms[t].coefficient;
        for (uint32_t i = 0; i < node->terms[t].atom_count; i++) {
            int64_t factor;
            if (!evaluate_atom(bound, node->terms[t].atoms[i], point, &factor) ||
                __builtin_mul_overflow(product, (wide)factor, &product))
                return false;
        }
        if (__builtin_add_overflow(sum, product, &sum))
            return false;
    }
    *value = (int64_t)sum;
    return sum == (wide)*value;
}

static bool evaluate(struct fw_bound *bound, fw_expression a, const struct fw_point *point,
                     int64_t *value)
{
    const struct fw_expression_node *node = &bound->kernel->pool.expressions.at[a];
    int64_t sum = 0;
    if (bound->step_limit == 0)
        return false;
    bound->step_limit--;
    if (!bound->supposing && affine_value_at(bound, a, point, value))
        return true;
    for (uint32_t t = 0; t < node->term_count; t++) {
        int64_t product = node->terms[t].coefficient;
        for (uint32_t i = 0; i < node->terms[t].atom_count; i++) {
            int64_t factor;
            if (!evaluate_atom(bound, node->terms[t].atoms[i], point, &factor))
                return false;
            if (fw_multiply_overflows(product, factor, &product))
                return evaluate_widely(bound, node, point, value);
        }
        if (fw_add_overflows(sum, product, &sum))
            return evaluate_widely(bound, node, point, value);
    }
    *value = sum;
    return true;
}

/* As the kernel sees it: rounded to its type. */
static double float_argument(const struct fw_bound *bound, uint32_t parameter)
{
    double given = bound->launch->floats[parameter];
    return bound->kernel->parameters[parameter].type == FW_TYPE_F32 ? (double)(float)given : given;
}

bool bound_float_holds(const struct fw_bound *bound, uint32_t index, bool *known)
{
    const struct fw_float_comparison *c = &bound->kernel->floats[index];
    double x = c->left, y = c->right;
    *known = true;
    if (c->left_is_parameter) {
        *known = *known && bound->launch->is_bound[c->left_parameter];
        x = float_argument(bound, c->left_parameter);
    }
    if (c->right_is_parameter) {
        *known = *known && bound->launch->is_bound[c->right_parameter];
        y = float_argument(bound, c->right_parameter);
    }
    if (isnan(x) || isnan(y))
        return c->unordered;
    return c->comparison == 1 ? x < y : c->comparison == 2 ? x <= y : !(x < y) && !(x > y);
}

/* One comparison. */
static bool compare_at(struct fw_bound *bound, fw_condition a, const struct fw_point *point,
                       bool *known)
{
    const struct fw_condition_node *node = &bound->kernel->pool.conditions.at[a];
    const bool assuming = bound->assuming;
    const uint64_t at = bound->point;
    int64_t x = 0, y = 0;
    bound->assuming = bound->pointer_tests[a] != POINTER_TEST_NO && bound_tests_pointer(bound, a);
    if (bound->assuming && bound->numbered) /* what is kept is without */
        begin_point(bound);
    *known = evaluate(bound, node->a, point, &x) &&
             (node->kind != FW_CONDITION_UNSIGNED_LESS || evaluate(bound, node->b, point, &y));
    bound->assuming = assuming;
    bound->point = at;
    if (node->kind != FW_CONDITION_UNSIGNED_LESS)
        return node->kind == FW_CONDITION_ZERO ? x == 0 : x >= 0;
    return (x < 0) == (y < 0) ? x < y : y < 0;
}

static bool holds_at(struct fw_bound *bound, fw_condition a, const struct fw_point *point,
                     bool *known)
{
    const struct fw_condition_node *node = &bound->kernel->pool.conditions.at[a];
    bool left, right, other;
    *known = bound->step_limit > 0;
    if (!*known)
        return false;
    bound->step_limit--;
    if (bound->fixing && bound_is_never_known(bound, a)) { /* else its price stays what it is */
        *known = false;
        return false;
    }
    switch ((enum fw_condition_kind)node->kind) {
    case FW_CONDITION_FALSE:
    case FW_CONDITION_TRUE:
        return node->kind == FW_CONDITION_TRUE;
    case FW_CONDITION_POSITIVE:
    case FW_CONDITION_ZERO:
    case FW_CONDITION_UNSIGNED_LESS:
        return compare_at(bound, a, point, known);
    case FW_CONDITION_AND:
    case FW_CONDITION_OR:
        left = holds_at(bound, node->a, point, known);
        if (*known && left == (node->kind == FW_CONDITION_OR))
            return left;
        right = holds_at(bound, node->b, point, &other);
        *known = *known ? other : other && right == (node->kind == FW_CONDITION_OR);
        return right;
    case FW_CONDITION_NOT:
        return !holds_at(bound, node->a, point, known);
    case FW_CONDITION_FLOAT:
        return bound_float_holds(bound, node->a, known);
    case FW_CONDITION_UNKNOWN:
        break;
    }
    *known = false;
    return false;
}

bool fw_bound_evaluate(struct fw_bound *bound, fw_expression a, const struct fw_point *point,
                       int64_t *value)
{
    bound->step_limit = STEPS_AT_A_POINT;
    bound->fixing = !bound->supposing;
    bound->numbered = NULL;
    begin_point(bound);
    return evaluate(bound, a, point, value);
}

void fw_bound_suppose(struct fw_bound *bound, fw_supposing *supposing, void *user)
{
    bound->supposing = supposing;
    bound->supposed = user;
}

bool fw_bound_holds(struct fw_bound *bound, fw_condition a, const struct fw_point *point,
                    bool *known)
{
    bound->step_limit = STEPS_AT_A_POINT;
    bound->fixing = !bound->supposing;
    bound->numbered = NULL;
    begin_point(bound);
    return holds_at(bound, a, point, known);
}

uint64_t fw_bound_number_points(struct fw_bound *bound)
{
    const uint64_t first = (bound->points / FW_WARP_THREADS + 1) * FW_WARP_THREADS;
    bound->points = first + FW_WARP_THREADS - 1;
    return first;
}

bool fw_bound_holds_numbered(struct fw_bound *bound, fw_condition a, const struct fw_point *point,
                             uint64_t number, bool *known)
{
    const size_t atoms = bound->kernel->pool.atoms.count + 1;
    if (!bound->numbered_atoms && atoms <= MOST_NUMBERED_ATOMS)
        bound->numbered_atoms = calloc(atoms * FW_WARP_THREADS, sizeof(*bound->numbered_atoms));
    if (!bound->numbered_atoms || bound->supposing)
        return fw_bound_holds(bound, a, point, known);
    bound->step_limit = STEPS_AT_A_POINT;
    bound->fixing = true;
    bound->point = number;
    bound->numbered = bound->numbered_atoms + number % FW_WARP_THREADS * atoms;
    bool holds = holds_at(bound, a, point, known);
    bound->numbered = NULL;
    return holds;
}

uint64_t bound_begin_point(struct fw_bound *bound)
{
    return begin_point(bound);
}

bool bound_part_at(struct fw_bound *bound, fw_expression a, const struct fw_point *point,
                   int64_t *value)
{
    return evaluate(bound, a, point, value);
}

bool bound_value_at(struct fw_bound *bound, const struct fw_atom_node *node,
                    const struct fw_point *point, int64_t *value)
{
    bound->step_limit = bound->steps;
    bound->fixing = false;
    begin_point(bound);
    bool known = evaluate_elsewhere(bound, node, point, value);
    bound->steps = bound->step_limit;
    return known;
}

bool bound_atom_at(struct fw_bound *bound, const struct fw_atom_node *node,
                   const struct fw_point *point, int64_t *value)
{
    bound->step_limit = bound->steps;
    bound->fixing = false;
    begin_point(bound);
    bool known = bound_operation_at(bound, node, point, value);
    bound->steps = bound->step_limit;
    return known;
}

bool bound_holds_at(struct fw_bound *bound, fw_condition a, const struct fw_point *point,
                    bool *known)
{
    bound->step_limit = bound->steps;
    bound->fixing = false;
    begin_point(bound);
    bool holds = holds_at(bound, a, point, known);
    bound->steps = bound->step_limit;
    return holds;
}

bool bound_expression_at(struct fw_bound *bound, fw_expression a, const struct fw_point *point,
                         int64_t *value)
{
    bound->step_limit = bound->steps;
    bound->fixing = false;
    begin_point(bound);
    bool known = evaluate(bound, a, point, value);
    bound->steps = bound->step_limit;
    return known;
}

bool bound_trips_at(struct fw_bound *bound, uint32_t loop, const struct fw_point *point,
                    int64_t *trips)
{
    struct fw_arena_mark mark = fw_arena_mark(bound->scratch);
    bound->step_limit = bound->steps;
    bound->fixing = false;
    begin_point(bound);
    bool known = trips_at(bound, loop, point, trips);
    bound->steps = bound->step_limit;
    fw_arena_release(bound->scratch, mark);
    return known;
}
