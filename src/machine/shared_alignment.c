/* Alignment of shared addresses: a slice of what they depend on, and its greatest fixed point. */
#include "shared_alignment.h"

#include "arena.h"

enum {
    ZEROS_MOST = 4,   /* low bits that are looked at */
    PASSES_MOST = 24, /* beyond: nothing is known.  Loops in loops take a pass each. */
    VARIABLES_MOST = 64
};

struct fw_shared_alignment {
    const struct fw_function *function;
    uint8_t *zeros;  /* by value: low bits known to be 0; values outside of the slice: none */
    uint32_t *slice; /* values, behind those that they depend on but for loops */
    uint32_t count;
    struct {
        const struct fw_variable *variable;
        uint32_t low; /* its offset's low bits */
    } places[VARIABLES_MOST];
    uint32_t place_count;
};

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned zeros_of(uint64_t bits)
{
    unsigned zeros = 0;
    while (zeros < ZEROS_MOST && !(bits >> zeros & 1))
        zeros++;
    return zeros;
}

/* ---- where variables lie ---- */

struct used {
    const struct fw_variable *variables[VARIABLES_MOST];
    uint32_t count; /* VARIABLES_MOST + 1: there are more */
};

static bool is_used(const struct used *used, const struct fw_variable *variable)
{
    for (uint32_t u = 0; u < used->count && u < VARIABLES_MOST; u++)
        if (used->variables[u] == variable)
            return true;
    return false;
}

static void find_used(struct used *used, const struct fw_operand *operand, unsigned depth)
{
    const struct fw_variable *variable = operand->variable;
    if (variable && variable->space == FW_SPACE_SHARED && !variable->external &&
        used->count <= VARIABLES_MOST && !is_used(used, variable)) {
        if (used->count < VARIABLES_MOST)
            used->variables[used->count] = variable;
        used->count++;
    }
    for (uint16_t e = 0; operand->elements && e < operand->count && depth < 4; e++)
        find_used(used, &operand->elements[e], depth + 1);
}

static void place(struct fw_shared_alignment *a, uint64_t *end, const struct used *used,
                  struct fw_variable *const *variables, uint32_t variable_count)
{
    for (uint32_t v = 0; v < variable_count; v++) {
        const struct fw_variable *variable = variables[v];
        uint64_t alignment = variable->alignment > 1 ? variable->alignment : 1;
        if (!is_used(used, variable) || a->place_count == VARIABLES_MOST)
            continue;
        *end = alignment >= FW_SHARED_ALIGNMENT_MOST
                   ? 0
                   : (*end + alignment - 1) / alignment * alignment;
        a->places[a->place_count].variable = variable;
        a->places[a->place_count++].low = (uint32_t)(*end % FW_SHARED_ALIGNMENT_MOST);
        *end = (*end + variable->bytes) % FW_SHARED_ALIGNMENT_MOST;
    }
}

/* ptxas lays out the variables that a kernel uses in the order of their declaration, those of the
 * function before those of the module, from a multiple of 16 on.  A called function may use others:
 * then no more than stated alignment is known.  One without a body (vprintf) uses none. */
static void find_places(struct fw_shared_alignment *a)
{
    const struct fw_function *function = a->function;
    struct used used = {.count = 0};
    uint64_t end = 0;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct fw_instruction *at = &function->instructions[i];
        if (at->opcode == FW_OP_CALL && (!at->callee || at->callee->has_body))
            return;
        for (uint16_t o = 0; o < at->operand_count; o++)
            find_used(&used, &at->operands[o], 0);
    }
    if (used.count > VARIABLES_MOST)
        return;
    place(a, &end, &used, function->variables, function->variable_count);
    if (function->module)
        place(a, &end, &used, function->module->variables, function->module->variable_count);
}

