/* Operations that are too rare to be worth a copy for each instruction set. */
#include "emulate_number.h"
#include "number_bits.h"

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
