/* Counting by warps: the points of a domain with a warp in place of its threads.
 *
 * Pieces of a domain are disjoint in threads.  Where several have threads of one warp at the same
 * iterations (the ways of `!=`, of `||` and of what comes behind `else`), the warp issues once:
 * their warps are counted as a union, by inclusion and exclusion; too many of them, as where trips
 * of a loop differ by lane without a rule, at sampled blocks (united_warps.h). */
#include "briefly.h"
#include "common_warps.h"
#include "united_warps.h"

#include <math.h>
#include <string.h>

static bool mentions(const struct fw_piece *piece, const struct fw_piece_row *row,
                     const bool *dependent)
{
    for (uint32_t v = 0; v < piece->variables; v++)
        if (row->form.coefficient[v] && dependent[v])
            return true;
    return false;
}

/* At least the warps of a piece that takes too much work: every warp where the rows without threads
 * allow one, and no more than there are threads. */
static void most_warps(struct fw_bound *bound, const struct fw_piece *piece, mpz_ptr result)
{
    struct fw_piece_row rows[FW_PIECE_ROWS];
    struct fw_piece shared = *piece;
    bool dependent[FW_PIECE_VARIABLES];
    mpz_t threads;
    shared.rows = rows;
    shared.row_count = 0;
    common_warps_mark_dependent(piece, dependent);
    for (uint32_t r = 0; r < piece->row_count; r++)
        if (!mentions(piece, &piece->rows[r], dependent))
            rows[shared.row_count++] = piece->rows[r];
    for (uint32_t v = 0; v < piece->variables; v++) {
        shared.fixed[v] |= dependent[v];
        shared.closed[v] |= piece->high[v] < FAR;
    }
    bool known = bound_count_piece(bound, &shared, result) == FW_OK;
    mpz_mul_ui(result, result, common_warps_of_block(bound));
    mpz_init(threads);
    if (bound_count_guarded(bound, piece, threads) == FW_OK &&
        (!known || mpz_cmp(threads, result) < 0))
        mpz_set(result, threads);
    mpz_clear(threads);
}

/* A piece with the warps that it has. */
struct member {
    const struct fw_piece *piece;
    bool counted;  /* among those of the group in progress, or of one before */
    bool absorbed; /* another piece of the group has all of its warps */
    mpz_t warps;
};

/* Pieces of one weight, whose warps are counted as a union. */
struct group {
    struct fw_bound *bound;
    struct member **members;
    uint32_t count;
    uint32_t left; /* intersections that may still be counted */
    mpz_t total;
    mpz_t sum;
    mpz_t part;
};

enum {
    MOST_CHOSEN = 12,
    MOST_INTERSECTIONS = 600,
    FEW = 4,
    FEW_BRIEFLY = 6 /* whose intersections a brief launch counts */
};

/* Counts the warps that all chosen pieces have into `part`; false: that takes too much work. */
static bool count_chosen(struct group *g, const struct fw_piece *const *chosen, uint32_t count)
{
    if (g->left == 0 || g->bound->hard_counts == 0)
        return false;
    g->left--;
    g->bound->hard_counts--;
    return common_warps_count(g->bound, chosen, count, g->part) == FW_OK;
}

/* The warps of boxes, cell by cell: a cell is one value of each side but the last where all of them
 * begin there at 0, as loops do; else one of each side. */
struct cells {
    struct fw_map ends; /* by cell: an index into `end` */
    int64_t *end;       /* of the last side; -1: none yet */
    uint32_t count, left;
    bool whole; /* the last side makes cells, too */
    mpz_t *total;
};

static bool add_cells(struct cells *cells, const struct fw_warp_box *box, uint32_t path,
                      int64_t *at, uint32_t side)
{
    uint32_t sides = box->sides - !cells->whole;
    bool added;
    if (side < sides) {
        for (at[side] = box->side[side].low; at[side] <= box->side[side].high; at[side]++)
            if (!add_cells(cells, box, path, at, side + 1))
                return false;
        return true;
    }
    at[sides] = path;
    struct fw_map_entry *entry =
        fw_map_add(&cells->ends, (const char *)at, sizeof(*at) * (sides + 1), &added);
    if (added && cells->left-- == 0)
        return false;
    if (added) {
        entry->value = cells->count;
        cells->end[cells->count++] = -1;
    }
    int64_t more = (cells->whole ? 0 : box->side[sides].high) - cells->end[entry->value];
    if (more > 0) {
        mpz_add_ui(*cells->total, *cells->total, (unsigned long)more);
        cells->end[entry->value] += more;
    }
    return true;
}

