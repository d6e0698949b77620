/* Formulas: factors brought over, sums of products, and their cases laid out. */
#include "formula_internal.h"
#include "leaves.h"
#include "set_pieces.h"

#include <stdlib.h>
#include <string.h>

enum {
    DEFAULT_FORMULA_BUDGET = 40000,
    FACTOR_BUDGET = 15000,
    LEAVES_MOST = 96,
    COLUMNS_IN_VALUE = 128
};
static const size_t scratch_most = (size_t)24 << 20, kept_most = (size_t)24 << 20;

struct line *formula_line(struct work *work, unsigned column)
{
    struct line *line = fw_line_new(work, column + 1, false);
    line->at[column] = integer_constant(1);
    fw_line_finish(line);
    return line;
}

struct line *formula_constant_line(struct work *work, int64_t value)
{
    struct line *line = fw_line_new(work, 1, false);
    line->at[0] = integer_of(work, value);
    fw_line_finish(line);
    return line;
}

struct polynomial *formula_column(struct work *work, unsigned column)
{
    return fw_polynomial_line(work, formula_line(work, column), integer_constant(1));
}

struct polynomial *formula_minus(struct work *work, const struct polynomial *a,
                                 const struct polynomial *b)
{
    return fw_polynomial_add(
        work, a, fw_polynomial_scale(work, b, integer_constant(-1), integer_constant(1)));
}

int64_t formula_small(struct fw_formulas *f, integer a)
{
    if (!integer_is_small(a) || integer_small(a) > FAR_AWAY || integer_small(a) < -FAR_AWAY)
        fw_work_fail(&f->work, FW_ERROR_BUDGET);
    return integer_small(a);
}

unsigned formula_columns(const struct polynomial *a, uint16_t *list, unsigned most)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < a->count; i++)
        for (monomial rest = a->terms[i].columns; rest; rest = monomial_rest(rest)) {
            unsigned column = monomial_first(rest), known = 0;
            while (known < count && list[known] != column)
                known++;
            if (known == count && count < most)
                list[count++] = (uint16_t)column;
        }
    return count;
}

/* ---- monomials ---- */

/* The greatest monomial that divides all terms. */
monomial formula_common(struct work *work, const struct polynomial *value)
{
    monomial common = value->terms[0].columns;
    for (uint32_t i = 1; i < value->count; i++) {
        monomial shared = 0;
        for (monomial rest = common; rest; rest = monomial_rest(rest)) {
            unsigned column = monomial_first(rest);
            if (fw_monomial_power(shared, column) <
                fw_monomial_power(value->terms[i].columns, column))
                shared = fw_monomial_multiply(work, shared, monomial_of(column));
        }
        common = shared;
    }
    return common;
}

/* a without the columns of `by`, which divides it. */
static monomial divide_monomial(struct work *work, monomial a, monomial by)
{
    monomial quotient = 0;
    for (monomial rest = a; rest; rest = monomial_rest(rest)) {
        unsigned column = monomial_first(rest);
        if (fw_monomial_power(quotient, column) + fw_monomial_power(by, column) <
            fw_monomial_power(a, column))
            quotient = fw_monomial_multiply(work, quotient, monomial_of(column));
    }
    return quotient;
}

/* What is left of the numerators when their content and the common columns are taken out. */
struct polynomial *formula_divided(struct work *work, const struct polynomial *value,
                                   integer content, monomial common)
{
    struct polynomial *sum = fw_polynomial_constant(work, integer_constant(0), integer_constant(1));
    for (uint32_t i = 0; i < value->count; i++) {
        struct polynomial *term = fw_polynomial_constant(
            work, integer_floor(work, value->terms[i].coefficient, content), integer_constant(1));
        monomial rest = divide_monomial(work, value->terms[i].columns, common);
        for (; rest; rest = monomial_rest(rest))
            term = fw_polynomial_multiply(work, term, formula_column(work, monomial_first(rest)));
        sum = fw_polynomial_add(work, sum, term);
    }
    return sum;
}

