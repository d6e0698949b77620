/* lowering of vectors of bytes: an access of memory moves them as one word, and each byte that is
 * read is taken out of it, or put into it, by a permutation; so are two integers of 16 bits put
 * into a word that is stored.
 *
 * Source: the code of ptxas 13.0 for sm_90 of loads and stores of two and four bytes that are
 * converted, added and copied: a PRMT for each byte that is read, but for bytes with a sign that
 * become floats (I2F.S8); one less than there are bytes where they are stored; none where all that
 * is loaded is stored as it is. */
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

/* Whether a user's conversion to floats reads the byte where it lies. */
static bool reads_byte(const struct lowering *work, uint32_t user)
{
    const struct fw_instruction *at = &work->function->instructions[user];
    return at->opcode == FW_OP_CVT && at->type_count == 2 && at->types[1] == FW_TYPE_S8 &&
           (at->types[0] == FW_TYPE_F32 ||
            work->result->instructions[user].absorbed != FW_NO_INDEX);
}

/* Whether anything takes a byte out but stores that copy its load, and conversions. */
static bool is_taken_out(const struct lowering *work, const struct fw_operand *element)
{
    if (element->kind != FW_OPERAND_REGISTER || element->value == FW_NO_INDEX)
        return false;
    for (uint32_t u = 0; u < fw_lowering_use_count(work, element->value); u++) {
        uint32_t user = fw_lowering_use(work, element->value, u);
        const struct fw_operand *stored =
            user == FW_NO_INDEX ? NULL : bytes_of(&work->function->instructions[user], FW_OP_ST);
        if (user == FW_NO_INDEX || !(reads_byte(work, user) || (stored && copies(work, stored))))
            return true;
    }
    return false;
}

/* Whether a register of 16 bits has the result of an integer operation. */
static bool is_computed(const struct lowering *work, const struct fw_operand *element)
{
    if (element->kind != FW_OPERAND_REGISTER || element->value == FW_NO_INDEX)
        return false;
    const struct fw_value *of = &work->function->values[element->value];
    if (of->kind != FW_VALUE_INSTRUCTION)
        return false;
    const struct fw_instruction *at = &work->function->instructions[of->definition];
    char class = fw_type_class((enum fw_type)at->types[0]);
    return at->destinations == 1 && at->opcode != FW_OP_LD && at->opcode != FW_OP_MOV &&
           class != 'f' && fw_type_bits((enum fw_type)at->types[0]) == 16;
}

/* Words that a store of 16-bit integers puts together of two. */
static uint16_t pairs_of(const struct lowering *work, const struct fw_instruction *at)
{
    uint16_t count = 0;
    if (at->opcode != FW_OP_ST || at->operand_count < 2 || at->type_count == 0 ||
        fw_type_bits((enum fw_type)at->types[at->type_count - 1]) != 16 ||
        at->operands[1].kind != FW_OPERAND_VECTOR)
        return 0;
    const struct fw_operand *vector = &at->operands[1];
    for (uint32_t e = 0; e + 1 < vector->count; e += 2)
        count = (uint16_t)(count + (is_computed(work, &vector->elements[e]) ||
                                    is_computed(work, &vector->elements[e + 1])));
    return count;
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
        if (!stored)
            count = (uint16_t)(count + pairs_of(work, at));
        if (count)
            fw_lowering_append(work, i, FW_MACHINE_PRMT, count);
    }
}
