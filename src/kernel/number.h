/* Arithmetic on single numbers as PTX defines it, for whoever computes what an instruction gives:
 * the emulator's loops over lanes, and the operations of expressions (scalar.h).
 *
 * Written without branches where a loop is to be vectorised.  Single-precision results that are not
 * a number are PTX's canonical 0x7fffffff. */
#ifndef FW_NUMBER_H
#define FW_NUMBER_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef float f32;
typedef double f64;

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

static inline u32 bits32(f32 x)
{
    u32 r;
    memcpy(&r, &x, sizeof r);
    return r;
}

static inline f32 from32(u32 x)
{
    f32 r;
    memcpy(&r, &x, sizeof r);
    return r;
}

static inline u64 bits64(f64 x)
{
    u64 r;
    memcpy(&r, &x, sizeof r);
    return r;
}

static inline f64 from64(u64 x)
{
    f64 r;
    memcpy(&r, &x, sizeof r);
    return r;
}

static inline f32 canonical(f32 x)
{
    return from32(x != x ? 0x7fffffffu : bits32(x));
}

/* Subnormal numbers to zero, the sign stays. */
static inline f32 flush(f32 x)
{
    u32 b = bits32(x);
    return from32((b & 0x7f800000u) == 0 ? b & 0x80000000u : b);
}

/* To [0,1]; not-a-number becomes 0. */
static inline f32 saturate(f32 x)
{
    f32 low = x > 0.0f ? x : 0.0f;
    return low < 1.0f ? low : 1.0f;
}

static inline f64 saturate64(f64 x)
{
    f64 low = x > 0.0 ? x : 0.0;
    return low < 1.0 ? low : 1.0;
}

/* The other operand when one is not a number; -0 is less than +0. */
static inline f32 min_f32(f32 x, f32 y)
{
    u32 r = x < y ? bits32(x) : bits32(y);
    r = x == y ? bits32(x) | bits32(y) : r;
    r = y != y ? bits32(x) : r;
    return canonical(from32(r));
}

static inline f32 max_f32(f32 x, f32 y)
{
    u32 r = x > y ? bits32(x) : bits32(y);
    r = x == y ? bits32(x) & bits32(y) : r;
    r = y != y ? bits32(x) : r;
    return canonical(from32(r));
}

static inline f64 min_f64(f64 x, f64 y)
{
    u64 r = x < y ? bits64(x) : bits64(y);
    r = x == y ? bits64(x) | bits64(y) : r;
    r = y != y ? bits64(x) : r;
    return from64(r);
}

static inline f64 max_f64(f64 x, f64 y)
{
    u64 r = x > y ? bits64(x) : bits64(y);
    r = x == y ? bits64(x) & bits64(y) : r;
    r = y != y ? bits64(x) : r;
    return from64(r);
}

/* Shifts beyond the width: zeros, or copies of the sign. */
static inline u32 shl32(u32 x, u32 n)
{
    return n > 31 ? 0 : x << (n & 31);
}

static inline u64 shl64(u64 x, u32 n)
{
    return n > 63 ? 0 : x << (n & 63);
}

static inline u32 shr32(u32 x, u32 n)
{
    return n > 31 ? 0 : x >> (n & 31);
}

static inline u64 shr64(u64 x, u32 n)
{
    return n > 63 ? 0 : x >> (n & 63);
}

static inline u32 sar32(u32 x, u32 n)
{
    return (u32)((s32)x >> (n > 31 ? 31 : n));
}

static inline u64 sar64(u64 x, u32 n)
{
    return (u64)((s64)x >> (n > 63 ? 63 : n));
}

static inline u32 high32(u32 x, u32 y)
{
    return (u32)((u64)x * y >> 32);
}

static inline u32 high32s(u32 x, u32 y)
{
    return (u32)((u64)((s64)(s32)x * (s32)y) >> 32);
}

static inline u64 high64(u64 x, u64 y)
{
    return (u64)((u128)x * y >> 64);
}

static inline u64 high64s(u64 x, u64 y)
{
    return (u64)((u128)((s128)(s64)x * (s64)y) >> 64);
}

/* The extracted field: `p` (position and length in its low bytes are given apart). */
static inline u32 field32(u32 x, u32 position, u32 length)
{
    position &= 255;
    length &= 255;
    u32 r = shr32(x, position);
    return length > 31 ? r : r & (((u32)1 << (length & 31)) - 1);
}

/* IEEE half precision to single, exactly. */
static inline f32 half_to_f32(u32 h)
{
    u32 magnitude = h & 0x7fff;
    u32 r = bits32(from32(magnitude << 13) * 0x1p112f);
    r = magnitude == 0x7c00 ? 0x7f800000 : r;
    r |= (h & 0x8000) << 16;
    return from32(magnitude > 0x7c00 ? 0x7fffffff : r);
}

