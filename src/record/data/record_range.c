/* Ranges: how far apart the values of one integer can be, though data decide which it has.
 *
 * Takes the SSA form.  A byte has 256 values, a masked number as many as the mask allows, a
 * remainder fewer than the divisor, and so on through sums, products with constants, shifts and
 * limits.  A bound may contain arguments.  A number that a loop carries is bounded if what each way
 * around the loop brings is, whatever it was before.  A number that was converted from floating
 * point is bounded if what it is computed from is: constants, and loaded numbers, which are taken
 * to lie from 0 to 1 where a constant scales them up; the range then says so. */
#include "checked.h"
#include "quotient.h"
#include "record_carried.h"

#include <math.h>
#include <string.h>

enum { MOST_DEPTH = 48, LEAST_USUAL = 3 };

static const double largest = 0x1p62;

struct range_memo {
    uint8_t state; /* 0 not looked up, 1 in progress, 2 known; of floats: as floats */
    struct record_range range;
    struct record_floats floats;
};

static const struct record_range no_range = {FW_NO_EXPRESSION, FW_NO_EXPRESSION, false, 1};
static const struct record_floats nothing = {0, 0, false, false};

static struct record_floats find_floats(struct builder *b, uint32_t value, unsigned depth);

static bool both(const struct record_range *range)
{
    return range->low != FW_NO_EXPRESSION && range->high != FW_NO_EXPRESSION;
}

static bool constants(struct builder *b, const struct record_range *range, int64_t *low,
                      int64_t *high)
{
    return both(range) && fw_expression_constant(b->pool, range->low, low) &&
           fw_expression_constant(b->pool, range->high, high) && *low <= *high;
}

static struct record_range from_to(struct builder *b, int64_t low, int64_t high)
{
    return (struct record_range){fw_constant(b->pool, low), fw_constant(b->pool, high), false,
                                 low != high};
}

/* All values of a type narrower than 32 bits; of a wider one, nothing is known. */
static struct record_range of_type(struct builder *b, enum fw_type type)
{
    unsigned bits = fw_type_bits(type);
    char class = fw_type_class(type);
    if (bits == 0 || bits >= 32 || class == 'f' || class == 'p')
        return no_range;
    int64_t half = (int64_t)1 << (bits - 1);
    return class == 's' ? from_to(b, -half, half - 1) : from_to(b, 0, 2 * half - 1);
}

static struct record_range of_operand(struct builder *b, const struct fw_operand *operand,
                                      enum fw_type type, uint32_t where, unsigned depth)
{
    if (operand->kind == FW_OPERAND_REGISTER && !operand->negated && operand->value != FW_NO_INDEX)
        return record_range_at(b, operand->value, depth);
    fw_expression value = record_operand(b, operand, type, where);
    int64_t constant;
    if (value == FW_NO_EXPRESSION || !fw_expression_constant(b->pool, value, &constant))
        return no_range;
    return from_to(b, constant, constant);
}

static struct record_range sum_of(struct builder *b, const struct record_range *x,
                                  const struct record_range *y, bool minus)
{
    if (!both(x) || !both(y))
        return no_range;
    fw_expression (*with)(struct fw_pool *, fw_expression, fw_expression) =
        minus ? fw_subtract : fw_add;
    return (struct record_range){with(b->pool, x->low, minus ? y->high : y->low),
                                 with(b->pool, x->high, minus ? y->low : y->high),
                                 x->usual || y->usual, fw_common_step(x->step, y->step)};
}

/* A product with a constant. */
static struct record_range product_of(struct builder *b, const struct record_range *x,
                                      const struct record_range *y)
{
    int64_t low, high;
    if (!both(x) || !constants(b, y, &low, &high))
        return no_range;
    if (low != high || low < INT32_MIN || low > INT32_MAX)
        return no_range;
    fw_expression ends[2] = {fw_scale(b->pool, x->low, low), fw_scale(b->pool, x->high, low)};
    int64_t step;
    if (fw_multiply_overflows(x->step, low < 0 ? -low : low, &step))
        return no_range;
    return (struct record_range){ends[low < 0], ends[low >= 0], x->usual, step};
}

