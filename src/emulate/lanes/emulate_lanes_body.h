/* The handlers that are worth a copy for each instruction set: included once by each of
 * emulate_lanes_portable.c, _avx2.c and _avx512.c, which define LANES_NAME and the target.
 *
 * Each handler has two loops over the 32 lanes, one for full warps and one that keeps what the
 * lanes outside of the mask hold; both are written so that the compiler turns them into vectors. */
#include "emulate_memory.h"
#include "emulate_number.h"

#include <stddef.h>

/* X(opcode, type, mode, flags, D, A, B, C, expression).  Types without a sign stand for those of
 * the same width that have no row of their own. */
#define INTEGER(X, opcode, name, expression)                                                       \
    X(opcode, U32, name, 0, u32, u32, u32, u32, expression)                                        \
    X(opcode, U64, name, 0, u64, u64, u64, u64, expression)                                        \
    X(opcode, U16, name, 0, u32, u32, u32, u32, (u16)(expression))
#define BITWISE(X, opcode, expression)                                                             \
    X(opcode, B32, NONE, 0, u32, u32, u32, u32, expression)                                        \
    X(opcode, B64, NONE, 0, u64, u64, u64, u64, expression)                                        \
    X(opcode, B16, NONE, 0, u32, u32, u32, u32, (u16)(expression))
#define SINGLE(X, opcode, mode, expression, flushed)                                               \
    X(opcode, F32, mode, 0, f32, f32, f32, f32, canonical(expression))                             \
    X(opcode, F32, mode, OPERATION_FTZ, f32, f32, f32, f32, flush(canonical(flushed)))
#define FLOATING(X, opcode, expression32, flushed, expression64)                                   \
    SINGLE(X, opcode, NONE, expression32, flushed)                                                 \
    X(opcode, F64, NONE, 0, f64, f64, f64, f64, expression64)

#define FX flush(x)
#define FY flush(y)
#define FZ flush(z)