static struct polynomial *times(struct work *work, const struct polynomial *value, monomial by)
{
    struct polynomial *product =
        fw_polynomial_scale(work, value, integer_constant(1), integer_constant(1));
    for (; by; by = monomial_rest(by))
        product = fw_polynomial_multiply(work, product, formula_column(work, monomial_first(by)));
    return product;
}

/* ---- columns ---- */

/* A new column with two lines that hold wherever it occurs. */
static unsigned new_column(struct fw_formulas *f, struct column what, struct line *low,
                           struct line *high)
{
    struct summation *s = &f->summation;
    unsigned column = first_column_of(f) + s->floor_count;
    if (s->floor_count == FLOORS_MOST || column > COLUMNS_MOST)
        fw_work_fail(&f->work, FW_ERROR_BUDGET);
    f->columns[s->floor_count] = what;
    s->floors[s->floor_count++] = (struct floor_column){
        .numerator = formula_constant_line(&f->work, 0), .low = low, .high = high};
    return column;
}

unsigned formula_extreme(struct fw_formulas *f, enum column_kind kind, const struct line *a,
                         const struct line *b)
{
    struct work *work = &f->work;
    for (unsigned i = 0; i < f->summation.floor_count; i++) {
        const struct column *old = &f->columns[i];
        if (old->kind == kind &&
            ((fw_line_equal(work, old->a, a) && fw_line_equal(work, old->b, b)) ||
             (fw_line_equal(work, old->a, b) && fw_line_equal(work, old->b, a))))
            return first_column_of(f) + i;
    }
    struct line *itself = formula_line(work, first_column_of(f) + f->summation.floor_count);
    integer sign = integer_constant(kind == COLUMN_MINIMUM ? 1 : -1);
    integer minus = integer_constant(kind == COLUMN_MINIMUM ? -1 : 1);
    return new_column(f, (struct column){.kind = kind, .a = a, .b = b},
                      fw_line_combine(work, sign, a, minus, itself),
                      fw_line_combine(work, sign, b, minus, itself));
}

unsigned formula_residue(struct fw_formulas *f, const struct line *a, integer modulus)
{
    struct work *work = &f->work;
    for (unsigned i = 0; i < f->summation.floor_count; i++)
        if (f->columns[i].kind == COLUMN_RESIDUE && fw_line_equal(work, f->columns[i].a, a) &&
            integer_compare(work, f->columns[i].modulus, modulus) == 0)
            return first_column_of(f) + i;
    struct line *itself = formula_line(work, first_column_of(f) + f->summation.floor_count);
    struct line *zero = formula_constant_line(work, 0);
    struct line *high =
        fw_line_combine(work, integer_constant(-1), itself, integer_constant(0), zero);
    high = fw_line_shift(work, high, integer_subtract(work, modulus, integer_constant(1)));
    return new_column(f, (struct column){.kind = COLUMN_RESIDUE, .a = a, .modulus = modulus},
                      itself, high);
}

/* ---- factors ---- */

/* The count's leaves in the workplace's columns; those that the assumptions rule out are left out,
 * guards that they imply as well. */
static void bring_over(struct fw_formulas *f, struct factor *factor)
{
    struct work *work = &f->work;
    struct summation *s = &f->summation;
    struct fw_leaves all;
    const struct fw_leaves *count = &all;
    uint16_t map[COLUMNS_MOST + 2] = {0};
    if (!fw_count_leaves(&all, factor->count) || all.leaf_count > LEAVES_MOST)
        fw_work_fail(work, FW_ERROR_BUDGET);
    for (unsigned p = 0; p < count->parameter_count; p++) {
        unsigned at = 0;
        while (at < f->parameter_count && strcmp(f->names[at], count->parameters[p]) != 0)
            at++;
        if (at == f->parameter_count)
            fw_work_fail(work, FW_ERROR_BUDGET);
        map[1 + p] = (uint16_t)(1 + at);
    }
    for (unsigned i = 0; i < count->floor_count; i++)
        map[1 + count->parameter_count + i] =
            (uint16_t)fw_floor_column(s, fw_line_map(work, count->floors[i].numerator, map),
                                      fw_integer_copy(work, count->floors[i].divisor));
    factor->leaves = FW_ARRAY(work->arena, struct leaf, count->leaf_count + 1);
    for (size_t i = 0; i < count->leaf_count; i++) {
        const struct leaf *from = &count->leaves[i];
        struct state state = fw_state_new(work, from->guard_count + 4, 0, s->total);
        for (uint32_t j = 0; j < from->guard_count; j++)
            state.lines[state.count++] = fw_line_map(work, from->guards[j], map);
        if (!fw_state_tidy(s, &state) || !fw_state_reduce(s, &state) || !fw_state_tidy(s, &state))
            continue;
        factor->leaves[factor->leaf_count++] =
            (struct leaf){.guards = state.lines,
                          .guard_count = state.count,
                          .value = fw_polynomial_map(work, from->value, map)};
    }
}

