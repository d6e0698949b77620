/* Residues: comparisons of values that wrap around, as differences of floors.
 *
 * For x = a - n floor(a / n) and 0 <= t <= n, x >= t holds floor((a + n - t) / n) - floor(a / n)
 * times: 0 or 1 (Graham, Knuth and Patashnik, "Concrete Mathematics", 3.4). */
#include "record_residue.h"

#include "checked.h"
#include "quotient.h"

/* A threshold: `from` + `whole` moduli. */
struct threshold {
    int64_t from, whole;
};

/* Whether rest = an integer + whole moduli. */
static bool is_plain(struct builder *b, fw_expression rest, struct record_residue *r)
{
    for (r->whole = -1; r->whole <= 1; r->whole++) {
        if (r->n && r->whole)
            continue;
        fw_expression left = fw_subtract(b->pool, rest, fw_scale(b->pool, r->modulus, r->whole));
        if (fw_expression_constant(b->pool, left, &r->rest))
            return r->rest > INT32_MIN && r->rest < INT32_MAX;
    }
    return false;
}

/* Whether y is sign scale (of - modulus floor) and a plain rest. */
static bool leaves_plain(struct builder *b, fw_expression y, struct record_residue *r)
{
    fw_expression product = fw_multiply(b->pool, r->modulus, r->floor);
    fw_expression x = fw_subtract(b->pool, r->of, product);
    return is_plain(b, fw_subtract(b->pool, y, fw_scale(b->pool, x, r->sign * r->scale)), r);
}

static bool is_multiple(const struct fw_term *term, int64_t of)
{
    return term->coefficient > INT32_MIN && term->coefficient < INT32_MAX &&
           term->coefficient % of == 0;
}

/* floor(a / n) is floor(floor(a / d) / (n / d)) for a d that divides n: tries the floors by such.
 */
static bool by_coarser(struct builder *b, fw_expression y, const struct fw_term *term,
                       const struct fw_atom_node *floor, struct record_residue *r)
{
    int64_t n = r->n, d, by;
    for (uint32_t t = 0; t < b->pool->expressions.at[y].term_count; t++) {
        const struct fw_term other = b->pool->expressions.at[y].terms[t];
        if (other.atom_count != 1 || b->pool->atoms.at[other.atoms[0]].kind != FW_ATOM_FLOOR)
            continue;
        const struct fw_atom_node finer = b->pool->atoms.at[other.atoms[0]];
        fw_expression moved = fw_subtract(b->pool, floor->a, finer.a);
        if (!fw_expression_constant(b->pool, moved, &by) ||
            !fw_expression_constant(b->pool, finer.b, &d) || d <= 1 || d >= n || n % d != 0 ||
            by % d != 0 || !is_multiple(term, n / d))
            continue;
        r->of = fw_atom_new(b->pool, FW_ATOM_FLOOR, finer.a, finer.b, 0);
        r->of = fw_add(b->pool, r->of, fw_constant(b->pool, by / d));
        r->n = n / d;
        r->modulus = fw_constant(b->pool, r->n);
        r->scale = term->coefficient / r->n * -r->sign;
        if (leaves_plain(b, y, r))
            return true;
    }
    return false;
}

/* Tries a floor in a term of y. */
static bool by_floor(struct builder *b, fw_expression y, const struct fw_term *term, fw_atom atom,
                     struct record_residue *r)
{
    const struct fw_atom_node node = b->pool->atoms.at[atom];
    int64_t n = 0;
    if (node.kind != FW_ATOM_FLOOR)
        return false;
    *r = (struct record_residue){.of = node.a, .modulus = node.b, .scale = 1};
    r->floor = fw_atom_new(b->pool, FW_ATOM_FLOOR, node.a, node.b, 0);
    r->sign = term->coefficient < 0 ? 1 : -1;
    if (fw_expression_constant(b->pool, node.b, &n)) {
        if (n <= 1 || term->atom_count != 1 || !is_multiple(term, 1))
            return false;
        r->n = n;
        if (!is_multiple(term, n))
            return by_coarser(b, y, term, &node, r);
        r->scale = term->coefficient / n * -r->sign;
    }
    return leaves_plain(b, y, r) || (n && by_coarser(b, y, term, &node, r));
}

static bool in_ring_loop(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    const struct builder *b = user;
    (void)atom;
    return node->kind == FW_ATOM_ITERATION && b->loops[node->a].holds_ring;
}

