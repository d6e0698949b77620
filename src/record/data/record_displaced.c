/* Places near a thread's own: indices that are rounded from the sum of an own coordinate and what
 * data move it by, in floating point (`floor(x - dt * u[x])`).
 *
 * Takes the SSA form, its uniformity and the expressions of values.  Follows a number in floating
 * point through sums, products with what is the same throughout the launch, roundings, limits and
 * selects, to the integers that it was converted from: each has a weight, whose factors are
 * constants and values of the launch (a width that divides first and multiplies then is none).  A
 * root of a coordinate's square and what moves a warp's threads alike moves on by no more than the
 * coordinate does, and counts as it and a displacement.  A place is near where each weight comes
 * out as an integer; the rest of the sum is a displacement, whose bounds are known where constants
 * and loaded numbers of a small type tell them.  Never follows a loop, and says nothing of a number
 * whose own coordinates are multiplied by data. */
#include "record_internal.h"

#include <math.h>

enum {
    MOST_OWN = 3,
    MOST_FACTORS = 4,
    MOST_FOLLOWED = 400,
    MOST_DEPTH = 48,
    LEAST_USUAL = 3,
    MOST_WEIGHT = 4096
};

static const double near_integer = 1e-5; /* what factors that are rounded are off by */
static const double largest = 1 << 20;   /* elements of a displacement */

/* A product of a constant and of values that are the same throughout the launch. */
struct scale {
    double by;
    uint32_t count;
    struct {
        uint32_t value; /* of SSA, or of an expression + `of_expression` */
        int32_t power;
    } factors[MOST_FACTORS];
};

enum { OF_EXPRESSION = 1 << 30 };

/* A number: own coordinates by their weights, and a displacement. */
struct sum {
    bool known;   /* false: own coordinates may be in it in another way */
    bool uniform; /* the same throughout the launch: then it is `scale` */
    bool exact;   /* own coordinates alone: no displacement */
    bool squared; /* the one own coordinate's square */
    bool apart;   /* threads of a warp are moved by different data */
    struct scale scale;
    uint32_t count;
    struct {
        fw_expression of;
        struct scale weight;
    } own[MOST_OWN];
    struct record_floats moved; /* the displacement */
};

struct following {
    struct builder *b;
    uint32_t left, depth; /* values that may still be followed; of calls */
    uint32_t roots;       /* that are being followed */
};

static struct sum sum_of(struct following *following, uint32_t value);

static struct scale power_of(struct scale scale, int32_t power)
{
    scale.by = power < 0 ? 1 / scale.by : scale.by;
    for (uint32_t f = 0; f < scale.count; f++)
        scale.factors[f].power *= power;
    return scale;
}

static bool multiply_scale(struct scale *to, const struct scale *by)
{
    to->by *= by->by;
    for (uint32_t f = 0; f < by->count; f++) {
        uint32_t at = 0;
        while (at < to->count && to->factors[at].value != by->factors[f].value)
            at++;
        if (at == MOST_FACTORS)
            return false;
        if (at == to->count) {
            to->factors[to->count++] = by->factors[f];
            continue;
        }
        to->factors[at].power += by->factors[f].power;
        if (to->factors[at].power == 0)
            to->factors[at] = to->factors[--to->count];
    }
    return isfinite(to->by);
}

static bool same_scale(const struct scale *a, const struct scale *b)
{
    struct scale quotient = *a;
    const struct scale inverse = power_of(*b, -1);
    return multiply_scale(&quotient, &inverse) && quotient.count == 0;
}

static struct sum nothing_known(void)
{
    return (struct sum){.known = false};
}

static struct sum uniform_factor(uint32_t name)
{
    struct sum sum = {.known = true, .uniform = true, .scale = {.by = 1, .count = 1}};
    sum.scale.factors[0].value = name;
    sum.scale.factors[0].power = 1;
    return sum;
}

static struct sum constant_of(double value)
{
    return (struct sum){.known = true,
                        .uniform = true,
                        .scale = {.by = value},
                        .moved = {value, value, isfinite(value), false}};
}

/* Data, or anything that has no own coordinate in it. */
static struct sum displacement_of(struct builder *b, uint32_t value)
{
    return (struct sum){.known = true,
                        .apart = b->uniformity[value] == FW_UNIFORM_NONE,
                        .moved = record_floats(b, value)};
}

static bool is_constant(const struct sum *sum)
{
    return sum->uniform && sum->scale.count == 0;
}

