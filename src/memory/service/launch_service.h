/* Service of a launch as a whole: seconds in which the device dispatches its blocks, and page
 * translations that its TLBs do not hold.
 *
 * Takes a launch's blocks, or its accesses and volumes, and a profile. */
#ifndef FW_LAUNCH_SERVICE_H
#define FW_LAUNCH_SERVICE_H

#include "random_access.h"

/* Seconds in which the device dispatches so many blocks, by the profile's empty kernels; 0: it has
 * none. */
double fw_dispatch_seconds(const struct fw_device *device, double blocks);

/* TLB misses of a launch: of pages that blocks touch if the working set exceeds the TLB's reach,
 * and of random accesses. */
double fw_tlb_misses(const struct fw_affine_accesses *accesses, const struct fw_volumes *volumes,
                     const struct fw_random_accesses *random, const struct fw_caches *caches,
                     const struct fw_device *device);

#endif
