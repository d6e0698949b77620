/* Data in addresses: the parts of an address that data decide, and what they depend on.
 *
 * Takes the SSA form and the expressions of values.  An address is a sum; what of it is no opaque
 * value is the rest, which keeps its affine form.  Each opaque value is a part with a coefficient,
 * a range (record_range.c) and inputs: the indices, iterations and places of loads that it is
 * computed from, through floating point, conversions and limits.  Lanes, blocks and iterations with
 * equal inputs have the same value.  A value that is got from other threads, or from more than can
 * be followed, has all indices as its inputs.  Never says how the values are distributed. */
#include "record_parting.h"

#include <string.h>

enum { MOST_NESTED = 64 };

static void part_value(struct parting *parting, uint32_t value, fw_expression times,
                       unsigned depth);

bool parting_is_fixed(struct builder *b, fw_expression a)
{
    return !record_expression_opaque(b, a) && !record_has_index(b, a);
}

void parting_operand(struct parting *parting, const struct fw_operand *operand, enum fw_type type,
                     fw_expression times, uint32_t where, unsigned depth)
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

void parting_add(struct parting *parting, uint32_t value, fw_expression times)
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
    const struct data_inputs *inputs = record_inputs(b, value, parting->where);
    struct record_range range = record_range(b, value);
    struct record_choices choices = {.count = 0};
    bool bounded = range.low != FW_NO_EXPRESSION && range.high != FW_NO_EXPRESSION;
    const bool chosen = !bounded && record_choices(b, value, &choices);
    if (chosen) {
        range = (struct record_range){.low = choices.at[0], .high = choices.at[0], .step = 1};
        for (uint32_t c = 1; c < choices.count; c++) {
            range.low = fw_minimum(b->pool, range.low, choices.at[c]);
            range.high = fw_maximum(b->pool, range.high, choices.at[c]);
        }
    }
    struct fw_data_part *part = &parting->parts[parting->count++];
    *part = (struct fw_data_part){.value = value,
                                  .coefficient = times,
                                  .low = range.low,
                                  .high = range.high,
                                  .step = range.step > 0 ? range.step : 1,
                                  .usual_range = range.usual,
                                  .loaded = load_of(b, value),
                                  .inputs = inputs->at,
                                  .input_count = inputs->count,
                                  .choice_count = bounded ? 0 : choices.count,
                                  .steps = bounded || chosen
                                               ? FW_NO_EXPRESSION
                                               : record_walk_steps(b, value, parting->where)};
    memcpy(part->choices, choices.at, sizeof(part->choices));
}

void parting_join(struct parting *parting, const struct parting *inner)
{
    struct builder *b = parting->b;
    parting->rest = fw_add(b->pool, parting->rest, inner->rest);
    for (uint32_t i = 0; i < inner->count; i++) {
        const struct fw_data_part *part = &inner->parts[i];
        uint32_t p = 0;
        while (p < parting->count && parting->parts[p].value != part->value)
            p++;
        if (p == MOST_PARTS) {
            parting->failed = true;
        } else if (p < parting->count) {
            parting->parts[p].coefficient =
                fw_add(b->pool, parting->parts[p].coefficient, part->coefficient);
        } else {
            parting->parts[parting->count++] = *part;
        }
    }
}

/* Whether what threads add differs between them, other than by a displacement from their own. */
static bool parts_of_threads(const struct parting *parting)
{
    for (uint32_t p = 0; p < parting->count; p++)
        for (uint32_t i = 0; i < parting->parts[p].input_count && !parting->parts[p].displaced; i++)
            if (record_has_thread(parting->b, parting->parts[p].inputs[i]))
                return true;
    return false;
}

/* A limit of a place that goes through an array, as lanes do that rank behind each other, and
 * cursors: it does so up to the limit, which is left out. */
static bool limits_course(const struct parting *inner, const struct fw_instruction *at)
{
    bool goes_through = inner->ranked;
    for (uint32_t p = 0; p < inner->count; p++)
        goes_through |= inner->parts[p].cursor;
    return goes_through && (at->opcode == FW_OP_MIN || at->opcode == FW_OP_MAX);
}

/* A limit, mask or remainder of an index plus data that are the same for the threads, or move them
 * from their own places: the threads stay neighbours, and what is done to the sum is left out.  So
 * it is of a limit of a place that goes through an array.  False: it is no such sum. */
