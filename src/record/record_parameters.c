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

/* The source's name of a part, if the members are those of a structure of this size. */
static const char *member_name(const struct builder *b, const struct fw_variable *variable,
                               const struct fw_record_members *members, const char *name,
                               uint64_t inside, uint32_t bytes)
{
    for (uint32_t m = 0; members && members->bytes == variable->bytes && m < members->count; m++)
        if (members->at[m].offset == inside && members->at[m].bytes == bytes)
            return members->at[m].name;
    return fw_arena_printf(b->arena, "%s+%llu", name, (unsigned long long)inside);
}

/* The parts of a structure argument that the kernel loads, each a parameter of its own. */
static void add_members(struct builder *b, const struct fw_variable *variable, const char *name,
                        const struct fw_record_members *members, size_t *capacity)
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
                          (struct fw_parameter){
                              .name = member_name(b, variable, members, name, inside, bytes),
                              .inside = (uint32_t)inside,
                              .type = (enum fw_type)at->types[0],
                              .offset = (uint32_t)offset,
                              .bytes = bytes,
                              .position = variable->index,
                              .is_member = true});
        }
    }
}

/* What a pointer is known to be a multiple of.  LLVM writes .align 1 where it knows nothing: Triton
 * and clang do. */
static uint32_t stated_alignment(const struct fw_variable *variable)
{
    return variable->pointee_alignment > 1 ? variable->pointee_alignment : 0;
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
            add_members(b, variable, name,
                        options && options->members && p < options->name_count
                            ? &options->members[p]
                            : NULL,
                        &capacity);
            continue;
        }
        add_parameter(b->kernel, b->arena, &capacity,
                      (struct fw_parameter){.name = name,
                                            .type = variable->type,
                                            .offset = variable->offset,
                                            .bytes = fw_type_bytes(variable->type),
                                            .is_pointer = variable->points_to != FW_SPACE_NONE,
                                            .is_local = variable->points_to == FW_SPACE_SHARED,
                                            .alignment = stated_alignment(variable),
                                            .position = p});
    }
}

/* The arguments that addresses may begin at: through moves, sums, conversions, joins and choices,
 * not through products, whose operands are indices. */
struct tracing {
    struct builder *b;
    uint32_t *stamp; /* by value */
    uint32_t epoch, steps;
    FW_VECTOR(uint32_t) found; /* by the trace in progress */
};

enum { MOST_TRACED = 128 };

static bool trace(struct tracing *t, uint32_t value);

static bool trace_operand(struct tracing *t, const struct fw_instruction *at, uint32_t o)
{
    return o < at->operand_count && at->operands[o].kind == FW_OPERAND_REGISTER &&
           trace(t, at->operands[o].value);
}

/* Of a sum, one part is an address and the others are offsets: where two may be addresses, what
 * both lead to is left open. */
static bool trace_sum(struct tracing *t, const struct fw_instruction *at)
{
    size_t before = t->found.count;
    bool left = trace_operand(t, at, 1);
    bool right = trace_operand(t, at, 2);
    if (left && right)
        t->found.count = before;
    return left || right;
}

static bool trace_instruction(struct tracing *t, const struct fw_instruction *at)
{
    bool found = false;
    switch ((enum fw_opcode)at->opcode) {
    case FW_OP_ADD:
        return trace_sum(t, at);
    case FW_OP_MAD:
        return trace_operand(t, at, 3);
    case FW_OP_SUB:
    case FW_OP_MOV:
    case FW_OP_CVTA:
        return trace_operand(t, at, 1);
    case FW_OP_AND: /* rounded down to a multiple */
        return at->operand_count > 2 && at->operands[2].kind == FW_OPERAND_INTEGER &&
               trace_operand(t, at, 1);
    case FW_OP_SELP:
    case FW_OP_MIN:
    case FW_OP_MAX:
        found = trace_operand(t, at, 1);
        return trace_operand(t, at, 2) || found;
    default:
        return false;
    }
}

/* The argument of an address's size that the instruction loads, or what was staged there. */
static bool trace_load(struct tracing *t, const struct fw_instruction *at, uint32_t slot)
{
    uint32_t bytes = t->b->function->module->address_bits == 32 ? 4 : 8;
    uint64_t offset;
    const struct fw_variable *variable =
        at->space == FW_SPACE_PARAM && at->operand_count > 1
            ? record_parameter_place(t->b, &at->operands[1], &offset)
            : NULL;
    const struct fw_instruction *store =
        variable ? record_staged(t->b, &at->operands[1], (enum fw_type)at->types[0]) : NULL;
    if (store)
        return trace_operand(t, store, 1);
    if (!variable || variable->index == FW_NO_INDEX || fw_type_bytes(at->types[0]) != bytes)
        return false;
    uint32_t p =
        record_parameter_at(t->b, variable->offset + offset + (uint64_t)slot * bytes, bytes);
    if (p != FW_NONE)
        *FW_APPEND(t->b->arena, &t->found) = p;
    return p != FW_NONE;
}

/* Whether an address may begin in the value; appends the arguments that it then begins at.  A value
 * met before counts as an address: a pointer that a loop moves on. */
static bool trace(struct tracing *t, uint32_t value)
{
    const struct fw_function *function = t->b->function;
    bool found = false;
    if (value == FW_NO_INDEX)
        return false;
    if (t->stamp[value] == t->epoch || t->steps >= MOST_TRACED)
        return true;
    t->stamp[value] = t->epoch;
    t->steps++;
    const struct fw_value *origin = &function->values[value];
    if (origin->kind == FW_VALUE_PHI) {
        const struct fw_block *block = &function->blocks[origin->block];
        for (uint32_t p = 0; p < block->predecessor_count; p++)
            found |= trace(t, block->phis[origin->definition].inputs[p]);
        return found;
    }
    const struct fw_instruction *at = definition_of(t->b, value);
    if (!at)
        return false;
    if (at->slot && at->opcode == FW_OP_LD)
        return trace(t, at->slot->value);
    if (at->slot)
        return trace_operand(t, at, 1);
    return at->opcode == FW_OP_LD ? trace_load(t, at, origin->slot) : trace_instruction(t, at);
}

