/* What mathematics has of the division of integers and C has not: one that rounds down, and the
 * greatest common divisor. */
#ifndef FW_QUOTIENT_H
#define FW_QUOTIENT_H

#include <stdint.h>

/* floor(a / b).  b is not 0, and not -1 where a is INT64_MIN. */
static inline int64_t fw_floor_quotient(int64_t a, int64_t b)
{
    int64_t quotient = a / b;
    return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

/* The greatest common divisor; of 0 and b it is b. */
static inline uint64_t fw_common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The same of numbers that may have signs; it has none.  Neither is INT64_MIN. */
static inline int64_t fw_common_step(int64_t a, int64_t b)
{
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

#endif
