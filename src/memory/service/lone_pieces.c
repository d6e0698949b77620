#include "lone_pieces.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_PIECES = 64 };
enum { MOST_RESIDENT = 2048 }; /* threads of a multiprocessor */

static int64_t step_of(const struct fw_affine_access *access)
{
    return llabs(access->thread_stride[0]);
}

/* Threads that the device has at a time, at most. */
static double resident_threads(const struct fw_caches *caches)
{
    return (double)caches->multiprocessors * MOST_RESIDENT;
}

/* Whether the next block, or the next row of a block, touches what lies beside the access.  A block
 * that follows when more threads have gone by than can be resident meets nothing. */
static bool has_neighbours(const struct fw_affine_access *access,
                           const struct fw_affine_accesses *accesses,
                           const struct fw_caches *caches)
{
    const int64_t line = caches->line;
    double between = (double)accesses->block[0] * accesses->block[1] * accesses->block[2];
    for (uint32_t d = 0; d < 3; between *= (double)accesses->grid[d++]) {
        int64_t rows = llabs(access->thread_stride[d]), blocks = llabs(access->block_stride[d]);
        if ((d > 0 && accesses->block[d] > 1 && rows > 0 && rows < line) ||
            (accesses->grid[d] > 1 && blocks > 0 && blocks < line &&
             between < resident_threads(caches)))
            return true;
    }
    return false;
}

/* Threads of the launch between two turns of a digit of an index along x. */
static double turns_after(const struct fw_affine_floor *digit,
                          const struct fw_affine_accesses *accesses)
{
    double threads = (double)accesses->block[0] * accesses->block[1] * accesses->block[2];
    return (double)digit->every * (digit->of == FW_FLOOR_OF_BLOCK ? threads : 1);
}

/* Whether indices along x are taken in digits (i % 64, i / 64) each of which leads a line away or
 * more, as of an array whose axes change places.  A digit that turns when more threads have gone by
 * than can be resident meets nothing, unless it begins again: tables that are read again and again
 * take less than lone pieces (prime_stage in data/h100/programs-fifth). */
static bool has_far_digits(const struct fw_affine_access *access,
                           const struct fw_affine_accesses *accesses,
                           const struct fw_caches *caches)
{
    const double line = caches->line, fetch = caches->fetch;
    for (uint32_t f = 0; f < access->floor_count; f++) {
        const struct fw_affine_floor *digit = &access->floors[f];
        bool of_block = digit->of == FW_FLOOR_OF_BLOCK;
        double moved = (double)(of_block ? access->block_stride[0] : access->thread_stride[0]) *
                       (double)digit->every;
        if (digit->index != 0 ||
            (!of_block && digit->of != FW_FLOOR_OF_THREAD && digit->of != FW_FLOOR_OF_GRID_THREAD))
            return false;
        for (uint32_t g = 0; g <= f; g++)
            if (access->floors[g].of == digit->of)
                moved += (double)access->floors[g].jump *
                         (double)(digit->every / access->floors[g].every);
        if (fabs(moved) + fetch <= line &&
            (moved == 0 || turns_after(digit, accesses) < resident_threads(caches)))
            return false;
    }
    return true;
}

/* Whether a loop moves a thread along its row, from fetch to fetch.  Those that an iteration brings
 * come one after the other, too: rows of f64 of which 16 elements are in flight go at 35 G fetches
 * a second, rows of f32 at 31 G (rows in data/h200/traffic). */
static bool goes_along_row(const struct fw_affine_access *access, int64_t line)
{
    for (uint32_t l = access->loops; l-- > 0;) {
        int64_t stride = llabs(access->loop_stride[l]);
        if (stride > 0 && stride < line && access->trips[l] > 1)
            return true;
    }
    return false;
}

/* What the accesses like this one touch of a step: granules, and from the first to the last. */
struct touched {
    int64_t granules[MOST_PIECES];
    uint32_t count, accesses;
};

static void find_touched(struct touched *touched, const struct fw_affine_accesses *accesses,
                         const struct fw_affine_access *access, int64_t granule)
{
    int64_t step = step_of(access);
    *touched = (struct touched){.count = 0};
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *other = &accesses->at[i];
        if (other->array != access->array || step_of(other) != step ||
            fw_affine_is_load(other) != fw_affine_is_load(access))
            continue;
        int64_t at = (other->base - access->base) % step;
        int64_t found = (at < 0 ? at + step : at) / granule;
        uint32_t g = 0;
        touched->accesses++;
        while (g < touched->count && touched->granules[g] != found)
            g++;
        if (g == touched->count && g < MOST_PIECES)
            touched->granules[touched->count++] = found;
    }
}

struct fw_lone_piece fw_lone_piece_of(const struct fw_affine_accesses *accesses, uint32_t index,
                                      const struct fw_caches *caches)
{
    const struct fw_affine_access *access = &accesses->at[index];
    const struct fw_lone_piece none = {0, 1};
    int64_t line = caches->line, step = step_of(access);
    bool load = fw_affine_is_load(access);
    int64_t granule = load ? caches->fetch : caches->sector;
    if (step <= line || !has_far_digits(access, accesses, caches) || access->span_count ||
        access->tile_rows || access->bytes >= line || has_neighbours(access, accesses, caches))
        return none;
    struct touched touched;
    find_touched(&touched, accesses, access, granule);
    if (touched.count >= MOST_PIECES || 2 * granule * (int64_t)touched.count >= step)
        return none;
    if (!load && goes_along_row(access, line)) /* L2 writes a line when its row has gone on */
        return none;
    double bytes = fmax((double)granule, access->bytes);
    return (struct fw_lone_piece){bytes, touched.accesses / fmax(1, touched.count)};
}
