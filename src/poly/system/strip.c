#include "strip.h"
#include "quotient.h"

enum { BITS_MOST = 40 }; /* of all numbers: products fit 128 bits with much to spare */

__extension__ typedef __int128 wide;

static bool fits(int64_t value)
{
    return value < INT64_C(1) << BITS_MOST && value > -(INT64_C(1) << BITS_MOST);
}

/* Sum of floor((slope * y + offset) / divisor), y from 0 to count - 1; slope and offset are from 0
 * to divisor - 1 after the first round (the Euclidean reduction of floors.c, in plain numbers). */
static wide floor_sum(wide slope, wide offset, wide divisor, wide count)
{
    wide sum = 0;
    int sign = 1;
    while (count > 0) {
        wide whole = slope / divisor - (slope % divisor < 0);
        wide start = offset / divisor - (offset % divisor < 0);
        sum += sign * (count * (count - 1) / 2 * whole + count * start);
        slope -= whole * divisor;
        offset -= start * divisor;
        if (!slope)
            break;
        wide most = (slope * (count - 1) + offset) / divisor;
        sum += sign * (count - 1) * most;
        wide swap = slope;
        offset = divisor - offset - 1;
        slope = divisor;
        divisor = swap;
        count = most;
        sign = -sign;
    }
    return sum;
}

static struct strip_range mirrored(struct strip_range range)
{
    return (struct strip_range){-range.high, -range.low, range.has_high, range.has_low};
}

/* Rows y from `low` to `high`, x from x.low up to the line: the first row that has a point, the
 * rows that are full, and a floor sum over those between. */
static wide count_rows(int64_t a, int64_t b, int64_t c, struct strip_range x, int64_t low,
                       int64_t high)
{
    /* x <= floor((c + b * y) / a) with a > 0 and b >= 0: wider as y rises. */
    wide total = 0;
    if (b == 0) {
        int64_t end = fw_floor_quotient(c, a);
        end = x.has_high && x.high < end ? x.high : end;
        return end < x.low ? 0 : (wide)(end - x.low + 1) * (high - low + 1);
    }
    /* A point in row y: a * x.low <= c + b * y. */
    wide needed = (wide)a * x.low - c;
    wide first = needed <= 0 ? -(-needed / b) : (needed + b - 1) / b;
    if (first > high)
        return 0;
    low = first > low ? (int64_t)first : low;
    if (x.has_high) {
        wide full_needed = (wide)a * x.high - c;
        wide full = full_needed <= 0 ? -(-full_needed / b) : (full_needed + b - 1) / b;
        if (full <= high) {
            int64_t from = full > low ? (int64_t)full : low;
            total += (wide)(high - from + 1) * (x.high - x.low + 1);
            high = from - 1;
        }
    }
    if (low > high)
        return total;
    wide rows = (wide)high - low + 1;
    return total + floor_sum(b, (wide)c + (wide)b * low, a, rows) - rows * ((wide)x.low - 1);
}

bool fw_strip_count(fw_wide *count, int64_t a, int64_t b, int64_t c, struct strip_range x,
                    struct strip_range y)
{
    if (!fits(a) || !fits(b) || !fits(c) || (x.has_low && !fits(x.low)) ||
        (x.has_high && !fits(x.high)) || (y.has_low && !fits(y.low)) ||
        (y.has_high && !fits(y.high)))
        return false;
    if (a > 0) { /* the line bounds x from above */
        a = -a;
        x = mirrored(x);
    }
    if (b < 0) { /* rows widen as y rises */
        b = -b;
        y = mirrored(y);
    }
    if (!x.has_low || !y.has_high || (x.has_high && x.high < x.low))
        return false;
    if (!y.has_low) { /* the line ends y itself: a point needs b * y >= -a * x.low - c */
        if (b == 0)
            return false;
        wide needed = (wide)-a * x.low - c;
        wide first = needed <= 0 ? -(-needed / b) : (needed + b - 1) / b;
        if (first > y.high) {
            *count = 0;
            return true;
        }
        if (first < -((wide)1 << BITS_MOST))
            return false;
        y.low = (int64_t)first;
    }
    *count = (fw_wide)count_rows(-a, b, c, x, y.low, y.high);
    return true;
}
