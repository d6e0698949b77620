/* Scalar types: PTX's fundamental types, under the names that every output uses ("f32", "s64"). */
#ifndef FW_TYPE_H
#define FW_TYPE_H

#include <stdint.h>

/* X(name, text, bits, class): class is n(one), b(its), u(nsigned), s(igned), f(loat), p(redicate).
 * Packed and sub-byte types are floats of their whole width. */
#define FW_TYPES(X)                                                                                \
    X(NONE, "", 0, n)                                                                              \
    X(PRED, "pred", 1, p)                                                                          \
    X(B8, "b8", 8, b)                                                                              \
    X(B16, "b16", 16, b)                                                                           \
    X(B32, "b32", 32, b)                                                                           \
    X(B64, "b64", 64, b)                                                                           \
    X(B128, "b128", 128, b)                                                                        \
    X(U8, "u8", 8, u)                                                                              \
    X(U16, "u16", 16, u)                                                                           \
    X(U32, "u32", 32, u)                                                                           \
    X(U64, "u64", 64, u)                                                                           \
    X(S8, "s8", 8, s)                                                                              \
    X(S16, "s16", 16, s)                                                                           \
    X(S32, "s32", 32, s)                                                                           \
    X(S64, "s64", 64, s)                                                                           \
    X(U16X2, "u16x2", 32, u)                                                                       \
    X(S16X2, "s16x2", 32, s)                                                                       \
    X(U4, "u4", 4, u)                                                                              \
    X(S4, "s4", 4, s)                                                                              \
    X(B1, "b1", 1, b)                                                                              \
    X(B4, "b4", 4, b)                                                                              \
    X(F16, "f16", 16, f)                                                                           \
    X(F16X2, "f16x2", 32, f)                                                                       \
    X(BF16, "bf16", 16, f)                                                                         \
    X(BF16X2, "bf16x2", 32, f)                                                                     \
    X(TF32, "tf32", 32, f)                                                                         \
    X(F32, "f32", 32, f)                                                                           \
    X(F32X2, "f32x2", 64, f)                                                                       \
    X(F64, "f64", 64, f)                                                                           \
    X(E4M3, "e4m3", 8, f)                                                                          \
    X(E5M2, "e5m2", 8, f)                                                                          \
    X(E4M3X2, "e4m3x2", 16, f)                                                                     \
    X(E5M2X2, "e5m2x2", 16, f)                                                                     \
    X(E2M1, "e2m1", 4, f)                                                                          \
    X(E2M1X2, "e2m1x2", 8, f)                                                                      \
    X(E2M3, "e2m3", 6, f)                                                                          \
    X(E2M3X2, "e2m3x2", 16, f)                                                                     \
    X(E3M2, "e3m2", 6, f)                                                                          \
    X(E3M2X2, "e3m2x2", 16, f)                                                                     \
    X(UE8M0, "ue8m0", 8, f)                                                                        \
    X(UE8M0X2, "ue8m0x2", 16, f)                                                                   \
    X(UE4M3, "ue4m3", 8, f)                                                                        \
    X(TEXREF, "texref", 64, b)                                                                     \
    X(SAMPLERREF, "samplerref", 64, b)                                                             \
    X(SURFREF, "surfref", 64, b)                                                                   \
    X(U8X4, "u8x4", 32, u)                                                                         \
    X(S8X4, "s8x4", 32, s)                                                                         \
    X(E4M3X4, "e4m3x4", 32, f)                                                                     \
    X(E5M2X4, "e5m2x4", 32, f)                                                                     \
    X(E2M1X4, "e2m1x4", 16, f)                                                                     \
    X(E2M3X4, "e2m3x4", 32, f)                                                                     \
    X(E3M2X4, "e3m2x4", 32, f)                                                                     \
    X(S2F6X2, "s2f6x2", 16, f)

enum fw_type {
#define X(name, text, bits, class) FW_TYPE_##name,
    FW_TYPES(X)
#undef X
        FW_TYPE_COUNT
};

/* 'n', 'b', 'u', 's', 'f' or 'p': see FW_TYPES. */
char fw_type_class(enum fw_type type);

/* Width in bits; 0 for none. */
unsigned fw_type_bits(enum fw_type type);

/* Width in bytes as stored in memory: predicates and sub-byte types take one. */
unsigned fw_type_bytes(enum fw_type type);

/* "f32"; "" for none. */
const char *fw_type_text(enum fw_type type);

/* The type that a PTX type name (without the dot) means, FW_TYPE_NONE when it is no type's. */
enum fw_type fw_type_find(const char *text, unsigned length);

/* How results are rounded, to a number of the type or (I) to a whole one. */
enum fw_rounding {
    FW_ROUND_NONE,
    FW_ROUND_RN,
    FW_ROUND_RZ,
    FW_ROUND_RM,
    FW_ROUND_RP,
    FW_ROUND_RNI,
    FW_ROUND_RZI,
    FW_ROUND_RMI,
    FW_ROUND_RPI,
    FW_ROUND_RNA,
    FW_ROUND_RS
};

/* State spaces.  X(name, text) */
#define FW_SPACES(X)                                                                               \
    X(NONE, "")                                                                                    \
    X(REG, "reg")                                                                                  \
    X(SREG, "sreg")                                                                                \
    X(CONST, "const")                                                                              \
    X(GLOBAL, "global")                                                                            \
    X(LOCAL, "local")                                                                              \
    X(PARAM, "param")                                                                              \
    X(SHARED, "shared")                                                                            \
    X(TEX, "tex")                                                                                  \
    X(GENERIC, "generic")

enum fw_space {
#define X(name, text) FW_SPACE_##name,
    FW_SPACES(X)
#undef X
        FW_SPACE_COUNT
};

/* The space as PTX writes it, without its dot: "shared". */
const char *fw_space_text(enum fw_space space);

#endif
