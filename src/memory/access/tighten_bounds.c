#include "tighten_bounds.h"

#include "checked.h"

#include <string.h>

/* Numbers of shapes stay so small that they can be negated and subtracted (launch/linear.c). */
#define LARGEST ((int64_t)1 << 61)

static uint32_t terms_of(const struct fw_shape *shape, uint32_t r, uint32_t *last)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < shape->variables; v++)
        if (shape->rows[r].coefficient[v]) {
            *last = v;
            count++;
        }
    return count;
}

static int64_t quotient_up(int64_t a, int64_t b) /* rounds a / b up, for b > 0 */
{
    return a / b + (a % b > 0);
}

static int64_t quotient_down(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static void drop_row(struct fw_shape *shape, uint32_t r)
{
    shape->rows[r] = shape->rows[--shape->row_count];
}

/* Makes a condition c * v + constant >= 0 (or == 0) a bound of v. */
static void add_bound(struct fw_shape *shape, uint32_t r, uint32_t v)
{
    int64_t c = shape->rows[r].coefficient[v], constant = shape->rows[r].constant;
    int64_t size = c < 0 ? -c : c;
    bool lower = c > 0 || shape->rows[r].equality, upper = c < 0 || shape->rows[r].equality;
    int64_t low = c > 0 ? quotient_up(-constant, size) : quotient_up(constant, size);
    int64_t high = c > 0 ? quotient_down(-constant, size) : quotient_down(constant, size);
    if (lower && low > shape->low[v])
        shape->low[v] = low;
    if (upper && high < shape->high[v])
        shape->high[v] = high;
}

/* Adds a number to one of a shape.  False: the sum is larger than a shape's numbers are. */
static bool add_within(int64_t *sum, int64_t more)
{
    return !fw_add_overflows(*sum, more, sum) && *sum <= LARGEST && *sum >= -LARGEST;
}

/* Adds what a floor's definition implies once the floor is at its bound. */
static void add_implied(struct fw_shape *shape, uint32_t r, uint32_t v)
{
    int64_t c = shape->rows[r].coefficient[v], product;
    int64_t end = c < 0 ? shape->low[v] : shape->high[v];
    if (shape->row_count == FW_SHAPE_ROWS || fw_multiply_overflows(c, end, &product))
        return;
    uint32_t to = shape->row_count;
    shape->rows[to] = shape->rows[r];
    if (!add_within(&shape->rows[to].constant, product))
        return;
    shape->rows[to].coefficient[v] = 0;
    shape->rows[to].definition = false;
    uint32_t only;
    if (terms_of(shape, to, &only) == 1 && !shape->quotient[only]) {
        add_bound(shape, to, only);
        return;
    }
    shape->row_count++;
}

void fw_shape_tighten_floors(struct fw_shape *shape)
{
    bool tightened[FW_SHAPE_VARIABLES] = {false};
    for (uint32_t r = 0; r < shape->row_count;) {
        uint32_t v = 0;
        if (!shape->rows[r].definition && terms_of(shape, r, &v) == 1 && shape->quotient[v]) {
            add_bound(shape, r, v);
            tightened[v] = true;
            drop_row(shape, r);
        } else {
            r++;
        }
    }
    uint32_t rows = shape->row_count;
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t v = 0; v < shape->variables; v++)
            if (tightened[v] && shape->rows[r].definition && shape->rows[r].coefficient[v])
                add_implied(shape, r, v);
}

/* The largest (`best`) or smallest value of a row without variable `but`.  False: it overflows. */
static bool extreme(const struct fw_shape *shape, uint32_t r, uint32_t except, bool largest,
                    int64_t *sum)
{
    *sum = shape->rows[r].constant;
    for (uint32_t v = 0; v < shape->variables; v++) {
        int64_t c = shape->rows[r].coefficient[v], product;
        int64_t end = (c > 0) == largest ? shape->high[v] : shape->low[v];
        if (v == except || c == 0)
            continue;
        if (fw_multiply_overflows(c, end, &product) || fw_add_overflows(*sum, product, sum))
            return false;
    }
    return true;
}

