#include "skew.h"

#include "address_range.h"
#include "checked.h"
#include "min_max.h"
#include "quotient.h"

#include <math.h>
#include <string.h>

enum { MAX_UNROLLED = 16, POINTS = 4 };

/* Mean bytes by which floors move an access, per step of an index: of its threads and blocks. */
static void mean_of_floors(const struct fw_affine_access *access,
                           const struct fw_affine_accesses *accesses, uint32_t d, double *thread,
                           double *block)
{
    *thread = *block = 0;
    for (uint32_t f = 0; f < access->floor_count; f++) {
        const struct fw_affine_floor *floor = &access->floors[f];
        double slope = (double)floor->jump / (double)floor->every;
        if (floor->of == FW_FLOOR_OF_LOOP || floor->index != d)
            continue;
        if (floor->of == FW_FLOOR_OF_BLOCK) {
            *block += slope;
            continue;
        }
        *thread += slope;
        if (floor->of == FW_FLOOR_OF_GRID_THREAD)
            *block += slope * accesses->block[d];
    }
}

/* Sets what is left of strides if a loop that ends at an index begins (`end` false) or ends at the
 * same place of each row.  False: not whole bytes. */
static bool set_rests(struct skew_rows *rows, const struct fw_affine_access *access,
                      const struct fw_affine_accesses *accesses, bool end)
{
    double stride = end ? (double)access->loop_stride[access->ragged.loop] : 0;
    for (uint32_t d = 0; d < 3; d++) {
        double thread, block;
        mean_of_floors(access, accesses, d, &thread, &block);
        thread += (double)access->thread_stride[d] + stride * access->ragged.until.thread[d];
        block += (double)access->block_stride[d] + stride * access->ragged.until.block[d];
        if (fabs(thread) > FW_ADDRESS_MOST || fabs(block) > FW_ADDRESS_MOST)
            return false;
        rows->thread[d] = (int64_t)round(thread);
        rows->block[d] = (int64_t)round(block);
        if (fabs(thread - (double)rows->thread[d]) > 1e-6 ||
            fabs(block - (double)rows->block[d]) > 1e-6)
            return false;
    }
    return true;
}

static double size_of(const struct skew_rows *rows)
{
    double sum = 0;
    for (uint32_t d = 0; d < 3; d++)
        sum += fabs((double)rows->thread[d]) + fabs((double)rows->block[d]);
    return sum;
}

/* The rows of an access with a ragged loop: threads begin or end at the same place of their rows,
 * whichever leaves shorter strides. */
static bool rows_of_ragged(struct skew_rows *rows, const struct fw_affine_access *access,
                           const struct fw_affine_accesses *accesses)
{
    struct skew_rows end = {.row = 0};
    int64_t stride = access->ragged.any ? access->loop_stride[access->ragged.loop] : 0;
    if (stride == 0 || access->trips[access->ragged.loop] <= 1 ||
        !set_rests(rows, access, accesses, false))
        return false;
    if (set_rests(&end, access, accesses, true) && size_of(&end) < size_of(rows)) {
        bool along = false; /* an index moves along the loop: its threads share rows as it is */
        for (uint32_t d = 0; d < 3; d++)
            along |= (rows->thread[d] && !end.thread[d]) || (rows->block[d] && !end.block[d]);
        if (along)
            return false;
        *rows = end;
        rows->shifted = true;
    }
    rows->row = stride;
    for (uint32_t d = 0; d < 3; d++) {
        rows->row = fw_common_step(rows->row, access->thread_stride[d] - rows->thread[d]);
        rows->row = fw_common_step(rows->row, access->block_stride[d] - rows->block[d]);
    }
    for (uint32_t f = 0; f < access->floor_count; f++)
        rows->row = fw_common_step(rows->row, access->floors[f].jump);
    return true;
}

/* Bytes of a row that an access covers by what is left of its strides. */
static int64_t width_of(const struct skew_rows *rows, const struct fw_affine_access *access,
                        const struct fw_affine_accesses *accesses)
{
    int64_t width = access->bytes;
    for (uint32_t d = 0; d < 3; d++) {
        int64_t size = accesses->block[d], thread = rows->thread[d] % rows->row;
        int64_t block = rows->block[d] % rows->row, low = fw_max(access->low[d], 0);
        int64_t high = fw_min(access->high[d], size * accesses->grid[d]);
        bool along = block == thread * size;
        int64_t threads = along ? high - low : fw_min(size, high - low);
        int64_t blocks = along || high <= low ? 1 : (high - 1) / size - low / size + 1;
        width = fw_saturated_add(
            width, fw_saturated_multiply(fw_saturated_magnitude(thread), threads - 1));
        width = fw_saturated_add(width,
                                 fw_saturated_multiply(fw_saturated_magnitude(block), blocks - 1));
    }
    return width;
}

