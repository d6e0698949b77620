#include "summation.h"

#include <math.h>
#include <string.h>

/* What eliminating a variable would lead to. */
struct choice {
    unsigned column;
    uint32_t lowers;
    uint32_t uppers;
    double cost;
};

/* What a bound with the given coefficient costs: a unit nothing more, others their residues. */
static double bound_cost(struct summation *s, const struct line *line, unsigned column)
{
    struct work *work = s->work;
    integer size = integer_absolute(work, line_get(line, column));
    if (integer_is(size, 1))
        return 1;
    uint64_t others = summation_variables(s, line) & ~((uint64_t)1 << column);
    for
        EACH_COLUMN(other, others)
    if (!integer_is_zero(integer_modulo(work, line_get(line, (unsigned)other), size)))
        return fw_integer_bits(size) < 50 ? ldexp(1, (int)fw_integer_bits(size)) + 1 : 1e15;
    return 1.2;
}

/* The factor that a parallel pair of constant width stands for (width / coefficient), 0: none. */
static integer constant_factor(struct summation *s, const struct state *state,
                               const struct line *low, const struct line *high, unsigned column)
{
    struct work *work = s->work;
    if (fw_polynomial_has(state->weight, column) || low->hash != -high->hash ||
        !fw_line_parallel(work, low, high, -1))
        return integer_constant(0);
    integer width =
        integer_add(work, integer_add(work, low->at[0], high->at[0]), integer_constant(1));
    integer coefficient = line_get(low, column);
    if (!integer_is_zero(integer_modulo(work, width, coefficient)))
        return integer_constant(0);
    return integer_floor(work, width, coefficient);
}

static struct choice judge(struct summation *s, const struct state *state, unsigned column)
{
    struct choice choice = {.column = column};
    const struct line *low = NULL;
    const struct line *high = NULL;
    double low_cost = 0;
    double high_cost = 0;
    for (uint32_t i = 0; i < state->count; i++) {
        const struct line *line = state->lines[i];
        if (!(line->mask >> column & 1))
            continue;
        if (integer_sign(line_get(line, column)) > 0) {
            low = line;
            choice.lowers++;
            low_cost += bound_cost(s, line, column);
        } else {
            high = line;
            choice.uppers++;
            high_cost += bound_cost(s, line, column);
        }
    }
    choice.cost = low_cost * high_cost;
    if (choice.lowers == 1 && choice.uppers == 1 &&
        !integer_is_zero(constant_factor(s, state, low, high, column)))
        choice.cost = 0.5;
    /* Among equals, a variable that the weight does not have. */
    if (fw_polynomial_has(state->weight, column))
        choice.cost *= 1.01;
    return choice;
}

static struct choice choose(struct summation *s, const struct state *state)
{
    struct choice best = {.cost = HUGE_VAL};
    for
        EACH_COLUMN(column, state->live)
        {
            struct choice choice = judge(s, state, (unsigned)column);
            if (choice.cost < best.cost)
                best = choice;
            if (!choice.lowers || !choice.uppers)
                return choice;
        }
    return best;
}

/* A bound's residual: makes the variables of `line` modulo its coefficient of `column` one alone,
 * by unimodular replacements (which change the lines of the state and both bounds).  Returns that
 * variable, or 0 when none is left. */
static unsigned residual_variable(struct summation *s, struct state *state, struct line **bounds,
                                  unsigned which, unsigned column)
{
    struct work *work = s->work;
    for (;;) {
        const struct line *line = bounds[which];
        integer modulus = integer_absolute(work, line_get(line, column));
        uint64_t others = summation_variables(s, line) & ~((uint64_t)1 << column);
        unsigned least = 0;
        unsigned second = 0;
        integer least_rest = {0};
        integer second_rest = {0};
        for
            EACH_COLUMN(other, others)
            {
                integer rest = integer_modulo(work, line_get(line, (unsigned)other), modulus);
                integer opposite = integer_subtract(work, rest, modulus);
                if (integer_is_zero(rest))
                    continue;
                if (integer_compare(work, integer_negate(work, opposite), rest) < 0)
                    rest = opposite;
                if (!least || integer_compare(work, integer_absolute(work, rest),
                                              integer_absolute(work, least_rest)) < 0) {
                    second = least;
                    second_rest = least_rest;
                    least = (unsigned)other;
                    least_rest = rest;
                } else {
                    second = (unsigned)other;
                    second_rest = rest;
                }
            }
        if (!second)
            return least;
        /* least := least - quotient * second */
        integer quotient = integer_floor(work, second_rest, integer_absolute(work, least_rest));
        if (integer_sign(least_rest) > 0)
            quotient = integer_negate(work, quotient);
        fw_state_replace(s, state, least, second, quotient);
        bounds[0] = fw_line_shear(work, bounds[0], second, least, quotient);
        bounds[1] = fw_line_shear(work, bounds[1], second, least, quotient);
    }
}

