#include "scalar.h"

#include "number_bits.h"
#include "number_convert.h"

#include <fenv.h>

/* How an atom holds what is done: in 32 bits. */
static uint32_t packed_of(const struct fw_scalar *scalar)
{
    return (uint32_t)scalar->operation | (uint32_t)scalar->type << 8 |
           (uint32_t)scalar->from << 16 | (uint32_t)scalar->rounding << 24 |
           (uint32_t)scalar->flush << 28 | (uint32_t)scalar->saturate << 29;
}

static struct fw_scalar unpacked(uint32_t packed)
{
    return (struct fw_scalar){.operation = (uint8_t)packed,
                              .type = (uint8_t)(packed >> 8),
                              .from = (uint8_t)(packed >> 16),
                              .rounding = packed >> 24 & 15,
                              .flush = packed >> 28 & 1,
                              .saturate = packed >> 29 & 1};
}

uint32_t fw_scalar_operands(const struct fw_scalar *scalar)
{
    static const uint8_t operands[] = {
#define X(name, text, operands) operands,
        FW_SCALARS(X)
#undef X
    };
    return operands[scalar->operation];
}

/* Integers of 32 and 64 bits; what has no case for a type is not there. */
static bool evaluate_32(const struct fw_scalar *scalar, u32 x, u32 y, u32 z, u32 *r)
{
    const bool is_signed = fw_type_class((enum fw_type)scalar->type) == 's';
    const u64 both = (u64)y << 32 | x;
    switch ((enum fw_scalar_operation)scalar->operation) {
    case FW_SCALAR_POPC:
        *r = (u32)__builtin_popcount(x);
        return true;
    case FW_SCALAR_CLZ:
        *r = x ? (u32)__builtin_clz(x) : 32;
        return true;
    case FW_SCALAR_BREV:
        *r = reverse32(x);
        return true;
    case FW_SCALAR_BFIND:
    case FW_SCALAR_BFIND_SHIFT:
        *r = find_bit(x, is_signed, 32, scalar->operation == FW_SCALAR_BFIND_SHIFT);
        return true;
    case FW_SCALAR_CNOT:
        *r = x == 0;
        return true;
    case FW_SCALAR_MUL_HI:
        *r = is_signed ? high32s(x, y) : high32(x, y);
        return true;
    case FW_SCALAR_MUL24_HI:
        *r = (u32)((low24(x, is_signed) * low24(y, is_signed)) >> 16);
        return true;
    case FW_SCALAR_ADD_SAT:
        *r = clamp_s32((s64)(s32)x + (s32)y);
        return is_signed;
    case FW_SCALAR_SUB_SAT:
        *r = clamp_s32((s64)(s32)x - (s32)y);
        return is_signed;
    case FW_SCALAR_SAD:
        *r = (is_signed ? (s32)x > (s32)y : x > y) ? x - y + z : y - x + z;
        return true;
    case FW_SCALAR_BFE:
        *r = is_signed ? signed_field32(x, y, z) : field32(x, y, z);
        return true;
    case FW_SCALAR_SHF_LEFT:
        *r = (u32)(both << (z > 31 ? 32 : z) >> 32);
        return true;
    case FW_SCALAR_SHF_RIGHT:
        *r = (u32)(both >> (z > 31 ? 32 : z));
        return true;
    case FW_SCALAR_SHF_LEFT_WRAP:
        *r = (u32)(both << (z & 31) >> 32);
        return true;
    case FW_SCALAR_SHF_RIGHT_WRAP:
        *r = (u32)(both >> (z & 31));
        return true;
    case FW_SCALAR_PERMUTE:
        *r = permute(x, y, z, 0);
        return true;
    default:
        return false;
    }
}

