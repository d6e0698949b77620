#include "polynomial.h"

#include <stdlib.h>
#include <string.h>

enum { TERMS_MOST = 20000 };

unsigned fw_monomial_power(monomial columns, unsigned column)
{
    unsigned power = 0;
    for (; columns; columns = monomial_rest(columns))
        power += monomial_first(columns) == column;
    return power;
}

bool fw_polynomial_has(const struct polynomial *a, unsigned column)
{
    if (column < 64)
        return a->mask >> column & 1;
    for (uint32_t i = 0; i < a->count; i++)
        if (fw_monomial_power(a->terms[i].columns, column))
            return true;
    return false;
}

monomial fw_monomial_multiply(struct work *work, monomial a, monomial b)
{
    monomial result = 0;
    unsigned degree = 0;
    if (!a || !b)
        return a | b;
    while (a || b) {
        monomial *greater = monomial_first(a) >= monomial_first(b) ? &a : &b;
        if (++degree > DEGREE_MOST)
            fw_work_fail(work, FW_ERROR_BUDGET);
        result |= monomial_of(monomial_first(*greater)) >> (MONOMIAL_FIELD * (degree - 1));
        *greater = monomial_rest(*greater);
    }
    return result;
}

/* The monomial with every `column` taken out. */
static monomial without(monomial columns, unsigned column)
{
    monomial result = 0;
    for (unsigned shift = 0; columns; columns = monomial_rest(columns)) {
        if (monomial_first(columns) == column)
            continue;
        result |= monomial_of(monomial_first(columns)) >> shift;
        shift += MONOMIAL_FIELD;
    }
    return result;
}

static struct polynomial *allocate(struct work *work, size_t count)
{
    if (count > TERMS_MOST)
        fw_work_fail(work, FW_ERROR_BUDGET);
    work_spend(work, 1 + count / 8);
    struct polynomial *result =
        fw_arena_alloc(work->arena, sizeof(struct polynomial) + count * sizeof(struct term));
    result->denominator = integer_constant(1);
    return result;
}

/* Divides numerators and denominator by what they have in common, and notes the columns. */
static struct polynomial *finish(struct work *work, struct polynomial *a)
{
    integer divisor = a->denominator;
    for (uint32_t i = 0; i < a->count && !integer_is(divisor, 1); i++)
        divisor = integer_gcd(work, divisor, a->terms[i].coefficient);
    if (!integer_is(divisor, 1)) {
        a->denominator = integer_floor(work, a->denominator, divisor);
        for (uint32_t i = 0; i < a->count; i++)
            a->terms[i].coefficient = integer_floor(work, a->terms[i].coefficient, divisor);
    }
    a->mask = 0;
    for (uint32_t i = 0; i < a->count; i++)
        for (monomial columns = a->terms[i].columns; columns; columns = monomial_rest(columns))
            if (monomial_first(columns) < 64)
                a->mask |= (uint64_t)1 << monomial_first(columns);
    return a;
}

static int by_monomial(const void *left, const void *right)
{
    const struct term *a = left;
    const struct term *b = right;
    return (a->columns > b->columns) - (a->columns < b->columns);
}

/* Sorts the terms, adds those of equal monomials, drops zeros. */
static void collect(struct work *work, struct polynomial *a)
{
    struct term *terms = a->terms;
    if (a->count > 24) {
        qsort(terms, a->count, sizeof(struct term), by_monomial);
    } else {
        for (uint32_t i = 1; i < a->count; i++) {
            struct term moved = terms[i];
            uint32_t place = i;
            for (; place && terms[place - 1].columns > moved.columns; place--)
                terms[place] = terms[place - 1];
            terms[place] = moved;
        }
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < a->count;) {
        struct term sum = terms[i++];
        for (; i < a->count && terms[i].columns == sum.columns; i++)
            sum.coefficient = integer_add(work, sum.coefficient, terms[i].coefficient);
        if (!integer_is_zero(sum.coefficient))
            terms[kept++] = sum;
    }
    a->count = kept;
}

struct polynomial *fw_polynomial_constant(struct work *work, integer numerator, integer denominator)
{
    struct polynomial *result = allocate(work, 1);
    if (integer_is_zero(numerator))
        return result;
    result->count = 1;
    result->terms[0] = (struct term){0, numerator};
    result->denominator = denominator;
    return finish(work, result);
}

struct polynomial *fw_polynomial_of_terms(struct work *work, const struct term *terms,
                                          uint32_t count, integer denominator)
{
    struct polynomial *result = allocate(work, count);
    result->denominator = denominator;
    result->count = count;
    if (count)
        memcpy(result->terms, terms, count * sizeof(struct term));
    collect(work, result);
    return finish(work, result);
}

struct polynomial *fw_polynomial_line(struct work *work, const struct line *line,
                                      integer denominator)
{
    struct polynomial *result = allocate(work, line->width);
    result->denominator = denominator;
    for (unsigned column = 0; column < line->width; column++)
        if (!integer_is_zero(line->at[column]))
            result->terms[result->count++] = (struct term){monomial_of(column), line->at[column]};
    return finish(work, result);
}

