/* Measured volumes: a profiler's counters in place of the volumes that the traffic model predicts.
 * Its limiters then tell what they would with exact volumes (the phenomenological prediction of the
 * paper in docs/memory-traffic.md).  This header also lists the accesses that volumes do not model.
 */
#ifndef FW_MEASURED_H
#define FW_MEASURED_H

#include "measured_volumes.h"
#include "traffic.h"

/* Writes sentences about accesses that volumes do not model, or model as something else: atomics,
 * constant cache, textures, local memory.  Gives their number, at most FW_TRAFFIC_NOT_MODELLED. */
enum { FW_TRAFFIC_NOT_MODELLED = 7 };
uint32_t fw_traffic_not_modelled(const char **sentences, struct fw_arena *arena,
                                 const struct fw_kernel *kernel);

/* Writes sentences that name the arrays whose footprints are bounds, by the accesses of a launch.
 * Gives their number, at most FW_TRAFFIC_BOUNDED. */
enum { FW_TRAFFIC_BOUNDED = 2 };
uint32_t fw_traffic_bounded(const char **sentences, struct fw_arena *arena,
                            const struct fw_kernel *kernel,
                            const struct fw_affine_accesses *accesses);

/* A sentence that names the calibrated properties which the profile lacks: the time does not
 * include their cost.  NULL: it has all. */
const char *fw_traffic_not_calibrated(struct fw_arena *arena, const struct fw_device *device);

/* Replaces predicted volumes by measured ones.  `predicted` receives the predicted values, except
 * for the duration. */
void fw_traffic_replace(struct fw_traffic *traffic, struct fw_measured_volumes *predicted,
                        const struct fw_measured_volumes *measured);

#endif