static bool evaluate_64(const struct fw_scalar *scalar, u64 x, u64 y, u64 z, u64 *r)
{
    const bool is_signed = fw_type_class((enum fw_type)scalar->type) == 's';
    switch ((enum fw_scalar_operation)scalar->operation) {
    case FW_SCALAR_POPC:
        *r = (u64)__builtin_popcountll(x);
        return true;
    case FW_SCALAR_CLZ:
        *r = x ? (u64)__builtin_clzll(x) : 64;
        return true;
    case FW_SCALAR_BREV:
        *r = reverse64(x);
        return true;
    case FW_SCALAR_BFIND:
    case FW_SCALAR_BFIND_SHIFT:
        *r = find_bit(x, is_signed, 64, scalar->operation == FW_SCALAR_BFIND_SHIFT);
        return true;
    case FW_SCALAR_CNOT:
        *r = x == 0;
        return true;
    case FW_SCALAR_MUL_HI:
        *r = is_signed ? high64s(x, y) : high64(x, y);
        return true;
    case FW_SCALAR_SAD:
        *r = (is_signed ? (s64)x > (s64)y : x > y) ? x - y + z : y - x + z;
        return true;
    case FW_SCALAR_BFE:
        *r = is_signed ? signed_field64(x, (u32)y, (u32)z) : field64(x, (u32)y, (u32)z);
        return true;
    default:
        return false;
    }
}

static bool is_directed(const struct fw_scalar *scalar)
{
    return scalar->rounding == FW_ROUND_RZ || scalar->rounding == FW_ROUND_RM ||
           scalar->rounding == FW_ROUND_RP;
}

/* The results that depend on the rounding mode of the processor, which is the instruction's here.
 * Volatile, so that nothing is computed before it is set. */
static bool round_f32(const struct fw_scalar *scalar, f32 a, f32 b, f32 c, f32 *r)
{
    const volatile f32 x = a, y = b, z = c;
    volatile f32 found;
    switch ((enum fw_scalar_operation)scalar->operation) {
    case FW_SCALAR_ADD:
        found = x + y;
        break;
    case FW_SCALAR_SUB:
        found = x - y;
        break;
    case FW_SCALAR_MUL:
        found = x * y;
        break;
    case FW_SCALAR_DIVIDE:
        found = x / y;
        break;
    case FW_SCALAR_FMA:
        found = fmaf(x, y, z);
        break;
    case FW_SCALAR_RECIPROCAL:
        found = 1.0f / x;
        break;
    case FW_SCALAR_SQRT:
        found = sqrtf(x);
        break;
    default:
        return false;
    }
    *r = found;
    return true;
}

static bool round_f64(const struct fw_scalar *scalar, f64 a, f64 b, f64 c, f64 *r)
{
    const volatile f64 x = a, y = b, z = c;
    volatile f64 found;
    switch ((enum fw_scalar_operation)scalar->operation) {
    case FW_SCALAR_ADD:
        found = x + y;
        break;
    case FW_SCALAR_SUB:
        found = x - y;
        break;
    case FW_SCALAR_MUL:
        found = x * y;
        break;
    case FW_SCALAR_DIVIDE:
        found = x / y;
        break;
    case FW_SCALAR_FMA:
        found = fma(x, y, z);
        break;
    case FW_SCALAR_RECIPROCAL:
        found = 1.0 / x;
        break;
    case FW_SCALAR_SQRT:
        found = sqrt(x);
        break;
    default:
        return false;
    }
    *r = found;
    return true;
}

static void set_rounding(const struct fw_scalar *scalar, bool back)
{
    static const int modes[] = {
        [FW_ROUND_RZ] = FE_TOWARDZERO, [FW_ROUND_RM] = FE_DOWNWARD, [FW_ROUND_RP] = FE_UPWARD};
    if (is_directed(scalar))
        fesetround(back ? FE_TONEAREST : modes[scalar->rounding]);
}

