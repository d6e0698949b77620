/* Comparisons: the condition that a predicate is, from integers, arguments in floating point, and
 * other predicates. */
#include "record_internal.h"

bool record_same_array(const struct builder *b, fw_expression x, fw_expression y)
{
    const struct fw_expression_node *left = &b->pool->expressions.at[x],
                                    *right = &b->pool->expressions.at[y];
    for (uint32_t t = 0; t < left->term_count; t++) {
        const struct fw_term *term = &left->terms[t];
        if (term->atom_count != 1 || term->coefficient != 1)
            continue;
        const struct fw_atom_node *atom = &b->pool->atoms.at[term->atoms[0]];
        if (atom->kind != FW_ATOM_ARRAY &&
            (atom->kind != FW_ATOM_PARAMETER || !b->kernel->parameters[atom->a].is_pointer))
            continue;
        for (uint32_t u = 0; u < right->term_count; u++)
            if (right->terms[u].atom_count == 1 && right->terms[u].coefficient == 1 &&
                right->terms[u].atoms[0] == term->atoms[0])
                return true;
    }
    return false;
}

fw_condition record_operand_condition(struct builder *b, const struct fw_operand *operand,
                                      uint32_t where)
{
    if (operand->kind == FW_OPERAND_INTEGER)
        return operand->immediate ? FW_CONDITION_TRUE : FW_CONDITION_FALSE;
    if (operand->kind != FW_OPERAND_REGISTER)
        return FW_NO_EXPRESSION;
    fw_condition condition = record_predicate(b, operand->value, where);
    return operand->negated ? fw_condition_not(b->pool, condition) : condition;
}

/* The instruction that a floating-point register's value comes from, through moves and local memory
 * that is followed; NULL where ways join or a guard stands. */
static const struct fw_instruction *float_source(struct builder *b,
                                                 const struct fw_operand *operand)
{
    enum { MOST_STEPS = 64 };
    for (unsigned step = 0; step < MOST_STEPS && operand->value != FW_NO_INDEX; step++) {
        const struct fw_value *origin = &b->function->values[operand->value];
        if ((operand->kind != FW_OPERAND_REGISTER) || operand->negated ||
            origin->kind != FW_VALUE_INSTRUCTION)
            return NULL;
        const struct fw_instruction *at = record_at(b, origin->definition);
        bool moves = at->opcode == FW_OP_MOV && at->operand_count == 2 &&
                     at->operands[0].kind == FW_OPERAND_REGISTER;
        if (at->guard != FW_NO_INDEX || fw_type_class(at->types[0]) != 'f')
            return NULL;
        const struct fw_instruction *store =
            at->opcode == FW_OP_LD && at->space == FW_SPACE_PARAM && at->operand_count > 1
                ? record_staged(b, &at->operands[1], (enum fw_type)at->types[0])
                : NULL;
        if (at->slot && at->opcode == FW_OP_LD)
            operand = at->slot;
        else if (store)
            operand = &store->operands[1];
        else if ((at->slot || moves) && at->operands[1].kind == FW_OPERAND_REGISTER)
            operand = &at->operands[1];
        else
            return at;
    }
    return NULL;
}

/* A float operand that is known once the launch is bound: an argument or a literal. */
static bool known_float(struct builder *b, const struct fw_operand *operand, enum fw_type type,
                        bool *is_parameter, uint32_t *parameter, double *value)
{
    *is_parameter = false;
    if (operand->kind == FW_OPERAND_FLOAT) {
        union {
            int64_t bits;
            double number;
        } wide = {operand->immediate};
        union {
            uint32_t bits;
            float number;
        } narrow = {(uint32_t)operand->immediate};
        *value = operand->single ? (double)narrow.number : wide.number;
        return true;
    }
    const struct fw_instruction *load = float_source(b, operand);
    uint64_t offset;
    if (!load)
        return false;
    if (load->opcode == FW_OP_MOV && load->operands[1].kind == FW_OPERAND_FLOAT)
        return known_float(b, &load->operands[1], type, is_parameter, parameter, value);
    if (load->opcode != FW_OP_LD || load->space != FW_SPACE_PARAM || load->operand_count < 2 ||
        load->guard != FW_NO_INDEX || load->vector > 1)
        return false;
    const struct fw_variable *variable = record_parameter_place(b, &load->operands[1], &offset);
    if (!variable || variable->index == FW_NO_INDEX)
        return false;
    *parameter = record_parameter_at(b, variable->offset + offset, fw_type_bytes(type));
    *is_parameter = *parameter != FW_NONE;
    return *is_parameter;
}

