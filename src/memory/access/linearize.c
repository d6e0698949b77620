#include "linearize.h"

#include "address_range.h"
#include "checked.h"

#include <math.h>

enum { MAX_LOOPS = FW_LINEARIZE_LOOPS };

/* Evaluates the address at the middle of the shape, with index `v` moved by `step`. */
static bool at_middle(struct fw_bound *bound, fw_expression of, const struct fw_shape *shape,
                      uint32_t v, int64_t step, int64_t *address)
{
    int64_t iterations[MAX_LOOPS] = {0};
    struct fw_point point = {{0}, {0}, iterations};
    for (uint32_t w = 0; w < shape->variables; w++) {
        int64_t at = shape->low[w] + (shape->high[w] - shape->low[w]) / 2 + (w == v ? step : 0);
        if (shape->loop_of[w] != FW_NONE && !shape->quotient[w])
            iterations[shape->loop_of[w]] = at;
        for (uint32_t d = 0; d < 3; d++) {
            if (shape->launch_variable[d] == (int8_t)w)
                point.block[d] = (uint32_t)at;
            if (shape->launch_variable[3 + d] == (int8_t)w)
                point.thread[d] = (uint32_t)at;
        }
    }
    return fw_bound_evaluate(bound, of, &point, address) && fw_is_address(*address);
}

bool fw_shape_is_linear(const struct fw_shape *shape)
{
    for (uint32_t v = 0; v < shape->variables; v++)
        if (shape->quotient[v] && shape->coefficient[v])
            return false;
    return shape->linear;
}

/* The usual stride of an address along one index: the median of three strides about the middle of
 * the index's range.  A row that happens to end at one of them does not decide it. */
static bool usual_stride(struct fw_bound *bound, fw_expression of, const struct fw_shape *shape,
                         uint32_t v, int64_t *step)
{
    int64_t size = shape->high[v] - shape->low[v], away = size / 5, steps[3];
    const int64_t from[3] = {0, -away, away};
    for (uint32_t i = 0; i < 3; i++) {
        int64_t here, next;
        if (!at_middle(bound, of, shape, v, from[i], &here) ||
            !at_middle(bound, of, shape, v, from[i] + 1, &next))
            return false;
        steps[i] = next - here;
    }
    int64_t low = steps[0] < steps[1] ? steps[0] : steps[1];
    int64_t high = steps[0] < steps[1] ? steps[1] : steps[0];
    *step = steps[2] < low ? low : steps[2] > high ? high : steps[2];
    return true;
}

/* A step function of one index, as x / 3 is: the bytes of a step, the number of levels, and the
 * level at the middle of the range. */
struct steps {
    int64_t step, levels, middle;
};

static bool find_steps(struct steps *steps, struct fw_bound *bound, fw_expression of,
                       const struct fw_shape *shape, uint32_t v)
{
    enum { MAX_EVALUATED = 64 };
    int64_t half = (shape->high[v] - shape->low[v]) / 2, size = shape->high[v] - shape->low[v];
    int64_t first, middle, last, before;
    if (!at_middle(bound, of, shape, v, -half, &first) ||
        !at_middle(bound, of, shape, v, 0, &middle) ||
        !at_middle(bound, of, shape, v, size - half, &last) || last == first)
        return false;
    steps->step = 0;
    before = first;
    for (int64_t i = 1; i <= size && i < MAX_EVALUATED && !steps->step; i++) {
        int64_t here;
        if (!at_middle(bound, of, shape, v, i - half, &here))
            return false;
        steps->step = here - before;
    }
    if (steps->step == 0 || (last - first) % steps->step || (middle - first) % steps->step)
        return false;
    steps->levels = (last - first) / steps->step + 1;
    steps->middle = (middle - first) / steps->step;
    return steps->levels > 1 && steps->levels <= size && steps->middle >= 0 &&
           steps->middle < steps->levels;
}

/* The thread index that goes with block index `v`; FW_NONE if none. */
static uint32_t thread_of(const struct fw_shape *shape, uint32_t v)
{
    for (uint32_t d = 0; d < 3; d++)
        if (shape->launch_variable[d] == (int8_t)v && shape->launch_variable[3 + d] >= 0)
            return (uint32_t)shape->launch_variable[3 + d];
    return FW_NONE;
}

static bool is_thread(const struct fw_shape *shape, uint32_t v)
{
    for (uint32_t d = 0; d < 3; d++)
        if (shape->launch_variable[3 + d] == (int8_t)v)
            return true;
    return false;
}

