#include "recorded_volumes.h"

#include <math.h>

struct fw_measured_volumes recorded_volumes(const json_t *row)
{
    struct fw_measured_volumes measured;
    for (unsigned m = 0; m < FW_VOLUME_METRIC_COUNT; m++) {
        const struct fw_volume_metric_row *metric = fw_volume_metric_row(m);
        const json_t *value = json_object_get(json_object_get(row, "counters"), metric->metric);
        measured.at[m] = value ? json_number_value(value) * metric->factor : (double)NAN;
    }
    return measured;
}
