/* Recurrences: the phi of a loop's header in closed form over the iteration.
 *
 * next = phi + step             start + step i; step linear in i: + step' i (i - 1) / 2
 * next = 2^k phi, phi / 2^k     start 2^(k i), start / 2^(k i): halving and doubling loops
 * next = c - phi                start and c - start in turn
 * next = another phi, ...       the starts of phis that change places, each in its turn
 * next = (phi + step) mod n     record_ring.c
 * next = phi > 0 ? phi - 1 : 0  record_countdown.c
 * next free of the phi          start first, then next as the iteration before left it
 * any other, known at a launch  record_fold.c */
#include "record_residue.h"

/* Phis that depend on each other are solved again for each other: only so often. */
enum { MOST_RECURRENCES = 3000 };
enum { MOST_DIFFERENCES = 16 }; /* taken out of one step */
enum { MOST_PLACES = 8 };       /* of phis that change them */
enum { MOST_MOVES = 32 };       /* from one value to its copy */

struct recurrence {
    struct builder *b;
    struct record_phi of;
    fw_expression iteration;
};

static bool is_atom(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)node;
    return atom == *(const fw_atom *)user;
}

static bool mentions(const struct recurrence *r, fw_expression a)
{
    fw_atom atom = r->of.atom;
    return fw_expression_any(r->b->pool, a, is_atom, &atom);
}

/* start + the sum of step over the iterations before this one, of a step that is linear in i. */
static fw_expression sum_linear(struct builder *b, uint32_t loop, fw_expression start,
                                fw_expression step)
{
    struct fw_pool *pool = b->pool;
    fw_expression slope, rest, i = fw_atom_new(pool, FW_ATOM_ITERATION, loop, 0, 0);
    if (!record_split_iteration(b, step, loop, &slope, &rest))
        return FW_NO_EXPRESSION;
    fw_expression sum = fw_add(pool, start, fw_multiply(pool, rest, i));
    if (slope == 0)
        return sum;
    fw_expression pairs = fw_subtract(pool, fw_multiply(pool, i, i), i);
    pairs = fw_floor_divide(pool, fw_multiply(pool, slope, pairs), fw_constant(pool, 2));
    return fw_add(pool, sum, pairs);
}

/* What differs in an iteration -1 from what its formula gives. */
static bool has_no_iteration_before(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)user;
    (void)atom;
    return node->kind == FW_ATOM_TRIPS || node->kind == FW_ATOM_AT ||
           node->kind == FW_ATOM_POWER2 || node->kind == FW_ATOM_REPEAT;
}

static fw_expression at_first(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    const uint32_t *loop = user;
    (void)atom;
    return node->kind == FW_ATOM_ITERATION && node->a == *loop ? 0 : FW_NO_EXPRESSION;
}

/* Takes a difference of a term and what it is in the iteration before out of a step: the sum of
 * such differences is one.  False: there is none. */
static bool take_difference(struct builder *b, uint32_t loop, fw_expression *step,
                            fw_expression *sum)
{
    struct fw_pool *pool = b->pool;
    const struct fw_replacement with = {.replace = at_first, .user = &loop};
    for (uint32_t t = 0; t < pool->expressions.at[*step].term_count; t++) {
        const struct fw_term term = pool->expressions.at[*step].terms[t];
        fw_expression product = fw_constant(pool, term.coefficient);
        for (uint32_t i = 0; i < term.atom_count; i++) {
            const struct fw_atom_node node = pool->atoms.at[term.atoms[i]];
            product =
                fw_multiply(pool, product, fw_atom_new(pool, node.kind, node.a, node.b, node.c));
        }
        if (record_invariant(b, product, loop) ||
            fw_expression_any(pool, product, has_no_iteration_before, NULL))
            continue;
        fw_expression before = record_iteration_before(b, product, loop);
        fw_expression rest = fw_add(pool, fw_subtract(pool, *step, product), before);
        if (pool->expressions.at[rest].term_count >= pool->expressions.at[*step].term_count)
            continue;
        *step = rest;
        *sum = fw_add(pool, *sum, before);
        *sum = fw_subtract(pool, *sum, fw_expression_replace(pool, before, &with));
        return true;
    }
    return false;
}

