/* The service time of device memory: seconds for what a launch reads and writes.
 *
 * Takes volumes, affine accesses and a profile; gives seconds of the whole device, separately for
 * reads and writes.  The service time exceeds bytes over bandwidth.  A mix of reads and writes is
 * slower than either alone.  Short or misaligned row segments (what a row of a block's threads
 * touches contiguously) cost extra, so do pieces alone (random_access.h, lone_pieces.h), and so do
 * split sectors (split_sectors.h).  The profile states each cost.  Never models latency. */
#ifndef FW_DRAM_SERVICE_H
#define FW_DRAM_SERVICE_H

#include "device.h"
#include "load_order.h"
#include "random_access.h"
#include "volume.h"

struct fw_dram_service {
    double reads, writes; /* seconds */
};

/* The service time of a launch.  `order`: as in load_order.h; `random`: of `volumes`, what random
 * accesses move, or NULL; `stored`: bytes from L1 to L2. False, and 0 seconds: the profile has no
 * bandwidth of device memory. */
bool fw_dram_service(struct fw_dram_service *service, const struct fw_affine_accesses *accesses,
                     const struct fw_load_order *order, const struct fw_caches *caches,
                     const struct fw_volumes *volumes, const struct fw_random_accesses *random,
                     double stored, const struct fw_device *device);

#endif
