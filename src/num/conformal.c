#include "conformal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row's error with its weight: one by the rows of its family in its group. */
struct weighed {
    double error, weight, deviation;
    uint32_t family;
};

struct group {
    struct weighed *rows; /* by error, or by its size */
    size_t count, families;
    bool merged; /* into another */
};

struct fitting {
    const struct fw_conformal_row *rows;
    size_t row_count;
    uint32_t count;  /* classes */
    uint32_t *group; /* by class */
    struct group *groups;
    double level;
    bool even; /* bounds are of one size */
    struct fw_arena *scratch;
};

static int by_family(const void *a, const void *b)
{
    const struct weighed *x = a, *y = b;
    return x->family < y->family ? -1 : x->family > y->family;
}

static int by_error(const void *a, const void *b)
{
    const struct weighed *x = a, *y = b;
    if (x->error != y->error)
        return x->error < y->error ? -1 : 1;
    return by_family(a, b);
}

static int by_size(const void *a, const void *b)
{
    const struct weighed *x = a, *y = b;
    if (fabs(x->error) != fabs(y->error))
        return fabs(x->error) < fabs(y->error) ? -1 : 1;
    return by_family(a, b);
}

/* Collects the rows of a group, and counts its families. */
static void collect(struct fitting *work, uint32_t number)
{
    struct group *group = &work->groups[number];
    group->count = group->families = 0;
    for (size_t r = 0; r < work->row_count; r++)
        if (work->group[work->rows[r].class] == number)
            group->rows[group->count++] = (struct weighed){
                work->rows[r].error, 0, work->rows[r].deviation > 0 ? work->rows[r].deviation : 1,
                work->rows[r].family};
    qsort(group->rows, group->count, sizeof(*group->rows), by_family);
    for (size_t begin = 0, end; begin < group->count; begin = end) {
        for (end = begin + 1; end < group->count; end++)
            if (group->rows[end].family != group->rows[begin].family)
                break;
        for (size_t r = begin; r < end; r++)
            group->rows[r].weight = 1.0 / (double)(end - begin);
        group->families++;
    }
    qsort(group->rows, group->count, sizeof(*group->rows), work->even ? by_size : by_error);
}

/* The group with the fewest families, or the other one with the most; `count`: there is none. */
static uint32_t smallest(const struct fitting *work)
{
    uint32_t found = work->count;
    for (uint32_t g = 0; g < work->count; g++)
        if (!work->groups[g].merged &&
            (found == work->count || work->groups[g].families < work->groups[found].families))
            found = g;
    return found;
}

static uint32_t largest_beside(const struct fitting *work, uint32_t other)
{
    uint32_t found = work->count;
    for (uint32_t g = 0; g < work->count; g++)
        if (!work->groups[g].merged && g != other &&
            (found == work->count || work->groups[g].families > work->groups[found].families))
            found = g;
    return found;
}

static void merge_small(struct fitting *work, size_t least)
{
    for (;;) {
        uint32_t a = smallest(work), b = largest_beside(work, a);
        if (b == work->count || work->groups[a].families >= least)
            return;
        uint32_t to = a < b ? a : b, from = a < b ? b : a;
        work->groups[from].merged = true;
        for (uint32_t c = 0; c < work->count; c++)
            if (work->group[c] == from)
                work->group[c] = to;
        collect(work, to);
    }
}

/* The least error that, with those up to it, has the share of all families' weight; families other
 * than `without` and one that is not known.  INFINITY: only the unknown one does. */
static double quantile(const struct group *group, double share, bool above, bool holds_out,
                       uint32_t without)
{
    double families = 1, sum = 0, needed;
    for (size_t r = 0; r < group->count; r++)
        if (!holds_out || group->rows[r].family != without)
            families += group->rows[r].weight;
    needed = share * families * (1 - 1e-12);
    for (size_t i = 0; i < group->count; i++) {
        const struct weighed *row = &group->rows[above ? i : group->count - 1 - i];
        if (holds_out && row->family == without)
            continue;
        sum += row->weight;
        if (sum >= needed)
            return row->error;
    }
    return above ? (double)INFINITY : -(double)INFINITY;
}

/* Bounds of a group's errors, without a family where one is held out. */
struct bounds {
    double low, high;
};

static struct bounds bounds_of(const struct fitting *work, const struct group *group,
                               bool holds_out, uint32_t without)
{
    const double share = 0.5 + 0.5 * work->level;
    if (work->even) {
        double size = fabs(quantile(group, work->level, true, holds_out, without));
        return (struct bounds){-size, size};
    }
    return (struct bounds){quantile(group, share, false, holds_out, without),
                           quantile(group, share, true, holds_out, without)};
}

static enum fw_status begin(struct fitting *work, size_t least)
{
    for (size_t r = 0; r < work->row_count; r++)
        if (!isfinite(work->rows[r].error) || work->rows[r].class >= work->count)
            return FW_ERROR_INPUT;
    work->group = FW_ARRAY(work->scratch, uint32_t, work->count);
    work->groups = FW_ARRAY(work->scratch, struct group, work->count);
    for (uint32_t c = 0; c < work->count; c++) {
        work->group[c] = c;
        work->groups[c].rows = FW_ARRAY(work->scratch, struct weighed, work->row_count);
    }
    for (uint32_t c = 0; c < work->count; c++)
        collect(work, c);
    merge_small(work, least);
    return FW_OK;
}

