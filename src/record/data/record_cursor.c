/* Cursors: places that a loop moves on by one fixed step, or leaves, as data decide (`next++` of a
 * decoder that has used up its bits, `a[i] <= b[j] ? i++ : j++` of two runs that are merged).
 *
 * Takes the SSA form and the expressions of values.  A value at a loop's header is a cursor where
 * each way through the loop adds a multiple of one step, all of one sign, and the ways differ.
 * Where ways part, each is taken to be equally probable, as branches of which nothing is known are.
 * A cursor's course is where it comes to in the mean: its begin and a step for each so many
 * iterations.  How far a thread's cursor is from its course is a part that data decide, a
 * displacement.  Never follows a cursor through products, masks or another loop. */
#include "record_parting.h"

#include <math.h>

enum { MOST_MOVES = 200, MOST_DEPTH = 40, MOST_ITERATIONS = 32 };

/* Steps that threads are from their mean course whose branch refills what they use up: amounts that
 * are drawn evenly, up to a third or a half of what is added, come to so many in some hundred
 * iterations. */
enum { REFILLED_APART = 2 };

static const double near = 0.02; /* of the steps */

/* What moves a value from one that a loop's header has: so many steps. */
struct moves {
    bool known;
    int64_t low, high;
    double mean;
};

struct cursor {
    struct builder *b;
    uint32_t phi, loop;
    fw_expression step; /* FW_NO_EXPRESSION: none was met yet */
    uint32_t visits;
    bool refills; /* a branch that refills what is used up moves it */
};

static const struct moves not_known = {.known = false};

static struct moves moves_of(struct cursor *cursor, uint32_t value, unsigned depth);

static struct moves either(struct moves a, struct moves b, double weight)
{
    const struct moves both = {.known = a.known && b.known,
                               .low = a.low < b.low ? a.low : b.low,
                               .high = a.high > b.high ? a.high : b.high,
                               .mean = a.mean * weight + b.mean * (1 - weight)};
    return both.known ? both : not_known;
}

static struct moves both_of(struct moves a, struct moves b, int sign)
{
    enum { MOST = 1 << 20 };
    if (!a.known || !b.known || b.low < -MOST || b.high > MOST || a.low < -MOST || a.high > MOST)
        return not_known;
    return (struct moves){.known = true,
                          .low = a.low + (sign > 0 ? b.low : -b.high),
                          .high = a.high + (sign > 0 ? b.high : -b.low),
                          .mean = a.mean + sign * b.mean};
}

/* A fixed amount in steps: a constant by itself, or the one expression that is the step. */
static struct moves in_steps(struct cursor *cursor, fw_expression amount)
{
    struct builder *b = cursor->b;
    int64_t number = 0, unit;
    if (amount == FW_NO_EXPRESSION || !parting_is_fixed(b, amount))
        return not_known;
    const bool constant = fw_expression_constant(b->pool, amount, &number);
    if (constant && number == 0)
        return (struct moves){.known = true};
    if (cursor->step == FW_NO_EXPRESSION)
        cursor->step = constant ? fw_constant(b->pool, number < 0 ? -number : number) : amount;
    if (constant && fw_expression_constant(b->pool, cursor->step, &unit) && number % unit == 0)
        number /= unit;
    else if (amount == cursor->step)
        number = 1;
    else if (amount == fw_scale(b->pool, cursor->step, -1))
        number = -1;
    else
        return not_known;
    return (struct moves){true, number, number, (double)number};
}

static const struct fw_instruction *plain(const struct cursor *cursor, uint32_t value)
{
    const struct fw_value *origin =
        value == FW_NO_INDEX ? NULL : &cursor->b->function->values[value];
    if (!origin || origin->kind != FW_VALUE_INSTRUCTION)
        return NULL;
    const struct fw_instruction *at = record_at(cursor->b, origin->definition);
    return at->guard == FW_NO_INDEX && at->destinations == 1 && at->type_count > 0 && !at->slot &&
                   fw_type_class(at->types[0]) != 'f' && fw_type_bits(at->types[0]) >= 32
               ? at
               : NULL;
}

static uint32_t value_of(const struct fw_operand *operand)
{
    return operand->kind == FW_OPERAND_REGISTER && !operand->negated ? operand->value : FW_NO_INDEX;
}

