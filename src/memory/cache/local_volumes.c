#include "local_volumes.h"

#include "random_access.h"
#include "volume_internal.h"

#include <math.h>
#include <string.h>

/* Bytes of all local arrays of a thread. */
static double bytes_of(const struct fw_kernel *kernel)
{
    double bytes = 0;
    for (uint32_t a = 0; a < kernel->array_count; a++)
        bytes += kernel->arrays[a].space == FW_SPACE_LOCAL ? (double)kernel->arrays[a].bytes : 0;
    return bytes > 0 ? bytes : kernel->resources.local_bytes;
}

double fw_local_bytes(const struct fw_kernel *kernel, const struct fw_requests *requests,
                      const struct fw_caches *caches, double blocks, double threads)
{
    double multiprocessors = caches->multiprocessors ? caches->multiprocessors : 1;
    if (!(requests->local_store_sectors > 0))
        return 0;
    return threads * (bytes_of(kernel) + requests->spilled_bytes) *
           fmin(blocks, multiprocessors * caches->resident_blocks);
}

void fw_local_volumes_find(struct fw_local_volumes *local, const struct fw_kernel *kernel,
                           const struct fw_requests *requests, const struct fw_caches *caches,
                           double blocks, double threads, double streamed,
                           const struct fw_volumes *affine)
{
    double sectors = requests->local_load_sectors + requests->local_store_sectors;
    double multiprocessors = caches->multiprocessors ? caches->multiprocessors : 1;
    double of_block = threads * (bytes_of(kernel) + requests->spilled_bytes);
    double resident = of_block * fmin(caches->resident_blocks, ceil(blocks / multiprocessors));
    memset(local, 0, sizeof(*local));
    if (!(sectors > 0) || !(resident > 0))
        return;
    double busy = fmin(multiprocessors, blocks);
    double hits = fw_random_hit_share(sectors / busy, resident, caches->sector, caches->line,
                                      caches->l1_bytes, streamed / sectors, true);
    local->l2_to_l1 = caches->sector * requests->local_load_sectors * (1 - hits);
    local->l1_to_l2 = caches->sector * requests->local_store_sectors;
    double wave = fmin(blocks, multiprocessors * caches->resident_blocks);
    double all = of_block * wave, waves = blocks / wave;
    local->dram_read = fmax(0, 1 - caches->l2_bytes / all) * local->l2_to_l1;
    /* A block stores to each word for the first time when a wave has passed since the block before
     * it, or a launch; and again when the wave has stored to all words, or to those that it stores
     * to again. */
    double first = fmin(all, local->l1_to_l2 / waves);
    double again = local->l1_to_l2 / waves - first, between = fmin(all, again);
    double lost = affine->stores_lost;
    if (affine->touched_between > 0)
        lost = written_between(caches, affine->touched_between, affine->dirty_between,
                               1 + again / first, waves);
    local->dram_write =
        first * (lost + (waves - 1) * written_share(caches, all + streamed / waves, all)) +
        waves * again * written_share(caches, between, between);
}
