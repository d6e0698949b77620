/* Accesses: what a memory instruction touches, relative to which array. */
#include "record_internal.h"

#include <string.h>

uint32_t record_array(struct builder *b, const struct fw_variable *variable)
{
    for (uint32_t a = 0; a < b->arrays.count; a++)
        if (b->arrays.at[a].parameter == FW_NONE &&
            strcmp(b->arrays.at[a].name, variable->name) == 0)
            return a;
    *FW_APPEND(b->arena, &b->arrays) = (struct fw_array){.name = variable->name,
                                                         .space = variable->space,
                                                         .parameter = FW_NONE,
                                                         .bytes = variable->bytes};
    return (uint32_t)b->arrays.count - 1;
}

static uint32_t parameter_array(struct builder *b, uint32_t parameter, enum fw_space space)
{
    for (uint32_t a = 0; a < b->arrays.count; a++)
        if (b->arrays.at[a].parameter == parameter)
            return a;
    *FW_APPEND(b->arena, &b->arrays) =
        (struct fw_array){.name = b->kernel->parameters[parameter].name,
                          .space = space == FW_SPACE_GENERIC ? FW_SPACE_GLOBAL : space,
                          .parameter = parameter};
    b->kernel->parameters[parameter].is_pointer = true;
    return (uint32_t)b->arrays.count - 1;
}

/* The one term of an address that is an array's begin: a pointer argument or a variable. */
uint32_t record_find_array(struct builder *b, fw_expression address, enum fw_space space,
                           fw_expression *offset)
{
    const struct fw_expression_node *node = &b->pool->expressions.at[address];
    uint32_t best = FW_NONE, best_rank = 0;
    struct fw_atom_node base = {0};
    for (uint32_t t = 0; t < node->term_count; t++) {
        const struct fw_term *term = &node->terms[t];
        if (term->coefficient != 1 || term->atom_count != 1)
            continue;
        const struct fw_atom_node *atom = &b->pool->atoms.at[term->atoms[0]];
        uint32_t rank = 0;
        if (atom->kind == FW_ATOM_ARRAY)
            rank = 3;
        else if (atom->kind == FW_ATOM_PARAMETER && b->kernel->parameters[atom->a].bytes >= 4)
            rank = b->kernel->parameters[atom->a].is_pointer   ? 3
                   : b->kernel->parameters[atom->a].bytes == 8 ? 2
                   : b->function->module->address_bits == 32   ? 1
                                                               : 0;
        if (rank > best_rank) {
            best_rank = rank;
            base = *atom;
        }
    }
    *offset = address;
    if (!best_rank)
        return FW_NONE;
    best = base.kind == FW_ATOM_ARRAY ? base.a : parameter_array(b, base.a, space);
    fw_expression begin = fw_atom_new(b->pool, (enum fw_atom_kind)base.kind, base.a, 0, 0);
    *offset = fw_subtract(b->pool, address, begin);
    return best;
}

const char *record_cache_operators(struct builder *b, const struct fw_instruction *at)
{
    static const char *const known[] = {"ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc"};
    struct fw_buffer out = fw_buffer_new(b->arena);
    for (uint32_t m = 0; m < at->modifier_count; m++) {
        bool is_one =
            strncmp(at->modifiers[m], "L1::", 4) == 0 || strncmp(at->modifiers[m], "L2::", 4) == 0;
        for (size_t k = 0; k < sizeof(known) / sizeof(known[0]); k++)
            is_one |= strcmp(at->modifiers[m], known[k]) == 0;
        if (is_one)
            fw_buffer_printf(&out, out.length ? ".%s" : "%s", at->modifiers[m]);
    }
    return out.text;
}

fw_expression record_address(struct builder *b, const struct fw_operand *operand, uint32_t where)
{
    fw_expression base = 0;
    if (operand->variable && operand->variable->space == FW_SPACE_PARAM && operand->count == 0)
        return fw_add(b->pool, fw_constant(b->pool, (int64_t)operand->variable->offset),
                      fw_constant(b->pool, operand->immediate));
    if (operand->variable)
        base = fw_atom_new(b->pool, FW_ATOM_ARRAY, record_array(b, operand->variable), 0, 0);
    if (operand->index != FW_NO_INDEX)
        base = fw_add(b->pool, base, record_value(b, operand->value, where));
    return fw_add(b->pool, base, fw_constant(b->pool, operand->immediate));
}

