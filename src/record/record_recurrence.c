/* Recurrences: the phi of a loop's header in closed form over the iteration.
 *
 * next = phi + step             start + step i; step linear in i: + step' i (i - 1) / 2
 * next = 2^k phi, phi / 2^k     start 2^(k i), start / 2^(k i): halving and doubling loops
 * next = c - phi                start and c - start in turn; also two phis that change places
 * next free of the phi          start first, then next as the iteration before left it */
#include "record_internal.h"

/* Phis that depend on each other are solved again for each other: only so often. */
enum { MOST_RECURRENCES = 3000 };

struct recurrence {
    struct builder *b;
    uint32_t loop;
    fw_expression start;
    fw_expression next;
    fw_expression phi;
    fw_expression iteration;
    fw_atom phi_atom;
};

static bool is_atom(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)node;
    return atom == *(const fw_atom *)user;
}

static bool mentions(const struct recurrence *r, fw_expression a)
{
    fw_atom atom = r->phi_atom;
    return fw_expression_any(r->b->pool, a, is_atom, &atom);
}

/* start + the sum of step over the iterations before this one. */
static fw_expression accumulate(const struct recurrence *r, fw_expression step)
{
    struct fw_pool *pool = r->b->pool;
    fw_expression slope, rest, i = r->iteration;
    if (!record_split_iteration(r->b, step, r->loop, &slope, &rest))
        return FW_NO_EXPRESSION;
    fw_expression sum = fw_add(pool, r->start, fw_multiply(pool, rest, i));
    if (slope == 0)
        return sum;
    fw_expression pairs = fw_subtract(pool, fw_multiply(pool, i, i), i);
    pairs = fw_floor_divide(pool, fw_multiply(pool, slope, pairs), fw_constant(pool, 2));
    return fw_add(pool, sum, pairs);
}

static fw_condition even(const struct recurrence *r)
{
    struct fw_pool *pool = r->b->pool;
    fw_expression half = fw_floor_divide(pool, r->iteration, fw_constant(pool, 2));
    return fw_is_zero(pool, fw_subtract(pool, r->iteration, fw_scale(pool, half, 2)));
}

/* The exponent k when a is 2^k phi (sign 1) or phi shifted right by k (sign -1). */
static bool shifted(const struct recurrence *r, fw_expression a, int64_t *k, bool *right)
{
    struct fw_pool *pool = r->b->pool;
    const struct fw_expression_node *node = &pool->expressions.at[a];
    if (node->term_count != 1 || node->terms[0].atom_count != 1)
        return false;
    int64_t factor = node->terms[0].coefficient;
    fw_atom atom = node->terms[0].atoms[0];
    *right = atom != r->phi_atom;
    if (*right) {
        const struct fw_atom_node *inner = &pool->atoms.at[atom];
        if (factor != 1 || (inner->kind != FW_ATOM_FLOOR && inner->kind != FW_ATOM_TRUNCATE) ||
            inner->a != r->phi || !fw_expression_constant(pool, inner->b, &factor))
            return false;
    }
    if (factor < 2 || (factor & (factor - 1)) != 0)
        return false;
    *k = __builtin_ctzll((unsigned long long)factor);
    return true;
}

/* phi + (condition ? a : b) with an invariant condition. */
static fw_expression conditional_step(const struct recurrence *r)
{
    struct fw_pool *pool = r->b->pool;
    const struct fw_expression_node *node = &pool->expressions.at[r->next];
    if (node->term_count != 1 || node->terms[0].atom_count != 1 || node->terms[0].coefficient != 1)
        return FW_NO_EXPRESSION;
    const struct fw_atom_node select = pool->atoms.at[node->terms[0].atoms[0]];
    if (select.kind != FW_ATOM_SELECT)
        return FW_NO_EXPRESSION;
    fw_expression a = fw_subtract(pool, select.a, r->phi), c = fw_subtract(pool, select.b, r->phi);
    return fw_select(pool, select.c, a, c);
}

