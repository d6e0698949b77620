/* Formulas at points. */
#include "formula_internal.h"

static wide column_value(struct fw_formulas *f, unsigned number, const int64_t *values);

static __attribute__((noinline)) wide line_value(struct fw_formulas *f, const struct line *line,
                                                 const int64_t *values)
{
    wide sum = formula_small(f, line_get(line, 0));
    for (unsigned c = 1; c < line->width; c++)
        if (!integer_is_zero(line->at[c]))
            sum += formula_small(f, line->at[c]) * column_value(f, c, values);
    return sum;
}

static wide column_value(struct fw_formulas *f, unsigned number, const int64_t *values)
{
    const struct defined *defined = definition_of(f, number);
    if (defined && !defined->side_count)
        return column_value(f, defined->first, values) * column_value(f, defined->second, values);
    if (defined) {
        wide least = line_value(f, defined->sides[0], values);
        for (uint32_t i = 1; i < defined->side_count; i++) {
            wide side = line_value(f, defined->sides[i], values);
            least = side < least ? side : least;
        }
        return least;
    }
    if (number <= f->parameter_count)
        return values[number - 1];
    const struct column *column = column_of(f, number);
    const struct floor_column *floor = &f->summation.floors[number - first_column_of(f)];
    bool quotient = column->kind == COLUMN_FLOOR;
    wide a = line_value(f, quotient ? floor->numerator : column->a, values);
    if (column->kind == COLUMN_MINIMUM || column->kind == COLUMN_MAXIMUM) {
        wide b = line_value(f, column->b, values);
        return (a < b) == (column->kind == COLUMN_MINIMUM) ? a : b;
    }
    wide m = formula_small(f, quotient ? floor->divisor : column->modulus);
    wide down = a / m - (a % m < 0);
    return quotient ? down : a - m * down;
}

static void add_case(mpz_ptr sum, struct fw_formulas *f, const struct polynomial *value,
                     const int64_t *values)
{
    mpz_t term, one;
    mpz_init(term);
    mpz_init(one);
    for (uint32_t i = 0; i < value->count; i++) {
        fw_integer_write(term, value->terms[i].coefficient);
        for (monomial rest = value->terms[i].columns; rest; rest = monomial_rest(rest)) {
            wide at = column_value(f, monomial_first(rest), values);
            mpz_set_si(one, (int64_t)(at >> 62));
            mpz_mul_2exp(one, one, 62);
            mpz_add_ui(one, one, (uint64_t)at & (((uint64_t)1 << 62) - 1));
            mpz_mul(term, term, one);
        }
        mpz_add(sum, sum, term);
    }
    fw_integer_write(one, value->denominator);
    mpz_fdiv_q(sum, sum, one);
    mpz_clear(term);
    mpz_clear(one);
}

static void evaluate(mpz_ptr result, const struct fw_formula *formula, struct fw_formulas *f,
                     const int64_t *values)
{
    mpz_set_ui(result, 0);
    for (size_t i = 0; i < formula->cases.count; i++) {
        const struct cell *cell = &formula->cases.at[i];
        bool inside = true;
        for (uint32_t l = 0; l < cell->count && inside; l++) {
            wide at = line_value(f, cell->lines[l], values);
            inside = cell->lines[l]->equality ? at == 0 : at >= 0;
        }
        if (!inside)
            continue;
        add_case(result, f, cell->value, values);
        return;
    }
}

enum fw_status fw_formula_evaluate(mpz_ptr result, const struct fw_formula *formula,
                                   struct fw_formulas *f, const int64_t *values)
{
    formula_begin(f);
    if (setjmp(f->work.failure))
        return FW_ERROR_OVERFLOW;
    evaluate(result, formula, f, values);
    return FW_OK;
}
