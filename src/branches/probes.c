/* Hash tables with open addressing: loops that go from slot to slot, around the table, until what
 * they load is a certain key or says that the slot is free.
 *
 * By linear probing a key that is there is found after (1 + 1 / (1 - a)) / 2 slots in the mean,
 * where the share a of the slots is taken (Knuth, The Art of Computer Programming 3, 6.4): 1.5 of a
 * table that is half full, which is as full as they are kept.  A slot is a masked number, a
 * remainder or one that begins again at 0, made from the one before by a sum.  Needs SSA and
 * loops. */
#include "branches_internal.h"

#include <math.h>

enum { MOST_TESTS = 64, MOST_FOLLOWED = 200, DEEPEST = 12 };

#define SLOTS_LOOKED_AT 1.5

static bool in_loop(const struct fw_function *function, uint32_t block, uint32_t loop)
{
    uint32_t l = function->blocks[block].loop;
    while (l != FW_NO_INDEX && l != loop)
        l = function->loops[l].parent;
    return l == loop;
}

struct probing {
    const struct fw_branches *branches;
    uint32_t loop, count, values[MOST_FOLLOWED];
    bool around; /* a slot that goes around the table is among them */
};

static void follow(struct probing *probing, uint32_t value)
{
    if (value == FW_NO_INDEX || probing->count == MOST_FOLLOWED ||
        !in_loop(probing->branches->function, probing->branches->function->values[value].block,
                 probing->loop))
        return;
    for (uint32_t v = 0; v < probing->count; v++)
        if (probing->values[v] == value)
            return;
    probing->values[probing->count++] = value;
}

static void follow_operand(void *user, struct fw_operand *operand)
{
    follow(user, operand->value);
}

/* Whether an operand is a sum that the loop makes, through conversions. */
static bool is_sum(const struct probing *probing, const struct fw_operand *operand)
{
    const struct fw_function *function = probing->branches->function;
    uint32_t value = operand->kind == FW_OPERAND_REGISTER ? operand->value : FW_NO_INDEX;
    for (unsigned step = 0; step < DEEPEST && value != FW_NO_INDEX; step++) {
        value = fw_ordinary_source(function, value);
        const struct fw_instruction *at = branch_definition(probing->branches, value);
        if (!in_loop(function, function->values[value].block, probing->loop))
            return false;
        if (function->values[value].kind == FW_VALUE_PHI) { /* the last slot, and one more */
            const struct fw_block *block = &function->blocks[function->values[value].block];
            const struct fw_phi *phi = &block->phis[function->values[value].definition];
            uint32_t next = FW_NO_INDEX;
            for (uint32_t p = 0; p < block->predecessor_count; p++)
                if (in_loop(function, block->predecessors[p], probing->loop))
                    next = phi->inputs[p];
            value = next;
            continue;
        }
        if (!at || at->guard != FW_NO_INDEX || fw_type_class(at->types[0]) == 'f')
            return false;
        if (at->opcode == FW_OP_ADD)
            return true;
        if (at->opcode != FW_OP_CVT || at->operands[1].kind != FW_OPERAND_REGISTER)
            return false;
        value = at->operands[1].value;
    }
    return false;
}

/* Whether an instruction brings a sum around: by a mask or a divisor from outside of the loop, or
 * by a select of 0. */
static bool goes_around(const struct probing *probing, const struct fw_instruction *at)
{
    const struct fw_function *function = probing->branches->function;
    const bool selects = at->opcode == FW_OP_SELP;
    if ((at->opcode != FW_OP_AND && at->opcode != FW_OP_REM && !selects) ||
        at->guard != FW_NO_INDEX || at->operand_count < 3)
        return false;
    for (uint32_t o = 1; o < 3; o++) {
        const struct fw_operand *end = &at->operands[3 - o];
        const bool outside =
            end->kind == FW_OPERAND_REGISTER && end->value != FW_NO_INDEX
                ? !in_loop(function, function->values[end->value].block, probing->loop)
                : end->kind == FW_OPERAND_INTEGER &&
                      (selects ? end->immediate == 0 : end->immediate > 1);
        if (outside && is_sum(probing, &at->operands[o]))
            return true;
    }
    return false;
}

