/* Data in addresses: the parts of an address that data decide, and what they depend on.
 *
 * Takes the SSA form and the expressions of values.  An address is a sum; what of it is no opaque
 * value is the rest, which keeps its affine form.  Each opaque value is a part with a coefficient,
 * a range (record_range.c) and inputs: the indices, iterations and places of loads that it is
 * computed from, through floating point, conversions and limits.  Lanes, blocks and iterations with
 * equal inputs have the same value.  A value that is got from other threads, or from more than can
 * be followed, has all indices as its inputs.  Never says how the values are distributed. */
#include "record_internal.h"

#include <string.h>

enum { MOST_PARTS = 6, MOST_INPUTS = 12, MOST_ATOMS = 60, MOST_FOLLOWED = 400, MOST_NESTED = 64 };

/* What is remembered of values: the inputs of each, and which of a walk met it last. */
struct data_memo {
    struct data_inputs {
        bool known;
        uint32_t count;
        fw_expression *at;
    } * inputs;
    uint32_t *met, walk;
    bool read[FW_THREAD_Z + 1]; /* by index of blocks and threads: an instruction reads it */
};

/* A walk from a value to its inputs. */
struct walk {
    struct builder *b;
    fw_expression inputs[MOST_INPUTS];
    uint32_t count, followed, atoms; /* atoms: of all inputs, which are evaluated for each lane */
    bool everything;                 /* it may differ between all threads and iterations */
    FW_VECTOR(uint32_t) stack;
};

/* A search among the atoms of an expression gives up after so many, as if it had found one. */
enum { MOST_VISITS = 2000 };

static bool too_many(void *user)
{
    uint32_t *visits = user;
    return ++*visits > MOST_VISITS;
}

static bool has(struct builder *b, fw_expression a,
                bool (*is)(void *user, fw_atom atom, const struct fw_atom_node *node))
{
    uint32_t visits = 0;
    return fw_expression_any(b->pool, a, is, &visits);
}

static bool is_index(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)atom;
    return too_many(user) || node->kind == FW_ATOM_ITERATION || node->kind == FW_ATOM_TRIPS ||
           (node->kind == FW_ATOM_LAUNCH &&
            (node->a <= FW_THREAD_Z || node->a == FW_LANE || node->a == FW_WARP));
}

static bool count_atom(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    uint32_t *count = user;
    (void)atom;
    (void)node;
    return ++*count > MOST_ATOMS;
}

static void add_input(struct walk *walk, fw_expression input)
{
    if (!has(walk->b, input, is_index))
        return; /* the same throughout the launch */
    for (uint32_t i = 0; i < walk->count; i++)
        if (walk->inputs[i] == input)
            return;
    uint32_t atoms = 0;
    fw_expression_any(walk->b->pool, input, count_atom, &atoms);
    walk->atoms += atoms;
    walk->everything |= walk->count == MOST_INPUTS || walk->atoms > MOST_ATOMS;
    if (walk->count < MOST_INPUTS)
        walk->inputs[walk->count++] = input;
}

static void follow(struct walk *walk, uint32_t value)
{
    struct data_memo *memo = walk->b->data;
    if (value == FW_NO_INDEX || memo->met[value] == memo->walk)
        return;
    memo->met[value] = memo->walk;
    walk->everything |= ++walk->followed > MOST_FOLLOWED;
    *FW_APPEND(walk->b->arena, &walk->stack) = value;
}

static void follow_operand(void *user, struct fw_operand *operand)
{
    follow(user, operand->value);
}

/* Iterations of the loops around a block. */
static void add_iterations(struct walk *walk, uint32_t block)
{
    const struct fw_function *function = walk->b->function;
    for (uint32_t l = function->blocks[block].loop; l != FW_NO_INDEX; l = function->loops[l].parent)
        add_input(walk, fw_atom_new(walk->b->pool, FW_ATOM_ITERATION, l, 0, 0));
}

/* The first index, and the others as far as the kernel reads them: a launch of a kernel that does
 * not has no more than one dimension. */
static void add_indices(struct walk *walk, enum fw_launch_index first)
{
    for (uint32_t d = 0; d < 3; d++)
        if (d == 0 || walk->b->data->read[first + d])
            add_input(walk, fw_launch_value(walk->b->pool, (enum fw_launch_index)(first + d)));
}

