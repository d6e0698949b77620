/* Index arrays that a launch goes round: the remainder or mask that chooses their elements tells
 * how many they have, whatever the launch's own threads and iterations are. */
#include "data_address_internal.h"

#include <math.h>

/* Whether a term moves with indices, iterations or data: what is no argument or size may. */
static bool moves(const struct fw_pool *pool, const struct fw_term *term)
{
    for (uint32_t i = 0; i < term->atom_count; i++) {
        const struct fw_atom_node *node = &pool->atoms.at[term->atoms[i]];
        bool is_size =
            node->kind == FW_ATOM_LAUNCH && node->a >= FW_GRID_SIZE_X && node->a <= FW_BLOCK_SIZE_Z;
        if (!is_size && node->kind != FW_ATOM_PARAMETER && node->kind != FW_ATOM_ARRAY)
            return true;
    }
    return false;
}

static bool same_atoms(const struct fw_term *a, const struct fw_term *b)
{
    bool same = a->atom_count == b->atom_count;
    for (uint32_t i = 0; i < a->atom_count && same; i++)
        same = a->atoms[i] == b->atoms[i];
    return same;
}

/* Whether all that moves of `sum`, but for the term `without`, stands `scale` times in `other`. */
static bool is_within(const struct fw_pool *pool, const struct fw_expression_node *sum,
                      const struct fw_term *without, const struct fw_expression_node *other,
                      int64_t up, int64_t down)
{
    for (uint32_t t = 0; t < sum->term_count; t++) {
        const struct fw_term *term = &sum->terms[t];
        bool found = term == without || !moves(pool, term);
        for (uint32_t o = 0; o < other->term_count && !found; o++)
            found = same_atoms(term, &other->terms[o]) &&
                    (double)term->coefficient * (double)up ==
                        (double)other->terms[o].coefficient * (double)down;
        if (!found)
            return false;
    }
    return true;
}

/* Whether a term has the atoms of another one, and one more at `place`. */
static bool is_without(const struct fw_term *term, const struct fw_term *other, uint32_t place)
{
    for (uint32_t a = 0; a < other->atom_count; a++)
        if (term->atoms[a < place ? a : a + 1] != other->atoms[a])
            return false;
    return true;
}

/* The divisor m and the scale s of a term -s m floor(x / m); FW_NO_EXPRESSION: it is none. */
static fw_expression divisor_of(const struct fw_pool *pool, const struct fw_term *term,
                                const struct fw_expression_node **x, int64_t *scale)
{
    for (uint32_t i = 0; i < term->atom_count; i++) {
        const struct fw_atom_node *node = &pool->atoms.at[term->atoms[i]];
        if (node->kind != FW_ATOM_FLOOR && node->kind != FW_ATOM_TRUNCATE)
            continue;
        const struct fw_expression_node *by = &pool->expressions.at[node->b];
        if (by->term_count != 1 || by->terms[0].atom_count + 1 != term->atom_count ||
            moves(pool, &by->terms[0]) || term->coefficient % by->terms[0].coefficient != 0 ||
            !is_without(term, &by->terms[0], i))
            return FW_NO_EXPRESSION;
        *x = &pool->expressions.at[node->a];
        *scale = -term->coefficient / by->terms[0].coefficient;
        return node->b;
    }
    return FW_NO_EXPRESSION;
}

/* The mask of a term s (x & mask), where nothing else moves. */
static fw_expression mask_of(const struct fw_pool *pool, const struct fw_expression_node *place,
                             const struct fw_term *term)
{
    const struct fw_atom_node *node =
        term->atom_count == 1 ? &pool->atoms.at[term->atoms[0]] : NULL;
    const struct fw_expression_node none = {NULL, 0};
    if (!node || node->kind != FW_ATOM_BITAND || !is_within(pool, place, term, &none, 1, 1))
        return FW_NO_EXPRESSION;
    for (uint32_t o = 0; o < 2; o++) {
        fw_expression mask = o ? node->a : node->b;
        if (is_within(pool, &pool->expressions.at[mask], NULL, &none, 1, 1))
            return mask;
    }
    return FW_NO_EXPRESSION;
}

double data_elements_round(struct fw_data_addresses *addresses, uint32_t load)
{
    static const int64_t first[DATA_LOOPS];
    const struct fw_point anywhere = {{0}, {0}, first};
    const struct fw_access *access = &addresses->kernel->accesses[load];
    const struct fw_pool *pool = &addresses->kernel->pool;
    const struct fw_expression_node *place = &pool->expressions.at[access->offset];
    for (uint32_t t = 0; t < place->term_count && access->bytes && !access->data; t++) {
        const struct fw_term *term = &place->terms[t];
        const struct fw_expression_node *x;
        int64_t scale, value;
        fw_expression divisor = divisor_of(pool, term, &x, &scale), mask;
        if (divisor != FW_NO_EXPRESSION && scale > 0 && is_within(pool, place, term, x, 1, scale) &&
            is_within(pool, x, NULL, place, scale, 1) &&
            fw_bound_evaluate(addresses->bound, divisor, &anywhere, &value) && value > 0)
            return fmax(1, (double)scale * (double)value / access->bytes);
        mask = term->coefficient > 0 ? mask_of(pool, place, term) : FW_NO_EXPRESSION;
        if (mask != FW_NO_EXPRESSION &&
            fw_bound_evaluate(addresses->bound, mask, &anywhere, &value) && value > 0 &&
            value < INT32_MAX)
            return fmax(1, (double)term->coefficient * ((double)value + 1) / access->bytes);
    }
    return 0;
}
