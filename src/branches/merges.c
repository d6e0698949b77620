/* Merges: loops that go through two lists at one time, each iteration a step on in one of them or
 * in both, as data decide, until one of the lists ends (neighbours in common, rows of sparse
 * matrices that are added, runs that are merged).
 *
 * Takes a loop's header and the branches that leave it.  A cursor is a phi of the header that each
 * way through the loop leaves or moves on by a constant, of which there are both; its list ends
 * where it is compared with a value from outside of the loop.  Of lists of n and m entries in any
 * order the whole of one and all but n / (m + 1) or m / (n + 1) of the other are gone through: so
 * many entries of one lie behind all of the other, in the mean over all orders.  Needs SSA. */
#include "branches_internal.h"

enum { MOST_VISITS = 200, DEEPEST = 12, MOST_CURSORS = 8 };

/* What may become of a cursor within an iteration. */
enum { FAILS = 0, STAYS = 1, MOVES = 2 };

struct merging {
    const struct fw_branches *branches;
    uint32_t loop, header;
    uint32_t phi; /* the value that is followed */
    uint32_t visits;
    uint32_t cursors[MOST_CURSORS], count; /* that ends are compared with */
};

static unsigned ways_of(struct merging *m, uint32_t value, unsigned depth);

static bool is_inside(const struct merging *m, uint32_t value)
{
    const struct fw_function *function = m->branches->function;
    return fw_block_in_loop(function, function->values[value].block, m->loop);
}

/* What an amount that is added does: a constant, or one of two that data choose. */
static unsigned ways_of_amount(const struct merging *m, const struct fw_operand *amount,
                               unsigned depth)
{
    if (amount->kind == FW_OPERAND_INTEGER)
        return amount->immediate ? MOVES : STAYS;
    if (amount->kind != FW_OPERAND_REGISTER || amount->negated || amount->value == FW_NO_INDEX ||
        depth == 0)
        return FAILS;
    const struct fw_instruction *at =
        branch_definition(m->branches, fw_ordinary_source(m->branches->function, amount->value));
    if (!at || at->guard != FW_NO_INDEX)
        return FAILS;
    if (at->opcode == FW_OP_MOV || at->opcode == FW_OP_CVT)
        return ways_of_amount(m, &at->operands[1], depth - 1);
    if (at->opcode != FW_OP_SELP)
        return FAILS;
    const unsigned one = ways_of_amount(m, &at->operands[1], depth - 1);
    const unsigned other = ways_of_amount(m, &at->operands[2], depth - 1);
    return one && other ? one | other : FAILS;
}

static unsigned ways_of_operand(struct merging *m, const struct fw_operand *operand, unsigned depth)
{
    return operand->kind == FW_OPERAND_REGISTER && !operand->negated && depth > 0
               ? ways_of(m, operand->value, depth - 1)
               : FAILS;
}

static unsigned ways_of_instruction(struct merging *m, const struct fw_instruction *at,
                                    unsigned depth)
{
    if (at->guard != FW_NO_INDEX || at->type_count < 1 || fw_type_class(at->types[0]) == 'f')
        return FAILS;
    if (at->opcode == FW_OP_SELP) {
        const unsigned one = ways_of_operand(m, &at->operands[1], depth);
        const unsigned other = one ? ways_of_operand(m, &at->operands[2], depth) : FAILS;
        return other ? one | other : FAILS;
    }
    if (at->opcode != FW_OP_ADD || at->operand_count != 3)
        return FAILS;
    for (uint32_t o = 1; o < 3; o++) {
        const unsigned before = ways_of_operand(m, &at->operands[o], depth);
        const unsigned added = before ? ways_of_amount(m, &at->operands[3 - o], depth) : FAILS;
        if (added)
            return (before & added & STAYS) | ((before | added) & MOVES);
    }
    return FAILS;
}

