#include "emulate_convert.h"

#include "emulate_number.h"

#include <fenv.h>

static u64 convert_one(const struct emulate_conversion *conversion, u64 bits)
{
    return fw_number_convert(&conversion->of_element, bits);
}

static u64 read_lane(struct emulate_warp *warp, uint32_t slot, unsigned bytes, unsigned lane)
{
    return bytes == 8 ? SLOT(u64, slot)[lane] : SLOT(u32, slot)[lane];
}

/* The result as the register keeps it: extended by the type's sign, 16-bit registers by zeros. */
static u64 as_register(const struct emulate_conversion *conversion, u64 bits)
{
    const enum fw_type to = (enum fw_type)conversion->of_element.to;
    if (fw_type_class(to) != 'f')
        bits = fw_number_extended(to, bits);
    return conversion->register_bits >= 64 ? bits
                                           : bits & (((u64)1 << conversion->register_bits) - 1);
}

void fw_emulate_run_convert(struct emulate_warp *warp, const struct emulate_micro *micro,
                            uint32_t mask)
{
    const struct emulate_conversion *conversion = micro->extra;
    const unsigned from_bits = fw_type_bits((enum fw_type)conversion->of_element.from);
    const unsigned to_bits = fw_type_bits((enum fw_type)conversion->of_element.to);
    for (uint32_t left = mask; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        u64 a = read_lane(warp, micro->a, conversion->from_bytes, i), result;
        if (conversion->elements == 2) {
            u64 low = a, high = from_bits < 32 ? a >> from_bits : a;
            if (conversion->two_sources)
                low = read_lane(warp, micro->b, conversion->from_bytes, i);
            if (from_bits < 32) {
                low &= ((u64)1 << from_bits) - 1;
                high &= ((u64)1 << from_bits) - 1;
            }
            result = convert_one(conversion, low) | convert_one(conversion, high) << to_bits;
        } else {
            result = as_register(conversion, convert_one(conversion, a));
        }
        if (conversion->to_bytes == 8)
            SLOT(u64, micro->d)[i] = result;
        else
            SLOT(u32, micro->d)[i] = (u32)result;
    }
}

void fw_emulate_run_rounded(struct emulate_warp *warp, const struct emulate_micro *micro,
                            uint32_t mask)
{
    const int modes[] = {
        [FW_ROUND_RZ] = FE_TOWARDZERO, [FW_ROUND_RM] = FE_DOWNWARD, [FW_ROUND_RP] = FE_UPWARD};
    fesetround(modes[micro->small[0]]);
    micro->inner(warp, micro, mask);
    fesetround(FE_TONEAREST);
}
