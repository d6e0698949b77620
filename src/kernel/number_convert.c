#include "number_convert.h"

/* Binary formats.  X(type, bits of exponent, of significand, has infinity) */
#define FORMATS(X)                                                                                 \
    X(F16, 5, 10, true)                                                                            \
    X(BF16, 8, 7, true)                                                                            \
    X(TF32, 8, 10, true)                                                                           \
    X(F32, 8, 23, true)                                                                            \
    X(E4M3, 4, 3, false)                                                                           \
    X(E5M2, 5, 2, true)

struct format {
    uint8_t exponent, significand;
    bool infinity;
    uint8_t shift; /* tf32 lies in the upper bits of 32 */
};

static bool format_of(enum fw_type type, struct format *out)
{
    switch ((unsigned)type) {
#define X(name, e, s, i)                                                                           \
    case FW_TYPE_##name:                                                                           \
        *out = (struct format){e, s, i, FW_TYPE_##name == FW_TYPE_TF32 ? 13 : 0};                  \
        return true;
        FORMATS(X)
#undef X
    default:
        return false;
    }
}

bool fw_number_float_known(enum fw_type type)
{
    struct format format;
    return type == FW_TYPE_F64 || format_of(type, &format);
}

f64 fw_number_decode(enum fw_type type, u64 bits)
{
    struct format format;
    if (type == FW_TYPE_F64)
        return from64(bits);
    if (type == FW_TYPE_F32)
        return (f64)from32((u32)bits);
    if (!format_of(type, &format))
        return 0.0;
    bits >>= format.shift;
    const int bias = (1 << (format.exponent - 1)) - 1;
    const u64 significand = bits & (((u64)1 << format.significand) - 1);
    const int exponent = (int)(bits >> format.significand) & ((1 << format.exponent) - 1);
    const bool negative = bits >> (format.exponent + format.significand) & 1;
    f64 value;
    if (exponent == (1 << format.exponent) - 1 && (format.infinity || significand == 7))
        value = significand ? (f64)NAN : (f64)INFINITY;
    else if (exponent == 0)
        value = ldexp((f64)significand, 1 - bias - format.significand);
    else
        value = ldexp((f64)(significand | (u64)1 << format.significand),
                      exponent - bias - format.significand);
    return negative ? -value : value;
}

/* Whether dropping `rest` (of a unit `1 << shift`) from `kept` rounds its magnitude up. */
static bool rounds_up(u64 kept, u64 rest, int shift, bool negative, enum fw_rounding rounding)
{
    const u64 half = (u64)1 << (shift - 1);
    switch (rounding) {
    case FW_ROUND_RZ:
        return false;
    case FW_ROUND_RM:
        return rest && negative;
    case FW_ROUND_RP:
        return rest && !negative;
    case FW_ROUND_RNA:
        return rest >= half;
    default:
        return rest > half || (rest == half && (kept & 1));
    }
}

u64 fw_number_encode(enum fw_type type, f64 value, enum fw_rounding rounding, bool finite)
{
    struct format format;
    if (type == FW_TYPE_F64)
        return bits64(value);
    if (!format_of(type, &format))
        return 0;
    const u64 b = bits64(value);
    const bool negative = b >> 63;
    const u64 top = ((u64)1 << format.exponent) - 1;
    const u64 sign = (u64)negative << (format.exponent + format.significand);
    /* the largest finite magnitude: e4m3 gives only its all-ones pattern to not-a-number */
    const u64 largest =
        format.infinity ? (top << format.significand) - 1 : (top << format.significand) + 6;
    const u64 infinite = format.infinity ? top << format.significand : largest + 1;
    if (value != value)
        return (type == FW_TYPE_E5M2 ? 0x7fu
                                     : ((u64)1 << (format.exponent + format.significand)) - 1)
               << format.shift;
    if (b << 1 == 0)
        return sign << format.shift;
    u64 magnitude;
    if (isinf(value)) {
        magnitude = finite ? largest : infinite;
    } else {
        int exponent;
        const u64 m = (u64)ldexp(frexp(fabs(value), &exponent), 53);
        exponent -= 1; /* value = m * 2^(exponent - 52), m has 53 bits */
        const int least = 2 - (1 << (format.exponent - 1));
        int shift = 52 - format.significand + (exponent < least ? least - exponent : 0);
        shift = shift > 62 ? 62 : shift;
        u64 kept = m >> shift;
        kept += rounds_up(kept, m & (((u64)1 << shift) - 1), shift, negative, rounding);
        magnitude =
            exponent < least ? kept : ((u64)(exponent - least) << format.significand) + kept;
        if (magnitude > largest) {
            const bool stays = rounding == FW_ROUND_RZ || (rounding == FW_ROUND_RM && !negative) ||
                               (rounding == FW_ROUND_RP && negative);
            magnitude = finite || stays ? largest : infinite;
        }
    }
    return (sign | magnitude) << format.shift;
}

/* A double that rounds to anything narrower as the integer itself would (rounded to odd). */
static f64 integer_odd(u64 magnitude, bool negative)
{
    f64 value;
    if (magnitude >> 53) {
        const int extra = 64 - __builtin_clzll(magnitude) - 53;
        const u64 kept = magnitude >> extra;
        value = ldexp((f64)(kept | ((kept << extra) != magnitude)), extra);
    } else {
        value = (f64)magnitude;
    }
    return negative ? -value : value;
}

static f64 integer_to_f64(u64 magnitude, bool negative, enum fw_rounding rounding)
{
    f64 value = (f64)magnitude;
    if (magnitude >> 53) {
        const int extra = 64 - __builtin_clzll(magnitude) - 53;
        const u64 kept = magnitude >> extra, rest = magnitude & (((u64)1 << extra) - 1);
        value = ldexp((f64)(kept + rounds_up(kept, rest, extra, negative, rounding)), extra);
    }
    return negative ? -value : value;
}

static f64 round_to_integer(f64 value, enum fw_rounding rounding)
{
    switch (rounding) {
    case FW_ROUND_RNI:
    case FW_ROUND_RN:
        return rint(value);
    case FW_ROUND_RMI:
    case FW_ROUND_RM:
        return floor(value);
    case FW_ROUND_RPI:
    case FW_ROUND_RP:
        return ceil(value);
    default:
        return trunc(value);
    }
}

/* Not-a-number becomes 0, or the upper bit alone when one of the types has 64 bits (PTX manual,
 * cvt). */
static u64 float_to_integer(enum fw_type to, enum fw_type from, f64 value,
                            enum fw_rounding rounding)
{
    const unsigned bits = fw_type_bits(to);
    const f64 whole = round_to_integer(value, rounding);
    if (value != value)
        return from == FW_TYPE_F64 || bits == 64 ? (u64)1 << (bits - 1) : 0;
    if (fw_type_class(to) == 's') {
        const f64 limit = ldexp(1.0, (int)bits - 1);
        if (whole >= limit)
            return (u64)INT64_MAX >> (64 - bits);
        return whole < -limit ? (u64)INT64_MIN >> (64 - bits) : f64_to_s64(whole);
    }
    if (whole >= ldexp(1.0, (int)bits))
        return UINT64_MAX >> (64 - bits);
    return f64_to_u64(whole);
}

u64 fw_number_extended(enum fw_type type, u64 bits)
{
    const unsigned unused = 64 - fw_type_bits(type);
    return fw_type_class(type) == 's' ? (u64)((s64)(bits << unused) >> unused)
                                      : bits << unused >> unused;
}

static u64 saturate_integer(enum fw_type to, enum fw_type from, u64 value)
{
    const unsigned bits = fw_type_bits(to);
    const bool negative = fw_type_class(from) == 's' && (s64)value < 0;
    if (fw_type_class(to) == 's') {
        const s64 high = (s64)((u64)INT64_MAX >> (64 - bits)), low = -high - 1;
        if (negative)
            return (s64)value < low ? (u64)low : value;
        return value > (u64)high ? (u64)high : value;
    }
    const u64 high = UINT64_MAX >> (64 - bits);
    return negative ? 0 : value > high ? high : value;
}

/* From f64, and to tf32, hardware keeps the upper bits of what is not a number; seen on an H200. */
static bool keeps_payload(enum fw_type to, enum fw_type from)
{
    return (from == FW_TYPE_F64 && (to == FW_TYPE_F32 || to == FW_TYPE_F16)) ||
           (from == FW_TYPE_F32 && to == FW_TYPE_TF32);
}

static u64 payload(enum fw_type to, enum fw_type from, u64 bits)
{
    if (from == FW_TYPE_F32)
        return bits & 0xffffe000u;
    const u64 sign = bits >> 63;
    if (to == FW_TYPE_F32)
        return sign << 31 | 0x7fc00000u | (bits >> 29 & 0x3fffff);
    return sign << 15 | 0x7e00 | (bits >> 42 & 0x1ff);
}

u64 fw_number_convert(const struct fw_conversion *conversion, u64 bits)
{
    const enum fw_type to = (enum fw_type)conversion->to, from = (enum fw_type)conversion->from;
    const bool to_float = fw_type_class(to) == 'f', from_float = fw_type_class(from) == 'f';
    const enum fw_rounding rounding = (enum fw_rounding)conversion->rounding;
    if (!from_float && !to_float) {
        const u64 value = fw_number_extended(from, bits);
        return conversion->saturate ? saturate_integer(to, from, value) : value;
    }
    f64 value;
    if (from_float) {
        if (from == FW_TYPE_F32 && conversion->flush)
            bits = bits32(canonical(flush(from32((u32)bits))));
        value = fw_number_decode(from, bits);
        if (!to_float)
            return float_to_integer(to, from, value, rounding);
        if (value != value && keeps_payload(to, from) && !conversion->saturate)
            return payload(to, from, bits);
        if (rounding >= FW_ROUND_RNI && rounding <= FW_ROUND_RPI)
            value = round_to_integer(value, rounding);
    } else {
        const u64 whole = fw_number_extended(from, bits);
        const bool negative = fw_type_class(from) == 's' && (s64)whole < 0;
        value = integer_odd(negative ? 0u - whole : whole, negative);
        if (to == FW_TYPE_F64)
            value = integer_to_f64(negative ? 0u - whole : whole, negative, rounding);
    }
    const bool narrow = to == FW_TYPE_E4M3 || to == FW_TYPE_E5M2;
    if (conversion->relu && !(value > 0.0) && value == value)
        value = 0.0;
    if (conversion->saturate && !narrow)
        value = saturate64(value);
    u64 result = fw_number_encode(to, value, rounding, conversion->saturate && narrow);
    if (to == FW_TYPE_F32 && conversion->flush)
        result = bits32(flush(from32((u32)result)));
    return result;
}
