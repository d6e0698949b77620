/* Rows are evaluated lane by lane, each variable as early as those that it depends on allow, and
 * the iterations of the last loop as one interval where no other variable depends on them.
 * Intervals of one warp at the same iterations of the loops around are merged.  Blocks are all, or
 * lie at the places of the golden ratio's additive sequence. */
#include "united_warps.h"
#include "checked.h"
#include "common_warps.h"
#include "quotient.h"
#include "warp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALL_BLOCKS = 32,          /* as many or fewer are all gone through */
    LEAST_BLOCKS = 4,         /* that say something of the others */
    MOST_STEPS = 1 << 20,     /* rows, lanes and iterations in one union */
    FEW_STEPS = 1 << 18,      /* after which no more blocks are gone through */
    MOST_INTERVALS = 1 << 16, /* of one warp */
    BRIEF_INTERVALS = 1 << 10 /* the same at a brief launch */
};

/* The iterations of the last loop that lanes have at the same iterations of others. */
struct interval {
    uint64_t key;
    int64_t low, high;
};

/* How the points of a piece are gone through. */
struct plan {
    bool made, possible;
    uint32_t last;                     /* the variable of the walk's last loop; FW_NONE */
    bool whole;                        /* no other variable depends on it */
    uint8_t order[FW_PIECE_VARIABLES]; /* in which variables get values */
    uint8_t ends[FW_PIECE_ROWS];       /* how many of them have one when a row's all have */
};

struct walk {
    struct fw_bound *bound;
    const struct fw_piece *piece;
    uint32_t last_loop; /* whose iterations are intervals; FW_NONE: there are no loops */
    struct plan *plans; /* by piece, made at its first warp */
    struct plan *plan;  /* of the piece in progress */
    int64_t value[FW_PIECE_VARIABLES];
    struct interval *intervals;
    uint32_t count, most; /* intervals */
    uint64_t steps;
    bool failed;
};

/* Whether pieces in different iterations of a variable's loop are apart. */
static bool tells_apart(const struct fw_piece *piece, uint32_t v)
{
    return piece->loop_of[v] != FW_NONE || piece->left[v] == FW_LEFT_APART;
}

static uint32_t last_loop(const struct fw_piece *piece)
{
    for (uint32_t v = piece->variables; v-- > 0;)
        if (tells_apart(piece, v))
            return piece->entered[v];
    return FW_NONE;
}

static bool take(struct walk *walk)
{
    if (walk->steps == 0)
        walk->failed = true;
    else
        walk->steps--;
    return !walk->failed;
}

/* The row that defines a quotient; NULL: none does. */
static const struct fw_piece_row *definition_of(const struct fw_piece *piece, uint32_t v)
{
    for (uint32_t r = 0; r < piece->row_count; r++) {
        const struct fw_piece_row *row = &piece->rows[r];
        bool later = !row->definition || row->form.coefficient[v] >= 0;
        for (uint32_t w = v + 1; w < piece->variables; w++)
            later |= row->form.coefficient[w] != 0;
        if (!later)
            return row;
    }
    return NULL;
}

static bool is_loop(const struct fw_piece *piece, uint32_t v)
{
    return !piece->quotient[v] && !piece->fixed[v] && piece->entered[v] != FW_NONE;
}

/* Whether all that a variable is made of has a place in the order. */
static bool is_ready(const struct fw_piece *piece, uint32_t v, const bool *placed)
{
    const struct fw_piece_row *row =
        piece->quotient[v] && !piece->fixed[v] ? definition_of(piece, v) : NULL;
    for (uint32_t w = 0; row && w < v; w++)
        if (row->form.coefficient[w] && !placed[w])
            return false;
    return true;
}

