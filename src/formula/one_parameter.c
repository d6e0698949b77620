/* Formulas: the cases of factors about one parameter laid beside each other.
 *
 * The parameter is n = period * q + r.  Within a range of n and an interval of r every guard is
 * constant and every floor is slope * q + a constant: the sum is a polynomial in n and r.  Ranges
 * are joined where the polynomials of one give the values of the other at all of its points. */
#include "one_parameter_internal.h"
#include "quotient.h"

/* The function on a range: a polynomial by interval; NULL: no point, or one the assumptions
 * exclude. */
struct segment {
    int64_t low, high;
    struct polynomial **values;
};

/* The least and greatest n of a range with a residue in interval j; false: none. */
static bool points_of(const struct parameter_analysis *a, const struct segment *segment, uint32_t j,
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

static bool holds(const struct parameter_analysis *a, const struct line *line, int64_t n)
{
    int64_t r = n - fw_floor_quotient(n, a->period) * a->period, slope, constant;
    parameter_line_at(a, line, r, &slope, &constant);
    wide value = (wide)slope * fw_floor_quotient(n, a->period) + constant;
    return line->equality ? value == 0 : value >= 0;
}

/* ---- values ---- */

/* The floors of the parameter at interval j: slope / period * (n - r) + a constant. */
static struct polynomial *without_floors(struct parameter_analysis *a, struct polynomial *value,
                                         uint32_t j)
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

static bool leaf_holds(const struct parameter_analysis *a, const struct leaf *leaf, int64_t n)
{
    for (uint32_t g = 0; g < leaf->guard_count; g++)
        if (!holds(a, leaf->guards[g], n))
            return false;
    return true;
}

/* The sum at one point's range and interval. */
static struct truth *sum_at(struct parameter_analysis *a, struct polynomial *value, int64_t n)
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
static struct polynomial *value_at(struct parameter_analysis *a, struct polynomial *value,
                                   int64_t n, uint32_t j)
{
    struct truth *sum = sum_at(a, value, n);
    if (!sum->without[j])
        sum->without[j] = without_floors(a, sum->value, j);
    return sum->without[j];
}

static bool is_assumed_at(struct parameter_analysis *a, int64_t n)
{
    for (uint32_t g = 0; g < a->guard_count; g++)
        if (a->guards[g].assumed && !holds(a, a->guards[g].line, n))
            return false;
    return true;
}

/* Fills the values of a range; false: the assumptions leave no point of it. */
static bool fill(struct parameter_analysis *a, struct segment *segment, struct polynomial *value)
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
static struct polynomial *in_block(struct parameter_analysis *a, struct polynomial *value,
                                   int64_t q)
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
static bool vanishes(struct parameter_analysis *a, struct polynomial *difference, int64_t q,
                     int64_t from, int64_t to)
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
static bool agree(struct parameter_analysis *a, const struct segment *range,
                  struct polynomial *const *x, struct polynomial *const *y)
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
static struct polynomial **shared(struct parameter_analysis *a, const struct segment *x,
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

typedef FW_VECTOR(struct segment) segment_list;

/* Adds a range below those that there are: to the last one, where one function serves both. */
static void add_segment(struct parameter_analysis *a, segment_list *segments,
                        const struct segment *segment)
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
static bool add_short(struct parameter_analysis *a, segment_list *segments,
                      const struct segment *whole, struct polynomial *value)
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

static fw_range_cases cases_of(struct parameter_analysis *a, struct polynomial *value)
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
    struct parameter_analysis *a = FW_NEW(f->arena, struct parameter_analysis);
    a->f = f;
    a->parameter = parameter;
    parameter_analyse(a, value);
    return cases_of(a, value);
}
