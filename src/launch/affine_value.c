/* Expressions that are affine in the indices of a point, once a launch is bound.
 *
 * Arguments and sizes become numbers, so that the value at a point is a constant and a few products
 * instead of a walk over atoms.  Most addresses and conditions of kernels are such. */
#include "bound_internal.h"
#include "checked.h"

#include <stdlib.h>

enum { MOST_TERMS = 5, FIRST_LOOP = FW_THREAD_Z + 1 };

struct affine_value {
    uint32_t binding; /* for which the rest holds; 0: none */
    bool is_affine;
    uint8_t count;
    int64_t constant;
    struct {
        uint32_t index; /* enum fw_launch_index up to FW_THREAD_Z, then FIRST_LOOP + loop */
        int64_t coefficient;
    } terms[MOST_TERMS];
};

/* The number that an atom is in this binding, or the index of a point that it is.  False: neither.
 */
static bool atom_value(const struct fw_bound *bound, const struct fw_atom_node *node,
                       int64_t *number, uint32_t *index)
{
    const struct fw_launch *launch = bound->launch;
    *index = FW_NONE;
    switch ((enum fw_atom_kind)node->kind) {
    case FW_ATOM_PARAMETER:
        *number = bound_argument(bound, node->a);
        return launch->is_bound[node->a];
    case FW_ATOM_ITERATION:
        *index = FIRST_LOOP + node->a;
        return true;
    case FW_ATOM_ARRAY:
        *number = 0;
        return true;
    case FW_ATOM_LAUNCH:
        if (node->a <= FW_THREAD_Z)
            *index = node->a;
        else if (node->a <= FW_GRID_SIZE_Z)
            *number = launch->grid[node->a - FW_GRID_SIZE_X];
        else if (node->a <= FW_BLOCK_SIZE_Z)
            *number = launch->block[node->a - FW_BLOCK_SIZE_X];
        else
            return false;
        return true;
    default:
        return false;
    }
}

static bool add_term(struct affine_value *value, uint32_t index, int64_t coefficient)
{
    if (coefficient == 0)
        return true;
    if (index == FW_NONE)
        return !fw_add_overflows(value->constant, coefficient, &value->constant);
    for (uint32_t t = 0; t < value->count; t++)
        if (value->terms[t].index == index)
            return !fw_add_overflows(value->terms[t].coefficient, coefficient,
                                     &value->terms[t].coefficient);
    if (value->count == MOST_TERMS)
        return false;
    value->terms[value->count].index = index;
    value->terms[value->count++].coefficient = coefficient;
    return true;
}

/* Sets an expression's value in this binding.  False: it is not affine, or some product has no room
 * in 64 bits. */
static bool find(const struct fw_bound *bound, struct affine_value *value, fw_expression a)
{
    const struct fw_expression_node *node = &bound->kernel->pool.expressions.at[a];
    value->count = 0;
    value->constant = 0;
    for (uint32_t t = 0; t < node->term_count; t++) {
        int64_t coefficient = node->terms[t].coefficient;
        uint32_t index = FW_NONE;
        for (uint32_t i = 0; i < node->terms[t].atom_count; i++) {
            uint32_t own;
            int64_t number = 1;
            if (!atom_value(bound, &bound->kernel->pool.atoms.at[node->terms[t].atoms[i]], &number,
                            &own) ||
                (own != FW_NONE && index != FW_NONE) ||
                fw_multiply_overflows(coefficient, number, &coefficient))
                return false;
            index = own == FW_NONE ? index : own;
        }
        if (!add_term(value, index, coefficient))
            return false;
    }
    return true;
}

bool affine_value_at(struct fw_bound *bound, fw_expression a, const struct fw_point *point,
                     int64_t *result)
{
    if (!bound->affine_values)
        bound->affine_values =
            calloc(bound->kernel->pool.expressions.count, sizeof(*bound->affine_values));
    if (!bound->affine_values)
        return false;
    struct affine_value *value = &bound->affine_values[a];
    if (value->binding != bound->binding) {
        value->binding = bound->binding;
        value->is_affine = find(bound, value, a);
    }
    if (!value->is_affine)
        return false;
    int64_t sum = value->constant;
    for (uint32_t t = 0; t < value->count; t++) {
        uint32_t index = value->terms[t].index;
        int64_t at = index >= FIRST_LOOP    ? point->iterations[index - FIRST_LOOP]
                     : index >= FW_THREAD_X ? point->thread[index - FW_THREAD_X]
                                            : point->block[index];
        if (fw_add_product_overflows(&sum, value->terms[t].coefficient, at))
            return false;
    }
    *result = sum;
    return true;
}
