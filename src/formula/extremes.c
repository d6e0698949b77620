/* Formulas: cells that are a minimum or maximum of affine expressions, by proof. */
#include "formula_internal.h"

enum { SIDES_MOST = 4 };

/* The polynomial as a line with whole coefficients; NULL: it is not of degree 1. */
static struct line *as_line(struct fw_formulas *f, const struct polynomial *value)
{
    struct work *work = &f->work;
    unsigned width = 1;
    if (!integer_is(value->denominator, 1))
        return NULL;
    for (uint32_t i = 0; i < value->count; i++) {
        monomial columns = value->terms[i].columns;
        if (columns && monomial_rest(columns))
            return NULL;
        if (columns && monomial_first(columns) >= width)
            width = monomial_first(columns) + 1;
        if (columns && is_kind(f, monomial_first(columns), COLUMN_FACTOR))
            return NULL;
    }
    struct line *line = fw_line_new(work, width, false);
    for (uint32_t i = 0; i < value->count; i++)
        line->at[value->terms[i].columns ? monomial_first(value->terms[i].columns) : 0] =
            value->terms[i].coefficient;
    fw_line_finish(line);
    return line;
}

static struct line *line_minus(struct work *work, const struct line *a, const struct line *b)
{
    return fw_line_combine(work, integer_constant(1), a, integer_constant(-1), b);
}

bool formula_implies(struct fw_formulas *f, struct line *const *lines, uint32_t count,
                     const struct line *line)
{
    struct work *work = &f->work;
    struct state region = {.lines = (struct line **)(uintptr_t)lines, .count = count}, rest;
    struct line *outside = fw_line_combine(work, integer_constant(-1), line, integer_constant(-1),
                                           formula_constant_line(work, 1));
    return !formula_narrow(f, &rest, &region, &outside, 1);
}

struct sides {
    struct line *at[SIDES_MOST];
    uint32_t count;
    integer content; /* all are this times something */
    bool zero;       /* 0 somewhere, where the least is not shown to be 0 itself */
};

static bool collect(struct fw_formulas *f, const fw_cells *cells, struct sides *sides)
{
    struct work *work = &f->work;
    for (size_t i = 0; i < cells->count; i++) {
        const struct polynomial *value = cells->at[i].value;
        if (polynomial_is_zero(value)) {
            sides->zero = true;
            continue;
        }
        struct line *line = as_line(f, value);
        uint32_t known = 0;
        if (!line)
            return false;
        while (known < sides->count && !fw_line_equal(work, sides->at[known], line))
            known++;
        if (known < sides->count)
            continue;
        if (sides->count == SIDES_MOST)
            return false;
        sides->at[sides->count++] = line;
        for (unsigned c = 0; c < line->width; c++)
            sides->content = integer_gcd(work, sides->content, line->at[c]);
    }
    return sides->count > 0;
}

/* Whether the least of the sides is 0 on a cell. */
static bool is_zero_least(struct fw_formulas *f, const struct cell *cell, const struct sides *sides)
{
    bool some = false;
    for (uint32_t j = 0; j < sides->count; j++) {
        if (!formula_implies(f, cell->lines, cell->count, sides->at[j]))
            return false;
        some = some || formula_implies(
                           f, cell->lines, cell->count,
                           line_minus(&f->work, formula_constant_line(&f->work, 0), sides->at[j]));
    }
    return some;
}

/* Whether on every cell its value is the least (sign 1) or the greatest (-1) of all. */
static bool is_extreme(struct fw_formulas *f, const fw_cells *cells, const struct sides *sides,
                       int sign)
{
    struct work *work = &f->work;
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->at[i];
        bool zero = polynomial_is_zero(cell->value), some = false, all = true;
        struct line *own = zero ? formula_constant_line(work, 0) : as_line(f, cell->value);
        for (uint32_t j = 0; j < sides->count; j++) {
            struct line *over = sign > 0 ? line_minus(work, sides->at[j], own)
                                         : line_minus(work, own, sides->at[j]);
            if (zero && sign > 0) /* some value is not positive there */
                some = some || formula_implies(f, cell->lines, cell->count,
                                               line_minus(work, own, sides->at[j]));
            else
                all = all && formula_implies(f, cell->lines, cell->count, over);
        }
        if (zero && sign > 0 ? !some : !all)
            return false;
    }
    return true;
}

