/* Numbers beyond all before: branches behind which a loop keeps what is the greatest, or among the
 * greatest, that it has come to (`if (x > best) { best = x; at = i; }`).
 *
 * Of numbers in any order the t-th is beyond all before it once in t (Renyi, "Theorie des elements
 * saillants d'une suite d'observations", 1962), and among the k greatest so far k times in t.  The
 * compared value is carried by a loop, is left as it is by one way of the branch, and is made from
 * the number that it is compared with by the other.  Needs SSA and loops. */
#include "branches_internal.h"

#include <string.h>

enum {
    MOST_MADE_OF = 600,
    MOST_LEAVES = 48,
    MOST_SEEN = 160,
    DEEPEST = 40,
    MOST_KEPT = 64,
    MOST_REACHED = 256,
    WARP = 32
};

/* What a value may be: the values that joins and selects choose it from, each with the ends of the
 * innermost join's edge that brings it. */
struct leaves {
    uint32_t count, seen_count, seen[MOST_SEEN]; /* seen: joins and selects */
    struct {
        uint32_t value, from, join; /* blocks; FW_NO_INDEX: no join does */
    } at[MOST_LEAVES];
};

static bool in_loop(const struct fw_function *function, uint32_t block, uint32_t loop)
{
    uint32_t l = function->blocks[block].loop;
    while (l != FW_NO_INDEX && l != loop)
        l = function->loops[l].parent;
    return l == loop;
}

static bool is_carried(const struct fw_function *function, uint32_t value)
{
    const struct fw_value *origin = &function->values[value];
    const uint32_t loop = function->blocks[origin->block].loop;
    return origin->kind == FW_VALUE_PHI && loop != FW_NO_INDEX &&
           function->loops[loop].header == origin->block;
}

static const struct fw_phi *phi_of(const struct fw_function *function, uint32_t value)
{
    const struct fw_value *origin = &function->values[value];
    return &function->blocks[origin->block].phis[origin->definition];
}

static bool is_seen(struct leaves *leaves, uint32_t value)
{
    for (uint32_t s = 0; s < leaves->seen_count; s++)
        if (leaves->seen[s] == value)
            return true;
    if (leaves->seen_count < MOST_SEEN)
        leaves->seen[leaves->seen_count++] = value;
    return leaves->seen_count == MOST_SEEN;
}

static void find_leaves(const struct fw_branches *branches, uint32_t value, uint32_t from,
                        uint32_t join, struct leaves *leaves, unsigned depth)
{
    const struct fw_function *function = branches->function;
    value = fw_ordinary_source(function, value);
    if (value == FW_NO_INDEX || leaves->count == MOST_LEAVES)
        return;
    const struct fw_value *origin = &function->values[value];
    const struct fw_instruction *at = branch_definition(branches, value);
    const bool joins = origin->kind == FW_VALUE_PHI && !is_carried(function, value);
    const bool selects = at && at->opcode == FW_OP_SELP && at->guard == FW_NO_INDEX;
    if ((joins || selects) && (depth == 0 || is_seen(leaves, value)))
        return;
    if (joins) {
        const struct fw_block *block = &function->blocks[origin->block];
        for (uint32_t p = 0; p < block->predecessor_count; p++)
            find_leaves(branches, block->phis[origin->definition].inputs[p], block->predecessors[p],
                        origin->block, leaves, depth - 1);
        return;
    }
    if (selects) {
        for (uint32_t o = 1; o < 3; o++)
            if (at->operands[o].kind == FW_OPERAND_REGISTER)
                find_leaves(branches, at->operands[o].value, from, join, leaves, depth - 1);
        return;
    }
    leaves->at[leaves->count].value = value;
    leaves->at[leaves->count].from = from;
    leaves->at[leaves->count++].join = join;
}

/* A search of what a value is made of. */
struct search {
    const struct fw_branches *branches;
    uint32_t sought, loop, count, seen[MOST_MADE_OF];
    bool found;
};