static bool part_limited(struct parting *parting, const struct fw_instruction *at,
                         fw_expression times, unsigned depth)
{
    struct builder *b = parting->b;
    const struct fw_operand *in = &at->operands[at->destinations];
    uint32_t where = b->block_of[at - b->function->instructions];
    for (uint32_t o = 0; o < (at->opcode == FW_OP_REM ? 1u : 2u); o++) {
        fw_expression limit = record_operand(b, &in[1 - o], (enum fw_type)at->types[0], where);
        struct parting inner = {.b = b, .where = parting->where};
        if (limit == FW_NO_EXPRESSION || !parting_is_fixed(b, limit))
            continue;
        parting_operand(&inner, &in[o], (enum fw_type)at->types[0], times, where, depth);
        const bool near = inner.count > 0 && !inner.ranked && !parts_of_threads(&inner) &&
                          record_has_thread(b, inner.rest);
        if (inner.failed || (inner.ranked && parting->ranked) ||
            !(near || limits_course(&inner, at)))
            continue;
        parting_join(parting, &inner);
        if (inner.ranked) {
            parting->ranked = true;
            parting->rank_times = inner.rank_times;
        }
        parting->progressed |= inner.progressed;
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
        if (factor == FW_NO_EXPRESSION || !parting_is_fixed(b, factor))
            continue;
        parting_operand(parting, &in[o], (enum fw_type)at->types[0],
                        fw_multiply(b->pool, times, factor), where, depth);
        return true;
    }
    return false;
}

/* Bits at the low end of an operand that are 0, as a shift or a factor leaves them. */
static int64_t zeros_of(struct builder *b, const struct fw_operand *operand, uint32_t where)
{
    const struct fw_value *origin =
        operand->kind == FW_OPERAND_REGISTER && !operand->negated && operand->value != FW_NO_INDEX
            ? &b->function->values[operand->value]
            : NULL;
    int64_t by, zeros = 0;
    if (!origin || origin->kind != FW_VALUE_INSTRUCTION)
        return 0;
    const struct fw_instruction *at = record_at(b, origin->definition);
    bool shifts = at->opcode == FW_OP_SHL;
    if ((!shifts && (at->opcode != FW_OP_MUL || at->mode == FW_MODE_HI)) ||
        at->guard != FW_NO_INDEX || fw_type_class(at->types[0]) == 'f')
        return 0;
    fw_expression amount = record_operand(b, &at->operands[2],
                                          shifts ? FW_TYPE_U32 : (enum fw_type)at->types[0], where);
    if (amount == FW_NO_EXPRESSION || !fw_expression_constant(b->pool, amount, &by) || by <= 0)
        return 0;
    for (; !shifts && by % 2 == 0; by /= 2)
        zeros++;
    zeros = shifts ? by : zeros;
    return zeros <= 30 ? zeros : 0;
}

/* Whether two operands have no bit in common, so that `or` adds them: one is a multiple of a power
 * of two, which the other is less than. */
