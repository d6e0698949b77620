/* Arguments: the record's parameters, loads of them, and which of them are pointers. */
#include "record_internal.h"

static const struct fw_instruction *definition_of(const struct builder *b, uint32_t value)
{
    const struct fw_value *origin = value == FW_NO_INDEX ? NULL : &b->function->values[value];
    return origin && origin->kind == FW_VALUE_INSTRUCTION
               ? &b->function->instructions[origin->definition]
               : NULL;
}

/* [name + offset], or [register + offset] when the register holds the name's address. */
const struct fw_variable *record_parameter_place(const struct builder *b,
                                                 const struct fw_operand *address, uint64_t *offset)
{
    const struct fw_variable *variable = address->variable;
    *offset = (uint64_t)address->immediate;
    if (address->kind != FW_OPERAND_ADDRESS)
        return NULL;
    if (!variable && address->index != FW_NO_INDEX) {
        const struct fw_instruction *at = definition_of(b, address->value);
        for (unsigned moves = 0;
             moves < 8 && at && at->opcode == FW_OP_MOV && at->guard == FW_NO_INDEX &&
             at->operand_count == 2 && at->operands[1].kind == FW_OPERAND_REGISTER;
             moves++)
            at = definition_of(b, at->operands[1].value);
        if (!at || at->opcode != FW_OP_MOV || at->guard != FW_NO_INDEX || at->operand_count != 2 ||
            at->operands[1].kind != FW_OPERAND_SYMBOL)
            return NULL;
        variable = at->operands[1].variable;
        *offset += (uint64_t)at->operands[1].immediate;
    } else if (address->index != FW_NO_INDEX) {
        return NULL;
    }
    return variable && variable->space == FW_SPACE_PARAM ? variable : NULL;
}

struct staged_place {
    const struct fw_variable *variable;
    int64_t offset;
};

/* The index of the store of each place that calls are staged through; FW_NO_INDEX: of several. */
static void find_staged(struct builder *b)
{
    b->staged = fw_map_new(b->arena);
    b->staged_known = true;
    for (uint32_t i = 0; i < b->function->instruction_count; i++) {
        const struct fw_instruction *at = &b->function->instructions[i];
        if (at->opcode != FW_OP_ST || at->space != FW_SPACE_PARAM || at->operand_count < 2)
            continue;
        const struct staged_place place = {at->operands[0].variable, at->operands[0].immediate};
        bool added, plain = at->guard == FW_NO_INDEX && at->vector <= 1;
        struct fw_map_entry *entry =
            fw_map_add(&b->staged, (const char *)&place, sizeof(place), &added);
        entry->value = added && plain ? i : FW_NO_INDEX;
    }
}

const struct fw_instruction *record_staged(struct builder *b, const struct fw_operand *address,
                                           enum fw_type type)
{
    const struct staged_place place = {address->variable, address->immediate};
    if (!address->variable || address->variable->index != FW_NO_INDEX)
        return NULL;
    if (!b->staged_known)
        find_staged(b);
    const struct fw_map_entry *entry = fw_map_find(&b->staged, (const char *)&place, sizeof(place));
    if (!entry || entry->value == FW_NO_INDEX)
        return NULL;
    const struct fw_instruction *store = &b->function->instructions[entry->value];
    return fw_type_bytes((enum fw_type)store->types[0]) == fw_type_bytes(type) ? store : NULL;
}

uint32_t record_parameter_at(const struct builder *b, uint64_t offset, uint32_t bytes)
{
    for (uint32_t p = 0; p < b->kernel->parameter_count; p++)
        if (b->kernel->parameters[p].offset == offset && b->kernel->parameters[p].bytes == bytes)
            return p;
    return FW_NONE;
}

static void add_parameter(struct fw_kernel *kernel, struct fw_arena *arena, size_t *capacity,
                          struct fw_parameter parameter)
{
    if (kernel->parameter_count == *capacity)
        kernel->parameters =
            fw_arena_grow(arena, kernel->parameters, capacity, sizeof(*kernel->parameters));
    kernel->parameters[kernel->parameter_count++] = parameter;
}

/* The parts of a structure argument that the kernel loads, each a parameter of its own. */
static void add_members(struct builder *b, const struct fw_variable *variable, const char *name,
                        size_t *capacity)
{
    enum { MOST_MEMBERS = 1024 };
    uint32_t before = b->kernel->parameter_count;
    for (uint32_t i = 0; i < b->function->instruction_count; i++) {
        const struct fw_instruction *at = &b->function->instructions[i];
        uint64_t first;
        if (at->opcode != FW_OP_LD || at->space != FW_SPACE_PARAM || at->operand_count < 2 ||
            record_parameter_place(b, &at->operands[1], &first) != variable)
            continue;
        for (uint32_t v = 0; v < (at->vector ? at->vector : 1u); v++) {
            uint32_t bytes = fw_type_bytes((enum fw_type)at->types[0]);
            uint64_t inside = first + (uint64_t)v * bytes, offset = variable->offset + inside;
            if (inside >= variable->bytes || record_parameter_at(b, offset, bytes) != FW_NONE ||
                b->kernel->parameter_count - before >= MOST_MEMBERS)
                continue;
            add_parameter(b->kernel, b->arena, capacity,
                          (struct fw_parameter){.name = fw_arena_printf(b->arena, "%s+%llu", name,
                                                                        (unsigned long long)inside),
                                                .type = (enum fw_type)at->types[0],
                                                .offset = (uint32_t)offset,
                                                .bytes = bytes,
                                                .position = variable->index,
                                                .is_member = true});
        }
    }
}