static void seek(struct search *search, uint32_t value)
{
    const struct fw_branches *branches = search->branches;
    if (value == FW_NO_INDEX || search->found || search->count == MOST_MADE_OF ||
        branches->met[value] == branches->searches ||
        !in_loop(branches->function, branches->function->values[value].block, search->loop))
        return;
    branches->met[value] = branches->searches;
    search->found = value == search->sought;
    search->seen[search->count++] = value;
}

static void seek_operand(void *user, struct fw_operand *operand)
{
    seek(user, operand->value);
}

/* Whether a value is made of another one within a loop, without what the loop carries. */
static bool made_of(struct fw_branches *branches, uint32_t value, uint32_t sought, uint32_t loop)
{
    const struct fw_function *function = branches->function;
    struct search search = {.branches = branches, .sought = sought, .loop = loop};
    if (!branches->met)
        branches->met = FW_ARRAY(branches->arena, uint32_t, function->value_count + 1);
    branches->searches++;
    seek(&search, value);
    for (uint32_t s = 0; s < search.count && !search.found; s++) {
        const struct fw_value *origin = &function->values[search.seen[s]];
        const struct fw_block *block = &function->blocks[origin->block];
        if (origin->kind == FW_VALUE_INSTRUCTION)
            fw_instruction_uses(&function->instructions[origin->definition], seek_operand, &search);
        else if (origin->kind == FW_VALUE_PHI && origin->block != function->loops[loop].header)
            for (uint32_t p = 0; p < block->predecessor_count; p++)
                seek(&search, block->phis[origin->definition].inputs[p]);
    }
    return search.found;
}

/* The value of a carried one in the next iteration, and in the first; FW_NO_INDEX: several. */
static uint32_t carried_input(const struct fw_function *function, uint32_t value, bool next)
{
    const struct fw_block *header = &function->blocks[function->values[value].block];
    uint32_t input = FW_NO_INDEX;
    for (uint32_t p = 0; p < header->predecessor_count; p++) {
        if (in_loop(function, header->predecessors[p], header->loop) != next)
            continue;
        if (input != FW_NO_INDEX)
            return FW_NO_INDEX;
        input = phi_of(function, value)->inputs[p];
    }
    return input;
}

/* Whether a block is reached from another one of the loop, but for its header and one block. */
static bool reaches(const struct fw_function *function, uint32_t from, uint32_t to, uint32_t loop,
                    uint32_t without)
{
    uint32_t stack[MOST_REACHED], count = 0, next = 0;
    stack[count++] = from;
    for (; next < count; next++) {
        const uint32_t at = stack[next];
        if (at == without || at == function->loops[loop].header || !in_loop(function, at, loop))
            continue;
        if (at == to)
            return true;
        for (uint32_t s = 0; s < function->blocks[at].successor_count; s++) {
            const uint32_t successor = function->blocks[at].successors[s];
            bool seen = count == MOST_REACHED;
            for (uint32_t i = 0; i < count && !seen; i++)
                seen = stack[i] == successor;
            if (!seen)
                stack[count++] = successor;
        }
    }
    return false;
}

/* Which way of a branch an edge lies on: 0 taken, 1 fallen; 2: on none, or on both. */
static uint32_t way_of(const struct fw_function *function, uint32_t block, uint32_t loop,
                       uint32_t from, uint32_t join)
{
    uint32_t way = 2;
    for (uint32_t s = 0; s < 2; s++) {
        const uint32_t successor = function->blocks[block].successors[s];
        const bool on =
            from == block ? successor == join : reaches(function, successor, from, loop, join);
        if (on && way < 2)
            return 2;
        way = on ? s : way;
    }
    return way;
}

/* The compared operands of what a guard asks for: a comparison by order, of one thread or of any
 * of a warp.  NULL: it asks for something else. */
