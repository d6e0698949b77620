#include "summation.h"

#include <string.h>

void fw_summation_init(struct summation *s, struct work *work, unsigned variables,
                       unsigned parameters)
{
    s->work = work;
    s->variables = variables;
    s->parameters = parameters;
    s->variable_mask = (((uint64_t)1 << variables) - 1) << 1;
    s->numeric = parameters == 0;
    s->floor_count = 0;
    s->context = NULL;
    s->context_count = 0;
    memset(&s->leaves, 0, sizeof(s->leaves));
    s->total = fw_polynomial_constant(work, integer_constant(0), integer_constant(1));
}

struct state fw_state_new(struct work *work, uint32_t capacity, uint64_t live,
                          struct polynomial *weight)
{
    return (struct state){.lines = FW_ARRAY(work->arena, struct line *, capacity),
                          .capacity = capacity,
                          .live = live,
                          .weight = weight};
}

void fw_state_push(struct work *work, struct state *state, struct line *line)
{
    if (state->count == state->capacity) {
        if (state->count >= LINES_MOST)
            fw_work_fail(work, FW_ERROR_BUDGET);
        size_t capacity = state->capacity;
        struct line **old = state->lines;
        state->lines = FW_ARRAY(work->arena, struct line *, capacity * 2 + 4);
        if (capacity)
            memcpy(state->lines, old, capacity * sizeof(struct line *));
        state->capacity = (uint32_t)(capacity * 2 + 4);
    }
    state->lines[state->count++] = line;
}

/* The greatest common divisor of the entries behind the constant. */
static integer common_divisor(struct work *work, const struct line *line)
{
    integer divisor = {0};
    for (unsigned column = line->width; column-- > 1;) {
        if (integer_is_zero(line->at[column]))
            continue;
        divisor = integer_gcd(work, divisor, line->at[column]);
        if (integer_is(divisor, 1))
            break;
    }
    return divisor;
}

/* `line` with its entries divided by their greatest common divisor and, where it has no variables
 * (or there are no parameters), its constant tightened; NULL when no integer point satisfies it. */
static struct line *tighten(struct summation *s, struct line *line)
{
    struct work *work = s->work;
    integer divisor = common_divisor(work, line);
    if (integer_is(divisor, 1))
        return line;
    if (integer_is_zero(divisor)) {
        int sign = integer_sign(line->at[0]);
        return sign < 0 || (line->equality && sign) ? NULL : line;
    }
    bool exact = integer_is_zero(integer_modulo(work, line->at[0], divisor));
    if (!exact && line->equality)
        return NULL;
    if (!exact && !s->numeric && summation_variables(s, line)) {
        divisor = integer_gcd(work, divisor, line->at[0]);
        if (integer_is(divisor, 1))
            return line;
    }
    struct line *result = fw_line_new(work, line->width, line->equality);
    for (unsigned column = 0; column < line->width; column++)
        result->at[column] = integer_floor(work, line->at[column], divisor);
    fw_line_finish(result);
    return result;
}

/* A line that joins two parallel ones (direction 1) or two opposite ones (-1).  What it does:
 * keeps both, keeps the joint line only, or finds that there is no point. */
enum joining { JOIN_NOTHING, JOIN_ONE, JOIN_EMPTY };

static enum joining join(struct work *work, struct line *a, struct line *b, int direction,
                         struct line **joint)
{
    integer other = direction > 0 ? integer_negate(work, b->at[0]) : b->at[0];
    int sum = integer_sign(integer_add(work, a->at[0], other)); /* of a + b or a - b */
    *joint = a;
    if (direction > 0) {
        if (a->equality || b->equality) {
            /* b == 0 fixes the expression at -b's constant; a >= 0 asks for a - b >= 0 */
            if (sum && (a->equality == b->equality || (b->equality ? sum < 0 : sum > 0)))
                return JOIN_EMPTY;
            *joint = a->equality ? a : b;
            return JOIN_ONE;
        }
        *joint = sum <= 0 ? a : b;
        return JOIN_ONE;
    }
    if (a->equality || b->equality) {
        if (sum < 0 || (sum && a->equality && b->equality))
            return JOIN_EMPTY;
        *joint = a->equality ? a : b;
        return JOIN_ONE;
    }
    if (sum < 0)
        return JOIN_EMPTY;
    if (sum > 0)
        return JOIN_NOTHING;
    *joint = fw_line_shift(work, a, integer_constant(0));
    (*joint)->equality = true;
    return JOIN_ONE;
}

