/* lowering: what brings constants to registers.
 *
 * ptxas 13.0 for sm_90 reads parameters from the constant bank by operations of their own, LDC for
 * threads and ULDC for the scalar datapath, two of 32 bits that lie in one aligned pair and are
 * read first in one basic block by one operation.  It does so once before loops and in innermost
 * ones, and again for each block of a loop that holds other loops (data/lowering/kernels_90.txt),
 * and outside of loops for each block that reads it and that no other such block dominates. Words
 * of constant memory at fixed places are read in aligned pairs.  Every kernel begins with the stack
 * pointer and a descriptor of global memory. The address of shared memory starts with the block's
 * place in its cluster: S2R, UMOV, ULEA, in each block that names it behind no other. */
#include "lowering_internal.h"

enum { DEPTH = 8, MOST_LOOPS = 16, MOST_BLOCKS = 32 };

static const struct fw_instruction *instruction(const struct lowering *work, uint32_t i)
{
    return &work->function->instructions[i];
}

static bool is_parameter(const struct fw_instruction *at)
{
    return at->opcode == FW_OP_LD && at->space == FW_SPACE_PARAM && at->operand_count > 1 &&
           at->operands[1].kind == FW_OPERAND_ADDRESS;
}

struct parameter {
    struct lowering *work;
    uint32_t loops[MOST_LOOPS]; /* that hold others and read it */
    uint32_t loop_count;
    uint32_t blocks[MOST_BLOCKS]; /* outside of loops that read it */
    uint32_t block_count;
    uint32_t first; /* instruction that reads it first */
    bool scalar;
    bool *outer;
};

static void note_block(struct parameter *p, uint32_t block)
{
    for (uint32_t b = 0; b < p->block_count; b++)
        if (p->blocks[b] == block)
            return;
    if (p->block_count < MOST_BLOCKS)
        p->blocks[p->block_count++] = block;
}

static bool dominates(const struct fw_function *function, uint32_t above, uint32_t block)
{
    while (block != FW_NO_INDEX && block != above)
        block = function->blocks[block].dominator;
    return block == above;
}

/* Blocks that read a parameter and that no other such block dominates, as the sides of branches:
 * each reads it anew. */
static void load_again(const struct parameter *p, uint32_t home)
{
    const struct fw_function *function = p->work->function;
    for (uint32_t b = 0; b < p->block_count; b++) {
        bool there = p->blocks[b] == home || dominates(function, home, p->blocks[b]);
        for (uint32_t a = 0; a < p->block_count && !there; a++)
            there = a != b && dominates(function, p->blocks[a], p->blocks[b]);
        if (!there)
            fw_lowering_append(p->work, function->blocks[p->blocks[b]].first,
                               p->scalar ? FW_MACHINE_ULDC : FW_MACHINE_LDC, 1);
    }
}

/* What reads a value, through what issues nothing. */
static void visit(struct parameter *p, uint32_t value, unsigned depth)
{
    const struct lowering *work = p->work;
    for (uint32_t u = 0; u < fw_lowering_use_count(work, value); u++) {
        uint32_t user = fw_lowering_use(work, value, u);
        if (user == FW_NO_INDEX || work->blocks[user] == FW_NO_INDEX)
            continue;
        const struct fw_lowered *lowered = &work->result->instructions[user];
        uint32_t result = fw_lowering_value(work, user);
        if (lowered->count == 0 && result != FW_NO_INDEX && depth < DEPTH) {
            visit(p, result, depth + 1);
            continue;
        }
        if (p->first == FW_NO_INDEX || user < p->first)
            p->first = user;
        uint32_t loop = work->function->blocks[work->blocks[user]].loop;
        if (loop == FW_NO_INDEX)
            note_block(p, work->blocks[user]);
        bool seen = loop == FW_NO_INDEX || !p->outer[loop];
        for (uint32_t l = 0; l < p->loop_count && !seen; l++)
            seen = p->loops[l] == loop;
        if (seen || p->loop_count == MOST_LOOPS)
            continue;
        p->loops[p->loop_count++] = loop;
        fw_lowering_append(p->work, user, p->scalar ? FW_MACHINE_ULDC : FW_MACHINE_LDC, 1);
    }
}

/* Loops that hold others. */
static bool *find_outer(const struct lowering *work)
{
    bool *outer = FW_ARRAY(work->arena, bool, work->function->loop_count + 1);
    for (uint32_t l = 0; l < work->function->loop_count; l++)
        if (work->function->loops[l].parent != FW_NO_INDEX)
            outer[work->function->loops[l].parent] = true;
    return outer;
}

/* The instruction that loads a parameter which `block` reads first: outside of loops one of that
 * block, which an early exit may leave out. */
static uint32_t place_of(const struct lowering *work, uint32_t parameter, uint32_t block)
{
    const struct fw_block *at = &work->function->blocks[block];
    return work->blocks[parameter] == block || at->loop != FW_NO_INDEX ? parameter : at->first;
}