/* Whether a condition depends on thread indices alone. */
static bool on_threads(const struct fw_shape *shape, uint32_t r)
{
    for (uint32_t v = 0; v < shape->variables; v++) {
        bool thread = false;
        for (uint32_t d = 3; d < 6; d++)
            thread |= shape->launch_variable[d] == (int8_t)v;
        if (shape->rows[r].coefficient[v] && !thread)
            return false;
    }
    return !shape->rows[r].definition && !shape->rows[r].equality;
}

void fw_shape_tighten_threads(struct fw_shape *shape)
{
    for (uint32_t r = 0; r < shape->row_count; r++) {
        int64_t room;
        if (!on_threads(shape, r))
            continue;
        for (uint32_t d = 3; d < 6; d++) {
            int8_t v = shape->launch_variable[d];
            int64_t c = v < 0 ? 0 : shape->rows[r].coefficient[v];
            if (c == 0 || !extreme(shape, r, (uint32_t)v, true, &room) || room == INT64_MIN)
                continue;
            if (c > 0 && quotient_up(-room, c) > shape->low[v])
                shape->low[v] = quotient_up(-room, c);
            if (c < 0 && quotient_down(room, -c) < shape->high[v])
                shape->high[v] = quotient_down(room, -c);
        }
    }
    for (uint32_t r = 0; r < shape->row_count;) {
        int64_t least;
        if (on_threads(shape, r) && extreme(shape, r, FW_NONE, false, &least) && least >= 0)
            drop_row(shape, r);
        else
            r++;
    }
}

static bool has_few_values(const struct fw_shape *shape, uint32_t v, int64_t most)
{
    return shape->high[v] > shape->low[v] && shape->high[v] - shape->low[v] < most;
}

/* Whether all points within the bounds of the variables fulfil an inequality: it bounds nothing. */
static bool always_holds(const struct fw_shape *shape, uint32_t r)
{
    int64_t least;
    return !shape->rows[r].equality && extreme(shape, r, FW_NONE, false, &least) && least >= 0;
}

/* Whether a floor is one of a block index, whose rows are best left to be digits. */
static bool is_of_blocks(const struct fw_shape *shape, uint32_t q)
{
    for (uint32_t r = 0; r < shape->row_count; r++)
        for (uint32_t d = 0; d < 3 && shape->rows[r].definition; d++)
            if (shape->rows[r].coefficient[q] && shape->launch_variable[d] >= 0 &&
                shape->rows[r].coefficient[shape->launch_variable[d]])
                return true;
    return false;
}

/* The row that says how much a floor is at most: form - every * floor >= 0, of which it is the last
 * variable; FW_NONE if the form has no thread indices of several axes. */
static uint32_t floor_of_threads(const struct fw_shape *shape, uint32_t q)
{
    for (uint32_t r = 0; r < shape->row_count; r++) {
        bool last = shape->rows[r].definition && shape->rows[r].coefficient[q] < 0;
        uint32_t axes = 0;
        for (uint32_t v = q + 1; v < shape->variables && last; v++)
            last = shape->rows[r].coefficient[v] == 0;
        for (uint32_t d = 3; d < 6; d++)
            axes += shape->launch_variable[d] >= 0 &&
                    shape->rows[r].coefficient[shape->launch_variable[d]] != 0;
        if (last)
            return axes > 1 ? r : FW_NONE;
    }
    return FW_NONE;
}

/* Whether a condition bounds iterations alone, by a floor: floor - iterations + constant >= 0. */
static bool ends_at_floor(const struct fw_shape *shape, uint32_t r, uint32_t q)
{
    bool ends = !shape->rows[r].definition && !shape->rows[r].equality &&
                shape->rows[r].coefficient[q] == 1;
    for (uint32_t v = 0; v < shape->variables && ends; v++)
        ends = v == q || shape->rows[r].coefficient[v] == 0 ||
               (shape->loop_of[v] != FW_NONE && !shape->quotient[v]);
    return ends;
}

