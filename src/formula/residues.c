/* Formulas: a function of a parameter and its residue in the normal form of truncated powers.
 *
 * With r = (n + shift) mod modulus, a function that is polynomial in n and r between breakpoints of
 * r is one polynomial in n, r, floor((n + shift') / modulus) (for jumps) and max(r - b, 0) or
 * min(r, b) (for bends) in exactly one way.  Of the moduli and shifts that its floors suggest, the
 * one with the shortest outcome is taken. */
#include "formula_internal.h"

#include <stdlib.h>

enum {
    PARTS_MOST = 96,
    BREAKS_MOST = 12,
    SHIFTS_MOST = 40,
    DIVISORS_MOST = 16,
    ASSEMBLED_MOST = 4
};

/* The function on residues from `start` on (of the shifted parameter); `single`: on one only. */
struct stretch {
    int64_t start, end;
    struct polynomial *value;
};

struct fitting {
    struct fw_formulas *f;
    unsigned parameter;
    int64_t modulus, shift;
    struct stretch parts[PARTS_MOST];
    uint32_t count;
    bool too_many;
};

static struct polynomial *constant_of(struct work *work, int64_t value)
{
    return fw_polynomial_constant(work, integer_of(work, value), integer_constant(1));
}

/* value with residue := residue + amount */
static struct polynomial *shifted(struct fw_formulas *f, struct polynomial *value, int64_t amount)
{
    if (!amount || !fw_polynomial_has(value, f->residue))
        return value;
    struct polynomial *by = fw_polynomial_add(&f->work, formula_column(&f->work, f->residue),
                                              constant_of(&f->work, amount));
    return fw_polynomial_substitute(&f->work, value, f->residue, by);
}

static struct polynomial *at_residue(struct fw_formulas *f, struct polynomial *value, int64_t r)
{
    if (!fw_polynomial_has(value, f->residue))
        return value;
    return fw_polynomial_substitute(&f->work, value, f->residue, constant_of(&f->work, r));
}

static int by_start(const void *left, const void *right)
{
    const struct stretch *a = left, *b = right;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->end > b->end) - (a->end < b->end);
}

/* One stretch of the old residues, in new ones; cut where the new ones begin again. */
static void add_part(struct fitting *fit, int64_t from, int64_t to, struct polynomial *value)
{
    while (from < to) {
        int64_t turns = (from + fit->shift) / fit->modulus;
        int64_t base = turns * fit->modulus - fit->shift; /* residue 0 of the new ones */
        int64_t end = to < base + fit->modulus ? to : base + fit->modulus;
        if (fit->count == PARTS_MOST) {
            fit->too_many = true;
            return;
        }
        fit->parts[fit->count++] =
            (struct stretch){from - base, end - base, value ? shifted(fit->f, value, base) : NULL};
        from = end;
    }
}

/* A value that serves both stretches; NULL: none.  Stretches of one residue ask for it there
 * alone. */
static struct polynomial *serves_both(struct fw_formulas *f, const struct stretch *a,
                                      const struct stretch *b)
{
    struct work *work = &f->work;
    if (!a->value || !b->value)
        return a->value ? a->value : b->value;
    if (fw_polynomial_equal(work, a->value, b->value))
        return a->value;
    if (b->end == b->start + 1 && fw_polynomial_equal(work, at_residue(f, a->value, b->start),
                                                      at_residue(f, b->value, b->start)))
        return a->value;
    if (a->end == a->start + 1 && fw_polynomial_equal(work, at_residue(f, a->value, a->start),
                                                      at_residue(f, b->value, a->start)))
        return b->value;
    return NULL;
}

/* Makes the parts, which come from several turns of the modulus, one function; false: they are
 * not. */
