/* Formulas as text, and their values. */
#include "formula_internal.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_LONGEST = 8000 };

static void write_integer(const struct formula_writer *w, integer a)
{
    fw_integer_print(w->text, &w->f->work, a);
}

static void write_line(const struct formula_writer *w, const struct line *line);

static bool is_negative_only(const struct line *line)
{
    for (unsigned c = 1; c < line->width; c++)
        if (integer_sign(line->at[c]) > 0)
            return false;
    return true;
}

static bool has_one_term(const struct line *line)
{
    unsigned terms = 0;
    for (unsigned c = 0; c < line->width; c++)
        terms += !integer_is_zero(line->at[c]);
    return terms == 1;
}

/* (numerator) over divisor, in brackets where it is a sum. */
static void write_quotient(const struct formula_writer *w, const struct line *numerator,
                           integer divisor, const char *between)
{
    bool plain = has_one_term(numerator) && !w->isl;
    fw_buffer_printf(w->text, plain ? "" : "(");
    write_line(w, numerator);
    fw_buffer_printf(w->text, plain ? "%s" : ")%s", between);
    write_integer(w, divisor);
}

static void write_floor(const struct formula_writer *w, const struct floor_column *floor)
{
    struct work *work = &w->f->work;
    struct line *numerator = floor->numerator;
    integer most = integer_subtract(work, floor->divisor, integer_constant(1));
    integer constant = line_get(numerator, 0);
    integer twice = integer_add(work, constant, constant);
    if (!w->isl && integer_compare(work, twice, floor->divisor) >= 0) {
        fw_buffer_printf(w->text, "ceil(");
        write_quotient(w, fw_line_shift(work, numerator, integer_negate(work, most)),
                       floor->divisor, "/");
    } else {
        fw_buffer_printf(w->text, "floor(");
        write_quotient(w, numerator, floor->divisor, "/");
    }
    fw_buffer_printf(w->text, ")");
}

/* min(a, b, c): sides that are such columns themselves are written out flat. */
static void write_sides(const struct formula_writer *w, const struct line *side,
                        enum column_kind kind)
{
    struct fw_formulas *f = w->f;
    unsigned last = side->width - 1u;
    if (last >= first_column_of(f) && column_of(f, last)->kind == kind && has_one_term(side) &&
        integer_is(side->at[last], 1)) {
        write_sides(w, column_of(f, last)->a, kind);
        fw_buffer_printf(w->text, ", ");
        write_sides(w, column_of(f, last)->b, kind);
        return;
    }
    write_line(w, side);
}

static void write_column(const struct formula_writer *w, unsigned number);

static void write_definition(const struct formula_writer *w, const struct defined *defined)
{
    if (!defined->side_count) {
        write_column(w, defined->first);
        fw_buffer_printf(w->text, " * ");
        write_column(w, defined->second);
        return;
    }
    fw_buffer_printf(w->text, "min(");
    for (uint32_t i = 0; i < defined->side_count; i++) {
        fw_buffer_printf(w->text, i ? ", " : "");
        write_line(w, defined->sides[i]);
    }
    fw_buffer_printf(w->text, ")");
}

static void write_column(const struct formula_writer *w, unsigned number)
{
    struct fw_formulas *f = w->f;
    const struct defined *defined = definition_of(f, number);
    if (defined && (defined->side_count || !w->isl)) {
        write_definition(w, defined);
        return;
    }
    if (number <= f->parameter_count) {
        fw_buffer_printf(w->text, "%s", f->names[number - 1]);
        return;
    }
    const struct column *column = column_of(f, number);
    switch (column->kind) {
    case COLUMN_FLOOR:
        write_floor(w, &f->summation.floors[number - first_column_of(f)]);
        break;
    case COLUMN_RESIDUE:
        fw_buffer_printf(w->text, "(");
        write_quotient(w, column->a, column->modulus, " mod ");
        fw_buffer_printf(w->text, ")");
        break;
    default:
        fw_buffer_printf(w->text, column->kind == COLUMN_MINIMUM ? "min(" : "max(");
        write_sides(w, column->a, column->kind);
        fw_buffer_printf(w->text, ", ");
        write_sides(w, column->b, column->kind);
        fw_buffer_printf(w->text, ")");
    }
}

