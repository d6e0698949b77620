#include "summation.h"

/* Splits `line` into divisor * (returned quotient) + rest, the rest's entries from 0 to
 * divisor - 1. */
static struct line *divide(struct work *work, const struct line *line, integer divisor,
                           struct line **rest)
{
    struct line *quotient = fw_line_new(work, line->width, false);
    *rest = fw_line_new(work, line->width, false);
    for (unsigned column = 0; column < line->width; column++) {
        quotient->at[column] = integer_floor(work, line->at[column], divisor);
        (*rest)->at[column] = integer_modulo(work, line->at[column], divisor);
    }
    fw_line_finish(quotient);
    fw_line_finish(*rest);
    return quotient;
}

static unsigned first_column(const struct line *line)
{
    unsigned column = 1;
    while (column < line->width && integer_is_zero(line->at[column]))
        column++;
    return column;
}

/* Whether floor(rest / divisor) is better written with the opposite sign: of the two forms the one
 * with the smaller leading coefficient, then the smaller constant, is kept. */
static bool wants_opposite(struct work *work, const struct line *rest, integer divisor)
{
    integer leading = rest->at[first_column(rest)];
    int order = integer_compare(work, integer_add(work, leading, leading), divisor);
    if (order)
        return order > 0;
    integer twice = integer_add(work, rest->at[0], rest->at[0]);
    return integer_compare(work, twice, divisor) >= 0;
}

unsigned fw_floor_column(struct summation *s, struct line *numerator, integer divisor)
{
    struct work *work = s->work;
    unsigned first = 1 + s->variables + s->parameters;
    for (unsigned i = 0; i < s->floor_count; i++)
        if (integer_compare(work, s->floors[i].divisor, divisor) == 0 &&
            fw_line_equal(work, s->floors[i].numerator, numerator))
            return first + i;
    unsigned column = first + s->floor_count;
    if (s->floor_count == FLOORS_MOST || column > COLUMNS_MOST)
        fw_work_fail(work, FW_ERROR_BUDGET);
    struct line *itself = fw_line_new(work, column + 1, false);
    itself->at[column] = divisor;
    fw_line_finish(itself);
    struct floor_column *floor = &s->floors[s->floor_count++];
    floor->numerator = numerator;
    floor->divisor = divisor;
    floor->low =
        fw_line_combine(work, integer_constant(1), numerator, integer_constant(-1), itself);
    floor->high =
        fw_line_combine(work, integer_constant(-1), numerator, integer_constant(1), itself);
    floor->high =
        fw_line_shift(work, floor->high, integer_subtract(work, divisor, integer_constant(1)));
    return column;
}

/* sign * (quotient + floor(rest / divisor)); a rest that is constant has floor 0. */
static struct line *assemble(struct summation *s, struct line *quotient, struct line *rest,
                             integer divisor, int sign)
{
    struct work *work = s->work;
    struct line *floor = fw_line_new(work, 1, false);
    if (first_column(rest) < rest->width) {
        unsigned column = fw_floor_column(s, rest, divisor);
        floor = fw_line_new(work, column + 1, false);
        floor->at[column] = integer_constant(1);
        fw_line_finish(floor);
    }
    return fw_line_combine(work, integer_constant(sign), quotient, integer_constant(sign), floor);
}

struct line *fw_floor_of(struct summation *s, const struct line *line, integer divisor)
{
    struct work *work = s->work;
    struct line *rest;
    struct line *quotient = divide(work, line, divisor, &rest);
    if (first_column(rest) >= rest->width)
        return quotient;
    /* floor((g e + c) / (g m)) = floor((e + floor(c / g)) / m) */
    integer common = divisor;
    for (unsigned column = 1; column < rest->width; column++)
        common = integer_gcd(work, common, rest->at[column]);
    for (unsigned column = 0; column < rest->width; column++)
        rest->at[column] = integer_floor(work, rest->at[column], common);
    fw_line_finish(rest);
    divisor = integer_floor(work, divisor, common);
    if (!wants_opposite(work, rest, divisor))
        return assemble(s, quotient, rest, divisor, 1);
    /* floor(e / m) = -floor((m - 1 - e) / m) */
    struct line *zero = fw_line_new(work, 1, false);
    zero->at[0] = integer_subtract(work, divisor, integer_constant(1));
    struct line *opposite =
        fw_line_combine(work, integer_constant(-1), rest, integer_constant(1), zero);
    struct line *opposite_rest;
    struct line *opposite_quotient = divide(work, opposite, divisor, &opposite_rest);
    opposite_quotient = fw_line_combine(work, integer_constant(1), opposite_quotient,
                                        integer_constant(-1), quotient);
    return assemble(s, opposite_quotient, opposite_rest, divisor, -1);
}