/* The boxes that the pieces' warps are, all with the same sides; NULL: they are not. */
static struct fw_warp_box *boxes_of(struct group *g)
{
    struct fw_warp_box *boxes = FW_ARRAY(g->bound->scratch, struct fw_warp_box, g->count);
    for (uint32_t p = 0; p < g->count; p++) {
        if (!common_warps_box(g->bound, g->members[p]->piece, &boxes[p]) || boxes[p].sides == 0 ||
            boxes[p].sides != boxes[0].sides)
            return NULL;
        for (uint32_t s = 0; s < boxes[p].sides; s++)
            if (boxes[p].side[s].name != boxes[0].side[s].name)
                return NULL;
    }
    return boxes;
}

/* The union of pieces whose warps are boxes, as those are that were gone through point by point.
 * False: they are not, or have too many cells. */
static bool count_cells(struct group *g)
{
    enum { MOST_BOXES = 8192, MOST_CELLS = 16384, BRIEF_CELLS = 512 };
    struct fw_arena *arena = g->bound->scratch;
    struct cells cells = {.ends = fw_map_new(arena),
                          .left = g->bound->launch->brief ? BRIEF_CELLS : MOST_CELLS,
                          .total = &g->total};
    int64_t at[FW_PIECE_VARIABLES + 1];
    const struct fw_warp_box *boxes = g->count <= MOST_BOXES ? boxes_of(g) : NULL;
    if (!boxes)
        return false;
    cells.end = FW_ARRAY(arena, int64_t, cells.left + 1);
    for (uint32_t p = 0; p < g->count; p++)
        cells.whole |= boxes[p].side[boxes[p].sides - 1].low != 0;
    for (uint32_t p = 0; p < g->count; p++)
        if (!add_cells(&cells, &boxes[p], g->members[p]->piece->path, at, 0))
            return false;
    return true;
}

/* Adds the warps of pieces that share none with another one to `total`, and leaves these out. */
static void add_lonely(struct group *g)
{
    bool *shares = FW_ARRAY(g->bound->scratch, bool, g->count);
    uint32_t kept = 0;
    for (uint32_t p = 0; p < g->count; p++)
        for (uint32_t q = p + 1; q < g->count; q++)
            if (!(shares[p] && shares[q]) &&
                !common_warps_apart(g->bound, g->members[p]->piece, g->members[q]->piece))
                shares[p] = shares[q] = true;
    for (uint32_t p = 0; p < g->count; p++)
        if (shares[p])
            g->members[kept++] = g->members[p];
        else
            mpz_add(g->total, g->total, g->members[p]->warps);
    g->count = kept;
}

/* Whether absorb() has more intersections to count than may be: at least one of each piece that
 * shares warps with a later one. */
static bool has_too_many(const struct group *g)
{
    uint32_t least = 0;
    for (uint32_t p = 0; p < g->count && g->count > g->left && least <= g->left; p++) {
        uint32_t q = p + 1;
        while (q < g->count &&
               common_warps_apart(g->bound, g->members[p]->piece, g->members[q]->piece))
            q++;
        least += q < g->count;
    }
    return least > g->left;
}

/* Leaves out pieces all of whose warps another piece has too: they add nothing. */
static bool absorb(struct group *g)
{
    uint32_t kept = 0;
    for (uint32_t p = 0; p < g->count; p++) {
        bool absorbed = false;
        for (uint32_t q = 0; q < g->count && !absorbed; q++) {
            const struct fw_piece *both[2] = {g->members[p]->piece, g->members[q]->piece};
            if ((q >= kept && q <= p) || common_warps_apart(g->bound, both[0], both[1]))
                continue;
            if (!count_chosen(g, both, 2))
                return false;
            absorbed = mpz_cmp(g->part, g->members[p]->warps) == 0;
        }
        g->members[p]->absorbed = absorbed;
        if (!absorbed)
            g->members[kept++] = g->members[p];
    }
    g->count = kept;
    return true;
}

