#include "measured.h"

#include <math.h>

void fw_traffic_replace(struct fw_traffic *traffic, struct fw_measured_volumes *predicted,
                        const struct fw_measured_volumes *measured)
{
    struct fw_volumes *volumes = &traffic->volumes;
    double *places[FW_VOLUME_METRIC_COUNT] = {
        [FW_VOLUME_METRIC_LOAD_SECTORS] = &traffic->requests.load_sectors,
        [FW_VOLUME_METRIC_STORE_SECTORS] = &traffic->requests.store_sectors,
        [FW_VOLUME_METRIC_LSU_WAVEFRONTS] = &traffic->lsu_wavefronts,
        [FW_VOLUME_METRIC_SHARED_WAVEFRONTS] = &traffic->requests.shared_wavefronts,
        [FW_VOLUME_METRIC_L2_TO_L1] = &traffic->l2_to_l1,
        [FW_VOLUME_METRIC_L1_TO_L2] = &traffic->l1_to_l2,
        [FW_VOLUME_METRIC_DRAM_READ] = &volumes->dram_read.bytes,
        [FW_VOLUME_METRIC_DRAM_WRITE] = &volumes->dram_write.bytes};
    for (size_t m = 0; m < FW_VOLUME_METRIC_COUNT; m++) {
        predicted->at[m] = places[m] ? *places[m] : (double)NAN;
        if (places[m] && !isnan(measured->at[m]))
            *places[m] = measured->at[m];
    }
}
