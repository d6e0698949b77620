/* Operations: the expression that one instruction defines, from its operands' expressions.
 *
 * Registers hold numbers modulo 2^32 or 2^64; expressions are integers.  They agree as long as
 * 32-bit values that are widened, divided, shifted right or compared fit their type: that is
 * obliged. */
#include "record_internal.h"

static const struct fw_instruction *at_index(const struct builder *b, uint32_t instruction)
{
    return &b->function->instructions[instruction];
}

static int64_t immediate_of(const struct fw_operand *operand, enum fw_type type)
{
    unsigned bits = fw_type_bits(type);
    int64_t value = operand->immediate;
    if (operand->negated)
        value = (int64_t)(0 - (uint64_t)value);
    if (bits >= 64 || bits == 0)
        return value;
    uint64_t low = (uint64_t)value & (((uint64_t)1 << bits) - 1);
    bool sign = low >> (bits - 1) & 1;
    return sign ? (int64_t)(low | ~(((uint64_t)1 << bits) - 1)) : (int64_t)low;
}

static fw_expression special_value(struct builder *b, uint32_t special)
{
    static const struct {
        uint8_t special;
        uint8_t index;
    } known[] = {
        {FW_SREG_TID_X, FW_THREAD_X},
        {FW_SREG_TID_Y, FW_THREAD_Y},
        {FW_SREG_TID_Z, FW_THREAD_Z},
        {FW_SREG_NTID_X, FW_BLOCK_SIZE_X},
        {FW_SREG_NTID_Y, FW_BLOCK_SIZE_Y},
        {FW_SREG_NTID_Z, FW_BLOCK_SIZE_Z},
        {FW_SREG_CTAID_X, FW_BLOCK_X},
        {FW_SREG_CTAID_Y, FW_BLOCK_Y},
        {FW_SREG_CTAID_Z, FW_BLOCK_Z},
        {FW_SREG_NCTAID_X, FW_GRID_SIZE_X},
        {FW_SREG_NCTAID_Y, FW_GRID_SIZE_Y},
        {FW_SREG_NCTAID_Z, FW_GRID_SIZE_Z},
        {FW_SREG_LANEID, FW_LANE},
        {FW_SREG_WARPID, FW_WARP},
        {FW_SREG_DYNAMIC_SMEM_SIZE, FW_SHARED_SIZE},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (known[i].special == special)
            return fw_launch_value(b->pool, (enum fw_launch_index)known[i].index);
    return FW_NO_EXPRESSION;
}

static fw_expression variable_address(struct builder *b, const struct fw_operand *operand)
{
    uint32_t array = record_array(b, operand->variable);
    return fw_add(b->pool, fw_atom_new(b->pool, FW_ATOM_ARRAY, array, 0, 0),
                  fw_constant(b->pool, operand->immediate));
}

fw_expression record_operand(struct builder *b, const struct fw_operand *operand, enum fw_type type,
                             uint32_t where)
{
    fw_expression value;
    switch ((enum fw_operand_kind)operand->kind) {
    case FW_OPERAND_REGISTER:
        if (b->function->registers[operand->index].type == FW_TYPE_PRED)
            return FW_NO_EXPRESSION;
        value = record_value(b, operand->value, where);
        return operand->negated ? fw_scale(b->pool, value, -1) : value;
    case FW_OPERAND_INTEGER:
        return fw_constant(b->pool, immediate_of(operand, type));
    case FW_OPERAND_SPECIAL:
        return special_value(b, operand->index);
    case FW_OPERAND_SYMBOL:
        return operand->variable ? variable_address(b, operand) : FW_NO_EXPRESSION;
    default:
        return FW_NO_EXPRESSION;
    }
}

/* Widening and other uses that see the sign: the value must fit its type. */
static fw_expression fitted(struct builder *b, fw_expression a, enum fw_type type,
                            uint32_t instruction)
{
    if (a != FW_NO_EXPRESSION && fw_type_bits(type) == 32)
        record_oblige(b, a, fw_type_class(type) == 's', instruction);
    return a;
}

static fw_expression low_bits(struct builder *b, fw_expression a, unsigned bits)
{
    return fw_bit_and(b->pool, a, fw_constant(b->pool, ((int64_t)1 << bits) - 1));
}

/* ((a + half) mod 2^bits) - half */
static fw_expression signed_low_bits(struct builder *b, fw_expression a, unsigned bits)
{
    fw_expression half = fw_constant(b->pool, (int64_t)1 << (bits - 1));
    return fw_subtract(b->pool, low_bits(b, fw_add(b->pool, a, half), bits), half);
}

static fw_expression convert(struct builder *b, const struct fw_instruction *at, fw_expression a,
                             uint32_t instruction)
{
    enum fw_type to = at->types[0], from = at->type_count > 1 ? at->types[1] : to;
    if (fw_type_bits(to) == 0 || fw_type_bits(from) == 0)
        return FW_NO_EXPRESSION;
    if (fw_type_class(to) == 'f' || fw_type_class(from) == 'f' || (at->flags & FW_FLAG_SAT))
        return FW_NO_EXPRESSION;
    if (fw_type_bits(to) < fw_type_bits(from) && fw_type_bits(to) < 32) {
        if (fw_type_class(to) == 's')
            return signed_low_bits(b, a, fw_type_bits(to));
        return low_bits(b, a, fw_type_bits(to));
    }
    if (fw_type_bits(from) < 32 && fw_type_class(from) == 'u')
        return low_bits(b, a, fw_type_bits(from));
    return fitted(b, a, from, instruction);
}

/* floor(m x / 2^64) with a multiplier that divides by d = 2^(64 + k) / m: floor(2^k x / d), as
 * floor(m x / 2^32) in expression_operations.c.  A shift by k follows. */
static fw_expression high_product_64(struct builder *b, fw_expression x, uint64_t multiplier,
                                     bool is_signed)
{
    struct fw_pool *pool = b->pool;
    __extension__ typedef unsigned __int128 wide;
    for (unsigned k = 0; multiplier && k < 20; k++) {
        wide power = (wide)1 << (64 + k), divisor = (power + multiplier - 1) / multiplier;
        if (divisor < 3 || divisor > INT32_MAX || divisor * multiplier - power > (wide)1 << k)
            continue;
        fw_expression scaled = fw_scale(pool, x, (int64_t)1 << k);
        fw_expression by = fw_constant(pool, (int64_t)divisor);
        if (!is_signed)
            return fw_floor_divide(pool, scaled, by);
        return fw_add(pool, fw_truncate_divide(pool, scaled, by),
                      fw_select(pool, fw_is_positive(pool, x), 0, fw_constant(pool, -1)));
    }
    return FW_NO_EXPRESSION;
}

/* The high half of a product with a constant, which unsigned types see as not negative. */
static fw_expression high_product(struct builder *b, const struct fw_instruction *at,
                                  fw_expression x, fw_expression y, uint32_t instruction)
{
    int64_t multiplier;
    unsigned bits = fw_type_bits(at->types[0]);
    bool is_signed = fw_type_class(at->types[0]) == 's';
    if (!fw_expression_constant(b->pool, y, &multiplier)) {
        fw_expression other = x;
        x = y;
        y = other;
        if (!fw_expression_constant(b->pool, y, &multiplier))
            return FW_NO_EXPRESSION;
    }
    if (bits == 64) {
        fw_expression high = high_product_64(b, x, (uint64_t)multiplier, is_signed);
        /* As a signed number the multiplier is less by 2^64. */
        return high != FW_NO_EXPRESSION && is_signed && multiplier < 0
                   ? fw_subtract(b->pool, high, x)
                   : high;
    }
    if (bits != 32 && bits != 16)
        return FW_NO_EXPRESSION;
    if (!is_signed && multiplier < 0)
        y = fw_constant(b->pool, multiplier + ((int64_t)1 << bits));
    x = fitted(b, x, at->types[0], instruction);
    return fw_floor_divide(b->pool, fw_multiply(b->pool, x, y),
                           fw_constant(b->pool, (int64_t)1 << bits));
}

static fw_expression product(struct builder *b, const struct fw_instruction *at, fw_expression x,
                             fw_expression y, uint32_t instruction)
{
    if (at->mode == FW_MODE_HI)
        return high_product(b, at, x, y, instruction);
    if (at->mode == FW_MODE_WIDE) {
        int64_t constant;
        if (fw_type_bits(at->types[0]) > 32)
            return FW_NO_EXPRESSION;
        if (fw_type_class(at->types[0]) == 'u' && fw_expression_constant(b->pool, y, &constant) &&
            constant < 0)
            y = fw_constant(b->pool, constant + ((int64_t)1 << fw_type_bits(at->types[0])));
        x = fitted(b, x, at->types[0], instruction);
        y = fitted(b, y, at->types[0], instruction);
    }
    return fw_multiply(b->pool, x, y);
}

/* 1 where a is negative. */
static fw_expression sign_bit(struct builder *b, fw_expression a, int64_t value)
{
    return fw_select(b->pool, fw_is_positive(b->pool, a), 0, fw_constant(b->pool, value));
}

/* (x + (x < 0 ? 2^k - 1 : 0)) >> k is x / 2^k rounded towards zero: how compilers divide. */
static fw_expression signed_power_quotient(struct builder *b, fw_expression a, int64_t k)
{
    for (uint32_t t = 0; t < b->pool->expressions.at[a].term_count; t++) {
        const struct fw_term *term = &b->pool->expressions.at[a].terms[t];
        if (term->atom_count != 1)
            continue;
        const struct fw_atom_node node = b->pool->atoms.at[term->atoms[0]];
        int64_t bias, none;
        if (node.kind != FW_ATOM_SELECT || !fw_expression_constant(b->pool, node.a, &none) ||
            none != 0 || !fw_expression_constant(b->pool, node.b, &bias))
            continue;
        fw_expression select = fw_atom_new(b->pool, FW_ATOM_SELECT, node.a, node.b, node.c);
        fw_expression x = fw_subtract(b->pool, a, fw_scale(b->pool, select, term->coefficient));
        int64_t whole;
        if (__builtin_mul_overflow(term->coefficient, bias, &whole))
            continue;
        if (k < 62 && whole == ((int64_t)1 << k) - 1 && fw_is_positive(b->pool, x) == node.c)
            return fw_truncate_divide(b->pool, x, fw_constant(b->pool, (int64_t)1 << k));
    }
    return FW_NO_EXPRESSION;
}

static fw_expression shift_right(struct builder *b, const struct fw_instruction *at,
                                 fw_expression x, fw_expression amount, uint32_t instruction)
{
    int64_t k;
    unsigned bits = fw_type_bits(at->types[0]);
    bool is_signed = fw_type_class(at->types[0]) == 's', constant;
    constant = fw_expression_constant(b->pool, amount, &k);
    if (constant && (k < 0 || k >= bits))
        return is_signed ? sign_bit(b, x, -1) : 0;
    if (constant && k == bits - 1)
        return sign_bit(b, x, is_signed ? -1 : 1);
    if (constant && !is_signed && k > 0 &&
        bits - (unsigned)k < 63) { /* the bias of a signed division: (x >> 31) >>> (32 - k) */
        const struct fw_expression_node *node = &b->pool->expressions.at[x];
        if (node->term_count == 1 && node->terms[0].atom_count == 1) {
            const struct fw_atom_node inner = b->pool->atoms.at[node->terms[0].atoms[0]];
            int64_t none, ones;
            if (inner.kind == FW_ATOM_SELECT && fw_expression_constant(b->pool, inner.a, &none) &&
                fw_expression_constant(b->pool, inner.b, &ones) && none == 0 &&
                (ones == 1 || ones == -1) && node->terms[0].coefficient == -ones)
                return fw_select(b->pool, inner.c, 0,
                                 fw_constant(b->pool, ((int64_t)1 << (bits - (unsigned)k)) - 1));
        }
    }
    if (constant && is_signed) {
        fw_expression quotient = signed_power_quotient(b, x, k);
        if (quotient != FW_NO_EXPRESSION)
            return quotient;
    }
    return fw_shift_right(b->pool, fitted(b, x, is_signed ? FW_TYPE_S32 : FW_TYPE_U32, instruction),
                          amount);
}

static fw_expression bit_field(struct builder *b, fw_expression x, fw_expression from,
                               fw_expression count, const struct fw_instruction *at)
{
    int64_t low, bits;
    if (!fw_expression_constant(b->pool, from, &low) ||
        !fw_expression_constant(b->pool, count, &bits) || low < 0 || low > 62 || bits <= 0 ||
        bits > 62 - low || fw_type_class(at->types[0]) != 'u')
        return FW_NO_EXPRESSION;
    return low_bits(b, fw_shift_right(b->pool, x, from), (unsigned)bits);
}

static fw_expression divide(struct builder *b, const struct fw_instruction *at, fw_expression x,
                            fw_expression y, uint32_t instruction)
{
    x = fitted(b, x, at->types[0], instruction);
    y = fitted(b, y, at->types[0], instruction);
    fw_expression quotient = fw_type_class(at->types[0]) == 'u' ? fw_floor_divide(b->pool, x, y)
                                                                : fw_truncate_divide(b->pool, x, y);
    if (at->opcode == FW_OP_DIV)
        return quotient;
    return fw_subtract(b->pool, x, fw_multiply(b->pool, y, quotient));
}

/* Whether both are addresses in one array: its begin is then in both, and addresses do not wrap. */
static bool same_array(const struct builder *b, fw_expression x, fw_expression y)
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

/* The lesser or the greater; unsigned types order negative numbers above all others. */
static fw_expression extreme(struct builder *b, const struct fw_instruction *at, fw_expression x,
                             fw_expression y, uint32_t instruction)
{
    enum fw_type type = (enum fw_type)at->types[0];
    bool minimum = at->opcode == FW_OP_MIN;
    if (at->type_count > 1 || fw_type_bits(type) < 16 || type == FW_TYPE_S16X2 ||
        type == FW_TYPE_U16X2)
        return FW_NO_EXPRESSION;
    x = fitted(b, x, type, instruction);
    y = fitted(b, y, type, instruction);
    if (fw_type_class(type) == 'u' && !same_array(b, x, y))
        return fw_select(b->pool, fw_unsigned_less(b->pool, x, y, fw_type_bits(type)),
                         minimum ? x : y, minimum ? y : x);
    return minimum ? fw_minimum(b->pool, x, y) : fw_maximum(b->pool, x, y);
}

/* Two and three operand operations whose operands are all integers. */
static fw_expression combine(struct builder *b, const struct fw_instruction *at,
                             const fw_expression *x, uint32_t i)
{
    struct fw_pool *pool = b->pool;
    switch ((enum fw_opcode)at->opcode) {
    case FW_OP_MOV:
    case FW_OP_CVTA:
    case FW_OP_MAPA: /* the same place in another block of the cluster */
        return x[0];
    case FW_OP_ADD:
        return at->flags & (FW_FLAG_CARRY_OUT | FW_FLAG_SAT) ? FW_NO_EXPRESSION
                                                             : fw_add(pool, x[0], x[1]);
    case FW_OP_SUB:
        return at->flags & (FW_FLAG_CARRY_OUT | FW_FLAG_SAT) ? FW_NO_EXPRESSION
                                                             : fw_subtract(pool, x[0], x[1]);
    case FW_OP_MUL:
        return product(b, at, x[0], x[1], i);
    case FW_OP_MUL24:
        return at->mode == FW_MODE_HI ? FW_NO_EXPRESSION : fw_multiply(pool, x[0], x[1]);
    case FW_OP_MAD: {
        fw_expression p = at->flags & (FW_FLAG_CARRY_OUT | FW_FLAG_SAT)
                              ? FW_NO_EXPRESSION
                              : product(b, at, x[0], x[1], i);
        return p == FW_NO_EXPRESSION ? p : fw_add(pool, p, x[2]);
    }
    case FW_OP_MAD24:
        return at->mode == FW_MODE_HI ? FW_NO_EXPRESSION
                                      : fw_add(pool, fw_multiply(pool, x[0], x[1]), x[2]);
    case FW_OP_DIV:
    case FW_OP_REM:
        return divide(b, at, x[0], x[1], i);
    case FW_OP_NEG:
        return fw_scale(pool, x[0], -1);
    case FW_OP_ABS:
        return fw_maximum(pool, x[0], fw_scale(pool, x[0], -1));
    case FW_OP_MIN:
    case FW_OP_MAX:
        return extreme(b, at, x[0], x[1], i);
    case FW_OP_SHL:
        return fw_multiply(pool, x[0], fw_power2(pool, x[1]));
    case FW_OP_SHR:
        return shift_right(b, at, x[0], x[1], i);
    case FW_OP_AND:
        return fw_bit_and(pool, x[0], x[1]);
    case FW_OP_OR:
        return fw_subtract(pool, fw_add(pool, x[0], x[1]), fw_bit_and(pool, x[0], x[1]));
    case FW_OP_XOR:
        return fw_subtract(pool, fw_add(pool, x[0], x[1]),
                           fw_scale(pool, fw_bit_and(pool, x[0], x[1]), 2));
    case FW_OP_NOT:
        return fw_subtract(pool, fw_constant(pool, -1), x[0]);
    case FW_OP_BFE:
        return bit_field(b, x[0], x[1], x[2], at);
    case FW_OP_CVT:
        return convert(b, at, x[0], i);
    default:
        return FW_NO_EXPRESSION;
    }
}

static fw_condition operand_condition(struct builder *b, const struct fw_operand *operand,
                                      uint32_t where)
{
    if (operand->kind == FW_OPERAND_INTEGER)
        return operand->immediate ? FW_CONDITION_TRUE : FW_CONDITION_FALSE;
    if (operand->kind != FW_OPERAND_REGISTER)
        return FW_NO_EXPRESSION;
    fw_condition condition = record_predicate(b, operand->value, where);
    return operand->negated ? fw_condition_not(b->pool, condition) : condition;
}

/* What a call's argument or result was staged as: the one store to this place. */
static fw_expression load_staged(struct builder *b, const struct fw_operand *address,
                                 enum fw_type type, uint32_t where)
{
    const struct fw_instruction *store = record_staged(b, address, type);
    return store ? record_operand(b, &store->operands[1], type, where) : FW_NO_EXPRESSION;
}

/* Argument loads: the parameter at this offset of the parameter block. */
static fw_expression load_parameter(struct builder *b, const struct fw_operand *address,
                                    enum fw_type type, uint32_t vector_slot, uint32_t where)
{
    uint64_t offset;
    const struct fw_variable *variable = record_parameter_place(b, address, &offset);
    if (!variable || fw_type_class(type) == 'f')
        return FW_NO_EXPRESSION;
    if (variable->index == FW_NO_INDEX)
        return vector_slot ? FW_NO_EXPRESSION : load_staged(b, address, type, where);
    uint32_t p = record_parameter_at(
        b, variable->offset + offset + (uint64_t)vector_slot * fw_type_bytes(type),
        fw_type_bytes(type));
    return p == FW_NONE ? FW_NO_EXPRESSION : fw_atom_new(b->pool, FW_ATOM_PARAMETER, p, 0, 0);
}

/* What a load finds in local memory that is followed; what a store leaves there. */
static fw_expression through_slot(struct builder *b, const struct fw_instruction *at, uint32_t i)
{
    enum fw_type type = (enum fw_type)at->types[0];
    uint32_t where = b->block_of[i];
    unsigned bits = fw_type_bits(type);
    if (fw_type_class(type) == 'f')
        return FW_NO_EXPRESSION;
    if (at->opcode == FW_OP_ST)
        return record_operand(b, &at->operands[1], type, where);
    fw_expression x = record_value(b, at->slot->value, where);
    if (bits < 32 && fw_type_class(type) == 's')
        return signed_low_bits(b, x, bits);
    if (bits < 32)
        return low_bits(b, x, bits);
    bool widens = fw_type_bits(b->function->registers[at->operands[0].index].type) > bits;
    return widens ? fitted(b, x, type, i) : x;
}

static enum fw_opaque_kind why_opaque(const struct fw_instruction *at)
{
    switch ((enum fw_opcode)at->opcode) {
    case FW_OP_LD:
    case FW_OP_LDU:
    case FW_OP_TEX:
    case FW_OP_TLD4:
    case FW_OP_SULD:
    case FW_OP_LDMATRIX:
        return FW_OPAQUE_LOADED;
    case FW_OP_ATOM:
    case FW_OP_SHFL:
    case FW_OP_VOTE:
    case FW_OP_MATCH:
    case FW_OP_REDUX:
    case FW_OP_ACTIVEMASK:
    case FW_OP_ELECT:
        return FW_OPAQUE_EXCHANGED;
    case FW_OP_CALL:
        return FW_OPAQUE_CALL;
    case FW_OP_MOV:
        return FW_OPAQUE_MACHINE;
    default:
        return fw_type_class(at->types[at->type_count > 1 ? 1 : 0]) == 'f' ||
                       fw_type_class(at->types[0]) == 'f'
                   ? FW_OPAQUE_FLOAT
                   : FW_OPAQUE_OPERATION;
    }
}

static fw_expression defined(struct builder *b, uint32_t i, uint32_t slot)
{
    const struct fw_instruction *at = at_index(b, i);
    uint32_t where = b->block_of[i];
    fw_expression x[3] = {0, 0, 0};
    const struct fw_operand *in = at->operands + at->destinations;
    uint32_t count = (uint32_t)(at->operand_count - at->destinations);
    if (at->slot)
        return through_slot(b, at, i);
    if (at->opcode == FW_OP_LD && at->space == FW_SPACE_PARAM && count > 0)
        return load_parameter(b, &in[0], at->types[0], slot, where);
    /* A vector of parts of a value (mov.b64 {low, high}, x) is not followed. */
    if (slot > 0 || count == 0 || at->destinations == 0 ||
        at->operands[0].kind == FW_OPERAND_VECTOR)
        return FW_NO_EXPRESSION;
    if (at->opcode == FW_OP_ELECT)
        return record_elected(b, i);
    if (at->opcode == FW_OP_SHFL)
        return record_broadcast(b, i);
    if (at->opcode == FW_OP_SELP || at->opcode == FW_OP_SET) {
        fw_condition c = at->opcode == FW_OP_SELP && count > 2 ? operand_condition(b, &in[2], where)
                                                               : record_comparison(b, i, 0);
        if (at->opcode == FW_OP_SET)
            return fw_type_class(at->types[0]) == 'f'
                       ? FW_NO_EXPRESSION
                       : fw_select(b->pool, c, fw_constant(b->pool, -1), 0);
        x[0] = record_operand(b, &in[0], at->types[0], where);
        x[1] = record_operand(b, &in[1], at->types[0], where);
        if (c == FW_NO_EXPRESSION || x[0] == FW_NO_EXPRESSION || x[1] == FW_NO_EXPRESSION ||
            fw_type_class(at->types[0]) == 'f')
            return FW_NO_EXPRESSION;
        return fw_select(b->pool, c, x[0], x[1]);
    }
    if (fw_type_class(at->types[0]) == 'f' || count > 3)
        return FW_NO_EXPRESSION;
    for (uint32_t o = 0; o < count; o++) {
        enum fw_type type = at->opcode == FW_OP_CVT && at->type_count > 1 ? at->types[1]
                            : at->mode == FW_MODE_WIDE && o == 2          ? FW_TYPE_S64
                            : (at->opcode == FW_OP_SHL || at->opcode == FW_OP_SHR) && o == 1
                                ? FW_TYPE_U32
                                : at->types[0];
        x[o] = record_operand(b, &in[o], type, where);
        if (x[o] == FW_NO_EXPRESSION)
            return FW_NO_EXPRESSION;
    }
    return combine(b, at, x, i);
}

fw_expression record_instruction(struct builder *b, uint32_t instruction, uint32_t value)
{
    const struct fw_instruction *at = at_index(b, instruction);
    fw_expression result = defined(b, instruction, b->function->values[value].slot);
    if (result != FW_NO_EXPRESSION)
        return result;
    return record_opaque(b, value, why_opaque(at));
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
        const struct fw_instruction *at = at_index(b, origin->definition);
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
                                     const struct fw_operand *in, enum fw_type type)
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
            return FW_NO_EXPRESSION;
        *FW_APPEND(b->arena, &b->floats) = c;
        fw_condition found =
            fw_condition_new(b->pool, FW_CONDITION_FLOAT, (uint32_t)b->floats.count - 1, 0, 0);
        return rows[r].negated ? fw_condition_not(b->pool, found) : found;
    }
    return FW_NO_EXPRESSION;
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

