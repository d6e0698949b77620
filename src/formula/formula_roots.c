/* Formulas: values that are products of column - constant, where the case begins behind the
 * constant.
 */
#include "formula_internal.h"

/* A bound of one column: lower <= column <= upper, from two lines, or one. */
bool formula_bounds_column(const struct line *line, unsigned *column)
{
    unsigned found = 0;
    for (unsigned c = 1; c < line->width; c++)
        if (!integer_is_zero(line->at[c])) {
            if (found)
                return false;
            found = c;
        }
    *column = found;
    return found && !line->equality && integer_is_unit(line->at[found]);
}

/* The value over (column - at), by synthetic division; NULL: that does not divide it. */
static struct polynomial *divided_by_root(struct work *work, const struct polynomial *value,
                                          struct formula_root root)
{
    struct polynomial *at =
        fw_polynomial_constant(work, integer_of(work, root.at), integer_constant(1));
    struct polynomial *zero =
        fw_polynomial_constant(work, integer_constant(0), integer_constant(1));
    struct polynomial *quotient = zero, *carried = zero;
    if (!fw_polynomial_has(value, root.column) ||
        !polynomial_is_zero(fw_polynomial_substitute(work, value, root.column, at)))
        return NULL;
    for (unsigned power = DEGREE_MOST; power > 0; power--) {
        /* carried := coefficient of column^power + at * carried, that of column^(power - 1) in the
         * quotient. */
        carried = fw_polynomial_multiply(work, carried, at);
        for (uint32_t i = 0; i < value->count; i++) {
            if (fw_monomial_power(value->terms[i].columns, root.column) != power)
                continue;
            struct polynomial *term =
                fw_polynomial_constant(work, value->terms[i].coefficient, value->denominator);
            for (monomial rest = value->terms[i].columns; rest; rest = monomial_rest(rest))
                if (monomial_first(rest) != root.column)
                    term = fw_polynomial_multiply(work, term,
                                                  formula_column(work, monomial_first(rest)));
            carried = fw_polynomial_add(work, carried, term);
        }
        struct polynomial *part = carried;
        for (unsigned i = 1; i < power && part->count; i++)
            part = fw_polynomial_multiply(work, part, formula_column(work, root.column));
        quotient = fw_polynomial_add(work, quotient, part);
    }
    return quotient;
}

/* The factors column - (least - 1) of a case where column >= least: how many. */
unsigned formula_roots(struct fw_formulas *f, const struct cell *cell, struct formula_root *roots,
                       unsigned most, struct polynomial **rest)
{
    struct work *work = &f->work;
    unsigned count = 0, column;
    *rest = cell->value;
    for (uint32_t l = 0; l < cell->count && count < most; l++) {
        const struct line *line = cell->lines[l];
        if (!formula_bounds_column(line, &column) || integer_sign(line->at[column]) < 0 ||
            !integer_is_small(line->at[0]))
            continue;
        struct formula_root root = {column, -integer_small(line->at[0]) - 1};
        struct polynomial *quotient = root.at ? divided_by_root(work, *rest, root) : NULL;
        if (!quotient)
            continue;
        roots[count++] = root;
        *rest = quotient;
    }
    return count;
}
