/* Walks down binary trees whose children lie at `2 at + 1` and `2 at + 2` (or `2 at` and
 * `2 at + 1`): after k steps the walk is at one of 2^k places, whichever ways data choose.
 *
 * Takes the SSA form.  A step doubles where the walk was and adds one of two neighbouring numbers,
 * which data choose: a sum, a bit field that is inserted, or a select between two sums.  The walk
 * begins at a constant.  Gives the steps before a value as an expression over iterations.  Never
 * follows trees whose children are loaded. */
#include "record_internal.h"

enum { MOST_DEPTH = 24, MOST_VISITS = 200 };

struct walk {
    struct builder *b;
    uint32_t phi;    /* value of a loop's header that is being followed; FW_NO_INDEX */
    uint32_t visits; /* of values */
};

/* Steps before a value: those behind the phi that is followed, or those since a constant. */
struct steps {
    bool known, from_phi;
    fw_expression count;
};

static const struct steps no_steps = {false, false, FW_NO_EXPRESSION};

static struct steps steps_of(struct walk *walk, uint32_t value, unsigned depth);

static bool is_none(struct builder *b, fw_expression count)
{
    int64_t none;
    return fw_expression_constant(b->pool, count, &none) && none == 0;
}

static const struct fw_instruction *made_by(const struct walk *walk, uint32_t value)
{
    const struct fw_value *origin = value == FW_NO_INDEX ? NULL : &walk->b->function->values[value];
    if (!origin || origin->kind != FW_VALUE_INSTRUCTION)
        return NULL;
    const struct fw_instruction *at = record_at(walk->b, origin->definition);
    const bool plain = at->guard == FW_NO_INDEX && at->destinations == 1 && at->type_count > 0 &&
                       fw_type_class(at->types[0]) != 'f' && fw_type_class(at->types[0]) != 'p';
    return plain ? at : NULL;
}

static uint32_t value_of(const struct fw_operand *operand)
{
    return operand->kind == FW_OPERAND_REGISTER && !operand->negated ? operand->value : FW_NO_INDEX;
}

static bool is_number(const struct fw_operand *operand, int64_t number)
{
    return operand->kind == FW_OPERAND_INTEGER && operand->immediate == number;
}

/* The value that an operand is twice of; FW_NO_INDEX: it is no double. */
static uint32_t halved(const struct walk *walk, const struct fw_operand *operand)
{
    const struct fw_instruction *at = made_by(walk, value_of(operand));
    if (!at || at->operand_count != 3 || value_of(&at->operands[1]) == FW_NO_INDEX)
        return FW_NO_INDEX;
    const bool doubles =
        (at->opcode == FW_OP_SHL && is_number(&at->operands[2], 1)) ||
        (at->opcode == FW_OP_MUL && at->mode != FW_MODE_HI && is_number(&at->operands[2], 2)) ||
        (at->opcode == FW_OP_ADD && value_of(&at->operands[1]) == value_of(&at->operands[2]));
    return doubles ? at->operands[1].value : FW_NO_INDEX;
}

/* Whether data choose one of two neighbouring numbers. */
static bool is_way(const struct walk *walk, const struct fw_operand *operand)
{
    int64_t low, high;
    if (value_of(operand) == FW_NO_INDEX)
        return false;
    const struct record_range range = record_range(walk->b, operand->value);
    struct record_choices choices = {.count = 0};
    if (range.low != FW_NO_EXPRESSION && range.high != FW_NO_EXPRESSION)
        return fw_expression_constant(walk->b->pool, range.low, &low) &&
               fw_expression_constant(walk->b->pool, range.high, &high) && high - low == 1;
    return record_choices(walk->b, operand->value, &choices) && choices.count == 2 &&
           fw_expression_constant(walk->b->pool, choices.at[0], &low) &&
           fw_expression_constant(walk->b->pool, choices.at[1], &high) &&
           (high - low == 1 || low - high == 1);
}

/* Where a walk was before an instruction takes one step, and what is added if it is a step;
 * FW_NO_INDEX: it takes none. */
static uint32_t before_step(const struct walk *walk, const struct fw_instruction *at,
                            const struct fw_operand **added)
{
    const struct fw_operand *in = &at->operands[1];
    if (at->opcode == FW_OP_BFI && at->operand_count == 5) {
        *added = &in[1];
        return is_number(&in[2], 1) && is_number(&in[3], (int64_t)fw_type_bits(at->types[0]) - 1)
                   ? value_of(&in[0])
                   : FW_NO_INDEX;
    }
    if (at->opcode == FW_OP_MAD && at->operand_count == 4 && at->mode != FW_MODE_HI) {
        *added = &in[2];
        return is_number(&in[1], 2) ? value_of(&in[0]) : FW_NO_INDEX;
    }
    if ((at->opcode != FW_OP_ADD && at->opcode != FW_OP_OR) || at->operand_count != 3)
        return FW_NO_INDEX;
    for (uint32_t o = 0; o < 2; o++)
        if (halved(walk, &in[o]) != FW_NO_INDEX) {
            *added = &in[1 - o];
            return halved(walk, &in[o]);
        }
    return FW_NO_INDEX;
}

/* A select between twice the same value and two neighbouring numbers. */
static uint32_t before_select(const struct walk *walk, const struct fw_instruction *at)
{
    uint32_t from[2];
    int64_t number[2] = {0, 0};
    if (at->opcode != FW_OP_SELP || at->operand_count != 4)
        return FW_NO_INDEX;
    for (uint32_t o = 0; o < 2; o++) {
        const struct fw_operand *side = &at->operands[1 + o];
        const struct fw_instruction *sum = made_by(walk, value_of(side));
        from[o] = halved(walk, side);
        if (from[o] != FW_NO_INDEX || !sum || sum->operand_count != 3 ||
            (sum->opcode != FW_OP_ADD && sum->opcode != FW_OP_OR) ||
            sum->operands[2].kind != FW_OPERAND_INTEGER)
            continue;
        from[o] = halved(walk, &sum->operands[1]);
        number[o] = sum->operands[2].immediate;
    }
    const int64_t apart = number[0] - number[1];
    return from[0] == from[1] && (apart == 1 || apart == -1) ? from[0] : FW_NO_INDEX;
}

