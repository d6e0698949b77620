/* Products of symbols, and of iterations with symbols, in linear forms: each is a variable of its
 * own. */
#include "bound_internal.h"
#include "checked.h"

#include <string.h>

/* The symbol that stands for the product of two; FW_NONE: there is no room. */
static uint32_t product_symbol(struct fw_bound *bound, uint32_t a, uint32_t b)
{
    uint32_t first = a < b ? a : b, second = a < b ? b : a;
    uint32_t base = bound->kernel->parameter_count + 3;
    for (uint32_t p = 0; p < bound->product_count; p++)
        if (bound->products[p].first == first && bound->products[p].second == second)
            return base + p;
    if (first >= base || second >= base || bound->product_count == FW_PIECE_PRODUCTS)
        return FW_NONE;
    bound->products[bound->product_count] = (struct fw_symbol_product){first, second};
    return base + bound->product_count++;
}

/* The variable for the product of variable v, a symbol or an iteration, with a symbol; FW_NONE: v
 * is neither, or there is no room. */
static uint32_t product_variable(struct fw_bound *bound, struct fw_piece *piece, uint32_t v,
                                 uint32_t symbol)
{
    if (piece->symbol[v] != FW_NONE) {
        uint32_t product = product_symbol(bound, piece->symbol[v], piece->symbol[symbol]);
        uint32_t known = product == FW_NONE ? FW_NONE : bound_symbol(piece, product);
        if (known != FW_NONE)
            piece->high[known] = FAR;
        return known;
    }
    if (piece->loop_of[v] == FW_NONE || piece->fixed[v])
        return FW_NONE;
    for (uint32_t p = 0; p < piece->variables; p++)
        if (piece->times_loop[p] == v && piece->times_symbol[p] == symbol)
            return p;
    uint32_t p = bound_add_variable(piece, 0, FAR);
    if (p != FW_NONE) {
        piece->times_loop[p] = v;
        piece->times_symbol[p] = symbol;
    }
    return p;
}

/* a * (factor * symbol), where a is made of symbols and iterations; false: it is not. */
static bool times_symbol(struct fw_bound *bound, struct fw_piece *piece, const struct fw_linear *a,
                         uint32_t symbol, int64_t factor, struct fw_linear *result)
{
    memset(result, 0, sizeof(*result));
    uint32_t variables = piece->variables;
    if (fw_multiply_overflows(a->constant, factor, &result->coefficient[symbol]))
        return false;
    for (uint32_t v = 0; v < variables; v++) {
        if (!a->coefficient[v])
            continue;
        uint32_t product = product_variable(bound, piece, v, symbol);
        if (product == FW_NONE ||
            fw_multiply_overflows(a->coefficient[v], factor, &result->coefficient[product]))
            return false;
    }
    return true;
}

/* The symbol that a linear form is a multiple of; FW_NONE: it is something else. */
static uint32_t only_symbol(const struct fw_piece *piece, const struct fw_linear *a)
{
    uint32_t found = FW_NONE;
    if (a->constant)
        return FW_NONE;
    for (uint32_t v = 0; v < piece->variables; v++) {
        if (!a->coefficient[v])
            continue;
        if (found != FW_NONE || piece->symbol[v] == FW_NONE)
            return FW_NONE;
        found = v;
    }
    return found;
}

bool bound_symbolic_product(struct fw_bound *bound, struct fw_piece *piece,
                            const struct fw_linear *a, const struct fw_linear *b,
                            struct fw_linear *result)
{
    uint32_t of_a = only_symbol(piece, a), of_b = only_symbol(piece, b);
    if (of_b != FW_NONE && times_symbol(bound, piece, a, of_b, b->coefficient[of_b], result))
        return true;
    return of_a != FW_NONE && times_symbol(bound, piece, b, of_a, a->coefficient[of_a], result);
}
