/* Conversions between any two types, exactly, as PTX's cvt defines them. */
#ifndef FW_NUMBER_CONVERT_H
#define FW_NUMBER_CONVERT_H

#include "number.h"
#include "type.h"

/* Whether values of the type can be decoded and encoded: f16, bf16, tf32, f32, f64, e4m3, e5m2. */
bool fw_number_float_known(enum fw_type type);

/* A float's bits as a double: exact for every type up to f64. */
f64 fw_number_decode(enum fw_type type, u64 bits);

/* A double rounded to the type; `rounding` is RN, RZ, RM, RP or RNA; `finite`: what is too large
 * becomes the largest finite number.  Not-a-number becomes the type's canonical one. */
u64 fw_number_encode(enum fw_type type, f64 value, enum fw_rounding rounding, bool finite);

/* One conversion of one number. */
struct fw_conversion {
    uint8_t to, from; /* enum fw_type, of one element */
    uint8_t rounding; /* enum fw_rounding; NONE: the default */
    bool flush;       /* subnormal f32 to zero, on both sides */
    bool saturate;
    bool relu;
};

/* The result's bits, in the width of the type (two's complement for integers). */
u64 fw_number_convert(const struct fw_conversion *conversion, u64 bits);

/* The value of an integer type as 64 bits, extended by its sign. */
u64 fw_number_extended(enum fw_type type, u64 bits);

#endif
