/* Estimates of pieces with sampled parts.
 *
 * Points are those of an additive sequence with the generalised golden ratio (M. Roberts, The
 * Unreasonable Effectiveness of Quasirandom Sequences, 2018) over blocks, warps and iterations.
 * Every eighth of them makes a replicate, which is such a sequence, too.  The spread of the
 * replicates' answers is the standard error: that of as many independent draws, and more than that
 * of a sequence that is drawn evenly as a whole.  What rows alone say is counted exactly; sampled
 * is the ratio of the piece to that. */
#include "bound_internal.h"
#include "common_warps.h"
#include "sampled_walk.h"

#include <math.h>
#include <string.h>

enum {
    REPLICATES = 8,
    LEAST_DRAWN = 1,          /* warps of a replicate at first; then twice as many each time */
    ENOUGH_DRAWN = 32,        /* warps of a replicate whose spread says what the error is */
    ENOUGH_ROWS = 8,          /* the same of rows alone */
    MOST_DRAWN = 128,         /* warps of a replicate */
    BRIEFLY_DRAWN = 2,        /* the same of a brief launch */
    MOST_WARPS = 2048,        /* all of which are gone through */
    FIRST_WARPS = 16,         /* that tell how many steps all take */
    MOST_LEAVES = 8192,       /* points of such warps */
    MOST_STEPS = 2000 * 1000, /* of evaluations for one estimate */
    FEW_STEPS = 500 * 1000,   /* after which no more warps are drawn */
    SCALAR_STEPS = 4,         /* that an operation on bits is worth then */
    DIMENSIONS = 4 + FW_PIECE_VARIABLES
};

/* An error that is small enough not to draw more, relative to what is estimated. */
static const double small_error = 0.002;
/* The same of rows alone: a piece may have thousands that take too much work to count. */
static const double small_rows_error = 0.01;

/* Where a piece's warps are. */
struct box {
    uint32_t low[4], count[4]; /* blocks in each dimension, warps of a block */
    double warps;
};

static struct box box_of(const struct fw_bound *bound, const struct fw_piece *piece)
{
    const struct fw_launch *launch = bound->launch;
    struct box box = {.warps = 1};
    uint32_t low = 0, high = 0, scale = 1;
    for (uint32_t d = 0; d < 3; d++) {
        int8_t v = piece->launch_variable[d];
        box.low[d] = v >= 0 ? (uint32_t)piece->low[v] : launch->one_block ? launch->only[d] : 0;
        box.count[d] = v >= 0 ? (uint32_t)(piece->high[v] - piece->low[v] + 1) : 1;
        v = piece->launch_variable[FW_THREAD_X + d];
        low += scale * (v >= 0 ? (uint32_t)piece->low[v] : 0);
        high += scale * (v >= 0 ? (uint32_t)piece->high[v] : 0);
        scale *= launch->block[d];
    }
    box.low[3] = low / FW_WARP_THREADS;
    box.count[3] = high / FW_WARP_THREADS - box.low[3] + 1;
    for (uint32_t d = 0; d < 4; d++)
        box.warps *= box.count[d];
    return box;
}

/* All warps with all iterations; false: there are too many, or something is not known. */
static bool all_warps(struct sampled_walk *walk, const struct box *box)
{
    uint64_t steps = walk->bound->steps;
    walk->every = true;
    walk->leaves = MOST_LEAVES;
    for (uint32_t w = 0; w < (uint32_t)box->warps && !walk->failed; w++) {
        double spent = (double)(steps - walk->bound->steps);
        if (w >= FIRST_WARPS && spent / w * box->warps > (double)steps / 2)
            return false;
        uint32_t rest = w, at[4];
        for (uint32_t d = 4; d-- > 0; rest /= box->count[d])
            at[d] = box->low[d] + rest % box->count[d];
        sampled_walk_warp(walk, at, at[3]);
    }
    return !walk->failed;
}

/* Steps of the sequence, for the dimensions that have more than one value. */
struct sequence {
    uint32_t dimensions;
    double step[DIMENSIONS];
};

static void sequence_begin(struct sequence *sequence, uint32_t dimensions)
{
    double ratio = 2, step = 1;
    sequence->dimensions = dimensions;
    for (uint32_t i = 0; i < 60; i++) /* ratio^(dimensions + 1) = ratio + 1 */
        ratio = pow(1 + ratio, 1 / (dimensions + 1.0));
    for (uint32_t d = 0; d < dimensions; d++)
        sequence->step[d] = step /= ratio;
}