/* The one parameter that a line and the floors in it are about: 0 none, UINT_MAX several. */
static unsigned about(struct fw_formulas *f, const struct line *line)
{
    unsigned found = 0;
    for (unsigned column = 1; column < line->width; column++) {
        if (integer_is_zero(line->at[column]))
            continue;
        unsigned here = column;
        if (column >= first_column_of(f))
            here = is_kind(f, column, COLUMN_FLOOR)
                       ? about(f, f->summation.floors[column - first_column_of(f)].numerator)
                       : UINT32_MAX;
        if (found && here && found != here)
            return UINT32_MAX;
        found = here ? here : found;
    }
    return found;
}

bool formula_is_floor_of(struct fw_formulas *f, unsigned column, unsigned parameter)
{
    return is_kind(f, column, COLUMN_FLOOR) &&
           about(f, f->summation.floors[column - first_column_of(f)].numerator) == parameter;
}

static void classify(struct fw_formulas *f, struct factor *factor)
{
    struct work *work = &f->work;
    unsigned guards = 0, parameter = 0;
    for (size_t i = 0; i < factor->leaf_count; i++)
        for (uint32_t j = 0; j < factor->leaves[i].guard_count; j++) {
            unsigned here = about(f, factor->leaves[i].guards[j]);
            guards++;
            parameter = parameter && parameter != here ? UINT32_MAX : here;
        }
    if (!guards) {
        factor->value = fw_polynomial_constant(work, integer_constant(0), integer_constant(1));
        for (size_t i = 0; i < factor->leaf_count; i++)
            factor->value = fw_polynomial_add(work, factor->value, factor->leaves[i].value);
        factor->kind = FACTOR_SIMPLE;
        return;
    }
    if (parameter != UINT32_MAX && parameter) {
        factor->parameter = parameter;
        factor->kind = FACTOR_ONE;
        return;
    }
    factor->cells = fw_cells_whole(&f->summation, factor->leaves, factor->leaf_count);
    factor->value = formula_extremes(f, &factor->cells);
    factor->kind = factor->value ? FACTOR_SIMPLE : FACTOR_SEVERAL;
}

/* The factor of a count, made at its first use. */
static struct factor *factor_of(struct fw_formulas *f, const struct fw_count *count)
{
    for (size_t i = 0; i < f->factors.count; i++)
        if (f->factors.at[i].count == count)
            return &f->factors.at[i];
    uint32_t index = (uint32_t)f->factors.count;
    *FW_APPEND(f->kept, &f->factors) = (struct factor){.count = count, .kind = FACTOR_FAILED};
    struct factor factor = {.count = count, .kind = FACTOR_FAILED};
    uint64_t spent = f->work.steps;
    f->work.steps = 0; /* a factor's work is no one sum's */
    f->work.step_budget = FACTOR_BUDGET;
    f->failing = count;
    bring_over(f, &factor);
    classify(f, &factor);
    f->failing = NULL;
    f->work.steps = spent;
    f->work.step_budget = f->budget;
    if (factor.kind != FACTOR_SIMPLE) {
        struct line *zero = formula_constant_line(&f->work, 0);
        factor.column =
            new_column(f, (struct column){.kind = COLUMN_FACTOR, .factor = index}, zero, zero);
    }
    f->factors.at[index] = factor;
    return &f->factors.at[index];
}

