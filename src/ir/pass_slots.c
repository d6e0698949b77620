/* slots: local memory that stands in for registers.  Comes before ssa and needs cfg.
 *
 * Compilers that do not optimise keep a structure's members and the like in a .local variable, at
 * places known from the text.  Such a place, which every store writes as a whole and no other way
 * reaches, is a register in all but name: pass ssa then follows it.  A variable is given up when
 * its address goes anywhere but into loads, stores and sums (a call, memory, a comparison), or when
 * a store goes to a place in it that the text does not tell; a place, when a store covers it in
 * part. Addresses are followed through registers that are defined once. */
#include "passes.h"

#include <stdlib.h>

enum { DEEPEST_CHAIN = 64 };

enum place_kind {
    PLACE_UNSEEN,
    PLACE_SEEING, /* what it is made of is being looked at */
    PLACE_OTHER,  /* no local address as far as is followed */
    PLACE_FIXED,  /* variable + offset */
    PLACE_MOVED   /* in the variable, who knows where */
};

struct place {
    uint8_t kind;
    uint32_t variable; /* index among the variables found */
    int64_t offset;
};

struct access {
    uint32_t instruction;
    uint32_t variable;
    int64_t offset;
    uint32_t bytes;
    bool store;
    bool whole; /* one element, so that it can be a register's value */
};

struct slots {
    struct fw_arena *arena;
    struct fw_function *function;
    uint32_t *definitions;   /* by register: how many */
    uint32_t *definition;    /* by register: the last that was seen */
    struct place *places;    /* by register */
    struct fw_map variables; /* a variable's address: its index */
    FW_VECTOR(bool) lost;    /* by variable's index */
    FW_VECTOR(struct access) accesses;
    uint32_t instruction;
};

static bool is_local(const struct fw_operand *operand)
{
    return operand->variable && operand->variable->space == FW_SPACE_LOCAL;
}

static uint32_t index_of(struct slots *s, struct fw_variable *variable)
{
    bool added;
    struct fw_map_entry *entry =
        fw_map_add(&s->variables, (const char *)&variable, sizeof(variable), &added);
    if (added) {
        entry->value = (uint32_t)s->lost.count;
        *FW_APPEND(s->arena, &s->lost) = false;
    }
    return entry->value;
}

static struct place place_of_register(struct slots *s, uint32_t reg, unsigned depth);

/* The place so many bytes further; numbers that no variable has room for are not followed. */
static struct place further(struct place place, int64_t bytes)
{
    if (bytes > INT32_MAX || bytes < -INT32_MAX)
        place.kind = place.kind == PLACE_FIXED ? PLACE_MOVED : place.kind;
    else
        place.offset += bytes;
    return place;
}

static struct place place_of(struct slots *s, const struct fw_operand *operand, unsigned depth)
{
    if (is_local(operand) && (operand->kind == FW_OPERAND_SYMBOL ||
                              (operand->kind == FW_OPERAND_ADDRESS && operand->count == 0)))
        return further((struct place){PLACE_FIXED, index_of(s, operand->variable), 0},
                       operand->immediate);
    if (operand->index == FW_NO_INDEX || operand->negated || operand->count ||
        (operand->kind != FW_OPERAND_REGISTER && operand->kind != FW_OPERAND_ADDRESS))
        return (struct place){.kind = PLACE_OTHER};
    struct place place = place_of_register(s, operand->index, depth);
    return operand->kind == FW_OPERAND_ADDRESS ? further(place, operand->immediate) : place;
}

/* The place in the variable that a sum of a place and something else is. */
static struct place moved(struct slots *s, const struct fw_instruction *at, unsigned depth)
{
    struct place left = place_of(s, &at->operands[1], depth);
    struct place right = place_of(s, &at->operands[2], depth);
    const struct fw_operand *other = &at->operands[2];
    bool minus = at->opcode == FW_OP_SUB;
    if (left.kind == PLACE_OTHER && !minus) {
        left = right;
        right.kind = PLACE_OTHER;
        other = &at->operands[1];
    }
    if (left.kind == PLACE_OTHER || right.kind != PLACE_OTHER || at->flags)
        return (struct place){.kind = PLACE_OTHER};
    if (other->kind == FW_OPERAND_INTEGER && !other->negated && other->immediate != INT64_MIN)
        return further(left, minus ? -other->immediate : other->immediate);
    left.kind = PLACE_MOVED;
    return left;
}

