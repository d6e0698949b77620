/* Operations that no polynomial expresses: simplification rules.
 * Each rule is an identity over the integers; rules that hold in a range only say so. */
#include "checked.h"
#include "expression_rules.h"
#include "quotient.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST_SIGN = 12 }; /* nesting through which a sign is followed */
enum { MOST_SHARING = 16 }; /* terms of sums that are looked through for shared ones */
enum { MOST_RELAXED = 3 };  /* floors in each other, of a sum whose sign is asked for */

static int64_t common_divisor(int64_t a, int64_t b)
{
    uint64_t x = a < 0 ? 0 - (uint64_t)a : (uint64_t)a, y = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
    while (y) {
        uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    return x > INT64_MAX ? 1 : (int64_t)x;
}

void expression_split_multiples(struct fw_pool *pool, fw_expression a, int64_t divisor,
                                fw_expression *quotient, fw_expression *rest)
{
    *quotient = *rest = 0;
    for (uint32_t t = 0; t < pool->expressions.at[a].term_count; t++) {
        struct fw_term term = pool->expressions.at[a].terms[t];
        fw_expression one = fw_constant(pool, 1);
        for (uint32_t i = 0; i < term.atom_count; i++) {
            const struct fw_atom_node node = pool->atoms.at[term.atoms[i]];
            one = fw_multiply(pool, one, fw_atom_new(pool, node.kind, node.a, node.b, node.c));
        }
        int64_t whole = fw_floor_quotient(term.coefficient, divisor), product;
        if (fw_multiply_overflows(whole, divisor, &product) ||
            (term.atom_count && product != term.coefficient))
            whole = product = 0;
        *quotient = fw_add(pool, *quotient, fw_scale(pool, one, whole));
        *rest = fw_add(pool, *rest, fw_scale(pool, one, term.coefficient - product));
    }
}

int64_t expression_content(const struct fw_pool *pool, fw_expression a, bool all)
{
    const struct fw_expression_node *node = &pool->expressions.at[a];
    int64_t divisor = 0;
    for (uint32_t t = 0; t < node->term_count; t++)
        if (all || node->terms[t].atom_count)
            divisor = common_divisor(divisor, node->terms[t].coefficient);
    return divisor;
}

/* What a constant of m x was before multiples of 2^k left it, as it does where (t + 256) / 34 is
 * multiplied out: constant + whole 2^k = m added.  False: nothing near. */
static bool undo_constant(int64_t constant, int64_t power, int64_t multiplier, int64_t *whole,
                          int64_t *added)
{
    enum { MOST_WHOLE = 256 };
    const int64_t step = power % multiplier;
    int64_t above = constant % multiplier, below = above;
    for (int64_t w = 1; w <= MOST_WHOLE; w++) {
        above = (above + step) % multiplier;
        below = (below + multiplier - step) % multiplier;
        if (above != 0 && below != 0)
            continue;
        *whole = above == 0 ? w : -w;
        if (fw_multiply_overflows(*whole, power, added) ||
            fw_add_overflows(*added, constant, added))
            return false;
        *added /= multiplier;
        return true;
    }
    return false;
}

/* floor(m x / 2^k) with a multiplier that a compiler chose to divide by d = ceil(2^k / m): equal to
 * floor(x / d) for 0 <= x < 2^31 when the excess e = m d - 2^k keeps e 2^31 <= 2^k (Granlund and
 * Montgomery, "Division by Invariant Integers using Multiplication", PLDI 1994, theorem 4.2).  For
 * negative x it is one less than x / d rounded towards zero (theorem 5.1). */
static bool undo_one(struct fw_pool *pool, fw_expression a, int64_t power, int64_t multiplier,
                     fw_expression *result)
{
    int64_t divisor = power / multiplier + (power % multiplier != 0), product;
    if (divisor < 3 || fw_multiply_overflows(multiplier, divisor, &product))
        return false;
    int64_t excess = product - power;
    if (excess <= 0 || excess > power >> 31)
        return false;
    fw_expression scaled, rest;
    int64_t constant, whole = 0, added = 0;
    expression_split_multiples(pool, a, multiplier, &scaled, &rest);
    if (rest != 0 && !(fw_expression_constant(pool, rest, &constant) &&
                       undo_constant(constant, power, multiplier, &whole, &added)))
        return false;
    scaled = fw_add(pool, scaled, fw_constant(pool, added));
    *result = fw_truncate_divide(pool, scaled, fw_constant(pool, divisor));
    fw_expression correction =
        fw_select(pool, fw_is_positive(pool, scaled), 0, fw_constant(pool, -1));
    *result = fw_add(pool, fw_add(pool, *result, correction), fw_constant(pool, -whole));
    return true;
}

/* The multiplier is what all coefficients of m x share, less what those of x do. */
static bool undo_multiplier(struct fw_pool *pool, fw_expression a, int64_t power,
                            fw_expression *result)
{
    enum { MOST_SHARED = 64, LEAST_MULTIPLIER = 1 << 12 };
    if (power < ((int64_t)1 << 32) || (power & (power - 1)) != 0)
        return false;
    int64_t all = expression_content(pool, a, false);
    for (int64_t shared = 1; shared <= MOST_SHARED && all / shared >= LEAST_MULTIPLIER; shared++)
        if (all % shared == 0 && undo_one(pool, a, power, all / shared, result))
            return true;
    return false;
}

/* floor((A + floor(B / c)) / d) = floor((c A + B) / (c d)). */
static bool merge_nested(struct fw_pool *pool, fw_expression a, int64_t divisor,
                         fw_expression *result)
{
    for (uint32_t t = 0; t < pool->expressions.at[a].term_count; t++) {
        const struct fw_term *term = &pool->expressions.at[a].terms[t];
        if (term->coefficient != 1 || term->atom_count != 1)
            continue;
        const struct fw_atom_node inner = pool->atoms.at[term->atoms[0]];
        int64_t by, both;
        if (inner.kind != FW_ATOM_FLOOR || !fw_expression_constant(pool, inner.b, &by) || by <= 0 ||
            fw_multiply_overflows(by, divisor, &both) || both > (int64_t)1 << 62)
            continue;
        fw_expression rest =
            fw_subtract(pool, a, fw_atom_new(pool, FW_ATOM_FLOOR, inner.a, inner.b, 0));
        *result = fw_floor_divide(pool, fw_add(pool, fw_scale(pool, rest, by), inner.a),
                                  fw_constant(pool, both));
        return true;
    }
    return false;
}

/* Whether a / divisor, rounded down, is plain where the threads of a block are known: 0 of a number
 * that is less, and of 0 and -1 the same number. */
static bool small_quotient(struct fw_pool *pool, fw_expression a, int64_t divisor,
                           fw_expression *result)
{
    if (!pool->most_threads[0])
        return false;
    *result = 0;
    if (fw_expression_bits(pool, a) < (uint64_t)divisor)
        return true;
    *result = a;
    return fw_expression_bits(pool, fw_scale(pool, a, -1)) == 1;
}

static fw_expression floor_by_constant(struct fw_pool *pool, fw_expression a, int64_t divisor)
{
    fw_expression quotient, rest, result;
    if (divisor < 0)
        return floor_by_constant(pool, fw_scale(pool, a, -1), -divisor);
    if (divisor == 1)
        return a;
    if (undo_multiplier(pool, a, divisor, &result))
        return result;
    expression_split_multiples(pool, a, divisor, &quotient, &rest);
    int64_t shared = common_divisor(expression_content(pool, rest, false), divisor), value, low,
            high;
    if (fw_expression_constant(pool, rest, &value) && value >= 0 && value < divisor)
        return quotient;
    if (expression_choice_range(pool, rest, &low, &high) && low >= 0 && high < divisor)
        return quotient;
    if (small_quotient(pool, rest, divisor, &result))
        return fw_add(pool, quotient, result);
    if (shared > 1) {
        fw_expression smaller, none;
        expression_split_multiples(pool, rest, shared, &smaller, &none);
        result = fw_floor_divide(pool, smaller, fw_constant(pool, divisor / shared));
        return fw_add(pool, quotient, result);
    }
    if (merge_nested(pool, rest, divisor, &result))
        return fw_add(pool, quotient, result);
    result = fw_atom_new(pool, FW_ATOM_FLOOR, rest, fw_constant(pool, divisor), 0);
    return fw_add(pool, quotient, result);
}

fw_expression fw_floor_divide(struct fw_pool *pool, fw_expression a, fw_expression b)
{
    int64_t divisor;
    if (fw_expression_constant(pool, b, &divisor) && divisor != 0 && divisor != INT64_MIN)
        return floor_by_constant(pool, a, divisor);
    if (a == 0)
        return 0;
    return a == b ? fw_constant(pool, 1) : fw_atom_new(pool, FW_ATOM_FLOOR, a, b, 0);
}

static bool atom_nonnegative(struct fw_pool *pool, fw_atom atom)
{
    const struct fw_atom_node copy = pool->atoms.at[atom], *node = &copy;
    int64_t by;
    if (pool->nonnegative == atom + 1)
        return true;
    if (node->depth > DEEPEST_SIGN)
        return false; /* not looked into */
    switch ((enum fw_atom_kind)node->kind) {
    case FW_ATOM_LAUNCH:
    case FW_ATOM_ITERATION:
    case FW_ATOM_TRIPS:
    case FW_ATOM_POWER2:
        return true;
    case FW_ATOM_FLOOR:
        return fw_expression_constant(pool, node->b, &by) && by > 0 &&
               expression_nonnegative(pool, node->a);
    case FW_ATOM_REPEAT:
    case FW_ATOM_AT:
        return expression_nonnegative(pool, node->a);
    case FW_ATOM_MAXIMUM:
        return expression_nonnegative(pool, node->a) || expression_nonnegative(pool, node->b);
    case FW_ATOM_MINIMUM:
    case FW_ATOM_SELECT:
        return expression_nonnegative(pool, node->a) && expression_nonnegative(pool, node->b);
    default:
        return false;
    }
}

/* The divisor of a term that is a multiple of floor(x / divisor); 0: it is none. */
static int64_t floor_divisor(const struct fw_pool *pool, const struct fw_term *term)
{
    int64_t by;
    if (term->atom_count != 1 || pool->atoms.at[term->atoms[0]].kind != FW_ATOM_FLOOR ||
        !fw_expression_constant(pool, pool->atoms.at[term->atoms[0]].b, &by) || by < 2)
        return 0;
    return by;
}

/* A sum that is at most `scale` times a: floor(x / m) is at least (x - m + 1) / m, and at most
 * x / m. False: a has no such floor. */
static bool relax_floors(struct fw_pool *pool, fw_expression a, fw_expression *least,
                         int64_t *scale)
{
    enum { MOST_SCALE = 1 << 20 };
    *scale = 1;
    *least = 0;
    for (uint32_t t = 0; t < pool->expressions.at[a].term_count; t++) {
        int64_t by = floor_divisor(pool, &pool->expressions.at[a].terms[t]);
        if (by > MOST_SCALE || *scale > MOST_SCALE)
            return false;
        *scale *= by ? by / common_divisor(by, *scale) : 1;
    }
    for (uint32_t t = 0; t<pool->expressions.at[a].term_count && * scale> 1; t++) {
        const struct fw_term term = pool->expressions.at[a].terms[t];
        int64_t by = floor_divisor(pool, &term);
        fw_expression one = fw_constant(pool, term.coefficient);
        for (uint32_t i = 0; i < term.atom_count && !by; i++) {
            const struct fw_atom_node node = pool->atoms.at[term.atoms[i]];
            one = fw_multiply(pool, one, fw_atom_new(pool, node.kind, node.a, node.b, node.c));
        }
        if (by) {
            one = pool->atoms.at[term.atoms[0]].a;
            if (term.coefficient > 0)
                one = fw_subtract(pool, one, fw_constant(pool, by - 1));
            one = fw_scale(pool, one, term.coefficient);
        }
        *least = fw_add(pool, *least, fw_scale(pool, one, by ? *scale / by : *scale));
    }
    return *scale > 1;
}

static bool terms_nonnegative(struct fw_pool *pool, fw_expression a)
{
    for (uint32_t t = 0; t < pool->expressions.at[a].term_count; t++) {
        const struct fw_term term = pool->expressions.at[a].terms[t];
        if (term.coefficient < 0)
            return false;
        for (uint32_t i = 0; i < term.atom_count; i++)
            if (!atom_nonnegative(pool, term.atoms[i]))
                return false;
    }
    return true;
}

bool expression_nonnegative(struct fw_pool *pool, fw_expression a)
{
    fw_expression least, quotient, none;
    int64_t scale;
    for (uint32_t r = 0; r < MOST_RELAXED && !terms_nonnegative(pool, a); r++) {
        int64_t shared = expression_content(pool, a, true);
        if (shared > 1) {
            expression_split_multiples(pool, a, shared, &quotient, &none);
            a = quotient;
        }
        if (!relax_floors(pool, a, &least, &scale))
            return false;
        /* An integer is not negative if it is more than -1. */
        a = fw_add(pool, least, fw_constant(pool, scale - 1));
    }
    return terms_nonnegative(pool, a);
}

fw_expression fw_truncate_divide(struct fw_pool *pool, fw_expression a, fw_expression b)
{
    int64_t dividend, divisor;
    bool constant = fw_expression_constant(pool, b, &divisor);
    if (constant && divisor == 1)
        return a;
    if (constant && divisor > 0 && expression_nonnegative(pool, a))
        return fw_floor_divide(pool, a, b);
    if (constant && divisor && divisor != -1 && fw_expression_constant(pool, a, &dividend))
        return fw_constant(pool, dividend / divisor);
    if (a == 0)
        return 0;
    return fw_atom_new(pool, FW_ATOM_TRUNCATE, a, b, 0);
}

/* The terms that two sums share, but for the constants: max(p + x, p + y) = p + max(x, y). */
static fw_expression shared_terms(struct fw_pool *pool, fw_expression a, fw_expression b)
{
    fw_expression difference = fw_subtract(pool, a, b), shared = a;
    const struct fw_expression_node *node = &pool->expressions.at[difference];
    if (a == 0 || b == 0 || pool->expressions.at[a].term_count > MOST_SHARING ||
        pool->expressions.at[b].term_count > MOST_SHARING ||
        node->term_count >= pool->expressions.at[a].term_count + pool->expressions.at[b].term_count)
        return 0;
    shared = 0;
    for (uint32_t t = 0; t < pool->expressions.at[a].term_count; t++) {
        const struct fw_term *term = &pool->expressions.at[a].terms[t];
        for (uint32_t u = 0; u < pool->expressions.at[b].term_count && term->atom_count; u++) {
            const struct fw_term *other = &pool->expressions.at[b].terms[u];
            if (other->coefficient != term->coefficient || other->atom_count != term->atom_count ||
                memcmp(other->atoms, term->atoms, term->atom_count * sizeof(*term->atoms)) != 0)
                continue;
            fw_expression product = fw_constant(pool, term->coefficient);
            struct fw_term copy = *term;
            for (uint32_t i = 0; i < copy.atom_count; i++) {
                const struct fw_atom_node atom = pool->atoms.at[copy.atoms[i]];
                product = fw_multiply(pool, product,
                                      fw_atom_new(pool, atom.kind, atom.a, atom.b, atom.c));
            }
            shared = fw_add(pool, shared, product);
            break;
        }
    }
    return shared;
}

/* The lesser (sign 1) or the greater (sign -1) of two. */
static fw_expression extreme(struct fw_pool *pool, fw_expression a, fw_expression b, int64_t sign)
{
    int64_t difference;
    if (fw_expression_constant(pool, fw_subtract(pool, a, b), &difference))
        return (difference <= 0) == (sign > 0) ? a : b;
    fw_expression shared = shared_terms(pool, a, b);
    if (shared) {
        a = fw_subtract(pool, a, shared);
        b = fw_subtract(pool, b, shared);
        return fw_add(pool, shared, extreme(pool, a, b, sign));
    }
    return fw_atom_new(pool, sign > 0 ? FW_ATOM_MINIMUM : FW_ATOM_MAXIMUM, a < b ? a : b,
                       a < b ? b : a, 0);
}

fw_expression fw_minimum(struct fw_pool *pool, fw_expression a, fw_expression b)
{
    return extreme(pool, a, b, 1);
}

fw_expression fw_maximum(struct fw_pool *pool, fw_expression a, fw_expression b)
{
    return extreme(pool, a, b, -1);
}

/* Whether a condition says that neither of two numbers of 64 bits needs more than 32: the upper
 * half of x | y, which is x + y - (x & y), is 0. */
static bool fit_32_bits(struct fw_pool *pool, fw_condition condition, struct fw_atom_node *both)
{
    const struct fw_condition_node node = pool->conditions.at[condition];
    int64_t divisor;
    if (node.kind != FW_CONDITION_ZERO || pool->expressions.at[node.a].term_count != 1 ||
        pool->expressions.at[node.a].terms[0].atom_count != 1)
        return false;
    const struct fw_atom_node half = pool->atoms.at[pool->expressions.at[node.a].terms[0].atoms[0]];
    if (half.kind != FW_ATOM_FLOOR || !fw_expression_constant(pool, half.b, &divisor) ||
        divisor != (int64_t)1 << 32)
        return false;
    for (uint32_t t = 0; t < pool->expressions.at[half.a].term_count; t++) {
        const struct fw_term term = pool->expressions.at[half.a].terms[t];
        if (term.coefficient != -1 || term.atom_count != 1)
            continue;
        *both = pool->atoms.at[term.atoms[0]];
        if (both->kind == FW_ATOM_BITAND &&
            fw_subtract(pool, fw_add(pool, both->a, both->b),
                        fw_atom_new(pool, FW_ATOM_BITAND, both->a, both->b, 0)) == half.a)
            return true;
    }
    return false;
}

struct short_operands {
    struct fw_pool *pool;
    struct fw_atom_node both; /* of x & y */
};

/* Of numbers that are not negative, quotients round down. */
static fw_expression round_down(void *user, const struct fw_atom_node *node)
{
    const struct short_operands *of = user;
    if (node->kind == FW_ATOM_TRUNCATE && ((node->a == of->both.a && node->b == of->both.b) ||
                                           (node->a == of->both.b && node->b == of->both.a)))
        return fw_floor_divide(of->pool, node->a, node->b);
    return FW_NO_EXPRESSION;
}

/* Whether a is b where both operands of its divisions have 32 bits: the short way of a signed
 * division of 64 bits, which compilers put before the long one. */
static bool is_short_division(struct fw_pool *pool, fw_condition condition, fw_expression a,
                              fw_expression b)
{
    struct short_operands of = {.pool = pool};
    const struct fw_replacement rounded = {.user = &of, .operation = round_down};
    return fit_32_bits(pool, condition, &of.both) && fw_expression_replace(pool, b, &rounded) == a;
}

fw_expression fw_select(struct fw_pool *pool, fw_condition condition, fw_expression a,
                        fw_expression b)
{
    const struct fw_condition_node node = pool->conditions.at[condition];
    int64_t x, y, apart;
    if (a == b || node.kind == FW_CONDITION_TRUE)
        return a;
    if (node.kind == FW_CONDITION_FALSE)
        return b;
    if (node.kind == FW_CONDITION_NOT)
        return fw_select(pool, node.a, b, a);
    if (is_short_division(pool, condition, a, b))
        return b;
    if (fw_expression_constant(pool, a, &x) && fw_expression_constant(pool, b, &y) &&
        !fw_subtract_overflows(y, x, &apart) && (x != 0 || y != 1)) {
        /* All selections of constants are multiples of one between 0 and 1. */
        fw_expression one = fw_select(pool, condition, 0, fw_constant(pool, 1));
        return fw_add(pool, a, fw_scale(pool, one, apart));
    }
    if (node.kind == FW_CONDITION_POSITIVE) { /* a >= b ? a : b and its kind */
        fw_expression difference = fw_subtract(pool, a, b), one = fw_constant(pool, 1);
        fw_expression negated = fw_scale(pool, difference, -1);
        if (node.a == difference || node.a == fw_subtract(pool, difference, one))
            return fw_maximum(pool, a, b);
        if (node.a == negated || node.a == fw_subtract(pool, negated, one))
            return fw_minimum(pool, a, b);
    }
    fw_expression shared = shared_terms(pool, a, b);
    if (shared) {
        a = fw_subtract(pool, a, shared);
        b = fw_subtract(pool, b, shared);
        return fw_add(pool, shared, fw_select(pool, condition, a, b));
    }
    return fw_atom_new(pool, FW_ATOM_SELECT, a, b, condition);
}

fw_expression fw_power2(struct fw_pool *pool, fw_expression exponent)
{
    int64_t value;
    if (fw_expression_constant(pool, exponent, &value) && value >= 0 && value < 63)
        return fw_constant(pool, (int64_t)1 << value);
    return fw_atom_new(pool, FW_ATOM_POWER2, exponent, 0, 0);
}

fw_expression fw_shift_right(struct fw_pool *pool, fw_expression a, fw_expression amount)
{
    int64_t value;
    if (fw_expression_constant(pool, amount, &value) && value >= 0 && value < 63)
        return floor_by_constant(pool, a, (int64_t)1 << value);
    return a == 0 ? 0 : fw_atom_new(pool, FW_ATOM_REPEAT, a, amount, 0);
}

/* a & mask as a sum over runs of set bits [low, high): floor(a/2^low) 2^low - floor(a/2^high)
 * 2^high. A negative mask's last run has no end. */
static fw_expression mask_bits(struct fw_pool *pool, fw_expression a, int64_t mask)
{
    enum { MOST_RUNS = 4 };
    fw_expression sum = 0;
    unsigned runs = 0;
    for (unsigned low = 0; low < 63; low++) {
        if (!((uint64_t)mask >> low & 1))
            continue;
        unsigned high = low;
        while (high < 63 && ((uint64_t)mask >> high & 1))
            high++;
        if (++runs > MOST_RUNS)
            return FW_NO_EXPRESSION;
        int64_t unit = (int64_t)1 << low;
        sum = fw_add(pool, sum, fw_scale(pool, floor_by_constant(pool, a, unit), unit));
        if (high < 63) {
            unit = (int64_t)1 << high;
            sum = fw_subtract(pool, sum, fw_scale(pool, floor_by_constant(pool, a, unit), unit));
        } else if (mask >= 0) {
            return FW_NO_EXPRESSION;
        }
        low = high;
    }
    return sum;
}

fw_expression fw_bit_and(struct fw_pool *pool, fw_expression a, fw_expression b)
{
    int64_t x, y;
    bool constant_a = fw_expression_constant(pool, a, &x);
    bool constant_b = fw_expression_constant(pool, b, &y);
    if (constant_a && constant_b)
        return fw_constant(pool, x & y);
    if (a == b)
        return a;
    if (pool->most_threads[0] && !(fw_expression_bits(pool, a) & fw_expression_bits(pool, b)))
        return 0;
    if (constant_a || constant_b) {
        fw_expression sum = mask_bits(pool, constant_a ? b : a, constant_a ? x : y);
        if (sum != FW_NO_EXPRESSION)
            return sum;
    }
    return fw_atom_new(pool, FW_ATOM_BITAND, a < b ? a : b, a < b ? b : a, 0);
}
