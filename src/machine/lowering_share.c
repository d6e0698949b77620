/* lowering, fourth part: work that ptxas does once for several instructions of a block.
 *
 * Divisions of 32 bits by one divisor share its reciprocal: the second costs what a division by a
 * literal costs; quotient and remainder of one pair share all.  Shared-memory loads of neighbouring
 * words become one of 64 or 128 bits where the base is known to be aligned.  Rows "two div", "div
 * and rem", "four ld.shared" of data/lowering. */
#include "checked.h"
#include "lowering_internal.h"

#include <string.h>

static const struct fw_instruction *instruction(const struct lowering *work, uint32_t i)
{
    return &work->function->instructions[i];
}

static bool same_register(const struct fw_operand *a, const struct fw_operand *b)
{
    return a->kind == FW_OPERAND_REGISTER && b->kind == FW_OPERAND_REGISTER &&
           a->value == b->value && a->value != FW_NO_INDEX;
}

static bool divides(const struct fw_instruction *at)
{
    return (at->opcode == FW_OP_DIV || at->opcode == FW_OP_REM) && at->operand_count == 3 &&
           (at->types[0] == FW_TYPE_S32 || at->types[0] == FW_TYPE_U32);
}

/* Divisor known: the row for literals, for which one stands in, and what asks for a divisor of
 * zero. */
static void by_known_divisor(struct lowering *work, uint32_t i)
{
    struct fw_instruction literal = *instruction(work, i);
    struct fw_operand *operands =
        fw_arena_copy(work->arena, literal.operands, 3 * sizeof *operands);
    operands[2] = (struct fw_operand){.kind = FW_OPERAND_INTEGER, .immediate = 7};
    literal.operands = operands;
    struct fw_lowered *lowered = &work->result->instructions[i];
    fw_lowering_expand(lowered, work->arena, &literal, work->result->capability);
    struct fw_machine_count *counts =
        FW_ARRAY(work->arena, struct fw_machine_count, lowered->count + 1U);
    memcpy(counts, lowered->at, lowered->count * sizeof *counts);
    counts[lowered->count++] = (struct fw_machine_count){
        .operation = FW_MACHINE_SEL, .type = FW_TYPE_B32, .count = 2}; /* a zero divisor */
    lowered->at = counts;
}

static void share_division(struct lowering *work, uint32_t i, uint32_t first)
{
    const struct fw_instruction *at = instruction(work, i);
    for (uint32_t j = i; j-- > first;) {
        const struct fw_instruction *before = instruction(work, j);
        if (!divides(before) || before->types[0] != at->types[0] ||
            !same_register(&before->operands[2], &at->operands[2]))
            continue;
        if (same_register(&before->operands[1], &at->operands[1])) {
            bool has_sign = at->types[0] == FW_TYPE_S32;
            fw_lowering_list(&work->result->instructions[i], work->arena,
                             has_sign ? "@IADD3 ISETP*2 LOP3 SEL*3 MOV" : "@IADD3 SEL*2");
            return;
        }
        by_known_divisor(work, i);
        return;
    }
}

/* The power of two that a value is known to be a multiple of, at most 16. */
static uint32_t multiple(const struct lowering *work, const struct fw_operand *operand,
                         unsigned depth)
{
    enum { MOST = 16, DEPTH = 8 };
    if (operand->kind == FW_OPERAND_INTEGER) {
        uint64_t bits = (uint64_t)operand->immediate | MOST;
        return (uint32_t)(bits & (~bits + 1));
    }
    if (operand->kind == FW_OPERAND_SYMBOL) {
        const struct fw_variable *variable = operand->variable;
        /* ptxas lays out what the module itself defines, whatever its alignment says */
        if (variable && variable->space == FW_SPACE_SHARED && !variable->external)
            return MOST;
        return variable && variable->alignment ? variable->alignment : 1;
    }
    if (operand->kind != FW_OPERAND_REGISTER || operand->value == FW_NO_INDEX || depth == DEPTH)
        return 1;
    const struct fw_value *value = &work->function->values[operand->value];
    if (value->kind != FW_VALUE_INSTRUCTION)
        return 1;
    const struct fw_instruction *at = instruction(work, value->definition);
    if (at->guard != FW_NO_INDEX || at->operand_count < 2)
        return 1;
    uint64_t a = multiple(work, &at->operands[1], depth + 1);
    uint64_t b = at->operand_count > 2 ? multiple(work, &at->operands[2], depth + 1) : MOST;
    uint64_t c = at->operand_count > 3 ? multiple(work, &at->operands[3], depth + 1) : MOST;
    uint64_t known = 1;
    switch (at->opcode) {
    case FW_OP_MOV:
    case FW_OP_CVTA:
        known = a;
        break;
    case FW_OP_ADD:
    case FW_OP_SUB:
    case FW_OP_OR:
        known = a < b ? a : b;
        break;
    case FW_OP_AND:
        known = a > b ? a : b;
        break;
    case FW_OP_SHL:
        if (at->operand_count > 2 && at->operands[2].kind == FW_OPERAND_INTEGER &&
            at->operands[2].immediate >= 0)
            known = at->operands[2].immediate >= 4 ? MOST : a << at->operands[2].immediate;
        break;
    case FW_OP_MUL:
        known = fw_instruction_has(at, "hi") ? 1 : a * b;
        break;
    case FW_OP_MAD:
        known = fw_instruction_has(at, "hi") ? 1 : a * b < c ? a * b : c;
        break;
    default:
        break;
    }
    return known < MOST ? (uint32_t)known : MOST;
}