/* The sign and, unless it is 1 before a name, the size. */
static void write_factor(const struct formula_writer *w, integer factor, bool first, bool alone)
{
    bool negative = integer_sign(factor) < 0;
    factor = integer_absolute(&w->f->work, factor);
    fw_buffer_printf(w->text, first ? (negative ? "-" : "") : (negative ? " - " : " + "));
    if (!alone && integer_is(factor, 1))
        return;
    write_integer(w, factor);
    if (!alone)
        fw_buffer_printf(w->text, " * ");
}

/* Affine; positive terms first, the constant last unless it is the only positive one. */
static void write_line(const struct formula_writer *w, const struct line *line)
{
    bool first = true;
    bool constant_first = is_negative_only(line) && integer_sign(line_get(line, 0)) > 0;
    if (constant_first) {
        write_factor(w, line->at[0], true, true);
        first = false;
    }
    for (int sign = 1; sign >= -1; sign -= 2)
        for (unsigned c = 1; c < line->width; c++)
            if (integer_sign(line->at[c]) == sign) {
                write_factor(w, line->at[c], first, false);
                write_column(w, c);
                first = false;
            }
    if (!constant_first && (first || !integer_is_zero(line->at[0])))
        write_factor(w, line->at[0], first, true);
}

/* ---- polynomials ---- */

static void write_monomial(const struct formula_writer *w, monomial product, bool after)
{
    uint16_t columns[DEGREE_MOST + 1];
    unsigned degree = fw_monomial_columns(product, columns);
    for (unsigned i = 0; i < degree;) {
        unsigned power = 1;
        while (i + power < degree && columns[i + power] == columns[i])
            power++;
        if (i || after)
            fw_buffer_printf(w->text, " * ");
        const struct defined *defined = definition_of(w->f, columns[i]);
        bool brackets = power > 1 && defined && !defined->side_count && !w->isl;
        fw_buffer_printf(w->text, brackets ? "(" : "");
        write_column(w, columns[i]);
        fw_buffer_printf(w->text, brackets ? ")" : "");
        if (power > 1)
            fw_buffer_printf(w->text, "^%u", power);
        i += power;
    }
}

static void write_polynomial(const struct formula_writer *w, const struct polynomial *value);
static void write_terms(const struct formula_writer *w, const struct polynomial *value, bool first);

/* The column to take out of some terms, a minimum or maximum before others: it stands in several.
 */
static unsigned best_column(struct fw_formulas *f, const struct polynomial *value)
{
    uint16_t columns[128];
    unsigned count = formula_columns(value, columns, 128), best = 0, most = 1;
    for (unsigned i = 0; i < count; i++) {
        unsigned times = 0;
        bool several = columns[i] <= f->given_count;
        for (uint32_t t = 0; t < value->count; t++)
            times += fw_monomial_power(value->terms[t].columns, columns[i]) > 0;
        if (times < 2 || several || is_kind(f, columns[i], COLUMN_FLOOR))
            continue;
        if (times > most) {
            most = times;
            best = columns[i];
        }
    }
    return best;
}

/* Sums in which a minimum stands in several terms: "min(m, g) * (...) + ...".  False: none does. */
static bool write_nested(const struct formula_writer *w, const struct polynomial *value)
{
    struct work *work = &w->f->work;
    unsigned column = value->count > 2 ? best_column(w->f, value) : 0;
    if (!column)
        return false;
    struct polynomial *zero =
        fw_polynomial_constant(work, integer_constant(0), integer_constant(1));
    struct polynomial *rest = fw_polynomial_substitute(work, value, column, zero);
    struct polynomial *with = formula_minus(work, value, rest);
    write_polynomial(w, with);
    if (polynomial_is_zero(rest))
        return true;
    if (rest->count > 1 && !formula_common(work, rest)) {
        write_terms(w, rest, false);
        return true;
    }
    bool negative = true;
    for (uint32_t i = 0; i < rest->count; i++)
        negative = negative && integer_sign(rest->terms[i].coefficient) < 0;
    fw_buffer_printf(w->text, negative ? " - " : " + ");
    if (negative)
        rest = fw_polynomial_scale(work, rest, integer_constant(-1), integer_constant(1));
    write_polynomial(w, rest);
    return true;
}

