/* liveness: backward over SSA, one value after the other (Boissinot, Hack, Grund, Dupont de
 * Dinechin and Rastello, "Fast Liveness Checking for SSA-Form Programs", 2008, section 2: from each
 * use up the predecessors until the definition).  Cost and memory grow with the live ranges alone.
 */
#include "liveness_internal.h"

static uint8_t width_of(const struct fw_function *function, uint32_t value)
{
    enum fw_type type = function->registers[function->values[value].reg].type;
    unsigned bits = fw_type_bits(type);
    if (type == FW_TYPE_NONE) /* a slot of local memory */
        return 0;
    return (uint8_t)(type == FW_TYPE_PRED ? 1 : bits <= 32 ? 1 : bits / 32);
}

bool machine_is_predicate(const struct fw_function *function, uint32_t value)
{
    return function->registers[function->values[value].reg].type == FW_TYPE_PRED;
}

static bool is_word_of(unsigned word, unsigned of)
{
    return fw_type_bits((enum fw_type)word) == 32 && fw_type_bits((enum fw_type)of) == 64 &&
           fw_type_class((enum fw_type)word) != 'f' && fw_type_class((enum fw_type)of) != 'f';
}

static bool is_operand_already(const struct liveness *work, const struct fw_operand *source,
                               uint32_t value)
{
    return source->kind == FW_OPERAND_REGISTER && source->value != FW_NO_INDEX &&
           source->value < value && work->width[source->value] == 0;
}

/* Values that are operands of their users and take no register: parameters and their words,
 * literals, addresses. */
static bool is_operand(const struct liveness *work, uint32_t value)
{
    const struct fw_value *from = &work->function->values[value];
    if (from->kind != FW_VALUE_INSTRUCTION)
        return from->kind == FW_VALUE_ENTRY;
    const struct fw_instruction *at = &work->function->instructions[from->definition];
    if (at->guard != FW_NO_INDEX || at->operand_count < 2)
        return false;
    const struct fw_operand *source = &at->operands[1];
    switch (at->opcode) {
    case FW_OP_LD:
        return at->space == FW_SPACE_PARAM && at->vector <= 1;
    case FW_OP_MOV:
        return source->kind == FW_OPERAND_INTEGER || source->kind == FW_OPERAND_FLOAT ||
               source->kind == FW_OPERAND_SYMBOL ||
               (source->kind == FW_OPERAND_SPECIAL && source->index >= FW_SREG_NTID_X &&
                source->index <= FW_SREG_NTID_Z) ||
               (source->kind == FW_OPERAND_SPECIAL && source->index >= FW_SREG_NCTAID_X &&
                source->index <= FW_SREG_NCTAID_Z);
    case FW_OP_CVTA: /* of a parameter */
        return is_operand_already(work, source, value);
    case FW_OP_CVT: /* the lower word of one */
        return at->type_count > 1 && is_word_of(at->types[0], at->types[1]) &&
               is_operand_already(work, source, value);
    case FW_OP_SHR: /* the upper word */
        return at->operand_count > 2 && fw_type_bits((enum fw_type)at->types[0]) == 64 &&
               at->operands[2].kind == FW_OPERAND_INTEGER && at->operands[2].immediate == 32 &&
               is_operand_already(work, source, value);
    default:
        return false;
    }
}

/* Phis are placed wherever a register's definitions meet (semi-pruned SSA); only those count that
 * an instruction reads, through other phis perhaps. */
struct readers {
    struct liveness *work;
    uint32_t *stack;
    uint32_t depth;
};

static void read_value(struct readers *readers, uint32_t value)
{
    if (value == FW_NO_INDEX || readers->work->read[value])
        return;
    readers->work->read[value] = true;
    readers->stack[readers->depth++] = value;
}

static void read_operand(void *user, struct fw_operand *operand)
{
    read_value(user, operand->value);
}