/* Single to half precision, nearest even; not-a-number is 0x7fff. */
static inline u32 f32_to_half(f32 x)
{
    u32 b = bits32(x), a = b & 0x7fffffff;
    u32 normal = ((a + 0xfff + (a >> 13 & 1)) >> 13) - (112u << 10);
    u32 small = bits32(from32(a) + 0.5f) - 0x3f000000u;
    u32 r = a < 0x38800000u ? small : normal;
    r = a >= 0x47800000u ? 0x7c00 : r;
    r |= b >> 16 & 0x8000;
    return a > 0x7f800000u ? 0x7fff : r;
}

static inline f32 bfloat_to_f32(u32 h)
{
    return from32(h << 16);
}

/* Sign changed or taken away; not-a-number becomes the canonical one. */
static inline u32 half_sign(u32 x, u32 flip, u32 keep, u32 infinity)
{
    return (x & 0x7fff) > infinity ? 0x7fff : ((x ^ flip) & keep);
}

static inline u32 f32_to_bfloat(f32 x)
{
    u32 b = bits32(x);
    u32 r = (b + 0x7fff + (b >> 16 & 1)) >> 16;
    return x != x ? 0x7fff : r;
}

/* Truncation towards zero with saturation; not-a-number becomes 0, or the upper bit alone when
 * one of the types has 64 bits (PTX manual, cvt). */
static inline u32 f32_to_s32(f32 x)
{
    f32 safe = x >= -0x1p31f && x < 0x1p31f ? x : 0.0f;
    u32 r = (u32)(s32)safe;
    r = x >= 0x1p31f ? 0x7fffffffu : r;
    return x < -0x1p31f ? 0x80000000u : r;
}

static inline u32 f32_to_u32(f32 x)
{
    f32 safe = x > -1.0f && x < 0x1p32f ? x : 0.0f;
    f32 upper = safe >= 0x1p31f ? safe - 0x1p31f : safe;
    u32 r = (u32)(s32)upper + (safe >= 0x1p31f ? 0x80000000u : 0u);
    return x >= 0x1p32f ? 0xffffffffu : r;
}

static inline u32 f64_to_s32(f64 x)
{
    f64 safe = x > -2147483649.0 && x < 0x1p31 ? x : 0.0;
    u32 r = (u32)(s32)safe;
    r = x >= 0x1p31 ? 0x7fffffffu : r;
    return !(x > -2147483649.0) ? 0x80000000u : r;
}

static inline u32 f64_to_u32(f64 x)
{
    f64 safe = x > -1.0 && x < 0x1p32 ? x : 0.0;
    u32 r = (u32)(s64)safe;
    r = x != x ? 0x80000000u : r;
    return x >= 0x1p32 ? 0xffffffffu : r;
}

static inline u64 f64_to_s64(f64 x)
{
    f64 safe = x >= -0x1p63 && x < 0x1p63 ? x : 0.0;
    u64 r = (u64)(s64)safe;
    r = x >= 0x1p63 ? (u64)INT64_MAX : r;
    return !(x >= -0x1p63) ? (u64)INT64_MIN : r;
}

static inline u64 f64_to_u64(f64 x)
{
    f64 safe = x > -1.0 && x < 0x1p64 ? x : 0.0;
    f64 upper = safe >= 0x1p63 ? safe - 0x1p63 : safe;
    u64 r = (u64)(s64)upper + (safe >= 0x1p63 ? (u64)1 << 63 : 0u);
    r = x != x ? (u64)1 << 63 : r;
    return x >= 0x1p64 ? UINT64_MAX : r;
}

/* Exact single-precision sum of an exact product and a number, rounded to odd: rounding it again
 * to half precision gives the fused result (Boldo and Melquiond, "Emulation of a FMA and correctly
 * rounded sums", 2008; the error term is Knuth's TwoSum). */
static inline f32 add_odd_f32(f32 p, f32 z)
{
    f32 s = p + z, t = s - p, e = (p - (s - t)) + (z - t);
    u32 b = bits32(s);
    bool inexact = (e > 0.0f) | (e < 0.0f);
    u32 up = b + 1, down = b - 1;
    u32 fixed = (e > 0.0f) == (s > 0.0f) ? up : down;
    return from32((inexact & !(b & 1)) ? fixed : b);
}

static inline u32 fma_half(u32 x, u32 y, u32 z)
{
    return f32_to_half(add_odd_f32(half_to_f32(x) * half_to_f32(y), half_to_f32(z)));
}

#endif
