/* Formulas: the cases of factors about one parameter laid beside each other.
 *
 * The parameter is n = period * q + r.  Within a range of n and an interval of r every guard is
 * constant and every floor is slope * q + a constant: the sum is a polynomial in n and r.  Ranges
 * are joined where the polynomials of one give the values of the other at all of its points. */
#include "formula_internal.h"
#include "quotient.h"

#include <stdlib.h>
#include <string.h>

enum {
    PERIOD_MOST = 4096,
    FLOORS_HERE = 48,
    INTERVALS_MOST = 64,
    GUARDS_MOST = 160,
    THRESHOLDS_MOST = 400,
    BLOCKS_MOST = 80,
    POINTS_MOST = 16,
    STRETCHES_MOST = 48,
    SUMS_KNOWN = 32
};

/* A floor as slope * q + at[r]. */
struct floor_table {
    unsigned column;
    int64_t slope;
    int64_t *at;
};

struct guard {
    const struct line *line;
    bool plain;   /* without floors */
    bool assumed; /* known to hold */
};

struct analysis {
    struct fw_formulas *f;
    unsigned parameter;
    int64_t period;
    struct floor_table floors[FLOORS_HERE];
    uint32_t floor_count;
    struct guard guards[GUARDS_MOST];
    uint32_t guard_count;
    int64_t starts[INTERVALS_MOST + 1]; /* of the intervals of r; behind the last: the period */
    uint32_t interval_count;
    int64_t thresholds[THRESHOLDS_MOST];
    uint32_t threshold_count;
    const struct factor *factors[32];
    uint32_t factor_count;
    struct truth {
        uint64_t leaves; /* a hash of which leaves hold */
        struct polynomial *value;
        struct polynomial **without; /* by interval, once it is needed */
    } known[SUMS_KNOWN];             /* the last sums, by which leaves hold */
    uint32_t next_known;
};

/* The function on a range: a polynomial by interval; NULL: no point, or one the assumptions
 * exclude. */
struct segment {
    int64_t low, high;
    struct polynomial **values;
};

static _Noreturn void give_up(struct analysis *a)
{
    fw_work_fail(&a->f->work, FW_ERROR_BUDGET);
}

static const struct floor_column *floor_at(const struct analysis *a, unsigned column)
{
    return &a->f->summation.floors[column - first_column_of(a->f)];
}

/* ---- what there is ---- */

/* Notes a floor and those in it first. */
static void note_floor(struct analysis *a, unsigned column)
{
    for (uint32_t i = 0; i < a->floor_count; i++)
        if (a->floors[i].column == column)
            return;
    const struct line *numerator = floor_at(a, column)->numerator;
    for (unsigned c = first_column_of(a->f); c < numerator->width; c++)
        if (!integer_is_zero(numerator->at[c]))
            note_floor(a, c);
    if (a->floor_count == FLOORS_HERE)
        give_up(a);
    a->floors[a->floor_count++].column = column;
}

static void note_floors_of(struct analysis *a, const struct polynomial *value)
{
    uint16_t columns[128];
    unsigned count = formula_columns(value, columns, 128);
    for (unsigned i = 0; i < count; i++)
        if (columns[i] >= first_column_of(a->f) &&
            formula_is_floor_of(a->f, columns[i], a->parameter))
            note_floor(a, columns[i]);
}

static bool is_about(struct analysis *a, const struct line *line)
{
    bool any = false;
    for (unsigned c = 1; c < line->width; c++) {
        if (integer_is_zero(line->at[c]))
            continue;
        if (c != a->parameter && !formula_is_floor_of(a->f, c, a->parameter))
            return false;
        any = true;
    }
    return any;
}

