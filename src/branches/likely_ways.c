/* What the ways of a branch say of it: failures, the function's end, choices. */
#include "branches_internal.h"
#include "passes.h"

#include <string.h>

/* Wu and Larus 1994, table 1. */
#define RETURN_HOLDS      0.72
#define LOOP_HEADER_HOLDS 0.75

/* ---- failures ---- */

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* Functions of the device runtime that report what went wrong: assert, abort, printf. */
static bool reports(const struct fw_instruction *at)
{
    static const char *const names[] = {"assertfail", "assert_fail", "abort", "vprintf"};
    if (at->opcode != FW_OP_CALL || at->operand_count < 2 || at->guard != FW_NO_INDEX)
        return false;
    if (at->callee && at->callee->no_return)
        return true;
    for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
        if (at->operands[1].name && ends_with(at->operands[1].name, names[n]))
            return true;
    return false;
}

static bool contains_failure(const struct fw_function *function, const struct fw_block *block)
{
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct fw_instruction *at = &function->instructions[i];
        if ((at->opcode == FW_OP_TRAP && at->guard == FW_NO_INDEX) || reports(at))
            return true;
    }
    return false;
}

/* Blocks from which every way comes to a failure, last ones first; loops end. */
static void find_failures(struct fw_branches *branches)
{
    const struct fw_function *function = branches->function;
    branches->fails = FW_ARRAY(branches->arena, uint8_t, function->block_count + 1);
    for (uint32_t o = function->order_count; o-- > 0;) {
        uint32_t index = function->order[o];
        const struct fw_block *block = &function->blocks[index];
        bool all = block->successor_count > 0;
        for (uint32_t s = 0; s < block->successor_count && all; s++)
            all = branches->fails[block->successors[s]];
        branches->fails[index] = all || contains_failure(function, block);
    }
}

/* ---- the end ---- */

enum ending { GOES_ON, ENDS, ENDS_AFTER_WORK, ENDS_AFTER_LOADS };

static bool loads(const struct fw_function *function, const struct fw_block *block)
{
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct fw_instruction *at = &function->instructions[i];
        if (at->opcode == FW_OP_LD && at->space != FW_SPACE_PARAM && at->space != FW_SPACE_LOCAL)
            return true;
    }
    return false;
}

/* Whether there is one way from a block, and it is short and ends the function. */
static enum ending ending_of(const struct fw_function *function, uint32_t index)
{
    enum { SHORT = 4 };
    enum ending ending = ENDS;
    for (unsigned step = 0; step < SHORT; step++) {
        const struct fw_block *block = &function->blocks[index];
        const struct fw_instruction *last =
            block->end > block->first ? &function->instructions[block->end - 1] : NULL;
        bool ends = last && (last->opcode == FW_OP_RET || last->opcode == FW_OP_EXIT);
        uint32_t work = block->end - block->first;
        if (last && fw_instruction_is_terminator(last))
            work--;
        if (ending != ENDS_AFTER_LOADS && work)
            ending = loads(function, block) ? ENDS_AFTER_LOADS : ENDS_AFTER_WORK;
        if (block->successor_count == 0)
            return ends || block->end == block->first ? ending : GOES_ON;
        if (block->successor_count > 1 || (ends && last->guard != FW_NO_INDEX))
            return GOES_ON;
        index = block->successors[0];
    }
    return GOES_ON;
}

/* ---- loops ---- */

/* Whether a way from `from` leads into a loop that it is not in, with nothing decided before. */
static bool enters_loop(const struct fw_function *function, uint32_t from, uint32_t index)
{
    enum { SHORT = 3 };
    for (unsigned step = 0; step < SHORT; step++) {
        const struct fw_block *block = &function->blocks[index];
        uint32_t around = function->blocks[from].loop;
        if (block->loop != FW_NO_INDEX && function->loops[block->loop].header == index) {
            while (around != FW_NO_INDEX && around != block->loop)
                around = function->loops[around].parent;
            return around == FW_NO_INDEX;
        }
        if (block->successor_count != 1)
            return false;
        index = block->successors[0];
    }
    return false;
}

