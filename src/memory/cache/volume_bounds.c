/* What device memory moves cannot exceed what L1 requests and stores: each fetch that L2 misses
 * answers a request for one of its sectors, and each sector that L2 writes back, or reads to fill
 * up, was stored since the last time.  Requests are counted, while footprints stand on boxes around
 * addresses: where an address is linearized (row after row of a triangle, say) the box can be far
 * larger than what is touched. */
#include "volume_internal.h"

#include <math.h>

/* What L1 requests of L2 is itself an estimate where blocks save requests for each other: distinct
 * data may be so many times as much before they count as wrong, but no more than without that. */
static const double merged_requests = 1.25;

/* Whether a value was above its bound by more than rounding. */
static bool hold(double *value, double bound)
{
    static const double rounding = 1e-9;
    bool above = *value > bound * (1 + rounding);
    *value = fmin(*value, bound);
    return above;
}

void volumes_hold_to_requests(struct fw_volumes *volumes, const struct fw_caches *caches)
{
    struct fw_volume *read = &volumes->dram_read, *write = &volumes->dram_write;
    double loaded = volumes->l2_to_l1.bytes, stored = volumes->l1_to_l2;
    double per_sector = (double)caches->fetch / caches->sector;
    /* Distinct data: a request brings at most its share of the fetches that the loads touch. */
    double most = fmin(merged_requests * loaded, loaded + volumes->merged_bytes);
    double distinct = fmin(per_sector * loaded, volumes->fetch_density * most);
    bool above = hold(&volumes->read_footprint, distinct);
    above |= hold(&read->compulsory, distinct);
    above |= hold(&read->capacity, per_sector * loaded - read->compulsory);
    above |= hold(&volumes->write_footprint, stored);
    const double all = stored + volumes->carried_write; /* by this launch, and by others before */
    above |= hold(&write->compulsory, all);
    above |= hold(&write->capacity, all - write->compulsory);
    above |= hold(&volumes->fill_read, stored);
    hold(&volumes->partial_eviction_bytes, fmin(write->capacity, volumes->fill_read));
    volumes->bounded = above;
    if (!above)
        return;
    read->bytes = read->compulsory + read->capacity + volumes->fill_read;
    write->bytes = write->compulsory + write->capacity;
}