struct polynomial *fw_polynomial_add(struct work *work, const struct polynomial *a,
                                     const struct polynomial *b)
{
    struct polynomial *result = allocate(work, (size_t)a->count + b->count);
    integer common = integer_gcd(work, a->denominator, b->denominator);
    integer for_a = integer_floor(work, b->denominator, common);
    integer for_b = integer_floor(work, a->denominator, common);
    uint32_t i = 0;
    uint32_t j = 0;
    while (i < a->count || j < b->count) {
        bool take_a = j == b->count || (i < a->count && a->terms[i].columns <= b->terms[j].columns);
        bool take_b = i == a->count || (j < b->count && b->terms[j].columns <= a->terms[i].columns);
        struct term sum = {take_a ? a->terms[i].columns : b->terms[j].columns, {0}};
        if (take_a)
            sum.coefficient = integer_multiply(work, for_a, a->terms[i++].coefficient);
        if (take_b)
            sum.coefficient = integer_add(work, sum.coefficient,
                                          integer_multiply(work, for_b, b->terms[j++].coefficient));
        if (!integer_is_zero(sum.coefficient))
            result->terms[result->count++] = sum;
    }
    result->denominator = integer_multiply(work, a->denominator, for_a);
    return finish(work, result);
}

struct polynomial *fw_polynomial_multiply(struct work *work, const struct polynomial *a,
                                          const struct polynomial *b)
{
    size_t count = (size_t)a->count * b->count;
    struct polynomial *result = allocate(work, count);
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t j = 0; j < b->count; j++)
            result->terms[result->count++] = (struct term){
                fw_monomial_multiply(work, a->terms[i].columns, b->terms[j].columns),
                integer_multiply(work, a->terms[i].coefficient, b->terms[j].coefficient)};
    if (a->count > 1 || b->count > 1)
        collect(work, result);
    result->denominator = integer_multiply(work, a->denominator, b->denominator);
    return finish(work, result);
}

struct polynomial *fw_polynomial_scale(struct work *work, const struct polynomial *a,
                                       integer numerator, integer denominator)
{
    struct polynomial *result = allocate(work, a->count);
    if (integer_is_zero(numerator))
        return result;
    result->count = a->count;
    for (uint32_t i = 0; i < a->count; i++)
        result->terms[i] = (struct term){
            a->terms[i].columns, integer_multiply(work, a->terms[i].coefficient, numerator)};
    result->denominator = integer_multiply(work, a->denominator, denominator);
    return finish(work, result);
}

struct polynomial *fw_polynomial_map(struct work *work, const struct polynomial *a,
                                     const uint16_t *map)
{
    struct polynomial *result = allocate(work, a->count);
    result->count = a->count;
    result->denominator = fw_integer_copy(work, a->denominator);
    for (uint32_t i = 0; i < a->count; i++) {
        monomial columns = 0;
        for (monomial rest = a->terms[i].columns; rest; rest = monomial_rest(rest))
            columns = fw_monomial_multiply(work, columns, monomial_of(map[monomial_first(rest)]));
        result->terms[i] = (struct term){columns, fw_integer_copy(work, a->terms[i].coefficient)};
    }
    collect(work, result);
    return finish(work, result);
}

/* What stands with column^power in `a`; the power's factor taken out. */
static struct polynomial *coefficient_of(struct work *work, const struct polynomial *a,
                                         unsigned column, unsigned power)
{
    struct polynomial *result = allocate(work, a->count);
    for (uint32_t i = 0; i < a->count; i++)
        if (fw_monomial_power(a->terms[i].columns, column) == power)
            result->terms[result->count++] =
                (struct term){without(a->terms[i].columns, column), a->terms[i].coefficient};
    collect(work, result);
    result->denominator = a->denominator;
    return finish(work, result);
}

static unsigned degree_in(const struct polynomial *a, unsigned column)
{
    unsigned degree = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        unsigned power = fw_monomial_power(a->terms[i].columns, column);
        degree = power > degree ? power : degree;
    }
    return degree;
}

struct polynomial *fw_polynomial_substitute(struct work *work, const struct polynomial *a,
                                            unsigned column, const struct polynomial *value)
{
    unsigned degree = degree_in(a, column);
    struct polynomial *result = coefficient_of(work, a, column, degree);
    while (degree-- > 0)
        result = fw_polynomial_add(work, fw_polynomial_multiply(work, result, value),
                                   coefficient_of(work, a, column, degree));
    return result;
}

struct polynomial *fw_polynomial_reduce_power(struct work *work, struct polynomial *a,
                                              unsigned column, unsigned power,
                                              const struct polynomial *value)
{
    for (unsigned degree = degree_in(a, column); degree >= power; degree = degree_in(a, column)) {
        struct polynomial *top = coefficient_of(work, a, column, degree);
        struct line *line = fw_line_new(work, column + 1, false);
        line->at[column] = integer_constant(1);
        fw_line_finish(line);
        struct polynomial *factor = fw_polynomial_line(work, line, integer_constant(1));
        struct polynomial *high = top;
        struct polynomial *low = fw_polynomial_multiply(work, top, value);
        for (unsigned i = 0; i < degree; i++)
            high = fw_polynomial_multiply(work, high, factor);
        for (unsigned i = power; i < degree; i++)
            low = fw_polynomial_multiply(work, low, factor);
        high = fw_polynomial_scale(work, high, integer_constant(-1), integer_constant(1));
        a = fw_polynomial_add(work, fw_polynomial_add(work, a, high), low);
    }
    return a;
}

