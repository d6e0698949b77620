#include "simplify.h"

#include <string.h>

enum { VALUES_MOST = 16, TERMS_SHARED_MOST = 400 };

static unsigned first_floor(const struct summation *s)
{
    return 1 + s->variables + s->parameters;
}

static struct line *line_of_column(struct work *work, unsigned column)
{
    struct line *line = fw_line_new(work, column + 1, false);
    line->at[column] = integer_constant(1);
    fw_line_finish(line);
    return line;
}

/* What a replaced parameter makes of columns: NULL, nothing. */
struct replacement {
    struct summation *summation;
    unsigned parameter;
    const struct line *value;
    const struct line *floors[FLOORS_MOST];
    bool known[FLOORS_MOST];
};

static const struct line *replaced_floor(struct replacement *replacement, unsigned index);

static struct line *replaced_line(struct replacement *replacement, const struct line *line)
{
    struct summation *s = replacement->summation;
    struct work *work = s->work;
    struct line *sum = fw_line_new(work, 1, false);
    sum->at[0] = line->at[0];
    for (unsigned column = 1; column < line->width; column++) {
        if (integer_is_zero(line->at[column]))
            continue;
        const struct line *part = line_of_column(work, column);
        if (column == replacement->parameter)
            part = replacement->value;
        else if (column >= first_floor(s))
            part = replaced_floor(replacement, column - first_floor(s));
        sum = fw_line_combine(work, integer_constant(1), sum, line->at[column], part);
    }
    return sum;
}

/* What floor `index` is after the replacement. */
static const struct line *replaced_floor(struct replacement *replacement, unsigned index)
{
    struct summation *s = replacement->summation;
    if (!replacement->known[index]) {
        struct line *numerator = replaced_line(replacement, s->floors[index].numerator);
        replacement->floors[index] = fw_floor_of(s, numerator, s->floors[index].divisor);
        replacement->known[index] = true;
    }
    return replacement->floors[index];
}

/* The polynomial with parameter := value, within floors, too. */
static struct polynomial *replace_parameter(struct summation *s, const struct polynomial *value,
                                            unsigned parameter, const struct line *by, bool outside)
{
    struct work *work = s->work;
    struct replacement replacement = {.summation = s, .parameter = parameter, .value = by};
    struct polynomial *sum = fw_polynomial_constant(work, integer_constant(0), integer_constant(1));
    for (uint32_t i = 0; i < value->count; i++) {
        struct polynomial *term =
            fw_polynomial_constant(work, value->terms[i].coefficient, value->denominator);
        for (monomial rest = value->terms[i].columns; rest; rest = monomial_rest(rest)) {
            unsigned column = monomial_first(rest);
            const struct line *factor = line_of_column(work, column);
            if (column == parameter && outside)
                factor = by;
            else if (column >= first_floor(s))
                factor = replaced_floor(&replacement, column - first_floor(s));
            term = fw_polynomial_multiply(work, term,
                                          fw_polynomial_line(work, factor, integer_constant(1)));
        }
        sum = fw_polynomial_add(work, sum, term);
    }
    return sum;
}

/* A parameter with a unit coefficient in an equality, and what it equals; 0: none. */
static unsigned solve_for_parameter(struct summation *s, const struct line *line,
                                    struct line **value)
{
    if (!line->equality)
        return 0;
    for (unsigned column = s->variables + 1; column < first_floor(s); column++)
        if (integer_is_unit(line_get(line, column))) {
            *value = fw_line_solved(s->work, line, column);
            return column;
        }
    return 0;
}

/* floor := -rest / c where c * floor + rest = 0 is the equality, for its last floor. */
static struct polynomial *resolve_floor(struct summation *s, struct polynomial *value,
                                        const struct line *line)
{
    struct work *work = s->work;
    unsigned column = line->equality ? line->width - 1u : 0;
    while (column >= first_floor(s) && integer_is_zero(line->at[column]))
        column--;
    if (column < first_floor(s) || !fw_polynomial_has(value, column))
        return value;
    integer coefficient = line->at[column];
    struct line *rest = fw_line_solved(work, line, column);
    return fw_polynomial_substitute(
        work, value, column, fw_polynomial_line(work, rest, integer_absolute(work, coefficient)));
}

/* With f = floor(e / 2), e - 2 f is 0 or 1 and so its own square: f^2 = e f - e^2/4 + e/4 - f/2. */
static struct polynomial *reduce_halves(struct summation *s, struct polynomial *value)
{
    struct work *work = s->work;
    for (unsigned i = 0; i < s->floor_count; i++) {
        unsigned column = first_floor(s) + i;
        if (!integer_is(s->floors[i].divisor, 2))
            continue;
        struct polynomial *e =
            fw_polynomial_line(work, s->floors[i].numerator, integer_constant(1));
        struct polynomial *f =
            fw_polynomial_line(work, line_of_column(work, column), integer_constant(1));
        struct polynomial *minus_e =
            fw_polynomial_scale(work, e, integer_constant(-1), integer_constant(1));
        struct polynomial *square = fw_polynomial_multiply(work, e, minus_e);
        square = fw_polynomial_scale(work, fw_polynomial_add(work, square, e), integer_constant(1),
                                     integer_constant(4));
        square = fw_polynomial_add(work, square, fw_polynomial_multiply(work, e, f));
        square = fw_polynomial_add(
            work, square, fw_polynomial_scale(work, f, integer_constant(-1), integer_constant(2)));
        value = fw_polynomial_reduce_power(work, value, column, 2, square);
    }
    return value;
}