/* Whether an instruction's result is told by its operands alone. */
static bool is_function_of_operands(const struct fw_instruction *at)
{
    switch (record_why_opaque(at)) {
    case FW_OPAQUE_EXCHANGED:
    case FW_OPAQUE_MACHINE:
    case FW_OPAQUE_CALL:
        return at->opcode == FW_OP_MOV && at->operand_count > 1 &&
               at->operands[1].kind != FW_OPERAND_SPECIAL;
    default:
        return at->opcode != FW_OP_OTHER && at->opcode != FW_OP_MMA && at->opcode != FW_OP_WMMA &&
               at->opcode != FW_OP_WGMMA && at->opcode != FW_OP_LDMATRIX;
    }
}

static void follow_instruction(struct walk *walk, uint32_t i)
{
    const struct fw_instruction *at = record_at(walk->b, i);
    uint32_t block = walk->b->block_of[i];
    walk->everything |= !is_function_of_operands(at);
    fw_instruction_uses(at, follow_operand, walk);
    if (at->guard != FW_NO_INDEX) {
        follow(walk, at->guard_value);
        for (uint32_t d = 0; at->prior_values && d < at->destinations; d++)
            follow(walk, at->prior_values[d]);
    }
    if (at->slot)
        follow(walk, at->slot->value);
    for (uint32_t o = 0; o < at->operand_count; o++)
        if (at->operands[o].kind == FW_OPERAND_SPECIAL) {
            fw_expression value = record_operand(walk->b, &at->operands[o], FW_TYPE_U32, block);
            if (value == FW_NO_EXPRESSION)
                walk->everything = true;
            else
                add_input(walk, value);
        }
    if (at->opcode == FW_OP_LD && !at->slot && at->space == FW_SPACE_LOCAL)
        walk->everything = true;
    if (at->opcode == FW_OP_LD &&
        at->space == FW_SPACE_SHARED) { /* blocks and iterations refill it */
        add_indices(walk, FW_BLOCK_X);
        add_iterations(walk, block);
    }
}

static void follow_phi(struct walk *walk, const struct fw_value *origin)
{
    const struct fw_function *function = walk->b->function;
    const struct fw_block *block = &function->blocks[origin->block];
    for (uint32_t p = 0; p < block->predecessor_count; p++) {
        const struct fw_block *from = &function->blocks[block->predecessors[p]];
        follow(walk, block->phis[origin->definition].inputs[p]);
        if (from->end > from->first && function->instructions[from->end - 1].guard != FW_NO_INDEX)
            follow(walk, function->instructions[from->end - 1].guard_value);
    }
    if (block->loop != FW_NO_INDEX && function->loops[block->loop].header == origin->block)
        add_input(walk, fw_atom_new(walk->b->pool, FW_ATOM_ITERATION, block->loop, 0, 0));
}

static void follow_value(struct walk *walk, uint32_t value)
{
    const struct fw_value *origin = &walk->b->function->values[value];
    char class = fw_type_class(walk->b->function->registers[origin->reg].type);
    if (class != 'f' && class != 'p') {
        fw_expression known = record_value(walk->b, value, origin->block);
        if (!record_expression_opaque(walk->b, known)) {
            add_input(walk, known);
            return;
        }
    }
    if (origin->kind == FW_VALUE_INSTRUCTION)
        follow_instruction(walk, origin->definition);
    else if (origin->kind == FW_VALUE_PHI)
        follow_phi(walk, origin);
}

/* All that a value is computed from, as seen by an access in block `where`. */
static void find_inputs(struct data_inputs *inputs, struct builder *b, uint32_t value,
                        uint32_t where)
{
    struct walk walk = {.b = b};
    b->data->walk++;
    follow(&walk, value);
    while (walk.stack.count && !walk.everything)
        follow_value(&walk, walk.stack.at[--walk.stack.count]);
    if (walk.everything) {
        walk.count = walk.atoms = 0;
        add_indices(&walk, FW_BLOCK_X);
        add_indices(&walk, FW_THREAD_X);
        add_iterations(&walk, where);
    }
    inputs->known = true;
    inputs->count = walk.count;
    inputs->at = fw_arena_copy(b->arena, walk.inputs, walk.count * sizeof(*walk.inputs));
}

static void find_indices_read(struct builder *b)
{
    for (uint32_t i = 0; i < b->function->instruction_count; i++) {
        const struct fw_instruction *at = record_at(b, i);
        for (uint32_t o = 0; o < at->operand_count; o++) {
            if (at->operands[o].kind != FW_OPERAND_SPECIAL)
                continue;
            uint32_t special = at->operands[o].index;
            if (special <= FW_SREG_TID_Z)
                b->data->read[FW_THREAD_X + special - FW_SREG_TID_X] = true;
            if (special >= FW_SREG_CTAID_X && special <= FW_SREG_CTAID_Z)
                b->data->read[FW_BLOCK_X + special - FW_SREG_CTAID_X] = true;
        }
    }
}