bool fw_state_tidy(struct summation *s, struct state *state)
{
    struct work *work = s->work;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < state->count; i++) {
        struct line *line = tighten(s, state->lines[i]);
        if (!line)
            return false;
        if (!line->hash && !line->mask && integer_is_zero(common_divisor(work, line)))
            continue; /* a true constant */
        bool placed = false;
        for (uint32_t j = 0; j < kept && !placed; j++) {
            int direction = state->lines[j]->hash == line->hash    ? 1
                            : state->lines[j]->hash == -line->hash ? -1
                                                                   : 0;
            if (!direction || !fw_line_parallel(work, state->lines[j], line, direction))
                continue;
            struct line *joint;
            enum joining joining = join(work, state->lines[j], line, direction, &joint);
            if (joining == JOIN_EMPTY)
                return false;
            if (joining == JOIN_ONE) {
                /* The joint line meets the others again. */
                state->lines[j] = state->lines[--kept];
                line = joint;
                j = UINT32_MAX;
            }
        }
        state->lines[kept++] = line;
    }
    state->count = kept;
    return true;
}

bool fw_state_reduce(struct summation *s, struct state *state)
{
    uint32_t context_count;
    struct line **context = fw_floor_context(s, state->lines, state->count, &context_count);
    return fw_simplex_reduce(s->work, state->lines, &state->count, context, context_count) !=
           SIMPLEX_EMPTY;
}

void fw_state_substitute(struct summation *s, struct state *state, unsigned column,
                         const struct line *value)
{
    struct work *work = s->work;
    for (uint32_t i = 0; i < state->count; i++)
        state->lines[i] = fw_line_substitute(work, state->lines[i], column, value);
    if (fw_polynomial_has(state->weight, column))
        state->weight = fw_polynomial_substitute(
            work, state->weight, column, fw_polynomial_line(work, value, integer_constant(1)));
    state->live &= ~((uint64_t)1 << column);
}

struct line *fw_line_solved(struct work *work, const struct line *line, unsigned column)
{
    int32_t sign = integer_sign(line_get(line, column)) > 0 ? -1 : 1;
    struct line *zero = fw_line_new(work, 1, false);
    struct line *value =
        fw_line_combine(work, integer_constant(sign), line, integer_constant(0), zero);
    value->at[column] = integer_constant(0);
    fw_line_finish(value);
    return value;
}

/* coefficient * x + p = 0 with p over parameters: x = floor(-p / c), and c divides p. */
static void use_last_variable(struct summation *s, struct state *state, struct line *line,
                              unsigned column)
{
    struct work *work = s->work;
    integer coefficient = line_get(line, column);
    struct line *rest = fw_line_solved(work, line, column);
    integer divisor = integer_absolute(work, coefficient);
    struct line *value = fw_floor_of(s, rest, divisor);
    struct line *guard =
        fw_line_combine(work, integer_constant(1), rest, integer_negate(work, divisor), value);
    guard->equality = true;
    fw_line_reduce(work, guard);
    fw_state_substitute(s, state, column, value);
    fw_state_push(work, state, guard);
}