/* Bernoulli's numbers B(0)..B(10), the first with B(1) = +1/2. */
static const int32_t bernoulli[DEGREE_MOST + 1][2] = {
    {1, 1}, {1, 2}, {1, 6}, {0, 1}, {-1, 30}, {0, 1}, {1, 42}, {0, 1}, {-1, 30}, {0, 1}, {5, 66}};

/* The coefficient of t^j in 0^k + ... + t^k (Faulhaber): C(k+1, j) B(k+1-j) / (k+1) for j >= 1;
 * for k = 0 the sum is t + 1. */
static void faulhaber(unsigned k, unsigned j, int64_t *numerator, int64_t *denominator)
{
    *numerator = 0;
    *denominator = 1;
    if (j == 0) {
        *numerator = k == 0;
        return;
    }
    if (j > k + 1)
        return;
    int64_t binomial = 1;
    for (unsigned i = 0; i < j; i++)
        binomial = binomial * (int64_t)(k + 1 - i) / (int64_t)(i + 1);
    *numerator = binomial * bernoulli[k + 1 - j][0];
    *denominator = (int64_t)bernoulli[k + 1 - j][1] * (k + 1);
}

/* Evaluates the polynomial in t with the given coefficients. */
static struct polynomial *horner(struct work *work, struct polynomial *const *coefficients,
                                 unsigned degree, const struct polynomial *t)
{
    struct polynomial *result = coefficients[degree];
    while (degree-- > 0)
        result =
            fw_polynomial_add(work, fw_polynomial_multiply(work, result, t), coefficients[degree]);
    return result;
}

struct polynomial *fw_polynomial_sum(struct work *work, const struct polynomial *a, unsigned column,
                                     const struct polynomial *low, const struct polynomial *high)
{
    unsigned degree = degree_in(a, column);
    if (degree + 1 > DEGREE_MOST)
        fw_work_fail(work, FW_ERROR_BUDGET);
    struct polynomial *one =
        fw_polynomial_constant(work, integer_constant(-1), integer_constant(1));
    struct polynomial *before = fw_polynomial_add(work, low, one);
    if (degree == 0) {
        before = fw_polynomial_scale(work, before, integer_constant(-1), integer_constant(1));
        return fw_polynomial_multiply(work, a, fw_polynomial_add(work, high, before));
    }
    struct polynomial *sums[DEGREE_MOST + 1];
    for (unsigned j = 0; j <= degree + 1; j++)
        sums[j] = allocate(work, 0);
    for (unsigned k = 0; k <= degree; k++) {
        struct polynomial *part = coefficient_of(work, a, column, k);
        for (unsigned j = 0; j <= k + 1 && part->count; j++) {
            int64_t numerator, denominator;
            faulhaber(k, j, &numerator, &denominator);
            if (numerator)
                sums[j] =
                    fw_polynomial_add(work, sums[j],
                                      fw_polynomial_scale(work, part, integer_of(work, numerator),
                                                          integer_of(work, denominator)));
        }
    }
    struct polynomial *above = horner(work, sums, degree + 1, high);
    struct polynomial *below = horner(work, sums, degree + 1, before);
    below = fw_polynomial_scale(work, below, integer_constant(-1), integer_constant(1));
    return fw_polynomial_add(work, above, below);
}

bool fw_polynomial_equal(struct work *work, const struct polynomial *a, const struct polynomial *b)
{
    if (a->count != b->count || integer_compare(work, a->denominator, b->denominator))
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->terms[i].columns != b->terms[i].columns ||
            integer_compare(work, a->terms[i].coefficient, b->terms[i].coefficient))
            return false;
    return true;
}

unsigned fw_monomial_columns(monomial columns, uint16_t list[DEGREE_MOST])
{
    unsigned degree = 0;
    for (monomial rest = columns; rest; rest = monomial_rest(rest))
        degree++;
    for (unsigned i = degree; i-- > 0; columns = monomial_rest(columns))
        list[i] = (uint16_t)monomial_first(columns);
    return degree;
}

int fw_term_compare(const void *left, const void *right)
{
    uint16_t a[DEGREE_MOST] = {0}, b[DEGREE_MOST] = {0};
    unsigned degree_a = fw_monomial_columns(((const struct term *)left)->columns, a);
    unsigned degree_b = fw_monomial_columns(((const struct term *)right)->columns, b);
    if (degree_a != degree_b)
        return degree_a > degree_b ? -1 : 1;
    for (unsigned i = 0; i < DEGREE_MOST; i++)
        if (a[i] != b[i])
            return a[i] > b[i] ? 1 : -1;
    return 0;
}
