/* Arithmetic: sums, products, quotients, shifts and bits of integers as expressions; how compilers
 * write divisions by constants is recognised. */
#include "record_internal.h"

#include "checked.h"

/* Whether a is y - m floor(y / m) or a constant, which are less than m. */
static bool is_below(const struct builder *b, fw_expression a, int64_t limit)
{
    int64_t by;
    if (fw_expression_constant(b->pool, a, &by))
        return by >= 0 && by < limit;
    for (uint32_t t = 0; t < b->pool->expressions.at[a].term_count; t++) {
        const struct fw_term term = b->pool->expressions.at[a].terms[t];
        if (term.atom_count != 1)
            continue;
        const struct fw_atom_node node = b->pool->atoms.at[term.atoms[0]];
        if (node.kind != FW_ATOM_FLOOR || !fw_expression_constant(b->pool, node.b, &by) ||
            term.coefficient != -by || by <= 0 || by > limit)
            continue;
        fw_expression floor = fw_atom_new(b->pool, FW_ATOM_FLOOR, node.a, node.b, 0);
        if (fw_add(b->pool, a, fw_scale(b->pool, floor, by)) == node.a)
            return true;
    }
    return false;
}

/* Registers of fewer than 32 bits are small enough for their wrapping to be stated. */
fw_expression record_fitted(struct builder *b, fw_expression a, enum fw_type type,
                            uint32_t instruction)
{
    unsigned bits = fw_type_bits(type);
    bool is_signed = fw_type_class(type) == 's';
    if (a == FW_NO_EXPRESSION || bits > 32 || bits == 0 || fw_type_class(type) == 'f')
        return a;
    fw_expression fitted = bits == 32 ? record_scalar_fitted(b, a, type) : a;
    if (fitted != a)
        return fitted;
    if (bits == 32)
        record_oblige(b, a, is_signed, instruction);
    else if (!is_below(b, a, (int64_t)1 << (is_signed ? bits - 1 : bits)))
        return is_signed ? record_signed_low_bits(b, a, bits) : record_low_bits(b, a, bits);
    return a;
}

fw_expression record_low_bits(struct builder *b, fw_expression a, unsigned bits)
{
    return fw_bit_and(b->pool, a, fw_constant(b->pool, ((int64_t)1 << bits) - 1));
}

fw_expression record_signed_low_bits(struct builder *b, fw_expression a, unsigned bits)
{
    fw_expression half = fw_constant(b->pool, (int64_t)1 << (bits - 1));
    return fw_subtract(b->pool, record_low_bits(b, fw_add(b->pool, a, half), bits), half);
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
            return record_signed_low_bits(b, a, fw_type_bits(to));
        return record_low_bits(b, a, fw_type_bits(to));
    }
    return record_fitted(b, a, from, instruction);
}

/* floor(m x / 2^64) with a multiplier that divides by d = 2^(64 + k) / m: floor(2^k x / d), as
 * floor(m x / 2^32) in expression_operations.c.  A shift by k follows.  Numbers with a sign have 63
 * bits, so that m may be twice as far off. */