static bool loads_shared_word(const struct fw_instruction *at)
{
    return at->opcode == FW_OP_LD && at->space == FW_SPACE_SHARED && at->vector <= 1 &&
           at->operand_count == 2 && at->guard == FW_NO_INDEX && !(at->flags & FW_FLAG_VOLATILE) &&
           fw_type_bits((enum fw_type)at->types[0]) == 32 &&
           at->operands[1].kind == FW_OPERAND_ADDRESS;
}

static bool orders_memory(const struct fw_instruction *at)
{
    bool access = at->opcode == FW_OP_ST || at->opcode == FW_OP_ATOM || at->opcode == FW_OP_RED;
    return (access && at->space != FW_SPACE_GLOBAL && at->space != FW_SPACE_LOCAL) ||
           at->opcode == FW_OP_BAR || at->opcode == FW_OP_BARRIER || at->opcode == FW_OP_CALL ||
           at->opcode == FW_OP_MEMBAR || at->opcode == FW_OP_FENCE;
}

static bool same_base(const struct fw_operand *a, const struct fw_operand *b)
{
    return a->index == b->index && a->variable == b->variable &&
           (a->index == FW_NO_INDEX || a->value == b->value);
}

static uint32_t base_multiple(const struct lowering *work, const struct fw_operand *address)
{
    struct fw_operand base = *address;
    base.kind = address->index == FW_NO_INDEX ? FW_OPERAND_SYMBOL : FW_OPERAND_REGISTER;
    return multiple(work, &base, 0);
}

/* Finds the loads at `immediate` + 4, + 8, .. behind load `i` and merges as many as alignment
 * allows: four or two. */
static void widen_load(struct lowering *work, uint32_t i, uint32_t end)
{
    enum { WORDS = 4 };
    const struct fw_operand *address = &instruction(work, i)->operands[1];
    uint32_t base = base_multiple(work, address);
    uint32_t parts[WORDS] = {i, FW_NO_INDEX, FW_NO_INDEX, FW_NO_INDEX};
    for (uint32_t j = i + 1; j < end && !orders_memory(instruction(work, j)); j++) {
        const struct fw_instruction *at = instruction(work, j);
        if (!loads_shared_word(at) || work->taken[j] || !same_base(address, &at->operands[1]))
            continue;
        int64_t apart = fw_saturated_subtract(at->operands[1].immediate, address->immediate);
        if (apart > 0 && apart < 4 * WORDS && apart % 4 == 0 && parts[apart / 4] == FW_NO_INDEX)
            parts[apart / 4] = j;
    }
    bool four = base >= 16 && address->immediate % 16 == 0 && parts[1] != FW_NO_INDEX &&
                parts[2] != FW_NO_INDEX && parts[3] != FW_NO_INDEX;
    bool two = base >= 8 && address->immediate % 8 == 0 && parts[1] != FW_NO_INDEX;
    for (unsigned p = 1; p < (four ? 4U : two ? 2U : 0U); p++)
        fw_lowering_absorb(work, parts[p], i);
    if (four || two) {
        fw_lowering_list(&work->result->instructions[i], work->arena, four ? "LDS.128" : "LDS.64");
        work->taken[i] = true;
    }
}

void fw_lowering_share(struct lowering *work)
{
    const struct fw_function *function = work->function;
    for (uint32_t o = 0; o < function->order_count; o++) {
        const struct fw_block *block = &function->blocks[function->order[o]];
        for (uint32_t i = block->first; i < block->end; i++) {
            if (divides(instruction(work, i)))
                share_division(work, i, block->first);
            else if (loads_shared_word(instruction(work, i)) && !work->taken[i])
                widen_load(work, i, block->end);
        }
    }
}
