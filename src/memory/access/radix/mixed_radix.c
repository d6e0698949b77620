#include "mixed_radix_internal.h"

#include "address_range.h"
#include "checked.h"
#include "min_max.h"
#include "memory_sizes.h"
#include "quotient.h"

#include <string.h>

static int64_t magnitude(int64_t a)
{
    return a < 0 ? -a : a;
}

static bool is_block(const struct fw_shape *shape, uint32_t v)
{
    for (uint32_t d = 0; d < 3; d++)
        if (shape->launch_variable[d] == (int8_t)v)
            return true;
    return false;
}

/* The axis along which a variable is the thread index; 3: none. */
static uint32_t thread_axis(const struct fw_shape *shape, uint32_t v)
{
    uint32_t d = 0;
    while (d < 3 && shape->launch_variable[3 + d] != (int8_t)v)
        d++;
    return d;
}

/* The address moves by `jump` times `times` with a variable. */
static bool add_to_address(struct fw_shape *shape, uint32_t v, int64_t jump, int64_t times)
{
    return !fw_add_product_overflows(&shape->coefficient[v], jump, times);
}

/* Reads the definition of floor `q`: two rows, of which one is form - every * q >= 0. */
bool quotient_definition(struct quotient *quotient, const struct fw_shape *shape, uint32_t q)
{
    for (uint32_t r = 0; r < shape->row_count; r++) {
        bool last = shape->rows[r].definition && shape->rows[r].coefficient[q] < 0;
        for (uint32_t v = q + 1; v < shape->variables && last; v++)
            last = shape->rows[r].coefficient[v] == 0;
        if (!last)
            continue;
        *quotient = (struct quotient){.constant = shape->rows[r].constant,
                                      .every = -shape->rows[r].coefficient[q],
                                      .jump = shape->coefficient[q]};
        bool fits = true;
        for (uint32_t v = 0; v < q && fits; v++) {
            int64_t c = shape->rows[r].coefficient[v];
            if (shape->low[v] == shape->high[v])
                fits = !fw_add_product_overflows(&quotient->constant, c, shape->low[v]);
            else
                quotient->coefficient[v] = c;
        }
        return fits;
    }
    return false;
}

static bool are_opposite(const struct fw_shape *shape, uint32_t a, uint32_t b)
{
    for (uint32_t v = 0; v < shape->variables; v++)
        if (shape->rows[a].coefficient[v] != -shape->rows[b].coefficient[v])
            return false;
    return shape->rows[a].constant == -shape->rows[b].constant;
}

static bool is_equation(const struct fw_shape *shape, uint32_t r)
{
    for (uint32_t other = 0; other < shape->row_count && !shape->rows[r].equality; other++)
        if (!shape->rows[other].definition && are_opposite(shape, r, other))
            return true;
    return shape->rows[r].equality;
}

/* Whether a row has a floor behind `q`: those are out of the address already. */
static bool has_later(const struct fw_shape *shape, uint32_t r, uint32_t q)
{
    for (uint32_t v = q + 1; v < shape->variables; v++)
        if (shape->quotient[v] && shape->rows[r].coefficient[v])
            return true;
    return false;
}

/* Replaces floor `q` in the address by an equation that the shape's points fulfil: a loop that is
 * unrolled by 8 begins where i is 8 (i / 8). */
static bool by_equation(struct fw_shape *shape, uint32_t q)
{
    for (uint32_t r = 0; r < shape->row_count; r++) {
        int64_t c = shape->rows[r].coefficient[q], jump = shape->coefficient[q];
        if (shape->rows[r].definition || c == 0 || jump % c != 0 || has_later(shape, r, q) ||
            !is_equation(shape, r))
            continue;
        struct fw_shape changed;
        fw_shape_copy(&changed, shape);
        bool fits =
            !fw_add_product_overflows(&changed.constant, -jump / c, changed.rows[r].constant);
        for (uint32_t v = 0; v < shape->variables && fits; v++)
            fits = add_to_address(&changed, v, -jump / c, changed.rows[r].coefficient[v]);
        if (fits)
            fw_shape_copy(shape, &changed);
        return fits;
    }
    return false;
}

