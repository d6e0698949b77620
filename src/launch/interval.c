#include "interval.h"

#include "bound_internal.h"
#include "quotient.h"
#include "warp.h"

#include <string.h>

enum { MOST_NESTING = 24, MOST_PRODUCTS = 24, MOST_FLOORS = 8, MOST_PERIOD = 256 };
__extension__ typedef __int128 fw_wide;
#define BEYOND   ((int64_t)1 << 62)
#define MODERATE ((int64_t)1 << 37) /* three such are multiplied without an overflow */

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
static struct fw_interval of_atom(struct fw_bound *bound, fw_atom atom, unsigned depth);

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

static struct fw_interval of_scalar(struct fw_bound *bound, const struct fw_atom_node *node,
                                    unsigned depth)
{
    struct fw_interval range = bound_scalar_interval(bound, node, depth);
    return range.low < -BEYOND || range.high > BEYOND ? everything : range;
}

int bound_interval_decides(struct fw_bound *bound, fw_condition condition, unsigned depth)
{
    const struct fw_condition_node *node = &bound->kernel->pool.conditions.at[condition];
    if (node->kind == FW_CONDITION_NOT && depth < MOST_NESTING) {
        int opposite = bound_interval_decides(bound, node->a, depth + 1);
        return opposite < 0 ? opposite : !opposite;
    }
    if (node->kind != FW_CONDITION_ZERO)
        return -1;
    struct fw_interval of = of_expression(bound, node->a, depth + 1);
    return of.low == 0 && of.high == 0 ? 1 : of.low > 0 || of.high < 0 ? 0 : -1;
}

struct fw_interval bound_interval_of(struct fw_bound *bound, fw_expression a, unsigned depth)
{
    return of_expression(bound, a, depth + 1);
}

bool bound_interval_step(struct fw_bound *bound, unsigned depth)
{
    if (depth > MOST_NESTING || bound->interval_steps == 0)
        return false;
    bound->interval_steps--;
    return true;
}

