#include "split_sectors.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLED_ROWS = 32 };

static int64_t remainder_of(int64_t a, int64_t b)
{
    int64_t rest = a % b;
    return rest < 0 ? rest + b : rest;
}

static bool is_contiguous(const struct fw_affine_access *access)
{
    return llabs(access->thread_stride[0]) == access->bytes;
}

/* The share of an access's rows that begin, at `from` bytes behind their begin, more than `gap`
 * bytes behind the begin of a granule. */
static double rows_beyond(const struct fw_affine_access *access,
                          const struct fw_affine_accesses *accesses, int64_t from, int64_t gap,
                          uint32_t granule)
{
    uint32_t beyond = 0;
    if (!is_contiguous(access))
        return 0;
    for (int64_t k = 0; k < SAMPLED_ROWS; k++) { /* odd steps meet every remainder */
        int64_t at = access->base + from +
                     fw_affine_moved(access, FW_FLOOR_OF_BLOCK, 0, access->block_stride[0],
                                     k % accesses->grid[0]);
        for (uint32_t d = 1; d < 3; d++)
            at += fw_affine_moved(access, FW_FLOOR_OF_THREAD, d, access->thread_stride[d],
                                  k % accesses->block[d]) +
                  fw_affine_moved(access, FW_FLOOR_OF_BLOCK, d, access->block_stride[d],
                                  (2 * d + 1) * k % accesses->grid[d]);
        for (uint32_t l = 0; l < access->loops; l++)
            if (access->trips[l] > 0)
                at += fw_affine_moved(access, FW_FLOOR_OF_LOOP, l, access->loop_stride[l],
                                      (2 * l + 1) * k % access->trips[l]);
        beyond += remainder_of(at, granule) > gap;
    }
    return (double)beyond / SAMPLED_ROWS;
}

double fw_misaligned_rows(const struct fw_affine_access *access,
                          const struct fw_affine_accesses *accesses, int64_t from, uint32_t granule)
{
    return rows_beyond(access, accesses, from, 0, granule);
}

bool fw_rows_join(const struct fw_affine_access *access, const struct fw_affine_accesses *accesses,
                  uint32_t sector, int64_t *gap)
{
    *gap = access->thread_stride[1] - (int64_t)accesses->block[0] * access->bytes;
    return access->thread_stride[0] == access->bytes && access->floor_count == 0 &&
           accesses->block[1] > 1 && *gap >= 0 && *gap < sector;
}

/* Whether the memory behind a block's row is stored by another block, `*gap` bytes behind it. */
static bool neighbour_joins(const struct fw_affine_access *access,
                            const struct fw_affine_accesses *accesses, uint32_t sector,
                            int64_t *gap)
{
    *gap = 0;
    if (access
            ->floor_count) /* rows of an index in a mixed radix: their neighbours are not sought */
        return true;
    for (uint32_t d = 0; d < 3; d++) {
        *gap = llabs(access->block_stride[d]) - (int64_t)accesses->block[0] * access->bytes;
        if (accesses->grid[d] > 1 && *gap >= 0 && *gap < sector)
            return true;
    }
    return false;
}

static double executions(const struct fw_affine_access *access,
                         const struct fw_affine_accesses *accesses)
{
    double times = fw_affine_threads(access, accesses) * access->repeats * access->active_share;
    for (uint32_t l = 0; l < access->loops; l++)
        times *= (double)access->trips[l];
    return times;
}

static bool in_loop(const struct fw_affine_access *access)
{
    double iterations = access->repeats;
    for (uint32_t l = 0; l < access->loops; l++)
        iterations *= (double)access->trips[l];
    return iterations > 1;
}

static bool is_read_too(const struct fw_affine_accesses *accesses, uint32_t store)
{
    for (uint32_t i = 0; i < accesses->count; i++)
        if (accesses->at[i].direction == FW_LOAD &&
            accesses->at[i].array == accesses->at[store].array)
            return true;
    return false;
}

/* Loads, or stores, of a thread to memory adjacent to its neighbours'; at least 1. */
static double thread_accesses(const struct fw_affine_accesses *accesses, bool loads)
{
    double count = 0;
    for (uint32_t i = 0; i < accesses->count; i++)
        count += fw_affine_is_load(&accesses->at[i]) == loads && is_contiguous(&accesses->at[i]);
    return fmax(1, count);
}