/* Makes the group one of all pieces but those that others absorbed again, where its warps are
 * `known` by them. */
static void put_together(struct group *g, struct member *const *members, uint32_t count, bool known)
{
    g->count = 0;
    for (uint32_t p = 0; p < count; p++)
        if (!known || !members[p]->absorbed)
            g->members[g->count++] = members[p];
}

static bool apart_from_one(const struct group *g, const struct fw_piece *const *chosen,
                           uint32_t count, const struct fw_piece *piece)
{
    for (uint32_t c = 0; c < count; c++)
        if (common_warps_apart(g->bound, chosen[c], piece))
            return true;
    return false;
}

/* Adds the warps that the chosen pieces have in common with each choice of those from `next` on, or
 * takes them away: by inclusion and exclusion. */
static bool add_overlaps(struct group *g, const struct fw_piece **chosen, uint32_t count,
                         uint32_t next)
{
    for (uint32_t p = next; p < g->count; p++) {
        if (apart_from_one(g, chosen, count, g->members[p]->piece))
            continue;
        chosen[count] = g->members[p]->piece;
        if (count == 0)
            mpz_set(g->part, g->members[p]->warps);
        else if (count + 1 == MOST_CHOSEN || !count_chosen(g, chosen, count + 1))
            return false;
        if (mpz_sgn(g->part) == 0)
            continue;
        if (count % 2)
            mpz_sub(g->total, g->total, g->part);
        else
            mpz_add(g->total, g->total, g->part);
        if (!add_overlaps(g, chosen, count + 1, p + 1))
            return false;
    }
    return true;
}

/* The union of pieces that are too many for that: as sampled blocks say, in proportion to the warps
 * of each.  False: it is not exact, and at most `sum`, for want of work. */
static bool count_sampled(struct group *g, const struct fw_piece *const *pieces, uint32_t count)
{
    struct united_warps found;
    mpz_set(g->total, g->sum);
    if (count < 2 || !united_warps_count(g->bound, pieces, count, &found))
        return false;
    mpz_set_d(g->total, found.every ? found.together
                                    : round(mpz_get_d(g->sum) * found.together / found.apart));
    return found.every;
}

/* The warps of the group's pieces into `total`, and one by one into `sum`; false: `total` is an
 * estimate, or at most so many, for want of work. */
static bool count_union(struct group *g)
{
    const struct fw_piece *chosen[MOST_CHOSEN];
    const struct fw_piece **all = FW_ARRAY(g->bound->scratch, const struct fw_piece *, g->count);
    uint32_t count = g->count;
    mpz_set_ui(g->total, 0);
    mpz_set_ui(g->sum, 0);
    for (uint32_t p = 0; p < count; p++) {
        all[p] = g->members[p]->piece;
        mpz_add(g->sum, g->sum, g->members[p]->warps);
    }
    if (g->count > FEW && count_cells(g))
        return true;
    mpz_set_ui(g->total, 0);
    if (g->bound->launch->brief && count > FEW_BRIEFLY)
        return count_sampled(g, all, count);
    struct member *const *members =
        fw_arena_copy(g->bound->scratch, g->members, count * sizeof(*g->members));
    add_lonely(g);
    const bool known = !has_too_many(g) && absorb(g) && add_overlaps(g, chosen, 0, 0);
    put_together(g, members, count, known);
    return known || count_sampled(g, all, count);
}

/* Pieces of which a share of the threads is left, each for itself: that share of the warps of each
 * piece, but no more warps than there are. */
static void decide_apart(struct group *g, double share)
{
    double whole = mpz_get_d(g->total) / share;
    if (whole < mpz_get_d(g->sum))
        mpz_set_d(g->total, whole);
    else
        mpz_set(g->total, g->sum);
}

/* Whether warps of two pieces are counted as a union. */
static bool is_alike(const struct fw_piece *a, const struct fw_piece *b)
{
    const bool by_lanes = a->lanes.share < 1;
    return a->warp_weight == b->warp_weight && by_lanes == (b->lanes.share < 1) &&
           (!by_lanes || a->path == b->path);
}