static void load_parameters(struct lowering *work)
{
    const struct fw_function *function = work->function;
    bool *outer = find_outer(work);
    uint32_t *pairs = FW_ARRAY(work->arena, uint32_t, function->instruction_count + 1);
    uint32_t *homes = FW_ARRAY(work->arena, uint32_t, function->instruction_count + 1);
    uint32_t pair_count = 0;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct fw_instruction *at = instruction(work, i);
        uint32_t value = fw_lowering_value(work, i);
        if (!is_parameter(at) || work->blocks[i] == FW_NO_INDEX || value == FW_NO_INDEX ||
            work->result->instructions[i].count)
            continue;
        struct parameter p = {.work = work, .outer = outer, .first = FW_NO_INDEX};
        p.scalar = fw_type_bits((enum fw_type)at->types[0]) == 32 && work->result->scalar &&
                   work->result->scalar[value];
        visit(&p, value, 0);
        if (p.first == FW_NO_INDEX)
            continue;
        bool joined = false;
        uint32_t block = work->blocks[p.first];
        if (fw_type_bits((enum fw_type)at->types[0]) == 32 && at->operands[1].variable) {
            uint32_t pair =
                (at->operands[1].variable->offset + (uint32_t)at->operands[1].immediate) / 8;
            for (uint32_t k = 0; k < pair_count && !joined; k++)
                joined = pairs[k] == pair && homes[k] == block;
            pairs[pair_count] = pair;
            homes[pair_count++] = block;
        }
        if (function->blocks[block].loop == FW_NO_INDEX)
            load_again(&p, block);
        if (!joined)
            fw_lowering_append(work, place_of(work, i, block),
                               p.scalar ? FW_MACHINE_ULDC : FW_MACHINE_LDC, 1);
    }
}

/* Words of constant memory at fixed places: one operation for an aligned pair, in each block. */
static void load_words(struct lowering *work)
{
    const struct fw_function *function = work->function;
    for (uint32_t b = 0; b < function->block_count; b++) {
        const struct fw_variable *variable = NULL;
        int64_t pair = -1;
        for (uint32_t i = function->blocks[b].first; i < function->blocks[b].end; i++) {
            const struct fw_instruction *at = instruction(work, i);
            if (at->opcode != FW_OP_LD || at->space != FW_SPACE_CONST || at->operand_count < 2 ||
                at->operands[1].kind != FW_OPERAND_ADDRESS || !at->operands[1].variable ||
                work->result->instructions[i].count)
                continue;
            if (at->operands[1].variable == variable && at->operands[1].immediate / 8 == pair)
                continue;
            variable = at->operands[1].variable;
            pair = at->operands[1].immediate / 8;
            fw_lowering_append(work, i, FW_MACHINE_ULDC, 1);
        }
    }
}

/* The first instruction of a block that names shared memory; FW_NO_INDEX: there is none. */
static uint32_t names_shared(const struct lowering *work, uint32_t block)
{
    const struct fw_block *at = &work->function->blocks[block];
    for (uint32_t i = at->first; i < at->end; i++)
        for (unsigned o = 0; o < instruction(work, i)->operand_count; o++) {
            const struct fw_variable *variable = instruction(work, i)->operands[o].variable;
            if (variable && variable->space == FW_SPACE_SHARED)
                return i;
        }
    return FW_NO_INDEX;
}

/* Where ptxas finds the place of shared memory: once for a block that names it and all blocks that
 * it dominates, and anew where no dominator names it.  Source: reads of SR_CgaCtaId in the code of
 * 104 kernels that name shared memory (ptxas 13.0, sm_90): as many in 86 of them, 269 for 231 in
 * all.  What a loop names is there before it. */
static void place_shared(struct lowering *work)
{
    const struct fw_function *function = work->function;
    bool *named = FW_ARRAY(work->arena, bool, function->block_count + 1);
    for (uint32_t o = 0; o < function->order_count; o++) {
        const uint32_t b = function->order[o];
        const struct fw_block *block = &function->blocks[b];
        const uint32_t first = names_shared(work, b);
        const bool before = block->dominator != FW_NO_INDEX && named[block->dominator];
        named[b] = before || first != FW_NO_INDEX;
        if (before || first == FW_NO_INDEX)
            continue;
        const uint32_t entry = function->blocks[function->order[0]].first;
        const bool moves = o > 0 && instruction(work, first)->opcode == FW_OP_MOV &&
                           work->result->instructions[first].count > 0;
        const uint32_t at = block->loop == FW_NO_INDEX ? first : entry;
        fw_lowering_append(work, at, FW_MACHINE_S2R, 1);
        if (!moves)
            fw_lowering_append(work, at, FW_MACHINE_UMOV, 1);
        fw_lowering_append(work, at, FW_MACHINE_ULEA, 1);
    }
}

static bool is_global(const struct fw_instruction *at)
{
    return (at->opcode == FW_OP_LD || at->opcode == FW_OP_ST || at->opcode == FW_OP_ATOM ||
            at->opcode == FW_OP_RED) &&
           (at->space == FW_SPACE_GLOBAL || at->space == FW_SPACE_GENERIC);
}

/* The stack pointer before the first instruction, and the descriptor in the first block that
 * accesses global memory, unless that is in a loop. */
static void begin(struct lowering *work)
{
    const struct fw_function *function = work->function;
    const struct fw_block *entry = &function->blocks[function->order[0]];
    if (entry->end == entry->first)
        return;
    fw_lowering_append(work, entry->first, work->column < 2 ? FW_MACHINE_MOV : FW_MACHINE_LDC, 1);
    for (uint32_t i = 0; i < function->instruction_count && work->column > 0; i++) {
        if (work->blocks[i] == FW_NO_INDEX || !is_global(instruction(work, i)))
            continue;
        const struct fw_block *block = &function->blocks[work->blocks[i]];
        fw_lowering_append(work, block->loop == FW_NO_INDEX ? block->first : entry->first,
                           FW_MACHINE_ULDC, 1);
        return;
    }
}

void fw_lowering_constants(struct lowering *work)
{
    if (work->function->order_count == 0)
        return;
    if (work->column >= 2) {
        load_parameters(work); /* before the entry's first instruction, one of them, has more */
        load_words(work);
        place_shared(work);
    }
    begin(work);
}
