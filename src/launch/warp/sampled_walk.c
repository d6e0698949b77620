#include "sampled_walk.h"
#include "checked.h"
#include "quotient.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lanes as bits. */
typedef uint32_t lanes;

enum { MEMO_ENTRIES = 1 << 14, MEMO_ESTIMATES = 1 << 9, FIRST_ITERATIONS = 4 };

/* Below which products of coefficients and values, and sums of FW_PIECE_VARIABLES of them and a
 * constant below FAR, are far from leaving 64 bits. */
#define SMALL_COEFFICIENT ((int64_t)1 << 22)
#define SMALL_VALUE       ((int64_t)1 << 34)

/* A condition's lanes at one warp, under a hash of all that it was evaluated from. */
struct sampled_memo {
    uint64_t binding;
    struct {
        uint64_t key;
        lanes known, hold;
    } at[MEMO_ENTRIES];
    struct fw_estimate estimates[MEMO_ESTIMATES];
};

/* What conditions were found to be, by warp; empty for another binding.  NULL without memory. */
static struct sampled_memo *memo_new(void)
{
    struct sampled_memo *memo = calloc(1, sizeof(*memo));
    if (memo)
        memo->binding = 1;
    return memo;
}

void sampled_memo_forget(struct sampled_memo *memo)
{
    if (!memo)
        return;
    memo->binding++;
    memset(memo->estimates, 0, sizeof(memo->estimates));
}

struct fw_estimate *sampled_memo_estimate(struct sampled_memo *memo, uint64_t content)
{
    return &memo->estimates[content % MEMO_ESTIMATES];
}

