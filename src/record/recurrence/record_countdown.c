/* Counters that stop at zero: next = phi > 0 ? phi - 1 : phi, as Numba's ranges with a step count
 * the iterations that are left.  k such steps down from x are the greater of x - k and the lesser
 * of x and 0, which is how they are written, so that copies of a loop's body that stand behind each
 * other, and the iterations of the loop, are one such number each. */
#include "record_internal.h"

enum { MOST_STEPS = 16 }; /* of one iteration */

static fw_expression stepped_down(struct fw_pool *pool, fw_expression from, int64_t steps)
{
    fw_expression less = fw_subtract(pool, from, fw_constant(pool, steps));
    return fw_maximum(pool, less, fw_minimum(pool, from, 0));
}

/* The only atom of an expression that is that atom; NULL: it is another. */
static const struct fw_atom_node *sole_atom(const struct fw_pool *pool, fw_expression a)
{
    const struct fw_expression_node *node = &pool->expressions.at[a];
    return node->term_count == 1 && node->terms[0].atom_count == 1 &&
                   node->terms[0].coefficient == 1
               ? &pool->atoms.at[node->terms[0].atoms[0]]
               : NULL;
}

/* What a number has stepped down from, and how often. */
static bool is_stepped_down(struct fw_pool *pool, fw_expression a, fw_expression *from,
                            int64_t *steps)
{
    const struct fw_atom_node *greater = sole_atom(pool, a);
    if (!greater || greater->kind != FW_ATOM_MAXIMUM)
        return false;
    const fw_expression sides[2] = {greater->a, greater->b};
    for (unsigned s = 0; s < 2; s++) {
        const struct fw_atom_node *lesser = sole_atom(pool, sides[s]);
        if (!lesser || lesser->kind != FW_ATOM_MINIMUM || (lesser->a != 0 && lesser->b != 0))
            continue;
        *from = lesser->a != 0 ? lesser->a : lesser->b;
        if (fw_expression_constant(pool, fw_subtract(pool, *from, sides[1 - s]), steps) &&
            *steps > 0)
            return true;
    }
    return false;
}

/* Whether a is x > 0 ? -1 : 0, which the pool writes as (x > 0 ? 0 : 1) - 1. */
static bool is_step(struct fw_pool *pool, fw_expression a, fw_expression x)
{
    const struct fw_expression_node *node = &pool->expressions.at[a];
    if (node->term_count != 2 || node->terms[0].atom_count != 0 ||
        node->terms[0].coefficient != -1 || node->terms[1].atom_count != 1 ||
        pool->atoms.at[node->terms[1].atoms[0]].kind != FW_ATOM_SELECT)
        return false;
    fw_condition positive = fw_is_positive(pool, fw_subtract(pool, x, fw_constant(pool, 1)));
    return fw_select(pool, positive, fw_constant(pool, -1), 0) == a;
}

fw_expression record_sum(struct builder *b, fw_expression x, fw_expression y)
{
    struct fw_pool *pool = b->pool;
    fw_expression from;
    int64_t steps;
    if (is_step(pool, x, y)) {
        fw_expression other = x;
        x = y;
        y = other;
    } else if (!is_step(pool, y, x)) {
        return fw_add(pool, x, y);
    }
    if (is_stepped_down(pool, x, &from, &steps))
        return stepped_down(pool, from, steps + 1);
    return stepped_down(pool, x, 1);
}

fw_expression record_countdown(struct builder *b, const struct record_phi *phi)
{
    struct fw_pool *pool = b->pool;
    fw_expression from, i = fw_atom_new(pool, FW_ATOM_ITERATION, phi->loop, 0, 0);
    int64_t steps;
    if (!is_stepped_down(pool, phi->next, &from, &steps) || from != phi->phi || steps > MOST_STEPS)
        return FW_NO_EXPRESSION;
    fw_expression left = fw_subtract(pool, phi->start, fw_scale(pool, i, steps));
    return fw_maximum(pool, left, fw_minimum(pool, phi->start, 0));
}