/* Shifted right by a constant; nothing is known of a negative number of 32 bits and more. */
static struct record_range shifted(struct builder *b, const struct fw_instruction *at,
                                   const struct record_range *x, const struct record_range *amount)
{
    int64_t low, high, shift, same;
    unsigned bits = fw_type_bits(at->types[0]);
    if (!constants(b, amount, &shift, &same) || shift != same || shift < 0 || shift >= bits)
        return no_range;
    if (constants(b, x, &low, &high) && (low >= 0 || fw_type_class(at->types[0]) == 's'))
        return from_to(b, low >> shift, high >> shift);
    if (fw_type_class(at->types[0]) == 's' || bits - (unsigned)shift >= 62 || shift == 0)
        return no_range;
    if (both(x) && fw_expression_constant(b->pool, x->low, &low) &&
        low == 0) /* up to an argument */
        return (struct record_range){
            x->low, fw_floor_divide(b->pool, x->high, fw_constant(b->pool, (int64_t)1 << shift)),
            x->usual, 1};
    return from_to(b, 0, ((int64_t)1 << (bits - (unsigned)shift)) - 1);
}

static int64_t ones_up_to(int64_t value)
{
    int64_t ones = 0;
    while (ones < value)
        ones = 2 * ones + 1;
    return ones;
}

static struct record_range of_bits(struct builder *b, const struct fw_instruction *at,
                                   const struct record_range *x, const struct record_range *y)
{
    int64_t low[2] = {-1, -1}, high[2] = {0, 0};
    bool first = constants(b, x, &low[0], &high[0]) && low[0] >= 0;
    bool second = constants(b, y, &low[1], &high[1]) && low[1] >= 0;
    if (at->opcode == FW_OP_AND && (first || second))
        return from_to(b, 0, first && (!second || high[0] < high[1]) ? high[0] : high[1]);
    if (at->opcode == FW_OP_AND || !first || !second || high[0] > INT32_MAX || high[1] > INT32_MAX)
        return no_range;
    return from_to(b, 0, ones_up_to(high[0] > high[1] ? high[0] : high[1]));
}

/* Masked by an argument, which a launch may have to be negative: then it is no bound. */
static struct record_range masked(struct builder *b, const struct fw_instruction *at,
                                  uint32_t where)
{
    if (!b->uniformity)
        b->uniformity = fw_pass_uniformity(b->arena, b->function);
    for (uint32_t o = at->destinations; o < at->operand_count; o++) {
        const struct fw_operand *mask = &at->operands[o];
        if (mask->kind != FW_OPERAND_REGISTER || mask->value == FW_NO_INDEX ||
            b->uniformity[mask->value] != FW_UNIFORM_LAUNCH)
            continue;
        fw_expression high = record_operand(b, mask, (enum fw_type)at->types[0], where);
        if (high != FW_NO_EXPRESSION && !record_expression_opaque(b, high))
            return (struct record_range){fw_constant(b->pool, 0), high, false, 1};
    }
    return no_range;
}

/* A remainder: of a divisor that does not depend on data.  Dividends are taken to be positive. */
static struct record_range remainder_of(struct builder *b, const struct fw_instruction *at,
                                        const struct fw_operand *divisor, uint32_t where)
{
    fw_expression y = record_operand(b, divisor, at->types[0], where);
    if (y == FW_NO_EXPRESSION || record_expression_opaque(b, y))
        return no_range;
    return (struct record_range){0, fw_subtract(b->pool, y, fw_constant(b->pool, 1)), false, 1};
}

/* The lesser or the greater: a limit bounds one side, even one that is an argument. */
static struct record_range limited(struct builder *b, const struct fw_instruction *at,
                                   const struct record_range x[2], uint32_t where)
{
    bool least = at->opcode == FW_OP_MIN;
    struct record_range result = no_range;
    for (uint32_t o = 0; o < 2; o++) {
        int64_t low, high, other_low, other_high;
        fw_expression limit =
            record_operand(b, &at->operands[at->destinations + o], at->types[0], where);
        bool fixed = limit != FW_NO_EXPRESSION && !record_expression_opaque(b, limit);
        fw_expression end = fixed ? limit : least ? x[o].high : x[o].low;
        fw_expression *to = least ? &result.high : &result.low;
        if (end == FW_NO_EXPRESSION)
            continue;
        bool better =
            *to == FW_NO_EXPRESSION || (fw_expression_constant(b->pool, end, &low) &&
                                        fw_expression_constant(b->pool, *to, &other_low) &&
                                        (least ? low < other_low : low > other_low));
        *to = better ? end : *to;
        fw_expression beyond = fixed ? FW_NO_EXPRESSION : least ? x[o].low : x[o].high;
        to = least ? &result.low : &result.high;
        if (beyond != FW_NO_EXPRESSION &&
            (*to == FW_NO_EXPRESSION || (fw_expression_constant(b->pool, beyond, &high) &&
                                         fw_expression_constant(b->pool, *to, &other_high) &&
                                         (least ? high < other_high : high > other_high))))
            *to = beyond;
        result.usual |= x[o].usual;
    }
    if (least && result.low == FW_NO_EXPRESSION)
        result.low = 0; /* indices are not negative */
    return result;
}

