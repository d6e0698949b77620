/* lowering, fourth part: work that ptxas does once for several instructions, or iterations.
 *
 * Divisions of 32 bits by one divisor share its reciprocal: the second costs what a division by a
 * literal costs; quotient and remainder of one pair share all.  Rows "two div", "div and rem" of
 * data/lowering.  Behind a rounded quotient, reciprocal or root of floating point, whose rare
 * operands take a way apart, ptxas begins another block of code and makes the reciprocal anew
 * (`apart_f64` and its neighbours in data/lowering/divisors.cu).  One lane's value that no
 * iteration of a loop changes is read once, before it.  Of two results, of which nothing but a
 * choice between them reads either, one is computed under a predicate where the other one is
 * (ptxas 13.0: sums, products, logic, shifts, minima and choices of 32 bits and f32; sums, logic,
 * shifts and choices of 64-bit integers; not f64, nor two sums with one addend, of which it chooses
 * the other).  So is a sum, a product with a sum or a minimum of f32, or an integer product with a
 * sum, in place of the number that is chosen else, where nothing reads that later. */
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

/* Whether an instruction becomes a quotient, a reciprocal or a root with a way apart for rare
 * operands: a block of code ends there (fw_has_own_branch says the same of a record). */
static bool ends_block(const struct lowering *work, uint32_t i)
{
    const struct fw_lowered *lowered = &work->result->instructions[i];
    bool meets = false, reciprocal = false;
    for (uint32_t c = 0; c < lowered->count; c++) {
        meets |= lowered->at[c].operation == FW_MACHINE_BSYNC;
        reciprocal |= lowered->at[c].operation == FW_MACHINE_MUFU ||
                      lowered->at[c].operation == FW_MACHINE_MUFU_64;
    }
    return meets && reciprocal;
}

/* Shares with divisions from `first` on, which are in the same block of code. */
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

/* Whether no iteration of a loop changes an operand. */
static bool is_invariant(const struct lowering *work, const struct fw_loop_info *loop,
                         const struct fw_operand *operand)
{
    if (operand->kind != FW_OPERAND_REGISTER || operand->value == FW_NO_INDEX)
        return operand->kind == FW_OPERAND_INTEGER;
    uint32_t block = work->function->values[operand->value].block;
    for (uint32_t b = 0; b < loop->block_count; b++)
        if (loop->blocks[b] == block)
            return false;
    return true;
}

/* shfl.sync.idx by all lanes of a value from outside of the loop: LLVM leaves it where it stands,
 * ptxas 12.9 and 13.0 read it before the loop (R2UR), as for the warp group's number that Triton
 * asks for before each product. */
static void hoist_shuffle(struct lowering *work, uint32_t i, uint32_t block)
{
    const struct fw_function *function = work->function;
    const struct fw_instruction *at = instruction(work, i);
    uint32_t loop = function->blocks[block].loop;
    if (at->mode != FW_MODE_IDX || at->guard != FW_NO_INDEX || at->operand_count < 5 ||
        loop == FW_NO_INDEX)
        return;
    for (uint32_t o = 1; o < at->operand_count; o++)
        if (!is_invariant(work, &function->loops[loop], &at->operands[o]))
            return;
    work->result->instructions[i].count = 0;
}

void fw_lowering_share(struct lowering *work)
{
    const struct fw_function *function = work->function;
    for (uint32_t o = 0; o < function->order_count; o++) {
        const struct fw_block *block = &function->blocks[function->order[o]];
        for (uint32_t i = block->first, first = block->first; i < block->end; i++) {
            if (divides(instruction(work, i)))
                share_division(work, i, first);
            else if (instruction(work, i)->opcode == FW_OP_SHFL)
                hoist_shuffle(work, i, function->order[o]);
            else if (ends_block(work, i))
                first = i + 1;
        }
    }
}