/* An amount that is fixed, or one of two fixed ones that data choose. */
static struct moves amount_of(struct cursor *cursor, const struct fw_operand *operand,
                              enum fw_type type, uint32_t where, unsigned depth)
{
    struct builder *b = cursor->b;
    const uint32_t value = value_of(operand);
    const struct fw_value *origin = value == FW_NO_INDEX ? NULL : &b->function->values[value];
    fw_expression fixed = record_operand(b, operand, type, where);
    if (fixed != FW_NO_EXPRESSION && parting_is_fixed(b, fixed))
        return in_steps(cursor, fixed);
    const struct fw_instruction *at = plain(cursor, value);
    if (!at || ++cursor->visits > MOST_MOVES || depth > MOST_DEPTH)
        return not_known;
    const uint32_t block = b->block_of[origin->definition];
    if (at->opcode == FW_OP_CVT || at->opcode == FW_OP_MOV)
        return amount_of(cursor, &at->operands[1], type, block, depth + 1);
    if (at->opcode != FW_OP_SELP)
        return not_known;
    struct moves a = amount_of(cursor, &at->operands[1], type, block, depth + 1);
    return a.known ? either(a, amount_of(cursor, &at->operands[2], type, block, depth + 1), 0.5)
                   : a;
}

static struct moves operand_moves(struct cursor *cursor, const struct fw_operand *operand,
                                  unsigned depth)
{
    const uint32_t value = value_of(operand);
    return value == FW_NO_INDEX ? not_known : moves_of(cursor, value, depth + 1);
}

static struct moves moves_of_instruction(struct cursor *cursor, uint32_t value, unsigned depth)
{
    const struct fw_instruction *at = plain(cursor, value);
    if (!at)
        return not_known;
    const uint32_t where = cursor->b->block_of[at - cursor->b->function->instructions];
    const struct fw_operand *in = &at->operands[1];
    const enum fw_type type = (enum fw_type)at->types[0];
    struct moves moved = not_known;
    switch ((enum fw_opcode)at->opcode) {
    case FW_OP_MOV:
        return operand_moves(cursor, &in[0], depth);
    case FW_OP_ADD:
        for (uint32_t o = 0; o < 2 && !moved.known; o++) {
            moved = operand_moves(cursor, &in[o], depth);
            if (moved.known)
                moved = both_of(moved, amount_of(cursor, &in[1 - o], type, where, depth), 1);
        }
        return moved;
    case FW_OP_SUB:
        moved = operand_moves(cursor, &in[0], depth);
        return moved.known ? both_of(moved, amount_of(cursor, &in[1], type, where, depth), -1)
                           : moved;
    case FW_OP_SELP:
        moved = operand_moves(cursor, &in[0], depth);
        return moved.known ? either(moved, operand_moves(cursor, &in[1], depth), 0.5) : moved;
    default:
        return not_known;
    }
}

/* The share at which the first of two ways leads to a block. */
static double share_of_first(struct cursor *cursor, const struct fw_block *block)
{
    const struct fw_function *function = cursor->b->function;
    for (uint32_t p = 0; p < 2; p++) { /* the way that goes straight on, from the branch itself */
        const struct fw_block *from = &function->blocks[block->predecessors[p]];
        const double taken =
            from->successor_count == 2 ? record_refill(cursor->b, from->end - 1) : 0;
        if (!(taken > 0))
            continue;
        cursor->refills = true;
        const bool by_taking = &function->blocks[from->successors[0]] == block;
        const double share = by_taking ? taken : 1 - taken;
        return p == 0 ? share : 1 - share;
    }
    return FW_USUALLY_TAKEN;
}

/* What moves a value from the header's, through all ways that lead to it within the loop. */
static struct moves moves_of(struct cursor *cursor, uint32_t value, unsigned depth)
{
    const struct fw_function *function = cursor->b->function;
    if (value == cursor->phi)
        return (struct moves){.known = true};
    if (value == FW_NO_INDEX || ++cursor->visits > MOST_MOVES || depth > MOST_DEPTH)
        return not_known;
    const struct fw_value *origin = &function->values[value];
    const struct fw_block *block = &function->blocks[origin->block];
    if (block->loop != cursor->loop)
        return not_known;
    if (origin->kind != FW_VALUE_PHI)
        return moves_of_instruction(cursor, value, depth);
    if (function->loops[block->loop].header == origin->block || block->predecessor_count == 0)
        return not_known;
    const uint32_t *inputs = block->phis[origin->definition].inputs;
    struct moves all = moves_of(cursor, inputs[0], depth + 1);
    if (block->predecessor_count == 2 && all.known)
        return either(all, moves_of(cursor, inputs[1], depth + 1), share_of_first(cursor, block));
    for (uint32_t p = 1; p < block->predecessor_count && all.known; p++)
        all = either(all, moves_of(cursor, inputs[p], depth + 1), (double)p / (p + 1));
    return all;
}

