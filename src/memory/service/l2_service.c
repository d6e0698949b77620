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
static double taken_bytes(const struct fw_l2_work *work, const struct fw_l2_stores *stores,
                          const struct fw_device *device)
{
    const struct fw_caches *caches = work->caches;
    double request = figure(device, FW_FIGURE_L2_STORE_REQUEST), line = caches->line;
    double split = figure(device, FW_FIGURE_L2_STORE_SPLIT);
    double bytes = caches->sector * stores->sectors;
    double counted = request * stores->lines + (line - request) / line * bytes;
    if (split > 0) {
        struct fw_split_sectors parts = fw_split_sectors_find(
            work->accesses, work->order, caches->sector, caches->sector, FW_WARP_THREADS);
        counted += split / 2 * (1 - work->written) *
                   (parts.within_block + parts.across_blocks + parts.late + parts.late_in_place);
    }
    return work->l1_to_l2 * counted / bytes;
}

/* Lines of which sectors are filled in part take something for the line and something for each of
 * these sectors, which follows from what one such sector of a line takes and what all sectors of a
 * line do.  Source: data/h200/sectors, column_store and local; apart_store in data/h200/traffic. */
double fw_l2_store_bytes(const struct fw_l2_stores *stores, double sector, double line,
                         const struct fw_device *device)
{
    double least = figure(device, FW_FIGURE_L2_STORE_LEAST), all = line / sector;
    double partial = figure(device, FW_FIGURE_L2_STORE_PARTIAL), each = partial, first = 0;
    double bytes = sector * stores->sectors, most = fmax(bytes, least * stores->lines);
    if (!(partial > sector))
        return most;
    if (least > partial && all > 1) {
        each = (all * partial - least) / (all - 1);
        first = least - each;
    }
    double lines = stores->lines * stores->partial / stores->sectors;
    return fmax(most, bytes + (each - sector) * stores->partial + first * lines);
}

/* Bytes that threads store by affine accesses. */
static double stored_bytes(const struct fw_affine_accesses *accesses)
{
    double sum = 0;
    for (uint32_t i = 0; i < accesses->count; i++) {
        const struct fw_affine_access *access = &accesses->at[i];
        double times = fw_affine_threads(access, accesses) * access->repeats * access->active_share;
        for (uint32_t l = 0; l < access->loops; l++)
            times *= (double)access->trips[l];
        sum += fw_affine_is_load(access) ? 0 : times * access->bytes;
    }
    return sum;
}

/* Of the sectors that stores fill in part, the share that is still in part when L1 sends them: it
 * merges what a warp's stores fill together. */
static double parts_left(const struct fw_l2_work *work)
{
    static const double whole = 0.95;
    double requested = work->caches->requested_store_bytes, sent = work->l1_to_l2;
    double apart = fw_caches_scattered_stores(work->caches);
    if (!(requested > sent) || !(apart < 1) || apart * requested >= sent)
        return 1;
    double distinct = (sent - apart * requested) / (1 - apart);
    return stored_bytes(work->accesses) >= whole * distinct ? apart * requested / sent : 1;
}

/* The launch's stores, those to local memory among them. */
static struct fw_l2_stores stores_of(const struct fw_l2_work *work)
{
    const struct fw_requests *requests = work->requests;
    return (struct fw_l2_stores){requests->store_sectors + requests->local_store_sectors,
                                 requests->store_lines + requests->local_store_lines,
                                 parts_left(work) * requests->partial_store_sectors +
                                     requests->local_partial_sectors};
}

void fw_l2_service_find(struct fw_l2_service *service, const struct fw_l2_work *work,
                        const struct fw_device *device)
{
    const struct fw_requests *requests = work->requests;
    double least, sector = work->caches->sector;
    *service = (struct fw_l2_service){work->l2_to_l1, work->l1_to_l2, work->l1_to_l2};
    if (fw_device_figure(device, FW_FIGURE_L2_LOAD_LEAST, &least) && requests->load_sectors > 0)
        service->loads *= fmax(1, least * requests->load_lines / (sector * requests->load_sectors));
    const struct fw_l2_stores stores = stores_of(work);
    double bytes = sector * stores.sectors, l2, rate;
    if (!(bytes > 0))
        return;
    service->stores *= fw_l2_store_bytes(&stores, sector, work->caches->line, device) / bytes;
    service->taken = taken_bytes(work, &stores, device);
    if (fw_device_figure(device, FW_FIGURE_L2_BANDWIDTH, &l2) &&
        fw_device_figure(device, FW_FIGURE_L2_STORE_BANDWIDTH, &rate))
        service->taken = fmax(service->taken, service->stores * rate / l2);
}
