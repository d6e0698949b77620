#include "l2_service.h"

#include "split_sectors.h"
#include "warp.h"

#include <math.h>

static double figure(const struct fw_device *device, enum fw_figure which)
{
    double value = 0;
    return fw_device_figure(device, which, &value) ? value : 0;
}

/* Bytes of the stores as L2 takes them: a request counts some bytes, and so does each of its
 * sectors, so that a whole line counts as its own.  A sector that two warps store a part of counts
 * more. */
static double taken_bytes(const struct fw_l2_work *work, const struct fw_device *device)
{
    const struct fw_requests *requests = work->requests;
    const struct fw_caches *caches = work->caches;
    double request = figure(device, FW_FIGURE_L2_STORE_REQUEST), line = caches->line;
    double split = figure(device, FW_FIGURE_L2_STORE_SPLIT);
    double bytes = caches->sector * requests->store_sectors;
    double counted = request * requests->store_lines + (line - request) / line * bytes;
    if (split > 0) {
        struct fw_split_sectors parts = fw_split_sectors_find(
            work->accesses, work->order, caches->sector, caches->sector, FW_WARP_THREADS);
        counted += split / 2 * (1 - work->written) *
                   (parts.within_block + parts.across_blocks + parts.late + parts.late_in_place);
    }
    return work->l1_to_l2 * counted / bytes;
}

void fw_l2_service_find(struct fw_l2_service *service, const struct fw_l2_work *work,
                        const struct fw_device *device)
{
    const struct fw_requests *requests = work->requests;
    double least, sector = work->caches->sector;
    *service = (struct fw_l2_service){work->l2_to_l1, work->l1_to_l2, work->l1_to_l2};
    if (fw_device_figure(device, FW_FIGURE_L2_LOAD_LEAST, &least) && requests->load_sectors > 0)
        service->loads *= fmax(1, least * requests->load_lines / (sector * requests->load_sectors));
    if (!(requests->store_sectors > 0))
        return;
    double bytes = sector * requests->store_sectors, most = bytes;
    if (fw_device_figure(device, FW_FIGURE_L2_STORE_LEAST, &least))
        most = fmax(most, least * requests->store_lines);
    if (fw_device_figure(device, FW_FIGURE_L2_STORE_PARTIAL, &least))
        most = fmax(most, bytes + (least - sector) * requests->partial_store_sectors);
    service->stores *= most / bytes;
    service->taken = taken_bytes(work, device);
}
