/* Copies of one branch: a number that they share. */
#include "branches_internal.h"

enum { DEEPEST = 12, MOST_PARTS = 200 };

struct shaping {
    const struct fw_branches *branches;
    uint64_t hash;
    uint32_t parts;
    bool lined; /* there is a source line */
};

static void add(struct shaping *shaping, uint64_t number)
{
    uint64_t x = shaping->hash ^ number;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    shaping->hash = x ^ x >> 29;
}

static void add_value(struct shaping *shaping, uint32_t value, unsigned depth);

/* What an access reads: its space, type and, of a variable or an argument alone, which. */
static void add_load(struct shaping *shaping, const struct fw_instruction *at)
{
    const struct fw_operand *from = &at->operands[at->operand_count > 1 ? 1 : 0];
    add(shaping, at->space);
    if (from->variable) {
        add(shaping, from->variable->space);
        add(shaping, from->variable->index);
        if (from->variable->space == FW_SPACE_PARAM)
            add(shaping, (uint64_t)from->immediate);
    }
}

static void add_operand(struct shaping *shaping, const struct fw_operand *operand, unsigned depth)
{
    add(shaping, operand->kind);
    add(shaping, operand->negated);
    if (operand->kind == FW_OPERAND_REGISTER)
        add_value(shaping, operand->value, depth);
    else if (operand->kind == FW_OPERAND_INTEGER || operand->kind == FW_OPERAND_FLOAT)
        add(shaping, (uint64_t)operand->immediate);
    else if (operand->kind == FW_OPERAND_SPECIAL)
        add(shaping, operand->index);
    for (uint32_t e = 0; operand->kind == FW_OPERAND_VECTOR && e < operand->count; e++)
        add_operand(shaping, &operand->elements[e], depth);
}

/* Arithmetic in floating point, what a loop carries on and what is loaded are leaves: in unrolled
 * copies they have different pasts. */
static bool is_leaf(const struct fw_instruction *at)
{
    bool signs = at->opcode == FW_OP_ABS || at->opcode == FW_OP_NEG;
    bool moves = at->opcode == FW_OP_MOV || at->opcode == FW_OP_SETP || at->opcode == FW_OP_SELP ||
                 at->opcode == FW_OP_CVT || at->opcode == FW_OP_TESTP;
    return at->destinations != 1 || at->opcode == FW_OP_LD || at->opcode == FW_OP_LDU ||
           (fw_type_class(at->types[0]) == 'f' && !signs && !moves);
}

static void add_value(struct shaping *shaping, uint32_t value, unsigned depth)
{
    const struct fw_branches *branches = shaping->branches;
    uint32_t source = fw_ordinary_source(branches->function, value);
    const struct fw_instruction *at = branch_definition(branches, source);
    shaping->parts++;
    if (!at || depth == DEEPEST || shaping->parts > MOST_PARTS) {
        add(shaping, 1);
        return;
    }
    if (is_leaf(at) && shaping->lined) {
        add(shaping, 1); /* one copy loads what another had loaded before */
        return;
    }
    add(shaping, at->opcode);
    add(shaping, at->types[0]);
    if (at->opcode == FW_OP_LD || at->opcode == FW_OP_LDU)
        add_load(shaping, at);
    if (is_leaf(at))
        return;
    add(shaping, at->types[1]);
    add(shaping, at->compare);
    add(shaping, at->mode);
    add(shaping, branches->function->values[source].slot);
    for (uint32_t o = at->destinations; o < at->operand_count; o++)
        add_operand(shaping, &at->operands[o], depth + 1);
}

/* The opcodes of what a branch guards: the block that the other way does not lead to alone. */
static void add_guarded(struct shaping *shaping, const struct fw_block *block)
{
    enum { MOST_OPCODES = 16 };
    const struct fw_function *function = shaping->branches->function;
    for (uint32_t s = 0; s < block->successor_count; s++) {
        const struct fw_block *next = &function->blocks[block->successors[s]];
        if (next->predecessor_count != 1)
            continue;
        add(shaping, s);
        for (uint32_t i = next->first; i < next->end && i < next->first + MOST_OPCODES; i++)
            add(shaping, function->instructions[i].opcode);
    }
}

uint64_t fw_branches_shape(struct fw_branches *branches, uint32_t instruction)
{
    const struct fw_instruction *at = &branches->function->instructions[instruction];
    const struct fw_block *block = &branches->function->blocks[branches->block_of[instruction]];
    struct shaping shaping = {
        .branches = branches, .hash = 0x9e3779b97f4a7c15u, .lined = at->line != 0};
    if (at->guard == FW_NO_INDEX || at->opcode == FW_OP_BRX)
        return 0;
    add(&shaping, at->opcode);
    add(&shaping, at->guard_negated);
    add(&shaping, at->line);
    add(&shaping, at->line ? at->file : 0);
    add_value(&shaping, at->guard_value, 0);
    if (!at->line && instruction + 1 == block->end)
        add_guarded(&shaping, block);
    return shaping.hash ? shaping.hash : 1;
}