static bool overlay(struct fitting *fit)
{
    struct stretch out[PARTS_MOST];
    uint32_t count = 0;
    qsort(fit->parts, fit->count, sizeof(struct stretch), by_start);
    for (int64_t at = 0; at < fit->modulus;) {
        struct stretch here = {at, fit->modulus, NULL};
        for (uint32_t i = 0; i < fit->count; i++) {
            if (fit->parts[i].start > at && fit->parts[i].start < here.end)
                here.end = fit->parts[i].start;
            if (fit->parts[i].end > at && fit->parts[i].end < here.end)
                here.end = fit->parts[i].end;
        }
        for (uint32_t i = 0; i < fit->count; i++) {
            if (fit->parts[i].start > at || fit->parts[i].end <= at || !fit->parts[i].value)
                continue;
            struct stretch other = {here.start, here.end, fit->parts[i].value};
            struct polynomial *both = serves_both(fit->f, &here, &other);
            if (!both)
                return false;
            here.value = both;
        }
        struct polynomial *joint = count ? serves_both(fit->f, &out[count - 1], &here) : NULL;
        if (joint || (count && !here.value)) {
            out[count - 1].end = here.end;
            out[count - 1].value = joint;
        } else {
            if (count == PARTS_MOST)
                return false;
            out[count++] = here;
        }
        at = here.end;
    }
    fit->count = count;
    for (uint32_t i = 0; i < count; i++)
        fit->parts[i] = out[i];
    return count <= BREAKS_MOST && (count > 1 || out[0].value);
}

/* n + constant */
static struct line *moved(const struct fitting *fit, int64_t constant)
{
    struct work *work = &fit->f->work;
    return fw_line_shift(work, formula_line(work, fit->parameter), integer_of(work, constant));
}

static struct polynomial *floor_polynomial(const struct fitting *fit, int64_t constant)
{
    struct fw_formulas *f = fit->f;
    struct line *floor =
        fw_floor_of(&f->summation, moved(fit, constant), integer_of(&f->work, fit->modulus));
    return fw_polynomial_line(&f->work, floor, integer_constant(1));
}

/* 1 where the residue is at least b, else 0: floor((n + shift + m - b) / m) - floor((n + shift) /
 * m). */
static struct polynomial *at_least(const struct fitting *fit, int64_t b)
{
    return formula_minus(&fit->f->work, floor_polynomial(fit, fit->shift + fit->modulus - b),
                         floor_polynomial(fit, fit->shift));
}

static unsigned residue_column(const struct fitting *fit)
{
    struct fw_formulas *f = fit->f;
    int64_t within = ((fit->shift % fit->modulus) + fit->modulus) % fit->modulus;
    return formula_residue(f, moved(fit, within), integer_of(&f->work, fit->modulus));
}

/* difference * [residue >= b], or * [residue < b] when `below`. */
static struct polynomial *bend(const struct fitting *fit, struct polynomial *difference, int64_t b,
                               bool below)
{
    struct fw_formulas *f = fit->f;
    struct work *work = &f->work;
    /* In powers of residue - b: the power 0 jumps, the others bend. */
    struct polynomial *powers = shifted(f, difference, b);
    struct polynomial *jump = at_residue(f, powers, 0);
    struct polynomial *rest = formula_minus(work, powers, jump);
    struct polynomial *step = at_least(fit, b);
    if (below)
        step = formula_minus(work, constant_of(work, 1), step);
    struct polynomial *sum = fw_polynomial_multiply(work, jump, step);
    if (polynomial_is_zero(rest))
        return sum;
    struct line *r = formula_line(work, residue_column(fit));
    unsigned column = formula_extreme(f, below ? COLUMN_MINIMUM : COLUMN_MAXIMUM, r,
                                      formula_constant_line(work, b));
    struct polynomial *over =
        fw_polynomial_add(work, formula_column(work, column), constant_of(work, -b));
    return fw_polynomial_add(work, sum, fw_polynomial_substitute(work, rest, f->residue, over));
}

/* The residue as n + shift - m * floor(...), or as a column of its own: what is shorter. */
static struct polynomial *without_residue(const struct fitting *fit, struct polynomial *value)
{
    struct fw_formulas *f = fit->f;
    struct work *work = &f->work;
    if (!fw_polynomial_has(value, f->residue))
        return value;
    struct polynomial *floors =
        fw_polynomial_scale(work, floor_polynomial(fit, fit->shift),
                            integer_of(work, -fit->modulus), integer_constant(1));
    floors = fw_polynomial_add(
        work, fw_polynomial_line(work, moved(fit, fit->shift), integer_constant(1)), floors);
    struct polynomial *by_floor = fw_polynomial_substitute(work, value, f->residue, floors);
    struct polynomial *by_residue = fw_polynomial_substitute(
        work, value, f->residue, formula_column(work, residue_column(fit)));
    return by_residue->count < by_floor->count ? by_residue : by_floor;
}

