/* Defaults of what data decides: how often branches are usually taken, which leave loops, and which
 * branches and loops are copies of one and have one name. */
#include "record_internal.h"

#include <string.h>

/* Whether the record says when a comparison holds. */
static bool is_known(void *user, uint32_t instruction)
{
    struct builder *b = user;
    const struct fw_instruction *at = record_at(b, instruction);
    const struct fw_operand *in = at->operands + at->destinations;
    enum fw_type type = at->opcode == FW_OP_SET && at->type_count > 1 ? at->types[1] : at->types[0];
    uint32_t where = b->block_of[instruction];
    if (at->operand_count < at->destinations + 2u)
        return false;
    if (fw_type_class(type) == 'f') {
        fw_condition condition = record_comparison(b, instruction, 0);
        return condition != FW_NO_EXPRESSION && !record_condition_opaque(b, condition);
    }
    for (uint32_t o = 0; o < 2; o++) {
        fw_expression x = record_operand(b, &in[o], type, where);
        if (x == FW_NO_EXPRESSION || record_expression_opaque(b, x))
            return false;
    }
    return true;
}

static bool is_never_known(void *user, uint32_t instruction)
{
    (void)user;
    (void)instruction;
    return false;
}

static struct fw_branches *likely(struct builder *b)
{
    if (!b->likely)
        b->likely = fw_branches_new(b->arena, b->function, is_known, b);
    return b->likely;
}

/* Likewise, as if the record knew of no comparison. */
static struct fw_branches *likely_unknown(struct builder *b)
{
    if (!b->likely_unknown)
        b->likely_unknown = fw_branches_new(b->arena, b->function, is_never_known, b);
    return b->likely_unknown;
}

/* The name that was first given to what has this shape; NULL: none was, and `name` is from now on.
 */
static const char *name_of_shape(struct builder *b, char kind, uint64_t shape, const char *name)
{
    struct {
        uint64_t shape, kind;
    } key = {shape, (uint64_t)kind};
    bool added;
    if (!b->shape_names.arena)
        b->shape_names = fw_map_new(b->arena);
    struct fw_map_entry *entry =
        fw_map_add(&b->shape_names, (const char *)&key, sizeof(key), &added);
    if (!added)
        return b->names.at[entry->value];
    entry->value = (uint32_t)b->names.count;
    *FW_APPEND(b->arena, &b->names) = name;
    return NULL;
}

enum truth { NOT_DECIDED = -1, FALSE, TRUE };

/* What a predicate is where another one is `holds`: through moves, negations and joins. */
static enum truth decided(const struct fw_function *function, uint32_t predicate, uint32_t by,
                          bool holds, unsigned depth)
{
    if (predicate == by)
        return holds ? TRUE : FALSE;
    if (depth == 0 || predicate == FW_NO_INDEX ||
        function->values[predicate].kind != FW_VALUE_INSTRUCTION)
        return NOT_DECIDED;
    const struct fw_instruction *at =
        &function->instructions[function->values[predicate].definition];
    enum truth of[2] = {NOT_DECIDED, NOT_DECIDED};
    if (at->guard != FW_NO_INDEX || at->operand_count < 2 || at->operand_count > 3 ||
        at->types[0] != FW_TYPE_PRED)
        return NOT_DECIDED;
    for (uint32_t o = 1; o < at->operand_count; o++)
        of[o - 1] = at->operands[o].kind == FW_OPERAND_REGISTER
                        ? decided(function, at->operands[o].value, by, holds, depth - 1)
                    : at->operands[o].kind == FW_OPERAND_INTEGER
                        ? (at->operands[o].immediate ? TRUE : FALSE)
                        : NOT_DECIDED;
    const bool both = of[0] != NOT_DECIDED && of[1] != NOT_DECIDED;
    switch (at->opcode) {
    case FW_OP_MOV:
        return of[0];
    case FW_OP_NOT:
        return of[0] == NOT_DECIDED ? NOT_DECIDED : of[0] == TRUE ? FALSE : TRUE;
    case FW_OP_XOR:
        return !both ? NOT_DECIDED : of[0] != of[1] ? TRUE : FALSE;
    case FW_OP_AND:
        return of[0] == FALSE || of[1] == FALSE ? FALSE : both ? TRUE : NOT_DECIDED;
    case FW_OP_OR:
        return of[0] == TRUE || of[1] == TRUE ? TRUE : both ? FALSE : NOT_DECIDED;
    default:
        return NOT_DECIDED;
    }
}