/* The least and greatest value of a quotient's dividend over variables for which `of` is set (all
 * with NULL).  False: one overflows. */
static bool range_of(const struct quotient *q, const struct fw_shape *shape, const bool *of,
                     int64_t *low, int64_t *high)
{
    *low = *high = q->constant;
    for (uint32_t v = 0; v < shape->variables; v++) {
        int64_t c = q->coefficient[v];
        if (c == 0 || (of && !of[v]))
            continue;
        if (fw_add_product_overflows(low, c, c > 0 ? shape->low[v] : shape->high[v]) ||
            fw_add_product_overflows(high, c, c > 0 ? shape->high[v] : shape->low[v]))
            return false;
    }
    return true;
}

/* Moves what divides without a rest into the address. */
static bool pull_multiples(struct quotient *q, struct fw_shape *shape)
{
    int64_t whole = fw_floor_quotient(q->constant, q->every);
    if (fw_add_product_overflows(&shape->constant, q->jump, whole))
        return false;
    q->constant -= whole * q->every;
    for (uint32_t v = 0; v < shape->variables; v++) {
        int64_t c = q->coefficient[v];
        if (c == 0 || (c < q->every && c % q->every != 0))
            continue;
        if (!add_to_address(shape, v, q->jump, c / q->every))
            return false;
        q->coefficient[v] = c % q->every;
    }
    return true;
}

uint32_t quotient_terms(const struct quotient *q, const struct fw_shape *shape, uint32_t *one)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < shape->variables; v++)
        if (q->coefficient[v]) {
            *one = v;
            count++;
        }
    return count;
}

/* Drops the smallest terms, as many as never carry: (16 y + x) / 64 is y / 4 for x below 16. False:
 * there are none, and the terms share no divisor with `every`. */
bool quotient_drop_small_terms(struct quotient *q, const struct fw_shape *shape)
{
    for (uint32_t w = 0; w <= shape->variables; w++) {
        /* The terms smaller than that of w, and equal to it, might vanish; none for the last w. */
        int64_t least = w < shape->variables ? magnitude(q->coefficient[w]) : 0;
        int64_t divisor = q->every, low, high;
        bool small[FW_SHAPE_VARIABLES];
        if (w < shape->variables && least == 0)
            continue;
        for (uint32_t v = 0; v < shape->variables; v++) {
            small[v] = q->coefficient[v] && magnitude(q->coefficient[v]) <= least;
            if (!small[v])
                divisor = fw_common_step(divisor, q->coefficient[v]);
        }
        if (divisor <= 1 || !range_of(q, shape, small, &low, &high) ||
            fw_floor_quotient(low, divisor) != fw_floor_quotient(high, divisor))
            continue;
        q->constant = fw_floor_quotient(low, divisor);
        q->every /= divisor;
        for (uint32_t v = 0; v < shape->variables; v++)
            q->coefficient[v] = small[v] ? 0 : q->coefficient[v] / divisor;
        return true;
    }
    return false;
}

/* A floor of a floor is one of the inner dividend: (a / b + c) / d is (a + b c) / (b d), for a c
 * without floors. */
bool quotient_join_floors(struct quotient *q, const struct fw_shape *shape)
{
    struct quotient inner;
    uint32_t v = FW_SHAPE_VARIABLES, floors = 0;
    for (uint32_t w = 0; w < shape->variables; w++)
        if (q->coefficient[w] && shape->quotient[w]) {
            v = w;
            floors++;
        }
    if (floors != 1 || q->coefficient[v] != 1 || !quotient_definition(&inner, shape, v) ||
        fw_add_product_overflows(&inner.constant, q->constant, inner.every))
        return false;
    for (uint32_t w = 0; w < shape->variables; w++)
        if (w != v &&
            fw_add_product_overflows(&inner.coefficient[w], q->coefficient[w], inner.every))
            return false;
    if (fw_multiply_overflows(inner.every, q->every, &inner.every))
        return false;
    inner.jump = q->jump;
    *q = inner;
    return true;
}

