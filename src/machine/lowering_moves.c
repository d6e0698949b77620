/* lowering, last part: moves, and which unit makes them.
 *
 * A literal is an operand of an operation, but of one that takes two only one is: the other is
 * moved to a register before (once; outside of loops).  ptxas writes moves for two units, as MOV or
 * as a product with zero and a sum, IMAD.MOV, so that both have as much to do: where a kernel's
 * code, subroutines included, holds more of compares, logic and sums than of products, moves are
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

/* The literals that a function or a block has in registers. */
struct literals_moved {
    int64_t seen[MOST];
    unsigned count;
};

/* Whether a literal is not there yet, and has a place; it is there then. */
static bool is_new(struct literals_moved *literals, int64_t bits)
{
    for (unsigned s = 0; s < literals->count; s++)
        if (literals->seen[s] == bits)
            return false;
    if (literals->count == MOST)
        return false;
    literals->seen[literals->count++] = bits;
    return true;
}

/* Multiply-adds with two literals: the factor is moved, once a function. */
static void move_factors(struct lowering *work)
{
    struct literals_moved literals = {.count = 0};
    for (uint32_t i = 0; i < work->function->instruction_count; i++) {
        const struct fw_instruction *at = instruction(work, i);
        int64_t factor, addend;
        if (work->blocks[i] == FW_NO_INDEX || at->opcode != FW_OP_FMA || at->operand_count != 4 ||
            at->types[0] != FW_TYPE_F32 || !literal_bits(work, &at->operands[2], &factor) ||
            !literal_bits(work, &at->operands[3], &addend) || addend == 0 ||
            work->function->blocks[work->blocks[i]].loop != FW_NO_INDEX)
            continue;
        if (is_new(&literals, factor))
            fw_lowering_append(work, i, FW_MACHINE_MOV, 1);
    }
}

/* Adds scalar moves to an instruction, once in so many copies of an unrolled loop. */
static void append_scalar(struct lowering *work, uint32_t i, uint16_t moves, uint8_t copies)
{
    fw_lowering_append(work, i, FW_MACHINE_UMOV, moves);
    struct fw_lowered *lowered = &work->result->instructions[i];
    lowered->at[lowered->count - 1].every = copies;
}

/* Of a double's two words an operation takes the upper one as a literal.  One whose lower word is
 * not zero is put together by two scalar moves, in each basic block that computes with it: once in
 * the iterations of an unrolled loop. */
static void move_doubles(struct lowering *work, const struct fw_block *block, uint8_t copies)
{
    struct literals_moved literals = {.count = 0};
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct fw_instruction *at = instruction(work, i);
        if (work->blocks[i] == FW_NO_INDEX || at->types[0] != FW_TYPE_F64 ||
            (at->opcode != FW_OP_ADD && at->opcode != FW_OP_SUB && at->opcode != FW_OP_MUL &&
             at->opcode != FW_OP_FMA))
            continue;
        for (unsigned o = 1; o < at->operand_count; o++) {
            int64_t bits;
            if (literal_bits(work, &at->operands[o], &bits) && (uint32_t)bits &&
                is_new(&literals, bits))
                append_scalar(work, i, 2, copies);
        }
    }
}

/* The integer literal that an operand is or that was moved to its register. */
static bool word_bits(const struct lowering *work, const struct fw_operand *operand, int64_t *bits)
{
    if (operand->kind == FW_OPERAND_REGISTER && operand->value != FW_NO_INDEX) {
        const struct fw_value *value = &work->function->values[operand->value];
        if (value->kind != FW_VALUE_INSTRUCTION)
            return false;
        const struct fw_instruction *at = instruction(work, value->definition);
        if (at->opcode != FW_OP_MOV || at->guard != FW_NO_INDEX || at->operand_count != 2)
            return false;
        operand = &at->operands[1];
    }
    *bits = operand->immediate;
    return operand->kind == FW_OPERAND_INTEGER;
}

/* A dot product of bytes or halves reads its literal weights from a scalar register: they are moved
 * there once in each block, and once in the iterations of an unrolled loop. */
static void move_weights(struct lowering *work, const struct fw_block *block, uint8_t copies)
{
    struct literals_moved literals = {.count = 0};
    int64_t bits;
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct fw_instruction *at = instruction(work, i);
        if (work->blocks[i] == FW_NO_INDEX || at->operand_count != 4 ||
            (at->opcode != FW_OP_DP4A && at->opcode != FW_OP_DP2A) ||
            !work->result->instructions[i].count || !word_bits(work, &at->operands[2], &bits))
            continue;
        if (is_new(&literals, bits))
            append_scalar(work, i, 1, copies);
    }
}

/* The literal that an atomic operation adds stands in no field of it. */
static void move_data(struct lowering *work)
{
    for (uint32_t i = 0; i < work->function->instruction_count; i++) {
        const struct fw_instruction *at = instruction(work, i);
        if (work->blocks[i] == FW_NO_INDEX || at->space == FW_SPACE_SHARED ||
            (at->opcode != FW_OP_ATOM && at->opcode != FW_OP_RED))
            continue;
        const struct fw_operand *data = &at->operands[at->operand_count - 1];
        int64_t bits;
        if (data->kind == FW_OPERAND_INTEGER || literal_bits(work, data, &bits))
            fw_lowering_append(work, i, FW_MACHINE_MOV, 1);
    }
}

