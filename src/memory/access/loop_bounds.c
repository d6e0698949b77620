#include "loop_bounds.h"

#include "checked.h"
#include "min_max.h"

#include <math.h>
#include <string.h>

/* Rows that are added to one before it bounds a loop: floors of floors need two. */
enum { MAX_ADDED = 2 };

/* A condition constant + sum of coefficients * variables >= 0. */
struct row {
    int64_t constant, coefficient[FW_SHAPE_VARIABLES];
};

static struct row row_of(const struct fw_shape *shape, uint32_t r)
{
    struct row row = {.constant = shape->rows[r].constant};
    memcpy(row.coefficient, shape->rows[r].coefficient, sizeof(row.coefficient));
    return row;
}

/* The most iterations that a row leaves variable `v`; INT64_MAX: it does not bound it. */
static int64_t trips_by_row(const struct fw_shape *shape, const struct row *row, uint32_t v)
{
    int64_t c = row->coefficient[v], room = row->constant;
    if (c >= 0)
        return INT64_MAX;
    for (uint32_t w = 0; w < shape->variables; w++) {
        int64_t other = w == v ? 0 : row->coefficient[w], product = 0;
        int64_t end = other > 0 ? shape->high[w] : shape->low[w];
        if (fw_multiply_overflows(other, end, &product) || fw_add_overflows(room, product, &room))
            return INT64_MAX;
    }
    if (room < 0 || c == INT64_MIN)
        return INT64_MAX;
    return fw_saturated_add(fw_saturated_subtract(room / -c, shape->low[v]), 1);
}

/* The sum of `times` a row and `other` times row `r` of the shape.  False: numbers overflow. */
static bool add_rows(struct row *sum, const struct row *row, int64_t times,
                     const struct fw_shape *shape, uint32_t r, int64_t other)
{
    *sum = (struct row){.constant = 0};
    if (fw_add_product_overflows(&sum->constant, row->constant, times) ||
        fw_add_product_overflows(&sum->constant, shape->rows[r].constant, other))
        return false;
    for (uint32_t v = 0; v < shape->variables; v++)
        if (fw_add_product_overflows(&sum->coefficient[v], row->coefficient[v], times) ||
            fw_add_product_overflows(&sum->coefficient[v], shape->rows[r].coefficient[v], other))
            return false;
    return true;
}

/* The most iterations that a row leaves, once definitions of its floors are added such that a floor
 * or what it is a floor of vanishes: what is left is a remainder, whose range is short. */
static int64_t trips_with_floors(const struct fw_shape *shape, const struct row *row, uint32_t v,
                                 uint32_t room)
{
    int64_t least = trips_by_row(shape, row, v);
    for (uint32_t q = 0; room && q < shape->variables; q++) {
        int64_t c = shape->quotient[q] ? row->coefficient[q] : 0;
        for (uint32_t r = 0; c && r < shape->row_count; r++) {
            int64_t by = shape->rows[r].definition ? shape->rows[r].coefficient[q] : 0;
            struct row sum;
            if (by == 0 || (by > 0) == (c > 0) || shape->rows[r].coefficient[v])
                continue;
            if (add_rows(&sum, row, by < 0 ? -by : by, shape, r, c < 0 ? -c : c))
                least = fw_min(least, trips_with_floors(shape, &sum, v, room - 1));
        }
    }
    return least;
}

int64_t fw_shape_trips(const struct fw_shape *shape, uint32_t v)
{
    int64_t trips = shape->high[v] - shape->low[v] + 1;
    for (uint32_t r = 0; r < shape->row_count; r++) {
        struct row row = row_of(shape, r);
        if (shape->rows[r].coefficient[v] < 0 && !shape->rows[r].definition)
            trips = fw_min(trips, trips_with_floors(shape, &row, v, MAX_ADDED));
    }
    return trips;
}

/* Adds `factor` times a variable to a slope.  False: it is no index of the launch. */
static bool add_index(struct fw_affine_slope *slope, const struct fw_shape *shape, uint32_t v,
                      double factor)
{
    for (uint32_t d = 0; d < 6; d++)
        if (shape->launch_variable[d] == (int8_t)v) {
            (d < 3 ? slope->block : slope->thread)[d % 3] += factor;
            return true;
        }
    if (shape->low[v] != shape->high[v])
        return false;
    slope->constant += factor * (double)shape->low[v];
    return true;
}

/* Adds `factor` times a floor, as its mean slope: floor(e / m) is (e - (m - 1) / 2) / m on average.
 * False: e has other terms than indices of the launch. */
static bool add_floor(struct fw_affine_slope *slope, const struct fw_shape *shape, uint32_t q,
                      double factor)
{
    for (uint32_t r = 0; r < shape->row_count; r++) {
        double every = -(double)shape->rows[r].coefficient[q];
        bool good = shape->rows[r].definition && every > 0;
        if (!good)
            continue;
        struct fw_affine_slope sum = *slope;
        sum.constant += factor * ((double)shape->rows[r].constant - (every - 1) / 2) / every;
        for (uint32_t v = 0; v < shape->variables && good; v++)
            if (v != q && shape->rows[r].coefficient[v])
                good = !shape->quotient[v] &&
                       add_index(&sum, shape, v,
                                 factor * (double)shape->rows[r].coefficient[v] / every);
        if (!good)
            continue;
        *slope = sum;
        return true;
    }
    return false;
}