static bool add_digit(struct radix_work *work, uint32_t variable, bool of_grid,
                      const struct quotient *q)
{
    struct fw_mixed_radix *radix = work->radix;
    struct fw_digit digit = {variable, q->every, q->constant, q->jump};
    if (q->coefficient[variable] < 0) { /* (c - v) / e is -((v - c + e - 1) / e) */
        digit.shift = q->every - 1 - q->constant;
        digit.jump = -q->jump;
    }
    uint32_t at = 0;
    for (; at < radix->digit_count; at++) {
        struct fw_digit *other = &radix->digits[at];
        if (other->variable > variable)
            break;
        if (other->variable < variable)
            continue;
        if (other->shift != digit.shift || radix->of_grid[at] != of_grid)
            return false;
        if (other->every == digit.every)
            return !fw_add_overflows(other->jump, digit.jump, &other->jump);
        if (other->every > digit.every)
            break;
    }
    if (radix->digit_count == FW_AFFINE_FLOORS)
        return false;
    for (uint32_t d = radix->digit_count++; d > at; d--) {
        radix->digits[d] = radix->digits[d - 1];
        radix->of_grid[d] = radix->of_grid[d - 1];
    }
    radix->digits[at] = digit;
    radix->of_grid[at] = of_grid;
    return true;
}

/* Whether a dividend is block index * block size + thread index along one axis; `*thread`: the
 * latter. */
static bool is_grid_index(const struct radix_work *work, const struct quotient *q, uint32_t *thread)
{
    const struct fw_shape *shape = work->shape;
    uint32_t one = 0;
    if (quotient_terms(q, shape, &one) != 2)
        return false;
    for (uint32_t d = 0; d < 3; d++) {
        int8_t b = shape->launch_variable[d], t = shape->launch_variable[3 + d];
        if (b >= 0 && t >= 0 && q->coefficient[t] == 1 && q->coefficient[b] == work->block[d]) {
            *thread = (uint32_t)t;
            return true;
        }
    }
    return false;
}

/* Whether a dividend has threads and iterations alone. */
static bool is_of_threads(const struct radix_work *work, const struct quotient *q)
{
    for (uint32_t v = 0; v < work->shape->variables; v++)
        if (q->coefficient[v] && (work->shape->quotient[v] || is_block(work->shape, v)))
            return false;
    return true;
}

/* Whether the mean slope of a floor is right but for less than a line of memory. */
static bool has_slope(const struct quotient *q)
{
    return magnitude(q->jump) <= FW_LINE_BYTES && q->jump % q->every == 0;
}

static bool add_slope(struct radix_work *work, const struct quotient *q)
{
    for (uint32_t v = 0; v < work->shape->variables; v++)
        if (!add_to_address(work->shape, v, q->jump / q->every, q->coefficient[v]))
            return false;
    work->radix->mean_slope = true;
    return true;
}

/* Notes that an iteration goes on by a part of a floor's rows.  Floors of one dividend are one. */
static bool add_going_on(struct radix_work *work, const struct quotient *q, uint32_t block,
                         uint32_t loop)
{
    for (uint32_t g = 0; g < work->going_count; g++) {
        struct going_on *one = &work->going[g];
        if (one->block == block && one->loop == loop && one->every == q->every &&
            one->step == q->coefficient[loop])
            return !fw_add_overflows(one->jump, q->jump, &one->jump);
    }
    if (work->going_count == MOST_MIXED)
        return false;
    work->going[work->going_count++] =
        (struct going_on){block, loop, q->every, q->coefficient[loop], q->jump};
    return true;
}

/* Moves the address by what iterations go on by in the mean: by whole rows of blocks, where that
 * is no whole number of bytes. */
