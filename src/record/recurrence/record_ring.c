/* Rings: phis that wrap around, as positions in ring buffers and the stages of pipelines do.
 *
 * next = (phi + c) mod n, however it is written: by a remainder, by bits, by `p + c >= n ? p + c -
 * n : p + c`, `p + 1 == n ? 0 : p + 1`, `p == 0 ? n - 1 : p - 1`, `p ^ 1`, or several of these in a
 * row, as an unrolled loop has them:   (start + c i) mod n, as a sum with a floor.
 *
 * record_modulus.c reads the candidates for n off `next`.  For each, the phi is taken to be in [0,
 * n), under which comparisons become floors (record_residue.c) that cancel; when (phi + c) mod n is
 * what is left, the phi stays in [0, n), and is right to be taken so if it starts there.  A phi
 * that starts as another that is still being solved, that of a loop around, is supposed to: see
 * record_supposed_rightly.  One that starts outside, at a number, has its first value apart. */
#include "record_residue.h"

enum { MOST_NESTED = 6, MOST_SPLITS = 32 };

struct solving {
    struct record_residues within;
    const struct record_phi *phi;
    unsigned splits;
};

static bool is_atom(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)node;
    return atom == *(const fw_atom *)user;
}

static bool mentions(const struct solving *s, fw_expression a)
{
    fw_atom atom = s->phi->atom;
    return fw_expression_any(s->within.b->pool, a, is_atom, &atom);
}

/* ---- steps ---- */

static bool step_of(struct solving *s, fw_expression a, fw_expression *step);

struct sides {
    fw_condition condition;
    bool first;
    fw_expression of[2];
};

static fw_expression take_side(void *user, const struct fw_atom_node *node)
{
    const struct sides *sides = user;
    if (node->kind != FW_ATOM_SELECT || node->c != sides->condition)
        return FW_NO_EXPRESSION;
    return sides->first ? node->a : node->b;
}

/* What a is where a selection in it has its first side, and where its second.  False: no term of it
 * is a selection by what does not depend on the phi. */
static bool split(struct solving *s, fw_expression a, struct sides *sides)
{
    struct fw_pool *pool = s->within.b->pool;
    fw_atom phi = s->phi->atom;
    for (uint32_t t = 0; t < pool->expressions.at[a].term_count && s->splits < MOST_SPLITS; t++) {
        const struct fw_term term = pool->expressions.at[a].terms[t];
        if (term.atom_count != 1 || pool->atoms.at[term.atoms[0]].kind != FW_ATOM_SELECT)
            continue;
        sides->condition = pool->atoms.at[term.atoms[0]].c;
        if (fw_condition_any(pool, sides->condition, is_atom, &phi))
            continue;
        struct fw_replacement with = {.user = sides, .operation = take_side};
        s->splits++;
        sides->first = true;
        sides->of[0] = fw_expression_replace(pool, a, &with);
        sides->first = false;
        sides->of[1] = fw_expression_replace(pool, a, &with);
        return true;
    }
    return false;
}

/* A selection by what does not depend on the phi: both its sides are steps. */
static bool step_by_condition(struct solving *s, fw_expression a, fw_expression *step)
{
    struct sides sides;
    fw_expression steps[2];
    if (!split(s, a, &sides) || !step_of(s, sides.of[0], &steps[0]) ||
        !step_of(s, sides.of[1], &steps[1]))
        return false;
    *step = fw_select(s->within.b->pool, sides.condition, steps[0], steps[1]);
    return true;
}

/* Whether a is 0 or 1 for certain. */
static bool is_bit(struct solving *s, fw_expression a)
{
    struct fw_pool *pool = s->within.b->pool;
    struct sides sides;
    fw_expression rest = fw_subtract(pool, fw_constant(pool, 1), a);
    if (fw_is_positive(pool, a) == FW_CONDITION_TRUE &&
        fw_is_positive(pool, rest) == FW_CONDITION_TRUE)
        return true;
    return split(s, a, &sides) && is_bit(s, sides.of[0]) && is_bit(s, sides.of[1]);
}

/* phi ^ step of two bits, phi + step - 2 (phi & step), is (phi + step) mod 2. */
static bool step_by_bits(struct solving *s, fw_expression a, fw_expression *step)
{
    struct fw_pool *pool = s->within.b->pool;
    for (uint32_t t = 0; t < pool->expressions.at[a].term_count; t++) {
        const struct fw_term term = pool->expressions.at[a].terms[t];
        if (term.atom_count != 1 || term.coefficient != -2)
            continue;
        const struct fw_atom_node node = pool->atoms.at[term.atoms[0]];
        if (node.kind != FW_ATOM_BITAND || (node.a != s->phi->phi && node.b != s->phi->phi))
            continue;
        *step = node.a == s->phi->phi ? node.b : node.a;
        fw_expression both =
            fw_scale(pool, fw_atom_new(pool, FW_ATOM_BITAND, node.a, node.b, 0), 2);
        fw_expression sum = fw_add(pool, s->phi->phi, *step);
        return a == fw_subtract(pool, sum, both) && !mentions(s, *step) && is_bit(s, *step);
    }
    return false;
}

