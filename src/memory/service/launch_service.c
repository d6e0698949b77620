#include "launch_service.h"

#include "tlb.h"

#include <math.h>

/* Back to back, kernels of few blocks come as fast as the host launches them, which hides what the
 * device takes: so not what it takes beyond few blocks counts, but the steepest line that leads
 * from one point of the curve to its last one. */
double fw_dispatch_seconds(const struct fw_device *device, double blocks)
{
    const struct fw_figure_value *curve = &device->figures[FW_FIGURE_EMPTY_KERNEL];
    double slope = 0;
    if (!curve->known || curve->count < 2)
        return 0;
    const double *last = &curve->list[2 * (curve->count - 1)];
    for (uint32_t p = 0; p + 1 < curve->count; p++)
        if (last[0] > curve->list[2 * p])
            slope =
                fmax(slope, (last[1] - curve->list[2 * p + 1]) / (last[0] - curve->list[2 * p]));
    return slope * blocks;
}

double fw_server_share(const struct fw_kernel *kernel, const struct fw_device *device)
{
    double share;
    for (uint32_t a = 0; a < kernel->access_count; a++)
        if (kernel->accesses[a].asynchronous && kernel->accesses[a].direction == FW_LOAD)
            return 1;
    return fw_device_figure(device, FW_FIGURE_SERVER_SHARE, &share) ? share : 1;
}

double fw_tlb_misses(const struct fw_affine_accesses *accesses, const struct fw_volumes *volumes,
                     const struct fw_random_accesses *random, const struct fw_caches *caches,
                     const struct fw_device *device)
{
    double page, miss_share = fw_tlb_miss_share(volumes->read_footprint + volumes->write_footprint,
                                                caches->tlb_reach);
    double pages = miss_share > 0 && fw_device_figure(device, FW_FIGURE_TLB_PAGE, &page)
                       ? fw_tlb_pages(accesses, page)
                       : 0;
    return random->tlb_misses + miss_share * pages;
}