/* What an instruction with one destination makes of places. */
static struct place place_defined(struct slots *s, const struct fw_instruction *at, unsigned depth)
{
    const struct place none = {.kind = PLACE_OTHER};
    if (at->guard != FW_NO_INDEX || at->destinations != 1 ||
        at->operands[0].kind != FW_OPERAND_REGISTER)
        return none;
    switch ((enum fw_opcode)at->opcode) {
    case FW_OP_MOV:
    case FW_OP_CVTA:
        return at->operand_count == 2 ? place_of(s, &at->operands[1], depth) : none;
    case FW_OP_ADD:
    case FW_OP_SUB:
        return at->operand_count == 3 ? moved(s, at, depth) : none;
    default:
        return none;
    }
}

static struct place place_of_register(struct slots *s, uint32_t reg, unsigned depth)
{
    struct place *place = &s->places[reg];
    if (place->kind == PLACE_UNSEEN && s->definitions[reg] == 1 && depth < DEEPEST_CHAIN) {
        place->kind = PLACE_SEEING;
        *place = place_defined(s, &s->function->instructions[s->definition[reg]], depth + 1);
    }
    if (place->kind == PLACE_UNSEEN)
        place->kind = PLACE_OTHER;
    return place->kind == PLACE_SEEING ? (struct place){.kind = PLACE_OTHER} : *place;
}

static void note_definition(void *user, struct fw_operand *operand)
{
    struct slots *s = user;
    s->definitions[operand->index]++;
    s->definition[operand->index] = s->instruction;
}

static bool is_place(const struct place *place)
{
    return place->kind == PLACE_FIXED || place->kind == PLACE_MOVED;
}

/* The variable that an operand is, or leads into, is reached in a way that is not followed. */
static void lose(struct slots *s, const struct fw_operand *operand)
{
    struct place place = place_of(s, operand, 0);
    if (is_place(&place))
        s->lost.at[place.variable] = true;
    else if (is_local(operand))
        s->lost.at[index_of(s, operand->variable)] = true;
    for (uint32_t e = 0; e < operand->count; e++)
        lose(s, &operand->elements[e]);
}

/* Loads and stores whose address is followed; false: the instruction is something else. */
static bool add_access(struct slots *s, const struct fw_instruction *at, uint32_t address)
{
    struct place place = place_of(s, &at->operands[address], 0);
    bool plain = (at->space == FW_SPACE_LOCAL || at->space == FW_SPACE_GENERIC) &&
                 !(at->flags & (FW_FLAG_VOLATILE | FW_FLAG_ASYNC)) && at->operand_count == 2;
    bool store = at->opcode == FW_OP_ST;
    uint32_t vector = at->vector > 1 ? at->vector : 1;
    uint32_t bytes = fw_type_bytes((enum fw_type)at->types[0]) * vector;
    if (!is_place(&place) || !plain || !bytes || (store && place.kind == PLACE_MOVED))
        return false;
    const struct fw_operand *data = &at->operands[1 - address];
    if (place.kind == PLACE_FIXED)
        *FW_APPEND(s->arena, &s->accesses) =
            (struct access){.instruction = s->instruction,
                            .variable = place.variable,
                            .offset = place.offset,
                            .bytes = bytes,
                            .store = store,
                            .whole = vector == 1 && data->kind != FW_OPERAND_VECTOR};
    return true;
}

static void visit(struct slots *s, const struct fw_instruction *at)
{
    uint32_t followed = FW_NO_INDEX;
    bool load = at->opcode == FW_OP_LD;
    if ((load || at->opcode == FW_OP_ST) && at->operand_count == 2)
        followed = load ? 1 : 0;
    if (followed != FW_NO_INDEX && !add_access(s, at, followed))
        followed = FW_NO_INDEX;
    struct place made = place_defined(s, at, 0);
    for (uint32_t o = 0; o < at->operand_count; o++)
        if (o != followed && (o >= at->destinations || at->operands[o].count) && !is_place(&made))
            lose(s, &at->operands[o]);
}