/* Variables in their order, iterations only once nothing else is left to place. */
static void find_order(struct plan *plan, const struct fw_piece *piece)
{
    bool placed[FW_PIECE_VARIABLES] = {false};
    uint32_t place[FW_PIECE_VARIABLES], count = 0;
    while (count < piece->variables) {
        uint32_t next = FW_NONE;
        for (uint32_t v = 0; v < piece->variables; v++) {
            bool first = next == FW_NONE || (is_loop(piece, next) && !is_loop(piece, v));
            if (!placed[v] && first && is_ready(piece, v, placed))
                next = v;
        }
        placed[next] = true; /* the first without a place is ready */
        place[next] = count;
        plan->order[count++] = (uint8_t)next;
    }
    plan->whole = count > 0 && plan->order[count - 1] == plan->last;
    for (uint32_t r = 0; r < piece->row_count; r++) {
        plan->ends[r] = 0;
        for (uint32_t v = 0; v < piece->variables; v++)
            if (piece->rows[r].form.coefficient[v] && place[v] >= plan->ends[r])
                plan->ends[r] = (uint8_t)(place[v] + 1);
    }
}

/* Makes a piece the one in progress; false: it has no iterations of the loop that others have. */
static bool begin_piece(struct walk *walk, const struct fw_piece *piece, struct plan *plan)
{
    walk->piece = piece;
    walk->plan = plan;
    if (plan->made)
        return plan->possible;
    plan->made = true;
    plan->last = FW_NONE;
    for (uint32_t v = 0; v < piece->variables; v++)
        if (walk->last_loop != FW_NONE && tells_apart(piece, v) &&
            piece->entered[v] == walk->last_loop)
            plan->last = v;
    find_order(plan, piece);
    plan->possible = (plan->last == FW_NONE) == (walk->last_loop == FW_NONE);
    return plan->possible;
}

/* A row without what variable `except` (FW_NONE: all count) adds. */
static bool row_value(struct walk *walk, const struct fw_linear *row, uint32_t except,
                      int64_t *value)
{
    *value = row->constant;
    for (uint32_t v = 0; v < walk->piece->variables; v++) {
        int64_t product;
        if (row->coefficient[v] && v != except &&
            (fw_multiply_overflows(row->coefficient[v], walk->value[v], &product) ||
             fw_add_overflows(*value, product, value)))
            walk->failed = true;
    }
    return !walk->failed;
}

/* Whether the rows hold whose variables have values since the last one of so many got its own. */
static bool rows_hold(struct walk *walk, uint32_t end)
{
    for (uint32_t r = 0; r < walk->piece->row_count; r++) {
        const struct fw_piece_row *row = &walk->piece->rows[r];
        int64_t value;
        if (row->definition || walk->plan->ends[r] != end)
            continue;
        if (!take(walk) || !row_value(walk, &row->form, FW_NONE, &value) || value < 0 ||
            (row->equality && value != 0))
            return false;
    }
    return true;
}

static void find_quotient(struct walk *walk, uint32_t v)
{
    const struct fw_piece_row *row = definition_of(walk->piece, v);
    int64_t rest;
    if (!row)
        walk->failed = true;
    else if (take(walk) && row_value(walk, &row->form, v, &rest))
        walk->value[v] = fw_floor_quotient(rest, -row->form.coefficient[v]);
}

/* The iterations that variable v, the next in the order, may have by rows without later ones. */
static void find_range(struct walk *walk, uint32_t at, int64_t *low, int64_t *high)
{
    const struct fw_piece *piece = walk->piece;
    uint32_t v = walk->plan->order[at];
    *low = piece->low[v];
    *high = piece->high[v];
    for (uint32_t r = 0; r < piece->row_count; r++) {
        const struct fw_piece_row *row = &piece->rows[r];
        int64_t c = row->form.coefficient[v], rest;
        if (row->definition || walk->plan->ends[r] != at + 1)
            continue;
        if (!take(walk) || !row_value(walk, &row->form, v, &rest) || rest == INT64_MIN ||
            c == INT64_MIN) {
            walk->failed = true;
            return;
        }
        int64_t least = c > 0 ? -fw_floor_quotient(rest, c) : -fw_floor_quotient(-rest, -c);
        int64_t most = c < 0 ? fw_floor_quotient(rest, -c) : fw_floor_quotient(-rest, c);
        if (c > 0 || row->equality)
            *low = least > *low ? least : *low;
        if (c < 0 || row->equality)
            *high = most < *high ? most : *high;
    }
    walk->failed |= *high >= FAR || *low <= -FAR;
}

/* Where the threads of a warp are together with others: the way that they came and the iterations
 * of all loops but the last. */
