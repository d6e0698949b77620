/* Expressions that are affine in the indices of a point, once a launch is bound.
 *
 * Arguments and sizes become numbers, so that the value at a point is a constant and a few products
 * instead of a walk over atoms.  Most addresses and conditions of kernels are such.  An operation
 * (a quotient, a choice) that does not depend on iterations has one value a thread of a block: it
 * is kept by thread, and stands in affine expressions like an index. */
#include "bound_internal.h"
#include "checked.h"
#include "scalar.h"
#include "warp.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_TERMS = 6,
    FIRST_LOOP = FW_THREAD_Z + 1,
    FIRST_ATOM = 1 << 30, /* FIRST_ATOM + atom: one that is kept by thread */
    MOST_THREADS = 1024,  /* of a block */
    MOST_ROWS = 4096,     /* of warps' values that are kept */
    RECENT = 4,           /* blocks whose numbers are kept: who goes through the warps of one block
                             asks for a thread of another one between them */
    MOST_CONDITIONS = 256
};

/* What the value of an operation differs by beside the binding: of blocks and of threads a bit for
 * each dimension, the first ones. */
enum scope {
    UNASKED,
    BY_ITERATION /* or by data: it is not kept */,
    FIXED,
    BY_BLOCK = 4,
    BLOCK_BITS = 7 * BY_BLOCK,
    BY_THREAD = 32,
    THREAD_BITS = 7 * BY_THREAD
};

/* A value in a thread, and the binding and block in which it is that. */
struct fixed_value {
    uint64_t stamp; /* 0: none */
    int64_t value;
};

struct fixed_atom {
    uint8_t scope; /* FIXED with BLOCK_BITS, THREAD_BITS; UNASKED; BY_ITERATION */
    /* By dimension: all bits where it differs by this index, else none. */
    uint32_t block[3], thread[3];
    struct fixed_value **rows; /* by warp of the block */
};

/* A block, or all that have its indices in the dimensions that a value differs by. */
struct numbered_block {
    uint32_t block[3], number; /* from 1; 0: none */
};

struct fixed_values {
    uint32_t binding, atoms, rows, conditions;
    /* Of this binding, by BLOCK_BITS, the latest one first; how many have numbers. */
    struct numbered_block recent[BLOCK_BITS / BY_BLOCK + 1][RECENT];
    uint32_t blocks;
    struct fixed_atom at[];
};

struct affine_value {
    uint32_t binding; /* for which the rest holds; 0: none */
    bool is_affine;
    bool fixing, has_fixed; /* found while operations may be kept; some of it is one */
    bool has_pointer;       /* that is not given: 0, unless tests assume an address */
    uint8_t count;
    int64_t constant;
    struct {
        uint32_t index; /* enum fw_launch_index up to FW_THREAD_Z, FIRST_LOOP + loop, FIRST_ATOM +
                           atom */
        int64_t coefficient;
    } terms[MOST_TERMS];
};

/* ---- operations that iterations do not change ---- */

static unsigned scope_of(struct fw_bound *bound, fw_atom atom);

static unsigned scope_of_expression(struct fw_bound *bound, fw_expression a)
{
    const struct fw_expression_node *node = &bound->kernel->pool.expressions.at[a];
    unsigned scope = FIXED;
    for (uint32_t t = 0; t < node->term_count; t++)
        for (uint32_t i = 0; i < node->terms[t].atom_count; i++)
            scope |= scope_of(bound, node->terms[t].atoms[i]);
    return scope;
}

