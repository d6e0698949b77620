/* Shapes: a domain's pieces and an expression over them, for those who reckon with addresses. */
#include "bound_internal.h"

#include "checked.h"
#include "quotient.h"

#include <math.h>
#include <string.h>

enum { MOST_PARTS = 8, MOST_SPLITS = 6 };

/* Of the box around a piece, a part with a smaller share gets no shape: the edges at which an
 * address is clamped. */
static const double least_part = 0.02;

/* Of the places that a remainder takes turns at, those of such a part may be fewer still: indices
 * that wrap around at the border of a grid.  Boxes stand for all places, so that such a part would
 * count as often as the rest. */
static const double least_turns = 0.1;

/* A piece and the expression over it. */
struct part {
    struct fw_piece *piece;
    struct fw_linear form;
    bool linear, pruned;
};

struct parts {
    struct fw_bound *bound;
    fw_expression of;
    FW_VECTOR(struct part) list;
    uint32_t room; /* parts that the current piece may still have */
};

void fw_shape_copy(struct fw_shape *to, const struct fw_shape *from)
{
    memcpy(to, from, offsetof(struct fw_shape, rows) + from->row_count * sizeof(from->rows[0]));
}

static void copy(struct fw_shape *shape, const struct fw_piece *piece, const struct fw_linear *form)
{
    shape->variables = piece->variables;
    memcpy(shape->launch_variable, piece->launch_variable, sizeof(shape->launch_variable));
    for (uint32_t v = 0; v < piece->variables; v++) {
        shape->loop_of[v] = piece->loop_of[v];
        shape->quotient[v] = piece->quotient[v];
        shape->low[v] = piece->low[v];
        shape->high[v] = piece->high[v];
        shape->coefficient[v] = form->coefficient[v];
    }
    shape->constant = form->constant;
    shape->weight = piece->weight;
    shape->row_count = piece->row_count < FW_SHAPE_ROWS ? piece->row_count : FW_SHAPE_ROWS;
    for (uint32_t r = 0; r < shape->row_count; r++) {
        shape->rows[r].constant = piece->rows[r].form.constant;
        shape->rows[r].equality = piece->rows[r].equality;
        shape->rows[r].definition = piece->rows[r].definition;
        memcpy(shape->rows[r].coefficient, piece->rows[r].form.coefficient,
               sizeof(shape->rows[r].coefficient));
    }
}

/* The piece without its sampled parts, which are no rows: it weighs as much as what is estimated,
 * and a sampled loop ends where the longest did. */
static const struct fw_piece *weighed(struct fw_bound *bound, struct fw_piece *piece)
{
    const struct fw_estimate *estimate = sampled_estimate(bound, piece);
    struct fw_piece *closed = bound_copy_piece(bound, piece);
    for (uint32_t p = 0; p < piece->sampled_count; p++) {
        uint32_t v = piece->sampled[p].variable;
        if (piece->sampled[p].loop == FW_NONE)
            continue;
        closed->high[v] =
            estimate->most > 1 && estimate->most < (double)FAR ? (int64_t)estimate->most - 1 : 0;
        closed->closed[v] = true;
    }
    closed->sampled_count = 0;
    if (bound_count_guarded(bound, closed, bound->part) == FW_OK && mpz_sgn(bound->part) > 0)
        closed->weight *= estimate->threads / mpz_get_d(bound->part);
    return closed;
}

/* Sets the floors of a point of a piece, whose definitions have earlier variables alone.  False: a
 * variable beyond `known` is no floor, or numbers overflow. */
static bool set_floors(int64_t *at, const struct fw_piece *piece, uint32_t known)
{
    for (uint32_t v = 0; v < piece->variables; v++) {
        bool found = v < known && !piece->quotient[v];
        for (uint32_t r = 0; r < piece->row_count && !found; r++) {
            const struct fw_linear *row = &piece->rows[r].form;
            int64_t sum = row->constant;
            bool fits = piece->rows[r].definition && row->coefficient[v] < 0;
            for (uint32_t w = v + 1; w < piece->variables && fits; w++)
                fits = row->coefficient[w] == 0;
            for (uint32_t w = 0; w < v && fits; w++)
                fits = !fw_add_product_overflows(&sum, row->coefficient[w], at[w]);
            found = fits;
            if (fits)
                at[v] = fw_floor_quotient(sum, -row->coefficient[v]);
        }
        if (!found)
            return false;
    }
    return true;
}

