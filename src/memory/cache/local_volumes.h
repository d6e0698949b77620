/* Volumes of local memory: what stack arrays and spilled registers move between caches.
 *
 * L1 writes stores through to L2.  A load hits L1 if the arrays of the resident threads fit.  Takes
 * the local sectors that warps request and the caches; gives bytes between the levels.  Never
 * models constant memory. */
#ifndef FW_LOCAL_VOLUMES_H
#define FW_LOCAL_VOLUMES_H

#include "requests.h"
#include "volume.h"

/* Bytes of a launch's local memory. */
struct fw_local_volumes {
    double l2_to_l1, l1_to_l2, dram_read, dram_write;
};

/* Bytes of local memory that the resident threads of a launch store to.  `blocks`: of the launch;
 * `threads`: of a block. */
double fw_local_bytes(const struct fw_kernel *kernel, const struct fw_requests *requests,
                      const struct fw_caches *caches, double blocks, double threads);

/* The volumes of a launch, from the local sectors in `requests`.  `streamed`: bytes that other
 * loads bring from L2; `affine`: the
 * volumes of other accesses, for what an identical launch before has left. */
void fw_local_volumes_find(struct fw_local_volumes *local, const struct fw_kernel *kernel,
                           const struct fw_requests *requests, const struct fw_caches *caches,
                           double blocks, double threads, double streamed,
                           const struct fw_volumes *affine);

#endif