static struct polynomial *assembled(const struct fitting *fit)
{
    struct fw_formulas *f = fit->f;
    struct work *work = &f->work;
    uint32_t last = fit->count - 1;
    bool below = last > 0 && !fw_polynomial_has(fit->parts[last].value, f->residue);
    struct polynomial *sum = without_residue(fit, fit->parts[below ? last : 0].value);
    for (uint32_t i = 1; i <= last; i++) {
        struct polynomial *step =
            below ? formula_minus(work, fit->parts[i - 1].value, fit->parts[i].value)
                  : formula_minus(work, fit->parts[i].value, fit->parts[i - 1].value);
        struct polynomial *part = bend(fit, step, fit->parts[i].start, below);
        sum = fw_polynomial_add(work, sum, part);
    }
    return sum;
}

/* How long a polynomial is to read: its terms, and what stands in them. */
static unsigned length_of(struct fw_formulas *f, const struct polynomial *value)
{
    uint16_t columns[128];
    unsigned count = formula_columns(value, columns, 128), length = 2 * value->count;
    for (unsigned i = 0; i < count; i++)
        if (columns[i] >= first_column_of(f))
            length += is_kind(f, columns[i], COLUMN_FLOOR)     ? 3
                      : is_kind(f, columns[i], COLUMN_RESIDUE) ? 4
                                                               : 10;
    return length;
}

/* Lays the function out with one modulus and shift: in how many stretches, 0: not so. */
static uint32_t fit_with(struct fitting *fit, int64_t period, const int64_t *starts,
                         struct polynomial *const *values, uint32_t count)
{
    fit->count = 0;
    fit->too_many = false;
    for (uint32_t j = 0; j < count; j++)
        add_part(fit, starts[j], j + 1 < count ? starts[j + 1] : period, values[j]);
    return fit->too_many || !overlay(fit) ? 0 : fit->count;
}

/* The plain cases: one polynomial without the residue everywhere. */
static struct polynomial *same_everywhere(struct fw_formulas *f, struct polynomial *const *values,
                                          uint32_t count)
{
    struct polynomial *one = NULL;
    for (uint32_t j = 0; j < count; j++) {
        if (!values[j])
            continue;
        if (fw_polynomial_has(values[j], f->residue) ||
            (one && !fw_polynomial_equal(&f->work, one, values[j])))
            return NULL;
        one = values[j];
    }
    return one;
}

struct polynomial *formula_of_residues(struct fw_formulas *f, unsigned parameter, int64_t period,
                                       const int64_t *starts, struct polynomial *const *values,
                                       uint32_t count)
{
    struct polynomial *best = same_everywhere(f, values, count);
    struct fitting *fit = FW_NEW(f->arena, struct fitting);
    uint32_t tried = 0, fewest = BREAKS_MOST + 1, stretches[SHIFTS_MOST] = {0};
    int64_t moduli[SHIFTS_MOST], shifts[SHIFTS_MOST];
    unsigned least = UINT32_MAX, assembled_count = 0;
    if (best)
        return best;
    fit->f = f;
    fit->parameter = parameter;
    for (int64_t divisor = DIVISORS_MOST; divisor > 0; divisor--) {
        if (period % divisor)
            continue;
        for (uint32_t j = 0; j < count && tried < SHIFTS_MOST && fewest > 1; j++, tried++) {
            moduli[tried] = fit->modulus = period / divisor;
            shifts[tried] = fit->shift = j ? fit->modulus - starts[j] % fit->modulus : 0;
            stretches[tried] = fit_with(fit, period, starts, values, count);
            if (stretches[tried] && stretches[tried] < fewest)
                fewest = stretches[tried];
        }
    }
    for (uint32_t t = 0; t < tried && assembled_count < ASSEMBLED_MOST; t++) {
        if (!stretches[t] || stretches[t] > fewest)
            continue;
        fit->modulus = moduli[t];
        fit->shift = shifts[t];
        fit_with(fit, period, starts, values, count);
        struct polynomial *found = assembled(fit);
        assembled_count++;
        if (length_of(f, found) < least) {
            best = found;
            least = length_of(f, found);
        }
    }
    if (!best)
        fw_work_fail(&f->work, FW_ERROR_BUDGET);
    return best;
}