static const struct data_inputs *inputs_of(struct builder *b, uint32_t value, uint32_t where)
{
    if (!b->data) {
        b->data = FW_NEW(b->arena, struct data_memo);
        b->data->inputs = FW_ARRAY(b->arena, struct data_inputs, b->function->value_count + 1);
        find_indices_read(b);
        b->data->met = FW_ARRAY(b->arena, uint32_t, b->function->value_count + 1);
    }
    if (!b->data->inputs[value].known)
        find_inputs(&b->data->inputs[value], b, value, where);
    return &b->data->inputs[value];
}

/* ---- the sum ---- */

struct parting {
    struct builder *b;
    fw_expression rest;
    struct fw_data_part parts[MOST_PARTS];
    uint32_t count, where;
    bool failed;
};

static void part_value(struct parting *parting, uint32_t value, fw_expression times,
                       unsigned depth);

/* Constants, arguments and sizes of the launch alone. */
static bool is_fixed(struct builder *b, fw_expression a)
{
    return !record_expression_opaque(b, a) && !has(b, a, is_index);
}

static void part_operand(struct parting *parting, const struct fw_operand *operand,
                         enum fw_type type, fw_expression times, uint32_t where, unsigned depth)
{
    struct builder *b = parting->b;
    if (operand->kind == FW_OPERAND_REGISTER && !operand->negated &&
        operand->value != FW_NO_INDEX) {
        part_value(parting, operand->value, times, depth + 1);
        return;
    }
    fw_expression known = record_operand(b, operand, type, where);
    parting->failed |= known == FW_NO_EXPRESSION || record_expression_opaque(b, known);
    if (!parting->failed)
        parting->rest = fw_add(b->pool, parting->rest, fw_multiply(b->pool, times, known));
}

static uint32_t load_of(struct builder *b, uint32_t value)
{
    for (uint32_t steps = 0; steps < 4; steps++) {
        const struct fw_value *origin = &b->function->values[value];
        const struct fw_instruction *at = record_at(b, origin->definition);
        if (origin->kind != FW_VALUE_INSTRUCTION || at->guard != FW_NO_INDEX)
            return FW_NONE;
        if (at->opcode == FW_OP_LD && !at->slot)
            return origin->definition;
        const struct fw_operand *in = &at->operands[at->destinations];
        bool passes = at->opcode == FW_OP_MOV || at->opcode == FW_OP_CVT;
        if (!passes || in->kind != FW_OPERAND_REGISTER || in->value == FW_NO_INDEX)
            return FW_NONE;
        value = in->value;
    }
    return FW_NONE;
}

static void add_part(struct parting *parting, uint32_t value, fw_expression times)
{
    struct builder *b = parting->b;
    for (uint32_t p = 0; p < parting->count; p++)
        if (parting->parts[p].value == value) {
            parting->parts[p].coefficient = fw_add(b->pool, parting->parts[p].coefficient, times);
            return;
        }
    parting->failed |= parting->count == MOST_PARTS;
    if (parting->failed)
        return;
    const struct data_inputs *inputs = inputs_of(b, value, parting->where);
    struct record_range range = record_range(b, value);
    parting->parts[parting->count++] =
        (struct fw_data_part){.value = value,
                              .coefficient = times,
                              .low = range.low,
                              .high = range.high,
                              .step = range.step > 0 ? range.step : 1,
                              .usual_range = range.usual,
                              .loaded = load_of(b, value),
                              .inputs = inputs->at,
                              .input_count = inputs->count};
}

static bool of_threads(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)atom;
    return too_many(user) ||
           (node->kind == FW_ATOM_LAUNCH && ((node->a >= FW_THREAD_X && node->a <= FW_THREAD_Z) ||
                                             node->a == FW_LANE || node->a == FW_WARP));
}

static bool parts_of_threads(const struct parting *parting)
{
    for (uint32_t p = 0; p < parting->count; p++)
        for (uint32_t i = 0; i < parting->parts[p].input_count; i++)
            if (has(parting->b, parting->parts[p].inputs[i], of_threads))
                return true;
    return false;
}

