#include "integer.h"

#include "checked.h"

#include <string.h>

/* A big integer in an arena: GMP's own layout, the sign in the size. */
struct big {
    int size;
    mp_limb_t limbs[];
};

static const struct big *big_of(integer a)
{
    return (const struct big *)(uintptr_t)(a.word - 1);
}

integer fw_integer_read(struct work *work, mpz_srcptr value)
{
    if (mpz_fits_slong_p(value)) {
        integer result;
        if (!fw_multiply_overflows(mpz_get_si(value), 2, &result.word))
            return result;
    }
    size_t count = mpz_size(value);
    if (count * GMP_NUMB_BITS > work->bit_budget)
        fw_work_fail(work, FW_ERROR_OVERFLOW);
    struct big *big = fw_arena_alloc(work->arena, sizeof(*big) + count * sizeof(mp_limb_t));
    big->size = mpz_sgn(value) < 0 ? -(int)count : (int)count;
    memcpy(big->limbs, mpz_limbs_read(value), count * sizeof(mp_limb_t));
    return (integer){(int64_t)(uintptr_t)big + 1};
}

void fw_integer_write(mpz_ptr value, integer a)
{
    if (integer_is_small(a)) {
        mpz_set_si(value, integer_small(a));
        return;
    }
    mpz_t view;
    const struct big *big = big_of(a);
    mpz_set(value, mpz_roinit_n(view, big->limbs, big->size));
}

integer fw_integer_copy(struct work *work, integer a)
{
    if (integer_is_small(a))
        return a;
    fw_integer_write(work->scratch[0], a);
    return fw_integer_read(work, work->scratch[0]);
}

static void load(struct work *work, integer a, integer b)
{
    fw_integer_write(work->scratch[0], a);
    fw_integer_write(work->scratch[1], b);
}

integer fw_integer_new_big(struct work *work, int64_t value)
{
    mpz_set_si(work->scratch[0], value);
    return fw_integer_read(work, work->scratch[0]);
}

integer fw_integer_add_big(struct work *work, integer a, integer b)
{
    load(work, a, b);
    mpz_add(work->scratch[2], work->scratch[0], work->scratch[1]);
    return fw_integer_read(work, work->scratch[2]);
}

integer fw_integer_multiply_big(struct work *work, integer a, integer b)
{
    load(work, a, b);
    mpz_mul(work->scratch[2], work->scratch[0], work->scratch[1]);
    return fw_integer_read(work, work->scratch[2]);
}

integer fw_integer_divide_big(struct work *work, integer a, integer b)
{
    load(work, a, b);
    mpz_fdiv_q(work->scratch[2], work->scratch[0], work->scratch[1]);
    return fw_integer_read(work, work->scratch[2]);
}

integer fw_integer_gcd_big(struct work *work, integer a, integer b)
{
    load(work, a, b);
    mpz_gcd(work->scratch[2], work->scratch[0], work->scratch[1]);
    return fw_integer_read(work, work->scratch[2]);
}

int fw_integer_compare_big(struct work *work, integer a, integer b)
{
    load(work, a, b);
    return mpz_cmp(work->scratch[0], work->scratch[1]);
}

int fw_integer_sign_big(integer a)
{
    return big_of(a)->size < 0 ? -1 : 1;
}

uint64_t fw_integer_hash(integer a)
{
    if (integer_is_small(a))
        return (uint64_t)integer_small(a);
    const struct big *big = big_of(a);
    int size = big->size < 0 ? -big->size : big->size;
    uint64_t hash = 0;
    for (int i = 0; i < size; i++)
        hash = hash * 0x9e3779b97f4a7c15u + big->limbs[i];
    return big->size < 0 ? -hash : hash;
}

unsigned fw_integer_bits(integer a)
{
    if (!integer_is_small(a)) {
        int size = big_of(a)->size;
        return (unsigned)(size < 0 ? -size : size) * 64;
    }
    int64_t value = integer_small(a);
    uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
    return size < 2 ? 0 : 63u - (unsigned)__builtin_clzll(size);
}

void fw_integer_print(struct fw_buffer *text, struct work *work, integer a)
{
    if (integer_is_small(a)) {
        fw_buffer_printf(text, "%lld", (long long)integer_small(a));
        return;
    }
    fw_integer_write(work->scratch[0], a);
    char *digits = fw_arena_alloc(work->arena, mpz_sizeinbase(work->scratch[0], 10) + 2);
    mpz_get_str(digits, 10, work->scratch[0]);
    fw_buffer_printf(text, "%s", digits);
}