static void find_read(struct liveness *work)
{
    const struct fw_function *function = work->function;
    struct readers readers = {.work = work};
    readers.stack = FW_ARRAY(work->arena, uint32_t, function->value_count + 1);
    for (uint32_t o = 0; o < function->order_count; o++) {
        const struct fw_block *block = &function->blocks[function->order[o]];
        for (uint32_t i = block->first; i < block->end; i++) {
            const struct fw_instruction *at = &function->instructions[i];
            uint32_t count = at->prior_values ? fw_instruction_definitions(at, NULL, NULL) : 0;
            fw_instruction_uses(at, read_operand, &readers);
            if (at->guard != FW_NO_INDEX)
                read_value(&readers, at->guard_value);
            for (uint32_t d = 0; d < count; d++)
                read_value(&readers, at->prior_values[d]);
        }
    }
    while (readers.depth) {
        const struct fw_value *value = &function->values[readers.stack[--readers.depth]];
        if (value->kind != FW_VALUE_PHI)
            continue;
        const struct fw_block *block = &function->blocks[value->block];
        for (uint32_t i = 0; i < block->predecessor_count; i++)
            read_value(&readers, block->phis[value->definition].inputs[i]);
    }
}

/* Phis take registers, and so do their inputs: a literal that meets another value is moved into its
 * register.  Values on the scalar datapath are apart. */
static void widen_inputs(struct liveness *work)
{
    const struct fw_function *function = work->function;
    for (uint32_t o = 0; o < function->order_count; o++) {
        const struct fw_block *block = &function->blocks[function->order[o]];
        for (uint32_t p = 0; p < block->phi_count; p++)
            for (uint32_t i = 0; i < block->predecessor_count; i++) {
                uint32_t input = block->phis[p].inputs[i];
                if (input == FW_NO_INDEX || function->values[input].kind == FW_VALUE_ENTRY ||
                    !work->read[block->phis[p].value] || work->width[block->phis[p].value] == 0)
                    continue;
                work->width[input] = width_of(function, input);
                work->fixed[input] = true;
            }
    }
}

static bool is_scalar(const struct liveness *work, uint32_t value)
{
    return work->lowering && work->lowering->scalar && work->lowering->scalar[value];
}

static void find_widths(struct liveness *work)
{
    const struct fw_function *function = work->function;
    for (uint32_t i = 0; i < function->value_count; i++) {
        work->width[i] = is_operand(work, i) || is_scalar(work, i) ? 0 : width_of(function, i);
        work->stands[i] = (struct stands){{i, FW_NO_INDEX}};
    }
    widen_inputs(work);
}

/* The registers that an instruction reads, with what absorbed values stand for; at most two. */
struct collector {
    const struct liveness *work;
    struct stands found;
    bool many;
};

static void collect(void *user, struct fw_operand *operand)
{
    struct collector *to = user;
    for (unsigned s = 0; operand->value != FW_NO_INDEX && s < 2; s++) {
        uint32_t value = to->work->stands[operand->value].values[s];
        if (value == FW_NO_INDEX || !to->work->width[value] || value == to->found.values[0] ||
            value == to->found.values[1])
            continue;
        to->many |= to->found.values[1] != FW_NO_INDEX;
        to->found.values[to->found.values[0] != FW_NO_INDEX] = value;
    }
}

static void keep_value(void *user, struct fw_operand *operand)
{
    *(uint32_t *)user = operand->value;
}

bool machine_is_merged(const struct liveness *work, uint32_t i)
{
    const struct fw_instruction *at = &work->function->instructions[i];
    uint32_t value = FW_NO_INDEX;
    return work->lowering && work->lowering->instructions[i].absorbed != FW_NO_INDEX &&
           at->guard == FW_NO_INDEX && fw_instruction_definitions(at, keep_value, &value) == 1 &&
           value != FW_NO_INDEX && work->stands[value].values[0] != value;
}

/* A product of 64 bits, whose operations read a word of each factor. */
static bool is_long_product(const struct fw_instruction *at)
{
    return at->opcode == FW_OP_MUL && fw_instruction_has(at, "lo") &&
           fw_type_bits((enum fw_type)at->types[0]) == 64;
}

/* A value whose instruction is merged into its users takes no register: what it is made of is read
 * in its place.  What a wider load brings is no such value. */