static void note_guard(struct analysis *a, const struct line *line, bool assumed)
{
    for (uint32_t i = 0; i < a->guard_count; i++)
        if (a->guards[i].line == line || fw_line_equal(&a->f->work, a->guards[i].line, line)) {
            a->guards[i].assumed |= assumed;
            return;
        }
    if (a->guard_count == GUARDS_MOST)
        give_up(a);
    bool plain = true;
    for (unsigned c = first_column_of(a->f); c < line->width; c++)
        if (!integer_is_zero(line->at[c])) {
            plain = false;
            note_floor(a, c);
        }
    a->guards[a->guard_count++] = (struct guard){line, plain, assumed};
}

static void gather(struct analysis *a, const struct polynomial *value)
{
    struct fw_formulas *f = a->f;
    uint16_t columns[128];
    unsigned count = formula_columns(value, columns, 128);
    for (unsigned i = 0; i < count; i++) {
        if (!is_kind(f, columns[i], COLUMN_FACTOR))
            continue;
        const struct factor *factor = &f->factors.at[column_of(f, columns[i])->factor];
        if (factor->kind != FACTOR_ONE || factor->parameter != a->parameter)
            continue;
        if (a->factor_count == 32)
            give_up(a);
        a->factors[a->factor_count++] = factor;
        for (size_t l = 0; l < factor->leaf_count; l++) {
            note_floors_of(a, factor->leaves[l].value);
            for (uint32_t g = 0; g < factor->leaves[l].guard_count; g++)
                note_guard(a, factor->leaves[l].guards[g], false);
        }
    }
    note_floors_of(a, value);
    for (uint32_t i = 0; i < f->summation.context_count; i++)
        if (is_about(a, f->summation.context[i]))
            note_guard(a, f->summation.context[i], true);
}

/* ---- residues ---- */

/* The period after which a floor repeats but for its slope. */
static int64_t period_of(struct analysis *a, unsigned column)
{
    const struct floor_column *floor = floor_at(a, column);
    int64_t inner = 1;
    for (unsigned c = first_column_of(a->f); c < floor->numerator->width; c++)
        if (!integer_is_zero(floor->numerator->at[c])) {
            int64_t here = period_of(a, c);
            inner = inner / fw_common_step(inner, here) * here;
        }
    int64_t divisor = formula_small(a->f, floor->divisor);
    if (divisor > PERIOD_MOST || inner * divisor > PERIOD_MOST)
        give_up(a);
    return inner * divisor;
}

/* A line as slope * q + constant at a residue. */
static void line_at(const struct analysis *a, const struct line *line, int64_t r, int64_t *slope,
                    int64_t *constant)
{
    struct fw_formulas *f = a->f;
    *constant = formula_small(f, line->at[0]);
    *slope = 0;
    if (line->width > a->parameter && !integer_is_zero(line->at[a->parameter])) {
        int64_t factor = formula_small(f, line->at[a->parameter]);
        if (factor > INT32_MAX || factor < INT32_MIN)
            fw_work_fail(&f->work, FW_ERROR_BUDGET);
        *slope += factor * a->period;
        *constant += factor * r;
    }
    for (uint32_t i = 0; i < a->floor_count; i++) {
        int64_t factor = formula_small(f, line_get(line, a->floors[i].column));
        if (factor > INT32_MAX || factor < INT32_MIN)
            fw_work_fail(&f->work, FW_ERROR_BUDGET);
        if (factor) {
            *slope += factor * a->floors[i].slope;
            *constant += factor * a->floors[i].at[r];
        }
    }
}

static void tabulate(struct analysis *a)
{
    for (uint32_t i = 0; i < a->floor_count; i++) {
        int64_t here = period_of(a, a->floors[i].column);
        a->period = a->period / fw_common_step(a->period, here) * here;
        if (a->period > PERIOD_MOST)
            give_up(a);
    }
    work_spend(&a->f->work, (uint64_t)(a->period * (1 + a->floor_count) / 64));
    for (uint32_t i = 0; i < a->floor_count; i++) {
        struct floor_table *table = &a->floors[i];
        const struct floor_column *floor = floor_at(a, table->column);
        int64_t divisor = formula_small(a->f, floor->divisor), slope, constant;
        table->at = FW_ARRAY(a->f->arena, int64_t, (size_t)a->period);
        for (int64_t r = 0; r < a->period; r++) {
            line_at(a, floor->numerator, r, &slope, &constant);
            table->at[r] = fw_floor_quotient(constant, divisor);
            table->slope = slope / divisor;
        }
    }
}