static fw_expression solve(const struct recurrence *r)
{
    struct fw_pool *pool = r->b->pool;
    fw_expression step = fw_subtract(pool, r->next, r->phi);
    fw_expression sum = fw_add(pool, r->next, r->phi);
    int64_t k;
    bool right;
    if (!mentions(r, step))
        return accumulate(r, step);
    if (!mentions(r, sum) && record_invariant(r->b, sum, r->loop))
        return fw_select(pool, even(r), r->start, fw_subtract(pool, sum, r->start));
    if (shifted(r, r->next, &k, &right)) {
        fw_expression amount = fw_scale(pool, r->iteration, k);
        return right ? fw_shift_right(pool, r->start, amount)
                     : fw_multiply(pool, r->start, fw_power2(pool, amount));
    }
    step = conditional_step(r);
    if (step != FW_NO_EXPRESSION && !mentions(r, step))
        return accumulate(r, step);
    return FW_NO_EXPRESSION;
}

/* next does not depend on the phi: the value of the iteration before. */
static fw_expression delayed(struct recurrence *r)
{
    struct fw_pool *pool = r->b->pool;
    fw_expression before = record_iteration_before(r->b, r->next, r->loop);
    if (!record_invariant(r->b, r->next, r->loop) && record_expression_opaque(r->b, r->next))
        return FW_NO_EXPRESSION;
    return fw_select(pool, fw_is_zero(pool, r->iteration), r->start, before);
}

/* The phi of the same header whose next value is this phi, while this one's next is that one. */
static bool changes_places(struct builder *b, uint32_t block, uint32_t phi, uint32_t latch,
                           uint32_t *partner)
{
    const struct fw_block *header = &b->function->blocks[block];
    for (uint32_t p = 0; p < header->phi_count; p++)
        if (p != phi && header->phis[p].value == header->phis[phi].inputs[latch] &&
            header->phis[p].inputs[latch] == header->phis[phi].value) {
            *partner = p;
            return true;
        }
    return false;
}

/* Whether a condition is made of waits for mbarriers and constants alone. */
static bool hangs_on_wait(const struct builder *b, uint32_t value, unsigned depth)
{
    bool any = false;
    if (value == FW_NO_INDEX || depth > 4)
        return false;
    const struct fw_value *origin = &b->function->values[value];
    if (origin->kind != FW_VALUE_INSTRUCTION)
        return false;
    const struct fw_instruction *at = &b->function->instructions[origin->definition];
    if (record_waits(at))
        return true;
    if (at->guard != FW_NO_INDEX || (at->opcode != FW_OP_SELP && at->opcode != FW_OP_SETP &&
                                     at->opcode != FW_OP_NOT && at->opcode != FW_OP_MOV))
        return false;
    for (uint32_t o = at->destinations; o < at->operand_count; o++) {
        if (at->operands[o].kind == FW_OPERAND_REGISTER &&
            !hangs_on_wait(b, at->operands[o].value, depth + 1))
            return false;
        any |= at->operands[o].kind == FW_OPERAND_REGISTER;
    }
    return any;
}

/* Whether an edge is one that only a failed wait follows: a spin loop's, which may share its header
 * with the loop around it. */
static bool never_followed(struct builder *b, uint32_t from, uint32_t to, unsigned depth)
{
    const struct fw_block *block = &b->function->blocks[from];
    const struct fw_instruction *last =
        block->end > block->first ? &b->function->instructions[block->end - 1] : NULL;
    if (depth > 4)
        return false;
    if (block->predecessor_count == 1 && never_followed(b, block->predecessors[0], from, depth + 1))
        return true;
    if (!last || last->opcode != FW_OP_BRA || last->guard == FW_NO_INDEX ||
        !hangs_on_wait(b, last->guard_value, 0))
        return false;
    for (uint32_t s = 0; s < block->successor_count; s++)
        if (block->successors[s] == to && record_edge(b, from, s) != FW_CONDITION_FALSE)
            return false;
    return true;
}