static unsigned of_variable(const struct fw_shared_alignment *a, const struct fw_variable *variable)
{
    for (uint32_t p = 0; p < a->place_count; p++)
        if (a->places[p].variable == variable)
            return zeros_of(a->places[p].low);
    return variable && variable->alignment ? zeros_of(variable->alignment) : 0;
}

/* ---- operations ---- */

static unsigned of_operand(const struct fw_shared_alignment *a, const struct fw_operand *operand)
{
    if (operand->kind == FW_OPERAND_INTEGER)
        return zeros_of((uint64_t)operand->immediate);
    if (operand->kind == FW_OPERAND_SYMBOL)
        return least(of_variable(a, operand->variable), zeros_of((uint64_t)operand->immediate));
    if (operand->kind != FW_OPERAND_REGISTER || operand->value == FW_NO_INDEX)
        return 0;
    return a->zeros[operand->value];
}

uint32_t fw_shared_alignment_of(const struct fw_shared_alignment *alignment,
                                const struct fw_operand *operand)
{
    return 1U << of_operand(alignment, operand);
}

static bool is_integer(uint8_t type)
{
    char class = fw_type_class((enum fw_type)type);
    return class == 's' || class == 'u' || class == 'b';
}

/* Operations of which something can be known. */
static bool is_known(const struct fw_instruction *at)
{
    if (at->guard != FW_NO_INDEX || at->destinations != 1 || at->operand_count < 2 ||
        at->operands[0].kind != FW_OPERAND_REGISTER || !at->type_count ||
        !is_integer(at->types[0]) || (at->flags & FW_FLAG_SAT))
        return false;
    switch (at->opcode) {
    case FW_OP_MOV:
    case FW_OP_CVTA:
    case FW_OP_NEG:
        return at->operand_count == 2;
    case FW_OP_CVT:
        return at->operand_count == 2 && at->type_count == 2 && is_integer(at->types[1]);
    case FW_OP_ADD:
    case FW_OP_SUB:
    case FW_OP_AND:
    case FW_OP_OR:
    case FW_OP_XOR:
    case FW_OP_SHL:
    case FW_OP_REM:
        return at->operand_count == 3;
    case FW_OP_MUL:
    case FW_OP_MUL24:
        return at->operand_count == 3 && !fw_instruction_has(at, "hi");
    case FW_OP_MAD:
        return at->operand_count == 4 && !fw_instruction_has(at, "hi");
    case FW_OP_SELP:
        return at->operand_count == 4;
    default:
        return false;
    }
}

static unsigned of_instruction(const struct fw_shared_alignment *alignment,
                               const struct fw_instruction *at)
{
    if (!is_known(at))
        return 0;
    unsigned a = of_operand(alignment, &at->operands[1]);
    unsigned b = at->operand_count > 2 ? of_operand(alignment, &at->operands[2]) : a;
    unsigned c = at->operand_count > 3 ? of_operand(alignment, &at->operands[3]) : a;
    const struct fw_operand *second = &at->operands[at->operand_count > 2 ? 2 : 1];
    bool literal = second->kind == FW_OPERAND_INTEGER && second->immediate >= 0;
    switch (at->opcode) {
    case FW_OP_ADD:
    case FW_OP_SUB:
    case FW_OP_OR:
    case FW_OP_XOR:
    case FW_OP_SELP:
        return least(a, b);
    case FW_OP_REM: /* less a multiple of the divisor */
        return literal && second->immediate ? least(a, b) : 0;
    case FW_OP_AND:
        return a > b ? a : b;
    case FW_OP_SHL:
        return !literal ? 0
                        : least(a + (unsigned)(second->immediate < ZEROS_MOST ? second->immediate
                                                                              : ZEROS_MOST),
                                ZEROS_MOST);
    case FW_OP_MUL:
    case FW_OP_MUL24:
        return least(a + b, ZEROS_MOST);
    case FW_OP_MAD:
        return least(least(a + b, ZEROS_MOST), c);
    default: /* moves, conversions, negation */
        return a;
    }
}