static fw_expression high_product_64(struct builder *b, fw_expression x, uint64_t multiplier,
                                     bool is_signed)
{
    struct fw_pool *pool = b->pool;
    __extension__ typedef unsigned __int128 wide;
    for (unsigned k = 0; multiplier && k < 20; k++) {
        wide power = (wide)1 << (64 + k), divisor = (power + multiplier - 1) / multiplier;
        if (divisor < 3 || divisor > INT32_MAX ||
            divisor * multiplier - power > (wide)1 << (k + is_signed))
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
    x = record_fitted(b, x, at->types[0], instruction);
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
        x = record_fitted(b, x, at->types[0], instruction);
        y = record_fitted(b, y, at->types[0], instruction);
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
        if (fw_multiply_overflows(term->coefficient, bias, &whole))
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
    if (bits < 32)
        x = record_fitted(b, x, FW_TYPE_S16, instruction); /* whose sign is the topmost bit */
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
    /* What is left of a sign, as in a signed division of what was shifted before. */
    if (constant && !is_signed && bits == 32 && k >= 16)
        return fw_subtract(b->pool, fw_shift_right(b->pool, x, amount),
                           fw_scale(b->pool, fw_shift_right(b->pool, x, fw_constant(b->pool, bits)),
                                    (int64_t)1 << (bits - (unsigned)k)));
    if (constant && is_signed) {
        fw_expression quotient = signed_power_quotient(b, x, k);
        if (quotient != FW_NO_EXPRESSION)
            return quotient;
    }
    enum fw_type seen = bits < 32 && is_signed ? FW_TYPE_S16
                        : bits < 32            ? FW_TYPE_U16
                        : is_signed            ? FW_TYPE_S32
                                               : FW_TYPE_U32;
    if (bits <= 32)
        return fw_shift_right(b->pool, record_fitted(b, x, seen, instruction), amount);
    /* A product that a compiler divides by has more than 32 bits, and what is left of it has not.
     */
    return record_fitted(b, fw_shift_right(b->pool, x, amount), seen, instruction);
}

static fw_expression bit_field(struct builder *b, fw_expression x, fw_expression from,
                               fw_expression count, const struct fw_instruction *at)
{
    int64_t low, bits;
    if (!fw_expression_constant(b->pool, from, &low) ||
        !fw_expression_constant(b->pool, count, &bits) || low < 0 || low > 62 || bits <= 0 ||
        bits > 62 - low)
        return FW_NO_EXPRESSION;
    fw_expression shifted = fw_shift_right(b->pool, x, from);
    fw_expression field = record_low_bits(b, shifted, (unsigned)bits);
    if (fw_type_class(at->types[0]) == 'u')
        return field;
    if (low + bits > fw_type_bits(at->types[0]))
        return FW_NO_EXPRESSION;
    /* The topmost bit is the sign. */
    fw_expression top =
        record_low_bits(b, fw_shift_right(b->pool, shifted, fw_constant(b->pool, bits - 1)), 1);
    return fw_subtract(b->pool, field, fw_scale(b->pool, top, (int64_t)1 << bits));
}

/* `base` with its `count` bits from bit `from` on replaced by the low bits of x. */
static fw_expression inserted_bits(struct builder *b, fw_expression x, fw_expression base,
                                   fw_expression from, fw_expression count,
                                   const struct fw_instruction *at)
{
    struct fw_pool *pool = b->pool;
    int64_t low, bits, all = fw_type_bits(at->types[0]);
    if (!fw_expression_constant(pool, from, &low) || !fw_expression_constant(pool, count, &bits) ||
        low < 0 || low > 255 || bits < 0 || bits > 255)
        return FW_NO_EXPRESSION;
    if (bits == 0 || low >= all)
        return base;
    if (low > 31 || (low + bits < all && bits > 31))
        return FW_NO_EXPRESSION;
    fw_expression below = base;
    if (!is_below(b, base, (int64_t)1 << low))
        below = low ? record_low_bits(b, base, (unsigned)low) : 0;
    if (low + bits >= all) /* what leaves at the top wraps around, as in a product */
        return fw_add(pool, below, fw_scale(pool, x, (int64_t)1 << low));
    fw_expression place = fw_constant(pool, (((int64_t)1 << bits) - 1) << low);
    fw_expression kept =
        below == base ? base : fw_subtract(pool, base, fw_bit_and(pool, base, place));
    return fw_add(pool, kept,
                  fw_scale(pool, record_low_bits(b, x, (unsigned)bits), (int64_t)1 << low));
}

static fw_expression divide(struct builder *b, const struct fw_instruction *at, fw_expression x,
                            fw_expression y, uint32_t instruction)
{
    x = record_fitted(b, x, at->types[0], instruction);
    y = record_fitted(b, y, at->types[0], instruction);
    bool is_unsigned = fw_type_class(at->types[0]) == 'u';
    fw_expression quotient =
        record_quotient(b, is_unsigned ? FW_ATOM_FLOOR : FW_ATOM_TRUNCATE, x, y);
    if (at->opcode == FW_OP_DIV)
        return quotient;
    return fw_subtract(b->pool, x, fw_multiply(b->pool, y, quotient));
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
    x = record_fitted(b, x, type, instruction);
    y = record_fitted(b, y, type, instruction);
    if (fw_type_class(type) == 'u' && !record_same_array(b, x, y))
        return fw_select(b->pool, fw_unsigned_less(b->pool, x, y, fw_type_bits(type)),
                         minimum ? x : y, minimum ? y : x);
    return minimum ? fw_minimum(b->pool, x, y) : fw_maximum(b->pool, x, y);
}

fw_expression record_combine(struct builder *b, const struct fw_instruction *at,
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
                                                             : record_sum(b, x[0], x[1]);
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
    case FW_OP_BFI:
        return inserted_bits(b, x[0], x[1], x[2], x[3], at);
    case FW_OP_CVT:
        return convert(b, at, x[0], i);
    default:
        return FW_NO_EXPRESSION;
    }
}