bool record_find_residue(const struct record_residues *within, fw_expression y,
                         struct record_residue *found)
{
    struct builder *b = within->b;
    enum { MOST_TERMS = 32 };
    if (b->pool->expressions.at[y].term_count > MOST_TERMS)
        return false;
    for (uint32_t t = 0; t < b->pool->expressions.at[y].term_count; t++) {
        const struct fw_term term = b->pool->expressions.at[y].terms[t];
        for (uint32_t i = 0; i < term.atom_count && i < 2; i++)
            if (by_floor(b, y, &term, term.atoms[i], found))
                return within->phi != FW_NO_EXPRESSION || within->any_loop ||
                       fw_expression_any(b->pool, found->of, in_ring_loop, b);
    }
    if (within->phi == FW_NO_EXPRESSION)
        return false;
    fw_atom phi = b->pool->expressions.at[within->phi].terms[0].atoms[0];
    for (uint32_t t = 0; t < b->pool->expressions.at[y].term_count; t++) {
        const struct fw_term term = b->pool->expressions.at[y].terms[t];
        if (term.atom_count != 1 || term.atoms[0] != phi || !is_multiple(&term, 1) ||
            (within->n == 0 && term.coefficient != 1 && term.coefficient != -1))
            continue;
        *found = (struct record_residue){.of = within->phi,
                                         .modulus = within->modulus,
                                         .n = within->n,
                                         .sign = term.coefficient < 0 ? -1 : 1};
        found->scale = term.coefficient * found->sign;
        return leaves_plain(b, y, found);
    }
    return false;
}

/* floor((of + by) / modulus) - floor(of / modulus) */
static fw_expression floor_gain(struct builder *b, const struct record_residue *r, int64_t by)
{
    fw_expression moved = fw_add(b->pool, r->of, fw_constant(b->pool, by));
    return fw_subtract(b->pool, fw_floor_divide(b->pool, moved, r->modulus), r->floor);
}

static void need(struct record_residues *within, fw_expression modulus, int64_t least)
{
    within->obliged = modulus;
    within->least = least > within->least ? least : within->least;
}

/* How often x >= t: 0 or 1. */
static fw_expression reaches(struct record_residues *within, const struct record_residue *r,
                             struct threshold t)
{
    struct fw_pool *pool = within->b->pool;
    fw_expression one = fw_constant(pool, 1);
    if (r->n) {
        if (t.from <= 0)
            return one;
        if (t.from >= r->n)
            return 0;
        return floor_gain(within->b, r, r->n - t.from);
    }
    int64_t distance = t.whole ? -t.from : t.from;
    if (t.whole < 0 || t.whole > 1)
        return FW_NO_EXPRESSION;
    if (distance <= 0)
        return t.whole ? 0 : one;
    need(within, r->modulus, distance);
    return t.whole ? floor_gain(within->b, r, distance)
                   : fw_add(pool, one, floor_gain(within->b, r, -distance));
}

/* What a comparison of a residue comes to: how often it holds, 0 or 1, and, where it holds (or does
 * not hold) for one residue alone, what is 0 then. */
struct comparison {
    fw_expression often;
    fw_expression zero; /* 0 for certain: unless `side` */
    int side;           /* 1: where it holds, -1: where it does not, 0: there is no such residue */
};

static struct comparison undecided(void)
{
    return (struct comparison){.often = FW_NO_EXPRESSION};
}

/* Whether a threshold parts the greatest residue (or the least) from all others. */
static bool parts_last(const struct record_residue *r, struct threshold t)
{
    return r->n ? t.from == r->n - 1 : t.whole == 1 && t.from == -1;
}

static bool parts_first(const struct threshold t)
{
    return t.whole == 0 && t.from == 1;
}

/* y >= 0 */
static struct comparison positive(struct record_residues *within, fw_expression y)
{
    struct fw_pool *pool = within->b->pool;
    struct record_residue r;
    if (!record_find_residue(within, y, &r))
        return undecided();
    bool rises = r.sign > 0; /* scale x >= -rest, or scale x <= rest */
    struct threshold t = {rises ? -fw_floor_quotient(r.rest, r.scale)
                                : fw_floor_quotient(r.rest, r.scale) + 1,
                          -r.sign * r.whole};
    fw_expression reached = reaches(within, &r, t), one = fw_constant(pool, 1);
    if (reached == FW_NO_EXPRESSION)
        return undecided();
    struct comparison c = {.often = rises ? reached : fw_subtract(pool, one, reached)};
    if (!parts_last(&r, t) && !parts_first(t))
        return c;
    bool last = parts_last(&r, t);
    fw_expression x = last ? fw_subtract(pool, r.modulus, one) : 0;
    fw_expression at =
        fw_add(pool, fw_scale(pool, x, r.sign * r.scale),
               fw_add(pool, fw_constant(pool, r.rest), fw_scale(pool, r.modulus, r.whole)));
    c.zero = fw_subtract(pool, y, at);
    c.side = last == rises ? 1 : -1;
    return c;
}