static unsigned of_value(const struct fw_shared_alignment *a, uint32_t v)
{
    const struct fw_value *value = &a->function->values[v];
    if (value->kind == FW_VALUE_INSTRUCTION)
        return of_instruction(a, &a->function->instructions[value->definition]);
    if (value->kind != FW_VALUE_PHI)
        return 0;
    const struct fw_block *block = &a->function->blocks[value->block];
    unsigned found = block->predecessor_count ? ZEROS_MOST : 0;
    for (uint32_t p = 0; p < block->predecessor_count; p++) {
        uint32_t input = block->phis[value->definition].inputs[p];
        found = least(found, input == FW_NO_INDEX ? 0 : a->zeros[input]);
    }
    return found;
}

/* ---- the slice ---- */

struct walk {
    struct fw_shared_alignment *alignment;
    struct fw_arena *arena;
    bool *seen;
    FW_VECTOR(uint64_t) stack; /* DONE: what the value depends on is in the slice already */
};

#define DONE ((uint64_t)1 << 32)

static void push_value(struct walk *walk, uint32_t value)
{
    if (value == FW_NO_INDEX || walk->seen[value])
        return;
    walk->seen[value] = true;
    *FW_APPEND(walk->arena, &walk->stack) = value;
}

static void push(void *user, struct fw_operand *operand)
{
    push_value(user, operand->value);
}

static void push_inputs(struct walk *walk, uint32_t v)
{
    const struct fw_function *function = walk->alignment->function;
    const struct fw_value *value = &function->values[v];
    if (value->kind == FW_VALUE_INSTRUCTION) {
        const struct fw_instruction *at = &function->instructions[value->definition];
        if (is_known(at))
            fw_instruction_uses(at, push, walk);
    } else if (value->kind == FW_VALUE_PHI) {
        const struct fw_block *block = &function->blocks[value->block];
        for (uint32_t p = 0; p < block->predecessor_count; p++)
            push_value(walk, block->phis[value->definition].inputs[p]);
    }
}

static void find_slice(struct walk *walk)
{
    struct fw_shared_alignment *a = walk->alignment;
    const struct fw_function *function = a->function;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct fw_instruction *at = &function->instructions[i];
        if (at->opcode == FW_OP_LD && at->space == FW_SPACE_SHARED)
            fw_instruction_uses(at, push, walk);
    }
    a->slice = FW_ARRAY(walk->arena, uint32_t, function->value_count + 1);
    while (walk->stack.count) {
        uint64_t top = walk->stack.at[walk->stack.count - 1];
        if (top & DONE) {
            walk->stack.count--;
            a->slice[a->count++] = (uint32_t)top;
            continue;
        }
        walk->stack.at[walk->stack.count - 1] |= DONE;
        push_inputs(walk, (uint32_t)top);
    }
}

struct fw_shared_alignment *fw_shared_alignment_new(struct fw_arena *arena,
                                                    const struct fw_function *function)
{
    struct fw_shared_alignment *a = FW_NEW(arena, struct fw_shared_alignment);
    struct walk walk = {.alignment = a, .arena = arena};
    a->function = function;
    a->zeros = FW_ARRAY(arena, uint8_t, function->value_count + 1);
    walk.seen = FW_ARRAY(arena, bool, function->value_count + 1);
    find_places(a);
    find_slice(&walk);
    for (uint32_t s = 0; s < a->count; s++)
        a->zeros[a->slice[s]] = ZEROS_MOST;
    bool changed = true;
    for (unsigned pass = 0; changed && pass < PASSES_MOST; pass++) {
        changed = false;
        for (uint32_t s = 0; s < a->count; s++) {
            unsigned now = of_value(a, a->slice[s]);
            changed = changed || now != a->zeros[a->slice[s]];
            a->zeros[a->slice[s]] = (uint8_t)now;
        }
    }
    for (uint32_t s = 0; changed && s < a->count; s++)
        a->zeros[a->slice[s]] = 0;
    return a;
}