/* floor(rest of the line / |coefficient of column|): the bound's polynomial.  All variables of the
 * rest are multiples of the coefficient. */
static struct polynomial *rounded(struct summation *s, const struct line *line, unsigned column)
{
    struct work *work = s->work;
    integer divisor = integer_absolute(work, line_get(line, column));
    struct line *zero = fw_line_new(work, 1, false);
    struct line *rest = fw_line_combine(work, integer_constant(1), line, integer_constant(0), zero);
    rest->at[column] = integer_constant(0);
    fw_line_finish(rest);
    struct line *floor = integer_is(divisor, 1) ? rest : fw_floor_of(s, rest, divisor);
    return fw_polynomial_line(work, floor, integer_constant(1));
}

/* Without parameters, with one further variable y and a constant weight: the sum over y of the
 * range's length, as two floor sums.  False when that is not the case. */
static bool sum_floors(struct summation *s, struct state *state, struct line *const *bounds,
                       unsigned column)
{
    struct work *work = s->work;
    if (!s->numeric || state->weight->mask || (state->live & (state->live - 1)) != 0)
        return false;
    if (!fw_state_tidy(s, state))
        return true;
    unsigned y = (unsigned)__builtin_ctzll(state->live);
    const struct line *low = NULL;
    const struct line *high = NULL;
    for (uint32_t i = 0; i < state->count; i++) {
        const struct line *line = state->lines[i];
        if (line->equality || !integer_is_unit(line_get(line, y)))
            return false;
        if (integer_sign(line_get(line, y)) > 0)
            low = line;
        else
            high = line;
    }
    if (!low || !high)
        return false;
    integer from = integer_negate(work, low->at[0]);
    integer to = high->at[0];
    integer sum = integer_add(work, integer_subtract(work, to, from), integer_constant(1));
    if (integer_sign(sum) <= 0)
        return true;
    for (unsigned i = 0; i < 2; i++)
        sum = integer_add(work, sum,
                          fw_floor_sum(work, line_get(bounds[i], y), bounds[i]->at[0],
                                       integer_absolute(work, line_get(bounds[i], column)), from,
                                       to));
    s->total = fw_polynomial_add(
        work, s->total, fw_polynomial_scale(work, state->weight, sum, integer_constant(1)));
    return true;
}

static void sum_between(struct summation *s, struct state *state, struct line *low,
                        struct line *high, unsigned column);

/* Whether the line bounds y by a constant: +-y + constant >= 0. */
static bool is_plain_bound(const struct line *line, unsigned y)
{
    if (line->equality || !integer_is_unit(line_get(line, y)))
        return false;
    for (unsigned column = 1; column < line->width; column++)
        if (column != y && !integer_is_zero(line->at[column]))
            return false;
    return true;
}

/* The variable's range between constants: its length, 0 where one side is open. */
static integer plain_range(struct summation *s, const struct state *state, unsigned y,
                           integer *from)
{
    struct work *work = s->work;
    const struct line *low = NULL;
    const struct line *high = NULL;
    for (uint32_t i = 0; i < state->count; i++) {
        const struct line *line = state->lines[i];
        if (!is_plain_bound(line, y))
            continue;
        if (integer_sign(line_get(line, y)) > 0)
            low = line;
        else
            high = line;
    }
    if (!low || !high)
        return integer_constant(0);
    *from = integer_negate(work, low->at[0]);
    return integer_add(work, integer_add(work, low->at[0], high->at[0]), integer_constant(1));
}