static bool direction_of(const struct fw_instruction *at, enum fw_direction *direction)
{
    switch ((enum fw_opcode)at->opcode) {
    case FW_OP_LD:
    case FW_OP_LDU:
        *direction = FW_LOAD;
        return true;
    case FW_OP_ST:
        *direction = FW_STORE;
        return true;
    case FW_OP_ATOM:
        *direction = FW_ATOMIC;
        return true;
    case FW_OP_RED:
        *direction = FW_REDUCTION;
        return true;
    default:
        return false;
    }
}

void record_add_access(struct builder *b, struct fw_access access, const struct fw_operand *operand)
{
    fw_expression address =
        record_as_address(b, record_address(b, operand, b->block_of[access.instruction]));
    access.array = FW_NONE;
    access.offset = address;
    if (access.space != FW_SPACE_PARAM)
        access.array = record_find_array(b, address, access.space, &access.offset);
    access.data_dependent = record_expression_opaque(b, access.offset);
    if (access.data_dependent)
        access.data = record_data_address(b, &access, operand, address);
    record_cursor_array(b, &access);
    if (access.space == FW_SPACE_GENERIC && access.array != FW_NONE)
        access.space = b->arrays.at[access.array].space;
    *FW_APPEND(b->arena, &b->accesses) = access;
}

static const struct fw_operand *address_of(const struct fw_instruction *at)
{
    for (uint32_t o = 0; o < at->operand_count; o++)
        if (at->operands[o].kind == FW_OPERAND_ADDRESS)
            return &at->operands[o];
    return NULL;
}

/* Whether a read-only load has been made before from the same register and offset.  ptxas keeps one
 * of them, and no more: equal addresses in two registers it loads from twice. */
static bool is_repeated(const struct builder *b, const struct fw_access *access,
                        const struct fw_instruction *at, const struct fw_operand *operand)
{
    enum { MOST_BACK = 256 };
    if (access->direction != FW_LOAD || !fw_instruction_has(at, "nc") ||
        operand->value == FW_NO_INDEX)
        return false;
    size_t count = b->accesses.count, least = count > MOST_BACK ? count - MOST_BACK : 0;
    for (size_t a = count; a-- > least;) {
        const struct fw_access *before = &b->accesses.at[a];
        const struct fw_instruction *other = &b->function->instructions[before->instruction];
        const struct fw_operand *from = address_of(other);
        if (before->domain == access->domain && before->bytes == access->bytes && from &&
            from->value == operand->value && from->immediate == operand->immediate &&
            from->variable == operand->variable && fw_instruction_has(other, "nc"))
            return true;
    }
    return false;
}

void record_accesses(struct builder *b, uint32_t instruction, uint32_t domain)
{
    const struct fw_instruction *at = &b->function->instructions[instruction];
    struct fw_access access = {.instruction = instruction,
                               .domain = domain,
                               .line = at->line,
                               .size = FW_NO_EXPRESSION,
                               .transaction = FW_NONE,
                               .quantity = FW_NONE};
    const struct fw_operand *operand = NULL;
    if (record_copies(b, instruction, domain) || !direction_of(at, &access.direction))
        return;
    operand = address_of(at);
    if (!operand)
        return;
    /* Staging of call arguments is no memory access. */
    if (at->space == FW_SPACE_PARAM &&
        (!operand->variable || operand->variable->index == FW_NO_INDEX))
        return;
    access.space = (enum fw_space)at->space;
    access.type = (enum fw_type)at->types[0];
    access.vector = at->vector ? at->vector : 1;
    access.bytes = fw_type_bytes(access.type) * access.vector;
    access.cache = record_cache_operators(b, at);
    access.asynchronous = (at->flags & FW_FLAG_ASYNC) != 0;
    access.cluster = fw_instruction_has(at, "shared::cluster");
    access.base = operand->value;
    access.repeated = is_repeated(b, &access, at, operand);
    access.combined = record_is_combined(b, at, operand);
    access.returns = record_result_is_read(b, at);
    access.increments = record_increments(b, at);
    record_add_access(b, access, operand);
}