/* The stride of a block's or thread's index that goes round, as (13 x) % 147 does: the one by which
 * it goes over all places once, as samples of its range have them.  The usual one would lead far
 * beyond.  It stays where threads have few places (`threadIdx.x & 1`), where blocks go round so
 * seldom that other loops and digits tell which places they have together, and of iterations. */
static int64_t stride_within_range(struct fw_bound *bound, fw_expression of,
                                   const struct fw_shape *shape, uint32_t v, int64_t step)
{
    enum { SAMPLES = 32, PLACES = 8, OF_THREADS = 2, OF_BLOCKS = 64 };
    const int64_t size = shape->high[v] - shape->low[v];
    int64_t least = INT64_MAX, most = INT64_MIN, places[PLACES];
    uint32_t found = 0;
    if (step == 0 || size < SAMPLES || shape->loop_of[v] != FW_NONE)
        return step;
    for (uint32_t s = 0; s < SAMPLES; s++) {
        const double way = fmod(s * 0.6180339887498949, 1);
        int64_t here;
        if (!at_middle(bound, of, shape, v, (int64_t)(way * (double)size) - size / 2, &here))
            return step;
        least = here < least ? here : least;
        most = here > most ? here : most;
        uint32_t p = 0;
        while (p < found && places[p] != here)
            p++;
        if (p == found && found < PLACES)
            places[found++] = here;
    }
    const bool thread = is_thread(shape, v);
    const double range = (double)most - (double)least, led = fabs((double)step) * (double)size;
    if ((thread && found < PLACES) || led <= (thread ? OF_THREADS : OF_BLOCKS) * range)
        return step;
    return (step < 0 ? -1 : 1) * ((most - least) / size);
}

/* Sets the stride of block index `v` where `threads` threads of a block move in steps: the mean
 * distance between blocks, and the mean number of levels per block. */
static bool mean_block_stride(struct fw_bound *bound, fw_expression of, struct fw_shape *shape,
                              uint32_t v, int64_t threads, struct steps *steps)
{
    int64_t size = shape->high[v] - shape->low[v], half = size / 2, first, last;
    if (!at_middle(bound, of, shape, v, -half, &first) ||
        !at_middle(bound, of, shape, v, size - half, &last))
        return false;
    double steps_per_block = (double)(last - first) / (double)steps->step / (double)size;
    double levels = 1 + round(fabs(steps_per_block) * (double)(threads - 1) / (double)threads);
    shape->coefficient[v] = steps->step * (int64_t)round(steps_per_block);
    if (levels <= (double)threads)
        steps->levels = (int64_t)levels;
    return true;
}

bool fw_shape_linearize(struct fw_shape *shape, struct fw_bound *bound, fw_expression of)
{
    int64_t middle, step;
    if (!at_middle(bound, of, shape, FW_NONE, 0, &middle))
        return false;
    struct steps steps[FW_SHAPE_VARIABLES] = {0};
    shape->constant = middle;
    for (uint32_t v = 0; v < shape->variables; v++) {
        shape->coefficient[v] = 0;
        if (shape->quotient[v] || shape->high[v] <= shape->low[v])
            continue;
        if (!usual_stride(bound, of, shape, v, &step))
            return false;
        shape->coefficient[v] = stride_within_range(bound, of, shape, v, step);
        if (step == 0 && is_thread(shape, v) && find_steps(&steps[v], bound, of, shape, v))
            shape->coefficient[v] = steps[v].step;
        else
            steps[v].levels = 0;
    }
    for (uint32_t v = 0; v < shape->variables; v++) {
        uint32_t thread = thread_of(shape, v);
        int64_t half = (shape->high[v] - shape->low[v]) / 2;
        if (thread != FW_NONE && steps[thread].levels && shape->high[v] > shape->low[v] &&
            !mean_block_stride(bound, of, shape, v, shape->high[thread] - shape->low[thread] + 1,
                               &steps[thread]))
            return false;
        int64_t at = steps[v].levels ? steps[v].middle : half;
        if (fw_add_product_overflows(&shape->constant, -shape->coefficient[v], shape->low[v] + at))
            return false;
    }
    for (uint32_t v = 0; v < shape->variables; v++)
        if (steps[v].levels) /* one thread per level */
            shape->high[v] = shape->low[v] + steps[v].levels - 1;
    return true;
}