/* The lesser or the greater of two ends.  Arguments that bound indices are not negative. */
static fw_expression end_of(struct builder *b, fw_expression x, fw_expression y, bool least)
{
    const fw_expression zero = fw_constant(b->pool, 0), other = x == zero ? y : x;
    int64_t constant;
    if ((x == zero || y == zero) && !fw_expression_constant(b->pool, other, &constant))
        return least ? zero : other;
    return least ? fw_minimum(b->pool, x, y) : fw_maximum(b->pool, x, y);
}

/* One of two, whichever data choose. */
struct record_range record_range_either(struct builder *b, const struct record_range *x,
                                        const struct record_range *y)
{
    if (!both(x) || !both(y))
        return no_range;
    return (struct record_range){end_of(b, x->low, y->low, true),
                                 end_of(b, x->high, y->high, false), x->usual || y->usual, 1};
}

/* What a floating-point number was rounded to. */
static struct record_range rounded(struct builder *b, const struct fw_instruction *at,
                                   unsigned depth)
{
    const struct fw_operand *in = &at->operands[at->destinations];
    if (in->kind != FW_OPERAND_REGISTER || in->negated || in->value == FW_NO_INDEX)
        return of_type(b, (enum fw_type)at->types[0]);
    struct record_floats from = find_floats(b, in->value, depth + 1);
    double low = floor(from.low), high = ceil(from.high);
    bool good = from.known && low > -largest && high < largest;
    /* A number used as it is loaded is no share of anything. */
    if (!good || (from.usual && high - low < LEAST_USUAL))
        return of_type(b, (enum fw_type)at->types[0]);
    struct record_range result = from_to(b, (int64_t)low, (int64_t)high);
    result.usual = from.usual;
    return result;
}

static bool is_narrower(const struct builder *b, const struct record_range *range,
                        const struct record_range *than)
{
    int64_t low, high, other_low, other_high;
    struct builder *any = (struct builder *)(uintptr_t)b;
    if (!constants(any, range, &low, &high))
        return false;
    return !constants(any, than, &other_low, &other_high) ||
           (low >= other_low && high <= other_high);
}

static struct record_range converted(struct builder *b, const struct fw_instruction *at,
                                     const struct record_range *x)
{
    struct record_range type = of_type(b, (enum fw_type)at->types[0]);
    if (!both(&type))
        return both(x) ? *x : of_type(b, (enum fw_type)at->types[1]);
    return is_narrower(b, x, &type) ? *x : type;
}

