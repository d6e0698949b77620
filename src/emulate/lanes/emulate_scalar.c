/* Operations that are too rare to be worth a copy for each instruction set. */
#include "emulate_number.h"

static u32 signed_field32(u32 x, u32 position, u32 length)
{
    position &= 255;
    length &= 255;
    if (length == 0)
        return 0;
    u32 top = position + length - 1 < 31 ? position + length - 1 : 31;
    u32 sign = x >> top & 1 ? UINT32_MAX : 0;
    u32 field = position > 31 ? sign : sar32(x, position);
    if (length > 31)
        return position > 31 ? sign : field;
    u32 mask = ((u32)1 << length) - 1;
    return (field & mask) | (sign & ~mask);
}

static u64 field64(u64 x, u32 position, u32 length)
{
    position &= 255;
    length &= 255;
    u64 r = shr64(x, position);
    return length > 63 ? r : r & (((u64)1 << length) - 1);
}

static u64 signed_field64(u64 x, u32 position, u32 length)
{
    position &= 255;
    length &= 255;
    if (length == 0)
        return 0;
    u32 top = position + length - 1 < 63 ? position + length - 1 : 63;
    u64 sign = x >> top & 1 ? UINT64_MAX : 0;
    u64 field = position > 63 ? sign : sar64(x, position);
    if (length > 63)
        return field;
    u64 mask = ((u64)1 << length) - 1;
    return (field & mask) | (sign & ~mask);
}

static u64 insert64(u64 field, u64 into, u32 position, u32 length, u32 width)
{
    position &= 255;
    length &= 255;
    if (position >= width || length == 0)
        return into;
    u64 mask = (length > 63 ? UINT64_MAX : ((u64)1 << length) - 1) << position;
    return (into & ~mask) | ((field << position) & mask);
}

static u32 find_bit(u64 x, bool is_signed, u32 width, bool amount)
{
    if (is_signed && x >> (width - 1) & 1)
        x = ~x;
    if (width == 32)
        x &= UINT32_MAX;
    if (x == 0)
        return UINT32_MAX;
    u32 position = 63 - (u32)__builtin_clzll(x);
    return amount ? width - 1 - position : position;
}

/* The offset-th set bit from `base` on, upwards or downwards. */
static u32 find_nth(u32 bits, u32 base, s32 offset)
{
    if (offset == 0)
        return base < 32 && bits >> base & 1 ? base : UINT32_MAX;
    s64 step = offset > 0 ? 1 : -1, left = (offset > 0 ? (s64)offset : -(s64)offset) - 1;
    for (s64 at = base; at >= 0 && at < 32; at += step) {
        if (!(bits >> at & 1))
            continue;
        if (left-- == 0)
            return (u32)at;
    }
    return UINT32_MAX;
}

static u32 reverse32(u32 x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}

static u64 reverse64(u64 x)
{
    return (u64)reverse32((u32)x) << 32 | reverse32((u32)(x >> 32));
}

static u32 clamp_s32(s64 x)
{
    return (u32)(x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x);
}

static u32 divide_s32(u32 x, u32 y)
{
    if (y == 0)
        return UINT32_MAX;
    return (u32)((s64)(s32)x / (s32)y);
}

static u32 remainder_s32(u32 x, u32 y)
{
    if (y == 0)
        return UINT32_MAX;
    return (u32)((s64)(s32)x % (s32)y);
}

static u64 divide_s64(u64 x, u64 y)
{
    if (y == 0)
        return UINT64_MAX;
    return y == UINT64_MAX ? 0u - x : (u64)((s64)x / (s64)y);
}

static u64 remainder_s64(u64 x, u64 y)
{
    if (y == 0)
        return UINT64_MAX;
    return y == UINT64_MAX ? 0 : (u64)((s64)x % (s64)y);
}

/* Signed: the low 24 bits with their sign. */
static s64 low24(u32 x, bool is_signed)
{
    return is_signed ? (s64)((s32)(x << 8) >> 8) : (s64)(x & 0xffffff);
}

