/* lowering, last part: moves, and which unit makes them.
 *
 * A literal is an operand of an operation, but of one that takes two only one is: the other is moved
 * to a register before (once; outside of loops).  ptxas writes moves for two units, as MOV or as a
 * product with zero and a sum, IMAD.MOV, so that both have as much to do: where a kernel's code,
 * subroutines included, holds more of compares, logic and sums than of products, moves are
 * products (data/lowering/moves.txt).  Counters of integer operations see those only. */
#include "lowering_internal.h"

enum { MOST = 64, SLOW_PATH = 30 };

static const struct fw_instruction *instruction(const struct lowering *work, uint32_t i)
{
    return &work->function->instructions[i];
}

static bool literal_bits(const struct lowering *work, const struct fw_operand *operand,
                         int64_t *bits)
{
    if (operand->kind == FW_OPERAND_FLOAT) {
        *bits = operand->immediate;
        return true;
    }
    if (operand->kind != FW_OPERAND_REGISTER || operand->value == FW_NO_INDEX)
        return false;
    const struct fw_value *value = &work->function->values[operand->value];
    if (value->kind != FW_VALUE_INSTRUCTION)
        return false;
    const struct fw_instruction *at = instruction(work, value->definition);
    if (at->opcode != FW_OP_MOV || at->guard != FW_NO_INDEX || at->operand_count != 2 ||
        at->operands[1].kind != FW_OPERAND_FLOAT)
        return false;
    *bits = at->operands[1].immediate;
    return true;
}

static void append(struct lowering *work, uint32_t i, enum fw_machine operation)
{
    struct fw_lowered *lowered = &work->result->instructions[i];
    struct fw_machine_count *counts =
        FW_ARRAY(work->arena, struct fw_machine_count, lowered->count + 1U);
    for (unsigned c = 0; c < lowered->count; c++)
        counts[c] = lowered->at[c];
    counts[lowered->count++] =
        (struct fw_machine_count){.operation = (uint8_t)operation, .type = FW_TYPE_B32, .count = 1};
    lowered->at = counts;
}

/* Multiply-adds with two literals: the factor is moved, once a function. */
static void move_factors(struct lowering *work)
{
    int64_t seen[MOST];
    unsigned count = 0;
    for (uint32_t i = 0; i < work->function->instruction_count; i++) {
        const struct fw_instruction *at = instruction(work, i);
        int64_t factor, addend;
        if (work->blocks[i] == FW_NO_INDEX || at->opcode != FW_OP_FMA || at->operand_count != 4 ||
            at->types[0] != FW_TYPE_F32 || !literal_bits(work, &at->operands[2], &factor) ||
            !literal_bits(work, &at->operands[3], &addend) || addend == 0 ||
            work->function->blocks[work->blocks[i]].loop != FW_NO_INDEX)
            continue;
        unsigned s = 0;
        while (s < count && seen[s] != factor)
            s++;
        if (s < count || count == MOST)
            continue;
        seen[count++] = factor;
        append(work, i, FW_MACHINE_MOV);
    }
}

/* Division, roots and reciprocals that round as the standard says have a subroutine for what is
 * rare: mostly logic. */
static bool has_subroutine(const struct fw_instruction *at)
{
    bool kind = at->opcode == FW_OP_DIV || at->opcode == FW_OP_RCP || at->opcode == FW_OP_SQRT;
    return kind && fw_type_class((enum fw_type)at->types[0]) == 'f' &&
           !(at->flags & (FW_FLAG_APPROX | FW_FLAG_FULL));
}

static bool logic_is_more(const struct lowering *work)
{
    uint32_t products = 0, logic = 0;
    bool slow = false;
    for (uint32_t i = 0; i < work->function->instruction_count; i++) {
        const struct fw_lowered *lowered = &work->result->instructions[i];
        if (work->blocks[i] == FW_NO_INDEX)
            continue;
        slow |= has_subroutine(instruction(work, i));
        for (unsigned c = 0; c < lowered->count; c++) {
            enum fw_machine operation = (enum fw_machine)lowered->at[c].operation;
            enum fw_pipe pipe = fw_machine_pipe(operation);
            uint8_t copies = work->copies[work->blocks[i]];
            uint32_t count = lowered->at[c].count;
            count *= copies && lowered->at[c].every <= 1 ? copies : 1U;
            if (operation == FW_MACHINE_MOV)
                continue;
            if (pipe == FW_PIPE_FMA || pipe == FW_PIPE_FMA_HEAVY)
                products += count;
            else if (pipe == FW_PIPE_ALU)
                logic += count;
        }
    }
    return logic + (slow ? SLOW_PATH : 0) > products;
}

/* An array's place: put together by the scalar datapath. */
static bool moves_place(const struct fw_instruction *at)
{
    return at->opcode == FW_OP_MOV && at->operand_count == 2 &&
           at->operands[1].kind == FW_OPERAND_SYMBOL;
}

/* Of a division's moves one is a zero, the others are copies, which stay. */
static void turn(struct lowering *work, uint32_t i)
{
    struct fw_lowered *lowered = &work->result->instructions[i];
    for (unsigned c = 0; c < lowered->count; c++) {
        if (lowered->at[c].operation != FW_MACHINE_MOV || lowered->at[c].guarded)
            continue;
        if (lowered->at[c].count == 1) {
            lowered->at[c].operation = FW_MACHINE_IMAD_MOV;
            continue;
        }
        lowered->at[c].count--;
        append(work, i, FW_MACHINE_IMAD_MOV);
        return;
    }
}

void fw_lowering_moves(struct lowering *work)
{
    if (work->column < 2)
        return;
    move_factors(work);
    if (!logic_is_more(work))
        return;
    for (uint32_t i = 0; i < work->function->instruction_count; i++)
        if (!moves_place(instruction(work, i)))
            turn(work, i);
}