struct branch_guess branch_by_ways(struct fw_branches *branches, uint32_t index)
{
    static const char *const failure = "it leads to a failure",
                             *const loop = "one way leads into a loop",
                             *const end = "it leads to the end of the kernel";
    const struct fw_function *function = branches->function;
    const struct fw_block *block = &function->blocks[index];
    uint32_t taken = block->successors[0], fallen = block->successors[1];
    if (!branches->fails)
        find_failures(branches);
    if (branches->fails[taken] != branches->fails[fallen])
        return (struct branch_guess){branches->fails[taken] ? 0 : 1, failure};
    bool into = enters_loop(function, index, taken);
    if (into != enters_loop(function, index, fallen))
        return (struct branch_guess){into ? LOOP_HEADER_HOLDS : 1 - LOOP_HEADER_HOLDS, loop};
    enum ending of_taken = ending_of(function, taken), of_fallen = ending_of(function, fallen);
    /* Of two short ways to the end, one that does nothing against one that loads what it works on
     * is a guard; against one that just stores what is there, both have the return in them. */
    bool leaves = of_taken == ENDS && of_fallen == ENDS_AFTER_LOADS,
         stays = of_fallen == ENDS && of_taken == ENDS_AFTER_LOADS;
    if ((of_taken == GOES_ON) != (of_fallen == GOES_ON)) {
        leaves = of_taken != GOES_ON;
        stays = !leaves;
    }
    if (!leaves && !stays)
        return (struct branch_guess){0.5, NULL};
    return (struct branch_guess){leaves ? 1 - RETURN_HOLDS : RETURN_HOLDS, end};
}

/* ---- choices ---- */

/* The value that the branch at the end of a block tests for equality with a constant, and the block
 * that follows where it is another; FW_NO_INDEX: it does something else. */
static uint32_t tested_value(struct fw_branches *branches, uint32_t index, uint32_t *otherwise)
{
    const struct fw_function *function = branches->function;
    const struct fw_block *block = &function->blocks[index];
    if (block->end == block->first || block->successor_count != 2)
        return FW_NO_INDEX;
    const struct fw_instruction *last = &function->instructions[block->end - 1];
    const struct fw_instruction *test = branch_definition(branches, last->guard_value);
    if (last->opcode != FW_OP_BRA || last->guard == FW_NO_INDEX || !test ||
        test->opcode != FW_OP_SETP || test->mode != FW_MODE_NONE ||
        (test->compare != FW_CMP_EQ && test->compare != FW_CMP_NE) || test->operand_count < 3 ||
        fw_type_class(test->types[0]) == 'f' || test->operands[1].kind != FW_OPERAND_REGISTER ||
        test->operands[2].kind != FW_OPERAND_INTEGER)
        return FW_NO_INDEX;
    bool equal_taken = (test->compare == FW_CMP_EQ) != last->guard_negated;
    *otherwise = block->successors[equal_taken ? 1 : 0];
    return fw_ordinary_source(function, test->operands[1].value);
}

/* A block of nothing but a branch to another. */
static bool just_goes_on(const struct fw_block *block)
{
    return block->successor_count == 1 && block->end == block->first + 1;
}

uint32_t branch_choices(struct fw_branches *branches, uint32_t index, bool *follows)
{
    enum { MOST = 256 };
    const struct fw_function *function = branches->function;
    uint32_t otherwise, count = 0, before;
    uint32_t value = tested_value(branches, index, &otherwise);
    *follows = false;
    if (value == FW_NO_INDEX)
        return 0;
    const struct fw_block *block = &function->blocks[index];
    for (uint32_t p = 0; p < block->predecessor_count; p++) {
        uint32_t from = block->predecessors[p], to = index;
        const struct fw_block *between = &function->blocks[from];
        if (just_goes_on(between) && between->predecessor_count == 1) {
            to = from;
            from = between->predecessors[0];
        }
        *follows |= tested_value(branches, from, &before) == value && before == to;
    }
    for (uint32_t at = index; count < MOST; at = otherwise) {
        uint32_t next = FW_NO_INDEX;
        if (tested_value(branches, at, &next) != value)
            break;
        count++;
        otherwise = next;
        if (just_goes_on(&function->blocks[otherwise]))
            otherwise = function->blocks[otherwise].successors[0];
    }
    return count;
}
