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

double fw_misaligned_rows(const struct fw_affine_access *access,
                          const struct fw_affine_accesses *accesses, int64_t from, uint32_t granule)
{
    uint32_t misaligned = 0;
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
        misaligned += remainder_of(at, granule) != 0;
    }
    return (double)misaligned / SAMPLED_ROWS;
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

double fw_thread_stores(const struct fw_affine_accesses *accesses)
{
    double stores = 0;
    for (uint32_t i = 0; i < accesses->count; i++)
        stores += accesses->at[i].direction != FW_LOAD && is_contiguous(&accesses->at[i]);
    return fmax(1, stores);
}

static bool loads_wait(const struct fw_affine_accesses *accesses,
                       const struct fw_round_order *order)
{
    for (uint32_t i = 0; i < accesses->count; i++)
        if (accesses->at[i].direction == FW_LOAD && fw_round_behind_store(accesses, order, 0, i))
            return true;
    return false;
}

struct fw_split_sectors fw_split_sectors_find(const struct fw_affine_accesses *accesses,
                                              const struct fw_round_order *order, uint32_t sector,
                                              uint32_t warp)
{
    struct fw_split_sectors split = {0};
    bool waits = loads_wait(accesses, order);
    double store_factor = sqrt(fw_thread_stores(accesses));
    double width = accesses->block[0] < warp ? accesses->block[0] : warp;
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        if (access->direction == FW_LOAD || !is_contiguous(access))
            continue;
        double rows = executions(access, accesses) / width;
        double parts =
            rows * (fw_misaligned_rows(access, accesses, 0, sector) +
                    fw_misaligned_rows(access, accesses, (int64_t)width * access->bytes, sector));
        double ends = width / accesses->block[0];
        if (!waits && !in_loop(access)) {
            split.across_blocks += store_factor * ends * parts;
            split.within_block += store_factor * (1 - ends) * parts;
        } else if (is_read_too(accesses, i)) {
            split.late_in_place += parts;
        } else {
            split.late += parts;
        }
    }
    return split;
}
