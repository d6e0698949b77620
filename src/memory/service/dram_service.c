#include "dram_service.h"

#include "checked.h"
#include "lone_pieces.h"
#include "min_max.h"
#include "split_sectors.h"
#include "warp.h"

#include <math.h>
#include <stdlib.h>

/* Adjacent rows of a block at which a row segment pays half of a lone segment's overhead, and lines
 * from which on a segment has no such overhead.  Source: cube_double_8_8 and cube_double_1_1 in
 * data/h200/traffic, in blocks 4 to 256 wide. */
static const double half_shared_rows = 3, lone_segment_lines = 4;

/* Lines from which on gaps between the segments of consecutive blocks cost nothing.  Source: turn
 * in data/h200/skewed. */
static const double gap_segment_lines = 3;

/* Lines from which on a written segment has no overhead.  Source: sheet_double_4_4, ibid., in
 * blocks 4, 8, 16 and 32 wide. */
static const double written_segment_lines = 2;

/* The overhead of a misaligned segment, relative to one far shorter than a line.  Source:
 * sheet_float_8_0, ibid., along rows of 8190 elements. */
static const double misaligned_overhead = 0.5;

/* Lines from which on a piece that is read, and written, alone has no overhead.  Source: load and
 * store in data/h200/sectors, 1 GB. */
static const double lone_read_lines = 1, lone_written_lines = 1.5;

static double figure(const struct fw_device *device, enum fw_figure which)
{
    double value = 0;
    return fw_device_figure(device, which, &value) ? value : 0;
}

/* Lengthens a segment by those of accesses that continue it at either end: an unrolled loop along a
 * row, a thread's neighbouring elements. */
static double continued(const struct fw_affine_accesses *accesses, uint32_t index, double row)
{
    enum { SWEEPS = 4 };
    const struct fw_affine_access *access = &accesses->at[index];
    int64_t length = (int64_t)row, low = access->base, high = low + length;
    for (unsigned sweep = 0, grown = 1; sweep < SWEEPS && grown; sweep++) {
        grown = 0;
        for (uint32_t n = 0; n < accesses->count; n++) {
            const struct fw_affine_access *other =
                &accesses->at[sweep % 2 ? accesses->count - 1 - n : n];
            if (other->array != access->array || other->base + length < low || other->base > high ||
                (other->base >= low && other->base + length <= high) ||
                fw_affine_is_load(other) != fw_affine_is_load(access) ||
                !fw_affine_same_strides(access, other))
                continue;
            low = other->base < low ? other->base : low;
            high = other->base + length > high ? other->base + length : high;
            grown = 1;
        }
    }
    return (double)(high - low);
}

/* Lengthens rows that are digits of an index (head and place, i / 64 and i % 64) by those behind
 * them, where a row, with what continues it, ends less than a sector before the next one begins. */
static double followed(const struct fw_affine_access *access,
                       const struct fw_affine_accesses *accesses, double row, uint32_t sector)
{
    uint32_t count;
    const struct fw_affine_floor *floors =
        fw_affine_floors_of(access, FW_FLOOR_OF_THREAD, 0, &count);
    if (!count)
        floors = fw_affine_floors_of(access, FW_FLOOR_OF_GRID_THREAD, 0, &count);
    double apart = (double)access->thread_stride[0]; /* of neighbours in the digit before */
    int64_t before = 1;
    for (uint32_t f = 0; f < count; f++) {
        apart = apart * (double)(floors[f].every / before) + (double)floors[f].jump;
        before = floors[f].every;
        int64_t end = f + 1 < count ? floors[f + 1].every : accesses->block[0];
        double rows = (double)fw_min(end, accesses->block[0]) / (double)before;
        if (!(apart > 0) || apart - row >= sector || rows < 1)
            break;
        row = fmax(row, apart * rows);
    }
    return row;
}

/* Whether two accesses go together but for neighbours along a row: a scale that several lanes load
 * among the numbers that they load. */
static bool goes_beside(const struct fw_affine_access *a, const struct fw_affine_access *b,
                        uint32_t sector)
{
    bool same = a->array == b->array && fw_affine_is_load(a) == fw_affine_is_load(b) &&
                a->loops == b->loops && a->thread_stride[1] == b->thread_stride[1] &&
                a->thread_stride[2] == b->thread_stride[2] &&
                llabs(fw_saturated_subtract(a->base, b->base)) < sector;
    for (uint32_t d = 0; d < 3; d++)
        same &= a->block_stride[d] == b->block_stride[d];
    for (uint32_t l = 0; l < a->loops && same; l++)
        same = a->loop_stride[l] == b->loop_stride[l] && a->trips[l] == b->trips[l];
    return same;
}

/* An access whose neighbours along a row load the same and that lies in the rows of another one:
 * that one; else itself. */
