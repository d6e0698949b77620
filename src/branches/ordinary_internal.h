/* What the files about ordinary numbers share. */
#ifndef FW_ORDINARY_INTERNAL_H
#define FW_ORDINARY_INTERNAL_H

#include "ordinary.h"

#include <string.h>

static inline uint64_t mask_of(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

static inline int64_t as_signed(uint64_t bits, unsigned width)
{
    uint64_t sign = (uint64_t)1 << (width - 1);
    return width >= 64 ? (int64_t)bits : (int64_t)((bits & mask_of(width)) ^ sign) - (int64_t)sign;
}

static inline double as_double(uint64_t bits, enum fw_type type)
{
    double wide;
    float narrow;
    uint32_t low = (uint32_t)bits;
    if (type == FW_TYPE_F64) {
        memcpy(&wide, &bits, sizeof(wide));
        return wide;
    }
    memcpy(&narrow, &low, sizeof(narrow));
    return (double)narrow;
}

static inline uint64_t from_double(double value, enum fw_type type)
{
    uint64_t bits = 0;
    uint32_t low;
    float narrow = (float)value;
    if (type == FW_TYPE_F64)
        memcpy(&bits, &value, sizeof(bits));
    else
        memcpy(&low, &narrow, sizeof(low)), bits = low;
    return bits;
}

static inline bool is_float(enum fw_type type)
{
    return type == FW_TYPE_F32 || type == FW_TYPE_F64;
}

/* ordinary_tests.c: the points at which a comparison (setp, set or testp) holds, by its own
 * operands alone; false: it is not modelled. */
bool ordinary_compare(struct fw_ordinary *ordinary, const struct fw_instruction *at,
                      struct fw_ordinary_lanes *to);

#endif
