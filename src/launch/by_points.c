/* Point by point: conditions and loops that rows do not express, for pieces in which they depend on
 * few indices.  Each combination of those indices' values is evaluated; neighbours with the same
 * answer become one piece again.  Exact, or refused when there are too many combinations. */
#include "bound_internal.h"

#include <string.h>

enum { MOST_POINTS = 4096, MOST_NESTING = 16 };

/* The piece's variables that an expression or condition depends on. */
struct mention {
    struct fw_bound *bound;
    const struct fw_piece *piece;
    bool variable[FW_PIECE_VARIABLES];
    bool left;        /* iterations of loops that the piece has left are known, too */
    uint32_t unbound; /* an argument that is needed and not given; FW_NONE */
    bool tolerant;    /* operations and selections may not ask for an opaque value */
    bool opaque;      /* there is one */
    bool *own; /* loops whose iteration is not the point's: they are gone through, or stated */
    unsigned depth;
};

static struct mention mention_new(struct fw_bound *bound, const struct fw_piece *piece)
{
    return (struct mention){.bound = bound,
                            .piece = piece,
                            .unbound = FW_NONE,
                            .own = FW_ARRAY(bound->scratch, bool, bound->kernel->loop_count)};
}

static bool cannot_mention(void *user, fw_atom atom, const struct fw_atom_node *node);

static bool mention_launch(struct mention *m, uint32_t index)
{
    uint32_t first = index, last = index;
    if (index == FW_LANE || index == FW_WARP) {
        first = FW_THREAD_X;
        last = FW_THREAD_Z;
    }
    for (uint32_t d = first; d <= last && d <= FW_THREAD_Z; d++)
        if (m->piece->launch_variable[d] >= 0)
            m->variable[m->piece->launch_variable[d]] = true;
    return index >= FW_GRID_SIZE_X && index <= FW_GRID_SIZE_Z &&
           m->bound->launch->grid[index - FW_GRID_SIZE_X] == 0;
}

static bool mention_trips(struct mention *m, uint32_t loop)
{
    const struct fw_loop *info = &m->bound->kernel->loops[loop];
    bool refused = ++m->depth > MOST_NESTING;
    m->own[loop] = true;
    if (!refused && info->trips != FW_NO_EXPRESSION)
        refused = fw_expression_any(&m->bound->kernel->pool, info->trips, cannot_mention, m);
    else if (!refused)
        refused = fw_condition_any(&m->bound->kernel->pool, info->stays, cannot_mention, m);
    m->depth--;
    return refused;
}

/* Notes an atom's variables; true when its value is not known at a point of the piece. */
static bool cannot_mention(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    struct mention *m = user;
    (void)atom;
    switch ((enum fw_atom_kind)node->kind) {
    case FW_ATOM_PARAMETER:
        if (m->bound->launch->is_bound[node->a] ||
            (m->bound->assuming && m->bound->kernel->parameters[node->a].is_pointer))
            return false;
        m->unbound = node->a;
        return true;
    case FW_ATOM_LAUNCH:
        return mention_launch(m, node->a);
    case FW_ATOM_ITERATION:
        for (uint32_t v = 0; v < m->piece->variables; v++)
            if (m->piece->loop_of[v] == node->a || (m->left && m->piece->entered[v] == node->a)) {
                m->variable[v] = true;
                return false;
            }
        return !m->own[node->a];
    case FW_ATOM_AT:
        m->own[node->c] = true;
        return false;
    case FW_ATOM_TRIPS:
        return mention_trips(m, node->a);
    case FW_ATOM_UNKNOWN: /* where a selection may leave it out, points tell */
        m->opaque = true;
        return !m->tolerant;
    case FW_ATOM_ARRAY: /* addresses are not those of the launch */
        return true;
    default:
        return false;
    }
}

static bool is_scalar(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)user;
    (void)atom;
    return node->kind == FW_ATOM_SCALAR;
}

/* Whether a condition may be known although an opaque value is in it: a function's slow way, whose
 * result a selection takes where a number is very large. */