/* The step for which a = (phi + step) mod n, as long as the phi is in [0, n). */
static bool step_of(struct solving *s, fw_expression a, fw_expression *step)
{
    struct builder *b = s->within.b;
    struct fw_pool *pool = b->pool;
    struct record_residue r;
    fw_expression one = fw_constant(pool, 1);
    *step = 0;
    if (a == s->phi->phi)
        return true;
    if (s->within.n == 2 && a == fw_subtract(pool, one, s->phi->phi)) {
        *step = one;
        return true;
    }
    if (s->within.n == 2 && step_by_bits(s, a, step))
        return true;
    if (record_find_residue(&s->within, a, &r) && r.sign > 0 && r.whole == 0 && r.rest >= 0 &&
        r.rest < r.scale && fw_scale(pool, r.modulus, r.scale) == s->within.modulus) {
        fw_expression whole =
            fw_add(pool, fw_scale(pool, r.of, r.scale), fw_constant(pool, r.rest));
        *step = fw_subtract(pool, whole, s->phi->phi);
        return !mentions(s, *step);
    }
    return step_by_condition(s, a, step);
}

/* ---- where a phi starts ---- */

static bool is_placeholder(const struct fw_pool *pool, fw_expression a)
{
    const struct fw_expression_node *node = &pool->expressions.at[a];
    if (node->term_count != 1 || node->terms[0].atom_count != 1 || node->terms[0].coefficient != 1)
        return false;
    const struct fw_atom_node *atom = &pool->atoms.at[node->terms[0].atoms[0]];
    return atom->kind == FW_ATOM_UNKNOWN && atom->a != FW_TOO_DEEP && (atom->a & PLACEHOLDER_FLAG);
}

/* Whether a is in [0, n) for certain, or supposedly. */
static bool in_ring(struct solving *s, fw_expression a, unsigned depth)
{
    struct record_residues *within = &s->within;
    struct builder *b = within->b;
    struct fw_pool *pool = b->pool;
    const struct record_residues any = {
        .b = b, .phi = s->phi->phi, .modulus = within->modulus, .n = within->n};
    struct record_residue r;
    int64_t value;
    if (fw_expression_constant(pool, a, &value)) {
        if (value >= within->least && !within->n && value < INT32_MAX)
            within->least = value + 1;
        return value >= 0 && (!within->n || value < within->n);
    }
    if (a == s->phi->phi)
        return true;
    if (is_placeholder(pool, a)) {
        *FW_APPEND(b->arena, &b->suppositions) = (struct supposition){a, within->modulus};
        return true;
    }
    if (record_find_residue(&any, a, &r) && r.whole == 0) {
        int64_t far = r.rest + r.sign * r.scale * (r.n - 1);
        if (r.n && within->n)
            return r.rest >= 0 && far >= 0 && r.rest < within->n && far < within->n;
        return r.sign > 0 && r.rest == 0 && r.modulus == within->modulus;
    }
    struct sides sides;
    return depth < MOST_NESTED && split(s, a, &sides) && in_ring(s, sides.of[0], depth + 1) &&
           in_ring(s, sides.of[1], depth + 1);
}

bool record_supposed_rightly(struct builder *b, const struct record_phi *phi)
{
    bool right = true;
    for (size_t i = 0; i < b->suppositions.count;) {
        const struct supposition made = b->suppositions.at[i];
        if (made.phi != phi->phi) {
            i++;
            continue;
        }
        b->suppositions.at[i] = b->suppositions.at[--b->suppositions.count];
        struct solving s = {.within = {.b = b, .phi = phi->phi, .modulus = made.modulus},
                            .phi = phi};
        if (!fw_expression_constant(b->pool, made.modulus, &s.within.n))
            s.within.n = 0;
        right = right && in_ring(&s, phi->start, 0) && in_ring(&s, phi->next, 0);
        right = right && record_oblige_modulus(b, made.modulus, s.within.least, phi->block);
    }
    return right;
}

/* ---- closed forms ---- */

/* a mod n */
static fw_expression residue(const struct solving *s, fw_expression a)
{
    struct fw_pool *pool = s->within.b->pool;
    fw_expression floor = fw_floor_divide(pool, a, s->within.modulus);
    return fw_subtract(pool, a, fw_multiply(pool, s->within.modulus, floor));
}

static fw_expression started(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    const struct record_phi *phi = user;
    (void)node;
    return atom == phi->atom ? phi->start : FW_NO_EXPRESSION;
}

/* A step of n - c is one of -c. */
static fw_expression shortest(const struct solving *s, fw_expression step)
{
    int64_t by;
    if (!s->within.n || !fw_expression_constant(s->within.b->pool, step, &by))
        return step;
    by %= s->within.n;
    by += by < 0 ? s->within.n : 0;
    return fw_constant(s->within.b->pool, by > s->within.n / 2 ? by - s->within.n : by);
}

