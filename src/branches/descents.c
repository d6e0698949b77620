/* Descents: loops that walk through a tree by a stack of their own, of nodes whose children lie at
 * places that are computed (`2 at + 1` and `2 at + 2`).
 *
 * Takes a loop.  A node is loaded from local memory; a child is a multiple of it and a number that
 * may be chosen, is compared with what is fixed outside of the loop, which is how many nodes there
 * are, and is stored to local memory.  Needs SSA.  Never follows trees whose children are loaded.
 */
#include "branches_internal.h"

enum { MOST_VISITS = 200, DEEPEST = 10, MOST_CHILDREN = 16, MOST_CHILD_SHIFT = 4 };

struct descent {
    const struct fw_branches *branches;
    uint32_t loop, node; /* SSA value */
    uint32_t visits;
};

static int64_t times_of(struct descent *d, uint32_t value, unsigned depth);

static bool is_inside(const struct descent *d, uint32_t value)
{
    const struct fw_function *function = d->branches->function;
    return fw_block_in_loop(function, function->values[value].block, d->loop);
}

/* How many times the node an operand has; 0: a number that does not depend on it; below 0: more is
 * not known. */
static int64_t times_of_operand(struct descent *d, const struct fw_operand *operand, unsigned depth)
{
    if (operand->kind == FW_OPERAND_INTEGER)
        return 0;
    return operand->kind == FW_OPERAND_REGISTER && !operand->negated && depth > 0
               ? times_of(d, operand->value, depth - 1)
               : -1;
}

static int64_t times_of(struct descent *d, uint32_t value, unsigned depth)
{
    const struct fw_function *function = d->branches->function;
    int64_t one, other;
    value = value == FW_NO_INDEX ? value : fw_ordinary_source(function, value);
    if (value == d->node)
        return 1;
    if (value == FW_NO_INDEX || ++d->visits > MOST_VISITS)
        return -1;
    const struct fw_instruction *at = branch_definition(d->branches, value);
    if (!is_inside(d, value))
        return 0;
    if (!at || at->guard != FW_NO_INDEX || at->type_count < 1 || fw_type_class(at->types[0]) == 'f')
        return -1;
    const struct fw_operand *in = &at->operands[1];
    switch (at->opcode) {
    case FW_OP_SHL:
        one = times_of_operand(d, &in[0], depth);
        return one > 0 && in[1].kind == FW_OPERAND_INTEGER && in[1].immediate >= 0 &&
                       in[1].immediate <= MOST_CHILD_SHIFT
                   ? one << in[1].immediate
               : one == 0 ? 0
                          : -1;
    case FW_OP_MUL:
    case FW_OP_MAD:
        one = times_of_operand(d, &in[0], depth);
        other = at->opcode == FW_OP_MAD ? times_of_operand(d, &in[2], depth) : 0;
        return one >= 0 && other == 0 && in[1].kind == FW_OPERAND_INTEGER && in[1].immediate > 0 &&
                       in[1].immediate <= MOST_CHILDREN
                   ? one * in[1].immediate
                   : -1;
    case FW_OP_ADD:
    case FW_OP_OR:
    case FW_OP_SELP:
        one = times_of_operand(d, &in[0], depth);
        other = times_of_operand(d, &in[1], depth);
        if (one < 0 || other < 0 || (at->opcode == FW_OP_SELP && one != other))
            return -1;
        return at->opcode == FW_OP_SELP ? one : one + other;
    default:
        return -1;
    }
}

/* Whether the loop stores a value of so many times the node to local memory. */
static bool is_pushed(struct descent *d, int64_t children)
{
    const struct fw_function *function = d->branches->function;
    const struct fw_loop_info *info = &function->loops[d->loop];
    for (uint32_t k = 0; k < info->block_count; k++) {
        const struct fw_block *block = &function->blocks[info->blocks[k]];
        for (uint32_t i = block->first; i < block->end; i++) {
            const struct fw_instruction *at = &function->instructions[i];
            if (at->opcode != FW_OP_ST || at->slot || at->space != FW_SPACE_LOCAL ||
                at->operand_count != 2)
                continue;
            d->visits = 0;
            if (times_of_operand(d, &at->operands[1], DEEPEST) == children)
                return true;
        }
    }
    return false;
}