static bool go_on(struct radix_work *work)
{
    struct fw_shape *shape = work->shape;
    for (uint32_t g = 0; g < work->going_count; g++) {
        const struct going_on *one = &work->going[g];
        int64_t row = 0, moved = one->jump / one->every;
        if (one->jump % one->every == 0) {
            if (!add_to_address(shape, one->loop, moved, one->step))
                return false;
            continue;
        }
        for (uint32_t d = 0; d < work->radix->digit_count && row == 0; d++)
            if (work->radix->digits[d].variable == one->block) {
                row = work->radix->digits[d].jump;
                if (fw_add_product_overflows(&row, shape->coefficient[one->block],
                                             work->radix->digits[d].every))
                    return false;
            }
        if (row == 0 || fw_multiply_overflows(one->jump, one->step, &moved))
            return false;
        if (!add_to_address(shape, one->loop, row, moved / one->every / row))
            return false;
    }
    return true;
}

/* A block goes on by a whole grid: floor((b + g i) / e) is floor(b / e) and floor(g i / e) but for
 * a carry, which moves a row's begin by less than a row and leaves what is touched as large.  `q`
 * has lost what divides without a rest.  False: it is no such floor. */
static bool add_grid_stride(struct radix_work *work, const struct quotient *q)
{
    const struct fw_shape *shape = work->shape;
    uint32_t block = FW_SHAPE_VARIABLES, loop = FW_SHAPE_VARIABLES, one = 0;
    if (quotient_terms(q, shape, &one) != 2)
        return false;
    for (uint32_t v = 0; v < shape->variables; v++)
        if (q->coefficient[v] && is_block(shape, v))
            block = v;
        else if (q->coefficient[v] > 0 && shape->loop_of[v] != FW_NONE && !shape->quotient[v])
            loop = v;
    if (block == FW_SHAPE_VARIABLES || loop == FW_SHAPE_VARIABLES || q->coefficient[block] != 1)
        return false;
    struct quotient blocks = *q, iterations = *q;
    const int64_t step = q->coefficient[loop];
    blocks.coefficient[loop] = iterations.coefficient[block] = 0;
    if (q->every % step == 0) {
        iterations.every = q->every / step;
        iterations.constant = 0;
        iterations.coefficient[loop] = 1;
        return add_digit(work, block, false, &blocks) && add_digit(work, loop, false, &iterations);
    }
    work->radix->mean_slope = true; /* the iterations' rows are not of one number */
    return add_digit(work, block, false, &blocks) && add_going_on(work, q, block, loop);
}

/* Whether all but a fiftieth of a dividend's values have one floor, `*floor`: those of an index
 * that goes round at an end, as (x + 1) % n does.  These few points are left to the others, as the
 * edges are at which an address is clamped. */
static bool has_usual_floor(const struct radix_work *work, const struct quotient *q, int64_t *floor)
{
    enum { PARTS = 50 };
    int64_t low, high;
    uint32_t one = 0;
    if ((quotient_terms(q, work->shape, &one) != 1 && !is_grid_index(work, q, &one)) ||
        !range_of(q, work->shape, NULL, &low, &high) || !fw_is_address(low) ||
        !fw_is_address(high) || !fw_is_address(q->every))
        return false;
    *floor = fw_floor_quotient(low + (high - low) / 2, q->every);
    int64_t first = fw_max(low, *floor * q->every);
    int64_t last = fw_min(high, *floor * q->every + (q->every - 1));
    return (high - low) - (last - first) <= (high - low) / PARTS;
}