static struct fw_interval of_atom(struct fw_bound *bound, fw_atom atom, unsigned depth)
{
    const struct fw_kernel *kernel = bound->kernel;
    const struct fw_atom_node *node = &kernel->pool.atoms.at[atom];
    struct fw_interval a, b;
    switch ((enum fw_atom_kind)node->kind) {
    case FW_ATOM_PARAMETER:
        if (bound->launch->is_bound[node->a]) {
            int64_t argument = bound_argument(bound, node->a);
            return (struct fw_interval){argument, argument};
        }
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
    case FW_ATOM_CARRIED:
    case FW_ATOM_UNKNOWN:
        return everything;
    case FW_ATOM_STEP: /* whatever it goes on from; with what it starts from, that of a FOLD */
        return of_expression(bound, node->a, depth + 1);
    case FW_ATOM_FOLD:
        a = of_expression(bound, node->a, depth + 1);
        b = of_expression(bound, node->b, depth + 1);
        return (struct fw_interval){a.low < b.low ? a.low : b.low,
                                    a.high > b.high ? a.high : b.high};
    case FW_ATOM_AT:
        return of_expression(bound, node->a, depth + 1);
    case FW_ATOM_SCALAR:
        return of_scalar(bound, node, depth);
    case FW_ATOM_SELECT:
        switch (bound_interval_decides(bound, node->c, depth)) {
        case 0:
            return of_expression(bound, node->b, depth + 1);
        case 1:
            return of_expression(bound, node->a, depth + 1);
        default:
            break;
        }
        break;
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

/* A term c floor(x / m): c, with what stands beside the floor, m and x. */
struct floor_term {
    int64_t coefficient, divisor;
    fw_expression of;
};

/* A sum of products of atoms, times `scale`, and the constants of its bounds. */
struct relaxation {
    struct {
        const fw_atom *atoms;
        uint32_t count;
        fw_wide coefficient;
    } at[MOST_PRODUCTS];
    uint32_t count;
    fw_wide scale, low, high, constant;
    bool cancels; /* a product was in two terms */
    struct floor_term floors[MOST_FLOORS];
    uint32_t floor_count;
};

static bool add_product(struct relaxation *to, const struct fw_term *term, fw_wide factor)
{
    fw_wide coefficient = factor * term->coefficient;
    if (term->atom_count == 0) {
        to->low += coefficient;
        to->high += coefficient;
        return true;
    }
    for (uint32_t i = 0; i < to->count; i++)
        if (to->at[i].count == term->atom_count &&
            memcmp(to->at[i].atoms, term->atoms, term->atom_count * sizeof(fw_atom)) == 0) {
            to->at[i].coefficient += coefficient;
            to->cancels = true;
            return true;
        }
    if (to->count == MOST_PRODUCTS)
        return false;
    to->at[to->count].atoms = term->atoms;
    to->at[to->count].count = term->atom_count;
    to->at[to->count++].coefficient = coefficient;
    return true;
}

static bool is_moderate(fw_wide value)
{
    return value > -MODERATE && value < MODERATE;
}

/* Reads such a term, of which all but the floor is a known number.  False: it is none. */
static bool read_floor(struct fw_bound *bound, const struct fw_term *term, unsigned depth,
                       struct floor_term *to)
{
    const struct fw_pool *pool = &bound->kernel->pool;
    fw_wide coefficient = term->coefficient;
    bool found = false;
    for (uint32_t i = 0; i < term->atom_count; i++) {
        const struct fw_atom_node *node = &pool->atoms.at[term->atoms[i]];
        bool is_floor = node->kind == FW_ATOM_FLOOR && !found;
        struct fw_interval known = is_floor ? of_expression(bound, node->b, depth + 1)
                                            : of_atom(bound, term->atoms[i], depth + 1);
        if (known.low != known.high || !is_moderate(known.low) || !is_moderate(coefficient))
            return false;
        if (is_floor)
            *to = (struct floor_term){.divisor = known.low, .of = node->a};
        else
            coefficient *= known.low;
        found |= is_floor;
    }
    if (!found || to->divisor < 1 || !is_moderate(coefficient))
        return false;
    to->coefficient = (int64_t)coefficient;
    return true;
}

/* c floor(x / m) is between c (x - m + 1) / m and c x / m. */
static bool add_floor(struct relaxation *to, const struct fw_pool *pool,
                      const struct floor_term *floor)
{
    const struct fw_expression_node *of = &pool->expressions.at[floor->of];
    fw_wide factor = to->scale / floor->divisor * floor->coefficient;
    if (to->floor_count == MOST_FLOORS)
        return false;
    to->floors[to->floor_count++] = *floor;
    for (uint32_t t = 0; t < of->term_count; t++)
        if (!is_moderate(of->terms[t].coefficient) || !add_product(to, &of->terms[t], factor))
            return false;
    *(factor > 0 ? &to->low : &to->high) -= factor * (floor->divisor - 1);
    return true;
}

enum { ALL_FLOORS = -1 };

/* The terms whose floors have the greatest divisor, where several terms have floors; else 0. */
static uint32_t widest_floors(int out[MOST_FLOORS], struct fw_bound *bound,
                              const struct fw_expression_node *node, unsigned depth)
{
    struct floor_term floor;
    int64_t most = 0;
    uint32_t count = 0, floors = 0;
    for (uint32_t t = 0; t < node->term_count; t++) {
        if (!read_floor(bound, &node->terms[t], depth, &floor))
            continue;
        floors++;
        count = floor.divisor > most ? 0 : count;
        if (floor.divisor >= most && count < MOST_FLOORS)
            out[count++] = (int)t;
        most = floor.divisor > most ? floor.divisor : most;
    }
    return floors > 1 ? count : 0;
}

/* The sum with its floors as quotients: x - m floor(x / m) is between 0 and m - 1 whatever x is.
 * `only`: the one term whose floor is taken so, where x has floors itself, which stand beside it.
 */
static bool relax(struct relaxation *to, struct fw_bound *bound, fw_expression a, unsigned depth,
                  int only)
{
    const struct fw_pool *pool = &bound->kernel->pool;
    const struct fw_expression_node *node = &pool->expressions.at[a];
    struct floor_term floor;
    bool any = false;
    memset(to, 0, sizeof(*to));
    to->scale = 1;
    for (uint32_t t = 0; t < node->term_count; t++)
        if ((only == ALL_FLOORS || (uint32_t)only == t) &&
            read_floor(bound, &node->terms[t], depth, &floor)) {
            to->scale *= to->scale % floor.divisor ? floor.divisor : 1;
            any = true;
            if (to->scale > MODERATE)
                return false;
        }
    for (uint32_t t = 0; t < node->term_count && any; t++) {
        if (!is_moderate(node->terms[t].coefficient))
            return false;
        to->constant += node->terms[t].atom_count ? 0 : node->terms[t].coefficient;
        bool added = (only == ALL_FLOORS || (uint32_t)only == t) &&
                             read_floor(bound, &node->terms[t], depth, &floor)
                         ? add_floor(to, pool, &floor)
                         : add_product(to, &node->terms[t], to->scale);
        if (!added)
            return false;
    }
    return any && to->cancels;
}

static struct fw_interval of_product(struct fw_bound *bound, const fw_atom *atoms, uint32_t count,
                                     int64_t coefficient, unsigned depth)
{
    struct fw_interval result = {coefficient, coefficient};
    for (uint32_t i = 0; i < count; i++)
        result = product(result, of_atom(bound, atoms[i], depth));
    return result;
}

/* Bounds of the floors of one product, and of its multiples beside them, when together they neither
 * rise nor fall: their values for `scale` values of the product in a row come again and again. */
static bool of_period(struct fw_interval *all, const struct fw_bound *bound,
                      const struct relaxation *r, uint32_t z)
{
    const struct fw_pool *pool = &bound->kernel->pool;
    fw_wide slope = 0; /* of the floors, times `scale` */
    for (fw_wide x = 0; x < r->scale; x++) {
        fw_wide value = 0;
        slope = 0;
        for (uint32_t f = 0; f < r->floor_count; f++) {
            const struct fw_expression_node *of = &pool->expressions.at[r->floors[f].of];
            fw_wide inside = 0;
            for (uint32_t t = 0; t < of->term_count; t++) {
                const struct fw_term *term = &of->terms[t];
                bool is_it =
                    term->atom_count == r->at[z].count &&
                    memcmp(term->atoms, r->at[z].atoms, term->atom_count * sizeof(fw_atom)) == 0;
                if (!is_it && term->atom_count)
                    return false;
                inside += term->coefficient * (is_it ? x : 1);
                slope += is_it ? r->scale / r->floors[f].divisor * r->floors[f].coefficient *
                                     term->coefficient
                               : 0;
            }
            value += fw_floor_quotient(clamp(inside), r->floors[f].divisor) *
                     (fw_wide)r->floors[f].coefficient;
        }
        value -= slope / r->scale * x; /* the multiples beside them */
        if (slope % r->scale)
            return false;
        all->low = x == 0 || value < all->low ? clamp(value) : all->low;
        all->high = x == 0 || value > all->high ? clamp(value) : all->high;
    }
    return true;
}

/* The bounds of a relaxed sum, of integers. */
static struct fw_interval of_relaxed(struct fw_bound *bound, const struct relaxation *r,
                                     unsigned depth)
{
    struct fw_interval total = {clamp(r->low), clamp(r->high)}, period = total;
    for (uint32_t i = 0; i < r->count; i++) {
        if (r->at[i].coefficient == 0 && r->scale <= MOST_PERIOD && of_period(&period, bound, r, i))
            total = (struct fw_interval){clamp((r->constant + period.low) * r->scale),
                                         clamp((r->constant + period.high) * r->scale)};
    }
    for (uint32_t i = 0; i < r->count; i++) {
        if (r->at[i].coefficient == 0)
            continue;
        if (clamp(r->at[i].coefficient) != r->at[i].coefficient)
            return everything;
        total = sum(total, of_product(bound, r->at[i].atoms, r->at[i].count,
                                      (int64_t)r->at[i].coefficient, depth));
    }
    if (fw_interval_bounded(total)) {
        total.low = -fw_floor_quotient(-total.low, (int64_t)r->scale);
        total.high = fw_floor_quotient(total.high, (int64_t)r->scale);
    }
    return fw_interval_bounded(total) ? total : everything;
}

static struct fw_interval of_expression(struct fw_bound *bound, fw_expression a, unsigned depth)
{
    const struct fw_expression_node *node = &bound->kernel->pool.expressions.at[a];
    struct fw_interval total = {0, 0};
    struct relaxation relaxed;
    if (depth > MOST_NESTING || bound->interval_steps == 0)
        return everything;
    bound->interval_steps--;
    for (uint32_t t = 0; t < node->term_count; t++)
        total = sum(total, of_product(bound, node->terms[t].atoms, node->terms[t].atom_count,
                                      node->terms[t].coefficient, depth));
    if (node->term_count < 2)
        return total;
    int ways[1 + MOST_FLOORS] = {ALL_FLOORS};
    uint32_t count = 1 + widest_floors(&ways[1], bound, node, depth);
    for (uint32_t way = 0; way < count; way++)
        if (relax(&relaxed, bound, a, depth, ways[way])) {
            struct fw_interval other = of_relaxed(bound, &relaxed, depth);
            total.low = other.low > total.low ? other.low : total.low;
            total.high = other.high < total.high ? other.high : total.high;
        }
    return total;
}

struct fw_interval fw_bound_interval(struct fw_bound *bound, fw_expression a)
{
    bound->interval_steps = bound->launch->brief ? BRIEF_INTERVAL_STEPS : MOST_INTERVAL_STEPS;
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