/* A limit, mask or remainder of an index plus data that are the same for the threads: the threads
 * stay neighbours, and what is done to the sum is left out.  False: it is no such sum. */
static bool part_limited(struct parting *parting, const struct fw_instruction *at,
                         fw_expression times, unsigned depth)
{
    struct builder *b = parting->b;
    const struct fw_operand *in = &at->operands[at->destinations];
    uint32_t where = b->block_of[at - b->function->instructions];
    for (uint32_t o = 0; o < (at->opcode == FW_OP_REM ? 1u : 2u); o++) {
        fw_expression limit = record_operand(b, &in[1 - o], (enum fw_type)at->types[0], where);
        struct parting inner = {.b = b, .where = parting->where};
        if (limit == FW_NO_EXPRESSION || !is_fixed(b, limit))
            continue;
        part_operand(&inner, &in[o], (enum fw_type)at->types[0], times, where, depth);
        if (inner.failed || inner.count == 0 || parts_of_threads(&inner) ||
            !has(b, inner.rest, of_threads))
            continue;
        parting->rest = fw_add(b->pool, parting->rest, inner.rest);
        for (uint32_t p = 0; p < inner.count; p++)
            add_part(parting, inner.parts[p].value, inner.parts[p].coefficient);
        return true;
    }
    return false;
}

/* A product with what is fixed; false: neither factor is. */
static bool part_product(struct parting *parting, const struct fw_instruction *at,
                         fw_expression times, unsigned depth)
{
    struct builder *b = parting->b;
    const struct fw_operand *in = &at->operands[at->destinations];
    uint32_t where = b->block_of[at - b->function->instructions];
    for (uint32_t o = 0; o < 2; o++) {
        fw_expression factor = record_operand(b, &in[1 - o], (enum fw_type)at->types[0], where);
        if (factor == FW_NO_EXPRESSION || !is_fixed(b, factor))
            continue;
        part_operand(parting, &in[o], (enum fw_type)at->types[0],
                     fw_multiply(b->pool, times, factor), where, depth);
        return true;
    }
    return false;
}

/* Parts what an instruction computes; false: it is a part itself. */
static bool part_instruction(struct parting *parting, uint32_t i, fw_expression times,
                             unsigned depth)
{
    struct builder *b = parting->b;
    const struct fw_instruction *at = record_at(b, i);
    const struct fw_operand *in = &at->operands[at->destinations];
    uint32_t count = (uint32_t)(at->operand_count - at->destinations), where = b->block_of[i];
    enum fw_type type = (enum fw_type)at->types[0];
    fw_expression minus = fw_scale(b->pool, times, -1);
    if (at->guard != FW_NO_INDEX || at->destinations != 1 || count == 0 || at->slot ||
        fw_type_class(type) == 'f' || fw_type_bits(type) < 32 || at->flags & FW_FLAG_CARRY_OUT ||
        at->operands[0].kind != FW_OPERAND_REGISTER)
        return false;
    switch ((enum fw_opcode)at->opcode) {
    case FW_OP_CVT:
        if (at->type_count < 2 || fw_type_class(at->types[1]) == 'f' ||
            fw_type_bits(at->types[1]) < 32)
            return false;
        type = (enum fw_type)at->types[1];
        /* fall through */
    case FW_OP_MOV:
    case FW_OP_CVTA:
        part_operand(parting, &in[0], type, times, where, depth);
        return true;
    case FW_OP_NEG:
        part_operand(parting, &in[0], type, minus, where, depth);
        return true;
    case FW_OP_ADD:
    case FW_OP_SUB:
        part_operand(parting, &in[0], type, times, where, depth);
        part_operand(parting, &in[1], type, at->opcode == FW_OP_ADD ? times : minus, where, depth);
        return true;
    case FW_OP_SHL: {
        int64_t by;
        fw_expression amount = record_operand(b, &in[1], FW_TYPE_U32, where);
        if (amount == FW_NO_EXPRESSION || !fw_expression_constant(b->pool, amount, &by) || by < 0 ||
            by > 30)
            return false;
        part_operand(parting, &in[0], type, fw_scale(b->pool, times, (int64_t)1 << by), where,
                     depth);
        return true;
    }
    case FW_OP_MUL:
        return at->mode != FW_MODE_HI && part_product(parting, at, times, depth);
    case FW_OP_MAD:
        if (at->mode == FW_MODE_HI || !part_product(parting, at, times, depth))
            return false;
        part_operand(parting, &in[2], at->mode == FW_MODE_WIDE ? FW_TYPE_S64 : type, times, where,
                     depth);
        return true;
    case FW_OP_MIN:
    case FW_OP_MAX:
    case FW_OP_AND:
    case FW_OP_REM:
        return count == 2 && part_limited(parting, at, times, depth);
    default:
        return false;
    }
}