static bool is_in(const struct fw_piece *piece, const int64_t *at)
{
    for (uint32_t r = piece->row_count; r-- > 0;) { /* the last rows are those that split it */
        int64_t sum = piece->rows[r].form.constant;
        for (uint32_t v = 0; v < piece->variables; v++)
            if (fw_add_product_overflows(&sum, piece->rows[r].form.coefficient[v], at[v]))
                return false;
        if (sum < 0 || (piece->rows[r].equality && sum != 0))
            return false;
    }
    for (uint32_t v = 0; v < piece->variables; v++)
        if (at[v] < piece->low[v] || at[v] > piece->high[v])
            return false;
    return true;
}

/* Of the points of the box around a piece, the share that a part of the piece has: by points that
 * are spread evenly over the box.  Negative: not known. */
static double sampled_share(const struct fw_piece *piece, const struct fw_piece *part)
{
    enum { POINTS = 128 };
    uint32_t in = 0;
    for (uint32_t p = 0; p < POINTS; p++) {
        int64_t at[FW_PIECE_VARIABLES] = {0};
        for (uint32_t v = 0; v < piece->variables; v++) {
            double place = fmod((p + 0.5) * sqrt((double)(4 * v + 2)), 1);
            if (!piece->quotient[v])
                at[v] = piece->low[v] +
                        (int64_t)(place * ((double)piece->high[v] - (double)piece->low[v] + 1));
        }
        if (!set_floors(at, part, piece->variables))
            return -1;
        in += is_in(part, at);
    }
    return (double)in / POINTS;
}

/* Whether a row bounds variables together through a floor, which a box around them does not show:
 * it has a floor beside an iteration, a floor of an iteration, or a remainder, which is a floor
 * beside a variable that it is a floor of. */
static bool has_hidden_bound(const struct fw_piece *piece, const struct fw_linear *row)
{
    bool floor = false, iteration = false, any = false;
    for (uint32_t v = 0; v < piece->variables; v++) {
        floor |= piece->quotient[v] && row->coefficient[v];
        iteration |= !piece->quotient[v] && piece->loop_of[v] != FW_NONE && row->coefficient[v];
    }
    for (uint32_t r = 0; r < piece->row_count && floor && !iteration; r++)
        for (uint32_t v = 0; v < piece->variables && piece->rows[r].definition; v++)
            for (uint32_t q = v + 1; q < piece->variables; q++)
                any |= piece->quotient[q] && !piece->quotient[v] && row->coefficient[q] &&
                       (row->coefficient[v] || piece->loop_of[v] != FW_NONE) &&
                       piece->rows[r].form.coefficient[q] < 0 && piece->rows[r].form.coefficient[v];
    return floor && (iteration || any);
}

/* Whether the box around a piece says little about how large it is. */
static bool is_in_large_box(const struct fw_piece *piece)
{
    bool any = false;
    for (uint32_t r = 0; r < piece->row_count && !any; r++)
        any = !piece->rows[r].definition && has_hidden_bound(piece, &piece->rows[r].form);
    return any;
}

/* Points of the box around a piece. */
static double box_of(const struct fw_piece *piece)
{
    double points = 1;
    for (uint32_t v = 0; v < piece->variables; v++)
        if (!piece->quotient[v])
            points *= (double)piece->high[v] - (double)piece->low[v] + 1;
    return points;
}

/* The factor, above 0, by which the variables of one row are those of another; 0: there is none. */
static int64_t multiple_of(const struct fw_linear *form, const struct fw_linear *of,
                           uint32_t variables)
{
    int64_t factor = 0;
    for (uint32_t v = 0; v < variables; v++) {
        int64_t a = form->coefficient[v], b = of->coefficient[v];
        if ((a == 0) != (b == 0))
            return 0;
        if (b != 0 && factor == 0)
            factor = a / b;
        if (b != 0 && (factor <= 0 || a % b != 0 || a / b != factor))
            return 0;
    }
    return factor;
}

/* The largest value of a remainder, by one of the two rows that define its quotient; -1: the row
 * defines none. */
static int64_t most_of_remainder(const struct fw_piece *piece, const struct fw_piece_row *row)
{
    for (uint32_t r = 0; r < piece->row_count && row->definition; r++) {
        const struct fw_piece_row *other = &piece->rows[r];
        bool opposite = other->definition;
        for (uint32_t v = 0; v < piece->variables && opposite; v++)
            opposite = other->form.coefficient[v] == -row->form.coefficient[v];
        if (opposite && other != row)
            return row->form.constant + other->form.constant;
    }
    return -1;
}