/* Adds `sign` times `y` to `x`; both have lost what is uniform of them. */
static struct sum added(const struct sum *x, const struct sum *y, double sign, uint32_t value)
{
    struct sum sum = *x;
    if (!x->known || !y->known)
        return nothing_known();
    if (x->uniform && y->uniform)
        return is_constant(x) && is_constant(y) ? constant_of(x->scale.by + sign * y->scale.by)
                                                : uniform_factor(value);
    if (x->count && y->count && x->squared != y->squared)
        return nothing_known();
    sum.uniform = false;
    sum.exact = x->exact && y->exact;
    sum.squared = x->squared || y->squared;
    sum.apart = x->apart || y->apart;
    const double low = sign > 0 ? y->moved.low : -y->moved.high;
    const double high = sign > 0 ? y->moved.high : -y->moved.low;
    sum.moved =
        (struct record_floats){x->moved.low + low, x->moved.high + high,
                               x->moved.known && y->moved.known, x->moved.usual || y->moved.usual};
    for (uint32_t o = 0; o < y->count; o++) {
        uint32_t at = 0;
        struct scale weight = y->own[o].weight;
        weight.by *= sign;
        while (at < sum.count && sum.own[at].of != y->own[o].of)
            at++;
        if (at == MOST_OWN)
            return nothing_known();
        if (at == sum.count) {
            sum.own[at].of = y->own[o].of;
            sum.own[at].weight = weight;
            sum.count++;
        } else if (fabs(weight.by) > 0 && same_scale(&sum.own[at].weight, &weight)) {
            sum.own[at].weight.by += weight.by;
        } else {
            return nothing_known();
        }
    }
    return sum;
}

/* `x` times or by what is the same throughout the launch. */
static struct sum scaled(const struct sum *x, const struct scale *by)
{
    struct sum sum = *x;
    bool good = sum.known && isfinite(by->by) && fabs(by->by) > 0;
    if (x->uniform)
        good = good && multiply_scale(&sum.scale, by);
    for (uint32_t o = 0; o < sum.count && good; o++)
        good = multiply_scale(&sum.own[o].weight, by);
    if (!good)
        return nothing_known();
    sum.moved.known &= by->count == 0;
    const double low = x->moved.low * by->by, high = x->moved.high * by->by;
    sum.moved.low = fmin(low, high);
    sum.moved.high = fmax(low, high);
    return sum;
}

/* The square of one own coordinate, as two factors have it that nothing moves. */
static struct sum square_of(const struct sum *x, const struct sum *y)
{
    struct sum sum = *x;
    if (!x->exact || !y->exact || x->squared || y->squared || x->count != 1 || y->count != 1 ||
        x->own[0].of != y->own[0].of || !multiply_scale(&sum.own[0].weight, &y->own[0].weight))
        return nothing_known();
    sum.squared = true;
    return sum;
}

/* The root of an own coordinate's square plus what moves all threads of a warp alike: they lie at
 * most as far apart as without it. */
static struct sum root_of(const struct sum *x)
{
    struct sum sum = *x;
    if (!x->known || !x->squared || x->apart || x->count != 1 || x->own[0].weight.by <= 0)
        return nothing_known();
    struct scale *weight = &sum.own[0].weight;
    weight->by = sqrt(weight->by);
    for (uint32_t f = 0; f < weight->count; f++) {
        if (weight->factors[f].power % 2)
            return nothing_known();
        weight->factors[f].power /= 2;
    }
    sum.squared = false;
    sum.moved.known &= x->exact;
    return sum;
}

static struct sum product_of(const struct following *following, const struct sum *x,
                             const struct sum *y, int32_t power, uint32_t value)
{
    const struct scale by = power_of(y->scale, power);
    if (y->uniform)
        return scaled(x, &by);
    if (x->uniform && power > 0)
        return scaled(y, &x->scale);
    if (power > 0 && x->known && y->known && x->count && y->count)
        return square_of(x, y);
    if (!x->known || !y->known || x->count || y->count)
        return nothing_known();
    struct sum sum = displacement_of(following->b, value);
    sum.apart = x->apart || y->apart;
    return sum;
}