/* y = 0 */
static struct comparison zero(struct record_residues *within, fw_expression y)
{
    struct record_residue r;
    if (!record_find_residue(within, y, &r))
        return undecided();
    if (r.rest % r.scale != 0)
        return (struct comparison){.often = 0};
    struct threshold at = {-r.sign * (r.rest / r.scale), -r.sign * r.whole};
    struct threshold above = {at.from + 1, at.whole};
    fw_expression first = reaches(within, &r, at), second = reaches(within, &r, above);
    if (first == FW_NO_EXPRESSION || second == FW_NO_EXPRESSION)
        return undecided();
    return (struct comparison){fw_subtract(within->b->pool, first, second), y, 1};
}

static bool not_negative(const struct record_residues *within, fw_expression a)
{
    struct record_residue r;
    return fw_is_positive(within->b->pool, a) == FW_CONDITION_TRUE ||
           (record_find_residue(within, a, &r) && r.sign > 0 && r.rest >= 0 && r.whole == 0);
}

/* a < c as unsigned numbers: of a residue and its modulus, which is positive. */
static struct comparison unsigned_less(struct record_residues *within, fw_expression a,
                                       fw_expression c)
{
    struct fw_pool *pool = within->b->pool;
    fw_expression gap = fw_subtract(pool, fw_subtract(pool, c, a), fw_constant(pool, 1));
    struct record_residue r;
    if (!record_find_residue(within, gap, &r) || r.n || (a != r.modulus && c != r.modulus) ||
        !not_negative(within, a == r.modulus ? c : a))
        return undecided();
    need(within, r.modulus, 1);
    return positive(within, gap);
}

static struct comparison compare(struct record_residues *within, fw_condition condition)
{
    const struct fw_condition_node node = within->b->pool->conditions.at[condition];
    switch ((enum fw_condition_kind)node.kind) {
    case FW_CONDITION_POSITIVE:
        return positive(within, node.a);
    case FW_CONDITION_ZERO:
        return zero(within, node.a);
    case FW_CONDITION_UNSIGNED_LESS:
        return unsigned_less(within, node.a, node.b);
    default:
        return undecided();
    }
}

static bool is_compound(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    const struct record_residues *within = user;
    (void)atom;
    if (node->kind == FW_ATOM_UNKNOWN && node->a != FW_TOO_DEEP && (node->a & PLACEHOLDER_FLAG))
        return within->phi == FW_NO_EXPRESSION ||
               within->b->pool->expressions.at[within->phi].terms[0].atoms[0] == atom;
    return node->kind == FW_ATOM_ITERATION;
}

/* a and the multiple of `zero` that takes a term of `zero` out of it; a itself: there is none. */
static fw_expression without(struct fw_pool *pool, fw_expression a, fw_expression zero,
                             const struct fw_term *driver)
{
    for (uint32_t t = 0; t < pool->expressions.at[a].term_count && driver->atom_count == 1; t++) {
        const struct fw_term term = pool->expressions.at[a].terms[t];
        if (term.atom_count == 1 && term.atoms[0] == driver->atoms[0] && is_multiple(&term, 1) &&
            is_multiple(driver, 1) && term.coefficient % driver->coefficient == 0)
            return fw_subtract(pool, a,
                               fw_scale(pool, zero, term.coefficient / driver->coefficient));
    }
    return a;
}

fw_expression record_distance(struct record_residues *within, fw_expression a, fw_expression zero)
{
    struct fw_pool *pool = within->b->pool;
    if (!fw_expression_any(pool, a, is_compound, within))
        return a;
    for (uint32_t u = 0; u < pool->expressions.at[zero].term_count; u++) {
        const struct fw_term driver = pool->expressions.at[zero].terms[u];
        fw_expression left = without(pool, a, zero, &driver);
        if (left != a && !fw_expression_any(pool, left, is_compound, within))
            return left;
    }
    return FW_NO_EXPRESSION;
}