static bool may_leave_out(const struct fw_bound *bound, fw_condition condition)
{
    return fw_condition_any(&bound->kernel->pool, condition, is_scalar, NULL);
}

bool bound_mentioned(struct fw_bound *bound, const struct fw_piece *piece, fw_condition condition,
                     uint32_t loop, bool *variables)
{
    struct mention m = mention_new(bound, piece);
    m.left = true;
    m.tolerant = loop == FW_NONE && may_leave_out(bound, condition);
    if (bound->symbolic ||
        (loop != FW_NONE ? mention_trips(&m, loop)
                         : fw_condition_any(&bound->kernel->pool, condition, cannot_mention, &m)))
        return false;
    memcpy(variables, m.variable, sizeof(m.variable));
    return true;
}

/* What is asked of each point. */
struct question {
    fw_condition condition;
    bool truth;
    uint32_t loop; /* FW_NONE: the condition; else how often this loop's header runs */
};

static void set_point(struct fw_bound *bound, const struct fw_piece *piece, struct fw_point *point,
                      int64_t *iterations)
{
    memset(point, 0, sizeof(*point));
    point->iterations = iterations;
    for (uint32_t d = 0; d < 3; d++)
        if (bound->launch->one_block)
            point->block[d] = bound->launch->only[d];
    for (uint32_t d = 0; d < 6; d++) {
        int8_t v = piece->launch_variable[d];
        if (v >= 0)
            *(d < 3 ? &point->block[d] : &point->thread[d - 3]) = (uint32_t)piece->low[v];
    }
    for (uint32_t v = 0; v < piece->variables; v++)
        if (piece->loop_of[v] != FW_NONE)
            iterations[piece->loop_of[v]] = piece->low[v];
}

/* The answer at the point that the piece's lower bounds are; -1: not known. */
static int64_t ask(struct fw_bound *bound, const struct fw_piece *piece, const struct question *q,
                   int64_t *iterations)
{
    struct fw_point point;
    int64_t trips;
    bool known;
    set_point(bound, piece, &point, iterations);
    if (q->loop != FW_NONE)
        return bound_trips_at(bound, q->loop, &point, &trips) ? trips : -1;
    bool holds = bound_holds_at(bound, q->condition, &point, &known);
    return known ? holds == q->truth : -1;
}

/* The part in which `variable` runs from low to high, with its answer. */
static bool emit(struct fw_bound *bound, const struct fw_piece *piece, const struct question *q,
                 uint32_t variable, int64_t low, int64_t high, int64_t answer,
                 struct fw_piece_list *out)
{
    struct fw_piece *part;
    if (answer == 0)
        return true;
    if (variable == FW_NONE || low < high)
        part = bound_copy_piece(bound, piece);
    else if (!bound_fix(bound, piece, variable, low, &part))
        return false;
    if (!part)
        return true;
    if (variable != FW_NONE && low < high) {
        part->low[variable] = low;
        part->high[variable] = high;
        /* An iteration's end is where its loop's rows say, unless told that it is here. */
        part->closed[variable] = part->loop_of[variable] != FW_NONE;
    }
    if (q->loop != FW_NONE) {
        uint32_t v = bound_add_variable(part, 0, answer - 1);
        if (v == FW_NONE)
            return false;
        part->loop_of[v] = part->entered[v] = q->loop;
        part->fixed[v] = answer == 1;
        part->closed[v] = answer != 1;
    }
    bound_push(bound, out, part);
    return true;
}

