/* Conversions between any two types, exactly: the general way behind cvt, and packed half
 * arithmetic. */
#ifndef FW_EMULATE_CONVERT_H
#define FW_EMULATE_CONVERT_H

#include "emulate_state.h"

/* Whether values of the type can be decoded and encoded: f16, bf16, tf32, f32, f64, e4m3, e5m2. */
bool fw_emulate_float_known(enum fw_type type);

/* A float's bits as a double: exact for every type up to f64. */
f64 fw_emulate_decode(enum fw_type type, u64 bits);

/* A double rounded to the type; `rounding` is RN, RZ, RM, RP or RNA; `finite`: what is too large
 * becomes the largest finite number.  Not-a-number becomes the type's canonical one. */
u64 fw_emulate_encode(enum fw_type type, f64 value, enum fw_rounding rounding, bool finite);

/* One conversion. */
struct emulate_conversion {
    uint8_t to, from; /* enum fw_type, of one element */
    uint8_t rounding; /* enum fw_rounding; NONE: the default */
    bool flush;       /* subnormal f32 to zero, on both sides */
    bool saturate;
    bool relu;
    uint8_t from_bytes; /* of a lane of the source's slot */
    uint8_t to_bytes;
    uint8_t elements;      /* 2: packed types; the source is packed too, or two registers */
    bool two_sources;      /* a: upper element, b: lower one */
    uint8_t register_bits; /* of the result's register: 16, 32, 64 */
};

/* Handlers: extra is a struct emulate_conversion. */
void fw_emulate_run_convert(struct emulate_warp *warp, const struct emulate_micro *micro,
                            uint32_t mask);

/* Calls `inner` under the rounding mode small[0] (RZ, RM, RP). */
void fw_emulate_run_rounded(struct emulate_warp *warp, const struct emulate_micro *micro,
                            uint32_t mask);

#endif
