/* The points that pieces have in common with a warp in place of its threads.
 *
 * What all threads of a warp share (blocks, iterations, the warp's number) has one column for all
 * pieces; a thread of each piece has columns of its own, which are projected out.  Where the sizes
 * of the block let warps be boxes of threads, as they nearly always do, the index that they cut is
 * written as size * number + place, and what is projected out has unit coefficients; else the
 * linear index is tied to the warp's number. */
#include "common_warps.h"
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

/* Marks quotients of what is marked. */
static void mark_quotients(const struct fw_piece *piece, bool *marked)
{
    for (uint32_t r = 0; r < piece->row_count; r++) {
        uint32_t q = piece->variables;
        bool any = false;
        if (!piece->rows[r].definition)
            continue;
        while (q > 0 && !piece->rows[r].form.coefficient[q - 1])
            q--;
        for (uint32_t v = 0; v < q; v++)
            any |= piece->rows[r].form.coefficient[v] && marked[v];
        if (q > 0)
            marked[q - 1] |= any;
    }
}

void common_warps_mark_dependent(const struct fw_piece *piece, bool *dependent)
{
    for (uint32_t v = 0; v < piece->variables; v++)
        dependent[v] = is_thread_variable(piece, v, 0) || piece->left[v] == FW_LEFT_MET;
    mark_quotients(piece, dependent);
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
static bool takes_all_threads(const struct fw_bound *bound, const struct fw_piece *piece)
{
    bool dependent[FW_PIECE_VARIABLES];
    common_warps_mark_dependent(piece, dependent);
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

uint32_t common_warps_of_block(const struct fw_bound *bound)
{
    const uint32_t *block = bound->launch->block;
    return (block[0] * block[1] * block[2] + FW_WARP_THREADS - 1) / FW_WARP_THREADS;
}

struct warp_cut common_warps_cut(const uint32_t block[3])
{
    struct warp_cut cut = {.boxes = true};
    uint32_t inside = 1, further = 1;
    for (; cut.d < 3; cut.d++) {
        if (inside * block[cut.d] > FW_WARP_THREADS)
            break;
        inside *= block[cut.d];
    }
    if (cut.d == 3)
        return cut;
    cut.size = FW_WARP_THREADS / inside;
    for (uint32_t d = cut.d + 1; d < 3; d++)
        further *= block[d];
    cut.boxes = FW_WARP_THREADS % inside == 0 && (further == 1 || block[cut.d] % cut.size == 0);
    return cut;
}

/* The index that warps cut, FW_NONE where they cut none. */
static uint32_t cut_variable(const struct fw_piece *piece, const struct warp_cut *cut)
{
    if (!cut->boxes || cut->d == 3 || piece->launch_variable[FW_THREAD_X + cut->d] < 0)
        return FW_NONE;
    return (uint32_t)piece->launch_variable[FW_THREAD_X + cut->d];
}

/* Whether two variables' ranges have no value in common. */
static bool ranges_apart(const struct fw_piece *a, uint32_t u, const struct fw_piece *b, uint32_t v)
{
    return a->high[u] < b->low[v] || b->high[v] < a->low[u];
}

/* Whether a variable is the same block or thread index of two pieces, one that warps do not cut. */
static bool is_shared_index(const struct fw_piece *a, const struct fw_piece *b, uint32_t v,
                            const struct warp_cut *cut)
{
    bool shared = false;
    for (uint32_t d = FW_BLOCK_X; d <= FW_THREAD_Z; d++)
        shared |= a->launch_variable[d] == (int8_t)v && b->launch_variable[d] == (int8_t)v &&
                  (d <= FW_BLOCK_Z || (cut->boxes && d > FW_THREAD_X + cut->d));
    return shared;
}

bool common_warps_apart(const struct fw_bound *bound, const struct fw_piece *a,
                        const struct fw_piece *b)
{
    if (a->path != b->path)
        return true;
    const struct warp_cut *cut = &bound->cut;
    uint32_t u = cut_variable(a, cut), v = cut_variable(b, cut);
    if (u != FW_NONE && v != FW_NONE && ranges_apart(a, u, b, v) && /* as threads, if as warps */
        (a->high[u] / cut->size < b->low[v] / cut->size ||
         b->high[v] / cut->size < a->low[u] / cut->size))
        return true;
    for (v = 0; v < a->variables && v < b->variables; v++)
        if (ranges_apart(a, v, b, v) &&
            ((a->loop_of[v] != FW_NONE && a->loop_of[v] == b->loop_of[v]) ||
             is_shared_index(a, b, v, cut)))
            return true;
    return false;
}

/* What threads of a warp share: block and thread indices, then the iterations of loops. */
enum { KEY_LOOPS = 6 };

struct key {
    uint32_t name;   /* a launch index, or KEY_LOOPS + loop */
    uint32_t pieces; /* that have it */
    uint32_t column; /* FW_NONE: all pieces fix it to one value */
    bool fixed;
    int64_t value;
};

/* The system under construction. */
struct shadow {
    struct fw_bound *bound;
    struct warp_cut cut;
    struct key keys[KEY_LOOPS + FW_PIECE_VARIABLES];
    uint32_t key_count;
    uint32_t warp;    /* the column of the warp's number, FW_NONE */
    uint32_t columns; /* so far */
};

/* The name under which pieces share a variable; FW_NONE: they do not. */
static uint32_t key_name(const struct shadow *shadow, const struct fw_piece *piece, uint32_t v)
{
    for (uint32_t d = FW_BLOCK_X; d <= FW_THREAD_Z; d++)
        if (piece->launch_variable[d] == (int8_t)v)
            return d <= FW_BLOCK_Z || (shadow->cut.boxes && d > FW_THREAD_X + shadow->cut.d)
                       ? d
                       : FW_NONE;
    if (piece->loop_of[v] != FW_NONE || piece->left[v] == FW_LEFT_APART)
        return KEY_LOOPS + piece->entered[v];
    return FW_NONE;
}

static struct key *find_key(struct shadow *shadow, uint32_t name)
{
    for (uint32_t k = 0; k < shadow->key_count; k++)
        if (shadow->keys[k].name == name)
            return &shadow->keys[k];
    return NULL;
}

/* Notes what a piece shares with others; false: they fix something to different values. */
static bool note_keys(struct shadow *shadow, const struct fw_piece *piece)
{
    for (uint32_t v = 0; v < piece->variables; v++) {
        uint32_t name = key_name(shadow, piece, v);
        struct key *key = name == FW_NONE ? NULL : find_key(shadow, name);
        if (name == FW_NONE)
            continue;
        if (!key) {
            key = &shadow->keys[shadow->key_count++];
            *key = (struct key){name, 0, FW_NONE, piece->fixed[v], piece->low[v]};
        }
        if (key->fixed && piece->fixed[v] && key->value != piece->low[v])
            return false;
        key->fixed = key->fixed && piece->fixed[v];
        key->pieces++;
    }
    return true;
}

/* Whether the number of the warp is a column; `*same` false: pieces fix it to different ones. */
static bool numbered(const struct shadow *shadow, const struct fw_piece *const *pieces,
                     uint32_t count, bool *same)
{
    bool column = !shadow->cut.boxes;
    int64_t number = 0;
    *same = true;
    for (uint32_t p = 0; p < count && shadow->cut.boxes; p++) {
        uint32_t v = cut_variable(pieces[p], &shadow->cut);
        if (v == FW_NONE)
            continue;
        column |= !pieces[p]->fixed[v];
        *same = *same && (p == 0 || number == pieces[p]->low[v] / shadow->cut.size);
        number = pieces[p]->low[v] / shadow->cut.size;
    }
    *same = *same || column;
    return column;
}

static struct fw_row *add_row(struct fw_system *system, int64_t constant)
{
    struct fw_row *row = &system->rows[system->row_count++];
    memset(row, 0, sizeof(*row));
    row->constant = constant;
    return row;
}

static void add_bound(struct fw_system *system, uint32_t column, int64_t low, int64_t high)
{
    add_row(system, -low)->coefficient[column] = 1;
    add_row(system, high)->coefficient[column] = -1;
}

static void add_value(struct fw_system *system, uint32_t column, int64_t value)
{
    struct fw_row *row = add_row(system, -value);
    row->coefficient[column] = 1;
    row->equality = true;
}

/* Writes the index that warps cut, low to high, as size * (warp's number) + (place in the warp);
 * false on overflow. */
static bool cut_index(struct fw_system *system, int64_t size, int64_t low, int64_t high,
                      uint32_t number, uint32_t place)
{
    for (uint32_t r = 0; r < system->row_count; r++)
        if (system->rows[r].coefficient[place] &&
            fw_multiply_overflows(system->rows[r].coefficient[place], size,
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
static void tie_warp(struct shadow *shadow, const struct fw_piece *piece, const uint32_t *place)
{
    struct fw_system *system = &shadow->bound->system;
    struct fw_row *low = add_row(system, 0), *high = add_row(system, 0);
    int64_t scale = 1;
    for (uint32_t d = 0; d < 3; d++) {
        int8_t v = piece->launch_variable[FW_THREAD_X + d];
        if (v >= 0 && piece->fixed[v])
            low->constant += scale * piece->low[v];
        else if (v >= 0)
            low->coefficient[place[v]] = scale;
        scale *= shadow->bound->launch->block[d];
    }
    for (uint32_t c = 0; c < system->variables; c++)
        high->coefficient[c] = -low->coefficient[c];
    high->constant = FW_WARP_THREADS - 1 - low->constant;
    low->coefficient[shadow->warp] = -FW_WARP_THREADS;
    high->coefficient[shadow->warp] = FW_WARP_THREADS;
}

static uint32_t most_rows(const struct fw_piece *piece)
{
    uint32_t rows = piece->row_count + 6; /* what ties the warp's number */
    for (uint32_t v = 0; v < piece->variables; v++)
        rows += piece->fixed[v] ? 1 : piece->quotient[v] ? 0 : 2;
    return rows;
}

/* Adds a piece's rows; `*empty`: one of them shows that nothing is left.  FW_ERROR_BUDGET: there is
 * no room, or numbers leave 64 bits. */
static enum fw_status add_piece(struct shadow *shadow, const struct fw_piece *piece,
                                const uint32_t *place, bool *empty)
{
    struct fw_system *system = &shadow->bound->system;
    uint32_t index = cut_variable(piece, &shadow->cut);
    if (system->row_count + most_rows(piece) > FW_SYSTEM_ROWS)
        return FW_ERROR_BUDGET;
    bool varies = index != FW_NONE && !piece->fixed[index];
    *empty = !bound_add_to_system(shadow->bound, piece, place, varies ? index : FW_NONE);
    for (uint32_t v = 0; v < piece->variables; v++) {
        uint32_t name = key_name(shadow, piece, v);
        struct key *key = name == FW_NONE ? NULL : find_key(shadow, name);
        if (key && key->column != FW_NONE && piece->fixed[v])
            add_value(system, key->column, piece->low[v]);
    }
    if (!shadow->cut.boxes)
        tie_warp(shadow, piece, place);
    else if (varies && !cut_index(system, shadow->cut.size, piece->low[index], piece->high[index],
                                  shadow->warp, place[index]))
        return FW_ERROR_BUDGET;
    else if (index != FW_NONE && !varies && shadow->warp != FW_NONE)
        add_value(system, shadow->warp, piece->low[index] / shadow->cut.size);
    return FW_OK;
}

/* Gives every key that varies a column, and then the warp's number. */
static void place_keys(struct shadow *shadow, bool number)
{
    for (uint32_t k = 0; k < shadow->key_count; k++)
        if (!shadow->keys[k].fixed)
            shadow->keys[k].column = shadow->columns++;
    shadow->warp = number ? shadow->columns++ : FW_NONE;
}

/* Gives a piece's variables the columns of their keys, and those that follow from keys columns that
 * are `kept`; what is left gets columns that are projected out. */
static void place_variables(struct shadow *shadow, const struct fw_piece *piece, bool kept,
                            uint32_t *place)
{
    bool dependent[FW_PIECE_VARIABLES];
    common_warps_mark_dependent(piece, dependent);
    for (uint32_t v = 0; v < piece->variables; v++) {
        uint32_t name = piece->fixed[v] ? FW_NONE : key_name(shadow, piece, v);
        if (kept)
            place[v] = FW_NONE;
        if (kept && name != FW_NONE)
            place[v] = find_key(shadow, name)->column;
        else if (name == FW_NONE && !piece->fixed[v] && place[v] == FW_NONE && kept != dependent[v])
            place[v] = shadow->columns++;
    }
}

enum { MOST_TOGETHER = 16 };

static enum fw_status count_shadow(struct shadow *shadow, const struct fw_piece *const *pieces,
                                   uint32_t count, mpz_ptr result)
{
    struct fw_system *system = &shadow->bound->system;
    uint32_t place[MOST_TOGETHER][FW_PIECE_VARIABLES];
    for (uint32_t p = 0; p < count; p++)
        place_variables(shadow, pieces[p], true, place[p]);
    uint32_t kept = shadow->columns;
    for (uint32_t p = 0; p < count; p++)
        place_variables(shadow, pieces[p], false, place[p]);
    if (shadow->columns > FW_SYSTEM_VARIABLES)
        return FW_ERROR_BUDGET;
    system->variables = shadow->columns;
    system->row_count = 0;
    for (uint32_t p = 0; p < count; p++) {
        bool empty;
        enum fw_status status = add_piece(shadow, pieces[p], place[p], &empty);
        if (status != FW_OK || empty)
            return status;
    }
    if (shadow->columns == 0) {
        mpz_set_ui(result, 1);
        return FW_OK;
    }
    return fw_system_count_projected(result, shadow->bound->counter, system, kept);
}

/* Whether a row leaves out none of the points between the bounds of indices and iterations; those
 * of quotients are what rows leave of them. */
static bool is_implied(const struct fw_piece *piece, const struct fw_piece_row *row)
{
    int64_t low, high;
    for (uint32_t v = 0; v < piece->variables; v++)
        if (row->form.coefficient[v] && piece->quotient[v])
            return false;
    bound_interval(piece, &row->form, &low, &high);
    return low >= 0 && (!row->equality || high == 0);
}

bool common_warps_box(const struct fw_bound *bound, const struct fw_piece *piece,
                      struct fw_warp_box *box)
{
    struct shadow shadow = {.cut = bound->cut};
    uint32_t cut = cut_variable(piece, &shadow.cut);
    bool varies[FW_PIECE_VARIABLES];
    box->sides = 0;
    if (!shadow.cut.boxes)
        return false;
    for (uint32_t v = 0; v < piece->variables; v++) {
        uint32_t name = v == cut ? FW_NONE : key_name(&shadow, piece, v);
        int64_t size = v == cut ? shadow.cut.size : 1;
        int64_t low = piece->low[v] / size, high = piece->high[v] / size;
        varies[v] = (v == cut || name != FW_NONE) && low < high;
        if (v != cut && name == FW_NONE)
            continue;
        if (piece->high[v] >= FAR)
            return false;
        box->side[box->sides].name = name;
        box->side[box->sides].low = low;
        box->side[box->sides++].high = high;
    }
    mark_quotients(piece, varies);
    for (uint32_t r = 0; r < piece->row_count; r++)
        if (!piece->rows[r].definition && mentions(piece, &piece->rows[r], varies) &&
            !is_implied(piece, &piece->rows[r]))
            return false;
    return true;
}

enum fw_status common_warps_count(struct fw_bound *bound, const struct fw_piece *const *pieces,
                                  uint32_t count, mpz_ptr result)
{
    const uint32_t *block = bound->launch->block;
    struct shadow shadow = {.bound = bound, .cut = bound->cut};
    bool same;
    if (count == 1 && takes_all_threads(bound, pieces[0])) {
        enum fw_status status = bound_count_piece(bound, pieces[0], result);
        mpz_cdiv_q_ui(result, result, block[0] * block[1] * block[2]); /* it may be estimated */
        mpz_mul_ui(result, result, common_warps_of_block(bound));
        return status;
    }
    mpz_set_ui(result, 0);
    if (count > MOST_TOGETHER)
        return FW_ERROR_BUDGET;
    for (uint32_t p = 0; p < count; p++)
        if (!note_keys(&shadow, pieces[p]))
            return FW_OK;
    for (uint32_t k = 0; k < shadow.key_count; k++)
        if (shadow.keys[k].pieces != count)
            return FW_ERROR_BUDGET;
    bool number = numbered(&shadow, pieces, count, &same);
    if (!same)
        return FW_OK;
    place_keys(&shadow, number);
    return count_shadow(&shadow, pieces, count, result);
}