/* Whether it is an address past the begin of an argument's array: such a one is not 0.  An argument
 * itself may be, where the source asks. */
static bool is_element(const struct builder *b, fw_expression x)
{
    const struct fw_expression_node *node = &b->pool->expressions.at[x];
    bool found = false;
    for (uint32_t t = 0; t < node->term_count; t++) {
        const struct fw_term *term = &node->terms[t];
        if (term->atom_count != 1 || term->coefficient != 1)
            continue;
        const struct fw_atom_node *atom = &b->pool->atoms.at[term->atoms[0]];
        found |= atom->kind == FW_ATOM_PARAMETER && b->kernel->parameters[atom->a].is_pointer;
    }
    return found && node->term_count > 1;
}

static fw_condition integer_comparison(struct builder *b, const struct fw_instruction *at,
                                       fw_expression x, fw_expression y, enum fw_type type)
{
    struct fw_pool *pool = b->pool;
    fw_expression gap = fw_subtract(pool, y, x), one = fw_constant(pool, 1);
    bool same = same_array(b, x, y), is_unsigned = fw_type_class(type) == 'u' && !same;
    uint32_t bits = fw_type_bits(type);
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
    const struct fw_instruction *at = at_index(b, i);
    uint32_t where = b->block_of[i];
    const struct fw_operand *in = at->operands + at->destinations;
    uint32_t count = (uint32_t)(at->operand_count - at->destinations);
    enum fw_type type = at->opcode == FW_OP_SET && at->type_count > 1 ? at->types[1] : at->types[0];
    fw_condition c;
    if (count < 2)
        return FW_NO_EXPRESSION;
    if (fw_type_class(type) == 'f') {
        c = float_comparison(b, at, in, type);
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
        c = combined(b, (enum fw_mode)at->mode, c, operand_condition(b, &in[2], where));
    return c;
}

fw_condition record_comparison(struct builder *b, uint32_t instruction, uint32_t slot)
{
    const struct fw_instruction *at = at_index(b, instruction);
    uint32_t where = b->block_of[instruction];
    const struct fw_operand *in = at->operands + at->destinations;
    uint32_t count = (uint32_t)(at->operand_count - at->destinations);
    fw_condition result = FW_NO_EXPRESSION, x = FW_NO_EXPRESSION, y = FW_NO_EXPRESSION;
    if (at->types[0] == FW_TYPE_PRED && count > 0) {
        x = operand_condition(b, &in[0], where);
        y = count > 1 ? operand_condition(b, &in[1], where) : FW_CONDITION_TRUE;
    }
    switch ((enum fw_opcode)at->opcode) {
    case FW_OP_ELECT:
        result = record_is_elected(b, instruction);
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
    record_opaque(b, destination->value, why_opaque(at));
    return fw_condition_new(b->pool, FW_CONDITION_UNKNOWN, b->opaque_of[destination->value], 0, 0);
}