/* Takes floor `q` out of the address. */
bool mixed_radix_resolve(struct radix_work *work, uint32_t v)
{
    struct fw_shape *shape = work->shape;
    struct quotient q;
    uint32_t one = 0;
    int64_t low, high, usual;
    if (by_equation(shape, v))
        return true;
    if (!quotient_definition(&q, shape, v))
        return false;
    shape->coefficient[v] = 0;
    if (has_usual_floor(work, &q, &usual))
        return !fw_add_product_overflows(&shape->constant, q.jump, usual);
    while (work->over_grid && quotient_join_floors(&q, shape))
        ;
    if (work->over_grid && is_grid_index(work, &q, &one))
        return add_digit(work, one, true, &q);
    do {
        if (!pull_multiples(&q, shape) || !range_of(&q, shape, NULL, &low, &high))
            return false;
        if (fw_floor_quotient(low, q.every) == fw_floor_quotient(high, q.every))
            return !fw_add_product_overflows(&shape->constant, q.jump,
                                             fw_floor_quotient(low, q.every));
    } while (quotient_drop_small_terms(&q, shape) || quotient_join_floors(&q, shape));
    if (quotient_terms(&q, shape, &one) == 1 && magnitude(q.coefficient[one]) == 1 &&
        !shape->quotient[one])
        return add_digit(work, one, false, &q);
    if (is_grid_index(work, &q, &one))
        return add_digit(work, one, true, &q);
    if (has_slope(&q))
        return add_slope(work, &q);
    if (add_grid_stride(work, &q))
        return true;
    if (!is_of_threads(work, &q) || work->mixed_count == MOST_MIXED)
        return false;
    work->mixed_floor[work->mixed_count] = v;
    work->mixed[work->mixed_count++] = q;
    return true;
}

/* Whether the digits of each index are those of a mixed radix, and an index over the grid moves the
 * rest of the address as one. */
static bool digits_fit(const struct radix_work *work)
{
    const struct fw_mixed_radix *radix = work->radix;
    const struct fw_shape *shape = work->shape;
    for (uint32_t d = 0; d < radix->digit_count; d++) {
        uint32_t v = radix->digits[d].variable, axis = thread_axis(shape, v);
        if (d && radix->digits[d - 1].variable == v &&
            radix->digits[d].every % radix->digits[d - 1].every != 0)
            return false;
        if (!radix->of_grid[d])
            continue;
        int64_t stride;
        uint32_t b = (uint32_t)shape->launch_variable[axis];
        if (fw_multiply_overflows(shape->coefficient[v], work->block[axis], &stride) ||
            stride != shape->coefficient[b])
            return false;
        for (uint32_t o = 0; o < radix->digit_count; o++)
            if (radix->digits[o].variable == b)
                return false;
    }
    return true;
}

/* The values `*from` to `*to` that the dividend of mixed floors takes, each at least once, but for
 * its constant.  False: not all of a range. */
static bool values_of(const struct quotient *q, const struct fw_shape *shape, int64_t *from,
                      int64_t *to)
{
    bool counted[FW_SHAPE_VARIABLES] = {false};
    int64_t next = 1;
    uint32_t terms = 0, all;
    all = quotient_terms(q, shape, &terms);
    for (uint32_t t = 0; t < all; t++) {
        uint32_t v = 0;
        while (v < shape->variables &&
               (counted[v] || q->coefficient[v] <= 0 || q->coefficient[v] > next))
            v++;
        if (v == shape->variables ||
            fw_add_product_overflows(&next, q->coefficient[v], shape->high[v] - shape->low[v]))
            return false;
        counted[v] = true;
    }
    if (!range_of(q, shape, NULL, from, to) || fw_subtract_overflows(*from, q->constant, from) ||
        fw_subtract_overflows(*to, q->constant, to))
        return false;
    for (uint32_t r = 0; r < shape->row_count; r++) { /* 84 <= k < 324 */
        bool above = !shape->rows[r].definition, below = above;
        for (uint32_t v = 0; v < shape->variables && (above || below); v++) {
            above &= shape->rows[r].coefficient[v] == q->coefficient[v];
            below &= shape->rows[r].coefficient[v] == -q->coefficient[v];
        }
        if (below)
            *to = fw_min(*to, shape->rows[r].constant);
        if (above)
            *from = fw_max(*from, fw_saturated_subtract(0, shape->rows[r].constant));
    }
    return *from <= *to;
}

/* The bytes by which one step of the dividend moves the rest of the address. */
static bool common_stride(const struct radix_work *work, const struct quotient *q, int64_t *stride)
{
    const struct fw_shape *shape = work->shape;
    for (uint32_t v = 0; v < shape->variables; v++)
        if (q->coefficient[v] == 1)
            *stride = shape->coefficient[v];
    for (uint32_t v = 0; v < shape->variables; v++) {
        int64_t product;
        if (q->coefficient[v] && (fw_multiply_overflows(*stride, q->coefficient[v], &product) ||
                                  product != shape->coefficient[v]))
            return false;
    }
    return true;
}