static bool dominates(const struct fw_function *function, uint32_t block, uint32_t other)
{
    while (other != block && function->blocks[other].dominator != FW_NO_INDEX)
        other = function->blocks[other].dominator;
    return other == block;
}

/* Whether one way of a branch, all of which stay in the loop, leads out of it at its end all the
 * same: what ends the loop asks for the branch's predicate once more, as LLVM writes
 * `if (found) { ...; break; }`.  Tells which way. */
static bool leaves_at_end(const struct fw_function *function, const struct fw_instruction *at,
                          uint32_t block, uint32_t loop, bool *when)
{
    enum { DEEPEST_JOIN = 8 };
    const struct fw_loop_info *info = &function->loops[loop];
    const struct fw_block *latch = &function->blocks[info->latches[0]];
    if (info->latch_count != 1 || info->latches[0] == block || latch->successor_count != 2 ||
        at->guard == FW_NO_INDEX || !dominates(function, block, info->latches[0]))
        return false;
    const struct fw_instruction *end = &function->instructions[latch->end - 1];
    const bool goes_on = fw_block_in_loop(function, latch->successors[0], loop);
    if (end->opcode != FW_OP_BRA || end->guard == FW_NO_INDEX ||
        goes_on == fw_block_in_loop(function, latch->successors[1], loop))
        return false;
    for (int holds = 0; holds < 2; holds++) {
        enum truth guard =
            decided(function, end->guard_value, at->guard_value, holds, DEEPEST_JOIN);
        const bool taken = (guard == TRUE) != end->guard_negated;
        *when = (bool)holds != at->guard_negated;
        if (guard != NOT_DECIDED && taken != goes_on)
            return true;
    }
    return false;
}

/* Where the branch leaves loops by one of its ways: the innermost that it is in. */
static void describe_exit(struct builder *b, struct fw_branch *branch)
{
    const struct fw_function *function = b->function;
    const struct fw_instruction *at = record_at(b, branch->instruction);
    const struct fw_block *block = &function->blocks[b->block_of[branch->instruction]];
    bool ends = branch->instruction + 1 == block->end && block->successor_count == 2;
    if (at->opcode != FW_OP_BRA || !ends || block->loop == FW_NO_INDEX)
        return;
    bool taken = fw_block_in_loop(function, block->successors[0], block->loop);
    bool fallen = fw_block_in_loop(function, block->successors[1], block->loop), when = !taken;
    if (!b->kernel->loops[block->loop].data_dependent ||
        (taken == fallen &&
         !leaves_at_end(function, at, b->block_of[branch->instruction], block->loop, &when)))
        return;
    branch->exits = true;
    branch->loop = block->loop;
    branch->exits_when = when;
    branch->leaves = fw_branches_probes(likely(b), branch->instruction, block->loop);
    branch->searches = branch->leaves <= 0 && at->guard_value != FW_NO_INDEX &&
                       fw_branches_entry_decides(likely(b), branch->instruction, block->loop);
    if (branch->searches && !b->uniformity)
        b->uniformity = fw_pass_uniformity(b->arena, b->function);
    branch->apart = branch->searches && b->uniformity[at->guard_value] == FW_UNIFORM_NONE;
}