static const struct fw_instruction *ordered_comparison(const struct fw_branches *branches,
                                                       uint32_t predicate, double *asked)
{
    *asked = 1;
    for (unsigned step = 0; step < 6; step++) {
        const struct fw_instruction *at = branch_definition(branches, predicate);
        if (!at || at->guard != FW_NO_INDEX || at->operand_count < 2)
            return NULL;
        switch ((enum fw_opcode)at->opcode) {
        case FW_OP_VOTE:
            if (at->mode != FW_MODE_ANY)
                return NULL;
            *asked = WARP;
            predicate = at->operands[1].value;
            break;
        case FW_OP_NOT:
        case FW_OP_MOV:
            predicate = at->operands[1].value;
            break;
        case FW_OP_SETP: {
            const enum fw_compare compare = (enum fw_compare)at->compare;
            const bool orders = compare == FW_CMP_LT || compare == FW_CMP_LE ||
                                compare == FW_CMP_GT || compare == FW_CMP_GE ||
                                compare == FW_CMP_LTU || compare == FW_CMP_LEU ||
                                compare == FW_CMP_GTU || compare == FW_CMP_GEU;
            return orders && at->mode == FW_MODE_NONE ? at : NULL;
        }
        default:
            return NULL;
        }
    }
    return NULL;
}

struct marking {
    struct fw_branches *branches;
    FW_VECTOR(uint32_t) stack;
};

static void mark(void *user, struct fw_operand *operand)
{
    struct marking *marking = user;
    if (operand->value == FW_NO_INDEX || marking->branches->live[operand->value])
        return;
    marking->branches->live[operand->value] = 1;
    *FW_APPEND(marking->branches->arena, &marking->stack) = operand->value;
}

/* Marks the values that instructions use, and those that such joins choose from: what is carried
 * and never used is kept by nobody. */
static void find_live(struct fw_branches *branches)
{
    const struct fw_function *function = branches->function;
    struct marking marking = {.branches = branches};
    branches->live = FW_ARRAY(branches->arena, uint8_t, function->value_count + 1);
    for (uint32_t i = 0; i < function->instruction_count; i++)
        fw_instruction_uses(&function->instructions[i], mark, &marking);
    while (marking.stack.count) {
        const uint32_t value = marking.stack.at[--marking.stack.count];
        const struct fw_value *origin = &function->values[value];
        if (origin->kind != FW_VALUE_PHI)
            continue;
        const struct fw_block *block = &function->blocks[origin->block];
        for (uint32_t p = 0; p < block->predecessor_count; p++)
            mark(&marking,
                 &(struct fw_operand){.value = block->phis[origin->definition].inputs[p]});
    }
}

/* The values like a carried one that its loop keeps of the number beside it. */
static double values_kept(struct fw_branches *branches, uint32_t carried, uint32_t number,
                          uint32_t loop)
{
    const struct fw_function *function = branches->function;
    const struct fw_block *header = &function->blocks[function->loops[loop].header];
    const enum fw_type type = function->registers[function->values[carried].reg].type;
    double kept = 0;
    if (!branches->live)
        find_live(branches);
    for (uint32_t p = 0; p < header->phi_count && kept < MOST_KEPT; p++) {
        const uint32_t value = header->phis[p].value, next = carried_input(function, value, true);
        if (branches->live[value] && function->registers[header->phis[p].reg].type == type &&
            next != FW_NO_INDEX && made_of(branches, next, number, loop))
            kept++;
    }
    return kept;
}