static bool bits_apart(struct builder *b, const struct fw_operand *in, uint32_t where)
{
    for (uint32_t o = 0; o < 2; o++) {
        int64_t zeros = zeros_of(b, &in[o], where), low, high;
        const struct fw_operand *other = &in[1 - o];
        if (!zeros || other->kind != FW_OPERAND_REGISTER || other->negated ||
            other->value == FW_NO_INDEX)
            continue;
        struct record_range range = record_range(b, other->value);
        if (range.low != FW_NO_EXPRESSION && range.high != FW_NO_EXPRESSION &&
            fw_expression_constant(b->pool, range.low, &low) && low >= 0 &&
            fw_expression_constant(b->pool, range.high, &high) && high < (int64_t)1 << zeros)
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
        if (at->type_count > 1 && fw_type_class(at->types[1]) == 'f')
            return parting_displaced(parting, i, times);
        if (at->type_count < 2 || fw_type_bits(at->types[1]) < 32)
            return false;
        type = (enum fw_type)at->types[1];
        /* fall through */
    case FW_OP_MOV:
    case FW_OP_CVTA:
        parting_operand(parting, &in[0], type, times, where, depth);
        return true;
    case FW_OP_NEG:
        parting_operand(parting, &in[0], type, minus, where, depth);
        return true;
    case FW_OP_OR:
        if (count != 2 || !bits_apart(b, in, where))
            return false;
        parting_operand(parting, &in[0], type, times, where, depth);
        parting_operand(parting, &in[1], type, times, where, depth);
        return true;
    case FW_OP_ADD:
    case FW_OP_SUB:
        parting_operand(parting, &in[0], type, times, where, depth);
        parting_operand(parting, &in[1], type, at->opcode == FW_OP_ADD ? times : minus, where,
                        depth);
        return true;
    case FW_OP_SHL: {
        int64_t by;
        fw_expression amount = record_operand(b, &in[1], FW_TYPE_U32, where);
        if (amount == FW_NO_EXPRESSION || !fw_expression_constant(b->pool, amount, &by) || by < 0 ||
            by > 30)
            return false;
        parting_operand(parting, &in[0], type, fw_scale(b->pool, times, (int64_t)1 << by), where,
                        depth);
        return true;
    }
    case FW_OP_MUL:
        return at->mode != FW_MODE_HI && part_product(parting, at, times, depth);
    case FW_OP_MAD:
        if (at->mode == FW_MODE_HI || !part_product(parting, at, times, depth))
            return false;
        parting_operand(parting, &in[2], at->mode == FW_MODE_WIDE ? FW_TYPE_S64 : type, times,
                        where, depth);
        return true;
    case FW_OP_MIN:
    case FW_OP_MAX:
    case FW_OP_REM:
        return count == 2 && part_limited(parting, at, times, depth);
    case FW_OP_AND:
        return count == 2 &&
               (part_limited(parting, at, times, depth) || parting_around(parting, at, depth));
    case FW_OP_SELP:
        return count == 3 &&
               (parting_around(parting, at, depth) || parting_selected(parting, at, times, depth));
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
            parting_add(&inner, b->opaques.at[opaque].value, fw_multiply(b->pool, times, multiple));
            any = true;
        } else if (!record_has_trips(b, whole)) {
            return false;
        }
    }
    if (!any || inner.failed)
        return false;
    *parting = inner;
    return true;
}

/* A value that a loop moves by known steps from where data let it begin, as the loop for what an
 * unrolled one left over does: the steps are known, and the begin is parted.  False: it is no such
 * value. */
static bool part_begin(struct parting *parting, const struct fw_value *origin, fw_expression times,
                       unsigned depth)
{
    struct builder *b = parting->b;
    const struct fw_block *header = &b->function->blocks[origin->block];
    uint32_t entry = FW_NO_INDEX;
    if (header->loop == FW_NO_INDEX || b->function->loops[header->loop].header != origin->block ||
        depth > MOST_NESTED)
        return false;
    for (uint32_t p = 0; p < header->predecessor_count; p++)
        if (!fw_block_in_loop(b->function, header->predecessors[p], header->loop)) {
            if (entry != FW_NO_INDEX)
                return false;
            entry = p;
        }
    uint32_t begin =
        entry == FW_NO_INDEX ? FW_NO_INDEX : header->phis[origin->definition].inputs[entry];
    if (begin == FW_NO_INDEX)
        return false;
    fw_expression known = record_value(b, header->phis[origin->definition].value, parting->where);
    fw_expression moved =
        fw_subtract(b->pool, known, record_value(b, begin, header->predecessors[entry]));
    if (record_expression_opaque(b, moved))
        return false;
    parting->rest = fw_add(b->pool, parting->rest, fw_multiply(b->pool, times, moved));
    part_value(parting, begin, times, depth + 1);
    return true;
}

/* The iteration of a loop is 0. */
static fw_expression first_iteration(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    (void)atom;
    return node->kind == FW_ATOM_ITERATION && node->a == *(uint32_t *)user ? 0 : FW_NO_EXPRESSION;
}

/* What a value that a loop counts up is in its first iteration, where `where` is outside of the
 * loop; FW_NO_EXPRESSION: it is no such value. */
static fw_expression counted_from(struct builder *b, uint32_t value, uint32_t where)
{
    uint32_t loop = b->function->blocks[b->function->values[value].block].loop;
    if (loop == FW_NO_INDEX || fw_block_in_loop(b->function, where, loop))
        return FW_NO_EXPRESSION;
    fw_expression inside = record_value(b, value, b->function->values[value].block);
    if (record_expression_opaque(b, inside))
        return FW_NO_EXPRESSION;
    fw_expression first = fw_expression_replace(
        b->pool, inside, &(struct fw_replacement){.replace = first_iteration, .user = &loop});
    return first == inside ? FW_NO_EXPRESSION : first;
}

