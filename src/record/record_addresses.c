/* Which integer arithmetic computes addresses and nothing else. */
#include "record_internal.h"

struct readers {
    const struct builder *b;
    bool *more; /* by value: something that is no address comes of it */
    uint32_t *stack;
    uint32_t depth;
};

static void push(struct readers *readers, uint32_t value)
{
    if (value == FW_NO_INDEX || readers->more[value])
        return;
    readers->more[value] = true;
    readers->stack[readers->depth++] = value;
}

static void push_operand(void *user, struct fw_operand *operand)
{
    push(user, operand->value);
}

static void push_unless_address(void *user, struct fw_operand *operand)
{
    if (operand->kind != FW_OPERAND_ADDRESS)
        push(user, operand->value);
}

static bool is_integer_arithmetic(const struct fw_scheduled *row)
{
    return row->group == FW_GROUP_ARITHMETIC && !row->flops && !row->access_count;
}

static void push_prior(struct readers *readers, const struct fw_instruction *at)
{
    for (uint32_t p = 0; at->prior_values && p < fw_instruction_definitions(at, NULL, NULL); p++)
        push(readers, at->prior_values[p]);
}

/* What the origin of a value reads, if the value is more than a part of addresses. */
static void follow(struct readers *readers, uint32_t value)
{
    const struct fw_function *function = readers->b->function;
    const struct fw_value *origin = &function->values[value];
    if (origin->kind == FW_VALUE_PHI) {
        const struct fw_block *block = &function->blocks[origin->block];
        for (uint32_t p = 0; p < block->predecessor_count; p++)
            push(readers, block->phis[origin->definition].inputs[p]);
    } else if (origin->kind == FW_VALUE_INSTRUCTION) {
        const struct fw_instruction *at = &function->instructions[origin->definition];
        if (is_integer_arithmetic(&readers->b->kernel->schedule[origin->definition]))
            fw_instruction_uses(at, push_operand, readers);
        push_prior(readers, at);
    }
}

static void note_definition(void *user, struct fw_operand *operand)
{
    struct readers *readers = user;
    readers->depth += operand->value != FW_NO_INDEX && readers->more[operand->value];
}

void record_addresses(struct builder *b)
{
    const struct fw_function *function = b->function;
    struct readers readers = {.b = b,
                              .more = FW_ARRAY(b->arena, bool, function->value_count + 1),
                              .stack = FW_ARRAY(b->arena, uint32_t, function->value_count + 1)};
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct fw_instruction *at = &function->instructions[i];
        const struct fw_scheduled *row = &b->kernel->schedule[i];
        if (row->unreachable)
            continue;
        if (!is_integer_arithmetic(row))
            fw_instruction_uses(at, row->access_count ? push_unless_address : push_operand,
                                &readers);
        if (at->guard != FW_NO_INDEX)
            push(&readers, at->guard_value);
    }
    while (readers.depth)
        follow(&readers, readers.stack[--readers.depth]);
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        struct fw_scheduled *row = &b->kernel->schedule[i];
        fw_instruction_definitions(&function->instructions[i], note_definition, &readers);
        row->addresses_only = is_integer_arithmetic(row) && !row->unreachable && !readers.depth;
        readers.depth = 0;
    }
}