static void trace_address(struct tracing *t, uint32_t value)
{
    t->epoch++;
    t->steps = 0;
    t->found.count = 0;
    trace(t, value);
    for (size_t f = 0; f < t->found.count; f++)
        t->b->kernel->parameters[t->found.at[f]].is_pointer = true;
}

/* What is done with the arguments of an address's size: by parameter. */
struct argument_uses {
    struct builder *b;
    uint32_t *holds;       /* by value: 1 + the parameter that it is loaded from; 0 */
    bool *compared, *used; /* with 0; in another way */
};

static bool is_zero(const struct fw_operand *operand)
{
    return operand->kind == FW_OPERAND_INTEGER && operand->immediate == 0;
}

static void note_use(const struct argument_uses *uses, uint32_t value, bool compared)
{
    uint32_t parameter = value == FW_NO_INDEX ? 0 : uses->holds[value];
    if (parameter)
        *(compared ? &uses->compared[parameter - 1] : &uses->used[parameter - 1]) = true;
}

/* Whether an instruction takes the low bits of an argument: a test of its alignment begins so. */
static bool takes_low_bits(const struct argument_uses *uses, const struct fw_instruction *at)
{
    enum { MOST_ALIGNMENT = 256 };
    if (at->opcode != FW_OP_AND || at->operand_count != 3 || at->guard != FW_NO_INDEX ||
        at->operands[1].kind != FW_OPERAND_REGISTER || at->operands[2].kind != FW_OPERAND_INTEGER ||
        at->operands[0].value == FW_NO_INDEX || at->operands[1].value == FW_NO_INDEX)
        return false;
    int64_t mask = at->operands[2].immediate;
    return uses->holds[at->operands[1].value] && mask > 0 && mask < MOST_ALIGNMENT &&
           (mask & (mask + 1)) == 0;
}

static void note_uses(const struct argument_uses *uses, const struct fw_instruction *at)
{
    if (takes_low_bits(uses, at))
        return;
    bool asks = at->opcode == FW_OP_SETP && at->operand_count - at->destinations == 2 &&
                (at->compare == FW_CMP_EQ || at->compare == FW_CMP_NE);
    for (uint32_t o = at->destinations; o < at->operand_count; o++) {
        const struct fw_operand *operand = &at->operands[o];
        bool other_is_zero =
            asks && is_zero(&at->operands[o == at->destinations ? o + 1u : o - 1u]);
        note_use(uses, operand->value, other_is_zero && operand->kind == FW_OPERAND_REGISTER);
        for (uint32_t e = 0; operand->elements && e < operand->count; e++)
            note_use(uses, operand->elements[e].value, false);
    }
}

/* Arguments of an address's size that are compared with 0, they or their low bits, and used for
 * nothing else: arrays that may be left out. */
static void mark_optional_pointers(struct builder *b)
{
    const struct fw_function *function = b->function;
    uint32_t bytes = function->module->address_bits == 32 ? 4 : 8,
             count = b->kernel->parameter_count;
    struct argument_uses uses = {b, FW_ARRAY(b->arena, uint32_t, function->value_count + 1),
                                 FW_ARRAY(b->arena, bool, count + 1),
                                 FW_ARRAY(b->arena, bool, count + 1)};
    if (bytes != 8) /* an integer of 32 bits may be anything */
        return;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct fw_instruction *at = &function->instructions[i];
        uint64_t offset;
        const struct fw_variable *variable =
            at->opcode == FW_OP_LD && at->space == FW_SPACE_PARAM && at->operand_count > 1
                ? record_parameter_place(b, &at->operands[1], &offset)
                : NULL;
        if (takes_low_bits(&uses, at))
            uses.holds[at->operands[0].value] = uses.holds[at->operands[1].value];
        if (!variable || variable->index == FW_NO_INDEX)
            continue;
        uint32_t size = fw_type_bytes((enum fw_type)at->types[0]);
        uint32_t p = record_parameter_at(b, variable->offset + offset, size);
        if (p == FW_NONE)
            continue;
        if (size == bytes && at->operands[0].kind == FW_OPERAND_REGISTER && at->vector <= 1 &&
            at->operands[0].value != FW_NO_INDEX && b->kernel->parameters[p].bytes == bytes)
            uses.holds[at->operands[0].value] = p + 1;
        else
            uses.used[p] = true;
    }
    for (uint32_t i = 0; i < function->instruction_count; i++)
        note_uses(&uses, &function->instructions[i]);
    for (uint32_t k = 0; k < function->block_count; k++)
        for (uint32_t p = 0; p < function->blocks[k].phi_count; p++)
            for (uint32_t e = 0; e < function->blocks[k].predecessor_count; e++)
                note_use(&uses, function->blocks[k].phis[p].inputs[e], false);
    for (uint32_t p = 0; p < count; p++)
        b->kernel->parameters[p].is_pointer |= uses.compared[p] && !uses.used[p];
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
        if (converts)
            trace_address(&t, at->operands[1].value);
        for (uint32_t o = 0; o < at->operand_count; o++)
            if (at->operands[o].kind == FW_OPERAND_ADDRESS && at->space != FW_SPACE_PARAM &&
                at->operands[o].index != FW_NO_INDEX)
                trace_address(&t, at->operands[o].value);
    }
    mark_optional_pointers(b);
}
