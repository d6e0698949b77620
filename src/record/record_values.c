/* Values: the expression of each SSA value, computed on demand and remembered.
 *
 * A phi at a loop's header stands as a placeholder while its recurrence is solved; results that
 * were computed from a placeholder are forgotten once it is solved. */
#include "record_internal.h"

static uint32_t loop_of(const struct builder *b, uint32_t block)
{
    return b->function->blocks[block].loop;
}

fw_expression record_opaque(struct builder *b, uint32_t value, enum fw_opaque_kind kind)
{
    if (b->opaque_of[value] == FW_NO_INDEX) {
        if ((kind == FW_OPAQUE_FLOAT || kind == FW_OPAQUE_OPERATION) &&
            record_is_approximate(b, value))
            kind = FW_OPAQUE_APPROXIMATE;
        const struct fw_value *origin = &b->function->values[value];
        uint32_t instruction = origin->kind == FW_VALUE_INSTRUCTION
                                   ? origin->definition
                                   : b->function->blocks[origin->block].first;
        if (instruction >= b->function->instruction_count)
            instruction = 0;
        b->opaque_of[value] = (uint32_t)b->opaques.count;
        *FW_APPEND(b->arena, &b->opaques) =
            (struct fw_opaque){.kind = kind,
                               .array = FW_NONE,
                               .instruction = instruction,
                               .line = b->function->instructions[instruction].line,
                               .loop = loop_of(b, origin->block),
                               .value = value};
    }
    return fw_atom_new(b->pool, FW_ATOM_UNKNOWN, b->opaque_of[value], 0, 0);
}

void record_oblige(struct builder *b, fw_expression a, bool is_signed, uint32_t instruction)
{
    int64_t value;
    if (b->level || fw_expression_constant(b->pool, a, &value) || record_expression_opaque(b, a))
        return;
    for (size_t i = b->obligations.count; i-- > 0 && i + 16 > b->obligations.count;)
        if (b->obligations.at[i] == a && b->obligation_signed.at[i] == is_signed)
            return;
    *FW_APPEND(b->arena, &b->obligations) = a;
    *FW_APPEND(b->arena, &b->obligation_signed) = is_signed;
    *FW_APPEND(b->arena, &b->obligation_lines) = b->function->instructions[instruction].line;
}

static bool is_predicate(const struct builder *b, uint32_t value)
{
    return b->function->registers[b->function->values[value].reg].type == FW_TYPE_PRED;
}

static bool is_header(const struct fw_function *function, uint32_t block)
{
    uint32_t loop = function->blocks[block].loop;
    return loop != FW_NO_INDEX && function->loops[loop].header == block;
}

/* A guarded definition: the new value where the guard holds, the old one elsewhere. */
static void merge_prior(struct builder *b, uint32_t value, struct value_memo *memo)
{
    const struct fw_value *origin = &b->function->values[value];
    const struct fw_instruction *at = &b->function->instructions[origin->definition];
    fw_condition guard = record_guard(b, origin->definition);
    uint32_t prior = at->prior_values[origin->slot];
    if (is_predicate(b, value)) {
        fw_condition old = record_predicate(b, prior, origin->block);
        memo->condition =
            fw_condition_or(b->pool, fw_condition_and(b->pool, guard, memo->condition),
                            fw_condition_and(b->pool, fw_condition_not(b->pool, guard), old));
    } else {
        memo->expression =
            record_select(b, guard, memo->expression, record_value(b, prior, origin->block));
    }
}

static fw_condition opaque_condition(struct builder *b, uint32_t value, enum fw_opaque_kind kind)
{
    record_opaque(b, value, kind);
    return fw_condition_new(b->pool, FW_CONDITION_UNKNOWN, b->opaque_of[value], 0, 0);
}

/* Whether a predicate is a constant, through moves, and which. */
static bool is_constant_predicate(const struct builder *b, uint32_t value, bool *holds)
{
    enum { MOST_MOVES = 16 };
    for (uint32_t moves = 0; moves < MOST_MOVES && value != FW_NO_INDEX; moves++) {
        const struct fw_value *origin = &b->function->values[value];
        if (origin->kind != FW_VALUE_INSTRUCTION)
            return false;
        const struct fw_instruction *at = record_at(b, origin->definition);
        if (at->opcode != FW_OP_MOV || at->guard != FW_NO_INDEX || at->operand_count != 2)
            return false;
        *holds = at->operands[1].immediate != 0;
        if (at->operands[1].kind == FW_OPERAND_INTEGER)
            return true;
        if (at->operands[1].kind != FW_OPERAND_REGISTER)
            return false;
        value = at->operands[1].value;
    }
    return false;
}