static int compare_accesses(const void *left, const void *right)
{
    const struct access *a = left, *b = right;
    if (a->variable != b->variable)
        return a->variable < b->variable ? -1 : 1;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    if (a->bytes != b->bytes)
        return a->bytes < b->bytes ? -1 : 1;
    return a->instruction < b->instruction ? -1 : a->instruction > b->instruction;
}

static bool same_place(const struct access *a, const struct access *b)
{
    return a->variable == b->variable && a->offset == b->offset && a->bytes == b->bytes;
}

/* The end of the run of accesses from `first` whose stores overlap one another; `alike`: all stores
 * of the run write the same place as a whole. */
static size_t run_of(const struct slots *s, size_t first, bool *alike)
{
    const struct access *at = s->accesses.at, *store = NULL;
    int64_t end = at[first].offset;
    size_t i = first;
    *alike = true;
    for (; i < s->accesses.count && at[i].variable == at[first].variable; i++) {
        if (i > first && at[i].offset >= end)
            break;
        if (at[i].offset + at[i].bytes > end)
            end = at[i].offset + at[i].bytes;
        if (!at[i].store)
            continue;
        *alike = *alike && at[i].whole && (!store || same_place(store, &at[i]));
        store = &at[i];
    }
    *alike = *alike && store;
    return i;
}

/* Gives the accesses of a run that cover the stored place as a whole a register of their own. */
static void give_register(struct slots *s, size_t first, size_t end)
{
    struct fw_function *function = s->function;
    const struct access *store = NULL;
    bool loads = false;
    for (size_t i = first; i < end && !store; i++)
        store = s->accesses.at[i].store ? &s->accesses.at[i] : NULL;
    for (size_t i = first; i < end && store; i++)
        loads |= !s->accesses.at[i].store && s->accesses.at[i].whole &&
                 same_place(store, &s->accesses.at[i]);
    if (!loads)
        return;
    function->registers[function->register_count] = (struct fw_register){.name = "%slot"};
    for (size_t i = first; i < end; i++) {
        const struct access *access = &s->accesses.at[i];
        if (!access->whole || !same_place(store, access))
            continue;
        struct fw_operand *slot = FW_NEW(s->arena, struct fw_operand);
        slot->kind = FW_OPERAND_REGISTER;
        slot->index = function->register_count;
        slot->value = FW_NO_INDEX;
        function->instructions[access->instruction].slot = slot;
    }
    function->register_count++;
}

/* Room for as many registers more as there can be slots. */
static void make_room(struct slots *s)
{
    struct fw_function *function = s->function;
    size_t room = (size_t)function->register_count + s->accesses.count;
    struct fw_register *registers = FW_ARRAY(s->arena, struct fw_register, room);
    for (uint32_t r = 0; r < function->register_count; r++)
        registers[r] = function->registers[r];
    function->registers = registers;
}

static bool names_local(const struct fw_function *function)
{
    for (uint32_t i = 0; i < function->instruction_count; i++)
        for (uint32_t o = 0; o < function->instructions[i].operand_count; o++)
            if (is_local(&function->instructions[i].operands[o]))
                return true;
    return false;
}

void fw_pass_slots(struct fw_arena *arena, struct fw_function *function)
{
    struct slots s = {.arena = arena, .function = function};
    if (!names_local(function))
        return;
    s.definitions = FW_ARRAY(arena, uint32_t, function->register_count);
    s.definition = FW_ARRAY(arena, uint32_t, function->register_count);
    s.places = FW_ARRAY(arena, struct place, function->register_count);
    s.variables = fw_map_new(arena);
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        s.instruction = i;
        fw_instruction_definitions(&function->instructions[i], note_definition, &s);
    }
    for (uint32_t o = 0; o < function->order_count; o++) {
        const struct fw_block *block = &function->blocks[function->order[o]];
        for (s.instruction = block->first; s.instruction < block->end; s.instruction++)
            visit(&s, &function->instructions[s.instruction]);
    }
    if (!s.accesses.count)
        return;
    make_room(&s);
    qsort(s.accesses.at, s.accesses.count, sizeof(*s.accesses.at), compare_accesses);
    for (size_t first = 0, end; first < s.accesses.count; first = end) {
        bool alike;
        end = run_of(&s, first, &alike);
        if (alike && !s.lost.at[s.accesses.at[first].variable])
            give_register(&s, first, end);
    }
}