/* The state with y := scale * y + shift; a scale of 0 fixes y. */
static struct state stretched(struct summation *s, const struct state *state, unsigned y,
                              integer scale, integer shift)
{
    struct work *work = s->work;
    struct state part = fw_state_new(work, state->count + 4, state->live, state->weight);
    work_spend(work, 2);
    for (uint32_t i = 0; i < state->count; i++)
        part.lines[i] = fw_line_stretch(work, state->lines[i], y, scale, shift);
    part.count = state->count;
    if (integer_is_zero(scale))
        part.live &= ~((uint64_t)1 << y);
    if (fw_polynomial_has(part.weight, y)) {
        struct line *value = fw_line_new(work, y + 1, false);
        value->at[y] = scale;
        value->at[0] = shift;
        part.weight = fw_polynomial_substitute(
            work, part.weight, y, fw_polynomial_line(work, value, integer_constant(1)));
    }
    return part;
}

/* Sums every residue of y modulo `period` alone, or every value of y where there are fewer. */
static void split(struct summation *s, struct state *state, struct line *const *bounds,
                  unsigned column, unsigned y, integer period)
{
    struct work *work = s->work;
    if (!fw_state_reduce(s, state))
        return;
    integer from = {0};
    integer scale = period;
    integer parts = plain_range(s, state, y, &from);
    if (integer_sign(parts) <= 0 || integer_compare(work, parts, period) > 0) {
        parts = period;
        from = integer_constant(0);
    } else {
        scale = integer_constant(0);
    }
    if (fw_integer_bits(parts) > 20)
        fw_work_fail(work, FW_ERROR_BUDGET);
    for (int64_t i = 0; i < integer_small(parts); i++) {
        struct fw_arena_mark mark = fw_summation_mark(s);
        integer shift = integer_add(work, from, integer_of(work, i));
        struct state part = stretched(s, state, y, scale, shift);
        sum_between(s, &part, fw_line_stretch(work, bounds[0], y, scale, shift),
                    fw_line_stretch(work, bounds[1], y, scale, shift), column);
        fw_summation_release(s, mark);
    }
}

/* Sums over the column between one lower and one upper bound, which need not stand in the state's
 * lines; those do not have the column. */
static void sum_between(struct summation *s, struct state *state, struct line *low,
                        struct line *high, unsigned column)
{
    struct work *work = s->work;
    integer factor = constant_factor(s, state, low, high, column);
    state->live &= ~((uint64_t)1 << column);
    if (!integer_is_zero(factor)) {
        state->weight = fw_polynomial_scale(work, state->weight, factor, integer_constant(1));
        fw_state_solve(s, state);
        return;
    }
    struct line *bounds[2] = {low, high};
    for (unsigned which = 0; which < 2; which++) {
        unsigned y = residual_variable(s, state, bounds, which, column);
        if (!y)
            continue;
        if (sum_floors(s, state, bounds, column))
            return;
        integer modulus = integer_absolute(work, line_get(bounds[which], column));
        integer common = integer_gcd(work, line_get(bounds[which], y), modulus);
        split(s, state, bounds, column, y, integer_floor(work, modulus, common));
        return;
    }
    struct polynomial *from = rounded(s, bounds[0], column);
    from = fw_polynomial_scale(work, from, integer_constant(-1), integer_constant(1));
    state->weight =
        fw_polynomial_sum(work, state->weight, column, from, rounded(s, bounds[1], column));
    fw_state_solve(s, state);
}

/* The line that says that bound a is at least as tight as b (tighter, when `strict`): for lower
 * bounds -rest_a / a >= -rest_b / b, likewise for upper ones. */
static struct line *at_least_as_tight(struct summation *s, const struct line *a,
                                      const struct line *b, unsigned column, bool strict)
{
    struct work *work = s->work;
    integer size_a = integer_absolute(work, line_get(a, column));
    integer size_b = integer_absolute(work, line_get(b, column));
    struct line *line = fw_line_combine(work, size_a, b, integer_negate(work, size_b), a);
    if (strict)
        line->at[0] = integer_subtract(work, line->at[0], integer_constant(1));
    fw_line_reduce(work, line);
    return line;
}

/* The line that says that the rational range between the bounds is not negative. */
static struct line *range_exists(struct summation *s, const struct line *low,
                                 const struct line *high, unsigned column)
{
    struct work *work = s->work;
    struct line *line = fw_line_combine(work, integer_absolute(work, line_get(high, column)), low,
                                        line_get(low, column), high);
    fw_line_reduce(work, line);
    return line;
}

