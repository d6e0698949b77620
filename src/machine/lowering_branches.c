/* lowering: what becomes of branches.
 *
 * ptxas 13.0 executes a short block that a branch goes around under a predicate, and the branch
 * goes: a block of at most eight operations where the condition may differ between the threads of a
 * block, of six where it is the block's, or of eighteen where one of them loads from global memory.
 * Of two ways, the one that the branch does not take has its branch to the meeting place among
 * these operations; where the text has that branch does not matter (ptxas 13.0, in a loop and
 * without one: two ways of 2 to 11 products by conditions on the thread, the block, an argument,
 * the iteration, a sum and a load; one way of 0 to 17 with a load, a store or a special function).
 * A block with an atomic operation stays behind its branch.  ptxas counts before it takes minima of
 * f64 apart. It counts each argument that a block reads as an operation, and so the literals of f32
 * that an operation has no room for, but not those that both ways of two branches or more of a loop
 * need: these are ahead of the branches (ptxas 13.0, one to four branches one behind the other, two
 * ways of 3 to 14 operations).  Where other branches part the threads of a warp, they meet again at
 * a barrier of their own: BSSY before the first of such branches, BSYNC where they meet, one pair
 * for all branches that meet there.  Both stand at the meeting place here. A place where nothing
 * but the end of the kernel follows has none: its branch is an EXIT under a predicate. */
#include "lowering_internal.h"
#include "passes.h"

#include <string.h>

enum { MOST_LITERALS = 8, PREDICATED_GLOBAL = FW_LOWERING_PREDICATED_GLOBAL };
enum { PREDICATED_BY_THREAD = 8, PREDICATED_BY_BLOCK = 6 };

static const struct fw_instruction *last_of(const struct lowering *work,
                                            const struct fw_block *block)
{
    return block->end > block->first ? &work->function->instructions[block->end - 1] : NULL;
}

/* A block of nothing but the end of the kernel. */
static bool only_ends(const struct lowering *work, uint32_t index)
{
    const struct fw_block *block = &work->function->blocks[index];
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct fw_instruction *at = &work->function->instructions[i];
        if ((at->opcode != FW_OP_RET && at->opcode != FW_OP_EXIT) || at->guard != FW_NO_INDEX)
            return false;
    }
    return block->successor_count == 0;
}

/* A block of nothing but a branch without a guard, to which one other block alone comes. */
static bool only_goes_on(const struct lowering *work, uint32_t index)
{
    const struct fw_block *block = &work->function->blocks[index];
    const struct fw_instruction *at = last_of(work, block);
    return at && block->end - block->first == 1 && at->opcode == FW_OP_BRA &&
           at->guard == FW_NO_INDEX && block->predecessor_count == 1 && block->successor_count == 1;
}

/* Where a way leads that begins at a block: behind branches that stand alone. */
static uint32_t way_from(const struct lowering *work, uint32_t index)
{
    return only_goes_on(work, index) ? work->function->blocks[index].successors[0] : index;
}

/* Literals of f32 that a block brings to registers: an operation has room for one. */
struct literals {
    int64_t of[MOST_LITERALS];
    uint32_t count;
};

/* Whether an operation needs one more of them. */
static bool needs_literal(struct literals *literals, const struct fw_instruction *at)
{
    int64_t last = 0;
    uint32_t count = 0;
    for (uint32_t o = 1; o < at->operand_count && at->types[0] == FW_TYPE_F32; o++) {
        if (at->operands[o].kind != FW_OPERAND_FLOAT)
            continue;
        last = at->operands[o].immediate;
        count++;
        for (uint32_t l = 0; l < literals->count; l++)
            if (literals->of[l] == last)
                return false;
    }
    if (count < 2 || literals->count == MOST_LITERALS)
        return false;
    literals->of[literals->count++] = last;
    return true;
}

static bool has_literal(const struct literals *literals, int64_t literal)
{
    for (uint32_t l = 0; l < literals->count; l++)
        if (literals->of[l] == literal)
            return true;
    return false;
}