static const struct line *divided(struct fw_formulas *f, const struct line *line, integer content)
{
    struct work *work = &f->work;
    struct line *result = fw_line_new(work, line->width, false);
    for (unsigned c = 0; c < line->width; c++)
        result->at[c] = integer_floor(work, line->at[c], content);
    fw_line_finish(result);
    return result;
}

struct polynomial *formula_extremes(struct fw_formulas *f, const fw_cells *cells)
{
    struct work *work = &f->work;
    struct sides sides = {.content = {0}};
    if (!collect(f, cells, &sides))
        return NULL;
    bool least = is_extreme(f, cells, &sides, 1);
    if (!least && !is_extreme(f, cells, &sides, -1))
        return NULL;
    if (least && sides.zero) {
        sides.zero = false;
        for (size_t i = 0; i < cells->count && !sides.zero; i++)
            sides.zero =
                polynomial_is_zero(cells->at[i].value) && !is_zero_least(f, &cells->at[i], &sides);
    }
    const struct line *joint = divided(f, sides.at[0], sides.content);
    for (uint32_t i = 1; i < sides.count; i++)
        joint = formula_line(work, formula_extreme(f, least ? COLUMN_MINIMUM : COLUMN_MAXIMUM,
                                                   joint, divided(f, sides.at[i], sides.content)));
    if (sides.zero)
        joint = formula_line(
            work, formula_extreme(f, COLUMN_MAXIMUM, joint, formula_constant_line(work, 0)));
    return fw_polynomial_scale(work, fw_polynomial_line(work, joint, integer_constant(1)),
                               sides.content, integer_constant(1));
}

/* The side of a defined minimum that is the least in a region; NULL: it depends. */
static const struct line *least_side(struct fw_formulas *f, const struct state *region,
                                     const struct defined *defined)
{
    for (uint32_t i = 0; i < defined->side_count; i++) {
        bool least = true;
        for (uint32_t j = 0; j < defined->side_count && least; j++)
            least = j == i ||
                    formula_implies(f, region->lines, region->count,
                                    line_minus(&f->work, defined->sides[j], defined->sides[i]));
        if (least)
            return defined->sides[i];
    }
    return NULL;
}

static struct polynomial *decide_defined(struct fw_formulas *f, const struct state *region,
                                         struct polynomial *value)
{
    for (unsigned p = f->given_count + 1; p <= f->parameter_count; p++) {
        struct cell cell = {.value = value};
        const struct defined *defined = definition_of(f, p);
        if (!defined->side_count || formula_defined_minimum(f, &cell) == 0)
            continue;
        const struct line *side = least_side(f, region, defined);
        if (side)
            value = formula_replace(f, value, p, side);
    }
    return value;
}

struct polynomial *formula_decide_extremes(struct fw_formulas *f, const struct state *region,
                                           struct polynomial *value)
{
    struct work *work = &f->work;
    value = decide_defined(f, region, value);
    for (unsigned i = f->summation.floor_count; i-- > 0;) {
        const struct column *column = &f->columns[i];
        if ((column->kind != COLUMN_MINIMUM && column->kind != COLUMN_MAXIMUM) ||
            !fw_polynomial_has(value, first_column_of(f) + i))
            continue;
        struct line *gap = column->kind == COLUMN_MINIMUM ? line_minus(work, column->b, column->a)
                                                          : line_minus(work, column->a, column->b);
        const struct line *is = NULL;
        if (formula_implies(f, region->lines, region->count, gap))
            is = column->a;
        else if (formula_implies(f, region->lines, region->count,
                                 line_minus(work, formula_constant_line(work, 0), gap)))
            is = column->b;
        if (is)
            value = fw_polynomial_substitute(work, value, first_column_of(f) + i,
                                             fw_polynomial_line(work, is, integer_constant(1)));
    }
    return value;
}
