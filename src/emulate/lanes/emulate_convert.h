/* Conversions of lanes between any two types: the general way behind cvt, and packed half
 * arithmetic. */
#ifndef FW_EMULATE_CONVERT_H
#define FW_EMULATE_CONVERT_H

#include "emulate_state.h"
#include "number_convert.h"

/* One conversion. */
struct emulate_conversion {
    struct fw_conversion of_element;
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