/* A predicate that a loop carries: followed where every iteration leaves the same constant in it,
 * which tells the first iteration from the others. */
static fw_condition header_predicate(struct builder *b, uint32_t value,
                                     const struct fw_value *origin)
{
    const struct fw_block *header = &b->function->blocks[origin->block];
    const struct fw_phi *phi = &header->phis[origin->definition];
    uint32_t entry = FW_NO_INDEX, loop = loop_of(b, origin->block);
    bool later = false, any = false;
    for (uint32_t p = 0; p < header->predecessor_count; p++) {
        bool holds, outside = !fw_block_in_loop(b->function, header->predecessors[p], loop);
        if (outside && entry == FW_NO_INDEX) {
            entry = p;
            continue;
        }
        if (outside || !is_constant_predicate(b, phi->inputs[p], &holds) || (any && holds != later))
            return opaque_condition(b, value, FW_OPAQUE_RECURRENCE);
        later = holds;
        any = true;
    }
    if (entry == FW_NO_INDEX || !any)
        return opaque_condition(b, value, FW_OPAQUE_RECURRENCE);
    fw_condition first = fw_is_zero(b->pool, fw_atom_new(b->pool, FW_ATOM_ITERATION, loop, 0, 0));
    fw_condition entered = record_predicate(b, phi->inputs[entry], header->predecessors[entry]);
    return later ? fw_condition_or(b->pool, fw_condition_not(b->pool, first), entered)
                 : fw_condition_and(b->pool, first, entered);
}

static struct value_memo compute(struct builder *b, uint32_t value)
{
    const struct fw_value *origin = &b->function->values[value];
    struct value_memo memo = {.state = 2};
    bool predicate = is_predicate(b, value);
    if (origin->kind == FW_VALUE_ENTRY) {
        if (predicate)
            memo.condition = opaque_condition(b, value, FW_OPAQUE_UNDEFINED);
        else
            memo.expression = record_opaque(b, value, FW_OPAQUE_UNDEFINED);
    } else if (origin->kind == FW_VALUE_PHI && is_header(b->function, origin->block)) {
        if (predicate)
            memo.condition = header_predicate(b, value, origin);
        else
            memo.expression = record_recurrence(b, origin->block, origin->definition);
    } else if (origin->kind == FW_VALUE_PHI) {
        if (predicate)
            memo.condition = record_join_predicate(b, origin->block, origin->definition);
        else
            memo.expression = record_join(b, origin->block, origin->definition);
    } else {
        if (predicate)
            memo.condition = record_comparison(b, origin->definition, origin->slot);
        else
            memo.expression = record_instruction(b, origin->definition, value);
        if (b->function->instructions[origin->definition].guard != FW_NO_INDEX)
            merge_prior(b, value, &memo);
    }
    return memo;
}

static const struct value_memo *look_up(struct builder *b, uint32_t value);

/* What settle goes through, the deepest last. */
struct settling {
    struct builder *b;
    FW_VECTOR(uint32_t) stack;
};

static void settle_next(struct settling *s, uint32_t value)
{
    if (value != FW_NO_INDEX && s->b->values[value].state == 0 &&
        s->b->settled[value] != s->b->settle_epoch)
        *FW_APPEND(s->b->arena, &s->stack) = value;
}

static void settle_operand(void *user, struct fw_operand *operand)
{
    settle_next(user, operand->value);
}

/* What a value is computed from, around no loop. */
static void settle_parts(struct settling *s, uint32_t value)
{
    const struct fw_function *function = s->b->function;
    const struct fw_value *origin = &function->values[value];
    if (origin->kind == FW_VALUE_PHI) {
        const struct fw_block *block = &function->blocks[origin->block];
        bool header = is_header(function, origin->block);
        for (uint32_t p = 0; p < block->predecessor_count; p++)
            if (!header || !fw_block_in_loop(function, block->predecessors[p], block->loop))
                settle_next(s, block->phis[origin->definition].inputs[p]);
    } else if (origin->kind == FW_VALUE_INSTRUCTION) {
        const struct fw_instruction *at = &function->instructions[origin->definition];
        if (at->opcode == FW_OP_LD && at->slot)
            settle_next(s, at->slot->value);
        if (at->opcode == FW_OP_LD || at->opcode == FW_OP_CALL ||
            (fw_type_class(at->types[0]) == 'f' && at->opcode != FW_OP_SETP &&
             !record_follows(s->b, value)))
            return;
        fw_instruction_uses(at, settle_operand, s);
        if (at->guard == FW_NO_INDEX)
            return;
        settle_next(s, at->guard_value);
        settle_next(s, at->prior_values[origin->slot]);
    }
}