static void find_stands(struct liveness *work)
{
    const struct fw_function *function = work->function;
    for (uint32_t o = 0; work->lowering && o < function->order_count; o++) {
        const struct fw_block *block = &function->blocks[function->order[o]];
        for (uint32_t i = block->first; i < block->end; i++) {
            const struct fw_instruction *at = &function->instructions[i];
            struct collector found = {work, {{FW_NO_INDEX, FW_NO_INDEX}}, false};
            uint32_t value = FW_NO_INDEX;
            if (work->lowering->instructions[i].absorbed == FW_NO_INDEX ||
                at->guard != FW_NO_INDEX || at->opcode == FW_OP_LD ||
                fw_instruction_definitions(at, keep_value, &value) != 1 || value == FW_NO_INDEX ||
                work->fixed[value] || !work->width[value])
                continue;
            fw_instruction_uses(at, collect, &found);
            if (found.many)
                continue;
            work->width[value] = 0;
            work->stands[value] = found.found;
        }
    }
}

static void mark_value(void *user, struct fw_operand *operand)
{
    bool *marked = user;
    if (operand->value != FW_NO_INDEX)
        marked[operand->value] = true;
}

/* Values that other operations than products of 64 bits read. */
static bool *find_read_whole(const struct liveness *work)
{
    const struct fw_function *function = work->function;
    bool *whole = FW_ARRAY(work->arena, bool, function->value_count + 1);
    for (uint32_t i = 0; i < function->instruction_count; i++)
        if (!is_long_product(&function->instructions[i]))
            fw_instruction_uses(&function->instructions[i], mark_value, whole);
    return whole;
}

/* A number of 32 bits with its sign in a further word: the lower word is the number's own register,
 * or of a constant that products alone read, their operand.  Other pairs are registers of their
 * own. */
static void find_signs(struct liveness *work)
{
    const struct fw_function *function = work->function;
    const bool *whole = work->lowering ? find_read_whole(work) : NULL;
    for (uint32_t i = 0; work->lowering && i < function->instruction_count; i++) {
        const struct fw_instruction *at = &function->instructions[i];
        const uint32_t value = at->operand_count == 2 ? at->operands[0].value : FW_NO_INDEX;
        if (at->opcode != FW_OP_CVT || at->guard != FW_NO_INDEX || at->types[0] != FW_TYPE_S64 ||
            at->types[1] != FW_TYPE_S32 || at->operands[1].kind != FW_OPERAND_REGISTER ||
            at->operands[1].value == FW_NO_INDEX || value == FW_NO_INDEX || work->fixed[value] ||
            work->width[value] != 2)
            continue;
        const struct stands *source = &work->stands[at->operands[1].value];
        if (source->values[1] != FW_NO_INDEX || (!work->width[source->values[0]] && whole[value]))
            continue;
        work->width[value] = 1;
        work->stands[value].values[1] = source->values[0];
    }
}

/* `value` is live at the end of `block`: so it is up to its definition. */
static void live_at_end(struct liveness *work, uint32_t value, uint32_t block)
{
    const struct fw_function *function = work->function;
    uint32_t home = function->values[value].block;
    uint32_t depth = 0;
    work->stack[depth++] = block;
    while (depth) {
        block = work->stack[--depth];
        if (work->seen_out[block] == value + 1)
            continue;
        work->seen_out[block] = value + 1;
        *FW_APPEND(work->arena, &work->live_out[block]) = value;
        if (block == home || work->seen_in[block] == value + 1)
            continue;
        work->seen_in[block] = value + 1;
        for (uint32_t p = 0; p < function->blocks[block].predecessor_count; p++) {
            uint32_t before = function->blocks[block].predecessors[p];
            if (work->seen_out[before] != value + 1)
                work->stack[depth++] = before;
        }
    }
}

/* Uses by value, as (value, block) pairs in value order: counting sort. */
struct use_list {
    struct liveness *work;
    uint32_t *start; /* value_count + 2 */
    uint32_t *place; /* a block; at its end for a phi's input (top bit set) */
    bool fill;
    uint32_t block;
};

#define AT_END 0x80000000u