/* The slope of a row without variable `v`.  False: other loops are in it. */
static bool slope_of_row(struct fw_affine_slope *slope, const struct fw_shape *shape, uint32_t r,
                         uint32_t v)
{
    *slope = (struct fw_affine_slope){.constant = (double)shape->rows[r].constant};
    for (uint32_t w = 0; w < shape->variables; w++) {
        double factor = w == v ? 0 : (double)shape->rows[r].coefficient[w];
        if (factor != 0 && !(shape->quotient[w] ? add_floor(slope, shape, w, factor)
                                                : add_index(slope, shape, w, factor)))
            return false;
    }
    return true;
}

/* The least (-1), middle (0) or largest (1) value of a slope over the launch. */
static double extreme(const struct fw_affine_slope *slope, const struct fw_shape *shape, int which)
{
    double sum = slope->constant;
    for (uint32_t d = 0; d < 6; d++) {
        int8_t v = shape->launch_variable[d];
        double factor = (d < 3 ? slope->block : slope->thread)[d % 3];
        if (v < 0 || !(factor < 0 || factor > 0))
            continue;
        double low = (double)shape->low[v], high = (double)shape->high[v];
        double end = (factor > 0) == (which > 0) ? high : low;
        sum += factor * (which ? end : (low + high) / 2);
    }
    return sum;
}

static void scale(struct fw_affine_slope *slope, double factor, double shift)
{
    slope->constant = slope->constant * factor + shift;
    for (uint32_t d = 0; d < 3; d++) {
        slope->block[d] *= factor;
        slope->thread[d] *= factor;
    }
}

bool fw_shape_ragged(struct fw_affine_ragged *ragged, const struct fw_shape *shape, uint32_t v,
                     int64_t trips)
{
    struct fw_affine_ragged found = {.until = {.constant = (double)trips}};
    double least = INFINITY, most = -INFINITY;
    for (uint32_t r = 0; r < shape->row_count; r++) {
        double c = (double)shape->rows[r].coefficient[v];
        double every = fabs(c), low = (double)shape->low[v];
        double below = (every - 1) / (2 * every); /* what a floor takes off on average */
        struct fw_affine_slope slope;
        if (!(every > 0) || shape->rows[r].definition || shape->rows[r].equality ||
            !slope_of_row(&slope, shape, r, v))
            continue;
        if (c < 0) /* i <= floor(slope / every) */
            scale(&slope, 1 / every, 1 - low - below);
        else /* i >= ceil(-slope / every) */
            scale(&slope, -1 / every, below - low);
        double middle = extreme(&slope, shape, 0);
        if (c < 0 && middle < least && extreme(&slope, shape, -1) < (double)trips) {
            found.until = slope;
            least = middle;
            found.any = true;
        } else if (c > 0 && middle > most && extreme(&slope, shape, 1) > 0) {
            found.from = slope;
            most = middle;
            found.any = true;
        }
    }
    if (found.any)
        *ragged = found;
    return found.any;
}

/* A number that is affine in the iteration of one loop. */
struct line {
    double constant, slope;
};

/* Adds `factor` times a variable to a line over loop variable `outer`.  False: it differs in
 * another way. */
static bool add_to_line(struct line *line, const struct fw_shape *shape, uint32_t w, uint32_t outer,
                        double factor)
{
    if (w != outer && (shape->quotient[w] || shape->low[w] != shape->high[w]))
        return false;
    line->constant += factor * (double)shape->low[w];
    line->slope += w == outer ? factor : 0;
    return true;
}

/* The same of a floor, as its mean slope. */
static bool add_floor_to_line(struct line *line, const struct fw_shape *shape, uint32_t q,
                              uint32_t outer, double factor)
{
    for (uint32_t r = 0; r < shape->row_count; r++) {
        double every = -(double)shape->rows[r].coefficient[q];
        bool good = shape->rows[r].definition && every > 0;
        struct line sum = *line;
        if (!good)
            continue;
        sum.constant += factor * ((double)shape->rows[r].constant - (every - 1) / 2) / every;
        for (uint32_t w = 0; w < shape->variables && good; w++)
            if (w != q && shape->rows[r].coefficient[w])
                good = add_to_line(&sum, shape, w, outer,
                                   factor * (double)shape->rows[r].coefficient[w] / every);
        if (good) {
            *line = sum;
            return true;
        }
    }
    return false;
}

void fw_shape_nested(struct fw_affine_nested *nested, const struct fw_shape *shape, uint32_t v,
                     uint32_t outer, int64_t trips, uint32_t loop)
{
    double range = (double)(shape->high[outer] - shape->low[outer]), least = INFINITY;
    for (uint32_t r = 0; r < shape->row_count; r++) {
        double every = -(double)shape->rows[r].coefficient[v];
        struct line end = {.constant = (double)shape->rows[r].constant};
        bool good = every > 0 && !shape->rows[r].definition && !shape->rows[r].equality;
        for (uint32_t w = 0; w < shape->variables && good; w++)
            if (w != v && shape->rows[r].coefficient[w])
                good = (shape->quotient[w] ? add_floor_to_line : add_to_line)(
                    &end, shape, w, outer, (double)shape->rows[r].coefficient[w]);
        if (!good || !(fabs(end.slope) > 0))
            continue;
        end.slope /= every; /* i <= floor(end / every) */
        end.constant = end.constant / every + 1 - (double)shape->low[v] - (every - 1) / (2 * every);
        double middle = end.constant + end.slope * range / 2;
        if (middle < least && fmin(end.constant, end.constant + end.slope * range) < (double)trips)
            *nested = (struct fw_affine_nested){loop, end.constant, end.slope};
        least = fmin(least, middle);
    }
}