static uint32_t row_around(const struct fw_affine_accesses *accesses, uint32_t index,
                           uint32_t sector)
{
    if (accesses->at[index].thread_stride[0] == 0)
        for (uint32_t i = 0; i < accesses->count; i++)
            if (accesses->at[i].thread_stride[0] != 0 &&
                goes_beside(&accesses->at[index], &accesses->at[i], sector))
                return i;
    return index;
}

/* Length of a row segment in bytes: what a row of a block's threads touches contiguously, with the
 * block's further rows where each begins less than a sector behind the one before. */
static double segment_of(const struct fw_affine_accesses *accesses, uint32_t index,
                         const struct fw_caches *caches)
{
    index = row_around(accesses, index, caches->sector);
    const struct fw_affine_access *access = &accesses->at[index];
    double step = fabs((double)access->thread_stride[0]);
    double threads = (double)fw_affine_row_threads(access, accesses, 0);
    double row = step > 0 && step <= caches->fetch ? step * threads : step;
    int64_t gap;
    if (fw_rows_join(access, accesses, caches->sector, &gap)) {
        row = (double)access->thread_stride[1] * accesses->block[1];
    } else if (step > 0 && step <= caches->fetch) {
        row = followed(access, accesses, continued(accesses, index, row), caches->sector);
        double apart = (double)access->thread_stride[1];
        if (apart > 0 && apart - row < caches->sector)
            row = fmax(row, apart * accesses->block[1]);
    }
    return fmax(row, fmax(caches->sector, access->bytes)); /* one thread's bulk copy is a row */
}

/* The access with rows that join as one row. */
static struct fw_affine_access joined(const struct fw_affine_access *access,
                                      const struct fw_affine_accesses *accesses,
                                      const struct fw_caches *caches)
{
    struct fw_affine_access one = *access;
    int64_t gap;
    if (fw_rows_join(access, accesses, caches->sector, &gap))
        one.thread_stride[1] = 0;
    return one;
}

/* The distinct places that an access comes to along one axis of the launch: one for each thread
 * that runs it, of one block where blocks do not move it; for each step of a floor, where floors
 * alone move the address with threads; for each block, where threads do not move it. */
static double places_along(const struct fw_affine_access *access,
                           const struct fw_affine_accesses *accesses, uint32_t d)
{
    int64_t size = accesses->block[d];
    int64_t low = fw_max(access->low[d], 0),
            high = fw_min(access->high[d], accesses->grid[d] * size);
    double threads = (double)fw_max(high - low, 0);
    uint32_t of_thread, of_grid;
    const struct fw_affine_floor *thread =
        fw_affine_floors_of(access, FW_FLOOR_OF_THREAD, d, &of_thread);
    const struct fw_affine_floor *grid =
        fw_affine_floors_of(access, FW_FLOOR_OF_GRID_THREAD, d, &of_grid);
    if (!access->thread_stride[d] && !of_thread && !of_grid)
        return fw_affine_moves_with_block(access, d) ? ceil(threads / (double)size) : 1;
    if (!fw_affine_moves_with_block(access, d))
        threads = fmin(threads, (double)size);
    if (!fw_affine_all_threads(access, accesses, d))
        threads *= (double)(access->last[d] - access->first[d]) / (double)size;
    if (access->thread_stride[d])
        return threads;
    return ceil(threads / (double)(of_thread ? thread->every : grid->every));
}

/* The distinct bytes that an access touches, if the indices that move it never bring it to the same
 * place again. */
static double weight_of(const struct fw_affine_access *access,
                        const struct fw_affine_accesses *accesses)
{
    double bytes = access->bytes * access->active_share;
    for (uint32_t d = 0; d < 3; d++)
        bytes *= places_along(access, accesses, d);
    for (uint32_t l = 0; l < access->loops; l++)
        bytes *= access->loop_stride[l] ? (double)access->trips[l] : 1;
    return bytes;
}

/* The share of a lone segment's overhead that a segment pays: adjacent rows of a block share the
 * overhead, and long segments have none. */
static double lone_share(const struct fw_affine_access *access,
                         const struct fw_affine_accesses *accesses, const struct fw_caches *caches,
                         double segment)
{
    double along = (double)fw_affine_row_threads(access, accesses, 0);
    double rows = access->thread_stride[1] ? accesses->block[1] : accesses->block[0] / along;
    return fmax(0, 1 - segment / (lone_segment_lines * caches->line)) /
           (1 + rows / half_shared_rows);
}

/* What a piece that is moved alone takes beyond its bytes, as a share of them. */
static double lone_bytes(double piece, double without, double overhead)
{
    return overhead * fmax(0, 1 - piece / without) / piece;
}