static double coordinate(const struct sequence *sequence, uint32_t d, uint32_t index)
{
    double at = 0.5 + sequence->step[d] * index;
    return at - floor(at);
}

static void draw_warp(struct sampled_walk *walk, const struct box *box,
                      const struct sequence *sequence, uint32_t index)
{
    double draws[DIMENSIONS];
    uint32_t at[4], used = 0;
    for (uint32_t d = 0; d < 4; d++) {
        uint32_t place = 0;
        if (box->count[d] > 1)
            place = (uint32_t)(coordinate(sequence, used++, index) * box->count[d]);
        at[d] = box->low[d] + (place < box->count[d] ? place : box->count[d] - 1);
    }
    for (uint32_t d = 0; used + d < sequence->dimensions; d++)
        draws[d] = coordinate(sequence, used + d, index);
    walk->draws = draws;
    sampled_walk_warp(walk, at, at[3]);
    walk->draws = NULL;
}

/* What an estimate multiplies: points of rows alone. */
struct base {
    double threads, warps;
};

/* A sum in proportion to what the rows allow, and the error of the proportion by replicates. */
static double proportion(const double part[REPLICATES], const double whole[REPLICATES],
                         double *error)
{
    double parts = 0, wholes = 0, squares = 0;
    for (uint32_t r = 0; r < REPLICATES; r++) {
        parts += part[r];
        wholes += whole[r];
    }
    *error = 0;
    if (!(wholes > 0))
        return 0;
    for (uint32_t r = 0; r < REPLICATES; r++) {
        double apart = part[r] - parts / wholes * whole[r];
        squares += apart * apart;
    }
    *error = sqrt(squares * REPLICATES / (REPLICATES - 1.0)) / wholes;
    return parts / wholes;
}

struct estimate {
    double base_threads, base_warps;      /* of the base, a drawn warp */
    double threads, warps, before, after; /* per point, warp and point of the base */
    double most;                          /* of a loop's iterations */
    double threads_error, warps_error;
    double base_error; /* of base_threads */
    bool every;
    uint32_t warps_drawn;
};

static void from_replicates(struct estimate *estimate, const struct sampled_sums *sums)
{
    double part[REPLICATES], whole[REPLICATES], none;
    estimate->every = false;
    estimate->most = estimate->base_threads = estimate->base_warps = 0;
    for (uint32_t r = 0; r < REPLICATES; r++) {
        part[r] = sums[r].base_threads;
        whole[r] = 1;
    }
    proportion(part, whole, &estimate->base_error);
    for (uint32_t r = 0; r < REPLICATES; r++) {
        estimate->base_threads += sums[r].base_threads;
        estimate->base_warps += sums[r].base_warps;
        part[r] = sums[r].threads;
        whole[r] = sums[r].base_threads;
        estimate->most = sums[r].most > estimate->most ? sums[r].most : estimate->most;
    }
    estimate->threads = proportion(part, whole, &estimate->threads_error);
    for (uint32_t r = 0; r < REPLICATES; r++)
        part[r] = sums[r].before;
    estimate->before = proportion(part, whole, &none);
    for (uint32_t r = 0; r < REPLICATES; r++)
        part[r] = sums[r].after;
    estimate->after = proportion(part, whole, &none);
    for (uint32_t r = 0; r < REPLICATES; r++) {
        part[r] = sums[r].warps;
        whole[r] = sums[r].base_warps;
    }
    estimate->warps = proportion(part, whole, &estimate->warps_error);
}

/* Whether the error is small enough.  `parts`: the piece has sampled parts. */
static bool is_sure(const struct estimate *estimate, bool parts)
{
    if (!parts)
        return estimate->base_error <= small_rows_error * estimate->base_threads;
    return estimate->threads > 0 && estimate->threads_error <= small_error * estimate->threads &&
           estimate->warps_error <= small_error * estimate->warps;
}

/* Draws warps until the error is small or the work is done; false: something is not known, or what
 * was drawn has no point of the rows. */