static void sort_mixed(struct radix_work *work)
{
    for (uint32_t i = 1; i < work->mixed_count; i++) {
        struct quotient one = work->mixed[i];
        uint32_t j = i;
        for (; j && work->mixed[j - 1].every > one.every; j--)
            work->mixed[j] = work->mixed[j - 1];
        work->mixed[j] = one;
    }
}

/* Makes spans of the floors of threads and iterations together.  Elements that begin within a row,
 * as those of a later iteration do where each is an access of its own, count as rows from end to
 * end: other iterations have the rest. */
static bool share_out(struct radix_work *work)
{
    struct fw_mixed_radix *radix = work->radix;
    const struct quotient *first = work->mixed;
    int64_t from, to, below = 1, stride = 0;
    sort_mixed(work);
    const int64_t shift = work->mixed[work->mixed_count - 1].constant;
    if (!values_of(first, work->shape, &from, &to) || !common_stride(work, first, &stride) ||
        fw_add_product_overflows(&work->shape->constant, -shift, stride) ||
        fw_add_overflows(from, shift, &from) || fw_add_overflows(to, shift, &to))
        return false;
    for (uint32_t m = 0; m <= work->mixed_count; m++) {
        const struct quotient *q = m < work->mixed_count ? &work->mixed[m] : NULL;
        const int64_t begin = q ? 0 : fw_floor_quotient(from, below);
        int64_t values = fw_floor_quotient(to, below) + 1 - begin, carried;
        if (q && (q->every % below != 0 || q->constant != shift % q->every ||
                  memcmp(q->coefficient, first->coefficient, sizeof(q->coefficient)) != 0))
            return false;
        if (q)
            values = fw_min(values, q->every / below);
        if (fw_add_product_overflows(&work->shape->constant, begin, stride))
            return false;
        if (stride && values > 1) {
            if (radix->span_count == FW_AFFINE_SPANS)
                return false;
            radix->spans[radix->span_count++] = (struct fw_affine_span){stride, values};
        }
        if (!q)
            break;
        if (fw_multiply_overflows(stride, q->every / below, &carried) ||
            fw_add_overflows(carried, q->jump, &stride))
            return false;
        below = q->every;
    }
    for (uint32_t m = 0; m < work->mixed_count; m++)
        radix->shared_out[work->mixed_floor[m]] = true;
    for (uint32_t v = 0; v < work->shape->variables; v++)
        if (first->coefficient[v]) {
            radix->shared_out[v] = true;
            work->shape->coefficient[v] = 0;
        }
    for (uint32_t d = 0; d < radix->digit_count; d++)
        if (radix->shared_out[radix->digits[d].variable])
            return false;
    return true;
}

static bool find(struct fw_mixed_radix *radix, struct fw_shape *shape, const uint32_t block[3],
                 bool over_grid)
{
    struct fw_shape rest, before;
    struct radix_work work = {
        .radix = radix, .shape = &rest, .block = block, .over_grid = over_grid};
    memset(radix, 0, sizeof(*radix));
    fw_shape_copy(&rest, shape);
    for (uint32_t v = shape->variables; v-- > 0;)
        if (shape->quotient[v] && rest.coefficient[v] && !mixed_radix_resolve(&work, v))
            return false;
    if (!go_on(&work))
        return false;
    fw_shape_copy(&before, &rest); /* what is shared out moves neither blocks nor iterations */
    if ((work.mixed_count && !share_out(&work)) || !digits_fit(&work))
        return false;
    mixed_radix_find_tiles(radix, shape, &before, &work);
    fw_shape_copy(shape, &rest);
    return true;
}

bool fw_mixed_radix_find(struct fw_mixed_radix *radix, struct fw_shape *shape,
                         const uint32_t block[3])
{
    return find(radix, shape, block, true) || find(radix, shape, block, false);
}
