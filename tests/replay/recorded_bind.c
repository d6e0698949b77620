#include "recorded.h"

void recorded_bind(struct subject *s, const json_t *launch)
{
    const char *name;
    json_t *value;
    s->launch = fw_launch_new(s->arena, s->kernel);
    for (size_t d = 0; d < 3; d++) {
        s->launch->grid[d] =
            (uint32_t)json_integer_value(json_array_get(json_object_get(launch, "grid"), d));
        s->launch->block[d] =
            (uint32_t)json_integer_value(json_array_get(json_object_get(launch, "block"), d));
    }
    s->launch->shared = (uint64_t)json_integer_value(json_object_get(launch, "shared"));
    json_object_foreach(json_object_get(launch, "arguments"), name, value)
    {
        uint32_t p = fw_kernel_parameter(s->kernel, name);
        if (p == FW_NONE)
            continue;
        s->launch->integers[p] = json_integer_value(value);
        s->launch->floats[p] = json_number_value(value);
        s->launch->is_bound[p] = true;
    }
}