/* How far an earlier loop has come that data ended, or that and what it is where the loop was not
 * entered: it is left out, as if the loop had not moved it.  False: it is no such value. */
static bool part_progress(struct parting *parting, uint32_t value, fw_expression times)
{
    struct builder *b = parting->b;
    const struct fw_value *origin = &b->function->values[value];
    const struct fw_block *block = &b->function->blocks[origin->block];
    fw_expression begin = counted_from(b, value, parting->where), other = FW_NO_EXPRESSION;
    for (uint32_t p = 0;
         origin->kind == FW_VALUE_PHI && begin == FW_NO_EXPRESSION && p < block->predecessor_count;
         p++) {
        uint32_t input = block->phis[origin->definition].inputs[p];
        if (input != FW_NO_INDEX)
            begin = counted_from(b, input, parting->where);
    }
    if (begin == FW_NO_EXPRESSION)
        return false;
    for (uint32_t p = 0; origin->kind == FW_VALUE_PHI && p < block->predecessor_count; p++) {
        uint32_t input = block->phis[origin->definition].inputs[p];
        if (input == FW_NO_INDEX)
            return false;
        if (counted_from(b, input, parting->where) != FW_NO_EXPRESSION)
            continue;
        other = record_value(b, input, parting->where);
        if (record_expression_opaque(b, other))
            return false;
        begin = other;
    }
    parting->rest = fw_add(b->pool, parting->rest, fw_multiply(b->pool, times, begin));
    parting->progressed = true;
    return true;
}

static void part_value(struct parting *parting, uint32_t value, fw_expression times, unsigned depth)
{
    struct builder *b = parting->b;
    const struct fw_value *origin = &b->function->values[value];
    fw_expression known = record_as_address(b, record_value(b, value, parting->where));
    if (!record_expression_opaque(b, known)) {
        parting->rest = fw_add(b->pool, parting->rest, fw_multiply(b->pool, times, known));
        return;
    }
    uint32_t loop = b->function->blocks[origin->block].loop;
    bool left = loop != FW_NO_INDEX && !fw_block_in_loop(b->function, parting->where, loop);
    if (!left && origin->kind == FW_VALUE_PHI && depth <= MOST_NESTED &&
        parting_cursor(parting, value, times, depth + 1))
        return;
    if ((left || origin->kind == FW_VALUE_PHI) && parting_cursor_left(parting, value, times))
        return;
    if (origin->kind == FW_VALUE_PHI &&
        (part_terms(parting, known, times) || (!left && part_begin(parting, origin, times, depth))))
        return;
    if ((left || origin->kind == FW_VALUE_PHI) && part_progress(parting, value, times))
        return;
    if (!parting->ranked && record_is_rank(b, value)) {
        parting->ranked = true;
        parting->rank_times = times;
        return;
    }
    if (left || origin->kind != FW_VALUE_INSTRUCTION || depth > MOST_NESTED ||
        !part_instruction(parting, origin->definition, times, depth))
        parting_add(parting, value, times);
}

const struct fw_data_address *record_data_address(struct builder *b, const struct fw_access *access,
                                                  const struct fw_operand *operand,
                                                  fw_expression address)
{
    struct parting parting = {.b = b, .where = b->block_of[access->instruction]};
    if (operand->kind != FW_OPERAND_ADDRESS || operand->value == FW_NO_INDEX || operand->count)
        return NULL;
    part_value(&parting, operand->value, fw_constant(b->pool, 1), 0);
    if (parting.failed || (parting.count == 0 && !parting.progressed && !parting.ranked))
        return NULL;
    if (parting.ranked)
        record_rank_place(b, &parting.rest, parting.rank_times, parting.where, parting.parts,
                          &parting.count);
    struct fw_operand begin = *operand;
    begin.index = FW_NO_INDEX; /* the variable and the constant alone */
    fw_expression array = fw_subtract(b->pool, address, access->offset);
    parting.rest = fw_add(b->pool, parting.rest, record_address(b, &begin, parting.where));
    struct fw_data_address *data = FW_NEW(b->arena, struct fw_data_address);
    data->rest = fw_subtract(b->pool, parting.rest, array);
    data->part_count = parting.count;
    data->ranked = parting.ranked;
    data->parts = fw_arena_copy(b->arena, parting.parts, parting.count * sizeof(*parting.parts));
    return record_expression_opaque(b, data->rest) ? NULL : data;
}
