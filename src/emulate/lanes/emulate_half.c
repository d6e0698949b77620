/* Half-precision arithmetic beyond the common operations of emulate_lanes_body.h: bf16, minima and
 * maxima, saturation, approximate functions; packed pairs apply the same to both halves. */
#include "emulate_convert.h"
#include "emulate_number.h"

static bool half_is_nan(u32 x)
{
    return (x & 0x7fff) > 0x7c00;
}

static bool bfloat_is_nan(u32 x)
{
    return (x & 0x7fff) > 0x7f80;
}

/* The order of half-precision numbers is that of their bits once negative ones are mirrored; this
 * makes -0 less than +0. */
static s32 ordered(u32 x)
{
    return x & 0x8000 ? -(s32)(x & 0x7fff) - 1 : (s32)(x & 0x7fff);
}

static u32 smaller(u32 x, u32 y, bool x_nan, bool y_nan)
{
    x &= 0xffff, y &= 0xffff;
    return x_nan && y_nan ? 0x7fff : x_nan ? y : y_nan ? x : ordered(x) < ordered(y) ? x : y;
}

static u32 larger(u32 x, u32 y, bool x_nan, bool y_nan)
{
    x &= 0xffff, y &= 0xffff;
    return x_nan && y_nan ? 0x7fff : x_nan ? y : y_nan ? x : ordered(x) > ordered(y) ? x : y;
}

static u32 half_min(u32 x, u32 y)
{
    return smaller(x, y, half_is_nan(x), half_is_nan(y));
}

static u32 half_max(u32 x, u32 y)
{
    return larger(x, y, half_is_nan(x), half_is_nan(y));
}

static u32 half_min_nan(u32 x, u32 y)
{
    return half_is_nan(x) || half_is_nan(y) ? 0x7fff : half_min(x, y);
}

static u32 half_max_nan(u32 x, u32 y)
{
    return half_is_nan(x) || half_is_nan(y) ? 0x7fff : half_max(x, y);
}

static u32 bfloat_min(u32 x, u32 y)
{
    return smaller(x, y, bfloat_is_nan(x), bfloat_is_nan(y));
}

static u32 bfloat_max(u32 x, u32 y)
{
    return larger(x, y, bfloat_is_nan(x), bfloat_is_nan(y));
}

static u32 bfloat_min_nan(u32 x, u32 y)
{
    return bfloat_is_nan(x) || bfloat_is_nan(y) ? 0x7fff : bfloat_min(x, y);
}

static u32 bfloat_max_nan(u32 x, u32 y)
{
    return bfloat_is_nan(x) || bfloat_is_nan(y) ? 0x7fff : bfloat_max(x, y);
}

static u32 bfloat_add(u32 x, u32 y)
{
    return f32_to_bfloat(bfloat_to_f32(x) + bfloat_to_f32(y));
}

static u32 bfloat_sub(u32 x, u32 y)
{
    return f32_to_bfloat(bfloat_to_f32(x) - bfloat_to_f32(y));
}

static u32 bfloat_mul(u32 x, u32 y)
{
    return f32_to_bfloat(bfloat_to_f32(x) * bfloat_to_f32(y));
}

/* The product is exact in a double; the sum is rounded to odd before it is rounded to bf16, as in
 * add_odd_f32. */
static u32 bfloat_fma(u32 x, u32 y, u32 z)
{
    const f64 p = (f64)bfloat_to_f32(x) * (f64)bfloat_to_f32(y), c = (f64)bfloat_to_f32(z);
    const f64 s = p + c, t = s - p, e = (p - (s - t)) + (c - t);
    u64 b = bits64(s);
    if ((e > 0.0 || e < 0.0) && !(b & 1))
        b = (e > 0.0) == (s > 0.0) ? b + 1 : b - 1;
    return (u32)fw_number_encode(FW_TYPE_BF16, from64(b), FW_ROUND_RN, false);
}

static u32 half_abs(u32 x)
{
    return half_sign(x, 0, 0x7fff, 0x7c00);
}

static u32 half_neg(u32 x)
{
    return half_sign(x, 0x8000, 0xffff, 0x7c00);
}

static u32 bfloat_abs(u32 x)
{
    return half_sign(x, 0, 0x7fff, 0x7f80);
}

