#include "resource.h"

static const struct {
    const char *text;
    enum fw_figure figure;
    const char *unit;
    const char *meaning;
} resources[FW_RESOURCE_COUNT] = {
#define X(name, text, figure, unit, meaning) {text, FW_FIGURE_##figure, unit, meaning},
    FW_RESOURCES(X)
#undef X
};

const char *fw_resource_text(enum fw_resource resource)
{
    return resources[resource].text;
}

const char *fw_resource_unit(enum fw_resource resource)
{
    return resources[resource].unit;
}

const char *fw_resource_meaning(enum fw_resource resource)
{
    return resources[resource].meaning;
}

bool fw_resource_is_memory(enum fw_resource resource)
{
    return resource >= FW_RESOURCE_LOAD_STORE;
}

bool fw_resource_is_of_multiprocessor(enum fw_resource resource)
{
    return resource != FW_RESOURCE_L2 && resource != FW_RESOURCE_DRAM &&
           resource != FW_RESOURCE_DISPATCH;
}

enum fw_figure fw_resource_figure(enum fw_resource resource, const struct fw_device *device)
{
    enum fw_figure figure = resources[resource].figure;
    return resource == FW_RESOURCE_DRAM && !device->figures[figure].known ? FW_FIGURE_DRAM_BANDWIDTH
                                                                          : figure;
}

bool fw_resource_rate(double *rate, enum fw_resource resource, const struct fw_device *device,
                      double clock, bool by_warps)
{
    double figure, factor = 1, multiprocessors = 0;
    if (!fw_device_figure(device, fw_resource_figure(resource, device), &figure))
        return false;
    fw_device_figure(device, FW_FIGURE_MULTIPROCESSORS, &multiprocessors);
    if (resource == FW_RESOURCE_SHARED)
        factor = (double)fw_device_count(device, FW_FIGURE_SHARED_BANK_BYTES, 4);
    if (resource >= FW_RESOURCE_TENSOR_F16 && resource <= FW_RESOURCE_TENSOR_F64 && by_warps &&
        !fw_device_figure(device, FW_FIGURE_TENSOR_MMA_SHARE, &factor))
        factor = 1;
    *rate = figure * factor;
    if (fw_resource_is_of_multiprocessor(resource))
        *rate *= multiprocessors * clock;
    return true;
}

double fw_resource_joules(enum fw_resource resource, double amount, const struct fw_device *device)
{
    static const struct {
        enum fw_resource resource;
        enum fw_figure figure;
    } energies[] = {{FW_RESOURCE_F32, FW_FIGURE_ENERGY_F32},
                    {FW_RESOURCE_F64, FW_FIGURE_ENERGY_F64},
                    {FW_RESOURCE_F16, FW_FIGURE_ENERGY_F32},
                    {FW_RESOURCE_INTEGER, FW_FIGURE_ENERGY_INT32_MULTIPLY},
                    {FW_RESOURCE_SPECIAL, FW_FIGURE_ENERGY_SPECIAL},
                    {FW_RESOURCE_TENSOR_F16, FW_FIGURE_ENERGY_TENSOR},
                    {FW_RESOURCE_TENSOR_BF16, FW_FIGURE_ENERGY_TENSOR},
                    {FW_RESOURCE_TENSOR_TF32, FW_FIGURE_ENERGY_TENSOR}};
    double energy;
    for (size_t e = 0; e < sizeof(energies) / sizeof(energies[0]); e++)
        if (energies[e].resource == resource &&
            fw_device_figure(device, energies[e].figure, &energy))
            return amount * energy;
    return 0;
}