static struct polynomial *sum_of_products(struct fw_formulas *f, const struct fw_product *products,
                                          size_t count)
{
    struct work *work = &f->work;
    struct polynomial *sum = fw_polynomial_constant(work, integer_constant(0), integer_constant(1));
    for (size_t i = 0; i < count; i++) {
        struct polynomial *product =
            fw_polynomial_constant(work, integer_of(work, products[i].factor), integer_constant(1));
        for (uint32_t j = 0; j < products[i].count; j++) {
            const struct factor *factor = factor_of(f, products[i].counts[j]);
            if (factor->kind == FACTOR_FAILED)
                fw_work_fail(work, FW_ERROR_BUDGET);
            product = fw_polynomial_multiply(work, product,
                                             factor->kind == FACTOR_SIMPLE
                                                 ? factor->value
                                                 : formula_column(work, factor->column));
        }
        sum = fw_polynomial_add(work, sum, product);
    }
    return sum;
}

/* ---- cases ---- */

bool formula_narrow(struct fw_formulas *f, struct state *result, const struct state *region,
                    struct line *const *lines, uint32_t count)
{
    struct work *work = &f->work;
    *result = fw_state_new(work, region->count + count + 2, 0, f->summation.total);
    for (uint32_t i = 0; i < region->count; i++)
        result->lines[result->count++] = region->lines[i];
    for (uint32_t i = 0; i < count; i++)
        result->lines[result->count++] = lines[i];
    return fw_state_tidy(&f->summation, result) && fw_state_reduce(&f->summation, result) &&
           fw_state_tidy(&f->summation, result);
}

static void lay_out(struct fw_formulas *f, struct fw_formula *formula, const struct state *region,
                    struct polynomial *value, uint64_t done);

/* The parameter whose cases come next; 0: none. One with cases before one with floors alone. */
static unsigned next_parameter(struct fw_formulas *f, const struct polynomial *value, uint64_t done)
{
    uint16_t columns[COLUMNS_IN_VALUE];
    unsigned count = formula_columns(value, columns, COLUMNS_IN_VALUE), found = 0;
    for (unsigned i = 0; i < count; i++) {
        if (is_kind(f, columns[i], COLUMN_FACTOR)) {
            const struct factor *factor = &f->factors.at[column_of(f, columns[i])->factor];
            if (factor->kind == FACTOR_ONE)
                return factor->parameter;
        }
    }
    for (unsigned i = 0; i < count; i++) {
        unsigned one =
            is_kind(f, columns[i], COLUMN_FLOOR)
                ? about(f, f->summation.floors[columns[i] - first_column_of(f)].numerator)
                : UINT32_MAX;
        if (one != UINT32_MAX && one && !(done >> (one & 63) & 1))
            found = one;
    }
    return found;
}

/* The columns that all terms have and that have nothing to do with the parameter. */
static monomial apart_from(struct fw_formulas *f, const struct polynomial *value,
                           unsigned parameter)
{
    struct work *work = &f->work;
    monomial apart = 0;
    for (monomial rest = formula_common(work, value); rest; rest = monomial_rest(rest)) {
        unsigned column = monomial_first(rest);
        if (column != parameter &&
            (column <= f->parameter_count || is_kind(f, column, COLUMN_MINIMUM) ||
             is_kind(f, column, COLUMN_MAXIMUM)))
            apart = fw_monomial_multiply(work, apart, monomial_of(column));
    }
    return apart;
}

/* The ranges of a parameter with floors but no cases of its own: their normal form is welcome, not
 * needed.  False: it is past what is allowed. */
static bool try_ranges(struct fw_formulas *f, fw_range_cases *ranges, struct polynomial *value,
                       unsigned parameter)
{
    jmp_buf outer;
    memcpy(&outer, &f->work.failure, sizeof(outer));
    if (setjmp(f->work.failure)) {
        memcpy(&f->work.failure, &outer, sizeof(outer));
        return false;
    }
    *ranges = formula_one_parameter(f, value, parameter);
    memcpy(&f->work.failure, &outer, sizeof(outer));
    return true;
}

