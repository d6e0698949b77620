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

/* The share of words that L2 has written to device memory until they are stored to again, when
 * `touched` bytes of lines have been touched since and `dirty` of local memory stored to: by the
 * cause that comes first.  Threads use a part of the local memory that each has been given, so that
 * the lines do not fall on all sets of L2 alike: as many may be dirty as of other data, with a
 * blunter edge.  Source: once and filled of local.cu in data/h100/local. */
static double first_written(const struct fw_caches *caches, double touched, double dirty)
{
    return fmax(written_for_room(caches, touched),
                lost_share(dirty, caches->retained_dirty_bytes, caches->local_sharpness));
}

/* The same, times the bytes, of what the blocks of `waves` waves store to for the first time in
 * their lives, the last of which may be a part of a wave: a slot of a multiprocessor is stored to
 * again a wave later, and by the next launch when what is left of this one has passed.  `all`:
 * bytes of local memory that a wave stores to; `others`: bytes of other lines that it touches;
 * `lost`: the share from launch to launch, or a negative number where an identical one came before.
 */
static double first_bytes(const struct fw_caches *caches, double all, double others, double waves,
                          double lost)
{
    double whole = fmax(1, floor(waves)), part = fmax(0, waves - whole);
    double next = first_written(caches, all + others, all), early = lost, late = lost;
    if (lost < 0) {
        early = first_written(caches, part * (all + others), part * all);
        late = first_written(caches, all + (1 + part) * others, all);
    }
    return all * (part * (whole * next + early) + (1 - part) * ((whole - 1) * next + late));
}

/* The same of words that each of `waves` waves stores to again in a loop, `between` bytes of them,
 * in waves: the last one may be a part of a wave.  Warps that wait for their words in L2 take
 * turns, so that all have stored before one does so again; warps that find the most of them, a
 * share `hits`, in L1 run ahead one after the other.  Source: rounds and spilled, likewise. */
static double again_written(const struct fw_caches *caches, double between, double waves,
                            double hits)
{
    double whole = floor(waves), part = waves - whole;
    double size = caches->retained_dirty_bytes, sharpness = caches->local_sharpness;
    return fmax(1 - hits, caches->local_ahead) *
           (whole * lost_share(between, size, sharpness) +
            part * lost_share(part * between, size, sharpness));
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
    if (caches->l1_spilled_bytes > 0) /* registers come again in the order in which they went */
        hits += requests->spilled_bytes / (bytes_of(kernel) + requests->spilled_bytes) *
                (1 - lost_share(resident, caches->l1_spilled_bytes, caches->l1_spilled_sharpness) -
                 hits);
    local->l2_to_l1 = caches->sector * requests->local_load_sectors * (1 - hits);
    local->l1_to_l2 = caches->sector * requests->local_store_sectors;
    double wave = fmin(blocks, multiprocessors * caches->resident_blocks);
    double all = of_block * wave, waves = blocks / wave;
    local->dram_read = fmax(0, 1 - caches->l2_bytes / all) * local->l2_to_l1;
    if (caches->local_loads_bytes > 0)
        local->dram_read =
            lost_share(all, caches->local_loads_bytes, caches->local_loads_sharpness) *
            local->l2_to_l1;
    /* A block stores to each word for the first time when a wave has passed since the block before
     * it, or since the launch before; and again when the wave has stored to all words, or to those
     * that it stores to again. */
    double first = fmin(all, local->l1_to_l2 / waves);
    double again = local->l1_to_l2 / waves - first;
    double looped = threads * wave * (bytes_of(kernel) + requests->spilled_loop_bytes);
    double between = fmin(looped, again), others = streamed / waves, lost = affine->stores_lost;
    if (affine->touched_between > 0) {
        others = fmax(0, affine->touched_between - all) / waves;
        lost = -1;
    }
    local->dram_write = first / all * first_bytes(caches, all, others, waves, lost) +
                        again * again_written(caches, between, waves, hits);
}
