/* Conditions of expressions: simplification rules, each an identity over the integers. */
#include "expression_rules.h"

/* x / d rounded towards zero, less 1 for negative x (how a compiler's multiplier divides), is
 * negative with x. */
static bool sign_of_quotient(const struct fw_pool *pool, fw_expression a, fw_condition *sign)
{
    const struct fw_expression_node *node = &pool->expressions.at[a];
    const struct fw_atom_node *quotient = NULL, *select = NULL;
    int64_t divisor, zero;
    if (node->term_count != 2)
        return false;
    for (uint32_t t = 0; t < 2; t++) {
        const struct fw_term *term = &node->terms[t];
        if (term->atom_count != 1)
            return false;
        const struct fw_atom_node *atom = &pool->atoms.at[term->atoms[0]];
        if (atom->kind == FW_ATOM_TRUNCATE && term->coefficient == 1)
            quotient = atom;
        else if (atom->kind == FW_ATOM_SELECT && term->coefficient == -1)
            select = atom;
    }
    if (!quotient || !select || !fw_expression_constant(pool, quotient->b, &divisor) ||
        divisor <= 0 || !fw_expression_constant(pool, select->a, &zero) || zero != 0)
        return false;
    const struct fw_condition_node *condition = &pool->conditions.at[select->c];
    *sign = select->c;
    return condition->kind == FW_CONDITION_POSITIVE && condition->a == quotient->a;
}

/* Of the greater of two and a constant, where one of the two alone says whether it is negative, and
 * of the lesser as well: a >= 0 of the other. */
static bool of_extreme(struct fw_pool *pool, fw_expression a, fw_condition *condition)
{
    const struct fw_expression_node *node = &pool->expressions.at[a];
    const struct fw_term *last = node->term_count ? &node->terms[node->term_count - 1] : NULL;
    int64_t add = node->term_count == 2 ? node->terms[0].coefficient : 0;
    if (!last || node->term_count > 2 || last->atom_count != 1 || last->coefficient != 1 ||
        (node->term_count == 2 && node->terms[0].atom_count != 0))
        return false;
    const struct fw_atom_node atom = pool->atoms.at[last->atoms[0]];
    if (atom.kind != FW_ATOM_MAXIMUM && atom.kind != FW_ATOM_MINIMUM)
        return false;
    const fw_condition free = atom.kind == FW_ATOM_MAXIMUM ? FW_CONDITION_FALSE : FW_CONDITION_TRUE;
    fw_condition sides[2];
    for (unsigned s = 0; s < 2; s++)
        sides[s] = fw_is_positive(pool, fw_add(pool, s ? atom.b : atom.a, fw_constant(pool, add)));
    for (unsigned s = 0; s < 2; s++) {
        *condition = sides[s] == free ? sides[1 - s] : sides[s];
        if (sides[s] == FW_CONDITION_TRUE || sides[s] == FW_CONDITION_FALSE)
            return true;
    }
    return false;
}

fw_condition fw_is_positive(struct fw_pool *pool, fw_expression a)
{
    int64_t value, divisor;
    fw_condition sign;
    if (sign_of_quotient(pool, a, &sign) || of_extreme(pool, a, &sign))
        return sign;
    if (fw_expression_constant(pool, a, &value))
        return value >= 0 ? FW_CONDITION_TRUE : FW_CONDITION_FALSE;
    if (expression_nonnegative(pool, a))
        return FW_CONDITION_TRUE;
    divisor = expression_content(pool, a, false);
    if (divisor > 1) {
        fw_expression quotient, rest;
        expression_split_multiples(pool, a, divisor, &quotient, &rest);
        a = quotient;
    }
    return fw_condition_new(pool, FW_CONDITION_POSITIVE, a, 0, 0);
}

/* ---- flags: sums of a constant and of what conditions choose among constants ---- */

enum { MOST_CHOICES = 8 };

/* The condition and the two values of a sum k + m (c ? x : y); false: it is no such sum. */
static bool choice_of(struct fw_pool *pool, fw_expression a, fw_condition *condition,
                      fw_expression values[2])
{
    const struct fw_expression_node sum = pool->expressions.at[a];
    const uint32_t last = sum.term_count - 1;
    if (sum.term_count == 0 || sum.term_count > 2 || sum.terms[last].atom_count != 1 ||
        (last == 1 && sum.terms[0].atom_count != 0))
        return false;
    const struct fw_atom_node node = pool->atoms.at[sum.terms[last].atoms[0]];
    if (node.kind != FW_ATOM_SELECT)
        return false;
    const int64_t times = sum.terms[last].coefficient;
    const fw_expression base = fw_constant(pool, last ? sum.terms[0].coefficient : 0);
    values[0] = fw_add(pool, base, fw_scale(pool, node.a, times));
    values[1] = fw_add(pool, base, fw_scale(pool, node.b, times));
    *condition = node.c;
    return true;
}

