/* Checked arithmetic on int64_t: for numbers that come from a kernel, a launch or a profile, where
 * an overflow must not be undefined behaviour.
 *
 * Three kinds, by what an overflow means to the caller.  fw_add_overflows and its like say that it
 * happened: what the number was for then becomes a named unknown or a diagnostic.  fw_saturated_*
 * give the nearest number that can be represented: for extents and sizes that are compared, where
 * "too far" is answer enough.  fw_wrapped_* reckon modulo 2^64, as the machine does.  Takes and
 * gives plain numbers; never reports anything. */
#ifndef FW_CHECKED_H
#define FW_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

/* Whether a + b, a - b or a * b does not fit *result, of any integer type; *result is then the
 * value modulo its width. */
#define fw_add_overflows(a, b, result)      __builtin_add_overflow((a), (b), (result))
#define fw_subtract_overflows(a, b, result) __builtin_sub_overflow((a), (b), (result))
#define fw_multiply_overflows(a, b, result) __builtin_mul_overflow((a), (b), (result))

/* Whether *sum + a * b does not fit; *sum is then anything. */
static inline bool fw_add_product_overflows(int64_t *sum, int64_t a, int64_t b)
{
    int64_t product;
    return fw_multiply_overflows(a, b, &product) || fw_add_overflows(*sum, product, sum);
}

/* a + b, or INT64_MAX or INT64_MIN, whichever is nearer. */
static inline int64_t fw_saturated_add(int64_t a, int64_t b)
{
    int64_t sum;
    return !fw_add_overflows(a, b, &sum) ? sum : a < 0 ? INT64_MIN : INT64_MAX;
}

/* a - b, likewise. */
static inline int64_t fw_saturated_subtract(int64_t a, int64_t b)
{
    int64_t difference;
    return !fw_subtract_overflows(a, b, &difference) ? difference : a < 0 ? INT64_MIN : INT64_MAX;
}

/* a * b, likewise. */
static inline int64_t fw_saturated_multiply(int64_t a, int64_t b)
{
    int64_t product;
    return !fw_multiply_overflows(a, b, &product) ? product
           : (a < 0) == (b < 0)                   ? INT64_MAX
                                                  : INT64_MIN;
}

/* |a|; INT64_MAX for INT64_MIN. */
static inline int64_t fw_saturated_magnitude(int64_t a)
{
    return a >= 0 ? a : a == INT64_MIN ? INT64_MAX : -a;
}

/* The integer below a number towards 0; 0 for NAN, INT64_MIN or INT64_MAX for what is beyond. */
static inline int64_t fw_saturated_integer(double a)
{
    if (!(a > -0x1p63))
        return a <= -0x1p63 ? INT64_MIN : 0;
    return a < 0x1p63 ? (int64_t)a : INT64_MAX;
}

/* floor(a * i / n) for a >= 0 and 0 <= i <= n < 2^31, n > 0: without the product. */
static inline int64_t fw_part_of(int64_t a, int64_t i, int64_t n)
{
    return a / n * i + a % n * i / n;
}

static inline int64_t fw_wrapped_add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t fw_wrapped_subtract(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static inline int64_t fw_wrapped_multiply(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

#endif
