/* Formulas: parameters that stand for minima and products. */
#include "formula_internal.h"

#include <string.h>

static enum fw_status define(struct fw_formulas *f, const char *name, const struct defined *what)
{
    unsigned slot = f->parameter_count - f->given_count;
    if (slot == DEFINED_MOST)
        return FW_ERROR_BUDGET;
    f->names[f->parameter_count++] = fw_arena_text(f->kept, name, strlen(name));
    f->defined[slot] = *what;
    return FW_OK;
}

/* The context with further lines that are known to hold. */
static void know(struct fw_formulas *f, struct line *const *lines, uint32_t count)
{
    struct summation *s = &f->summation;
    struct line **context = FW_ARRAY(f->kept, struct line *, s->context_count + count + 1);
    for (uint32_t i = 0; i < s->context_count; i++)
        context[i] = s->context[i];
    for (uint32_t i = 0; i < count; i++)
        context[s->context_count + i] = lines[i];
    s->context = context;
    s->context_count += count;
}

/* Whether a line is not negative under the assumptions. */
static bool is_never_negative(struct fw_formulas *f, const struct line *line)
{
    f->work.arena = f->arena;
    bool never = formula_implies(f, NULL, 0, line);
    f->work.arena = f->kept;
    return never;
}

static enum fw_status define_minimum(struct fw_formulas *f, const char *name,
                                     const int64_t *const *sides, uint32_t count)
{
    struct work *work = &f->work;
    struct defined what = {.side_count = count};
    struct line *known[DEFINED_SIDES + 1];
    uint32_t known_count = 0;
    bool never = true;
    struct line *itself = formula_line(work, f->parameter_count + 1);
    for (uint32_t i = 0; i < count; i++) {
        struct line *side = fw_line_new(work, f->given_count + 1, false);
        for (unsigned p = 0; p <= f->given_count; p++)
            side->at[p] = integer_of(work, sides[i][p]);
        fw_line_finish(side);
        what.sides[i] = side;
        known[known_count++] =
            fw_line_combine(work, integer_constant(1), side, integer_constant(-1), itself);
        never = never && is_never_negative(f, side);
    }
    if (never)
        known[known_count++] = itself;
    enum fw_status status = define(f, name, &what);
    if (!status)
        know(f, known, known_count);
    return status;
}

/* Runs a definition in the kept memory. */
#define IN_KEPT_MEMORY(f, call)                                                                    \
    do {                                                                                           \
        (f)->work.steps = 0;                                                                       \
        (f)->work.arena = (f)->kept;                                                               \
        if (setjmp((f)->work.failure)) {                                                           \
            (f)->work.arena = (f)->arena;                                                          \
            return FW_ERROR_BUDGET;                                                                \
        }                                                                                          \
        enum fw_status status_ = call;                                                             \
        (f)->work.arena = (f)->arena;                                                              \
        return status_;                                                                            \
    } while (0)

enum fw_status fw_formulas_define_minimum(struct fw_formulas *f, const char *name,
                                          const int64_t *const *sides, uint32_t count)
{
    if (count > DEFINED_SIDES || !count)
        return FW_ERROR_BUDGET;
    IN_KEPT_MEMORY(f, define_minimum(f, name, sides, count));
}

static enum fw_status define_product(struct fw_formulas *f, const char *name, uint32_t first,
                                     uint32_t second)
{
    struct work *work = &f->work;
    struct defined what = {.first = first + 1, .second = second + 1};
    struct line *itself = formula_line(work, f->parameter_count + 1);
    bool never = is_never_negative(f, formula_line(work, what.first)) &&
                 is_never_negative(f, formula_line(work, what.second));
    enum fw_status status = define(f, name, &what);
    if (!status && never)
        know(f, &itself, 1);
    return status;
}

enum fw_status fw_formulas_define_product(struct fw_formulas *f, const char *name, uint32_t first,
                                          uint32_t second)
{
    IN_KEPT_MEMORY(f, define_product(f, name, first, second));
}

