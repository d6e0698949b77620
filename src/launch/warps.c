/* Counting by warps: the points of a domain with a warp in place of its threads.
 *
 * A warp is threads that follow one another in a block's linear order.  Where the sizes of the
 * block let warps be boxes of threads, as they nearly always do, the index that they cut is written
 * as size * number + place, and what is projected out has unit coefficients; else the linear index
 * is tied to the warp's number. */
#include "bound_internal.h"
#include "checked.h"
#include "warp.h"

#include <string.h>

/* Whether it is the thread's index in a dimension from `first` on. */
static bool is_thread_variable(const struct fw_piece *piece, uint32_t v, uint32_t first)
{
    for (uint32_t d = first; d < 3; d++)
        if (piece->launch_variable[FW_THREAD_X + d] == (int8_t)v)
            return true;
    return false;
}

/* Marks what is not the same for all threads of a warp: thread indices, the iterations in which
 * threads left loops, and quotients made of them. */
static void mark_thread_dependent(const struct fw_piece *piece, bool *dependent)
{
    for (uint32_t v = 0; v < piece->variables; v++)
        dependent[v] = is_thread_variable(piece, v, 0) || piece->left[v] == FW_LEFT_MET;
    for (uint32_t r = 0; r < piece->row_count; r++) {
        uint32_t q = piece->variables;
        bool any = false;
        if (!piece->rows[r].definition)
            continue;
        while (q > 0 && !piece->rows[r].form.coefficient[q - 1])
            q--;
        for (uint32_t v = 0; v < q; v++)
            any |= piece->rows[r].form.coefficient[v] && dependent[v];
        if (q > 0)
            dependent[q - 1] |= any;
    }
}

static bool mentions(const struct fw_piece *piece, const struct fw_piece_row *row,
                     const bool *dependent)
{
    for (uint32_t v = 0; v < piece->variables; v++)
        if (row->form.coefficient[v] && dependent[v])
            return true;
    return false;
}

/* Whether the piece has every thread of its blocks: what it asks for is asked of none of them.
 * Threads are left out by rows, and by an index's bounds or fixed value without any row: in pieces
 * that were gone through value by value or point by point. */
static bool takes_all_threads(const struct fw_bound *bound, const struct fw_piece *piece,
                              const bool *dependent)
{
    for (uint32_t d = 0; d < 3; d++) {
        int8_t v = piece->launch_variable[FW_THREAD_X + d];
        if (v >= 0 && (piece->fixed[v] || piece->low[v] > 0 ||
                       piece->high[v] < (int64_t)bound->launch->block[d] - 1))
            return false;
    }
    for (uint32_t r = 0; r < piece->row_count; r++)
        if (mentions(piece, &piece->rows[r], dependent))
            return false;
    return true;
}

static uint32_t warps_of_block(const struct fw_bound *bound)
{
    const uint32_t *block = bound->launch->block;
    return (block[0] * block[1] * block[2] + FW_WARP_THREADS - 1) / FW_WARP_THREADS;
}

/* Where a warp's threads are: whole rows of a block's first dimensions and `size` neighbours in
 * dimension `d`; one value of each higher dimension. */
struct cut {
    uint32_t d;
    uint32_t size;
};

/* How warps cut the block; false: some reach across the end of a row.  d is 3 when all of the block
 * is one warp. */
static bool find_cut(const uint32_t block[3], struct cut *cut)
{
    uint32_t inside = 1;
    for (cut->d = 0; cut->d < 3; cut->d++) {
        if (inside * block[cut->d] > FW_WARP_THREADS)
            break;
        inside *= block[cut->d];
    }
    if (cut->d == 3)
        return true;
    cut->size = FW_WARP_THREADS / inside;
    uint32_t further = 1;
    for (uint32_t d = cut->d + 1; d < 3; d++)
        further *= block[d];
    return FW_WARP_THREADS % inside == 0 && (further == 1 || block[cut->d] % cut->size == 0);
}

