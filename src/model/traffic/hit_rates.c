/* Hit rates from volumes: what is looked up, and what of it is fetched from the level below. */
#include "hit_rates.h"

#include <math.h>

/* Sectors that atomic operations look up: one a pass. */
static double atomic_sectors(const struct fw_atomics *atomics)
{
    double sum = 0;
    for (uint32_t a = 0; a < atomics->count; a++)
        for (int k = 0; k < FW_ATOMIC_KIND_COUNT; k++)
            sum += atomics->at[a].passes[k] + atomics->at[a].whole[k];
    return sum;
}

static double share(double hits, double lookups)
{
    return lookups > 0 ? fmin(1, fmax(0, hits / lookups)) : NAN;
}

/* L1 writes through, and looks stores up nevertheless: one hits where its sector is there, from a
 * load or a store before.  Source: counters of an H200 of copies within one array (half of their
 * lookups hit), of z = a * x + y (none), of y = a * x + y (a third).  Of requests that neighbouring
 * multiprocessors make together each misses in its own L1. */
static double l1_share(const struct fw_launch_volumes *found, double l2_to_l1)
{
    const struct fw_requests *requests = &found->requests;
    const double sector = found->caches.sector;
    const double loads = requests->load_sectors + requests->local_load_sectors;
    const double stores = requests->store_sectors, local = requests->local_store_sectors;
    double misses = fmin(loads, (l2_to_l1 + found->volumes.coalesced_bytes) / sector);
    double first = found->volumes.stored_first + requests->non_affine_store_bytes;
    misses += fmin(stores, first / sector + found->random.store_sectors);
    return share(loads + stores + local - misses, loads + stores + local);
}

/* Stores hit in L2, which makes room for them.  The rest of a sector that they write a part of is
 * fetched, which is a lookup that misses. */
static double l2_share(const struct fw_launch_volumes *found, const struct fw_units *units,
                       double l2_to_l1, double l1_to_l2, double read)
{
    const double sector = found->caches.sector, fill = found->volumes.fill_read;
    const double loads = l2_to_l1 / sector, misses = fmin(loads, fmax(0, read - fill) / sector);
    const double others = l1_to_l2 / sector + atomic_sectors(&units->atomics);
    return share(loads - misses + others, loads + others + fill / sector);
}

struct fw_hit_rates fw_hit_rates_find(const struct fw_launch_volumes *found,
                                      const struct fw_units *units, double l2_to_l1,
                                      double l1_to_l2, double read)
{
    return (struct fw_hit_rates){l1_share(found, l2_to_l1),
                                 l2_share(found, units, l2_to_l1, l1_to_l2, read)};
}