/* One of two, by a limit or a select: what is no limit. */
static struct sum one_of(const struct sum *x, const struct sum *y)
{
    if (!x->known || !y->known)
        return nothing_known();
    if (x->count == 0 || y->count == 0)
        return x->count ? *x : *y;
    bool same = x->count == y->count && x->squared == y->squared;
    for (uint32_t o = 0; o < x->count && same; o++)
        same = x->own[o].of == y->own[o].of && same_scale(&x->own[o].weight, &y->own[o].weight) &&
               fabs(x->own[o].weight.by - y->own[o].weight.by) < near_integer;
    struct sum sum = same ? *x : nothing_known();
    sum.exact &= y->exact;
    sum.apart |= y->apart;
    sum.moved.low = fmin(x->moved.low, y->moved.low);
    sum.moved.high = fmax(x->moved.high, y->moved.high);
    sum.moved.known &= y->moved.known;
    sum.moved.usual |= y->moved.usual;
    return sum;
}

/* An integer that is converted to floating point. */
static struct sum converted(struct following *following, const struct fw_instruction *at,
                            uint32_t value, uint32_t where)
{
    struct builder *b = following->b;
    fw_expression known = record_operand(b, &at->operands[1], (enum fw_type)at->types[1], where);
    if (known == FW_NO_EXPRESSION || record_expression_opaque(b, known))
        return displacement_of(b, value);
    int64_t constant;
    if (fw_expression_constant(b->pool, known, &constant))
        return constant_of((double)constant);
    if (!record_has_index(b, known))
        return uniform_factor(known + OF_EXPRESSION);
    struct sum sum = {.known = true, .exact = true, .count = 1, .moved = {0, 0, true, false}};
    sum.own[0].of = known;
    sum.own[0].weight.by = 1;
    return sum;
}

static struct sum operand_of(struct following *following, const struct fw_operand *operand)
{
    struct sum sum = nothing_known();
    if (operand->kind == FW_OPERAND_FLOAT)
        return constant_of(record_float_constant(operand));
    if (operand->kind == FW_OPERAND_REGISTER && operand->value != FW_NO_INDEX)
        sum = sum_of(following, operand->value);
    const struct scale minus = {.by = -1};
    return operand->negated || operand->minus ? scaled(&sum, &minus) : sum;
}

/* Whether no own coordinate is in any operand: then the result is data. */
static bool is_data(struct following *following, const struct fw_instruction *at)
{
    for (uint32_t o = at->destinations; o < at->operand_count; o++) {
        const struct fw_operand *operand = &at->operands[o];
        if (operand->kind != FW_OPERAND_REGISTER || operand->value == FW_NO_INDEX ||
            following->b->uniformity[operand->value] == FW_UNIFORM_LAUNCH)
            continue;
        const struct sum sum = operand_of(following, operand);
        if (!sum.known || sum.count)
            return false;
    }
    return true;
}

static struct sum of_instruction(struct following *following, uint32_t i, uint32_t value)
{
    struct builder *b = following->b;
    const struct fw_instruction *at = record_at(b, i);
    const struct fw_operand *in = at->operands + at->destinations;
    const uint32_t count = (uint32_t)(at->operand_count - at->destinations);
    struct sum x[3];
    if (at->opcode == FW_OP_LD || at->opcode == FW_OP_LDU || at->opcode == FW_OP_TEX)
        return at->slot ? nothing_known() : displacement_of(b, value);
    if (at->guard != FW_NO_INDEX || at->destinations != 1 || count == 0 || count > 4)
        return nothing_known();
    if (at->opcode == FW_OP_CVT && at->type_count > 1 && fw_type_class(at->types[1]) != 'f')
        return converted(following, at, value, b->block_of[i]);
    following->roots += at->opcode == FW_OP_SQRT;
    for (uint32_t o = 0; o < 3; o++)
        x[o] = o < count && fw_type_class(at->types[0]) == 'f' ? operand_of(following, &in[o])
                                                               : nothing_known();
    following->roots -= at->opcode == FW_OP_SQRT;
    switch ((enum fw_opcode)at->opcode) {
    case FW_OP_CVT:
    case FW_OP_MOV:
        return x[0];
    case FW_OP_NEG:
        return scaled(&x[0], &(struct scale){.by = -1});
    case FW_OP_ADD:
    case FW_OP_SUB:
        return added(&x[0], &x[1], at->opcode == FW_OP_ADD ? 1 : -1, value);
    case FW_OP_MUL:
        return product_of(following, &x[0], &x[1], 1, value);
    case FW_OP_DIV:
        return product_of(following, &x[0], &x[1], -1, value);
    case FW_OP_RCP:
        return x[0].uniform
                   ? product_of(following,
                                &(struct sum){.known = true, .uniform = true, .scale = {.by = 1}},
                                &x[0], -1, value)
               : x[0].known && x[0].count == 0 ? displacement_of(b, value)
                                               : nothing_known();
    case FW_OP_MAD:
    case FW_OP_FMA:
        x[0] = product_of(following, &x[0], &x[1], 1, value);
        return added(&x[0], &x[2], 1, value);
    case FW_OP_SQRT:
        return x[0].squared || !is_data(following, at) ? root_of(&x[0]) : displacement_of(b, value);
    case FW_OP_MIN:
    case FW_OP_MAX:
    case FW_OP_SELP:
        return one_of(&x[0], &x[1]);
    default:
        return is_data(following, at) ? displacement_of(b, value) : nothing_known();
    }
}