/* Bytes of a fetch that a thread's walk along its row comes to by and by. */
static double moved_along(const struct fw_affine_access *access, double fetch)
{
    double bytes = access->bytes;
    for (uint32_t l = 0; l < access->loops; l++)
        if (fabs((double)access->loop_stride[l]) < fetch && access->loop_stride[l])
            bytes = fetch;
    return bytes;
}

/* The factor by which row segments slow reads down: an overhead per segment far shorter than a
 * line, half of that per misaligned segment, another per lone segment, and one per lone piece. */
static double read_slowdown(const struct fw_affine_accesses *accesses,
                            const struct fw_caches *caches, const struct fw_volumes *volumes,
                            const struct fw_device *device)
{
    double sum = 0, weights = 0, overhead = figure(device, FW_FIGURE_DRAM_PIECE_OVERHEAD);
    double lone_overhead = figure(device, FW_FIGURE_DRAM_PIECE_FAR);
    double alone = figure(device, FW_FIGURE_DRAM_LONE_READ);
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        if (!fw_affine_is_load(access))
            continue;
        double segment = segment_of(accesses, i, caches);
        double weight = volumes->l2_miss_share[i] * weight_of(access, accesses);
        struct fw_lone_piece piece = fw_lone_piece_of(accesses, i, caches);
        if (piece.bytes > 0) {
            weight *= fmax(1, caches->fetch / moved_along(access, caches->fetch)) / piece.shared;
            sum += weight * (1 + lone_bytes(piece.bytes, lone_read_lines * caches->line, alone));
            weights += weight;
            continue;
        }
        struct fw_affine_access rows = joined(access, accesses, caches);
        double rest = fmax(0, 1 - segment / caches->line);
        double share = fmax(rest * rest, misaligned_overhead *
                                             fw_misaligned_rows(&rows, accesses, 0, caches->line));
        sum +=
            weight *
            (1 + (share * overhead + lone_overhead * lone_share(&rows, accesses, caches, segment)) /
                     segment);
        weights += weight;
    }
    return weights > 0 ? sum / weights : 1;
}

/* Whether the memory behind a block's row segment is stored by a block far behind in launch order:
 * neither by the next block nor by this one. */
static bool leaves_gaps(const struct fw_affine_access *access,
                        const struct fw_affine_accesses *accesses, double segment)
{
    return accesses->grid[0] > 1 && fabs((double)access->block_stride[0]) > segment;
}

/* Bytes that device memory writes for a skewed segment: its own, or its line, if L2 still has that
 * when a block of the next row of the grid stores the rest (the partial eviction of volumes). */
static double skewed_bytes(const struct fw_affine_accesses *accesses,
                           const struct fw_caches *caches, double segment)
{
    double stored = 0, rows = (double)accesses->grid[1] * accesses->grid[2], kept = 1;
    for (uint32_t i = 0; i < accesses->count; i++)
        if (!fw_affine_is_load(&accesses->at[i]))
            stored += weight_of(&accesses->at[i], accesses) / rows;
    if (caches->eviction_bytes > 0)
        kept = exp(-pow(stored / caches->eviction_bytes, caches->eviction_sharpness));
    return segment + kept * fmax(0, caches->line - segment);
}

/* The factor by which row segments slow writes down: segments shorter than two lines do, more so
 * with more stores per thread; and gaps between the segments of consecutive blocks do. */
static double write_slowdown(const struct fw_affine_accesses *accesses,
                             const struct fw_caches *caches, const struct fw_device *device)
{
    double sum = 0, weights = 0, stores = sqrt(fw_thread_stores(accesses));
    double overhead = figure(device, FW_FIGURE_DRAM_PIECE_STORE);
    double lone = figure(device, FW_FIGURE_DRAM_PIECE_FAR);
    double gaps = figure(device, FW_FIGURE_DRAM_PIECE_APART);
    double alone = figure(device, FW_FIGURE_DRAM_LONE_WRITE);
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        if (access->direction == FW_LOAD)
            continue;
        double segment = segment_of(accesses, i, caches), lines = segment / caches->line;
        struct fw_affine_access rows = joined(access, accesses, caches);
        double more = stores * fmax(0, 1 - lines / written_segment_lines) * overhead +
                      lone * lone_share(&rows, accesses, caches, segment);
        double slowdown = 1 + more / segment;
        if (leaves_gaps(access, accesses, segment)) {
            double bytes = skewed_bytes(accesses, caches, segment);
            double share = fmax(0, 1 - bytes / (gap_segment_lines * caches->line));
            slowdown = fmax(slowdown, 1 + share * gaps / bytes);
        }
        double weight = weight_of(access, accesses);
        struct fw_lone_piece piece = fw_lone_piece_of(accesses, i, caches);
        if (piece.bytes > 0) {
            weight *= fmax(1, caches->sector / (double)access->bytes) / piece.shared;
            slowdown = 1 + lone_bytes(piece.bytes, lone_written_lines * caches->line, alone);
        }
        sum += weight * slowdown;
        weights += weight;
    }
    return weights > 0 ? sum / weights : 1;
}