static void note(struct use_list *uses, uint32_t read, uint32_t place)
{
    for (unsigned s = 0; read != FW_NO_INDEX && s < 2; s++) {
        uint32_t value = uses->work->stands[read].values[s];
        if (value == FW_NO_INDEX)
            continue;
        if (uses->fill)
            uses->place[uses->start[value + 1]++] = place;
        else
            uses->start[value + 2]++;
    }
}

static void note_operand(void *user, struct fw_operand *operand)
{
    struct use_list *uses = user;
    note(uses, operand->value, uses->block);
}

static void walk_uses(struct use_list *uses)
{
    const struct fw_function *function = uses->work->function;
    for (uint32_t o = 0; o < function->order_count; o++) {
        uses->block = function->order[o];
        const struct fw_block *block = &function->blocks[uses->block];
        for (uint32_t p = 0; p < block->phi_count; p++)
            for (uint32_t i = 0;
                 uses->work->read[block->phis[p].value] && i < block->predecessor_count; i++)
                note(uses, block->phis[p].inputs[i], block->predecessors[i] | AT_END);
        for (uint32_t i = block->first; i < block->end; i++) {
            const struct fw_instruction *at = &function->instructions[i];
            if (machine_is_merged(uses->work, i))
                continue;
            fw_instruction_uses(at, note_operand, uses);
            if (at->guard == FW_NO_INDEX)
                continue;
            note(uses, at->guard_value, uses->block);
            uint32_t count = at->prior_values ? fw_instruction_definitions(at, NULL, NULL) : 0;
            for (uint32_t d = 0; d < count; d++)
                note(uses, at->prior_values[d], uses->block);
        }
    }
}

static void find_live_ends(struct liveness *work)
{
    const struct fw_function *function = work->function;
    uint32_t count = function->value_count;
    struct use_list uses = {.work = work};
    uses.start = FW_ARRAY(work->arena, uint32_t, count + 2);
    walk_uses(&uses);
    for (uint32_t i = 1; i < count + 2; i++)
        uses.start[i] += uses.start[i - 1];
    uses.place = FW_ARRAY(work->arena, uint32_t, uses.start[count + 1] + 1);
    uses.fill = true;
    walk_uses(&uses);
    for (uint32_t value = 0; value < count; value++)
        for (uint32_t u = uses.start[value]; work->width[value] && u < uses.start[value + 1]; u++) {
            uint32_t block = uses.place[u] & ~AT_END;
            if (uses.place[u] & AT_END) {
                live_at_end(work, value, block);
            } else if (block != function->values[value].block &&
                       work->seen_in[block] != value + 1) {
                work->seen_in[block] = value + 1;
                for (uint32_t p = 0; p < function->blocks[block].predecessor_count; p++)
                    live_at_end(work, value, function->blocks[block].predecessors[p]);
            }
        }
}

void machine_find_live(struct liveness *work, struct fw_arena *arena,
                       const struct fw_function *function, const struct fw_lowering *lowering)
{
    *work = (struct liveness){.arena = arena, .function = function, .lowering = lowering};
    work->live_out = fw_arena_array(arena, function->block_count, sizeof *work->live_out);
    work->width = FW_ARRAY(arena, uint8_t, function->value_count + 1);
    work->read = FW_ARRAY(arena, bool, function->value_count + 1);
    work->fixed = FW_ARRAY(arena, bool, function->value_count + 1);
    work->stands = FW_ARRAY(arena, struct stands, function->value_count + 1);
    work->seen_in = FW_ARRAY(arena, uint32_t, function->block_count);
    work->seen_out = FW_ARRAY(arena, uint32_t, function->block_count);
    work->marked = FW_ARRAY(arena, uint32_t, function->value_count + 1);
    work->level_stamp = FW_ARRAY(arena, uint32_t, function->value_count + 1);
    work->chain = FW_ARRAY(arena, uint32_t, function->value_count + 1);
    uint32_t edges = 1;
    for (uint32_t i = 0; i < function->block_count; i++)
        edges += function->blocks[i].predecessor_count + 1;
    work->stack = FW_ARRAY(arena, uint32_t, edges);
    find_read(work);
    find_widths(work);
    find_signs(work);
    find_stands(work);
    find_live_ends(work);
}