fw_expression record_accumulate(struct builder *b, uint32_t loop, fw_expression start,
                                fw_expression step)
{
    struct record_residues any = {.b = b, .phi = FW_NO_EXPRESSION, .any_loop = true};
    fw_expression sum = sum_linear(b, loop, start, step);
    if (sum != FW_NO_EXPRESSION || record_expression_opaque(b, step))
        return sum;
    step = record_residue_operations(&any, step);
    for (unsigned d = 0; d < MOST_DIFFERENCES && sum == FW_NO_EXPRESSION; d++) {
        if (!take_difference(b, loop, &step, &start))
            return FW_NO_EXPRESSION;
        sum = sum_linear(b, loop, start, step);
    }
    return sum;
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
    *right = atom != r->of.atom;
    if (*right) {
        const struct fw_atom_node *inner = &pool->atoms.at[atom];
        if (factor != 1 || (inner->kind != FW_ATOM_FLOOR && inner->kind != FW_ATOM_TRUNCATE) ||
            inner->a != r->of.phi || !fw_expression_constant(pool, inner->b, &factor))
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
    const struct fw_expression_node *node = &pool->expressions.at[r->of.next];
    if (node->term_count != 1 || node->terms[0].atom_count != 1 || node->terms[0].coefficient != 1)
        return FW_NO_EXPRESSION;
    const struct fw_atom_node select = pool->atoms.at[node->terms[0].atoms[0]];
    if (select.kind != FW_ATOM_SELECT)
        return FW_NO_EXPRESSION;
    fw_expression a = fw_subtract(pool, select.a, r->of.phi),
                  c = fw_subtract(pool, select.b, r->of.phi);
    return fw_select(pool, select.c, a, c);
}

static fw_expression solve(const struct recurrence *r)
{
    struct fw_pool *pool = r->b->pool;
    fw_expression step = fw_subtract(pool, r->of.next, r->of.phi);
    fw_expression sum = fw_add(pool, r->of.next, r->of.phi);
    int64_t k;
    bool right;
    if (!mentions(r, step))
        return record_accumulate(r->b, r->of.loop, r->of.start, step);
    if (!mentions(r, sum) && record_invariant(r->b, sum, r->of.loop))
        return fw_select(pool, even(r), r->of.start, fw_subtract(pool, sum, r->of.start));
    if (shifted(r, r->of.next, &k, &right)) {
        fw_expression amount = fw_scale(pool, r->iteration, k);
        return right ? fw_shift_right(pool, r->of.start, amount)
                     : fw_multiply(pool, r->of.start, fw_power2(pool, amount));
    }
    step = conditional_step(r);
    if (step != FW_NO_EXPRESSION && !mentions(r, step)) {
        step = record_accumulate(r->b, r->of.loop, r->of.start, step);
        if (step != FW_NO_EXPRESSION)
            return step;
    }
    step = record_countdown(r->b, &r->of);
    return step != FW_NO_EXPRESSION ? step : record_ring(r->b, &r->of);
}

/* next does not depend on the phi: the value of the iteration before. */
static fw_expression delayed(struct recurrence *r)
{
    struct fw_pool *pool = r->b->pool;
    fw_expression before = record_iteration_before(r->b, r->of.next, r->of.loop);
    if (!record_invariant(r->b, r->of.next, r->of.loop) &&
        record_expression_opaque(r->b, r->of.next))
        return FW_NO_EXPRESSION;
    return fw_select(pool, fw_is_zero(pool, r->iteration), r->of.start, before);
}

/* The value that moves without a condition copy. */
static uint32_t copied(const struct builder *b, uint32_t value)
{
    for (uint32_t moves = 0; moves < MOST_MOVES && value != FW_NO_INDEX; moves++) {
        const struct fw_value *origin = &b->function->values[value];
        if (origin->kind != FW_VALUE_INSTRUCTION)
            break;
        const struct fw_instruction *at = &b->function->instructions[origin->definition];
        const struct fw_operand *from = &at->operands[at->destinations];
        if (at->opcode != FW_OP_MOV || at->guard != FW_NO_INDEX || at->destinations != 1 ||
            at->operand_count != 2 || from->kind != FW_OPERAND_REGISTER)
            break;
        value = from->value;
    }
    return value;
}

/* The phis of the same header that change places in each iteration, as pointers to buffers do: each
 * is in the next iteration what the one after it is in this one, and the last what the first is.
 * Their number, this phi first; 0: they do not. */
static uint32_t change_places(struct builder *b, uint32_t block, uint32_t phi, uint32_t latch,
                              uint32_t places[MOST_PLACES])
{
    const struct fw_block *header = &b->function->blocks[block];
    uint32_t at = phi;
    for (uint32_t count = 0; count < MOST_PLACES;) {
        uint32_t next = 0, becomes = copied(b, header->phis[at].inputs[latch]);
        places[count++] = at;
        while (next < header->phi_count && header->phis[next].value != becomes)
            next++;
        if (next == phi)
            return count > 1 ? count : 0;
        if (next == header->phi_count || next == at)
            return 0;
        at = next;
    }
    return 0;
}

/* start[i mod count].  Where the starts are equally far from each other, going around, it is the
 * first of them and so many steps. */
static fw_expression in_turn(const struct recurrence *r, const fw_expression *start, uint32_t count)
{
    struct fw_pool *pool = r->b->pool;
    fw_expression number = fw_constant(pool, count), result = start[count - 1];
    for (uint32_t least = 0; least < count; least++) { /* the place of the first step */
        fw_expression base = start[least],
                      step = fw_subtract(pool, start[(least + 1) % count], base);
        uint32_t k = 1;
        while (k < count &&
               start[(least + k) % count] == fw_add(pool, base, fw_scale(pool, step, k)))
            k++;
        if (k < count)
            continue;
        fw_expression turn = fw_add(pool, r->iteration, fw_constant(pool, (count - least) % count));
        fw_expression around = fw_multiply(pool, number, fw_floor_divide(pool, turn, number));
        return fw_add(pool, base, fw_multiply(pool, step, fw_subtract(pool, turn, around)));
    }
    fw_expression around = fw_multiply(pool, number, fw_floor_divide(pool, r->iteration, number));
    fw_expression turn = fw_subtract(pool, r->iteration, around);
    for (uint32_t k = count - 1; k-- > 0;) {
        fw_condition is = fw_is_zero(pool, fw_subtract(pool, turn, fw_constant(pool, k)));
        result = fw_select(pool, is, start[k], result);
    }
    return result;
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
        bool back = fw_block_in_loop(b->function, header->predecessors[p], header->loop);
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
    struct recurrence r = {.b = b, .of = {.block = block, .loop = header->loop}};
    uint32_t entry, latch, outer, bit, places[MOST_PLACES], count;
    if (!inputs_of(b, block, phi, &entry, &latch) || b->level > 12 ||
        ++b->recurrences > MOST_RECURRENCES)
        return record_opaque(b, phi->value, FW_OPAQUE_RECURRENCE);
    r.iteration = fw_atom_new(b->pool, FW_ATOM_ITERATION, r.of.loop, 0, 0);
    r.of.start = record_value(b, phi->inputs[entry], header->predecessors[entry]);
    count = change_places(b, block, phi_index, latch, places);
    if (count > 0) {
        fw_expression starts[MOST_PLACES] = {r.of.start};
        for (uint32_t p = 1; p < count; p++)
            starts[p] =
                record_value(b, header->phis[places[p]].inputs[entry], header->predecessors[entry]);
        return in_turn(&r, starts, count);
    }
    outer = b->taint;
    bit = (uint32_t)1 << b->level++;
    r.of.phi = fw_atom_new(b->pool, FW_ATOM_UNKNOWN, PLACEHOLDER_FLAG | phi->value, 0, 0);
    r.of.atom = b->pool->expressions.at[r.of.phi].terms[0].atoms[0];
    b->values[phi->value] = (struct value_memo){.state = 1, .taint = bit, .expression = r.of.phi};
    b->taint = 0;
    r.of.next = record_value(b, phi->inputs[latch], header->predecessors[latch]);
    fw_expression result = mentions(&r, r.of.next) ? solve(&r) : delayed(&r);
    if (!record_supposed_rightly(b, &r.of))
        result = FW_NO_EXPRESSION;
    else if (result == FW_NO_EXPRESSION)
        result = record_fold(b, &r.of);
    b->level--;
    forget_tainted(b, bit);
    b->values[phi->value].state = 0;
    /* What `next` needed of outer placeholders stays a taint of the result; its own does not. */
    b->taint = outer | (b->taint & ~bit);
    return result == FW_NO_EXPRESSION ? record_opaque(b, phi->value, FW_OPAQUE_RECURRENCE) : result;
}
