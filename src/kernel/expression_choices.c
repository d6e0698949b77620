/* Flags: sums of a constant and of what conditions choose among constants. */
#include "checked.h"
#include "expression_rules.h"

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

bool expression_choice_is_zero(struct fw_pool *pool, fw_expression a, fw_condition *condition)
{
    return is_zero(pool, a, 0, condition);
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