/* Uses up one equality that has variables; false when there is none. */
static bool use_equality(struct summation *s, struct state *state)
{
    struct work *work = s->work;
    uint32_t place = 0;
    while (place < state->count &&
           !(state->lines[place]->equality && summation_variables(s, state->lines[place])))
        place++;
    if (place == state->count)
        return false;
    struct line *line = state->lines[place];
    uint64_t columns = summation_variables(s, line);
    unsigned least = (unsigned)__builtin_ctzll(columns);
    for
        EACH_COLUMN(column, columns)
        {
            integer here = integer_absolute(work, line_get(line, (unsigned)column));
            integer best = integer_absolute(work, line_get(line, least));
            int order = integer_compare(work, here, best);
            if (order < 0 || (order == 0 && (state->weight->mask >> least & 1)))
                least = (unsigned)column;
        }
    integer coefficient = line_get(line, least);
    if (!integer_is_unit(coefficient) && (columns & (columns - 1)) != 0) {
        /* Euclid: least := least - quotient * other makes the other's coefficient smaller. */
        unsigned other = (unsigned)__builtin_ctzll(columns & ~((uint64_t)1 << least));
        integer size = integer_absolute(work, coefficient);
        integer quotient = integer_floor(work, line_get(line, other), size);
        if (integer_sign(coefficient) > 0)
            quotient = integer_negate(work, quotient);
        fw_state_replace(s, state, least, other, quotient);
        return true;
    }
    state->lines[place] = state->lines[--state->count];
    if (integer_is_unit(coefficient))
        fw_state_substitute(s, state, least, fw_line_solved(work, line, least));
    else
        use_last_variable(s, state, line, least);
    return true;
}

static uint64_t guard_hash(struct line *const *guards, uint32_t count)
{
    uint64_t sum = count;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t mixed = (guards[i]->hash + guards[i]->equality) * 0x9e3779b97f4a7c15u +
                         fw_integer_hash(guards[i]->at[0]);
        mixed ^= mixed >> 29;
        sum += mixed * 0xbf58476d1ce4e5b9u;
    }
    return sum;
}

static bool same_guards(struct work *work, const struct leaf *leaf, struct line *const *guards,
                        uint32_t count)
{
    if (leaf->guard_count != count)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = 0;
        while (j < count && !fw_line_equal(work, guards[i], leaf->guards[j]))
            j++;
        if (j == count)
            return false;
    }
    return true;
}

/* Keeps a state that has no variables left. */
static void add_leaf(struct summation *s, struct state *state)
{
    struct work *work = s->work;
    if (s->numeric) {
        s->total = fw_polynomial_add(work, s->total, state->weight);
        return;
    }
    if (!fw_state_reduce(s, state) || !fw_state_tidy(s, state))
        return;
    work_spend(work, 4 + s->leaves.count / 16);
    uint64_t hash = guard_hash(state->lines, state->count);
    for (size_t i = 0; i < s->leaves.count; i++) {
        struct leaf *leaf = &s->leaves.at[i];
        if (leaf->hash == hash && same_guards(work, leaf, state->lines, state->count)) {
            leaf->value = fw_polynomial_add(work, leaf->value, state->weight);
            return;
        }
    }
    *FW_APPEND(work->arena, &s->leaves) = (struct leaf){
        .guards = state->lines, .guard_count = state->count, .value = state->weight, .hash = hash};
}

struct fw_arena_mark fw_summation_mark(const struct summation *s)
{
    return fw_arena_mark(s->work->arena);
}

void fw_summation_release(struct summation *s, struct fw_arena_mark mark)
{
    const struct polynomial *total = s->total;
    integer value = total->count ? total->terms[0].coefficient : integer_constant(0);
    integer denominator = total->denominator;
    if (!s->numeric || !integer_is_small(value) || !integer_is_small(denominator))
        return;
    fw_arena_release(s->work->arena, mark);
    s->total = fw_polynomial_constant(s->work, value, denominator);
}

/* The variables that hang together with the first of `columns` through lines. */
static uint64_t component(struct summation *s, const struct state *state, uint64_t columns)
{
    uint64_t reached = columns & -columns;
    for (bool grown = true; grown;) {
        grown = false;
        for (uint32_t i = 0; i < state->count; i++) {
            uint64_t mask = summation_variables(s, state->lines[i]);
            if ((mask & reached) && (mask & ~reached)) {
                reached |= mask;
                grown = true;
            }
        }
    }
    return reached;
}