static u32 bit_mask(u32 from, u32 width, bool wrap)
{
    if (wrap) {
        from &= 31;
        width &= 31;
    }
    if (from > 31)
        return 0;
    u32 ones = width > 31 ? UINT32_MAX : ((u32)1 << width) - 1;
    return ones << from;
}

static u32 extend_from(u32 x, u32 width, bool is_signed, bool wrap)
{
    if (wrap)
        width &= 31;
    if (width == 0)
        return 0;
    if (width > 31)
        return x;
    u32 shift = 32 - width;
    return is_signed ? (u32)((s32)(x << shift) >> shift) : x << shift >> shift;
}

/* A byte or half word as a number. */
static s64 part(u32 x, unsigned index, unsigned bits, bool is_signed)
{
    u32 value = x >> index * bits;
    return bits == 8 ? (is_signed ? (s64)(s8)value : (s64)(u8)value)
                     : (is_signed ? (s64)(s16)value : (s64)(u16)value);
}

static u32 dot4(u32 x, u32 y, u32 z, bool x_signed, bool y_signed)
{
    s64 sum = 0;
    for (unsigned i = 0; i < 4; i++)
        sum += part(x, i, 8, x_signed) * part(y, i, 8, y_signed);
    return (u32)sum + z;
}

static u32 dot2(u32 x, u32 y, u32 z, bool x_signed, bool y_signed, bool high)
{
    s64 sum = 0;
    for (unsigned i = 0; i < 2; i++)
        sum += part(x, i, 16, x_signed) * part(y, i + (high ? 2 : 0), 8, y_signed);
    return (u32)sum + z;
}

/* prmt: bytes chosen from the eight of y:x.  Modes in the order none, f4e, b4e, rc8, ecl, ecr,
 * rc16. */
static u32 permute(u32 x, u32 y, u32 z, unsigned mode)
{
    u64 bytes = (u64)y << 32 | x;
    u32 result = 0;
    for (unsigned i = 0; i < 4; i++) {
        u32 s = z & 3, choice = 0;
        switch (mode) {
        case 0:
            choice = z >> 4 * i & 15;
            break;
        case 1:
            choice = s + i;
            break;
        case 2:
            choice = (s - i) & 7;
            break;
        case 3:
            choice = s;
            break;
        case 4:
            choice = i > s ? i : s;
            break;
        case 5:
            choice = i < s ? i : s;
            break;
        default:
            choice = (s & 1) * 2 + (i & 1);
            break;
        }
        u32 byte = (u32)(bytes >> 8 * (choice & 7)) & 255;
        if (choice & 8)
            byte = byte & 128 ? 255 : 0;
        result |= byte << 8 * i;
    }
    return result;
}

static f32 nan_min(f32 x, f32 y)
{
    return x != x || y != y ? from32(0x7fffffff) : min_f32(x, y);
}

static f32 nan_max(f32 x, f32 y)
{
    return x != x || y != y ? from32(0x7fffffff) : max_f32(x, y);
}

/* Both halves of two packed singles. */
static u64 pair_f32(u64 x, u64 y, u64 z, unsigned operation)
{
    u64 result = 0;
    for (unsigned i = 0; i < 2; i++) {
        f32 a = from32((u32)(x >> 32 * i)), b = from32((u32)(y >> 32 * i));
        f32 c = from32((u32)(z >> 32 * i));
        f32 r = operation == 0 ? a + b : operation == 1 ? a * b : fmaf(a, b, c);
        result |= (u64)bits32(canonical(r)) << 32 * i;
    }
    return result;
}

/* sad: |x - y| + z without overflow on the way */
#define DISTANCE(T, U) (U)(((T)x > (T)y ? (U)x - (U)y : (U)y - (U)x) + z)

#define LIBRARY(X, opcode, function)                                                               \
    X(opcode, F32, NONE, 0, f32, f32, f32, f32, canonical(function(x)))                            \
    X(opcode, F32, NONE, OPERATION_FTZ, f32, f32, f32, f32, flush(canonical(function(flush(x)))))

