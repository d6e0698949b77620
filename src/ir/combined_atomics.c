#include "combined_atomics.h"

#include "passes.h"

bool fw_operand_is_uniform(const struct fw_operand *operand, const uint8_t *level)
{
    if (operand->kind == FW_OPERAND_INTEGER)
        return true;
    if (operand->kind == FW_OPERAND_ADDRESS && operand->index == FW_NO_INDEX)
        return true; /* a variable */
    return operand->value != FW_NO_INDEX && level[operand->value] != FW_UNIFORM_NONE;
}

static bool is_integer(enum fw_type type, uint32_t bytes)
{
    return fw_type_class(type) != 'f' && fw_type_bytes(type) == bytes;
}

bool fw_atomic_increments(const struct fw_instruction *at, bool result_read)
{
    const struct fw_operand *with = &at->operands[at->operand_count - 1];
    return (at->opcode == FW_OP_ATOM || at->opcode == FW_OP_RED) && fw_instruction_has(at, "add") &&
           with->kind == FW_OPERAND_INTEGER && with->immediate == 1 && !result_read &&
           is_integer((enum fw_type)at->types[0], 4) && at->types[0] != FW_TYPE_S32;
}

bool fw_atomic_is_combined(const struct fw_instruction *at, const struct fw_operand *address,
                           const uint8_t *level, bool result_read)
{
    static const char *const without_result[] = {"min", "max", "and", "or", "xor"};
    enum fw_type type = (enum fw_type)at->types[0];
    if ((at->opcode != FW_OP_ATOM && at->opcode != FW_OP_RED) || at->vector > 1 ||
        !fw_operand_is_uniform(address, level))
        return false;
    const struct fw_operand *with = &at->operands[at->operand_count - 1];
    if (fw_instruction_has(at, "add"))
        return is_integer(type, 4) || (is_integer(type, 8) && fw_operand_is_uniform(with, level));
    for (size_t o = 0; o < sizeof(without_result) / sizeof(without_result[0]); o++)
        if (fw_instruction_has(at, without_result[o]))
            return is_integer(type, 4) && !result_read;
    return false;
}