static bool is_phi_of(const struct fw_block *header, uint32_t value, uint32_t other)
{
    for (uint32_t p = 0; p < header->phi_count; p++)
        if (header->phis[p].value == value && value != other)
            return true;
    return false;
}

/* What one iteration hands to the next under another name: a = b; b = c.  Where a loop is not
 * unrolled, each is moved. */
static void move_rotations(struct lowering *work)
{
    const struct fw_function *function = work->function;
    for (uint32_t l = 0; l < function->loop_count; l++) {
        const struct fw_loop_info *loop = &function->loops[l];
        const struct fw_block *header = &function->blocks[loop->header];
        if (loop->latch_count != 1 || work->copies[loop->header])
            continue;
        const struct fw_block *latch = &function->blocks[loop->latches[0]];
        unsigned words = 0;
        for (uint32_t p = 0; p < header->phi_count; p++)
            for (uint32_t i = 0; i < header->predecessor_count; i++) {
                const struct fw_phi *phi = &header->phis[p];
                unsigned bits = fw_type_bits(function->registers[phi->reg].type);
                if (header->predecessors[i] != loop->latches[0] || !work->read[phi->value])
                    continue;
                if (is_phi_of(header, fw_lowering_origin(work, phi->inputs[i]), phi->value))
                    words += bits <= 32 ? 1 : bits / 32;
            }
        if (words && latch->end > latch->first)
            fw_lowering_append(work, latch->end - 1, FW_MACHINE_MOV, (uint16_t)words);
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

/* An array's place: put together by the scalar datapath. */
static bool moves_place(const struct fw_instruction *at)
{
    return at->opcode == FW_OP_MOV && at->operand_count == 2 &&
           at->operands[1].kind == FW_OPERAND_SYMBOL;
}

/* What the code holds for the two units, and moves. */
struct load {
    uint32_t products, logic, moves;
};

static struct load load_of(const struct lowering *work)
{
    struct load load = {0};
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
                load.moves += moves_place(instruction(work, i)) ? 0 : lowered->at[c].count;
            else if (pipe == FW_PIPE_FMA || pipe == FW_PIPE_FMA_HEAVY)
                load.products += count;
            else if (pipe == FW_PIPE_ALU)
                load.logic += count;
        }
    }
    load.logic += slow ? SLOW_PATH : 0;
    return load;
}

/* Moves to hand to the multiplier: until both units have as much to do. */
static uint32_t wanted_of(const struct load *load)
{
    if (load->logic + load->moves <= load->products)
        return 0;
    uint32_t excess = (load->logic + load->moves - load->products) / 2;
    return excess < load->moves ? excess : load->moves;
}

/* Evenly spread over the code, `wanted` of `moves`.  A division's are one zero and copies: no more
 * than the zero. */
static void turn(struct lowering *work, uint32_t i, const struct load *load, uint32_t wanted,
                 uint32_t *passed)
{
    struct fw_lowered *lowered = &work->result->instructions[i];
    uint16_t turned = 0;
    for (unsigned c = 0; c < lowered->count; c++) {
        if (lowered->at[c].operation != FW_MACHINE_MOV || lowered->at[c].guarded)
            continue;
        bool division =
            instruction(work, i)->opcode == FW_OP_DIV || instruction(work, i)->opcode == FW_OP_REM;
        uint16_t most = division ? 1 : lowered->at[c].count;
        for (uint32_t n = 0; n < lowered->at[c].count; n++, (*passed)++)
            turned = (uint16_t)(turned +
                                (turned < most && (uint64_t)(*passed + 1) * wanted / load->moves !=
                                                      (uint64_t)*passed * wanted / load->moves));
        if (turned == lowered->at[c].count)
            lowered->at[c].operation = FW_MACHINE_IMAD_MOV;
        else if (turned) {
            lowered->at[c].count = (uint16_t)(lowered->at[c].count - turned);
            fw_lowering_append(work, i, FW_MACHINE_IMAD_MOV, turned);
        }
        return;
    }
}

void fw_lowering_moves(struct lowering *work)
{
    if (work->column < 2)
        return;
    move_factors(work);
    for (uint32_t b = 0; b < work->function->block_count; b++) {
        move_doubles(work, &work->function->blocks[b], work->copies[b]);
        move_weights(work, &work->function->blocks[b], work->copies[b]);
    }
    move_data(work);
    move_rotations(work);
    struct load load = load_of(work);
    uint32_t wanted = wanted_of(&load), passed = 0;
    for (uint32_t i = 0; wanted && i < work->function->instruction_count; i++)
        if (work->blocks[i] != FW_NO_INDEX && !moves_place(instruction(work, i)))
            turn(work, i, &load, wanted, &passed);
}
