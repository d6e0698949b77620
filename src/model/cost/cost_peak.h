/* What a feature's unit takes at a device's peak, to compare a calibrated parameter with. */
#ifndef FW_COST_PEAK_H
#define FW_COST_PEAK_H

#include "device.h"
#include "feature.h"

/* Seconds of one unit of an arithmetic or memory feature at the rate that the profile states, at a
 * clock in hertz, with `warp` threads counted at once where the feature counts by warps; 0: the
 * feature is of no such kind, or the profile does not say. */
double fw_cost_least(const struct fw_feature *feature, const struct fw_device *device, double clock,
                     uint32_t warp);

#endif