static struct steps steps_of_operand(struct walk *walk, const struct fw_operand *operand,
                                     unsigned depth)
{
    if (operand->kind == FW_OPERAND_INTEGER)
        return (struct steps){true, false, fw_constant(walk->b->pool, 0)};
    return value_of(operand) == FW_NO_INDEX ? no_steps : steps_of(walk, operand->value, depth);
}

/* The phi of a loop's header: as many steps as one iteration takes, times the iterations. */
static struct steps steps_of_header(struct walk *walk, uint32_t value, uint32_t loop,
                                    unsigned depth)
{
    struct builder *b = walk->b;
    const struct fw_value *origin = &b->function->values[value];
    const struct fw_block *header = &b->function->blocks[origin->block];
    const struct fw_phi *phi = &header->phis[origin->definition];
    if (header->predecessor_count != 2 || walk->phi != FW_NO_INDEX)
        return no_steps;
    const uint32_t back = fw_block_in_loop(b->function, header->predecessors[0], loop) ? 0 : 1;
    struct steps begin = phi->inputs[1 - back] == FW_NO_INDEX
                             ? no_steps
                             : steps_of(walk, phi->inputs[1 - back], depth - 1);
    if (!begin.known || begin.from_phi || phi->inputs[back] == FW_NO_INDEX)
        return no_steps;
    walk->phi = value;
    struct steps each = steps_of(walk, phi->inputs[back], depth - 1);
    walk->phi = FW_NO_INDEX;
    if (!each.known || !each.from_phi || is_none(b, each.count))
        return no_steps;
    fw_expression iteration = fw_atom_new(b->pool, FW_ATOM_ITERATION, loop, 0, 0);
    return (struct steps){
        true, false, fw_add(b->pool, begin.count, fw_multiply(b->pool, each.count, iteration))};
}

/* Where ways meet: those that come from no step (a loop that is not entered) tell nothing, and all
 * others have taken as many. */
static struct steps steps_of_meeting(struct walk *walk, const struct fw_value *origin,
                                     unsigned depth)
{
    const struct fw_block *block = &walk->b->function->blocks[origin->block];
    const struct fw_phi *phi = &block->phis[origin->definition];
    struct steps all = no_steps;
    for (uint32_t p = 0; p < block->predecessor_count; p++) {
        struct steps one =
            phi->inputs[p] == FW_NO_INDEX ? no_steps : steps_of(walk, phi->inputs[p], depth - 1);
        if (!one.known)
            return no_steps;
        const bool none = is_none(walk->b, one.count) && !one.from_phi;
        if (!is_none(walk->b, one.count))
            one.count = record_last_iteration(walk->b, one.count, origin->block);
        if (!all.known || (is_none(walk->b, all.count) && !all.from_phi))
            all = one;
        else if (!none && (one.count != all.count || one.from_phi != all.from_phi))
            return no_steps;
    }
    return all;
}

static struct steps steps_of(struct walk *walk, uint32_t value, unsigned depth)
{
    struct builder *b = walk->b;
    if (depth == 0 || ++walk->visits > MOST_VISITS)
        return no_steps;
    if (value == walk->phi)
        return (struct steps){true, true, fw_constant(b->pool, 0)};
    const struct fw_value *origin = &b->function->values[value];
    if (origin->kind == FW_VALUE_PHI) {
        const uint32_t loop = b->function->blocks[origin->block].loop;
        return loop != FW_NO_INDEX && b->function->loops[loop].header == origin->block
                   ? steps_of_header(walk, value, loop, depth)
                   : steps_of_meeting(walk, origin, depth);
    }
    const struct fw_instruction *at = made_by(walk, value);
    if (!at)
        return no_steps;
    if (at->opcode == FW_OP_MOV ||
        (at->opcode == FW_OP_CVT && at->type_count > 1 && fw_type_class(at->types[1]) != 'f'))
        return at->operand_count == 2 ? steps_of_operand(walk, &at->operands[1], depth - 1)
                                      : no_steps;
    if ((at->opcode == FW_OP_ADD || at->opcode == FW_OP_SUB) && at->operand_count == 3 &&
        at->operands[2].kind == FW_OPERAND_INTEGER)
        return steps_of_operand(walk, &at->operands[1], depth - 1);
    const struct fw_operand *added = NULL;
    uint32_t before = before_step(walk, at, &added);
    before = before == FW_NO_INDEX ? before_select(walk, at) : before;
    struct steps steps = before == FW_NO_INDEX ? no_steps : steps_of(walk, before, depth - 1);
    if (!steps.known || (added && !is_way(walk, added)))
        return no_steps;
    steps.count = fw_add(b->pool, steps.count, fw_constant(b->pool, 1));
    return steps;
}

fw_expression record_walk_steps(struct builder *b, uint32_t value, uint32_t where)
{
    struct walk walk = {.b = b, .phi = FW_NO_INDEX};
    struct steps steps = steps_of(&walk, value, MOST_DEPTH);
    if (!steps.known || steps.from_phi || is_none(b, steps.count))
        return FW_NO_EXPRESSION;
    steps.count = record_last_iteration(b, steps.count, where);
    return record_expression_opaque(b, steps.count) ? FW_NO_EXPRESSION : steps.count;
}