/* All values of the variables in order[0..count-1]; the last one's runs are joined. */
static bool go_through(struct fw_bound *bound, const struct fw_piece *piece,
                       const struct question *q, const uint32_t *order, uint32_t count,
                       int64_t *iterations, struct fw_piece_list *out)
{
    struct fw_piece *part;
    if (count == 0) {
        int64_t answer = ask(bound, piece, q, iterations);
        return answer < 0 ? bound_piece_empty(bound, piece)
                          : emit(bound, piece, q, FW_NONE, 0, 0, answer, out);
    }
    uint32_t v = order[0];
    int64_t begun = piece->low[v], before = 0;
    for (int64_t value = piece->low[v]; value <= piece->high[v]; value++) {
        int64_t answer = 0;
        struct fw_arena_mark mark = fw_arena_mark(bound->scratch);
        if (!bound_fix(bound, piece, v, value, &part))
            return false;
        if (part && count > 1) {
            if (!go_through(bound, part, q, order + 1, count - 1, iterations, out))
                return false;
            continue;
        }
        if (part) {
            answer = ask(bound, part, q, iterations);
            if (answer < 0 && !bound_piece_empty(bound, part))
                return false;
            answer = answer < 0 ? 0 : answer;
        }
        fw_arena_release(bound->scratch, mark); /* what was asked with, nothing more */
        if (answer == before)
            continue;
        if (value > begun && !emit(bound, piece, q, v, begun, value - 1, before, out))
            return false;
        begun = value;
        before = answer;
    }
    return count > 1 || emit(bound, piece, q, v, begun, piece->high[v], before, out);
}

static bool by_points(struct fw_bound *bound, const struct fw_piece *piece,
                      const struct question *q, struct fw_piece_list *out)
{
    const struct fw_kernel *kernel = bound->kernel;
    struct mention m = mention_new(bound, piece);
    uint32_t order[FW_PIECE_VARIABLES], count = 0, first = out->count;
    int64_t points = 1;
    m.tolerant = q->loop == FW_NONE && may_leave_out(bound, q->condition);
    if (bound->symbolic ||
        (q->loop != FW_NONE ? mention_trips(&m, q->loop)
                            : fw_condition_any(&kernel->pool, q->condition, cannot_mention, &m)))
        return false;
    for (uint32_t v = 0; v < piece->variables; v++) {
        if (!m.variable[v] || piece->fixed[v])
            continue;
        int64_t extent = piece->high[v] >= FAR || piece->low[v] <= -FAR
                             ? MOST_POINTS + 1
                             : piece->high[v] - piece->low[v] + 1;
        points = extent > MOST_POINTS ? extent : points * extent;
        if (points > MOST_POINTS)
            return false;
        uint32_t place = count++; /* by extent: the largest is gone through last */
        for (; place > 0 && piece->high[order[place - 1]] - piece->low[order[place - 1]] >= extent;
             place--)
            order[place] = order[place - 1];
        order[place] = v;
    }
    int64_t *iterations = FW_ARRAY(bound->scratch, int64_t, kernel->loop_count);
    if (go_through(bound, piece, q, order, count, iterations, out))
        return true;
    out->count = first;
    return false;
}

bool bound_condition_by_points(struct fw_bound *bound, const struct fw_piece *piece,
                               fw_condition condition, bool truth, struct fw_piece_list *out)
{
    struct question q = {condition, truth, FW_NONE};
    return by_points(bound, piece, &q, out);
}

bool bound_loop_by_points(struct fw_bound *bound, const struct fw_piece *piece, uint32_t loop,
                          struct fw_piece_list *out)
{
    struct question q = {.loop = loop};
    return by_points(bound, piece, &q, out);
}

/* What kept an expression from being evaluated, where that is an argument. */
static void note_argument(const struct mention *m, struct linear_problem *problem)
{
    if (m->unbound == FW_NONE)
        return;
    problem->reason = FW_UNKNOWN_ARGUMENT;
    problem->parameter = m->unbound;
}

/* The mentioned variable with the fewest values that is not fixed; FW_NONE: all are. */
static uint32_t not_fixed(const struct mention *m)
{
    const struct fw_piece *piece = m->piece;
    uint32_t found = FW_NONE;
    for (uint32_t v = 0; v < piece->variables; v++)
        if (m->variable[v] && !piece->fixed[v] &&
            (found == FW_NONE ||
             piece->high[v] - piece->low[v] < piece->high[found] - piece->low[found]))
            found = v;
    return found;
}