static void add_bound(struct fw_system *system, uint32_t column, int64_t low, int64_t high)
{
    for (int upper = 0; upper < 2; upper++) {
        struct fw_row *row = &system->rows[system->row_count++];
        memset(row, 0, sizeof(*row));
        row->constant = upper ? high : -low;
        row->coefficient[column] = upper ? -1 : 1;
    }
}

/* Writes the index that warps cut, low to high, as size * (warp's number) + (place in the warp);
 * false on overflow. */
static bool cut_index(struct fw_system *system, int64_t size, int64_t low, int64_t high,
                      uint32_t number, uint32_t place)
{
    for (uint32_t r = 0; r < system->row_count; r++)
        if (fw_multiply_overflows(system->rows[r].coefficient[place], size,
                                  &system->rows[r].coefficient[number]))
            return false;
    add_bound(system, place, 0, size - 1);
    add_bound(system, number, low / size, high / size);
    if (low % size == 0 && (high + 1) % size == 0)
        return true;
    add_bound(system, place, low, high);
    system->rows[system->row_count - 2].coefficient[number] = size;
    system->rows[system->row_count - 1].coefficient[number] = -size;
    return true;
}

/* Ties the warp's number to the linear index of its threads: with W threads a warp, 0 <= thread - W
 * warp < W. */
static void tie_warp(struct fw_bound *bound, const struct fw_piece *piece, const uint32_t *place,
                     uint32_t warp)
{
    struct fw_system *system = &bound->system;
    struct fw_row *low = &system->rows[system->row_count++];
    struct fw_row *high = &system->rows[system->row_count++];
    int64_t scale = 1;
    memset(low, 0, sizeof(*low));
    memset(high, 0, sizeof(*high));
    for (uint32_t d = 0; d < 3; d++) {
        int8_t v = piece->launch_variable[FW_THREAD_X + d];
        if (v >= 0 && piece->fixed[v])
            low->constant += scale * piece->low[v];
        else if (v >= 0)
            low->coefficient[place[v]] = scale;
        scale *= bound->launch->block[d];
    }
    for (uint32_t c = 0; c < system->variables; c++)
        high->coefficient[c] = -low->coefficient[c];
    high->constant = FW_WARP_THREADS - 1 - low->constant;
    low->coefficient[warp] = -FW_WARP_THREADS;
    high->coefficient[warp] = FW_WARP_THREADS;
}

