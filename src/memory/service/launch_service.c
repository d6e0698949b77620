#include "launch_service.h"

#include "tlb.h"

#include <math.h>

double fw_dispatch_seconds(const struct fw_device *device, double blocks)
{
    const struct fw_figure_value *curve = &device->figures[FW_FIGURE_EMPTY_KERNEL];
    double all;
    if (!curve->known || curve->count == 0 ||
        !fw_device_curve(device, FW_FIGURE_EMPTY_KERNEL, blocks, &all))
        return 0;
    return fmax(0, all - curve->list[1]);
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