static uint64_t key_of(const struct walk *walk)
{
    uint64_t key = walk->piece->path;
    for (uint32_t v = 0; v < walk->piece->variables; v++)
        if (v != walk->plan->last && tells_apart(walk->piece, v)) {
            key = (key ^ walk->piece->entered[v]) * 0x9e3779b97f4a7c15u;
            key = (key ^ (key >> 29) ^ (uint64_t)walk->value[v]) * 0x9e3779b97f4a7c15u;
        }
    return key ^ (key >> 29);
}

static void add_interval(struct walk *walk, int64_t low, int64_t high)
{
    if (low > high)
        return;
    if (walk->count == walk->most)
        walk->failed = true;
    else
        walk->intervals[walk->count++] = (struct interval){key_of(walk), low, high};
}

/* Adds the iterations of one lane, from a place in the order on. */
static void visit(struct walk *walk, uint32_t at)
{
    const struct fw_piece *piece = walk->piece;
    uint32_t v = at < piece->variables ? walk->plan->order[at] : FW_NONE;
    int64_t low, high;
    if (!take(walk) || !rows_hold(walk, at))
        return;
    if (v == FW_NONE) {
        low = walk->plan->last == FW_NONE ? 0 : walk->value[walk->plan->last];
        add_interval(walk, low, low);
    } else if (is_loop(piece, v)) {
        find_range(walk, at, &low, &high);
        if (v == walk->plan->last && walk->plan->whole && !walk->failed)
            add_interval(walk, low, high);
        else
            for (int64_t i = low; i <= high && !walk->failed; i++) {
                walk->value[v] = i;
                visit(walk, at + 1);
            }
    } else {
        if (piece->quotient[v] && !piece->fixed[v])
            find_quotient(walk, v);
        visit(walk, at + 1);
    }
}

/* Sets the launch's indices; false: the piece does not have that thread. */
static bool set_indices(struct walk *walk, const uint32_t block[3], const uint32_t thread[3])
{
    const struct fw_piece *piece = walk->piece;
    const struct fw_launch *launch = walk->bound->launch;
    for (uint32_t d = 0; d < 6; d++) {
        int8_t v = piece->launch_variable[d];
        uint32_t at = d < FW_THREAD_X ? block[d] : thread[d - FW_THREAD_X];
        if (v < 0 && at != (d < FW_THREAD_X && launch->one_block ? launch->only[d] : 0))
            return false;
        if (v >= 0 && (at < piece->low[v] || at > piece->high[v]))
            return false;
        if (v >= 0)
            walk->value[v] = at;
    }
    return true;
}

/* Adds the lanes of one warp that a piece has. */
static void add_lanes(struct walk *walk, const uint32_t block[3], uint32_t warp)
{
    const uint32_t *size = walk->bound->launch->block;
    uint32_t end = (warp + 1) * FW_WARP_THREADS, threads = size[0] * size[1] * size[2];
    for (uint32_t v = 0; v < walk->piece->variables; v++)
        walk->value[v] = walk->piece->low[v];
    for (uint32_t t = warp * FW_WARP_THREADS; t < end && t < threads && !walk->failed; t++) {
        const uint32_t thread[3] = {t % size[0], t / size[0] % size[1], t / size[0] / size[1]};
        if (set_indices(walk, block, thread))
            visit(walk, 0);
    }
}

static int by_place(const void *a, const void *b)
{
    const struct interval *left = a, *right = b;
    if (left->key != right->key)
        return left->key < right->key ? -1 : 1;
    return left->low < right->low ? -1 : left->low > right->low;
}

/* How many iterations are in any of the intervals from `first` on, which are merged. */
static double merge(struct walk *walk, uint32_t first)
{
    struct interval *all = walk->intervals;
    uint32_t kept = first;
    double sum = 0;
    if (walk->count - first > 1)
        qsort(all + first, walk->count - first, sizeof(*all), by_place);
    for (uint32_t i = first; i < walk->count; i++) {
        struct interval *before = kept > first ? &all[kept - 1] : NULL;
        if (!before || before->key != all[i].key || all[i].low > before->high + 1)
            all[kept++] = all[i];
        else if (all[i].high > before->high)
            before->high = all[i].high;
    }
    walk->count = kept;
    for (uint32_t i = first; i < kept; i++)
        sum += (double)(all[i].high - all[i].low) + 1;
    return sum;
}