static bool draw_warps(struct estimate *estimate, struct sampled_walk *walk, const struct box *box)
{
    struct sampled_sums sums[REPLICATES] = {{0}};
    const bool parts = walk->piece->sampled_count > 0;
    const uint32_t most = walk->bound->launch->brief ? BRIEFLY_DRAWN : MOST_DRAWN;
    uint32_t dimensions = sampled_walk_draws(walk), done = 0;
    struct sequence sequence;
    bool any = false;
    for (uint32_t d = 0; d < 4; d++)
        dimensions += box->count[d] > 1;
    sequence_begin(&sequence, dimensions);
    walk->every = false;
    walk->leaves = UINT64_MAX;
    uint64_t steps = walk->bound->steps, scalars = walk->bound->scalars;
    for (uint32_t end = LEAST_DRAWN; end <= most; end *= 2) {
        uint32_t r = 0;
        for (; r < REPLICATES && !walk->failed; r++) {
            walk->sums = sums[r];
            for (uint32_t index = done; index < end && !walk->failed; index++)
                draw_warp(walk, box, &sequence, index * REPLICATES + r);
            if (!walk->failed)
                sums[r] = walk->sums;
        }
        if (walk->failed)
            break;
        done = end;
        from_replicates(estimate, sums);
        any = estimate->base_threads > 0;
        estimate->base_threads /= done * (double)REPLICATES;
        estimate->base_warps /= done * (double)REPLICATES;
        estimate->base_error /= done;
        uint64_t spent = steps - walk->bound->steps;
        spent += SCALAR_STEPS * (walk->bound->scalars - scalars);
        if (spent > FEW_STEPS ||
            (any && end >= (parts ? ENOUGH_DRAWN : ENOUGH_ROWS) && is_sure(estimate, parts)))
            break;
    }
    estimate->warps_drawn = done * REPLICATES;
    return any && done > 0;
}

/* The piece as its rows alone say, up to its first sampled loop. */
static struct fw_piece *base_piece(struct fw_bound *bound, const struct fw_piece *piece,
                                   uint32_t first_loop)
{
    struct fw_piece *base = bound_copy_piece(bound, piece);
    uint32_t kept = 0;
    base->sampled_count = 0;
    base->variables = first_loop;
    for (uint32_t r = 0; r < base->row_count; r++) {
        bool inside = true;
        for (uint32_t v = first_loop; v < piece->variables; v++)
            inside = inside && base->rows[r].form.coefficient[v] == 0;
        if (inside)
            base->rows[kept++] = base->rows[r];
    }
    base->row_count = kept;
    return base;
}

/* How many points and warps the rows alone allow; false: that cannot be counted. */
static bool count_base(struct base *base, struct fw_bound *bound, const struct fw_piece *piece,
                       uint32_t first_loop)
{
    struct fw_arena_mark mark = fw_arena_mark(bound->scratch);
    const struct fw_piece *rows = base_piece(bound, piece, first_loop);
    mpz_t count;
    mpz_init(count);
    bool known = bound_count_guarded(bound, rows, count) == FW_OK;
    base->threads = mpz_get_d(count);
    known = known && common_warps_count(bound, &rows, 1, count) == FW_OK;
    base->warps = mpz_get_d(count);
    mpz_clear(count);
    fw_arena_release(bound->scratch, mark);
    return known;
}

/* Evaluates a piece at all or some of its warps; false: something is not known. */
static bool evaluate(struct estimate *estimate, struct sampled_walk *walk)
{
    struct fw_bound *bound = walk->bound;
    struct box box = box_of(bound, walk->piece);
    uint64_t part = bound->steps / 2 < MOST_STEPS ? bound->steps / 2 : MOST_STEPS;
    uint64_t kept = bound->steps - part;
    bound->steps = part;
    bool known = box.warps <= MOST_WARPS && all_warps(walk, &box);
    if (known) {
        *estimate = (struct estimate){.threads = walk->sums.threads,
                                      .warps = walk->sums.warps,
                                      .before = walk->sums.before,
                                      .after = walk->sums.after,
                                      .most = walk->sums.most,
                                      .every = true,
                                      .warps_drawn = (uint32_t)box.warps};
    } else {
        walk->failed = false;
        known = draw_warps(estimate, walk, &box);
        estimate->base_threads *= box.warps;
        estimate->base_warps *= box.warps;
        estimate->base_error *= box.warps;
    }
    bound->steps += kept;
    return known;
}

