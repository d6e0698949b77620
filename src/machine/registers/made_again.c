/* Values that are made again: integers that come into a block and cost a few operations.
 *
 * Where registers would cost resident warps, ptxas 13.0 computes such values again right before
 * their use instead of keeping them (Briggs, Cooper and Torczon, "Rematerialization", 1992):
 * invariants that nvcc took out of a loop, offsets of unrolled iterations, products of an index and
 * a number.  What a block reads it makes each time that it runs, by one operation.  What values are
 * made of has to be there: parameters, literals, and values that are kept anyway. */
#include "liveness_internal.h"

enum {
    MOST_OPERATIONS = 3, /* that making one costs */
    LEAVES = 2           /* values with registers that it is made of */
};

static bool is_cheap(const struct fw_instruction *at)
{
    if (at->guard != FW_NO_INDEX || at->destinations != 1 || at->slot || at->vector > 1 ||
        at->operand_count < 2 || at->flags & FW_FLAG_CARRY_OUT || at->types[0] == FW_TYPE_PRED ||
        fw_type_class((enum fw_type)at->types[0]) == 'f')
        return false;
    switch (at->opcode) {
    case FW_OP_ADD:
    case FW_OP_SUB:
    case FW_OP_MUL:
    case FW_OP_MAD:
    case FW_OP_AND:
    case FW_OP_OR:
    case FW_OP_XOR:
    case FW_OP_NOT:
    case FW_OP_NEG:
    case FW_OP_SHL:
    case FW_OP_SHR:
    case FW_OP_MIN:
    case FW_OP_MAX:
    case FW_OP_BFE:
    case FW_OP_PRMT:
    case FW_OP_LOP3:
        return true;
    case FW_OP_MOV: /* a special register takes as long as a load */
        return at->operands[1].kind != FW_OPERAND_SPECIAL;
    case FW_OP_CVT:
        return at->type_count > 1 && fw_type_class((enum fw_type)at->types[1]) != 'f';
    default:
        return false;
    }
}

struct making {
    const struct liveness *work;
    struct made_again made;
    bool fails;
};

static void add_leaf(struct making *making, uint32_t value)
{
    for (unsigned l = 0; l < LEAVES; l++) {
        if (making->made.leaves[l] == FW_NO_INDEX)
            making->made.leaves[l] = value;
        if (making->made.leaves[l] == value)
            return;
    }
    making->fails = true;
}

/* An operand is made, too, as long as that is not too much. */
static void add_operand(void *user, struct fw_operand *operand)
{
    struct making *making = user;
    for (unsigned s = 0; operand->value != FW_NO_INDEX && s < 2; s++) {
        uint32_t value = making->work->stands[operand->value].values[s];
        if (value == FW_NO_INDEX || !making->work->width[value])
            continue;
        const struct made_again *of = &making->work->again[value];
        making->fails |= machine_is_predicate(making->work->function, value);
        if (!of->operations || of->operations + making->made.operations > MOST_OPERATIONS) {
            add_leaf(making, value);
            continue;
        }
        making->made.operations = (uint8_t)(making->made.operations + of->operations);
        for (unsigned l = 0; l < LEAVES && of->leaves[l] != FW_NO_INDEX; l++)
            add_leaf(making, of->leaves[l]);
    }
}

static void keep_value(void *user, struct fw_operand *operand)
{
    *(uint32_t *)user = operand->value;
}

void machine_find_made_again(struct liveness *work)
{
    const struct fw_function *function = work->function;
    work->again = FW_ARRAY(work->arena, struct made_again, function->value_count + 1);
    work->spared = FW_ARRAY(work->arena, uint32_t, function->value_count + 1);
    for (uint32_t o = 0; o < function->order_count; o++) {
        const struct fw_block *block = &function->blocks[function->order[o]];
        for (uint32_t i = block->first; i < block->end; i++) {
            const struct fw_instruction *at = &function->instructions[i];
            struct making making = {work, {{FW_NO_INDEX, FW_NO_INDEX}, 1}, false};
            uint32_t value = FW_NO_INDEX;
            if (!is_cheap(at) || fw_instruction_definitions(at, keep_value, &value) != 1 ||
                value == FW_NO_INDEX || !work->width[value])
                continue;
            fw_instruction_uses(at, add_operand, &making);
            if (!making.fails)
                work->again[value] = making.made;
        }
    }
}

bool machine_made_again(const struct liveness *work, uint32_t value, bool read)
{
    const struct made_again *made = &work->again[value];
    if (!made->operations || (read && made->operations > 1))
        return false;
    for (unsigned l = 0; l < LEAVES; l++)
        if (made->leaves[l] != FW_NO_INDEX && work->marked[made->leaves[l]] != work->stamp)
            return false;
    return true;
}