/* Whether a piece may have threads of a warp, as the bounds of its indices say. */
static bool may_have(const struct fw_bound *bound, const struct fw_piece *piece, uint32_t warp)
{
    int64_t low = 0, high = 0, scale = 1;
    for (uint32_t d = 0; d < 3; d++) {
        int8_t v = piece->launch_variable[FW_THREAD_X + d];
        low += v >= 0 ? scale * piece->low[v] : 0;
        high += v >= 0 ? scale * piece->high[v] : 0;
        scale *= bound->launch->block[d];
    }
    return low / FW_WARP_THREADS <= warp && warp <= high / FW_WARP_THREADS;
}

static void add_warp(struct walk *walk, const struct fw_piece *const *pieces, uint32_t count,
                     const uint32_t block[3], uint32_t warp, struct united_warps *sums)
{
    walk->count = 0;
    for (uint32_t p = 0; p < count && !walk->failed; p++) {
        uint32_t first = walk->count;
        if (!take(walk) || !may_have(walk->bound, pieces[p], warp))
            continue;
        walk->failed |= !begin_piece(walk, pieces[p], &walk->plans[p]);
        add_lanes(walk, block, warp);
        sums->apart += merge(walk, first);
    }
    sums->together += merge(walk, 0);
}

/* Where the blocks of all pieces are; how many. */
static double blocks_of(const struct fw_bound *bound, const struct fw_piece *const *pieces,
                        uint32_t count, uint32_t low[3], uint32_t size[3])
{
    const struct fw_launch *launch = bound->launch;
    double blocks = 1;
    for (uint32_t d = 0; d < 3; d++) {
        uint32_t only = launch->one_block ? launch->only[d] : 0, high = 0;
        low[d] = UINT32_MAX;
        for (uint32_t p = 0; p < count; p++) {
            int8_t v = pieces[p]->launch_variable[d];
            uint32_t least = v >= 0 ? (uint32_t)pieces[p]->low[v] : only;
            uint32_t most = v >= 0 ? (uint32_t)pieces[p]->high[v] : only;
            low[d] = least < low[d] ? least : low[d];
            high = most > high ? most : high;
        }
        size[d] = high - low[d] + 1;
        blocks *= size[d];
    }
    return blocks;
}

bool united_warps_count(struct fw_bound *bound, const struct fw_piece *const *pieces,
                        uint32_t count, struct united_warps *result)
{
    static const double golden = 0.61803398874989485;
    struct walk walk = {.bound = bound, .last_loop = last_loop(pieces[0])};
    uint32_t low[3], size[3], warps = common_warps_of_block(bound);
    double blocks = blocks_of(bound, pieces, count, low, size), done = 0;
    uint64_t most = bound->steps / 2 < MOST_STEPS ? bound->steps / 2 : MOST_STEPS;
    walk.plans = FW_ARRAY(bound->scratch, struct plan, count);
    walk.most = bound->launch->brief ? BRIEF_INTERVALS : MOST_INTERVALS;
    walk.intervals = FW_ARRAY(bound->scratch, struct interval, walk.most);
    walk.steps = most;
    *result = (struct united_warps){.every = blocks <= ALL_BLOCKS};
    for (; done < fmin(blocks, ALL_BLOCKS) &&
           (done < LEAST_BLOCKS || result->every || most - walk.steps < FEW_STEPS);
         done++) {
        double place = 0.5 + done * golden;
        double rest = result->every ? done : floor((place - floor(place)) * blocks);
        uint32_t block[3];
        for (uint32_t d = 0; d < 3; d++) {
            block[d] = low[d] + (uint32_t)fmod(rest, size[d]);
            rest = floor(rest / size[d]);
        }
        for (uint32_t w = 0; w < warps && !walk.failed; w++)
            add_warp(&walk, pieces, count, block, w, result);
    }
    bound->steps -= most - walk.steps;
    return !walk.failed && result->apart > 0;
}