/* Computes what a value at the end of a long chain is made of, the first links first, so that the
 * recursion over values stays shallow. */
static void settle(struct builder *b, uint32_t value)
{
    struct settling s = {.b = b};
    uint32_t taint = b->taint, limit = b->settle_at, epoch = b->settle_epoch;
    b->settle_at = b->depth + SETTLE_DEPTH;
    b->settle_epoch = ++b->settle_epochs;
    *FW_APPEND(b->arena, &s.stack) = value;
    while (s.stack.count) {
        uint32_t at = s.stack.at[s.stack.count - 1];
        if (b->values[at].state == 0 && b->settled[at] != b->settle_epoch) {
            b->settled[at] = b->settle_epoch;
            settle_parts(&s, at);
            continue;
        }
        s.stack.count--;
        if (b->values[at].state == 0 && at != value)
            look_up(b, at);
    }
    b->settle_at = limit;
    b->settle_epoch = epoch;
    b->taint = taint;
}

/* The memo of a value, computed now if need be. */
static const struct value_memo *look_up(struct builder *b, uint32_t value)
{
    struct value_memo *memo = &b->values[value];
    if (memo->state == 0 && b->depth >= b->settle_at)
        settle(b, value);
    if (memo->state == 0) {
        uint32_t outer = b->taint;
        b->taint = 0;
        struct value_memo found = {.state = 2};
        if (b->depth++ < DEEPEST)
            found = compute(b, value);
        else if (is_predicate(b, value))
            found.condition = opaque_condition(b, value, FW_OPAQUE_OPERATION);
        else
            found.expression = record_opaque(b, value, FW_OPAQUE_OPERATION);
        b->depth--;
        found.taint = b->taint;
        *memo = found;
        if (found.taint)
            *FW_APPEND(b->arena, &b->trail) = value;
        b->taint = outer;
    }
    b->taint |= memo->taint;
    return memo;
}

fw_expression record_value(struct builder *b, uint32_t value, uint32_t where)
{
    fw_expression expression = look_up(b, value)->expression;
    uint32_t defined_in = loop_of(b, b->function->values[value].block);
    if (defined_in == FW_NO_INDEX || fw_block_in_loop(b->function, where, defined_in))
        return expression;
    return record_last_iteration(b, expression, where);
}

fw_condition record_predicate(struct builder *b, uint32_t value, uint32_t where)
{
    fw_condition condition = look_up(b, value)->condition;
    uint32_t defined_in = loop_of(b, b->function->values[value].block);
    if (defined_in == FW_NO_INDEX || fw_block_in_loop(b->function, where, defined_in))
        return condition;
    return record_at_end(b, condition, where);
}

struct variance {
    const struct builder *b;
    uint32_t loop;
};

bool record_loop_inside(const struct builder *b, uint32_t loop, uint32_t outer)
{
    while (loop != FW_NO_INDEX && loop != outer)
        loop = b->function->loops[loop].parent;
    return loop == outer;
}

static bool varies(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    struct variance *v = user;
    (void)atom;
    switch ((enum fw_atom_kind)node->kind) {
    case FW_ATOM_ITERATION:
        return node->a == v->loop;
    case FW_ATOM_TRIPS: /* of an inner loop: may differ from one outer iteration to the next */
        return record_loop_inside(v->b, node->a, v->loop);
    case FW_ATOM_UNKNOWN:
        if (node->a == FW_TOO_DEEP)
            return true;
        if (node->a & PLACEHOLDER_FLAG) {
            uint32_t value = node->a & ~PLACEHOLDER_FLAG;
            return record_loop_inside(v->b, loop_of(v->b, v->b->function->values[value].block),
                                      v->loop);
        }
        return record_loop_inside(v->b, v->b->opaques.at[node->a].loop, v->loop);
    default:
        return false;
    }
}

bool record_invariant(const struct builder *b, fw_expression a, uint32_t loop)
{
    struct variance v = {b, loop};
    return !fw_expression_any(b->pool, a, varies, &v);
}

static bool is_opaque(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)user;
    (void)atom;
    return node->kind == FW_ATOM_UNKNOWN;
}

bool record_expression_opaque(const struct builder *b, fw_expression a)
{
    return fw_expression_any(b->pool, a, is_opaque, NULL);
}

bool record_condition_opaque(const struct builder *b, fw_condition a)
{
    return fw_condition_any(b->pool, a, is_opaque, NULL);
}