/* What the ways around the loop add, and the value that it begins with; false: it has several, or
 * the ways are alike or go forth and back. */
static bool goes_on(struct cursor *cursor, const struct fw_block *header, const struct fw_phi *phi,
                    struct moves *around, uint32_t *entry)
{
    double ways = 0;
    *entry = FW_NO_INDEX;
    *around = (struct moves){.known = true};
    for (uint32_t p = 0; p < header->predecessor_count && around->known; p++) {
        if (!fw_block_in_loop(cursor->b->function, header->predecessors[p], cursor->loop)) {
            if (*entry != FW_NO_INDEX)
                return false;
            *entry = p;
            continue;
        }
        const struct moves way = moves_of(cursor, phi->inputs[p], 0);
        *around = ways > 0 ? either(*around, way, ways / (ways + 1)) : way;
        ways++;
    }
    return around->known && ways > 0 && *entry != FW_NO_INDEX && around->high > around->low &&
           (around->low >= 0 || around->high <= 0);
}

/* What a whole number of steps in so many iterations is off by, as a share of them. */
static double off_by(double mean, int64_t iterations)
{
    const double steps = mean * (double)iterations;
    return fabs(fmax(1, round(steps)) / steps - 1);
}

/* So many steps in the mean: whole ones in each iteration, or in each so many. */
static fw_expression course(const struct cursor *cursor, double mean)
{
    struct fw_pool *pool = cursor->b->pool;
    fw_expression i = fw_atom_new(pool, FW_ATOM_ITERATION, cursor->loop, 0, 0);
    const double size = fabs(mean);
    int64_t each = 1;
    for (int64_t so_many = 2; so_many <= MOST_ITERATIONS; so_many++)
        if (off_by(size, so_many) < off_by(size, each) - near)
            each = so_many;
    i = fw_scale(pool, i, llround(fmax(1, size * (double)each)));
    if (each > 1)
        i = fw_floor_divide(pool, i, fw_constant(pool, each));
    return fw_multiply(pool, fw_scale(pool, i, mean < 0 ? -1 : 1), cursor->step);
}

/* A value of the loop as a cursor of one of its header's phis, moved on within an iteration. */
static bool find(struct cursor *cursor, uint32_t value, struct moves *around, struct moves *within,
                 uint32_t *begin, uint32_t *from)
{
    const struct fw_function *function = cursor->b->function;
    const struct fw_block *header = &function->blocks[function->loops[cursor->loop].header];
    for (uint32_t p = 0; p < header->phi_count; p++) {
        uint32_t entry;
        cursor->phi = header->phis[p].value;
        cursor->step = FW_NO_EXPRESSION;
        cursor->visits = 0;
        cursor->refills = false;
        *within = moves_of(cursor, value, 0);
        if (!within->known || !goes_on(cursor, header, &header->phis[p], around, &entry))
            continue;
        *begin = header->phis[p].inputs[entry];
        *from = header->predecessors[entry];
        return true;
    }
    return false;
}

/* Whether data choose where a part was loaded from: rows of it lie anywhere, and of a warp's as
 * many cursors L1 keeps fewer lines than they come to. */
static bool loaded_anywhere(struct builder *b, const struct fw_data_part *part)
{
    if (part->loaded == FW_NONE)
        return true;
    const struct fw_instruction *at = record_at(b, part->loaded);
    for (uint32_t o = at->destinations; o < at->operand_count; o++)
        if (at->operands[o].kind == FW_OPERAND_ADDRESS)
            return record_expression_opaque(
                b, record_address(b, &at->operands[o], b->block_of[part->loaded]));
    return true;
}

/* Parts where a cursor begins: a known place, or one that is loaded from a known place. */
static bool part_begin(struct parting *parting, uint32_t begin, fw_expression times, uint32_t from,
                       unsigned depth)
{
    struct parting inner = {.b = parting->b, .where = parting->where};
    const struct fw_operand start = {.kind = FW_OPERAND_REGISTER, .value = begin};
    const struct fw_function *function = parting->b->function;
    parting_operand(&inner, &start,
                    (enum fw_type)function->registers[function->values[begin].reg].type, times,
                    from, depth);
    for (uint32_t p = 0; p < inner.count && !inner.failed; p++)
        inner.failed = loaded_anywhere(parting->b, &inner.parts[p]);
    if (inner.failed || inner.ranked)
        return false;
    parting_join(parting, &inner);
    parting->progressed |= inner.progressed;
    return true;
}