/* condition ? a : c */
static fw_expression select_by(struct record_residues *within, fw_condition condition,
                               fw_expression a, fw_expression c)
{
    struct fw_pool *pool = within->b->pool;
    const struct fw_condition_node node = pool->conditions.at[condition];
    int64_t holds, least = within->least;
    if (node.kind == FW_CONDITION_NOT)
        return select_by(within, node.a, c, a);
    struct comparison by = compare(within, condition);
    fw_expression apart = fw_subtract(pool, a, c);
    if (by.often == FW_NO_EXPRESSION)
        return by.often;
    if (fw_expression_constant(pool, by.often, &holds))
        return holds ? a : c;
    apart = record_distance(within, apart, by.side ? by.zero : 0);
    if (apart == FW_NO_EXPRESSION) {
        within->least = least;
        return FW_NO_EXPRESSION;
    }
    /* c + (a - c) often, or a - (a - c) (1 - often) */
    fw_expression rest = fw_subtract(pool, fw_constant(pool, 1), by.often);
    return by.side < 0 ? fw_subtract(pool, a, fw_multiply(pool, apart, rest))
                       : fw_add(pool, c, fw_multiply(pool, apart, by.often));
}

/* floor(a / by): of the phi by its modulus, and of a residue by its own; of such as are within one
 * step. */
static fw_expression floor_of(struct record_residues *within, fw_expression a, fw_expression by)
{
    struct fw_pool *pool = within->b->pool;
    struct record_residue r;
    int64_t d;
    if (!record_find_residue(within, a, &r) || r.sign < 0)
        return FW_NO_EXPRESSION;
    if (r.n && fw_expression_constant(pool, by, &d) && d > 0) {
        int64_t low = fw_floor_quotient(r.rest, d);
        return low == fw_floor_quotient(r.rest + r.scale * (r.n - 1), d) ? fw_constant(pool, low)
                                                                         : FW_NO_EXPRESSION;
    }
    if (r.n || by != r.modulus)
        return FW_NO_EXPRESSION;
    fw_expression moved = fw_add(pool, r.of, fw_constant(pool, r.rest));
    bool bare = moved == within->phi;
    fw_expression quotient = bare ? 0 : fw_floor_divide(pool, moved, by);
    if (bare)
        need(within, r.modulus, 1);
    return fw_add(pool, fw_subtract(pool, quotient, r.floor), fw_constant(pool, r.whole));
}

fw_expression record_residue_operation(struct record_residues *within,
                                       const struct fw_atom_node *node)
{
    if (node->kind == FW_ATOM_SELECT)
        return select_by(within, node->c, node->a, node->b);
    if (node->kind == FW_ATOM_FLOOR)
        return floor_of(within, node->a, node->b);
    struct record_residue r;
    if (!record_find_residue(within, node->a, &r) || r.n || r.modulus != node->b ||
        !not_negative(within, node->a))
        return FW_NO_EXPRESSION;
    need(within, r.modulus, 1);
    fw_expression floor = floor_of(within, node->a, node->b);
    return floor == FW_NO_EXPRESSION ? fw_floor_divide(within->b->pool, node->a, node->b) : floor;
}

static fw_expression operation(void *user, const struct fw_atom_node *node)
{
    return record_residue_operation(user, node);
}

fw_expression record_residue_operations(struct record_residues *within, fw_expression a)
{
    struct fw_replacement with = {.user = within, .operation = operation};
    return fw_expression_replace(within->b->pool, a, &with);
}

bool record_modulus_obliged(struct builder *b, fw_expression modulus, int64_t least)
{
    for (size_t i = 0; i < b->moduli.count; i++)
        if (b->moduli.at[i].modulus == modulus && b->moduli.at[i].least >= least)
            return true;
    return false;
}

bool record_oblige_modulus(struct builder *b, fw_expression modulus, int64_t least, uint32_t block)
{
    enum { MOST_OBLIGED = 64 };
    uint32_t first = b->function->blocks[block].first;
    if (least <= 0 || record_modulus_obliged(b, modulus, least))
        return true;
    if (b->moduli.count == MOST_OBLIGED || first >= b->function->instruction_count)
        return false;
    *FW_APPEND(b->arena, &b->moduli) = (struct obliged_modulus){modulus, least};
    *FW_APPEND(b->arena, &b->obligations) =
        fw_subtract(b->pool, modulus, fw_constant(b->pool, least));
    *FW_APPEND(b->arena, &b->obligation_signed) = false;
    *FW_APPEND(b->arena, &b->obligation_lines) = b->function->instructions[first].line;
    return true;
}