static struct sum of_phi(struct following *following, const struct fw_value *origin)
{
    const struct fw_function *function = following->b->function;
    const struct fw_block *block = &function->blocks[origin->block];
    const struct fw_phi *phi = &block->phis[origin->definition];
    struct sum sum = nothing_known();
    if (block->loop != FW_NO_INDEX && function->loops[block->loop].header == origin->block)
        return sum;
    for (uint32_t p = 0; p < block->predecessor_count; p++) {
        if (phi->inputs[p] == FW_NO_INDEX)
            return nothing_known();
        const struct sum one = sum_of(following, phi->inputs[p]);
        sum = p ? one_of(&sum, &one) : one;
    }
    return sum;
}

static struct sum sum_of(struct following *following, uint32_t value)
{
    struct builder *b = following->b;
    const struct fw_value *origin = &b->function->values[value];
    struct sum sum = nothing_known();
    if (following->left == 0 || following->depth == MOST_DEPTH)
        return sum;
    following->left--;
    following->depth++;
    if (origin->kind == FW_VALUE_INSTRUCTION &&
        (origin->slot == 0 || record_at(b, origin->definition)->opcode == FW_OP_LD))
        sum = of_instruction(following, origin->definition, value);
    else if (origin->kind == FW_VALUE_PHI)
        sum = of_phi(following, origin);
    following->depth--;
    /* An argument, or what it and others make, whatever it is made by. */
    if ((!sum.known || (!sum.uniform && sum.count == 0)) &&
        b->uniformity[value] == FW_UNIFORM_LAUNCH)
        return uniform_factor(value);
    /* Beside a square under a root, what a block or a warp has of its own moves its threads alike.
     */
    if (following->roots && (!sum.known || sum.exact || sum.count) && !sum.squared &&
        b->uniformity[value] != FW_UNIFORM_NONE)
        return displacement_of(b, value);
    return sum;
}

/* Adds the own coordinates by their weights; false: one is no integer. */
static bool add_own(struct builder *b, const struct sum *sum, fw_expression *place)
{
    bool any = false;
    *place = fw_constant(b->pool, 0);
    for (uint32_t o = 0; o < sum->count; o++) {
        const struct scale *weight = &sum->own[o].weight;
        const double whole = round(weight->by);
        if (weight->count || fabs(weight->by - whole) > near_integer || fabs(whole) > MOST_WEIGHT)
            return false;
        *place = fw_add(b->pool, *place, fw_scale(b->pool, sum->own[o].of, (int64_t)whole));
        any |= fabs(whole) > 0;
    }
    return any;
}

bool record_displaced(struct builder *b, uint32_t instruction, struct record_displaced *displaced)
{
    const struct fw_instruction *at = record_at(b, instruction);
    struct following following = {.b = b, .left = MOST_FOLLOWED};
    if (!b->uniformity)
        b->uniformity = fw_pass_uniformity(b->arena, b->function);
    const struct sum sum = operand_of(&following, &at->operands[at->destinations]);
    if (!sum.known || sum.uniform || sum.squared || !add_own(b, &sum, &displaced->place))
        return false;
    const double low = floor(sum.moved.low), high = ceil(sum.moved.high);
    displaced->usual = sum.moved.usual;
    displaced->low = displaced->high = FW_NO_EXPRESSION;
    /* A number used as it is loaded is no share of anything. */
    if (sum.moved.known && low > -largest && high < largest &&
        !(sum.moved.usual && high - low < LEAST_USUAL)) {
        displaced->low = fw_constant(b->pool, (int64_t)low);
        displaced->high = fw_constant(b->pool, (int64_t)high);
    }
    return true;
}
