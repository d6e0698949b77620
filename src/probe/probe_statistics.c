/* See probe_statistics.h. */
#include "probe_statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double *sorted(struct fw_arena *scratch, const double *values, size_t count)
{
    double *copy = fw_arena_copy(scratch, values, count * sizeof *copy);
    qsort(copy, count, sizeof *copy, ascending);
    return copy;
}

static double middle(const double *ordered, size_t count)
{
    if (count == 0)
        return (double)NAN;
    return count % 2 ? ordered[count / 2] : (ordered[count / 2 - 1] + ordered[count / 2]) / 2;
}

double fw_probe_median(struct fw_arena *scratch, const double *values, size_t count)
{
    struct fw_arena_mark mark = fw_arena_mark(scratch);
    double result = count ? middle(sorted(scratch, values, count), count) : (double)NAN;
    fw_arena_release(scratch, mark);
    return result;
}

struct fw_probe_spread fw_probe_spread(struct fw_arena *scratch, const double *values, size_t count)
{
    struct fw_arena_mark mark = fw_arena_mark(scratch);
    struct fw_probe_spread result = {(double)NAN, (double)NAN, (double)NAN, count};
    if (count) {
        const double *order = sorted(scratch, values, count);
        result = (struct fw_probe_spread){middle(order, count), order[0], order[count - 1], count};
    }
    fw_arena_release(scratch, mark);
    return result;
}

struct fw_probe_line fw_probe_line(struct fw_arena *scratch, const double *x, const double *y,
                                   size_t count)
{
    struct fw_arena_mark mark = fw_arena_mark(scratch);
    double *slopes = FW_ARRAY(scratch, double, count *(count + 1) / 2 + 1);
    double *rests = FW_ARRAY(scratch, double, count + 1);
    size_t pairs = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (x[i] != x[j])
                slopes[pairs++] = (y[i] - y[j]) / (x[i] - x[j]);
    struct fw_probe_line line = {(double)NAN, (double)NAN};
    if (pairs) {
        line.slope = fw_probe_median(scratch, slopes, pairs);
        for (size_t i = 0; i < count; i++)
            rests[i] = y[i] - line.slope * x[i];
        line.intercept = fw_probe_median(scratch, rests, count);
    }
    fw_arena_release(scratch, mark);
    return line;
}

static bool near(double value, double to, double tolerance)
{
    return fabs(value - to) <= tolerance * fabs(to);
}

enum { LEAST_POINTS = 5, PASSED_OVER = 2 };

/* How far a plateau that begins at `first` goes; `*value`: its median. */
static size_t extend(struct fw_arena *scratch, const double *y, size_t count, size_t first,
                     double tolerance, double *value)
{
    double *inside = FW_ARRAY(scratch, double, count - first);
    size_t held = 0, last = first, outside = 0;
    *value = y[first];
    for (size_t i = first; i < count && outside <= PASSED_OVER; i++) {
        if (!near(y[i], *value, tolerance)) {
            outside++;
            continue;
        }
        inside[held++] = y[i];
        last = i;
        outside = 0;
        *value = fw_probe_median(scratch, inside, held);
    }
    return last;
}

size_t fw_probe_plateaus(struct fw_probe_plateau **plateaus, struct fw_arena *scratch,
                         const double *x, const double *y, size_t count, double tolerance,
                         double octaves)
{
    struct fw_probe_plateau *found = FW_ARRAY(scratch, struct fw_probe_plateau, count + 1);
    size_t number = 0;
    *plateaus = found;
    for (size_t i = 0; i < count; i++) {
        double value;
        size_t last = extend(scratch, y, count, i, tolerance, &value);
        if (last + 1 < i + LEAST_POINTS || !(log2(x[last] / x[i]) >= octaves))
            continue;
        struct fw_probe_plateau *before = number ? &found[number - 1] : NULL;
        if (before && near(before->value, value, 2 * tolerance))
            before->last = last;
        else
            found[number++] = (struct fw_probe_plateau){i, last, value};
        i = last;
    }
    return number;
}

bool fw_probe_two_groups(struct fw_arena *scratch, const double *values, size_t count, double apart,
                         double *low, double *high)
{
    struct fw_arena_mark mark = fw_arena_mark(scratch);
    size_t begin = count / 10, end = count - count / 10, cut = 0;
    bool good = false;
    if (end > begin + 4) {
        const double *order = sorted(scratch, values, count);
        double *steps = FW_ARRAY(scratch, double, count);
        double widest = 0;
        for (size_t i = begin + 1; i < end; i++) {
            steps[i] = order[i] - order[i - 1];
            if (steps[i] > widest) {
                widest = steps[i];
                cut = i;
            }
        }
        double usual = fw_probe_median(scratch, steps + begin + 1, end - begin - 1);
        good = widest > 0 && widest >= apart * usual;
        *low = middle(order, cut);
        *high = middle(order + cut, count - cut);
    }
    fw_arena_release(scratch, mark);
    return good;
}