/* Whether residue r needs another interval than r - 1: a floor's constant differs, or a guard that
 * does not depend on q holds at one only. */
static bool starts_interval(struct analysis *a, int64_t r)
{
    int64_t slope, here, before;
    for (uint32_t i = 0; i < a->floor_count; i++)
        if (a->floors[i].at[r] != a->floors[i].at[r - 1])
            return true;
    for (uint32_t g = 0; g < a->guard_count; g++) {
        const struct guard *guard = &a->guards[g];
        if (guard->plain)
            continue;
        line_at(a, guard->line, r, &slope, &here);
        line_at(a, guard->line, r - 1, &slope, &before);
        if (slope == 0 &&
            (guard->line->equality ? (here == 0) != (before == 0) : (here >= 0) != (before >= 0)))
            return true;
    }
    return false;
}

static void find_intervals(struct analysis *a)
{
    a->interval_count = 1;
    for (int64_t r = 1; r < a->period; r++)
        if (starts_interval(a, r)) {
            if (a->interval_count == INTERVALS_MOST)
                give_up(a);
            a->starts[a->interval_count++] = r;
        }
    a->starts[a->interval_count] = a->period;
}

/* ---- ranges ---- */

static void note_threshold(struct analysis *a, int64_t at)
{
    for (uint32_t i = 0; i < a->threshold_count; i++)
        if (a->thresholds[i] == at)
            return;
    if (a->threshold_count == THRESHOLDS_MOST || at > FAR_AWAY / 4 || at < -FAR_AWAY / 4)
        give_up(a);
    a->thresholds[a->threshold_count++] = at;
}

/* The first x at which slope * x + constant >= 0 starts (slope > 0) or stops (slope < 0). */
static int64_t turn(int64_t slope, int64_t constant)
{
    return slope > 0 ? -fw_floor_quotient(constant, slope)
                     : fw_floor_quotient(constant, -slope) + 1;
}

/* Notes where a guard that is slope * x + constant turns, x being (n - r) / scale. */
static void note_turns(struct analysis *a, const struct guard *guard, int64_t slope,
                       int64_t constant, int64_t scale, int64_t r)
{
    if (guard->line->equality && slope < 0) {
        slope = -slope;
        constant = -constant;
    }
    int64_t x = turn(slope, constant);
    note_threshold(a, scale * x + r);
    if (guard->line->equality)
        note_threshold(a, scale * (x + 1) + r);
}

static void turns_of_guard(struct analysis *a, const struct guard *guard)
{
    int64_t slope, constant, after;
    if (guard->plain) {
        slope = formula_small(a->f, line_get(guard->line, a->parameter));
        constant = formula_small(a->f, guard->line->at[0]);
        note_turns(a, guard, slope, constant, 1, 0);
        return;
    }
    for (uint32_t j = 0; j < a->interval_count; j++) {
        line_at(a, guard->line, a->starts[j], &slope, &constant);
        line_at(a, guard->line, a->starts[j + 1] - 1, &slope, &after);
        int64_t last = constant == after ? a->starts[j] : a->starts[j + 1] - 1;
        for (int64_t r = a->starts[j]; slope && r <= last; r++) {
            line_at(a, guard->line, r, &slope, &constant);
            note_turns(a, guard, slope, constant, a->period, r);
        }
    }
}