static bool evaluate_f32(const struct fw_scalar *scalar, u32 a, u32 b, u32 c, u32 *r)
{
    f32 x = from32(a), y = from32(b), z = from32(c), found;
    if (scalar->flush) {
        x = flush(x);
        y = flush(y);
        z = flush(z);
    }
    switch ((enum fw_scalar_operation)scalar->operation) {
    case FW_SCALAR_EQUAL:
        *r = x <= y && x >= y;
        return true;
    case FW_SCALAR_LESS:
        *r = x < y;
        return true;
    case FW_SCALAR_LESS_EQUAL:
        *r = x <= y;
        return true;
    case FW_SCALAR_UNORDERED:
        *r = isnan(x) || isnan(y);
        return true;
    case FW_SCALAR_COPYSIGN:
        *r = (a & 0x80000000u) | (b & 0x7fffffffu);
        return true;
    case FW_SCALAR_MIN:
        found = min_f32(x, y);
        break;
    case FW_SCALAR_MAX:
        found = max_f32(x, y);
        break;
    case FW_SCALAR_ABS:
        found = from32(bits32(x) & 0x7fffffffu);
        break;
    case FW_SCALAR_NEG:
        found = -x;
        break;
    default:
        set_rounding(scalar, false);
        bool known = round_f32(scalar, x, y, z, &found);
        set_rounding(scalar, true);
        if (!known)
            return false;
        break;
    }
    found = scalar->flush ? flush(canonical(found)) : canonical(found);
    *r = bits32(scalar->saturate ? saturate(found) : found);
    return true;
}

static bool evaluate_f64(const struct fw_scalar *scalar, u64 a, u64 b, u64 c, u64 *r)
{
    const f64 x = from64(a), y = from64(b), z = from64(c);
    f64 found;
    switch ((enum fw_scalar_operation)scalar->operation) {
    case FW_SCALAR_EQUAL:
        *r = x <= y && x >= y;
        return true;
    case FW_SCALAR_LESS:
        *r = x < y;
        return true;
    case FW_SCALAR_LESS_EQUAL:
        *r = x <= y;
        return true;
    case FW_SCALAR_UNORDERED:
        *r = isnan(x) || isnan(y);
        return true;
    case FW_SCALAR_COPYSIGN:
        *r = (a & (u64)1 << 63) | (b & (u64)INT64_MAX);
        return true;
    case FW_SCALAR_MIN:
        found = min_f64(x, y);
        break;
    case FW_SCALAR_MAX:
        found = max_f64(x, y);
        break;
    case FW_SCALAR_ABS:
        *r = isnan(x) ? a : a & (u64)INT64_MAX;
        return true;
    case FW_SCALAR_NEG:
        *r = isnan(x) ? a : a ^ (u64)1 << 63;
        return true;
    default:
        set_rounding(scalar, false);
        bool known = round_f64(scalar, x, y, z, &found);
        set_rounding(scalar, true);
        if (!known)
            return false;
        break;
    }
    *r = bits64(found);
    return !scalar->saturate && !scalar->flush;
}

/* Bits of the type as an expression holds them. */
static int64_t as_integer(enum fw_type type, u64 bits)
{
    unsigned width = fw_type_bits(type);
    if (width == 0 || width >= 64)
        return (int64_t)bits;
    if (type == FW_TYPE_F32)
        return (s32)bits;
    return (int64_t)fw_number_extended(type, bits);
}

static bool is_plain(enum fw_type type)
{
    char class = fw_type_class(type);
    unsigned bits = fw_type_bits(type);
    if (class == 'f')
        return fw_number_float_known(type);
    return (class == 's' || class == 'u') && type != FW_TYPE_U16X2 && type != FW_TYPE_S16X2 &&
           (bits == 8 || bits == 16 || bits == 32 || bits == 64);
}