/* An operation of f32 with more literals than it has room for. */
static bool is_crowded(const struct fw_instruction *at)
{
    uint32_t count = 0;
    for (uint32_t o = 1; o < at->operand_count && at->types[0] == FW_TYPE_F32; o++)
        count += at->operands[o].kind == FW_OPERAND_FLOAT;
    return count > 1;
}

/* Literals of such operations of a block. */
static struct literals crowded_literals(const struct lowering *work, uint32_t index)
{
    const struct fw_block *block = &work->function->blocks[index];
    struct literals found = {.count = 0};
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct fw_instruction *at = &work->function->instructions[i];
        for (uint32_t o = 1; o < at->operand_count && is_crowded(at); o++)
            if (at->operands[o].kind == FW_OPERAND_FLOAT && found.count < MOST_LITERALS &&
                !has_literal(&found, at->operands[o].immediate))
                found.of[found.count++] = at->operands[o].immediate;
    }
    return found;
}

/* Operations of a block with more literals than they have room for that this one serves and none
 * of the others do; `all`: operations of f32 that have it, whatever room there is. */
static uint32_t served(const struct lowering *work, uint32_t index, int64_t literal,
                       const struct literals *others, uint32_t *all)
{
    const struct fw_block *block = &work->function->blocks[index];
    uint32_t count = 0;
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct fw_instruction *at = &work->function->instructions[i];
        bool has = false, covered = false;
        for (uint32_t o = 1; o < at->operand_count && at->types[0] == FW_TYPE_F32; o++) {
            if (at->operands[o].kind != FW_OPERAND_FLOAT)
                continue;
            has |= at->operands[o].immediate == literal;
            covered |= has_literal(others, at->operands[o].immediate);
        }
        *all += has;
        count += has && !covered && is_crowded(at);
    }
    return count;
}

/* Literals that both ways of a branch have in such operations, and those of another branch of the
 * loop. */
static struct literals common_literals(const struct lowering *work, uint32_t one, uint32_t other)
{
    enum { WAYS_OF_TWO = 4 };
    const struct fw_function *function = work->function;
    const struct literals a = crowded_literals(work, one), b = crowded_literals(work, other);
    struct literals common = {.count = 0};
    for (uint32_t l = 0; l < a.count; l++) {
        uint32_t blocks = 0;
        for (uint32_t i = 0;
             i < function->block_count && blocks < WAYS_OF_TWO && has_literal(&b, a.of[l]); i++) {
            if (function->blocks[i].loop != function->blocks[one].loop)
                continue;
            const struct literals c = crowded_literals(work, i);
            blocks += has_literal(&c, a.of[l]);
        }
        if (blocks == WAYS_OF_TWO)
            common.of[common.count++] = a.of[l];
    }
    return common;
}

/* Of these, what stands ahead of the branches: an operation needs one of its literals in a
 * register, so that the literal which serves most of them comes first, of several the one that most
 * operations have, and the next is for what is left on both ways. */
static struct literals shared_literals(const struct lowering *work, uint32_t one, uint32_t other)
{
    const struct literals common = common_literals(work, one, other);
    struct literals shared = {.count = 0};
    for (;;) {
        uint32_t best = 0, best_all = 0;
        int64_t literal = 0;
        for (uint32_t l = 0; l < common.count; l++) {
            uint32_t all = 0;
            uint32_t here = served(work, one, common.of[l], &shared, &all);
            uint32_t there = served(work, other, common.of[l], &shared, &all);
            if (!here || !there ||
                (here + there < best || (here + there == best && all <= best_all)))
                continue;
            best = here + there;
            best_all = all;
            literal = common.of[l];
        }
        if (!best)
            return shared;
        shared.of[shared.count++] = literal;
    }
}

/* Operations that an instruction counts as, but for moves of literals: ptxas takes minima of f64
 * apart later. */
static uint32_t operations_of(const struct fw_instruction *at, const struct fw_lowered *lowered)
{
    uint32_t count = 0;
    if ((at->opcode == FW_OP_MIN || at->opcode == FW_OP_MAX) && at->types[0] == FW_TYPE_F64)
        return 1;
    for (unsigned c = 0; c < lowered->count; c++)
        if (!is_crowded(at) || lowered->at[c].operation != FW_MACHINE_MOV)
            count += lowered->at[c].count;
    return count;
}