static fw_condition float_comparison(struct builder *b, const struct fw_instruction *at,
                                     const struct fw_operand *in, enum fw_type type, uint32_t where)
{
    enum { EQUAL, LESS, LESS_EQUAL };
    static const struct {
        uint8_t compare, comparison;
        bool swapped, negated, unordered;
    } rows[] = {
        {FW_CMP_EQ, EQUAL, 0, 0, 0},  {FW_CMP_NE, EQUAL, 0, 1, 1},
        {FW_CMP_LT, LESS, 0, 0, 0},   {FW_CMP_LE, LESS_EQUAL, 0, 0, 0},
        {FW_CMP_GT, LESS, 1, 0, 0},   {FW_CMP_GE, LESS_EQUAL, 1, 0, 0},
        {FW_CMP_EQU, EQUAL, 0, 0, 1}, {FW_CMP_NEU, EQUAL, 0, 1, 0},
        {FW_CMP_LTU, LESS, 0, 0, 1},  {FW_CMP_LEU, LESS_EQUAL, 0, 0, 1},
        {FW_CMP_GTU, LESS, 1, 0, 1},  {FW_CMP_GEU, LESS_EQUAL, 1, 0, 1},
    };
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        if (rows[r].compare != at->compare)
            continue;
        struct fw_float_comparison c = {.comparison = rows[r].comparison,
                                        .unordered = rows[r].unordered};
        const struct fw_operand *left = &in[rows[r].swapped], *right = &in[!rows[r].swapped];
        if (!known_float(b, left, type, &c.left_is_parameter, &c.left_parameter, &c.left) ||
            !known_float(b, right, type, &c.right_is_parameter, &c.right_parameter, &c.right))
            break;
        *FW_APPEND(b->arena, &b->floats) = c;
        fw_condition found =
            fw_condition_new(b->pool, FW_CONDITION_FLOAT, (uint32_t)b->floats.count - 1, 0, 0);
        return rows[r].negated ? fw_condition_not(b->pool, found) : found;
    }
    return record_float_comparison(b, at, in, type, where);
}

static enum fw_compare signed_order(enum fw_compare compare)
{
    switch (compare) {
    case FW_CMP_LO:
        return FW_CMP_LT;
    case FW_CMP_LS:
        return FW_CMP_LE;
    case FW_CMP_HI:
        return FW_CMP_GT;
    case FW_CMP_HS:
        return FW_CMP_GE;
    default:
        return compare;
    }
}

static bool is_pointer(void *user, fw_atom atom, const struct fw_atom_node *node)
{
    const struct builder *b = user;
    (void)atom;
    return node->kind == FW_ATOM_PARAMETER && b->kernel->parameters[node->a].is_pointer;
}

/* Whether it is an address past the begin of an argument's array: such a one is not 0.  An argument
 * itself may be, where the source asks, and so may what is left of it by a division: its alignment
 * (p & 15). */
static bool is_element(struct builder *b, fw_expression x)
{
    const struct fw_expression_node *node = &b->pool->expressions.at[x];
    for (uint32_t t = 0; t < node->term_count && node->term_count > 1; t++) {
        const struct fw_term *term = &node->terms[t];
        const struct fw_atom_node *atom = &b->pool->atoms.at[term->atom_count ? term->atoms[0] : 0];
        if (term->atom_count != 1 || term->coefficient != 1 || !is_pointer(b, 0, atom))
            continue;
        fw_expression begin = fw_atom_new(b->pool, FW_ATOM_PARAMETER, atom->a, 0, 0);
        return !fw_expression_any(b->pool, fw_subtract(b->pool, x, begin), is_pointer, b);
    }
    return false;
}