/* ---- replacing ---- */

static const struct line *replaced_column(struct fw_formulas *f, unsigned column,
                                          unsigned parameter, const struct line *by)
{
    struct work *work = &f->work;
    if (column == parameter)
        return by;
    if (column < first_column_of(f))
        return formula_line(work, column);
    const struct column what = *column_of(f, column);
    if (what.kind == COLUMN_FLOOR) {
        const struct floor_column floor = f->summation.floors[column - first_column_of(f)];
        return fw_floor_of(&f->summation, formula_replace_line(f, floor.numerator, parameter, by),
                           floor.divisor);
    }
    if (what.kind == COLUMN_FACTOR)
        return formula_line(work, column);
    struct line *a = formula_replace_line(f, what.a, parameter, by);
    if (what.kind == COLUMN_RESIDUE)
        return formula_line(work, formula_residue(f, a, what.modulus));
    return formula_line(
        work, formula_extreme(f, what.kind, a, formula_replace_line(f, what.b, parameter, by)));
}

struct line *formula_replace_line(struct fw_formulas *f, const struct line *line,
                                  unsigned parameter, const struct line *by)
{
    struct work *work = &f->work;
    struct line *sum = fw_line_new(work, 1, false);
    sum->at[0] = line->at[0];
    fw_line_finish(sum);
    for (unsigned c = 1; c < line->width; c++)
        if (!integer_is_zero(line->at[c]))
            sum = fw_line_combine(work, integer_constant(1), sum, line->at[c],
                                  replaced_column(f, c, parameter, by));
    sum->equality = line->equality;
    return sum;
}

struct polynomial *formula_replace(struct fw_formulas *f, struct polynomial *value,
                                   unsigned parameter, const struct line *by)
{
    struct work *work = &f->work;
    struct polynomial *sum = fw_polynomial_constant(work, integer_constant(0), integer_constant(1));
    for (uint32_t i = 0; i < value->count; i++) {
        struct polynomial *term =
            fw_polynomial_constant(work, value->terms[i].coefficient, value->denominator);
        for (monomial rest = value->terms[i].columns; rest; rest = monomial_rest(rest))
            term = fw_polynomial_multiply(
                work, term,
                fw_polynomial_line(work, replaced_column(f, monomial_first(rest), parameter, by),
                                   integer_constant(1)));
        sum = fw_polynomial_add(work, sum, term);
    }
    return sum;
}

/* ---- what leans on a definition ---- */

static unsigned minimum_in_line(struct fw_formulas *f, const struct line *line);

static unsigned minimum_in_column(struct fw_formulas *f, unsigned column)
{
    const struct defined *defined = definition_of(f, column);
    if (defined)
        return defined->side_count ? column : 0;
    if (column < first_column_of(f))
        return 0;
    const struct column *what = column_of(f, column);
    if (what->kind == COLUMN_FACTOR)
        return 0;
    if (what->kind == COLUMN_FLOOR)
        return minimum_in_line(f, f->summation.floors[column - first_column_of(f)].numerator);
    unsigned in_a = minimum_in_line(f, what->a);
    return in_a || !what->b ? in_a : minimum_in_line(f, what->b);
}

static unsigned minimum_in_line(struct fw_formulas *f, const struct line *line)
{
    for (unsigned c = 1; c < line->width; c++)
        if (!integer_is_zero(line->at[c])) {
            unsigned found = minimum_in_column(f, c);
            if (found)
                return found;
        }
    return 0;
}

unsigned formula_defined_minimum(struct fw_formulas *f, const struct cell *cell)
{
    unsigned found = 0;
    for (uint32_t i = 0; i < cell->count && !found; i++)
        found = minimum_in_line(f, cell->lines[i]);
    for (uint32_t i = 0; i < cell->value->count && !found; i++)
        for (monomial rest = cell->value->terms[i].columns; rest && !found;
             rest = monomial_rest(rest))
            found = minimum_in_column(f, monomial_first(rest));
    return found;
}