static bool is_zero(struct fw_pool *pool, fw_expression a, unsigned depth, fw_condition *condition)
{
    fw_expression values[2];
    fw_condition chooses, zero[2];
    int64_t constant[2];
    if (depth == MOST_CHOICES || !choice_of(pool, a, &chooses, values))
        return false;
    /* One value is a constant, so that the other alone is looked into. */
    bool first = fw_expression_constant(pool, values[0], &constant[0]);
    if (!first && !fw_expression_constant(pool, values[1], &constant[1]))
        return false;
    for (uint32_t v = 0; v < 2; v++)
        if (!is_zero(pool, values[v], depth + 1, &zero[v]))
            zero[v] = fw_is_zero(pool, values[v]);
    fw_condition other = fw_condition_not(pool, chooses);
    bool always = zero[first ? 0 : 1] == FW_CONDITION_TRUE;
    fw_condition known = first ? chooses : other, left = zero[first ? 1 : 0];
    *condition = always ? fw_condition_or(pool, known, left)
                        : fw_condition_and(pool, first ? other : chooses, left);
    return true;
}

static bool range_of(struct fw_pool *pool, fw_expression a, unsigned depth, int64_t *low,
                     int64_t *high)
{
    fw_expression values[2];
    fw_condition chooses;
    int64_t other_low, other_high;
    if (fw_expression_constant(pool, a, low)) {
        *high = *low;
        return true;
    }
    if (depth == MOST_CHOICES || !choice_of(pool, a, &chooses, values) ||
        (!fw_expression_constant(pool, values[0], low) &&
         !fw_expression_constant(pool, values[1], low)) ||
        !range_of(pool, values[0], depth + 1, low, high) ||
        !range_of(pool, values[1], depth + 1, &other_low, &other_high))
        return false;
    *low = other_low < *low ? other_low : *low;
    *high = other_high > *high ? other_high : *high;
    return true;
}

bool expression_choice_range(struct fw_pool *pool, fw_expression a, int64_t *low, int64_t *high)
{
    return range_of(pool, a, 0, low, high);
}

/* Of flags alone: a number that goes round by such a selection is known as what it is. */
static bool choice_is_zero(struct fw_pool *pool, fw_expression a, fw_condition *condition)
{
    int64_t low, high;
    return range_of(pool, a, 0, &low, &high) && is_zero(pool, a, 0, condition);
}

/* ---- comparisons with 0 ---- */

static fw_condition plain_zero(struct fw_pool *pool, fw_expression a)
{
    int64_t value;
    if (fw_expression_constant(pool, a, &value))
        return value == 0 ? FW_CONDITION_TRUE : FW_CONDITION_FALSE;
    const struct fw_expression_node *node = &pool->expressions.at[a];
    int64_t divisor = expression_content(pool, a, false);
    int64_t constant = node->terms[0].atom_count ? 0 : node->terms[0].coefficient;
    if (divisor > 1 && constant % divisor != 0)
        return FW_CONDITION_FALSE;
    if (node->terms[node->term_count - 1].coefficient < 0)
        divisor = -divisor;
    if (divisor != 1) {
        fw_expression quotient, rest;
        expression_split_multiples(pool, a, divisor, &quotient, &rest);
        a = quotient;
    }
    return fw_condition_new(pool, FW_CONDITION_ZERO, a, 0, 0);
}

fw_condition fw_is_zero(struct fw_pool *pool, fw_expression a)
{
    fw_condition condition;
    return choice_is_zero(pool, a, &condition) ? condition : plain_zero(pool, a);
}

/* The odd d with m d = 1 modulo 2^32 (Newton's iteration doubles the right bits). */
static uint32_t inverse(uint32_t m)
{
    uint32_t d = m;
    for (int i = 0; i < 5; i++)
        d *= 2 - m * d;
    return d;
}

/* m x + c <= limit modulo 2^32 where m is the inverse of a small odd d: how a compiler tests x + d
 * c for being a multiple of d (Warren, "Hacker's Delight", 10-17): the multiples w of d with 0 <= w
 * <= d limit are those whose quotients are so small. */