/* What enters the loop, and the input slot of the one latch; false when either is not unique. */
static bool inputs_of(struct builder *b, uint32_t block, const struct fw_phi *phi, uint32_t *entry,
                      uint32_t *latch)
{
    const struct fw_block *header = &b->function->blocks[block];
    *entry = *latch = FW_NO_INDEX;
    for (uint32_t p = 0; p < header->predecessor_count; p++) {
        bool back = record_in_loop(b->function, header->predecessors[p], header->loop);
        uint32_t *slot = back ? latch : entry;
        if (back && never_followed(b, header->predecessors[p], block, 0))
            continue;
        if (*slot != FW_NO_INDEX && phi->inputs[p] != phi->inputs[*slot])
            return false;
        *slot = p;
    }
    return *entry != FW_NO_INDEX && *latch != FW_NO_INDEX;
}

/* Forgets what was computed from the placeholder of this level. */
static void forget_tainted(struct builder *b, uint32_t bit)
{
    size_t kept = 0;
    for (size_t t = 0; t < b->trail.count; t++) {
        struct value_memo *memo = &b->values[b->trail.at[t]];
        if (memo->state == 2 && (memo->taint & bit))
            memo->state = 0;
        else if (memo->state == 2 && memo->taint)
            b->trail.at[kept++] = b->trail.at[t];
    }
    b->trail.count = kept;
    kept = 0;
    for (size_t t = 0; t < b->reach_trail.count; t++) {
        struct reach_memo *memo = &b->reaches.at[b->reach_trail.at[t]];
        if (memo->taint & bit)
            memo->known = false;
        else
            b->reach_trail.at[kept++] = b->reach_trail.at[t];
    }
    b->reach_trail.count = kept;
}

fw_expression record_recurrence(struct builder *b, uint32_t block, uint32_t phi_index)
{
    const struct fw_block *header = &b->function->blocks[block];
    const struct fw_phi *phi = &header->phis[phi_index];
    struct recurrence r = {.b = b, .loop = header->loop};
    uint32_t entry, latch, partner, outer, bit;
    if (!inputs_of(b, block, phi, &entry, &latch) || b->level > 12 ||
        ++b->recurrences > MOST_RECURRENCES)
        return record_opaque(b, phi->value, FW_OPAQUE_RECURRENCE);
    r.iteration = fw_atom_new(b->pool, FW_ATOM_ITERATION, r.loop, 0, 0);
    r.start = record_value(b, phi->inputs[entry], header->predecessors[entry]);
    if (changes_places(b, block, phi_index, latch, &partner))
        return fw_select(
            b->pool, even(&r), r.start,
            record_value(b, header->phis[partner].inputs[entry], header->predecessors[entry]));
    outer = b->taint;
    bit = (uint32_t)1 << b->level++;
    r.phi = fw_atom_new(b->pool, FW_ATOM_UNKNOWN, PLACEHOLDER_FLAG | phi->value, 0, 0);
    r.phi_atom = b->pool->expressions.at[r.phi].terms[0].atoms[0];
    b->values[phi->value] = (struct value_memo){.state = 1, .taint = bit, .expression = r.phi};
    b->taint = 0;
    r.next = record_value(b, phi->inputs[latch], header->predecessors[latch]);
    fw_expression result = mentions(&r, r.next) ? solve(&r) : delayed(&r);
    b->level--;
    forget_tainted(b, bit);
    b->values[phi->value].state = 0;
    /* What `next` needed of outer placeholders stays a taint of the result; its own does not. */
    b->taint = outer | (b->taint & ~bit);
    return result == FW_NO_EXPRESSION ? record_opaque(b, phi->value, FW_OPAQUE_RECURRENCE) : result;
}
