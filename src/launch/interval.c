#include "interval.h"

#include "bound_internal.h"
#include "quotient.h"
#include "warp.h"

enum { MOST_NESTING = 24, MOST_INTERVAL_STEPS = 4096 };
__extension__ typedef __int128 fw_wide;
#define BEYOND ((int64_t)1 << 62)

static const struct fw_interval everything = {-BEYOND, BEYOND};

static int64_t clamp(fw_wide value)
{
    return value > BEYOND ? BEYOND : value < -BEYOND ? -BEYOND : (int64_t)value;
}

bool fw_interval_bounded(struct fw_interval interval)
{
    return interval.low > -BEYOND && interval.high < BEYOND;
}

static struct fw_interval of_expression(struct fw_bound *bound, fw_expression a, unsigned depth);

static struct fw_interval sum(struct fw_interval a, struct fw_interval b)
{
    return (struct fw_interval){
        a.low <= -BEYOND || b.low <= -BEYOND ? -BEYOND : clamp((fw_wide)a.low + b.low),
        a.high >= BEYOND || b.high >= BEYOND ? BEYOND : clamp((fw_wide)a.high + b.high)};
}

static struct fw_interval product(struct fw_interval a, struct fw_interval b)
{
    fw_wide corners[4] = {(fw_wide)a.low * b.low, (fw_wide)a.low * b.high, (fw_wide)a.high * b.low,
                          (fw_wide)a.high * b.high};
    struct fw_interval result = {clamp(corners[0]), clamp(corners[0])};
    for (int i = 1; i < 4; i++) {
        int64_t corner = clamp(corners[i]);
        result.low = corner < result.low ? corner : result.low;
        result.high = corner > result.high ? corner : result.high;
    }
    return result;
}

static struct fw_interval divide(struct fw_interval a, struct fw_interval b, bool truncating)
{
    if (b.low <= 0)
        return everything;
    int64_t corners[4], low, high;
    for (int i = 0; i < 4; i++) {
        int64_t x = i & 1 ? a.high : a.low, y = i & 2 ? b.high : b.low;
        corners[i] = x >= BEYOND || x <= -BEYOND ? x : truncating ? x / y : fw_floor_quotient(x, y);
    }
    low = high = corners[0];
    for (int i = 1; i < 4; i++) {
        low = corners[i] < low ? corners[i] : low;
        high = corners[i] > high ? corners[i] : high;
    }
    return (struct fw_interval){low, high};
}

static struct fw_interval of_launch(const struct fw_bound *bound, uint32_t index)
{
    const struct fw_launch *launch = bound->launch;
    int64_t threads = (int64_t)launch->block[0] * launch->block[1] * launch->block[2], value;
    if (index <= FW_BLOCK_Z)
        return launch->one_block ? (struct fw_interval){launch->only[index], launch->only[index]}
                                 : (struct fw_interval){0, (int64_t)launch->grid[index] - 1};
    if (index <= FW_THREAD_Z)
        return (struct fw_interval){0, (int64_t)launch->block[index - FW_THREAD_X] - 1};
    if (index == FW_LANE)
        return (struct fw_interval){0,
                                    threads < FW_WARP_THREADS ? threads - 1 : FW_WARP_THREADS - 1};
    if (index == FW_WARP)
        return (struct fw_interval){0, (threads - 1) / FW_WARP_THREADS};
    value = index <= FW_GRID_SIZE_Z    ? launch->grid[index - FW_GRID_SIZE_X]
            : index <= FW_BLOCK_SIZE_Z ? launch->block[index - FW_BLOCK_SIZE_X]
                                       : (int64_t)launch->shared;
    return (struct fw_interval){value, value};
}

static struct fw_interval of_trips(struct fw_bound *bound, uint32_t loop, unsigned depth)
{
    const struct fw_loop *info = &bound->kernel->loops[loop];
    struct fw_interval trips = everything;
    if (info->trips != FW_NO_EXPRESSION && depth < MOST_NESTING)
        trips = of_expression(bound, info->trips, depth + 1);
    if (trips.low < 1)
        trips.low = 1;
    if (trips.high < 1)
        trips.high = 1;
    return trips;
}