static void describe_usual(struct builder *b, struct fw_branch *branch)
{
    struct fw_branch_default usual = fw_branches_usual(likely(b), branch->instruction);
    if (!usual.because &&
        !branch->data_dependent) /* where a launch cannot evaluate it, after all */
        usual = fw_branches_usual(likely_unknown(b), branch->instruction);
    const bool known = usual.because && !(usual.taken > 0 && usual.taken < 1);
    const double refilled =
        known || !branch->data_dependent ? 0 : record_refill(b, branch->instruction);
    if (refilled > 0)
        usual = (struct fw_branch_default){refilled, "a loop adds as much as it uses up"};
    branch->even =
        !known && branch->data_dependent && !branch->exits && record_parity(b, branch->instruction);
    if (branch->even)
        usual = (struct fw_branch_default){0.5, "rounded numbers are odd as often as even"};
    bool certain = !(usual.taken > 0 && usual.taken < 1);
    branch->usual = FW_USUALLY_TAKEN;
    if (!usual.because || (!certain && (!branch->data_dependent || branch->exits)))
        return;
    branch->exits &= !certain;
    branch->usual = usual.taken;
    branch->because = usual.because;
    branch->refills = refilled > 0;
}

/* Whether the block of a branch comes behind a number that is beyond all before, as another branch
 * has it: where the number goes among those that are kept is asked there. */
static bool is_behind(const struct fw_function *function, uint32_t block,
                      const struct fw_branch_record *records, size_t count)
{
    for (size_t other = 0; other < count; other++) {
        uint32_t at = block;
        if (records[other].carried == FW_NO_INDEX ||
            function->blocks[records[other].way].predecessor_count > 1)
            continue;
        while (at != FW_NO_INDEX && at != records[other].way)
            at = function->blocks[at].dominator;
        if (at != FW_NO_INDEX)
            return true;
    }
    return false;
}

/* Branches behind which a loop keeps the greatest numbers that it comes to.  Copies of one, as an
 * unrolled loop has them, are asked one after the other. */
static void describe_records(struct builder *b)
{
    const size_t count = b->branches.count;
    struct fw_branch_record *records = FW_ARRAY(b->arena, struct fw_branch_record, count + 1);
    for (size_t i = 0; i < count; i++) {
        const struct fw_branch *branch = &b->branches.at[i];
        if (!branch->data_dependent || branch->exits || branch->leaves_loop ||
            !fw_branches_record(likely(b), branch->instruction, &records[i]))
            records[i].carried = FW_NO_INDEX;
    }
    for (size_t i = 0; i < count; i++) {
        struct fw_branch *branch = &b->branches.at[i];
        if (records[i].carried == FW_NO_INDEX ||
            is_behind(b->function, b->block_of[branch->instruction], records, count))
            continue;
        branch->records = (struct fw_records){.kept = records[i].kept,
                                              .asked = records[i].asked,
                                              .loop = records[i].loop,
                                              .loops = records[i].loops,
                                              .taken = records[i].taken};
        branch->because = "numbers in any order are seldom beyond all before them";
        for (size_t other = 0; other < count; other++)
            branch->records.copies +=
                records[other].carried == records[i].carried &&
                !is_behind(b->function, b->block_of[b->branches.at[other].instruction], records,
                           count);
    }
}

/* Copies of one branch have its name, and its default. */
static void tie_branches(struct builder *b)
{
    struct fw_map first = fw_map_new(b->arena);
    for (size_t i = 0; i < b->branches.count; i++) {
        struct fw_branch *branch = &b->branches.at[i];
        bool added;
        uint64_t shape =
            branch->data_dependent ? fw_branches_shape(likely(b), branch->instruction) : 0;
        const char *name = shape ? name_of_shape(b, 'b', shape, branch->name) : NULL;
        branch->name = name ? name : branch->name;
        struct fw_map_entry *entry = fw_map_add(&first, branch->name, strlen(branch->name), &added);
        if (added) {
            entry->value = (uint32_t)i;
            continue;
        }
        const struct fw_branch *of = &b->branches.at[entry->value];
        branch->usual = of->usual;
        branch->because = of->because;
        branch->records = of->records;
        branch->refills = of->refills;
        branch->even = of->even;
    }
}

