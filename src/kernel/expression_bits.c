/* Which bits of an integer may be set.
 *
 * Takes an expression of a pool that knows how many threads a block has.  Gives a mask in two's
 * complement: a bit that is not in it is 0 at every thread, block and iteration.  Compilers of
 * tensors build addresses from fields of the thread index by shifts, masks, `or` and `xor`; sums of
 * quotients stand for these in expressions, and the mask tells that fields do not overlap. */
#include "bit_masks.h"
#include "checked.h"
#include "expression.h"

#include <string.h>

enum { MOST_TERMS = 16, DEEPEST = 12 };

/* A number divided by a constant. */
static uint64_t quotient_bits(uint64_t mask, int64_t by)
{
    if (by <= 0)
        return FW_ALL_BITS;
    if ((by & (by - 1)) == 0) /* of a mask without end, the sign comes in at the top */
        return (uint64_t)((int64_t)mask >> __builtin_ctzll((uint64_t)by));
    return fw_bits_finite(mask) ? fw_bits_up_to(mask / (uint64_t)by) : FW_ALL_BITS;
}

static uint64_t launch_bits(const struct fw_pool *pool, uint32_t index)
{
    const uint32_t *most = pool->most_threads;
    switch (index) {
    case FW_THREAD_X:
    case FW_THREAD_Y:
    case FW_THREAD_Z:
        return fw_bits_up_to(most[index - FW_THREAD_X] - 1);
    case FW_LANE:
        return 31;
    default:
        return FW_ALL_BITS;
    }
}

static uint64_t atom_bits(struct fw_pool *pool, fw_atom atom)
{
    const struct fw_atom_node node = pool->atoms.at[atom];
    int64_t by;
    if (node.depth > DEEPEST)
        return FW_ALL_BITS;
    switch ((enum fw_atom_kind)node.kind) {
    case FW_ATOM_LAUNCH:
        return launch_bits(pool, node.a);
    case FW_ATOM_FLOOR:
        return fw_expression_constant(pool, node.b, &by)
                   ? quotient_bits(fw_expression_bits(pool, node.a), by)
                   : FW_ALL_BITS;
    case FW_ATOM_BITAND:
        return fw_expression_bits(pool, node.a) & fw_expression_bits(pool, node.b);
    case FW_ATOM_SELECT:
        return fw_expression_bits(pool, node.a) | fw_expression_bits(pool, node.b);
    default:
        return FW_ALL_BITS;
    }
}

/* A term of one atom: c floor(x / by), of which c may be changed. */
struct part {
    int64_t coefficient, by; /* by 1: the atom is x itself */
    fw_atom atom;
    fw_expression of; /* x, where by is more than 1 */
};

static bool is_atom(const struct fw_pool *pool, fw_expression a, fw_atom atom)
{
    const struct fw_expression_node *node = &pool->expressions.at[a];
    return node->term_count == 1 && node->terms[0].atom_count == 1 &&
           node->terms[0].coefficient == 1 && node->terms[0].atoms[0] == atom;
}

/* How many values floor(x / by) of `a` has between two of `b`, floor(x / (n by)); 0: `b` is another
 * quotient. */
static int64_t values_between(const struct fw_pool *pool, const struct part *a,
                              const struct part *b)
{
    if (b->by < 2)
        return 0;
    if (a->by > 1 && a->of == b->of && b->by > a->by && b->by % a->by == 0)
        return b->by / a->by;
    return is_atom(pool, b->of, a->atom) ? b->by : 0;
}

/* The bits of one part, with parts by less before it, and of what is taken off it with the nearest
 * quotient of it that the sum subtracts: c (q - n floor(q / n)) is c times a number below n.  What
 * that quotient has more than c n of, stays. */
static uint64_t part_bits(struct fw_pool *pool, struct part *parts, uint32_t count, uint32_t p)
{
    struct part *nearest = NULL;
    int64_t between = 0, taken;
    for (uint32_t i = p + 1; i < count; i++) {
        int64_t n = parts[i].coefficient < 0 ? values_between(pool, &parts[p], &parts[i]) : 0;
        if (n > 1 && (!nearest || n < between)) {
            nearest = &parts[i];
            between = n;
        }
    }
    if (!nearest || parts[p].coefficient <= 0 ||
        fw_multiply_overflows(parts[p].coefficient, between, &taken) ||
        fw_add_overflows(nearest->coefficient, taken, &nearest->coefficient))
        return fw_bits_product(atom_bits(pool, parts[p].atom), parts[p].coefficient);
    uint64_t below = atom_bits(pool, parts[p].atom) & fw_bits_up_to((uint64_t)between - 1);
    if ((between & (between - 1)) != 0)
        below = fw_bits_up_to((uint64_t)between - 1);
    return fw_bits_product(below, parts[p].coefficient);
}

static uint64_t find_bits(struct fw_pool *pool, fw_expression a)
{
    struct part parts[MOST_TERMS];
    uint32_t count = 0;
    uint64_t bits = 0;
    if (pool->expressions.at[a].term_count > MOST_TERMS)
        return FW_ALL_BITS;
    for (uint32_t t = 0; t < pool->expressions.at[a].term_count; t++) {
        const struct fw_term term = pool->expressions.at[a].terms[t];
        if (term.atom_count == 0)
            bits = fw_bits_sum(bits, (uint64_t)term.coefficient);
        else if (term.atom_count > 1)
            bits = fw_bits_sum(bits, fw_bits_product(FW_ALL_BITS, term.coefficient));
        if (term.atom_count != 1)
            continue;
        const struct fw_atom_node *node = &pool->atoms.at[term.atoms[0]];
        struct part *part = &parts[count++];
        *part = (struct part){term.coefficient, 1, term.atoms[0], 0};
        if (node->kind == FW_ATOM_FLOOR && fw_expression_constant(pool, node->b, &part->by))
            part->of = node->a;
        if (part->by < 2)
            part->by = 1;
    }
    /* Quotients by less come first: what they take off those by more is known by then. */
    for (uint32_t done = 0; done < count; done++) {
        uint32_t least = done;
        for (uint32_t p = done + 1; p < count; p++)
            if (parts[p].by < parts[least].by)
                least = p;
        struct part swapped = parts[done];
        parts[done] = parts[least];
        parts[least] = swapped;
        bits = fw_bits_sum(bits, part_bits(pool, parts, count, done));
    }
    return bits;
}

uint64_t fw_expression_bits(struct fw_pool *pool, fw_expression a)
{
    if (!pool->most_threads[0])
        return a ? FW_ALL_BITS : 0;
    while (pool->bits.count <= a)
        *FW_APPEND(pool->arena, &pool->bits) = 0;
    if (a && !pool->bits.at[a]) { /* of no expression but 0 is no bit ever set */
        uint64_t bits = find_bits(pool, a);
        pool->bits.at[a] = bits ? bits : FW_ALL_BITS;
        return bits;
    }
    return pool->bits.at[a];
}