void record_parameters(struct builder *b, const struct fw_record_options *options)
{
    size_t capacity = 0;
    for (uint32_t p = 0; p < b->function->parameter_count; p++) {
        const struct fw_variable *variable = &b->function->parameters[p];
        const char *name = options && p < options->name_count && options->names[p]
                               ? options->names[p]
                               : variable->name;
        if (variable->is_array) {
            add_members(b, variable, name, &capacity);
            continue;
        }
        add_parameter(b->kernel, b->arena, &capacity,
                      (struct fw_parameter){.name = name,
                                            .type = variable->type,
                                            .offset = variable->offset,
                                            .bytes = fw_type_bytes(variable->type),
                                            .is_pointer = variable->points_to != FW_SPACE_NONE,
                                            .is_local = variable->points_to == FW_SPACE_SHARED,
                                            .alignment = variable->pointee_alignment,
                                            .position = p});
    }
}

/* The arguments that an address is a sum of: through moves, sums, conversions and joins, not
 * through products, whose operands are indices. */
struct tracing {
    struct builder *b;
    FW_VECTOR(uint32_t) work; /* values to look at */
    uint32_t *stamp;          /* by value */
    uint32_t epoch;
    uint32_t found; /* the one argument of an address's size; FW_NONE */
    bool ambiguous;
};

static void trace(struct tracing *t, uint32_t value)
{
    enum { MOST_TRACED = 128 };
    if (value == FW_NO_INDEX || t->stamp[value] == t->epoch || t->work.count >= MOST_TRACED)
        return;
    t->stamp[value] = t->epoch;
    *FW_APPEND(t->b->arena, &t->work) = value;
}

static void trace_operands(struct tracing *t, const struct fw_instruction *at)
{
    uint32_t from = 1, to = at->operand_count;
    switch ((enum fw_opcode)at->opcode) {
    case FW_OP_MAD:
        from = 3;
        break;
    case FW_OP_SUB:
        to = to < 2 ? to : 2;
        break;
    case FW_OP_MOV:
    case FW_OP_CVTA:
    case FW_OP_ADD:
        break;
    case FW_OP_SELP:
        to = to < 3 ? to : 3;
        break;
    default:
        return;
    }
    for (uint32_t o = from; o < to; o++)
        if (at->operands[o].kind == FW_OPERAND_REGISTER)
            trace(t, at->operands[o].value);
}

static void trace_value(struct tracing *t, uint32_t value)
{
    const struct fw_function *function = t->b->function;
    const struct fw_value *origin = &function->values[value];
    uint64_t offset;
    if (origin->kind == FW_VALUE_PHI) {
        const struct fw_block *block = &function->blocks[origin->block];
        for (uint32_t p = 0; p < block->predecessor_count; p++)
            trace(t, block->phis[origin->definition].inputs[p]);
        return;
    }
    const struct fw_instruction *at = definition_of(t->b, value);
    if (!at)
        return;
    if (at->slot) {
        if (at->opcode == FW_OP_LD)
            trace(t, at->slot->value);
        else if (at->operands[1].kind == FW_OPERAND_REGISTER)
            trace(t, at->operands[1].value);
        return;
    }
    if (at->opcode != FW_OP_LD) {
        trace_operands(t, at);
        return;
    }
    const struct fw_variable *variable =
        at->space == FW_SPACE_PARAM && at->operand_count > 1
            ? record_parameter_place(t->b, &at->operands[1], &offset)
            : NULL;
    uint32_t bytes = function->module->address_bits == 32 ? 4 : 8;
    const struct fw_instruction *store =
        variable ? record_staged(t->b, &at->operands[1], (enum fw_type)at->types[0]) : NULL;
    if (store && store->operands[1].kind == FW_OPERAND_REGISTER)
        trace(t, store->operands[1].value);
    if (!variable || variable->index == FW_NO_INDEX || fw_type_bytes(at->types[0]) != bytes)
        return;
    uint32_t p = record_parameter_at(
        t->b, variable->offset + offset + (uint64_t)origin->slot * bytes, bytes);
    t->ambiguous |= p != FW_NONE && t->found != FW_NONE && t->found != p;
    t->found = p != FW_NONE ? p : t->found;
}

/* Arguments that accesses' addresses are made of are pointers, whatever their type says. */
void record_mark_pointers(struct builder *b)
{
    struct tracing t = {.b = b, .stamp = FW_ARRAY(b->arena, uint32_t, b->function->value_count)};
    for (uint32_t i = 0; i < b->function->instruction_count; i++) {
        const struct fw_instruction *at = &b->function->instructions[i];
        bool converts = at->opcode == FW_OP_CVTA && at->operand_count > 1 &&
                        at->operands[1].kind == FW_OPERAND_REGISTER;
        if (b->function->blocks[b->block_of[i]].order == FW_NO_INDEX)
            continue;
        t.epoch++;
        t.work.count = 0;
        t.found = FW_NONE;
        t.ambiguous = false;
        if (converts)
            trace(&t, at->operands[1].value);
        for (uint32_t o = 0; o < at->operand_count; o++)
            if (at->operands[o].kind == FW_OPERAND_ADDRESS && at->space != FW_SPACE_PARAM &&
                at->operands[o].index != FW_NO_INDEX)
                trace(&t, at->operands[o].value);
        for (size_t w = 0; w < t.work.count; w++)
            trace_value(&t, t.work.at[w]);
        if (t.found != FW_NONE && !t.ambiguous)
            b->kernel->parameters[t.found].is_pointer = true;
    }
}