/* A sum term by term; `first`: nothing stands before it. */
static void write_terms(const struct formula_writer *w, const struct polynomial *value, bool first)
{
    struct term *terms =
        fw_arena_copy(w->f->arena, value->terms, value->count * sizeof(struct term));
    qsort(terms, value->count, sizeof(struct term), fw_term_compare);
    for (uint32_t i = 0; i < value->count; i++) {
        write_factor(w, terms[i].coefficient, first && i == 0, terms[i].columns == 0);
        write_monomial(w, terms[i].columns, false);
    }
}

/* The content of all terms: their common divisor, taken out where they have columns in common. */
static integer common_content(struct work *work, const struct polynomial *value)
{
    integer content = {0};
    for (uint32_t i = 0; i < value->count; i++)
        content = integer_gcd(work, content, value->terms[i].coefficient);
    return content;
}

/* content * common columns * (the rest) / denominator */
static void write_polynomial(const struct formula_writer *w, const struct polynomial *value)
{
    struct work *work = &w->f->work;
    if (polynomial_is_zero(value)) {
        fw_buffer_printf(w->text, "0");
        return;
    }
    bool whole = integer_is(value->denominator, 1), single = value->count == 1;
    monomial common = formula_common(work, value);
    integer content =
        common || !whole || single ? common_content(work, value) : integer_constant(1);
    struct polynomial *rest = formula_divided(work, value, content, common);
    bool number = !integer_is(content, 1) || (!common && single) || (w->isl && !whole);
    if (single && integer_sign(rest->terms[0].coefficient) < 0)
        fw_buffer_printf(w->text, "-");
    if (number)
        write_integer(w, content);
    if (w->isl && !whole) {
        fw_buffer_printf(w->text, "/");
        write_integer(w, value->denominator);
    }
    write_monomial(w, common, number);
    if (!single) {
        bool brackets = number || common || !whole;
        fw_buffer_printf(w->text, number || common ? " * " : "");
        fw_buffer_printf(w->text, brackets ? "(" : "");
        if (!write_nested(w, rest))
            write_terms(w, rest, true);
        fw_buffer_printf(w->text, brackets ? ")" : "");
    }
    if (!w->isl && !whole) {
        fw_buffer_printf(w->text, "/");
        write_integer(w, value->denominator);
    }
}

/* ---- guards ---- */

/* line = p - m * floor(p / m) - c: "p mod m = c". */
static bool write_residue_guard(const struct formula_writer *w, const struct line *line)
{
    struct fw_formulas *f = w->f;
    struct work *work = &f->work;
    unsigned last = line->width - 1u;
    if (!line->equality || last < first_column_of(f) || !is_kind(f, last, COLUMN_FLOOR))
        return false;
    const struct floor_column *floor = &f->summation.floors[last - first_column_of(f)];
    integer factor = integer_negate(work, line->at[last]);
    struct line *product =
        fw_line_combine(work, factor, formula_line(work, last), integer_constant(1), line);
    int sign = integer_compare(work, factor, floor->divisor) == 0 ? 1 : -1;
    if (integer_compare(work, integer_absolute(work, factor), floor->divisor) != 0)
        return false;
    struct line *rest = fw_line_combine(work, integer_constant(sign), product, integer_constant(-1),
                                        floor->numerator);
    for (unsigned c = 1; c < rest->width; c++)
        if (!integer_is_zero(rest->at[c]))
            return false;
    write_quotient(w, fw_line_shift(work, floor->numerator, line_get(rest, 0)), floor->divisor,
                   " mod ");
    fw_buffer_printf(w->text, " = 0");
    return true;
}

