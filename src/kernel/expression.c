/* The pool: hash-consing and polynomial arithmetic.  Operations are in expression_operations.c. */
#include "expression.h"

#include "checked.h"

#include <stdlib.h>
#include <string.h>

/* Past these a polynomial is kept as a SUM or PRODUCT atom: products of long sums would explode. */
enum { MOST_TERMS = 48, MOST_PRODUCTS = 256, MOST_FACTORS = 6, MOST_DEPTH = 200 };

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

static uint64_t hash_expression(const struct fw_expression_node *node)
{
    uint64_t hash = node->term_count;
    for (uint32_t t = 0; t < node->term_count; t++) {
        hash = mix(hash, (uint64_t)node->terms[t].coefficient);
        for (uint32_t i = 0; i < node->terms[t].atom_count; i++)
            hash = mix(hash, node->terms[t].atoms[i] + 1);
    }
    return hash;
}

static int compare_products(const struct fw_term *a, const struct fw_term *b)
{
    if (a->atom_count != b->atom_count)
        return a->atom_count < b->atom_count ? -1 : 1;
    for (uint32_t i = 0; i < a->atom_count; i++)
        if (a->atoms[i] != b->atoms[i])
            return a->atoms[i] < b->atoms[i] ? -1 : 1;
    return 0;
}

static bool equal_expressions(const struct fw_expression_node *a,
                              const struct fw_expression_node *b)
{
    if (a->term_count != b->term_count)
        return false;
    for (uint32_t t = 0; t < a->term_count; t++)
        if (a->terms[t].coefficient != b->terms[t].coefficient ||
            compare_products(&a->terms[t], &b->terms[t]) != 0)
            return false;
    return true;
}

static uint64_t hash_node(uint32_t kind, uint32_t a, uint32_t b, uint32_t c)
{
    return mix(mix(mix(mix(1, kind), a), b), c);
}

/* Doubles a hash table when it is two thirds full; `hash_at` gives the hash of entry i. */
static void make_room(struct fw_pool *pool, uint32_t **table, size_t *capacity, size_t count,
                      uint64_t (*hash_at)(const struct fw_pool *pool, size_t i))
{
    if (3 * (count + 1) < 2 * *capacity)
        return;
    *capacity = *capacity ? *capacity * 2 : 64;
    *table = FW_ARRAY(pool->arena, uint32_t, *capacity);
    for (size_t i = 0; i < count; i++) {
        size_t at = hash_at(pool, i) & (*capacity - 1);
        while ((*table)[at])
            at = (at + 1) & (*capacity - 1);
        (*table)[at] = (uint32_t)i + 1;
    }
}

static uint64_t expression_hash_at(const struct fw_pool *pool, size_t i)
{
    return hash_expression(&pool->expressions.at[i]);
}

static uint64_t atom_hash_at(const struct fw_pool *pool, size_t i)
{
    const struct fw_atom_node *node = &pool->atoms.at[i];
    return hash_node(node->kind, node->a, node->b, node->c);
}

static uint64_t condition_hash_at(const struct fw_pool *pool, size_t i)
{
    const struct fw_condition_node *node = &pool->conditions.at[i];
    return hash_node(node->kind, node->a, node->b, node->c);
}

/* The expression with these terms (sorted, no zeros); `terms` is copied when it is new. */
static fw_expression intern(struct fw_pool *pool, const struct fw_term *terms, uint32_t count)
{
    struct fw_expression_node node = {terms, count};
    make_room(pool, &pool->expression_table, &pool->expression_capacity, pool->expressions.count,
              expression_hash_at);
    size_t mask = pool->expression_capacity - 1, at = hash_expression(&node) & mask;
    for (; pool->expression_table[at]; at = (at + 1) & mask)
        if (equal_expressions(&pool->expressions.at[pool->expression_table[at] - 1], &node))
            return pool->expression_table[at] - 1;
    node.terms = fw_arena_copy(pool->arena, terms, count * sizeof(*terms));
    *FW_APPEND(pool->arena, &pool->expressions) = node;
    pool->expression_table[at] = (uint32_t)pool->expressions.count;
    return (uint32_t)pool->expressions.count - 1;
}

void fw_pool_init(struct fw_pool *pool, struct fw_arena *arena)
{
    *pool = (struct fw_pool){.arena = arena};
    intern(pool, NULL, 0);
    fw_condition_new(pool, FW_CONDITION_FALSE, 0, 0, 0);
    fw_condition_new(pool, FW_CONDITION_TRUE, 0, 0, 0);
}

fw_expression fw_constant(struct fw_pool *pool, int64_t value)
{
    struct fw_term term = {value, 0, NULL};
    return value ? intern(pool, &term, 1) : 0;
}

bool fw_expression_constant(const struct fw_pool *pool, fw_expression a, int64_t *value)
{
    const struct fw_expression_node *node = &pool->expressions.at[a];
    if (node->term_count > 1 || (node->term_count == 1 && node->terms[0].atom_count > 0))
        return false;
    *value = node->term_count ? node->terms[0].coefficient : 0;
    return true;
}