/* Whether an order of numbers of this type is that of unsigned ones. */
static bool unsigned_order(enum fw_compare order, enum fw_type type)
{
    return order == FW_CMP_LO || order == FW_CMP_LS || order == FW_CMP_HI || order == FW_CMP_HS ||
           (fw_type_class(type) == 'u' && order != FW_CMP_EQ && order != FW_CMP_NE);
}

/* A product with a number near 2^32 wraps around on purpose: x is divisible by 3 where
 * 0xaaaaaaab x is less than 0x55555556. */
static fw_expression wrapped(struct builder *b, fw_expression a)
{
    const struct fw_expression_node *node = &b->pool->expressions.at[a];
    for (uint32_t t = 0; t < node->term_count; t++)
        if (node->terms[t].atom_count &&
            (node->terms[t].coefficient >= 1 << 24 || node->terms[t].coefficient <= -(1 << 24)))
            return record_low_bits(b, a, 32);
    return a;
}

static fw_condition integer_comparison(struct builder *b, const struct fw_instruction *at,
                                       fw_expression x, fw_expression y, enum fw_type type)
{
    struct fw_pool *pool = b->pool;
    uint32_t bits = fw_type_bits(type), i = (uint32_t)(at - b->function->instructions);
    if (bits == 32 && unsigned_order(at->compare, type)) {
        x = wrapped(b, x);
        y = wrapped(b, y);
    }
    if (bits == 32 && (record_scalar_wide(b, x) || record_scalar_wide(b, y))) {
        bool is_signed = fw_type_class(type) == 's' && !unsigned_order(at->compare, type);
        x = is_signed ? record_signed_low_bits(b, x, bits) : record_low_bits(b, x, bits);
        y = is_signed ? record_signed_low_bits(b, y, bits) : record_low_bits(b, y, bits);
    }
    if (bits < 32) {
        x = record_fitted(b, x, type, i);
        y = record_fitted(b, y, type, i);
    }
    fw_expression gap = fw_subtract(pool, y, x), one = fw_constant(pool, 1);
    bool same = record_same_array(b, x, y), is_unsigned = fw_type_class(type) == 'u' && !same;
    enum fw_compare order = (enum fw_compare)at->compare;
    if (same)
        order = signed_order(order);
    if ((order == FW_CMP_EQ || order == FW_CMP_NE) &&
        ((y == 0 && is_element(b, x)) || (x == 0 && is_element(b, y))))
        gap = one;
    switch (order) {
    case FW_CMP_EQ:
        return fw_is_zero(pool, gap);
    case FW_CMP_NE:
        return fw_condition_not(pool, fw_is_zero(pool, gap));
    case FW_CMP_LO:
    case FW_CMP_LT:
        return is_unsigned || order == FW_CMP_LO
                   ? fw_unsigned_less(pool, x, y, bits)
                   : fw_is_positive(pool, fw_subtract(pool, gap, one));
    case FW_CMP_HI:
    case FW_CMP_GT:
        return is_unsigned || order == FW_CMP_HI
                   ? fw_unsigned_less(pool, y, x, bits)
                   : fw_is_positive(pool, fw_subtract(pool, fw_scale(pool, gap, -1), one));
    case FW_CMP_LS:
    case FW_CMP_LE:
        return is_unsigned || order == FW_CMP_LS
                   ? fw_condition_not(pool, fw_unsigned_less(pool, y, x, bits))
                   : fw_is_positive(pool, gap);
    case FW_CMP_HS:
    case FW_CMP_GE:
        return is_unsigned || order == FW_CMP_HS
                   ? fw_condition_not(pool, fw_unsigned_less(pool, x, y, bits))
                   : fw_is_positive(pool, fw_scale(pool, gap, -1));
    default:
        return FW_NO_EXPRESSION;
    }
}

static fw_condition exclusive(struct builder *b, fw_condition x, fw_condition y)
{
    fw_condition left = fw_condition_and(b->pool, x, fw_condition_not(b->pool, y));
    return fw_condition_or(b->pool, left,
                           fw_condition_and(b->pool, fw_condition_not(b->pool, x), y));
}

