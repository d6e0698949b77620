#include "cost_peak.h"

#include "resource.h"

#include <string.h>

/* The resource that an operation keeps busy; false: it is no plain arithmetic. */
static bool unit_of(enum fw_resource *resource, const struct fw_feature *feature)
{
    static const char *const plain[] = {"add", "mul", "madd"};
    bool known = false;
    for (size_t p = 0; p < sizeof(plain) / sizeof(*plain); p++)
        known |= feature->name_of && strcmp(feature->name_of, plain[p]) == 0;
    switch (feature->type) {
    case FW_TYPE_F32:
        *resource = FW_RESOURCE_F32;
        return known;
    case FW_TYPE_F64:
        *resource = FW_RESOURCE_F64;
        return known;
    case FW_TYPE_F16:
        *resource = FW_RESOURCE_F16;
        return known;
    case FW_TYPE_S32:
    case FW_TYPE_U32:
        *resource = strcmp(feature->name_of ? feature->name_of : "", "add") == 0
                        ? FW_RESOURCE_INTEGER
                        : FW_RESOURCE_INTEGER_MULTIPLY;
        return known;
    default:
        return false;
    }
}

double fw_cost_least(const struct fw_feature *feature, const struct fw_device *device, double clock,
                     uint32_t warp)
{
    enum fw_resource resource;
    double amount = warp, rate, bytes = fw_type_bytes(feature->type);
    if (feature->kind == FW_FEATURE_OPERATION) {
        if (!unit_of(&resource, feature))
            return 0;
    } else if (feature->kind == FW_FEATURE_MEMORY && bytes > 0 &&
               feature->space == FW_SPACE_SHARED) {
        resource = FW_RESOURCE_SHARED;
        amount = warp * bytes;
    } else if (feature->kind == FW_FEATURE_MEMORY && bytes > 0 &&
               feature->space == FW_SPACE_GLOBAL) {
        resource = FW_RESOURCE_DRAM;
        amount = bytes;
    } else {
        return 0;
    }
    if (!fw_resource_rate(&rate, resource, device, clock, false) || !(rate > 0))
        return 0;
    return amount / rate;
}