/* What is left of a stride once it is divided by rows; it stays whole if it is a number of rows. */
static int64_t rest_of(int64_t stride, int64_t row, bool *shifted, bool *left)
{
    int64_t rows = fw_floor_quotient(fw_saturated_add(stride, row / 2), row);
    int64_t rest = stride - rows * row;
    *shifted |= rows && rest;
    *left |= rest != 0;
    return rest ? rest : stride;
}

/* The rows of an access whose loop moves it by rows, and whose threads begin in rows of their own.
 */
static bool rows_of_loop(struct skew_rows *rows, const struct fw_affine_access *access,
                         const struct fw_affine_accesses *accesses)
{
    for (uint32_t l = 0; l < access->loops; l++) {
        int64_t stride = fw_saturated_magnitude(access->loop_stride[l]);
        double range = (double)stride * (double)access->trips[l];
        bool meet = access->trips[l] > 1 && access->floor_count == 0;
        for (uint32_t d = 0; d < 3; d++)
            meet &= fabs((double)access->thread_stride[d]) < range &&
                    (accesses->grid[d] == 1 || fabs((double)access->block_stride[d]) < range);
        for (int64_t unrolled = 1; meet && unrolled <= MAX_UNROLLED; unrolled *= 2) {
            bool shifted = false, left = false;
            rows->row = stride / unrolled;
            if (stride % unrolled || rows->row <= access->bytes)
                break;
            for (uint32_t d = 0; d < 3; d++) {
                rows->thread[d] = rest_of(access->thread_stride[d], rows->row, &shifted, &left);
                rows->block[d] = accesses->grid[d] == 1
                                     ? access->block_stride[d]
                                     : rest_of(access->block_stride[d], rows->row, &shifted, &left);
            }
            if (shifted && left && width_of(rows, access, accesses) <= rows->row) {
                rows->shifted = true;
                return true;
            }
        }
    }
    return false;
}

void skew_rows_add(struct skew_rows *rows, const struct fw_affine_access *access,
                   const struct fw_affine_accesses *accesses)
{
    struct skew_rows found = {.row = 0};
    double executions = fw_affine_threads(access, accesses);
    for (uint32_t l = 0; l < access->loops; l++)
        executions *= (double)access->trips[l];
    if (!rows_of_ragged(&found, access, accesses) && !rows_of_loop(&found, access, accesses))
        return;
    found.executions = executions;
    if (rows->row && found.shifted == rows->shifted &&
        memcmp(found.thread, rows->thread, sizeof(found.thread)) == 0 &&
        memcmp(found.block, rows->block, sizeof(found.block)) == 0) {
        rows->row = fw_common_step(rows->row, found.row);
        rows->executions = fmax(rows->executions, executions);
    } else if (found.shifted != rows->shifted ? found.shifted : executions > rows->executions) {
        *rows = found;
    }
}

/* Takes rows out of a stride, into the slope of an index.  False: it is no number of rows, or rows
 * that are shorter than what is left of the stride, and too many of them. */
static bool take(int64_t *stride, double *slope, int64_t rest, int64_t row, bool *shifted)
{
    int64_t shift = *stride - rest, size = fw_saturated_magnitude(rest);
    if (shift % row || (row <= size && fw_saturated_magnitude(shift) > size / 2))
        return false;
    *slope += (double)(shift / row);
    *stride = rest;
    *shifted |= shift != 0;
    return true;
}

/* Turns the floors of an access into mean shifts.  False: some are no number of rows, or of a loop.
 */
static bool shift_by_floors(struct fw_affine_access *access, struct skew *skew,
                            const struct fw_affine_accesses *accesses)
{
    for (uint32_t f = 0; f < access->floor_count; f++) {
        const struct fw_affine_floor *floor = &access->floors[f];
        double every = (double)floor->every, slope = (double)(floor->jump / skew->row) / every;
        if (floor->of == FW_FLOOR_OF_LOOP || floor->jump % skew->row)
            return false;
        skew->rows.constant += slope * ((double)floor->shift - (every - 1) / 2);
        if (floor->of != FW_FLOOR_OF_BLOCK)
            skew->rows.thread[floor->index] += slope;
        if (floor->of == FW_FLOOR_OF_BLOCK)
            skew->rows.block[floor->index] += slope;
        if (floor->of == FW_FLOOR_OF_GRID_THREAD)
            skew->rows.block[floor->index] += slope * accesses->block[floor->index];
    }
    access->floor_count = 0;
    return true;
}