static enum fw_status fit(struct fw_conformal_class *classes, struct fitting *work, size_t least)
{
    enum fw_status status = begin(work, least);
    if (status)
        return status;
    for (uint32_t c = 0; c < work->count; c++) {
        const struct group *group = &work->groups[work->group[c]];
        const struct bounds bounds = bounds_of(work, group, false, 0);
        classes[c] = (struct fw_conformal_class){.group = work->group[c],
                                                 .families = group->families,
                                                 .rows = group->count,
                                                 .low = bounds.low,
                                                 .high = bounds.high};
    }
    return FW_OK;
}

enum fw_status fw_conformal_fit(struct fw_conformal_class *classes, uint32_t count,
                                const struct fw_conformal_row *rows, size_t row_count,
                                enum fw_conformal_sides sides, double level, size_t least,
                                struct fw_arena *scratch)
{
    struct fitting work = {.rows = rows,
                           .row_count = row_count,
                           .count = count,
                           .level = level,
                           .even = sides == FW_CONFORMAL_EVEN,
                           .scratch = scratch};
    return fit(classes, &work, least);
}

/* Of families that are ordered by their error, bounds are two of them or one: the families that are
 * as good as counted within, and those beyond, the one that nobody knows among these. */
void fw_conformal_usual(double *low, double *high, enum fw_conformal_sides sides, double level,
                        size_t families, size_t judged)
{
    const double all = (double)families + 1, even = sides == FW_CONFORMAL_EVEN,
                 share = even ? level : 0.5 + 0.5 * level, place = ceil(share * all * (1 - 1e-12)),
                 within = even ? place : 2 * place - all, beyond = all - within;
    const double count = (double)judged;
    *low = *high = (double)NAN;
    if (!judged || !(place < all) || !(within > 0))
        return;
    double sum = 0, logarithm = lgamma(all) - lgamma(beyond) + lgamma(count + beyond) -
                                lgamma(count + all); /* of none of them */
    for (double held = 0; held <= count; held++) {
        sum += exp(logarithm);
        if (isnan(*low) && sum > 0.05)
            *low = held / count;
        if (isnan(*high) && (sum >= 0.95 || held == count))
            *high = held / count;
        logarithm += log((count - held) / (held + 1) * (within + held) /
                         (count - held - 1 + beyond)); /* of one more */
    }
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Adds a held-out family's rows; the mean width of the intervals that the others give. */
static double check_family(struct fw_conformal_check *check, const struct fitting *work,
                           const struct group *group, uint32_t family)
{
    const struct bounds bounds = bounds_of(work, group, true, family);
    const double low = bounds.low, high = bounds.high, level = work->level;
    double width = 0;
    for (size_t r = 0; r < group->count; r++) {
        const struct weighed *row = &group->rows[r];
        if (row->family != family)
            continue;
        double outside = fmax(0, fmax(low - row->error, row->error - high));
        check->covered += row->weight * (outside == 0);
        check->score += row->weight * row->deviation * (high - low + 2 / (1 - level) * outside);
        width += row->weight * row->deviation * (high - low);
    }
    return width;
}

static void check_group(struct fw_conformal_check *check, const struct fitting *work,
                        const struct group *group)
{
    uint32_t *families = FW_ARRAY(work->scratch, uint32_t, group->count + 1);
    double *widths = FW_ARRAY(work->scratch, double, group->families + 1);
    size_t count = 0;
    for (size_t r = 0; r < group->count; r++) {
        size_t f = 0;
        while (f < count && families[f] != group->rows[r].family)
            f++;
        if (f == count)
            families[count++] = group->rows[r].family;
    }
    for (size_t f = 0; f < count; f++)
        widths[f] = check_family(check, work, group, families[f]);
    qsort(widths, count, sizeof(*widths), ascending);
    check->covered /= (double)count;
    check->score /= (double)count;
    check->width = widths[count / 2];
}

static enum fw_status check(struct fw_conformal_check *checks, struct fitting *work, size_t least)
{
    enum fw_status status = begin(work, least);
    memset(checks, 0, work->count * sizeof(*checks));
    for (uint32_t c = 0; c < work->count && !status; c++)
        if (work->group[c] == c && work->groups[c].count)
            check_group(&checks[c], work, &work->groups[c]);
    return status;
}

enum fw_status fw_conformal_check(struct fw_conformal_check *checks, uint32_t count,
                                  const struct fw_conformal_row *rows, size_t row_count,
                                  enum fw_conformal_sides sides, double level, size_t least,
                                  struct fw_arena *scratch)
{
    struct fitting work = {.rows = rows,
                           .row_count = row_count,
                           .count = count,
                           .level = level,
                           .even = sides == FW_CONFORMAL_EVEN,
                           .scratch = scratch};
    return check(checks, &work, least);
}