static struct fw_interval of_atom(struct fw_bound *bound, fw_atom atom, unsigned depth)
{
    const struct fw_kernel *kernel = bound->kernel;
    const struct fw_atom_node *node = &kernel->pool.atoms.at[atom];
    struct fw_interval a, b;
    switch ((enum fw_atom_kind)node->kind) {
    case FW_ATOM_PARAMETER:
        if (bound->launch->is_bound[node->a])
            return (struct fw_interval){bound->launch->integers[node->a],
                                        bound->launch->integers[node->a]};
        if (kernel->parameters[node->a].bytes > 4)
            return everything;
        return (struct fw_interval){INT32_MIN, INT32_MAX};
    case FW_ATOM_LAUNCH:
        return of_launch(bound, node->a);
    case FW_ATOM_ITERATION:
        a = of_trips(bound, node->a, depth);
        return (struct fw_interval){0, a.high >= BEYOND ? BEYOND : a.high - 1};
    case FW_ATOM_TRIPS:
        return of_trips(bound, node->a, depth);
    case FW_ATOM_ARRAY:
        return (struct fw_interval){0, 0};
    case FW_ATOM_UNKNOWN:
        return everything;
    case FW_ATOM_AT:
        return of_expression(bound, node->a, depth + 1);
    default:
        break;
    }
    a = of_expression(bound, node->a, depth + 1);
    b = node->kind == FW_ATOM_POWER2 ? a : of_expression(bound, node->b, depth + 1);
    switch ((enum fw_atom_kind)node->kind) {
    case FW_ATOM_FLOOR:
    case FW_ATOM_TRUNCATE:
        return divide(a, b, node->kind == FW_ATOM_TRUNCATE);
    case FW_ATOM_MINIMUM:
        return (struct fw_interval){a.low < b.low ? a.low : b.low,
                                    a.high < b.high ? a.high : b.high};
    case FW_ATOM_MAXIMUM:
        return (struct fw_interval){a.low > b.low ? a.low : b.low,
                                    a.high > b.high ? a.high : b.high};
    case FW_ATOM_SELECT:
        return (struct fw_interval){a.low < b.low ? a.low : b.low,
                                    a.high > b.high ? a.high : b.high};
    case FW_ATOM_POWER2:
        if (a.low < 0 || a.high > 61)
            return (struct fw_interval){0, BEYOND};
        return (struct fw_interval){(int64_t)1 << a.low, (int64_t)1 << a.high};
    case FW_ATOM_BITAND:
        if (a.low < 0 && b.low < 0)
            return everything;
        return (struct fw_interval){0, a.low < 0   ? b.high
                                       : b.low < 0 ? a.high
                                                   : (a.high < b.high ? a.high : b.high)};
    case FW_ATOM_PRODUCT:
        return product(a, b);
    case FW_ATOM_SUM:
        return sum(a, b);
    case FW_ATOM_REPEAT:
        return (struct fw_interval){a.low < 0 ? a.low : 0, a.high > 0 ? a.high : 0};
    default:
        return everything;
    }
}

static struct fw_interval of_expression(struct fw_bound *bound, fw_expression a, unsigned depth)
{
    const struct fw_expression_node *node = &bound->kernel->pool.expressions.at[a];
    struct fw_interval total = {0, 0};
    if (depth > MOST_NESTING || bound->interval_steps == 0)
        return everything;
    bound->interval_steps--;
    for (uint32_t t = 0; t < node->term_count; t++) {
        struct fw_interval term = {node->terms[t].coefficient, node->terms[t].coefficient};
        for (uint32_t i = 0; i < node->terms[t].atom_count; i++)
            term = product(term, of_atom(bound, node->terms[t].atoms[i], depth));
        total = sum(total, term);
    }
    return total;
}

struct fw_interval fw_bound_interval(struct fw_bound *bound, fw_expression a)
{
    bound->interval_steps = MOST_INTERVAL_STEPS;
    return of_expression(bound, a, 0);
}

uint32_t fw_bound_wraps(struct fw_bound *bound, uint32_t *count)
{
    const struct fw_kernel *kernel = bound->kernel;
    uint32_t line = 0;
    *count = 0;
    for (uint32_t o = 0; o < kernel->obligation_count; o++) {
        struct fw_interval range = fw_bound_interval(bound, kernel->obligations[o]);
        bool fits = kernel->obligation_signed[o] ? range.low >= INT32_MIN && range.high <= INT32_MAX
                                                 : range.low >= 0 && range.high <= UINT32_MAX;
        if (fits)
            continue;
        if (!line)
            line = kernel->obligation_lines[o];
        ++*count;
    }
    return line;
}