static fw_condition combined(struct builder *b, enum fw_mode mode, fw_condition x, fw_condition y)
{
    if (x == FW_NO_EXPRESSION || y == FW_NO_EXPRESSION)
        return FW_NO_EXPRESSION;
    switch (mode) {
    case FW_MODE_AND:
        return fw_condition_and(b->pool, x, y);
    case FW_MODE_OR:
        return fw_condition_or(b->pool, x, y);
    default:
        return exclusive(b, x, y);
    }
}

static fw_condition compared(struct builder *b, uint32_t i, uint32_t slot)
{
    const struct fw_instruction *at = record_at(b, i);
    uint32_t where = b->block_of[i];
    const struct fw_operand *in = at->operands + at->destinations;
    uint32_t count = (uint32_t)(at->operand_count - at->destinations);
    enum fw_type type = at->opcode == FW_OP_SET && at->type_count > 1 ? at->types[1] : at->types[0];
    fw_condition c;
    if (count < 2)
        return FW_NO_EXPRESSION;
    if (fw_type_class(type) == 'f') {
        c = float_comparison(b, at, in, type, where);
    } else {
        fw_expression x = record_operand(b, &in[0], type, where);
        fw_expression y = record_operand(b, &in[1], type, where);
        if (x == FW_NO_EXPRESSION || y == FW_NO_EXPRESSION)
            return FW_NO_EXPRESSION;
        c = integer_comparison(b, at, x, y, type);
    }
    if (c != FW_NO_EXPRESSION && slot == 1)
        c = fw_condition_not(b->pool, c);
    if (count > 2 && at->mode != FW_MODE_NONE)
        c = combined(b, (enum fw_mode)at->mode, c, record_operand_condition(b, &in[2], where));
    return c;
}

fw_condition record_comparison(struct builder *b, uint32_t instruction, uint32_t slot)
{
    const struct fw_instruction *at = record_at(b, instruction);
    uint32_t where = b->block_of[instruction];
    const struct fw_operand *in = at->operands + at->destinations;
    uint32_t count = (uint32_t)(at->operand_count - at->destinations);
    fw_condition result = FW_NO_EXPRESSION, x = FW_NO_EXPRESSION, y = FW_NO_EXPRESSION;
    if (at->types[0] == FW_TYPE_PRED && count > 0) {
        x = record_operand_condition(b, &in[0], where);
        y = count > 1 ? record_operand_condition(b, &in[1], where) : FW_CONDITION_TRUE;
    }
    switch ((enum fw_opcode)at->opcode) {
    case FW_OP_ELECT:
        result = record_is_elected(b, instruction);
        break;
    case FW_OP_SHFL:
        result = record_in_range(b, instruction);
        break;
    case FW_OP_MBARRIER: /* a wait succeeds, sooner or later: see struct fw_loop */
        result = record_waits(at) ? FW_CONDITION_TRUE : FW_NO_EXPRESSION;
        break;
    case FW_OP_SET:
    case FW_OP_SETP:
        result = compared(b, instruction, slot);
        break;
    case FW_OP_MOV:
        result = x;
        break;
    case FW_OP_NOT:
        result = x == FW_NO_EXPRESSION ? x : fw_condition_not(b->pool, x);
        break;
    case FW_OP_AND:
        result = combined(b, FW_MODE_AND, x, y);
        break;
    case FW_OP_OR:
        result = combined(b, FW_MODE_OR, x, y);
        break;
    case FW_OP_XOR:
        result = combined(b, FW_MODE_XOR, x, y);
        break;
    default:
        break;
    }
    if (result != FW_NO_EXPRESSION)
        return result;
    /* An opaque condition is named by the value that the instruction defines. */
    struct fw_operand *destination = at->destinations ? &at->operands[0] : NULL;
    while (destination && destination->count)
        destination = &destination->elements[slot < destination->count ? slot : 0];
    if (!destination || destination->kind != FW_OPERAND_REGISTER)
        return fw_condition_new(b->pool, FW_CONDITION_UNKNOWN, FW_TOO_DEEP, instruction, 0);
    record_opaque(b, destination->value, record_why_opaque(at));
    return fw_condition_new(b->pool, FW_CONDITION_UNKNOWN, b->opaque_of[destination->value], 0, 0);
}