/* Points of the piece with a warp in place of its threads: distinct (block, warp, iterations). */
static enum fw_status count_piece_warps(struct fw_bound *bound, const struct fw_piece *piece,
                                        mpz_ptr result)
{
    const uint32_t *block = bound->launch->block;
    bool dependent[FW_PIECE_VARIABLES], shared[FW_PIECE_VARIABLES];
    uint32_t place[FW_PIECE_VARIABLES] = {0}, kept = 0, columns;
    struct cut cut;
    mark_thread_dependent(piece, dependent);
    if (takes_all_threads(bound, piece, dependent)) {
        enum fw_status status = bound_count_piece(bound, piece, result);
        mpz_divexact_ui(result, result, block[0] * block[1] * block[2]);
        mpz_mul_ui(result, result, warps_of_block(bound));
        return status;
    }
    bool cuts = find_cut(block, &cut);
    uint32_t index = FW_NONE; /* the variable that is cut */
    if (cuts && cut.d < 3 && piece->launch_variable[FW_THREAD_X + cut.d] >= 0)
        index = (uint32_t)piece->launch_variable[FW_THREAD_X + cut.d];
    if (index != FW_NONE && piece->fixed[index])
        index = FW_NONE;
    for (uint32_t v = 0; v < piece->variables; v++)
        shared[v] = !dependent[v] || (cuts && is_thread_variable(piece, v, cut.d + 1));
    for (uint32_t v = 0; v < piece->variables; v++)
        place[v] = piece->fixed[v] || !shared[v] ? FW_NONE : kept++;
    bool numbered = !cuts || index != FW_NONE;
    uint32_t warp = kept;
    kept += numbered;
    columns = kept;
    for (uint32_t v = 0; v < piece->variables; v++)
        if (!piece->fixed[v] && !shared[v])
            place[v] = columns++;
    if (columns > FW_SYSTEM_VARIABLES || piece->row_count + 2 * columns + 6 > FW_SYSTEM_ROWS)
        return FW_ERROR_BUDGET;
    mpz_set_ui(result, 0);
    if (!bound_to_system(bound, piece, place, columns, index))
        return FW_OK;
    if (index == FW_NONE && numbered)
        tie_warp(bound, piece, place, warp);
    if (index != FW_NONE && !cut_index(&bound->system, cut.size, piece->low[index],
                                       piece->high[index], warp, place[index]))
        return FW_ERROR_BUDGET;
    if (columns == 0) {
        mpz_set_ui(result, 1);
        return FW_OK;
    }
    return fw_system_count_projected(result, bound->counter, &bound->system, kept);
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
    mark_thread_dependent(piece, dependent);
    for (uint32_t r = 0; r < piece->row_count; r++)
        if (!mentions(piece, &piece->rows[r], dependent))
            rows[shared.row_count++] = piece->rows[r];
    for (uint32_t v = 0; v < piece->variables; v++) {
        shared.fixed[v] |= dependent[v];
        shared.closed[v] |= piece->high[v] < FAR;
    }
    bool known = bound_count_piece(bound, &shared, result) == FW_OK;
    mpz_mul_ui(result, result, warps_of_block(bound));
    mpz_init(threads);
    if (bound_count_guarded(bound, piece, threads) == FW_OK &&
        (!known || mpz_cmp(threads, result) < 0))
        mpz_set(result, threads);
    mpz_clear(threads);
}

/* Whether two pieces share no (block, iterations): bounds of an index that all threads of a warp
 * share are apart. */
static bool apart(const struct fw_piece *a, const struct fw_piece *b)
{
    if (a->path != b->path)
        return true;
    for (uint32_t v = 0; v < a->variables && v < b->variables; v++) {
        bool iteration = a->loop_of[v] != FW_NONE && a->loop_of[v] == b->loop_of[v];
        bool block = false;
        for (uint32_t d = FW_BLOCK_X; d <= FW_BLOCK_Z; d++)
            block |= a->launch_variable[d] == (int8_t)v && b->launch_variable[d] == (int8_t)v;
        if ((iteration || block) && (a->high[v] < b->low[v] || b->high[v] < a->low[v]))
            return true;
    }
    return false;
}

static bool all_apart(const struct fw_piece_list *pieces)
{
    enum { MOST_COMPARED = 256 };
    if (pieces->count > MOST_COMPARED)
        return false;
    for (uint32_t p = 1; p < pieces->count; p++)
        for (uint32_t q = 0; q < p; q++)
            if (!apart(pieces->at[p], pieces->at[q]))
                return false;
    return true;
}

const struct fw_total *fw_bound_count_warps(struct fw_bound *bound, uint32_t domain)
{
    struct domain_memo *memo = &bound->domains[domain];
    struct fw_total *count = &memo->warps;
    if (memo->warps_counted)
        return count;
    const struct fw_piece_list *pieces = bound_pieces(bound, domain);
    memo->warps_counted = true;
    mpz_set_ui(count->value, 0);
    count->estimate = 0;
    /* Pieces are disjoint in threads; where they are not in warps, the sum is an upper bound. */
    count->exact = !memo->failed && !memo->splits && all_apart(pieces);
    for (uint32_t p = 0; p < pieces->count; p++) {
        if (count_piece_warps(bound, pieces->at[p], bound->part) != FW_OK) {
            count->exact = false;
            most_warps(bound, pieces->at[p], bound->part);
        }
        bound_add_part(count, pieces->at[p]->warp_weight, bound->part);
        count->exact = count->exact && !pieces->at[p]->estimate && pieces->at[p]->weight == 1;
    }
    bound_finish(count);
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