static struct record_range of_instruction(struct builder *b, uint32_t i, uint32_t slot,
                                          unsigned depth)
{
    const struct fw_instruction *at = record_at(b, i);
    const struct fw_operand *in = at->operands + at->destinations;
    uint32_t count = (uint32_t)(at->operand_count - at->destinations), where = b->block_of[i];
    enum fw_type type = (enum fw_type)at->types[0];
    struct record_range x[3] = {no_range, no_range, no_range};
    if (at->guard != FW_NO_INDEX || slot > 0 || count == 0 || at->destinations == 0)
        return no_range;
    if (at->opcode == FW_OP_LD || at->opcode == FW_OP_LDU)
        return at->slot ? no_range : of_type(b, type);
    if (at->opcode == FW_OP_CVT && at->type_count > 1 && fw_type_class(at->types[1]) == 'f')
        return rounded(b, at, depth);
    if (fw_type_class(type) == 'f' || count > 3)
        return no_range;
    for (uint32_t o = 0; o < count && o < (at->opcode == FW_OP_SELP ? 2u : 3u); o++)
        x[o] = of_operand(b, &in[o], type, where, depth + 1);
    switch ((enum fw_opcode)at->opcode) {
    case FW_OP_MOV:
        return x[0];
    case FW_OP_CVT:
        return at->type_count > 1 ? converted(b, at, &x[0]) : no_range;
    case FW_OP_ADD:
        return sum_of(b, &x[0], &x[1], false);
    case FW_OP_SUB:
        if (record_remainder(b, at) > 0)
            return from_to(b, 0, record_remainder(b, at) - 1);
        return sum_of(b, &x[0], &x[1], true);
    case FW_OP_MUL:
    case FW_OP_MAD: {
        if (at->mode == FW_MODE_HI)
            return no_range;
        struct record_range product = product_of(b, &x[0], &x[1]);
        if (!both(&product))
            product = product_of(b, &x[1], &x[0]);
        return at->opcode == FW_OP_MUL ? product : sum_of(b, &product, &x[2], false);
    }
    case FW_OP_SHL: {
        int64_t by, same;
        if (!constants(b, &x[1], &by, &same) || by < 0 || by > 30 || by != same)
            return no_range;
        x[1] = from_to(b, (int64_t)1 << by, (int64_t)1 << by);
        return product_of(b, &x[0], &x[1]);
    }
    case FW_OP_SHR:
        return shifted(b, at, &x[0], &x[1]);
    case FW_OP_BFE: {
        int64_t bits, same;
        if (!constants(b, &x[2], &bits, &same) || bits != same || bits < 0 || bits > 31 ||
            fw_type_class(type) == 's')
            return no_range;
        return from_to(b, 0, ((int64_t)1 << bits) - 1);
    }
    case FW_OP_AND:
    case FW_OP_OR:
    case FW_OP_XOR: {
        struct record_range bits = of_bits(b, at, &x[0], &x[1]);
        const struct record_range mask = at->opcode == FW_OP_AND ? masked(b, at, where) : no_range;
        if (both(&bits) && both(&mask))
            bits.high = fw_minimum(b->pool, bits.high, mask.high);
        return both(&bits) ? bits : mask;
    }
    case FW_OP_REM:
        return remainder_of(b, at, &in[1], where);
    case FW_OP_MIN:
    case FW_OP_MAX:
        return limited(b, at, x, where);
    case FW_OP_SELP:
        return record_range_either(b, &x[0], &x[1]);
    case FW_OP_POPC:
    case FW_OP_CLZ:
        return from_to(b, 0, 64);
    default:
        return of_type(b, type);
    }
}

static struct range_memo *memo_of(struct builder *b, uint32_t value)
{
    if (!b->ranges) {
        b->ranges = FW_ARRAY(b->arena, struct range_memo, b->function->value_count + 1);
    }
    return &b->ranges[value];
}

/* Forgets what has no bounds, which may have been asked while a loop's value was in progress. */
static void forget_unbounded(struct builder *b)
{
    for (uint32_t v = 0; v < b->function->value_count; v++)
        if (b->ranges[v].state == 2 && !both(&b->ranges[v].range) && !b->ranges[v].floats.known)
            b->ranges[v].state = 0;
}

/* A value that ways through the code join: any of them. */
static struct record_range of_phi(struct builder *b, const struct fw_value *origin, unsigned depth)
{
    const struct fw_block *block = &b->function->blocks[origin->block];
    const struct fw_phi *phi = &block->phis[origin->definition];
    struct record_range result = no_range;
    if (block->loop != FW_NO_INDEX && b->function->loops[block->loop].header == origin->block) {
        result = record_carried_range(b, phi->value, depth);
        if (both(&result))
            forget_unbounded(b);
        return result;
    }
    for (uint32_t p = 0; p < block->predecessor_count; p++) {
        struct record_range one = phi->inputs[p] == FW_NO_INDEX
                                      ? no_range
                                      : record_range_at(b, phi->inputs[p], depth + 1);
        result = p ? record_range_either(b, &result, &one) : one;
        if (!both(&result))
            return no_range;
    }
    return result;
}

struct record_range record_range_at(struct builder *b, uint32_t value, unsigned depth)
{
    const struct fw_value *origin = &b->function->values[value];
    struct range_memo *memo = memo_of(b, value);
    if (memo->state == 2)
        return memo->range;
    if (memo->state == 1 || depth > MOST_DEPTH)
        return no_range;
    memo->state = 1;
    struct record_range range = no_range;
    if (origin->kind == FW_VALUE_INSTRUCTION)
        range = of_instruction(b, origin->definition, origin->slot, depth);
    else if (origin->kind == FW_VALUE_PHI)
        range = of_phi(b, origin, depth);
    memo->range = range;
    memo->state = 2;
    return range;
}

struct record_range record_range(struct builder *b, uint32_t value)
{
    return record_range_at(b, value, 0);
}

/* ---- floating point ---- */

double record_float_constant(const struct fw_operand *operand)
{
    double wide = 0;
    if (operand->single) {
        float narrow;
        uint32_t bits = (uint32_t)operand->immediate;
        memcpy(&narrow, &bits, sizeof(narrow));
        wide = (double)narrow;
    } else {
        uint64_t bits = (uint64_t)operand->immediate;
        memcpy(&wide, &bits, sizeof(wide));
    }
    return operand->minus || operand->negated ? -wide : wide;
}