/* Whether an instruction computes a number that ptxas can compute under a predicate. */
static bool computes(const struct lowering *work, uint32_t i)
{
    const struct fw_instruction *at = instruction(work, i);
    const struct fw_lowered *lowered = &work->result->instructions[i];
    bool wide = fw_type_bits((enum fw_type)at->types[0]) == 64;
    if (lowered->count == 0 || at->types[0] == FW_TYPE_F64)
        return false;
    switch (at->opcode) {
    case FW_OP_ADD:
    case FW_OP_SUB:
    case FW_OP_AND:
    case FW_OP_OR:
    case FW_OP_XOR:
    case FW_OP_SHL:
    case FW_OP_SHR:
    case FW_OP_SELP:
        return true;
    case FW_OP_MUL:
    case FW_OP_MAD:
    case FW_OP_FMA:
    case FW_OP_MIN:
    case FW_OP_MAX:
        return !wide && lowered->count == 1 && lowered->at[0].count == 1;
    default:
        return false;
    }
}

/* Two sums with one addend. */
static bool share_addend(const struct fw_instruction *a, const struct fw_instruction *b)
{
    if (a->opcode != FW_OP_ADD || b->opcode != FW_OP_ADD)
        return false;
    return same_register(&a->operands[1], &b->operands[1]) ||
           same_register(&a->operands[1], &b->operands[2]) ||
           same_register(&a->operands[2], &b->operands[1]) ||
           same_register(&a->operands[2], &b->operands[2]);
}

/* The instruction that computes what operand `o` of a choice reads, and nothing else does, under a
 * predicate if need be; FW_NO_INDEX: there is none. */
static uint32_t chosen_result(const struct lowering *work, uint32_t i, unsigned o)
{
    const uint32_t source = fw_lowering_source(work, i, &instruction(work, i)->operands[o]);
    const bool alone = source != FW_NO_INDEX && computes(work, source) &&
                       fw_lowering_use_count(work, fw_lowering_value(work, source)) == 1;
    return alone ? source : FW_NO_INDEX;
}

/* Whether a result takes the place of the number that is chosen else, under a predicate: no later
 * instruction reads that number.  Of sums and products of integers ptxas chooses a factor. */
static bool takes_place(const struct lowering *work, uint32_t i, uint32_t source,
                        const struct fw_operand *other)
{
    const struct fw_instruction *at = instruction(work, source);
    const bool is_float = at->types[0] == FW_TYPE_F32 && at->opcode != FW_OP_MUL;
    if (other->kind != FW_OPERAND_REGISTER || other->value == FW_NO_INDEX ||
        (!is_float && at->opcode != FW_OP_MAD))
        return false;
    for (uint32_t u = 0; u < fw_lowering_use_count(work, other->value); u++) {
        const uint32_t user = fw_lowering_use(work, other->value, u);
        if (user == FW_NO_INDEX || user > i || work->blocks[user] != work->blocks[i])
            return false;
    }
    return true;
}

void fw_lowering_choices(struct lowering *work)
{
    for (uint32_t i = 0; i < work->function->instruction_count; i++) {
        const struct fw_instruction *at = instruction(work, i);
        struct fw_lowered *lowered = &work->result->instructions[i];
        if (at->opcode != FW_OP_SELP || work->blocks[i] == FW_NO_INDEX || lowered->count != 1 ||
            fw_lowering_value(work, i) == FW_NO_INDEX ||
            (lowered->at[0].operation != FW_MACHINE_SEL &&
             lowered->at[0].operation != FW_MACHINE_FSEL))
            continue;
        const uint32_t one = chosen_result(work, i, 1), other = chosen_result(work, i, 2);
        const bool both = one != FW_NO_INDEX && other != FW_NO_INDEX && one != other &&
                          !share_addend(instruction(work, one), instruction(work, other));
        if (both || (one != FW_NO_INDEX && takes_place(work, i, one, &at->operands[2])) ||
            (other != FW_NO_INDEX && takes_place(work, i, other, &at->operands[1])))
            fw_lowering_list(lowered, work->arena, "");
    }
}
