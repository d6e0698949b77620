/* Intervals of operations on bits and numbers in floating point.
 *
 * Sums, products, quotients, roots and conversions are monotone in each operand, their rounding
 * included, so that the results at the ends of the operands' intervals are the ends of the
 * result's. An interval of numbers has no infinity and nothing that is not a number: where an end
 * is one, nothing is known. */
#include "bound_internal.h"
#include "interval.h"
#include "scalar.h"

#include <math.h>
#include <string.h>

/* Numbers in floating point, both ends included. */
struct numbers {
    double low, high;
};

static double number_of(enum fw_type type, int64_t bits)
{
    union {
        int64_t bits;
        double number;
    } wide = {bits};
    union {
        int32_t bits;
        float number;
    } narrow = {(int32_t)bits};
    return type == FW_TYPE_F64 ? wide.number : (double)narrow.number;
}

/* The one atom that an expression is; NULL: it is something else. */
static const struct fw_atom_node *only_atom(const struct fw_pool *pool, fw_expression a)
{
    const struct fw_expression_node *node = &pool->expressions.at[a];
    if (node->term_count != 1 || node->terms[0].atom_count != 1 || node->terms[0].coefficient != 1)
        return NULL;
    return &pool->atoms.at[node->terms[0].atoms[0]];
}

static bool numbers_of(struct fw_bound *bound, fw_expression a, enum fw_type type, unsigned depth,
                       struct numbers *result);

/* The result of the operation for numbers as operands; false: it is not finite. */
static bool at_corner(const struct fw_scalar *scalar, const double operands[3], double *result)
{
    enum fw_type of = (enum fw_type)(scalar->from ? scalar->from : scalar->type);
    int64_t bits[3], found;
    for (uint32_t o = 0; o < 3; o++)
        bits[o] = fw_scalar_bits(of, operands[o]);
    if (!fw_scalar_evaluate(scalar, bits, &found))
        return false;
    *result = number_of((enum fw_type)scalar->type, found);
    return isfinite(*result);
}

/* From the results at all corners of the operands' intervals. */
static bool from_corners(const struct fw_scalar *scalar, const struct numbers operands[3],
                         struct numbers *result)
{
    uint32_t corners = 1u << fw_scalar_operands(scalar);
    for (uint32_t c = 0; c < corners; c++) {
        double at[3], found;
        for (uint32_t o = 0; o < 3; o++)
            at[o] = c >> o & 1 ? operands[o].high : operands[o].low;
        if (!at_corner(scalar, at, &found))
            return false;
        result->low = c == 0 || found < result->low ? found : result->low;
        result->high = c == 0 || found > result->high ? found : result->high;
    }
    return true;
}

static bool spans_zero(struct numbers n)
{
    return n.low <= 0 && n.high >= 0;
}

/* An operation from numbers to a number. */
static bool of_operation(const struct fw_scalar *scalar, const struct numbers operands[3],
                         struct numbers *result)
{
    switch ((enum fw_scalar_operation)scalar->operation) {
    case FW_SCALAR_ABS:
        if (!from_corners(scalar, operands, result))
            return false;
        if (spans_zero(operands[0]))
            result->low = 0;
        return true;
    case FW_SCALAR_DIVIDE:
        return !spans_zero(operands[1]) && from_corners(scalar, operands, result);
    case FW_SCALAR_RECIPROCAL:
        return !spans_zero(operands[0]) && from_corners(scalar, operands, result);
    case FW_SCALAR_SQRT:
        return operands[0].low >= 0 && from_corners(scalar, operands, result);
    case FW_SCALAR_ADD:
    case FW_SCALAR_SUB:
    case FW_SCALAR_MUL:
    case FW_SCALAR_FMA:
    case FW_SCALAR_MIN:
    case FW_SCALAR_MAX:
    case FW_SCALAR_NEG:
    case FW_SCALAR_CONVERT:
        return from_corners(scalar, operands, result);
    default:
        return false;
    }
}

/* A conversion of integers, whose register holds what the expression is modulo its width. */
static bool from_integers(struct fw_bound *bound, const struct fw_scalar *scalar, fw_expression a,
                          unsigned depth, struct numbers *result)
{
    enum fw_type from = (enum fw_type)scalar->from;
    struct fw_interval all = bound_interval_of(bound, a, depth);
    unsigned bits = fw_type_bits(from);
    bool is_signed = fw_type_class(from) == 's';
    int64_t low = is_signed ? INT64_MIN >> (64 - bits) : 0;
    int64_t high = bits >= 64 ? INT64_MAX : is_signed ? -(low + 1) : ((int64_t)1 << bits) - 1;
    if (all.low < low || all.high > high || !fw_interval_bounded(all)) {
        if (bits >= 64)
            return false;
        all = (struct fw_interval){low, high};
    }
    int64_t ends[2], operands[2][3] = {{all.low}, {all.high}};
    for (int e = 0; e < 2; e++)
        if (!fw_scalar_evaluate(scalar, operands[e], &ends[e]))
            return false;
    *result = (struct numbers){number_of((enum fw_type)scalar->type, ends[0]),
                               number_of((enum fw_type)scalar->type, ends[1])};
    return isfinite(result->low) && isfinite(result->high);
}

