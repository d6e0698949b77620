#include "summation.h"

void fw_state_replace(struct summation *s, struct state *state, unsigned source, unsigned target,
                      integer factor)
{
    struct work *work = s->work;
    for (uint32_t i = 0; i < state->count; i++)
        state->lines[i] = fw_line_shear(work, state->lines[i], target, source, factor);
    if (!fw_polynomial_has(state->weight, source))
        return;
    struct line *value = fw_line_new(work, (source > target ? source : target) + 1, false);
    value->at[source] = integer_constant(1);
    value->at[target] = factor;
    fw_line_finish(value);
    state->weight = fw_polynomial_substitute(work, state->weight, source,
                                             fw_polynomial_line(work, value, integer_constant(1)));
}

/* A mixed radix: x stands with a unit coefficient in the pair of lines low and high (which bound
 * x + rest to 0..width - 1), and everywhere else in the ratio 1 : ratio beside y. */
struct radix {
    uint32_t low;
    uint32_t high;
    unsigned x;
    unsigned y;
    integer ratio;
    integer width;
};

/* Whether the line has x and y in the ratio, or can be made to have: where the ratio is the whole
 * width, +-y + f >= 0 is the same as +-(ratio * y + x) + ... >= 0. */
static bool fits(struct work *work, const struct radix *radix, const struct line *line)
{
    integer at_x = line_get(line, radix->x);
    integer at_y = line_get(line, radix->y);
    if (integer_compare(work, at_y, integer_multiply(work, radix->ratio, at_x)) == 0)
        return true;
    return integer_is_zero(at_x) && integer_is_unit(at_y) &&
           integer_compare(work, integer_absolute(work, radix->ratio), radix->width) == 0;
}

static bool all_fit(struct summation *s, const struct state *state, const struct radix *radix)
{
    for (uint32_t i = 0; i < state->count; i++)
        if (i != radix->low && i != radix->high && !fits(s->work, radix, state->lines[i]))
            return false;
    return true;
}

/* The line over z = ratio * y + x, which takes x's column. */
static struct line *collapsed(struct work *work, const struct radix *radix, struct line *line,
                              const struct line *digit)
{
    integer at_y = line_get(line, radix->y);
    if (integer_is_zero(at_y))
        return line;
    struct line *zero = fw_line_new(work, 1, false);
    struct line *result;
    if (!integer_is_zero(line_get(line, radix->x))) {
        result = fw_line_combine(work, integer_constant(1), line, integer_constant(0), zero);
        result->at[radix->y] = integer_constant(0);
        fw_line_finish(result);
        return result;
    }
    /* sign * y + f >= 0 becomes sign * (ratio * y + digit) + |ratio| f (+ |ratio| - 1) >= 0, the
     * digit being x + rest from 0 to |ratio| - 1. */
    int sign = integer_sign(at_y) * integer_sign(radix->ratio);
    integer size = integer_absolute(work, radix->ratio);
    result = fw_line_combine(work, size, line, integer_constant(sign), digit);
    result->at[radix->y] = integer_constant(0);
    if (sign < 0)
        result->at[0] =
            integer_add(work, result->at[0], integer_subtract(work, size, integer_constant(1)));
    fw_line_finish(result);
    return result;
}

static void collapse(struct summation *s, struct state *state, const struct radix *radix)
{
    struct work *work = s->work;
    const struct line *digit = state->lines[radix->low];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < state->count; i++)
        if (i != radix->low && i != radix->high)
            state->lines[kept++] = collapsed(work, radix, state->lines[i], digit);
    state->count = kept;
    state->live &= ~((uint64_t)1 << radix->y);
    integer factor = integer_floor(work, radix->width, integer_absolute(work, radix->ratio));
    if (!integer_is(factor, 1))
        state->weight = fw_polynomial_scale(work, state->weight, factor, integer_constant(1));
}

/* Looks for a y beside x, given the pair and x; collapses when there is one. */
static bool collapse_beside(struct summation *s, struct state *state, struct radix *radix)
{
    struct work *work = s->work;
    uint64_t bit = (uint64_t)1 << radix->x;
    uint32_t other = 0;
    while (other < state->count &&
           (other == radix->low || other == radix->high || !(state->lines[other]->mask & bit)))
        other++;
    if (other == state->count)
        return false;
    const struct line *line = state->lines[other];
    integer at_x = line_get(line, radix->x);
    uint64_t candidates = summation_variables(s, line) & ~state->lines[radix->low]->mask & ~bit &
                          ~state->weight->mask;
    for
        EACH_COLUMN(y, candidates)
        {
            integer at_y = line_get(line, (unsigned)y);
            integer size = integer_absolute(work, at_x);
            if (!integer_is_zero(integer_modulo(work, at_y, size)))
                continue;
            radix->y = (unsigned)y;
            radix->ratio = integer_floor(work, at_y, size);
            if (integer_sign(at_x) < 0)
                radix->ratio = integer_negate(work, radix->ratio);
            integer ratio_size = integer_absolute(work, radix->ratio);
            if (integer_is_zero(integer_modulo(work, radix->width, ratio_size)) &&
                all_fit(s, state, radix)) {
                collapse(s, state, radix);
                return true;
            }
        }
    return false;
}

