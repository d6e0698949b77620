/* Division of integers that rounds down, as mathematics has it and C has not. */
#ifndef FW_QUOTIENT_H
#define FW_QUOTIENT_H

#include <stdint.h>

/* floor(a / b).  b is not 0, and not -1 where a is INT64_MIN. */
static inline int64_t fw_floor_quotient(int64_t a, int64_t b)
{
    int64_t quotient = a / b;
    return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

#endif