/* The share of the group's warps of which some lane is left, where each decides for itself: pieces
 * that share warps have lanes of their own. */
static double with_some_lane(const struct group *g)
{
    const double all = mpz_get_d(g->total);
    struct fw_lane_share lanes = {0, false};
    for (uint32_t p = 0; p < g->count; p++) {
        lanes.share += g->members[p]->piece->lanes.share * mpz_get_d(g->members[p]->warps);
        lanes.is_default |= g->members[p]->piece->lanes.is_default;
    }
    lanes.share = all > 0 ? fmin(1, lanes.share / all) : 0;
    return bound_some_lane(g->bound, lanes);
}

/* Adds the warps of pieces to a total, those of equal weight as one union. */
static void add_groups(struct fw_bound *bound, struct member *members, uint32_t count,
                       struct fw_total *total)
{
    struct group g = {.bound = bound, .left = MOST_INTERSECTIONS};
    g.members = FW_ARRAY(bound->scratch, struct member *, count);
    mpz_inits(g.total, g.sum, g.part, NULL);
    for (uint32_t first = 0; first < count; first++) {
        if (members[first].counted)
            continue;
        g.count = 0;
        for (uint32_t p = first; p < count; p++)
            if (!members[p].counted && is_alike(members[p].piece, members[first].piece)) {
                members[p].counted = true;
                if (mpz_sgn(members[p].warps))
                    g.members[g.count++] = &members[p];
            }
        if (!count_union(&g))
            total->exact = false;
        const struct fw_piece *of = members[first].piece;
        if (of->warp_weight < 1 && !of->measured)
            decide_apart(&g, of->warp_weight);
        if (of->lanes.share < 1) {
            total->exact = false;
            mpz_set_d(g.total, nearbyint(mpz_get_d(g.total) * with_some_lane(&g)));
        }
        bound_add_part(total, of->warp_weight, g.total);
    }
    mpz_clears(g.total, g.sum, g.part, NULL);
}

/* Whether threads of the piece are apart from others of their warp for a way that they came or an
 * iteration in which they left a loop. */
static bool came_apart(const struct fw_piece *piece)
{
    bool apart = piece->path != 0;
    for (uint32_t v = 0; v < piece->variables; v++)
        apart |= piece->left[v] == FW_LEFT_APART;
    return apart;
}

/* Whether pieces that have warps in common with others came together.  Where threads stay apart is
 * known at most: what shares a warp may have met. */
static bool came_together(const struct fw_bound *bound, const struct fw_piece_list *pieces)
{
    enum { MOST_COMPARED = 256 };
    bool apart = false;
    for (uint32_t p = 0; p < pieces->count; p++)
        apart |= came_apart(pieces->at[p]);
    if (!apart || pieces->count > MOST_COMPARED)
        return !apart;
    for (uint32_t p = 1; p < pieces->count; p++)
        for (uint32_t q = 0; q < p; q++)
            if (!common_warps_apart(bound, pieces->at[p], pieces->at[q]))
                return false;
    return true;
}

/* Adds a piece that is sampled: exact where it shares no warp with another. */
static void add_sampled(struct fw_bound *bound, struct fw_total *count,
                        const struct fw_piece_list *pieces, uint32_t p)
{
    const struct fw_estimate *estimate = sampled_estimate(bound, pieces->at[p]);
    bool apart = estimate->every;
    for (uint32_t q = 0; q < pieces->count && apart; q++)
        apart = q == p || common_warps_apart(bound, pieces->at[p], pieces->at[q]);
    const struct fw_lane_share lanes = pieces->at[p]->lanes;
    const double each = lanes.share > 0 ? bound_some_lane(bound, lanes) / lanes.share : 1;
    bound_add_estimate(count, pieces->at[p], estimate->warps * each, apart);
}

/* A warp executes what stands behind a condition no more often than what stands before it: pieces
 * that share warps are added where what they share is not known. */