static unsigned scope_of_condition(struct fw_bound *bound, fw_condition a)
{
    const struct fw_condition_node *node = &bound->kernel->pool.conditions.at[a];
    if (++bound->fixed->conditions > MOST_CONDITIONS)
        return BY_ITERATION;
    switch ((enum fw_condition_kind)node->kind) {
    case FW_CONDITION_FALSE:
    case FW_CONDITION_TRUE:
        return FIXED;
    case FW_CONDITION_POSITIVE:
    case FW_CONDITION_ZERO:
        return scope_of_expression(bound, node->a);
    case FW_CONDITION_UNSIGNED_LESS:
        return scope_of_expression(bound, node->a) | scope_of_expression(bound, node->b);
    case FW_CONDITION_AND:
    case FW_CONDITION_OR:
        return scope_of_condition(bound, node->a) | scope_of_condition(bound, node->b);
    case FW_CONDITION_NOT:
        return scope_of_condition(bound, node->a);
    default:
        return BY_ITERATION;
    }
}

static unsigned scope_of_operation(struct fw_bound *bound, const struct fw_atom_node *node)
{
    struct fw_scalar scalar;
    fw_expression operands[3];
    unsigned scope = FIXED;
    switch ((enum fw_atom_kind)node->kind) {
    case FW_ATOM_PARAMETER: /* of a pointer that is not given, tests assume an address */
        return bound->kernel->parameters[node->a].is_pointer ? BY_ITERATION : FIXED;
    case FW_ATOM_LAUNCH:
        if (node->a <= FW_BLOCK_Z)
            return FIXED | (unsigned)BY_BLOCK << (node->a - FW_BLOCK_X);
        if (node->a <= FW_THREAD_Z)
            return FIXED | (unsigned)BY_THREAD << (node->a - FW_THREAD_X);
        return node->a == FW_LANE || node->a == FW_WARP ? FIXED | THREAD_BITS : FIXED;
    case FW_ATOM_ITERATION:
    case FW_ATOM_TRIPS:
    case FW_ATOM_CARRIED:
    case FW_ATOM_UNKNOWN:
    case FW_ATOM_AT:
        return BY_ITERATION;
    case FW_ATOM_ARRAY:
        return FIXED;
    case FW_ATOM_POWER2:
        return scope_of_expression(bound, node->a);
    case FW_ATOM_SCALAR:
        if (!fw_scalar_of(&bound->kernel->pool, node, &scalar, operands))
            return BY_ITERATION;
        for (uint32_t o = 0; o < fw_scalar_operands(&scalar); o++)
            scope |= scope_of_expression(bound, operands[o]);
        return scope;
    case FW_ATOM_SELECT:
        bound->fixed->conditions = 0;
        scope = scope_of_condition(bound, node->c);
        break;
    default:
        break;
    }
    return scope | scope_of_expression(bound, node->a) | scope_of_expression(bound, node->b);
}

/* What an atom's value differs by, of the kernel: asked for once. */
static unsigned scope_of(struct fw_bound *bound, fw_atom atom)
{
    struct fixed_atom *fixed = &bound->fixed->at[atom];
    if (fixed->scope == UNASKED) {
        unsigned scope = scope_of_operation(bound, &bound->kernel->pool.atoms.at[atom]);
        fixed->scope = (uint8_t)(scope & BY_ITERATION ? BY_ITERATION : scope);
        for (int d = 0; d < 3; d++) {
            fixed->block[d] = scope & (unsigned)BY_BLOCK << d ? UINT32_MAX : 0;
            fixed->thread[d] = scope & (unsigned)BY_THREAD << d ? UINT32_MAX : 0;
        }
    }
    return fixed->scope;
}

static inline bool is_block(const struct numbered_block *numbered, const uint32_t block[3])
{
    return numbered->number && numbered->block[0] == block[0] && numbered->block[1] == block[1] &&
           numbered->block[2] == block[2];
}

/* Puts a block before all other recent ones, which keeps its number if it is one of them. */
static void recall(struct fixed_values *all, struct numbered_block *recent, const uint32_t block[3])
{
    uint32_t at = 0;
    while (at + 1 < RECENT && !is_block(&recent[at], block))
        at++;
    struct numbered_block first = recent[at];
    if (!is_block(&first, block)) {
        memcpy(first.block, block, sizeof(first.block));
        first.number = ++all->blocks;
    }
    memmove(recent + 1, recent, at * sizeof(*recent));
    recent[0] = first;
}