/* The conversions that kernels are full of; false: another. */
static bool convert_quickly(const struct fw_scalar *scalar, int64_t x, int64_t *result)
{
    const bool nearest = scalar->rounding == FW_ROUND_RN;
    if (scalar->flush || scalar->saturate)
        return false;
    if (scalar->from == FW_TYPE_S32 && scalar->type == FW_TYPE_F32 && nearest)
        *result = (s32)bits32((f32)(s32)x);
    else if (scalar->from == FW_TYPE_U32 && scalar->type == FW_TYPE_F32 && nearest)
        *result = (s32)bits32((f32)(u32)x);
    else if (scalar->from == FW_TYPE_S32 && scalar->type == FW_TYPE_F64)
        *result = (int64_t)bits64((f64)(s32)x);
    else if (scalar->from == FW_TYPE_F32 && scalar->type == FW_TYPE_S32 &&
             scalar->rounding == FW_ROUND_RZI)
        *result = (s32)f32_to_s32(from32((u32)x));
    else
        return false;
    return true;
}

static bool convert(const struct fw_scalar *scalar, int64_t x, int64_t *result)
{
    if (convert_quickly(scalar, x, result))
        return true;
    const struct fw_conversion conversion = {.to = scalar->type,
                                             .from = scalar->from,
                                             .rounding = scalar->rounding,
                                             .flush = scalar->flush,
                                             .saturate = scalar->saturate};
    enum fw_type to = (enum fw_type)scalar->type, from = (enum fw_type)scalar->from;
    if (!is_plain(to) || !is_plain(from) || scalar->rounding == FW_ROUND_RS)
        return false;
    unsigned bits = fw_type_bits(from);
    u64 low = bits < 64 ? (u64)x & (((u64)1 << bits) - 1) : (u64)x;
    *result = as_integer(to, fw_number_convert(&conversion, low));
    return true;
}

bool fw_scalar_evaluate(const struct fw_scalar *scalar, const int64_t operands[3], int64_t *result)
{
    enum fw_type type = (enum fw_type)scalar->type;
    uint32_t count = fw_scalar_operands(scalar);
    u64 x = (u64)operands[0], y = count > 1 ? (u64)operands[1] : 0;
    u64 z = count > 2 ? (u64)operands[2] : 0, wide = 0;
    u32 narrow = 0;
    bool known;
    if (scalar->operation == FW_SCALAR_CONVERT)
        return convert(scalar, operands[0], result);
    if (type == FW_TYPE_F32)
        known = evaluate_f32(scalar, (u32)x, (u32)y, (u32)z, &narrow);
    else if (type == FW_TYPE_F64)
        known = evaluate_f64(scalar, x, y, z, &wide);
    else if (fw_type_class(type) == 'f' || fw_type_class(type) == 'p')
        return false;
    else if (fw_type_bits(type) == 32)
        known = evaluate_32(scalar, (u32)x, (u32)y, (u32)z, &narrow);
    else
        known = fw_type_bits(type) == 64 && evaluate_64(scalar, x, y, z, &wide);
    wide |= narrow;
    bool finds = scalar->operation == FW_SCALAR_BFIND || scalar->operation == FW_SCALAR_BFIND_SHIFT;
    *result = finds ? (s32)wide : as_integer(type, wide);
    return known;
}

void fw_scalar_range(const struct fw_scalar *scalar, int64_t *low, int64_t *high)
{
    enum fw_type type = (enum fw_type)scalar->type;
    unsigned bits = fw_type_bits(type);
    switch ((enum fw_scalar_operation)scalar->operation) {
    case FW_SCALAR_POPC:
    case FW_SCALAR_CLZ:
        *low = 0;
        *high = bits;
        return;
    case FW_SCALAR_BFIND:
    case FW_SCALAR_BFIND_SHIFT:
        *low = -1;
        *high = (int64_t)bits - 1;
        return;
    case FW_SCALAR_CNOT:
    case FW_SCALAR_EQUAL:
    case FW_SCALAR_LESS:
    case FW_SCALAR_LESS_EQUAL:
    case FW_SCALAR_UNORDERED:
        *low = 0;
        *high = 1;
        return;
    default:
        break;
    }
    *low = INT64_MIN;
    *high = INT64_MAX;
    if (bits == 0 || bits >= 64)
        return;
    bool is_signed = fw_type_class(type) == 's' || type == FW_TYPE_F32;
    *low = is_signed ? -((int64_t)1 << (bits - 1)) : 0;
    *high = ((int64_t)1 << (is_signed ? bits - 1 : bits)) - 1;
}

