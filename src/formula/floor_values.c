/* Formulas: floors replaced by what they are at a residue, all at once.
 *
 * Each term becomes a dense polynomial in n and the residue, in whole numbers over a power of the
 * period; numbers that leave 62 bits go the slow way, one substitution after the other. */
#include "formula_internal.h"

#include <string.h>

enum { SIDE = DEGREE_MOST + 1 };

/* sum of at[i][j] * n^i * residue^j */
struct dense {
    wide at[SIDE][SIDE];
    unsigned degree;
};

static bool is_large(wide a)
{
    return a > ((wide)1 << 62) || a < -((wide)1 << 62);
}

/* dense * (on_n * n + on_r * residue + constant); false: too large. */
static bool multiply(struct dense *dense, int64_t on_n, int64_t on_r, int64_t constant)
{
    unsigned degree = dense->degree + 1;
    if (degree >= SIDE)
        return false;
    /* From the highest powers down, in place: each needs lower ones only. */
    for (unsigned i = degree + 1; i-- > 0;)
        for (unsigned j = degree - i + 1; j-- > 0;) {
            wide sum = dense->at[i][j] * constant;
            sum += i ? dense->at[i - 1][j] * on_n : 0;
            sum += j ? dense->at[i][j - 1] * on_r : 0;
            if (is_large(sum))
                return false;
            dense->at[i][j] = sum;
        }
    dense->degree = degree;
    return true;
}

static const struct floor_form *find(const struct floor_form *floors, uint32_t count,
                                     unsigned column)
{
    for (uint32_t i = 0; i < count; i++)
        if (floors[i].column == column)
            return &floors[i];
    return NULL;
}

static bool is_large_form(const struct floor_form *floor, int64_t period)
{
    const int64_t most = (int64_t)1 << 50;
    return floor->constant > most / period || floor->constant < -most / period ||
           floor->slope > most || floor->slope < -most;
}

/* One term as a dense polynomial beside the columns that are not replaced, over period^`floors`. */
static bool expand(struct fw_formulas *f, const struct term *term, unsigned parameter,
                   int64_t period, const struct floor_form *floors, uint32_t count,
                   struct dense *dense, monomial *others, unsigned *powers)
{
    memset(dense, 0, sizeof(*dense));
    *others = 0;
    *powers = 0;
    if (!integer_is_small(term->coefficient))
        return false;
    dense->at[0][0] = integer_small(term->coefficient);
    for (monomial rest = term->columns; rest; rest = monomial_rest(rest)) {
        unsigned column = monomial_first(rest);
        const struct floor_form *floor = find(floors, count, column);
        if (floor) {
            ++*powers;
            if (is_large_form(floor, period) ||
                !multiply(dense, floor->slope, -floor->slope, floor->constant * period))
                return false;
        } else if (column == parameter) {
            if (!multiply(dense, 1, 0, 0))
                return false;
        } else {
            *others = fw_monomial_multiply(&f->work, *others, monomial_of(column));
        }
    }
    return true;
}

static unsigned most_floors(const struct polynomial *value, const struct floor_form *floors,
                            uint32_t count)
{
    unsigned most = 0;
    for (uint32_t t = 0; t < value->count; t++) {
        unsigned here = 0;
        for (monomial rest = value->terms[t].columns; rest; rest = monomial_rest(rest))
            here += find(floors, count, monomial_first(rest)) != NULL;
        most = here > most ? here : most;
    }
    return most;
}

/* What stands beside one product of columns that are not replaced. */
struct group {
    monomial others;
    struct dense sum;
};
typedef FW_VECTOR(struct group) group_list;

/* Adds dense * scale to its group; false: too large. */
static bool add_to_group(struct fw_formulas *f, group_list *groups, const struct dense *dense,
                         monomial others, wide scale)
{
    size_t g = 0;
    while (g < groups->count && groups->at[g].others != others)
        g++;
    if (g == groups->count)
        *FW_APPEND(f->arena, groups) = (struct group){.others = others};
    struct dense *sum = &groups->at[g].sum;
    for (unsigned i = 0; i <= dense->degree; i++)
        for (unsigned j = 0; i + j <= dense->degree; j++) {
            wide c = dense->at[i][j];
            sum->at[i][j] += c * scale;
            if (is_large(c * scale) || is_large(sum->at[i][j]))
                return false;
        }
    sum->degree = sum->degree > dense->degree ? sum->degree : dense->degree;
    return true;
}

/* The groups as one polynomial over a denominator. */
static struct polynomial *sum_of_groups(struct fw_formulas *f, const group_list *groups,
                                        unsigned parameter, integer denominator)
{
    struct work *work = &f->work;
    FW_VECTOR(struct term) terms = {0};
    for (size_t g = 0; g < groups->count; g++) {
        const struct dense *dense = &groups->at[g].sum;
        monomial on_n = groups->at[g].others;
        for (unsigned i = 0; i <= dense->degree; i++) {
            monomial on_r = on_n;
            for (unsigned j = 0; i + j <= dense->degree; j++) {
                if (dense->at[i][j])
                    *FW_APPEND(f->arena, &terms) =
                        (struct term){on_r, integer_of(work, (int64_t)dense->at[i][j])};
                if (i + j < dense->degree)
                    on_r = fw_monomial_multiply(work, on_r, monomial_of(f->residue));
            }
            if (i < dense->degree)
                on_n = fw_monomial_multiply(work, on_n, monomial_of(parameter));
        }
    }
    return fw_polynomial_of_terms(work, terms.at, (uint32_t)terms.count, denominator);
}

static struct polynomial *at_once(struct fw_formulas *f, const struct polynomial *value,
                                  unsigned parameter, int64_t period,
                                  const struct floor_form *floors, uint32_t count)
{
    struct work *work = &f->work;
    unsigned most = most_floors(value, floors, count);
    group_list groups = {0};
    integer denominator = value->denominator;
    wide all = 1;
    for (unsigned i = 0; i < most; i++) {
        all *= period;
        denominator = integer_multiply(work, denominator, integer_of(work, period));
        if (all > ((wide)1 << 60))
            return NULL;
    }
    for (uint32_t t = 0; t < value->count; t++) {
        struct dense dense;
        monomial others;
        unsigned powers;
        if (!expand(f, &value->terms[t], parameter, period, floors, count, &dense, &others,
                    &powers))
            return NULL;
        wide scale = all;
        for (unsigned i = 0; i < powers; i++)
            scale /= period;
        if (!add_to_group(f, &groups, &dense, others, scale))
            return NULL;
    }
    return sum_of_groups(f, &groups, parameter, denominator);
}

struct polynomial *formula_without_floors(struct fw_formulas *f, struct polynomial *value,
                                          unsigned parameter, int64_t period,
                                          const struct floor_form *floors, uint32_t count)
{
    struct work *work = &f->work;
    if (!most_floors(value, floors, count))
        return value;
    struct polynomial *quick = at_once(f, value, parameter, period, floors, count);
    if (quick)
        return quick;
    for (uint32_t i = 0; i < count; i++) {
        if (!fw_polynomial_has(value, floors[i].column))
            continue;
        struct line *q = fw_line_new(work, f->residue + 1, false);
        q->at[parameter] = integer_of(work, floors[i].slope);
        q->at[f->residue] = integer_of(work, -floors[i].slope);
        q->at[0] =
            integer_multiply(work, integer_of(work, floors[i].constant), integer_of(work, period));
        fw_line_finish(q);
        value = fw_polynomial_substitute(work, value, floors[i].column,
                                         fw_polynomial_line(work, q, integer_of(work, period)));
    }
    return value;
}