bool parting_cursor(struct parting *parting, uint32_t value, fw_expression times, unsigned depth)
{
    struct builder *b = parting->b;
    struct cursor cursor = {.b = b,
                            .loop = b->function->blocks[b->function->values[value].block].loop};
    struct moves around, within;
    uint32_t begin, from;
    if (cursor.loop == FW_NO_INDEX || !find(&cursor, value, &around, &within, &begin, &from) ||
        begin == FW_NO_INDEX || cursor.step == FW_NO_EXPRESSION)
        return false;
    fw_expression moved = fw_add(b->pool, course(&cursor, around.mean),
                                 fw_scale(b->pool, cursor.step, llround(within.mean)));
    if (record_expression_opaque(b, moved) || !part_begin(parting, begin, times, from, depth))
        return false;
    parting->rest = fw_add(b->pool, parting->rest, fw_multiply(b->pool, times, moved));
    parting_add(parting, cursor.phi, fw_multiply(b->pool, times, cursor.step));
    for (uint32_t p = 0; p < parting->count; p++) {
        struct fw_data_part *part = &parting->parts[p];
        if (part->value != cursor.phi)
            continue;
        part->displaced = part->cursor = true;
        part->low = part->high = part->steps = FW_NO_EXPRESSION;
        if (cursor.refills) {
            part->low = fw_constant(b->pool, -REFILLED_APART);
            part->high = fw_constant(b->pool, REFILLED_APART);
        }
        part->step = 1;
        part->usual_range = false;
        part->choice_count = 0;
    }
    return true;
}

/* Where a cursor began that an earlier loop left somewhere; what is no cursor, itself. */
static fw_expression begin_of(struct builder *b, uint32_t value, uint32_t where, bool *moved)
{
    struct cursor cursor = {.b = b};
    struct moves around, within;
    uint32_t begin = FW_NO_INDEX, from;
    if (value == FW_NO_INDEX)
        return FW_NO_EXPRESSION;
    cursor.loop = b->function->blocks[b->function->values[value].block].loop;
    if (cursor.loop != FW_NO_INDEX && !fw_block_in_loop(b->function, where, cursor.loop) &&
        find(&cursor, value, &around, &within, &begin, &from) && begin != FW_NO_INDEX) {
        *moved = true;
        return record_value(b, begin, from);
    }
    return record_value(b, value, where);
}

bool parting_cursor_left(struct parting *parting, uint32_t value, fw_expression times)
{
    struct builder *b = parting->b;
    const struct fw_value *origin = &b->function->values[value];
    const struct fw_block *block = &b->function->blocks[origin->block];
    bool moved = false;
    fw_expression begin = begin_of(b, value, parting->where, &moved);
    if (!moved && origin->kind == FW_VALUE_PHI && block->predecessor_count > 0) {
        const uint32_t *inputs = block->phis[origin->definition].inputs;
        begin = begin_of(b, inputs[0], parting->where, &moved);
        for (uint32_t p = 1; p < block->predecessor_count; p++)
            if (begin_of(b, inputs[p], parting->where, &moved) != begin)
                return false;
    }
    if (!moved || begin == FW_NO_EXPRESSION || record_expression_opaque(b, begin))
        return false;
    parting->rest = fw_add(b->pool, parting->rest, fw_multiply(b->pool, times, begin));
    parting->progressed = true;
    return true;
}

void record_cursor_array(struct builder *b, struct fw_access *access)
{
    const struct fw_data_address *data = access->data;
    bool cursor = false;
    fw_expression rest;
    for (uint32_t p = 0; data && access->array == FW_NONE && p < data->part_count; p++)
        cursor |= data->parts[p].cursor;
    if (!cursor)
        return;
    access->array = record_find_array(b, data->rest, access->space, &rest);
    if (access->array == FW_NONE)
        return;
    struct fw_data_address *within = FW_NEW(b->arena, struct fw_data_address);
    *within = *data;
    within->rest = rest;
    access->data = within;
    access->offset = fw_subtract(b->pool, access->offset, fw_subtract(b->pool, data->rest, rest));
}