static uint64_t mixed(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

static uint64_t key_of(const struct sampled_walk *walk, uint32_t part, fw_condition condition)
{
    uint64_t key = mixed(walk->memo->binding, condition);
    key = mixed(mixed(key, walk->block[0]), walk->block[1]);
    key = mixed(mixed(key, walk->block[2]), walk->warp);
    for (uint32_t v = 0; v < walk->piece->variables; v++)
        if (walk->piece->entered[v] != FW_NONE && walk->mentions[part][v])
            key = mixed(mixed(key, walk->piece->entered[v]), (uint64_t)walk->value[v][0]);
    return key;
}

static struct fw_point point_of(const struct sampled_walk *walk, uint32_t lane)
{
    const uint32_t *block = walk->block, *thread = walk->thread[lane];
    for (uint32_t v = 0; v < walk->piece->variables; v++)
        if (walk->piece->entered[v] != FW_NONE)
            walk->iterations[walk->piece->entered[v]] = walk->value[v][lane];
    return (struct fw_point){
        {block[0], block[1], block[2]}, {thread[0], thread[1], thread[2]}, walk->iterations};
}

/* Those of the lanes at which a sampled condition is as the piece asks. */
static lanes apply_condition(struct sampled_walk *walk, uint32_t part, lanes live)
{
    const struct fw_sampled *sampled = &walk->piece->sampled[part];
    uint64_t key = key_of(walk, part, sampled->condition);
    lanes known = 0, hold = 0;
    uint64_t slot = key % MEMO_ENTRIES;
    if (walk->memo->at[slot].key == key) {
        known = walk->memo->at[slot].known;
        hold = walk->memo->at[slot].hold;
    }
    for (uint32_t l = 0; l < FW_WARP_THREADS; l++) {
        bool told;
        if (!((live & ~known) >> l & 1))
            continue;
        struct fw_point point = point_of(walk, l);
        bool holds = bound_holds_at(walk->bound, sampled->condition, &point, &told);
        walk->failed |= !told;
        known |= (lanes)told << l;
        hold |= (lanes)holds << l;
    }
    walk->memo->at[slot].key = key;
    walk->memo->at[slot].known = known;
    walk->memo->at[slot].hold = hold;
    return live & (sampled->truth ? hold : ~hold);
}

/* Sets what is known of a variable's values at all lanes. */
static void set_same(struct sampled_walk *walk, uint32_t v, int64_t value)
{
    for (uint32_t l = 0; l < FW_WARP_THREADS; l++)
        walk->value[v][l] = value;
    walk->same[v] = true;
    walk->small[v] = value >= -SMALL_VALUE && value < SMALL_VALUE;
}

static void set_apart(struct sampled_walk *walk, uint32_t v)
{
    uint64_t any = 0; /* values and the complements of those below zero */
    for (uint32_t l = 0; l < FW_WARP_THREADS; l++)
        any |= (uint64_t)(walk->value[v][l] ^ (walk->value[v][l] < 0 ? -1 : 0));
    walk->same[v] = false;
    walk->small[v] = any < (uint64_t)SMALL_VALUE;
}

/* The value of a row at a lane, of the variables below `end`; false: it leaves 64 bits. */
static bool row_value(const struct sampled_walk *walk, const struct fw_linear *row, uint32_t lane,
                      uint32_t end, int64_t *value)
{
    *value = row->constant;
    for (uint32_t v = 0; v < end; v++) {
        int64_t product;
        if (row->coefficient[v] &&
            (fw_multiply_overflows(row->coefficient[v], walk->value[v][lane], &product) ||
             fw_add_overflows(*value, product, value)))
            return false;
    }
    return true;
}

/* Adds a coefficient times values at all lanes.  Most coefficients are 1 or -1, and vectors
 * multiply slowly. */
static inline void add_values(int64_t to[FW_WARP_THREADS], int64_t coefficient,
                              const int64_t values[FW_WARP_THREADS])
{
    if (coefficient == 1)
        for (uint32_t l = 0; l < FW_WARP_THREADS; l++)
            to[l] += values[l];
    else if (coefficient == -1)
        for (uint32_t l = 0; l < FW_WARP_THREADS; l++)
            to[l] -= values[l];
    else
        for (uint32_t l = 0; l < FW_WARP_THREADS; l++)
            to[l] += coefficient * values[l];
}

/* The values of row number r at lanes, of the variables below `end`.  Gives the lanes at which they
 * do not leave 64 bits. */
static lanes row_values(const struct sampled_walk *walk, uint32_t r, uint32_t end, lanes live,
                        int64_t values[FW_WARP_THREADS])
{
    const struct fw_linear *row = &walk->piece->rows[r].form;
    int64_t all = row->constant; /* what lanes have in common */
    uint32_t apart[FW_PIECE_VARIABLES], count = 0;
    lanes known = 0;
    bool small = walk->plain[r];
    for (uint32_t v = 0; v < end && small; v++) {
        if (!row->coefficient[v])
            continue;
        small = walk->small[v];
        if (!walk->same[v])
            apart[count++] = v;
        else if (small)
            all += row->coefficient[v] * walk->value[v][0];
    }
    for (uint32_t l = 0; l < FW_WARP_THREADS && !small; l++) {
        values[l] = 0;
        if (live >> l & 1)
            known |= (lanes)row_value(walk, row, l, end, &values[l]) << l;
    }
    if (!small)
        return known;
    for (uint32_t l = 0; l < FW_WARP_THREADS; l++)
        values[l] = all;
    for (uint32_t i = 0; i < count; i++)
        add_values(values, row->coefficient[apart[i]], walk->value[apart[i]]);
    return live;
}

/* One more than the last variable of a row. */
static uint32_t end_of(const struct fw_piece *piece, const struct fw_linear *row)
{
    uint32_t v = piece->variables;
    while (v > 0 && !row->coefficient[v - 1])
        v--;
    return v;
}

/* Puts the rows in the order of their ends, and finds which are plain. */
static void sort_rows(struct sampled_walk *walk)
{
    const struct fw_piece *piece = walk->piece;
    uint32_t count = 0;
    for (uint32_t end = 0; end <= piece->variables; end++) {
        walk->first[end] = (uint8_t)count;
        for (uint32_t r = 0; r < piece->row_count; r++)
            if (end_of(piece, &piece->rows[r].form) == end)
                walk->rows[count++] = (uint8_t)r;
    }
    walk->first[piece->variables + 1] = (uint8_t)count;
    for (uint32_t r = 0; r < piece->row_count; r++) {
        const struct fw_linear *row = &piece->rows[r].form;
        bool plain = row->constant > -FAR && row->constant < FAR;
        for (uint32_t v = 0; v < piece->variables; v++)
            plain &=
                row->coefficient[v] > -SMALL_COEFFICIENT && row->coefficient[v] < SMALL_COEFFICIENT;
        walk->plain[r] = plain;
    }
}

/* The lanes at which values are below zero, or above it too if they are to be zero. */
static lanes outside(const int64_t value[FW_WARP_THREADS], bool equality)
{
    int64_t any = 0;
    lanes found = 0;
    for (uint32_t l = 0; l < FW_WARP_THREADS; l++)
        any |= value[l];
    if (equality ? any == 0 : any >= 0)
        return 0;
    for (uint32_t l = 0; l < FW_WARP_THREADS; l++)
        found |= (lanes)(value[l] < 0 || (equality && value[l] != 0)) << l;
    return found;
}

/* Those of the lanes at which the variable before `end` is within its bounds. */
static lanes in_bounds(const struct sampled_walk *walk, uint32_t end, lanes live)
{
    const struct fw_piece *piece = walk->piece;
    if (end == 0 || piece->quotient[end - 1])
        return live;
    const int64_t *value = walk->value[end - 1], low = piece->low[end - 1],
                  high = piece->high[end - 1];
    if (walk->same[end - 1])
        return value[0] < low || value[0] > high ? 0 : live;
    if (walk->small[end - 1] && low > -FAR && low < FAR && high > -FAR && high < FAR) {
        int64_t from_low[FW_WARP_THREADS], to_high[FW_WARP_THREADS];
        for (uint32_t l = 0; l < FW_WARP_THREADS; l++) {
            from_low[l] = value[l] - low;
            to_high[l] = high - value[l];
        }
        return live & ~outside(from_low, false) & ~outside(to_high, false);
    }
    for (uint32_t l = 0; l < FW_WARP_THREADS; l++)
        live &= ~((lanes)(value[l] < low || value[l] > high) << l);
    return live;
}

/* Those of the lanes at which the bounds of the variable before `end` hold, and the rows that it is
 * the last variable of. */
static lanes apply_rows(struct sampled_walk *walk, uint32_t end, lanes live)
{
    const struct fw_piece *piece = walk->piece;
    for (uint32_t i = walk->first[end]; i < walk->first[end + 1] && live; i++) {
        const uint32_t r = walk->rows[i];
        int64_t value[FW_WARP_THREADS];
        if (piece->rows[r].definition)
            continue;
        lanes known = row_values(walk, r, end, live, value);
        walk->failed |= known != live;
        live &= ~(outside(value, piece->rows[r].equality) & known);
    }
    return in_bounds(walk, end, live);
}

/* The quotient that variable v is, at every lane. */
static void find_quotient(struct sampled_walk *walk, uint32_t v, lanes live)
{
    const struct fw_piece *piece = walk->piece;
    for (uint32_t i = walk->first[v + 1]; i < walk->first[v + 2]; i++) {
        const uint32_t r = walk->rows[i];
        const int64_t divisor = -piece->rows[r].form.coefficient[v];
        int64_t rest[FW_WARP_THREADS];
        if (!piece->rows[r].definition || divisor <= 0)
            continue;
        lanes known = row_values(walk, r, v, live, rest);
        walk->failed |= known != live;
        for (uint32_t l = 0; l < FW_WARP_THREADS; l++)
            if (known >> l & 1)
                walk->value[v][l] = fw_floor_quotient(rest[l], divisor);
        set_apart(walk, v);
        return;
    }
    walk->failed = true;
}

/* Narrows the iterations of a variable to those that one row allows a lane, which is `rest` without
 * the variable. */
static void narrow(const struct fw_piece_row *row, int64_t c, int64_t rest, int64_t *low,
                   int64_t *high)
{
    if (rest == INT64_MIN || c == INT64_MIN)
        return;
    if (c > 0 || row->equality) { /* c v >= -rest */
        int64_t least = c > 0 ? -fw_floor_quotient(rest, c) : -fw_floor_quotient(-rest, -c);
        *low = least > *low ? least : *low;
    }
    if (c < 0 || row->equality) {
        int64_t most = c < 0 ? fw_floor_quotient(rest, -c) : fw_floor_quotient(-rest, c);
        *high = most < *high ? most : *high;
    }
}

/* The iterations of a loop that any lane can be in, by rows without later variables. */
static void range_by_rows(struct sampled_walk *walk, uint32_t v, lanes live, int64_t *low,
                          int64_t *high)
{
    const struct fw_piece *piece = walk->piece;
    int64_t least[FW_WARP_THREADS], most[FW_WARP_THREADS];
    *low = INT64_MAX;
    *high = INT64_MIN;
    for (uint32_t l = 0; l < FW_WARP_THREADS; l++) {
        least[l] = piece->low[v];
        most[l] = piece->high[v];
    }
    for (uint32_t i = walk->first[v + 1]; i < walk->first[v + 2]; i++) {
        const struct fw_piece_row *row = &piece->rows[walk->rows[i]];
        int64_t rest[FW_WARP_THREADS];
        if (row->definition)
            continue;
        lanes known = row_values(walk, walk->rows[i], v, live, rest);
        for (uint32_t l = 0; l < FW_WARP_THREADS; l++)
            if (known >> l & 1)
                narrow(row, row->form.coefficient[v], rest[l], &least[l], &most[l]);
    }
    for (uint32_t l = 0; l < FW_WARP_THREADS; l++) {
        if (!(live >> l & 1) || least[l] > most[l])
            continue;
        *low = least[l] < *low ? least[l] : *low;
        *high = most[l] > *high ? most[l] : *high;
    }
}

static void visit(struct sampled_walk *walk, uint32_t v, uint32_t drawn, double weight, lanes base,
                  lanes live);

/* Goes on in the iterations from low to high: in all of them, or in some: a few of the outermost
 * loop, which then cost no more warps, and one of each loop inside. */
static void visit_iterations(struct sampled_walk *walk, uint32_t v, uint32_t drawn, double weight,
                             int64_t low, int64_t high, lanes base, lanes live,
                             const int64_t *trips)
{
    if (low > high)
        return;
    if (high >= FAR || low <= -FAR) {
        walk->failed = true;
        return;
    }
    double count = (double)high - (double)low + 1;
    int64_t some = drawn ? 1 : FIRST_ITERATIONS;
    bool all = walk->every || count <= (double)some;
    for (int64_t i = 0; i < (all ? (int64_t)count : some) && !walk->failed; i++) {
        lanes here = live;
        int64_t at = low + i;
        if (!all) {
            double place = walk->draws[drawn] + (double)i / (double)some;
            at = low + (int64_t)((place - floor(place)) * count);
        }
        set_same(walk, v, at);
        for (uint32_t l = 0; l < FW_WARP_THREADS && trips; l++)
            here &= ~((lanes)(at >= trips[l]) << l);
        visit(walk, v + 1, drawn + 1, all ? weight : weight * count / (double)some, base, here);
    }
}

/* A loop without rows that say when it ends: each lane's iterations are counted. */
static void visit_loop(struct sampled_walk *walk, uint32_t v, uint32_t drawn, double weight,
                       uint32_t part, lanes live)
{
    const struct fw_piece *piece = walk->piece;
    int64_t trips[FW_WARP_THREADS] = {0}, most = 0;
    for (uint32_t l = 0; l < FW_WARP_THREADS; l++) {
        if (!(live >> l & 1))
            continue;
        struct fw_point point = point_of(walk, l);
        if (!bound_trips_at(walk->bound, piece->sampled[part].loop, &point, &trips[l]))
            walk->failed = true;
        most = trips[l] > most ? trips[l] : most;
    }
    if (part + 1 == piece->sampled_count) {
        walk->sums.before += weight * __builtin_popcount(live);
        for (uint32_t l = 0; l < FW_WARP_THREADS; l++)
            walk->sums.after += weight * (double)trips[l];
    }
    walk->sums.most = (double)most > walk->sums.most ? (double)most : walk->sums.most;
    if (!walk->failed)
        visit_iterations(walk, v, drawn, weight, 0, most - 1, 0, live, trips);
}

static void add_leaf(struct sampled_walk *walk, double weight, lanes live)
{
    if (walk->leaves == 0) {
        walk->failed = true;
        return;
    }
    walk->leaves--;
    walk->sums.threads += weight * __builtin_popcount(live);
    walk->sums.warps += live ? weight : 0;
}

/* The lanes that are in the piece, from variable v on.  `base`: those that its rows alone allow;
 * `live`: those at which the sampled parts so far are as it asks, too. */
static void visit(struct sampled_walk *walk, uint32_t v, uint32_t drawn, double weight, lanes base,
                  lanes live)
{
    const struct fw_piece *piece = walk->piece;
    uint32_t loop = FW_NONE;
    base = v > walk->first_loop ? base : apply_rows(walk, v, base);
    live = v > walk->first_loop ? apply_rows(walk, v, live) : live & base;
    if (v == walk->first_loop) {
        walk->sums.base_threads += weight * __builtin_popcount(base);
        walk->sums.base_warps += base ? weight : 0;
    }
    for (uint32_t p = 0; p < piece->sampled_count && !walk->failed; p++) {
        if (piece->sampled[p].variable != v)
            continue;
        if (piece->sampled[p].loop != FW_NONE) {
            loop = p;
            continue;
        }
        if (p + 1 == piece->sampled_count)
            walk->sums.before += weight * __builtin_popcount(live);
        live = live ? apply_condition(walk, p, live) : 0;
        if (p + 1 == piece->sampled_count)
            walk->sums.after += weight * __builtin_popcount(live);
    }
    bool counting = v < walk->first_loop ? base != 0 : live != 0;
    if (walk->failed || (v < piece->variables && !counting))
        return;
    if (v == piece->variables)
        add_leaf(walk, weight, live);
    else if (loop != FW_NONE)
        visit_loop(walk, v, drawn, weight, loop, live);
    else if (piece->quotient[v] && !piece->fixed[v]) {
        find_quotient(walk, v, base | live);
        visit(walk, v + 1, drawn, weight, base, live);
    } else if (piece->entered[v] != FW_NONE && !piece->fixed[v]) {
        int64_t low, high;
        range_by_rows(walk, v, v < walk->first_loop ? base : live, &low, &high);
        visit_iterations(walk, v, drawn, weight, low, high, base, live, NULL);
    } else {
        visit(walk, v + 1, drawn, weight, base, live);
    }
}

bool sampled_walk_begin(struct sampled_walk *walk, struct fw_bound *bound,
                        const struct fw_piece *piece)
{
    *walk = (struct sampled_walk){.bound = bound, .piece = piece};
    walk->first_loop = piece->variables;
    sort_rows(walk);
    walk->iterations = FW_ARRAY(bound->scratch, int64_t, bound->kernel->loop_count + 1);
    for (uint32_t p = 0; p < piece->sampled_count; p++) {
        const struct fw_sampled *sampled = &piece->sampled[p];
        if (sampled->loop != FW_NONE && sampled->variable < walk->first_loop)
            walk->first_loop = sampled->variable;
        if (!bound_mentioned(bound, piece, sampled->condition, sampled->loop, walk->mentions[p]))
            return false;
    }
    if (!bound->sampled_memo)
        bound->sampled_memo = memo_new();
    walk->memo = bound->sampled_memo;
    return walk->memo != NULL;
}

uint32_t sampled_walk_draws(const struct sampled_walk *walk)
{
    uint32_t draws = 0;
    for (uint32_t v = 0; v < walk->piece->variables; v++)
        draws += walk->piece->entered[v] != FW_NONE && !walk->piece->fixed[v];
    return draws;
}

/* Sets the threads of a warp; gives its lanes that are some. */
static lanes begin_warp(struct sampled_walk *walk, uint32_t warp)
{
    const uint32_t *size = walk->bound->launch->block;
    uint32_t first = warp * FW_WARP_THREADS, threads = size[0] * size[1] * size[2];
    uint32_t at[3] = {first % size[0], first / size[0] % size[1], first / size[0] / size[1]};
    walk->warp = warp;
    walk->all = 0;
    for (uint32_t l = 0; l < FW_WARP_THREADS; l++) {
        walk->all |= (lanes)(first + l < threads) << l;
        memcpy(walk->thread[l], at, sizeof(at));
        if (++at[0] == size[0]) {
            at[0] = 0;
            at[2] += ++at[1] == size[1];
            at[1] = at[1] == size[1] ? 0 : at[1];
        }
    }
    return walk->all;
}

void sampled_walk_warp(struct sampled_walk *walk, const uint32_t block[3], uint32_t warp)
{
    const struct fw_piece *piece = walk->piece;
    lanes all = walk->all;
    memcpy(walk->block, block, sizeof(walk->block));
    if (!all || walk->warp != warp)
        all = begin_warp(walk, warp);
    for (uint32_t v = 0; v < piece->variables; v++)
        set_same(walk, v, piece->low[v]);
    for (uint32_t d = 0; d < 6; d++) {
        int8_t v = piece->launch_variable[d];
        if (v >= 0 && d < 3)
            set_same(walk, (uint32_t)v, block[d]);
        if (v < 0 || d < 3)
            continue;
        for (uint32_t l = 0; l < FW_WARP_THREADS; l++)
            walk->value[v][l] = walk->thread[l][d - 3];
        set_apart(walk, (uint32_t)v);
    }
    memset(walk->iterations, 0, walk->bound->kernel->loop_count * sizeof(*walk->iterations));
    visit(walk, 0, 0, 1, all, all);
}
