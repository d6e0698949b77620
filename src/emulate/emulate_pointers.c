#include "emulate_pointers.h"

/* Whether the instruction hands its operand `from` on as an address. */
static bool hands_on(const struct fw_instruction *at, unsigned from)
{
    switch (at->opcode) {
    case FW_OP_MOV:
    case FW_OP_CVTA:
    case FW_OP_ADD:
    case FW_OP_SUB:
        return from == 1;
    case FW_OP_MAD:
        return from == 3;
    case FW_OP_SELP:
        return from == 1 || from == 2;
    default:
        return false;
    }
}

/* Loads of the parameter mark their destination. */
static bool loads(const struct fw_instruction *at, const struct fw_variable *parameter)
{
    return at->opcode == FW_OP_LD && at->operand_count >= 2 && at->vector == 1 &&
           at->operands[0].kind == FW_OPERAND_REGISTER && at->operands[1].variable == parameter &&
           at->operands[1].index == FW_NO_INDEX && at->operands[1].immediate == 0;
}

/* One walk: marks what the marked registers reach.  True: an address was met. */
static bool walk(const struct fw_function *function, const struct fw_variable *parameter,
                 bool *marked, bool *changed)
{
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct fw_instruction *at = &function->instructions[i];
        bool marks = loads(at, parameter);
        for (unsigned k = 0; k < at->operand_count; k++) {
            const struct fw_operand *operand = &at->operands[k];
            if (operand->index == FW_NO_INDEX ||
                (operand->kind != FW_OPERAND_REGISTER && operand->kind != FW_OPERAND_ADDRESS))
                continue;
            if (!marked[operand->index] || k < at->destinations)
                continue;
            if (operand->kind == FW_OPERAND_ADDRESS || at->opcode == FW_OP_CVTA)
                return true;
            marks |= hands_on(at, k);
        }
        if (!marks || at->operand_count == 0 || at->operands[0].kind != FW_OPERAND_REGISTER)
            continue;
        *changed |= !marked[at->operands[0].index];
        marked[at->operands[0].index] = true;
    }
    return false;
}

bool *fw_emulate_pointer_parameters(struct fw_arena *arena, const struct fw_function *function)
{
    bool *pointer = FW_ARRAY(arena, bool, function->parameter_count);
    for (uint32_t p = 0; p < function->parameter_count; p++) {
        const struct fw_variable *parameter = &function->parameters[p];
        pointer[p] = parameter->points_to != FW_SPACE_NONE;
        if (pointer[p] || parameter->is_array || fw_type_bits(parameter->type) != 64 ||
            fw_type_class(parameter->type) == 'f')
            continue;
        bool *marked = FW_ARRAY(arena, bool, function->register_count);
        bool changed = true;
        while (changed && !pointer[p]) {
            changed = false;
            pointer[p] = walk(function, parameter, marked, &changed);
        }
    }
    return pointer;
}
