/* Moduli: what a phi may be taken modulo, read off what it is in the next iteration: divisors, and
 * how far apart the sides of a selection are, everywhere or where its comparison is at its limit.
 */
#include "record_residue.h"

#include <string.h>

enum { MOST_NESTED = 6, MOST_LOOKED_AT = 200 };

struct candidates {
    struct builder *b;
    const struct record_phi *phi;
    fw_expression moduli[RECORD_MODULI];
    uint32_t count;
    uint32_t looked_at; /* atoms so far */
};

static void add_candidate(struct candidates *to, fw_expression modulus)
{
    int64_t n;
    bool constant = fw_expression_constant(to->b->pool, modulus, &n);
    if (constant && (n < -INT32_MAX || n > INT32_MAX || (n >= -1 && n <= 1)))
        return;
    if (constant && n < 0)
        modulus = fw_constant(to->b->pool, -n);
    for (uint32_t c = 0; c < to->count; c++)
        if (to->moduli[c] == modulus)
            return;
    if (to->count < RECORD_MODULI)
        to->moduli[to->count++] = modulus;
}

static void collect(struct candidates *to, fw_expression a, unsigned depth);

/* What is 0 where a comparison just holds, and where it just fails. */
static uint32_t limits_of(struct fw_pool *pool, fw_condition condition, fw_expression zeros[2])
{
    struct fw_condition_node node = pool->conditions.at[condition];
    fw_expression one = fw_constant(pool, 1);
    if (node.kind == FW_CONDITION_NOT)
        node = pool->conditions.at[node.a];
    if (node.kind != FW_CONDITION_ZERO && node.kind != FW_CONDITION_POSITIVE &&
        node.kind != FW_CONDITION_UNSIGNED_LESS)
        return 0;
    zeros[0] = node.a;
    if (node.kind == FW_CONDITION_UNSIGNED_LESS)
        zeros[0] = fw_subtract(pool, fw_subtract(pool, node.b, node.a), one);
    zeros[1] = fw_add(pool, zeros[0], one);
    return node.kind == FW_CONDITION_ZERO ? 1 : 2;
}

static void add_distance(struct candidates *to, fw_expression apart, fw_expression zero,
                         int64_t coefficient)
{
    struct fw_pool *pool = to->b->pool;
    struct record_residues within = {.b = to->b, .phi = to->phi->phi};
    int64_t n;
    apart = record_distance(&within, apart, zero);
    if (apart == FW_NO_EXPRESSION)
        return;
    if (fw_expression_constant(pool, apart, &n)) {
        add_candidate(to, fw_scale(pool, apart, coefficient));
    } else if (!record_expression_opaque(to->b, apart) &&
               record_invariant(to->b, apart, to->phi->loop)) {
        add_candidate(to, apart);
        add_candidate(to, fw_scale(pool, apart, -1));
    }
}

/* How far the sides of a selection are apart: everywhere, or where what is compared is at its
 * limit. */
static void collect_select(struct candidates *to, const struct fw_atom_node *select,
                           int64_t coefficient, unsigned depth)
{
    struct fw_pool *pool = to->b->pool;
    fw_expression apart = fw_subtract(pool, select->a, select->b), zeros[2];
    uint32_t count = limits_of(pool, select->c, zeros);
    add_distance(to, apart, 0, coefficient);
    for (uint32_t z = 0; z < count; z++)
        add_distance(to, apart, zeros[z], coefficient);
    collect(to, select->a, depth + 1);
    collect(to, select->b, depth + 1);
}

static void collect(struct candidates *to, fw_expression a, unsigned depth)
{
    struct fw_pool *pool = to->b->pool;
    for (uint32_t t = 0; t < pool->expressions.at[a].term_count && depth < MOST_NESTED; t++) {
        const struct fw_term term = pool->expressions.at[a].terms[t];
        for (uint32_t i = 0; i < term.atom_count && to->count < RECORD_MODULI; i++) {
            if (++to->looked_at > MOST_LOOKED_AT)
                return;
            const struct fw_atom_node node = pool->atoms.at[term.atoms[i]];
            bool divides = node.kind == FW_ATOM_FLOOR || node.kind == FW_ATOM_TRUNCATE;
            int64_t n;
            if (node.kind == FW_ATOM_BITAND && term.coefficient == -2)
                add_candidate(to, fw_constant(pool, 2));
            if (node.kind == FW_ATOM_SELECT)
                collect_select(to, &node, term.coefficient, depth);
            else if (divides && fw_expression_constant(pool, node.b, &n)) {
                add_candidate(to, fw_constant(pool, term.coefficient));
                add_candidate(to, node.b);
            } else if (divides && record_invariant(to->b, node.b, to->phi->loop))
                add_candidate(to, node.b);
        }
    }
}

uint32_t record_moduli(struct builder *b, const struct record_phi *phi,
                       fw_expression moduli[RECORD_MODULI])
{
    struct candidates to = {.b = b, .phi = phi};
    collect(&to, phi->next, 0);
    memcpy(moduli, to.moduli, sizeof(to.moduli));
    return to.count;
}