static bool has_cases(struct fw_formulas *f, const struct polynomial *value, unsigned parameter)
{
    uint16_t columns[COLUMNS_IN_VALUE];
    unsigned count = formula_columns(value, columns, COLUMNS_IN_VALUE);
    for (unsigned i = 0; i < count; i++)
        if (is_kind(f, columns[i], COLUMN_FACTOR) &&
            f->factors.at[column_of(f, columns[i])->factor].parameter == parameter)
            return true;
    return false;
}

static void lay_out_ranges(struct fw_formulas *f, struct fw_formula *formula,
                           const struct state *region, struct polynomial *value, unsigned parameter,
                           uint64_t done)
{
    struct work *work = &f->work;
    monomial apart = apart_from(f, value, parameter);
    integer content = integer_constant(1);
    if (apart) {
        integer denominator = value->denominator;
        value = fw_polynomial_scale(work, formula_divided(work, value, content, apart),
                                    integer_constant(1), denominator);
    }
    fw_range_cases ranges = {0};
    if (has_cases(f, value, parameter))
        ranges = formula_one_parameter(f, value, parameter);
    else if (!try_ranges(f, &ranges, value, parameter))
        *FW_APPEND(f->arena, &ranges) = (struct range_case){-FAR_AWAY, FAR_AWAY, value};
    for (size_t i = 0; i < ranges.count; i++) {
        const struct range_case *range = &ranges.at[i];
        struct line *bounds[2];
        uint32_t count = 0;
        struct line *itself = formula_line(work, parameter);
        if (range->low == range->high) {
            bounds[count] = fw_line_shift(work, itself, integer_of(work, -range->low));
            bounds[count++]->equality = true;
        } else {
            if (range->low > -FAR_AWAY)
                bounds[count++] = fw_line_shift(work, itself, integer_of(work, -range->low));
            if (range->high < FAR_AWAY)
                bounds[count++] =
                    fw_line_combine(work, integer_constant(-1), itself, integer_constant(1),
                                    formula_constant_line(work, range->high));
        }
        struct state part;
        if (formula_narrow(f, &part, region, bounds, count))
            lay_out(f, formula, &part, times(work, range->value, apart),
                    done | (uint64_t)1 << (parameter & 63));
    }
}

static bool lay_out_cells(struct fw_formulas *f, struct fw_formula *formula,
                          const struct state *region, const struct polynomial *value, uint64_t done)
{
    uint16_t columns[COLUMNS_IN_VALUE];
    unsigned count = formula_columns(value, columns, COLUMNS_IN_VALUE), place = 0;
    while (place < count && !is_kind(f, columns[place], COLUMN_FACTOR))
        place++;
    if (place == count)
        return false;
    struct factor factor = f->factors.at[column_of(f, columns[place])->factor];
    for (size_t i = 0; i < factor.cells.count; i++) {
        const struct cell *cell = &factor.cells.at[i];
        struct state part;
        if (formula_narrow(f, &part, region, cell->lines, cell->count))
            lay_out(f, formula, &part,
                    fw_polynomial_substitute(&f->work, value, columns[place], cell->value), done);
    }
    return true;
}

/* Whether b says the opposite of a: a >= 0 is b <= -1. */
static bool opposite(struct work *work, const struct line *a, const struct line *b)
{
    return !a->equality && !b->equality && a->hash == -b->hash &&
           fw_line_parallel(work, a, b, -1) &&
           integer_is(integer_add(work, a->at[0], b->at[0]), -1);
}

/* Two cases with equal values that differ in one line, the one's the opposite of the other's, are
 * one case without it. */
static bool join(struct fw_formulas *f, struct cell *a, const struct cell *b)
{
    struct work *work = &f->work;
    uint32_t different = UINT32_MAX;
    if (a->count != b->count || !fw_polynomial_equal(work, a->value, b->value))
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        bool same = false, against = false;
        for (uint32_t j = 0; j < b->count; j++) {
            same |= fw_line_equal(work, a->lines[i], b->lines[j]);
            against |= opposite(work, a->lines[i], b->lines[j]);
        }
        if (same)
            continue;
        if (!against || different != UINT32_MAX)
            return false;
        different = i;
    }
    if (different == UINT32_MAX)
        return false;
    a->lines[different] = a->lines[--a->count];
    return true;
}

