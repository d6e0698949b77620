/* Phis without a closed form whose start and step come from indices, arguments and constants alone:
 * the bits of an index taken one by one and put elsewhere, digits in a radix that an argument
 * states.  The record keeps both, as a FOLD, and a launch goes through the iterations.
 *
 * Numbers in floating point are such phis where each iteration adds what does not change in the
 * loop: coordinates along a ray, times of a simulation (record_scalar.c says which).
 *
 * Not phis that hash.  A step that multiplies the phi, or takes bits of a multiple of it, scatters
 * what it makes: no sample says where such addresses lie, and 32 bits wrap around.
 * Nor phis whose step a condition on them chooses (3 n + 1 or n / 2) where they differ from thread
 * to thread or block to block: their loops end where their values say, and the budget of a launch
 * does not reach through all of its threads.  What arguments alone decide is gone through once
 * (bits left of a word that codes of so many bits are taken from, credits of a schedule). */
#include "record_internal.h"

enum { MOST_VISITS = 400, MOST_FACTOR = 16, LARGE = 1 << 24 };

struct folding {
    struct builder *b;
    const struct record_phi *phi;
    uint32_t number, visits;
    bool sums;        /* a number in floating point to which each iteration adds the same */
    bool launch_wide; /* start and step are the same in all threads of a launch */
};

static bool is_phi(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    const struct folding *f = user;
    (void)node;
    return atom == f->phi->atom;
}

/* Whether an atom keeps a step from being evaluated beside its loop. */
static bool cannot_fold(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    struct folding *f = user;
    if (++f->visits > MOST_VISITS)
        return true;
    switch ((enum fw_atom_kind)node->kind) {
    case FW_ATOM_UNKNOWN:
        return atom != f->phi->atom;
    case FW_ATOM_TRIPS: /* may be those of an inner loop, which hang on this one's iteration */
    case FW_ATOM_AT:
    case FW_ATOM_ARRAY:
        return true;
    case FW_ATOM_SCALAR:
        return !f->sums;
    case FW_ATOM_SELECT:
        return !f->launch_wide && fw_condition_any(f->b->pool, node->c, is_phi, f);
    default:
        return false;
    }
}

/* Whether an atom differs among the threads or blocks of a launch. */
static bool differs(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    struct folding *f = user;
    (void)atom;
    return ++f->visits > MOST_VISITS ||
           (node->kind == FW_ATOM_LAUNCH &&
            (node->a <= FW_THREAD_Z || node->a == FW_LANE || node->a == FW_WARP));
}

static bool cannot_start(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    struct folding *f = user;
    (void)atom;
    return ++f->visits > MOST_VISITS || node->kind == FW_ATOM_UNKNOWN ||
           node->kind == FW_ATOM_ARRAY || (node->kind == FW_ATOM_SCALAR && !f->sums);
}

static bool mentions(struct folding *f, fw_expression a)
{
    return fw_expression_any(f->b->pool, a, is_phi, f);
}

static bool atom_mentions(struct folding *f, fw_atom atom)
{
    const struct fw_atom_node *node = &f->b->pool->atoms.at[atom];
    return atom == f->phi->atom ||
           (node->kind > FW_ATOM_UNKNOWN &&
            (mentions(f, node->a) || (node->kind != FW_ATOM_POWER2 && mentions(f, node->b))));
}

/* Whether a has a large multiple of what is made of the phi, or a large number in a term. */
static bool has_large(struct folding *f, fw_expression a)
{
    const struct fw_expression_node *node = &f->b->pool->expressions.at[a];
    for (uint32_t t = 0; t < node->term_count; t++) {
        const struct fw_term *term = &node->terms[t];
        if (term->coefficient >= LARGE || term->coefficient <= -LARGE)
            return true;
        if (term->coefficient <= MOST_FACTOR && term->coefficient >= -MOST_FACTOR)
            continue;
        for (uint32_t i = 0; i < term->atom_count; i++)
            if (atom_mentions(f, term->atoms[i]))
                return true;
    }
    return false;
}

static bool atom_hashes(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    struct folding *f = user;
    if (node->kind <= FW_ATOM_UNKNOWN || (f->launch_wide && !atom_mentions(f, atom)))
        return false;
    if (node->kind == FW_ATOM_POWER2)
        return mentions(f, node->a);
    return has_large(f, node->a) || has_large(f, node->b);
}

static bool hashes(struct folding *f, fw_expression a)
{
    return has_large(f, a) || fw_expression_any(f->b->pool, a, atom_hashes, f);
}

/* The step's phi and iteration as those of the FOLD. */
static fw_expression as_carried(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    const struct folding *f = user;
    if (atom == f->phi->atom)
        return fw_atom_new(f->b->pool, FW_ATOM_CARRIED, 0, 0, f->number);
    if (node->kind == FW_ATOM_ITERATION && node->a == f->phi->loop)
        return fw_atom_new(f->b->pool, FW_ATOM_CARRIED, 1, 0, f->number);
    return FW_NO_EXPRESSION;
}

fw_expression record_fold(struct builder *b, const struct record_phi *phi)
{
    struct fw_pool *pool = b->pool;
    struct folding f = {.b = b, .phi = phi};
    f.number = pool->atoms.at[phi->atom].a & ~PLACEHOLDER_FLAG;
    enum fw_type type =
        (enum fw_type)b->function->registers[b->function->values[f.number].reg].type;
    f.sums = fw_type_class(type) == 'f';
    f.launch_wide = phi->start != FW_NO_EXPRESSION && phi->next != FW_NO_EXPRESSION &&
                    !fw_expression_any(pool, phi->start, differs, &f) &&
                    !fw_expression_any(pool, phi->next, differs, &f);
    f.visits = 0;
    if (phi->start == FW_NO_EXPRESSION || phi->next == FW_NO_EXPRESSION ||
        (f.sums && !record_follows(b, f.number)) ||
        (fw_type_bits(type) != 32 && fw_type_bits(type) != 64) ||
        fw_expression_any(pool, phi->start, cannot_start, &f) ||
        fw_expression_any(pool, phi->next, cannot_fold, &f) || (!f.sums && hashes(&f, phi->next)))
        return FW_NO_EXPRESSION;
    const struct fw_replacement with = {.replace = as_carried, .user = &f};
    fw_expression next = fw_expression_replace(pool, phi->next, &with);
    if (fw_type_bits(type) == 32 && !f.sums)
        next = record_signed_low_bits(b, next, 32);
    return fw_fold(pool, f.number, phi->start, next,
                   fw_atom_new(pool, FW_ATOM_ITERATION, phi->loop, 0, 0));
}
