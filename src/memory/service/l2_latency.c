#include "l2_latency.h"

#include <math.h>

static double near_latency(const struct fw_device *device)
{
    double cycles;
    return fw_device_figure(device, FW_FIGURE_LATENCY_L2, &cycles) ? cycles : 0;
}

static double far_latency(const struct fw_device *device)
{
    double cycles;
    return fw_device_figure(device, FW_FIGURE_LATENCY_L2_FAR, &cycles) ? cycles
                                                                       : near_latency(device);
}

double fw_l2_latency_anywhere(const struct fw_device *device)
{
    return (near_latency(device) + far_latency(device)) / 2;
}

/* The last of `busy` multiprocessors that are spread evenly around the mean. */
static double last_latency(const struct fw_device *device, double busy)
{
    double usual = near_latency(device), last;
    if (!fw_device_figure(device, FW_FIGURE_LATENCY_L2_LAST, &last) || last < usual)
        return usual;
    return last - 2 * (last - usual) / (busy + 1);
}

double fw_l2_latency(const struct fw_device *device, const struct fw_caches *caches,
                     const struct fw_volumes *volumes, double blocks)
{
    double bytes = volumes->read_footprint + volumes->write_footprint;
    double near = near_latency(device), all = caches->multiprocessors;
    /* Blocks of one wave go where they went before: data/h200/near, `walk`, whose loads take as
     * long over 44 MB as over 1 MB. */
    if (blocks <= all * caches->resident_blocks)
        return last_latency(device, fmin(blocks, all));
    double held = bytes > 0 ? fmin(1, caches->l2_partition_bytes / bytes) : 1;
    return near + (1 - held) * (fw_l2_latency_anywhere(device) - near);
}