/* The opaque value that a term is a fixed multiple of, and the multiple; FW_NONE: it is no such
 * term. */
static uint32_t opaque_of_term(struct builder *b, const struct fw_term *term,
                               fw_expression *multiple)
{
    uint32_t opaque = FW_NONE;
    *multiple = fw_constant(b->pool, term->coefficient);
    for (uint32_t i = 0; i < term->atom_count; i++) {
        const struct fw_atom_node node = b->pool->atoms.at[term->atoms[i]];
        bool is_value = node.kind == FW_ATOM_UNKNOWN && node.a < b->opaques.count;
        if (is_value && opaque == FW_NONE)
            opaque = node.a;
        else if (node.kind == FW_ATOM_PARAMETER)
            *multiple = fw_multiply(b->pool, *multiple,
                                    fw_atom_new(b->pool, FW_ATOM_PARAMETER, node.a, 0, 0));
        else
            return FW_NONE;
    }
    return opaque;
}

static bool is_trips(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)atom;
    return too_many(user) || node->kind == FW_ATOM_TRIPS;
}

/* A value that loops compute in closed form: its terms.  How far an earlier loop has come, by data,
 * is left out.  False: a term is neither known, nor a multiple of one opaque value, nor that. */
static bool part_terms(struct parting *parting, fw_expression known, fw_expression times)
{
    struct builder *b = parting->b;
    struct parting inner = *parting;
    const struct fw_expression_node node = b->pool->expressions.at[known];
    bool any = false;
    for (uint32_t t = 0; t < node.term_count; t++) {
        const struct fw_term term = node.terms[t];
        fw_expression whole = fw_constant(b->pool, term.coefficient), multiple;
        for (uint32_t i = 0; i < term.atom_count; i++) {
            const struct fw_atom_node atom = b->pool->atoms.at[term.atoms[i]];
            whole = fw_multiply(
                b->pool, whole,
                fw_atom_new(b->pool, (enum fw_atom_kind)atom.kind, atom.a, atom.b, atom.c));
        }
        uint32_t opaque = opaque_of_term(b, &term, &multiple);
        if (!record_expression_opaque(b, whole)) {
            inner.rest = fw_add(b->pool, inner.rest, fw_multiply(b->pool, times, whole));
        } else if (opaque != FW_NONE) {
            add_part(&inner, b->opaques.at[opaque].value, fw_multiply(b->pool, times, multiple));
            any = true;
        } else if (!has(b, whole, is_trips)) {
            return false;
        }
    }
    if (!any || inner.failed)
        return false;
    *parting = inner;
    return true;
}

static void part_value(struct parting *parting, uint32_t value, fw_expression times, unsigned depth)
{
    struct builder *b = parting->b;
    const struct fw_value *origin = &b->function->values[value];
    fw_expression known = record_value(b, value, parting->where);
    if (!record_expression_opaque(b, known)) {
        parting->rest = fw_add(b->pool, parting->rest, fw_multiply(b->pool, times, known));
        return;
    }
    uint32_t loop = b->function->blocks[origin->block].loop;
    bool left = loop != FW_NO_INDEX && !record_in_loop(b->function, parting->where, loop);
    if (origin->kind == FW_VALUE_PHI && part_terms(parting, known, times))
        return;
    if (left || origin->kind != FW_VALUE_INSTRUCTION || depth > MOST_NESTED ||
        !part_instruction(parting, origin->definition, times, depth))
        add_part(parting, value, times);
}

const struct fw_data_address *record_data_address(struct builder *b, const struct fw_access *access,
                                                  const struct fw_operand *operand,
                                                  fw_expression address)
{
    struct parting parting = {.b = b, .where = b->block_of[access->instruction]};
    if (operand->kind != FW_OPERAND_ADDRESS || operand->value == FW_NO_INDEX || operand->count)
        return NULL;
    part_value(&parting, operand->value, fw_constant(b->pool, 1), 0);
    if (parting.failed || parting.count == 0)
        return NULL;
    struct fw_operand begin = *operand;
    begin.index = FW_NO_INDEX; /* the variable and the constant alone */
    fw_expression array = fw_subtract(b->pool, address, access->offset);
    parting.rest = fw_add(b->pool, parting.rest, record_address(b, &begin, parting.where));
    struct fw_data_address *data = FW_NEW(b->arena, struct fw_data_address);
    data->rest = fw_subtract(b->pool, parting.rest, array);
    data->part_count = parting.count;
    data->parts = fw_arena_copy(b->arena, parting.parts, parting.count * sizeof(*parting.parts));
    return record_expression_opaque(b, data->rest) ? NULL : data;
}