#define LANE_OPERATIONS(X)                                                                         \
    INTEGER(X, ADD, NONE, x + y)                                                                   \
    INTEGER(X, SUB, NONE, x - y)                                                                   \
    INTEGER(X, MUL, LO, x *y)                                                                      \
    INTEGER(X, MAD, LO, x *y + z)                                                                  \
    X(MUL, U32, HI, 0, u32, u32, u32, u32, high32(x, y))                                           \
    X(MUL, S32, HI, 0, u32, u32, u32, u32, high32s(x, y))                                          \
    X(MUL, U32, WIDE, 0, u64, u32, u32, u32, (u64)x *y)                                            \
    X(MUL, S32, WIDE, 0, u64, s32, s32, s32, (s64)x *y)                                            \
    X(MUL, U16, WIDE, 0, u32, u32, u32, u32, (x & 0xffff) * (y & 0xffff))                          \
    X(MUL, S16, WIDE, 0, u32, u32, u32, u32, (s16)x *(s16)y)                                       \
    X(MAD, U32, HI, 0, u32, u32, u32, u32, high32(x, y) + z)                                       \
    X(MAD, S32, HI, 0, u32, u32, u32, u32, high32s(x, y) + z)                                      \
    X(MAD, U32, WIDE, 0, u64, u32, u32, u64, (u64)x *y + z)                                        \
    X(MAD, S32, WIDE, 0, u64, s32, s32, u64, (u64)((s64)x * y) + z)                                \
    X(MAD, U16, WIDE, 0, u32, u32, u32, u32, (x & 0xffff) * (y & 0xffff) + z)                      \
    X(MAD, S16, WIDE, 0, u32, u32, u32, u32, (u32)((s16)x * (s16)y) + z)                           \
    X(MIN, U32, NONE, 0, u32, u32, u32, u32, x < y ? x : y)                                        \
    X(MAX, U32, NONE, 0, u32, u32, u32, u32, x > y ? x : y)                                        \
    X(MIN, S32, NONE, 0, s32, s32, s32, s32, x < y ? x : y)                                        \
    X(MAX, S32, NONE, 0, s32, s32, s32, s32, x > y ? x : y)                                        \
    X(MIN, U64, NONE, 0, u64, u64, u64, u64, x < y ? x : y)                                        \
    X(MAX, U64, NONE, 0, u64, u64, u64, u64, x > y ? x : y)                                        \
    X(MIN, S64, NONE, 0, s64, s64, s64, s64, x < y ? x : y)                                        \
    X(MAX, S64, NONE, 0, s64, s64, s64, s64, x > y ? x : y)                                        \
    X(ABS, S32, NONE, 0, u32, u32, u32, u32, (s32)x < 0 ? 0u - x : x)                              \
    X(ABS, S64, NONE, 0, u64, u64, u64, u64, (s64)x < 0 ? 0u - x : x)                              \
    INTEGER(X, NEG, NONE, 0u - x)                                                                  \
    BITWISE(X, AND, x &y)                                                                          \
    BITWISE(X, OR, x | y)                                                                          \
    BITWISE(X, XOR, x ^ y)                                                                         \
    BITWISE(X, NOT, ~x)                                                                            \
    X(SHL, B32, NONE, 0, u32, u32, u32, u32, shl32(x, y))                                          \
    X(SHL, B64, NONE, 0, u64, u64, u32, u32, shl64(x, y))                                          \
    X(SHR, U32, NONE, 0, u32, u32, u32, u32, shr32(x, y))                                          \
    X(SHR, U64, NONE, 0, u64, u64, u32, u32, shr64(x, y))                                          \
    X(SHR, S32, NONE, 0, u32, u32, u32, u32, sar32(x, y))                                          \
    X(SHR, S64, NONE, 0, u64, u64, u32, u32, sar64(x, y))                                          \
    X(SHF, B32, L, OPERATION_CLAMP, u32, u32, u32, u32,                                            \
      (u32)(((u64)y << 32 | x) << (z > 31 ? 32 : z) >> 32))                                        \
    X(SHF, B32, R, OPERATION_CLAMP, u32, u32, u32, u32,                                            \
      (u32)(((u64)y << 32 | x) >> (z > 31 ? 32 : z)))                                              \
    X(SHF, B32, L, OPERATION_WRAP, u32, u32, u32, u32,                                             \
      (u32)(((u64)y << 32 | x) << (z & 31) >> 32))                                                 \
    X(SHF, B32, R, OPERATION_WRAP, u32, u32, u32, u32, (u32)(((u64)y << 32 | x) >> (z & 31)))      \
    X(BFE, U32, NONE, 0, u32, u32, u32, u32, field32(x, y, z))                                     \
    FLOATING(X, ADD, x + y, FX + FY, x + y)                                                        \
    FLOATING(X, SUB, x - y, FX - FY, x - y)                                                        \
    FLOATING(X, MUL, x *y, FX *FY, x *y)                                                           \
    FLOATING(X, FMA, __builtin_fmaf(x, y, z), __builtin_fmaf(FX, FY, FZ), __builtin_fma(x, y, z))  \
    FLOATING(X, MAD, __builtin_fmaf(x, y, z), __builtin_fmaf(FX, FY, FZ), __builtin_fma(x, y, z))  \
    FLOATING(X, DIV, x / y, FX / FY, x / y)                                                        \
    FLOATING(X, RCP, 1.0f / x, 1.0f / FX, 1.0 / x)                                                 \
    FLOATING(X, SQRT, __builtin_sqrtf(x), __builtin_sqrtf(FX), __builtin_sqrt(x))                  \
    FLOATING(X, RSQRT, 1.0f / __builtin_sqrtf(x), 1.0f / __builtin_sqrtf(FX),                      \
             1.0 / __builtin_sqrt(x))                                                              \
    FLOATING(X, MIN, min_f32(x, y), min_f32(FX, FY), min_f64(x, y))                                \
    FLOATING(X, MAX, max_f32(x, y), max_f32(FX, FY), max_f64(x, y))                                \
    SINGLE(X, ABS, NONE, from32(bits32(x) & 0x7fffffffu), from32(bits32(FX) & 0x7fffffffu))        \
    SINGLE(X, NEG, NONE, -x, -FX)                                                                  \
    X(ABS, F64, NONE, 0, u64, f64, u64, u64, x != x ? bits64(x) : bits64(x) & INT64_MAX)           \
    X(NEG, F64, NONE, 0, u64, f64, u64, u64, x != x ? bits64(x) : bits64(x) ^ (u64)1 << 63)        \
    X(ADD, F16, NONE, 0, u32, u32, u32, u32, f32_to_half(half_to_f32(x) + half_to_f32(y)))         \
    X(SUB, F16, NONE, 0, u32, u32, u32, u32, f32_to_half(half_to_f32(x) - half_to_f32(y)))         \
    X(MUL, F16, NONE, 0, u32, u32, u32, u32, f32_to_half(half_to_f32(x) * half_to_f32(y)))         \
    X(FMA, F16, NONE, 0, u32, u32, u32, u32, fma_half(x, y, z))                                    \
    X(ADD, F16X2, NONE, 0, u32, u32, u32, u32,                                                     \
      f32_to_half(half_to_f32(x) + half_to_f32(y)) |                                               \
          f32_to_half(half_to_f32(x >> 16) + half_to_f32(y >> 16)) << 16)                          \
    X(SUB, F16X2, NONE, 0, u32, u32, u32, u32,                                                     \
      f32_to_half(half_to_f32(x) - half_to_f32(y)) |                                               \
          f32_to_half(half_to_f32(x >> 16) - half_to_f32(y >> 16)) << 16)                          \
    X(MUL, F16X2, NONE, 0, u32, u32, u32, u32,                                                     \
      f32_to_half(half_to_f32(x) * half_to_f32(y)) |                                               \
          f32_to_half(half_to_f32(x >> 16) * half_to_f32(y >> 16)) << 16)                          \
    X(FMA, F16X2, NONE, 0, u32, u32, u32, u32,                                                     \
      fma_half(x, y, z) | fma_half(x >> 16, y >> 16, z >> 16) << 16)