/* In iteration 0 the start, from iteration 1 on a ring that begins with what follows the start. */
static fw_expression first_apart(struct solving *s, fw_expression step)
{
    struct builder *b = s->within.b;
    struct fw_pool *pool = b->pool;
    uint32_t loop = s->phi->loop;
    struct record_phi phi = *s->phi;
    const struct fw_replacement with = {.replace = started, .user = &phi};
    fw_expression second = fw_expression_replace(pool, s->phi->next, &with);
    fw_expression i = fw_atom_new(pool, FW_ATOM_ITERATION, loop, 0, 0);
    if (!record_invariant(b, second, loop) || !record_invariant(b, step, loop) ||
        !in_ring(s, second, 0))
        return FW_NO_EXPRESSION;
    fw_expression before = fw_subtract(pool, i, fw_constant(pool, 1));
    fw_expression sum = fw_add(pool, second, fw_multiply(pool, step, before));
    return fw_select(pool, fw_is_zero(pool, i), s->phi->start, residue(s, sum));
}

/* The step, for what is left of `next` while the phi is taken to be in [0, n). */
static bool find_step(struct solving *s, fw_expression *step, bool *natural)
{
    struct fw_pool *pool = s->within.b->pool;
    uint32_t outer = pool->nonnegative;
    pool->nonnegative = s->phi->atom + 1;
    fw_expression next = record_residue_operations(&s->within, s->phi->next);
    pool->nonnegative = outer;
    *natural = next == s->phi->next && s->within.n != 2;
    if (!step_of(s, next, step) || *step == 0)
        return false;
    *step = shortest(s, *step);
    return true;
}

/* The closed form for one modulus. */
static fw_expression solve(struct solving *s)
{
    struct builder *b = s->within.b;
    struct fw_pool *pool = b->pool;
    fw_expression step, result;
    bool natural; /* next is a residue whatever the phi is */
    size_t supposed = b->suppositions.count;
    if (!find_step(s, &step, &natural))
        return FW_NO_EXPRESSION;
    if (in_ring(s, s->phi->start, 0)) {
        result = record_accumulate(b, s->phi->loop, s->phi->start, step);
        result = result == FW_NO_EXPRESSION ? result : residue(s, result);
    } else if (natural) {
        b->suppositions.count = supposed;
        fw_expression i = fw_atom_new(pool, FW_ATOM_ITERATION, s->phi->loop, 0, 0);
        result = record_accumulate(b, s->phi->loop, s->phi->start, step);
        if (result != FW_NO_EXPRESSION)
            result = fw_select(pool, fw_is_zero(pool, i), s->phi->start, residue(s, result));
    } else {
        b->suppositions.count = supposed;
        result = first_apart(s, step);
    }
    if (result == FW_NO_EXPRESSION ||
        !record_oblige_modulus(b, s->within.modulus, s->within.least, s->phi->block)) {
        b->suppositions.count = supposed;
        return FW_NO_EXPRESSION;
    }
    b->loops[s->phi->loop].holds_ring = b->any_ring = true;
    return result;
}

fw_expression record_ring(struct builder *b, const struct record_phi *phi)
{
    fw_expression moduli[RECORD_MODULI], result = FW_NO_EXPRESSION;
    uint32_t count = record_moduli(b, phi, moduli);
    for (uint32_t c = 0; c < count && result == FW_NO_EXPRESSION; c++) {
        struct solving s = {.within = {.b = b, .phi = phi->phi, .modulus = moduli[c]}, .phi = phi};
        if (!fw_expression_constant(b->pool, s.within.modulus, &s.within.n))
            s.within.n = 0;
        result = solve(&s);
    }
    return result;
}

/* An operation whose parts are what an instruction's operands are: of positions in rings. */
static fw_expression of_positions(struct builder *b, const struct fw_atom_node *node)
{
    struct record_residues within = {.b = b, .phi = FW_NO_EXPRESSION};
    fw_expression result = b->any_ring ? record_residue_operation(&within, node) : FW_NO_EXPRESSION;
    bool right = result == FW_NO_EXPRESSION || within.least == 0 ||
                 record_modulus_obliged(b, within.obliged, within.least);
    return right ? result : FW_NO_EXPRESSION;
}

fw_expression record_select(struct builder *b, fw_condition condition, fw_expression x,
                            fw_expression y)
{
    const struct fw_atom_node node = {.kind = FW_ATOM_SELECT, .a = x, .b = y, .c = condition};
    fw_expression result = of_positions(b, &node);
    return result == FW_NO_EXPRESSION ? fw_select(b->pool, condition, x, y) : result;
}

fw_expression record_quotient(struct builder *b, enum fw_atom_kind kind, fw_expression x,
                              fw_expression y)
{
    const struct fw_atom_node node = {.kind = (uint8_t)kind, .a = x, .b = y};
    fw_expression result = of_positions(b, &node);
    if (result != FW_NO_EXPRESSION)
        return result;
    return kind == FW_ATOM_FLOOR ? fw_floor_divide(b->pool, x, y)
                                 : fw_truncate_divide(b->pool, x, y);
}