/* A hash of all that a piece asks for. */
static uint64_t content_of(const struct fw_piece *piece)
{
    uint64_t hash = piece->variables;
#define MIX(value) hash = (hash ^ (uint64_t)(value)) * 0x9e3779b97f4a7c15u, hash ^= hash >> 29
    for (uint32_t v = 0; v < piece->variables; v++) {
        MIX(piece->low[v]);
        MIX(piece->high[v]);
        MIX(piece->entered[v]);
        MIX(piece->left[v] * 2 + piece->fixed[v]);
    }
    for (uint32_t r = 0; r < piece->row_count; r++) {
        MIX(piece->rows[r].form.constant);
        MIX(piece->rows[r].equality * 2 + piece->rows[r].definition);
        for (uint32_t v = 0; v < piece->variables; v++)
            MIX(piece->rows[r].form.coefficient[v]);
    }
    for (uint32_t p = 0; p < piece->sampled_count; p++) {
        MIX(piece->sampled[p].condition);
        MIX(piece->sampled[p].truth);
        MIX(piece->sampled[p].loop);
        MIX(piece->sampled[p].variable);
    }
#undef MIX
    return hash;
}

/* What is found for one piece beside its estimate. */
struct finding {
    double before; /* points that its last sampled part was asked of */
    double after;  /* that it left of them; of a loop their iterations */
    double error;  /* standard error of its points */
    double points; /* that were evaluated */
};

static bool find(struct finding *finding, struct fw_bound *bound, const struct fw_piece *piece,
                 struct fw_estimate *result)
{
    struct fw_arena_mark mark = fw_arena_mark(bound->scratch);
    struct sampled_walk walk;
    struct estimate estimate = {0};
    struct base base = {1, 1};
    bool known = sampled_walk_begin(&walk, bound, piece) && evaluate(&estimate, &walk);
    if (known && !estimate.every && !count_base(&base, bound, piece, walk.first_loop))
        base = (struct base){estimate.base_threads, estimate.base_warps};
    fw_arena_release(bound->scratch, mark);
    if (!known)
        return false;
    result->every = estimate.every;
    result->most = estimate.most;
    result->threads = base.threads * estimate.threads;
    result->warps = base.warps * estimate.warps;
    result->share = estimate.every ? 0 : estimate.threads;
    result->warp_share = estimate.every ? 0 : estimate.warps;
    finding->before = base.threads * estimate.before;
    finding->after = base.threads * estimate.after;
    finding->error =
        estimate.threads > 0 ? finding->after * estimate.threads_error / estimate.threads : 0;
    finding->points = (double)estimate.warps_drawn * FW_WARP_THREADS;
    return true;
}

/* A piece to which rows came that no drawn point meets: it has as large a share of what its rows
 * allow as it had before.  Exact where that is nothing.  False: it is not known. */
static bool keep_share(struct fw_bound *bound, struct fw_piece *piece)
{
    struct fw_arena_mark mark = fw_arena_mark(bound->scratch);
    struct fw_estimate *estimate = &piece->estimate_of;
    struct sampled_walk walk;
    struct base base;
    bool known =
        sampled_walk_begin(&walk, bound, piece) && count_base(&base, bound, piece, walk.first_loop);
    fw_arena_release(bound->scratch, mark);
    if (!known || (base.threads > 0 && !(estimate->share > 0)))
        return false;
    estimate->every = !(base.threads > 0);
    estimate->threads = base.threads * estimate->share;
    estimate->warps = fmin(base.warps * estimate->warp_share, estimate->threads);
    return true;
}

const struct fw_estimate *sampled_rows_before(const struct fw_piece *piece)
{
    bool is_kept = piece->estimate_of.content && piece->estimate_of.content == content_of(piece);
    return is_kept ? &piece->estimate_of : NULL;
}