/* Arguments that a block's operations need in registers: ptxas brings each to its block. */
static uint32_t arguments_of(const struct lowering *work, uint32_t index)
{
    enum { MOST = PREDICATED_BY_THREAD };
    const struct fw_function *function = work->function;
    const struct fw_block *block = &function->blocks[index];
    uint32_t found[MOST], count = 0;
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct fw_instruction *at = &function->instructions[i];
        for (uint32_t o = 1; o < at->operand_count && count < MOST; o++) {
            if (at->operands[o].kind != FW_OPERAND_REGISTER || at->operands[o].value == FW_NO_INDEX)
                continue;
            const uint32_t of = fw_lowering_origin(work, at->operands[o].value);
            const struct fw_value *value = &function->values[of];
            if (value->kind != FW_VALUE_INSTRUCTION ||
                function->instructions[value->definition].opcode != FW_OP_LD ||
                function->instructions[value->definition].space != FW_SPACE_PARAM)
                continue;
            uint32_t same = 0;
            while (same < count && found[same] != of)
                same++;
            found[same] = of;
            count += same == count;
        }
    }
    return count;
}

/* Whether the branch at a block's end may part the threads of a block, as far as ptxas knows. */
static bool is_by_thread(const struct lowering *work, uint32_t index)
{
    const struct fw_instruction *last = last_of(work, &work->function->blocks[index]);
    return !work->level || work->level[last->guard_value] > FW_UNIFORM_BLOCK;
}

/* A block that one branch alone comes to, that goes on to `join`, and is short; some literals are
 * there before.  `branches`: operations of branches that it needs by itself. */
static bool is_predicated(const struct lowering *work, uint32_t index, uint32_t from, uint32_t join,
                          struct literals literals, uint32_t branches)
{
    const struct fw_block *block = &work->function->blocks[index];
    uint32_t count = branches + arguments_of(work, index);
    const uint32_t most =
        is_by_thread(work, from) ? (uint32_t)PREDICATED_BY_THREAD : (uint32_t)PREDICATED_BY_BLOCK;
    bool global = false;
    if (block->predecessor_count != 1 || block->successor_count != 1 ||
        block->successors[0] != join || block->loop != work->function->blocks[from].loop)
        return false;
    uint32_t before = block->predecessors[0];
    if (before != from &&
        (!only_goes_on(work, before) || work->function->blocks[before].predecessors[0] != from))
        return false;
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct fw_instruction *at = &work->function->instructions[i];
        const struct fw_lowered *lowered = &work->result->instructions[i];
        if (at->opcode == FW_OP_CALL || at->opcode == FW_OP_RET || at->opcode == FW_OP_EXIT ||
            at->opcode == FW_OP_TRAP || at->opcode == FW_OP_BRX || at->opcode == FW_OP_ATOM ||
            at->opcode == FW_OP_RED)
            return false;
        if (at->opcode == FW_OP_BRA)
            continue;
        count += needs_literal(&literals, at) + operations_of(at, lowered);
        for (unsigned c = 0; c < lowered->count; c++) {
            enum fw_machine operation = (enum fw_machine)lowered->at[c].operation;
            if (operation == FW_MACHINE_BRA || operation == FW_MACHINE_CALL)
                return false;
            global |= strncmp(fw_machine_text(operation), "LDG", 3) == 0;
        }
    }
    return count <= (global ? (uint32_t)PREDICATED_GLOBAL : most);
}

static void drop_branch(struct lowering *work, uint32_t index)
{
    const struct fw_instruction *last = last_of(work, &work->function->blocks[index]);
    if (last && last->opcode == FW_OP_BRA)
        fw_lowering_list(&work->result->instructions[last - work->function->instructions],
                         work->arena, "");
}

