#include "ir.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST_SIDE = 1024 }; /* of a matrix */

typedef void visitor(void *user, struct fw_operand *operand);

static uint32_t visit_registers(struct fw_operand *operand, visitor *visit, void *user)
{
    uint32_t found = 0;
    if (operand->kind == FW_OPERAND_REGISTER ||
        (operand->kind == FW_OPERAND_ADDRESS && operand->index != FW_NO_INDEX)) {
        if (visit)
            visit(user, operand);
        found++;
    }
    for (unsigned i = 0; i < operand->count; i++)
        found += visit_registers(&operand->elements[i], visit, user);
    return found;
}

uint32_t fw_instruction_definitions(const struct fw_instruction *instruction, visitor *visit,
                                    void *user)
{
    uint32_t found = 0;
    for (unsigned i = 0; i < instruction->destinations && i < instruction->operand_count; i++)
        found += visit_registers(&instruction->operands[i], visit, user);
    return found;
}

uint32_t fw_instruction_uses(const struct fw_instruction *instruction, visitor *visit, void *user)
{
    uint32_t found = 0;
    for (unsigned i = instruction->destinations; i < instruction->operand_count; i++)
        found += visit_registers(&instruction->operands[i], visit, user);
    return found;
}

bool fw_instruction_has(const struct fw_instruction *instruction, const char *text)
{
    for (unsigned i = 0; i < instruction->modifier_count; i++)
        if (strcmp(instruction->modifiers[i], text) == 0)
            return true;
    return false;
}

bool fw_instruction_shape(const struct fw_instruction *at, uint32_t sizes[3])
{
    static const char letters[3] = {'m', 'n', 'k'};
    for (uint32_t m = 0; m < at->modifier_count; m++) {
        const char *text = at->modifiers[m];
        uint32_t side = 0;
        for (; side < 3 && text[0] == letters[side] && text[1] >= '1' && text[1] <= '9'; side++) {
            char *end;
            unsigned long size = strtoul(text + 1, &end, 10);
            if (size > LARGEST_SIDE)
                return false;
            sizes[side] = (uint32_t)size;
            text = end;
        }
        if (side == 3 && *text == '\0')
            return true;
    }
    return false;
}

struct fw_function *fw_module_kernel(const struct fw_module *module, const char *name)
{
    struct fw_function *found = NULL;
    for (uint32_t i = 0; i < module->function_count; i++) {
        struct fw_function *function = module->functions[i];
        if (!function->is_entry || !function->has_body)
            continue;
        if (name && strcmp(function->name, name) == 0)
            return function;
        if (!name && found)
            return NULL;
        found = function;
    }
    return name ? NULL : found;
}

bool fw_block_in_loop(const struct fw_function *function, uint32_t block, uint32_t loop)
{
    uint32_t at = function->blocks[block].loop;
    while (at != FW_NO_INDEX && at != loop)
        at = function->loops[at].parent;
    return at == loop;
}
