#include "recorded_times.h"
#include "traffic_others.h"

bool recorded_times(struct fw_roofline **roofline, struct fw_traffic **traffic,
                    struct fw_traffic **by_counters, struct subject *s,
                    const struct fw_device *device, const json_t *row, const uint32_t *alignments)
{
    struct fw_roofline_options plain = {.cold = false};
    struct fw_traffic_others others;
    struct fw_traffic_options options = {.alignments = alignments};
    options.registers = (uint32_t)json_integer_value(json_object_get(row, "registers"));
    s->kernel->resources.registers = options.registers;
    if (fw_roofline_predict(roofline, s->arena, s->kernel, s->bound, s->launch, device, &plain,
                            NULL) != FW_OK)
        return false;
    fw_traffic_others_find_all(&others, &options, s->arena, s->kernel, s->bound, s->launch, device,
                               (*roofline)->clock);
    if (fw_traffic_predict(traffic, s->arena, s->kernel, s->bound, s->launch, device, &options,
                           NULL) != FW_OK)
        return false;
    struct fw_measured_volumes measured = recorded_volumes(row);
    options.measured = &measured;
    return fw_traffic_predict(by_counters, s->arena, s->kernel, s->bound, s->launch, device,
                              &options, NULL) == FW_OK;
}