static struct record_floats floats_of_operand(struct builder *b, const struct fw_operand *operand,
                                              unsigned depth)
{
    struct record_floats range = nothing;
    if (operand->kind == FW_OPERAND_FLOAT) {
        range.low = range.high = record_float_constant(operand);
        range.known = isfinite(range.low);
    } else if (operand->kind == FW_OPERAND_REGISTER && operand->value != FW_NO_INDEX) {
        range = find_floats(b, operand->value, depth + 1);
        if (operand->negated || operand->minus) {
            double low = range.low;
            range.low = -range.high;
            range.high = -low;
        }
    }
    return range;
}

static struct record_floats float_product(const struct record_floats *x,
                                          const struct record_floats *y)
{
    double ends[4] = {x->low * y->low, x->low * y->high, x->high * y->low, x->high * y->high};
    struct record_floats range = {ends[0], ends[0], x->known && y->known, x->usual || y->usual};
    for (uint32_t e = 1; e < 4; e++) {
        range.low = fmin(range.low, ends[e]);
        range.high = fmax(range.high, ends[e]);
    }
    range.known = range.known && isfinite(range.low) && isfinite(range.high);
    return range;
}

static struct record_floats float_sum(const struct record_floats *x, const struct record_floats *y,
                                      double sign)
{
    return (struct record_floats){sign > 0 ? x->low + y->low : x->low - y->high,
                                  sign > 0 ? x->high + y->high : x->high - y->low,
                                  x->known && y->known, x->usual || y->usual};
}

static struct record_floats float_limit(const struct record_floats *x,
                                        const struct record_floats *y, bool least)
{
    if (!x->known || !y->known)
        return nothing;
    double (*take)(double, double) = least ? fmin : fmax;
    return (struct record_floats){take(x->low, y->low), take(x->high, y->high), true,
                                  x->usual || y->usual};
}

static struct record_floats floats_of_instruction(struct builder *b, uint32_t i, unsigned depth)
{
    const struct fw_instruction *at = record_at(b, i);
    const struct fw_operand *in = at->operands + at->destinations;
    uint32_t count = (uint32_t)(at->operand_count - at->destinations);
    struct record_floats x[3] = {nothing, nothing, nothing}, product;
    if (at->guard != FW_NO_INDEX || at->destinations == 0 || count == 0 || count > 3)
        return x[0];
    if (at->opcode == FW_OP_LD || at->opcode == FW_OP_LDU)
        return (struct record_floats){0, 1,
                                      !at->slot && (at->space == FW_SPACE_GLOBAL ||
                                                    at->space == FW_SPACE_GENERIC ||
                                                    at->space == FW_SPACE_SHARED),
                                      true};
    for (uint32_t o = 0; o < count; o++)
        x[o] = floats_of_operand(b, &in[o], depth);
    switch ((enum fw_opcode)at->opcode) {
    case FW_OP_MOV:
        return x[0];
    case FW_OP_CVT:
        return at->type_count > 1 && fw_type_class(at->types[1]) == 'f' ? x[0] : nothing;
    case FW_OP_ADD:
        return float_sum(&x[0], &x[1], 1);
    case FW_OP_SUB:
        return float_sum(&x[0], &x[1], -1);
    case FW_OP_MUL:
        return float_product(&x[0], &x[1]);
    case FW_OP_MAD:
    case FW_OP_FMA:
        product = float_product(&x[0], &x[1]);
        return float_sum(&product, &x[2], 1);
    case FW_OP_MIN:
    case FW_OP_MAX:
        return float_limit(&x[0], &x[1], at->opcode == FW_OP_MIN);
    default:
        return nothing;
    }
}

static struct record_floats find_floats(struct builder *b, uint32_t value, unsigned depth)
{
    const struct fw_value *origin = &b->function->values[value];
    struct range_memo *memo = memo_of(b, value);
    if (memo->state == 2)
        return memo->floats;
    if (memo->state == 1 || depth > MOST_DEPTH || origin->kind != FW_VALUE_INSTRUCTION ||
        fw_type_class(b->function->registers[origin->reg].type) == 'p')
        return nothing;
    memo->state = 1;
    memo->floats = floats_of_instruction(b, origin->definition, depth);
    memo->range = no_range;
    memo->state = 2;
    return memo->floats;
}

struct record_floats record_floats(struct builder *b, uint32_t value)
{
    return find_floats(b, value, 0);
}