static void sum_pair(struct summation *s, const struct state *state, struct line *const *lowers,
                     uint32_t lower, uint32_t lower_count, struct line *const *uppers,
                     uint32_t upper, uint32_t upper_count, unsigned column)
{
    struct work *work = s->work;
    struct state part = fw_state_new(work, state->count + lower_count + upper_count + 4,
                                     state->live, state->weight);
    for (uint32_t i = 0; i < state->count; i++)
        if (!(state->lines[i]->mask >> column & 1))
            part.lines[part.count++] = state->lines[i];
    for (uint32_t i = 0; i < lower_count; i++)
        if (i != lower)
            part.lines[part.count++] =
                at_least_as_tight(s, lowers[lower], lowers[i], column, i < lower);
    for (uint32_t i = 0; i < upper_count; i++)
        if (i != upper)
            part.lines[part.count++] =
                at_least_as_tight(s, uppers[upper], uppers[i], column, i < upper);
    part.lines[part.count++] = range_exists(s, lowers[lower], uppers[upper], column);
    if (!fw_state_tidy(s, &part))
        return;
    if (lower_count * upper_count > 1 && !fw_state_reduce(s, &part))
        return;
    sum_between(s, &part, lowers[lower], uppers[upper], column);
}

/* A variable of few values, where one at a time is cheaper than the best elimination: 0, none. */
static unsigned few_values(struct summation *s, const struct state *state, double cost,
                           integer *from, int64_t *count)
{
    unsigned best = 0;
    for
        EACH_COLUMN(column, state->live)
        {
            integer low;
            integer range = plain_range(s, state, (unsigned)column, &low);
            if (integer_sign(range) <= 0 || !integer_is_small(range) ||
                (double)integer_small(range) >= cost)
                continue;
            best = (unsigned)column;
            cost = (double)integer_small(range);
            *count = integer_small(range);
            *from = low;
        }
    return best;
}

/* Sums every value of the variable alone. */
static void enumerate(struct summation *s, const struct state *state, unsigned column, integer from,
                      int64_t count)
{
    struct work *work = s->work;
    for (int64_t i = 0; i < count; i++) {
        struct fw_arena_mark mark = fw_summation_mark(s);
        struct state part = stretched(s, state, column, integer_constant(0),
                                      integer_add(work, from, integer_of(work, i)));
        fw_state_solve(s, &part);
        fw_summation_release(s, mark);
    }
}

/* Every pair of a lower and an upper bound. */
static void sum_pairs(struct summation *s, const struct state *state, unsigned column)
{
    struct line *lowers[LINES_MOST];
    struct line *uppers[LINES_MOST];
    uint32_t lower_count = 0;
    uint32_t upper_count = 0;
    if (state->count > LINES_MOST)
        fw_work_fail(s->work, FW_ERROR_BUDGET);
    for (uint32_t i = 0; i < state->count; i++) {
        struct line *line = state->lines[i];
        if (!(line->mask >> column & 1))
            continue;
        if (integer_sign(line_get(line, column)) > 0)
            lowers[lower_count++] = line;
        else
            uppers[upper_count++] = line;
    }
    for (uint32_t i = 0; i < lower_count; i++)
        for (uint32_t j = 0; j < upper_count; j++) {
            struct fw_arena_mark mark = fw_summation_mark(s);
            sum_pair(s, state, lowers, i, lower_count, uppers, j, upper_count, column);
            fw_summation_release(s, mark);
        }
}

void fw_state_eliminate(struct summation *s, struct state *state)
{
    struct choice choice = choose(s, state);
    if (choice.lowers * choice.uppers != 1 || choice.cost > 2) {
        if (!fw_state_reduce(s, state))
            return;
        choice = choose(s, state);
        if (!choice.lowers || !choice.uppers)
            fw_work_fail(s->work, FW_ERROR_INPUT);
    }
    integer from = {0};
    int64_t values = 0;
    unsigned few = choice.cost > 2.5 ? few_values(s, state, choice.cost, &from, &values) : 0;
    if (few)
        enumerate(s, state, few, from, values);
    else
        sum_pairs(s, state, choice.column);
}