/* Whether the assumptions turn the bound into an equality: n <= 0 where n >= 0. */
static bool is_tight(struct fw_formulas *f, const struct line *line)
{
    for (uint32_t i = 0; i < f->summation.context_count; i++) {
        const struct line *known = f->summation.context[i];
        if (!known->equality && known->hash == -line->hash &&
            fw_line_parallel(&f->work, known, line, -1) &&
            integer_is_zero(integer_add(&f->work, known->at[0], line->at[0])))
            return true;
    }
    return false;
}

/* Positive terms on the greater side: "256 * g <= n". */
static void write_guard(const struct formula_writer *w, const struct line *line)
{
    struct work *work = &w->f->work;
    struct line *left = fw_line_new(work, line->width, false);
    struct line *right = fw_line_new(work, line->width, false);
    unsigned column;
    if (write_residue_guard(w, line))
        return;
    bool upper = formula_bounds_column(line, &column) && integer_sign(line->at[column]) < 0;
    if (upper && is_tight(w->f, line)) {
        write_column(w, column);
        fw_buffer_printf(w->text, " = ");
        write_integer(w, line->at[0]);
        return;
    }
    for (unsigned c = 0; c < line->width; c++) {
        if (integer_sign(line->at[c]) > 0)
            right->at[c] = line->at[c];
        else
            left->at[c] = integer_negate(work, line->at[c]);
    }
    fw_line_finish(left);
    fw_line_finish(right);
    if (line->equality && is_negative_only(line) && integer_sign(line->at[0]) >= 0) {
        write_line(w, left);
        fw_buffer_printf(w->text, " = ");
        write_line(w, right);
        return;
    }
    if (upper || (is_negative_only(right) && !line->equality)) {
        write_line(w, left);
        fw_buffer_printf(w->text, " <= ");
        write_line(w, right);
        return;
    }
    if (formula_bounds_column(line, &column)) { /* n - 1 >= 0: n >= 1 */
        write_column(w, column);
        fw_buffer_printf(w->text, " >= ");
        write_integer(w, integer_negate(work, line->at[0]));
        return;
    }
    write_line(w, right);
    fw_buffer_printf(w->text, line->equality ? " = " : " >= ");
    write_line(w, left);
}

static void write_guards(const struct formula_writer *w, struct line *const *lines, uint32_t count)
{
    struct work *work = &w->f->work;
    bool *done = FW_ARRAY(work->arena, bool, count + 1), first = true;
    for (uint32_t i = 0; i < count; i++) {
        unsigned column, other;
        if (done[i])
            continue;
        fw_buffer_printf(w->text, first ? "" : " and ");
        first = false;
        if (!formula_bounds_column(lines[i], &column)) {
            write_guard(w, lines[i]);
            continue;
        }
        uint32_t j = i + 1;
        while (j < count &&
               !(formula_bounds_column(lines[j], &other) && other == column &&
                 integer_sign(lines[j]->at[column]) != integer_sign(lines[i]->at[column])))
            j++;
        if (j == count) {
            write_guard(w, lines[i]);
            continue;
        }
        bool lower_first = integer_sign(lines[i]->at[column]) > 0;
        write_integer(w, integer_negate(work, lines[lower_first ? i : j]->at[0]));
        fw_buffer_printf(w->text, " <= ");
        write_column(w, column);
        fw_buffer_printf(w->text, " <= ");
        write_integer(w, lines[lower_first ? j : i]->at[0]);
        done[j] = true;
    }
}

/* ---- whole formulas ---- */

enum { ROOTS_MOST = 6 };

