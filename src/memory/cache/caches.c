#include "caches.h"

#include <string.h>

bool fw_caches_of(struct fw_caches *caches, const struct fw_device *device, uint64_t shared_bytes,
                  uint32_t resident_blocks, enum fw_figure *missing)
{
    static const enum fw_figure needed[] = {FW_FIGURE_L1_SHARED_BYTES, FW_FIGURE_L2_BYTES,
                                            FW_FIGURE_MULTIPROCESSORS, FW_FIGURE_SECTOR_BYTES,
                                            FW_FIGURE_LINE_BYTES};
    /* L1 of its own, apart from shared memory. */
    bool apart = !fw_device_figure(device, FW_FIGURE_L1_SHARED_BYTES, NULL) &&
                 fw_device_figure(device, FW_FIGURE_L1_BYTES, NULL);
    for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
        if (!fw_device_figure(device, needed[i], NULL) && !(apart && i == 0)) {
            *missing = needed[i];
            return false;
        }
    memset(caches, 0, sizeof(*caches));
    caches->sector = (uint32_t)fw_device_count(device, FW_FIGURE_SECTOR_BYTES, 32);
    caches->line = (uint32_t)fw_device_count(device, FW_FIGURE_LINE_BYTES, 128);
    caches->fetch = (uint32_t)fw_device_count(device, FW_FIGURE_DRAM_FETCH_BYTES, caches->sector);
    caches->warp = (uint32_t)fw_device_count(device, FW_FIGURE_WARP_SIZE, 32);
    caches->multiprocessors = (uint32_t)fw_device_count(device, FW_FIGURE_MULTIPROCESSORS, 1);
    double l1 = 1, l2 = 1 / (double)fw_device_count(device, FW_FIGURE_L2_PARTITIONS, 1), share;
    if (fw_device_figure(device, FW_FIGURE_L1_EFFECTIVE, &share))
        l1 = share;
    if (fw_device_figure(device, FW_FIGURE_L2_EFFECTIVE, &share))
        l2 = share;
    caches->l1_bytes =
        l1 * ((double)fw_device_count(device, FW_FIGURE_L1_SHARED_BYTES, 0) - (double)shared_bytes);
    if (apart)
        caches->l1_bytes = l1 * (double)fw_device_count(device, FW_FIGURE_L1_BYTES, 0);
    caches->l2_bytes = l2 * (double)fw_device_count(device, FW_FIGURE_L2_BYTES, 0);
    if (fw_device_figure(device, FW_FIGURE_L2_EFFECTIVE_LOADS, &share))
        caches->l2_loads_bytes = share * (double)fw_device_count(device, FW_FIGURE_L2_BYTES, 0);
    if (fw_device_figure(device, FW_FIGURE_L1_FORGETTING, &share))
        caches->l1_sharpness = share;
    if (fw_device_figure(device, FW_FIGURE_L2_FORGETTING, &share))
        caches->l2_sharpness = share;
    if (fw_device_figure(device, FW_FIGURE_L2_COLLECTS, &share))
        caches->eviction_bytes = share * (double)fw_device_count(device, FW_FIGURE_L2_BYTES, 0);
    fw_device_figure(device, FW_FIGURE_L2_COLLECTS_FORGETTING, &caches->eviction_sharpness);
    fw_device_figure(device, FW_FIGURE_BLOCKS_APART, &caches->block_skew);
    fw_device_figure(device, FW_FIGURE_STORE_MERGE_LINES, &caches->store_merge_lines);
    for (uint32_t i = 0; i < FW_COALESCING_POINTS; i++) {
        fw_device_curve(device, FW_FIGURE_LOADS_MERGED, 1u << i, &caches->coalesced[0][i]);
        fw_device_curve(device, FW_FIGURE_LOADS_MERGED_STEP, 1u << i, &caches->coalesced[1][i]);
    }
    if (fw_device_figure(device, FW_FIGURE_TLB_REACH, &share))
        caches->tlb_reach = share;
    caches->resident_blocks = resident_blocks;
    return true;
}

void fw_caches_set_requests(struct fw_caches *caches, const struct fw_requests *asked,
                            bool loop_waits)
{
    caches->requested_load_bytes =
        caches->sector * asked->load_sectors - asked->non_affine_load_bytes;
    caches->requested_store_bytes =
        caches->sector * asked->store_sectors - asked->non_affine_store_bytes;
    caches->barrier_in_loop = loop_waits;
    caches->lines_per_store =
        asked->store_instructions > 0 ? asked->store_lines / asked->store_instructions : 0;
}