/* The binding, and for what differs by block also the block. */
static inline uint64_t stamp_of(struct fw_bound *bound, const struct fixed_atom *fixed,
                                const struct fw_point *point)
{
    struct fixed_values *all = bound->fixed;
    if (all->binding != bound->binding) {
        all->binding = bound->binding;
        all->blocks = 0;
        memset(all->recent, 0, sizeof(all->recent));
    }
    if (!(fixed->scope & BLOCK_BITS))
        return (uint64_t)bound->binding << 32;
    struct numbered_block *recent = all->recent[(fixed->scope & BLOCK_BITS) / BY_BLOCK];
    const uint32_t block[3] = {point->block[0] & fixed->block[0], point->block[1] & fixed->block[1],
                               point->block[2] & fixed->block[2]};
    if (!is_block(&recent[0], block))
        recall(all, recent, block);
    return (uint64_t)bound->binding << 32 | recent[0].number;
}

/* Where the value of an atom in a thread is kept; NULL: it is not. */
static inline struct fixed_value *place_of(struct fw_bound *bound, struct fixed_atom *fixed,
                                           const struct fw_point *point)
{
    const uint32_t *size = bound->launch->block;
    const uint32_t x = point->thread[0] & fixed->thread[0];
    const uint32_t y = point->thread[1] & fixed->thread[1];
    const uint32_t z = point->thread[2] & fixed->thread[2];
    const uint32_t thread = x + size[0] * (y + size[1] * z);
    const uint32_t row = thread / FW_WARP_THREADS;
    if (thread >= MOST_THREADS)
        return NULL;
    if (fixed->rows && fixed->rows[row])
        return &fixed->rows[row][thread % FW_WARP_THREADS];
    if (!fixed->rows)
        fixed->rows = calloc(MOST_THREADS / FW_WARP_THREADS, sizeof(*fixed->rows));
    if (fixed->rows && !fixed->rows[row] && bound->fixed->rows < MOST_ROWS) {
        bound->fixed->rows++;
        fixed->rows[row] = calloc(FW_WARP_THREADS, sizeof(**fixed->rows));
    }
    return fixed->rows && fixed->rows[row] ? &fixed->rows[row][thread % FW_WARP_THREADS] : NULL;
}

static bool has_fixed(struct fw_bound *bound)
{
    const uint32_t atoms = (uint32_t)bound->kernel->pool.atoms.count;
    if (!bound->fixed)
        bound->fixed = calloc(1, sizeof(*bound->fixed) + atoms * sizeof(*bound->fixed->at));
    if (bound->fixed)
        bound->fixed->atoms = atoms;
    return bound->fixed != NULL;
}

bool fixed_value_at(struct fw_bound *bound, fw_atom atom, const struct fw_point *point,
                    int64_t *value, bool *known)
{
    if (!bound->fixing || !has_fixed(bound) || scope_of(bound, atom) == BY_ITERATION)
        return false;
    struct fixed_atom *fixed = &bound->fixed->at[atom];
    struct fixed_value *place = place_of(bound, fixed, point);
    if (!place)
        return false;
    const uint64_t stamp = stamp_of(bound, fixed, point);
    *known = true;
    if (place->stamp == stamp) {
        *value = place->value;
        return true;
    }
    *known = bound_operation_at(bound, &bound->kernel->pool.atoms.at[atom], point, value);
    if (*known)
        *place = (struct fixed_value){stamp, *value};
    return true;
}

void fixed_values_free(struct fixed_values *all)
{
    for (uint32_t a = 0; all && a < all->atoms; a++) {
        for (uint32_t r = 0; all->at[a].rows && r < MOST_THREADS / FW_WARP_THREADS; r++)
            free(all->at[a].rows[r]);
        free(all->at[a].rows);
    }
    free(all);
}

/* ---- affine expressions ---- */