/* Whether a value is loaded, or swapped, at a slot. */
static bool is_of_slot(const struct fw_branches *branches, uint32_t value, uint32_t loop)
{
    const struct fw_function *function = branches->function;
    const struct fw_instruction *at = branch_definition(branches, value);
    struct probing probing = {.branches = branches, .loop = loop};
    const bool loads = at && at->opcode == FW_OP_LD && !at->slot &&
                       (at->space == FW_SPACE_GLOBAL || at->space == FW_SPACE_GENERIC ||
                        at->space == FW_SPACE_SHARED);
    const bool swaps = at && at->opcode == FW_OP_ATOM && at->mode == FW_MODE_CAS;
    if (!(loads || swaps) || !in_loop(function, function->values[value].block, loop))
        return false;
    follow(&probing, at->operands[at->destinations].value);
    for (uint32_t v = 0; v < probing.count; v++) {
        const struct fw_value *origin = &function->values[probing.values[v]];
        const struct fw_block *block = &function->blocks[origin->block];
        const struct fw_instruction *made = branch_definition(branches, probing.values[v]);
        if (made && goes_around(&probing, made))
            return true;
        if (made && made->opcode != FW_OP_LD && made->opcode != FW_OP_ATOM)
            fw_instruction_uses(made, follow_operand, &probing);
        for (uint32_t p = 0; origin->kind == FW_VALUE_PHI && p < block->predecessor_count; p++)
            follow(&probing, block->phis[origin->definition].inputs[p]);
    }
    return false;
}

/* Whether a predicate asks whether what a slot has is a certain number; joins choose what it has of
 * a load and a swap. */
static bool asks_slot(const struct fw_branches *branches, uint32_t predicate, uint32_t loop,
                      unsigned depth)
{
    const struct fw_function *function = branches->function;
    const struct fw_instruction *at = branch_definition(branches, predicate);
    if (!at || at->guard != FW_NO_INDEX || depth == 0 || at->operand_count < 2)
        return false;
    const bool joins = at->opcode == FW_OP_OR || at->opcode == FW_OP_AND ||
                       at->opcode == FW_OP_NOT || at->opcode == FW_OP_MOV;
    for (uint32_t o = 1; joins && o < at->operand_count; o++)
        if (at->operands[o].kind == FW_OPERAND_REGISTER &&
            asks_slot(branches, at->operands[o].value, loop, depth - 1))
            return true;
    if (at->opcode != FW_OP_SETP || (at->compare != FW_CMP_EQ && at->compare != FW_CMP_NE))
        return false;
    for (uint32_t o = 1; o < 3 && o < at->operand_count; o++) {
        if (at->operands[o].kind != FW_OPERAND_REGISTER)
            continue;
        const uint32_t value = fw_ordinary_source(function, at->operands[o].value);
        const struct fw_value *origin = value == FW_NO_INDEX ? NULL : &function->values[value];
        if (!origin)
            continue;
        if (is_of_slot(branches, value, loop))
            return true;
        const struct fw_block *block = &function->blocks[origin->block];
        for (uint32_t p = 0; origin->kind == FW_VALUE_PHI && p < block->predecessor_count; p++) {
            const uint32_t input = block->phis[origin->definition].inputs[p];
            if (input != FW_NO_INDEX &&
                is_of_slot(branches, fw_ordinary_source(function, input), loop))
                return true;
        }
    }
    return false;
}

double fw_branches_probes(struct fw_branches *branches, uint32_t instruction, uint32_t loop)
{
    const struct fw_function *function = branches->function;
    const struct fw_instruction *at = &function->instructions[instruction];
    const struct fw_block *block = &function->blocks[branches->block_of[instruction]];
    if (at->opcode != FW_OP_BRA || at->guard == FW_NO_INDEX || instruction + 1 != block->end ||
        block->successor_count != 2 ||
        in_loop(function, block->successors[0], loop) ==
            in_loop(function, block->successors[1], loop))
        return 0;
    return asks_slot(branches, at->guard_value, loop, DEEPEST) ? 1 / SLOTS_LOOKED_AT : 0;
}

double branch_probed_trips(struct fw_branches *branches, uint32_t loop)
{
    const struct fw_function *function = branches->function;
    const struct fw_loop_info *info = &function->loops[loop];
    double goes_on = 1;
    uint32_t tests = 0;
    for (uint32_t b = 0; b < info->block_count && tests < MOST_TESTS; b++) {
        const struct fw_block *block = &function->blocks[info->blocks[b]];
        if (block->loop != loop || block->end == block->first)
            continue;
        const double leaves = fw_branches_probes(branches, block->end - 1, loop);
        goes_on *= 1 - leaves;
        tests += leaves > 0;
    }
    return tests ? 1 / (1 - goes_on) : 0;
}