enum linear_outcome bound_trips(struct fw_bound *bound, const struct fw_piece *piece, uint32_t loop,
                                int64_t *trips, struct linear_problem *problem)
{
    struct mention m = mention_new(bound, piece);
    struct fw_point point;
    problem->reason =
        bound->kernel->loops[loop].data_dependent ? FW_UNKNOWN_DATA : FW_UNKNOWN_NONAFFINE;
    problem->parameter = problem->variable = FW_NONE;
    if (bound->symbolic || mention_trips(&m, loop))
        return FAILED;
    problem->variable = not_fixed(&m);
    if (problem->variable != FW_NONE)
        return ENUMERATE;
    set_point(bound, piece, &point, FW_ARRAY(bound->scratch, int64_t, bound->kernel->loop_count));
    return bound_trips_at(bound, loop, &point, trips) ? LINEAR : FAILED;
}

enum linear_outcome bound_value_elsewhere(struct fw_bound *bound, const struct fw_piece *piece,
                                          const struct fw_atom_node *node, int64_t *value,
                                          struct linear_problem *problem)
{
    const struct fw_pool *pool = &bound->kernel->pool;
    struct mention m = mention_new(bound, piece);
    struct fw_point point;
    problem->reason = FW_UNKNOWN_NONAFFINE;
    problem->parameter = problem->variable = FW_NONE;
    if (bound->symbolic || fw_expression_any(pool, node->b, cannot_mention, &m))
        return FAILED;
    m.own[node->c] = true;
    if (fw_expression_any(pool, node->a, cannot_mention, &m))
        return FAILED;
    problem->variable = not_fixed(&m);
    if (problem->variable != FW_NONE)
        return ENUMERATE;
    set_point(bound, piece, &point, FW_ARRAY(bound->scratch, int64_t, bound->kernel->loop_count));
    return bound_value_at(bound, node, &point, value) ? LINEAR : FAILED;
}

enum linear_outcome bound_scalar(struct fw_bound *bound, const struct fw_piece *piece,
                                 const struct fw_atom_node *node, int64_t *value,
                                 struct linear_problem *problem)
{
    const struct fw_pool *pool = &bound->kernel->pool;
    struct mention m = mention_new(bound, piece);
    struct fw_point point;
    problem->reason = FW_UNKNOWN_NONAFFINE;
    problem->parameter = problem->variable = FW_NONE;
    if (bound->symbolic)
        return FAILED;
    if (fw_expression_any(pool, node->a, cannot_mention, &m) ||
        fw_expression_any(pool, node->b, cannot_mention, &m)) {
        note_argument(&m, problem);
        if (m.opaque)
            problem->reason = FW_UNKNOWN_DATA;
        return FAILED;
    }
    problem->variable = not_fixed(&m);
    for (uint32_t d = FW_THREAD_X; d <= FW_THREAD_Z; d++) {
        int8_t v = piece->launch_variable[d];
        if (v >= 0 && m.variable[v] && !piece->fixed[v])
            return FAILED;
    }
    if (problem->variable != FW_NONE)
        return ENUMERATE;
    set_point(bound, piece, &point, FW_ARRAY(bound->scratch, int64_t, bound->kernel->loop_count));
    return bound_atom_at(bound, node, &point, value) ? LINEAR : FAILED;
}

/* Asking whether an expression depends on a loop's iteration. */
struct dependence_search {
    const struct fw_kernel *kernel;
    uint32_t loop;
    unsigned depth;
};

static bool depends_on(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    struct dependence_search *search = user;
    const struct fw_kernel *kernel = search->kernel;
    (void)atom;
    if (node->kind == FW_ATOM_ITERATION)
        return node->a == search->loop;
    if (node->kind != FW_ATOM_TRIPS)
        return false;
    const struct fw_loop *info = &kernel->loops[node->a];
    bool found = ++search->depth > MOST_NESTING ||
                 (info->trips != FW_NO_EXPRESSION
                      ? fw_expression_any(&kernel->pool, info->trips, depends_on, search)
                      : fw_condition_any(&kernel->pool, info->stays, depends_on, search));
    search->depth--;
    return found;
}

bool bound_depends_on(const struct fw_bound *bound, fw_expression a, uint32_t loop)
{
    struct dependence_search search = {bound->kernel, loop, 0};
    return fw_expression_any(&bound->kernel->pool, a, depends_on, &search);
}