/* A number for what a loop that data ends looks like: the branch that ends it, and its first block.
 */
static uint64_t loop_shape(struct builder *b, const struct fw_loop_info *info)
{
    enum { MOST_OPCODES = 16 };
    const struct fw_function *function = b->function;
    const struct fw_block *header = &function->blocks[info->header];
    const struct fw_block *latch = &function->blocks[info->latches[0]];
    const struct fw_block *last = latch->successor_count > 1 ? latch : header;
    if (last->end == last->first)
        return 0;
    uint64_t shape = fw_branches_shape(likely(b), last->end - 1);
    if (function->instructions[last->end - 1].line)
        return shape;
    for (uint32_t i = header->first; shape && i < header->end && i < header->first + MOST_OPCODES;
         i++)
        shape = (shape ^ function->instructions[i].opcode) * 0x100000001b3u;
    return shape ? shape * 31 + info->block_count : 0;
}

static void tie_loops(struct builder *b)
{
    for (uint32_t l = 0; l < b->kernel->loop_count; l++) {
        struct fw_loop *loop = &b->kernel->loops[l];
        uint64_t shape = loop->data_dependent ? loop_shape(b, &b->function->loops[l]) : 0;
        const char *name = shape ? name_of_shape(b, 'l', shape, loop->name) : NULL;
        loop->name = name ? name : loop->name;
    }
}

/* The blocks from which a loop can be left. */
static uint32_t count_exits(const struct fw_function *function, uint32_t loop)
{
    const struct fw_loop_info *info = &function->loops[loop];
    uint32_t exits = 0;
    for (uint32_t b = 0; b < info->block_count; b++) {
        const struct fw_block *block = &function->blocks[info->blocks[b]];
        bool leaves = false;
        for (uint32_t s = 0; s < block->successor_count; s++)
            leaves |= !fw_block_in_loop(function, block->successors[s], loop);
        exits += leaves;
    }
    return exits;
}

static void describe_trips(struct builder *b, uint32_t index)
{
    struct fw_loop *loop = &b->kernel->loops[index];
    if (!loop->data_dependent || loop->is_wait)
        return;
    struct fw_loop_default usual = fw_branches_trips(likely(b), index);
    loop->exits = count_exits(b->function, index);
    loop->usual = usual.trips;
    loop->because = usual.because;
    loop->polls = fw_branches_polls(likely(b), index);
    loop->computes = !usual.because && fw_branches_computes(likely(b), index);
    loop->looks_up = usual.looks_up;
    uint32_t ends[2], entry;
    loop->halves = !usual.because && fw_branches_halves(likely(b), index, ends, &entry);
    struct fw_branch_descent descent;
    if (!loop->halves && !usual.because && fw_branches_descends(likely(b), index, &descent)) {
        loop->left = record_value(b, descent.nodes, descent.entry);
        loop->children = descent.children;
        loop->because = "it walks through a tree by a stack: as in a search for what is nearest";
        return;
    }
    if (!loop->halves)
        return;
    loop->left = record_value(b, ends[0], entry);
    if (ends[1] != FW_NO_INDEX)
        loop->left = fw_subtract(b->pool, loop->left, record_value(b, ends[1], entry));
}

void record_likely(struct builder *b)
{
    for (uint32_t l = 0; l < b->kernel->loop_count; l++)
        describe_trips(b, l);
    for (size_t i = 0; i < b->branches.count; i++) {
        struct fw_branch *branch = &b->branches.at[i];
        describe_exit(b, branch);
        describe_usual(b, branch);
        record_lanes(b, branch);
    }
    describe_records(b);
    tie_branches(b);
    tie_loops(b);
}