/* A comparison of a child with how many nodes there are: that value; FW_NO_INDEX: it is none. */
static uint32_t nodes_of(struct descent *d, const struct fw_instruction *at, int64_t *children)
{
    if (at->opcode != FW_OP_SETP || at->operand_count < 3 || fw_type_class(at->types[0]) == 'f' ||
        at->compare == FW_CMP_EQ || at->compare == FW_CMP_NE)
        return FW_NO_INDEX;
    for (uint32_t o = 1; o < 3; o++) {
        const struct fw_operand *end = &at->operands[3 - o];
        if (end->kind != FW_OPERAND_REGISTER || end->value == FW_NO_INDEX ||
            is_inside(d, end->value))
            continue;
        d->visits = 0;
        *children = times_of_operand(d, &at->operands[o], DEEPEST);
        if (*children >= 2 && *children <= MOST_CHILDREN && is_pushed(d, *children))
            return end->value;
    }
    return FW_NO_INDEX;
}

/* How many nodes there are, of a tree whose nodes a load tells; FW_NO_INDEX: it tells none. */
static uint32_t nodes_by_load(struct descent *d, const struct fw_instruction *load,
                              int64_t *children)
{
    const struct fw_function *function = d->branches->function;
    const struct fw_loop_info *info = &function->loops[d->loop];
    if (load->opcode != FW_OP_LD || load->slot || load->space != FW_SPACE_LOCAL ||
        load->guard != FW_NO_INDEX || load->operands[0].kind != FW_OPERAND_REGISTER)
        return FW_NO_INDEX;
    d->node = load->operands[0].value;
    for (uint32_t k = 0; k < info->block_count; k++) {
        const struct fw_block *block = &function->blocks[info->blocks[k]];
        for (uint32_t i = block->first; i < block->end; i++) {
            const uint32_t nodes = nodes_of(d, &function->instructions[i], children);
            if (nodes != FW_NO_INDEX)
                return nodes;
        }
    }
    return FW_NO_INDEX;
}

/* The block from which a loop is entered; FW_NO_INDEX: none. */
static uint32_t entry_of(const struct fw_function *function, uint32_t loop)
{
    const struct fw_block *header = &function->blocks[function->loops[loop].header];
    uint32_t entry = FW_NO_INDEX;
    for (uint32_t p = 0; p < header->predecessor_count; p++) {
        uint32_t l = function->blocks[header->predecessors[p]].loop;
        while (l != FW_NO_INDEX && l != loop)
            l = function->loops[l].parent;
        entry = l == loop ? entry : header->predecessors[p];
    }
    return entry;
}

bool fw_branches_descends(struct fw_branches *branches, uint32_t loop,
                          struct fw_branch_descent *descent)
{
    enum { MOST_LOADS = 8 };
    const struct fw_function *function = branches->function;
    const struct fw_loop_info *info = &function->loops[loop];
    struct descent d = {.branches = branches, .loop = loop};
    uint32_t loads = 0;
    *descent = (struct fw_branch_descent){.nodes = FW_NO_INDEX, .entry = entry_of(function, loop)};
    for (uint32_t k = 0; k < info->block_count && descent->entry != FW_NO_INDEX; k++) {
        const struct fw_block *block = &function->blocks[info->blocks[k]];
        for (uint32_t i = block->first; block->loop == loop && i < block->end; i++) {
            int64_t times = 0;
            const struct fw_instruction *at = &function->instructions[i];
            if (at->opcode != FW_OP_LD || at->slot || at->space != FW_SPACE_LOCAL ||
                ++loads > MOST_LOADS)
                continue;
            descent->nodes = nodes_by_load(&d, at, &times);
            descent->children = (uint32_t)times;
            if (descent->nodes != FW_NO_INDEX)
                return true;
        }
    }
    return false;
}
