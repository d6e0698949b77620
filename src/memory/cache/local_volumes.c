#include "local_volumes.h"

#include "random_access.h"

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
                           double blocks, double threads, double streamed, double stores_lost)
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
    /* The next block reuses the memory, so that L2 evicts only what does not fit, and once what
     * does not stay until the next launch. */
    double all = of_block * fmin(blocks, multiprocessors * caches->resident_blocks);
    double evicted = fmax(0, 1 - caches->l2_bytes / all);
    local->dram_read = evicted * local->l2_to_l1;
    local->dram_write = fmax(evicted * local->l1_to_l2, stores_lost * fmin(all, local->l1_to_l2));
}
