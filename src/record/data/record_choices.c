/* Choices: the few values that one integer can have, though data decide which.
 *
 * Takes the SSA form.  A neighbour that is chosen (`step = steep ? width : 1`), in a select or by
 * ways through the code that meet, is one of some constants, arguments and sizes of the launch, or
 * of sums and differences of these.  Never follows a loop, looks at 200 values at most, and says
 * nothing of how often each is chosen. */
#include "record_internal.h"

enum { MOST_STEPS = 200 }; /* values that are looked at, of one that data choose */

static bool choices_of(struct builder *b, uint32_t value, unsigned *left,
                       struct record_choices *to);

static bool add_choice(struct record_choices *to, fw_expression value)
{
    for (uint32_t c = 0; c < to->count; c++)
        if (to->at[c] == value)
            return true;
    if (to->count == FW_DATA_CHOICES_MOST)
        return false;
    to->at[to->count++] = value;
    return true;
}

static bool add_choices(struct record_choices *to, const struct record_choices *from)
{
    for (uint32_t c = 0; c < from->count; c++)
        if (!add_choice(to, from->at[c]))
            return false;
    return from->count > 0;
}

/* What neither data nor indices decide is one value. */
static bool choices_of_operand(struct builder *b, const struct fw_operand *operand,
                               enum fw_type type, uint32_t where, unsigned *left,
                               struct record_choices *to)
{
    fw_expression known = record_operand(b, operand, type, where);
    if (known != FW_NO_EXPRESSION && !record_expression_opaque(b, known))
        return !record_has_index(b, known) && add_choice(to, known);
    return operand->kind == FW_OPERAND_REGISTER && !operand->negated &&
           operand->value != FW_NO_INDEX && choices_of(b, operand->value, left, to);
}

static bool choices_of_instruction(struct builder *b, uint32_t i, unsigned *left,
                                   struct record_choices *to)
{
    const struct fw_instruction *at = record_at(b, i);
    const struct fw_operand *in = at->operands + at->destinations;
    uint32_t where = b->block_of[i], count = (uint32_t)(at->operand_count - at->destinations);
    enum fw_type type = (enum fw_type)at->types[0];
    struct record_choices x[2] = {{.count = 0}, {.count = 0}};
    bool adds = at->opcode == FW_OP_ADD || at->opcode == FW_OP_SUB;
    bool converts = at->opcode == FW_OP_CVT && at->type_count > 1;
    if (at->guard != FW_NO_INDEX || at->destinations != 1 || fw_type_class(type) == 'f' ||
        fw_type_class(type) == 'p' ||
        (converts && fw_type_class((enum fw_type)at->types[1]) == 'f'))
        return false;
    if (at->opcode == FW_OP_MOV || converts)
        return count == 1 &&
               choices_of_operand(b, &in[0], converts ? (enum fw_type)at->types[1] : type, where,
                                  left, to);
    if ((!adds && at->opcode != FW_OP_SELP) || count < 2)
        return false;
    for (uint32_t o = 0; o < 2; o++)
        if (!choices_of_operand(b, &in[o], type, where, left, &x[o]))
            return false;
    if (!adds)
        return add_choices(to, &x[0]) && add_choices(to, &x[1]);
    for (uint32_t f = 0; f < x[0].count; f++)
        for (uint32_t s = 0; s < x[1].count; s++)
            if (!add_choice(to, at->opcode == FW_OP_ADD
                                    ? fw_add(b->pool, x[0].at[f], x[1].at[s])
                                    : fw_subtract(b->pool, x[0].at[f], x[1].at[s])))
                return false;
    return true;
}

static bool choices_of_phi(struct builder *b, const struct fw_value *origin, unsigned *left,
                           struct record_choices *to)
{
    const struct fw_block *block = &b->function->blocks[origin->block];
    const struct fw_phi *phi = &block->phis[origin->definition];
    enum fw_type type = b->function->registers[origin->reg].type;
    if (block->loop != FW_NO_INDEX && b->function->loops[block->loop].header == origin->block)
        return false;
    for (uint32_t p = 0; p < block->predecessor_count; p++) {
        struct fw_operand input = {.kind = FW_OPERAND_REGISTER, .value = phi->inputs[p]};
        if (phi->inputs[p] == FW_NO_INDEX ||
            !choices_of_operand(b, &input, type, block->predecessors[p], left, to))
            return false;
    }
    return true;
}

static bool choices_of(struct builder *b, uint32_t value, unsigned *left, struct record_choices *to)
{
    const struct fw_value *origin = &b->function->values[value];
    if (*left == 0)
        return false;
    --*left;
    if (origin->kind == FW_VALUE_INSTRUCTION && origin->slot == 0)
        return choices_of_instruction(b, origin->definition, left, to);
    return origin->kind == FW_VALUE_PHI && choices_of_phi(b, origin, left, to);
}

bool record_choices(struct builder *b, uint32_t value, struct record_choices *choices)
{
    unsigned left = MOST_STEPS;
    *choices = (struct record_choices){.count = 0};
    return choices_of(b, value, &left, choices) && choices->count > 1;
}