/* Whether one of two compared values is what a loop keeps of the other one. */
static bool keeps(struct fw_branches *branches, uint32_t block, uint32_t compared, uint32_t number,
                  double asked, struct fw_branch_record *record)
{
    const struct fw_function *function = branches->function;
    struct leaves before = {0}, after = {0};
    find_leaves(branches, compared, FW_NO_INDEX, FW_NO_INDEX, &before, DEEPEST);
    uint32_t carried = FW_NO_INDEX;
    for (uint32_t l = 0; l < before.count && carried == FW_NO_INDEX; l++)
        if (is_carried(function, before.at[l].value))
            carried = before.at[l].value;
    if (carried == FW_NO_INDEX)
        return false;
    const uint32_t loop = function->blocks[function->values[carried].block].loop;
    const uint32_t next = carried_input(function, carried, true);
    if (next == FW_NO_INDEX || !in_loop(function, block, loop) ||
        made_of(branches, number, carried, loop))
        return false;
    find_leaves(branches, next, FW_NO_INDEX, FW_NO_INDEX, &after, DEEPEST);
    bool stays = false, exchanged = false;
    uint32_t way = 2;
    for (uint32_t l = 0; l < after.count; l++) {
        const uint32_t value = after.at[l].value;
        stays |= value == carried;
        if (value == carried || way < 2 || after.at[l].from == FW_NO_INDEX ||
            !made_of(branches, value, number, loop))
            continue;
        way = way_of(function, block, loop, after.at[l].from, after.at[l].join);
        const struct fw_instruction *made = branch_definition(branches, value);
        exchanged = made && made->opcode == FW_OP_SHFL;
    }
    if (!stays || way == 2)
        return false;
    const double kept = values_kept(branches, carried, number, loop);
    *record = (struct fw_branch_record){.loop = loop,
                                        .loops = 1,
                                        .carried = carried,
                                        .taken = way == 0,
                                        .way = function->blocks[block].successors[way],
                                        .asked = asked,
                                        .kept = kept};
    if (asked > 1) /* each lane keeps one; what all compare with is one of these */
        record->kept = asked * (exchanged && kept > 1 ? kept - 1 : kept);
    return record->kept > 0;
}

/* Loops around whose iterations go on with what the one within has kept. */
static void find_loops_around(struct fw_branches *branches, struct fw_branch_record *record)
{
    const struct fw_function *function = branches->function;
    uint32_t inner = record->carried;
    for (uint32_t loop = function->loops[record->loop].parent; loop != FW_NO_INDEX;
         loop = function->loops[loop].parent) {
        const uint32_t first = carried_input(function, inner, false);
        const uint32_t outer =
            first == FW_NO_INDEX ? FW_NO_INDEX : fw_ordinary_source(function, first);
        if (outer == FW_NO_INDEX || !is_carried(function, outer) ||
            function->blocks[function->values[outer].block].loop != loop)
            return;
        const uint32_t after = carried_input(function, outer, true);
        if (after == FW_NO_INDEX || !made_of(branches, after, inner, loop))
            return;
        record->loops++;
        inner = outer;
    }
}

bool fw_branches_record(struct fw_branches *branches, uint32_t instruction,
                        struct fw_branch_record *record)
{
    const struct fw_function *function = branches->function;
    const struct fw_instruction *at = &function->instructions[instruction];
    const uint32_t index = branches->block_of[instruction];
    const struct fw_block *block = &function->blocks[index];
    double asked;
    if (at->opcode != FW_OP_BRA || at->guard == FW_NO_INDEX || instruction + 1 != block->end ||
        block->successor_count != 2 || block->loop == FW_NO_INDEX)
        return false;
    const struct fw_instruction *test = ordered_comparison(branches, at->guard_value, &asked);
    if (!test || test->operand_count < 3)
        return false;
    for (uint32_t o = 1; o < 3; o++) {
        const struct fw_operand *compared = &test->operands[o], *number = &test->operands[3 - o];
        if (compared->kind != FW_OPERAND_REGISTER || number->kind != FW_OPERAND_REGISTER ||
            compared->value == FW_NO_INDEX || number->value == FW_NO_INDEX ||
            !keeps(branches, index, compared->value, fw_ordinary_source(function, number->value),
                   asked, record))
            continue;
        find_loops_around(branches, record);
        return true;
    }
    return false;
}