/* ---- rows ---- */

enum { MOST_LOADS = 8, MOST_VISITED = 200 };

/* The loads that a condition compares. */
struct compared {
    struct builder *b;
    uint32_t loads[MOST_LOADS], count, visited;
};

static bool note_load(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    struct compared *compared = user;
    (void)atom;
    if (node->kind == FW_ATOM_UNKNOWN && node->a < compared->b->opaques.count &&
        compared->b->opaques.at[node->a].kind == FW_OPAQUE_LOADED && compared->count < MOST_LOADS)
        compared->loads[compared->count++] = compared->b->opaques.at[node->a].instruction;
    return ++compared->visited > MOST_VISITED;
}

/* Marks loads of neighbouring elements of one array that a condition compares: the ends of a row.
 */
static void mark_rows(struct compared *compared, const uint32_t *access_of, const bool *indexes,
                      uint8_t *row_of)
{
    struct builder *b = compared->b;
    for (uint32_t i = 0; i < compared->count; i++)
        for (uint32_t j = 0; j < compared->count; j++) {
            uint32_t first = access_of[compared->loads[i]], second = access_of[compared->loads[j]];
            int64_t apart;
            if (first == 0 || second == 0 || first == second)
                continue;
            const struct fw_access *x = &b->accesses.at[first - 1];
            const struct fw_access *y = &b->accesses.at[second - 1];
            if (x->array == FW_NONE || x->array != y->array || x->bytes != y->bytes ||
                !fw_expression_constant(b->pool, fw_subtract(b->pool, y->offset, x->offset),
                                        &apart) ||
                apart != x->bytes || x->space == FW_SPACE_SHARED || !indexes[compared->loads[i]])
                continue;
            row_of[compared->loads[i]] = FW_ROW_BEGIN;
            row_of[compared->loads[j]] = FW_ROW_END;
        }
}

void record_data_rows(struct builder *b)
{
    uint32_t count = b->function->instruction_count;
    uint32_t *access_of = FW_ARRAY(b->arena, uint32_t, count + 1);
    uint8_t *row_of = FW_ARRAY(b->arena, uint8_t, count + 1);
    for (uint32_t a = 0; a < b->accesses.count; a++)
        if (b->accesses.at[a].direction == FW_LOAD)
            access_of[b->accesses.at[a].instruction] = a + 1;
    bool *indexes = FW_ARRAY(b->arena, bool, count + 1); /* what is compared alone begins no row */
    for (uint32_t a = 0; a < b->accesses.count; a++)
        for (uint32_t p = 0; b->accesses.at[a].data && p < b->accesses.at[a].data->part_count; p++)
            if (b->accesses.at[a].data->parts[p].loaded != FW_NONE)
                indexes[b->accesses.at[a].data->parts[p].loaded] = true;
    for (uint32_t r = 0; r < b->branches.count; r++) {
        struct compared compared = {.b = b};
        if (!b->branches.at[r].data_dependent)
            continue;
        fw_condition_any(b->pool, b->branches.at[r].condition, note_load, &compared);
        mark_rows(&compared, access_of, indexes, row_of);
    }
    for (uint32_t l = 0; l < b->kernel->loop_count; l++) {
        struct compared compared = {.b = b};
        if (!b->kernel->loops[l].data_dependent)
            continue;
        fw_condition_any(b->pool, b->kernel->loops[l].stays, note_load, &compared);
        mark_rows(&compared, access_of, indexes, row_of);
    }
    for (uint32_t o = 0; o < b->opaques.count; o++)
        if (b->opaques.at[o].kind == FW_OPAQUE_LOADED)
            b->opaques.at[o].row = (enum fw_row_end)row_of[b->opaques.at[o].instruction];
    for (uint32_t a = 0; a < b->accesses.count; a++) {
        const struct fw_data_address *data = b->accesses.at[a].data;
        for (uint32_t p = 0; data && p < data->part_count; p++)
            if (data->parts[p].loaded != FW_NONE)
                data->parts[p].is_row_end = row_of[data->parts[p].loaded] != FW_ROW_NONE;
    }
}
