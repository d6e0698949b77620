/* Integers of any size that cost one word while they are small.
 *
 * An even word is twice the value; an odd word is the address (plus one) of a big integer in the
 * work's arena.  Every operation detects overflow and goes on with GMP, so that no result is ever
 * wrapped.  Values are immutable; big ones live as long as the arena. */
#ifndef FW_INTEGER_H
#define FW_INTEGER_H

#include "checked.h"
#include "text.h"
#include "work.h"

#include <stdbool.h>

typedef struct integer {
    int64_t word;
} integer;

/* The slow ways: either operand or the result is big. */
integer fw_integer_add_big(struct work *work, integer a, integer b);
integer fw_integer_multiply_big(struct work *work, integer a, integer b);
integer fw_integer_divide_big(struct work *work, integer a, integer b);
integer fw_integer_gcd_big(struct work *work, integer a, integer b);
int fw_integer_compare_big(struct work *work, integer a, integer b);
int fw_integer_sign_big(integer a);
integer fw_integer_new_big(struct work *work, int64_t value);

/* Into and out of GMP's integers. */
integer fw_integer_read(struct work *work, mpz_srcptr value);
void fw_integer_write(mpz_ptr value, integer a);

/* Its digits, behind the text; scratch is the work's. */
void fw_integer_print(struct fw_buffer *text, struct work *work, integer a);

/* The same value in this work's arena. */
integer fw_integer_copy(struct work *work, integer a);

/* A number for hashing: equal integers have equal ones, and the negative has the negative. */
uint64_t fw_integer_hash(integer a);

/* Roughly the logarithm to base 2 of |a|; 0 for -1, 0 and 1. */
unsigned fw_integer_bits(integer a);

static inline bool integer_is_small(integer a)
{
    return !(a.word & 1);
}

static inline bool integer_is_zero(integer a)
{
    return a.word == 0;
}

/* The value of a small integer. */
static inline int64_t integer_small(integer a)
{
    return a.word / 2;
}

static inline integer integer_of(struct work *work, int64_t value)
{
    integer result;
    if (fw_multiply_overflows(value, 2, &result.word))
        return fw_integer_new_big(work, value);
    return result;
}

/* A constant in the program that is known to be small. */
static inline integer integer_constant(int32_t value)
{
    return (integer){(int64_t)value * 2};
}

static inline bool integer_is(integer a, int32_t value)
{
    return a.word == (int64_t)value * 2;
}

static inline bool integer_is_unit(integer a)
{
    return a.word == 2 || a.word == -2;
}

static inline int integer_sign(integer a)
{
    if (integer_is_small(a))
        return (a.word > 0) - (a.word < 0);
    return fw_integer_sign_big(a);
}

static inline integer integer_add(struct work *work, integer a, integer b)
{
    integer result;
    if (((a.word | b.word) & 1) || fw_add_overflows(a.word, b.word, &result.word))
        return fw_integer_add_big(work, a, b);
    return result;
}

static inline integer integer_multiply(struct work *work, integer a, integer b)
{
    integer result;
    if (((a.word | b.word) & 1) || fw_multiply_overflows(a.word / 2, b.word, &result.word))
        return fw_integer_multiply_big(work, a, b);
    return result;
}

static inline integer integer_negate(struct work *work, integer a)
{
    if ((a.word & 1) || a.word == INT64_MIN)
        return fw_integer_multiply_big(work, a, integer_constant(-1));
    return (integer){-a.word};
}

static inline integer integer_subtract(struct work *work, integer a, integer b)
{
    integer result;
    if (((a.word | b.word) & 1) || fw_subtract_overflows(a.word, b.word, &result.word))
        return fw_integer_add_big(work, a, integer_negate(work, b));
    return result;
}

static inline int integer_compare(struct work *work, integer a, integer b)
{
    if (!((a.word | b.word) & 1))
        return (a.word > b.word) - (a.word < b.word);
    return fw_integer_compare_big(work, a, b);
}

/* Division rounded towards minus infinity; b is positive. */
static inline integer integer_floor(struct work *work, integer a, integer b)
{
    if ((a.word | b.word) & 1)
        return fw_integer_divide_big(work, a, b);
    int64_t quotient = a.word / b.word;
    return (integer){(quotient - (a.word % b.word < 0)) * 2};
}

/* a - b * floor(a / b), from 0 to b - 1; b is positive. */
static inline integer integer_modulo(struct work *work, integer a, integer b)
{
    if ((a.word | b.word) & 1)
        return integer_subtract(work, a,
                                integer_multiply(work, b, fw_integer_divide_big(work, a, b)));
    int64_t rest = a.word % b.word;
    return (integer){rest < 0 ? rest + b.word : rest};
}

/* The greatest common divisor, not negative; of 0 and b it is |b|. */
static inline integer integer_gcd(struct work *work, integer a, integer b)
{
    if (((a.word | b.word) & 1) || a.word == INT64_MIN || b.word == INT64_MIN)
        return fw_integer_gcd_big(work, a, b);
    int64_t x = a.word < 0 ? -a.word : a.word;
    int64_t y = b.word < 0 ? -b.word : b.word;
    while (y) {
        int64_t rest = x % y;
        x = y;
        y = rest;
    }
    return (integer){x};
}

static inline integer integer_absolute(struct work *work, integer a)
{
    return integer_sign(a) < 0 ? integer_negate(work, a) : a;
}

#endif
