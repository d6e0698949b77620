/* Volumes of local memory. */
#ifndef FW_LOCAL_VOLUMES_H
#define FW_LOCAL_VOLUMES_H

#include "requests.h"
#include "volume.h"

/* Bytes of a launch's local memory. */
struct fw_local_volumes {
    double l2_to_l1, l1_to_l2, dram_read, dram_write;
};

/* What crosses the levels, by what warps ask (fw_requests's local sectors).  `threads` of a block;
 * `streamed`: bytes that other loads bring from L2. */
void fw_local_volumes_find(struct fw_local_volumes *local, const struct fw_kernel *kernel,
                           const struct fw_requests *asked, const struct fw_caches *caches,
                           double threads, double streamed);

#endif