double fw_thread_stores(const struct fw_affine_accesses *accesses)
{
    return thread_accesses(accesses, false);
}

/* The first load that waits for a store before it: stores behind it come when its data have.  What
 * warps wait for later does not part them before. */
static uint32_t first_waiting_load(const struct fw_affine_accesses *accesses,
                                   const struct fw_load_order *order)
{
    uint32_t i = 0;
    while (i < accesses->count &&
           !(accesses->at[i].direction == FW_LOAD && fw_load_behind_store(accesses, order, 0, i)))
        i++;
    return i;
}

/* Whether the warps of an access store what adjoins their rows, too, by another access with the
 * same strides: before their begin, or behind their end.  Halves of a head that are rotated
 * together. */
static bool warp_goes_on(const struct fw_affine_access *access,
                         const struct fw_affine_accesses *accesses, double width, bool behind)
{
    double threads = fmin(width, (double)fw_affine_row_threads(access, accesses, 0));
    int64_t row = (int64_t)threads * access->bytes, edge = access->base + (behind ? row : 0);
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *other = &accesses->at[i];
        if (other == access || other->direction == FW_LOAD || other->array != access->array ||
            !fw_affine_same_strides(access, other))
            continue;
        if (behind ? other->base <= edge && other->base + row > edge
                   : other->base < edge && other->base + row >= edge)
            return true;
    }
    return false;
}

/* Parts of the sectors of an access's rows that another warp of the block, or another block, stores
 * the rest of. */
struct row_parts {
    double within, across;
};

/* `rows` rows, or parts of them, of `width` threads of one warp. */
static struct row_parts parts_of(const struct fw_affine_access *access,
                                 const struct fw_affine_accesses *accesses, double rows,
                                 double width, uint32_t warp, uint32_t sector)
{
    struct row_parts parts = {0};
    int64_t gap;
    double ends = width / accesses->block[0]; /* of parts of rows: those at the end of one */
    double misaligned = 0;
    for (int behind = 0; behind < 2; behind++)
        if (!warp_goes_on(access, accesses, width, behind))
            misaligned +=
                rows * fw_misaligned_rows(access, accesses,
                                          behind ? (int64_t)width * access->bytes : 0, sector);
    parts.within = (1 - ends) * misaligned;
    if (fw_rows_join(access, accesses, sector, &gap)) {
        /* The next row follows at once.  What one warp stores, it stores whole. */
        double of_warp = fmax(1, floor(warp / (double)accesses->block[0]));
        double of_block = fmax(of_warp, accesses->block[1]);
        double joints = 2 * ends * rows * rows_beyond(access, accesses, 0, gap, sector) / of_warp;
        parts.across = joints * of_warp / of_block;
        parts.within += joints - parts.across;
    } else if (neighbour_joins(access, accesses, sector, &gap)) {
        parts.across = gap ? 2 * ends * rows * rows_beyond(access, accesses, 0, gap, sector)
                           : ends * misaligned;
    }
    return parts;
}

struct fw_split_sectors fw_split_sectors_find(const struct fw_affine_accesses *accesses,
                                              const struct fw_load_order *order, uint32_t sector,
                                              uint32_t in_place, uint32_t warp)
{
    struct fw_split_sectors split = {0};
    uint32_t waiting = first_waiting_load(accesses, order);
    double stores = fw_thread_stores(accesses), loads = thread_accesses(accesses, true);
    double width = accesses->block[0] < warp ? accesses->block[0] : warp;
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        if (access->direction == FW_LOAD || !is_contiguous(access))
            continue;
        bool read_too = is_read_too(accesses, i);
        double rows = executions(access, accesses) / width;
        struct row_parts parts =
            parts_of(access, accesses, rows, width, warp, read_too ? in_place : sector);
        if (i < waiting && !in_loop(access)) {
            double delay = sqrt(read_too ? fmax(stores, loads) : stores);
            split.across_blocks += delay * parts.across;
            split.within_block += delay * parts.within;
        } else if (read_too) {
            split.late_in_place += parts.across + parts.within;
        } else {
            split.late += parts.across + parts.within;
        }
    }
    return split;
}
