#include "dram_service.h"

#include "split_sectors.h"

#include <math.h>

/* ROWS: of a block, at which they share half of the cost. LONG: lines of a piece that has none.
 * Both by cube_double_8_8 and cube_double_1_1 in data/h200/traffic, in blocks 4 to 256 wide. APART:
 * the same for gaps, by turn_float and turn_double. */
enum { WARP = 32, ROWS = 3, LONG = 4, APART = 3 };

static double figure(const struct fw_device *device, enum fw_figure which)
{
    double value = 0;
    return fw_device_figure(device, which, &value) ? value : 0;
}

/* Bytes of an array that a block's row has side by side. */
static double piece_of(const struct fw_affine_access *access, const struct fw_affine_accesses *accesses,
                       const struct fw_caches *caches)
{
    double step = fabs((double)access->thread_stride[0]);
    double row = step > 0 && step <= caches->fetch ? step * accesses->block[0] : step;
    return fmax(row, caches->sector);
}

/* Of what a piece costs that has no other beside it, the share that one costs: rows of a block that
 * follow each other in memory share their cost, long ones have none. */
static double alone(const struct fw_affine_access *access, const struct fw_affine_accesses *accesses,
                    const struct fw_caches *caches, double piece)
{
    double rows = access->thread_stride[1] ? accesses->block[1] : 1;
    return fmax(0, 1 - piece / ((double)LONG * caches->line)) / (1 + rows / (double)ROWS);
}

/* How much longer reads take in pieces: `overhead` bytes for each that is far shorter than a line,
 * half of it for each that begins beside a line's begin. */
static double reads_in_pieces(const struct fw_affine_accesses *accesses,
                              const struct fw_caches *caches, const struct fw_volumes *volumes,
                              double overhead, double far)
{
    double sum = 0, weights = 0;
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        if (!fw_affine_is_load(access))
            continue;
        double piece = piece_of(access, accesses, caches), weight = volumes->l2_miss_share[i];
        double rest = fmax(0, 1 - piece / caches->line);
        double share = fmax(rest * rest, 0.5 * fw_misaligned_rows(access, accesses, 0, caches->line));
        sum += weight * (1 + (share * overhead + far * alone(access, accesses, caches, piece)) / piece);
        weights += weight;
    }
    return weights > 0 ? sum / weights : 1;
}

/* Whether what follows a block's row in memory is stored by a block far behind it in launch order:
 * not by the next one, nor by the block itself. */
static bool apart(const struct fw_affine_access *access, const struct fw_affine_accesses *accesses,
                  double piece)
{
    return accesses->grid[0] > 1 && fabs((double)access->block_stride[0]) > piece;
}

/* The same for writes, which pieces of less than two lines slow down, the more, the more stores a
 * thread has; and far more where blocks that follow each other leave gaps between them. */
static double writes_in_pieces(const struct fw_affine_accesses *accesses,
                               const struct fw_caches *caches, const struct fw_device *device)
{
    double sum = 0, count = 0, stores = sqrt(fw_thread_stores(accesses));
    double overhead = figure(device, FW_FIGURE_DRAM_PIECE_STORE);
    double far = figure(device, FW_FIGURE_DRAM_PIECE_FAR);
    double gaps = figure(device, FW_FIGURE_DRAM_PIECE_APART);
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        if (access->direction == FW_LOAD)
            continue;
        double piece = piece_of(access, accesses, caches), lines = piece / caches->line;
        double more =
            stores * fmax(0, 1 - lines / 2) * overhead + far * alone(access, accesses, caches, piece);
        if (apart(access, accesses, piece))
            more = fmax(more, fmax(0, 1 - lines / APART) * gaps);
        sum += 1 + more / piece;
        count++;
    }
    return count > 0 ? sum / count : 1;
}

/* Bytes of device memory's time that sectors take which two warps store a part of each: of those
 * that are written to it. */
static double shared_sectors(const struct fw_affine_accesses *accesses,
                             const struct fw_round_order *order, const struct fw_caches *caches,
                             const struct fw_device *device)
{
    struct fw_split_sectors parts = fw_split_sectors_find(accesses, order, caches->sector, WARP);
    return figure(device, FW_FIGURE_DRAM_SHARED_WITHIN) * parts.within_block +
           figure(device, FW_FIGURE_DRAM_SHARED_ACROSS) * parts.across_blocks +
           figure(device, FW_FIGURE_DRAM_SHARED_LATE) * parts.late +
           figure(device, FW_FIGURE_DRAM_SHARED_IN_PLACE) * parts.late_in_place;
}

bool fw_dram_service(struct fw_dram_service *price, const struct fw_affine_accesses *accesses,
                     const struct fw_round_order *order, const struct fw_caches *caches,
                     const struct fw_volumes *volumes, double stored,
                     const struct fw_device *device)
{
    double read, write, copy, both = volumes->dram_read.bytes + volumes->dram_write.bytes;
    *price = (struct fw_dram_service){0, 0};
    if (!fw_device_figure(device, FW_FIGURE_DRAM_COPY_BANDWIDTH, &copy))
        return false;
    if (!fw_device_figure(device, FW_FIGURE_DRAM_READ_BANDWIDTH, &read) ||
        !fw_device_figure(device, FW_FIGURE_DRAM_WRITE_BANDWIDTH, &write))
        read = write = copy;
    double share = both > 0 ? volumes->dram_read.bytes / both : 0;
    double mixed = 2 / copy / (1 / read + 1 / write) - 1;
    double slower = 1 + mixed * 4 * share * (1 - share);
    double written = stored > 0 ? fmin(1, volumes->dram_write.bytes / stored) : 0;
    double far = figure(device, FW_FIGURE_DRAM_PIECE_FAR);
    price->reads =
        slower * volumes->dram_read.bytes / read *
        reads_in_pieces(accesses, caches, volumes, figure(device, FW_FIGURE_DRAM_PIECE_OVERHEAD), far);
    price->writes =
        slower * volumes->dram_write.bytes / write * writes_in_pieces(accesses, caches, device) +
        written * shared_sectors(accesses, order, caches, device) / copy;
    return true;
}