static bool of_scalar(struct fw_bound *bound, const struct fw_atom_node *node, enum fw_type type,
                      unsigned depth, struct numbers *result)
{
    struct fw_scalar scalar;
    fw_expression operands[3];
    struct numbers numbers[3] = {{0, 0}, {0, 0}, {0, 0}};
    if (!fw_scalar_of(&bound->kernel->pool, node, &scalar, operands) || scalar.type != type)
        return false;
    enum fw_type of = (enum fw_type)(scalar.from ? scalar.from : scalar.type);
    if (fw_type_class(of) != 'f')
        return from_integers(bound, &scalar, operands[0], depth, result);
    for (uint32_t o = 0; o < fw_scalar_operands(&scalar); o++)
        if (!numbers_of(bound, operands[o], of, depth + 1, &numbers[o]))
            return false;
    return of_operation(&scalar, numbers, result);
}

/* The numbers whose bits an expression can be. */
static bool numbers_of(struct fw_bound *bound, fw_expression a, enum fw_type type, unsigned depth,
                       struct numbers *result)
{
    const struct fw_kernel *kernel = bound->kernel;
    const struct fw_atom_node *node = only_atom(&kernel->pool, a);
    struct numbers other;
    int64_t bits;
    if ((type != FW_TYPE_F32 && type != FW_TYPE_F64) || !bound_interval_step(bound, depth))
        return false;
    bool constant = fw_expression_constant(&kernel->pool, a, &bits);
    if (!constant && node && node->kind == FW_ATOM_PARAMETER && bound->launch->is_bound[node->a] &&
        kernel->parameters[node->a].type == type) {
        bits = bound_argument(bound, node->a);
        constant = true;
    }
    if (constant) {
        result->low = result->high = number_of(type, bits);
        return isfinite(result->low);
    }
    if (node && node->kind == FW_ATOM_SELECT) {
        int way = bound_interval_decides(bound, node->c, depth);
        if (way >= 0)
            return numbers_of(bound, way ? node->a : node->b, type, depth + 1, result);
        if (!numbers_of(bound, node->a, type, depth + 1, result) ||
            !numbers_of(bound, node->b, type, depth + 1, &other))
            return false;
        result->low = fmin(result->low, other.low);
        result->high = fmax(result->high, other.high);
        return true;
    }
    return node && node->kind == FW_ATOM_SCALAR && of_scalar(bound, node, type, depth, result);
}

/* 1 where the comparison always holds, 0 where it never does, else -1. */
static int compare(const struct fw_scalar *scalar, struct numbers a, struct numbers b)
{
    switch ((enum fw_scalar_operation)scalar->operation) {
    case FW_SCALAR_UNORDERED:
        return 0;
    case FW_SCALAR_EQUAL:
        return a.high < b.low || b.high < a.low ? 0 : -1;
    case FW_SCALAR_LESS:
        return a.high < b.low ? 1 : a.low >= b.high ? 0 : -1;
    case FW_SCALAR_LESS_EQUAL:
        return a.high <= b.low ? 1 : a.low > b.high ? 0 : -1;
    default:
        return -1;
    }
}

struct fw_interval bound_scalar_interval(struct fw_bound *bound, const struct fw_atom_node *node,
                                         unsigned depth)
{
    struct fw_scalar scalar;
    struct fw_interval range = {INT64_MIN, INT64_MAX};
    fw_expression operands[3];
    struct numbers a, b;
    if (!fw_scalar_of(&bound->kernel->pool, node, &scalar, operands))
        return range;
    fw_scalar_range(&scalar, &range.low, &range.high);
    enum fw_type of = (enum fw_type)(scalar.from ? scalar.from : scalar.type);
    if (bound->symbolic || fw_type_class(of) != 'f')
        return range;
    if (fw_type_class((enum fw_type)scalar.type) !=
        'f') { /* whole numbers, from lowest to highest */
        int64_t low[3] = {0}, high[3] = {0};
        if (!numbers_of(bound, operands[0], of, depth + 1, &a))
            return range;
        low[0] = fw_scalar_bits(of, a.low);
        high[0] = fw_scalar_bits(of, a.high);
        struct fw_interval found;
        return fw_scalar_evaluate(&scalar, low, &found.low) &&
                       fw_scalar_evaluate(&scalar, high, &found.high) && found.low <= found.high
                   ? found
                   : range;
    }
    if (scalar.operation < FW_SCALAR_EQUAL || scalar.operation > FW_SCALAR_UNORDERED ||
        scalar.flush || !numbers_of(bound, operands[0], of, depth + 1, &a) ||
        !numbers_of(bound, operands[1], of, depth + 1, &b))
        return range;
    int holds = compare(&scalar, a, b);
    return holds < 0 ? range : (struct fw_interval){holds, holds};
}
