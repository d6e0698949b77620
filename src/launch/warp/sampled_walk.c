#include "sampled_walk.h"
#include "checked.h"
#include "quotient.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lanes as bits. */
typedef uint32_t lanes;

enum { MEMO_ENTRIES = 1 << 14, MEMO_ESTIMATES = 1 << 9, FIRST_ITERATIONS = 4 };

/* A condition's lanes at one warp, under a hash of all that it was evaluated from. */
struct sampled_memo {
    uint64_t binding;
    struct {
        uint64_t key;
        lanes known, hold;
    } at[MEMO_ENTRIES];
    struct fw_estimate estimates[MEMO_ESTIMATES];
};

struct sampled_memo *sampled_memo_new(void)
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
            key = mixed(mixed(key, walk->piece->entered[v]), (uint64_t)walk->value[0][v]);
    return key;
}

static struct fw_point point_of(const struct sampled_walk *walk, uint32_t lane)
{
    const uint32_t *block = walk->block, *thread = walk->thread[lane];
    for (uint32_t v = 0; v < walk->piece->variables; v++)
        if (walk->piece->entered[v] != FW_NONE)
            walk->iterations[walk->piece->entered[v]] = walk->value[lane][v];
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

/* The value of a row at a lane, of the variables below `end`; false: it leaves 64 bits. */
static bool row_value(const struct sampled_walk *walk, const struct fw_linear *row, uint32_t lane,
                      uint32_t end, int64_t *value)
{
    *value = row->constant;
    for (uint32_t v = 0; v < end; v++) {
        int64_t product;
        if (row->coefficient[v] &&
            (fw_multiply_overflows(row->coefficient[v], walk->value[lane][v], &product) ||
             fw_add_overflows(*value, product, value)))
            return false;
    }
    return true;
}

/* One more than the last variable of a row. */
static uint32_t end_of(const struct fw_piece *piece, const struct fw_linear *row)
{
    uint32_t v = piece->variables;
    while (v > 0 && !row->coefficient[v - 1])
        v--;
    return v;
}

/* Those of the lanes at which the bounds of the variable before `end` hold, and the rows that it is
 * the last variable of. */
static lanes apply_rows(struct sampled_walk *walk, uint32_t end, lanes live)
{
    const struct fw_piece *piece = walk->piece;
    for (uint32_t r = 0; r < piece->row_count; r++) {
        const struct fw_piece_row *row = &piece->rows[r];
        if (row->definition || end_of(piece, &row->form) != end)
            continue;
        for (uint32_t l = 0; l < FW_WARP_THREADS; l++) {
            int64_t value;
            if (!(live >> l & 1))
                continue;
            if (!row_value(walk, &row->form, l, end, &value))
                walk->failed = true;
            else if (value < 0 || (row->equality && value != 0))
                live &= ~((lanes)1 << l);
        }
    }
    uint32_t v = end - 1;
    for (uint32_t l = 0; end > 0 && !piece->quotient[v] && l < FW_WARP_THREADS; l++)
        if (walk->value[l][v] < piece->low[v] || walk->value[l][v] > piece->high[v])
            live &= ~((lanes)1 << l);
    return live;
}

/* The quotient that variable v is, at every lane. */
static void find_quotient(struct sampled_walk *walk, uint32_t v, lanes live)
{
    const struct fw_piece *piece = walk->piece;
    for (uint32_t r = 0; r < piece->row_count; r++) {
        const struct fw_linear *row = &piece->rows[r].form;
        if (!piece->rows[r].definition || row->coefficient[v] >= 0 || end_of(piece, row) != v + 1)
            continue;
        for (uint32_t l = 0; l < FW_WARP_THREADS; l++) {
            int64_t rest;
            if (!(live >> l & 1))
                continue;
            if (row_value(walk, row, l, v, &rest))
                walk->value[l][v] = fw_floor_quotient(rest, -row->coefficient[v]);
            else
                walk->failed = true;
        }
        return;
    }
    walk->failed = true;
}

/* Narrows the iterations of variable v to those that one row allows a lane. */
static void narrow(struct sampled_walk *walk, const struct fw_piece_row *row, uint32_t v,
                   uint32_t lane, int64_t *low, int64_t *high)
{
    int64_t c = row->form.coefficient[v], rest;
    if (!row_value(walk, &row->form, lane, v, &rest) || rest == INT64_MIN || c == INT64_MIN)
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
    *low = INT64_MAX;
    *high = INT64_MIN;
    for (uint32_t l = 0; l < FW_WARP_THREADS; l++) {
        int64_t least = piece->low[v], most = piece->high[v];
        if (!(live >> l & 1))
            continue;
        for (uint32_t r = 0; r < piece->row_count; r++)
            if (!piece->rows[r].definition && end_of(piece, &piece->rows[r].form) == v + 1)
                narrow(walk, &piece->rows[r], v, l, &least, &most);
        if (least > most)
            continue;
        *low = least < *low ? least : *low;
        *high = most > *high ? most : *high;
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
        for (uint32_t l = 0; l < FW_WARP_THREADS; l++) {
            walk->value[l][v] = at;
            if (trips && at >= trips[l])
                here &= ~((lanes)1 << l);
        }
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
    walk->iterations = FW_ARRAY(bound->scratch, int64_t, bound->kernel->loop_count + 1);
    for (uint32_t p = 0; p < piece->sampled_count; p++) {
        const struct fw_sampled *sampled = &piece->sampled[p];
        if (sampled->loop != FW_NONE && sampled->variable < walk->first_loop)
            walk->first_loop = sampled->variable;
        if (!bound_mentioned(bound, piece, sampled->condition, sampled->loop, walk->mentions[p]))
            return false;
    }
    if (!bound->sampled_memo)
        bound->sampled_memo = sampled_memo_new();
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

void sampled_walk_warp(struct sampled_walk *walk, const uint32_t block[3], uint32_t warp)
{
    const struct fw_piece *piece = walk->piece;
    const uint32_t *size = walk->bound->launch->block;
    uint32_t threads = size[0] * size[1] * size[2];
    lanes all = 0;
    memcpy(walk->block, block, sizeof(walk->block));
    walk->warp = warp;
    for (uint32_t l = 0; l < FW_WARP_THREADS; l++) {
        uint32_t t = warp * FW_WARP_THREADS + l;
        all |= (lanes)(t < threads) << l;
        walk->thread[l][0] = t % size[0];
        walk->thread[l][1] = t / size[0] % size[1];
        walk->thread[l][2] = t / size[0] / size[1];
        for (uint32_t v = 0; v < piece->variables; v++)
            walk->value[l][v] = piece->low[v];
        for (uint32_t d = 0; d < 6; d++)
            if (piece->launch_variable[d] >= 0)
                walk->value[l][piece->launch_variable[d]] =
                    d < 3 ? block[d] : walk->thread[l][d - 3];
    }
    memset(walk->iterations, 0, walk->bound->kernel->loop_count * sizeof(*walk->iterations));
    visit(walk, 0, 0, 1, all, all);
}
