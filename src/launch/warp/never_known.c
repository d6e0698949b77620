/* Conditions whose outcome is known at no point, since data are a part of them.
 *
 * A kernel that walks a table has chains of such conditions, one for each unrolled step: whoever
 * asks at a point need not walk through them to find that out. */
#include "bound_internal.h"
#include "scalar.h"

#include <stdlib.h>

enum { LOOKED_AT = 64 /* expressions of a comparison that are looked at */ };

static bool needs_data(const struct fw_kernel *kernel, fw_expression a, uint32_t *left);

static bool atom_needs_data(const struct fw_kernel *kernel, fw_atom atom, uint32_t *left)
{
    const struct fw_atom_node *node = &kernel->pool.atoms.at[atom];
    struct fw_scalar scalar;
    fw_expression operands[3];
    switch ((enum fw_atom_kind)node->kind) {
    case FW_ATOM_UNKNOWN:
        return true;
    case FW_ATOM_FLOOR:
    case FW_ATOM_TRUNCATE:
    case FW_ATOM_MINIMUM:
    case FW_ATOM_MAXIMUM:
    case FW_ATOM_BITAND:
    case FW_ATOM_PRODUCT:
    case FW_ATOM_SUM:
    case FW_ATOM_REPEAT:
        return needs_data(kernel, node->a, left) || needs_data(kernel, node->b, left);
    case FW_ATOM_SCALAR:
        if (!fw_scalar_of(&kernel->pool, node, &scalar, operands))
            return false;
        for (uint32_t o = 0; o < fw_scalar_operands(&scalar); o++)
            if (needs_data(kernel, operands[o], left))
                return true;
        return false;
    default:
        return false;
    }
}

/* Whether data are a part of an expression, so that its value is known at no iteration.  False: it
 * may be. */
static bool needs_data(const struct fw_kernel *kernel, fw_expression a, uint32_t *left)
{
    const struct fw_expression_node *node = &kernel->pool.expressions.at[a];
    if (!*left)
        return false;
    --*left;
    for (uint32_t t = 0; t < node->term_count; t++)
        for (uint32_t i = 0; i < node->terms[t].atom_count; i++)
            if (atom_needs_data(kernel, node->terms[t].atoms[i], left))
                return true;
    return false;
}

static bool find(struct fw_bound *bound, fw_condition a)
{
    const struct fw_kernel *kernel = bound->kernel;
    const struct fw_condition_node *node = &kernel->pool.conditions.at[a];
    uint32_t left = LOOKED_AT;
    switch ((enum fw_condition_kind)node->kind) {
    case FW_CONDITION_UNKNOWN:
        return true;
    case FW_CONDITION_POSITIVE:
    case FW_CONDITION_ZERO:
        return needs_data(kernel, node->a, &left);
    case FW_CONDITION_UNSIGNED_LESS:
        return needs_data(kernel, node->a, &left) || needs_data(kernel, node->b, &left);
    case FW_CONDITION_AND:
    case FW_CONDITION_OR:
        return fw_bound_is_never_known(bound, node->a) && fw_bound_is_never_known(bound, node->b);
    case FW_CONDITION_NOT:
        return fw_bound_is_never_known(bound, node->a);
    default:
        return false;
    }
}

bool fw_bound_is_never_known(struct fw_bound *bound, fw_condition a)
{
    if (!bound->never_known)
        bound->never_known = calloc(bound->kernel->pool.conditions.count, 1);
    if (!bound->never_known)
        return find(bound, a);
    if (bound->never_known[a] == NEVER_KNOWN_NOT_ASKED)
        bound->never_known[a] = find(bound, a) ? NEVER_KNOWN_YES : NEVER_KNOWN_NO;
    return bound->never_known[a] == NEVER_KNOWN_YES;
}
