/* Loops that search: exits that what one entry holds decides, whatever was met before it. */
#include "branches_internal.h"

enum { MOST_SEARCHED = 100 };

struct entry_walk {
    const struct fw_branches *branches;
    uint32_t loop, count, values[MOST_SEARCHED];
    bool loads;   /* something of the entry */
    bool carries; /* something that an earlier iteration left, or other threads have */
};

static void add_value(void *user, struct fw_operand *operand)
{
    struct entry_walk *walk = user;
    if (operand->value == FW_NO_INDEX)
        return;
    for (uint32_t v = 0; v < walk->count; v++)
        if (walk->values[v] == operand->value)
            return;
    if (walk->count == MOST_SEARCHED)
        walk->carries = true;
    else
        walk->values[walk->count++] = operand->value;
}

bool fw_branches_entry_decides(struct fw_branches *branches, uint32_t instruction, uint32_t loop)
{
    const struct fw_function *function = branches->function;
    const struct fw_instruction *leaves = &function->instructions[instruction];
    struct entry_walk walk = {.branches = branches, .loop = loop};
    struct fw_operand tested = {.value = leaves->guard_value};
    if (leaves->guard == FW_NO_INDEX)
        return false;
    add_value(&walk, &tested);
    for (uint32_t v = 0; v < walk.count && !walk.carries; v++) {
        const struct fw_value *origin = &function->values[walk.values[v]];
        const struct fw_instruction *at = branch_definition(branches, walk.values[v]);
        if (!fw_block_in_loop(function, origin->block, loop))
            continue;
        if (!at || at->guard != FW_NO_INDEX || at->slot || at->opcode == FW_OP_ATOM ||
            at->opcode == FW_OP_SHFL || at->opcode == FW_OP_VOTE || at->opcode == FW_OP_CALL ||
            at->opcode == FW_OP_REDUX || at->opcode == FW_OP_MATCH) {
            walk.carries = true;
        } else if (at->opcode == FW_OP_LD || at->opcode == FW_OP_LDU || at->opcode == FW_OP_TEX) {
            walk.loads |= at->space != FW_SPACE_PARAM;
        } else {
            fw_instruction_uses(at, add_value, &walk);
        }
    }
    return walk.loads && !walk.carries;
}

bool fw_branches_computes(const struct fw_branches *branches, uint32_t loop)
{
    const struct fw_function *function = branches->function;
    const struct fw_loop_info *info = &function->loops[loop];
    for (uint32_t k = 0; k < info->block_count; k++) {
        const struct fw_block *block = &function->blocks[info->blocks[k]];
        for (uint32_t i = block->first; i < block->end; i++) {
            const struct fw_instruction *at = &function->instructions[i];
            const bool known = at->slot || at->space == FW_SPACE_PARAM ||
                               at->space == FW_SPACE_CONST || at->space == FW_SPACE_LOCAL;
            switch ((enum fw_opcode)at->opcode) {
            case FW_OP_LD:
            case FW_OP_LDU:
                if (known)
                    break;
                return false;
            case FW_OP_TEX:
            case FW_OP_TLD4:
            case FW_OP_SULD:
            case FW_OP_LDMATRIX:
            case FW_OP_ATOM:
            case FW_OP_SHFL:
            case FW_OP_VOTE:
            case FW_OP_MATCH:
            case FW_OP_REDUX:
            case FW_OP_CALL:
                return false;
            default:
                break;
            }
        }
    }
    return true;
}

bool fw_branches_polls(const struct fw_branches *branches, uint32_t loop)
{
    const struct fw_function *function = branches->function;
    const struct fw_loop_info *info = &function->loops[loop];
    for (uint32_t k = 0; k < info->block_count; k++) {
        const struct fw_block *block = &function->blocks[info->blocks[k]];
        for (uint32_t i = block->first; i < block->end; i++) {
            const struct fw_instruction *at = &function->instructions[i];
            const bool apart = at->space == FW_SPACE_GLOBAL || at->space == FW_SPACE_GENERIC;
            if (at->opcode == FW_OP_LD && !at->slot && apart &&
                ((at->flags & FW_FLAG_VOLATILE) || fw_instruction_has(at, "acquire") ||
                 fw_instruction_has(at, "relaxed")))
                return true;
        }
    }
    return false;
}