#define SCALAR_OPERATIONS(X)                                                                       \
    X(ADD, S32, NONE, OPERATION_SAT, u32, u32, u32, u32, clamp_s32((s64)(s32)x + (s32)y))          \
    X(SUB, S32, NONE, OPERATION_SAT, u32, u32, u32, u32, clamp_s32((s64)(s32)x - (s32)y))          \
    X(MAD, S32, HI, OPERATION_SAT, u32, u32, u32, u32,                                             \
      clamp_s32((s64)(s32)high32s(x, y) + (s32)z))                                                 \
    X(MUL, U64, HI, 0, u64, u64, u64, u64, high64(x, y))                                           \
    X(MUL, S64, HI, 0, u64, u64, u64, u64, high64s(x, y))                                          \
    X(MAD, U64, HI, 0, u64, u64, u64, u64, high64(x, y) + z)                                       \
    X(MAD, S64, HI, 0, u64, u64, u64, u64, high64s(x, y) + z)                                      \
    X(MUL, U16, HI, 0, u32, u32, u32, u32, ((x & 0xffff) * (y & 0xffff)) >> 16)                    \
    X(MUL, S16, HI, 0, u32, u32, u32, u32, (u16)((u32)((s16)x * (s16)y) >> 16))                    \
    X(MAD, U16, HI, 0, u32, u32, u32, u32, (u16)((((x & 0xffff) * (y & 0xffff)) >> 16) + z))       \
    X(MAD, S16, HI, 0, u32, u32, u32, u32, (u16)(((u32)((s16)x * (s16)y) >> 16) + z))              \
    X(MUL24, U32, LO, 0, u32, u32, u32, u32, (u32)(low24(x, false) * low24(y, false)))             \
    X(MUL24, S32, LO, 0, u32, u32, u32, u32, (u32)(low24(x, true) * low24(y, true)))               \
    X(MUL24, U32, HI, 0, u32, u32, u32, u32, (u32)((low24(x, false) * low24(y, false)) >> 16))     \
    X(MUL24, S32, HI, 0, u32, u32, u32, u32, (u32)((low24(x, true) * low24(y, true)) >> 16))       \
    X(MAD24, U32, LO, 0, u32, u32, u32, u32, (u32)(low24(x, false) * low24(y, false)) + z)         \
    X(MAD24, S32, LO, 0, u32, u32, u32, u32, (u32)(low24(x, true) * low24(y, true)) + z)           \
    X(MAD24, U32, HI, 0, u32, u32, u32, u32, (u32)((low24(x, false) * low24(y, false)) >> 16) + z) \
    X(MAD24, S32, HI, 0, u32, u32, u32, u32, (u32)((low24(x, true) * low24(y, true)) >> 16) + z)   \
    X(MAD24, S32, HI, OPERATION_SAT, u32, u32, u32, u32,                                           \
      clamp_s32(((low24(x, true) * low24(y, true)) >> 16) + (s32)z))                               \
    X(SAD, U32, NONE, 0, u32, u32, u32, u32, DISTANCE(u32, u32))                                   \
    X(SAD, S32, NONE, 0, u32, u32, u32, u32, DISTANCE(s32, u32))                                   \
    X(SAD, U64, NONE, 0, u64, u64, u64, u64, DISTANCE(u64, u64))                                   \
    X(SAD, S64, NONE, 0, u64, u64, u64, u64, DISTANCE(s64, u64))                                   \
    X(SAD, U16, NONE, 0, u32, u32, u32, u32, (u16)DISTANCE(u16, u32))                              \
    X(SAD, S16, NONE, 0, u32, u32, u32, u32, (u16)DISTANCE(s16, u32))                              \
    X(DIV, U32, NONE, 0, u32, u32, u32, u32, y ? x / y : UINT32_MAX)                               \
    X(REM, U32, NONE, 0, u32, u32, u32, u32, y ? x % y : UINT32_MAX)                               \
    X(DIV, S32, NONE, 0, u32, u32, u32, u32, divide_s32(x, y))                                     \
    X(REM, S32, NONE, 0, u32, u32, u32, u32, remainder_s32(x, y))                                  \
    X(DIV, U64, NONE, 0, u64, u64, u64, u64, y ? x / y : UINT64_MAX)                               \
    X(REM, U64, NONE, 0, u64, u64, u64, u64, y ? x % y : UINT64_MAX)                               \
    X(DIV, S64, NONE, 0, u64, u64, u64, u64, divide_s64(x, y))                                     \
    X(REM, S64, NONE, 0, u64, u64, u64, u64, remainder_s64(x, y))                                  \
    X(DIV, U16, NONE, 0, u32, u32, u32, u32, (u16)(y ? x / y : UINT32_MAX))                        \
    X(REM, U16, NONE, 0, u32, u32, u32, u32, (u16)(y ? x % y : UINT32_MAX))                        \
    X(DIV, S16, NONE, 0, u32, u32, u32, u32, (u16)divide_s32((u32)(s16)x, (u32)(s16)y))            \
    X(REM, S16, NONE, 0, u32, u32, u32, u32, (u16)remainder_s32((u32)(s16)x, (u32)(s16)y))         \
    X(MIN, U16, NONE, 0, u32, u32, u32, u32, x < y ? x : y)                                        \
    X(MAX, U16, NONE, 0, u32, u32, u32, u32, x > y ? x : y)                                        \
    X(MIN, S16, NONE, 0, u32, u32, u32, u32, (s16)x < (s16)y ? x : y)                              \
    X(MAX, S16, NONE, 0, u32, u32, u32, u32, (s16)x > (s16)y ? x : y)                              \
    X(ABS, S16, NONE, 0, u32, u32, u32, u32, (s16)x < 0 ? (u16)(0u - x) : x)                       \
    X(SHL, B16, NONE, 0, u32, u32, u32, u32, (u16)shl32(x, y))                                     \
    X(SHR, U16, NONE, 0, u32, u32, u32, u32, shr32(x & 0xffff, y))                                 \
    X(SHR, S16, NONE, 0, u32, u32, u32, u32, (u16)sar32((u32)(s16)x, y))                           \
    X(CNOT, B16, NONE, 0, u32, u32, u32, u32, x == 0)                                              \
    X(CNOT, B32, NONE, 0, u32, u32, u32, u32, x == 0)                                              \
    X(CNOT, B64, NONE, 0, u64, u64, u64, u64, x == 0)                                              \
    X(POPC, B32, NONE, 0, u32, u32, u32, u32, __builtin_popcount(x))                               \
    X(POPC, B64, NONE, 0, u32, u64, u32, u32, __builtin_popcountll(x))                             \
    X(CLZ, B32, NONE, 0, u32, u32, u32, u32, x ? __builtin_clz(x) : 32)                            \
    X(CLZ, B64, NONE, 0, u32, u64, u32, u32, x ? __builtin_clzll(x) : 64)                          \
    X(BREV, B32, NONE, 0, u32, u32, u32, u32, reverse32(x))                                        \
    X(BREV, B64, NONE, 0, u64, u64, u32, u32, reverse64(x))                                        \
    X(BFIND, U32, NONE, 0, u32, u32, u32, u32, find_bit(x, false, 32, n))                          \
    X(BFIND, S32, NONE, 0, u32, u32, u32, u32, find_bit(x, true, 32, n))                           \
    X(BFIND, U64, NONE, 0, u32, u64, u32, u32, find_bit(x, false, 64, n))                          \
    X(BFIND, S64, NONE, 0, u32, u64, u32, u32, find_bit(x, true, 64, n))                           \
    X(FNS, B32, NONE, 0, u32, u32, u32, u32, find_nth(x, y, (s32)z))                               \
    X(BFE, S32, NONE, 0, u32, u32, u32, u32, signed_field32(x, y, z))                              \
    X(BFE, U64, NONE, 0, u64, u64, u32, u32, field64(x, y, z))                                     \
    X(BFE, S64, NONE, 0, u64, u64, u32, u32, signed_field64(x, y, z))                              \
    X(BFI, B32, NONE, 0, u32, u32, u32, u32, insert64(x, y, z, SLOT(u32, micro->e)[i], 32))        \
    X(BFI, B64, NONE, 0, u64, u64, u64, u32, insert64(x, y, z, SLOT(u32, micro->e)[i], 64))        \
    X(BMSK, B32, NONE, OPERATION_CLAMP, u32, u32, u32, u32, bit_mask(x, y, false))                 \
    X(BMSK, B32, NONE, OPERATION_WRAP, u32, u32, u32, u32, bit_mask(x, y, true))                   \
    X(SZEXT, U32, NONE, OPERATION_CLAMP, u32, u32, u32, u32, extend_from(x, y, false, false))      \
    X(SZEXT, U32, NONE, OPERATION_WRAP, u32, u32, u32, u32, extend_from(x, y, false, true))        \
    X(SZEXT, S32, NONE, OPERATION_CLAMP, u32, u32, u32, u32, extend_from(x, y, true, false))       \
    X(SZEXT, S32, NONE, OPERATION_WRAP, u32, u32, u32, u32, extend_from(x, y, true, true))         \
    X(DP4A, U32, NONE, 0, u32, u32, u32, u32, dot4(x, y, z, micro->small[0], micro->small[1]))     \
    X(DP2A, U32, NONE, 0, u32, u32, u32, u32,                                                      \
      dot2(x, y, z, micro->small[0], micro->small[1], micro->small[2]))                            \
    X(PRMT, B32, NONE, 0, u32, u32, u32, u32, permute(x, y, z, n))                                 \
    X(COPYSIGN, F32, NONE, 0, u32, u32, u32, u32, (x & 0x80000000u) | (y & 0x7fffffffu))           \
    X(COPYSIGN, F64, NONE, 0, u64, u64, u64, u64, (x & (u64)1 << 63) | (y & INT64_MAX))            \
    X(MIN, F32, NONE, OPERATION_NAN, f32, f32, f32, f32, nan_min(x, y))                            \
    X(MAX, F32, NONE, OPERATION_NAN, f32, f32, f32, f32, nan_max(x, y))                            \
    X(ADD, F32X2, NONE, 0, u64, u64, u64, u64, pair_f32(x, y, 0, 0))                               \
    X(MUL, F32X2, NONE, 0, u64, u64, u64, u64, pair_f32(x, y, 0, 1))                               \
    X(FMA, F32X2, NONE, 0, u64, u64, u64, u64, pair_f32(x, y, z, 2))                               \
    LIBRARY(X, SIN, sinf)                                                                          \
    LIBRARY(X, COS, cosf)                                                                          \
    LIBRARY(X, LG2, log2f)                                                                         \
    LIBRARY(X, EX2, exp2f)                                                                         \
    LIBRARY(X, TANH, tanhf)

#define X(opcode, type, mode, flags, D, A, B, C, expression)                                       \
    HANDLER(run_##opcode##_##type##_##mode##_##flags, D, A, B, C, expression)
SCALAR_OPERATIONS(X)
#undef X

const struct emulate_operation fw_emulate_scalar_operations[] = {
#define X(opcode, type, mode, flags, D, A, B, C, expression)                                       \
    {FW_OP_##opcode, FW_TYPE_##type, FW_MODE_##mode,                                               \
     flags,          sizeof(D),      sizeof(A),                                                    \
     sizeof(B),      sizeof(C),      run_##opcode##_##type##_##mode##_##flags},
    SCALAR_OPERATIONS(X)
#undef X
};
const uint32_t fw_emulate_scalar_operation_count =
    sizeof(fw_emulate_scalar_operations) / sizeof(fw_emulate_scalar_operations[0]);