static unsigned ways_of(struct merging *m, uint32_t value, unsigned depth)
{
    const struct fw_function *function = m->branches->function;
    unsigned all = FAILS;
    value = value == FW_NO_INDEX ? value : fw_ordinary_source(function, value);
    if (value == m->phi)
        return STAYS;
    if (value == FW_NO_INDEX || depth == 0 || ++m->visits > MOST_VISITS || !is_inside(m, value))
        return FAILS;
    const struct fw_value *origin = &function->values[value];
    const struct fw_block *block = &function->blocks[origin->block];
    if (origin->kind == FW_VALUE_INSTRUCTION)
        return ways_of_instruction(m, branch_definition(m->branches, value), depth);
    if (origin->kind != FW_VALUE_PHI || origin->block == m->header || block->loop != m->loop)
        return FAILS;
    for (uint32_t p = 0; p < block->predecessor_count; p++) {
        const unsigned way = ways_of(m, block->phis[origin->definition].inputs[p], depth - 1);
        if (!way)
            return FAILS;
        all |= way;
    }
    return all;
}

/* Adds the cursor that an operand is, from the beginning or the end of an iteration. */
static void add_cursor(struct merging *m, uint32_t value)
{
    const struct fw_function *function = m->branches->function;
    const struct fw_block *header = &function->blocks[m->header];
    for (uint32_t p = 0; p < header->phi_count; p++) {
        unsigned around = FAILS;
        m->phi = header->phis[p].value;
        m->visits = 0;
        if (!ways_of(m, value, DEEPEST))
            continue;
        for (uint32_t i = 0; i < header->predecessor_count; i++) {
            uint32_t l = function->blocks[header->predecessors[i]].loop;
            while (l != FW_NO_INDEX && l != m->loop)
                l = function->loops[l].parent;
            if (l == m->loop)
                around |= ways_of(m, header->phis[p].inputs[i], DEEPEST);
        }
        bool known = around != (STAYS | MOVES) || m->count == MOST_CURSORS;
        for (uint32_t c = 0; c < m->count; c++)
            known |= m->cursors[c] == m->phi;
        if (!known)
            m->cursors[m->count++] = m->phi;
        return;
    }
}

/* Notes the cursors that a predicate compares with values from outside of the loop. */
static void note_ends(struct merging *m, uint32_t predicate, unsigned depth)
{
    const struct fw_instruction *at = branch_definition(m->branches, predicate);
    if (!at || at->guard != FW_NO_INDEX || depth == 0 || !is_inside(m, predicate))
        return;
    if (at->opcode == FW_OP_SETP && at->operand_count > 2 && fw_type_class(at->types[0]) != 'f')
        for (uint32_t o = 1; o < 3; o++) {
            const struct fw_operand *end = &at->operands[3 - o], *in = &at->operands[o];
            if (in->kind == FW_OPERAND_REGISTER && in->value != FW_NO_INDEX &&
                is_inside(m, in->value) && end->kind == FW_OPERAND_REGISTER &&
                end->value != FW_NO_INDEX && !is_inside(m, end->value))
                add_cursor(m, in->value);
        }
    if (at->opcode == FW_OP_AND || at->opcode == FW_OP_OR || at->opcode == FW_OP_NOT ||
        at->opcode == FW_OP_MOV)
        for (uint32_t o = 1; o < at->operand_count; o++)
            if (at->operands[o].kind == FW_OPERAND_REGISTER && at->operands[o].value != FW_NO_INDEX)
                note_ends(m, at->operands[o].value, depth - 1);
}

double branch_merged_trips(struct fw_branches *branches, uint32_t loop)
{
    const struct fw_function *function = branches->function;
    const struct fw_loop_info *info = &function->loops[loop];
    const double n = FW_USUAL_TRIPS;
    struct merging m = {.branches = branches, .loop = loop, .header = info->header};
    for (uint32_t b = 0; b < info->block_count; b++) {
        const struct fw_block *block = &function->blocks[info->blocks[b]];
        if (block->end == block->first || block->successor_count != 2)
            continue;
        const struct fw_instruction *leaves = &function->instructions[block->end - 1];
        bool outside = false;
        for (uint32_t s = 0; s < 2; s++) {
            uint32_t l = function->blocks[block->successors[s]].loop;
            while (l != FW_NO_INDEX && l != loop)
                l = function->loops[l].parent;
            outside |= l != loop;
        }
        if (outside && leaves->guard != FW_NO_INDEX && leaves->guard_value != FW_NO_INDEX)
            note_ends(&m, leaves->guard_value, DEEPEST);
    }
    return m.count == 2 ? 2 * (n - n / (n + 1)) : 0;
}