/* The share of late parts that come too late for L2 to join them to the first: blocks in a loop
 * drift apart with what a wave of them stores.  1 where the profile does not say how far. */
static double late_share(const struct fw_affine_accesses *accesses, const struct fw_caches *caches,
                         const struct fw_volumes *volumes, const struct fw_device *device)
{
    double blocks = (double)fw_affine_blocks(accesses);
    double wave = volumes->write_footprint * fmin(1, volumes->wave_blocks / blocks);
    double reach = figure(device, FW_FIGURE_DRAM_SHARED_REACH) * caches->whole_l2_bytes;
    return reach > 0 && volumes->wave_blocks > 0 ? -expm1(-wave / reach) : 1;
}

/* Service time of split sectors, as bytes at full bandwidth, if all of them are written to device
 * memory. */
static double split_sector_bytes(const struct fw_affine_accesses *accesses,
                                 const struct fw_load_order *order, const struct fw_caches *caches,
                                 const struct fw_volumes *volumes, const struct fw_device *device)
{
    struct fw_split_sectors parts =
        fw_split_sectors_find(accesses, order, caches->sector, caches->line, FW_WARP_THREADS);
    return figure(device, FW_FIGURE_DRAM_SHARED_WITHIN) * parts.within_block +
           figure(device, FW_FIGURE_DRAM_SHARED_ACROSS) * parts.across_blocks +
           figure(device, FW_FIGURE_DRAM_SHARED_LATE) * parts.late *
               late_share(accesses, caches, volumes, device) +
           figure(device, FW_FIGURE_DRAM_SHARED_IN_PLACE) * parts.late_in_place;
}

/* What random accesses move, and its overhead as pieces alone, in bytes. */
struct random_bytes {
    double read, written, read_overhead, write_overhead;
};

static struct random_bytes random_bytes_of(const struct fw_random_accesses *random,
                                           const struct fw_volumes *volumes,
                                           const struct fw_caches *caches,
                                           const struct fw_device *device)
{
    struct random_bytes drawn = {0};
    if (!random)
        return drawn;
    drawn.read = fmin(random->dram_read, volumes->dram_read.bytes);
    drawn.written = fmin(random->dram_write, volumes->dram_write.bytes);
    if (drawn.read > 0 && random->read_pieces > 0)
        drawn.read_overhead = drawn.read * lone_bytes(random->dram_read / random->read_pieces,
                                                      lone_read_lines * caches->line,
                                                      figure(device, FW_FIGURE_DRAM_LONE_READ));
    if (drawn.written > 0 && random->write_pieces > 0)
        drawn.write_overhead =
            drawn.written * lone_bytes(random->dram_write / random->write_pieces,
                                       lone_written_lines * caches->line,
                                       figure(device, FW_FIGURE_DRAM_LONE_WRITE));
    return drawn;
}

bool fw_dram_service(struct fw_dram_service *service, const struct fw_affine_accesses *accesses,
                     const struct fw_load_order *order, const struct fw_caches *caches,
                     const struct fw_volumes *volumes, const struct fw_random_accesses *random,
                     double stored, const struct fw_device *device)
{
    double read, write, copy, both = volumes->dram_read.bytes + volumes->dram_write.bytes;
    *service = (struct fw_dram_service){0, 0};
    if (!fw_device_figure(device, FW_FIGURE_DRAM_COPY_BANDWIDTH, &copy))
        return false;
    if (!fw_device_figure(device, FW_FIGURE_DRAM_READ_BANDWIDTH, &read) ||
        !fw_device_figure(device, FW_FIGURE_DRAM_WRITE_BANDWIDTH, &write))
        read = write = copy;
    double share = both > 0 ? volumes->dram_read.bytes / both : 0;
    double mixed = 2 / copy / (1 / read + 1 / write) - 1;
    double slower = 1 + mixed * 4 * share * (1 - share);
    double own = volumes->dram_write.bytes - volumes->carried_write;
    double written = stored > 0 ? fmin(1, own / stored) : 0;
    struct random_bytes drawn = random_bytes_of(random, volumes, caches, device);
    service->reads = slower / read *
                     ((volumes->dram_read.bytes - drawn.read) *
                          read_slowdown(accesses, caches, volumes, device) +
                      drawn.read + drawn.read_overhead);
    service->writes = slower / write *
                          ((volumes->dram_write.bytes - drawn.written) *
                               write_slowdown(accesses, caches, device) +
                           drawn.written + drawn.write_overhead) +
                      written * split_sector_bytes(accesses, order, caches, volumes, device) / copy;
    return true;
}
