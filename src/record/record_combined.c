/* Which atomic operations a warp carries out once (combined_atomics.h), and which results are read.
 */
#include "combined_atomics.h"
#include "record_internal.h"

static void mark_read(void *user, struct fw_operand *operand)
{
    bool *read = user;
    if (operand->value != FW_NO_INDEX)
        read[operand->value] = true;
}

/* By value: whether an instruction or a phi reads it. */
static bool *values_read(struct builder *b)
{
    const struct fw_function *function = b->function;
    bool *read = FW_ARRAY(b->arena, bool, function->value_count + 1);
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct fw_instruction *at = &function->instructions[i];
        fw_instruction_uses(at, mark_read, read);
        if (at->guard != FW_NO_INDEX && at->guard_value != FW_NO_INDEX)
            read[at->guard_value] = true;
    }
    for (uint32_t block = 0; block < function->block_count; block++)
        for (uint32_t p = 0; p < function->blocks[block].phi_count; p++)
            for (uint32_t i = 0; i < function->blocks[block].predecessor_count; i++) {
                uint32_t input = function->blocks[block].phis[p].inputs[i];
                if (input != FW_NO_INDEX)
                    read[input] = true;
            }
    return read;
}

bool record_result_is_read(struct builder *b, const struct fw_instruction *at)
{
    if (at->opcode != FW_OP_ATOM || at->operands[0].kind != FW_OPERAND_REGISTER ||
        at->operands[0].value == FW_NO_INDEX)
        return false;
    if (!b->values_read)
        b->values_read = values_read(b);
    return b->values_read[at->operands[0].value];
}

bool record_increments(struct builder *b, const struct fw_instruction *at)
{
    return fw_atomic_increments(at, record_result_is_read(b, at));
}

bool record_is_combined(struct builder *b, const struct fw_instruction *at,
                        const struct fw_operand *address)
{
    if (at->opcode != FW_OP_ATOM && at->opcode != FW_OP_RED)
        return false;
    if (!b->uniformity)
        b->uniformity = fw_pass_uniformity(b->arena, b->function);
    return fw_atomic_is_combined(at, address, b->uniformity, record_result_is_read(b, at));
}
