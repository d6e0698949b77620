/* What a loop carries from one iteration to the next, as an expression that holds the step. */
#include "expression.h"

fw_expression fw_fold(struct fw_pool *pool, uint32_t number, fw_expression start,
                      fw_expression next, fw_expression times)
{
    if (times == 0)
        return start;
    fw_expression step = fw_atom_new(pool, FW_ATOM_STEP, next, times, number);
    return fw_atom_new(pool, FW_ATOM_FOLD, start, step, number);
}

bool fw_fold_of(const struct fw_pool *pool, const struct fw_atom_node *node, fw_expression *next,
                fw_expression *times)
{
    const struct fw_expression_node *terms = &pool->expressions.at[node->b];
    if (terms->term_count != 1 || terms->terms[0].atom_count != 1)
        return false;
    const struct fw_atom_node *step = &pool->atoms.at[terms->terms[0].atoms[0]];
    *next = step->a;
    *times = step->b;
    return step->kind == FW_ATOM_STEP;
}