void fw_shape_unfloor_threads(struct fw_shape *shape, int64_t most)
{
    for (uint32_t q = 0; q < shape->variables; q++) {
        if (!shape->quotient[q] || !has_few_values(shape, q, most))
            continue;
        const uint32_t definition = floor_of_threads(shape, q);
        for (uint32_t r = 0; r < shape->row_count && definition != FW_NONE; r++) {
            const int64_t every = -shape->rows[definition].coefficient[q];
            int64_t constant = shape->rows[definition].constant;
            int64_t coefficient[FW_SHAPE_VARIABLES] = {0};
            if (!ends_at_floor(shape, r, q) ||
                !add_within(&constant, fw_saturated_multiply(every, shape->rows[r].constant)))
                continue;
            bool fits = true;
            for (uint32_t v = 0; v < shape->variables && fits; v++) {
                coefficient[v] = v == q ? 0 : shape->rows[definition].coefficient[v];
                fits = v == q ||
                       add_within(&coefficient[v],
                                  fw_saturated_multiply(every, shape->rows[r].coefficient[v]));
            }
            if (!fits)
                continue;
            shape->rows[r].constant = constant;
            memcpy(shape->rows[r].coefficient, coefficient, sizeof(coefficient));
        }
    }
}

uint32_t fw_shape_split_variable(const struct fw_shape *shape, int64_t most, const bool *whole)
{
    uint32_t floor = FW_NONE;
    for (uint32_t v = 0; v < shape->variables; v++) {
        if (!shape->quotient[v] || !shape->coefficient[v] || !has_few_values(shape, v, most))
            continue;
        if (!is_of_blocks(shape, v))
            return v;
        floor = floor == FW_NONE ? v : floor;
    }
    if (floor != FW_NONE)
        return floor;
    for (uint32_t r = 0; r < shape->row_count; r++) {
        uint32_t last = 0;
        if (shape->rows[r].definition || terms_of(shape, r, &last) < 2)
            continue;
        for (uint32_t v = 0; v < shape->variables; v++)
            if (shape->rows[r].coefficient[v] && has_few_values(shape, v, most) &&
                !(whole && whole[v]) &&
                (shape->quotient[v] ? !always_holds(shape, r) : shape->loop_of[v] != FW_NONE))
                return v;
    }
    return FW_NONE;
}

uint32_t fw_shape_loop_under_floor(const struct fw_shape *shape, int64_t most)
{
    for (uint32_t r = 0; r < shape->row_count; r++) {
        bool in_address = false;
        for (uint32_t v = 0; v < shape->variables; v++)
            in_address |=
                shape->quotient[v] && shape->coefficient[v] && shape->rows[r].coefficient[v];
        for (uint32_t v = 0; v < shape->variables && in_address; v++)
            if (shape->rows[r].definition && shape->rows[r].coefficient[v] &&
                shape->loop_of[v] != FW_NONE && has_few_values(shape, v, most))
                return v;
    }
    return FW_NONE;
}

bool fw_shape_fix(struct fw_shape *at, const struct fw_shape *shape, uint32_t variable,
                  int64_t value)
{
    fw_shape_copy(at, shape);
    at->low[variable] = at->high[variable] = value;
    at->constant =
        fw_saturated_add(at->constant, fw_saturated_multiply(at->coefficient[variable], value));
    at->coefficient[variable] = 0;
    for (uint32_t r = 0; r < at->row_count;) {
        uint32_t only = 0, terms;
        if (shape->quotient[variable] && at->rows[r].coefficient[variable])
            at->rows[r].definition =
                false; /* it is an ordinary condition once the floor is fixed */
        if (!add_within(&at->rows[r].constant,
                        fw_saturated_multiply(at->rows[r].coefficient[variable], value)))
            at->rows[r].constant = at->rows[r].constant < 0 ? -LARGEST : LARGEST;
        at->rows[r].coefficient[variable] = 0;
        terms = terms_of(at, r, &only);
        if (terms == 0 && !at->rows[r].definition) {
            if (at->rows[r].equality ? at->rows[r].constant != 0 : at->rows[r].constant < 0)
                return false;
            drop_row(at, r);
        } else if (terms == 1 && !at->rows[r].definition && !at->quotient[only]) {
            add_bound(at, r, only);
            drop_row(at, r);
        } else {
            r++;
        }
    }
    for (uint32_t v = 0; v < at->variables; v++)
        if (at->low[v] > at->high[v])
            return false;
    return true;
}
