#include "recorded_times.h"

enum { MOST_OTHERS = FW_ROOFLINE_RESOURCE_COUNT };

static bool is_memory(enum fw_roofline_resource resource)
{
    return resource == FW_ROOFLINE_SHARED || resource == FW_ROOFLINE_L1 ||
           resource == FW_ROOFLINE_L2 || resource == FW_ROOFLINE_DRAM ||
           resource == FW_ROOFLINE_LOAD_STORE || resource == FW_ROOFLINE_DISPATCH;
}

bool recorded_times(struct fw_roofline **roofline, struct fw_traffic **traffic,
                    struct fw_traffic **by_counters, struct subject *s,
                    const struct fw_device *device, const json_t *row, const uint32_t *alignments)
{
    struct fw_roofline_options plain = {.cold = false};
    struct fw_traffic_other others[MOST_OTHERS];
    struct fw_traffic_options options = {.others = others, .alignments = alignments};
    options.registers = (uint32_t)json_integer_value(json_object_get(row, "registers"));
    s->kernel->resources.registers = options.registers;
    if (fw_roofline_predict(roofline, s->arena, s->kernel, s->bound, s->launch, device, &plain,
                            NULL) != FW_OK)
        return false;
    for (uint32_t t = 0; t < (*roofline)->term_count; t++)
        if (!is_memory((*roofline)->terms[t].resource))
            others[options.other_count++] = (struct fw_traffic_other){
                fw_roofline_text((*roofline)->terms[t].resource), (*roofline)->terms[t].seconds,
                fw_roofline_joules(&(*roofline)->terms[t], device),
                (*roofline)->terms[t].resource == FW_ROOFLINE_ISSUE};
    if (fw_traffic_predict(traffic, s->arena, s->kernel, s->bound, s->launch, device, &options,
                           NULL) != FW_OK)
        return false;
    struct fw_measured_volumes measured = recorded_volumes(row);
    options.measured = &measured;
    return fw_traffic_predict(by_counters, s->arena, s->kernel, s->bound, s->launch, device,
                              &options, NULL) == FW_OK;
}