bool skew_take(struct skew *skew, struct fw_affine_access *access,
               const struct fw_affine_accesses *accesses, const struct skew_rows *rows)
{
    struct fw_affine_access changed = *access;
    struct skew found = {.row = rows->row};
    bool shifted = changed.floor_count > 0;
    if (rows->row == 0 || !shift_by_floors(&changed, &found, accesses))
        return false;
    for (uint32_t d = 0; d < 3; d++)
        if ((accesses->block[d] > 1 && !take(&changed.thread_stride[d], &found.rows.thread[d],
                                             rows->thread[d], rows->row, &shifted)) ||
            (accesses->grid[d] > 1 && !take(&changed.block_stride[d], &found.rows.block[d],
                                            rows->block[d], rows->row, &shifted)))
            return false;
    if (!shifted)
        return false;
    *access = changed;
    *skew = found;
    return true;
}

bool skew_equal(const struct skew *a, const struct skew *b)
{
    return a->row == b->row && fw_affine_same_slope(&a->rows, &b->rows);
}

/* The middle of threads low <= t < high of the grid along one axis, whose blocks have `size`. */
static void middle_along(double *block, double *thread, int64_t low, int64_t high, int64_t size)
{
    int64_t first = low / size, last = (high - 1) / size;
    *block = (double)(first + last) / 2;
    *thread = first == last ? (double)(low + high - 1) / 2 - (double)(first * size)
                            : (double)(size - 1) / 2;
}

/* The middle of threads low <= t < high of the grid, as indices; whole blocks have all of their
 * threads. */
static void middle_of(double block[3], double thread[3], const int64_t low[3],
                      const int64_t high[3], const struct fw_affine_accesses *accesses)
{
    for (uint32_t d = 0; d < 3; d++)
        middle_along(&block[d], &thread[d], low[d], high[d], accesses->block[d]);
}

/* How much a slope changes over the threads low <= t < high along axis `d`. */
static double change(const struct fw_affine_slope *slope, uint32_t d, int64_t low, int64_t high,
                     const struct fw_affine_accesses *accesses)
{
    int64_t size = accesses->block[d], blocks = (high - 1) / size - low / size;
    int64_t threads = blocks ? size - 1 : high - 1 - low;
    return fabs(slope->block[d]) * (double)blocks + fabs(slope->thread[d]) * (double)threads;
}

static bool moves_along(const struct fw_affine_access *access, uint32_t d)
{
    return access->thread_stride[d] != 0 || fw_affine_moves_with_block(access, d);
}

/* The rounded bounds of the ragged loop in a piece, whose long axis is `d`: the mean where its
 * threads touch data of their own, else the widest. */
static void set_iterations(struct skew_piece *piece, const struct fw_affine_access *access,
                           const struct fw_affine_accesses *accesses, uint32_t d)
{
    double trips = (double)access->trips[access->ragged.loop], from = 0, until = 0;
    double least = trips, most = 0;
    bool same = change(&access->ragged.from, d, piece->low[d], piece->high[d], accesses) +
                    change(&access->ragged.until, d, piece->low[d], piece->high[d], accesses) ==
                0;
    uint32_t points = same ? 1 : POINTS;
    double block[3], thread[3];
    int64_t size = accesses->block[d], length = piece->high[d] - piece->low[d];
    double first_block = (double)(piece->low[d] / size);
    double blocks = (double)((length + size - 1) / size);
    middle_of(block, thread, piece->low, piece->high, accesses);
    for (uint32_t p = 0; p < points; p++) {
        double share = (p + 0.5) / points;
        int64_t at = piece->low[d] + (int64_t)(share * (double)length);
        if (length > size) { /* whole blocks: along the piece, not by its threads */
            block[d] = first_block + share * blocks - 0.5;
            thread[d] = (double)(size - 1) / 2;
        } else {
            middle_along(&block[d], &thread[d], at, at + 1, size);
        }
        double first = round(fw_affine_slope_at(&access->ragged.from, block, thread));
        double end = round(fw_affine_slope_at(&access->ragged.until, block, thread));
        first = fmin(fmax(first, 0), trips);
        end = fmax(fmin(end, trips), first);
        from += first / points;
        until += end / points;
        least = end > first ? fmin(least, first) : least;
        most = end > first ? fmax(most, end) : most;
    }
    bool own = moves_along(access, d);
    piece->from = (int64_t)round(own ? from : least);
    piece->until = (int64_t)round(own ? until : most);
}

