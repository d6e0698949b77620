/* Measured volumes: counters of a profiler in place of the volumes that the traffic model predicts,
 * so that its limiters tell what they would with volumes that are right (the traffic paper's
 * phenomenological prediction). */
#ifndef FW_MEASURED_H
#define FW_MEASURED_H

#include "measured_volumes.h"
#include "traffic.h"

/* Sentences about accesses that volumes do not hold, or hold as something else: atomics, constant
 * cache, textures, local memory; at most FW_TRAFFIC_NOT_MODELLED.  How many. */
enum { FW_TRAFFIC_NOT_MODELLED = 6 };
uint32_t fw_traffic_not_modelled(const char **sentences, struct fw_arena *arena,
                                 const struct fw_kernel *kernel);

/* Puts measured volumes where predicted ones were; `predicted` gets what was there (the duration
 * untouched). */
void fw_traffic_replace(struct fw_traffic *traffic, struct fw_measured_volumes *predicted,
                        const struct fw_measured_volumes *measured);

#endif