static struct polynomial *under_equality(struct summation *s, struct polynomial *value,
                                         const struct line *line)
{
    struct line *by = NULL;
    unsigned parameter = solve_for_parameter(s, line, &by);
    bool constant = parameter && by->hash == 0 && by->mask == 0;
    if (parameter)
        value = replace_parameter(s, value, parameter, by, constant);
    return resolve_floor(s, value, line);
}

void fw_cell_simplify(struct summation *s, struct cell *cell)
{
    for (uint32_t i = 0; i < s->context_count; i++)
        if (s->context[i]->equality)
            cell->value = under_equality(s, cell->value, s->context[i]);
    for (uint32_t i = 0; i < cell->count; i++)
        if (cell->lines[i]->equality)
            cell->value = under_equality(s, cell->value, cell->lines[i]);
    cell->value = reduce_halves(s, cell->value);
}

/* The constant range of a parameter within a cell: its length, 0 for none or a long one. */
static int64_t short_range(struct summation *s, const struct cell *cell, unsigned parameter,
                           int64_t *from)
{
    const struct line *low = NULL;
    const struct line *high = NULL;
    for (uint32_t i = 0; i < cell->count; i++) {
        const struct line *line = cell->lines[i];
        bool alone = integer_is_unit(line_get(line, parameter)) && !line->equality;
        for (unsigned column = 1; column < line->width && alone; column++)
            alone = column == parameter || integer_is_zero(line->at[column]);
        if (!alone)
            continue;
        if (integer_sign(line_get(line, parameter)) > 0)
            low = line;
        else
            high = line;
    }
    if (!low || !high || !integer_is_small(low->at[0]) || !integer_is_small(high->at[0]))
        return 0;
    integer length =
        integer_add(s->work, integer_add(s->work, low->at[0], high->at[0]), integer_constant(1));
    *from = -integer_small(low->at[0]);
    return integer_small(length) > VALUES_MOST ? 0 : integer_small(length);
}

/* Whether an equality of the cell rules the parameter's value out. */
static bool rules_out(struct summation *s, const struct cell *cell, unsigned parameter,
                      const struct line *value)
{
    struct replacement replacement = {.summation = s, .parameter = parameter, .value = value};
    for (uint32_t i = 0; i < cell->count; i++) {
        if (!cell->lines[i]->equality)
            continue;
        struct line *line = replaced_line(&replacement, cell->lines[i]);
        if (!line->mask && !line->hash && !integer_is_zero(line->at[0]))
            return true;
    }
    return false;
}

/* Whether two polynomials agree at all points of a cell: by its equalities, and by the values of
 * parameters that have few.  False also when it cannot be told. */
static bool agree(struct summation *s, const struct cell *cell, struct polynomial *a,
                  struct polynomial *b)
{
    struct work *work = s->work;
    struct polynomial *minus_b =
        fw_polynomial_scale(work, b, integer_constant(-1), integer_constant(1));
    struct polynomial *difference = fw_polynomial_add(work, a, minus_b);
    for (uint32_t i = 0; i < cell->count; i++) {
        struct line *by = NULL;
        unsigned parameter = solve_for_parameter(s, cell->lines[i], &by);
        if (parameter)
            difference = replace_parameter(s, difference, parameter, by, true);
    }
    if (polynomial_is_zero(difference))
        return true;
    for (unsigned i = 0; i < s->parameters; i++) {
        unsigned parameter = s->variables + 1 + i;
        int64_t from = 0;
        int64_t length = short_range(s, cell, parameter, &from);
        int64_t at = from;
        for (; at < from + length; at++) {
            struct line *by = fw_line_new(work, 1, false);
            by->at[0] = integer_of(work, at);
            if (!rules_out(s, cell, parameter, by) &&
                !polynomial_is_zero(replace_parameter(s, difference, parameter, by, true)))
                break;
        }
        if (length && at == from + length)
            return true;
    }
    return false;
}

/* Whether a cell is thin: an equality holds in it, or a parameter has few values. */
static bool is_thin(struct summation *s, const struct cell *cell)
{
    int64_t from;
    for (uint32_t i = 0; i < cell->count; i++)
        if (cell->lines[i]->equality)
            return true;
    for (unsigned i = 0; i < s->parameters; i++)
        if (short_range(s, cell, s->variables + 1 + i, &from))
            return true;
    return false;
}

void fw_cells_share(struct summation *s, fw_cells *cells)
{
    for (size_t i = 0; i < cells->count; i++) {
        struct cell *cell = &cells->at[i];
        if (!is_thin(s, cell) || cell->value->count > TERMS_SHARED_MOST)
            continue;
        for (size_t j = 0; j < cells->count; j++) {
            struct polynomial *other = cells->at[j].value;
            if (i == j || other->count > TERMS_SHARED_MOST || is_thin(s, &cells->at[j]) ||
                !agree(s, cell, cell->value, other))
                continue;
            cell->value = other;
            break;
        }
    }
}