/* A case's value; where it is a product over several columns, as that product. */
static void write_value(const struct formula_writer *w, const struct cell *cell)
{
    struct work *work = &w->f->work;
    struct formula_root roots[ROOTS_MOST];
    struct polynomial *rest;
    unsigned count = formula_roots(w->f, cell, roots, ROOTS_MOST, &rest);
    if (count < 2 || !integer_is(rest->denominator, 1)) {
        write_polynomial(w, cell->value);
        return;
    }
    bool one =
        rest->count == 1 && !rest->terms[0].columns && integer_is(rest->terms[0].coefficient, 1);
    bool sum = rest->count > 1;
    if (!one) {
        fw_buffer_printf(w->text, sum ? "(" : "");
        write_polynomial(w, rest);
        fw_buffer_printf(w->text, sum ? ") * " : " * ");
    }
    for (unsigned i = 0; i < count; i++) {
        fw_buffer_printf(w->text, i ? " * (" : "(");
        write_line(w, fw_line_shift(work, formula_line(work, roots[i].column),
                                    integer_of(work, -roots[i].at)));
        fw_buffer_printf(w->text, ")");
    }
}

void formula_write_cases(const struct formula_writer *w, const struct cell *cases, size_t count)
{
    bool *done = FW_ARRAY(w->f->arena, bool, count + 1), first = true;
    for (size_t i = 0; i < count; i++) {
        if (done[i])
            continue;
        fw_buffer_printf(w->text, first ? "" : "; ");
        first = false;
        write_value(w, &cases[i]);
        bool alone = true;
        for (size_t j = i + 1; j < count; j++)
            alone = alone && !fw_polynomial_equal(&w->f->work, cases[i].value, cases[j].value);
        if (cases[i].count)
            fw_buffer_printf(w->text, " : ");
        for (size_t j = i; j < count; j++) {
            if (done[j] ||
                (j > i && !fw_polynomial_equal(&w->f->work, cases[i].value, cases[j].value)))
                continue;
            done[j] = true;
            fw_buffer_printf(w->text, j == i ? "" : " or ");
            fw_buffer_printf(w->text, alone || cases[j].count < 2 ? "" : "(");
            write_guards(w, cases[j].lines, cases[j].count);
            fw_buffer_printf(w->text, alone || cases[j].count < 2 ? "" : ")");
        }
    }
    if (first)
        fw_buffer_printf(w->text, "0");
}

/* Whether the cases cover everything that the assumptions allow. */
static bool covers(struct fw_formulas *f, const struct fw_formula *formula)
{
    struct work *work = &f->work;
    FW_VECTOR(struct state) left = {0}, next;
    *FW_APPEND(f->arena, &left) = fw_state_new(work, 2, 0, f->summation.total);
    for (size_t i = 0; i < formula->cases.count; i++) {
        const struct cell *cell = &formula->cases.at[i];
        memset(&next, 0, sizeof(next));
        for (size_t r = 0; r < left.count; r++) {
            for (uint32_t l = 0; l < cell->count; l++)
                for (int sign = 1; sign >= (cell->lines[l]->equality ? -1 : 1); sign -= 2) {
                    struct line *outside =
                        fw_line_combine(work, integer_constant(-sign), cell->lines[l],
                                        integer_constant(-1), formula_constant_line(work, 1));
                    struct state part;
                    if (next.count < 64 && formula_narrow(f, &part, &left.at[r], &outside, 1))
                        *FW_APPEND(f->arena, &next) = part;
                }
        }
        left.at = next.at;
        left.count = next.count;
        left.capacity = next.capacity;
        if (left.count > 32)
            return false;
    }
    return left.count == 0;
}

const char *formula_finished(struct fw_formulas *f, const struct fw_buffer *text,
                             struct fw_arena *arena)
{
    const char *copy =
        text->length > TEXT_LONGEST ? NULL : fw_arena_text(arena, text->text, text->length);
    formula_settle(f, NULL);
    return copy;
}

const char *fw_formula_text(const struct fw_formula *formula, struct fw_formulas *f,
                            struct fw_arena *arena)
{
    struct fw_buffer text = fw_buffer_new(f->arena);
    struct formula_writer w = {f, &text, false};
    formula_begin(f);
    if (setjmp(f->work.failure)) {
        formula_forget(f);
        return NULL;
    }
    formula_write_cases(&w, formula->cases.at, formula->cases.count);
    if (formula->cases.count && !covers(f, formula))
        fw_buffer_printf(&text, "; else 0");
    return formula_finished(f, &text, arena);
}
