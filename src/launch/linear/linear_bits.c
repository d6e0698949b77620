/* Which bits of a linear form may be set at a bound launch.
 *
 * What expression_bits.c knows of constants, this knows of arguments: a field of an index that is
 * taken by a shift and a mask of the launch is x - 2^k floor(x / 2^k) here, whose rows the piece
 * has, so that fields that do not overlap add up. */
#include "bit_masks.h"
#include "bound_internal.h"
#include "checked.h"

static uint32_t terms_of(const struct fw_piece *piece, const struct fw_linear *a)
{
    uint32_t terms = 0;
    for (uint32_t v = 0; v < piece->variables; v++)
        terms += a->coefficient[v] != 0;
    return terms;
}

/* a minus c times a remainder; false: it overflows. */
static bool without(const struct fw_piece *piece, const struct fw_linear *a,
                    const struct fw_linear *remainder, int64_t c, struct fw_linear *result)
{
    int64_t minus;
    *result = *a;
    if (fw_multiply_overflows(c, -1, &minus) ||
        fw_add_product_overflows(&result->constant, minus, remainder->constant))
        return false;
    for (uint32_t v = 0; v < piece->variables; v++)
        if (fw_add_product_overflows(&result->coefficient[v], minus, remainder->coefficient[v]))
            return false;
    return true;
}

/* How many values x - d floor(x / d) has, which the first of two rows gives and the second bounds;
 * 0: they are no such pair. */
static int64_t values_of(const struct fw_piece *piece, const struct fw_piece_row pair[2])
{
    int64_t sum;
    if (!pair[0].definition || !pair[1].definition ||
        fw_add_overflows(pair[0].form.constant, pair[1].form.constant, &sum))
        return 0;
    for (uint32_t v = 0; v < piece->variables; v++)
        if (pair[0].form.coefficient[v] != -pair[1].form.coefficient[v])
            return 0;
    return sum >= 0 && sum < INT64_MAX ? sum + 1 : 0;
}

/* Takes c (x - d floor(x / d)) off the form, where that leaves fewer variables; gives the bits that
 * it may have, 0: nothing was taken off. */
static uint64_t take_remainder(const struct fw_piece *piece, const struct fw_linear *remainder,
                               int64_t values, struct fw_linear *rest)
{
    uint32_t v = 0;
    while (v < piece->variables && !remainder->coefficient[v])
        v++;
    if (v == piece->variables || rest->coefficient[v] % remainder->coefficient[v])
        return 0;
    int64_t c = rest->coefficient[v] / remainder->coefficient[v];
    struct fw_linear less;
    if (c <= 0 || !without(piece, rest, remainder, c, &less) ||
        terms_of(piece, &less) >= terms_of(piece, rest))
        return 0;
    *rest = less;
    return fw_bits_product(fw_bits_up_to((uint64_t)values - 1), c);
}

static uint64_t bits_of(const struct fw_piece *piece, const struct fw_linear *a)
{
    struct fw_linear rest = *a;
    uint64_t bits = 0;
    for (uint32_t r = piece->row_count; r-- > 1;) { /* later floors may be of earlier ones */
        int64_t values = values_of(piece, &piece->rows[r - 1]);
        if (values)
            bits =
                fw_bits_sum(bits, take_remainder(piece, &piece->rows[r - 1].form, values, &rest));
    }
    for (uint32_t v = 0; v < piece->variables; v++) {
        uint64_t mask = piece->low[v] < 0 ? FW_ALL_BITS : fw_bits_up_to((uint64_t)piece->high[v]);
        bits = fw_bits_sum(bits, fw_bits_product(mask, rest.coefficient[v]));
    }
    return fw_bits_sum(bits, (uint64_t)rest.constant);
}

bool bound_disjoint_bits(const struct fw_piece *piece, const struct fw_linear *a,
                         const struct fw_linear *b)
{
    return (bits_of(piece, a) & bits_of(piece, b)) == 0;
}