/* The same of an operation. */
static bool fixed_number(struct fw_bound *bound, fw_atom atom, const struct fw_point *point,
                         int64_t *number, uint32_t *index)
{
    bool known;
    if (!bound->fixing || !has_fixed(bound) || atom >= FIRST_ATOM)
        return false;
    unsigned scope = scope_of(bound, atom);
    if (scope == FIXED)
        return fixed_value_at(bound, atom, point, number, &known) && known;
    *index = FIRST_ATOM + atom;
    return scope != BY_ITERATION;
}

/* The number that an atom is in this binding, or the index of a point that it is.  False: neither.
 */
static bool atom_value(struct fw_bound *bound, fw_atom atom, const struct fw_point *point,
                       int64_t *number, uint32_t *index)
{
    const struct fw_atom_node *node = &bound->kernel->pool.atoms.at[atom];
    const struct fw_launch *launch = bound->launch;
    *index = FW_NONE;
    switch ((enum fw_atom_kind)node->kind) {
    case FW_ATOM_PARAMETER:
        *number = launch->is_bound[node->a] ? bound_argument(bound, node->a) : 0;
        return launch->is_bound[node->a] || bound->kernel->parameters[node->a].is_pointer;
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
        return fixed_number(bound, atom, point, number, index);
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
static bool find(struct fw_bound *bound, struct affine_value *value, fw_expression a,
                 const struct fw_point *point)
{
    const struct fw_expression_node *node = &bound->kernel->pool.expressions.at[a];
    value->count = 0;
    value->constant = 0;
    value->has_fixed = value->has_pointer = false;
    for (uint32_t t = 0; t < node->term_count; t++) {
        int64_t coefficient = node->terms[t].coefficient;
        uint32_t index = FW_NONE;
        for (uint32_t i = 0; i < node->terms[t].atom_count; i++) {
            uint32_t own;
            int64_t number = 1;
            if (!atom_value(bound, node->terms[t].atoms[i], point, &number, &own) ||
                (own != FW_NONE && index != FW_NONE) ||
                fw_multiply_overflows(coefficient, number, &coefficient))
                return false;
            index = own == FW_NONE ? index : own;
            const struct fw_atom_node *atom =
                &bound->kernel->pool.atoms.at[node->terms[t].atoms[i]];
            value->has_fixed |= atom->kind > FW_ATOM_UNKNOWN;
            value->has_pointer |=
                atom->kind == FW_ATOM_PARAMETER && !bound->launch->is_bound[atom->a];
        }
        if (!add_term(value, index, coefficient))
            return false;
    }
    return true;
}

/* Of an atom that is kept by thread, while operations may be kept. */
static inline bool kept_value_at(struct fw_bound *bound, fw_atom atom, const struct fw_point *point,
                                 int64_t *value)
{
    struct fixed_atom *fixed = &bound->fixed->at[atom];
    const struct fixed_value *place = place_of(bound, fixed, point);
    bool known;
    if (place && place->stamp == stamp_of(bound, fixed, point)) {
        *value = place->value;
        return true;
    }
    return fixed_value_at(bound, atom, point, value, &known) && known;
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
    if (value->binding != bound->binding || (bound->fixing && !value->fixing)) {
        value->is_affine = find(bound, value, a, point);
        value->fixing = bound->fixing;
        value->binding = bound->binding;
    }
    if (!value->is_affine || (value->has_fixed && !bound->fixing) ||
        (value->has_pointer && bound->assuming))
        return false;
    int64_t sum = value->constant;
    for (uint32_t t = 0; t < value->count; t++) {
        uint32_t index = value->terms[t].index;
        int64_t at;
        if (index >= FIRST_ATOM) {
            if (!kept_value_at(bound, index - FIRST_ATOM, point, &at))
                return false;
        } else {
            at = index >= FIRST_LOOP    ? point->iterations[index - FIRST_LOOP]
                 : index >= FW_THREAD_X ? point->thread[index - FW_THREAD_X]
                                        : point->block[index];
        }
        if (fw_add_product_overflows(&sum, value->terms[t].coefficient, at))
            return false;
    }
    *result = sum;
    return true;
}