static int ascending(const void *left, const void *right)
{
    const int64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* The least and greatest n of a range with a residue in interval j; false: none. */
static bool points_of(const struct analysis *a, const struct segment *segment, uint32_t j,
                      int64_t *sample)
{
    int64_t from = a->starts[j], to = a->starts[j + 1] - 1;
    if (segment->low > -FAR_AWAY) {
        int64_t base = fw_floor_quotient(segment->low, a->period) * a->period;
        for (int block = 0; block < 2; block++, base += a->period) {
            *sample = segment->low > base + from ? segment->low : base + from;
            if (*sample <= base + to)
                return *sample <= segment->high;
        }
        return false;
    }
    int64_t top = segment->high < FAR_AWAY ? segment->high : 0;
    int64_t base = fw_floor_quotient(top, a->period) * a->period;
    *sample = base + from <= top ? base + from : base - a->period + from;
    return true;
}

static bool holds(const struct analysis *a, const struct line *line, int64_t n)
{
    int64_t r = n - fw_floor_quotient(n, a->period) * a->period, slope, constant;
    line_at(a, line, r, &slope, &constant);
    wide value = (wide)slope * fw_floor_quotient(n, a->period) + constant;
    return line->equality ? value == 0 : value >= 0;
}

/* ---- values ---- */

/* The floors of the parameter at interval j: slope / period * (n - r) + a constant. */
static struct polynomial *without_floors(struct analysis *a, struct polynomial *value, uint32_t j)
{
    struct fw_formulas *f = a->f;
    struct work *work = &f->work;
    struct floor_form forms[FLOORS_HERE];
    for (uint32_t i = 0; i < a->floor_count; i++)
        forms[i] = (struct floor_form){a->floors[i].column, a->floors[i].slope,
                                       a->floors[i].at[a->starts[j]]};
    value = formula_without_floors(f, value, a->parameter, a->period, forms, a->floor_count);
    if (a->starts[j + 1] == a->starts[j] + 1 && fw_polynomial_has(value, f->residue))
        value = fw_polynomial_substitute(
            work, value, f->residue,
            fw_polynomial_constant(work, integer_of(work, a->starts[j]), integer_constant(1)));
    return value;
}

static bool leaf_holds(const struct analysis *a, const struct leaf *leaf, int64_t n)
{
    for (uint32_t g = 0; g < leaf->guard_count; g++)
        if (!holds(a, leaf->guards[g], n))
            return false;
    return true;
}

/* The sum at one point's range and interval. */
static struct truth *sum_at(struct analysis *a, struct polynomial *value, int64_t n)
{
    struct work *work = &a->f->work;
    uint64_t leaves = 1;
    for (uint32_t i = 0; i < a->factor_count; i++)
        for (size_t l = 0; l < a->factors[i]->leaf_count; l++) {
            leaves = leaves * 0x9e3779b97f4a7c15u + leaf_holds(a, &a->factors[i]->leaves[l], n);
            leaves ^= leaves >> 31;
        }
    for (uint32_t i = 0; i < SUMS_KNOWN; i++)
        if (a->known[i].value && a->known[i].leaves == leaves)
            return &a->known[i];
    for (uint32_t i = 0; i < a->factor_count; i++) {
        const struct factor *factor = a->factors[i];
        struct polynomial *sum =
            fw_polynomial_constant(work, integer_constant(0), integer_constant(1));
        for (size_t l = 0; l < factor->leaf_count; l++)
            if (leaf_holds(a, &factor->leaves[l], n))
                sum = fw_polynomial_add(work, sum, factor->leaves[l].value);
        value = fw_polynomial_substitute(work, value, factor->column, sum);
    }
    struct truth *place = &a->known[a->next_known++ % SUMS_KNOWN];
    *place = (struct truth){leaves, value,
                            FW_ARRAY(a->f->arena, struct polynomial *, a->interval_count)};
    return place;
}

/* The same without floors: n has a residue of interval j. */
static struct polynomial *value_at(struct analysis *a, struct polynomial *value, int64_t n,
                                   uint32_t j)
{
    struct truth *sum = sum_at(a, value, n);
    if (!sum->without[j])
        sum->without[j] = without_floors(a, sum->value, j);
    return sum->without[j];
}

static bool is_assumed_at(struct analysis *a, int64_t n)
{
    for (uint32_t g = 0; g < a->guard_count; g++)
        if (a->guards[g].assumed && !holds(a, a->guards[g].line, n))
            return false;
    return true;
}

/* Fills the values of a range; false: the assumptions leave no point of it. */
static bool fill(struct analysis *a, struct segment *segment, struct polynomial *value)
{
    bool any = false;
    segment->values = FW_ARRAY(a->f->arena, struct polynomial *, a->interval_count);
    for (uint32_t j = 0; j < a->interval_count; j++) {
        int64_t n;
        if (!points_of(a, segment, j, &n) || !is_assumed_at(a, n))
            continue;
        segment->values[j] = value_at(a, value, n, j);
        any = true;
    }
    return any;
}

/* value with the residue as it is in block q of the period: n - period * q. */
static struct polynomial *in_block(struct analysis *a, struct polynomial *value, int64_t q)
{
    struct fw_formulas *f = a->f;
    struct work *work = &f->work;
    if (!fw_polynomial_has(value, f->residue))
        return value;
    struct line *r = fw_line_new(work, f->residue, false);
    r->at[a->parameter] = integer_constant(1);
    r->at[0] = integer_of(work, -q * a->period);
    fw_line_finish(r);
    return fw_polynomial_substitute(work, value, f->residue,
                                    fw_polynomial_line(work, r, integer_constant(1)));
}

/* Whether a difference is 0 for n from `from` to `to`, all in block q of the period. */
static bool vanishes(struct analysis *a, struct polynomial *difference, int64_t q, int64_t from,
                     int64_t to)
{
    struct work *work = &a->f->work;
    difference = in_block(a, difference, q);
    if (polynomial_is_zero(difference))
        return true;
    if (to - from >= POINTS_MOST)
        return false;
    for (int64_t n = from; n <= to; n++)
        if (!polynomial_is_zero(fw_polynomial_substitute(
                work, difference, a->parameter,
                fw_polynomial_constant(work, integer_of(work, n), integer_constant(1)))))
            return false;
    return true;
}

/* Whether the functions agree at all points of a range. */
static bool agree(struct analysis *a, const struct segment *range, struct polynomial *const *x,
                  struct polynomial *const *y)
{
    struct work *work = &a->f->work;
    for (uint32_t j = 0; j < a->interval_count; j++) {
        if (!x[j] || x[j] == y[j] || (y[j] && fw_polynomial_equal(work, x[j], y[j])))
            continue;
        if (!y[j] || range->low <= -FAR_AWAY || range->high >= FAR_AWAY)
            return false;
        struct polynomial *difference = formula_minus(work, x[j], y[j]);
        int64_t first = fw_floor_quotient(range->low, a->period);
        int64_t last = fw_floor_quotient(range->high, a->period);
        if (last - first > BLOCKS_MOST)
            return false;
        for (int64_t q = first; q <= last; q++) {
            int64_t from = q * a->period + a->starts[j], to = q * a->period + a->starts[j + 1] - 1;
            from = from < range->low ? range->low : from;
            to = to > range->high ? range->high : to;
            if (from <= to && !vanishes(a, difference, q, from, to))
                return false;
        }
    }
    return true;
}

/* A function that serves both ranges, where one says nothing the other's; NULL: there is none. */
static struct polynomial **shared(struct analysis *a, const struct segment *x,
                                  const struct segment *y)
{
    struct polynomial **both = FW_ARRAY(a->f->arena, struct polynomial *, a->interval_count);
    for (int way = 0; way < 2; way++) {
        const struct segment *first = way ? y : x, *second = way ? x : y;
        for (uint32_t j = 0; j < a->interval_count; j++)
            both[j] = first->values[j] ? first->values[j] : second->values[j];
        if (agree(a, second, second->values, both))
            return both;
    }
    return NULL;
}

static void analyse(struct analysis *a, const struct polynomial *value)
{
    a->period = 1;
    gather(a, value);
    tabulate(a);
    find_intervals(a);
    for (uint32_t g = 0; g < a->guard_count; g++)
        turns_of_guard(a, &a->guards[g]);
    qsort(a->thresholds, a->threshold_count, sizeof(*a->thresholds), ascending);
}

typedef FW_VECTOR(struct segment) segment_list;

/* Adds a range below those that there are: to the last one, where one function serves both. */
static void add_segment(struct analysis *a, segment_list *segments, const struct segment *segment)
{
    struct segment *above = segments->count ? &segments->at[segments->count - 1] : NULL;
    struct polynomial **both = above ? shared(a, above, segment) : NULL;
    if (!both) {
        *FW_APPEND(a->f->arena, segments) = *segment;
        return;
    }
    above->low = segment->low;
    above->values = both;
}

/* A short range, cut where its intervals begin: there the floors are constants, and the function is
 * a polynomial in n alone. False: the range is not short. */
static bool add_short(struct analysis *a, segment_list *segments, const struct segment *whole,
                      struct polynomial *value)
{
    if (whole->low <= -FAR_AWAY || whole->high >= FAR_AWAY)
        return false;
    int64_t first = fw_floor_quotient(whole->low, a->period);
    int64_t last = fw_floor_quotient(whole->high, a->period);
    if ((last - first) * a->interval_count > STRETCHES_MOST)
        return false;
    for (int64_t q = last; q >= first; q--)
        for (uint32_t j = a->interval_count; j-- > 0;) {
            struct segment part = {q * a->period + a->starts[j],
                                   q * a->period + a->starts[j + 1] - 1, NULL};
            part.low = part.low < whole->low ? whole->low : part.low;
            part.high = part.high > whole->high ? whole->high : part.high;
            if (part.low > part.high || !is_assumed_at(a, part.low))
                continue;
            struct polynomial *here = in_block(a, value_at(a, value, part.low, j), q);
            part.values = FW_ARRAY(a->f->arena, struct polynomial *, a->interval_count);
            for (uint32_t i = 0; i < a->interval_count; i++)
                part.values[i] = here;
            add_segment(a, segments, &part);
        }
    return true;
}

static fw_range_cases cases_of(struct analysis *a, struct polynomial *value)
{
    segment_list segments = {0};
    fw_range_cases cases = {0};
    /* From the top down, so that small cases are taken into large ones. */
    for (uint32_t t = a->threshold_count + 1; t-- > 0;) {
        struct segment segment = {t ? a->thresholds[t - 1] : -FAR_AWAY,
                                  t < a->threshold_count ? a->thresholds[t] - 1 : FAR_AWAY, NULL};
        if (segment.low > segment.high || add_short(a, &segments, &segment, value))
            continue;
        if (fill(a, &segment, value))
            add_segment(a, &segments, &segment);
    }
    for (size_t i = 0; i < segments.count; i++) {
        struct segment *segment = &segments.at[i];
        struct range_case here = {i + 1 == segments.count ? -FAR_AWAY : segment->low,
                                  i ? segment->high : FAR_AWAY,
                                  formula_of_residues(a->f, a->parameter, a->period, a->starts,
                                                      segment->values, a->interval_count)};
        if (segment->low == segment->high)
            here.value = formula_replace(a->f, here.value, a->parameter,
                                         formula_constant_line(&a->f->work, segment->low));
        struct range_case *above = cases.count ? &cases.at[cases.count - 1] : NULL;
        if (above && fw_polynomial_equal(&a->f->work, above->value, here.value))
            above->low = here.low;
        else
            *FW_APPEND(a->f->arena, &cases) = here;
    }
    return cases;
}

fw_range_cases formula_one_parameter(struct fw_formulas *f, struct polynomial *value,
                                     unsigned parameter)
{
    struct analysis *a = FW_NEW(f->arena, struct analysis);
    a->f = f;
    a->parameter = parameter;
    analyse(a, value);
    return cases_of(a, value);
}