#define X(opcode, type, mode, flags, D, A, B, C, expression)                                       \
    HANDLER(run_##opcode##_##type##_##mode##_##flags, D, A, B, C, expression)
LANE_OPERATIONS(X)
#undef X

static const struct emulate_operation operations[] = {
#define X(opcode, type, mode, flags, D, A, B, C, expression)                                       \
    {FW_OP_##opcode, FW_TYPE_##type, FW_MODE_##mode,                                               \
     flags,          sizeof(D),      sizeof(A),                                                    \
     sizeof(B),      sizeof(C),      run_##opcode##_##type##_##mode##_##flags},
    LANE_OPERATIONS(X)
#undef X
};

/* Eight truth values (bytes 0 or 1) at a time into bits: the product moves byte k's bit to bit
 * 56+k. */
static inline uint32_t pack_bits(const u8 *truth)
{
    uint32_t bits = 0;
    for (unsigned k = 0; k < 4; k++) {
        u64 eight;
        memcpy(&eight, truth + 8 * k, 8);
        bits |= (uint32_t)(eight * UINT64_C(0x0102040810204080) >> 56) << 8 * k;
    }
    return bits;
}

#define COMPARISON(name, T, expression)                                                            \
    static void name(struct emulate_warp *warp, const struct emulate_micro *micro, uint32_t mask)  \
    {                                                                                              \
        const T *a = SLOT(T, micro->a);                                                            \
        const T *b = SLOT(T, micro->b);                                                            \
        u8 truth[LANES];                                                                           \
        EACH_LANE                                                                                  \
        {                                                                                          \
            const T x = a[i];                                                                      \
            const T y = b[i];                                                                      \
            truth[i] = (u8)((expression) ? 1 : 0);                                                 \
        }                                                                                          \
        uint32_t old = WORD(micro->d);                                                             \
        WORD(micro->d) = (pack_bits(truth) & mask) | (old & ~mask);                                \
    }

/* X(compare, slot's type, kind, expression) */
#define COMPARE_ORDER(X, T, kind, cast)                                                            \
    X(EQ, T, kind, cast x == cast y)                                                               \
    X(NE, T, kind, cast x != cast y)                                                               \
    X(LT, T, kind, cast x < cast y)                                                                \
    X(LE, T, kind, cast x <= cast y)                                                               \
    X(GT, T, kind, cast x > cast y)                                                                \
    X(GE, T, kind, cast x >= cast y)
#define COMPARE_FLOAT(X, T, kind)                                                                  \
    X(EQ, T, kind, x == y)                                                                         \
    X(NE, T, kind, (x < y) | (x > y))                                                              \
    X(LT, T, kind, x < y)                                                                          \
    X(LE, T, kind, x <= y)                                                                         \
    X(GT, T, kind, x > y)                                                                          \
    X(GE, T, kind, x >= y)                                                                         \
    X(EQU, T, kind, !((x < y) | (x > y)))                                                          \
    X(NEU, T, kind, !(x == y))                                                                     \
    X(LTU, T, kind, !(x >= y))                                                                     \
    X(LEU, T, kind, !(x > y))                                                                      \
    X(GTU, T, kind, !(x <= y))                                                                     \
    X(GEU, T, kind, !(x < y))                                                                      \
    X(NUM, T, kind, (x == x) & (y == y))                                                           \
    X(NAN, T, kind, (x != x) | (y != y))
#define COMPARE_ALL(X)                                                                             \
    COMPARE_ORDER(X, u32, U16, (u16))                                                              \
    COMPARE_ORDER(X, u32, S16, (s16))                                                              \
    COMPARE_ORDER(X, u32, U32, )                                                                   \
    COMPARE_ORDER(X, s32, S32, )                                                                   \
    COMPARE_ORDER(X, u64, U64, )                                                                   \
    COMPARE_ORDER(X, s64, S64, )                                                                   \
    COMPARE_FLOAT(X, f32, F32)                                                                     \
    COMPARE_FLOAT(X, f64, F64)

#define X(compare, T, kind, expression) COMPARISON(compare_##kind##_##compare, T, expression)
COMPARE_ALL(X)
#undef X

static emulate_handler *const compare[COMPARE_KINDS * COMPARES] = {
#define X(name, T, kind, expression)                                                               \
    [COMPARE_##kind * COMPARES + FW_CMP_##name] = compare_##kind##_##name,
    COMPARE_ALL(X)
#undef X
};

#define X_CONVERSIONS(X)                                                                           \
    X(F32_S32, f32, s32, (f32)x)                                                                   \
    X(F32_U32, f32, u32, (f32)x)                                                                   \
    X(F32_S64, f32, s64, (f32)x)                                                                   \
    X(F32_U64, f32, u64, (f32)x)                                                                   \
    X(F64_S32, f64, s32, (f64)x)                                                                   \
    X(F64_U32, f64, u32, (f64)x)                                                                   \
    X(F64_S64, f64, s64, (f64)x)                                                                   \
    X(F64_U64, f64, u64, (f64)x)                                                                   \
    X(S32_F32, u32, f32, f32_to_s32(x))                                                            \
    X(U32_F32, u32, f32, f32_to_u32(x))                                                            \
    X(S64_F32, u64, f32, f64_to_s64((f64)x))                                                       \
    X(S32_F64, u32, f64, f64_to_s32(x))                                                            \
    X(U32_F64, u32, f64, f64_to_u32(x))                                                            \
    X(S64_F64, u64, f64, f64_to_s64(x))                                                            \
    X(F64_F32, f64, f32, (f64)x)                                                                   \
    X(F32_F64, f32, f64, (f32)x)                                                                   \
    X(F32_F16, f32, u32, half_to_f32(x))                                                           \
    X(F16_F32, u32, f32, f32_to_half(x))                                                           \
    X(F32_BF16, f32, u32, bfloat_to_f32(x))                                                        \
    X(BF16_F32, u32, f32, f32_to_bfloat(x))                                                        \
    X(EXTEND_44, u32, u32, x &(u32)k)                                                              \
    X(EXTEND_48, u64, u32, x &(u32)k)                                                              \
    X(EXTEND_84, u32, u64, (u32)(x & (u64)k))                                                      \
    X(EXTEND_88, u64, u64, x &(u64)k)                                                              \
    X(SIGN_44, u32, u32, (u32)((s32)(x << n) >> n))                                                \
    X(SIGN_48, u64, u32, (u64)(s64)((s32)(x << n) >> n))                                           \
    X(SIGN_84, u32, u64, (u32)((s64)(x << n) >> n))                                                \
    X(SIGN_88, u64, u64, (u64)((s64)(x << n) >> n))                                                \
    X(FLUSH_F32, f32, f32, flush(x))                                                               \
    X(SATURATE_F32, f32, f32, saturate(x))

#define X(name, D, A, expression) HANDLER(convert_##name, D, A, u32, u32, expression)
X_CONVERSIONS(X)
#undef X

static emulate_handler *const convert[QUICK_COUNT] = {
#define X(name, D, A, expression) [QUICK_##name] = convert_##name,
    X_CONVERSIONS(X)
#undef X
};

HANDLER(move32, u32, u32, u32, u32, x)
HANDLER(move64, u64, u64, u64, u64, x)

/* d = predicate c (flipped by the immediate) ? a : b */
#define SELECT(name, T)                                                                            \
    static void name(struct emulate_warp *warp, const struct emulate_micro *micro, uint32_t mask)  \
    {                                                                                              \
        T *d = SLOT(T, micro->d);                                                                  \
        const T *a = SLOT(T, micro->a);                                                            \
        const T *b = SLOT(T, micro->b);                                                            \
        const uint32_t p = WORD(micro->c) ^ (uint32_t)micro->immediate;                            \
        EACH_LANE                                                                                  \
        {                                                                                          \
            const T x = a[i], y = b[i];                                                            \
            const T r = p >> i & 1 ? x : y;                                                        \
            d[i] = mask >> i & 1 ? r : d[i];                                                       \
        }                                                                                          \
    }
SELECT(select32, u32)
SELECT(select64, u64)

/* Any function of three bits: the sum of those of its eight minterms that the table has. */
static void lop3(struct emulate_warp *warp, const struct emulate_micro *micro, uint32_t mask)
{
    u32 *d = SLOT(u32, micro->d);
    const u32 *a = SLOT(u32, micro->a), *b = SLOT(u32, micro->b), *c = SLOT(u32, micro->c);
    u32 t[8];
    for (unsigned k = 0; k < 8; k++)
        t[k] = micro->immediate >> k & 1 ? UINT32_MAX : 0;
    EACH_LANE
    {
        const u32 x = a[i], y = b[i], z = c[i];
        const u32 low = (~z & ((~y & t[0]) | (y & t[2]))) | (z & ((~y & t[1]) | (y & t[3])));
        const u32 high = (~z & ((~y & t[4]) | (y & t[6]))) | (z & ((~y & t[5]) | (y & t[7])));
        const u32 r = (~x & low) | (x & high);
        d[i] = mask >> i & 1 ? r : d[i];
    }
}

#include "emulate_access_body.h"

const struct emulate_lanes LANES_NAME = {
    .name = LANES_TEXT,
    .operations = operations,
    .operation_count = sizeof(operations) / sizeof(operations[0]),
    .compare = compare,
    .convert = convert,
    .select32 = select32,
    .select64 = select64,
    .move32 = move32,
    .move64 = move64,
    .lop3 = lop3,
    .load = load,
    .store = store,
};