/* The share of its places at which a remainder is as a row has it; 1: the row is of none. */
static double share_of_turns(const struct fw_piece *piece, const struct fw_piece_row *row)
{
    for (uint32_t r = 0; r < piece->row_count && !row->definition; r++) {
        const struct fw_piece_row *of = &piece->rows[r];
        int64_t factor = multiple_of(&row->form, &of->form, piece->variables);
        int64_t most = factor > 0 ? most_of_remainder(piece, of) : -1;
        if (most < 0)
            continue;
        /* factor * remainder + constant >= 0, or == 0 */
        double least = -((double)row->form.constant - (double)factor * (double)of->form.constant) /
                       (double)factor;
        double places = row->equality ? 1 : (double)most - fmax(0, ceil(least)) + 1;
        return fmin(1, fmax(0, places) / ((double)most + 1));
    }
    return 1;
}

/* Whether a part of a piece is one at rare places of a remainder. */
static bool is_rare(const struct fw_piece *part)
{
    double share = 1;
    for (uint32_t r = 0; r < part->row_count; r++)
        share = fmin(share, share_of_turns(part, &part->rows[r]));
    return share < least_turns;
}

/* Whether few points of a piece are in a part of it that floors bound: the first column of tiles, t
 * % columns == 0, or the last row of them, t / columns == rows - 1. */
static bool is_small_by_points(const struct fw_piece *piece, const struct fw_piece *part)
{
    double share = is_in_large_box(part) ? sampled_share(piece, part) : -1;
    double all = share < 0 ? 0 : sampled_share(piece, piece);
    return all > 0 && share < least_part * all;
}

/* The parts of a piece that are large enough, in front; gives how many.  0: it stays whole. */
static uint32_t split_piece(struct parts *parts, const struct fw_piece *piece,
                            enum linear_outcome outcome, struct linear_problem *problem,
                            struct fw_piece_list *out)
{
    uint32_t count = 0;
    double all = 0;
    if (!bound_split(parts->bound, piece, outcome, problem, out))
        return 0;
    for (uint32_t p = 0; p < out->count; p++)
        all += box_of(out->at[p]);
    for (uint32_t p = 0; p < out->count; p++)
        if (box_of(out->at[p]) >= least_part * all && (is_rare(piece) || !is_rare(out->at[p])) &&
            !is_small_by_points(piece, out->at[p]) && !bound_piece_empty(parts->bound, out->at[p]))
            out->at[count++] = out->at[p];
    return count <= parts->room ? count : 0;
}

/* Adds a piece, or its parts in which the expression is linear. */
static void add_parts(struct parts *parts, const struct fw_piece *piece, uint32_t splits,
                      bool pruned)
{
    struct part part = {.piece = bound_copy_piece(parts->bound, piece), .pruned = pruned};
    struct linear_problem problem = {.reason = FW_UNKNOWN_NONAFFINE};
    enum linear_outcome outcome =
        bound_linear(parts->bound, part.piece, parts->of, &part.form, &problem);
    struct fw_piece_list out = {0};
    part.linear = outcome == LINEAR;
    uint32_t count = 0;
    if ((outcome == SPLIT_ROW || outcome == SPLIT_CONDITION) && splits > 0)
        /* A row may have floors that only the copy knows. */
        count =
            split_piece(parts, outcome == SPLIT_ROW ? part.piece : piece, outcome, &problem, &out);
    if (count == 0) {
        if (!part.linear)
            memset(&part.form, 0, sizeof(part.form));
        *FW_APPEND(parts->bound->scratch, &parts->list) = part;
        return;
    }
    parts->room -= count - 1;
    for (uint32_t p = 0; p < count; p++)
        add_parts(parts, out.at[p], splits - 1, pruned || count < out.count);
}

struct fw_shape *fw_bound_shapes(struct fw_bound *bound, uint32_t domain, fw_expression a,
                                 struct fw_arena *arena, uint32_t *count)
{
    const struct fw_piece_list *pieces = bound_pieces(bound, domain);
    struct parts parts = {.bound = bound, .of = a};
    *count = 0;
    if (bound->domains[domain].failed || pieces->count == 0)
        return NULL;
    for (uint32_t p = 0; p < pieces->count; p++) {
        const struct fw_piece *piece = pieces->at[p];
        if (piece->sampled_count)
            piece = weighed(bound, pieces->at[p]);
        if (!(piece->weight > 0)) /* no drawn point was in it */
            continue;
        parts.room = MOST_PARTS;
        add_parts(&parts, piece, MOST_SPLITS, false);
    }
    struct fw_shape *shapes = FW_ARRAY(arena, struct fw_shape, parts.list.count);
    for (uint32_t p = 0; p < parts.list.count; p++) {
        copy(&shapes[p], parts.list.at[p].piece, &parts.list.at[p].form);
        shapes[p].linear = parts.list.at[p].linear;
        shapes[p].pruned = parts.list.at[p].pruned;
    }
    *count = (uint32_t)parts.list.count;
    return shapes;
}