static void join_all(struct fw_formulas *f, fw_cells *cases)
{
    for (bool joined = true; joined;) {
        joined = false;
        for (size_t i = 0; i < cases->count; i++)
            for (size_t j = i + 1; j < cases->count && !joined; j++)
                if (join(f, &cases->at[i], &cases->at[j])) {
                    memmove(&cases->at[j], &cases->at[j + 1],
                            (cases->count - j - 1) * sizeof(struct cell));
                    cases->count--;
                    joined = true;
                }
    }
}

static void lay_out(struct fw_formulas *f, struct fw_formula *formula, const struct state *region,
                    struct polynomial *value, uint64_t done)
{
    if (polynomial_is_zero(value))
        return;
    unsigned parameter = next_parameter(f, value, done);
    if (parameter) {
        lay_out_ranges(f, formula, region, value, parameter, done);
        return;
    }
    if (lay_out_cells(f, formula, region, value, done))
        return;
    value = formula_decide_extremes(f, region, value);
    if (polynomial_is_zero(value))
        return;
    if (formula->cases.count == CASES_MOST)
        fw_work_fail(&f->work, FW_ERROR_BUDGET);
    *FW_APPEND(f->arena, &formula->cases) =
        (struct cell){.lines = region->lines, .count = region->count, .value = value};
}

static struct fw_formula *derive(struct fw_formulas *f, const struct fw_product *products,
                                 size_t count)
{
    struct fw_formula *result = FW_NEW(f->kept, struct fw_formula);
    struct state everywhere = fw_state_new(&f->work, 2, 0, f->summation.total);
    lay_out(f, result, &everywhere, sum_of_products(f, products, count), 0);
    join_all(f, &result->cases);
    formula_settle(f, result);
    return result;
}

enum fw_status fw_formula_of(const struct fw_formula **formula, struct fw_formulas *f,
                             const struct fw_product *products, size_t count)
{
    *formula = NULL;
    formula_begin(f);
    if (setjmp(f->work.failure)) {
        formula_forget(f);
        return f->work.status;
    }
    *formula = derive(f, products, count);
    return FW_OK;
}

/* ---- the workplace ---- */

struct fw_formulas *fw_formulas_new(const char *const *parameters, size_t parameter_count,
                                    const struct fw_set *assumptions, uint64_t budget)
{
    struct fw_formulas *f = calloc(1, sizeof(*f));
    struct fw_arena *arena = fw_arena_new(scratch_most), *kept = fw_arena_new(kept_most);
    if (!f || !arena || !kept || parameter_count > FW_FORMULAS_MOST) {
        fw_arena_free(arena);
        fw_arena_free(kept);
        free(f);
        return NULL;
    }
    f->arena = arena;
    f->kept = kept;
    f->budget = budget ? budget : DEFAULT_FORMULA_BUDGET;
    fw_work_init(&f->work, kept, f->budget); /* what is made at first is kept */
    f->parameter_count = (unsigned)parameter_count;
    f->given_count = f->parameter_count;
    f->residue = f->parameter_count + DEFINED_MOST + 1;
    f->names = FW_ARRAY(kept, const char *, f->residue + 1);
    for (size_t p = 0; p < parameter_count; p++)
        f->names[p] = fw_arena_text(kept, parameters[p], strlen(parameters[p]));
    for (unsigned p = f->parameter_count; p < f->residue; p++)
        f->names[p] = fw_arena_printf(kept, "spare__%u", p);
    fw_summation_init(&f->summation, &f->work, 0, f->residue);
    f->summation.numeric = false;
    /* Over the workplace's parameters in their order, the scratch column behind them. */
    if (assumptions && fw_assumptions_context(&f->summation, assumptions, f->names) != FW_OK) {
        fw_formulas_free(f);
        return NULL;
    }
    f->settled = f->summation.floor_count;
    f->work.arena = arena;
    fw_arena_on_exhausted(arena, &f->work.failure);
    fw_arena_unhurried(arena);
    return f;
}

void fw_formulas_free(struct fw_formulas *f)
{
    if (!f)
        return;
    fw_arena_free(f->arena);
    fw_arena_free(f->kept);
    fw_work_clear(&f->work);
    free(f);
}