/* The lines of one group of variables, and those without variables. */
static struct state group_state(struct summation *s, const struct state *state, uint64_t group)
{
    struct work *work = s->work;
    struct polynomial *one = fw_polynomial_constant(work, integer_constant(1), integer_constant(1));
    struct state part = fw_state_new(work, state->count + 4, group, one);
    for (uint32_t i = 0; i < state->count; i++) {
        uint64_t columns = summation_variables(s, state->lines[i]);
        if (!columns || (columns & group))
            part.lines[part.count++] = state->lines[i];
    }
    return part;
}

/* Without parameters: the product of the groups' totals. */
static void multiply_totals(struct summation *s, struct state *state)
{
    struct work *work = s->work;
    struct polynomial *before = s->total;
    struct polynomial *product = state->weight;
    uint64_t group;
    for (uint64_t rest = state->live; rest; rest &= ~group) {
        group = component(s, state, rest);
        struct state part = group_state(s, state, group);
        s->total = fw_polynomial_constant(work, integer_constant(0), integer_constant(1));
        fw_state_solve(s, &part);
        product = fw_polynomial_multiply(work, product, s->total);
        if (polynomial_is_zero(product))
            break;
    }
    s->total = fw_polynomial_add(work, before, product);
}

/* With parameters: every leaf of the first group beside every leaf of the others. */
static void multiply_leaves(struct summation *s, struct state *state, uint64_t group)
{
    struct work *work = s->work;
    struct leaf *before = s->leaves.at;
    size_t before_count = s->leaves.count;
    size_t before_capacity = s->leaves.capacity;
    struct state parts[2] = {group_state(s, state, group),
                             group_state(s, state, state->live & ~group)};
    struct leaf *leaves[2] = {NULL, NULL};
    size_t counts[2] = {0, 0};
    for (unsigned i = 0; i < 2; i++) {
        memset(&s->leaves, 0, sizeof(s->leaves));
        fw_state_solve(s, &parts[i]);
        leaves[i] = s->leaves.at;
        counts[i] = s->leaves.count;
        if (!counts[i])
            break;
    }
    s->leaves.at = before;
    s->leaves.count = before_count;
    s->leaves.capacity = before_capacity;
    for (size_t i = 0; i < counts[0]; i++)
        for (size_t j = 0; j < counts[1]; j++) {
            const struct leaf *a = &leaves[0][i];
            const struct leaf *b = &leaves[1][j];
            struct state both = fw_state_new(
                work, a->guard_count + b->guard_count + 4, 0,
                fw_polynomial_multiply(work, state->weight,
                                       fw_polynomial_multiply(work, a->value, b->value)));
            for (uint32_t k = 0; k < a->guard_count; k++)
                both.lines[both.count++] = a->guards[k];
            for (uint32_t k = 0; k < b->guard_count; k++)
                both.lines[both.count++] = b->guards[k];
            fw_state_solve(s, &both);
        }
}

/* Variables that share no lines multiply where the weight has none of them: sums each group alone,
 * so that what residues split is merged before it meets the others.  False when all hang together.
 */
static bool sum_components(struct summation *s, struct state *state)
{
    if ((state->weight->mask & s->variable_mask) || !state->live)
        return false;
    uint64_t group = component(s, state, state->live);
    if (group == state->live)
        return false;
    if (s->numeric)
        multiply_totals(s, state);
    else
        multiply_leaves(s, state, group);
    return true;
}

void fw_state_solve(struct summation *s, struct state *state)
{
    work_spend(s->work, 1 + state->count / 4);
    bool sheared = false;
    for (;;) {
        if (polynomial_is_zero(state->weight) || !fw_state_tidy(s, state))
            return;
        if (use_equality(s, state) || fw_state_collapse(s, state))
            continue;
        if (sheared || !state->live || !fw_state_shear(s, state))
            break;
        sheared = true;
    }
    if (!state->live) {
        add_leaf(s, state);
        return;
    }
    if (!sum_components(s, state))
        fw_state_eliminate(s, state);
}

void fw_summation_add(struct summation *s, struct state *state)
{
    fw_state_solve(s, state);
}
