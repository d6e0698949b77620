/* Bits and integers as PTX defines it, beside number.h: fields, searches, permutations, saturation,
 * quotients. */
#ifndef FW_NUMBER_BITS_H
#define FW_NUMBER_BITS_H

#include "number.h"

static inline u32 signed_field32(u32 x, u32 position, u32 length)
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

static inline u64 field64(u64 x, u32 position, u32 length)
{
    position &= 255;
    length &= 255;
    u64 r = shr64(x, position);
    return length > 63 ? r : r & (((u64)1 << length) - 1);
}

static inline u64 signed_field64(u64 x, u32 position, u32 length)
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

static inline u64 insert64(u64 field, u64 into, u32 position, u32 length, u32 width)
{
    position &= 255;
    length &= 255;
    if (position >= width || length == 0)
        return into;
    u64 mask = (length > 63 ? UINT64_MAX : ((u64)1 << length) - 1) << position;
    return (into & ~mask) | ((field << position) & mask);
}

static inline u32 find_bit(u64 x, bool is_signed, u32 width, bool amount)
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
static inline u32 find_nth(u32 bits, u32 base, s32 offset)
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

static inline u32 reverse32(u32 x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}

static inline u64 reverse64(u64 x)
{
    return (u64)reverse32((u32)x) << 32 | reverse32((u32)(x >> 32));
}

static inline u32 clamp_s32(s64 x)
{
    return (u32)(x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x);
}

static inline u32 divide_s32(u32 x, u32 y)
{
    if (y == 0)
        return UINT32_MAX;
    return (u32)((s64)(s32)x / (s32)y);
}

static inline u32 remainder_s32(u32 x, u32 y)
{
    if (y == 0)
        return UINT32_MAX;
    return (u32)((s64)(s32)x % (s32)y);
}

static inline u64 divide_s64(u64 x, u64 y)
{
    if (y == 0)
        return UINT64_MAX;
    return y == UINT64_MAX ? 0u - x : (u64)((s64)x / (s64)y);
}

static inline u64 remainder_s64(u64 x, u64 y)
{
    if (y == 0)
        return UINT64_MAX;
    return y == UINT64_MAX ? 0 : (u64)((s64)x % (s64)y);
}

/* Signed: the low 24 bits with their sign. */
static inline s64 low24(u32 x, bool is_signed)
{
    return is_signed ? (s64)((s32)(x << 8) >> 8) : (s64)(x & 0xffffff);
}

static inline u32 bit_mask(u32 from, u32 width, bool wrap)
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

static inline u32 extend_from(u32 x, u32 width, bool is_signed, bool wrap)
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
static inline s64 part(u32 x, unsigned index, unsigned bits, bool is_signed)
{
    u32 value = x >> index * bits;
    return bits == 8 ? (is_signed ? (s64)(s8)value : (s64)(u8)value)
                     : (is_signed ? (s64)(s16)value : (s64)(u16)value);
}

static inline u32 dot4(u32 x, u32 y, u32 z, bool x_signed, bool y_signed)
{
    s64 sum = 0;
    for (unsigned i = 0; i < 4; i++)
        sum += part(x, i, 8, x_signed) * part(y, i, 8, y_signed);
    return (u32)sum + z;
}

static inline u32 dot2(u32 x, u32 y, u32 z, bool x_signed, bool y_signed, bool high)
{
    s64 sum = 0;
    for (unsigned i = 0; i < 2; i++)
        sum += part(x, i, 16, x_signed) * part(y, i + (high ? 2 : 0), 8, y_signed);
    return (u32)sum + z;
}

/* prmt: bytes chosen from the eight of y:x.  Modes in the order none, f4e, b4e, rc8, ecl, ecr,
 * rc16. */
static inline u32 permute(u32 x, u32 y, u32 z, unsigned mode)
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

#endif