struct line **fw_floor_context(struct summation *s, struct line *const *lines, uint32_t count,
                               uint32_t *context_count)
{
    bool used[FLOORS_MOST] = {false};
    unsigned first = 1 + s->variables + s->parameters;
    struct line **context =
        FW_ARRAY(s->work->arena, struct line *, s->context_count + 2 * (size_t)s->floor_count + 1);
    uint32_t kept = 0;
    for (; kept < s->context_count; kept++)
        context[kept] = s->context[kept];
    for (uint32_t i = 0; i < count + kept; i++) {
        const struct line *line = i < count ? lines[i] : context[i - count];
        for (unsigned column = first; column < line->width; column++)
            used[column - first] |= !integer_is_zero(line->at[column]);
    }
    for (unsigned i = s->floor_count; i-- > 0;) {
        if (!used[i])
            continue;
        const struct line *numerator = s->floors[i].numerator;
        for (unsigned column = first; column < numerator->width; column++)
            used[column - first] |= !integer_is_zero(numerator->at[column]);
        context[kept++] = s->floors[i].low;
        context[kept++] = s->floors[i].high;
    }
    *context_count = kept;
    return context;
}

/* n * (n - 1) / 2 */
static integer triangle(struct work *work, integer n)
{
    integer product = integer_multiply(work, n, integer_subtract(work, n, integer_constant(1)));
    return integer_floor(work, product, integer_constant(2));
}

/* Sum of floor((slope * y + offset) / divisor), y from 0 to count - 1, by the Euclidean reduction
 * that swaps the roles of slope and divisor: a logarithmic number of rounds. */
static integer sum_from_zero(struct work *work, integer slope, integer offset, integer divisor,
                             integer count)
{
    integer sum = {0};
    int sign = 1;
    while (integer_sign(count) > 0) {
        work_spend(work, 1);
        integer part =
            integer_multiply(work, triangle(work, count), integer_floor(work, slope, divisor));
        part = integer_add(work, part,
                           integer_multiply(work, count, integer_floor(work, offset, divisor)));
        sum = integer_add(work, sum, integer_multiply(work, integer_constant(sign), part));
        slope = integer_modulo(work, slope, divisor);
        offset = integer_modulo(work, offset, divisor);
        if (integer_is_zero(slope))
            break;
        /* sum floor((s y + o) / d), 0 <= s, o < d, with M = floor((s (n-1) + o) / d):
         * (n-1) M - sum over z < M of floor((d z + d - o - 1) / s) */
        integer last = integer_subtract(work, count, integer_constant(1));
        integer most = integer_floor(
            work, integer_add(work, integer_multiply(work, slope, last), offset), divisor);
        integer area = integer_multiply(work, last, most);
        sum = integer_add(work, sum, integer_multiply(work, integer_constant(sign), area));
        offset =
            integer_subtract(work, integer_subtract(work, divisor, offset), integer_constant(1));
        integer swap = slope;
        slope = divisor;
        divisor = swap;
        count = most;
        sign = -sign;
    }
    return sum;
}

integer fw_floor_sum(struct work *work, integer slope, integer offset, integer divisor, integer low,
                     integer high)
{
    integer count = integer_add(work, integer_subtract(work, high, low), integer_constant(1));
    offset = integer_add(work, offset, integer_multiply(work, slope, low));
    return sum_from_zero(work, slope, offset, divisor, count);
}