static void limit_by_parent(struct fw_bound *bound, uint32_t domain, struct fw_total *count)
{
    const struct fw_domain *at = &bound->kernel->domains[domain];
    if (count->exact || at->kind != FW_DOMAIN_RESTRICT)
        return;
    const struct fw_total *parent = fw_bound_count_warps(bound, at->parent);
    if (count->estimate <= parent->estimate)
        return;
    count->estimate = parent->estimate;
    mpz_set(count->value, parent->value);
}

static enum fw_status count_warps(struct fw_bound *bound, const struct fw_piece *piece,
                                  mpz_ptr result)
{
    return common_warps_count(bound, &piece, 1, result);
}

const struct fw_total *fw_bound_count_warps(struct fw_bound *bound, uint32_t domain)
{
    struct domain_memo *memo = &bound->domains[domain];
    struct fw_total *count = &memo->warps;
    if (memo->warps_counted)
        return count;
    const struct fw_piece_list *pieces = bound_pieces(bound, domain);
    struct fw_arena_mark mark = fw_arena_mark(bound->scratch);
    struct member *members = FW_ARRAY(bound->scratch, struct member, pieces->count);
    const struct brief_count *briefly = bound_count_briefly(bound, pieces, count_warps);
    memo->warps_counted = true;
    mpz_set_ui(count->value, 0);
    count->estimate = memo->warps_apart = 0;
    count->exact = !memo->failed && !memo->splits && came_together(bound, pieces);
    for (uint32_t p = 0; p < pieces->count; p++) {
        members[p].piece = pieces->at[p];
        mpz_init(members[p].warps);
        if (pieces->at[p]->sampled_count) {
            add_sampled(bound, count, pieces, p);
            continue;
        }
        const struct fw_estimate *rows = sampled_rows_before(pieces->at[p]);
        if (!rows && briefly && briefly[p].known) {
            mpz_set_d(members[p].warps, briefly[p].points);
            count->exact = count->exact && !(briefly[p].most > 0);
        } else if (!rows &&
                   common_warps_count(bound, (const struct fw_piece *const *)&pieces->at[p], 1,
                                      members[p].warps) != FW_OK) {
            double error, points;
            rows = sampled_rows(bound, pieces->at[p], &error, &points);
            count->exact = count->exact && rows;
            if (!rows)
                most_warps(bound, pieces->at[p], members[p].warps);
        }
        if (rows) {
            mpz_set_d(members[p].warps, nearbyint(rows->warps));
            count->exact = count->exact && rows->every;
        }
        count->exact = count->exact && (!pieces->at[p]->estimate || !mpz_sgn(members[p].warps));
        memo->warps_apart += pieces->at[p]->warp_weight * mpz_get_d(members[p].warps) *
                             bound_some_lane(bound, pieces->at[p]->lanes);
    }
    add_groups(bound, members, pieces->count, count);
    for (uint32_t p = 0; p < pieces->count; p++)
        mpz_clear(members[p].warps);
    fw_arena_release(bound->scratch, mark);
    bound_finish(count);
    limit_by_parent(bound, domain, count);
    return count;
}

bool fw_bound_warps_measured(struct fw_bound *bound, uint32_t domain)
{
    const struct fw_piece_list *pieces = bound_pieces(bound, domain);
    bool measured = false;
    for (uint32_t p = 0; p < pieces->count; p++)
        measured |= pieces->at[p]->measured;
    return measured;
}

double fw_bound_count_warps_apart(struct fw_bound *bound, uint32_t domain)
{
    fw_bound_count_warps(bound, domain);
    return bound->domains[domain].warps_apart;
}

struct fw_lane_share fw_bound_lane_share(struct fw_bound *bound, uint32_t domain)
{
    const struct fw_piece_list *pieces = bound_pieces(bound, domain);
    struct fw_lane_share lanes = {1, false};
    double left = 0, all = 0;
    for (uint32_t p = 0; p < pieces->count; p++) {
        const struct fw_piece *piece = pieces->at[p];
        left += piece->weight;
        all += piece->lanes.share > 0 ? piece->weight / piece->lanes.share : 0;
        lanes.is_default |= piece->lanes.is_default;
    }
    lanes.share = all > 0 ? fmin(1, left / all) : 1;
    return lanes;
}
