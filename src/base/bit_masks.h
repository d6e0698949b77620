/* Masks of the bits that an integer may have set, in two's complement: arithmetic on them.
 *
 * A bit that is not in the mask of a number is 0, whatever value the number takes.  What masks give
 * for sums and products is an upper bound. */
#ifndef FW_BIT_MASKS_H
#define FW_BIT_MASKS_H

#include <stdint.h>
#include <stdbool.h>

#define FW_ALL_BITS UINT64_MAX

/* Whether numbers of this mask are not negative and sums of two of them do not overflow. */
static inline bool fw_bits_finite(uint64_t mask)
{
    return mask >> 62 == 0;
}

/* All bits up to the highest of a value. */
static inline uint64_t fw_bits_up_to(uint64_t value)
{
    return value ? FW_ALL_BITS >> __builtin_clzll(value) : 0;
}

/* All bits from the lowest of a mask on. */
static inline uint64_t fw_bits_from_lowest(uint64_t mask)
{
    return mask ? FW_ALL_BITS << __builtin_ctzll(mask) : 0;
}

/* Of the sum of two numbers. */
static inline uint64_t fw_bits_sum(uint64_t a, uint64_t b)
{
    if (!(a & b))
        return a | b;
    if (!fw_bits_finite(a) || !fw_bits_finite(b))
        return fw_bits_from_lowest(a | b);
    return fw_bits_up_to(a + b) & fw_bits_from_lowest(a | b);
}

/* Of c times a number. */
static inline uint64_t fw_bits_product(uint64_t mask, int64_t c)
{
    const uint64_t lowest = mask & (0 - mask), unit = (uint64_t)c & (0 - (uint64_t)c);
    const uint64_t least = lowest * unit;
    if (!mask || !c)
        return 0;
    if (c > 0 && fw_bits_finite(mask) && mask < ((uint64_t)1 << 62) / (uint64_t)c)
        return (c & (c - 1)) == 0 ? mask * (uint64_t)c
                                  : fw_bits_up_to(mask * (uint64_t)c) & fw_bits_from_lowest(least);
    return least ? fw_bits_from_lowest(least) : FW_ALL_BITS;
}

#endif