const struct fw_estimate *sampled_rows(struct fw_bound *bound, struct fw_piece *piece,
                                       double *error, double *points)
{
    uint64_t content = content_of(piece);
    struct fw_arena_mark mark = fw_arena_mark(bound->scratch);
    struct sampled_walk walk;
    struct estimate estimate = {0};
    *error = *points = 0;
    if (piece->estimate_of.content == content)
        return &piece->estimate_of;
    bool known = sampled_walk_begin(&walk, bound, piece);
    struct fw_estimate *kept = known ? sampled_memo_estimate(walk.memo, content) : NULL;
    if (known && kept->content == content) {
        piece->estimate_of = *kept;
        return kept;
    }
    known = known && evaluate(&estimate, &walk);
    fw_arena_release(bound->scratch, mark);
    if (!known)
        return NULL;
    *error = estimate.every ? 0 : estimate.base_error;
    *points = (double)estimate.warps_drawn * FW_WARP_THREADS;
    *kept = piece->estimate_of = (struct fw_estimate){
        .content = content,
        .every = estimate.every,
        .threads = estimate.every ? estimate.threads : estimate.base_threads,
        .warps = estimate.every ? estimate.warps : estimate.base_warps,
    };
    return kept;
}

/* Names the last sampled part of a piece that is more work than there is left. */
static void give_up(struct fw_bound *bound, struct fw_piece *piece)
{
    const struct fw_sampled *part = &piece->sampled[piece->sampled_count - 1];
    bool loop = part->loop != FW_NONE;
    bound_note_budget(bound, loop, loop ? part->loop : part->branch);
    piece->estimate_of.every = false;
}

/* Notes that the last sampled part of a piece was not evaluated at all points. */
static void note(struct fw_bound *bound, const struct fw_piece *piece,
                 const struct finding *finding)
{
    const struct fw_sampled *part = &piece->sampled[piece->sampled_count - 1];
    double after = finding->after;
    bool loop = part->loop != FW_NONE;
    if (!loop && !part->taken)
        after = finding->before - after;
    bound_note_sampled(bound, loop, loop ? part->loop : part->branch, after, finding->before,
                       finding->error, finding->points);
}

const struct fw_estimate *sampled_estimate(struct fw_bound *bound, struct fw_piece *piece)
{
    uint64_t content = content_of(piece);
    struct finding finding;
    if (piece->estimate_of.content == content)
        return &piece->estimate_of;
    struct fw_estimate *kept = sampled_memo_estimate(bound->sampled_memo, content);
    bool was_exact = piece->estimate_of.every;
    /* What cannot be evaluated for want of work stays as it was before more was asked for. */
    if (kept->content == content)
        piece->estimate_of = *kept;
    else if (!find(&finding, bound, piece, &piece->estimate_of)) {
        if (!keep_share(bound, piece))
            give_up(bound, piece);
    } else if (was_exact && !piece->estimate_of.every)
        note(bound, piece, &finding);
    piece->estimate_of.content = content;
    *kept = piece->estimate_of;
    return &piece->estimate_of;
}

/* The piece with one sampled part more, estimated; NULL: it cannot be. */
static struct fw_piece *with_part(struct fw_bound *bound, const struct fw_piece *piece,
                                  const struct fw_sampled *part)
{
    bool mentioned[FW_PIECE_VARIABLES];
    struct finding finding;
    if (bound->symbolic || piece->sampled_count == FW_PIECE_SAMPLED ||
        !bound_mentioned(bound, piece, part->condition, part->loop, mentioned))
        return NULL;
    struct fw_piece *with = bound_copy_piece(bound, piece);
    with->sampled[with->sampled_count++] = *part;
    if (!find(&finding, bound, with, &with->estimate_of))
        return NULL;
    with->estimate_of.content = content_of(with);
    *sampled_memo_estimate(bound->sampled_memo, with->estimate_of.content) = with->estimate_of;
    if (!with->estimate_of.every)
        note(bound, with, &finding);
    return with;
}

struct fw_piece *sampled_condition(struct fw_bound *bound, const struct fw_piece *piece,
                                   uint32_t branch, fw_condition condition, bool truth, bool taken)
{
    struct fw_sampled part = {.condition = condition,
                              .truth = truth,
                              .loop = FW_NONE,
                              .variable = piece->variables,
                              .branch = branch,
                              .taken = taken};
    return isnan(bound->launch->taken[branch]) ? with_part(bound, piece, &part) : NULL;
}

struct fw_piece *sampled_loop(struct fw_bound *bound, const struct fw_piece *piece, uint32_t loop,
                              uint32_t variable)
{
    struct fw_sampled part = {.truth = true, .loop = loop, .variable = variable, .branch = FW_NONE};
    return isnan(bound->launch->trips[loop]) ? with_part(bound, piece, &part) : NULL;
}
