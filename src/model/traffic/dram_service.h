/* The price of device memory: seconds that it takes for what a launch reads and writes.
 *
 * Takes volumes, forms and a profile; gives seconds of the whole device, for reads and writes
 * apart. More than bytes over bandwidth: copies are slower than their reads and their writes are,
 * rows of blocks that are short or begin beside a line cost more, and so do sectors that two warps
 * store a part of each (shared_sectors.h).  What each costs is a profile's. */
#ifndef FW_DRAM_SERVICE_H
#define FW_DRAM_SERVICE_H

#include "device.h"
#include "rounds.h"
#include "volume.h"

struct fw_dram_service {
    double reads, writes; /* seconds */
};

/* False, and a price of 0, where the profile has no bandwidth of device memory. `order`: as rounds
 * have it; `stored`: bytes that L1 sends to L2. */
bool fw_dram_service(struct fw_dram_service *price, const struct fw_affine_accesses *accesses,
                     const struct fw_round_order *order, const struct fw_caches *caches,
                     const struct fw_volumes *volumes, double stored,
                     const struct fw_device *device);

#endif