/* Whether the loops of an access move it, but each of them within a row, and so do the threads with
 * what is left of their strides: rows alone keep them apart, and they meet in none. */
static bool stays_in_rows(const struct fw_affine_access *access, int64_t row)
{
    bool moves = false;
    for (uint32_t d = 0; d < 3; d++)
        if (fw_saturated_magnitude(access->thread_stride[d]) >= row ||
            fw_saturated_magnitude(access->block_stride[d]) >= row)
            return false;
    for (uint32_t l = 0; l < access->loops; l++) {
        int64_t stride = fw_saturated_magnitude(access->loop_stride[l]);
        if (fw_saturated_multiply(stride, access->trips[l]) > row)
            return false;
        moves |= stride > 0 && access->trips[l] > 1;
    }
    return moves;
}

/* Sets the rows by which a piece is shifted: those in its middle, or all of them where each thread
 * has a row of its own. */
static void set_rows(struct skew_piece *piece, const struct fw_affine_access *access,
                     const struct skew *skew, const struct fw_affine_accesses *accesses)
{
    double block[3], thread[3], range = 0;
    piece->rows = 0;
    piece->row_count = 1;
    if (!skew->row)
        return;
    middle_of(block, thread, piece->low, piece->high, accesses);
    for (uint32_t d = 0; d < 3 && stays_in_rows(access, skew->row); d++)
        range += change(&skew->rows, d, piece->low[d], piece->high[d], accesses);
    piece->row_count += (int64_t)round(range);
    piece->rows = (int64_t)round(fw_affine_slope_at(&skew->rows, block, thread) - range / 2);
}

/* Adds a piece, if some of its threads have work. */
static uint32_t add_piece(struct skew_piece *out, uint32_t count,
                          const struct fw_affine_access *access, const struct skew *skew,
                          const struct fw_affine_accesses *accesses, uint32_t d)
{
    struct skew_piece *piece = &out[count];
    set_rows(piece, access, skew, accesses);
    piece->from = 0;
    piece->until = access->ragged.any ? access->trips[access->ragged.loop] : 1;
    if (access->ragged.any)
        set_iterations(piece, access, accesses, d);
    return count + (piece->from < piece->until);
}

/* The thread at which part `part` of `parts` of the threads low <= t < high begins: at the begin of
 * a block if parts are longer than blocks. */
static int64_t cut_at(int64_t low, int64_t high, uint32_t part, uint32_t parts, int64_t size)
{
    if (part == 0 || part == parts)
        return part ? high : low;
    int64_t at = low + fw_part_of(high - low, part, parts);
    if ((high - low) / parts >= size)
        at -= at % size;
    return fw_max(at, low);
}

uint32_t skew_pieces(struct skew_piece out[2 * SKEW_PIECES], const struct fw_affine_access *access,
                     const struct skew *skew, const struct fw_affine_accesses *accesses,
                     const int64_t from[3], const int64_t to[3])
{
    int64_t low[3], high[3];
    double most = 0;
    uint32_t axis = 0, count = 0, parts = 1;
    for (uint32_t d = 0; d < 3; d++) {
        low[d] = fw_max(from[d], access->low[d]);
        high[d] = fw_min(to[d], access->high[d]);
        if (low[d] >= high[d])
            return 0;
        double here = change(&access->ragged.from, d, low[d], high[d], accesses) +
                      change(&access->ragged.until, d, low[d], high[d], accesses) +
                      change(&skew->rows, d, low[d], high[d], accesses);
        axis = here > most ? d : axis;
        most = fmax(here, most);
    }
    int64_t size = accesses->block[axis], blocks = (high[axis] - 1) / size - low[axis] / size + 1;
    if (most > 0) /* a piece for each row or iteration of difference, if they are few */
        parts = (uint32_t)fmin(ceil(most), SKEW_PIECES);
    if (parts > 1 && blocks < parts)
        parts = (uint32_t)((parts + blocks - 1) / blocks * blocks);
    for (uint32_t part = 0; part < parts; part++) {
        struct skew_piece *piece = &out[count];
        memcpy(piece->low, low, sizeof(low));
        memcpy(piece->high, high, sizeof(high));
        piece->low[axis] = cut_at(low[axis], high[axis], part, parts, size);
        piece->high[axis] = cut_at(low[axis], high[axis], part + 1, parts, size);
        if (piece->low[axis] < piece->high[axis])
            count = add_piece(out, count, access, skew, accesses, axis);
    }
    return count;
}