static bool residue_test(struct fw_pool *pool, fw_expression a, uint64_t limit,
                         fw_condition *condition)
{
    int64_t multiplier = expression_content(pool, a, false);
    const struct fw_expression_node *node = &pool->expressions.at[a];
    if (multiplier < 1 << 16 || multiplier > UINT32_MAX || !(multiplier & 1))
        return false;
    if (node->terms[node->term_count - 1].coefficient < 0)
        multiplier = -multiplier;
    uint32_t divisor = inverse((uint32_t)multiplier);
    if (divisor > 1 << 16) { /* all terms may be negative */
        multiplier = -multiplier;
        divisor = inverse((uint32_t)multiplier);
    }
    if (divisor < 3 || divisor > 1 << 16 || divisor * limit > UINT32_MAX)
        return false;
    int64_t constant = node->terms[0].atom_count ? 0 : node->terms[0].coefficient;
    fw_expression rest = fw_subtract(pool, a, fw_constant(pool, constant)), scaled, none;
    expression_split_multiples(pool, rest, multiplier < 0 ? -multiplier : multiplier, &scaled,
                               &none);
    if (none != 0)
        return false;
    if (multiplier < 0)
        scaled = fw_scale(pool, scaled, -1);
    int32_t offset = (int32_t)((uint32_t)constant * divisor);
    fw_expression by = fw_constant(pool, divisor);
    fw_expression whole = fw_add(pool, scaled, fw_constant(pool, offset));
    fw_expression quotient = fw_floor_divide(pool, whole, by);
    fw_condition multiple =
        fw_is_zero(pool, fw_subtract(pool, whole, fw_multiply(pool, quotient, by)));
    fw_expression gap = fw_subtract(pool, fw_constant(pool, (int64_t)(divisor * limit)), whole);
    *condition = fw_condition_and(
        pool, multiple,
        fw_condition_and(pool, fw_is_positive(pool, whole), fw_is_positive(pool, gap)));
    return true;
}

/* a modulo 2^32 where a product may have left it. */
static fw_expression reduced(struct fw_pool *pool, fw_expression a)
{
    return expression_content(pool, a, false) < 1 << 24
               ? a
               : fw_bit_and(pool, a, fw_constant(pool, UINT32_MAX));
}

fw_condition fw_unsigned_less(struct fw_pool *pool, fw_expression a, fw_expression b, uint32_t bits)
{
    int64_t limit;
    fw_condition found;
    if (bits == 32 && fw_expression_constant(pool, b, &limit) && (uint32_t)limit > 0 &&
        residue_test(pool, a, (uint32_t)limit - 1, &found))
        return found;
    if (bits == 32 && fw_expression_constant(pool, a, &limit) &&
        residue_test(pool, b, (uint32_t)limit, &found))
        return fw_condition_not(pool, found);
    if (bits == 32) {
        a = reduced(pool, a);
        b = reduced(pool, b);
    }
    if (expression_nonnegative(pool, a) && expression_nonnegative(pool, b)) {
        fw_expression gap = fw_subtract(pool, fw_subtract(pool, b, a), fw_constant(pool, 1));
        return fw_is_positive(pool, gap);
    }
    return fw_condition_new(pool, FW_CONDITION_UNSIGNED_LESS, a, b, bits);
}

fw_condition fw_condition_not(struct fw_pool *pool, fw_condition a)
{
    const struct fw_condition_node node = pool->conditions.at[a];
    switch ((enum fw_condition_kind)node.kind) {
    case FW_CONDITION_FALSE:
        return FW_CONDITION_TRUE;
    case FW_CONDITION_TRUE:
        return FW_CONDITION_FALSE;
    case FW_CONDITION_POSITIVE:
        return fw_is_positive(pool, fw_subtract(pool, fw_constant(pool, -1), node.a));
    case FW_CONDITION_NOT:
        return node.a;
    case FW_CONDITION_AND:
        return fw_condition_or(pool, fw_condition_not(pool, node.a),
                               fw_condition_not(pool, node.b));
    case FW_CONDITION_OR:
        return fw_condition_and(pool, fw_condition_not(pool, node.a),
                                fw_condition_not(pool, node.b));
    default:
        return fw_condition_new(pool, FW_CONDITION_NOT, a, 0, 0);
    }
}

fw_condition fw_condition_and(struct fw_pool *pool, fw_condition a, fw_condition b)
{
    if (a == FW_CONDITION_FALSE || b == FW_CONDITION_TRUE || a == b)
        return a;
    if (b == FW_CONDITION_FALSE || a == FW_CONDITION_TRUE)
        return b;
    if (pool->conditions.at[a].kind != FW_CONDITION_AND &&
        pool->conditions.at[a].kind != FW_CONDITION_OR && fw_condition_not(pool, a) == b)
        return FW_CONDITION_FALSE;
    return fw_condition_new(pool, FW_CONDITION_AND, a < b ? a : b, a < b ? b : a, 0);
}

fw_condition fw_condition_or(struct fw_pool *pool, fw_condition a, fw_condition b)
{
    if (a == FW_CONDITION_TRUE || b == FW_CONDITION_FALSE || a == b)
        return a;
    if (b == FW_CONDITION_TRUE || a == FW_CONDITION_FALSE)
        return b;
    if (pool->conditions.at[a].kind != FW_CONDITION_AND &&
        pool->conditions.at[a].kind != FW_CONDITION_OR && fw_condition_not(pool, a) == b)
        return FW_CONDITION_TRUE;
    return fw_condition_new(pool, FW_CONDITION_OR, a < b ? a : b, a < b ? b : a, 0);
}