bool fw_state_collapse(struct summation *s, struct state *state)
{
    struct work *work = s->work;
    for (uint32_t i = 0; i < state->count; i++)
        for (uint32_t j = i + 1; j < state->count; j++) {
            const struct line *a = state->lines[i];
            const struct line *b = state->lines[j];
            if (a->hash != -b->hash || a->equality || b->equality || !summation_variables(s, a) ||
                !fw_line_parallel(work, a, b, -1))
                continue;
            struct radix radix = {.width = integer_add(work, integer_add(work, a->at[0], b->at[0]),
                                                       integer_constant(1))};
            uint64_t columns = summation_variables(s, a) & ~state->weight->mask;
            for
                EACH_COLUMN(x, columns)
                {
                    integer at_x = line_get(a, (unsigned)x);
                    if (!integer_is_unit(at_x))
                        continue;
                    radix.x = (unsigned)x;
                    radix.low = integer_sign(at_x) > 0 ? i : j;
                    radix.high = integer_sign(at_x) > 0 ? j : i;
                    if (collapse_beside(s, state, &radix))
                        return true;
                }
        }
    return false;
}

/* What a coefficient costs later: nothing, 1 for a unit, more with its size. */
static unsigned heaviness(integer a)
{
    if (integer_is_zero(a))
        return 0;
    return 1 + 2 * fw_integer_bits(a);
}

/* By how much the lines get lighter under y's coefficient += factor * x's. */
static int gain(struct summation *s, const struct state *state, unsigned x, unsigned y,
                integer factor)
{
    struct work *work = s->work;
    int sum = 0;
    for (uint32_t i = 0; i < state->count; i++) {
        const struct line *line = state->lines[i];
        if (!(line->mask >> x & 1))
            continue;
        integer at_y = line_get(line, y);
        integer moved = integer_add(work, at_y, integer_multiply(work, factor, line_get(line, x)));
        sum += (int)heaviness(at_y) - (int)heaviness(moved);
    }
    return sum;
}

/* -(a / b) rounded to nearest. */
static integer nearest(struct work *work, integer a, integer b)
{
    if (integer_sign(b) > 0)
        a = integer_negate(work, a);
    else
        b = integer_negate(work, b);
    integer twice = integer_add(work, integer_add(work, a, a), b);
    return integer_floor(work, twice, integer_add(work, b, b));
}

static bool has_heavy_line(struct summation *s, const struct state *state)
{
    for (uint32_t i = 0; i < state->count; i++) {
        uint64_t columns = summation_variables(s, state->lines[i]);
        if ((columns & (columns - 1)) == 0)
            continue;
        for
            EACH_COLUMN(column, columns)
        if (!integer_is_unit(line_get(state->lines[i], (unsigned)column)))
            return true;
    }
    return false;
}

bool fw_state_shear(struct summation *s, struct state *state)
{
    bool changed = false;
    if (!has_heavy_line(s, state))
        return false;
    for (unsigned round = 0; round < 100; round++) {
        int best = 0;
        unsigned best_x = 0;
        unsigned best_y = 0;
        integer best_factor = {0};
        for
            EACH_COLUMN(x, state->live)
        for (uint32_t i = 0; i < state->count; i++) {
            const struct line *line = state->lines[i];
            if (!(line->mask >> x & 1))
                continue;
            uint64_t others = summation_variables(s, line) & ~((uint64_t)1 << x);
                for
                    EACH_COLUMN(y, others)
                    {
                        integer factor = nearest(s->work, line_get(line, (unsigned)y),
                                                 line_get(line, (unsigned)x));
                        if (integer_is_zero(factor))
                            continue;
                        int now = gain(s, state, (unsigned)x, (unsigned)y, factor);
                        if (now <= best)
                            continue;
                        best = now;
                        best_x = (unsigned)x;
                        best_y = (unsigned)y;
                        best_factor = factor;
                    }
        }
        if (!best)
            break;
        work_spend(s->work, 1);
        fw_state_replace(s, state, best_x, best_y, best_factor);
        changed = true;
    }
    return changed;
}
