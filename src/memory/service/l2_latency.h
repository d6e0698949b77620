/* How long loads that hit L2 wait, by where in L2 their data are.
 *
 * Takes the volumes of a launch, its caches and a profile; gives cycles.  L2 keeps what a
 * multiprocessor loads in the partition near to it, whichever partition the line belongs to: loads
 * find it near again, unless copies in both partitions need more room than there is and other
 * multiprocessors load the data each time.  Knows nothing of how busy L2 is. */
#ifndef FW_L2_LATENCY_H
#define FW_L2_LATENCY_H

#include "caches.h"
#include "volume.h"

/* Cycles that a load waits for L2 in the mean; where all `blocks` of the launch are resident at one
 * time, on the multiprocessor that is farthest from L2, which the launch waits for. */
double fw_l2_latency(const struct fw_device *device, const struct fw_caches *caches,
                     const struct fw_volumes *volumes, double blocks);

/* The same of loads and stores that go to either partition: the mean of both. */
double fw_l2_latency_anywhere(const struct fw_device *device);

#endif