/* Puts a block under the predicate of the branch that `from` ends with.  A special function that
 * scales numbers too small for it asks a predicate of its own, which is set before for the lanes
 * that do not execute it, and takes what those that do have found: two PLOP3 (ptxas 13.0, roots,
 * exponentials, logarithms and quotients under conditions on data and on the thread). */
static void put_under(struct lowering *work, uint32_t index, uint32_t from)
{
    const struct fw_block *block = &work->function->blocks[index];
    drop_branch(work, index);
    work->result->predicated[index] = work->function->blocks[from].end - 1;
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct fw_lowered *lowered = &work->result->instructions[i];
        uint32_t asked = 0;
        for (unsigned c = 0; c < lowered->count; c++)
            if (work->function->instructions[i].opcode != FW_OP_SETP &&
                lowered->at[c].operation == FW_MACHINE_FSETP)
                asked += lowered->at[c].count;
        if (asked)
            fw_lowering_append(work, i, FW_MACHINE_PLOP3, (uint16_t)(2 * asked));
    }
}

/* Whether the branch at a block's end goes, because what it goes around is executed under a
 * predicate. */
static bool predicate(struct lowering *work, uint32_t index)
{
    const struct fw_block *block = &work->function->blocks[index];
    uint32_t taken = block->successors[0], next = way_from(work, block->successors[1]);
    const struct literals none = {.count = 0};
    if (is_predicated(work, next, index, taken, none, 0) && !only_ends(work, taken)) {
        put_under(work, next, index);
    } else if (is_predicated(work, taken, index, next, none, 0) && !only_ends(work, next)) {
        put_under(work, taken, index);
    } else {
        const struct fw_block *then = &work->function->blocks[next];
        uint32_t join = then->successor_count == 1 ? then->successors[0] : FW_NO_INDEX;
        if (join == FW_NO_INDEX)
            return false;
        const struct literals shared = shared_literals(work, next, taken);
        if (!is_predicated(work, next, index, join, shared, 1) ||
            !is_predicated(work, taken, index, join, shared, 0))
            return false;
        put_under(work, next, index);
        put_under(work, taken, index);
    }
    drop_branch(work, index);
    return true;
}

/* A branch without a guard that alone follows a guarded one: the guarded one is turned round. */
static void turn_round(struct lowering *work, uint32_t index)
{
    const struct fw_block *block = &work->function->blocks[index];
    const struct fw_instruction *at = last_of(work, block);
    if (!at || block->end - block->first != 1 || at->opcode != FW_OP_BRA ||
        at->guard != FW_NO_INDEX || block->predecessor_count != 1)
        return;
    const struct fw_block *before = &work->function->blocks[block->predecessors[0]];
    const struct fw_instruction *branch = last_of(work, before);
    if (branch && branch->opcode == FW_OP_BRA && branch->guard != FW_NO_INDEX)
        drop_branch(work, index);
}

void fw_lowering_branches(struct lowering *work)
{
    const struct fw_function *function = work->function;
    bool *meets = FW_ARRAY(work->arena, bool, function->block_count + 1);
    for (uint32_t o = 0; o < function->order_count; o++)
        turn_round(work, function->order[o]);
    for (uint32_t o = 0; o < function->order_count; o++) {
        uint32_t index = function->order[o];
        const struct fw_block *block = &function->blocks[index];
        const struct fw_instruction *last = last_of(work, block);
        if (!last || last->opcode != FW_OP_BRA || last->guard == FW_NO_INDEX ||
            block->successor_count != 2 || (!work->result->tables[index] && predicate(work, index)))
            continue;
        if (work->level && work->level[last->guard_value] > FW_UNIFORM_WARP &&
            block->post_dominator != FW_NO_INDEX && !only_ends(work, block->post_dominator))
            meets[block->post_dominator] = true;
    }
    for (uint32_t b = 0; b < function->block_count; b++)
        if (meets[b] && function->blocks[b].end > function->blocks[b].first) {
            fw_lowering_append(work, function->blocks[b].first, FW_MACHINE_BSSY, 1);
            fw_lowering_append(work, function->blocks[b].first, FW_MACHINE_BSYNC, 1);
        }
}
