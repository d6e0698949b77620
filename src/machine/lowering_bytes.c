/* lowering of vectors of bytes: an access of memory moves them as one word, and each byte that is
 * read is taken out of it, or put into it, by a permutation.
 *
 * Source: the code of ptxas 13.0 for sm_90 of loads and stores of two and four bytes that are
 * converted, added and copied: a PRMT for each byte that is read; one less than there are bytes
 * where they are stored; none where all that is loaded is stored as it is. */
#include "lowering_internal.h"

static const struct fw_operand *bytes_of(const struct fw_instruction *at, enum fw_opcode opcode)
{
    if (at->opcode != opcode || at->operand_count < 2 || at->type_count == 0 ||
        fw_type_bits((enum fw_type)at->types[at->type_count - 1]) != 8)
        return NULL;
    const struct fw_operand *vector = &at->operands[opcode == FW_OP_ST ? 1 : 0];
    return vector->kind == FW_OPERAND_VECTOR && vector->count > 1 ? vector : NULL;
}

/* The vector load that gives a value; FW_NO_INDEX. */
static uint32_t loaded_by(const struct lowering *work, const struct fw_operand *element)
{
    if (element->kind != FW_OPERAND_REGISTER || element->value == FW_NO_INDEX)
        return FW_NO_INDEX;
    const struct fw_value *of = &work->function->values[element->value];
    if (of->kind != FW_VALUE_INSTRUCTION ||
        !bytes_of(&work->function->instructions[of->definition], FW_OP_LD))
        return FW_NO_INDEX;
    return of->definition;
}

/* Whether a store's bytes are those of one load. */
static bool copies(const struct lowering *work, const struct fw_operand *vector)
{
    uint32_t load = loaded_by(work, &vector->elements[0]);
    for (uint32_t e = 1; e < vector->count && load != FW_NO_INDEX; e++)
        if (loaded_by(work, &vector->elements[e]) != load)
            return false;
    return load != FW_NO_INDEX;
}

/* Whether anything reads a byte but stores that copy its load. */
static bool is_taken_out(const struct lowering *work, const struct fw_operand *element)
{
    if (element->kind != FW_OPERAND_REGISTER || element->value == FW_NO_INDEX)
        return false;
    for (uint32_t u = 0; u < fw_lowering_use_count(work, element->value); u++) {
        uint32_t user = fw_lowering_use(work, element->value, u);
        const struct fw_operand *stored =
            user == FW_NO_INDEX ? NULL : bytes_of(&work->function->instructions[user], FW_OP_ST);
        if (!stored || !copies(work, stored))
            return true;
    }
    return false;
}

void fw_lowering_bytes(struct lowering *work)
{
    const struct fw_function *function = work->function;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct fw_instruction *at = &function->instructions[i];
        const struct fw_operand *loaded = bytes_of(at, FW_OP_LD), *stored = bytes_of(at, FW_OP_ST);
        uint16_t count = 0;
        if (work->blocks[i] == FW_NO_INDEX || work->result->instructions[i].count == 0)
            continue;
        for (uint32_t e = 0; loaded && e < loaded->count; e++)
            count = (uint16_t)(count + is_taken_out(work, &loaded->elements[e]));
        if (stored && !copies(work, stored))
            count = (uint16_t)(stored->count - 1U);
        if (count)
            fw_lowering_append(work, i, FW_MACHINE_PRMT, count);
    }
}
