#include "measured.h"

#include <math.h>
#include <string.h>

static const struct fw_traffic_metric_row rows[FW_TRAFFIC_METRIC_COUNT] = {
#define X(name, key, metric, factor, unit) {key, metric, unit, factor},
    FW_TRAFFIC_METRICS(X)
#undef X
};

const struct fw_traffic_metric_row *fw_traffic_metric_row(enum fw_traffic_metric metric)
{
    return &rows[metric];
}

bool fw_traffic_metric_find(enum fw_traffic_metric *metric, const char *name)
{
    for (size_t m = 0; m < FW_TRAFFIC_METRIC_COUNT; m++) {
        size_t length = strlen(rows[m].metric) - strlen(".sum");
        bool same = strncmp(rows[m].metric, name, length) == 0 &&
                    (name[length] == '\0' || strcmp(name + length, ".sum") == 0);
        if (same || strcmp(rows[m].key, name) == 0) {
            *metric = (enum fw_traffic_metric)m;
            return true;
        }
    }
    return false;
}

void fw_traffic_replace(struct fw_traffic *traffic, struct fw_traffic_measured *predicted,
                        const struct fw_traffic_measured *measured)
{
    struct fw_volumes *volumes = &traffic->volumes;
    double *places[FW_TRAFFIC_METRIC_COUNT] = {
        [FW_TRAFFIC_METRIC_LOAD_SECTORS] = &traffic->requests.load_sectors,
        [FW_TRAFFIC_METRIC_STORE_SECTORS] = &traffic->requests.store_sectors,
        [FW_TRAFFIC_METRIC_LSU_WAVEFRONTS] = &traffic->lsu_wavefronts,
        [FW_TRAFFIC_METRIC_SHARED_WAVEFRONTS] = &traffic->requests.shared_wavefronts,
        [FW_TRAFFIC_METRIC_L2_TO_L1] = &traffic->l2_to_l1,
        [FW_TRAFFIC_METRIC_L1_TO_L2] = &traffic->l1_to_l2,
        [FW_TRAFFIC_METRIC_DRAM_READ] = &volumes->dram_read.bytes,
        [FW_TRAFFIC_METRIC_DRAM_WRITE] = &volumes->dram_write.bytes};
    for (size_t m = 0; m < FW_TRAFFIC_METRIC_COUNT; m++) {
        predicted->at[m] = places[m] ? *places[m] : (double)NAN;
        if (places[m] && !isnan(measured->at[m]))
            *places[m] = measured->at[m];
    }
}