int64_t fw_scalar_bits(enum fw_type type, double number)
{
    return type == FW_TYPE_F64   ? (int64_t)bits64(number)
           : type == FW_TYPE_F32 ? (s32)bits32((f32)number)
                                 : 0;
}

/* The atom's operands where the third stands with the second in a PAIR. */
bool fw_scalar_of(const struct fw_pool *pool, const struct fw_atom_node *node,
                  struct fw_scalar *scalar, fw_expression operands[3])
{
    *scalar = unpacked(node->c);
    operands[0] = node->a;
    operands[1] = node->b;
    operands[2] = 0;
    if (scalar->operation == FW_SCALAR_PAIR)
        return false;
    if (fw_scalar_operands(scalar) < 3)
        return true;
    const struct fw_expression_node *both = &pool->expressions.at[node->b];
    if (both->term_count != 1 || both->terms[0].atom_count != 1 || both->terms[0].coefficient != 1)
        return false;
    const struct fw_atom_node *pair = &pool->atoms.at[both->terms[0].atoms[0]];
    if (pair->kind != FW_ATOM_SCALAR || unpacked(pair->c).operation != FW_SCALAR_PAIR)
        return false;
    operands[1] = pair->a;
    operands[2] = pair->b;
    return true;
}

fw_expression fw_scalar_expression(struct fw_pool *pool, const struct fw_scalar *scalar,
                                   const fw_expression operands[3])
{
    uint32_t count = fw_scalar_operands(scalar);
    int64_t values[3] = {0}, result;
    bool constant = true;
    for (uint32_t o = 0; o < count; o++)
        constant = constant && fw_expression_constant(pool, operands[o], &values[o]);
    if (!fw_scalar_evaluate(scalar, values,
                            &result)) /* whether there is one is a question of type */
        return FW_NO_EXPRESSION;
    if (constant)
        return fw_constant(pool, result);
    fw_expression second = count > 1 ? operands[1] : 0;
    if (count > 2)
        second = fw_atom_new(pool, FW_ATOM_SCALAR, operands[1], operands[2],
                             packed_of(&(struct fw_scalar){.operation = FW_SCALAR_PAIR}));
    return fw_atom_new(pool, FW_ATOM_SCALAR, operands[0], second, packed_of(scalar));
}

fw_expression fw_scalar_rebuild(struct fw_pool *pool, uint32_t packed, fw_expression a,
                                fw_expression b)
{
    const struct fw_atom_node node = {.kind = FW_ATOM_SCALAR, .a = a, .b = b, .c = packed};
    struct fw_scalar scalar;
    fw_expression operands[3];
    if (!fw_scalar_of(pool, &node, &scalar, operands))
        return fw_atom_new(pool, FW_ATOM_SCALAR, a, b, packed);
    return fw_scalar_expression(pool, &scalar, operands);
}

void fw_scalar_print(uint32_t packed, struct fw_buffer *out)
{
    static const char *const names[] = {
#define X(name, text, operands) text,
        FW_SCALARS(X)
#undef X
    };
    static const char *const roundings[] = {"",     ".rn",  ".rz",  ".rm",  ".rp", ".rni",
                                            ".rzi", ".rmi", ".rpi", ".rna", ".rs"};
    const struct fw_scalar scalar = unpacked(packed);
    if (scalar.operation == FW_SCALAR_PAIR)
        return;
    fw_buffer_printf(out, "%s%s%s%s.%s", names[scalar.operation], roundings[scalar.rounding],
                     scalar.flush ? ".ftz" : "", scalar.saturate ? ".sat" : "",
                     fw_type_text((enum fw_type)scalar.type));
    if (scalar.from)
        fw_buffer_printf(out, ".%s", fw_type_text((enum fw_type)scalar.from));
}
