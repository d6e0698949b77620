/* Service of a launch as a whole: seconds in which the device dispatches its blocks, the share of
 * their cycles that servers are busy at most, and page translations that its TLBs do not hold.
 *
 * Takes a launch's blocks, or its accesses and volumes, and a profile. */
#ifndef FW_LAUNCH_SERVICE_H
#define FW_LAUNCH_SERVICE_H

#include "random_access.h"

/* Seconds in which the device dispatches so many blocks, one after the other, by the profile's
 * empty kernels (data/h200/launch: 0.60 ns a block on an H200, from 4,224 to 135,168 blocks of 32
 * to 256 threads, beyond what one block takes); 0: it has none, or of one number of blocks. */
double fw_dispatch_seconds(const struct fw_device *device, double blocks);

/* The share of their cycles that the load-store unit and L2 serve a launch's warps at most, whose
 * requests do not come evenly (`server_share`); 1: the profile has none, or copies are ordered
 * ahead of what needs them, so that requests come evenly (scripts/asynchronous-errors,
 * triton-errors). */
double fw_server_share(const struct fw_kernel *kernel, const struct fw_device *device);

/* TLB misses of a launch: of pages that blocks touch if the working set exceeds the TLB's reach,
 * and of random accesses. */
double fw_tlb_misses(const struct fw_affine_accesses *accesses, const struct fw_volumes *volumes,
                     const struct fw_random_accesses *random, const struct fw_caches *caches,
                     const struct fw_device *device);

#endif