static uint32_t expression_depth(const struct fw_pool *pool, fw_expression a)
{
    const struct fw_expression_node *node = &pool->expressions.at[a];
    uint32_t depth = 0;
    for (uint32_t t = 0; t < node->term_count; t++)
        for (uint32_t i = 0; i < node->terms[t].atom_count; i++) {
            uint32_t of_atom = pool->atoms.at[node->terms[t].atoms[i]].depth;
            depth = depth > of_atom ? depth : of_atom;
        }
    return depth;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t atom_depth(const struct fw_pool *pool, enum fw_atom_kind kind, uint32_t a,
                           uint32_t b, uint32_t c)
{
    switch (kind) {
    case FW_ATOM_POWER2:
        return 1 + expression_depth(pool, a);
    case FW_ATOM_SELECT:
        return 1 + larger(pool->conditions.at[c].depth,
                          larger(expression_depth(pool, a), expression_depth(pool, b)));
    case FW_ATOM_FLOOR:
    case FW_ATOM_TRUNCATE:
    case FW_ATOM_MINIMUM:
    case FW_ATOM_MAXIMUM:
    case FW_ATOM_BITAND:
    case FW_ATOM_PRODUCT:
    case FW_ATOM_SUM:
    case FW_ATOM_REPEAT:
    case FW_ATOM_AT:
    case FW_ATOM_SCALAR:
    case FW_ATOM_FOLD:
    case FW_ATOM_STEP:
        return 1 + larger(expression_depth(pool, a), expression_depth(pool, b));
    default:
        return 0;
    }
}

static uint32_t condition_depth(const struct fw_pool *pool, enum fw_condition_kind kind, uint32_t a,
                                uint32_t b)
{
    switch (kind) {
    case FW_CONDITION_POSITIVE:
    case FW_CONDITION_ZERO:
        return 1 + expression_depth(pool, a);
    case FW_CONDITION_UNSIGNED_LESS:
        return 1 + larger(expression_depth(pool, a), expression_depth(pool, b));
    case FW_CONDITION_AND:
    case FW_CONDITION_OR:
        return 1 + larger(pool->conditions.at[a].depth, pool->conditions.at[b].depth);
    case FW_CONDITION_NOT:
        return 1 + pool->conditions.at[a].depth;
    default:
        return 0;
    }
}

fw_expression fw_atom_new(struct fw_pool *pool, enum fw_atom_kind kind, uint32_t a, uint32_t b,
                          uint32_t c)
{
    uint32_t depth = atom_depth(pool, kind, a, b, c);
    if (depth > MOST_DEPTH) {
        kind = FW_ATOM_UNKNOWN;
        a = FW_TOO_DEEP;
        b = (uint32_t)pool->atoms.count;
        c = depth = 0;
    }
    make_room(pool, &pool->atom_table, &pool->atom_capacity, pool->atoms.count, atom_hash_at);
    size_t mask = pool->atom_capacity - 1, at = hash_node((uint32_t)kind, a, b, c) & mask;
    fw_atom atom = 0;
    for (; pool->atom_table[at]; at = (at + 1) & mask) {
        const struct fw_atom_node *node = &pool->atoms.at[pool->atom_table[at] - 1];
        if (node->kind == kind && node->a == a && node->b == b && node->c == c)
            break;
    }
    if (!pool->atom_table[at]) {
        *FW_APPEND(pool->arena, &pool->atoms) =
            (struct fw_atom_node){(uint8_t)kind, a, b, c, depth};
        pool->atom_table[at] = (uint32_t)pool->atoms.count;
    }
    atom = pool->atom_table[at] - 1;
    fw_atom *product = fw_arena_copy(pool->arena, &atom, sizeof(atom));
    struct fw_term term = {1, 1, product};
    return intern(pool, &term, 1);
}

fw_condition fw_condition_new(struct fw_pool *pool, enum fw_condition_kind kind, uint32_t a,
                              uint32_t b, uint32_t c)
{
    uint32_t depth = condition_depth(pool, kind, a, b);
    if (depth > MOST_DEPTH) {
        kind = FW_CONDITION_UNKNOWN;
        a = FW_TOO_DEEP;
        b = (uint32_t)pool->conditions.count;
        c = depth = 0;
    }
    make_room(pool, &pool->condition_table, &pool->condition_capacity, pool->conditions.count,
              condition_hash_at);
    size_t mask = pool->condition_capacity - 1, at = hash_node((uint32_t)kind, a, b, c) & mask;
    for (; pool->condition_table[at]; at = (at + 1) & mask) {
        const struct fw_condition_node *node = &pool->conditions.at[pool->condition_table[at] - 1];
        if (node->kind == kind && node->a == a && node->b == b && node->c == c)
            return pool->condition_table[at] - 1;
    }
    *FW_APPEND(pool->arena, &pool->conditions) =
        (struct fw_condition_node){(uint8_t)kind, a, b, c, depth};
    pool->condition_table[at] = (uint32_t)pool->conditions.count;
    return (uint32_t)pool->conditions.count - 1;
}

fw_expression fw_launch_value(struct fw_pool *pool, enum fw_launch_index index)
{
    return fw_atom_new(pool, FW_ATOM_LAUNCH, (uint32_t)index, 0, 0);
}

/* a + factor * b; false when it does not fit (too many terms, or a coefficient overflows). */
static bool add_scaled(struct fw_pool *pool, fw_expression a, fw_expression b, int64_t factor,
                       fw_expression *result)
{
    const struct fw_expression_node *x = &pool->expressions.at[a], *y = &pool->expressions.at[b];
    struct fw_term terms[2 * MOST_TERMS + 2];
    uint32_t count = 0, i = 0, j = 0;
    if (x->term_count + y->term_count > 2 * MOST_TERMS)
        return false;
    while (i < x->term_count || j < y->term_count) {
        int order = i == x->term_count   ? 1
                    : j == y->term_count ? -1
                                         : compare_products(&x->terms[i], &y->terms[j]);
        struct fw_term term = order <= 0 ? x->terms[i] : y->terms[j];
        int64_t scaled = 0;
        if (order >= 0 && fw_multiply_overflows(y->terms[j].coefficient, factor, &scaled))
            return false;
        if (fw_add_overflows(order <= 0 ? x->terms[i].coefficient : 0, scaled, &term.coefficient))
            return false;
        i += order <= 0;
        j += order >= 0;
        if (term.coefficient)
            terms[count++] = term;
    }
    if (count > MOST_TERMS)
        return false;
    *result = intern(pool, terms, count);
    return true;
}

fw_expression fw_add(struct fw_pool *pool, fw_expression a, fw_expression b)
{
    fw_expression result;
    if (add_scaled(pool, a, b, 1, &result))
        return result;
    return fw_atom_new(pool, FW_ATOM_SUM, a, b, 0);
}

fw_expression fw_scale(struct fw_pool *pool, fw_expression a, int64_t factor)
{
    fw_expression result;
    if (add_scaled(pool, 0, a, factor, &result))
        return result;
    return fw_atom_new(pool, FW_ATOM_PRODUCT, a, fw_constant(pool, factor), 0);
}

fw_expression fw_subtract(struct fw_pool *pool, fw_expression a, fw_expression b)
{
    fw_expression result;
    if (add_scaled(pool, a, b, -1, &result))
        return result;
    return fw_atom_new(pool, FW_ATOM_SUM, a, fw_scale(pool, b, -1), 0);
}

/* a * term; false when it does not fit.  The order of products may change: terms are inserted one
 * by one through add_scaled. */
static bool multiply_term(struct fw_pool *pool, fw_expression a, const struct fw_term *by,
                          fw_expression *result)
{
    fw_expression sum = 0;
    for (uint32_t t = 0; t < pool->expressions.at[a].term_count; t++) {
        const struct fw_term *term = &pool->expressions.at[a].terms[t];
        struct fw_term product = {0, term->atom_count + by->atom_count, NULL};
        if (product.atom_count > MOST_FACTORS ||
            fw_multiply_overflows(term->coefficient, by->coefficient, &product.coefficient))
            return false;
        fw_atom *atoms = FW_ARRAY(pool->arena, fw_atom, product.atom_count);
        for (uint32_t i = 0, j = 0, k = 0; k < product.atom_count; k++)
            atoms[k] =
                j == by->atom_count || (i < term->atom_count && term->atoms[i] <= by->atoms[j])
                    ? term->atoms[i++]
                    : by->atoms[j++];
        product.atoms = atoms;
        fw_expression one = intern(pool, &product, 1);
        if (!add_scaled(pool, sum, one, 1, &sum))
            return false;
    }
    *result = sum;
    return true;
}

fw_expression fw_multiply(struct fw_pool *pool, fw_expression a, fw_expression b)
{
    fw_expression sum = 0, part;
    if (pool->expressions.at[a].term_count * pool->expressions.at[b].term_count > MOST_PRODUCTS)
        return fw_atom_new(pool, FW_ATOM_PRODUCT, a < b ? a : b, a < b ? b : a, 0);
    if (pool->expressions.at[a].term_count < pool->expressions.at[b].term_count) {
        fw_expression other = a;
        a = b;
        b = other;
    }
    for (uint32_t t = 0; t < pool->expressions.at[b].term_count; t++) {
        struct fw_term by = pool->expressions.at[b].terms[t];
        if (!multiply_term(pool, a, &by, &part) || !add_scaled(pool, sum, part, 1, &sum))
            return fw_atom_new(pool, FW_ATOM_PRODUCT, a < b ? a : b, a < b ? b : a, 0);
    }
    return sum;
}
