/* Intervals of linear forms: by the bounds of variables, by rows that bound the whole form, and by
 * remainders that are part of it. */
#include "checked.h"
#include "linear_internal.h"

#include <string.h>

/* Saturating, so that far bounds stay far. */
static int64_t clamp_product(int64_t a, int64_t b)
{
    int64_t product;
    if (a == 0 || b == 0)
        return 0;
    if (fw_multiply_overflows(a, b, &product) || product > FAR || product < -FAR)
        return (a < 0) == (b < 0) ? FAR : -FAR;
    return product;
}

static int64_t clamp_sum(int64_t a, int64_t b)
{
    int64_t sum = a + b; /* both within FAR */
    return sum > FAR ? FAR : sum < -FAR ? -FAR : sum;
}

void bound_interval(const struct fw_piece *piece, const struct fw_linear *a, int64_t *low,
                    int64_t *high)
{
    *low = *high = a->constant > FAR ? FAR : a->constant < -FAR ? -FAR : a->constant;
    for (uint32_t v = 0; v < piece->variables; v++) {
        int64_t c = a->coefficient[v];
        if (!c)
            continue;
        *low = clamp_sum(*low, clamp_product(c, c > 0 ? piece->low[v] : piece->high[v]));
        *high = clamp_sum(*high, clamp_product(c, c > 0 ? piece->high[v] : piece->low[v]));
    }
}

/* As bound_interval, or narrower where a row bounds just this form: x - 512 floor(x / 512) is 0 to
 * 511. */
static void interval_by_rows(const struct fw_piece *piece, const struct fw_linear *a, int64_t *low,
                             int64_t *high)
{
    bound_interval(piece, a, low, high);
    for (uint32_t r = 0; r < piece->row_count; r++) {
        const struct fw_linear *row = &piece->rows[r].form;
        bool same = true, opposite = true;
        for (uint32_t v = 0; v < piece->variables && (same || opposite); v++) {
            same &= row->coefficient[v] == a->coefficient[v];
            opposite &= row->coefficient[v] == -a->coefficient[v];
        }
        int64_t least = fw_saturated_subtract(a->constant, row->constant);
        int64_t most = fw_saturated_add(a->constant, row->constant);
        if (same && least > *low)
            *low = least;
        if (opposite && most < *high)
            *high = most;
    }
}

/* The floor that a row's first of two defines, x - divisor floor(x / divisor) >= 0; FW_NONE: it is
 * no such row. */
static uint32_t floor_of_row(const struct fw_piece *piece, const struct fw_piece_row *row)
{
    uint32_t v = piece->variables;
    while (row->definition && v > 0)
        if (row->form.coefficient[--v])
            return piece->quotient[v] && row->form.coefficient[v] < -1 ? v : FW_NONE;
    return FW_NONE;
}

/* An interval of a form, and what is left of the form when remainders are out of it. */
struct parted {
    const struct fw_piece *piece;
    struct fw_linear rest;
    int64_t below, above; /* what the remainders are, in all */
    int64_t low, high;
};

/* Takes a multiple of a remainder, 0 <= x - of q < of for the floor q, out of the form, where that
 * narrows its interval. */
static void take_remainder(struct parted *parted, const struct fw_linear *remainder, uint32_t q)
{
    const int64_t of = -remainder->coefficient[q], factor = parted->rest.coefficient[q] / -of;
    const int64_t part = clamp_product(factor, of - 1);
    struct fw_linear left = parted->rest;
    int64_t low, high, least, most;
    if (parted->rest.coefficient[q] % of != 0 || factor == 0 ||
        !linear_accumulate(parted->piece, &left, remainder, -factor))
        return;
    bound_interval(parted->piece, &parted->rest, &low, &high);
    bound_interval(parted->piece, &left, &least, &most);
    if (clamp_sum(clamp_sum(most, -least), part < 0 ? -part : part) >= clamp_sum(high, -low))
        return;
    *(part < 0 ? &parted->below : &parted->above) += part;
    parted->rest = left;
    least = clamp_sum(least, clamp_product(1, parted->below));
    most = clamp_sum(most, clamp_product(1, parted->above));
    parted->low = least > parted->low ? least : parted->low;
    parted->high = most < parted->high ? most : parted->high;
}

/* Of the floors q and p of one dividend, floor(x / (d n)) and floor(x / d): p - n q, which is 0 to
 * n - 1.  False: they are not. */
static bool remainder_of_floors(const struct fw_piece *piece, const struct fw_linear *coarse,
                                uint32_t q, const struct fw_linear *fine, uint32_t p,
                                struct fw_linear *remainder)
{
    const int64_t every = coarse->coefficient[q], by = fine->coefficient[p];
    if (p == q || every == by || every % by != 0 || coarse->constant != fine->constant)
        return false;
    for (uint32_t v = 0; v < piece->variables; v++)
        if (v != p && v != q && coarse->coefficient[v] != fine->coefficient[v])
            return false;
    memset(remainder, 0, sizeof(*remainder));
    remainder->coefficient[p] = 1;
    remainder->coefficient[q] = -(every / by);
    return coarse->coefficient[p] == 0 && fine->coefficient[q] == 0;
}

void linear_interval(const struct fw_piece *piece, const struct fw_linear *a, int64_t *low,
                     int64_t *high)
{
    struct parted parted = {.piece = piece, .rest = *a};
    struct fw_linear floors;
    interval_by_rows(piece, a, low, high);
    parted.low = *low;
    parted.high = *high;
    for (uint32_t r = piece->row_count; r-- > 0;) {
        const uint32_t q = floor_of_row(piece, &piece->rows[r]);
        if (q == FW_NONE || parted.rest.coefficient[q] == 0)
            continue;
        for (uint32_t s = 0; s < piece->row_count && parted.rest.coefficient[q]; s++) {
            const uint32_t p = floor_of_row(piece, &piece->rows[s]);
            if (p != FW_NONE && parted.rest.coefficient[p] &&
                remainder_of_floors(piece, &piece->rows[r].form, q, &piece->rows[s].form, p,
                                    &floors))
                take_remainder(&parted, &floors, q);
        }
        if (parted.rest.coefficient[q])
            take_remainder(&parted, &piece->rows[r].form, q);
    }
    *low = parted.low;
    *high = parted.high;
}
