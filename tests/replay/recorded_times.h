/* What the models say of a recorded row's time. */
#ifndef RECORDED_TIMES_H
#define RECORDED_TIMES_H

#include "recorded_volumes.h"
#include "roofline.h"
#include "traffic.h"

#include "../property/subject.h"

/* The roofline model, the traffic model with its terms of what is no memory, and the same with the
 * row's counters in place of predicted volumes. The subject must be bound; registers are the row's;
 * alignments: of parameters, or NULL.
 */
bool recorded_times(struct fw_roofline **roofline, struct fw_traffic **traffic,
                    struct fw_traffic **by_counters, struct subject *subject,
                    const struct fw_device *device, const json_t *row, const uint32_t *alignments);

#endif