static u32 bfloat_neg(u32 x)
{
    return half_sign(x, 0x8000, 0xffff, 0x7f80);
}

static u32 half_exp2(u32 x)
{
    return f32_to_half(exp2f(half_to_f32(x)));
}

static u32 half_tanh(u32 x)
{
    return f32_to_half(tanhf(half_to_f32(x)));
}

static u32 bfloat_exp2(u32 x)
{
    return f32_to_bfloat(exp2f(bfloat_to_f32(x)));
}

static u32 bfloat_tanh(u32 x)
{
    return f32_to_bfloat(tanhf(bfloat_to_f32(x)));
}

#define BOTH1(f) (f(x & 0xffff) | f(x >> 16) << 16)
#define BOTH2(f) (f(x & 0xffff, y & 0xffff) | f(x >> 16, y >> 16) << 16)
#define BOTH3(f) (f(x & 0xffff, y & 0xffff, z & 0xffff) | f(x >> 16, y >> 16, z >> 16) << 16)

#define UNARY(X, opcode, flags, half, bfloat)                                                      \
    X(opcode, F16, NONE, flags, half(x))                                                           \
    X(opcode, BF16, NONE, flags, bfloat(x))                                                        \
    X(opcode, F16X2, NONE, flags, BOTH1(half))                                                     \
    X(opcode, BF16X2, NONE, flags, BOTH1(bfloat))
#define BINARY(X, opcode, flags, half, bfloat)                                                     \
    X(opcode, F16, NONE, flags, half(x, y))                                                        \
    X(opcode, BF16, NONE, flags, bfloat(x, y))                                                     \
    X(opcode, F16X2, NONE, flags, BOTH2(half))                                                     \
    X(opcode, BF16X2, NONE, flags, BOTH2(bfloat))

#define HALF_OPERATIONS(X)                                                                         \
    BINARY(X, MIN, 0, half_min, bfloat_min)                                                        \
    BINARY(X, MAX, 0, half_max, bfloat_max)                                                        \
    BINARY(X, MIN, OPERATION_NAN, half_min_nan, bfloat_min_nan)                                    \
    BINARY(X, MAX, OPERATION_NAN, half_max_nan, bfloat_max_nan)                                    \
    X(ADD, BF16, NONE, 0, bfloat_add(x, y))                                                        \
    X(ADD, BF16X2, NONE, 0, BOTH2(bfloat_add))                                                     \
    X(SUB, BF16, NONE, 0, bfloat_sub(x, y))                                                        \
    X(SUB, BF16X2, NONE, 0, BOTH2(bfloat_sub))                                                     \
    X(MUL, BF16, NONE, 0, bfloat_mul(x, y))                                                        \
    X(MUL, BF16X2, NONE, 0, BOTH2(bfloat_mul))                                                     \
    X(FMA, BF16, NONE, 0, bfloat_fma(x, y, z))                                                     \
    X(FMA, BF16X2, NONE, 0, BOTH3(bfloat_fma))                                                     \
    UNARY(X, ABS, 0, half_abs, bfloat_abs)                                                         \
    UNARY(X, NEG, 0, half_neg, bfloat_neg)                                                         \
    UNARY(X, EX2, 0, half_exp2, bfloat_exp2)                                                       \
    UNARY(X, TANH, 0, half_tanh, bfloat_tanh)

#define X(opcode, type, mode, flags, expression)                                                   \
    HANDLER(run_##opcode##_##type##_##flags, u32, u32, u32, u32, expression)
HALF_OPERATIONS(X)
#undef X

const struct emulate_operation fw_emulate_half_operations[] = {
#define X(opcode, type, mode, flags, expression)                                                   \
    {FW_OP_##opcode,                                                                               \
     FW_TYPE_##type,                                                                               \
     FW_MODE_##mode,                                                                               \
     flags,                                                                                        \
     4,                                                                                            \
     4,                                                                                            \
     4,                                                                                            \
     4,                                                                                            \
     run_##opcode##_##type##_##flags},
    HALF_OPERATIONS(X)
#undef X
};
const uint32_t fw_emulate_half_operation_count =
    sizeof(fw_emulate_half_operations) / sizeof(fw_emulate_half_operations[0]);
