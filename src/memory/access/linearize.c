#include "linearize.h"

#include <math.h>

enum { MOST_LOOPS = FW_LINEARIZE_LOOPS };

/* The address at the middle of the shape, one index `v` a step further. */
static bool at_middle(struct fw_bound *bound, fw_expression of, const struct fw_shape *shape,
                      uint32_t v, int64_t step, int64_t *address)
{
    int64_t iterations[MOST_LOOPS] = {0};
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
    return fw_bound_evaluate(bound, of, &point, address);
}

bool fw_shape_is_linear(const struct fw_shape *shape)
{
    for (uint32_t v = 0; v < shape->variables; v++)
        if (shape->quotient[v] && shape->coefficient[v])
            return false;
    return shape->linear;
}

/* The usual step of an address along one index: the middle one of three, taken about the middle of
 * the points, so that a row that happens to end there is not taken for the rule. */
static bool usual_step(struct fw_bound *bound, fw_expression of, const struct fw_shape *shape,
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

/* An index by which the address moves in steps of several indices (x / 3): the size of a step, how
 * many places there are, and which of them the middle is.  False: it moves in another way, or not.
 */
struct stairs {
    int64_t step, places, middle;
};

static bool find_stairs(struct stairs *stairs, struct fw_bound *bound, fw_expression of,
                        const struct fw_shape *shape, uint32_t v)
{
    enum { MOST_SEEN = 64 };
    int64_t half = (shape->high[v] - shape->low[v]) / 2, size = shape->high[v] - shape->low[v];
    int64_t first, middle, last, before;
    if (!at_middle(bound, of, shape, v, -half, &first) ||
        !at_middle(bound, of, shape, v, 0, &middle) ||
        !at_middle(bound, of, shape, v, size - half, &last) || last == first)
        return false;
    stairs->step = 0;
    before = first;
    for (int64_t i = 1; i <= size && i < MOST_SEEN && !stairs->step; i++) {
        int64_t here;
        if (!at_middle(bound, of, shape, v, i - half, &here))
            return false;
        stairs->step = here - before;
    }
    if (stairs->step == 0 || (last - first) % stairs->step || (middle - first) % stairs->step)
        return false;
    stairs->places = (last - first) / stairs->step + 1;
    stairs->middle = (middle - first) / stairs->step;
    return stairs->places > 1 && stairs->places <= size && stairs->middle >= 0 &&
           stairs->middle < stairs->places;
}

/* The thread index whose block index is `v`; FW_NONE. */
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

/* Blocks (by index `v`) whose `threads` go up stairs: their mean distance in whole steps of them,
 * and the mean number of places that a block has. */
static bool mean_step(struct fw_bound *bound, fw_expression of, struct fw_shape *shape, uint32_t v,
                      int64_t threads, struct stairs *stairs)
{
    int64_t size = shape->high[v] - shape->low[v], half = size / 2, first, last;
    if (!at_middle(bound, of, shape, v, -half, &first) ||
        !at_middle(bound, of, shape, v, size - half, &last))
        return false;
    double apart = (double)(last - first) / (double)stairs->step / (double)size;
    double places = 1 + round(fabs(apart) * (double)(threads - 1) / (double)threads);
    shape->coefficient[v] = stairs->step * (int64_t)round(apart);
    if (places <= (double)threads)
        stairs->places = (int64_t)places;
    return true;
}

/* Coefficients of an address that is not linear (clamped, wrapped around) as its usual steps about
 * the middle of its points.  False: it cannot be evaluated. */
bool fw_shape_linearize(struct fw_shape *shape, struct fw_bound *bound, fw_expression of)
{
    int64_t middle, step;
    if (!at_middle(bound, of, shape, FW_NONE, 0, &middle))
        return false;
    struct stairs stairs[FW_SHAPE_VARIABLES] = {0};
    shape->constant = middle;
    for (uint32_t v = 0; v < shape->variables; v++) {
        shape->coefficient[v] = 0;
        if (shape->quotient[v] || shape->high[v] <= shape->low[v])
            continue;
        if (!usual_step(bound, of, shape, v, &step))
            return false;
        shape->coefficient[v] = step;
        if (step == 0 && is_thread(shape, v) && find_stairs(&stairs[v], bound, of, shape, v))
            shape->coefficient[v] = stairs[v].step;
        else
            stairs[v].places = 0;
    }
    for (uint32_t v = 0; v < shape->variables; v++) {
        uint32_t thread = thread_of(shape, v);
        int64_t half = (shape->high[v] - shape->low[v]) / 2;
        if (thread != FW_NONE && stairs[thread].places && shape->high[v] > shape->low[v] &&
            !mean_step(bound, of, shape, v, shape->high[thread] - shape->low[thread] + 1,
                       &stairs[thread]))
            return false;
        int64_t at = stairs[v].places ? stairs[v].middle : half;
        shape->constant -= shape->coefficient[v] * (shape->low[v] + at);
    }
    for (uint32_t v = 0; v < shape->variables; v++)
        if (stairs[v].places) /* each place once */
            shape->high[v] = shape->low[v] + stairs[v].places - 1;
    return true;
}
